/* Creates graphics pipelines (10.6 "Graphics Pipelines"): stages, flags, dynamic states, and each
 * of the structures. */
#include "scenario.h"

/* A valid pipeline `p` for a render pass with one color attachment, and a change that makes it
 * wrong. */
#define MISTAKE(name_, id_, change_, ...)                   \
    SCENARIO(name_, .expect = {"VUID-" id_}, ##__VA_ARGS__) \
    {                                                       \
        struct graphics_pipeline p;                         \
        begin_pipeline(b, &p);                              \
        change_;                                            \
        create_graphics_pipeline(b, &p.info);               \
    }
/* The same change, with what makes it right. */
#define RIGHT(name_, change_, ...)            \
    SCENARIO(name_, ##__VA_ARGS__)            \
    {                                         \
        struct graphics_pipeline p;           \
        begin_pipeline(b, &p);                \
        change_;                              \
        create_graphics_pipeline(b, &p.info); \
    }
#define ON_NULL          .drivers = NULL_DRIVER
#define EXTENSIONS(...)  .extensions = {__VA_ARGS__}
#define FEATURES(chain_) .features = &(chain_)

static void begin_pipeline(struct baseline *b, struct graphics_pipeline *p)
{
    begin_graphics_pipeline(b, p, make_empty_pipeline_layout(b), make_render_pass(b));
}

static VkPhysicalDeviceLimits limits_of(struct baseline *b)
{
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(b->physical_device, &properties);
    return properties.limits;
}

#define CORE_FEATURES(...)                                                                 \
    {                                                                                      \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = { __VA_ARGS__ } \
    }
static const VkPhysicalDeviceFeatures2
    many_viewports = CORE_FEATURES(.multiViewport = VK_TRUE),
    wide = CORE_FEATURES(.wideLines = VK_TRUE, .depthBiasClamp = VK_TRUE, .depthClamp = VK_TRUE,
                         .fillModeNonSolid = VK_TRUE, .depthBounds = VK_TRUE),
    blending =
        CORE_FEATURES(.independentBlend = VK_TRUE, .dualSrcBlend = VK_TRUE, .logicOp = VK_TRUE,
                      .alphaToOne = VK_TRUE, .sampleRateShading = VK_TRUE),
    shaders = CORE_FEATURES(.geometryShader = VK_TRUE, .tessellationShader = VK_TRUE);

/* The states become dynamic; up to 12. */
static VkPipelineDynamicStateCreateInfo dynamic_info;
static VkDynamicState dynamic_states[12];
static void make_dynamic(struct graphics_pipeline *p, uint32_t count, const VkDynamicState *states)
{
    for (uint32_t i = 0; i < count; i++)
        dynamic_states[i] = states[i];
    dynamic_info = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = count,
        .pDynamicStates = dynamic_states};
    p->info.pDynamicState = &dynamic_info;
}
#define DYNAMIC(...)                                                                         \
    make_dynamic(&p, sizeof((const VkDynamicState[]){__VA_ARGS__}) / sizeof(VkDynamicState), \
                 (const VkDynamicState[]){__VA_ARGS__})

/* --- the whole --- */

RIGHT(pipeline_in_order, )
RIGHT(pipeline_dynamic,
      DYNAMIC(VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR, VK_DYNAMIC_STATE_LINE_WIDTH);
      p.viewport_state.pViewports = NULL; p.viewport_state.pScissors = NULL;
      p.rasterization.lineWidth = 7)
RIGHT(pipeline_discards,
      (p.rasterization.rasterizerDiscardEnable = VK_TRUE, p.info.pViewportState = NULL,
       p.info.pMultisampleState = NULL, p.info.pColorBlendState = NULL, p.info.stageCount = 1))

/* --- stages --- */

MISTAKE(stage_vertex_missing, "VkGraphicsPipelineCreateInfo-stage-02096",
        (p.stages[0] = p.stages[1], p.info.stageCount = 1))
SCENARIO(stage_twice, .expect = {"VUID-VkGraphicsPipelineCreateInfo-stage-06897"},
         .text = {"pStages[1].stage is VK_SHADER_STAGE_VERTEX_BIT"})
{
    struct graphics_pipeline p;
    begin_pipeline(b, &p);
    p.stages[1] = p.stages[0];
    create_graphics_pipeline(b, &p.info);
}

SCENARIO(stage_of_compute, .expect = {"VUID-VkGraphicsPipelineCreateInfo-pStages-06896"})
{
    struct graphics_pipeline p;
    begin_pipeline(b, &p);
    p.stages[1] = stage_info(VK_SHADER_STAGE_COMPUTE_BIT, make_shader_module(b));
    p.info.layout = make_pipeline_layout(b, make_descriptor_set_layout(b));
    create_graphics_pipeline(b, &p.info);
}

/* --- flags --- */

static const VkPhysicalDevicePipelineProtectedAccessFeaturesEXT protected_access = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_PROTECTED_ACCESS_FEATURES_EXT,
    .pipelineProtectedAccess = VK_TRUE};
MISTAKE(flag_protected_both, "VkGraphicsPipelineCreateInfo-flags-07369",
        p.info.flags = VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT_EXT |
                       VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT_EXT,
        ON_NULL, EXTENSIONS("VK_EXT_pipeline_protected_access"), FEATURES(protected_access))
RIGHT(flag_protected_one, p.info.flags = VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT_EXT, ON_NULL,
      EXTENSIONS("VK_EXT_pipeline_protected_access"), FEATURES(protected_access))

static VkPipelineCreateFlags2CreateInfoKHR flags2;
static void set_flags2(struct graphics_pipeline *p, VkPipelineCreateFlags2KHR flags)
{
    flags2 = (VkPipelineCreateFlags2CreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR, .flags = flags};
    p->info.pNext = &flags2;
}
static const VkPhysicalDeviceMaintenance5FeaturesKHR maintenance5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR, .maintenance5 = VK_TRUE};
MISTAKE(flag_indirect_ext, "VkGraphicsPipelineCreateInfo-flags-11000",
        set_flags2(&p, VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT), ON_NULL,
        EXTENSIONS("VK_KHR_maintenance5", "VK_EXT_device_generated_commands"),
        FEATURES(maintenance5))
MISTAKE(flag_64_bit_indexing, "VkGraphicsPipelineCreateInfo-flags-11798",
        set_flags2(&p, VK_PIPELINE_CREATE_2_64_BIT_INDEXING_BIT_EXT), ON_NULL,
        EXTENSIONS("VK_KHR_maintenance5", "VK_EXT_shader_64bit_indexing"), FEATURES(maintenance5))

/* --- derivatives --- */

static VkPipeline make_base(struct baseline *b, VkPipelineCreateFlags flags)
{
    struct graphics_pipeline p;
    begin_pipeline(b, &p);
    p.info.flags = flags;
    return create_graphics_pipeline(b, &p.info);
}

RIGHT(derivative_of_handle,
      (p.info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT,
       p.info.basePipelineHandle = make_base(b, VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT)))
/* -1 is a number like any other where the interpreter of rows looks at it. */
#define DISCARDING                                                                          \
    p.rasterization.rasterizerDiscardEnable = VK_TRUE, p.info.pViewportState = NULL,        \
    p.info.pMultisampleState = NULL, p.info.pColorBlendState = NULL, p.info.stageCount = 1, \
    p.info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT,                                       \
    p.info.basePipelineHandle = make_base(b, VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT)
RIGHT(derivative_that_discards, (DISCARDING))
MISTAKE(derivative_of_two, "VkGraphicsPipelineCreateInfo-flags-07986",
        (DISCARDING, p.info.basePipelineIndex = -2), .text = {"basePipelineIndex is -2, not -1"})
MISTAKE(derivative_of_nothing, "VkGraphicsPipelineCreateInfo-flags-07984",
        p.info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT)
