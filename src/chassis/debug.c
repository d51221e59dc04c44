/* The commands of VK_EXT_debug_utils and VK_EXT_debug_marker give the reporter names, tags and
 * labels. */
#include "chassis/debug.h"

#include "chassis/hooks.h"
#include "report/finding/reporter.h"

/* Names and labels are kept for the whole instance. */
static struct reporter *reporter_of(const struct call *call)
{
    return call->instance->reporter;
}

/* Finds the object that is named or tagged. NULL: the object is unknown. */
static struct object *find_object(const struct call *call, enum handle_type type, uint64_t handle)
{
    struct object *object = type == HANDLE_NONE ? NULL : call_find(call, handle, type);
    if (!object && type != HANDLE_NONE &&
        handle_type_is_dispatchable(type)) /* an instance's child named through a device */
        object = object_find_driver(handle, type, 0);
    if (!object && type != HANDLE_NONE && handle)
        object = object_find(call->wraps, handle, type, call->instance->owner);
    return object;
}

/* Names an object. An unknown object gets no name. */
static void set_name(const struct call *call, enum handle_type type, uint64_t handle,
                     const char *name)
{
    struct object *object = find_object(call, type, handle);
    if (object)
        reporter_set_name(reporter_of(call), object, name);
}

/* Passes a tag to the reporter. For an unknown object NULL is passed, so that only a tag for the
 * thread has an effect. */
static void debug_after_SetDebugUtilsObjectTagEXT(struct call *call, VkDevice device,
                                                  const VkDebugUtilsObjectTagInfoEXT *pTagInfo)
{
    struct object *object =
        find_object(call, handle_type_of_object_type(pTagInfo->objectType), pTagInfo->objectHandle);
    reporter_set_tag(reporter_of(call), object, pTagInfo->tagName, pTagInfo->pTag,
                     pTagInfo->tagSize);
}

static void debug_after_DebugMarkerSetObjectTagEXT(struct call *call, VkDevice device,
                                                   const VkDebugMarkerObjectTagInfoEXT *pTagInfo)
{
    struct object *object =
        find_object(call, handle_type_of_debug_report(pTagInfo->objectType), pTagInfo->object);
    reporter_set_tag(reporter_of(call), object, pTagInfo->tagName, pTagInfo->pTag,
                     pTagInfo->tagSize);
}

static void debug_after_SetDebugUtilsObjectNameEXT(struct call *call, VkDevice device,
                                                   const VkDebugUtilsObjectNameInfoEXT *pNameInfo)
{
    set_name(call, handle_type_of_object_type(pNameInfo->objectType), pNameInfo->objectHandle,
             pNameInfo->pObjectName);
}

static void debug_after_DebugMarkerSetObjectNameEXT(struct call *call, VkDevice device,
                                                    const VkDebugMarkerObjectNameInfoEXT *pNameInfo)
{
    set_name(call, handle_type_of_debug_report(pNameInfo->objectType), pNameInfo->object,
             pNameInfo->pObjectName);
}

/* A label is opened before the driver's function runs, and closed after it, so that it applies to
 * findings of the call itself. */

static void debug_before_QueueBeginDebugUtilsLabelEXT(struct call *call, VkQueue queue,
                                                      const VkDebugUtilsLabelEXT *pLabelInfo)
{
    if (call->object)
        reporter_begin_label(reporter_of(call), call->object, pLabelInfo->pLabelName,
                             pLabelInfo->color);
}

static void debug_before_QueueInsertDebugUtilsLabelEXT(struct call *call, VkQueue queue,
                                                       const VkDebugUtilsLabelEXT *pLabelInfo)
{
    if (call->object)
        reporter_insert_label(reporter_of(call), call->object, pLabelInfo->pLabelName,
                              pLabelInfo->color);
}

static void debug_after_QueueEndDebugUtilsLabelEXT(struct call *call, VkQueue queue)
{
    if (call->object)
        reporter_end_label(reporter_of(call), call->object);
}

static void debug_before_CmdBeginDebugUtilsLabelEXT(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    const VkDebugUtilsLabelEXT *pLabelInfo)
{
    if (call->object)
        reporter_begin_label(reporter_of(call), call->object, pLabelInfo->pLabelName,
                             pLabelInfo->color);
}

static void debug_before_CmdInsertDebugUtilsLabelEXT(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     const VkDebugUtilsLabelEXT *pLabelInfo)
{
    if (call->object)
        reporter_insert_label(reporter_of(call), call->object, pLabelInfo->pLabelName,
                              pLabelInfo->color);
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
        reporter_begin_label(reporter_of(call), call->object, pMarkerInfo->pMarkerName,
                             pMarkerInfo->color);
}

static void debug_before_CmdDebugMarkerInsertEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                 const VkDebugMarkerMarkerInfoEXT *pMarkerInfo)
{
    if (call->object)
        reporter_insert_label(reporter_of(call), call->object, pMarkerInfo->pMarkerName,
                              pMarkerInfo->color);
}

static void debug_after_CmdDebugMarkerEndEXT(struct call *call, VkCommandBuffer commandBuffer)
{
    if (call->object)
        reporter_end_label(reporter_of(call), call->object);
}

/* Removes the labels of an earlier recording. Only an object with names has any. */
static void debug_before_BeginCommandBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkCommandBufferBeginInfo *pBeginInfo)
{
    if (call->object && object_has(call->object, OBJECT_HAS_NAME))
        reporter_clear_labels(reporter_of(call), call->object);
}

/* Puts the hooks of names, tags and labels into the table. */
static void debug_hooks_fill(struct validator_hooks *hooks)
{
    hooks->after_SetDebugUtilsObjectNameEXT = debug_after_SetDebugUtilsObjectNameEXT;
    hooks->after_DebugMarkerSetObjectNameEXT = debug_after_DebugMarkerSetObjectNameEXT;
    hooks->after_SetDebugUtilsObjectTagEXT = debug_after_SetDebugUtilsObjectTagEXT;
    hooks->after_DebugMarkerSetObjectTagEXT = debug_after_DebugMarkerSetObjectTagEXT;
    hooks->before_QueueBeginDebugUtilsLabelEXT = debug_before_QueueBeginDebugUtilsLabelEXT;
    hooks->before_QueueInsertDebugUtilsLabelEXT = debug_before_QueueInsertDebugUtilsLabelEXT;
    hooks->after_QueueEndDebugUtilsLabelEXT = debug_after_QueueEndDebugUtilsLabelEXT;
    hooks->before_CmdBeginDebugUtilsLabelEXT = debug_before_CmdBeginDebugUtilsLabelEXT;
    hooks->before_CmdInsertDebugUtilsLabelEXT = debug_before_CmdInsertDebugUtilsLabelEXT;
    hooks->after_CmdEndDebugUtilsLabelEXT = debug_after_CmdEndDebugUtilsLabelEXT;
    hooks->before_CmdDebugMarkerBeginEXT = debug_before_CmdDebugMarkerBeginEXT;
    hooks->before_CmdDebugMarkerInsertEXT = debug_before_CmdDebugMarkerInsertEXT;
    hooks->after_CmdDebugMarkerEndEXT = debug_after_CmdDebugMarkerEndEXT;
    hooks->before_BeginCommandBuffer = debug_before_BeginCommandBuffer;
}

/* debug_hooks_fill() fills this in, and it does not change after that. */
static struct validator_hooks own_hooks;
const struct validator debug_validator = {
    .name = "debug",
    .hooks = &own_hooks,
    .fill = debug_hooks_fill,
};
