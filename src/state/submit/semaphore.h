/* The state of semaphores (7.4): the last operation on a binary one; the values that a timeline
 * semaphore has and will have. */
#ifndef ASSAY_STATE_SEMAPHORE_H
#define ASSAY_STATE_SEMAPHORE_H

#include "base/lock.h"
#include "state/submit/fence.h"

struct swapchain;

/* The last operation on a binary semaphore. */
enum semaphore_last {
    SEMAPHORE_LAST_NONE,   /* no operation yet: unsignaled */
    SEMAPHORE_LAST_SIGNAL, /* submitted, perhaps completed */
    SEMAPHORE_LAST_WAIT,   /* submitted, perhaps completed */
    SEMAPHORE_LAST_UNKNOWN
};

/* An operation on a timeline semaphore that was submitted and is not known to have completed. */
struct timeline_operation {
    uint64_t value;
    uint64_t stamp;
    bool signal; /* true: a signal; false: a wait */
    bool ahead;  /* for a signal: its batch waited for a signal that was not submitted yet */
};

/* A value that a queue's pending operations signal, or for which they wait. */
struct timeline_point {
    uint64_t value;
    uint64_t stamp;
};

/* Pending operations of one kind on one queue, without those after which an operation with a value
 * that is not greater comes. So values grow as stamps do: the first is the smallest, and a binary
 * search finds the ones that a value reaches. No signals of a valid program are left out. Lock: the
 * semaphore's. */
struct timeline_track {
    struct timeline_point *points; /* a ring: the semaphore's `inline_points`, or owned */
    uint32_t first, count;
    uint32_t capacity; /* a power of two */
    uint8_t queue;     /* queue::number */
    bool signal;       /* true: signals; false: waits */
    uint64_t highest;  /* the largest value of all operations so far */
};
/* tracks and points that need no allocation: a program has two or three frames in flight, which one
 * queue signals and another one waits for */
#define TIMELINE_TRACKS 2
#define TIMELINE_POINTS 8 /* a power of two */

/* Threads: const, except where a member says otherwise. */
struct semaphore {
    struct object_state base;
    VkSemaphoreType type;
    VkExternalSemaphoreHandleTypeFlags export_types;
    /* others know the payload too, or memory ran out: the state is not known from then on */
    _Atomic bool shared;
    /* Binary (externally synchronised by the program; atomic for programs that do not): */
    /* stamp of the last operation, with its enum semaphore_last in bits 54 and 55 */
    _Atomic uint64_t last;
    /* waits that the acquire that signals the semaphore shows as completed */
    struct present_waits present;
    /* id of the swapchain whose present waits for it, if that was its last operation. Relaxed */
    _Atomic uint64_t presented;
    _Atomic uint32_t presented_index; /* index of the presented image. Relaxed */
    /* id of the swapchain whose acquire was the last to signal it, and the image's index.
     * Relaxed */
    _Atomic uint64_t acquired;
    _Atomic uint32_t acquired_index;
    /* Timeline semaphores: */
    uint64_t initial;
    /* held while the fields below are used, never during a call */
    struct lock lock;
    /* the largest value that the counter is known to have reached */
    uint64_t completed GUARDED_BY(lock);
    /* the largest value of the signals whose batches waited only for signals that were already
     * submitted */
    uint64_t ready_signal_max GUARDED_BY(lock);
    struct timeline_track *tracks GUARDED_BY(lock); /* `inline_tracks`, or owned */
    uint32_t track_count GUARDED_BY(lock), track_capacity GUARDED_BY(lock);
    struct timeline_track inline_tracks[TIMELINE_TRACKS] GUARDED_BY(lock);
    struct timeline_point inline_points[TIMELINE_TRACKS][TIMELINE_POINTS] GUARDED_BY(lock);
};
STATE_FINDERS(semaphore, VkSemaphore, HANDLE_SEMAPHORE)

