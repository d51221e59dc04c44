/* Remembers what the log has said. People read a finding in full once, and the mend once an id.
 * After that the log has a line now and then, with how often it came. Messengers of the program and
 * JSON lines get each report whole. */
#ifndef ASSAY_REPORT_SAID_H
#define ASSAY_REPORT_SAID_H

#include "report/report.h"

/* Threads: any. A key is set once, and is a relaxed atomic: where two threads say the same at the
 * same time, one of them is the first. */
struct said {
    _Atomic uint64_t *keys; /* owned; NULL when memory was out: everything is said in full */
};

void said_init(struct said *said);
void said_free(struct said *said);

enum saying {
    SAY_NOTHING,
    SAY_COUNT, /* a line that says how often the report came so far */
    SAY_ALL,
};

/* Decides how the log writes this report, and notes that it does. */
enum saying said_how(struct said *said, const struct report *report) MUST_CHECK;

/* A report as the log says it: a copy of another one, whose texts it points to. */
struct said_report {
    struct report report;
    struct finding_details details;
    char mend[384]; /* the text of a section of `details` */
};

/* Leaves out what an earlier finding of the same id has said: the specification's sentence, and
 * what mends it where that differs in numbers and names only. Gives `shown->report`. */
const struct report *said_leave_out(struct said *said, struct said_report *shown,
                                    const struct report *report);

#endif
