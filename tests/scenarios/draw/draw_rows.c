/* Statements about the state at a draw that are rows (registry/draw_rows.txt). Each has a scenario
 * that breaks it, and one that is as near to it as can be and right (20 "Drawing Commands"). */
#include "draw/draw_rows.h"

#include "shader_interface.h"

/* Two scenarios, which differ in `x` or in their fields. `setup_`: of struct drawn *d, before the
 * pipeline is made; `commands_`: in VkCommandBuffer c. */
#define ONE(name_, fields_, x_, setup_, commands_)              \
    SCENARIO(name_, .features = &pass_features, UNWRAP fields_) \
    {                                                           \
        struct drawn drawn, *d = &drawn;                        \
        const uint32_t x = (x_);                                \
        (void)x;                                                \
        fill_drawn(b, d);                                       \
        setup_;                                                 \
        VkCommandBuffer c = start_drawn(b, d);                  \
        commands_;                                              \
        vkCmdDraw(c, 3, 1, 0, 0);                               \
    }
#define BREAKS(id_) .expect = {"VUID-vkCmdDraw-" id_}, .drivers = NULL_DRIVER
#define PAIR_OF(name_, id_, broken_fields_, holds_fields_, broken_, holds_, setup_, commands_) \
    ONE(name_##_broken, (BREAKS(id_), UNWRAP broken_fields_), broken_, setup_, commands_)      \
    ONE(name_, (.drivers = NULL_DRIVER, UNWRAP holds_fields_), holds_, setup_, commands_)
#undef PAIR
#define PAIR(name_, id_, fields_, broken_, holds_, setup_, commands_) \
    PAIR_OF(name_, id_, fields_, fields_, broken_, holds_, setup_, commands_)
/* A state that must be set. */
#define NEED(name_, id_, fields_, state_, command_) \
    PAIR(name_, id_, fields_, 0, 1, DYNAMIC(state_), if (x) command_)

/* --- features --- */

static const VkPhysicalDeviceFeatures2 of_core = {.sType =
                                                      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                  .pNext = NEXT(pass_features),
                                                  .features = {.independentBlend = VK_TRUE,
                                                               .multiViewport = VK_TRUE,
                                                               .alphaToOne = VK_TRUE,
                                                               .sampleRateShading = VK_TRUE,
                                                               .geometryShader = VK_TRUE}};
FEATURES(of_state, VkPhysicalDeviceExtendedDynamicState3FeaturesEXT,
         EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, of_core,
         .extendedDynamicState3RasterizationSamples = VK_TRUE,
         .extendedDynamicState3ColorBlendEnable = VK_TRUE,
         .extendedDynamicState3ColorBlendEquation = VK_TRUE,
         .extendedDynamicState3ColorBlendAdvanced = VK_TRUE,
         .extendedDynamicState3ColorWriteMask = VK_TRUE,
         .extendedDynamicState3ConservativeRasterizationMode = VK_TRUE,
         .extendedDynamicState3SampleLocationsEnable = VK_TRUE,
         .extendedDynamicState3LineRasterizationMode = VK_TRUE,
         .extendedDynamicState3LineStippleEnable = VK_TRUE,
         .extendedDynamicState3RasterizationStream = VK_TRUE,
         .extendedDynamicState3ViewportWScalingEnable = VK_TRUE,
         .extendedDynamicState3ViewportSwizzle = VK_TRUE,
         .extendedDynamicState3CoverageToColorEnable = VK_TRUE,
         .extendedDynamicState3CoverageToColorLocation = VK_TRUE,
         .extendedDynamicState3CoverageModulationMode = VK_TRUE,
         .extendedDynamicState3CoverageModulationTableEnable = VK_TRUE,
         .extendedDynamicState3CoverageModulationTable = VK_TRUE,
         .extendedDynamicState3CoverageReductionMode = VK_TRUE,
         .extendedDynamicState3RepresentativeFragmentTestEnable = VK_TRUE,
         .extendedDynamicState3ShadingRateImageEnable = VK_TRUE);
#define STATE_3         .features = &of_state
#define STATE_EXTENSION "VK_EXT_extended_dynamic_state3"

/* --- lines --- */

#define LINES_OF(name_, next_, stippled_)                                                          \
    FEATURES(name_, VkPhysicalDeviceLineRasterizationFeaturesEXT, LINE_RASTERIZATION_FEATURES_EXT, \
             next_, .rectangularLines = VK_TRUE, .bresenhamLines = VK_TRUE,                        \
             .smoothLines = VK_TRUE, .stippledRectangularLines = (stippled_),                      \
             .stippledBresenhamLines = (stippled_), .stippledSmoothLines = (stippled_))
LINES_OF(plain_lines, of_state, VK_FALSE);
LINES_OF(stippled_lines, of_state, VK_TRUE);
#define LINE_EXTENSIONS .extensions = {STATE_EXTENSION, "VK_EXT_line_rasterization"}
#define STRICT_LINES    .null_driver = "{\"limits\": {\"strictLines\": true}}"
#define STIPPLE_PAIR(name_, id_, mode_)                                                    \
    PAIR_OF(name_, id_, (.features = &plain_lines, LINE_EXTENSIONS, STRICT_LINES),         \
            (.features = &stippled_lines, LINE_EXTENSIONS, STRICT_LINES), 0, 0,            \
            DYNAMIC(LINE_STIPPLE_ENABLE_EXT);                                              \
            DYNAMIC(LINE_RASTERIZATION_MODE_EXT),                                          \
            CALL(vkCmdSetLineRasterizationModeEXT)(c, VK_LINE_RASTERIZATION_MODE_##mode_); \
            CALL(vkCmdSetLineStippleEnableEXT)(c, VK_TRUE))
STIPPLE_PAIR(stippled_rectangular, "stippledLineEnable-07495", RECTANGULAR)
STIPPLE_PAIR(stippled_bresenham, "stippledLineEnable-07496", BRESENHAM)
STIPPLE_PAIR(stippled_smooth, "stippledLineEnable-07497", RECTANGULAR_SMOOTH)
STIPPLE_PAIR(stippled_default, "stippledLineEnable-07498", DEFAULT)
PAIR(bresenham_to_coverage, "None-10608", (.features = &plain_lines, LINE_EXTENSIONS), VK_TRUE,
     VK_FALSE, DYNAMIC(LINE_RASTERIZATION_MODE_EXT);
     d->p.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
     d->p.multisample.alphaToOneEnable = x,
     CALL(vkCmdSetLineRasterizationModeEXT)(c, VK_LINE_RASTERIZATION_MODE_BRESENHAM))
static const VkPipelineRasterizationConservativeStateCreateInfoEXT conservative = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT};
PAIR(conservative_lines, "conservativePointAndLineRasterization-07499",
     (STATE_3, .extensions = {STATE_EXTENSION, "VK_EXT_conservative_rasterization"},
      .null_driver = "{\"properties\": {\"conservativePointAndLineRasterization\": false}}"),
     VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT,
     VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT, DYNAMIC(CONSERVATIVE_RASTERIZATION_MODE_EXT);
     d->p.rasterization.pNext = &conservative;
     d->p.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
     CALL(vkCmdSetConservativeRasterizationModeEXT)(c, (VkConservativeRasterizationModeEXT)x))

/* --- color attachments --- */

#define TWO_COLORS                                     \
    d->colors[1] = rendering_attachment(ATTACHMENT()); \
    d->rendering.colorAttachmentCount = 2;             \
    d->made_for.colorAttachmentCount = 2;              \
    d->p.color_blend.attachmentCount = 2
#define OF_STATE (STATE_3, .extensions = {STATE_EXTENSION})
PAIR(blend_enables_of_all, "firstAttachment-07476", OF_STATE, 1, 2, TWO_COLORS;
     DYNAMIC(COLOR_BLEND_ENABLE_EXT), CALL(vkCmdSetColorBlendEnableEXT)(c, 0, x, (VkBool32[2]){0}))
PAIR(write_masks_of_all, "firstAttachment-07478", OF_STATE, 1, 2, TWO_COLORS;
     DYNAMIC(COLOR_WRITE_MASK_EXT),
     CALL(vkCmdSetColorWriteMaskEXT)(c, 0, x, (VkColorComponentFlags[2]){15, 15}))
PAIR(blend_equations_of_all, "None-10862", OF_STATE, 1, 2, TWO_COLORS;
     DYNAMIC(COLOR_BLEND_EQUATION_EXT);
     d->blends[0].blendEnable = d->blends[1].blendEnable = VK_TRUE,
     CALL(vkCmdSetColorBlendEquationEXT)(c, 0, x, (VkColorBlendEquationEXT[2]){{0}}))
PAIR(write_mask_of_shared_exponent, "None-09116", OF_STATE, VK_COLOR_COMPONENT_R_BIT, 15,
     DYNAMIC(COLOR_WRITE_MASK_EXT);
     d->colors[0].imageView = ATTACHMENT(.format = VK_FORMAT_E5B9G9R9_UFLOAT_PACK32);
     d->formats[0] = VK_FORMAT_E5B9G9R9_UFLOAT_PACK32,
     CALL(vkCmdSetColorWriteMaskEXT)(c, 0, 1, (VkColorComponentFlags[1]){x}))

FEATURES(of_advanced, VkPhysicalDeviceBlendOperationAdvancedFeaturesEXT,
         BLEND_OPERATION_ADVANCED_FEATURES_EXT, of_state,
         .advancedBlendCoherentOperations = VK_TRUE);
#define ADVANCED(colors_)                                                                          \
    (.features = &of_advanced, .extensions = {STATE_EXTENSION, "VK_EXT_blend_operation_advanced"}, \
     .null_driver = "{\"properties\": {\"advancedBlendMaxColorAttachments\": " #colors_ "}}")
static const VkColorBlendAdvancedEXT multiply = {.advancedBlendOp = VK_BLEND_OP_MULTIPLY_EXT,
                                                 .srcPremultiplied = VK_TRUE,
                                                 .dstPremultiplied = VK_TRUE};
PAIR(advanced_of_all, "rasterizerDiscardEnable-10863", ADVANCED(2), 1, 2, TWO_COLORS;
     DYNAMIC(COLOR_BLEND_ADVANCED_EXT);
     d->blends[0].blendEnable = d->blends[1].blendEnable = VK_TRUE,
     CALL(vkCmdSetColorBlendAdvancedEXT)(c, 0, x, (VkColorBlendAdvancedEXT[2]){multiply, multiply}))
PAIR(either_of_all, "None-10864", ADVANCED(2), 1, 2, TWO_COLORS; DYNAMIC(COLOR_BLEND_ADVANCED_EXT);
     DYNAMIC(COLOR_BLEND_EQUATION_EXT);
     d->blends[0].blendEnable = d->blends[1].blendEnable = VK_TRUE,
     CALL(vkCmdSetColorBlendEquationEXT)(c, 0, x, (VkColorBlendEquationEXT[2]){{0}}))
PAIR(advanced_of_many, "advancedBlendMaxColorAttachments-07480", ADVANCED(1), 1, 0, TWO_COLORS;
     DYNAMIC(COLOR_BLEND_ADVANCED_EXT);
     DYNAMIC(COLOR_BLEND_ENABLE_EXT),
     CALL(vkCmdSetColorBlendAdvancedEXT)(c, 0, 2, (VkColorBlendAdvancedEXT[2]){multiply, multiply});
     CALL(vkCmdSetColorBlendEnableEXT)(c, 0, 2, (VkBool32[2]){x, x}))

/* --- depth and stencil --- */

FEATURES(of_unused, VkPhysicalDeviceDynamicRenderingUnusedAttachmentsFeaturesEXT,
         DYNAMIC_RENDERING_UNUSED_ATTACHMENTS_FEATURES_EXT, of_state,
         .dynamicRenderingUnusedAttachments = VK_TRUE);
#define UNUSED \
    (.features = &of_unused, .extensions = {"VK_EXT_dynamic_rendering_unused_attachments"})
PAIR(depth_test_of_nothing, "pDepthAttachment-08964", UNUSED, VK_FORMAT_UNDEFINED,
     VK_FORMAT_D32_SFLOAT, d->depth.imageView = ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT);
     d->depth_stencil.depthTestEnable = VK_TRUE;
     d->made_for.depthAttachmentFormat = (VkFormat)x, (void)c)
PAIR(stencil_test_of_nothing, "pStencilAttachment-08965", UNUSED, VK_FORMAT_UNDEFINED, D32S8,
     d->stencil.imageView = ATTACHMENT(.format = D32S8);
     d->depth_stencil.stencilTestEnable = VK_TRUE;
     d->made_for.stencilAttachmentFormat = (VkFormat)x, (void)c)

/* --- sample locations --- */

#define LOCATED (STATE_3, .extensions = {STATE_EXTENSION, "VK_EXT_sample_locations"})
#define LOCATIONS_IN(samples_, width_, height_)                    \
    {.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,         \
     .sampleLocationsPerPixel = (VkSampleCountFlagBits)(samples_), \
     .sampleLocationGridSize = {width_, height_},                  \
     .sampleLocationsCount = (samples_) * (width_) * (height_),    \
     .pSampleLocations = locations}
#define LOCATIONS(samples_) LOCATIONS_IN(samples_, 1, 1)
static const VkSampleLocationEXT locations[4];
static VkPipelineSampleLocationsStateCreateInfoEXT located;
static void locate_samples(struct drawn *d, uint32_t samples)
{
    const VkPipelineSampleLocationsStateCreateInfoEXT given = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT,
        .sampleLocationsEnable = VK_TRUE,
        .sampleLocationsInfo = LOCATIONS(samples)};
    located = given;
    d->p.multisample.pNext = &located;
}
static void set_sample_locations(struct baseline *b, VkCommandBuffer c, uint32_t samples)
{
    const VkSampleLocationsInfoEXT info = LOCATIONS(samples);
    CALL(vkCmdSetSampleLocationsEXT)(c, &info);
}
PAIR(locations_of_samples, "sampleLocationsPerPixel-07482", LOCATED, 4, 1, locate_samples(d, 1);
     DYNAMIC(SAMPLE_LOCATIONS_EXT), set_sample_locations(b, c, x))
