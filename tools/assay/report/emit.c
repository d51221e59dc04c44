/* Writes JSON and XML. */
#include "assay/report/emit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* Writes a JSON string in quotes. Bytes that are not UTF-8 become U+FFFD, so that readers accept
 * the file. */
static void emit_escape(FILE *file, const char *text)
{
    fputc('"', file);
    for (size_t length; *text; text += length ? length : 1) {
        unsigned char byte = (unsigned char)*text;
        length = utf8_length(text);
        if (!length)
            fputs(UTF8_REPLACEMENT, file);
        else if (byte == '"' || byte == '\\')
            fprintf(file, "\\%c", byte);
        else if (byte == '\n')
            fputs("\\n", file);
        /* "<" is escaped, as the JSON may be in a page of HTML */
        else if (utf8_is_control(text) || byte == '<')
            fprintf(file, "\\u%04x", length == 2 ? (unsigned char)text[1] : byte);
        else
            fwrite(text, 1, length, file);
    }
    fputc('"', file);
}

/* Writes what precedes a value: a comma unless it is the first one, and the key. `key` NULL: the
 * value is an element of an array. */
static void emit_begin(struct emit *emit, const char *key)
{
    if (!emit->first)
        fputc(',', emit->file);
    emit->first = false;
    if (key) {
        emit_escape(emit->file, key);
        fputc(':', emit->file);
    }
}

void emit_open(struct emit *emit, const char *key, char bracket)
{
    emit_begin(emit, key);
    fputc(bracket, emit->file);
    emit->first = true;
}

void emit_close(struct emit *emit, char bracket)
{
    fputc(bracket, emit->file);
    emit->first = false;
}

void emit_text(struct emit *emit, const char *key, const char *value)
{
    emit_begin(emit, key);
    emit_escape(emit->file, value);
}

void emit_text_if(struct emit *emit, const char *key, const char *value)
{
    if (value && *value)
        emit_text(emit, key, value);
}

void emit_number(struct emit *emit, const char *key, uint64_t value)
{
    emit_begin(emit, key);
    fprintf(emit->file, "%" PRIu64, value);
}

void emit_bool(struct emit *emit, const char *key, bool value)
{
    emit_begin(emit, key);
    fputs(value ? "true" : "false", emit->file);
}

void emit_value(struct emit *emit, const char *key, struct json_object *value)
{
    size_t index, count;
    const char *name;
    struct json_object *member;
    if (!value)
        return;
    if (json_object_is_type(value, json_type_string)) {
        emit_text(emit, key, json_string(value));
    } else if (json_object_is_type(value, json_type_object)) {
        emit_open(emit, key, '{');
        struct json_object_iterator at = json_members(value);
        while (json_next_member(&at, &name, &member))
            emit_value(emit, name, member);
        emit_close(emit, '}');
    } else if (json_object_is_type(value, json_type_array)) {
        emit_open(emit, key, '[');
        JSON_EACH_ELEMENT(value, index, count, member) emit_value(emit, NULL, member);
        emit_close(emit, ']');
    } else {
        const char *text = json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN);
        emit_begin(emit, key);
        fputs(text ? text : "null", emit->file);
    }
}

void emit_xml(FILE *file, const char *text)
{
    for (size_t length; *text; text += length ? length : 1) {
        unsigned char byte = (unsigned char)*text;
        length = utf8_length(text);
        if (byte == '&')
            fputs("&amp;", file);
        else if (byte == '<')
            fputs("&lt;", file);
        else if (byte == '>')
            fputs("&gt;", file);
        else if (byte == '"')
            fputs("&quot;", file);
        else if (!length)
            fputs(UTF8_REPLACEMENT, file);
        else if (utf8_is_control(text) && byte != '\n' && byte != '\t')
            fputc('?', file);
        else if (!strncmp(text, "\xef\xbf\xbe", 3) || !strncmp(text, "\xef\xbf\xbf", 3))
            fputc('?', file); /* U+FFFE, U+FFFF */
        else
            fwrite(text, 1, length, file);
    }
}
