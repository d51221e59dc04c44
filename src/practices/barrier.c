/* Advice on single image barriers, and on events that are set twice. validate_sync finds barriers
 * that order too much (sync/advice/advice.h). */
#include "practices/advise.h"
#include "practices/areas.h"
#include "practices/hooks.h"
#include "practices/passes.h"

/* All accesses that only read. */
#define READS                                                                                  \
    (VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_INDEX_READ_BIT |                      \
     VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT |                    \
     VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT | VK_ACCESS_2_SHADER_READ_BIT |                     \
     VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |   \
     VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_MEMORY_READ_BIT | \
     VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT)

/* An image barrier, made of a VkImageMemoryBarrier or a VkImageMemoryBarrier2. Threads: it lies on
 * the stack of the hook. */
struct advised_image {
    const struct call *call;
    const struct location *where;
    VkImage handle;
    VkImageLayout old_layout, new_layout;
    uint32_t src_family, dst_family; /* VK_QUEUE_FAMILY_IGNORED: no transfer */
    VkAccessFlags2 src_accesses, dst_accesses;
    const VkImageSubresourceRange *range;
};

/* True for layouts in which nothing is written. */
static bool is_read_only(VkImageLayout layout)
{
    return layout == VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL ||
           layout == VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL ||
           layout == VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL ||
           layout == VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL ||
           layout == VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL ||
           layout == VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL;
}

/* False for special values, which are not queue families of this instance. */
static bool is_family(uint32_t family)
{
    return family != VK_QUEUE_FAMILY_IGNORED && family != VK_QUEUE_FAMILY_EXTERNAL &&
           family != VK_QUEUE_FAMILY_FOREIGN_EXT;
}

/* Accesses, among the usual ones, that no command makes in the layout. 0: not known. Depth and
 * stencil are resolved with VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT (7.1.3). */
static VkAccessFlags2 impossible_accesses(VkImageLayout layout)
{
    /* Only these accesses are judged: extensions may allow others in a layout. */
    const VkAccessFlags2 transfers = VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT,
                         color = VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
                                 VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
                         depth = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                 VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                         shaders = VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT |
                                   VK_ACCESS_2_SHADER_SAMPLED_READ_BIT |
                                   VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
                                   VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                         writes =
                             VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    switch (layout) {
    case VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL:
        return VK_ACCESS_2_TRANSFER_WRITE_BIT | color | depth | shaders |
               VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT;
    case VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL:
        return VK_ACCESS_2_TRANSFER_READ_BIT | color | depth | shaders |
               VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT;
    case VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL:
        return transfers | color | depth | writes;
    case VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL:
        /* Input attachments are left out, as feedback loops can read them in this layout. */
        return transfers | depth | shaders;
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL:
        return transfers | shaders;
    default:
        return 0;
    }
}

/* Judges a transition from UNDEFINED to a read-only layout. Programs do this with new images, which
 * they write later. So it is only a mistake if this command buffer wrote the image before. */
static void judge_discard(const struct advised_image *barrier,
                          const struct finding_objects *objects)
{
    const struct image *image = find_image(barrier->call, barrier->handle);
    const char *written = image ? images_written(barrier->call, image, barrier->range) : NULL;
    if (written)
        advise(barrier->call, BestPractices_ImageMemoryBarrier_TransitionUndefinedToReadOnly,
               barrier->where, objects,
               "brings %s from VK_IMAGE_LAYOUT_UNDEFINED to %s, after it %s in this command buffer",
               NAMED(barrier->call, HANDLE_IMAGE, barrier->handle),
               TEXT_OF(VkImageLayout, (uint32_t)barrier->new_layout), written);
}

/* True if there is a reason for VK_IMAGE_LAYOUT_GENERAL: shaders that write, copies within one
 * image, or images that others share. */
static bool needs_general(const struct advised_image *barrier, const struct image *image)
{
    const VkImageUsageFlags general =
        VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_HOST_TRANSFER_BIT |
        VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT;
    const VkAccessFlags2 copies = VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT;
    return (barrier->dst_accesses & copies) == copies || image->any_usage & general ||
           image->tiling != VK_IMAGE_TILING_OPTIMAL || image->external_types ||
           device_has_feature(barrier->call->device, FEATURE_unifiedImageLayouts);
}

