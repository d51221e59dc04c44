/* Opacity micromaps: built on the device or the host, copied, serialized, measured, and used by the
 * triangles of an acceleration structure. */
#include "valid.h"

#define TRIANGLES_MOST 8
#define USAGES_MOST    2
#define MICROMAP_ALIGN 256

struct micromap {
    VkMicromapEXT handle;
    VkDeviceSize size, scratch;
    VkBuildMicromapFlagsEXT flags;
    uint32_t count; /* of triangles */
    uint32_t usage_count;
    VkMicromapUsageEXT usages[USAGES_MOST];
    VkMicromapTriangleEXT triangles[TRIANGLES_MOST];
    struct buffer *buffer;
    bool visible;
};

static VkDeviceAddress aligned_address(VkDeviceAddress address)
{
    return (address + MICROMAP_ALIGN - 1) & ~(VkDeviceAddress)(MICROMAP_ALIGN - 1);
}

static VkDeviceAddress make_data(struct record *rec, VkBufferUsageFlags usage, const void *data,
                                 uint32_t size)
{
    struct world *w = rec->w;
    struct buffer *buffer = make_buffer(w, 2048,
                                        usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                                            VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                        false);
    VkDeviceSize skip = aligned_address(buffer->address) - buffer->address;
    ready(rec, USE(CLEAR) | USE(UPDATE));
    if (size)
        CALL(CmdUpdateBuffer, rec->c, buffer->handle, skip, size, data);
    else
        CALL(CmdFillBuffer, rec->c, buffer->handle, 0, VK_WHOLE_SIZE, 0);
    return buffer->address + skip;
}

static VkDeviceAddress make_scratch(struct world *w, VkDeviceSize size)
{
    VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    VkDeviceAddress address = make_buffer(w, size + 1024, usage, false)->address;
    return (address + 1023) & ~(VkDeviceAddress)1023;
}

static VkMicromapBuildInfoEXT build_info(struct world *w, const struct micromap *m)
{
    VkMicromapBuildInfoEXT info = {.sType = VK_STRUCTURE_TYPE_MICROMAP_BUILD_INFO_EXT,
                                   .type = VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT,
                                   .flags = m->flags,
                                   .mode = VK_BUILD_MICROMAP_MODE_BUILD_EXT,
                                   .dstMicromap = m->handle,
                                   .usageCountsCount = m->usage_count,
                                   .triangleArrayStride = sizeof(m->triangles[0])};
    if (chance(w, 50)) {
        info.pUsageCounts = m->usages;
        return info;
    }
    const VkMicromapUsageEXT **each = NEW_ARRAY(const VkMicromapUsageEXT *, USAGES_MOST);
    for (uint32_t i = 0; i < m->usage_count; i++)
        each[i] = &m->usages[i];
    info.ppUsageCounts = each;
    return info;
}

static bool describe_micromap(struct world *w, struct micromap *m)
{
    VkPhysicalDeviceOpacityMicromapPropertiesEXT can = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_PROPERTIES_EXT};
    if (!properties_of(w, &can))
        return false;
    m->flags = PICK(0u, VK_BUILD_MICROMAP_PREFER_FAST_TRACE_BIT_EXT,
                    VK_BUILD_MICROMAP_PREFER_FAST_BUILD_BIT_EXT) |
               PICK(0u, VK_BUILD_MICROMAP_ALLOW_COMPACTION_BIT_EXT);
    m->usage_count = between(w, 1, USAGES_MOST);
    for (uint32_t i = 0; i < m->usage_count; i++) {
        uint32_t most =
            i ? can.maxOpacity4StateSubdivisionLevel : can.maxOpacity2StateSubdivisionLevel;
        m->usages[i] = (VkMicromapUsageEXT){
            .count = between(w, 1, 3),
            .subdivisionLevel = chance(w, 20) ? most : below(w, most < 3 ? most + 1 : 4),
            .format = i ? VK_OPACITY_MICROMAP_FORMAT_4_STATE_EXT
                        : VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT};
        for (uint32_t j = 0; j < m->usages[i].count; j++)
            m->triangles[m->count++] =
                (VkMicromapTriangleEXT){.subdivisionLevel = (uint16_t)m->usages[i].subdivisionLevel,
                                        .format = (uint16_t)m->usages[i].format};
    }
    return true;
}

