/* Shaders of a graphics pipeline and the state that they need: points, shading rates, viewports,
 * streams, early tests, samples, input attachments. */
#include "scenario.h"

#include "graphics_uses.h"

struct code {
    const uint32_t *words;
    size_t size;
};
#define CODE(name_) {spirv_uses_##name_, sizeof(spirv_uses_##name_)}
#define NONE        {NULL, 0}

/* The shaders that a pipeline has, and what is around them. */
struct uses {
    struct code vertex, control, evaluation, geometry, mesh, fragment;
    VkPrimitiveTopology topology;
    VkSubpassDescriptionFlags subpass_flags;
    bool unused_input, dynamic_rendering;
    VkDynamicState dynamic; /* 0: none */
    VkPipelineDepthStencilStateCreateInfo depth_stencil;
};

static VkRenderPass make_uses_pass(struct baseline *b, const struct uses *u)
{
    VkRenderPassCreateInfo info = render_pass_info();
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL},
                                inputs[2] = {{0, VK_IMAGE_LAYOUT_GENERAL},
                                             {u->unused_input ? VK_ATTACHMENT_UNUSED : 0,
                                              VK_IMAGE_LAYOUT_GENERAL}};
    const VkSubpassDescription subpass = {.flags = u->subpass_flags,
                                          .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                          .inputAttachmentCount = 2,
                                          .pInputAttachments = inputs,
                                          .colorAttachmentCount = 1,
                                          .pColorAttachments = &color};
    info.pSubpasses = &subpass;
    info.subpassCount = 1;
    info.dependencyCount = 0;
    VkRenderPass pass = create_render_pass(b, &info);
    ENSURE(pass);
    return pass;
}

static VkPipelineLayout make_uses_layout(struct baseline *b)
{
    const VkDescriptorSetLayoutBinding binding = {.descriptorType =
                                                      VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
    const VkDescriptorSetLayoutCreateInfo info = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1,
        .pBindings = &binding};
    return make_pipeline_layout(b, create_descriptor_set_layout(b, &info));
}

typedef void (*changer)(struct graphics_pipeline *p);

static void create_uses(struct baseline *b, const struct uses *u, changer change)
{
    const struct {
        struct code code;
        VkShaderStageFlagBits stage;
    } all[] = {{u->vertex, VK_SHADER_STAGE_VERTEX_BIT},
               {u->control, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
               {u->evaluation, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
               {u->geometry, VK_SHADER_STAGE_GEOMETRY_BIT},
               {u->mesh, VK_SHADER_STAGE_MESH_BIT_EXT},
               {u->fragment, VK_SHADER_STAGE_FRAGMENT_BIT}};
    const VkFormat format = COLOR_FORMAT;
    const VkPipelineRenderingCreateInfo rendering = {
        VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO, .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format};
    const VkPipelineTessellationStateCreateInfo tessellation = {
        VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 3};
    const VkPipelineDynamicStateCreateInfo dynamic = {
        VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, .dynamicStateCount = 1,
        .pDynamicStates = &u->dynamic};
    VkPipelineShaderStageCreateInfo stages[6];
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_uses_layout(b),
                            u->dynamic_rendering ? VK_NULL_HANDLE : make_uses_pass(b, u));
    p.info.stageCount = 0;
    p.info.pStages = stages;
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        if (all[i].code.words)
            stages[p.info.stageCount++] =
                stage_info(all[i].stage, make_shader_from(b, all[i].code.words, all[i].code.size));
    }
    p.input_assembly.topology = u->control.words    ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST
                                : u->geometry.words ? VK_PRIMITIVE_TOPOLOGY_POINT_LIST
                                : u->topology       ? u->topology
                                                    : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    p.info.pTessellationState = &tessellation;
    p.info.pDepthStencilState = u->depth_stencil.sType ? &u->depth_stencil : NULL;
    p.info.pNext = u->dynamic_rendering ? &rendering : NULL;
    if (u->dynamic)
        p.info.pDynamicState = &dynamic;
    if (change)
        change(&p);
    (void)create_graphics_pipeline(b, &p.info);
}

