/* What do builds of acceleration structures access (37 "Acceleration Structures"), and what conditional rendering and transform feedback (10.10, 27.1)? Of copies of
 * acceleration structures nothing is said: their stage is ACCELERATION_STRUCTURE_BUILD or ACCELERATION_STRUCTURE_COPY, as the program likes. */
#include "sync/hooks.h"
#include "sync/recording.h"

#include "state/acceleration_structure.h"
#include "state/device_address.h"
#include "state/formats.h"

static void access_address(struct recording *recording, VkDeviceAddress address, VkDeviceSize size,
                           enum sync_usage usage)
{
    struct address_search found = {0};
    if (address && size)
        found = device_address_find(recording->call->device, address, size, 0);
    if (found.buffer && found.rest <= found.buffer->size)
        recording_buffer(recording, found.buffer, found.buffer->size - found.rest, size, usage, NULL);
}

static void access_structure(struct recording *recording, VkAccelerationStructureKHR handle, enum sync_usage usage)
{
    const struct acceleration_structure *structure = find_acceleration_structure(recording->call, handle);
    if (structure)
        recording_buffer(recording, buffer_by_id(structure->buffer), structure->offset, structure->size, usage, NULL);
}

static uint64_t index_size(VkIndexType type)
{
    return type == VK_INDEX_TYPE_UINT16 ? 2 : type == VK_INDEX_TYPE_UINT32 ? 4 : type == VK_INDEX_TYPE_UINT8 ? 1 : 0;
}

static void access_triangles(struct recording *recording, const VkAccelerationStructureGeometryTrianglesDataKHR *data,
                             const VkAccelerationStructureBuildRangeInfoKHR *range)
{
    const enum sync_usage usage = SYNC_ACCELERATION_STRUCTURE_BUILD_SHADER_READ;
    const struct format_info *format = format_info(data->vertexFormat);
    uint64_t count = (uint64_t)range->primitiveCount * 3;
    if (data->transformData.deviceAddress)
        access_address(recording, data->transformData.deviceAddress + range->transformOffset,
                       sizeof(VkTransformMatrixKHR), usage);
    if (data->indexType != VK_INDEX_TYPE_NONE_KHR) { /* which vertices those choose is not known */
        access_address(recording, data->indexData.deviceAddress + range->primitiveOffset,
                       count * index_size(data->indexType), usage);
        return;
    }
    if (format && count)
        access_address(recording,
                       data->vertexData.deviceAddress + range->primitiveOffset + range->firstVertex * data->vertexStride,
                       (count - 1) * data->vertexStride + format->block_size, usage);
}

static void access_geometry(struct recording *recording, const VkAccelerationStructureGeometryKHR *geometry,
                            const VkAccelerationStructureBuildRangeInfoKHR *range)
{
    const enum sync_usage usage = SYNC_ACCELERATION_STRUCTURE_BUILD_SHADER_READ;
    uint64_t count = range->primitiveCount;
    if (!count)
        return;
    if (geometry->geometryType == VK_GEOMETRY_TYPE_TRIANGLES_KHR)
        access_triangles(recording, &geometry->geometry.triangles, range);
    else if (geometry->geometryType == VK_GEOMETRY_TYPE_AABBS_KHR)
        access_address(recording, geometry->geometry.aabbs.data.deviceAddress + range->primitiveOffset,
                       (count - 1) * geometry->geometry.aabbs.stride + sizeof(VkAabbPositionsKHR), usage);
    else if (geometry->geometryType == VK_GEOMETRY_TYPE_INSTANCES_KHR)
        access_address(recording, geometry->geometry.instances.data.deviceAddress + range->primitiveOffset,
                       count * (geometry->geometry.instances.arrayOfPointers
                                    ? sizeof(VkDeviceAddress)
                                    : sizeof(VkAccelerationStructureInstanceKHR)),
                       usage);
}

static void build(struct recording *recording, const VkAccelerationStructureBuildGeometryInfoKHR *info,
                  const VkAccelerationStructureBuildRangeInfoKHR *ranges)
{
    for (uint32_t i = 0; ranges && i < info->geometryCount; i++) {
        const VkAccelerationStructureGeometryKHR *geometry = build_geometry(info, i);
        if (geometry)
            access_geometry(recording, geometry, &ranges[i]);
    }
    if (info->mode == VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR)
        access_structure(recording, info->srcAccelerationStructure,
                         SYNC_ACCELERATION_STRUCTURE_BUILD_ACCELERATION_STRUCTURE_READ);
    access_structure(recording, info->dstAccelerationStructure,
                     SYNC_ACCELERATION_STRUCTURE_BUILD_ACCELERATION_STRUCTURE_WRITE);
}

void sync_after_CmdBuildAccelerationStructuresKHR(struct call *call, VkCommandBuffer commandBuffer, uint32_t infoCount,
                                                  const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
                                                  const VkAccelerationStructureBuildRangeInfoKHR *const *ppBuildRangeInfos)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return;
    for (uint32_t i = 0; i < infoCount; i++)
        build(&recording, &pInfos[i], ppBuildRangeInfos ? ppBuildRangeInfos[i] : NULL);
    recording_end(&recording);
}

void sync_after_CmdBuildAccelerationStructuresIndirectKHR(struct call *call, VkCommandBuffer commandBuffer,
                                                          uint32_t infoCount,
                                                          const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
                                                          const VkDeviceAddress *pIndirectDeviceAddresses,
                                                          const uint32_t *pIndirectStrides,
                                                          const uint32_t *const *ppMaxPrimitiveCounts)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return;
    for (uint32_t i = 0; i < infoCount; i++) {
        for (uint32_t k = 0; k < pInfos[i].geometryCount; k++)
            access_address(&recording, pIndirectDeviceAddresses[i] + (uint64_t)k * pIndirectStrides[i],
                           sizeof(VkAccelerationStructureBuildRangeInfoKHR),
                           SYNC_ACCELERATION_STRUCTURE_BUILD_INDIRECT_COMMAND_READ);
        build(&recording, &pInfos[i], NULL);
    }
    recording_end(&recording);
}

/* --- conditional rendering, transform feedback --- */

void sync_after_CmdBeginConditionalRenderingEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                const VkConditionalRenderingBeginInfoEXT *pConditionalRenderingBegin)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return;
    recording_buffer(&recording, find_buffer(call, pConditionalRenderingBegin->buffer),
                     pConditionalRenderingBegin->offset, 4, SYNC_CONDITIONAL_RENDERING_CONDITIONAL_RENDERING_READ, NULL);
    recording_end(&recording);
}

/* How much the counters count, and so which bytes of its buffers transform feedback writes, is not known here. */
void sync_after_CmdEndTransformFeedbackEXT(struct call *call, VkCommandBuffer commandBuffer,
                                           uint32_t firstCounterBuffer, uint32_t counterBufferCount,
                                           const VkBuffer *pCounterBuffers, const VkDeviceSize *pCounterBufferOffsets)
{
    struct recording recording;
    if (!pCounterBuffers || !recording_begin(&recording, call))
        return;
    for (uint32_t i = 0; i < counterBufferCount; i++)
        recording_buffer(&recording, find_buffer(call, pCounterBuffers[i]),
                         pCounterBufferOffsets ? pCounterBufferOffsets[i] : 0, 4,
                         SYNC_TRANSFORM_FEEDBACK_TRANSFORM_FEEDBACK_COUNTER_WRITE, NULL);
    recording_end(&recording);
}
