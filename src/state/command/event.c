/* Tracks how calls change events. */
#include "state/command/event.h"
#include "state/hooks.h"
#include "state/object/object_lines.h"
#include "base/plain_atomic.h"

#include <string.h>

/* The events of a command buffer, which owns this and keeps it over resets. Command buffers use few
 * events, so the list is searched linearly. */
struct command_buffer_events {
    struct event_record *records; /* owned */
    uint32_t count, capacity;
    struct event_operation *operations; /* owned; in order of recording */
    uint32_t operation_count, operation_capacity;
    bool overflow; /* some operations were not noted */
};
/* The most events of a command buffer that are tracked. With more, nothing is reported about its
 * events. */
#define EVENTS_MOST 256
/* The most operations that a command buffer keeps. */
#define OPERATIONS_MOST 4096

const struct event_record *command_buffer_event(const struct command_buffer *command_buffer,
                                                const struct event *event)
{
    assert(command_buffer && event);
    const struct command_buffer_events *events = command_buffer->events;
    uint64_t id = object_state_id(&event->base);
    for (uint32_t i = 0; events && i < events->count; i++) {
        if (events->records[i].event == id)
            return &events->records[i];
    }
    return NULL;
}

const struct event_record *command_buffer_event_at(const struct command_buffer *command_buffer,
                                                   uint32_t i)
{
    const struct command_buffer_events *events = command_buffer->events;
    return events && i < events->count ? &events->records[i] : NULL;
}

const struct event_operation *
command_buffer_event_operation(const struct command_buffer *command_buffer, uint32_t i)
{
    const struct command_buffer_events *events = command_buffer->events;
    return events && i < events->operation_count ? &events->operations[i] : NULL;
}

bool command_buffer_events_overflow(const struct command_buffer *command_buffer)
{
    return command_buffer->events && command_buffer->events->overflow;
}

/* Finds or adds the record of an event. NULL: out of memory, or there are too many. */
static struct event_record *make_record(struct command_buffer *command_buffer,
                                        const struct event *event)
{
    struct event_record *record =
        (struct event_record *)command_buffer_event(command_buffer, event);
    if (record)
        return record;
    struct command_buffer_events *events = command_buffer->events;
    if (!events)
        events = mem_make(&command_buffer->events, NULL, sizeof(*events));
    if (!events)
        return NULL;
    /* Arrays that are replaced are retired, as other threads may be reading them. */
    const uint32_t at = events->count;
    if (at >= EVENTS_MOST || (at >= plain_load_acquire(&events->capacity) &&
                              !mem_grow(&events->records, &events->capacity, at,
                                        at < 8 ? 8 : at * 2, sizeof(*events->records)))) {
        events->overflow = true;
        return NULL;
    }
    record = &events->records[at];
    events->count = at + 1;
    *record = (struct event_record){.event = object_state_id(&event->base)};
    return record;
}

/* Adds an operation to the command buffer. If there are too many, it notes that some are
 * missing. */
static void add_operation(struct command_buffer *command_buffer, struct event_record *record,
                          const struct event_operation *operation)
{
    assert(command_buffer->events && record && operation);
    struct command_buffer_events *events = command_buffer->events;
    const uint32_t at = events->operation_count;
    /* The record is right even if the list overflows, as later commands use it. */
    event_status_apply(&record->status, operation);
    event_wait_apply(&record->wait, operation, 0);
    if (at >= OPERATIONS_MOST || (at >= plain_load_acquire(&events->operation_capacity) &&
                                  !mem_grow(&events->operations, &events->operation_capacity, at,
                                            /* The list is full, or memory ran out: the submission
                                             * then makes the events' status unknown. */
                                            at < 16 ? 16 : at * 2, sizeof(*events->operations)))) {
        events->overflow = true;
        return;
    }
    events->operations[at] = *operation;
    events->operation_count = at + 1;
}

