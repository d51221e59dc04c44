/* Clearing images outside of render passes. */
#include "scenario.h"

#define DST     VK_IMAGE_USAGE_TRANSFER_DST_BIT
#define COLOR   VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH   VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT
#define D32S8   VK_FORMAT_D32_SFLOAT_S8_UINT

/* A valid clear of a whole image; a scenario breaks one thing. */
struct clear {
    VkImageCreateInfo image;
    VkImageLayout layout, before; /* UNDEFINED: no transition before */
    VkImageSubresourceRange range;
    float depth;
    bool unbound, protected_commands;
};

static struct clear plain_clear(struct baseline *b, VkFormat format, VkImageAspectFlags aspects)
{
    struct clear c = {.image = image_info(DST),
                      .layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                      .range = {aspects, 0, 1, 0, 1},
                      .depth = 1.0f};
    c.image.format = format;
    return c;
}

static void record_clear(struct baseline *b, const struct clear *c, bool depth)
{
    static const VkClearColorValue black = {.float32 = {0, 0, 0, 1}};
    const VkClearDepthStencilValue value = {c->depth, 1};
    VkImage image = c->unbound ? create_image(b, &c->image) : make_image_of(b, &c->image);
    VkCommandBuffer command_buffer =
        c->protected_commands ? make_protected_recording(b) : make_recording(b);
    VkImageMemoryBarrier barrier = image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, c->before);
    barrier.subresourceRange = c->range;
    if (c->before != VK_IMAGE_LAYOUT_UNDEFINED)
        vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    if (depth)
        vkCmdClearDepthStencilImage(command_buffer, image, c->layout, &value, 1, &c->range);
    else
        vkCmdClearColorImage(command_buffer, image, c->layout, &black, 1, &c->range);
}

#define CLEAR_WITH(name_, change_, ...)                                   \
    SCENARIO(name_, __VA_ARGS__)                                          \
    {                                                                     \
        struct clear c = plain_clear(b, VK_FORMAT_R8G8B8A8_UNORM, COLOR); \
        change_;                                                          \
        record_clear(b, &c, false);                                       \
    }
#define DEPTH_WITH(name_, change_, ...)                          \
    SCENARIO(name_, __VA_ARGS__)                                 \
    {                                                            \
        struct clear c = plain_clear(b, D32S8, DEPTH | STENCIL); \
        change_;                                                 \
        record_clear(b, &c, true);                               \
    }
#define CLEAR(name_, vuid_, change_) \
    CLEAR_WITH(name_, change_, .expect = {"VUID-vkCmdClearColorImage-" vuid_})
#define CLEAR_DEPTH(name_, vuid_, change_) \
    DEPTH_WITH(name_, change_, .expect = {"VUID-vkCmdClearDepthStencilImage-" vuid_})
#define NOTHING (void)0

CLEAR_WITH(clear_whole, NOTHING, .seconds = 0)
CLEAR_WITH(clear_remaining, c.image.mipLevels = 3; c.image.arrayLayers = 2;
           c.range = ((VkImageSubresourceRange){COLOR, 1, VK_REMAINING_MIP_LEVELS, 1,
                                                VK_REMAINING_ARRAY_LAYERS}),
           .seconds = 0)
