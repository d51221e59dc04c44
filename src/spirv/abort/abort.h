/* Handles OpAbortKHR (SPV_KHR_abort) on drivers that do not know it: what a message consists of,
 * and the bytes and text that a shader's words make. Knows no Vulkan.
 *
 * A shader writes what is dynamic in a message, a word or two for each scalar (ABORT_MESSAGE,
 * spirv/abi.h); all that is constant stays here. spirv_instrument() with SPIRV_CHECK_ABORT
 * gives the sites of a module: places where it may abort. */
#ifndef ASSAY_SPIRV_ABORT_H
#define ASSAY_SPIRV_ABORT_H

#include "base/string_builder.h"
#include "spirv/module/module.h"

/* Scalars that the shader writes: `count` of them, of which each is `stride` bytes after the one
 * before in the message, and `word_stride` words in the record. */
struct spirv_abort_leaf {
    uint32_t offset; /* bytes, in the message */
    /* 8, 16, 32 or 64; of the first two the rest of the word is 0; of 64 the low word comes first
     */
    uint32_t bits;
    uint32_t word; /* from ABORT_MESSAGE on */
    uint32_t count, stride, word_stride;
};

/* A scalar, vector or string of the message, in order: members of structures, elements of arrays
 * and columns of matrices are arguments of their own. */
struct spirv_abort_argument {
    /* enum spirv_printf_kind (spirv/printf/printf.h): SPIRV_PRINTF_STRING is an array of 8-bit
     * integers that is decorated UTFEncodedKHR */
    uint8_t kind;
    uint8_t bits;       /* of a component: 8, 16, 32 or 64 */
    uint8_t components; /* 1 to 4; more only with OpTypeVectorIdEXT */
    bool brain;         /* a 16-bit float is a bfloat16 */
    uint32_t offset;    /* bytes, in the message */
    uint32_t count;     /* bytes of a string, its NUL with it if it has one; else 1 */
    uint32_t stride;    /* bytes between components */
};

struct spirv_abort_site {
    uint32_t instruction; /* index of OpAbortKHR in the module as the program gave it */
    uint32_t size;        /* bytes of the message */
    uint32_t word_count;  /* that the shader writes */
    uint32_t leaf_count, argument_count;
    const uint8_t *image; /* `size` bytes: constants where they belong, all else is 0 */
    const struct spirv_abort_leaf *leaves;
    const struct spirv_abort_argument *arguments;
};

/* One allocation: mem_free(). Threads: immutable. */
struct spirv_abort_sites {
    uint32_t count;
    struct spirv_abort_site sites[];
};

/* Puts the message's site->size bytes together from the words of a record, from ABORT_MESSAGE on.
 * False: the record has fewer words than the site; `out` then has the bytes of those words. */
bool spirv_abort_message(const struct spirv_abort_site *site, const uint32_t *words,
                         uint32_t word_count, uint8_t *out);

/* Adds the message as text. If it begins with a string, that is a format of printf, and what comes
 * after are its arguments. A string that is left over then is one, too. Other values that are left
 * over are added with blanks in between, readable. So are all values where the message begins with
 * something else. Nothing in it needs to be valid: no byte of the message is trusted. */
void spirv_abort_format(const struct spirv_abort_site *site, const uint8_t *message,
                        struct string_builder *text);

/* The same for a message of which only the bytes are known. Where it looks like abortEXT's (a
 * format and its arguments), it is read as that; else its bytes are added. */
void spirv_abort_decode(const uint8_t *message, size_t size, struct string_builder *text);

/* --- which specialization decides what the lowered module is --- */

/* A constant of the program's specialization: any id, any number of bytes. */
struct spirv_abort_constant {
    uint32_t id;      /* SpecId */
    const void *data; /* owned by the caller */
    size_t size;
};

/* True if the module has specialization constants of the kind that SPIRV_CHECK_ABORT makes
 * constants of (OpSpecConstantDataKHR, and what sizes their arrays). Then
 * spirv_instrument_info::constants is to be filled in, and the values are part of what the result
 * depends on. VkSpecializationInfo goes down as it is. Ids that the result does not have any more
 * are of no effect ("Specialization Constants" in the chapter on pipelines). Those that it still
 * has mean the same. */
bool spirv_has_constant_data(const struct spirv_module *module);

#endif
