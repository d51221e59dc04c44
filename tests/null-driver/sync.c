/* Ends submitted work, and wakes what waits for it.
 *
 * Work ends when it is submitted, unless it waits for a timeline value that is not signalled yet.
 * Then the submission, and those after it on its queue, wait in a list until the value comes. While
 * no list holds anything, which is the rule, submitting takes no lock. */
#include "null_driver.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define NANOSECONDS 1000000000ull

struct semaphore_value {
    VkSemaphore semaphore;
    uint64_t value;
};

/* One batch that waits. The arrays follow the head in the same allocation. */
struct submission {
    struct submission *next;
    struct semaphore_value *waits;
    struct semaphore_value *signals;
    uint32_t wait_count;
    uint32_t signal_count;
    VkFence fence;
};

/* --- signalling and waiting ------------------------------------------------------------------- */

/* Wakes all waiters. The value was stored before (sequentially consistent), and a waiter counts
 * itself before it looks at the value: one of the two sees the other. */
static void device_changed(struct device *device)
{
    if (!atomic_load(&device->waiters))
        return;
    pthread_mutex_lock(&device->lock);
    pthread_cond_broadcast(&device->changed);
    pthread_mutex_unlock(&device->lock);
}

static void semaphore_raise(VkSemaphore handle, uint64_t value)
{
    struct semaphore *semaphore = object_get(handle, VK_OBJECT_TYPE_SEMAPHORE);
    if (semaphore && semaphore->timeline)
        atomic_store(&semaphore->value, value);
}

static void fence_signal(VkFence handle)
{
    struct fence *fence = object_get(handle, VK_OBJECT_TYPE_FENCE);
    if (fence)
        atomic_store(&fence->signaled, 1);
}

static bool semaphore_reached(VkSemaphore handle, uint64_t value)
{
    struct semaphore *semaphore = object_get(handle, VK_OBJECT_TYPE_SEMAPHORE);
    return !semaphore || !semaphore->timeline || atomic_load(&semaphore->value) >= value;
}

static bool fence_reached(VkFence handle)
{
    struct fence *fence = object_get(handle, VK_OBJECT_TYPE_FENCE);
    return !fence || atomic_load(&fence->signaled);
}

/* The condition that a thread waits for: all or any of `count` things. */
struct waiting {
    const VkFence *fences; /* or: */
    const VkSemaphoreWaitInfo *semaphores;
    uint32_t count;
    bool all;
};

static bool waiting_over(const struct waiting *waiting)
{
    for (uint32_t i = 0; i < waiting->count; i++) {
        bool reached = waiting->fences ? fence_reached(waiting->fences[i])
                                       : semaphore_reached(waiting->semaphores->pSemaphores[i],
                                                           waiting->semaphores->pValues[i]);
        if (reached != waiting->all)
            return reached;
    }
    return waiting->all || waiting->count == 0;
}

static struct timespec deadline_after(uint64_t timeout)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t nanoseconds = (uint64_t)now.tv_nsec + timeout % NANOSECONDS;
    now.tv_sec += (time_t)(timeout / NANOSECONDS + nanoseconds / NANOSECONDS);
    now.tv_nsec = (long)(nanoseconds % NANOSECONDS);
    return now;
}

/* Nanoseconds; 0: the app may wait for ever. */
static uint64_t hang_limit(const struct device *device)
{
    return device->dispatchable.config->hang_timeout * (NANOSECONDS / 1000);
}

static VkResult wait_until(struct device *device, const struct waiting *waiting, uint64_t timeout)
{
    if (waiting_over(waiting))
        return VK_SUCCESS;
    if (timeout == 0)
        return VK_TIMEOUT;
    uint64_t hang = hang_limit(device);
    if (hang && timeout > hang)
        timeout = hang;
    /* Longer than a century is forever; the sum with the clock must not overflow. */
    bool forever = timeout / NANOSECONDS > 100ull * 365 * 24 * 3600;
    struct timespec deadline = deadline_after(forever ? 0 : timeout);
    VkResult result = VK_SUCCESS;
    atomic_fetch_add(&device->waiters, 1);
    pthread_mutex_lock(&device->lock);
    while (!waiting_over(waiting)) {
        int error = forever ? pthread_cond_wait(&device->changed, &device->lock)
                            : pthread_cond_timedwait(&device->changed, &device->lock, &deadline);
        if (error == ETIMEDOUT && !waiting_over(waiting)) {
            result = hang && timeout == hang ? VK_ERROR_DEVICE_LOST : VK_TIMEOUT;
            break;
        }
    }
    pthread_mutex_unlock(&device->lock);
    atomic_fetch_sub(&device->waiters, 1);
    return result;
}

