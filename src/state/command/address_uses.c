/* Finds the buffers that a command names only by device addresses. "Command buffers ... will
 * transition to the invalid state if any memory or object ... that may be accessed when the command
 * buffer is accessed ... is destroyed or freed" (6.1). Addresses that shaders use are not known. */
#include "state/command/command_buffer.h"
#include "state/hooks.h"
#include "state/memory/device_address.h"
#include "state/raytracing/acceleration_structure.h"
#include "vk/pointer.h"

/* Notes that the command uses the buffer at an address. If several buffers have the address, it is
 * not known which one is used, and none is noted. */
static void use_address(const struct call *call, VkDeviceAddress address)
{
    struct command_buffer *command_buffer = address ? call_command_buffer(call) : NULL;
    const struct buffer *buffer =
        command_buffer ? device_address_find_sole(call->device, address) : NULL;
    if (buffer)
        command_buffer_uses(command_buffer, buffer->base.object);
}

static void use_range(const struct call *call, const VkDeviceAddressRangeKHR *range)
{
    if (range->size)
        use_address(call, range->address);
}

static void use_image_regions(const struct call *call, const VkCopyDeviceMemoryImageInfoKHR *info)
{
    for (uint32_t i = 0; info && i < info->regionCount; i++)
        use_address(call, info->pRegions[i].addressRange.address);
}

static void use_generated_addresses(const struct call *call, const VkGeneratedCommandsInfoEXT *info)
{
    use_address(call, info->indirectAddress);
    use_address(call, info->preprocessAddress);
    use_address(call, info->sequenceCountAddress);
}

static void use_table(const struct call *call, const VkStridedDeviceAddressRegionKHR *table)
{
    if (table && table->size)
        use_address(call, table->deviceAddress);
}

static void use_tables(const struct call *call, const VkStridedDeviceAddressRegionKHR *raygen,
                       const VkStridedDeviceAddressRegionKHR *miss,
                       const VkStridedDeviceAddressRegionKHR *hit,
                       const VkStridedDeviceAddressRegionKHR *callable)
{
    use_table(call, raygen);
    use_table(call, miss);
    use_table(call, hit);
    use_table(call, callable);
}

/* Notes the buffers that the geometry of a build names by address: vertices, indices, transforms,
 * boxes or instances. An index buffer only counts if the geometry has indices. */
static void use_geometry(const struct call *call,
                         const VkAccelerationStructureGeometryKHR *geometry)
{
    const VkAccelerationStructureGeometryDataKHR *data = &geometry->geometry;
    switch (geometry->geometryType) {
    case VK_GEOMETRY_TYPE_TRIANGLES_KHR:
        use_address(call, data->triangles.vertexData.deviceAddress);
        if (data->triangles.indexType != VK_INDEX_TYPE_NONE_KHR)
            use_address(call, data->triangles.indexData.deviceAddress);
        use_address(call, data->triangles.transformData.deviceAddress);
        break;
    case VK_GEOMETRY_TYPE_AABBS_KHR:
        use_address(call, data->aabbs.data.deviceAddress);
        break;
    case VK_GEOMETRY_TYPE_INSTANCES_KHR:
        use_address(call, data->instances.data.deviceAddress);
        break;
    default:
        break;
    }
}

/* Notes the buffers of one build. Geometries without primitives read nothing. `ranges`: NULL if the
 * numbers of primitives are not known. */
static void use_build(const struct call *call,
                      const VkAccelerationStructureBuildGeometryInfoKHR *info,
                      const VkAccelerationStructureBuildRangeInfoKHR *ranges)
{
    use_address(call, info->scratchData.deviceAddress);
    for (uint32_t i = 0; i < info->geometryCount; i++) {
        const VkAccelerationStructureGeometryKHR *geometry = build_geometry(info, i);
        if (geometry && (!ranges || ranges[i].primitiveCount))
            use_geometry(call, geometry);
    }
}

/* --- transfers --- */

void state_after_CmdCopyMemoryIndirectNV_addresses(struct call *call, VkCommandBuffer commandBuffer,
                                                   VkDeviceAddress copyBufferAddress,
                                                   uint32_t copyCount, uint32_t stride)
{
    use_address(call, copyBufferAddress);
}

void state_after_CmdCopyMemoryIndirectKHR_addresses(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    const VkCopyMemoryIndirectInfoKHR
                                                        *pCopyMemoryIndirectInfo)
{
    use_address(call, pCopyMemoryIndirectInfo->copyAddressRange.address);
}

