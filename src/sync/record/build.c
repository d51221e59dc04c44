/* Records the accesses of builds and copies of acceleration structures (37 "Acceleration
 * Structures"), and of conditional rendering and transform feedback (10.10, 27.1). */
#include "sync/hooks.h"
#include "sync/access/ranges.h"
#include "sync/record/recording.h"

#include "base/thread.h"
#include "state/raytracing/acceleration_structure.h"
#include "state/memory/device_address.h"
#include "state/memory/formats.h"
#include "vk/index_type.h"

/* Accesses all bytes of a structure in its buffer; VK_NULL_HANDLE accesses nothing. */
static void access_structure(struct recording *recording, VkAccelerationStructureKHR handle,
                             enum sync_usage usage)
{
    const struct acceleration_structure *structure =
        find_acceleration_structure(recording->call, handle);
    if (structure)
        recording_buffer(recording, buffer_by_id(structure->buffer), structure->offset,
                         structure->size, usage, NULL);
}

/* Records a build's reads of triangles. For indexed triangles only the indices are read for
 * certain: it is not known which vertices they choose. */
static void access_triangles(struct recording *recording,
                             const VkAccelerationStructureGeometryTrianglesDataKHR *data,
                             const VkAccelerationStructureBuildRangeInfoKHR *range)
{
    const enum sync_usage usage = SYNC_ACCELERATION_STRUCTURE_BUILD_SHADER_READ;
    const struct format_info *format = format_info(data->vertexFormat);
    uint64_t count = (uint64_t)range->primitiveCount * 3;
    if (data->transformData.deviceAddress)
        recording_address(recording, data->transformData.deviceAddress + range->transformOffset,
                          sizeof(VkTransformMatrixKHR), usage);
    /* it is not known which vertices the indices choose */
    if (data->indexType != VK_INDEX_TYPE_NONE_KHR) {
        recording_address(recording, data->indexData.deviceAddress + range->primitiveOffset,
                          count * index_size(data->indexType), usage);
        return;
    }
    if (format && count)
        recording_address(recording,
                          data->vertexData.deviceAddress + range->primitiveOffset +
                              range->firstVertex * data->vertexStride,
                          (count - 1) * data->vertexStride + format->block_size, usage);
}

/* Records a build's reads of a geometry. */
static void access_geometry(struct recording *recording,
                            const VkAccelerationStructureGeometryKHR *geometry,
                            const VkAccelerationStructureBuildRangeInfoKHR *range)
{
    const enum sync_usage usage = SYNC_ACCELERATION_STRUCTURE_BUILD_SHADER_READ;
    uint64_t count = range->primitiveCount;
    if (!count)
        return;
    if (geometry->geometryType == VK_GEOMETRY_TYPE_TRIANGLES_KHR)
        access_triangles(recording, &geometry->geometry.triangles, range);
    else if (geometry->geometryType == VK_GEOMETRY_TYPE_AABBS_KHR)
        recording_address(recording,
                          geometry->geometry.aabbs.data.deviceAddress + range->primitiveOffset,
                          (count - 1) * geometry->geometry.aabbs.stride +
                              sizeof(VkAabbPositionsKHR),
                          usage);
    else if (geometry->geometryType == VK_GEOMETRY_TYPE_INSTANCES_KHR)
        recording_address(recording,
                          geometry->geometry.instances.data.deviceAddress + range->primitiveOffset,
                          count * (geometry->geometry.instances.arrayOfPointers
                                       ? sizeof(VkDeviceAddress)
                                       : sizeof(VkAccelerationStructureInstanceKHR)),
                          usage);
}

/* "Accesses to the acceleration structure scratch buffers ... must be synchronized with ...
 * VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR | VK_ACCESS_ACCELERATION_STRUCTURE_WRITE_BIT_KHR".
 * The driver says how many bytes a build needs. Indirect builds are left out, as their counts are
 * not known yet. */
static void access_scratch(struct recording *recording,
                           const VkAccelerationStructureBuildGeometryInfoKHR *info,
                           const VkAccelerationStructureBuildRangeInfoKHR *ranges)
{
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    VkAccelerationStructureBuildSizesInfoKHR sizes;
    uint32_t *counts = scratch_alloc(scratch, ((size_t)info->geometryCount + 1) * sizeof(*counts));
    for (uint32_t i = 0; counts && i < info->geometryCount; i++)
        counts[i] = ranges[i].primitiveCount;
    if (counts && build_sizes(recording->call->device, info,
                              VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, counts, &sizes)) {
        bool update = info->mode == VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
        recording_address(recording, info->scratchData.deviceAddress,
                          update ? sizes.updateScratchSize : sizes.buildScratchSize,
                          SYNC_ACCELERATION_STRUCTURE_BUILD_ACCELERATION_STRUCTURE_WRITE);
    }
    scratch_rewind(scratch, mark);
}

