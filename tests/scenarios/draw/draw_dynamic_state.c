/* A pipeline's dynamic state must have been set in the command buffer before a draw, where its
 * value matters (10.17 "Dynamic State", 20 "Drawing Commands"). */
#include "scenario.h"

/* The parts that a scenario varies of the pipeline that is drawn with. */
struct variation {
    VkDynamicState state;
    void (*change)(struct graphics_pipeline *pipeline);
    VkDynamicState with; /* another dynamic state, set by `set`; VK_DYNAMIC_STATE_MAX_ENUM: none */
    void (*set)(struct baseline *b, VkCommandBuffer command_buffer);
};

static VkPipelineDepthStencilStateCreateInfo depth_stencil;

static VkPipeline make_varied(struct baseline *b, const struct variation *varied)
{
    struct graphics_pipeline pipeline;
    VkDynamicState states[2] = {varied->state, varied->with};
    VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = varied->set ? 2 : 1,
        .pDynamicStates = states};
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    depth_stencil = (VkPipelineDepthStencilStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    pipeline.info.pDepthStencilState = &depth_stencil;
    pipeline.info.pDynamicState = &dynamic;
    if (varied->state == VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT)
        pipeline.viewport_state.viewportCount = 0;
    if (varied->state == VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT)
        pipeline.viewport_state.scissorCount = 0;
    if (varied->change)
        varied->change(&pipeline);
    VkPipeline made = create_graphics_pipeline(b, &pipeline.info);
    ENSURE(made);
    return made;
}

static VkCommandBuffer begin_varied(struct baseline *b, const struct variation *varied)
{
    VkPipeline pipeline = make_varied(b, varied);
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    return command_buffer;
}

