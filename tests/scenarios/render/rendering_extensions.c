/* Extensions of dynamic rendering (8.5): fragment shading rate and density map attachments, tile
 * shading, layered density maps. */
#include "render/render_pass_builder.h"

/* A valid instance with one color attachment, a shading rate attachment and a density map. `chain`
 * begins with what a scenario wants of them. */
struct rendering {
    VkCommandBuffer command_buffer;
    VkRenderingAttachmentInfo color;
    VkRenderingFragmentShadingRateAttachmentInfoKHR rate;
    VkRenderingFragmentDensityMapAttachmentInfoEXT map;
    VkRenderPassTileShadingCreateInfoQCOM tiles;
    VkRect2D areas[1];
    VkDeviceGroupRenderPassBeginInfo group;
    VkRenderingInfo info;
};

static void fill_rendering(struct baseline *b, struct rendering *r)
{
    memset(r, 0, sizeof(*r));
    r->command_buffer = make_recording(b);
    r->color = rendering_attachment(ATTACHMENT());
    r->rate = (VkRenderingFragmentShadingRateAttachmentInfoKHR){
        .sType = VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .shadingRateAttachmentTexelSize = {8, 8}};
    r->map = (VkRenderingFragmentDensityMapAttachmentInfoEXT){
        .sType = VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_INFO_EXT,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    r->tiles = (VkRenderPassTileShadingCreateInfoQCOM){
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_TILE_SHADING_CREATE_INFO_QCOM,
        .tileApronSize = {0, 0}};
    r->areas[0] = (VkRect2D){{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}};
    r->group = (VkDeviceGroupRenderPassBeginInfo){
        .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO,
        .deviceMask = 1,
        .deviceRenderAreaCount = 1};
    r->group.pDeviceRenderAreas = r->areas;
    r->info = rendering_info(&r->color);
    r->info.sType = VK_STRUCTURE_TYPE_RENDERING_INFO;
}

#define RENDERING(name_, fields_, ...)                      \
    SCENARIO(name_, .drivers = NULL_DRIVER, UNWRAP fields_) \
    {                                                       \
        struct rendering rendering, *r = &rendering;        \
        fill_rendering(b, r);                               \
        __VA_ARGS__;                                        \
        vkCmdBeginRendering(r->command_buffer, &r->info);   \
    }
#define WITH(fields_, ...) (UNWRAP fields_, __VA_ARGS__)

/* --- fragment shading rate --- */

static const VkPhysicalDeviceFragmentShadingRateFeaturesKHR rate_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&pass_features,
    .attachmentFragmentShadingRate = VK_TRUE};
#define RATED \
    (.extensions = {VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME}, .features = &rate_features)
#define RATE_VIEW(...)                                                                             \
    r->rate.imageView =                                                                            \
        ATTACHMENT(.format = VK_FORMAT_R8_UINT,                                                    \
                   .usage = VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR, __VA_ARGS__); \
    r->info.pNext = &r->rate
#define RATE(name_, id_, ...)                                                                \
    RENDERING(name_,                                                                         \
              WITH(RATED,                                                                    \
                   .expect = {"VUID-VkRenderingFragmentShadingRateAttachmentInfoKHR-" id_}), \
              __VA_ARGS__)
#define RATE_INFO(name_, id_, ...) \
    RENDERING(name_, WITH(RATED, .expect = {"VUID-VkRenderingInfo-" id_}), __VA_ARGS__)
#define TEXELS r->rate.shadingRateAttachmentTexelSize

RENDERING(rate, RATED, RATE_VIEW())
RENDERING(rate_null, RATED, r->info.pNext = &r->rate; TEXELS = (VkExtent2D){3, 3})
RATE(rate_layout, "imageView-06147", RATE_VIEW();
     r->rate.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)
