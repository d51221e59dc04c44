/* Checks the pre-rasterization state of a graphics pipeline: viewports (27), rasterization (28). */
#include "core/pipeline/checks.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/command/render_pass.h"
#include "vk/chain.h"

/* --- viewports and scissors --- */

/* Checks the viewport and scissor counts: their limits, and whether they go together. */
static bool check_viewport_counts(const struct call *call, const struct location *where,
                                  const struct graphics_info *graphics)
{
    assert(graphics->viewport);
    const VkPipelineViewportStateCreateInfo *info = graphics->viewport;
    const struct location *viewports = &LOCATION(where, "viewportCount"),
                          *scissors = &LOCATION(where, "scissorCount");
    struct subject s = {.call = call};
    bool viewport_dynamic = graphics_is_dynamic(graphics, DYNAMIC_VIEWPORT_WITH_COUNT),
         scissor_dynamic = graphics_is_dynamic(graphics, DYNAMIC_SCISSOR_WITH_COUNT);
    /* 04135 and 04136 say the same of the structure. */
    if (viewport_dynamic && info->viewportCount)
        BROKEN(&s, VUID_VkGraphicsPipelineCreateInfo_pDynamicStates_03379, viewports,
               "is %u, but must be 0 with VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT",
               info->viewportCount);
    if (scissor_dynamic && info->scissorCount)
        BROKEN(&s, VUID_VkGraphicsPipelineCreateInfo_pDynamicStates_03380, scissors,
               "is %u, but must be 0 with VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT", info->scissorCount);
    REQUIRE(&s, VUID_VkPipelineViewportStateCreateInfo_viewportCount_04135,
            viewport_dynamic || info->viewportCount, viewports,
            "is 0, but VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT is not set");
    REQUIRE(&s, VUID_VkPipelineViewportStateCreateInfo_scissorCount_04136,
            scissor_dynamic || info->scissorCount, scissors,
            "is 0, but VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT is not set");
    if (!viewport_dynamic && !scissor_dynamic && info->viewportCount && info->scissorCount)
        REQUIRE(&s, VUID_VkPipelineViewportStateCreateInfo_scissorCount_04134,
                info->scissorCount == info->viewportCount, scissors,
                "is %u, but viewportCount is %u", info->scissorCount, info->viewportCount);
    return s.skip;
}

/* Checks the viewports and scissors that are not dynamic. True: the call is to be skipped. */
static bool check_viewport_arrays(const struct call *call, const struct location *where,
                                  const struct graphics_info *graphics)
{
    assert(graphics->viewport);
    static const struct rectangle_rules rules = {
        VUID_VkPipelineViewportStateCreateInfo_x_02821,
        VUID_VkPipelineViewportStateCreateInfo_offset_02822,
        VUID_VkPipelineViewportStateCreateInfo_offset_02823};
    const VkPipelineViewportStateCreateInfo *info = graphics->viewport;
    uint32_t most = limits_of(call)->maxViewports;
    struct subject s = {.call = call, .where = where};
    bool viewports = !graphics_is_dynamic(graphics, DYNAMIC_VIEWPORT) &&
                     !graphics_is_dynamic(graphics, DYNAMIC_VIEWPORT_WITH_COUNT),
         scissors = !graphics_is_dynamic(graphics, DYNAMIC_SCISSOR) &&
                    !graphics_is_dynamic(graphics, DYNAMIC_SCISSOR_WITH_COUNT);
    if (viewports && info->viewportCount && !info->pViewports)
        BROKEN(&s, VUID_VkGraphicsPipelineCreateInfo_pDynamicStates_04130, "pViewports",
               "is NULL, but viewports are not dynamic");
    if (scissors && info->scissorCount && !info->pScissors)
        BROKEN(&s, VUID_VkGraphicsPipelineCreateInfo_pDynamicStates_04131, "pScissors",
               "is NULL, but scissors are not dynamic");
    for (uint32_t i = 0;
         viewports && i < info->viewportCount && i < most && !pointer_is_bad(info->pViewports); i++)
        s.skip |=
            check_viewport(call, &LOCATION_INDEX(where, "pViewports", i), &info->pViewports[i]);
    for (uint32_t i = 0;
         scissors && i < info->scissorCount && i < most && !pointer_is_bad(info->pScissors); i++)
        s.skip |= check_rectangle(call, &LOCATION_INDEX(where, "pScissors", i), &info->pScissors[i],
                                  &rules);
    return s.skip;
}

