/* Finds the line of a source text to which a compiler gives a file and number, by the `#line`
 * directives in the text.
 *
 * A directive gives the file and number of the lines after it, up to the next directive; these
 * lines are a region. The result is the line with the right file and number. If several lines have
 * them, the one closest to its directive is taken.
 *
 * It may be that no line has the number, since the compiler skipped a directive in a group that
 * `#if` excludes. This file does not evaluate `#if`. Then lines are counted on from the best
 * directive with a smaller number. */
#include "spirv/module/source.h"

#include <string.h>

/* The last bytes of a file name that are compared. */
#define NAME_MOST 4096

/* The lines from a directive, or from the beginning of the text, to the next directive. */
struct region {
    uint32_t number;  /* number of its first line, as the directive says */
    uint64_t first;   /* index of its first line in the text, from 0 */
    bool directive;   /* it begins with a directive; false: with the text */
    const char *name; /* file name; NULL: no directive has given one so far */
    size_t name_length;
    enum spirv_source_match match; /* how well its file matches the wanted file */
};

struct text_search {
    /* the wanted file. A run of separators is reduced to one, so that the time of a comparison is
     * limited by the directive's length */
    char file[NAME_MOST];
    size_t file_length;
    enum spirv_source_match unnamed; /* how well the text's own file matches the wanted file */
    uint32_t line;                   /* the wanted line, from 1 */
    bool old_numbers;     /* GLSL before 3.30: `#line 10` says that the next line is 11 */
    bool in_comment;      /* the line begins within a comment */
    struct region region; /* the region of the current line */
    const char *best;     /* the best line so far, in the text; NULL: no line has the number */
    size_t best_length;
    struct region best_region;
    struct region counted; /* the best region to count from, if no line has the number */
};

/* A line of the text, without its break. */
struct text_line {
    const char *begin, *end;
};

/* Finds the next line, and moves `*at` after it. Returns false at the end of the text. */
static bool text_next_line(const char **at, const char *end, struct text_line *line)
{
    if (*at >= end)
        return false;
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    *line = (struct text_line){*at, stop ? stop : end};
    *at = stop ? stop + 1 : end;
    return true;
}

/* True for white space within a line, and for the carriage return of a line break. */
static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* True for both kinds of separators, as compilers on Windows write the other kind. */
static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

/* Compares file names from the end. A run of separators counts as one, since `\` is escaped in
 * directives. */
static enum spirv_source_match match_name(const struct text_search *search, const char *name,
                                          size_t length)
{
    size_t left = search->file_length;
    if (!left || !length)
        return SPIRV_SOURCE_UNNAMED;
    while (left && length) {
        char x = search->file[left - 1], y = name[length - 1];
        if (is_separator(x) ? !is_separator(y) : x != y)
            return SPIRV_SOURCE_NO_MATCH;
        left--;
        length--;
        while (is_separator(y) && length && is_separator(name[length - 1]))
            length--;
    }
    if (!left && !length)
        return SPIRV_SOURCE_SAME_FILE;
    return is_separator(left ? search->file[left - 1] : name[length - 1]) ? SPIRV_SOURCE_SAME_END
                                                                          : SPIRV_SOURCE_NO_MATCH;
}

/* Notes the wanted file; of a long name only its end. */
static void set_file(struct text_search *search, const char *file)
{
    size_t length = strlen(file);
    size_t from = length < NAME_MOST ? 0 : length - NAME_MOST;
    for (size_t i = from; i < length; i++)
        if (!is_separator(file[i]) || i == from || !is_separator(file[i - 1]))
            search->file[search->file_length++] = file[i];
}

/* Reads a decimal number of 32 bits. Returns false if it is something else (a macro, an
 * expression). */
static bool text_read_number(const char **at, const char *end, uint32_t *number)
{
    uint64_t value = 0;
    const char *begin = *at;
    for (; *at < end && **at >= '0' && **at <= '9'; (*at)++) {
        value = value * 10 + (uint64_t)(**at - '0');
        if (value > UINT32_MAX)
            return false;
    }
    *number = (uint32_t)value;
    return *at > begin && (*at == end || is_blank(**at) || **at == '"' || **at == '/');
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    return at;
}

/* Returns the text after `word`, if `word` is at `at`; else NULL. */
static const char *skip_word(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(end - at) < length || memcmp(at, word, length) != 0)
        return NULL;
    at += length;
    return at == end || is_blank(*at) ? skip_blanks(at, end) : NULL;
}

/* Reads `#version 150`. Before desktop GLSL 3.30 and GLSL ES 3.00, a `#line` gives the number of
 * its own line, not of the next one. */
static void read_version(struct text_search *search, const char *at, const char *end)
{
    uint32_t version;
    if (!text_read_number(&at, end, &version))
        return;
    at = skip_blanks(at, end);
    bool es = version == 100 || skip_word(at, end, "es");
    search->old_numbers = version < (es ? 300u : 330u);
}

/* Reads what follows the number in a directive: "file", a source string's number, or nothing.
 * Without a "file" the region keeps the file before it, as in glslang. */
static void read_file_name(struct region *region, const char *at, const char *end)
{
    at = skip_blanks(at, end);
    if (at == end || *at != '"')
        return;
    at++;
    const char *quote = memchr(at, '"', (size_t)(end - at));
    if (!quote)
        return;
    region->name = at;
    region->name_length = (size_t)(quote - at);
}