static void make_micromap(struct world *w, struct micromap *m)
{
    VkDeviceSize offset = MICROMAP_ALIGN * (VkDeviceSize)below(w, 3);
    m->buffer = make_buffer(w, m->size + offset,
                            VK_BUFFER_USAGE_MICROMAP_STORAGE_BIT_EXT |
                                VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                            m->visible);
    VkMicromapCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_MICROMAP_CREATE_INFO_EXT,
                                    .buffer = m->buffer->handle,
                                    .offset = offset,
                                    .size = m->size,
                                    .type = VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT};
    MUST(CreateMicromapEXT, w->device, &info, NULL, &m->handle);
    OWN(MicromapEXT, m->handle);
}

/* Asks how large it will be. What it is built into, and from, is ignored here. */
static void make_for_build(struct world *w, struct micromap *m,
                           VkAccelerationStructureBuildTypeKHR where)
{
    VkMicromapBuildInfoEXT info = build_info(w, m);
    VkMicromapBuildSizesInfoEXT sizes = {.sType = VK_STRUCTURE_TYPE_MICROMAP_BUILD_SIZES_INFO_EXT};
    if (chance(w, 30)) {
        info.data.deviceAddress = 0xdead0005;
        info.scratchData.deviceAddress = 3;
        info.triangleArray.deviceAddress = 0xdead0007;
    }
    CALL(GetMicromapBuildSizesEXT, w->device, where, &info, &sizes);
    m->size = sizes.micromapSize ? sizes.micromapSize : MICROMAP_ALIGN;
    m->scratch = sizes.buildScratchSize;
    make_micromap(w, m);
}

static void build_micromaps(struct record *rec, struct micromap *all, uint32_t count)
{
    struct world *w = rec->w;
    VkMicromapBuildInfoEXT infos[2];
    VkBufferUsageFlags usage = VK_BUFFER_USAGE_MICROMAP_BUILD_INPUT_READ_ONLY_BIT_EXT;
    for (uint32_t i = 0; i < count; i++) {
        infos[i] = build_info(w, &all[i]);
        infos[i].data.deviceAddress = make_data(rec, usage, NULL, 0);
        infos[i].triangleArray.deviceAddress =
            make_data(rec, usage, all[i].triangles, sizeof(all[i].triangles[0]) * all[i].count);
        infos[i].scratchData.deviceAddress =
            all[i].scratch || chance(w, 50) ? make_scratch(w, all[i].scratch) : 0;
    }
    ready(rec, USE(MICROMAP));
    CALL(CmdBuildMicromapsEXT, rec->c, count, infos);
}

static void measure_micromap(struct record *rec, const struct micromap *m)
{
    struct world *w = rec->w;
    VkQueryType type = m->flags & VK_BUILD_MICROMAP_ALLOW_COMPACTION_BIT_EXT
                           ? PICK(VK_QUERY_TYPE_MICROMAP_COMPACTED_SIZE_EXT,
                                  VK_QUERY_TYPE_MICROMAP_SERIALIZATION_SIZE_EXT)
                           : VK_QUERY_TYPE_MICROMAP_SERIALIZATION_SIZE_EXT;
    VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = type, .queryCount = 3};
    VkQueryPool pool = VK_NULL_HANDLE;
    MUST(CreateQueryPool, w->device, &info, NULL, &pool);
    OWN(QueryPool, pool);
    CALL(CmdResetQueryPool, rec->c, pool, 0, 3);
    ready(rec, USE(MICROMAP));
    CALL(CmdWriteMicromapsPropertiesEXT, rec->c, 1, &m->handle, type, pool, PICK(0u, 2u));
}

static void copy_micromap(struct record *rec, const struct micromap *m)
{
    struct world *w = rec->w;
    struct micromap other = *m;
    make_micromap(w, &other);
    bool compact = m->flags & VK_BUILD_MICROMAP_ALLOW_COMPACTION_BIT_EXT && chance(w, 50);
    VkCopyMicromapInfoEXT info = {.sType = VK_STRUCTURE_TYPE_COPY_MICROMAP_INFO_EXT,
                                  .src = m->handle,
                                  .dst = other.handle,
                                  .mode = compact ? VK_COPY_MICROMAP_MODE_COMPACT_EXT
                                                  : VK_COPY_MICROMAP_MODE_CLONE_EXT};
    ready(rec, USE(MICROMAP));
    CALL(CmdCopyMicromapEXT, rec->c, &info);
}

