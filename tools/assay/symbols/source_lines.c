/* Keeps the source lines around the places that findings name. */
#include "assay/symbols/source_lines.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TABLE_SIZE (1u << 16)  /* a power of two, at least twice SOURCE_PLACES_MOST */
#define FILES_KEPT 32u         /* files that are kept in memory, a power of two */
#define FILE_MOST  (16u << 20) /* bytes; larger files were not written by a person */

struct place {
    char *file; /* owned */
    char *text; /* owned: the lines, each with its line break */
    uint32_t line, first, count;
    bool changed;
};

/* A source file in memory, or one that could not be read. */
struct text_file {
    char *path, *text; /* owned; `text` NULL: the file could not be read */
    size_t length;
    time_t written;
};

struct source_lines {
    struct place *places;
    uint32_t count, capacity;
    uint32_t table[TABLE_SIZE]; /* indices + 1; open addressing */
    uint64_t bytes;
    struct text_file files[FILES_KEPT]; /* direct-mapped */
};

static uint32_t source_lines_hash(const char *path, uint32_t line)
{
    uint64_t hash = 0xcbf29ce484222325u ^ line;
    for (; *path; path++)
        hash = (hash ^ (unsigned char)*path) * 0x100000001b3u;
    return (uint32_t)(hash ^ hash >> 31);
}

struct source_lines *source_lines_new(void)
{
    return calloc(1, sizeof(struct source_lines));
}

void source_lines_free(struct source_lines *lines)
{
    if (!lines)
        return;
    for (uint32_t i = 0; i < lines->count; i++) {
        free(lines->places[i].file);
        free(lines->places[i].text);
    }
    for (uint32_t i = 0; i < FILES_KEPT; i++) {
        free(lines->files[i].path);
        free(lines->files[i].text);
    }
    free(lines->places);
    free(lines);
}

/* --- files --- */

/* Reads a text file; NULL: it is not a text file, or cannot be read. */
static char *read_text(const char *path, size_t *length, time_t *written)
{
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return NULL;
    bool good = fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 &&
                about.st_size <= FILE_MOST;
    char *text = good ? malloc((size_t)about.st_size) : NULL;
    ssize_t got = text ? read(file, text, (size_t)about.st_size) : -1;
    close(file);
    if (got <= 0 || memchr(text, '\0', (size_t)got)) {
        free(text);
        return NULL;
    }
    *length = (size_t)got;
    *written = about.st_mtime;
    return text;
}

static const struct text_file *find_file(struct source_lines *lines, const char *path)
{
    struct text_file *file = &lines->files[source_lines_hash(path, 0) & (FILES_KEPT - 1)];
    if (file->path && !strcmp(file->path, path))
        return file;
    free(file->path);
    free(file->text);
    *file = (struct text_file){.path = strdup(path)};
    if (file->path)
        file->text = read_text(path, &file->length, &file->written);
    return file;
}

/* Copies at most `count` lines from `first` on, with their line breaks. Returns how many there are;
 * 0: there are none, or memory is out. */
static uint32_t copy_lines(const struct text_file *file, uint32_t first, uint32_t count,
                           char **copy)
{
    const char *at = file->text, *end = at + file->length;
    for (uint32_t line = 1; at && at < end && line < first; line++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    char *to = *copy = malloc((size_t)count * (SOURCE_LINE_MOST + 1) + 1);
    uint32_t copied = 0;
    for (; to && at && at < end && copied < count; copied++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        size_t length = (size_t)(stop - at);
        if (length && at[length - 1] == '\r')
            length--;
        if (length > SOURCE_LINE_MOST)
            length = SOURCE_LINE_MOST;
        memcpy(to, at, length);
        to += length;
        *to++ = '\n';
        at = stop + 1;
    }
    if (to)
        *to = '\0';
    return copied;
}

/* --- places --- */

static uint32_t source_lines_slot(const struct source_lines *lines, const char *file, uint32_t line)
{
    uint32_t slot = source_lines_hash(file, line) & (TABLE_SIZE - 1);
    for (; lines->table[slot]; slot = (slot + 1) & (TABLE_SIZE - 1)) {
        const struct place *place = &lines->places[lines->table[slot] - 1];
        if (place->line == line && !strcmp(place->file, file))
            break;
    }
    return slot;
}

static bool source_lines_make_room(struct source_lines *lines)
{
    if (lines->count < lines->capacity)
        return true;
    uint32_t capacity = lines->capacity ? lines->capacity * 2 : 256;
    struct place *places = realloc(lines->places, capacity * sizeof(*places));
    if (!places)
        return false;
    lines->places = places;
    lines->capacity = capacity;
    return true;
}

int64_t source_lines_add(struct source_lines *lines, const char *file, uint32_t line, time_t made)
{
    if (!lines || !file || !file[0] || !line)
        return -1;
    uint32_t slot = source_lines_slot(lines, file, line);
    if (lines->table[slot])
        return lines->table[slot] - 1;
    if (lines->count >= SOURCE_PLACES_MOST || lines->bytes >= SOURCE_TEXT_MOST)
        return -1;
    const struct text_file *text = find_file(lines, file);
    struct place place = {.line = line, .first = line > SOURCE_AROUND ? line - SOURCE_AROUND : 1};
    if (!text->text || !source_lines_make_room(lines))
        return -1;
    place.count =
        copy_lines(text, place.first, line + SOURCE_AROUND + 1 - place.first, &place.text);
    place.changed = made && text->written > made;
    place.file = strdup(file);
    /* the file does not have the line any more */
    if (place.first + place.count <= line || !place.file) {
        free(place.text);
        free(place.file);
        return -1;
    }
    size_t length = strlen(place.text);
    char *fitting = realloc(place.text, length + 1);
    place.text = fitting ? fitting : place.text;
    lines->bytes += length;
    lines->places[lines->count++] = place;
    lines->table[slot] = lines->count;
    return lines->count - 1;
}

/* Writes a place of the source, with the lines around it. */
static void source_lines_emit_place(const struct place *place, struct emit *emit)
{
    emit_open(emit, NULL, '{');
    emit_text(emit, "file", place->file);
    emit_number(emit, "line", place->line);
    emit_number(emit, "first", place->first);
    emit_open(emit, "lines", '[');
    for (char *at = place->text; *at;) {
        char *stop = strchr(at, '\n');
        *stop = '\0';
        emit_text(emit, NULL, at);
        *stop = '\n';
        at = stop + 1;
    }
    emit_close(emit, ']');
    if (place->changed)
        emit_bool(emit, "changed", true);
    emit_close(emit, '}');
}

void source_lines_emit(const struct source_lines *lines, struct emit *emit)
{
    emit_open(emit, NULL, '[');
    for (uint32_t i = 0; lines && i < lines->count; i++)
        source_lines_emit_place(&lines->places[i], emit);
    emit_close(emit, ']');
}
