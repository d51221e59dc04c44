/* The states of graphics pipelines: which of them a device has as dynamic ones, and the commands
 * that set them. */
#include "pipelines.h"

const VkDynamicState vk_states[STATE_COUNT] = {
    [STATE_VIEWPORT] = VK_DYNAMIC_STATE_VIEWPORT,
    [STATE_SCISSOR] = VK_DYNAMIC_STATE_SCISSOR,
    [STATE_LINE_WIDTH] = VK_DYNAMIC_STATE_LINE_WIDTH,
    [STATE_DEPTH_BIAS] = VK_DYNAMIC_STATE_DEPTH_BIAS,
    [STATE_BLEND_CONSTANTS] = VK_DYNAMIC_STATE_BLEND_CONSTANTS,
    [STATE_DEPTH_BOUNDS] = VK_DYNAMIC_STATE_DEPTH_BOUNDS,
    [STATE_COMPARE_MASK] = VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
    [STATE_WRITE_MASK] = VK_DYNAMIC_STATE_STENCIL_WRITE_MASK,
    [STATE_REFERENCE] = VK_DYNAMIC_STATE_STENCIL_REFERENCE,
    [STATE_CULL_MODE] = VK_DYNAMIC_STATE_CULL_MODE,
    [STATE_FRONT_FACE] = VK_DYNAMIC_STATE_FRONT_FACE,
    [STATE_TOPOLOGY] = VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
    [STATE_VIEWPORTS] = VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
    [STATE_SCISSORS] = VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
    [STATE_STRIDE] = VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE,
    [STATE_DEPTH_TEST] = VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
    [STATE_DEPTH_WRITE] = VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
    [STATE_DEPTH_COMPARE] = VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
    [STATE_BOUNDS_TEST] = VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
    [STATE_STENCIL_TEST] = VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
    [STATE_STENCIL_OP] = VK_DYNAMIC_STATE_STENCIL_OP,
    [STATE_DISCARD] = VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
    [STATE_BIAS_ENABLE] = VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
    [STATE_RESTART] = VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
    [STATE_PATCH] = VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT,
    [STATE_LOGIC_OP] = VK_DYNAMIC_STATE_LOGIC_OP_EXT,
    [STATE_VERTEX_INPUT] = VK_DYNAMIC_STATE_VERTEX_INPUT_EXT,
    [STATE_COLOR_WRITE] = VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT,
    [STATE_POLYGON] = VK_DYNAMIC_STATE_POLYGON_MODE_EXT,
    [STATE_SAMPLES] = VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT,
    [STATE_SAMPLE_MASK] = VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
    [STATE_TO_COVERAGE] = VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT,
    [STATE_TO_ONE] = VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT,
    [STATE_LOGIC_ENABLE] = VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT,
    [STATE_BLEND_ENABLE] = VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
    [STATE_BLEND_EQUATION] = VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
    [STATE_COLOR_MASK] = VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT,
    [STATE_CLAMP] = VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT,
    [STATE_CLIP] = VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT,
    [STATE_ORIGIN] = VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT,
    [STATE_STREAM] = VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT,
    [STATE_CONSERVATIVE] = VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT,
    [STATE_OVERESTIMATION] = VK_DYNAMIC_STATE_EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT,
    [STATE_PROVOKING] = VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT,
    [STATE_LINE_MODE] = VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT,
    [STATE_STIPPLE_ENABLE] = VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT,
    [STATE_NEGATIVE_ONE] = VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT,
    [STATE_STIPPLE] = VK_DYNAMIC_STATE_LINE_STIPPLE,
    [STATE_LOCATIONS_ENABLE] = VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT,
    [STATE_RATE] = VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR,
    [STATE_FEEDBACK] = VK_DYNAMIC_STATE_ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT,
};

/* True if a pipeline can have this state dynamic. With `objects`: if it can be set for shader
 * objects. */
