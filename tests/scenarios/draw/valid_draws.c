/* Valid programs of unusual kinds: pipelines, render passes and draws that an exception in a
 * sentence, a boundary or a feature makes legal. Nothing is found in any of them. */
#include "scenario.h"

#include <string.h>

#include "shader_interface.h"

/* The header defines the variable, and programs.c has it, too. */
#define shader_triangle_mesh shader_triangle_mesh_of_valid_draws
#include "shader_triangle_mesh.h"

#define CHAIN(name_, Type_, TYPE_, next_, ...) \
    static const Type_ name_ = {               \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE_, .pNext = (void *)(next_), __VA_ARGS__}
CHAIN(features13, VkPhysicalDeviceVulkan13Features, VULKAN_1_3_FEATURES, NULL,
      .dynamicRendering = VK_TRUE, .synchronization2 = VK_TRUE, .maintenance4 = VK_TRUE);
CHAIN(features11, VkPhysicalDeviceVulkan11Features, VULKAN_1_1_FEATURES, &features13,
      .multiview = VK_TRUE);
CHAIN(stages, VkPhysicalDeviceFeatures2, FEATURES_2, &features13,
      .features = {.tessellationShader = VK_TRUE,
                   .geometryShader = VK_TRUE,
                   .multiViewport = VK_TRUE,
                   .independentBlend = VK_TRUE});
CHAIN(meshes, VkPhysicalDeviceMeshShaderFeaturesEXT, MESH_SHADER_FEATURES_EXT, &features13,
      .meshShader = VK_TRUE);
CHAIN(mesh_libraries, VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT,
      GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, &meshes, .graphicsPipelineLibrary = VK_TRUE);
CHAIN(libraries, VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT,
      GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, &stages, .graphicsPipelineLibrary = VK_TRUE);
CHAIN(objects, VkPhysicalDeviceShaderObjectFeaturesEXT, SHADER_OBJECT_FEATURES_EXT, &stages,
      .shaderObject = VK_TRUE);
#define LIBRARY_EXTENSIONS "VK_KHR_pipeline_library", "VK_EXT_graphics_pipeline_library"

/* --- pipelines: dynamic rendering --- */

static VkFormat formats[8];
static VkPipelineRenderingCreateInfo rendering;
static VkPipelineDynamicStateCreateInfo dynamic_info;
static VkDynamicState states[32];
static VkPipelineDepthStencilStateCreateInfo depth_stencil;

static void fill_valid_pipeline(struct baseline *b, struct graphics_pipeline *p)
{
    begin_graphics_pipeline(b, p, make_empty_pipeline_layout(b), VK_NULL_HANDLE);
    for (uint32_t i = 0; i < 8; i++)
        formats[i] = COLOR_FORMAT;
    rendering =
        (VkPipelineRenderingCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                        .colorAttachmentCount = 1,
                                        .pColorAttachmentFormats = formats};
    depth_stencil = (VkPipelineDepthStencilStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    p->info.pNext = &rendering;
    p->info.pDepthStencilState = &depth_stencil;
}

#define DYNAMIC(...)                                                                          \
    make_states_dynamic(&p, sizeof((VkDynamicState[]){__VA_ARGS__}) / sizeof(VkDynamicState), \
                        (VkDynamicState[]){__VA_ARGS__})
static void make_states_dynamic(struct graphics_pipeline *p, size_t count,
                                const VkDynamicState *given)
{
    memcpy(states, given, count * sizeof(*given));
    dynamic_info = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = (uint32_t)count,
        .pDynamicStates = states};
    p->info.pDynamicState = &dynamic_info;
}

static VkImageView make_view_of_format(struct baseline *b, VkFormat format, VkImageUsageFlags usage)
{
    VkImageCreateInfo info = image_info(usage);
    info.format = format;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
    view.format = format;
    if (usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)
        view.subresourceRange.aspectMask =
            format == VK_FORMAT_S8_UINT ? VK_IMAGE_ASPECT_STENCIL_BIT : VK_IMAGE_ASPECT_DEPTH_BIT;
    return create_image_view(b, &view);
}

static VkImageView make_layers(struct baseline *b)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    info.arrayLayers = 2;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
    view.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    view.subresourceRange.layerCount = 2;
    return create_image_view(b, &view);
}

/* The state that a draw needs beside the pipeline. */
struct drawing {
    VkRenderingAttachmentInfo color[2], depth, stencil;
    VkRenderingInfo info;
    VkCommandBuffer commands;
};

static void fill_drawing(struct baseline *b, struct drawing *d)
{
    memset(d, 0, sizeof(*d));
    d->color[0] = rendering_attachment(make_image_view(b));
    d->color[1] = d->depth = d->stencil = rendering_attachment(VK_NULL_HANDLE);
    d->info = rendering_info(d->color);
    d->commands = make_recording(b);
}

#define PIPELINE(name_, fields_, ...)                 \
    SCENARIO(name_, UNWRAP fields_)                   \
    {                                                 \
        struct graphics_pipeline p;                   \
        fill_valid_pipeline(b, &p);                   \
        __VA_ARGS__;                                  \
        ENSURE(create_graphics_pipeline(b, &p.info)); \
    }
#define UNWRAP(...) __VA_ARGS__
/* A pipeline `p`, the rendering `d`, and what is set before the draw. */
#define DRAW(name_, fields_, change_, ...)                               \
    SCENARIO(name_, UNWRAP fields_)                                      \
    {                                                                    \
        struct graphics_pipeline p;                                      \
        struct drawing drawing, *d = &drawing;                           \
        fill_valid_pipeline(b, &p);                                      \
        fill_drawing(b, d);                                              \
        change_;                                                         \
        VkPipeline pipeline = create_graphics_pipeline(b, &p.info);      \
        ENSURE(pipeline);                                                \
        VkCommandBuffer c = d->commands;                                 \
        vkCmdBeginRendering(c, &d->info);                                \
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline); \
        __VA_ARGS__;                                                     \
        vkCmdDraw(c, 3, 1, 0, 0);                                        \
        vkCmdEndRendering(c);                                            \
    }
#define F13 .features = &features13

DRAW(nothing_special, (F13), , )
DRAW(no_attachments, (F13),
     (d->info.colorAttachmentCount = 0, rendering.colorAttachmentCount = 0,
      p.info.pColorBlendState = NULL, p.info.pDepthStencilState = NULL), )
DRAW(no_rendering_info, (F13),
     (d->info.colorAttachmentCount = 0, p.info.pNext = NULL, p.info.pColorBlendState = NULL), )
DRAW(null_color, (F13),
     (d->color[0].imageView = VK_NULL_HANDLE, formats[0] = VK_FORMAT_UNDEFINED,
      p.info.pColorBlendState = NULL), )
