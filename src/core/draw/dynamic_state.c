/* Checks that every dynamic state has been set that the bound pipeline takes from the command
 * buffer, where its value matters. It also checks that the values fit together (20 "Drawing
 * Commands"). */
#include "core/draw/draw.h"
#include "core/rule.h"

#include "core/draw_needs.h" /* generated */
#include "report/names_of_values.h"

static bool is_line(VkPrimitiveTopology topology)
{
    return topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST ||
           topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP ||
           topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY ||
           topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY;
}

/* Only where the vertex shader is the last to say what is rasterised: other stages' topologies are
 * in their code. */
static bool rasterizes_lines(const struct draw *draw)
{
    VkShaderStageFlags others =
        VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT |
        VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
    return !(draw->pipeline->stages & others) && is_line(draw_topology(draw));
}

static bool is_constant_factor(VkBlendFactor factor)
{
    return factor >= VK_BLEND_FACTOR_CONSTANT_COLOR &&
           factor <= VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA;
}

/* Bit per color attachment that is there: neither VK_ATTACHMENT_UNUSED, nor a view that is
 * VK_NULL_HANDLE. */
static uint32_t active_colors(const struct draw *draw)
{
    uint32_t active = 0;
    if (!draw->rendering)
        return 0;
    if (draw->rendering->kind == RENDERING_DYNAMIC) {
        const struct rendering_formats *formats = &draw->rendering->formats;
        for (uint32_t i = 0; i < formats->color_count && i < PIPELINE_COLORS; i++)
            active |= formats->colors[i] != VK_FORMAT_UNDEFINED ? 1u << i : 0;
        return active;
    }
    const struct subpass *subpass = active_subpass(draw->command_buffer);
    for (uint32_t i = 0; subpass && i < subpass->color_count && i < 32; i++)
        active |= subpass->colors[i].attachment != VK_ATTACHMENT_UNUSED ? 1u << i : 0;
    return active;
}

/* Of blending that the pipeline itself fixes. */
static bool blends_with_constants(const struct draw *draw, uint32_t colors)
{
    const struct pipeline *pipeline = draw->pipeline;
    if (draw_takes(draw, DYNAMIC_COLOR_BLEND_ENABLE_EXT) ||
        draw_takes(draw, DYNAMIC_COLOR_BLEND_EQUATION_EXT))
        return false;
    for (uint32_t i = 0; i < pipeline->blend_count && i < PIPELINE_COLORS; i++) {
        const VkPipelineColorBlendAttachmentState *blend = &pipeline->blends[i];
        if (colors >> i & 1 && blend->blendEnable &&
            (is_constant_factor(blend->srcColorBlendFactor) ||
             is_constant_factor(blend->dstColorBlendFactor) ||
             is_constant_factor(blend->srcAlphaBlendFactor) ||
             is_constant_factor(blend->dstAlphaBlendFactor)))
            return true;
    }
    return false;
}

static bool stippling_enabled(const struct device *device)
{
    return device_has_feature(device, FEATURE_stippledRectangularLines) ||
           device_has_feature(device, FEATURE_stippledBresenhamLines) ||
           device_has_feature(device, FEATURE_stippledSmoothLines);
}