PAIR(locations_of_dynamic_samples, "sampleLocationsPerPixel-07483", LOCATED, 4, 1,
     locate_samples(d, 1);
     DYNAMIC(RASTERIZATION_SAMPLES_EXT);
     DYNAMIC(SAMPLE_LOCATIONS_EXT), CALL(vkCmdSetRasterizationSamplesEXT)(c, VK_SAMPLE_COUNT_1_BIT);
     set_sample_locations(b, c, x))
PAIR(depth_with_locations, "sampleLocationsEnable-02689", LOCATED, 0,
     VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT, locate_samples(d, 1);
     d->depth.imageView = ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT, .flags = x);
     d->made_for.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT, (void)c)
PAIR(depth_with_dynamic_locations, "sampleLocationsEnable-07484", LOCATED, 0,
     VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT, locate_samples(d, 1);
     DYNAMIC(SAMPLE_LOCATIONS_ENABLE_EXT);
     d->depth.imageView = ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT, .flags = x);
     d->made_for.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT,
     CALL(vkCmdSetSampleLocationsEnableEXT)(c, VK_TRUE))
PAIR(locations_set, "None-06666", LOCATED, 0, 1, locate_samples(d, 1);
     DYNAMIC(SAMPLE_LOCATIONS_EXT), if (x) set_sample_locations(b, c, 1))

/* The null driver's grid is of 2 x 2 pixels. */
static void set_grid(struct baseline *b, VkCommandBuffer c, uint32_t width, uint32_t height)
{
    const VkSampleLocationsInfoEXT info = LOCATIONS_IN(1, width, height);
    CALL(vkCmdSetSampleLocationsEXT)(c, &info);
}
static void locate_in(struct drawn *d, uint32_t width, uint32_t height)
{
    const VkSampleLocationsInfoEXT info = LOCATIONS_IN(1, width, height);
    locate_samples(d, 1);
    located.sampleLocationsInfo = info;
}
#define GRID_PAIR(name_, id_, set_)                                                      \
    PAIR(name_, id_, LOCATED, 3, 2, locate_samples(d, 1); DYNAMIC(SAMPLE_LOCATIONS_EXT); \
         DYNAMIC(SAMPLE_LOCATIONS_ENABLE_EXT), set_;                                     \
         CALL(vkCmdSetSampleLocationsEnableEXT)(c, VK_TRUE))
GRID_PAIR(grid_width, "sampleLocationsEnable-07485", set_grid(b, c, x, 1))
GRID_PAIR(grid_height, "sampleLocationsEnable-07486", set_grid(b, c, 1, x))
#define FIXED_GRID_PAIR(name_, id_, locate_) \
    PAIR(name_, id_, LOCATED, 3, 2, locate_; \
         DYNAMIC(RASTERIZATION_SAMPLES_EXT), \
         CALL(vkCmdSetRasterizationSamplesEXT)(c, VK_SAMPLE_COUNT_1_BIT))
