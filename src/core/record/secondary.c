/* Checks the inheritance info of a secondary command buffer at vkBeginCommandBuffer (6.4
 * "Command Buffer Recording"). execute_commands.c compares it with the primary that executes the
 * secondary. */
#include "core/hooks.h"

#include "core/pipeline/checks.h"
#include "core/query/performance.h"
#include "core/render/pass.h"
#include "state/command/command_buffer.h"
#include "state/pipeline/pipeline.h"

#include "report/finding/rule.h"

/* The bits of VkQueryControlFlags that the registry has, for rules about "a valid combination of"
 * bits. */
#define QUERY_FLAGS_KNOWN VK_QUERY_CONTROL_PRECISE_BIT

/* Checks the members about queries that a secondary inherits. */
static void secondary_check_queries(struct subject *s, const VkCommandBufferInheritanceInfo *info)
{
    bool inherits = subject_has(s, FEATURE_inheritedQueries);
    REQUIRE(s, RULE_00057,
            !inherits || !(info->queryFlags & ~(VkQueryControlFlags)QUERY_FLAGS_KNOWN),
            "queryFlags", "is 0x%x, which has bits that are not VkQueryControlFlagBits values",
            info->queryFlags);
    bool statistics = subject_has(s, FEATURE_pipelineStatisticsQuery);
    REQUIRE(s, RULE_02789,
            !statistics ||
                !(info->pipelineStatistics & ~(VkQueryPipelineStatisticFlags)STATISTICS_KNOWN),
            "pipelineStatistics",
            "is 0x%x, which has bits that are not VkQueryPipelineStatisticFlagBits values",
            info->pipelineStatistics);
    /* If commandBuffer is a secondary command buffer and either the occlusionQueryEnable member ...
     * is VK_FALSE, or the occlusionQueryPrecise feature is not enabled, then queryFlags must not
     * contain VK_QUERY_CONTROL_PRECISE_BIT */
    REQUIRE(s, RULE_00052,
            !inherits /* 02788 */ || !(info->queryFlags & VK_QUERY_CONTROL_PRECISE_BIT) ||
                (info->occlusionQueryEnable && subject_has(s, FEATURE_occlusionQueryPrecise)),
            "queryFlags", "has VK_QUERY_CONTROL_PRECISE_BIT, but %s",
            info->occlusionQueryEnable ? "the feature occlusionQueryPrecise is not enabled"
                                       : "occlusionQueryEnable is VK_FALSE");
}

/* True if the value is one of the registry's sample counts. */
static bool is_sample_count(VkSampleCountFlagBits samples)
{
    uint32_t bits = (uint32_t)samples;
    return bits && !(bits & (bits - 1)) && bits <= VK_SAMPLE_COUNT_64_BIT;
}

