/* Dynamic rendering (8.5): vkCmdBeginRendering, its attachments, its end, and how attachments are
 * mapped. */
#include "render/render_pass_builder.h"

/* A valid instance with one color attachment, to break in one place. */
struct rendering {
    VkCommandBuffer command_buffer;
    VkRenderingAttachmentInfo colors[9], depth, stencil;
    VkRenderingFragmentShadingRateAttachmentInfoKHR rate;
    VkRenderingFragmentDensityMapAttachmentInfoEXT map;
    VkMultisampledRenderToSingleSampledInfoEXT single;
    VkRenderingAttachmentFlagsInfoKHR flags;
    VkRect2D areas[1];
    VkDeviceGroupRenderPassBeginInfo group;
    VkRenderingInfo info;
};

static void rendering_fill(struct baseline *b, struct rendering *r)
{
    memset(r, 0, sizeof(*r));
    r->command_buffer = make_recording(b);
    for (unsigned i = 0; i < 9; i++)
        r->colors[i] = rendering_attachment(VK_NULL_HANDLE);
    r->colors[0].imageView = ATTACHMENT();
    r->depth = r->stencil = rendering_attachment(VK_NULL_HANDLE);
    r->depth.imageLayout = r->stencil.imageLayout =
        VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    r->rate = (VkRenderingFragmentShadingRateAttachmentInfoKHR){
        .sType = VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .shadingRateAttachmentTexelSize = {8, 8}};
    r->map = (VkRenderingFragmentDensityMapAttachmentInfoEXT){
        .sType = VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_INFO_EXT,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    r->single = (VkMultisampledRenderToSingleSampledInfoEXT){
        VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT, NULL, VK_TRUE,
        VK_SAMPLE_COUNT_4_BIT};
    r->flags.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_FLAGS_INFO_KHR;
    r->areas[0] = (VkRect2D){{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}};
    r->group = (VkDeviceGroupRenderPassBeginInfo){
        VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO, NULL, 1, 1, r->areas};
    r->info = rendering_info(r->colors);
    r->info.sType = VK_STRUCTURE_TYPE_RENDERING_INFO;
}

#define RENDERING_SCENARIO(name_, fields_, ...)                 \
    SCENARIO(name_, .features = &pass_features, UNWRAP fields_) \
    {                                                           \
        struct rendering rendering, *r = &rendering;            \
        rendering_fill(b, r);                                   \
        __VA_ARGS__;                                            \
        vkCmdBeginRendering(r->command_buffer, &r->info);       \
    }
#define WRONG(name_, id_, fields_, ...) \
    RENDERING_SCENARIO(name_, (.expect = {"VUID-" id_}, UNWRAP fields_), __VA_ARGS__)
#define RIGHT_RENDERING RENDERING_SCENARIO
#define NO_COLOR        r->info.colorAttachmentCount = 0
#define WITH_DEPTH_VIEW(...)                                                              \
    r->depth.imageView = ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT_S8_UINT, __VA_ARGS__); \
    r->info.pDepthAttachment = &r->depth
#define WITH_STENCIL_VIEW(...)                                                              \
    r->stencil.imageView = ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT_S8_UINT, __VA_ARGS__); \
    r->info.pStencilAttachment = &r->stencil
#define WITH_BOTH                              \
    WITH_DEPTH_VIEW();                         \
    r->stencil.imageView = r->depth.imageView; \
    r->info.pStencilAttachment = &r->stencil
/* Four samples resolved to one. */
#define RESOLVED(attachment_, mode_, format_)                                                \
    attachment_.imageView = ATTACHMENT(.samples = VK_SAMPLE_COUNT_4_BIT, .format = format_); \
    attachment_.resolveImageView = ATTACHMENT(.format = format_);                            \
    attachment_.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;                                \
    attachment_.resolveMode = VK_RESOLVE_MODE_##mode_##_BIT
#define RESOLVED_COLOR RESOLVED(r->colors[0], AVERAGE, COLOR_FORMAT)
#define RESOLVED_DEPTH                                             \
    NO_COLOR;                                                      \
    RESOLVED(r->depth, SAMPLE_ZERO, VK_FORMAT_D32_SFLOAT_S8_UINT); \
    r->info.pDepthAttachment = &r->depth
#define RESOLVED_STENCIL                                             \
    NO_COLOR;                                                        \
    RESOLVED(r->stencil, SAMPLE_ZERO, VK_FORMAT_D32_SFLOAT_S8_UINT); \
    r->info.pStencilAttachment = &r->stencil

RIGHT_RENDERING(rendering, ())
RIGHT_RENDERING(rendering_depth_stencil, (), WITH_BOTH)
RIGHT_RENDERING(rendering_resolve, (), RESOLVED_COLOR)
RIGHT_RENDERING(rendering_resolve_depth, (), RESOLVED_DEPTH)
RIGHT_RENDERING(rendering_nothing, (), NO_COLOR)
RIGHT_RENDERING(rendering_null_views, (), r->info.colorAttachmentCount = 3)

/* --- area, layers, flags --- */

WRONG(area_width_zero, "VkRenderingInfo-None-08994", (), r->info.renderArea.extent.width = 0)
WRONG(area_height_zero, "VkRenderingInfo-None-08995", (), r->info.renderArea.extent.height = 0)
WRONG(area_left, "VkRenderingInfo-pNext-06077", (), r->info.renderArea.offset.x = -1)
WRONG(area_above, "VkRenderingInfo-pNext-06078", (), r->info.renderArea.offset.y = -1)
WRONG(area_beyond_width, "VkRenderingInfo-pNext-07815", (), NO_COLOR;
      r->info.renderArea.extent.width = 1u << 30)
