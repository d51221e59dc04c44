/* The layouts that a command buffer expects to find when it is submitted: the finding has the id of the command that
 * expects them. */
#include "render_pass_builder.h"

/* Transitions the image in a submission of its own. */
static void bring_to(struct baseline *b, VkImage image, VkImageAspectFlags aspects, VkImageLayout layout)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkImageMemoryBarrier barrier = image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, layout);
    barrier.subresourceRange.aspectMask = aspects;
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0,
                         NULL, 0, NULL, 1, &barrier);
    run_commands(b, command_buffer);
}

static void submit(struct baseline *b, VkCommandBuffer command_buffer)
{
    VkSubmitInfo info = submit_info(&command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
    if (vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE) == VK_SUCCESS)
        VK(vkQueueWaitIdle(b->queue));
}

#define COLOR   VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH   VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT

static VkImageView view_in(struct baseline *b, VkFormat format, VkSampleCountFlagBits samples, VkImageLayout layout,
                           VkImageAspectFlags aspects)
{
    VkImageCreateInfo image =
        image_info(aspects & COLOR ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    image.format = format;
    image.samples = samples;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    view.format = format;
    view.subresourceRange.aspectMask = aspects;
    if (layout)
        bring_to(b, view.image, aspects, layout);
    return create_image_view(b, &view);
}
#define COLOR_IN(samples_, layout_) \
    view_in(b, COLOR_FORMAT, VK_SAMPLE_COUNT_##samples_##_BIT, VK_IMAGE_LAYOUT_##layout_, COLOR)
#define DEPTH_IN(samples_, layout_)                                                                       \
    view_in(b, VK_FORMAT_D32_SFLOAT_S8_UINT, VK_SAMPLE_COUNT_##samples_##_BIT, VK_IMAGE_LAYOUT_##layout_, \
            DEPTH | STENCIL)

/* One instance of dynamic rendering, recorded and submitted. */
#define RENDERED(name_, id_, ...)                                                              \
    SCENARIO(name_, .features = &pass_features, .expect = {id_},                               \
             .extensions = {VK_EXT_LOAD_STORE_OP_NONE_EXTENSION_NAME})                         \
    {                                                                                          \
        VkCommandBuffer command_buffer = make_recording(b);                                    \
        VkRenderingAttachmentInfo color = rendering_attachment(VK_NULL_HANDLE), depth = color; \
        VkRenderingInfo info = rendering_info(&color);                                         \
        depth.imageLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;                  \
        __VA_ARGS__;                                                                           \
        (void)depth;                                                                           \
        vkCmdBeginRendering(command_buffer, &info);                                            \
        vkCmdEndRendering(command_buffer);                                                     \
        submit(b, command_buffer);                                                             \
    }

RENDERED(color, "VUID-vkCmdBeginRendering-pRenderingInfo-09592", color.imageView = COLOR_IN(1, GENERAL))
RENDERED(color_undefined, "VUID-vkCmdBeginRendering-pRenderingInfo-09592", color.imageView = COLOR_IN(1, UNDEFINED))
RENDERED(color_in_its_layout, NULL, color.imageView = COLOR_IN(1, COLOR_ATTACHMENT_OPTIMAL))
RENDERED(color_resolve, "VUID-vkCmdBeginRendering-pRenderingInfo-09593",
         color.imageView = COLOR_IN(4, COLOR_ATTACHMENT_OPTIMAL);
         color.resolveImageView = COLOR_IN(1, GENERAL); color.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
         color.resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)
RENDERED(depth, "VUID-vkCmdBeginRendering-pRenderingInfo-09588", depth.imageView = DEPTH_IN(1, GENERAL);
         info.colorAttachmentCount = 0; info.pDepthAttachment = &depth)
RENDERED(stencil, "VUID-vkCmdBeginRendering-pRenderingInfo-09590", depth.imageView = DEPTH_IN(1, GENERAL);
         info.colorAttachmentCount = 0; info.pStencilAttachment = &depth)
/* Neither load, store nor a draw: nothing accesses the view. */
RENDERED(color_not_accessed, NULL, color.imageView = COLOR_IN(1, GENERAL);
         color.loadOp = VK_ATTACHMENT_LOAD_OP_NONE_EXT; color.storeOp = VK_ATTACHMENT_STORE_OP_NONE)

SCENARIO(barrier, .expect = {"VUID-vkCmdDraw-None-09600"})
{
    VkImage image = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer command_buffer = make_recording(b);
    VkImageMemoryBarrier barrier = image_barrier(image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
    bring_to(b, image, COLOR, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0,
                         NULL, 0, NULL, 1, &barrier);
    submit(b, command_buffer);
}

SCENARIO(clear, .expect = {"VUID-vkCmdDraw-None-09600"})
{
    VkImage image = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer command_buffer = make_recording(b);
    const VkImageSubresourceRange range = {COLOR, 0, 1, 0, 1};
    const VkClearColorValue value = {{0}};
    bring_to(b, image, COLOR, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdClearColorImage(command_buffer, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &value, 1, &range);
    submit(b, command_buffer);
}