bool state_there(struct world *w, enum state state, bool objects)
{
    bool second = ON(extendedDynamicState2) || VERSION(13) || objects;
    switch (state) {
    case STATE_CULL_MODE:
    case STATE_FRONT_FACE:
    case STATE_TOPOLOGY:
    case STATE_VIEWPORTS:
    case STATE_SCISSORS:
    case STATE_DEPTH_TEST:
    case STATE_DEPTH_WRITE:
    case STATE_DEPTH_COMPARE:
    case STATE_BOUNDS_TEST:
    case STATE_STENCIL_TEST:
    case STATE_STENCIL_OP:
        return ON(extendedDynamicState) || VERSION(13) || objects;
    case STATE_STRIDE:
        return !objects && (ON(extendedDynamicState) || VERSION(13));
    case STATE_VIEWPORT:
    case STATE_SCISSOR:
        return !objects;
    case STATE_DISCARD:
    case STATE_BIAS_ENABLE:
    case STATE_RESTART:
        return second;
    case STATE_PATCH:
        return ON(extendedDynamicState2PatchControlPoints) || (objects && ON(tessellationShader));
    case STATE_LOGIC_OP:
        return ON(extendedDynamicState2LogicOp) || (objects && ON(logicOp));
    case STATE_VERTEX_INPUT:
        return ON(vertexInputDynamicState) || objects;
    case STATE_COLOR_WRITE:
        return ON(colorWriteEnable);
    case STATE_POLYGON:
        return ON(extendedDynamicState3PolygonMode) || objects;
    case STATE_SAMPLES:
        return ON(extendedDynamicState3RasterizationSamples) || objects;
    case STATE_SAMPLE_MASK:
        return ON(extendedDynamicState3SampleMask) || objects;
    case STATE_TO_COVERAGE:
        return ON(extendedDynamicState3AlphaToCoverageEnable) || objects;
    case STATE_TO_ONE:
        return ON(extendedDynamicState3AlphaToOneEnable) || (objects && ON(alphaToOne));
    case STATE_LOGIC_ENABLE:
        return ON(extendedDynamicState3LogicOpEnable) || objects;
    case STATE_BLEND_ENABLE:
        return ON(extendedDynamicState3ColorBlendEnable) || objects;
    case STATE_BLEND_EQUATION:
        return ON(extendedDynamicState3ColorBlendEquation) || objects;
    case STATE_COLOR_MASK:
        return ON(extendedDynamicState3ColorWriteMask) || objects;
    case STATE_CLAMP:
        return ON(extendedDynamicState3DepthClampEnable) || objects;
    case STATE_CLIP:
        return ON(depthClipEnable) && (ON(extendedDynamicState3DepthClipEnable) || objects);
    case STATE_ORIGIN:
        return has_either(w, 11, EXTENSION_KHR_maintenance2) &&
               (ON(extendedDynamicState3TessellationDomainOrigin) ||
                (objects && ON(tessellationShader)));
    case STATE_STREAM:
        return ON(geometryStreams) && (ON(extendedDynamicState3RasterizationStream) || objects);
    case STATE_CONSERVATIVE:
        return HAS(EXT_conservative_rasterization) &&
               (ON(extendedDynamicState3ConservativeRasterizationMode) || objects);
    case STATE_OVERESTIMATION:
        return HAS(EXT_conservative_rasterization) &&
               (ON(extendedDynamicState3ExtraPrimitiveOverestimationSize) || objects);
    case STATE_PROVOKING:
        return HAS(EXT_provoking_vertex) &&
               (ON(extendedDynamicState3ProvokingVertexMode) || objects);
    case STATE_LINE_MODE:
        return (VERSION(14) || HAS(EXT_line_rasterization) || HAS(KHR_line_rasterization)) &&
               (ON(extendedDynamicState3LineRasterizationMode) || objects);
    case STATE_STIPPLE_ENABLE:
        return (VERSION(14) || HAS(EXT_line_rasterization) || HAS(KHR_line_rasterization)) &&
               (ON(extendedDynamicState3LineStippleEnable) || objects);
    case STATE_STIPPLE:
        return (VERSION(14) || HAS(EXT_line_rasterization) || HAS(KHR_line_rasterization));
    case STATE_NEGATIVE_ONE:
        return ON(depthClipControl) &&
               (ON(extendedDynamicState3DepthClipNegativeOneToOne) || objects);
    case STATE_LOCATIONS_ENABLE:
        return HAS(EXT_sample_locations) &&
               (ON(extendedDynamicState3SampleLocationsEnable) || objects);
    case STATE_RATE:
        return ON(pipelineFragmentShadingRate) || ON(primitiveFragmentShadingRate) ||
               ON(attachmentFragmentShadingRate);
    case STATE_FEEDBACK:
        return ON(attachmentFeedbackLoopDynamicState);
    default:
        return true;
    }
}

const VkStencilOpState stencil_state = {VK_STENCIL_OP_KEEP,
                                        VK_STENCIL_OP_REPLACE,
                                        VK_STENCIL_OP_INVERT,
                                        VK_COMPARE_OP_ALWAYS,
                                        0xff,
                                        0xff,
                                        3};

uint32_t viewport_count(const struct world *w, const struct target *target)
{
    bool many = ON(multiViewport) && w->properties.limits.maxViewports >= VIEWPORTS_MOST;
    return many ? 1 + target->width % VIEWPORTS_MOST : 1;
}

