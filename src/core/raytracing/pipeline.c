/* Checks ray tracing pipelines: stages, groups, libraries (40 "Ray Tracing", 10.8 "Ray Tracing
 * Pipelines"), and queries about them. */
#include "core/hooks.h"
#include "core/pipeline/checks.h"

#include <inttypes.h>

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/submit/queue.h"
#include "vk/pointer.h"

/* --- groups --- */

/* The stages of a pipeline and its libraries, in the order in which groups number them. `count`: 0
 * if a library is not known. */
struct stage_list {
    const VkRayTracingPipelineCreateInfoKHR *info; /* the libraries are in it */
    const struct call *call;
    bool known;
};

/* The number of libraries; 0: they cannot be read. */
static uint32_t library_count(const VkRayTracingPipelineCreateInfoKHR *info)
{
    return info->pLibraryInfo && !pointer_is_bad(info->pLibraryInfo->pLibraries)
               ? info->pLibraryInfo->libraryCount
               : 0;
}

/* The stage with this index; 0: there is none; UINT32_MAX: not known, as only some stages of
 * libraries are kept. */
static VkShaderStageFlags stage_at(const struct stage_list *list, uint32_t index)
{
    assert(list->info);
    const VkRayTracingPipelineCreateInfoKHR *info = list->info;
    if (index < info->stageCount)
        return info->pStages[index].stage;
    return library_count(info) ? UINT32_MAX : 0;
}

/* Checks that the index of a group's shader is that of an allowed stage. Drivers use it unchecked,
 * so an index without a stage is kept from them. */
static bool check_shader_index(const struct stage_list *list, const struct location *where,
                               enum vuid vuid, uint32_t index, VkShaderStageFlags allowed,
                               const char *kind)
{
    VkShaderStageFlags stage = stage_at(list, index);
    if (stage == UINT32_MAX || stage & allowed)
        return false;
    if (!stage)
        return call_stop(list->call, BROKEN_BY(list->call, vuid, where, NULL,
                                               "is %u, but the pipeline has %u stages", index,
                                               list->info->stageCount));
    return BROKEN_BY(list->call, vuid, where, NULL, "is %u, which is a stage of %s, not %s", index,
                     value_text(VALUES_VkShaderStageFlags, stage).text, kind);
}

/* Checks one shader group: its shaders, and what its flags require. */
static bool ray_pipeline_check_group(const struct stage_list *list, const struct location *where,
                                     const VkRayTracingShaderGroupCreateInfoKHR *group,
                                     VkPipelineCreateFlags2 flags)
{
    assert(group);
    const struct call *call = list->call;
    struct subject s = {.call = call, .where = where};
    bool general = group->type == VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
         procedural = group->type == VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR,
         triangles = group->type == VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR;
    if (general) {
        s.skip |= check_shader_index(list, &LOCATION(where, "generalShader"),
                                     VUID_VkRayTracingShaderGroupCreateInfoKHR_type_03474,
                                     group->generalShader,
                                     VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
                                         VK_SHADER_STAGE_CALLABLE_BIT_KHR,
                                     "ray generation, miss or callable");
        return s.skip;
    }
    if (procedural)
        s.skip |= check_shader_index(list, &LOCATION(where, "intersectionShader"),
                                     VUID_VkRayTracingShaderGroupCreateInfoKHR_type_03476,
                                     group->intersectionShader,
                                     VK_SHADER_STAGE_INTERSECTION_BIT_KHR, "intersection");
    if (group->closestHitShader != VK_SHADER_UNUSED_KHR)
        s.skip |=
            check_shader_index(list, &LOCATION(where, "closestHitShader"),
                               VUID_VkRayTracingShaderGroupCreateInfoKHR_closestHitShader_03478,
                               group->closestHitShader, VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR,
                               "closest hit");
    if (group->anyHitShader != VK_SHADER_UNUSED_KHR)
        s.skip |=
            check_shader_index(list, &LOCATION(where, "anyHitShader"),
                               VUID_VkRayTracingShaderGroupCreateInfoKHR_anyHitShader_03479,
                               group->anyHitShader, VK_SHADER_STAGE_ANY_HIT_BIT_KHR, "any hit");
    /* Another check reports values that are not a type. */
    if (!procedural && !triangles)
        return s.skip;
    REQUIRE(&s, VUID_VkRayTracingPipelineCreateInfoKHR_flags_03470,
            group->anyHitShader != VK_SHADER_UNUSED_KHR ||
                !(flags & FLAG(RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR)),
            "anyHitShader",
            "is VK_SHADER_UNUSED_KHR, but flags has "
            "VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR");
    REQUIRE(&s, VUID_VkRayTracingPipelineCreateInfoKHR_flags_03471,
            group->closestHitShader != VK_SHADER_UNUSED_KHR ||
                !(flags & FLAG(RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR)),
            "closestHitShader",
            "is VK_SHADER_UNUSED_KHR, but flags has "
            "VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR");
    return s.skip;
}

