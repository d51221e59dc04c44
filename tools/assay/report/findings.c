/* Reads files of findings. */
#include "assay/report/findings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assay/command.h"
#include "assay/run/outside.h"

#define READ_SIZE (1u << 20)

struct reader {
    const char *path;
    const struct findings_sink *sink;
    struct findings_counts *counts;
    struct json_tokener *parser;
    char *buffer; /* owned */
    size_t length, capacity;
    bool stop;
};

/* Reports what is wrong with a file: to the sink, or to standard error if the sink does not take
 * it. */
static void findings_complain(const struct reader *reader, const char *message)
{
    if (reader->sink->complain)
        reader->sink->complain(reader->sink->user, message);
    else
        tell("%s", message);
}

/* Counts a damaged line, and reports it if it is one of the first DAMAGE_TOLD of the file. `at` is
 * the index of the byte, from 0. */
static void tell_damage(struct reader *reader, const char *what, size_t at)
{
    char message[512];
    if (++reader->counts->damaged > DAMAGE_TOLD)
        return;
    snprintf(message, sizeof(message),
             "%s:%llu: this line is damaged (%s, byte %zu of the line) and is left out",
             reader->path, (unsigned long long)reader->counts->lines, what, at + 1);
    findings_complain(reader, message);
}

bool findings_add_muted(struct json_object *line, struct muted_counts *muted)
{
    struct json_object *counts;
    if (strcmp(json_text_or(line, "vuid"), "ASSAY-Muted") != 0 ||
        !json_object_object_get_ex(line, "muted", &counts))
        return false;
    muted->by_labels += json_number(counts, "labels");
    muted->by_tags += json_number(counts, "tags");
    return true;
}

/* Parses a text and passes it to the sink, if it is a finding; returns whether it is. `failure`
 * says why not. */
static bool findings_take(struct reader *reader, const char *text, size_t length,
                          struct json_failure *failure)
{
    const struct findings_sink *sink = reader->sink;
    if (sink->repeat && sink->repeat(sink->user, text, length, &reader->stop)) {
        reader->counts->findings++;
        return true;
    }
    struct json_object *document = json_read(reader->parser, text, length, failure);
    if (!document)
        return false;
    struct muted_counts unused = {0};
    bool finding = json_text(document, "vuid") != NULL,
         muted = findings_add_muted(document, &unused);
    if (finding && !muted) {
        reader->counts->findings++;
        reader->stop = !sink->take(sink->user, document, text, length);
    } else if (failure && !muted) {
        *failure =
            (struct json_failure){.text = "it is JSON, but not a finding: it has no \"vuid\""};
    }
    json_object_put(document);
    return finding;
}

/* Looks for a finding within a damaged line: a process that died has left half a line, and another
 * one has continued it. */
static void take_rest(struct reader *reader, const char *text, size_t length)
{
    static const char begin[] = "{\"vuid\":";
    const char *end = text + length, *next = text + 1;
    while (next < end &&
           (next = memmem(next, (size_t)(end - next), begin, sizeof(begin) - 1)) != NULL) {
        if (findings_take(reader, next, (size_t)(end - next), NULL))
            return;
        next++;
    }
}

/* Takes a line without its line break. Blank lines are skipped; of a damaged line, a whole finding
 * within it is kept. */
static void findings_take_line(struct reader *reader, const char *text, size_t length)
{
    struct json_failure failure = {0};
    reader->counts->lines++;
    /* the byte order mark of an editor */
    if (reader->counts->lines == 1 && length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
        text += 3;
        length -= 3;
    }
    while (length && strchr(" \t\r", text[length - 1]) && text[length - 1])
        length--;
    if (!length || findings_take(reader, text, length, &failure))
        return;
    if (failure.out_of_memory) {
        tell("memory is out");
        reader->stop = true;
        return;
    }
    tell_damage(reader, failure.text, failure.position);
    take_rest(reader, text, length);
}

