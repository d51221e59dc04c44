/* Acceleration structures that the host builds, copies, measures and writes out, at once or
 * deferred. */
#include "valid.h"

struct hosted {
    VkAccelerationStructureKHR handle;
    VkAccelerationStructureGeometryKHR geometry;
    VkAccelerationStructureBuildRangeInfoKHR range;
    VkAccelerationStructureTypeKHR type;
    VkBuildAccelerationStructureFlagsKHR flags;
    VkDeviceSize size, scratch, update_scratch;
};

static void destroy_operation(void *world, uint64_t handle, uint64_t other)
{
    struct world *w = world;
    (void)other;
    CALL(DestroyDeferredOperationKHR, w->device, (VkDeferredOperationKHR)handle, NULL);
}

static VkDeferredOperationKHR any_operation(struct world *w)
{
    VkDeferredOperationKHR operation = VK_NULL_HANDLE;
    if (chance(w, 60))
        return operation;
    MUST(CreateDeferredOperationKHR, w->device, NULL, &operation);
    own(w, destroy_operation, U64(operation), 0);
    return operation;
}

/* This thread completes what was deferred. */
static void complete_operation(struct world *w, VkDeferredOperationKHR operation, VkResult result)
{
    if (result == VK_OPERATION_DEFERRED_KHR) {
        CALL(GetDeferredOperationMaxConcurrencyKHR, w->device, operation);
        while (CALL(DeferredOperationJoinKHR, w->device, operation) == VK_THREAD_IDLE_KHR)
            ;
        MUST(GetDeferredOperationResultKHR, w->device, operation);
    } else if (result != VK_SUCCESS && result != VK_OPERATION_NOT_DEFERRED_KHR) {
        fail(w, "a host command answered %d", (int)result);
    }
}

static void *host_words(struct world *w, size_t size)
{
    return temporary(w, size); /* aligned to 16 bytes */
}

static void describe_bottom(struct world *w, struct hosted *s)
{
    bool boxes = chance(w, 30), indexed = chance(w, 50);
    s->type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
    s->geometry = (VkAccelerationStructureGeometryKHR){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR};
    s->range.primitiveCount = between(w, 0, 1);
    if (boxes) {
        s->geometry.geometryType = VK_GEOMETRY_TYPE_AABBS_KHR;
        s->geometry.geometry.aabbs = (VkAccelerationStructureGeometryAabbsDataKHR){
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
            .data.hostAddress = host_words(w, 64),
            .stride = PICK(24, 32)};
        return;
    }
    s->geometry.geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR;
    s->geometry.geometry.triangles = (VkAccelerationStructureGeometryTrianglesDataKHR){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
        .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
        .vertexData.hostAddress = host_words(w, 64),
        .vertexStride = PICK(12, 16),
        .maxVertex = 2,
        .indexType =
            indexed ? PICK(VK_INDEX_TYPE_UINT16, VK_INDEX_TYPE_UINT32) : VK_INDEX_TYPE_NONE_KHR,
        .indexData.hostAddress = indexed ? host_words(w, 16) : NULL,
        .transformData.hostAddress =
            chance(w, 50) ? host_words(w, sizeof(VkTransformMatrixKHR)) : NULL};
}

/* For the host, an instance names its structure by the handle. */
static void describe_top(struct world *w, struct hosted *s, const struct hosted *bottom)
{
    VkAccelerationStructureInstanceKHR *instance = host_words(w, sizeof(*instance));
    *instance = (VkAccelerationStructureInstanceKHR){
        .mask = 0xff, .accelerationStructureReference = bottom ? U64(bottom->handle) : 0};
    const void **pointers = host_words(w, sizeof(*pointers));
    pointers[0] = instance;
    bool by_pointer = chance(w, 50);
    s->type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR;
    s->range.primitiveCount = 1;
    s->geometry = (VkAccelerationStructureGeometryKHR){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
        .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
        .geometry.instances = {
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
            .arrayOfPointers = by_pointer,
            .data.hostAddress = by_pointer ? (const void *)pointers : instance}};
}

static void make_hosted(struct world *w, struct hosted *s)
{
    struct buffer *buffer =
        make_buffer(w, s->size + 256, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR, true);
    VkAccelerationStructureCreateInfoKHR create = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .buffer = buffer->handle,
        .offset = PICK(0, 256),
        .size = s->size,
        .type = s->type};
    MUST(CreateAccelerationStructureKHR, w->device, &create, NULL, &s->handle);
    OWN(AccelerationStructureKHR, s->handle);
}

