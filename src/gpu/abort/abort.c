/* A device is lost once a shader on it has aborted. This file says when that is, and which call
 * waits for the work that still runs. */
#include "gpu/abort/abort.h"

#include <spirv/unified1/spirv.h>

#include "base/lock.h"
#include "gpu/device/areas.h"
#include "gpu/gpu.h"
#include "state/submit/queue.h"
#include "state/submit/semaphore.h"

/* Slices of waiting for the end of what runs. After so many, semaphores are helped along, and after
 * so many more the wait is given up. (10 s: something waits for what will not come, or loops for
 * ever.) */
#define SLICES_HELP 10u
#define SLICES_MOST 500u

/* --- modules --- */

/* What stands for a module that the driver must not see. It is never run, as pipelines get the
 * lowered code, or are not made. */
static const uint32_t empty_module[] = {
    SpvMagicNumber,
    0x00010000,
    0,
    5,
    0,
    2 << SpvWordCountShift | SpvOpCapability,
    SpvCapabilityShader,
    3 << SpvWordCountShift | SpvOpMemoryModel,
    SpvAddressingModelLogical,
    SpvMemoryModelGLSL450,
    5 << SpvWordCountShift | SpvOpEntryPoint,
    SpvExecutionModelGLCompute,
    1,
    0x6e69616d /* "main" */,
    0,
    6 << SpvWordCountShift | SpvOpExecutionMode,
    1,
    SpvExecutionModeLocalSize,
    1,
    1,
    1,
    2 << SpvWordCountShift | SpvOpTypeVoid,
    2,
    3 << SpvWordCountShift | SpvOpTypeFunction,
    3,
    2,
    5 << SpvWordCountShift | SpvOpFunction,
    2,
    1,
    SpvFunctionControlMaskNone,
    3,
    2 << SpvWordCountShift | SpvOpLabel,
    4,
    1 << SpvWordCountShift | SpvOpReturn,
    1 << SpvWordCountShift | SpvOpFunctionEnd,
};

/* Capabilities stand first in a module. */
static bool must_be_lowered(const VkShaderModuleCreateInfo *info)
{
    const uint32_t *words = info->pCode;
    const size_t count = words ? info->codeSize / sizeof(*words) : 0;
    for (size_t at = 5; at + 1 < count && words[at] == (2 << SpvWordCountShift | SpvOpCapability);
         at += 2) {
        if (words[at + 1] == SpvCapabilityAbortKHR || words[at + 1] == SpvCapabilityConstantDataKHR)
            return true;
    }
    return false;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice device,
                                                    const VkShaderModuleCreateInfo *pCreateInfo,
                                                    const VkAllocationCallbacks *pAllocator,
                                                    VkShaderModule *pShaderModule)
{
    struct gpu_aborts *aborts = aborts_of_device(device);
    if (!aborts)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkShaderModuleCreateInfo info = *pCreateInfo;
    if (must_be_lowered(pCreateInfo)) {
        info.codeSize = sizeof(empty_module);
        info.pCode = empty_module;
    }
    return aborts->below.CreateShaderModule(device, &info, pAllocator, pShaderModule);
}

/* --- signals --- */

/* At the device's end semaphores have got all values that were awaited (help_object), and drivers
 * take a value that is not larger for an error. So nothing waits for this one any more. */
static VKAPI_ATTR VkResult VKAPI_CALL signal_semaphore(VkDevice device,
                                                       const VkSemaphoreSignalInfo *pSignalInfo)
{
    struct gpu_aborts *aborts = aborts_of_device(device);
    if (!aborts)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (atomic_load_explicit(&aborts->lost, memory_order_acquire))
        return VK_SUCCESS;
    const VkResult result = aborts->below.SignalSemaphore(device, pSignalInfo);
    return result == VK_SUCCESS || !aborts_lost(aborts) ? result : VK_SUCCESS;
}

/* --- from its beginning to its end --- */

