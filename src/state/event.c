/* What do calls make of events? */
#include "state/event.h"
#include "state/hooks.h"

#include <string.h>

/* Owned by a command buffer, kept over resets. Few events are used in one: they are searched one by one. */
struct command_buffer_events {
    struct event_record *records;
    uint32_t count, capacity;
};
/* More of them are not tracked: nothing is said of what comes behind. */
#define EVENTS_MOST 256

const struct event_record *command_buffer_event(const struct command_buffer *command_buffer, const struct event *event)
{
    const struct command_buffer_events *events = command_buffer->events;
    uint64_t id = object_state_id(&event->base);
    for (uint32_t i = 0; events && i < events->count; i++) {
        if (events->records[i].event == id)
            return &events->records[i];
    }
    return NULL;
}

const struct event_record *command_buffer_event_at(const struct command_buffer *command_buffer, uint32_t i)
{
    const struct command_buffer_events *events = command_buffer->events;
    return events && i < events->count ? &events->records[i] : NULL;
}

static struct event_record *make_record(struct command_buffer *command_buffer, const struct event *event)
{
    struct event_record *record = (struct event_record *)command_buffer_event(command_buffer, event);
    if (record)
        return record;
    if (!command_buffer->events)
        command_buffer->events = mem_alloc_zeroed(sizeof(*command_buffer->events));
    struct command_buffer_events *events = command_buffer->events;
    if (!events || events->count >= EVENTS_MOST)
        return NULL;
    const uint32_t at = events->count;
    if (at >= __atomic_load_n(&events->capacity, __ATOMIC_ACQUIRE) &&
        !mem_grow(&events->records, &events->capacity, at, at < 8 ? 8 : at * 2, sizeof(*events->records)))
        return NULL;
    record = &events->records[at];
    events->count = at + 1;
    *record = (struct event_record){.event = object_state_id(&event->base)};
    return record;
}

void command_buffer_reset_events(struct command_buffer *command_buffer)
{
    if (command_buffer->events)
        command_buffer->events->count = 0;
}

void command_buffer_submit_events(const struct command_buffer *command_buffer, uint64_t stamp)
{
    const struct command_buffer_events *events = command_buffer->events;
    for (uint32_t i = 0; events && i < events->count; i++) {
        struct event *event = events->records[i].waited ? event_by_id(events->records[i].event) : NULL;
        if (event)
            atomic_store_explicit(&event->waited, stamp, memory_order_relaxed);
    }
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 0x9e3779b97f4a7c15ull ^ (hash >> 29);
}

uint64_t dependency_hash(const VkDependencyInfo *info)
{
    uint64_t hash = mix(info->dependencyFlags, info->memoryBarrierCount);
    for (uint32_t i = 0; info->pMemoryBarriers && i < info->memoryBarrierCount; i++) {
        const VkMemoryBarrier2 *b = &info->pMemoryBarriers[i];
        hash = mix(mix(mix(mix(hash, b->srcStageMask), b->srcAccessMask), b->dstStageMask), b->dstAccessMask);
    }
    hash = mix(hash, info->bufferMemoryBarrierCount);
    for (uint32_t i = 0; info->pBufferMemoryBarriers && i < info->bufferMemoryBarrierCount; i++) {
        const VkBufferMemoryBarrier2 *b = &info->pBufferMemoryBarriers[i];
        hash = mix(mix(mix(mix(hash, b->srcStageMask), b->srcAccessMask), b->dstStageMask), b->dstAccessMask);
        hash = mix(mix(mix(hash, (uint64_t)(uintptr_t)b->buffer), b->offset), b->size);
    }
    hash = mix(hash, info->imageMemoryBarrierCount);
    for (uint32_t i = 0; info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++) {
        const VkImageMemoryBarrier2 *b = &info->pImageMemoryBarriers[i];
        hash = mix(mix(mix(mix(hash, b->srcStageMask), b->srcAccessMask), b->dstStageMask), b->dstAccessMask);
        hash = mix(mix(mix(hash, (uint64_t)(uintptr_t)b->image), (uint64_t)b->oldLayout), (uint64_t)b->newLayout);
        hash = mix(mix(hash, (uint64_t)b->subresourceRange.baseMipLevel << 32 | b->subresourceRange.levelCount),
                   (uint64_t)b->subresourceRange.baseArrayLayer << 32 | b->subresourceRange.layerCount);
    }
    return hash;
}

