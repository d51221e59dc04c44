/* Remembers what the log has shown. It shows a finding in full once, and the repair once for each
 * id. After that it has a line after 10, 100, ... repetitions, with their number. Messengers of the
 * program and JSON lines get each report in full. */
#ifndef ASSAY_REPORT_SAID_H
#define ASSAY_REPORT_SAID_H

#include "report/report.h"

/* Hashes of what the log has shown. Threads: any. A key is a relaxed atomic that is set once. If
 * two threads set the same key at the same time, one of them is the first. */
struct said {
    _Atomic uint64_t *keys; /* owned; NULL: memory was out, and everything is shown in full */
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

/* A report as the log shows it. It is a copy of another report and points to its texts. */
struct said_report {
    struct report report;
    struct finding_details details;
    char mend[384]; /* the shortened text of the section `mend` */
};

/* Copies `report` without what the log has shown for an earlier finding of the id: the
 * specification's sentence, and a repair that differs in numbers and names only. Returns
 * `shown->report`. */
const struct report *said_leave_out(struct said *said, struct said_report *shown,
                                    const struct report *report);

#endif
