/* Notes objects that a command uses, which no other hook of this room notes. They are the parameter
 * buffers of draws, dispatches and traces, and objects of vendors' commands. */
#include "state/command/command_buffer.h"
#include "state/hooks.h"

/* Notes that the command uses the object. The handle may be VK_NULL_HANDLE. */
static ALWAYS_INLINE void command_use(const struct call *call, uint64_t handle,
                                      enum handle_type type)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (likely(command_buffer))
        command_buffer_uses_handle(call, command_buffer, handle, type);
}

/* --- parameters of draws, dispatches and traces --- */

void state_after_CmdDrawIndirect_uses(struct call *call, VkCommandBuffer commandBuffer,
                                      VkBuffer buffer, VkDeviceSize offset, uint32_t drawCount,
                                      uint32_t stride)
{
    command_use(call, (uint64_t)buffer, HANDLE_BUFFER);
}

void state_after_CmdDrawIndexedIndirect_uses(struct call *call, VkCommandBuffer commandBuffer,
                                             VkBuffer buffer, VkDeviceSize offset,
                                             uint32_t drawCount, uint32_t stride)
{
    command_use(call, (uint64_t)buffer, HANDLE_BUFFER);
}

void state_after_CmdDrawIndirectCount_uses(struct call *call, VkCommandBuffer commandBuffer,
                                           VkBuffer buffer, VkDeviceSize offset,
                                           VkBuffer countBuffer, VkDeviceSize countBufferOffset,
                                           uint32_t maxDrawCount, uint32_t stride)
{
    command_use(call, (uint64_t)buffer, HANDLE_BUFFER);
    command_use(call, (uint64_t)countBuffer, HANDLE_BUFFER);
}

void state_after_CmdDrawIndexedIndirectCount_uses(struct call *call, VkCommandBuffer commandBuffer,
                                                  VkBuffer buffer, VkDeviceSize offset,
                                                  VkBuffer countBuffer,
                                                  VkDeviceSize countBufferOffset,
                                                  uint32_t maxDrawCount, uint32_t stride)
{
    command_use(call, (uint64_t)buffer, HANDLE_BUFFER);
    command_use(call, (uint64_t)countBuffer, HANDLE_BUFFER);
}

void state_after_CmdDrawIndirectByteCountEXT_uses(struct call *call, VkCommandBuffer commandBuffer,
                                                  uint32_t instanceCount, uint32_t firstInstance,
                                                  VkBuffer counterBuffer,
                                                  VkDeviceSize counterBufferOffset,
                                                  uint32_t counterOffset, uint32_t vertexStride)
{
    command_use(call, (uint64_t)counterBuffer, HANDLE_BUFFER);
}

void state_after_CmdDrawMeshTasksIndirectEXT_uses(struct call *call, VkCommandBuffer commandBuffer,
                                                  VkBuffer buffer, VkDeviceSize offset,
                                                  uint32_t drawCount, uint32_t stride)
{
    command_use(call, (uint64_t)buffer, HANDLE_BUFFER);
}

void state_after_CmdDrawMeshTasksIndirectCountEXT_uses(struct call *call,
                                                       VkCommandBuffer commandBuffer,
                                                       VkBuffer buffer, VkDeviceSize offset,
                                                       VkBuffer countBuffer,
                                                       VkDeviceSize countBufferOffset,
                                                       uint32_t maxDrawCount, uint32_t stride)
{
    command_use(call, (uint64_t)buffer, HANDLE_BUFFER);
    command_use(call, (uint64_t)countBuffer, HANDLE_BUFFER);
}

void state_after_CmdDrawMeshTasksIndirectNV_uses(struct call *call, VkCommandBuffer commandBuffer,
                                                 VkBuffer buffer, VkDeviceSize offset,
                                                 uint32_t drawCount, uint32_t stride)
{
    command_use(call, (uint64_t)buffer, HANDLE_BUFFER);
}

