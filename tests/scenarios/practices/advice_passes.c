/* Advice on render passes, framebuffers and what happens around them. */
#include "practices.h"

#define LOAD(name_)    VK_ATTACHMENT_LOAD_OP_##name_
#define STORE(name_)   VK_ATTACHMENT_STORE_OP_##name_
#define USAGE(name_)   VK_IMAGE_USAGE_##name_##_BIT
#define GENERAL_LAYOUT VK_IMAGE_LAYOUT_GENERAL
#define COLOR_LAYOUT   VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL

/* One color attachment. */
struct pass {
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    VkImage image;
    VkImageView view;
};

static VkRenderPass pass_of(struct baseline *b, VkAttachmentLoadOp load, VkAttachmentStoreOp store)
{
    VkAttachmentDescription attachment = {.format = COLOR_FORMAT,
                                          .samples = VK_SAMPLE_COUNT_1_BIT,
                                          .loadOp = load,
                                          .storeOp = store,
                                          .stencilLoadOp = LOAD(DONT_CARE),
                                          .stencilStoreOp = STORE(DONT_CARE),
                                          .initialLayout = COLOR_LAYOUT,
                                          .finalLayout = COLOR_LAYOUT};
    VkAttachmentReference reference = {0, COLOR_LAYOUT};
    VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                    .colorAttachmentCount = 1,
                                    .pColorAttachments = &reference};
    VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .attachmentCount = 1,
                                   .pAttachments = &attachment,
                                   .subpassCount = 1,
                                   .pSubpasses = &subpass};
    return create_render_pass(b, &info);
}

static struct pass make_advised_pass(struct baseline *b, VkAttachmentLoadOp load,
                                     VkAttachmentStoreOp store, VkImageUsageFlags usage)
{
    struct pass p = {.pass = pass_of(b, load, store), .image = make_image(b, usage)};
    VkImageViewCreateInfo view = image_view_info(p.image);
    p.view = create_image_view(b, &view);
    VkFramebufferCreateInfo info = framebuffer_info(p.pass, &p.view);
    p.framebuffer = create_framebuffer(b, &info);
    return p;
}

