/* Chooses the shaders that the driver gets when pipelines are made. A stage whose code is known
 * gets the instrumented shader. Or all stages get the program's own, and a job makes the
 * instrumented pipeline. */
#include "gpu/pipeline/pipeline.h"

#include <string.h>

#include "chassis/hooks.h"
#include "gpu/device/areas.h"
#include "gpu/device/background.h"
#include "gpu/pipeline/binaries.h"
#include "gpu/buffers/buffers.h"
#include "gpu/hooks.h"
#include "gpu/pipeline/compile.h"
#include "gpu/pipeline/shader.h"
#include "gpu/device/survive.h"
#include "state/pipeline/graphics_info.h"
#include "vk/chain.h"

/* --- the data of a pipeline --- */

/* The instrumented stages of a library; NULL: the library has none. A library whose twin is still
 * being made counts as plain. */
static const struct gpu_pipeline *library_of(const struct call *call,
                                             const struct gpu_source *source, uint32_t index)
{
    const struct pipeline *library = find_pipeline(call, source->libraries->pLibraries[index]);
    return library &&
                   !atomic_load_explicit(&gpu_in_pipeline(library)->compile, memory_order_acquire)
               ? gpu_in_pipeline(library)->changed
               : NULL;
}

/* Returns how many libraries are linked; 0 also if the array cannot be read. */
static uint32_t library_count(const struct gpu_source *source)
{
    return source->libraries && !pointer_is_bad(source->libraries->pLibraries)
               ? source->libraries->libraryCount
               : 0;
}

/* Makes the structure with room for all stages, those of libraries included. Returns NULL if memory
 * is out, or there is no stage. */
static struct gpu_pipeline *pipeline_new(const struct call *call, const struct gpu_source *source)
{
    size_t stages = source->stage_count;
    for (uint32_t i = 0; i < library_count(source); i++) {
        const struct gpu_pipeline *library = library_of(call, source, i);
        stages += library ? library->stage_count : 0;
    }
    return stages
               ? mem_alloc_zeroed(sizeof(struct gpu_pipeline) + stages * sizeof(struct gpu_stage))
               : NULL;
}

/* Adds the instrumented stages of the libraries, which a linked pipeline runs unchanged. */
static void take_over_libraries(const struct call *call, const struct gpu_source *source,
                                struct gpu_pipeline *pipeline)
{
    for (uint32_t i = 0; i < library_count(source); i++) {
        const struct gpu_pipeline *library = library_of(call, source, i);
        for (uint32_t k = 0; library && k < library->stage_count; k++) {
            struct gpu_stage stage = library->stages[k];
            gpu_shader_hold(stage.shader);
            stage.module_name = stage.module_name ? mem_copy_string(stage.module_name) : NULL;
            gpu_pipeline_add(pipeline, stage, library->push);
        }
    }
}

/* --- all stages of a pipeline --- */

/* True if no stage may be instrumented: with binaries there is no code, and data that the program
 * captures for other runs must not have the layer's code. */
static bool is_left_alone(const struct gpu_source *source)
{
    const VkPipelineBinaryInfoKHR *binaries =
        chain_find(source->next, VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR);
    return (binaries && binaries->binaryCount) ||
           (source->flags & VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR);
}

/* True if the pointer can be pushed before each command. Commands that the device generates run
 * such pipelines without the layer; pipelines that use heaps have no layout. */
static bool is_reached_by_push(const struct gpu_source *source)
{
    return source->layout && !(source->flags & (VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT |
                                                VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV |
                                                VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT));
}

