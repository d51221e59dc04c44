/* Ends a device on which a shader has aborted: waits for pending work, and collects the
 * messages. */
#include "gpu/abort/abort.h"

#include "base/lock.h"
#include "base/vec.h"
#include "gpu/device/areas.h"
#include "gpu/pipeline/pipeline.h"
#include "spirv/abort/abort.h"
#include "state/submit/queue.h"
#include "state/submit/semaphore.h"

/* Slices of waiting for pending work to end. After SLICES_HELP, the layer signals what the work may
 * wait for. After SLICES_MOST (10 s) the wait is given up, as the work waits for a signal that
 * never comes, or loops for ever. */
#define SLICES_HELP 10u
#define SLICES_MOST 500u

/* --- queues --- */

/* Returns the aborts of the device that a dispatchable handle belongs to. NULL: the layer does not
 * know the device, or it has none. A handle that is not in the table is found by the loader's
 * key. */
static struct gpu_aborts *aborts_of(const void *handle, enum handle_type type)
{
    const struct object *object = object_find_dispatchable(handle, type);
    const struct device *device = object ? device_of(object) : device_by_dispatch_key(handle);
    return device ? gpu_in_device(device)->aborts : NULL;
}

struct gpu_aborts *aborts_of_device(VkDevice device)
{
    return aborts_of(device, HANDLE_DEVICE);
}

struct gpu_aborts *aborts_of_queue(VkQueue queue)
{
    return aborts_of(queue, HANDLE_QUEUE);
}

/* Returns the entry of a queue, which is made when first needed and lives as long as the device.
 * NULL: memory is out. Takes the lock of the list itself. */
static struct abort_queue *find_queue(struct gpu_aborts *aborts, VkQueue handle)
{
    lock_take(&aborts->queues_lock);
    struct abort_queue *queue = aborts->queues;
    while (queue && queue->queue != handle)
        queue = queue->next;
    if (!queue && (queue = mem_alloc_zeroed(sizeof(*queue)))) {
        queue->queue = handle;
        lock_init(&queue->lock);
        queue->next = aborts->queues;
        aborts->queues = queue;
    }
    lock_release(&aborts->queues_lock);
    return queue;
}

/* Not analysed: the analysis has no name for the lock of the returned queue. */
struct abort_queue *aborts_take_queue(struct gpu_aborts *aborts, VkQueue handle) NOT_ANALYSED
{
    struct abort_queue *queue = find_queue(aborts, handle);
    if (!queue)
        return NULL;
    lock_take(&queue->lock);
    if (!atomic_load_explicit(&aborts->ending, memory_order_relaxed))
        return queue;
    lock_release(&queue->lock);
    return NULL;
}

void aborts_leave_queue(struct abort_queue *queue) NOT_ANALYSED /* as for aborts_take_queue() */
{
    lock_release(&queue->lock);
}

/* Submits a fence of the driver's that is signaled when the queue has done its present work; the
 * caller destroys it. */
static VkResult submit_fence(struct gpu_aborts *aborts, struct abort_queue *queue, VkFence *fence)
{
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkDevice device = aborts->device->handle;
    VkResult result = aborts->below.CreateFence(device, &info, NULL, fence);
    if (result != VK_SUCCESS)
        return result;
    lock_take(&queue->lock);
    result = aborts->below.QueueSubmit(queue->queue, 0, NULL, *fence);
    lock_release(&queue->lock);
    if (result != VK_SUCCESS)
        aborts->below.DestroyFence(device, *fence, NULL);
    return result;
}

VkResult aborts_wait_queue(struct gpu_aborts *aborts, VkQueue handle)
{
    struct abort_queue *queue = find_queue(aborts, handle);
    VkDevice device = aborts->device->handle;
    VkFence fence;
    if (aborts_lost(aborts))
        return VK_ERROR_DEVICE_LOST;
    VkResult result = queue ? submit_fence(aborts, queue, &fence) : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS)
        return result;
    do
        /* The wait is cut into slices, so that an abort that another thread sees ends it as
         * well. */
        result = aborts->below.WaitForFences(device, 1, &fence, VK_TRUE, ABORT_SLICE);
    while (result == VK_TIMEOUT && !aborts_lost(aborts));
    /* the call that has ended the device has waited for this work meanwhile */
    if (result == VK_TIMEOUT)
        result = aborts->below.WaitForFences(device, 1, &fence, VK_TRUE, 0);
    if (result == VK_TIMEOUT) /* the work does not end; it is destroyed with the device */
        return VK_ERROR_DEVICE_LOST;
    aborts->below.DestroyFence(device, fence, NULL);
    return aborts_lost(aborts) ? VK_ERROR_DEVICE_LOST : result;
}

VkResult aborts_wait_device(struct gpu_aborts *aborts)
{
    lock_take(&aborts->queues_lock);
    /* queues are only added at the head, so the rest of the list stays the same */
    struct abort_queue *queue = aborts->queues;
    lock_release(&aborts->queues_lock);
    for (; queue; queue = queue->next) {
        VkResult result = aborts_wait_queue(aborts, queue->queue);
        if (result != VK_SUCCESS)
            return result;
    }
    /* All queues known here are idle. The driver's own wait is short now, and also covers the
     * driver's own work. */
    if (aborts_lost(aborts))
        return VK_ERROR_DEVICE_LOST;
    VkResult result = aborts->below.DeviceWaitIdle(aborts->device->handle);
    return aborts_lost(aborts) ? VK_ERROR_DEVICE_LOST : result;
}