/* Checks the depth and stencil formats that a secondary inherits. */
static void check_rendering_formats(struct subject *s,
                                    const VkCommandBufferInheritanceRenderingInfo *info)
{
    VkFormat depth = info->depthAttachmentFormat, stencil = info->stencilAttachmentFormat;
    if (depth != VK_FORMAT_UNDEFINED) {
        REQUIRE(s, RULE_06540, format_has_depth(depth), "depthAttachmentFormat",
                "is %s, which has no depth component", TEXT_OF(VkFormat, depth));
        REQUIRE(s, RULE_06007,
                /* Here any tiling's features count, as the image to be rendered to is not known
                 * yet. */
                format_potential_features(s->call->device, depth) &
                        VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT ||
                    !format_has_depth(depth),
                "depthAttachmentFormat",
                "is %s, which no image can use as a depth/stencil attachment here",
                TEXT_OF(VkFormat, depth));
    }
    if (stencil != VK_FORMAT_UNDEFINED) {
        REQUIRE(s, RULE_06541, format_has_stencil(stencil), "stencilAttachmentFormat",
                "is %s, which has no stencil aspect", TEXT_OF(VkFormat, stencil));
        REQUIRE(s, RULE_06199,
                format_potential_features(s->call->device, stencil) &
                        VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT ||
                    !format_has_stencil(stencil),
                "stencilAttachmentFormat",
                "is %s, which no image can use as a depth/stencil attachment here",
                TEXT_OF(VkFormat, stencil));
    }
    if (depth != VK_FORMAT_UNDEFINED && stencil != VK_FORMAT_UNDEFINED)
        REQUIRE(s, RULE_06200, depth == stencil, "depthAttachmentFormat",
                "is %s, but stencilAttachmentFormat is %s", TEXT_OF(VkFormat, depth),
                TEXT_OF(VkFormat, stencil));
    VkFormatFeatureFlags2 usable = VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT |
                                   (subject_has(s, FEATURE_linearColorAttachment)
                                        ? VK_FORMAT_FEATURE_2_LINEAR_COLOR_ATTACHMENT_BIT_NV
                                        : 0);
    /* A bad pointer is reported elsewhere, and not read. */
    uint32_t count = pointer_is_bad(info->pColorAttachmentFormats) ? 0 : info->colorAttachmentCount;
    for (uint32_t i = 0; i < count && i < PIPELINE_COLORS; i++) {
        VkFormat format = info->pColorAttachmentFormats[i];
        if (unlikely(format != VK_FORMAT_UNDEFINED &&
                     !(format_potential_features(s->call->device, format) & usable)))
            BROKEN_OF(s, NULL, RULE_06492, &LOCATION_INDEX(s->where, "pColorAttachmentFormats", i),
                      "is %s, which no image can use as a color attachment here",
                      TEXT_OF(VkFormat, format));
    }
}

/* Checks the state of dynamic rendering that a secondary inherits. */
static void check_rendering(struct subject *s, const VkCommandBufferInheritanceRenderingInfo *info)
{
    bool samples = is_sample_count(info->rasterizationSamples);
    REQUIRE(s, RULE_06004, !info->colorAttachmentCount || samples, "rasterizationSamples",
            "is 0x%x, which is not a VkSampleCountFlagBits, but colorAttachmentCount is %u",
            (uint32_t)info->rasterizationSamples, info->colorAttachmentCount);
    REQUIRE(s, RULE_06005,
            subject_has(s, FEATURE_variableMultisampleRate) || samples ||
                info->colorAttachmentCount,
            "rasterizationSamples",
            "is 0x%x, which is not a VkSampleCountFlagBits, but the feature "
            "variableMultisampleRate is not enabled",
            (uint32_t)info->rasterizationSamples);
    check_rendering_formats(s, info);
    REQUIRE(s, RULE_06008, subject_has(s, FEATURE_multiview) || !info->viewMask, "viewMask",
            "is 0x%x, but the feature multiview is not enabled", info->viewMask);
    uint32_t most = s->call->device->extended.MultiviewProperties.maxMultiviewViewCount;
    uint32_t views = info->viewMask ? 32u - (uint32_t)__builtin_clz(info->viewMask) : 0;
    REQUIRE(s, RULE_06009, !most || views <= most, "viewMask",
            "is 0x%x, but the device has %u views (maxMultiviewViewCount)", info->viewMask, most);
}

/* Checks viewports that are inherited (VK_NV_inherited_viewport_scissor). */
static void check_viewports(struct subject *s,
                            const VkCommandBufferInheritanceViewportScissorInfoNV *info,
                            bool continues)
{
    if (!info->viewportScissor2D)
        return;
    REQUIRE(s, RULE_04785, !info->viewportDepthCount || !pointer_is_bad(info->pViewportDepths),
            "pViewportDepths", "is %p, but viewportScissor2D is VK_TRUE",
            (const void *)info->pViewportDepths);
    REQUIRE(s, RULE_04786, continues, "viewportScissor2D",
            "is VK_TRUE, but the command buffer is begun without "
            "VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT");
}

/* Checks that the structure has a sample count for each color attachment. */
static void check_sample_counts(struct subject *s, const VkAttachmentSampleCountInfoAMD *counts,
                                const VkCommandBufferInheritanceRenderingInfo *rendering)
{
    /* ... the colorAttachmentCount member of that structure must be equal to the value of
     * VkCommandBufferInheritanceRenderingInfo::colorAttachmentCount */
    REQUIRE(s, RULE_06003, counts->colorAttachmentCount == rendering->colorAttachmentCount,
            "colorAttachmentCount",
            "is %u, but that of VkCommandBufferInheritanceRenderingInfo is %u",
            counts->colorAttachmentCount, rendering->colorAttachmentCount);
}

