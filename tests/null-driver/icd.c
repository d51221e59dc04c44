/* Gives the loader the null driver's commands, instances and physical devices. */
#include "null_driver.h"

#include <vulkan/vk_icd.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define INTERFACE_VERSION 7

#define EXPORT __attribute__((visibility("default")))

EXPORT VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version);
EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance,
                                                                          const char *name);
EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance instance,
                                                                                const char *name);

static const struct command_entry *command_find(const char *name)
{
    size_t low = 0, high = command_table_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(name, command_table[middle].name);
        if (order == 0)
            return &command_table[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static PFN_vkVoidFunction entry_function(const struct command_entry *entry,
                                         const struct config *config)
{
    if (entry->extension && !config_has_extension(config, entry->extension))
        return NULL;
    if (config && config->check_handles && entry->checking)
        return entry->checking;
    bool fails = config && entry->failing && config->failures[entry->command];
    return fails ? entry->failing : entry->function;
}

static const struct config *config_of(const void *dispatchable)
{
    return dispatchable ? ((const struct dispatchable *)dispatchable)->config : NULL;
}

VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version)
{
    if (*version > INTERFACE_VERSION)
        *version = INTERFACE_VERSION;
    return VK_SUCCESS;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance,
                                                                   const char *name)
{
    if (strcmp(name, "vk_icdNegotiateLoaderICDInterfaceVersion") == 0)
        return (PFN_vkVoidFunction)vk_icdNegotiateLoaderICDInterfaceVersion;
    if (strcmp(name, "vk_icdGetPhysicalDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)vk_icdGetPhysicalDeviceProcAddr;
    const struct command_entry *entry = command_find(name);
    return entry ? entry_function(entry, config_of(instance)) : NULL;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance instance,
                                                                         const char *name)
{
    const struct command_entry *entry = command_find(name);
    return entry && entry->level == LEVEL_PHYSICAL_DEVICE
               ? entry_function(entry, config_of(instance))
               : NULL;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL null_GetInstanceProcAddr(VkInstance instance,
                                                                  const char *pName)
{
    return vk_icdGetInstanceProcAddr(instance, pName);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL null_GetDeviceProcAddr(VkDevice device, const char *pName)
{
    const struct command_entry *entry = command_find(pName);
    return entry && entry->level == LEVEL_DEVICE ? entry_function(entry, config_of(device)) : NULL;
}

/* The device goes with a submission: that one is the last to succeed. */
static bool device_lost(struct config *config, enum null_command command)
{
    bool submits = command == COMMAND_QueueSubmit || command == COMMAND_QueueSubmit2 ||
                   command == COMMAND_QueueBindSparse;
    unsigned left = atomic_load_explicit(&config->submits_left, memory_order_relaxed);
    while (submits && left > 0) {
        if (atomic_compare_exchange_weak_explicit(&config->submits_left, &left, left - 1,
                                                  memory_order_relaxed, memory_order_relaxed))
            return false;
    }
    return left == 0;
}

struct failure *failure_due(const void *dispatchable, enum null_command command)
{
    struct config *config = (struct config *)config_of(dispatchable);
    struct failure *failure = config ? config->failures[command] : NULL;
    if (!failure)
        return NULL;
    if (failure->with_device)
        return device_lost(config, command) ? failure : NULL;
    unsigned remaining = atomic_load_explicit(&failure->remaining, memory_order_relaxed);
    while (remaining > 0) {
        if (atomic_compare_exchange_weak_explicit(&failure->remaining, &remaining, remaining - 1,
                                                  memory_order_relaxed, memory_order_relaxed))
            return NULL;
    }
    if (failure->crashes)
        (void)raise(SIGSEGV);
    return failure;
}

VkResult failure_null_handles(const struct failure *failure, VkObjectType type, uint32_t count,
                              void *handles)
{
    void **objects = handles;
    for (uint32_t i = 0; i < failure->nulled_count; i++) {
        uint32_t index = failure->nulled[i];
        if (index >= count)
            continue;
        object_free(objects[index], type);
        objects[index] = NULL;
    }
    return failure->result;
}

/* An extension of a header for beta extensions; "portability": the driver lists it. */
static const VkExtensionProperties portability_subset = {"VK_KHR_portability_subset", 1};

static VkResult enumerate_extensions(uint32_t *count, VkExtensionProperties *properties,
                                     const struct config *config, const VkExtensionProperties *all,
                                     uint32_t total)
{
    const bool portable = config && config->portability && all == device_extensions;
    uint32_t written = 0, wanted = 0;
    for (uint32_t i = 0; i < total + portable; i++) {
        const VkExtensionProperties *one = i < total ? &all[i] : &portability_subset;
        if (!config_has_extension(config, one->extensionName))
            continue;
        wanted++;
        if (properties && written < *count)
            properties[written++] = *one;
    }
    *count = properties ? written : wanted;
    return properties && written < wanted ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_EnumerateInstanceExtensionProperties(const char *pLayerName, uint32_t *pPropertyCount,
                                          VkExtensionProperties *pProperties)
{
    /* A configuration with an error is vkCreateInstance's to answer for: the loader (1.4.363) leaks
     * when this command fails. */
    struct config *config = config_load();
    VkResult result = enumerate_extensions(pPropertyCount, pProperties, config, instance_extensions,
                                           instance_extension_count);
    config_free(config);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_EnumerateDeviceExtensionProperties(VkPhysicalDevice physicalDevice, const char *pLayerName,
                                        uint32_t *pPropertyCount,
                                        VkExtensionProperties *pProperties)
{
    return enumerate_extensions(pPropertyCount, pProperties, config_of(physicalDevice),
                                device_extensions, device_extension_count);
}

VKAPI_ATTR VkResult VKAPI_CALL null_EnumerateInstanceVersion(uint32_t *pApiVersion)
{
    struct config *config = config_load();
    *pApiVersion = config ? config->api_version : VK_HEADER_VERSION_COMPLETE;
    config_free(config);
    return VK_SUCCESS;
}

static bool has_extension(const struct config *config, const VkExtensionProperties *all,
                          uint32_t total, const char *name)
{
    uint32_t first = 0;
    while (first < total) { /* they are sorted */
        uint32_t middle = first + (total - first) / 2;
        int order = strcmp(name, all[middle].extensionName);
        if (order == 0)
            return config_has_extension(config, name);
        if (order < 0)
            total = middle;
        else
            first = middle + 1;
    }
    return config->portability && strcmp(name, portability_subset.extensionName) == 0;
}

VKAPI_ATTR VkResult VKAPI_CALL null_CreateInstance(const VkInstanceCreateInfo *pCreateInfo,
                                                   const VkAllocationCallbacks *pAllocator,
                                                   VkInstance *pInstance)
{
    struct config *config = config_load();
    if (!config)
        return VK_ERROR_INITIALIZATION_FAILED;
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < pCreateInfo->enabledExtensionCount; i++) {
        if (!has_extension(config, instance_extensions, instance_extension_count,
                           pCreateInfo->ppEnabledExtensionNames[i]))
            result = VK_ERROR_EXTENSION_NOT_PRESENT;
    }
    struct instance *instance = calloc(1, sizeof(*instance));
    if (!instance)
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    const struct failure *failure =
        failure_due(&(struct dispatchable){.config = config}, COMMAND_CreateInstance);
    if (failure)
        result = failure->result;
    if (result != VK_SUCCESS) {
        free(instance);
        config_free(config);
        return result;
    }
    instance->dispatchable = (struct dispatchable){ICD_LOADER_MAGIC, config};
    for (uint32_t i = 0; i < MAX_PHYSICAL_DEVICES; i++) {
        instance->physical_devices[i] = (struct physical_device){
            .dispatchable = {ICD_LOADER_MAGIC, config}, .instance = instance, .index = i};
    }
    *pInstance = (VkInstance)instance;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL null_DestroyInstance(VkInstance instance,
                                                const VkAllocationCallbacks *pAllocator)
{
    struct instance *object = (struct instance *)instance;
    if (!object)
        return;
    config_free(object->dispatchable.config);
    free(object);
}

VKAPI_ATTR VkResult VKAPI_CALL null_EnumeratePhysicalDevices(VkInstance instance,
                                                             uint32_t *pPhysicalDeviceCount,
                                                             VkPhysicalDevice *pPhysicalDevices)
{
    struct instance *object = (struct instance *)instance;
    VkPhysicalDevice all[MAX_PHYSICAL_DEVICES];
    for (uint32_t i = 0; i < MAX_PHYSICAL_DEVICES; i++)
        all[i] = (VkPhysicalDevice)&object->physical_devices[i];
    return enumerate_values(pPhysicalDeviceCount, pPhysicalDevices, all,
                            object->dispatchable.config->physical_device_count, sizeof(all[0]));
}

VKAPI_ATTR VkResult VKAPI_CALL
null_EnumeratePhysicalDeviceGroups(VkInstance instance, uint32_t *pPhysicalDeviceGroupCount,
                                   VkPhysicalDeviceGroupProperties *pPhysicalDeviceGroupProperties)
{
    struct instance *object = (struct instance *)instance;
    const struct config *config = object->dispatchable.config;
    uint32_t devices = config->physical_device_count, each = config->device_group ? devices : 1;
    uint32_t total = config->device_group && devices ? 1 : devices;
    if (!pPhysicalDeviceGroupProperties) {
        *pPhysicalDeviceGroupCount = total;
        return VK_SUCCESS;
    }
    uint32_t written = *pPhysicalDeviceGroupCount < total ? *pPhysicalDeviceGroupCount : total;
    for (uint32_t i = 0; i < written; i++) {
        VkPhysicalDeviceGroupProperties *group = &pPhysicalDeviceGroupProperties[i];
        group->physicalDeviceCount = each;
        memset(group->physicalDevices, 0, sizeof(group->physicalDevices));
        for (uint32_t j = 0; j < each; j++)
            group->physicalDevices[j] = (VkPhysicalDevice)&object->physical_devices[i + j];
        group->subsetAllocation = config->device_group;
    }
    *pPhysicalDeviceGroupCount = written;
    return written < total ? VK_INCOMPLETE : VK_SUCCESS;
}

/* --- the device's side, which knows the same tables ------------------------------------------- */

/* False if the chain asks for a feature that the configuration took away. */
static bool features_supported(const struct config *config, const VkDeviceCreateInfo *info)
{
    if (info->pEnabledFeatures) {
        const VkBool32 *asked = (const VkBool32 *)info->pEnabledFeatures;
        const VkBool32 *has = (const VkBool32 *)&config->features;
        for (size_t i = 0; i < sizeof(VkPhysicalDeviceFeatures) / sizeof(VkBool32); i++) {
            if (asked[i] && !has[i])
                return false;
        }
    }
    for (size_t i = 0; i < config->override_count; i++) {
        const struct override *override = &config->overrides[i];
        if (!override->target || override->target->kind != OUT_FEATURES)
            continue;
        const char *structure = chain_find(info->pNext, override->target->stype);
        VkBool32 asked = VK_FALSE, has;
        if (structure)
            memcpy(&asked, structure + override->offset, sizeof(asked));
        memcpy(&has, override->bytes, sizeof(has));
        if (asked && !has)
            return false;
    }
    return true;
}

static uint32_t queue_total(const VkDeviceCreateInfo *info)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < info->queueCreateInfoCount; i++)
        total += info->pQueueCreateInfos[i].queueCount;
    return total;
}

VKAPI_ATTR VkResult VKAPI_CALL null_CreateDevice(VkPhysicalDevice physicalDevice,
                                                 const VkDeviceCreateInfo *pCreateInfo,
                                                 const VkAllocationCallbacks *pAllocator,
                                                 VkDevice *pDevice)
{
    struct physical_device *physical_device = (struct physical_device *)physicalDevice;
    struct config *config = physical_device->dispatchable.config;
    for (uint32_t i = 0; i < pCreateInfo->enabledExtensionCount; i++) {
        if (!has_extension(config, device_extensions, device_extension_count,
                           pCreateInfo->ppEnabledExtensionNames[i]))
            return VK_ERROR_EXTENSION_NOT_PRESENT;
    }
    if (!features_supported(config, pCreateInfo))
        return VK_ERROR_FEATURE_NOT_PRESENT;

    uint32_t queue_count = queue_total(pCreateInfo);
    struct device *device = calloc(1, sizeof(*device));
    struct queue *queues = calloc(queue_count + 1, sizeof(*queues));
    if (!device || !queues) {
        free(device);
        free(queues);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    device->dispatchable = (struct dispatchable){ICD_LOADER_MAGIC, config};
    device->physical_device = physical_device;
    device->queues = queues;
    for (uint32_t i = 0; i < pCreateInfo->queueCreateInfoCount; i++) {
        const VkDeviceQueueCreateInfo *info = &pCreateInfo->pQueueCreateInfos[i];
        for (uint32_t j = 0; j < info->queueCount; j++) {
            queues[device->queue_count++] = (struct queue){.dispatchable = device->dispatchable,
                                                           .device = device,
                                                           .family = info->queueFamilyIndex,
                                                           .flags = info->flags};
        }
    }
    pthread_mutex_init(&device->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&device->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    *pDevice = (VkDevice)device;
    return VK_SUCCESS;
}

static struct queue *queue_find(struct device *device, uint32_t family,
                                VkDeviceQueueCreateFlags flags, uint32_t index)
{
    for (uint32_t i = 0; i < device->queue_count; i++) {
        struct queue *queue = &device->queues[i];
        if (queue->family == family && queue->flags == flags && index-- == 0)
            return queue;
    }
    return NULL;
}

VKAPI_ATTR void VKAPI_CALL null_GetDeviceQueue(VkDevice device, uint32_t queueFamilyIndex,
                                               uint32_t queueIndex, VkQueue *pQueue)
{
    *pQueue = (VkQueue)queue_find((struct device *)device, queueFamilyIndex, 0, queueIndex);
}

VKAPI_ATTR void VKAPI_CALL null_GetDeviceQueue2(VkDevice device,
                                                const VkDeviceQueueInfo2 *pQueueInfo,
                                                VkQueue *pQueue)
{
    *pQueue = (VkQueue)queue_find((struct device *)device, pQueueInfo->queueFamilyIndex,
                                  pQueueInfo->flags, pQueueInfo->queueIndex);
}

EXPORT void (*null_driver_naming_hook)(void);

VKAPI_ATTR VkResult VKAPI_CALL
null_SetDebugUtilsObjectNameEXT(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *pNameInfo)
{
    if (null_driver_naming_hook)
        null_driver_naming_hook();
    return VK_SUCCESS;
}