void state_after_CreateEvent(struct call *call, VkDevice device, const VkEventCreateInfo *pCreateInfo,
                             const VkAllocationCallbacks *pAllocator, VkEvent *pEvent)
{
    struct object *object = created_object(call, (uint64_t)*pEvent, HANDLE_EVENT);
    struct event *event = object_state_new(object, sizeof(*event));
    if (!event)
        return;
    event->flags = pCreateInfo->flags;
    object_state_publish(object, event);
}

static void host_set(const struct call *call, VkEvent handle, bool set)
{
    struct event *event = call->result == VK_SUCCESS ? find_event(call, handle) : NULL;
    if (event)
        atomic_store_explicit(&event->host_set, set, memory_order_relaxed);
}

void state_after_SetEvent(struct call *call, VkDevice device, VkEvent event)
{
    host_set(call, event, true);
}

void state_after_ResetEvent(struct call *call, VkDevice device, VkEvent event)
{
    host_set(call, event, false);
}

/* The record of the call's event in its command buffer, which uses it from now on; NULL when nothing is known. */
static struct event_record *use_event(const struct call *call, VkEvent handle)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    const struct event *event = command_buffer ? find_event(call, handle) : NULL;
    if (!event)
        return NULL;
    command_buffer_uses(command_buffer, event->base.object);
    return make_record(command_buffer, event);
}

static void set_event(const struct call *call, VkEvent handle, bool version2, VkPipelineStageFlags stages, uint64_t hash)
{
    struct event_record *record = use_event(call, handle);
    if (!record)
        return;
    record->set_again = record->set;
    record->set = true;
    record->version2 = version2;
    record->stages = stages;
    record->dependency = hash;
}

void state_after_CmdSetEvent(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                             VkPipelineStageFlags stageMask)
{
    set_event(call, event, false, stageMask, 0);
}

void state_after_CmdSetEvent2(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                              const VkDependencyInfo *pDependencyInfo)
{
    set_event(call, event, true, 0, dependency_hash(pDependencyInfo));
}

static void reset_event(const struct call *call, VkEvent handle)
{
    struct event_record *record = use_event(call, handle);
    if (record)
        record->set = record->set_again = false;
}

void state_after_CmdResetEvent(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                               VkPipelineStageFlags stageMask)
{
    reset_event(call, event);
}

void state_after_CmdResetEvent2(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                                VkPipelineStageFlags2 stageMask)
{
    reset_event(call, event);
}

static void wait_events(const struct call *call, uint32_t count, const VkEvent *events)
{
    for (uint32_t i = 0; events && i < count; i++) {
        struct event_record *record = use_event(call, events[i]);
        if (record)
            record->waited = true;
    }
}

void state_after_CmdWaitEvents_events(struct call *call, VkCommandBuffer commandBuffer, uint32_t eventCount,
                                      const VkEvent *pEvents, VkPipelineStageFlags srcStageMask,
                                      VkPipelineStageFlags dstStageMask, uint32_t memoryBarrierCount,
                                      const VkMemoryBarrier *pMemoryBarriers, uint32_t bufferMemoryBarrierCount,
                                      const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                      uint32_t imageMemoryBarrierCount, const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    wait_events(call, eventCount, pEvents);
}

void state_after_CmdWaitEvents2_events(struct call *call, VkCommandBuffer commandBuffer, uint32_t eventCount,
                                       const VkEvent *pEvents, const VkDependencyInfo *pDependencyInfos)
{
    wait_events(call, eventCount, pEvents);
}

/* What secondaries do with events counts for the primary; which of several sets of both counts, cannot be said. */
void state_after_CmdExecuteCommands_events(struct call *call, VkCommandBuffer commandBuffer,
                                           uint32_t commandBufferCount, const VkCommandBuffer *pCommandBuffers)
{
    struct command_buffer *primary = call_command_buffer(call);
    for (uint32_t i = 0; primary && i < commandBufferCount; i++) {
        const struct command_buffer *secondary = find_command_buffer(pCommandBuffers[i]);
        const struct command_buffer_events *events = secondary && secondary != primary ? secondary->events : NULL;
        for (uint32_t k = 0; events && k < events->count; k++) {
            const struct event_record *theirs = &events->records[k];
            const struct event *event = event_by_id(theirs->event);
            struct event_record *record = event ? make_record(primary, event) : NULL;
            if (!record)
                continue;
            bool waited = record->waited | theirs->waited, again = record->set;
            *record = *theirs;
            record->waited = waited;
            record->set_again |= again;
        }
    }
}