MISTAKE(derivative_of_compute, "VkGraphicsPipelineCreateInfo-flags-07984",
        (p.info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT,
         p.info.basePipelineHandle = make_any_compute_pipeline(b)))
MISTAKE(derivative_of_no_index, "VkGraphicsPipelineCreateInfo-flags-07985",
        (p.info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT, p.info.basePipelineIndex = 1))
MISTAKE(derivative_of_itself, "vkCreateGraphicsPipelines-flags-00720",
        (p.info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT, p.info.basePipelineIndex = 0))
MISTAKE(derivative_not_allowed, "vkCreateGraphicsPipelines-flags-00721",
        (p.info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT,
         p.info.basePipelineHandle = make_base(b, 0)))

/* --- creation feedback --- */

static VkPipelineCreationFeedback whole_feedback, stage_feedbacks[8];
static VkPipelineCreationFeedbackCreateInfo feedback;
static void set_feedback(struct graphics_pipeline *p, uint32_t stages)
{
    feedback = (VkPipelineCreationFeedbackCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
        .pPipelineCreationFeedback = &whole_feedback,
        .pipelineStageCreationFeedbackCount = stages,
        .pPipelineStageCreationFeedbacks = stage_feedbacks};
    p->info.pNext = &feedback;
}

RIGHT(feedback_whole, set_feedback(&p, 0))
RIGHT(feedback_stages, set_feedback(&p, 2))

/* --- structures that must be there --- */

MISTAKE(vertex_input_missing, "VkGraphicsPipelineCreateInfo-pStages-02097",
        p.info.pVertexInputState = NULL)
MISTAKE(input_assembly_missing,
        "VkGraphicsPipelineCreateInfo-dynamicPrimitiveTopologyUnrestricted-09031",
        p.info.pInputAssemblyState = NULL)
MISTAKE(viewport_state_missing, "VkGraphicsPipelineCreateInfo-rasterizerDiscardEnable-09024",
        p.info.pViewportState = NULL)
MISTAKE(rasterization_missing, "VkGraphicsPipelineCreateInfo-pRasterizationState-06601",
        p.info.pRasterizationState = NULL)
MISTAKE(multisample_missing, "VkGraphicsPipelineCreateInfo-pMultisampleState-09026",
        p.info.pMultisampleState = NULL)
MISTAKE(color_blend_missing, "VkGraphicsPipelineCreateInfo-renderPass-09030",
        p.info.pColorBlendState = NULL)
MISTAKE(layout_missing, "VkGraphicsPipelineCreateInfo-None-07826", p.info.layout = VK_NULL_HANDLE)

/* --- dynamic states --- */

MISTAKE(dynamic_twice, "VkPipelineDynamicStateCreateInfo-pDynamicStates-01442",
        DYNAMIC(VK_DYNAMIC_STATE_LINE_WIDTH, VK_DYNAMIC_STATE_LINE_WIDTH))
MISTAKE(dynamic_viewport_twice, "VkGraphicsPipelineCreateInfo-pDynamicStates-04132",
        (DYNAMIC(VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT),
         p.viewport_state.viewportCount = 0))
MISTAKE(dynamic_scissor_twice, "VkGraphicsPipelineCreateInfo-pDynamicStates-04133",
        (DYNAMIC(VK_DYNAMIC_STATE_SCISSOR, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT),
         p.viewport_state.scissorCount = 0))
MISTAKE(dynamic_stack_size, "VkGraphicsPipelineCreateInfo-pDynamicStates-03578",
        DYNAMIC(VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR), ON_NULL,
        EXTENSIONS("VK_KHR_ray_tracing_pipeline", "VK_KHR_acceleration_structure",
                   "VK_KHR_deferred_host_operations"))
MISTAKE(dynamic_of_one, "VkGraphicsPipelineCreateInfo-pDynamicStates-03378",
        DYNAMIC(VK_DYNAMIC_STATE_CULL_MODE), .api_version = VK_API_VERSION_1_2,
        .settings = {"check_shaders=false"}, EXTENSIONS("VK_EXT_extended_dynamic_state"))
MISTAKE(dynamic_of_two, "VkGraphicsPipelineCreateInfo-pDynamicStates-04868",
        DYNAMIC(VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE), .api_version = VK_API_VERSION_1_2,
        .settings = {"check_shaders=false"}, EXTENSIONS("VK_EXT_extended_dynamic_state2"))
RIGHT(dynamic_of_version, DYNAMIC(VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE))
MISTAKE(dynamic_logic_op, "VkGraphicsPipelineCreateInfo-pDynamicStates-04869",
        DYNAMIC(VK_DYNAMIC_STATE_LOGIC_OP_EXT), EXTENSIONS("VK_EXT_extended_dynamic_state2"))
MISTAKE(dynamic_patches, "VkGraphicsPipelineCreateInfo-pDynamicStates-04870",
        DYNAMIC(VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT),
        EXTENSIONS("VK_EXT_extended_dynamic_state2"))
MISTAKE(dynamic_color_write, "VkGraphicsPipelineCreateInfo-pDynamicStates-04800",
        DYNAMIC(VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT), EXTENSIONS("VK_EXT_color_write_enable"))
MISTAKE(dynamic_vertex_input, "VkGraphicsPipelineCreateInfo-pDynamicStates-04807",
        DYNAMIC(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT), EXTENSIONS("VK_EXT_vertex_input_dynamic_state"))

