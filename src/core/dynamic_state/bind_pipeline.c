/* Checks that a pipeline that is bound goes with the dynamic state that a secondary inherits, and
 * with the pipelines before it. */
#include "core/dynamic_state/values.h"
/* Checks that a pipeline matches the dynamic state that a secondary inherits, and the pipelines
 * bound before it. */
#include "core/hooks.h"
#include "core/dynamic_state/values.h"

#include "report/finding/rule.h"
#include "report/names/object_text.h"
#include "state/command/inheritance.h"

/* Checks that the pipeline uses the viewports and scissors that a secondary command buffer
 * inherits. */
static bool check_inherited(struct subject *s, const struct pipeline *pipeline)
{
    /* the pipeline must have been created with VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT or
     * VK_DYNAMIC_STATE_VIEWPORT, and VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT or
     * VK_DYNAMIC_STATE_SCISSOR enabled */
    const bool viewport = pipeline_is_dynamic(pipeline, DYNAMIC_VIEWPORT_WITH_COUNT) ||
                          pipeline_is_dynamic(pipeline, DYNAMIC_VIEWPORT),
               scissor = pipeline_is_dynamic(pipeline, DYNAMIC_SCISSOR_WITH_COUNT) ||
                         pipeline_is_dynamic(pipeline, DYNAMIC_SCISSOR);
    REQUIRE(s, VUID_vkCmdBindPipeline_commandBuffer_04808, viewport && scissor, "pipeline",
            "was created without dynamic %s, but the command buffer inherits viewports and "
            "scissors (VkCommandBufferInheritanceViewportScissorInfoNV::viewportScissor2D)",
            viewport ? "scissors" : "viewports");
    /* pipeline was created with VkPipelineDiscardRectangleStateCreateInfoEXT structure and its
     * discardRectangleCount member is not 0, or with VK_DYNAMIC_STATE_DISCARD_RECTANGLE_ENABLE_EXT:
     * it must have been created with VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT enabled */
    REQUIRE(s, VUID_vkCmdBindPipeline_commandBuffer_04809,
            (!pipeline->discard_rectangles &&
             !pipeline_is_dynamic(pipeline, DYNAMIC_DISCARD_RECTANGLE_ENABLE_EXT)) ||
                pipeline_is_dynamic(pipeline, DYNAMIC_DISCARD_RECTANGLE_EXT),
            "pipeline",
            "was created with discard rectangles that are not dynamic, but the command buffer "
            "inherits viewports and scissors "
            "(VkCommandBufferInheritanceViewportScissorInfoNV::viewportScissor2D)");
    return s->skip;
}

/* If the provokingVertexModePerPipeline limit is VK_FALSE, then pipeline's provokingVertexMode must
 * be the same as that of any other pipelines previously bound to this bind point within the current
 * render pass instance, including any pipeline already bound when beginning it */
static bool check_provoking_vertex(struct subject *s, const struct command_buffer *command_buffer,
                                   const struct pipeline *pipeline)
{
    const struct pipeline *before = pipeline_by_id(command_buffer->bind[0].pipeline);
    if (!before || !(command_buffer->scope & SCOPE_INSIDE_RENDER_PASS) ||
        !before->has_rasterization || !pipeline->has_rasterization ||
        pipeline_is_dynamic(before, DYNAMIC_PROVOKING_VERTEX_MODE_EXT) ||
        pipeline_is_dynamic(pipeline, DYNAMIC_PROVOKING_VERTEX_MODE_EXT))
        return false;
    REQUIRE(s, VUID_vkCmdBindPipeline_pipelineBindPoint_04881,
            before->provoking_vertex == pipeline->provoking_vertex, "pipeline",
            "has the provoking vertex mode %s, but %s, which is bound, has %s, and the mode must "
            "be "
            "the same in a render pass instance where provokingVertexModePerPipeline is VK_FALSE",
            TEXT_OF(VkProvokingVertexModeEXT, pipeline->provoking_vertex),
            NAMED_STATE(s->call, &before->base),
            TEXT_OF(VkProvokingVertexModeEXT, before->provoking_vertex));
    return s->skip;
}

bool core_validate_CmdBindPipeline_state(struct call *call, VkCommandBuffer commandBuffer,
                                         VkPipelineBindPoint pipelineBindPoint, VkPipeline pipeline)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const VkPhysicalDeviceProvokingVertexPropertiesEXT *provoking =
        &call->device->extended.ProvokingVertexPropertiesEXT;
    const bool one_mode = provoking->sType && !provoking->provokingVertexModePerPipeline,
               located = call->device->extended.SampleLocationsPropertiesEXT.sType != 0;
    if (likely((!one_mode && !located && command_buffer &&
                !(command_buffer->scope & SCOPE_SECONDARY)) ||
               pipelineBindPoint != VK_PIPELINE_BIND_POINT_GRAPHICS))
        return false;
    const struct command_buffer_inheritance *inheritance = inheritance_of(command_buffer);
    const struct pipeline *state = named_pipeline(call, 0, pipeline);
    struct subject s = {.call = call, .objects = OBJECT(HANDLE_PIPELINE, pipeline)};
    if (!command_buffer || !state || state->bind_point != VK_PIPELINE_BIND_POINT_GRAPHICS)
        return false;
    if (inheritance && inheritance->viewport_scissor)
        s.skip |= check_inherited(&s, state);
    if (state->sample_locations && !pipeline_is_dynamic(state, DYNAMIC_SAMPLE_LOCATIONS_EXT) &&
        !pipeline_is_dynamic(state, DYNAMIC_SAMPLE_LOCATIONS_ENABLE_EXT))
        REQUIRE(&s, VUID_vkCmdBindPipeline_variableSampleLocations_01525,
                !state->render_pass || subpass_may_be_located(call), "pipeline",
                "has sample locations, and the render pass instance was begun without "
                "VkRenderPassSampleLocationsBeginInfoEXT for this subpass, and "
                "variableSampleLocations is VK_FALSE");
    if (one_mode)
        s.skip |= check_provoking_vertex(&s, command_buffer, state);
    return s.skip;
}
