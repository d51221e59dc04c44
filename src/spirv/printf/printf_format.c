/* Formats the words of arguments by a parsed format, as C's printf would. C's printf itself is only
 * used for floating-point numbers, with formats that are constants of this file. */
#include "spirv/printf/printf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the longest float: 309 digits before the point, SPIRV_PRINTF_WIDTH_MOST after it, and
 * some more. */
#define FLOAT_MOST (SPIRV_PRINTF_WIDTH_MOST + 400)

/* A formatted number without its padding: a sign or base prefix, zeros, and digits. */
struct number {
    const char *prefix;
    uint32_t zeros; /* between prefix and digits */
    const char *digits;
    size_t length; /* bytes of `digits` */
};

/* A conversion with its width and precision, which may come from arguments. */
struct conversion {
    const struct spirv_printf_piece *piece;
    uint32_t flags;           /* those of the piece, and SPIRV_PRINTF_LEFT for a negative width */
    int32_t width, precision; /* precision -1: none */
};

/* One component of an argument: its bits as the shader wrote them, and their kind. */
struct value {
    enum spirv_printf_kind kind;
    uint32_t bits; /* bits of the type */
    /* an integer extended to 64 bits by its own sign; the bits of a float (32) or double (64) */
    uint64_t raw;
};

/* Adds a character `count` times. */
static void add_repeated(struct string_builder *text, char c, size_t count)
{
    char run[64];
    memset(run, c, sizeof(run));
    for (; count > sizeof(run); count -= sizeof(run))
        string_builder_add_bytes(text, run, sizeof(run));
    string_builder_add_bytes(text, run, count);
}

/* Adds a number, padded with blanks to the width, on the side that the flags choose. */
static void add_padded(struct string_builder *text, const struct conversion *conversion,
                       const struct number *number)
{
    size_t length = strlen(number->prefix) + number->zeros + number->length;
    size_t width = conversion->width > 0 ? (size_t)conversion->width : 0;
    size_t padding = width > length ? width - length : 0;
    bool left = conversion->flags & SPIRV_PRINTF_LEFT;
    if (!left)
        add_repeated(text, ' ', padding);
    string_builder_add(text, number->prefix);
    add_repeated(text, '0', number->zeros);
    string_builder_add_bytes(text, number->digits, number->length);
    if (left)
        add_repeated(text, ' ', padding);
}

/* Adds zeros up to the width, if the conversion has the flag 0. */
static void fill_with_zeros(const struct conversion *conversion, struct number *number)
{
    size_t length = strlen(number->prefix) + number->zeros + number->length;
    if ((conversion->flags & SPIRV_PRINTF_ZERO) && !(conversion->flags & SPIRV_PRINTF_LEFT) &&
        conversion->width > 0 && (size_t)conversion->width > length)
        number->zeros += (uint32_t)((size_t)conversion->width - length);
}

/* Returns the sign before a number: "-", or what the flags ask for. */
static const char *sign_of(const struct conversion *conversion, bool negative)
{
    if (negative)
        return "-";
    return conversion->flags & SPIRV_PRINTF_PLUS    ? "+"
           : conversion->flags & SPIRV_PRINTF_SPACE ? " "
                                                    : "";
}

/* Writes the digits of `value` at the end of `buffer`, which has 64 bytes. Returns how many there
 * are; 0 if the value is 0. */
static size_t write_digits(char *buffer, uint64_t value, uint32_t base, const char *digits)
{
    assert(base >= 2 && base <= 16);
    size_t length = 0;
    for (; value; value /= base)
        buffer[64 - ++length] = digits[value % base];
    return length;
}