/* States whose values go with a pipe's shaders. */
#define PIPE_STATES                                                                                \
    (STATE(TOPOLOGY) | STATE(VERTEX_INPUT) | STATE(STRIDE) | STATE(DISCARD) | STATE(TO_COVERAGE) | \
     STATE(POLYGON))

void set_states(struct record *rec, const struct pipe *pipe, const struct values *v)
{
    struct world *w = rec->w;
    const struct target *target = pipe->target;
    bool set[STATE_COUNT] = {false};
    /* States that were set before still hold, if they do not depend on the pipe. */
    if (rec->live_target != target)
        rec->live = 0;
    rec->live_target = target;
    uint64_t held = chance(w, 50) ? rec->live & ~PIPE_STATES : 0;
    rec->live |= pipe->dynamic;
    /* In any order, each once. */
    uint32_t start = below(w, STATE_COUNT);
    VkViewport viewport = {0, 0, (float)target->width, (float)target->height, 0, 1};
    VkRect2D scissor = {{0, 0}, {PICK(0u, target->width, 0x7fffffffu), target->height}};
    uint32_t attachments = target->color_count ? target->color_count : 1,
             viewports = viewport_count(w, target);
    VkViewport all_viewports[VIEWPORTS_MOST] = {viewport, viewport, viewport};
    VkRect2D all_scissors[VIEWPORTS_MOST] = {scissor, scissor, scissor};
    for (uint32_t i = 0; i < STATE_COUNT; i++) {
        enum state state = (enum state)((start + i) % STATE_COUNT);
        if (!((pipe->dynamic >> state) & 1) || set[state] || ((held >> state) & 1))
            continue;
        set[state] = true;
        switch (state) {
        case STATE_VIEWPORT:
            CALL(CmdSetViewport, rec->c, 0, viewports, all_viewports);
            break;
        case STATE_SCISSOR:
            CALL(CmdSetScissor, rec->c, 0, viewports, all_scissors);
            break;
        case STATE_VIEWPORTS:
            CALL(CmdSetViewportWithCount, rec->c, viewports, all_viewports);
            break;
        case STATE_SCISSORS:
            CALL(CmdSetScissorWithCount, rec->c, viewports, all_scissors);
            break;
        case STATE_LINE_WIDTH:
            CALL(CmdSetLineWidth, rec->c, 1.0f);
            break;
        case STATE_DEPTH_BIAS:
            if (ON(depthBiasControl) && THERE(CmdSetDepthBias2EXT) && chance(w, 50)) {
                VkDepthBiasInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEPTH_BIAS_INFO_EXT,
                                           .depthBiasConstantFactor = 1.0f,
                                           .depthBiasSlopeFactor = 2.0f};
                CALL(CmdSetDepthBias2EXT, rec->c, &info);
                break;
            }
            CALL(CmdSetDepthBias, rec->c, 1.0f, 0.0f, 1.0f);
            break;
        case STATE_BLEND_CONSTANTS:
            CALL(CmdSetBlendConstants, rec->c, (const float[4]){0.25f, 0.5f, 0.75f, 1.0f});
            break;
        case STATE_DEPTH_BOUNDS:
            CALL(CmdSetDepthBounds, rec->c, 0.0f, 1.0f);
            break;
        case STATE_COMPARE_MASK:
            CALL(CmdSetStencilCompareMask, rec->c, VK_STENCIL_FACE_FRONT_AND_BACK, 0xff);
            break;
        case STATE_WRITE_MASK:
            CALL(CmdSetStencilWriteMask, rec->c, VK_STENCIL_FACE_FRONT_BIT, 0xff);
            CALL(CmdSetStencilWriteMask, rec->c, VK_STENCIL_FACE_BACK_BIT, 0xff);
            break;
        case STATE_REFERENCE:
            CALL(CmdSetStencilReference, rec->c, VK_STENCIL_FACE_FRONT_AND_BACK, 1);
            break;
        case STATE_CULL_MODE:
            CALL(CmdSetCullMode, rec->c,
                 PICK(VK_CULL_MODE_NONE, VK_CULL_MODE_BACK_BIT, VK_CULL_MODE_FRONT_AND_BACK));
            break;
        case STATE_FRONT_FACE:
            CALL(CmdSetFrontFace, rec->c,
                 PICK(VK_FRONT_FACE_CLOCKWISE, VK_FRONT_FACE_COUNTER_CLOCKWISE));
            break;
        case STATE_TOPOLOGY:
            CALL(CmdSetPrimitiveTopology, rec->c, v->topology);
            break;
        case STATE_STRIDE:
            break; /* with the buffers */
        case STATE_DEPTH_TEST:
            CALL(CmdSetDepthTestEnable, rec->c, v->depth_test);
            break;
        case STATE_DEPTH_WRITE:
            CALL(CmdSetDepthWriteEnable, rec->c, v->depth_write);
            break;
        case STATE_DEPTH_COMPARE:
            CALL(CmdSetDepthCompareOp, rec->c, VK_COMPARE_OP_LESS_OR_EQUAL);
            break;
        case STATE_BOUNDS_TEST:
            CALL(CmdSetDepthBoundsTestEnable, rec->c, v->bounds_test);
            break;
        case STATE_STENCIL_TEST:
            CALL(CmdSetStencilTestEnable, rec->c, v->stencil_test);
            break;
        case STATE_STENCIL_OP:
            CALL(CmdSetStencilOp, rec->c, VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_OP_KEEP,
                 VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS);
            break;
        case STATE_DISCARD:
            CALL(CmdSetRasterizerDiscardEnable, rec->c, v->discard);
            break;
        case STATE_BIAS_ENABLE:
            CALL(CmdSetDepthBiasEnable, rec->c, v->bias);
            break;
        case STATE_RESTART:
            CALL(CmdSetPrimitiveRestartEnable, rec->c, VK_FALSE);
            break;
        case STATE_PATCH:
            CALL(CmdSetPatchControlPointsEXT, rec->c, v->patch);
            break;
        case STATE_LOGIC_OP:
            CALL(CmdSetLogicOpEXT, rec->c, VK_LOGIC_OP_COPY);
            break;
        case STATE_VERTEX_INPUT: {
            VkVertexInputBindingDescription2EXT bindings[] = {
                {VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, NULL, 1, 16,
                 VK_VERTEX_INPUT_RATE_VERTEX, 1},
                {VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, NULL, 0, 8,
                 VK_VERTEX_INPUT_RATE_INSTANCE, 1}};
            VkVertexInputAttributeDescription2EXT attributes[] = {
                {VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, NULL, 0, 1,
                 VK_FORMAT_R32G32B32A32_SFLOAT, 0},
                {VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, NULL, 2, 0,
                 VK_FORMAT_R32G32_UINT, 0}};
            uint32_t count = pipe->geometry == GEOMETRY_INPUTS ? 2 : 0;
            CALL(CmdSetVertexInputEXT, rec->c, count, count ? bindings : IGNORED, count,
                 count ? attributes : IGNORED);
            break;
        }
        case STATE_COLOR_WRITE: {
            VkBool32 enables[] = {VK_TRUE, VK_FALSE, VK_TRUE};
            CALL(CmdSetColorWriteEnableEXT, rec->c, attachments, enables);
            break;
        }
        case STATE_POLYGON:
            CALL(CmdSetPolygonModeEXT, rec->c, v->polygon);
            break;
        case STATE_SAMPLES:
            CALL(CmdSetRasterizationSamplesEXT, rec->c, target->samples);
            break;
        case STATE_SAMPLE_MASK:
            CALL(CmdSetSampleMaskEXT, rec->c, target->samples, &v->sample_mask);
            break;
        case STATE_TO_COVERAGE:
            CALL(CmdSetAlphaToCoverageEnableEXT, rec->c, v->to_coverage);
            break;
        case STATE_TO_ONE:
            CALL(CmdSetAlphaToOneEnableEXT, rec->c, VK_FALSE);
            break;
        case STATE_LOGIC_ENABLE:
            CALL(CmdSetLogicOpEnableEXT, rec->c, v->logic);
            break;
        case STATE_BLEND_ENABLE: {
            VkBool32 enables[COLORS_MOST] = {v->blend & 1, v->blend & 1, v->blend & 1};
            CALL(CmdSetColorBlendEnableEXT, rec->c, 0, attachments, enables);
            break;
        }
        case STATE_BLEND_EQUATION: {
            VkColorBlendEquationEXT equation = {
                VK_BLEND_FACTOR_ONE,  VK_BLEND_FACTOR_CONSTANT_COLOR, VK_BLEND_OP_ADD,
                VK_BLEND_FACTOR_ZERO, VK_BLEND_FACTOR_DST_ALPHA,      VK_BLEND_OP_MAX};
            VkColorBlendEquationEXT equations[COLORS_MOST] = {equation, equation, equation};
            CALL(CmdSetColorBlendEquationEXT, rec->c, 0, attachments, equations);
            break;
        }
        case STATE_COLOR_MASK: {
            VkColorComponentFlags masks[COLORS_MOST] = {v->color_mask, v->color_mask,
                                                        v->color_mask};
            CALL(CmdSetColorWriteMaskEXT, rec->c, 0, attachments, masks);
            break;
        }
        case STATE_CLAMP:
            CALL(CmdSetDepthClampEnableEXT, rec->c, v->clamp);
            break;
        case STATE_CLIP:
            CALL(CmdSetDepthClipEnableEXT, rec->c, VK_TRUE);
            break;
        case STATE_ORIGIN:
            CALL(CmdSetTessellationDomainOriginEXT, rec->c,
                 VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT);
            break;
        case STATE_STREAM:
            CALL(CmdSetRasterizationStreamEXT, rec->c, 0);
            break;
        case STATE_CONSERVATIVE:
            CALL(CmdSetConservativeRasterizationModeEXT, rec->c,
                 VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT);
            break;
        case STATE_OVERESTIMATION:
            CALL(CmdSetExtraPrimitiveOverestimationSizeEXT, rec->c, 0.0f);
            break;
        case STATE_PROVOKING:
            CALL(CmdSetProvokingVertexModeEXT, rec->c, VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
            break;
        case STATE_LINE_MODE:
            CALL(CmdSetLineRasterizationModeEXT, rec->c, VK_LINE_RASTERIZATION_MODE_DEFAULT);
            break;
        case STATE_STIPPLE_ENABLE:
            CALL(CmdSetLineStippleEnableEXT, rec->c, VK_FALSE);
            break;
        case STATE_STIPPLE:
            CALL(CmdSetLineStipple, rec->c, 1, 0xffff);
            break;
        case STATE_NEGATIVE_ONE:
            CALL(CmdSetDepthClipNegativeOneToOneEXT, rec->c, VK_FALSE);
            break;
        case STATE_LOCATIONS_ENABLE:
            CALL(CmdSetSampleLocationsEnableEXT, rec->c, VK_FALSE);
            break;
        case STATE_RATE: {
            VkExtent2D size;
            VkFragmentShadingRateCombinerOpKHR operations[2];
            any_rate(w, &size, operations);
            CALL(CmdSetFragmentShadingRateKHR, rec->c, &size, operations);
            break;
        }
        case STATE_FEEDBACK:
            CALL(CmdSetAttachmentFeedbackLoopEnableEXT, rec->c, 0);
            break;
        case STATE_COUNT:
            break;
        }
    }
}

