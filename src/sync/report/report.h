/* Writes the report of a hazard like that of a race. It has this access, the earlier one, the
 * barriers between the two, and why those were not enough. Then comes the mend, as code. A command
 * that has the same hazard with many parts of a resource is one report: its first part, and the
 * number of others. The functions that report call the program's callbacks: no lock may be held.
 * Threads: that of the call. */
#ifndef ASSAY_SYNC_REPORT_H
#define ASSAY_SYNC_REPORT_H

#include "sync/record/recording.h"

/* Hazards that are one report: accesses by one command to one resource in one way. */
struct hazard_group {
    const struct command_log *log; /* the log that has the command */
    uint32_t command_index;
    uint16_t usage;
    enum hazard kind;
    uint64_t resource; /* id */

    /* of the first hazard; later ones that directly follow it, with the same earlier access, are
     * joined to it */
    struct sync_place place;
    uint64_t prior_tag;
    uint32_t more; /* further ranges */
    bool muted;    /* a label that mute_labels names surrounds one of the two accesses */
};
enum vuid sync_hazard_id(enum hazard kind);
struct hazard_group hazard_group_of(const struct access_origin *origin,
                                    const struct sync_place *place,
                                    const struct sync_access *access,
                                    const struct sync_hazard *hazard);
/* Adds `found` to the group. Returns false if it belongs to another group. */
bool hazard_group_join(struct hazard_group *group, const struct hazard_group *found);

/* Notes a hazard that is found while a command buffer is recorded. `barrier` is that of a layout or
 * ownership transition; NULL for other accesses. */
void sync_note_hazard(struct recording *recording, const struct sync_place *place,
                      const struct sync_access *access, const struct sync_barrier *barrier,
                      const struct sync_hazard *hazard) COLD;
/* Called when the command ends: reports its hazards. Returns true if the call is to be skipped. */
bool sync_report_noted(struct recording *recording) COLD;

/* An access of work that was submitted. */
struct sync_submitted {
    /* `log` and `span` may be NULL: vkQueuePresentKHR, vkAcquireNextImageKHR */
    struct access_origin origin;
    /* the log of the submitted command buffer, even if `origin.log` belongs to a secondary */
    const struct command_log *submitted;
    uint64_t queue;      /* id; 0: not known */
    uint64_t submission; /* number of the submission on that queue, from 1; 0: not known */
};

/* An operation of a submission, or the host, on a semaphore. */
struct semaphore_operation {
    uint64_t semaphore, value; /* id, 0: unknown; the value is that of a timeline semaphore */
    /* for a wait for a timeline semaphore's value: the value of the signal that ends the wait; 0:
     * not known */
    uint64_t ended_by;
    VkPipelineStageFlags2 stages;
    uint64_t queue; /* id */
    uint64_t submission;
    bool wait;
    bool host; /* the operation is vkSignalSemaphore, which has no stages, queue or submission */
};
#define OPERATIONS_SHOWN 8

/* Finds the command of a tag. */
struct sync_resolver {
    /* the operations between the two accesses, the last ones first; may be NULL */
    const struct semaphore_operation *operations;
    uint32_t operation_count;

    /* Returns false if the command is not known any more. The objects that *submitted points to
     * must live until the report is made. */
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