WRONG(area_beyond_height, "VkRenderingInfo-pNext-07816", (), NO_COLOR;
      r->info.renderArea.extent.height = 1u << 30)
WRONG(area_wider_than_view, "VkRenderingInfo-pNext-06079",
      (.text = {"pColorAttachments[0].imageView (VkImageView 0x", " of VkImage 0x",
                " texels wide, but the render area"}),
      r->info.renderArea.offset.x = 1)
WRONG(area_higher_than_view, "VkRenderingInfo-pNext-06080", (), r->info.renderArea.offset.y = 1)
WRONG(layers_beyond_color, "VkRenderingInfo-viewMask-10859", (), r->info.layerCount = 2)
WRONG(layers_beyond_depth, "VkRenderingInfo-viewMask-10860", (), NO_COLOR; WITH_DEPTH_VIEW();
      r->info.layerCount = 2)
WRONG(layers_beyond_stencil, "VkRenderingInfo-viewMask-10861", (), NO_COLOR; WITH_STENCIL_VIEW();
      r->info.layerCount = 2)
WRONG(views_beyond_color, "VkRenderingInfo-viewMask-12403", (), r->info.viewMask = 2)
WRONG(views_beyond_depth, "VkRenderingInfo-viewMask-12404", (), NO_COLOR; WITH_DEPTH_VIEW();
      r->info.viewMask = 2)
WRONG(views_beyond_stencil, "VkRenderingInfo-viewMask-12405", (), NO_COLOR; WITH_STENCIL_VIEW();
      r->info.viewMask = 2)
RIGHT_RENDERING(rendering_views, (), r->info.viewMask = 3;
                r->colors[0].imageView = ATTACHMENT(.layers = 2))
RIGHT_RENDERING(rendering_layers, (), r->info.layerCount = 2;
                r->colors[0].imageView = ATTACHMENT(.layers = 2))
WRONG(views_beyond_limit, "VkRenderingInfo-viewMask-06128",
      (.drivers = NULL_DRIVER, .null_driver = "{\"properties\": {\"maxMultiviewViewCount\": 6}}"),
      NO_COLOR;
      r->info.viewMask = 64)
WRONG(inline_and_secondaries, "VkRenderingInfo-flags-10012",
      (.drivers = NULL_DRIVER, .extensions = {VK_KHR_MAINTENANCE_7_EXTENSION_NAME}),
      r->info.flags = VK_RENDERING_CONTENTS_INLINE_BIT_KHR)
#define CUSTOM_EXTENSION \
    (.drivers = NULL_DRIVER, .extensions = {VK_EXT_CUSTOM_RESOLVE_EXTENSION_NAME})
static const VkPhysicalDeviceCustomResolveFeaturesEXT custom_resolve = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_RESOLVE_FEATURES_EXT,
    .pNext = (void *)&pass_features,
    .customResolve = VK_TRUE};
#define CUSTOM                                                                     \
    (.drivers = NULL_DRIVER, .extensions = {VK_EXT_CUSTOM_RESOLVE_EXTENSION_NAME}, \
     .features = &custom_resolve)
WRONG(custom_without_feature, "VkRenderingInfo-flags-11514", CUSTOM_EXTENSION,
      r->info.flags = VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT)
WRONG(custom_mode_without_flag, "VkRenderingInfo-pColorAttachments-11515", CUSTOM, RESOLVED_COLOR;
      r->colors[0].resolveMode = VK_RESOLVE_MODE_CUSTOM_BIT_EXT)
WRONG(custom_flag_without_mode, "VkRenderingInfo-flags-11516", CUSTOM, RESOLVED_COLOR;
      r->info.flags = VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT)
RIGHT_RENDERING(custom_rendering, CUSTOM, RESOLVED_COLOR;
                r->colors[0].resolveMode = VK_RESOLVE_MODE_CUSTOM_BIT_EXT;
                r->info.flags = VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT)

static VkCommandBuffer begin_secondary(struct baseline *b, VkCommandBufferUsageFlags usage,
                                       const void *next)
{
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = next};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = usage;
    begin.pInheritanceInfo = &inheritance;
    VK(vkBeginCommandBuffer(secondary, &begin));
    return secondary;
}
static VkCommandBuffer continue_rendering(struct baseline *b)
{
    static const VkFormat format = COLOR_FORMAT;
    VkCommandBufferInheritanceRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    return begin_secondary(b, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &info);
}
WRONG(secondary_with_secondaries, "vkCmdBeginRendering-commandBuffer-06068", (),
      r->command_buffer = begin_secondary(b, 0, NULL);
      r->info.flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT)
RIGHT_RENDERING(secondary_begins, (), r->command_buffer = begin_secondary(b, 0, NULL))

/* --- layouts --- */

