/* A valid render pass to break in one place, for either version of its create info. */
#ifndef ASSAY_SCENARIOS_RENDER_PASS_BUILDER_H
#define ASSAY_SCENARIOS_RENDER_PASS_BUILDER_H

#include "scenario.h"

#include <string.h>

/* attachments */
enum { COLOR, DEPTH_STENCIL, COLOR_4, DEPTH_STENCIL_4, DEPTH, STENCIL, COLOR_B, PASS_ATTACHMENTS };

/* Everything that a create info points to. `info` is inside and points into the struct: do not copy
 * it. One subpass with one color attachment, COLOR; there is room for a second one, and for other
 * references. */
struct pass {
    VkAttachmentDescription2 attachments[PASS_ATTACHMENTS];
    VkAttachmentReference2 inputs[2], colors[16], resolves[2], depth_stencil, depth_stencil_resolve,
        shading_rate;
    VkAttachmentReference2 second_inputs[2], second_colors[2];
    uint32_t preserves[2];
    VkSubpassDescriptionDepthStencilResolve resolve;
    VkFragmentShadingRateAttachmentInfoKHR rate;
    VkSubpassDescription2 subpasses[3];
    VkSubpassDependency2 dependencies[3];
    VkRenderPassCreateInfo2 info;
};

static inline VkAttachmentReference2 pass_reference(uint32_t attachment, VkImageLayout layout)
{
    return (VkAttachmentReference2){.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                    .attachment = attachment,
                                    .layout = layout,
                                    .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
}

static inline void pass_begin(struct pass *p)
{
    static const VkFormat formats[] = {COLOR_FORMAT,         VK_FORMAT_D32_SFLOAT_S8_UINT,
                                       COLOR_FORMAT,         VK_FORMAT_D32_SFLOAT_S8_UINT,
                                       VK_FORMAT_D32_SFLOAT, VK_FORMAT_S8_UINT,
                                       COLOR_FORMAT};
    memset(p, 0, sizeof(*p));
    for (uint32_t i = 0; i < PASS_ATTACHMENTS; i++)
        p->attachments[i] = (VkAttachmentDescription2){
            .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
            .format = formats[i],
            .samples = i == COLOR_4 || i == DEPTH_STENCIL_4 ? VK_SAMPLE_COUNT_4_BIT
                                                            : VK_SAMPLE_COUNT_1_BIT,
            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
            .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
            .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
            .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    for (uint32_t i = 0; i < sizeof(p->colors) / sizeof(p->colors[0]); i++)
        p->colors[i] =
            pass_reference(VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    p->colors[0].attachment = COLOR;
    p->depth_stencil =
        pass_reference(DEPTH_STENCIL, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
    p->depth_stencil_resolve = p->depth_stencil;
    p->resolves[0] = p->resolves[1] = p->second_colors[0] = p->second_colors[1] = p->colors[1];
    p->inputs[0] = p->inputs[1] = p->second_inputs[0] = p->second_inputs[1] =
        pass_reference(VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    p->shading_rate = pass_reference(VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_GENERAL);
    p->resolve = (VkSubpassDescriptionDepthStencilResolve){
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE,
        .depthResolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT,
        .stencilResolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT,
        .pDepthStencilResolveAttachment = &p->depth_stencil_resolve,
    };
    p->rate = (VkFragmentShadingRateAttachmentInfoKHR){
        .sType = VK_STRUCTURE_TYPE_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR,
        .pFragmentShadingRateAttachment = &p->shading_rate,
        .shadingRateAttachmentTexelSize = {8, 8},
    };
    p->subpasses[0] = (VkSubpassDescription2){.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                              .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                              .colorAttachmentCount = 1,
                                              .pColorAttachments = p->colors,
                                              .pInputAttachments = p->inputs,
                                              .pPreserveAttachments = p->preserves};
    p->subpasses[1] = p->subpasses[0];
    p->subpasses[1].pInputAttachments = p->second_inputs;
    p->subpasses[1].pColorAttachments = p->second_colors;
    p->subpasses[2] = p->subpasses[1];
    for (uint32_t i = 0; i < 3; i++)
        p->dependencies[i] =
            (VkSubpassDependency2){.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
                                   .srcSubpass = 0,
                                   .dstSubpass = 1,
                                   .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                   .dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                   .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                   .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
                                   .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT};
    p->info = (VkRenderPassCreateInfo2){.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                        .attachmentCount = PASS_ATTACHMENTS,
                                        .pAttachments = p->attachments,
                                        .subpassCount = 1,
                                        .pSubpasses = p->subpasses,
                                        .pDependencies = p->dependencies};
}

/* Creates the pass in version 1, without what that has no place for. VK_NULL_HANDLE when the call
 * failed or was skipped; the harness destroys it. */
VkRenderPass pass_create1(struct baseline *b, const struct pass *p);
VkRenderPass pass_create2(struct baseline *b, const struct pass *p);

/* Fields that a scenario names win over those that its macro names. */
#pragma GCC diagnostic ignored "-Woverride-init"
#define UNWRAP(...) __VA_ARGS__
/* A scenario that breaks a struct pass *p and creates it, by version 1, version 2, or one of each.
 * `fields_` is (.member = ..., ...). */
#define PASS_SCENARIO(version_, name_, id_, fields_, ...)                        \
    SCENARIO(name_, .expect = {id_}, .features = &pass_features, UNWRAP fields_) \
    {                                                                            \
        struct pass pass_, *p = &pass_;                                          \
        pass_begin(p);                                                           \
        __VA_ARGS__;                                                             \
        (void)pass_create##version_(b, p);                                       \
    }
#define FIRST(name_, id_, fields_, ...)  PASS_SCENARIO(1, name_, "VUID-" id_, fields_, __VA_ARGS__)
#define SECOND(name_, id_, fields_, ...) PASS_SCENARIO(2, name_, "VUID-" id_, fields_, __VA_ARGS__)
#define PAIR(name_, id1_, id2_, fields_, ...)        \
    FIRST(name_##_first, id1_, fields_, __VA_ARGS__) \
    SECOND(name_##_second, id2_, fields_, __VA_ARGS__)
/* The same end of the id in both: VUID-VkAttachmentDescription-format-03280 and
 * VUID-VkAttachmentDescription2-format-03280. */
#define TWINS(name_, struct_, id_, fields_, ...) \
    PAIR(name_, struct_ "-" id_, struct_ "2-" id_, fields_, __VA_ARGS__)
/* Nothing is wrong, in either version. */
#define RIGHT(name_, fields_, ...)                              \
    SCENARIO(name_, .features = &pass_features, UNWRAP fields_) \
    {                                                           \
        struct pass pass_, *p = &pass_;                         \
        pass_begin(p);                                          \
        __VA_ARGS__;                                            \
        ENSURE(pass_create1(b, p) && pass_create2(b, p));       \
    }
#define RIGHT_SECOND(name_, fields_, ...)                       \
    SCENARIO(name_, .features = &pass_features, UNWRAP fields_) \
    {                                                           \
        struct pass pass_, *p = &pass_;                         \
        pass_begin(p);                                          \
        __VA_ARGS__;                                            \
        ENSURE(pass_create2(b, p) != VK_NULL_HANDLE);           \
    }

/* An image view to render to, with an image of its own; what is 0 is the usual: COLOR_FORMAT, one
 * sample, layer and level, IMAGE_EXTENT square, and the usage as a color or depth/stencil
 * attachment. */
struct attachment {
    VkFormat format, view_format;
    VkImageUsageFlags usage;
    VkSampleCountFlagBits samples;
    uint32_t layers, levels, width, height, view_layers;
    VkImageCreateFlags flags;
    VkComponentSwizzle red;
    bool three_dimensional; /* image and view */
    const void *next;       /* of the image */
};
VkImageView make_attachment_of(struct baseline *b, const struct attachment *attachment);
#define ATTACHMENT(...) make_attachment_of(b, &(struct attachment){__VA_ARGS__})
/* A view like ATTACHMENT() of a color attachment, whose image lies in tile memory. The null driver
 * has that with specialMemory. */
VkImageView make_tile_attachment(struct baseline *b);

/* multiview, separateDepthStencilLayouts, imagelessFramebuffer, synchronization2, dynamicRendering
 */
extern const VkPhysicalDeviceVulkan11Features pass_features;

#endif
