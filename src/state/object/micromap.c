/* Tracks what micromaps of VK_EXT_opacity_micromap may have been built with, and which commands
 * read them (38 "Micromap"). */
#include "state/object/created.h"
#include "state/raytracing/acceleration_structure.h"

#include "state/hooks.h"

/* The micromap can be built so from now on. Commands count once they are recorded, since only
 * submissions know when they run. */
static void micromap_note(const struct call *call, VkMicromapEXT handle, uint32_t built)
{
    struct created_micromap *micromap = find_created_micromap(call, handle);
    if (micromap)
        atomic_fetch_or_explicit(&micromap->built, built, memory_order_relaxed);
}

/* Notes what each of the builds makes. */
static void micromap_note_builds(const struct call *call, uint32_t count,
                                 const VkMicromapBuildInfoEXT *infos)
{
    for (uint32_t i = 0; i < count; i++)
        micromap_note(call, infos[i].dstMicromap,
                      MICROMAP_BUILT | (infos[i].flags & VK_BUILD_MICROMAP_ALLOW_COMPACTION_BIT_EXT
                                            ? MICROMAP_COMPACTABLE
                                            : 0));
}

void state_after_CmdBuildMicromapsEXT(struct call *call, VkCommandBuffer commandBuffer,
                                      uint32_t infoCount, const VkMicromapBuildInfoEXT *pInfos)
{
    micromap_note_builds(call, infoCount, pInfos);
}

void state_after_BuildMicromapsEXT(struct call *call, VkDevice device,
                                   VkDeferredOperationKHR deferredOperation, uint32_t infoCount,
                                   const VkMicromapBuildInfoEXT *pInfos)
{
    if (call->result >= VK_SUCCESS)
        micromap_note_builds(call, infoCount, pInfos);
}

void state_after_CmdCopyMicromapEXT(struct call *call, VkCommandBuffer commandBuffer,
                                    const VkCopyMicromapInfoEXT *pInfo)
{
    record_micromap_use(call, pInfo->src, pInfo->mode == VK_COPY_MICROMAP_MODE_COMPACT_EXT);
    micromap_note(call, pInfo->dst, MICROMAP_BUILT | MICROMAP_COMPACTABLE);
}

void state_after_CopyMicromapEXT(struct call *call, VkDevice device,
                                 VkDeferredOperationKHR deferredOperation,
                                 const VkCopyMicromapInfoEXT *pInfo)
{
    if (call->result >= VK_SUCCESS)
        micromap_note(call, pInfo->dst, MICROMAP_BUILT | MICROMAP_COMPACTABLE);
}

void state_after_CmdCopyMemoryToMicromapEXT(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkCopyMemoryToMicromapInfoEXT *pInfo)
{
    micromap_note(call, pInfo->dst, MICROMAP_BUILT | MICROMAP_COMPACTABLE);
}

void state_after_CopyMemoryToMicromapEXT(struct call *call, VkDevice device,
                                         VkDeferredOperationKHR deferredOperation,
                                         const VkCopyMemoryToMicromapInfoEXT *pInfo)
{
    if (call->result >= VK_SUCCESS)
        micromap_note(call, pInfo->dst, MICROMAP_BUILT | MICROMAP_COMPACTABLE);
}

void state_after_CmdCopyMicromapToMemoryEXT(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkCopyMicromapToMemoryInfoEXT *pInfo)
{
    record_micromap_use(call, pInfo->src, false);
}

void state_after_CmdWriteMicromapsPropertiesEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                uint32_t micromapCount,
                                                const VkMicromapEXT *pMicromaps,
                                                VkQueryType queryType, VkQueryPool queryPool,
                                                uint32_t firstQuery)
{
    for (uint32_t i = 0; i < micromapCount; i++)
        record_micromap_use(call, pMicromaps[i],
                            queryType == VK_QUERY_TYPE_MICROMAP_COMPACTED_SIZE_EXT);
}
