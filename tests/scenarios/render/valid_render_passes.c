/* Valid render passes at the edges of the chapter: references that are ignored, aspects that a
 * format lacks, layouts that a feature brings. There are views, and framebuffers that are larger or
 * compatible. Nothing is found in any of them. */
#include "render/render_pass_builder.h"

#define OUTPUT VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT

static const VkPhysicalDeviceFeatures2 no_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};

/* --- references and descriptions --- */

RIGHT(unused_references_in_layouts_without_feature, (.features = &no_features),
      p->colors[0] = pass_reference(VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
      p->depth_stencil = pass_reference(VK_ATTACHMENT_UNUSED,
                                        VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL);
      p->subpasses[0].pDepthStencilAttachment = &p->depth_stencil)
RIGHT(unused_references_in_any_layout, (), p->subpasses[0].inputAttachmentCount = 2;
      p->subpasses[0].colorAttachmentCount = 2; p->subpasses[0].pResolveAttachments = p->resolves;
      p->subpasses[0].pDepthStencilAttachment = &p->depth_stencil;
      p->colors[0] = p->colors[1] = p->resolves[0] = p->resolves[1] = p->inputs[0] = p->inputs[1] =
          p->depth_stencil = pass_reference(VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED);
      p->inputs[0].layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
      p->colors[0].layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
      p->depth_stencil.layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)
RIGHT(subpass_without_attachments, (), p->subpasses[0].colorAttachmentCount = 0;
      p->info.attachmentCount = 0)
RIGHT(stencil_ops_of_color, (), p->attachments[COLOR].stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD)
RIGHT(color_ops_of_stencil, (), p->attachments[STENCIL].loadOp = VK_ATTACHMENT_LOAD_OP_LOAD)
RIGHT(stencil_ops_of_depth, (), p->attachments[DEPTH].stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD)
RIGHT(load_preinitialized, (), p->attachments[COLOR].loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
      p->attachments[COLOR].initialLayout = VK_IMAGE_LAYOUT_PREINITIALIZED)
RIGHT(may_alias, (),
      p->attachments[COLOR].flags = p->attachments[COLOR_B].flags =
          VK_ATTACHMENT_DESCRIPTION_MAY_ALIAS_BIT)
RIGHT(load_op_none, (.extensions = {"VK_EXT_load_store_op_none"}),
      p->attachments[COLOR].loadOp = VK_ATTACHMENT_LOAD_OP_NONE;
      p->attachments[COLOR].storeOp = VK_ATTACHMENT_STORE_OP_NONE;
      p->attachments[DEPTH_STENCIL].stencilLoadOp = VK_ATTACHMENT_LOAD_OP_NONE)
RIGHT(store_op_none, (), p->attachments[COLOR].storeOp = VK_ATTACHMENT_STORE_OP_NONE)
RIGHT(layouts_that_speak_of_all, (), p->colors[0].layout = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL;
      p->inputs[0] = pass_reference(COLOR_B, VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL);
      p->attachments[COLOR_B].loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
      p->attachments[COLOR_B].initialLayout = p->attachments[COLOR_B].finalLayout =
          VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL;
      p->subpasses[0].inputAttachmentCount = 1;
      p->depth_stencil.layout = VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL;
      p->attachments[DEPTH_STENCIL].loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
      p->attachments[DEPTH_STENCIL].initialLayout = VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL;
      p->subpasses[0].pDepthStencilAttachment = &p->depth_stencil)
RIGHT(transfer_layouts_around, (),
      p->attachments[COLOR].initialLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
      p->attachments[COLOR].finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
      p->attachments[COLOR].loadOp = VK_ATTACHMENT_LOAD_OP_LOAD)
RIGHT(present_layouts_around,
      (.extensions = {"VK_KHR_swapchain"}, .instance_extensions = {"VK_KHR_surface"}),
      p->attachments[COLOR].initialLayout = p->attachments[COLOR].finalLayout =
          VK_IMAGE_LAYOUT_PRESENT_SRC_KHR)
RIGHT(general_is_for_all, (),
      p->colors[0].layout = p->depth_stencil.layout = VK_IMAGE_LAYOUT_GENERAL;
      p->inputs[0] = pass_reference(COLOR, VK_IMAGE_LAYOUT_GENERAL);
      p->subpasses[0].inputAttachmentCount = 1;
      p->subpasses[0].pDepthStencilAttachment = &p->depth_stencil)
RIGHT(input_and_read_only_depth, (),
      p->depth_stencil = pass_reference(DEPTH_STENCIL,
                                        VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
      p->inputs[0] = p->depth_stencil; p->inputs[0].aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
      p->attachments[DEPTH_STENCIL].loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
      p->attachments[DEPTH_STENCIL].initialLayout = VK_IMAGE_LAYOUT_GENERAL;
      p->subpasses[0].inputAttachmentCount = 1;
      p->subpasses[0].pDepthStencilAttachment = &p->depth_stencil)
RIGHT(depth_read_only_stencil_cleared, (),
      p->depth_stencil = pass_reference(DEPTH_STENCIL,
                                        VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL);
      p->attachments[DEPTH_STENCIL].loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
      p->attachments[DEPTH_STENCIL].stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      p->attachments[DEPTH_STENCIL].initialLayout =
          VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL;
      p->subpasses[0].pDepthStencilAttachment = &p->depth_stencil)
RIGHT(stencil_read_only_depth_cleared, (),
      p->depth_stencil = pass_reference(DEPTH_STENCIL,
                                        VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL);
      p->attachments[DEPTH_STENCIL].stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
      p->attachments[DEPTH_STENCIL].initialLayout = VK_IMAGE_LAYOUT_GENERAL;
      p->subpasses[0].pDepthStencilAttachment = &p->depth_stencil)
RIGHT(stencil_alone, (),
      p->depth_stencil = pass_reference(STENCIL, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
      p->subpasses[0].pDepthStencilAttachment = &p->depth_stencil)
RIGHT(stencil_alone_in_its_layout, (),
      p->depth_stencil = pass_reference(STENCIL, VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL);
      p->subpasses[0].pDepthStencilAttachment = &p->depth_stencil)
RIGHT(depth_alone_in_its_layout, (),
      p->depth_stencil = pass_reference(DEPTH, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
      p->attachments[DEPTH].finalLayout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
      p->subpasses[0].pDepthStencilAttachment = &p->depth_stencil)
/* Attachments that no subpass uses are neither cleared nor loaded. */
RIGHT(only_final_layouts, (), p->subpasses[0].colorAttachmentCount = 0;
      p->attachments[COLOR].finalLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
RIGHT(clear_of_input_and_color, (), p->colors[0].layout = VK_IMAGE_LAYOUT_GENERAL;
      p->inputs[0] = pass_reference(COLOR, VK_IMAGE_LAYOUT_GENERAL);
      p->subpasses[0].inputAttachmentCount = 1)
RIGHT(first_use_as_input_of_loaded, (),
      p->inputs[0] = pass_reference(COLOR_B, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
      p->attachments[COLOR_B].loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
      p->attachments[COLOR_B].stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      p->subpasses[0].inputAttachmentCount = 1)

/* --- resolves --- */

RIGHT(some_resolves, (), p->subpasses[0].colorAttachmentCount = 2;
      p->colors[0].attachment = COLOR_4; p->resolves[0].attachment = COLOR;
      p->subpasses[0].pResolveAttachments = p->resolves)
RIGHT(resolves_of_nothing, (), p->subpasses[0].pResolveAttachments = p->resolves)
RIGHT(resolve_in_general, (), p->colors[0].attachment = COLOR_4; p->resolves[0].attachment = COLOR;
      p->resolves[0].layout = VK_IMAGE_LAYOUT_GENERAL;
      p->subpasses[0].pResolveAttachments = p->resolves)
RIGHT_SECOND(depth_resolve, (), p->colors[0].attachment = COLOR_4;
             p->depth_stencil.attachment = DEPTH_STENCIL_4; p->subpasses[0].pNext = &p->resolve;
             p->subpasses[0].pDepthStencilAttachment = &p->depth_stencil)
RIGHT_SECOND(depth_resolve_of_depth_alone, (), p->colors[0].attachment = COLOR_4;
             p->depth_stencil.attachment = DEPTH_STENCIL_4;
             p->depth_stencil_resolve.attachment = DEPTH;
             p->resolve.stencilResolveMode = VK_RESOLVE_MODE_NONE;
             p->subpasses[0].pNext = &p->resolve;
             p->subpasses[0].pDepthStencilAttachment = &p->depth_stencil)
RIGHT_SECOND(depth_resolve_unused, (), p->depth_stencil_resolve.attachment = VK_ATTACHMENT_UNUSED;
             p->resolve.depthResolveMode = p->resolve.stencilResolveMode = VK_RESOLVE_MODE_NONE;
             p->subpasses[0].pNext = &p->resolve)
RIGHT_SECOND(depth_resolve_null, (), p->resolve.pDepthStencilResolveAttachment = NULL;
             p->subpasses[0].pNext = &p->resolve)

/* --- dependencies --- */

#define DEPENDS(src_, dst_, src_stages_, dst_stages_, flags_)                            \
    p->info.dependencyCount = 1;                                                         \
    p->dependencies[0] = (VkSubpassDependency2)                                          \
    {                                                                                    \
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2, .srcSubpass = (src_),           \
        .dstSubpass = (dst_), .srcStageMask = (VkPipelineStageFlags)(src_stages_),       \
        .dstStageMask = (VkPipelineStageFlags)(dst_stages_), .dependencyFlags = (flags_) \
    }
RIGHT(from_outside, (),
      DEPENDS(VK_SUBPASS_EXTERNAL, 0,
              VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT |
                  VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
              OUTPUT, 0))
RIGHT(to_outside, (),
      DEPENDS(0, VK_SUBPASS_EXTERNAL, OUTPUT,
              VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0))
RIGHT(from_nothing, (), DEPENDS(VK_SUBPASS_EXTERNAL, 0, VK_PIPELINE_STAGE_NONE, OUTPUT, 0))
RIGHT(from_all, (),
      DEPENDS(0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
              VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, VK_DEPENDENCY_BY_REGION_BIT))
RIGHT(on_itself_in_vertices, (),
      DEPENDS(0, 0, VK_PIPELINE_STAGE_VERTEX_SHADER_BIT,
              VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0))
RIGHT(on_itself_in_framebuffer, (),
      DEPENDS(0, 0, OUTPUT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_DEPENDENCY_BY_REGION_BIT))
RIGHT(on_itself_from_draw_indirect, (),
      DEPENDS(0, 0, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, 0))
static const VkMemoryBarrier2 barrier2 = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                          .srcStageMask =
                                              VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                                          .dstStageMask = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT};
/* "the synchronization scopes are defined by the VkMemoryBarrier2; the parameters are ignored" */
RIGHT_SECOND(masks_ignored, (),
             DEPENDS(0, 0, VK_PIPELINE_STAGE_HOST_BIT, 0, VK_DEPENDENCY_BY_REGION_BIT);
             p->dependencies[0].pNext = &barrier2)
RIGHT(preserved_twice, (), p->info.subpassCount = 3; p->info.dependencyCount = 2;
      p->dependencies[1].srcSubpass = 1; p->dependencies[1].dstSubpass = 2;
      p->subpasses[1].colorAttachmentCount = 0; p->subpasses[1].preserveAttachmentCount = 1;
      p->preserves[0] = COLOR;
      p->second_colors[0] = pass_reference(COLOR, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL))
RIGHT(layouts_differ_between_subpasses, (), p->info.subpassCount = 2; p->info.dependencyCount = 1;
      p->subpasses[1].colorAttachmentCount = 0; p->subpasses[1].inputAttachmentCount = 1;
      p->second_inputs[0] = pass_reference(COLOR, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL))

/* --- views --- */

#define VIEWS(mask_) p->subpasses[0].viewMask = (mask_)
RIGHT_SECOND(views, (), VIEWS(3))
RIGHT_SECOND(views_with_gaps, (), VIEWS(5); p->info.correlatedViewMaskCount = 2;
             p->info.pCorrelatedViewMasks = (const uint32_t[]){1, 4})
RIGHT_SECOND(views_on_themselves, (), VIEWS(3);
             DEPENDS(0, 0, OUTPUT, OUTPUT,
                     VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_VIEW_LOCAL_BIT))
RIGHT_SECOND(one_view_on_itself, (), VIEWS(2);
             DEPENDS(0, 0, OUTPUT, OUTPUT, VK_DEPENDENCY_BY_REGION_BIT))
RIGHT_SECOND(views_of_others, (), VIEWS(3); p->subpasses[1].viewMask = 6; p->info.subpassCount = 2;
             p->info.dependencyCount = 1;
             p->dependencies[0].dependencyFlags = VK_DEPENDENCY_VIEW_LOCAL_BIT |
                                                  VK_DEPENDENCY_BY_REGION_BIT;
             p->dependencies[0].viewOffset = -1)
#define MULTIVIEW(...)                                                              \
    const VkRenderPassMultiviewCreateInfo multiview = {                             \
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO, __VA_ARGS__}; \
    p->info.pNext = &multiview
#define RIGHT_FIRST(name_, fields_, ...)                        \
    SCENARIO(name_, .features = &pass_features, UNWRAP fields_) \
    {                                                           \
        struct pass pass_, *p = &pass_;                         \
        pass_begin(p);                                          \
        __VA_ARGS__;                                            \
        ENSURE(pass_create1(b, p));                             \
    }
RIGHT_FIRST(multiview_of_nothing, (), MULTIVIEW(.subpassCount = 0))
RIGHT_FIRST(multiview_of_one, (), MULTIVIEW(.subpassCount = 1, .pViewMasks = (const uint32_t[]){1}))
RIGHT_FIRST(multiview_without_dependencies, (),
            MULTIVIEW(.subpassCount = 1, .pViewMasks = (const uint32_t[]){3},
                      .correlationMaskCount = 1, .pCorrelationMasks = (const uint32_t[]){3});
            DEPENDS(VK_SUBPASS_EXTERNAL, 0, OUTPUT, OUTPUT, 0))
RIGHT_FIRST(aspects_of_inputs, (),
            const VkInputAttachmentAspectReference aspect = {0, 0, VK_IMAGE_ASPECT_DEPTH_BIT};
            const VkRenderPassInputAttachmentAspectCreateInfo aspects =
                {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_INPUT_ATTACHMENT_ASPECT_CREATE_INFO,
                 .aspectReferenceCount = 1,
                 .pAspectReferences = &aspect};
            p->info.pNext = &aspects; p->subpasses[0].inputAttachmentCount = 1;
            p->inputs[0] = pass_reference(DEPTH_STENCIL,
                                          VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
            p->attachments[DEPTH_STENCIL].loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE)

/* --- framebuffers and instances --- */

/* make_render_pass() leaves an attachment in VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL. */
#define RENDERED (VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT)

static VkFramebuffer make_whole(struct baseline *b, VkRenderPass pass, uint32_t count,
                                const VkImageView *views, uint32_t size, uint32_t layers)
{
    VkFramebufferCreateInfo info = framebuffer_info(pass, views);
    info.attachmentCount = count;
    info.width = info.height = size;
    info.layers = layers;
    VkFramebuffer made = create_framebuffer(b, &info);
    ENSURE(made);
    return made;
}

static VkCommandBuffer begin_valid_pass(struct baseline *b, VkRenderPass pass,
                                        VkFramebuffer framebuffer, uint32_t size)
{
    static const VkClearValue values[PASS_ATTACHMENTS];
    VkRenderPassBeginInfo info = render_pass_begin_info(pass, framebuffer);
    info.renderArea.extent = (VkExtent2D){size, size};
    info.clearValueCount = PASS_ATTACHMENTS;
    info.pClearValues = values;
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRenderPass(c, &info, VK_SUBPASS_CONTENTS_INLINE);
    return c;
}

static VkImageView view_of_image(struct baseline *b, const VkImageCreateInfo *image,
                                 VkImageViewType type, uint32_t level, uint32_t layers)
{
    VkImageViewCreateInfo info = image_view_info(make_image_of(b, image));
    info.viewType = type;
    info.subresourceRange.baseMipLevel = level;
    info.subresourceRange.layerCount = layers;
    VkImageView view = create_image_view(b, &info);
    ENSURE(view);
    return view;
}

static void run_one(struct baseline *b, VkImageView view, uint32_t size, uint32_t layers)
{
    VkRenderPass pass = make_render_pass(b);
    VkCommandBuffer c =
        begin_valid_pass(b, pass, make_whole(b, pass, 1, &view, size, layers), size);
    vkCmdEndRenderPass(c);
    run_commands(b, c);
}

SCENARIO(framebuffer_smaller_than_image)
{
    run_one(b, make_image_view(b), 7, 1);
}

SCENARIO(framebuffer_of_a_level)
{
    VkImageCreateInfo image = image_info(RENDERED);
    image.mipLevels = 3;
    run_one(b, view_of_image(b, &image, VK_IMAGE_VIEW_TYPE_2D, 2, 1), IMAGE_EXTENT / 4, 1);
}

SCENARIO(framebuffer_of_fewer_layers)
{
    VkImageCreateInfo image = image_info(RENDERED);
    image.arrayLayers = 6;
    run_one(b, view_of_image(b, &image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, 0, VK_REMAINING_ARRAY_LAYERS),
            IMAGE_EXTENT, 5);
}

SCENARIO(framebuffer_of_a_cube)
{
    VkImageCreateInfo image = image_info(RENDERED);
    image.arrayLayers = 6;
    image.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
    run_one(b, view_of_image(b, &image, VK_IMAGE_VIEW_TYPE_CUBE, 0, 6), IMAGE_EXTENT, 6);
}

SCENARIO(framebuffer_of_slices)
{
    VkImageCreateInfo image = image_info(RENDERED);
    image.imageType = VK_IMAGE_TYPE_3D;
    image.extent.depth = 8;
    image.mipLevels = 2;
    image.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
    run_one(b, view_of_image(b, &image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, 1, 4), IMAGE_EXTENT / 2, 4);
}

SCENARIO(framebuffer_without_attachments)
{
    struct pass pass, *p = &pass;
    pass_begin(p);
    p->subpasses[0].colorAttachmentCount = 0;
    p->info.attachmentCount = 0;
    VkRenderPass made = pass_create1(b, p);
    VkRenderPassBeginInfo info = render_pass_begin_info(made, make_whole(b, made, 0, NULL, 128, 4));
    info.clearValueCount = 0;
    info.pClearValues = NULL;
    info.renderArea = (VkRect2D){{100, 0}, {28, 128}};
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRenderPass(c, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(c);
    run_commands(b, c);
}

/* Load and store operations, and layouts, do not count for compatibility. */
SCENARIO(begin_with_a_compatible_pass)
{
    struct pass pass, *p = &pass;
    pass_begin(p);
    p->info.attachmentCount = 1;
    VkImageView view = make_image_view(b);
    VkFramebuffer framebuffer = make_whole(b, pass_create1(b, p), 1, &view, IMAGE_EXTENT, 1);
    p->attachments[0].loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    p->attachments[0].storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    p->attachments[0].finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    p->colors[0].layout = VK_IMAGE_LAYOUT_GENERAL;
    VkRenderPassBeginInfo info = render_pass_begin_info(pass_create1(b, p), framebuffer);
    info.clearValueCount = 0;
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRenderPass(c, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(c);
    run_commands(b, c);
}

/* A pass with one color attachment and one for depth and stencil, in one instance of a given
 * format. */
static VkCommandBuffer begin_depth(struct baseline *b, uint32_t attachment, VkFormat format)
{
    struct pass pass, *p = &pass;
    pass_begin(p);
    p->depth_stencil.attachment = attachment == VK_ATTACHMENT_UNUSED ? attachment : 1;
    p->subpasses[0].pDepthStencilAttachment = &p->depth_stencil;
    p->attachments[1].format = format;
    p->info.attachmentCount = 2;
    VkRenderPass made = pass_create1(b, p);
    const VkImageView views[] = {make_image_view(b),
                                 make_attachment_of(b, &(struct attachment){.format = format})};
    return begin_valid_pass(b, made, make_whole(b, made, 2, views, IMAGE_EXTENT, 1), IMAGE_EXTENT);
}

static void clear_attachment(VkCommandBuffer c, VkImageAspectFlags aspects, uint32_t color,
                             VkRect2D rect)
{
    const VkClearAttachment attachment = {.aspectMask = aspects, .colorAttachment = color};
    const VkClearRect rects[] = {{rect, 0, 1}, {rect, 0, 1}};
    vkCmdClearAttachments(c, 1, &attachment, 2, rects);
}

SCENARIO(clears_inside)
{
    const VkRect2D all = {{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}},
                   corner = {{IMAGE_EXTENT - 1, 3}, {1, 1}};
    VkCommandBuffer c = begin_depth(b, 1, VK_FORMAT_D32_SFLOAT_S8_UINT);
    clear_attachment(c, VK_IMAGE_ASPECT_COLOR_BIT, 0, all);
    clear_attachment(c, VK_IMAGE_ASPECT_DEPTH_BIT, 77, corner);
    clear_attachment(c, VK_IMAGE_ASPECT_STENCIL_BIT, VK_ATTACHMENT_UNUSED, corner);
    clear_attachment(c, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, all);
    vkCmdEndRenderPass(c);
    run_commands(b, c);
}

/* "VK_ATTACHMENT_UNUSED or the attachment format must contain a depth component" */
SCENARIO(clears_of_no_attachment)
{
    const VkRect2D all = {{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}};
    VkCommandBuffer c = begin_depth(b, VK_ATTACHMENT_UNUSED, VK_FORMAT_D32_SFLOAT);
    clear_attachment(c, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, all);
    vkCmdEndRenderPass(c);
    run_commands(b, c);
}

SCENARIO(clears_of_stencil_alone)
{
    const VkRect2D all = {{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}};
    VkCommandBuffer c = begin_depth(b, 1, VK_FORMAT_S8_UINT);
    clear_attachment(c, VK_IMAGE_ASPECT_STENCIL_BIT, 0, all);
    vkCmdEndRenderPass(c);
    run_commands(b, c);
}

static const VkPhysicalDeviceVulkan13Features rendering_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};

SCENARIO(clears_in_dynamic_rendering, .features = &rendering_features)
{
    const VkRect2D area = {{8, 8}, {16, 16}};
    VkRenderingAttachmentInfo color[2] = {rendering_attachment(make_image_view(b)),
                                          rendering_attachment(VK_NULL_HANDLE)};
    VkRenderingInfo info = rendering_info(color);
    info.renderArea = area;
    info.colorAttachmentCount = 2;
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRendering(c, &info);
    clear_attachment(c, VK_IMAGE_ASPECT_COLOR_BIT, 0, area);
    clear_attachment(c, VK_IMAGE_ASPECT_COLOR_BIT, 1, area);
    clear_attachment(c, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, area);
    vkCmdEndRendering(c);
    VK(vkEndCommandBuffer(c));
}

SCENARIO(clears_of_layers)
{
    VkImageCreateInfo image = image_info(RENDERED);
    image.arrayLayers = 4;
    VkImageView view = view_of_image(b, &image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, 0, 4);
    VkRenderPass pass = make_render_pass(b);
    VkCommandBuffer c =
        begin_valid_pass(b, pass, make_whole(b, pass, 1, &view, IMAGE_EXTENT, 4), IMAGE_EXTENT);
    const VkClearAttachment attachment = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    const VkClearRect rect = {{{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}}, 1, 3};
    vkCmdClearAttachments(c, 1, &attachment, 1, &rect);
    vkCmdEndRenderPass(c);
    run_commands(b, c);
}

/* The area of each device is its own: renderArea is ignored. */
SCENARIO(clear_in_a_device_area, .drivers = NULL_DRIVER)
{
    const VkRect2D area = {{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}};
    const VkDeviceGroupRenderPassBeginInfo group = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO,
        .deviceMask = 1,
        .deviceRenderAreaCount = 1,
        .pDeviceRenderAreas = &area};
    VkRenderPass pass = make_render_pass(b);
    VkImageView view = make_image_view(b);
    VkRenderPassBeginInfo info =
        render_pass_begin_info(pass, make_whole(b, pass, 1, &view, IMAGE_EXTENT, 1));
    info.pNext = &group;
    info.renderArea = (VkRect2D){{0, 0}, {0, 0}};
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRenderPass(c, &info, VK_SUBPASS_CONTENTS_INLINE);
    clear_attachment(c, VK_IMAGE_ASPECT_COLOR_BIT, 0, area);
    vkCmdEndRenderPass(c);
}

SCENARIO(clear_in_views, .features = &pass_features)
{
    struct pass pass, *p = &pass;
    pass_begin(p);
    p->info.attachmentCount = 1;
    p->subpasses[0].viewMask = 6;
    VkImageCreateInfo image = image_info(RENDERED);
    image.arrayLayers = 3;
    VkImageView view = view_of_image(b, &image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, 0, 3);
    VkRenderPass made = pass_create2(b, p);
    VkCommandBuffer c =
        begin_valid_pass(b, made, make_whole(b, made, 1, &view, IMAGE_EXTENT, 1), IMAGE_EXTENT);
    clear_attachment(c, VK_IMAGE_ASPECT_COLOR_BIT, 0, (VkRect2D){{1, 1}, {2, 2}});
    vkCmdEndRenderPass(c);
    run_commands(b, c);
}

/* A secondary that knows neither its framebuffer nor the area. */
SCENARIO(clear_in_a_secondary)
{
    VkRenderPass pass = make_render_pass(b);
    VkCommandBuffer inner = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .renderPass = pass};
    VkCommandBufferBeginInfo info = begin_info();
    info.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    info.pInheritanceInfo = &inheritance;
    VK(vkBeginCommandBuffer(inner, &info));
    clear_attachment(inner, VK_IMAGE_ASPECT_COLOR_BIT, 0,
                     (VkRect2D){{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}});
    VK(vkEndCommandBuffer(inner));
    VkImageView view = make_image_view(b);
    VkRenderPassBeginInfo start =
        render_pass_begin_info(pass, make_whole(b, pass, 1, &view, IMAGE_EXTENT, 1));
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRenderPass(c, &start, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(c, 1, &inner);
    vkCmdEndRenderPass(c);
    run_commands(b, c);
}

/* --- imageless framebuffers --- */

static void run_imageless(struct baseline *b, const VkImageCreateInfo *image,
                          const VkImageViewCreateInfo *view_info,
                          VkFramebufferAttachmentImageInfo attachment)
{
    VkImageViewCreateInfo made = *view_info;
    made.image = make_image_of(b, image);
    VkImageView view = create_image_view(b, &made);
    attachment.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO;
    attachment.flags = image->flags;
    attachment.width = attachment.height = IMAGE_EXTENT >> made.subresourceRange.baseMipLevel;
    const VkFramebufferAttachmentsCreateInfo attachments = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO,
        .attachmentImageInfoCount = 1,
        .pAttachmentImageInfos = &attachment};
    VkRenderPass pass = make_render_pass(b);
    VkFramebufferCreateInfo info = framebuffer_info(pass, NULL);
    info.pNext = &attachments;
    info.flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
    info.width = info.height = 16;
    const VkRenderPassAttachmentBeginInfo given = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO,
        .attachmentCount = 1,
        .pAttachments = &view};
    VkRenderPassBeginInfo start = render_pass_begin_info(pass, create_framebuffer(b, &info));
    start.pNext = &given;
    start.renderArea.extent = (VkExtent2D){16, 16};
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRenderPass(c, &start, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(c);
    run_commands(b, c);
}

static const VkFormat two_formats[] = {VK_FORMAT_R8G8B8A8_SRGB, COLOR_FORMAT};

SCENARIO(imageless, .features = &pass_features)
{
    VkImageCreateInfo image = image_info(RENDERED | VK_IMAGE_USAGE_SAMPLED_BIT);
    VkImageViewCreateInfo view = image_view_info(VK_NULL_HANDLE);
    run_imageless(b, &image, &view,
                  (VkFramebufferAttachmentImageInfo){.usage = image.usage,
                                                     .layerCount = 1,
                                                     .viewFormatCount = 1,
                                                     .pViewFormats = &two_formats[1]});
}

SCENARIO(imageless_with_formats, .features = &pass_features)
{
    const VkFormat other_order[] = {COLOR_FORMAT, VK_FORMAT_R8G8B8A8_SRGB};
    VkImageFormatListCreateInfo list = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
                                        .viewFormatCount = 2,
                                        .pViewFormats = two_formats};
    VkImageCreateInfo image = image_info(RENDERED);
    image.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    image.pNext = &list;
    VkImageViewCreateInfo view = image_view_info(VK_NULL_HANDLE);
    run_imageless(b, &image, &view,
                  (VkFramebufferAttachmentImageInfo){.usage = image.usage,
                                                     .layerCount = 1,
                                                     .viewFormatCount = 2,
                                                     .pViewFormats = other_order});
}

SCENARIO(imageless_of_a_level_and_layers, .features = &pass_features)
{
    VkImageCreateInfo image = image_info(RENDERED);
    image.mipLevels = 2;
    image.arrayLayers = 3;
    VkImageViewCreateInfo view = image_view_info(VK_NULL_HANDLE);
    view.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    view.subresourceRange.baseMipLevel = 1;
    view.subresourceRange.layerCount = 3;
    run_imageless(b, &image, &view,
                  (VkFramebufferAttachmentImageInfo){.usage = image.usage,
                                                     .layerCount = 3,
                                                     .viewFormatCount = 1,
                                                     .pViewFormats = &two_formats[1]});
}

/* "an inherited usage equal to the usage member": that of the image, or of
 * VkImageViewUsageCreateInfo. */
SCENARIO(imageless_with_usage_of_the_view, .features = &pass_features)
{
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO, .usage = RENDERED};
    VkImageCreateInfo image = image_info(RENDERED | VK_IMAGE_USAGE_SAMPLED_BIT);
    VkImageViewCreateInfo view = image_view_info(VK_NULL_HANDLE);
    view.pNext = &usage;
    run_imageless(b, &image, &view,
                  (VkFramebufferAttachmentImageInfo){.usage = usage.usage,
                                                     .layerCount = 1,
                                                     .viewFormatCount = 1,
                                                     .pViewFormats = &two_formats[1]});
}
