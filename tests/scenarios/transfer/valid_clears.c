/* Valid clears of images outside of render passes, at the edges: last levels and layers, all that
 * remain, slices. There are aspects with usages of their own, and depths of exactly 0 and 1.
 * Nothing is found in any of them. */
#include "scenario.h"

#define DST     VK_IMAGE_USAGE_TRANSFER_DST_BIT
#define SRC     VK_IMAGE_USAGE_TRANSFER_SRC_BIT
#define COLOR   VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH   VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT
#define D32S8   VK_FORMAT_D32_SFLOAT_S8_UINT
#define LEVELS  VK_REMAINING_MIP_LEVELS
#define LAYERS  VK_REMAINING_ARRAY_LAYERS
#define TO_DST  VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
#define NOTHING VK_IMAGE_LAYOUT_UNDEFINED

static const VkClearColorValue black = {.uint32 = {0, 0, 0, 1}};

static VkImageCreateInfo cleared_image(VkFormat format, uint32_t levels, uint32_t layers)
{
    VkImageCreateInfo info = image_info(DST);
    info.format = format;
    info.mipLevels = levels;
    info.arrayLayers = layers;
    return info;
}

static void transition_cleared(VkCommandBuffer c, VkImage image, VkImageSubresourceRange range,
                               VkImageLayout from, VkImageLayout to)
{
    VkImageMemoryBarrier barrier = image_barrier(image, from, to);
    barrier.subresourceRange = range;
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         0, 0, NULL, 0, NULL, 1, &barrier);
}

