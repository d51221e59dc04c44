/* Words a hint for a path that is not there, where the tool runs in the root of ./dev. */
#ifndef ASSAY_TOOL_OUTSIDE_H
#define ASSAY_TOOL_OUTSIDE_H

/* A sentence to put after "PATH: No such file or directory", or "" where there is nothing to add.
 * Valid until the next call. */
const char *outside_hint(const char *path, int error);

#endif
