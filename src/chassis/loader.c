/* The functions that the loader calls: which extensions the layer offers, and which function it
 * returns for a name (the loader's "Layer Interface to the Loader").
 *
 * The functions that are exported under Vulkan's names exist for old loaders only. The layer
 * returns functions of other names. In a program with libvulkan in its global scope the name
 * vkGetInstanceProcAddr would be the loader's, not ours. */
#include <string.h>

#include "base/layer_path.h"
#include "chassis/entries.h"
#include "chassis/hooks.h"
#include "chassis/offered.h"

#include <vulkan/vk_layer.h>

/* The version of the loader's interface that the layer implements. */
#define LAYER_INTERFACE_VERSION 2
#define LAYER_NAME              "VK_LAYER_ASSAY_validation"
/* The layer's name in the second manifest, which users opt in to. */
#define LAYER_KHRONOS_NAME "VK_LAYER_KHRONOS_validation"

/* Instance extensions that the layer itself implements. */
static const VkExtensionProperties layer_instance_extensions[] = {
    {VK_EXT_DEBUG_REPORT_EXTENSION_NAME, VK_EXT_DEBUG_REPORT_SPEC_VERSION},
    {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_DEBUG_UTILS_SPEC_VERSION},
    {VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_SPEC_VERSION},
    {VK_EXT_VALIDATION_FLAGS_EXTENSION_NAME, VK_EXT_VALIDATION_FLAGS_SPEC_VERSION},
    {VK_EXT_LAYER_SETTINGS_EXTENSION_NAME, VK_EXT_LAYER_SETTINGS_SPEC_VERSION},
};

/* True for both names of the layer; false for NULL. */
static bool is_layer_name(const char *name)
{
    return name && (!strcmp(name, LAYER_NAME) || !strcmp(name, LAYER_KHRONOS_NAME));
}

