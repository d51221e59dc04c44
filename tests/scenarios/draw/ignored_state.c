/* Members of a graphics pipeline's create info that are not read (10.6 "Graphics Pipelines"). They
 * are states that are dynamic, structures of stages that it does not have, attachments that are not
 * there. They may be anything. */
#include "scenario.h"

/* The header defines the variable, and programs.c has it, too. */
#define shader_triangle_mesh shader_triangle_mesh_of_ignored_state
#include "shader_triangle_mesh.h"

#define RIGHT(name_, change_, ...)                    \
    SCENARIO(name_, ##__VA_ARGS__)                    \
    {                                                 \
        struct graphics_pipeline p;                   \
        begin_ignored_state(b, &p);                   \
        change_;                                      \
        ENSURE(create_graphics_pipeline(b, &p.info)); \
    }
#define MISTAKE(name_, id_, change_, ...)                   \
    SCENARIO(name_, .expect = {"VUID-" id_}, ##__VA_ARGS__) \
    {                                                       \
        struct graphics_pipeline p;                         \
        begin_ignored_state(b, &p);                         \
        change_;                                            \
        create_graphics_pipeline(b, &p.info);               \
    }

/* sType of no structure at all. */
#define NOTHING ((VkStructureType)0x7ffffff0)

static VkPipelineDynamicStateCreateInfo dynamic_info;
static VkDynamicState dynamic_states[16];
#define DYNAMIC(...)                                                                        \
    ignore_by_dynamic(&p, sizeof((VkDynamicState[]){__VA_ARGS__}) / sizeof(VkDynamicState), \
                      (VkDynamicState[]){__VA_ARGS__})
static void ignore_by_dynamic(struct graphics_pipeline *p, size_t count,
                              const VkDynamicState *states)
{
    for (size_t i = 0; i < count; i++)
        dynamic_states[i] = states[i];
    dynamic_info = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = (uint32_t)count,
        .pDynamicStates = dynamic_states};
    p->info.pDynamicState = &dynamic_info;
}

static void begin_ignored_state(struct baseline *b, struct graphics_pipeline *p)
{
    begin_graphics_pipeline(b, p, make_empty_pipeline_layout(b), make_render_pass(b));
}

static VkPipelineDepthStencilStateCreateInfo depth_stencil;
static void set_depth(struct graphics_pipeline *p, VkStructureType type)
{
    depth_stencil = (VkPipelineDepthStencilStateCreateInfo){.sType = type};
    p->info.pDepthStencilState = &depth_stencil;
}

/* --- dynamic rendering --- */

static const VkPhysicalDeviceVulkan13Features dynamic = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .dynamicRendering = VK_TRUE,
    .maintenance4 = VK_TRUE};
static const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT three = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
    .pNext = (void *)&dynamic,
    .extendedDynamicState3ColorBlendEnable = VK_TRUE,
    .extendedDynamicState3ColorBlendEquation = VK_TRUE,
    .extendedDynamicState3ColorWriteMask = VK_TRUE,
    .extendedDynamicState3RasterizationSamples = VK_TRUE,
    .extendedDynamicState3PolygonMode = VK_TRUE};
#define RENDERING .features = &dynamic
#define THREE     .features = &three, .extensions = {"VK_EXT_extended_dynamic_state3"}

static VkFormat formats[2];
static VkPipelineRenderingCreateInfo rendering;
static void set_rendering(struct graphics_pipeline *p, uint32_t count, VkFormat first)
{
    formats[0] = first;
    formats[1] = VK_FORMAT_UNDEFINED;
    rendering =
        (VkPipelineRenderingCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                        .colorAttachmentCount = count,
                                        .pColorAttachmentFormats = formats};
    p->info.renderPass = VK_NULL_HANDLE;
    p->info.pNext = &rendering;
}

/* --- which structures are read --- */

RIGHT(depth_of_no_attachment, set_depth(&p, NOTHING))
RIGHT(depth_of_no_format, (set_rendering(&p, 1, COLOR_FORMAT), set_depth(&p, NOTHING)), RENDERING)
MISTAKE(depth_of_a_format, "VkPipelineDepthStencilStateCreateInfo-sType-sType",
        set_rendering(&p, 1, COLOR_FORMAT);
        set_depth(&p, NOTHING); rendering.depthAttachmentFormat = VK_FORMAT_D16_UNORM, RENDERING)
