/* Checks that the objects that a secondary command buffer inherits are alive. */
#include "lifetimes/structs.h"

bool lifetimes_VkCommandBufferBeginInfo(struct call *call, const VkCommandBufferBeginInfo *value,
                                        const struct location *where)
{
    const VkCommandBufferInheritanceInfo *inherited = value->pInheritanceInfo;
    /* "If this is a primary command buffer, then this value is ignored": pInheritanceInfo may be a
     * stale pointer. */
    if (!call->object || !object_has(call->object, OBJECT_SECONDARY) || !inherited ||
        !(value->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT))
        return false;

    bool skip = false;
    const struct location at = LOCATION_POINTER(where, "pInheritanceInfo");
    if (unlikely(inherited->renderPass &&
                 !device_knows(call, inherited->renderPass, HANDLE_RENDER_PASS)))
        skip |= lifetimes_report(call, inherited->renderPass, HANDLE_RENDER_PASS,
                                 VUID_VkCommandBufferBeginInfo_flags_06000,
                                 VUID_VkCommandBufferInheritanceInfo_commonparent,
                                 &LOCATION(&at, "renderPass"));
    /* A secondary command buffer that inherits no render pass is executed in dynamic rendering:
     * "renderPass, subpass, and framebuffer are ignored". */
    if (unlikely(inherited->renderPass && inherited->framebuffer &&
                 !device_knows(call, inherited->framebuffer, HANDLE_FRAMEBUFFER)))
        skip |= lifetimes_report(call, inherited->framebuffer, HANDLE_FRAMEBUFFER,
                                 VUID_VkCommandBufferBeginInfo_flags_00055,
                                 VUID_VkCommandBufferInheritanceInfo_commonparent,
                                 &LOCATION(&at, "framebuffer"));
    return skip;
}