/* AMD: advises if an image is transitioned to VK_IMAGE_LAYOUT_GENERAL without a reason. */
static void judge_general(const struct advised_image *barrier,
                          const struct finding_objects *objects)
{
    const struct image *image = practices_want(barrier->call, PRACTICE_AMD)
                                    ? find_image(barrier->call, barrier->handle)
                                    : NULL;
    if (image && !needs_general(barrier, image))
        advise(barrier->call, BestPractices_AMD_vkImage_AvoidGeneral,
               &LOCATION(barrier->where, "newLayout"), objects,
               "is VK_IMAGE_LAYOUT_GENERAL, and the usage of %s is %s",
               NAMED(barrier->call, HANDLE_IMAGE, barrier->handle),
               TEXT_OF(VkImageUsageFlags, image->any_usage));
}

/* Judges the layouts of an image barrier. */
static void judge_layouts(const struct advised_image *barrier,
                          const struct finding_objects *objects)
{
    const VkAccessFlags2 impossible =
        barrier->dst_accesses & impossible_accesses(barrier->new_layout);
    if (barrier->old_layout == VK_IMAGE_LAYOUT_UNDEFINED && is_read_only(barrier->new_layout))
        judge_discard(barrier, objects);
    if (impossible)
        advise(barrier->call, BestPractices_ImageBarrierAccessLayout,
               &LOCATION(barrier->where, "dstAccessMask"), objects,
               "has %s, which nothing does with an image in %s",
               TEXT_OF(VkAccessFlags2, impossible),
               TEXT_OF(VkImageLayout, (uint32_t)barrier->new_layout));
    if (barrier->new_layout == VK_IMAGE_LAYOUT_GENERAL &&
        barrier->old_layout != VK_IMAGE_LAYOUT_GENERAL)
        judge_general(barrier, objects);
}

/* Judges an image barrier: its layouts, a transfer of contents that it discards, and an order
 * between two reads. */
static void barrier_judge_image(const struct advised_image *barrier)
{
    const struct finding_objects *objects = OBJECT(HANDLE_IMAGE, barrier->handle);
    const bool moves = barrier->src_family != barrier->dst_family &&
                       is_family(barrier->src_family) && is_family(barrier->dst_family);
    const VkAccessFlags2 reads = READS;
    judge_layouts(barrier, objects);
    if (moves && barrier->old_layout == VK_IMAGE_LAYOUT_UNDEFINED)
        advise(barrier->call, BestPractices_PipelineBarrier_unneeded_QFOT, barrier->where, objects,
               "transfers %s from queue family %u to %u, and discards its contents",
               NAMED(barrier->call, HANDLE_IMAGE, barrier->handle), barrier->src_family,
               barrier->dst_family);
    /* No writes are made available, and nothing changes: reads need no order. */
    if (barrier->old_layout == barrier->new_layout && barrier->src_family == barrier->dst_family &&
        barrier->src_accesses && barrier->dst_accesses &&
        !((barrier->src_accesses | barrier->dst_accesses) & ~reads))
        advise(barrier->call, BestPractices_PipelineBarrier_readToReadBarrier, barrier->where,
               objects, "orders %s after %s of %s, which stays in %s",
               TEXT_OF(VkAccessFlags2, barrier->dst_accesses),
               TEXT_OF(VkAccessFlags2, barrier->src_accesses),
               NAMED(barrier->call, HANDLE_IMAGE, barrier->handle),
               TEXT_OF(VkImageLayout, (uint32_t)barrier->new_layout));
}

/* True if the barrier may be wrong. Transitions from one used layout to another are not judged. */
static bool barrier_is_interesting(const struct advised_image *barrier)
{
    return barrier->old_layout == VK_IMAGE_LAYOUT_UNDEFINED ||
           barrier->old_layout == barrier->new_layout ||
           barrier->new_layout == VK_IMAGE_LAYOUT_GENERAL ||
           (barrier->dst_accesses & impossible_accesses(barrier->new_layout)) != 0;
}

/* Counts the command buffer's barriers, for practices_after_EndCommandBuffer(). */
static void count_barriers(const struct call *call, uint32_t count)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    if (kept)
        kept->barriers += count;
}