RIGHT(blending_of_no_format,
      (set_rendering(&p, 1, VK_FORMAT_UNDEFINED), p.color_blend.sType = NOTHING), RENDERING)
MISTAKE(blending_of_a_format, "VkPipelineColorBlendStateCreateInfo-sType-sType",
        (set_rendering(&p, 1, COLOR_FORMAT), p.color_blend.sType = NOTHING), RENDERING)

#define DISCARD        p.rasterization.rasterizerDiscardEnable = VK_TRUE, p.info.stageCount = 1
#define BEHIND_DISCARD p.viewport_state.sType = p.multisample.sType = p.color_blend.sType = NOTHING
RIGHT(all_is_discarded, (DISCARD, BEHIND_DISCARD, set_depth(&p, NOTHING)))
MISTAKE(discard_is_dynamic, "VkPipelineMultisampleStateCreateInfo-sType-sType",
        (p.rasterization.rasterizerDiscardEnable = VK_TRUE,
         DYNAMIC(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE), p.multisample.sType = NOTHING))

static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&dynamic,
    .meshShader = VK_TRUE};
#define MESHES .features = &meshes, .extensions = {"VK_EXT_mesh_shader"}
#define MESH \
    p.stages[0] = stage_info(VK_SHADER_STAGE_MESH_BIT_EXT, MAKE_SHADER(b, shader_triangle_mesh))
RIGHT(mesh_without_input,
      (MESH, p.info.pVertexInputState = NULL, p.info.pInputAssemblyState = NULL), MESHES)
RIGHT(mesh_with_ignored_input, (MESH, p.vertex_input.sType = p.input_assembly.sType = NOTHING),
      MESHES)
MISTAKE(input_assembly_of_vertices, "VkPipelineInputAssemblyStateCreateInfo-sType-sType",
        p.input_assembly.sType = NOTHING)

/* --- which values are read --- */

RIGHT(samples_are_dynamic,
      (DYNAMIC(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT), p.multisample.rasterizationSamples = 0),
      THREE)
MISTAKE(samples_are_fixed, "VkPipelineMultisampleStateCreateInfo-rasterizationSamples-parameter",
        p.multisample.rasterizationSamples = 0, .proceed = false,
        .allow = {"VUID-VkGraphicsPipelineCreateInfo-multisampledRenderToSingleSampled-06853"})
RIGHT(polygon_mode_is_dynamic,
      (DYNAMIC(VK_DYNAMIC_STATE_POLYGON_MODE_EXT), p.rasterization.polygonMode = 77), THREE)
RIGHT(faces_are_dynamic, (DYNAMIC(VK_DYNAMIC_STATE_FRONT_FACE, VK_DYNAMIC_STATE_CULL_MODE),
                          p.rasterization.frontFace = 77, p.rasterization.cullMode = 0x77))
RIGHT(equation_is_dynamic,
      (DYNAMIC(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT), p.blend_attachment.colorBlendOp = 77),
      THREE)
static const VkVertexInputBindingDescription wide = {.stride = UINT32_MAX};
RIGHT(stride_is_dynamic, (DYNAMIC(VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE),
                          p.vertex_input.vertexBindingDescriptionCount = 1,
                          p.vertex_input.pVertexBindingDescriptions = &wide))

/* --- the count of blend states --- */

#define TWO_BLENDS p.color_blend.attachmentCount = 2
static VkPipelineColorBlendAttachmentState two[2];
#define SECOND_BLEND \
    (two[0] = two[1] = p.blend_attachment, p.color_blend.pAttachments = two, TWO_BLENDS)
RIGHT(blends_are_dynamic,
      (set_rendering(&p, 1, COLOR_FORMAT), TWO_BLENDS, p.color_blend.pAttachments = NULL,
       DYNAMIC(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
               VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT)),
      THREE)
RIGHT(blends_of_no_formats, (set_rendering(&p, 1, VK_FORMAT_UNDEFINED), SECOND_BLEND), RENDERING)
RIGHT(blends_of_discarding_pipeline, (set_rendering(&p, 1, COLOR_FORMAT), SECOND_BLEND, DISCARD),
      RENDERING)
MISTAKE(blends_of_a_format, "VkGraphicsPipelineCreateInfo-renderPass-06055",
        (set_rendering(&p, 1, COLOR_FORMAT), SECOND_BLEND), RENDERING)
