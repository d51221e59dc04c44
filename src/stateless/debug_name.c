/* Checks that a debug name or tag gives a valid type and handle of its object. The room lifetimes
 * checks that the object is alive. (57.1 "Object Debug Annotation") */
#include "stateless/structs.h"

#include "report/finding/rule.h"

void rule_vkSetDebugUtilsObjectNameEXT(struct check *c, VkDevice device,
                                       const VkDebugUtilsObjectNameInfoEXT *pNameInfo)
{
    (void)device;
    if (pointer_is_bad(pNameInfo))
        return; /* the generated check reports it */
    const struct location *where = &LOCATION_POINTER(NULL, "pNameInfo");
    struct subject subject = {.call = c->call, .where = where};
    REQUIRE(&subject, VUID_vkSetDebugUtilsObjectNameEXT_pNameInfo_02588, pNameInfo->objectHandle,
            "objectHandle", "is VK_NULL_HANDLE: there is nothing to name");
    if (!pNameInfo->objectHandle)
        c->skip = call_stop(c->call, c->skip); /* drivers follow the handle */
    c->skip |= subject.skip;
}

void rule_VkDebugUtilsObjectNameInfoEXT(struct check *c, const struct location *where,
                                        const VkDebugUtilsObjectNameInfoEXT *s)
{
    struct subject subject = {.call = c->call, .where = where};
    /* 02587 and 02591 are for the names that a call or a message gives. */
    REQUIRE(&subject, VUID_VkDebugUtilsObjectNameInfoEXT_objectType_02589,
            c->call->command == COMMAND_SetDebugUtilsObjectNameEXT ||
                c->call->command == COMMAND_SubmitDebugUtilsMessageEXT ||
                s->objectType != VK_OBJECT_TYPE_UNKNOWN || s->objectHandle,
            "objectHandle", "is VK_NULL_HANDLE, and objectType is VK_OBJECT_TYPE_UNKNOWN");
    c->skip |= subject.skip;
}