#define PIPELINE(name_, uses_, change_, ...)               \
    SCENARIO(name_, .drivers = NULL_DRIVER, ##__VA_ARGS__) \
    {                                                      \
        const struct uses u = uses_;                       \
        create_uses(b, &u, change_);                       \
    }
#define USES(...)     {__VA_ARGS__}
#define GRAPHICS(id_) .expect = {"VUID-VkGraphicsPipelineCreateInfo-" id_}

/* --- points ----------------------------------------------------------------------------------- */

static const VkPhysicalDeviceFeatures2 stages_alone = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.tessellationShader = VK_TRUE, .geometryShader = VK_TRUE}};
static const VkPhysicalDeviceFeatures2 stages_and_points = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.tessellationShader = VK_TRUE,
                 .geometryShader = VK_TRUE,
                 .shaderTessellationAndGeometryPointSize = VK_TRUE}};
static const VkPhysicalDeviceMaintenance5Features maintenance5 = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .pNext = (void *)&stages_and_points,
    .maintenance5 = VK_TRUE};

#define TESSELLATED(evaluation_)                                                            \
    USES(.vertex = CODE(vertex), .control = CODE(control), .evaluation = CODE(evaluation_), \
         .fragment = CODE(fragment))
#define GEOMETRY(geometry_) \
    USES(.vertex = CODE(vertex), .geometry = CODE(geometry_), .fragment = CODE(fragment))

PIPELINE(tessellated_points_without_size, TESSELLATED(evaluation_points), NULL,
         .features = &stages_and_points, GRAPHICS("TessellationEvaluation-07723"),
         .text = {"makes points, but its VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT does not "
                  "write PointSize, and the maintenance5 feature is not enabled"})
PIPELINE(tessellated_points_with_maintenance5, TESSELLATED(evaluation_points), NULL,
         .features = &maintenance5, .extensions = {"VK_KHR_maintenance5"})
PIPELINE(tessellated_points_with_size, TESSELLATED(evaluation_points_sized), NULL,
         .features = &stages_and_points)
PIPELINE(tessellated_points_of_size_one, TESSELLATED(evaluation_points), NULL,
         .features = &stages_alone)
PIPELINE(tessellated_triangles, TESSELLATED(evaluation), NULL, .features = &stages_and_points)
PIPELINE(tessellated_points_sized_without_feature, TESSELLATED(evaluation_bare), NULL,
         .features = &stages_alone, GRAPHICS("TessellationEvaluation-07724"))
PIPELINE(geometry_points_without_size, GEOMETRY(geometry_points), NULL,
         .features = &stages_and_points, GRAPHICS("shaderTessellationAndGeometryPointSize-08776"))
PIPELINE(geometry_points_with_size, GEOMETRY(geometry_points_sized), NULL,
         .features = &stages_and_points)
PIPELINE(geometry_emits_nothing, GEOMETRY(geometry_nothing), NULL, .features = &stages_and_points)
PIPELINE(geometry_points_sized_without_feature, GEOMETRY(geometry_bare), NULL,
         .features = &stages_alone, GRAPHICS("Geometry-07726"),
         .text = {"makes points, and its VK_SHADER_STAGE_GEOMETRY_BIT writes PointSize; the "
                  "shaderTessellationAndGeometryPointSize feature is not enabled"})

/* --- rasterization ---------------------------------------------------------------------------- */

static const VkPipelineRasterizationConservativeStateCreateInfoEXT overestimate = {
    VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT,
    .conservativeRasterizationMode = VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT};
