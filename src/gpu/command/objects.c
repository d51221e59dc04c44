/* Keeps this room's data in the states of shader modules, pipelines and shader objects, and changes
 * the device's properties that programs see. */
#include "gpu/device/areas.h"
#include "gpu/gpu.h"
#include "gpu/hooks.h"

#include <string.h>

#include "chassis/hooks.h"
#include "gpu/device/background.h"
#include "gpu/pipeline/binaries.h"
#include "gpu/device/device.h"
#include "state/pipeline/pipeline.h"
#include "vk/pointer.h"

/* Keeps the module's code for pipelines that are made of it. The code is needed only until they are
 * made; then the program may destroy the module. */
void gpu_after_CreateShaderModule(struct call *call, VkDevice device,
                                  const VkShaderModuleCreateInfo *pCreateInfo,
                                  const VkAllocationCallbacks *pAllocator,
                                  VkShaderModule *pShaderModule)
{
    if (call->result != VK_SUCCESS || !call->device->down || pointer_is_bad(pCreateInfo->pCode))
        return;
    struct shader_module *module = find_shader_module(call, *pShaderModule);
    struct gpu_code *code =
        module && module->shader ? mem_alloc(sizeof(*code) + pCreateInfo->codeSize) : NULL;
    if (!code)
        return;
    atomic_init(&code->references, 1);
    code->hash = module->shader->hash;
    code->size = pCreateInfo->codeSize;
    code->selected = gpu_chain_selects(pCreateInfo->pNext);
    memcpy(code->words, pCreateInfo->pCode, pCreateInfo->codeSize);
    gpu_in_shader_module(module)->code = code;
}

/* Releases the module's code, which has a reference count: pipelines that are compiled in the
 * background keep it. */
static void destroy_module(struct object *object)
{
    gpu_code_release(gpu_in_shader_module(object->state)->code);
}

/* Runs when the state of a pipeline is freed. A compile in the background is dropped, or, if it is
 * running, freed by its thread at its end. */
static void destroy_pipeline(struct object *object)
{
    struct gpu_in_pipeline *area = gpu_in_pipeline(object->state);
    /* a job is left only if the device is freed with its instance */
    gpu_background_drop(&area->compile);
    gpu_pipeline_free(area->changed);
}

/* Frees the table of a set whose device is freed with its instance; otherwise the table is gone
 * already. */
static void destroy_set(struct object *object)
{
    struct gpu_in_descriptor_set *area = gpu_in_descriptor_set(object->state);
    mem_retire(atomic_exchange_explicit(&area->table, NULL, memory_order_acq_rel));
}

/* Runs when the state of a shader object is freed. Another thread may have taken the original
 * already: whichever exchange gets the pointer frees it. */
static void destroy_shader(struct object *object)
{
    struct gpu_in_shader_object *area = gpu_in_shader_object(object->state);
    gpu_pipeline_free(area->changed);
    gpu_original_free(atomic_exchange_explicit(&area->original, NULL, memory_order_acq_rel));
}

/* Runs for a device that the program never destroyed, when its instance is destroyed. The driver's
 * objects are out of reach then, and only the layer's memory is freed. */
static void destroy_device(struct object *object)
{
    struct device *device = device_of(object);
    if (!device)
        return;
    gpu_background_wait_device(device);
    if (gpu_in_device(device)->gpu)
        gpu_device_abandon(device);
    gpu_shaders_free(gpu_in_device(device)->shaders);
}

/* The functions that free this room's areas in objects, by type of handle. */
const struct area_end gpu_areas[] = {
    {HANDLE_SHADER_MODULE, destroy_module}, {HANDLE_PIPELINE, destroy_pipeline},
    {HANDLE_DESCRIPTOR_SET, destroy_set},   {HANDLE_SHADER_EXT, destroy_shader},
    {HANDLE_DEVICE, destroy_device},        {HANDLE_NONE, NULL}};

/* --- device properties that the program sees --- */

void gpu_reserve_limits(const struct instance *instance, VkPhysicalDeviceLimits *limits)
{
    if (!gpu_reserves(instance))
        return;
    if (limits->maxBoundDescriptorSets > 1)
        limits->maxBoundDescriptorSets--;
    if (limits->maxPushConstantsSize > GPU_PUSH_BYTES)
        /* The limit is a multiple of 8, as the pointer in the last bytes needs that alignment. */
        limits->maxPushConstantsSize = (limits->maxPushConstantsSize & ~7u) - GPU_PUSH_BYTES;
}

void gpu_after_GetPhysicalDeviceProperties(struct call *call, VkPhysicalDevice physicalDevice,
                                           VkPhysicalDeviceProperties *pProperties)
{
    gpu_reserve_limits(call->instance, &pProperties->limits);
}

void gpu_after_GetPhysicalDeviceProperties2(struct call *call, VkPhysicalDevice physicalDevice,
                                            VkPhysicalDeviceProperties2 *pProperties)
{
    gpu_reserve_limits(call->instance, &pProperties->properties.limits);
}
