/* Checks that a graphics pipeline matches its subpass, or the formats of dynamic rendering (10.6,
 * 8.2 "Render Pass Compatibility"). */
#include "core/render/attachment.h"
#include "core/pipeline/checks.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/memory/formats.h"
#include "state/command/render_pass.h"
#include "vk/chain.h"

/* The two stages of tessellation. */
#define STAGES_TESSELLATION \
    (VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)

/* True if all of these states are dynamic, and an extension allows that their structure is missing
 * then. */
static bool all_dynamic(const struct call *call, const struct graphics_info *graphics,
                        const enum dynamic_state *states, uint32_t count)
{
    assert(states && count);
    if (!call_has_extension(call, EXTENSION_VK_EXT_extended_dynamic_state3))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!graphics_is_dynamic(graphics, states[i]))
            return false;
    }
    return true;
}

/* True for a bad pointer. False for NULL, about which there are other rules. */
static bool leads_nowhere(const void *pointer)
{
    return pointer && pointer_is_bad(pointer);
}

/* True if all state in pDepthStencilState is dynamic. */
static bool depth_stencil_is_dynamic(const struct call *call, const struct graphics_info *graphics)
{
    static const enum dynamic_state states[] = {
        DYNAMIC_DEPTH_TEST_ENABLE,   DYNAMIC_DEPTH_WRITE_ENABLE,
        DYNAMIC_DEPTH_COMPARE_OP,    DYNAMIC_DEPTH_BOUNDS_TEST_ENABLE,
        DYNAMIC_STENCIL_TEST_ENABLE, DYNAMIC_STENCIL_OP,
        DYNAMIC_DEPTH_BOUNDS};
    return all_dynamic(call, graphics, states, ARRAY_LENGTH(states));
}

/* True if pColorBlendState may be NULL, as all of its state is dynamic. */
static bool color_blend_is_dynamic(const struct call *call, const struct graphics_info *graphics)
{
    static const enum dynamic_state states[] = {
        DYNAMIC_LOGIC_OP_ENABLE_EXT,    DYNAMIC_LOGIC_OP_EXT,
        DYNAMIC_COLOR_BLEND_ENABLE_EXT, DYNAMIC_COLOR_BLEND_EQUATION_EXT,
        DYNAMIC_COLOR_WRITE_MASK_EXT,   DYNAMIC_BLEND_CONSTANTS};
    return all_dynamic(call, graphics, states, ARRAY_LENGTH(states));
}

/* True if attachmentCount is ignored, as all state of the elements is dynamic. (Strictly, advanced
 * blending must be dynamic too, or the advancedBlendCoherentOperations feature off; without
 * advanced blending that makes no difference.) */
static bool blends_are_ignored(const struct graphics_info *graphics)
{
    return graphics_is_dynamic(graphics, DYNAMIC_COLOR_BLEND_ENABLE_EXT) &&
           graphics_is_dynamic(graphics, DYNAMIC_COLOR_BLEND_EQUATION_EXT) &&
           graphics_is_dynamic(graphics, DYNAMIC_COLOR_WRITE_MASK_EXT);
}

/* --- rules on a view mask, for render pass objects and for dynamic rendering --- */

/* The rules about views that both kinds of rendering have. */
struct multiview_rules {
    enum vuid mesh_views, viewports, scissors;
};

/* Checks the stages of a pipeline with views. For the view mask of VkPipelineRenderingCreateInfo,
 * rows check this. */
static bool check_view_stages(const struct call *call, const struct location *where,
                              const struct graphics_info *graphics, uint32_t view_mask)
{
    const struct location *stages = &LOCATION(where, "pStages");
    struct subject s = {.call = call};
    if (!view_mask || !(graphics->own & PART_PRE_RASTERIZATION))
        return false;
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_06047,
            !(graphics->stages & STAGES_TESSELLATION) ||
                has_feature(call, FEATURE_multiviewTessellationShader),
            stages,
            "has tessellation shaders, but the view mask is %#x, and the "
            "multiviewTessellationShader feature is not enabled",
            view_mask);
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_06048,
            !(graphics->stages & VK_SHADER_STAGE_GEOMETRY_BIT) ||
                has_feature(call, FEATURE_multiviewGeometryShader),
            stages,
            "has a geometry shader, but the view mask is %#x, and the "
            "multiviewGeometryShader feature is not enabled",
            view_mask);
    if (graphics->stages & VK_SHADER_STAGE_MESH_BIT_EXT)
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_07064,
                has_feature(call, FEATURE_multiviewMeshShader), stages,
                "has a mesh shader, but the view mask is %#x, and the multiviewMeshShader "
                "feature is not enabled",
                view_mask);
    return s.skip;
}

