/* Tracks the parts of a pipeline (10). This file has compute and ray tracing pipelines, and what
 * all kinds share; graphics_pipeline.c has graphics pipelines. */
#include "state/pipeline/pipeline.h"
#include "state/submit/queue.h"
#include "state/hooks.h"

#include <string.h>

#include <spirv/unified1/spirv.h>

#include "spirv/module/reflect.h"
#include "state/pipeline/graphics_info.h"
#include "state/memory/mapping.h"
#include "state/pipeline/pipeline_parts.h"
#include "vk/chain.h"

/* bits of the sets that share the first interface */
#define SETS_OF_FIRST_INTERFACE 0x11111111u
static_assert(PIPELINE_INTERFACES == 4, "each fourth set");

struct pipeline *pipeline_new(const struct call *call, VkPipeline handle, size_t size,
                              VkPipelineBindPoint bind_point)
{
    assert(size >= sizeof(struct pipeline));
    struct object *object = call_find(call, (uint64_t)handle, HANDLE_PIPELINE);
    struct pipeline *pipeline = object && !object->state ? mem_alloc_lines_zeroed(size) : NULL;
    if (!pipeline)
        return NULL;
    pipeline->base.object = object;
    pipeline->bind_point = bind_point;
    return pipeline;
}

const struct spirv_entry_point *pipeline_stage_entry(const struct pipeline_stage *stage)
{
    assert(stage);
    const struct spirv_reflection *code = stage->shader ? stage->shader->reflection : NULL;
    return code && stage->entry_point < code->entry_count ? &code->entries[stage->entry_point]
                                                          : NULL;
}

/* Adds `what` to the hash for the sets that the pipeline reads. Sets whose numbers differ by
 * PIPELINE_INTERFACES share a hash. */
static void interface_add(struct pipeline *pipeline, uint32_t set, uint64_t what)
{
    uint64_t *interface = &pipeline->interface[set % PIPELINE_INTERFACES];
    const uint64_t hash = (*interface ^ what) * 0x9e3779b97f4a7c15ull;
    *interface = hash ^ hash >> 32;
}

/* Notes that the stage uses the sets in `sets`, a bit each. */
static void add_stage_to_interfaces(struct pipeline *pipeline, const struct pipeline_stage *stage,
                                    uint32_t sets)
{
    assert(!sets || stage->shader);
    for (uint32_t i = 0; i < PIPELINE_INTERFACES; i++) {
        if (!(sets & (SETS_OF_FIRST_INTERFACE << i)))
            continue;
        interface_add(pipeline, i, stage->shader->hash);
        interface_add(pipeline, i, (uint64_t)stage->stage << 32 | stage->entry_point);
    }
}

/* Completes the hashes. Numbers below INTERFACE_FIRST have other meanings. */
static void finish_interfaces(struct pipeline *pipeline)
{
    const struct pipeline_layout *layout = pipeline->layout;
    for (uint32_t used = pipeline->used_sets; used; used &= used - 1) {
        const uint32_t set = (uint32_t)__builtin_ctz(used);
        const struct descriptor_layout *of_set =
            layout && set < layout->set_count ? layout->sets[set] : NULL;
        interface_add(pipeline, set, of_set ? of_set->compatibility : 0);
        interface_add(pipeline, set, set);
    }
    for (uint32_t i = 0; i < PIPELINE_INTERFACES; i++)
        pipeline->interface[i] = pipeline->interface[i] % INTERFACE_FIRST + INTERFACE_FIRST;
}

void pipeline_publish(struct pipeline *pipeline)
{
    assert(pipeline && pipeline->stage_count <= PIPELINE_STAGES);
    for (uint32_t i = 0; i < pipeline->stage_count; i++) {
        const struct pipeline_stage *stage = &pipeline->stage[i];
        const struct spirv_entry_point *entry = pipeline_stage_entry(stage);
        uint32_t sets = 0;
        for (uint32_t k = 0; entry && k < entry->binding_count; k++) {
            uint32_t set = stage->shader->reflection->bindings[entry->first_binding + k].set;
            /* Sets from 32 on are not tracked. */
            if (set < 32)
                sets |= 1u << set;
        }
        pipeline->used_sets |= sets;
        add_stage_to_interfaces(pipeline, stage, sets);
        pipeline->uses_push_constants |=
            entry && entry->push_accessed_begin != entry->push_accessed_end;
    }
    finish_interfaces(pipeline);
    object_state_publish(pipeline->base.object, pipeline);
}