/* Checks the inheritance of a secondary that continues the instance of a render pass object. */
static void secondary_check_render_pass(struct subject *s,
                                        const VkCommandBufferInheritanceInfo *info)
{
    const struct render_pass *pass = find_render_pass(s->call, info->renderPass);
    const struct framebuffer *framebuffer = find_framebuffer(s->call, info->framebuffer);
    struct subject of_pass = {.call = s->call,
                              .where = s->where,
                              .objects = OBJECT(HANDLE_RENDER_PASS, info->renderPass)};
    struct subject of_both = {.call = s->call,
                              .where = s->where,
                              .objects = OBJECT2(HANDLE_FRAMEBUFFER, info->framebuffer,
                                                 HANDLE_RENDER_PASS, info->renderPass)};
    if (!pass)
        return;
    /* ... the subpass member of pInheritanceInfo must be a valid subpass index within the
     * renderPass member */
    REQUIRE(&of_pass, RULE_06001, info->subpass < pass->subpass_count, "subpass",
            "is %u, but the render pass has %u subpasses", info->subpass, pass->subpass_count);
    /* ... the framebuffer member must be either VK_NULL_HANDLE, or a valid VkFramebuffer that is
     * compatible with the renderPass member */
    REQUIRE(&of_both, RULE_00055,
            !framebuffer || framebuffer->render_pass_compatibility == pass->compatibility,
            "framebuffer", "was created for a render pass that is not compatible with renderPass");
    s->skip |= of_pass.skip | of_both.skip;
}

/* Checks the viewports that a secondary inherits. `continues`: it runs within a render pass
 * instance. */
static void secondary_check_chained(struct subject *info,
                                    const VkCommandBufferInheritanceInfo *inheritance,
                                    bool continues)
{
    const void *chain = inheritance->pNext;
    const VkCommandBufferInheritanceViewportScissorInfoNV *viewports =
        CHAINED(chain, COMMAND_BUFFER_INHERITANCE_VIEWPORT_SCISSOR_INFO_NV);
    if (viewports) {
        struct subject s = {
            .call = info->call,
            .where =
                &LOCATION_CHAINED(info->where, "VkCommandBufferInheritanceViewportScissorInfoNV")};
        check_viewports(&s, viewports, continues);
        info->skip |= s.skip;
    }
}

/* Checks tile shading (VK_QCOM_tile_shading). For a dynamic instance nothing is known yet. */
static void secondary_check_tiles(struct subject *info,
                                  const VkCommandBufferInheritanceInfo *inheritance, bool continues)
{
    const struct tile_shading tiles = tile_shading_of(inheritance->pNext);
    const struct render_pass *pass =
        continues ? find_render_pass(info->call, inheritance->renderPass) : NULL;
    const bool enabled = tiles.flags & VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM,
               shades = pass && pass->tiles.flags & VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM;
    const struct location where =
        LOCATION_CHAINED(info->where, "VkRenderPassTileShadingCreateInfoQCOM");
    /* If ... renderPass was created with tile shading enabled,
     * VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM must be included */
    REQUIRE(info, RULE_10617, !shades || enabled, "pNext",
            "has no VkRenderPassTileShadingCreateInfoQCOM with "
            "VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM, but renderPass was created with tile "
            "shading enabled");
    /* If flags does not contain VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, ..., or
     * renderPass was not created with tile shading enabled, ... must not be included */
    REQUIRE(info, RULE_10618, !enabled || shades || (continues && !pass),
            &LOCATION(&where, "flags"), "has VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM, but %s",
            continues ? "renderPass was created without it"
                      : "the command buffer does not continue a render pass instance");
    /* ... tileApronSize must be equal to the tileApronSize used to create renderPass */
    if (shades && enabled)
        REQUIRE(info, RULE_10619,
                tiles.apron.width == pass->tiles.apron.width &&
                    tiles.apron.height == pass->tiles.apron.height,
                &LOCATION(&where, "tileApronSize"), "is %ux%u, but that of renderPass is %ux%u",
                tiles.apron.width, tiles.apron.height, pass->tiles.apron.width,
                pass->tiles.apron.height);
}

