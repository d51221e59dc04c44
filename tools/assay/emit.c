/* Writing JSON and XML. */
#include "emit.h"

#include <inttypes.h>
#include <stdlib.h>

static void escape(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            fprintf(file, "\\%c", byte);
        else if (byte == '\n')
            fputs("\\n", file);
        else if (byte < 0x20 || byte == '<' || byte == 0x7f) /* "<": JSON may stand in HTML */
            fprintf(file, "\\u%04x", byte);
        else
            fputc(byte, file);
    }
    fputc('"', file);
}

static void begin(struct emit *emit, const char *key)
{
    if (!emit->first)
        fputc(',', emit->file);
    emit->first = false;
    if (key) {
        escape(emit->file, key);
        fputc(':', emit->file);
    }
}

void emit_open(struct emit *emit, const char *key, char bracket)
{
    begin(emit, key);
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
    begin(emit, key);
    escape(emit->file, value);
}

void emit_text_if(struct emit *emit, const char *key, const char *value)
{
    if (value && *value)
        emit_text(emit, key, value);
}

void emit_number(struct emit *emit, const char *key, uint64_t value)
{
    begin(emit, key);
    fprintf(emit->file, "%" PRIu64, value);
}

void emit_bool(struct emit *emit, const char *key, bool value)
{
    begin(emit, key);
    fputs(value ? "true" : "false", emit->file);
}

void emit_value(struct emit *emit, const char *key, yyjson_val *value)
{
    size_t index, count;
    yyjson_val *name, *member;
    if (!value)
        return;
    if (yyjson_is_str(value)) {
        emit_text(emit, key, yyjson_get_str(value));
    } else if (yyjson_is_obj(value)) {
        emit_open(emit, key, '{');
        yyjson_obj_foreach(value, index, count, name, member) emit_value(emit, yyjson_get_str(name), member);
        emit_close(emit, '}');
    } else if (yyjson_is_arr(value)) {
        emit_open(emit, key, '[');
        yyjson_arr_foreach(value, index, count, member) emit_value(emit, NULL, member);
        emit_close(emit, ']');
    } else {
        char *text = yyjson_val_write(value, 0, NULL);
        begin(emit, key);
        fputs(text ? text : "null", emit->file);
        free(text);
    }
}

void emit_xml(FILE *file, const char *text)
{
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '&')
            fputs("&amp;", file);
        else if (byte == '<')
            fputs("&lt;", file);
        else if (byte == '>')
            fputs("&gt;", file);
        else if (byte == '"')
            fputs("&quot;", file);
        else if (byte < 0x20 && byte != '\n' && byte != '\t')
            fputc('?', file);
        else if (byte == 0xef && (unsigned char)text[1] == 0xbf && (unsigned char)text[2] >= 0xbe) { /* U+FFFE, U+FFFF */
            fputc('?', file);
            text += 2;
        } else
            fputc(byte, file);
    }
}