RATE(rate_width_odd, "imageView-06149", RATE_VIEW(); TEXELS.width = 9)
RATE(rate_height_odd, "imageView-06152", RATE_VIEW(); TEXELS.height = 9)
#define LIMITED(name_, id_, limits_, ...)                                                    \
    RENDERING(name_,                                                                         \
              WITH(RATED, .null_driver = "{\"properties\": {" limits_ "}}",                  \
                   .expect = {"VUID-VkRenderingFragmentShadingRateAttachmentInfoKHR-" id_}), \
              RATE_VIEW();                                                                   \
              __VA_ARGS__)
LIMITED(rate_wide, "imageView-06150", "\"maxFragmentShadingRateAttachmentTexelSize\": [8, 16]",
        TEXELS.width = 16)
LIMITED(rate_narrow, "imageView-06151", "\"minFragmentShadingRateAttachmentTexelSize\": [8, 1]",
        TEXELS = ((VkExtent2D){4, 8});
        r->rate.imageView = VK_NULL_HANDLE; RATE_VIEW())
LIMITED(rate_high, "imageView-06153", "\"maxFragmentShadingRateAttachmentTexelSize\": [16, 8]",
        TEXELS.height = 16)
LIMITED(rate_low, "imageView-06154", "\"minFragmentShadingRateAttachmentTexelSize\": [1, 8]",
        TEXELS = ((VkExtent2D){8, 4}))
LIMITED(rate_flat, "imageView-06155",
        "\"maxFragmentShadingRateAttachmentTexelSize\": [64, 64], "
        "\"maxFragmentShadingRateAttachmentTexelSizeAspectRatio\": 2",
        TEXELS = ((VkExtent2D){32, 8}))
LIMITED(rate_tall, "imageView-06156",
        "\"maxFragmentShadingRateAttachmentTexelSize\": [64, 64], "
        "\"maxFragmentShadingRateAttachmentTexelSizeAspectRatio\": 2",
        TEXELS = ((VkExtent2D){8, 32}))
RATE(rate_usage, "imageView-06148", r->rate.imageView = ATTACHMENT(.format = VK_FORMAT_R8_UINT);
     r->info.pNext = &r->rate)
RATE_INFO(rate_view_narrow, "pNext-06119", RATE_VIEW(.width = 7))
RATE_INFO(rate_view_low, "pNext-06121", RATE_VIEW(.height = 7))
RENDERING(rate_view_small, RATED, RATE_VIEW(.width = 8, .height = 8))
#define IN_GROUP(structure_)   \
    r->info.pNext = &r->group; \
    r->group.pNext = &(structure_)
RATE_INFO(rate_view_narrow_in_group, "pNext-06120", RATE_VIEW(.width = 7); IN_GROUP(r->rate))
RATE_INFO(rate_view_low_in_group, "pNext-06122", RATE_VIEW(.height = 7); IN_GROUP(r->rate))
RENDERING(rate_view_small_in_group, RATED, RATE_VIEW(.width = 8, .height = 8); IN_GROUP(r->rate))
RATE_INFO(rate_layers, "imageView-06123", RATE_VIEW(.layers = 2);
          r->color.imageView = ATTACHMENT(.layers = 3); r->info.layerCount = 3)
RENDERING(rate_layers_enough, RATED, RATE_VIEW(.layers = 3);
          r->color.imageView = ATTACHMENT(.layers = 3); r->info.layerCount = 3)
RATE_INFO(rate_views, "imageView-06124", RATE_VIEW(.layers = 2);
          r->color.imageView = ATTACHMENT(.layers = 3); r->info.viewMask = 4)
RENDERING(rate_view_of_one, RATED, RATE_VIEW(); r->color.imageView = ATTACHMENT(.layers = 3);
          r->info.viewMask = 4)
RATE_INFO(rate_swizzled, "imageView-09485", RATE_VIEW(.red = VK_COMPONENT_SWIZZLE_G))
#define RATE_AND_COLOR \
    VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
RENDERING(rate_is_color,
          WITH(RATED, .expect = {"VUID-VkRenderingInfo-imageView-06125"},
               .text = {"is a view of pColorAttachments[0], too"}),
          r->rate.imageView = r->color.imageView = ATTACHMENT(.format = VK_FORMAT_R8_UINT,
                                                              .usage = RATE_AND_COLOR);
          r->info.pNext = &r->rate; r->color.imageLayout = VK_IMAGE_LAYOUT_GENERAL)