void state_after_CmdCopyMemoryToImageIndirectNV_addresses(struct call *call,
                                                          VkCommandBuffer commandBuffer,
                                                          VkDeviceAddress copyBufferAddress,
                                                          uint32_t copyCount, uint32_t stride,
                                                          VkImage dstImage,
                                                          VkImageLayout dstImageLayout,
                                                          const VkImageSubresourceLayers
                                                              *pImageSubresources)
{
    use_address(call, copyBufferAddress);
}

void state_after_CmdCopyMemoryToImageIndirectKHR_addresses(struct call *call,
                                                           VkCommandBuffer commandBuffer,
                                                           const VkCopyMemoryToImageIndirectInfoKHR
                                                               *pCopyMemoryToImageIndirectInfo)
{
    use_address(call, pCopyMemoryToImageIndirectInfo->copyAddressRange.address);
}

void state_after_CmdCopyMemoryKHR_addresses(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkCopyDeviceMemoryInfoKHR *pCopyMemoryInfo)
{
    for (uint32_t i = 0; pCopyMemoryInfo && i < pCopyMemoryInfo->regionCount; i++) {
        use_range(call, &pCopyMemoryInfo->pRegions[i].srcRange);
        use_range(call, &pCopyMemoryInfo->pRegions[i].dstRange);
    }
}

void state_after_CmdCopyMemoryToImageKHR_addresses(struct call *call, VkCommandBuffer commandBuffer,
                                                   const VkCopyDeviceMemoryImageInfoKHR
                                                       *pCopyMemoryInfo)
{
    use_image_regions(call, pCopyMemoryInfo);
}

void state_after_CmdCopyImageToMemoryKHR_addresses(struct call *call, VkCommandBuffer commandBuffer,
                                                   const VkCopyDeviceMemoryImageInfoKHR
                                                       *pCopyMemoryInfo)
{
    use_image_regions(call, pCopyMemoryInfo);
}

void state_after_CmdUpdateMemoryKHR_addresses(struct call *call, VkCommandBuffer commandBuffer,
                                              const VkDeviceAddressRangeKHR *pDstRange,
                                              VkAddressCommandFlagsKHR dstFlags,
                                              VkDeviceSize dataSize, const void *pData)
{
    use_range(call, pDstRange);
}

void state_after_CmdFillMemoryKHR_addresses(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkDeviceAddressRangeKHR *pDstRange,
                                            VkAddressCommandFlagsKHR dstFlags, uint32_t data)
{
    use_range(call, pDstRange);
}

void state_after_CmdCopyQueryPoolResultsToMemoryKHR_addresses(struct call *call,
                                                              VkCommandBuffer commandBuffer,
                                                              VkQueryPool queryPool,
                                                              uint32_t firstQuery,
                                                              uint32_t queryCount,
                                                              const VkStridedDeviceAddressRangeKHR
                                                                  *pDstRange,
                                                              VkAddressCommandFlagsKHR dstFlags,
                                                              VkQueryResultFlags queryResultFlags)
{
    use_address(call, pDstRange->address);
}

void state_after_CmdWriteMarkerToMemoryAMD_addresses(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     const VkMemoryMarkerInfoAMD *pInfo)
{
    use_range(call, &pInfo->dstRange);
}

void state_after_CmdDecompressMemoryNV_addresses(struct call *call, VkCommandBuffer commandBuffer,
                                                 uint32_t decompressRegionCount,
                                                 const VkDecompressMemoryRegionNV
                                                     *pDecompressMemoryRegions)
{
    for (uint32_t i = 0; i < decompressRegionCount; i++) {
        use_address(call, pDecompressMemoryRegions[i].srcAddress);
        use_address(call, pDecompressMemoryRegions[i].dstAddress);
    }
}

void state_after_CmdDecompressMemoryEXT_addresses(struct call *call, VkCommandBuffer commandBuffer,
                                                  const VkDecompressMemoryInfoEXT
                                                      *pDecompressMemoryInfoEXT)
{
    for (uint32_t i = 0; i < pDecompressMemoryInfoEXT->regionCount; i++) {
        use_address(call, pDecompressMemoryInfoEXT->pRegions[i].srcAddress);
        use_address(call, pDecompressMemoryInfoEXT->pRegions[i].dstAddress);
    }
}

void state_after_CmdConvertCooperativeVectorMatrixNV_addresses(
    struct call *call, VkCommandBuffer commandBuffer, uint32_t infoCount,
    const VkConvertCooperativeVectorMatrixInfoNV *pInfos)
{
    for (uint32_t i = 0; i < infoCount; i++) {
        use_address(call, pInfos[i].srcData.deviceAddress);
        use_address(call, pInfos[i].dstData.deviceAddress);
    }
}

/* --- parameters of draws and dispatches --- */

