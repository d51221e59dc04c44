/* Semaphores (7.4): the last operation of a binary one, and the value that a timeline one has and
 * will have. */
#ifndef ASSAY_STATE_SEMAPHORE_H
#define ASSAY_STATE_SEMAPHORE_H

#include "base/lock.h"
#include "state/fence.h"

struct swapchain;

/* Of a binary semaphore. */
enum semaphore_last {
    SEMAPHORE_LAST_NONE,   /* no operation yet: unsignaled */
    SEMAPHORE_LAST_SIGNAL, /* submitted, perhaps done */
    SEMAPHORE_LAST_WAIT,   /* likewise */
    SEMAPHORE_LAST_UNKNOWN
};

/* An operation on a timeline semaphore that was submitted, and is not known to be done. */
struct timeline_operation {
    uint64_t value;
    uint64_t stamp;
    bool signal; /* or wait */
    bool ahead;  /* a signal whose batch waited for what was still to be submitted */
};
/* operations without an allocation: a program has two or three frames under way */
#define TIMELINE_INLINE 8

/* Threads: const, but for what has a note. */
struct semaphore {
    struct object_state base;
    VkSemaphoreType type;
    VkExternalSemaphoreHandleTypeFlags export_types;
    /* others know the payload too, or memory was out: nothing is known, ever again */
    _Atomic bool shared;
    /* Binary (externally synchronised by the app; atomic for programs that do not): */
    /* the stamp of the last operation, with its enum semaphore_last in bits 54 and 55 */
    _Atomic uint64_t last;
    struct present_waits present; /* of the acquire that signals it */
    /* id of the swapchain whose present waits for it, where that was its last operation. Relaxed */
    _Atomic uint64_t presented;
    _Atomic uint32_t presented_index; /* and of which image. Relaxed */
    /* Timeline: */
    uint64_t initial;
    /* held over the fields below, and no call */
    struct lock lock;
    /* the largest value that it is known to have reached */
    uint64_t completed GUARDED_BY(lock);
    struct timeline_operation *operations GUARDED_BY(lock); /* `inline_operations`, or owned */
    uint32_t operation_count GUARDED_BY(lock), operation_capacity GUARDED_BY(lock);
    struct timeline_operation inline_operations[TIMELINE_INLINE];
};
STATE_FINDERS(semaphore, VkSemaphore, HANDLE_SEMAPHORE)

#define SEMAPHORE_KIND_SHIFT 54
#define SEMAPHORE_KIND_MASK  ((uint64_t)3 << SEMAPHORE_KIND_SHIFT)

static inline bool semaphore_is_shared(const struct semaphore *semaphore)
{
    return atomic_load_explicit(&semaphore->shared, memory_order_relaxed);
}

/* The last operation of a binary semaphore; *stamp becomes its stamp (0 where it is not a queue's:
 * an acquired image). May be NULL. */
enum semaphore_last semaphore_last(const struct semaphore *semaphore, uint64_t *stamp);
void semaphore_set_last(struct semaphore *semaphore, enum semaphore_last last, uint64_t stamp);

/* Its last operation is a present's wait, which is not known to be done. No later submission is
 * ordered after it, only the image's next acquire and the present's fence (34.10.1). The swapchain,
 * and the image's index; NULL otherwise, or when nothing is known. */
const struct swapchain *semaphore_awaits_present(const struct device *device,
                                                 const struct semaphore *semaphore,
                                                 uint32_t *index);

/* What is known of a timeline semaphore at this moment. */
struct timeline {
    bool known;
    uint64_t completed;              /* it is at least this */
    bool signal_pending;             /* and then: */
    uint64_t signal_min, signal_max; /* values of pending signal operations */
    /* of those whose batch did not wait for what was still to be submitted; 0 = none */
    uint64_t ready_signal_max;
    /* of those that come before whatever is submitted to `queue` next; 0 = none */
    uint64_t own_signal_max;
    /* of `completed` and all pending operations, waits too */
    uint64_t outstanding_min, outstanding_max;
};
/* `queue` may be NULL. */
struct timeline semaphore_timeline(struct semaphore *semaphore, const struct queue *queue);

/* This operation has been submitted. Its stamp is 0 where nothing will tell of its end. */
void semaphore_add_operation(struct semaphore *semaphore, struct timeline_operation operation);

/* The counter is known to have reached `value` (`exact`: to be, or have been, `value` itself).
 * Gives the stamps of signal operations that therefore are done, at most `limit` at a time: call
 * again until it gives fewer. */
uint32_t semaphore_reached(struct semaphore *semaphore, uint64_t value, bool exact,
                           uint64_t *stamps, uint32_t limit);

/* Frees what the state owns, and the state. */
void semaphore_destroy(struct semaphore *semaphore);

#endif