static void begin_advised_pass(VkCommandBuffer commands, const struct pass *p, VkRenderPass pass,
                               uint32_t values)
{
    static const VkClearValue clear[2] = {{.color.float32 = {0, 0, 0, 1}}};
    VkRenderPassBeginInfo info = render_pass_begin_info(pass, p->framebuffer);
    info.clearValueCount = values;
    info.pClearValues = clear;
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

/* --- clear values --- */

#define VALUES(name_, load_, count_, ...)                                                         \
    SCENARIO(name_, ADVISED, ##__VA_ARGS__)                                                       \
    {                                                                                             \
        VkCommandBuffer commands = make_recording(b);                                             \
        struct pass p = make_advised_pass(b, LOAD(load_), STORE(STORE), USAGE(COLOR_ATTACHMENT)); \
        begin_advised_pass(commands, &p, p.pass, count_);                                         \
        vkCmdEndRenderPass(commands);                                                             \
        VK(vkEndCommandBuffer(commands));                                                         \
    }
VALUES(one_value, CLEAR, 1)
VALUES(two_values, CLEAR, 2)
VALUES(value_of_nothing, DONT_CARE, 1, .expect = {BP("ClearValueWithoutLoadOpClear")})
VALUES(no_value, DONT_CARE, 0)
/* It means to keep the contents. */
VALUES(value_of_what_is_loaded, LOAD, 1)

SCENARIO(value_of_gray, ADVISED_FOR(amd),
         .expect = {BP("AMD-ClearAttachment-FastClearValues-color")},
         .text = {"pClearValues[0] clears to 0.5, 0.5, 0.5, 1"})
{
    static const VkClearValue gray = {.color.float32 = {0.5f, 0.5f, 0.5f, 1}};
    VkCommandBuffer commands = make_recording(b);
    struct pass p = make_advised_pass(b, LOAD(CLEAR), STORE(STORE), USAGE(COLOR_ATTACHMENT));
    VkRenderPassBeginInfo info = render_pass_begin_info(p.pass, p.framebuffer);
    info.clearValueCount = 1;
    info.pClearValues = &gray;
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(commands);
    VK(vkEndCommandBuffer(commands));
}

/* Engines give an array of zeroes to all render passes. */
SCENARIO(zeroes_of_nothing, ADVISED)
{
    static const VkClearValue zeroes[1];
    VkCommandBuffer commands = make_recording(b);
    struct pass p = make_advised_pass(b, LOAD(DONT_CARE), STORE(STORE), USAGE(COLOR_ATTACHMENT));
    VkRenderPassBeginInfo info = render_pass_begin_info(p.pass, p.framebuffer);
    info.clearValueCount = 1;
    info.pClearValues = zeroes;
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(commands);
    VK(vkEndCommandBuffer(commands));
}

static void clear_to(struct baseline *b, float red, float alpha)
{
    VkCommandBuffer commands = make_recording(b);
    VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
    VkRenderingInfo info = rendering_info(&color);
    color.loadOp = LOAD(CLEAR);
    color.clearValue.color = (VkClearColorValue){{red, red, red, alpha}};
    vkCmdBeginRendering(commands, &info);
    vkCmdEndRendering(commands);
    VK(vkEndCommandBuffer(commands));
}

FEATURES(dynamic_rendering, VkPhysicalDeviceDynamicRenderingFeatures, DYNAMIC_RENDERING_FEATURES,
         .dynamicRendering = VK_TRUE);

SCENARIO(clear_to_gray, ADVISED_FOR(amd), .features = &dynamic_rendering,
         .expect = {BP("AMD-ClearAttachment-FastClearValues-color")},
         .text = {"pColorAttachments[0].clearValue clears to 0.5, 0.5, 0.5, 1"})
{
    clear_to(b, 0.5f, 1.0f);
}

SCENARIO(clear_to_black, ADVISED_FOR(amd), .features = &dynamic_rendering)
{
    clear_to(b, 0.0f, 1.0f);
}

SCENARIO(clear_to_gray_elsewhere, ADVISED_FOR(arm), .features = &dynamic_rendering)
{
    clear_to(b, 0.5f, 1.0f);
}

static void clear_depth(struct baseline *b, float depth)
{
    VkCommandBuffer commands = make_recording(b);
    VkImageCreateInfo image = image_info(USAGE(DEPTH_STENCIL_ATTACHMENT));
    image.format = VK_FORMAT_D16_UNORM;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    view.format = image.format;
    view.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    VkRenderingAttachmentInfo attachment = rendering_attachment(create_image_view(b, &view));
    attachment.loadOp = LOAD(CLEAR);
    attachment.imageLayout = GENERAL_LAYOUT;
    attachment.clearValue.depthStencil = (VkClearDepthStencilValue){depth, 0};
    VkRenderingInfo info = rendering_info(NULL);
    info.colorAttachmentCount = 0;
    info.pDepthAttachment = &attachment;
    vkCmdBeginRendering(commands, &info);
    vkCmdEndRendering(commands);
    VK(vkEndCommandBuffer(commands));
}

SCENARIO(clear_depth_to_half, ADVISED_FOR(amd), .features = &dynamic_rendering,
         .expect = {BP("AMD-ClearAttachment-FastClearValues-depth-stencil")})
{
    clear_depth(b, 0.5f);
}

SCENARIO(clear_depth_to_one, ADVISED_FOR(amd), .features = &dynamic_rendering)
{
    clear_depth(b, 1.0f);
}

/* --- resolving --- */

static void resolve_in(struct baseline *b, VkImageView target)
{
    VkCommandBuffer commands = make_recording(b);
    VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
    VkRenderingInfo info = rendering_info(&color);
    color.resolveImageView = target;
    color.resolveImageLayout = GENERAL_LAYOUT;
    vkCmdBeginRendering(commands, &info);
    vkCmdEndRendering(commands);
    VK(vkEndCommandBuffer(commands));
}

SCENARIO(resolve_to_nothing, ADVISED, .features = &dynamic_rendering,
         .expect = {BP("VkRenderingInfo-ResolveModeNone")},
         .text = {"resolveMode is VK_RESOLVE_MODE_NONE, and resolveImageView is VkImageView"})
{
    resolve_in(b, make_image_view(b));
}

SCENARIO(resolve_nothing, ADVISED, .features = &dynamic_rendering)
{
    resolve_in(b, VK_NULL_HANDLE);
}

/* Without a view, the other members are ignored. */
SCENARIO(resolve_without_a_view, ADVISED, .features = &dynamic_rendering)
{
    VkCommandBuffer commands = make_recording(b);
    VkRenderingAttachmentInfo color = rendering_attachment(VK_NULL_HANDLE);
    VkRenderingInfo info = rendering_info(&color);
    color.resolveImageView = make_image_view(b);
    vkCmdBeginRendering(commands, &info);
    vkCmdEndRendering(commands);
    VK(vkEndCommandBuffer(commands));
}

/* --- vkCmdClearAttachments --- */

static void clear_within(struct baseline *b, VkAttachmentLoadOp load, uint32_t width, bool draws)
{
    VkCommandBuffer commands = make_recording(b);
    struct pass p = make_advised_pass(b, load, STORE(STORE), USAGE(COLOR_ATTACHMENT));
    VkClearAttachment attachment = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    VkClearRect rect = {.rect.extent = {width, IMAGE_EXTENT}, .layerCount = 1};
    begin_advised_pass(commands, &p, p.pass, load == LOAD(CLEAR));
    if (draws) {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                          make_graphics_pipeline(b, make_empty_pipeline_layout(b), p.pass));
        vkCmdDraw(commands, 3, 1, 0, 0);
    }
    vkCmdClearAttachments(commands, 1, &attachment, 1, &rect);
    vkCmdEndRenderPass(commands);
    VK(vkEndCommandBuffer(commands));
}

SCENARIO(clear_after_load, ADVISED, .expect = {BP("vkCmdClearAttachments-clear-after-load-color")},
         .text = {"pAttachments[0] clears VK_IMAGE_ASPECT_COLOR_BIT in the whole render area "
                  "before any draw, and it was loaded"})
{
    clear_within(b, LOAD(LOAD), IMAGE_EXTENT, false);
}

SCENARIO(clear_part_after_load, ADVISED)
{
    clear_within(b, LOAD(LOAD), IMAGE_EXTENT / 2, false);
}

SCENARIO(clear_after_draw, ADVISED)
{
    clear_within(b, LOAD(LOAD), IMAGE_EXTENT, true);
}

SCENARIO(clear_what_was_not_loaded, ADVISED, .expect = {BP("DrawState-ClearCmdBeforeDraw")})
{
    clear_within(b, LOAD(DONT_CARE), IMAGE_EXTENT, false);
}

static void clear_depth_within(struct baseline *b, VkImageAspectFlags aspect)
{
    VkCommandBuffer commands = make_recording(b);
    VkImageCreateInfo image = image_info(USAGE(DEPTH_STENCIL_ATTACHMENT));
    image.format = VK_FORMAT_D32_SFLOAT_S8_UINT;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    view.format = image.format;
    view.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    VkRenderingAttachmentInfo attachment = rendering_attachment(create_image_view(b, &view));
    attachment.loadOp = LOAD(LOAD);
    attachment.imageLayout = GENERAL_LAYOUT;
    VkRenderingInfo info = rendering_info(NULL);
    info.colorAttachmentCount = 0;
    info.pDepthAttachment = info.pStencilAttachment = &attachment;
    vkCmdBeginRendering(commands, &info);
    VkClearAttachment clear = {.aspectMask = aspect};
    VkClearRect rect = {.rect.extent = {IMAGE_EXTENT, IMAGE_EXTENT}, .layerCount = 1};
    vkCmdClearAttachments(commands, 1, &clear, 1, &rect);
    vkCmdEndRendering(commands);
    VK(vkEndCommandBuffer(commands));
}

SCENARIO(clear_depth_after_load, ADVISED, .features = &dynamic_rendering,
         .expect = {BP("vkCmdClearAttachments-clear-after-load-depth")})
{
    clear_depth_within(b, VK_IMAGE_ASPECT_DEPTH_BIT);
}

SCENARIO(clear_stencil_after_load, ADVISED, .features = &dynamic_rendering,
         .expect = {BP("vkCmdClearAttachments-clear-after-load-stencil")})
{
    clear_depth_within(b, VK_IMAGE_ASPECT_STENCIL_BIT);
}

FEATURES(conditional, VkPhysicalDeviceConditionalRenderingFeaturesEXT,
         CONDITIONAL_RENDERING_FEATURES_EXT, .conditionalRendering = VK_TRUE);

/* A clear that may not happen cannot be a load operation. */
SCENARIO(clear_on_a_condition, ADVISED, .drivers = NULL_DRIVER, .features = &conditional,
         .extensions = {"VK_EXT_conditional_rendering"})
{
    VkCommandBuffer commands = make_recording(b);
    struct pass p = make_advised_pass(b, LOAD(LOAD), STORE(STORE), USAGE(COLOR_ATTACHMENT));
    VkClearAttachment attachment = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    VkClearRect rect = {.rect.extent = {IMAGE_EXTENT, IMAGE_EXTENT}, .layerCount = 1};
    VkConditionalRenderingBeginInfoEXT condition = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = make_buffer(b, 256, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT)};
    DEVICE_PROC(b, vkCmdBeginConditionalRenderingEXT)(commands, &condition);
    begin_advised_pass(commands, &p, p.pass, 0);
    vkCmdClearAttachments(commands, 1, &attachment, 1, &rect);
    vkCmdEndRenderPass(commands);
    DEVICE_PROC(b, vkCmdEndConditionalRenderingEXT)(commands);
    VK(vkEndCommandBuffer(commands));
}

