/* Semaphores (7.4): the last operation of a binary one, and the value that a timeline one has and
 * will have. */
#ifndef ASSAY_STATE_SEMAPHORE_H
#define ASSAY_STATE_SEMAPHORE_H

#include "base/lock.h"
#include "state/submit/fence.h"

struct swapchain;

/* The last operation on a binary semaphore. */
enum semaphore_last {
    SEMAPHORE_LAST_NONE,   /* no operation yet: unsignaled */
    SEMAPHORE_LAST_SIGNAL, /* submitted, perhaps done */
    SEMAPHORE_LAST_WAIT,   /* submitted, perhaps done */
    SEMAPHORE_LAST_UNKNOWN
};

/* An operation on a timeline semaphore that was submitted, and is not known to be done. */
struct timeline_operation {
    uint64_t value;
    uint64_t stamp;
    bool signal; /* or wait */
    bool ahead;  /* a signal whose batch waited for what was still to be submitted */
};

/* A value that a queue's pending operations signal, or wait for. */
struct timeline_point {
    uint64_t value;
    uint64_t stamp;
};

/* Pending operations of one kind on one queue: those that no later one has a value as small as. So
 * values grow as stamps do: the first is the smallest, and which of them a value reaches is a
 * binary search. Of a valid program's signals that is all of them. Lock: the semaphore's. */
struct timeline_track {
    struct timeline_point *points; /* a ring: of the semaphore's `inline_points`, or owned */
    uint32_t first, count;
    uint32_t capacity; /* a power of two */
    uint8_t queue;     /* queue::number */
    bool signal;       /* or wait */
    uint64_t highest;  /* the largest value of all that there ever were */
};
/* tracks and points without an allocation: a program has two or three frames under way, which one
 * queue signals and another one waits for */
#define TIMELINE_TRACKS 2
#define TIMELINE_POINTS 8 /* a power of two */

/* Threads: const, but for what has a note. */
struct semaphore {
    struct object_state base;
    VkSemaphoreType type;
    VkExternalSemaphoreHandleTypeFlags export_types;
    /* others know the payload too, or memory was out: from then on nothing is known of the
     * semaphore */
    _Atomic bool shared;
    /* Binary (externally synchronised by the program; atomic for programs that do not): */
    /* the stamp of the last operation, with its enum semaphore_last in bits 54 and 55 */
    _Atomic uint64_t last;
    struct present_waits present; /* waits of the acquire that signals the semaphore */
    /* id of the swapchain whose present waits for it, where that was its last operation. Relaxed */
    _Atomic uint64_t presented;
    _Atomic uint32_t presented_index; /* and of which image. Relaxed */
    /* id of the swapchain whose acquire was the last to signal it, and of which image. Relaxed */
    _Atomic uint64_t acquired;
    _Atomic uint32_t acquired_index;
    /* Timeline: */
    uint64_t initial;
    /* held over the fields below, and no call */
    struct lock lock;
    /* the largest value that it is known to have reached */
    uint64_t completed GUARDED_BY(lock);
    /* the largest value of a signal whose batch did not wait for what was still to be submitted */
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

/* True if the last acquire that signals the semaphore was of this image. A semaphore may be used
 * again for another image once it has been waited for. */
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

/* The last operation of a binary semaphore. *stamp becomes the stamp of that operation, and 0 if no
 * queue made it (an acquired image). `stamp` may be NULL. */
enum semaphore_last semaphore_last(const struct semaphore *semaphore, uint64_t *stamp);
void semaphore_set_last(struct semaphore *semaphore, enum semaphore_last last, uint64_t stamp);

/* Its last operation is a present's wait, which is not known to be done. No later submission is
 * ordered after it, only the image's next acquire and the present's fence (34.10.1). The swapchain,
 * and the image's index; NULL otherwise, or when nothing is known. */
const struct swapchain *semaphore_awaits_present(const struct device *device,
                                                 const struct semaphore *semaphore,
                                                 uint32_t *index);

/* The facts about a timeline semaphore at this moment. */
struct timeline {
    bool known;
    uint64_t completed; /* the counter has at least this value */
    bool signal_pending;
    uint64_t signal_min; /* the smallest value of a pending signal operation, if there are any */
    /* of signals whose batch did not wait for what was still to be submitted; 0 = none. Like the
     * next one, it may be one that is done: `completed` then is at least as large. */
    uint64_t ready_signal_max;
    uint64_t signal_max; /* of all signals that were submitted so far; 0 = none */
    /* of signals that come before whatever is submitted to `queue` next; 0 = none */
    uint64_t own_signal_max;
    /* of `completed` and all pending operations, waits too */
    uint64_t outstanding_min, outstanding_max;
};
/* `queue` may be NULL. */
struct timeline semaphore_timeline(struct semaphore *semaphore, const struct queue *queue);

/* This operation has been submitted. Its stamp is 0 where nothing will tell of its end. */
void semaphore_add_operation(struct semaphore *semaphore, struct timeline_operation operation);

/* The counter is known to have reached `value` (`exact`: to be, or have been, `value` itself).
 * Gives stamps of signal operations that therefore are done, of each queue the last one. They are
 * at most `limit` at a time: call again until it gives fewer. */
uint32_t semaphore_reached(struct semaphore *semaphore, uint64_t value, bool exact,
                           uint64_t *stamps, uint32_t limit);

/* True if a submission with this stamp, or a later one of its queue, signals a value that is at
 * most `value`: a wait for `value` then ends after the submission. */
bool semaphore_covers(struct semaphore *semaphore, uint64_t value, uint64_t stamp);

/* The first pending signal by a submission with this stamp, or by a later one of its queue. False:
 * there is none, or it is not known. */
bool semaphore_next_signal(struct semaphore *semaphore, uint64_t stamp,
                           struct timeline_point *point) MUST_CHECK;

/* Frees what the state owns, and the state. */
void semaphore_destroy(struct semaphore *semaphore);

#endif
