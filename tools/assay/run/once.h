/* Remembers what a text has said. People read a finding in full once, and the mend once an id. */
#ifndef ASSAY_TOOL_ONCE_H
#define ASSAY_TOOL_ONCE_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/store/json.h"

/* How often each key came. Empty when it is all zeroes. */
struct once {
    struct once_entry *entries; /* owned */
    uint32_t count, capacity;
};

/* True for parts that an earlier finding of the same id has said; `spec`: one with the same
 * statement. */
struct once_parts {
    bool fix, mend, spec;
};

enum once_saying { ONCE_NOTHING, ONCE_COUNT, ONCE_ALL };

void once_free(struct once *once);
/* How a finding is said while the program runs: in full for the first time, then by a line at
 * powers of ten, and where it is reported no more. What the program asked for (prints, dumps) is
 * always said in full. `count`: how often it came so far. */
enum once_saying once_say(struct once *once, struct json_object *finding, uint64_t *count);
/* Notes that the finding's parts are said now. */
struct once_parts once_parts(struct once *once, struct json_object *finding);
/* True if a fix like this (but for numbers and names) was said for the id. Notes that it is. */
bool once_has_fix(struct once *once, const char *id, const char *fix);
/* Likewise what mends a hazard: a line of text, and code, which is compared. */
bool once_has_mend(struct once *once, const char *id, const char *mend);

/* In place of what was said. */
#define ONCE_FIX  "as said before for this id"
#define ONCE_CODE "(the code is as said before for this id, but for numbers and names)"

#endif
