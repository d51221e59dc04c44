/* Acceleration structures are built from every kind of geometry, updated, copied, and measured.
 * Rays are traced through them by queries in compute shaders and by ray tracing pipelines, of one
 * piece or of libraries. */
#include "valid.h"

#define GEOMETRIES_MOST 3
#define INPUT_SIZE      4096

struct structure {
    VkAccelerationStructureKHR handle;
    VkDeviceAddress address;
    VkDeviceSize size;
    VkAccelerationStructureTypeKHR type;
    VkBuildAccelerationStructureFlagsKHR flags;
    uint32_t count; /* of geometries */
    VkAccelerationStructureGeometryKHR geometries[GEOMETRIES_MOST];
    VkAccelerationStructureBuildRangeInfoKHR ranges[GEOMETRIES_MOST];
    VkDeviceSize scratch, update_scratch;
};

static VkDeviceAddress make_build_input(struct record *rec, const void *data, uint32_t size)
{
    struct world *w = rec->w;
    struct buffer *buffer =
        make_buffer(w, INPUT_SIZE + 256,
                    VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
                        VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                        VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                    false);
    VkDeviceSize skip = (256 - buffer->address % 256) % 256;
    ready(rec, USE(CLEAR) | USE(UPDATE));
    if (size)
        CALL(CmdUpdateBuffer, rec->c, buffer->handle, skip, size, data);
    else
        CALL(CmdFillBuffer, rec->c, buffer->handle, 0, VK_WHOLE_SIZE, 0);
    return buffer->address + skip;
}

static VkDeviceAddress make_scratch(struct world *w, VkDeviceSize size)
{
    struct buffer *buffer =
        make_buffer(w, size + 1024,
                    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                    false);
    return (buffer->address + 1023) & ~(VkDeviceAddress)1023;
}

/* --- geometries --- */

static void add_triangles(struct record *rec, struct structure *s, uint32_t i)
{
    struct world *w = rec->w;
    static const VkTransformMatrixKHR identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    bool narrow = chance(w, 30), transformed = chance(w, 40);
    VkIndexType index = PICK(VK_INDEX_TYPE_NONE_KHR, VK_INDEX_TYPE_UINT16, VK_INDEX_TYPE_UINT32);
    VkAccelerationStructureGeometryTrianglesDataKHR *triangles =
        &s->geometries[i].geometry.triangles;
    *triangles = (VkAccelerationStructureGeometryTrianglesDataKHR){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
        .vertexFormat = narrow ? VK_FORMAT_R16G16_SFLOAT : VK_FORMAT_R32G32B32_SFLOAT,
        .vertexData.deviceAddress = make_build_input(rec, NULL, 0),
        .vertexStride = narrow ? PICK(4u, 6u, 0u) : PICK(12u, 16u, 0u),
        .maxVertex = between(w, 15, 100),
        .indexType = index};
    /* Ignored without indices. */
    triangles->indexData.deviceAddress = index == VK_INDEX_TYPE_NONE_KHR
                                             ? PICK(0u, 3u, 0xdead0001u)
                                             : make_build_input(rec, NULL, 0);
    if (transformed)
        triangles->transformData.deviceAddress = make_build_input(rec, &identity, sizeof(identity));
    uint32_t grain = index == VK_INDEX_TYPE_UINT16   ? 2
                     : index == VK_INDEX_TYPE_UINT32 ? 4
                     : narrow                        ? 2
                                                     : 4;
    s->ranges[i] =
        (VkAccelerationStructureBuildRangeInfoKHR){.primitiveCount = below(w, 4),
                                                   .primitiveOffset = grain * below(w, 9),
                                                   .firstVertex = below(w, 3)};
    /* Without a matrix there is nothing to offset. */
    s->ranges[i].transformOffset = transformed ? 0 : PICK(0u, 16u);
}

static void add_boxes(struct record *rec, struct structure *s, uint32_t i)
{
    struct world *w = rec->w;
    s->geometries[i].geometry.aabbs = (VkAccelerationStructureGeometryAabbsDataKHR){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
        .data.deviceAddress = make_build_input(rec, NULL, 0),
        .stride = PICK(24u, 32u, 64u)};
    s->ranges[i] = (VkAccelerationStructureBuildRangeInfoKHR){.primitiveCount = below(w, 4),
                                                              .primitiveOffset = 8 * below(w, 4),
                                                              .firstVertex = PICK(0u, 77u),
                                                              .transformOffset = PICK(0u, 7u)};
}

