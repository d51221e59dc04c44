/* Sums up the reports of an instance when it ends: how often each finding came beyond the limit,
 * and which checks were on. So an empty log differs from a run without the layer. */
#ifndef ASSAY_REPORT_TALLY_H
#define ASSAY_REPORT_TALLY_H

#include <stdatomic.h>
#include <sys/types.h>

#include "report/muting/mute.h"
#include "report/report.h"
#include "report/sink/sink.h"

/* A finding as it was reported for the second or the last time. One allocation. */
struct last_told {
    /* how often the finding had come, if this is the last report of it; else 0 */
    uint32_t told;
    const char *id;    /* the id's name */
    const char *place; /* message_write_place */
    /* the report's JSON line without its closing brace; NULL: there is no JSON lines file */
    const char *json;
};

/* The counts of an instance. Threads: counters are relaxed atomics; the rest is set within
 * externally synchronised calls. */
struct tally {
    /* The record file. `assay run` makes it beside the JSON lines file, with ".record" after that
     * name. The layer appends a line of JSON when an instance or a device is made, and when an
     * instance ends. If the file does not exist, nothing is written. */
    struct sink record;
    pid_t process; /* the process that made the instance */
    bool begun;    /* the instance was made */
    /* the program has, or had, a messenger of its own. Lock: the lock of the reporter */
    bool has_listened;
    _Atomic bool ended; /* the totals have been reported */
    _Atomic uint32_t devices;
    _Atomic uint64_t findings;
};

/* Where the totals are reported, and what from. */
struct tally_ways {
    const struct sink *log; /* NULL: nowhere */
    const struct sink *json;
    struct mute *mute;
    const struct settings *settings;
    const char *application; /* may be NULL */
};

void tally_open(struct tally *tally, const struct settings *settings);
void tally_close(struct tally *tally);
void tally_begin(struct tally *tally, const struct settings *settings, const char *application);
void tally_count_device(struct tally *tally);
/* Counts a finding that is reported. If `kept`, the report is kept for the totals of its place,
 * with its JSON line if `with_json`. */
void tally_count(struct tally *tally, const struct report *report, bool kept, bool with_json);
/* Reports the totals. Does nothing the second time, or if the instance was never made. */
void tally_tell(struct tally *tally, const struct tally_ways *ways);
/* Called in the child of a fork: the child counts only its own findings. */
void tally_fork_child(struct tally *tally);

#endif