FIXED_GRID_PAIR(fixed_grid_width, "sampleLocationsEnable-07936", locate_in(d, x, 1))
FIXED_GRID_PAIR(fixed_grid_height, "sampleLocationsEnable-07937", locate_in(d, 1, x))
/* The enable decides. */
ONE(grid_of_no_use, (.drivers = NULL_DRIVER, UNWRAP LOCATED), 3, locate_samples(d, 1);
    DYNAMIC(SAMPLE_LOCATIONS_EXT); DYNAMIC(SAMPLE_LOCATIONS_ENABLE_EXT), set_grid(b, c, x, 1);
    CALL(vkCmdSetSampleLocationsEnableEXT)(c, VK_FALSE))

/* --- discard rectangles --- */

#define RECTANGLES (.extensions = {"VK_EXT_discard_rectangles"})
static VkPipelineDiscardRectangleStateCreateInfoEXT rectangles;
static void discard_in(struct drawn *d)
{
    static const VkRect2D rectangle = {{0, 0}, {1, 1}};
    rectangles = (VkPipelineDiscardRectangleStateCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT,
        .discardRectangleCount = 1,
        .pDiscardRectangles = &rectangle};
    CHAIN(d->p.info.pNext, rectangles);
}
PAIR(discard_rectangle_given, "None-07751", RECTANGLES, 0, 1, discard_in(d);
     DYNAMIC(DISCARD_RECTANGLE_EXT),
     if (x) CALL(vkCmdSetDiscardRectangleEXT)(c, 0, 1, &(VkRect2D){.extent = {1, 1}}))
PAIR(discard_mode, "None-07881", RECTANGLES, 0, 1, discard_in(d);
     DYNAMIC(DISCARD_RECTANGLE_MODE_EXT),
     if (x) CALL(vkCmdSetDiscardRectangleModeEXT)(c, VK_DISCARD_RECTANGLE_MODE_INCLUSIVE_EXT))
PAIR(discard_rectangle_dynamic, "rasterizerDiscardEnable-09236", RECTANGLES, VK_TRUE, VK_FALSE,
     DYNAMIC(DISCARD_RECTANGLE_EXT);
     DYNAMIC(DISCARD_RECTANGLE_ENABLE_EXT), CALL(vkCmdSetDiscardRectangleEnableEXT)(c, x))

/* --- flags and attachments of the render pass instance --- */

FEATURES(of_dithering, VkPhysicalDeviceLegacyDitheringFeaturesEXT, LEGACY_DITHERING_FEATURES_EXT,
         of_core, .legacyDithering = VK_TRUE);
static VkPipelineCreateFlags2CreateInfo flags2;
static void add_flags(struct drawn *d, VkPipelineCreateFlags2 flags)
{
    flags2 = (VkPipelineCreateFlags2CreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, .flags = flags};
    CHAIN(d->p.info.pNext, flags2);
}
#define MAINTAINED_DITHERING \
    (.features = &of_flags, .extensions = {"VK_EXT_legacy_dithering", "VK_KHR_maintenance5"})
FEATURES(of_flags, VkPhysicalDeviceMaintenance5Features, MAINTENANCE_5_FEATURES, of_dithering,
         .maintenance5 = VK_TRUE);
PAIR(dithering_pass, "None-09642", MAINTAINED_DITHERING, 0, 1,
     d->rendering.flags = VK_RENDERING_ENABLE_LEGACY_DITHERING_BIT_EXT;
     if (x) add_flags(d, VK_PIPELINE_CREATE_2_ENABLE_LEGACY_DITHERING_BIT_EXT), (void)c)
PAIR(dithering_pipeline, "None-09643", MAINTAINED_DITHERING, 0,
     VK_RENDERING_ENABLE_LEGACY_DITHERING_BIT_EXT, d->rendering.flags = x;
     add_flags(d, VK_PIPELINE_CREATE_2_ENABLE_LEGACY_DITHERING_BIT_EXT), (void)c)

FEATURES(of_nested, VkPhysicalDeviceNestedCommandBufferFeaturesEXT,
         NESTED_COMMAND_BUFFER_FEATURES_EXT, of_core, .nestedCommandBuffer = VK_TRUE);
PAIR(inline_draw, "flags-10582",
     (.features = &of_nested, .extensions = {"VK_EXT_nested_command_buffer"}),
     VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT,
     VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT | VK_RENDERING_CONTENTS_INLINE_BIT_EXT,
     d->rendering.flags = x, (void)c)

FEATURES(of_rates, VkPhysicalDeviceFragmentShadingRateFeaturesKHR,
         FRAGMENT_SHADING_RATE_FEATURES_KHR, of_core, .pipelineFragmentShadingRate = VK_TRUE,
         .attachmentFragmentShadingRate = VK_TRUE);
static VkRenderingFragmentShadingRateAttachmentInfoKHR rate;
static void attach_rate(struct baseline *b, struct drawn *d)
{
    rate = (VkRenderingFragmentShadingRateAttachmentInfoKHR){
        .sType = VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR,
        .imageView = ATTACHMENT(.format = VK_FORMAT_R8_UINT,
                                .usage = VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR),
        .imageLayout = VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR,
        .shadingRateAttachmentTexelSize = {8, 8}};
    CHAIN(d->rendering.pNext, rate);
}
PAIR(rate_attachment, "imageView-06183",
     (.features = &of_rates, .extensions = {"VK_KHR_fragment_shading_rate"},
      .null_driver = "{\"properties\": {\"minFragmentShadingRateAttachmentTexelSize\": [8, 8], "
                     "\"maxFragmentShadingRateAttachmentTexelSize\": [8, 8]}}"),
     0, VK_PIPELINE_CREATE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR, attach_rate(b, d);
     d->p.info.flags = x, (void)c)

FEATURES(of_density, VkPhysicalDeviceFragmentDensityMapFeaturesEXT,
         FRAGMENT_DENSITY_MAP_FEATURES_EXT, of_core, .fragmentDensityMap = VK_TRUE,
         .fragmentDensityMapNonSubsampledImages = VK_TRUE);
static VkRenderingFragmentDensityMapAttachmentInfoEXT density;
static void attach_density(struct baseline *b, struct drawn *d)
{
    density = (VkRenderingFragmentDensityMapAttachmentInfoEXT){
        .sType = VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_INFO_EXT,
        .imageView = ATTACHMENT(.format = VK_FORMAT_R8G8_UNORM,
                                .usage = VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT),
        .imageLayout = VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT};
    CHAIN(d->rendering.pNext, density);
}
PAIR(density_attachment, "imageView-06184",
     (.features = &of_density, .extensions = {"VK_EXT_fragment_density_map"},
      .null_driver = "{\"properties\": {\"minFragmentDensityTexelSize\": [8, 8], "
                     "\"maxFragmentDensityTexelSize\": [8, 8]}}"),
     0, VK_PIPELINE_CREATE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT, attach_density(b, d);
     d->p.info.flags = x, (void)c)

FEATURES(of_single, VkPhysicalDeviceMultisampledRenderToSingleSampledFeaturesEXT,
         MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_FEATURES_EXT, of_state,
         .multisampledRenderToSingleSampled = VK_TRUE);
#define SINGLE               \
    (.features = &of_single, \
     .extensions = {"VK_EXT_multisampled_render_to_single_sampled", STATE_EXTENSION})
static VkMultisampledRenderToSingleSampledInfoEXT single;
static void render_to_single(struct baseline *b, struct drawn *d)
{
    single = (VkMultisampledRenderToSingleSampledInfoEXT){
        .sType = VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT,
        .multisampledRenderToSingleSampledEnable = VK_TRUE,
        .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT};
    CHAIN(d->rendering.pNext, single);
    d->colors[0].resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
    d->colors[0].imageView =
        ATTACHMENT(.flags = VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT);
}
PAIR(single_sampled, "pNext-07935", SINGLE, VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_4_BIT,
     render_to_single(b, d);
     d->p.multisample.rasterizationSamples = (VkSampleCountFlagBits)x, (void)c)
PAIR(single_sampled_dynamic, "None-09211", SINGLE, VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_4_BIT,
     render_to_single(b, d);
     DYNAMIC(RASTERIZATION_SAMPLES_EXT),
     CALL(vkCmdSetRasterizationSamplesEXT)(c, (VkSampleCountFlagBits)x))

/* --- views --- */

FEATURES(of_views, VkPhysicalDeviceMultiviewPerViewViewportsFeaturesQCOM,
         MULTIVIEW_PER_VIEW_VIEWPORTS_FEATURES_QCOM, of_core, .multiviewPerViewViewports = VK_TRUE);
#define PER_VIEW (.features = &of_views, .extensions = {"VK_QCOM_multiview_per_view_viewports"})
static const VkViewport viewports[2] = {{.width = 8, .height = 8, .maxDepth = 1},
                                        {.width = 8, .height = 8, .maxDepth = 1}};