CLEAR_WITH(clear_two_of_64_bits, c.image.format = VK_FORMAT_R64G64_UINT, .drivers = NULL_DRIVER)
CLEAR(clear_usage, "image-00002", c.image.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT)
CLEAR(clear_unbound, "image-00003", c.unbound = true)
CLEAR(clear_layout, "imageLayout-01394", c.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
CLEAR_WITH(clear_layout_as_told, c.before = c.layout, .seconds = 0)
CLEAR(clear_in_another_layout, "imageLayout-00004", c.before = VK_IMAGE_LAYOUT_GENERAL)
CLEAR(clear_mip_level, "baseMipLevel-01470", c.range.baseMipLevel = 1)
CLEAR(clear_mip_levels, "pRanges-01692", c.range.levelCount = 2)
CLEAR(clear_mip_levels_wrap, "pRanges-01692", c.image.mipLevels = 3; c.range.baseMipLevel = 2;
      c.range.levelCount = UINT32_MAX - 1)
CLEAR(clear_layer, "baseArrayLayer-01472", c.range.baseArrayLayer = 1)
CLEAR(clear_layers, "pRanges-01693", c.range.layerCount = 2)
CLEAR_WITH(clear_depth_as_color, c.image.format = D32S8;
           c.range.aspectMask = DEPTH, .expect = {"VUID-vkCmdClearColorImage-image-00007"})
CLEAR_WITH(clear_depth_of_color, c.range.aspectMask = DEPTH,
           .expect = {"VUID-vkCmdClearColorImage-aspectMask-02498"})
CLEAR(clear_blocks, "image-00007", c.image.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK)
CLEAR(clear_planes, "image-01545", c.image.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM)
CLEAR_WITH(clear_four_of_64_bits, c.image.format = VK_FORMAT_R64G64B64A64_UINT,
           .expect = {"VUID-vkCmdClearColorImage-image-09678"}, .drivers = NULL_DRIVER)

SCENARIO(clear_to_no_color, .expect = {"VUID-vkCmdClearColorImage-pColor-04961"})
{
    const struct clear c = plain_clear(b, VK_FORMAT_R8G8B8A8_UNORM, COLOR);
    vkCmdClearColorImage(make_recording(b), make_image_of(b, &c.image), c.layout, NULL, 1,
                         &c.range);
}

DEPTH_WITH(clear_depth, NOTHING, .seconds = 0)
DEPTH_WITH(clear_depth_alone, c.image.format = VK_FORMAT_D32_SFLOAT;
           c.range.aspectMask = DEPTH, .seconds = 0)
CLEAR_DEPTH(clear_depth_usage, "pRanges-02660", c.image.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
            c.range.aspectMask = DEPTH)
CLEAR_DEPTH(clear_stencil_usage, "pRanges-02659", c.image.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
            c.range.aspectMask = STENCIL)

static const VkImageStencilUsageCreateInfo stencil_usage = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO,
    .stencilUsage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
CLEAR_DEPTH(clear_separate_stencil_usage, "pRanges-02658", c.image.pNext = &stencil_usage;
            c.image.usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT)
DEPTH_WITH(clear_depth_of_separate_stencil_usage, c.image.pNext = &stencil_usage;
           c.image.usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
           c.range.aspectMask = DEPTH, .seconds = 0)
CLEAR_DEPTH(clear_depth_unbound, "image-00010", c.unbound = true)
CLEAR_DEPTH(clear_depth_layout, "imageLayout-00012",
            c.layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL)
CLEAR_DEPTH(clear_depth_in_another_layout, "imageLayout-00011", c.before = VK_IMAGE_LAYOUT_GENERAL)
DEPTH_WITH(clear_depth_layout_as_told, c.before = c.layout, .seconds = 0)
CLEAR_DEPTH(clear_depth_color_aspect, "aspectMask-02824",
            c.range.aspectMask = DEPTH | STENCIL | COLOR)
CLEAR_DEPTH(clear_missing_stencil, "image-02825", c.image.format = VK_FORMAT_D32_SFLOAT)
CLEAR_DEPTH(clear_missing_depth, "image-02826", c.image.format = VK_FORMAT_S8_UINT)
CLEAR_DEPTH(clear_depth_mip_level, "baseMipLevel-01474", c.range.baseMipLevel = 1)
CLEAR_DEPTH(clear_depth_mip_levels, "pRanges-01694", c.range.levelCount = 2)
CLEAR_DEPTH(clear_depth_layer, "baseArrayLayer-01476", c.range.baseArrayLayer = 1)
CLEAR_DEPTH(clear_depth_layers, "pRanges-01695", c.range.layerCount = 2)
DEPTH_WITH(clear_color_as_depth, c.image.format = VK_FORMAT_R8G8B8A8_UNORM,
           .expect = {"VUID-vkCmdClearDepthStencilImage-image-00014"})
DEPTH_WITH(clear_depth_of_2, c.depth = 2, .expect = {"VUID-VkClearDepthStencilValue-depth-00022"})
DEPTH_WITH(clear_depth_of_2_unrestricted, c.depth = 2, .drivers = NULL_DRIVER,
           .extensions = {VK_EXT_DEPTH_RANGE_UNRESTRICTED_EXTENSION_NAME})

static const VkPhysicalDeviceProtectedMemoryFeatures protected_memory = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .protectedMemory = VK_TRUE};
#define PROTECTED                                          \
    .drivers = NULL_DRIVER, .features = &protected_memory, \
    .null_driver = "{\"properties\": {\"protectedNoFault\": false}}"