void state_after_CmdDrawIndirect2KHR_addresses(struct call *call, VkCommandBuffer commandBuffer,
                                               const VkDrawIndirect2InfoKHR *pInfo)
{
    use_address(call, pInfo->addressRange.address);
}

void state_after_CmdDrawIndexedIndirect2KHR_addresses(struct call *call,
                                                      VkCommandBuffer commandBuffer,
                                                      const VkDrawIndirect2InfoKHR *pInfo)
{
    use_address(call, pInfo->addressRange.address);
}

void state_after_CmdDrawMeshTasksIndirect2EXT_addresses(struct call *call,
                                                        VkCommandBuffer commandBuffer,
                                                        const VkDrawIndirect2InfoKHR *pInfo)
{
    use_address(call, pInfo->addressRange.address);
}

void state_after_CmdDispatchIndirect2KHR_addresses(struct call *call, VkCommandBuffer commandBuffer,
                                                   const VkDispatchIndirect2InfoKHR *pInfo)
{
    use_address(call, pInfo->addressRange.address);
}

void state_after_CmdDrawIndirectCount2KHR_addresses(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    const VkDrawIndirectCount2InfoKHR *pInfo)
{
    use_address(call, pInfo->addressRange.address);
    use_address(call, pInfo->countAddressRange.address);
}

void state_after_CmdDrawIndexedIndirectCount2KHR_addresses(struct call *call,
                                                           VkCommandBuffer commandBuffer,
                                                           const VkDrawIndirectCount2InfoKHR *pInfo)
{
    use_address(call, pInfo->addressRange.address);
    use_address(call, pInfo->countAddressRange.address);
}

void state_after_CmdDrawMeshTasksIndirectCount2EXT_addresses(struct call *call,
                                                             VkCommandBuffer commandBuffer,
                                                             const VkDrawIndirectCount2InfoKHR
                                                                 *pInfo)
{
    use_address(call, pInfo->addressRange.address);
    use_address(call, pInfo->countAddressRange.address);
}

void state_after_CmdDrawIndirectByteCount2EXT_addresses(struct call *call,
                                                        VkCommandBuffer commandBuffer,
                                                        uint32_t instanceCount,
                                                        uint32_t firstInstance,
                                                        const VkBindTransformFeedbackBuffer2InfoEXT
                                                            *pCounterInfo,
                                                        uint32_t counterOffset,
                                                        uint32_t vertexStride)
{
    use_address(call, pCounterInfo->addressRange.address);
}

void state_after_CmdBeginConditionalRendering2EXT_addresses(
    struct call *call, VkCommandBuffer commandBuffer,
    const VkConditionalRenderingBeginInfo2EXT *pConditionalRenderingBegin)
{
    use_address(call, pConditionalRenderingBegin->addressRange.address);
}

void state_after_CmdBindTransformFeedbackBuffers2EXT_addresses(
    struct call *call, VkCommandBuffer commandBuffer, uint32_t firstBinding, uint32_t bindingCount,
    const VkBindTransformFeedbackBuffer2InfoEXT *pBindingInfos)
{
    for (uint32_t i = 0; i < bindingCount; i++)
        use_address(call, pBindingInfos[i].addressRange.address);
}

void state_after_CmdExecuteGeneratedCommandsEXT_addresses(struct call *call,
                                                          VkCommandBuffer commandBuffer,
                                                          VkBool32 isPreprocessed,
                                                          const VkGeneratedCommandsInfoEXT
                                                              *pGeneratedCommandsInfo)
{
    use_generated_addresses(call, pGeneratedCommandsInfo);
}

void state_after_CmdPreprocessGeneratedCommandsEXT_addresses(struct call *call,
                                                             VkCommandBuffer commandBuffer,
                                                             const VkGeneratedCommandsInfoEXT
                                                                 *pGeneratedCommandsInfo,
                                                             VkCommandBuffer stateCommandBuffer)
{
    use_generated_addresses(call, pGeneratedCommandsInfo);
}

/* --- descriptors --- */

void state_after_CmdBindDescriptorBuffersEXT_addresses(struct call *call,
                                                       VkCommandBuffer commandBuffer,
                                                       uint32_t bufferCount,
                                                       const VkDescriptorBufferBindingInfoEXT
                                                           *pBindingInfos)
{
    for (uint32_t i = 0; i < bufferCount; i++)
        use_address(call, pBindingInfos[i].address);
}

void state_after_CmdBindResourceHeapEXT_addresses(struct call *call, VkCommandBuffer commandBuffer,
                                                  const VkBindHeapInfoEXT *pBindInfo)
{
    use_address(call, pBindInfo->heapRange.address);
}

