/* The functions of the reporter that only files of src/report/ call, to deliver a report to its
 * listeners. Threads: any; the functions take the reporter's locks themselves, and no caller holds
 * one. */
#ifndef ASSAY_REPORT_DELIVER_H
#define ASSAY_REPORT_DELIVER_H

#include "report/muting/mute.h"
#include "report/names/names.h"
#include "report/report.h"
#include "report/finding/reporter.h"

/* Counts a finding of the id from this place (a hash). Returns true if the limit was not reached
 * before, so that it is reported. */
bool reporter_lets_through(struct reporter *reporter, enum vuid vuid, uint64_t place,
                           struct mute_told *told);
/* Calls mute_counts_repeat() (report/muting/mute.h). */
bool reporter_counts_repeat(struct reporter *reporter, enum vuid vuid, uint64_t place);
/* Returns the setting duplicate_message_limit; 0: there is no limit. */
uint32_t reporter_message_limit(const struct reporter *reporter);
/* Counts a finding for which reporter_would_let_through() returned false, if the limit is the
 * reason. */
void reporter_count_untold(struct reporter *reporter, enum vuid vuid);
/* Writes the report and calls the program's callbacks, without any lock held. Returns whether one
 * of them said VK_TRUE. */
bool reporter_deliver(struct reporter *reporter, const struct report *report);
/* True if the setting debug_action makes a call fail that had a finding of this severity. */
bool reporter_fails_call(const struct reporter *reporter, enum severity severity);
bool reporter_is_filtered(const struct reporter *reporter, enum vuid vuid);
/* Returns the muting by labels and tags; NULL: memory was out, and nothing is muted. */
struct muting *reporter_muting(const struct reporter *reporter);
/* True if a listener wants this severity, and the id is not exhausted at all places. Counts
 * nothing. */
bool reporter_would_let_through(struct reporter *reporter, enum severity severity, enum vuid vuid);
/* Returns copies of the labels that are open in a queue or command buffer; none if either argument
 * is NULL. The caller frees `labels`. */
struct label_list reporter_copy_labels(struct reporter *reporter, struct object *object);
const char *reporter_application(const struct reporter *reporter);

#endif
