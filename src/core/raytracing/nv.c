/* Checks acceleration structures and traces of VK_NV_ray_tracing (37 "Acceleration Structures", 41
 * "Ray Tracing"). */
#include "core/draw/draw.h"
#include "core/hooks.h"
#include "core/pipeline/checks.h"
#include "report/muting/rows_broken.h"
#include "state/raytracing/acceleration_structure.h"
#include "state/memory/buffer.h"
#include "state/memory/formats.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* --- structures --- */

/* Checks that all geometries of a bottom-level structure have the same type. */
static void nv_check_info(struct subject *s, const VkAccelerationStructureInfoNV *info)
{
    bool bottom = info->type == VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
    for (uint32_t i = 1; bottom && info->pGeometries && i < info->geometryCount; i++)
        REQUIRE_OF(s, NULL, RULE_02786,
                   info->pGeometries[i].geometryType == info->pGeometries[0].geometryType,
                   &LOCATION(&LOCATION_INDEX(s->where, "pGeometries", i), "geometryType"),
                   "is %s, but that of the first geometry is %s",
                   TEXT_OF(VkGeometryTypeKHR, info->pGeometries[i].geometryType),
                   TEXT_OF(VkGeometryTypeKHR, info->pGeometries[0].geometryType));
}

/* Checks the triangles of a geometry, and returns their number. */
static uint64_t check_triangles(struct subject *s, const VkGeometryNV *geometry)
{
    const VkGeometryTrianglesNV *t = &geometry->geometry.triangles;
    const struct format_info *format = format_info(t->vertexFormat);
    const uint32_t component = format ? format->bits[0] / 8u : 0;
    const uint32_t index = t->indexType == VK_INDEX_TYPE_UINT16   ? 2
                           : t->indexType == VK_INDEX_TYPE_UINT32 ? 4
                                                                  : 0;
    if (geometry->geometryType != VK_GEOMETRY_TYPE_TRIANGLES_KHR)
        return 0;
    if (component)
        REQUIRE(s, RULE_02429, t->vertexOffset % component == 0, "vertexOffset",
                "is %" PRIu64 ", but a component of %s has %u bytes", t->vertexOffset,
                TEXT_OF(VkFormat, t->vertexFormat), component);
    if (index)
        REQUIRE(s, RULE_02432, t->indexOffset % index == 0, "indexOffset",
                "is %" PRIu64 ", but an index of %s has %u bytes", t->indexOffset,
                TEXT_OF(VkIndexType, t->indexType), index);
    return (index ? t->indexCount : t->vertexCount) / 3;
}

/* Checks the triangles of all geometries, and their total number. */
static void check_all_triangles(struct subject *s, const VkAccelerationStructureInfoNV *info)
{
    const uint64_t most = s->call->device->extended.RayTracingPropertiesNV.maxTriangleCount;
    uint64_t count = 0;
    if (info->type != VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR ||
        pointer_is_bad(info->pGeometries) || rows_were_broken())
        return;
    for (uint32_t i = 0; i < info->geometryCount; i++) {
        const struct location geometry = LOCATION_INDEX(s->where, "pGeometries", i),
                              data = LOCATION(&geometry, "geometry"),
                              triangles = LOCATION(&data, "triangles");
        struct subject of = {.call = s->call, .where = &triangles};
        count += check_triangles(&of, &info->pGeometries[i]);
        s->skip |= of.skip;
    }
    REQUIRE(s, RULE_02424, !most || count <= most, "pGeometries",
            "has %" PRIu64 " triangles in all, more than maxTriangleCount (%" PRIu64 ")", count,
            most);
}

bool core_validate_CreateAccelerationStructureNV(struct call *call, VkDevice device,
                                                 const VkAccelerationStructureCreateInfoNV
                                                     *pCreateInfo,
                                                 const VkAllocationCallbacks *pAllocator,
                                                 VkAccelerationStructureNV *pAccelerationStructure)
{
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo"),
                          member = LOCATION(&where, "info");
    struct subject info = {.call = call, .where = &member};
    nv_check_info(&info, &pCreateInfo->info);
    check_all_triangles(&info, &pCreateInfo->info);
    return info.skip;
}

