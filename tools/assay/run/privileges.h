/* Finds a program, and the rights that its file gives beyond the user's. */
#ifndef ASSAY_TOOL_PRIVILEGES_H
#define ASSAY_TOOL_PRIVILEGES_H

#include <limits.h>
#include <stdbool.h>

/* The file that `name` starts, as the shell looks for it. False: there is none; `path` is where it
 * was looked for last. */
bool program_find(const char *name, char path[PATH_MAX]);

/* "setuid", "setgid" or "file capabilities"; NULL: a program of this file has its user's rights. */
const char *program_privileges(const char *path);

#endif
