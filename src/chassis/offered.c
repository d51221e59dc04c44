/* Lists the device extensions that the layer offers by itself. */
#include "chassis/offered.h"

#include <string.h>

#include "base/base.h"

const VkExtensionProperties offered_device_extensions[] = {
    {VK_EXT_DEBUG_MARKER_EXTENSION_NAME, VK_EXT_DEBUG_MARKER_SPEC_VERSION},
    {VK_EXT_TOOLING_INFO_EXTENSION_NAME, VK_EXT_TOOLING_INFO_SPEC_VERSION},
    {VK_EXT_VALIDATION_CACHE_EXTENSION_NAME, VK_EXT_VALIDATION_CACHE_SPEC_VERSION},
};
const uint32_t offered_device_extension_count = ARRAY_LENGTH(offered_device_extensions);

/* True if the list has the extension. */
static bool offered_is_listed(const char *name, const VkExtensionProperties *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(list[i].extensionName, name))
            return true;
    }
    return false;
}

uint32_t offered_keep(const char *const *names, uint32_t count, const VkExtensionProperties *below,
                      uint32_t below_count, const char **kept)
{
    uint32_t kept_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!names[i] ||
            !offered_is_listed(names[i], offered_device_extensions,
                               offered_device_extension_count) ||
            offered_is_listed(names[i], below, below_count))
            kept[kept_count++] = names[i];
    }
    return kept_count;
}
