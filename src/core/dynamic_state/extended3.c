/* Checks values of dynamic state: vkCmdSet* of VK_EXT_extended_dynamic_state3 and of what came
 * after it. Hot: a feature's bit decides most. */
#include "core/hooks.h"
#include "core/pipeline/checks.h"

#include "report/names_of_values.h"
#include "stateless/check.h"

/* A value that needs a feature of its own. */
static bool check_value(const struct call *call, enum vuid vuid, const char *name, bool wanted,
                        const char *value, enum feature feature, const char *feature_name)
{
    return CHECK(call, vuid, !wanted || has_feature(call, feature), &LOCATION(NULL, name), NULL,
                 "is %s, which needs the %s feature", value, feature_name);
}

bool core_validate_CmdSetTessellationDomainOriginEXT(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     VkTessellationDomainOrigin domainOrigin)
{
    return check_either_feature(call, VUID_vkCmdSetTessellationDomainOriginEXT_None_09423,
                                FEATURE_extendedDynamicState3TessellationDomainOrigin,
                                "extendedDynamicState3TessellationDomainOrigin");
}

bool core_validate_CmdSetDepthClampEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                             VkBool32 depthClampEnable)
{
    bool skip = check_either_feature(call, VUID_vkCmdSetDepthClampEnableEXT_None_09423,
                                     FEATURE_extendedDynamicState3DepthClampEnable,
                                     "extendedDynamicState3DepthClampEnable");
    skip |= check_value(call, VUID_vkCmdSetDepthClampEnableEXT_depthClamp_07449, "depthClampEnable",
                        depthClampEnable, "VK_TRUE", FEATURE_depthClamp, "depthClamp");
    return skip;
}

bool core_validate_CmdSetPolygonModeEXT(struct call *call, VkCommandBuffer commandBuffer,
                                        VkPolygonMode polygonMode)
{
    bool skip = check_either_feature(call, VUID_vkCmdSetPolygonModeEXT_None_09423,
                                     FEATURE_extendedDynamicState3PolygonMode,
                                     "extendedDynamicState3PolygonMode");
    skip |= check_value(call, VUID_vkCmdSetPolygonModeEXT_fillModeNonSolid_07424, "polygonMode",
                        polygonMode != VK_POLYGON_MODE_FILL &&
                            polygonMode != VK_POLYGON_MODE_FILL_RECTANGLE_NV,
                        value_text(VALUES_VkPolygonMode, polygonMode).text,
                        FEATURE_fillModeNonSolid, "fillModeNonSolid");
    skip |= CHECK(call, VUID_vkCmdSetPolygonModeEXT_polygonMode_07425,
                  polygonMode != VK_POLYGON_MODE_FILL_RECTANGLE_NV ||
                      call_has_extension(call, EXTENSION_VK_NV_fill_rectangle),
                  &LOCATION(NULL, "polygonMode"), NULL,
                  "is VK_POLYGON_MODE_FILL_RECTANGLE_NV, which needs VK_NV_fill_rectangle");
    return skip;
}

bool core_validate_CmdSetRasterizationSamplesEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                 VkSampleCountFlagBits rasterizationSamples)
{
    return check_either_feature(call, VUID_vkCmdSetRasterizationSamplesEXT_None_09423,
                                FEATURE_extendedDynamicState3RasterizationSamples,
                                "extendedDynamicState3RasterizationSamples");
}

bool core_validate_CmdSetSampleMaskEXT(struct call *call, VkCommandBuffer commandBuffer,
                                       VkSampleCountFlagBits samples,
                                       const VkSampleMask *pSampleMask)
{
    return check_either_feature(call, VUID_vkCmdSetSampleMaskEXT_None_09423,
                                FEATURE_extendedDynamicState3SampleMask,
                                "extendedDynamicState3SampleMask");
}

bool core_validate_CmdSetAlphaToCoverageEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                  VkBool32 alphaToCoverageEnable)
{
    return check_either_feature(call, VUID_vkCmdSetAlphaToCoverageEnableEXT_None_09423,
                                FEATURE_extendedDynamicState3AlphaToCoverageEnable,
                                "extendedDynamicState3AlphaToCoverageEnable");
}

bool core_validate_CmdSetAlphaToOneEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                             VkBool32 alphaToOneEnable)
{
    bool skip = check_either_feature(call, VUID_vkCmdSetAlphaToOneEnableEXT_None_09423,
                                     FEATURE_extendedDynamicState3AlphaToOneEnable,
                                     "extendedDynamicState3AlphaToOneEnable");
    skip |= check_value(call, VUID_vkCmdSetAlphaToOneEnableEXT_alphaToOne_07607, "alphaToOneEnable",
                        alphaToOneEnable, "VK_TRUE", FEATURE_alphaToOne, "alphaToOne");
    return skip;
}

bool core_validate_CmdSetLogicOpEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                          VkBool32 logicOpEnable)
{
    bool skip = check_either_feature(call, VUID_vkCmdSetLogicOpEnableEXT_None_09423,
                                     FEATURE_extendedDynamicState3LogicOpEnable,
                                     "extendedDynamicState3LogicOpEnable");
    skip |= check_value(call, VUID_vkCmdSetLogicOpEnableEXT_logicOp_07366, "logicOpEnable",
                        logicOpEnable, "VK_TRUE", FEATURE_logicOp, "logicOp");
    return skip;
}

bool core_validate_CmdSetColorBlendEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                             uint32_t firstAttachment, uint32_t attachmentCount,
                                             const VkBool32 *pColorBlendEnables)
{
    return check_either_feature(call, VUID_vkCmdSetColorBlendEnableEXT_None_09423,
                                FEATURE_extendedDynamicState3ColorBlendEnable,
                                "extendedDynamicState3ColorBlendEnable");
}