bool core_validate_BindAccelerationStructureMemoryNV(struct call *call, VkDevice device,
                                                     uint32_t bindInfoCount,
                                                     const VkBindAccelerationStructureMemoryInfoNV
                                                         *pBindInfos)
{
    bool skip = false;
    for (uint32_t i = 0; i < bindInfoCount; i++) {
        const VkBindAccelerationStructureMemoryInfoNV *info = &pBindInfos[i];
        const struct acceleration_structure_nv *structure =
            find_acceleration_structure_nv(call, info->accelerationStructure);
        const struct device_memory *memory = find_device_memory(call, info->memory);
        struct subject s = {.call = call,
                            .where = &LOCATION_INDEX(NULL, "pBindInfos", i),
                            .objects = OBJECT2(HANDLE_ACCELERATION_STRUCTURE_NV,
                                               info->accelerationStructure, HANDLE_DEVICE_MEMORY,
                                               info->memory)};
        if (!structure || !memory || rows_were_broken_in(s.where))
            continue;
        /* The requirements are queried from the driver at each bind, which happens once per
         * structure. */
        VkMemoryRequirements2 out = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
        const VkAccelerationStructureMemoryRequirementsInfoNV ask = {
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_MEMORY_REQUIREMENTS_INFO_NV,
            .type = VK_ACCELERATION_STRUCTURE_MEMORY_REQUIREMENTS_TYPE_OBJECT_NV,
            .accelerationStructure =
                (VkAccelerationStructureNV)object_driver(structure->base.object)};
        call->device->dispatch.GetAccelerationStructureMemoryRequirementsNV(call->device->handle,
                                                                            &ask, &out);
        const VkMemoryRequirements *needs = &out.memoryRequirements;
        REQUIRE(&s, RULE_03622, memory->type < 32 && needs->memoryTypeBits & 1u << memory->type,
                "memory", "is of memory type %u, but the structure takes memoryTypeBits 0x%x",
                memory->type, needs->memoryTypeBits);
        REQUIRE(&s, RULE_03623, !needs->alignment || info->memoryOffset % needs->alignment == 0,
                "memoryOffset", "is %" PRIu64 ", but the structure lies at a multiple of %" PRIu64,
                info->memoryOffset, needs->alignment);
        if (!memory->import_type && info->memoryOffset < memory->size)
            REQUIRE(&s, RULE_03624, needs->size <= memory->size - info->memoryOffset, "memory",
                    "has %" PRIu64 " bytes from memoryOffset (%" PRIu64
                    ") on, but the structure needs %" PRIu64,
                    memory->size - info->memoryOffset, info->memoryOffset, needs->size);
        skip |= s.skip;
    }
    return skip;
}

/* The size of a handle in bytes: "This handle is a value of 8 bytes" (12.3). */
#define HANDLE_SIZE 8

bool core_validate_GetAccelerationStructureHandleNV(struct call *call, VkDevice device,
                                                    VkAccelerationStructureNV accelerationStructure,
                                                    size_t dataSize, void *pData)
{
    const struct acceleration_structure_nv *structure =
        named_acceleration_structure_nv(call, 0, accelerationStructure);
    struct subject s = {.call = call,
                        .objects = OBJECT(HANDLE_ACCELERATION_STRUCTURE_NV, accelerationStructure)};
    REQUIRE(&s, STOPS(RULE_02240), dataSize >= HANDLE_SIZE, "dataSize",
            "is %zu, but the handle has %d bytes", dataSize, HANDLE_SIZE);
    if (structure)
        REQUIRE(&s, RULE_02787,
                structure->memory && object_find_id(structure->memory, HANDLE_DEVICE_MEMORY),
                "accelerationStructure", "is not bound to memory%s",
                structure->memory ? " any more: that was freed" : "");
    return s.skip;
}

/* Checks the usage of the buffer in the parameter `name`. */
static bool nv_check_usage(struct call *call, VkBuffer handle, const char *name, enum rule rule)
{
    const struct buffer *buffer = find_buffer(call, handle);
    return buffer && !(buffer->usage & VK_BUFFER_USAGE_2_RAY_TRACING_BIT_NV) &&
           BROKEN_BY(call, rule, &LOCATION(NULL, name), OBJECT(HANDLE_BUFFER, handle),
                     "was created with usage %s, without VK_BUFFER_USAGE_RAY_TRACING_BIT_NV",
                     TEXT_OF(VkBufferUsageFlags2, buffer->usage));
}

#define NV_OBJECT(handle_) OBJECT(HANDLE_ACCELERATION_STRUCTURE_NV, (uint64_t)(handle_))

