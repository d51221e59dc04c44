/* Implements a driver without a device, and a loader for one layer, as far as the layer needs them
 * to check shaders.
 *
 * Handles that the layer gets from a loader begin with a pointer, which is equal for all handles of
 * one instance or device. */
#include "assay/validate/offline_device.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>

#include "assay/command.h"

/* The profile of the only device. */
static const struct device_profile *shown;
static int instance_key, device_key;
static struct {
    void *key;
} the_instance = {&instance_key}, the_physical_device = {&instance_key}, the_device = {&device_key},
  the_queue = {&device_key};
static uint64_t last_handle;

#define ONE(handle_type, name) ((handle_type)(void *)&(name))

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkInstance *instance)
{
    (void)info, (void)allocator;
    *instance = ONE(VkInstance, the_instance);
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL enumerate_devices(VkInstance instance, uint32_t *count,
                                                        VkPhysicalDevice *devices)
{
    (void)instance;
    if (devices && *count)
        devices[0] = ONE(VkPhysicalDevice, the_physical_device);
    *count = 1;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL enumerate_groups(VkInstance instance, uint32_t *count,
                                                       VkPhysicalDeviceGroupProperties *groups)
{
    (void)instance;
    if (groups && *count) {
        groups[0].physicalDeviceCount = 1;
        groups[0].physicalDevices[0] = ONE(VkPhysicalDevice, the_physical_device);
    }
    *count = 1;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL enumerate_extensions(VkPhysicalDevice device,
                                                           const char *layer, uint32_t *count,
                                                           VkExtensionProperties *list)
{
    (void)device, (void)layer;
    for (uint32_t i = 0; list && i < *count && i < shown->extension_count; i++) {
        memset(&list[i], 0, sizeof(list[i]));
        strncpy(list[i].extensionName, shown->extensions[i], VK_MAX_EXTENSION_NAME_SIZE - 1);
        list[i].specVersion = 1;
    }
    if (!list || *count > shown->extension_count)
        *count = shown->extension_count;
    return list && *count < shown->extension_count ? VK_INCOMPLETE : VK_SUCCESS;
}

/* Fills in the structures of a pNext chain that the profile has. Others stay unchanged. */
static void offline_device_fill(void *chain)
{
    for (VkBaseOutStructure *at = chain; at; at = at->pNext) {
        const void *known = profile_structure(shown, at->sType);
        for (size_t i = 0; known && i < device_structure_count; i++) {
            if (device_structures[i].type == at->sType)
                memcpy(at + 1, (const VkBaseOutStructure *)known + 1,
                       device_structures[i].size - sizeof(VkBaseOutStructure));
        }
    }
}

static VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice device,
                                                 VkPhysicalDeviceProperties *properties)
{
    (void)device;
    *properties = shown->properties;
}

static VKAPI_ATTR void VKAPI_CALL get_properties2(VkPhysicalDevice device,
                                                  VkPhysicalDeviceProperties2 *properties)
{
    (void)device;
    properties->properties = shown->properties;
    offline_device_fill(properties->pNext);
}

static VKAPI_ATTR void VKAPI_CALL get_features2(VkPhysicalDevice device,
                                                VkPhysicalDeviceFeatures2 *features)
{
    (void)device;
    memset(&features->features, 0, sizeof(features->features));
    offline_device_fill(features);
}

static VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice device,
                                               VkPhysicalDeviceFeatures *features)
{
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    get_features2(device, &all);
    *features = all.features;
}

static VKAPI_ATTR void VKAPI_CALL get_families(VkPhysicalDevice device, uint32_t *count,
                                               VkQueueFamilyProperties *families)
{
    (void)device;
    if (families && *count)
        families[0] = (VkQueueFamilyProperties){
            .queueFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
            .queueCount = 1};
    *count = 1;
}

static VKAPI_ATTR void VKAPI_CALL get_families2(VkPhysicalDevice device, uint32_t *count,
                                                VkQueueFamilyProperties2 *families)
{
    get_families(device, count, families ? &families->queueFamilyProperties : NULL);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical_device,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkDevice *device)
{
    (void)physical_device, (void)info, (void)allocator;
    *device = ONE(VkDevice, the_device);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL get_queue(VkDevice device, uint32_t family, uint32_t index,
                                            VkQueue *queue)
{
    (void)device, (void)family, (void)index;
    *queue = ONE(VkQueue, the_queue);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice device,
                                                    const VkShaderModuleCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkShaderModule *module)
{
    (void)device, (void)info, (void)allocator;
    *module = (VkShaderModule)++last_handle;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_shaders(VkDevice device, uint32_t count,
                                                     const VkShaderCreateInfoEXT *infos,
                                                     const VkAllocationCallbacks *allocator,
                                                     VkShaderEXT *shaders)
{
    (void)device, (void)infos, (void)allocator;
    for (uint32_t i = 0; i < count; i++)
        shaders[i] = (VkShaderEXT)++last_handle;
    return VK_SUCCESS;
}

/* Implements all commands that need not do anything. It ignores its parameters, and returns
 * VK_SUCCESS. */
static VKAPI_ATTR VkResult VKAPI_CALL offline_device_do_nothing(void)
{
    return VK_SUCCESS;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char *name);
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance,
                                                                  const char *name);

static const struct {
    const char *name;
    PFN_vkVoidFunction function;
} functions[] = {
#define FUNCTION(name, function) {#name, (PFN_vkVoidFunction)(function)}
    FUNCTION(vkGetInstanceProcAddr, get_instance_proc),
    FUNCTION(vkGetDeviceProcAddr, get_device_proc),
    FUNCTION(vkCreateInstance, create_instance),
    FUNCTION(vkEnumeratePhysicalDevices, enumerate_devices),
    FUNCTION(vkEnumeratePhysicalDeviceGroups, enumerate_groups),
    FUNCTION(vkEnumerateDeviceExtensionProperties, enumerate_extensions),
    FUNCTION(vkGetPhysicalDeviceProperties, get_properties),
    FUNCTION(vkGetPhysicalDeviceProperties2, get_properties2),
    FUNCTION(vkGetPhysicalDeviceFeatures, get_features),
    FUNCTION(vkGetPhysicalDeviceFeatures2, get_features2),
    FUNCTION(vkGetPhysicalDeviceQueueFamilyProperties, get_families),
    FUNCTION(vkGetPhysicalDeviceQueueFamilyProperties2, get_families2),
    FUNCTION(vkCreateDevice, create_device),
    FUNCTION(vkGetDeviceQueue, get_queue),
    FUNCTION(vkCreateShaderModule, create_module),
    FUNCTION(vkCreateShadersEXT, create_shaders),
#undef FUNCTION
};

static PFN_vkVoidFunction offline_device_find(const char *name)
{
    for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
        if (!strcmp(functions[i].name, name))
            return functions[i].function;
    }
    return (PFN_vkVoidFunction)offline_device_do_nothing;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char *name)
{
    (void)device;
    return offline_device_find(name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance,
                                                                  const char *name)
{
    (void)instance;
    return offline_device_find(name);
}

/* --- the loader --- */

/* Creates an instance through the layer. Returns false if that failed. */
static bool make_instance(struct offline_device *offline, PFN_vkGetInstanceProcAddr get)
{
    VkLayerInstanceLink next = {.pfnNextGetInstanceProcAddr = get_instance_proc};
    VkLayerInstanceCreateInfo link = {.sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO,
                                      .function = VK_LAYER_LINK_INFO,
                                      .u.pLayerInfo = &next};
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "assay validate",
                                           .apiVersion = shown->properties.apiVersion};
    const char *extension = VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME;
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = &link,
                                       .pApplicationInfo = &application,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = &extension};
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)get(NULL, "vkCreateInstance");
    if (!create || create(&info, NULL, &offline->instance) != VK_SUCCESS)
        return false;
    offline->destroy_instance = (PFN_vkDestroyInstance)get(offline->instance, "vkDestroyInstance");
    return true;
}

