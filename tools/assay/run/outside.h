/* Makes a hint for a path that does not exist, if the tool runs within ./dev. */
#ifndef ASSAY_TOOL_OUTSIDE_H
#define ASSAY_TOOL_OUTSIDE_H

/* Returns a sentence to add to "PATH: No such file or directory", or "". It is valid until the next
 * call. */
const char *outside_hint(const char *path, int error);

#endif