void state_after_CmdDrawMeshTasksIndirectCountNV_uses(struct call *call,
                                                      VkCommandBuffer commandBuffer,
                                                      VkBuffer buffer, VkDeviceSize offset,
                                                      VkBuffer countBuffer,
                                                      VkDeviceSize countBufferOffset,
                                                      uint32_t maxDrawCount, uint32_t stride)
{
    command_use(call, (uint64_t)buffer, HANDLE_BUFFER);
    command_use(call, (uint64_t)countBuffer, HANDLE_BUFFER);
}

void state_after_CmdDrawClusterIndirectHUAWEI_uses(struct call *call, VkCommandBuffer commandBuffer,
                                                   VkBuffer buffer, VkDeviceSize offset)
{
    command_use(call, (uint64_t)buffer, HANDLE_BUFFER);
}

void state_after_CmdDispatchIndirect_uses(struct call *call, VkCommandBuffer commandBuffer,
                                          VkBuffer buffer, VkDeviceSize offset)
{
    command_use(call, (uint64_t)buffer, HANDLE_BUFFER);
}

void state_after_CmdTraceRaysNV_uses(struct call *call, VkCommandBuffer commandBuffer,
                                     VkBuffer raygenShaderBindingTableBuffer,
                                     VkDeviceSize raygenShaderBindingOffset,
                                     VkBuffer missShaderBindingTableBuffer,
                                     VkDeviceSize missShaderBindingOffset,
                                     VkDeviceSize missShaderBindingStride,
                                     VkBuffer hitShaderBindingTableBuffer,
                                     VkDeviceSize hitShaderBindingOffset,
                                     VkDeviceSize hitShaderBindingStride,
                                     VkBuffer callableShaderBindingTableBuffer,
                                     VkDeviceSize callableShaderBindingOffset,
                                     VkDeviceSize callableShaderBindingStride, uint32_t width,
                                     uint32_t height, uint32_t depth)
{
    command_use(call, (uint64_t)raygenShaderBindingTableBuffer, HANDLE_BUFFER);
    command_use(call, (uint64_t)missShaderBindingTableBuffer, HANDLE_BUFFER);
    command_use(call, (uint64_t)hitShaderBindingTableBuffer, HANDLE_BUFFER);
    command_use(call, (uint64_t)callableShaderBindingTableBuffer, HANDLE_BUFFER);
}

/* --- generated commands --- */

/* Notes the objects of VK_NV_device_generated_commands that the commands use. */
static void use_generated_nv(const struct call *call, const VkGeneratedCommandsInfoNV *info)
{
    command_use(call, (uint64_t)info->pipeline, HANDLE_PIPELINE);
    command_use(call, (uint64_t)info->indirectCommandsLayout, HANDLE_INDIRECT_COMMANDS_LAYOUT_NV);
    for (uint32_t i = 0; info->pStreams && i < info->streamCount; i++)
        command_use(call, (uint64_t)info->pStreams[i].buffer, HANDLE_BUFFER);
    command_use(call, (uint64_t)info->preprocessBuffer, HANDLE_BUFFER);
    command_use(call, (uint64_t)info->sequencesCountBuffer, HANDLE_BUFFER);
    command_use(call, (uint64_t)info->sequencesIndexBuffer, HANDLE_BUFFER);
}

/* Notes the objects of VK_EXT_device_generated_commands. Its buffers are given by address. */
static void use_generated(const struct call *call, const VkGeneratedCommandsInfoEXT *info)
{
    command_use(call, (uint64_t)info->indirectExecutionSet, HANDLE_INDIRECT_EXECUTION_SET_EXT);
    command_use(call, (uint64_t)info->indirectCommandsLayout, HANDLE_INDIRECT_COMMANDS_LAYOUT_EXT);
}

void state_after_CmdExecuteGeneratedCommandsNV_uses(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    VkBool32 isPreprocessed,
                                                    const VkGeneratedCommandsInfoNV
                                                        *pGeneratedCommandsInfo)
{
    use_generated_nv(call, pGeneratedCommandsInfo);
}

void state_after_CmdPreprocessGeneratedCommandsNV_uses(struct call *call,
                                                       VkCommandBuffer commandBuffer,
                                                       const VkGeneratedCommandsInfoNV
                                                           *pGeneratedCommandsInfo)
{
    use_generated_nv(call, pGeneratedCommandsInfo);
}

