/* Checks that a fence may be created, reset, destroyed, exported, and given to an operation to
 * signal (7.3). fence.h declares what submissions use. */
#include "core/submit/fence.h"
#include "core/hooks.h"

#include "objects/device.h"
#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "report/names/object_text.h"
#include "vk/chain.h"

#include <inttypes.h>

/* Reports a fence that is in use. The text names the queue that is to signal the fence, or says
 * that it is an acquire of a swapchain image. */
static COLD bool report_pending(const struct call *call, const struct fence *fence, enum vuid vuid,
                                const struct location *where)
{
    assert(fence);
    const struct queue *queue = fence_queue(call->device, fence);
    if (!queue)
        return BROKEN_BY(call, vuid, where, OBJECT(HANDLE_FENCE, object_state_handle(&fence->base)),
                         "is to be signaled when a swapchain image is acquired, and that is not "
                         "known to be done");
    return BROKEN_BY(call, vuid, where,
                     OBJECT2(HANDLE_FENCE, object_state_handle(&fence->base), HANDLE_QUEUE,
                             object_state_handle(&queue->base)),
                     "is to be signaled by work that was submitted to %s (its submission %" PRIu64
                     ") and is not known to be done: no wait has shown it to the app",
                     NAMED_STATE(call, &queue->base),
                     stamp_sequence(atomic_load_explicit(&fence->payload, memory_order_relaxed)));
}

/* True if the fence is in use. Always false if the setting check_object_in_use is off. */
static bool is_pending(const struct call *call, const struct fence *fence)
{
    return call->instance->settings.check_object_in_use &&
           fence_status(call->device, fence) == FENCE_PENDING;
}

bool fence_check_free(const struct call *call, VkFence handle, enum rule unsignaled,
                      enum rule unassociated, const struct location *where)
{
    const struct fence *fence = handle ? find_fence(call, handle) : NULL;
    switch (fence ? fence_status(call->device, fence) : FENCE_UNKNOWN) {
    case FENCE_SIGNALED:
        return BROKEN_BY(call, unsignaled, where, OBJECT(HANDLE_FENCE, handle),
                         "is signaled; vkResetFences makes it fit for another use");
    case FENCE_PENDING:
        return is_pending(call, fence) &&
               report_pending(call, fence, rule_vuid(call->command, unassociated), where);
    default:
        return false;
    }
}

/* The bits in handleTypes must be supported and compatible, as reported by
 * VkExternalFenceProperties */
static COLD bool check_export(const struct call *call, VkExternalFenceHandleTypeFlags types,
                              const struct location *parent)
{
    const struct instance *instance = call->device->instance;
    const struct location info = LOCATION_CHAINED(parent, "VkExportFenceCreateInfo");
    if (!instance->dispatch.GetPhysicalDeviceExternalFenceProperties)
        return false;
    for (VkExternalFenceHandleTypeFlags left = types; left; left &= left - 1) {
        const VkPhysicalDeviceExternalFenceInfo question = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_FENCE_INFO,
            .handleType = (VkExternalFenceHandleTypeFlagBits)(left & -left)};
        VkExternalFenceProperties answer = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_FENCE_PROPERTIES};
        instance->dispatch.GetPhysicalDeviceExternalFenceProperties(call->device->physical_device,
                                                                    &question, &answer);
        VkExternalFenceHandleTypeFlags wrong =
            types & ~answer.compatibleHandleTypes & ~(left & -left);
        if (!(answer.externalFenceFeatures & VK_EXTERNAL_FENCE_FEATURE_EXPORTABLE_BIT))
            return BROKEN_BY(call, VUID_VkExportFenceCreateInfo_handleTypes_01446,
                             &LOCATION(&info, "handleTypes"), NULL,
                             "contains %s, but a fence cannot be exported so",
                             value_text(VALUES_VkExternalFenceHandleTypeFlags, question.handleType)
                                 .text);
        if (wrong)
            return BROKEN_BY(call, VUID_VkExportFenceCreateInfo_handleTypes_01446,
                             &LOCATION(&info, "handleTypes"), NULL,
                             "contains %s, which does not go with %s",
                             value_text(VALUES_VkExternalFenceHandleTypeFlags, wrong).text,
                             value_text(VALUES_VkExternalFenceHandleTypeFlags, question.handleType)
                                 .text);
    }
    return false;
}

bool core_validate_CreateFence(struct call *call, VkDevice device,
                               const VkFenceCreateInfo *pCreateInfo,
                               const VkAllocationCallbacks *pAllocator, VkFence *pFence)
{
    const VkExportFenceCreateInfo *info =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO);
    return info && info->handleTypes &&
           check_export(call, info->handleTypes, &LOCATION_POINTER(NULL, "pCreateInfo"));
}