/* Checks mesh shaders, viewports and scissors of a pipeline with views. `view_mask`: 0: there are
 * no views. */
static bool graphics_rendering_check_views(const struct call *call, const struct location *where,
                                           const struct graphics_info *graphics, uint32_t view_mask,
                                           const struct multiview_rules *rules)
{
    assert(rules);
    const struct location *stages = &LOCATION(where, "pStages");
    const VkPipelineViewportStateCreateInfo *viewport = graphics->viewport;
    struct subject s = {.call = call};
    if (!view_mask || !(graphics->own & PART_PRE_RASTERIZATION))
        return false;
    uint32_t views = 32 - (uint32_t)__builtin_clz(view_mask);
    uint32_t most = call->device->extended.MeshShaderPropertiesEXT.maxMeshMultiviewViewCount;
    if (graphics->stages & VK_SHADER_STAGE_MESH_BIT_EXT &&
        has_feature(call, FEATURE_multiviewMeshShader))
        REQUIRE(&s, rules->mesh_views, views <= most, stages,
                "has a mesh shader, but the view mask is %#x, and "
                "maxMeshMultiviewViewCount is %u",
                view_mask, most);
    if (!viewport || !has_feature(call, FEATURE_multiviewPerViewViewports))
        return s.skip;
    if (!graphics_is_dynamic(graphics, DYNAMIC_VIEWPORT_WITH_COUNT))
        REQUIRE(&s, rules->viewports, views <= viewport->viewportCount,
                &LOCATION(&LOCATION_POINTER(where, "pViewportState"), "viewportCount"),
                "is %u, but with multiviewPerViewViewports the view mask %#x needs %u",
                viewport->viewportCount, view_mask, views);
    if (!graphics_is_dynamic(graphics, DYNAMIC_SCISSOR_WITH_COUNT))
        REQUIRE(&s, rules->scissors, views <= viewport->scissorCount,
                &LOCATION(&LOCATION_POINTER(where, "pViewportState"), "scissorCount"),
                "is %u, but with multiviewPerViewViewports the view mask %#x needs %u",
                viewport->scissorCount, view_mask, views);
    return s.skip;
}

/* The text for a color attachment, such as "color attachment 1 of subpass 0 (attachment 3 of the
 * render pass)", or "color attachment 1" without a render pass. `attachment`: the index in the
 * render pass. */
static COLD const char *color_text(const struct call *call, const struct graphics_info *graphics,
                                   uint32_t index, uint32_t attachment,
                                   struct attachment_text *text)
{
    return graphics->info->renderPass
               ? subpass_attachment_text(call, ATTACHMENT_COLOR, index, graphics->info->subpass,
                                         attachment, NULL, text)
               : attachment_text(call, ATTACHMENT_COLOR, index, NULL, text);
}
/* The text for a color attachment, which is valid until the end of the block. */
#define COLOR_TEXT(call_, graphics_, index_, attachment_) \
    color_text((call_), (graphics_), (index_), (attachment_), &(struct attachment_text){.text = ""})

/* Checks the blend state of an attachment against its format. If the format cannot be blended,
 * blendEnable must be VK_FALSE. All or none of the components of E5B9G9R9 must be written.
 * `attachment`: the index in the render pass, if there is one. */
