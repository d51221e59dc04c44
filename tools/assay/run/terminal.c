/* Finds the width of the terminal, and writes only characters that it can show. */
#include "assay/run/terminal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/utf8.h"

#define WIDTH_LEAST   40
#define WIDTH_DEFAULT 80

static int width;

void terminal_begin(FILE *file)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    int own = fileno(file);
    width = 0;
    if (!isatty(own))
        return;
    width = columns ? (int)strtol(columns, NULL, 10) : 0;
    if (width <= 0)
        width = ioctl(own, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : WIDTH_DEFAULT;
    if (width < WIDTH_LEAST)
        width = WIDTH_LEAST;
}

int terminal_width(void)
{
    return width;
}

int terminal_columns(const char *text, int length)
{
    int columns = 0;
    for (int i = 0; i < length; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

/* --- characters --- */

/* True if the locale is not one of UTF-8. The variables are read as by setlocale(), but the locale
 * need not be installed, as the terminal shows UTF-8 anyway. */
static bool is_ascii(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
        const char *value = getenv(variables[i]);
        if (value && *value)
            return !strcasestr(value, "utf-8") && !strcasestr(value, "utf8");
    }
    return true;
}

struct filter {
    FILE *to;
    bool ascii, escapes;
    char begun[8]; /* the first bytes of an incomplete character; terminated */
    unsigned begun_count;
};

/* Writes a replacement in ASCII for a character that the terminal cannot show. */
static void put_ascii(FILE *to, uint32_t character)
{
    static const struct {
        uint32_t character;
        const char *text;
    } texts[] = {
        {0x00a0, " "},     {0x00b1, "+-"}, {0x00b2, "^2"},     {0x00b5, "u"},  {0x00b7, "*"},
        {0x00d7, "x"},     {0x00f7, "/"},  {0x2010, "-"},      {0x2011, "-"},  {0x2012, "-"},
        {0x2013, "-"},     {0x2014, "--"}, {0x2018, "'"},      {0x2019, "'"},  {0x201c, "\""},
        {0x201d, "\""},    {0x2022, "*"},  {0x2026, "..."},    {0x2032, "'"},  {0x2190, "<-"},
        {0x2192, "->"},    {0x21d2, "=>"}, {0x2208, "in"},     {0x2212, "-"},  {0x2223, "|"},
        {0x2227, "and"},   {0x2228, "or"}, {0x2260, "!="},     {0x2264, "<="}, {0x2265, ">="},
        {0x2308, "ceil("}, {0x2309, ")"},  {0x230a, "floor("}, {0x230b, ")"},  {0x221e, "infinity"},
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        if (texts[i].character == character) {
            fputs(texts[i].text, to);
            return;
        }
    }
    fputc('?', to);
}

static uint32_t character_of(const char *text, size_t length)
{
    uint32_t character = (unsigned char)text[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++)
        character = character << 6 | ((unsigned char)text[i] & 0x3f);
    return character;
}

/* Writes the complete characters in `begun`. An incomplete one is kept, unless `all` is set. */
static void put_begun(struct filter *filter, bool all)
{
    static const unsigned most = 4; /* bytes of a character */
    while (filter->begun_count) {
        const unsigned char first = (unsigned char)filter->begun[0];
        const unsigned wanted = first >= 0xf0 ? most : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
        size_t length = utf8_length(filter->begun);
        bool may_become = !length && filter->begun_count < wanted;
        for (unsigned i = 1; i < filter->begun_count; i++)
            may_become &= ((unsigned char)filter->begun[i] & 0xc0) == 0x80;
        if (may_become && !all)
            return;
        if (!length)
            fputs(filter->ascii ? "?" : UTF8_REPLACEMENT, filter->to);
        else if (utf8_is_control(filter->begun) && first != '\n' &&
                 !(first == 0x1b && filter->escapes))
            fputc('?', filter->to);
        else if (filter->ascii && length > 1)
            put_ascii(filter->to, character_of(filter->begun, length));
        else
            fwrite(filter->begun, 1, length, filter->to);
        length = length ? length : 1;
        filter->begun_count -= (unsigned)length;
        memmove(filter->begun, filter->begun + length, filter->begun_count + 1);
    }
}

static void put_byte(struct filter *filter, char byte)
{
    filter->begun[filter->begun_count++] = byte;
    filter->begun[filter->begun_count] = '\0';
    put_begun(filter, false);
}

static ssize_t filter_write(void *cookie, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        put_byte(cookie, bytes[i]);
    return ferror(((struct filter *)cookie)->to) ? 0 : (ssize_t)length;
}

static int filter_close(void *cookie)
{
    struct filter *filter = cookie;
    put_begun(filter, true);
    free(filter);
    return 0;
}

static FILE *filter_open(FILE *to, bool ascii, bool escapes)
{
    struct filter *filter = malloc(sizeof(*filter));
    if (!filter)
        return to;
    *filter = (struct filter){.to = to, .ascii = ascii, .escapes = escapes};
    FILE *file = fopencookie(filter, "w",
                             (cookie_io_functions_t){.write = filter_write, .close = filter_close});
    if (!file)
        free(filter);
    return file ? file : to;
}

FILE *terminal_filter(FILE *to, bool escapes)
{
    return filter_open(to, is_ascii(), escapes);
}

FILE *terminal_clean(FILE *to)
{
    return filter_open(to, false, false);
}
