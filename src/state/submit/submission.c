/* Tracks how submissions change fences, semaphores and the objects that the work uses. retire.c
 * tracks what follows when work has completed. */
#include "state/submit/submission.h"
#include "state/raytracing/acceleration_structure.h"
#include "state/command/command_buffer.h"
#include "state/command/event.h"
#include "state/hooks.h"
#include "state/memory/image.h"
#include "state/memory/image_layout.h"
#include "state/memory/ownership.h"
#include "state/query/query.h"
#include "state/object/reach.h"
#include "state/command/sections.h"
#include "state/wsi/swapchain.h"

#include "vk/chain.h"

/* --- the forms of a batch --- */

void batch_add_timeline_values(struct batch *batch, const void *chain)
{
    assert(batch);
    const VkTimelineSemaphoreSubmitInfo *values =
        chain_find(chain, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    if (!values)
        return;
    batch->wait_values = values->pWaitSemaphoreValues;
    batch->wait_value_count = values->pWaitSemaphoreValues ? values->waitSemaphoreValueCount : 0;
    batch->signal_values = values->pSignalSemaphoreValues;
    batch->signal_value_count =
        values->pSignalSemaphoreValues ? values->signalSemaphoreValueCount : 0;
}

/* True if the signal for this wait is not submitted yet. A submitted signal that itself waits for
 * such a signal counts as well. */
static bool is_ahead(struct semaphore *semaphore, uint64_t value)
{
    if (likely(!semaphore || semaphore->type != VK_SEMAPHORE_TYPE_TIMELINE))
        return false;
    struct timeline timeline = semaphore_timeline(semaphore, NULL);
    return timeline.known && timeline.completed < value && timeline.ready_signal_max < value;
}

/* True if an earlier batch of the queue still waits for a signal that is not submitted. */
static COLD bool queue_waits_ahead(struct queue *queue)
{
    /* Pairs with note_ahead(): if this exchange clears a mark, the loop below sees the entries that
     * were written before the mark. */
    atomic_exchange_explicit(&queue->any_ahead, false, memory_order_acq_rel);
    bool waits = atomic_load_explicit(&queue->ahead_overflow, memory_order_relaxed);
    for (uint32_t i = 0; i < QUEUE_WAITS_AHEAD; i++) {
        uint64_t id = atomic_load_explicit(&queue->ahead[i].semaphore, memory_order_relaxed);
        if (likely(!id))
            continue;
        if (is_ahead(semaphore_by_id(id),
                     atomic_load_explicit(&queue->ahead[i].value, memory_order_relaxed)))
            waits = true;
        else
            atomic_store_explicit(&queue->ahead[i].semaphore, 0, memory_order_relaxed);
    }
    if (waits)
        atomic_store_explicit(&queue->any_ahead, true, memory_order_relaxed);
    return waits;
}

/* Notes a wait that is submitted before its signal. If the list is full, all later work counts as
 * waiting. */
static void note_in_list(struct queue *queue, const struct semaphore *semaphore, uint64_t value)
{
    assert(queue && semaphore);
    for (uint32_t i = 0; i < QUEUE_WAITS_AHEAD; i++) {
        if (atomic_load_explicit(&queue->ahead[i].semaphore, memory_order_relaxed))
            continue;
        atomic_store_explicit(&queue->ahead[i].value, value, memory_order_relaxed);
        atomic_store_explicit(&queue->ahead[i].semaphore, object_state_id(&semaphore->base),
                              memory_order_relaxed);
        return;
    }
    atomic_store_explicit(&queue->ahead_overflow, true, memory_order_relaxed);
}

bool batch_waits_ahead(const struct call *call, const struct batch *batch)
{
    assert(call->object && batch);
    struct queue *queue = object_load_state(call->object);
    if (queue && unlikely(atomic_load_explicit(&queue->any_ahead, memory_order_relaxed)) &&
        queue_waits_ahead(queue))
        return true;
    for (uint32_t i = 0; i < batch->wait_count; i++) {
        if (unlikely(is_ahead(find_semaphore(call, batch_wait(batch, i)),
                              batch_wait_value(batch, i))))
            return true;
    }
    return false;
}

/* Notes that a batch waits ahead. `any_ahead` is written last, so that a reader that sees it also
 * sees the entry. */
static void note_ahead(struct queue *queue, const struct semaphore *semaphore, uint64_t value)
{
    note_in_list(queue, semaphore, value);
    atomic_store_explicit(&queue->any_ahead, true, memory_order_release);
}

/* Notes the batch's waits ahead. This comes before its own signals, for later calls of
 * queue_waits_ahead(). */
static void note_waits_ahead(const struct call *call, struct queue *queue,
                             const struct batch *batch)
{
    for (uint32_t i = 0; queue && i < batch->wait_count; i++) {
        struct semaphore *semaphore = find_semaphore(call, batch_wait(batch, i));
        if (unlikely(is_ahead(semaphore, batch_wait_value(batch, i))))
            note_ahead(queue, semaphore, batch_wait_value(batch, i));
    }
}

bool semaphore_is_unsubmitted(struct semaphore *semaphore, uint64_t value)
{
    if (likely(!semaphore || semaphore->type != VK_SEMAPHORE_TYPE_TIMELINE))
        return false;
    struct timeline timeline = semaphore_timeline(semaphore, NULL);
    return timeline.known && timeline.completed < value && timeline.signal_max < value;
}

struct unsubmitted_wait submission_unsubmitted_wait(const struct device *device, uint64_t stamp)
{
    struct queue *queue = stamp_queue(device, stamp);
    struct unsubmitted_wait list[QUEUE_WAITS_AHEAD];
    uint32_t count = 0;
    if (likely(!queue || !atomic_load_explicit(&queue->any_ahead, memory_order_relaxed)))
        return (struct unsubmitted_wait){0};
    lock_take(&queue->lock);
    for (uint32_t i = queue_wait_count(queue); i-- && count < QUEUE_WAITS_AHEAD;) {
        const struct queue_wait *wait =
            &queue->waits[(queue->wait_first + i) & (queue->wait_capacity - 1)];
        if (wait->sequence == stamp_sequence(stamp) && wait->semaphore)
            list[count++] = (struct unsubmitted_wait){wait->semaphore, wait->value};
    }
    lock_release(&queue->lock);
    while (count--) {
        if (semaphore_is_unsubmitted(semaphore_by_id(list[count].semaphore), list[count].value))
            return list[count];
    }
    return (struct unsubmitted_wait){0};
}

/* --- what is submitted --- */

/* The most waits that a queue keeps. A program that never queries whether its work has completed
 * reaches this limit; the oldest waits then count as completed. */
#define QUEUE_WAITS_MOST (1u << 16)

/* Doubles the room for a queue's waits. False: there are too many, or memory ran out. */
static bool grow_waits(struct queue *queue) REQUIRES(queue->lock)
{
    assert(!(queue->wait_capacity & (queue->wait_capacity - 1)));
    uint32_t capacity = queue->wait_capacity ? queue->wait_capacity * 2 : 64;
    struct queue_wait *waits =
        capacity <= QUEUE_WAITS_MOST ? mem_alloc(capacity * sizeof(*waits)) : NULL;
    if (!waits)
        return false;
    for (uint32_t i = 0; i < queue_wait_count(queue); i++)
        waits[i] = queue->waits[(queue->wait_first + i) & (queue->wait_capacity - 1)];
    mem_free(queue->waits);
    queue->waits = waits;
    queue->wait_capacity = capacity;
    queue->wait_first = 0;
    return true;
}

/* Adds a wait to the queue's ring. Returns the wait that did not fit: none, the oldest wait, or
 * this wait. */
static struct queue_wait put_wait(struct queue *queue, struct queue_wait wait)
{
    struct queue_wait oldest = {0};
    lock_take(&queue->lock);
    uint32_t count = queue_wait_count(queue);
    if (count == queue->wait_capacity && !grow_waits(queue)) {
        if (queue->wait_capacity) {
            oldest = queue->waits[queue->wait_first];
            queue->wait_first = (queue->wait_first + 1) & (queue->wait_capacity - 1);
            count--;
            /* The ring has no room at all, as memory ran out. */
        } else {
            oldest = wait;
        }
    }
    if (queue->wait_capacity) {
        queue->waits[(queue->wait_first + count) & (queue->wait_capacity - 1)] = wait;
        queue_set_wait_count(queue, count + 1);
    }
    lock_release(&queue->lock);
    return oldest;
}

/* Makes the value count as reached. If no signal of it was submitted, the host may still be going
 * to signal it, and the semaphore's value is not known any more. */
static void presume_reached(const struct device *device, struct semaphore *semaphore,
                            uint64_t value)
{
    const bool unsubmitted = is_ahead(semaphore, value);
    submission_semaphore_reached(device, semaphore, value, false);
    if (unsubmitted)
        atomic_store_explicit(&semaphore->shared, true, memory_order_relaxed);
}

/* Notes that a submission waits for the signal with the stamp `wait.value`, or for that value of a
 * timeline semaphore. If the queue cannot keep the wait until the submission completes, what is
 * waited for counts as completed now. */
static void add_wait(const struct device *device, struct queue *queue, struct queue_wait wait)
{
    /* Earlier work of the same queue has completed in any case when this submission has. */
    if (!wait.semaphore && (!wait.value || stamp_queue(device, wait.value) == queue))
        return;
    struct queue_wait untold = likely(queue && queue->number) ? put_wait(queue, wait) : wait;
    if (untold.semaphore)
        presume_reached(device, semaphore_by_id(untold.semaphore), untold.value);
    else
        submission_retire(device, untold.value);
}

/* Notes that a submission waits for a semaphore. `value`: for a timeline semaphore. */
static void submit_wait(const struct call *call, struct queue *queue, uint64_t stamp,
                        VkSemaphore handle, uint64_t value)
{
    struct semaphore *semaphore = find_semaphore(call, handle);
    if (!semaphore)
        return;
    uint64_t sequence = stamp_sequence(stamp), signaled;
    if (semaphore->type == VK_SEMAPHORE_TYPE_TIMELINE) {
        add_wait(call->device, queue,
                 (struct queue_wait){.sequence = sequence,
                                     .semaphore = object_state_id(&semaphore->base),
                                     .value = value});
        semaphore_add_operation(semaphore,
                                (struct timeline_operation){.value = value, .stamp = stamp});
        return;
    }
    if (semaphore_last(semaphore, &signaled) == SEMAPHORE_LAST_SIGNAL) {
        add_wait(call->device, queue, (struct queue_wait){.sequence = sequence, .value = signaled});
        /* An acquire has signaled the semaphore, which means that the image's presents were waited
         * for. */
        for (uint32_t i = 0; !signaled && i < PRESENT_WAITS; i++) {
            uint64_t present =
                atomic_load_explicit(&semaphore->present.stamps[i], memory_order_relaxed);
            add_wait(call->device, queue,
                     (struct queue_wait){.sequence = sequence, .value = present});
        }
    }
    semaphore_set_last(semaphore, stamp ? SEMAPHORE_LAST_WAIT : SEMAPHORE_LAST_UNKNOWN, stamp);
}

/* Notes that a submission signals a semaphore. `ahead`: the submission waits for a signal that is
 * not submitted yet. */
static void submit_signal(const struct call *call, uint64_t stamp, bool ahead, VkSemaphore handle,
                          uint64_t value)
{
    struct semaphore *semaphore = find_semaphore(call, handle);
    /* memory ran out for the semaphore's state, so a wait for it will not show that this submission
     * has completed */
    if (!semaphore)
        submission_retire(call->device, stamp);
    /* others may show the program that the semaphore is signaled */
    else if (unlikely(semaphore_is_shared(semaphore)))
        stamp_presume_done(call->device, stamp);
    else if (semaphore->type == VK_SEMAPHORE_TYPE_TIMELINE)
        semaphore_add_operation(semaphore, (struct timeline_operation){.value = value,
                                                                       .stamp = stamp,
                                                                       .signal = true,
                                                                       .ahead = ahead});
    else
        semaphore_set_last(semaphore, stamp ? SEMAPHORE_LAST_SIGNAL : SEMAPHORE_LAST_UNKNOWN,
                           stamp);
}

/* The most levels of secondaries that execute secondaries. Deeper ones are left out, so that a
 * circle in a wrong program ends. */
#define NESTING_MOST 8

static void stamp_secondary(const struct device *device, struct command_buffer *secondary,
                            uint64_t stamp, uint32_t nesting);

/* Stamps the objects in the list. True if each of them has a state, and so a stamp now. */
static bool stamp_uses(const struct device *device, const struct command_buffer *command_buffer,
                       uint64_t stamp, uint32_t nesting)
{
    const struct use_list *uses = &command_buffer->uses;
    bool all = !uses->incomplete;
    for (uint32_t i = 0; i < uses->count; i++) {
        uint64_t id = uses->ids[i];
        struct object_state *state = object_state_by_id(id, object_id_type(id));
        if (unlikely(!state)) {
            all = false;
            continue;
        }
        object_stamp(device, state, stamp);
        if (unlikely(object_id_type(id) == HANDLE_COMMAND_BUFFER) && nesting)
            stamp_secondary(device, (struct command_buffer *)state, stamp, nesting - 1);
    }
    return all;
}

/* Notes that a secondary is submitted with its primary, and stamps the objects that it uses. */
static void stamp_secondary(const struct device *device, struct command_buffer *secondary,
                            uint64_t stamp, uint32_t nesting)
{
    secondary->submitted = true;
    (void)stamp_uses(device, secondary, stamp, nesting);
    command_buffer_submit_events(secondary, stamp);
}

/* Stamps the command buffer and the objects that it uses with the submission. */
static void stamp_command_buffer(const struct device *device, struct command_buffer *command_buffer,
                                 uint64_t stamp)
{
    assert(command_buffer);
    object_stamp(device, &command_buffer->base, stamp);
    if (likely(command_buffer->stamped &&
               atomic_load_explicit(&command_buffer->valid_since, memory_order_relaxed) ==
                   atomic_load_explicit(&uses_epoch, memory_order_relaxed))) {
        /* The command buffer was stamped before, and uses the same objects: these are stamped
         * later. */
        if (command_buffer->uses.count)
            reach_stamp_later(command_buffer);
    } else {
        command_buffer->stamped = stamp_uses(device, command_buffer, stamp, NESTING_MOST) &&
                                  stamp && !command_buffer->uses.executes &&
                                  !command_buffer->events && !command_buffer->queries;
    }
    command_buffer_submit_events(command_buffer, stamp);
    reach_submit(command_buffer);
}

/* Notes that a command buffer is submitted. `ahead`: it executes after work that is not submitted
 * yet. */
static void submit_command_buffer(const struct call *call, struct queue *queue, uint64_t stamp,
                                  bool ahead, VkCommandBuffer handle)
{
    struct command_buffer *command_buffer = find_command_buffer(handle);
    if (!command_buffer)
        return;
    stamp_command_buffer(call->device, command_buffer, stamp);
    ownership_submit(call->device, command_buffer);
    sections_submit(queue, command_buffer, ahead);
    command_buffer->submitted = true;
    /* The work for which this batch waits may still change layouts. */
    if (command_buffer->layouts && ahead)
        image_layouts_forget(command_buffer);
    else if (command_buffer->layouts)
        image_layouts_publish(command_buffer);
    if (unlikely(command_buffer->builds))
        command_buffer_submit_builds(command_buffer, ahead);
    if (unlikely(command_buffer->queries))
        command_buffer_submit_queries(call->device, command_buffer, ahead ? NULL : queue, stamp);
}

/* The stamp of the next submission. 0, which means untracked work, if memory ran out for the
 * queue's state. */
static uint64_t next_stamp(struct queue *queue)
{
    return likely(queue) ? use_stamp(queue, atomic_fetch_add_explicit(&queue->submitted, 1,
                                                                      memory_order_relaxed) +
                                                1)
                         : 0;
}

/* Notes a batch, whose waits, uses and signals have one sequence number. */
static void submit_batch(const struct call *call, struct queue *queue, const struct batch *batch)
{
    assert(batch);
    uint64_t stamp = next_stamp(queue);
    bool ahead = batch_waits_ahead(call, batch);
    if (unlikely(ahead))
        note_waits_ahead(call, queue, batch);
    for (uint32_t i = 0; i < batch->wait_count; i++)
        submit_wait(call, queue, stamp, batch_wait(batch, i), batch_wait_value(batch, i));
    for (uint32_t i = 0; i < batch->command_buffer_count; i++)
        submit_command_buffer(call, queue, stamp, ahead, batch_command_buffer(batch, i));
    for (uint32_t i = 0; i < batch->signal_count; i++)
        submit_signal(call, stamp, ahead, batch_signal(batch, i), batch_signal_value(batch, i));
}

/* Notes that a submission signals the fence. */
static void signal_fence(const struct call *call, VkFence handle, uint64_t stamp)
{
    struct fence *fence = find_fence(call, handle);
    if (fence)
        fence_submit(fence, stamp);
    if (fence && unlikely(atomic_load_explicit(&fence->shared, memory_order_relaxed)))
        /* others may show the program that the fence is signaled */
        stamp_presume_done(call->device, stamp);
    /* memory ran out for the fence's state: the layer does not see what the fence shows the
     * program */
    else if (!fence && handle)
        submission_retire(call->device, stamp);
}

/* Notes the fence of a submission. It is signaled when the last batch, and all before it, have
 * completed; without a batch, when all earlier work has. */
static void submit_fence(const struct call *call, struct queue *queue, VkFence fence)
{
    if (fence)
        signal_fence(call, fence, next_stamp(queue));
}

/* The queue of the call; NULL: it is not known. */
static struct queue *call_queue(const struct call *call)
{
    return object_load_state(call->object);
}

/* Notes all batches of a call, then its fence. */
static ALWAYS_INLINE void submit_call(const struct call *call, const struct batches *batches,
                                      VkFence fence)
{
    struct queue *queue = call_queue(call);
    for (uint32_t i = 0; i < batches->count; i++) {
        const struct batch batch = batches_at(batches, i);
        submit_batch(call, queue, &batch);
    }
    submit_fence(call, queue, fence);
}

void state_before_QueueSubmit(struct call *call, VkQueue queue, uint32_t submitCount,
                              const VkSubmitInfo *pSubmits, VkFence fence)
{
    const struct batches batches = batches_of_submit(submitCount, pSubmits);
    submit_call(call, &batches, fence);
}

void state_before_QueueSubmit2(struct call *call, VkQueue queue, uint32_t submitCount,
                               const VkSubmitInfo2 *pSubmits, VkFence fence)
{
    const struct batches batches = batches_of_submit2(submitCount, pSubmits);
    submit_call(call, &batches, fence);
}

void state_before_QueueBindSparse(struct call *call, VkQueue queue, uint32_t bindInfoCount,
                                  const VkBindSparseInfo *pBindInfo, VkFence fence)
{
    const struct batches batches = batches_of_bind_sparse(bindInfoCount, pBindInfo);
    submit_call(call, &batches, fence);
}

/* Submissions that failed: the state of their signals is not known, and none of their work is
 * pending. */

/* Notes that the semaphore's state is not known, because a submission has failed. */
static void forget_semaphore(const struct call *call, VkSemaphore handle)
{
    struct semaphore *semaphore = find_semaphore(call, handle);
    if (semaphore && semaphore->type == VK_SEMAPHORE_TYPE_TIMELINE)
        atomic_store_explicit(&semaphore->shared, true, memory_order_relaxed);
    else if (semaphore)
        semaphore_set_last(semaphore, SEMAPHORE_LAST_UNKNOWN, 0);
}

/* Marks all states that a failed batch would have changed as not known. */
static void forget_batch(const struct call *call, const struct batch *batch)
{
    for (uint32_t i = 0; i < batch->wait_count; i++)
        forget_semaphore(call, batch_wait(batch, i));
    for (uint32_t i = 0; i < batch->signal_count; i++)
        forget_semaphore(call, batch_signal(batch, i));
    for (uint32_t i = 0; i < batch->command_buffer_count; i++) {
        const struct command_buffer *command_buffer =
            find_command_buffer(batch_command_buffer(batch, i));
        if (command_buffer && command_buffer->layouts)
            image_layouts_forget(command_buffer);
        if (command_buffer && command_buffer->builds)
            /* As if it were submitted ahead: the state in which it leaves the structures is not
             * known. */
            command_buffer_submit_builds(command_buffer, true);
        if (command_buffer && command_buffer->queries)
            command_buffer_submit_queries(call->device, command_buffer, NULL, 0);
        if (command_buffer) {
            command_buffer_forget_events(command_buffer);
            sections_forget_submission(command_buffer);
        }
    }
}

/* Marks all states that a failed call would have changed as not known. */
static COLD void forget_submission(const struct call *call, struct batches batches, VkFence handle)
{
    struct queue *queue = call_queue(call);
    struct fence *fence = find_fence(call, handle);
    for (uint32_t i = 0; i < batches.count; i++) {
        const struct batch batch = batches_at(&batches, i);
        forget_batch(call, &batch);
    }
    if (fence)
        atomic_store_explicit(&fence->payload, FENCE_PAYLOAD_UNKNOWN, memory_order_release);
    if (call->result == VK_ERROR_DEVICE_LOST)
        device_mark_lost(call->device);
    if (queue)
        submission_retire(call->device,
                          use_stamp(queue,
                                    atomic_load_explicit(&queue->submitted, memory_order_relaxed)));
}

void state_after_QueueSubmit(struct call *call, VkQueue queue, uint32_t submitCount,
                             const VkSubmitInfo *pSubmits, VkFence fence)
{
    if (unlikely(call->result < VK_SUCCESS))
        forget_submission(call, batches_of_submit(submitCount, pSubmits), fence);
}

void state_after_QueueSubmit2(struct call *call, VkQueue queue, uint32_t submitCount,
                              const VkSubmitInfo2 *pSubmits, VkFence fence)
{
    if (unlikely(call->result < VK_SUCCESS))
        forget_submission(call, batches_of_submit2(submitCount, pSubmits), fence);
}

void state_after_QueueBindSparse(struct call *call, VkQueue queue, uint32_t bindInfoCount,
                                 const VkBindSparseInfo *pBindInfo, VkFence fence)
{
    if (unlikely(call->result < VK_SUCCESS))
        forget_submission(call, batches_of_bind_sparse(bindInfoCount, pBindInfo), fence);
}

/* --- waiting for all --- */

void state_after_QueueWaitIdle(struct call *call, VkQueue queue)
{
    struct queue *state = call_queue(call);
    if (call->result == VK_ERROR_DEVICE_LOST)
        device_mark_lost(call->device);
    if (state && call->result == VK_SUCCESS)
        submission_retire(call->device,
                          use_stamp(state,
                                    atomic_load_explicit(&state->submitted, memory_order_relaxed)));
}

void state_after_DeviceWaitIdle(struct call *call, VkDevice device)
{
    if (call->result == VK_ERROR_DEVICE_LOST)
        device_mark_lost(call->device);
    if (call->result != VK_SUCCESS)
        return;
    for (struct queue *queue = device_queues(call->device); queue; queue = queue->next)
        submission_retire(call->device,
                          use_stamp(queue,
                                    atomic_load_explicit(&queue->submitted, memory_order_relaxed)));
}

/* --- presentation --- */

/* The search for the image of a swapchain with an index. */
struct image_search {
    uint32_t index;
    struct image *found;
};

/* Finds the image with an index. object_for_each_child() calls it. `context`: struct
 * image_search. */
static void compare_image(struct object *child, void *context)
{
    struct image_search *search = context;
    struct image *image = object_load_state_typed(child, HANDLE_IMAGE);
    if (image && image->swapchain_index == search->index)
        search->found = image;
}

/* The image of a swapchain; NULL: the program has not retrieved it. */
static struct image *swapchain_image(const struct call *call, VkSwapchainKHR swapchain,
                                     uint32_t index)
{
    struct image_search search = {.index = index};
    struct object *object = call_find(call, (uint64_t)swapchain, HANDLE_SWAPCHAIN_KHR);
    if (object)
        object_for_each_child(object, compare_image, &search);
    return search.found;
}

/* Notes the waits of a present. They have completed once the image is acquired again, and that
 * acquire is known to have completed. */
static void note_present_waits(const struct call *call, const VkPresentInfoKHR *info,
                               const uint64_t *stamps)
{
    assert(info && stamps);
    for (uint32_t i = 0; i < info->swapchainCount && info->pSwapchains && info->pImageIndices;
         i++) {
        struct image *image = swapchain_image(call, info->pSwapchains[i], info->pImageIndices[i]);
        for (uint32_t j = 0; j < PRESENT_WAITS; j++) {
            if (image)
                atomic_store_explicit(&image->present.stamps[j], stamps[j], memory_order_relaxed);
            else /* memory ran out for the image's state */
                submission_retire(call->device, stamps[j]);
        }
    }
}

/* The swapchain of a present that is followed. For a single image that is acquired again later,
 * that acquire shows that the present's waits have completed. Presents whose completion other
 * objects may show are left out (NULL). */
static struct swapchain *followed_swapchain(const struct call *call, const VkPresentInfoKHR *info)
{
    if (info->swapchainCount != 1 || !info->pSwapchains || !info->pImageIndices ||
        info->pImageIndices[0] >= SWAPCHAIN_IMAGES ||
        chain_find(info->pNext, VK_STRUCTURE_TYPE_PRESENT_ID_KHR) ||
        chain_find(info->pNext, VK_STRUCTURE_TYPE_PRESENT_ID_2_KHR) ||
        chain_find(info->pNext, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODE_INFO_KHR))
        return NULL;
    struct swapchain *swapchain = find_swapchain(call, info->pSwapchains[0]);
    VkPresentModeKHR mode =
        swapchain ? swapchain->info.presentMode : VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR;
    /* A shared image is presented again without an acquire in between. */
    return mode == VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR ||
                   mode == VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR
               ? NULL
               : swapchain;
}

void state_before_QueuePresentKHR(struct call *call, VkQueue queue,
                                  const VkPresentInfoKHR *pPresentInfo)
{
    struct queue *state = call_queue(call);
    uint64_t stamp = next_stamp(state), waited[PRESENT_WAITS] = {0};
    uint32_t wait_count = pPresentInfo->pWaitSemaphores ? pPresentInfo->waitSemaphoreCount : 0;
    struct swapchain *swapchain = followed_swapchain(call, pPresentInfo);
    if (swapchain)
        atomic_store_explicit(&swapchain->presented[pPresentInfo->pImageIndices[0]], stamp,
                              memory_order_relaxed);
    for (uint32_t i = 0; i < wait_count; i++) {
        struct semaphore *semaphore = find_semaphore(call, pPresentInfo->pWaitSemaphores[i]);
        if (semaphore) {
            atomic_store_explicit(&semaphore->presented,
                                  swapchain ? object_state_id(&swapchain->base) : 0,
                                  memory_order_relaxed);
            atomic_store_explicit(&semaphore->presented_index,
                                  swapchain ? pPresentInfo->pImageIndices[0] : 0,
                                  memory_order_relaxed);
        }
        uint64_t signaled;
        if (semaphore_last(semaphore, &signaled) == SEMAPHORE_LAST_SIGNAL) {
            if (i < PRESENT_WAITS)
                waited[i] = signaled;
            else
                submission_retire(call->device, signaled);
        }
        submit_wait(call, state, stamp, pPresentInfo->pWaitSemaphores[i], 0);
        /* A present is not a batch: the semaphore may be destroyed once the batch that signals it
         * has completed. */
        if (semaphore)
            atomic_store_explicit(&semaphore->base.last_use, signaled, memory_order_relaxed);
    }
    note_present_waits(call, pPresentInfo, waited);
    swapchain_note_present_ids(call, pPresentInfo, stamp);
    const VkSwapchainPresentFenceInfoKHR *fences =
        chain_find(pPresentInfo->pNext, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_KHR);
    for (uint32_t i = 0; fences && fences->pFences && i < fences->swapchainCount; i++)
        signal_fence(call, fences->pFences[i], stamp);
}

void state_after_QueuePresentKHR(struct call *call, VkQueue queue,
                                 const VkPresentInfoKHR *pPresentInfo)
{
    if (call->result == VK_ERROR_DEVICE_LOST)
        device_mark_lost(call->device);
    /* The image may never be acquired again, and then nothing shows when that would have been
     * possible. */
    struct swapchain *swapchain =
        call->result != VK_SUCCESS ? followed_swapchain(call, pPresentInfo) : NULL;
    if (swapchain)
        atomic_store_explicit(&swapchain->presented[pPresentInfo->pImageIndices[0]], 0,
                              memory_order_relaxed);
}

/* Notes that an image was acquired. The acquire's semaphore or fence shows when earlier presents
 * have completed. */
static void submission_acquire(const struct call *call, VkSwapchainKHR swapchain,
                               VkSemaphore semaphore_handle, VkFence fence_handle,
                               const uint32_t *index)
{
    if (call->result == VK_ERROR_DEVICE_LOST)
        device_mark_lost(call->device);
    if (call->result != VK_SUCCESS && call->result != VK_SUBOPTIMAL_KHR)
        return;
    struct image *image = swapchain_image(call, swapchain, *index);
    struct semaphore *semaphore = find_semaphore(call, semaphore_handle);
    struct fence *fence = find_fence(call, fence_handle);
    for (uint32_t i = 0; i < PRESENT_WAITS; i++) {
        uint64_t stamp =
            image ? atomic_load_explicit(&image->present.stamps[i], memory_order_relaxed) : 0;
        if ((semaphore_handle && !semaphore) || (fence_handle && !fence))
            /* memory ran out for the semaphore or fence that would show it */
            submission_retire(call->device, stamp);
        if (semaphore)
            atomic_store_explicit(&semaphore->present.stamps[i], stamp, memory_order_relaxed);
        if (fence)
            atomic_store_explicit(&fence->present.stamps[i], stamp, memory_order_relaxed);
    }
    if (semaphore)
        semaphore_set_last(semaphore, SEMAPHORE_LAST_SIGNAL, 0);
    if (fence)
        atomic_store_explicit(&fence->payload, FENCE_PAYLOAD_ACQUIRING, memory_order_release);
}

void state_after_AcquireNextImageKHR(struct call *call, VkDevice device, VkSwapchainKHR swapchain,
                                     uint64_t timeout, VkSemaphore semaphore, VkFence fence,
                                     uint32_t *pImageIndex)
{
    submission_acquire(call, swapchain, semaphore, fence, pImageIndex);
}

void state_after_AcquireNextImage2KHR(struct call *call, VkDevice device,
                                      const VkAcquireNextImageInfoKHR *pAcquireInfo,
                                      uint32_t *pImageIndex)
{
    submission_acquire(call, pAcquireInfo->swapchain, pAcquireInfo->semaphore, pAcquireInfo->fence,
                       pImageIndex);
}