static bool is_dual_source(VkBlendFactor factor)
{
    return factor == VK_BLEND_FACTOR_SRC1_COLOR || factor == VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR ||
           factor == VK_BLEND_FACTOR_SRC1_ALPHA || factor == VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

static bool check_factor(const struct call *call, enum vuid vuid, const struct location *where,
                         const char *name, VkBlendFactor factor)
{
    return CHECK(call, vuid, !is_dual_source(factor) || has_feature(call, FEATURE_dualSrcBlend),
                 &LOCATION(where, name), NULL, "is %s, which needs the dualSrcBlend feature",
                 value_text(VALUES_VkBlendFactor, factor).text);
}

/* Advanced blend operations are of VK_EXT_blend_operation_advanced. */
static bool is_advanced(VkBlendOp op)
{
    return op >= VK_BLEND_OP_ZERO_EXT && op <= VK_BLEND_OP_BLUE_EXT;
}

static bool check_equation(const struct call *call, const struct location *where,
                           const VkColorBlendEquationEXT *equation)
{
    bool skip = false;
    skip |= check_factor(call, VUID_VkColorBlendEquationEXT_dualSrcBlend_07357, where,
                         "srcColorBlendFactor", equation->srcColorBlendFactor);
    skip |= check_factor(call, VUID_VkColorBlendEquationEXT_dualSrcBlend_07358, where,
                         "dstColorBlendFactor", equation->dstColorBlendFactor);
    skip |= check_factor(call, VUID_VkColorBlendEquationEXT_dualSrcBlend_07359, where,
                         "srcAlphaBlendFactor", equation->srcAlphaBlendFactor);
    skip |= check_factor(call, VUID_VkColorBlendEquationEXT_dualSrcBlend_07360, where,
                         "dstAlphaBlendFactor", equation->dstAlphaBlendFactor);
    skip |= CHECK(call, VUID_VkColorBlendEquationEXT_colorBlendOp_07361,
                  !is_advanced(equation->colorBlendOp), &LOCATION(where, "colorBlendOp"), NULL,
                  "is %s: advanced operations are set with vkCmdSetColorBlendAdvancedEXT",
                  value_text(VALUES_VkBlendOp, equation->colorBlendOp).text);
    if (!is_advanced(equation->colorBlendOp))
        skip |= CHECK(call, VUID_VkColorBlendEquationEXT_colorBlendOp_07361,
                      !is_advanced(equation->alphaBlendOp), &LOCATION(where, "alphaBlendOp"), NULL,
                      "is %s: advanced operations are set with vkCmdSetColorBlendAdvancedEXT",
                      value_text(VALUES_VkBlendOp, equation->alphaBlendOp).text);
    return skip;
}

bool core_validate_CmdSetColorBlendEquationEXT(struct call *call, VkCommandBuffer commandBuffer,
                                               uint32_t firstAttachment, uint32_t attachmentCount,
                                               const VkColorBlendEquationEXT *pColorBlendEquations)
{
    bool skip = check_either_feature(call, VUID_vkCmdSetColorBlendEquationEXT_None_09423,
                                     FEATURE_extendedDynamicState3ColorBlendEquation,
                                     "extendedDynamicState3ColorBlendEquation");
    for (uint32_t i = 0; i < attachmentCount && !pointer_is_bad(pColorBlendEquations); i++)
        skip |= check_equation(call, &LOCATION_INDEX(NULL, "pColorBlendEquations", i),
                               &pColorBlendEquations[i]);
    return skip;
}

bool core_validate_CmdSetColorWriteMaskEXT(struct call *call, VkCommandBuffer commandBuffer,
                                           uint32_t firstAttachment, uint32_t attachmentCount,
                                           const VkColorComponentFlags *pColorWriteMasks)
{
    return check_either_feature(call, VUID_vkCmdSetColorWriteMaskEXT_None_09423,
                                FEATURE_extendedDynamicState3ColorWriteMask,
                                "extendedDynamicState3ColorWriteMask");
}

bool core_validate_CmdSetRasterizationStreamEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                uint32_t rasterizationStream)
{
    bool skip = check_either_feature(call, VUID_vkCmdSetRasterizationStreamEXT_None_09423,
                                     FEATURE_extendedDynamicState3RasterizationStream,
                                     "extendedDynamicState3RasterizationStream");
    const VkPhysicalDeviceTransformFeedbackPropertiesEXT *properties =
        &call->device->extended.TransformFeedbackPropertiesEXT;
    const struct location *where = &LOCATION(NULL, "rasterizationStream");
    if (!has_feature(call, FEATURE_transformFeedback))
        return skip | finding(call, VUID_vkCmdSetRasterizationStreamEXT_transformFeedback_07411,
                              NULL, NULL,
                              "needs the transformFeedback feature, which is not enabled");
    skip |= CHECK(call, VUID_vkCmdSetRasterizationStreamEXT_rasterizationStream_07412,
                  rasterizationStream < properties->maxTransformFeedbackStreams, where, NULL,
                  "is %u, but maxTransformFeedbackStreams is %u", rasterizationStream,
                  properties->maxTransformFeedbackStreams);
    skip |=
        CHECK(call, VUID_vkCmdSetRasterizationStreamEXT_rasterizationStream_07413,
              rasterizationStream == 0 || properties->transformFeedbackRasterizationStreamSelect,
              where, NULL, "is %u, but transformFeedbackRasterizationStreamSelect is VK_FALSE",
              rasterizationStream);
    return skip;
}

bool core_validate_CmdSetConservativeRasterizationModeEXT(struct call *call,
                                                          VkCommandBuffer commandBuffer,
                                                          VkConservativeRasterizationModeEXT
                                                              conservativeRasterizationMode)
{
    return check_either_feature(call, VUID_vkCmdSetConservativeRasterizationModeEXT_None_09423,
                                FEATURE_extendedDynamicState3ConservativeRasterizationMode,
                                "extendedDynamicState3ConservativeRasterizationMode");
}