static const VkRect2D scissors[2] = {{{0, 0}, {8, 8}}, {{0, 0}, {8, 8}}};
static void view_twice(struct baseline *b, struct drawn *d, uint32_t viewport_count,
                       uint32_t scissor_count)
{
    d->colors[0].imageView = ATTACHMENT(.layers = 2, .view_layers = 2);
    d->rendering.viewMask = d->made_for.viewMask = 3;
    d->rendering.layerCount = 0;
    d->p.viewport_state.viewportCount = viewport_count;
    d->p.viewport_state.scissorCount = scissor_count;
    d->p.viewport_state.pViewports = viewports;
    d->p.viewport_state.pScissors = scissors;
}
PAIR(viewports_of_views, "multiviewPerViewViewports-12262", PER_VIEW, 1, 2, view_twice(b, d, 0, 2);
     DYNAMIC(VIEWPORT_WITH_COUNT), vkCmdSetViewportWithCount(c, x, viewports))
PAIR(scissors_of_views, "multiviewPerViewViewports-12263", PER_VIEW, 1, 2, view_twice(b, d, 2, 0);
     DYNAMIC(SCISSOR_WITH_COUNT), vkCmdSetScissorWithCount(c, x, scissors))

/* --- vertices --- */

static const VkVertexInputBindingDescription vertex_binding = {0, 16, VK_VERTEX_INPUT_RATE_VERTEX};
PAIR(stride_set, "pStrides-04913", (.features = &of_core), 0, 1,
     DYNAMIC(VERTEX_INPUT_BINDING_STRIDE);
     d->p.vertex_input.vertexBindingDescriptionCount = 1;
     d->p.vertex_input.pVertexBindingDescriptions = &vertex_binding,
     vkCmdBindVertexBuffers2(c, 0, 1,
                             (VkBuffer[]){make_buffer(b, 64, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT)},
                             (VkDeviceSize[]){0}, NULL, x ? (VkDeviceSize[]){16} : NULL))

/* --- queries --- */

static void begin_query(struct baseline *b, VkCommandBuffer c, VkQueryType type)
{
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = type, .queryCount = 1};
    vkCmdBeginQuery(c, create_query_pool(b, &info), 0, 0);
}
FEATURES(of_feedback, VkPhysicalDeviceTransformFeedbackFeaturesEXT, TRANSFORM_FEEDBACK_FEATURES_EXT,
         of_state, .transformFeedback = VK_TRUE, .geometryStreams = VK_TRUE);
FEATURES(of_generated, VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT,
         PRIMITIVES_GENERATED_QUERY_FEATURES_EXT, of_feedback, .primitivesGeneratedQuery = VK_TRUE);
#define GENERATED                                                                     \
    (.features = &of_generated,                                                       \
     .extensions = {"VK_EXT_primitives_generated_query", "VK_EXT_transform_feedback", \
                    STATE_EXTENSION},                                                 \
     .null_driver = "{\"properties\": {\"maxTransformFeedbackStreams\": 4, "          \
                    "\"transformFeedbackRasterizationStreamSelect\": true, "          \
                    "\"transformFeedbackQueries\": true}}")
#define GENERATED_QUERY begin_query(b, c, VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT)
PAIR(generated_without_discard, "primitivesGeneratedQueryWithRasterizerDiscard-06708", GENERATED,
     VK_TRUE, VK_FALSE, d->p.rasterization.rasterizerDiscardEnable = x;
     d->p.info.stageCount = 1, GENERATED_QUERY)
static VkPipelineRasterizationStateStreamCreateInfoEXT stream;
static void rasterize_stream(struct drawn *d, uint32_t number)
{
    stream = (VkPipelineRasterizationStateStreamCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT,
        .rasterizationStream = number};
    d->p.rasterization.pNext = &stream;
}
PAIR(generated_of_stream_0, "primitivesGeneratedQueryWithNonZeroStreams-06709", GENERATED, 1, 0,
     rasterize_stream(d, x), GENERATED_QUERY)
PAIR(generated_of_dynamic_stream_0, "primitivesGeneratedQueryWithNonZeroStreams-07481", GENERATED,
     1, 0, DYNAMIC(RASTERIZATION_STREAM_EXT), GENERATED_QUERY;
     CALL(vkCmdSetRasterizationStreamEXT)(c, x))

FEATURES(of_mesh, VkPhysicalDeviceMeshShaderFeaturesEXT, MESH_SHADER_FEATURES_EXT, of_core,
         .meshShader = VK_TRUE, .meshShaderQueries = VK_TRUE);
PAIR(vertices_without_mesh_query, "stage-07073",
     (.features = &of_mesh, .extensions = {"VK_EXT_mesh_shader"}), 1, 0, (void)d,
     if (x) begin_query(b, c, VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT))

/* --- custom resolves --- */

FEATURES(of_local, VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR,
         DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR, of_core, .dynamicRenderingLocalRead = VK_TRUE);
FEATURES(of_resolve, VkPhysicalDeviceCustomResolveFeaturesEXT, CUSTOM_RESOLVE_FEATURES_EXT,
         of_local, .customResolve = VK_TRUE);
FEATURES(of_unused_resolve, VkPhysicalDeviceDynamicRenderingUnusedAttachmentsFeaturesEXT,
         DYNAMIC_RENDERING_UNUSED_ATTACHMENTS_FEATURES_EXT, of_resolve,
         .dynamicRenderingUnusedAttachments = VK_TRUE);
#define RESOLVE_EXTENSIONS "VK_EXT_custom_resolve", "VK_KHR_dynamic_rendering_local_read"
#define RESOLVE            (.features = &of_resolve, .extensions = {RESOLVE_EXTENSIONS})
#define UNUSED_RESOLVE               \
    (.features = &of_unused_resolve, \
     .extensions = {RESOLVE_EXTENSIONS, "VK_EXT_dynamic_rendering_unused_attachments"})

static VkFormat resolve_format;
static VkCustomResolveCreateInfoEXT resolve;
/* A color attachment of four samples that is resolved to one of one sample, by a pipeline that was
 * made for that. */
static void resolve_color(struct baseline *b, struct drawn *d)
{
    resolve_format = COLOR_FORMAT;
    resolve =
        (VkCustomResolveCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_CUSTOM_RESOLVE_CREATE_INFO_EXT,
                                       .colorAttachmentCount = 1,
                                       .pColorAttachmentFormats = &resolve_format};
    CHAIN(d->p.info.pNext, resolve);
    d->colors[0].imageView = ATTACHMENT(.samples = VK_SAMPLE_COUNT_4_BIT);
    d->colors[0].resolveMode = VK_RESOLVE_MODE_CUSTOM_BIT_EXT;
    d->colors[0].resolveImageView = ATTACHMENT();
    d->colors[0].resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    d->rendering.flags = VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT;
    d->p.multisample.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
}
static void begin_resolve(struct baseline *b, VkCommandBuffer c)
{
    CALL(vkCmdBeginCustomResolveEXT)(c, NULL);
}
/* A depth and stencil attachment likewise. */
static void resolve_depth_stencil(struct baseline *b, VkRenderingAttachmentInfo *attachment)
{
    attachment->imageView = ATTACHMENT(.format = D32S8, .samples = VK_SAMPLE_COUNT_4_BIT);
    attachment->resolveMode = VK_RESOLVE_MODE_CUSTOM_BIT_EXT;
    attachment->resolveImageView = ATTACHMENT(.format = D32S8);
    attachment->resolveImageLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
}
#define RESOLVE_DEPTH                    \
    resolve_color(b, d);                 \
    resolve_depth_stencil(b, &d->depth); \
    d->made_for.depthAttachmentFormat = D32S8
#define RESOLVE_STENCIL                    \
    resolve_color(b, d);                   \
    resolve_depth_stencil(b, &d->stencil); \
    d->made_for.stencilAttachmentFormat = D32S8
static void without_resolve(VkRenderingAttachmentInfo *attachment)
{
    attachment->resolveMode = VK_RESOLVE_MODE_NONE;
    attachment->resolveImageView = VK_NULL_HANDLE;
}

PAIR(resolve_with_structure, "None-11522", RESOLVE, 0, 1, resolve_color(b, d);
     if (!x) d->p.info.pNext = &d->made_for, (void)c)
PAIR(resolve_without_structure, "None-11523", RESOLVE, 0, VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT,
     resolve_color(b, d);
     d->rendering.flags = x; if (!x) without_resolve(&d->colors[0]), (void)c)
PAIR(resolve_begun, "customResolve-11524", RESOLVE, VK_FALSE, VK_TRUE, resolve_color(b, d);
     d->p.multisample.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
     resolve.customResolve = x, begin_resolve(b, c))
