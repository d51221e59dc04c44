/* The draw that scenarios about statements at a draw change: dynamic rendering with two color
 * attachments. */
#ifndef ASSAY_SCENARIOS_DRAW_ROWS_H
#define ASSAY_SCENARIOS_DRAW_ROWS_H

#include "render/render_pass_builder.h"

#define D32S8 VK_FORMAT_D32_SFLOAT_S8_UINT

/* A draw with two color attachments in dynamic rendering, of which a scenario changes a few things.
 */
struct drawn {
    VkRenderingAttachmentInfo colors[2], depth, stencil;
    VkRenderingInfo rendering;
    VkFormat formats[2];
    VkPipelineRenderingCreateInfo made_for;
    VkPipelineDepthStencilStateCreateInfo depth_stencil;
    VkPipelineColorBlendAttachmentState blends[2];
    VkDynamicState states[4];
    VkPipelineDynamicStateCreateInfo dynamic;
    struct graphics_pipeline p;
};

static inline void fill_drawn(struct baseline *b, struct drawn *d)
{
    memset(d, 0, sizeof(*d));
    d->formats[0] = d->formats[1] = COLOR_FORMAT;
    d->colors[0] = rendering_attachment(ATTACHMENT());
    d->colors[1] = rendering_attachment(VK_NULL_HANDLE);
    d->depth = d->stencil = rendering_attachment(VK_NULL_HANDLE);
    d->depth.imageLayout = d->stencil.imageLayout =
        VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    d->rendering = rendering_info(d->colors);
    d->rendering.pDepthAttachment = &d->depth;
    d->rendering.pStencilAttachment = &d->stencil;
    d->made_for =
        (VkPipelineRenderingCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                        .colorAttachmentCount = 1,
                                        .pColorAttachmentFormats = d->formats};
    d->depth_stencil = (VkPipelineDepthStencilStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    d->dynamic = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, .pDynamicStates = d->states};
    begin_graphics_pipeline(b, &d->p, make_empty_pipeline_layout(b), VK_NULL_HANDLE);
    d->blends[0] = d->blends[1] = d->p.blend_attachment;
    d->p.color_blend.pAttachments = d->blends;
    d->p.info.pDepthStencilState = &d->depth_stencil;
    d->p.info.pDynamicState = &d->dynamic;
    d->p.info.pNext = &d->made_for;
}

static inline VkCommandBuffer start_drawn(struct baseline *b, const struct drawn *d)
{
    VkPipeline pipeline = create_graphics_pipeline(b, &d->p.info);
    VkCommandBuffer c = make_recording(b);
    ENSURE(pipeline);
    vkCmdBeginRendering(c, &d->rendering);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    return c;
}

#define DYNAMIC(state_)        d->states[d->dynamic.dynamicStateCount++] = VK_DYNAMIC_STATE_##state_
#define CALL(name_)            DEVICE_PROC(b, name_)
#define NEXT(next_)            (void *)(uintptr_t)&(next_)
#define CHAIN(to_, structure_) ((structure_).pNext = (to_), (to_) = (const void *)&(structure_))

#define FEATURES(name_, Type_, STYPE_, next_, ...) \
    static const Type_ name_ = {                   \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##STYPE_, .pNext = NEXT(next_), __VA_ARGS__}

#endif
