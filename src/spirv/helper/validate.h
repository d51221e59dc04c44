/* The functions of the helper library (libVkLayer_assay_spirv.so), which holds SPIRV-Tools'
 * validator and assembler: C++, and thus not part of the layer, which needs libc only. Both sides
 * include this file; they are built and installed together. */
#ifndef ASSAY_SPIRV_HELPER_VALIDATE_H
#define ASSAY_SPIRV_HELPER_VALIDATE_H

#include <stddef.h>
#include <stdint.h>

#define SPIRV_HELPER_LIBRARY  "libVkLayer_assay_spirv.so"
#define SPIRV_HELPER_FUNCTION "assay_spirv_validate"
/* version of this interface; another version is refused */
#define SPIRV_HELPER_VERSION 1

/* The things that a device allows beyond the rules of its version. */
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

/* Threads: the caller's. Has no padding: it is part of a hash. */
struct spirv_validate_options {
    uint32_t version;        /* SPIRV_HELPER_VERSION */
    uint32_t flags;          /* enum spirv_validate_flags */
    uint32_t minor;          /* Vulkan 1.minor */
    uint32_t friendly_names; /* names of OpName in the text, rather than numbers; slower */
    /* of descriptor heaps; 0: not given */
    uint32_t buffer_descriptor_size, buffer_descriptor_alignment;
    uint32_t image_descriptor_size, image_descriptor_alignment;
    uint32_t sampler_descriptor_size, sampler_descriptor_alignment;
};

enum spirv_validate_result {
    SPIRV_VALIDATE_GOOD,
    SPIRV_VALIDATE_BAD,    /* `text` says why */
    SPIRV_VALIDATE_FAILED, /* nothing can be said: memory was out, another interface */
};

/* Validates `word_count` words. `text` (of `text_size` bytes, not 0) receives what is wrong, cut if
 * it must be, always terminated; `instruction` the number of the instruction, the first being 1,
 * that is wrong, or 0. Threads: any. */
typedef int (*spirv_validate_function)(const uint32_t *words, size_t word_count,
                                       const struct spirv_validate_options *options, char *text,
                                       size_t text_size, size_t *instruction);

#define SPIRV_HELPER_ASSEMBLE "assay_spirv_assemble"

/* Where the text of a module is wrong; both count from 1. */
struct spirv_text_place {
    size_t line, column;
};

/* Makes a module of SPIR-V 1.`minor` (0 to 6) of its text. `words` has room for `capacity` words,
 * which the caller owns.
 * `*word_count` receives the number of words that the module has; where that is more than
 * `capacity`, none is written. Gives an enum spirv_validate_result: SPIRV_VALIDATE_BAD where the
 * text is wrong, which `message` (of `message_size` bytes, not 0; always terminated) and `place`
 * tell. Threads: any. */
typedef int (*spirv_assemble_function)(const char *text, size_t length, unsigned minor,
                                       uint32_t *words, size_t capacity, size_t *word_count,
                                       char *message, size_t message_size,
                                       struct spirv_text_place *place);

#endif
