/* Asks a physical device what it can do, and checks what programs ask of it. */
#include "core/device/physical_device.h"

#include <string.h>

#include "core/hooks.h"
#include "core/rule.h"
#include "state/queue.h"

bool physical_device_has_extension(const struct instance *instance,
                                   VkPhysicalDevice physical_device, const char *name,
                                   bool otherwise)
{
    assert(name);
    PFN_vkEnumerateDeviceExtensionProperties list =
        instance->dispatch.EnumerateDeviceExtensionProperties;
    uint32_t count = 0;
    if (!list || list(physical_device, NULL, &count, NULL) != VK_SUCCESS)
        return otherwise;
    VkExtensionProperties *there = mem_alloc((count + 1) * sizeof(*there));
    const bool known = there && list(physical_device, NULL, &count, there) == VK_SUCCESS;
    bool found = !known && otherwise;
    for (uint32_t i = 0; known && !found && i < count; i++)
        found = strcmp(there[i].extensionName, name) == 0;
    mem_free(there);
    return found;
}

/* Only VkPhysicalDeviceDriverProperties and VkPhysicalDeviceIDProperties are allowed in the pNext
 * chain of properties */
static void check_layered(struct subject *s, const VkPhysicalDeviceLayeredApiPropertiesKHR *layered)
{
    const VkPhysicalDeviceLayeredApiVulkanPropertiesKHR *vulkan =
        CHAINED(layered->pNext, PHYSICAL_DEVICE_LAYERED_API_VULKAN_PROPERTIES_KHR);
    struct chain_walk walk = chain_begin(vulkan ? vulkan->properties.pNext : NULL);
    for (; walk.at; chain_step(&walk))
        REQUIRE(s, RULE_10011,
                walk.at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES ||
                    walk.at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES,
                "pNext<VkPhysicalDeviceLayeredApiVulkanPropertiesKHR>.properties.pNext",
                "has a structure of type %s", TEXT_OF(VkStructureType, walk.at->sType));
}

bool core_validate_GetPhysicalDeviceProperties2(struct call *call, VkPhysicalDevice physicalDevice,
                                                VkPhysicalDeviceProperties2 *pProperties)
{
    const VkPhysicalDeviceLayeredApiPropertiesListKHR *list =
        CHAINED(pProperties->pNext, PHYSICAL_DEVICE_LAYERED_API_PROPERTIES_LIST_KHR);
    bool skip = false;
    for (uint32_t i = 0; list && !pointer_is_bad(list->pLayeredApis) && i < list->layeredApiCount;
         i++) {
        struct subject s = {.call = call, .where = &LOCATION_INDEX(NULL, "pLayeredApis", i)};
        check_layered(&s, &list->pLayeredApis[i]);
        skip |= s.skip;
    }
    return skip;
}

bool core_validate_QueueSetPerfHintQCOM(struct call *call, VkQueue queue,
                                        const VkPerfHintInfoQCOM *pPerfHintInfo)
{
    const struct queue *state = object_load_state(call->object);
    const VkQueueFlags supported =
        call->device->extended.QueuePerfHintPropertiesQCOM.supportedQueues;
    struct subject s = {.call = call};
    /* queue must support at least one of the queue types specified in supportedQueues */
    REQUIRE(&s, RULE_12388, !state || !supported || state->queue_flags & supported, "queue",
            "is of a family with %s, but supportedQueues is %s",
            TEXT_OF(VkQueueFlags, state->queue_flags), TEXT_OF(VkQueueFlags, supported));
    return s.skip;
}
