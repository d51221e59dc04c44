/* Hazards in arrays of descriptors, where only the shaders know which elements they access.
 *
 * With gpuav_enable shaders report which descriptors they have accessed (state/command/touched.h).
 * The reports can be read when the work is done. By then the layer has looked at everything else.
 * So all that such a queue does is played once more, in order, after the host has learnt that it is
 * done. That is in a context of its own, with what the shaders reported. Only hazards with at least
 * one access by such a descriptor are reported then: the others were reported before.
 *
 * - A recording has for that all its accesses in its stream (sync_context::keeps_all), and a note
 * of where its shaders say what they access (STREAM_TOUCHED).
 * - What the host knew to be done when work was submitted is before it: that is noted when it is
 * submitted.
 * - Queues are not compared with one another, nor work before a semaphore that a queue waits for
 *   with work after it. What cannot be known counts as ordered.
 * - Descriptors that were accessed may not change before the work is done. The host learns of that
 *   in a call at whose end all is read: what they hold then is what was accessed. What they name is
 *   compared with what the shader saw nevertheless.
 * - A recording may be executed several times before the reports are read (simultaneous use, or a
 *   program that learns otherwise that it is done). It then reports what all executions accessed.
 *   It is left out.
 *
 * Threads: sync_device::touched_lock over all of it, over no call of the program or to the driver.
 */
#ifndef ASSAY_SYNC_TOUCHED_H
#define ASSAY_SYNC_TOUCHED_H

#include "state/command/touched.h"
#include "sync/queue/queue.h"
#include "sync/report/report_facts.h"

/* One access by a descriptor, played. */
struct touched_access {
    uint64_t tag; /* all of one command have the same */
    struct sync_place place;
    uint64_t resource; /* id */
    struct access_source source;
    uint16_t usage;
};

/* One execution of a command buffer that was played, and is not known to be forgotten. */
struct touched_played {
    uint32_t number; /* upper half of its tags */
    uint64_t sequence;
    struct command_log *log;         /* held */
    struct touched_access *accesses; /* owned */
    uint32_t count, capacity;
};

/* A command buffer that was submitted, and is not known to be done. */
struct touched_item {
    /* stays readable: its memory is only ever used for command buffers */
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
    bool waits; /* for semaphores */
    uint32_t count;
    struct touched_item items[]; /* the arrays that items point to lie after the last item */
};

/* The accesses of shaders on one queue. */
struct touched_queue {
    struct sync_context context; /* first: is_done() finds the rest by it */
    struct sync_sink sink;
    struct queue *queue;
    struct touched_device *device;
    uint64_t live_tag; /* accesses with smaller tags are forgotten */
    uint32_t next_number;
    struct touched_batch *first, **last;
    uint32_t pending;
    struct touched_played *played; /* owned; by growing number */
    uint32_t played_count, played_capacity;
};

/* A hazard that is yet to be reported. */
struct touched_side {
    struct command_log *log; /* held */
    uint64_t tag;            /* in the context */
    uint64_t sequence;
    /* as the report shows it: by the descriptor, where the descriptor is known */
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
    /* owned; NULL before something was submitted there */
    struct touched_queue *queues[QUEUE_NUMBERS];
    const struct settings *settings;
    /* whose stream is being played, with tags from `base` on */
    struct sync_command_buffer *playing;
    uint64_t base;
    struct touched_played *now; /* the execution that `playing` belongs to */
    struct doubts doubts;
    uint32_t found_count;
    struct touched_found found[FOUND_LIMIT];
};

/* --- touched.c: what is heard of commands --- */

void touched_begins(struct call *call);
void touched_acts(struct call *call);
void touched_executes(struct call *call, uint32_t count, const VkCommandBuffer *command_buffers);
void touched_submits(struct call *call, uint32_t count, const VkSubmitInfo *submits, VkFence fence);
void touched_submits2(struct call *call, uint32_t count, const VkSubmitInfo2 *submits,
                      VkFence fence);
void touched_binds(struct call *call, uint32_t count, const VkBindSparseInfo *infos, VkFence fence);
/* Something may be known to be done. */
void touched_look(struct call *call);

/* --- touched_play.c --- */

/* Plays what is known to be done; hazards are in `found`. */
void touched_play(struct touched_device *touched);
void touched_batch_free(struct touched_batch *batch);
/* All that was played so far counts as ordered before what follows. */
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
