/* Checks that submitted command buffers wait for events that something has set, and in the way that
 * they were set (7.5). What a command buffer knows by itself is reported when it is recorded
 * (core/barrier/event.c). */
#include "core/barrier/event.h"
#include "core/hooks.h"
#include "core/submit/walk.h"

#include "objects/device.h"
#include "report/finding/finding.h"
#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/submit/queue.h"

#include <inttypes.h>

struct event_check {
    struct call *call;
    struct submit_events *events;
    uint32_t queue;        /* its number */
    struct location where; /* the command buffer */
    VkCommandBuffer handle;
};

/* NULL where there are too many. */
static struct event_status *event_follow(struct event_check *c, uint64_t id)
{
    assert(c->events->count <= FOLLOWED_MOST);
    struct submit_events *events = c->events;
    for (uint32_t i = 0; i < events->count; i++) {
        if (events->followed[i].event == id)
            return &events->followed[i].status;
    }
    if (events->count == FOLLOWED_MOST)
        return NULL;
    const struct event *event = event_by_id(id);
    events->followed[events->count].event = id;
    events->followed[events->count].status =
        event ? event_left(event, c->queue) : (struct event_status){0};
    return &events->followed[events->count++].status;
}

/* Reports a wait for an event. The event may be gone by now. */
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

/* The host may not set an event that a pending command buffer waits for (09543), but it can: such a
 * wait need not last. */
static COLD bool report_endless(struct event_check *c, const struct event_operation *wait)
{
    enum vuid vuid = wait->action == EVENT_WAITS_1 ? VUID_vkCmdWaitEvents_srcStageMask_01158
                     : wait->host && !wait->device ? VUID_vkCmdWaitEvents2_pEvents_03840
                                                   : VUID_vkCmdWaitEvents2_pEvents_03841;
    c->events->refused |= !wait->host;
    return event_report(c, vuid, wait,
                        wait->host
                            ? "it is not signaled, no command before sets it, and the host must "
                              "set it before the submission"
                            : "it is not signaled, and no command before sets it; the queue would "
                              "wait forever, and the submission is not done");
}

/* Checks a wait of vkCmdWaitEvents2 by the event's status at that place of the submission. What
 * recording has judged is not said again. */
static bool check_wait2(struct event_check *c, const struct event_operation *wait)
{
    const struct event_status *status = event_follow(c, wait->event);
    const char *text;
    if (!status || status->signal == EVENT_UNKNOWN)
        return false;
    if (unlikely(status->signal == EVENT_UNSIGNALED))
        return report_endless(c, wait);
    enum rule rule = event_wait2_breaks(status, wait, &text);
    if (likely(rule == RULE_NONE) || (wait->judged && rule != RULE_03839))
        return false;
    return event_report(c, rule_vuid(COMMAND_CmdWaitEvents2, rule), wait, text);
}

/* The events of one vkCmdWaitEvents, of which `i` is the first one's number. */
static bool check_wait1(struct event_check *c, const struct command_buffer *command_buffer,
                        uint32_t i)
{
    struct event_union all = {0};
    const struct event_operation *first = command_buffer_event_operation(command_buffer, i),
                                 *wait = first;
    bool known = true, judged = true, skip = false;
    for (uint32_t left = first->remaining; left && wait;
         left--, wait = command_buffer_event_operation(command_buffer, ++i)) {
        const struct event_status *status =
            wait->remaining == left ? event_follow(c, wait->event) : NULL;
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

/* False when nothing more of the call can be judged. */
static bool submit_events_check_command_buffer(struct event_check *c,
                                               const struct command_buffer *command_buffer,
                                               bool *skip)
{
    assert(command_buffer->events);
    const struct event_operation *operation;
    if (command_buffer_events_overflow(command_buffer))
        return false;
    for (uint32_t i = 0; (operation = command_buffer_event_operation(command_buffer, i)) != NULL;
         i++) {
        struct event_status *status;
        switch (operation->action) {
        case EVENT_WAITS_1:
            *skip |= check_wait1(c, command_buffer, i);
            i += operation->remaining - 1;
            break;
        case EVENT_WAITS_2:
            *skip |= check_wait2(c, operation);
            break;
        default:
            status = event_follow(c, operation->event);
            if (!status)
                return false;
            event_status_apply(status, operation);
            break;
        }
    }
    return true;
}

/* Checks the waits of a batch in order. False: a command buffer is not followed further, and
 * nothing after it is known. */
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
    }
    return true;
}

bool submit_check_events(struct submit *submit, const struct submit_batch *batch)
{
    struct submit_events *events = &submit->events;
    struct event_check c = {.call = submit->call, .events = events};
    bool skip = false;
    c.queue = submit->queue ? submit->queue->number : 0;
    if (submit_asks_first(submit, CONTENTS_EVENTS)) {
        /* Where memory was out nothing is known of some command buffer, which may have set any
         * event. */
        events->judges = c.queue && !mem_failures() && !device_is_lost(submit->call->device);
        events->refused = false;
        events->count = 0;
    }
    events->judges = events->judges && check_batch(&c, &batch->batch, &batch->where, &skip);
    return skip | events->refused;
}