DRAW(depth_alone, (F13),
     (d->info.colorAttachmentCount = 0, rendering.colorAttachmentCount = 0,
      p.color_blend.attachmentCount = 0, rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT,
      d->depth.imageView = make_view_of_format(b, VK_FORMAT_D32_SFLOAT,
                                               VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT),
      d->depth.imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
      d->info.pDepthAttachment = &d->depth, depth_stencil.depthTestEnable = VK_TRUE), )
DRAW(depth_read_only, (F13),
     (rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT,
      d->depth.imageView = make_view_of_format(b, VK_FORMAT_D32_SFLOAT,
                                               VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT),
      d->depth.imageLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL,
      d->depth.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD, d->info.pDepthAttachment = &d->depth,
      depth_stencil.depthTestEnable = VK_TRUE), )
DRAW(depth_read_only_write_without_test, (F13),
     (rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT,
      d->depth.imageView = make_view_of_format(b, VK_FORMAT_D32_SFLOAT,
                                               VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT),
      d->depth.imageLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL,
      d->depth.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD, d->info.pDepthAttachment = &d->depth,
      depth_stencil.depthWriteEnable = VK_TRUE), )
#define DISCARD (p.rasterization.rasterizerDiscardEnable = VK_TRUE, p.info.stageCount = 1)
DRAW(discards, (F13),
     (DISCARD, p.info.pViewportState = NULL, p.info.pMultisampleState = NULL,
      p.info.pColorBlendState = NULL, p.info.pDepthStencilState = NULL), )
DRAW(discards_without_attachments, (F13),
     (DISCARD, p.info.pNext = NULL, d->info.colorAttachmentCount = 0), )
DRAW(discards_by_command, (F13),
     DYNAMIC(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE, VK_DYNAMIC_STATE_CULL_MODE,
             VK_DYNAMIC_STATE_FRONT_FACE, VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
             VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_LINE_WIDTH,
             VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE, VK_DYNAMIC_STATE_BLEND_CONSTANTS),
     vkCmdSetRasterizerDiscardEnable(c, VK_TRUE))
DRAW(discards_with_dynamic_viewport, (F13),
     (DISCARD, DYNAMIC(VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR)), )
DRAW(states_set_before_the_bind, (F13),
     DYNAMIC(VK_DYNAMIC_STATE_LINE_WIDTH, VK_DYNAMIC_STATE_CULL_MODE), vkCmdSetCullMode(c, 0);
     vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline))
DRAW(constants_of_no_blending, (F13),
     (DYNAMIC(VK_DYNAMIC_STATE_BLEND_CONSTANTS),
      p.blend_attachment.srcColorBlendFactor = VK_BLEND_FACTOR_CONSTANT_COLOR), )
DRAW(lines_of_points, (F13),
     (DYNAMIC(VK_DYNAMIC_STATE_LINE_WIDTH), p.rasterization.polygonMode = VK_POLYGON_MODE_FILL), )
DRAW(two_colors_one_null, (.features = &stages),
     (d->info.colorAttachmentCount = 2, rendering.colorAttachmentCount = 2,
      formats[1] = VK_FORMAT_UNDEFINED, p.color_blend.attachmentCount = 2,
      p.color_blend.pAttachments = (VkPipelineColorBlendAttachmentState[2]){p.blend_attachment,
                                                                            p.blend_attachment}), )

CHAIN(color_write, VkPhysicalDeviceColorWriteEnableFeaturesEXT, COLOR_WRITE_ENABLE_FEATURES_EXT,
      &features13, .colorWriteEnable = VK_TRUE);
DRAW(color_write_of_more, (.features = &color_write, .extensions = {"VK_EXT_color_write_enable"}),
     DYNAMIC(VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT), const VkBool32 yes[4] = {1, 1, 1, 1};
     DEVICE_PROC(b, vkCmdSetColorWriteEnableEXT)(c, 4, yes))

CHAIN(unused, VkPhysicalDeviceDynamicRenderingUnusedAttachmentsFeaturesEXT,
      DYNAMIC_RENDERING_UNUSED_ATTACHMENTS_FEATURES_EXT, &stages,
      .dynamicRenderingUnusedAttachments = VK_TRUE);
#define UNUSED .features = &unused, .extensions = {"VK_EXT_dynamic_rendering_unused_attachments"}
DRAW(unused_more_in_pipeline, (UNUSED),
     (rendering.colorAttachmentCount = 3, p.color_blend.attachmentCount = 3,
      p.color_blend.pAttachments = (VkPipelineColorBlendAttachmentState[3]){
          p.blend_attachment, p.blend_attachment, p.blend_attachment}), )
DRAW(unused_depth_in_pipeline, (UNUSED), rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT, )

/* --- all of extended dynamic state 3 --- */

CHAIN(three, VkPhysicalDeviceExtendedDynamicState3FeaturesEXT,
      EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, &features13,
      .extendedDynamicState3DepthClampEnable = VK_TRUE, .extendedDynamicState3PolygonMode = VK_TRUE,
      .extendedDynamicState3RasterizationSamples = VK_TRUE,
      .extendedDynamicState3SampleMask = VK_TRUE,
      .extendedDynamicState3AlphaToCoverageEnable = VK_TRUE,
      .extendedDynamicState3AlphaToOneEnable = VK_TRUE,
      .extendedDynamicState3LogicOpEnable = VK_TRUE,
      .extendedDynamicState3ColorBlendEnable = VK_TRUE,
      .extendedDynamicState3ColorBlendEquation = VK_TRUE,
      .extendedDynamicState3ColorWriteMask = VK_TRUE,
      .extendedDynamicState3ProvokingVertexMode = VK_TRUE,
      .extendedDynamicState3LineRasterizationMode = VK_TRUE,
      .extendedDynamicState3LineStippleEnable = VK_TRUE,
      .extendedDynamicState3DepthClipEnable = VK_TRUE);
CHAIN(two, VkPhysicalDeviceExtendedDynamicState2FeaturesEXT, EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
      &three, .extendedDynamicState2LogicOp = VK_TRUE);
#define THREE         \
    .features = &two, \
    .extensions = {"VK_EXT_extended_dynamic_state3", "VK_EXT_extended_dynamic_state2"}
#define ALL_DYNAMIC                                                                              \
    DYNAMIC(VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE, \
            VK_DYNAMIC_STATE_POLYGON_MODE_EXT, VK_DYNAMIC_STATE_CULL_MODE,                       \
            VK_DYNAMIC_STATE_FRONT_FACE, VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,                     \
            VK_DYNAMIC_STATE_DEPTH_BIAS, VK_DYNAMIC_STATE_LINE_WIDTH,                            \
            VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,        \
            VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT, VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,   \
            VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,              \
            VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,     \
            VK_DYNAMIC_STATE_STENCIL_OP, VK_DYNAMIC_STATE_DEPTH_BOUNDS,                          \
            VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, VK_DYNAMIC_STATE_LOGIC_OP_EXT,                 \
            VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,  \
            VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, VK_DYNAMIC_STATE_BLEND_CONSTANTS,             \
            VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT)