#define THREE(name_, id_, state_, ...)                                       \
    MISTAKE(name_, "VkGraphicsPipelineCreateInfo-extendedDynamicState3" id_, \
            DYNAMIC(VK_DYNAMIC_STATE_##state_), ON_NULL,                     \
            EXTENSIONS("VK_EXT_extended_dynamic_state3", ##__VA_ARGS__))
THREE(three_tessellation_domain_origin_ext, "TessellationDomainOrigin-07370",
      TESSELLATION_DOMAIN_ORIGIN_EXT)
THREE(three_depth_clamp_enable_ext, "DepthClampEnable-07371", DEPTH_CLAMP_ENABLE_EXT)
THREE(three_polygon_mode_ext, "PolygonMode-07372", POLYGON_MODE_EXT)
THREE(three_rasterization_samples_ext, "RasterizationSamples-07373", RASTERIZATION_SAMPLES_EXT)
THREE(three_sample_mask_ext, "SampleMask-07374", SAMPLE_MASK_EXT)
THREE(three_alpha_to_coverage_enable_ext, "AlphaToCoverageEnable-07375",
      ALPHA_TO_COVERAGE_ENABLE_EXT)
THREE(three_alpha_to_one_enable_ext, "AlphaToOneEnable-07376", ALPHA_TO_ONE_ENABLE_EXT)
THREE(three_logic_op_enable_ext, "LogicOpEnable-07377", LOGIC_OP_ENABLE_EXT)
THREE(three_color_blend_enable_ext, "ColorBlendEnable-07378", COLOR_BLEND_ENABLE_EXT)
THREE(three_color_blend_equation_ext, "ColorBlendEquation-07379", COLOR_BLEND_EQUATION_EXT)
THREE(three_color_write_mask_ext, "ColorWriteMask-07380", COLOR_WRITE_MASK_EXT)
THREE(three_rasterization_stream_ext, "RasterizationStream-07381", RASTERIZATION_STREAM_EXT,
      "VK_EXT_transform_feedback")
THREE(three_extra_primitive_overestimation_size_ext, "ExtraPrimitiveOverestimationSize-07383",
      EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT, "VK_EXT_conservative_rasterization")
THREE(three_depth_clip_enable_ext, "DepthClipEnable-07384", DEPTH_CLIP_ENABLE_EXT,
      "VK_EXT_depth_clip_enable")
THREE(three_sample_locations_enable_ext, "SampleLocationsEnable-07385", SAMPLE_LOCATIONS_ENABLE_EXT,
      "VK_EXT_sample_locations")
THREE(three_color_blend_advanced_ext, "ColorBlendAdvanced-07386", COLOR_BLEND_ADVANCED_EXT,
      "VK_EXT_blend_operation_advanced")
THREE(three_provoking_vertex_mode_ext, "ProvokingVertexMode-07387", PROVOKING_VERTEX_MODE_EXT,
      "VK_EXT_provoking_vertex")
THREE(three_line_rasterization_mode_ext, "LineRasterizationMode-07388", LINE_RASTERIZATION_MODE_EXT,
      "VK_EXT_line_rasterization")
THREE(three_line_stipple_enable_ext, "LineStippleEnable-07389", LINE_STIPPLE_ENABLE_EXT,
      "VK_EXT_line_rasterization")
THREE(three_depth_clip_negative_one_to_one_ext, "DepthClipNegativeOneToOne-07390",
      DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT, "VK_EXT_depth_clip_control")
THREE(three_viewport_w_scaling_enable_nv, "ViewportWScalingEnable-07391",
      VIEWPORT_W_SCALING_ENABLE_NV, "VK_NV_clip_space_w_scaling")
THREE(three_viewport_swizzle_nv, "ViewportSwizzle-07392", VIEWPORT_SWIZZLE_NV,
      "VK_NV_viewport_swizzle")
THREE(three_coverage_to_color_enable_nv, "CoverageToColorEnable-07393", COVERAGE_TO_COLOR_ENABLE_NV,
      "VK_NV_fragment_coverage_to_color")
THREE(three_coverage_to_color_location_nv, "CoverageToColorLocation-07394",
      COVERAGE_TO_COLOR_LOCATION_NV, "VK_NV_fragment_coverage_to_color")
THREE(three_coverage_modulation_mode_nv, "CoverageModulationMode-07395",
      COVERAGE_MODULATION_MODE_NV, "VK_NV_framebuffer_mixed_samples")
THREE(three_coverage_modulation_table_enable_nv, "CoverageModulationTableEnable-07396",
      COVERAGE_MODULATION_TABLE_ENABLE_NV, "VK_NV_framebuffer_mixed_samples")
THREE(three_coverage_modulation_table_nv, "CoverageModulationTable-07397",
      COVERAGE_MODULATION_TABLE_NV, "VK_NV_framebuffer_mixed_samples")
THREE(three_coverage_reduction_mode_nv, "CoverageReductionMode-07398", COVERAGE_REDUCTION_MODE_NV,
      "VK_NV_framebuffer_mixed_samples", "VK_NV_coverage_reduction_mode")
THREE(three_representative_fragment_test_enable_nv, "RepresentativeFragmentTestEnable-07399",
      REPRESENTATIVE_FRAGMENT_TEST_ENABLE_NV, "VK_NV_representative_fragment_test")
THREE(three_shading_rate_image_enable_nv, "ShadingRateImageEnable-07400",
      SHADING_RATE_IMAGE_ENABLE_NV, "VK_NV_shading_rate_image")

SCENARIO(three_conservative_mode, ON_NULL,
         EXTENSIONS("VK_EXT_extended_dynamic_state3", "VK_EXT_conservative_rasterization"),
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-"
                    "extendedDynamicState3ConservativeRasterizationMode-07382"})
{
    struct graphics_pipeline p;
    begin_pipeline(b, &p);
    DYNAMIC(VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT);
    create_graphics_pipeline(b, &p.info);
}

static const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT conservative_three = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
    .extendedDynamicState3ConservativeRasterizationMode = VK_TRUE};
SCENARIO(conservative_mode_without_overestimation, ON_NULL, FEATURES(conservative_three),
         EXTENSIONS("VK_EXT_extended_dynamic_state3", "VK_EXT_conservative_rasterization"),
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-09639"})
{
    struct graphics_pipeline p;
    begin_pipeline(b, &p);
    DYNAMIC(VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT);
    create_graphics_pipeline(b, &p.info);
}

static const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT some_three = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
    .extendedDynamicState3DepthClampEnable = VK_TRUE,
    .extendedDynamicState3PolygonMode = VK_TRUE,
    .extendedDynamicState3RasterizationSamples = VK_TRUE,
    .extendedDynamicState3SampleMask = VK_TRUE,
    .extendedDynamicState3AlphaToCoverageEnable = VK_TRUE,
    .extendedDynamicState3LogicOpEnable = VK_TRUE,
    .extendedDynamicState3ColorBlendEnable = VK_TRUE,
    .extendedDynamicState3ColorBlendEquation = VK_TRUE,
    .extendedDynamicState3ColorWriteMask = VK_TRUE};

/* A state that is all dynamic need not be given. */
RIGHT(states_dynamic_all,
      DYNAMIC(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
              VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
              VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT);
      p.info.pViewportState = NULL;
      p.info.pMultisampleState = NULL, EXTENSIONS("VK_EXT_extended_dynamic_state3"),
      FEATURES(some_three))
RIGHT(rasterization_dynamic_all,
      DYNAMIC(VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
              VK_DYNAMIC_STATE_POLYGON_MODE_EXT, VK_DYNAMIC_STATE_CULL_MODE,
              VK_DYNAMIC_STATE_FRONT_FACE, VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
              VK_DYNAMIC_STATE_DEPTH_BIAS, VK_DYNAMIC_STATE_LINE_WIDTH);
      p.info.pRasterizationState = NULL, EXTENSIONS("VK_EXT_extended_dynamic_state3"),
      FEATURES(some_three), ON_NULL)

/* --- vertex input --- */

static VkVertexInputBindingDescription bindings[64];
static VkVertexInputAttributeDescription attributes[64];
/* Two bindings, two attributes that the shader does not read. */
static void add_vertex_input(struct graphics_pipeline *p)
{
    for (uint32_t i = 0; i < 64; i++) {
        bindings[i] = (VkVertexInputBindingDescription){.binding = i, .stride = 16};
        attributes[i] = (VkVertexInputAttributeDescription){
            .location = i, .binding = i, .format = VK_FORMAT_R32G32B32A32_SFLOAT};
    }
    p->vertex_input.vertexBindingDescriptionCount =
        p->vertex_input.vertexAttributeDescriptionCount = 2;
    p->vertex_input.pVertexBindingDescriptions = bindings;
    p->vertex_input.pVertexAttributeDescriptions = attributes;
}
#define INPUT_MISTAKE(name_, id_, change_, ...) \
    MISTAKE(name_, id_, add_vertex_input(&p); change_, ##__VA_ARGS__)

RIGHT(input_in_order, add_vertex_input(&p))
INPUT_MISTAKE(input_no_binding, "VkPipelineVertexInputStateCreateInfo-binding-00615",
              attributes[0].binding = 5)
INPUT_MISTAKE(input_binding_twice,
              "VkPipelineVertexInputStateCreateInfo-pVertexBindingDescriptions-00616",
              (bindings[1].binding = 0, attributes[1].binding = 0))
INPUT_MISTAKE(input_location_twice,
              "VkPipelineVertexInputStateCreateInfo-pVertexAttributeDescriptions-00617",
              attributes[1].location = 0)
INPUT_MISTAKE(input_format, "VkVertexInputAttributeDescription-format-00623",
              attributes[0].format = VK_FORMAT_BC1_RGB_UNORM_BLOCK)

static VkVertexInputBindingDivisorDescriptionEXT divisor;
static VkPipelineVertexInputDivisorStateCreateInfoEXT divisors;
static void set_divisor(struct graphics_pipeline *p, uint32_t binding, uint32_t value)
{
    add_vertex_input(p);
    bindings[1].inputRate = VK_VERTEX_INPUT_RATE_INSTANCE;
    divisor = (VkVertexInputBindingDivisorDescriptionEXT){binding, value};
    divisors = (VkPipelineVertexInputDivisorStateCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT,
        .vertexBindingDivisorCount = 1,
        .pVertexBindingDivisors = &divisor};
    p->vertex_input.pNext = &divisors;
}
static const VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisor_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
    .vertexAttributeInstanceRateDivisor = VK_TRUE,
    .vertexAttributeInstanceRateZeroDivisor = VK_TRUE};
#define DIVISORS EXTENSIONS("VK_EXT_vertex_attribute_divisor")

RIGHT(divisor_zero, set_divisor(&p, 1, 0), DIVISORS, FEATURES(divisor_feature))
RIGHT(divisor_two, set_divisor(&p, 1, 2), DIVISORS, FEATURES(divisor_feature))
RIGHT(divisor_one_without_feature, set_divisor(&p, 1, 1), DIVISORS)
MISTAKE(divisor_of_vertices, "VkVertexInputBindingDivisorDescription-inputRate-01871",
        set_divisor(&p, 0, 1), DIVISORS)
MISTAKE(divisor_large, "VkVertexInputBindingDivisorDescription-divisor-01870",
        set_divisor(&p, 1, 1001), DIVISORS, FEATURES(divisor_feature), ON_NULL,
        .null_driver = "{\"properties\": {\"maxVertexAttribDivisor\": 1000}}")

/* --- input assembly and tessellation --- */

static const VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT list_restart = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT,
    .primitiveTopologyListRestart = VK_TRUE};
