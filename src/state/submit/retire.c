/* Tracks what follows when some submitted work is known to be done, and what calls tell of that
 * which look at semaphores. */
#include "state/submit/submission.h"
#include "state/hooks.h"

/* Queues that have something to retire, and up to where: a work list. */
struct retiring {
    uint32_t count;
    struct {
        struct queue *queue; /* each once */
        uint64_t sequence;   /* of the last submission that has ended */
    } list[QUEUE_NUMBERS];
};

/* Adds the work of a stamp to what is to be known as done, unless it is already. */
static void retire_later(struct retiring *retiring, const struct device *device, uint64_t stamp)
{
    struct queue *queue = stamp_queue(device, stamp);
    uint64_t sequence = stamp_sequence(stamp);
    if (!queue || sequence <= atomic_load_explicit(&queue->completed, memory_order_acquire))
        return;
    for (uint32_t i = 0; i < retiring->count; i++) {
        if (retiring->list[i].queue == queue) {
            /* A queue ends its work in order: the latest stands for all before it. */
            if (sequence > retiring->list[i].sequence)
                retiring->list[i].sequence = sequence;
            return;
        }
    }
    if (retiring->count < QUEUE_NUMBERS) {
        retiring->list[retiring->count].queue = queue;
        retiring->list[retiring->count++].sequence = sequence;
    }
}

/* Queues for later all stamps that the semaphore's value stands for, some at a time. */
static void reached_later(struct retiring *retiring, const struct device *device,
                          struct semaphore *semaphore, uint64_t value, bool exact)
{
    uint64_t stamps[16];
    uint32_t count;
    do {
        count = semaphore_reached(semaphore, value, exact, stamps, ARRAY_LENGTH(stamps));
        for (uint32_t i = 0; i < count; i++)
            retire_later(retiring, device, stamps[i]);
    } while (count == ARRAY_LENGTH(stamps));
}

/* Takes the oldest wait out of the ring, if its submission is done. */
static bool take_wait(struct queue *queue, uint64_t sequence, struct queue_wait *wait)
{
    assert(queue && wait);
    bool taken = false;
    lock_take(&queue->lock);
    uint32_t count = queue_wait_count(queue);
    if (count && queue->waits[queue->wait_first].sequence <= sequence) {
        *wait = queue->waits[queue->wait_first];
        queue->wait_first = (queue->wait_first + 1) & (queue->wait_capacity - 1);
        queue_set_wait_count(queue, count - 1);
        taken = true;
    }
    lock_release(&queue->lock);
    return taken;
}

/* Raises the number of the last submission that has ended; another thread may have raised it
 * further. */
static void raise_completed(struct queue *queue, uint64_t sequence)
{
    uint64_t completed = atomic_load_explicit(&queue->completed, memory_order_relaxed);
    while (completed < sequence &&
           !atomic_compare_exchange_weak_explicit(&queue->completed, &completed, sequence,
                                                  memory_order_release, memory_order_relaxed))
        continue;
}

/* Ends: each round raises a queue's completed number. */
static void retire_all(struct retiring *retiring, const struct device *device)
{
    while (retiring->count) {
        retiring->count--;
        struct queue *queue = retiring->list[retiring->count].queue;
        uint64_t sequence = retiring->list[retiring->count].sequence;
        struct queue_wait wait;
        raise_completed(queue, sequence);
        /* The count without the lock: a submission's waits are in the ring before anything can say
         * that it is done. What says so (a fence's payload, the program's own synchronization of
         * its queue) orders this after. */
        while (queue_wait_count(queue) && take_wait(queue, sequence, &wait)) {
            if (wait.semaphore)
                reached_later(retiring, device, semaphore_by_id(wait.semaphore), wait.value, false);
            else
                retire_later(retiring, device, wait.value);
        }
    }
}

void submission_retire(const struct device *device, uint64_t stamp)
{
    struct retiring retiring;
    retiring.count = 0;
    retire_later(&retiring, device, stamp);
    retire_all(&retiring, device);
}

void submission_semaphore_reached(const struct device *device, struct semaphore *semaphore,
                                  uint64_t value, bool exact)
{
    struct retiring retiring;
    retiring.count = 0;
    reached_later(&retiring, device, semaphore, value, exact);
    retire_all(&retiring, device);
}

/* --- the host looks, waits and signals --- */

/* It runs before the driver: a thread that the signal wakes may ask at once. */
void state_before_SignalSemaphore(struct call *call, VkDevice device,
                                  const VkSemaphoreSignalInfo *pSignalInfo)
{
    submission_semaphore_reached(call->device, find_semaphore(call, pSignalInfo->semaphore),
                                 pSignalInfo->value, true);
}

void state_after_GetSemaphoreCounterValue(struct call *call, VkDevice device, VkSemaphore semaphore,
                                          uint64_t *pValue)
{
    if (call->result == VK_ERROR_DEVICE_LOST)
        device_mark_lost(call->device);
    if (call->result == VK_SUCCESS)
        submission_semaphore_reached(call->device, named_semaphore(call, 0, semaphore), *pValue,
                                     true);
}

void state_after_WaitSemaphores(struct call *call, VkDevice device,
                                const VkSemaphoreWaitInfo *pWaitInfo, uint64_t timeout)
{
    if (call->result == VK_ERROR_DEVICE_LOST)
        device_mark_lost(call->device);
    /* The answer does not tell which one of several it was. */
    if (call->result != VK_SUCCESS ||
        ((pWaitInfo->flags & VK_SEMAPHORE_WAIT_ANY_BIT) && pWaitInfo->semaphoreCount != 1))
        return;
    for (uint32_t i = 0; i < pWaitInfo->semaphoreCount; i++)
        submission_semaphore_reached(call->device, find_semaphore(call, pWaitInfo->pSemaphores[i]),
                                     pWaitInfo->pValues[i], false);
}