static void add_instances(struct record *rec, struct structure *s, const struct structure *bottom)
{
    struct world *w = rec->w;
    VkAccelerationStructureInstanceKHR instances[3];
    uint32_t count = below(w, 4);
    /* lavapipe's rays read addresses that were never written where some instances are inactive, and
     * some are not. */
    uint32_t active = w->software ? PICK(0u, 100u) : 80;
    for (uint32_t i = 0; i < 3; i++)
        instances[i] = (VkAccelerationStructureInstanceKHR){
            .transform = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
            .mask = 0xff,
            .accelerationStructureReference = bottom && chance(w, active) ? bottom->address : 0};
    VkDeviceAddress data = make_build_input(rec, instances, sizeof(instances));
    bool pointers = chance(w, 30);
    if (pointers) {
        VkDeviceAddress addresses[4] = {0, data, data + 64, data + 128};
        data = make_build_input(rec, addresses, sizeof(addresses));
    }
    s->geometries[0].geometry.instances = (VkAccelerationStructureGeometryInstancesDataKHR){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
        .arrayOfPointers = pointers,
        .data.deviceAddress = pointers ? data + 8 : data};
    s->ranges[0] = (VkAccelerationStructureBuildRangeInfoKHR){.primitiveCount = count};
}

static void describe_structure(struct record *rec, struct structure *s,
                               VkAccelerationStructureTypeKHR type, const struct structure *bottom)
{
    struct world *w = rec->w;
    bool top = type == VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR;
    VkGeometryTypeKHR kind = top             ? VK_GEOMETRY_TYPE_INSTANCES_KHR
                             : chance(w, 70) ? VK_GEOMETRY_TYPE_TRIANGLES_KHR
                                             : VK_GEOMETRY_TYPE_AABBS_KHR;
    s->type = type;
    /* lavapipe reads what is not there where there is no geometry. */
    s->count = top ? 1 : between(w, w->software ? 1 : 0, GEOMETRIES_MOST);
    s->flags = PICK(0u, VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR,
                    VK_BUILD_ACCELERATION_STRUCTURE_LOW_MEMORY_BIT_KHR) |
               PICK(0u, VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR) |
               PICK(0u, VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR);
    for (uint32_t i = 0; i < s->count; i++) {
        s->geometries[i] = (VkAccelerationStructureGeometryKHR){
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
            .geometryType = kind,
            .flags = PICK(0u, VK_GEOMETRY_OPAQUE_BIT_KHR,
                          VK_GEOMETRY_NO_DUPLICATE_ANY_HIT_INVOCATION_BIT_KHR)};
        if (top)
            add_instances(rec, s, bottom);
        else if (kind == VK_GEOMETRY_TYPE_TRIANGLES_KHR)
            add_triangles(rec, s, i);
        else
            add_boxes(rec, s, i);
    }
}

static VkAccelerationStructureBuildGeometryInfoKHR build_info(struct world *w,
                                                              const struct structure *s)
{
    VkAccelerationStructureBuildGeometryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = s->type,
        .flags = s->flags,
        .mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR,
        .dstAccelerationStructure = s->handle,
        .geometryCount = s->count};
    if (s->count == 0) {
        info.pGeometries = IGNORED;
        info.ppGeometries = IGNORED;
    } else if (chance(w, 50)) {
        info.pGeometries = s->geometries;
    } else {
        const VkAccelerationStructureGeometryKHR **each =
            NEW_ARRAY(const VkAccelerationStructureGeometryKHR *, s->count);
        for (uint32_t i = 0; i < s->count; i++)
            each[i] = &s->geometries[i];
        info.ppGeometries = each;
    }
    return info;
}

/* --- structures --- */

static void make_structure(struct world *w, struct structure *s, VkDeviceSize size)
{
    VkDeviceSize offset = 256 * (VkDeviceSize)below(w, 3);
    struct buffer *buffer = make_buffer(w, size + offset,
                                        VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                                            VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                                        false);
    VkAccelerationStructureCreateInfoKHR create = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .buffer = buffer->handle,
        .offset = offset,
        .size = size,
        .type = chance(w, 20) ? VK_ACCELERATION_STRUCTURE_TYPE_GENERIC_KHR : s->type};
    MUST(CreateAccelerationStructureKHR, w->device, &create, NULL, &s->handle);
    OWN(AccelerationStructureKHR, s->handle);
    VkAccelerationStructureDeviceAddressInfoKHR query = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR,
        .accelerationStructure = s->handle};
    s->address = CALL(GetAccelerationStructureDeviceAddressKHR, w->device, &query);
    s->size = size;
}