/* --- clears and copies before a render pass --- */

enum before { CLEAR_IMAGE, BLIT_IMAGE, COPY_IMAGE, COPY_HALF, RESOLVE_IMAGE };

static VkAccessFlags accesses_in(VkImageLayout layout)
{
    return layout == VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL   ? VK_ACCESS_TRANSFER_READ_BIT
           : layout == VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL ? VK_ACCESS_TRANSFER_WRITE_BIT
           : layout == COLOR_LAYOUT
               ? VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT
               : 0;
}

/* After all that was done before. */
static void bring_image(VkCommandBuffer commands, VkImage image, VkImageLayout from,
                        VkImageLayout to)
{
    VkImageMemoryBarrier barrier = image_barrier(image, from, to);
    barrier.srcAccessMask = accesses_in(from);
    barrier.dstAccessMask = accesses_in(to);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}
#define BRING(image_, from_, to_) \
    bring_image(commands, image_, VK_IMAGE_LAYOUT_##from_, VK_IMAGE_LAYOUT_##to_)

static void write_before_pass(struct baseline *b, VkCommandBuffer commands, enum before what,
                              VkImage target)
{
    VkClearColorValue black = {{0}};
    VkImageSubresourceRange range = color_range();
    VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    VkOffset3D end = {IMAGE_EXTENT, IMAGE_EXTENT, 1};
    VkExtent3D extent = {IMAGE_EXTENT, IMAGE_EXTENT, 1};
    VkImageCreateInfo info =
        image_info(USAGE(TRANSFER_SRC) | USAGE(TRANSFER_DST) | USAGE(COLOR_ATTACHMENT));
    VkImageBlit blit = {layers, {{0}, end}, layers, {{0}, end}};
    VkImageCopy copy = {.srcSubresource = layers, .dstSubresource = layers, .extent = extent};
    VkImageResolve resolve = {.srcSubresource = layers, .dstSubresource = layers, .extent = extent};
    const VkImageLayout from = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                        to = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    if (what == CLEAR_IMAGE) {
        vkCmdClearColorImage(commands, target, to, &black, 1, &range);
        return;
    }
    if (what == COPY_HALF)
        copy.extent.width /= 2;
    if (what == RESOLVE_IMAGE)
        info.samples = VK_SAMPLE_COUNT_4_BIT;
    VkImage source = make_image_of(b, &info);
    BRING(source, UNDEFINED, TRANSFER_DST_OPTIMAL);
    vkCmdClearColorImage(commands, source, to, &black, 1, &range);
    BRING(source, TRANSFER_DST_OPTIMAL, TRANSFER_SRC_OPTIMAL);
    if (what == BLIT_IMAGE)
        vkCmdBlitImage(commands, source, from, target, to, 1, &blit, VK_FILTER_NEAREST);
    else if (what == COPY_IMAGE || what == COPY_HALF)
        vkCmdCopyImage(commands, source, from, target, to, 1, &copy);
    else
        vkCmdResolveImage(commands, source, from, target, to, 1, &resolve);
}

enum between { NOTHING, FILLS_BUFFER, READS_IMAGE };

static void pass_after(struct baseline *b, enum before what, VkAttachmentLoadOp load,
                       enum between between)
{
    VkCommandBuffer commands = make_recording(b);
    struct pass p =
        make_advised_pass(b, load, STORE(STORE),
                          USAGE(COLOR_ATTACHMENT) | USAGE(TRANSFER_DST) | USAGE(TRANSFER_SRC));
    VkBuffer buffer = make_buffer(b, 65536, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    BRING(p.image, UNDEFINED, TRANSFER_DST_OPTIMAL);
    write_before_pass(b, commands, what, p.image);
    if (between == READS_IMAGE) {
        BRING(p.image, TRANSFER_DST_OPTIMAL, TRANSFER_SRC_OPTIMAL);
        vkCmdCopyImageToBuffer(commands, p.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer, 1,
                               &region);
        BRING(p.image, TRANSFER_SRC_OPTIMAL, COLOR_ATTACHMENT_OPTIMAL);
    } else {
        BRING(p.image, TRANSFER_DST_OPTIMAL, COLOR_ATTACHMENT_OPTIMAL);
    }
    if (between == FILLS_BUFFER)
        vkCmdFillBuffer(commands, buffer, 0, 256, 0);
    begin_advised_pass(commands, &p, p.pass, load == LOAD(CLEAR));
    vkCmdEndRenderPass(commands);
    run_commands(b, commands);
}

#define AFTER(name_, what_, load_, between_, ...)    \
    SCENARIO(name_, __VA_ARGS__)                     \
    {                                                \
        pass_after(b, what_, LOAD(load_), between_); \
    }
AFTER(clear_then_load, CLEAR_IMAGE, LOAD, NOTHING, ADVISED_FOR(arm),
      .expect = {BP("RenderPass-inefficient-clear")},
      .text = {"loads VkImage ", ", which was cleared just before"})
AFTER(clear_then_load_elsewhere, CLEAR_IMAGE, LOAD, NOTHING, ADVISED_FOR(nvidia), WITHOUT_PAGES,
      .drivers = NULL_DRIVER)
AFTER(clear_then_fill, CLEAR_IMAGE, LOAD, FILLS_BUFFER, ADVISED_FOR(arm),
      .expect = {BP("RenderPass-inefficient-clear")})
AFTER(clear_then_read, CLEAR_IMAGE, LOAD, READS_IMAGE, ADVISED_FOR(arm))
AFTER(clear_then_clear, CLEAR_IMAGE, CLEAR, NOTHING, ADVISED_FOR(img),
      .expect = {BP("RenderPass-redundant-clear")})
AFTER(clear_for_amd, CLEAR_IMAGE, LOAD, NOTHING, ADVISED_FOR(amd),
      .expect = {BP("AMD-ClearAttachment-ClearImage-color")})
AFTER(blit_then_load, BLIT_IMAGE, LOAD, NOTHING, ADVISED_FOR(arm),
      .expect = {BP("RenderPass-blitimage-loadopload")})
AFTER(blit_then_clear, BLIT_IMAGE, CLEAR, NOTHING, ADVISED_FOR(arm))
AFTER(copy_then_load, COPY_IMAGE, LOAD, NOTHING, ADVISED_FOR(arm),
      .expect = {BP("RenderPass-copyimage-loadopload")})
AFTER(copy_half_then_load, COPY_HALF, LOAD, NOTHING, ADVISED_FOR(arm))
AFTER(resolve_then_load, RESOLVE_IMAGE, LOAD, NOTHING, ADVISED_FOR(img),
      .expect = {BP("Arm-vkCmdResolveImage-resolving-image")})

static void clear_depth_image(struct baseline *b, VkImageUsageFlags usage)
{
    VkCommandBuffer commands = make_recording(b);
    VkImageCreateInfo info = image_info(USAGE(TRANSFER_DST) | usage);
    VkClearDepthStencilValue value = {1.0f, 0};
    VkImageSubresourceRange range = color_range();
    info.format = VK_FORMAT_D16_UNORM;
    range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    vkCmdClearDepthStencilImage(commands, make_image_of(b, &info), GENERAL_LAYOUT, &value, 1,
                                &range);
    VK(vkEndCommandBuffer(commands));
}

SCENARIO(clear_depth_attachment, ADVISED_FOR(amd),
         .expect = {BP("AMD-ClearAttachment-ClearImage-depth-stencil")})
{
    clear_depth_image(b, USAGE(DEPTH_STENCIL_ATTACHMENT));
}

SCENARIO(clear_depth_texture, ADVISED_FOR(amd))
{
    clear_depth_image(b, USAGE(SAMPLED));
}

static void clear_color_image(struct baseline *b, VkImageUsageFlags usage)
{
    VkCommandBuffer commands = make_recording(b);
    VkClearColorValue value = {.float32 = {0, 0, 0, 1}};
    VkImageCreateInfo info = image_info(usage | USAGE(TRANSFER_DST));
    VkImageSubresourceRange range = color_range();
    vkCmdClearColorImage(commands, make_image_of(b, &info), GENERAL_LAYOUT, &value, 1, &range);
    VK(vkEndCommandBuffer(commands));
}

SCENARIO(clear_color_attachment, ADVISED_FOR(amd),
         .expect = {BP("AMD-ClearAttachment-ClearImage-color")})
{
    clear_color_image(b, USAGE(COLOR_ATTACHMENT));
}

SCENARIO(clear_color_texture, ADVISED_FOR(amd))
{
    clear_color_image(b, USAGE(SAMPLED));
}

/* --- one render pass after the other --- */

static void two_passes(struct baseline *b, VkAttachmentStoreOp store, VkAttachmentLoadOp load)
{
    VkCommandBuffer commands = make_recording(b);
    struct pass p =
        make_advised_pass(b, LOAD(CLEAR), store, USAGE(COLOR_ATTACHMENT) | USAGE(SAMPLED));
    VkRenderPass next = pass_of(b, load, STORE(STORE));
    BRING(p.image, UNDEFINED, COLOR_ATTACHMENT_OPTIMAL);
    begin_advised_pass(commands, &p, p.pass, 1);
    vkCmdEndRenderPass(commands);
    BRING(p.image, COLOR_ATTACHMENT_OPTIMAL, COLOR_ATTACHMENT_OPTIMAL);
    begin_advised_pass(commands, &p, next, load == LOAD(CLEAR));
    vkCmdEndRenderPass(commands);
    run_commands(b, commands);
}

SCENARIO(stored_and_cleared, ADVISED_FOR(arm), .expect = {BP("RenderPass-redundant-store")},
         .text = {"clears VkImage ", ", which was stored just before"})
{
    two_passes(b, STORE(STORE), LOAD(CLEAR));
}

SCENARIO(stored_and_loaded, ADVISED_FOR(arm))
{
    two_passes(b, STORE(STORE), LOAD(LOAD));
}

SCENARIO(discarded_and_cleared, ADVISED_FOR(arm))
{
    two_passes(b, STORE(DONT_CARE), LOAD(CLEAR));
}

SCENARIO(discarded_and_loaded, ADVISED, .expect = {BP("StoreOpDontCareThenLoadOpLoad")},
         .text = {"which was discarded by a store operation just before"})
{
    two_passes(b, STORE(DONT_CARE), LOAD(LOAD));
}

/* --- the same of dynamic render passes --- */

static void order_all(VkCommandBuffer commands)
{
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                               .dstAccessMask =
                                   VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static void read_after_pass(struct baseline *b, VkCommandBuffer commands, VkImage image)
{
    VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    BRING(image, COLOR_ATTACHMENT_OPTIMAL, TRANSFER_SRC_OPTIMAL);
    vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           make_buffer(b, 65536, VK_BUFFER_USAGE_TRANSFER_DST_BIT), 1, &region);
    BRING(image, TRANSFER_SRC_OPTIMAL, COLOR_ATTACHMENT_OPTIMAL);
}

static void render_view(VkCommandBuffer commands, VkImageView view, VkAttachmentLoadOp load,
                        VkAttachmentStoreOp store)
{
    VkRenderingAttachmentInfo color = rendering_attachment(view);
    VkRenderingInfo info = rendering_info(&color);
    color.loadOp = load;
    color.storeOp = store;
    color.imageLayout = COLOR_LAYOUT;
    info.renderArea.extent = (VkExtent2D){IMAGE_EXTENT, IMAGE_EXTENT};
    vkCmdBeginRendering(commands, &info);
    vkCmdEndRendering(commands);
}

#define RENDERED_TWICE(name_, store_, load_, between_, ...)                               \
    SCENARIO(name_, ADVISED_FOR(arm), .features = &dynamic_rendering, ##__VA_ARGS__)      \
    {                                                                                     \
        VkCommandBuffer commands = make_recording(b);                                     \
        struct pass p = make_advised_pass(b, LOAD(CLEAR), STORE(STORE),                   \
                                          USAGE(COLOR_ATTACHMENT) | USAGE(TRANSFER_SRC)); \
        BRING(p.image, UNDEFINED, COLOR_ATTACHMENT_OPTIMAL);                              \
        render_view(commands, p.view, LOAD(CLEAR), STORE(store_));                        \
        order_all(commands);                                                              \
        if (between_)                                                                     \
            read_after_pass(b, commands, p.image);                                        \
        render_view(commands, p.view, LOAD(load_), STORE(STORE));                         \
        run_commands(b, commands);                                                        \
    }
RENDERED_TWICE(rendered_and_cleared, STORE, CLEAR, false,
               .expect = {BP("RenderPass-redundant-store")},
               .text = {"pColorAttachments[0] clears VkImage ", ", which was stored just before"})
RENDERED_TWICE(rendered_used_and_cleared, STORE, CLEAR, true)
RENDERED_TWICE(rendered_and_loaded, STORE, LOAD, false)
RENDERED_TWICE(rendered_away_and_loaded, DONT_CARE, LOAD, false,
               .expect = {BP("StoreOpDontCareThenLoadOpLoad")})
RENDERED_TWICE(rendered_away_and_cleared, DONT_CARE, CLEAR, false)

/* A render pass object's instance comes after a dynamic one, or the other way. */
SCENARIO(rendered_before_a_pass, ADVISED_FOR(arm), .features = &dynamic_rendering,
         .expect = {BP("RenderPass-redundant-store")})
{
    VkCommandBuffer commands = make_recording(b);
    struct pass p =
        make_advised_pass(b, LOAD(CLEAR), STORE(STORE), USAGE(COLOR_ATTACHMENT) | USAGE(SAMPLED));
    BRING(p.image, UNDEFINED, COLOR_ATTACHMENT_OPTIMAL);
    render_view(commands, p.view, LOAD(CLEAR), STORE(STORE));
    order_all(commands);
    begin_advised_pass(commands, &p, p.pass, 1);
    vkCmdEndRenderPass(commands);
    run_commands(b, commands);
}

SCENARIO(rendered_after_a_pass, ADVISED_FOR(arm), .features = &dynamic_rendering,
         .expect = {BP("RenderPass-redundant-store")})
{
    VkCommandBuffer commands = make_recording(b);
    struct pass p =
        make_advised_pass(b, LOAD(CLEAR), STORE(STORE), USAGE(COLOR_ATTACHMENT) | USAGE(SAMPLED));
    BRING(p.image, UNDEFINED, COLOR_ATTACHMENT_OPTIMAL);
    begin_advised_pass(commands, &p, p.pass, 1);
    vkCmdEndRenderPass(commands);
    order_all(commands);
    render_view(commands, p.view, LOAD(CLEAR), STORE(STORE));
    run_commands(b, commands);
}

/* --- attachments that go through memory --- */

static void resolving_pass(struct baseline *b, VkAttachmentStoreOp store)
{
    VkAttachmentDescription attachments[2] = {{.format = COLOR_FORMAT,
                                               .samples = VK_SAMPLE_COUNT_4_BIT,
                                               .loadOp = LOAD(CLEAR),
                                               .storeOp = store,
                                               .finalLayout = GENERAL_LAYOUT}};
    VkAttachmentReference color = {0, GENERAL_LAYOUT}, resolve = {1, GENERAL_LAYOUT};
    VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                    .colorAttachmentCount = 1,
                                    .pColorAttachments = &color,
                                    .pResolveAttachments = &resolve};
    VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .attachmentCount = 2,
                                   .pAttachments = attachments,
                                   .subpassCount = 1,
                                   .pSubpasses = &subpass};
    attachments[1] = attachments[0];
    attachments[1].samples = VK_SAMPLE_COUNT_1_BIT;
    attachments[1].loadOp = LOAD(DONT_CARE);
    attachments[1].storeOp = STORE(STORE);
    create_render_pass(b, &info);
}

SCENARIO(samples_stored, ADVISED_FOR(arm),
         .expect = {BP("vkCreateRenderPass-image-requires-memory")},
         .text = {"pAttachments[0] has 4 samples, is resolved in a subpass, and is stored"})
{
    resolving_pass(b, STORE(STORE));
}

SCENARIO(samples_discarded, ADVISED_FOR(arm))
{
    resolving_pass(b, STORE(DONT_CARE));
}

FEATURES(to_single, VkPhysicalDeviceMultisampledRenderToSingleSampledFeaturesEXT,
         MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_FEATURES_EXT,
         .multisampledRenderToSingleSampled = VK_TRUE);
#define SLOW_TO_RESOLVE BP("vkCreateRenderPass-SubpassResolve-NonOptimalFormat")
#define RESOLVES(optimal_)                 \
    ADVISED, .drivers = NULL_DRIVER,       \
        .null_driver = "{\"properties\": " \
                       "{\"VkSubpassResolvePerformanceQueryEXT.optimal\": " optimal_ "}}"
#define TO_SINGLE(optimal_)                     \
    RESOLVES(optimal_), .features = &to_single, \
        .extensions = {"VK_EXT_multisampled_render_to_single_sampled"}

SCENARIO(resolve_of_a_slow_format, TO_SINGLE("false"), .expect = {SLOW_TO_RESOLVE},
         .text = {"pAttachments[0].format is VK_FORMAT_R8G8B8A8_UNORM, a subpass resolves the "
                  "attachment, and the device does not resolve this format at its best"})
{
    resolving_pass(b, STORE(DONT_CARE));
}

SCENARIO(resolve_of_a_fast_format, TO_SINGLE("true"))
{
    resolving_pass(b, STORE(DONT_CARE));
}

/* The program has not asked the device. */
SCENARIO(resolve_without_the_extension, RESOLVES("false"))
{
    resolving_pass(b, STORE(DONT_CARE));
}

static void single_sampled_pass(struct baseline *b, VkBool32 enable)
{
    VkMultisampledRenderToSingleSampledInfoEXT single = {
        .sType = VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT,
        .multisampledRenderToSingleSampledEnable = enable,
        .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT};
    VkAttachmentDescription2 attachment = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                           .format = COLOR_FORMAT,
                                           .samples = VK_SAMPLE_COUNT_1_BIT,
                                           .loadOp = LOAD(CLEAR),
                                           .storeOp = STORE(STORE),
                                           .finalLayout = GENERAL_LAYOUT};
    VkAttachmentReference2 color = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                    .layout = GENERAL_LAYOUT,
                                    .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                     .pNext = &single,
                                     .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                     .colorAttachmentCount = 1,
                                     .pColorAttachments = &color};
    VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                    .attachmentCount = 1,
                                    .pAttachments = &attachment,
                                    .subpassCount = 1,
                                    .pSubpasses = &subpass};
    VkRenderPass pass;
    VK(vkCreateRenderPass2(b->device, &info, NULL, &pass));
    vkDestroyRenderPass(b->device, pass, NULL);
}

