/* The accesses of a device's queues to memory, one after the other and side by side.
 *
 * A context (sync/access/access_context.h) holds the accesses of work that was submitted and is not
 * known to be done. A submission is looked at before the call goes down: what each batch waits for,
 * what its command buffers do, and what it signals. (Their contexts are replayed.) A batch may wait
 * for a value of a timeline semaphore that nothing submitted so far signals. It is then set aside,
 * with all that comes later on its queue, until that signal is submitted (struct queue_batch).
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
 * Groups: a context and what belongs to it are a group (struct sync_group). A queue begins with a
 * group of its own, and goes over to the shared one when it has to do with other queues. Which
 * queues these are, and why what is found stays the same, says queue_group.c. So threads that
 * submit what has nothing to do with each other do not meet.
 *
 * Threads: a thread that processes a submission holds the lock of the queue's group. It holds it
 * over no call of the program or to the driver: findings are kept, and reported after that
 * (submit_report.c). A thread that holds the shared group's lock may take those of queues' own
 * groups. One that holds only such a lock takes no other group's. `claims_lock` and `owned_lock`
 * are taken after all of these. */
#ifndef ASSAY_SYNC_QUEUE_H
#define ASSAY_SYNC_QUEUE_H

#include "base/lock.h"
#include "state/submit/submission.h"
#include "sync/report/report.h"

/* The first number of those for presents, up to QUEUE_NUMBERS. A queue that has one of them is not
 * looked at. */
#define PRESENT_QUEUES 240
static_assert(PRESENT_QUEUES < QUEUE_NUMBERS, "both have numbers");

/* One execution of a command buffer, or a present, or an acquire. */
struct queue_slot {
    uint32_t number;
    uint32_t looks;          /* sync_device::host_looks when it was submitted */
    uint32_t batch, index;   /* of the call's submits; of the batch's command buffers */
    uint64_t sequence;       /* of the submission; UINT64_MAX: never done of itself */
    struct command_log *log; /* held */
    struct queue *queue;     /* queue of the submission; NULL: none (an acquire) */
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
    /* stays readable: its memory is only ever used for command buffers */
    struct command_buffer *command_buffer;
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
    struct queue_batch *next; /* the next batch that is pending on the queue */
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
    /* stays readable: its memory is only ever used for command buffers */
    struct sync_command_buffer *recorded;
};

/* Ranges of one space that a queue accesses; or a semaphore, as [0, 1). Further ranges make the
 * nearest one larger. */
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
    uint32_t count, capacity; /* a power of two, or 0 */
    bool everything;          /* memory was out: the queue counts as having claimed everything */
    /* Changes with each claim that is taken from the queue: its number:8, and how often that was.
     */
    uint64_t stamp;
};

struct sync_group;

/* Everything that is known of one queue. Lock: the lock of its group, but for members that say
 * otherwise. */
struct queue_track {
    /* NULL: nothing was submitted so far. It changes with both groups' locks held. So a thread that
     * holds the lock of a group and finds it here, has the track. Release, acquire. */
    _Alignas(64) _Atomic(struct sync_group *) group;
    /* owned; made with the first submission. Lock: the lock of the shared group */
    struct sync_group *own;
    struct parked parked; /* played after all `slots`, and before anything else */
    struct queue *queue;  /* NULL: of the presentation engine, or never used */
    /* sequence number: all up to it is known to be done; as of the last refresh */
    uint64_t done;
    uint64_t live_tag;                          /* accesses with smaller tags are done */
    uint32_t next_number, numbers_end;          /* of slots that the queue may give out */
    struct queue_slot *slots;                   /* a ring; owned */
    uint32_t first, count, capacity;            /* of `slots`; a power of two */
    struct queue_batch *pending, **pending_end; /* owned; `pending_end`: where the next one goes */
    uint32_t pending_count;
    /* Lock: to read it, the group's or claims_lock; to change it, both. */
    struct claims claims;
    /* It has ordered something after what other queues did in slots with smaller numbers. */
    uint32_t crossed_slot;
    /* How many calls it has made since it joined the shared group, and how often it has left. */
    uint32_t calls, times_left;
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
    bool timeline;
    uint32_t point_count;
    /* by growing value; a binary semaphore has one point */
    struct signal_point points[SEMAPHORE_POINTS];
};

/* The last operations on semaphores are kept, for reports to show what there was. */
#define OPERATIONS_KEPT 64 /* a power of two */

