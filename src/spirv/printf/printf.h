/* Debug printf (NonSemantic.DebugPrintf, GLSL_EXT_debug_printf): finds where a module prints, and
 * checks its formats. It also makes text of the words that a shader wrote. Knows no Vulkan. A
 * shader's format is never given to C's printf: it is parsed once, and each conversion is made
 * here.
 *
 * Conversions: %[flags][width][.precision][vN][length]specifier, as C has them:
 *   flags     - + space # 0          width, precision   a number, or * for an argument
 *   vN        v2 v3 v4: a vector, its components are printed alike with ", " between them
 *   length    hh h (8 and 16 bits)   l ll q j z t (64 bits)   L; it may also come before vN
 *   specifier d i   u x X o b B   f F e E g G a A   c (a code point)   s (a literal string)   p   %
 * %ul is %lx for an argument of 64 bits, as users of the Khronos layer know it. For one of 32 bits
 * it is %u and an "l".
 *
 * What does not fit is printed as well as can be. An argument is printed with all its components
 * and bits, whatever the specifier says of them. An integer under a floating-point specifier is
 * printed as its value and the other way round (its bits under %x, %o, %b). What has no argument is
 * printed as it stands in the format. spirv_printf_check reports it. */
#ifndef ASSAY_SPIRV_PRINTF_H
#define ASSAY_SPIRV_PRINTF_H

#include "base/string_builder.h"
#include "spirv/module/module.h"

/* A width or precision above is taken for this one, and a text that gets longer ends in "...": a
 * format must not make gigabytes. */
#define SPIRV_PRINTF_WIDTH_MOST 1024
#define SPIRV_PRINTF_TEXT_MOST  (1u << 20)

enum spirv_printf_kind {
    SPIRV_PRINTF_INT,
    SPIRV_PRINTF_UINT,
    SPIRV_PRINTF_FLOAT,
    SPIRV_PRINTF_BOOL,
    SPIRV_PRINTF_POINTER, /* a physical address, 64 bits */
    SPIRV_PRINTF_STRING,  /* an OpString: no words */
    SPIRV_PRINTF_OTHER,   /* a matrix, a structure, ...: not printed, no words */
};

/* The shader writes each component as a word, or two (low, high) for 64 bits. Integers of fewer
 * bits are extended by their sign or by 0, 16-bit floats are 32-bit ones, bools are 0 or 1. */
struct spirv_printf_argument {
    uint8_t kind; /* enum spirv_printf_kind */
    uint8_t bits; /* 8, 16, 32 or 64; 32 for a bool */
    uint8_t components;
    uint32_t id;      /* in the module */
    const char *text; /* of a string; belongs to the module's words */
};

static inline uint32_t spirv_printf_argument_words(const struct spirv_printf_argument *argument)
{
    if (argument->kind == SPIRV_PRINTF_STRING || argument->kind == SPIRV_PRINTF_OTHER)
        return 0;
    return argument->components * (argument->bits == 64 ? 2u : 1u);
}

/* One DebugPrintf instruction. */
struct spirv_printf_call {
    uint32_t instruction; /* index of the instruction in the module */
    uint32_t format_id;
    const char *format; /* belongs to the module's words; "" when the id is not a string */
    const struct spirv_printf_argument *arguments;
    uint32_t argument_count;
    uint32_t word_count; /* of all arguments */
};

struct spirv_printf_calls {
    struct spirv_printf_call *calls; /* owned, by instruction */
    uint32_t count;
    struct spirv_printf_argument *arguments; /* owned, of all calls */
};

bool spirv_printf_is_call(const struct spirv_module *module,
                          const struct spirv_instruction *instruction);
/* The argument of a call of which this is the id. */
struct spirv_printf_argument spirv_printf_read_argument(const struct spirv_module *module,
                                                        uint32_t id);
/* Operands of such an OpExtInst: type, result, set, instruction, then the format and the arguments.
 */
#define SPIRV_PRINTF_FORMAT_WORD    5
#define SPIRV_PRINTF_ARGUMENTS_WORD 6

/* All calls of a module. False when memory is out; then and for a module without, there are none.
 */
bool spirv_printf_find(const struct spirv_module *module,
                       struct spirv_printf_calls *calls) MUST_CHECK;
void spirv_printf_calls_free(struct spirv_printf_calls *calls);

#define SPIRV_PRINTF_NO_ARGUMENT UINT32_MAX

enum spirv_printf_flags {
    SPIRV_PRINTF_LEFT = 1 << 0,
    SPIRV_PRINTF_PLUS = 1 << 1,
    SPIRV_PRINTF_SPACE = 1 << 2,
    SPIRV_PRINTF_ALTERNATE = 1 << 3,
    SPIRV_PRINTF_ZERO = 1 << 4,
    SPIRV_PRINTF_TOO_WIDE = 1 << 5, /* a width or precision was cut to SPIRV_PRINTF_WIDTH_MOST */
};

/* Text of the format as it stands, then a conversion, if there is one. Offsets and lengths in bytes
 * of the format. */
struct spirv_printf_piece {
    uint32_t text, text_length;
    uint32_t conversion, conversion_length; /* with its '%'; 0 long: there is none */
    char specifier;                         /* '\0': the text is not a conversion */
    char length;                            /* 'H' for hh, 'h', 'l' for 64 bits, '\0' */
    uint8_t flags;
    uint8_t vector;           /* 0: not said */
    int32_t width, precision; /* -1: not said */
    uint32_t width_argument;  /* index of the argument, or SPIRV_PRINTF_NO_ARGUMENT */
    uint32_t precision_argument;
    uint32_t argument;
};

/* A format, parsed for its arguments. Threads: immutable. */
struct spirv_printf {
    /* the caller's, as is the text of arguments: the module's words must outlive it */
    const char *format;
    struct spirv_printf_piece *pieces; /* owned */
    uint32_t piece_count;
    struct spirv_printf_argument *arguments; /* owned; a copy */
    uint32_t argument_count;
    uint32_t arguments_used; /* by the format */
    uint32_t word_count;     /* of all arguments */
};

/* False when memory is out. Any format can be parsed; spirv_printf_check says what is wrong with
 * it. */
bool spirv_printf_parse(struct spirv_printf *printf, const char *format,
                        const struct spirv_printf_argument *arguments,
                        uint32_t argument_count) MUST_CHECK;
/* The same for the call at the instruction of this index. False: also if the instruction is not a
 * call of printf. */
bool spirv_printf_parse_call(struct spirv_printf *printf, const struct spirv_module *module,
                             uint32_t instruction) MUST_CHECK;
void spirv_printf_free(struct spirv_printf *printf);

/* Adds the text that the arguments' words make. What was not written (fewer words than the
 * arguments have) is printed as "...". */
void spirv_printf_format(const struct spirv_printf *printf, const uint32_t *words,
                         uint32_t word_count, struct string_builder *text);

/* Adds a sentence for each thing that is wrong with the format or its arguments, with blanks
 * between them; returns how many. */
uint32_t spirv_printf_check(const struct spirv_printf *printf, struct string_builder *text);

#endif