/* Checks that the structure is bound to memory that still exists. */
static void nv_check_memory(struct subject *s, const struct acceleration_structure_nv *structure,
                            VkAccelerationStructureNV handle, enum rule rule,
                            const struct location *where)
{
    if (structure &&
        !(structure->memory && object_find_id(structure->memory, HANDLE_DEVICE_MEMORY)))
        BROKEN_OF(s, NV_OBJECT(handle), rule, where, "is not bound to memory%s",
                  structure->memory ? " any more: that was freed" : "");
}

/* dst must have been created with a compatible VkAccelerationStructureInfoNV. */
static void check_compatible(struct subject *s, const VkAccelerationStructureInfoNV *info,
                             const struct acceleration_structure_nv *target)
{
    const struct location where = LOCATION(NULL, "dst");
    REQUIRE(s, RULE_02488, target->type == info->type, &where,
            "was created with type %s, but is built with %s",
            TEXT_OF(VkAccelerationStructureTypeKHR, target->type),
            TEXT_OF(VkAccelerationStructureTypeKHR, info->type));
    if (s->wrong)
        return;
    REQUIRE(s, RULE_02488, target->flags == info->flags, &where,
            "was created with flags %s, but is built with %s",
            TEXT_OF(VkBuildAccelerationStructureFlagsKHR, target->flags),
            TEXT_OF(VkBuildAccelerationStructureFlagsKHR, info->flags));
    if (s->wrong)
        return;
    REQUIRE(s, RULE_02488,
            target->instance_count >= info->instanceCount &&
                target->geometry_count >= info->geometryCount,
            &where, "was created for %u instances and %u geometries, but is built of %u and %u",
            target->instance_count, target->geometry_count, info->instanceCount,
            info->geometryCount);
}

/* The size of scratch memory for a build, in bytes. The driver is queried once for a
 * structure's builds, and once for its updates. */
static VkDeviceSize scratch_size(const struct device *device,
                                 struct acceleration_structure_nv *target, bool update)
{
    const VkDeviceSize known = atomic_load_explicit(&target->scratch[update], memory_order_relaxed);
    VkMemoryRequirements2 out = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    const VkAccelerationStructureMemoryRequirementsInfoNV ask = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_MEMORY_REQUIREMENTS_INFO_NV,
        .type = update ? VK_ACCELERATION_STRUCTURE_MEMORY_REQUIREMENTS_TYPE_UPDATE_SCRATCH_NV
                       : VK_ACCELERATION_STRUCTURE_MEMORY_REQUIREMENTS_TYPE_BUILD_SCRATCH_NV,
        .accelerationStructure = (VkAccelerationStructureNV)object_driver(target->base.object)};
    if (known)
        return known - 1;
    device->dispatch.GetAccelerationStructureMemoryRequirementsNV(device->handle, &ask, &out);
    atomic_store_explicit(&target->scratch[update], out.memoryRequirements.size + 1,
                          memory_order_relaxed);
    return out.memoryRequirements.size;
}

/* Checks that the scratch memory is as large as the driver requires. */
static void check_scratch(struct subject *s, struct acceleration_structure_nv *target, bool update,
                          VkBuffer handle, VkDeviceSize offset)
{
    const struct buffer *buffer = find_buffer(s->call, handle);
    if (!buffer)
        return;
    const VkDeviceSize size = scratch_size(s->call->device, target, update),
                       rest = offset < buffer->size ? buffer->size - offset : 0;
    REQUIRE_OF(s, OBJECT(HANDLE_BUFFER, handle), update ? RULE_02492 : RULE_02491, size <= rest,
               &LOCATION(NULL, "scratch"),
               "has %" PRIu64 " bytes from scratchOffset (%" PRIu64
               ") on, but the %s takes %" PRIu64,
               rest, offset, update ? "update" : "build", size);
}

/* Checks a build that updates `source` into `target`. */
static void check_nv_update(struct subject *s, const struct acceleration_structure_nv *source,
                            const struct acceleration_structure_nv *target)
{
    /* The flags of the build are those with which the structure was created (02488). */
    REQUIRE(s, RULE_02490,
            source->compacted ||
                source->flags & VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_NV,
            &LOCATION(NULL, "src"),
            "was created with flags %s, without "
            "VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_NV",
            TEXT_OF(VkBuildAccelerationStructureFlagsKHR, source->flags));
    REQUIRE(s, RULE_03526,
            source == target || !source->memory || source->memory != target->memory ||
                source->offset != target->offset,
            &LOCATION(NULL, "src"), "lies where dst does, and is another structure");
}

