/* Queue submissions: which work was submitted to which queue, and which has completed.
 *
 * A submission is a sequence number of its queue. The objects that it uses are stamped with that
 * number (object_state::last_use), and those that it signals remember it (fence.h, semaphore.h).
 * The queue knows up to which number all work has completed. So a comparison tells whether
 * something is pending, and completion does not have to visit objects. When a submission has
 * completed, so have the signals for which it waited: the queue keeps these waits until then
 * (struct queue_wait).
 *
 * All of this happens in before hooks: when the call down returns, another thread may already know
 * that the work has completed. */
#ifndef ASSAY_STATE_SUBMISSION_H
#define ASSAY_STATE_SUBMISSION_H

#include "state/submit/semaphore.h"

/* One VkSubmitInfo, VkSubmitInfo2 or VkBindSparseInfo, or the semaphores of a VkPresentInfoKHR, in
 * one form. The count of an array that is NULL is 0. */
struct batch {
    uint32_t wait_count, signal_count, command_buffer_count;
    const VkSemaphore *waits, *signals; /* NULL in version 2's form */
    /* from VkTimelineSemaphoreSubmitInfo; NULL: not chained */
    const uint64_t *wait_values, *signal_values;
    uint32_t wait_value_count, signal_value_count;
    const VkSemaphoreSubmitInfo *waits2, *signals2;
    const VkCommandBuffer *command_buffers;
    const VkCommandBufferSubmitInfo *command_buffers2;
};

/* Adds the values of a VkTimelineSemaphoreSubmitInfo in the chain. */
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

/* All batches of one vkQueueSubmit, vkQueueSubmit2 or vkQueueBindSparse. Validators read them with
 * batches_at(), in one function for all forms. These functions are inline, so that this costs
 * nothing in a hook, which knows its form. Threads: the calling thread, as long as the call's
 * parameters exist. */
struct batches {
    enum { BATCHES_SUBMIT, BATCHES_SUBMIT2, BATCHES_BIND_SPARSE } form;
    uint32_t count; /* 0 if the array is NULL */
    union {
        const VkSubmitInfo *submits;
        const VkSubmitInfo2 *submits2;
        const VkBindSparseInfo *binds;
    };
};

static ALWAYS_INLINE struct batches batches_of_submit(uint32_t count, const VkSubmitInfo *submits)
{
    return (struct batches){BATCHES_SUBMIT, submits ? count : 0, .submits = submits};
}

static ALWAYS_INLINE struct batches batches_of_submit2(uint32_t count, const VkSubmitInfo2 *submits)
{
    return (struct batches){BATCHES_SUBMIT2, submits ? count : 0, .submits2 = submits};
}

static ALWAYS_INLINE struct batches batches_of_bind_sparse(uint32_t count,
                                                           const VkBindSparseInfo *binds)
{
    return (struct batches){BATCHES_BIND_SPARSE, binds ? count : 0, .binds = binds};
}

static ALWAYS_INLINE struct batch batches_at(const struct batches *batches, uint32_t i)
{
    return batches->form == BATCHES_SUBMIT    ? batch_of_submit(&batches->submits[i])
           : batches->form == BATCHES_SUBMIT2 ? batch_of_submit2(&batches->submits2[i])
                                              : batch_of_bind_sparse(&batches->binds[i]);
}

/* The pWaitDstStageMask of batch `i`; NULL: this form has its stages elsewhere, or none. */
static ALWAYS_INLINE const VkPipelineStageFlags *batches_wait_stages(const struct batches *batches,
                                                                     uint32_t i)
{
    return batches->form == BATCHES_SUBMIT ? batches->submits[i].pWaitDstStageMask : NULL;
}

static inline VkSemaphore batch_wait(const struct batch *batch, uint32_t i)
{
    return batch->waits2 ? batch->waits2[i].semaphore : batch->waits[i];
}

static inline VkSemaphore batch_signal(const struct batch *batch, uint32_t i)
{
    return batch->signals2 ? batch->signals2[i].semaphore : batch->signals[i];
}

/* The value for a timeline semaphore; 0: the program gave none. */
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
 * that nothing submitted so far signals. Later submissions then execute earlier, and the state that
 * the batch will find is not known. */
bool batch_waits_ahead(const struct call *call, const struct batch *batch);

/* A wait for a value of a timeline semaphore that nothing submitted so far signals. */
struct unsubmitted_wait {
    uint64_t semaphore; /* id; 0: there is none */
    uint64_t value;
};
/* True if nothing submitted so far signals that value or a greater one. False also if that is not
 * known. */
bool semaphore_is_unsubmitted(struct semaphore *semaphore, uint64_t value);
/* Such a wait of the submission with this stamp itself, not of earlier ones. Threads: any. */
struct unsubmitted_wait submission_unsubmitted_wait(const struct device *device, uint64_t stamp);

/* --- what is known to be done: state/submit/retire.c --- */

/* Notes that the submission with this stamp (0: none) has completed. So have all earlier ones of
 * its queue, and the signals for which they waited. Threads: any; holds one lock at a time. */
void submission_retire(const struct device *device, uint64_t stamp);

/* Notes that the timeline semaphore (may be NULL) has reached a value. `exact`: as in
 * semaphore_reached(). */
void submission_semaphore_reached(const struct device *device, struct semaphore *semaphore,
                                  uint64_t value, bool exact);

#endif