static void be_conservative(struct graphics_pipeline *p)
{
    p->rasterization.pNext = &overestimate;
}
static void be_conservative_lines(struct graphics_pipeline *p)
{
    p->rasterization.pNext = &overestimate;
    p->rasterization.polygonMode = VK_POLYGON_MODE_LINE;
}
static const VkPhysicalDeviceFeatures2 any_fill = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.fillModeNonSolid = VK_TRUE, .geometryShader = VK_TRUE}};
#define CONSERVATIVE(can_)                                                      \
    .extensions = {"VK_EXT_conservative_rasterization"}, .features = &any_fill, \
    .null_driver = "{\"properties\": {\"conservativePointAndLineRasterization\": " #can_ "}}"
#define NOT_CONSERVATIVE GRAPHICS("conservativePointAndLineRasterization-08892")
#define PLAIN(topology_)                                     \
    USES(.vertex = CODE(vertex), .fragment = CODE(fragment), \
         .topology = VK_PRIMITIVE_TOPOLOGY_##topology_)
PIPELINE(conservative_triangles, PLAIN(TRIANGLE_LIST), be_conservative, CONSERVATIVE(false))
PIPELINE(conservative_lines, PLAIN(LINE_STRIP), be_conservative, CONSERVATIVE(false),
         NOT_CONSERVATIVE,
         .text = {"is VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT, but the pipeline "
                  "rasterizes lines, and conservativePointAndLineRasterization is VK_FALSE"})
PIPELINE(conservative_lines_supported, PLAIN(LINE_STRIP), be_conservative, CONSERVATIVE(true))
PIPELINE(conservative_edges, PLAIN(TRIANGLE_STRIP), be_conservative_lines, CONSERVATIVE(false),
         NOT_CONSERVATIVE)
PIPELINE(conservative_lines_of_geometry, GEOMETRY(geometry_lines), be_conservative,
         CONSERVATIVE(false), NOT_CONSERVATIVE)

static const VkPhysicalDeviceFragmentShadingRateFeaturesKHR rates = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
    .pipelineFragmentShadingRate = VK_TRUE, .primitiveFragmentShadingRate = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features indices = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = (void *)&rates,
    .shaderOutputViewportIndex = VK_TRUE, .shaderOutputLayer = VK_TRUE};
static const VkPhysicalDeviceFeatures2 viewports = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = (void *)&indices,
    .features = {.multiViewport = VK_TRUE, .geometryShader = VK_TRUE}};
static void have_two_viewports(struct graphics_pipeline *p)
{
    static const VkViewport two[2] = {{.width = 4, .height = 4, .maxDepth = 1},
                                      {.width = 4, .height = 4, .maxDepth = 1}};
    static const VkRect2D scissors[2] = {{.extent = {4, 4}}, {.extent = {4, 4}}};
    p->viewport_state.viewportCount = p->viewport_state.scissorCount = 2;
    p->viewport_state.pViewports = two;
    p->viewport_state.pScissors = scissors;
}
#define RATES(can_)                                                                        \
    .extensions = {"VK_KHR_fragment_shading_rate", "VK_NV_viewport_array2"},               \
    .features = &viewports,                                                                \
    .null_driver = "{\"properties\": {\"primitiveFragmentShadingRateWithMultipleViewports" \
                   "\": " #can_ "}}"
#define RATE_ID(number_) GRAPHICS("primitiveFragmentShadingRateWithMultipleViewports-" #number_)
#define VERTEX(vertex_)  USES(.vertex = CODE(vertex_), .fragment = CODE(fragment))
PIPELINE(rate_of_one_viewport, VERTEX(vertex_rate), NULL, RATES(false))
PIPELINE(rate_of_two_viewports, VERTEX(vertex_rate), have_two_viewports, RATES(false),
         RATE_ID(04503))
PIPELINE(rate_of_two_viewports_supported, VERTEX(vertex_rate), have_two_viewports, RATES(true))
PIPELINE(no_rate_of_two_viewports, VERTEX(vertex), have_two_viewports, RATES(false))
PIPELINE(rate_and_index, VERTEX(vertex_rate_index), NULL, RATES(false), RATE_ID(04504))
PIPELINE(rate_and_index_supported, VERTEX(vertex_rate_index), NULL, RATES(true))
PIPELINE(rate_and_mask, VERTEX(vertex_rate_mask), NULL, RATES(false), RATE_ID(04505))
PIPELINE(mask_and_index, VERTEX(vertex_mask_index), NULL, RATES(true),
         .expect = {"VUID-StandaloneSpirv-ViewportMaskNV-04674"})