bool core_validate_CmdBuildAccelerationStructureNV(struct call *call, VkCommandBuffer commandBuffer,
                                                   const VkAccelerationStructureInfoNV *pInfo,
                                                   VkBuffer instanceData,
                                                   VkDeviceSize instanceOffset, VkBool32 update,
                                                   VkAccelerationStructureNV dst,
                                                   VkAccelerationStructureNV src, VkBuffer scratch,
                                                   VkDeviceSize scratchOffset)
{
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pInfo")};
    struct acceleration_structure_nv *target = named_acceleration_structure_nv(call, 1, dst);
    const struct acceleration_structure_nv *source = find_acceleration_structure_nv(call, src);
    struct subject of = {.call = call, .objects = NV_OBJECT(dst)};
    nv_check_info(&s, pInfo);
    if (target && !target->compacted)
        check_compatible(&of, pInfo, target);
    nv_check_memory(&of, target, dst, RULE_07787, &LOCATION(NULL, "dst"));
    if (target && !of.wrong && !rows_were_broken())
        check_scratch(&of, target, update, scratch, scratchOffset);
    if (target && update && source) {
        of.objects = NV_OBJECT(src);
        check_nv_update(&of, source, target);
    }
    return s.skip | of.skip | nv_check_usage(call, scratch, "scratch", RULE_02781) |
           nv_check_usage(call, instanceData, "instanceData", RULE_02782);
}

/* --- pipelines --- */

/* Checks that the index is that of an allowed stage. */
static void check_shader(struct subject *s, const VkRayTracingPipelineCreateInfoNV *info,
                         const char *member, enum vuid vuid, uint32_t index,
                         VkShaderStageFlags allowed)
{
    const struct location *at = &LOCATION(s->where, member);
    if (index >= info->stageCount)
        BROKEN(s, STOPS(vuid), at, "is %u, but the pipeline has %u stages", index,
               info->stageCount);
    else
        REQUIRE(s, vuid, info->pStages[index].stage & allowed, at,
                "is %u, which is a stage of %s, not of %s", index,
                TEXT_OF(VkShaderStageFlags, info->pStages[index].stage),
                TEXT_OF(VkShaderStageFlags, allowed));
}

/* Checks that the shaders of a group have the stages that its type requires. */
static void nv_check_group(struct subject *s, const VkRayTracingPipelineCreateInfoNV *info,
                           const VkRayTracingShaderGroupCreateInfoNV *group)
{
    if (group->type == VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR) {
        check_shader(s, info, "generalShader", VUID_VkRayTracingShaderGroupCreateInfoNV_type_02413,
                     group->generalShader,
                     VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
                         VK_SHADER_STAGE_CALLABLE_BIT_KHR);
        return; /* rows forbid what else is given */
    }
    if (group->type == VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR)
        check_shader(s, info, "intersectionShader",
                     VUID_VkRayTracingShaderGroupCreateInfoNV_type_02415, group->intersectionShader,
                     VK_SHADER_STAGE_INTERSECTION_BIT_KHR);
    if (group->closestHitShader != VK_SHADER_UNUSED_KHR)
        check_shader(s, info, "closestHitShader",
                     VUID_VkRayTracingShaderGroupCreateInfoNV_closestHitShader_02417,
                     group->closestHitShader, VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR);
    if (group->anyHitShader != VK_SHADER_UNUSED_KHR)
        check_shader(s, info, "anyHitShader",
                     VUID_VkRayTracingShaderGroupCreateInfoNV_anyHitShader_02418,
                     group->anyHitShader, VK_SHADER_STAGE_ANY_HIT_BIT_KHR);
}

/* The ray tracing stages in pStages; stages that cannot be read are left out. */
static VkShaderStageFlags stages_of(const VkRayTracingPipelineCreateInfoNV *info)
{
    VkShaderStageFlags stages = 0;
    for (uint32_t i = 0; i < info->stageCount && !pointer_is_bad(info->pStages); i++)
        stages |= info->pStages[i].stage;
    return stages & STAGES_RAY_TRACING;
}