void command_buffer_reset_events(struct command_buffer *command_buffer)
{
    if (!command_buffer->events)
        return;
    command_buffer->events->count = 0;
    command_buffer->events->operation_count = 0;
    command_buffer->events->overflow = false;
}

/* --- what an event is in --- */

void event_status_apply(struct event_status *status, const struct event_operation *operation)
{
    assert(status && operation);
    switch (operation->action) {
    case EVENT_RESETS_1:
    case EVENT_RESETS_2:
        *status =
            (struct event_status){.signal = EVENT_UNSIGNALED, .all_stages = status->all_stages};
        return;
    case EVENT_SETS_1:
    case EVENT_SETS_2:
        break;
    case EVENT_WAITS_1:
    case EVENT_WAITS_2:
        return;
    }
    const enum event_signal signal = operation->action == EVENT_SETS_1 ? EVENT_SET_1 : EVENT_SET_2;
    if (operation->action == EVENT_SETS_1)
        status->all_stages |= (VkPipelineStageFlags)operation->stages;
    if (status->signal == EVENT_UNSIGNALED) {
        status->signal = signal;
        status->stages = operation->stages;
        status->dependency = operation->dependency;
        status->asymmetric = operation->asymmetric;
    } else if (status->signal == signal) {
        status->again = true;
        status->stages &= operation->stages;
    } else {
        status->signal = EVENT_UNKNOWN; /* set in two ways */
    }
}

void event_wait_apply(struct event_wait *wait, const struct event_operation *operation,
                      uint32_t orders)
{
    assert(wait && operation);
    const bool waits = operation->action == EVENT_WAITS_1 || operation->action == EVENT_WAITS_2;
    *wait = waits ? (struct event_wait){.waited = true,
                                        .version2 = operation->action == EVENT_WAITS_2,
                                        .command = operation->command,
                                        .orders = orders + operation->orders,
                                        .after = operation->after}
                  : (struct event_wait){0};
}

/* Further bits of event::left, in addition to the signal. */
#define LEFT_AGAIN      0x100u
#define LEFT_ASYMMETRIC 0x200u

struct event_status event_left(const struct event *event, uint32_t queue)
{
    assert(event);
    uint64_t left = atomic_load_explicit(&event->left, memory_order_relaxed);
    uint32_t other = atomic_load_explicit(&event->left_queue, memory_order_relaxed);
    struct event_status status = {
        .signal = (enum event_signal)(left & 0xff),
        .again = (left & LEFT_AGAIN) != 0,
        .asymmetric = (left & LEFT_ASYMMETRIC) != 0,
        .stages = atomic_load_explicit(&event->left_stages, memory_order_relaxed),
        .all_stages = atomic_load_explicit(&event->left_all_stages, memory_order_relaxed),
        .dependency = atomic_load_explicit(&event->left_dependency, memory_order_relaxed),
    };
    /* The execution order of different queues is not known. */
    if (!queue || (other && other != queue))
        status.signal = EVENT_UNKNOWN;
    return status;
}

uint32_t event_set_by_queue(const struct event *event)
{
    assert(event);
    const uint64_t left = atomic_load_explicit(&event->left, memory_order_relaxed);
    const uint32_t queue = atomic_load_explicit(&event->left_queue, memory_order_relaxed);
    const enum event_signal signal = (enum event_signal)(left & 0xff);
    return queue != UINT32_MAX && (signal == EVENT_SET_1 || signal == EVENT_SET_2) ? queue : 0;
}

/* Notes the status in which a submission leaves the event. `left` is written last, as it shows that
 * the other words are valid. */
static void event_leave(struct event *event, const struct event_status *status)
{
    assert(event && status);
    uint64_t left = (uint64_t)status->signal | (status->again ? LEFT_AGAIN : 0) |
                    (status->asymmetric ? LEFT_ASYMMETRIC : 0);
    atomic_store_explicit(&event->left_stages, status->stages, memory_order_relaxed);
    atomic_store_explicit(&event->left_all_stages, status->all_stages, memory_order_relaxed);
    atomic_store_explicit(&event->left_dependency, status->dependency, memory_order_relaxed);
    atomic_store_explicit(&event->left, left, memory_order_relaxed);
}

