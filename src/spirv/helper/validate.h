/* The functions of the helper library (libVkLayer_assay_spirv.so), which has SPIRV-Tools' validator
 * and assembler. They are C++, and thus not part of the layer, which only needs libc. Both sides
 * include this file; they are built and installed together. */
#ifndef ASSAY_SPIRV_HELPER_VALIDATE_H
#define ASSAY_SPIRV_HELPER_VALIDATE_H

#include <stddef.h>
#include <stdint.h>

#define SPIRV_HELPER_LIBRARY  "libVkLayer_assay_spirv.so"
#define SPIRV_HELPER_FUNCTION "assay_spirv_validate"
/* version of this interface; another version is refused */
#define SPIRV_HELPER_VERSION 1

/* Permissions of a device beyond the rules of its version. */
enum spirv_validate_flags {
    SPIRV_VALIDATE_RELAX_BLOCK_LAYOUT = 1 << 0,
    SPIRV_VALIDATE_UNIFORM_BUFFER_STANDARD_LAYOUT = 1 << 1,
    SPIRV_VALIDATE_SCALAR_BLOCK_LAYOUT = 1 << 2,
    SPIRV_VALIDATE_WORKGROUP_SCALAR_BLOCK_LAYOUT = 1 << 3,
    SPIRV_VALIDATE_LOCAL_SIZE_ID = 1 << 4,
    SPIRV_VALIDATE_OFFSET_TEXTURE_OPERAND = 1 << 5,
    SPIRV_VALIDATE_WIDE_BITWISE = 1 << 6, /* maintenance9 */
    SPIRV_VALIDATE_SPIRV_1_4 = 1 << 7,    /* Vulkan 1.1 with VK_KHR_spirv_1_4 */
};

/* Options of a validation. The structure has no padding, as its bytes are hashed. Threads: it
 * belongs to the caller. */
struct spirv_validate_options {
    uint32_t version;        /* SPIRV_HELPER_VERSION */
    uint32_t flags;          /* enum spirv_validate_flags */
    uint32_t minor;          /* Vulkan 1.minor */
    uint32_t friendly_names; /* names of OpName in the text, rather than numbers; slower */
    /* sizes and alignments of descriptors in heaps, in bytes; 0: not given */
    uint32_t buffer_descriptor_size, buffer_descriptor_alignment;
    uint32_t image_descriptor_size, image_descriptor_alignment;
    uint32_t sampler_descriptor_size, sampler_descriptor_alignment;
};

enum spirv_validate_result {
    SPIRV_VALIDATE_GOOD,
    SPIRV_VALIDATE_BAD,    /* `text` describes the error */
    SPIRV_VALIDATE_FAILED, /* no result: memory was out, or the interface has another version */
};

/* Validates `word_count` words. `text` (of `text_size` bytes, not 0) receives the error, cut if
 * needed and always terminated. `instruction` receives the number of the invalid instruction,
 * counted from 1, or 0. Threads: any. */
typedef int (*spirv_validate_function)(const uint32_t *words, size_t word_count,
                                       const struct spirv_validate_options *options, char *text,
                                       size_t text_size, size_t *instruction);

#define SPIRV_HELPER_ASSEMBLE "assay_spirv_assemble"

/* The place of an error in the text of a module; both count from 1. */
struct spirv_text_place {
    size_t line, column;
};

/* Makes a module of SPIR-V 1.`minor` (0 to 6) from its text. `words` has room for `capacity` words,
 * which the caller owns. `*word_count` receives the number of words that the module has; if that is
 * more than `capacity`, none is written. Returns an enum spirv_validate_result. With
 * SPIRV_VALIDATE_BAD the text is wrong: `message` (of `message_size` bytes, not 0; always
 * terminated) and `place` describe the error. Threads: any. */
typedef int (*spirv_assemble_function)(const char *text, size_t length, unsigned minor,
                                       uint32_t *words, size_t capacity, size_t *word_count,
                                       char *message, size_t message_size,
                                       struct spirv_text_place *place);

#endif