static const VkPhysicalDeviceTransformFeedbackFeaturesEXT streams = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .pNext = (void *)&stages_and_points, .transformFeedback = VK_TRUE, .geometryStreams = VK_TRUE};
static void rasterize_stream_1(struct graphics_pipeline *p)
{
    static const VkPipelineRasterizationStateStreamCreateInfoEXT stream = {
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT,
        .rasterizationStream = 1};
    p->rasterization.pNext = &stream;
}
#define STREAMS .extensions = {"VK_EXT_transform_feedback"}, .features = &streams
PIPELINE(stream_1, GEOMETRY(geometry_stream), rasterize_stream_1, STREAMS)
PIPELINE(stream_1_of_0, GEOMETRY(geometry_points_sized), rasterize_stream_1, STREAMS,
         GRAPHICS("rasterizationStream-02319"),
         .text = {"has the built-in Position in stream 0, but rasterizationStream is 1"})
PIPELINE(stream_0_of_1, GEOMETRY(geometry_stream), NULL, STREAMS,
         GRAPHICS("rasterizationStream-02320"))

/* --- the fragment shader ---------------------------------------------------------------------- */

static const VkPhysicalDeviceMaintenance4Features four = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES, .pNext = (void *)&stages_alone,
    .maintenance4 = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .pNext = (void *)&four,
    .meshShader = VK_TRUE};
#define MESHES .extensions = {"VK_EXT_mesh_shader"}, .features = &meshes
PIPELINE(primitive_of_mesh,
         USES(.mesh = CODE(mesh_primitive), .fragment = CODE(fragment_primitive)), NULL, MESHES)
PIPELINE(no_primitive_of_mesh, USES(.mesh = CODE(mesh), .fragment = CODE(fragment_primitive)), NULL,
         MESHES, GRAPHICS("PrimitiveId-06264"))
PIPELINE(colors_of_mesh, USES(.mesh = CODE(mesh_colors), .fragment = CODE(fragment_colors)), NULL,
         MESHES)
PIPELINE(colors_of_primitives_as_of_vertices,
         USES(.mesh = CODE(mesh_colors), .fragment = CODE(fragment_colors_of_vertices)), NULL,
         MESHES, .expect = {"VUID-RuntimeSpirv-OpVariable-08746"},
         .text = {"reads location 1 (tint) without the decoration PerPrimitiveEXT, but "
                  "VK_SHADER_STAGE_MESH_BIT_EXT writes it (tint) with it"})
PIPELINE(colors_of_vertices_as_of_primitives,
         USES(.mesh = CODE(mesh_colors), .fragment = CODE(fragment_colors_of_primitives)), NULL,
         MESHES, .expect = {"VUID-RuntimeSpirv-OpVariable-08746"},
         .text = {"reads location 0 (color) with the decoration PerPrimitiveEXT, but "
                  "VK_SHADER_STAGE_MESH_BIT_EXT writes it (color) without it"})

#define TILES                                                                                   \
    .extensions = {"VK_EXT_shader_tile_image", "VK_EXT_rasterization_order_attachment_access"}, \
    .features = &tiles
static const VkPhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT ordered = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_FEATURES_EXT,
    .rasterizationOrderDepthAttachmentAccess = VK_TRUE};
static const VkPhysicalDeviceShaderTileImageFeaturesEXT tile_images = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TILE_IMAGE_FEATURES_EXT, .pNext = (void *)&ordered,
    .shaderTileImageColorReadAccess = VK_TRUE, .shaderTileImageDepthReadAccess = VK_TRUE,
    .shaderTileImageStencilReadAccess = VK_TRUE};
