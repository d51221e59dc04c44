/* Gives the driver the instrumented code for shader objects. Binaries go down unchanged. */
#include "gpu/device/areas.h"
#include "gpu/pipeline/binaries.h"
#include "gpu/hooks.h"
#include "gpu/device/survive.h"
#include "report/finding/finding.h"

#include <string.h>

#include "chassis/hooks.h"
#include "vk/chain.h"

/* Returns the layouts of the shader object's sets, in scratch memory; NULL: memory is out. */
static struct descriptor_layout *const *sets_of(const struct call *call,
                                                const VkShaderCreateInfoEXT *app)
{
    struct descriptor_layout **sets =
        scratch_alloc(&thread_self()->scratch,
                      (app->setLayoutCount + (size_t)1) * sizeof(struct descriptor_layout *));
    for (uint32_t i = 0; sets && i < app->setLayoutCount; i++)
        sets[i] = app->pSetLayouts ? find_descriptor_layout(call, app->pSetLayouts[i]) : NULL;
    return sets;
}

/* True if the core checks know what is bound for the shader object at each command that runs it. */
static bool shader_object_is_looked_at(const struct call *call, const VkShaderCreateInfoEXT *app)
{
    const VkShaderCreateFlagsEXT unknown =
        VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT | VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT;
    return gpu_commands_are_looked_at(call) && !(app->flags & unknown);
}

/* Returns the instrumented code, with a reference for the caller; NULL: the shader is not changed.
 * `must` is set if the driver must not get the program's code unchanged. */
static struct gpu_shader *shader_for(struct gpu_change *change, const VkShaderCreateInfoEXT *app,
                                     const char *name, bool by_push, bool *must)
{
    *must = false;
    const struct settings *settings = &change->call->instance->settings;
    struct gpu_request request = {.words = app->pCode,
                                  .size = app->codeSize,
                                  .entry = app->pName,
                                  .stage = app->stage,
                                  .sets = sets_of(change->call, app),
                                  .set_count = app->setLayoutCount,
                                  .by_push = by_push};
    if (!(gpu_in_device(change->device)->stages & app->stage) || pointer_is_bad(app->pName) ||
        !request.sets)
        return NULL;
    request.not_selected = settings->gpuav_select_instrumented_shaders &&
                           !gpu_chain_selects(app->pNext) &&
                           !gpu_name_is_selected(settings, name, app->pName);
    request.specialization = app->pSpecializationInfo;
    request.code = shader_of_code(app->pCode, app->codeSize);
    if (!request.code)
        return NULL;
    request.hash = request.code->hash;
    request.looked_at = shader_object_is_looked_at(change->call, app);
    gpu_read_robustness(change->device, NULL, app->pNext, &request);
    struct gpu_shader *shader = gpu_shader_acquire(change->call, &request);
    /* This is also known if instrumenting failed. */
    *must = gpu_must_be_lowered(change->device, request.code);
    shader_release(request.code);
    return shader;
}

/* Makes the data of a shader object, which owns `shader` then; NULL: memory is out. */
static struct gpu_pipeline *shader_object_keep(struct gpu_shader *shader,
                                               const struct gpu_push *push, const char *name)
{
    struct gpu_pipeline *made = mem_alloc_zeroed(sizeof(*made) + sizeof(struct gpu_stage));
    if (!made)
        return NULL;
    made->push = shader->by_push ? push : NULL;
    made->push_stages = shader->by_push ? shader->stage : 0;
    made->checks = shader->checks;
    made->fetches = shader->fetches;
    made->stage_count = 1;
    made->stages[0] = (struct gpu_stage){.stage = shader->stage,
                                         .shader = shader,
                                         .module_name = name ? mem_copy_string(name) : NULL};
    return made;
}