/* Notes that the event's status is not known after the submission. */
static void leave_unknown(struct event *event)
{
    atomic_store_explicit(&event->left, EVENT_UNKNOWN, memory_order_relaxed);
}

/* --- submissions --- */

/* Notes for each event that the submission `stamp` waits for it. */
static void note_waits(const struct command_buffer_events *events, uint64_t stamp)
{
    for (uint32_t i = 0; i < events->count; i++) {
        struct event *event =
            events->records[i].waited ? event_by_id(events->records[i].event) : NULL;
        if (event)
            atomic_store_explicit(&event->waited_by_2, events->records[i].waited_by_2,
                                  memory_order_relaxed);
        if (event)
            atomic_store_explicit(&event->waited, stamp, memory_order_relaxed);
    }
}

void command_buffer_forget_events(const struct command_buffer *command_buffer)
{
    const struct command_buffer_events *events = command_buffer->events;
    for (uint32_t i = 0; events && i < events->count; i++) {
        struct event *event = event_by_id(events->records[i].event);
        if (event)
            leave_unknown(event);
    }
}

/* Notes the status in which a submitted operation leaves an event. `queue`: number of the queue; 0:
 * it is not tracked. */
static void leave_in(const struct event_operation *operation, uint32_t queue)
{
    struct event *event = event_by_id(operation->event);
    if (!event || operation->action == EVENT_WAITS_1 || operation->action == EVENT_WAITS_2)
        return;
    struct event_status status = event_left(event, queue);
    event_status_apply(&status, operation);
    /* The order of two queues' commands is not known, and a reset by the second queue does not
     * change that. */
    uint32_t before = atomic_load_explicit(&event->left_queue, memory_order_relaxed);
    bool other = !queue || (before && before != queue);
    if (other)
        status.signal = EVENT_UNKNOWN;
    event_leave(event, &status);
    atomic_store_explicit(&event->left_queue, other ? UINT32_MAX : queue, memory_order_relaxed);
}

void command_buffer_submit_events(const struct command_buffer *command_buffer, uint64_t stamp)
{
    const struct command_buffer_events *events = command_buffer->events;
    if (likely(!events || !events->count))
        return;
    note_waits(events, stamp);
    if (command_buffer->scope & SCOPE_SECONDARY) /* the primary has a secondary's operations */
        return;
    if (events->overflow) {
        command_buffer_forget_events(command_buffer);
        return;
    }
    for (uint32_t i = 0; i < events->operation_count; i++)
        leave_in(&events->operations[i], (uint32_t)(stamp >> 56));
}

/* One step of a multiplicative hash. */
static uint64_t event_hash_mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 0x9e3779b97f4a7c15ull ^ (hash >> 29);
}