PAIR(resolve_not_begun, "customResolve-11525", RESOLVE, VK_TRUE, VK_FALSE, resolve_color(b, d);
     resolve.customResolve = x, (void)c)
PAIR_OF(resolve_of_as_many, "None-11861",
        (.features = &of_resolve, .extensions = {RESOLVE_EXTENSIONS}, .proceed = true,
         .allow = {"VUID-VkGraphicsPipelineCreateInfo-renderPass-11504"}),
        RESOLVE, 0, 1, resolve_color(b, d);
        resolve.colorAttachmentCount = x; if (!x) without_resolve(&d->colors[0]), (void)c)
PAIR(resolve_to_format, "None-11862", RESOLVE, VK_FORMAT_B8G8R8A8_UNORM, COLOR_FORMAT,
     resolve_color(b, d);
     resolve_format = (VkFormat)x, (void)c)
PAIR(resolve_to_nothing, "None-11863", RESOLVE, COLOR_FORMAT, VK_FORMAT_UNDEFINED,
     resolve_color(b, d);
     without_resolve(&d->colors[0]); resolve_format = (VkFormat)x, (void)c)
PAIR(resolve_to_unused_format, "dynamicRenderingUnusedAttachments-11864", UNUSED_RESOLVE,
     VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_UNDEFINED, resolve_color(b, d);
     resolve_format = (VkFormat)x, (void)c)
PAIR(resolve_depth_to_nothing, "None-11865", RESOLVE, D32S8, VK_FORMAT_UNDEFINED, RESOLVE_DEPTH;
     without_resolve(&d->depth); resolve.depthAttachmentFormat = (VkFormat)x, (void)c)
PAIR(resolve_depth_to_format, "None-11866", RESOLVE, VK_FORMAT_D16_UNORM_S8_UINT, D32S8,
     RESOLVE_DEPTH;
     resolve.depthAttachmentFormat = (VkFormat)x, (void)c)
PAIR(resolve_depth_to_unused_format, "dynamicRenderingUnusedAttachments-11867", UNUSED_RESOLVE,
     VK_FORMAT_D16_UNORM_S8_UINT, VK_FORMAT_UNDEFINED, RESOLVE_DEPTH;
     resolve.depthAttachmentFormat = (VkFormat)x, (void)c)
PAIR(resolve_stencil_to_nothing, "None-11868", RESOLVE, D32S8, VK_FORMAT_UNDEFINED, RESOLVE_STENCIL;
     without_resolve(&d->stencil); resolve.stencilAttachmentFormat = (VkFormat)x, (void)c)
PAIR(resolve_stencil_to_format, "None-11869", RESOLVE, VK_FORMAT_D16_UNORM_S8_UINT, D32S8,
     RESOLVE_STENCIL;
     resolve.stencilAttachmentFormat = (VkFormat)x, (void)c)
PAIR(resolve_stencil_to_unused_format, "dynamicRenderingUnusedAttachments-11870", UNUSED_RESOLVE,
     VK_FORMAT_D16_UNORM_S8_UINT, VK_FORMAT_UNDEFINED, RESOLVE_STENCIL;
     resolve.stencilAttachmentFormat = (VkFormat)x, (void)c)
#define RESOLVING                    \
    resolve.customResolve = VK_TRUE; \
    d->p.multisample.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT
PAIR(resolve_tested_depth, "pDepthAttachment-11540", UNUSED_RESOLVE, VK_FORMAT_UNDEFINED, D32S8,
     RESOLVE_DEPTH;
     RESOLVING; d->depth_stencil.depthTestEnable = VK_TRUE;
     resolve.depthAttachmentFormat = (VkFormat)x, begin_resolve(b, c))
PAIR(resolve_tested_stencil, "pStencilAttachment-11860", UNUSED_RESOLVE, VK_FORMAT_UNDEFINED, D32S8,
     RESOLVE_STENCIL;
     RESOLVING; d->depth_stencil.stencilTestEnable = VK_TRUE;
     resolve.stencilAttachmentFormat = (VkFormat)x, begin_resolve(b, c))
PAIR(resolve_color_samples, "colorAttachmentCount-11871", RESOLVE, VK_SAMPLE_COUNT_4_BIT,
     VK_SAMPLE_COUNT_1_BIT, resolve_color(b, d);
     RESOLVING;
     d->p.multisample.rasterizationSamples = (VkSampleCountFlagBits)x, begin_resolve(b, c))
#define WITHOUT_COLOR                                                         \
    d->rendering.colorAttachmentCount = d->made_for.colorAttachmentCount = 0; \
    d->p.color_blend.attachmentCount = resolve.colorAttachmentCount = 0
PAIR(resolve_depth_samples, "pDepthAttachment-11872", RESOLVE, VK_SAMPLE_COUNT_4_BIT,
     VK_SAMPLE_COUNT_1_BIT, RESOLVE_DEPTH;
     RESOLVING; WITHOUT_COLOR; resolve.depthAttachmentFormat = D32S8;
     d->p.multisample.rasterizationSamples = (VkSampleCountFlagBits)x, begin_resolve(b, c))
PAIR(resolve_stencil_samples, "pStencilAttachment-11873", RESOLVE, VK_SAMPLE_COUNT_4_BIT,
     VK_SAMPLE_COUNT_1_BIT, RESOLVE_STENCIL;
     RESOLVING; WITHOUT_COLOR; resolve.stencilAttachmentFormat = D32S8;
     d->p.multisample.rasterizationSamples = (VkSampleCountFlagBits)x, begin_resolve(b, c))
PAIR(region_of_all_samples, "flags-11521", RESOLVE, 1, 0,
     d->rendering.flags = VK_RENDERING_FRAGMENT_REGION_BIT_EXT;
     d->p.multisample.sampleShadingEnable = VK_TRUE;
     d->p.multisample.minSampleShading = (float)x, (void)c)

/* --- NV's states --- */

#define NV(extension_) (STATE_3, .extensions = {STATE_EXTENSION, extension_})
NEED(w_scaling_enable, "None-07640", NV("VK_NV_clip_space_w_scaling"), VIEWPORT_W_SCALING_ENABLE_NV,
     CALL(vkCmdSetViewportWScalingEnableNV)(c, VK_FALSE))
NEED(swizzle, "None-07641", NV("VK_NV_viewport_swizzle"), VIEWPORT_SWIZZLE_NV,
     CALL(vkCmdSetViewportSwizzleNV)(c, 0, 1, &(VkViewportSwizzleNV){0, 2, 4, 6}))
NEED(coverage_to_color, "None-07642", NV("VK_NV_fragment_coverage_to_color"),
     COVERAGE_TO_COLOR_ENABLE_NV, CALL(vkCmdSetCoverageToColorEnableNV)(c, VK_FALSE))
NEED(coverage_modulation, "None-07644", NV("VK_NV_framebuffer_mixed_samples"),
     COVERAGE_MODULATION_MODE_NV,
     CALL(vkCmdSetCoverageModulationModeNV)(c, VK_COVERAGE_MODULATION_MODE_NONE_NV))
PAIR(coverage_location, "None-07643", NV("VK_NV_fragment_coverage_to_color"), 0, 1,
     DYNAMIC(COVERAGE_TO_COLOR_ENABLE_NV);
     DYNAMIC(COVERAGE_TO_COLOR_LOCATION_NV); d->formats[0] = VK_FORMAT_R8_UINT;
     d->colors[0].imageView = ATTACHMENT(.format = VK_FORMAT_R8_UINT),
     CALL(vkCmdSetCoverageToColorEnableNV)(c, VK_TRUE);
     if (x) CALL(vkCmdSetCoverageToColorLocationNV)(c, 0))
PAIR(coverage_table_enable, "None-07645", NV("VK_NV_framebuffer_mixed_samples"), 0, 1,
     DYNAMIC(COVERAGE_MODULATION_MODE_NV);
     DYNAMIC(COVERAGE_MODULATION_TABLE_ENABLE_NV),
     CALL(vkCmdSetCoverageModulationModeNV)(c, VK_COVERAGE_MODULATION_MODE_RGB_NV);
     if (x) CALL(vkCmdSetCoverageModulationTableEnableNV)(c, VK_FALSE))
PAIR(coverage_table, "None-07646", NV("VK_NV_framebuffer_mixed_samples"), 0, 1,
     DYNAMIC(COVERAGE_MODULATION_TABLE_ENABLE_NV);
     DYNAMIC(COVERAGE_MODULATION_TABLE_NV),
     CALL(vkCmdSetCoverageModulationTableEnableNV)(c, VK_TRUE);
     if (x) CALL(vkCmdSetCoverageModulationTableNV)(c, 1, &(float){0}))
