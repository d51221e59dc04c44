/* The program's own source: the lines around those that findings name, each place once, as far as
 * the files can be read now.
 *
 * What is kept is bounded: SOURCE_PLACES_MOST places, SOURCE_TEXT_MOST bytes. Further places have
 * no lines. */
#ifndef ASSAY_TOOL_SOURCE_LINES_H
#define ASSAY_TOOL_SOURCE_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "assay/report/emit.h"

#define SOURCE_PLACES_MOST 20000u
#define SOURCE_TEXT_MOST   (16u << 20)
/* Lines before and after the one that is named. */
#define SOURCE_AROUND 6u
/* Bytes of a line that are kept: generated files have lines of megabytes. */
#define SOURCE_LINE_MOST 400u

struct source_lines;
/* NULL: memory is out. */
struct source_lines *source_lines_new(void);
void source_lines_free(struct source_lines *lines); /* NULL: nothing happens */

/* The number of the place, from 0. -1: its file cannot be read or has no such line, or there are
 * too many places. `made`: when what was built from the file was built; 0 where that is not known.
 */
int64_t source_lines_add(struct source_lines *lines, const char *file, uint32_t line, time_t made);

/* An array of places by number: {"file", "line", "first", "lines": [...], "changed": true}.
 * `changed`: the file was written after `made`, so that its lines may not be those that were
 * compiled. */
void source_lines_emit(const struct source_lines *lines, struct emit *emit);

#endif
