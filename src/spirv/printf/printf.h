/* Implements debug printf (NonSemantic.DebugPrintf, GLSL_EXT_debug_printf). It finds where a module
 * prints, checks its formats, and formats the words that a shader wrote. Knows no Vulkan. A
 * shader's format is never passed to C's printf: it is parsed once, and each conversion is done
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
 * Mismatches are printed as well as possible, and spirv_printf_check() reports them. An argument is
 * printed with all its components and bits, whatever the specifier says. An integer under a
 * floating-point specifier is printed as its value, and the other way round (under %x, %o and %b as
 * its bits). A conversion without an argument is printed as it stands in the format. */
#ifndef ASSAY_SPIRV_PRINTF_H
#define ASSAY_SPIRV_PRINTF_H

#include "base/string_builder.h"
#include "spirv/module/module.h"

/* The largest width or precision, in characters, and the longest text, in bytes. Larger widths are
 * reduced, and a longer text is cut and ends in "...", so that a format cannot make gigabytes. */
#define SPIRV_PRINTF_WIDTH_MOST 1024
#define SPIRV_PRINTF_TEXT_MOST  (1u << 20)

enum spirv_printf_kind {
    SPIRV_PRINTF_INT,
    SPIRV_PRINTF_UINT,
    SPIRV_PRINTF_FLOAT,
    SPIRV_PRINTF_BOOL,
    SPIRV_PRINTF_POINTER, /* a physical address, 64 bits */
    SPIRV_PRINTF_STRING,  /* an OpString, for which the shader writes no words */
    /* a matrix, a structure and so on, which is not printed and has no words */
    SPIRV_PRINTF_OTHER,
};

/* One argument. The shader writes each component as one word, or as two (low, high) for 64 bits.
 * Smaller integers are sign-extended or zero-extended, 16-bit floats are converted to 32 bits,
 * bools are 0 or 1. */
struct spirv_printf_argument {
    uint8_t kind; /* enum spirv_printf_kind */
    uint8_t bits; /* 8, 16, 32 or 64; 32 for a bool */
    uint8_t components;
    uint32_t id;      /* id of the value in the module */
    const char *text; /* the string, in the module's words; NULL: the argument is another kind */
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
    const char *format; /* in the module's words; "" if the id is not a string */
    const struct spirv_printf_argument *arguments;
    uint32_t argument_count;
    uint32_t word_count; /* words of all arguments together */
};

struct spirv_printf_calls {
    struct spirv_printf_call *calls; /* owned; sorted by instruction */
    uint32_t count;
    struct spirv_printf_argument *arguments; /* owned; the arguments of all calls */
};

bool spirv_printf_is_call(const struct spirv_module *module,
                          const struct spirv_instruction *instruction);
/* Describes the argument with this id. */
struct spirv_printf_argument spirv_printf_read_argument(const struct spirv_module *module,
                                                        uint32_t id);
/* Words of the OpExtInst: after type, result, set and instruction come the format and the
 * arguments. */
#define SPIRV_PRINTF_FORMAT_WORD    5
#define SPIRV_PRINTF_ARGUMENTS_WORD 6

/* Finds all calls in a module. Returns false if memory is out; `calls` is empty then. */
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

/* A part of the format: text that is copied, then a conversion if there is one. Offsets and lengths
 * are in bytes of the format. */
struct spirv_printf_piece {
    uint32_t text, text_length;
    uint32_t conversion, conversion_length; /* includes its '%'; length 0: there is none */
    char specifier;                         /* '\0': it is not a valid conversion */
    char length;                            /* 'H' for hh, 'h', 'l' for 64 bits; '\0': none */
    uint8_t flags;
    uint8_t vector;           /* components of a vector; 0: not given */
    int32_t width, precision; /* -1: not given */
    uint32_t width_argument;  /* index of the argument, or SPIRV_PRINTF_NO_ARGUMENT */
    uint32_t precision_argument;
    uint32_t argument;
};

/* A parsed format, with the arguments of one call. Threads: immutable. */
struct spirv_printf {
    /* in the module's words, like the strings of arguments; the module must outlive this */
    const char *format;
    struct spirv_printf_piece *pieces; /* owned */
    uint32_t piece_count;
    struct spirv_printf_argument *arguments; /* owned; a copy */
    uint32_t argument_count;
    uint32_t arguments_used; /* how many of the arguments the format uses */
    uint32_t word_count;     /* words of all arguments together */
};

/* Parses a format for its arguments. Returns false if memory is out. Any format can be parsed;
 * spirv_printf_check() says what is wrong with it. */
bool spirv_printf_parse(struct spirv_printf *printf, const char *format,
                        const struct spirv_printf_argument *arguments,
                        uint32_t argument_count) MUST_CHECK;
/* The same for the call at the instruction with this index. Returns false, too, if the instruction
 * is not a call of printf. */
bool spirv_printf_parse_call(struct spirv_printf *printf, const struct spirv_module *module,
                             uint32_t instruction) MUST_CHECK;
void spirv_printf_free(struct spirv_printf *printf);

/* Formats the words of the arguments. If there are fewer words than the arguments need, the rest is
 * printed as "...". */
void spirv_printf_format(const struct spirv_printf *printf, const uint32_t *words,
                         uint32_t word_count, struct string_builder *text);

/* Adds a sentence for each mistake in the format or its arguments, with blanks between them.
 * Returns how many there are. */
uint32_t spirv_printf_check(const struct spirv_printf *printf, struct string_builder *text);

#endif
