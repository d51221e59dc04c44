/* Tracks what vkCmdSet* commands make of a command buffer's dynamic state. Hot: each sets a bit and
 * stores its values. */
#include "state/dynamic_values.h"
#include "state/hooks.h"

#include <string.h>

#include "stateless/check.h"

/* Notes that the state is set. NULL: there is no place for its value (memory was out). */
static ALWAYS_INLINE struct command_buffer_dynamic *set(const struct call *call,
                                                        enum dynamic_state state)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (unlikely(!command_buffer))
        return NULL;
    dynamic_state_set_add(&command_buffer->dynamic_set, state);
    command_buffer->dirty[0] |= DIRTY_DYNAMIC_STATE;
    return command_buffer->dynamic;
}

static ALWAYS_INLINE bool is_set(const struct call *call, enum dynamic_state state)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    return command_buffer && dynamic_state_set_has(&command_buffer->dynamic_set, state);
}

/* Bits [first, first + count) of those that there is room for. */
static inline uint32_t bits_of(uint32_t first, uint32_t count, uint32_t room)
{
    if (first >= room)
        return 0;
    uint32_t end = count > room - first ? room : first + count;
    return (uint32_t)((1ull << end) - (1ull << first));
}

/* Copies elements [first, first + count) of `size` bytes, as far as there is room; returns their
 * bits. */
static inline uint32_t copy_range(void *values, const void *from, size_t size, uint32_t first,
                                  uint32_t count, uint32_t room)
{
    uint32_t bits = bits_of(first, count, room);
    if (bits)
        memcpy((char *)values + first * size, from,
               (size_t)(32 - __builtin_clz(bits) - (int)first) * size);
    return bits;
}

/* --- viewports and scissors --- */

void state_after_CmdSetViewport(struct call *call, VkCommandBuffer commandBuffer,
                                uint32_t firstViewport, uint32_t viewportCount,
                                const VkViewport *pViewports)
{
    bool before = is_set(call, DYNAMIC_VIEWPORT);
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_VIEWPORT);
    if (!dynamic)
        return;
    uint32_t bits = copy_range(dynamic->viewports, pViewports, sizeof(VkViewport), firstViewport,
                               viewportCount, DYNAMIC_VIEWPORTS);
    dynamic->viewports_set = before ? dynamic->viewports_set | bits : bits;
}

void state_after_CmdSetScissor(struct call *call, VkCommandBuffer commandBuffer,
                               uint32_t firstScissor, uint32_t scissorCount,
                               const VkRect2D *pScissors)
{
    bool before = is_set(call, DYNAMIC_SCISSOR);
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_SCISSOR);
    if (!dynamic)
        return;
    uint32_t bits = copy_range(dynamic->scissors, pScissors, sizeof(VkRect2D), firstScissor,
                               scissorCount, DYNAMIC_VIEWPORTS);
    dynamic->scissors_set = before ? dynamic->scissors_set | bits : bits;
}

void state_after_CmdSetViewportWithCount(struct call *call, VkCommandBuffer commandBuffer,
                                         uint32_t viewportCount, const VkViewport *pViewports)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_VIEWPORT_WITH_COUNT);
    if (!dynamic)
        return;
    dynamic->viewport_count = viewportCount;
    dynamic->viewports_set = copy_range(dynamic->viewports, pViewports, sizeof(VkViewport), 0,
                                        viewportCount, DYNAMIC_VIEWPORTS);
}

void state_after_CmdSetScissorWithCount(struct call *call, VkCommandBuffer commandBuffer,
                                        uint32_t scissorCount, const VkRect2D *pScissors)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_SCISSOR_WITH_COUNT);
    if (!dynamic)
        return;
    dynamic->scissor_count = scissorCount;
    dynamic->scissors_set = copy_range(dynamic->scissors, pScissors, sizeof(VkRect2D), 0,
                                       scissorCount, DYNAMIC_VIEWPORTS);
}

void state_after_CmdSetViewportWScalingNV(struct call *call, VkCommandBuffer commandBuffer,
                                          uint32_t firstViewport, uint32_t viewportCount,
                                          const VkViewportWScalingNV *pViewportWScalings)
{
    bool before = is_set(call, DYNAMIC_VIEWPORT_W_SCALING_NV);
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_VIEWPORT_W_SCALING_NV);
    if (dynamic && (!before || firstViewport + viewportCount > dynamic->viewport_w_scaling_count))
        dynamic->viewport_w_scaling_count = firstViewport + viewportCount;
}