static bool check_color_format(const struct call *call, const struct location *where,
                               const struct graphics_info *graphics, uint32_t index,
                               uint32_t attachment, VkFormat format, enum vuid blend_vuid)
{
    const VkPipelineColorBlendStateCreateInfo *info = graphics->color_blend;
    struct subject s = {.call = call};
    if (!info || index >= info->attachmentCount || pointer_is_bad(info->pAttachments) ||
        /* Nothing is written to such an attachment. */
        format == VK_FORMAT_UNDEFINED)
        return false;
    const VkPipelineColorBlendAttachmentState *blend = &info->pAttachments[index];
    const struct location *at =
        &LOCATION_INDEX(&LOCATION_POINTER(where, "pColorBlendState"), "pAttachments", index);
    if (blend->blendEnable && !graphics_is_dynamic(graphics, DYNAMIC_COLOR_BLEND_ENABLE_EXT))
        REQUIRE(&s, blend_vuid,
                format_potential_features(call->device, format) &
                    VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT,
                &LOCATION(at, "blendEnable"),
                "is VK_TRUE, but %s has the format %s, which cannot be blended",
                COLOR_TEXT(call, graphics, index, attachment),
                value_text(VALUES_VkFormat, format).text);
    const VkColorComponentFlags all = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                                      VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
    if (format == VK_FORMAT_E5B9G9R9_UFLOAT_PACK32 &&
        !graphics_is_dynamic(graphics, DYNAMIC_COLOR_WRITE_MASK_EXT))
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_None_09043,
                !blend->colorWriteMask || (blend->colorWriteMask & all) == all,
                &LOCATION(at, "colorWriteMask"),
                "is %s, but %s has the format VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, which is "
                "written whole or not at all",
                value_text(VALUES_VkColorComponentFlags, blend->colorWriteMask).text,
                COLOR_TEXT(call, graphics, index, attachment));
    return s.skip;
}

/* --- with a render pass --- */

/* Checks that rasterizationSamples is the sample count of the subpass's attachments, unless an
 * extension relaxes that. */
static bool graphics_rendering_check_samples(const struct call *call, const struct location *parent,
                                             const struct graphics_info *graphics,
                                             const struct render_pass *render_pass,
                                             const struct subpass *subpass)
{
    assert(render_pass && subpass);
    const struct location *where =
        &LOCATION(&LOCATION_POINTER(parent, "pMultisampleState"), "rasterizationSamples");
    if (!graphics->multisample || !(graphics->own & PART_FRAGMENT_OUTPUT) ||
        graphics_is_dynamic(graphics, DYNAMIC_RASTERIZATION_SAMPLES_EXT) ||
        has_feature(call, FEATURE_multisampledRenderToSingleSampled) ||
        call_has_extension(call, EXTENSION_VK_AMD_mixed_attachment_samples) ||
        call_has_extension(call, EXTENSION_VK_NV_framebuffer_mixed_samples))
        return false;
    VkSampleCountFlagBits samples = graphics->multisample->rasterizationSamples;
    for (uint32_t i = 0; i <= subpass->color_count; i++) {
        uint32_t attachment = i < subpass->color_count ? subpass->colors[i].attachment
                                                       : subpass->depth_stencil.attachment;
        /* VK_ATTACHMENT_UNUSED, or a number that was reported with the render pass. */
        if (attachment >= render_pass->attachment_count)
            continue;
        VkSampleCountFlagBits wanted = render_pass->attachments[attachment].description.samples;
        if (wanted != samples)
            return BROKEN_BY(
                call, VUID_VkGraphicsPipelineCreateInfo_multisampledRenderToSingleSampled_06853,
                where, OBJECT(HANDLE_RENDER_PASS, graphics->info->renderPass),
                "is %u, but %s has %u samples", samples,
                SUBPASS_ATTACHMENT(call,
                                   i < subpass->color_count ? ATTACHMENT_COLOR
                                                            : ATTACHMENT_DEPTH_STENCIL,
                                   i, graphics->info->subpass, attachment, NULL),
                wanted);
    }
    return false;
}

/* The number of the subpass's color attachments that are used. */
static uint32_t used_colors(const struct render_pass *render_pass, const struct subpass *subpass)
{
    assert(render_pass && subpass);
    uint32_t used = 0;
    for (uint32_t i = 0; i < subpass->color_count; i++)
        used += subpass->colors[i].attachment < render_pass->attachment_count;
    return used;
}

/* The text for the first color attachment that is used, or for the last one if none is. It is kept
 * in `text`. */
static COLD const char *first_color_text(const struct call *call,
                                         const struct graphics_info *graphics,
                                         const struct render_pass *render_pass,
                                         const struct subpass *subpass,
                                         struct attachment_text *text)
{
    assert(subpass->color_count && text);
    uint32_t i = 0;
    while (i + 1 < subpass->color_count &&
           subpass->colors[i].attachment >= render_pass->attachment_count)
        i++;
    return color_text(call, graphics, i, subpass->colors[i].attachment, text);
}