#define NO_STATES                                                      \
    p.info.pViewportState = NULL, p.info.pRasterizationState = NULL,   \
    p.info.pMultisampleState = NULL, p.info.pDepthStencilState = NULL, \
    p.info.pColorBlendState = NULL
static void set_all(struct baseline *b, VkCommandBuffer c)
{
    const VkViewport viewport = {.width = IMAGE_EXTENT, .height = IMAGE_EXTENT, .maxDepth = 1};
    const VkRect2D scissor = {.extent = {IMAGE_EXTENT, IMAGE_EXTENT}};
    const VkSampleMask mask = 1;
    const VkBool32 no = VK_FALSE;
    const VkColorComponentFlags all = 15;
    vkCmdSetViewportWithCount(c, 1, &viewport);
    vkCmdSetScissorWithCount(c, 1, &scissor);
    vkCmdSetRasterizerDiscardEnable(c, VK_FALSE);
    vkCmdSetCullMode(c, VK_CULL_MODE_NONE);
    vkCmdSetFrontFace(c, VK_FRONT_FACE_CLOCKWISE);
    vkCmdSetDepthTestEnable(c, VK_FALSE);
    vkCmdSetStencilTestEnable(c, VK_FALSE);
    vkCmdSetDepthBiasEnable(c, VK_FALSE);
    DEVICE_PROC(b, vkCmdSetPolygonModeEXT)(c, VK_POLYGON_MODE_FILL);
    DEVICE_PROC(b, vkCmdSetRasterizationSamplesEXT)(c, VK_SAMPLE_COUNT_1_BIT);
    DEVICE_PROC(b, vkCmdSetSampleMaskEXT)(c, VK_SAMPLE_COUNT_1_BIT, &mask);
    DEVICE_PROC(b, vkCmdSetAlphaToCoverageEnableEXT)(c, VK_FALSE);
    DEVICE_PROC(b, vkCmdSetColorBlendEnableEXT)(c, 0, 1, &no);
    DEVICE_PROC(b, vkCmdSetColorWriteMaskEXT)(c, 0, 1, &all);
}
DRAW(all_states_dynamic, (THREE), (ALL_DYNAMIC, NO_STATES), set_all(b, c))
DRAW(all_states_dynamic_and_discarded, (THREE), (ALL_DYNAMIC, NO_STATES),
     vkCmdSetRasterizerDiscardEnable(c, VK_TRUE);
     const VkViewport viewport = {.width = 1, .height = 1}; const VkRect2D scissor = {0};
     vkCmdSetViewportWithCount(c, 1, &viewport); vkCmdSetScissorWithCount(c, 1, &scissor))
DRAW(all_states_dynamic_without_colors, (THREE),
     (ALL_DYNAMIC, NO_STATES, d->color[0].imageView = VK_NULL_HANDLE,
      formats[0] = VK_FORMAT_UNDEFINED),
     set_all(b, c))
DRAW(blend_count_ignored, (THREE),
     (ALL_DYNAMIC, p.color_blend.attachmentCount = 7, p.color_blend.pAttachments = NULL,
      p.viewport_state.viewportCount = p.viewport_state.scissorCount = 0),
     set_all(b, c))

/* --- vertex input --- */

static const VkVertexInputBindingDescription binding = {.stride = 16};
static const VkVertexInputAttributeDescription attribute = {
    .location = 2, .format = VK_FORMAT_R32G32B32A32_SFLOAT};
#define ATTRIBUTE                                                                                 \
    p.stages[0] = stage_info(VK_SHADER_STAGE_VERTEX_BIT, MAKE_SHADER(b, spirv_vertex_attribute)), \
    p.stages[1] = stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, MAKE_SHADER(b, spirv_fragment))
CHAIN(input, VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT,
      VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT, &features13, .vertexInputDynamicState = VK_TRUE);
#define INPUT .features = &input, .extensions = {"VK_EXT_vertex_input_dynamic_state"}
static void set_input(struct baseline *b, VkCommandBuffer c)
{
    const VkVertexInputBindingDescription2EXT binding2 = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
        .binding = 3,
        .stride = 16,
        .divisor = 1};
    const VkVertexInputAttributeDescription2EXT attribute2 = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
        .location = 2,
        .binding = 3,
        .format = VK_FORMAT_R32G32B32A32_SFLOAT};
    VkBuffer buffer = make_buffer(b, 256, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const VkDeviceSize zero = 0;
    DEVICE_PROC(b, vkCmdSetVertexInputEXT)(c, 1, &binding2, 1, &attribute2);
    vkCmdBindVertexBuffers(c, 3, 1, &buffer, &zero);
}
DRAW(vertex_input_by_command, (INPUT),
     (ATTRIBUTE, p.info.pVertexInputState = NULL, DYNAMIC(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT)),
     set_input(b, c))
DRAW(vertex_input_by_command_beside_garbage, (INPUT),
     (ATTRIBUTE, p.info.pVertexInputState = (void *)64, DYNAMIC(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT)),
     set_input(b, c))
DRAW(stride_by_command, (F13),
     (ATTRIBUTE, p.vertex_input.vertexBindingDescriptionCount = 1,
      p.vertex_input.pVertexBindingDescriptions = &binding,
      p.vertex_input.vertexAttributeDescriptionCount = 1,
      p.vertex_input.pVertexAttributeDescriptions = &attribute,
      DYNAMIC(VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE)),
     VkBuffer buffer = make_buffer(b, 256, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
     const VkDeviceSize zero = 0; const VkDeviceSize stride = 16;
     vkCmdBindVertexBuffers2(c, 0, 1, &buffer, &zero, NULL, &stride))
PIPELINE(bindings_that_nothing_reads, (F13), p.vertex_input.vertexBindingDescriptionCount = 1,
         p.vertex_input.pVertexBindingDescriptions = &binding,
         p.vertex_input.vertexAttributeDescriptionCount = 1,
         p.vertex_input.pVertexAttributeDescriptions = &attribute)

/* --- topologies --- */

DRAW(topology_by_command, (F13),
     DYNAMIC(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE),
     vkCmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
     vkCmdSetPrimitiveRestartEnable(c, VK_TRUE))
#define TESSELLATION                                                                               \
    VkPipelineShaderStageCreateInfo all[4] = {                                                     \
        stage_info(VK_SHADER_STAGE_VERTEX_BIT, MAKE_SHADER(b, spirv_vertex)),                      \
        stage_info(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, MAKE_SHADER(b, spirv_control)),       \
        stage_info(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, MAKE_SHADER(b, spirv_evaluation)), \
        stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, MAKE_SHADER(b, spirv_fragment))};                 \
    const VkPipelineTessellationStateCreateInfo patches = {                                        \
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,                        \
        .patchControlPoints = 3};                                                                  \
    p.info.stageCount = 4;                                                                         \
    p.info.pStages = all;                                                                          \
    p.info.pTessellationState = &patches;                                                          \
    p.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST
DRAW(tessellated, (.features = &stages), TESSELLATION, )
CHAIN(patches2, VkPhysicalDeviceExtendedDynamicState2FeaturesEXT,
      EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT, &stages,
      .extendedDynamicState2PatchControlPoints = VK_TRUE);
DRAW(patches_by_command, (.features = &patches2, .extensions = {"VK_EXT_extended_dynamic_state2"}),
     TESSELLATION;
     p.info.pTessellationState = NULL; DYNAMIC(VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT),
                                       DEVICE_PROC(b, vkCmdSetPatchControlPointsEXT)(c, 3))

/* --- mesh shaders, and libraries of them --- */

static VkPipeline make_valid_part(struct baseline *b, struct graphics_pipeline *p,
                                  VkGraphicsPipelineLibraryFlagsEXT flags)
{
    VkGraphicsPipelineLibraryCreateInfoEXT part = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .pNext = &rendering,
        .flags = flags};
    VkGraphicsPipelineCreateInfo info = p->info;
    bool pre = flags & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
         fragment = flags & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
    info.pNext = &part;
    info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    info.stageCount = (uint32_t)pre + (uint32_t)fragment;
    info.pStages = pre ? &p->stages[0] : &p->stages[1];
    VkPipeline made = create_graphics_pipeline(b, &info);
    ENSURE(made);
    return made;
}

static VkPipeline link_parts(struct baseline *b, struct graphics_pipeline *p, uint32_t count,
                             const VkPipeline *parts)
{
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        .libraryCount = count,
        .pLibraries = parts};
    const VkGraphicsPipelineCreateInfo info = {.sType =
                                                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &linked,
                                               .layout = p->info.layout,
                                               .basePipelineIndex = -1};
    VkPipeline made = create_graphics_pipeline(b, &info);
    ENSURE(made);
    return made;
}

#define PART(name_) VK_GRAPHICS_PIPELINE_LIBRARY_##name_##_BIT_EXT
static void draw_linked(struct baseline *b, VkPipeline pipeline, bool mesh)
{
    struct drawing d;
    fill_drawing(b, &d);
    vkCmdBeginRendering(d.commands, &d.info);
    vkCmdBindPipeline(d.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    if (mesh)
        DEVICE_PROC(b, vkCmdDrawMeshTasksEXT)(d.commands, 1, 1, 1);
    else
        vkCmdDraw(d.commands, 3, 1, 0, 0);
    vkCmdEndRendering(d.commands);
}

SCENARIO(mesh_of_libraries, .features = &mesh_libraries,
         .extensions = {"VK_EXT_mesh_shader", LIBRARY_EXTENSIONS})
{
    struct graphics_pipeline p;
    fill_valid_pipeline(b, &p);
    p.stages[0] = stage_info(VK_SHADER_STAGE_MESH_BIT_EXT, MAKE_SHADER(b, shader_triangle_mesh));
    p.stages[1] = stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, MAKE_SHADER(b, spirv_fragment_plain));
    p.info.pVertexInputState = NULL;
    p.info.pInputAssemblyState = NULL;
    const VkPipeline parts[3] = {make_valid_part(b, &p, PART(PRE_RASTERIZATION_SHADERS)),
                                 make_valid_part(b, &p, PART(FRAGMENT_SHADER)),
                                 make_valid_part(b, &p, PART(FRAGMENT_OUTPUT_INTERFACE))};
    draw_linked(b, link_parts(b, &p, 3, parts), true);
}

SCENARIO(four_libraries, .features = &libraries, .extensions = {LIBRARY_EXTENSIONS})
{
    struct graphics_pipeline p;
    fill_valid_pipeline(b, &p);
    const VkPipeline parts[4] = {make_valid_part(b, &p, PART(VERTEX_INPUT_INTERFACE)),
                                 make_valid_part(b, &p, PART(PRE_RASTERIZATION_SHADERS)),
                                 make_valid_part(b, &p, PART(FRAGMENT_SHADER)),
                                 make_valid_part(b, &p, PART(FRAGMENT_OUTPUT_INTERFACE))};
    draw_linked(b, link_parts(b, &p, 4, parts), false);
}

/* A part may leave everything out that belongs to others. */
SCENARIO(bare_libraries, .features = &libraries, .extensions = {LIBRARY_EXTENSIONS})
{
    struct graphics_pipeline p, q;
    fill_valid_pipeline(b, &p);
    q = p;
    p.info.pDepthStencilState = NULL;
    VkPipeline parts[4];
    p.info.pMultisampleState = NULL;
    p.info.pColorBlendState = NULL;
    p.info.pRasterizationState = NULL;
    p.info.pViewportState = NULL;
    VkPipelineLayout layout = p.info.layout;
    p.info.layout = VK_NULL_HANDLE;
    parts[0] = make_valid_part(b, &p, PART(VERTEX_INPUT_INTERFACE));
    p.info.pVertexInputState = NULL;
    p.info.pInputAssemblyState = NULL;
    p.info.pRasterizationState = q.info.pRasterizationState ? &p.rasterization : NULL;
    p.info.pViewportState = &p.viewport_state;
    p.info.layout = layout;
    parts[1] = make_valid_part(b, &p, PART(PRE_RASTERIZATION_SHADERS));
    p.info.pRasterizationState = NULL;
    p.info.pViewportState = NULL;
    p.info.pDepthStencilState = &depth_stencil;
    parts[2] = make_valid_part(b, &p, PART(FRAGMENT_SHADER));
    p.info.pDepthStencilState = NULL;
    p.info.pMultisampleState = &p.multisample;
    p.info.pColorBlendState = &p.color_blend;
    p.info.layout = VK_NULL_HANDLE;
    parts[3] = make_valid_part(b, &p, PART(FRAGMENT_OUTPUT_INTERFACE));
    p.info.layout = layout;
    draw_linked(b, link_parts(b, &p, 4, parts), false);
}

