/* Checks that an event may be set, reset and waited for (7.5). */
#include "core/barrier/attachment.h"
#include "core/barrier/commands.h"
#include "core/barrier/event.h"
#include "core/barrier/event_order.h"
#include "core/hooks.h"
#include "core/destroy/in_use.h"
#include "report/names/object_text.h"

#include "objects/device.h"
#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/command/event.h"
#include "state/submit/queue.h"

#include <inttypes.h>

/* --- by the host --- */

/* Checks an event that the host sets, resets or queries. */
static bool check_host(const struct call *call, VkEvent handle, enum rule rule)
{
    const struct event *event = find_event(call, handle);
    /* event must not have been created with VK_EVENT_CREATE_DEVICE_ONLY_BIT */
    return event && event->flags & VK_EVENT_CREATE_DEVICE_ONLY_BIT &&
           BROKEN_BY(call, rule, &LOCATION(NULL, "event"), OBJECT(HANDLE_EVENT, handle),
                     "was created with VK_EVENT_CREATE_DEVICE_ONLY_BIT");
}

bool core_validate_GetEventStatus(struct call *call, VkDevice device, VkEvent event)
{
    return check_host(call, event, RULE_03940);
}

/* There must be an execution dependency between vkResetEvent and the execution of any
 * vkCmdWaitEvents that includes event. There is none while the wait may still be executing.
 * `any_ahead`: the queue may still wait for a signal that the host gives later, and nothing is
 * reported. If only the host has set the event, the wait could then last forever, so the event
 * stays set. */
bool core_validate_ResetEvent(struct call *call, VkDevice device, VkEvent event)
{
    const struct event *state = named_event(call, 0, event);
    const uint64_t waited = state ? atomic_load_explicit(&state->waited, memory_order_relaxed) : 0;
    const struct queue *queue = waited && call->instance->settings.check_object_in_use
                                    ? stamp_in_use(call->device, waited)
                                    : NULL;
    struct subject s = {.call = call, .objects = OBJECT(HANDLE_EVENT, event)};
    s.skip |= check_host(call, event, RULE_03823);
    if (likely(!queue) || atomic_load_explicit(&queue->any_ahead, memory_order_relaxed))
        return s.skip;
    const enum rule rule =
        atomic_load_explicit(&state->waited_by_2, memory_order_relaxed) ? RULE_03822 : RULE_03821;
    const bool set_by_host = atomic_load_explicit(&state->host_set, memory_order_relaxed);
    BROKEN(&s, set_by_host ? STOPS(rule) : (int)rule, "event",
           "is waited for by a command buffer that was submitted to %s and is not known to be "
           "done%s",
           NAMED_STATE(call, &queue->base),
           set_by_host ? ": the queue might wait forever, and the call does not reach the driver"
                       : "");
    return s.skip;
}

bool core_validate_SetEvent(struct call *call, VkDevice device, VkEvent event)
{
    const struct event *state = named_event(call, 0, event);
    uint64_t waited = state ? atomic_load_explicit(&state->waited, memory_order_relaxed) : 0;
    struct subject s = {.call = call};
    s.skip |= check_host(call, event, RULE_03941);
    /* event must not be waited on by a command buffer in the pending state */
    if (waited && call->instance->settings.check_object_in_use &&
        stamp_pending(call->device, waited))
        BROKEN_OF(&s, OBJECT(HANDLE_EVENT, event), RULE_09543, "event",
                  "is waited for by a command buffer that was submitted and is not known "
                  "to be done");
    return s.skip;
}

bool core_validate_DestroyEvent(struct call *call, VkDevice device, VkEvent event,
                                const VkAllocationCallbacks *pAllocator)
{
    /* All submitted commands that refer to event must have completed execution */
    const struct event *state = named_event(call, 0, event);
    return state && in_use_check(call, &state->base, RULE(call, 01145), &LOCATION(NULL, "event"));
}

/* --- set and reset --- */

bool core_validate_CmdSetEvent(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                               VkPipelineStageFlags stageMask)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return false;
    return stage_mask_check(call, command_buffer, MASK_vkCmdSetEvent_stageMask, RULE_06457,
                            stageMask, "stageMask");
}