/* An image that was acquired with a fence: the program may touch it when that is signaled. */
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
#define FOUND_LIMIT 12 /* hazards that one call reports; more would say little */

/* One call that submits. */
struct processing {
    struct sync_group *group; /* the thread holds its lock */
    const struct call *call;
    struct doubts doubts;
    uint32_t found_count;
    struct found_hazard found[FOUND_LIMIT];
};

struct touched_device; /* sync/touched/touched.h */
struct owners;         /* sync/queue/owners.h */

/* A context of one queue, or the one of all others. Lock: `lock`, over all of it but what says
 * otherwise. */
struct sync_group {
    struct sync_context context; /* first: is_done() finds the rest by it */
    struct sync_sink sink;
    struct sync_device *device;    /* const */
    struct queue_track *tracks;    /* const: sync_device::tracks */
    uint8_t queue;                 /* const: the number of the only one; 0: the shared group */
    struct processing *processing; /* of the thread that holds the lock */
    struct lock lock;
    uint32_t slot_count;                                /* in all rings */
    uint32_t kept_slots GUARDED_BY(lock);               /* after the last sweep */
    uint32_t pending_count;                             /* batches, on all queues */
    struct sync_semaphore *semaphores GUARDED_BY(lock); /* open addressing by id; owned */
    uint32_t semaphore_count GUARDED_BY(lock), semaphore_capacity GUARDED_BY(lock);
    struct semaphore_operation operations[OPERATIONS_KEPT] GUARDED_BY(lock); /* a ring */
    /* of all that ever were; of a queue's own group, those before the first one are the shared
     * group's, too */
    uint32_t operation_count GUARDED_BY(lock), first_operation GUARDED_BY(lock);
    /* a queue may have ordered something after what another one did, that is not known to be done
     */
    bool crossed;
};

/* Sub-state of a device: device_state::sync. */
struct sync_device {
    struct sync_group shared;
    const struct device *device; /* const */
    struct lock touched_lock;
    /* sync/touched/touched.h; owned; NULL before something was submitted that it looks at. */
    struct touched_device *touched GUARDED_BY(touched_lock);
    struct lock claims_lock; /* the tracks' claims, which see */
    struct lock owned_lock;  /* taken after all other locks */
    /* sync/queue/owners.h: whose resources are; owned; NULL before it was first needed. */
    struct owners *owned GUARDED_BY(owned_lock);
    struct sync_device *next, **previous; /* of all devices. Lock: queue.c, devices_lock */
    /* Counts how often the host has asked an event or a query what is done. Grows.
     * Relaxed: a thread that learns it from another one comes after it anyhow. */
    _Atomic uint32_t host_looks;
    /* The next number of a slot, from 1 on. Queues take SLOTS_TAKEN numbers at a time. Relaxed: the
     * numbers of one queue grow, as they are taken with the lock of its group held. On a line of
     * its own, as all threads write it. */
    _Alignas(CACHE_LINE) _Atomic uint32_t next_slot;
    _Alignas(CACHE_LINE) struct acquired_image
        acquired[ACQUIRED_IMAGES];   /* Lock: the lock of the shared group */
    _Atomic uint32_t acquired_count; /* read without the lock */
    /* Queues that were submitted to have smaller numbers. Lock: as for queue_track::claims, with
     * the lock of the shared group. */
    uint32_t track_end;
    struct queue_track tracks[QUEUE_NUMBERS];
};

/* --- queue.c --- */

/* Takes the locks of all devices, and lets go of them. Threads: chassis/fork.c. */
void sync_devices_fork(enum fork_step step);

/* Takes the lock of the shared group, brings the queue there (which may be NULL), and learns what
 * is done. False: there is nothing to be said (switched off, device lost, memory is out). */
bool processing_begin(struct processing *processing, const struct call *call,
                      struct queue *queue) MUST_CHECK TRY_ACQUIRE(true, processing->group->lock);
/* Takes the lock of the queue's group, and learns what is done. False: there is nothing to be
 * checked. */
bool processing_begin_queue(struct processing *processing, const struct call *call,
                            struct queue *queue) MUST_CHECK
    TRY_ACQUIRE(true, processing->group->lock);
/* The device's, made where it has not been; NULL where there is nothing to be said. */
struct sync_device *sync_device_make(const struct call *call);
/* Lets go of the lock, and tells what was found. */
void processing_end(struct processing *processing) RELEASE(processing->group->lock);

