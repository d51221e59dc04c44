/* Tracks the accesses of a device's queues to memory, in the order of each queue and between
 * queues.
 *
 * A context (sync/access/access_context.h) holds the accesses of work that was submitted and is not
 * known to be done. A submission is processed before the call goes down: the waits of each batch,
 * its command buffers (their contexts are replayed), and its signals. A batch may wait for a value
 * of a timeline semaphore that nothing submitted so far signals. It is then set aside, with all
 * that comes later on its queue, until that signal is submitted (struct queue_batch).
 *
 * - Queues have the state tracker's numbers (queue::number). Numbers from PRESENT_QUEUES on are
 *   the presentation engine's: one for all images with the same index.
 * - Each command buffer that is executed has a slot, whose number is the upper half of its
 *   accesses' tags. Slots of a queue lie in a ring, by growing number, and so by growing sequence
 *   number. One comparison shows that the host has waited for a slot (queue_track::live_tag), and
 *   the slot leaves the ring.
 * - Work counts as ordered if its order cannot be known: memory was out, the layer could not
 *   follow a command buffer, or other processes share a payload.
 *
 * - A command buffer that can collide with no known work is not played. It is parked with its
 *   queue until other work could collide with it, or until it is done (queue_park.c).
 *
 * Groups: a context and what belongs to it are a group (struct sync_group). A queue begins with a
 * group of its own, and goes over to the shared one when it has to do with other queues.
 * queue_group.c says which queues these are, and why the findings stay the same. So threads that
 * submit unrelated work do not contend.
 *
 * Threads: a thread that processes a submission holds the lock of the queue's group. It does not
 * hold the lock during calls to the program or the driver: findings are kept, and reported after
 * that (submit_report.c). A thread that holds the shared group's lock may take the locks of queues'
 * own groups. A thread that holds only the lock of a queue's own group takes no other group's lock.
 * `claims_lock` and `owned_lock` are taken after all of these. */
#ifndef ASSAY_SYNC_QUEUE_H
#define ASSAY_SYNC_QUEUE_H

#include "base/lock.h"
#include "state/submit/submission.h"
#include "sync/report/report.h"

/* The first queue number for presents, up to QUEUE_NUMBERS. A program's queue with such a number is
 * not followed. */
#define PRESENT_QUEUES 240
static_assert(PRESENT_QUEUES < QUEUE_NUMBERS, "both have numbers");

/* One execution of a command buffer, or a present, or an acquire. */
struct queue_slot {
    uint32_t number;
    uint32_t looks;          /* sync_device::host_looks when it was submitted */
    uint32_t batch, index;   /* indices of the call's submit, and of the batch's command buffer */
    uint64_t sequence;       /* of the submission; UINT64_MAX: it is never known to be done */
    struct command_log *log; /* held */
    struct queue *queue;     /* queue of the submission; NULL: none (an acquire) */
    bool used;               /* while slots are swept: a record of the context refers to it */
    bool muted;              /* a label that mute_labels names was open in the queue */
};

/* A wait or signal of a batch. */
struct batch_semaphore {
    uint64_t id;
    uint64_t value; /* for a timeline semaphore */
    VkPipelineStageFlags2 stages;
    bool timeline;
};

/* A command buffer of a batch. */
struct batch_command_buffer {
    /* may be read at any time: its memory is only ever used for command buffers */
    struct command_buffer *command_buffer;
    /* the log of the submitted recording; held while the batch is pending. NULL: it cannot be
     * followed */
    struct command_log *log;
};

/* An image that is presented. */
struct batch_image {
    struct sync_place place;
    uint64_t image; /* id */
    uint8_t number; /* number of the presentation engine's queue */
};

/* One batch of a submission, sparse binding or present, in a common form. The arrays of a copied
 * batch lie in the same memory block, otherwise in scratch memory. */