/* There must be an execution dependency between vkCmdResetEvent and the execution of any earlier
 * vkCmdWaitEvents in submission order that includes event in its pEvents parameter. For waits of
 * other command buffers, vkCmdExecuteCommands and submits check this. */
static bool check_reset(const struct call *call, VkEvent handle, VkPipelineStageFlags2 stages,
                        bool version2)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (likely(!command_buffer || !command_buffer->events))
        return false;
    const struct event *event = find_event(call, handle);
    const struct event_record *record = event ? command_buffer_event(command_buffer, event) : NULL;
    if (!record)
        return false;
    const enum rule rule =
        event_reset_breaks(&record->wait, command_buffer->orders, stages, version2);
    return unlikely(rule != RULE_NONE) &&
           BROKEN_BY(call, rule, &LOCATION(NULL, "event"), OBJECT(HANDLE_EVENT, handle),
                     "may be reset before it is waited for by %s (command %u): %s",
                     record->wait.version2 ? "vkCmdWaitEvents2" : "vkCmdWaitEvents",
                     record->wait.command, event_reset_text);
}

bool core_validate_CmdResetEvent(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                                 VkPipelineStageFlags stageMask)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return false;
    return stage_mask_check(call, command_buffer, MASK_vkCmdResetEvent_stageMask, RULE_06458,
                            stageMask, "stageMask") |
           check_reset(call, event, stageMask, false);
}

bool core_validate_CmdResetEvent2(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                                  VkPipelineStageFlags2 stageMask)
{
    const struct location where = LOCATION(NULL, "stageMask");
    return stages_check_features(call, MASK_vkCmdResetEvent2_stageMask, stageMask, &where) |
           check_reset(call, event, stageMask, true);
}

/* Calls `check` for the masks of every barrier of a dependency. */
static bool check_all_masks(const struct call *call, const struct command_buffer *command_buffer,
                            const VkDependencyInfo *info, const struct location *parent,
                            bool (*check)(const struct call *call,
                                          const struct command_buffer *command_buffer,
                                          VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst,
                                          const struct location *where))
{
    assert(command_buffer && info && check);
    bool skip = false;
    for (uint32_t i = 0; info->pMemoryBarriers && i < info->memoryBarrierCount; i++)
        skip |= check(call, command_buffer, info->pMemoryBarriers[i].srcStageMask,
                      info->pMemoryBarriers[i].dstStageMask,
                      &LOCATION_INDEX(parent, "pMemoryBarriers", i));
    for (uint32_t i = 0; info->pBufferMemoryBarriers && i < info->bufferMemoryBarrierCount; i++)
        skip |= check(call, command_buffer, info->pBufferMemoryBarriers[i].srcStageMask,
                      info->pBufferMemoryBarriers[i].dstStageMask,
                      &LOCATION_INDEX(parent, "pBufferMemoryBarriers", i));
    for (uint32_t i = 0; info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++)
        skip |= check(call, command_buffer, info->pImageMemoryBarriers[i].srcStageMask,
                      info->pImageMemoryBarriers[i].dstStageMask,
                      &LOCATION_INDEX(parent, "pImageMemoryBarriers", i));
    return skip;
}

/* Checks the stages of one barrier of vkCmdSetEvent2. */
static bool check_set_masks(const struct call *call, const struct command_buffer *command_buffer,
                            VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst,
                            const struct location *where)
{
    struct subject s = {.call = call, .where = where};
    /* The srcStageMask member of any element ... must not include VK_PIPELINE_STAGE_2_HOST_BIT */
    if (unlikely(src & VK_PIPELINE_STAGE_2_HOST_BIT))
        BROKEN(&s, RULE_09391, "srcStageMask", "includes VK_PIPELINE_STAGE_2_HOST_BIT");
    /* The dstStageMask member of any element ... must not include VK_PIPELINE_STAGE_2_HOST_BIT */
    if (unlikely(dst & VK_PIPELINE_STAGE_2_HOST_BIT))
        BROKEN(&s, RULE_09392, "dstStageMask", "includes VK_PIPELINE_STAGE_2_HOST_BIT");
    /* ... must only include pipeline stages valid for the queue family that was used to create the
     * command pool */
    s.skip |= stages2_check_queue(call, command_buffer, RULE_03827, src, where, "srcStageMask");
    s.skip |= stages2_check_queue(call, command_buffer, RULE_03828, dst, where, "dstStageMask");
    return s.skip;
}