bool pipeline_stage_reads(const struct pipeline_stage *stage, uint32_t location, bool used)
{
    assert(stage);
    const struct spirv_reflection *code = stage->shader ? stage->shader->reflection : NULL;
    if (!code || stage->entry_point >= code->entry_count)
        return false;
    const struct spirv_entry_point *entry = &code->entries[stage->entry_point];
    for (uint32_t i = 0; i < entry->interface_count; i++) {
        const struct spirv_interface *input = &code->interfaces[entry->first_interface + i];
        if (input->storage == SpvStorageClassInput && input->location != SPIRV_NONE &&
            location >= input->location && location - input->location < input->location_count &&
            (!used || input->access & SPIRV_ACCESS_USED))
            return true;
    }
    return false;
}

bool pipeline_reads_location(const struct pipeline *pipeline, uint32_t location)
{
    for (uint32_t i = 0; i < pipeline->stage_count; i++) {
        if (pipeline->stage[i].stage == VK_SHADER_STAGE_VERTEX_BIT)
            return pipeline_stage_reads(&pipeline->stage[i], location, false);
    }
    return false;
}

void pipeline_destroy(struct pipeline *pipeline)
{
    if (!pipeline)
        return;
    pipeline_layout_release(pipeline->layout);
    for (uint32_t i = 0; i < pipeline->stage_count; i++) {
        shader_release(pipeline->stage[i].shader);
        stage_mappings_release(pipeline->stage[i].mappings);
    }
    mem_retire(pipeline);
}

/* The index of the stage's entry point in the module; UINT32_MAX: the module has no entry point of
 * this name. */
static uint32_t entry_index(const struct shader *shader,
                            const VkPipelineShaderStageCreateInfo *info)
{
    assert(info);
    const struct spirv_entry_point *entry = shader_entry(shader, info->stage, info->pName);
    return entry ? (uint32_t)(entry - shader->reflection->entries) : UINT32_MAX;
}

void pipeline_add_stage(struct pipeline *pipeline, const struct call *call,
                        const VkPipelineShaderStageCreateInfo *info)
{
    assert(pipeline->stage_count <= PIPELINE_STAGES);
    const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *identifier =
        chain_find(info->pNext,
                   VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
    pipeline->stages |= info->stage;
    pipeline->has_identifiers |= identifier && identifier->identifierSize;
    /* More stages are not kept; `stages` still includes them. */
    if (pipeline->stage_count == PIPELINE_STAGES)
        return;
    struct pipeline_stage *stage = &pipeline->stage[pipeline->stage_count++];
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *subgroup =
        chain_find(info->pNext,
                   VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
    stage->stage = info->stage;
    stage->shader = shader_of_stage(call, info);
    stage->entry_point = entry_index(stage->shader, info);
    stage->mappings = stage_mappings_of(info->pNext, stage->shader, stage->entry_point);
    stage->required_subgroup_size = subgroup ? subgroup->requiredSubgroupSize : 0;
}

void pipeline_set_layout(struct pipeline *pipeline, const struct call *call,
                         VkPipelineLayout layout)
{
    assert(!pipeline->layout);
    pipeline->layout = pipeline_layout_acquire(find_pipeline_layout(call, layout));
}

/* Notes the workgroup size after specialization; it stays 0 if it is not known. */
static void note_workgroup(struct pipeline *pipeline, const VkSpecializationInfo *info)
{
    const struct pipeline_stage *stage = &pipeline->stage[0];
    const struct spirv_entry_point *entry =
        pipeline->stage_count == 1 ? pipeline_stage_entry(stage) : NULL;
    const struct spirv_specialization specialization = shader_specialization(info);
    uint32_t size[3];
    if (entry && spirv_workgroup_size(stage->shader->reflection, entry, &specialization, size))
        memcpy(pipeline->workgroup, size, sizeof(size));
}

/* Allocates the state of a compute pipeline. */
static void add_compute_pipeline(const struct call *call, const VkComputePipelineCreateInfo *info,
                                 VkPipeline handle)
{
    const bool subpass_shading =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_SUBPASS_SHADING_PIPELINE_CREATE_INFO_HUAWEI);
    struct pipeline *pipeline =
        pipeline_new(call, handle, sizeof(struct pipeline),
                     /* Such a pipeline is created as a compute pipeline, but bound to another bind
                      * point. */
                     subpass_shading ? VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI
                                     : VK_PIPELINE_BIND_POINT_COMPUTE);
    if (!pipeline)
        return;
    pipeline->flags = pipeline_create_flags(info->pNext, info->flags);
    pipeline_set_layout(pipeline, call, info->layout);
    pipeline_add_stage(pipeline, call, &info->stage);
    note_workgroup(pipeline, info->stage.pSpecializationInfo);
    const VkComputePipelineIndirectBufferInfoNV *indirect =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_INDIRECT_BUFFER_INFO_NV);
    pipeline->has_indirect_buffer = indirect && indirect->deviceAddress;
    pipeline_publish(pipeline);
}