void state_after_CmdBindSamplerHeapEXT_addresses(struct call *call, VkCommandBuffer commandBuffer,
                                                 const VkBindHeapInfoEXT *pBindInfo)
{
    use_address(call, pBindInfo->heapRange.address);
}

/* --- rays --- */

void state_after_CmdTraceRaysKHR_addresses(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkStridedDeviceAddressRegionKHR
                                               *pRaygenShaderBindingTable,
                                           const VkStridedDeviceAddressRegionKHR
                                               *pMissShaderBindingTable,
                                           const VkStridedDeviceAddressRegionKHR
                                               *pHitShaderBindingTable,
                                           const VkStridedDeviceAddressRegionKHR
                                               *pCallableShaderBindingTable,
                                           uint32_t width, uint32_t height, uint32_t depth)
{
    use_tables(call, pRaygenShaderBindingTable, pMissShaderBindingTable, pHitShaderBindingTable,
               pCallableShaderBindingTable);
}

void state_after_CmdTraceRaysIndirectKHR_addresses(struct call *call, VkCommandBuffer commandBuffer,
                                                   const VkStridedDeviceAddressRegionKHR
                                                       *pRaygenShaderBindingTable,
                                                   const VkStridedDeviceAddressRegionKHR
                                                       *pMissShaderBindingTable,
                                                   const VkStridedDeviceAddressRegionKHR
                                                       *pHitShaderBindingTable,
                                                   const VkStridedDeviceAddressRegionKHR
                                                       *pCallableShaderBindingTable,
                                                   VkDeviceAddress indirectDeviceAddress)
{
    use_tables(call, pRaygenShaderBindingTable, pMissShaderBindingTable, pHitShaderBindingTable,
               pCallableShaderBindingTable);
    use_address(call, indirectDeviceAddress);
}

void state_after_CmdTraceRaysIndirect2KHR_addresses(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    VkDeviceAddress indirectDeviceAddress)
{
    use_address(call, indirectDeviceAddress);
}

void state_after_CmdBuildAccelerationStructuresKHR_addresses(
    struct call *call, VkCommandBuffer commandBuffer, uint32_t infoCount,
    const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
    const VkAccelerationStructureBuildRangeInfoKHR *const *ppBuildRangeInfos)
{
    for (uint32_t i = 0; i < infoCount; i++)
        use_build(call, &pInfos[i],
                  pointer_is_bad(ppBuildRangeInfos[i]) ? NULL : ppBuildRangeInfos[i]);
}

void state_after_CmdBuildAccelerationStructuresIndirectKHR_addresses(
    struct call *call, VkCommandBuffer commandBuffer, uint32_t infoCount,
    const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
    const VkDeviceAddress *pIndirectDeviceAddresses, const uint32_t *pIndirectStrides,
    const uint32_t *const *ppMaxPrimitiveCounts)
{
    for (uint32_t i = 0; i < infoCount; i++) {
        use_build(call, &pInfos[i], NULL);
        use_address(call, pIndirectDeviceAddresses[i]);
    }
}

void state_after_CmdCopyAccelerationStructureToMemoryKHR_addresses(
    struct call *call, VkCommandBuffer commandBuffer,
    const VkCopyAccelerationStructureToMemoryInfoKHR *pInfo)
{
    use_address(call, pInfo->dst.deviceAddress);
}

void state_after_CmdCopyMemoryToAccelerationStructureKHR_addresses(
    struct call *call, VkCommandBuffer commandBuffer,
    const VkCopyMemoryToAccelerationStructureInfoKHR *pInfo)
{
    use_address(call, pInfo->src.deviceAddress);
}

void state_after_CmdBuildMicromapsEXT_addresses(struct call *call, VkCommandBuffer commandBuffer,
                                                uint32_t infoCount,
                                                const VkMicromapBuildInfoEXT *pInfos)
{
    for (uint32_t i = 0; i < infoCount; i++) {
        use_address(call, pInfos[i].data.deviceAddress);
        use_address(call, pInfos[i].scratchData.deviceAddress);
        use_address(call, pInfos[i].triangleArray.deviceAddress);
    }
}

void state_after_CmdCopyMicromapToMemoryEXT_addresses(struct call *call,
                                                      VkCommandBuffer commandBuffer,
                                                      const VkCopyMicromapToMemoryInfoEXT *pInfo)
{
    use_address(call, pInfo->dst.deviceAddress);
}

void state_after_CmdCopyMemoryToMicromapEXT_addresses(struct call *call,
                                                      VkCommandBuffer commandBuffer,
                                                      const VkCopyMemoryToMicromapInfoEXT *pInfo)
{
    use_address(call, pInfo->src.deviceAddress);
}