static const VkPhysicalDeviceVulkan13Features dynamic_tiles = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = (void *)&tile_images,
    .dynamicRendering = VK_TRUE};
static const VkPhysicalDeviceFeatures2 tiles = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                .pNext = (void *)&dynamic_tiles,
                                                .features = {.sampleRateShading = VK_TRUE}};
static const VkPhysicalDeviceDynamicRenderingLocalReadFeatures local_read = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES,
    .pNext = (void *)&dynamic_tiles, .dynamicRenderingLocalRead = VK_TRUE};
#define LOCAL                                                                         \
    .extensions = {"VK_KHR_dynamic_rendering_local_read", "VK_EXT_shader_tile_image", \
                   "VK_EXT_rasterization_order_attachment_access"},                   \
    .features = &local_read
#define DEPTH(...) {VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO, ##__VA_ARGS__}
#define EARLY(fragment_, ...)                                                            \
    USES(.vertex = CODE(vertex), .fragment = CODE(fragment_), .dynamic_rendering = true, \
         .depth_stencil = DEPTH(__VA_ARGS__))
PIPELINE(early_depth_read, EARLY(fragment_depth, .depthTestEnable = VK_TRUE), NULL, TILES)
PIPELINE(early_depth_read_and_written,
         EARLY(fragment_depth, .depthTestEnable = VK_TRUE, .depthWriteEnable = VK_TRUE), NULL,
         TILES, GRAPHICS("pStages-08711"))
PIPELINE(early_depth_written,
         EARLY(fragment_early, .depthTestEnable = VK_TRUE, .depthWriteEnable = VK_TRUE), NULL,
         TILES)
PIPELINE(early_stencil_read, EARLY(fragment_stencil, .stencilTestEnable = VK_TRUE), NULL, TILES)
PIPELINE(early_stencil_read_and_written,
         EARLY(fragment_stencil, .stencilTestEnable = VK_TRUE, .back.writeMask = 0xff), NULL, TILES,
         GRAPHICS("pStages-08712"),
         .text = {"pDepthStencilState->back.writeMask is 0xff, but the fragment shader has the "
                  "execution mode EarlyFragmentTests and reads the stencil attachment"})
PIPELINE(
    early_ordered_depth,
    EARLY(
        fragment_early,
        .flags =
            VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT),
    NULL, LOCAL, GRAPHICS("flags-06591"))
PIPELINE(
    late_ordered_depth,
    EARLY(
        fragment,
        .flags =
            VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT),
    NULL, LOCAL)

static void shade_half(struct graphics_pipeline *p)
{
    p->multisample.sampleShadingEnable = VK_TRUE;
    p->multisample.minSampleShading = 0.5f;
}
static void shade_all(struct graphics_pipeline *p)
{
    p->multisample.sampleShadingEnable = VK_TRUE;
    p->multisample.minSampleShading = 1.0f;
}
PIPELINE(tile_read_of_all_samples, EARLY(fragment_depth, ), shade_all, TILES)
PIPELINE(tile_read_of_half_the_samples, EARLY(fragment_depth, ), shade_half, TILES,
         .expect = {"VUID-RuntimeSpirv-minSampleShading-08732"})
PIPELINE(half_the_samples, EARLY(fragment, ), shade_half, TILES)

static void cover_by_alpha(struct graphics_pipeline *p)
{
    p->multisample.alphaToCoverageEnable = VK_TRUE;
}
PIPELINE(alpha_to_coverage, PLAIN(TRIANGLE_LIST), cover_by_alpha)
PIPELINE(alpha_to_coverage_without_alpha,
         USES(.vertex = CODE(vertex), .fragment = CODE(fragment_rgb)), cover_by_alpha,
         GRAPHICS("alphaToCoverageEnable-08891"),
         .text = {"pMultisampleState->alphaToCoverageEnable is VK_TRUE, but the fragment shader "
                  "has no output for the alpha component of location 0"})
PIPELINE(no_alpha_to_coverage_without_alpha,
         USES(.vertex = CODE(vertex), .fragment = CODE(fragment_rgb)), NULL)

