/* Several queues use one image and one buffer in turn, with semaphores of both kinds between.
 * Resources are exclusive, with ownership that is transferred or contents that are given up, or
 * concurrent. */
#include "valid.h"

#define HOPS_MOST 5

struct shared {
    struct image *image;
    struct buffer *buffer;
    bool concurrent;
    const struct queue *queues[HOPS_MOST];
    uint32_t hops;
    VkImageLayout layout; /* after the last release */
    VkImageLayout before; /* the release's old layout */
    bool stale;           /* another family owns the buffer's contents: they must not be read */
};

/* A move of image and buffer from one family to the other: the same barrier is recorded on both
 * sides. */
struct move {
    uint32_t from, to;
    VkImageLayout old, new;
    bool release; /* or it acquires */
};

static VkImageSubresourceRange whole_image(struct world *w, const struct image *image)
{
    return (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                                     chance(w, 50) ? VK_REMAINING_ARRAY_LAYERS
                                                   : image->info.arrayLayers};
}

#define ALL_ACCESS (VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT)

static void move_old(struct world *w, VkCommandBuffer c, const struct shared *s,
                     const struct move *m)
{
    /* The other side's accesses are ignored, whatever its stages have. */
    VkAccessFlags ignored =
        PICK(0u, VK_ACCESS_SHADER_READ_BIT, VK_ACCESS_HOST_WRITE_BIT, ALL_ACCESS);
    bool transfer = m->from != m->to;
    VkAccessFlags from = transfer && !m->release ? ignored : ALL_ACCESS,
                  to = transfer && m->release ? ignored : ALL_ACCESS;
    VkImageMemoryBarrier image = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                  .srcAccessMask = from,
                                  .dstAccessMask = to,
                                  .oldLayout = m->old,
                                  .newLayout = m->new,
                                  .srcQueueFamilyIndex = m->from,
                                  .dstQueueFamilyIndex = m->to,
                                  .image = s->image->handle,
                                  .subresourceRange = whole_image(w, s->image)};
    VkBufferMemoryBarrier buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                    .srcAccessMask = from,
                                    .dstAccessMask = to,
                                    .srcQueueFamilyIndex = m->from,
                                    .dstQueueFamilyIndex = m->to,
                                    .buffer = s->buffer->handle,
                                    .size = PICK(VK_WHOLE_SIZE, s->buffer->size)};
    VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    CALL(CmdPipelineBarrier, c,
         transfer && !m->release
             ? (VkPipelineStageFlags)PICK(all, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT)
             : all,
         transfer && m->release
             ? (VkPipelineStageFlags)PICK(all, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT)
             : all,
         0, 0, IGNORED, 1, &buffer, 1, &image);
}

static void move_new(struct world *w, VkCommandBuffer c, const struct shared *s,
                     const struct move *m)
{
    VkPipelineStageFlags2 all = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    VkAccessFlags2 access = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    bool transfer = m->from != m->to, one_from = transfer && !m->release && chance(w, 50),
         one_to = transfer && m->release && chance(w, 50);
    VkImageMemoryBarrier2 image = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                   .srcStageMask = one_from ? VK_PIPELINE_STAGE_2_NONE : all,
                                   .srcAccessMask = one_from ? 0 : access,
                                   .dstStageMask = one_to ? VK_PIPELINE_STAGE_2_NONE : all,
                                   .dstAccessMask = one_to ? 0 : access,
                                   .oldLayout = m->old,
                                   .newLayout = m->new,
                                   .srcQueueFamilyIndex = m->from,
                                   .dstQueueFamilyIndex = m->to,
                                   .image = s->image->handle,
                                   .subresourceRange = whole_image(w, s->image)};
    VkBufferMemoryBarrier2 buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                     .srcStageMask = image.srcStageMask,
                                     .srcAccessMask = image.srcAccessMask,
                                     .dstStageMask = image.dstStageMask,
                                     .dstAccessMask = image.dstAccessMask,
                                     .srcQueueFamilyIndex = m->from,
                                     .dstQueueFamilyIndex = m->to,
                                     .buffer = s->buffer->handle,
                                     .size = PICK(VK_WHOLE_SIZE, s->buffer->size)};
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                             .pMemoryBarriers = IGNORED,
                             .bufferMemoryBarrierCount = 1,
                             .pBufferMemoryBarriers = &buffer,
                             .imageMemoryBarrierCount = 1,
                             .pImageMemoryBarriers = &image};
    CALL(CmdPipelineBarrier2, c, &info);
}

static void move_ownership(struct world *w, VkCommandBuffer c, const struct shared *s,
                           const struct move *m)
{
    note(w, "%s from family %d to %d, layout %d to %d", m->release ? "released" : "acquired",
         (int)m->from, (int)m->to, (int)m->old, (int)m->new);
    if (ON(synchronization2) && chance(w, 50))
        move_new(w, c, s, m);
    else
        move_old(w, c, s, m);
}