void state_after_CmdSetViewportSwizzleNV(struct call *call, VkCommandBuffer commandBuffer,
                                         uint32_t firstViewport, uint32_t viewportCount,
                                         const VkViewportSwizzleNV *pViewportSwizzles)
{
    bool before = is_set(call, DYNAMIC_VIEWPORT_SWIZZLE_NV);
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_VIEWPORT_SWIZZLE_NV);
    if (dynamic && (!before || firstViewport + viewportCount > dynamic->viewport_swizzle_count))
        dynamic->viewport_swizzle_count = firstViewport + viewportCount;
}

void state_after_CmdSetViewportShadingRatePaletteNV(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    uint32_t firstViewport, uint32_t viewportCount,
                                                    const VkShadingRatePaletteNV
                                                        *pShadingRatePalettes)
{
    bool before = is_set(call, DYNAMIC_VIEWPORT_SHADING_RATE_PALETTE_NV);
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_VIEWPORT_SHADING_RATE_PALETTE_NV);
    if (dynamic && (!before || firstViewport + viewportCount > dynamic->shading_rate_palette_count))
        dynamic->shading_rate_palette_count = firstViewport + viewportCount;
}

void state_after_CmdSetExclusiveScissorEnableNV(struct call *call, VkCommandBuffer commandBuffer,
                                                uint32_t firstExclusiveScissor,
                                                uint32_t exclusiveScissorCount,
                                                const VkBool32 *pExclusiveScissorEnables)
{
    bool before = is_set(call, DYNAMIC_EXCLUSIVE_SCISSOR_ENABLE_NV);
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_EXCLUSIVE_SCISSOR_ENABLE_NV);
    if (dynamic && (!before || firstExclusiveScissor + exclusiveScissorCount >
                                   dynamic->exclusive_scissor_enable_count))
        dynamic->exclusive_scissor_enable_count = firstExclusiveScissor + exclusiveScissorCount;
}

void state_after_CmdSetExclusiveScissorNV(struct call *call, VkCommandBuffer commandBuffer,
                                          uint32_t firstExclusiveScissor,
                                          uint32_t exclusiveScissorCount,
                                          const VkRect2D *pExclusiveScissors)
{
    bool before = is_set(call, DYNAMIC_EXCLUSIVE_SCISSOR_NV);
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_EXCLUSIVE_SCISSOR_NV);
    if (!dynamic)
        return;
    uint32_t bits = bits_of(firstExclusiveScissor, exclusiveScissorCount, DYNAMIC_VIEWPORTS);
    dynamic->exclusive_scissors_set = before ? dynamic->exclusive_scissors_set | bits : bits;
}

void state_after_CmdSetCoarseSampleOrderNV(struct call *call, VkCommandBuffer commandBuffer,
                                           VkCoarseSampleOrderTypeNV sampleOrderType,
                                           uint32_t customSampleOrderCount,
                                           const VkCoarseSampleOrderCustomNV *pCustomSampleOrders)
{
    (void)set(call, DYNAMIC_VIEWPORT_COARSE_SAMPLE_ORDER_NV);
}

void state_after_CmdSetDiscardRectangleEXT(struct call *call, VkCommandBuffer commandBuffer,
                                           uint32_t firstDiscardRectangle,
                                           uint32_t discardRectangleCount,
                                           const VkRect2D *pDiscardRectangles)
{
    bool before = is_set(call, DYNAMIC_DISCARD_RECTANGLE_EXT);
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_DISCARD_RECTANGLE_EXT);
    if (!dynamic)
        return;
    uint32_t bits =
        copy_range(dynamic->discard_rectangles, pDiscardRectangles, sizeof(VkRect2D),
                   firstDiscardRectangle, discardRectangleCount, DYNAMIC_DISCARD_RECTANGLES);
    dynamic->discard_rectangles_set = before ? dynamic->discard_rectangles_set | bits : bits;
}

/* --- rasterization, depth, stencil --- */

void state_after_CmdSetLineWidth(struct call *call, VkCommandBuffer commandBuffer, float lineWidth)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_LINE_WIDTH);
    if (!dynamic)
        return;
    dynamic->line_width = lineWidth;
}