/* Instruments one stage, if it is to be instrumented. */
static void change_stage(struct gpu_change *change, const struct gpu_source *source, uint32_t index,
                         const struct gpu_push *push, struct gpu_pipeline *pipeline,
                         VkPipelineShaderStageCreateInfo *down)
{
    struct gpu_stage_request stage = gpu_stage_read(change->call, source, index, push != NULL);
    struct gpu_shader *shader =
        stage.wanted ? gpu_shader_acquire(change->call, &stage.request) : NULL;
    if (shader && gpu_stage_replace(change, shader, down)) {
        gpu_survive_stage(change->device, shader, stage.module, stage.module_name);
        gpu_pipeline_add(pipeline,
                         (struct gpu_stage){source->app[index].stage, shader, stage.module,
                                            stage.module_name},
                         push);
        stage.module_name = NULL;
    } else {
        change->failed |= stage.must;
        gpu_shader_release(shader);
    }
    gpu_stage_request_end(&stage);
}

/* Returns the stages that go down for create info `index`; the data about them is kept in
 * change->made. */
static const VkPipelineShaderStageCreateInfo *
change_stages(struct gpu_change *change, uint32_t index, const struct gpu_source *source)
{
    struct gpu_pipeline *pipeline =
        change->made && !is_left_alone(source) ? pipeline_new(change->call, source) : NULL;
    if (!pipeline)
        return source->down;
    size_t size = source->stage_count * sizeof(*source->down);
    VkPipelineShaderStageCreateInfo *stages = scratch_alloc(&thread_self()->scratch, size);
    const struct gpu_push *push = source->stage_count && is_reached_by_push(source)
                                      ? gpu_push_of(change->device, source->layout->push_constants,
                                                    source->layout->push_constant_count)
                                      : NULL;
    if (size && stages)
        memcpy(stages, source->down, size);
    for (uint32_t i = 0; stages && i < source->stage_count; i++)
        change_stage(change, source, i, push, pipeline, &stages[i]);
    take_over_libraries(change->call, source, pipeline);
    /* The library with the vertex input may enable robust access, which the library with the shader
     * does not know. */
    if (library_count(source) && device_has_feature(change->device, FEATURE_pipelineRobustness))
        pipeline->fetches = false;
    if (pipeline->stage_count) {
        change->made[index].pipeline = pipeline;
    } else {
        gpu_pipeline_free(pipeline);
        return source->down;
    }
    return stages && source->stage_count ? stages : source->down;
}

/* Attaches the instrumented pipelines to the program's pipelines, whose states exist now. */
static void pipelines_publish(const struct call *call, uint32_t count, const VkPipeline *pipelines)
{
    for (uint32_t i = 0; i < count; i++) {
        struct gpu_made made = gpu_change_take(call, i);
        struct pipeline *pipeline =
            made.pipeline || made.job ? find_pipeline(call, pipelines[i]) : NULL;
        if (!pipeline) {
            gpu_pipeline_free(made.pipeline);
            gpu_compile_free(made.job);
        } else if (made.job) {
            gpu_background_add(made.job, pipeline);
        } else {
            gpu_in_pipeline(pipeline)->changed = made.pipeline;
        }
    }
    gpu_change_forget(call);
}

/* --- the calls --- */

/* Creates graphics pipelines with instrumented stages, in the place of the driver's command. */
static VkResult down_graphics(struct call *call, const VkGraphicsPipelineCreateInfo *app,
                              VkDevice device, VkPipelineCache pipelineCache,
                              uint32_t createInfoCount,
                              const VkGraphicsPipelineCreateInfo *pCreateInfos,
                              const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
    struct gpu_change change = gpu_change_begin(call, createInfoCount);
    VkGraphicsPipelineCreateInfo *infos =
        scratch_alloc(&thread_self()->scratch, createInfoCount * sizeof(*pCreateInfos));
    for (uint32_t i = 0; infos && i < createInfoCount; i++) {
        struct graphics_info storage;
        const struct graphics_info *graphics = graphics_info_of(call, &app[i], &storage);
        struct gpu_source source = {.next = app[i].pNext,
                                    .flags = graphics->flags,
                                    .layout = find_pipeline_layout(call, app[i].layout),
                                    /* a library without shaders may have an arbitrary count */
                                    .stage_count = graphics->stages ? app[i].stageCount : 0,
                                    .app = app[i].pStages,
                                    .down = pCreateInfos[i].pStages,
                                    .libraries = graphics->libraries};
        infos[i] = pCreateInfos[i];
        if (!gpu_compile_of_graphics(&change, i, &source, graphics, &pCreateInfos[i]))
            infos[i].pStages = change_stages(&change, i, &source);
    }
    /* VK_SUCCESS: all is ready for the driver. Otherwise the call fails here, as it would there. */
    VkResult result = gpu_change_failed(&change, infos);
    if (result == VK_SUCCESS)
        result =
            call->device->dispatch.CreateGraphicsPipelines(device, pipelineCache, createInfoCount,
                                                           infos, pAllocator, pPipelines);
    gpu_change_end(&change);
    /* Reports are made after the driver has returned: callbacks may take long. */
    gpu_shaders_tell(call);
    return result;
}

