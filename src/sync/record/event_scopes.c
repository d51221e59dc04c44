/* Finds the first scopes that a command gives to an event (7.5 "Events"). */
#include "vk/chain.h"

#include "sync/record/events.h"

struct sync_barrier sync_event_scope(VkPipelineStageFlags2 stages, const struct sync_queue *queue)
{
    return (struct sync_barrier){
        .src = sync_scope_source(stages, VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
                                 queue),
        .everything = (stages & (VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT |
                                 VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT)) != 0,
    };
}

/* Collects the scopes found so far, each once, in the caller's array. */
struct scope_list {
    const struct sync_queue *queue;
    struct sync_barrier *scopes;
    uint32_t count, most; /* number of scopes, and of elements in the array */
};

/* Adds the scope of a source mask, unless the list has it. With `most` scopes in the list, none is
 * added. */
static void add_stages(struct scope_list *list, VkPipelineStageFlags2 stages)
{
    struct sync_barrier scope = sync_event_scope(stages, list->queue);
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->scopes[i].src.stages == scope.src.stages &&
            list->scopes[i].everything == scope.everything)
            return;
    }
    if (list->count < list->most)
        list->scopes[list->count++] = scope;
}

uint32_t sync_event_scopes(const VkDependencyInfo *info, const struct sync_queue *queue,
                           struct sync_barrier *scopes, uint32_t most)
{
    struct scope_list list = {.queue = queue, .scopes = scopes, .most = most};
    for (uint32_t i = 0; info->pMemoryBarriers && i < info->memoryBarrierCount; i++)
        add_stages(&list, info->pMemoryBarriers[i].srcStageMask);
    for (uint32_t i = 0; info->pBufferMemoryBarriers && i < info->bufferMemoryBarrierCount; i++)
        add_stages(&list, info->pBufferMemoryBarriers[i].srcStageMask);
    for (uint32_t i = 0; info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++)
        add_stages(&list, info->pImageMemoryBarriers[i].srcStageMask);
    const VkMemoryRangeBarriersInfoKHR *ranges =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR);
    for (uint32_t i = 0;
         ranges && ranges->pMemoryRangeBarriers && i < ranges->memoryRangeBarrierCount; i++)
        add_stages(&list, ranges->pMemoryRangeBarriers[i].srcStageMask);
    /* Without a barrier the event is set all the same, with an empty first scope. */
    if (!list.count)
        add_stages(&list, VK_PIPELINE_STAGE_2_NONE);
    return list.count;
}