void state_after_CreateComputePipelines(struct call *call, VkDevice device,
                                        VkPipelineCache pipelineCache, uint32_t createInfoCount,
                                        const VkComputePipelineCreateInfo *pCreateInfos,
                                        const VkAllocationCallbacks *pAllocator,
                                        VkPipeline *pPipelines)
{
    for (uint32_t i = 0; i < createInfoCount; i++)
        add_compute_pipeline(call, &pCreateInfos[i], pPipelines[i]);
}

/* Notes the optical flow node in the chain of a data graph pipeline. */
static void keep_optical_flow(struct pipeline *pipeline, const void *chain)
{
    const VkDataGraphPipelineSingleNodeCreateInfoARM *node =
        chain_find(chain, VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SINGLE_NODE_CREATE_INFO_ARM);
    const VkDataGraphPipelineOpticalFlowCreateInfoARM *flow =
        chain_find(chain, VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_OPTICAL_FLOW_CREATE_INFO_ARM);
    pipeline->optical_flow =
        node && node->nodeType == VK_DATA_GRAPH_PIPELINE_NODE_TYPE_OPTICAL_FLOW_ARM;
    if (node && flow)
        pipeline->flow_size = flow->width > flow->height ? flow->width : flow->height;
}

/* Allocates the state of a data graph pipeline. */
static void add_data_graph_pipeline(const struct call *call,
                                    const VkDataGraphPipelineCreateInfoARM *info, VkPipeline handle)
{
    struct pipeline *pipeline =
        pipeline_new(call, handle, sizeof(struct pipeline), VK_PIPELINE_BIND_POINT_DATA_GRAPH_ARM);
    const VkDataGraphPipelineNeuralStatisticsCreateInfoARM *statistics =
        chain_find(info->pNext,
                   VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_NEURAL_STATISTICS_CREATE_INFO_ARM);
    if (!pipeline)
        return;
    pipeline->flags = info->flags;
    pipeline->graph_statistics = statistics && statistics->allowNeuralStatistics;
    keep_optical_flow(pipeline, info->pNext);
    pipeline_set_layout(pipeline, call, info->layout);
    pipeline_publish(pipeline);
}

/* The layer does not know the handle of a deferred pipeline yet, so that it stays unknown. */
void state_after_CreateDataGraphPipelinesARM(struct call *call, VkDevice device,
                                             VkDeferredOperationKHR deferredOperation,
                                             VkPipelineCache pipelineCache,
                                             uint32_t createInfoCount,
                                             const VkDataGraphPipelineCreateInfoARM *pCreateInfos,
                                             const VkAllocationCallbacks *pAllocator,
                                             VkPipeline *pPipelines)
{
    for (uint32_t i = 0; i < createInfoCount; i++)
        add_data_graph_pipeline(call, &pCreateInfos[i], pPipelines[i]);
}

/* A library of the pipeline; NULL: it is not known. */
static const struct object *find_library(const struct call *call,
                                         const VkPipelineLibraryCreateInfoKHR *libraries,
                                         uint32_t index)
{
    assert(index < libraries->libraryCount);
    return call_find(call, (uint64_t)libraries->pLibraries[index], HANDLE_PIPELINE);
}

uint32_t pipeline_library_count(const struct call *call,
                                const VkPipelineLibraryCreateInfoKHR *libraries)
{
    uint32_t count = 0;
    for (uint32_t i = 0;
         libraries && !pointer_is_bad(libraries->pLibraries) && i < libraries->libraryCount; i++) {
        const struct pipeline *library =
            object_load_state_typed(find_library(call, libraries, i), HANDLE_PIPELINE);
        count += 1 + (library ? library->library_count : 0);
    }
    return count;
}