static void draw_unset(struct baseline *b, const struct variation *varied)
{
    VkCommandBuffer command_buffer = begin_varied(b, varied);
    if (varied->set)
        varied->set(b, command_buffer);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

static void draw_set(struct baseline *b, const struct variation *varied,
                     void (*set)(struct baseline *b, VkCommandBuffer))
{
    VkCommandBuffer command_buffer = begin_varied(b, varied);
    set(b, command_buffer);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
    vkCmdEndRenderPass(command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
}

static void make_lines(struct graphics_pipeline *pipeline)
{
    pipeline->input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
}

/* Triangles of which only the edges are drawn, and lines of which only the ends are. */
static void make_wired(struct graphics_pipeline *pipeline)
{
    pipeline->rasterization.polygonMode = VK_POLYGON_MODE_LINE;
}

static void make_dotted(struct graphics_pipeline *pipeline)
{
    make_lines(pipeline);
    pipeline->rasterization.polygonMode = VK_POLYGON_MODE_POINT;
}

static void make_biased(struct graphics_pipeline *pipeline)
{
    pipeline->rasterization.depthBiasEnable = VK_TRUE;
}

static void make_bounded(struct graphics_pipeline *pipeline)
{
    depth_stencil.depthBoundsTestEnable = VK_TRUE;
}

static void depth_tested(struct graphics_pipeline *pipeline)
{
    depth_stencil.depthTestEnable = VK_TRUE;
}

static void stencil_tested(struct graphics_pipeline *pipeline)
{
    depth_stencil.stencilTestEnable = VK_TRUE;
}

static void blended_with_constants(struct graphics_pipeline *pipeline)
{
    pipeline->blend_attachment.blendEnable = VK_TRUE;
    pipeline->blend_attachment.srcColorBlendFactor = VK_BLEND_FACTOR_CONSTANT_COLOR;
}

static void make_logical(struct graphics_pipeline *pipeline)
{
    pipeline->color_blend.logicOpEnable = VK_TRUE;
}

/* --- Vulkan 1.0 --- */

#define UNSET(name_, number_, state_, change_, ...)                                                \
    SCENARIO(name_, .expect = {"VUID-vkCmdDraw-" number_}, .text = {"VK_DYNAMIC_STATE_" #state_},  \
             ##__VA_ARGS__)                                                                        \
    {                                                                                              \
        draw_unset(b, &(struct variation){.state = VK_DYNAMIC_STATE_##state_, .change = change_}); \
    }
/* The one that sets it; and with the state not mattering, where there is such a case. */
#define SET(name_, state_, change_, action_, ...)                                               \
    static void set_##name_(struct baseline *b, VkCommandBuffer command_buffer)                 \
    {                                                                                           \
        action_;                                                                                \
    }                                                                                           \
    SCENARIO(name_, ##__VA_ARGS__)                                                              \
    {                                                                                           \
        draw_set(b, &(struct variation){.state = VK_DYNAMIC_STATE_##state_, .change = change_}, \
                 set_##name_);                                                                  \
    }

static const VkPhysicalDeviceFeatures2 core_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.depthBounds = VK_TRUE,
                 .logicOp = VK_TRUE,
                 .wideLines = VK_TRUE,
                 .depthBiasClamp = VK_TRUE}};

UNSET(viewport_unset, "None-07831", VIEWPORT, NULL)
SET(viewport_set, VIEWPORT, NULL,
    vkCmdSetViewport(command_buffer, 0, 1, (&(VkViewport){0, 0, 64, 64, 0, 1})))
UNSET(scissor_unset, "None-07832", SCISSOR, NULL)
SET(scissor_set, SCISSOR, NULL,
    vkCmdSetScissor(command_buffer, 0, 1, (&(VkRect2D){.extent = {64, 64}})))
UNSET(line_width_unset, "None-08617", LINE_WIDTH, make_lines)
SET(line_width_set, LINE_WIDTH, make_lines, vkCmdSetLineWidth(command_buffer, 1))
static const VkPhysicalDeviceFeatures2 fill_modes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features.fillModeNonSolid = VK_TRUE};
UNSET(line_width_of_edges_unset, "None-08617", LINE_WIDTH, make_wired, .features = &fill_modes)
SET(line_width_of_edges_set, LINE_WIDTH, make_wired, vkCmdSetLineWidth(command_buffer, 1),
    .features = &fill_modes)
SET(line_width_of_ends, LINE_WIDTH, make_dotted, (void)command_buffer, .features = &fill_modes)
SET(line_width_of_triangles, LINE_WIDTH, NULL, (void)command_buffer)
UNSET(depth_bias_unset, "None-07834", DEPTH_BIAS, make_biased)
SET(depth_bias_set, DEPTH_BIAS, make_biased, vkCmdSetDepthBias(command_buffer, 0, 0, 0))
SET(depth_bias_off, DEPTH_BIAS, NULL, (void)command_buffer)
UNSET(blend_constants_unset, "None-07835", BLEND_CONSTANTS, blended_with_constants)
SET(blend_constants_set, BLEND_CONSTANTS, blended_with_constants,
    vkCmdSetBlendConstants(command_buffer, (float[4]){0}))
SET(blend_constants_not_used, BLEND_CONSTANTS, NULL, (void)command_buffer)
UNSET(depth_bounds_unset, "None-07836", DEPTH_BOUNDS, make_bounded, .features = &core_features,
      .drivers = NULL_DRIVER)
SET(depth_bounds_set, DEPTH_BOUNDS, make_bounded, vkCmdSetDepthBounds(command_buffer, 0, 1),
    .features = &core_features, .drivers = NULL_DRIVER)
UNSET(compare_mask_unset, "None-07837", STENCIL_COMPARE_MASK, stencil_tested)
SET(compare_mask_set, STENCIL_COMPARE_MASK, stencil_tested,
    vkCmdSetStencilCompareMask(command_buffer, VK_STENCIL_FACE_FRONT_AND_BACK, 1))
UNSET(write_mask_unset, "None-07838", STENCIL_WRITE_MASK, stencil_tested)
SET(write_mask_set, STENCIL_WRITE_MASK, stencil_tested,
    vkCmdSetStencilWriteMask(command_buffer, VK_STENCIL_FACE_FRONT_AND_BACK, 1))
UNSET(reference_unset, "None-07839", STENCIL_REFERENCE, stencil_tested)
SET(reference_set, STENCIL_REFERENCE, stencil_tested,
    vkCmdSetStencilReference(command_buffer, VK_STENCIL_FACE_FRONT_AND_BACK, 1))
SET(reference_without_test, STENCIL_REFERENCE, NULL, (void)command_buffer)

/* --- Vulkan 1.3, extended dynamic state --- */

UNSET(cull_mode_unset, "None-07840", CULL_MODE, NULL)
SET(cull_mode_set, CULL_MODE, NULL, vkCmdSetCullMode(command_buffer, VK_CULL_MODE_NONE))
UNSET(front_face_unset, "None-07841", FRONT_FACE, NULL)
SET(front_face_set, FRONT_FACE, NULL, vkCmdSetFrontFace(command_buffer, VK_FRONT_FACE_CLOCKWISE))
UNSET(topology_unset, "None-07842", PRIMITIVE_TOPOLOGY, NULL)
SET(topology_set, PRIMITIVE_TOPOLOGY, NULL,
    vkCmdSetPrimitiveTopology(command_buffer, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP))
UNSET(depth_test_unset, "None-07843", DEPTH_TEST_ENABLE, NULL)
SET(depth_test_set, DEPTH_TEST_ENABLE, NULL, vkCmdSetDepthTestEnable(command_buffer, VK_FALSE))
UNSET(depth_write_unset, "None-07844", DEPTH_WRITE_ENABLE, depth_tested)
SET(depth_write_set, DEPTH_WRITE_ENABLE, depth_tested,
    vkCmdSetDepthWriteEnable(command_buffer, VK_FALSE))
SET(depth_write_without_test, DEPTH_WRITE_ENABLE, NULL, (void)command_buffer)
UNSET(depth_compare_unset, "None-07845", DEPTH_COMPARE_OP, depth_tested)
SET(depth_compare_set, DEPTH_COMPARE_OP, depth_tested,
    vkCmdSetDepthCompareOp(command_buffer, VK_COMPARE_OP_LESS))
UNSET(depth_bounds_test_unset, "None-07846", DEPTH_BOUNDS_TEST_ENABLE, NULL,
      .features = &core_features, .drivers = NULL_DRIVER)
SET(depth_bounds_test_set, DEPTH_BOUNDS_TEST_ENABLE, NULL,
    vkCmdSetDepthBoundsTestEnable(command_buffer, VK_FALSE), .features = &core_features,
    .drivers = NULL_DRIVER)
UNSET(stencil_test_unset, "None-07847", STENCIL_TEST_ENABLE, NULL)
SET(stencil_test_set, STENCIL_TEST_ENABLE, NULL,
    vkCmdSetStencilTestEnable(command_buffer, VK_FALSE))
UNSET(stencil_op_unset, "None-07848", STENCIL_OP, stencil_tested)
SET(stencil_op_set, STENCIL_OP, stencil_tested,
    vkCmdSetStencilOp(command_buffer, VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_OP_KEEP,
                      VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS))
UNSET(viewports_unset, "viewportCount-03417", VIEWPORT_WITH_COUNT, NULL)
SET(viewports_set, VIEWPORT_WITH_COUNT, NULL,
    vkCmdSetViewportWithCount(command_buffer, 1, (&(VkViewport){0, 0, 64, 64, 0, 1})))
UNSET(scissors_unset, "scissorCount-03418", SCISSOR_WITH_COUNT, NULL)

/* "... and the state is not inherited" (VK_NV_inherited_viewport_scissor). */
static const VkPhysicalDeviceInheritedViewportScissorFeaturesNV inherits_viewports = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INHERITED_VIEWPORT_SCISSOR_FEATURES_NV,
    .inheritedViewportScissor2D = VK_TRUE};
#define INHERITING                                           \
    .drivers = NULL_DRIVER, .features = &inherits_viewports, \
    .extensions = {"VK_NV_inherited_viewport_scissor"}

static void without_scissors(struct graphics_pipeline *pipeline)
{
    pipeline->viewport_state.scissorCount = 0;
}

static void set_nothing(struct baseline *b, VkCommandBuffer command_buffer)
{
    (void)b;
    (void)command_buffer;
}

static const struct variation both_counts = {.state = VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
                                             .change = without_scissors,
                                             .with = VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
                                             .set = set_nothing};

SCENARIO(viewports_inherited, INHERITING)
{
    const VkViewport viewport = {.width = 8, .height = 8, .maxDepth = 1};
    const VkCommandBufferInheritanceViewportScissorInfoNV viewports = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_VIEWPORT_SCISSOR_INFO_NV,
        .viewportScissor2D = VK_TRUE,
        .viewportDepthCount = 1,
        .pViewportDepths = &viewport};
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = &viewports,
        .renderPass = make_render_pass(b)};
    VkCommandBufferBeginInfo begin = begin_info();
    VkPipeline pipeline = make_varied(b, &both_counts);
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    begin.pInheritanceInfo = &inheritance;
    VK(vkBeginCommandBuffer(secondary, &begin));
    vkCmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(secondary, 3, 1, 0, 0);
    VK(vkEndCommandBuffer(secondary));
}

/* Then they are not set. */
#define SETS_INHERITED(name_, id_, enabled_, command_)                                        \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &inherits_viewports,                  \
             .extensions = {"VK_NV_inherited_viewport_scissor", "VK_EXT_discard_rectangles"}, \
             .expect = {id_})                                                                 \
    {                                                                                         \
        const VkViewport viewport = {.width = 8, .height = 8, .maxDepth = 1};                 \
        const VkRect2D scissor = {.extent = {8, 8}};                                          \
        const VkCommandBufferInheritanceViewportScissorInfoNV viewports = {                   \
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_VIEWPORT_SCISSOR_INFO_NV,   \
            .viewportScissor2D = (enabled_),                                                  \
            .viewportDepthCount = 1,                                                          \
            .pViewportDepths = &viewport};                                                    \
        const VkCommandBufferInheritanceInfo inheritance = {                                  \
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,                       \
            .pNext = &viewports,                                                              \
            .renderPass = make_render_pass(b)};                                               \
        VkCommandBufferBeginInfo begin = begin_info();                                        \
        VkCommandBuffer c = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);        \
        begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;                       \
        begin.pInheritanceInfo = &inheritance;                                                \
        VK(vkBeginCommandBuffer(c, &begin));                                                  \
        (void)scissor;                                                                        \
        command_;                                                                             \
        VK(vkEndCommandBuffer(c));                                                            \
    }
SETS_INHERITED(viewport_set_and_inherited, "VUID-vkCmdSetViewport-commandBuffer-04821", VK_TRUE,
               vkCmdSetViewport(c, 0, 1, &viewport))
SETS_INHERITED(viewports_set_and_inherited, "VUID-vkCmdSetViewportWithCount-commandBuffer-04819",
               VK_TRUE, vkCmdSetViewportWithCount(c, 1, &viewport))
SETS_INHERITED(scissor_set_and_inherited, "VUID-vkCmdSetScissor-viewportScissor2D-04789", VK_TRUE,
               vkCmdSetScissor(c, 0, 1, &scissor))
SETS_INHERITED(scissors_set_and_inherited, "VUID-vkCmdSetScissorWithCount-commandBuffer-04820",
               VK_TRUE, vkCmdSetScissorWithCount(c, 1, &scissor))
SETS_INHERITED(rectangle_set_and_inherited,
               "VUID-vkCmdSetDiscardRectangleEXT-viewportScissor2D-04788", VK_TRUE,
               DEVICE_PROC(b, vkCmdSetDiscardRectangleEXT)(c, 0, 1, &scissor))
SETS_INHERITED(viewport_set_not_inherited, NULL, VK_FALSE, vkCmdSetViewport(c, 0, 1, &viewport);
               vkCmdSetScissor(c, 0, 1, &scissor))

SCENARIO(viewports_not_inherited_by_a_primary, INHERITING,
         .expect = {"VUID-vkCmdDraw-viewportCount-03417", "VUID-vkCmdDraw-scissorCount-03418"})
{
    vkCmdDraw(begin_varied(b, &both_counts), 3, 1, 0, 0);
}

SET(scissors_set, SCISSOR_WITH_COUNT, NULL,
    vkCmdSetScissorWithCount(command_buffer, 1, (&(VkRect2D){.extent = {64, 64}})))
UNSET(discard_unset, "None-04876", RASTERIZER_DISCARD_ENABLE, NULL)
SET(discard_set, RASTERIZER_DISCARD_ENABLE, NULL,
    vkCmdSetRasterizerDiscardEnable(command_buffer, VK_FALSE))
UNSET(depth_bias_enable_unset, "None-04877", DEPTH_BIAS_ENABLE, NULL)
SET(depth_bias_enable_set, DEPTH_BIAS_ENABLE, NULL,
    vkCmdSetDepthBiasEnable(command_buffer, VK_FALSE))
UNSET(restart_unset, "None-04879", PRIMITIVE_RESTART_ENABLE, NULL)
SET(restart_set, PRIMITIVE_RESTART_ENABLE, NULL,
    vkCmdSetPrimitiveRestartEnable(command_buffer, VK_FALSE))

/* A state that is set is forgotten when a pipeline that has it fixed is bound. */
SCENARIO(undefined_by_fixed_pipeline, .expect = {"VUID-vkCmdDraw-None-07840"},
         .text = {"or a pipeline that has the state fixed was bound after it"})
{
    VkPipeline pipeline = make_varied(b, &(struct variation){.state = VK_DYNAMIC_STATE_CULL_MODE});
    VkPipeline fixed = make_any_graphics_pipeline(b);
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdSetCullMode(command_buffer, VK_CULL_MODE_NONE);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, fixed);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

/* "If a pipeline is bound ..., there must not have been any calls to dynamic state setting commands
 * for any state specified statically in the VkPipeline object ..., since that pipeline was bound".
 */
static VkCommandBuffer begin_fixed(struct baseline *b, VkPipeline *pipeline)
{
    *pipeline = make_any_graphics_pipeline(b);
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, *pipeline);
    return command_buffer;
}

