/* Reads the functions and source lines of a program's modules. A module is looked for at its path
 * in the program, then by its name in directories that the user names. Its symbols may be in a
 * separate debug file, which is found by build id (.build-id directories, the cache of debuginfod),
 * or by .gnu_debuglink. Nothing is fetched from a network.
 *
 * A file with another build id than the module that ran is refused, which is reported once, since
 * its lines would be wrong. */
#ifndef ASSAY_TOOL_MODULES_H
#define ASSAY_TOOL_MODULES_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/symbols/names.h"

struct modules;

/* Makes an empty set of modules, which the caller frees (modules_free). `directories` is a list
 * with colons, or NULL. Returns NULL if memory is out. */
struct modules *modules_new(const char *directories);
void modules_free(struct modules *modules);
/* True if there is a symbolizer. If not, that is reported once. */
bool modules_have_lines(struct modules *modules);
/* Ends the symbolizers; the next question starts them again. `modules` may be NULL. */
void modules_stop(struct modules *modules);
/* From now on, modules that are not found are reported as well, and not only files that do not
 * fit. */
void modules_tell_missing(struct modules *modules);

/* Returns the mangled name of the function at an offset in a module; NULL: it is not known.
 * `build_id` is in the form of findings; NULL: the module had none. The name is valid as long as
 * the modules. */
const char *modules_function(struct modules *modules, const char *module, const char *build_id,
                             uint64_t offset, uint64_t *from_begin);

/* Returns the shortest form of a demangled name that no other function of the module has; the whole
 * name, if the module's functions are not known. */
enum name_form modules_name_form(struct modules *modules, const char *module, const char *build_id,
                                 const char *function);

/* A source line, and the demangled name of its function. */
struct source_line {
    char *function; /* NULL: not known */
    char *file;
    uint32_t line;
};
#define INLINED_MOST 16

/* Finds the source lines of an offset. The first one is in the innermost inlined function; the
 * others are its inlined callers. Returns how many there are. They are valid as long as the
 * modules. */
uint32_t modules_lines(struct modules *modules, const char *module, const char *build_id,
                       uint64_t offset, const struct source_line **lines);

#endif
