/* A callback refuses a command for its hazards that does more than access memory. It orders,
 * executes others, begins or ends a subpass or an instance. It has not happened: what was there
 * before is known still, and nothing is ordered by it. */
#include "layer/refused.h"
#include "sync/sync_world.h"

#define DO(which_)  operation_##which_.record(w)
#define UNWRAP(...) __VA_ARGS__
#define NO_LOAD     .extensions = {"VK_EXT_load_store_op_none"}
#define MARKERS     .drivers = NULL_DRIVER, .extensions = {VK_AMD_BUFFER_MARKER_EXTENSION_NAME}
/* Fields beside those that all have stand in the parentheses. */
#define SCRIPT(name_, fields_, ...)                                                  \
    SCENARIO(name_, .settings = {"validate_sync=true"}, .features = &world_features, \
             .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"}, UNWRAP fields_)            \
    {                                                                                \
        struct world world, *w = &world;                                             \
        world_begin(b, w);                                                           \
        __VA_ARGS__;                                                                 \
        RIGHT(VK(vkEndCommandBuffer(w->commands)); submit_refused_hazard(w));        \
    }

static void submit_refused_hazard(struct world *w)
{
    const VkSubmitInfo info = submit_info(&w->commands);
    VK(vkQueueSubmit(w->b->queue, 1, &info, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(w->b->queue));
}

/* --- barriers --- */

#define TRANSFER VK_PIPELINE_STAGE_TRANSFER_BIT
#define COMPUTE  VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT

/* A transition that waits for `from`, and beside it a barrier for all that transfers write. */
static void order_and_transition(struct world *w, VkPipelineStageFlags from, VkImageLayout to,
                                 uint32_t memory_count)
{
    const VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = from == TRANSFER ? VK_ACCESS_TRANSFER_WRITE_BIT : 0,
        .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT};
    VkImageMemoryBarrier barrier = image_barrier(w->image, VK_IMAGE_LAYOUT_GENERAL, to);
    barrier.srcAccessMask = memory.srcAccessMask;
    barrier.dstAccessMask = memory.dstAccessMask;
    vkCmdPipelineBarrier(w->commands, from, TRANSFER, 0, memory_count, &memory, 0, NULL, 1,
                         &barrier);
}

static void order_and_transition2(struct world *w)
{
    const VkMemoryBarrier2 memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                     .srcStageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT,
                                     .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                     .dstStageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT,
                                     .dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT};
    const VkImageMemoryBarrier2 image = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                         .srcStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                         .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                         .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT,
                                         .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
                                         .newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                         .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .image = w->image,
                                         .subresourceRange = color_range()};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &memory,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &image};
    vkCmdPipelineBarrier2(w->commands, &info);
}

SCRIPT(refused_transition, (), {
    DO(clear_image);
    MISTAKE(order_and_transition(w, COMPUTE, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, 0));
    MISTAKE(order_and_transition(w, COMPUTE, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, 1));
    RIGHT(order_and_transition(w, TRANSFER, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, 0));
})
SCRIPT(refused_transition_leaves_what_was, (), {
    DO(clear_image);
    MISTAKE(order_and_transition(w, COMPUTE, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, 0));
    MISTAKE(DO(write_image));
    expect_text(b, "vkCmdCopyBufferToImage(): writes");
    world_barrier(w, &operation_clear_image, &operation_write_image, true);
    RIGHT(DO(write_image));
})
/* None of its other barriers has happened: the buffer is not ordered, and neither is the other
 * image's transition there. */
SCRIPT(refused_transition_beside_a_global_barrier, (), {
    DO(clear_image);
    DO(fill_buffer);
    MISTAKE(order_and_transition2(w));
    MISTAKE(DO(fill_buffer));
    world_barrier(w, &operation_fill_buffer, &operation_fill_buffer, true);
    RIGHT(DO(fill_buffer));
})
SCRIPT(refused_transitions_of_two_images, (), {
    DO(clear_image);
    const VkImageMemoryBarrier barriers[2] = {
        image_barrier(w->other_image, VK_IMAGE_LAYOUT_GENERAL,
                      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL),
        image_barrier(w->image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL),
    };
    MISTAKE(vkCmdPipelineBarrier(w->commands, COMPUTE, COMPUTE, 0, 0, NULL, 0, NULL, 2, barriers));
    world_barrier(w, &operation_clear_image, &operation_copy_from_image, true);
    RIGHT(DO(copy_from_image)); /* writes the other image, in its old layout */
})

static void set_and_wait(struct world *w, VkPipelineStageFlags stage, VkImageLayout to)
{
    VkEvent event = make_event(w->b);
    VkImageMemoryBarrier barrier = image_barrier(w->image, VK_IMAGE_LAYOUT_GENERAL, to);
    barrier.srcAccessMask = stage == TRANSFER ? VK_ACCESS_TRANSFER_WRITE_BIT : 0;
    barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    vkCmdSetEvent(w->commands, event, stage);
    vkCmdWaitEvents(w->commands, 1, &event, stage, TRANSFER, 0, NULL, 0, NULL, 1, &barrier);
}
SCRIPT(refused_wait, (), {
    DO(clear_image);
    MISTAKE(set_and_wait(w, COMPUTE, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL));
    MISTAKE(DO(write_image));
    RIGHT(set_and_wait(w, TRANSFER, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL));
})

