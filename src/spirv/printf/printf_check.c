/* Finds mistakes in a format of debug printf, and describes them for the author of the shader. */
#include "spirv/printf/printf.h"

#include <string.h>

/* Bytes of a type's name, with its final 0. */
#define TYPE_MOST 16

/* True for conversions of floating-point numbers. */
static bool prints_floats(char specifier)
{
    return strchr("fFeEgGaA", specifier) != NULL;
}

/* Writes an argument's type by its name in GLSL: "uint", "f16vec3". */
static void write_type(char type[TYPE_MOST], const struct spirv_printf_argument *argument)
{
    struct string_builder text;
    string_builder_begin(&text, type, TYPE_MOST);
    uint32_t bits = argument->bits;
    bool vector = argument->components > 1;
    switch (argument->kind) {
    case SPIRV_PRINTF_BOOL:
        string_builder_add(&text, vector ? "bvec" : "bool");
        break;
    case SPIRV_PRINTF_POINTER:
        string_builder_add(&text, "address");
        break;
    case SPIRV_PRINTF_FLOAT:
        if (vector)
            string_builder_add(&text, bits == 16 ? "f16vec" : bits == 64 ? "dvec" : "vec");
        else
            string_builder_add(&text, bits == 16 ? "float16_t" : bits == 64 ? "double" : "float");
        break;
    default: {
        const char *sign = argument->kind == SPIRV_PRINTF_UINT ? "u" : "";
        if (bits == 32 && !vector)
            string_builder_format(&text, "%sint", sign);
        else if (!vector)
            string_builder_format(&text, "%sint%u_t", sign, bits);
        else if (bits == 32)
            string_builder_format(&text, "%svec", *sign ? sign : "i");
        else
            string_builder_format(&text, "%s%uvec", *sign ? sign : "i", bits);
        break;
    }
    }
    if (vector)
        string_builder_format(&text, "%u", argument->components);
    /* The longest name fits into TYPE_MOST, so nothing was allocated. */
    assert(!text.owned);
}

/* Returns a specifier that fits the argument: the format's own, if that fits. */
static char fitting_specifier(const struct spirv_printf_argument *argument, char specifier)
{
    if (argument->kind == SPIRV_PRINTF_FLOAT)
        return prints_floats(specifier) ? specifier : 'f';
    if (strchr("diuxXobB", specifier))
        return specifier;
    return argument->kind == SPIRV_PRINTF_INT       ? 'd'
           : argument->kind == SPIRV_PRINTF_POINTER ? 'p'
                                                    : 'u';
}

/* Writes the conversion that would fit the argument. */
static void add_fitting(struct string_builder *text, const struct spirv_printf_argument *argument,
                        char specifier)
{
    char fitting = fitting_specifier(argument, specifier);
    string_builder_add(text, ": \"%");
    if (argument->components > 1)
        string_builder_format(text, "v%u", argument->components);
    if (argument->bits == 64 && !prints_floats(fitting) && fitting != 'p')
        string_builder_add(text, "l");
    string_builder_format(text, "%c\" fits", fitting);
}

/* Writes what kind of argument the conversion needs, if the argument is of another kind. Returns
 * false if it fits. */
static bool add_misfit(struct string_builder *text, const struct spirv_printf_piece *piece,
                       const struct spirv_printf_argument *argument)
{
    char specifier = piece->specifier;
    uint32_t components = piece->vector ? piece->vector : 1;
    bool is_float = argument->kind == SPIRV_PRINTF_FLOAT;
    if (specifier == 's')
        string_builder_add(text, "a literal string");
    else if (prints_floats(specifier) && !is_float)
        string_builder_add(text, "floating-point numbers");
    else if (!prints_floats(specifier) && is_float)
        string_builder_add(text, "integers");
    else if (components != argument->components && components == 1)
        string_builder_add(text, "a scalar");
    else if (components != argument->components)
        string_builder_format(text, "%u components", components);
    else if (is_float || specifier == 'p' || specifier == 'c')
        return false;
    else if (piece->length == 'l' && argument->bits != 64)
        string_builder_add(text, "64 bits");
    else if (piece->length != 'l' && argument->bits == 64)
        string_builder_format(text, "%u bits",
                              piece->length == 'H'   ? 8u
                              : piece->length == 'h' ? 16u
                                                     : 32u);
    else
        return false;
    return true;
}

/* Writes the conversion in quotation marks, as it stands in the format. */
static void add_quoted(struct string_builder *text, const struct spirv_printf *printf,
                       const struct spirv_printf_piece *piece)
{
    string_builder_add(text, text->length ? " \"" : "\"");
    string_builder_add_bytes(text, printf->format + piece->conversion, piece->conversion_length);
    string_builder_add(text, "\" ");
}