/* Checks the structures in the chain of the viewport state. True: the call is to be skipped. */
static bool check_viewport_chain(const struct call *call, const struct location *where,
                                 const struct graphics_info *graphics)
{
    assert(graphics->viewport);
    const VkPipelineViewportStateCreateInfo *info = graphics->viewport;
    const VkPipelineViewportWScalingStateCreateInfoNV *scaling =
        CHAINED(info->pNext, PIPELINE_VIEWPORT_W_SCALING_STATE_CREATE_INFO_NV);
    const VkPipelineViewportSwizzleStateCreateInfoNV *swizzle =
        CHAINED(info->pNext, PIPELINE_VIEWPORT_SWIZZLE_STATE_CREATE_INFO_NV);
    const VkPipelineViewportShadingRateImageStateCreateInfoNV *rates =
        CHAINED(info->pNext, PIPELINE_VIEWPORT_SHADING_RATE_IMAGE_STATE_CREATE_INFO_NV);
    const VkPipelineViewportCoarseSampleOrderStateCreateInfoNV *orders =
        CHAINED(info->pNext, PIPELINE_VIEWPORT_COARSE_SAMPLE_ORDER_STATE_CREATE_INFO_NV);
    const VkPipelineViewportExclusiveScissorStateCreateInfoNV *exclusive =
        CHAINED(info->pNext, PIPELINE_VIEWPORT_EXCLUSIVE_SCISSOR_STATE_CREATE_INFO_NV);
    const VkPipelineViewportDepthClampControlCreateInfoEXT *clamp =
        CHAINED(info->pNext, PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT);
    struct subject s = {.call = call};
    /* Each structure is read only while its enable is fixed and on: else it is ignored. */
    if (scaling && scaling->viewportWScalingEnable &&
        !graphics_is_dynamic(graphics, DYNAMIC_VIEWPORT_W_SCALING_ENABLE_NV)) {
        const struct location *at =
            &LOCATION_CHAINED(where, "VkPipelineViewportWScalingStateCreateInfoNV");
        REQUIRE(&s, VUID_VkPipelineViewportStateCreateInfo_viewportWScalingEnable_01726,
                scaling->viewportCount >= info->viewportCount, &LOCATION(at, "viewportCount"),
                "is %u, but VkPipelineViewportStateCreateInfo::viewportCount is %u",
                scaling->viewportCount, info->viewportCount);
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pDynamicStates_01715,
                scaling->pViewportWScalings ||
                    graphics_is_dynamic(graphics, DYNAMIC_VIEWPORT_W_SCALING_NV),
                &LOCATION(at, "pViewportWScalings"),
                "is NULL, but VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV is not set");
    }
    if (swizzle && !graphics_is_dynamic(graphics, DYNAMIC_VIEWPORT_SWIZZLE_NV))
        REQUIRE(&s, VUID_VkPipelineViewportSwizzleStateCreateInfoNV_viewportCount_01215,
                swizzle->viewportCount >= info->viewportCount,
                &LOCATION(&LOCATION_CHAINED(where, "VkPipelineViewportSwizzleStateCreateInfoNV"),
                          "viewportCount"),
                "is %u, but VkPipelineViewportStateCreateInfo::viewportCount is %u",
                swizzle->viewportCount, info->viewportCount);
    if (rates && rates->shadingRateImageEnable &&
        !graphics_is_dynamic(graphics, DYNAMIC_SHADING_RATE_IMAGE_ENABLE_NV)) {
        const struct location *at =
            &LOCATION_CHAINED(where, "VkPipelineViewportShadingRateImageStateCreateInfoNV");
        REQUIRE(
            &s,
            VUID_VkPipelineViewportShadingRateImageStateCreateInfoNV_shadingRateImageEnable_02056,
            rates->viewportCount >= info->viewportCount, &LOCATION(at, "viewportCount"),
            "is %u, but VkPipelineViewportStateCreateInfo::viewportCount is %u",
            rates->viewportCount, info->viewportCount);
        if (!graphics_is_dynamic(graphics, DYNAMIC_VIEWPORT_SHADING_RATE_PALETTE_NV)) {
            REQUIRE(&s, STOPS(VUID_VkGraphicsPipelineCreateInfo_pDynamicStates_04057),
                    !rates->viewportCount || !pointer_is_bad(rates->pShadingRatePalettes),
                    &LOCATION(at, "pShadingRatePalettes"),
                    "is %p, but VK_DYNAMIC_STATE_VIEWPORT_SHADING_RATE_PALETTE_NV is not set",
                    (const void *)rates->pShadingRatePalettes);
            s.skip |= check_shading_palettes(call, at, "pShadingRatePalettes", rates->viewportCount,
                                             rates->pShadingRatePalettes);
        }
    }
    if (orders && !graphics_is_dynamic(graphics, DYNAMIC_VIEWPORT_COARSE_SAMPLE_ORDER_NV))
        s.skip |= check_coarse_orders(
            call, &LOCATION_CHAINED(where, "VkPipelineViewportCoarseSampleOrderStateCreateInfoNV"),
            orders->customSampleOrderCount, orders->pCustomSampleOrders,
            VUID_VkPipelineViewportCoarseSampleOrderStateCreateInfoNV_pCustomSampleOrders_02234);
    if (exclusive) {
        const struct location
            *at = &LOCATION_CHAINED(where, "VkPipelineViewportExclusiveScissorStateCreateInfoNV"),
            *count = &LOCATION(at, "exclusiveScissorCount");
        uint32_t given = exclusive->exclusiveScissorCount;
        REQUIRE(
            &s,
            VUID_VkPipelineViewportExclusiveScissorStateCreateInfoNV_exclusiveScissorCount_02027,
            given <= 1 || has_feature(call, FEATURE_multiViewport), count,
            "is %u, but must be 1 at the most without the multiViewport feature", given);
        REQUIRE(
            &s,
            VUID_VkPipelineViewportExclusiveScissorStateCreateInfoNV_exclusiveScissorCount_02029,
            given == 0 || given >= info->viewportCount, count, "is %u, but viewportCount is %u",
            given, info->viewportCount);
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pDynamicStates_04056,
                !given || exclusive->pExclusiveScissors ||
                    graphics_is_dynamic(graphics, DYNAMIC_EXCLUSIVE_SCISSOR_NV),
                &LOCATION(at, "pExclusiveScissors"),
                "is NULL, but VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_NV is not set");
    }
    if (clamp && clamp->depthClampMode == VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT)
        REQUIRE(&s, VUID_VkPipelineViewportDepthClampControlCreateInfoEXT_pDepthClampRange_09646,
                clamp->pDepthClampRange ||
                    graphics_is_dynamic(graphics, DYNAMIC_DEPTH_CLAMP_RANGE_EXT),
                &LOCATION(&LOCATION_CHAINED(where,
                                            "VkPipelineViewportDepthClampControlCreateInfoEXT"),
                          "pDepthClampRange"),
                "is NULL, but depthClampMode is VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT");
    return s.skip;
}