static void set_one_viewport(VkCommandBuffer command_buffer)
{
    vkCmdSetViewport(command_buffer, 0, 1, &(VkViewport){0, 0, 64, 64, 0, 1});
}

#define FIXED_SET(name_, state_, action_)                                                  \
    SCENARIO(fixed_##name_, .expect = {"VUID-vkCmdDraw-None-08608"},                       \
             .text = {"had VK_DYNAMIC_STATE_" state_ " set since the pipeline was bound"}) \
    {                                                                                      \
        VkPipeline pipeline;                                                               \
        VkCommandBuffer command_buffer = begin_fixed(b, &pipeline);                        \
        action_;                                                                           \
        vkCmdDraw(command_buffer, 3, 1, 0, 0);                                             \
    }
FIXED_SET(viewport, "VIEWPORT", set_one_viewport(command_buffer))
FIXED_SET(scissor, "SCISSOR",
          vkCmdSetScissor(command_buffer, 0, 1, (&(VkRect2D){.extent = {64, 64}})))
FIXED_SET(viewport_count, "VIEWPORT_WITH_COUNT",
          vkCmdSetViewportWithCount(command_buffer, 1, (&(VkViewport){0, 0, 64, 64, 0, 1})))
FIXED_SET(line_width, "LINE_WIDTH", vkCmdSetLineWidth(command_buffer, 1))
FIXED_SET(cull_mode, "CULL_MODE", vkCmdSetCullMode(command_buffer, VK_CULL_MODE_NONE))
FIXED_SET(restart, "PRIMITIVE_RESTART_ENABLE",
          vkCmdSetPrimitiveRestartEnable(command_buffer, VK_FALSE))
FIXED_SET(blend_constants, "BLEND_CONSTANTS", vkCmdSetBlendConstants(command_buffer, (float[4]){0}))

