/* Makes and destroys devices. */
#include "chassis/create.h"
#include "chassis/emulated.h"
#include "chassis/entries.h"
#include "chassis/hooks.h"
#include "chassis/offered.h"
#include "chassis/translate_structs.h"
#include "report/finding/reporter.h"
#include "vk/chain.h"

#include <vulkan/vk_layer.h>

/* Finds the loader's structure of this function in the chain. NULL: the call is not from a
 * loader. */
static VkLayerDeviceCreateInfo *find_link(const VkDeviceCreateInfo *info, VkLayerFunction function)
{
    for (struct chain_walk walk = chain_begin(info ? info->pNext : NULL); walk.at;
         chain_step(&walk)) {
        VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)(uintptr_t)walk.at;
        if (walk.at->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO &&
            link->function == function)
            return link;
    }
    return NULL;
}

/* Frees a device. Its memory is retired, that is, freed when no call can be reading it: a wrong
 * program may destroy a device that another thread still uses. */
static void device_free(struct device *device)
{
    validators_end_device(device);
    mem_retire(device->hooks.pool);
    mem_retire(device->queue_families);
    mem_retire(device);
}

/* Reads the properties of the physical device once, for all validators. Returns false if memory is
 * out. */
static bool device_read_properties(struct device *device)
{
    const struct instance_dispatch *next = &device->instance->dispatch;
    next->GetPhysicalDeviceProperties(device->physical_device, &device->properties);
    /* This comes before the program sees the limits: validators may keep a part for themselves. */
    validators_reserve_limits(device->instance, &device->properties.limits);
    next->GetPhysicalDeviceMemoryProperties(device->physical_device, &device->memory_properties);
    next->GetPhysicalDeviceQueueFamilyProperties(device->physical_device,
                                                 &device->queue_family_count, NULL);
    device->queue_families =
        mem_alloc_zeroed(device->queue_family_count * sizeof(*device->queue_families));
    if (!device->queue_families)
        return false;
    next->GetPhysicalDeviceQueueFamilyProperties(device->physical_device,
                                                 &device->queue_family_count,
                                                 device->queue_families);
    for (uint32_t i = 0; i < device->queue_family_count; i++)
        device->queue_flags |= device->queue_families[i].queueFlags;
    return true;
}

/* Counts the queues of all families together. With VK_KHR_maintenance9 a count of 0 is legal. */
static uint32_t count_queues(const VkDeviceCreateInfo *info)
{
    uint32_t count = 0;
    for (uint32_t i = 0; info->pQueueCreateInfos && i < info->queueCreateInfoCount; i++)
        count += info->pQueueCreateInfos[i].queueCount;
    return count;
}

/* Makes the state of a device that is about to be created: its properties, features, extensions and
 * hooks. NULL: memory is out. */
static struct device *device_new(struct instance *instance, VkPhysicalDevice physical_device,
                                 const VkDeviceCreateInfo *info)
{
    struct device *device = mem_alloc_lines_zeroed(sizeof(*device));
    if (!device)
        return NULL;
    device->instance = instance;
    device->physical_device = physical_device;
    device->wrap_handles = instance->wrap_handles;
    if (!device_read_properties(device)) {
        device_free(device);
        return NULL;
    }
    device->api_version = instance->api_version < device->properties.apiVersion
                              ? instance->api_version
                              : device->properties.apiVersion;
    device->emulated = emulated_of_device(instance, physical_device, info);
    device->queue_count = count_queues(info);
    extension_set_enable(&device->extensions, device->api_version, info->ppEnabledExtensionNames,
                         info->ppEnabledExtensionNames ? info->enabledExtensionCount : 0);
    /* These are the extensions that the program named, without those that its version includes. */
    extension_set_enable(&device->named_extensions, VK_API_VERSION_1_0,
                         info->ppEnabledExtensionNames,
                         info->ppEnabledExtensionNames ? info->enabledExtensionCount : 0);
    feature_set_read(&device->features, info);
    /* This comes after features and extensions, because the choice of validators depends on
     * them. */
    device->validator_count = validators_select_for_device(device, device->validators);
    if (!hook_table_build(&device->hooks, device->validators, device->validator_count)) {
        device_free(device);
        return NULL;
    }
    if (extension_set_has(&instance->extensions,
                          EXTENSION_VK_KHR_get_physical_device_properties2) &&
        instance->dispatch.GetPhysicalDeviceProperties2)
        device_properties_read(&device->extended, physical_device,
                               instance->dispatch.GetPhysicalDeviceProperties2,
                               &device->extensions);
    return device;
}