static void choose_locations(struct graphics_pipeline *p)
{
    static const VkSampleLocationEXT location = {0.5f, 0.5f};
    static const VkPipelineSampleLocationsStateCreateInfoEXT state = {
        VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT,
        .sampleLocationsEnable = VK_TRUE,
        .sampleLocationsInfo = {VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,
                                .sampleLocationsPerPixel = VK_SAMPLE_COUNT_1_BIT,
                                .sampleLocationGridSize = {1, 1}, .sampleLocationsCount = 1,
                                .pSampleLocations = &location}};
    p->multisample.pNext = &state;
}
static const VkPhysicalDeviceFeatures2 sample_rate = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                      .features = {.sampleRateShading = VK_TRUE}};
#define LOCATIONS          .extensions = {"VK_EXT_sample_locations"}, .features = &sample_rate
#define COLORED(fragment_) USES(.vertex = CODE(vertex_color), .fragment = CODE(fragment_))
PIPELINE(at_sample_without_locations, COLORED(fragment_at_sample), NULL, LOCATIONS)
PIPELINE(at_sample_with_locations, COLORED(fragment_at_sample), choose_locations, LOCATIONS,
         GRAPHICS("sampleLocationsEnable-01524"))
PIPELINE(locations, COLORED(fragment_color), choose_locations, LOCATIONS)

/* A library of the fragment shader alone */
static const VkPhysicalDeviceVulkan13Features dynamic_samples = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = (void *)&sample_rate,
    .dynamicRendering = VK_TRUE};
static const VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
    .pNext = (void *)&dynamic_samples, .graphicsPipelineLibrary = VK_TRUE};
static void be_fragment_library(struct graphics_pipeline *p)
{
    static const VkPipelineDepthStencilStateCreateInfo depth = {
        VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    static const VkGraphicsPipelineLibraryCreateInfoEXT library = {
        VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .flags = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT};
    p->info.pNext = &library;
    p->info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    p->info.pDepthStencilState = &depth;
    p->info.pMultisampleState = NULL;
}
#define LIBRARIES                                                                  \
    .extensions = {"VK_KHR_pipeline_library", "VK_EXT_graphics_pipeline_library"}, \
    .features = &libraries
PIPELINE(fragment_library_of_samples,
         USES(.fragment = CODE(fragment_sample), .dynamic_rendering = true), be_fragment_library,
         LIBRARIES, GRAPHICS("Input-06632"),
         .text = {"pMultisampleState is NULL, but the fragment shader has the input color, which "
                  "is decorated with Sample"})
PIPELINE(fragment_library, USES(.fragment = CODE(fragment_color), .dynamic_rendering = true),
         be_fragment_library, LIBRARIES)

/* Groups of shaders */
static const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesNV generated = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_NV,
    .pNext = (void *)&dynamic_samples, .deviceGeneratedCommands = VK_TRUE};
static const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesNV libraries_and_groups = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_NV,
    .pNext = (void *)&libraries, .deviceGeneratedCommands = VK_TRUE};
static VkGraphicsPipelineShaderGroupsCreateInfoNV groups;
static VkGraphicsShaderGroupCreateInfoNV group;
static void have_groups(struct graphics_pipeline *p, uint32_t count)
{
    group = (VkGraphicsShaderGroupCreateInfoNV){
        VK_STRUCTURE_TYPE_GRAPHICS_SHADER_GROUP_CREATE_INFO_NV, .stageCount = p->info.stageCount,
        .pStages = p->info.pStages, .pVertexInputState = p->info.pVertexInputState};
    groups = (VkGraphicsPipelineShaderGroupsCreateInfoNV){
        VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_SHADER_GROUPS_CREATE_INFO_NV, .groupCount = count,
        .pGroups = &group};
    p->info.pNext = &groups;
}
static void have_one_group(struct graphics_pipeline *p)
{
    have_groups(p, 1);
}
#define GROUPS(most_)                                                          \
    .extensions = {"VK_NV_device_generated_commands"}, .features = &generated, \
    .null_driver = "{\"properties\": {\"maxGraphicsShaderGroupCount\": " #most_ "}}"
