/* Finds the code of a pipeline's stage, decides whether to instrument it, and puts the instrumented
 * code in its place. */
#include "gpu/device/areas.h"
#include "gpu/pipeline/shader.h"

#include <spirv/unified1/spirv.h>

#include "chassis/hooks.h"
#include "chassis/translate.h"
#include "report/finding/reporter.h"
#include "vk/chain.h"

void gpu_read_robustness(const struct device *device, const void *pipeline_chain,
                         const void *stage_chain, struct gpu_request *request)
{
    const VkStructureType type = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO;
    const VkPipelineRobustnessCreateInfo *given = chain_find(stage_chain, type);
    /* "chained to the pipeline" holds for all stages that do not have their own. */
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
    /* 02721 of draws limits vertex fetches only if neither robustBufferAccess nor the pipeline's
     * vertexInputs makes them robust. */
    VkPipelineRobustnessBufferBehavior vertex = given ? given->vertexInputs : 0;
    request->robust_vertex =
        device_has_feature(device, FEATURE_robustBufferAccess) ||
        vertex == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS ||
        vertex == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2;
}

/* Reads the code of a stage, from its module or its chain. Returns true if the program has selected
 * it; `request->code` is NULL if the code is not known. */
static bool read_code(const struct call *call, const VkPipelineShaderStageCreateInfo *app,
                      struct gpu_stage_request *stage)
{
    const struct shader_module *module = find_shader_module(call, app->module);
    struct gpu_request *request = &stage->request;
    bool selected = gpu_chain_selects(app->pNext);
    stage->code =
        module && module->shader ? gpu_code_acquire(gpu_in_shader_module(module)->code) : NULL;
    if (stage->code) {
        request->words = stage->code->words;
        request->size = stage->code->size;
        request->hash = stage->code->hash;
        request->code = shader_acquire(module->shader);
        return selected || stage->code->selected;
    }
    const VkShaderModuleCreateInfo *code =
        chain_find(app->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    request->code = app->module || !code ? NULL : shader_of_code(code->pCode, code->codeSize);
    if (!request->code)
        return false;
    request->words = code->pCode;
    request->size = code->codeSize;
    request->hash = request->code->hash;
    return selected || gpu_chain_selects(code->pNext);
}

/* Returns the module's debug name, or the one in the stage's chain. Owned; NULL: there is none. */
static char *stage_module_name(const struct call *call, const VkPipelineShaderStageCreateInfo *app)
{
    struct object *module = call_find(call, (uint64_t)app->module, HANDLE_SHADER_MODULE);
    const VkDebugUtilsObjectNameInfoEXT *named =
        chain_find(app->pNext, VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
    if (module)
        return reporter_copy_name(call->instance->reporter, module);
    return named && !pointer_is_bad(named->pObjectName) ? mem_copy_string(named->pObjectName)
                                                        : NULL;
}

/* The SPIR-V flags that rays in such a pipeline must not have: in a pipeline that skips triangles,
 * rays must not skip AABBs, and vice versa. */
static uint32_t forbidden_ray_flags(VkPipelineCreateFlags2 flags)
{
    uint32_t forbidden = 0;
    if (flags & VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR)
        forbidden |= SpvRayFlagsSkipTrianglesKHRMask;
    if (flags & VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR)
        forbidden |= SpvRayFlagsSkipAABBsKHRMask;
    return forbidden;
}

bool gpu_commands_are_looked_at(const struct call *call)
{
    const struct settings *settings = &call->instance->settings;
    /* In safe mode the shader prevents accesses, so it must check them itself. Inherited state is
     * not known when a secondary is recorded. */
    return settings->validate_core && settings->check_command_buffer &&
           !settings->gpuav_safe_mode &&
           !device_has_feature(call->device, FEATURE_commandBufferInheritance);
}

/* True if the core checks know, at each command that runs the pipeline, its shaders and what is
 * bound for them. For a library they do not know with which layout it will run. */
static bool stage_is_looked_at(const struct call *call, const struct gpu_source *source)
{
    const VkPipelineCreateFlags2 unknown = VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR |
                                           VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT |
                                           VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV |
                                           VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT |
                                           VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT;
    return gpu_commands_are_looked_at(call) && source->layout && !source->deferred &&
           !(source->flags & unknown) && source->stage_count <= PIPELINE_STAGES;
}

struct gpu_stage_request gpu_stage_read(const struct call *call, const struct gpu_source *source,
                                        uint32_t index, bool by_push)
{
    const struct settings *settings = &call->instance->settings;
    const VkPipelineShaderStageCreateInfo *app = &source->app[index];
    struct gpu_stage_request stage = {
        .request = {.entry = app->pName, .stage = app->stage, .by_push = by_push},
        .module = (uint64_t)app->module,
    };
    if (pointer_is_bad(app->pName))
        return stage;
    bool selected = read_code(call, app, &stage);
    /* The code is not known if the module was made while memory was out, or from an identifier. */
    stage.known = stage.request.code != NULL;
    if (source->layout) {
        stage.request.sets = source->layout->sets;
        stage.request.set_count = source->layout->set_count;
    }
    stage.request.forbidden_ray_flags = forbidden_ray_flags(source->flags);
    stage.request.looked_at = stage_is_looked_at(call, source);
    gpu_read_robustness(call->device, source->next, app->pNext, &stage.request);
    stage.module_name = stage_module_name(call, app);
    selected |= !settings->gpuav_select_instrumented_shaders || gpu_chain_selects(source->next) ||
                gpu_name_is_selected(settings, stage.module_name, app->pName);
    stage.request.not_selected = !selected;
    stage.request.specialization = app->pSpecializationInfo;
    bool possible = stage.known && (gpu_in_device(call->device)->stages & app->stage);
    stage.must = possible && gpu_must_be_lowered(call->device, stage.request.code);
    stage.wanted =
        /* all code must check whether an invocation aborted */
        possible && (selected || emulated_lowers_shaders(call->device));
    return stage;
}

void gpu_stage_request_end(struct gpu_stage_request *stage)
{
    shader_release(stage->request.code);
    gpu_code_release(stage->code);
    mem_free(stage->module_name);
}

/* Puts the instrumented code into a stage, as a module or in its chain. Returns false if memory is
 * out, or the driver refused. */
static bool replace_code(struct gpu_change *change, const struct gpu_shader *shader,
                         VkPipelineShaderStageCreateInfo *down)
{
    const VkShaderModuleCreateInfo *code =
        chain_find(down->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    if (!shader->by_push) {
        const VkSpecializationInfo *specialization =
            gpu_specialization(change->shaders, down->pSpecializationInfo);
        if (!specialization)
            return false;
        down->pSpecializationInfo = specialization;
    }
    if (down->module) {
        down->module = gpu_change_module(change, shader->instrumented,
                                         shader->instrumented_count * sizeof(uint32_t));
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

bool gpu_stage_replace(struct gpu_change *change, const struct gpu_shader *shader,
                       VkPipelineShaderStageCreateInfo *down)
{
    const VkPipelineShaderStageCreateInfo was = *down;
    if (replace_code(change, shader, down))
        return true;
    /* A half-changed stage must not go down. */
    *down = was;
    return false;
}