/* Checks the fragment output state against the color attachments of the subpass. */
static bool check_output_with_subpass(const struct call *call, const struct location *where,
                                      const struct graphics_info *graphics,
                                      const struct render_pass *render_pass,
                                      const struct subpass *subpass)
{
    assert(render_pass && subpass);
    const VkGraphicsPipelineCreateInfo *info = graphics->info;
    const VkPipelineColorBlendStateCreateInfo *blend = graphics->color_blend;
    struct subject s = {.call = call, .where = where};
    bool used = used_colors(render_pass, subpass) != 0;
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_09030,
            !used || info->pColorBlendState || color_blend_is_dynamic(call, graphics),
            "pColorBlendState", "is NULL, but there is %s",
            first_color_text(call, graphics, render_pass, subpass,
                             &(struct attachment_text){.text = ""}));
    if (blend && used && !blends_are_ignored(graphics))
        REQUIRE_OF(&s, OBJECT(HANDLE_RENDER_PASS, info->renderPass),
                   VUID_VkGraphicsPipelineCreateInfo_renderPass_07609,
                   blend->attachmentCount == subpass->color_count,
                   &LOCATION(&LOCATION_POINTER(where, "pColorBlendState"), "attachmentCount"),
                   "is %u, but subpass %u has a colorAttachmentCount of %u", blend->attachmentCount,
                   info->subpass, subpass->color_count);
    for (uint32_t i = 0; i < subpass->color_count; i++) {
        uint32_t attachment = subpass->colors[i].attachment;
        if (attachment < render_pass->attachment_count)
            s.skip |= check_color_format(call, where, graphics, i, attachment,
                                         render_pass->attachments[attachment].description.format,
                                         VUID_VkGraphicsPipelineCreateInfo_renderPass_06041);
    }
    if (blend)
        REQUIRE(
            &s, VUID_VkGraphicsPipelineCreateInfo_renderPass_09527,
            !(blend->flags &
              VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT) ||
                subpass->flags &
                    VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_COLOR_ACCESS_BIT_EXT,
            &LOCATION(&LOCATION_POINTER(where, "pColorBlendState"), "flags"),
            "asks for rasterization order access, which subpass %u was not created with",
            info->subpass);
    return s.skip | graphics_rendering_check_samples(call, where, graphics, render_pass, subpass);
}

/* Checks the depth/stencil state against the depth/stencil attachment of the subpass. */
static bool check_depth_with_subpass(const struct call *call, const struct location *where,
                                     const struct graphics_info *graphics,
                                     const struct render_pass *render_pass,
                                     const struct subpass *subpass)
{
    assert(render_pass && subpass);
    const VkGraphicsPipelineCreateInfo *info = graphics->info;
    const VkPipelineDepthStencilStateCreateInfo *state = graphics->depth_stencil;
    const struct location *flags =
        &LOCATION(&LOCATION_POINTER(where, "pDepthStencilState"), "flags");
    struct subject s = {.call = call, .where = where};
    if (subpass->depth_stencil.attachment < render_pass->attachment_count)
        REQUIRE(&s,
                STOPS(depth_stencil_is_dynamic(call, graphics)
                          ? VUID_VkGraphicsPipelineCreateInfo_pDepthStencilState_09029
                          : VUID_VkGraphicsPipelineCreateInfo_renderPass_09028),
                !leads_nowhere(info->pDepthStencilState), "pDepthStencilState",
                "is %p, which is not a valid pointer", (const void *)info->pDepthStencilState);
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_09028,
            subpass->depth_stencil.attachment >= render_pass->attachment_count ||
                info->pDepthStencilState || depth_stencil_is_dynamic(call, graphics),
            "pDepthStencilState", "is NULL, but there is a %s",
            SUBPASS_ATTACHMENT(call, ATTACHMENT_DEPTH_STENCIL, 0, info->subpass,
                               subpass->depth_stencil.attachment, NULL));
    if (!state)
        return s.skip;
    REQUIRE(
        &s, VUID_VkGraphicsPipelineCreateInfo_renderPass_09528,
        !(state->flags &
          VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT) ||
            subpass->flags &
                VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT,
        flags, "asks for rasterization order depth access, which subpass %u was not created with",
        info->subpass);
    REQUIRE(
        &s, VUID_VkGraphicsPipelineCreateInfo_renderPass_09529,
        !(state->flags &
          VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_BIT_EXT) ||
            subpass->flags &
                VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_BIT_EXT,
        flags, "asks for rasterization order stencil access, which subpass %u was not created with",
        info->subpass);
    return s.skip;
}