void state_after_CmdSetDepthBias(struct call *call, VkCommandBuffer commandBuffer,
                                 float depthBiasConstantFactor, float depthBiasClamp,
                                 float depthBiasSlopeFactor)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_DEPTH_BIAS);
    if (!dynamic)
        return;
    dynamic->depth_bias_constant = depthBiasConstantFactor;
    dynamic->depth_bias_clamp = depthBiasClamp;
    dynamic->depth_bias_slope = depthBiasSlopeFactor;
}

void state_after_CmdSetDepthBias2EXT(struct call *call, VkCommandBuffer commandBuffer,
                                     const VkDepthBiasInfoEXT *pDepthBiasInfo)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_DEPTH_BIAS);
    if (!dynamic)
        return;
    dynamic->depth_bias_constant = pDepthBiasInfo->depthBiasConstantFactor;
    dynamic->depth_bias_clamp = pDepthBiasInfo->depthBiasClamp;
    dynamic->depth_bias_slope = pDepthBiasInfo->depthBiasSlopeFactor;
}

void state_after_CmdSetBlendConstants(struct call *call, VkCommandBuffer commandBuffer,
                                      const float blendConstants[4])
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_BLEND_CONSTANTS);
    if (!dynamic)
        return;
    memcpy(dynamic->blend_constants, blendConstants, sizeof(dynamic->blend_constants));
}

void state_after_CmdSetDepthBounds(struct call *call, VkCommandBuffer commandBuffer,
                                   float minDepthBounds, float maxDepthBounds)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_DEPTH_BOUNDS);
    if (!dynamic)
        return;
    dynamic->min_depth_bounds = minDepthBounds;
    dynamic->max_depth_bounds = maxDepthBounds;
}

void state_after_CmdSetStencilCompareMask(struct call *call, VkCommandBuffer commandBuffer,
                                          VkStencilFaceFlags faceMask, uint32_t compareMask)
{
    bool before = is_set(call, DYNAMIC_STENCIL_COMPARE_MASK);
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_STENCIL_COMPARE_MASK);
    if (!dynamic)
        return;
    dynamic->stencil_compare_masks_set =
        (uint8_t)((before ? dynamic->stencil_compare_masks_set : 0) |
                  (faceMask & VK_STENCIL_FACE_FRONT_AND_BACK));
    for (uint32_t face = 0; face < 2; face++) {
        if (faceMask & 1u << face)
            dynamic->stencil[face].compare_mask = compareMask;
    }
}

void state_after_CmdSetStencilWriteMask(struct call *call, VkCommandBuffer commandBuffer,
                                        VkStencilFaceFlags faceMask, uint32_t writeMask)
{
    bool before = is_set(call, DYNAMIC_STENCIL_WRITE_MASK);
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_STENCIL_WRITE_MASK);
    if (!dynamic)
        return;
    dynamic->stencil_write_masks_set = (uint8_t)((before ? dynamic->stencil_write_masks_set : 0) |
                                                 (faceMask & VK_STENCIL_FACE_FRONT_AND_BACK));
    for (uint32_t face = 0; face < 2; face++) {
        if (faceMask & 1u << face)
            dynamic->stencil[face].write_mask = writeMask;
    }
}

void state_after_CmdSetStencilReference(struct call *call, VkCommandBuffer commandBuffer,
                                        VkStencilFaceFlags faceMask, uint32_t reference)
{
    bool before = is_set(call, DYNAMIC_STENCIL_REFERENCE);
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_STENCIL_REFERENCE);
    if (!dynamic)
        return;
    dynamic->stencil_references_set = (uint8_t)((before ? dynamic->stencil_references_set : 0) |
                                                (faceMask & VK_STENCIL_FACE_FRONT_AND_BACK));
    for (uint32_t face = 0; face < 2; face++) {
        if (faceMask & 1u << face)
            dynamic->stencil[face].reference = reference;
    }
}

void state_after_CmdSetStencilOp(struct call *call, VkCommandBuffer commandBuffer,
                                 VkStencilFaceFlags faceMask, VkStencilOp failOp,
                                 VkStencilOp passOp, VkStencilOp depthFailOp, VkCompareOp compareOp)
{
    bool before = is_set(call, DYNAMIC_STENCIL_OP);
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_STENCIL_OP);
    if (!dynamic)
        return;
    dynamic->stencil_ops_set = (uint8_t)((before ? dynamic->stencil_ops_set : 0) |
                                         (faceMask & VK_STENCIL_FACE_FRONT_AND_BACK));
    for (uint32_t face = 0; face < 2; face++) {
        if (!(faceMask & 1u << face))
            continue;
        dynamic->stencil[face].fail = failOp;
        dynamic->stencil[face].pass = passOp;
        dynamic->stencil[face].depth_fail = depthFailOp;
        dynamic->stencil[face].compare = compareOp;
    }
}