/* If dependencyFlags includes VK_DEPENDENCY_ASYMMETRIC_EVENT_BIT_KHR, the one memory barrier must
 * have nothing but a srcStageMask. */
static COLD bool check_asymmetric(const struct call *call, const VkDependencyInfo *info,
                                  const struct location *parent)
{
    struct subject s = {.call = call, .where = parent};
    const VkMemoryBarrier2 *barrier = info->memoryBarrierCount == 1 ? info->pMemoryBarriers : NULL;
    if (barrier && (barrier->srcAccessMask || barrier->dstStageMask || barrier->dstAccessMask))
        BROKEN(&s, RULE_10787, &LOCATION_INDEX(parent, "pMemoryBarriers", 0),
               "has more than a srcStageMask, which is all that the first half of an "
               "asymmetric event has");
    return s.skip;
}

bool core_validate_CmdSetEvent2(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                                const VkDependencyInfo *pDependencyInfo)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct location parent = LOCATION_POINTER(NULL, "pDependencyInfo");
    if (!command_buffer)
        return false;
    bool skip = check_all_masks(call, command_buffer, pDependencyInfo, &parent, check_set_masks);
    if (unlikely(pDependencyInfo->dependencyFlags & VK_DEPENDENCY_ASYMMETRIC_EVENT_BIT_KHR))
        skip |= check_asymmetric(call, pDependencyInfo, &parent);
    return skip | dependency_check(call, command_buffer, pDependencyInfo, 0, &parent);
}

/* --- waits --- */

/* The host may not set an event that pending commands wait for (09543). */
static const char never_set[] = "is reset by an earlier command of this command buffer, and no "
                                "command between sets it: the queue would wait forever";

/* Checks a wait against what earlier commands of this command buffer did to the events. The submit
 * checks the rest (core/submit/events.c). */
static bool check_events(const struct call *call, const struct command_buffer *command_buffer,
                         uint32_t count, const VkEvent *events, VkPipelineStageFlags stages)
{
    struct event_union all = {0};
    struct subject s = {.call = call};
    bool known = count != 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct event *event = find_event(call, events[i]);
        const struct event_record *record =
            event ? command_buffer_event(command_buffer, event) : NULL;
        known &= record && event_union_add(&all, &record->status);
        /* Elements of pEvents must not have been signaled by vkCmdSetEvent2 */
        if (unlikely(record && record->status.signal == EVENT_SET_2))
            BROKEN_OF(&s, OBJECT(HANDLE_EVENT, events[i]), RULE_03847,
                      &LOCATION_INDEX(NULL, "pEvents", i),
                      "is set by vkCmdSetEvent2, for which vkCmdWaitEvents2 must wait");
        if (unlikely(record && record->status.signal == EVENT_UNSIGNALED))
            BROKEN_OF(&s, OBJECT(HANDLE_EVENT, events[i]), RULE_01158,
                      &LOCATION_INDEX(NULL, "pEvents", i), "%s", never_set);
    }
    /* srcStageMask must be the bitwise OR of the stageMask parameter used in previous calls to
     * vkCmdSetEvent ... */
    if (known && unlikely(event_union_differs(&all, stages)))
        BROKEN(&s, RULE_01158, "srcStageMask", "is %s, but vkCmdSetEvent sets the events after %s",
               value_text(VALUES_VkPipelineStageFlags, stages).text,
               value_text(VALUES_VkPipelineStageFlags, all.least).text);
    return s.skip;
}

/* If ... called within a render pass instance, the oldLayout and newLayout members of any image
 * memory barrier included in this command must be equal */
