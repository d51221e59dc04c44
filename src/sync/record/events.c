/* Records what events order (7.5 "Events"). The command that sets the event gives the first scope,
 * and the wait gives the second scope. In version 2, each event has a dependency of its own. Sets
 * by the host or another command buffer are not known here. A wait for such a set orders no
 * commands of this command buffer, as the set cannot come after them and before the wait. */
#include "sync/access/areas.h"
#include "sync/record/barriers.h"
#include "sync/record/event_races.h"
#include "sync/record/events.h"
#include "sync/hooks.h"

#include "state/command/event.h"

/* Returns the recording of the call's command buffer; NULL: it is not followed. */
static const struct sync_command_buffer *recorded_sync(const struct call *call)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    return command_buffer ? sync_in_command_buffer(command_buffer)->sync : NULL;
}

/* Records that an event is set, with its first scopes. */
static void events_set(struct call *call, VkEvent handle, const struct sync_barrier *scopes,
                       uint32_t count)
{
    struct recording recording;
    const struct event *event = find_event(call, handle);
    if (!event || !recording_begin(&recording, call))
        return;
    struct sync_command_buffer *sync = recording.sync;
    uint64_t tag = recording_tag(&recording, 0, NULL);
    if (tag)
        sync_context_set_event(&sync->context, object_state_id(&event->base), scopes, count, tag);
    sync->epoch++;
    sync->event_sets++;
    event_note_use(&recording, object_state_id(&event->base), EVENT_USE_SET, 0);
    recording_end(&recording);
}

/* Notes a reset, for races. It changes nothing in the context, where the next set gives the first
 * scope. */
static void reset_event(struct call *call, VkEvent handle)
{
    struct recording recording;
    const struct event *event = find_event(call, handle);
    if (!event || !recording_begin(&recording, call))
        return;
    event_note_use(&recording, object_state_id(&event->base), EVENT_USE_RESET, 0);
    recording_end(&recording);
}

void sync_after_CmdResetEvent(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                              VkPipelineStageFlags stageMask)
{
    reset_event(call, event);
}

void sync_after_CmdResetEvent2(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                               VkPipelineStageFlags2 stageMask)
{
    reset_event(call, event);
}

void sync_after_CmdSetEvent(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                            VkPipelineStageFlags stageMask)
{
    const struct sync_command_buffer *sync = recorded_sync(call);
    struct sync_barrier scope;
    if (!sync)
        return;
    scope = sync_event_scope(stageMask, &sync->queue);
    events_set(call, event, &scope, 1);
}

/* --- version 2: each barrier has a first scope of its own --- */

void sync_after_CmdSetEvent2(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                             const VkDependencyInfo *pDependencyInfo)
{
    struct sync_barrier scopes[SYNC_EVENT_SCOPES + 1]; /* one more than are kept apart */
    const struct sync_command_buffer *sync = recorded_sync(call);
    if (!sync)
        return;
    uint32_t count =
        sync_event_scopes(pDependencyInfo, &sync->queue, scopes, SYNC_EVENT_SCOPES + 1);
    events_set(call, event, scopes, count);
}

/* Returns the stages in the second scopes of all the wait's barriers. */
static sync_stage_mask stages_after(const struct barrier_list *list)
{
    sync_stage_mask stages = 0;
    for (uint32_t i = 0; i < list->barriers.barrier_count; i++)
        stages |= list->recording->sync->barriers[i].dst.stages;
    return stages;
}

/* Notes the waits once the call has gone down: later commands may race with them. An event with id
 * 0 is unknown. */
static void note_waits(struct recording *recording, const uint64_t *events, uint32_t count,
                       sync_stage_mask after)
{
    if (!recording_take(recording->sync))
        return;
    for (uint32_t i = 0; i < count; i++) {
        if (events[i])
            event_note_use(recording, events[i], EVENT_USE_WAIT, after);
    }
    recording_give(recording->sync);
}

/* Records a wait for events with the barriers of the list. Returns true if the call is to be
 * skipped. */
static bool end_wait(struct barrier_list *list, uint32_t count, const VkEvent *handles)
{
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    uint64_t *events = scratch_alloc(scratch, count * sizeof(*events));
    bool known = false;
    struct access_source source = {.role = ROLE_BARRIER};
    struct sync_command_buffer *sync = list->recording->sync;
    list->out_of_memory |= !events;
    for (uint32_t i = 0; events && i < count; i++) {
        const struct event *event = find_event(list->recording->call, handles[i]);
        /* barriers name events by their indices, so an unknown event keeps its place */
        events[i] = event ? object_state_id(&event->base) : 0;
        known |= event != NULL;
    }
    if ((known || !events) && barrier_list_end(list, list->resource, &source))
        sync_context_wait_events(&sync->context, events, count, &list->barriers);
    sync_stage_mask after = stages_after(list);
    bool skip = recording_finish_order(list->recording, NULL);
    if (!skip && events)
        note_waits(list->recording, events, count, after);
    scratch_rewind(scratch, mark);
    return skip;
}

bool sync_validate_CmdWaitEvents(struct call *call, VkCommandBuffer commandBuffer,
                                 uint32_t eventCount, const VkEvent *pEvents,
                                 VkPipelineStageFlags srcStageMask,
                                 VkPipelineStageFlags dstStageMask, uint32_t memoryBarrierCount,
                                 const VkMemoryBarrier *pMemoryBarriers,
                                 uint32_t bufferMemoryBarrierCount,
                                 const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                 uint32_t imageMemoryBarrierCount,
                                 const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    struct recording recording;
    struct barrier_list list;
    if (!recording_begin_order(&recording, call))
        return false;
    barrier_list_begin(&list, &recording);
    barrier_list_add(&list, srcStageMask, dstStageMask, memoryBarrierCount, pMemoryBarriers,
                     bufferMemoryBarrierCount, pBufferMemoryBarriers, imageMemoryBarrierCount,
                     pImageMemoryBarriers);
    return end_wait(&list, eventCount, pEvents);
}

bool sync_validate_CmdWaitEvents2(struct call *call, VkCommandBuffer commandBuffer,
                                  uint32_t eventCount, const VkEvent *pEvents,
                                  const VkDependencyInfo *pDependencyInfos)
{
    struct recording recording;
    struct barrier_list list;
    if (!recording_begin_order(&recording, call))
        return false;
    barrier_list_begin(&list, &recording);
    for (uint32_t i = 0; i < eventCount; i++) {
        list.event = i + 1;
        barrier_list_add2_global(&list, &pDependencyInfos[i]);
    }
    for (uint32_t i = 0; i < eventCount; i++) {
        list.event = i + 1;
        barrier_list_add2_ranges(&list, &pDependencyInfos[i]);
    }
    return end_wait(&list, eventCount, pEvents);
}