void state_after_CmdSetCullMode(struct call *call, VkCommandBuffer commandBuffer,
                                VkCullModeFlags cullMode)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_CULL_MODE);
    if (!dynamic)
        return;
    dynamic->cull_mode = cullMode;
}

void state_after_CmdSetFrontFace(struct call *call, VkCommandBuffer commandBuffer,
                                 VkFrontFace frontFace)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_FRONT_FACE);
    if (!dynamic)
        return;
    dynamic->front_face = frontFace;
}

void state_after_CmdSetPrimitiveTopology(struct call *call, VkCommandBuffer commandBuffer,
                                         VkPrimitiveTopology primitiveTopology)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_PRIMITIVE_TOPOLOGY);
    if (!dynamic)
        return;
    dynamic->topology = primitiveTopology;
}

void state_after_CmdSetDepthTestEnable(struct call *call, VkCommandBuffer commandBuffer,
                                       VkBool32 depthTestEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_DEPTH_TEST_ENABLE);
    if (!dynamic)
        return;
    dynamic->depth_test = depthTestEnable;
}

void state_after_CmdSetDepthWriteEnable(struct call *call, VkCommandBuffer commandBuffer,
                                        VkBool32 depthWriteEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_DEPTH_WRITE_ENABLE);
    if (!dynamic)
        return;
    dynamic->depth_write = depthWriteEnable;
}

void state_after_CmdSetDepthCompareOp(struct call *call, VkCommandBuffer commandBuffer,
                                      VkCompareOp depthCompareOp)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_DEPTH_COMPARE_OP);
    if (!dynamic)
        return;
    dynamic->depth_compare = depthCompareOp;
}

void state_after_CmdSetDepthBoundsTestEnable(struct call *call, VkCommandBuffer commandBuffer,
                                             VkBool32 depthBoundsTestEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_DEPTH_BOUNDS_TEST_ENABLE);
    if (!dynamic)
        return;
    dynamic->depth_bounds_test = depthBoundsTestEnable;
}

void state_after_CmdSetStencilTestEnable(struct call *call, VkCommandBuffer commandBuffer,
                                         VkBool32 stencilTestEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_STENCIL_TEST_ENABLE);
    if (!dynamic)
        return;
    dynamic->stencil_test = stencilTestEnable;
}

void state_after_CmdSetRasterizerDiscardEnable(struct call *call, VkCommandBuffer commandBuffer,
                                               VkBool32 rasterizerDiscardEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_RASTERIZER_DISCARD_ENABLE);
    if (!dynamic)
        return;
    dynamic->rasterizer_discard = rasterizerDiscardEnable;
}

void state_after_CmdSetDepthBiasEnable(struct call *call, VkCommandBuffer commandBuffer,
                                       VkBool32 depthBiasEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_DEPTH_BIAS_ENABLE);
    if (!dynamic)
        return;
    dynamic->depth_bias = depthBiasEnable;
}

void state_after_CmdSetPrimitiveRestartEnable(struct call *call, VkCommandBuffer commandBuffer,
                                              VkBool32 primitiveRestartEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_PRIMITIVE_RESTART_ENABLE);
    if (!dynamic)
        return;
    dynamic->primitive_restart = primitiveRestartEnable;
}

void state_after_CmdSetLogicOpEXT(struct call *call, VkCommandBuffer commandBuffer,
                                  VkLogicOp logicOp)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_LOGIC_OP_EXT);
    if (!dynamic)
        return;
    dynamic->logic_op = logicOp;
}

void state_after_CmdSetPatchControlPointsEXT(struct call *call, VkCommandBuffer commandBuffer,
                                             uint32_t patchControlPoints)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_PATCH_CONTROL_POINTS_EXT);
    if (!dynamic)
        return;
    dynamic->patch_control_points = patchControlPoints;
}

void state_after_CmdSetLineStipple(struct call *call, VkCommandBuffer commandBuffer,
                                   uint32_t lineStippleFactor, uint16_t lineStipplePattern)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_LINE_STIPPLE);
    if (!dynamic)
        return;
    dynamic->line_stipple_factor = lineStippleFactor;
    dynamic->line_stipple_pattern = lineStipplePattern;
}