/* Which conditions hold for this draw; those that are unknown do not. */
static uint32_t conditions_of(const struct draw *draw)
{
    VkShaderStageFlags stages = draw->pipeline->stages;
    uint32_t holds = 0, colors = active_colors(draw);
    if (!draw_discards(draw))
        holds |= RASTERIZES | VIEWED;
    if (draw_has_shader_objects(draw))
        holds |= VIEWED;
    if (DRAW_CURRENT(draw, depth_bias_enable, false))
        holds |= DEPTH_BIASED;
    if (DRAW_CURRENT(draw, depth_bounds_test_enable, false))
        holds |= DEPTH_BOUNDED;
    if (draw_tests_depth(draw))
        holds |= DEPTH_TESTED;
    if (draw_tests_stencil(draw))
        holds |= STENCIL_TESTED;
    if (DRAW_CURRENT(draw, depth_clamp_enable, false))
        holds |= DEPTH_CLAMPED;
    if (DRAW_CURRENT(draw, sample_locations_enable, false))
        holds |= SAMPLE_LOCATED;
    if (DRAW_CURRENT(draw, logic_op_enable, false))
        holds |= LOGIC_OPERATED;
    if (DRAW_CURRENT(draw, stippled_line_enable, false))
        holds |= STIPPLED;
    if (DRAW_CURRENT(draw, conservative_rasterization_mode,
                     VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT) ==
        VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT)
        holds |= OVERESTIMATED;
    if (rasterizes_lines(draw))
        holds |= LINES;
    if (stippling_enabled(draw->s.call->device))
        holds |= STIPPLING;
    if (stages & VK_SHADER_STAGE_GEOMETRY_BIT)
        holds |= WITH_GEOMETRY;
    if (stages & VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)
        holds |= WITH_EVALUATION;
    if (stages & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT &&
        draw_topology(draw) == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
        holds |= PATCHES;
    if (draw->kind != DRAW_MESH)
        holds |= VERTICES;
    if (colors)
        holds |= COLORED;
    if (blends_with_constants(draw, colors))
        holds |= BLEND_CONSTANT;
    return holds;
}

static void report_not_set(struct draw *draw, const struct draw_need *need)
{
    BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), need->rule, "commandBuffer",
              "has %s %s from the command buffer, but %s was not called since "
              "vkBeginCommandBuffer, or a pipeline that has the state fixed was bound after it",
              draw_has_shader_objects(draw) ? "shader objects bound, which take"
                                            : "a pipeline bound that takes",
              value_text(VALUES_VkDynamicState, (uint64_t)dynamic_state_value[need->state]).text,
              command_name[need->command]);
}

/* The state is inherited where a secondary says so (VK_NV_inherited_viewport_scissor). */
static bool may_be_inherited(const struct draw *draw, enum dynamic_state state)
{
    bool viewport = state == DYNAMIC_VIEWPORT || state == DYNAMIC_SCISSOR ||
                    state == DYNAMIC_VIEWPORT_WITH_COUNT || state == DYNAMIC_SCISSOR_WITH_COUNT;
    return viewport && draw->command_buffer->scope & SCOPE_SECONDARY &&
           device_has_feature(draw->s.call->device, FEATURE_inheritedViewportScissor2D);
}

/* True if some state that the pipeline takes is not set. */
static bool lacks_state(const struct draw *draw)
{
    const struct dynamic_state_set *taken = &draw->pipeline->dynamic,
                                   *set = &draw->command_buffer->dynamic_set;
    uint64_t missing = 0;
    for (uint32_t i = 0; i < ARRAY_LENGTH(taken->bits); i++)
        missing |= taken->bits[i] & ~set->bits[i];
    return missing != 0;
}

static void check_must_be_set(struct draw *draw)
{
    const struct device *device = draw->s.call->device;
    if (likely(!lacks_state(draw)))
        return;
    uint32_t holds = conditions_of(draw);
    for (size_t i = 0; i < ARRAY_LENGTH(draw_needs); i++) {
        const struct draw_need *need = &draw_needs[i];
        const enum dynamic_state state = (enum dynamic_state)need->state;
        if (!draw_takes(draw, state) || draw_has(draw, state) ||
            (holds & need->conditions) != need->conditions)
            continue;
        if ((need->feature == FEATURE_COUNT ||
             device_has_feature(device, (enum feature)need->feature)) &&
            (need->extension == EXTENSION_COUNT ||
             extension_set_has(&device->extensions, (enum extension)need->extension)) &&
            !may_be_inherited(draw, state))
            report_not_set(draw, need);
    }
}

/* Points, lines, triangles, patches (10.18 "topology class"). */
static uint32_t topology_class(VkPrimitiveTopology topology)
{
    if (topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST)
        return 0;
    if (is_line(topology))
        return 1;
    return topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST ? 3 : 2;
}