bool aborts_begin(struct device *device)
{
    struct gpu_aborts *aborts = mem_alloc_zeroed(sizeof(*aborts));
    if (!aborts)
        return false;
    aborts->device = device;
    aborts->below = device->dispatch;
    lock_init(&aborts->queues_lock);
    lock_init(&aborts->lock);
    gpu_in_device(device)->aborts = aborts;
    if (emulated_lowers_shaders(device) && (device->emulated & EMULATED_SHADER_ABORT)) {
        aborts_stand_in_front(&device->dispatch);
        if (device->dispatch.SignalSemaphore)
            device->dispatch.SignalSemaphore = signal_semaphore;
    }
    if (emulated_lowers_shaders(device))
        device->dispatch.CreateShaderModule = create_module;
    aborts_answer_faults(device);
    return true;
}

void aborts_end(struct device *device)
{
    struct gpu_aborts *aborts = gpu_in_device(device)->aborts;
    if (!aborts)
        return;
    lock_unneeded(&aborts->queues_lock);
    while (aborts->queues) {
        struct abort_queue *queue = aborts->queues;
        aborts->queues = queue->next;
        lock_destroy(&queue->lock);
        mem_free(queue);
    }
    lock_destroy(&aborts->queues_lock);
    lock_destroy(&aborts->lock);
    mem_free(aborts->messages);
    mem_free(aborts);
    gpu_in_device(device)->aborts = NULL;
}

/* each step does half of it */
void aborts_fork(struct gpu_aborts *aborts, enum fork_step step) NOT_ANALYSED
{
    if (!aborts)
        return;
    if (step == FORK_PREPARE) {
        lock_take(&aborts->lock);
        lock_take(&aborts->queues_lock);
    }
    for (struct abort_queue *queue = aborts->queues; queue; queue = queue->next)
        lock_fork(&queue->lock, step);
    if (step != FORK_PREPARE) {
        lock_release(&aborts->queues_lock);
        lock_release(&aborts->lock);
    }
}

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

/* --- queues --- */

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

/* The analysis has no name for the lock of what is returned. */
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

void aborts_leave_queue(struct abort_queue *queue) NOT_ANALYSED /* as above */
{
    lock_release(&queue->lock);
}

/* A fence of the driver's that is signaled when the queue has done all that it has now; the caller
 * destroys it. */
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
        result = aborts->below.WaitForFences(device, 1, &fence, VK_TRUE, ABORT_SLICE);
    while (result == VK_TIMEOUT && !aborts_lost(aborts));
    if (result == VK_TIMEOUT) /* the call that has ended the device has waited for it meanwhile */
        result = aborts->below.WaitForFences(device, 1, &fence, VK_TRUE, 0);
    if (result == VK_TIMEOUT) /* work that does not end: it goes with the device */
        return VK_ERROR_DEVICE_LOST;
    aborts->below.DestroyFence(device, fence, NULL);
    return aborts_lost(aborts) ? VK_ERROR_DEVICE_LOST : result;
}

VkResult aborts_wait_device(struct gpu_aborts *aborts)
{
    lock_take(&aborts->queues_lock);
    struct abort_queue *queue = aborts->queues; /* those after it stay as they are */
    lock_release(&aborts->queues_lock);
    for (; queue; queue = queue->next) {
        VkResult result = aborts_wait_queue(aborts, queue->queue);
        if (result != VK_SUCCESS)
            return result;
    }
    if (aborts_lost(aborts))
        return VK_ERROR_DEVICE_LOST;
    VkResult result = aborts->below.DeviceWaitIdle(aborts->device->handle);
    return aborts_lost(aborts) ? VK_ERROR_DEVICE_LOST : result;
}

/* --- the end of the device --- */

/* Helps work that waits for what the program would have done next, which it will not. Events are
 * set, and semaphores get the values that are awaited. */
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

/* Until the queue has done what it has, or it is plain that it will not. `slices`: of waiting, of
 * all queues together. */
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
        /* A call that has a queue's lock from here on finds this: what is waited for is all that
         * there will be. */
        atomic_store_explicit(&aborts->ending, true, memory_order_relaxed);
        struct abort_queue *queue = aborts->queues;
        lock_release(&aborts->queues_lock);
        for (; queue; queue = queue->next)
            wait_for_end(aborts, queue, &slices);
        aborts_collect(aborts);
        atomic_store_explicit(&aborts->lost, true, memory_order_release);
    }
    lock_release(&aborts->lock);
    return true;
}
