/* The accesses of a device's queues to memory, one after the other and side by side.
 *
 * One context (sync/access/access_context.h) holds the accesses of all work that was submitted and
 * is not known to be done. A submission is looked at before the call goes down: what each batch
 * waits for, what its command buffers do, and what it signals. (Their contexts are replayed.) A
 * batch may wait for a value of a timeline semaphore that nothing submitted so far signals. It is
 * then set aside, with all that comes later on its queue, until that signal is submitted (struct
 * queue_batch).
 *
 * - Queues of the context are the state tracker's numbers (queue::number). From PRESENT_QUEUES on
 *   they are the presentation engine: one for the images of one index.
 * - Each command buffer that is executed has a slot, whose number is the upper half of its
 *   accesses' tags. Slots of a queue lie in a ring, by growing number, and so by growing sequence
 *   number. What the host has waited for is a matter of one comparison (queue_track::live_tag), and
 *   leaves the ring.
 * - What cannot be known (memory was out, a command buffer that the layer could not follow,
 *   payloads that other processes share) counts as ordered.
 *
 * - A command buffer that can collide with nothing that is known is not played. It is parked with
 *   its queue until other work could collide with it, or until it is done (queue_park.c).
 *
 * Threads: a thread that processes a submission holds `lock`, and then the locks of all tracks that
 * have a queue, by growing number. It holds them over no call of the program or to the driver:
 * findings are kept, and reported after that (submit_report.c). So one of the tracks' locks is
 * enough to read what is written with all of them, and to park in that track. */
#ifndef ASSAY_SYNC_QUEUE_H
#define ASSAY_SYNC_QUEUE_H

#include "base/lock.h"
#include "state/submit/submission.h"
#include "sync/report/report.h"

#define PRESENT_QUEUES 240 /* of QUEUE_NUMBERS; queues with such numbers are not looked at */
static_assert(PRESENT_QUEUES < QUEUE_NUMBERS, "both have numbers");

/* One execution of a command buffer, or a present, or an acquire. */
struct queue_slot {
    uint32_t number;
    uint32_t batch, index;   /* of the call's submits; of the batch's command buffers */
    uint64_t sequence;       /* of the submission; UINT64_MAX: never done of itself */
    struct command_log *log; /* held */
    struct queue *queue;     /* where it was submitted to; NULL: nowhere (an acquire) */
    bool used;               /* while slots are swept: some access is known */
    bool muted;              /* a label was open in the queue that mute_labels names */
};

/* A semaphore of a batch. */
struct batch_semaphore {
    uint64_t id;
    uint64_t value; /* of a timeline semaphore */
    VkPipelineStageFlags2 stages;
    bool timeline;
};

/* A command buffer of a batch. */
struct batch_command_buffer {
    struct command_buffer *command_buffer; /* its memory stays a command buffer's */
    struct command_log *log; /* of the recording that was submitted; held while the batch is
                                pending. NULL: it cannot be followed */
};

/* An image that is presented. */
struct batch_image {
    struct sync_place place;
    uint64_t image; /* id */
    uint8_t number; /* of the presentation engine's queue */
};

/* Part of a submission, sparse binding or present, in one form. Arrays lie in the same block where
 * it was copied, else in scratch memory. */
struct queue_batch {
    struct queue_batch *next; /* of those that are pending on the queue */
    struct queue *queue;
    uint64_t sequence;
    const void *caller;
    enum command command;
    uint32_t index; /* in the call */
    bool muted;     /* as queue_slot::muted */
    uint32_t wait_count, signal_count, command_buffer_count, image_count;
    struct batch_semaphore *waits, *signals;
    struct batch_command_buffer *command_buffers;
    struct batch_image *images;
};

/* An execution that nothing collides with so far. */
struct parked {
    /* without a number; `log` held; NULL: nothing is parked */
    struct queue_slot slot;
    struct sync_command_buffer *recorded; /* its memory stays a command buffer's */
};

/* What the context knows of one queue. Lock: `lock`, over all of it; of a presentation engine's,
 * which has no submissions, the device's. */
struct queue_track {
    _Alignas(64) struct lock lock;
    struct parked parked; /* played after all `slots`, and before anything else */
    struct queue *queue;  /* NULL: of the presentation engine, or never used */
    /* sequence number: all up to it is known to be done; as of the last refresh */
    uint64_t done;
    uint64_t live_tag;                          /* accesses with smaller tags are done */
    struct queue_slot *slots;                   /* a ring; owned */
    uint32_t first, count, capacity;            /* of `slots`; a power of two */
    struct queue_batch *pending, **pending_end; /* owned; `pending_end`: where the next one goes */
    uint32_t pending_count;
};

/* A signal that was submitted, of which waits are to come. */
struct signal_point {
    uint64_t value;
    uint64_t sequence;
    uint8_t queue;
    uint8_t snapshot;
};

