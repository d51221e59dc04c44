/* Checks that private data slots may be created, and private data be set (3.3.3). */
#include "core/hooks.h"
#include "chassis/hooks.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* Checks that the object is the call's device, or a child of it. For other objects, drivers would
 * write to invalid memory. */
static bool check_object(struct call *call, VkObjectType objectType, uint64_t objectHandle,
                         enum vuid alive, enum vuid child)
{
    enum handle_type type = handle_type_of_object_type(objectType);
    const struct location *where = &LOCATION(NULL, "objectHandle");
    if (type == HANDLE_NONE)
        return call_stop(call, BROKEN_BY(call, alive, where, NULL,
                                         "is 0x%" PRIx64 ", of no type of objects (%s)",
                                         objectHandle, TEXT_OF(VkObjectType, objectType)));
    if (!objectHandle)
        return call_stop(call, BROKEN_BY(call, alive, where, NULL, "is VK_NULL_HANDLE"));
    /* The validator of lifetimes reports destroyed objects, and objects of another device. */
    const struct object *object = call_find(call, objectHandle, type);
    bool of_instance = type == HANDLE_INSTANCE || type == HANDLE_PHYSICAL_DEVICE ||
                       (object && object->owner == call->instance->owner);
    if (likely(!of_instance))
        return false;
    return call_stop(call, BROKEN_BY(call, child, where, OBJECT(type, objectHandle),
                                     "is a %s, which is not a child of the device",
                                     handle_type_name[type]));
}

bool core_validate_SetPrivateData(struct call *call, VkDevice device, VkObjectType objectType,
                                  uint64_t objectHandle, VkPrivateDataSlot privateDataSlot,
                                  uint64_t data)
{
    return check_object(call, objectType, objectHandle, VUID_vkSetPrivateData_objectHandle_04017,
                        VUID_vkSetPrivateData_objectHandle_04016);
}

bool core_validate_GetPrivateData(struct call *call, VkDevice device, VkObjectType objectType,
                                  uint64_t objectHandle, VkPrivateDataSlot privateDataSlot,
                                  uint64_t *pData)
{
    return check_object(call, objectType, objectHandle, VUID_vkGetPrivateData_objectHandle_09498,
                        VUID_vkGetPrivateData_objectType_04018);
}