bool core_validate_CmdSetExtraPrimitiveOverestimationSizeEXT(struct call *call,
                                                             VkCommandBuffer commandBuffer,
                                                             float extraPrimitiveOverestimationSize)
{
    bool skip =
        check_either_feature(call, VUID_vkCmdSetExtraPrimitiveOverestimationSizeEXT_None_09423,
                             FEATURE_extendedDynamicState3ExtraPrimitiveOverestimationSize,
                             "extendedDynamicState3ExtraPrimitiveOverestimationSize");
    float most = call->device->extended.ConservativeRasterizationPropertiesEXT
                     .maxExtraPrimitiveOverestimationSize;
    if (call_has_extension(call, EXTENSION_VK_EXT_conservative_rasterization))
        skip |= CHECK(
            call,
            VUID_vkCmdSetExtraPrimitiveOverestimationSizeEXT_extraPrimitiveOverestimationSize_07428,
            extraPrimitiveOverestimationSize >= 0.0f && extraPrimitiveOverestimationSize <= most,
            &LOCATION(NULL, "extraPrimitiveOverestimationSize"), NULL,
            "is %g, but must be between 0 and maxExtraPrimitiveOverestimationSize (%g)",
            (double)extraPrimitiveOverestimationSize, (double)most);
    return skip;
}

bool core_validate_CmdSetDepthClipEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                            VkBool32 depthClipEnable)
{
    bool skip = check_either_feature(call, VUID_vkCmdSetDepthClipEnableEXT_None_09423,
                                     FEATURE_extendedDynamicState3DepthClipEnable,
                                     "extendedDynamicState3DepthClipEnable");
    skip |= CHECK(call, VUID_vkCmdSetDepthClipEnableEXT_depthClipEnable_07451,
                  has_feature(call, FEATURE_depthClipEnable), NULL, NULL,
                  "needs the depthClipEnable feature, which is not enabled");
    return skip;
}

bool core_validate_CmdSetSampleLocationsEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                  VkBool32 sampleLocationsEnable)
{
    return check_either_feature(call, VUID_vkCmdSetSampleLocationsEnableEXT_None_09423,
                                FEATURE_extendedDynamicState3SampleLocationsEnable,
                                "extendedDynamicState3SampleLocationsEnable");
}

static bool check_advanced(const struct call *call, const struct location *where,
                           const VkColorBlendAdvancedEXT *advanced)
{
    const VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT *properties =
        &call->device->extended.BlendOperationAdvancedPropertiesEXT;
    bool skip = false;
    if (!call_has_extension(call, EXTENSION_VK_EXT_blend_operation_advanced))
        return false;
    skip |= CHECK(call, VUID_VkColorBlendAdvancedEXT_srcPremultiplied_07505,
                  advanced->srcPremultiplied || properties->advancedBlendNonPremultipliedSrcColor,
                  &LOCATION(where, "srcPremultiplied"), NULL,
                  "is VK_FALSE, but advancedBlendNonPremultipliedSrcColor is VK_FALSE");
    skip |= CHECK(call, VUID_VkColorBlendAdvancedEXT_dstPremultiplied_07506,
                  advanced->dstPremultiplied || properties->advancedBlendNonPremultipliedDstColor,
                  &LOCATION(where, "dstPremultiplied"), NULL,
                  "is VK_FALSE, but advancedBlendNonPremultipliedDstColor is VK_FALSE");
    skip |= CHECK(call, VUID_VkColorBlendAdvancedEXT_blendOverlap_07507,
                  advanced->blendOverlap == VK_BLEND_OVERLAP_UNCORRELATED_EXT ||
                      properties->advancedBlendCorrelatedOverlap,
                  &LOCATION(where, "blendOverlap"), NULL,
                  "is %s, but advancedBlendCorrelatedOverlap is VK_FALSE",
                  value_text(VALUES_VkBlendOverlapEXT, advanced->blendOverlap).text);
    return skip;
}