MISTAKE(format_that_is_no_color, "VkGraphicsPipelineCreateInfo-renderPass-06582",
        (set_rendering(&p, 1, VK_FORMAT_D16_UNORM), p.blend_attachment.blendEnable = VK_TRUE),
        RENDERING)

/* --- depth and stencil that are all dynamic --- */

#define DEPTH_IS_DYNAMIC                                                                  \
    DYNAMIC(VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,      \
            VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE, \
            VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_OP,            \
            VK_DYNAMIC_STATE_DEPTH_BOUNDS)
RIGHT(depth_is_dynamic, set_rendering(&p, 1, COLOR_FORMAT);
      rendering.depthAttachmentFormat = VK_FORMAT_D16_UNORM; DEPTH_IS_DYNAMIC, THREE)

/* --- values that are none, of states that are dynamic --- */

/* "The depthTestEnable state ... will be ignored": a program may leave it as the memory was. */
static void set_depth_garbage(struct graphics_pipeline *p)
{
    set_depth(p, VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO);
    depth_stencil.depthTestEnable = depth_stencil.depthWriteEnable =
        depth_stencil.depthBoundsTestEnable = depth_stencil.stencilTestEnable = 77;
    depth_stencil.depthCompareOp = (VkCompareOp)77;
    depth_stencil.front.failOp = depth_stencil.back.passOp = (VkStencilOp)77;
    depth_stencil.front.compareOp = (VkCompareOp)77;
}
#define WITH_DEPTH \
    set_rendering(&p, 1, COLOR_FORMAT), rendering.depthAttachmentFormat = VK_FORMAT_D16_UNORM
RIGHT(depth_tests_are_dynamic,
      (WITH_DEPTH, set_depth_garbage(&p),
       DYNAMIC(VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
               VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
               VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_OP)),
      RENDERING)
#define GARBAGE_BOOL "UNASSIGNED-GeneralParameterError-UnrecognizedBool32"
SCENARIO(depth_test_is_fixed, RENDERING, .expect = {GARBAGE_BOOL},
         .text = {"depthTestEnable is 77"})
{
    struct graphics_pipeline p;
    begin_ignored_state(b, &p);
    WITH_DEPTH;
    set_depth(&p, VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO);
    depth_stencil.depthTestEnable = depth_stencil.stencilTestEnable = 77;
    DYNAMIC(VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE);
    create_graphics_pipeline(b, &p.info);
}
RIGHT(rasterizer_is_dynamic,
      (DYNAMIC(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE, VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
               VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE),
       p.rasterization.rasterizerDiscardEnable = p.rasterization.depthBiasEnable =
           p.input_assembly.primitiveRestartEnable = 77))

static const VkPhysicalDeviceExtendedDynamicState2FeaturesEXT two_more = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
    .pNext = (void *)&dynamic,
    .extendedDynamicState2 = VK_TRUE,
    .extendedDynamicState2LogicOp = VK_TRUE};
static const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT all_three = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
    .pNext = (void *)&two_more,
    .extendedDynamicState3DepthClampEnable = VK_TRUE,
    .extendedDynamicState3AlphaToCoverageEnable = VK_TRUE,
    .extendedDynamicState3AlphaToOneEnable = VK_TRUE,
    .extendedDynamicState3LogicOpEnable = VK_TRUE,
    .extendedDynamicState3ColorBlendEnable = VK_TRUE,
    .extendedDynamicState3ColorBlendEquation = VK_TRUE,
    .extendedDynamicState3ColorWriteMask = VK_TRUE,
    .extendedDynamicState3ConservativeRasterizationMode = VK_TRUE,
    .extendedDynamicState3ExtraPrimitiveOverestimationSize = VK_TRUE,
    .extendedDynamicState3DepthClipEnable = VK_TRUE,
    .extendedDynamicState3ProvokingVertexMode = VK_TRUE,
    .extendedDynamicState3LineRasterizationMode = VK_TRUE,
    .extendedDynamicState3LineStippleEnable = VK_TRUE,
    .extendedDynamicState3ViewportWScalingEnable = VK_TRUE,
    .extendedDynamicState3ViewportSwizzle = VK_TRUE};
#define ALL_THREE                                                                         \
    .drivers = NULL_DRIVER, .features = &all_three,                                       \
    .extensions = {"VK_EXT_extended_dynamic_state2",    "VK_EXT_extended_dynamic_state3", \
                   "VK_EXT_conservative_rasterization", "VK_EXT_depth_clip_enable",       \
                   "VK_EXT_provoking_vertex",           "VK_EXT_line_rasterization",      \
                   "VK_NV_clip_space_w_scaling",        "VK_NV_viewport_swizzle",         \
                   "VK_NV_shading_rate_image"}
