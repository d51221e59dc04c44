/* Reads what symbols say of the modules that a program had. A module is looked for where it was
 * when the program ran, then by its name in directories that the user names. Its symbols may be in
 * a debug file of their own: by build id (.build-id directories, the cache of debuginfod), or by
 * .gnu_debuglink. Nothing is fetched from a network.
 *
 * A file whose build id is not that of what ran is refused, and that is reported once: its lines
 * would be others. */
#ifndef ASSAY_TOOL_MODULES_H
#define ASSAY_TOOL_MODULES_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/symbols/names.h"

struct modules;

/* `directories`: a list with colons, or NULL. NULL: memory is out. Owned by the caller
 * (modules_free). */
struct modules *modules_new(const char *directories);
void modules_free(struct modules *modules);
/* True if there is a program that knows lines. Where not, that is reported once. */
bool modules_have_lines(struct modules *modules);
/* Ends the programs that were started to answer; the next question starts them again. NULL: nothing
 * happens. */
void modules_stop(struct modules *modules);
/* Tells of modules that are nowhere, too, and not only of those that do not fit. */
void modules_tell_missing(struct modules *modules);

/* The function at an offset into a module, mangled; NULL: not known. `build_id` as in findings;
 * NULL: the module had none. The text lives as long as the modules. */
const char *modules_function(struct modules *modules, const char *module, const char *build_id,
                             uint64_t offset, uint64_t *from_begin);

/* How much of a function's name tells it apart from the module's other functions; `function` is as
 * people write it. Where the module's functions are not known, all of it. */
enum name_form modules_name_form(struct modules *modules, const char *module, const char *build_id,
                                 const char *function);

/* A line of source, and the function that it is in, as people write it. */
struct source_line {
    char *function; /* NULL: not known */
    char *file;
    uint32_t line;
};
#define INLINED_MOST 16

/* The lines of an offset: the innermost function that was inlined there first, then what it was
 * inlined into. Gives how many. They live as long as the modules. */
uint32_t modules_lines(struct modules *modules, const char *module, const char *build_id,
                       uint64_t offset, const struct source_line **lines);

#endif
