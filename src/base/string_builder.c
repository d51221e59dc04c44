/* A string first grows on the caller's stack, then on the heap; it is truncated if memory runs
 * out. */
#include "base/string_builder.h"

#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

void string_builder_begin(struct string_builder *builder, char *buffer, size_t capacity)
{
    assert(buffer && capacity > 0);
    *builder = (struct string_builder){.text = buffer, .capacity = capacity};
    buffer[0] = '\0';
}

/* Makes room for `more` bytes and the terminator. False: they do not fit. */
static bool string_builder_reserve(struct string_builder *builder, size_t more)
{
    assert(builder->length < builder->capacity);
    if (builder->truncated)
        return false;
    size_t needed = builder->length + more + 1;
    if (needed <= builder->capacity)
        return true;
    size_t capacity = builder->capacity * 2 > needed ? builder->capacity * 2 : needed;
    char *text = builder->owned ? mem_resize(builder->text, capacity) : mem_alloc(capacity);
    if (!text) {
        builder->truncated = true;
        return false;
    }
    if (!builder->owned)
        memcpy(text, builder->text, builder->length + 1);
    builder->text = text;
    builder->capacity = capacity;
    builder->owned = true;
    return true;
}

void string_builder_add_bytes(struct string_builder *builder, const char *bytes, size_t length)
{
    assert(builder->text && (bytes || !length));
    if (!string_builder_reserve(builder, length)) {
        size_t room = builder->capacity - builder->length - 1;
        length = length < room ? length : room;
    }
    memcpy(builder->text + builder->length, bytes, length);
    builder->length += length;
    builder->text[builder->length] = '\0';
}

void string_builder_add(struct string_builder *builder, const char *text)
{
    string_builder_add_bytes(builder, text, strlen(text));
}

void string_builder_vformat(struct string_builder *builder, const char *format, va_list args)
{
    assert(builder->text && builder->length < builder->capacity);
    va_list again;
    va_copy(again, args);
    size_t room = builder->capacity - builder->length;
    int length = vsnprintf(builder->text + builder->length, room, format, args);
    if (length > 0 && (size_t)length < room) {
        builder->length += (size_t)length;
    } else if (length > 0) {
        /* The text that vsnprintf() has truncated is removed, and written again once there is
         * room. */
        builder->text[builder->length] = '\0';
        if (string_builder_reserve(builder, (size_t)length)) {
            (void)vsnprintf(builder->text + builder->length, builder->capacity - builder->length,
                            format, again);
            builder->length += (size_t)length;
        } else { /* out of memory: keep what fits */
            (void)vsnprintf(builder->text + builder->length, room, format, again);
            builder->length += strlen(builder->text + builder->length);
        }
    }
    va_end(again);
}

void string_builder_format(struct string_builder *builder, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    string_builder_vformat(builder, format, args);
    va_end(args);
}

void string_builder_add_shown(struct string_builder *builder, const char *text)
{
    while (*text) {
        const size_t length = utf8_length(text);
        if (!length)
            string_builder_add(builder, UTF8_REPLACEMENT);
        else if (utf8_is_control(text))
            string_builder_add(builder, "?");
        else
            string_builder_add_bytes(builder, text, length);
        text += length ? length : 1;
    }
}

void string_builder_clean(struct string_builder *builder, size_t first)
{
    assert(first <= builder->length);
    size_t at = first;
    while (at < builder->length && (unsigned char)builder->text[at] < 0x80)
        at++;
    if (at == builder->length)
        return;
    char buffer[512];
    struct string_builder clean;
    string_builder_begin(&clean, buffer, sizeof(buffer));
    for (const char *text = builder->text + at; *text;) {
        const size_t length = utf8_length(text);
        if (!length)
            string_builder_add(&clean, UTF8_REPLACEMENT);
        else if (length > 1 && utf8_is_control(text))
            string_builder_add(&clean, "?");
        else
            string_builder_add_bytes(&clean, text, length);
        text += length ? length : 1;
    }
    builder->length = at;
    builder->text[at] = '\0';
    string_builder_add_bytes(builder, clean.text, clean.length);
    string_builder_end(&clean);
}

void string_builder_add_json(struct string_builder *builder, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    while (*s) {
        size_t length = utf8_length((const char *)s);
        if (length == 0) {
            string_builder_add(builder, UTF8_REPLACEMENT);
            s++;
        } else if (*s == '"' || *s == '\\') {
            const char escaped[2] = {'\\', (char)*s};
            string_builder_add_bytes(builder, escaped, 2);
            s++;
        } else if (*s == '\n') {
            string_builder_add(builder, "\\n");
            s++;
        } else if (utf8_is_control((const char *)s)) {
            string_builder_format(builder, "\\u%04x", length == 2 ? s[1] : s[0]);
            s += length;
        } else {
            string_builder_add_bytes(builder, (const char *)s, length);
            s += length;
        }
    }
}

void string_builder_end(struct string_builder *builder)
{
    if (builder->owned)
        mem_free(builder->text);
    *builder = (struct string_builder){0};
}