/* --- submissions ------------------------------------------------------------------------------ */

static bool waits_reached(const struct submission *batch)
{
    for (uint32_t i = 0; i < batch->wait_count; i++) {
        struct semaphore *semaphore =
            object_get(batch->waits[i].semaphore, VK_OBJECT_TYPE_SEMAPHORE);
        if (semaphore &&
            (semaphore->timeline ? atomic_load(&semaphore->value) < batch->waits[i].value
                                 : semaphore->pending_signals > 0))
            return false;
    }
    return true;
}

static void complete_submission(const struct submission *batch)
{
    for (uint32_t i = 0; i < batch->signal_count; i++)
        semaphore_raise(batch->signals[i].semaphore, batch->signals[i].value);
    fence_signal(batch->fence);
}

/* Counts this batch's binary signals in or out. Threads: the device's lock is held. */
static void count_binary_signals(const struct submission *batch, int change)
{
    for (uint32_t i = 0; i < batch->signal_count; i++) {
        struct semaphore *semaphore =
            object_get(batch->signals[i].semaphore, VK_OBJECT_TYPE_SEMAPHORE);
        if (semaphore && !semaphore->timeline)
            semaphore->pending_signals += (uint32_t)change;
    }
}

/* Completes what has become ready, on all queues, until nothing more does. Threads: the device's
 * lock is held. */
static void drain_device(struct device *device)
{
    bool progress = true;
    while (progress && atomic_load(&device->pending)) {
        progress = false;
        for (uint32_t i = 0; i < device->queue_count; i++) {
            struct queue *queue = &device->queues[i];
            while (queue->first && waits_reached(queue->first)) {
                struct submission *batch = queue->first;
                queue->first = batch->next;
                if (!queue->first)
                    queue->last = NULL;
                count_binary_signals(batch, -1);
                complete_submission(batch); /* last: a thread that sees the fence may destroy the
                                               semaphores */
                free(batch);
                atomic_fetch_sub(&device->pending, 1);
                progress = true;
            }
        }
    }
    pthread_cond_broadcast(&device->changed);
}

static void drain_if_pending(struct device *device)
{
    if (atomic_load(&device->pending)) {
        pthread_mutex_lock(&device->lock);
        drain_device(device);
        pthread_mutex_unlock(&device->lock);
    } else {
        device_changed(device);
    }
}

static struct submission *batch_copy(const struct submission *batch)
{
    size_t values = (size_t)batch->wait_count + batch->signal_count;
    struct submission *copy = malloc(sizeof(*copy) + values * sizeof(struct semaphore_value));
    if (!copy)
        return NULL;
    *copy = *batch;
    copy->next = NULL;
    copy->waits = (struct semaphore_value *)(copy + 1);
    copy->signals = copy->waits + batch->wait_count;
    for (uint32_t i = 0; i < batch->wait_count; i++)
        copy->waits[i] = batch->waits[i];
    for (uint32_t i = 0; i < batch->signal_count; i++)
        copy->signals[i] = batch->signals[i];
    return copy;
}

static VkResult batch_submit(struct queue *queue, const struct submission *batch)
{
    struct device *device = queue->device;
    if (!atomic_load(&device->pending) && waits_reached(batch)) {
        complete_submission(batch);
        if (batch->signal_count || batch->fence)
            drain_if_pending(device);
        return VK_SUCCESS;
    }
    struct submission *copy = batch_copy(batch);
    if (!copy)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    pthread_mutex_lock(&device->lock);
    count_binary_signals(copy, 1);
    *(queue->last ? &queue->last->next : &queue->first) = copy;
    queue->last = copy;
    atomic_fetch_add(&device->pending, 1);
    drain_device(device);
    pthread_mutex_unlock(&device->lock);
    return VK_SUCCESS;
}

/* Semaphores of one batch on the stack; more of them than this go to the heap. */
#define INLINE_VALUES 16

struct value_buffer {
    struct semaphore_value inline_values[INLINE_VALUES];
    struct semaphore_value *values;
};

static bool value_buffer_open(struct value_buffer *buffer, size_t count)
{
    buffer->values =
        count <= INLINE_VALUES ? buffer->inline_values : malloc(count * sizeof(*buffer->values));
    return buffer->values != NULL;
}

static void value_buffer_close(struct value_buffer *buffer)
{
    if (buffer->values != buffer->inline_values)
        free(buffer->values);
}

static uint64_t value_at(const uint64_t *values, uint32_t count, uint32_t index)
{
    return values && index < count ? values[index] : 0;
}

