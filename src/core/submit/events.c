/* Checks that submitted command buffers wait for events that something has set, and in the way in
 * which they were set (7.5). Recording reports what one command buffer shows on its own
 * (core/barrier/event.c). */
#include "core/barrier/event.h"
#include "core/barrier/event_order.h"
#include "core/hooks.h"
#include "core/submit/walk.h"

#include "objects/device.h"
#include "report/finding/finding.h"
#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/submit/queue.h"

#include <inttypes.h>

/* The state of the walk through all batches of one submission. */
struct event_check {
    struct call *call;
    struct submit_events *events;
    /* the primary whose commands execute the command buffer; NULL: the command buffer itself is
     * submitted */
    const struct command_buffer *primary;
    uint32_t queue; /* queue::number */
    bool version2;  /* vkQueueSubmit2 */
    /* command_buffer::orders of all command buffers before this one, in its batch or in
     * `primary` */
    uint32_t orders;
    struct location where; /* the place of the command buffer in the call */
    VkCommandBuffer handle;
};

/* Begins to follow an event, with the status in which the command buffer finds it. */
static void begin_following(const struct event_check *c, struct followed_event *followed)
{
    const struct event *event = event_by_id(followed->event);
    if (!event)
        return;
    if (c->primary) {
        const struct event_record *record = command_buffer_event(c->primary, event);
        if (record) {
            followed->status = record->status;
            followed->wait = record->wait;
        }
        return;
    }
    followed->status = event_left(event, c->queue);
    followed->other_queue = event_set_by_queue(event);
    if (followed->other_queue == c->queue || !c->queue)
        followed->other_queue = 0;
}

/* The entry of an event that the walk follows, which it adds if necessary. NULL: the walk follows
 * too many events. */
static struct followed_event *event_follow(struct event_check *c, uint64_t id)
{
    assert(c->events->count <= FOLLOWED_MOST);
    struct submit_events *events = c->events;
    for (uint32_t i = 0; i < events->count; i++) {
        if (events->followed[i].event == id)
            return &events->followed[i];
    }
    if (events->count == FOLLOWED_MOST)
        return NULL;
    struct followed_event *followed = &events->followed[events->count++];
    *followed = (struct followed_event){.event = id};
    begin_following(c, followed);
    return followed;
}

/* Reports a wait for an event, which may have been destroyed since. */
static COLD bool event_report(const struct event_check *c, enum vuid vuid,
                              const struct event_operation *wait, const char *text)
{
    assert(wait && text);
    const struct event *event = event_by_id(wait->event);
    uint64_t handle = event ? object_state_handle(&event->base) : 0;
    return BROKEN_BY(c->call, vuid, &c->where,
                     OBJECT2(HANDLE_COMMAND_BUFFER, c->handle, HANDLE_EVENT, handle),
                     "waits for VkEvent 0x%" PRIx64 " with %s: %s", handle,
                     wait->action == EVENT_WAITS_1 ? "vkCmdWaitEvents" : "vkCmdWaitEvents2", text);
}

/* The host may not set an event that a pending command buffer waits for (09543), but it is able to.
 * So such a wait need not last forever. */
static COLD bool report_endless(struct event_check *c, const struct event_operation *wait)
{
    enum vuid vuid = wait->action == EVENT_WAITS_1 ? VUID_vkCmdWaitEvents_srcStageMask_01158
                     : wait->host && !wait->device ? VUID_vkCmdWaitEvents2_pEvents_03840
                                                   : VUID_vkCmdWaitEvents2_pEvents_03841;
    if (c->primary)
        return !wait->judged &&
               event_report(c, vuid, wait,
                            "it is reset by an earlier command, and no command between sets it: "
                            "the queue would wait forever");
    c->events->refused |= !wait->host;
    return event_report(c, vuid, wait,
                        wait->host
                            ? "it is not signaled, no command before sets it, and the host must "
                              "set it before the submission"
                            : "it is not signaled, and no command before sets it; the queue would "
                              "wait forever, and the submission is not done");
}

/* Events must not be used to insert a dependency between commands submitted to different queues.
 * (7.5 "Events") */
static bool check_queue(struct event_check *c, const struct followed_event *followed,
                        const struct event_operation *wait)
{
    return unlikely(followed->other_queue) &&
           event_report(c, UNASSIGNED_SubmitValidation_WaitEvents_WrongQueue, wait,
                        "it was set by a command that was submitted to another queue, and events "
                        "order nothing between queues");
}

/* Checks a wait of vkCmdWaitEvents2 by the status that the event has at that place of the
 * submission. It does not repeat what was reported during recording. */
