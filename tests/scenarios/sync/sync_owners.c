/* Resources that one queue family owns and another one reads (12.8 "Resource Sharing Mode",
 * 7.7.4 "Queue Family Ownership Transfer"). */
#include "sync/sync_program.h"
#include "sync/sync_world.h"

#define OTHERS .expect = {"VUID-vkQueueSubmit-pSubmits-02808"}, .drivers = NULL_DRIVER
#define RIGHT  .drivers = NULL_DRIVER

/* Written on the transfer queue, read on the graphics queue. */
PROGRAM(owner_reads_behind_semaphore, "t [e +1] g [?1 q]", OTHERS,
        .text = {"reads by vkCmdCopyBuffer (command 0) what queue family 2 owns: vkCmdFillBuffer "
                 "(command 0 of its command buffer) has written it there"})
PROGRAM(owner_reads_behind_timeline, "t [e ^1] g [~1 q]", OTHERS)
PROGRAM(owner_reads_behind_a_larger_value, "t [e ^1] [^3] g [~2 x] [~3 q]", OTHERS)
PROGRAM(owner_reads_when_idle, "t [e] ! g [q]", OTHERS)
PROGRAM(owner_reads_behind_fence, "t [e] F g [q]", OTHERS)
PROGRAM(owner_reads_in_a_later_batch, "t [e / +1] g [?1 / q]", OTHERS)
PROGRAM(owner_reads_over_three_queues, "t [e +1] c [?1 +2] g [?2 q]", OTHERS)
PROGRAM(owner_reads_by_secondaries, "t [{e} +1] g [?1 {x} {q}]", OTHERS)
PROGRAM(owner_acquired_it, "t [e o +1] g [?1 a q +2] t [?2 q]", OTHERS,
        .text = {"what queue family 0 has acquired and not released to family 2"})
PROGRAM(owner_reads_after_a_released_one, "t [e o +1] g [?1 a m e +2] t [?2 q]", OTHERS)
PROGRAM(owner_told_once, "t [e] ! g [q] [m q]", OTHERS)

PROGRAM(owner_hands_over, "t [e o +1] g [?1 a q]", RIGHT)
PROGRAM(owner_hands_over_and_back, "t [e o +1] g [?1 a q O +2] t [?2 A m q]", RIGHT)
PROGRAM(owner_hands_over_in_several_command_buffers, "t [e, m o +1] g [?1 a, q]", RIGHT)
PROGRAM(owner_hands_over_in_several_batches, "t [e / m o +1] g [?1 a / q]", RIGHT)
PROGRAM(owner_hands_over_by_secondaries, "t [e {o} +1] g [?1 {a} q]", RIGHT)
PROGRAM(owner_hands_over_when_idle, "t [e o] ! g [a] [q]", RIGHT)
PROGRAM(owner_hands_over_ahead, "g [~1 a q] t [e o ^1]", RIGHT)
/* "A queue family can take ownership [...] without an ownership transfer": a command that
 * overwrites what is there needs none. */
PROGRAM(owner_is_who_overwrites, "t [e +1] g [?1 e m q]", RIGHT)
PROGRAM(owner_is_who_overwrites_first, "t [e +1] g [?1 e] [m q]", RIGHT)
PROGRAM(owners_that_only_write, "t [e +1] g [?1 e +2] t [?2 e +3] c [?3 e]", RIGHT)
PROGRAM(owners_take_turns, "t [e m q +1] g [?1 e m q +2] t [?2 e m q]", RIGHT)
PROGRAM(owner_reads_its_own, "t [e +1] g [?1 x] t [m q]", RIGHT)
/* It is released, and has no owner. What is read is undefined, but no family owns it. */
PROGRAM(owner_is_nobody, "t [e o +1] g [?1 q]", RIGHT)
/* Where the order is not known there is nothing but the race. */
PROGRAM(owner_reads_side_by_side, "t [e] g [q]", .expect = {"SYNC-HAZARD-READ-RACING-WRITE"},
        .drivers = NULL_DRIVER)
PROGRAM(owner_reads_ahead, "g [~1 q] t [e ^1]", RIGHT)
PROGRAM(owner_writes_ahead, "t [~1 e ^2] g [e ^1] t [m q]", RIGHT)
PROGRAM(owner_writes_ahead_and_hands_over_to_nobody, "t [~1 e ^2] g [e ^1] [~2 m e m q]", RIGHT)
PROGRAM(owner_waits_for_an_earlier_signal, "t [+1] [e] g [?1 q]",
        .expect = {"SYNC-HAZARD-READ-RACING-WRITE"}, .drivers = NULL_DRIVER)