/* Writes a mismatch between a conversion and its argument. Returns false if there is none. */
static bool check_argument(const struct spirv_printf *printf,
                           const struct spirv_printf_piece *piece, struct string_builder *text)
{
    const struct spirv_printf_argument *argument = &printf->arguments[piece->argument];
    if (argument->kind == SPIRV_PRINTF_OTHER) {
        add_quoted(text, printf, piece);
        string_builder_format(text,
                              "has argument %u, which is neither scalar nor vector and is printed "
                              "as \"?\".",
                              piece->argument + 1);
        return true;
    }
    if (argument->kind == SPIRV_PRINTF_STRING) {
        if (piece->specifier == 's' && !piece->vector)
            return false;
        add_quoted(text, printf, piece);
        string_builder_format(text, "is for numbers, but argument %u is a string: \"%%s\" fits.",
                              piece->argument + 1);
        return true;
    }
    char buffer[64], type[TYPE_MOST];
    struct string_builder misfit;
    string_builder_begin(&misfit, buffer, sizeof(buffer));
    /* The mismatch is written to another buffer, as the sentence begins with the conversion only if
     * there is one. */
    bool wrong = add_misfit(&misfit, piece, argument);
    if (wrong) {
        write_type(type, argument);
        add_quoted(text, printf, piece);
        string_builder_format(text, "is for %s, but argument %u is of type %s", misfit.text,
                              piece->argument + 1, type);
        add_fitting(text, argument, piece->specifier);
        string_builder_add(text, ".");
    }
    string_builder_end(&misfit);
    return wrong;
}

/* Returns how many '*' the conversion has. Each of them takes an argument. */
static uint32_t stars_of(const struct spirv_printf *printf, const struct spirv_printf_piece *piece)
{
    uint32_t stars = 0;
    for (uint32_t i = 0; i < piece->conversion_length; i++)
        stars += printf->format[piece->conversion + i] == '*';
    return stars;
}

/* Writes a mistake in an argument for width or precision, which must be an int as in C. Returns
 * false if there is none. */
static bool check_star(const struct spirv_printf *printf, const struct spirv_printf_piece *piece,
                       uint32_t index, struct string_builder *text)
{
    if (index == SPIRV_PRINTF_NO_ARGUMENT)
        return false;
    const struct spirv_printf_argument *argument = &printf->arguments[index];
    if ((argument->kind == SPIRV_PRINTF_INT || argument->kind == SPIRV_PRINTF_UINT) &&
        argument->components == 1 && argument->bits != 64)
        return false;
    add_quoted(text, printf, piece);
    string_builder_format(text, "takes a \"*\" from argument %u, which is not an int.", index + 1);
    return true;
}

/* Writes the mistakes in a conversion. Returns how many there are. */
static uint32_t check_piece(const struct spirv_printf *printf,
                            const struct spirv_printf_piece *piece, struct string_builder *text)
{
    uint32_t wrong = 0;
    if (!piece->specifier) {
        add_quoted(text, printf, piece);
        string_builder_add(text, "is not a conversion and is printed as it stands.");
        return 1;
    }
    if (piece->flags & SPIRV_PRINTF_TOO_WIDE) {
        add_quoted(text, printf, piece);
        string_builder_format(text, "asks for more than %u characters: it gets so many.",
                              SPIRV_PRINTF_WIDTH_MOST);
        wrong++;
    }
    uint32_t given = (piece->width_argument != SPIRV_PRINTF_NO_ARGUMENT) +
                     (piece->precision_argument != SPIRV_PRINTF_NO_ARGUMENT) +
                     (piece->argument != SPIRV_PRINTF_NO_ARGUMENT);
    if (given < stars_of(printf, piece) + 1) {
        add_quoted(text, printf, piece);
        string_builder_format(text, "has no argument: the call has %u.", printf->argument_count);
        return wrong + 1;
    }
    wrong += check_star(printf, piece, piece->width_argument, text);
    wrong += check_star(printf, piece, piece->precision_argument, text);
    return wrong + check_argument(printf, piece, text);
}

uint32_t spirv_printf_check(const struct spirv_printf *printf, struct string_builder *text)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < printf->piece_count; i++)
        if (printf->pieces[i].conversion_length)
            wrong += check_piece(printf, &printf->pieces[i], text);
    if (printf->arguments_used < printf->argument_count) {
        string_builder_format(text, "%sThe call has %u arguments, and the format prints %u.",
                              text->length ? " " : "", printf->argument_count,
                              printf->arguments_used);
        wrong++;
    }
    return wrong;
}
