/* Begins and ends the emulation of shader aborts on a device. It hides modules that the driver must
 * not see, and puts the layer's functions in the place of the driver's. */
#include "gpu/abort/abort.h"

#include <spirv/unified1/spirv.h>

#include "base/lock.h"
#include "gpu/device/areas.h"
#include "gpu/gpu.h"
#include "state/submit/queue.h"
#include "state/submit/semaphore.h"

/* --- modules --- */

/* Takes the place of a module that the driver must not see. It is never run, as pipelines get the
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

/* True if the module declares a capability that the driver must not see. Capabilities stand first
 * in a module, so the look ends at the first other instruction. */
static bool must_be_lowered(const VkShaderModuleCreateInfo *info)
{
    const uint32_t *words = info->pCode;
    const size_t count = words ? info->codeSize / sizeof(*words) : 0;
    for (size_t at = 5; at + 1 < count && words[at] == (2u << SpvWordCountShift | SpvOpCapability);
         at += 2) {
        if (words[at + 1] == SpvCapabilityAbortKHR || words[at + 1] == SpvCapabilityConstantDataKHR)
            return true;
    }
    return false;
}

/* Replaces vkCreateShaderModule if shaders are lowered. A module that would be lowered reaches the
 * driver as `empty_module`, so that it need not know OpAbortKHR. */
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

/* Replaces vkSignalSemaphore. When the device ends, semaphores get all values that are awaited
 * (help_object()), and drivers report an error for a value that is not larger. So the call is left
 * out then: no work waits for it any more. */
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

/* --- beginning and end of a device --- */

bool aborts_begin(struct device *device)
{
    struct gpu_aborts *aborts = mem_alloc_zeroed(sizeof(*aborts));
    if (!aborts)
        return false;
    aborts->device = device;
    /* The driver's functions are copied before any of them is replaced: the layer's own calls use
     * this copy, and so never reach the replacements. */
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
    /* vkDestroyDevice is externally synchronized, and so no other thread's call can use a queue of
     * this device any more. */
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

/* each step runs one half of it */
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