PIPELINE(one_group, PLAIN(TRIANGLE_LIST), have_one_group, GROUPS(1))
static void have_groups_in_a_library(struct graphics_pipeline *p)
{
    be_fragment_library(p);
    const void *library = p->info.pNext;
    have_groups(p, 1);
    p->info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    groups.pNext = library;
}
PIPELINE(groups_of_a_library, USES(.fragment = CODE(fragment_color), .dynamic_rendering = true),
         have_groups_in_a_library, .features = &libraries_and_groups,
         .extensions = {"VK_NV_device_generated_commands", "VK_KHR_pipeline_library",
                        "VK_EXT_graphics_pipeline_library"},
         .null_driver = "{\"properties\": {\"maxGraphicsShaderGroupCount\": 1}}",
         GRAPHICS("libraryCount-06648"))

/* Subpasses */
PIPELINE(input_of_a_subpass, USES(.vertex = CODE(vertex), .fragment = CODE(fragment_input)), NULL)
PIPELINE(input_unused_in_the_subpass,
         USES(.vertex = CODE(vertex), .fragment = CODE(fragment_input), .unused_input = true), NULL,
         GRAPHICS("renderPass-06038"),
         .text = {"reads the input attachment before with the InputAttachmentIndex 1, which is "
                  "VK_ATTACHMENT_UNUSED in subpass 0"})
PIPELINE(unused_input_not_read,
         USES(.vertex = CODE(vertex), .fragment = CODE(fragment), .unused_input = true), NULL)
PIPELINE(input_of_more_than_colors,
         USES(.vertex = CODE(vertex), .fragment = CODE(fragment_input), .dynamic_rendering = true),
         NULL, LOCAL, GRAPHICS("renderPass-09652"))
static void give_indices(struct graphics_pipeline *p)
{
    static const uint32_t index = 1;
    static VkRenderingInputAttachmentIndexInfo info = {
        VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO, .colorAttachmentCount = 1,
        .pColorAttachmentInputIndices = &index};
    static VkPipelineRenderingCreateInfo rendering;
    rendering = *(const VkPipelineRenderingCreateInfo *)p->info.pNext;
    rendering.pNext = &info;
    p->info.pNext = &rendering;
}
PIPELINE(input_with_index,
         USES(.vertex = CODE(vertex), .fragment = CODE(fragment_input), .dynamic_rendering = true),
         give_indices, LOCAL)

static const VkPhysicalDeviceCustomResolveFeaturesEXT custom = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_RESOLVE_FEATURES_EXT, .pNext = (void *)&sample_rate,
    .customResolve = VK_TRUE};
#define CUSTOM .extensions = {"VK_EXT_custom_resolve"}, .features = &custom
#define REGION(fragment_)                                           \
    USES(.vertex = CODE(vertex_color), .fragment = CODE(fragment_), \
         .subpass_flags = VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_EXT)
PIPELINE(region, REGION(fragment_color), NULL, CUSTOM)
PIPELINE(region_of_samples, REGION(fragment_sample), NULL, CUSTOM,
         .expect = {"VUID-RuntimeSpirv-SampleRateShading-06378"})
PIPELINE(region_with_sample_shading, REGION(fragment_color), shade_all, CUSTOM,
         GRAPHICS("sampleShadingEnable-04900"))
PIPELINE(sample_shading_without_region, COLORED(fragment_color), shade_all, CUSTOM)
static void have_four_samples(struct graphics_pipeline *p)
{
    p->multisample.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
}
PIPELINE(region_of_other_samples, REGION(fragment_color), have_four_samples, CUSTOM,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-rasterizationSamples-04899",
                    "VUID-VkGraphicsPipelineCreateInfo-multisampledRenderToSingleSampled-06853"})