#define SEMAPHORE_KIND_SHIFT 54
#define SEMAPHORE_KIND_MASK  ((uint64_t)3 << SEMAPHORE_KIND_SHIFT)

/* Notes that an acquire of this image signals the semaphore. Threads: any. */
static inline void semaphore_note_acquire(struct semaphore *semaphore, uint64_t swapchain,
                                          uint32_t index)
{
    atomic_store_explicit(&semaphore->acquired, swapchain, memory_order_relaxed);
    atomic_store_explicit(&semaphore->acquired_index, index, memory_order_relaxed);
}

/* True if the last acquire that signals the semaphore was of this image. After a wait, a semaphore
 * may be used for another image. */
static inline bool semaphore_is_of_acquire(const struct semaphore *semaphore, uint64_t swapchain,
                                           uint32_t index)
{
    return atomic_load_explicit(&semaphore->acquired, memory_order_relaxed) == swapchain &&
           atomic_load_explicit(&semaphore->acquired_index, memory_order_relaxed) == index;
}

static inline bool semaphore_is_shared(const struct semaphore *semaphore)
{
    return atomic_load_explicit(&semaphore->shared, memory_order_relaxed);
}

/* The last operation on a binary semaphore. `*stamp`: stamp of that operation; 0: not a queue's
 * operation, but an acquire. `stamp` may be NULL. */
enum semaphore_last semaphore_last(const struct semaphore *semaphore, uint64_t *stamp);
void semaphore_set_last(struct semaphore *semaphore, enum semaphore_last last, uint64_t stamp);

/* The swapchain, and the image's index, if the last operation is a present's wait that is not known
 * to have completed. NULL otherwise, or if it is not known. No later submission is ordered after
 * such a wait, only the image's next acquire and the present's fence (34.10.1). */
const struct swapchain *semaphore_awaits_present(const struct device *device,
                                                 const struct semaphore *semaphore,
                                                 uint32_t *index);

/* The facts about a timeline semaphore at this moment. */
struct timeline {
    bool known;
    uint64_t completed; /* the counter is at least this */
    bool signal_pending;
    uint64_t signal_min; /* the smallest value of a pending signal, if there are any */
    /* the largest value of signals whose batch did not wait for a signal that was not submitted
     * yet; 0: none. This one and the next may have completed: `completed` is then at least as
     * large. */
    uint64_t ready_signal_max;
    uint64_t signal_max; /* the largest value of all signals submitted so far; 0: none */
    /* the largest value of signals that come before work submitted to `queue` next; 0: none */
    uint64_t own_signal_max;
    /* minimum and maximum over `completed` and all pending signals and waits */
    uint64_t outstanding_min, outstanding_max;
};
/* The facts about a timeline semaphore now. `queue`: for own_signal_max; may be NULL. */
struct timeline semaphore_timeline(struct semaphore *semaphore, const struct queue *queue);

/* Notes that this operation was submitted. Its stamp is 0 if nothing will show its completion. */
void semaphore_add_operation(struct semaphore *semaphore, struct timeline_operation operation);

/* Notes that the counter has reached `value`. `exact`: it is, or was, `value` itself. Writes stamps
 * of signal operations that have therefore completed: the last one of each queue. They are at most
 * `limit` at a time: call again until it returns fewer. */
uint32_t semaphore_reached(struct semaphore *semaphore, uint64_t value, bool exact,
                           uint64_t *stamps, uint32_t limit);

/* True if a submission with this stamp, or a later one of its queue, signals at most `value`. A
 * wait for `value` then ends after the submission. */
bool semaphore_covers(struct semaphore *semaphore, uint64_t value, uint64_t stamp);

/* Finds the first pending signal by a submission with this stamp, or by a later one of its queue.
 * False: there is none, or it is not known. */
bool semaphore_next_signal(struct semaphore *semaphore, uint64_t stamp,
                           struct timeline_point *point) MUST_CHECK;

/* Frees the state and what it owns. */
void semaphore_destroy(struct semaphore *semaphore);

#endif
