/* Keeps lines of the program's source files around the places that findings name, as far as the
 * files can be read now. Each place is kept once.
 *
 * The amount is limited to SOURCE_PLACES_MOST places and SOURCE_TEXT_MOST bytes. Further places
 * have no lines. */
#ifndef ASSAY_TOOL_SOURCE_LINES_H
#define ASSAY_TOOL_SOURCE_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "assay/report/emit.h"

#define SOURCE_PLACES_MOST 20000u
#define SOURCE_TEXT_MOST   (16u << 20)
/* Lines before, and as many after, the line of a place. */
#define SOURCE_AROUND 6u
/* Bytes of a line that are kept, as generated files may have lines of megabytes. */
#define SOURCE_LINE_MOST 400u

struct source_lines;
/* NULL: memory is out. */
struct source_lines *source_lines_new(void);
void source_lines_free(struct source_lines *lines); /* may be NULL */

/* Adds a place, and returns its number, from 0; -1: the file cannot be read or does not have the
 * line, or there are too many places. `made` is the time at which the module was built from the
 * file; 0: it is not known. */
int64_t source_lines_add(struct source_lines *lines, const char *file, uint32_t line, time_t made);

/* Writes an array of all places, by number: {"file", "line", "first", "lines": [...], "changed":
 * true}. `changed` means that the file was written after `made`, so that its lines may differ from
 * those that were compiled. */
void source_lines_emit(const struct source_lines *lines, struct emit *emit);

#endif