#define COLOR_LAYOUT(name_, id_, layout_) \
    WRONG(name_, id_, (), r->colors[0].imageLayout = VK_IMAGE_LAYOUT_##layout_)
#define RESOLVE_LAYOUT(name_, id_, layout_) \
    WRONG(name_, id_, (), RESOLVED_COLOR;   \
          r->colors[0].resolveImageLayout = VK_IMAGE_LAYOUT_##layout_)
COLOR_LAYOUT(color_undefined, "VkRenderingAttachmentInfo-imageView-06135", UNDEFINED)
RESOLVE_LAYOUT(resolve_transfer, "VkRenderingAttachmentInfo-imageView-06136", TRANSFER_DST_OPTIMAL)
WRONG(resolve_depth_read_only, "VkRenderingAttachmentInfo-imageView-06137", (), RESOLVED_DEPTH;
      r->depth.resolveImageLayout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL)
#define NV_RATE (.drivers = NULL_DRIVER, .extensions = {VK_NV_SHADING_RATE_IMAGE_EXTENSION_NAME})
#define KHR_RATE \
    (.drivers = NULL_DRIVER, .extensions = {VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME})
#define DENSITY (.drivers = NULL_DRIVER, .extensions = {VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME})
WRONG(color_shading_rate_nv, "VkRenderingAttachmentInfo-imageView-06138", NV_RATE,
      r->colors[0].imageLayout = VK_IMAGE_LAYOUT_SHADING_RATE_OPTIMAL_NV)
WRONG(resolve_shading_rate_nv, "VkRenderingAttachmentInfo-imageView-06139", NV_RATE, RESOLVED_COLOR;
      r->colors[0].resolveImageLayout = VK_IMAGE_LAYOUT_SHADING_RATE_OPTIMAL_NV)
WRONG(color_shading_rate, "VkRenderingAttachmentInfo-imageView-06143", KHR_RATE,
      r->colors[0].imageLayout = VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR)
WRONG(resolve_shading_rate, "VkRenderingAttachmentInfo-imageView-06144", KHR_RATE, RESOLVED_COLOR;
      r->colors[0].resolveImageLayout =
          VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR)
WRONG(color_density_map, "VkRenderingAttachmentInfo-imageView-06140", DENSITY,
      r->colors[0].imageLayout = VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT)
WRONG(resolve_density_map, "VkRenderingAttachmentInfo-imageView-06141", DENSITY, RESOLVED_COLOR;
      r->colors[0].resolveImageLayout = VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT)
RESOLVE_LAYOUT(resolve_read_only, "VkRenderingAttachmentInfo-imageView-06142", READ_ONLY_OPTIMAL)
#define SWAPCHAIN                                    \
    .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}, \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME}
WRONG(color_present, "VkRenderingAttachmentInfo-imageView-06145", (SWAPCHAIN),
      r->colors[0].imageLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR)
WRONG(resolve_present, "VkRenderingAttachmentInfo-imageView-06146", (SWAPCHAIN), RESOLVED_COLOR;
      r->colors[0].resolveImageLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR)
COLOR_LAYOUT(color_depth_stencil, "VkRenderingInfo-colorAttachmentCount-06090",
             DEPTH_STENCIL_ATTACHMENT_OPTIMAL)
RESOLVE_LAYOUT(resolve_depth_stencil, "VkRenderingInfo-colorAttachmentCount-06091",
               DEPTH_STENCIL_ATTACHMENT_OPTIMAL)
COLOR_LAYOUT(color_mixed, "VkRenderingInfo-colorAttachmentCount-06096",
             DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL)
RESOLVE_LAYOUT(resolve_mixed, "VkRenderingInfo-colorAttachmentCount-06097",
               DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL)
COLOR_LAYOUT(color_depth, "VkRenderingInfo-colorAttachmentCount-06100", DEPTH_ATTACHMENT_OPTIMAL)
RESOLVE_LAYOUT(resolve_stencil, "VkRenderingInfo-colorAttachmentCount-06101",
               STENCIL_ATTACHMENT_OPTIMAL)