CLEAR_WITH(clear_protected_image, c.image.flags = VK_IMAGE_CREATE_PROTECTED_BIT, PROTECTED,
           .expect = {"VUID-vkCmdClearColorImage-commandBuffer-01805"})
CLEAR_WITH(clear_unprotected_image, c.protected_commands = true, PROTECTED,
           .expect = {"VUID-vkCmdClearColorImage-commandBuffer-01806"})
CLEAR_WITH(clear_protected, c.protected_commands = true;
           c.image.flags = VK_IMAGE_CREATE_PROTECTED_BIT, PROTECTED)
DEPTH_WITH(clear_protected_depth, c.image.flags = VK_IMAGE_CREATE_PROTECTED_BIT, PROTECTED,
           .expect = {"VUID-vkCmdClearDepthStencilImage-commandBuffer-01807"})
DEPTH_WITH(clear_unprotected_depth, c.protected_commands = true, PROTECTED,
           .expect = {"VUID-vkCmdClearDepthStencilImage-commandBuffer-01808"})

/* --- inside of render passes ------------------------------------------------------------------ */

/* Clears in a render pass with one color attachment. */
static void clear_in(struct baseline *b, const VkClearAttachment *attachment,
                     const VkClearRect *rect)
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdClearAttachments(command_buffer, 1, attachment, 1, rect);
    vkCmdEndRenderPass(command_buffer);
}

#define CLEAR_IN(name_, change_, ...)                                      \
    SCENARIO(name_, __VA_ARGS__)                                           \
    {                                                                      \
        VkClearAttachment attachment = {.aspectMask = COLOR};              \
        VkClearRect rect = {{{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}}, 0, 1}; \
        change_;                                                           \
        clear_in(b, &attachment, &rect);                                   \
    }

CLEAR_IN(clear_attachment, NOTHING, .seconds = 0)
CLEAR_IN(clear_attachment_of_corner, rect.rect = ((VkRect2D){{60, 60}, {4, 4}}), .seconds = 0)
CLEAR_IN(clear_attachment_outside, rect.rect.offset.x = 1,
         .expect = {"VUID-vkCmdClearAttachments-pRects-00016"})
CLEAR_IN(clear_attachment_left, rect.rect.offset.y = -1,
         .expect = {"VUID-vkCmdClearAttachments-pRects-00016"})
CLEAR_IN(clear_attachment_no_width, rect.rect.extent.width = 0,
         .expect = {"VUID-vkCmdClearAttachments-rect-02682"})
CLEAR_IN(clear_attachment_no_height, rect.rect.extent.height = 0,
         .expect = {"VUID-vkCmdClearAttachments-rect-02683"})
CLEAR_IN(clear_attachment_no_layers, rect.layerCount = 0,
         .expect = {"VUID-vkCmdClearAttachments-layerCount-01934"})