/* Takes all whole lines in the buffer, and moves the rest to its beginning. */
static void take_lines(struct reader *reader, size_t from)
{
    char *line = reader->buffer, *end = reader->buffer + reader->length, *newline;
    char *search = reader->buffer + from;
    while (!reader->stop && (newline = memchr(search, '\n', (size_t)(end - search))) != NULL) {
        findings_take_line(reader, line, (size_t)(newline - line));
        line = search = newline + 1;
    }
    reader->length = (size_t)(end - line);
    memmove(reader->buffer, line, reader->length);
}

/* Grows the buffer for READ_SIZE more bytes. Returns false if memory is out, which is reported. */
static bool findings_make_room(struct reader *reader)
{
    if (reader->capacity - reader->length >= READ_SIZE)
        return true;
    size_t capacity = reader->capacity ? reader->capacity * 2 : 2 * READ_SIZE;
    char *buffer = realloc(reader->buffer, capacity);
    if (!buffer) {
        tell("memory is out");
        return false;
    }
    reader->buffer = buffer;
    reader->capacity = capacity;
    return true;
}

/* Drops the rest of a line that is longer than any finding. */
static void drop_long_line(struct reader *reader, bool *dropping)
{
    if (!*dropping) {
        reader->counts->lines++;
        tell_damage(reader, "it is longer than any finding", reader->length);
    }
    *dropping = true;
    reader->length = 0;
}

/* Reads the whole file; its last line need not have a line break. Returns false if it cannot be
 * read, which is reported. */
static bool read_all(struct reader *reader, int file)
{
    bool dropping = false;
    while (!reader->stop) {
        if (!findings_make_room(reader))
            return false;
        ssize_t got = read(file, reader->buffer + reader->length, READ_SIZE);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            tell("%s: %s", reader->path, strerror(errno));
            return false;
        }
        if (!got)
            break;
        size_t from = reader->length;
        reader->length += (size_t)got;
        reader->counts->bytes += (uint64_t)got;
        char *newline = dropping ? memchr(reader->buffer, '\n', reader->length) : NULL;
        if (newline) {
            reader->length -= (size_t)(newline + 1 - reader->buffer);
            memmove(reader->buffer, newline + 1, reader->length);
            dropping = false;
            from = 0;
        }
        if (!dropping)
            take_lines(reader, from);
        if (reader->length > LINE_MOST || dropping)
            drop_long_line(reader, &dropping);
    }
    if (reader->length && !reader->stop && !dropping)
        findings_take_line(reader, reader->buffer, reader->length);
    return !reader->stop;
}

bool findings_read(const char *path, const struct findings_sink *sink,
                   struct findings_counts *counts)
{
    bool input = !strcmp(path, "-");
    struct reader reader = {
        .path = input ? "standard input" : path, .sink = sink, .counts = counts};
    int file = input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    *counts = (struct findings_counts){0};
    if (file < 0) {
        int error = errno;
        tell("%s: %s%s", path, strerror(error), outside_hint(path, error));
        return false;
    }
    reader.parser = json_reader_new();
    bool good = reader.parser && read_all(&reader, file);
    if (counts->damaged > DAMAGE_TOLD) {
        char message[512];
        snprintf(message, sizeof(message), "%s: %llu damaged lines in all are left out",
                 reader.path, (unsigned long long)counts->damaged);
        findings_complain(&reader, message);
    }
    json_tokener_free(reader.parser);
    free(reader.buffer);
    if (!input)
        close(file);
    return good;
}

struct json_object *finding_rows(struct json_object *finding)
{
    struct json_object *details = json_object_object_get(finding, "details");
    return json_text(details, "shader") || json_text(details, "command") ? details : NULL;
}

struct json_object *finding_statement(struct json_object *finding)
{
    struct json_object *statement = json_object_object_get(finding, "statement");
    return statement ? statement : finding;
}
