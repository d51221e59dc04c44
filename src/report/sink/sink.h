/* A file or stream that findings are written to. */
#ifndef ASSAY_REPORT_SINK_H
#define ASSAY_REPORT_SINK_H

#include <stdio.h>

#include "settings/settings.h"

/* Threads: constant once open; writes of several threads are not mixed. */
struct sink {
    /* the program's standard output or error stream, so that findings and the program's own text
     * keep their order; NULL: `file` is used */
    FILE *stream;
    int file; /* owned descriptor; -1: there is none */
    bool color;
};

/* Opens `stdout`, `stderr` or a path. A file is emptied when this process opens it for the first
 * time, and appended to after that (a program may make several instances).
 * `local`: the name comes from a settings file that anybody may have written. It is opened only if
 * it is a regular file that lies in the working directory or below, without links, and is new or
 * begins as the layer's files do.
 * Returns NULL if the file is open, else a clause that says why it is not. */
const char *sink_open_log(struct sink *sink, const char *filename, bool local,
                          enum log_color color) MUST_CHECK;
/* The same for a file that is only ever appended to. */
const char *sink_open_json(struct sink *sink, const char *filename, bool local) MUST_CHECK;
/* The same, but a file that does not exist is not made. False: the file is not open. */
bool sink_open_existing(struct sink *sink, const char *filename) MUST_CHECK;
void sink_close(struct sink *sink);
/* Threads: chassis/fork.c. */
void sink_fork(enum fork_step step);
/* Writes all bytes in one piece; nothing if the sink is not open. */
void sink_write(const struct sink *sink, const char *bytes, size_t length);

#endif