static void build_hosted(struct world *w, struct hosted *s, bool update)
{
    VkAccelerationStructureBuildGeometryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = s->type,
        .flags = s->flags,
        .mode = update ? VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR
                       : VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR,
        .srcAccelerationStructure = update ? s->handle : VK_NULL_HANDLE,
        .geometryCount = 1,
        .pGeometries = &s->geometry};
    if (!s->handle) {
        VkAccelerationStructureBuildSizesInfoKHR sizes = {
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
        CALL(GetAccelerationStructureBuildSizesKHR, w->device,
             PICK(VK_ACCELERATION_STRUCTURE_BUILD_TYPE_HOST_KHR,
                  VK_ACCELERATION_STRUCTURE_BUILD_TYPE_HOST_OR_DEVICE_KHR),
             &info, &s->range.primitiveCount, &sizes);
        s->size = sizes.accelerationStructureSize ? sizes.accelerationStructureSize : 256;
        s->scratch = sizes.buildScratchSize;
        s->update_scratch = sizes.updateScratchSize;
        make_hosted(w, s);
    }
    VkDeviceSize scratch = update ? s->update_scratch : s->scratch;
    if (scratch > 1u << 20)
        return;
    info.dstAccelerationStructure = s->handle;
    info.scratchData.hostAddress = temporary(w, (size_t)scratch + 16);
    const VkAccelerationStructureBuildRangeInfoKHR *range = &s->range;
    VkDeferredOperationKHR operation = any_operation(w);
    complete_operation(w, operation,
                       CALL(BuildAccelerationStructuresKHR, w->device, operation, 1, &info,
                            &range));
}

static void copy_hosted(struct world *w, const struct hosted *s)
{
    struct hosted other = *s;
    bool compact =
        s->flags & VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR && chance(w, 50);
    make_hosted(w, &other);
    VkCopyAccelerationStructureInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR,
        .src = s->handle,
        .dst = other.handle,
        .mode = compact ? VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR
                        : VK_COPY_ACCELERATION_STRUCTURE_MODE_CLONE_KHR};
    VkDeferredOperationKHR operation = any_operation(w);
    complete_operation(w, operation,
                       CALL(CopyAccelerationStructureKHR, w->device, operation, &info));
}

static void write_out(struct world *w, const struct hosted *s)
{
    size_t size = (size_t)s->size * 2 + 65536;
    if (size > 1u << 20)
        return;
    VkCopyAccelerationStructureToMemoryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR,
        .src = s->handle,
        .dst.hostAddress = temporary(w, size),
        .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR};
    VkDeferredOperationKHR operation = any_operation(w);
    complete_operation(w, operation,
                       CALL(CopyAccelerationStructureToMemoryKHR, w->device, operation, &info));
    uint8_t version[2 * VK_UUID_SIZE] = {0};
    VkAccelerationStructureVersionInfoKHR of = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_VERSION_INFO_KHR,
        .pVersionData = version};
    VkAccelerationStructureCompatibilityKHR answer;
    CALL(GetDeviceAccelerationStructureCompatibilityKHR, w->device, &of, &answer);
}

static void measure_hosted(struct world *w, const struct hosted *s)
{
    VkDeviceSize data[4] = {0};
    VkQueryType type = s->flags & VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR
                           ? PICK(VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR,
                                  VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR)
                           : VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR;
    size_t stride = PICK(8ul, 16ul);
    VkAccelerationStructureKHR twice[2] = {s->handle, s->handle};
    MUST(WriteAccelerationStructuresPropertiesKHR, w->device, 2, twice, type, stride * 2, data,
         stride);
}

void step_host_tracing(struct world *w)
{
    if (!ON(accelerationStructure) || !ON(accelerationStructureHostCommands))
        return;
    struct hosted *bottom = NEW(struct hosted, VK_NULL_HANDLE),
                  *top = NEW(struct hosted, VK_NULL_HANDLE);
    bottom->flags = PICK(0u, VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR) |
                    PICK(0u, VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR);
    describe_bottom(w, bottom);
    build_hosted(w, bottom, false);
    if (chance(w, 60)) {
        describe_top(w, top, chance(w, 80) ? bottom : NULL);
        build_hosted(w, top, false);
    }
    for (uint32_t i = below(w, 4); i > 0; i--) {
        const struct hosted *s = top->handle && chance(w, 30) ? top : bottom;
        switch (below(w, 4)) {
        case 0:
            copy_hosted(w, s);
            break;
        case 1:
            write_out(w, s);
            break;
        case 2:
            measure_hosted(w, s);
            break;
        default:
            if (bottom->flags & VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR)
                build_hosted(w, bottom, true);
            break;
        }
    }
}
