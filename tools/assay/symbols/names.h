/* Names of functions as people write them. The linker's name of a C++ function is mangled:
 * "_ZN6engine4PoolI4MeshE4growEm" is "engine::Pool<Mesh>::grow(unsigned long)". Findings and files
 * of findings have the linker's, since that is what other programs know; people read the other one.
 *
 * Names come from files that may be damaged or made up: what would be longer than NAME_SIZE stays
 * mangled. */
#ifndef ASSAY_TOOL_NAMES_H
#define ASSAY_TOOL_NAMES_H

#include "assay/store/json.h"

#define NAME_SIZE 8192 /* bytes of a name, with its end */

/* As people write it; `symbol` itself where it is not C++. The text is in `room`, or is `symbol`.
 */
const char *name_shown(const char *symbol, char room[NAME_SIZE]);

/* How much of a name is written. Each form says more than the one before it. */
enum name_form {
    NAME_PLAIN,    /* "engine::Pool::grow": without template arguments and parameters */
    NAME_INSTANCE, /* "engine::Pool<Mesh>::grow": without parameters */
    NAME_WHOLE,    /* "engine::Pool<Mesh>::grow(unsigned long)" */
    NAME_FORMS,
};
/* Gives a form of a name as people write it. A name of an unusual form, such as a function that
 * returns a pointer to a function, is given whole. The text is in `room`, or is `shown`. */
const char *name_of_form(const char *shown, enum name_form form, char room[NAME_SIZE]);

/* True if the pattern, as shells have them, matches the linker's name or a form of the one that
 * people write. */
bool name_matches(const char *pattern, const char *symbol);

/* Makes all of the linker's names in a finding such as people write: symbols, and those in texts.
 * It is not to be compared with other findings after that. */
void names_show(struct json_object *finding);

#endif
