/* An instance's reports are summed up in the end: how often each finding came that was reported no
 * more, and which checks were on. So a log that is empty can be distinguished from a layer that was
 * not there. */
#ifndef ASSAY_REPORT_TALLY_H
#define ASSAY_REPORT_TALLY_H

#include <stdatomic.h>
#include <sys/types.h>

#include "report/muting/mute.h"
#include "report/report.h"
#include "report/sink/sink.h"

/* A finding as it was reported for the second or the last time. One allocation. */
struct last_told {
    uint32_t told;     /* how often the finding came, if this was the last time; else 0 */
    const char *id;    /* as the log says it */
    const char *place; /* message_write_place */
    /* its line without the brace at the end; NULL when there is no JSON lines file */
    const char *json;
};

/* Threads: counters are relaxed atomics; the rest is set within externally synchronised calls. */
struct tally {
    /* `assay run` makes a file beside the JSON lines file, of its name and ".record". The layer
     * appends a line of JSON to it when an instance or a device was made, and when an instance
     * ends. Without such a file nothing is written. */
    struct sink record;
    pid_t process; /* that made the instance */
    bool begun;    /* the instance was made */
    /* the program has, or had, a messenger of its own. Lock: the lock of the reporter */
    bool has_listened;
    _Atomic bool ended; /* all has been reported */
    _Atomic uint32_t devices;
    _Atomic uint64_t findings;
};

/* Where the end is reported. */
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
/* Counts a finding that is reported. What the end says of its place is kept, where `kept`. */
void tally_count(struct tally *tally, const struct report *report, bool kept, bool with_json);
/* Tells the end. The second time, and when the instance never was, nothing. */
void tally_tell(struct tally *tally, const struct tally_ways *ways);
/* Called in the child of a fork: the child counts only its own findings. */
void tally_fork_child(struct tally *tally);

#endif