void state_after_CmdExecuteGeneratedCommandsEXT_uses(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     VkBool32 isPreprocessed,
                                                     const VkGeneratedCommandsInfoEXT
                                                         *pGeneratedCommandsInfo)
{
    use_generated(call, pGeneratedCommandsInfo);
}

void state_after_CmdPreprocessGeneratedCommandsEXT_uses(struct call *call,
                                                        VkCommandBuffer commandBuffer,
                                                        const VkGeneratedCommandsInfoEXT
                                                            *pGeneratedCommandsInfo,
                                                        VkCommandBuffer stateCommandBuffer)
{
    use_generated(call, pGeneratedCommandsInfo);
}

void state_after_CmdBindPipelineShaderGroupNV_uses(struct call *call, VkCommandBuffer commandBuffer,
                                                   VkPipelineBindPoint pipelineBindPoint,
                                                   VkPipeline pipeline, uint32_t groupIndex)
{
    command_use(call, (uint64_t)pipeline, HANDLE_PIPELINE);
}

void state_after_CmdUpdatePipelineIndirectBufferNV_uses(struct call *call,
                                                        VkCommandBuffer commandBuffer,
                                                        VkPipelineBindPoint pipelineBindPoint,
                                                        VkPipeline pipeline)
{
    command_use(call, (uint64_t)pipeline, HANDLE_PIPELINE);
}

/* --- transfers and markers --- */

void state_after_CmdCopyMemoryToImageIndirectNV_uses(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     VkDeviceAddress copyBufferAddress,
                                                     uint32_t copyCount, uint32_t stride,
                                                     VkImage dstImage, VkImageLayout dstImageLayout,
                                                     const VkImageSubresourceLayers
                                                         *pImageSubresources)
{
    command_use(call, (uint64_t)dstImage, HANDLE_IMAGE);
}

void state_after_CmdCopyMemoryToImageIndirectKHR_uses(struct call *call,
                                                      VkCommandBuffer commandBuffer,
                                                      const VkCopyMemoryToImageIndirectInfoKHR
                                                          *pCopyMemoryToImageIndirectInfo)
{
    command_use(call, (uint64_t)pCopyMemoryToImageIndirectInfo->dstImage, HANDLE_IMAGE);
}

void state_after_CmdWriteBufferMarkerAMD_uses(struct call *call, VkCommandBuffer commandBuffer,
                                              VkPipelineStageFlagBits pipelineStage,
                                              VkBuffer dstBuffer, VkDeviceSize dstOffset,
                                              uint32_t marker)
{
    command_use(call, (uint64_t)dstBuffer, HANDLE_BUFFER);
}

void state_after_CmdWriteBufferMarker2AMD_uses(struct call *call, VkCommandBuffer commandBuffer,
                                               VkPipelineStageFlags2 stage, VkBuffer dstBuffer,
                                               VkDeviceSize dstOffset, uint32_t marker)
{
    command_use(call, (uint64_t)dstBuffer, HANDLE_BUFFER);
}

/* --- attachments by themselves --- */

void state_after_CmdBindShadingRateImageNV_uses(struct call *call, VkCommandBuffer commandBuffer,
                                                VkImageView imageView, VkImageLayout imageLayout)
{
    command_use(call, (uint64_t)imageView, HANDLE_IMAGE_VIEW);
}

void state_after_CmdBindInvocationMaskHUAWEI_uses(struct call *call, VkCommandBuffer commandBuffer,
                                                  VkImageView imageView, VkImageLayout imageLayout)
{
    command_use(call, (uint64_t)imageView, HANDLE_IMAGE_VIEW);
}

/* --- acceleration structures of VK_NV_ray_tracing, micromaps --- */