/* Signals of a timeline semaphore that are distinguished: of earlier ones, waits take the next
 * later one for theirs. */
#define SEMAPHORE_POINTS 8
struct sync_semaphore {
    uint64_t id;              /* 0: the entry is free */
    uint32_t pending_signals; /* by batches that are pending */
    uint32_t point_count;
    struct signal_point points[SEMAPHORE_POINTS]; /* by growing value; one of a binary semaphore */
};

/* The last operations on semaphores are kept, for reports to show what there was. */
#define OPERATIONS_KEPT 64 /* a power of two */

/* An image that was acquired with a fence: the app may touch it when that is signaled. */
struct acquired_image {
    uint64_t fence; /* id; 0: none */
    uint64_t space;
};
#define ACQUIRED_IMAGES 16 /* of more nothing is said */

/* A hazard that is yet to be reported. */
struct found_side {
    struct queue_slot slot; /* `log` held; number 0: not known */
};
struct found_hazard {
    struct hazard_group group;
    struct sync_access access;
    struct sync_barrier barrier;
    bool has_barrier;
    struct sync_hazard hazard;
    struct found_side self, earlier;
    uint32_t operation_count;
    /* signals after the earlier one, waits before this one and their signals */
    struct semaphore_operation operations[OPERATIONS_SHOWN];
};
#define FOUND_LIMIT 12 /* of one call; more would say little */

/* One call that submits. */
struct processing {
    struct sync_device *sync;
    const struct call *call;
    struct doubts doubts;
    uint32_t found_count;
    struct found_hazard found[FOUND_LIMIT];
};

struct touched_device; /* sync/touched/touched.h */
struct owners;         /* sync/queue/owners.h */

#define SPACE_OWNERS  1024 /* a power of two */
#define OWNER_SEVERAL UINT8_MAX

/* Sub-state of a device: device_state::sync. Lock: `lock` and the tracks', over all of it but what
 * says otherwise; any one of them to read `next_slot`, `pending_count` and `crossed`. */
struct sync_device {
    struct sync_context context; /* first: is_done() finds the rest by it */
    struct sync_sink sink;
    const struct device *device;   /* const */
    struct processing *processing; /* of the thread that holds the lock */
    struct lock lock;
    /* sync/touched/touched.h; owned; NULL before something was submitted that it looks at. */
    struct touched_device *touched GUARDED_BY(lock);
    struct lock owned_lock; /* taken after all others */
    /* sync/queue/owners.h: whose resources are; owned; NULL before it was first needed. */
    struct owners *owned GUARDED_BY(owned_lock);
    struct sync_device *next, **previous; /* of all devices. Lock: queue.c, devices_lock */
    uint32_t next_slot;                   /* from 1 */
    /* Of what is in slots with smaller numbers, the host may have learnt by events or queries that
     * it is done. */
    uint32_t host_seen GUARDED_BY(lock);
    /* in all rings. Relaxed; a track's lock is enough to take some out of its ring */
    _Atomic uint32_t slot_count;
    uint32_t kept_slots GUARDED_BY(lock);               /* after the last sweep */
    uint32_t pending_count;                             /* batches, on all queues */
    struct sync_semaphore *semaphores GUARDED_BY(lock); /* open addressing by id; owned */
    uint32_t semaphore_count GUARDED_BY(lock), semaphore_capacity GUARDED_BY(lock);
    struct semaphore_operation operations[OPERATIONS_KEPT] GUARDED_BY(lock); /* a ring */
    /* of all that ever were */
    uint32_t operation_count GUARDED_BY(lock);
    struct acquired_image acquired[ACQUIRED_IMAGES] GUARDED_BY(lock);
    _Atomic uint32_t acquired_count; /* read without the lock */
    uint32_t track_end;              /* queues that were submitted to have smaller numbers */
    /* a queue may have ordered something after what another one did, that is not known to be done
     */
    bool crossed;
    bool several; /* among `owners` */
    /* By hash of a space: number of the only queue whose accesses there may not be done, 0 = there
     * are none. Relaxed; queue_park.c */
    _Atomic uint8_t owners[SPACE_OWNERS];
    struct queue_track tracks[QUEUE_NUMBERS];
};
static_assert(QUEUE_NUMBERS - 1 <= OWNER_SEVERAL,
              "numbers fit; the last one of a presentation engine counts as several");

/* --- queue.c --- */

/* Takes the locks of all devices, and lets go of them. Threads: chassis/fork.c. */
void sync_devices_fork(enum fork_step step);

/* Takes the lock, and learns what is done. False: there is nothing to be said (switched off, device
 * lost, memory is out). */
bool processing_begin(struct processing *processing, const struct call *call) MUST_CHECK
    TRY_ACQUIRE(true, processing->sync->lock);