/* Completes the state of the device that the driver has created, with its commands, validators and
 * object, so that calls find it. Returns false if memory is out. */
static bool device_publish(struct device *device, VkDevice handle,
                           const VkLayerDeviceCreateInfo *data_callback, const void *caller,
                           bool has_allocator)
{
    device->handle = handle;
    device->set_loader_data = data_callback ? data_callback->u.pfnSetDeviceLoaderData : NULL;
    /* The device's own functions come before its validators, which may call them. */
    device_dispatch_load(&device->dispatch, handle, device->next_get_proc_addr);
    if (!validators_begin_device(device))
        return false;
    device->owner = owner_add(device, true);
    if (!device->owner)
        return false;
    const struct object_create_info info = {.type = HANDLE_DEVICE,
                                            .driver = (uint64_t)(uintptr_t)handle,
                                            .owner = device->owner,
                                            .has_allocator = has_allocator,
                                            .parent = device->instance->object,
                                            .creator = caller};
    device->object = object_create(&info);
    if (!device->object)
        owner_remove(device->owner);
    return device->object != NULL;
}

/* Removes from `info` the extensions that the layer offers and that nothing below has. The
 * remaining names are in scratch memory; if that is out, the driver gets all names. */
static void leave_out_offered(VkDeviceCreateInfo *info, const struct instance *instance,
                              VkPhysicalDevice physical_device)
{
    uint32_t count = info->ppEnabledExtensionNames ? info->enabledExtensionCount : 0,
             below_count = 0;
    struct scratch *scratch = &thread_self()->scratch;
    /* Most programs enable no extension that the layer offers: then the list stays as it is. */
    const char **names = count ? scratch_alloc(scratch, count * sizeof(*names)) : NULL;
    if (!names || offered_keep(info->ppEnabledExtensionNames, count, NULL, 0, names) == count)
        return;
    PFN_vkEnumerateDeviceExtensionProperties list =
        instance->dispatch.EnumerateDeviceExtensionProperties;
    VkExtensionProperties *below = NULL;
    if (list(physical_device, NULL, &below_count, NULL) == VK_SUCCESS)
        below = scratch_alloc(scratch, below_count * sizeof(*below));
    if (!below || list(physical_device, NULL, &below_count, below) != VK_SUCCESS)
        return;
    info->enabledExtensionCount =
        offered_keep(info->ppEnabledExtensionNames, count, below, below_count, names);
    info->ppEnabledExtensionNames = names;
}

