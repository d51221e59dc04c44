/* Checks queries about the Vulkan driver below a layered one
 * (VkPhysicalDeviceLayeredApiVulkanPropertiesKHR, 4.1 "Physical Devices"). */
#include "core/hooks.h"

#include "report/finding/rule.h"

bool core_validate_GetPhysicalDeviceProperties2(struct call *call, VkPhysicalDevice physicalDevice,
                                                VkPhysicalDeviceProperties2 *pProperties)
{
    const VkPhysicalDeviceLayeredApiPropertiesListKHR *list =
        CHAINED(pProperties->pNext, PHYSICAL_DEVICE_LAYERED_API_PROPERTIES_LIST_KHR);
    const struct location *where = &LOCATION_CHAINED(&LOCATION_POINTER(NULL, "pProperties"),
                                                     "VkPhysicalDeviceLayeredApiPropertiesListKHR");
    struct subject s = {.call = call};
    for (uint32_t i = 0; list && !pointer_is_bad(list->pLayeredApis) && i < list->layeredApiCount;
         i++) {
        const VkPhysicalDeviceLayeredApiVulkanPropertiesKHR *vulkan =
            CHAINED(list->pLayeredApis[i].pNext, PHYSICAL_DEVICE_LAYERED_API_VULKAN_PROPERTIES_KHR);
        const VkBaseInStructure *next = vulkan ? vulkan->properties.pNext : NULL;
        for (uint32_t depth = 0; depth < 64 && !pointer_is_bad(next) && !s.wrong;
             depth++, next = next->pNext)
            /* Only VkPhysicalDeviceDriverProperties and VkPhysicalDeviceIDProperties are allowed in
             * the pNext chain of properties */
            REQUIRE(&s, VUID_VkPhysicalDeviceLayeredApiVulkanPropertiesKHR_pNext_10011,
                    next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES ||
                        next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES,
                    &LOCATION(&LOCATION_CHAINED(&LOCATION_INDEX(where, "pLayeredApis", i),
                                                "VkPhysicalDeviceLayeredApiVulkanPropertiesKHR"),
                              "properties"),
                    "has a structure of type %s in its chain",
                    TEXT_OF(VkStructureType, next->sType));
    }
    return s.skip;
}