static void check_topology(struct draw *draw)
{
    const struct device *device = draw->s.call->device;
    const struct pipeline *pipeline = draw->pipeline;
    const struct location *where = &LOCATION(NULL, "commandBuffer");
    VkPrimitiveTopology topology = draw_topology(draw);
    if (topology == VK_PRIMITIVE_TOPOLOGY_MAX_ENUM || draw->kind == DRAW_MESH)
        return;
    bool dynamic = draw_takes(draw, DYNAMIC_PRIMITIVE_TOPOLOGY);
    /* ... and the dynamicPrimitiveTopologyUnrestricted is VK_FALSE, then the primitiveTopology
     * parameter of vkCmdSetPrimitiveTopology must be of the same topology class as the pipeline
     * VkPipelineInputAssemblyStateCreateInfo::topology state */
    if (dynamic &&
        !device->extended.ExtendedDynamicState3PropertiesEXT.dynamicPrimitiveTopologyUnrestricted &&
        pipeline->parts && topology_class(topology) != topology_class(pipeline->topology))
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_07500, where,
                  "has the topology %s set, which is of another class than that of the pipeline, "
                  "%s",
                  value_text(VALUES_VkPrimitiveTopology, topology).text,
                  value_text(VALUES_VkPrimitiveTopology, pipeline->topology).text);
    bool control = (pipeline->stages & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT) != 0;
    /* If a VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT stage is bound, then the current value of
     * primitiveTopology must be VK_PRIMITIVE_TOPOLOGY_PATCH_LIST */
    if (dynamic && control && topology != VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_10286, where,
                  "has the topology %s set, but the pipeline has tessellation shaders, "
                  "which take patches",
                  value_text(VALUES_VkPrimitiveTopology, topology).text);
    /* If vkCmdSetPrimitiveTopology set primitiveTopology to VK_PRIMITIVE_TOPOLOGY_PATCH_LIST prior
     * to this drawing command, then a VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT stage must be bound
     */
    if (dynamic && !control && topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_10747, where,
                  "has the topology VK_PRIMITIVE_TOPOLOGY_PATCH_LIST set, but the pipeline has no "
                  "tessellation shaders");
    /* If the primitiveTopologyListRestart feature is not enabled, the input assembly is
     * ..._LIST..., and the pipeline was created with VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE then
     * vkCmdSetPrimitiveRestartEnable must be VK_FALSE */
    bool list = topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST ||
                topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST ||
                topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST ||
                topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY ||
                topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
    if (list && draw_takes(draw, DYNAMIC_PRIMITIVE_RESTART_ENABLE) &&
        DRAW_CURRENT(draw, primitive_restart_enable, false) &&
        !device_has_feature(device, FEATURE_primitiveTopologyListRestart))
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_09637, where,
                  "has primitive restart on with the topology %s, which needs the feature "
                  "primitiveTopologyListRestart",
                  value_text(VALUES_VkPrimitiveTopology, topology).text);
}

