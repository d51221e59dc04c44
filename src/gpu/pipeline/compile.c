/* Copies or holds the data for making a pipeline a second time, instrumented, when the program's
 * memory and modules may be gone. That is done when the program makes the pipeline. If a part
 * cannot be copied or held, or may not be compiled twice, the pipeline is instrumented at once. */
#include "gpu/pipeline/compile.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

#include "gpu/device/areas.h"
#include "gpu/pipeline/copy.h"
#include "gpu/device/survive.h"
#include "report/finding/finding.h"
#include "vk/chain.h"

/* The flags that a pipeline may have if its twin is made later. Flags are left out that allow uses
 * without a bind (libraries, binds by the device, captured binaries), and flags that are not known
 * here. */
#define FLAGS_KNOWN                                                                                \
    (VK_PIPELINE_CREATE_2_DISABLE_OPTIMIZATION_BIT | VK_PIPELINE_CREATE_2_ALLOW_DERIVATIVES_BIT |  \
     VK_PIPELINE_CREATE_2_DERIVATIVE_BIT | VK_PIPELINE_CREATE_2_VIEW_INDEX_FROM_DEVICE_INDEX_BIT | \
     VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT |                                                      \
     VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT |                                  \
     VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT |                                            \
     VK_PIPELINE_CREATE_2_CAPTURE_STATISTICS_BIT_KHR |                                             \
     VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR |                               \
     VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT |                                              \
     VK_PIPELINE_CREATE_2_NO_PROTECTED_ACCESS_BIT |                                                \
     VK_PIPELINE_CREATE_2_PROTECTED_ACCESS_ONLY_BIT |                                              \
     VK_PIPELINE_CREATE_2_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR |                     \
     VK_PIPELINE_CREATE_2_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT |                      \
     VK_PIPELINE_CREATE_2_COLOR_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT |                                 \
     VK_PIPELINE_CREATE_2_DEPTH_STENCIL_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT)
/* The flags that apply only to the program's own pipeline, not to the twin. */
#define FLAGS_PLAIN                                                                     \
    (VK_PIPELINE_CREATE_2_ALLOW_DERIVATIVES_BIT | VK_PIPELINE_CREATE_2_DERIVATIVE_BIT | \
     VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT |                       \
     VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT)

#define SPIRV_HEADER 5 /* words before the first instruction */

/* --- making a job --- */

/* True if the pipeline may be made plain now and with checks later. False with flags that are
 * unknown here, for libraries, or with settings that report each shader when it is made. */
static bool change_is_wanted(const struct gpu_change *change, const struct gpu_source *source)
{
    const struct settings *settings = &change->call->instance->settings;
    /* A shader's results are reported when it is made. */
    bool told = settings->gpuav_debug_dump_instrumented_shaders ||
                settings->gpuav_debug_validate_instrumented_shaders ||
                settings->gpuav_debug_print_instrumentation_info;
    return settings->gpuav_background_compile && !told && change->made && change->call->wraps &&
           source->layout && !source->libraries &&
           !(source->flags & ~(VkPipelineCreateFlags2)FLAGS_KNOWN);
}

/* True if the code uses debug printf. Wrong formats must be reported when the pipeline is made. */
static bool request_prints(const struct gpu_request *request)
{
    const uint32_t *words = request->words;
    const size_t count = request->size / sizeof(uint32_t);
    for (size_t at = SPIRV_HEADER; at < count && words[at] >> SpvWordCountShift;
         at += words[at] >> SpvWordCountShift) {
        const uint32_t opcode = words[at] & SpvOpCodeMask;
        if (opcode == SpvOpMemoryModel)
            break; /* imports come before the memory model */
        if (opcode == SpvOpExtInstImport && count - at > 2 &&
            !strncmp((const char *)&words[at + 2], "NonSemantic.DebugPrintf",
                     (count - at - 2) * sizeof(uint32_t)))
            return true;
    }
    return false;
}

/* Reads the stages' code, and the data for instrumenting it. Returns false if the code of a stage
 * is not known, the driver must not see it unchanged, or it prints. */