/* Checks a pipeline for a subpass of a render pass. An unknown render pass is not checked. */
static bool check_with_render_pass(const struct call *call, const struct location *where,
                                   const struct graphics_info *graphics)
{
    static const struct multiview_rules views = {
        VUID_VkGraphicsPipelineCreateInfo_renderPass_12325,
        VUID_VkGraphicsPipelineCreateInfo_pDynamicStates_07730,
        VUID_VkGraphicsPipelineCreateInfo_pDynamicStates_07731};
    const VkGraphicsPipelineCreateInfo *info = graphics->info;
    const struct render_pass *render_pass = find_render_pass(call, info->renderPass);
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pNext_12427,
            !CHAINED(info->pNext, PIPELINE_RENDERING_CREATE_INFO), "renderPass",
            "is given beside a VkPipelineRenderingCreateInfo");
    if (!render_pass)
        return s.skip;
    if (info->subpass >= render_pass->subpass_count) {
        BROKEN_OF(&s, OBJECT(HANDLE_RENDER_PASS, info->renderPass),
                  STOPS(VUID_VkGraphicsPipelineCreateInfo_renderPass_06046), "subpass",
                  "is %u, but the render pass has %u subpasses", info->subpass,
                  render_pass->subpass_count);
        return s.skip;
    }
    const struct subpass *subpass = &render_pass->subpasses[info->subpass];
    s.skip |= check_view_stages(call, where, graphics, subpass->view_mask);
    s.skip |= graphics_rendering_check_views(call, where, graphics, subpass->view_mask, &views);
    if (graphics->own & PART_FRAGMENT_SHADER)
        s.skip |= check_depth_with_subpass(call, where, graphics, render_pass, subpass);
    if (graphics->own & PART_FRAGMENT_OUTPUT)
        s.skip |= check_output_with_subpass(call, where, graphics, render_pass, subpass);
    return s.skip | check_graphics_samples(call, where, graphics, render_pass, subpass);
}

/* --- with dynamic rendering --- */

/* Checks the formats of depth and stencil attachments of dynamic rendering; VK_FORMAT_UNDEFINED
 * means none. */
static bool check_depth_formats(const struct call *call, const struct location *where,
                                const VkPipelineRenderingCreateInfo *rendering)
{
    assert(rendering);
    VkFormat depth = rendering->depthAttachmentFormat, stencil = rendering->stencilAttachmentFormat;
    const struct location *depth_at = &LOCATION(where, "depthAttachmentFormat"),
                          *stencil_at = &LOCATION(where, "stencilAttachmentFormat");
    struct subject s = {.call = call};
    if (depth != VK_FORMAT_UNDEFINED && format_info(depth)) {
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_06585,
                format_potential_features(call->device, depth) &
                        VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT ||
                    /* A format without depth breaks the next rule: one report is enough. */
                    !format_has_depth(depth),
                depth_at, "is %s, which cannot be a depth/stencil attachment",
                value_text(VALUES_VkFormat, depth).text);
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_06587, format_has_depth(depth),
                depth_at, "is %s, which has no depth component",
                value_text(VALUES_VkFormat, depth).text);
    }
    if (stencil != VK_FORMAT_UNDEFINED && format_info(stencil)) {
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_06586,
                format_potential_features(call->device, stencil) &
                        VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT ||
                    !format_has_stencil(stencil),
                stencil_at, "is %s, which cannot be a depth/stencil attachment",
                value_text(VALUES_VkFormat, stencil).text);
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_06588, format_has_stencil(stencil),
                stencil_at, "is %s, which has no stencil component",
                value_text(VALUES_VkFormat, stencil).text);
    }
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_06583,
            depth == VK_FORMAT_UNDEFINED || format_info(depth), depth_at,
            "is %d, which is not a VkFormat", (int)depth);
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_06584,
            stencil == VK_FORMAT_UNDEFINED || format_info(stencil), stencil_at,
            "is %d, which is not a VkFormat", (int)stencil);
    /* In this case both are the same image, with one format. */
    if (depth != VK_FORMAT_UNDEFINED && stencil != VK_FORMAT_UNDEFINED)
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_06589, depth == stencil,
                stencil_at, "is %s, but depthAttachmentFormat is %s",
                value_text(VALUES_VkFormat, stencil).text, value_text(VALUES_VkFormat, depth).text);
    return s.skip;
}

/* Checks the formats of color attachments. `*used`: whether any of them is not
 * VK_FORMAT_UNDEFINED. */