static void check_counts(struct draw *draw)
{
    const struct location *where = &LOCATION(NULL, "commandBuffer");
    const struct command_buffer_dynamic *values = draw->values;
    bool viewports = draw_takes(draw, DYNAMIC_VIEWPORT_WITH_COUNT) &&
                     draw_has(draw, DYNAMIC_VIEWPORT_WITH_COUNT);
    bool scissors =
        draw_takes(draw, DYNAMIC_SCISSOR_WITH_COUNT) && draw_has(draw, DYNAMIC_SCISSOR_WITH_COUNT);
    /* ... then the viewportCount parameter of vkCmdSetViewportWithCount must match the scissorCount
     * parameter of vkCmdSetScissorWithCount */
    if (viewports && scissors && values->viewport_count != values->scissor_count)
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_03419, where,
                  "has %u viewports set by vkCmdSetViewportWithCount, but %u scissors by "
                  "vkCmdSetScissorWithCount",
                  values->viewport_count, values->scissor_count);
    /* ... then the viewportCount parameter in the last call to vkCmdSetViewportSwizzleNV must be
     * greater than or equal to the viewportCount parameter in the last call to
     * vkCmdSetViewportWithCount */
    bool swizzles = draw_takes(draw, DYNAMIC_VIEWPORT_SWIZZLE_NV) &&
                    draw_has(draw, DYNAMIC_VIEWPORT_SWIZZLE_NV) &&
                    call_has_extension(draw->s.call, EXTENSION_VK_NV_viewport_swizzle);
    if (viewports && swizzles && values->viewport_swizzle_count < values->viewport_count) {
        const char *text = "has %u viewports set by vkCmdSetViewportWithCount, but swizzles of %u "
                           "by vkCmdSetViewportSwizzleNV";
        if (draw_has_shader_objects(draw))
            BROKEN_OF(&draw->s, NULL, RULE_09421, where, text, values->viewport_count,
                      values->viewport_swizzle_count);
        else
            BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_07493, where, text,
                      values->viewport_count, values->viewport_swizzle_count);
    }
    /* ... the attachmentCount parameter of most recent call to vkCmdSetColorWriteEnableEXT in the
     * current command buffer must be greater than or equal to the number of active color
     * attachments */
    uint32_t colors = (uint32_t)__builtin_popcount(active_colors(draw));
    if (draw_takes(draw, DYNAMIC_COLOR_WRITE_ENABLE_EXT) &&
        draw_has(draw, DYNAMIC_COLOR_WRITE_ENABLE_EXT) &&
        device_has_feature(draw->s.call->device, FEATURE_colorWriteEnable) &&
        !draw_discards(draw) && values->color_write_enable_count < colors)
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_07750, where,
                  "has color write enables set for %u attachments, but the render pass instance "
                  "has %u "
                  "color attachments",
                  values->color_write_enable_count, colors);
    /* ... then the samples parameter in the last call to vkCmdSetSampleMaskEXT must be greater or
     * equal to the rasterizationSamples */
    if (!draw_takes(draw, DYNAMIC_SAMPLE_MASK_EXT) || !draw_has(draw, DYNAMIC_SAMPLE_MASK_EXT))
        return;
    VkSampleCountFlagBits samples = draw_samples(draw);
    if (samples && values->sample_mask_samples < samples) {
        const char *text =
            "has a sample mask set for %u samples, fewer than the %u that are rasterized";
        if (draw_takes(draw, DYNAMIC_RASTERIZATION_SAMPLES_EXT))
            BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_07473, where, text,
                      values->sample_mask_samples, samples);
        else
            BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_07472, where, text,
                      values->sample_mask_samples, samples);
    }
}

/* --- states that the pipeline has itself --- */

static bool has_depth_stencil(const struct draw *draw)
{
    if (!draw->rendering)
        return false;
    if (draw->rendering->kind == RENDERING_DYNAMIC)
        return draw->rendering->formats.depth != VK_FORMAT_UNDEFINED ||
               draw->rendering->formats.stencil != VK_FORMAT_UNDEFINED;
    const struct subpass *subpass = active_subpass(draw->command_buffer);
    return subpass && subpass->depth_stencil.attachment != VK_ATTACHMENT_UNUSED;
}

/* True if the pipeline gives the state a value that counts here. What it was not given does not
 * count. Nor does what is "used when rasterization is enabled for any color attachments accessed
 * during rendering" (10.3) where there is no rasterization. Nor is a count beside viewports that
 * are dynamic: vkCmdSetViewportWithCount sets both. */