SCENARIO(fixed_states_both_told,
         .expect = {"VUID-vkCmdDraw-None-08608", "VUID-vkCmdDraw-None-08608"},
         .text = {"VK_DYNAMIC_STATE_CULL_MODE", "VK_DYNAMIC_STATE_FRONT_FACE"})
{
    VkPipeline pipeline;
    VkCommandBuffer command_buffer = begin_fixed(b, &pipeline);
    vkCmdSetFrontFace(command_buffer, VK_FRONT_FACE_CLOCKWISE);
    vkCmdSetCullMode(command_buffer, VK_CULL_MODE_NONE);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

/* Before it was bound, before it was bound again, and for another pipeline. */
SCENARIO(fixed_set_earlier)
{
    VkPipeline pipeline;
    VkPipeline other = make_varied(b, &(struct variation){.state = VK_DYNAMIC_STATE_VIEWPORT});
    VkCommandBuffer command_buffer = begin_fixed(b, &pipeline);
    set_one_viewport(command_buffer);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
    set_one_viewport(command_buffer);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, other);
    set_one_viewport(command_buffer);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
    vkCmdEndRenderPass(command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
}

/* The render pass has no depth/stencil attachment: "depth/stencil state used when rasterization is
 * enabled for depth or stencil attachments accessed during rendering". */
SCENARIO(fixed_but_not_used)
{
    VkCommandBuffer command_buffer =
        begin_varied(b, &(struct variation){.state = VK_DYNAMIC_STATE_CULL_MODE});
    vkCmdSetCullMode(command_buffer, VK_CULL_MODE_NONE);
    vkCmdSetStencilReference(command_buffer, VK_STENCIL_FACE_FRONT_AND_BACK, 1);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

/* The viewports are dynamic, their number is not: whether vkCmdSetViewportWithCount sets a state
 * that is static is not said. */
SCENARIO(count_of_dynamic_viewports)
{
    VkCommandBuffer command_buffer =
        begin_varied(b, &(struct variation){.state = VK_DYNAMIC_STATE_VIEWPORT});
    vkCmdSetViewportWithCount(command_buffer, 1, (&(VkViewport){0, 0, 64, 64, 0, 1}));
    set_one_viewport(command_buffer);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

/* "sets the byte strides ... when the graphics pipeline is created with
 * VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE". */
SCENARIO(strides_of_a_fixed_pipeline)
{
    VkPipeline pipeline;
    VkCommandBuffer command_buffer = begin_fixed(b, &pipeline);
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    vkCmdBindVertexBuffers2(command_buffer, 0, 1, &buffer, (VkDeviceSize[]){0}, NULL,
                            (VkDeviceSize[]){16});
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

/* Pipelines whose draws were in order are not looked at again, until something else changes. */
static void draw_in_turn(struct baseline *b, VkPrimitiveTopology later)
{
    const struct variation variation = {.state = VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY};
    const VkPipeline pipelines[2] = {make_varied(b, &variation), make_varied(b, &variation)};
    VkCommandBuffer command_buffer = begin_varied(b, &variation);
    vkCmdSetPrimitiveTopology(command_buffer, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    for (uint32_t i = 0; i < 6; i++) {
        if (i == 4)
            vkCmdSetPrimitiveTopology(command_buffer, later);
        vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i % 2]);
        vkCmdDraw(command_buffer, 3, 1, 0, 0);
    }
}

SCENARIO(topology_of_pipelines_in_turn,
         .expect = {"VUID-vkCmdDraw-dynamicPrimitiveTopologyUnrestricted-07500",
                    "VUID-vkCmdDraw-dynamicPrimitiveTopologyUnrestricted-07500"},
         .drivers = NULL_DRIVER)
{
    draw_in_turn(b, VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
}

SCENARIO(pipelines_in_turn)
{
    draw_in_turn(b, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
}

SCENARIO(topology_of_another_class,
         .expect = {"VUID-vkCmdDraw-dynamicPrimitiveTopologyUnrestricted-07500"},
         .drivers = NULL_DRIVER)
{
    VkCommandBuffer command_buffer =
        begin_varied(b, &(struct variation){.state = VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY});
    vkCmdSetPrimitiveTopology(command_buffer, VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

/* A draw looks at what has changed since the one before. */
static VkCommandBuffer begin_drawn(struct baseline *b)
{
    VkCommandBuffer command_buffer =
        begin_varied(b, &(struct variation){.state = VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY});
    vkCmdSetPrimitiveTopology(command_buffer, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
    return command_buffer;
}

SCENARIO(topology_of_another_class_later,
         .expect = {"VUID-vkCmdDraw-dynamicPrimitiveTopologyUnrestricted-07500"},
         .drivers = NULL_DRIVER)
{
    VkCommandBuffer command_buffer = begin_drawn(b);
    vkCmdSetPrimitiveTopology(command_buffer, VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

SCENARIO(topology_of_the_same_class_later, .drivers = NULL_DRIVER)
{
    VkCommandBuffer command_buffer = begin_drawn(b);
    vkCmdSetPrimitiveTopology(command_buffer, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
    vkCmdSetPrimitiveTopology(command_buffer, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

SCENARIO(restart_of_list, .expect = {"VUID-vkCmdDraw-None-09637"},
         .text = {"primitiveTopologyListRestart"})
{
    VkCommandBuffer command_buffer =
        begin_varied(b, &(struct variation){.state = VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE});
    vkCmdSetPrimitiveRestartEnable(command_buffer, VK_TRUE);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

/* --- extended dynamic state 2 and 3, and other extensions --- */

static const VkPhysicalDeviceColorWriteEnableFeaturesEXT color_write = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT,
    .pNext = (void *)&core_features,
    .colorWriteEnable = VK_TRUE};
static const VkPhysicalDeviceExtendedDynamicState2FeaturesEXT dynamic2 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
    .pNext = (void *)&color_write,
    .extendedDynamicState2 = VK_TRUE,
    .extendedDynamicState2LogicOp = VK_TRUE};
static const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic3 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
    .pNext = (void *)&dynamic2,
    .extendedDynamicState3DepthClampEnable = VK_TRUE,
    .extendedDynamicState3PolygonMode = VK_TRUE,
    .extendedDynamicState3RasterizationSamples = VK_TRUE,
    .extendedDynamicState3SampleMask = VK_TRUE,
    .extendedDynamicState3AlphaToCoverageEnable = VK_TRUE,
    .extendedDynamicState3LogicOpEnable = VK_TRUE,
    .extendedDynamicState3ColorBlendEnable = VK_TRUE,
    .extendedDynamicState3ColorWriteMask = VK_TRUE,
    .extendedDynamicState3ConservativeRasterizationMode = VK_TRUE,
    .extendedDynamicState3SampleLocationsEnable = VK_TRUE};
#define EXTENDED                                                                          \
    .features = &dynamic3, .drivers = NULL_DRIVER,                                        \
    .extensions = {"VK_EXT_color_write_enable", "VK_EXT_extended_dynamic_state2",         \
                   "VK_EXT_extended_dynamic_state3", "VK_EXT_conservative_rasterization", \
                   "VK_EXT_sample_locations"}
#define PROC(name_) DEVICE_PROC(b, name_)

UNSET(color_write_unset, "None-07749", COLOR_WRITE_ENABLE_EXT, NULL, EXTENDED)
SET(color_write_set, COLOR_WRITE_ENABLE_EXT, NULL,
    PROC(vkCmdSetColorWriteEnableEXT)(command_buffer, 1, (VkBool32[]){1}), EXTENDED)
UNSET(logic_op_unset, "logicOp-04878", LOGIC_OP_EXT, make_logical, EXTENDED)
SET(logic_op_set, LOGIC_OP_EXT, make_logical,
    PROC(vkCmdSetLogicOpEXT)(command_buffer, VK_LOGIC_OP_COPY), EXTENDED)
UNSET(polygon_mode_unset, "None-07621", POLYGON_MODE_EXT, NULL, EXTENDED)
SET(polygon_mode_set, POLYGON_MODE_EXT, NULL,
    PROC(vkCmdSetPolygonModeEXT)(command_buffer, VK_POLYGON_MODE_FILL), EXTENDED)
UNSET(samples_unset, "None-07622", RASTERIZATION_SAMPLES_EXT, NULL, EXTENDED)
SET(samples_set, RASTERIZATION_SAMPLES_EXT, NULL,
    PROC(vkCmdSetRasterizationSamplesEXT)(command_buffer, VK_SAMPLE_COUNT_1_BIT), EXTENDED)
UNSET(sample_mask_unset, "None-07623", SAMPLE_MASK_EXT, NULL, EXTENDED)
SET(sample_mask_set, SAMPLE_MASK_EXT, NULL,
    PROC(vkCmdSetSampleMaskEXT)(command_buffer, VK_SAMPLE_COUNT_1_BIT, (VkSampleMask[]){1}),
    EXTENDED)
UNSET(alpha_to_coverage_unset, "None-07624", ALPHA_TO_COVERAGE_ENABLE_EXT, NULL, EXTENDED)
SET(alpha_to_coverage_set, ALPHA_TO_COVERAGE_ENABLE_EXT, NULL,
    PROC(vkCmdSetAlphaToCoverageEnableEXT)(command_buffer, VK_FALSE), EXTENDED)
UNSET(logic_op_enable_unset, "None-07626", LOGIC_OP_ENABLE_EXT, NULL, EXTENDED)
SET(logic_op_enable_set, LOGIC_OP_ENABLE_EXT, NULL,
    PROC(vkCmdSetLogicOpEnableEXT)(command_buffer, VK_FALSE), EXTENDED)
UNSET(blend_enable_unset, "None-07627", COLOR_BLEND_ENABLE_EXT, NULL, EXTENDED)
SET(blend_enable_set, COLOR_BLEND_ENABLE_EXT, NULL,
    PROC(vkCmdSetColorBlendEnableEXT)(command_buffer, 0, 1, (VkBool32[]){0}), EXTENDED)
SET(blend_enable_on, COLOR_BLEND_ENABLE_EXT, NULL,
    PROC(vkCmdSetColorBlendEnableEXT)(command_buffer, 0, 1, (VkBool32[]){1}), EXTENDED)
/* A format (VK_FORMAT_R8G8B8A8_UNORM) that cannot be blended. */
#define NOT_BLENDED .null_driver = "{\"withoutFormatFeatures\": {\"37\": 256}}"
SET(blend_enable_off_where_it_cannot, COLOR_BLEND_ENABLE_EXT, NULL,
    PROC(vkCmdSetColorBlendEnableEXT)(command_buffer, 0, 1, (VkBool32[]){0}), EXTENDED, NOT_BLENDED)
SET(blend_enable_on_where_it_cannot, COLOR_BLEND_ENABLE_EXT, NULL,
    PROC(vkCmdSetColorBlendEnableEXT)(command_buffer, 0, 1, (VkBool32[]){1}), EXTENDED, NOT_BLENDED,
    .expect = {"VUID-vkCmdDraw-blendEnable-04727"},
    .text = {"blends into color attachment 0 (VkImageView 0x",
             "VK_FORMAT_R8G8B8A8_UNORM, cannot be blended"})
/* The value of a state that is not set any more does not count. */
SCENARIO(blend_enable_undefined_where_it_cannot, EXTENDED, NOT_BLENDED,
         .expect = {"VUID-vkCmdDraw-None-07627"})
{
    const struct variation varied = {.state = VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT};
    VkPipeline pipeline = make_varied(b, &varied), fixed = make_any_graphics_pipeline(b);
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    PROC(vkCmdSetColorBlendEnableEXT)(command_buffer, 0, 1, (VkBool32[]){VK_TRUE});
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, fixed);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}
UNSET(color_mask_unset, "None-07629", COLOR_WRITE_MASK_EXT, NULL, EXTENDED)
SET(color_mask_set, COLOR_WRITE_MASK_EXT, NULL,
    PROC(vkCmdSetColorWriteMaskEXT)(command_buffer, 0, 1, (VkColorComponentFlags[]){15}), EXTENDED)
static void with_overestimation(struct graphics_pipeline *pipeline)
{
    static const VkPipelineRasterizationConservativeStateCreateInfoEXT conservative = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT};
    pipeline->rasterization.pNext = &conservative;
}

UNSET(conservative_unset, "None-07631", CONSERVATIVE_RASTERIZATION_MODE_EXT, with_overestimation,
      EXTENDED)
SET(conservative_set, CONSERVATIVE_RASTERIZATION_MODE_EXT, with_overestimation,
    PROC(vkCmdSetConservativeRasterizationModeEXT)(command_buffer,
                                                   VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT),
    EXTENDED)
UNSET(locations_enable_unset, "None-07634", SAMPLE_LOCATIONS_ENABLE_EXT, NULL, EXTENDED)
SET(locations_enable_set, SAMPLE_LOCATIONS_ENABLE_EXT, NULL,
    PROC(vkCmdSetSampleLocationsEnableEXT)(command_buffer, VK_FALSE), EXTENDED)

/* With rasterization discarded what follows it does not matter. */
static void make_discarded(struct graphics_pipeline *pipeline)
{
    pipeline->rasterization.rasterizerDiscardEnable = VK_TRUE;
    pipeline->info.stageCount = 1;
}
SET(cull_mode_discarded, CULL_MODE, make_discarded, (void)command_buffer)
SET(stencil_test_discarded, STENCIL_TEST_ENABLE, make_discarded, (void)command_buffer)
SET(samples_discarded, RASTERIZATION_SAMPLES_EXT, make_discarded, (void)command_buffer, EXTENDED)

SCENARIO(counts_differ, .expect = {"VUID-vkCmdDraw-viewportCount-03419"},
         .text = {"but the current viewportCount is 2, and the current scissorCount is 1"},
         .drivers = NULL_DRIVER,
         .features = &(const VkPhysicalDeviceFeatures2){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
             .features = {.multiViewport = VK_TRUE}})
{
    struct graphics_pipeline pipeline;
    VkDynamicState states[2] = {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
                                VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT};
    VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 2,
        .pDynamicStates = states};
    VkViewport viewports[2] = {{0, 0, 64, 64, 0, 1}, {0, 0, 64, 64, 0, 1}};
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    pipeline.info.pDynamicState = &dynamic;
    pipeline.viewport_state.viewportCount = pipeline.viewport_state.scissorCount = 0;
    VkPipeline made = create_graphics_pipeline(b, &pipeline.info);
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, made);
    vkCmdSetViewportWithCount(command_buffer, 2, viewports);
    vkCmdSetScissorWithCount(command_buffer, 1, &(VkRect2D){.extent = {64, 64}});
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

/* Another pipeline is bound, and one draws with it, between the state's command and the draw that
 * takes the state. A pipeline that discards all primitives ignores what follows rasterization:
 * "If the state is not included (corresponding pointer in VkGraphicsPipelineCreateInfo was NULL or
 * was ignored) in the new pipeline object, then that command buffer state is not disturbed". */
static void discarded_without_viewports(struct graphics_pipeline *pipeline)
{
    make_discarded(pipeline);
    pipeline->info.pViewportState = NULL;
    pipeline->info.pMultisampleState = NULL;
    pipeline->info.pColorBlendState = NULL;
}

static void set_both_counts(VkCommandBuffer command_buffer)
{
    vkCmdSetViewportWithCount(command_buffer, 1, &(VkViewport){0, 0, 64, 64, 0, 1});
    vkCmdSetScissorWithCount(command_buffer, 1, &(VkRect2D){.extent = {64, 64}});
}

static void set_both(VkCommandBuffer command_buffer)
{
    set_one_viewport(command_buffer);
    vkCmdSetScissor(command_buffer, 0, 1, &(VkRect2D){.extent = {64, 64}});
}

static void set_blend_constants(VkCommandBuffer command_buffer)
{
    vkCmdSetBlendConstants(command_buffer, (float[4]){0});
}

static void draw_around(struct baseline *b, VkDynamicState state,
                        void (*set)(VkCommandBuffer command_buffer),
                        void (*between)(struct graphics_pipeline *pipeline))
{
    /* One that makes line widths dynamic: those are set here. */
    VkPipeline other = make_varied(b, &(struct variation){.state = VK_DYNAMIC_STATE_LINE_WIDTH,
                                                          .change = between});
    VkPipeline pipeline =
        make_varied(b, &(struct variation){.state = state, .change = blended_with_constants});
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    set(command_buffer);
    vkCmdSetLineWidth(command_buffer, 1);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, other);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}
#define AROUND(name_, state_, set_, id_)                                              \
    SCENARIO(name_##_around_discard_without_viewports)                                \
    {                                                                                 \
        draw_around(b, VK_DYNAMIC_STATE_##state_, set_, discarded_without_viewports); \
    }                                                                                 \
    SCENARIO(name_##_around_discard)                                                  \
    {                                                                                 \
        draw_around(b, VK_DYNAMIC_STATE_##state_, set_, make_discarded);              \
    }                                                                                 \
    SCENARIO(name_##_around_rasterization, .expect = {"VUID-vkCmdDraw-" id_},         \
             .text = {"or a pipeline that has the state fixed was bound after it"})   \
    {                                                                                 \
        draw_around(b, VK_DYNAMIC_STATE_##state_, set_, NULL);                        \
    }
AROUND(viewport, VIEWPORT, set_both, "None-07831")
AROUND(scissor, SCISSOR, set_both, "None-07832")
AROUND(viewport_count, VIEWPORT_WITH_COUNT, set_both_counts, "viewportCount-03417")
AROUND(scissor_count, SCISSOR_WITH_COUNT, set_both_counts, "scissorCount-03418")
AROUND(blend_constants, BLEND_CONSTANTS, set_blend_constants, "None-07835")

/* --- states that features and extensions bring --- */

static const VkPhysicalDeviceFeatures2 more_core = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.alphaToOne = VK_TRUE, .depthClamp = VK_TRUE, .wideLines = VK_TRUE}};
#define CHAINED(name_, Type_, STYPE_, next_, ...)                                    \
    static const Type_ name_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##STYPE_, \
                                .pNext = (void *)(uintptr_t)&(next_),                \
                                __VA_ARGS__}
CHAINED(more_writes, VkPhysicalDeviceColorWriteEnableFeaturesEXT, COLOR_WRITE_ENABLE_FEATURES_EXT,
        more_core, .colorWriteEnable = VK_TRUE);
CHAINED(more_input, VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT,
        VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT, more_writes, .vertexInputDynamicState = VK_TRUE);
CHAINED(more_clip, VkPhysicalDeviceDepthClipEnableFeaturesEXT, DEPTH_CLIP_ENABLE_FEATURES_EXT,
        more_input, .depthClipEnable = VK_TRUE);
CHAINED(more_control, VkPhysicalDeviceDepthClipControlFeaturesEXT, DEPTH_CLIP_CONTROL_FEATURES_EXT,
        more_clip, .depthClipControl = VK_TRUE);
CHAINED(more_clamp, VkPhysicalDeviceDepthClampControlFeaturesEXT, DEPTH_CLAMP_CONTROL_FEATURES_EXT,
        more_control, .depthClampControl = VK_TRUE);
CHAINED(more_lines, VkPhysicalDeviceLineRasterizationFeaturesEXT, LINE_RASTERIZATION_FEATURES_EXT,
        more_clamp, .bresenhamLines = VK_TRUE, .stippledBresenhamLines = VK_TRUE);
CHAINED(more_loops, VkPhysicalDeviceAttachmentFeedbackLoopDynamicStateFeaturesEXT,
        ATTACHMENT_FEEDBACK_LOOP_DYNAMIC_STATE_FEATURES_EXT, more_lines,
        .attachmentFeedbackLoopDynamicState = VK_TRUE);
CHAINED(more_layouts, VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT,
        ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT, more_loops,
        .attachmentFeedbackLoopLayout = VK_TRUE);
CHAINED(more_rates, VkPhysicalDeviceFragmentShadingRateFeaturesKHR,
        FRAGMENT_SHADING_RATE_FEATURES_KHR, more_layouts, .pipelineFragmentShadingRate = VK_TRUE);
CHAINED(more_vertices, VkPhysicalDeviceProvokingVertexFeaturesEXT, PROVOKING_VERTEX_FEATURES_EXT,
        more_rates, .provokingVertexLast = VK_TRUE);
CHAINED(more_dynamic, VkPhysicalDeviceExtendedDynamicState3FeaturesEXT,
        EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, more_vertices,
        .extendedDynamicState3DepthClampEnable = VK_TRUE,
        .extendedDynamicState3AlphaToOneEnable = VK_TRUE,
        .extendedDynamicState3SampleMask = VK_TRUE,
        .extendedDynamicState3RasterizationSamples = VK_TRUE,
        .extendedDynamicState3ConservativeRasterizationMode = VK_TRUE,
        .extendedDynamicState3ExtraPrimitiveOverestimationSize = VK_TRUE,
        .extendedDynamicState3DepthClipEnable = VK_TRUE,
        .extendedDynamicState3SampleLocationsEnable = VK_TRUE,
        .extendedDynamicState3ProvokingVertexMode = VK_TRUE,
        .extendedDynamicState3LineRasterizationMode = VK_TRUE,
        .extendedDynamicState3LineStippleEnable = VK_TRUE,
        .extendedDynamicState3DepthClipNegativeOneToOne = VK_TRUE);
#define MORE                                                        \
    .features = &more_dynamic, .drivers = NULL_DRIVER,              \
    .extensions = {"VK_EXT_color_write_enable",                     \
                   "VK_EXT_extended_dynamic_state3",                \
                   "VK_EXT_vertex_input_dynamic_state",             \
                   "VK_EXT_depth_clip_enable",                      \
                   "VK_EXT_depth_clip_control",                     \
                   "VK_EXT_depth_clamp_control",                    \
                   "VK_EXT_line_rasterization",                     \
                   "VK_EXT_attachment_feedback_loop_layout",        \
                   "VK_EXT_attachment_feedback_loop_dynamic_state", \
                   "VK_KHR_fragment_shading_rate",                  \
                   "VK_EXT_provoking_vertex",                       \
                   "VK_EXT_conservative_rasterization",             \
                   "VK_EXT_discard_rectangles",                     \
                   "VK_EXT_sample_locations"}

UNSET(vertex_input_unset, "None-04914", VERTEX_INPUT_EXT, NULL, MORE)
SET(vertex_input_set, VERTEX_INPUT_EXT, NULL,
    PROC(vkCmdSetVertexInputEXT)(command_buffer, 0, NULL, 0, NULL), MORE)
/* Swizzles of as many viewports as are set (VK_NV_viewport_swizzle). */
static const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT swizzled_three = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
    .extendedDynamicState3ViewportSwizzle = VK_TRUE};
static const VkPhysicalDeviceFeatures2 many_viewports = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&swizzled_three,
    .features = {.multiViewport = VK_TRUE}};
#define SWIZZLING                                        \
    .drivers = NULL_DRIVER, .features = &many_viewports, \
    .extensions = {"VK_EXT_extended_dynamic_state3", "VK_NV_viewport_swizzle"}

static void two_scissors(struct graphics_pipeline *pipeline)
{
    static const VkRect2D scissors[2] = {{{0, 0}, {8, 8}}, {{0, 0}, {8, 8}}};
    pipeline->viewport_state.scissorCount = 2;
    pipeline->viewport_state.pScissors = scissors;
}

static void draw_swizzled(struct baseline *b, uint32_t swizzle_count)
{
    const VkViewport viewports[2] = {{.width = 8, .height = 8, .maxDepth = 1},
                                     {.width = 8, .height = 8, .maxDepth = 1}};
    const VkViewportSwizzleNV swizzles[2] = {{0, 2, 4, 6}, {0, 2, 4, 6}};
    VkCommandBuffer command_buffer =
        begin_varied(b, &(struct variation){.state = VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
                                            .change = two_scissors,
                                            .with = VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV,
                                            .set = set_nothing});
    vkCmdSetViewportWithCount(command_buffer, 2, viewports);
    PROC(vkCmdSetViewportSwizzleNV)(command_buffer, 0, swizzle_count, swizzles);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

SCENARIO(swizzles_of_fewer_viewports, SWIZZLING, .expect = {"VUID-vkCmdDraw-viewportCount-07493"},
         .text = {"but the number of viewports that vkCmdSetViewportSwizzleNV has set is 1, less "
                  "than the current viewportCount (2)"})
{
    draw_swizzled(b, 1);
}

SCENARIO(swizzles_of_all_viewports, SWIZZLING)
{
    draw_swizzled(b, 2);
}

UNSET(depth_clamp_unset, "None-07620", DEPTH_CLAMP_ENABLE_EXT, NULL, MORE)
SET(depth_clamp_set, DEPTH_CLAMP_ENABLE_EXT, NULL,
    PROC(vkCmdSetDepthClampEnableEXT)(command_buffer, VK_FALSE), MORE)
UNSET(alpha_to_one_unset, "None-07625", ALPHA_TO_ONE_ENABLE_EXT, NULL, MORE)
SET(alpha_to_one_set, ALPHA_TO_ONE_ENABLE_EXT, NULL,
    PROC(vkCmdSetAlphaToOneEnableEXT)(command_buffer, VK_FALSE), MORE)
UNSET(depth_clip_unset, "None-07633", DEPTH_CLIP_ENABLE_EXT, NULL, MORE)
SET(depth_clip_set, DEPTH_CLIP_ENABLE_EXT, NULL,
    PROC(vkCmdSetDepthClipEnableEXT)(command_buffer, VK_TRUE), MORE)
UNSET(provoking_vertex_unset, "None-07636", PROVOKING_VERTEX_MODE_EXT, NULL, MORE)
SET(provoking_vertex_set, PROVOKING_VERTEX_MODE_EXT, NULL,
    PROC(vkCmdSetProvokingVertexModeEXT)(command_buffer, VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT),
    MORE)
UNSET(negative_one_unset, "None-07639", DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT, NULL, MORE)
SET(negative_one_set, DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT, NULL,
    PROC(vkCmdSetDepthClipNegativeOneToOneEXT)(command_buffer, VK_FALSE), MORE)
UNSET(line_mode_unset, "None-08666", LINE_RASTERIZATION_MODE_EXT, make_lines, MORE)
SET(line_mode_set, LINE_RASTERIZATION_MODE_EXT, make_lines,
    PROC(vkCmdSetLineRasterizationModeEXT)(command_buffer, VK_LINE_RASTERIZATION_MODE_BRESENHAM),
    MORE)
SET(line_mode_of_triangles, LINE_RASTERIZATION_MODE_EXT, NULL, (void)command_buffer, MORE)
UNSET(line_stipple_enable_unset, "None-08669", LINE_STIPPLE_ENABLE_EXT, make_lines, MORE)
SET(line_stipple_enable_set, LINE_STIPPLE_ENABLE_EXT, make_lines,
    PROC(vkCmdSetLineStippleEnableEXT)(command_buffer, VK_FALSE), MORE)
UNSET(rate_unset, "pipelineFragmentShadingRate-09238", FRAGMENT_SHADING_RATE_KHR, NULL, MORE)
SET(rate_set, FRAGMENT_SHADING_RATE_KHR, NULL,
    PROC(vkCmdSetFragmentShadingRateKHR)(command_buffer, &(VkExtent2D){1, 1},
                                         (const VkFragmentShadingRateCombinerOpKHR[2]){0}),
    MORE)
UNSET(feedback_loop_unset, "None-08877", ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT, NULL, MORE)
SET(feedback_loop_set, ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT, NULL,
    PROC(vkCmdSetAttachmentFeedbackLoopEnableEXT)(command_buffer, 0), MORE)

/* "... and the current value of rasterizerDiscardEnable is VK_FALSE". */
static void make_discarding(struct graphics_pipeline *pipeline)
{
    pipeline->rasterization.rasterizerDiscardEnable = VK_TRUE;
    pipeline->info.stageCount = 1;
}
SET(feedback_loop_of_nothing, ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT, make_discarding,
    (void)command_buffer, MORE)

static void with_rectangles(struct graphics_pipeline *pipeline)
{
    static const VkRect2D rectangle = {{0, 0}, {1, 1}};
    static const VkPipelineDiscardRectangleStateCreateInfoEXT rectangles = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT,
        .discardRectangleCount = 1,
        .pDiscardRectangles = &rectangle};
    pipeline->info.pNext = &rectangles;
}
UNSET(discard_rectangle_unset, "None-07880", DISCARD_RECTANGLE_ENABLE_EXT, with_rectangles, MORE)
SET(discard_rectangle_set, DISCARD_RECTANGLE_ENABLE_EXT, with_rectangles,
    PROC(vkCmdSetDiscardRectangleEnableEXT)(command_buffer, VK_FALSE), MORE)

static void make_clamped(struct graphics_pipeline *pipeline)
{
    pipeline->rasterization.depthClampEnable = VK_TRUE;
}
UNSET(clamp_range_unset, "None-09650", DEPTH_CLAMP_RANGE_EXT, make_clamped, MORE)
SET(clamp_range_set, DEPTH_CLAMP_RANGE_EXT, make_clamped,
    PROC(vkCmdSetDepthClampRangeEXT)(command_buffer, VK_DEPTH_CLAMP_MODE_VIEWPORT_RANGE_EXT, NULL),
    MORE)
SET(clamp_range_without_clamp, DEPTH_CLAMP_RANGE_EXT, NULL, (void)command_buffer, MORE)

static void make_stippled(struct graphics_pipeline *pipeline)
{
    static const VkPipelineRasterizationLineStateCreateInfo line = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM,
        .stippledLineEnable = VK_TRUE,
        .lineStippleFactor = 1};
    pipeline->rasterization.pNext = &line;
    make_lines(pipeline);
}
UNSET(line_stipple_unset, "None-07849", LINE_STIPPLE, make_stippled, MORE)
SET(line_stipple_set, LINE_STIPPLE, make_stippled,
    PROC(vkCmdSetLineStippleEXT)(command_buffer, 1, 0xf0f0), MORE)

static void make_located(struct graphics_pipeline *pipeline)
{
    static const VkPipelineSampleLocationsStateCreateInfoEXT locations = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT,
        .sampleLocationsEnable = VK_TRUE,
        .sampleLocationsInfo = {.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT}};
    pipeline->multisample.pNext = &locations;
}
UNSET(locations_unset, "None-06666", SAMPLE_LOCATIONS_EXT, make_located, MORE)

/* --- values that do not fit --- */

static void set_one_write(struct baseline *b, VkCommandBuffer command_buffer)
{
    PROC(vkCmdSetColorWriteEnableEXT)(command_buffer, 1, (VkBool32[]){1});
}

static VkPipeline make_of_two_colors(struct baseline *b, VkRenderPass pass)
{
    struct graphics_pipeline pipeline;
    const VkDynamicState state = VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT;
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = &state};
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), pass);
    const VkPipelineColorBlendAttachmentState blends[2] = {pipeline.blend_attachment,
                                                           pipeline.blend_attachment};
    pipeline.color_blend.attachmentCount = 2;
    pipeline.color_blend.pAttachments = blends;
    pipeline.info.pDynamicState = &dynamic;
    return create_graphics_pipeline(b, &pipeline.info);
}

SCENARIO(color_writes_of_fewer, MORE, .expect = {"VUID-vkCmdDraw-attachmentCount-07750"})
{
    const VkImageView views[2] = {make_image_view(b), make_image_view(b)};
    const VkAttachmentReference references[2] = {{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
                                                 {1, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL}};
    VkRenderPassCreateInfo pass_info = render_pass_info();
    const VkAttachmentDescription attachments[2] = {pass_info.pAttachments[0],
                                                    pass_info.pAttachments[0]};
    const VkSubpassDescription subpass = {.colorAttachmentCount = 2,
                                          .pColorAttachments = references};
    pass_info.attachmentCount = 2;
    pass_info.pAttachments = attachments;
    pass_info.pSubpasses = &subpass;
    VkRenderPass pass = create_render_pass(b, &pass_info);
    VkFramebufferCreateInfo framebuffer = framebuffer_info(pass, views);
    framebuffer.attachmentCount = 2;
    VkCommandBuffer command_buffer = make_recording(b);
    VkRenderPassBeginInfo begin = render_pass_begin_info(pass, create_framebuffer(b, &framebuffer));
    const VkClearValue clears[2] = {0};
    begin.clearValueCount = 2;
    begin.pClearValues = clears;
    vkCmdBeginRenderPass(command_buffer, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, make_of_two_colors(b, pass));
    set_one_write(b, command_buffer);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

/* A pass of four samples would hide the mistake by others: the mask is too small for what is set
 * here. */
SCENARIO(sample_mask_of_fewer, MORE,
         .expect = {"VUID-vkCmdDraw-samples-07473", "VUID-vkCmdDraw-None-08644"},
         .text = {
             "in color attachment 0 of subpass 0 (attachment 0 of the render pass, VkImageView 0x",
             " are rasterized"})
{
    VkCommandBuffer command_buffer =
        begin_varied(b, &(struct variation){.state = VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
                                            .with = VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT,
                                            .set = set_one_write});
    PROC(vkCmdSetSampleMaskEXT)(command_buffer, VK_SAMPLE_COUNT_1_BIT, (VkSampleMask[]){1});
    PROC(vkCmdSetRasterizationSamplesEXT)(command_buffer, VK_SAMPLE_COUNT_4_BIT);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

SCENARIO(patches_without_tessellation, MORE, .expect = {"VUID-vkCmdDraw-primitiveTopology-10747"})
{
    VkCommandBuffer command_buffer =
        begin_varied(b, &(struct variation){.state = VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY});
    vkCmdSetPrimitiveTopology(command_buffer, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

static void make_overestimating(struct graphics_pipeline *pipeline)
{
    static const VkPipelineRasterizationConservativeStateCreateInfoEXT conservative = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT,
        .conservativeRasterizationMode = VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT};
    pipeline->rasterization.pNext = &conservative;
}

UNSET(overestimation_unset, "None-07632", EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT,
      make_overestimating, MORE)
SET(overestimation_set, EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT, make_overestimating,
    PROC(vkCmdSetExtraPrimitiveOverestimationSizeEXT)(command_buffer, 0), MORE)
SET(overestimation_off, EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT, with_overestimation,
    (void)command_buffer, MORE)