RIGHT(blending_is_dynamic,
      (DYNAMIC(VK_DYNAMIC_STATE_LOGIC_OP_EXT, VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT,
               VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
               VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT,
               VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT),
       p.color_blend.logicOpEnable = 77, p.color_blend.logicOp = (VkLogicOp)77,
       p.blend_attachment.blendEnable = 77,
       p.blend_attachment.srcAlphaBlendFactor = (VkBlendFactor)77,
       p.blend_attachment.colorWriteMask = 0x770,
       p.multisample.alphaToCoverageEnable = p.multisample.alphaToOneEnable = 77),
      ALL_THREE)

static const VkPipelineRasterizationConservativeStateCreateInfoEXT conservative = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT,
    .conservativeRasterizationMode = (VkConservativeRasterizationModeEXT)77,
    .extraPrimitiveOverestimationSize = -5};
static const VkPipelineRasterizationDepthClipStateCreateInfoEXT depth_clip = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT,
    .pNext = &conservative,
    .depthClipEnable = 77};
static const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
    .pNext = &depth_clip,
    .provokingVertexMode = (VkProvokingVertexModeEXT)77};
static const VkPipelineRasterizationLineStateCreateInfo lines = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO,
    .pNext = &provoking,
    .lineRasterizationMode = (VkLineRasterizationMode)77,
    .stippledLineEnable = 77};
RIGHT(chained_states_are_dynamic,
      (p.rasterization.pNext = &lines, p.rasterization.depthClampEnable = 77,
       DYNAMIC(VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT,
               VK_DYNAMIC_STATE_EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT,
               VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT, VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT,
               VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT,
               VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT, VK_DYNAMIC_STATE_LINE_STIPPLE,
               VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT)),
      ALL_THREE)

static VkPipelineViewportWScalingStateCreateInfoNV scaling;
static void set_scaling(struct graphics_pipeline *p, VkBool32 enable)
{
    scaling = (VkPipelineViewportWScalingStateCreateInfoNV){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_W_SCALING_STATE_CREATE_INFO_NV,
        .viewportWScalingEnable = enable,
        .viewportCount = 1,
        .pViewportWScalings = (void *)64};
    p->viewport_state.pNext = &scaling;
}
/* "If the viewport W scaling state is dynamic, this member is ignored." */
RIGHT(scalings_are_dynamic,
      (set_scaling(&p, VK_TRUE), DYNAMIC(VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV)), ALL_THREE)
RIGHT(scaling_is_dynamic,
      (set_scaling(&p, 77), scaling.pViewportWScalings = NULL,
       DYNAMIC(VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_ENABLE_NV)),
      ALL_THREE)

static const VkPipelineViewportSwizzleStateCreateInfoNV swizzle = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SWIZZLE_STATE_CREATE_INFO_NV,
    .pViewportSwizzles = (void *)64};
RIGHT(swizzle_is_dynamic,
      (p.viewport_state.pNext = &swizzle, DYNAMIC(VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV)), ALL_THREE)
static const VkPipelineViewportSwizzleStateCreateInfoNV swizzles = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SWIZZLE_STATE_CREATE_INFO_NV,
    .viewportCount = 5,
    .pViewportSwizzles = (void *)0x123456789000};
RIGHT(swizzles_are_dynamic,
      (p.viewport_state.pNext = &swizzles, DYNAMIC(VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV)),
      ALL_THREE)
MISTAKE(swizzle_is_fixed, "VkPipelineViewportSwizzleStateCreateInfoNV-viewportCount-arraylength",
        p.viewport_state.pNext = &swizzle, ALL_THREE,
        .allow = {"VUID-VkPipelineViewportSwizzleStateCreateInfoNV-viewportCount-01215"})

static const VkViewportSwizzleNV swizzled[2];
static const VkPipelineViewportSwizzleStateCreateInfoNV few_swizzles = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SWIZZLE_STATE_CREATE_INFO_NV,
    .viewportCount = 1,
    .pViewportSwizzles = swizzled};
static const VkPipelineViewportSwizzleStateCreateInfoNV two_swizzles = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SWIZZLE_STATE_CREATE_INFO_NV,
    .viewportCount = 2,
    .pViewportSwizzles = swizzled};
