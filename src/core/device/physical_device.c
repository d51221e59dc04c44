/* Queries what a physical device supports, and checks what programs request from it. */
#include "core/device/physical_device.h"

#include <string.h>

#include "core/hooks.h"
#include "state/submit/queue.h"

#include "report/finding/rule.h"

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

bool core_validate_QueueSetPerfHintQCOM(struct call *call, VkQueue queue,
                                        const VkPerfHintInfoQCOM *pPerfHintInfo)
{
    const struct queue *state = object_load_state(call->object);
    const VkQueueFlags supported =
        call->device->extended.QueuePerfHintPropertiesQCOM.supportedQueues;
    struct subject s = {.call = call};
    VkQueueFlags flags = state ? state->queue_flags : 0;
    /* "reporting the VK_QUEUE_TRANSFER_BIT capability separately for that queue family is optional"
     * if the family has one of these bits */
    if (flags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT))
        flags |= VK_QUEUE_TRANSFER_BIT;
    /* queue must support at least one of the queue types specified in supportedQueues */
    REQUIRE(&s, RULE_12388, !state || !supported || flags & supported, "queue",
            "is of a family with %s, but supportedQueues is %s", TEXT_OF(VkQueueFlags, flags),
            TEXT_OF(VkQueueFlags, supported));
    return s.skip;
}
