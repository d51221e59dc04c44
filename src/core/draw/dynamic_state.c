/* Checks that no dynamic state was set that is static in the bound pipeline (20 "Drawing
 * Commands"). Rows check that dynamic states are set (core/draw/rows.c). */
#include "core/draw/rows.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"

/* --- states that the pipeline has itself --- */

/* True if the instance has an attachment with depth or stencil. */
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

/* True if the pipeline's static value of the state has an effect here. State that is "used when
 * rasterization is enabled for any color attachments accessed during rendering" (10.3) has none
 * without rasterization. A static viewport count has none with dynamic viewports:
 * vkCmdSetViewportWithCount sets both. */
static bool is_specified(const struct draw *draw, enum dynamic_state state)
{
    switch (state) {
    case DYNAMIC_VIEWPORT:
    case DYNAMIC_VIEWPORT_WITH_COUNT:
        return !draw_takes(draw, DYNAMIC_VIEWPORT);
    case DYNAMIC_SCISSOR:
    case DYNAMIC_SCISSOR_WITH_COUNT:
        return !draw_takes(draw, DYNAMIC_SCISSOR);
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
        return has_depth_stencil(draw);
    case DYNAMIC_BLEND_CONSTANTS:
    case DYNAMIC_LOGIC_OP_EXT:
    case DYNAMIC_LOGIC_OP_ENABLE_EXT:
    case DYNAMIC_COLOR_BLEND_ENABLE_EXT:
    case DYNAMIC_COLOR_BLEND_EQUATION_EXT:
    case DYNAMIC_COLOR_WRITE_MASK_EXT:
        return draw_active_colors(draw);
    case DYNAMIC_VERTEX_INPUT_BINDING_STRIDE:
        /* "vkCmdBindVertexBuffers2 ... also dynamically sets the byte strides ... when the graphics
         * pipeline is created with VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE": with other
         * pipelines it does not set them. */
        return false;
    case DYNAMIC_VERTEX_INPUT_EXT:
        return !draw_takes(draw, DYNAMIC_VERTEX_INPUT_BINDING_STRIDE);
    default:
        return true;
    }
}

/* Reports states that were set although they are static in the pipeline. `states_of_word`: bits of
 * the states from 64 * `word` on. */
static COLD void report_fixed(struct draw *draw, uint32_t word, uint64_t states_of_word)
{
    assert(states_of_word);
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

/* Binding the pipeline removed its static states from the set ones, so those that are in both were
 * set after it. */
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
    check_fixed(draw);
}