/* To memory, and perhaps back into another one. */
static void serialize_micromap(struct record *rec, const struct micromap *m)
{
    struct world *w = rec->w;
    VkBufferUsageFlags usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    VkDeviceAddress memory =
        aligned_address(make_buffer(w, 2 * m->size + 65536, usage, false)->address);
    VkCopyMicromapToMemoryInfoEXT out = {.sType =
                                             VK_STRUCTURE_TYPE_COPY_MICROMAP_TO_MEMORY_INFO_EXT,
                                         .src = m->handle,
                                         .dst.deviceAddress = memory,
                                         .mode = VK_COPY_MICROMAP_MODE_SERIALIZE_EXT};
    ready(rec, USE(MICROMAP));
    CALL(CmdCopyMicromapToMemoryEXT, rec->c, &out);
    if (chance(w, 50))
        return;
    struct micromap other = *m;
    make_micromap(w, &other);
    VkCopyMemoryToMicromapInfoEXT back = {.sType =
                                              VK_STRUCTURE_TYPE_COPY_MEMORY_TO_MICROMAP_INFO_EXT,
                                          .src.deviceAddress = memory,
                                          .dst = other.handle,
                                          .mode = VK_COPY_MICROMAP_MODE_DESERIALIZE_EXT};
    ready(rec, USE(MICROMAP));
    CALL(CmdCopyMemoryToMicromapEXT, rec->c, &back);
}

/* An acceleration structure whose triangles have the micromap's opacity. */
static void build_triangles(struct record *rec, const struct micromap *m)
{
    struct world *w = rec->w;
    VkBufferUsageFlags usage = VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR;
    VkAccelerationStructureTrianglesOpacityMicromapEXT opacity = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_TRIANGLES_OPACITY_MICROMAP_EXT,
        .indexType = PICK(VK_INDEX_TYPE_NONE_KHR, VK_INDEX_TYPE_UINT16, VK_INDEX_TYPE_UINT32),
        .usageCountsCount = m->usage_count,
        .pUsageCounts = m->usages,
        .micromap = m->handle};
    if (opacity.indexType != VK_INDEX_TYPE_NONE_KHR) {
        opacity.indexBuffer.deviceAddress = make_data(rec, usage, NULL, 0);
        opacity.indexStride =
            opacity.indexType == VK_INDEX_TYPE_UINT16 ? PICK(2u, 6u) : PICK(4u, 8u);
    }
    VkAccelerationStructureGeometryKHR geometry = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
        .geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR,
        .geometry.triangles = {
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
            .pNext = &opacity,
            .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
            .vertexData.deviceAddress = make_data(rec, usage, NULL, 0),
            .vertexStride = 12,
            .maxVertex = 100,
            .indexType = VK_INDEX_TYPE_NONE_KHR}};
    VkAccelerationStructureBuildGeometryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
        .flags = PICK(0u, VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_DISABLE_OPACITY_MICROMAPS_BIT_EXT,
                      VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_OPACITY_MICROMAP_UPDATE_BIT_EXT),
        .geometryCount = 1,
        .pGeometries = &geometry};
    VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = between(w, 0, m->count)};
    const VkAccelerationStructureBuildRangeInfoKHR *ranges = &range;
    VkAccelerationStructureBuildSizesInfoKHR sizes = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
    CALL(GetAccelerationStructureBuildSizesKHR, w->device,
         VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &info, &range.primitiveCount, &sizes);
    VkDeviceSize size = sizes.accelerationStructureSize ? sizes.accelerationStructureSize : 256;
    struct buffer *buffer = make_buffer(w, size,
                                        VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                                            VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                                        false);
    VkAccelerationStructureCreateInfoKHR create = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .buffer = buffer->handle,
        .size = size,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR};
    MUST(CreateAccelerationStructureKHR, w->device, &create, NULL, &info.dstAccelerationStructure);
    OWN(AccelerationStructureKHR, info.dstAccelerationStructure);
    info.scratchData.deviceAddress = make_scratch(w, sizes.buildScratchSize);
    ready(rec, USE(MICROMAP) | USE(BUILD));
    CALL(CmdBuildAccelerationStructuresKHR, rec->c, 1, &info, &ranges);
}

static VkDeferredOperationKHR may_be_later(struct world *w)
{
    VkDeferredOperationKHR later = VK_NULL_HANDLE;
    if (chance(w, 30))
        MUST(CreateDeferredOperationKHR, w->device, NULL, &later);
    return later;
}