static bool check_wait2(struct event_check *c, const struct event_operation *wait)
{
    const struct followed_event *followed = event_follow(c, wait->event);
    const struct event_status *status = followed ? &followed->status : NULL;
    const char *text;
    if (followed && unlikely(check_queue(c, followed, wait)))
        return true;
    if (!status || status->signal == EVENT_UNKNOWN)
        return false;
    if (unlikely(status->signal == EVENT_UNSIGNALED))
        return report_endless(c, wait);
    enum rule rule = event_wait2_breaks(status, wait, &text);
    if (likely(rule == RULE_NONE) || (wait->judged && (c->primary || rule != RULE_03839)))
        return false;
    return event_report(c, rule_vuid(COMMAND_CmdWaitEvents2, rule), wait, text);
}

/* Checks the events of one vkCmdWaitEvents together. `i`: the index of the first one's operation in
 * the command buffer. */
static bool check_wait1(struct event_check *c, const struct command_buffer *command_buffer,
                        uint32_t i)
{
    struct event_union all = {0};
    const struct event_operation *first = command_buffer_event_operation(command_buffer, i),
                                 *wait = first;
    bool known = true, judged = true, skip = false;
    for (uint32_t left = first->remaining; left && wait;
         left--, wait = command_buffer_event_operation(command_buffer, ++i)) {
        const struct followed_event *followed =
            wait->remaining == left ? event_follow(c, wait->event) : NULL;
        const struct event_status *status = followed ? &followed->status : NULL;
        if (followed)
            skip |= check_queue(c, followed, wait);
        known &= status && event_union_add(&all, status);
        judged &= wait->judged;
        if (status && unlikely(status->signal == EVENT_UNSIGNALED))
            skip |= report_endless(c, wait);
        else if (status && unlikely(status->signal == EVENT_SET_2) && !wait->judged)
            skip |=
                event_report(c, VUID_vkCmdWaitEvents_pEvents_03847, wait,
                             "it is set by vkCmdSetEvent2, for which vkCmdWaitEvents2 must wait");
    }
    if (likely(!known || judged || !event_union_differs(&all, (VkPipelineStageFlags)first->stages)))
        return skip;
    const struct event *event = event_by_id(first->event);
    return skip | BROKEN_BY(c->call, VUID_vkCmdWaitEvents_srcStageMask_01158, &c->where,
                            OBJECT2(HANDLE_COMMAND_BUFFER, c->handle, HANDLE_EVENT,
                                    event ? object_state_handle(&event->base) : 0),
                            "waits with vkCmdWaitEvents after %s, but the events are set after %s",
                            value_text(VALUES_VkPipelineStageFlags, first->stages).text,
                            value_text(VALUES_VkPipelineStageFlags, all.least).text);
}

/* Checks a reset as check_reset() in core/barrier/event.c does, but across command buffers. */
static bool check_reset_order(const struct event_check *c, const struct followed_event *followed,
                              const struct event_operation *reset)
{
    const bool version2 = reset->action == EVENT_RESETS_2;
    const enum rule rule =
        event_reset_breaks(&followed->wait, c->orders + reset->orders, reset->stages, version2);
    if (likely(rule == RULE_NONE) || reset->judged)
        return false;
    const struct event *event = event_by_id(reset->event);
    uint64_t handle = event ? object_state_handle(&event->base) : 0;
    return BROKEN_BY(c->call,
                     rule_vuid(version2 ? COMMAND_CmdResetEvent2 : COMMAND_CmdResetEvent, rule),
                     &c->where, OBJECT2(HANDLE_COMMAND_BUFFER, c->handle, HANDLE_EVENT, handle),
                     "resets VkEvent 0x%" PRIx64
                     " (%s), which may come before the wait for it by %s of an "
                     "earlier command buffer: %s",
                     handle, version2 ? "vkCmdResetEvent2" : "vkCmdResetEvent",
                     followed->wait.version2 ? "vkCmdWaitEvents2" : "vkCmdWaitEvents",
                     event_reset_text);
}

/* An event must not be referenced by a command that has been submitted to another queue and is
 * still in the pending state. Waits for events that another queue has set are reported before. */
static bool check_other_queue(const struct event_check *c, const struct event_operation *operation,
                              bool version2)
{
    const struct event *event = event_by_id(operation->event);
    const struct queue *queue = event ? object_in_use(c->call->device, &event->base) : NULL;
    if (likely(!queue || !c->queue || queue->number == c->queue))
        return false;
    const uint64_t handle = object_state_handle(&event->base);
    return BROKEN_BY(c->call, version2 ? RULE_03867 : RULE_00065, &c->where,
                     OBJECT2(HANDLE_COMMAND_BUFFER, c->handle, HANDLE_EVENT, handle),
                     "references VkEvent 0x%" PRIx64
                     ", which work that was submitted to another queue, and is not known to be "
                     "done, references too",
                     handle);
}

/* Applies an operation to the status of its event, so that later operations see that. False: the
 * walk follows too many events. */