/* Asks how large it will be. Mode, structures and addresses are ignored here. */
static void make_for_build(struct world *w, struct structure *s)
{
    uint32_t counts[GEOMETRIES_MOST] = {0};
    VkAccelerationStructureBuildSizesInfoKHR sizes = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
    VkAccelerationStructureBuildGeometryInfoKHR info = build_info(w, s);
    if (chance(w, 30)) {
        info.scratchData.deviceAddress = 0xdead0003;
        if (!w->software)
            info.mode = (VkBuildAccelerationStructureModeKHR)PICK(0, 1);
    }
    for (uint32_t i = 0; i < s->count; i++)
        counts[i] = s->ranges[i].primitiveCount + below(w, 3);
    CALL(GetAccelerationStructureBuildSizesKHR, w->device,
         VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &info, s->count ? counts : IGNORED,
         &sizes);
    s->scratch = sizes.buildScratchSize;
    s->update_scratch = sizes.updateScratchSize;
    make_structure(w, s, sizes.accelerationStructureSize ? sizes.accelerationStructureSize : 256);
}

static void build_structures(struct record *rec, struct structure **all, uint32_t count,
                             bool update)
{
    struct world *w = rec->w;
    VkAccelerationStructureBuildGeometryInfoKHR infos[2];
    const VkAccelerationStructureBuildRangeInfoKHR *ranges[2];
    for (uint32_t i = 0; i < count; i++) {
        struct structure *s = all[i];
        infos[i] = build_info(w, s);
        ranges[i] = s->ranges;
        VkDeviceSize scratch = update ? s->update_scratch : s->scratch;
        infos[i].scratchData.deviceAddress =
            scratch || chance(w, 50) ? make_scratch(w, scratch) : 0;
        if (update) {
            infos[i].mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
            infos[i].srcAccelerationStructure = s->handle;
        } else if (chance(w, 20)) {
            infos[i].srcAccelerationStructure = s->handle; /* a valid one, and not looked at */
        }
    }
    ready(rec, USE(BUILD));
    if (count == 1 && all[0]->count && ON(accelerationStructureIndirectBuild) && chance(w, 20)) {
        struct structure *s = all[0];
        struct buffer *indirect =
            make_buffer(w, sizeof(s->ranges),
                        VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                            VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                        false);
        uint32_t stride = sizeof(s->ranges[0]), most[GEOMETRIES_MOST] = {4, 4, 4};
        const uint32_t *mosts = most;
        for (uint32_t i = 0; i < s->count; i++)
            most[i] = s->ranges[i].primitiveCount;
        CALL(CmdUpdateBuffer, rec->c, indirect->handle, 0, sizeof(s->ranges), s->ranges);
        rec->before |= USE(UPDATE);
        ready(rec, USE(BUILD) | USE(INDIRECT));
        CALL(CmdBuildAccelerationStructuresIndirectKHR, rec->c, 1, infos, &indirect->address,
             &stride, &mosts);
        return;
    }
    CALL(CmdBuildAccelerationStructuresKHR, rec->c, count, infos, ranges);
}

static VkQueryPool make_query(struct record *rec, VkQueryType type)
{
    struct world *w = rec->w;
    VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                  .queryType = type,
                                  .queryCount = 3,
                                  .pipelineStatistics = PICK(0u, 77u)};
    VkQueryPool pool = VK_NULL_HANDLE;
    MUST(CreateQueryPool, w->device, &info, NULL, &pool);
    OWN(QueryPool, pool);
    CALL(CmdResetQueryPool, rec->c, pool, 0, 3);
    return pool;
}

static void measure_structure(struct record *rec, const struct structure *s)
{
    struct world *w = rec->w;
    VkQueryType type = PICK(VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR,
                            VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR);
    if (!(s->flags & VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR))
        type = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR;
    if (ON(rayTracingMaintenance1) && chance(w, 30))
        type = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR;
    VkQueryPool pool = make_query(rec, type);
    ready(rec, USE(BUILD));
    CALL(CmdWriteAccelerationStructuresPropertiesKHR, rec->c, 1, &s->handle, type, pool,
         PICK(0u, 2u));
}

