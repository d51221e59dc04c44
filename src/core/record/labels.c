/* Checks that debug labels and markers each end what was begun (57.1.3, 57.2.3). */
#include "core/hooks.h"
#include "core/rule.h"
#include "core/submit/walk.h"
#include "state/submit/queue.h"
#include "state/command/sections.h"

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

/* --- submits --- */

static bool check_balance(const struct call *call, uint32_t *open,
                          const struct label_balance *balance, enum vuid vuid,
                          VkCommandBuffer handle, const struct location *where, const char *what)
{
    assert(open && balance);
    uint32_t unmatched = balance->unmatched > *open ? balance->unmatched - *open : 0;
    *open = labels_after(*open, balance).open;
    struct subject s = {.call = call};
    REQUIRE_OF(&s, OBJECT(HANDLE_COMMAND_BUFFER, handle), vuid, !unmatched, where,
               "ends %u %s more than are open on this queue by then", unmatched, what);
    return s.skip;
}

/* What the queue has open before this call. */
static void begin_labels(struct submit *submit)
{
    struct submit_labels *open = &submit->labels;
    open->known = submit->queue != NULL;
    if (!open->known)
        return;
    open->labels = atomic_load_explicit(&submit->queue->command_labels, memory_order_relaxed);
    open->markers = atomic_load_explicit(&submit->queue->markers, memory_order_relaxed);
}

bool submit_check_labels(struct submit *submit, const struct submit_batch *submitted)
{
    const struct batch *batch = &submitted->batch;
    struct submit_labels *open = &submit->labels;
    const struct call *call = submit->call;
    bool skip = false;
    if (submit_asks_first(submit, CONTENTS_LABELS))
        begin_labels(submit);
    for (uint32_t i = 0; open->known && i < batch->command_buffer_count; i++) {
        VkCommandBuffer handle = batch_command_buffer(batch, i);
        const struct command_buffer_sections *sections = sections_of(find_command_buffer(handle));
        const struct location where =
            LOCATION_INDEX(&submitted->where, batch_command_buffers_name(batch), i);
        if (!label_contents(sections))
            continue;
        /* There must be an outstanding vkCmdBeginDebugUtilsLabelEXT command prior to the
         * vkCmdEndDebugUtilsLabelEXT on the queue that commandBuffer is submitted to */
        skip |= check_balance(call, &open->labels, &sections->labels,
                              VUID_vkCmdEndDebugUtilsLabelEXT_commandBuffer_01912, handle, &where,
                              "labels");
        skip |= check_balance(call, &open->markers, &sections->markers,
                              VUID_vkCmdDebugMarkerEndEXT_commandBuffer_01239, handle, &where,
                              "markers");
    }
    return skip;
}
