/* Draws with vertex attributes, tessellation and geometry shaders: the buffers and the dynamic
 * state that these stages take. */
#include "scenario.h"

#include "shader_interface.h"

static const VkPhysicalDeviceTransformFeedbackFeaturesEXT streams = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .transformFeedback = VK_TRUE,
    .geometryStreams = VK_TRUE};
static const VkPhysicalDeviceExtendedDynamicState2FeaturesEXT dynamic2 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
    .pNext = (void *)&streams,
    .extendedDynamicState2PatchControlPoints = VK_TRUE};
static const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic3 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
    .pNext = (void *)&dynamic2,
    .extendedDynamicState3TessellationDomainOrigin = VK_TRUE,
    .extendedDynamicState3RasterizationStream = VK_TRUE};
static const VkPhysicalDeviceFeatures2 stages = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&dynamic3,
    .features = {.tessellationShader = VK_TRUE, .geometryShader = VK_TRUE}};
#define STAGES                                                                           \
    .features = &stages, .drivers = NULL_DRIVER,                                         \
    .null_driver = "{\"properties\": {\"dynamicPrimitiveTopologyUnrestricted\": true}}", \
    .extensions = {"VK_EXT_transform_feedback", "VK_EXT_extended_dynamic_state2",        \
                   "VK_EXT_extended_dynamic_state3"}
#define DRAW(id_, text_) .expect = {"VUID-vkCmdDraw-" id_}, .text = {text_}

enum kind {
    PLAIN,
    TESSELLATION,
    TESSELLATION_OF_LINES,
    TESSELLATION_OF_POINTS,
    GEOMETRY,
    GEOMETRY_OF_LINES
};

static VkShaderModule make_evaluation(struct baseline *b, enum kind kind)
{
    return kind == TESSELLATION_OF_LINES    ? MAKE_SHADER(b, spirv_evaluation_lines)
           : kind == TESSELLATION_OF_POINTS ? MAKE_SHADER(b, spirv_evaluation_points)
                                            : MAKE_SHADER(b, spirv_evaluation);
}

static VkCommandBuffer begin_stages(struct baseline *b, enum kind kind, VkDynamicState state)
{
    static const VkPipelineTessellationStateCreateInfo tessellation = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
        .patchControlPoints = 3};
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = &state};
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    VkPipelineShaderStageCreateInfo list[4] = {
        stage_info(VK_SHADER_STAGE_VERTEX_BIT, MAKE_SHADER(b, spirv_vertex)),
        stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, MAKE_SHADER(b, spirv_fragment))};
    pipeline.info.stageCount = 2;
    pipeline.info.pStages = list;
    if (kind >= TESSELLATION && kind <= TESSELLATION_OF_POINTS) {
        list[2] =
            stage_info(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, MAKE_SHADER(b, spirv_control));
        list[3] = stage_info(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, make_evaluation(b, kind));
        pipeline.info.stageCount = 4;
        pipeline.info.pTessellationState = &tessellation;
        pipeline.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    } else if (kind >= GEOMETRY) {
        list[2] = stage_info(VK_SHADER_STAGE_GEOMETRY_BIT,
                             kind == GEOMETRY ? MAKE_SHADER(b, spirv_geometry)
                                              : MAKE_SHADER(b, spirv_geometry_strip));
        pipeline.info.stageCount = 3;
    }
    pipeline.info.pDynamicState = &dynamic;
    VkPipeline made = create_graphics_pipeline(b, &pipeline.info);
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, made);
    return command_buffer;
}