struct queue_batch {
    struct queue_batch *next; /* the next batch that is pending on the queue */
    struct queue *queue;
    uint64_t sequence;
    const void *caller;
    enum command command;
    uint32_t index; /* index of the batch in the call */
    bool muted;     /* as queue_slot::muted */
    uint32_t wait_count, signal_count, command_buffer_count, image_count;
    struct batch_semaphore *waits, *signals;
    struct batch_command_buffer *command_buffers;
    struct batch_image *images;
};

/* A submitted command buffer that is not played, as nothing collides with it so far. */
struct parked {
    /* the slot has no number yet; `log` is held; NULL: nothing is parked */
    struct queue_slot slot;
    /* may be read at any time: its memory is only ever used for command buffers */
    struct sync_command_buffer *recorded;
};

/* The most ranges that a claim has. A claim has the ranges of one space that a queue accesses, or a
 * semaphore, as [0, 1). Further ranges enlarge the nearest one. */
#define CLAIM_RANGES 4
struct claim {
    uint64_t id; /* of the space or semaphore; 0: the entry is free */
    uint32_t count;
    struct claim_range {
        uint64_t begin, end;
    } ranges[CLAIM_RANGES];
};

/* An open-addressing table by id. */
struct claims {
    struct claim *entries;
    uint32_t count, capacity; /* the capacity is a power of two, or 0 */
    bool everything;          /* memory was out: the queue counts as having claimed everything */
    /* Changes with each claim that is taken from the queue: the queue's number in 8 bits, and how
     * often that was. */
    uint64_t stamp;
};

struct sync_group;

/* The data of one queue. Lock: the lock of its group, but for members that say otherwise. */
struct queue_track {
    /* The queue's group; NULL: nothing was submitted so far. It changes with both groups' locks
     * held. So a thread that holds a group's lock, and finds that group here, may use the track.
     * Release, acquire. */
    _Alignas(64) _Atomic(struct sync_group *) group;
    /* the queue's own group, made with the first submission; owned. Lock: the lock of the shared
     * group */
    struct sync_group *own;
    struct parked parked; /* played after all `slots`, and before any other work */
    struct queue *queue;  /* NULL: the presentation engine's, or never used */
    /* as of the last refresh, submissions with sequence numbers up to this one are done */
    uint64_t done;
    uint64_t live_tag; /* accesses with smaller tags are done */
    /* slot numbers that the queue may still give out, without `numbers_end` */
    uint32_t next_number, numbers_end;
    struct queue_slot *slots;        /* a ring; owned */
    uint32_t first, count, capacity; /* of `slots`, whose capacity is a power of two */
    /* owned; `pending_end` is where the next batch is linked in */
    struct queue_batch *pending, **pending_end;
    uint32_t pending_count;
    /* Lock: a reader holds the group's lock or claims_lock; a writer holds both. */
    struct claims claims;
    /* The newest slot number that the queue may have ordered something after, on other queues; 0:
     * none. */
    uint32_t crossed_slot;
    /* Number of calls since the queue joined the shared group, and how often it has left that
     * group. */
    uint32_t calls, times_left;
};

/* A submitted signal that later waits can refer to. */
struct signal_point {
    uint64_t value;
    uint64_t sequence;
    uint8_t queue;
    uint8_t snapshot;
};

/* The most signals of a timeline semaphore that are kept. A wait for a signal that was dropped uses
 * the next later one. */
#define SEMAPHORE_POINTS 8
struct sync_semaphore {
    uint64_t id;              /* 0: the entry is free */
    uint32_t pending_signals; /* number of signals by pending batches */
    bool timeline;
    uint32_t point_count;
    /* sorted by value; a binary semaphore has one point */
    struct signal_point points[SEMAPHORE_POINTS];
};

/* Number of the last operations on semaphores that are kept, for reports. */
#define OPERATIONS_KEPT 64 /* a power of two */

