/* Finds the source lines of callers, by llvm-symbolizer or addr2line (modules.h). */
#ifndef ASSAY_TOOL_SYMBOLS_H
#define ASSAY_TOOL_SYMBOLS_H

#include <stdio.h>

#include "assay/store/store.h"

/* A call site in a program. Unknown members are NULL or 0. */
struct site {
    char *module, *build_id; /* `build_id` is "" if the module has none */
    uint64_t offset;
    char *function;
    char *file;
    uint32_t line;
};

struct symbols;
/* Looks up the lines of all callers in the store, and reports modules that are not found. NULL:
 * there is no symbolizer, which is reported, or memory is out. */
struct symbols *symbols_find(struct store *store);
void symbols_free(struct symbols *symbols);

/* Returns the site of a caller; NULL: it is not known. `symbols` and `caller` may be NULL. */
const struct site *symbols_site(const struct symbols *symbols, struct json_object *caller);

/* Writes "src/cube.c:120, prepare_buffers". `function` may be NULL. */
void write_line(FILE *file, const char *source, uint32_t line, const char *function);
/* Writes a caller: "src/cube.c:120, prepare_buffers" or "./cube+0x8f3a (prepare_buffers+0x2c)";
 * nothing if it is not known. */
void write_site(FILE *file, const struct symbols *symbols, struct json_object *caller);

/* Returns one of the callers in a finding; `which` is 0 for its own, 1 for this access of a hazard,
 * 2 for the earlier one. NULL: the finding does not have it. */
struct json_object *finding_caller(struct json_object *finding, int which);
/* Returns the object that has this caller and its stack. */
struct json_object *finding_holder(struct json_object *finding, int which);
#define FINDING_CALLERS 3
/* Returns the index of the caller in the stack; the number of frames if it is not in the stack. */
size_t stack_index(struct json_object *stack, struct json_object *caller);
/* True if a member with this key is a caller, or an array of callers. `key` may be NULL. */
bool symbols_is_caller(const char *key);
bool symbols_is_stack(const char *key);
/* Returns the caller that is the place of a finding; for a hazard, that of this access. */
struct json_object *finding_place(struct json_object *finding);
/* Returns the object that has this caller and its stack. */
struct json_object *finding_place_holder(struct json_object *finding);

#endif
