/* Checks that debug labels and markers only end when one is open (57.1.3, 57.2.3). */
#include "core/hooks.h"
#include "state/submit/queue.h"
#include "state/command/sections.h"

#include "report/finding/rule.h"

bool core_validate_QueueEndDebugUtilsLabelEXT(struct call *call, VkQueue queue)
{
    const struct queue *state = object_load_state(call->object);
    struct subject s = {.call = call};
    /* There must be an outstanding vkQueueBeginDebugUtilsLabelEXT command prior to the
     * vkQueueEndDebugUtilsLabelEXT on the queue */
    REQUIRE(&s, RULE_01911,
            !state || atomic_load_explicit(&state->queue_labels, memory_order_relaxed), "queue",
            "has no label open (vkQueueBeginDebugUtilsLabelEXT)");
    return s.skip;
}

/* The sections of a secondary command buffer; NULL: the call records a primary, whose labels may
 * have begun on the queue. */
static const struct command_buffer_sections *secondary_sections(const struct call *call)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    return command_buffer && command_buffer->scope & SCOPE_SECONDARY ? command_buffer->sections
                                                                     : NULL;
}

bool core_validate_CmdEndDebugUtilsLabelEXT(struct call *call, VkCommandBuffer commandBuffer)
{
    const struct command_buffer_sections *sections = secondary_sections(call);
    struct subject s = {.call = call};
    /* If commandBuffer is a secondary command buffer, there must be an outstanding
     * vkCmdBeginDebugUtilsLabelEXT command recorded to commandBuffer */
    REQUIRE(&s, RULE_01913, !sections || sections->labels.open, "commandBuffer",
            "is a secondary command buffer, and has no label open "
            "(vkCmdBeginDebugUtilsLabelEXT)");
    return s.skip;
}

bool core_validate_CmdDebugMarkerEndEXT(struct call *call, VkCommandBuffer commandBuffer)
{
    const struct command_buffer_sections *sections = secondary_sections(call);
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_01240, !sections || sections->markers.open, "commandBuffer",
            "is a secondary command buffer, and has no marker open "
            "(vkCmdDebugMarkerBeginEXT)");
    return s.skip;
}

bool core_validate_EndCommandBuffer_labels(struct call *call, VkCommandBuffer commandBuffer)
{
    const struct command_buffer_sections *sections = secondary_sections(call);
    const struct location *where = &LOCATION(NULL, "commandBuffer");
    if (!sections)
        return false;
    /* If commandBuffer is a secondary command buffer, there must not be an outstanding
     * vkCmdBeginDebugUtilsLabelEXT (vkCmdDebugMarkerBeginEXT) command */
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_01815, !sections->labels.open, where,
            "is a secondary command buffer with %u labels that were not ended "
            "(vkCmdEndDebugUtilsLabelEXT)",
            sections->labels.open);
    REQUIRE(&s, RULE_00062, !sections->markers.open, where,
            "is a secondary command buffer with %u markers that were not ended "
            "(vkCmdDebugMarkerEndEXT)",
            sections->markers.open);
    return s.skip;
}

/* --- names and tags of VK_EXT_debug_marker; whether the object lives is for lifetimes --- */

bool core_validate_DebugMarkerSetObjectNameEXT(struct call *call, VkDevice device,
                                               const VkDebugMarkerObjectNameInfoEXT *pNameInfo)
{
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pNameInfo")};
    REQUIRE(&s, RULE_01491, pNameInfo->object, "object",
            "is VK_NULL_HANDLE: there is nothing to name");
    return s.skip;
}

bool core_validate_DebugMarkerSetObjectTagEXT(struct call *call, VkDevice device,
                                              const VkDebugMarkerObjectTagInfoEXT *pTagInfo)
{
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pTagInfo")};
    REQUIRE(&s, RULE_01494, pTagInfo->object, "object",
            "is VK_NULL_HANDLE: there is nothing to tag");
    return s.skip;
}