/* An image that was acquired with a fence: the program may use it when the fence is signaled. */
struct acquired_image {
    uint64_t fence; /* id; 0: none */
    uint64_t space;
};
#define ACQUIRED_IMAGES 16 /* no more acquired images than these are followed */

/* The side of one access in a hazard that is not reported yet. */
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
    /* signals after the earlier access, waits before this one, and the signals of these waits */
    struct semaphore_operation operations[OPERATIONS_SHOWN];
};
#define FOUND_LIMIT 12 /* the most hazards that one call reports; more would say little */

/* One call that submits work. */
struct processing {
    struct sync_group *group; /* the thread holds its lock */
    const struct call *call;
    struct doubts doubts;
    uint32_t found_count;
    struct found_hazard found[FOUND_LIMIT];
};

struct touched_device; /* sync/touched/touched.h */
struct owners;         /* sync/queue/owners.h */

/* The context of one queue, or the shared context of all others, with its data. Lock: `lock`, over
 * all members but those that say otherwise. */
struct sync_group {
    struct sync_context context; /* first: is_done() casts its address to the group's */
    struct sync_sink sink;
    struct sync_device *device; /* const */
    struct queue_track *tracks; /* const: sync_device::tracks */
    uint8_t queue;              /* const: number of the group's only queue; 0: the shared group */
    struct processing *processing; /* of the thread that holds the lock */
    struct lock lock;
    uint32_t slot_count;                                /* number of slots in all rings */
    uint32_t kept_slots GUARDED_BY(lock);               /* number of slots after the last sweep */
    uint32_t pending_count;                             /* number of batches on all queues */
    struct sync_semaphore *semaphores GUARDED_BY(lock); /* open addressing by id; owned */
    uint32_t semaphore_count GUARDED_BY(lock), semaphore_capacity GUARDED_BY(lock);
    struct semaphore_operation operations[OPERATIONS_KEPT] GUARDED_BY(lock); /* a ring */
    /* number of all operations that ever were; in a queue's own group, operations before number
     * `first_operation` were copied from the shared group */
    uint32_t operation_count GUARDED_BY(lock), first_operation GUARDED_BY(lock);
    /* a queue may have ordered work after work of another queue that is not known to be done */
    bool crossed;
};

/* The data of a device: sync_device of device_state. */
struct sync_device {
    struct sync_group shared;
    const struct device *device; /* const */
    struct lock touched_lock;
    /* sync/touched/touched.h; owned; NULL until work is submitted that it looks at. */
    struct touched_device *touched GUARDED_BY(touched_lock);
    struct lock claims_lock; /* guards the tracks' claims (queue_track::claims) */
    struct lock owned_lock;  /* taken after all other locks */
    /* sync/queue/owners.h: the owners of resources; owned; NULL until it is needed. */
    struct owners *owned GUARDED_BY(owned_lock);
    /* links of the list of all devices. Lock: queue.c, devices_lock */
    struct sync_device *next, **previous;
    /* Counts how often the host has asked an event or a query whether work is done. Relaxed: a
     * thread that acts on another thread's answer is ordered after it anyhow. */
    _Atomic uint32_t host_looks;
    /* The next number of a slot, from 1 on. Queues take SLOTS_TAKEN numbers at a time. Relaxed: the
     * numbers of one queue grow, as they are taken with the lock of its group held. It has a cache
     * line of its own, as all threads write it. */
    _Alignas(CACHE_LINE) _Atomic uint32_t next_slot;
    _Alignas(CACHE_LINE) struct acquired_image
        acquired[ACQUIRED_IMAGES];   /* Lock: the lock of the shared group */
    _Atomic uint32_t acquired_count; /* read without the lock */
    /* Numbers of queues that were submitted to are smaller than this. Lock: as for
     * queue_track::claims, with the lock of the shared group. */
    uint32_t track_end;
    struct queue_track tracks[QUEUE_NUMBERS];
};

/* --- queue.c --- */

