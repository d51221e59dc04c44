/* Queue submissions: what was handed to which queue, and what is known to be done.
 *
 * A submission is a sequence number of its queue. What it uses is stamped with that number
 * (object_state::last_use), and what it signals remembers it (fence.h, semaphore.h). The queue
 * knows up to which number all is done. So whether something is pending is a comparison, and
 * nothing has to be walked through when work is done. What completes a submission also completes
 * what it waited for on other queues: the queue keeps these waits until then (struct queue_wait).
 *
 * All of this happens in before hooks: when the call down returns, another thread may already have
 * learned that the work is done. */
#ifndef ASSAY_STATE_SUBMISSION_H
#define ASSAY_STATE_SUBMISSION_H

#include "state/submit/semaphore.h"

/* One VkSubmitInfo, VkSubmitInfo2 or VkBindSparseInfo (or the semaphores of a VkPresentInfoKHR) in
 * one form. Arrays that are NULL count 0. */
struct batch {
    uint32_t wait_count, signal_count, command_buffer_count;
    const VkSemaphore *waits, *signals; /* NULL in version 2's form */
    /* of VkTimelineSemaphoreSubmitInfo; NULL without one */
    const uint64_t *wait_values, *signal_values;
    uint32_t wait_value_count, signal_value_count;
    const VkSemaphoreSubmitInfo *waits2, *signals2;
    const VkCommandBuffer *command_buffers;
    const VkCommandBufferSubmitInfo *command_buffers2;
};

/* Adds what a VkTimelineSemaphoreSubmitInfo in the chain says. */
void batch_add_timeline_values(struct batch *batch, const void *chain) COLD;

static ALWAYS_INLINE struct batch batch_of_submit(const VkSubmitInfo *info)
{
    struct batch batch = {
        .wait_count = info->pWaitSemaphores ? info->waitSemaphoreCount : 0,
        .signal_count = info->pSignalSemaphores ? info->signalSemaphoreCount : 0,
        .command_buffer_count = info->pCommandBuffers ? info->commandBufferCount : 0,
        .waits = info->pWaitSemaphores,
        .signals = info->pSignalSemaphores,
        .command_buffers = info->pCommandBuffers,
    };
    if (unlikely(info->pNext))
        batch_add_timeline_values(&batch, info->pNext);
    return batch;
}

static ALWAYS_INLINE struct batch batch_of_submit2(const VkSubmitInfo2 *info)
{
    return (struct batch){
        .wait_count = info->pWaitSemaphoreInfos ? info->waitSemaphoreInfoCount : 0,
        .signal_count = info->pSignalSemaphoreInfos ? info->signalSemaphoreInfoCount : 0,
        .command_buffer_count = info->pCommandBufferInfos ? info->commandBufferInfoCount : 0,
        .waits2 = info->pWaitSemaphoreInfos,
        .signals2 = info->pSignalSemaphoreInfos,
        .command_buffers2 = info->pCommandBufferInfos,
    };
}

static ALWAYS_INLINE struct batch batch_of_bind_sparse(const VkBindSparseInfo *info)
{
    struct batch batch = {
        .wait_count = info->pWaitSemaphores ? info->waitSemaphoreCount : 0,
        .signal_count = info->pSignalSemaphores ? info->signalSemaphoreCount : 0,
        .waits = info->pWaitSemaphores,
        .signals = info->pSignalSemaphores,
    };
    if (unlikely(info->pNext))
        batch_add_timeline_values(&batch, info->pNext);
    return batch;
}

static inline VkSemaphore batch_wait(const struct batch *batch, uint32_t i)
{
    return batch->waits2 ? batch->waits2[i].semaphore : batch->waits[i];
}

static inline VkSemaphore batch_signal(const struct batch *batch, uint32_t i)
{
    return batch->signals2 ? batch->signals2[i].semaphore : batch->signals[i];
}

/* The value for a timeline semaphore; 0 where the app gave none. */
static inline uint64_t batch_wait_value(const struct batch *batch, uint32_t i)
{
    return batch->waits2                 ? batch->waits2[i].value
           : i < batch->wait_value_count ? batch->wait_values[i]
                                         : 0;
}

static inline uint64_t batch_signal_value(const struct batch *batch, uint32_t i)
{
    return batch->signals2                 ? batch->signals2[i].value
           : i < batch->signal_value_count ? batch->signal_values[i]
                                           : 0;
}

static inline VkCommandBuffer batch_command_buffer(const struct batch *batch, uint32_t i)
{
    return batch->command_buffers2 ? batch->command_buffers2[i].commandBuffer
                                   : batch->command_buffers[i];
}

/* True if the batch, or an earlier one of the call's queue, waits for a timeline semaphore's value
 * that nothing submitted yet will signal. Work that is submitted later then runs earlier, and what
 * the batch will find cannot be known. */
bool batch_waits_ahead(const struct call *call, const struct batch *batch);

/* --- what is known to be done: state/submit/retire.c --- */

/* The submission of this stamp (0: none) is known to be done. So are all earlier ones of its queue,
 * and what they waited for. Threads: any; holds one lock at a time. */
void submission_retire(const struct device *device, uint64_t stamp);

/* The timeline semaphore (may be NULL) is known to have reached a value; `exact` as for
 * semaphore_reached(). */
void submission_semaphore_reached(const struct device *device, struct semaphore *semaphore,
                                  uint64_t value, bool exact);

#endif
