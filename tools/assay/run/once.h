/* Remembers what was written, so that a finding is written in full once, and a repair once for each
 * id. */
#ifndef ASSAY_TOOL_ONCE_H
#define ASSAY_TOOL_ONCE_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/store/json.h"

/* Counts for keys. All zeros mean that it is empty. */
struct once {
    struct once_entry *entries; /* owned */
    uint32_t count, capacity;
};

/* The parts that were written for an earlier finding of the same id (`spec`: of one with the same
 * statement). */
struct once_parts {
    bool fix, mend, spec;
};

enum once_saying { ONCE_NOTHING, ONCE_COUNT, ONCE_ALL };

void once_free(struct once *once);
/* Decides how a finding is written while the program runs: in full the first time, then as a line
 * at powers of ten, and when its limit is reached. Findings that the program asks for (prints,
 * dumps) are always written in full. `count` gets how often the finding came so far. */
enum once_saying once_say(struct once *once, struct json_object *finding, uint64_t *count);
/* Returns which parts were written before, and notes that the finding's parts are written now. */
struct once_parts once_parts(struct once *once, struct json_object *finding);
/* True if this fix, except for numbers and names, was written for the id before. Notes it. */
bool once_has_fix(struct once *once, const char *id, const char *fix);
/* The same for the repair of a hazard, a line of text and code, of which only the code is
 * compared. */
bool once_has_mend(struct once *once, const char *id, const char *mend);

/* These texts replace what was written before. */
#define ONCE_FIX  "as said before for this id"
#define ONCE_CODE "(the code is as said before for this id, but for numbers and names)"

#endif
