/* Checks the text that debug printf makes. It is the same as C's printf, for whatever that may be
 * given; beyond that it is what the header says. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv/unified1/spirv.h>

#include "gpu/library_glsl450.h"
#include "spirv/abi.h"
#include "spirv/instrument/instrument.h"
#include "spirv/printf/printf.h"

static char made[1u << 16];

/* An argument, and the words that a shader would write of it. */
struct argument {
    struct spirv_printf_argument argument;
    uint32_t words[8];
};
#define A(kind_, bits_, components_, ...)                                             \
    ((struct argument){                                                               \
        {.kind = SPIRV_PRINTF_##kind_, .bits = (bits_), .components = (components_)}, \
        {__VA_ARGS__}})
#define INT(...)      A(INT, 32, 1, (uint32_t)(__VA_ARGS__))
#define UINT(...)     A(UINT, 32, 1, __VA_ARGS__)
#define SHORT(v)      A(INT, 16, 1, (uint32_t)(v))
#define USHORT(v)     A(UINT, 16, 1, (uint32_t)(v))
#define BYTE(v)       A(INT, 8, 1, (uint32_t)(v))
#define BOOL(v)       A(BOOL, 32, 1, (v))
#define IVEC2(x, y)   A(INT, 32, 2, (uint32_t)(x), (uint32_t)(y))
#define UVEC4(...)    A(UINT, 32, 4, __VA_ARGS__)
#define LONG(v)       A(INT, 64, 1, (uint32_t)(uint64_t)(v), (uint32_t)((uint64_t)(v) >> 32))
#define ULONG(v)      A(UINT, 64, 1, (uint32_t)(uint64_t)(v), (uint32_t)((uint64_t)(v) >> 32))
#define POINTER(v)    A(POINTER, 64, 1, (uint32_t)(uint64_t)(v), (uint32_t)((uint64_t)(v) >> 32))
#define FLOAT(v)      A(FLOAT, 32, 1, float_word(v))
#define HALF(v)       A(FLOAT, 16, 1, float_word(v))
#define VEC3(x, y, z) A(FLOAT, 32, 3, float_word(x), float_word(y), float_word(z))
#define DOUBLE(v)     A(FLOAT, 64, 1, (uint32_t)double_bits(v), (uint32_t)(double_bits(v) >> 32))
#define DVEC2(x, y)                                                             \
    A(FLOAT, 64, 2, (uint32_t)double_bits(x), (uint32_t)(double_bits(x) >> 32), \
      (uint32_t)double_bits(y), (uint32_t)(double_bits(y) >> 32))
#define STRING(text_) \
    ((struct argument){{.kind = SPIRV_PRINTF_STRING, .components = 1, .text = (text_)}, {0}})
#define MATRIX() ((struct argument){{.kind = SPIRV_PRINTF_OTHER, .components = 1}, {0}})

static uint32_t float_word(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof(word));
    return word;
}

static uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* The text in `made`. Of the words the last `missing` are not there. */
static void make_short(const char *format, const struct argument *arguments, uint32_t count,
                       uint32_t missing)
{
    struct spirv_printf_argument types[64];
    uint32_t words[256], word_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        types[i] = arguments[i].argument;
        uint32_t length = spirv_printf_argument_words(&types[i]);
        memcpy(&words[word_count], arguments[i].words, length * sizeof(*words));
        word_count += length;
    }
    struct spirv_printf printf;
    assert_true(spirv_printf_parse(&printf, format, types, count));
    assert_int_equal(printf.word_count, word_count);
    struct string_builder text;
    string_builder_begin(&text, made, sizeof(made));
    spirv_printf_format(&printf, words, word_count - missing, &text);
    assert_false(text.owned);
    spirv_printf_free(&printf);
}

static void expect_print(const char *expected, const char *format, const struct argument *arguments,
                         uint32_t count)
{
    make_short(format, arguments, count, 0);
    if (strcmp(made, expected))
        fail_msg("\"%s\" makes \"%s\", not \"%s\"", format, made, expected);
}
#define EXPECT(expected, format, ...)                                          \
    expect_print((expected), (format), (const struct argument[]){__VA_ARGS__}, \
                 sizeof((const struct argument[]){__VA_ARGS__}) / sizeof(struct argument))
#define EXPECT_NONE(expected, format) expect_print((expected), (format), NULL, 0)

