/* Tracks how calls change fences. */
#include "state/submit/fence.h"
#include "state/hooks.h"
#include "state/object/object_lines.h"
#include "state/submit/submission.h"

#include "vk/chain.h"

enum fence_status fence_status(const struct device *device, const struct fence *fence)
{
    if (!fence || atomic_load_explicit(&fence->shared, memory_order_relaxed) ||
        device_is_lost(device))
        return FENCE_UNKNOWN;
    uint64_t payload = atomic_load_explicit(&fence->payload, memory_order_acquire);
    switch (payload) {
    case FENCE_PAYLOAD_UNSIGNALED:
        return FENCE_UNSIGNALED;
    case FENCE_PAYLOAD_SIGNALED:
        return FENCE_SIGNALED;
    case FENCE_PAYLOAD_UNKNOWN:
        return FENCE_UNKNOWN;
    case FENCE_PAYLOAD_ACQUIRING:
        return FENCE_PENDING;
    /* A stamp: that of the submission that signals the fence. */
    default:
        return stamp_pending(device, payload) ? FENCE_PENDING : FENCE_SIGNALED;
    }
}

struct queue *fence_queue(const struct device *device, const struct fence *fence)
{
    assert(fence);
    uint64_t payload = atomic_load_explicit(&fence->payload, memory_order_acquire);
    return payload >= FENCE_PAYLOAD_COUNT ? stamp_pending(device, payload) : NULL;
}

void fence_submit(struct fence *fence, uint64_t stamp)
{
    if (!fence)
        return;
    atomic_store_explicit(&fence->payload, stamp ? stamp : FENCE_PAYLOAD_UNKNOWN,
                          memory_order_release);
    atomic_store_explicit(&fence->base.last_use, stamp, memory_order_relaxed);
}

void state_after_CreateFence(struct call *call, VkDevice device,
                             const VkFenceCreateInfo *pCreateInfo,
                             const VkAllocationCallbacks *pAllocator, VkFence *pFence)
{
    struct object *object = created_object(call, (uint64_t)*pFence, HANDLE_FENCE);
    struct fence *fence = object_state_new_lines(object, sizeof(*fence));
    if (!fence)
        return;
    const VkExportFenceCreateInfo *export_info =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO);
    fence->export_types = export_info ? export_info->handleTypes : 0;
    atomic_init(&fence->payload, pCreateInfo->flags & VK_FENCE_CREATE_SIGNALED_BIT
                                     ? FENCE_PAYLOAD_SIGNALED
                                     : FENCE_PAYLOAD_UNSIGNALED);
    object_state_publish(object, fence);
}

/* Notes that the work before the fence's signal has completed, as a thread knows that the fence is
 * signaled. */
static void retire_work(const struct call *call, const struct fence *fence, uint64_t payload)
{
    for (uint32_t i = 0; payload == FENCE_PAYLOAD_ACQUIRING && i < PRESENT_WAITS; i++)
        submission_retire(call->device,
                          atomic_load_explicit(&fence->present.stamps[i], memory_order_relaxed));
    if (payload >= FENCE_PAYLOAD_COUNT)
        submission_retire(call->device, payload);
}

/* Notes that the driver reports the fence as signaled, so the work before the signal has completed.
 * Another thread may be resetting and submitting the fence: what that thread wrote stays. */
static void learn_signaled(const struct call *call, struct fence *fence)
{
    if (!fence)
        return;
    uint64_t payload = atomic_load_explicit(&fence->payload, memory_order_acquire);
    if (payload != FENCE_PAYLOAD_ACQUIRING && payload < FENCE_PAYLOAD_COUNT)
        return;
    retire_work(call, fence, payload);
    atomic_compare_exchange_strong_explicit(&fence->payload, &payload, FENCE_PAYLOAD_SIGNALED,
                                            memory_order_release, memory_order_relaxed);
}

void state_after_WaitForFences(struct call *call, VkDevice device, uint32_t fenceCount,
                               const VkFence *pFences, VkBool32 waitAll, uint64_t timeout)
{
    if (call->result == VK_ERROR_DEVICE_LOST)
        device_mark_lost(call->device);
    /* The result does not show which of several fences it was. */
    if (call->result != VK_SUCCESS || (!waitAll && fenceCount != 1))
        return;
    for (uint32_t i = 0; i < fenceCount; i++)
        learn_signaled(call, find_fence(call, pFences[i]));
}

void state_after_GetFenceStatus(struct call *call, VkDevice device, VkFence fence)
{
    if (call->result == VK_ERROR_DEVICE_LOST)
        device_mark_lost(call->device);
    if (call->result == VK_SUCCESS)
        learn_signaled(call, named_fence(call, 0, fence));
}

void state_after_ResetFences(struct call *call, VkDevice device, uint32_t fenceCount,
                             const VkFence *pFences)
{
    for (uint32_t i = 0; call->result == VK_SUCCESS && i < fenceCount; i++) {
        struct fence *fence = find_fence(call, pFences[i]);
        if (fence)
            atomic_store_explicit(&fence->payload, FENCE_PAYLOAD_UNSIGNALED, memory_order_release);
    }
}

/* --- payloads that others have a hand in --- */

/* Notes that another process or API may signal the fence. After a permanent import the fence stays
 * shared. */
static void import_payload(struct fence *fence, bool temporary)
{
    if (!fence)
        return;
    if (!temporary)
        atomic_store_explicit(&fence->shared, true, memory_order_relaxed);
    atomic_store_explicit(&fence->payload, FENCE_PAYLOAD_UNKNOWN, memory_order_release);
}

void state_after_ImportFenceFdKHR(struct call *call, VkDevice device,
                                  const VkImportFenceFdInfoKHR *pImportFenceFdInfo)
{
    /* The import of a sync file is always temporary. */
    if (call->result == VK_SUCCESS)
        import_payload(find_fence(call, pImportFenceFdInfo->fence),
                       (pImportFenceFdInfo->flags & VK_FENCE_IMPORT_TEMPORARY_BIT) ||
                           pImportFenceFdInfo->handleType ==
                               VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT);
}

void state_after_GetFenceFdKHR(struct call *call, VkDevice device,
                               const VkFenceGetFdInfoKHR *pGetFdInfo, int *pFd)
{
    struct fence *fence = call->result == VK_SUCCESS ? find_fence(call, pGetFdInfo->fence) : NULL;
    if (!fence)
        return;
    /* From now on others may show the program that the work has completed: another fence with this
     * payload, a poll of the file. */
    uint64_t payload = atomic_load_explicit(&fence->payload, memory_order_acquire);
    for (uint32_t i = 0; payload == FENCE_PAYLOAD_ACQUIRING && i < PRESENT_WAITS; i++)
        stamp_presume_done(call->device,
                           atomic_load_explicit(&fence->present.stamps[i], memory_order_relaxed));
    if (payload >= FENCE_PAYLOAD_COUNT)
        stamp_presume_done(call->device, payload);
    if (pGetFdInfo->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT)
        import_payload(fence, true);
    else
        atomic_store_explicit(&fence->shared, true, memory_order_relaxed);
}