#define DRAWN(name_, kind_, state_, set_, ...)                                              \
    SCENARIO(name_, STAGES, ##__VA_ARGS__)                                                  \
    {                                                                                       \
        VkCommandBuffer command_buffer = begin_stages(b, kind_, VK_DYNAMIC_STATE_##state_); \
        set_;                                                                               \
        vkCmdDraw(command_buffer, 3, 1, 0, 0);                                              \
    }

/* The last stage before rasterization says what is rasterized. */
#define LINES_UNSET DRAW("None-08617", "VK_DYNAMIC_STATE_LINE_WIDTH")
DRAWN(lines_of_geometry_unset, GEOMETRY_OF_LINES, LINE_WIDTH, (void)0, LINES_UNSET)
DRAWN(lines_of_geometry, GEOMETRY_OF_LINES, LINE_WIDTH, vkCmdSetLineWidth(command_buffer, 1))
DRAWN(triangles_of_geometry, GEOMETRY, LINE_WIDTH, (void)0)
DRAWN(lines_of_tessellation_unset, TESSELLATION_OF_LINES, LINE_WIDTH, (void)0, LINES_UNSET)
DRAWN(lines_of_tessellation, TESSELLATION_OF_LINES, LINE_WIDTH,
      vkCmdSetLineWidth(command_buffer, 1))
DRAWN(triangles_of_tessellation, TESSELLATION, LINE_WIDTH, (void)0)
/* PointMode comes before Isolines. */
DRAWN(points_of_tessellation, TESSELLATION_OF_POINTS, LINE_WIDTH, (void)0)

DRAWN(patch_points, TESSELLATION, PATCH_CONTROL_POINTS_EXT,
      DEVICE_PROC(b, vkCmdSetPatchControlPointsEXT)(command_buffer, 3))
DRAWN(patch_points_unset, TESSELLATION, PATCH_CONTROL_POINTS_EXT, (void)0,
      DRAW("None-04875", "VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT"))
DRAWN(patch_points_of_triangles, PLAIN, PATCH_CONTROL_POINTS_EXT, (void)0)
DRAWN(domain_origin, TESSELLATION, TESSELLATION_DOMAIN_ORIGIN_EXT,
      DEVICE_PROC(b, vkCmdSetTessellationDomainOriginEXT)(command_buffer,
                                                          VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT))
DRAWN(domain_origin_unset, TESSELLATION, TESSELLATION_DOMAIN_ORIGIN_EXT, (void)0,
      DRAW("None-07619", "VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT"))
DRAWN(domain_origin_of_triangles, PLAIN, TESSELLATION_DOMAIN_ORIGIN_EXT, (void)0)
DRAWN(rasterization_stream, GEOMETRY, RASTERIZATION_STREAM_EXT,
      DEVICE_PROC(b, vkCmdSetRasterizationStreamEXT)(command_buffer, 0))
DRAWN(rasterization_stream_unset, GEOMETRY, RASTERIZATION_STREAM_EXT, (void)0,
      DRAW("None-07630", "VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT"))
DRAWN(rasterization_stream_of_vertices, PLAIN, RASTERIZATION_STREAM_EXT, (void)0)
DRAWN(tessellated_patches, TESSELLATION, PRIMITIVE_TOPOLOGY,
      vkCmdSetPrimitiveTopology(command_buffer, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST))
DRAWN(tessellated_triangles, TESSELLATION, PRIMITIVE_TOPOLOGY,
      vkCmdSetPrimitiveTopology(command_buffer, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST),
      DRAW("primitiveTopology-10286",
           "but the current primitiveTopology is VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, not "
           "VK_PRIMITIVE_TOPOLOGY_PATCH_LIST"))

/* --- vertex buffers --- */

static VkCommandBuffer begin_with_attribute(struct baseline *b)
{
    static const VkVertexInputBindingDescription binding = {.binding = 1, .stride = 16};
    static const VkVertexInputAttributeDescription attribute = {
        .location = 2, .binding = 1, .format = VK_FORMAT_R32G32B32A32_SFLOAT};
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    pipeline.stages[0] =
        stage_info(VK_SHADER_STAGE_VERTEX_BIT, MAKE_SHADER(b, spirv_vertex_attribute));
    pipeline.stages[1] = stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, MAKE_SHADER(b, spirv_fragment));
    pipeline.vertex_input.vertexBindingDescriptionCount =
        pipeline.vertex_input.vertexAttributeDescriptionCount = 1;
    pipeline.vertex_input.pVertexBindingDescriptions = &binding;
    pipeline.vertex_input.pVertexAttributeDescriptions = &attribute;
    VkPipeline made = create_graphics_pipeline(b, &pipeline.info);
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, made);
    return command_buffer;
}

static void bind_stage_vertices(struct baseline *b, VkCommandBuffer command_buffer,
                                uint32_t binding)
{
    const VkBuffer buffer = make_buffer(b, 256, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const VkDeviceSize offset = 0;
    vkCmdBindVertexBuffers(command_buffer, binding, 1, &buffer, &offset);
}

SCENARIO(vertex_buffer)
{
    VkCommandBuffer command_buffer = begin_with_attribute(b);
    bind_stage_vertices(b, command_buffer, 1);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

static const VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR by_address = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
    .deviceAddressCommands = VK_TRUE};
#define BY_ADDRESS                                   \
    .drivers = NULL_DRIVER, .features = &by_address, \
    .extensions = {"VK_KHR_device_address_commands"}

static void draw_at_no_address(struct baseline *b, VkDeviceSize size)
{
    const VkBindVertexBuffer3InfoKHR vertices = {
        .sType = VK_STRUCTURE_TYPE_BIND_VERTEX_BUFFER_3_INFO_KHR, .addressRange = {.size = size}};
    VkCommandBuffer command_buffer = begin_with_attribute(b);
    DEVICE_PROC(b, vkCmdBindVertexBuffers3KHR)(command_buffer, 1, 1, &vertices);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

/* The bind says it, and the draw does not say it again. */
SCENARIO(vertices_at_address_0, BY_ADDRESS, .proceed = true,
         .expect = {"VUID-VkStridedDeviceAddressRangeKHR-size-11411"})
{
    draw_at_no_address(b, 256);
}
SCENARIO(vertices_bound_of_size_0, BY_ADDRESS, .proceed = true,
         .expect = {"VUID-VkBindVertexBuffer3InfoKHR-size-13072"})
{
    draw_at_no_address(b, 0);
}

SCENARIO(vertex_buffer_of_another_binding,
         DRAW("None-04007", "has no vertex buffer bound to binding 1, from which the vertex shader "
                            "reads location 2"))
{
    VkCommandBuffer command_buffer = begin_with_attribute(b);
    bind_stage_vertices(b, command_buffer, 0);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

/* --- patches and primitive restart --- */

static const VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT lists_restart = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT,
    .pNext = (void *)&stages,
    .primitiveTopologyListRestart = VK_TRUE};
#define RESTARTED(name_, restart_, ...)                                                    \
    SCENARIO(name_, STAGES, .features = &lists_restart,                                    \
             .extensions = {"VK_EXT_transform_feedback", "VK_EXT_extended_dynamic_state2", \
                            "VK_EXT_extended_dynamic_state3",                              \
                            "VK_EXT_primitive_topology_list_restart"},                     \
             ##__VA_ARGS__)                                                                \
    {                                                                                      \
        VkCommandBuffer command_buffer =                                                   \
            begin_stages(b, TESSELLATION, VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE);      \
        vkCmdSetPrimitiveRestartEnable(command_buffer, restart_);                          \
        vkCmdDraw(command_buffer, 3, 1, 0, 0);                                             \
    }
#pragma GCC diagnostic ignored "-Woverride-init"
RESTARTED(patches_restarted, VK_TRUE,
          DRAW("None-10909", "the feature primitiveTopologyPatchListRestart is not enabled"))
RESTARTED(patches_not_restarted, VK_FALSE)