VKAPI_ATTR VkResult VKAPI_CALL entry_vkCreateDevice(VkPhysicalDevice physicalDevice,
                                                    const VkDeviceCreateInfo *pCreateInfo,
                                                    const VkAllocationCallbacks *pAllocator,
                                                    VkDevice *pDevice)
{
    CALL(call, COMMAND_CreateDevice);
    VkLayerDeviceCreateInfo *link = find_link(pCreateInfo, VK_LAYER_LINK_INFO);
    if (!link || !link->u.pLayerInfo ||
        !call_begin_instance(&call, COMMAND_CreateDevice, __builtin_return_address(0),
                             physicalDevice, HANDLE_PHYSICAL_DEVICE))
        return VK_ERROR_INITIALIZATION_FAILED;
    struct instance *instance = call.instance;
    /* As in vkCreateInstance, the layer may also be in the chain under its second name. */
    while (link->u.pLayerInfo->pfnNextGetDeviceProcAddr == entry_vkGetDeviceProcAddr &&
           link->u.pLayerInfo->pNext)
        link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    PFN_vkGetInstanceProcAddr next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    PFN_vkGetDeviceProcAddr next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    PFN_vkCreateDevice create =
        (PFN_vkCreateDevice)next_instance(instance->handle, "vkCreateDevice");
    if (!create)
        return VK_ERROR_INITIALIZATION_FAILED;

    bool (*const *validate)(struct call *, VkPhysicalDevice, const VkDeviceCreateInfo *,
                            const VkAllocationCallbacks *, VkDevice *) =
        (void *)hook_list(&instance->hooks, COMMAND_CreateDevice);
    bool skip = false;
    /* The lists of a command's phases follow each other in memory; each ends with NULL. */
    for (; *validate && !call.dead_handle; validate++)
        skip |= (*validate)(&call, physicalDevice, pCreateInfo, pAllocator, pDevice);
    if (skip || call.dead_handle)
        return VK_ERROR_VALIDATION_FAILED_EXT;
    struct device *device = device_new(instance, physicalDevice, pCreateInfo);
    if (!device)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    device->next_get_proc_addr = next_device;
    void (*const *hook)(struct call *, VkPhysicalDevice, const VkDeviceCreateInfo *,
                        const VkAllocationCallbacks *, VkDevice *) = (void *)(validate + 1);
    for (; *hook; hook++)
        (*hook)(&call, physicalDevice, pCreateInfo, pAllocator, pDevice);

    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    /* Validators change a copy; the program's own structure stays unchanged. */
    VkDeviceCreateInfo down = *pCreateInfo;
    struct scratch_mark mark = scratch_mark(&thread_self()->scratch);
    leave_out_offered(&down, instance, physicalDevice);
    if (!emulated_leave_out(device->emulated, &down)) {
        scratch_rewind(&thread_self()->scratch, mark);
        device_free(device);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    for (uint32_t i = 0; i < device->validator_count; i++) {
        if (device->validators[i]->change_device)
            device->validators[i]->change_device(device, &down);
    }
    /* Each layer advances the loader's link for the next one, as the loader's document says. */
    call.result = create(physicalDevice, &down, pAllocator, pDevice);
    if (call.result != VK_SUCCESS)
        device_tell_missing(&call, physicalDevice, &down);
    scratch_rewind(&thread_self()->scratch, mark);
    if (call.result != VK_SUCCESS) {
        device_free(device);
        return call.result;
    }
    if (!device_publish(device, *pDevice, find_link(pCreateInfo, VK_LOADER_DATA_CALLBACK),
                        call.caller, pAllocator != NULL)) {
        /* Without the state the layer cannot pass on a single call, so the driver's device is
         * destroyed. */
        device->dispatch.DestroyDevice(*pDevice, pAllocator);
        device_free(device);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    /* The hooks after the driver's call find the device in `call`. */
    call_set_device(&call, device);
    for (hook++; *hook; hook++)
        (*hook)(&call, physicalDevice, pCreateInfo, pAllocator, pDevice);
    reporter_count_device(instance->reporter);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL entry_vkDestroyDevice(VkDevice device,
                                                 const VkAllocationCallbacks *pAllocator)
{
    CALL(call, COMMAND_DestroyDevice);
    if (!device || !call_begin_device(&call, COMMAND_DestroyDevice, __builtin_return_address(0),
                                      device, HANDLE_DEVICE))
        return;
    struct device *state = call.device;
    bool (*const *validate)(struct call *, VkDevice, const VkAllocationCallbacks *) =
        (void *)hook_list(&state->hooks, COMMAND_DestroyDevice);
    /* The device is destroyed whatever callbacks answer, because the loader frees its own in any
     * case. */
    for (; *validate; validate++) {
        if (!call.dead_handle)
            (void)(*validate)(&call, device, pAllocator);
    }
    void (*const *hook)(struct call *, VkDevice, const VkAllocationCallbacks *) =
        (void *)(validate + 1);
    for (; *hook; hook++)
        (*hook)(&call, device, pAllocator);
    struct destruction dying; /* with the objects that the program leaked */
    if (!destruction_begin_owner(&dying, state->object))
        return; /* another thread is destroying the device */
    if (!call.dead_handle)
        state->dispatch.DestroyDevice(device, pAllocator);
    for (hook++; *hook; hook++)
        (*hook)(&call, device, pAllocator);
    destruction_end(&dying);
    owner_remove(state->owner);
    device_free(state);
}

void device_abandon(struct object *object, void *context)
{
    struct device *device = device_of(object);
    struct destruction dying;
    /* The driver's device is not destroyed: its instance has been destroyed before it. */
    if (!device || !destruction_begin_owner(&dying, object))
        return;
    destruction_end(&dying);
    owner_remove(device->owner);
    device_free(device);
}