/* --- libraries --- */

/* False if two layouts are known to differ in a set that both have, or in their push constants.
 * NULL: nothing is known of one. */
static bool layouts_may_go_together(const struct pipeline_layout *layout,
                                    const struct pipeline_layout *other)
{
    const uint32_t count = !layout || !other                      ? 0
                           : layout->set_count < other->set_count ? layout->set_count
                                                                  : other->set_count;
    return !count || layout->compatibility[count - 1] == other->compatibility[count - 1];
}

/* Checks that a library was created for pipelines like this one. */
static bool check_library(const struct call *call, const struct location *where,
                          const VkRayTracingPipelineCreateInfoKHR *info,
                          VkPipelineCreateFlags2 flags, const struct pipeline *library,
                          const struct finding_objects *objects)
{
    assert(library);
    struct subject s = {.call = call, .objects = objects};
    if (library->bind_point != VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR)
        return s.skip;
    REQUIRE(&s, VUID_VkRayTracingPipelineCreateInfoKHR_pLibraries_03591,
            library->max_recursion_depth == info->maxPipelineRayRecursionDepth, where,
            "was created with a maxPipelineRayRecursionDepth of %u, but that of the "
            "pipeline is %u",
            library->max_recursion_depth, info->maxPipelineRayRecursionDepth);
    REQUIRE(&s, VUID_VkPipelineLibraryCreateInfoKHR_pLibraries_06855,
            !library->has_identifiers || flags & FLAG(FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT), where,
            "was created with a shader module identifier, but flags lacks "
            "VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT");
    REQUIRE(&s, VUID_VkRayTracingPipelineCreateInfoKHR_pLibraryInfo_03592,
            layouts_may_go_together(find_pipeline_layout(call, info->layout), library->layout),
            where, "was created with a layout that is not compatible with that of the pipeline");
    if (!pointer_is_bad(info->pLibraryInterface))
        REQUIRE(&s, VUID_VkRayTracingPipelineCreateInfoKHR_pLibraryInfo_03593,
                library->max_payload_size == info->pLibraryInterface->maxPipelineRayPayloadSize &&
                    library->max_attribute_size ==
                        info->pLibraryInterface->maxPipelineRayHitAttributeSize,
                where,
                "was created for payloads of %u and attributes of %u bytes, but "
                "pLibraryInterface says %u and %u",
                library->max_payload_size, library->max_attribute_size,
                info->pLibraryInterface->maxPipelineRayPayloadSize,
                info->pLibraryInterface->maxPipelineRayHitAttributeSize);
    return s.skip;
}

/* Handles of captured groups must not be given where pipelines were created without before, unless
 * the device can mix them. */
static void check_replayed_groups(struct subject *s, const VkRayTracingPipelineCreateInfoKHR *info)
{
    const struct device_state *state = object_load_state(s->call->device->object);
    const uint32_t before =
        state ? atomic_load_explicit(&state->replayed_groups, memory_order_relaxed) : 0;
    if (likely(before != 1) ||
        !subject_has(s, FEATURE_rayTracingPipelineShaderGroupHandleCaptureReplay) ||
        subject_has(s, FEATURE_rayTracingPipelineShaderGroupHandleCaptureReplayMixed))
        return;
    for (uint32_t i = 0; i < info->groupCount && !pointer_is_bad(info->pGroups) && !s->wrong; i++) {
        const struct location group = LOCATION_INDEX(s->where, "pGroups", i);
        REQUIRE(
            s,
            VUID_VkRayTracingShaderGroupCreateInfoKHR_rayTracingPipelineShaderGroupHandleCaptureReplayMixed_03603,
            !info->pGroups[i].pShaderGroupCaptureReplayHandle,
            &LOCATION(&group, "pShaderGroupCaptureReplayHandle"),
            "is given, but earlier ray tracing pipelines were created without, and the feature "
            "rayTracingPipelineShaderGroupHandleCaptureReplayMixed is not enabled");
    }
}