/* Reads a directive that numbers the lines after it: `#line 10`, `#line 10 "file"`, `#line 10 2`,
 * `# 10 "file"`. Returns false if the line is not such a directive. */
static bool read_directive(struct text_search *search, const struct text_line *line, uint64_t index)
{
    const char *at = skip_blanks(line->begin, line->end), *end = line->end;
    if (at == end || *at != '#')
        return false;
    at = skip_blanks(at + 1, end);
    const char *rest = skip_word(at, end, "version");
    if (rest)
        read_version(search, rest, end);
    rest = skip_word(at, end, "line");
    uint32_t number;
    bool preprocessed = !rest;
    if (preprocessed)
        rest = at;
    if (!text_read_number(&rest, end, &number))
        return false;
    if (!preprocessed && search->old_numbers) {
        if (number == UINT32_MAX)
            return false;
        number++;
    }
    search->region.number = number;
    search->region.first = index + 1;
    search->region.directive = true;
    read_file_name(&search->region, rest, end);
    const struct region *region = &search->region;
    search->region.match =
        region->name ? match_name(search, region->name, region->name_length) : search->unnamed;
    return true;
}

/* Notes whether the next line begins within a comment, as directives in comments do not count. */
static void follow_comments(struct text_search *search, const struct text_line *line)
{
    for (const char *at = line->begin; at < line->end; at++) {
        char next = at + 1 < line->end ? at[1] : '\0';
        if (search->in_comment) {
            if (*at == '*' && next == '/') {
                search->in_comment = false;
                at++;
            }
        } else if (*at == '/' && next == '/') {
            return;
        } else if (*at == '/' && next == '*') {
            search->in_comment = true;
            at++;
        } else if (*at == '"') {
            for (at++; at < line->end && *at != '"'; at++)
                if (*at == '\\')
                    at++;
            if (at >= line->end)
                return;
        }
    }
}

/* True if region `a` is a better match than region `b`. If their numbers are equal, the later
 * region is better: a tool adds lines before the source, and `#line 1` after them. */
static bool is_closer(const struct region *a, const struct region *b)
{
    if (a->match != b->match)
        return a->match > b->match;
    if (a->directive != b->directive)
        return a->directive;
    return a->number >= b->number;
}

/* Keeps the current region as the one to count from, if it is better than that so far. */
static void begin_region(struct text_search *search)
{
    const struct region *region = &search->region;
    if (region->match != SPIRV_SOURCE_NO_MATCH && region->number <= search->line &&
        (!search->counted.match || is_closer(region, &search->counted)))
        search->counted = *region;
}

/* Keeps the line if it has the wanted file and number, and its region is better than that of the
 * best line so far. */
static void look_at_line(struct text_search *search, const struct text_line *line, uint64_t index)
{
    const struct region *region = &search->region;
    if (region->match == SPIRV_SOURCE_NO_MATCH ||
        region->number + (index - region->first) != search->line)
        return;
    if (search->best && !is_closer(region, &search->best_region))
        return;
    search->best = line->begin;
    search->best_length = (size_t)(line->end - line->begin);
    search->best_region = *region;
}

/* Returns line `index` of the text, counted from 0; NULL: the text has fewer lines. */
static const char *line_at(const char *source, size_t length, uint64_t index, size_t *line_length)
{
    const char *at = source;
    struct text_line line;
    for (uint64_t i = 0; text_next_line(&at, source + length, &line); i++) {
        if (i < index)
            continue;
        *line_length = (size_t)(line.end - line.begin);
        return line.begin;
    }
    return NULL;
}

/* Shortens `*length` by the blanks and the carriage return at the end. */
static const char *text_trim(const char *text, size_t *length)
{
    while (text && *length && is_blank(text[*length - 1]))
        (*length)--;
    return text;
}

const char *spirv_source_text_find(const char *source, size_t source_length, const char *own_file,
                                   const char *file, uint32_t line, size_t *length,
                                   enum spirv_source_match *match)
{
    struct text_search search;
    memset(&search, 0, sizeof(search));
    search.line = line;
    set_file(&search, file ? file : "");
    search.unnamed = match_name(&search, own_file ? own_file : "", own_file ? strlen(own_file) : 0);
    *length = 0;
    *match = SPIRV_SOURCE_NO_MATCH;
    if (line == 0)
        return NULL;
    search.region = (struct region){.number = 1, .match = search.unnamed};
    begin_region(&search);
    const char *at = source;
    struct text_line text;
    for (uint64_t i = 0; text_next_line(&at, source + source_length, &text); i++) {
        /* A #line within a comment is text. */
        if (!search.in_comment && read_directive(&search, &text, i))
            begin_region(&search);
        else
            look_at_line(&search, &text, i);
        follow_comments(&search, &text);
    }
    if (search.best) {
        *match = search.best_region.match;
        *length = search.best_length;
        return text_trim(search.best, length);
    }
    /* If no line has the number, the line is counted from the best region. */
    if (!search.counted.match)
        return NULL;
    const char *counted = line_at(source, source_length,
                                  search.counted.first + (line - search.counted.number), length);
    *match = counted ? SPIRV_SOURCE_COUNTED : SPIRV_SOURCE_NO_MATCH;
    return text_trim(counted, length);
}

const char *spirv_source_text_line(const char *source, const char *file, uint32_t line,
                                   size_t *length)
{
    enum spirv_source_match match;
    return spirv_source_text_find(source, strlen(source), NULL, file, line, length, &match);
}