FEATURES(of_shading, VkPhysicalDeviceShadingRateImageFeaturesNV, SHADING_RATE_IMAGE_FEATURES_NV,
         of_state, .shadingRateImage = VK_TRUE);
#define SHADING \
    (.features = &of_shading, .extensions = {STATE_EXTENSION, "VK_NV_shading_rate_image"})
NEED(shading_rate_image, "None-07647", SHADING, SHADING_RATE_IMAGE_ENABLE_NV,
     CALL(vkCmdSetShadingRateImageEnableNV)(c, VK_FALSE))
NEED(coarse_order, "shadingRateImage-09233", SHADING, VIEWPORT_COARSE_SAMPLE_ORDER_NV,
     CALL(vkCmdSetCoarseSampleOrderNV)(c, VK_COARSE_SAMPLE_ORDER_TYPE_DEFAULT_NV, 0, NULL))
FEATURES(of_reduction, VkPhysicalDeviceCoverageReductionModeFeaturesNV,
         COVERAGE_REDUCTION_MODE_FEATURES_NV, of_state, .coverageReductionMode = VK_TRUE);
NEED(coverage_reduction, "None-07649",
     (.features = &of_reduction, .extensions = {STATE_EXTENSION, "VK_NV_coverage_reduction_mode",
                                                "VK_NV_framebuffer_mixed_samples"}),
     COVERAGE_REDUCTION_MODE_NV,
     CALL(vkCmdSetCoverageReductionModeNV)(c, VK_COVERAGE_REDUCTION_MODE_MERGE_NV))
FEATURES(of_representative, VkPhysicalDeviceRepresentativeFragmentTestFeaturesNV,
         REPRESENTATIVE_FRAGMENT_TEST_FEATURES_NV, of_state, .representativeFragmentTest = VK_TRUE);
NEED(representative, "None-07648",
     (.features = &of_representative,
      .extensions = {STATE_EXTENSION, "VK_NV_representative_fragment_test"}),
     REPRESENTATIVE_FRAGMENT_TEST_ENABLE_NV,
     CALL(vkCmdSetRepresentativeFragmentTestEnableNV)(c, VK_FALSE))
FEATURES(of_exclusive, VkPhysicalDeviceExclusiveScissorFeaturesNV, EXCLUSIVE_SCISSOR_FEATURES_NV,
         of_core, .exclusiveScissor = VK_TRUE);
NEED(exclusive_enable, "None-07878",
     (.features = &of_exclusive, .extensions = {"VK_NV_scissor_exclusive"}),
     EXCLUSIVE_SCISSOR_ENABLE_NV,
     CALL(vkCmdSetExclusiveScissorEnableNV)(c, 0, 1, (VkBool32[]){VK_FALSE}))

/* Counts beside viewports that are dynamic. */
static VkPipelineViewportWScalingStateCreateInfoNV scaling;
static VkPipelineViewportSwizzleStateCreateInfoNV swizzling;
static const VkViewportWScalingNV scalings[2];
static const VkViewportSwizzleNV swizzles[2] = {{0, 2, 4, 6}, {0, 2, 4, 6}};
#define COUNTED                            \
    DYNAMIC(VIEWPORT_WITH_COUNT);          \
    d->p.viewport_state.viewportCount = 0; \
    d->p.viewport_state.scissorCount = 2;  \
    d->p.viewport_state.pScissors = scissors
PAIR(scalings_of_viewports, "viewportCount-04137", NV("VK_NV_clip_space_w_scaling"), 1, 2, COUNTED;
     scaling = ((VkPipelineViewportWScalingStateCreateInfoNV){
         .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_W_SCALING_STATE_CREATE_INFO_NV,
         .viewportCount = x,
         .pViewportWScalings = scalings});
     d->p.viewport_state.pNext = &scaling, vkCmdSetViewportWithCount(c, 2, viewports))
PAIR(swizzles_of_viewports, "VkPipelineViewportCreateInfo-04141", NV("VK_NV_viewport_swizzle"), 1,
     2, COUNTED;
     swizzling = ((VkPipelineViewportSwizzleStateCreateInfoNV){
         .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SWIZZLE_STATE_CREATE_INFO_NV,
         .viewportCount = x,
         .pViewportSwizzles = swizzles});
     d->p.viewport_state.pNext = &swizzling, vkCmdSetViewportWithCount(c, 2, viewports))
static VkPipelineViewportShadingRateImageStateCreateInfoNV palettes;
static const VkShadingRatePaletteNV palette[2] = {
    {1, (const VkShadingRatePaletteEntryNV[]){VK_SHADING_RATE_PALETTE_ENTRY_NO_INVOCATIONS_NV}},
    {1, (const VkShadingRatePaletteEntryNV[]){VK_SHADING_RATE_PALETTE_ENTRY_NO_INVOCATIONS_NV}}};
PAIR(palettes_of_viewports, "viewportCount-04139", SHADING, 1, 2, COUNTED;
     palettes = ((VkPipelineViewportShadingRateImageStateCreateInfoNV){
         .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SHADING_RATE_IMAGE_STATE_CREATE_INFO_NV,
         .viewportCount = x,
         .pShadingRatePalettes = palette});
     d->p.viewport_state.pNext = &palettes, vkCmdSetViewportWithCount(c, 2, viewports))
static VkPipelineViewportExclusiveScissorStateCreateInfoNV exclusive;
PAIR(exclusive_scissors_of_viewports, "VkPipelineViewportCreateInfo-04142",
     (.features = &of_exclusive, .extensions = {"VK_NV_scissor_exclusive"}), 1, 2, COUNTED;
     exclusive = ((VkPipelineViewportExclusiveScissorStateCreateInfoNV){
         .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_EXCLUSIVE_SCISSOR_STATE_CREATE_INFO_NV,
         .exclusiveScissorCount = x,
         .pExclusiveScissors = scissors});
     d->p.viewport_state.pNext = &exclusive, vkCmdSetViewportWithCount(c, 2, viewports))
PAIR(palette_set, "shadingRateImage-09234", SHADING, 0, 1, DYNAMIC(VIEWPORT_WITH_COUNT);
     DYNAMIC(SHADING_RATE_IMAGE_ENABLE_NV); DYNAMIC(VIEWPORT_SHADING_RATE_PALETTE_NV);
     d->p.viewport_state.viewportCount = 0, vkCmdSetViewportWithCount(c, 1, viewports);
     CALL(vkCmdSetShadingRateImageEnableNV)(c, VK_TRUE);
     if (x) CALL(vkCmdSetViewportShadingRatePaletteNV)(c, 0, 1, palette))
PAIR(w_scaling_set, "viewportCount-04138", NV("VK_NV_clip_space_w_scaling"), 0, 1,
     DYNAMIC(VIEWPORT_WITH_COUNT);
     DYNAMIC(VIEWPORT_W_SCALING_ENABLE_NV); DYNAMIC(VIEWPORT_W_SCALING_NV);
     d->p.viewport_state.viewportCount = 0, vkCmdSetViewportWithCount(c, 1, viewports);
     CALL(vkCmdSetViewportWScalingEnableNV)(c, VK_TRUE);
     if (x) CALL(vkCmdSetViewportWScalingNV)(c, 0, 1, scalings))
PAIR(scalings_of_dynamic_viewports, "None-08636", NV("VK_NV_clip_space_w_scaling"), 1, 2, COUNTED;
     DYNAMIC(VIEWPORT_W_SCALING_ENABLE_NV);
     DYNAMIC(VIEWPORT_W_SCALING_NV), vkCmdSetViewportWithCount(c, 2, viewports);
     CALL(vkCmdSetViewportWScalingEnableNV)(c, VK_TRUE);
     CALL(vkCmdSetViewportWScalingNV)(c, 0, x, scalings))
PAIR(palettes_of_dynamic_viewports, "None-08637", SHADING, 1, 2, COUNTED;
     DYNAMIC(SHADING_RATE_IMAGE_ENABLE_NV);
     DYNAMIC(VIEWPORT_SHADING_RATE_PALETTE_NV), vkCmdSetViewportWithCount(c, 2, viewports);
     CALL(vkCmdSetShadingRateImageEnableNV)(c, VK_TRUE);
     CALL(vkCmdSetViewportShadingRatePaletteNV)(c, 0, x, palette))
PAIR(exclusive_scissor_set, "None-07879",
     (.features = &of_exclusive, .extensions = {"VK_NV_scissor_exclusive"}), VK_TRUE, VK_FALSE,
     DYNAMIC(EXCLUSIVE_SCISSOR_ENABLE_NV);
     DYNAMIC(EXCLUSIVE_SCISSOR_NV),
     CALL(vkCmdSetExclusiveScissorEnableNV)(c, 0, 1, (VkBool32[]){x}))

/* --- tile shading --- */