void pipeline_set_libraries(struct pipeline *pipeline, const struct call *call,
                            const VkPipelineLibraryCreateInfoKHR *libraries, uint32_t room,
                            uint64_t *ids)
{
    assert(!room || (libraries && ids));
    uint32_t count = 0;
    for (uint32_t i = 0; count < room && i < libraries->libraryCount; i++) {
        const struct object *object = find_library(call, libraries, i);
        const struct pipeline *library = object_load_state_typed(object, HANDLE_PIPELINE);
        if (object)
            ids[count++] = atomic_load_explicit(&object->id, memory_order_relaxed);
        for (uint32_t k = 0; library && k < library->library_count && count < room; k++)
            /* Libraries of libraries are included: the list is flat. */
            ids[count++] = library->libraries[k];
    }
    pipeline->libraries = ids;
    pipeline->library_count = count;
}

/* Adds the groups and stages of libraries. Numbers of groups continue through the libraries. */
static void add_ray_tracing_libraries(struct pipeline *pipeline, const struct call *call,
                                      const VkPipelineLibraryCreateInfoKHR *libraries)
{
    if (!libraries || pointer_is_bad(libraries->pLibraries))
        return;
    for (uint32_t i = 0; i < libraries->libraryCount; i++) {
        const struct pipeline *library = find_pipeline(call, libraries->pLibraries[i]);
        if (!library)
            continue;
        pipeline->group_count += library->group_count;
        pipeline->stages |= library->stages;
        for (uint32_t k = 0; k < library->stage_count && pipeline->stage_count < PIPELINE_STAGES;
             k++) {
            struct pipeline_stage *stage = &pipeline->stage[pipeline->stage_count++];
            *stage = library->stage[k];
            /* This pipeline acquires them, as the library may be destroyed first. */
            shader_acquire(stage->shader);
            stage_mappings_acquire(stage->mappings);
        }
    }
}

/* The shaders of a group, as bits 1 << VkShaderGroupShaderKHR. */
static uint8_t shaders_of_group(const VkRayTracingShaderGroupCreateInfoKHR *group)
{
    const bool general = group->type == VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
               procedural =
                   group->type == VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR;
    uint8_t shaders = 0;
    if (general && group->generalShader != VK_SHADER_UNUSED_KHR)
        shaders |= 1u << VK_SHADER_GROUP_SHADER_GENERAL_KHR;
    /* Members that the group's type does not use are ignored. */
    if (!general && group->closestHitShader != VK_SHADER_UNUSED_KHR)
        shaders |= 1u << VK_SHADER_GROUP_SHADER_CLOSEST_HIT_KHR;
    if (!general && group->anyHitShader != VK_SHADER_UNUSED_KHR)
        shaders |= 1u << VK_SHADER_GROUP_SHADER_ANY_HIT_KHR;
    if (procedural && group->intersectionShader != VK_SHADER_UNUSED_KHR)
        shaders |= 1u << VK_SHADER_GROUP_SHADER_INTERSECTION_KHR;
    return shaders;
}

/* Notes the pipeline's own groups. `shaders`: room for `count` entries, which the pipeline owns. */
static void set_groups(struct pipeline *pipeline, const VkRayTracingPipelineCreateInfoKHR *info,
                       uint32_t count, uint8_t *shaders)
{
    pipeline->group_count = info->groupCount;
    pipeline->own_group_count = count;
    for (uint32_t i = 0; i < count; i++)
        shaders[i] = shaders_of_group(&info->pGroups[i]);
    pipeline->group_shaders = count ? shaders : NULL;
}