/* True if the profile's structure of features has one that is on. Others are left out of the chain,
 * as a structure may need an extension that the device does not have. */
static bool has_any(size_t index)
{
    const struct device_structure *structure = &device_structures[index];
    const char *memory = shown->structures[index];
    VkBool32 on = VK_FALSE;
    for (uint32_t i = 0; structure->features && memory && i < structure->member_count && !on; i++)
        memcpy(&on, memory + structure->members[i].offset, sizeof(on));
    return on;
}

/* Creates a device with all features and extensions of the profile, and with shader objects, by
 * which shaders are checked one by one. */
static bool make_device(struct offline_device *offline, PFN_vkGetInstanceProcAddr get)
{
    VkLayerDeviceLink next = {.pfnNextGetInstanceProcAddr = get_instance_proc,
                              .pfnNextGetDeviceProcAddr = get_device_proc};
    VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
        .shaderObject = VK_TRUE};
    VkLayerDeviceCreateInfo link = {.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
                                    .pNext = &objects,
                                    .function = VK_LAYER_LINK_INFO,
                                    .u.pLayerInfo = &next};
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    VkBaseOutStructure *last = (VkBaseOutStructure *)(void *)&objects;
    const char **names = calloc(shown->extension_count + 1u, sizeof(*names));
    uint32_t count = 0;
    if (!names)
        return false;
    for (size_t i = 0; i < device_structure_count; i++) {
        VkBaseOutStructure *features = shown->structures[i];
        if (device_structures[i].type == objects.sType || !has_any(i))
            continue;
        last->pNext = features;
        last = features;
        features->pNext = NULL;
    }
    for (uint32_t i = 0; i < shown->extension_count; i++) {
        if (strcmp(shown->extensions[i], VK_EXT_SHADER_OBJECT_EXTENSION_NAME) != 0)
            names[count++] = shown->extensions[i];
    }
    names[count++] = VK_EXT_SHADER_OBJECT_EXTENSION_NAME;
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &link,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = count,
                                     .ppEnabledExtensionNames = names};
    VkPhysicalDevice physical_device = VK_NULL_HANDLE;
    uint32_t one = 1;
    PFN_vkEnumeratePhysicalDevices list =
        (PFN_vkEnumeratePhysicalDevices)get(offline->instance, "vkEnumeratePhysicalDevices");
    PFN_vkCreateDevice create = (PFN_vkCreateDevice)get(offline->instance, "vkCreateDevice");
    bool good = list && create && list(offline->instance, &one, &physical_device) == VK_SUCCESS &&
                create(physical_device, &info, NULL, &offline->device) == VK_SUCCESS;
    free(names);
    return good;
}