/* Creates compute pipelines with instrumented stages, in the place of the driver's command. */
static VkResult down_compute(struct call *call, const VkComputePipelineCreateInfo *app,
                             VkDevice device, VkPipelineCache pipelineCache,
                             uint32_t createInfoCount,
                             const VkComputePipelineCreateInfo *pCreateInfos,
                             const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
    struct gpu_change change = gpu_change_begin(call, createInfoCount);
    VkComputePipelineCreateInfo *infos =
        scratch_alloc(&thread_self()->scratch, createInfoCount * sizeof(*pCreateInfos));
    for (uint32_t i = 0; infos && i < createInfoCount; i++) {
        struct gpu_source source = {.next = app[i].pNext,
                                    .flags = pipeline_create_flags(app[i].pNext, app[i].flags),
                                    .layout = find_pipeline_layout(call, app[i].layout),
                                    .stage_count = 1,
                                    .app = &app[i].stage,
                                    .down = &pCreateInfos[i].stage};
        infos[i] = pCreateInfos[i];
        if (!gpu_compile_of_compute(&change, i, &source, &pCreateInfos[i]))
            infos[i].stage = *change_stages(&change, i, &source);
    }
    VkResult result = gpu_change_failed(&change, infos);
    if (result == VK_SUCCESS)
        result =
            call->device->dispatch.CreateComputePipelines(device, pipelineCache, createInfoCount,
                                                          infos, pAllocator, pPipelines);
    gpu_change_end(&change);
    gpu_shaders_tell(call);
    return result;
}

/* Creates ray tracing pipelines with instrumented stages, in the place of the driver's command. */
static VkResult down_ray_tracing(struct call *call, const VkRayTracingPipelineCreateInfoKHR *app,
                                 VkDevice device, VkDeferredOperationKHR deferredOperation,
                                 VkPipelineCache pipelineCache, uint32_t createInfoCount,
                                 const VkRayTracingPipelineCreateInfoKHR *pCreateInfos,
                                 const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
    struct gpu_change change = gpu_change_begin(call, createInfoCount);
    VkRayTracingPipelineCreateInfoKHR *infos =
        scratch_alloc(&thread_self()->scratch, createInfoCount * sizeof(*pCreateInfos));
    for (uint32_t i = 0; infos && i < createInfoCount; i++) {
        struct gpu_source source = {.next = app[i].pNext,
                                    .flags = pipeline_create_flags(app[i].pNext, app[i].flags),
                                    .layout = find_pipeline_layout(call, app[i].layout),
                                    .stage_count = app[i].stageCount,
                                    .app = app[i].pStages,
                                    .down = pCreateInfos[i].pStages,
                                    .libraries = app[i].pLibraryInfo,
                                    .deferred = deferredOperation != VK_NULL_HANDLE};
        infos[i] = pCreateInfos[i];
        infos[i].pStages = change_stages(&change, i, &source);
    }
    /* VK_SUCCESS: all is ready for the driver. Otherwise the call fails without the driver. */
    VkResult result = gpu_change_failed(&change, infos);
    if (result == VK_SUCCESS)
        result = call->device->dispatch.CreateRayTracingPipelinesKHR(device, deferredOperation,
                                                                     pipelineCache, createInfoCount,
                                                                     infos, pAllocator, pPipelines);
    gpu_change_end(&change);
    gpu_shaders_tell(call);
    return result;
}

