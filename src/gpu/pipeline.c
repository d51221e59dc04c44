/* Which shaders does the driver get when pipelines are made? Of each stage whose code is known, the instrumented one. */
#include "gpu/pipeline.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

#include "chassis/chain.h"
#include "chassis/hooks.h"
#include "chassis/translate.h"
#include "gpu/buffers.h"
#include "gpu/hooks.h"
#include "gpu/shader.h"
#include "report/reporter.h"
#include "spirv/reflect.h"
#include "state/graphics_info.h"
#include "stateless/check.h"

/* What one create info gives, of any kind of pipeline. */
struct source {
    const void *next; /* the app's chain */
    VkPipelineCreateFlags2 flags;
    const struct pipeline_layout *layout; /* NULL: unknown */
    uint32_t stage_count;
    const VkPipelineShaderStageCreateInfo *app, *down;
    const VkPipelineLibraryCreateInfoKHR *libraries; /* NULL: none */
};

/* --- what is kept of a pipeline --- */

void gpu_pipeline_free(struct gpu_pipeline *pipeline)
{
    if (!pipeline)
        return;
    for (uint32_t i = 0; i < pipeline->stage_count; i++) {
        gpu_shader_release(pipeline->stages[i].shader);
        mem_free(pipeline->stages[i].module_name);
    }
    mem_retire(pipeline);
}

static const struct gpu_pipeline *library_of(const struct call *call, const struct source *source, uint32_t index)
{
    const struct pipeline *library = find_pipeline(call, source->libraries->pLibraries[index]);
    return library ? library->gpu : NULL;
}

static uint32_t library_count(const struct source *source)
{
    return source->libraries && !pointer_is_bad(source->libraries->pLibraries) ? source->libraries->libraryCount : 0;
}

/* With room for all stages that it may have. NULL: memory is out. */
static struct gpu_pipeline *pipeline_new(const struct call *call, const struct source *source)
{
    size_t stages = source->stage_count;
    for (uint32_t i = 0; i < library_count(source); i++) {
        const struct gpu_pipeline *library = library_of(call, source, i);
        stages += library ? library->stage_count : 0;
    }
    return stages ? mem_alloc_zeroed(sizeof(struct gpu_pipeline) + stages * sizeof(struct gpu_stage)) : NULL;
}

static void add_stage(struct gpu_pipeline *pipeline, struct gpu_stage stage, const struct gpu_push *push)
{
    pipeline->stages[pipeline->stage_count++] = stage;
    pipeline->checks |= stage.shader->checks;
    pipeline->fetches |= stage.shader->fetches;
    if (!stage.shader->by_push)
        return;
    pipeline->push_stages |= stage.stage;
    pipeline->push = push;
}

/* A linked pipeline runs its libraries' shaders, instrumented or not. */
static void take_over_libraries(const struct call *call, const struct source *source, struct gpu_pipeline *pipeline)
{
    for (uint32_t i = 0; i < library_count(source); i++) {
        const struct gpu_pipeline *library = library_of(call, source, i);
        for (uint32_t k = 0; library && k < library->stage_count; k++) {
            struct gpu_stage stage = library->stages[k];
            gpu_shader_hold(stage.shader);
            stage.module_name = stage.module_name ? mem_copy_string(stage.module_name) : NULL;
            add_stage(pipeline, stage, library->push);
        }
    }
}

/* --- one stage --- */