#define TILES_OF(name_, per_tile_)                                                                \
    FEATURES(name_, VkPhysicalDeviceTileShadingFeaturesQCOM, TILE_SHADING_FEATURES_QCOM, of_core, \
             .tileShading = VK_TRUE, .tileShadingPerTileDispatch = VK_TRUE,                       \
             .tileShadingPerTileDraw = (per_tile_))
TILES_OF(tiles_of_dispatches, VK_FALSE);
TILES_OF(tiles_of_draws, VK_TRUE);
#define TILE_EXTENSIONS .extensions = {"VK_QCOM_tile_shading", "VK_QCOM_tile_properties"}
static VkRenderPassTileShadingCreateInfoQCOM tiles;
static void shade_tiles(struct drawn *d)
{
    tiles = (VkRenderPassTileShadingCreateInfoQCOM){
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_TILE_SHADING_CREATE_INFO_QCOM,
        .flags = VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM};
    CHAIN(d->rendering.pNext, tiles);
}
PAIR_OF(draw_per_tile, "None-10677", (.features = &tiles_of_dispatches, TILE_EXTENSIONS),
        (.features = &tiles_of_draws, TILE_EXTENSIONS), 0, 0, shade_tiles(d),
        CALL(vkCmdBeginPerTileExecutionQCOM)(c,
                                             &(VkPerTileBeginInfoQCOM){
                                                 VK_STRUCTURE_TYPE_PER_TILE_BEGIN_INFO_QCOM, NULL}))
static VkPipelineShaderStageCreateInfo three_stages[3];
static void add_geometry(struct baseline *b, struct drawn *d, uint32_t count)
{
    three_stages[0] = stage_info(VK_SHADER_STAGE_VERTEX_BIT, MAKE_SHADER(b, spirv_vertex));
    three_stages[1] = stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, MAKE_SHADER(b, spirv_fragment));
    three_stages[2] = stage_info(VK_SHADER_STAGE_GEOMETRY_BIT, MAKE_SHADER(b, spirv_geometry));
    d->p.info.pStages = three_stages;
    d->p.info.stageCount = count;
}
PAIR(tile_stages, "None-10678", (.features = &tiles_of_draws, TILE_EXTENSIONS), 3, 2,
     shade_tiles(d);
     add_geometry(b, d, x), (void)c)

/* --- sample counts that differ --- */

#define MIXED_AMD (.extensions = {"VK_AMD_mixed_attachment_samples"})
static VkAttachmentSampleCountInfoAMD counts;
static VkSampleCountFlagBits color_count;
/* The pipeline is made for color attachments of `color` samples, and a depth/stencil one. */
static void mix_samples(struct drawn *d, uint32_t color, uint32_t depth_stencil)
{
    color_count = (VkSampleCountFlagBits)color;
    counts = (VkAttachmentSampleCountInfoAMD){
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_SAMPLE_COUNT_INFO_AMD,
        .colorAttachmentCount = 1,
        .pColorAttachmentSamples = &color_count,
        .depthStencilAttachmentSamples = (VkSampleCountFlagBits)depth_stencil};
    CHAIN(d->p.info.pNext, counts);
    d->p.multisample.rasterizationSamples =
        (VkSampleCountFlagBits)(color > depth_stencil ? color : depth_stencil);
}
PAIR(color_samples, "colorAttachmentCount-06185", MIXED_AMD, 4, 1, mix_samples(d, x, 4), (void)c)
PAIR(depth_samples, "pDepthAttachment-06186", MIXED_AMD, 4, 1, mix_samples(d, 1, x);
     d->depth.imageView = ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT);
     d->made_for.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT, (void)c)
PAIR(stencil_samples, "pStencilAttachment-06187", MIXED_AMD, 4, 1, mix_samples(d, 1, x);
     d->stencil.imageView = ATTACHMENT(.format = VK_FORMAT_S8_UINT);
     d->made_for.stencilAttachmentFormat = VK_FORMAT_S8_UINT, (void)c)
#define MIXED_NV (.extensions = {"VK_NV_framebuffer_mixed_samples"})
PAIR(tested_samples, "rasterizationSamples-07489", MIXED_NV, VK_TRUE, VK_FALSE,
     mix_samples(d, 1, 1);
     d->p.multisample.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
     d->depth_stencil.depthTestEnable = x;
     d->depth.imageView = ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT);
     d->made_for.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT, (void)c)
PAIR(table_of_samples, "coverageModulationTableEnable-07488", NV("VK_NV_framebuffer_mixed_samples"),
     2, 4, mix_samples(d, 1, 1);
     d->p.multisample.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
     DYNAMIC(COVERAGE_MODULATION_MODE_NV); DYNAMIC(COVERAGE_MODULATION_TABLE_ENABLE_NV);
     DYNAMIC(COVERAGE_MODULATION_TABLE_NV),
     CALL(vkCmdSetCoverageModulationModeNV)(c, VK_COVERAGE_MODULATION_MODE_RGB_NV);
     CALL(vkCmdSetCoverageModulationTableEnableNV)(c, VK_TRUE);
     CALL(vkCmdSetCoverageModulationTableNV)(c, x, (const float[4]){0}))
PAIR(coverage_color, "coverageToColorEnable-07490", NV("VK_NV_fragment_coverage_to_color"),
     COLOR_FORMAT, VK_FORMAT_R8_UINT, DYNAMIC(COVERAGE_TO_COLOR_ENABLE_NV);
     DYNAMIC(COVERAGE_TO_COLOR_LOCATION_NV); d->formats[0] = (VkFormat)x;
     d->colors[0].imageView = ATTACHMENT(.format = (VkFormat)x),
     CALL(vkCmdSetCoverageToColorEnableNV)(c, VK_TRUE);
     CALL(vkCmdSetCoverageToColorLocationNV)(c, 0))
PAIR(fixed_locations_of_dynamic_samples, "sampleLocationsEnable-07938", LOCATED, 4, 1,
     locate_samples(d, x);
     DYNAMIC(RASTERIZATION_SAMPLES_EXT),
     CALL(vkCmdSetRasterizationSamplesEXT)(c, VK_SAMPLE_COUNT_1_BIT))

/* --- what shaders do --- */

static void use_shaders(struct drawn *d, VkShaderModule vertex, VkShaderModule fragment)
{
    d->p.stages[0].module = vertex ? vertex : d->p.stages[0].module;
    d->p.stages[1].module = fragment ? fragment : d->p.stages[1].module;
}
FEATURES(of_alpha, VkPhysicalDeviceExtendedDynamicState3FeaturesEXT,
         EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, of_core,
         .extendedDynamicState3AlphaToCoverageEnable = VK_TRUE);
PAIR(alpha_to_coverage, "alphaToCoverageEnable-08919",
     (.features = &of_alpha, .extensions = {STATE_EXTENSION}), VK_TRUE, VK_FALSE,
     DYNAMIC(ALPHA_TO_COVERAGE_ENABLE_EXT);
     use_shaders(d, VK_NULL_HANDLE, MAKE_SHADER(b, spirv_fragment_rgb)),
     CALL(vkCmdSetAlphaToCoverageEnableEXT)(c, x))
PAIR(interpolated_at_sample, "sampleLocationsEnable-07487", LOCATED, VK_TRUE, VK_FALSE,
     locate_samples(d, 1);
     DYNAMIC(SAMPLE_LOCATIONS_ENABLE_EXT);
     use_shaders(d, MAKE_SHADER(b, spirv_vertex), MAKE_SHADER(b, spirv_fragment_at_sample)),
     CALL(vkCmdSetSampleLocationsEnableEXT)(c, x))
static const VkPhysicalDeviceFeatures2 of_two_sources = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = NEXT(pass_features),
    .features = {.independentBlend = VK_TRUE, .dualSrcBlend = VK_TRUE}};
PAIR(two_sources, "maxFragmentDualSrcAttachments-09239",
     (.features = &of_two_sources,
      .null_driver = "{\"limits\": {\"maxFragmentDualSrcAttachments\": 1}}"),
     VK_BLEND_FACTOR_SRC1_COLOR, VK_BLEND_FACTOR_ONE,
     use_shaders(d, VK_NULL_HANDLE, MAKE_SHADER(b, spirv_fragment_two));
     d->colors[1].imageView = ATTACHMENT(); d->rendering.colorAttachmentCount = 2;
     d->made_for.colorAttachmentCount = 2; d->p.color_blend.attachmentCount = 2;
     d->blends[0].blendEnable = VK_TRUE;
     d->blends[0].srcColorBlendFactor = (VkBlendFactor)x, (void)c)