SCENARIO(single_samples_of_a_slow_format, TO_SINGLE("false"), .expect = {SLOW_TO_RESOLVE},
         .text = {"a subpass renders many samples into its one"})
{
    single_sampled_pass(b, VK_TRUE);
}

SCENARIO(single_samples_not_enabled, TO_SINGLE("false"))
{
    single_sampled_pass(b, VK_FALSE);
}

#define FRAMEBUFFER(name_, load_, store_, usage_, ...)                        \
    SCENARIO(name_, ADVISED, .drivers = NULL_DRIVER, ##__VA_ARGS__)           \
    {                                                                         \
        VkRenderPass pass = pass_of(b, LOAD(load_), STORE(store_));           \
        VkImageCreateInfo image = image_info(usage_);                         \
        VkImage made = create_image(b, &image);                               \
        VkMemoryRequirements requirements;                                    \
        vkGetImageMemoryRequirements(b->device, made, &requirements);         \
        uint32_t type = image.usage & USAGE(TRANSIENT_ATTACHMENT) ? 4 : 1;    \
        VkMemoryAllocateInfo memory = memory_info(requirements.size, type);   \
        VK(vkBindImageMemory(b->device, made, create_memory(b, &memory), 0)); \
        VkImageViewCreateInfo view = image_view_info(made);                   \
        VkImageView views = create_image_view(b, &view);                      \
        VkFramebufferCreateInfo info = framebuffer_info(pass, &views);        \
        create_framebuffer(b, &info);                                         \
    }
FRAMEBUFFER(should_be_transient, CLEAR, DONT_CARE, USAGE(COLOR_ATTACHMENT),
            .expect = {BP("vkCreateFramebuffer-attachment-should-be-transient")},
            .text = {"pAttachments[0] is neither loaded nor stored, and VkImage"})
FRAMEBUFFER(is_transient, CLEAR, DONT_CARE, USAGE(COLOR_ATTACHMENT) | USAGE(TRANSIENT_ATTACHMENT))
FRAMEBUFFER(is_sampled, CLEAR, DONT_CARE, USAGE(COLOR_ATTACHMENT) | USAGE(SAMPLED))
FRAMEBUFFER(should_not_be_transient, CLEAR, STORE,
            USAGE(COLOR_ATTACHMENT) | USAGE(TRANSIENT_ATTACHMENT),
            .expect = {BP("vkCreateFramebuffer-attachment-should-not-be-transient")},
            .text = {"pAttachments[0] is stored, and VkImage"})
FRAMEBUFFER(is_stored, CLEAR, STORE, USAGE(COLOR_ATTACHMENT))