uint64_t dependency_hash(const VkDependencyInfo *info)
{
    assert(info);
    /* All that must be the same in the set and the wait, but for chains and queue families. */
    uint64_t hash = event_hash_mix(info->dependencyFlags, info->memoryBarrierCount);
    for (uint32_t i = 0; info->pMemoryBarriers && i < info->memoryBarrierCount; i++) {
        const VkMemoryBarrier2 *b = &info->pMemoryBarriers[i];
        hash = event_hash_mix(event_hash_mix(event_hash_mix(event_hash_mix(hash, b->srcStageMask),
                                                            b->srcAccessMask),
                                             b->dstStageMask),
                              b->dstAccessMask);
    }
    hash = event_hash_mix(hash, info->bufferMemoryBarrierCount);
    for (uint32_t i = 0; info->pBufferMemoryBarriers && i < info->bufferMemoryBarrierCount; i++) {
        const VkBufferMemoryBarrier2 *b = &info->pBufferMemoryBarriers[i];
        hash = event_hash_mix(event_hash_mix(event_hash_mix(event_hash_mix(hash, b->srcStageMask),
                                                            b->srcAccessMask),
                                             b->dstStageMask),
                              b->dstAccessMask);
        hash = event_hash_mix(event_hash_mix(event_hash_mix(hash, (uint64_t)(uintptr_t)b->buffer),
                                             b->offset),
                              b->size);
    }
    hash = event_hash_mix(hash, info->imageMemoryBarrierCount);
    for (uint32_t i = 0; info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++) {
        const VkImageMemoryBarrier2 *b = &info->pImageMemoryBarriers[i];
        hash = event_hash_mix(event_hash_mix(event_hash_mix(event_hash_mix(hash, b->srcStageMask),
                                                            b->srcAccessMask),
                                             b->dstStageMask),
                              b->dstAccessMask);
        hash = event_hash_mix(event_hash_mix(event_hash_mix(hash, (uint64_t)(uintptr_t)b->image),
                                             (uint64_t)b->oldLayout),
                              (uint64_t)b->newLayout);
        hash =
            event_hash_mix(event_hash_mix(hash, (uint64_t)b->subresourceRange.baseMipLevel << 32 |
                                                    b->subresourceRange.levelCount),
                           (uint64_t)b->subresourceRange.baseArrayLayer << 32 |
                               b->subresourceRange.layerCount);
    }
    return hash;
}

void state_after_CreateEvent(struct call *call, VkDevice device,
                             const VkEventCreateInfo *pCreateInfo,
                             const VkAllocationCallbacks *pAllocator, VkEvent *pEvent)
{
    struct object *object = created_object(call, (uint64_t)*pEvent, HANDLE_EVENT);
    struct event *event = object_state_new_lines(object, sizeof(*event));
    if (!event)
        return;
    event->flags = pCreateInfo->flags;
    /* Other users can also signal an imported event (VK_EXT_metal_objects). */
    atomic_init(&event->left, pCreateInfo->pNext ? EVENT_UNKNOWN : EVENT_UNSIGNALED);
    object_state_publish(object, event);
}

/* Notes that the host has set or reset the event. While submitted work uses the event, the order of
 * both is not known. */
static void host_set(const struct call *call, VkEvent handle, bool set)
{
    struct event *event = call->result == VK_SUCCESS ? find_event(call, handle) : NULL;
    if (!event)
        return;
    atomic_store_explicit(&event->host_set, set, memory_order_relaxed);
    const struct event_status status = {
        .signal = set ? EVENT_SET_BY_HOST : EVENT_UNSIGNALED,
        .all_stages = atomic_load_explicit(&event->left_all_stages, memory_order_relaxed)};
    if (object_in_use(call->device, &event->base)) {
        /* The device may set or reset the event before or after this. */
        leave_unknown(event);
        return;
    }
    event_leave(event, &status);
    /* 0: no queue was the last to set the event. */
    atomic_store_explicit(&event->left_queue, 0, memory_order_relaxed);
}

void state_after_SetEvent(struct call *call, VkDevice device, VkEvent event)
{
    host_set(call, event, true);
}

void state_after_ResetEvent(struct call *call, VkDevice device, VkEvent event)
{
    host_set(call, event, false);
}

/* The record of the event in the call's command buffer, which it adds if necessary; NULL: not
 * known. */
static struct event_record *use_event(const struct call *call, VkEvent handle)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    const struct event *event = command_buffer ? find_event(call, handle) : NULL;
    if (!event)
        return NULL;
    command_buffer_uses(command_buffer, event->base.object);
    return make_record(command_buffer, event);
}

/* Notes whether the command buffer waits for the event, and whether by vkCmdWaitEvents2. */
static void note_wait(struct event_record *record, const struct event_operation *operation)
{
    record->waited |= operation->action == EVENT_WAITS_1 || operation->action == EVENT_WAITS_2;
    record->waited_by_2 |= operation->action == EVENT_WAITS_2;
}