static VkImageLayout any_layout(struct world *w)
{
    return PICK(VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

/* Something that the layout allows, of all of the first level. */
static void use_shared(struct world *w, VkCommandBuffer c, struct shared *s,
                       const struct queue *queue)
{
    VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .imageExtent = s->image->info.extent};
    bool clears = queue->flags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT);
    if (chance(w, 20))
        return;
    if (s->layout == VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL) {
        CALL(CmdCopyImageToBuffer, c, s->image->handle, s->layout, s->buffer->handle, 1, &region);
        s->stale = false;
    } else if (clears && chance(w, 50)) {
        VkClearColorValue value = {.uint32 = {1, 2, 3, 4}};
        VkImageSubresourceRange range = whole_image(w, s->image);
        CALL(CmdClearColorImage, c, s->image->handle, s->layout, &value, 1, &range);
        if (chance(w, 50)) {
            CALL(CmdFillBuffer, c, s->buffer->handle, 0, VK_WHOLE_SIZE, 7);
            s->stale = false;
        }
    } else if (!s->stale) {
        CALL(CmdCopyBufferToImage, c, s->buffer->handle, s->image->handle, s->layout, 1, &region);
    }
}

/* One queue's part. `kept`: the contents come from the part before; this one acquires what was
 * released. */
static VkCommandBuffer record_hop(struct world *w, struct shared *s, uint32_t hop, bool *kept)
{
    const struct queue *queue = s->queues[hop];
    uint32_t mine = queue->family;
    VkCommandBuffer c = make_command_buffer(w, queue, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .pInheritanceInfo = IGNORED};
    MUST(BeginCommandBuffer, c, &begin);
    struct move in = {VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED, VK_IMAGE_LAYOUT_UNDEFINED,
                      any_layout(w), false};
    if (*kept && s->queues[hop - 1]->family != mine && !s->concurrent) {
        in = (struct move){s->queues[hop - 1]->family, mine, s->before, s->layout, false};
    } else if (*kept || hop == 0) {
        in.old = hop ? s->layout : VK_IMAGE_LAYOUT_UNDEFINED;
    }
    if (in.from != in.to)
        s->stale = false;
    else if (hop && s->queues[hop - 1]->family != mine && !s->concurrent)
        s->stale = true;
    move_ownership(w, c, s, &in);
    s->layout = in.new;
    use_shared(w, c, s, queue);
    *kept = chance(w, 80);
    if (hop + 1 < s->hops && *kept && s->queues[hop + 1]->family != mine && !s->concurrent) {
        struct move out = {mine, s->queues[hop + 1]->family, s->layout, any_layout(w), true};
        move_ownership(w, c, s, &out);
        s->before = out.old;
        s->layout = out.new;
    }
    MUST(EndCommandBuffer, c);
    return c;
}

void step_sharing(struct world *w)
{
    struct shared *s = NEW(struct shared, .hops = between(w, 2, HOPS_MOST));
    bool several = false;
    for (uint32_t i = 0; i < s->hops; i++) {
        s->queues[i] = any_queue(w, VK_QUEUE_TRANSFER_BIT);
        several |= s->queues[i]->family != s->queues[0]->family;
    }
    VkImageCreateInfo info =
        image_info(VK_FORMAT_R8G8B8A8_UNORM, 16, 16,
                   VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    info.mipLevels = between(w, 1, 3);
    info.arrayLayers = between(w, 1, 3);
    s->concurrent = several && chance(w, 40);
    w->sharing = s->concurrent ? SHARING_CONCURRENT : SHARING_EXCLUSIVE;
    s->image = make_image(w, &info);
    s->buffer =
        make_buffer(w, 16 * 16 * 4,
                    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, false);
    w->sharing = SHARING_ANY;
    if (!s->image)
        return;
    bool timeline = ON(timelineSemaphore) && chance(w, 50), kept = false;
    /* The host may tell the queues in another order than they run in. */
    bool backwards = timeline && chance(w, 30);
    VkSemaphore semaphores[HOPS_MOST];
    struct batch batches[HOPS_MOST];
    VkCommandBuffer buffers[HOPS_MOST];
    bool one = timeline && chance(w, 50);
    for (uint32_t i = 0; i < s->hops; i++) {
        semaphores[i] = i && one ? semaphores[0] : make_semaphore(w, timeline);
        buffers[i] = record_hop(w, s, i, &kept);
        batches[i] = (struct batch){.count = 1, .buffers = &buffers[i], .timeline = timeline};
        if (i) {
            batches[i].waits[0] = semaphores[i - 1];
            batches[i].wait_values[0] = i;
            batches[i].wait_count = 1;
            backwards &= s->queues[i]->handle != s->queues[i - 1]->handle;
            for (uint32_t j = 0; j < i; j++)
                backwards &= s->queues[i]->handle != s->queues[j]->handle;
        }
        if (i + 1 < s->hops) {
            batches[i].signals[0] = semaphores[i];
            batches[i].signal_values[0] = i + 1;
            batches[i].signal_count = 1;
        }
    }
    for (uint32_t i = 0; i < s->hops; i++) {
        uint32_t at = backwards ? s->hops - 1 - i : i;
        submit_batches(w, s->queues[at]->handle, 1, &batches[at], VK_NULL_HANDLE);
    }
    w->idle = false;
    if (chance(w, 50))
        wait_for_all(w);
}