/* Checks all libraries of the pipeline. */
static bool check_libraries(const struct call *call, const struct location *where,
                            const VkRayTracingPipelineCreateInfoKHR *info,
                            VkPipelineCreateFlags2 flags)
{
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < library_count(info); i++) {
        VkPipeline handle = info->pLibraryInfo->pLibraries[i];
        const struct pipeline *library = find_pipeline(call, handle);
        if (library)
            s.skip |= check_library(call,
                                    &LOCATION_INDEX(&LOCATION_POINTER(where, "pLibraryInfo"),
                                                    "pLibraries", i),
                                    info, flags, library, OBJECT(HANDLE_PIPELINE, handle));
    }
    return s.skip;
}

/* --- stages, flags, the whole --- */

/* Checks the stages, and that the pipeline or its libraries have a ray generation shader. */
static bool ray_pipeline_check_stages(const struct call *call, const struct location *where,
                                      const VkRayTracingPipelineCreateInfoKHR *info,
                                      VkPipelineCreateFlags2 flags)
{
    VkShaderStageFlags all = 0;
    struct subject s = {.call = call, .where = where};
    bool known = true;
    for (uint32_t i = 0; i < info->stageCount; i++) {
        VkShaderStageFlags stage = info->pStages[i].stage;
        all |= stage;
        s.skip |= check_pipeline_stage(call, &LOCATION_INDEX(where, "pStages", i),
                                       &info->pStages[i], flags, info->pNext);
    }
    for (uint32_t i = 0; i < library_count(info); i++) {
        const struct pipeline *library = find_pipeline(call, info->pLibraryInfo->pLibraries[i]);
        known &= library != NULL;
        all |= library ? library->stages : 0;
    }
    if (known && (info->stageCount || library_count(info)))
        REQUIRE(&s, VUID_VkRayTracingPipelineCreateInfoKHR_stage_03425,
                flags & FLAG(LIBRARY_BIT_KHR) || all & VK_SHADER_STAGE_RAYGEN_BIT_KHR, "pStages",
                "has no ray generation shader");
    return s.skip;
}

/* Checks flags that ray tracing pipelines must not have. */
static bool check_ray_tracing_flags(const struct call *call, const struct location *where,
                                    VkPipelineCreateFlags2 flags)
{
    struct subject s = {.call = call};
    REQUIRE(&s, VUID_vkCreateRayTracingPipelinesKHR_flags_03816, !(flags & FLAG(DISPATCH_BASE_BIT)),
            where, "has VK_PIPELINE_CREATE_DISPATCH_BASE_BIT");
    return s.skip;
}

/* The ray tracing stages in pStages; stages that cannot be read are left out. */
static VkShaderStageFlags stages_of(const VkRayTracingPipelineCreateInfoKHR *info)
{
    VkShaderStageFlags stages = 0;
    for (uint32_t i = 0; i < info->stageCount && !pointer_is_bad(info->pStages); i++)
        stages |= info->pStages[i].stage;
    return stages & STAGES_RAY_TRACING;
}

/* Checks element `index` of the `count` create infos. */
static bool check_ray_tracing_pipeline(const struct call *call, const struct location *where,
                                       const VkRayTracingPipelineCreateInfoKHR *info,
                                       uint32_t index, uint32_t count, VkPipelineCache cache)
{
    VkPipelineCreateFlags2 flags = pipeline_create_flags(info->pNext, info->flags);
    const struct pipeline_base base = {VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR,
                                       flags,
                                       info->pNext,
                                       info->layout,
                                       info->basePipelineHandle,
                                       info->basePipelineIndex,
                                       index,
                                       count,
                                       cache,
                                       stages_of(info)};
    const struct stage_list list = {info, call, true};
    struct subject s = {.call = call, .where = where};
    s.skip |= check_pipeline_base(call, where, &base);
    s.skip |= check_ray_tracing_flags(call, &LOCATION(where, "flags"), flags);
    if (!info->stageCount || !pointer_is_bad(info->pStages)) {
        s.skip |= ray_pipeline_check_stages(call, where, info, flags);
        for (uint32_t i = 0; i < info->groupCount && !pointer_is_bad(info->pGroups); i++)
            s.skip |= ray_pipeline_check_group(&list, &LOCATION_INDEX(where, "pGroups", i),
                                               &info->pGroups[i], flags);
    }
    check_replayed_groups(&s, info);
    s.skip |= check_libraries(call, where, info, flags);
    s.skip |= check_dynamic_states_unique(call, where, info->pDynamicState);
    return s.skip;
}