static void expect_wrong(const char *sentences, const char *format,
                         const struct argument *arguments, uint32_t count)
{
    struct spirv_printf_argument types[64];
    for (uint32_t i = 0; i < count; i++)
        types[i] = arguments[i].argument;
    struct spirv_printf printf;
    assert_true(spirv_printf_parse(&printf, format, types, count));
    struct string_builder text;
    string_builder_begin(&text, made, sizeof(made));
    uint32_t wrong = spirv_printf_check(&printf, &text);
    if (strcmp(made, sentences))
        fail_msg("\"%s\" is said to be: \"%s\"\nnot \"%s\"", format, made, sentences);
    assert_int_equal(wrong != 0, *sentences != '\0');
    spirv_printf_free(&printf);
}
#define WRONG(sentences, format, ...)                                           \
    expect_wrong((sentences), (format), (const struct argument[]){__VA_ARGS__}, \
                 sizeof((const struct argument[]){__VA_ARGS__}) / sizeof(struct argument))
#define FITS(format, ...) WRONG("", format, __VA_ARGS__)

/* Every combination of flags, width and precision, before `conversion`. */
static void for_all_formats(const char *conversion, void (*check)(const char *format))
{
    static const char *const widths[] = {"", "1", "9", "24"};
    static const char *const precisions[] = {"", ".", ".0", ".1", ".3", ".12"};
    for (unsigned flags = 0; flags < 32; flags++)
        for (size_t width = 0; width < ARRAY_LENGTH(widths); width++)
            for (size_t precision = 0; precision < ARRAY_LENGTH(precisions); precision++) {
                char format[64];
                snprintf(format, sizeof(format), "[%%%s%s%s%s%s%s%s%s]", flags & 1 ? "-" : "",
                         flags & 2 ? "+" : "", flags & 4 ? " " : "", flags & 8 ? "#" : "",
                         flags & 16 ? "0" : "", widths[width], precisions[precision], conversion);
                check(format);
            }
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
static void expect_as_c(const char *format, const struct argument *argument, ...)
{
    char expected[4096];
    va_list args;
    va_start(args, argument);
    vsnprintf(expected, sizeof(expected), format, args);
    va_end(args);
    expect_print(expected, format, argument, 1);
}
#pragma GCC diagnostic pop

static void check_ints(const char *format)
{
    static const int values[] = {0, 1, -1, 7, 12345, -12345, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < ARRAY_LENGTH(values); i++)
        expect_as_c(format, &INT(values[i]), values[i]);
}

static void check_shorts(const char *format)
{
    static const int values[] = {0, 1, -1, 200, -129, 32767, -32768, 70000};
    for (size_t i = 0; i < ARRAY_LENGTH(values); i++)
        expect_as_c(format, &SHORT(values[i]), values[i]);
}

static void check_longs(const char *format)
{
    static const int64_t values[] = {0, 1, -1, 12345678901234, INT64_MAX, INT64_MIN, INT32_MIN};
    for (size_t i = 0; i < ARRAY_LENGTH(values); i++)
        expect_as_c(format, &LONG(values[i]), values[i]);
}

static void check_doubles(const char *format)
{
    static const double values[] = {0.0,
                                    -0.0,
                                    1.0,
                                    -1.5,
                                    0.1,
                                    123456.789,
                                    1e100,
                                    -1e-100,
                                    2.5,
                                    5e-324,
                                    DBL_MAX,
                                    (double)INFINITY,
                                    -(double)INFINITY,
                                    (double)NAN,
                                    99999.5,
                                    0.0001};
    for (size_t i = 0; i < ARRAY_LENGTH(values); i++)
        expect_as_c(format, &DOUBLE(values[i]), values[i]);
}

static void check_floats(const char *format)
{
    static const float values[] = {0.0f, 1.0f, -1.5f, 0.1f, 123456.789f, FLT_MAX, FLT_MIN};
    for (size_t i = 0; i < ARRAY_LENGTH(values); i++) {
        expect_as_c(format, &FLOAT(values[i]), (double)values[i]);
        expect_as_c(format, &HALF(values[i]), (double)values[i]);
    }
}

static void check_strings(const char *format)
{
    static const char *const values[] = {"", "a", "a string of some length"};
    for (size_t i = 0; i < ARRAY_LENGTH(values); i++)
        expect_as_c(format, &STRING(values[i]), values[i]);
}

static void integers_as_c(void **state)
{
    static const char *const of_ints[] = {"d",  "i",   "u",  "x",   "X",  "o",
                                          "hd", "hhd", "hu", "hhx", "hho"};
    for (size_t i = 0; i < ARRAY_LENGTH(of_ints); i++)
        for_all_formats(of_ints[i], check_ints);
    static const char *const of_shorts[] = {"hd", "hi", "hu", "hx", "hX", "ho", "d", "hhd"};
    for (size_t i = 0; i < ARRAY_LENGTH(of_shorts); i++)
        for_all_formats(of_shorts[i], check_shorts);
    static const char *const of_longs[] = {"ld",  "li",  "lu", "lx", "lX", "lo",
                                           "lld", "llx", "jd", "zu", "td"};
    for (size_t i = 0; i < ARRAY_LENGTH(of_longs); i++)
        for_all_formats(of_longs[i], check_longs);
}

static void floats_as_c(void **state)
{
    static const char *const specifiers[] = {"f", "F", "e", "E", "g", "G", "a", "A", "lf", "lg"};
    for (size_t i = 0; i < ARRAY_LENGTH(specifiers); i++) {
        for_all_formats(specifiers[i], check_doubles);
        for_all_formats(specifiers[i], check_floats);
    }
}

static void strings_as_c(void **state)
{
    for_all_formats("s", check_strings);
}

static void other_specifiers(void **state)
{
    EXPECT_NONE("nothing", "nothing");
    EXPECT_NONE("", "");
    EXPECT_NONE("100%, 50%%", "100%%, 50%%%%");
    EXPECT("[101] [0b101] [0B101] [0]", "[%b] [%#b] [%#B] [%b]", UINT(5), UINT(5), UINT(5),
           UINT(0));
    EXPECT("A  |  b|\xc3\xa4|\xe2\x82\xac|\xf0\x9f\x98\x80||\xef\xbf\xbd",
           "%-3c|%3c|%c|%c|%c|%c|%c", UINT('A'), INT('b'), UINT(0xe4), UINT(0x20ac), UINT(0x1f600),
           UINT(0), INT(-1));
    EXPECT("0x0 0x7fff12345678     0x10", "%p %p %8p", POINTER(0), ULONG(0x7fff12345678), UINT(16));
    EXPECT("1 0 1", "%d %u %x", BOOL(1), BOOL(0), BOOL(1));
    EXPECT("2a ffffffffffffffff -1", "%ul %lx %ld", ULONG(42), ULONG(UINT64_MAX), LONG(-1));
    EXPECT("[   42] [42   ] [00042] [42]", "[%*d] [%*d] [%0*d] [%.*d]", INT(5), INT(42), INT(-5),
           INT(42), UINT(5), INT(42), INT(-1), INT(42));
    EXPECT("[ 3.14]", "[%*.*f]", INT(5), INT(2), FLOAT(3.14159f));
}

static void print_vectors(void **state)
{
    EXPECT("1.00, -2.50, 0.00", "%1.2v3f", VEC3(1.0f, -2.5f, 0.0f));
    EXPECT("1, -2", "%v2d", IVEC2(1, -2));
    EXPECT("[    1,    -2]", "[%5v2d]", IVEC2(1, -2));
    EXPECT("0x1, 0x2, 0x3, 0xffffffff", "%#v4x", UVEC4(1, 2, 3, UINT32_MAX));
    EXPECT("4294967296, 2", "%v2lu", A(UINT, 64, 2, 0, 1, 2, 0));
    EXPECT("100000000, 2 and l", "%v2ul and l", A(UINT, 64, 2, 0, 1, 2, 0));
    EXPECT("4294967296, 2", "%lv2u", A(UINT, 64, 2, 0, 1, 2, 0));
    EXPECT("1.5, -2.25", "%v2g", DVEC2(1.5, -2.25));
    EXPECT("1.500000, -2.250000", "%v2lf", DVEC2(1.5, -2.25));
    EXPECT("-1, 2", "%v2hd", A(INT, 16, 2, (uint32_t)-1, 2));
    EXPECT("1, 0", "%v2u", A(BOOL, 32, 2, 1, 0));
    EXPECT("1, 2 then 7", "%v2d then %d", IVEC2(1, 2), INT(7));
}

/* Nothing is lost of an argument that the format is wrong about. */
static void print_misfits(void **state)
{
    EXPECT("1, -2", "%d", IVEC2(1, -2));
    EXPECT("1, -2", "%v4d", IVEC2(1, -2));
    EXPECT("5", "%v3d", INT(5));
    EXPECT("5 5l 5long", "%lu %ul %ulong", UINT(5), UINT(5), UINT(5));
    EXPECT("-1 18446744073709551615", "%ld %lu", INT(-1), INT(-1));
    EXPECT("12345678901234 -5", "%d %i", LONG(12345678901234), LONG(-5));
    EXPECT("12345678901234 b3a73ce2ff2", "%u %x", ULONG(12345678901234), ULONG(12345678901234));
    EXPECT("5.000000 -5.00 4294967295.0", "%f %.2f %.1f", INT(5), INT(-5), UINT(UINT32_MAX));
    EXPECT("2 -2 0 3f800000 3ff0000000000000", "%d %d %u %x %lx", FLOAT(2.75f), FLOAT(-2.75f),
           FLOAT(NAN), FLOAT(1.0f), DOUBLE(1.0));
    EXPECT("9223372036854775808 18446744073709551615 -9223372036854775808", "%u %u %d",
           FLOAT(0x1p63f), FLOAT(INFINITY), FLOAT(-INFINITY));
    EXPECT("5 -5 1.500000 true, false text 0x10", "%s %s %s %v2s %d %s", UINT(5), INT(-5),
           FLOAT(1.5f), A(BOOL, 32, 2, 1, 0), STRING("text"), POINTER(16));
    EXPECT("? 7", "%f %d", MATRIX(), INT(7));
    EXPECT("1 %d %f", "%d %d %f", INT(1));
    EXPECT_NONE("% %- %5 100% sure", "% %- %5 100% sure");
    EXPECT_NONE("%", "%");
    EXPECT_NONE("%v", "%v");
    EXPECT("%y 2 %n 4", "%y %d %n %d", INT(1), INT(2), INT(3), INT(4));
    EXPECT("%v5f 2", "%v5f %d", FLOAT(1.0f), INT(2));
    EXPECT("%. 1", "%. %d", INT(1));
    EXPECT("1", "%d", INT(1), INT(2));
}

/* A record that the shader could not finish. */
static void words_missing(void **state)
{
    const struct argument arguments[] = {INT(1), DOUBLE(2.5), STRING("text"), INT(3)};
    make_short("%d %g %s %d", arguments, 4, 0);
    assert_string_equal(made, "1 2.5 text 3");
    make_short("%d %g %s %d", arguments, 4, 1);
    assert_string_equal(made, "1 2.5 text ...");
    make_short("%d %g %s %d", arguments, 4, 2);
    assert_string_equal(made, "1 ... text ...");
    make_short("%d %g %s %d", arguments, 4, 4);
    assert_string_equal(made, "... ... text ...");
}

static void what_is_wrong(void **state)
{
    FITS("%d %i %u %x %X %o %c %b", INT(1), INT(1), UINT(1), UINT(1), INT(1), UINT(1), UINT(1),
         UINT(1));
    FITS("%f %e %g %a %lf %hhd %hu %p", FLOAT(1), DOUBLE(1), HALF(1), FLOAT(1), FLOAT(1), BYTE(1),
         USHORT(1), POINTER(1));
    FITS("%ld %lu %lx %ul %llu %v2d %v2f %s %d %%", LONG(1), ULONG(1), ULONG(1), ULONG(1), ULONG(1),
         IVEC2(1, 2), DVEC2(1, 2), STRING("a"), BOOL(1));
    FITS("%*.*f", INT(1), UINT(1), FLOAT(1));
    WRONG("\"%lu\" is for 64 bits, but argument 1 is of type uint: \"%u\" fits.", "%lu", UINT(1));
    WRONG("\"%d\" is for 32 bits, but argument 2 is of type int64_t: \"%ld\" fits.", "%d %d",
          INT(1), LONG(1));
    WRONG("\"%hx\" is for 16 bits, but argument 1 is of type uint64_t: \"%lx\" fits.", "%hx",
          ULONG(1));
    WRONG("\"%5.1f\" is for floating-point numbers, but argument 1 is of type int: \"%d\" fits.",
          "%5.1f", INT(1));
    WRONG("\"%u\" is for integers, but argument 1 is of type float: \"%f\" fits.", "%u", FLOAT(1));
    WRONG("\"%f\" is for a scalar, but argument 1 is of type vec3: \"%v3f\" fits.", "%f",
          VEC3(1, 2, 3));
    WRONG("\"%v4g\" is for 4 components, but argument 1 is of type dvec2: \"%v2g\" fits.", "%v4g",
          DVEC2(1, 2));
    WRONG("\"%v2x\" is for 2 components, but argument 1 is of type uvec4: \"%v4x\" fits.", "%v2x",
          UVEC4(1, 2, 3, 4));
    WRONG("\"%v2d\" is for 32 bits, but argument 1 is of type u64vec2: \"%v2ld\" fits.", "%v2d",
          A(UINT, 64, 2, 0));
    WRONG("\"%s\" is for a literal string, but argument 1 is of type i16vec2: \"%v2d\" fits.", "%s",
          A(INT, 16, 2, 0));
    WRONG("\"%f\" is for floating-point numbers, but argument 1 is of type bool: \"%u\" fits.",
          "%f", BOOL(1));
    WRONG("\"%f\" is for floating-point numbers, but argument 1 is of type address: \"%p\" fits.",
          "%f", POINTER(1));
    WRONG("\"%d\" is for integers, but argument 1 is of type f16vec2: \"%v2f\" fits.", "%d",
          A(FLOAT, 16, 2, 0));
    WRONG("\"%d\" is for numbers, but argument 1 is a string: \"%s\" fits.", "%d", STRING("a"));
    WRONG("\"%v4f\" has argument 1, which is neither scalar nor vector and is printed as \"?\".",
          "%v4f", MATRIX());
    WRONG("\"%y\" is not a conversion and is printed as it stands. \"%f\" has no argument: the "
          "call has 2.",
          "%y %d %f", INT(1), INT(2));
    WRONG("\"%\" is not a conversion and is printed as it stands.", "%d 100%", INT(1));
    WRONG("The call has 3 arguments, and the format prints 1.", "%d", INT(1), INT(2), INT(3));
    WRONG("\"%99999d\" asks for more than 1024 characters: it gets so many.", "%99999d", INT(1));
    WRONG("\"%*d\" takes a \"*\" from argument 1, which is not an int.", "%*d", FLOAT(1), INT(1));
    WRONG("\"%*d\" has no argument: the call has 1.", "%*d", INT(1));
}

/* Nothing is made of them but text. */
static void hostile_formats(void **state)
{
    EXPECT("%n%n%n%n", "%n%n%n%n", INT(1), INT(2), INT(3), INT(4));
    make_short("%999999999999d", &INT(5), 1, 0);
    assert_int_equal(strlen(made), SPIRV_PRINTF_WIDTH_MOST);
    make_short("%.999999999999f", &DOUBLE(DBL_MAX), 1, 0);
    assert_int_equal(strlen(made), 309 + 1 + SPIRV_PRINTF_WIDTH_MOST);
    make_short("%.2000000000a|%.1024e",
               (const struct argument[]){DOUBLE(-DBL_MAX), DOUBLE(-DBL_MIN)}, 2, 0);
    make_short("%-*.*d", (const struct argument[]){INT(INT32_MAX), INT(INT32_MIN), INT(5)}, 3, 0);
    assert_int_equal(strlen(made), SPIRV_PRINTF_WIDTH_MOST);
    make_short("%*d", (const struct argument[]){INT(INT32_MIN), INT(5)}, 2, 0);
    assert_int_equal(strlen(made), SPIRV_PRINTF_WIDTH_MOST);
    EXPECT("%1$d 2", "%1$d %d", INT(2));
    EXPECT("%hhhd 1", "%hhhd %d", INT(0), INT(1));
    EXPECT("%v2v2d 1", "%v2v2d %d", IVEC2(1, 2), INT(1));
}

static void random_formats(void **state)
{
    static const char alphabet[] = "%%%%%%%dfuxsgapcvlhlz23450.+-# *Lyn";
    srand(7);
    for (int round = 0; round < 20000; round++) {
        char format[40];
        size_t length = (size_t)rand() % (sizeof(format) - 1);
        for (size_t i = 0; i < length; i++)
            format[i] = alphabet[(size_t)rand() % (sizeof(alphabet) - 1)];
        format[length] = '\0';
        const struct argument all[] = {INT(rand()),
                                       DOUBLE(rand()),
                                       IVEC2(rand(), rand()),
                                       STRING("s"),
                                       MATRIX(),
                                       FLOAT(1e30f),
                                       ULONG((uint64_t)rand() * (uint64_t)rand()),
                                       BOOL(1),
                                       POINTER(rand())};
        struct argument arguments[6];
        uint32_t count = (uint32_t)rand() % 7;
        for (uint32_t i = 0; i < count; i++)
            arguments[i] = all[(size_t)rand() % ARRAY_LENGTH(all)];
        make_short(format, arguments, count, 0);
        if (!strchr(format, '%'))
            assert_string_equal(made, format);
    }
}

/* A record of many strings does not fill the memory. */
static void text_has_an_end(void **state)
{
    static char long_string[300000], format[2000];
    memset(long_string, 'x', sizeof(long_string) - 1);
    struct spirv_printf_argument arguments[500];
    for (size_t i = 0; i < ARRAY_LENGTH(arguments); i++) {
        arguments[i] = (struct spirv_printf_argument){
            .kind = SPIRV_PRINTF_STRING, .components = 1, .text = long_string};
        memcpy(format + 2 * i, "%s", 3);
    }
    struct spirv_printf printf;
    assert_true(spirv_printf_parse(&printf, format, arguments, ARRAY_LENGTH(arguments)));
    char buffer[64];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    spirv_printf_format(&printf, NULL, 0, &text);
    assert_true(text.length < SPIRV_PRINTF_TEXT_MOST + sizeof(long_string) + 8);
    assert_string_equal(text.text + text.length - 3, "...");
    string_builder_end(&text);
    spirv_printf_free(&printf);
}

/* Stands for snprintf in the layer (meson.build): what it is in a program whose language writes
 * another point. */
static const char *point;
int __wrap_snprintf(char *buffer, size_t size, const char *format, ...) PRINTF_LIKE(3, 4);
int __wrap_snprintf(char *buffer, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(buffer, size, format, args);
    va_end(args);
    char *dot = point ? strchr(buffer, '.') : NULL;
    if (!dot)
        return length;
    memmove(dot + strlen(point), dot + 1, strlen(dot + 1) + 1);
    memcpy(dot, point, strlen(point));
    return length + (int)strlen(point) - 1;
}

/* The point is one in every language. */
static void locale_is_not_asked(void **state)
{
    static const char *const points[] = {",", "\xd9\xab"};
    for (size_t i = 0; i < ARRAY_LENGTH(points); i++) {
        point = points[i];
        EXPECT("1.500000 1.e+00 -inf 0x1.8p+0", "%f %#.0e %f %a", FLOAT(1.5f), FLOAT(1.0f),
               FLOAT(-INFINITY), FLOAT(1.5f));
    }
    point = NULL;
}

static uint32_t words[1u << 16];

static size_t read_module(struct spirv_module *module)
{
    static const char *const files[] = {SPIRV_FILES};
    size_t which = 0;
    while (which < ARRAY_LENGTH(files) && !strstr(files[which], "printf.frag"))
        which++;
    assert_true(which < ARRAY_LENGTH(files));
    FILE *file = fopen(files[which], "rb");
    assert_non_null(file);
    size_t count = fread(words, sizeof(words[0]), ARRAY_LENGTH(words), file);
    fclose(file);
    struct spirv_error error;
    assert_true(spirv_module_parse(module, words, count, &error));
    return count;
}

static void expect_argument(const struct spirv_printf_call *call, uint32_t index,
                            enum spirv_printf_kind kind, uint32_t bits, uint32_t components)
{
    assert_true(index < call->argument_count);
    assert_int_equal(call->arguments[index].kind, kind);
    assert_int_equal(call->arguments[index].components, components);
    if (kind < SPIRV_PRINTF_STRING)
        assert_int_equal(call->arguments[index].bits, bits);
}

static void calls_of_a_module(void **state)
{
    struct spirv_module module;
    struct spirv_printf_calls calls;
    read_module(&module);
    assert_true(spirv_printf_find(&module, &calls));
    assert_int_equal(calls.count, 6);
    const struct spirv_printf_call *call = calls.calls;
    assert_string_equal(call[0].format, "%d %v3d %f %1.2v4f %%");
    assert_int_equal(module.instructions[call[0].instruction].opcode, SpvOpExtInst);
    assert_int_equal(spirv_definition(&module, call[0].format_id)->opcode, SpvOpString);
    assert_int_equal(call[0].argument_count, 4);
    assert_int_equal(call[0].word_count, 1 + 3 + 1 + 4);
    expect_argument(&call[0], 0, SPIRV_PRINTF_INT, 32, 1);
    expect_argument(&call[0], 1, SPIRV_PRINTF_INT, 32, 3);
    expect_argument(&call[0], 3, SPIRV_PRINTF_FLOAT, 32, 4);
    expect_argument(&call[1], 0, SPIRV_PRINTF_INT, 64, 1);
    expect_argument(&call[1], 1, SPIRV_PRINTF_UINT, 64, 1);
    expect_argument(&call[1], 2, SPIRV_PRINTF_FLOAT, 64, 1);
    expect_argument(&call[1], 3, SPIRV_PRINTF_FLOAT, 64, 2);
    assert_int_equal(call[1].word_count, 2 + 2 + 2 + 4);
    expect_argument(&call[2], 0, SPIRV_PRINTF_INT, 16, 1);
    expect_argument(&call[2], 1, SPIRV_PRINTF_UINT, 8, 1);
    expect_argument(&call[2], 2, SPIRV_PRINTF_INT, 8, 3);
    expect_argument(&call[2], 3, SPIRV_PRINTF_UINT, 16, 4);
    expect_argument(&call[2], 4, SPIRV_PRINTF_FLOAT, 16, 1);
    expect_argument(&call[2], 5, SPIRV_PRINTF_FLOAT, 16, 2);
    expect_argument(&call[3], 0, SPIRV_PRINTF_BOOL, 32, 1);
    expect_argument(&call[3], 1, SPIRV_PRINTF_BOOL, 32, 2);
    expect_argument(&call[3], 2, SPIRV_PRINTF_STRING, 0, 1);
    assert_string_equal(call[3].arguments[2].text, "a string");
    expect_argument(&call[3], 3, SPIRV_PRINTF_POINTER, 64, 1);
    assert_int_equal(call[4].argument_count, 0);
    assert_string_equal(call[4].format, "nothing");
    expect_argument(&call[5], 0, SPIRV_PRINTF_OTHER, 0, 1);
    /* what glslang makes of formats that fit is not found fault with */
    for (uint32_t i = 0; i < 5; i++) {
        struct spirv_printf printf;
        struct string_builder text;
        assert_true(spirv_printf_parse_call(&printf, &module, call[i].instruction));
        assert_string_equal(printf.format, call[i].format);
        assert_int_equal(printf.word_count, call[i].word_count);
        assert_int_equal(printf.argument_count, call[i].argument_count);
        string_builder_begin(&text, made, sizeof(made));
        assert_int_equal(spirv_printf_check(&printf, &text), 0);
        spirv_printf_free(&printf);
    }
    struct spirv_printf none;
    assert_false(spirv_printf_parse_call(&none, &module, call[0].instruction - 1));
    assert_false(spirv_printf_parse_call(&none, &module, module.instruction_count));
    assert_false(spirv_printf_parse_call(&none, &module, UINT32_MAX));
    spirv_printf_calls_free(&calls);
    spirv_module_free(&module);
}

/* The value of a constant of 32 bits. */
static uint32_t constant_of(const struct spirv_module *module, uint32_t id)
{
    const struct spirv_instruction *definition = spirv_definition(module, id);
    assert_non_null(definition);
    assert_int_equal(definition->opcode, SpvOpConstant);
    return spirv_words(module, definition)[3];
}

/* Each call becomes a record of its size with its place and format, and nothing is left to print
 * for layers below. */
static void calls_become_records(void **state)
{
    struct spirv_module module, library, instrumented;
    struct spirv_error error;
    struct spirv_printf_calls calls, left;
    read_module(&module);
    assert_true(spirv_module_parse(&library, gpu_library_glsl450, ARRAY_LENGTH(gpu_library_glsl450),
                                   &error));
    const struct spirv_instrument_info info = {.entry = "main",
                                               .model = SpvExecutionModelFragment,
                                               .checks = SPIRV_CHECK_PRINTF,
                                               .push_offset = 248,
                                               .library = &library};
    struct spirv_instrumented result;
    assert_true(spirv_instrument(&module, &info, &result));
    assert_true(spirv_printf_find(&module, &calls));
    assert_int_equal(result.checks, calls.count);
    assert_true(spirv_module_parse(&instrumented, result.words, result.word_count, &error));
    assert_true(spirv_printf_find(&instrumented, &left));
    assert_int_equal(left.count, 0);
    uint32_t found = 0, groups = 0;
    for (uint32_t i = 0; i < instrumented.instruction_count && found < calls.count; i++) {
        const struct spirv_instruction *instruction = &instrumented.instructions[i];
        const uint32_t *call = spirv_words(&instrumented, instruction);
        groups += instruction->opcode == SpvOpCompositeConstruct;
        if (instruction->opcode != SpvOpFunctionCall)
            continue;
        uint32_t expected = (calls.calls[found].word_count + 3) / 4;
        if (spirv_definition(&instrumented, call[1])->opcode == SpvOpTypeVector) { /* begin */
            assert_int_equal(constant_of(&instrumented, call[4]), calls.calls[found].instruction);
            assert_int_equal(constant_of(&instrumented, call[5]), calls.calls[found].format_id);
            uint32_t size = RECORD_ERROR_WORDS + 1 + 4 * expected;
            assert_int_equal(constant_of(&instrumented, call[6]), size);
            groups = 0;
        } else if (instruction->length == 6) { /* end, in place of the instruction */
            assert_int_equal(call[2],
                             spirv_words(&module,
                                         &module.instructions[calls.calls[found].instruction])[2]);
            assert_int_equal(groups, expected);
            found++;
        }
    }
    assert_int_equal(found, calls.count);
    spirv_printf_calls_free(&calls);
    spirv_module_free(&instrumented);
    mem_free(result.words);
    mem_free(result.sites);
    /* A module that does not ask for it gets nothing. */
    struct spirv_instrument_info others = info;
    others.checks = UINT32_MAX & ~(uint32_t)(SPIRV_CHECK_PRINTF | SPIRV_CHECK_NAN);
    assert_false(spirv_instrument(&module, &others, &result));
    spirv_module_free(&library);
    spirv_module_free(&module);
}

static void damaged_modules(void **state)
{
    static uint32_t copy[ARRAY_LENGTH(words)];
    struct spirv_module module;
    struct spirv_error error;
    size_t count = read_module(&module);
    spirv_module_free(&module);
    srand(11);
    uint32_t parsed = 0;
    for (int round = 0; round < 3000; round++) {
        memcpy(copy, words, count * sizeof(*copy));
        for (int hits = rand() % 6 + 1; hits; hits--)
            copy[5 + (size_t)rand() % (count - 5)] =
                rand() % 3 == 0 ? (uint32_t)rand() * 2u + 1u : (uint32_t)rand() % 150;
        if (!spirv_module_parse(&module, copy, count, &error))
            continue;
        parsed++;
        struct spirv_printf_calls calls;
        assert_true(spirv_printf_find(&module, &calls));
        for (uint32_t i = 0; i < calls.count; i++) {
            struct spirv_printf printf;
            const struct spirv_printf_call *call = &calls.calls[i];
            assert_true(spirv_printf_parse(&printf, call->format, call->arguments,
                                           call->argument_count));
            struct string_builder text;
            string_builder_begin(&text, made, sizeof(made));
            spirv_printf_format(&printf, copy, printf.word_count < 100 ? printf.word_count : 100,
                                &text);
            (void)spirv_printf_check(&printf, &text);
            string_builder_end(&text);
            spirv_printf_free(&printf);
        }
        spirv_printf_calls_free(&calls);
        spirv_module_free(&module);
    }
    assert_true(parsed > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_as_c),     cmocka_unit_test(floats_as_c),
        cmocka_unit_test(strings_as_c),      cmocka_unit_test(other_specifiers),
        cmocka_unit_test(print_vectors),     cmocka_unit_test(print_misfits),
        cmocka_unit_test(words_missing),     cmocka_unit_test(what_is_wrong),
        cmocka_unit_test(hostile_formats),   cmocka_unit_test(random_formats),
        cmocka_unit_test(text_has_an_end),   cmocka_unit_test(locale_is_not_asked),
        cmocka_unit_test(calls_of_a_module), cmocka_unit_test(calls_become_records),
        cmocka_unit_test(damaged_modules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