void state_after_CmdSetFragmentShadingRateKHR(struct call *call, VkCommandBuffer commandBuffer,
                                              const VkExtent2D *pFragmentSize,
                                              const VkFragmentShadingRateCombinerOpKHR
                                                  combinerOps[2])
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_FRAGMENT_SHADING_RATE_KHR);
    if (!dynamic)
        return;
    dynamic->fragment_size = *pFragmentSize;
    memcpy(dynamic->combiner_ops, combinerOps, sizeof(dynamic->combiner_ops));
}

void state_after_CmdSetFragmentShadingRateEnumNV(struct call *call, VkCommandBuffer commandBuffer,
                                                 VkFragmentShadingRateNV shadingRate,
                                                 const VkFragmentShadingRateCombinerOpKHR
                                                     combinerOps[2])
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_FRAGMENT_SHADING_RATE_KHR);
    if (!dynamic)
        return;
    dynamic->fragment_size = (VkExtent2D){0}; /* not a size */
    memcpy(dynamic->combiner_ops, combinerOps, sizeof(dynamic->combiner_ops));
}

void state_after_CmdSetDiscardRectangleEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                 VkBool32 discardRectangleEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_DISCARD_RECTANGLE_ENABLE_EXT);
    if (!dynamic)
        return;
    dynamic->discard_rectangle_enable = discardRectangleEnable;
}

void state_after_CmdSetDiscardRectangleModeEXT(struct call *call, VkCommandBuffer commandBuffer,
                                               VkDiscardRectangleModeEXT discardRectangleMode)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_DISCARD_RECTANGLE_MODE_EXT);
    if (!dynamic)
        return;
    dynamic->discard_rectangle_mode = discardRectangleMode;
}

void state_after_CmdSetSampleLocationsEXT(struct call *call, VkCommandBuffer commandBuffer,
                                          const VkSampleLocationsInfoEXT *pSampleLocationsInfo)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_SAMPLE_LOCATIONS_EXT);
    if (!dynamic)
        return;
    dynamic->sample_locations_per_pixel = pSampleLocationsInfo->sampleLocationsPerPixel;
    dynamic->sample_location_grid = pSampleLocationsInfo->sampleLocationGridSize;
    dynamic->sample_location_count = pSampleLocationsInfo->sampleLocationsCount;
}

/* --- extended dynamic state 3, and what came after it --- */

void state_after_CmdSetDepthClampEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                           VkBool32 depthClampEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_DEPTH_CLAMP_ENABLE_EXT);
    if (!dynamic)
        return;
    dynamic->depth_clamp = depthClampEnable;
}

void state_after_CmdSetPolygonModeEXT(struct call *call, VkCommandBuffer commandBuffer,
                                      VkPolygonMode polygonMode)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_POLYGON_MODE_EXT);
    if (!dynamic)
        return;
    dynamic->polygon_mode = polygonMode;
}

void state_after_CmdSetRasterizationSamplesEXT(struct call *call, VkCommandBuffer commandBuffer,
                                               VkSampleCountFlagBits rasterizationSamples)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_RASTERIZATION_SAMPLES_EXT);
    if (!dynamic)
        return;
    dynamic->rasterization_samples = rasterizationSamples;
}

void state_after_CmdSetAlphaToCoverageEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                VkBool32 alphaToCoverageEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_ALPHA_TO_COVERAGE_ENABLE_EXT);
    if (!dynamic)
        return;
    dynamic->alpha_to_coverage = alphaToCoverageEnable;
}

void state_after_CmdSetAlphaToOneEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                           VkBool32 alphaToOneEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_ALPHA_TO_ONE_ENABLE_EXT);
    if (!dynamic)
        return;
    dynamic->alpha_to_one = alphaToOneEnable;
}

void state_after_CmdSetLogicOpEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                        VkBool32 logicOpEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_LOGIC_OP_ENABLE_EXT);
    if (!dynamic)
        return;
    dynamic->logic_op_enable = logicOpEnable;
}

void state_after_CmdSetTessellationDomainOriginEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                   VkTessellationDomainOrigin domainOrigin)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_TESSELLATION_DOMAIN_ORIGIN_EXT);
    if (!dynamic)
        return;
    dynamic->domain_origin = domainOrigin;
}

void state_after_CmdSetRasterizationStreamEXT(struct call *call, VkCommandBuffer commandBuffer,
                                              uint32_t rasterizationStream)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_RASTERIZATION_STREAM_EXT);
    if (!dynamic)
        return;
    dynamic->rasterization_stream = rasterizationStream;
}

