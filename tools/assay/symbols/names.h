/* Demangles and compares names of functions. The linker's name of a C++ function is mangled:
 * "_ZN6engine4PoolI4MeshE4growEm" is "engine::Pool<Mesh>::grow(unsigned long)". Findings and their
 * files have mangled names, which other programs know; people see the other form.
 *
 * Names come from files that may be damaged or malicious. A name that would be longer than
 * NAME_SIZE stays mangled. */
#ifndef ASSAY_TOOL_NAMES_H
#define ASSAY_TOOL_NAMES_H

#include "assay/store/json.h"

#define NAME_SIZE 8192 /* bytes of a name, with its final 0 */

/* Returns the demangled name, in `room`; `symbol` itself if it is not a mangled name. */
const char *name_shown(const char *symbol, char room[NAME_SIZE]);

/* How much of a name is written. Each form says more than the one before it. */
enum name_form {
    NAME_PLAIN,    /* "engine::Pool::grow": without template arguments and parameters */
    NAME_INSTANCE, /* "engine::Pool<Mesh>::grow": without parameters */
    NAME_WHOLE,    /* "engine::Pool<Mesh>::grow(unsigned long)" */
    NAME_FORMS,
};
/* Returns a form of a demangled name, in `room`. For an unusual name, such as that of a function
 * that returns a pointer to a function, the result is `shown`. */
const char *name_of_form(const char *shown, enum name_form form, char room[NAME_SIZE]);

/* True if the pattern of a shell matches the mangled name, or a form of the demangled one. */
bool name_matches(const char *pattern, const char *symbol);

/* Demangles all names in a finding, in symbols and in texts. After that the finding must not be
 * compared with others. */
void names_show(struct json_object *finding);

#endif
