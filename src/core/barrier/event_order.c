/* Compares the second scope of a wait for an event with the first scope of the reset after it. */
#include "core/barrier/event_order.h"

#include "report/finding/rule.h"

#define TRANSFERS                                                          \
    (VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT | \
     VK_PIPELINE_STAGE_2_RESOLVE_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT |      \
     VK_PIPELINE_STAGE_2_CLEAR_BIT | VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR)
/* Stages that are ordered only by a mask with their own bit. */
#define ALONE                                                                                  \
    (VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR | \
     VK_PIPELINE_STAGE_2_HOST_BIT | VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR | \
     VK_PIPELINE_STAGE_2_VIDEO_DECODE_BIT_KHR | VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR)

/* Stages of the graphics pipeline, in its order. Stages without a certain place in that order are
 * left out. */
static const VkPipelineStageFlags2 graphics_order[] = {
    VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
    VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT |
        VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
    VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT | VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT |
        VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
        VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT |
        VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT |
        VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT | VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT,
    VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT,
    VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
    VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
    VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
};
#define GRAPHICS_STEPS ((uint32_t)ARRAY_LENGTH(graphics_order))

/* The first step of the graphics pipeline that has one of `stages`; GRAPHICS_STEPS if no step has
 * one. */
static uint32_t first_step(VkPipelineStageFlags2 stages)
{
    if (stages & VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT)
        return 0;
    uint32_t step = 0;
    while (step < GRAPHICS_STEPS && !(stages & graphics_order[step]))
        step++;
    return step;
}

/* One more than the last step that has one of `stages`; 0 if no step has one. */
static uint32_t end_step(VkPipelineStageFlags2 stages)
{
    if (stages & VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT)
        return GRAPHICS_STEPS;
    uint32_t end = GRAPHICS_STEPS;
    while (end && !(stages & graphics_order[end - 1]))
        end--;
    return end;
}

static VkPipelineStageFlags2 placed_stages(void)
{
    VkPipelineStageFlags2 placed = TRANSFERS | ALONE | VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT;
    for (uint32_t i = 0; i < GRAPHICS_STEPS; i++)
        placed |= graphics_order[i];
    return placed;
}

/* True if a dependency chain may lead from a wait, with the second scope `after`, to a command with
 * the first scope `before`. TOP_OF_PIPE as a second scope, and BOTTOM_OF_PIPE as a first one, mean
 * all commands. */
static COLD bool stages_may_chain(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before)
{
    after &= ~VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT;
    before &= ~VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT;
    if (!after || !before)
        return false;
    if ((after | before) & ~placed_stages() || after & before)
        return true;
    if (after & TRANSFERS && before & TRANSFERS &&
        (after | before) & VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT)
        return true;
    const uint32_t first = first_step(after);
    return first < end_step(before) ||
           (first == 0 && before & (VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT |
                                    VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR));
}

enum rule event_reset_breaks(const struct event_wait *wait, uint32_t orders,
                             VkPipelineStageFlags2 stages, bool version2)
{
    assert(wait);
    if (likely(!wait->waited) || wait->orders != orders || stages_may_chain(wait->after, stages))
        return RULE_NONE;
    if (version2)
        return wait->version2 ? RULE_03832 : RULE_03831;
    return wait->version2 ? RULE_03835 : RULE_03834;
}

const char event_reset_text[] = "nothing that was recorded between the two orders them, and the "
                                "reset does not wait for VK_PIPELINE_STAGE_ALL_COMMANDS_BIT";