bool core_validate_CmdSetColorBlendAdvancedEXT(struct call *call, VkCommandBuffer commandBuffer,
                                               uint32_t firstAttachment, uint32_t attachmentCount,
                                               const VkColorBlendAdvancedEXT *pColorBlendAdvanced)
{
    bool skip = check_either_feature(call, VUID_vkCmdSetColorBlendAdvancedEXT_None_09423,
                                     FEATURE_extendedDynamicState3ColorBlendAdvanced,
                                     "extendedDynamicState3ColorBlendAdvanced");
    for (uint32_t i = 0; i < attachmentCount && !pointer_is_bad(pColorBlendAdvanced); i++)
        skip |= check_advanced(call, &LOCATION_INDEX(NULL, "pColorBlendAdvanced", i),
                               &pColorBlendAdvanced[i]);
    return skip;
}

bool core_validate_CmdSetProvokingVertexModeEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                VkProvokingVertexModeEXT provokingVertexMode)
{
    bool skip = check_either_feature(call, VUID_vkCmdSetProvokingVertexModeEXT_None_09423,
                                     FEATURE_extendedDynamicState3ProvokingVertexMode,
                                     "extendedDynamicState3ProvokingVertexMode");
    skip |= check_value(call, VUID_vkCmdSetProvokingVertexModeEXT_provokingVertexMode_07447,
                        "provokingVertexMode",
                        provokingVertexMode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT,
                        "VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT", FEATURE_provokingVertexLast,
                        "provokingVertexLast");
    return skip;
}

bool core_validate_CmdSetLineRasterizationModeEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                  VkLineRasterizationModeEXT lineRasterizationMode)
{
    bool skip = check_either_feature(call, VUID_vkCmdSetLineRasterizationModeEXT_None_09423,
                                     FEATURE_extendedDynamicState3LineRasterizationMode,
                                     "extendedDynamicState3LineRasterizationMode");
    skip |= check_value(call, VUID_vkCmdSetLineRasterizationModeEXT_lineRasterizationMode_07418,
                        "lineRasterizationMode",
                        lineRasterizationMode == VK_LINE_RASTERIZATION_MODE_RECTANGULAR,
                        "VK_LINE_RASTERIZATION_MODE_RECTANGULAR", FEATURE_rectangularLines,
                        "rectangularLines");
    skip |= check_value(call, VUID_vkCmdSetLineRasterizationModeEXT_lineRasterizationMode_07419,
                        "lineRasterizationMode",
                        lineRasterizationMode == VK_LINE_RASTERIZATION_MODE_BRESENHAM,
                        "VK_LINE_RASTERIZATION_MODE_BRESENHAM", FEATURE_bresenhamLines,
                        "bresenhamLines");
    skip |= check_value(call, VUID_vkCmdSetLineRasterizationModeEXT_lineRasterizationMode_07420,
                        "lineRasterizationMode",
                        lineRasterizationMode == VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH,
                        "VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH", FEATURE_smoothLines,
                        "smoothLines");
    return skip;
}

bool core_validate_CmdSetLineStippleEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                              VkBool32 stippledLineEnable)
{
    return check_either_feature(call, VUID_vkCmdSetLineStippleEnableEXT_None_09423,
                                FEATURE_extendedDynamicState3LineStippleEnable,
                                "extendedDynamicState3LineStippleEnable");
}

bool core_validate_CmdSetDepthClipNegativeOneToOneEXT(struct call *call,
                                                      VkCommandBuffer commandBuffer,
                                                      VkBool32 negativeOneToOne)
{
    bool skip = check_either_feature(call, VUID_vkCmdSetDepthClipNegativeOneToOneEXT_None_09423,
                                     FEATURE_extendedDynamicState3DepthClipNegativeOneToOne,
                                     "extendedDynamicState3DepthClipNegativeOneToOne");
    skip |= CHECK(call, VUID_vkCmdSetDepthClipNegativeOneToOneEXT_depthClipControl_07453,
                  has_feature(call, FEATURE_depthClipControl), NULL, NULL,
                  "needs the depthClipControl feature, which is not enabled");
    return skip;
}

bool core_validate_CmdSetViewportWScalingEnableNV(struct call *call, VkCommandBuffer commandBuffer,
                                                  VkBool32 viewportWScalingEnable)
{
    return check_either_feature(call, VUID_vkCmdSetViewportWScalingEnableNV_None_09423,
                                FEATURE_extendedDynamicState3ViewportWScalingEnable,
                                "extendedDynamicState3ViewportWScalingEnable");
}