/* A batch of the old form, of vkQueueSubmit and vkQueueBindSparse. */
static VkResult submit_semaphores(struct queue *queue, uint32_t wait_count,
                                  const VkSemaphore *waits, uint32_t signal_count,
                                  const VkSemaphore *signals, const void *chain, VkFence fence)
{
    const VkTimelineSemaphoreSubmitInfo *timeline =
        chain_find(chain, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    struct value_buffer buffer;
    if (!value_buffer_open(&buffer, (size_t)wait_count + signal_count))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    struct submission batch = {.waits = buffer.values,
                               .signals = buffer.values + wait_count,
                               .wait_count = wait_count,
                               .signal_count = signal_count,
                               .fence = fence};
    for (uint32_t i = 0; i < wait_count; i++) {
        uint64_t value = timeline ? value_at(timeline->pWaitSemaphoreValues,
                                             timeline->waitSemaphoreValueCount, i)
                                  : 0;
        batch.waits[i] = (struct semaphore_value){waits[i], value};
    }
    for (uint32_t i = 0; i < signal_count; i++) {
        uint64_t value = timeline ? value_at(timeline->pSignalSemaphoreValues,
                                             timeline->signalSemaphoreValueCount, i)
                                  : 0;
        batch.signals[i] = (struct semaphore_value){signals[i], value};
    }
    VkResult result = batch_submit(queue, &batch);
    value_buffer_close(&buffer);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL null_QueueSubmit(VkQueue queue, uint32_t submitCount,
                                                const VkSubmitInfo *pSubmits, VkFence fence)
{
    struct queue *object = (struct queue *)queue;
    for (uint32_t i = 0; i < submitCount; i++) {
        const VkSubmitInfo *submit = &pSubmits[i];
        VkResult result =
            submit_semaphores(object, submit->waitSemaphoreCount, submit->pWaitSemaphores,
                              submit->signalSemaphoreCount, submit->pSignalSemaphores,
                              submit->pNext, i + 1 == submitCount ? fence : VK_NULL_HANDLE);
        if (result != VK_SUCCESS)
            return result;
        for (uint32_t j = 0; j < submit->commandBufferCount; j++)
            markers_execute(queue, submit->pCommandBuffers[j]);
    }
    return submitCount ? VK_SUCCESS : batch_submit(object, &(struct submission){.fence = fence});
}

VKAPI_ATTR VkResult VKAPI_CALL null_QueueBindSparse(VkQueue queue, uint32_t bindInfoCount,
                                                    const VkBindSparseInfo *pBindInfo,
                                                    VkFence fence)
{
    struct queue *object = (struct queue *)queue;
    for (uint32_t i = 0; i < bindInfoCount; i++) {
        const VkBindSparseInfo *bind = &pBindInfo[i];
        VkResult result =
            submit_semaphores(object, bind->waitSemaphoreCount, bind->pWaitSemaphores,
                              bind->signalSemaphoreCount, bind->pSignalSemaphores, bind->pNext,
                              i + 1 == bindInfoCount ? fence : VK_NULL_HANDLE);
        if (result != VK_SUCCESS)
            return result;
    }
    return bindInfoCount ? VK_SUCCESS : batch_submit(object, &(struct submission){.fence = fence});
}

VKAPI_ATTR VkResult VKAPI_CALL null_QueueSubmit2(VkQueue queue, uint32_t submitCount,
                                                 const VkSubmitInfo2 *pSubmits, VkFence fence)
{
    struct queue *object = (struct queue *)queue;
    for (uint32_t i = 0; i < submitCount; i++) {
        const VkSubmitInfo2 *submit = &pSubmits[i];
        struct value_buffer buffer;
        if (!value_buffer_open(&buffer, (size_t)submit->waitSemaphoreInfoCount +
                                            submit->signalSemaphoreInfoCount))
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        struct submission batch = {.waits = buffer.values,
                                   .signals = buffer.values + submit->waitSemaphoreInfoCount,
                                   .wait_count = submit->waitSemaphoreInfoCount,
                                   .signal_count = submit->signalSemaphoreInfoCount,
                                   .fence = i + 1 == submitCount ? fence : VK_NULL_HANDLE};
        for (uint32_t j = 0; j < batch.wait_count; j++)
            batch.waits[j] = (struct semaphore_value){submit->pWaitSemaphoreInfos[j].semaphore,
                                                      submit->pWaitSemaphoreInfos[j].value};
        for (uint32_t j = 0; j < batch.signal_count; j++)
            batch.signals[j] = (struct semaphore_value){submit->pSignalSemaphoreInfos[j].semaphore,
                                                        submit->pSignalSemaphoreInfos[j].value};
        VkResult result = batch_submit(object, &batch);
        value_buffer_close(&buffer);
        if (result != VK_SUCCESS)
            return result;
        for (uint32_t j = 0; j < submit->commandBufferInfoCount; j++)
            markers_execute(queue, submit->pCommandBufferInfos[j].commandBuffer);
    }
    return submitCount ? VK_SUCCESS : batch_submit(object, &(struct submission){.fence = fence});
}

void signal_now(VkDevice device, VkSemaphore semaphore, VkFence fence)
{
    fence_signal(fence);
    (void)semaphore; /* a binary semaphore has no state while nothing is pending */
    device_changed((struct device *)device);
}

/* --- waiting for queues ----------------------------------------------------------------------- */

/* Waits until the queue (NULL: every queue) has nothing pending. */
static VkResult wait_device_idle(struct device *device, const struct queue *queue)
{
    if (!atomic_load(&device->pending))
        return VK_SUCCESS;
    uint64_t hang = hang_limit(device);
    struct timespec deadline = deadline_after(hang);
    VkResult result = VK_SUCCESS;
    atomic_fetch_add(&device->waiters, 1);
    pthread_mutex_lock(&device->lock);
    while (result == VK_SUCCESS &&
           (queue ? queue->first != NULL : atomic_load(&device->pending) > 0)) {
        if (!hang)
            pthread_cond_wait(&device->changed, &device->lock);
        else if (pthread_cond_timedwait(&device->changed, &device->lock, &deadline) == ETIMEDOUT)
            result = VK_ERROR_DEVICE_LOST;
    }
    pthread_mutex_unlock(&device->lock);
    atomic_fetch_sub(&device->waiters, 1);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL null_QueueWaitIdle(VkQueue queue)
{
    const struct queue *object = (const struct queue *)queue;
    return wait_device_idle(object->device, object);
}

VKAPI_ATTR VkResult VKAPI_CALL null_DeviceWaitIdle(VkDevice device)
{
    return wait_device_idle((struct device *)device, NULL);
}

VKAPI_ATTR void VKAPI_CALL null_DestroyDevice(VkDevice device,
                                              const VkAllocationCallbacks *pAllocator)
{
    struct device *object = (struct device *)device;
    if (!object)
        return;
    for (uint32_t i = 0; i < object->queue_count; i++) {
        while (object->queues[i].first) {
            struct submission *batch = object->queues[i].first;
            object->queues[i].first = batch->next;
            free(batch);
        }
    }
    pthread_cond_destroy(&object->changed);
    pthread_mutex_destroy(&object->lock);
    free(object->queues);
    free(object);
}

/* --- fences ----------------------------------------------------------------------------------- */

VKAPI_ATTR VkResult VKAPI_CALL null_CreateFence(VkDevice device,
                                                const VkFenceCreateInfo *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator,
                                                VkFence *pFence)
{
    struct fence *fence = object_new(VK_OBJECT_TYPE_FENCE);
    if (!fence)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    atomic_store_explicit(&fence->signaled,
                          (pCreateInfo->flags & VK_FENCE_CREATE_SIGNALED_BIT) != 0,
                          memory_order_relaxed);
    *pFence = (VkFence)fence;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL null_ResetFences(VkDevice device, uint32_t fenceCount,
                                                const VkFence *pFences)
{
    for (uint32_t i = 0; i < fenceCount; i++) {
        struct fence *fence = object_get(pFences[i], VK_OBJECT_TYPE_FENCE);
        if (fence)
            atomic_store(&fence->signaled, 0);
    }
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL null_GetFenceStatus(VkDevice device, VkFence fence)
{
    return fence_reached(fence) ? VK_SUCCESS : VK_NOT_READY;
}

VKAPI_ATTR VkResult VKAPI_CALL null_WaitForFences(VkDevice device, uint32_t fenceCount,
                                                  const VkFence *pFences, VkBool32 waitAll,
                                                  uint64_t timeout)
{
    struct waiting waiting = {.fences = pFences, .count = fenceCount, .all = waitAll};
    return wait_until((struct device *)device, &waiting, timeout);
}

static VkResult signaled_fence(VkFence *handle)
{
    struct fence *fence = object_new(VK_OBJECT_TYPE_FENCE);
    if (!fence)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    atomic_store_explicit(&fence->signaled, 1, memory_order_relaxed);
    *handle = (VkFence)fence;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_RegisterDeviceEventEXT(VkDevice device, const VkDeviceEventInfoEXT *pDeviceEventInfo,
                            const VkAllocationCallbacks *pAllocator, VkFence *pFence)
{
    return signaled_fence(pFence);
}

VKAPI_ATTR VkResult VKAPI_CALL
null_RegisterDisplayEventEXT(VkDevice device, VkDisplayKHR display,
                             const VkDisplayEventInfoEXT *pDisplayEventInfo,
                             const VkAllocationCallbacks *pAllocator, VkFence *pFence)
{
    return signaled_fence(pFence);
}

/* --- semaphores ------------------------------------------------------------------------------- */

VKAPI_ATTR VkResult VKAPI_CALL null_CreateSemaphore(VkDevice device,
                                                    const VkSemaphoreCreateInfo *pCreateInfo,
                                                    const VkAllocationCallbacks *pAllocator,
                                                    VkSemaphore *pSemaphore)
{
    struct semaphore *semaphore = object_new(VK_OBJECT_TYPE_SEMAPHORE);
    if (!semaphore)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkSemaphoreTypeCreateInfo *type =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    semaphore->timeline = type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
    atomic_store_explicit(&semaphore->value, semaphore->timeline ? type->initialValue : 0,
                          memory_order_relaxed);
    *pSemaphore = (VkSemaphore)semaphore;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL null_GetSemaphoreCounterValue(VkDevice device, VkSemaphore semaphore,
                                                             uint64_t *pValue)
{
    struct semaphore *object = object_get(semaphore, VK_OBJECT_TYPE_SEMAPHORE);
    *pValue = object ? atomic_load(&object->value) : 0;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL null_WaitSemaphores(VkDevice device,
                                                   const VkSemaphoreWaitInfo *pWaitInfo,
                                                   uint64_t timeout)
{
    struct waiting waiting = {.semaphores = pWaitInfo,
                              .count = pWaitInfo->semaphoreCount,
                              .all = !(pWaitInfo->flags & VK_SEMAPHORE_WAIT_ANY_BIT)};
    return wait_until((struct device *)device, &waiting, timeout);
}

VKAPI_ATTR VkResult VKAPI_CALL null_SignalSemaphore(VkDevice device,
                                                    const VkSemaphoreSignalInfo *pSignalInfo)
{
    semaphore_raise(pSignalInfo->semaphore, pSignalInfo->value);
    drain_if_pending((struct device *)device);
    return VK_SUCCESS;
}

/* --- events ----------------------------------------------------------------------------------- */

VKAPI_ATTR VkResult VKAPI_CALL null_GetEventStatus(VkDevice device, VkEvent event)
{
    struct event *object = object_get(event, VK_OBJECT_TYPE_EVENT);
    return object && atomic_load(&object->set) ? VK_EVENT_SET : VK_EVENT_RESET;
}

static void event_store(VkEvent event, uint32_t set)
{
    struct event *object = object_get(event, VK_OBJECT_TYPE_EVENT);
    if (object)
        atomic_store(&object->set, set);
}

VKAPI_ATTR VkResult VKAPI_CALL null_SetEvent(VkDevice device, VkEvent event)
{
    event_store(event, 1);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL null_ResetEvent(VkDevice device, VkEvent event)
{
    event_store(event, 0);
    return VK_SUCCESS;
}

/* --- file descriptors ------------------------------------------------------------------------- */

static VkResult new_descriptor(int *fd)
{
    *fd = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
    return *fd < 0 ? VK_ERROR_TOO_MANY_OBJECTS : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL null_GetSemaphoreFdKHR(VkDevice device,
                                                      const VkSemaphoreGetFdInfoKHR *pGetFdInfo,
                                                      int *pFd)
{
    return new_descriptor(pFd);
}

VKAPI_ATTR VkResult VKAPI_CALL null_GetFenceFdKHR(VkDevice device,
                                                  const VkFenceGetFdInfoKHR *pGetFdInfo, int *pFd)
{
    return new_descriptor(pFd);
}

/* An import takes the descriptor over; -1 stands for a payload that is already signalled. */
static void take_descriptor(int fd)
{
    if (fd >= 0)
        close(fd);
}

VKAPI_ATTR VkResult VKAPI_CALL
null_ImportSemaphoreFdKHR(VkDevice device, const VkImportSemaphoreFdInfoKHR *pImportSemaphoreFdInfo)
{
    take_descriptor(pImportSemaphoreFdInfo->fd);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_ImportFenceFdKHR(VkDevice device, const VkImportFenceFdInfoKHR *pImportFenceFdInfo)
{
    take_descriptor(pImportFenceFdInfo->fd);
    fence_signal(pImportFenceFdInfo->fence);
    device_changed((struct device *)device);
    return VK_SUCCESS;
}
