/* Tracks how barriers, recorded or on the host, change image layouts, and what they use. */
#include "state/command/barrier.h"
#include "state/hooks.h"

bool image_barrier_ignores_layouts(const struct call *call, const struct image_barrier *barrier)
{
    assert(call->device && barrier);
    return barrier->old_layout == barrier->new_layout &&
           barrier->src_family == barrier->dst_family &&
           (barrier->version2 || device_has_feature(call->device, FEATURE_synchronization2));
}

/* Notes an image barrier. The transition of an ownership transfer happens once, between release and
 * acquire. The acquire may find either layout, and "After a release operation is performed, the
 * contents and image layout ... of the released resource are undefined until a matching acquire
 * operation is performed". */
static void record_image_barrier(const struct call *call, struct command_buffer *command_buffer,
                                 const struct image_barrier *barrier)
{
    assert(command_buffer && barrier);
    const struct image *image = find_image(call, barrier->handle);
    if (image)
        command_buffer_uses(command_buffer, image->base.object);
    if (!image || image_barrier_ignores_layouts(call, barrier))
        return;
    bool moves = moves_ownership(image->sharing_mode, barrier->src_family, barrier->dst_family);
    bool acquires = moves && barrier_acquires(barrier->src_family, barrier->dst_family,
                                              command_buffer->queue_family);
    /* After a release, only the acquire makes the contents defined again. */
    VkImageLayout to = moves && !acquires ? VK_IMAGE_LAYOUT_UNDEFINED : barrier->new_layout;
    /* UNDEFINED accepts any layout, so none is expected. */
    if (barrier->old_layout != VK_IMAGE_LAYOUT_UNDEFINED && !acquires)
        command_buffer_change_layout(call, command_buffer, image, barrier->range,
                                     barrier->old_layout, to);
    else
        command_buffer_set_layout(command_buffer, image, barrier->range, to);
}

/* Notes that the command buffer uses the buffer. */
static ALWAYS_INLINE void use_buffer(const struct call *call, struct command_buffer *command_buffer,
                                     VkBuffer buffer)
{
    command_buffer_uses_handle(call, command_buffer, (uint64_t)buffer, HANDLE_BUFFER);
}

/* Notes the buffers of barriers. Most barriers are for images. */
static ALWAYS_INLINE void use_buffers(const struct call *call, uint32_t count,
                                      const VkBufferMemoryBarrier *barriers)
{
    struct command_buffer *command_buffer = likely(!count) ? NULL : call_command_buffer(call);
    for (uint32_t i = 0; command_buffer && barriers && i < count; i++)
        use_buffer(call, command_buffer, barriers[i].buffer);
}

/* Notes image barriers and the layouts that they set. The stages of these commands are not kept,
 * and are 0. */
static void record_barriers(const struct call *call, uint32_t count,
                            const VkImageMemoryBarrier *barriers)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    for (uint32_t i = 0; command_buffer && barriers && i < count; i++) {
        struct image_barrier barrier = image_barrier_of(&barriers[i], 0, 0);
        record_image_barrier(call, command_buffer, &barrier);
    }
}

/* Records a VkDependencyInfo, with the buffers of its barriers. */
static void record_dependency(const struct call *call, const VkDependencyInfo *info)
{
    assert(info);
    struct command_buffer *command_buffer = call_command_buffer(call);
    for (uint32_t i = 0;
         command_buffer && info->pBufferMemoryBarriers && i < info->bufferMemoryBarrierCount; i++)
        use_buffer(call, command_buffer, info->pBufferMemoryBarriers[i].buffer);
    for (uint32_t i = 0;
         command_buffer && info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++) {
        struct image_barrier barrier = image_barrier_of2(&info->pImageMemoryBarriers[i]);
        record_image_barrier(call, command_buffer, &barrier);
    }
}

void state_after_CmdPipelineBarrier(struct call *call, VkCommandBuffer commandBuffer,
                                    VkPipelineStageFlags srcStageMask,
                                    VkPipelineStageFlags dstStageMask,
                                    VkDependencyFlags dependencyFlags, uint32_t memoryBarrierCount,
                                    const VkMemoryBarrier *pMemoryBarriers,
                                    uint32_t bufferMemoryBarrierCount,
                                    const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                    uint32_t imageMemoryBarrierCount,
                                    const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    command_buffer_orders(call_command_buffer(call));
    use_buffers(call, bufferMemoryBarrierCount, pBufferMemoryBarriers);
    record_barriers(call, imageMemoryBarrierCount, pImageMemoryBarriers);
}

void state_after_CmdPipelineBarrier2(struct call *call, VkCommandBuffer commandBuffer,
                                     const VkDependencyInfo *pDependencyInfo)
{
    command_buffer_orders(call_command_buffer(call));
    record_dependency(call, pDependencyInfo);
}

void state_after_CmdWaitEvents(struct call *call, VkCommandBuffer commandBuffer,
                               uint32_t eventCount, const VkEvent *pEvents,
                               VkPipelineStageFlags srcStageMask, VkPipelineStageFlags dstStageMask,
                               uint32_t memoryBarrierCount, const VkMemoryBarrier *pMemoryBarriers,
                               uint32_t bufferMemoryBarrierCount,
                               const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                               uint32_t imageMemoryBarrierCount,
                               const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    use_buffers(call, bufferMemoryBarrierCount, pBufferMemoryBarriers);
    record_barriers(call, imageMemoryBarrierCount, pImageMemoryBarriers);
}

void state_after_CmdWaitEvents2(struct call *call, VkCommandBuffer commandBuffer,
                                uint32_t eventCount, const VkEvent *pEvents,
                                const VkDependencyInfo *pDependencyInfos)
{
    for (uint32_t i = 0; pDependencyInfos && i < eventCount; i++)
        record_dependency(call, &pDependencyInfos[i]);
}

/* The transitions happen in the vkCmdWaitEvents2; this command also uses the resources that it
 * names. */
void state_after_CmdSetEvent2_resources(struct call *call, VkCommandBuffer commandBuffer,
                                        VkEvent event, const VkDependencyInfo *pDependencyInfo)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    const VkDependencyInfo *info = pDependencyInfo;
    for (uint32_t i = 0;
         command_buffer && info->pBufferMemoryBarriers && i < info->bufferMemoryBarrierCount; i++)
        use_buffer(call, command_buffer, info->pBufferMemoryBarriers[i].buffer);
    for (uint32_t i = 0;
         command_buffer && info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++)
        command_buffer_uses(command_buffer,
                            call_find(call, (uint64_t)info->pImageMemoryBarriers[i].image,
                                      HANDLE_IMAGE));
}

void state_after_CmdExecuteCommands_layouts(struct call *call, VkCommandBuffer commandBuffer,
                                            uint32_t commandBufferCount,
                                            const VkCommandBuffer *pCommandBuffers)
{
    struct command_buffer *primary = call_command_buffer(call);
    for (uint32_t i = 0; primary && i < commandBufferCount; i++)
        command_buffer_merge_layouts(primary, find_command_buffer(pCommandBuffers[i]));
}

void state_after_TransitionImageLayout(struct call *call, VkDevice device, uint32_t transitionCount,
                                       const VkHostImageLayoutTransitionInfo *pTransitions)
{
    for (uint32_t i = 0; call->result == VK_SUCCESS && i < transitionCount; i++)
        image_set_layout(find_image(call, pTransitions[i].image), &pTransitions[i].subresourceRange,
                         pTransitions[i].newLayout);
}