/* --- fragment density maps --- */

static const VkPhysicalDeviceFragmentDensityMapFeaturesEXT subsampled_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&pass_features,
    .fragmentDensityMap = VK_TRUE};
static const VkPhysicalDeviceFragmentDensityMapFeaturesEXT density_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&pass_features,
    .fragmentDensityMap = VK_TRUE,
    .fragmentDensityMapNonSubsampledImages = VK_TRUE};
#define DENSITY \
    (.extensions = {VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME}, .features = &density_features)
#define DENSITY_ONLY \
    (.extensions = {VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME}, .features = &subsampled_features)
#define MAP_VIEW(...)                                                                  \
    r->map.imageView =                                                                 \
        ATTACHMENT(.format = VK_FORMAT_R8G8_UNORM,                                     \
                   .usage = VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT, __VA_ARGS__); \
    r->info.pNext = &r->map
#define MAP(name_, id_, ...)                                                                \
    RENDERING(name_,                                                                        \
              WITH(DENSITY,                                                                 \
                   .expect = {"VUID-VkRenderingFragmentDensityMapAttachmentInfoEXT-" id_}), \
              __VA_ARGS__)
#define MAP_INFO(name_, id_, ...) \
    RENDERING(name_, WITH(DENSITY, .expect = {"VUID-VkRenderingInfo-" id_}), __VA_ARGS__)

RENDERING(density, DENSITY, MAP_VIEW())
RENDERING(density_small, DENSITY, MAP_VIEW(.width = 2, .height = 2))
RENDERING(density_small_in_group, DENSITY, MAP_VIEW(.width = 2, .height = 2); IN_GROUP(r->map))
RENDERING(density_subsampled, DENSITY_ONLY, MAP_VIEW();
          r->color.imageView = ATTACHMENT(.flags = VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT))
RENDERING(density_not_subsampled,
          WITH(DENSITY_ONLY, .expect = {"VUID-VkRenderingInfo-imageView-06107"}), MAP_VIEW())
MAP(density_layout, "imageView-06157", MAP_VIEW();
    r->map.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)
MAP(density_usage, "imageView-06158", r->map.imageView = ATTACHMENT(.format = VK_FORMAT_R8G8_UNORM);
    r->info.pNext = &r->map)
MAP_INFO(density_narrow, "pNext-06112", MAP_VIEW(.width = 1))
MAP_INFO(density_low, "pNext-06114", MAP_VIEW(.height = 1))
MAP_INFO(density_narrow_in_group, "pNext-06113", MAP_VIEW(.width = 1); IN_GROUP(r->map))
MAP_INFO(density_low_in_group, "pNext-06115", MAP_VIEW(.height = 1); IN_GROUP(r->map))
MAP_INFO(density_views, "imageView-06108", MAP_VIEW(); r->color.imageView = ATTACHMENT(.layers = 2);
         r->info.viewMask = 2)
RENDERING(density_views_enough, DENSITY, MAP_VIEW(.layers = 2);
          r->color.imageView = ATTACHMENT(.layers = 2); r->info.viewMask = 2)
MAP_INFO(density_layers, "imageView-06109", MAP_VIEW(.layers = 2);
         r->color.imageView = ATTACHMENT(.layers = 2); r->info.layerCount = 2)
MAP_INFO(density_swizzled, "imageView-09486", MAP_VIEW(.red = VK_COMPONENT_SWIZZLE_G))
#define MAP_AND_COLOR \
    VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
RENDERING(density_is_color,
          WITH(DENSITY, .expect = {"VUID-VkRenderingInfo-imageView-06116"},
               .text = {"is a view of pColorAttachments[0], too"}),
          r->map.imageView = r->color.imageView = ATTACHMENT(.format = VK_FORMAT_R8G8_UNORM,
                                                             .usage = MAP_AND_COLOR);
          r->info.pNext = &r->map; r->color.imageLayout = VK_IMAGE_LAYOUT_GENERAL)