/* Notes the buffers of a geometry of VK_NV_ray_tracing. */
static void use_geometry_nv(const struct call *call, const VkGeometryDataNV *geometry)
{
    command_use(call, (uint64_t)geometry->triangles.vertexData, HANDLE_BUFFER);
    command_use(call, (uint64_t)geometry->triangles.indexData, HANDLE_BUFFER);
    command_use(call, (uint64_t)geometry->triangles.transformData, HANDLE_BUFFER);
    command_use(call, (uint64_t)geometry->aabbs.aabbData, HANDLE_BUFFER);
}

void state_after_CmdBuildAccelerationStructureNV_uses(struct call *call,
                                                      VkCommandBuffer commandBuffer,
                                                      const VkAccelerationStructureInfoNV *pInfo,
                                                      VkBuffer instanceData,
                                                      VkDeviceSize instanceOffset, VkBool32 update,
                                                      VkAccelerationStructureNV dst,
                                                      VkAccelerationStructureNV src,
                                                      VkBuffer scratch, VkDeviceSize scratchOffset)
{
    for (uint32_t i = 0; pInfo->pGeometries && i < pInfo->geometryCount; i++)
        use_geometry_nv(call, &pInfo->pGeometries[i].geometry);
    command_use(call, (uint64_t)instanceData, HANDLE_BUFFER);
    command_use(call, (uint64_t)scratch, HANDLE_BUFFER);
    command_use(call, (uint64_t)dst, HANDLE_ACCELERATION_STRUCTURE_NV);
    command_use(call, (uint64_t)src, HANDLE_ACCELERATION_STRUCTURE_NV);
}

void state_after_CmdCopyAccelerationStructureNV_uses(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     VkAccelerationStructureNV dst,
                                                     VkAccelerationStructureNV src,
                                                     VkCopyAccelerationStructureModeKHR mode)
{
    command_use(call, (uint64_t)dst, HANDLE_ACCELERATION_STRUCTURE_NV);
    command_use(call, (uint64_t)src, HANDLE_ACCELERATION_STRUCTURE_NV);
}

void state_after_CmdWriteAccelerationStructuresPropertiesNV_uses(struct call *call,
                                                                 VkCommandBuffer commandBuffer,
                                                                 uint32_t
                                                                     accelerationStructureCount,
                                                                 const VkAccelerationStructureNV
                                                                     *pAccelerationStructures,
                                                                 VkQueryType queryType,
                                                                 VkQueryPool queryPool,
                                                                 uint32_t firstQuery)
{
    for (uint32_t i = 0; i < accelerationStructureCount; i++)
        command_use(call, (uint64_t)pAccelerationStructures[i], HANDLE_ACCELERATION_STRUCTURE_NV);
    command_use(call, (uint64_t)queryPool, HANDLE_QUERY_POOL);
}

void state_after_CmdBuildMicromapsEXT_uses(struct call *call, VkCommandBuffer commandBuffer,
                                           uint32_t infoCount, const VkMicromapBuildInfoEXT *pInfos)
{
    for (uint32_t i = 0; i < infoCount; i++)
        command_use(call, (uint64_t)pInfos[i].dstMicromap, HANDLE_MICROMAP_EXT);
}

void state_after_CmdCopyMicromapEXT_uses(struct call *call, VkCommandBuffer commandBuffer,
                                         const VkCopyMicromapInfoEXT *pInfo)
{
    command_use(call, (uint64_t)pInfo->src, HANDLE_MICROMAP_EXT);
    command_use(call, (uint64_t)pInfo->dst, HANDLE_MICROMAP_EXT);
}

void state_after_CmdCopyMicromapToMemoryEXT_uses(struct call *call, VkCommandBuffer commandBuffer,
                                                 const VkCopyMicromapToMemoryInfoEXT *pInfo)
{
    command_use(call, (uint64_t)pInfo->src, HANDLE_MICROMAP_EXT);
}

void state_after_CmdCopyMemoryToMicromapEXT_uses(struct call *call, VkCommandBuffer commandBuffer,
                                                 const VkCopyMemoryToMicromapInfoEXT *pInfo)
{
    command_use(call, (uint64_t)pInfo->dst, HANDLE_MICROMAP_EXT);
}

