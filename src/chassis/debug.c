/* Which commands tell the reporter of names and labels? Those of VK_EXT_debug_utils and VK_EXT_debug_marker. */
#include "chassis/debug.h"

#include "chassis/hooks.h"
#include "report/reporter.h"

static struct reporter *reporter_of(const struct call *call)
{
    return call->instance->reporter;
}

static void set_name(struct call *call, enum handle_type type, uint64_t handle, const char *name)
{
    struct object *object = type == HANDLE_NONE ? NULL : call_find(call, handle, type);
    if (!object && type != HANDLE_NONE &&
        handle_type_is_dispatchable(type)) /* an instance's child named through a device */
        object = object_find_driver(handle, type, 0);
    if (!object && type != HANDLE_NONE && handle)
        object = object_find(call->wraps, handle, type, call->instance->owner);
    if (object)
        reporter_set_name(reporter_of(call), object, name);
}

static void debug_after_SetDebugUtilsObjectNameEXT(struct call *call, VkDevice device,
                                                   const VkDebugUtilsObjectNameInfoEXT *pNameInfo)
{
    set_name(call, handle_type_of_object_type(pNameInfo->objectType), pNameInfo->objectHandle, pNameInfo->pObjectName);
}

static void debug_after_DebugMarkerSetObjectNameEXT(struct call *call, VkDevice device,
                                                    const VkDebugMarkerObjectNameInfoEXT *pNameInfo)
{
    set_name(call, handle_type_of_debug_report(pNameInfo->objectType), pNameInfo->object, pNameInfo->pObjectName);
}

/* Labels open before the call goes down and close after it, so that a finding in between stands inside them. */

static void debug_before_QueueBeginDebugUtilsLabelEXT(struct call *call, VkQueue queue,
                                                      const VkDebugUtilsLabelEXT *pLabelInfo)
{
    if (call->object)
        reporter_begin_label(reporter_of(call), call->object, pLabelInfo->pLabelName, pLabelInfo->color);
}

static void debug_before_QueueInsertDebugUtilsLabelEXT(struct call *call, VkQueue queue,
                                                       const VkDebugUtilsLabelEXT *pLabelInfo)
{
    if (call->object)
        reporter_insert_label(reporter_of(call), call->object, pLabelInfo->pLabelName, pLabelInfo->color);
}

static void debug_after_QueueEndDebugUtilsLabelEXT(struct call *call, VkQueue queue)
{
    if (call->object)
        reporter_end_label(reporter_of(call), call->object);
}

static void debug_before_CmdBeginDebugUtilsLabelEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                    const VkDebugUtilsLabelEXT *pLabelInfo)
{
    if (call->object)
        reporter_begin_label(reporter_of(call), call->object, pLabelInfo->pLabelName, pLabelInfo->color);
}

static void debug_before_CmdInsertDebugUtilsLabelEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                     const VkDebugUtilsLabelEXT *pLabelInfo)
{
    if (call->object)
        reporter_insert_label(reporter_of(call), call->object, pLabelInfo->pLabelName, pLabelInfo->color);
}

static void debug_after_CmdEndDebugUtilsLabelEXT(struct call *call, VkCommandBuffer commandBuffer)
{
    if (call->object)
        reporter_end_label(reporter_of(call), call->object);
}

static void debug_before_CmdDebugMarkerBeginEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                const VkDebugMarkerMarkerInfoEXT *pMarkerInfo)
{
    if (call->object)
        reporter_begin_label(reporter_of(call), call->object, pMarkerInfo->pMarkerName, pMarkerInfo->color);
}

static void debug_before_CmdDebugMarkerInsertEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                 const VkDebugMarkerMarkerInfoEXT *pMarkerInfo)
{
    if (call->object)
        reporter_insert_label(reporter_of(call), call->object, pMarkerInfo->pMarkerName, pMarkerInfo->color);
}

static void debug_after_CmdDebugMarkerEndEXT(struct call *call, VkCommandBuffer commandBuffer)
{
    if (call->object)
        reporter_end_label(reporter_of(call), call->object);
}

static void debug_before_BeginCommandBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkCommandBufferBeginInfo *pBeginInfo)
{
    if (call->object && object_has(call->object, OBJECT_HAS_NAME))
        reporter_clear_labels(reporter_of(call), call->object);
}

const struct validator debug_validator = {
    .name = "debug",
    .after_SetDebugUtilsObjectNameEXT = debug_after_SetDebugUtilsObjectNameEXT,
    .after_DebugMarkerSetObjectNameEXT = debug_after_DebugMarkerSetObjectNameEXT,
    .before_QueueBeginDebugUtilsLabelEXT = debug_before_QueueBeginDebugUtilsLabelEXT,
    .before_QueueInsertDebugUtilsLabelEXT = debug_before_QueueInsertDebugUtilsLabelEXT,
    .after_QueueEndDebugUtilsLabelEXT = debug_after_QueueEndDebugUtilsLabelEXT,
    .before_CmdBeginDebugUtilsLabelEXT = debug_before_CmdBeginDebugUtilsLabelEXT,
    .before_CmdInsertDebugUtilsLabelEXT = debug_before_CmdInsertDebugUtilsLabelEXT,
    .after_CmdEndDebugUtilsLabelEXT = debug_after_CmdEndDebugUtilsLabelEXT,
    .before_CmdDebugMarkerBeginEXT = debug_before_CmdDebugMarkerBeginEXT,
    .before_CmdDebugMarkerInsertEXT = debug_before_CmdDebugMarkerInsertEXT,
    .after_CmdDebugMarkerEndEXT = debug_after_CmdDebugMarkerEndEXT,
    .before_BeginCommandBuffer = debug_before_BeginCommandBuffer,
};
