/* Advice on pipelines, pipeline layouts and pipeline caches. */
#include "practices/areas.h"
#include "practices/advise.h"
#include "practices/hooks.h"
#include "spirv/module/reflect.h"
#include "state/descriptor/descriptor.h"
#include "state/pipeline/shader.h"

#include <spirv/unified1/spirv.h>

/* So few pipelines without a cache do not matter. */
#define UNCACHED_PIPELINES 8
/* AMD: so many pipelines of a device are too many. */
#define MANY_PIPELINES 5000
/* The number of user data registers that a layout may use; the driver uses some itself. */
#define LAYOUT_WORDS 13
/* SPIR-V 1.6, as the header of a module encodes it. */
#define SPIRV_1_6 0x10600

/* --- caches --- */

/* Advises if pipelines are created without a cache, once per device, as such a program often does
 * so in many places. */
static void judge_missing_cache(const struct call *call, enum vuid id, _Atomic uint32_t *uncached,
                                uint32_t count, const char *what)
{
    uint32_t before = atomic_fetch_add_explicit(uncached, count, memory_order_relaxed);
    if (before <= UNCACHED_PIPELINES && before + count > UNCACHED_PIPELINES)
        advise(call, id, &LOCATION(NULL, "pipelineCache"), NULL,
               "is VK_NULL_HANDLE, with %u %s pipelines made without a cache", before + count,
               what);
}

/* True if the pipeline may be created from binaries, or binaries be created from it: then a cache
 * is not allowed. `pipeline`: NULL if memory ran out for its state. */
static bool may_have_binaries(const void *chain, const struct pipeline *pipeline)
{
    return !pipeline || CHAINED(chain, PIPELINE_BINARY_INFO_KHR) != NULL ||
           pipeline->flags & VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
}

/* --- how many there are --- */

/* True for kinds of pipelines that are counted. Ray tracing pipelines are few, and not counted. */
static bool is_counted(const struct pipeline *pipeline)
{
    return pipeline->bind_point == VK_PIPELINE_BIND_POINT_GRAPHICS ||
           pipeline->bind_point == VK_PIPELINE_BIND_POINT_COMPUTE;
}

/* AMD: counts new pipelines, and advises if there are too many. */
static void count_pipelines(const struct call *call, struct practices_of_device *kept,
                            uint32_t count, const VkPipeline *pipelines)
{
    uint32_t made = 0;
    if (!practices_want(call, PRACTICE_AMD))
        return;
    for (uint32_t i = 0; i < count; i++)
        made += find_pipeline(call, pipelines[i]) != NULL;
    uint32_t before = atomic_fetch_add_explicit(&kept->pipelines, made, memory_order_relaxed);
    if (before + made >= MANY_PIPELINES)
        advise(call, BestPractices_AMD_CreatePipelines_TooManyPipelines, NULL, NULL,
               "makes pipeline %u of the device", before + made);
}

void practices_before_DestroyPipeline(struct call *call, VkDevice device, VkPipeline pipeline,
                                      const VkAllocationCallbacks *pAllocator)
{
    struct practices_of_device *kept =
        practices_want(call, PRACTICE_AMD) ? practices_of_device(call->device) : NULL;
    const struct pipeline *gone = kept ? named_pipeline(call, 0, pipeline) : NULL;
    if (gone && is_counted(gone))
        atomic_fetch_sub_explicit(&kept->pipelines, 1, memory_order_relaxed);
}

/* --- workgroups --- */

/* A stage that executes in workgroups. Threads: on the stack of the hook. */
struct workgroup {
    const struct call *call;
    const struct location *where;
    const struct finding_objects *objects;
    uint32_t size[3];
    uint64_t total; /* the product of `size` */
};

/* Judges the size of a compute workgroup. */
static void judge_compute(const struct workgroup *group)
{
    const uint32_t *size = group->size;
    if (group->total == 1) /* there is no parallelism to judge */
        return;
    if (group->total % 4)
        advise(group->call,
               BestPractices_Arm_vkCreateComputePipelines_compute_thread_group_alignment,
               group->where, group->objects,
               "has a workgroup size of %u by %u by %u (%llu together)", size[0], size[1], size[2],
               (unsigned long long)group->total);
    if (group->total > 64)
        advise(group->call, BestPractices_Arm_vkCreateComputePipelines_compute_work_group_size,
               group->where, group->objects,
               "has a workgroup size of %u by %u by %u (%llu together)", size[0], size[1], size[2],
               (unsigned long long)group->total);
    if (group->total % 64)
        advise(group->call, BestPractices_AMD_LocalWorkgroup_Multiple64, group->where,
               group->objects, "has a workgroup size of %u by %u by %u (%llu together)", size[0],
               size[1], size[2], (unsigned long long)group->total);
}

