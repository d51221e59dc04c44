/* The reporter as the room's own files see it: the way of a report from finding() to its listeners.
 * Threads: any; the reporter's locks are in the .c files, and no caller holds one. */
#ifndef ASSAY_REPORT_DELIVER_H
#define ASSAY_REPORT_DELIVER_H

#include "report/muting/mute.h"
#include "report/names/names.h"
#include "report/report.h"
#include "report/finding/reporter.h"

/* True if the id has been reported from this place (a hash) less often than the limit. Counts it in
 * any case. Nothing has been formatted yet. */
bool reporter_lets_through(struct reporter *reporter, enum vuid vuid, uint64_t place,
                           struct mute_told *told);
/* mute_counts_repeat() */
bool reporter_counts_repeat(struct reporter *reporter, enum vuid vuid, uint64_t place);
/* The setting duplicate_message_limit. */
uint32_t reporter_message_limit(const struct reporter *reporter);
/* Counts a finding that is not delivered (reporter_would_let_through returned false), where that is
 * because of the limit. */
void reporter_count_untold(struct reporter *reporter, enum vuid vuid);
/* Writes the report and calls the program's callbacks, without any lock held. Returns whether one
 * of them said VK_TRUE. */
bool reporter_deliver(struct reporter *reporter, const struct report *report);
/* True if the setting debug_action makes a call fail that had a finding of this severity. */
bool reporter_fails_call(const struct reporter *reporter, enum severity severity);
bool reporter_is_filtered(const struct reporter *reporter, enum vuid vuid);
/* The labels and tags that are silenced; NULL where nothing can be. */
struct muting *reporter_muting(const struct reporter *reporter);
/* True if there is a listener for this, and the id may be reported from any place at all. Counts
 * nothing. */
bool reporter_would_let_through(struct reporter *reporter, enum severity severity, enum vuid vuid);
/* Labels that are open in a queue or command buffer; none when either argument is NULL. The caller
 * frees them. */
struct label_list reporter_copy_labels(struct reporter *reporter, struct object *object);
const char *reporter_application(const struct reporter *reporter);

#endif
