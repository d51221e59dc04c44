/* Writes JSON to a stream piece by piece, and text into XML and HTML. */
#ifndef ASSAY_TOOL_EMIT_H
#define ASSAY_TOOL_EMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "assay/store/json.h"

struct emit {
    FILE *file;
    bool first; /* nothing was written yet in the innermost object or array */
};

/* These write JSON. `key` is NULL in arrays. */
void emit_open(struct emit *emit, const char *key, char bracket);
void emit_close(struct emit *emit, char bracket);
void emit_text(struct emit *emit, const char *key, const char *value);
/* Writes nothing if `value` is NULL or "". */
void emit_text_if(struct emit *emit, const char *key, const char *value);
void emit_number(struct emit *emit, const char *key, uint64_t value);
void emit_bool(struct emit *emit, const char *key, bool value);
/* Writes a value that was parsed; nothing if it is NULL. */
void emit_value(struct emit *emit, const char *key, struct json_object *value);

/* Writes text between tags, or within an attribute's double quotation marks. Characters that XML
 * 1.0 does not allow become "?". */
void emit_xml(FILE *file, const char *text);

#endif