static void copy_to_structure(struct record *rec, struct structure *s)
{
    struct world *w = rec->w;
    struct structure *other = NEW(struct structure, .type = s->type);
    *other = *s;
    bool compact =
        s->flags & VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR && chance(w, 50);
    make_structure(w, other, s->size);
    VkCopyAccelerationStructureInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR,
        .src = s->handle,
        .dst = other->handle,
        .mode = compact ? VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR
                        : VK_COPY_ACCELERATION_STRUCTURE_MODE_CLONE_KHR};
    ready(rec, USE(BUILD));
    CALL(CmdCopyAccelerationStructureKHR, rec->c, &info);
}

static void serialize_to_buffer(struct record *rec, const struct structure *s)
{
    struct world *w = rec->w;
    struct buffer *buffer =
        make_buffer(w, 2 * s->size + 65536,
                    VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                    false);
    VkCopyAccelerationStructureToMemoryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR,
        .src = s->handle,
        .dst.deviceAddress = (buffer->address + 255) & ~(VkDeviceAddress)255,
        .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR};
    ready(rec, USE(BUILD) | USE(COPY_WRITE));
    CALL(CmdCopyAccelerationStructureToMemoryKHR, rec->c, &info);
}

/* --- rays --- */

struct scene {
    VkDescriptorSetLayout set_layout;
    VkDescriptorSet set;
    VkPipelineLayout layout;
};

static void make_traced_scene(struct world *w, struct scene *scene, const struct structure *top,
                              VkShaderStageFlags stages)
{
    VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1, stages, IGNORED},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, stages, IGNORED}};
    VkDescriptorSetLayoutCreateInfo info = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = 2,
                                            .pBindings = bindings};
    MUST(CreateDescriptorSetLayout, w->device, &info, NULL, &scene->set_layout);
    OWN(DescriptorSetLayout, scene->set_layout);
    VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = 1,
                                         .pSetLayouts = &scene->set_layout,
                                         .pPushConstantRanges = IGNORED};
    MUST(CreatePipelineLayout, w->device, &layout, NULL, &scene->layout);
    OWN(PipelineLayout, scene->layout);
    VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1},
                                    {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
    VkDescriptorPoolCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                         .maxSets = 1,
                                         .poolSizeCount = 2,
                                         .pPoolSizes = sizes};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    MUST(CreateDescriptorPool, w->device, &create, NULL, &pool);
    OWN(DescriptorPool, pool);
    VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = pool,
                                            .descriptorSetCount = 1,
                                            .pSetLayouts = &scene->set_layout};
    MUST(AllocateDescriptorSets, w->device, &allocate, &scene->set);
    struct buffer *hits = make_buffer(w, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, false);
    VkDescriptorBufferInfo buffer = {hits->handle, 0, PICK(VK_WHOLE_SIZE, 16)};
    VkAccelerationStructureKHR none = VK_NULL_HANDLE;
    VkWriteDescriptorSetAccelerationStructureKHR structure = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures =
            ON(nullDescriptor) && !w->software && chance(w, 20) ? &none : &top->handle};
    VkWriteDescriptorSet writes[] = {
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .pNext = &structure,
         .dstSet = scene->set,
         .descriptorCount = 1,
         .descriptorType = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR,
         .pImageInfo = IGNORED,
         .pBufferInfo = IGNORED,
         .pTexelBufferView = IGNORED},
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstSet = scene->set,
         .dstBinding = 1,
         .descriptorCount = 1,
         .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
         .pImageInfo = IGNORED,
         .pBufferInfo = &buffer,
         .pTexelBufferView = IGNORED}};
    CALL(UpdateDescriptorSets, w->device, 2, writes, 0, IGNORED);
}