bool core_validate_CreateRayTracingPipelinesKHR(struct call *call, VkDevice device,
                                                VkDeferredOperationKHR deferredOperation,
                                                VkPipelineCache pipelineCache,
                                                uint32_t createInfoCount,
                                                const VkRayTracingPipelineCreateInfoKHR
                                                    *pCreateInfos,
                                                const VkAllocationCallbacks *pAllocator,
                                                VkPipeline *pPipelines)
{
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < createInfoCount; i++) {
        const struct location *where = &LOCATION_INDEX(NULL, "pCreateInfos", i);
        s.skip |= check_ray_tracing_pipeline(call, where, &pCreateInfos[i], i, createInfoCount,
                                             pipelineCache);
        REQUIRE(&s, VUID_vkCreateRayTracingPipelinesKHR_deferredOperation_03587,
                !deferredOperation ||
                    !(pipeline_create_flags(pCreateInfos[i].pNext, pCreateInfos[i].flags) &
                      FLAG(EARLY_RETURN_ON_FAILURE_BIT)),
                &LOCATION(where, "flags"),
                "has VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT, but the "
                "operation is deferred");
    }
    return s.skip;
}

/* --- what is asked of a pipeline's groups --- */

/* The rules of commands that return handles of groups. */
struct handle_rules {
    enum vuid first, sum; /* first: the first group exists; sum: all groups exist */
};

/* Checks the groups whose handles are queried. `rules`: those of the command. */
static bool check_handles_of(const struct call *call, VkPipeline handle, uint32_t first,
                             uint32_t count, const struct handle_rules *rules)
{
    assert(rules);
    const struct pipeline *pipeline = find_pipeline(call, handle);
    const struct finding_objects *objects = OBJECT(HANDLE_PIPELINE, handle);
    struct subject s = {.call = call, .objects = objects};
    /* A generated check (stateless/rows.h) reports a pipeline that is not for ray tracing. */
    if (!pipeline || pipeline->bind_point != VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR)
        return false;
    if (first >= pipeline->group_count)
        s.skip |= call_stop(call, BROKEN_BY(call, rules->first, &LOCATION(NULL, "firstGroup"),
                                            objects, "is %u, but the pipeline has %u groups", first,
                                            pipeline->group_count));
    else
        REQUIRE(&s, rules->sum, (uint64_t)first + count <= pipeline->group_count, "groupCount",
                "and firstGroup are %" PRIu64 " together, but the pipeline has %u groups",
                (uint64_t)first + count, pipeline->group_count);
    return s.skip;
}

bool core_validate_GetRayTracingShaderGroupHandlesKHR(struct call *call, VkDevice device,
                                                      VkPipeline pipeline, uint32_t firstGroup,
                                                      uint32_t groupCount, size_t dataSize,
                                                      void *pData)
{
    static const struct handle_rules rules = {
        VUID_vkGetRayTracingShaderGroupHandlesKHR_firstGroup_04050,
        VUID_vkGetRayTracingShaderGroupHandlesKHR_firstGroup_02419};
    return check_handles_of(call, pipeline, firstGroup, groupCount, &rules);
}

bool core_validate_GetRayTracingCaptureReplayShaderGroupHandlesKHR(struct call *call,
                                                                   VkDevice device,
                                                                   VkPipeline pipeline,
                                                                   uint32_t firstGroup,
                                                                   uint32_t groupCount,
                                                                   size_t dataSize, void *pData)
{
    static const struct handle_rules rules = {
        VUID_vkGetRayTracingCaptureReplayShaderGroupHandlesKHR_firstGroup_04051,
        VUID_vkGetRayTracingCaptureReplayShaderGroupHandlesKHR_firstGroup_03483};
    struct subject s = {.call = call};
    return s.skip | check_handles_of(call, pipeline, firstGroup, groupCount, &rules);
}

bool core_validate_GetRayTracingShaderGroupStackSizeKHR(struct call *call, VkDevice device,
                                                        VkPipeline pipeline, uint32_t group,
                                                        VkShaderGroupShaderKHR groupShader)
{
    const struct pipeline *state = named_pipeline(call, 0, pipeline);
    if (!state || state->bind_point != VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR)
        return false;
    struct subject s = {.call = call};
    REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, pipeline),
               VUID_vkGetRayTracingShaderGroupStackSizeKHR_group_03608, group < state->group_count,
               "group", "is %u, but the pipeline has %u groups", group, state->group_count);
    /* The shader identified by groupShader in group must not be VK_SHADER_UNUSED_KHR */
    if (group < state->own_group_count && (unsigned)groupShader < 4)
        REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, pipeline),
                   VUID_vkGetRayTracingShaderGroupStackSizeKHR_groupShader_03609,
                   state->group_shaders[group] & 1u << groupShader, "groupShader",
                   "is %s, but group %u has no such shader",
                   TEXT_OF(VkShaderGroupShaderKHR, groupShader), group);
    return s.skip;
}