static COLD bool check_image_inside(const struct call *call, VkImage image,
                                    const VkImageSubresourceRange *range, VkImageLayout old,
                                    VkImageLayout new_layout, const struct location *where)
{
    struct subject s = {.call = call, .objects = OBJECT(HANDLE_IMAGE, image)};
    REQUIRE(&s, RULE_01181, old == new_layout, where,
            "goes from %s to %s, within a render pass instance", TEXT_OF(VkImageLayout, old),
            TEXT_OF(VkImageLayout, new_layout));
    return s.skip | attachment_barrier_check(call, image, range, old, true, where);
}

/* The srcQueueFamilyIndex and dstQueueFamilyIndex members of any element of pBufferMemoryBarriers
 * or pImageMemoryBarriers must be equal; of any memory barrier within a render pass instance */
static bool check_wait_families(const struct call *call,
                                const struct command_buffer *command_buffer, uint32_t src,
                                uint32_t dst, const struct location *where)
{
    const bool inside = (command_buffer->scope & SCOPE_INSIDE_RENDER_PASS) != 0;
    struct subject s = {.call = call};
    REQUIRE(&s, inside ? RULE_01182 : RULE_02803, src == dst, where,
            "transfers ownership from queue family %u to %u, which %s cannot do", src, dst,
            inside ? "a command within a render pass instance" : "an event");
    return s.skip;
}

bool core_validate_CmdWaitEvents(struct call *call, VkCommandBuffer commandBuffer,
                                 uint32_t eventCount, const VkEvent *pEvents,
                                 VkPipelineStageFlags srcStageMask,
                                 VkPipelineStageFlags dstStageMask, uint32_t memoryBarrierCount,
                                 const VkMemoryBarrier *pMemoryBarriers,
                                 uint32_t bufferMemoryBarrierCount,
                                 const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                 uint32_t imageMemoryBarrierCount,
                                 const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return false;
    const struct barriers barriers = {srcStageMask,
                                      dstStageMask,
                                      memoryBarrierCount,
                                      bufferMemoryBarrierCount,
                                      imageMemoryBarrierCount,
                                      pMemoryBarriers,
                                      pBufferMemoryBarriers,
                                      pImageMemoryBarriers};
    struct subject s = {.call = call};
    s.skip |= stage_mask_check(call, command_buffer, MASK_vkCmdWaitEvents_srcStageMask, RULE_06459,
                               srcStageMask, "srcStageMask");
    s.skip |= stage_mask_check(call, command_buffer, MASK_vkCmdWaitEvents_dstStageMask, RULE_06460,
                               dstStageMask, "dstStageMask");
    s.skip |= stage_mask_check_zero(call, srcStageMask, VUID_vkCmdWaitEvents_srcStageMask_03937,
                                    "srcStageMask");
    s.skip |= stage_mask_check_zero(call, dstStageMask, VUID_vkCmdWaitEvents_dstStageMask_03937,
                                    "dstStageMask");
    s.skip |= barriers_check(call, command_buffer, &barriers);
    s.skip |= check_events(call, command_buffer, pEvents ? eventCount : 0, pEvents, srcStageMask);
    /* If this command is called inside a render pass instance, srcStageMask must not include
     * VK_PIPELINE_STAGE_HOST_BIT */
    if (unlikely(srcStageMask & VK_PIPELINE_STAGE_HOST_BIT &&
                 command_buffer->scope & SCOPE_INSIDE_RENDER_PASS))
        BROKEN(&s, RULE_07308, "srcStageMask",
               "includes VK_PIPELINE_STAGE_HOST_BIT within a render pass instance");
    /* The srcQueueFamilyIndex and dstQueueFamilyIndex members of any element of
     * pBufferMemoryBarriers or pImageMemoryBarriers must be equal */
    for (uint32_t i = 0; pBufferMemoryBarriers && i < bufferMemoryBarrierCount; i++)
        s.skip |=
            check_wait_families(call, command_buffer, pBufferMemoryBarriers[i].srcQueueFamilyIndex,
                                pBufferMemoryBarriers[i].dstQueueFamilyIndex,
                                &LOCATION_INDEX(NULL, "pBufferMemoryBarriers", i));
    for (uint32_t i = 0; pImageMemoryBarriers && i < imageMemoryBarrierCount &&
                         command_buffer->scope & SCOPE_INSIDE_RENDER_PASS;
         i++)
        s.skip |=
            check_image_inside(call, pImageMemoryBarriers[i].image,
                               &pImageMemoryBarriers[i].subresourceRange,
                               pImageMemoryBarriers[i].oldLayout, pImageMemoryBarriers[i].newLayout,
                               &LOCATION_INDEX(NULL, "pImageMemoryBarriers", i));
    for (uint32_t i = 0; pImageMemoryBarriers && i < imageMemoryBarrierCount; i++)
        s.skip |=
            check_wait_families(call, command_buffer, pImageMemoryBarriers[i].srcQueueFamilyIndex,
                                pImageMemoryBarriers[i].dstQueueFamilyIndex,
                                &LOCATION_INDEX(NULL, "pImageMemoryBarriers", i));
    return s.skip;
}

