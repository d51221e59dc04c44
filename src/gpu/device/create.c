/* Asks the driver for more than the program does: Vulkan 1.1, and the features that instrumented
 * shaders use. The physical device has all of these, and a program could ask for them as well. The
 * program's structures are never written: a changed one is copied, and so is all of the chain that
 * leads to it. */
#include "gpu/device/areas.h"
#include "gpu/gpu.h"
#include "gpu/hooks.h"

#include <string.h>

#include "chassis/translate.h"
#include "gpu/device/extensions_below.h"
#include "gpu/pipeline/shader.h"
#include "report/finding/finding.h"
#include "state/object/aftermath.h"
#include "vk/chain.h"

/* Stages whose stores need vertexPipelineStoresAndAtomics. */
#define STAGES_BEFORE_FRAGMENTS                                              \
    (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | \
     VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT)

void gpu_change_instance(struct instance *instance, VkInstanceCreateInfo *down)
{
    static const VkApplicationInfo unknown = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO};
    /* A program that asks for 1.1 itself needs no change. */
    if (instance->api_version >= VK_API_VERSION_1_1 ||
        !(instance->settings.gpuav_enable || instance->settings.printf_enable))
        return;
    VkApplicationInfo *app = scratch_alloc(&thread_self()->scratch, sizeof(*app));
    if (!app)
        return;
    *app = down->pApplicationInfo ? *down->pApplicationInfo : unknown;
    app->apiVersion = VK_API_VERSION_1_1;
    down->pApplicationInfo = app;
}

/* --- device addresses --- */

/* The way in which device addresses can be enabled, given the program's create info. */
enum addresses { ADDRESSES_NONE, ADDRESSES_CORE, ADDRESSES_KHR, ADDRESSES_EXT };

/* Returns the Vulkan version that the driver sees: gpu_change_instance() has asked for 1.1 at
 * least. */
static uint32_t version_below(const struct device *device)
{
    uint32_t asked = device->instance->api_version > VK_API_VERSION_1_1
                         ? device->instance->api_version
                         : VK_API_VERSION_1_1;
    return asked < device->properties.apiVersion ? asked : device->properties.apiVersion;
}

/* Finds the way in which device addresses of buffers can be enabled. */
static enum addresses find_addresses(const struct device *device, const VkDeviceCreateInfo *info)
{
    PFN_vkGetPhysicalDeviceFeatures2 query = device->instance->dispatch.GetPhysicalDeviceFeatures2;
    uint32_t version = version_below(device);
    if (!query || version < VK_API_VERSION_1_1)
        return ADDRESSES_NONE;
    if (extension_is_named(info,
                           /* the EXT extension must not be enabled with the KHR one */
                           VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME)) {
        VkPhysicalDeviceBufferDeviceAddressFeaturesEXT have = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT};
        query(device->physical_device,
              &(VkPhysicalDeviceFeatures2){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                           .pNext = &have});
        return have.bufferDeviceAddress ? ADDRESSES_EXT : ADDRESSES_NONE;
    }
    enum addresses way = version >= VK_API_VERSION_1_2 ? ADDRESSES_CORE : ADDRESSES_KHR;
    if (way == ADDRESSES_KHR &&
        !extension_is_below(device, VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME))
        return ADDRESSES_NONE;
    VkPhysicalDeviceBufferDeviceAddressFeatures have = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
    query(device->physical_device,
          &(VkPhysicalDeviceFeatures2){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                       .pNext = &have});
    return have.bufferDeviceAddress ? way : ADDRESSES_NONE;
}

/* Returns a writable copy of the chain's structure of this type. NULL: there is none, or memory is
 * out, which sets `failed`. */
static void *change_chained(VkDeviceCreateInfo *down, VkStructureType type, bool *failed)
{
    const void *there = chain_find(down->pNext, type);
    size_t size = structure_size(type);
    void *copy = there ? scratch_alloc(&thread_self()->scratch, size) : NULL;
    const void *chain = copy ? chain_replace(down->pNext, there, memcpy(copy, there, size)) : NULL;
    *failed |= there && !chain;
    if (chain)
        down->pNext = chain;
    return chain ? copy : NULL;
}