RIGHT(restart_of_strip, (p.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                         p.input_assembly.primitiveRestartEnable = VK_TRUE))
RIGHT(restart_of_list, p.input_assembly.primitiveRestartEnable = VK_TRUE,
      EXTENSIONS("VK_EXT_primitive_topology_list_restart"), FEATURES(list_restart))
MISTAKE(restart_of_list_without_feature, "VkPipelineInputAssemblyStateCreateInfo-topology-06252",
        p.input_assembly.primitiveRestartEnable = VK_TRUE)
MISTAKE(topology_adjacency, "VkPipelineInputAssemblyStateCreateInfo-topology-00429",
        p.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY)
RIGHT(topology_adjacency_with_feature,
      p.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY,
      FEATURES(shaders))
MISTAKE(topology_patches_without_shaders, "VkGraphicsPipelineCreateInfo-topology-08889",
        p.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, FEATURES(shaders))
SCENARIO(topology_patches, .expect = {"VUID-VkPipelineInputAssemblyStateCreateInfo-topology-00430"})
{
    struct graphics_pipeline p;
    begin_pipeline(b, &p);
    p.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    create_graphics_pipeline(b, &p.info);
}
SCENARIO(restart_of_patches, FEATURES(shaders),
         .expect = {"VUID-VkPipelineInputAssemblyStateCreateInfo-topology-06253",
                    "VUID-VkGraphicsPipelineCreateInfo-topology-08889"})
{
    struct graphics_pipeline p;
    begin_pipeline(b, &p);
    p.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    p.input_assembly.primitiveRestartEnable = VK_TRUE;
    create_graphics_pipeline(b, &p.info);
}

/* --- viewports --- */

static VkViewport viewports[64];
static VkRect2D scissors[64];
static void set_counts(struct graphics_pipeline *p, uint32_t viewport_count, uint32_t scissor_count)
{
    for (uint32_t i = 0; i < 64; i++)
        viewports[i] = (VkViewport){.width = 1, .height = 1};
    p->viewport_state.viewportCount = viewport_count;
    p->viewport_state.scissorCount = scissor_count;
    p->viewport_state.pViewports = viewports;
    p->viewport_state.pScissors = scissors;
}

RIGHT(viewports_two, set_counts(&p, 2, 2), FEATURES(many_viewports))
SCENARIO(viewports_many, FEATURES(many_viewports),
         .expect = {"VUID-VkPipelineViewportStateCreateInfo-viewportCount-01218",
                    "VUID-VkPipelineViewportStateCreateInfo-scissorCount-01219"})
{
    struct graphics_pipeline p;
    begin_pipeline(b, &p);
    set_counts(&p, limits_of(b).maxViewports + 1, limits_of(b).maxViewports + 1);
    create_graphics_pipeline(b, &p.info);
}
SCENARIO(viewports_two_without_feature,
         .expect = {"VUID-VkPipelineViewportStateCreateInfo-viewportCount-01216",
                    "VUID-VkPipelineViewportStateCreateInfo-scissorCount-01217"})
{
    struct graphics_pipeline p;
    begin_pipeline(b, &p);
    set_counts(&p, 2, 2);
    create_graphics_pipeline(b, &p.info);
}
MISTAKE(viewports_and_scissors_differ, "VkPipelineViewportStateCreateInfo-scissorCount-04134",
        set_counts(&p, 1, 2), FEATURES(many_viewports))
MISTAKE(viewports_none, "VkPipelineViewportStateCreateInfo-viewportCount-04135",
        set_counts(&p, 0, 1))
MISTAKE(scissors_none, "VkPipelineViewportStateCreateInfo-scissorCount-04136", set_counts(&p, 1, 0))
SCENARIO(viewport_count_beside_dynamic,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-03379"})
{
    struct graphics_pipeline p;
    begin_pipeline(b, &p);
    DYNAMIC(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT);
    create_graphics_pipeline(b, &p.info);
}
SCENARIO(scissor_count_beside_dynamic,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-03380"})
{
    struct graphics_pipeline p;
    begin_pipeline(b, &p);
    DYNAMIC(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT);
    create_graphics_pipeline(b, &p.info);
}
RIGHT(viewport_counts_dynamic,
      DYNAMIC(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT);
      set_counts(&p, 0, 0))
MISTAKE(viewports_null, "VkGraphicsPipelineCreateInfo-pDynamicStates-04130",
        p.viewport_state.pViewports = NULL)
MISTAKE(scissors_null, "VkGraphicsPipelineCreateInfo-pDynamicStates-04131",
        p.viewport_state.pScissors = NULL)
MISTAKE(viewport_width, "VkViewport-width-01770", p.viewport.width = -1)
MISTAKE(scissor_negative, "VkPipelineViewportStateCreateInfo-x-02821", p.scissor.offset.x = -1)
MISTAKE(scissor_wide, "VkPipelineViewportStateCreateInfo-offset-02822",
        (p.scissor.offset.x = 1, p.scissor.extent.width = INT32_MAX))
MISTAKE(scissor_tall, "VkPipelineViewportStateCreateInfo-offset-02823",
        (p.scissor.offset.y = 1, p.scissor.extent.height = INT32_MAX))

static VkPipelineViewportDepthClipControlCreateInfoEXT clip_control = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT,
    .negativeOneToOne = VK_TRUE};
static const VkPhysicalDeviceDepthClipControlFeaturesEXT clip_control_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_CONTROL_FEATURES_EXT,
    .depthClipControl = VK_TRUE};
RIGHT(clip_control_with_feature, p.viewport_state.pNext = &clip_control,
      EXTENSIONS("VK_EXT_depth_clip_control"), FEATURES(clip_control_feature))

static VkPipelineViewportWScalingStateCreateInfoNV w_scaling;
static VkViewportWScalingNV w_scalings[2];
static void set_w_scaling(struct graphics_pipeline *p, uint32_t count,
                          const VkViewportWScalingNV *values)
{
    w_scaling = (VkPipelineViewportWScalingStateCreateInfoNV){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_W_SCALING_STATE_CREATE_INFO_NV,
        .viewportWScalingEnable = VK_TRUE,
        .viewportCount = count,
        .pViewportWScalings = values};
    p->viewport_state.pNext = &w_scaling;
}
#define W_SCALING ON_NULL, EXTENSIONS("VK_NV_clip_space_w_scaling")
RIGHT(w_scaling_in_order, set_w_scaling(&p, 1, w_scalings), W_SCALING)
MISTAKE(w_scaling_null, "VkGraphicsPipelineCreateInfo-pDynamicStates-01715",
        set_w_scaling(&p, 1, NULL), W_SCALING)
