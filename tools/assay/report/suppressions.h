/* Suppressions say which findings the user does not want to hear of. They are in a file that people
 * read and write:
 *
 *     # The driver of the build machines; ticket 123.
 *     VUID-vkCmdDraw-None-*
 *         object  shadow map *
 *         caller  libengine.so*
 *         count   20
 *
 * A line that begins in the first column is a pattern of ids and begins a suppression. Indented
 * lines narrow it down to findings that have an object of such a name (or type). Or the findings
 * have a call site (of a hazard: one of both) in such a function, module or place
 * (module+0xoffset). Several callers are a way through the program, the innermost first: such as a
 * wrapper, and what called it. Others may stand between. A count takes the first so many of them.
 * Patterns are those of shells: `*`, `?`, `[a-z]`; \* is a star. A function is named as the linker
 * names it, or in any form of names.h. */
#ifndef ASSAY_TOOL_SUPPRESSIONS_H
#define ASSAY_TOOL_SUPPRESSIONS_H

#include <stdio.h>

#include "assay/store/store.h"
#include "assay/symbols/wrappers.h"

#define SUPPRESSION_CALLERS 8

struct suppression {
    char *id, *object;                  /* patterns; owned. `object` is NULL: any */
    char *callers[SUPPRESSION_CALLERS]; /* likewise, the innermost first; none: any */
    uint32_t caller_count;
    uint64_t most; /* 0: without limit */
    uint64_t used;
    const char *path; /* the file's; borrowed */
    uint64_t line;
};

struct suppressions {
    struct suppression *rows; /* owned */
    uint32_t count;
};

/* Adds those of a file. False: it could not be read or is wrong, which is reported with its place.
 * `path` must stay. */
bool suppressions_read(struct suppressions *suppressions, const char *path);
/* True if one of them has several callers: they are compared with stacks, which the calls that a
 * submit finds wrong have only with the setting record_stacks. */
bool suppressions_need_stacks(const struct suppressions *suppressions);
void suppressions_free(struct suppressions *suppressions);
/* True if this finding is suppressed. Counts it then. */
bool suppressions_match(struct suppressions *suppressions, struct json_object *finding);
/* Those that matched nothing, a line each. Gives how many. */
uint32_t suppressions_write_unused(FILE *file, const struct suppressions *suppressions);
/* Suppressions of everything that is in the store, and in the file that it was read from, as such a
 * file has them. A frame of a wrapper has those that called it with it. False: what was found
 * cannot be read, which is reported. */
bool suppressions_make(FILE *file, struct store *store, const char *path,
                       const struct wrappers *wrappers);

#endif