/* Compares a workgroup with the device's preferences; 0: the device has none. */
static void judge_mesh(const struct workgroup *group, bool is_task)
{
    const VkPhysicalDeviceMeshShaderPropertiesEXT *mesh =
        &group->call->device->extended.MeshShaderPropertiesEXT;
    const uint32_t preferred = is_task ? mesh->maxPreferredTaskWorkGroupInvocations
                                       : mesh->maxPreferredMeshWorkGroupInvocations;
    if (mesh->sType && preferred && group->total > preferred)
        advise(group->call, BestPractices_Mesh_MaxPreferredWorkGroupInvocations, group->where,
               group->objects,
               "has workgroups of %llu invocations, and the device prefers %u at most",
               (unsigned long long)group->total, preferred);
}

/* Judges the code and the workgroup of a stage. */
static void judge_stage(const struct call *call, const VkPipelineShaderStageCreateInfo *info,
                        const struct pipeline_stage *stage, const struct location *where)
{
    const bool is_compute = stage->stage == VK_SHADER_STAGE_COMPUTE_BIT,
               is_task = stage->stage == VK_SHADER_STAGE_TASK_BIT_EXT;
    const struct spirv_entry_point *entry = pipeline_stage_entry(stage);
    const struct spirv_reflection *reflection = entry ? stage->shader->reflection : NULL;
    struct workgroup group = {.call = call,
                              .where = where,
                              .objects = OBJECT(HANDLE_SHADER_MODULE, info->module),
                              .total = 1};
    const struct spirv_specialization specialization =
        shader_specialization(info->pSpecializationInfo);
    if (!reflection || !(is_compute || is_task || stage->stage == VK_SHADER_STAGE_MESH_BIT_EXT))
        return;
    if (reflection->workgroup_size_id[0] && reflection->version >= SPIRV_1_6)
        advise(call, BestPractices_SpirvDeprecated_WorkgroupSize, where, group.objects,
               "is of SPIR-V %u.%u, and has the built-in WorkgroupSize",
               reflection->version >> 16 & 0xff, reflection->version >> 8 & 0xff);
    /* If the specialization cannot be evaluated, the size is unknown. */
    if (!spirv_workgroup_size(reflection, entry, &specialization, group.size))
        return;
    for (uint32_t i = 0; i < 3; i++)
        group.total *= group.size[i];
    if (is_compute)
        judge_compute(&group);
    else if (entry->model != SpvExecutionModelMeshNV && entry->model != SpvExecutionModelTaskNV)
        judge_mesh(&group, is_task);
}

/* The stage of the pipeline; NULL: the pipeline has no stage of this kind. */
static const struct pipeline_stage *pipeline_stage_of(const struct pipeline *pipeline,
                                                      VkShaderStageFlagBits stage)
{
    for (uint32_t i = 0; i < pipeline->stage_count; i++) {
        if (pipeline->stage[i].stage == stage)
            return &pipeline->stage[i];
    }
    return NULL;
}

void practices_after_CreateComputePipelines(struct call *call, VkDevice device,
                                            VkPipelineCache pipelineCache, uint32_t createInfoCount,
                                            const VkComputePipelineCreateInfo *pCreateInfos,
                                            const VkAllocationCallbacks *pAllocator,
                                            VkPipeline *pPipelines)
{
    struct practices_of_device *kept = practices_of_device(call->device);
    if (call->result < VK_SUCCESS || !kept)
        return;
    bool binaries = false;
    for (uint32_t i = 0; i < createInfoCount; i++) {
        const struct pipeline *pipeline = find_pipeline(call, pPipelines[i]);
        const struct pipeline_stage *stage =
            pipeline ? pipeline_stage_of(pipeline, VK_SHADER_STAGE_COMPUTE_BIT) : NULL;
        binaries |= may_have_binaries(pCreateInfos[i].pNext, pipeline);
        if (stage)
            judge_stage(call, &pCreateInfos[i].stage, stage,
                        &LOCATION(&LOCATION_INDEX(NULL, "pCreateInfos", i), "stage"));
    }
    /* Pipeline binaries replace a cache. */
    if (!pipelineCache && !binaries)
        judge_missing_cache(call,
                            BestPractices_vkCreateComputePipelines_multiple_pipelines_no_cache,
                            &kept->uncached_compute, createInfoCount, "compute");
    count_pipelines(call, kept, createInfoCount, pPipelines);
}