/* Adds an operation to the command buffer's list. It is `judged` if the command buffer itself shows
 * the status before it. */
static void record_operation(const struct call *call, VkEvent handle,
                             const struct event_operation *operation)
{
    assert(operation);
    struct event_record *record = use_event(call, handle);
    if (!record)
        return;
    struct event_operation noted = *operation;
    noted.event = record->event;
    noted.command = call_command_buffer(call)->command_number;
    noted.orders = call_command_buffer(call)->orders;
    noted.judged =
        event_resets(noted.action) ? record->wait.waited : record->status.signal != EVENT_UNKNOWN;
    record->set = noted.action == EVENT_SETS_1 || noted.action == EVENT_SETS_2 ||
                  (record->set && !event_resets(noted.action));
    note_wait(record, &noted);
    add_operation(call_command_buffer(call), record, &noted);
}

void state_after_CmdSetEvent(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                             VkPipelineStageFlags stageMask)
{
    record_operation(call, event,
                     &(struct event_operation){.action = EVENT_SETS_1, .stages = stageMask});
}

/* Adds all source masks to `src`, and all destination masks to `dst`. */
static void add_stages(const VkDependencyInfo *info, VkPipelineStageFlags2 *src,
                       VkPipelineStageFlags2 *dst)
{
    for (uint32_t i = 0; info->pMemoryBarriers && i < info->memoryBarrierCount; i++) {
        *src |= info->pMemoryBarriers[i].srcStageMask;
        *dst |= info->pMemoryBarriers[i].dstStageMask;
    }
    for (uint32_t i = 0; info->pBufferMemoryBarriers && i < info->bufferMemoryBarrierCount; i++) {
        *src |= info->pBufferMemoryBarriers[i].srcStageMask;
        *dst |= info->pBufferMemoryBarriers[i].dstStageMask;
    }
    for (uint32_t i = 0; info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++) {
        *src |= info->pImageMemoryBarriers[i].srcStageMask;
        *dst |= info->pImageMemoryBarriers[i].dstStageMask;
    }
}

/* The operation of a command with a VkDependencyInfo, whose hash must be the same for the set and
 * the wait. */
static struct event_operation event_operation2(const VkDependencyInfo *info,
                                               enum event_action action)
{
    assert(info && (action == EVENT_SETS_2 || action == EVENT_WAITS_2));
    const VkPipelineStageFlags2 host = VK_PIPELINE_STAGE_2_HOST_BIT;
    VkPipelineStageFlags2 stages = 0, after = 0;
    add_stages(info, &stages, &after);
    return (struct event_operation){
        .action = action,
        .remaining = 1,
        .host = (stages & host) != 0,
        .device = (stages & ~host) != 0,
        .asymmetric = (info->dependencyFlags & VK_DEPENDENCY_ASYMMETRIC_EVENT_BIT_KHR) != 0,
        .stages = stages,
        .after = after,
        .dependency = dependency_hash(info),
    };
}

struct event_operation event_wait2(const VkDependencyInfo *info)
{
    return event_operation2(info, EVENT_WAITS_2);
}

void state_after_CmdSetEvent2(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                              const VkDependencyInfo *pDependencyInfo)
{
    const struct event_operation operation = event_operation2(pDependencyInfo, EVENT_SETS_2);
    record_operation(call, event, &operation);
}

void state_after_CmdResetEvent(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                               VkPipelineStageFlags stageMask)
{
    record_operation(call, event,
                     &(struct event_operation){.action = EVENT_RESETS_1, .stages = stageMask});
}

void state_after_CmdResetEvent2(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                                VkPipelineStageFlags2 stageMask)
{
    record_operation(call, event,
                     &(struct event_operation){.action = EVENT_RESETS_2, .stages = stageMask});
}