/* Records all reads and writes of one build. `ranges` is NULL if they are not known, as for an
 * indirect build. */
static void build_structures(struct recording *recording,
                             const VkAccelerationStructureBuildGeometryInfoKHR *info,
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
    if (ranges)
        access_scratch(recording, info, ranges);
}

bool sync_validate_CmdBuildAccelerationStructuresKHR(
    struct call *call, VkCommandBuffer commandBuffer, uint32_t infoCount,
    const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
    const VkAccelerationStructureBuildRangeInfoKHR *const *ppBuildRangeInfos)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return false;
    struct sync_command_buffer *sync = recording.sync;
    for (uint32_t i = 0; i < infoCount; i++) {
        /* Builds of one command are not ordered among themselves: tags from here on belong to this
         * build. */
        sync->build_tag = sync->next_tag;
        build_structures(&recording, &pInfos[i], ppBuildRangeInfos ? ppBuildRangeInfos[i] : NULL);
    }
    sync->build_tag = 0;
    return recording_finish_check(&recording);
}

bool sync_validate_CmdBuildAccelerationStructuresIndirectKHR(
    struct call *call, VkCommandBuffer commandBuffer, uint32_t infoCount,
    const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
    const VkDeviceAddress *pIndirectDeviceAddresses, const uint32_t *pIndirectStrides,
    const uint32_t *const *ppMaxPrimitiveCounts)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return false;
    for (uint32_t i = 0; i < infoCount; i++) {
        for (uint32_t k = 0; k < pInfos[i].geometryCount; k++)
            recording_address(&recording,
                              pIndirectDeviceAddresses[i] + (uint64_t)k * pIndirectStrides[i],
                              sizeof(VkAccelerationStructureBuildRangeInfoKHR),
                              SYNC_ACCELERATION_STRUCTURE_BUILD_INDIRECT_COMMAND_READ);
        /* The counts lie in memory, so it is not known how much of the geometries is read. */
        build_structures(&recording, &pInfos[i], NULL);
    }
    return recording_finish_check(&recording);
}

/* Copies happen in ACCELERATION_STRUCTURE_COPY. A program may also name the stage
 * ACCELERATION_STRUCTURE_BUILD for them (registry/rooms/sync/usages.py) */

#define COPY_READ  SYNC_ACCELERATION_STRUCTURE_COPY_ACCELERATION_STRUCTURE_READ
#define COPY_WRITE SYNC_ACCELERATION_STRUCTURE_COPY_ACCELERATION_STRUCTURE_WRITE

/* The header of any serialized structure: two UUIDs and two sizes. Only the driver knows how many
 * bytes follow it. */
#define SERIALIZED_HEADER (2 * VK_UUID_SIZE + 2 * sizeof(uint64_t))

bool sync_validate_CmdCopyAccelerationStructureKHR(struct call *call, VkCommandBuffer commandBuffer,
                                                   const VkCopyAccelerationStructureInfoKHR *pInfo)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return false;
    access_structure(&recording, pInfo->src, COPY_READ);
    access_structure(&recording, pInfo->dst, COPY_WRITE);
    return recording_finish_check(&recording);
}

bool sync_validate_CmdCopyAccelerationStructureToMemoryKHR(
    struct call *call, VkCommandBuffer commandBuffer,
    const VkCopyAccelerationStructureToMemoryInfoKHR *pInfo)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return false;
    access_structure(&recording, pInfo->src, COPY_READ);
    recording_address(&recording, pInfo->dst.deviceAddress, SERIALIZED_HEADER,
                      SYNC_ACCELERATION_STRUCTURE_COPY_TRANSFER_WRITE);
    return recording_finish_check(&recording);
}

bool sync_validate_CmdCopyMemoryToAccelerationStructureKHR(
    struct call *call, VkCommandBuffer commandBuffer,
    const VkCopyMemoryToAccelerationStructureInfoKHR *pInfo)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return false;
    recording_address(&recording, pInfo->src.deviceAddress, SERIALIZED_HEADER,
                      SYNC_ACCELERATION_STRUCTURE_COPY_TRANSFER_READ);
    access_structure(&recording, pInfo->dst, COPY_WRITE);
    return recording_finish_check(&recording);
}

bool sync_validate_CmdWriteAccelerationStructuresPropertiesKHR(struct call *call,
                                                               VkCommandBuffer commandBuffer,
                                                               uint32_t accelerationStructureCount,
                                                               const VkAccelerationStructureKHR
                                                                   *pAccelerationStructures,
                                                               VkQueryType queryType,
                                                               VkQueryPool queryPool,
                                                               uint32_t firstQuery)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return false;
    for (uint32_t i = 0; i < accelerationStructureCount; i++)
        access_structure(&recording, pAccelerationStructures[i], COPY_READ);
    return recording_finish_check(&recording);
}

/* --- conditional rendering, transform feedback --- */

bool sync_validate_CmdBeginConditionalRenderingEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                   const VkConditionalRenderingBeginInfoEXT
                                                       *pConditionalRenderingBegin)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return false;
    recording_buffer(&recording, find_buffer(call, pConditionalRenderingBegin->buffer),
                     pConditionalRenderingBegin->offset, 4,
                     SYNC_CONDITIONAL_RENDERING_CONDITIONAL_RENDERING_READ, NULL);
    return recording_finish_check(&recording);
}

bool sync_validate_CmdBeginConditionalRendering2EXT(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    const VkConditionalRenderingBeginInfo2EXT
                                                        *pConditionalRenderingBegin)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return false;
    recording_address(&recording, pConditionalRenderingBegin->addressRange.address, 4,
                      SYNC_CONDITIONAL_RENDERING_CONDITIONAL_RENDERING_READ);
    return recording_finish_check(&recording);
}

/* Accesses the 4 bytes of a counter of transform feedback. Accesses to a counter by one command are
 * ordered. */
static void access_counter(struct recording *recording, const struct buffer *buffer,
                           VkDeviceSize offset, enum sync_usage usage)
{
    struct sync_place place;
    if (!buffer || !sync_buffer_place(&place, buffer, offset, 4))
        return;
    uint64_t tag = recording_tag(recording, object_state_id(&buffer->base), NULL);
    if (tag)
        recording_place(recording, &place, tag, usage, SYNC_ORDER_FEEDBACK);
}

/* Accesses the counters in buffers; for VK_NULL_HANDLE there is no access. */
static bool access_counters(struct call *call, uint32_t count, const VkBuffer *buffers,
                            const VkDeviceSize *offsets, enum sync_usage usage)
{
    struct recording recording;
    if (!buffers || !recording_begin(&recording, call))
        return false;
    for (uint32_t i = 0; i < count; i++)
        access_counter(&recording, find_buffer(call, buffers[i]), offsets ? offsets[i] : 0, usage);
    return recording_finish_check(&recording);
}

/* Records the accesses to counters that are named by address (VK_KHR_device_address_commands). */
static bool access_counter_ranges(struct call *call, uint32_t count,
                                  const VkBindTransformFeedbackBuffer2InfoEXT *infos,
                                  enum sync_usage usage)
{
    struct recording recording;
    if (!infos || !recording_begin(&recording, call))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct address_search found =
            device_address_find(call->device, infos[i].addressRange.address, 4, 0);
        if (found.buffer && found.rest <= found.buffer->size)
            access_counter(&recording, found.buffer, found.buffer->size - found.rest, usage);
    }
    return recording_finish_check(&recording);
}

bool sync_validate_CmdBeginTransformFeedbackEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                uint32_t firstCounterBuffer,
                                                uint32_t counterBufferCount,
                                                const VkBuffer *pCounterBuffers,
                                                const VkDeviceSize *pCounterBufferOffsets)
{
    return access_counters(call, counterBufferCount, pCounterBuffers, pCounterBufferOffsets,
                           SYNC_TRANSFORM_FEEDBACK_TRANSFORM_FEEDBACK_COUNTER_READ);
}

bool sync_validate_CmdBeginTransformFeedback2EXT(struct call *call, VkCommandBuffer commandBuffer,
                                                 uint32_t firstCounterRange,
                                                 uint32_t counterRangeCount,
                                                 const VkBindTransformFeedbackBuffer2InfoEXT
                                                     *pCounterInfos)
{
    return access_counter_ranges(call, counterRangeCount, pCounterInfos,
                                 SYNC_TRANSFORM_FEEDBACK_TRANSFORM_FEEDBACK_COUNTER_READ);
}

/* It is not known here how far the counters count, and so which bytes of its buffers transform
 * feedback writes. */
bool sync_validate_CmdEndTransformFeedbackEXT(struct call *call, VkCommandBuffer commandBuffer,
                                              uint32_t firstCounterBuffer,
                                              uint32_t counterBufferCount,
                                              const VkBuffer *pCounterBuffers,
                                              const VkDeviceSize *pCounterBufferOffsets)
{
    return access_counters(call, counterBufferCount, pCounterBuffers, pCounterBufferOffsets,
                           SYNC_TRANSFORM_FEEDBACK_TRANSFORM_FEEDBACK_COUNTER_WRITE);
}

bool sync_validate_CmdEndTransformFeedback2EXT(struct call *call, VkCommandBuffer commandBuffer,
                                               uint32_t firstCounterRange,
                                               uint32_t counterRangeCount,
                                               const VkBindTransformFeedbackBuffer2InfoEXT
                                                   *pCounterInfos)
{
    return access_counter_ranges(call, counterRangeCount, pCounterInfos,
                                 SYNC_TRANSFORM_FEEDBACK_TRANSFORM_FEEDBACK_COUNTER_WRITE);
}