static const VkPhysicalDeviceFeatures2 viewports_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = {.multiViewport = VK_TRUE}};
#define TWO_VIEWPORTS                                                    \
    (p.viewport_state.viewportCount = p.viewport_state.scissorCount = 2, \
     DYNAMIC(VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR))
#define SWIZZLED \
    .drivers = NULL_DRIVER, .features = &viewports_feature, .extensions = {"VK_NV_viewport_swizzle"}
RIGHT(swizzles_of_all, (TWO_VIEWPORTS, p.viewport_state.pNext = &two_swizzles), SWIZZLED)
MISTAKE(swizzles_of_some, "VkPipelineViewportSwizzleStateCreateInfoNV-viewportCount-01215",
        (TWO_VIEWPORTS, p.viewport_state.pNext = &few_swizzles), SWIZZLED,
        .text = {"is 1, but VkPipelineViewportStateCreateInfo::viewportCount is 2"})

/* "the contents of this structure (if present) are ignored" */
static const VkPipelineViewportCoarseSampleOrderStateCreateInfoNV sample_order = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_COARSE_SAMPLE_ORDER_STATE_CREATE_INFO_NV,
    .sampleOrderType = (VkCoarseSampleOrderTypeNV)77,
    .customSampleOrderCount = 7,
    .pCustomSampleOrders = (void *)0x123456789000};
RIGHT(sample_order_is_dynamic,
      (p.viewport_state.pNext = &sample_order,
       DYNAMIC(VK_DYNAMIC_STATE_VIEWPORT_COARSE_SAMPLE_ORDER_NV)),
      ALL_THREE)
static const VkPipelineViewportCoarseSampleOrderStateCreateInfoNV no_sample_order = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_COARSE_SAMPLE_ORDER_STATE_CREATE_INFO_NV,
    .sampleOrderType = (VkCoarseSampleOrderTypeNV)77};
MISTAKE(sample_order_is_fixed,
        "VkPipelineViewportCoarseSampleOrderStateCreateInfoNV-sampleOrderType-parameter",
        p.viewport_state.pNext = &no_sample_order, ALL_THREE)

/* "any instance of VkDepthBiasRepresentationInfoEXT included in the pNext chain ... will be
 * ignored" */
static const VkPhysicalDeviceDepthBiasControlFeaturesEXT bias_control = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_BIAS_CONTROL_FEATURES_EXT,
    .depthBiasControl = VK_TRUE};
static const VkDepthBiasRepresentationInfoEXT bias = {
    .sType = VK_STRUCTURE_TYPE_DEPTH_BIAS_REPRESENTATION_INFO_EXT,
    .depthBiasRepresentation = (VkDepthBiasRepresentationEXT)77,
    .depthBiasExact = 77};
RIGHT(bias_is_dynamic, (p.rasterization.pNext = &bias, DYNAMIC(VK_DYNAMIC_STATE_DEPTH_BIAS)),
      .drivers = NULL_DRIVER, .features = &bias_control,
      .extensions = {"VK_EXT_depth_bias_control"})
MISTAKE(bias_is_fixed, "VkDepthBiasRepresentationInfoEXT-depthBiasRepresentation-parameter",
        p.rasterization.pNext = &bias, .drivers = NULL_DRIVER, .features = &bias_control,
        .extensions = {"VK_EXT_depth_bias_control"},
        .allow = {GARBAGE_BOOL, "VUID-VkDepthBiasRepresentationInfoEXT-depthBiasExact-08949"})

/* --- arrays of dynamic states --- */

#define NOWHERE ((void *)64)
static const VkPipelineDiscardRectangleStateCreateInfoEXT rectangles = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT,
    .discardRectangleMode = (VkDiscardRectangleModeEXT)77,
    .discardRectangleCount = 1,
    .pDiscardRectangles = NOWHERE};
RIGHT(rectangles_are_dynamic,
      (p.info.pNext = &rectangles, DYNAMIC(VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT,
                                           VK_DYNAMIC_STATE_DISCARD_RECTANGLE_MODE_EXT)),
      .drivers = NULL_DRIVER, .extensions = {"VK_EXT_discard_rectangles"})

static const VkPipelineViewportExclusiveScissorStateCreateInfoNV exclusive = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_EXCLUSIVE_SCISSOR_STATE_CREATE_INFO_NV,
    .exclusiveScissorCount = 1,
    .pExclusiveScissors = NOWHERE};