void state_after_CmdSetConservativeRasterizationModeEXT(struct call *call,
                                                        VkCommandBuffer commandBuffer,
                                                        VkConservativeRasterizationModeEXT
                                                            conservativeRasterizationMode)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_CONSERVATIVE_RASTERIZATION_MODE_EXT);
    if (!dynamic)
        return;
    dynamic->conservative_mode = conservativeRasterizationMode;
}

void state_after_CmdSetExtraPrimitiveOverestimationSizeEXT(struct call *call,
                                                           VkCommandBuffer commandBuffer,
                                                           float extraPrimitiveOverestimationSize)
{
    struct command_buffer_dynamic *dynamic =
        set(call, DYNAMIC_EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT);
    if (!dynamic)
        return;
    dynamic->extra_overestimation = extraPrimitiveOverestimationSize;
}

void state_after_CmdSetDepthClipEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                          VkBool32 depthClipEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_DEPTH_CLIP_ENABLE_EXT);
    if (!dynamic)
        return;
    dynamic->depth_clip = depthClipEnable;
}

void state_after_CmdSetSampleLocationsEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                VkBool32 sampleLocationsEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_SAMPLE_LOCATIONS_ENABLE_EXT);
    if (!dynamic)
        return;
    dynamic->sample_locations_enable = sampleLocationsEnable;
}

void state_after_CmdSetProvokingVertexModeEXT(struct call *call, VkCommandBuffer commandBuffer,
                                              VkProvokingVertexModeEXT provokingVertexMode)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_PROVOKING_VERTEX_MODE_EXT);
    if (!dynamic)
        return;
    dynamic->provoking_vertex = provokingVertexMode;
}

void state_after_CmdSetLineRasterizationModeEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                VkLineRasterizationModeEXT lineRasterizationMode)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_LINE_RASTERIZATION_MODE_EXT);
    if (!dynamic)
        return;
    dynamic->line_mode = lineRasterizationMode;
}

void state_after_CmdSetLineStippleEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                            VkBool32 stippledLineEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_LINE_STIPPLE_ENABLE_EXT);
    if (!dynamic)
        return;
    dynamic->line_stipple = stippledLineEnable;
}

void state_after_CmdSetDepthClipNegativeOneToOneEXT(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    VkBool32 negativeOneToOne)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT);
    if (!dynamic)
        return;
    dynamic->negative_one_to_one = negativeOneToOne;
}

void state_after_CmdSetViewportWScalingEnableNV(struct call *call, VkCommandBuffer commandBuffer,
                                                VkBool32 viewportWScalingEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_VIEWPORT_W_SCALING_ENABLE_NV);
    if (!dynamic)
        return;
    dynamic->viewport_w_scaling_enable = viewportWScalingEnable;
}

void state_after_CmdSetCoverageToColorEnableNV(struct call *call, VkCommandBuffer commandBuffer,
                                               VkBool32 coverageToColorEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_COVERAGE_TO_COLOR_ENABLE_NV);
    if (!dynamic)
        return;
    dynamic->coverage_to_color = coverageToColorEnable;
}

void state_after_CmdSetCoverageToColorLocationNV(struct call *call, VkCommandBuffer commandBuffer,
                                                 uint32_t coverageToColorLocation)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_COVERAGE_TO_COLOR_LOCATION_NV);
    if (!dynamic)
        return;
    dynamic->coverage_to_color_location = coverageToColorLocation;
}

void state_after_CmdSetCoverageModulationModeNV(struct call *call, VkCommandBuffer commandBuffer,
                                                VkCoverageModulationModeNV coverageModulationMode)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_COVERAGE_MODULATION_MODE_NV);
    if (!dynamic)
        return;
    dynamic->coverage_modulation = coverageModulationMode;
}

void state_after_CmdSetCoverageModulationTableEnableNV(struct call *call,
                                                       VkCommandBuffer commandBuffer,
                                                       VkBool32 coverageModulationTableEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_COVERAGE_MODULATION_TABLE_ENABLE_NV);
    if (!dynamic)
        return;
    dynamic->coverage_modulation_table_enable = coverageModulationTableEnable;
}

void state_after_CmdSetShadingRateImageEnableNV(struct call *call, VkCommandBuffer commandBuffer,
                                                VkBool32 shadingRateImageEnable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_SHADING_RATE_IMAGE_ENABLE_NV);
    if (!dynamic)
        return;
    dynamic->shading_rate_image = shadingRateImageEnable;
}

