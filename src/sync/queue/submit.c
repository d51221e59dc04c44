/* Processes work that is submitted to queues (6.5 "Command Buffer Submission", 35.7 "Sparse
 * Resource Memory Binding"). It does so before the call goes down: until then the program may not
 * change the submitted objects. */
#include "report/finding/reporter.h"
#include "sync/access/areas.h"
#include "sync/hooks.h"
#include "sync/queue/owners.h"
#include "sync/queue/queue.h"

/* Returns the call's queue; NULL: its number is beyond those that are followed, or it got no number
 * as memory was out. */
static struct queue *followed_queue(const struct call *call)
{
    struct queue *queue = object_load_state(call->object);
    return queue_is_followed(queue) ? queue : NULL;
}

/* Returns the id of a semaphore; 0: it is unknown. */
static uint64_t semaphore_id(const struct call *call, VkSemaphore handle, bool *timeline)
{
    const struct semaphore *semaphore = find_semaphore(call, handle);
    *timeline = semaphore && semaphore->type == VK_SEMAPHORE_TYPE_TIMELINE;
    return semaphore ? object_state_id(&semaphore->base) : 0;
}

/* Reads wait `i` of a batch. `stages` are the masks of vkQueueSubmit; NULL for another command. An
 * unknown semaphore has id 0. */
static void read_wait(const struct call *call, const struct batch *batch,
                      const VkPipelineStageFlags *stages, uint32_t i, struct batch_semaphore *wait)
{
    wait->id = semaphore_id(call, batch_wait(batch, i), &wait->timeline);
    wait->value = batch_wait_value(batch, i);
    wait->stages = batch->waits2 ? batch->waits2[i].stageMask
                   : stages      ? stages[i]
                                 : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
}

/* Reads signal `i` of a batch. A signal of vkQueueSubmit comes after all commands. */
static void read_signal(const struct call *call, const struct batch *batch, uint32_t i,
                        struct batch_semaphore *signal)
{
    signal->id = semaphore_id(call, batch_signal(batch, i), &signal->timeline);
    signal->value = batch_signal_value(batch, i);
    signal->stages =
        batch->signals2 ? batch->signals2[i].stageMask : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
}

/* Reads command buffer `i` of a batch. Its `log` is NULL if it is not executable, or unknown: then
 * all work before it is forgotten. */
static void read_command_buffer(const struct batch *batch, uint32_t i,
                                struct batch_command_buffer *submitted)
{
    struct command_buffer *command_buffer = find_command_buffer(batch_command_buffer(batch, i));
    struct sync_command_buffer *recorded =
        command_buffer ? sync_in_command_buffer(command_buffer)->sync : NULL;
    bool executable = recorded && (command_buffer->scope & SCOPE_EXECUTABLE);
    *submitted = (struct batch_command_buffer){.command_buffer = command_buffer,
                                               .log = executable ? recorded->log : NULL};
}

/* If other threads may submit to the same queue at the same time, the batch gets the sequence
 * number of its command buffers. */
uint64_t batch_sequence(const struct queue *queue, const struct batch *batch, uint32_t later)
{
    if (queue->flags & VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR) {
        const struct command_buffer *first =
            batch->command_buffer_count ? find_command_buffer(batch_command_buffer(batch, 0))
                                        : NULL;
        uint64_t stamp =
            first ? atomic_load_explicit(&first->base.last_use, memory_order_relaxed) : 0;
        if (stamp >> 56 == queue->number)
            return stamp_sequence(stamp);
    }
    return atomic_load_explicit(&queue->submitted, memory_order_relaxed) - later;
}

/* True if the batch has no effect that has to be tracked. Then the lock is not needed. */
static bool is_nothing(const struct batch *batch)
{
    if (batch->wait_count || batch->signal_count)
        return false;
    for (uint32_t i = 0; i < batch->command_buffer_count; i++) {
        struct batch_command_buffer submitted;
        read_command_buffer(batch, i, &submitted);
        if (!submitted.log ||
            sync_in_command_buffer(submitted.command_buffer)->sync->context.stream_count ||
            sync_in_command_buffer(submitted.command_buffer)->sync->context.broken)
            return false;
    }
    return true;
}

/* Parks the only batch of a call, if nothing can collide with it. Returns true if it is parked.
 * `processing` is NULL if no group's lock is held yet. */
static bool submit_parks(const struct call *call, struct processing *processing,
                         struct queue *queue, const struct batch *batch, uint32_t later)
{
    if (batch->wait_count || batch->signal_count || batch->command_buffer_count != 1)
        return false;
    struct batch_command_buffer submitted;
    read_command_buffer(batch, 0, &submitted);
    if (!submitted.log)
        return false;
    const struct queue_slot slot = {
        .sequence = batch_sequence(queue, batch, later),
        .log = submitted.log,
        .queue = queue,
        .muted = reporter_is_label_muted(call->instance->reporter, call->object)};
    struct sync_command_buffer *recorded = sync_in_command_buffer(submitted.command_buffer)->sync;
    if (!processing)
        return queue_park(call, &slot, recorded);
    lock_held(&processing->group->lock);
    return queue_park_here(processing->group, &slot, recorded);
}

/* Submits one batch. `later` is how many sequence numbers the call was given after this batch's.
 * `only` is true for the only batch of a call. */