CLEAR_IN(clear_attachment_second_layer, rect.baseArrayLayer = 1,
         .expect = {"VUID-vkCmdClearAttachments-pRects-06937"})
CLEAR_IN(clear_attachment_too_many, attachment.colorAttachment = 1,
         .expect = {"VUID-vkCmdClearAttachments-aspectMask-07271"})
CLEAR_IN(clear_attachment_unused, attachment.colorAttachment = VK_ATTACHMENT_UNUSED,
         .expect = {"VUID-vkCmdClearAttachments-aspectMask-07271"})
CLEAR_IN(clear_attachment_color_and_depth, attachment.aspectMask = COLOR | DEPTH,
         .expect = {"VUID-VkClearAttachment-aspectMask-00019"})
CLEAR_IN(clear_attachment_metadata, attachment.aspectMask = VK_IMAGE_ASPECT_METADATA_BIT,
         .expect = {"VUID-VkClearAttachment-aspectMask-00020"})
CLEAR_IN(clear_attachment_memory_plane,
         attachment.aspectMask = VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT, .drivers = NULL_DRIVER,
         .extensions = {VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME},
         .expect = {"VUID-VkClearAttachment-aspectMask-02246"})

/* In a render pass with a depth/stencil attachment of the format. */
static void clear_depth_in(struct baseline *b, VkFormat format, VkImageAspectFlags aspects)
{
    VkAttachmentDescription description = {.format = format,
                                           .samples = VK_SAMPLE_COUNT_1_BIT,
                                           .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                           .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                           .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                           .stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE,
                                           .finalLayout =
                                               VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                    .pDepthStencilAttachment = &reference};
    VkRenderPassCreateInfo pass_info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = 1,
                                        .pAttachments = &description,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
    VkRenderPass pass = create_render_pass(b, &pass_info);
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    image.format = format;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    view.format = format;
    view.subresourceRange.aspectMask = format == VK_FORMAT_S8_UINT ? STENCIL : DEPTH;
    VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, make_framebuffer(b, pass, create_image_view(b, &view)));
    VkCommandBuffer command_buffer = make_recording(b);
    VkClearAttachment attachment = {.aspectMask = aspects};
    VkClearRect rect = {{{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}}, 0, 1};
    vkCmdBeginRenderPass(command_buffer, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdClearAttachments(command_buffer, 1, &attachment, 1, &rect);
    vkCmdEndRenderPass(command_buffer);
}

SCENARIO(clear_depth_attachment)
{
    clear_depth_in(b, VK_FORMAT_D32_SFLOAT, DEPTH);
}

SCENARIO(clear_missing_depth_attachment, .expect = {"VUID-vkCmdClearAttachments-aspectMask-07884"},
         .drivers = NULL_DRIVER)
{
    clear_depth_in(b, VK_FORMAT_S8_UINT, DEPTH);
}

SCENARIO(clear_missing_stencil_attachment,
         .expect = {"VUID-vkCmdClearAttachments-aspectMask-07885"},
         .text = {"has VK_IMAGE_ASPECT_STENCIL_BIT, but the subpass's depth/stencil attachment, 0, "
                  "is of "})
{
    clear_depth_in(b, VK_FORMAT_D32_SFLOAT, STENCIL);
}

/* --- what formats lack --- */

#define LACKS_TRANSFER(format_) \
    .drivers = NULL_DRIVER, .null_driver = "{\"withoutFormatFeatures\": {\"" format_ "\": 32768}}"
CLEAR_WITH(clear_without_transfer, , LACKS_TRANSFER("37"),
           .expect = {"VUID-vkCmdClearColorImage-image-01993"},
           .text = {"VK_FORMAT_R8G8B8A8_UNORM", "TRANSFER_DST_BIT"})