void gpu_read_robustness(const struct device *device, const void *pipeline_chain, const void *stage_chain,
                         struct gpu_request *request)
{
    const VkStructureType type = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO;
    const VkPipelineRobustnessCreateInfo *given = chain_find(stage_chain, type);
    if (!given)
        given = chain_find(pipeline_chain, type);
    bool by_default = device_has_feature(device, FEATURE_robustBufferAccess) ||
                      device_has_feature(device, FEATURE_robustBufferAccess2);
    VkPipelineRobustnessBufferBehavior uniform = given ? given->uniformBuffers : 0;
    VkPipelineRobustnessBufferBehavior storage = given ? given->storageBuffers : 0;
    request->robust_uniform = uniform == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT
                                  ? by_default
                                  : uniform != VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED;
    request->robust_storage = storage == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT
                                  ? by_default
                                  : storage != VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED;
    /* If the robustBufferAccess feature is not enabled, and that pipeline was created without enabling ... for vertexInputs (02721) */
    VkPipelineRobustnessBufferBehavior vertex = given ? given->vertexInputs : 0;
    request->robust_vertex = device_has_feature(device, FEATURE_robustBufferAccess) ||
                             vertex == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS ||
                             vertex == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2;
}

/* The code of a stage, which is its module's or stands in its chain; request->code is held then. False: it is not known. */
static bool read_code(const struct call *call, const VkPipelineShaderStageCreateInfo *app, struct gpu_request *request,
                      bool *selected)
{
    const struct shader_module *module = find_shader_module(call, app->module);
    *selected = gpu_chain_selects(app->pNext);
    if (module && module->gpu && module->shader) {
        request->words = module->gpu->words;
        request->size = module->gpu->size;
        request->hash = module->gpu->hash;
        request->code = shader_acquire(module->shader);
        *selected |= module->gpu->selected;
        return true;
    }
    const VkShaderModuleCreateInfo *code = chain_find(app->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    request->code = app->module || !code ? NULL : shader_of_code(code->pCode, code->codeSize);
    if (!request->code)
        return false;
    request->words = code->pCode;
    request->size = code->codeSize;
    request->hash = request->code->hash;
    *selected |= gpu_chain_selects(code->pNext);
    return true;
}

/* The module's debug name, or the one that stands in the stage's chain. Owned; NULL: there is none. */
static char *name_of(const struct call *call, const VkPipelineShaderStageCreateInfo *app)
{
    struct object *module = call_find(call, (uint64_t)app->module, HANDLE_SHADER_MODULE);
    const VkDebugUtilsObjectNameInfoEXT *named =
        chain_find(app->pNext, VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
    if (module)
        return reporter_copy_name(call->instance->reporter, module);
    return named && !pointer_is_bad(named->pObjectName) ? mem_copy_string(named->pObjectName) : NULL;
}

/* The stage with the instrumented code. False: the app's must do. */
static bool replace_code(struct gpu_change *change, const struct gpu_shader *shader,
                         VkPipelineShaderStageCreateInfo *down)
{
    const VkShaderModuleCreateInfo *code = chain_find(down->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    if (!shader->by_push) {
        const VkSpecializationInfo *specialization = gpu_specialization(change->shaders, down->pSpecializationInfo);
        if (!specialization)
            return false;
        down->pSpecializationInfo = specialization;
    }
    if (down->module) {
        down->module = gpu_change_module(change, shader);
        return down->module != VK_NULL_HANDLE;
    }
    VkShaderModuleCreateInfo *copy = scratch_alloc(&thread_self()->scratch, sizeof(*copy));
    if (!copy)
        return false;
    *copy = *code;
    copy->codeSize = shader->instrumented_count * sizeof(uint32_t);
    copy->pCode = shader->instrumented;
    down->pNext = chain_replace(down->pNext, code, copy);
    return down->pNext != NULL;
}

/* Flags that rays in such a pipeline must not have. */
static uint32_t forbidden_ray_flags(VkPipelineCreateFlags2 flags)
{
    uint32_t forbidden = 0;
    if (flags & VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR)
        forbidden |= SpvRayFlagsSkipTrianglesKHRMask;
    if (flags & VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR)
        forbidden |= SpvRayFlagsSkipAABBsKHRMask;
    return forbidden;
}

/* The stage's instrumented shader, held; NULL: it stays as it is. `name` is the module's. `must`: it must not stay as it is. */
static struct gpu_shader *shader_for(struct gpu_change *change, const struct source *source,
                                     const VkPipelineShaderStageCreateInfo *app, bool by_push, const char *name,
                                     bool *must)
{
    *must = false;
    const struct settings *settings = &change->call->instance->settings;
    struct gpu_request request = {.entry = app->pName, .stage = app->stage, .by_push = by_push};
    bool selected;
    if (!(change->device->gpu_stages & app->stage) || pointer_is_bad(app->pName) ||
        !read_code(change->call, app, &request, &selected))
        return NULL;
    if (source->layout) {
        request.sets = source->layout->sets;
        request.set_count = source->layout->set_count;
    }
    request.forbidden_ray_flags = forbidden_ray_flags(source->flags);
    gpu_read_robustness(change->device, source->next, app->pNext, &request);
    selected |= !settings->gpuav_select_instrumented_shaders || gpu_chain_selects(source->next) ||
                gpu_name_is_selected(settings, name, app->pName);
    request.not_selected = !selected;
    request.specialization = app->pSpecializationInfo;
    struct gpu_shader *shader = gpu_shader_acquire(change->call, &request);
    *must = gpu_must_be_lowered(change->device, request.code);
    shader_release(request.code);
    return shader;
}

/* --- all stages of a pipeline --- */

/* Without code there is nothing to instrument; what the app keeps for other runs must not hold what this one has put into it. */
static bool is_left_alone(const struct source *source)
{
    const VkPipelineBinaryInfoKHR *binaries = chain_find(source->next, VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR);
    return (binaries && binaries->binaryCount) || (source->flags & VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR);
}

/* Commands that the device generates run these: nobody pushes a pointer in front of each. */
static bool is_reached_by_push(const struct source *source)
{
    return source->layout && !(source->flags & (VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT |
                                                VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV |
                                                VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT));
}

/* The stages that go down for create info `index`; what is kept of them is in change->made. */
static const VkPipelineShaderStageCreateInfo *change_stages(struct gpu_change *change, uint32_t index,
                                                            const struct source *source)
{
    struct gpu_pipeline *pipeline = change->made && !is_left_alone(source) ? pipeline_new(change->call, source) : NULL;
    if (!pipeline)
        return source->down;
    size_t size = source->stage_count * sizeof(*source->down);
    VkPipelineShaderStageCreateInfo *stages = scratch_alloc(&thread_self()->scratch, size);
    const struct gpu_push *push =
        source->stage_count && is_reached_by_push(source)
            ? gpu_push_of(change->device, source->layout->push_constants, source->layout->push_constant_count)
            : NULL;
    if (size && stages)
        memcpy(stages, source->down, size);
    for (uint32_t i = 0; stages && i < source->stage_count; i++) {
        char *name = name_of(change->call, &source->app[i]);
        bool must;
        struct gpu_shader *shader = shader_for(change, source, &source->app[i], push != NULL, name, &must);
        if (shader && replace_code(change, shader, &stages[i])) {
            add_stage(pipeline, (struct gpu_stage){source->app[i].stage, shader, (uint64_t)source->app[i].module, name},
                      push);
            continue;
        }
        stages[i] = source->down[i];
        change->failed |= must;
        gpu_shader_release(shader);
        mem_free(name);
    }
    take_over_libraries(change->call, source, pipeline);
    /* The library with the vertex input may ask for robust access, which the one with the shader knows nothing of. */
    if (library_count(source) && device_has_feature(change->device, FEATURE_pipelineRobustness))
        pipeline->fetches = false;
    if (pipeline->stage_count) {
        change->made[index] = pipeline;
    } else {
        gpu_pipeline_free(pipeline);
        return source->down;
    }
    return stages && source->stage_count ? stages : source->down;
}

/* Hangs what was made on the pipelines, which have their states now. */
static void publish(const struct call *call, uint32_t count, const VkPipeline *pipelines)
{
    for (uint32_t i = 0; i < count; i++) {
        struct gpu_pipeline *made = gpu_change_take(call, i);
        struct pipeline *pipeline = made ? find_pipeline(call, pipelines[i]) : NULL;
        if (pipeline)
            pipeline->gpu = made;
        else
            gpu_pipeline_free(made);
    }
    gpu_change_forget(call);
}

/* --- the calls --- */

static VkResult down_graphics(struct call *call, const VkGraphicsPipelineCreateInfo *app, VkDevice device,
                              VkPipelineCache pipelineCache, uint32_t createInfoCount,
                              const VkGraphicsPipelineCreateInfo *pCreateInfos, const VkAllocationCallbacks *pAllocator,
                              VkPipeline *pPipelines)
{
    struct gpu_change change = gpu_change_begin(call, createInfoCount);
    VkGraphicsPipelineCreateInfo *infos =
        scratch_alloc(&thread_self()->scratch, createInfoCount * sizeof(*pCreateInfos));
    for (uint32_t i = 0; infos && i < createInfoCount; i++) {
        struct graphics_info graphics = graphics_info_of(call, &app[i]);
        struct source source = {.next = app[i].pNext,
                                .flags = graphics.flags,
                                .layout = find_pipeline_layout(call, app[i].layout),
                                .stage_count = graphics.stages ? app[i].stageCount : 0,
                                .app = app[i].pStages,
                                .down = pCreateInfos[i].pStages,
                                .libraries = graphics.libraries};
        infos[i] = pCreateInfos[i];
        infos[i].pStages = change_stages(&change, i, &source);
    }
    VkResult result = gpu_change_failed(&change, infos);
    if (result == VK_SUCCESS)
        result = call->device->dispatch.CreateGraphicsPipelines(device, pipelineCache, createInfoCount, infos,
                                                                pAllocator, pPipelines);
    gpu_change_end(&change);
    return result;
}

static VkResult down_compute(struct call *call, const VkComputePipelineCreateInfo *app, VkDevice device,
                             VkPipelineCache pipelineCache, uint32_t createInfoCount,
                             const VkComputePipelineCreateInfo *pCreateInfos, const VkAllocationCallbacks *pAllocator,
                             VkPipeline *pPipelines)
{
    struct gpu_change change = gpu_change_begin(call, createInfoCount);
    VkComputePipelineCreateInfo *infos = scratch_alloc(&thread_self()->scratch, createInfoCount * sizeof(*pCreateInfos));
    for (uint32_t i = 0; infos && i < createInfoCount; i++) {
        struct source source = {.next = app[i].pNext,
                                .flags = pipeline_create_flags(app[i].pNext, app[i].flags),
                                .layout = find_pipeline_layout(call, app[i].layout),
                                .stage_count = 1,
                                .app = &app[i].stage,
                                .down = &pCreateInfos[i].stage};
        infos[i] = pCreateInfos[i];
        infos[i].stage = *change_stages(&change, i, &source);
    }
    VkResult result = gpu_change_failed(&change, infos);
    if (result == VK_SUCCESS)
        result = call->device->dispatch.CreateComputePipelines(device, pipelineCache, createInfoCount, infos,
                                                               pAllocator, pPipelines);
    gpu_change_end(&change);
    return result;
}

static VkResult down_ray_tracing(struct call *call, const VkRayTracingPipelineCreateInfoKHR *app, VkDevice device,
                                 VkDeferredOperationKHR deferredOperation, VkPipelineCache pipelineCache,
                                 uint32_t createInfoCount, const VkRayTracingPipelineCreateInfoKHR *pCreateInfos,
                                 const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
    struct gpu_change change = gpu_change_begin(call, createInfoCount);
    VkRayTracingPipelineCreateInfoKHR *infos =
        scratch_alloc(&thread_self()->scratch, createInfoCount * sizeof(*pCreateInfos));
    for (uint32_t i = 0; infos && i < createInfoCount; i++) {
        struct source source = {.next = app[i].pNext,
                                .flags = pipeline_create_flags(app[i].pNext, app[i].flags),
                                .layout = find_pipeline_layout(call, app[i].layout),
                                .stage_count = app[i].stageCount,
                                .app = app[i].pStages,
                                .down = pCreateInfos[i].pStages,
                                .libraries = app[i].pLibraryInfo};
        infos[i] = pCreateInfos[i];
        infos[i].pStages = change_stages(&change, i, &source);
    }
    VkResult result = gpu_change_failed(&change, infos);
    if (result == VK_SUCCESS)
        result = call->device->dispatch.CreateRayTracingPipelinesKHR(device, deferredOperation, pipelineCache,
                                                                     createInfoCount, infos, pAllocator, pPipelines);
    gpu_change_end(&change);
    return result;
}

static VkResult down_ray_tracing_nv(struct call *call, const VkRayTracingPipelineCreateInfoNV *app, VkDevice device,
                                    VkPipelineCache pipelineCache, uint32_t createInfoCount,
                                    const VkRayTracingPipelineCreateInfoNV *pCreateInfos,
                                    const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
    struct gpu_change change = gpu_change_begin(call, createInfoCount);
    VkRayTracingPipelineCreateInfoNV *infos =
        scratch_alloc(&thread_self()->scratch, createInfoCount * sizeof(*pCreateInfos));
    for (uint32_t i = 0; infos && i < createInfoCount; i++) {
        struct source source = {.next = app[i].pNext,
                                .flags = pipeline_create_flags(app[i].pNext, app[i].flags),
                                .layout = find_pipeline_layout(call, app[i].layout),
                                .stage_count = app[i].stageCount,
                                .app = app[i].pStages,
                                .down = pCreateInfos[i].pStages};
        infos[i] = pCreateInfos[i];
        infos[i].pStages = change_stages(&change, i, &source);
    }
    VkResult result = gpu_change_failed(&change, infos);
    if (result == VK_SUCCESS)
        result = call->device->dispatch.CreateRayTracingPipelinesNV(device, pipelineCache, createInfoCount, infos,
                                                                    pAllocator, pPipelines);
    gpu_change_end(&change);
    return result;
}

const struct down_calls gpu_down_calls = {
    .CreateBuffer = gpu_down_CreateBuffer,
    .AllocateMemory = gpu_down_AllocateMemory,
    .CreatePipelineLayout = gpu_down_CreatePipelineLayout,
    .CreateGraphicsPipelines = down_graphics,
    .CreateComputePipelines = down_compute,
    .CreateRayTracingPipelinesKHR = down_ray_tracing,
    .CreateRayTracingPipelinesNV = down_ray_tracing_nv,
    .CreateShadersEXT = gpu_down_CreateShadersEXT,
};

void gpu_after_CreateGraphicsPipelines(struct call *call, VkDevice device, VkPipelineCache pipelineCache,
                                       uint32_t createInfoCount, const VkGraphicsPipelineCreateInfo *pCreateInfos,
                                       const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
    publish(call, createInfoCount, pPipelines);
}

void gpu_after_CreateComputePipelines(struct call *call, VkDevice device, VkPipelineCache pipelineCache,
                                      uint32_t createInfoCount, const VkComputePipelineCreateInfo *pCreateInfos,
                                      const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
    publish(call, createInfoCount, pPipelines);
}

void gpu_after_CreateRayTracingPipelinesKHR(struct call *call, VkDevice device, VkDeferredOperationKHR deferredOperation,
                                            VkPipelineCache pipelineCache, uint32_t createInfoCount,
                                            const VkRayTracingPipelineCreateInfoKHR *pCreateInfos,
                                            const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
    publish(call, createInfoCount, pPipelines);
}

void gpu_after_CreateRayTracingPipelinesNV(struct call *call, VkDevice device, VkPipelineCache pipelineCache,
                                           uint32_t createInfoCount,
                                           const VkRayTracingPipelineCreateInfoNV *pCreateInfos,
                                           const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
    publish(call, createInfoCount, pPipelines);
}
