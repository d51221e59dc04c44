/* Finds the line of the source file that made a call. llvm-symbolizer or addr2line makes it of the
 * addresses in findings (modules.h). */
#ifndef ASSAY_TOOL_SYMBOLS_H
#define ASSAY_TOOL_SYMBOLS_H

#include <stdio.h>

#include "assay/store/store.h"

/* A place in a program. What is not known is NULL or 0. */
struct site {
    char *module, *build_id; /* `build_id` is "" where the module has none */
    uint64_t offset;
    char *function;
    char *file;
    uint32_t line;
};

struct symbols;
/* Looks up the lines of all callers, as the store's frames do (modules.h), and reports modules that
 * are not found. NULL: there is no symbolizer, which is reported, or memory is out. */
struct symbols *symbols_find(struct store *store);
void symbols_free(struct symbols *symbols);

/* NULL: nothing is known of it. `symbols` and `caller` may be NULL. */
const struct site *symbols_site(const struct symbols *symbols, struct json_object *caller);

/* "src/cube.c:120, prepare_buffers"; `function` may be NULL. */
void write_line(FILE *file, const char *source, uint32_t line, const char *function);
/* Writes a caller as a person reads it: "src/cube.c:120, prepare_buffers", "./cube+0x8f3a
 * (prepare_buffers+0x2c)"; nothing where it is not known. */
void write_site(FILE *file, const struct symbols *symbols, struct json_object *caller);

/* Goes through the callers that a finding has: 0 its own, 1 of this access, 2 of the earlier one.
 */
struct json_object *finding_caller(struct json_object *finding, int which);
/* Returns the object that has that caller, and its stack. */
struct json_object *finding_holder(struct json_object *finding, int which);
#define FINDING_CALLERS 3
/* Returns the index of the caller in the stack; the number of frames where it is not there. */
size_t stack_index(struct json_object *stack, struct json_object *caller);
/* Members of a finding, and of what is in it, that are a caller, or an array of them. `key` may be
 * NULL. */
bool symbols_is_caller(const char *key);
bool symbols_is_stack(const char *key);
/* The place that a finding is about: of a hazard, this access's. */
struct json_object *finding_place(struct json_object *finding);
/* Returns the object that has that place, and its stack. */
struct json_object *finding_place_holder(struct json_object *finding);

#endif