static bool check_color_formats(const struct call *call, const struct location *parent,
                                const struct location *where, const struct graphics_info *graphics,
                                bool *used)
{
    const VkPipelineRenderingCreateInfo *rendering = graphics->rendering;
    uint32_t most = limits_of(call)->maxColorAttachments;
    struct subject s = {.call = call};
    *used = false;
    if (rendering->colorAttachmentCount > most)
        return BROKEN_BY(call, VUID_VkPipelineRenderingCreateInfo_colorAttachmentCount_09533,
                         &LOCATION(where, "colorAttachmentCount"), NULL,
                         "is %u, but maxColorAttachments is %u", rendering->colorAttachmentCount,
                         most);
    if (rendering->colorAttachmentCount && !rendering->pColorAttachmentFormats)
        return call_stop(call, BROKEN_BY(call, VUID_VkGraphicsPipelineCreateInfo_renderPass_06579,
                                         &LOCATION(where, "pColorAttachmentFormats"), NULL,
                                         "is NULL, but colorAttachmentCount is %u",
                                         rendering->colorAttachmentCount));
    for (uint32_t i = 0;
         i < rendering->colorAttachmentCount && !pointer_is_bad(rendering->pColorAttachmentFormats);
         i++) {
        VkFormat format = rendering->pColorAttachmentFormats[i];
        const struct location *at = &LOCATION_INDEX(where, "pColorAttachmentFormats", i);
        if (format == VK_FORMAT_UNDEFINED)
            continue;
        *used = true;
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_06580, format_info(format), at,
                "is %d, which is not a VkFormat", (int)format);
        if (!(format_potential_features(call->device, format) &
              (VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT |
               VK_FORMAT_FEATURE_2_LINEAR_COLOR_ATTACHMENT_BIT_NV))) {
            BROKEN(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_06582, at,
                   "is %s, which cannot be a color attachment",
                   value_text(VALUES_VkFormat, format).text);
            continue; /* such a format cannot be blended either */
        }
        s.skip |= check_color_format(call, parent, graphics, i, 0, format,
                                     VUID_VkGraphicsPipelineCreateInfo_renderPass_06062);
    }
    return s.skip;
}

/* True if the index is used. False for NULL, which means no attachment. */
static bool is_used_index(const uint32_t *index)
{
    return !pointer_is_bad(index) && *index != VK_ATTACHMENT_UNUSED;
}

/* Checks that without the feature dynamicRenderingLocalRead each location is its index, and input
 * attachments have no index. */
static bool check_no_local_read(const struct call *call, const struct location *parent,
                                const VkRenderingInputAttachmentIndexInfo *indices,
                                const VkRenderingAttachmentLocationInfo *locations)
{
    const struct location *index_at =
                              &LOCATION_CHAINED(parent, "VkRenderingInputAttachmentIndexInfo"),
                          *location_at =
                              &LOCATION_CHAINED(parent, "VkRenderingAttachmentLocationInfo");
    uint32_t most = limits_of(call)->maxColorAttachments;
    static const char text[] = "is %u, but the feature dynamicRenderingLocalRead is not enabled";
    struct subject s = {.call = call};
    if (has_feature(call, FEATURE_dynamicRenderingLocalRead) ||
        /* Without the extension the structures themselves are not allowed, which another rule
         * reports. */
        !call_has_extension(call, EXTENSION_VK_KHR_dynamic_rendering_local_read))
        return false;
    for (uint32_t i = 0; indices && !pointer_is_bad(indices->pColorAttachmentInputIndices) &&
                         i < most && i < indices->colorAttachmentCount;
         i++)
        REQUIRE(&s, VUID_VkRenderingInputAttachmentIndexInfo_dynamicRenderingLocalRead_09519,
                indices->pColorAttachmentInputIndices[i] == VK_ATTACHMENT_UNUSED,
                &LOCATION_INDEX(index_at, "pColorAttachmentInputIndices", i), text,
                indices->pColorAttachmentInputIndices[i]);
    if (indices && is_used_index(indices->pDepthInputAttachmentIndex))
        BROKEN(&s, VUID_VkRenderingInputAttachmentIndexInfo_dynamicRenderingLocalRead_09520,
               &LOCATION_POINTER(index_at, "pDepthInputAttachmentIndex"), text,
               *indices->pDepthInputAttachmentIndex);
    if (indices && is_used_index(indices->pStencilInputAttachmentIndex))
        BROKEN(&s, VUID_VkRenderingInputAttachmentIndexInfo_dynamicRenderingLocalRead_09521,
               &LOCATION_POINTER(index_at, "pStencilInputAttachmentIndex"), text,
               *indices->pStencilInputAttachmentIndex);
    for (uint32_t i = 0; locations && !pointer_is_bad(locations->pColorAttachmentLocations) &&
                         i < most && i < locations->colorAttachmentCount;
         i++)
        REQUIRE(&s, VUID_VkRenderingAttachmentLocationInfo_dynamicRenderingLocalRead_09512,
                locations->pColorAttachmentLocations[i] == i,
                &LOCATION_INDEX(location_at, "pColorAttachmentLocations", i), text,
                locations->pColorAttachmentLocations[i]);
    return s.skip;
}