/* Replaces the code of one shader object by the instrumented one, where that is possible. */
static void change_one(struct gpu_change *change, uint32_t index, const VkShaderCreateInfoEXT *app,
                       VkShaderCreateInfoEXT *down)
{
    const VkDebugUtilsObjectNameInfoEXT *named =
        chain_find(app->pNext, VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
    const char *name = named && !pointer_is_bad(named->pObjectName) ? named->pObjectName : NULL;
    /* no pointer is pushed before generated commands */
    bool generated = app->flags & VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT;
    const struct gpu_push *push = generated ? NULL
                                            : gpu_push_of(change->device, app->pPushConstantRanges,
                                                          app->pushConstantRangeCount);
    bool must = false;
    struct gpu_shader *shader = change->made && app->codeType == VK_SHADER_CODE_TYPE_SPIRV_EXT
                                    ? shader_for(change, app, name, push != NULL, &must)
                                    : NULL;
    if (change->made)
        change->made[index].translated = must;
    const VkSpecializationInfo *specialization =
        shader && !shader->by_push ? gpu_specialization(change->shaders, app->pSpecializationInfo)
                                   : NULL;
    bool possible = shader && (shader->by_push || specialization);
    struct gpu_pipeline *made = possible ? shader_object_keep(shader, push, name) : NULL;
    if (!made) {
        change->failed |= must;
        gpu_shader_release(shader);
        return;
    }
    gpu_survive_stage(change->device, shader, 0, name);
    down->pCode = shader->instrumented;
    down->codeSize = shader->instrumented_count * sizeof(uint32_t);
    if (specialization)
        down->pSpecializationInfo = specialization;
    change->made[index].pipeline = made;
}

/* Adds the pointer's bytes to the shader object's push constants, like those of pipeline layouts,
 * which must stay compatible. Returns false if memory is out. */
static bool shader_object_add_push_range(const struct gpu_change *change,
                                         VkShaderCreateInfoEXT *down)
{
    VkPushConstantRange *ranges =
        scratch_alloc(&thread_self()->scratch,
                      (down->pushConstantRangeCount + (size_t)1) * sizeof(*ranges));
    uint32_t count = ranges ? gpu_ranges_extend(change->shaders, down->pPushConstantRanges,
                                                down->pushConstantRangeCount, ranges)
                            : 0;
    if (count) {
        down->pPushConstantRanges = ranges;
        down->pushConstantRangeCount = count;
    }
    return ranges != NULL;
}

/* Returns how many create infos come before the first one with the mark for "no binary", which the
 * driver must not get. */
static uint32_t count_of_good(const VkShaderCreateInfoEXT *infos, uint32_t count)
{
    uint32_t i = 0;
    while (i < count && !gpu_binary_is_none(&infos[i]))
        i++;
    return i;
}

/* Reports, once for the device, that shader objects made from binaries are not checked. */
static void tell_binaries(const struct call *call, const VkShaderCreateInfoEXT *infos,
                          uint32_t count)
{
    struct gpu_shaders *shaders = gpu_in_device(call->device)->shaders;
    uint32_t i = 0;
    while (i < count && infos[i].codeType != VK_SHADER_CODE_TYPE_BINARY_EXT)
        i++;
    if (i < count && !atomic_exchange_explicit(&shaders->told_binary, true, memory_order_relaxed))
        (void)finding_with_severity(call, SEVERITY_INFO, WARNING_GPU_Assisted_Validation, NULL,
                                    NULL,
                                    "Shader objects that are made of binaries run as they are: "
                                    "nothing in them is checked. This is reported once");
}

/* Creates the shaders. The driver may compare the push constant ranges of a binary with those it
 * was made with, so a refused binary is tried again with the program's own ranges. */
static VkResult shader_object_create(const struct call *call, const VkShaderCreateInfoEXT *app,
                                     VkDevice device, uint32_t count, VkShaderCreateInfoEXT *infos,
                                     const VkAllocationCallbacks *allocator, VkShaderEXT *shaders)
{
    const struct device_dispatch *next = &call->device->dispatch;
    const VkResult result = next->CreateShadersEXT(device, count, infos, allocator, shaders);
    bool differ = false;
    for (uint32_t i = 0; result == VK_INCOMPATIBLE_SHADER_BINARY_EXT && i < count; i++) {
        if (infos[i].codeType != VK_SHADER_CODE_TYPE_BINARY_EXT)
            continue;
        differ |= infos[i].pPushConstantRanges != app[i].pPushConstantRanges;
        infos[i].pushConstantRangeCount = app[i].pushConstantRangeCount;
        infos[i].pPushConstantRanges = app[i].pPushConstantRanges;
    }
    if (!differ)
        return result;
    for (uint32_t i = 0; i < count; i++) {
        if (shaders[i])
            next->DestroyShaderEXT(device, shaders[i], allocator);
        shaders[i] = VK_NULL_HANDLE;
    }
    return next->CreateShadersEXT(device, count, infos, allocator, shaders);
}

VkResult gpu_down_CreateShadersEXT(struct call *call, const VkShaderCreateInfoEXT *app,
                                   VkDevice device, uint32_t createInfoCount,
                                   const VkShaderCreateInfoEXT *pCreateInfos,
                                   const VkAllocationCallbacks *pAllocator, VkShaderEXT *pShaders)
{
    uint32_t count = count_of_good(app, createInfoCount);
    struct gpu_change change = gpu_change_begin(call, createInfoCount);
    VkShaderCreateInfoEXT *infos =
        scratch_alloc(&thread_self()->scratch, (count + (size_t)1) * sizeof(*infos));
    VkResult result = infos ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; infos && i < count; i++) {
        infos[i] = pCreateInfos[i];
        if (!shader_object_add_push_range(&change, &infos[i]))
            result = VK_ERROR_OUT_OF_HOST_MEMORY;
        else
            change_one(&change, i, &app[i], &infos[i]);
    }
    if (result == VK_SUCCESS)
        result = gpu_change_failed(&change, infos);
    if (result == VK_SUCCESS && count)
        result = shader_object_create(call, app, device, count, infos, pAllocator, pShaders);
    if (result >= VK_SUCCESS)
        gpu_originals_keep(&change, pCreateInfos, count);
    gpu_change_end(&change);
    gpu_shaders_tell(call);
    tell_binaries(call, app, count);
    /* The shaders before the one that failed are made, as vkCreateShadersEXT allows. */
    return result == VK_SUCCESS && count < createInfoCount ? VK_INCOMPATIBLE_SHADER_BINARY_EXT
                                                           : result;
}

void gpu_after_CreateShadersEXT(struct call *call, VkDevice device, uint32_t createInfoCount,
                                const VkShaderCreateInfoEXT *pCreateInfos,
                                const VkAllocationCallbacks *pAllocator, VkShaderEXT *pShaders)
{
    for (uint32_t i = 0; i < createInfoCount; i++) {
        struct gpu_made made = gpu_change_take(call, i);
        struct shader_object *shader = find_shader_object(call, pShaders[i]);
        /* Without a state of the shader object, `made` could not be freed later. */
        if (shader) {
            gpu_in_shader_object(shader)->changed = made.pipeline;
            atomic_store_explicit(&gpu_in_shader_object(shader)->original, made.original,
                                  memory_order_release);
        } else {
            gpu_pipeline_free(made.pipeline);
            gpu_original_free(made.original);
        }
    }
    gpu_change_forget(call);
}