/* --- the end of the device --- */

/* Signals objects that pending work may wait for, since the program no longer will: sets events,
 * and gives semaphores the awaited values. */
static void help_object(struct object *object, void *context)
{
    struct gpu_aborts *aborts = context;
    VkDevice device = aborts->device->handle;
    const enum handle_type type = object_type(object);
    if (type == HANDLE_EVENT)
        (void)aborts->below.SetEvent(device, (VkEvent)object_driver(object));
    struct semaphore *semaphore = type == HANDLE_SEMAPHORE ? object_load_state(object) : NULL;
    if (!semaphore || !aborts->below.GetSemaphoreCounterValue || !aborts->below.SignalSemaphore)
        return;
    const struct timeline timeline = semaphore_timeline(semaphore, NULL);
    VkSemaphore handle = (VkSemaphore)object_driver(object);
    uint64_t value;
    if (!timeline.known ||
        aborts->below.GetSemaphoreCounterValue(device, handle, &value) != VK_SUCCESS ||
        value >= timeline.outstanding_max)
        return;
    const VkSemaphoreSignalInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                        .semaphore = handle,
                                        .value = timeline.outstanding_max};
    (void)aborts->below.SignalSemaphore(device, &info);
}

/* --- messages --- */

/* Loads a word of the ring, which shaders write. Acquire: the data that the word announces was
 * written before it. */
static uint32_t aborts_load(const struct gpu_aborts *aborts, uint32_t word)
{
    return atomic_load_explicit(&gpu_in_device(aborts->device)->gpu->ring.words[word],
                                memory_order_acquire);
}

/* Finds the site in the shader's code that a record comes from. NULL: the shader is destroyed, the
 * site's number is wrong, or the record is too short for it. */
static const struct spirv_abort_site *find_site(const struct gpu_aborts *aborts,
                                                const uint32_t *record, uint32_t words)
{
    const struct gpu_shader *shader = gpu_shader_find(aborts->device, record[ABORT_SHADER]);
    const struct spirv_abort_sites *sites = shader ? shader->aborts : NULL;
    if (!sites || record[ABORT_SITE] >= sites->count)
        return NULL;
    const struct spirv_abort_site *site = &sites->sites[record[ABORT_SITE]];
    return words - ABORT_MESSAGE >= site->word_count ? site : NULL;
}

void aborts_collect(struct gpu_aborts *aborts)
{
    const uint32_t units = aborts_load(aborts, RING_ABORT_USED),
                   end = (units < ABORT_UNITS ? units : ABORT_UNITS) * ABORT_UNIT;
    uint32_t capacity = 0;
    /* Messages that found no room are only counted. The count is exact, as each of them adds
     * one. */
    aborts->missing = aborts_load(aborts, RING_ABORT_LOST);
    for (uint32_t at = 0, size; at < end; at += (size + ABORT_UNIT - 1) / ABORT_UNIT * ABORT_UNIT) {
        /* An invalid program may have written here, so sizes are checked. Size 0: a shader that
         * never finished its message. */
        size = aborts_load(aborts, RING_ABORT + at + ABORT_SIZE);
        if (size < ABORT_MESSAGE || size > end - at)
            break;
        const struct gpu_ring *ring = &gpu_in_device(aborts->device)->gpu->ring;
        /* shaders no longer write there */
        const uint32_t *record = (const uint32_t *)(const void *)&ring->words[RING_ABORT + at];
        const struct spirv_abort_site *site = find_site(aborts, record, size);
        if (!vec_room(&aborts->messages, aborts->message_count, &capacity, 16,
                      sizeof(*aborts->messages)))
            break;
        if (site)
            aborts->messages[aborts->message_count++] = (struct abort_message){site, record, size};
    }
}

/* Waits until the queue has done its work, or clearly never will. `slices` counts the slices waited
 * so far, for all queues together. */
static void wait_for_end(struct gpu_aborts *aborts, struct abort_queue *queue, uint32_t *slices)
{
    VkDevice device = aborts->device->handle;
    VkFence fence;
    VkResult result = VK_TIMEOUT;
    if (submit_fence(aborts, queue, &fence) != VK_SUCCESS)
        return;
    for (; result == VK_TIMEOUT && *slices < SLICES_MOST; ++*slices) {
        if (*slices % SLICES_HELP == SLICES_HELP - 1)
            object_for_each_owned(aborts->device->owner, help_object, aborts);
        result = aborts->below.WaitForFences(device, 1, &fence, VK_TRUE, ABORT_SLICE);
    }
    if (result != VK_TIMEOUT)
        aborts->below.DestroyFence(device, fence, NULL);
}

bool aborts_end_device(struct gpu_aborts *aborts)
{
    uint32_t slices = 0;
    lock_take(&aborts->lock);
    if (!atomic_load_explicit(&aborts->lost, memory_order_relaxed)) {
        lock_take(&aborts->queues_lock);
        /* A call that takes a queue's lock from here on sees `ending`: no work is added to what is
         * waited for. */
        atomic_store_explicit(&aborts->ending, true, memory_order_relaxed);
        struct abort_queue *queue = aborts->queues;
        lock_release(&aborts->queues_lock);
        for (; queue; queue = queue->next)
            wait_for_end(aborts, queue, &slices);
        aborts_collect(aborts);
        /* Release: a thread that sees `lost` may read the messages without the lock, as they do not
         * change any more. */
        atomic_store_explicit(&aborts->lost, true, memory_order_release);
    }
    lock_release(&aborts->lock);
    return true;
}