/* The fragment shader is the pipeline's own, and the output, which has no depth, a library's. */
SCENARIO(own_shader_with_output_of_a_library, .features = &libraries,
         .extensions = {LIBRARY_EXTENSIONS})
{
    struct graphics_pipeline p;
    fill_valid_pipeline(b, &p);
    const VkPipeline output = make_valid_part(b, &p, PART(FRAGMENT_OUTPUT_INTERFACE));
    VkPipelineLibraryCreateInfoKHR linked = {.sType =
                                                 VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                             .pNext = &rendering,
                                             .libraryCount = 1,
                                             .pLibraries = &output};
    const VkGraphicsPipelineLibraryCreateInfoEXT own = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .pNext = &linked,
        .flags =
            PART(VERTEX_INPUT_INTERFACE) | PART(PRE_RASTERIZATION_SHADERS) | PART(FRAGMENT_SHADER)};
    p.info.pNext = &own;
    p.info.pDepthStencilState = NULL;
    draw_linked(b, create_graphics_pipeline(b, &p.info), false);
}

/* Everything is discarded: nothing comes after the first two parts. */
SCENARIO(libraries_that_discard, .features = &libraries, .extensions = {LIBRARY_EXTENSIONS})
{
    struct graphics_pipeline p;
    fill_valid_pipeline(b, &p);
    p.rasterization.rasterizerDiscardEnable = VK_TRUE;
    p.info.pViewportState = NULL;
    const VkPipeline parts[2] = {make_valid_part(b, &p, PART(VERTEX_INPUT_INTERFACE)),
                                 make_valid_part(b, &p, PART(PRE_RASTERIZATION_SHADERS))};
    draw_linked(b, link_parts(b, &p, 2, parts), false);
}

/* --- multiview, and shader objects --- */

DRAW(two_views, (.features = &features11),
     (rendering.viewMask = 3, d->info.viewMask = 3, d->color[0].imageView = make_layers(b)), )

#define OBJECT(code_, stage_, next_)                                                           \
    make_drawn_object(b, spirv_##code_, sizeof(spirv_##code_), VK_SHADER_STAGE_##stage_##_BIT, \
                      next_)
static VkShaderEXT make_drawn_object(struct baseline *b, const uint32_t *code, size_t size,
                                     VkShaderStageFlagBits stage, VkShaderStageFlags next)
{
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = stage,
                                        .nextStage = next,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = size,
                                        .pCode = code,
                                        .pName = "main"};
    VkShaderEXT shader = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader));
    cleanup_add(b, destroy_shader, HANDLE(shader));
    return shader;
}

static void bind_five_objects(struct baseline *b, VkCommandBuffer c, const VkShaderEXT shaders[5])
{
    static const VkShaderStageFlagBits all[5] = {
        VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
        VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, VK_SHADER_STAGE_GEOMETRY_BIT,
        VK_SHADER_STAGE_FRAGMENT_BIT};
    DEVICE_PROC(b, vkCmdBindShadersEXT)(c, 5, all, shaders);
}

static void set_vertices(struct baseline *b, VkCommandBuffer c, VkPrimitiveTopology topology)
{
    vkCmdSetPrimitiveTopology(c, topology);
    vkCmdSetPrimitiveRestartEnable(c, VK_FALSE);
    DEVICE_PROC(b, vkCmdSetVertexInputEXT)(c, 0, NULL, 0, NULL);
}

#define OBJECTS(name_, ...)                                                                        \
    SCENARIO(name_, .features = &objects, .extensions = {"VK_EXT_shader_object"})                  \
    {                                                                                              \
        struct drawing drawing, *d = &drawing;                                                     \
        VkShaderEXT shaders[5] = {                                                                 \
            OBJECT(vertex, VERTEX, VK_SHADER_STAGE_FRAGMENT_BIT), [4] = OBJECT(fragment, FRAGMENT, \
                                                                               0)};                \
        fill_drawing(b, d);                                                                        \
        VkCommandBuffer c = d->commands;                                                           \
        vkCmdBeginRendering(c, &d->info);                                                          \
        set_all(b, c);                                                                             \
        set_vertices(b, c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);                                   \
        bind_five_objects(b, c, shaders);                                                          \
        __VA_ARGS__;                                                                               \
        vkCmdDraw(c, 3, 1, 0, 0);                                                                  \
        vkCmdEndRendering(c);                                                                      \
    }
OBJECTS(objects_alone, )
OBJECTS(objects_of_lines, vkCmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
        vkCmdSetLineWidth(c, 1))
OBJECTS(objects_without_fragments, shaders[0] = OBJECT(vertex, VERTEX, 0);
        shaders[4] = VK_NULL_HANDLE; bind_five_objects(b, c, shaders))