/* Sets the states that vendors add, which shader objects need set as well. */
void set_rare_states(struct record *rec, const struct pipe *pipe)
{
    struct world *w = rec->w;
    if (HAS(EXT_discard_rectangles) && THERE(CmdSetDiscardRectangleEnableEXT))
        CALL(CmdSetDiscardRectangleEnableEXT, rec->c, VK_FALSE);
    if (ON(depthClampControl))
        CALL(CmdSetDepthClampRangeEXT, rec->c, VK_DEPTH_CLAMP_MODE_VIEWPORT_RANGE_EXT, NULL);
    if (HAS(NV_clip_space_w_scaling))
        CALL(CmdSetViewportWScalingEnableNV, rec->c, VK_FALSE);
    if (HAS(NV_viewport_swizzle)) {
        VkViewportSwizzleNV swizzle = {VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_X_NV,
                                       VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_Y_NV,
                                       VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_Z_NV,
                                       VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_W_NV};
        VkViewportSwizzleNV all[VIEWPORTS_MOST] = {swizzle, swizzle, swizzle};
        CALL(CmdSetViewportSwizzleNV, rec->c, 0, viewport_count(w, pipe->target), all);
    }
    if (HAS(NV_fragment_coverage_to_color))
        CALL(CmdSetCoverageToColorEnableNV, rec->c, VK_FALSE);
    if (HAS(NV_framebuffer_mixed_samples)) {
        CALL(CmdSetCoverageModulationModeNV, rec->c, VK_COVERAGE_MODULATION_MODE_NONE_NV);
        CALL(CmdSetCoverageModulationTableEnableNV, rec->c, VK_FALSE);
    }
    if (ON(representativeFragmentTest))
        CALL(CmdSetRepresentativeFragmentTestEnableNV, rec->c, VK_FALSE);
    if (ON(coverageReductionMode))
        CALL(CmdSetCoverageReductionModeNV, rec->c, VK_COVERAGE_REDUCTION_MODE_MERGE_NV);
    if (ON(exclusiveScissor)) {
        VkBool32 enable = VK_FALSE;
        CALL(CmdSetExclusiveScissorEnableNV, rec->c, 0, 1, &enable);
    }
}
