/* Finds a set or reset of an event that may run too early: before an earlier recorded command that
 * uses the same event. The race is reported if no command between these two orders anything, and
 * the later one does not wait for all commands. The specification does not say which stages of a
 * barrier order an event operation, so any barrier prevents a report. */
#include "sync/record/event_races.h"

#include "report/finding/finding.h"
#include "report/finding/rule.h"
#include "state/command/event.h"
#include "sync/access/areas.h"
#include "sync/record/events.h"
#include "sync/hooks.h"

/* Counts the commands that have ordered something. These began all new epochs except those of sets
 * of events, which order nothing by themselves. */
static uint32_t orders_so_far(const struct sync_command_buffer *sync)
{
    return sync->epoch - sync->event_sets;
}

/* Finds the last use of the event by this command buffer; NULL: no use is known. */
static struct event_use *find_use(const struct sync_command_buffer *sync, uint64_t event)
{
    uint32_t kept =
        sync->event_use_count < EVENT_USES_KEPT ? sync->event_use_count : EVENT_USES_KEPT;
    for (uint32_t i = 0; i < kept; i++) {
        if (sync->event_uses[i].event == event)
            return &sync->event_uses[i];
    }
    return NULL;
}

void event_note_use(struct recording *recording, uint64_t event, enum event_use_kind kind,
                    sync_stage_mask after)
{
    struct sync_command_buffer *sync = recording->sync;
    if (!sync->event_uses)
        sync->event_uses = mem_alloc(EVENT_USES_KEPT * sizeof(*sync->event_uses));
    if (!sync->event_uses)
        return;
    struct event_use *use = find_use(sync, event);
    if (!use)
        use = &sync->event_uses[sync->event_use_count++ % EVENT_USES_KEPT];
    *use = (struct event_use){.event = event,
                              .kind = kind,
                              .command = recording->call->command,
                              .command_index = recording->command_index,
                              .orders = orders_so_far(sync),
                              .after = after};
}

/* Returns the statement that a set breaks after this use of the event. */
static enum vuid fault_of_set(enum event_use_kind earlier, bool version2)
{
    static const enum vuid faults[][2] = {
        [EVENT_USE_SET] = {SYNC_vkCmdSetEvent_set_race, SYNC_vkCmdSetEvent2_set_race},
        [EVENT_USE_RESET] = {SYNC_vkCmdSetEvent_reset_race, SYNC_vkCmdSetEvent2_reset_race},
        [EVENT_USE_WAIT] = {SYNC_vkCmdSetEvent_wait, SYNC_vkCmdSetEvent2_wait},
    };
    return faults[earlier][version2];
}

/* Returns the statement that a reset breaks. Core judges a reset after a wait
 * (core/barrier/event_order.h). */
static enum vuid fault_of_reset(enum event_use_kind earlier)
{
    return earlier == EVENT_USE_SET ? SYNC_vkCmdResetEvent_set_race : VUID_COUNT;
}

/* True if the two commands are, or may be, ordered: then nothing is reported. */
static bool is_ordered(const struct sync_command_buffer *sync, const struct event_use *use,
                       const struct sync_barrier *scopes, uint32_t count)
{
    bool waited = use->kind == EVENT_USE_WAIT;
    if (use->orders != orders_so_far(sync))
        return true;
    for (uint32_t i = 0; i < count; i++) {
        /* the wait's second scope is in the reset's first scope: a dependency chain */
        if (scopes[i].everything || (waited && use->after & scopes[i].src.stages))
            return true;
    }
    return false;
}

/* Reports a set or reset that may come before the earlier command on the event. `sets`: this
 * command sets the event. */
static COLD bool event_races_report(struct call *call, VkEvent handle,
                                    const struct event_use *earlier, bool sets)
{
    static const char *const done[] = {
        [EVENT_USE_SET] = "set",
        [EVENT_USE_RESET] = "reset",
        [EVENT_USE_WAIT] = "waited for",
    };
    enum command root = command_root[call->command];
    enum vuid fault = sets ? fault_of_set(earlier->kind, root == COMMAND_CmdSetEvent2)
                           : fault_of_reset(earlier->kind);
    if (fault == VUID_COUNT)
        return false;
    return BROKEN_BY(call, fault, &LOCATION(NULL, "event"), OBJECT(HANDLE_EVENT, handle),
                     "may be %s before it is %s by %s (command %u): nothing that was recorded "
                     "between the two orders them, and this command does not wait for "
                     "VK_PIPELINE_STAGE_ALL_COMMANDS_BIT",
                     sets ? "set" : "reset", done[earlier->kind], command_name[earlier->command],
                     earlier->command_index);
}

/* Looks for a race with the last use of the event in this command buffer. `scopes`: the scopes of
 * the commands that the call waits for. Returns true if the call is to be skipped. */
static bool event_races_check(struct call *call, VkEvent handle, const struct sync_barrier *scopes,
                              uint32_t count, bool sets)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct sync_command_buffer *sync =
        command_buffer ? sync_in_command_buffer(command_buffer)->sync : NULL;
    const struct event *event = find_event(call, handle);
    if (!sync || !event || !recording_take(sync))
        return false;
    const struct event_use *use = find_use(sync, object_state_id(&event->base));
    const struct event_use earlier = use ? *use : (struct event_use){0};
    bool races = use && !is_ordered(sync, use, scopes, count);
    recording_give(sync);
    return unlikely(races) && event_races_report(call, handle, &earlier, sets);
}

/* Checks a command that has one mask of stages. */
static bool event_races_check_stages(struct call *call, VkEvent event, VkPipelineStageFlags2 stages,
                                     bool sets)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer || !sync_in_command_buffer(command_buffer)->sync)
        return false;
    const struct sync_barrier scope =
        sync_event_scope(stages, &sync_in_command_buffer(command_buffer)->sync->queue);
    return event_races_check(call, event, &scope, 1, sets);
}

bool sync_validate_CmdSetEvent(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                               VkPipelineStageFlags stageMask)
{
    return event_races_check_stages(call, event, stageMask, true);
}

bool sync_validate_CmdSetEvent2(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                                const VkDependencyInfo *pDependencyInfo)
{
    struct sync_barrier scopes[SYNC_EVENT_SCOPES + 1];
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer || !sync_in_command_buffer(command_buffer)->sync)
        return false;
    uint32_t count =
        sync_event_scopes(pDependencyInfo, &sync_in_command_buffer(command_buffer)->sync->queue,
                          scopes, SYNC_EVENT_SCOPES + 1);
    return event_races_check(call, event, scopes, count, true);
}

bool sync_validate_CmdResetEvent(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                                 VkPipelineStageFlags stageMask)
{
    return event_races_check_stages(call, event, stageMask, false);
}

bool sync_validate_CmdResetEvent2(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                                  VkPipelineStageFlags2 stageMask)
{
    return event_races_check_stages(call, event, stageMask, false);
}