bool offline_device_open(struct offline_device *offline, const char *library,
                         const struct device_profile *profile)
{
    VkNegotiateLayerInterface interface = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
                                           .loaderLayerInterfaceVersion = 2};
    PFN_vkNegotiateLoaderLayerInterfaceVersion negotiate = NULL;
    shown = profile;
    *offline = (struct offline_device){.library = dlopen(library, RTLD_NOW | RTLD_LOCAL)};
    if (offline->library)
        *(void **)&negotiate = dlsym(offline->library, "vkNegotiateLoaderLayerInterfaceVersion");
    if (!negotiate || negotiate(&interface) != VK_SUCCESS) {
        tell("the layer cannot be loaded: %s", offline->library ? library : dlerror());
        return false;
    }
    PFN_vkGetInstanceProcAddr get = interface.pfnGetInstanceProcAddr;
    if (!make_instance(offline, get) || !make_device(offline, get)) {
        tell("the layer made no device for this profile");
        return false;
    }
    PFN_vkGetDeviceProcAddr device_get = interface.pfnGetDeviceProcAddr;
#define LOAD(type, name) (type) device_get(offline->device, name)
    offline->create_module = LOAD(PFN_vkCreateShaderModule, "vkCreateShaderModule");
    offline->destroy_module = LOAD(PFN_vkDestroyShaderModule, "vkDestroyShaderModule");
    offline->create_shaders = LOAD(PFN_vkCreateShadersEXT, "vkCreateShadersEXT");
    offline->destroy_shader = LOAD(PFN_vkDestroyShaderEXT, "vkDestroyShaderEXT");
    offline->destroy_device = LOAD(PFN_vkDestroyDevice, "vkDestroyDevice");
    return offline->create_module && offline->destroy_module && offline->create_shaders &&
           offline->destroy_shader && offline->destroy_device;
}

void offline_device_close(struct offline_device *offline)
{
    if (offline->device && offline->destroy_device)
        offline->destroy_device(offline->device, NULL);
    if (offline->instance && offline->destroy_instance)
        offline->destroy_instance(offline->instance, NULL);
    *offline =
        /* (The layer's library stays loaded, as it is linked with -z nodelete.) */
        (struct offline_device){0};
}