/* Nothing that was submitted to the group's queues so far is known any more; it counts as done. */
void sync_group_forget(struct sync_group *group) REQUIRES(group->lock);

/* Made empty; NULL: memory is out. sync_group_free() frees what it owns. */
struct sync_group *sync_group_new(struct sync_device *device, uint8_t queue);

/* A slot for what is executed on a queue; its tags begin after base << 32. The log is held. 0:
 * memory is out, and everything forgotten. */
uint64_t sync_group_add_slot(struct sync_group *group, uint8_t number,
                             const struct queue_slot *slot) MUST_CHECK REQUIRES(group->lock);

/* Learns what is done on a queue: its slots go, and their accesses are forgotten when somebody
 * looks at them. */
void queue_refresh(struct sync_group *group, struct queue_track *track) REQUIRES(group->lock);
/* Learns what is done on all queues of the group, and plays what is parked there. */
void sync_group_refresh(struct sync_group *group) REQUIRES(group->lock);

/* True if everything is done that was submitted to the queue, as of the last refresh. */
static inline bool track_is_idle(const struct queue_track *track)
{
    return !track->count && !track->pending && !track->parked.slot.log;
}

/* Numbers of slots that are left for queues' own groups when the shared one begins again with 1. */
#define SLOT_NUMBERS_LEFT (1u << 20)
static inline bool slot_numbers_end(const struct sync_device *device)
{
    return atomic_load_explicit(&device->next_slot, memory_order_relaxed) >
           UINT32_MAX - SLOT_NUMBERS_LEFT;
}

/* The slots of a queue that are to come have no smaller numbers. */
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

/* The device's, where it has been made; NULL otherwise, and where nothing is to be said of
 * submissions. */
struct sync_device *sync_device_made(const struct call *call);

/* Limits of a walk over the group's tracks: the first number, the end, and the end with those of
 * the host and the presentation engine. group_has() tells which ones are in the group. */
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

/* Takes the lock of the group that the queue is in. NULL: nothing was submitted to it so far. */
struct sync_group *queue_group_take(struct sync_device *device, uint8_t number);
/* The group is given its first submission. False: memory is out. */
bool queue_group_make(struct sync_device *device, struct queue *queue) MUST_CHECK;
/* Takes the queue out of the shared group into its own again, where that is possible. Returns the
 * group whose lock the thread holds then. */
struct sync_group *queue_group_leave(struct sync_group *shared, struct queue_track *track);
/* The queue is in the shared group from now on. */
void queue_group_join(struct sync_group *shared, struct queue_track *track) REQUIRES(shared->lock);
/* Joins the groups of all queues to the shared group. */
void queue_group_join_all(struct sync_group *shared) REQUIRES(shared->lock);
/* It is unknown what a batch orders: nothing of any queue is known any more. The thread holds the
 * lock of the shared group from now on. */
void queue_group_forget_all(struct processing *processing);
/* The batch is about to be submitted: it stays in the queue's own group, or the thread holds the
 * lock of the shared one from now on, and the queue is in there. */
void queue_group_choose(struct processing *processing, const struct queue_batch *batch);
/* True if the recording does the same wherever it is executed, and is whole. The caller has
 * exclusive use of it. */
bool recording_stands_alone(const struct sync_command_buffer *recorded,
                            const struct command_log *log);
/* True if the queue is the only one that has claimed some of the recording's spaces. It has all of
 * them then. The thread has the recording for itself. */
bool queue_claims_alone(struct sync_group *group, struct queue_track *track,
                        struct sync_command_buffer *recorded) REQUIRES(group->lock);
/* Finds the range from the first to the last byte of the space that the context knows of. False: it
 * knows of no byte. */
static inline bool space_range(const struct sync_space *space, struct claim_range *range)
{
    if (!space->map.count)
        return false;
    const struct range_leaf *last = &space->map.leaves[space->map.leaf_count - 1];
    *range = (struct claim_range){space->map.leaves[0].entries[0].begin,
                                  last->entries[last->count - 1].end};
    return true;
}
/* The queue, of the shared group, is about to access the space. Another queue that has claimed the
 * range in a group of its own joins the shared group. 0: the host accesses the space, and claims
 * nothing. */