/* Checks the input attachment indices and locations of local reads. `color_count`: the number of
 * the pipeline's color attachments. */
static bool check_local_read(const struct call *call, const struct location *parent,
                             const struct graphics_info *graphics, uint32_t color_count)
{
    const VkRenderingInputAttachmentIndexInfo *indices =
        CHAINED(graphics->info->pNext, RENDERING_INPUT_ATTACHMENT_INDEX_INFO);
    const VkRenderingAttachmentLocationInfo *locations =
        CHAINED(graphics->info->pNext, RENDERING_ATTACHMENT_LOCATION_INFO);
    struct subject s = {.call = call};
    s.skip |= check_no_local_read(call, parent, indices, locations);
    if (indices && graphics->own & PART_FRAGMENT_SHADER)
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_09531,
                indices->colorAttachmentCount == color_count,
                &LOCATION(&LOCATION_CHAINED(parent, "VkRenderingInputAttachmentIndexInfo"),
                          "colorAttachmentCount"),
                "is %u, but VkPipelineRenderingCreateInfo::colorAttachmentCount is %u",
                indices->colorAttachmentCount, color_count);
    return s.skip;
}

/* The index of the first color attachment format that is not VK_FORMAT_UNDEFINED. There must be
 * one. */
static COLD uint32_t first_format(const VkPipelineRenderingCreateInfo *rendering)
{
    assert(rendering->colorAttachmentCount);
    uint32_t i = 0;
    while (rendering->pColorAttachmentFormats[i] == VK_FORMAT_UNDEFINED)
        i++;
    return i;
}

/* Checks the formats of dynamic rendering, and the states that they require. */
static bool check_output_formats(const struct call *call, const struct location *parent,
                                 const struct graphics_info *graphics)
{
    const VkPipelineRenderingCreateInfo *rendering = graphics->rendering;
    const struct location *where = &LOCATION_CHAINED(parent, "VkPipelineRenderingCreateInfo");
    uint32_t color_count = rendering ? rendering->colorAttachmentCount : 0;
    VkFormat depth_format = rendering ? rendering->depthAttachmentFormat : VK_FORMAT_UNDEFINED,
             stencil_format = rendering ? rendering->stencilAttachmentFormat : VK_FORMAT_UNDEFINED;
    struct subject s = {.call = call, .where = parent};
    bool used = false, depth = depth_format || stencil_format;
    if (rendering) {
        s.skip |= check_color_formats(call, parent, where, graphics, &used);
        s.skip |= check_depth_formats(call, where, rendering);
    }
    if (graphics->own & PART_FRAGMENT_SHADER && depth)
        REQUIRE(&s,
                STOPS(depth_stencil_is_dynamic(call, graphics)
                          ? VUID_VkGraphicsPipelineCreateInfo_pDepthStencilState_09034
                          : VUID_VkGraphicsPipelineCreateInfo_renderPass_09033),
                !leads_nowhere(graphics->info->pDepthStencilState), "pDepthStencilState",
                "is %p, which is not a valid pointer",
                (const void *)graphics->info->pDepthStencilState);
    if (graphics->own & PART_FRAGMENT_SHADER)
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_09033,
                !depth || graphics->info->pDepthStencilState ||
                    depth_stencil_is_dynamic(call, graphics),
                "pDepthStencilState", "is NULL, but VkPipelineRenderingCreateInfo::%s is %s",
                depth_format ? "depthAttachmentFormat" : "stencilAttachmentFormat",
                value_text(VALUES_VkFormat, depth_format ? depth_format : stencil_format).text);
    if (used)
        REQUIRE(&s,
                STOPS(color_blend_is_dynamic(call, graphics)
                          ? VUID_VkGraphicsPipelineCreateInfo_pColorBlendState_09038
                          : VUID_VkGraphicsPipelineCreateInfo_renderPass_09037),
                !leads_nowhere(graphics->info->pColorBlendState), "pColorBlendState",
                "is %p, which is not a valid pointer",
                (const void *)graphics->info->pColorBlendState);
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_09037,
            !used || graphics->info->pColorBlendState || color_blend_is_dynamic(call, graphics),
            "pColorBlendState",
            "is NULL, but VkPipelineRenderingCreateInfo::pColorAttachmentFormats[%u] is %s",
            first_format(rendering),
            value_text(VALUES_VkFormat, rendering->pColorAttachmentFormats[first_format(rendering)])
                .text);
    /* The state is "used ... for any color attachments accessed during rendering"; without formats
     * there are none. */
    if (graphics->color_blend && used && !blends_are_ignored(graphics))
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_06055,
                graphics->color_blend->attachmentCount == color_count,
                &LOCATION(&LOCATION_POINTER(parent, "pColorBlendState"), "attachmentCount"),
                "is %u, but VkPipelineRenderingCreateInfo::colorAttachmentCount is %u",
                graphics->color_blend->attachmentCount, color_count);
    return s.skip | check_local_read(call, parent, graphics, color_count);
}