MISTAKE(w_scaling_few, "VkPipelineViewportStateCreateInfo-viewportWScalingEnable-01726",
        set_counts(&p, 2, 2);
        set_w_scaling(&p, 1, w_scalings), W_SCALING, FEATURES(many_viewports))

static VkPipelineViewportExclusiveScissorStateCreateInfoNV exclusive;
static void set_exclusive(struct graphics_pipeline *p, uint32_t count, const VkRect2D *values)
{
    exclusive = (VkPipelineViewportExclusiveScissorStateCreateInfoNV){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_EXCLUSIVE_SCISSOR_STATE_CREATE_INFO_NV,
        .exclusiveScissorCount = count,
        .pExclusiveScissors = values};
    p->viewport_state.pNext = &exclusive;
}
#define EXCLUSIVE ON_NULL, EXTENSIONS("VK_NV_scissor_exclusive")
RIGHT(exclusive_in_order, set_exclusive(&p, 1, scissors), EXCLUSIVE)
MISTAKE(exclusive_null, "VkGraphicsPipelineCreateInfo-pDynamicStates-04056",
        set_exclusive(&p, 1, NULL), EXCLUSIVE)
MISTAKE(exclusive_two,
        "VkPipelineViewportExclusiveScissorStateCreateInfoNV-exclusiveScissorCount-02027",
        set_exclusive(&p, 2, scissors), EXCLUSIVE)
MISTAKE(exclusive_few,
        "VkPipelineViewportExclusiveScissorStateCreateInfoNV-exclusiveScissorCount-02029",
        set_counts(&p, 2, 2);
        set_exclusive(&p, 1, scissors), EXCLUSIVE, FEATURES(many_viewports))

static VkPipelineViewportDepthClampControlCreateInfoEXT clamp = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT,
    .depthClampMode = VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT};
static const VkPhysicalDeviceDepthClampControlFeaturesEXT clamp_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLAMP_CONTROL_FEATURES_EXT,
    .depthClampControl = VK_TRUE};
MISTAKE(depth_clamp_range_null,
        "VkPipelineViewportDepthClampControlCreateInfoEXT-pDepthClampRange-09646",
        p.viewport_state.pNext = &clamp, ON_NULL, EXTENSIONS("VK_EXT_depth_clamp_control"),
        FEATURES(clamp_feature))

static VkPipelineDiscardRectangleStateCreateInfoEXT discard;
static void set_discard(struct graphics_pipeline *p, uint32_t count, const VkRect2D *values)
{
    discard = (VkPipelineDiscardRectangleStateCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT,
        .discardRectangleCount = count,
        .pDiscardRectangles = values};
    p->info.pNext = &discard;
}
#define DISCARD ON_NULL, EXTENSIONS("VK_EXT_discard_rectangles")
RIGHT(discard_in_order, set_discard(&p, 1, scissors), DISCARD)
MISTAKE(discard_null, "VkGraphicsPipelineCreateInfo-pDynamicStates-04058", set_discard(&p, 1, NULL),
        DISCARD)

/* --- rasterization --- */

RIGHT(rasterization_with_features,
      (p.rasterization.lineWidth = 2, p.rasterization.depthClampEnable = VK_TRUE,
       p.rasterization.polygonMode = VK_POLYGON_MODE_LINE,
       p.rasterization.depthBiasEnable = VK_TRUE, p.rasterization.depthBiasClamp = 1),
      FEATURES(wide))
MISTAKE(line_width, "VkGraphicsPipelineCreateInfo-pDynamicStates-00749",
        p.rasterization.lineWidth = 2)
MISTAKE(depth_bias_clamp, "VkGraphicsPipelineCreateInfo-pDynamicStates-00754",
        (p.rasterization.depthBiasEnable = VK_TRUE, p.rasterization.depthBiasClamp = 1))
RIGHT(depth_bias_clamp_disabled, p.rasterization.depthBiasClamp = 1)

static VkPipelineRasterizationLineStateCreateInfoEXT line;
static void set_line(struct graphics_pipeline *p, VkLineRasterizationModeEXT mode, VkBool32 stipple,
                     uint32_t factor)
{
    line = (VkPipelineRasterizationLineStateCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .lineRasterizationMode = mode,
        .stippledLineEnable = stipple,
        .lineStippleFactor = factor};
    p->rasterization.pNext = &line;
}
#define LINE_FEATURES(...) \
    {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT, __VA_ARGS__}
static const VkPhysicalDeviceLineRasterizationFeaturesEXT
    plain_lines = LINE_FEATURES(.rectangularLines = VK_TRUE, .bresenhamLines = VK_TRUE,
                                .smoothLines = VK_TRUE),
    stippled_lines =
        LINE_FEATURES(.rectangularLines = VK_TRUE, .bresenhamLines = VK_TRUE,
                      .smoothLines = VK_TRUE, .stippledRectangularLines = VK_TRUE,
                      .stippledBresenhamLines = VK_TRUE, .stippledSmoothLines = VK_TRUE);
#define LINES EXTENSIONS("VK_EXT_line_rasterization"), ON_NULL
RIGHT(lines_bresenham, set_line(&p, VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT, VK_FALSE, 0), LINES,
      FEATURES(plain_lines))
RIGHT(lines_stippled, set_line(&p, VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH_EXT, VK_TRUE, 256),
      LINES, FEATURES(stippled_lines))
MISTAKE(lines_default_stippled,
        "VkPipelineRasterizationLineStateCreateInfo-stippledLineEnable-02774",
        set_line(&p, VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT, VK_TRUE, 1), LINES,
        FEATURES(plain_lines))
MISTAKE(lines_stipple_factor, "VkGraphicsPipelineCreateInfo-stippledLineEnable-02767",
        set_line(&p, VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT, VK_TRUE, 257), LINES,
        FEATURES(stippled_lines))
MISTAKE(lines_smooth_to_coverage, "VkGraphicsPipelineCreateInfo-lineRasterizationMode-02766",
        (set_line(&p, VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT, VK_FALSE, 0),
         p.multisample.alphaToCoverageEnable = VK_TRUE),
        LINES, FEATURES(plain_lines))

static VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
    .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT};
static const VkPhysicalDeviceProvokingVertexFeaturesEXT provoking_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT,
    .provokingVertexLast = VK_TRUE};
RIGHT(provoking_last_with_feature, p.rasterization.pNext = &provoking,
      EXTENSIONS("VK_EXT_provoking_vertex"), FEATURES(provoking_feature))

static VkPipelineRasterizationConservativeStateCreateInfoEXT conservative;
static void set_conservative(struct graphics_pipeline *p, VkConservativeRasterizationModeEXT mode,
                             float extra)
{
    conservative = (VkPipelineRasterizationConservativeStateCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT,
        .conservativeRasterizationMode = mode,
        .extraPrimitiveOverestimationSize = extra};
    p->rasterization.pNext = &conservative;
}
#define OVERESTIMATE VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT
RIGHT(conservative_in_order, set_conservative(&p, OVERESTIMATE, 0), ON_NULL,
      EXTENSIONS("VK_EXT_conservative_rasterization"))
/* "If conservativeRasterizationMode is not VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT,
 * this value is ignored" */
RIGHT(conservative_ignored,
      set_conservative(&p, VK_CONSERVATIVE_RASTERIZATION_MODE_UNDERESTIMATE_EXT, -1), ON_NULL,
      EXTENSIONS("VK_EXT_conservative_rasterization"))
MISTAKE(conservative_negative,
        "VkPipelineRasterizationConservativeStateCreateInfoEXT-extraPrimitiveOverestimationSize-"
        "01769",
        set_conservative(&p, OVERESTIMATE, -1), ON_NULL,
        EXTENSIONS("VK_EXT_conservative_rasterization"))

