/* Reads files of findings. The layer's setting json_filename appends to them: one JSON object a
 * line, by many processes, some of which crashed while they wrote.
 *
 * A file is streamed: of any size in the memory of its longest line. A line that is damaged is
 * reported with its place, and costs nothing but itself. Where a process died in the middle of a
 * line and another one wrote on, the second's finding is found in the same line. */
#ifndef ASSAY_TOOL_FINDINGS_H
#define ASSAY_TOOL_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/store/json.h"

/* Longer lines are not findings: the layer's are some thousand bytes. */
#define LINE_MOST (64u << 20)
/* Damaged lines of one file that are reported one by one. */
#define DAMAGE_TOLD 5

struct findings_counts {
    uint64_t findings, damaged, bytes, lines;
};

/* The counts that labels and tags of a program have silenced (docs/muting.md). */
struct muted_counts {
    uint64_t by_labels, by_tags;
};
/* True if it is not a finding, but says how many were muted when an instance ended. Then that is
 * added. */
bool findings_add_muted(struct json_object *line, struct muted_counts *muted);

struct findings_sink {
    /* A finding: its JSON and the text of it, which is gone when this returns. False: stop, this
     * sink has reported why. */
    bool (*take)(void *user, struct json_object *finding, const char *text, size_t length);
    /* True if it is the text of a finding that was taken before, byte for byte. Then it is counted,
     * and is not parsed again. NULL: nothing is remembered. False with `stop` set: as `take`'s
     * false. */
    bool (*repeat)(void *user, const char *text, size_t length, bool *stop);
    /* Something to tell of the file; NULL: it goes to standard error. */
    void (*complain)(void *user, const char *message);
    void *user;
};

/* "-" is standard input. False: it could not be opened or read (which is reported), or the sink
 * said stop. `counts` is what was read by then. */
bool findings_read(const char *path, const struct findings_sink *sink,
                   struct findings_counts *counts);

/* The rows of what a shader found, texts by their keys; NULL: it has none. */
struct json_object *finding_rows(struct json_object *finding);
/* Returns the object that has the statement which people read, as "spec" and "url". */
struct json_object *finding_statement(struct json_object *finding);

#endif