/* Takes or releases the locks of all devices, by step. Threads: chassis/fork.c. */
void sync_devices_fork(enum fork_step step);

/* Takes the lock of the shared group, joins the queue to it (NULL: no queue), and learns which work
 * is done. Returns false if nothing is to be checked: it is switched off, the device is lost, or
 * memory is out. */
bool processing_begin(struct processing *processing, const struct call *call,
                      struct queue *queue) MUST_CHECK TRY_ACQUIRE(true, processing->group->lock);
/* Takes the lock of the queue's group, and learns which work is done. Returns false if nothing is
 * to be checked. */
bool processing_begin_queue(struct processing *processing, const struct call *call,
                            struct queue *queue) MUST_CHECK
    TRY_ACQUIRE(true, processing->group->lock);
/* Returns the data of the call's device, made if it does not exist; NULL if nothing is to be
 * checked. */
struct sync_device *sync_device_make(const struct call *call);
/* Releases the lock, and reports the findings. */
void processing_end(struct processing *processing) RELEASE(processing->group->lock);

/* Forgets all work that was submitted to the group's queues: it counts as done. */
void sync_group_forget(struct sync_group *group) REQUIRES(group->lock);

/* Makes an empty group; NULL: memory is out. */
struct sync_group *sync_group_new(struct sync_device *device, uint8_t queue);

/* Adds a slot for work that is executed on a queue, and holds its log. Returns the slot's number:
 * its tags begin after that << 32. Returns 0 if memory is out; the group has forgotten everything
 * then. */
uint64_t sync_group_add_slot(struct sync_group *group, uint8_t number,
                             const struct queue_slot *slot) MUST_CHECK REQUIRES(group->lock);

/* Learns which work is done on a queue: its slots are freed. Their accesses are forgotten when
 * their states are next looked at. */
void queue_refresh(struct sync_group *group, struct queue_track *track) REQUIRES(group->lock);
/* Learns which work is done on all queues of the group, and plays parked work. */
void sync_group_refresh(struct sync_group *group) REQUIRES(group->lock);

/* True if everything is done that was submitted to the queue, as of the last refresh. */
static inline bool track_is_idle(const struct queue_track *track)
{
    return !track->count && !track->pending && !track->parked.slot.log;
}

/* Slot numbers that are left for queues' own groups when the shared group begins with 1 again. */
#define SLOT_NUMBERS_LEFT (1u << 20)
static inline bool slot_numbers_end(const struct sync_device *device)
{
    return atomic_load_explicit(&device->next_slot, memory_order_relaxed) >
           UINT32_MAX - SLOT_NUMBERS_LEFT;
}

/* Returns the least number that the queue's next slots can have. */
static inline uint32_t track_next_number(const struct sync_group *group,
                                         const struct queue_track *track)
{
    return track->next_number != track->numbers_end
               ? track->next_number
               : atomic_load_explicit(&group->device->next_slot, memory_order_relaxed);
}

static inline uint32_t host_looks(const struct sync_group *group)
{
    return atomic_load_explicit(&group->device->host_looks, memory_order_relaxed);
}

/* Returns the data of the call's device; NULL if it was not made, or submissions are not
 * checked. */
struct sync_device *sync_device_made(const struct call *call);

/* Limits of a walk over the group's tracks: the first number, the end, and the end that includes
 * the host and the presentation engine. group_has() says which tracks are in the group. */
static inline uint32_t group_first(const struct sync_group *group)
{
    return group->queue;
}
static inline uint32_t group_end(const struct sync_group *group)
{
    return group->queue ? group->queue + 1u : group->device->track_end;
}
static inline uint32_t group_end_of_all(const struct sync_group *group)
{
    return group->queue ? group->queue + 1u : QUEUE_NUMBERS;
}
static inline bool group_has(const struct sync_group *group, uint32_t number)
{
    return atomic_load_explicit(&group->tracks[number].group, memory_order_relaxed) == group;
}