OBJECTS(objects_that_discard, vkCmdSetRasterizerDiscardEnable(c, VK_TRUE))
OBJECTS(objects_of_patches,
        shaders[0] = OBJECT(vertex, VERTEX, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
        shaders[1] = OBJECT(control, TESSELLATION_CONTROL,
                            VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
        shaders[2] = OBJECT(evaluation, TESSELLATION_EVALUATION, VK_SHADER_STAGE_FRAGMENT_BIT);
        vkCmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
        DEVICE_PROC(b, vkCmdSetPatchControlPointsEXT)(c, 3);
        DEVICE_PROC(b,
                    vkCmdSetTessellationDomainOriginEXT)(c,
                                                         VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT);
        bind_five_objects(b, c, shaders))
OBJECTS(objects_of_depth_bias, vkCmdSetDepthBiasEnable(c, VK_TRUE); vkCmdSetDepthBias(c, 1, 0, 1))

/* --- what is ignored --- */

#define NOWHERE ((void *)64)
#define FEW     ((void *)8)
PIPELINE(no_patches_beside_garbage, (F13), p.info.pTessellationState = NOWHERE)
PIPELINE(mesh_beside_garbage, (.features = &meshes, .extensions = {"VK_EXT_mesh_shader"}),
         p.stages[0] = stage_info(VK_SHADER_STAGE_MESH_BIT_EXT,
                                  MAKE_SHADER(b, shader_triangle_mesh));
         p.stages[1] = stage_info(VK_SHADER_STAGE_FRAGMENT_BIT,
                                  MAKE_SHADER(b, spirv_fragment_plain));
         p.info.pVertexInputState = NOWHERE; p.info.pInputAssemblyState = NOWHERE)
DRAW(discards_beside_garbage, (F13),
     (DISCARD, p.info.pViewportState = NOWHERE, p.info.pMultisampleState = NOWHERE,
      p.info.pColorBlendState = NOWHERE, p.info.pDepthStencilState = NOWHERE), )
PIPELINE(dynamic_viewports_beside_garbage, (F13), p.viewport_state.pViewports = FEW;
         p.viewport_state.pScissors = FEW;
         DYNAMIC(VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR))
PIPELINE(dynamic_counts_beside_garbage, (F13), p.viewport_state.pViewports = FEW;
         p.viewport_state.pScissors = FEW;
         p.viewport_state.viewportCount = p.viewport_state.scissorCount = 0;
         DYNAMIC(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT))
PIPELINE(logic_op_beside_garbage, (F13), p.color_blend.logicOp = (VkLogicOp)99)
PIPELINE(bounds_without_their_test, (F13), depth_stencil.minDepthBounds = 7;
         depth_stencil.maxDepthBounds = -7)
PIPELINE(clamp_without_bias, (F13), p.rasterization.depthBiasClamp = 3)
PIPELINE(base_beside_garbage, (F13), p.info.basePipelineIndex = 99;
         p.info.basePipelineHandle = GARBAGE(VkPipeline))
PIPELINE(no_dynamic_states, (F13), make_states_dynamic(&p, 0, states);
         dynamic_info.pDynamicStates = FEW)
PIPELINE(subpass_of_no_pass, (F13), p.info.subpass = 99)
PIPELINE(no_specialization, (F13),
         p.stages[0].pSpecializationInfo = &(const VkSpecializationInfo){.pMapEntries = FEW,
                                                                         .pData = FEW})
/* Entries for constants that the shader does not have. */
static const VkSpecializationMapEntry unknown_constants[] = {{900, 0, 4}, {901, 2, 1}, {902, 3, 1}};
PIPELINE(constants_that_the_shader_lacks, (F13),
         p.stages[0].pSpecializationInfo = &(const VkSpecializationInfo){3, unknown_constants, 4,
                                                                         "abc"})
static VkPipelineCreationFeedback feedback_of_pipeline;
PIPELINE(feedback_of_no_stage, (F13),
         rendering.pNext = &(const VkPipelineCreationFeedbackCreateInfo){
             .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
             .pPipelineCreationFeedback = &feedback_of_pipeline,
             .pPipelineStageCreationFeedbacks = FEW})
CHAIN(five, VkPhysicalDeviceMaintenance5FeaturesKHR, MAINTENANCE_5_FEATURES_KHR, &features13,
      .maintenance5 = VK_TRUE);
#define FIVE .features = &five, .extensions = {"VK_KHR_maintenance5"}
/* "If a VkPipelineCreateFlags2CreateInfo structure is present in the pNext chain, flags from that
 * structure is used." */
PIPELINE(flags_beside_flags2, (FIVE),
         rendering.pNext =
             &(const VkPipelineCreateFlags2CreateInfo){
                 .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
                 .flags = VK_PIPELINE_CREATE_2_DISABLE_OPTIMIZATION_BIT};
         p.info.flags = 0x7fffffff)
/* A stage may bring its code itself. */
PIPELINE(code_of_the_stage, (FIVE), p.stages[0].module = VK_NULL_HANDLE;
         const VkShaderModuleCreateInfo code = {.sType =
                                                    VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                .codeSize = sizeof(spirv_vertex),
                                                .pCode = spirv_vertex};
         p.stages[0].pNext = &code)

/* Formats are of the output alone: "the value of colorAttachmentCount ... is ignored" by the other
 * parts. */
SCENARIO(formats_of_parts_without_output, .features = &libraries,
         .extensions = {LIBRARY_EXTENSIONS})
{
    struct graphics_pipeline p;
    fill_valid_pipeline(b, &p);
    const VkPipelineRenderingCreateInfo whole = rendering;
    VkPipeline parts[4];
    rendering.colorAttachmentCount = 99;
    rendering.pColorAttachmentFormats = FEW;
    rendering.depthAttachmentFormat = rendering.stencilAttachmentFormat = (VkFormat)0x7ffffff;
    parts[0] = make_valid_part(b, &p, PART(VERTEX_INPUT_INTERFACE));
    parts[1] = make_valid_part(b, &p, PART(PRE_RASTERIZATION_SHADERS));
    rendering = whole;
    parts[2] = make_valid_part(b, &p, PART(FRAGMENT_SHADER));
    parts[3] = make_valid_part(b, &p, PART(FRAGMENT_OUTPUT_INTERFACE));
    draw_linked(b, link_parts(b, &p, 4, parts), false);
}

/* Two pipelines, one linked of libraries of the other's part. */
SCENARIO(libraries_in_two_steps, .features = &libraries, .extensions = {LIBRARY_EXTENSIONS})
{
    struct graphics_pipeline p;
    fill_valid_pipeline(b, &p);
    const VkPipeline parts[2] = {make_valid_part(b, &p, PART(VERTEX_INPUT_INTERFACE)),
                                 make_valid_part(b, &p, PART(PRE_RASTERIZATION_SHADERS))};
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        .libraryCount = 2,
        .pLibraries = parts};
    const VkGraphicsPipelineCreateInfo info = {.sType =
                                                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &linked,
                                               .flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR,
                                               .layout = p.info.layout,
                                               .basePipelineIndex = -1};
    const VkPipeline halves[2] = {
        create_graphics_pipeline(b, &info),
        make_valid_part(b, &p, PART(FRAGMENT_SHADER) | PART(FRAGMENT_OUTPUT_INTERFACE))};
    ENSURE(halves[0]);
    draw_linked(b, link_parts(b, &p, 2, halves), false);
}

/* --- draws of nothing, and their parameters --- */

static VkBuffer indirect_buffer(struct baseline *b, VkDeviceSize size)
{
    return make_buffer(b, size, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
}

DRAW(draws_nothing, (F13), , vkCmdDraw(c, 0, 0, 99, 99); vkCmdDraw(c, 3, 0, 0, 0))
DRAW(indirect_once, (F13), ,
     vkCmdDrawIndirect(c, indirect_buffer(b, sizeof(VkDrawIndirectCommand) + 4), 4, 1, 0);
     vkCmdDrawIndirect(c, indirect_buffer(b, sizeof(VkDrawIndirectCommand)), 0, 1, 3);
     vkCmdDrawIndirect(c, indirect_buffer(b, 4), 0, 0, 1))
static const VkPhysicalDeviceFeatures2 indirect_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&features13,
    .features = {.multiDrawIndirect = VK_TRUE}};
/* The last structure needs no whole stride after it. */
DRAW(indirect_to_the_end, (.features = &indirect_feature), ,
     vkCmdDrawIndirect(c, indirect_buffer(b, 64 * 2 + sizeof(VkDrawIndirectCommand)), 0, 3, 64))
CHAIN(counts, VkPhysicalDeviceVulkan12Features, VULKAN_1_2_FEATURES, &features13,
      .drawIndirectCount = VK_TRUE);
DRAW(indirect_count_of_none, (.features = &counts), ,
     vkCmdDrawIndirectCount(c, indirect_buffer(b, 4), 0, indirect_buffer(b, 8), 4, 0, 16);
     vkCmdDrawIndirectCount(c, indirect_buffer(b, 16), 0, indirect_buffer(b, 4), 0, 1, 400))
DRAW(indirect_count_of_the_extension, (F13, .extensions = {"VK_KHR_draw_indirect_count"}), ,
     DEVICE_PROC(b, vkCmdDrawIndirectCountKHR)(c, indirect_buffer(b, 16), 0, indirect_buffer(b, 4),
                                               0, 1, 16))
CHAIN(multi, VkPhysicalDeviceMultiDrawFeaturesEXT, MULTI_DRAW_FEATURES_EXT, &features13,
      .multiDraw = VK_TRUE);
DRAW(
    multi_draws, (.features = &multi, .extensions = {"VK_EXT_multi_draw"}), ,
    const VkMultiDrawInfoEXT one = {0, 3};
    const struct {
        VkMultiDrawInfoEXT info;
        uint32_t filler;
    } apart[2] = {{{0, 3}, 1}, {{1, 2}, 1}};
    DEVICE_PROC(b, vkCmdDrawMultiEXT)(c, 0, NULL, 1, 0, 3);
    DEVICE_PROC(b, vkCmdDrawMultiEXT)(c, 1, &one, 1, 0, 1);
    DEVICE_PROC(b, vkCmdDrawMultiEXT)(c, 2, &apart[0].info, 1, 0, sizeof(apart[0])))
static void bind_valid_indices(VkCommandBuffer c, VkBuffer buffer, VkDeviceSize offset,
                               VkIndexType type)
{
    vkCmdBindIndexBuffer(c, buffer, offset, type);
}
DRAW(indices_to_the_end, (F13), ,
     bind_valid_indices(c, make_buffer(b, 16, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 2,
                        VK_INDEX_TYPE_UINT16);
     vkCmdDrawIndexed(c, 3, 1, 4, -5, 0); vkCmdDrawIndexed(c, 0, 1, 0, 0, 0))
CHAIN(six, VkPhysicalDeviceMaintenance6FeaturesKHR, MAINTENANCE_6_FEATURES_KHR, &five,
      .maintenance6 = VK_TRUE);
#define SIX .features = &six, .extensions = {"VK_KHR_maintenance5", "VK_KHR_maintenance6"}
DRAW(indices_of_no_buffer, (SIX), , bind_valid_indices(c, VK_NULL_HANDLE, 0, VK_INDEX_TYPE_UINT32);
     vkCmdDrawIndexed(c, 300, 1, 40, 0, 0))
DRAW(indices_of_a_range, (SIX), ,
     DEVICE_PROC(b, vkCmdBindIndexBuffer2KHR)(c,
                                              make_buffer(b, 64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT),
                                              8, 12, VK_INDEX_TYPE_UINT32);
     vkCmdDrawIndexed(c, 3, 1, 0, 0, 0);
     DEVICE_PROC(b, vkCmdBindIndexBuffer2KHR)(c,
                                              make_buffer(b, 64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT),
                                              8, VK_WHOLE_SIZE, VK_INDEX_TYPE_UINT32);
     vkCmdDrawIndexed(c, 14, 1, 0, 0, 0))
CHAIN(nulls, VkPhysicalDeviceRobustness2FeaturesEXT, ROBUSTNESS_2_FEATURES_EXT, &features13,
      .nullDescriptor = VK_TRUE);
DRAW(vertices_of_no_buffer, (.features = &nulls, .extensions = {"VK_EXT_robustness2"}),
     (ATTRIBUTE, p.vertex_input.vertexBindingDescriptionCount = 1,
      p.vertex_input.pVertexBindingDescriptions = &binding,
      p.vertex_input.vertexAttributeDescriptionCount = 1,
      p.vertex_input.pVertexAttributeDescriptions = &attribute),
     const VkBuffer none = VK_NULL_HANDLE;
     const VkDeviceSize zero = 0; vkCmdBindVertexBuffers(c, 0, 1, &none, &zero))
/* A binding that no attribute uses needs no buffer, nor one whose attributes the shader does not
 * read. */
DRAW(vertices_that_nothing_reads, (F13),
     (p.vertex_input.vertexBindingDescriptionCount = 1,
      p.vertex_input.pVertexBindingDescriptions = &binding,
      p.vertex_input.vertexAttributeDescriptionCount = 1,
      p.vertex_input.pVertexAttributeDescriptions = &attribute), )

/* --- when states must be set --- */

DRAW(states_of_lines_for_triangles, (F13),
     (DYNAMIC(VK_DYNAMIC_STATE_LINE_WIDTH, VK_DYNAMIC_STATE_DEPTH_BIAS,
              VK_DYNAMIC_STATE_DEPTH_BOUNDS, VK_DYNAMIC_STATE_STENCIL_REFERENCE,
              VK_DYNAMIC_STATE_STENCIL_WRITE_MASK, VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
              VK_DYNAMIC_STATE_STENCIL_OP, VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
              VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE)), )
DRAW(tests_by_command_and_off, (F13),
     (DYNAMIC(VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
              VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
              VK_DYNAMIC_STATE_STENCIL_OP, VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
              VK_DYNAMIC_STATE_DEPTH_BIAS, VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE)),
     vkCmdSetDepthTestEnable(c, VK_FALSE);
     vkCmdSetStencilTestEnable(c, VK_FALSE); vkCmdSetDepthBiasEnable(c, VK_FALSE))
/* A state that was set stays set through render pass instances, and through pipelines that do not
 * have it fixed. */
SCENARIO(states_stay_set, F13)
{
    struct graphics_pipeline p;
    struct drawing d;
    fill_valid_pipeline(b, &p);
    DYNAMIC(VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR);
    VkPipeline dynamic = create_graphics_pipeline(b, &p.info);
    fill_drawing(b, &d);
    const VkViewport viewport = {.width = 64, .height = -64, .y = 64, .maxDepth = 1};
    const VkRect2D scissor = {.extent = {64, 64}};
    vkCmdSetViewport(d.commands, 0, 1, &viewport);
    vkCmdSetScissor(d.commands, 0, 1, &scissor);
    for (uint32_t i = 0; i < 2; i++) {
        vkCmdBeginRendering(d.commands, &d.info);
        vkCmdBindPipeline(d.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, dynamic);
        vkCmdDraw(d.commands, 3, 1, 0, 0);
        vkCmdBindPipeline(d.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, dynamic);
        vkCmdDraw(d.commands, 3, 1, 0, 0);
        vkCmdEndRendering(d.commands);
    }
    vkCmdBindPipeline(d.commands, VK_PIPELINE_BIND_POINT_COMPUTE, make_any_compute_pipeline(b));
    vkCmdBeginRendering(d.commands, &d.info);
    vkCmdDraw(d.commands, 3, 1, 0, 0);
    vkCmdEndRendering(d.commands);
}

/* A read-only stencil attachment: tests that keep, or write to no bit. */
#define READ_STENCIL                                                                             \
    (rendering.stencilAttachmentFormat = VK_FORMAT_S8_UINT,                                      \
     d->stencil.imageView =                                                                      \
         make_view_of_format(b, VK_FORMAT_S8_UINT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT), \
     d->stencil.imageLayout = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL,                         \
     d->stencil.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,                                             \
     d->stencil.storeOp = VK_ATTACHMENT_STORE_OP_NONE, d->info.pStencilAttachment = &d->stencil, \
     depth_stencil.stencilTestEnable = VK_TRUE)
#define S8 .features = &features13, .drivers = NULL_DRIVER
DRAW(stencil_kept, (S8),
     (READ_STENCIL, depth_stencil.front.writeMask = depth_stencil.back.writeMask = 255), )
DRAW(stencil_masked, (S8), (READ_STENCIL, depth_stencil.front.passOp = VK_STENCIL_OP_REPLACE), )

/* --- shader objects that are bound and unbound --- */

OBJECTS(objects_bound_by_no_array,
        static const VkShaderStageFlagBits all[] = {VK_SHADER_STAGE_GEOMETRY_BIT,
                                                    VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                                    VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT};
        DEVICE_PROC(b, vkCmdBindShadersEXT)(c, 3, all, NULL))
OBJECTS(objects_after_a_pipeline, struct graphics_pipeline p; fill_valid_pipeline(b, &p);
        VkPipeline pipeline = create_graphics_pipeline(b, &p.info);
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline); vkCmdDraw(c, 3, 1, 0, 0);
        set_all(b, c); set_vertices(b, c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
        bind_five_objects(b, c, shaders))
/* nextStage may name more stages than the one that follows. */
OBJECTS(objects_for_several_stages,
        shaders[0] = OBJECT(vertex, VERTEX,
                            VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_GEOMETRY_BIT |
                                VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
        bind_five_objects(b, c, shaders))

/* --- values that another value makes meaningless --- */

PIPELINE(fraction_of_no_sample_shading, (F13), p.multisample.minSampleShading = -3)
static const VkPipelineSampleLocationsStateCreateInfoEXT no_locations = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT};
PIPELINE(locations_that_are_off,
         (F13, .drivers = NULL_DRIVER, .extensions = {"VK_EXT_sample_locations"}),
         p.multisample.pNext = &no_locations)
static const VkPipelineRasterizationConservativeStateCreateInfoEXT underestimating = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT,
    .conservativeRasterizationMode = VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT,
    .extraPrimitiveOverestimationSize = -7};
PIPELINE(overestimation_that_is_off,
         (F13, .drivers = NULL_DRIVER, .extensions = {"VK_EXT_conservative_rasterization"}),
         p.rasterization.pNext = &underestimating)
static const VkPipelineRasterizationLineStateCreateInfo no_stipple = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO,
    .lineStippleFactor = 9999};