/* Checks a secondary that continues dynamic rendering. */
static void secondary_check_dynamic(struct subject *info,
                                    const VkCommandBufferInheritanceInfo *inheritance)
{
    const VkCommandBufferInheritanceRenderingInfo *rendering =
        CHAINED(inheritance->pNext, COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
    const VkAttachmentSampleCountInfoAMD *counts =
        CHAINED(inheritance->pNext, ATTACHMENT_SAMPLE_COUNT_INFO_AMD);
    /* ... and the dynamicRendering feature is not enabled, the renderPass member must not be
     * VK_NULL_HANDLE */
    bool dynamic = subject_has(info, FEATURE_dynamicRendering);
    REQUIRE(info, RULE_09240, dynamic, "renderPass",
            "is VK_NULL_HANDLE, but the feature dynamicRendering is not enabled");
    /* ... the pNext chain of pInheritanceInfo must include a
     * VkCommandBufferInheritanceRenderingInfo structure */
    REQUIRE(info, RULE_06002, rendering || !dynamic, "pNext",
            "has no VkCommandBufferInheritanceRenderingInfo, but renderPass is VK_NULL_HANDLE");
    info->skip |= check_custom_resolve(info->call, info->where, inheritance->pNext);
    if (!rendering)
        return;
    struct subject s = {
        .call = info->call,
        .where = &LOCATION_CHAINED(info->where, "VkCommandBufferInheritanceRenderingInfo")};
    check_rendering(&s, rendering);
    if (counts) {
        s.where = &LOCATION_CHAINED(info->where, "VkAttachmentSampleCountInfoAMD");
        check_sample_counts(&s, counts, rendering);
    }
    info->skip |= s.skip;
}

/* Checks the inheritance of a secondary. If it is missing, the call does not go down, as drivers
 * would read it. */
static bool check_secondary(struct call *call, const struct command_buffer *command_buffer,
                            const VkCommandBufferBeginInfo *pBeginInfo)
{
    const VkCommandBufferInheritanceInfo *inheritance = pBeginInfo->pInheritanceInfo;
    const struct location *begin = &LOCATION_POINTER(NULL, "pBeginInfo");
    bool continues = pBeginInfo->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    struct subject s = {.call = call, .where = &LOCATION_POINTER(begin, "pInheritanceInfo")};
    /* If commandBuffer is a secondary command buffer, the pInheritanceInfo member must be a valid
     * VkCommandBufferInheritanceInfo structure */
    if (!inheritance) {
        call->dead_handle = true; /* drivers would read the inheritance info */
        return BROKEN_BY(call, RULE_00051, &LOCATION(begin, "pInheritanceInfo"), NULL,
                         "is NULL, but the command buffer is a secondary one") |
               true;
    }
    secondary_check_queries(&s, inheritance);
    if (inheritance->pNext)
        secondary_check_chained(&s, inheritance, continues);
    if (subject_has(&s, FEATURE_tileShading))
        secondary_check_tiles(&s, inheritance, continues);
    if (!continues)
        return s.skip;
    /* ... the VkCommandPool that commandBuffer was allocated from must support graphics operations
     */
    if (command_buffer->queue_flags && !(command_buffer->queue_flags & VK_QUEUE_GRAPHICS_BIT))
        s.skip |=
            BROKEN_BY(call, RULE_09123, &LOCATION(begin, "flags"), NULL,
                      "has VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, but queue family "
                      "%u does no graphics",
                      command_buffer->queue_family);
    if (inheritance->renderPass)
        secondary_check_render_pass(&s, inheritance);
    else
        secondary_check_dynamic(&s, inheritance);
    return s.skip;
}

bool core_validate_BeginCommandBuffer_inheritance(struct call *call, VkCommandBuffer commandBuffer,
                                                  const VkCommandBufferBeginInfo *pBeginInfo)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    return command_buffer && unlikely(command_buffer->scope & SCOPE_SECONDARY) &&
           check_secondary(call, command_buffer, pBeginInfo);
}