/* "the affected resource must not be modified in any way between the last matching release
 * operation and the acquire operation" */
#define MODIFIED_PROGRAM(name_, program_)                                                      \
    SCENARIO(name_, PROGRAM_FIELDS, .expect = {"VUID-vkQueueSubmit-pSubmits-10911"},           \
             .text = {"vkCmdFillBuffer (command 1 of its command buffer) has written"},        \
             .drivers = NULL_DRIVER)                                                           \
    {                                                                                          \
        run_program(b, program_, false);                                                       \
    }                                                                                          \
    SCENARIO(name_##_2, PROGRAM_FIELDS, .expect = {"VUID-vkQueueSubmit2-commandBuffer-10910"}, \
             .drivers = NULL_DRIVER)                                                           \
    {                                                                                          \
        run_program(b, program_, true);                                                        \
    }
MODIFIED_PROGRAM(owner_writes_what_it_released, "t [e o +1] [m e +2] g [?1 ?2 a q]")
PROGRAM(owner_releases_again, "t [e o +1] [m e o +2] g [?1 ?2 a q]", RIGHT)
PROGRAM(owner_writes_in_front_of_the_release, "t [e] [m e o +2] g [?2 a q]", RIGHT)
PROGRAM(owner_writes_what_it_acquired, "t [e o +1] g [?1 a m e +2] t [?2 e]", RIGHT)

/* --- images --- */

struct gallery {
    struct baseline *b;
    uint32_t transfer, graphics;
    VkQueue transfer_queue, graphics_queue;
    VkBuffer buffer;
    VkImage image;
    VkCommandBuffer commands;
};

