/* Reports the layer among the tools that are active between the program and the driver. The layer
 * adds itself to the list of vkGetPhysicalDeviceToolProperties (Vulkan 1.3, VK_EXT_tooling_info).
 */
#include <stdio.h>

#include "chassis/entries.h"
#include "chassis/version.h" /* generated: ASSAY_VERSION */
#include "settings/settings.h"

/* Returns the purposes of the layer in this instance, by the extensions that are enabled. */
static VkToolPurposeFlags tool_purposes(const struct instance *instance)
{
    bool utils = extension_set_has(&instance->extensions, EXTENSION_VK_EXT_debug_utils);
    bool report = extension_set_has(&instance->extensions, EXTENSION_VK_EXT_debug_report);
    VkToolPurposeFlags bits = VK_TOOL_PURPOSE_VALIDATION_BIT;
    if (utils || report)
        bits |= VK_TOOL_PURPOSE_DEBUG_REPORTING_BIT_EXT;
    if (utils) /* VK_EXT_debug_marker is a device's, and there may be none yet */
        bits |= VK_TOOL_PURPOSE_DEBUG_MARKERS_BIT_EXT;
    return bits;
}

/* Describes the layer. sType and pNext are the program's. */
static void tool_describe(VkPhysicalDeviceToolProperties *tool, const struct instance *instance)
{
    (void)snprintf(tool->name, sizeof(tool->name), "Assay validation layer");
    (void)snprintf(tool->version, sizeof(tool->version), ASSAY_VERSION);
    (void)snprintf(tool->description, sizeof(tool->description),
                   "Checks every Vulkan call against the specification, and names the line of code "
                   "that broke a rule.");
    (void)snprintf(tool->layer, sizeof(tool->layer), SETTINGS_LAYER_NAME);
    tool->purposes = tool_purposes(instance);
}

/* Lists the layer first, then the tools of layers and drivers below, which may not have the
 * command. */
VkResult dispatch_GetPhysicalDeviceToolProperties(struct call *call,
                                                  VkPhysicalDevice physicalDevice,
                                                  uint32_t *pToolCount,
                                                  VkPhysicalDeviceToolProperties *pToolProperties)
{
    PFN_vkGetPhysicalDeviceToolProperties next =
        call->instance->dispatch.GetPhysicalDeviceToolProperties;
    uint32_t below = 0;
    VkResult result = VK_SUCCESS;
    if (pToolProperties && !*pToolCount)
        return VK_INCOMPLETE;
    if (pToolProperties) {
        tool_describe(&pToolProperties[0], call->instance);
        /* The layer has the first place, and layers below get the other places. */
        below = *pToolCount - 1;
    }
    if (next)
        result = next(physicalDevice, &below, pToolProperties ? pToolProperties + 1 : NULL);
    else
        below = 0;
    if (result < 0)
        return result;
    *pToolCount = below + 1;
    return result;
}
