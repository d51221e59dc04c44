/* Checks the state structures of a graphics pipeline that the driver reads; the other pointers may
 * be invalid. The flags of any pipeline are checked here as well. */
#include "stateless/pipeline.h"

#include "state/command/render_pass.h"
#include "stateless/structs.h"

void check_VkGraphicsPipelineCreateInfo(struct check *c, const struct location *where,
                                        const void *structure)
{
    const VkGraphicsPipelineCreateInfo *info = structure;
    struct graphics_info storage;
    struct graphics_check graphics = {.check = *c,
                                      .graphics = graphics_info_of(c->call, info, &storage)};
    for (uint32_t i = 0; i < info->stageCount && !pointer_is_bad(info->pStages); i++)
        graphics.stages |= info->pStages[i].stage;
    graphics.check.of_pipeline = true;
    check_VkGraphicsPipelineCreateInfo_itself(&graphics.check, where, structure);
    c->skip = graphics.check.skip;
}

/* The subpass that the pipeline is for, or NULL if it is not known. */
static const struct subpass *pipeline_info_subpass(const struct call *call,
                                                   const VkGraphicsPipelineCreateInfo *info)
{
    const struct render_pass *pass = find_render_pass(call, info->renderPass);
    return pass && info->subpass < pass->subpass_count ? &pass->subpasses[info->subpass] : NULL;
}

/* The formats for dynamic rendering, or NULL if the pipeline does not give any. */
static const VkPipelineRenderingCreateInfo *rendering_of(const VkGraphicsPipelineCreateInfo *info)
{
    return chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
}

/* True if pDepthStencilState is "used when rasterization is enabled for depth or stencil
 * attachments accessed during rendering". */
static bool has_depth_stencil(const struct call *call, const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineRenderingCreateInfo *rendering = rendering_of(info);
    if (!info->renderPass)
        return rendering && (rendering->depthAttachmentFormat != VK_FORMAT_UNDEFINED ||
                             rendering->stencilAttachmentFormat != VK_FORMAT_UNDEFINED);
    const struct subpass *subpass = pipeline_info_subpass(call, info);
    return !subpass || subpass->depth_stencil.attachment != VK_ATTACHMENT_UNUSED;
}

bool pipeline_reads_depth_stencil(const struct check *c)
{
    const struct graphics_info *graphics = pipeline_graphics(c);
    /* a library without the output's formats does not say which formats it will be used with */
    bool unsaid = !(graphics->own & PART_FRAGMENT_OUTPUT);
    return graphics->depth_stencil && (unsaid || has_depth_stencil(c->call, graphics->info));
}

/* True if pColorBlendState is "used when rasterization is enabled for any color attachments
 * accessed during rendering". */
static bool has_colors(const struct call *call, const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineRenderingCreateInfo *rendering = rendering_of(info);
    uint32_t most = call->device ? call->device->properties.limits.maxColorAttachments : 0;
    if (!info->renderPass) {
        for (uint32_t i = 0; rendering && !pointer_is_bad(rendering->pColorAttachmentFormats) &&
                             i < rendering->colorAttachmentCount && i < most;
             i++) {
            if (rendering->pColorAttachmentFormats[i] != VK_FORMAT_UNDEFINED)
                return true;
        }
        return false;
    }
    const struct subpass *subpass = pipeline_info_subpass(call, info);
    for (uint32_t i = 0; subpass && i < subpass->color_count; i++) {
        if (subpass->colors[i].attachment != VK_ATTACHMENT_UNUSED)
            return true;
    }
    return !subpass;
}

bool pipeline_reads_color_blend(const struct check *c)
{
    const struct graphics_info *graphics = pipeline_graphics(c);
    /* pAttachments is ignored if all members of its elements are dynamic state. */
    return graphics->color_blend && has_colors(c->call, graphics->info) &&
           (!graphics_is_dynamic(graphics, DYNAMIC_COLOR_BLEND_EQUATION_EXT) ||
            !graphics_is_dynamic(graphics, DYNAMIC_COLOR_WRITE_MASK_EXT) ||
            !graphics_is_dynamic(graphics, DYNAMIC_COLOR_BLEND_ENABLE_EXT));
}

/* Checks flags, unless a chained structure replaces them: "If the pNext chain does not include a
 * VkPipelineCreateFlags2CreateInfo structure, flags must be a valid combination of
 * VkPipelineCreateFlagBits values". */
static inline void pipeline_check_create_flags(struct check *c, enum vuid vuid,
                                               const struct location *where, const void *chain,
                                               VkPipelineCreateFlags flags)
{
    if (unlikely(flags & ~FREE_VkPipelineCreateFlagBits) &&
        !chain_find(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO))
        check_flags(c, vuid, where, "flags", flags, &bits_VkPipelineCreateFlagBits);
}

void rule_VkGraphicsPipelineCreateInfo(struct check *c, const struct location *where,
                                       const VkGraphicsPipelineCreateInfo *s)
{
    pipeline_check_create_flags(c, VUID_VkGraphicsPipelineCreateInfo_None_09497, where, s->pNext,
                                s->flags);
    bool library =
        chain_find(s->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
    if (unlikely(s->stageCount && pointer_is_bad(s->pStages)) && pipeline_reads_stages(s))
        report_pointer(c,
                       library ? VUID_VkGraphicsPipelineCreateInfo_flags_06640
                               : VUID_VkGraphicsPipelineCreateInfo_pStages_06600,
                       where, "pStages", s->pStages);
}

void rule_VkComputePipelineCreateInfo(struct check *c, const struct location *where,
                                      const VkComputePipelineCreateInfo *s)
{
    pipeline_check_create_flags(c, VUID_VkComputePipelineCreateInfo_None_09497, where, s->pNext,
                                s->flags);
}

void rule_VkRayTracingPipelineCreateInfoKHR(struct check *c, const struct location *where,
                                            const VkRayTracingPipelineCreateInfoKHR *s)
{
    pipeline_check_create_flags(c, VUID_VkRayTracingPipelineCreateInfoKHR_None_09497, where,
                                s->pNext, s->flags);
}

void rule_VkRayTracingPipelineCreateInfoNV(struct check *c, const struct location *where,
                                           const VkRayTracingPipelineCreateInfoNV *s)
{
    pipeline_check_create_flags(c, VUID_VkRayTracingPipelineCreateInfoNV_None_09497, where,
                                s->pNext, s->flags);
}
