/* The layouts that a command buffer expects to find when it is submitted: the finding has the id of
 * the command that expects them. */
#include "render/render_pass_builder.h"

/* Transitions the image in a submission of its own. */
static void bring_to(struct baseline *b, VkImage image, VkImageAspectFlags aspects,
                     VkImageLayout layout)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkImageMemoryBarrier barrier = image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, layout);
    barrier.subresourceRange.aspectMask = aspects;
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    run_commands(b, command_buffer);
}

static void submit_layouts(struct baseline *b, VkCommandBuffer command_buffer)
{
    VkSubmitInfo info = submit_info(&command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
    if (vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE) == VK_SUCCESS)
        VK(vkQueueWaitIdle(b->queue));
}

#define COLOR   VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH   VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT

static VkImageView view_in(struct baseline *b, VkFormat format, VkSampleCountFlagBits samples,
                           VkImageLayout layout, VkImageAspectFlags aspects)
{
    VkImageCreateInfo image =
        image_info(aspects & COLOR ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                                   : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
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
#define DEPTH_IN(samples_, layout_)                                            \
    view_in(b, VK_FORMAT_D32_SFLOAT_S8_UINT, VK_SAMPLE_COUNT_##samples_##_BIT, \
            VK_IMAGE_LAYOUT_##layout_, DEPTH | STENCIL)

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
        submit_layouts(b, command_buffer);                                                     \
    }

RENDERED(color, "VUID-vkCmdBeginRendering-pRenderingInfo-09592",
         color.imageView = COLOR_IN(1, GENERAL))
RENDERED(color_undefined, "VUID-vkCmdBeginRendering-pRenderingInfo-09592",
         color.imageView = COLOR_IN(1, UNDEFINED))
RENDERED(color_in_its_layout, NULL, color.imageView = COLOR_IN(1, COLOR_ATTACHMENT_OPTIMAL))
RENDERED(color_resolve, "VUID-vkCmdBeginRendering-pRenderingInfo-09593",
         color.imageView = COLOR_IN(4, COLOR_ATTACHMENT_OPTIMAL);
         color.resolveImageView = COLOR_IN(1, GENERAL);
         color.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
         color.resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)
RENDERED(depth, "VUID-vkCmdBeginRendering-pRenderingInfo-09588",
         depth.imageView = DEPTH_IN(1, GENERAL);
         info.colorAttachmentCount = 0; info.pDepthAttachment = &depth)
RENDERED(stencil, "VUID-vkCmdBeginRendering-pRenderingInfo-09590",
         depth.imageView = DEPTH_IN(1, GENERAL);
         info.colorAttachmentCount = 0; info.pStencilAttachment = &depth)
/* Neither load, store nor a draw: nothing accesses the view. */
RENDERED(color_not_accessed, NULL, color.imageView = COLOR_IN(1, GENERAL);
         color.loadOp = VK_ATTACHMENT_LOAD_OP_NONE_EXT; color.storeOp = VK_ATTACHMENT_STORE_OP_NONE)

SCENARIO(barrier, .expect = {"VUID-vkCmdDraw-None-09600"},
         .text = {"by vkCmdPipelineBarrier (command 0), but",
                  "wanted  vkCmdPipelineBarrier, command 0 of VkCommandBuffer 0x", "called by ",
                  "oldLayout must be VK_IMAGE_LAYOUT_UNDEFINED or the current layout",
                  "#VUID-VkImageMemoryBarrier-oldLayout-01197"})
{
    VkImage image = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer command_buffer = make_recording(b);
    VkImageMemoryBarrier barrier =
        image_barrier(image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
    bring_to(b, image, COLOR, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    submit_layouts(b, command_buffer);
}

static void clear_twice(VkCommandBuffer command_buffer, VkImage image)
{
    const VkImageSubresourceRange range = {COLOR, 0, 1, 0, 1};
    const VkClearColorValue value = {{0}};
    vkCmdSetLineWidth(command_buffer, 1);
    for (uint32_t i = 0; i < 2; i++)
        vkCmdClearColorImage(command_buffer, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &value, 1,
                             &range);
}

/* The first command that expects the layout is named, and not the one that follows it. */
SCENARIO(clear, .expect = {"VUID-vkCmdDraw-None-09600"},
         .text = {"by vkCmdClearColorImage (command 1), but",
                  "wanted  vkCmdClearColorImage, command 1 of VkCommandBuffer 0x",
                  "imageLayout must specify the layout of the image subresource ranges",
                  "#VUID-vkCmdClearColorImage-imageLayout-00004"})
{
    VkImage image = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer command_buffer = make_recording(b);
    bring_to(b, image, COLOR, VK_IMAGE_LAYOUT_GENERAL);
    clear_twice(command_buffer, image);
    submit_layouts(b, command_buffer);
}

SCENARIO(clear_in_a_secondary, .expect = {"VUID-vkCmdDraw-None-09600"},
         .text = {"by vkCmdClearColorImage in a secondary command buffer of "
                  "vkCmdExecuteCommands (command 2), but",
                  "wanted  vkCmdClearColorImage in a secondary command buffer, executed by "
                  "vkCmdExecuteCommands, command 2 of VkCommandBuffer 0x",
                  "called by ", "#VUID-vkCmdClearColorImage-imageLayout-00004"})
{
    VkImage image = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY),
                    command_buffer = make_recording(b);
    const VkCommandBufferInheritanceInfo inheritance = {
        VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo info = begin_info();
    info.pInheritanceInfo = &inheritance;
    bring_to(b, image, COLOR, VK_IMAGE_LAYOUT_GENERAL);
    VK(vkBeginCommandBuffer(secondary, &info));
    clear_twice(secondary, image);
    VK(vkEndCommandBuffer(secondary));
    vkCmdSetLineWidth(command_buffer, 1);
    vkCmdSetLineWidth(command_buffer, 1);
    vkCmdExecuteCommands(command_buffer, 1, &secondary);
    submit_layouts(b, command_buffer);
}

/* --- the statement is that of the command that wants the layout --- */

/* `wrong`: which of the two images is in another layout than the copy says. */
static void copy_in_layouts(struct baseline *b, VkImageUsageFlags wrong, bool version2)
{
    VkImage source = make_image(b, VK_IMAGE_USAGE_TRANSFER_SRC_BIT),
            target = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    const VkImageLayout from = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                        to = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    VkCommandBuffer command_buffer = make_recording(b);
    bring_to(b, source, COLOR,
             wrong == VK_IMAGE_USAGE_TRANSFER_SRC_BIT ? VK_IMAGE_LAYOUT_GENERAL : from);
    bring_to(b, target, COLOR,
             wrong == VK_IMAGE_USAGE_TRANSFER_DST_BIT ? VK_IMAGE_LAYOUT_GENERAL : to);
    if (version2) {
        const VkImageCopy2 region = {.sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                                     .srcSubresource = {COLOR, 0, 0, 1},
                                     .dstSubresource = {COLOR, 0, 0, 1},
                                     .extent = {1, 1, 1}};
        const VkCopyImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
                                       .srcImage = source,
                                       .srcImageLayout = from,
                                       .dstImage = target,
                                       .dstImageLayout = to,
                                       .regionCount = 1,
                                       .pRegions = &region};
        vkCmdCopyImage2(command_buffer, &info);
    } else {
        const VkImageCopy region = {.srcSubresource = {COLOR, 0, 0, 1},
                                    .dstSubresource = {COLOR, 0, 0, 1},
                                    .extent = {1, 1, 1}};
        vkCmdCopyImage(command_buffer, source, from, target, to, 1, &region);
    }
    submit_layouts(b, command_buffer);
}

#define COPIES(name_, wrong_, version2_, ...)                                       \
    SCENARIO(name_, .expect = {"VUID-vkCmdDraw-None-09600"}, .text = {__VA_ARGS__}) \
    {                                                                               \
        copy_in_layouts(b, VK_IMAGE_USAGE_TRANSFER_##wrong_##_BIT, version2_);      \
    }
COPIES(copy_from_another_layout, SRC, false, "by vkCmdCopyImage (command 0), but",
       "#VUID-vkCmdCopyImage-srcImageLayout-00128")
COPIES(copy_to_another_layout, DST, false, "by vkCmdCopyImage (command 0), but",
       "#VUID-vkCmdCopyImage-dstImageLayout-00133")
COPIES(copy2_from_another_layout, SRC, true, "by vkCmdCopyImage2 (command 0), but",
       "#VUID-VkCopyImageInfo2-srcImageLayout-00128")
COPIES(copy2_to_another_layout, DST, true, "by vkCmdCopyImage2 (command 0), but",
       "#VUID-VkCopyImageInfo2-dstImageLayout-00133")

/* --- slices of 3D images: "Any slices of a 3D image not included in subresourceRange are not
 * affected by the memory barrier and remain in their existing layout" (maintenance9) --- */

static const VkPhysicalDeviceVulkan13Features slice_rendering = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
static const VkPhysicalDeviceMaintenance9FeaturesKHR maintenance9 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_9_FEATURES_KHR,
    .pNext = (void *)&slice_rendering,
    .maintenance9 = VK_TRUE};
#define SLICES .features = &maintenance9, .extensions = {"VK_KHR_maintenance9"}

/* 4 slices, of which level 1 has 2. */
static VkImageCreateInfo solid_info(void)
{
    VkImageCreateInfo info =
        image_info(VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                   VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    info.imageType = VK_IMAGE_TYPE_3D;
    info.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
    info.extent.depth = 4;
    info.mipLevels = 2;
    return info;
}

static VkImage make_solid(struct baseline *b)
{
    VkImageCreateInfo info = solid_info();
    return make_image_of(b, &info);
}

static void bring_slices_to(struct baseline *b, VkImage image, uint32_t level, uint32_t first,
                            uint32_t count, VkImageLayout layout)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkImageMemoryBarrier barrier = image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, layout);
    barrier.subresourceRange = (VkImageSubresourceRange){COLOR, level, 1, first, count};
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    run_commands(b, command_buffer);
}

static void fill_slices(struct baseline *b, VkImage image, uint32_t level, int32_t first,
                        uint32_t count)
{
    VkCommandBuffer command_buffer = make_recording(b);
    const VkBufferImageCopy region = {.imageSubresource = {COLOR, level, 0, 1},
                                      .imageOffset = {0, 0, first},
                                      .imageExtent = {1, 1, count}};
    vkCmdCopyBufferToImage(command_buffer, make_buffer(b, 256, VK_BUFFER_USAGE_TRANSFER_SRC_BIT),
                           image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    submit_layouts(b, command_buffer);
}

SCENARIO(slices_that_were_named, SLICES)
{
    VkImage image = make_solid(b);
    bring_slices_to(b, image, 0, 1, 2, VK_IMAGE_LAYOUT_GENERAL);
    fill_slices(b, image, 0, 1, 2);
    bring_slices_to(b, image, 1, 0, 2, VK_IMAGE_LAYOUT_GENERAL);
    fill_slices(b, image, 1, 0, 2);
    bring_slices_to(b, image, 0, 0, VK_REMAINING_ARRAY_LAYERS, VK_IMAGE_LAYOUT_GENERAL);
    fill_slices(b, image, 0, 0, 4);
}

/* The feature is chained, and its extension is not enabled: one layer is all slices. */
SCENARIO(slices_without_the_extension, .features = &maintenance9,
         .expect = {"WARNING-VkImageSubresourceRange-layerCount-compatibility"})
{
    bring_slices_to(b, make_solid(b), 0, 0, 1, VK_IMAGE_LAYOUT_GENERAL);
}

/* As zink does: the host brings all slices into the layout. */
static const VkPhysicalDeviceHostImageCopyFeaturesEXT slices_on_host = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_FEATURES_EXT,
    .pNext = (void *)&maintenance9,
    .hostImageCopy = VK_TRUE};
SCENARIO(slices_that_the_host_brings, .features = &slices_on_host,
         .extensions = {"VK_KHR_maintenance9", "VK_EXT_host_image_copy"})
{
    VkImageCreateInfo info = solid_info();
    info.usage |= VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT;
    VkImage image = make_image_of(b, &info);
    const VkHostImageLayoutTransitionInfoEXT transition = {
        .sType = VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO_EXT,
        .image = image,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .subresourceRange = {COLOR, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
    VK(DEVICE_PROC(b, vkTransitionImageLayoutEXT)(b->device, 1, &transition));
    fill_slices(b, image, 0, 0, 4);
}

SCENARIO(slice_that_no_barrier_named, SLICES, .expect = {"VUID-vkCmdDraw-None-09600"},
         .text = {"mip level 0, slice 1)"})
{
    VkImage image = make_solid(b);
    bring_slices_to(b, image, 0, 0, 1, VK_IMAGE_LAYOUT_GENERAL);
    fill_slices(b, image, 0, 0, 2);
}

SCENARIO(slice_of_a_deeper_level, SLICES, .expect = {"VUID-vkCmdDraw-None-09600"},
         .text = {"mip level 1, slice 1)"})
{
    VkImage image = make_solid(b);
    bring_slices_to(b, image, 0, 0, 4, VK_IMAGE_LAYOUT_GENERAL);
    bring_slices_to(b, image, 1, 0, 1, VK_IMAGE_LAYOUT_GENERAL);
    fill_slices(b, image, 1, 0, 2);
}

static void clear_level(struct baseline *b, VkImage image)
{
    VkCommandBuffer command_buffer = make_recording(b);
    const VkImageSubresourceRange range = {COLOR, 0, 1, 0, 1};
    const VkClearColorValue value = {{0}};
    vkCmdClearColorImage(command_buffer, image, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &range);
    submit_layouts(b, command_buffer);
}

SCENARIO(cleared_slices, SLICES)
{
    VkImage image = make_solid(b);
    bring_slices_to(b, image, 0, 0, 4, VK_IMAGE_LAYOUT_GENERAL);
    clear_level(b, image);
}

SCENARIO(cleared_slices_of_which_one_was_named, SLICES, .expect = {"VUID-vkCmdDraw-None-09600"})
{
    VkImage image = make_solid(b);
    bring_slices_to(b, image, 0, 0, 1, VK_IMAGE_LAYOUT_GENERAL);
    clear_level(b, image);
}

/* Without the feature a barrier is for whole levels. */
SCENARIO(slices_without_the_feature,
         .expect = {"WARNING-VkImageSubresourceRange-layerCount-compatibility"}, .proceed = true)
{
    VkImage image = make_solid(b);
    bring_slices_to(b, image, 0, 0, 1, VK_IMAGE_LAYOUT_GENERAL);
    fill_slices(b, image, 0, 0, 4);
}

static void render_to_slice(struct baseline *b, VkImage image, uint32_t slice)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkImageViewCreateInfo view = image_view_info(image);
    view.subresourceRange.baseArrayLayer = slice;
    VkRenderingAttachmentInfo color = rendering_attachment(create_image_view(b, &view));
    VkRenderingInfo info = rendering_info(&color);
    vkCmdBeginRendering(command_buffer, &info);
    vkCmdEndRendering(command_buffer);
    submit_layouts(b, command_buffer);
}

SCENARIO(rendering_to_a_slice, SLICES)
{
    VkImage image = make_solid(b);
    bring_slices_to(b, image, 0, 2, 1, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    render_to_slice(b, image, 2);
}

SCENARIO(rendering_to_another_slice, SLICES,
         .expect = {"VUID-vkCmdBeginRendering-pRenderingInfo-09592"})
{
    VkImage image = make_solid(b);
    bring_slices_to(b, image, 0, 2, 1, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    render_to_slice(b, image, 1);
}