/* --- graphics --- */

/* True if the shader writes outputs with locations. False also if its code is not known. */
static bool has_outputs(const struct pipeline_stage *stage)
{
    const struct spirv_entry_point *entry = stage ? pipeline_stage_entry(stage) : NULL;
    for (uint32_t i = 0; entry && i < entry->interface_count; i++) {
        const struct spirv_interface *leaf =
            &stage->shader->reflection->interfaces[entry->first_interface + i];
        if (leaf->storage == SpvStorageClassOutput && leaf->location != SPIRV_NONE)
            return true;
    }
    return false;
}

/* Advises if a pipeline has color outputs and no formats. Libraries are skipped, as the pipeline
 * that links them has the formats. A count of blend states that differs from the count of formats
 * is an error (06055). */
static void judge_formats(const struct call *call, const VkGraphicsPipelineCreateInfo *info,
                          const struct pipeline *pipeline, const struct location *where,
                          const struct finding_objects *objects)
{
    if (info->renderPass || CHAINED(info->pNext, PIPELINE_RENDERING_CREATE_INFO) ||
        CHAINED(info->pNext, PIPELINE_LIBRARY_CREATE_INFO_KHR) ||
        pipeline->flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR || pipeline->blend_count ||
        !pipeline->has_rasterization || pipeline->rasterization.rasterizerDiscardEnable ||
        pipeline_is_dynamic(pipeline, DYNAMIC_RASTERIZER_DISCARD_ENABLE) ||
        !device_has_feature(call->device, FEATURE_dynamicRendering) ||
        !has_outputs(pipeline_stage_of(pipeline, VK_SHADER_STAGE_FRAGMENT_BIT)))
        return;
    advise(call, BestPractices_Pipeline_NoRendering, &LOCATION(where, "renderPass"), objects,
           "is VK_NULL_HANDLE, no VkPipelineRenderingCreateInfo is chained, and the fragment "
           "shader has outputs");
}

/* Judges the state of a graphics pipeline. */
static void judge_graphics(const struct call *call, const struct pipeline *pipeline,
                           const struct location *where, const struct finding_objects *objects)
{
    const VkPipelineRasterizationStateCreateInfo *raster = &pipeline->rasterization;
    uint32_t instanced = 0;
    for (uint32_t i = 0; pipeline->has_vertex_input && i < pipeline->vertex_binding_count; i++)
        instanced += pipeline->vertex_bindings[i].rate == VK_VERTEX_INPUT_RATE_INSTANCE;
    if (instanced > 1 && !pipeline_is_dynamic(pipeline, DYNAMIC_VERTEX_INPUT_EXT))
        advise(call, BestPractices_vkCreateGraphicsPipelines_too_many_instanced_vertex_buffers,
               &LOCATION(where, "pVertexInputState"), objects,
               "has %u bindings that advance by instance", instanced);
    if (pipeline->has_rasterization && raster->depthBiasEnable &&
        raster->depthBiasConstantFactor == 0.0f && raster->depthBiasSlopeFactor == 0.0f &&
        !raster->rasterizerDiscardEnable && !pipeline_is_dynamic(pipeline, DYNAMIC_DEPTH_BIAS) &&
        !pipeline_is_dynamic(pipeline, DYNAMIC_DEPTH_BIAS_ENABLE))
        advise(call, BestPractices_Arm_vkCreatePipelines_depthbias_zero,
               &LOCATION(&LOCATION(where, "pRasterizationState"), "depthBiasEnable"), objects,
               "is VK_TRUE, and both factors are 0");
}