/* The device's, made where it has not been; NULL where there is nothing to be said. */
struct sync_device *sync_device_make(const struct call *call);
/* Lets go of the lock, and tells what was found. */
void processing_end(struct processing *processing) RELEASE(processing->sync->lock);

/* Nothing that was submitted so far is known any more; it counts as done. */
void sync_device_forget(struct sync_device *sync) REQUIRES(sync->lock);

/* A queue that is submitted to for the first time. */
void sync_device_add_queue(struct sync_device *sync, struct queue *queue) REQUIRES(sync->lock);

/* A slot for what is executed on a queue; its tags begin after base << 32. The log is held. 0:
 * memory is out, and everything forgotten. */
uint64_t sync_device_add_slot(struct sync_device *sync, uint8_t number,
                              const struct queue_slot *slot) MUST_CHECK REQUIRES(sync->lock);

/* Learns what is done on a queue: its slots go, and their accesses are forgotten when somebody
 * looks at them. The track's lock is enough. */
void queue_refresh(struct sync_device *sync, struct queue_track *track);

/* The device's, where it has been made; NULL otherwise, and where nothing is to be said of
 * submissions. */
struct sync_device *sync_device_made(const struct call *call);

/* --- queue_park.c --- */

/* Takes no lock but the track's, and leaves it at that. `slot` without a number. False: the
 * submission has to be processed. */
bool queue_park(const struct call *call, const struct queue_slot *slot,
                struct sync_command_buffer *recorded) MUST_CHECK;
/* The same while it is processed. */
bool queue_park_here(struct sync_device *sync, const struct queue_slot *slot,
                     struct sync_command_buffer *recorded) MUST_CHECK;
/* The command buffer is about to be recorded again: it is parked nowhere then. */
void queue_unpark(const struct call *call, struct sync_command_buffer *recorded);
/* What is parked is played, but for what is done. */
void queue_play_parked(struct sync_device *sync) REQUIRES(sync->lock);
void queue_drop_parked(struct queue_track *track);
/* Queue `number` is about to access the space. */
void queue_claim(struct sync_device *sync, uint64_t space, uint8_t number);

/* --- queue_semaphore.c --- */

/* True if it can be waited for now. False: its signal has not been submitted. */
bool queue_wait_is_ready(struct sync_device *sync, const struct batch_semaphore *wait)
    REQUIRES(sync->lock);
/* Operations on queue `number`, `dst` scope, come after the signal. No stages: nothing happens. */
void queue_wait_semaphore(struct sync_device *sync, const struct batch_semaphore *wait,
                          uint8_t number, const struct sync_scope *dst) REQUIRES(sync->lock);
/* The batch has waited: a binary semaphore is unsignaled. */
void queue_wait_ends(struct sync_device *sync, const struct batch_semaphore *wait)
    REQUIRES(sync->lock);
/* `scope`: of what comes before on its queue. */
void queue_signal_semaphore(struct sync_device *sync, const struct batch_semaphore *signal,
                            uint64_t sequence, const struct sync_barrier *scope)
    REQUIRES(sync->lock);
/* Nothing is known of what was signaled so far but that it is done. */
void queue_semaphores_forget(struct sync_device *sync) REQUIRES(sync->lock);
/* A batch that is set aside will signal it (by -1: does no more). */
void queue_semaphore_expect(struct sync_device *sync, const struct batch_semaphore *signal, int by)
    REQUIRES(sync->lock);

/* --- queue_batch.c --- */

/* What the command buffer does, happens now, on the slot's queue. */
void queue_play(struct sync_device *sync, struct sync_command_buffer *recorded,
                const struct queue_slot *slot) REQUIRES(sync->lock);

/* The batch does what it does, or is set aside as a copy. */
void queue_batch_submit(struct processing *processing, const struct queue_batch *batch)
    REQUIRES(processing->sync->lock);
/* The host signals a timeline semaphore, by id: reports show it. */
void queue_note_host_signal(struct sync_device *sync, uint64_t semaphore, uint64_t value)
    REQUIRES(sync->lock);
/* Batches that were set aside, and need not be any longer. */
void queue_batches_run(struct processing *processing) REQUIRES(processing->sync->lock);
void queue_batch_free(struct queue_batch *batch);

/* True if this is the number of a queue that is looked at. */
static inline bool queue_is_followed(const struct queue *queue)
{
    return queue && queue->number && queue->number < PRESENT_QUEUES;
}

/* --- submit.c --- */

/* The number of a batch of the call that is being made. The state tracker has given its batches the
 * last numbers of the queue, and their fence one more. `later`: sequence numbers that the call was
 * given after this batch's. */
uint64_t batch_sequence(const struct queue *queue, const struct batch *batch, uint32_t later);

/* --- touched.c --- */

void touched_device_free(struct touched_device *touched); /* NULL: nothing happens */

/* --- submit_report.c --- */

void sync_report_submitted(const struct call *call, const struct found_hazard *found) COLD;

#endif
