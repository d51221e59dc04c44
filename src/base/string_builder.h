/* A growing, always terminated string. If memory runs out, it is truncated, and stays valid.
 * Threads: a builder belongs to the thread that began it. */
#ifndef ASSAY_BASE_STRING_BUILDER_H
#define ASSAY_BASE_STRING_BUILDER_H

#include <stdarg.h>

#include "base/base.h"

struct string_builder {
    char *text; /* owned once it is larger than the caller's buffer; see string_builder_end() */
    size_t length;
    size_t capacity;
    bool owned;
    bool truncated;
};

/* Begins in the caller's buffer (capacity > 0), and moves to the heap when that is full. */
void string_builder_begin(struct string_builder *builder, char *buffer, size_t capacity);
void string_builder_add(struct string_builder *builder, const char *text);
void string_builder_add_bytes(struct string_builder *builder, const char *bytes, size_t length);
void string_builder_format(struct string_builder *builder, const char *format, ...)
    PRINTF_LIKE(2, 3);
void string_builder_vformat(struct string_builder *builder, const char *format, va_list args)
    PRINTF_LIKE(2, 0);
/* Adds `text` (any bytes) as the content of a JSON string: with escapes, and U+FFFD for invalid
 * UTF-8. */
void string_builder_add_json(struct string_builder *builder, const char *text);
/* Adds `text` (any bytes) for display in one line: control characters become "?", and a byte that
 * is not UTF-8 becomes U+FFFD. */
void string_builder_add_shown(struct string_builder *builder, const char *text);
/* Makes everything from byte `first` on safe to display: a control character of U+0080 to U+009F
 * becomes "?", and a byte that is not UTF-8 becomes U+FFFD. ASCII control characters stay, as
 * colors use them. */
void string_builder_clean(struct string_builder *builder, size_t first);
void string_builder_end(struct string_builder *builder);

#endif