/* --- queue_group.c --- */

/* Takes the lock of the group that the queue is in. Returns NULL if nothing was submitted to it so
 * far. */
struct sync_group *queue_group_take(struct sync_device *device, uint8_t number);
/* Makes the group of a queue, at its first submission. Returns false if memory is out. */
bool queue_group_make(struct sync_device *device, struct queue *queue) MUST_CHECK;
/* Moves the queue out of the shared group into its own again, if that is possible. Returns the
 * group whose lock the thread holds then, or NULL if the queue stays. */
struct sync_group *queue_group_leave(struct sync_group *shared, struct queue_track *track);
/* Moves the queue into the shared group. */
void queue_group_join(struct sync_group *shared, struct queue_track *track) REQUIRES(shared->lock);
/* Joins the groups of all queues to the shared group. */
void queue_group_join_all(struct sync_group *shared) REQUIRES(shared->lock);
/* Called for a batch whose effect on the order is unknown: forgets the work of all queues. The
 * thread holds the lock of the shared group from now on. */
void queue_group_forget_all(struct processing *processing);
/* Chooses the group for a batch that is about to be submitted. Either it stays in the queue's own
 * group, or the queue joins the shared group, whose lock the thread holds then. */
void queue_group_choose(struct processing *processing, const struct queue_batch *batch);
/* True if the recording is complete, and does the same wherever it is executed. The caller has
 * exclusive use of it. */
bool recording_stands_alone(const struct sync_command_buffer *recorded,
                            const struct command_log *log);
/* Claims all of the recording's spaces for the queue. Returns true if no other queue has claimed
 * some of them. The thread has exclusive use of the recording. */
bool queue_claims_alone(struct sync_group *group, struct queue_track *track,
                        struct sync_command_buffer *recorded) REQUIRES(group->lock);
/* Finds the range from the first to the last byte of the space that the context has accesses to.
 * Returns false if there are none. */
static inline bool space_range(const struct sync_space *space, struct claim_range *range)
{
    if (!space->map.count)
        return false;
    const struct range_leaf *last = &space->map.leaves[space->map.leaf_count - 1];
    *range = (struct claim_range){space->map.leaves[0].entries[0].begin,
                                  last->entries[last->count - 1].end};
    return true;
}
/* Called before a queue of the shared group, with this number, accesses the space. Another queue
 * that has claimed the range in a group of its own joins the shared group. Number 0: the host
 * accesses the space, and claims nothing. */
void queue_claim(struct sync_group *group, uint64_t id, uint64_t begin, uint64_t end,
                 uint8_t number) REQUIRES(group->lock);
void queue_claim_semaphore(struct sync_group *group, uint64_t id, uint8_t number)
    REQUIRES(group->lock);

/* --- queue_claims.c --- */

/* True if the claims have all of the range. */
bool claims_cover(const struct claims *claims, uint64_t id, uint64_t begin, uint64_t end);
/* True if the claims have some of the range. */
bool claims_meet(const struct claims *claims, uint64_t id, uint64_t begin, uint64_t end);
/* Returns the range that adding [begin, end) would make: with the ranges that it would be joined
 * to. */
struct claim_range claims_extended(const struct claims *claims, uint64_t id, uint64_t begin,
                                   uint64_t end);
/* Adds a range to the claims. Returns false if memory is out: the claims cover everything then. */
bool claims_add(struct claims *claims, uint64_t id, uint64_t begin, uint64_t end);
void claims_clear(struct claims *claims);

/* --- queue_park.c --- */

/* Parks a submission instead of processing it, with the lock of the queue's group. `slot` has no
 * number yet. Returns false if the submission has to be processed. */
bool queue_park(const struct call *call, const struct queue_slot *slot,
                struct sync_command_buffer *recorded) MUST_CHECK;
/* As queue_park(), for a submission that is being processed, with the lock of the group held. */
bool queue_park_here(struct sync_group *group, const struct queue_slot *slot,
                     struct sync_command_buffer *recorded) MUST_CHECK REQUIRES(group->lock);
