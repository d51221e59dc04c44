/* Adds to a finding's frames what only the tool knows: functions that are not exported, and source
 * lines. So the tool can choose the frame that is the program's, if functions or source files are
 * to be passed over. Those of well-known wrappers always are. The choice is written into the
 * finding, so that grouping, suppressions, --since and reports all use it. */
#ifndef ASSAY_TOOL_FRAMES_H
#define ASSAY_TOOL_FRAMES_H

#include "assay/store/json.h"
#include "assay/symbols/modules.h"

struct perf_maps; /* perf_map.h */

struct frames {
    struct modules *modules; /* borrowed; NULL: findings are not changed */
    struct perf_maps *maps;  /* borrowed; names of code in no module. NULL: none */
    /* borrowed; patterns of modules, functions and source files, with commas between them. NULL:
     * none */
    const char *ignored;
    /* frames get "file" and "line", and source lines replace addresses in sentences */
    bool lines;
    bool sentences; /* only addresses in sentences are replaced */
};

/* Refines a finding. Returns whether it was changed. */
bool frames_refine(const struct frames *frames, struct json_object *finding);

/* Returns the line to show among the lines at one address (of inlined functions): the innermost one
 * whose file is not passed over; NULL: there is none. */
const struct source_line *frames_shown_line(const struct frames *frames,
                                            const struct source_line *lines, uint32_t count);
/* Returns the source line to show for a frame; NULL: it is not known, or lines are not asked for.
 * `frames` may be NULL. */
const struct source_line *frames_line(const struct frames *frames, struct json_object *frame);

#endif