PIPELINE(stipple_that_is_off, (F13, .extensions = {"VK_EXT_line_rasterization"}),
         p.rasterization.pNext = &no_stipple)

/* "... any state specified by the VkPipelineFragmentShadingRateStateCreateInfoKHR structure should
 * be ignored", and the other way. */
CHAIN(rate, VkPhysicalDeviceFragmentShadingRateFeaturesKHR, FRAGMENT_SHADING_RATE_FEATURES_KHR,
      &features13, .pipelineFragmentShadingRate = VK_TRUE);
CHAIN(rate_enums, VkPhysicalDeviceFragmentShadingRateEnumsFeaturesNV,
      FRAGMENT_SHADING_RATE_ENUMS_FEATURES_NV, &rate, .fragmentShadingRateEnums = VK_TRUE);
#define RATES                                        \
    .features = &rate_enums, .drivers = NULL_DRIVER, \
    .extensions = {"VK_KHR_fragment_shading_rate", "VK_NV_fragment_shading_rate_enums"}
static const VkPipelineFragmentShadingRateStateCreateInfoKHR wild_rate = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR,
    .fragmentSize = {3, 99},
    .combinerOps = {(VkFragmentShadingRateCombinerOpKHR)77,
                    (VkFragmentShadingRateCombinerOpKHR)78}};
