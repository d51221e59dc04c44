/* Suppressions name findings that the user does not want to see. They are in a file that users
 * write:
 *
 *     # The driver of the build machines; ticket 123.
 *     VUID-vkCmdDraw-None-*
 *         object  shadow map *
 *         caller  libengine.so*
 *         count   20
 *
 * A line that begins in the first column is a pattern of ids, and begins a suppression. Indented
 * lines restrict it: `object` to findings with an object of that name or type; `caller` to findings
 * with a call site (for a hazard, either of both) in that function, module or place
 * (module+0xoffset). Several callers are frames of one stack, the innermost first, such as a
 * wrapper and its caller; other frames may be between them. `count` restricts it to that many
 * findings.
 *
 * Patterns are those of shells: `*`, `?`, `[a-z]`; \* is a star. A function is named as the linker
 * names it, or in any form of names.h. */
#ifndef ASSAY_TOOL_SUPPRESSIONS_H
#define ASSAY_TOOL_SUPPRESSIONS_H

#include <stdio.h>

#include "assay/store/store.h"
#include "assay/symbols/wrappers.h"

#define SUPPRESSION_CALLERS 8

struct suppression {
    char *id, *object; /* patterns, owned; `object` NULL: any object */
    /* patterns, owned, the innermost frame first; none: any caller */
    char *callers[SUPPRESSION_CALLERS];
    uint32_t caller_count;
    uint64_t most; /* 0: there is no limit */
    uint64_t used;
    const char *path; /* of the file with the suppression; borrowed */
    uint64_t line;
};

struct suppressions {
    struct suppression *rows; /* owned */
    uint32_t count;
};

/* Adds the suppressions of a file. Returns false if it could not be read, or has a mistake, which
 * is reported with its place. `path` must stay valid. */
bool suppressions_read(struct suppressions *suppressions, const char *path);
/* True if a suppression has several callers. They are compared with stacks; recorded commands only
 * have one with the setting record_stacks. */
bool suppressions_need_stacks(const struct suppressions *suppressions);
void suppressions_free(struct suppressions *suppressions);
/* True if the finding is suppressed, which is counted then. */
bool suppressions_match(struct suppressions *suppressions, struct json_object *finding);
/* Writes a line for each suppression that matched nothing. Returns how many there are. */
uint32_t suppressions_write_unused(FILE *file, const struct suppressions *suppressions);
/* Writes suppressions of everything in the store, and in the file `path` that it was read from. A
 * caller that is a wrapper's frame is written with the frames that called it. Returns false if the
 * findings cannot be read, which is reported. */
bool suppressions_make(FILE *file, struct store *store, const char *path,
                       const struct wrappers *wrappers);

#endif