static void gallery_begin(struct baseline *b, struct gallery *g)
{
    *g = (struct gallery){.b = b, .graphics = b->queue_family, .graphics_queue = b->queue};
    g->transfer = find_queue_family(b->physical_device, VK_QUEUE_TRANSFER_BIT,
                                    VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT);
    ENSURE(g->transfer != UINT32_MAX);
    vkGetDeviceQueue(b->device, g->transfer, 0, &g->transfer_queue);
    g->image = make_image(b, VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                 VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    g->buffer = make_buffer(b, WORLD_BYTES,
                            VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
}

static void record_on(struct gallery *g, uint32_t family)
{
    g->commands = make_recording_of(g->b, family);
}

static void submit_gallery(struct gallery *g, VkQueue queue)
{
    const VkSubmitInfo info = submit_info(&g->commands);
    VK(vkEndCommandBuffer(g->commands));
    vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
    VK(vkQueueWaitIdle(queue));
}

#define UNDEFINED VK_IMAGE_LAYOUT_UNDEFINED
#define DST       VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
#define SRC       VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL
#define COLOR     VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL

static void change_owner(const struct gallery *g, VkImageLayout from, VkImageLayout to,
                         bool hands_over)
{
    VkImageMemoryBarrier barrier = image_barrier(g->image, from, to);
    barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    if (hands_over) {
        barrier.srcQueueFamilyIndex = g->transfer;
        barrier.dstQueueFamilyIndex = g->graphics;
    }
    vkCmdPipelineBarrier(g->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static VkBufferImageCopy whole_copy(void)
{
    return (VkBufferImageCopy){.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                               .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
}

static void upload_image(const struct gallery *g)
{
    const VkBufferImageCopy region = whole_copy();
    vkCmdCopyBufferToImage(g->commands, g->buffer, g->image, DST, 1, &region);
}

static void download_image(const struct gallery *g)
{
    VkBuffer to = make_buffer(g->b, WORLD_BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const VkBufferImageCopy region = whole_copy();
    vkCmdCopyImageToBuffer(g->commands, g->image, SRC, to, 1, &region);
}

/* The image is written on the transfer queue; then commands are recorded for the graphics queue. */
static void upload_elsewhere(struct baseline *b, struct gallery *g, VkImageLayout leaves,
                             bool hands_over)
{
    gallery_begin(b, g);
    record_on(g, g->transfer);
    change_owner(g, UNDEFINED, DST, false);
    upload_image(g);
    if (leaves != DST || hands_over)
        change_owner(g, DST, leaves, hands_over);
    submit_gallery(g, g->transfer_queue);
    record_on(g, g->graphics);
}

#define GALLERY(name_, ...)                                                     \
    SCENARIO(name_, .drivers = NULL_DRIVER, .settings = {"validate_sync=true"}, \
             .features = &world_features, ##__VA_ARGS__)
#define OTHERS_IMAGE .expect = {"VUID-vkQueueSubmit-pSubmits-02808"}

/* The transition preserves what another family owns, and what is read after it is undefined. */
GALLERY(owner_of_image_reads_behind_a_transition, OTHERS_IMAGE,
        .text = {"reads by vkCmdCopyImageToBuffer (command 1) what queue family 2 owns: "
                 "vkCmdCopyBufferToImage (command 1"})
{
    struct gallery g;
    upload_elsewhere(b, &g, DST, false);
    change_owner(&g, DST, SRC, false);
    download_image(&g);
    submit_gallery(&g, g.graphics_queue);
}

GALLERY(owner_of_image_reads_at_once, OTHERS_IMAGE)
{
    struct gallery g;
    upload_elsewhere(b, &g, SRC, false);
    download_image(&g);
    submit_gallery(&g, g.graphics_queue);
}

/* The acquire is missing, not a transition from what would throw the contents away. */
static void download_released(struct baseline *b, bool acquires)
{
    struct gallery g;
    upload_elsewhere(b, &g, SRC, true);
    if (acquires)
        change_owner(&g, DST, SRC, true);
    download_image(&g);
    submit_gallery(&g, g.graphics_queue);
}

SCENARIO(owner_of_image_released_and_not_acquired, .drivers = NULL_DRIVER, .ours_only = true,
         .expect = {"VUID-vkCmdDraw-None-09600"},
         .text = {"but queue family 2 has released it to family 0, and nothing has acquired it",
                  "fix     acquire it before, on a queue of family 0, with an image barrier",
                  "oldLayout VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL and newLayout"})
{
    download_released(b, false);
}

SCENARIO(owner_of_image_released_and_acquired, .drivers = NULL_DRIVER)
{
    download_released(b, true);
}

GALLERY(owner_of_image_hands_over)
{
    struct gallery g;
    upload_elsewhere(b, &g, SRC, true);
    change_owner(&g, DST, SRC, true);
    download_image(&g);
    submit_gallery(&g, g.graphics_queue);
}

/* A barrier of vkCmdPipelineBarrier2 acquires as well. */
GALLERY(owner_of_image_hands_over_2)
{
    struct gallery g;
    upload_elsewhere(b, &g, SRC, true);
    const VkImageMemoryBarrier2 acquire = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                           .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                           .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT,
                                           .oldLayout = DST,
                                           .newLayout = SRC,
                                           .srcQueueFamilyIndex = g.transfer,
                                           .dstQueueFamilyIndex = g.graphics,
                                           .image = g.image,
                                           .subresourceRange = color_range()};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &acquire};
    vkCmdPipelineBarrier2(g.commands, &info);
    download_image(&g);
    submit_gallery(&g, g.graphics_queue);
}

/* "If an application does not need the contents of a resource to remain valid [...] the
 * ownership transfer should be skipped." */
GALLERY(owner_of_image_discards_it)
{
    struct gallery g;
    upload_elsewhere(b, &g, DST, false);
    change_owner(&g, UNDEFINED, DST, false);
    upload_image(&g);
    change_owner(&g, DST, SRC, false);
    download_image(&g);
    submit_gallery(&g, g.graphics_queue);
}

/* The contents are written before they are read, though the transition would have kept them. */
GALLERY(owner_of_image_writes_behind_a_transition)
{
    struct gallery g;
    upload_elsewhere(b, &g, SRC, false);
    change_owner(&g, SRC, DST, false);
    upload_image(&g);
    change_owner(&g, DST, SRC, false);
    download_image(&g);
    submit_gallery(&g, g.graphics_queue);
}

/* Only the other half of the image was written elsewhere. */
GALLERY(owner_of_other_texels)
{
    struct gallery g;
    gallery_begin(b, &g);
    record_on(&g, g.transfer);
    change_owner(&g, UNDEFINED, DST, false);
    VkBufferImageCopy region = whole_copy();
    region.imageExtent.height = IMAGE_EXTENT / 2;
    vkCmdCopyBufferToImage(g.commands, g.buffer, g.image, DST, 1, &region);
    change_owner(&g, DST, SRC, false);
    submit_gallery(&g, g.transfer_queue);
    record_on(&g, g.graphics);
    region.imageOffset.y = IMAGE_EXTENT / 2;
    VkBuffer to = make_buffer(b, WORLD_BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    vkCmdCopyImageToBuffer(g.commands, g.image, SRC, to, 1, &region);
    submit_gallery(&g, g.graphics_queue);
}

static void render_owned(struct gallery *g, VkAttachmentLoadOp load)
{
    VkImageViewCreateInfo view = image_view_info(g->image);
    const VkRenderingAttachmentInfo attachment = {.sType =
                                                      VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                  .imageView = create_image_view(g->b, &view),
                                                  .imageLayout = COLOR,
                                                  .loadOp = load,
                                                  .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea.extent = {IMAGE_EXTENT, IMAGE_EXTENT},
                                  .layerCount = 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &attachment};
    vkCmdBeginRendering(g->commands, &info);
    vkCmdEndRendering(g->commands);
}

GALLERY(owner_of_attachment_loads, OTHERS_IMAGE,
        .text = {"reads by vkCmdBeginRendering (command 1)"})
{
    struct gallery g;
    upload_elsewhere(b, &g, DST, false);
    change_owner(&g, DST, COLOR, false);
    render_owned(&g, VK_ATTACHMENT_LOAD_OP_LOAD);
    submit_gallery(&g, g.graphics_queue);
}

GALLERY(owner_of_attachment_clears)
{
    struct gallery g;
    upload_elsewhere(b, &g, DST, false);
    change_owner(&g, DST, COLOR, false);
    render_owned(&g, VK_ATTACHMENT_LOAD_OP_CLEAR);
    change_owner(&g, COLOR, SRC, false);
    download_image(&g);
    submit_gallery(&g, g.graphics_queue);
}

/* No family has to own what several share. */
GALLERY(owner_of_shared_image)
{
    struct gallery g;
    gallery_begin(b, &g);
    const uint32_t families[] = {g.transfer, g.graphics};
    VkImageCreateInfo info =
        image_info(VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = 2;
    info.pQueueFamilyIndices = families;
    g.image = make_image_of(b, &info);
    record_on(&g, g.transfer);
    change_owner(&g, UNDEFINED, DST, false);
    upload_image(&g);
    change_owner(&g, DST, SRC, false);
    submit_gallery(&g, g.transfer_queue);
    record_on(&g, g.graphics);
    download_image(&g);
    submit_gallery(&g, g.graphics_queue);
}

/* An image in the same memory may have been written since. */
GALLERY(owner_of_aliased_image)
{
    struct gallery g;
    gallery_begin(b, &g);
    VkImage images[2];
    VkImageCreateInfo info =
        image_info(VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    VkMemoryRequirements requirements;
    info.flags = VK_IMAGE_CREATE_ALIAS_BIT;
    for (int i = 0; i < 2; i++)
        images[i] = create_image(b, &info);
    vkGetImageMemoryRequirements(b->device, images[0], &requirements);
    VkDeviceMemory memory = make_memory(b, requirements.size);
    for (int i = 0; i < 2; i++)
        VK(vkBindImageMemory(b->device, images[i], memory, 0));
    g.image = images[0];
    record_on(&g, g.transfer);
    change_owner(&g, UNDEFINED, DST, false);
    upload_image(&g);
    change_owner(&g, DST, SRC, false);
    submit_gallery(&g, g.transfer_queue);
    record_on(&g, g.graphics);
    g.image = images[1];
    change_owner(&g, UNDEFINED, DST, false);
    upload_image(&g);
    change_owner(&g, DST, SRC, false);
    g.image = images[0];
    download_image(&g);
    submit_gallery(&g, g.graphics_queue);
}

/* --- shaders --- */

/* `size` bytes of the world's buffer are written on the transfer queue; then commands are
 * recorded for the graphics queue. */
static void fill_elsewhere(struct baseline *b, struct gallery *g, struct world *w,
                           VkDeviceSize size)
{
    gallery_begin(b, g);
    world_begin(b, w);
    record_on(g, g->transfer);
    vkCmdFillBuffer(g->commands, w->buffer, 0, size, 0);
    submit_gallery(g, g->transfer_queue);
    g->commands = w->commands;
}

#define FILLED(name_, size_, operation_, ...) \
    GALLERY(name_, ##__VA_ARGS__)             \
    {                                         \
        struct gallery g;                     \
        struct world world;                   \
        fill_elsewhere(b, &g, &world, size_); \
        operation_.record(&world);            \
        submit_gallery(&g, g.graphics_queue); \
    }
FILLED(owner_of_uniforms, VK_WHOLE_SIZE, operation_dispatch_uniform, OTHERS_IMAGE,
       .text = {"reads by vkCmdDispatch"})
FILLED(owner_of_read_storage, VK_WHOLE_SIZE, operation_dispatch_read, OTHERS_IMAGE)
FILLED(owner_of_vertices, VK_WHOLE_SIZE, operation_draw_vertices, OTHERS_IMAGE)
FILLED(owner_of_indices, VK_WHOLE_SIZE, operation_draw_indices, OTHERS_IMAGE)
FILLED(owner_of_draws, VK_WHOLE_SIZE, operation_draw_indirect, OTHERS_IMAGE)
/* A shader may read what the other family has not written, and may write what it reads. */
FILLED(owner_of_some_uniforms, 4, operation_dispatch_uniform)
FILLED(owner_of_some_storage, 128, operation_dispatch_read)
FILLED(owner_of_written_storage, VK_WHOLE_SIZE, operation_dispatch_write)

/* The host may have written what it has mapped. */
GALLERY(owner_of_mapped_buffer)
{
    struct gallery g;
    struct world world;
    void *data;
    fill_elsewhere(b, &g, &world, VK_WHOLE_SIZE);
    VK(vkMapMemory(b->device, buffer_memory(b, world.buffer), 0, VK_WHOLE_SIZE, 0, &data));
    operation_dispatch_uniform.record(&world);
    submit_gallery(&g, g.graphics_queue);
    vkUnmapMemory(b->device, buffer_memory(b, world.buffer));
}

/* It is unknown what a submission that failed has written. */
GALLERY(owner_whose_submission_failed,
        .null_driver = "{\"fail\": {\"vkQueueSubmit\": \"VK_ERROR_OUT_OF_DEVICE_MEMORY\"}}")
{
    struct gallery g;
    struct world world;
    gallery_begin(b, &g);
    world_begin(b, &world);
    record_on(&g, g.transfer);
    vkCmdFillBuffer(g.commands, world.buffer, 0, VK_WHOLE_SIZE, 0);
    VK(vkEndCommandBuffer(g.commands));
    const VkSubmitInfo failing = submit_info(&g.commands);
    EXPECT_EQUAL(vkQueueSubmit(g.transfer_queue, 1, &failing, VK_NULL_HANDLE),
                 VK_ERROR_OUT_OF_DEVICE_MEMORY);
    VK(vkQueueWaitIdle(g.transfer_queue));
    operation_dispatch_uniform.record(&world);
    VK(vkEndCommandBuffer(world.commands));
    const VkCommandBufferSubmitInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = world.commands};
    const VkSubmitInfo2 submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                  .commandBufferInfoCount = 1,
                                  .pCommandBufferInfos = &commands};
    VK(vkQueueSubmit2(b->queue, 1, &submit, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

/* --- VK_SHARING_MODE_CONCURRENT --- */

static void use_shared(struct baseline *b, bool with_transfer)
{
    struct gallery g;
    gallery_begin(b, &g);
    const uint32_t families[] = {
        g.graphics,
        find_queue_family(b->physical_device, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT),
        g.transfer};
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = with_transfer ? 3 : 2;
    info.pQueueFamilyIndices = families;
    VkBuffer buffer = create_buffer(b, &info);
    VK(vkBindBufferMemory(b->device, buffer, make_memory(b, 4096), 0));
    record_on(&g, g.transfer);
    vkCmdFillBuffer(g.commands, buffer, 0, VK_WHOLE_SIZE, 0);
    submit_gallery(&g, g.transfer_queue);
}

GALLERY(shared_without_the_family, .expect = {"VUID-vkQueueSubmit-pSubmits-04626"},
        .text = {"accesses by vkCmdFillBuffer (command 0) a resource that was created for "
                 "VK_SHARING_MODE_CONCURRENT without queue family 2"})
{
    use_shared(b, false);
}

GALLERY(shared_with_the_family)
{
    use_shared(b, true);
}

GALLERY(image_shared_without_the_family, .expect = {"VUID-vkQueueSubmit-pSubmits-04626"},
        .text = {"accesses by vkCmdCopyBufferToImage (command 1) a resource"})
{
    struct gallery g;
    gallery_begin(b, &g);
    const uint32_t families[] = {
        g.graphics,
        find_queue_family(b->physical_device, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT)};
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = 2;
    info.pQueueFamilyIndices = families;
    g.image = make_image_of(b, &info);
    record_on(&g, g.transfer);
    change_owner(&g, UNDEFINED, DST, false);
    upload_image(&g);
    submit_gallery(&g, g.transfer_queue);
}
