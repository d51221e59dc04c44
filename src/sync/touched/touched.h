/* Finds hazards in arrays of descriptors, where only the shaders know which elements they access.
 *
 * With gpuav_enable shaders report which descriptors they have accessed (state/command/touched.h).
 * The reports can be read when the work is done. By then the layer has checked everything else. So
 * the work of such a queue is played a second time, in order, after the host has learnt that it is
 * done. This play has a context of its own, with the accesses that shaders reported. Only hazards
 * with at least one access by such a descriptor are reported then: the others were reported before.
 *
 * - A recording keeps all its accesses in its stream for that (sync_context::keeps_all), and
 *   notes of where its shaders report their accesses (STREAM_TOUCHED).
 * - Work that the host knew to be done at a submission is ordered before it. That is noted when
 *   the work is submitted.
 * - Queues are not compared with one another. Neither is work before a semaphore wait of a queue
 *   with work after it. Accesses whose order cannot be known count as ordered.
 * - Descriptors that were accessed may not change before the work is done. The host learns that
 *   it is done in a call, at whose end all reports are read: the descriptors still have the same
 *   contents then. Nevertheless they are compared with the object that the shader saw.
 * - A recording may be executed several times before the reports are read (simultaneous use, or a
 *   program that learns in another way that it is done). The reports then mix the accesses of all
 *   executions, and are left out.
 *
 * Threads: all data is under sync_device::touched_lock, which is not held in calls to the program
 * or the driver. */
#ifndef ASSAY_SYNC_TOUCHED_H
#define ASSAY_SYNC_TOUCHED_H

#include "state/command/touched.h"
#include "sync/queue/queue.h"
#include "sync/report/report_facts.h"

/* One access by a descriptor in the play. */
struct touched_access {
    uint64_t tag; /* all accesses of one command have the same */
    struct sync_place place;
    uint64_t resource; /* id */
    struct access_source source;
    uint16_t usage;
};

/* One execution of a command buffer that was played, and whose accesses may still be known. */
struct touched_played {
    uint32_t number; /* the upper half of its tags */
    uint64_t sequence;
    struct command_log *log;         /* held */
    struct touched_access *accesses; /* owned */
    uint32_t count, capacity;
};

/* A submitted command buffer that is not known to be done. */
struct touched_item {
    /* may be read at any time: its memory is only ever used for command buffers */
    struct sync_command_buffer *recorded;
    /* the log of the submitted recording; held. NULL: the recording cannot be followed */
    struct command_log *log;
    /* the notes of the recording, and of the secondaries that it executes */
    struct touched_recording **of;
    uint32_t of_count;
};

struct touched_batch {
    struct touched_batch *next;
    uint64_t sequence;
    /* the sequence number up to which the queue was known to be done at the submission */
    uint64_t done;
    bool waits; /* the batch waits for semaphores */
    uint32_t count;
    struct touched_item items[]; /* the arrays that items point to lie after the last item */
};

/* The accesses of shaders on one queue. */
struct touched_queue {
    struct sync_context context; /* first: is_done() casts its address to the queue's */
    struct sync_sink sink;
    struct queue *queue;
    struct touched_device *device;
    uint64_t live_tag; /* accesses with smaller tags are forgotten */
    uint32_t next_number;
    struct touched_batch *first, **last;
    uint32_t pending;
    struct touched_played *played; /* owned; sorted by `number` */
    uint32_t played_count, played_capacity;
};

/* One side of a hazard that is not reported yet. */
struct touched_side {
    struct command_log *log; /* held */
    uint64_t tag;            /* the access's tag in the queue's context */
    uint64_t sequence;
    /* the entry as the report shows it: with the descriptor, if that is known */
    struct access_entry entry;
};
struct touched_found {
    struct hazard_group group;
    struct sync_access access;
    struct sync_barrier barrier;
    bool has_barrier, has_between;
    struct sync_hazard hazard;
    struct touched_side self, earlier;
    struct report_between between;
    struct report_mend mend;
    uint64_t queue; /* id */
};

struct touched_device {
    /* owned; NULL until work is submitted to the queue */
    struct touched_queue *queues[QUEUE_NUMBERS];
    const struct settings *settings;
    /* the recording whose stream is being played, with tags from `base` on */
    struct sync_command_buffer *playing;
    uint64_t base;
    struct touched_played *now; /* the execution that `playing` belongs to */
    struct doubts doubts;
    uint32_t found_count;
    struct touched_found found[FOUND_LIMIT];
};

/* --- touched.c: hooks of commands --- */

void touched_begins(struct call *call);
void touched_acts(struct call *call);
void touched_executes(struct call *call, uint32_t count, const VkCommandBuffer *command_buffers);
void touched_submits(struct call *call, uint32_t count, const VkSubmitInfo *submits, VkFence fence);
void touched_submits2(struct call *call, uint32_t count, const VkSubmitInfo2 *submits,
                      VkFence fence);
void touched_binds(struct call *call, uint32_t count, const VkBindSparseInfo *infos, VkFence fence);
/* Called when work may have become known to be done: plays it, and reports. */
void touched_look(struct call *call);

/* --- touched_play.c --- */

/* Plays work that is known to be done; the hazards are kept in `found`. */
void touched_play(struct touched_device *touched);
void touched_batch_free(struct touched_batch *batch);
/* Forgets all accesses played so far: they count as ordered before later ones. */
void touched_forget(struct touched_queue *queue);
struct touched_queue *touched_queue_new(struct touched_device *touched, struct queue *queue);
void touched_queue_free(struct touched_queue *queue);

/* --- touched_report.c --- */

/* Keeps a hazard, which is reported when no lock is held. */
void touched_note_hazard(struct touched_queue *queue, const struct sync_place *place,
                         const struct sync_access *access, const struct sync_barrier *barrier,
                         const struct sync_hazard *hazard);
void touched_tell(const struct call *call, struct touched_found *found);

#endif