FEATURES(of_primitive_rates, VkPhysicalDeviceFragmentShadingRateFeaturesKHR,
         FRAGMENT_SHADING_RATE_FEATURES_KHR, of_core, .pipelineFragmentShadingRate = VK_TRUE,
         .primitiveFragmentShadingRate = VK_TRUE);
static void set_viewports(VkCommandBuffer c, uint32_t count)
{
    vkCmdSetViewportWithCount(c, count, viewports);
    vkCmdSetScissorWithCount(c, count, scissors);
}
PAIR(rate_of_viewports, "primitiveFragmentShadingRateWithMultipleViewports-04552",
     (.features = &of_primitive_rates, .extensions = {"VK_KHR_fragment_shading_rate"},
      .null_driver = "{\"properties\": {\"primitiveFragmentShadingRateWithMultipleViewports\": "
                     "false}}"),
     2, 1, DYNAMIC(VIEWPORT_WITH_COUNT);
     DYNAMIC(SCISSOR_WITH_COUNT);
     d->p.viewport_state.viewportCount = d->p.viewport_state.scissorCount = 0;
     use_shaders(d, MAKE_SHADER(b, spirv_vertex_rate), VK_NULL_HANDLE), set_viewports(c, x))

/* --- fragment density maps of layers --- */

FEATURES(of_layered, VkPhysicalDeviceFragmentDensityMapLayeredFeaturesVALVE,
         FRAGMENT_DENSITY_MAP_LAYERED_FEATURES_VALVE, of_density,
         .fragmentDensityMapLayered = VK_TRUE);
static VkPipelineFragmentDensityMapLayeredCreateInfoVALVE layered;
static VkPipelineCreateFlags2CreateInfo layered_flags;
static void attach_layers(struct baseline *b, struct drawn *d, uint32_t most)
{
    attach_density(b, d);
    density.imageView = ATTACHMENT(.format = VK_FORMAT_R8G8_UNORM, .layers = 2,
                                   .usage = VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT);
    d->colors[0].imageView = ATTACHMENT(.layers = 2);
    d->rendering.layerCount = 2;
    d->rendering.flags = VK_RENDERING_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE;
    layered = (VkPipelineFragmentDensityMapLayeredCreateInfoVALVE){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_DENSITY_MAP_LAYERED_CREATE_INFO_VALVE,
        .maxFragmentDensityMapLayers = most};
    layered_flags = (VkPipelineCreateFlags2CreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE |
                 VK_PIPELINE_CREATE_2_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT};
    CHAIN(d->p.info.pNext, layered);
    CHAIN(d->p.info.pNext, layered_flags);
}
PAIR(density_layers, "layers-10831",
     (.features = &of_layered,
      .extensions = {"VK_EXT_fragment_density_map", "VK_VALVE_fragment_density_map_layered",
                     "VK_KHR_maintenance5"},
      .null_driver = "{\"properties\": {\"minFragmentDensityTexelSize\": [8, 8], "
                     "\"maxFragmentDensityTexelSize\": [8, 8], "
                     "\"maxFragmentDensityMapLayers\": 4}}"),
     1, 2, attach_layers(b, d, x), (void)c)

/* --- attachments that are read in the tile --- */

FEATURES(of_tile_images, VkPhysicalDeviceShaderTileImageFeaturesEXT, SHADER_TILE_IMAGE_FEATURES_EXT,
         of_core, .shaderTileImageDepthReadAccess = VK_TRUE,
         .shaderTileImageStencilReadAccess = VK_TRUE);
#define READS_TILES (.features = &of_tile_images, .extensions = {"VK_EXT_shader_tile_image"})
PAIR(early_depth_read, "pDynamicStates-08715", READS_TILES, VK_TRUE, VK_FALSE,
     DYNAMIC(DEPTH_WRITE_ENABLE);
     use_shaders(d, VK_NULL_HANDLE, MAKE_SHADER(b, spirv_fragment_depth_read)),
     vkCmdSetDepthWriteEnable(c, x))
PAIR(early_stencil_read, "pDynamicStates-08716", READS_TILES, 1, 0, DYNAMIC(STENCIL_WRITE_MASK);
     use_shaders(d, VK_NULL_HANDLE, MAKE_SHADER(b, spirv_fragment_stencil_read)),
     vkCmdSetStencilWriteMask(c, VK_STENCIL_FACE_FRONT_AND_BACK, x))
/* Whether the last call counts alone, the statement does not say: one face is in order. */
ONE(early_stencil_read_of_one_face, (.drivers = NULL_DRIVER, UNWRAP READS_TILES), 0,
    DYNAMIC(STENCIL_WRITE_MASK);
    use_shaders(d, VK_NULL_HANDLE, MAKE_SHADER(b, spirv_fragment_stencil_read)),
    vkCmdSetStencilWriteMask(c, VK_STENCIL_FACE_FRONT_BIT, 1);
    vkCmdSetStencilWriteMask(c, VK_STENCIL_FACE_BACK_BIT, 0))

/* --- formats of color attachments that are written --- */

PAIR(color_of_no_format, "pColorAttachments-08963", UNUSED, VK_FORMAT_UNDEFINED, COLOR_FORMAT,
     use_shaders(d, VK_NULL_HANDLE, MAKE_SHADER(b, spirv_fragment_plain));
     d->formats[0] = (VkFormat)x, (void)c)
ONE(color_of_no_format_masked, (.drivers = NULL_DRIVER, UNWRAP UNUSED), 0,
    use_shaders(d, VK_NULL_HANDLE, MAKE_SHADER(b, spirv_fragment_plain));
    d->formats[0] = VK_FORMAT_UNDEFINED; d->blends[0].colorWriteMask = 0, (void)c)
PAIR(resolve_of_no_format, "pColorAttachments-11539", UNUSED_RESOLVE, VK_FORMAT_UNDEFINED,
     COLOR_FORMAT, resolve_color(b, d);
     RESOLVING; use_shaders(d, VK_NULL_HANDLE, MAKE_SHADER(b, spirv_fragment_plain));
     resolve_format = (VkFormat)x, begin_resolve(b, c))

/* --- samples --- */

PAIR(mixed_sample_shading, "rasterizationSamples-07494",
     (.features = &of_core, .extensions = {"VK_NV_framebuffer_mixed_samples"}), VK_TRUE, VK_FALSE,
     mix_samples(d, 1, 1);
     d->p.multisample.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
     d->p.multisample.sampleShadingEnable = x, (void)c)
/* The attachment of one sample is rendered to with four. */
ONE(single_sampled_shading,
    (.drivers = NULL_DRIVER, .features = &of_single,
     .extensions = {"VK_EXT_multisampled_render_to_single_sampled", STATE_EXTENSION,
                    "VK_NV_framebuffer_mixed_samples"}),
    0, render_to_single(b, d);
    d->p.multisample.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
    d->p.multisample.sampleShadingEnable = VK_TRUE, (void)c)

static VkRenderPass make_empty_pass(struct baseline *b)
{
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .subpassCount = 1,
                                         .pSubpasses = &subpass};
    return create_render_pass(b, &info);
}
static void draw_to_nothing(struct baseline *b, VkSampleCountFlagBits samples)
{
    const VkDynamicState state = VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT;
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = &state};
    const VkRenderPass pass = make_empty_pass(b);
    const VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                 .renderPass = pass,
                                                 .width = IMAGE_EXTENT,
                                                 .height = IMAGE_EXTENT,
                                                 .layers = 1};
    VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                   .renderPass = pass,
                                   .framebuffer = create_framebuffer(b, &framebuffer),
                                   .renderArea = {.extent = {IMAGE_EXTENT, IMAGE_EXTENT}}};
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), pass);
    p.color_blend.attachmentCount = 0;
    p.info.stageCount = 1; /* without a shader of fragments, which would write to nothing */
    p.info.pDynamicState = &dynamic;
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, create_graphics_pipeline(b, &p.info));
    CALL(vkCmdSetRasterizationSamplesEXT)(c, samples);
    vkCmdDraw(c, 3, 1, 0, 0);
}
#define WITHOUT_ATTACHMENTS                                           \
    .drivers = NULL_DRIVER, STATE_3, .extensions = {STATE_EXTENSION}, \
    .null_driver = "{\"limits\": {\"framebufferNoAttachmentsSampleCounts\": 5}}"
SCENARIO(samples_without_attachments, WITHOUT_ATTACHMENTS)
{
    draw_to_nothing(b, VK_SAMPLE_COUNT_4_BIT);
}
SCENARIO(samples_without_attachments_broken, WITHOUT_ATTACHMENTS,
         .expect = {"VUID-vkCmdDraw-rasterizationSamples-07471"},
         .text = {"framebufferNoAttachmentsSampleCounts"})
{
    draw_to_nothing(b, VK_SAMPLE_COUNT_2_BIT);
}