/* --- rasterization --- */

/* Checks stippled lines, where nothing of that is dynamic. True: the call is to be skipped. */
static bool check_lines(const struct call *call, const struct location *where,
                        const struct graphics_info *graphics,
                        const VkPipelineRasterizationLineStateCreateInfo *line)
{
    assert(line);
    VkLineRasterizationMode mode = line->lineRasterizationMode;
    const struct location *stipple = &LOCATION(where, "stippledLineEnable");
    struct subject s = {.call = call, .where = where};
    bool mode_dynamic = graphics_is_dynamic(graphics, DYNAMIC_LINE_RASTERIZATION_MODE_EXT),
         stipple_dynamic = graphics_is_dynamic(graphics, DYNAMIC_LINE_STIPPLE_ENABLE_EXT);
    struct value_text text = value_text(VALUES_VkLineRasterizationMode, mode);
    if (stipple_dynamic || !line->stippledLineEnable)
        return s.skip;
    if (mode == VK_LINE_RASTERIZATION_MODE_DEFAULT && !mode_dynamic)
        REQUIRE(&s, VUID_VkPipelineRasterizationLineStateCreateInfo_stippledLineEnable_02774,
                has_feature(call, FEATURE_stippledRectangularLines) && limits_of(call)->strictLines,
                stipple,
                "is VK_TRUE, which with %s needs the stippledRectangularLines "
                "feature and strictLines",
                text.text);
    return s.skip;
}

/* Bresenham and smooth lines go without alpha to coverage, alpha to one and sample shading. */
static bool check_line_multisample(const struct call *call, const struct location *where,
                                   const struct graphics_info *graphics,
                                   const VkPipelineRasterizationLineStateCreateInfo *line)
{
    const VkPipelineMultisampleStateCreateInfo *multisample = graphics->multisample;
    if (!multisample || graphics_is_dynamic(graphics, DYNAMIC_LINE_RASTERIZATION_MODE_EXT) ||
        (line->lineRasterizationMode != VK_LINE_RASTERIZATION_MODE_BRESENHAM &&
         line->lineRasterizationMode != VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH))
        return false;
    bool coverage = multisample->alphaToCoverageEnable &&
                    !graphics_is_dynamic(graphics, DYNAMIC_ALPHA_TO_COVERAGE_ENABLE_EXT),
         one = multisample->alphaToOneEnable &&
               !graphics_is_dynamic(graphics, DYNAMIC_ALPHA_TO_ONE_ENABLE_EXT);
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_lineRasterizationMode_02766,
            !coverage && !one && !multisample->sampleShadingEnable, "lineRasterizationMode",
            "is %s, which excludes %s",
            value_text(VALUES_VkLineRasterizationMode, line->lineRasterizationMode).text,
            coverage ? "alphaToCoverageEnable"
            : one    ? "alphaToOneEnable"
                     : "sampleShadingEnable");
    return s.skip;
}