/* Creates ray tracing pipelines of the NV extension with instrumented stages, in the place of the
 * driver's command. */
static VkResult down_ray_tracing_nv(struct call *call, const VkRayTracingPipelineCreateInfoNV *app,
                                    VkDevice device, VkPipelineCache pipelineCache,
                                    uint32_t createInfoCount,
                                    const VkRayTracingPipelineCreateInfoNV *pCreateInfos,
                                    const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
    struct gpu_change change = gpu_change_begin(call, createInfoCount);
    VkRayTracingPipelineCreateInfoNV *infos =
        scratch_alloc(&thread_self()->scratch, createInfoCount * sizeof(*pCreateInfos));
    for (uint32_t i = 0; infos && i < createInfoCount; i++) {
        struct gpu_source source = {.next = app[i].pNext,
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
        result = call->device->dispatch.CreateRayTracingPipelinesNV(device, pipelineCache,
                                                                    createInfoCount, infos,
                                                                    pAllocator, pPipelines);
    gpu_change_end(&change);
    gpu_shaders_tell(call);
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
    .GetShaderBinaryDataEXT = gpu_down_GetShaderBinaryDataEXT,
};

void gpu_after_CreateGraphicsPipelines(struct call *call, VkDevice device,
                                       VkPipelineCache pipelineCache, uint32_t createInfoCount,
                                       const VkGraphicsPipelineCreateInfo *pCreateInfos,
                                       const VkAllocationCallbacks *pAllocator,
                                       VkPipeline *pPipelines)
{
    pipelines_publish(call, createInfoCount, pPipelines);
}

void gpu_after_CreateComputePipelines(struct call *call, VkDevice device,
                                      VkPipelineCache pipelineCache, uint32_t createInfoCount,
                                      const VkComputePipelineCreateInfo *pCreateInfos,
                                      const VkAllocationCallbacks *pAllocator,
                                      VkPipeline *pPipelines)
{
    pipelines_publish(call, createInfoCount, pPipelines);
}

void gpu_after_CreateRayTracingPipelinesKHR(struct call *call, VkDevice device,
                                            VkDeferredOperationKHR deferredOperation,
                                            VkPipelineCache pipelineCache, uint32_t createInfoCount,
                                            const VkRayTracingPipelineCreateInfoKHR *pCreateInfos,
                                            const VkAllocationCallbacks *pAllocator,
                                            VkPipeline *pPipelines)
{
    pipelines_publish(call, createInfoCount, pPipelines);
}

void gpu_after_CreateRayTracingPipelinesNV(struct call *call, VkDevice device,
                                           VkPipelineCache pipelineCache, uint32_t createInfoCount,
                                           const VkRayTracingPipelineCreateInfoNV *pCreateInfos,
                                           const VkAllocationCallbacks *pAllocator,
                                           VkPipeline *pPipelines)
{
    pipelines_publish(call, createInfoCount, pPipelines);
}

void gpu_shaders_begin(struct device *device, VkDeviceAddress anonymous)
{
    struct gpu_shaders *shaders = gpu_in_device(device)->shaders;
    if (!shaders || !shaders->checks ||
        /* Shaders with aborts must be translated for the driver, even if all checks are switched
         * off. */
        (device->instance->settings.gpuav_debug_disable_all && !emulated_lowers_shaders(device)))
        return;
    shaders->anonymous = anonymous;
    atomic_store_explicit(&shaders->active, true, memory_order_relaxed);
    gpu_layouts_begin(device);
    device->down = &gpu_down_calls;
}