CLEAR_WITH(clear_where_others_lack_it, , LACKS_TRANSFER("130"))
DEPTH_WITH(clear_depth_without_transfer, , LACKS_TRANSFER("130"),
           .expect = {"VUID-vkCmdClearDepthStencilImage-image-01994"},
           .text = {"VK_FORMAT_D32_SFLOAT_S8_UINT", "TRANSFER_DST_BIT"})
DEPTH_WITH(clear_depth_where_others_lack_it, , LACKS_TRANSFER("37"))

/* --- multiview --- */

static const VkPhysicalDeviceMultiviewFeatures multiview = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, .multiview = VK_TRUE};
static const VkPhysicalDeviceDynamicRenderingFeatures multiview_rendering = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
    .pNext = (void *)&multiview,
    .dynamicRendering = VK_TRUE};

static void clear_views(struct baseline *b, uint32_t layer, uint32_t count)
{
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    image.arrayLayers = 2;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    view.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    view.subresourceRange.layerCount = 2;
    VkRenderingAttachmentInfo color = rendering_attachment(create_image_view(b, &view));
    VkRenderingInfo info = rendering_info(&color);
    info.viewMask = 3;
    const VkClearAttachment attachment = {.aspectMask = COLOR};
    const VkClearRect rect = {{{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}}, layer, count};
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBeginRendering(command_buffer, &info);
    vkCmdClearAttachments(command_buffer, 1, &attachment, 1, &rect);
    vkCmdEndRendering(command_buffer);
}

SCENARIO(clear_view, .features = &multiview_rendering)
{
    clear_views(b, 0, 1);
}

SCENARIO(clear_second_view, .features = &multiview_rendering,
         .expect = {"VUID-vkCmdClearAttachments-baseArrayLayer-00018"},
         .text = {"pRects[0] has baseArrayLayer 1 and layerCount 1, but the render pass instance "
                  "uses multiview"})
{
    clear_views(b, 1, 1);
}

SCENARIO(clear_two_views, .features = &multiview_rendering,
         .expect = {"VUID-vkCmdClearAttachments-baseArrayLayer-00018"},
         .text = {"pRects[0] has baseArrayLayer 0 and layerCount 2, but the render pass instance "
                  "uses multiview"})
{
    clear_views(b, 0, 2);
}

/* --- protected attachments --- */

static const VkPhysicalDeviceDynamicRenderingFeatures renders = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
    .pNext = (void *)(uintptr_t)&protected_memory,
    .dynamicRendering = VK_TRUE};

static void clear_protected_in(struct baseline *b, bool image_is, bool commands_are)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    info.flags = image_is ? VK_IMAGE_CREATE_PROTECTED_BIT : 0;
    const VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
    const VkRenderingAttachmentInfo color = rendering_attachment(create_image_view(b, &view));
    const VkRenderingInfo rendering = rendering_info(&color);
    const VkClearAttachment attachment = {.aspectMask = COLOR};
    const VkClearRect rect = {{{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}}, 0, 1};
    VkCommandBuffer commands = commands_are ? make_protected_recording(b) : make_recording(b);
    vkCmdBeginRendering(commands, &rendering);
    vkCmdClearAttachments(commands, 1, &attachment, 1, &rect);
    vkCmdEndRendering(commands);
}
#define PROTECTED_IN                              \
    .drivers = NULL_DRIVER, .features = &renders, \
    .null_driver = "{\"properties\": {\"protectedNoFault\": false}}"

SCENARIO(clear_protected_attachment, PROTECTED_IN)
{
    clear_protected_in(b, true, true);
    clear_protected_in(b, false, false);
}

SCENARIO(clear_protected_attachment_unprotected, PROTECTED_IN,
         .expect = {"VUID-vkCmdClearAttachments-commandBuffer-02504"})
{
    clear_protected_in(b, true, false);
}

SCENARIO(clear_unprotected_attachment, PROTECTED_IN,
         .expect = {"VUID-vkCmdClearAttachments-commandBuffer-02505"})
{
    clear_protected_in(b, false, true);
}