/* Checks the stages of one barrier of vkCmdWaitEvents2. */
static bool check_wait_masks(const struct call *call, const struct command_buffer *command_buffer,
                             VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst,
                             const struct location *where)
{
    /* ... must only include pipeline stages valid for the queue family that was used to create the
     * command pool */
    struct subject s = {.call = call, .where = where};
    s.skip |= stages2_check_queue(call, command_buffer, RULE_03842, src, where, "srcStageMask");
    s.skip |= stages2_check_queue(call, command_buffer, RULE_03843, dst, where, "dstStageMask");
    /* If this command is called inside a render pass instance, the srcStageMask member ... must not
     * include VK_PIPELINE_STAGE_2_HOST_BIT */
    if (unlikely(src & VK_PIPELINE_STAGE_2_HOST_BIT &&
                 command_buffer->scope & SCOPE_INSIDE_RENDER_PASS))
        BROKEN(&s, RULE_03844, "srcStageMask",
               "includes VK_PIPELINE_STAGE_2_HOST_BIT within a render pass instance");
    return s.skip;
}

enum rule event_wait2_breaks(const struct event_status *status, const struct event_operation *wait,
                             const char **text)
{
    assert(text);
    /* Members of pEvents must not have been signaled by vkCmdSetEvent */
    *text = "is set by vkCmdSetEvent, for which vkCmdWaitEvents must wait";
    if (status->signal == EVENT_SET_1)
        return RULE_03837;
    /* ... if that event is signaled by vkSetEvent, barriers ... must include only host operations
     * in their first synchronization scope */
    *text = "is for an event that vkSetEvent has set, but its first scope is not only the host";
    if (status->signal == EVENT_SET_BY_HOST)
        return wait->device ? RULE_03839 : RULE_NONE;
    if (status->signal != EVENT_SET_2 || status->again)
        return RULE_NONE;
    if (wait->asymmetric) {
        /* ... that event must be signaled by vkCmdSetEvent2 with
         * VK_DEPENDENCY_ASYMMETRIC_EVENT_BIT_KHR */
        *text = "has VK_DEPENDENCY_ASYMMETRIC_EVENT_BIT_KHR, but the vkCmdSetEvent2 that sets the "
                "event does not have it";
        if (!status->asymmetric)
            return RULE_10789;
        /* ... the union of srcStageMask members of all elements must equal
         * pMemoryBarriers[0].srcStageMask in the vkCmdSetEvent2 command */
        *text = "has other stages in its first scope than the vkCmdSetEvent2 that sets the event";
        return wait->stages != status->stages ? RULE_10790 : RULE_NONE;
    }
    /* ... that command's dependencyInfo parameter must be exactly equal to the ith element of
     * pDependencyInfos */
    *text = "is not the same as that of the vkCmdSetEvent2 that sets the event";
    return wait->dependency != status->dependency ? RULE_10788 : RULE_NONE;
}

/* Checks a wait for event `i` against what earlier commands of this command buffer did to it.
 * Commands of other command buffers are considered by the submit. */
