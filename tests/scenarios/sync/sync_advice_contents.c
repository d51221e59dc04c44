/* Advice on load operations that read what is undefined (settings validate_sync and
 * validate_best_practices). */
#include "sync/sync_world.h"

#define UNDEFINED      "BestPractices-LoadOp-UndefinedContents"
#define SETTINGS       .proceed = true, .ours_only = true, .features = &world_features
#define ADVISED        .settings = {"validate_sync=true", "validate_best_practices=true"}, SETTINGS
#define WITHOUT_ADVICE .settings = {"validate_sync=true"}, SETTINGS

#define COLOR_LAYOUT VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
#define GENERAL      VK_IMAGE_LAYOUT_GENERAL
#define LOADS        VK_ATTACHMENT_LOAD_OP_LOAD
#define CLEARS       VK_ATTACHMENT_LOAD_OP_CLEAR
#define STORES       VK_ATTACHMENT_STORE_OP_STORE
#define FORGETS      VK_ATTACHMENT_STORE_OP_DONT_CARE
#define SEEN                                                                 \
    (VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | \
     VK_IMAGE_USAGE_TRANSFER_DST_BIT)

/* An image, a view of all of it, and a command buffer. Threads: on the stack. */
struct target {
    struct baseline *b;
    VkCommandBuffer commands;
    VkImage image;
    VkImageView view;
    VkImageAspectFlags aspects;
};

static void make_target_view(struct target *t, VkFormat format)
{
    VkImageViewCreateInfo view = image_view_info(t->image);
    view.format = format;
    view.subresourceRange.aspectMask = t->aspects;
    t->view = create_image_view(t->b, &view);
}

static void make_target(struct baseline *b, struct target *t, const VkImageCreateInfo *info,
                        VkImageAspectFlags aspects)
{
    *t = (struct target){.b = b, .image = make_image_of(b, info), .aspects = aspects};
    make_target_view(t, info->format);
    t->commands = make_recording(b);
}

#define STAGES                                                                                    \
    (VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT |                                            \
     VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT | \
     VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT)
