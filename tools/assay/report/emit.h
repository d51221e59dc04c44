/* Writing JSON to a stream as it is made, and text into XML and HTML. */
#ifndef ASSAY_TOOL_EMIT_H
#define ASSAY_TOOL_EMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "assay/store/json.h"

struct emit {
    FILE *file;
    bool first; /* in the innermost object or array */
};

/* `key` is NULL in arrays. */
void emit_open(struct emit *emit, const char *key, char bracket);
void emit_close(struct emit *emit, char bracket);
void emit_text(struct emit *emit, const char *key, const char *value);
/* Nothing where `value` is NULL or "". */
void emit_text_if(struct emit *emit, const char *key, const char *value);
void emit_number(struct emit *emit, const char *key, uint64_t value);
void emit_bool(struct emit *emit, const char *key, bool value);
/* A value that was read. Nothing where it is NULL. */
void emit_value(struct emit *emit, const char *key, struct json_object *value);

/* Text between tags, or in an attribute's double quotes. What XML 1.0 cannot have becomes "?". */
void emit_xml(FILE *file, const char *text);

#endif