/* Judges task and mesh shaders of a pipeline. */
static void judge_graphics_stages(const struct call *call, const VkGraphicsPipelineCreateInfo *info,
                                  const struct pipeline *pipeline, const struct location *where)
{
    const VkShaderStageFlags stages = VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
    if (!(pipeline->stages & stages) || !info->pStages)
        return;
    for (uint32_t i = 0; i < info->stageCount; i++) {
        const struct pipeline_stage *stage =
            info->pStages[i].stage & stages ? pipeline_stage_of(pipeline, info->pStages[i].stage)
                                            : NULL;
        if (stage)
            judge_stage(call, &info->pStages[i], stage, &LOCATION_INDEX(where, "pStages", i));
    }
}

void practices_after_CreateGraphicsPipelines(struct call *call, VkDevice device,
                                             VkPipelineCache pipelineCache,
                                             uint32_t createInfoCount,
                                             const VkGraphicsPipelineCreateInfo *pCreateInfos,
                                             const VkAllocationCallbacks *pAllocator,
                                             VkPipeline *pPipelines)
{
    struct practices_of_device *kept = practices_of_device(call->device);
    if (call->result < VK_SUCCESS || !kept)
        return;
    bool binaries = false;
    for (uint32_t i = 0; i < createInfoCount; i++) {
        const struct pipeline *pipeline = find_pipeline(call, pPipelines[i]);
        const struct location where = LOCATION_INDEX(NULL, "pCreateInfos", i);
        binaries |= may_have_binaries(pCreateInfos[i].pNext, pipeline);
        /* the libraries were judged when they were created */
        if (!pipeline || pipeline->library_count)
            continue;
        judge_graphics(call, pipeline, &where, OBJECT(HANDLE_PIPELINE, pPipelines[i]));
        judge_formats(call, &pCreateInfos[i], pipeline, &where,
                      OBJECT(HANDLE_PIPELINE, pPipelines[i]));
        judge_graphics_stages(call, &pCreateInfos[i], pipeline, &where);
    }
    if (!pipelineCache && !binaries)
        judge_missing_cache(call,
                            BestPractices_vkCreateGraphicsPipelines_multiple_pipelines_no_cache,
                            &kept->uncached_graphics, createInfoCount, "graphics");
    count_pipelines(call, kept, createInfoCount, pPipelines);
}

/* --- layouts: AMD --- */

/* The words that must be loaded before a descriptor can be read: one word per set, and the
 * addresses of dynamic buffers. Push constants are left out: those without a register are read from
 * memory, as they would be from a buffer. Threads: on the stack of the hook. */
struct layout_words {
    uint32_t all, sets, dynamic; /* number of words; of sets; of dynamic buffers */
};

/* Counts the words of a layout. With robustBufferAccess, the address of a dynamic buffer takes four
 * words, as it includes the size. */
static struct layout_words words_of_layout(const struct device *device,
                                           const struct pipeline_layout *layout)
{
    const uint32_t of_dynamic = device_has_feature(device, FEATURE_robustBufferAccess) ? 4 : 2;
    struct layout_words words = {0};
    for (uint32_t i = 0; i < layout->set_count; i++) {
        words.sets += layout->sets[i] != NULL;
        words.dynamic += layout->sets[i] ? layout->sets[i]->dynamic_count : 0;
    }
    words.all = words.sets + words.dynamic * of_dynamic;
    return words;
}

void practices_after_CreatePipelineLayout(struct call *call, VkDevice device,
                                          const VkPipelineLayoutCreateInfo *pCreateInfo,
                                          const VkAllocationCallbacks *pAllocator,
                                          VkPipelineLayout *pPipelineLayout)
{
    const struct pipeline_layout *layout =
        call->result == VK_SUCCESS && practices_want(call, PRACTICE_AMD)
            ? find_pipeline_layout(call, *pPipelineLayout)
            : NULL;
    const struct layout_words words =
        layout ? words_of_layout(call->device, layout) : (struct layout_words){0};
    if (words.all > LAYOUT_WORDS)
        advise(call, BestPractices_AMD_CreatePipelinesLayout_KeepLayoutSmall, CREATE_INFO,
               OBJECT(HANDLE_PIPELINE_LAYOUT, *pPipelineLayout),
               "takes %u words of 32 bits for %u sets and %u dynamic buffers, and %u fit in "
               "registers",
               words.all, words.sets, words.dynamic, LAYOUT_WORDS);
}