void state_after_CmdSetRepresentativeFragmentTestEnableNV(struct call *call,
                                                          VkCommandBuffer commandBuffer,
                                                          VkBool32 representativeFragmentTestEnable)
{
    struct command_buffer_dynamic *dynamic =
        set(call, DYNAMIC_REPRESENTATIVE_FRAGMENT_TEST_ENABLE_NV);
    if (!dynamic)
        return;
    dynamic->representative_fragment_test = representativeFragmentTestEnable;
}

void state_after_CmdSetCoverageReductionModeNV(struct call *call, VkCommandBuffer commandBuffer,
                                               VkCoverageReductionModeNV coverageReductionMode)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_COVERAGE_REDUCTION_MODE_NV);
    if (!dynamic)
        return;
    dynamic->coverage_reduction = coverageReductionMode;
}

void state_after_CmdSetAttachmentFeedbackLoopEnableEXT(struct call *call,
                                                       VkCommandBuffer commandBuffer,
                                                       VkImageAspectFlags aspectMask)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT);
    if (!dynamic)
        return;
    dynamic->feedback_loop_aspects = aspectMask;
}

void state_after_CmdSetCoverageModulationTableNV(struct call *call, VkCommandBuffer commandBuffer,
                                                 uint32_t coverageModulationTableCount,
                                                 const float *pCoverageModulationTable)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_COVERAGE_MODULATION_TABLE_NV);
    if (!dynamic)
        return;
    dynamic->coverage_modulation_table_count = coverageModulationTableCount;
}

void state_after_CmdSetDepthClampRangeEXT(struct call *call, VkCommandBuffer commandBuffer,
                                          VkDepthClampModeEXT depthClampMode,
                                          const VkDepthClampRangeEXT *pDepthClampRange)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_DEPTH_CLAMP_RANGE_EXT);
    if (!dynamic)
        return;
    dynamic->depth_clamp_mode = depthClampMode;
    if (depthClampMode == VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT &&
        !pointer_is_bad(pDepthClampRange))
        dynamic->depth_clamp_range = *pDepthClampRange;
}

void state_after_CmdSetSampleMaskEXT(struct call *call, VkCommandBuffer commandBuffer,
                                     VkSampleCountFlagBits samples, const VkSampleMask *pSampleMask)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_SAMPLE_MASK_EXT);
    if (!dynamic)
        return;
    if (pointer_is_bad(pSampleMask))
        return;
    dynamic->sample_mask_samples = samples;
    dynamic->sample_mask[0] = pSampleMask[0];
    dynamic->sample_mask[1] = samples == VK_SAMPLE_COUNT_64_BIT ? pSampleMask[1] : 0;
}

void state_after_CmdSetColorWriteEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                           uint32_t attachmentCount,
                                           const VkBool32 *pColorWriteEnables)
{
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_COLOR_WRITE_ENABLE_EXT);
    if (!dynamic)
        return;
    dynamic->color_write_enable_count = attachmentCount;
    dynamic->color_write_enables = 0;
    for (uint32_t i = 0; i < attachmentCount && i < 32; i++)
        dynamic->color_write_enables |= pColorWriteEnables[i] ? 1u << i : 0;
}

void state_after_CmdSetColorBlendEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                           uint32_t firstAttachment, uint32_t attachmentCount,
                                           const VkBool32 *pColorBlendEnables)
{
    bool before = is_set(call, DYNAMIC_COLOR_BLEND_ENABLE_EXT);
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_COLOR_BLEND_ENABLE_EXT);
    if (!dynamic)
        return;
    uint32_t bits = bits_of(firstAttachment, attachmentCount, 32);
    dynamic->color_blend_enables_set = before ? dynamic->color_blend_enables_set | bits : bits;
    dynamic->color_blend_enables &= ~bits;
    for (uint32_t i = 0; i < 32 && bits >> i; i++) {
        if (bits & 1u << i && pColorBlendEnables[i - firstAttachment])
            dynamic->color_blend_enables |= 1u << i;
    }
}