void practices_after_CmdPipelineBarrier(struct call *call, VkCommandBuffer commandBuffer,
                                        VkPipelineStageFlags srcStageMask,
                                        VkPipelineStageFlags dstStageMask,
                                        VkDependencyFlags dependencyFlags,
                                        uint32_t memoryBarrierCount,
                                        const VkMemoryBarrier *pMemoryBarriers,
                                        uint32_t bufferMemoryBarrierCount,
                                        const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                        uint32_t imageMemoryBarrierCount,
                                        const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    count_barriers(call, memoryBarrierCount + bufferMemoryBarrierCount + imageMemoryBarrierCount);
    for (uint32_t i = 0; pImageMemoryBarriers && i < imageMemoryBarrierCount; i++) {
        const VkImageMemoryBarrier *from = &pImageMemoryBarriers[i];
        const struct advised_image barrier = {
            call,
            &LOCATION_INDEX(NULL, "pImageMemoryBarriers", i),
            from->image,
            from->oldLayout,
            from->newLayout,
            from->srcQueueFamilyIndex,
            from->dstQueueFamilyIndex,
            from->srcAccessMask,
            from->dstAccessMask,
            &from->subresourceRange,
        };
        if (unlikely(barrier_is_interesting(&barrier)))
            barrier_judge_image(&barrier);
    }
}

void practices_after_CmdPipelineBarrier2(struct call *call, VkCommandBuffer commandBuffer,
                                         const VkDependencyInfo *pDependencyInfo)
{
    const VkDependencyInfo *info = pDependencyInfo;
    count_barriers(call, info->memoryBarrierCount + info->bufferMemoryBarrierCount +
                             info->imageMemoryBarrierCount);
    for (uint32_t i = 0; info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++) {
        const VkImageMemoryBarrier2 *from = &info->pImageMemoryBarriers[i];
        const struct advised_image barrier = {
            call,
            &LOCATION_INDEX(&LOCATION_POINTER(NULL, "pDependencyInfo"), "pImageMemoryBarriers", i),
            from->image,
            from->oldLayout,
            from->newLayout,
            from->srcQueueFamilyIndex,
            from->dstQueueFamilyIndex,
            from->srcAccessMask,
            from->dstAccessMask,
            &from->subresourceRange,
        };
        if (unlikely(barrier_is_interesting(&barrier)))
            barrier_judge_image(&barrier);
    }
}

/* --- events --- */

/* Advises if the command buffer has already set the event. The last SET_EVENTS events are
 * remembered. */
static void barrier_set_event(const struct call *call, VkEvent event)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    const struct object *object = call_find(call, (uint64_t)event, HANDLE_EVENT);
    const uint32_t index =
        object ? object_index(atomic_load_explicit(&object->id, memory_order_relaxed)) : 0;
    if (!kept || !index)
        return;
    for (uint32_t i = 0; i < SET_EVENTS; i++) {
        if (kept->events[i] != index)
            continue;
        advise(call, BestPractices_Event_SignalSignaledEvent, &LOCATION(NULL, "event"),
               OBJECT(HANDLE_EVENT, event), "is %s, which this command buffer has set already",
               NAMED(call, HANDLE_EVENT, event));
        return;
    }
    kept->events[kept->next_event++ % SET_EVENTS] = index;
}

/* Forgets the events that were set, as after a wait or reset the state of events is not known. */
static void forget_events(const struct call *call)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    for (uint32_t i = 0; kept && i < SET_EVENTS; i++)
        kept->events[i] = 0;
}

/* A secondary may have waited for events, or reset them. */
void practices_after_CmdExecuteCommands_events(struct call *call, VkCommandBuffer commandBuffer,
                                               uint32_t commandBufferCount,
                                               const VkCommandBuffer *pCommandBuffers)
{
    forget_events(call);
}

void practices_after_CmdSetEvent(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                                 VkPipelineStageFlags stageMask)
{
    barrier_set_event(call, event);
}

void practices_after_CmdSetEvent2(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                                  const VkDependencyInfo *pDependencyInfo)
{
    barrier_set_event(call, event);
}

void practices_after_CmdResetEvent(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                                   VkPipelineStageFlags stageMask)
{
    forget_events(call);
}

void practices_after_CmdResetEvent2(struct call *call, VkCommandBuffer commandBuffer, VkEvent event,
                                    VkPipelineStageFlags2 stageMask)
{
    forget_events(call);
}

void practices_after_CmdWaitEvents(struct call *call, VkCommandBuffer commandBuffer,
                                   uint32_t eventCount, const VkEvent *pEvents,
                                   VkPipelineStageFlags srcStageMask,
                                   VkPipelineStageFlags dstStageMask, uint32_t memoryBarrierCount,
                                   const VkMemoryBarrier *pMemoryBarriers,
                                   uint32_t bufferMemoryBarrierCount,
                                   const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                   uint32_t imageMemoryBarrierCount,
                                   const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    forget_events(call);
}

void practices_after_CmdWaitEvents2(struct call *call, VkCommandBuffer commandBuffer,
                                    uint32_t eventCount, const VkEvent *pEvents,
                                    const VkDependencyInfo *pDependencyInfos)
{
    forget_events(call);
}