static void submit_clears(struct baseline *b, VkCommandBuffer c)
{
    VK(vkEndCommandBuffer(c));
    const VkSubmitInfo info = submit_info(&c);
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

/* The ranges are brought into the layout, and nothing else is. */
static void clear_color(struct baseline *b, const VkImageCreateInfo *info, VkImageLayout layout,
                        uint32_t count, const VkImageSubresourceRange *ranges)
{
    VkImage image = make_image_of(b, info);
    VkCommandBuffer c = make_recording(b);
    for (uint32_t i = 0; i < count; i++)
        transition_cleared(c, image, ranges[i], NOTHING, layout);
    vkCmdClearColorImage(c, image, layout, &black, count, ranges);
    submit_clears(b, c);
}

SCENARIO(clear_the_last_texel)
{
    const VkImageCreateInfo info = cleared_image(COLOR_FORMAT, 7, 3);
    clear_color(b, &info, TO_DST, 1, &(VkImageSubresourceRange){COLOR, 6, 1, 2, 1});
}

SCENARIO(clear_what_remains)
{
    const VkImageCreateInfo info = cleared_image(COLOR_FORMAT, 7, 3);
    clear_color(b, &info, VK_IMAGE_LAYOUT_GENERAL, 1,
                &(VkImageSubresourceRange){COLOR, 6, LEVELS, 2, LAYERS});
}

SCENARIO(clear_ranges_of_their_own)
{
    const VkImageCreateInfo info = cleared_image(COLOR_FORMAT, 4, 2);
    const VkImageSubresourceRange ranges[] = {
        {COLOR, 0, 1, 1, 1}, {COLOR, 1, 2, 0, LAYERS}, {COLOR, 3, LEVELS, 0, 1}};
    clear_color(b, &info, TO_DST, 3, ranges);
}

SCENARIO(clear_all_slices)
{
    VkImageCreateInfo info = cleared_image(COLOR_FORMAT, 3, 1);
    info.imageType = VK_IMAGE_TYPE_3D;
    info.extent.depth = 5;
    clear_color(b, &info, TO_DST, 1, &(VkImageSubresourceRange){COLOR, 0, LEVELS, 0, LAYERS});
}

SCENARIO(clear_a_line)
{
    VkImageCreateInfo info = cleared_image(COLOR_FORMAT, 1, 1);
    info.imageType = VK_IMAGE_TYPE_1D;
    info.extent.height = 1;
    clear_color(b, &info, TO_DST, 1, &(VkImageSubresourceRange){COLOR, 0, 1, 0, 1});
}

/* "If image's format has components other than R and G, it must not have a 64-bit component width"
 */
SCENARIO(clear_two_of_64_bits, .drivers = NULL_DRIVER)
{
    const VkImageCreateInfo info = cleared_image(VK_FORMAT_R64G64_UINT, 1, 1);
    clear_color(b, &info, TO_DST, 1, &(VkImageSubresourceRange){COLOR, 0, 1, 0, 1});
}

/* Subresources that a clear leaves out may be in any layout. */
SCENARIO(clear_beside_another_layout)
{
    const VkImageCreateInfo info = cleared_image(COLOR_FORMAT, 2, 1);
    const VkImageSubresourceRange first = {COLOR, 0, 1, 0, 1}, second = {COLOR, 1, 1, 0, 1};
    VkImage image = make_image_of(b, &info);
    VkCommandBuffer c = make_recording(b);
    transition_cleared(c, image, first, NOTHING, TO_DST);
    transition_cleared(c, image, second, NOTHING, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdClearColorImage(c, image, TO_DST, &black, 1, &first);
    vkCmdClearColorImage(c, image, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &second);
    submit_clears(b, c);
}

SCENARIO(clear_in_a_secondary)
{
    const VkImageCreateInfo info = cleared_image(COLOR_FORMAT, 1, 1);
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.pInheritanceInfo = &inherited;
    VkImage image = make_image_of(b, &info);
    VkCommandBuffer primary = make_recording(b),
                    secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(secondary, &begin));
    vkCmdClearColorImage(secondary, image, TO_DST, &black, 1,
                         &(VkImageSubresourceRange){COLOR, 0, 1, 0, 1});
    VK(vkEndCommandBuffer(secondary));
    transition_cleared(primary, image, (VkImageSubresourceRange){COLOR, 0, 1, 0, 1}, NOTHING,
                       TO_DST);
    vkCmdExecuteCommands(primary, 1, &secondary);
    submit_clears(b, primary);
}

/* --- depth and stencil --- */

static void clear_depth(struct baseline *b, const VkImageCreateInfo *info, VkImageAspectFlags all,
                        VkImageAspectFlags aspects, float depth)
{
    const VkClearDepthStencilValue value = {depth, 255};
    VkImage image = make_image_of(b, info);
    VkCommandBuffer c = make_recording(b);
    const VkImageLayout general = VK_IMAGE_LAYOUT_GENERAL;
    transition_cleared(c, image, (VkImageSubresourceRange){all, 0, LEVELS, 0, LAYERS}, NOTHING,
                       general);
    vkCmdClearDepthStencilImage(c, image, general, &value, 1,
                                &(VkImageSubresourceRange){aspects, 0, LEVELS, 0, LAYERS});
    submit_clears(b, c);
}

SCENARIO(clear_to_the_nearest_and_farthest)
{
    const VkImageCreateInfo info = cleared_image(D32S8, 2, 2);
    clear_depth(b, &info, DEPTH | STENCIL, DEPTH | STENCIL, 0.0f);
    clear_depth(b, &info, DEPTH | STENCIL, DEPTH, -0.0f);
    clear_depth(b, &info, DEPTH | STENCIL, STENCIL, 1.0f);
}

SCENARIO(clear_beyond_the_range, .drivers = NULL_DRIVER,
         .extensions = {VK_EXT_DEPTH_RANGE_UNRESTRICTED_EXTENSION_NAME})
{
    const VkImageCreateInfo info = cleared_image(VK_FORMAT_D32_SFLOAT, 1, 1);
    clear_depth(b, &info, DEPTH, DEPTH, -7.0f);
}

SCENARIO(clear_formats_of_one_aspect)
{
    const VkImageCreateInfo depth = cleared_image(VK_FORMAT_D16_UNORM, 1, 1),
                            stencil = cleared_image(VK_FORMAT_S8_UINT, 1, 1);
    clear_depth(b, &depth, DEPTH, DEPTH, 1.0f);
    clear_depth(b, &stencil, STENCIL, STENCIL, 1.0f);
}

/* Each aspect has the usage that it needs, and the other one lacks it. */
SCENARIO(clear_the_aspect_that_may_be)
{
    VkImageStencilUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO, .stencilUsage = SRC};
    VkImageCreateInfo info = cleared_image(D32S8, 1, 1);
    info.pNext = &usage;
    info.usage = DST | SRC;
    clear_depth(b, &info, DEPTH | STENCIL, DEPTH, 1.0f);
    usage.stencilUsage = DST;
    info.usage = SRC;
    clear_depth(b, &info, DEPTH | STENCIL, STENCIL, 1.0f);
}