/* Enables addresses of buffers with VK_EXT_buffer_device_address. Returns false if memory is
 * out. */
static bool add_addresses_ext(VkDeviceCreateInfo *down)
{
    const VkStructureType type =
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT;
    bool failed = false;
    VkPhysicalDeviceBufferDeviceAddressFeaturesEXT *features = change_chained(down, type, &failed);
    if (!features && !failed) {
        features = scratch_alloc(&thread_self()->scratch, sizeof(*features));
        if (!features)
            return false;
        *features = (VkPhysicalDeviceBufferDeviceAddressFeaturesEXT){
            .sType = type, .pNext = (void *)(uintptr_t)down->pNext};
        down->pNext = features;
    }
    if (features)
        features->bufferDeviceAddress = VK_TRUE;
    return features != NULL;
}

/* Enables addresses of buffers: in VkPhysicalDeviceVulkan12Features if the program chains that
 * structure (VUID-VkDeviceCreateInfo-pNext-02830), else in the feature's own structure. */
static bool add_addresses(VkDeviceCreateInfo *down, enum addresses way)
{
    const VkStructureType type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES;
    bool failed = false;
    if (way == ADDRESSES_EXT)
        return add_addresses_ext(down);
    VkPhysicalDeviceVulkan12Features *all =
        change_chained(down, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &failed);
    if (all) {
        all->bufferDeviceAddress = VK_TRUE;
        return true;
    }
    VkPhysicalDeviceBufferDeviceAddressFeatures *features =
        /* `failed` is set if memory is out for the changed copy */
        failed ? NULL : change_chained(down, type, &failed);
    if (!features && !failed) {
        features = scratch_alloc(&thread_self()->scratch, sizeof(*features));
        if (!features)
            return false;
        *features = (VkPhysicalDeviceBufferDeviceAddressFeatures){
            /* put first, so that the program's chain is not written to */
            .sType = type,
            .pNext = (void *)(uintptr_t)down->pNext};
        down->pNext = features;
    }
    if (!features)
        return false;
    features->bufferDeviceAddress = VK_TRUE;
    return way != ADDRESSES_KHR ||
           extension_is_named(down, VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME) ||
           extension_add(down, VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME);
}

/* --- features of Vulkan 1.0 --- */

/* Returns a writable copy of the program's features: of the chained VkPhysicalDeviceFeatures2, or
 * of pEnabledFeatures. NULL: memory is out. */
static VkPhysicalDeviceFeatures *change_features(VkDeviceCreateInfo *down)
{
    static const VkPhysicalDeviceFeatures none;
    bool failed = false;
    VkPhysicalDeviceFeatures2 *chained =
        change_chained(down, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &failed);
    if (chained)
        return &chained->features;
    VkPhysicalDeviceFeatures *features =
        failed ? NULL : scratch_alloc(&thread_self()->scratch, sizeof(*features));
    if (!features)
        return NULL;
    *features = down->pEnabledFeatures ? *down->pEnabledFeatures : none;
    down->pEnabledFeatures = features;
    return features;
}

/* Enables VK_EXT_external_memory_host, so that the ring can survive the process
 * (gpu/device/survive.c). Returns false if the device lacks it, or memory is out. */
static bool add_import(const struct device *device, VkDeviceCreateInfo *down)
{
    const char *name = VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME;
    return extension_is_named(down, name) ||
           (extension_is_below(device, name) && extension_add(down, name));
}