void state_after_CmdWaitEvents_events(struct call *call, VkCommandBuffer commandBuffer,
                                      uint32_t eventCount, const VkEvent *pEvents,
                                      VkPipelineStageFlags srcStageMask,
                                      VkPipelineStageFlags dstStageMask,
                                      uint32_t memoryBarrierCount,
                                      const VkMemoryBarrier *pMemoryBarriers,
                                      uint32_t bufferMemoryBarrierCount,
                                      const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                      uint32_t imageMemoryBarrierCount,
                                      const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    command_buffer_orders(call_command_buffer(call));
    for (uint32_t i = 0; pEvents && i < eventCount; i++)
        record_operation(call, pEvents[i],
                         &(struct event_operation){
                             .action = EVENT_WAITS_1,
                             .remaining = eventCount - i,
                             .host = (srcStageMask & VK_PIPELINE_STAGE_HOST_BIT) != 0,
                             .device = (srcStageMask &
                                        ~(VkPipelineStageFlags)VK_PIPELINE_STAGE_HOST_BIT) != 0,
                             .stages = srcStageMask,
                             .after = dstStageMask,
                         });
}

void state_after_CmdWaitEvents2_events(struct call *call, VkCommandBuffer commandBuffer,
                                       uint32_t eventCount, const VkEvent *pEvents,
                                       const VkDependencyInfo *pDependencyInfos)
{
    VkPipelineStageFlags2 stages = 0, after = 0;
    command_buffer_orders(call_command_buffer(call));
    for (uint32_t i = 0; pDependencyInfos && i < eventCount; i++)
        add_stages(&pDependencyInfos[i], &stages, &after);
    for (uint32_t i = 0; pEvents && pDependencyInfos && i < eventCount; i++) {
        struct event_operation operation = event_wait2(&pDependencyInfos[i]);
        /* Later commands wait for the command, and not for one event of it. */
        operation.after = after;
        record_operation(call, pEvents[i], &operation);
    }
}

/* Adds the operations of a secondary to its primary. */
static void execute_operations(struct command_buffer *primary,
                               const struct command_buffer *secondary)
{
    const struct event_operation *operation;
    for (uint32_t i = 0; (operation = command_buffer_event_operation(secondary, i)) != NULL; i++) {
        const struct event *event = event_by_id(operation->event);
        struct event_record *record = event ? make_record(primary, event) : NULL;
        if (!record)
            continue;
        record->set = operation->action == EVENT_SETS_1 || operation->action == EVENT_SETS_2 ||
                      (record->set && !event_resets(operation->action));
        note_wait(record, operation);
        struct event_operation executed = *operation;
        executed.command = primary->command_number;
        executed.orders += primary->orders;
        executed.judged |= event_resets(operation->action) ? record->wait.waited
                                                           : record->status.signal != EVENT_UNKNOWN;
        add_operation(primary, record, &executed);
    }
    if (command_buffer_events_overflow(secondary) && primary->events)
        primary->events->overflow = true;
}

void state_after_CmdExecuteCommands_events(struct call *call, VkCommandBuffer commandBuffer,
                                           uint32_t commandBufferCount,
                                           const VkCommandBuffer *pCommandBuffers)
{
    struct command_buffer *primary = call_command_buffer(call);
    for (uint32_t i = 0; primary && i < commandBufferCount; i++) {
        const struct command_buffer *secondary = find_command_buffer(pCommandBuffers[i]);
        if (unlikely(secondary && secondary->events && secondary != primary))
            execute_operations(primary, secondary);
        if (secondary)
            primary->orders += secondary->orders;
    }
}

/* A command that has signaled the event is done with it when that is seen. Whether other commands
 * still use the event is not known. */
void state_after_GetEventStatus(struct call *call, VkDevice device, VkEvent event)
{
    struct event *state = call->result == VK_EVENT_SET ? named_event(call, 0, event) : NULL;
    if (state && atomic_load_explicit(&state->waited, memory_order_relaxed) !=
                     atomic_load_explicit(&state->base.last_use, memory_order_relaxed))
        atomic_store_explicit(&state->base.last_use, 0, memory_order_relaxed);
}