void state_after_CmdWriteMicromapsPropertiesEXT_uses(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     uint32_t micromapCount,
                                                     const VkMicromapEXT *pMicromaps,
                                                     VkQueryType queryType, VkQueryPool queryPool,
                                                     uint32_t firstQuery)
{
    for (uint32_t i = 0; i < micromapCount; i++)
        command_use(call, (uint64_t)pMicromaps[i], HANDLE_MICROMAP_EXT);
    command_use(call, (uint64_t)queryPool, HANDLE_QUERY_POOL);
}

/* --- video --- */

/* Notes the pictures of reference slots. `slots` may be NULL. */
static void use_pictures(const struct call *call, const VkVideoReferenceSlotInfoKHR *slots,
                         uint32_t count)
{
    for (uint32_t i = 0; slots && i < count; i++) {
        if (slots[i].pPictureResource)
            command_use(call, (uint64_t)slots[i].pPictureResource->imageViewBinding,
                        HANDLE_IMAGE_VIEW);
    }
}

void state_after_CmdBeginVideoCodingKHR_uses(struct call *call, VkCommandBuffer commandBuffer,
                                             const VkVideoBeginCodingInfoKHR *pBeginInfo)
{
    command_use(call, (uint64_t)pBeginInfo->videoSession, HANDLE_VIDEO_SESSION_KHR);
    command_use(call, (uint64_t)pBeginInfo->videoSessionParameters,
                HANDLE_VIDEO_SESSION_PARAMETERS_KHR);
    use_pictures(call, pBeginInfo->pReferenceSlots, pBeginInfo->referenceSlotCount);
}

void state_after_CmdDecodeVideoKHR_uses(struct call *call, VkCommandBuffer commandBuffer,
                                        const VkVideoDecodeInfoKHR *pDecodeInfo)
{
    command_use(call, (uint64_t)pDecodeInfo->srcBuffer, HANDLE_BUFFER);
    command_use(call, (uint64_t)pDecodeInfo->dstPictureResource.imageViewBinding,
                HANDLE_IMAGE_VIEW);
    use_pictures(call, pDecodeInfo->pSetupReferenceSlot, 1);
    use_pictures(call, pDecodeInfo->pReferenceSlots, pDecodeInfo->referenceSlotCount);
}

void state_after_CmdEncodeVideoKHR_uses(struct call *call, VkCommandBuffer commandBuffer,
                                        const VkVideoEncodeInfoKHR *pEncodeInfo)
{
    command_use(call, (uint64_t)pEncodeInfo->dstBuffer, HANDLE_BUFFER);
    command_use(call, (uint64_t)pEncodeInfo->srcPictureResource.imageViewBinding,
                HANDLE_IMAGE_VIEW);
    use_pictures(call, pEncodeInfo->pSetupReferenceSlot, 1);
    use_pictures(call, pEncodeInfo->pReferenceSlots, pEncodeInfo->referenceSlotCount);
}

void state_after_CmdOpticalFlowExecuteNV_uses(struct call *call, VkCommandBuffer commandBuffer,
                                              VkOpticalFlowSessionNV session,
                                              const VkOpticalFlowExecuteInfoNV *pExecuteInfo)
{
    command_use(call, (uint64_t)session, HANDLE_OPTICAL_FLOW_SESSION_NV);
}

/* --- others --- */

void state_after_CmdCopyTensorARM_uses(struct call *call, VkCommandBuffer commandBuffer,
                                       const VkCopyTensorInfoARM *pCopyTensorInfo)
{
    command_use(call, (uint64_t)pCopyTensorInfo->srcTensor, HANDLE_TENSOR_ARM);
    command_use(call, (uint64_t)pCopyTensorInfo->dstTensor, HANDLE_TENSOR_ARM);
}

void state_after_CmdDispatchDataGraphARM_uses(struct call *call, VkCommandBuffer commandBuffer,
                                              VkDataGraphPipelineSessionARM session,
                                              const VkDataGraphPipelineDispatchInfoARM *pInfo)
{
    command_use(call, (uint64_t)session, HANDLE_DATA_GRAPH_PIPELINE_SESSION_ARM);
}
