/* Tracks what follows when submitted work is known to have completed. Also tracks what calls about
 * semaphores show of that. */
#include "state/submit/submission.h"
#include "state/hooks.h"

/* A work list: queues with work to retire, and the last submission of each. */
struct retiring {
    uint32_t count;
    struct {
        struct queue *queue; /* each queue is in the list once */
        uint64_t sequence;   /* of the last submission that has completed */
    } list[QUEUE_NUMBERS];
};

/* Adds the work of a stamp to the list, unless it is already known to have completed. */
static void retire_later(struct retiring *retiring, const struct device *device, uint64_t stamp)
{
    struct queue *queue = stamp_queue(device, stamp);
    uint64_t sequence = stamp_sequence(stamp);
    if (!queue || sequence <= atomic_load_explicit(&queue->completed, memory_order_acquire))
        return;
    for (uint32_t i = 0; i < retiring->count; i++) {
        if (retiring->list[i].queue == queue) {
            /* A queue completes its work in order, so the latest submission includes all earlier
             * ones. */
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

/* Adds the work of all signals up to the semaphore's value to the list, some at a time. */
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

/* Removes the oldest wait from the ring, if its submission has completed. */
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

/* Raises the number of the last completed submission. Another thread may have raised it further. */
static void raise_completed(struct queue *queue, uint64_t sequence)
{
    uint64_t completed = atomic_load_explicit(&queue->completed, memory_order_relaxed);
    while (completed < sequence &&
           !atomic_compare_exchange_weak_explicit(&queue->completed, &completed, sequence,
                                                  memory_order_release, memory_order_relaxed))
        continue;
}

/* Retires all work in the list. It terminates, as each iteration raises the completed number of a
 * queue. */
static void retire_all(struct retiring *retiring, const struct device *device)
{
    while (retiring->count) {
        retiring->count--;
        struct queue *queue = retiring->list[retiring->count].queue;
        uint64_t sequence = retiring->list[retiring->count].sequence;
        struct queue_wait wait;
        raise_completed(queue, sequence);
        /* The count is read without the lock: a submission's waits are in the ring before anything
         * can show its completion. What shows it (a fence's payload, the program's own
         * synchronization of its queue) orders this after. */
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

/* It runs before the driver's function, as a thread that the signal wakes may query at once. */
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
    /* The result does not show which of several semaphores it was. */
    if (call->result != VK_SUCCESS ||
        ((pWaitInfo->flags & VK_SEMAPHORE_WAIT_ANY_BIT) && pWaitInfo->semaphoreCount != 1))
        return;
    for (uint32_t i = 0; i < pWaitInfo->semaphoreCount; i++)
        submission_semaphore_reached(call->device, find_semaphore(call, pWaitInfo->pSemaphores[i]),
                                     pWaitInfo->pValues[i], false);
}