static const VkPhysicalDeviceExclusiveScissorFeaturesNV exclusive_scissors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXCLUSIVE_SCISSOR_FEATURES_NV,
    .exclusiveScissor = VK_TRUE};
RIGHT(exclusive_scissors_are_dynamic,
      (p.viewport_state.pNext = &exclusive, DYNAMIC(VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_NV)),
      .drivers = NULL_DRIVER, .features = &exclusive_scissors,
      .extensions = {"VK_NV_scissor_exclusive"})

static const VkPipelineViewportShadingRateImageStateCreateInfoNV palettes = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SHADING_RATE_IMAGE_STATE_CREATE_INFO_NV,
    .shadingRateImageEnable = VK_TRUE,
    .viewportCount = 1,
    .pShadingRatePalettes = NOWHERE};
static const VkPhysicalDeviceShadingRateImageFeaturesNV rate_images = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADING_RATE_IMAGE_FEATURES_NV,
    .shadingRateImage = VK_TRUE};
RIGHT(palettes_are_dynamic,
      (p.viewport_state.pNext = &palettes,
       DYNAMIC(VK_DYNAMIC_STATE_VIEWPORT_SHADING_RATE_PALETTE_NV)),
      .drivers = NULL_DRIVER, .features = &rate_images, .extensions = {"VK_NV_shading_rate_image"})

static const VkShadingRatePaletteEntryNV entry = VK_SHADING_RATE_PALETTE_ENTRY_NO_INVOCATIONS_NV;
static const VkShadingRatePaletteNV palette[2] = {{1, &entry}, {1, &entry}};
#define PALETTES(enable_, count_)                                                          \
    {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SHADING_RATE_IMAGE_STATE_CREATE_INFO_NV, \
     .shadingRateImageEnable = (enable_),                                                  \
     .viewportCount = (count_),                                                            \
     .pShadingRatePalettes = palette}
static const VkPipelineViewportShadingRateImageStateCreateInfoNV one_palette = PALETTES(VK_TRUE, 1),
                                                                 two_palettes =
                                                                     PALETTES(VK_TRUE, 2),
                                                                 disabled_palette =
                                                                     PALETTES(VK_FALSE, 1);
static const VkPhysicalDeviceShadingRateImageFeaturesNV rates_of_two = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADING_RATE_IMAGE_FEATURES_NV,
    .pNext = (void *)&viewports_feature,
    .shadingRateImage = VK_TRUE};
#define PALETTED \
    .drivers = NULL_DRIVER, .features = &rates_of_two, .extensions = {"VK_NV_shading_rate_image"}
RIGHT(palettes_of_all, (TWO_VIEWPORTS, p.viewport_state.pNext = &two_palettes), PALETTED)
RIGHT(palettes_that_are_disabled, (TWO_VIEWPORTS, p.viewport_state.pNext = &disabled_palette),
      PALETTED)
MISTAKE(palettes_of_some,
        "VkPipelineViewportShadingRateImageStateCreateInfoNV-shadingRateImageEnable-02056",
        (TWO_VIEWPORTS, p.viewport_state.pNext = &one_palette), PALETTED,
        .text = {"is 1, but VkPipelineViewportStateCreateInfo::viewportCount is 2"})

static const VkPipelineViewportDepthClampControlCreateInfoEXT clamp = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT,
    .depthClampMode = (VkDepthClampModeEXT)77,
    .pDepthClampRange = NOWHERE};
static const VkPhysicalDeviceDepthClampControlFeaturesEXT clamp_control = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLAMP_CONTROL_FEATURES_EXT,
    .depthClampControl = VK_TRUE};
RIGHT(clamp_range_is_dynamic,
      (p.viewport_state.pNext = &clamp, DYNAMIC(VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT)),
      .drivers = NULL_DRIVER, .features = &clamp_control,
      .extensions = {"VK_EXT_depth_clamp_control"})

static const VkPhysicalDeviceColorWriteEnableFeaturesEXT color_writes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT,
    .colorWriteEnable = VK_TRUE};
static const VkPipelineColorWriteCreateInfoEXT writes = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT,
    .attachmentCount = 1,
    .pColorWriteEnables = NOWHERE};
RIGHT(writes_are_dynamic,
      (p.color_blend.pNext = &writes, DYNAMIC(VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT)),
      .drivers = NULL_DRIVER, .features = &color_writes,
      .extensions = {"VK_EXT_color_write_enable"})