/* Called before the command buffer is recorded again: its parked submission is played or
 * dropped. */
void queue_unpark(const struct call *call, struct sync_command_buffer *recorded);
/* Plays all parked work of the group, and drops work that is done. */
void queue_play_parked(struct sync_group *group) REQUIRES(group->lock);
void queue_drop_parked(struct queue_track *track);

/* --- queue_semaphore.c --- */

/* True if the wait can be played now. False: its signal has not been submitted. */
bool queue_wait_is_ready(struct sync_group *group, const struct batch_semaphore *wait)
    REQUIRES(group->lock);
/* True if the group knows the signal, or its value is reached: other queues do not matter. */
bool queue_wait_is_known(struct sync_group *group, const struct batch_semaphore *wait)
    REQUIRES(group->lock);
/* Orders operations on queue `number` in the scope `dst` after the signal. A scope without stages
 * orders nothing. */
void queue_wait_semaphore(struct sync_group *group, const struct batch_semaphore *wait,
                          uint8_t number, const struct sync_scope *dst) REQUIRES(group->lock);
/* Called when the batch has waited: a binary semaphore is unsignaled then. */
void queue_wait_ends(struct sync_group *group, const struct batch_semaphore *wait)
    REQUIRES(group->lock);
/* `scope`: the first scope of the signal, which is earlier work on its queue. */
void queue_signal_semaphore(struct sync_group *group, const struct batch_semaphore *signal,
                            uint64_t sequence, const struct sync_barrier *scope)
    REQUIRES(group->lock);
/* Forgets all signals so far: they count as done. */
void queue_semaphores_forget(struct sync_group *group) REQUIRES(group->lock);
/* Counts a signal that a pending batch will make; `by` is 1, or -1 when it no longer will. */
void queue_semaphore_expect(struct sync_group *group, const struct batch_semaphore *signal, int by)
    REQUIRES(group->lock);
/* Moves the semaphores of `from`, a queue's own group, to `to`. `numbers` has, for each snapshot of
 * `from`, its number in `to`. */
void queue_semaphores_join(struct sync_group *to, struct sync_group *from, const uint8_t *numbers)
    REQUIRES(to->lock);

/* --- queue_batch.c --- */

/* Plays a recorded command buffer, on the slot's queue. */
void queue_play(struct sync_group *group, struct sync_command_buffer *recorded,
                const struct queue_slot *slot) REQUIRES(group->lock);

/* Plays a batch, or sets a copy of it aside until its waits can end. */
void queue_batch_submit(struct processing *processing, const struct queue_batch *batch)
    REQUIRES(processing->group->lock);
/* Notes that the host signals a timeline semaphore, given by id, for reports. */
void queue_note_host_signal(struct sync_group *group, uint64_t semaphore, uint64_t value)
    REQUIRES(group->lock);
/* Plays pending batches whose waits have become ready. */
void queue_batches_run(struct processing *processing) REQUIRES(processing->group->lock);
void queue_batch_free(struct queue_batch *batch);

/* True if the queue is followed: its number is neither 0 nor beyond the numbers of tracks. */
static inline bool queue_is_followed(const struct queue *queue)
{
    return queue && queue->number && queue->number < PRESENT_QUEUES;
}

/* --- submit.c --- */

/* Returns the sequence number of a batch of the current call. The state tracker has given its
 * batches the last numbers of the queue, and their fence one more. `later` is how many sequence
 * numbers the call was given after this batch's. */
uint64_t batch_sequence(const struct queue *queue, const struct batch *batch, uint32_t later);

/* --- touched.c --- */

void touched_device_free(struct touched_device *touched); /* NULL is allowed. */

/* --- submit_report.c --- */

void sync_report_submitted(const struct call *call, const struct found_hazard *found) COLD;

#endif