/* Cuts a value to its lowest bits. */
static uint64_t low_bits(uint64_t value, uint32_t bits)
{
    assert(bits && bits <= 64);
    return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

/* Sign-extends a value of `bits` bits. */
static int64_t extend_sign(uint64_t value, uint32_t bits)
{
    assert(bits && bits <= 64);
    if (bits < 64 && value >> (bits - 1) & 1)
        value |= ~UINT64_C(0) << bits;
    return (int64_t)value;
}

/* Returns how many bits of an integer a conversion prints, by its length modifier. 64-bit values
 * are never cut. */
static uint32_t printed_bits(const struct spirv_printf_piece *piece, const struct value *value)
{
    switch (piece->length) {
    case 'H':
        return 8;
    case 'h':
        return 16;
    case 'l':
        return 64;
    default:
        return value->bits == 64 || piece->specifier == 'p' ? 64 : 32;
    }
}

/* Returns the base in which a conversion writes integers. */
static uint32_t base_of(char specifier)
{
    switch (specifier) {
    case 'x':
    case 'X':
    case 'p':
        return 16;
    case 'o':
        return 8;
    case 'b':
    case 'B':
        return 2;
    default:
        return 10;
    }
}

/* Returns the prefix for a base: with the flag '#', and always for %p. */
static const char *base_prefix(const struct conversion *conversion, uint64_t value)
{
    char specifier = conversion->piece->specifier;
    if (specifier == 'p')
        return "0x";
    if (!(conversion->flags & SPIRV_PRINTF_ALTERNATE) || !value)
        return "";
    return specifier == 'x'   ? "0x"
           : specifier == 'X' ? "0X"
           : specifier == 'b' ? "0b"
           : specifier == 'B' ? "0B"
                              : "";
}

/* Writes an integer as the conversion asks. */
static void add_integer(struct string_builder *text, const struct conversion *conversion,
                        const struct value *value)
{
    const struct spirv_printf_piece *piece = conversion->piece;
    uint32_t bits = printed_bits(piece, value), base = base_of(piece->specifier);
    uint64_t magnitude = low_bits(value->raw, bits);
    struct number number;
    if (piece->specifier == 'd' || piece->specifier == 'i') {
        int64_t number_signed = extend_sign(magnitude, bits);
        magnitude = number_signed < 0 ? 0 - (uint64_t)number_signed : (uint64_t)number_signed;
        number.prefix = sign_of(conversion, number_signed < 0);
    } else {
        number.prefix = base_prefix(conversion, magnitude);
    }
    char buffer[64];
    number.length = write_digits(buffer, magnitude, base,
                                 piece->specifier == 'X' ? "0123456789ABCDEF" : "0123456789abcdef");
    number.digits = buffer + 64 - number.length;
    uint32_t least = conversion->precision < 0 ? 1 : (uint32_t)conversion->precision;
    if (base == 8 && (conversion->flags & SPIRV_PRINTF_ALTERNATE) && least <= number.length)
        least = (uint32_t)number.length + 1;
    number.zeros = least > number.length ? least - (uint32_t)number.length : 0;
    if (conversion->precision < 0)
        fill_with_zeros(conversion, &number);
    add_padded(text, conversion, &number);
}

/* Writes the magnitude of a number with constant formats of C's printf. The decimal point is '.',
 * whatever the program's locale is. Returns the length. */
static size_t write_float(char *buffer, const struct conversion *conversion, double value)
{
    int precision = conversion->precision; /* below 0: no precision was given */
    bool point = conversion->flags & SPIRV_PRINTF_ALTERNATE;
    int length = 0;
    switch (conversion->piece->specifier) {
    case 'F':
        length = snprintf(buffer, FLOAT_MOST, point ? "%#.*F" : "%.*F", precision, value);
        break;
    case 'e':
        length = snprintf(buffer, FLOAT_MOST, point ? "%#.*e" : "%.*e", precision, value);
        break;
    case 'E':
        length = snprintf(buffer, FLOAT_MOST, point ? "%#.*E" : "%.*E", precision, value);
        break;
    case 'g':
        length = snprintf(buffer, FLOAT_MOST, point ? "%#.*g" : "%.*g", precision, value);
        break;
    case 'G':
        length = snprintf(buffer, FLOAT_MOST, point ? "%#.*G" : "%.*G", precision, value);
        break;
    case 'a':
        length = snprintf(buffer, FLOAT_MOST, point ? "%#.*a" : "%.*a", precision, value);
        break;
    case 'A':
        length = snprintf(buffer, FLOAT_MOST, point ? "%#.*A" : "%.*A", precision, value);
        break;
    default:
        length = snprintf(buffer, FLOAT_MOST, point ? "%#.*f" : "%.*f", precision, value);
        break;
    }
    assert(length > 0 && length < FLOAT_MOST);
    size_t kept = 0;
    for (int i = 0; i < length; i++) {
        char c = buffer[i];
        bool part = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                    c == '+' || c == '-';
        if (part)
            buffer[kept++] = c;
        else if (kept == 0 || buffer[kept - 1] != '.')
            buffer[kept++] = '.';
    }
    return kept;
}

/* Writes a number as the conversion asks. */
static void add_float(struct string_builder *text, const struct conversion *conversion,
                      double value)
{
    char buffer[FLOAT_MOST];
    struct number number = {.digits = buffer,
                            .length = write_float(buffer, conversion, fabs(value))};
    char specifier = conversion->piece->specifier, prefix[8];
    bool hexadecimal = isfinite(value) && (specifier == 'a' || specifier == 'A');
    snprintf(prefix, sizeof(prefix), "%s%.*s", sign_of(conversion, signbit(value)),
             hexadecimal ? 2 : 0, buffer);
    if (hexadecimal) { /* zeros come after "0x" */
        number.digits += 2;
        number.length -= 2;
    }
    number.prefix = prefix;
    if (isfinite(value))
        fill_with_zeros(conversion, &number);
    add_padded(text, conversion, &number);
}

/* Returns the floating-point number that a value's bits represent. */
static double float_value(const struct value *value)
{
    if (value->bits == 64) {
        double number;
        memcpy(&number, &value->raw, sizeof(number));
        return number;
    }
    float number;
    uint32_t raw = (uint32_t)value->raw;
    memcpy(&number, &raw, sizeof(number));
    return (double)number;
}

/* Converts a number to an integer of 64 bits. Where a cast in C is undefined, the nearest integer
 * is returned, and 0 for a NaN. */
static uint64_t integer_of_float(double value)
{
    if (isnan(value))
        return 0;
    if (value < 0)
        return value <= -0x1p63 ? (uint64_t)INT64_MIN : (uint64_t)(int64_t)value;
    return value >= 0x1p64 ? UINT64_MAX : (uint64_t)value;
}

/* Adds a code point in UTF-8. An invalid one becomes U+FFFD. 0 adds nothing, as it would end the
 * text. */
static void add_character(struct string_builder *text, const struct conversion *conversion,
                          uint32_t c)
{
    char bytes[4];
    struct number number = {.prefix = "", .digits = bytes};
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        c = 0xfffd;
    if (c >= 0x10000) {
        bytes[number.length++] = (char)(0xf0 | c >> 18);
        bytes[number.length++] = (char)(0x80 | (c >> 12 & 0x3f));
    } else if (c >= 0x800) {
        bytes[number.length++] = (char)(0xe0 | c >> 12);
    }
    if (c >= 0x800)
        bytes[number.length++] = (char)(0x80 | (c >> 6 & 0x3f));
    else if (c >= 0x80)
        bytes[number.length++] = (char)(0xc0 | c >> 6);
    if (c >= 0x80)
        bytes[number.length++] = (char)(0x80 | (c & 0x3f));
    else if (c)
        bytes[number.length++] = (char)c;
    add_padded(text, conversion, &number);
}

/* Adds a string, cut to the precision. */
static void conversion_add_string(struct string_builder *text, const struct conversion *conversion,
                                  const char *string)
{
    struct number number = {.prefix = "", .digits = string, .length = strlen(string)};
    if (conversion->precision >= 0 && number.length > (size_t)conversion->precision)
        number.length = (size_t)conversion->precision;
    add_padded(text, conversion, &number);
}

/* Adds a value with the usual specifier of its type. */
static void add_naturally(struct string_builder *text, const struct conversion *conversion,
                          const struct value *value)
{
    struct spirv_printf_piece piece = *conversion->piece;
    struct conversion natural = *conversion;
    natural.piece = &piece;
    piece.length = '\0';
    piece.specifier = value->kind == SPIRV_PRINTF_INT       ? 'd'
                      : value->kind == SPIRV_PRINTF_FLOAT   ? 'f'
                      : value->kind == SPIRV_PRINTF_POINTER ? 'p'
                                                            : 'u';
    if (value->kind == SPIRV_PRINTF_BOOL)
        conversion_add_string(text, conversion, value->raw ? "true" : "false");
    else if (value->kind == SPIRV_PRINTF_FLOAT)
        add_float(text, &natural, float_value(value));
    else
        add_integer(text, &natural, value);
}

/* Writes a value. If its kind does not match the conversion, it is converted as by a cast in C. */
static void conversion_add_value(struct string_builder *text, const struct conversion *conversion,
                                 const struct value *value)
{
    bool is_float = value->kind == SPIRV_PRINTF_FLOAT;
    struct value integer = *value;
    switch (conversion->piece->specifier) {
    case 'd':
    case 'i':
    case 'u':
        if (is_float) {
            /* C leaves this undefined for a float that an integer cannot hold; here it is
             * bounded. */
            integer.raw = integer_of_float(float_value(value));
            integer.bits = 64;
        }
        add_integer(text, conversion, &integer);
        return;
    case 'c':
        add_character(text, conversion,
                      (uint32_t)(is_float ? integer_of_float(float_value(value)) : value->raw));
        return;
    case 's':
        add_naturally(text, conversion, value);
        return;
    case 'x':
    case 'X':
    case 'o':
    case 'b':
    case 'B':
    case 'p':
        add_integer(text, conversion, value);
        return;
    default:
        if (is_float)
            add_float(text, conversion, float_value(value));
        else if (value->kind == SPIRV_PRINTF_INT)
            add_float(text, conversion, (double)(int64_t)value->raw);
        else
            add_float(text, conversion, (double)value->raw);
        return;
    }
}

/* Reads one component from its words. */
static struct value read_value(const struct spirv_printf_argument *argument, const uint32_t *words,
                               uint32_t component)
{
    struct value value = {.kind = argument->kind, .bits = argument->bits};
    if (argument->bits == 64)
        value.raw = words[2 * component] | (uint64_t)words[2 * component + 1] << 32;
    else if (argument->kind == SPIRV_PRINTF_INT)
        value.raw = (uint64_t)(int64_t)(int32_t)words[component];
    else
        value.raw = words[component];
    return value;
}

/* A position in the words of the arguments. Arguments are used in order, so the position only moves
 * forward. */
struct cursor {
    const struct spirv_printf *printf;
    const uint32_t *words; /* `word_count` of them */
    uint32_t word_count;
    uint32_t argument; /* the argument whose words begin at `word` */
    uint32_t word;
};

/* Returns the words of an argument, which must not come before that of the last call. NULL: the
 * shader did not write them. */
static const uint32_t *cursor_words(struct cursor *cursor, uint32_t argument)
{
    assert(argument >= cursor->argument && argument < cursor->printf->argument_count);
    for (; cursor->argument < argument; cursor->argument++)
        cursor->word += spirv_printf_argument_words(&cursor->printf->arguments[cursor->argument]);
    uint32_t count = spirv_printf_argument_words(&cursor->printf->arguments[argument]);
    if (!count || cursor->word > cursor->word_count || count > cursor->word_count - cursor->word)
        return NULL;
    return cursor->words + cursor->word;
}

/* Reads the argument of a `*`, limited to SPIRV_PRINTF_WIDTH_MOST. */
static int32_t read_star(struct cursor *cursor, uint32_t argument)
{
    const uint32_t *words = cursor_words(cursor, argument);
    if (!words)
        return 0;
    struct value value = read_value(&cursor->printf->arguments[argument], words, 0);
    int64_t number = value.kind == SPIRV_PRINTF_FLOAT
                         ? (int64_t)integer_of_float(float_value(&value))
                         : (int64_t)value.raw;
    if (number > SPIRV_PRINTF_WIDTH_MOST)
        return SPIRV_PRINTF_WIDTH_MOST;
    return number < -SPIRV_PRINTF_WIDTH_MOST ? -SPIRV_PRINTF_WIDTH_MOST : (int32_t)number;
}

/* Returns the conversion of a piece, with the width and precision that arguments give. */
static struct conversion cursor_conversion(struct cursor *cursor,
                                           const struct spirv_printf_piece *piece)
{
    struct conversion conversion = {piece, piece->flags, piece->width, piece->precision};
    if (piece->width_argument != SPIRV_PRINTF_NO_ARGUMENT) {
        conversion.width = read_star(cursor, piece->width_argument);
        /* C17 7.21.6.1: a negative width is a flag '-' and a positive width */
        if (conversion.width < 0) {
            conversion.width = -conversion.width;
            conversion.flags |= SPIRV_PRINTF_LEFT;
        }
    }
    if (piece->precision_argument != SPIRV_PRINTF_NO_ARGUMENT)
        conversion.precision = read_star(cursor, piece->precision_argument);
    return conversion;
}

/* Writes the argument of a conversion; the components of a vector have commas between them. If the
 * argument is missing, the conversion itself is written. */
static void add_conversion(struct cursor *cursor, const struct spirv_printf_piece *piece,
                           struct string_builder *text)
{
    const struct spirv_printf *printf = cursor->printf;
    struct conversion conversion = cursor_conversion(cursor, piece);
    if (!piece->specifier || piece->argument == SPIRV_PRINTF_NO_ARGUMENT) {
        string_builder_add_bytes(text, printf->format + piece->conversion,
                                 piece->conversion_length);
        return;
    }
    const struct spirv_printf_argument *argument = &printf->arguments[piece->argument];
    const uint32_t *words = cursor_words(cursor, piece->argument);
    if (argument->kind == SPIRV_PRINTF_STRING) {
        conversion_add_string(text, &conversion, argument->text);
    } else if (argument->kind == SPIRV_PRINTF_OTHER) {
        string_builder_add(text, "?");
    } else if (!words) {
        string_builder_add(text, "...");
    } else {
        for (uint32_t i = 0; i < argument->components; i++) {
            if (i)
                string_builder_add(text, ", ");
            struct value value = read_value(argument, words, i);
            conversion_add_value(text, &conversion, &value);
        }
    }
}

void spirv_printf_format(const struct spirv_printf *printf, const uint32_t *words,
                         uint32_t word_count, struct string_builder *text)
{
    struct cursor cursor = {.printf = printf, .words = words, .word_count = word_count};
    size_t most = text->length + SPIRV_PRINTF_TEXT_MOST;
    for (uint32_t i = 0; i < printf->piece_count; i++) {
        const struct spirv_printf_piece *piece = &printf->pieces[i];
        if (text->length > most) {
            string_builder_add(text, "...");
            return;
        }
        string_builder_add_bytes(text, printf->format + piece->text, piece->text_length);
        if (piece->conversion_length)
            add_conversion(&cursor, piece, text);
    }
}