/* Checks that a library without a render pass has its depth/stencil state, which may only be NULL
 * if all of it is dynamic. */
static bool check_depth_of_library(const struct call *call, const struct location *where,
                                   const struct graphics_info *graphics)
{
    const VkPipelineDepthStencilStateCreateInfo *state = graphics->info->pDepthStencilState;
    bool dynamic = depth_stencil_is_dynamic(call, graphics);
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_09035, state || dynamic,
            "pDepthStencilState",
            "is NULL, but the library has fragment shader state without a render pass");
    REQUIRE(&s,
            STOPS(dynamic ? VUID_VkGraphicsPipelineCreateInfo_pDepthStencilState_09036
                          : VUID_VkGraphicsPipelineCreateInfo_renderPass_09035),
            !leads_nowhere(state), "pDepthStencilState", "is %p, which is not a valid pointer",
            (const void *)state);
    return s.skip;
}

/* Checks a pipeline for dynamic rendering. True: the call is to be skipped. */
static bool check_without_render_pass(const struct call *call, const struct location *where,
                                      const struct graphics_info *graphics)
{
    static const struct multiview_rules views = {
        VUID_VkGraphicsPipelineCreateInfo_renderPass_12326,
        VUID_VkGraphicsPipelineCreateInfo_multiviewPerViewViewports_12249,
        VUID_VkGraphicsPipelineCreateInfo_multiviewPerViewViewports_12250};
    const struct location *mask =
        &LOCATION(&LOCATION_CHAINED(where, "VkPipelineRenderingCreateInfo"), "viewMask");
    uint32_t most = call->device->extended.MultiviewProperties.maxMultiviewViewCount;
    uint32_t view_mask = graphics->rendering ? graphics->rendering->viewMask : 0;
    struct subject s = {.call = call, .where = where};
    if (!has_feature(call, FEATURE_dynamicRendering))
        return false; /* a row reports it */
    if (view_mask && graphics->own & (PART_PRE_RASTERIZATION | PART_FRAGMENT_SHADER) && most)
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_06578,
                32 - (uint32_t)__builtin_clz(view_mask) <= most, mask,
                "is %#x, but maxMultiviewViewCount is %u", view_mask, most);
    s.skip |= graphics_rendering_check_views(call, where, graphics, view_mask, &views);
    s.skip |= check_custom_resolve(call, where, graphics->info->pNext);
    s.skip |= check_attachment_samples(call, where, graphics);
    if (graphics->own & PART_FRAGMENT_OUTPUT)
        s.skip |= check_output_formats(call, where, graphics);
    else if (graphics->own & PART_FRAGMENT_SHADER && !(graphics->linked & PART_FRAGMENT_OUTPUT))
        s.skip |= check_depth_of_library(call, where, graphics);
    return s.skip;
}

bool check_graphics_rendering(const struct call *call, const struct location *where,
                              const struct graphics_info *graphics)
{
    if (!(graphics->own & (PART_PRE_RASTERIZATION | PART_FRAGMENT_SHADER | PART_FRAGMENT_OUTPUT)))
        return false;
    return graphics->info->renderPass ? check_with_render_pass(call, where, graphics)
                                      : check_without_render_pass(call, where, graphics);
}