static bool is_specified(const struct draw *draw, enum dynamic_state state)
{
    const struct pipeline *pipeline = draw->pipeline;
    switch (state) {
    case DYNAMIC_VIEWPORT:
    case DYNAMIC_VIEWPORT_WITH_COUNT:
        return pipeline->has_viewport && !draw_takes(draw, DYNAMIC_VIEWPORT);
    case DYNAMIC_SCISSOR:
    case DYNAMIC_SCISSOR_WITH_COUNT:
        return pipeline->has_viewport && !draw_takes(draw, DYNAMIC_SCISSOR);
    case DYNAMIC_LINE_WIDTH:
    case DYNAMIC_DEPTH_BIAS:
    case DYNAMIC_CULL_MODE:
    case DYNAMIC_FRONT_FACE:
    case DYNAMIC_RASTERIZER_DISCARD_ENABLE:
    case DYNAMIC_DEPTH_BIAS_ENABLE:
    case DYNAMIC_DEPTH_CLAMP_ENABLE_EXT:
    case DYNAMIC_POLYGON_MODE_EXT:
        return pipeline->has_rasterization;
    case DYNAMIC_PRIMITIVE_TOPOLOGY:
    case DYNAMIC_PRIMITIVE_RESTART_ENABLE:
        return pipeline->has_input_assembly;
    case DYNAMIC_DEPTH_BOUNDS:
    case DYNAMIC_STENCIL_COMPARE_MASK:
    case DYNAMIC_STENCIL_WRITE_MASK:
    case DYNAMIC_STENCIL_REFERENCE:
    case DYNAMIC_DEPTH_TEST_ENABLE:
    case DYNAMIC_DEPTH_WRITE_ENABLE:
    case DYNAMIC_DEPTH_COMPARE_OP:
    case DYNAMIC_DEPTH_BOUNDS_TEST_ENABLE:
    case DYNAMIC_STENCIL_TEST_ENABLE:
    case DYNAMIC_STENCIL_OP:
        return pipeline->has_depth_stencil && has_depth_stencil(draw);
    case DYNAMIC_RASTERIZATION_SAMPLES_EXT:
    case DYNAMIC_SAMPLE_MASK_EXT:
    case DYNAMIC_ALPHA_TO_COVERAGE_ENABLE_EXT:
    case DYNAMIC_ALPHA_TO_ONE_ENABLE_EXT:
        return pipeline->has_multisample;
    case DYNAMIC_BLEND_CONSTANTS:
    case DYNAMIC_LOGIC_OP_EXT:
    case DYNAMIC_LOGIC_OP_ENABLE_EXT:
    case DYNAMIC_COLOR_BLEND_ENABLE_EXT:
    case DYNAMIC_COLOR_BLEND_EQUATION_EXT:
    case DYNAMIC_COLOR_WRITE_MASK_EXT:
        return pipeline->has_color_blend && active_colors(draw);
    default:
        /* "vkCmdBindVertexBuffers2 ... also dynamically sets the byte strides ... when the graphics
         * pipeline is created with VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE": with others it
         * sets none. */
        return state == DYNAMIC_VERTEX_INPUT_EXT &&
               !draw_takes(draw, DYNAMIC_VERTEX_INPUT_BINDING_STRIDE);
    }
}

static COLD void report_fixed(struct draw *draw, uint32_t word, uint64_t states_of_word)
{
    for (; states_of_word; states_of_word &= states_of_word - 1) {
        const enum dynamic_state state =
            (enum dynamic_state)(word * 64 + (uint32_t)__builtin_ctzll(states_of_word));
        /* If a pipeline is bound ..., there must not have been any calls to dynamic state setting
         * commands for any state specified statically in the VkPipeline object ..., since that
         * pipeline was bound */
        if (is_specified(draw, state))
            BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_08608, "commandBuffer",
                      "had %s set since the pipeline was bound, but that has the state itself: it "
                      "is "
                      "not in its VkPipelineDynamicStateCreateInfo::pDynamicStates",
                      value_text(VALUES_VkDynamicState, (uint64_t)dynamic_state_value[state]).text);
    }
}

/* Binding the pipeline took its own states out of those that are set: what is there was set after
 * it. */
static void check_fixed(struct draw *draw)
{
    const struct dynamic_state_set *set = &draw->command_buffer->dynamic_set,
                                   *fixed = &draw->pipeline->fixed;
    for (uint32_t i = 0; i < ARRAY_LENGTH(set->bits); i++) {
        if (unlikely(set->bits[i] & fixed->bits[i]))
            report_fixed(draw, i, set->bits[i] & fixed->bits[i]);
    }
}

void draw_check_dynamic_state(struct draw *draw)
{
    check_must_be_set(draw);
    check_fixed(draw);
    if (!draw->values)
        return;
    check_topology(draw);
    check_counts(draw);
}
