/* A finding as people read it while the program runs: the same form as the layer's log has. */
#ifndef ASSAY_TOOL_STREAM_H
#define ASSAY_TOOL_STREAM_H

#include <stdbool.h>
#include <stdio.h>

#include "frames.h"

/* True if this file (a terminal, and NO_COLOR is not set) gets colours. */
bool stream_wants_color(int file);
/* With lines of source where `frames` has them; it may be NULL. Names are made such as people
 * write: the finding is not to be compared with other findings after that. */
void stream_write(FILE *file, const struct frames *frames, struct json_object *finding, bool color);

#endif