/* Checks the structures in the chain of the rasterization state. True: the call is to be skipped.
 */
static bool check_rasterization_chain(const struct call *call, const struct location *where,
                                      const struct graphics_info *graphics)
{
    assert(graphics->rasterization);
    const void *next = graphics->rasterization->pNext;
    const VkPipelineRasterizationLineStateCreateInfo *line =
        CHAINED(next, PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO);
    const VkPipelineRasterizationConservativeStateCreateInfoEXT *conservative =
        CHAINED(next, PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT);
    float most = call->device->extended.ConservativeRasterizationPropertiesEXT
                     .maxExtraPrimitiveOverestimationSize;
    struct subject s = {.call = call};
    if (line) {
        const struct location *at =
            &LOCATION_CHAINED(where, "VkPipelineRasterizationLineStateCreateInfo");
        s.skip |= check_lines(call, at, graphics, line);
        s.skip |= check_line_multisample(call, at, graphics, line);
    }
    /* "If conservativeRasterizationMode is not VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT,
     * this value is ignored." */
    if (conservative && call_has_extension(call, EXTENSION_VK_EXT_conservative_rasterization) &&
        (conservative->conservativeRasterizationMode ==
             VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT ||
         graphics_is_dynamic(graphics, DYNAMIC_CONSERVATIVE_RASTERIZATION_MODE_EXT)) &&
        !graphics_is_dynamic(graphics, DYNAMIC_EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT))
        REQUIRE(
            &s,
            VUID_VkPipelineRasterizationConservativeStateCreateInfoEXT_extraPrimitiveOverestimationSize_01769,
            conservative->extraPrimitiveOverestimationSize >= 0.0f &&
                conservative->extraPrimitiveOverestimationSize <= most,
            &LOCATION(&LOCATION_CHAINED(where,
                                        "VkPipelineRasterizationConservativeStateCreateInfoEXT"),
                      "extraPrimitiveOverestimationSize"),
            "is %g, but must be between 0 and maxExtraPrimitiveOverestimationSize (%g)",
            (double)conservative->extraPrimitiveOverestimationSize, (double)most);
    /* If the mode cannot be dynamic because its feature is off, 07382 reports that. */
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pDynamicState_09639,
            conservative ||
                !has_feature(call, FEATURE_extendedDynamicState3ConservativeRasterizationMode) ||
                !graphics_is_dynamic(graphics, DYNAMIC_CONSERVATIVE_RASTERIZATION_MODE_EXT) ||
                graphics_is_dynamic(graphics, DYNAMIC_EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT),
            where,
            "has no VkPipelineRasterizationConservativeStateCreateInfoEXT in its chain, but the "
            "mode is dynamic and the extra overestimation is not");
    return s.skip;
}

/* Checks that discard rectangles which are not dynamic are given. True: the call is to be skipped.
 */
static bool check_discard_rectangles(const struct call *call, const struct location *parent,
                                     const struct graphics_info *graphics)
{
    const VkPipelineDiscardRectangleStateCreateInfoEXT *info =
        CHAINED(graphics->info->pNext, PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT);
    const struct location *where =
        &LOCATION_CHAINED(parent, "VkPipelineDiscardRectangleStateCreateInfoEXT");
    struct subject s = {.call = call, .where = where};
    if (!info || !call_has_extension(call, EXTENSION_VK_EXT_discard_rectangles))
        return false;
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pDynamicStates_04058,
            !info->discardRectangleCount || info->pDiscardRectangles ||
                graphics_is_dynamic(graphics, DYNAMIC_DISCARD_RECTANGLE_EXT),
            "pDiscardRectangles", "is NULL, but VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT is not set");
    return s.skip;
}

bool check_graphics_pre_rasterization(const struct call *call, const struct location *where,
                                      const struct graphics_info *graphics)
{
    bool skip = false;
    if (!(graphics->own & PART_PRE_RASTERIZATION))
        return false;
    if (graphics->viewport) {
        const struct location *at = &LOCATION_POINTER(where, "pViewportState");
        skip |= check_viewport_counts(call, at, graphics);
        skip |= check_viewport_arrays(call, at, graphics);
        skip |= check_viewport_chain(call, at, graphics);
    }
    if (graphics->rasterization)
        skip |= check_rasterization_chain(call, &LOCATION_POINTER(where, "pRasterizationState"),
                                          graphics);
    return skip | check_discard_rectangles(call, where, graphics);
}