static VkPipelineRasterizationStateStreamCreateInfoEXT stream;
static void set_stream(struct graphics_pipeline *p, uint32_t number)
{
    stream = (VkPipelineRasterizationStateStreamCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT,
        .rasterizationStream = number};
    p->rasterization.pNext = &stream;
}
static const VkPhysicalDeviceTransformFeedbackFeaturesEXT streams = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .transformFeedback = VK_TRUE,
    .geometryStreams = VK_TRUE};
#define STREAMS EXTENSIONS("VK_EXT_transform_feedback"), ON_NULL
RIGHT(stream_zero, set_stream(&p, 0), STREAMS, FEATURES(streams))

/* --- multisampling --- */

RIGHT(min_sample_shading_ignored, p.multisample.minSampleShading = 2)
RIGHT(multisample_with_features,
      (p.multisample.sampleShadingEnable = VK_TRUE, p.multisample.alphaToOneEnable = VK_TRUE,
       p.multisample.minSampleShading = 1),
      FEATURES(blending))
MISTAKE(samples_of_attachment,
        "VkGraphicsPipelineCreateInfo-multisampledRenderToSingleSampled-06853",
        p.multisample.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT,
        .text = {"rasterizationSamples is 4, but color attachment 0 of subpass 0 (attachment 0 of "
                 "the render pass) has 1 sample"})

static VkSampleLocationEXT location_list[16];
static VkPipelineSampleLocationsStateCreateInfoEXT locations;
static void set_locations(struct graphics_pipeline *p, uint32_t samples, uint32_t width,
                          uint32_t height, uint32_t count)
{
    locations = (VkPipelineSampleLocationsStateCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT,
        .sampleLocationsEnable = VK_TRUE,
        .sampleLocationsInfo = {.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,
                                .sampleLocationsPerPixel = samples,
                                .sampleLocationGridSize = {width, height},
                                .sampleLocationsCount = count,
                                .pSampleLocations = location_list}};
    p->multisample.pNext = &locations;
}
#define LOCATIONS ON_NULL, EXTENSIONS("VK_EXT_sample_locations")
RIGHT(locations_in_order, set_locations(&p, 1, 1, 1, 1), LOCATIONS)
MISTAKE(locations_count, "VkSampleLocationsInfoEXT-sampleLocationsCount-01527",
        set_locations(&p, 1, 1, 1, 2), LOCATIONS)
MISTAKE(locations_samples, "VkGraphicsPipelineCreateInfo-pDynamicStates-07612",
        set_locations(&p, 2, 1, 1, 2), LOCATIONS)
MISTAKE(locations_wide, "VkGraphicsPipelineCreateInfo-pDynamicStates-07610",
        set_locations(&p, 1, 3, 1, 3), LOCATIONS,
        .null_driver = "{\"properties\": {\"maxSampleLocationGridSize\": [2, 2]}}")
MISTAKE(locations_tall, "VkGraphicsPipelineCreateInfo-pDynamicStates-07611",
        set_locations(&p, 1, 1, 3, 3), LOCATIONS,
        .null_driver = "{\"properties\": {\"maxSampleLocationGridSize\": [2, 2]}}")

/* --- depth and stencil --- */

static VkPipelineDepthStencilStateCreateInfo depth;
static VkPipelineDepthStencilStateCreateInfo *add_depth(struct graphics_pipeline *p)
{
    depth = (VkPipelineDepthStencilStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO, .maxDepthBounds = 1};
    p->info.pDepthStencilState = &depth;
    return &depth;
}
static void set_bounds(struct graphics_pipeline *p, float low, float high)
{
    add_depth(p)->depthBoundsTestEnable = VK_TRUE;
    depth.minDepthBounds = low;
    depth.maxDepthBounds = high;
}
RIGHT(depth_bounds, set_bounds(&p, 0, 1), FEATURES(wide), ON_NULL)
MISTAKE(depth_bounds_outside, "VkGraphicsPipelineCreateInfo-pDynamicStates-02510",
        set_bounds(&p, 0, 2), FEATURES(wide), ON_NULL)
MISTAKE(depth_bounds_swapped, "VkGraphicsPipelineCreateInfo-pDynamicStates-10913",
        set_bounds(&p, 1, 0), FEATURES(wide), ON_NULL)

/* --- blending --- */

RIGHT(blend_dual_source,
      (p.blend_attachment.srcColorBlendFactor = VK_BLEND_FACTOR_SRC1_ALPHA,
       p.blend_attachment.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR,
       p.color_blend.logicOpEnable = VK_TRUE),
      FEATURES(blending))
MISTAKE(blends_null, "VkPipelineColorBlendStateCreateInfo-pAttachments-07353",
        p.color_blend.pAttachments = NULL)
static VkPipelineColorBlendAttachmentState two_blends[2];
static void set_two_blends(struct graphics_pipeline *p)
{
    two_blends[0] = two_blends[1] = p->blend_attachment;
    p->color_blend.pAttachments = two_blends;
    p->color_blend.attachmentCount = 2;
}
MISTAKE(blends_too_many, "VkGraphicsPipelineCreateInfo-renderPass-07609", set_two_blends(&p))
SCENARIO(blends_differ, .expect = {"VUID-VkPipelineColorBlendStateCreateInfo-pAttachments-00605",
                                   "VUID-VkGraphicsPipelineCreateInfo-renderPass-07609"})
{
    struct graphics_pipeline p;
    begin_pipeline(b, &p);
    set_two_blends(&p);
    two_blends[1].colorWriteMask = 0;
    create_graphics_pipeline(b, &p.info);
}

#define ADVANCED        ON_NULL, EXTENSIONS("VK_EXT_blend_operation_advanced")
#define SET_OPS(a_, b_) (p.blend_attachment.colorBlendOp = a_, p.blend_attachment.alphaBlendOp = b_)
RIGHT(advanced_op, SET_OPS(VK_BLEND_OP_MULTIPLY_EXT, VK_BLEND_OP_MULTIPLY_EXT), ADVANCED)
MISTAKE(advanced_ops_differ, "VkPipelineColorBlendAttachmentState-colorBlendOp-01406",
        SET_OPS(VK_BLEND_OP_MULTIPLY_EXT, VK_BLEND_OP_ADD), ADVANCED)
MISTAKE(advanced_op_uncommon,
        "VkPipelineColorBlendAttachmentState-advancedBlendAllOperations-01409",
        SET_OPS(VK_BLEND_OP_ZERO_EXT, VK_BLEND_OP_ZERO_EXT), ADVANCED,
        .null_driver = "{\"properties\": {\"advancedBlendAllOperations\": false}}")
MISTAKE(advanced_attachments, "VkPipelineColorBlendAttachmentState-colorBlendOp-01410",
        SET_OPS(VK_BLEND_OP_MULTIPLY_EXT, VK_BLEND_OP_MULTIPLY_EXT), ADVANCED,
        .null_driver = "{\"properties\": {\"advancedBlendMaxColorAttachments\": 0}}")
RIGHT(advanced_attachments_at_most, SET_OPS(VK_BLEND_OP_MULTIPLY_EXT, VK_BLEND_OP_MULTIPLY_EXT),
      ADVANCED, .null_driver = "{\"properties\": {\"advancedBlendMaxColorAttachments\": 1}}")

static void make_stippled(struct baseline *b)
{
    static const VkDynamicState state = VK_DYNAMIC_STATE_LINE_STIPPLE;
    static const VkPipelineDynamicStateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = &state};
    struct graphics_pipeline p;
    begin_pipeline(b, &p);
    p.info.pDynamicState = &info;
    create_graphics_pipeline(b, &p.info);
}

/* A value is there with the version that the device supports, whatever the program asked for (3.10
 * "Valid Usage for Enumerated Types"). */