#define DEPTH_LAYOUT(name_, id_, layout_) \
    WRONG(name_, id_, (), WITH_DEPTH_VIEW(); r->depth.imageLayout = VK_IMAGE_LAYOUT_##layout_)
#define DEPTH_RESOLVE_LAYOUT(name_, id_, layout_) \
    WRONG(name_, id_, (), RESOLVED_DEPTH; r->depth.resolveImageLayout = VK_IMAGE_LAYOUT_##layout_)
#define STENCIL_LAYOUT(name_, id_, layout_) \
    WRONG(name_, id_, (), WITH_STENCIL_VIEW(); r->stencil.imageLayout = VK_IMAGE_LAYOUT_##layout_)
#define STENCIL_RESOLVE_LAYOUT(name_, id_, layout_) \
    WRONG(name_, id_, (), RESOLVED_STENCIL;         \
          r->stencil.resolveImageLayout = VK_IMAGE_LAYOUT_##layout_)
DEPTH_LAYOUT(depth_color, "VkRenderingInfo-pDepthAttachment-06092", COLOR_ATTACHMENT_OPTIMAL)
DEPTH_RESOLVE_LAYOUT(depth_resolve_color, "VkRenderingInfo-pDepthAttachment-06093",
                     COLOR_ATTACHMENT_OPTIMAL)
DEPTH_RESOLVE_LAYOUT(depth_resolve_mixed, "VkRenderingInfo-pDepthAttachment-06098",
                     DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL)
DEPTH_LAYOUT(depth_stencil, "VkRenderingInfo-pDepthAttachment-07732", STENCIL_ATTACHMENT_OPTIMAL)
DEPTH_RESOLVE_LAYOUT(depth_resolve_stencil, "VkRenderingInfo-pDepthAttachment-07733",
                     STENCIL_ATTACHMENT_OPTIMAL)
STENCIL_LAYOUT(stencil_color, "VkRenderingInfo-pStencilAttachment-06094", COLOR_ATTACHMENT_OPTIMAL)
STENCIL_RESOLVE_LAYOUT(stencil_resolve_color, "VkRenderingInfo-pStencilAttachment-06095",
                       COLOR_ATTACHMENT_OPTIMAL)
STENCIL_RESOLVE_LAYOUT(stencil_resolve_mixed, "VkRenderingInfo-pStencilAttachment-06099",
                       DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL)
STENCIL_LAYOUT(stencil_depth, "VkRenderingInfo-pStencilAttachment-07734", DEPTH_ATTACHMENT_OPTIMAL)
STENCIL_RESOLVE_LAYOUT(stencil_resolve_depth, "VkRenderingInfo-pStencilAttachment-07735",
                       DEPTH_ATTACHMENT_OPTIMAL)
DEPTH_LAYOUT(depth_read_only_stencil, "VkRenderingInfo-pDepthAttachment-07732",
             STENCIL_READ_ONLY_OPTIMAL)
RIGHT_RENDERING(depth_read_only, (), WITH_DEPTH_VIEW();
                r->depth.imageLayout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
                r->depth.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD)

/* --- views --- */

WRONG(color_usage, "VkRenderingInfo-colorAttachmentCount-06087", (),
      r->colors[0].imageView = ATTACHMENT(.usage = VK_IMAGE_USAGE_SAMPLED_BIT))
WRONG(resolve_usage, "VkRenderingInfo-colorAttachmentCount-09476", (), RESOLVED_COLOR;
      r->colors[0].resolveImageView = ATTACHMENT(.usage = VK_IMAGE_USAGE_SAMPLED_BIT))
WRONG(depth_usage, "VkRenderingInfo-pDepthAttachment-06088", (),
      WITH_DEPTH_VIEW(.usage = VK_IMAGE_USAGE_SAMPLED_BIT))
WRONG(depth_resolve_usage, "VkRenderingInfo-pDepthAttachment-09477", (), RESOLVED_DEPTH;
      r->depth.resolveImageView = ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT_S8_UINT,
                                             .usage = VK_IMAGE_USAGE_SAMPLED_BIT))
WRONG(stencil_usage, "VkRenderingInfo-pStencilAttachment-06089", (),
      WITH_STENCIL_VIEW(.usage = VK_IMAGE_USAGE_SAMPLED_BIT))
WRONG(stencil_resolve_usage, "VkRenderingInfo-pStencilAttachment-09478", (), RESOLVED_STENCIL;
      r->stencil.resolveImageView = ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT_S8_UINT,
                                               .usage = VK_IMAGE_USAGE_SAMPLED_BIT))
WRONG(depth_of_stencil, "VkRenderingInfo-pDepthAttachment-06547", (), NO_COLOR;
      r->info.pDepthAttachment = &r->depth;
      r->depth.imageView = ATTACHMENT(.format = VK_FORMAT_S8_UINT))
WRONG(stencil_of_depth, "VkRenderingInfo-pStencilAttachment-06548", (), NO_COLOR;
      r->info.pStencilAttachment = &r->stencil;
      r->stencil.imageView = ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT))
#define SWIZZLED       .red = VK_COMPONENT_SWIZZLE_ONE
#define SWIZZLED_DEPTH ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT_S8_UINT, SWIZZLED)
WRONG(color_swizzle, "VkRenderingInfo-colorAttachmentCount-09479", (),
      r->colors[0].imageView = ATTACHMENT(SWIZZLED))
WRONG(resolve_swizzle, "VkRenderingInfo-colorAttachmentCount-09480", (), RESOLVED_COLOR;
      r->colors[0].resolveImageView = ATTACHMENT(SWIZZLED))
WRONG(depth_swizzle, "VkRenderingInfo-pDepthAttachment-09481", (), WITH_DEPTH_VIEW(SWIZZLED))
WRONG(depth_resolve_swizzle, "VkRenderingInfo-pDepthAttachment-09482", (), RESOLVED_DEPTH;
      r->depth.resolveImageView = SWIZZLED_DEPTH)
WRONG(stencil_swizzle, "VkRenderingInfo-pStencilAttachment-09483", (), WITH_STENCIL_VIEW(SWIZZLED))
WRONG(stencil_resolve_swizzle, "VkRenderingInfo-pStencilAttachment-09484", (), RESOLVED_STENCIL;
      r->stencil.resolveImageView = SWIZZLED_DEPTH)
RIGHT_RENDERING(swizzle_in_place, (),
                r->colors[0].imageView = ATTACHMENT(.red = VK_COMPONENT_SWIZZLE_R))
WRONG(color_3d, "VkRenderingAttachmentInfo-imageView-12470", (),
      r->colors[0].imageView = ATTACHMENT(.three_dimensional = true))
WRONG(resolve_3d, "VkRenderingAttachmentInfo-resolveImageView-12471", (), RESOLVED_COLOR;
      r->colors[0].resolveImageView = ATTACHMENT(.three_dimensional = true))
WRONG(color_levels, "VkRenderingAttachmentInfo-imageView-12486", (),
      r->colors[0].imageView = ATTACHMENT(.levels = 2))
WRONG(resolve_levels, "VkRenderingAttachmentInfo-resolveImageView-12487", (), RESOLVED_COLOR;
      r->colors[0].resolveImageView = ATTACHMENT(.levels = 2))

/* --- samples and resolves --- */

WRONG(samples_of_colors, "VkRenderingInfo-imageView-09429",
      (.text = {"pColorAttachments[1].imageView has VK_SAMPLE_COUNT_4_BIT, but that of "
                "pColorAttachments[0] has VK_SAMPLE_COUNT_1_BIT"}),
      r->info.colorAttachmentCount = 2;
      r->colors[1].imageView = ATTACHMENT(.samples = VK_SAMPLE_COUNT_4_BIT))
WRONG(samples_of_depth, "VkRenderingInfo-multisampledRenderToSingleSampled-06857",
      (.text = {"pDepthAttachment->imageView has VK_SAMPLE_COUNT_4_BIT, but that of "
                "pColorAttachments[0] has"}),
      WITH_DEPTH_VIEW(.samples = VK_SAMPLE_COUNT_4_BIT))
RIGHT_RENDERING(samples_mixed,
                (.drivers = NULL_DRIVER,
                 .extensions = {VK_AMD_MIXED_ATTACHMENT_SAMPLES_EXTENSION_NAME}),
                WITH_DEPTH_VIEW(.samples = VK_SAMPLE_COUNT_4_BIT))
WRONG(resolve_mode_of_float, "VkRenderingAttachmentInfo-imageView-06129", (), RESOLVED_COLOR;
      r->colors[0].resolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT)
WRONG(resolve_mode_of_integer, "VkRenderingAttachmentInfo-imageView-06130", (),
      RESOLVED(r->colors[0], AVERAGE, VK_FORMAT_R8G8B8A8_UINT))
RIGHT_RENDERING(resolve_integer, (), RESOLVED(r->colors[0], SAMPLE_ZERO, VK_FORMAT_R8G8B8A8_UINT))
WRONG(resolve_one_sample, "VkRenderingAttachmentInfo-imageView-06861", (), RESOLVED_COLOR;
      r->colors[0].imageView = ATTACHMENT())
WRONG(resolve_to_nothing, "VkRenderingAttachmentInfo-imageView-06862", (), RESOLVED_COLOR;
      r->colors[0].resolveImageView = VK_NULL_HANDLE)
WRONG(resolve_to_samples, "VkRenderingAttachmentInfo-imageView-06864", (), RESOLVED_COLOR;
      r->colors[0].resolveImageView = ATTACHMENT(.samples = VK_SAMPLE_COUNT_4_BIT))
WRONG(resolve_to_format, "VkRenderingAttachmentInfo-imageView-06865",
      (.text = {"resolveImageView (VkImageView 0x", ", but imageView (VkImageView 0x",
                ") has VK_FORMAT_"}),
      RESOLVED_COLOR;
      r->colors[0].resolveImageView = ATTACHMENT(.format = VK_FORMAT_B8G8R8A8_UNORM))
#define RESOLVE_MODES(depth_, stencil_, none_, independent_)                                 \
    (.drivers = NULL_DRIVER, .null_driver =                                                  \
                                 "{\"properties\": {\"supportedDepthResolveModes\": " depth_ \
                                 ", \"supportedStencilResolveModes\": " stencil_             \
                                 ", \"independentResolveNone\": " none_                      \
                                 ", \"independentResolve\": " independent_ "}}")
WRONG(depth_resolve_mode, "VkRenderingInfo-pDepthAttachment-06102",
      RESOLVE_MODES("1", "3", "true", "true"), RESOLVED_DEPTH;
      r->depth.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT)
WRONG(stencil_resolve_mode, "VkRenderingInfo-pStencilAttachment-06103",
      RESOLVE_MODES("3", "1", "true", "true"), RESOLVED_STENCIL;
      r->stencil.resolveMode = VK_RESOLVE_MODE_MIN_BIT)
#define RESOLVED_BOTH      \
    RESOLVED_DEPTH;        \
    r->stencil = r->depth; \
    r->info.pStencilAttachment = &r->stencil
WRONG(resolve_none_of_both, "VkRenderingInfo-pDepthAttachment-06104",
      RESOLVE_MODES("3", "3", "false", "false"), RESOLVED_BOTH;
      r->stencil.resolveMode = VK_RESOLVE_MODE_NONE)
WRONG(resolve_modes_differ, "VkRenderingInfo-pDepthAttachment-06105",
      RESOLVE_MODES("15", "15", "true", "false"), RESOLVED_BOTH;
      r->stencil.resolveMode = VK_RESOLVE_MODE_MIN_BIT)
RIGHT_RENDERING(resolve_both, RESOLVE_MODES("15", "15", "true", "false"), RESOLVED_BOTH)
WRONG(two_depth_stencil_views, "VkRenderingInfo-pDepthAttachment-06085", (), WITH_DEPTH_VIEW();
      WITH_STENCIL_VIEW())
WRONG(two_depth_stencil_resolves, "VkRenderingInfo-pDepthAttachment-06086", (), RESOLVED_BOTH;
      r->stencil.resolveImageView = ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT_S8_UINT))