bool core_validate_DestroyFence(struct call *call, VkDevice device, VkFence handle,
                                const VkAllocationCallbacks *pAllocator)
{
    const struct fence *fence = handle ? find_fence(call, handle) : NULL;
    /* All queue submission commands that refer to fence must have completed execution. (An acquire
     * is none.) */
    return fence && is_pending(call, fence) && fence_queue(call->device, fence) &&
           report_pending(call, fence, RULE(call, 01120), &LOCATION(NULL, "fence"));
}

bool core_validate_ResetFences(struct call *call, VkDevice device, uint32_t fenceCount,
                               const VkFence *pFences)
{
    bool skip = false;
    for (uint32_t i = 0; i < fenceCount; i++) {
        const struct fence *fence = find_fence(call, pFences[i]);
        /* Each element of pFences must not be currently associated with any queue command that has
         * not yet completed execution on that queue */
        if (unlikely(fence && is_pending(call, fence) && fence_queue(call->device, fence)))
            skip |=
                report_pending(call, fence, RULE(call, 01123), &LOCATION_INDEX(NULL, "pFences", i));
    }
    return skip;
}

/* --- payloads of others --- */

bool core_validate_GetFenceFdKHR(struct call *call, VkDevice device,
                                 const VkFenceGetFdInfoKHR *pGetFdInfo, int *pFd)
{
    const struct location parent = LOCATION_POINTER(NULL, "pGetFdInfo");
    const struct fence *fence = find_fence(call, pGetFdInfo->fence);
    VkExternalFenceHandleTypeFlagBits type = pGetFdInfo->handleType;
    struct subject s = {.call = call, .where = &parent};
    /* handleType must be defined as a POSIX file descriptor handle */
    if (type != VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT &&
        type != VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT) {
        BROKEN(&s, RULE_01456, "handleType", "is %s, which is not a file descriptor",
               value_text(VALUES_VkExternalFenceHandleTypeFlags, type).text);
        return s.skip;
    }
    if (!fence)
        return false;
    /* handleType must have been included in VkExportFenceCreateInfo::handleTypes when fence's
     * current payload was created */
    if (!(fence->export_types & type) &&
        atomic_load_explicit(&fence->payload, memory_order_relaxed) != FENCE_PAYLOAD_UNKNOWN)
        BROKEN_OF(&s, OBJECT(HANDLE_FENCE, pGetFdInfo->fence), RULE_01453, "handleType",
                  "is %s, but the fence was created with VkExportFenceCreateInfo::handleTypes %s",
                  value_text(VALUES_VkExternalFenceHandleTypeFlags, type).text,
                  value_text(VALUES_VkExternalFenceHandleTypeFlags, fence->export_types).text);
    /* If handleType refers to a handle type with copy payload transference semantics, fence must be
     * signaled, or have a ... signal pending */
    if (type == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT &&
        fence_status(call->device, fence) == FENCE_UNSIGNALED)
        BROKEN_OF(&s, OBJECT(HANDLE_FENCE, pGetFdInfo->fence), RULE_01454, "fence",
                  "is not signaled, and nothing that was submitted will signal it");
    return s.skip;
}

bool core_validate_ImportFenceFdKHR(struct call *call, VkDevice device,
                                    const VkImportFenceFdInfoKHR *pImportFenceFdInfo)
{
    const struct location parent = LOCATION_POINTER(NULL, "pImportFenceFdInfo");
    const struct fence *fence = find_fence(call, pImportFenceFdInfo->fence);
    VkExternalFenceHandleTypeFlagBits type = pImportFenceFdInfo->handleType;
    struct subject s = {.call = call, .where = &parent};
    /* handleType must be a value included in the Handle Types Supported by VkImportFenceFdInfoKHR
     * table */
    if (type != VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT &&
        type != VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT)
        BROKEN(&s, RULE_01464, "handleType", "is %s, which is not a file descriptor",
               value_text(VALUES_VkExternalFenceHandleTypeFlags, type).text);
    /* If handleType refers to a handle type with copy payload transference semantics, flags must
     * contain VK_FENCE_IMPORT_TEMPORARY_BIT */
    if (type == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT &&
        !(pImportFenceFdInfo->flags & VK_FENCE_IMPORT_TEMPORARY_BIT))
        BROKEN(&s, RULE_07306, "flags",
               "has no VK_FENCE_IMPORT_TEMPORARY_BIT, but a sync file's payload is copied");
    /* fence must not be associated with any queue command that has not yet completed execution on
     * that queue */
    if (fence && is_pending(call, fence) && fence_queue(call->device, fence))
        s.skip |= report_pending(call, fence, RULE(call, 01463), &LOCATION(&parent, "fence"));
    return s.skip;
}
