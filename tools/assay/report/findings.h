/* Reads files of findings, which the layer writes (its setting json_filename): one JSON object in a
 * line. Many processes may append to one file, and may crash while they write.
 *
 * A file is streamed, so that memory is only needed for its longest line. A damaged line is
 * reported with its place, and other lines are not affected. If a process died in the middle of a
 * line and another one continued it, the second one's finding is found in that line. */
#ifndef ASSAY_TOOL_FINDINGS_H
#define ASSAY_TOOL_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/store/json.h"

/* Bytes of the longest line that can be a finding. The layer's findings have some thousand. */
#define LINE_MOST (64u << 20)
/* How many damaged lines of one file are reported one by one. */
#define DAMAGE_TOLD 5

struct findings_counts {
    uint64_t findings, damaged, bytes, lines;
};

/* How many findings labels and tags of a program have muted (docs/muting.md). */
struct muted_counts {
    uint64_t by_labels, by_tags;
};
/* True if the line is not a finding, but says how many findings were muted. Then these numbers are
 * added to `muted`. */
bool findings_add_muted(struct json_object *line, struct muted_counts *muted);

struct findings_sink {
    /* Takes a finding: its JSON and its text, which is only valid during the call. Returns false to
     * stop; the sink has reported the reason then. */
    bool (*take)(void *user, struct json_object *finding, const char *text, size_t length);
    /* Returns true if the text is equal, byte for byte, to that of a finding taken before. Then it
     * is counted, and not parsed again. If it sets `stop` and returns false, reading stops as for
     * `take`. NULL: the sink does not compare texts. */
    bool (*repeat)(void *user, const char *text, size_t length, bool *stop);
    /* Takes a message about the file; NULL: messages are written to standard error. */
    void (*complain)(void *user, const char *message);
    void *user;
};

/* Reads a file; "-" is standard input. Returns false if it could not be opened or read (which is
 * reported), or the sink has stopped. `counts` has what was read until then. */
bool findings_read(const char *path, const struct findings_sink *sink,
                   struct findings_counts *counts);

/* Returns the rows of a shader's finding: texts by their keys; NULL: it has none. */
struct json_object *finding_rows(struct json_object *finding);
/* Returns the object that has the statement to show, as "spec" and "url". */
struct json_object *finding_statement(struct json_object *finding);

#endif
