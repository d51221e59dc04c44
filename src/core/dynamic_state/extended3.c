/* Checks values of dynamic state that vkCmdSet* commands of VK_EXT_extended_dynamic_state3 and
 * later extensions set. Most of their rules are rows. */
#include "core/hooks.h"
#include "core/dynamic_state/values.h"
#include "state/command/rendering.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "vk/pointer.h"

/* True for advanced blend operations (VK_EXT_blend_operation_advanced). */
static bool is_advanced(VkBlendOp op)
{
    return op >= VK_BLEND_OP_ZERO_EXT && op <= VK_BLEND_OP_BLUE_EXT;
}

/* Checks that a blend equation does not have an advanced operation, which another command sets. */
static bool check_equation(const struct call *call, const struct location *where,
                           const VkColorBlendEquationEXT *equation)
{
    assert(equation);
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, VUID_VkColorBlendEquationEXT_colorBlendOp_07361,
            !is_advanced(equation->colorBlendOp), "colorBlendOp",
            "is %s: advanced operations are set with vkCmdSetColorBlendAdvancedEXT",
            value_text(VALUES_VkBlendOp, equation->colorBlendOp).text);
    if (!is_advanced(equation->colorBlendOp))
        REQUIRE(&s, VUID_VkColorBlendEquationEXT_colorBlendOp_07361,
                !is_advanced(equation->alphaBlendOp), "alphaBlendOp",
                "is %s: advanced operations are set with vkCmdSetColorBlendAdvancedEXT",
                value_text(VALUES_VkBlendOp, equation->alphaBlendOp).text);
    return s.skip;
}

bool core_validate_CmdSetColorBlendEquationEXT(struct call *call, VkCommandBuffer commandBuffer,
                                               uint32_t firstAttachment, uint32_t attachmentCount,
                                               const VkColorBlendEquationEXT *pColorBlendEquations)
{
    bool skip = false;
    for (uint32_t i = 0; i < attachmentCount && !pointer_is_bad(pColorBlendEquations); i++)
        skip |= check_equation(call, &LOCATION_INDEX(NULL, "pColorBlendEquations", i),
                               &pColorBlendEquations[i]);
    return skip;
}

bool core_validate_CmdSetExtraPrimitiveOverestimationSizeEXT(struct call *call,
                                                             VkCommandBuffer commandBuffer,
                                                             float extraPrimitiveOverestimationSize)
{
    float most = call->device->extended.ConservativeRasterizationPropertiesEXT
                     .maxExtraPrimitiveOverestimationSize;
    struct subject s = {.call = call};
    REQUIRE(&s,
            VUID_vkCmdSetExtraPrimitiveOverestimationSizeEXT_extraPrimitiveOverestimationSize_07428,
            !call_has_extension(call, EXTENSION_VK_EXT_conservative_rasterization) ||
                (extraPrimitiveOverestimationSize >= 0.0f &&
                 extraPrimitiveOverestimationSize <= most),
            "extraPrimitiveOverestimationSize",
            "is %g, but must be between 0 and maxExtraPrimitiveOverestimationSize (%g)",
            (double)extraPrimitiveOverestimationSize, (double)most);
    return s.skip;
}

bool core_validate_CmdSetDepthClampRangeEXT(struct call *call, VkCommandBuffer commandBuffer,
                                            VkDepthClampModeEXT depthClampMode,
                                            const VkDepthClampRangeEXT *pDepthClampRange)
{
    const struct location *where = &LOCATION_POINTER(NULL, "pDepthClampRange");
    struct subject s = {.call = call, .where = where};
    if (depthClampMode != VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT)
        return false;
    if (pointer_is_bad(pDepthClampRange))
        return BROKEN_BY(call, VUID_vkCmdSetDepthClampRangeEXT_pDepthClampRange_09647, where, NULL,
                         "is not a valid pointer, but depthClampMode is "
                         "VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT");
    REQUIRE(&s, VUID_VkDepthClampRangeEXT_pDepthClampRange_00999,
            !(pDepthClampRange->minDepthClamp > pDepthClampRange->maxDepthClamp), "minDepthClamp",
            "is %g, but maxDepthClamp is %g", (double)pDepthClampRange->minDepthClamp,
            (double)pDepthClampRange->maxDepthClamp);
    if (call_has_extension(call, EXTENSION_VK_EXT_depth_range_unrestricted))
        return s.skip;
    REQUIRE(&s, VUID_VkDepthClampRangeEXT_pDepthClampRange_09648,
            pDepthClampRange->minDepthClamp >= 0.0f, "minDepthClamp",
            "is %g, but must not be negative without VK_EXT_depth_range_unrestricted",
            (double)pDepthClampRange->minDepthClamp);
    REQUIRE(&s, VUID_VkDepthClampRangeEXT_pDepthClampRange_09649,
            pDepthClampRange->maxDepthClamp <= 1.0f, "maxDepthClamp",
            "is %g, but must be 1 at the most without VK_EXT_depth_range_unrestricted",
            (double)pDepthClampRange->maxDepthClamp);
    return s.skip;
}

bool subpass_may_be_located(const struct call *call)
{
    const VkPhysicalDeviceSampleLocationsPropertiesEXT *limits =
        &call->device->extended.SampleLocationsPropertiesEXT;
    const struct render_pass_instance *rendering = active_rendering(call_command_buffer(call));
    return !limits->sType || limits->variableSampleLocations || !rendering ||
           rendering->kind != RENDERING_RENDER_PASS || rendering->inherited ||
           rendering->subpass >= 64 || rendering->located_subpasses >> rendering->subpass & 1;
}

bool core_validate_CmdSetSampleLocationsEXT(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkSampleLocationsInfoEXT *pSampleLocationsInfo)
{
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_01530, subpass_may_be_located(call), NULL,
            "is recorded in a subpass for which the render pass instance was begun without "
            "VkRenderPassSampleLocationsBeginInfoEXT, and variableSampleLocations is VK_FALSE");
    return s.skip | check_sample_locations(call, &LOCATION_POINTER(NULL, "pSampleLocationsInfo"),
                                           pSampleLocationsInfo);
}