bool core_validate_CreateRayTracingPipelinesNV(struct call *call, VkDevice device,
                                               VkPipelineCache pipelineCache,
                                               uint32_t createInfoCount,
                                               const VkRayTracingPipelineCreateInfoNV *pCreateInfos,
                                               const VkAllocationCallbacks *pAllocator,
                                               VkPipeline *pPipelines)
{
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < createInfoCount; i++) {
        const VkRayTracingPipelineCreateInfoNV *info = &pCreateInfos[i];
        const struct location *where = &LOCATION_INDEX(NULL, "pCreateInfos", i);
        const VkPipelineCreateFlags2 flags = pipeline_create_flags(info->pNext, info->flags);
        const struct pipeline_base base = {VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR,
                                           flags,
                                           info->pNext,
                                           info->layout,
                                           info->basePipelineHandle,
                                           info->basePipelineIndex,
                                           i,
                                           createInfoCount,
                                           pipelineCache,
                                           stages_of(info)};
        s.skip |= check_pipeline_base(call, where, &base);
        REQUIRE(&s, VUID_vkCreateRayTracingPipelinesNV_flags_03816,
                !(flags & FLAG(DISPATCH_BASE_BIT)), &LOCATION(where, "flags"),
                "has VK_PIPELINE_CREATE_DISPATCH_BASE_BIT");
        /* If a VkPipelineCreateFlags2CreateInfoKHR structure is included,
         * VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR flag must not be set */
        REQUIRE(&s, VUID_vkCreateRayTracingPipelinesNV_pNext_10150,
                !(flags & FLAG(CAPTURE_DATA_BIT_KHR)), &LOCATION(where, "flags"),
                "has VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR");
        for (uint32_t k = 0; k < info->groupCount && !pointer_is_bad(info->pGroups) &&
                             !pointer_is_bad(info->pStages);
             k++) {
            struct subject group = {.call = call, .where = &LOCATION_INDEX(where, "pGroups", k)};
            nv_check_group(&group, info, &info->pGroups[k]);
            s.skip |= group.skip;
        }
    }
    return s.skip;
}

/* --- copies and queries --- */

bool core_validate_CmdCopyAccelerationStructureNV(struct call *call, VkCommandBuffer commandBuffer,
                                                  VkAccelerationStructureNV dst,
                                                  VkAccelerationStructureNV src,
                                                  VkCopyAccelerationStructureModeKHR mode)
{
    const struct acceleration_structure_nv *target = named_acceleration_structure_nv(call, 0, dst),
                                           *source = named_acceleration_structure_nv(call, 1, src);
    struct subject s = {.call = call, .objects = NV_OBJECT(src)};
    nv_check_memory(&s, source, src, RULE_03718, &LOCATION(NULL, "src"));
    nv_check_memory(&s, target, dst, RULE_03719, &LOCATION(NULL, "dst"));
    if (!source || s.wrong)
        return s.skip;
    REQUIRE(&s, RULE_03411,
            mode != VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR || source->compacted ||
                source->flags & VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_NV,
            "src",
            "was created with flags %s, without "
            "VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_NV",
            TEXT_OF(VkBuildAccelerationStructureFlagsKHR, source->flags));
    REQUIRE(&s, RULE_07791,
            !target || (source != target &&
                        (source->memory != target->memory || source->offset != target->offset)),
            "dst", "lies where src does, and both are accessed by this command");
    return s.skip;
}

bool core_validate_CmdWriteAccelerationStructuresPropertiesNV_structures(
    struct call *call, VkCommandBuffer commandBuffer, uint32_t accelerationStructureCount,
    const VkAccelerationStructureNV *pAccelerationStructures, VkQueryType queryType,
    VkQueryPool queryPool, uint32_t firstQuery)
{
    bool skip = false;
    for (uint32_t i = 0; i < accelerationStructureCount; i++) {
        const VkAccelerationStructureNV handle = pAccelerationStructures[i];
        const struct acceleration_structure_nv *structure =
            find_acceleration_structure_nv(call, handle);
        const struct location where = LOCATION_INDEX(NULL, "pAccelerationStructures", i);
        struct subject s = {.call = call, .objects = NV_OBJECT(handle)};
        nv_check_memory(&s, structure, handle, RULE_03757, &where);
        REQUIRE_NEXT(&s, RULE_06215,
                     !structure || structure->compacted ||
                         queryType != VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_NV ||
                         structure->flags & VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_NV,
                     &where,
                     "was created with flags %s, without "
                     "VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_NV",
                     TEXT_OF(VkBuildAccelerationStructureFlagsKHR, structure->flags));
        skip |= s.skip;
    }
    return skip;
}

/* --- traces --- */

bool core_validate_CmdTraceRaysNV(struct call *call, VkCommandBuffer commandBuffer,
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
    return dispatch_check(call, call_command_buffer(call), 2);
}