void gpu_change_device(struct device *device, VkDeviceCreateInfo *down)
{
    VkDeviceCreateInfo changed = *down;
    VkPhysicalDeviceFeatures have;
    enum addresses way = find_addresses(device, down);
    if (way == ADDRESSES_NONE)
        return;
    VkPhysicalDeviceFeatures *features = change_features(&changed);
    if (!features)
        return;
    device->instance->dispatch.GetPhysicalDeviceFeatures(device->physical_device, &have);
    features->fragmentStoresAndAtomics |= have.fragmentStoresAndAtomics;
    features->vertexPipelineStoresAndAtomics |= have.vertexPipelineStoresAndAtomics;
    if (device->instance->settings.gpuav_enable &&
        device->instance->settings.gpuav_force_on_robustness)
        features->robustBufferAccess = VK_TRUE; /* every device has this feature */
    /* add_addresses() copies the chain again: `features` must not be written to afterwards */
    if (!add_addresses(&changed, way))
        return;
    if (aftermath_is_wanted())
        gpu_in_device(device)->imports_host_memory = add_import(device, &changed);
    /* If a step failed, the driver gets the program's structure, and shaders run unchanged. */
    *down = changed;
    VkShaderStageFlags stages = ~(STAGES_BEFORE_FRAGMENTS | VK_SHADER_STAGE_FRAGMENT_BIT);
    stages |= have.fragmentStoresAndAtomics ? VK_SHADER_STAGE_FRAGMENT_BIT : 0;
    stages |= have.vertexPipelineStoresAndAtomics ? STAGES_BEFORE_FRAGMENTS : 0;
    gpu_in_device(device)->stages = stages;
}

/* --- after the device is created --- */

/* Reports which parts of GPU-assisted validation this device does not support. */
static void tell_what_is_missing(const struct call *call)
{
    char error[128];
    const struct settings *settings = &call->instance->settings;
    VkShaderStageFlags stages = gpu_in_device(call->device)->stages;
    const char *bad = gpu_bad_expression(settings, error, sizeof(error));
    if (bad)
        (void)finding_with_severity(call, SEVERITY_WARNING, UNASSIGNED_GPU_Assisted_Validation,
                                    NULL, NULL,
                                    "The setting gpuav_shaders_to_instrument has \"%s\", which is "
                                    "not a regular expression (%s): it selects no shader",
                                    bad, error);
    if (!stages)
        (void)finding_with_severity(call, SEVERITY_WARNING, UNASSIGNED_GPU_Assisted_Validation,
                                    NULL, NULL,
                                    "No shader is instrumented: the device has no buffer device "
                                    "addresses (the bufferDeviceAddress feature), by which shaders "
                                    "would report");
    else if (!(stages & VK_SHADER_STAGE_FRAGMENT_BIT) || !(stages & VK_SHADER_STAGE_VERTEX_BIT))
        (void)finding_with_severity(call, SEVERITY_WARNING, UNASSIGNED_GPU_Assisted_Validation,
                                    NULL, NULL,
                                    "%s shaders are not instrumented: the device does not have "
                                    "%s%s%s, so that these could not report",
                                    stages & VK_SHADER_STAGE_VERTEX_BIT ? "Fragment"
                                    : stages & VK_SHADER_STAGE_FRAGMENT_BIT
                                        ? "Vertex, tessellation and geometry"
                                        : "Vertex, tessellation, geometry and fragment",
                                    stages & VK_SHADER_STAGE_VERTEX_BIT
                                        ? ""
                                        : "vertexPipelineStoresAndAtomics",
                                    stages & (VK_SHADER_STAGE_VERTEX_BIT |
                                              VK_SHADER_STAGE_FRAGMENT_BIT)
                                        ? ""
                                        : " and ",
                                    stages & VK_SHADER_STAGE_FRAGMENT_BIT
                                        ? ""
                                        : "fragmentStoresAndAtomics");
}

/* The hooks with a topic run after this one; the one that completes the data of shaders calls
 * gpu_shaders_begin(). */
void gpu_after_CreateDevice(struct call *call, VkPhysicalDevice physicalDevice,
                            const VkDeviceCreateInfo *pCreateInfo,
                            const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
    const struct settings *settings = &call->instance->settings;
    if (call->result != VK_SUCCESS || !(settings->gpuav_enable || settings->printf_enable ||
                                        emulated_lowers_shaders(call->device)))
        return;
    if (gpu_in_device(call->device)->stages)
        gpu_in_device(call->device)->shaders = gpu_shaders_create(call->device);
    tell_what_is_missing(call);
}

void gpu_before_DestroyDevice_shaders(struct call *call, VkDevice device,
                                      const VkAllocationCallbacks *pAllocator)
{
    gpu_shaders_destroy_layouts(call->device);
}
