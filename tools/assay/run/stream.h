/* Writes findings as text while the program runs, in the form of the layer's log. */
#ifndef ASSAY_TOOL_STREAM_H
#define ASSAY_TOOL_STREAM_H

#include <stdbool.h>
#include <stdio.h>

#include "assay/report/frames.h"
#include "assay/run/once.h"

/* Escape sequences for text, if stream_wants_color() is true. */
#define BOLD  "\033[1m"
#define DIM   "\033[2m"
#define PLAIN "\033[0m"

/* True if this file (a terminal, and NO_COLOR is not set) gets colours. */
bool stream_wants_color(int file);
/* Returns the escape sequence for the colour of a severity ("error"). */
const char *stream_color(const char *severity);
/* Writes a finding without the parts in `said`, and with source lines if `frames` has them (NULL:
 * none). Its names are demangled in place, so that it must not be compared with other findings
 * afterwards. */
void stream_write(FILE *file, const struct frames *frames, struct json_object *finding, bool color,
                  struct once_parts said);
/* Writes a line that says how often a finding, which was written before, came so far. */
void stream_write_count(FILE *file, const struct frames *frames, struct json_object *finding,
                        uint64_t count);

#endif