static const VkPhysicalDeviceMultisampledRenderToSingleSampledFeaturesEXT single_sampled = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_FEATURES_EXT,
    .pNext = (void *)&pass_features,
    .multisampledRenderToSingleSampled = VK_TRUE};
#define SINGLE                                                                    \
    (.drivers = NULL_DRIVER,                                                      \
     .extensions = {VK_EXT_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_EXTENSION_NAME}, \
     .features = &single_sampled)
#define SINGLE_VIEW \
    ATTACHMENT(.flags = VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT)
#define WITH_SINGLE                                          \
    r->info.pNext = &r->single;                              \
    r->colors[0].storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE; \
    r->colors[0].imageView = SINGLE_VIEW
RIGHT_RENDERING(single_sampled_rendering, SINGLE, WITH_SINGLE)
WRONG(single_sampled_one, "VkMultisampledRenderToSingleSampledInfoEXT-rasterizationSamples-06878",
      SINGLE, WITH_SINGLE;
      r->single.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT)
WRONG(single_sampled_other, "VkRenderingInfo-imageView-06858", SINGLE, WITH_SINGLE;
      r->colors[0].imageView = ATTACHMENT(.samples = VK_SAMPLE_COUNT_2_BIT))
WRONG(single_sampled_image, "VkRenderingInfo-imageView-06859", SINGLE, WITH_SINGLE;
      r->colors[0].imageView = ATTACHMENT())
