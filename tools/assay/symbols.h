/* Which line of which source file made a call? What llvm-symbolizer or addr2line makes of the addresses in findings: one process for each module, which gets all of its addresses at once. */
#ifndef ASSAY_TOOL_SYMBOLS_H
#define ASSAY_TOOL_SYMBOLS_H

#include <stdio.h>

#include "store.h"

/* A place in a program. What is not known is NULL or 0. */
struct site {
    char *module;
    uint64_t offset;
    char *function;
    char *file;
    uint32_t line;
};

struct symbols;
/* Looks up the callers of all findings. `directories`: where modules are looked for by their names if they are not where they were when the program ran; NULL: nowhere. Modules that
 * are not found are told of. NULL: there is no symbolizer, which is told, or memory is out. */
struct symbols *symbols_find(struct store *store, const char *directories);
void symbols_free(struct symbols *symbols);

/* NULL: nothing is known of it. `symbols` and `caller` may be NULL. */
const struct site *symbols_site(const struct symbols *symbols, struct json_object *caller);

/* What a person reads of a caller: "src/cube.c:120, prepare_buffers", "./cube+0x8f3a (prepare_buffers+0x2c)"; nothing where it is not known. */
void write_site(FILE *file, const struct symbols *symbols, struct json_object *caller);

/* Goes through the callers that a finding has: 0 its own, 1 of this access, 2 of the earlier one. */
struct json_object *finding_caller(struct json_object *finding, int which);
#define FINDING_CALLERS 3
/* The place that a finding is about: of a hazard, this access's. */
struct json_object *finding_place(struct json_object *finding);

#endif
