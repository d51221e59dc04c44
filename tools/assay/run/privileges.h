/* Finds a program, and the rights that its file gives beyond the user's. */
#ifndef ASSAY_TOOL_PRIVILEGES_H
#define ASSAY_TOOL_PRIVILEGES_H

#include <limits.h>
#include <stdbool.h>

/* Finds the file that a shell would start for `name`. Returns false if there is none; then `path`
 * is the last one that was tried. */
bool program_find(const char *name, char path[PATH_MAX]);

/* Returns which additional rights the file gives: "setuid", "setgid" or "file capabilities"; NULL:
 * none. */
const char *program_privileges(const char *path);

#endif