static const VkPipelineFragmentShadingRateEnumStateCreateInfoNV rate_by_enum = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_ENUM_STATE_CREATE_INFO_NV,
    .pNext = &wild_rate,
    .shadingRateType = VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV,
    .shadingRate = VK_FRAGMENT_SHADING_RATE_1_INVOCATION_PER_2X2_PIXELS_NV};
PIPELINE(rate_by_enumeration, (RATES), rendering.pNext = &rate_by_enum)

/* --- what is given although it is all dynamic, and leads nowhere --- */

#define LOST(name_, id_, fields_, ...)                                                            \
    SCENARIO(name_, .drivers = NULL_DRIVER, .expect = {"VUID-VkGraphicsPipelineCreateInfo-" id_}, \
             .text = {"which is not a valid pointer"}, UNWRAP fields_)                            \
    {                                                                                             \
        struct graphics_pipeline p;                                                               \
        fill_valid_pipeline(b, &p);                                                               \
        __VA_ARGS__;                                                                              \
        create_graphics_pipeline(b, &p.info);                                                     \
    }
LOST(lost_viewport_state, "pViewportState-09025", (THREE), ALL_DYNAMIC, NO_STATES,
     p.info.pViewportState = NOWHERE)
LOST(lost_rasterization_state, "pRasterizationState-09040", (THREE), ALL_DYNAMIC, NO_STATES,
     p.info.pRasterizationState = NOWHERE)
LOST(lost_multisample_state, "pMultisampleState-09027", (THREE), ALL_DYNAMIC, NO_STATES,
     p.info.pMultisampleState = NOWHERE)
LOST(lost_color_blend_state, "pColorBlendState-09038", (THREE), ALL_DYNAMIC, NO_STATES,
     p.info.pColorBlendState = NOWHERE)
LOST(lost_depth_stencil_state, "pDepthStencilState-09034", (THREE), ALL_DYNAMIC, NO_STATES,
     rendering.depthAttachmentFormat = VK_FORMAT_D16_UNORM, p.info.pDepthStencilState = NOWHERE)
LOST(lost_input_assembly_state, "pInputAssemblyState-09032", (THREE),
     DYNAMIC(VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE, VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY),
     p.info.pInputAssemblyState = NOWHERE)
LOST(lost_tessellation_state, "pTessellationState-09023",
     (.features = &patches2, .extensions = {"VK_EXT_extended_dynamic_state2"}), TESSELLATION;
     p.info.pTessellationState = NOWHERE; DYNAMIC(VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT))
LOST(lost_viewport_state_that_is_not_dynamic, "rasterizerDiscardEnable-09024", (F13),
     p.info.pViewportState = NOWHERE)