static void query_rays(struct record *rec, const struct structure *top)
{
    struct world *w = rec->w;
    struct scene scene;
    make_traced_scene(w, &scene, top, PICK(VK_SHADER_STAGE_COMPUTE_BIT, VK_SHADER_STAGE_ALL));
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = make_module(w, SHADER_query_comp),
                  .pName = "main"},
        .layout = scene.layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    MUST(CreateComputePipelines, w->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
    OWN(Pipeline, pipeline);
    CALL(CmdBindPipeline, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    CALL(CmdBindDescriptorSets, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, scene.layout, 0, 1,
         &scene.set, 0, IGNORED);
    ready(rec, USE(COMPUTE_READ) | USE(COMPUTE_WRITE) | USE(QUERY));
    CALL(CmdDispatch, rec->c, between(w, 0, 1), 1, 1);
}

static VkResult create_traced(struct world *w, const VkRayTracingPipelineCreateInfoKHR *info,
                              VkPipeline *pipeline)
{
    if (!HAS(KHR_deferred_host_operations) || chance(w, 70))
        return CALL(CreateRayTracingPipelinesKHR, w->device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1,
                    info, NULL, pipeline);
    VkDeferredOperationKHR later = VK_NULL_HANDLE;
    MUST(CreateDeferredOperationKHR, w->device, NULL, &later);
    VkResult result = CALL(CreateRayTracingPipelinesKHR, w->device, later, VK_NULL_HANDLE, 1, info,
                           NULL, pipeline);
    if (result == VK_OPERATION_DEFERRED_KHR) {
        while (CALL(DeferredOperationJoinKHR, w->device, later) == VK_THREAD_IDLE_KHR)
            ;
        result = CALL(GetDeferredOperationResultKHR, w->device, later);
    } else if (result == VK_OPERATION_NOT_DEFERRED_KHR) {
        result = VK_SUCCESS;
    }
    CALL(DestroyDeferredOperationKHR, w->device, later, NULL);
    return result;
}

static VkRayTracingShaderGroupCreateInfoKHR
shader_group(struct world *w, VkRayTracingShaderGroupTypeKHR type, uint32_t general, uint32_t hit)
{
    return (VkRayTracingShaderGroupCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
        .type = type,
        .generalShader = general,
        .closestHitShader = hit,
        .anyHitShader = VK_SHADER_UNUSED_KHR,
        .intersectionShader = VK_SHADER_UNUSED_KHR,
        .pShaderGroupCaptureReplayHandle =
            ON(rayTracingPipelineShaderGroupHandleCaptureReplay) ? NULL : IGNORED};
}

#define TRACE_GROUPS 3 /* generation, miss, hit */

static VkPipeline make_traced(struct world *w, VkPipelineLayout layout, bool *stack)
{
    static const enum shader shaders[] = {SHADER_trace_rgen, SHADER_trace_rmiss,
                                          SHADER_trace_rchit};
    static const VkShaderStageFlagBits of[] = {VK_SHADER_STAGE_RAYGEN_BIT_KHR,
                                               VK_SHADER_STAGE_MISS_BIT_KHR,
                                               VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR};
    VkPipelineShaderStageCreateInfo stages[3];
    for (uint32_t i = 0; i < 3; i++)
        stages[i] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = of[i],
            .module = make_module(w, shaders[i]),
            .pName = "main"};
    bool hit = chance(w, 80), linked = HAS(KHR_pipeline_library) && chance(w, 40);
    VkRayTracingShaderGroupCreateInfoKHR groups[] = {
        shader_group(w, VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, 0, VK_SHADER_UNUSED_KHR),
        shader_group(w, VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, linked ? 0 : 1,
                     VK_SHADER_UNUSED_KHR),
        shader_group(w, VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR,
                     VK_SHADER_UNUSED_KHR,
                     !hit     ? VK_SHADER_UNUSED_KHR
                     : linked ? 1
                              : 2)};
    VkRayTracingPipelineInterfaceCreateInfoKHR interface = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_INTERFACE_CREATE_INFO_KHR,
        .maxPipelineRayPayloadSize = 16,
        .maxPipelineRayHitAttributeSize = 8};
    VkRayTracingPipelineCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
        .stageCount = linked ? 2 : 3,
        .pStages = linked ? stages + 1 : stages,
        .groupCount = linked ? 2 : 3,
        .pGroups = linked ? groups + 1 : groups,
        .maxPipelineRayRecursionDepth = 1,
        .layout = layout,
        .basePipelineHandle = chance(w, 20) ? (VkPipeline)(uintptr_t)0xdead0004 : VK_NULL_HANDLE,
        .basePipelineIndex = PICK(-1, 77)};
    VkPipeline library = VK_NULL_HANDLE, pipeline = VK_NULL_HANDLE;
    VkPipelineLibraryCreateInfoKHR libraries = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        .libraryCount = 1,
        .pLibraries = &library};
    if (linked) {
        info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
        info.pLibraryInterface = &interface;
        if (create_traced(w, &info, &library) != VK_SUCCESS)
            return VK_NULL_HANDLE;
        OWN(Pipeline, library);
        info.flags = 0;
        info.pStages = stages;
        info.stageCount = info.groupCount = 1;
        info.pGroups = groups;
        info.pLibraryInfo = &libraries;
    }
    VkDynamicState state = VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR;
    VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = &state};
    *stack = chance(w, 30);
    info.pDynamicState = *stack ? &dynamic : NULL;
    if (ON(maintenance5) && chance(w, 30)) {
        CHAIN(info.pNext, VkPipelineCreateFlags2CreateInfo,
              VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, .flags = 0);
        info.flags = PICK(0u, 0x7fffffffu);
    }
    if (create_traced(w, &info, &pipeline) != VK_SUCCESS)
        return VK_NULL_HANDLE;
    OWN(Pipeline, pipeline);
    return pipeline;
}