SCENARIO(stipple_of_no_extension, ON_NULL, .null_driver = "{\"apiVersion\": \"1.3.0\"}",
         .expect = {"VUID-VkPipelineDynamicStateCreateInfo-pDynamicStates-parameter"})
{
    make_stippled(b);
}

SCENARIO(stipple_of_the_extension, EXTENSIONS("VK_EXT_line_rasterization"))
{
    make_stippled(b);
}

SCENARIO(stipple_of_the_version)
{
    make_stippled(b);
}

static VkPipelineColorBlendAdvancedStateCreateInfoEXT advanced;
static void set_advanced(struct graphics_pipeline *p, VkBool32 source, VkBool32 target,
                         VkBlendOverlapEXT overlap)
{
    advanced = (VkPipelineColorBlendAdvancedStateCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_ADVANCED_STATE_CREATE_INFO_EXT,
        .srcPremultiplied = source,
        .dstPremultiplied = target,
        .blendOverlap = overlap};
    p->color_blend.pNext = &advanced;
}
RIGHT(advanced_state, set_advanced(&p, VK_FALSE, VK_FALSE, VK_BLEND_OVERLAP_DISJOINT_EXT), ADVANCED)

static VkBool32 write_enables[64];
static VkPipelineColorWriteCreateInfoEXT writes;
static void set_writes(struct graphics_pipeline *p, uint32_t count, VkBool32 enable)
{
    for (uint32_t i = 0; i < 64; i++)
        write_enables[i] = enable;
    writes = (VkPipelineColorWriteCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT,
        .attachmentCount = count,
        .pColorWriteEnables = write_enables};
    p->color_blend.pNext = &writes;
}
static const VkPhysicalDeviceColorWriteEnableFeaturesEXT write_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT,
    .colorWriteEnable = VK_TRUE};
#define WRITES EXTENSIONS("VK_EXT_color_write_enable")
RIGHT(writes_disabled, set_writes(&p, 1, VK_FALSE), WRITES, FEATURES(write_feature))
MISTAKE(writes_count, "VkPipelineColorWriteCreateInfoEXT-attachmentCount-07608",
        set_writes(&p, 2, VK_TRUE), WRITES)
SCENARIO(writes_many, WRITES,
         .expect = {"VUID-VkPipelineColorWriteCreateInfoEXT-attachmentCount-06655"})
{
    struct graphics_pipeline p;
    begin_pipeline(b, &p);
    set_writes(&p, limits_of(b).maxColorAttachments + 1, VK_TRUE);
    create_graphics_pipeline(b, &p.info);
}

/* --- the render pass --- */

MISTAKE(subpass_none, "VkGraphicsPipelineCreateInfo-renderPass-06046", p.info.subpass = 1,
        .text = {"subpass is 1, but the render pass has 1 subpass"})
MISTAKE(rendering_without_feature, "VkGraphicsPipelineCreateInfo-dynamicRendering-06576",
        p.info.renderPass = VK_NULL_HANDLE)

/* --- dynamic rendering --- */

static const VkPhysicalDeviceDynamicRenderingFeatures dynamic_rendering = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
    .dynamicRendering = VK_TRUE};
static const VkPhysicalDeviceMultiviewFeatures dynamic_multiview = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
    .pNext = (void *)&dynamic_rendering,
    .multiview = VK_TRUE};