static void finish_later(struct world *w, VkDeferredOperationKHR later, VkResult result)
{
    if (result == VK_OPERATION_DEFERRED_KHR) {
        while (CALL(DeferredOperationJoinKHR, w->device, later) == VK_THREAD_IDLE_KHR)
            ;
    }
    if (later)
        CALL(DestroyDeferredOperationKHR, w->device, later, NULL);
}

static void on_host(struct world *w)
{
    struct micromap *m = NEW(struct micromap, .visible = true);
    if (!describe_micromap(w, m))
        return;
    make_for_build(w, m, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_HOST_KHR);
    VkMicromapBuildInfoEXT info = build_info(w, m);
    info.data.hostAddress = temporary(w, 2048);
    info.scratchData.hostAddress = temporary(w, m->scratch + 64);
    info.triangleArray.hostAddress = m->triangles;
    VkDeferredOperationKHR later = may_be_later(w);
    finish_later(w, later, CALL(BuildMicromapsEXT, w->device, later, 1, &info));
    bool compactable = m->flags & VK_BUILD_MICROMAP_ALLOW_COMPACTION_BIT_EXT;
    VkQueryType type = compactable ? VK_QUERY_TYPE_MICROMAP_COMPACTED_SIZE_EXT
                                   : VK_QUERY_TYPE_MICROMAP_SERIALIZATION_SIZE_EXT;
    VkDeviceSize size = 0;
    MUST(WriteMicromapsPropertiesEXT, w->device, 1, &m->handle, type, sizeof(size), &size,
         sizeof(size));
    struct micromap other = *m;
    make_micromap(w, &other);
    VkCopyMicromapInfoEXT clone = {.sType = VK_STRUCTURE_TYPE_COPY_MICROMAP_INFO_EXT,
                                   .src = m->handle,
                                   .dst = other.handle,
                                   .mode = compactable ? VK_COPY_MICROMAP_MODE_COMPACT_EXT
                                                       : VK_COPY_MICROMAP_MODE_CLONE_EXT};
    MUST(CopyMicromapEXT, w->device, VK_NULL_HANDLE, &clone);
    if (m->size > 65536)
        return;
    VkCopyMicromapToMemoryInfoEXT out = {.sType =
                                             VK_STRUCTURE_TYPE_COPY_MICROMAP_TO_MEMORY_INFO_EXT,
                                         .src = m->handle,
                                         .dst.hostAddress = temporary(w, 2 * m->size + 65536),
                                         .mode = VK_COPY_MICROMAP_MODE_SERIALIZE_EXT};
    MUST(CopyMicromapToMemoryEXT, w->device, VK_NULL_HANDLE, &out);
    VkCopyMemoryToMicromapInfoEXT back = {.sType =
                                              VK_STRUCTURE_TYPE_COPY_MEMORY_TO_MICROMAP_INFO_EXT,
                                          .src.hostAddress = out.dst.hostAddress,
                                          .dst = other.handle,
                                          .mode = VK_COPY_MICROMAP_MODE_DESERIALIZE_EXT};
    MUST(CopyMemoryToMicromapEXT, w->device, VK_NULL_HANDLE, &back);
    uint8_t data[2 * VK_UUID_SIZE] = {0};
    VkMicromapVersionInfoEXT version = {.sType = VK_STRUCTURE_TYPE_MICROMAP_VERSION_INFO_EXT,
                                        .pVersionData = data};
    VkAccelerationStructureCompatibilityKHR same;
    CALL(GetDeviceMicromapCompatibilityEXT, w->device, &version, &same);
}

void step_micromaps(struct world *w)
{
    if (!ON(OpacityMicromapFeaturesEXT_micromap) || !ON(accelerationStructure) ||
        !ON(bufferDeviceAddress) || !VERSION(12))
        return;
    if (ON(micromapHostCommands) && chance(w, 30))
        on_host(w);
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_COMPUTE_BIT));
    rec->once = true;
    struct micromap *all = NEW_ARRAY(struct micromap, 2);
    uint32_t count = between(w, 1, 2);
    for (uint32_t i = 0; i < count; i++) {
        if (!describe_micromap(w, &all[i]))
            count = 0;
        else
            make_for_build(w, &all[i], VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR);
    }
    if (count)
        build_micromaps(rec, all, count);
    for (uint32_t i = count ? below(w, 5) : 0; i > 0; i--) {
        static void (*const parts[])(struct record *, const struct micromap *) = {
            measure_micromap, copy_micromap, serialize_micromap, build_triangles};
        PICK_OF(parts)(rec, &all[below(w, count)]);
    }
    record_finish(rec);
}
