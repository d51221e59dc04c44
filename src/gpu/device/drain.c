/* Reads the records of shaders at the calls after which work may be done. */
#include "gpu/device/drain.h"

#include "gpu/abort/abort.h"
#include "gpu/device/areas.h"
#include "gpu/hooks.h"
#include "report/finding/finding.h"

/* The most records that are read before they are reported. */
#define BATCH 64

/* The records that were read while the lock was held once. Findings are reported without the lock,
 * as the program's callback may call Vulkan. */
struct batch_of_records {
    uint32_t count; /* of `found` */
    uint32_t lost;  /* number of records for which the ring had no room */
    bool more;      /* more records can be read */
    struct gpu_found found[BATCH];
};

/* Reads a batch. The data that a record refers to is looked up here: a call that frees such data
 * drains first, and waits for the lock. */
static void read_batch(struct gpu_device *gpu, enum drain_when when, struct batch_of_records *batch)
    REQUIRES(gpu->drain_lock)
{
    struct gpu_ring *ring = &gpu->ring;
    batch->count = 0;
    while (batch->count < BATCH) {
        struct gpu_found *found = &batch->found[batch->count];
        found->size = gpu_ring_take(ring, found->words, &found->repeated);
        if (!found->size && when != DRAIN_NOW && gpu_ring_skip(ring))
            continue;
        if (!found->size)
            break;
        found->origin =
            gpu_command_find(gpu, found->words[RECORD_RECORDING], found->words[RECORD_COMMAND]);
        batch->count++;
    }
    batch->more = batch->count == BATCH;
    batch->lost = gpu_ring_lost(ring);
}

/* Says that `lost` records found no room in the ring of `bytes` bytes. */
static void tell_lost(struct call *call, uint32_t lost, uint32_t bytes)
{
    (void)finding_with_severity(call, SEVERITY_WARNING, WARNING_GPU_Assisted_Validation, NULL, NULL,
                                "%u more record%s of what shaders found or printed %s lost, as the "
                                "buffer of %u bytes for them was full (printf_buffer_size "
                                "makes it larger)",
                                lost, lost == 1 ? "" : "s", lost == 1 ? "was" : "were", bytes);
}

void gpu_drain_slow(struct call *call, struct gpu_device *gpu, enum drain_when when)
{
    struct batch_of_records *batch = mem_alloc(sizeof(*batch));
    struct gpu_parsed parsed = {0};
    /* Memory is out: the records stay in the ring until the next drain. */
    if (!batch)
        return;
    do {
        lock_take(&gpu->drain_lock);
        read_batch(gpu, when, batch);
        lock_release(&gpu->drain_lock);
        for (uint32_t i = 0; i < batch->count; i++)
            gpu_report(call, &batch->found[i], &parsed);
        if (batch->lost)
            tell_lost(call, batch->lost, (gpu->ring.mask + 1) * (uint32_t)sizeof(uint32_t));
    } while (batch->more);
    spirv_module_free(&parsed.module);
    mem_free(batch);
}

/* --- hooks of calls after which work may be known to be done --- */

/* Reads records after a call from which the program may learn that work is done. A lost device's
 * last records are read without waiting for their end. */
static void drain_gpu(struct call *call)
{
    if (call->device && gpu_in_device(call->device)->gpu)
        gpu_drain(call, gpu_in_device(call->device)->gpu,
                  call->result == VK_ERROR_DEVICE_LOST ? DRAIN_LOST : DRAIN_NOW);
}

void gpu_after_WaitForFences(struct call *call, VkDevice device, uint32_t fenceCount,
                             const VkFence *pFences, VkBool32 waitAll, uint64_t timeout)
{
    drain_gpu(call);
}

void gpu_after_GetFenceStatus(struct call *call, VkDevice device, VkFence fence)
{
    drain_gpu(call);
}

void gpu_after_ResetFences(struct call *call, VkDevice device, uint32_t fenceCount,
                           const VkFence *pFences)
{
    drain_gpu(call);
}

void gpu_after_QueueWaitIdle(struct call *call, VkQueue queue)
{
    drain_gpu(call);
}

void gpu_after_DeviceWaitIdle(struct call *call, VkDevice device)
{
    drain_gpu(call);
}

void gpu_after_WaitSemaphores(struct call *call, VkDevice device,
                              const VkSemaphoreWaitInfo *pWaitInfo, uint64_t timeout)
{
    drain_gpu(call);
}

void gpu_after_GetSemaphoreCounterValue(struct call *call, VkDevice device, VkSemaphore semaphore,
                                        uint64_t *pValue)
{
    drain_gpu(call);
}

void gpu_after_QueueSubmit(struct call *call, VkQueue queue, uint32_t submitCount,
                           const VkSubmitInfo *pSubmits, VkFence fence)
{
    /* A submission does not show that earlier work is done, but programs that never wait get their
     * findings here. */
    drain_gpu(call);
}

void gpu_after_QueueSubmit2(struct call *call, VkQueue queue, uint32_t submitCount,
                            const VkSubmitInfo2 *pSubmits, VkFence fence)
{
    drain_gpu(call);
}

void gpu_after_QueueBindSparse(struct call *call, VkQueue queue, uint32_t bindInfoCount,
                               const VkBindSparseInfo *pBindInfo, VkFence fence)
{
    drain_gpu(call);
}

void gpu_after_QueuePresentKHR(struct call *call, VkQueue queue,
                               const VkPresentInfoKHR *pPresentInfo)
{
    drain_gpu(call);
}

void gpu_after_AcquireNextImageKHR(struct call *call, VkDevice device, VkSwapchainKHR swapchain,
                                   uint64_t timeout, VkSemaphore semaphore, VkFence fence,
                                   uint32_t *pImageIndex)
{
    drain_gpu(call);
}

void gpu_after_AcquireNextImage2KHR(struct call *call, VkDevice device,
                                    const VkAcquireNextImageInfoKHR *pAcquireInfo,
                                    uint32_t *pImageIndex)
{
    drain_gpu(call);
}

void gpu_after_GetQueryPoolResults(struct call *call, VkDevice device, VkQueryPool queryPool,
                                   uint32_t firstQuery, uint32_t queryCount, size_t dataSize,
                                   void *pData, VkDeviceSize stride, VkQueryResultFlags flags)
{
    drain_gpu(call);
}

void gpu_after_GetEventStatus(struct call *call, VkDevice device, VkEvent event)
{
    drain_gpu(call);
}

void gpu_after_GetDeviceFaultInfoEXT(struct call *call, VkDevice device,
                                     VkDeviceFaultCountsEXT *pFaultCounts,
                                     VkDeviceFaultInfoEXT *pFaultInfo)
{
    drain_gpu(call);
}

void gpu_after_GetDeviceFaultReportsKHR(struct call *call, VkDevice device, uint64_t timeout,
                                        uint32_t *pFaultCounts, VkDeviceFaultInfoKHR *pFaultInfo)
{
    drain_gpu(call);
    /* The program queries why the device is lost: the layer reports its own finding first. */
    if (gpu_in_device(call->device)->aborts)
        aborts_tell(call, gpu_in_device(call->device)->aborts);
}

void gpu_after_GetDeviceFaultDebugInfoKHR(struct call *call, VkDevice device,
                                          VkDeviceFaultDebugInfoKHR *pDebugInfo)
{
    drain_gpu(call);
    if (gpu_in_device(call->device)->aborts)
        aborts_tell(call, gpu_in_device(call->device)->aborts);
}
