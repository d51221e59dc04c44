/* Dynamic state that a pipeline takes from the command buffer must have been set before a draw, where its value matters (10.17 "Dynamic State", 20
 * "Drawing Commands"). */
#include "scenario.h"

/* What a scenario varies of the pipeline that is drawn with. */
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
    VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                .dynamicStateCount = varied->set ? 2 : 1,
                                                .pDynamicStates = states};
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    depth_stencil =
        (VkPipelineDepthStencilStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    pipeline.info.pDepthStencilState = &depth_stencil;
    pipeline.info.pDynamicState = &dynamic;
    if (varied->state == VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT)
        pipeline.viewport_state.viewportCount = 0;
    if (varied->state == VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT)
        pipeline.viewport_state.scissorCount = 0;
    if (varied->change)
        varied->change(&pipeline);
    VkPipeline made = create_graphics_pipeline(b, &pipeline.info);
    REQUIRE(made);
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

static void lines(struct graphics_pipeline *pipeline)
{
    pipeline->input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
}

static void biased(struct graphics_pipeline *pipeline)
{
    pipeline->rasterization.depthBiasEnable = VK_TRUE;
}

static void bounded(struct graphics_pipeline *pipeline)
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

static void logic(struct graphics_pipeline *pipeline)
{
    pipeline->color_blend.logicOpEnable = VK_TRUE;
}

/* --- Vulkan 1.0 --- */

#define UNSET(name_, number_, state_, change_, ...)                                                              \
    SCENARIO(name_, .expect = {"VUID-vkCmdDraw-" number_}, .text = {"VK_DYNAMIC_STATE_" #state_}, ##__VA_ARGS__) \
    {                                                                                                            \
        draw_unset(b, &(struct variation){.state = VK_DYNAMIC_STATE_##state_, .change = change_});               \
    }
/* The one that sets it; and with the state not mattering, where there is such a case. */
#define SET(name_, state_, change_, action_, ...)                                                             \
    static void set_##name_(struct baseline *b, VkCommandBuffer command_buffer)                               \
    {                                                                                                         \
        action_;                                                                                              \
    }                                                                                                         \
    SCENARIO(name_, ##__VA_ARGS__)                                                                            \
    {                                                                                                         \
        draw_set(b, &(struct variation){.state = VK_DYNAMIC_STATE_##state_, .change = change_}, set_##name_); \
    }

static const VkPhysicalDeviceFeatures2 core_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.depthBounds = VK_TRUE, .logicOp = VK_TRUE, .wideLines = VK_TRUE, .depthBiasClamp = VK_TRUE}};

UNSET(viewport_unset, "None-07831", VIEWPORT, NULL)
SET(viewport_set, VIEWPORT, NULL, vkCmdSetViewport(command_buffer, 0, 1, (&(VkViewport){0, 0, 64, 64, 0, 1})))
UNSET(scissor_unset, "None-07832", SCISSOR, NULL)
SET(scissor_set, SCISSOR, NULL, vkCmdSetScissor(command_buffer, 0, 1, (&(VkRect2D){.extent = {64, 64}})))
UNSET(line_width_unset, "None-08617", LINE_WIDTH, lines)
SET(line_width_set, LINE_WIDTH, lines, vkCmdSetLineWidth(command_buffer, 1))
SET(line_width_of_triangles, LINE_WIDTH, NULL, (void)command_buffer)
UNSET(depth_bias_unset, "None-07834", DEPTH_BIAS, biased)
SET(depth_bias_set, DEPTH_BIAS, biased, vkCmdSetDepthBias(command_buffer, 0, 0, 0))
SET(depth_bias_off, DEPTH_BIAS, NULL, (void)command_buffer)
UNSET(blend_constants_unset, "None-07835", BLEND_CONSTANTS, blended_with_constants)
SET(blend_constants_set, BLEND_CONSTANTS, blended_with_constants, vkCmdSetBlendConstants(command_buffer, (float[4]){0}))
SET(blend_constants_not_used, BLEND_CONSTANTS, NULL, (void)command_buffer)
UNSET(depth_bounds_unset, "None-07836", DEPTH_BOUNDS, bounded, .features = &core_features, .drivers = NULL_DRIVER)
SET(depth_bounds_set, DEPTH_BOUNDS, bounded, vkCmdSetDepthBounds(command_buffer, 0, 1), .features = &core_features,
    .drivers = NULL_DRIVER)
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
SET(depth_write_set, DEPTH_WRITE_ENABLE, depth_tested, vkCmdSetDepthWriteEnable(command_buffer, VK_FALSE))
SET(depth_write_without_test, DEPTH_WRITE_ENABLE, NULL, (void)command_buffer)
UNSET(depth_compare_unset, "None-07845", DEPTH_COMPARE_OP, depth_tested)
SET(depth_compare_set, DEPTH_COMPARE_OP, depth_tested, vkCmdSetDepthCompareOp(command_buffer, VK_COMPARE_OP_LESS))
UNSET(depth_bounds_test_unset, "None-07846", DEPTH_BOUNDS_TEST_ENABLE, NULL, .features = &core_features,
      .drivers = NULL_DRIVER)
SET(depth_bounds_test_set, DEPTH_BOUNDS_TEST_ENABLE, NULL, vkCmdSetDepthBoundsTestEnable(command_buffer, VK_FALSE),
    .features = &core_features, .drivers = NULL_DRIVER)
UNSET(stencil_test_unset, "None-07847", STENCIL_TEST_ENABLE, NULL)
SET(stencil_test_set, STENCIL_TEST_ENABLE, NULL, vkCmdSetStencilTestEnable(command_buffer, VK_FALSE))
UNSET(stencil_op_unset, "None-07848", STENCIL_OP, stencil_tested)
SET(stencil_op_set, STENCIL_OP, stencil_tested,
    vkCmdSetStencilOp(command_buffer, VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP,
                      VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS))
UNSET(viewports_unset, "viewportCount-03417", VIEWPORT_WITH_COUNT, NULL)
SET(viewports_set, VIEWPORT_WITH_COUNT, NULL,
    vkCmdSetViewportWithCount(command_buffer, 1, (&(VkViewport){0, 0, 64, 64, 0, 1})))
UNSET(scissors_unset, "scissorCount-03418", SCISSOR_WITH_COUNT, NULL)
SET(scissors_set, SCISSOR_WITH_COUNT, NULL,
    vkCmdSetScissorWithCount(command_buffer, 1, (&(VkRect2D){.extent = {64, 64}})))
UNSET(discard_unset, "None-04876", RASTERIZER_DISCARD_ENABLE, NULL)
SET(discard_set, RASTERIZER_DISCARD_ENABLE, NULL, vkCmdSetRasterizerDiscardEnable(command_buffer, VK_FALSE))
UNSET(depth_bias_enable_unset, "None-04877", DEPTH_BIAS_ENABLE, NULL)
SET(depth_bias_enable_set, DEPTH_BIAS_ENABLE, NULL, vkCmdSetDepthBiasEnable(command_buffer, VK_FALSE))
UNSET(restart_unset, "None-04879", PRIMITIVE_RESTART_ENABLE, NULL)
SET(restart_set, PRIMITIVE_RESTART_ENABLE, NULL, vkCmdSetPrimitiveRestartEnable(command_buffer, VK_FALSE))

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

SCENARIO(topology_of_another_class, .expect = {"VUID-vkCmdDraw-dynamicPrimitiveTopologyUnrestricted-07500"},
         .drivers = NULL_DRIVER)
{
    VkCommandBuffer command_buffer = begin_varied(b, &(struct variation){.state = VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY});
    vkCmdSetPrimitiveTopology(command_buffer, VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

SCENARIO(restart_of_list, .expect = {"VUID-vkCmdDraw-None-09637"}, .text = {"primitiveTopologyListRestart"})
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
#define EXTENDED                                                                                                    \
    .features = &dynamic3, .drivers = NULL_DRIVER,                                                                  \
    .extensions = {"VK_EXT_color_write_enable", "VK_EXT_extended_dynamic_state2", "VK_EXT_extended_dynamic_state3", \
                   "VK_EXT_conservative_rasterization", "VK_EXT_sample_locations"}
#define PROC(name_) DEVICE_PROC(b, name_)

UNSET(color_write_unset, "None-07749", COLOR_WRITE_ENABLE_EXT, NULL, EXTENDED)
SET(color_write_set, COLOR_WRITE_ENABLE_EXT, NULL,
    PROC(vkCmdSetColorWriteEnableEXT)(command_buffer, 1, (VkBool32[]){1}), EXTENDED)
UNSET(logic_op_unset, "logicOp-04878", LOGIC_OP_EXT, logic, EXTENDED)
SET(logic_op_set, LOGIC_OP_EXT, logic, PROC(vkCmdSetLogicOpEXT)(command_buffer, VK_LOGIC_OP_COPY), EXTENDED)
UNSET(polygon_mode_unset, "None-07621", POLYGON_MODE_EXT, NULL, EXTENDED)
SET(polygon_mode_set, POLYGON_MODE_EXT, NULL, PROC(vkCmdSetPolygonModeEXT)(command_buffer, VK_POLYGON_MODE_FILL),
    EXTENDED)
UNSET(samples_unset, "None-07622", RASTERIZATION_SAMPLES_EXT, NULL, EXTENDED)
SET(samples_set, RASTERIZATION_SAMPLES_EXT, NULL,
    PROC(vkCmdSetRasterizationSamplesEXT)(command_buffer, VK_SAMPLE_COUNT_1_BIT), EXTENDED)
UNSET(sample_mask_unset, "None-07623", SAMPLE_MASK_EXT, NULL, EXTENDED)
SET(sample_mask_set, SAMPLE_MASK_EXT, NULL,
    PROC(vkCmdSetSampleMaskEXT)(command_buffer, VK_SAMPLE_COUNT_1_BIT, (VkSampleMask[]){1}), EXTENDED)
UNSET(alpha_to_coverage_unset, "None-07624", ALPHA_TO_COVERAGE_ENABLE_EXT, NULL, EXTENDED)
SET(alpha_to_coverage_set, ALPHA_TO_COVERAGE_ENABLE_EXT, NULL,
    PROC(vkCmdSetAlphaToCoverageEnableEXT)(command_buffer, VK_FALSE), EXTENDED)
UNSET(logic_op_enable_unset, "None-07626", LOGIC_OP_ENABLE_EXT, NULL, EXTENDED)
SET(logic_op_enable_set, LOGIC_OP_ENABLE_EXT, NULL, PROC(vkCmdSetLogicOpEnableEXT)(command_buffer, VK_FALSE), EXTENDED)
UNSET(blend_enable_unset, "None-07627", COLOR_BLEND_ENABLE_EXT, NULL, EXTENDED)
SET(blend_enable_set, COLOR_BLEND_ENABLE_EXT, NULL,
    PROC(vkCmdSetColorBlendEnableEXT)(command_buffer, 0, 1, (VkBool32[]){0}), EXTENDED)
UNSET(color_mask_unset, "None-07629", COLOR_WRITE_MASK_EXT, NULL, EXTENDED)
SET(color_mask_set, COLOR_WRITE_MASK_EXT, NULL,
    PROC(vkCmdSetColorWriteMaskEXT)(command_buffer, 0, 1, (VkColorComponentFlags[]){15}), EXTENDED)
static void with_overestimation(struct graphics_pipeline *pipeline)
{
    static const VkPipelineRasterizationConservativeStateCreateInfoEXT conservative = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT};
    pipeline->rasterization.pNext = &conservative;
}

UNSET(conservative_unset, "None-07631", CONSERVATIVE_RASTERIZATION_MODE_EXT, with_overestimation, EXTENDED)
SET(conservative_set, CONSERVATIVE_RASTERIZATION_MODE_EXT, with_overestimation,
    PROC(vkCmdSetConservativeRasterizationModeEXT)(command_buffer, VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT),
    EXTENDED)
UNSET(locations_enable_unset, "None-07634", SAMPLE_LOCATIONS_ENABLE_EXT, NULL, EXTENDED)
SET(locations_enable_set, SAMPLE_LOCATIONS_ENABLE_EXT, NULL,
    PROC(vkCmdSetSampleLocationsEnableEXT)(command_buffer, VK_FALSE), EXTENDED)

/* With rasterization discarded what follows it does not matter. */
static void discarded(struct graphics_pipeline *pipeline)
{
    pipeline->rasterization.rasterizerDiscardEnable = VK_TRUE;
    pipeline->info.stageCount = 1;
}
SET(cull_mode_discarded, CULL_MODE, discarded, (void)command_buffer)
SET(stencil_test_discarded, STENCIL_TEST_ENABLE, discarded, (void)command_buffer)
SET(samples_discarded, RASTERIZATION_SAMPLES_EXT, discarded, (void)command_buffer, EXTENDED)

SCENARIO(counts_differ, .expect = {"VUID-vkCmdDraw-viewportCount-03419"}, .text = {"2 viewports", "1 scissors"},
         .drivers = NULL_DRIVER,
         .features = &(const VkPhysicalDeviceFeatures2){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                        .features = {.multiViewport = VK_TRUE}})
{
    struct graphics_pipeline pipeline;
    VkDynamicState states[2] = {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT};
    VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
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