WRONG(single_sampled_resolve, "VkRenderingAttachmentInfo-imageView-06863", SINGLE, WITH_SINGLE;
      r->colors[0].resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
      r->colors[0].resolveImageView = ATTACHMENT();
      r->colors[0].resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL)
WRONG(single_sampled_stored, "VkRenderingAttachmentInfo-None-12256", SINGLE, WITH_SINGLE;
      r->colors[0].storeOp = VK_ATTACHMENT_STORE_OP_STORE)

/* --- flags of attachments --- */

static const VkPhysicalDeviceMaintenance10FeaturesKHR maintenance10 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_10_FEATURES_KHR,
    .pNext = (void *)&pass_features,
    .maintenance10 = VK_TRUE};
static const VkPhysicalDeviceDynamicRenderingLocalReadFeatures local_read = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES,
    .pNext = (void *)&maintenance10,
    .dynamicRenderingLocalRead = VK_TRUE};
#define MAINTENANCE10_WITH(features_, control_)                          \
    (.drivers = NULL_DRIVER, .features = features_,                      \
     .extensions = {VK_KHR_MAINTENANCE_10_EXTENSION_NAME,                \
                    VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME}, \
     .null_driver =                                                      \
         "{\"properties\": {\"resolveSrgbFormatSupportsTransferFunctionControl\": " control_ "}}")
#define MAINTENANCE10 MAINTENANCE10_WITH(&local_read, "true")
#define FLAGS(flags_)                                         \
    RESOLVED(r->colors[0], AVERAGE, VK_FORMAT_R8G8B8A8_SRGB); \
    r->colors[0].pNext = &r->flags;                           \
    r->flags.flags = (flags_)
#define SKIP_TRANSFER   VK_RENDERING_ATTACHMENT_RESOLVE_SKIP_TRANSFER_FUNCTION_BIT_KHR
#define ENABLE_TRANSFER VK_RENDERING_ATTACHMENT_RESOLVE_ENABLE_TRANSFER_FUNCTION_BIT_KHR
RIGHT_RENDERING(flags_of_resolve, MAINTENANCE10, FLAGS(SKIP_TRANSFER))
WRONG(flags_skip_and_enable, "VkRenderingAttachmentFlagsInfoKHR-flags-11756", MAINTENANCE10,
      FLAGS(SKIP_TRANSFER | ENABLE_TRANSFER))
WRONG(flags_no_control, "VkRenderingAttachmentFlagsInfoKHR-flags-11757",
      MAINTENANCE10_WITH(&local_read, "false"), FLAGS(SKIP_TRANSFER))
WRONG(flags_of_unorm, "VkRenderingAttachmentInfo-pNext-11752", MAINTENANCE10,
      FLAGS(ENABLE_TRANSFER);
      RESOLVED_COLOR)
WRONG(flags_without_resolve, "VkRenderingAttachmentInfo-pNext-11753", MAINTENANCE10,
      FLAGS(ENABLE_TRANSFER);
      r->colors[0].resolveMode = VK_RESOLVE_MODE_NONE)
#define FEEDBACK                                                                       \
    r->colors[0].pNext = &r->flags;                                                    \
    r->flags.flags = VK_RENDERING_ATTACHMENT_INPUT_ATTACHMENT_FEEDBACK_BIT_KHR;        \
    r->info.flags = VK_RENDERING_LOCAL_READ_CONCURRENT_ACCESS_CONTROL_BIT_KHR;         \
    r->colors[0].imageView = ATTACHMENT(.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | \
                                                 VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT)
RIGHT_RENDERING(feedback, MAINTENANCE10, FEEDBACK)
WRONG(feedback_without_flag, "vkCmdBeginRendering-pRenderingInfo-11751", MAINTENANCE10, FEEDBACK;
      r->info.flags = 0)
WRONG(feedback_usage, "VkRenderingAttachmentInfo-pNext-11754", MAINTENANCE10, FEEDBACK;
      r->colors[0].imageView = ATTACHMENT())
WRONG(feedback_without_local_read, "VkRenderingAttachmentFlagsInfoKHR-flags-11755",
      MAINTENANCE10_WITH(&maintenance10, "true"), FEEDBACK)

/* --- device groups --- */

#define WITH_GROUP r->info.pNext = &r->group
RIGHT_RENDERING(device_group, (), WITH_GROUP)
WRONG(group_area_left, "VkDeviceGroupRenderPassBeginInfo-offset-06166", (), WITH_GROUP;
      r->areas[0].offset.x = -1)
WRONG(group_area_above, "VkDeviceGroupRenderPassBeginInfo-offset-06167", (), WITH_GROUP;
      r->areas[0].offset.y = -1)
WRONG(group_area_wide, "VkDeviceGroupRenderPassBeginInfo-offset-06168", (), WITH_GROUP; NO_COLOR;
      r->areas[0].extent.width = 1u << 30)
WRONG(group_area_high, "VkDeviceGroupRenderPassBeginInfo-offset-06169", (), WITH_GROUP; NO_COLOR;
      r->areas[0].extent.height = 1u << 30)