static void trace_rays(struct record *rec, const struct structure *top)
{
    struct world *w = rec->w;
    struct scene scene;
    bool stack;
    make_traced_scene(w, &scene, top, PICK(VK_SHADER_STAGE_RAYGEN_BIT_KHR, VK_SHADER_STAGE_ALL));
    VkPipeline pipeline = make_traced(w, scene.layout, &stack);
    VkPhysicalDeviceRayTracingPipelinePropertiesKHR properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR};
    if (!pipeline || !properties_of(w, &properties))
        return;
    uint32_t handle = properties.shaderGroupHandleSize, step = properties.shaderGroupBaseAlignment;
    while (step < handle)
        step += properties.shaderGroupBaseAlignment;
    uint8_t *handles = temporary(w, (size_t)handle * TRACE_GROUPS);
    MUST(GetRayTracingShaderGroupHandlesKHR, w->device, pipeline, 0, TRACE_GROUPS,
         (size_t)handle * TRACE_GROUPS, handles);
    struct buffer *table = make_buffer(w, (VkDeviceSize)step * 5,
                                       VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR |
                                           VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                           VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                                       false);
    VkDeviceSize skip = (step - table->address % step) % step;
    ready(rec, USE(CLEAR) | USE(UPDATE));
    for (uint32_t i = 0; i < TRACE_GROUPS; i++) {
        if (handle % 4 == 0)
            CALL(CmdUpdateBuffer, rec->c, table->handle, skip + (VkDeviceSize)step * i, handle,
                 handles + (size_t)handle * i);
    }
    CALL(CmdBindPipeline, rec->c, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, pipeline);
    if (stack)
        CALL(CmdSetRayTracingPipelineStackSizeKHR, rec->c, 4096);
    CALL(CmdBindDescriptorSets, rec->c, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, scene.layout, 0, 1,
         &scene.set, 0, IGNORED);
    ready(rec, USE(TRACE));
    VkStridedDeviceAddressRegionKHR generation = {table->address + skip, step, step},
                                    miss = {generation.deviceAddress + step, PICK(step, 0u), step},
                                    hit = {generation.deviceAddress + 2 * (VkDeviceAddress)step,
                                           step, step},
                                    none = {0, PICK(0u, step), 0};
    CALL(CmdTraceRaysKHR, rec->c, &generation, &miss, &hit, &none, between(w, 0, 2), 1,
         between(w, 0, 1));
}

void step_tracing(struct world *w)
{
    if (!ON(accelerationStructure) || !ON(bufferDeviceAddress) || !VERSION(12))
        return;
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_COMPUTE_BIT));
    rec->once = true;
    struct structure *bottoms[2] = {NEW(struct structure, VK_NULL_HANDLE),
                                    NEW(struct structure, VK_NULL_HANDLE)},
                     *top = NEW(struct structure, VK_NULL_HANDLE);
    uint32_t count = between(w, 1, 2);
    for (uint32_t i = 0; i < count; i++) {
        describe_structure(rec, bottoms[i], VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, NULL);
        make_for_build(w, bottoms[i]);
    }
    build_structures(rec, bottoms, count, false);
    if (bottoms[0]->flags & VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR && chance(w, 50))
        build_structures(rec, bottoms, 1, true);
    describe_structure(rec, top, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, bottoms[0]);
    make_for_build(w, top);
    build_structures(rec, &top, 1, false);
    if (top->flags & VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR && chance(w, 50))
        build_structures(rec, &top, 1, true);
    for (uint32_t i = below(w, 4); i > 0; i--) {
        struct structure *any = chance(w, 50) ? top : bottoms[0];
        switch (below(w, 5)) {
        case 0:
            measure_structure(rec, any);
            break;
        case 1:
            copy_to_structure(rec, any);
            break;
        case 2:
            serialize_to_buffer(rec, any);
            break;
        case 3:
            if (ON(rayTracingPipeline))
                trace_rays(rec, top);
            break;
        default:
            if (ON(rayQuery))
                query_rays(rec, top);
            break;
        }
    }
    record_finish(rec);
}
