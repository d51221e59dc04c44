/* Words the report of a hazard. It reads as a report of a race does: this access, the earlier one,
 * what stood between the two, and why that was not enough. Then comes what mends it, as code. A
 * command that has the same hazard with many parts of a resource is one report: its first part, and
 * how many more there are. Those that report call the program's callbacks: no lock may be held.
 * Threads: that of the call. */
#ifndef ASSAY_SYNC_REPORT_H
#define ASSAY_SYNC_REPORT_H

#include "sync/record/recording.h"

/* Hazards that are one to a reader: what one command does to one resource in one way. */
struct hazard_group {
    const struct command_log *log; /* of the command */
    uint32_t command_index;
    uint16_t usage;
    enum hazard kind;
    uint64_t resource; /* id */

    /* of the first of them; those that follow it at once with the same earlier access are joined to
     * it */
    struct sync_place place;
    uint64_t prior_tag;
    uint32_t more; /* further ranges */
    bool muted;    /* one of the two lies within a label that mute_labels names */
};
enum vuid sync_hazard_id(enum hazard kind);
struct hazard_group hazard_group_of(const struct access_origin *origin,
                                    const struct sync_place *place,
                                    const struct sync_access *access,
                                    const struct sync_hazard *hazard);
/* False: `found` is of another group. */
bool hazard_group_join(struct hazard_group *group, const struct hazard_group *found);

/* Found while a command buffer is recorded. `barrier`: of a layout or ownership transition; NULL of
 * other accesses. */
void sync_note_hazard(struct recording *recording, const struct sync_place *place,
                      const struct sync_access *access, const struct sync_barrier *barrier,
                      const struct sync_hazard *hazard) COLD;
/* The command ends: tells of its hazards. */
bool sync_report_noted(struct recording *recording) COLD;

/* An access of work that was submitted. */
struct sync_submitted {
    /* `log` and `span` may be NULL: vkQueuePresentKHR, vkAcquireNextImageKHR */
    struct access_origin origin;
    /* the log of the submitted command buffer, also where `origin.log` belongs to a secondary */
    const struct command_log *submitted;
    uint64_t queue;      /* id; 0: not known */
    uint64_t submission; /* of that queue, from 1; 0: not known */
};

/* An operation of a submission, or the host, on a semaphore. */
struct semaphore_operation {
    uint64_t semaphore, value; /* id, 0: nothing is known of it; of a timeline semaphore */
    /* for a wait for a timeline semaphore's value: the value of the signal that ends the wait; 0:
     * not known */
    uint64_t ended_by;
    VkPipelineStageFlags2 stages;
    uint64_t queue; /* id */
    uint64_t submission;
    bool wait;
    bool host; /* vkSignalSemaphore: it has no stages, queue or submission */
};
#define OPERATIONS_SHOWN 8

/* Resolves what a tag stands for. */
struct sync_resolver {
    /* between the two, the last ones first; may be none */
    const struct semaphore_operation *operations;
    uint32_t operation_count;

    /* False: it is not known any more. What *submitted points to must live until the report is
     * made. */
    bool (*find)(const struct sync_resolver *resolver, uint64_t tag,
                 struct sync_submitted *submitted);
};

struct report_between; /* sync/report/report_facts.h */
struct report_mend;

/* Reports a hazard that is found when work is submitted or presented. `between` and `mend` (its
 * kind and subpasses) are for two accesses of one recording; else NULL. */
void sync_report_submitted_hazard(const struct call *call, const struct sync_resolver *resolver,
                                  const struct hazard_group *group,
                                  const struct sync_access *access,
                                  const struct sync_barrier *barrier,
                                  const struct sync_hazard *hazard,
                                  const struct report_between *between,
                                  const struct report_mend *mend) COLD;

#endif