bool core_validate_CmdSetViewportSwizzleNV(struct call *call, VkCommandBuffer commandBuffer,
                                           uint32_t firstViewport, uint32_t viewportCount,
                                           const VkViewportSwizzleNV *pViewportSwizzles)
{
    return check_either_feature(call, VUID_vkCmdSetViewportSwizzleNV_None_09423,
                                FEATURE_extendedDynamicState3ViewportSwizzle,
                                "extendedDynamicState3ViewportSwizzle");
}

bool core_validate_CmdSetCoverageToColorEnableNV(struct call *call, VkCommandBuffer commandBuffer,
                                                 VkBool32 coverageToColorEnable)
{
    return check_either_feature(call, VUID_vkCmdSetCoverageToColorEnableNV_None_09423,
                                FEATURE_extendedDynamicState3CoverageToColorEnable,
                                "extendedDynamicState3CoverageToColorEnable");
}

bool core_validate_CmdSetCoverageToColorLocationNV(struct call *call, VkCommandBuffer commandBuffer,
                                                   uint32_t coverageToColorLocation)
{
    return check_either_feature(call, VUID_vkCmdSetCoverageToColorLocationNV_None_09423,
                                FEATURE_extendedDynamicState3CoverageToColorLocation,
                                "extendedDynamicState3CoverageToColorLocation");
}

bool core_validate_CmdSetCoverageModulationModeNV(struct call *call, VkCommandBuffer commandBuffer,
                                                  VkCoverageModulationModeNV coverageModulationMode)
{
    return check_either_feature(call, VUID_vkCmdSetCoverageModulationModeNV_None_09423,
                                FEATURE_extendedDynamicState3CoverageModulationMode,
                                "extendedDynamicState3CoverageModulationMode");
}

bool core_validate_CmdSetCoverageModulationTableEnableNV(struct call *call,
                                                         VkCommandBuffer commandBuffer,
                                                         VkBool32 coverageModulationTableEnable)
{
    return check_either_feature(call, VUID_vkCmdSetCoverageModulationTableEnableNV_None_09423,
                                FEATURE_extendedDynamicState3CoverageModulationTableEnable,
                                "extendedDynamicState3CoverageModulationTableEnable");
}

bool core_validate_CmdSetCoverageModulationTableNV(struct call *call, VkCommandBuffer commandBuffer,
                                                   uint32_t coverageModulationTableCount,
                                                   const float *pCoverageModulationTable)
{
    return check_either_feature(call, VUID_vkCmdSetCoverageModulationTableNV_None_09423,
                                FEATURE_extendedDynamicState3CoverageModulationTable,
                                "extendedDynamicState3CoverageModulationTable");
}

bool core_validate_CmdSetShadingRateImageEnableNV(struct call *call, VkCommandBuffer commandBuffer,
                                                  VkBool32 shadingRateImageEnable)
{
    return check_either_feature(call, VUID_vkCmdSetShadingRateImageEnableNV_None_09423,
                                FEATURE_extendedDynamicState3ShadingRateImageEnable,
                                "extendedDynamicState3ShadingRateImageEnable");
}

bool core_validate_CmdSetRepresentativeFragmentTestEnableNV(struct call *call,
                                                            VkCommandBuffer commandBuffer,
                                                            VkBool32
                                                                representativeFragmentTestEnable)
{
    return check_either_feature(call, VUID_vkCmdSetRepresentativeFragmentTestEnableNV_None_09423,
                                FEATURE_extendedDynamicState3RepresentativeFragmentTestEnable,
                                "extendedDynamicState3RepresentativeFragmentTestEnable");
}

bool core_validate_CmdSetCoverageReductionModeNV(struct call *call, VkCommandBuffer commandBuffer,
                                                 VkCoverageReductionModeNV coverageReductionMode)
{
    return check_either_feature(call, VUID_vkCmdSetCoverageReductionModeNV_None_09423,
                                FEATURE_extendedDynamicState3CoverageReductionMode,
                                "extendedDynamicState3CoverageReductionMode");
}