static bool check_wait_event(const struct call *call, const struct command_buffer *command_buffer,
                             VkEvent handle, const VkDependencyInfo *info, uint32_t i)
{
    const struct event *event = find_event(call, handle);
    const struct event_record *record = event ? command_buffer_event(command_buffer, event) : NULL;
    const struct event_operation wait = event_wait2(info);
    if (unlikely(record && record->status.signal == EVENT_UNSIGNALED))
        return BROKEN_BY(call, wait.host && !wait.device ? RULE_03840 : RULE_03841,
                         &LOCATION_INDEX(NULL, "pEvents", i), OBJECT(HANDLE_EVENT, handle), "%s",
                         never_set);
    if (!record || (record->status.signal != EVENT_SET_1 && record->status.signal != EVENT_SET_2))
        return false;
    const char *text;
    enum rule rule = event_wait2_breaks(&record->status, &wait, &text);
    return unlikely(rule != RULE_NONE) &&
           BROKEN_BY(call, rule,
                     &LOCATION_INDEX(NULL, rule == RULE_03837 ? "pEvents" : "pDependencyInfos", i),
                     OBJECT(HANDLE_EVENT, handle), "%s", text);
}

/* Checks the barriers of a wait for events that is recorded within a render pass instance. */
static COLD bool check_dependency_inside(const struct call *call,
                                         const struct command_buffer *command_buffer,
                                         const VkDependencyInfo *info, const struct location *where)
{
    bool skip = false;
    for (uint32_t i = 0; info->pBufferMemoryBarriers && i < info->bufferMemoryBarrierCount; i++)
        skip |= check_wait_families(call, command_buffer,
                                    info->pBufferMemoryBarriers[i].srcQueueFamilyIndex,
                                    info->pBufferMemoryBarriers[i].dstQueueFamilyIndex,
                                    &LOCATION_INDEX(where, "pBufferMemoryBarriers", i));
    for (uint32_t i = 0; info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++) {
        const VkImageMemoryBarrier2 *b = &info->pImageMemoryBarriers[i];
        const struct location *at = &LOCATION_INDEX(where, "pImageMemoryBarriers", i);
        skip |= check_wait_families(call, command_buffer, b->srcQueueFamilyIndex,
                                    b->dstQueueFamilyIndex, at);
        skip |= check_image_inside(call, b->image, &b->subresourceRange, b->oldLayout, b->newLayout,
                                   at);
    }
    return skip;
}

/* Flags that vkCmdPipelineBarrier2 accepts, and commands with events do not. */
#define FLAGS_OF_BARRIERS_ONLY                                                                     \
    (VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_DEVICE_GROUP_BIT | VK_DEPENDENCY_VIEW_LOCAL_BIT | \
     VK_DEPENDENCY_FEEDBACK_LOOP_BIT_EXT)

bool core_validate_CmdWaitEvents2(struct call *call, VkCommandBuffer commandBuffer,
                                  uint32_t eventCount, const VkEvent *pEvents,
                                  const VkDependencyInfo *pDependencyInfos)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return false;
    struct subject s = {.call = call};
    for (uint32_t i = 0; pEvents && pDependencyInfos && i < eventCount; i++) {
        const VkDependencyInfo *info = &pDependencyInfos[i];
        const struct location where = LOCATION_INDEX(NULL, "pDependencyInfos", i);
        s.skip |= check_wait_event(call, command_buffer, pEvents[i], info, i);
        s.skip |= check_all_masks(call, command_buffer, info, &where, check_wait_masks);
        s.skip |= dependency_check(call, command_buffer, pDependencyInfos, i, &where);
        if (unlikely(command_buffer->scope & SCOPE_INSIDE_RENDER_PASS))
            s.skip |= check_dependency_inside(call, command_buffer, info, &where);
        /* The dependencyFlags member of any element of pDependencyInfo must not include any of the
         * following bits */
        if (unlikely(info->dependencyFlags & FLAGS_OF_BARRIERS_ONLY))
            BROKEN(&s, RULE_10394, &LOCATION(&where, "dependencyFlags"), "includes %s",
                   value_text(VALUES_VkDependencyFlags,
                              info->dependencyFlags & FLAGS_OF_BARRIERS_ONLY)
                       .text);
    }
    return s.skip;
}