static void change_target(struct target *t, VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = STAGES,
        .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
        .dstStageMask = STAGES,
        .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = t->image,
        .subresourceRange = {t->aspects, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
    vkCmdPipelineBarrier2(t->commands,
                          &(VkDependencyInfo){.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                              .imageMemoryBarrierCount = 1,
                                              .pImageMemoryBarriers = &barrier});
}

static void clear_aspects(struct target *t, VkImageAspectFlags aspects)
{
    const VkClearAttachment clear = {.aspectMask = aspects};
    const VkClearRect rect = {{{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}}, 0, 1};
    vkCmdClearAttachments(t->commands, 1, &clear, 1, &rect);
}

static void begin_target(struct target *t, VkImageLayout layout, VkAttachmentLoadOp load,
                         VkAttachmentStoreOp store)
{
    VkRenderingAttachmentInfo attachment = rendering_attachment(t->view);
    attachment.imageLayout = layout;
    attachment.loadOp = load;
    attachment.storeOp = store;
    VkRenderingInfo info = rendering_info(&attachment);
    if (!(t->aspects & VK_IMAGE_ASPECT_COLOR_BIT)) {
        info.colorAttachmentCount = 0;
        info.pColorAttachments = NULL;
        info.pDepthAttachment = &attachment;
    }
    vkCmdBeginRendering(t->commands, &info);
}

static void render_target(struct target *t, VkImageLayout layout, VkAttachmentLoadOp load,
                          VkAttachmentStoreOp store)
{
    begin_target(t, layout, load, store);
    vkCmdEndRendering(t->commands);
}

static void write_texel(struct target *t)
{
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {1, 1, 1}};
    VkBuffer buffer = make_buffer(t->b, 4, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    vkCmdCopyBufferToImage(t->commands, buffer, t->image, GENERAL, 1, &region);
}

/* A color image in no layout that anything is known of. */
#define CONTENTS_OF(name_, settings_, usage_, flags_, tiling_, statements_, ...) \
    SCENARIO(name_, settings_, ##__VA_ARGS__)                                    \
    {                                                                            \
        struct target target, *t = &target;                                      \
        VkImageCreateInfo image_ = image_info(usage_);                           \
        image_.flags = (flags_);                                                 \
        image_.tiling = VK_IMAGE_TILING_##tiling_;                               \
        make_target(b, t, &image_, VK_IMAGE_ASPECT_COLOR_BIT);                   \
        statements_;                                                             \
        VK(vkEndCommandBuffer(t->commands));                                     \
    }
#define CONTENTS(name_, statements_, ...) \
    CONTENTS_OF(name_, ADVISED, SEEN, 0, OPTIMAL, statements_, ##__VA_ARGS__)

/* --- discarded by a transition --- */

CONTENTS(
    load_of_what_a_transition_discarded,
    {
        change_target(t, VK_IMAGE_LAYOUT_UNDEFINED, COLOR_LAYOUT);
        render_target(t, COLOR_LAYOUT, LOADS, STORES);
    },
    .expect = {UNDEFINED},
    .text = {"color attachment 0 loads VkImageView ", " of VkImage ",
             ", which is undefined in the whole render area: a transition from "
             "VK_IMAGE_LAYOUT_UNDEFINED has discarded it, and nothing has written it since (the "
             "last command that changed it is vkCmdPipelineBarrier2, command 0). "
             "VK_ATTACHMENT_LOAD_OP_CLEAR or VK_ATTACHMENT_LOAD_OP_DONT_CARE would be as good, and "
             "cheaper; or the contents have to be kept there"})
CONTENTS(
    load_of_what_two_transitions_ago_was_discarded,
    {
        change_target(t, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
        change_target(t, GENERAL, COLOR_LAYOUT);
        render_target(t, COLOR_LAYOUT, LOADS, STORES);
    },
    .expect = {UNDEFINED}, .text = {"vkCmdPipelineBarrier2, command 1)"})
/* The first draw is stored there: the second one has something to load. And one place is reported
 * once. */
static void discard_and_load_twice(struct target *t)
{
    for (unsigned i = 0; i < 3; i++) {
        change_target(t, VK_IMAGE_LAYOUT_UNDEFINED, COLOR_LAYOUT);
        render_target(t, COLOR_LAYOUT, LOADS, STORES);
        change_target(t, COLOR_LAYOUT, COLOR_LAYOUT);
        render_target(t, COLOR_LAYOUT, LOADS, STORES);
    }
    EXPECT_EQUAL(seen_count(t->b, UNDEFINED), 1);
}
CONTENTS(load_of_what_is_discarded_each_time, discard_and_load_twice(t), .expect = {UNDEFINED})
CONTENTS(clear_of_what_a_transition_discarded, {
    change_target(t, VK_IMAGE_LAYOUT_UNDEFINED, COLOR_LAYOUT);
    render_target(t, COLOR_LAYOUT, CLEARS, STORES);
    change_target(t, COLOR_LAYOUT, COLOR_LAYOUT);
    render_target(t, COLOR_LAYOUT, LOADS, STORES);
})
CONTENTS(load_of_what_was_copied_to, {
    const VkClearColorValue color = {{0}};
    const VkImageSubresourceRange range = color_range();
    change_target(t, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
    vkCmdClearColorImage(t->commands, t->image, GENERAL, &color, 1, &range);
    change_target(t, GENERAL, COLOR_LAYOUT);
    render_target(t, COLOR_LAYOUT, LOADS, STORES);
})
CONTENTS(load_of_what_was_copied_to_in_part, {
    change_target(t, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
    write_texel(t);
    change_target(t, GENERAL, COLOR_LAYOUT);
    render_target(t, COLOR_LAYOUT, LOADS, STORES);
})
/* Its contents may come from an earlier submission. */
CONTENTS(load_of_what_a_transition_kept, {
    change_target(t, GENERAL, COLOR_LAYOUT);
    render_target(t, COLOR_LAYOUT, LOADS, STORES);
})
CONTENTS_OF(load_of_what_was_discarded_without_best_practices, WITHOUT_ADVICE, SEEN, 0, OPTIMAL, {
    change_target(t, VK_IMAGE_LAYOUT_UNDEFINED, COLOR_LAYOUT);
    render_target(t, COLOR_LAYOUT, LOADS, STORES);
})

/* --- somebody else may have written it --- */

#define DISCARD_AND_LOAD                                           \
    {                                                              \
        change_target(t, VK_IMAGE_LAYOUT_UNDEFINED, COLOR_LAYOUT); \
        render_target(t, COLOR_LAYOUT, LOADS, STORES);             \
    }
CONTENTS_OF(load_of_what_shaders_may_have_written, ADVISED, SEEN | VK_IMAGE_USAGE_STORAGE_BIT, 0,
            OPTIMAL, DISCARD_AND_LOAD)
CONTENTS_OF(load_of_what_an_alias_may_have_written, ADVISED, SEEN, VK_IMAGE_CREATE_ALIAS_BIT,
            OPTIMAL, DISCARD_AND_LOAD)
CONTENTS_OF(load_of_what_the_host_may_have_written, ADVISED, SEEN, 0, LINEAR, DISCARD_AND_LOAD)
CONTENTS(load_behind_a_secondary, {
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo info = begin_info();
    info.pInheritanceInfo = &inheritance;
    VK(vkBeginCommandBuffer(secondary, &info));
    VK(vkEndCommandBuffer(secondary));
    change_target(t, VK_IMAGE_LAYOUT_UNDEFINED, COLOR_LAYOUT);
    vkCmdExecuteCommands(t->commands, 1, &secondary);
    render_target(t, COLOR_LAYOUT, LOADS, STORES);
})

/* --- discarded by a store operation --- */

CONTENTS(
    load_of_what_was_not_stored,
    {
        change_target(t, VK_IMAGE_LAYOUT_UNDEFINED, COLOR_LAYOUT);
        render_target(t, COLOR_LAYOUT, CLEARS, FORGETS);
        change_target(t, COLOR_LAYOUT, GENERAL);
        render_target(t, GENERAL, LOADS, STORES);
    },
    .expect = {UNDEFINED},
    .text = {"an earlier render pass instance has not stored it, and nothing has written it"})
/* VK_ATTACHMENT_STORE_OP_NONE keeps it, "as long as no values are written": it is unknown whether a
 * draw has. */
CONTENTS(
    load_of_what_was_drawn_to_and_not_stored,
    {
        change_target(t, GENERAL, COLOR_LAYOUT);
        begin_target(t, COLOR_LAYOUT, LOADS, VK_ATTACHMENT_STORE_OP_NONE);
        clear_aspects(t, VK_IMAGE_ASPECT_COLOR_BIT);
        vkCmdEndRendering(t->commands);
        change_target(t, COLOR_LAYOUT, GENERAL);
        render_target(t, GENERAL, LOADS, STORES);
    },
    .expect = {"BestPractices-vkCmdClearAttachments-clear-after-load-color"})
CONTENTS(load_of_what_was_only_read, {
    change_target(t, GENERAL, COLOR_LAYOUT);
    render_target(t, COLOR_LAYOUT, LOADS, VK_ATTACHMENT_STORE_OP_NONE);
    change_target(t, COLOR_LAYOUT, GENERAL);
    render_target(t, GENERAL, LOADS, STORES);
})
/* A smaller area: the rest of the image is as it was. */
CONTENTS(load_of_more_than_was_not_stored, {
    VkRenderingAttachmentInfo attachment = rendering_attachment(t->view);
    attachment.imageLayout = GENERAL;
    attachment.loadOp = CLEARS;
    attachment.storeOp = FORGETS;
    VkRenderingInfo info = rendering_info(&attachment);
    info.renderArea.extent.height = IMAGE_EXTENT / 2;
    change_target(t, COLOR_LAYOUT, GENERAL);
    vkCmdBeginRendering(t->commands, &info);
    vkCmdEndRendering(t->commands);
    change_target(t, GENERAL, COLOR_LAYOUT);
    render_target(t, COLOR_LAYOUT, LOADS, STORES);
})

/* --- aspects --- */

#define DEPTH_STENCIL (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT)
SCENARIO(load_of_depth_that_was_discarded, ADVISED, .expect = {UNDEFINED},
         .text = {"depth/stencil attachment loads the depth of VkImageView "})
{
    struct target target, *t = &target;
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    info.format = VK_FORMAT_D32_SFLOAT_S8_UINT;
    make_target(b, t, &info, DEPTH_STENCIL);
    change_target(t, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
    render_target(t, GENERAL, LOADS, STORES);
    VK(vkEndCommandBuffer(t->commands));
}

/* --- render pass objects --- */

/* One subpass that draws to the attachment, or resolves to it from another one. */
static void run_pass(struct target *t, VkImageLayout from, bool resolves)
{
    VkImageCreateInfo info = image_info(SEEN);
    info.samples = VK_SAMPLE_COUNT_4_BIT;
    struct target samples = {
        .b = t->b, .image = make_image_of(t->b, &info), .aspects = VK_IMAGE_ASPECT_COLOR_BIT};
    make_target_view(&samples, COLOR_FORMAT);
    VkAttachmentDescription attachments[2] = {{.format = COLOR_FORMAT,
                                               .samples = VK_SAMPLE_COUNT_1_BIT,
                                               .loadOp = LOADS,
                                               .storeOp = STORES,
                                               .initialLayout = from,
                                               .finalLayout = GENERAL}};
    attachments[1] = attachments[0];
    attachments[1].samples = VK_SAMPLE_COUNT_4_BIT;
    attachments[1].loadOp = CLEARS;
    attachments[1].initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    const VkAttachmentReference to = {0, COLOR_LAYOUT}, drawn = {resolves, COLOR_LAYOUT};
    const VkSubpassDescription subpass = {.colorAttachmentCount = 1,
                                          .pColorAttachments = &drawn,
                                          .pResolveAttachments = resolves ? &to : NULL};
    const VkRenderPassCreateInfo pass_info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                              .attachmentCount = 2,
                                              .pAttachments = attachments,
                                              .subpassCount = 1,
                                              .pSubpasses = &subpass};
    const VkImageView views[2] = {t->view, samples.view};
    VkRenderPass pass = create_render_pass(t->b, &pass_info);
    VkFramebufferCreateInfo frame = framebuffer_info(pass, views);
    frame.attachmentCount = 2;
    VkRenderPassBeginInfo begin_pass =
        render_pass_begin_info(pass, create_framebuffer(t->b, &frame));
    const VkClearValue values[2] = {0};
    begin_pass.clearValueCount = 2;
    begin_pass.pClearValues = values;
    vkCmdBeginRenderPass(t->commands, &begin_pass, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(t->commands);
}
CONTENTS(
    render_pass_that_loads_what_was_discarded,
    {
        change_target(t, VK_IMAGE_LAYOUT_UNDEFINED, COLOR_LAYOUT);
        run_pass(t, COLOR_LAYOUT, false);
    },
    .expect = {UNDEFINED}, .text = {"vkCmdBeginRenderPass(): attachment 0 loads VkImageView "})
/* Its own transition keeps what there is: nothing. */
CONTENTS(
    render_pass_that_loads_what_was_discarded_in_another_layout,
    {
        change_target(t, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
        run_pass(t, GENERAL, false);
    },
    .expect = {UNDEFINED},
    .text = {"has discarded it, and nothing has written it since. VK_ATTACHMENT_LOAD_OP_CLEAR"})
/* All of it is overwritten. */
CONTENTS(render_pass_that_resolves_to_what_was_discarded, {
    change_target(t, VK_IMAGE_LAYOUT_UNDEFINED, COLOR_LAYOUT);
    run_pass(t, COLOR_LAYOUT, true);
})
CONTENTS(render_pass_that_loads_what_another_has_stored, {
    change_target(t, COLOR_LAYOUT, GENERAL);
    run_pass(t, GENERAL, false);
    change_target(t, GENERAL, COLOR_LAYOUT);
    run_pass(t, COLOR_LAYOUT, false);
})