static VkFormat color_formats[64];
static VkPipelineRenderingCreateInfo rendering;
static void set_rendering(struct graphics_pipeline *p)
{
    for (uint32_t i = 0; i < 64; i++)
        color_formats[i] = COLOR_FORMAT;
    rendering =
        (VkPipelineRenderingCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                        .colorAttachmentCount = 1,
                                        .pColorAttachmentFormats = color_formats};
    p->info.renderPass = VK_NULL_HANDLE;
    p->info.pNext = &rendering;
}
#define RENDERING_MISTAKE(name_, id_, change_, ...) \
    MISTAKE(name_, id_, set_rendering(&p); change_, FEATURES(dynamic_rendering), ##__VA_ARGS__)

RIGHT(rendering_in_order, set_rendering(&p), FEATURES(dynamic_rendering))
RIGHT(rendering_depth, set_rendering(&p); add_depth(&p);
      rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
      rendering.stencilAttachmentFormat = VK_FORMAT_D32_SFLOAT_S8_UINT, FEATURES(dynamic_rendering))
RIGHT(rendering_without_attachments,
      (p.info.renderPass = VK_NULL_HANDLE, p.info.pColorBlendState = NULL),
      FEATURES(dynamic_rendering))
MISTAKE(rendering_beside_render_pass, "VkGraphicsPipelineCreateInfo-pNext-12427",
        VkRenderPass render_pass = p.info.renderPass;
        set_rendering(&p); p.info.renderPass = render_pass, FEATURES(dynamic_rendering))
RENDERING_MISTAKE(rendering_formats_null, "VkGraphicsPipelineCreateInfo-renderPass-06579",
                  rendering.pColorAttachmentFormats = NULL)
RENDERING_MISTAKE(rendering_color_of_depth, "VkGraphicsPipelineCreateInfo-renderPass-06582",
                  color_formats[0] = VK_FORMAT_D16_UNORM)
RENDERING_MISTAKE(rendering_blend_missing, "VkGraphicsPipelineCreateInfo-renderPass-09037",
                  p.info.pColorBlendState = NULL)
RENDERING_MISTAKE(rendering_blend_count, "VkGraphicsPipelineCreateInfo-renderPass-06055",
                  rendering.colorAttachmentCount = 2)
RENDERING_MISTAKE(rendering_depth_missing, "VkGraphicsPipelineCreateInfo-renderPass-09033",
                  rendering.depthAttachmentFormat = VK_FORMAT_D16_UNORM)
RENDERING_MISTAKE(rendering_depth_without_depth, "VkGraphicsPipelineCreateInfo-renderPass-06587",
                  add_depth(&p);
                  rendering.depthAttachmentFormat = VK_FORMAT_S8_UINT, .null_driver = NULL)
RENDERING_MISTAKE(rendering_stencil_without_stencil,
                  "VkGraphicsPipelineCreateInfo-renderPass-06588", add_depth(&p);
                  rendering.stencilAttachmentFormat = VK_FORMAT_D16_UNORM)
RENDERING_MISTAKE(rendering_depth_and_stencil, "VkGraphicsPipelineCreateInfo-renderPass-06589",
                  add_depth(&p);
                  rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
                  rendering.stencilAttachmentFormat = VK_FORMAT_S8_UINT)
RENDERING_MISTAKE(rendering_blend_integer, "VkGraphicsPipelineCreateInfo-renderPass-06062",
                  (color_formats[0] = VK_FORMAT_R32_UINT, p.blend_attachment.blendEnable = VK_TRUE),
                  .drivers = LAVAPIPE)
RENDERING_MISTAKE(rendering_view_mask, "VkGraphicsPipelineCreateInfo-multiview-06577",
                  rendering.viewMask = 1)
MISTAKE(rendering_view_mask_large, "VkGraphicsPipelineCreateInfo-renderPass-06578",
        set_rendering(&p);
        rendering.viewMask = 0x80000000, FEATURES(dynamic_multiview), ON_NULL,
        .null_driver = "{\"properties\": {\"maxMultiviewViewCount\": 6}}")
RIGHT(rendering_multiview, set_rendering(&p); rendering.viewMask = 3, FEATURES(dynamic_multiview))

/* One mistake: that as many blend states are not there is not reported as well. */
SCENARIO(rendering_colors_many, FEATURES(dynamic_rendering),
         .expect = {"VUID-VkPipelineRenderingCreateInfo-colorAttachmentCount-09533"})
{
    struct graphics_pipeline p;
    begin_pipeline(b, &p);
    set_rendering(&p);
    rendering.colorAttachmentCount = limits_of(b).maxColorAttachments + 1;
    create_graphics_pipeline(b, &p.info);
}
SCENARIO(rendering_depth_of_color, FEATURES(dynamic_rendering),
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06587"}, .drivers = LAVAPIPE)
{
    struct graphics_pipeline p;
    begin_pipeline(b, &p);
    set_rendering(&p);
    add_depth(&p);
    rendering.depthAttachmentFormat = COLOR_FORMAT;
    create_graphics_pipeline(b, &p.info);
}
SCENARIO(rendering_stencil_of_color, FEATURES(dynamic_rendering),
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06588"}, .drivers = LAVAPIPE)
{
    struct graphics_pipeline p;
    begin_pipeline(b, &p);
    set_rendering(&p);
    add_depth(&p);
    rendering.stencilAttachmentFormat = COLOR_FORMAT;
    create_graphics_pipeline(b, &p.info);
}

#define RENDERING_WITHOUT(name_, id_, member_, format_, number_)                   \
    SCENARIO(name_, FEATURES(dynamic_rendering), ON_NULL,                          \
             .null_driver = "{\"withoutFormatFeatures\": {\"" number_ "\": 512}}", \
             .expect = {"VUID-VkGraphicsPipelineCreateInfo-renderPass-" id_})      \
    {                                                                              \
        struct graphics_pipeline p;                                                \
        begin_pipeline(b, &p);                                                     \
        set_rendering(&p);                                                         \
        add_depth(&p);                                                             \
        rendering.member_ = format_;                                               \
        create_graphics_pipeline(b, &p.info);                                      \
    }
RENDERING_WITHOUT(rendering_depth_that_is_no_attachment, "06585", depthAttachmentFormat,
                  VK_FORMAT_D16_UNORM, "124")
RENDERING_WITHOUT(rendering_stencil_that_is_no_attachment, "06586", stencilAttachmentFormat,
                  VK_FORMAT_S8_UINT, "127")

static const VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR local_read = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR,
    .pNext = (void *)&dynamic_rendering,
    .dynamicRenderingLocalRead = VK_TRUE};
static const uint32_t numbers[2] = {0, 1};
static VkRenderingAttachmentLocationInfoKHR location_info;
static VkRenderingInputAttachmentIndexInfoKHR index_info;
static void set_local_read(struct graphics_pipeline *p, uint32_t location_count,
                           uint32_t index_count)
{
    set_rendering(p);
    index_info = (VkRenderingInputAttachmentIndexInfoKHR){
        .sType = VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR,
        .colorAttachmentCount = index_count,
        .pColorAttachmentInputIndices = numbers};
    location_info = (VkRenderingAttachmentLocationInfoKHR){
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR,
        .pNext = &index_info,
        .colorAttachmentCount = location_count,
        .pColorAttachmentLocations = numbers};
    rendering.pNext = &location_info;
}
#define LOCAL_READ EXTENSIONS("VK_KHR_dynamic_rendering_local_read"), FEATURES(local_read)
RIGHT(local_read_in_order, set_local_read(&p, 1, 1), LOCAL_READ)
MISTAKE(local_read_locations, "VkGraphicsPipelineCreateInfo-renderPass-09532",
        set_local_read(&p, 2, 1), LOCAL_READ)
MISTAKE(local_read_indices, "VkGraphicsPipelineCreateInfo-renderPass-09531",
        set_local_read(&p, 1, 2), LOCAL_READ)
#define NO_LOCAL_READ EXTENSIONS("VK_KHR_dynamic_rendering_local_read"), FEATURES(dynamic_rendering)
static const uint32_t turned[2] = {1, 0}, unused[2] = {VK_ATTACHMENT_UNUSED, VK_ATTACHMENT_UNUSED};
static void set_no_local_read(struct graphics_pipeline *p)
{
    set_local_read(p, 1, 1);
    index_info.pColorAttachmentInputIndices = unused;
}
#define NO_INDEX(id_) "VkRenderingInputAttachmentIndexInfo-dynamicRenderingLocalRead-" id_
RIGHT(no_local_read, set_no_local_read(&p), NO_LOCAL_READ)
MISTAKE(no_local_read_locations,
        "VkRenderingAttachmentLocationInfo-dynamicRenderingLocalRead-09512", set_no_local_read(&p);
        location_info.pColorAttachmentLocations = turned, NO_LOCAL_READ)
MISTAKE(no_local_read_colors, NO_INDEX("09519"), set_local_read(&p, 1, 1), NO_LOCAL_READ)
MISTAKE(no_local_read_depth, NO_INDEX("09520"), set_no_local_read(&p);
        index_info.pDepthInputAttachmentIndex = numbers, NO_LOCAL_READ)
MISTAKE(no_local_read_stencil, NO_INDEX("09521"), set_no_local_read(&p);
        index_info.pStencilInputAttachmentIndex = numbers, NO_LOCAL_READ)

/* --- fragment shading rate --- */

static VkPipelineFragmentShadingRateStateCreateInfoKHR rate;
static void set_rate(struct graphics_pipeline *p, uint32_t width, uint32_t height,
                     VkFragmentShadingRateCombinerOpKHR first,
                     VkFragmentShadingRateCombinerOpKHR second)
{
    rate = (VkPipelineFragmentShadingRateStateCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR,
        .fragmentSize = {width, height},
        .combinerOps = {first, second}};
    p->info.pNext = &rate;
}
static const VkPhysicalDeviceFragmentShadingRateFeaturesKHR rates = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
    .pipelineFragmentShadingRate = VK_TRUE,
    .primitiveFragmentShadingRate = VK_TRUE,
    .attachmentFragmentShadingRate = VK_TRUE};
#define KEEP    VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR
#define REPLACE VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR
#define MAXIMUM VK_FRAGMENT_SHADING_RATE_COMBINER_OP_MAX_KHR
#define RATES   ON_NULL, EXTENSIONS("VK_KHR_fragment_shading_rate")
#define RATE_MISTAKE(name_, id_, ...)                                                            \
    MISTAKE(name_, "VkGraphicsPipelineCreateInfo-pDynamicState-" id_, set_rate(&p, __VA_ARGS__), \
            RATES, FEATURES(rates))
RIGHT(rate_in_order, set_rate(&p, 4, 2, REPLACE, MAXIMUM), RATES, FEATURES(rates))
RIGHT(rate_plain_without_features, set_rate(&p, 1, 1, KEEP, KEEP), RATES)
RATE_MISTAKE(rate_width_zero, "04494", 0, 1, KEEP, KEEP)
RATE_MISTAKE(rate_height_zero, "04495", 1, 0, KEEP, KEEP)
RATE_MISTAKE(rate_width_three, "04496", 3, 1, KEEP, KEEP)
RATE_MISTAKE(rate_height_three, "04497", 1, 3, KEEP, KEEP)
RATE_MISTAKE(rate_width_eight, "04498", 8, 1, KEEP, KEEP)
RATE_MISTAKE(rate_height_eight, "04499", 1, 8, KEEP, KEEP)
RATE_MISTAKE(rate_first_no_op, "06567", 1, 1, (VkFragmentShadingRateCombinerOpKHR)99, KEEP)
RATE_MISTAKE(rate_second_no_op, "06568", 1, 1, KEEP, (VkFragmentShadingRateCombinerOpKHR)99)
MISTAKE(rate_without_feature, "VkGraphicsPipelineCreateInfo-pDynamicState-04500",
        set_rate(&p, 2, 1, KEEP, KEEP), RATES)
MISTAKE(rate_primitive_without_feature, "VkGraphicsPipelineCreateInfo-pDynamicState-04501",
        set_rate(&p, 1, 1, REPLACE, KEEP), RATES)
MISTAKE(rate_attachment_without_feature, "VkGraphicsPipelineCreateInfo-pDynamicState-04502",
        set_rate(&p, 1, 1, KEEP, REPLACE), RATES)
