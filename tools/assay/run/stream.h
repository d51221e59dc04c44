/* A finding as people read it while the program runs: the same form as the layer's log has. */
#ifndef ASSAY_TOOL_STREAM_H
#define ASSAY_TOOL_STREAM_H

#include <stdbool.h>
#include <stdio.h>

#include "assay/report/frames.h"
#include "assay/run/once.h"

/* Escape sequences: colours of text, where stream_wants_color() says so. */
#define BOLD  "\033[1m"
#define DIM   "\033[2m"
#define PLAIN "\033[0m"

/* True if this file (a terminal, and NO_COLOR is not set) gets colours. */
bool stream_wants_color(int file);
/* The escape sequence that begins the colour of "error" and so on. */
const char *stream_color(const char *severity);
/* With lines of source where `frames` has them; it may be NULL. Without `said`. Names are made such
 * as people write: the finding is not to be compared with other findings after that. */
void stream_write(FILE *file, const struct frames *frames, struct json_object *finding, bool color,
                  struct once_parts said);
/* A line of how often a finding came that was written before. */
void stream_write_count(FILE *file, const struct frames *frames, struct json_object *finding,
                        uint64_t count);

#endif
