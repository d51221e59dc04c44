/* Checks that a program only queries the fault of a lost device (VK_KHR_device_fault,
 * VK_EXT_device_fault). */
#include "core/hooks.h"

#include "objects/device.h"
#include "report/finding/finding.h"
#include "report/finding/rule.h"

/* Checks that the device is lost. `member`: the parameter that names the device. */
static bool check_lost(const struct call *call, enum vuid rule, const char *member)
{
    return !atomic_load_explicit(&call->device->lost, memory_order_relaxed) &&
           BROKEN_BY(call, rule, &LOCATION(NULL, member), NULL,
                     "is not lost: no command has answered VK_ERROR_DEVICE_LOST, and no fault has "
                     "been reported that lost it");
}

/* device must be lost */
bool core_validate_GetDeviceFaultDebugInfoKHR(struct call *call, VkDevice device,
                                              VkDeviceFaultDebugInfoKHR *pDebugInfo)
{
    return check_lost(call, VUID_vkGetDeviceFaultDebugInfoKHR_device_12383, "device");
}

/* device must be in the lost state */
bool core_validate_GetDeviceFaultInfoEXT(struct call *call, VkDevice device,
                                         VkDeviceFaultCountsEXT *pFaultCounts,
                                         VkDeviceFaultInfoEXT *pFaultInfo)
{
    return check_lost(call, VUID_vkGetDeviceFaultInfoEXT_device_07336, "device");
}

/* The device that queue belongs to must be in the lost state */
bool core_validate_GetQueueCheckpointDataNV(struct call *call, VkQueue queue,
                                            uint32_t *pCheckpointDataCount,
                                            VkCheckpointDataNV *pCheckpointData)
{
    return check_lost(call, VUID_vkGetQueueCheckpointDataNV_queue_02025, "queue");
}

bool core_validate_GetQueueCheckpointData2NV(struct call *call, VkQueue queue,
                                             uint32_t *pCheckpointDataCount,
                                             VkCheckpointData2NV *pCheckpointData)
{
    return check_lost(call, VUID_vkGetQueueCheckpointData2NV_queue_03892, "queue");
}

/* Fault reports can also show that the device is lost. */
void core_after_GetDeviceFaultReportsKHR(struct call *call, VkDevice device, uint64_t timeout,
                                         uint32_t *pFaultCounts, VkDeviceFaultInfoKHR *pFaultInfo)
{
    if (call->result < VK_SUCCESS || call->result == VK_TIMEOUT || !pFaultInfo)
        return;
    for (uint32_t i = 0; i < *pFaultCounts; i++) {
        if (pFaultInfo[i].flags & VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR)
            atomic_store_explicit(&call->device->lost, true, memory_order_relaxed);
    }
}