static bool follow_operation(struct event_check *c, const struct event_operation *operation,
                             bool *skip)
{
    struct followed_event *followed = event_follow(c, operation->event);
    if (!followed)
        return false;
    if (event_resets(operation->action))
        *skip |= check_reset_order(c, followed, operation);
    if (operation->action != EVENT_WAITS_1 && operation->action != EVENT_WAITS_2)
        followed->other_queue = 0;
    event_status_apply(&followed->status, operation);
    event_wait_apply(&followed->wait, operation, c->orders);
    return true;
}

/* Checks the operations of one command buffer. False: nothing more of the call can be judged. */
static bool submit_events_check_command_buffer(struct event_check *c,
                                               const struct command_buffer *command_buffer,
                                               bool *skip)
{
    assert(command_buffer->events);
    const struct event_operation *operation;
    /* operations with lower indices belong to a vkCmdWaitEvents that was already checked as a
     * whole */
    uint32_t judged = 0;
    if (command_buffer_events_overflow(command_buffer))
        return false;
    for (uint32_t i = 0; (operation = command_buffer_event_operation(command_buffer, i)) != NULL;
         i++) {
        if (operation->action == EVENT_WAITS_1 && i >= judged) {
            *skip |= check_wait1(c, command_buffer, i);
            judged = i + operation->remaining;
        } else if (operation->action == EVENT_WAITS_2) {
            *skip |= check_wait2(c, operation);
        }
        if (!c->primary && !*skip)
            *skip |= check_other_queue(c, operation, c->version2);
        if (!follow_operation(c, operation, skip))
            return false;
    }
    return true;
}

/* Checks the waits of a batch in order. False: a command buffer could not be followed, so that
 * nothing after it can be judged. */
static bool check_batch(struct event_check *c, const struct batch *batch,
                        const struct location *parent, bool *skip)
{
    for (uint32_t i = 0; i < batch->command_buffer_count; i++) {
        c->handle = batch_command_buffer(batch, i);
        c->where = LOCATION_INDEX(parent, batch_command_buffers_name(batch), i);
        const struct command_buffer *command_buffer = find_command_buffer(c->handle);
        if (command_buffer && command_buffer->events &&
            !submit_events_check_command_buffer(c, command_buffer, skip))
            return false;
        if (command_buffer)
            c->orders += command_buffer->orders;
    }
    return true;
}

/* A secondary may wait for events that its primary, or an earlier secondary, has set or reset. */
bool core_validate_CmdExecuteCommands_events(struct call *call, VkCommandBuffer commandBuffer,
                                             uint32_t commandBufferCount,
                                             const VkCommandBuffer *pCommandBuffers)
{
    struct event_check c = {.call = call, .primary = call_command_buffer(call)};
    struct scratch *scratch = &thread_self()->scratch;
    const struct scratch_mark mark = scratch_mark(scratch);
    bool skip = false, known = c.primary && !command_buffer_events_overflow(c.primary);
    if (c.primary)
        c.orders = c.primary->orders;
    for (uint32_t i = 0; known && i < commandBufferCount; i++) {
        const struct command_buffer *secondary = find_command_buffer(pCommandBuffers[i]);
        if (likely(!secondary || !secondary->events || secondary == c.primary)) {
            c.orders += secondary ? secondary->orders : 0;
            continue;
        }
        if (!c.events) {
            c.events = scratch_alloc(scratch, sizeof(*c.events));
            if (!c.events)
                break;
            c.events->count = 0;
        }
        c.handle = pCommandBuffers[i];
        c.where = LOCATION_INDEX(NULL, "pCommandBuffers", i);
        known = submit_events_check_command_buffer(&c, secondary, &skip);
        c.orders += secondary->orders;
    }
    scratch_rewind(scratch, mark);
    return skip;
}

bool submit_check_events(struct submit *submit, const struct submit_batch *batch)
{
    struct submit_events *events = &submit->events;
    struct event_check c = {
        .call = submit->call, .events = events, .version2 = submit->is_version2};
    bool skip = false;
    c.queue = submit->queue ? submit->queue->number : 0;
    if (submit_asks_first(submit, CONTENTS_EVENTS)) {
        /* Nothing is judged after an allocation of the layer has failed: a command buffer that was
         * not followed may have set any event. */
        events->judges = c.queue && !mem_failures() && !device_is_lost(submit->call->device);
        events->refused = false;
        events->count = 0;
    }
    /* This batch may wait for a semaphore, so its resets are not compared with waits of earlier
     * batches. */
    for (uint32_t i = 0; i < events->count; i++)
        events->followed[i].wait.waited = false;
    events->judges = events->judges && check_batch(&c, &batch->batch, &batch->where, &skip);
    return skip | events->refused;
}