static bool read_stages(struct gpu_compile *job, const struct gpu_source *source, bool *instruments)
{
    job->requests = arena_take(&job->arena, source->stage_count * sizeof(*job->requests));
    for (; job->requests && job->stage_count < source->stage_count; job->stage_count++) {
        const VkPipelineShaderStageCreateInfo *copy = &job->stages[job->stage_count];
        struct gpu_stage_request *stage = &job->requests[job->stage_count];
        *stage = gpu_stage_read(&job->call, source, job->stage_count, job->push != NULL);
        stage->request.entry = copy->pName;
        stage->request.specialization = copy->pSpecializationInfo;
        if (stage->known && !stage->code) {
            const VkShaderModuleCreateInfo *code =
                chain_find(copy->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
            stage->request.words = code ? code->pCode : NULL;
            stage->known = code != NULL;
        }
        *instruments |= stage->wanted;
        if (!stage->known || stage->must ||
            (job->call.instance->settings.printf_enable && request_prints(&stage->request))) {
            job->stage_count++;
            return false;
        }
    }
    return job->requests != NULL;
}

/* Removes the flags that only the program's pipeline may have from the copied chain. */
static void change_flags(const void *chain)
{
    VkPipelineCreateFlags2CreateInfo *flags =
        (void *)(uintptr_t)chain_find(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO);
    if (flags)
        flags->flags &= ~(VkPipelineCreateFlags2)FLAGS_PLAIN;
}

/* Makes a job with references of its own to the layout and push constants. NULL: memory is out. */
static struct gpu_compile *job_new(const struct gpu_change *change, const struct gpu_source *source)
{
    struct gpu_compile *job = mem_alloc_zeroed(sizeof(*job));
    if (!job)
        return NULL;
    job->call = *change->call;
    job->layout = pipeline_layout_acquire(source->layout);
    job->push = gpu_push_of(change->device, source->layout->push_constants,
                            source->layout->push_constant_count);
    return job;
}

/* Hands the job, whose copy is complete, to the after hook. Returns false if the pipeline cannot be
 * made later. If it returns true without a job, no stage is instrumented. */
static bool hand_on(struct gpu_change *change, uint32_t index, const struct gpu_source *source,
                    struct gpu_compile *job)
{
    bool instruments = false, known = job->layout && read_stages(job, source, &instruments);
    if (known && instruments) {
        change->made[index].job = job;
        return true;
    }
    gpu_compile_free(job);
    return known; /* true: the stages are known, and none is instrumented */
}

bool gpu_compile_of_compute(struct gpu_change *change, uint32_t index,
                            const struct gpu_source *source,
                            const VkComputePipelineCreateInfo *down)
{
    struct gpu_compile *job = change_is_wanted(change, source) ? job_new(change, source) : NULL;
    VkComputePipelineCreateInfo *info = job ? gpu_copy_create_info(&job->arena, down) : NULL;
    if (!info) {
        gpu_compile_free(job);
        return false;
    }
    info->flags &= ~(VkPipelineCreateFlags)FLAGS_PLAIN;
    /* The base may be destroyed when the twin is made; index -1 goes with VK_NULL_HANDLE. */
    info->basePipelineHandle = VK_NULL_HANDLE;
    info->basePipelineIndex = -1;
    change_flags(info->pNext);
    job->bind_point = VK_PIPELINE_BIND_POINT_COMPUTE;
    job->info = info;
    job->stages = &info->stage;
    job->uses[0] = (uint64_t)info->layout;
    return hand_on(change, index, source, job);
}

/* The parts of a create info that are read, on the stack. */
struct clean_graphics {
    VkGraphicsPipelineCreateInfo info;
    VkPipelineViewportStateCreateInfo viewport;
    VkPipelineMultisampleStateCreateInfo multisample;
    VkPipelineColorBlendStateCreateInfo color_blend;
};

/* Sets ignored pointers to NULL, so that the copy does not follow them. Returns false if it is not
 * known which are ignored, or how much they point to. */
static bool graphics_clean(struct clean_graphics *clean, const struct graphics_info *graphics)
{
    const VkPipelineRenderingCreateInfo *rendering =
        chain_find(clean->info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
    /* Without an output part the count for this pointer is ignored, and may be anything. */
    if (rendering && rendering->pColorAttachmentFormats &&
        (!graphics->rendering || !(graphics->own & PART_FRAGMENT_OUTPUT)))
        return false;
    clean->info.pVertexInputState = graphics->vertex_input;
    clean->info.pInputAssemblyState = graphics->input_assembly;
    clean->info.pTessellationState = graphics->tessellation;
    clean->info.pRasterizationState = graphics->rasterization;
    clean->info.pDepthStencilState = graphics->depth_stencil;
    clean->info.pViewportState = graphics->viewport ? &clean->viewport : NULL;
    clean->info.pMultisampleState = graphics->multisample ? &clean->multisample : NULL;
    clean->info.pColorBlendState = graphics->color_blend ? &clean->color_blend : NULL;
    if (graphics->viewport) {
        clean->viewport = *graphics->viewport;
        if (graphics_is_dynamic(graphics, DYNAMIC_VIEWPORT) ||
            graphics_is_dynamic(graphics, DYNAMIC_VIEWPORT_WITH_COUNT))
            clean->viewport.pViewports = NULL;
        if (graphics_is_dynamic(graphics, DYNAMIC_SCISSOR) ||
            graphics_is_dynamic(graphics, DYNAMIC_SCISSOR_WITH_COUNT))
            clean->viewport.pScissors = NULL;
    }
    if (graphics->multisample) {
        clean->multisample = *graphics->multisample;
        if (graphics_is_dynamic(graphics, DYNAMIC_SAMPLE_MASK_EXT))
            clean->multisample.pSampleMask = NULL;
        if (clean->multisample.pSampleMask &&
            graphics_is_dynamic(graphics, DYNAMIC_RASTERIZATION_SAMPLES_EXT))
            return false;
    }
    if (graphics->color_blend) {
        clean->color_blend = *graphics->color_blend;
        if (graphics_is_dynamic(graphics, DYNAMIC_COLOR_BLEND_ENABLE_EXT) &&
            graphics_is_dynamic(graphics, DYNAMIC_COLOR_WRITE_MASK_EXT) &&
            (graphics_is_dynamic(graphics, DYNAMIC_COLOR_BLEND_EQUATION_EXT) ||
             graphics_is_dynamic(graphics, DYNAMIC_COLOR_BLEND_ADVANCED_EXT)))
            clean->color_blend.pAttachments = NULL;
    }
    return true;
}

bool gpu_compile_of_graphics(struct gpu_change *change, uint32_t index,
                             const struct gpu_source *source, const struct graphics_info *graphics,
                             const VkGraphicsPipelineCreateInfo *down)
{
    struct clean_graphics cleaned = {.info = *down};
    if (!source->stage_count || source->stage_count != down->stageCount ||
        !change_is_wanted(change, source) || !graphics_clean(&cleaned, graphics))
        return false;
    struct gpu_compile *job = job_new(change, source);
    VkGraphicsPipelineCreateInfo *info =
        job ? gpu_copy_create_info(&job->arena, &cleaned.info) : NULL;
    if (!info) {
        gpu_compile_free(job);
        return false;
    }
    info->flags &= ~(VkPipelineCreateFlags)FLAGS_PLAIN;
    info->basePipelineHandle = VK_NULL_HANDLE;
    info->basePipelineIndex = -1;
    change_flags(info->pNext);
    job->bind_point = VK_PIPELINE_BIND_POINT_GRAPHICS;
    job->info = info;
    job->stages = info->pStages;
    job->uses[0] = (uint64_t)info->layout;
    job->uses[1] = (uint64_t)info->renderPass;
    return hand_on(change, index, source, job);
}

/* --- running a job --- */

/* Makes the pipeline with these stages from the copied create info, without the program's cache and
 * allocator. */
static VkResult compile_create(const struct gpu_compile *job,
                               const VkPipelineShaderStageCreateInfo *stages, VkPipeline *twin)
{
    const struct device *device = job->call.device;
    if (job->bind_point == VK_PIPELINE_BIND_POINT_COMPUTE) {
        VkComputePipelineCreateInfo info = *(const VkComputePipelineCreateInfo *)job->info;
        info.stage = stages[0];
        return device->dispatch.CreateComputePipelines(device->handle, VK_NULL_HANDLE, 1, &info,
                                                       NULL, twin);
    }
    VkGraphicsPipelineCreateInfo info = *(const VkGraphicsPipelineCreateInfo *)job->info;
    info.pStages = stages;
    return device->dispatch.CreateGraphicsPipelines(device->handle, VK_NULL_HANDLE, 1, &info, NULL,
                                                    twin);
}

/* Puts the program's own code into a module of the layer's, as the program's may be destroyed.
 * Returns false if the driver refused. A stage without a module has its code in its chain. */
static bool keep_code(struct gpu_change *change, const struct gpu_request *request,
                      VkPipelineShaderStageCreateInfo *stage)
{
    if (!stage->module)
        return true;
    stage->module = gpu_change_module(change, request->words, request->size);
    return stage->module != VK_NULL_HANDLE;
}

/* Chooses the code of all stages; instrumented stages are added to `made`. Returns false if memory
 * is out. */
static bool change_stages(const struct gpu_compile *job, struct gpu_change *change,
                          VkPipelineShaderStageCreateInfo *stages, struct gpu_pipeline *made)
{
    bool good = true;
    memcpy(stages, job->stages, job->stage_count * sizeof(*stages));
    for (uint32_t i = 0; i < job->stage_count && good; i++) {
        const struct gpu_stage_request *stage = &job->requests[i];
        struct gpu_shader *shader =
            stage->wanted ? gpu_shader_acquire(&job->call, &stage->request) : NULL;
        if (shader && gpu_stage_replace(change, shader, &stages[i])) {
            gpu_survive_stage(change->device, shader, stage->module, stage->module_name);
            char *name = stage->module_name ? mem_copy_string(stage->module_name) : NULL;
            gpu_pipeline_add(made, (struct gpu_stage){stages[i].stage, shader, stage->module, name},
                             job->push);
            continue;
        }
        gpu_shader_release(shader);
        good = keep_code(change, &stage->request, &stages[i]);
    }
    return good;
}

void gpu_compile_run(struct gpu_compile *job)
{
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    struct device *device = job->call.device;
    struct gpu_change change = {
        .call = &job->call, .device = device, .shaders = gpu_in_device(device)->shaders};
    VkPipelineShaderStageCreateInfo *stages =
        scratch_alloc(scratch, job->stage_count * sizeof(*stages));
    struct gpu_pipeline *made =
        stages ? mem_alloc_zeroed(sizeof(*made) + job->stage_count * sizeof(made->stages[0]))
               : NULL;
    VkPipeline twin = VK_NULL_HANDLE;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (made && change_stages(job, &change, stages, made))
        /* Without an instrumented stage there is no twin, and the program's pipeline stays. */
        result = made->stage_count ? compile_create(job, stages, &twin) : VK_SUCCESS;
    gpu_change_end(&change);
    scratch_rewind(scratch, mark);
    if (!twin) {
        gpu_pipeline_free(made);
        made = NULL;
    }
    job->result = result;
    job->twin = twin;
    job->made = made;
}

void gpu_compile_clear(struct gpu_compile *job)
{
    const struct device *device = job->call.device;
    /* The twin was not adopted: it is destroyed as it was made, without an allocator. */
    if (job->twin)
        device->dispatch.DestroyPipeline(device->handle, job->twin, NULL);
    gpu_pipeline_free(job->made);
    for (uint32_t i = 0; i < job->stage_count; i++)
        gpu_stage_request_end(&job->requests[i]);
    pipeline_layout_release(job->layout);
    arena_free(&job->arena, false);
}

void gpu_compile_free(struct gpu_compile *job)
{
    if (!job)
        return;
    gpu_compile_clear(job);
    mem_free(job);
}