bool core_validate_CmdSetAttachmentFeedbackLoopEnableEXT(struct call *call,
                                                         VkCommandBuffer commandBuffer,
                                                         VkImageAspectFlags aspectMask)
{
    const VkImageAspectFlags known =
        VK_IMAGE_ASPECT_COLOR_BIT | VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    const struct location *where = &LOCATION(NULL, "aspectMask");
    bool skip =
        CHECK(call,
              VUID_vkCmdSetAttachmentFeedbackLoopEnableEXT_attachmentFeedbackLoopDynamicState_08862,
              has_feature(call, FEATURE_attachmentFeedbackLoopDynamicState), NULL, NULL,
              "needs the attachmentFeedbackLoopDynamicState feature, which is not enabled");
    skip |= CHECK(call, VUID_vkCmdSetAttachmentFeedbackLoopEnableEXT_aspectMask_08863,
                  !(aspectMask & ~known), where, NULL,
                  "is %s, but may only have color, depth and stencil",
                  value_text(VALUES_VkImageAspectFlags, aspectMask).text);
    skip |=
        CHECK(call, VUID_vkCmdSetAttachmentFeedbackLoopEnableEXT_attachmentFeedbackLoopLayout_08864,
              !aspectMask || has_feature(call, FEATURE_attachmentFeedbackLoopLayout), where, NULL,
              "is %s, but must be VK_IMAGE_ASPECT_NONE without "
              "the attachmentFeedbackLoopLayout feature",
              value_text(VALUES_VkImageAspectFlags, aspectMask).text);
    return skip;
}

bool core_validate_CmdSetDepthClampRangeEXT(struct call *call, VkCommandBuffer commandBuffer,
                                            VkDepthClampModeEXT depthClampMode,
                                            const VkDepthClampRangeEXT *pDepthClampRange)
{
    const struct location *where = &LOCATION_POINTER(NULL, "pDepthClampRange");
    bool skip = false;
    if (depthClampMode != VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT)
        return false;
    if (pointer_is_bad(pDepthClampRange))
        return finding(call, VUID_vkCmdSetDepthClampRangeEXT_pDepthClampRange_09647, where, NULL,
                       "is not a valid pointer, but depthClampMode is "
                       "VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT");
    skip |= CHECK(call, VUID_VkDepthClampRangeEXT_pDepthClampRange_00999,
                  !(pDepthClampRange->minDepthClamp > pDepthClampRange->maxDepthClamp),
                  &LOCATION(where, "minDepthClamp"), NULL, "is %g, but maxDepthClamp is %g",
                  (double)pDepthClampRange->minDepthClamp, (double)pDepthClampRange->maxDepthClamp);
    if (call_has_extension(call, EXTENSION_VK_EXT_depth_range_unrestricted))
        return skip;
    skip |= CHECK(call, VUID_VkDepthClampRangeEXT_pDepthClampRange_09648,
                  pDepthClampRange->minDepthClamp >= 0.0f, &LOCATION(where, "minDepthClamp"), NULL,
                  "is %g, but must not be negative without VK_EXT_depth_range_unrestricted",
                  (double)pDepthClampRange->minDepthClamp);
    skip |= CHECK(call, VUID_VkDepthClampRangeEXT_pDepthClampRange_09649,
                  pDepthClampRange->maxDepthClamp <= 1.0f, &LOCATION(where, "maxDepthClamp"), NULL,
                  "is %g, but must be 1 at the most without VK_EXT_depth_range_unrestricted",
                  (double)pDepthClampRange->maxDepthClamp);
    return skip;
}

bool core_validate_CmdSetSampleLocationsEXT(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkSampleLocationsInfoEXT *pSampleLocationsInfo)
{
    return check_sample_locations(call, &LOCATION_POINTER(NULL, "pSampleLocationsInfo"),
                                  pSampleLocationsInfo);
}