/* Answers a query with the two-call idiom from a constant array. */
static VkResult loader_enumerate(const void *items, size_t size, uint32_t available,
                                 uint32_t *count, void *out)
{
    if (!out) {
        *count = available;
        return VK_SUCCESS;
    }
    uint32_t copied = *count < available ? *count : available;
    if (copied)
        memcpy(out, items, copied * size);
    *count = copied;
    return copied < available ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL entry_vkEnumerateInstanceVersion(uint32_t *pApiVersion)
{
    *pApiVersion = VK_HEADER_VERSION_COMPLETE;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
entry_vkEnumerateInstanceLayerProperties(uint32_t *pPropertyCount, VkLayerProperties *pProperties)
{
    static const VkLayerProperties layer = {LAYER_NAME, VK_HEADER_VERSION_COMPLETE, 1,
                                            "Assay validation layer"};
    return loader_enumerate(&layer, sizeof(layer), 1, pPropertyCount, pProperties);
}

VKAPI_ATTR VkResult VKAPI_CALL
entry_vkEnumerateInstanceExtensionProperties(const char *pLayerName, uint32_t *pPropertyCount,
                                             VkExtensionProperties *pProperties)
{
    if (!is_layer_name(pLayerName))
        return VK_ERROR_LAYER_NOT_PRESENT;
    return loader_enumerate(layer_instance_extensions, sizeof(layer_instance_extensions[0]),
                            ARRAY_LENGTH(layer_instance_extensions), pPropertyCount, pProperties);
}

VKAPI_ATTR VkResult VKAPI_CALL
entry_vkEnumerateDeviceLayerProperties(VkPhysicalDevice physicalDevice, uint32_t *pPropertyCount,
                                       VkLayerProperties *pProperties)
{
    return entry_vkEnumerateInstanceLayerProperties(pPropertyCount, pProperties);
}

VKAPI_ATTR VkResult VKAPI_CALL
entry_vkEnumerateDeviceExtensionProperties(VkPhysicalDevice physicalDevice, const char *pLayerName,
                                           uint32_t *pPropertyCount,
                                           VkExtensionProperties *pProperties)
{
    CALL(call, COMMAND_EnumerateDeviceExtensionProperties);
    if (is_layer_name(pLayerName))
        return loader_enumerate(offered_device_extensions, sizeof(offered_device_extensions[0]),
                                offered_device_extension_count, pPropertyCount, pProperties);
    if (!call_begin_instance(&call, COMMAND_EnumerateDeviceExtensionProperties,
                             __builtin_return_address(0), physicalDevice, HANDLE_PHYSICAL_DEVICE))
        return VK_ERROR_INITIALIZATION_FAILED;
    return call.instance->dispatch.EnumerateDeviceExtensionProperties(physicalDevice, pLayerName,
                                                                      pPropertyCount, pProperties);
}

/* Finds the entry of a command by its name, in a table that is sorted by strcmp(). NULL: the layer
 * does not know it, or `name` is NULL. */
static const struct entry *entry_find(const char *name)
{
    uint32_t low = 0, high = entry_count;
    while (name && low < high) {
        uint32_t middle = (low + high) / 2;
        int order = strcmp(name, entries[middle].name);
        if (order == 0)
            return &entries[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* True if a function of this name is returned to the program. A function of an extension that the
 * layer offers is returned if the extension is enabled, whatever is below. If it is not enabled,
 * NULL is returned even if a layer below has the function. Programs take a function as the sign
 * that they may call it. */
static bool entry_exists(const struct entry *entry, const struct extension_set *enabled,
                         PFN_vkVoidFunction next)
{
    return entry->offered == EXTENSION_COUNT
               ? next != NULL
               : extension_set_has(enabled, (enum extension)entry->offered);
}

/* True if the entry belongs to an instance extension that the layer offers. */
static bool entry_is_of_instance(const struct entry *entry)
{
    return entry->offered != EXTENSION_COUNT && extension_info[entry->offered].instance;
}

/* Chooses the function for the entry when the next layer or driver returns `next` for its name. It
 * is `next` itself if no validator hooks the command and the layer has nothing to do for it. So a
 * feature that is off costs nothing. */
static PFN_vkVoidFunction entry_or_next(const struct entry *entry,
                                        const struct extension_set *enabled,
                                        const struct hook_table *hooks, PFN_vkVoidFunction next)
{
    /* tools.c answers this command. */
    bool ours = command_root[entry->command] == COMMAND_GetPhysicalDeviceToolProperties;
    if (!ours && !entry_exists(entry, enabled, next))
        return NULL;
    if (next && !entry->works && !(entry->marks && hooks->marks) &&
        !(entry->records && hooks->tells_numbers) &&
        !hook_table_has(hooks, (enum command)command_root[entry->command]))
        return next;
    return entry->function;
}

/* True if the program may call the command under this name. It needs the version that the instance
 * was made for, as far as the device has it, or an extension. Promotion to a version does not
 * include an extension's names. */
static bool is_asked_for(const struct device *device, const struct entry *entry)
{
    const uint16_t *word = &entry_enablers[entry->enablers];
    if (*word == ENABLERS_END)
        return true;
    /* One enabled extension is enough. */
    for (; *word != ENABLERS_END; word++) {
        enum extension extension = (enum extension) * word;
        bool is_version = !strncmp(extension_info[extension].name, "VK_VERSION_", 11);
        const struct extension_set *set = is_version ? &device->extensions
                                          : extension_info[extension].instance
                                              ? &device->instance->extensions
                                              : &device->named_extensions;
        if (extension_set_has(set, extension))
            return true;
    }
    return false;
}

/* True if a function of the layer replaces the driver's in the dispatch table
 * (chassis/emulated.h). */
static bool is_replaced(const void *dispatch, const struct entry *entry, PFN_vkVoidFunction next)
{
    PFN_vkVoidFunction const *table = dispatch;
    return entry->dispatch != UINT16_MAX && table[entry->dispatch] &&
           table[entry->dispatch] != next;
}

/* True if the program can query why its device was lost. The layer must then notice the loss. */
static bool tells_of_faults(const struct extension_set *enabled)
{
    return extension_set_has(enabled, EXTENSION_VK_KHR_device_fault) ||
           extension_set_has(enabled, EXTENSION_VK_EXT_device_fault);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL entry_vkGetDeviceProcAddr(VkDevice device,
                                                                   const char *pName)
{
    CALL(call, COMMAND_GetDeviceProcAddr);
    if (!pName || !device ||
        !call_begin_device(&call, COMMAND_GetDeviceProcAddr, __builtin_return_address(0), device,
                           HANDLE_DEVICE))
        return NULL;
    /* "any other case, not covered above: NULL", whatever the driver answers (4.1 "Command Function
     * Pointers"). Names that the layer does not know are left to the driver. */
    const struct entry *entry = entry_find(pName);
    if (entry && (!entry->device_command || !is_asked_for(call.device, entry)))
        return NULL;
    PFN_vkVoidFunction next = call.device->next_get_proc_addr(device, pName);
    if (!entry)
        return next;
    if (call.device->emulated && is_replaced(&call.device->dispatch, entry, next))
        return entry->function;
    const struct extension_set *enabled =
        entry_is_of_instance(entry) ? &call.instance->extensions : &call.device->extensions;
    /* The entries of these commands notice that the device is lost. */
    if (next && entry->loses && tells_of_faults(&call.device->extensions))
        return entry->function;
    return entry_or_next(entry, enabled, &call.device->hooks, next);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL entry_vkGetInstanceProcAddr(VkInstance instance,
                                                                     const char *pName)
{
    CALL(call, COMMAND_GetInstanceProcAddr);
    const struct entry *entry = entry_find(pName);
    bool global = entry && entry->dispatch == UINT16_MAX;
    if (global || (entry && entry->command == COMMAND_GetInstanceProcAddr))
        return entry->function;
    /* The loader's document says that layers pass their instance. Some layers in use (Mesa's
     * overlay and screenshot) pass NULL to the next one. */
    if (!instance && entry && entry->command == COMMAND_CreateDevice)
        return entry->function;
    if (!pName || !instance ||
        !call_begin_instance(&call, COMMAND_GetInstanceProcAddr, __builtin_return_address(0),
                             instance, HANDLE_INSTANCE))
        return NULL;
    PFN_vkVoidFunction next = call.instance->dispatch.GetInstanceProcAddr(instance, pName);
    if (!entry)
        return next;
    if (!entry->device_command && next && is_replaced(&call.instance->dispatch, entry, next))
        return entry->function;
    if (!entry->device_command)
        return entry_or_next(entry, &call.instance->extensions, &call.instance->hooks, next);
    /* A command of a device is the same for any device: our entry finds which. */
    return !entry_is_of_instance(entry) || entry_exists(entry, &call.instance->extensions, next)
               ? entry->function
               : NULL;
}

/* Unlike vkGetInstanceProcAddr this returns NULL for commands whose first parameter is not a
 * VkPhysicalDevice, so that the loader knows how to pass them on. */
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_physical_device_proc_addr(VkInstance instance,
                                                                              const char *pName)
{
    CALL(call, COMMAND_GetInstanceProcAddr);
    const struct entry *entry = entry_find(pName);
    if (!instance ||
        !call_begin_instance(&call, COMMAND_GetInstanceProcAddr, NULL, instance, HANDLE_INSTANCE))
        return NULL;
    const struct instance_dispatch *next = &call.instance->dispatch;
    /* The layer does not know the command, but the next layer may. */
    if (!entry)
        return next->GetPhysicalDeviceProcAddr ? next->GetPhysicalDeviceProcAddr(instance, pName)
                                               : NULL;
    if (!entry->physical_device)
        return NULL;
    return entry_vkGetInstanceProcAddr(instance, pName);
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *pVersionStruct)
{
    if (!pVersionStruct || pVersionStruct->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
        pVersionStruct->loaderLayerInterfaceVersion < LAYER_INTERFACE_VERSION)
        return VK_ERROR_INITIALIZATION_FAILED;
    /* This is the loader's first call: the program has not changed its directory yet. */
    layer_path_note();
    pVersionStruct->loaderLayerInterfaceVersion = LAYER_INTERFACE_VERSION;
    pVersionStruct->pfnGetInstanceProcAddr = entry_vkGetInstanceProcAddr;
    pVersionStruct->pfnGetDeviceProcAddr = entry_vkGetDeviceProcAddr;
    pVersionStruct->pfnGetPhysicalDeviceProcAddr = get_physical_device_proc_addr;
    return VK_SUCCESS;
}

/* These are for loaders older than interface version 2, which look the functions up by name. */
EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance,
                                                                      const char *pName);
EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetDeviceProcAddr(VkDevice device,
                                                                    const char *pName);
EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkEnumerateInstanceLayerProperties(uint32_t *pPropertyCount, VkLayerProperties *pProperties);
EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkEnumerateInstanceExtensionProperties(const char *pLayerName, uint32_t *pPropertyCount,
                                       VkExtensionProperties *pProperties);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance,
                                                               const char *pName)
{
    return entry_vkGetInstanceProcAddr(instance, pName);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetDeviceProcAddr(VkDevice device, const char *pName)
{
    return entry_vkGetDeviceProcAddr(device, pName);
}

VKAPI_ATTR VkResult VKAPI_CALL vkEnumerateInstanceLayerProperties(uint32_t *pPropertyCount,
                                                                  VkLayerProperties *pProperties)
{
    return entry_vkEnumerateInstanceLayerProperties(pPropertyCount, pProperties);
}

VKAPI_ATTR VkResult VKAPI_CALL
vkEnumerateInstanceExtensionProperties(const char *pLayerName, uint32_t *pPropertyCount,
                                       VkExtensionProperties *pProperties)
{
    return entry_vkEnumerateInstanceExtensionProperties(pLayerName, pPropertyCount, pProperties);
}