/* A wait that did not happen is none that a reset would race with. */
SCRIPT(refused_wait_and_a_reset, (), {
    VkEvent event = make_event(b);
    VkImageMemoryBarrier barrier =
        image_barrier(w->image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    barrier.srcAccessMask = 0;
    DO(clear_image);
    vkCmdSetEvent(w->commands, event, COMPUTE);
    world_barrier(w, &operation_fill_buffer, &operation_fill_buffer, true);
    MISTAKE(vkCmdWaitEvents(w->commands, 1, &event, COMPUTE, TRANSFER, 0, NULL, 0, NULL, 1,
                            &barrier));
    RIGHT(vkCmdResetEvent(w->commands, event, COMPUTE));
})

/* --- markers --- */

static void mark_buffer(struct world *w)
{
    DEVICE_PROC(w->b, vkCmdWriteBufferMarker2AMD)(w->commands, VK_PIPELINE_STAGE_2_NONE, w->buffer,
                                                  0, 1);
}
SCRIPT(refused_marker, (MARKERS), {
    DO(fill_buffer);
    MISTAKE(mark_buffer(w));
    MISTAKE(DO(update_buffer));
    expect_text(b, "by vkCmdFillBuffer (command ");
    world_barrier(w, &operation_fill_buffer, &operation_copy_from_buffer, true);
    RIGHT(DO(copy_from_buffer));
})

/* --- secondaries --- */

static VkCommandBuffer begin_refused_secondary(struct world *w)
{
    static const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo info = begin_info();
    info.pInheritanceInfo = &inheritance;
    w->commands = make_command_buffer(w->b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(w->commands, &info));
    return w->commands;
}

/* It fills the buffer, before a barrier for that, and sets an event where it is to. */
static VkCommandBuffer execute_secondary(struct world *w, bool sets)
{
    VkCommandBuffer primary = w->commands, commands = begin_refused_secondary(w);
    DO(fill_buffer);
    if (sets)
        vkCmdSetEvent(commands, make_event(w->b), TRANSFER);
    world_barrier(w, &operation_fill_buffer, &operation_fill_buffer, true);
    VK(vkEndCommandBuffer(commands));
    w->commands = primary;
    return commands;
}
static VkCommandBuffer execute_clears(struct world *w)
{
    VkCommandBuffer primary = w->commands, commands = begin_refused_secondary(w);
    DO(clear_image);
    VK(vkEndCommandBuffer(commands));
    w->commands = primary;
    return commands;
}

SCRIPT(refused_secondary, (), {
    const VkCommandBuffer commands = execute_secondary(w, false);
    DO(update_buffer);
    MISTAKE(vkCmdExecuteCommands(w->commands, 1, &commands));
    MISTAKE(vkCmdExecuteCommands(w->commands, 1, &commands));
    MISTAKE(DO(fill_buffer));
    expect_text(b, "vkCmdFillBuffer(): writes");
    world_barrier(w, &operation_update_buffer, &operation_fill_buffer, true);
    RIGHT(vkCmdExecuteCommands(w->commands, 1, &commands));
})
/* The first one of the two has no hazard, and has not happened either. */
SCRIPT(refused_secondaries, (), {
    const VkCommandBuffer both[] = {execute_clears(w), execute_secondary(w, false)};
    DO(update_buffer);
    MISTAKE(vkCmdExecuteCommands(w->commands, 2, both));
    RIGHT(DO(clear_image));
})
/* A secondary that cannot be taken back ends what is said of the command buffer. */
SCRIPT(refused_secondary_that_sets, (), {
    const VkCommandBuffer commands = execute_secondary(w, true);
    DO(update_buffer);
    MISTAKE(vkCmdExecuteCommands(w->commands, 1, &commands));
    RIGHT(DO(fill_buffer));
})

/* --- ends of instances, and subpasses --- */

/* The store operation comes too early: the instance reads and writes nothing else. */
SCRIPT(refused_end_of_rendering, (NO_LOAD), {
    VkRenderingAttachmentInfo color = rendering_attachment(w->view);
    color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    color.loadOp = VK_ATTACHMENT_LOAD_OP_NONE_EXT;
    const VkRenderingInfo info = rendering_info(&color);
    DO(clear_image);
    RIGHT(vkCmdBeginRendering(w->commands, &info));
    MISTAKE(vkCmdEndRendering(w->commands));
    expect_text(b, "vkCmdEndRendering(): writes");
    expect_text(b, "by vkCmdClearColorImage (command ");
    MISTAKE(vkCmdEndRendering(w->commands));
    b->skip = false;
    MISTAKE(vkCmdEndRendering(w->commands));
    world_barrier(w, &operation_rendering_clear, &operation_read_image, true);
    RIGHT(DO(read_image));
})

/* Two subpasses, of which the second one clears the image, and leaves it in another layout. What
 * that waits for, and what the transition at its end waits for. */
static void begin_two_subpasses(struct world *w, VkPipelineStageFlags into_second,
                                VkPipelineStageFlags out_of)
{
    VkImageViewCreateInfo view_info =
        image_view_info(make_image(w->b, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT));
    const VkImageView views[2] = {create_image_view(w->b, &view_info), w->view};
    VkAttachmentDescription attachments[2];
    for (uint32_t i = 0; i < 2; i++)
        attachments[i] =
            (VkAttachmentDescription){.format = COLOR_FORMAT,
                                      .samples = VK_SAMPLE_COUNT_1_BIT,
                                      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                      .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                      .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                      .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                      .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    attachments[1].initialLayout = VK_IMAGE_LAYOUT_GENERAL;
    attachments[1].finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const VkAttachmentReference refs[2] = {{0, VK_IMAGE_LAYOUT_GENERAL},
                                           {1, VK_IMAGE_LAYOUT_GENERAL}};
    const VkSubpassDescription subpasses[2] = {
        {.colorAttachmentCount = 1, .pColorAttachments = &refs[0]},
        {.colorAttachmentCount = 1, .pColorAttachments = &refs[1]}};
    const VkAccessFlags written = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    const VkSubpassDependency dependencies[3] = {
        {.srcSubpass = VK_SUBPASS_EXTERNAL,
         .dstSubpass = 1,
         .srcStageMask = into_second,
         .dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
         .srcAccessMask = into_second == TRANSFER ? VK_ACCESS_TRANSFER_WRITE_BIT : 0,
         .dstAccessMask = written},
        {.srcSubpass = 1,
         .dstSubpass = VK_SUBPASS_EXTERNAL,
         .srcStageMask = out_of,
         .dstStageMask = TRANSFER,
         .srcAccessMask = out_of == VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT ? written : 0,
         .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT},
        {.srcSubpass = 0,
         .dstSubpass = VK_SUBPASS_EXTERNAL,
         .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
         .dstStageMask = TRANSFER,
         .srcAccessMask = written,
         .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT}};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 2,
                                         .pAttachments = attachments,
                                         .subpassCount = 2,
                                         .pSubpasses = subpasses,
                                         .dependencyCount = 3,
                                         .pDependencies = dependencies};
    VkRenderPass pass = create_render_pass(w->b, &info);
    VkFramebufferCreateInfo frame = framebuffer_info(pass, views);
    frame.attachmentCount = 2;
    VkRenderPassBeginInfo begin = render_pass_begin_info(pass, create_framebuffer(w->b, &frame));
    static const VkClearValue clear[2] = {0};
    begin.clearValueCount = 2;
    begin.pClearValues = clear;
    vkCmdBeginRenderPass(w->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
}
#define COLOR_OUTPUT VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT

SCRIPT(right_subpasses, (), {
    DO(clear_image);
    RIGHT(begin_two_subpasses(w, TRANSFER, COLOR_OUTPUT);
          vkCmdNextSubpass(w->commands, VK_SUBPASS_CONTENTS_INLINE);
          vkCmdEndRenderPass(w->commands));
    MISTAKE(DO(fill_buffer); DO(fill_buffer));
})
SCRIPT(refused_next_subpass, (), {
    DO(clear_image);
    RIGHT(begin_two_subpasses(w, COMPUTE, COLOR_OUTPUT));
    MISTAKE(vkCmdNextSubpass(w->commands, VK_SUBPASS_CONTENTS_INLINE));
    expect_text(b, "vkCmdNextSubpass(): writes");
    expect_text(b, "by vkCmdClearColorImage (command ");
    MISTAKE(vkCmdNextSubpass(w->commands, VK_SUBPASS_CONTENTS_INLINE));
    b->skip = false;
    MISTAKE(vkCmdNextSubpass(w->commands, VK_SUBPASS_CONTENTS_INLINE));
    RIGHT(vkCmdEndRenderPass(w->commands));
})
SCRIPT(refused_end_of_render_pass, (), {
    DO(clear_image);
    RIGHT(begin_two_subpasses(w, TRANSFER, VK_PIPELINE_STAGE_VERTEX_SHADER_BIT);
          vkCmdNextSubpass(w->commands, VK_SUBPASS_CONTENTS_INLINE));
    MISTAKE(vkCmdEndRenderPass(w->commands));
    expect_text(b, "vkCmdEndRenderPass(): ");
    MISTAKE(vkCmdEndRenderPass(w->commands));
    b->skip = false;
    MISTAKE(vkCmdEndRenderPass(w->commands));
    world_barrier(w, &operation_rendering_clear, &operation_copy_from_buffer, true);
    RIGHT(DO(copy_from_buffer));
})