static const VkPhysicalDeviceFragmentDensityMapLayeredFeaturesVALVE layered_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_LAYERED_FEATURES_VALVE,
    .pNext = (void *)(uintptr_t)&density_features,
    .fragmentDensityMapLayered = VK_TRUE};
#define LAYERED_EXTENSIONS                                               \
    .extensions = {VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME,           \
                   VK_VALVE_FRAGMENT_DENSITY_MAP_LAYERED_EXTENSION_NAME, \
                   VK_KHR_MAINTENANCE_5_EXTENSION_NAME}
#define LAYERED   (LAYERED_EXTENSIONS, .features = &layered_features)
#define PER_LAYER r->info.flags = VK_RENDERING_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE
RENDERING(density_per_layer, LAYERED, MAP_VIEW(.layers = 2);
          r->color.imageView = ATTACHMENT(.layers = 2); r->info.layerCount = 2; PER_LAYER)

/* --- tile shading --- */

static const VkPhysicalDeviceTileShadingFeaturesQCOM tile_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TILE_SHADING_FEATURES_QCOM,
    .pNext = (void *)(uintptr_t)&density_features,
    .tileShading = VK_TRUE,
    .tileShadingPerTileDraw = VK_TRUE};
#define TILES                                                                                    \
    (.extensions = {VK_QCOM_TILE_SHADING_EXTENSION_NAME, VK_QCOM_TILE_PROPERTIES_EXTENSION_NAME, \
                    VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME},                                 \
     .features = &tile_features)
#define TILE_INFO(name_, id_, ...) \
    RENDERING(name_, WITH(TILES, .expect = {"VUID-VkRenderingInfo-" id_}), __VA_ARGS__)
#define ENABLED r->tiles.flags = VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM

static VkCommandBuffer begin_simultaneous(struct baseline *b)
{
    VkCommandBuffer command_buffer = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    return command_buffer;
}

RENDERING(tiles, TILES, r->info.pNext = &r->tiles; ENABLED)
TILE_INFO(tiles_and_density, "imageView-10643", MAP_VIEW(); r->map.pNext = &r->tiles; ENABLED)
RENDERING(tiles_simultaneous, WITH(TILES, .expect = {"VUID-vkCmdBeginRendering-flags-10641"}),
          r->info.pNext = &r->tiles;
          ENABLED; r->command_buffer = begin_simultaneous(b))
RENDERING(tiles_per_tile, WITH(TILES, .expect = {"VUID-vkCmdBeginRendering-flags-10642"}),
          r->info.pNext = &r->tiles;
          r->tiles.flags = VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM |
                           VK_TILE_SHADING_RENDER_PASS_PER_TILE_EXECUTION_BIT_QCOM)

/* --- both maps, maps of subsampled images --- */

static const VkPhysicalDeviceFragmentShadingRateFeaturesKHR rate_and_map_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&density_features,
    .attachmentFragmentShadingRate = VK_TRUE};
#define BOTH_MAPS                                               \
    .extensions = {VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME, \
                   VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME}, \
    .features = &rate_and_map_features
#define RATE_AND_MAP                                          \
    VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR | \
        VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT
#define CHAIN_BOTH            \
    r->info.pNext = &r->rate; \
    r->rate.pNext = &r->map
/* No device has both features: what made this one is reported, too. */
RENDERING(rate_is_map,
          (BOTH_MAPS, .proceed = true,
           .expect = {"VUID-VkRenderingInfo-imageView-06126",
                      "VUID-VkDeviceCreateInfo-fragmentDensityMap-04483"},
           .text = {"imageView is the fragment density map, too"}),
          r->rate.imageView = r->map.imageView = ATTACHMENT(.format = VK_FORMAT_R8_UINT,
                                                            .usage = RATE_AND_MAP);
          CHAIN_BOTH)
MAP(density_of_subsampled, "imageView-06159", MAP_VIEW(.flags = VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT))