WRONG(group_area_no_width, "VkDeviceGroupRenderPassBeginInfo-extent-08998", (), WITH_GROUP;
      r->areas[0].extent.width = 0)
WRONG(group_area_no_height, "VkDeviceGroupRenderPassBeginInfo-extent-08999", (), WITH_GROUP;
      r->areas[0].extent.height = 0)
WRONG(group_area_wider_than_view, "VkRenderingInfo-pNext-06083", (), WITH_GROUP;
      r->areas[0].offset.x = 1)
WRONG(group_area_higher_than_view, "VkRenderingInfo-pNext-06084", (), WITH_GROUP;
      r->areas[0].offset.y = 1)

/* --- layouts that earlier commands leave --- */

static void leave_in(struct baseline *b, struct rendering *r, VkImageUsageFlags usage,
                     VkFormat format, VkImageAspectFlags aspects, VkRenderingAttachmentInfo *info,
                     VkImageLayout layout)
{
    VkImageCreateInfo image = image_info(usage);
    image.format = format;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    view.format = format;
    view.subresourceRange.aspectMask = aspects;
    VkImageMemoryBarrier barrier = image_barrier(view.image, VK_IMAGE_LAYOUT_UNDEFINED, layout);
    barrier.subresourceRange.aspectMask = aspects;
    vkCmdPipelineBarrier(r->command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    info->imageView = create_image_view(b, &view);
}
#define LEFT_COLOR(layout_)                                                                      \
    leave_in(b, r, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, COLOR_FORMAT, VK_IMAGE_ASPECT_COLOR_BIT, \
             &r->colors[0], VK_IMAGE_LAYOUT_##layout_)
#define LEFT_DEPTH(info_, layout_)                                                            \
    leave_in(b, r, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_FORMAT_D32_SFLOAT_S8_UINT, \
             VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, info_,                  \
             VK_IMAGE_LAYOUT_##layout_)
WRONG(color_left_in_general, "vkCmdBeginRendering-pRenderingInfo-09592",
      (.text = {"the commands before leave the image in VK_IMAGE_LAYOUT_GENERAL (imageView is "
                "VkImageView 0x"}),
      LEFT_COLOR(GENERAL))
RIGHT_RENDERING(color_left_in_its_layout, (), LEFT_COLOR(COLOR_ATTACHMENT_OPTIMAL))
WRONG(resolve_left_in_other_layout, "vkCmdBeginRendering-pRenderingInfo-09593", (), RESOLVED_COLOR;
      VkImageView multisampled = r->colors[0].imageView; LEFT_COLOR(COLOR_ATTACHMENT_OPTIMAL);
      r->colors[0].resolveImageView = r->colors[0].imageView; r->colors[0].imageView = multisampled)
WRONG(depth_left_in_general, "vkCmdBeginRendering-pRenderingInfo-09588", (),
      LEFT_DEPTH(&r->depth, GENERAL);
      r->info.pDepthAttachment = &r->depth)
WRONG(stencil_left_in_general, "vkCmdBeginRendering-pRenderingInfo-09590", (),
      LEFT_DEPTH(&r->stencil, GENERAL);
      r->info.pStencilAttachment = &r->stencil)
#define LEFT_RESOLVE(info_)                               \
    VkImageView multisampled = info_.imageView;           \
    LEFT_DEPTH(&info_, DEPTH_STENCIL_ATTACHMENT_OPTIMAL); \
    info_.resolveImageView = info_.imageView;             \
    info_.imageView = multisampled
WRONG(depth_resolve_left, "vkCmdBeginRendering-pRenderingInfo-09589", (), RESOLVED_DEPTH;
      LEFT_RESOLVE(r->depth))
WRONG(stencil_resolve_left, "vkCmdBeginRendering-pRenderingInfo-09591", (), RESOLVED_STENCIL;
      LEFT_RESOLVE(r->stencil))

/* --- the end, and what maps attachments --- */

SCENARIO(end_rendering_of_render_pass, .expect = {"VUID-vkCmdEndRendering-None-06161"},
         .features = &pass_features)
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdEndRendering(command_buffer);
}
SCENARIO(end_rendering_of_primary, .expect = {"VUID-vkCmdEndRendering-commandBuffer-06162"},
         .features = &pass_features)
{
    vkCmdEndRendering(continue_rendering(b));
}
RENDERING_SCENARIO(end_rendering, (), vkCmdBeginRendering(r->command_buffer, &r->info);
                   vkCmdEndRendering(r->command_buffer))

#define END_SCENARIO(name_, id_, ...)                                                          \
    SCENARIO(name_, .expect = {"VUID-vkCmdEndRendering2KHR-" id_}, .drivers = NULL_DRIVER,     \
             .extensions = {VK_KHR_MAINTENANCE_10_EXTENSION_NAME}, .features = &maintenance10) \
    {                                                                                          \
        VkRenderingEndInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RENDERING_END_INFO_KHR};      \
        VkCommandBuffer command_buffer = VK_NULL_HANDLE;                                       \
        __VA_ARGS__;                                                                           \
        DEVICE_PROC(b, vkCmdEndRendering2KHR)(command_buffer, &info);                          \
    }
END_SCENARIO(end_rendering2_of_render_pass, "None-10610", command_buffer = make_recording(b);
             begin_rendering(b, command_buffer))
END_SCENARIO(end_rendering2_of_primary, "commandBuffer-10611",
             command_buffer = continue_rendering(b))

#define LOCAL_READ                                                       \
    (.drivers = NULL_DRIVER,                                             \
     .extensions = {VK_KHR_MAINTENANCE_10_EXTENSION_NAME,                \
                    VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME}, \
     .features = &local_read)
#define NO_LOCAL_READ \
    (.drivers = NULL_DRIVER, .extensions = {VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME})
#define LOCATIONS(name_, ids_, fields_, ...)                                               \
    SCENARIO(name_, .expect = {UNWRAP ids_}, .features = &pass_features, UNWRAP fields_)   \
    {                                                                                      \
        struct rendering rendering, *r = &rendering;                                       \
        rendering_fill(b, r);                                                              \
        r->info.colorAttachmentCount = 2;                                                  \
        uint32_t locations[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};                               \
        VkRenderingAttachmentLocationInfo info = {                                         \
            VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO, NULL, 2, locations};     \
        vkCmdBeginRendering(r->command_buffer, &r->info);                                  \
        __VA_ARGS__;                                                                       \
        DEVICE_PROC(b, vkCmdSetRenderingAttachmentLocationsKHR)(r->command_buffer, &info); \
    }
#define LOCATION_ID(id_) ("VUID-VkRenderingAttachmentLocationInfo-" id_)
LOCATIONS(locations, (), LOCAL_READ, locations[1] = VK_ATTACHMENT_UNUSED)
LOCATIONS(locations_without_feature,
          ("VUID-vkCmdSetRenderingAttachmentLocations-dynamicRenderingLocalRead-09509"),
          NO_LOCAL_READ)
LOCATIONS(locations_count, ("VUID-vkCmdSetRenderingAttachmentLocations-pLocationInfo-09510"),
          LOCAL_READ, info.colorAttachmentCount = 1)
LOCATIONS(locations_of_primary, ("VUID-vkCmdSetRenderingAttachmentLocations-commandBuffer-09511"),
          LOCAL_READ, r->command_buffer = continue_rendering(b))
/* One mistake: what follows from it is not reported as well. */
LOCATIONS(locations_swapped_without_feature,
          ("VUID-vkCmdSetRenderingAttachmentLocations-dynamicRenderingLocalRead-09509"),
          NO_LOCAL_READ, locations[0] = 1;
          locations[1] = 0)
LOCATIONS(locations_twice, LOCATION_ID("pColorAttachmentLocations-09513"), LOCAL_READ,
          locations[1] = 0)
LOCATIONS(locations_beyond_limit, LOCATION_ID("pColorAttachmentLocations-09515"), LOCAL_READ,
          locations[1] = 8)

#define INDICES(name_, ids_, fields_, ...)                                                    \
    SCENARIO(name_, .expect = {UNWRAP ids_}, .features = &pass_features, UNWRAP fields_)      \
    {                                                                                         \
        struct rendering rendering, *r = &rendering;                                          \
        rendering_fill(b, r);                                                                 \
        r->info.colorAttachmentCount = 2;                                                     \
        uint32_t indices[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, depth = VK_ATTACHMENT_UNUSED,      \
                 stencil = VK_ATTACHMENT_UNUSED;                                              \
        VkRenderingInputAttachmentIndexInfo info = {                                          \
            VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO,                          \
            NULL,                                                                             \
            2,                                                                                \
            indices,                                                                          \
            &depth,                                                                           \
            &stencil};                                                                        \
        vkCmdBeginRendering(r->command_buffer, &r->info);                                     \
        __VA_ARGS__;                                                                          \
        DEVICE_PROC(b, vkCmdSetRenderingInputAttachmentIndicesKHR)(r->command_buffer, &info); \
    }
#define INDEX_ID(id_) ("VUID-VkRenderingInputAttachmentIndexInfo-" id_)

#define NO_FEATURE     "VUID-vkCmdSetRenderingInputAttachmentIndices-dynamicRenderingLocalRead-09516"
#define UNUSED_INDICES indices[0] = indices[1] = VK_ATTACHMENT_UNUSED
INDICES(indices, (), LOCAL_READ, depth = stencil = 7; info.pDepthInputAttachmentIndex = NULL)
INDICES(indices_without_feature, (NO_FEATURE), NO_LOCAL_READ, UNUSED_INDICES)
INDICES(indices_count,
        ("VUID-vkCmdSetRenderingInputAttachmentIndices-pInputAttachmentIndexInfo-09517"),
        LOCAL_READ, info.colorAttachmentCount = 1)
INDICES(indices_of_primary, ("VUID-vkCmdSetRenderingInputAttachmentIndices-commandBuffer-09518"),
        LOCAL_READ, r->command_buffer = continue_rendering(b))
INDICES(indices_used_without_feature, (NO_FEATURE), NO_LOCAL_READ)
INDICES(depth_index_without_feature, (NO_FEATURE), NO_LOCAL_READ, UNUSED_INDICES;
        info.pDepthInputAttachmentIndex = NULL)
INDICES(indices_twice, INDEX_ID("pColorAttachmentInputIndices-09522"), LOCAL_READ, indices[1] = 0)
INDICES(indices_of_depth, INDEX_ID("pColorAttachmentInputIndices-09523"), LOCAL_READ, depth = 1)
INDICES(indices_of_stencil, INDEX_ID("pColorAttachmentInputIndices-09524"), LOCAL_READ, stencil = 1)
INDICES(indices_beyond_limit, INDEX_ID("pDepthInputAttachmentIndex-12274"), LOCAL_READ,
        indices[1] = 1u << 30)