void state_after_CmdSetColorBlendEquationEXT(struct call *call, VkCommandBuffer commandBuffer,
                                             uint32_t firstAttachment, uint32_t attachmentCount,
                                             const VkColorBlendEquationEXT *pColorBlendEquations)
{
    bool before = is_set(call, DYNAMIC_COLOR_BLEND_EQUATION_EXT);
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_COLOR_BLEND_EQUATION_EXT);
    if (!dynamic)
        return;
    uint32_t bits =
        copy_range(dynamic->equations, pColorBlendEquations, sizeof(VkColorBlendEquationEXT),
                   firstAttachment, attachmentCount, DYNAMIC_COLORS);
    dynamic->color_blend_equations_set = before ? dynamic->color_blend_equations_set | bits : bits;
}

void state_after_CmdSetColorWriteMaskEXT(struct call *call, VkCommandBuffer commandBuffer,
                                         uint32_t firstAttachment, uint32_t attachmentCount,
                                         const VkColorComponentFlags *pColorWriteMasks)
{
    bool before = is_set(call, DYNAMIC_COLOR_WRITE_MASK_EXT);
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_COLOR_WRITE_MASK_EXT);
    if (!dynamic)
        return;
    uint32_t bits =
        copy_range(dynamic->write_masks, pColorWriteMasks, sizeof(VkColorComponentFlags),
                   firstAttachment, attachmentCount, DYNAMIC_COLORS);
    dynamic->color_write_masks_set = before ? dynamic->color_write_masks_set | bits : bits;
}

void state_after_CmdSetColorBlendAdvancedEXT(struct call *call, VkCommandBuffer commandBuffer,
                                             uint32_t firstAttachment, uint32_t attachmentCount,
                                             const VkColorBlendAdvancedEXT *pColorBlendAdvanced)
{
    bool before = is_set(call, DYNAMIC_COLOR_BLEND_ADVANCED_EXT);
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_COLOR_BLEND_ADVANCED_EXT);
    if (!dynamic)
        return;
    uint32_t bits =
        copy_range(dynamic->advanced, pColorBlendAdvanced, sizeof(VkColorBlendAdvancedEXT),
                   firstAttachment, attachmentCount, DYNAMIC_COLORS);
    dynamic->color_blend_advanced_set = before ? dynamic->color_blend_advanced_set | bits : bits;
}

void state_after_CmdSetVertexInputEXT(struct call *call, VkCommandBuffer commandBuffer,
                                      uint32_t vertexBindingDescriptionCount,
                                      const VkVertexInputBindingDescription2EXT
                                          *pVertexBindingDescriptions,
                                      uint32_t vertexAttributeDescriptionCount,
                                      const VkVertexInputAttributeDescription2EXT
                                          *pVertexAttributeDescriptions)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct command_buffer_dynamic *dynamic = set(call, DYNAMIC_VERTEX_INPUT_EXT);
    if (!dynamic)
        return;
    command_buffer->dirty[0] |= DIRTY_VERTEX_BUFFERS;
    /* It sets the strides, too. */
    dynamic_state_set_add(&command_buffer->dynamic_set, DYNAMIC_VERTEX_INPUT_BINDING_STRIDE);
    dynamic->vertex_binding_count = dynamic->vertex_attribute_count = 0;
    for (uint32_t i = 0; i < vertexBindingDescriptionCount && i < DYNAMIC_VERTEX_BINDINGS; i++) {
        const VkVertexInputBindingDescription2EXT *given = &pVertexBindingDescriptions[i];
        uint32_t at = dynamic->vertex_binding_count++;
        dynamic->vertex_bindings[at] = (struct vertex_binding){given->binding, given->stride,
                                                               given->inputRate, given->divisor};
        if (given->binding < BOUND_VERTEX_BUFFERS)
            command_buffer->vertex_buffers[given->binding].stride = given->stride;
    }
    for (uint32_t i = 0; i < vertexAttributeDescriptionCount && i < DYNAMIC_VERTEX_ATTRIBUTES;
         i++) {
        const VkVertexInputAttributeDescription2EXT *given = &pVertexAttributeDescriptions[i];
        uint32_t at = dynamic->vertex_attribute_count++;
        dynamic->vertex_attributes[at] = (struct vertex_attribute){given->location, given->binding,
                                                                   given->offset, given->format};
    }
}

void state_after_CmdSetRayTracingPipelineStackSizeKHR(struct call *call,
                                                      VkCommandBuffer commandBuffer,
                                                      uint32_t pipelineStackSize)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return;
    dynamic_state_set_add(&command_buffer->dynamic_set,
                          DYNAMIC_RAY_TRACING_PIPELINE_STACK_SIZE_KHR);
    command_buffer->dirty[2] |= DIRTY_DYNAMIC_STATE;
}