static void submit_batches(struct processing *processing, struct queue *queue,
                           const struct batch *batch, const VkPipelineStageFlags *stages,
                           uint32_t index, uint32_t later, bool only)
    REQUIRES(processing->group->lock)
{
    const struct call *call = processing->call;
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    struct queue_batch ours = {.queue = queue,
                               .sequence = batch_sequence(queue, batch, later),
                               .caller = call->caller,
                               .command = call->command,
                               .index = index,
                               .muted =
                                   reporter_is_label_muted(call->instance->reporter, call->object),
                               .wait_count = batch->wait_count,
                               .signal_count = batch->signal_count,
                               .command_buffer_count = batch->command_buffer_count};
    ours.waits = scratch_alloc(scratch, batch->wait_count * sizeof(*ours.waits));
    ours.signals = scratch_alloc(scratch, batch->signal_count * sizeof(*ours.signals));
    ours.command_buffers =
        scratch_alloc(scratch, batch->command_buffer_count * sizeof(*ours.command_buffers));
    if (!ours.waits || !ours.signals || !ours.command_buffers) {
        /* Memory is out. All is forgotten, as a missing order would be reported as a hazard
         * later. */
        queue_group_forget_all(processing);
        scratch_rewind(scratch, mark);
        return;
    }
    for (uint32_t i = 0; i < batch->wait_count; i++)
        read_wait(call, batch, stages, i, &ours.waits[i]);
    for (uint32_t i = 0; i < batch->signal_count; i++)
        read_signal(call, batch, i, &ours.signals[i]);
    for (uint32_t i = 0; i < batch->command_buffer_count; i++)
        read_command_buffer(batch, i, &ours.command_buffers[i]);
    queue_group_choose(processing, &ours);
    /* The only batch of a call is parked if nothing can collide with it. */
    if (!only || !submit_parks(call, processing, queue, batch, later))
        queue_batch_submit(processing, &ours);
    scratch_rewind(scratch, mark);
}

/* Processes all batches of a call. A call without work that could collide does not take the
 * lock. */
static ALWAYS_INLINE void follow_call(const struct call *call, const struct batches *batches,
                                      VkFence fence)
{
    struct queue *followed = followed_queue(call);
    struct processing processing;
    const bool has_fence = fence != VK_NULL_HANDLE,
               only = batches->count == 1 && batches->form != BATCHES_BIND_SPARSE;
    if (!followed || !batches->count)
        return;
    if (batches->form != BATCHES_BIND_SPARSE && device_has_families(call->device))
        owners_submit(call, followed, *batches, has_fence);
    if (only) {
        const struct batch first = batches_at(batches, 0);
        if (is_nothing(&first) || submit_parks(call, NULL, followed, &first, has_fence))
            return;
    }
    if (!processing_begin_queue(&processing, call, followed))
        return;
    for (uint32_t i = 0; i < batches->count; i++) {
        const struct batch batch = batches_at(batches, i);
        submit_batches(&processing, followed, &batch, batches_wait_stages(batches, i), i,
                       batches->count - 1 - i + has_fence, only);
    }
    processing_end(&processing);
}

void sync_before_QueueSubmit(struct call *call, VkQueue queue, uint32_t submitCount,
                             const VkSubmitInfo *pSubmits, VkFence fence)
{
    const struct batches batches = batches_of_submit(submitCount, pSubmits);
    follow_call(call, &batches, fence);
}

void sync_before_QueueSubmit2(struct call *call, VkQueue queue, uint32_t submitCount,
                              const VkSubmitInfo2 *pSubmits, VkFence fence)
{
    const struct batches batches = batches_of_submit2(submitCount, pSubmits);
    follow_call(call, &batches, fence);
}

/* Makes all owners unknown after a failed submission, which may have been carried out in part. */
static void lose_owners(const struct call *call)
{
    if (unlikely(call->result < VK_SUCCESS) && device_has_families(call->device))
        owners_lose(call);
}

void sync_after_QueueSubmit(struct call *call, VkQueue queue, uint32_t submitCount,
                            const VkSubmitInfo *pSubmits, VkFence fence)
{
    lose_owners(call);
}

void sync_after_QueueSubmit2(struct call *call, VkQueue queue, uint32_t submitCount,
                             const VkSubmitInfo2 *pSubmits, VkFence fence)
{
    lose_owners(call);
}

/* Plays only the semaphores of a sparse binding: accesses to sparse memory are not followed. */
void sync_before_QueueBindSparse(struct call *call, VkQueue queue, uint32_t bindInfoCount,
                                 const VkBindSparseInfo *pBindInfo, VkFence fence)
{
    const struct batches batches = batches_of_bind_sparse(bindInfoCount, pBindInfo);
    follow_call(call, &batches, fence);
}

/* --- the host --- */

/* Plays batches that waited for the value. That must happen before the call goes down: afterwards
 * another thread may learn that they are done. */
void sync_before_SignalSemaphore(struct call *call, VkDevice device,
                                 const VkSemaphoreSignalInfo *pSignalInfo)
{
    struct processing processing;
    const struct semaphore *semaphore = find_semaphore(call, pSignalInfo->semaphore);
    if (!processing_begin(&processing, call, NULL))
        return;
    if (semaphore) {
        queue_claim_semaphore(processing.group, object_state_id(&semaphore->base), 0);
        queue_note_host_signal(processing.group, object_state_id(&semaphore->base),
                               pSignalInfo->value);
    }
    processing_end(&processing);
}
