/* What do events order (7.5 "Events")? The first scope is that of the command that set the event, the second one that of the wait. What the host sets, or another command buffer, is
 * not known here: such a wait orders nothing of this command buffer, as the set cannot come after its commands and before the wait. */
#include "sync/barriers.h"
#include "sync/hooks.h"

#include "state/event.h"
#include "stateless/check.h"

static void set_event(struct call *call, VkEvent handle, VkPipelineStageFlags2 stages)
{
    struct recording recording;
    const struct event *event = find_event(call, handle);
    if (!event || !recording_begin(&recording, call))
        return;
    struct sync_command_buffer *sync = recording.sync;
    struct sync_barrier scope = {
        .src = sync_scope_source(stages, VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT, &sync->queue),
        .everything = (stages & (VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT)) != 0,
    };
    uint64_t tag = recording_tag(&recording, 0, NULL);
    if (tag)
        sync_context_set_event(&sync->context, object_state_id(&event->base), &scope, tag);
    sync->epoch++;
    recording_end(&recording);
}

void sync_after_CmdSetEvent(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                            VkPipelineStageFlags stageMask)
{
    set_event(call, event, stageMask);
}

void sync_after_CmdSetEvent2(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                             const VkDependencyInfo *pDependencyInfo)
{
    const VkDependencyInfo *info = pDependencyInfo;
    VkPipelineStageFlags2 stages = 0;
    for (uint32_t i = 0; info->pMemoryBarriers && i < info->memoryBarrierCount; i++)
        stages |= info->pMemoryBarriers[i].srcStageMask;
    for (uint32_t i = 0; info->pBufferMemoryBarriers && i < info->bufferMemoryBarrierCount; i++)
        stages |= info->pBufferMemoryBarriers[i].srcStageMask;
    for (uint32_t i = 0; info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++)
        stages |= info->pImageMemoryBarriers[i].srcStageMask;
    const VkMemoryRangeBarriersInfoKHR *ranges =
        (const void *)chain_element(info->pNext, VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR);
    for (uint32_t i = 0; ranges && ranges->pMemoryRangeBarriers && i < ranges->memoryRangeBarrierCount; i++)
        stages |= ranges->pMemoryRangeBarriers[i].srcStageMask;
    set_event(call, event, stages);
}

static void end_wait(struct barrier_list *list, uint32_t count, const VkEvent *handles)
{
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    uint64_t *events = scratch_alloc(scratch, count * sizeof(*events));
    uint32_t known = 0;
    struct access_source source = {.role = ROLE_BARRIER};
    struct sync_command_buffer *sync = list->recording->sync;
    list->out_of_memory |= !events;
    for (uint32_t i = 0; events && i < count; i++) {
        const struct event *event = find_event(list->recording->call, handles[i]);
        if (event)
            events[known++] = object_state_id(&event->base);
    }
    if ((known || !events) && barrier_list_end(list, list->resource, &source))
        sync_context_wait_events(&sync->context, events, known, &list->barriers);
    scratch_rewind(scratch, mark);
}

void sync_after_CmdWaitEvents(struct call *call, VkCommandBuffer commandBuffer, uint32_t eventCount,
                              const VkEvent *pEvents, VkPipelineStageFlags srcStageMask,
                              VkPipelineStageFlags dstStageMask, uint32_t memoryBarrierCount,
                              const VkMemoryBarrier *pMemoryBarriers, uint32_t bufferMemoryBarrierCount,
                              const VkBufferMemoryBarrier *pBufferMemoryBarriers, uint32_t imageMemoryBarrierCount,
                              const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    struct recording recording;
    struct barrier_list list;
    if (!recording_begin(&recording, call))
        return;
    barrier_list_begin(&list, &recording);
    barrier_list_add(&list, srcStageMask, dstStageMask, memoryBarrierCount, pMemoryBarriers, bufferMemoryBarrierCount,
                     pBufferMemoryBarriers, imageMemoryBarrierCount, pImageMemoryBarriers);
    end_wait(&list, eventCount, pEvents);
    recording_end(&recording);
}

void sync_after_CmdWaitEvents2(struct call *call, VkCommandBuffer commandBuffer, uint32_t eventCount,
                               const VkEvent *pEvents, const VkDependencyInfo *pDependencyInfos)
{
    struct recording recording;
    struct barrier_list list;
    if (!recording_begin(&recording, call))
        return;
    barrier_list_begin(&list, &recording);
    for (uint32_t i = 0; i < eventCount; i++)
        barrier_list_add2_global(&list, &pDependencyInfos[i]);
    for (uint32_t i = 0; i < eventCount; i++)
        barrier_list_add2_ranges(&list, &pDependencyInfos[i]);
    end_wait(&list, eventCount, pEvents);
    recording_end(&recording);
}
