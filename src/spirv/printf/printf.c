/* Parses a format of debug printf into pieces. */
#include "spirv/printf/printf.h"

#include <string.h>

/* The state of the parser. The format is parsed twice: first to count the pieces, then to fill them
 * in. */
struct reader {
    struct spirv_printf *printf;
    const char *format, *at;
    struct spirv_printf_piece *pieces; /* NULL: pieces are only counted */
    uint32_t piece_count;
    uint32_t arguments_used;
};

/* True for a decimal digit. isdigit() is not used, as it depends on the locale. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* True for a letter of ASCII. isalpha() is not used, as it depends on the locale. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Takes the next argument and returns its index; SPIRV_PRINTF_NO_ARGUMENT: there are no more. */
static uint32_t take_argument(struct reader *reader)
{
    uint32_t index = reader->arguments_used;
    if (index >= reader->printf->argument_count)
        return SPIRV_PRINTF_NO_ARGUMENT;
    reader->arguments_used++;
    return index;
}

/* Reads the flags of a conversion, in any order. */
static void read_flags(struct reader *reader, struct spirv_printf_piece *piece)
{
    static const char flags[] = "-+ #0"; /* the flags in the order of enum spirv_printf_flags */
    const char *flag;
    while (*reader->at && (flag = strchr(flags, *reader->at))) {
        piece->flags |= (uint8_t)(1u << (flag - flags));
        reader->at++;
    }
}

/* Reads a decimal number; returns 0 if there is no digit. */
static int32_t reader_number(struct reader *reader, struct spirv_printf_piece *piece)
{
    int32_t value = 0;
    for (; is_digit(*reader->at); reader->at++) {
        value = value * 10 + (*reader->at - '0');
        if (value > SPIRV_PRINTF_WIDTH_MOST) {
            value = SPIRV_PRINTF_WIDTH_MOST;
            piece->flags |= SPIRV_PRINTF_TOO_WIDE;
        }
    }
    return value;
}

/* Reads the width and precision of a conversion. A '*' in place of either takes an argument. */
static void read_width(struct reader *reader, struct spirv_printf_piece *piece)
{
    if (*reader->at == '*') {
        reader->at++;
        piece->width_argument = take_argument(reader);
    } else if (is_digit(*reader->at)) {
        piece->width = reader_number(reader, piece);
    }
    if (*reader->at != '.')
        return;
    reader->at++;
    if (*reader->at == '*') {
        reader->at++;
        piece->precision_argument = take_argument(reader);
    } else {
        piece->precision = reader_number(reader, piece);
    }
}

/* Reads the number of a vector's components after a 'v'. Returns false if it is not 2, 3 or 4. */
static bool read_vector(struct reader *reader, struct spirv_printf_piece *piece)
{
    if (*reader->at != 'v' || piece->vector)
        return true;
    reader->at++;
    int32_t width = reader_number(reader, piece);
    piece->vector = (uint8_t)(width < 2 || width > 4 ? 0 : width);
    return piece->vector != 0;
}

/* Reads the length modifier; hh becomes 'H', and both l and ll become 'l'. */
static void read_length(struct reader *reader, struct spirv_printf_piece *piece)
{
    char c = *reader->at;
    if (!c || !strchr("hlLqjzt", c) || piece->length)
        return;
    reader->at++;
    piece->length = c == 'h' ? 'h' : 'l';
    if (*reader->at == c && (c == 'h' || c == 'l')) {
        reader->at++;
        piece->length = c == 'h' ? 'H' : 'l';
    }
}

/* Reads `%ul`, an extension of the Khronos layer, as %lx. */
static void read_late_length(struct reader *reader, struct spirv_printf_piece *piece)
{
    if (piece->specifier != 'u' || piece->length || *reader->at != 'l' ||
        piece->argument == SPIRV_PRINTF_NO_ARGUMENT ||
        reader->printf->arguments[piece->argument].bits != 64)
        return;
    piece->specifier = 'x';
    piece->length = 'l';
    reader->at++;
}

/* Reads a conversion after its '%'. An unknown one that ends with a letter takes an argument as
 * well. */
static void reader_conversion(struct reader *reader, struct spirv_printf_piece *piece)
{
    read_flags(reader, piece);
    read_width(reader, piece);
    bool known = read_vector(reader, piece);
    read_length(reader, piece);
    known = known && read_vector(reader, piece);
    char c = *reader->at;
    known = known && c && strchr("diuxXobBfFeEgGaAcsp", c);
    if (!is_letter(c))
        return;
    reader->at++;
    piece->argument = take_argument(reader);
    if (!known)
        return;
    piece->specifier = c;
    read_late_length(reader, piece);
}

/* Reads one piece: text up to and including a "%%", or text and the conversion after it. */
static void read_piece(struct reader *reader)
{
    struct spirv_printf_piece piece = {
        .text = (uint32_t)(reader->at - reader->format),
        .width = -1,
        .precision = -1,
        .width_argument = SPIRV_PRINTF_NO_ARGUMENT,
        .precision_argument = SPIRV_PRINTF_NO_ARGUMENT,
        .argument = SPIRV_PRINTF_NO_ARGUMENT,
    };
    size_t length = strcspn(reader->at, "%");
    reader->at += length;
    if (reader->at[0] == '%' && reader->at[1] == '%') {
        length++;
        reader->at += 2;
    } else if (reader->at[0] == '%') {
        piece.conversion = (uint32_t)(reader->at - reader->format);
        reader->at++;
        reader_conversion(reader, &piece);
        piece.conversion_length = (uint32_t)(reader->at - reader->format) - piece.conversion;
    }
    piece.text_length = (uint32_t)length;
    if (reader->pieces)
        reader->pieces[reader->piece_count] = piece;
    reader->piece_count++;
}

/* Reads the whole format, and keeps the pieces if `printf->pieces` is not NULL. Returns how many
 * there are. */
static uint32_t read_pieces(struct spirv_printf *printf)
{
    struct reader reader = {
        .printf = printf, .format = printf->format, .at = printf->format, .pieces = printf->pieces};
    while (*reader.at)
        read_piece(&reader);
    printf->arguments_used = reader.arguments_used;
    return reader.piece_count;
}

/* Copies the descriptions of the arguments, which `printf` owns then. Returns false if memory is
 * out. */
static bool copy_arguments(struct spirv_printf *printf,
                           const struct spirv_printf_argument *arguments, uint32_t count)
{
    if (!count)
        return true;
    printf->arguments = mem_alloc(count * sizeof(*arguments));
    if (!printf->arguments)
        return false;
    memcpy(printf->arguments, arguments, count * sizeof(*arguments));
    printf->argument_count = count;
    for (uint32_t i = 0; i < count; i++)
        printf->word_count += spirv_printf_argument_words(&arguments[i]);
    return true;
}

bool spirv_printf_parse(struct spirv_printf *printf, const char *format,
                        const struct spirv_printf_argument *arguments, uint32_t argument_count)
{
    *printf = (struct spirv_printf){.format = format};
    if (!copy_arguments(printf, arguments, argument_count))
        goto fail;
    uint32_t count = read_pieces(printf);
    printf->pieces = mem_alloc_zeroed((count + 1) * sizeof(*printf->pieces));
    if (!printf->pieces)
        goto fail;
    printf->piece_count = read_pieces(printf);
    return true;

fail:
    spirv_printf_free(printf);
    return false;
}

void spirv_printf_free(struct spirv_printf *printf)
{
    mem_free(printf->arguments);
    mem_free(printf->pieces);
    *printf = (struct spirv_printf){0};
}
