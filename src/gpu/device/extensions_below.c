/* Asks the driver for extensions that the program does not ask for. */
#include "gpu/device/extensions_below.h"

#include <string.h>

bool extension_is_named(const VkDeviceCreateInfo *info, const char *name)
{
    for (uint32_t i = 0; info->ppEnabledExtensionNames && i < info->enabledExtensionCount; i++) {
        if (!strcmp(info->ppEnabledExtensionNames[i], name))
            return true;
    }
    return false;
}

bool extension_is_below(const struct device *device, const char *name)
{
    PFN_vkEnumerateDeviceExtensionProperties list =
        device->instance->dispatch.EnumerateDeviceExtensionProperties;
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    VkExtensionProperties *properties = NULL;
    uint32_t count = 0;
    bool found = false;
    /* This is the driver's own list, without the extensions that the layer emulates. */
    if (list(device->physical_device, NULL, &count, NULL) == VK_SUCCESS)
        properties = scratch_alloc(scratch, (count + (size_t)1) * sizeof(*properties));
    if (properties && list(device->physical_device, NULL, &count, properties) >= VK_SUCCESS) {
        for (uint32_t i = 0; i < count; i++)
            found |= !strcmp(properties[i].extensionName, name);
    }
    scratch_rewind(scratch, mark);
    return found;
}

bool extension_add(VkDeviceCreateInfo *down, const char *name)
{
    uint32_t count = down->ppEnabledExtensionNames ? down->enabledExtensionCount : 0;
    /* The array is in scratch memory, which lives until the call ends. The program's array is never
     * written. */
    const char **names =
        scratch_alloc(&thread_self()->scratch, (count + (size_t)1) * sizeof(*names));
    if (!names)
        return false;
    for (uint32_t i = 0; i < count; i++)
        names[i] = down->ppEnabledExtensionNames[i];
    names[count] = name;
    down->ppEnabledExtensionNames = names;
    down->enabledExtensionCount = count + 1;
    return true;
}
