/* Handles OpAbortKHR (SPV_KHR_abort) on drivers that do not support it: the parts of a message, and
 * its conversion to bytes and text. It does not depend on Vulkan.
 *
 * A shader writes only the dynamic parts of a message, a word or two for each scalar
 * (ABORT_MESSAGE, spirv/abi.h); the constant parts stay here. spirv_instrument() with
 * SPIRV_CHECK_ABORT returns the sites of a module, the places where it may abort. */
#ifndef ASSAY_SPIRV_ABORT_H
#define ASSAY_SPIRV_ABORT_H

#include "base/string_builder.h"
#include "spirv/module/module.h"

/* `count` scalars that the shader writes. Each is `stride` bytes after the previous one in the
 * message, and `word_stride` words in the record. */
struct spirv_abort_leaf {
    uint32_t offset; /* bytes, in the message */
    /* 8, 16, 32 or 64. For 8 and 16, the rest of the word is 0; for 64, the low word comes first */
    uint32_t bits;
    uint32_t word; /* index from ABORT_MESSAGE on */
    uint32_t count, stride, word_stride;
};

/* An argument of the message: a scalar, vector or string, in order. members of structures, elements
 * of arrays and columns of matrices are arguments of their own. */
struct spirv_abort_argument {
    /* enum spirv_printf_kind (spirv/printf/printf.h): SPIRV_PRINTF_STRING is an array of 8-bit
     * integers that is decorated UTFEncodedKHR */
    uint8_t kind;
    uint8_t bits;       /* of a component: 8, 16, 32 or 64 */
    uint8_t components; /* 1 to 4; more only with OpTypeVectorIdEXT */
    bool brain;         /* a 16-bit float is a bfloat16 */
    uint32_t offset;    /* bytes, in the message */
    uint32_t count;     /* bytes of a string, with its NUL if it has one; otherwise 1 */
    uint32_t stride;    /* bytes between components */
};

struct spirv_abort_site {
    uint32_t instruction; /* index of OpAbortKHR in the program's own module */
    uint32_t size;        /* bytes of the message */
    uint32_t word_count;  /* words that the shader writes */
    uint32_t leaf_count, argument_count;
    const uint8_t *image; /* `size` bytes: constants in their places, and 0 elsewhere */
    const struct spirv_abort_leaf *leaves;
    const struct spirv_abort_argument *arguments;
};

/* One allocation: mem_free(). Threads: immutable. */
struct spirv_abort_sites {
    uint32_t count;
    struct spirv_abort_site sites[];
};

/* Builds the message's site->size bytes from the words of a record, from ABORT_MESSAGE on. Returns
 * false if the record has fewer words than the site; `out` then has the bytes of those words. */
bool spirv_abort_message(const struct spirv_abort_site *site, const uint32_t *words,
                         uint32_t word_count, uint8_t *out);

/* Adds the message as text. If it begins with a string, that is a printf format, and its arguments
 * follow. A further string is again a format. Other values that are left over are added in readable
 * form, with blanks between them. So are all values if the message does not begin with a string.
 * The message may be invalid: no byte of it is trusted. */
void spirv_abort_format(const struct spirv_abort_site *site, const uint8_t *message,
                        struct string_builder *text);

/* Adds a message as text, if only its bytes are known. A message in the form of GLSL's abortEXT (a
 * format and its arguments) is formatted; otherwise its bytes are added. */
void spirv_abort_decode(const uint8_t *message, size_t size, struct string_builder *text);

/* --- specialization constants that the lowered module depends on --- */

/* One entry of the pipeline's VkSpecializationInfo, with any id and any number of bytes. */
struct spirv_abort_constant {
    uint32_t id;      /* SpecId */
    const void *data; /* owned by the caller */
    size_t size;
};

/* True if the module has specialization constants that SPIRV_CHECK_ABORT turns into constants
 * (OpSpecConstantDataKHR, and the sizes of their arrays). Then spirv_instrument_info::constants
 * must be filled in, and the result depends on the values. The driver gets the VkSpecializationInfo
 * unchanged: ids that the result does not have any more have no effect ("Specialization Constants"
 * in the chapter on pipelines), and the others mean the same. */
bool spirv_has_constant_data(const struct spirv_module *module);

#endif