void queue_claim(struct sync_group *group, uint64_t id, uint64_t begin, uint64_t end,
                 uint8_t number) REQUIRES(group->lock);
void queue_claim_semaphore(struct sync_group *group, uint64_t id, uint8_t number)
    REQUIRES(group->lock);

/* --- queue_claims.c --- */

/* True if the claims have all of the range. */
bool claims_cover(const struct claims *claims, uint64_t id, uint64_t begin, uint64_t end);
/* True if the claims have some of the range. */
bool claims_meet(const struct claims *claims, uint64_t id, uint64_t begin, uint64_t end);
/* Gives the range as it would be if it was added: with the ranges that it would be joined to. */
struct claim_range claims_extended(const struct claims *claims, uint64_t id, uint64_t begin,
                                   uint64_t end);
/* Adds a range to the claims. False: memory is out, and the claims have everything. */
bool claims_add(struct claims *claims, uint64_t id, uint64_t begin, uint64_t end);
void claims_clear(struct claims *claims);

/* --- queue_park.c --- */

/* Takes the lock of the queue's group, and leaves it at that. `slot` without a number. False: the
 * submission has to be processed. */
bool queue_park(const struct call *call, const struct queue_slot *slot,
                struct sync_command_buffer *recorded) MUST_CHECK;
/* The same for a submission that is being processed, with the lock of the group held. */
bool queue_park_here(struct sync_group *group, const struct queue_slot *slot,
                     struct sync_command_buffer *recorded) MUST_CHECK REQUIRES(group->lock);
/* The command buffer is about to be recorded again: it is parked nowhere then. */
void queue_unpark(const struct call *call, struct sync_command_buffer *recorded);
/* Plays everything that is parked, and drops what is done. */
void queue_play_parked(struct sync_group *group) REQUIRES(group->lock);
void queue_drop_parked(struct queue_track *track);

/* --- queue_semaphore.c --- */

/* True if it can be waited for now. False: its signal has not been submitted. */
bool queue_wait_is_ready(struct sync_group *group, const struct batch_semaphore *wait)
    REQUIRES(group->lock);
/* True if the signal is known here, or its value is reached: other queues have nothing to do with
 * it. */
bool queue_wait_is_known(struct sync_group *group, const struct batch_semaphore *wait)
    REQUIRES(group->lock);
/* Operations on queue `number`, `dst` scope, come after the signal. No stages: nothing happens. */
void queue_wait_semaphore(struct sync_group *group, const struct batch_semaphore *wait,
                          uint8_t number, const struct sync_scope *dst) REQUIRES(group->lock);
/* The batch has waited: a binary semaphore is unsignaled. */
void queue_wait_ends(struct sync_group *group, const struct batch_semaphore *wait)
    REQUIRES(group->lock);
/* `scope`: the first scope of the signal, which is earlier work on its queue. */
void queue_signal_semaphore(struct sync_group *group, const struct batch_semaphore *signal,
                            uint64_t sequence, const struct sync_barrier *scope)
    REQUIRES(group->lock);
/* Forgets all signals so far: nothing is known of them but that they are done. */
void queue_semaphores_forget(struct sync_group *group) REQUIRES(group->lock);
/* A batch that is set aside will signal it (by -1: does no more). */
void queue_semaphore_expect(struct sync_group *group, const struct batch_semaphore *signal, int by)
    REQUIRES(group->lock);
/* Moves what `from`, a queue's own group, knows of semaphores to `to`. `numbers`: for each snapshot
 * of `from`, the one of `to`. */
void queue_semaphores_join(struct sync_group *to, struct sync_group *from, const uint8_t *numbers)
    REQUIRES(to->lock);

/* --- queue_batch.c --- */

/* Makes what the command buffer does happen now, on the slot's queue. */
void queue_play(struct sync_group *group, struct sync_command_buffer *recorded,
                const struct queue_slot *slot) REQUIRES(group->lock);

/* Plays a batch, or sets a copy of it aside until its waits can end. */
void queue_batch_submit(struct processing *processing, const struct queue_batch *batch)
    REQUIRES(processing->group->lock);
/* The host signals a timeline semaphore, by id: reports show it. */
void queue_note_host_signal(struct sync_group *group, uint64_t semaphore, uint64_t value)
    REQUIRES(group->lock);
/* Batches that were set aside, and need not be any longer. */
void queue_batches_run(struct processing *processing) REQUIRES(processing->group->lock);
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
