/* The tool knows more of a finding's frames than the layer: functions that are not exported, and
 * lines of source. So it knows which frame is the program's where functions or source files are to
 * be passed over. Those of wrappers that everybody uses are, in any case. It is written into the
 * finding, so that all that comes after (grouping, suppressions, --since, reports) goes by it. */
#ifndef ASSAY_TOOL_FRAMES_H
#define ASSAY_TOOL_FRAMES_H

#include "assay/store/json.h"
#include "assay/symbols/modules.h"

struct perf_maps; /* perf_map.h */

struct frames {
    struct modules *modules; /* borrowed; NULL: nothing is done */
    struct perf_maps *maps;  /* borrowed; names of code in no module. NULL: none */
    /* borrowed; patterns of modules, functions and source files, with commas between them. NULL:
     * none */
    const char *ignored;
    bool lines;     /* frames get "file" and "line", and addresses in sentences become lines */
    bool sentences; /* the latter alone */
};

/* Gives whether the finding was changed. */
bool frames_refine(const struct frames *frames, struct json_object *finding);

/* The line that people are shown, of the lines at one place: the innermost that is in no file to be
 * passed over. NULL: there is none. */
const struct source_line *frames_shown_line(const struct frames *frames,
                                            const struct source_line *lines, uint32_t count);
/* The line of a frame that people are shown. NULL: it is not known, or not asked for. `frames` may
 * be NULL. */
const struct source_line *frames_line(const struct frames *frames, struct json_object *frame);

#endif