/* Allocates the state of a ray tracing pipeline. */
static void add_ray_tracing_pipeline(const struct call *call,
                                     const VkRayTracingPipelineCreateInfoKHR *info,
                                     VkPipeline handle)
{
    const VkPipelineLibraryCreateInfoKHR *libraries = info->pLibraryInfo;
    const uint32_t room = pipeline_library_count(call, libraries),
                   groups = pointer_is_bad(info->pGroups) ? 0 : info->groupCount;
    struct pipeline *pipeline =
        pipeline_new(call, handle, sizeof(struct pipeline) + room * sizeof(uint64_t) + groups,
                     VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR);
    if (!pipeline)
        return;
    pipeline_set_libraries(pipeline, call, libraries, room, (uint64_t *)(pipeline + 1));
    /* One allocation: the pipeline, its libraries, and a byte for each group. */
    set_groups(pipeline, info, groups, (uint8_t *)((uint64_t *)(pipeline + 1) + room));
    pipeline->flags = pipeline_create_flags(info->pNext, info->flags);
    pipeline->max_recursion_depth = info->maxPipelineRayRecursionDepth;
    if (!pointer_is_bad(info->pLibraryInterface)) {
        pipeline->max_payload_size = info->pLibraryInterface->maxPipelineRayPayloadSize;
        pipeline->max_attribute_size = info->pLibraryInterface->maxPipelineRayHitAttributeSize;
    }
    pipeline_set_layout(pipeline, call, info->layout);
    for (uint32_t i = 0; i < info->stageCount && !pointer_is_bad(info->pStages); i++)
        pipeline_add_stage(pipeline, call, &info->pStages[i]);
    add_ray_tracing_libraries(pipeline, call, info->pLibraryInfo);
    pipeline->dynamic = graphics_given_dynamic_states(info->pDynamicState);
    pipeline_publish(pipeline);
}

/* Notes whether groups of pipelines were created with handles to replay. */
static void note_replayed_groups(const struct call *call,
                                 const VkRayTracingPipelineCreateInfoKHR *info)
{
    struct device_state *state = device_state_make(call->device);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < info->groupCount && !pointer_is_bad(info->pGroups); i++)
        seen |= info->pGroups[i].pShaderGroupCaptureReplayHandle ? 2 : 1;
    if (state && seen)
        atomic_fetch_or_explicit(&state->replayed_groups, seen, memory_order_relaxed);
}

/* The layer does not know the handle of a deferred pipeline yet, so that it stays unknown. */
void state_after_CreateRayTracingPipelinesKHR(struct call *call, VkDevice device,
                                              VkDeferredOperationKHR deferredOperation,
                                              VkPipelineCache pipelineCache,
                                              uint32_t createInfoCount,
                                              const VkRayTracingPipelineCreateInfoKHR *pCreateInfos,
                                              const VkAllocationCallbacks *pAllocator,
                                              VkPipeline *pPipelines)
{
    for (uint32_t i = 0; i < createInfoCount; i++) {
        add_ray_tracing_pipeline(call, &pCreateInfos[i], pPipelines[i]);
        if (call->result == VK_SUCCESS)
            note_replayed_groups(call, &pCreateInfos[i]);
    }
}

/* Allocates the state of a ray tracing pipeline of the NV extension. */
static void add_ray_tracing_pipeline_nv(const struct call *call,
                                        const VkRayTracingPipelineCreateInfoNV *info,
                                        VkPipeline handle)
{
    struct pipeline *pipeline =
        pipeline_new(call, handle, sizeof(struct pipeline), VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR);
    if (!pipeline)
        return;
    pipeline->flags = pipeline_create_flags(info->pNext, info->flags);
    pipeline->group_count = info->groupCount;
    pipeline->max_recursion_depth = info->maxRecursionDepth;
    pipeline_set_layout(pipeline, call, info->layout);
    for (uint32_t i = 0; i < info->stageCount && !pointer_is_bad(info->pStages); i++)
        pipeline_add_stage(pipeline, call, &info->pStages[i]);
    pipeline_publish(pipeline);
}

void state_after_CreateRayTracingPipelinesNV(struct call *call, VkDevice device,
                                             VkPipelineCache pipelineCache,
                                             uint32_t createInfoCount,
                                             const VkRayTracingPipelineCreateInfoNV *pCreateInfos,
                                             const VkAllocationCallbacks *pAllocator,
                                             VkPipeline *pPipelines)
{
    for (uint32_t i = 0; i < createInfoCount; i++)
        add_ray_tracing_pipeline_nv(call, &pCreateInfos[i], pPipelines[i]);
}

void state_after_ReleaseCapturedPipelineDataKHR(struct call *call, VkDevice device,
                                                const VkReleaseCapturedPipelineDataInfoKHR *pInfo,
                                                const VkAllocationCallbacks *pAllocator)
{
    struct pipeline *pipeline = find_pipeline(call, pInfo->pipeline);
    if (pipeline)
        atomic_store_explicit(&pipeline->data_released, true, memory_order_relaxed);
}
