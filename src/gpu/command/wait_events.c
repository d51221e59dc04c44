/* Warns that the GPU may wait for the host, which waits for the GPU. vkCmdWaitEvents with the
 * host's stage does that. */
#include "gpu/device/areas.h"
#include "gpu/hooks.h"
#include "report/finding/finding.h"

/* Warns about the wait: shaders with checks take longer, so a program that sets events late may
 * reach a driver's time limit. Does nothing on a device without GPU-assisted validation. */
static void wait_events_warn(const struct call *call)
{
    if (gpu_in_device(call->device)->gpu)
        (void)finding_with_severity(call, SEVERITY_WARNING, WARNING_GPU_Assisted_Validation, NULL,
                                    NULL,
                                    "waits for events that the host sets "
                                    "(VK_PIPELINE_STAGE_HOST_BIT): with GPU-assisted validation "
                                    "shaders take longer, and a program that sets them late may "
                                    "run into a deadlock or the driver's time limit");
}

bool gpu_validate_CmdWaitEvents(struct call *call, VkCommandBuffer commandBuffer,
                                uint32_t eventCount, const VkEvent *pEvents,
                                VkPipelineStageFlags srcStageMask,
                                VkPipelineStageFlags dstStageMask, uint32_t memoryBarrierCount,
                                const VkMemoryBarrier *pMemoryBarriers,
                                uint32_t bufferMemoryBarrierCount,
                                const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                uint32_t imageMemoryBarrierCount,
                                const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    if (srcStageMask & VK_PIPELINE_STAGE_HOST_BIT)
        wait_events_warn(call);
    return false;
}

/* True if some barrier of the dependency has the host in its first scope, which only vkSetEvent
 * satisfies. */
static bool from_host(const VkDependencyInfo *info)
{
    bool host = false;
    for (uint32_t i = 0; info->pMemoryBarriers && i < info->memoryBarrierCount; i++)
        host |= (info->pMemoryBarriers[i].srcStageMask & VK_PIPELINE_STAGE_2_HOST_BIT) != 0;
    for (uint32_t i = 0; info->pBufferMemoryBarriers && i < info->bufferMemoryBarrierCount; i++)
        host |= (info->pBufferMemoryBarriers[i].srcStageMask & VK_PIPELINE_STAGE_2_HOST_BIT) != 0;
    for (uint32_t i = 0; info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++)
        host |= (info->pImageMemoryBarriers[i].srcStageMask & VK_PIPELINE_STAGE_2_HOST_BIT) != 0;
    return host;
}

bool gpu_validate_CmdWaitEvents2(struct call *call, VkCommandBuffer commandBuffer,
                                 uint32_t eventCount, const VkEvent *pEvents,
                                 const VkDependencyInfo *pDependencyInfos)
{
    for (uint32_t i = 0; pDependencyInfos && i < eventCount; i++) {
        if (from_host(&pDependencyInfos[i])) {
            wait_events_warn(call);
            break;
        }
    }
    return false;
}
