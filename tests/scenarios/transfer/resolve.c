/* Resolving multisampled images. */
#include "scenario.h"

#define SRC     (VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)
#define DST     (VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)
#define COLOR   VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH   VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT
#define D32S8   VK_FORMAT_D32_SFLOAT_S8_UINT

/* A valid resolve of a whole image; a scenario breaks one thing. */
struct resolve {
    VkImageCreateInfo source, target;
    /* UNDEFINED: no transition before */
    VkImageLayout source_layout, target_layout, source_before, target_before;
    VkImageResolve region;
    VkResolveImageModeInfoKHR mode;
    bool second_form, with_mode, unbound_source, unbound_target, protected_commands;
};

static struct resolve plain_resolve(struct baseline *b)
{
    struct resolve c = {.source = image_info(SRC),
                        .target = image_info(DST),
                        .source_layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                        .target_layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                        .region = {{COLOR, 0, 0, 1},
                                   {0, 0, 0},
                                   {COLOR, 0, 0, 1},
                                   {0, 0, 0},
                                   {IMAGE_EXTENT, IMAGE_EXTENT, 1}},
                        .mode = {.sType = VK_STRUCTURE_TYPE_RESOLVE_IMAGE_MODE_INFO_KHR,
                                 .resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT}};
    c.source.samples = VK_SAMPLE_COUNT_4_BIT;
    return c;
}

static void transition_resolved(VkCommandBuffer command_buffer, VkImage image, VkImageLayout layout)
{
    VkImageMemoryBarrier barrier = image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, layout);
    if (layout != VK_IMAGE_LAYOUT_UNDEFINED)
        vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void record_resolve(struct baseline *b, const struct resolve *c)
{
    VkImage source = c->unbound_source ? create_image(b, &c->source) : make_image_of(b, &c->source);
    VkImage target = c->unbound_target ? create_image(b, &c->target) : make_image_of(b, &c->target);
    VkCommandBuffer command_buffer =
        c->protected_commands ? make_protected_recording(b) : make_recording(b);
    transition_resolved(command_buffer, source, c->source_before);
    transition_resolved(command_buffer, target, c->target_before);
    if (!c->second_form) {
        vkCmdResolveImage(command_buffer, source, c->source_layout, target, c->target_layout, 1,
                          &c->region);
        return;
    }
    VkImageResolve2 region = {.sType = VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2,
                              .srcSubresource = c->region.srcSubresource,
                              .srcOffset = c->region.srcOffset,
                              .dstSubresource = c->region.dstSubresource,
                              .dstOffset = c->region.dstOffset,
                              .extent = c->region.extent};
    VkResolveImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2,
                                .pNext = c->with_mode ? &c->mode : NULL,
                                .srcImage = source,
                                .srcImageLayout = c->source_layout,
                                .dstImage = target,
                                .dstImageLayout = c->target_layout,
                                .regionCount = 1,
                                .pRegions = &region};
    vkCmdResolveImage2(command_buffer, &info);
}

/* A resolve with one mistake: the id, and what changes the valid one. */
#define RESOLVE_WITH(name_, change_, ...)    \
    SCENARIO(name_, __VA_ARGS__)             \
    {                                        \
        struct resolve c = plain_resolve(b); \
        change_;                             \
        record_resolve(b, &c);               \
    }
#define RESOLVE(name_, vuid_, change_) \
    RESOLVE_WITH(name_, change_, .expect = {"VUID-vkCmdResolveImage-" vuid_})
#define RESOLVE_NULL(name_, vuid_, change_)                                   \
    RESOLVE_WITH(name_, change_, .expect = {"VUID-vkCmdResolveImage-" vuid_}, \
                 .drivers = NULL_DRIVER)
#define RESOLVE_VALID(name_, change_) RESOLVE_WITH(name_, change_, .seconds = 0)
#define REGION                        c.region
#define SECOND                        c.second_form = true
#define NOTHING                       (void)0

RESOLVE_VALID(resolve_whole, NOTHING)
RESOLVE_VALID(resolve_whole_2, SECOND)
RESOLVE_VALID(resolve_corner, REGION.srcOffset = ((VkOffset3D){56, 56, 0});
              REGION.extent = ((VkExtent3D){8, 8, 1}))
RESOLVE(resolve_source_x, "srcOffset-00269", REGION.srcOffset.x = 1)
RESOLVE_WITH(resolve_source_x_2, REGION.srcOffset.x = 1;
             SECOND, .expect = {"VUID-VkResolveImageInfo2-srcOffset-00269"})
RESOLVE(resolve_source_y, "srcOffset-00270", REGION.srcOffset.y = -1)
RESOLVE(resolve_source_z, "srcImage-00273", REGION.srcOffset.z = 1)
RESOLVE(resolve_target_x, "dstOffset-00274", REGION.dstOffset.x = 1)
RESOLVE(resolve_target_y, "dstOffset-00275", REGION.dstOffset.y = 1)
RESOLVE(resolve_target_z, "dstImage-00278", REGION.dstOffset.z = 1)
RESOLVE_WITH(resolve_to_line, c.target.imageType = VK_IMAGE_TYPE_1D;
             c.target.extent.height = 1, .expect = {"VUID-vkCmdResolveImage-dstImage-00276"})
RESOLVE(resolve_to_slice_behind, "dstOffset-00277", c.target.imageType = VK_IMAGE_TYPE_3D;
        c.target.extent.depth = 4; REGION.dstOffset.z = 4)
RESOLVE_WITH(resolve_layers_to_3d, c.target.imageType = VK_IMAGE_TYPE_3D; c.target.extent.depth = 4;
             c.source.arrayLayers = 2; REGION.srcSubresource.layerCount = 2,
                                       .expect = {"VUID-vkCmdResolveImage-srcImage-04446"})
RESOLVE_WITH(resolve_layer_counts, c.source.arrayLayers = c.target.arrayLayers = 2;
             REGION.srcSubresource.layerCount = 2,
             .expect = {"VUID-VkImageResolve-layerCount-08803"})
RESOLVE_WITH(resolve_to_layer_of_3d, c.target.imageType = VK_IMAGE_TYPE_3D;
             c.target.extent.depth = 4; REGION.dstSubresource.baseArrayLayer = 1,
                                        .expect = {"VUID-vkCmdResolveImage-srcImage-04447"})
RESOLVE(resolve_source_mip, "srcSubresource-01709", REGION.srcSubresource.mipLevel = 1)
RESOLVE(resolve_target_mip, "dstSubresource-01710", REGION.dstSubresource.mipLevel = 1)
RESOLVE(resolve_source_layer, "srcSubresource-01711", REGION.srcSubresource.baseArrayLayer = 1)
RESOLVE(resolve_target_layer, "dstSubresource-01712", REGION.dstSubresource.baseArrayLayer = 1)

static const VkPhysicalDeviceMaintenance5Features maintenance5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .maintenance5 = VK_TRUE};
RESOLVE_WITH(resolve_remaining_layers, c.source.arrayLayers = c.target.arrayLayers = 3;
             REGION.srcSubresource.layerCount = VK_REMAINING_ARRAY_LAYERS;
             REGION.dstSubresource.layerCount = 2,
             .expect = {"VUID-VkImageResolve-layerCount-08804"},
             .extensions = {VK_KHR_MAINTENANCE_5_EXTENSION_NAME}, .features = &maintenance5)

RESOLVE(resolve_one_sample, "srcImage-00257", c.source.samples = VK_SAMPLE_COUNT_1_BIT)
RESOLVE(resolve_to_samples, "dstImage-00259", c.target.samples = VK_SAMPLE_COUNT_4_BIT)
RESOLVE(resolve_source_unbound, "srcImage-00256", c.unbound_source = true)
RESOLVE(resolve_target_unbound, "dstImage-00258", c.unbound_target = true)
RESOLVE(resolve_source_layout, "srcImageLayout-01400",
        c.source_layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)
RESOLVE(resolve_target_layout, "dstImageLayout-01401",
        c.target_layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)
RESOLVE_VALID(resolve_layouts_as_told, c.source_before = c.source_layout;
              c.target_before = c.target_layout)
RESOLVE(resolve_source_in_another_layout, "srcImageLayout-00260",
        c.source_before = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)
RESOLVE(resolve_target_in_another_layout, "dstImageLayout-00262",
        c.target_before = VK_IMAGE_LAYOUT_GENERAL)
RESOLVE(resolve_formats, "srcImage-01386", c.target.format = VK_FORMAT_B8G8R8A8_UNORM)
RESOLVE(resolve_source_usage, "srcImage-06762",
        c.source.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)
RESOLVE(resolve_target_usage, "dstImage-06764",
        c.target.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)
RESOLVE_WITH(resolve_aspects, REGION.srcSubresource.aspectMask = DEPTH,
             .expect = {"VUID-VkImageResolve-aspectMask-10981",
                        "VUID-vkCmdResolveImage-srcSubresource-11800"})
RESOLVE_WITH(resolve_target_aspect, REGION.dstSubresource.aspectMask = STENCIL,
             .expect = {"VUID-VkImageResolve-aspectMask-10981",
                        "VUID-vkCmdResolveImage-dstSubresource-11801"})
RESOLVE_WITH(resolve_plane_2, REGION.srcSubresource.aspectMask = REGION.dstSubresource.aspectMask =
                                  VK_IMAGE_ASPECT_PLANE_0_BIT;
             SECOND, .expect = {"VUID-VkImageResolve2-aspectMask-10993",
                                "VUID-VkResolveImageInfo2-srcSubresource-11800",
                                "VUID-VkResolveImageInfo2-dstSubresource-11801"})

/* --- maintenance10 ---------------------------------------------------------------------------- */

static const VkPhysicalDeviceMaintenance10FeaturesKHR maintenance10 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_10_FEATURES_KHR,
    .maintenance10 = VK_TRUE};
#define MAINTENANCE10                                                             \
    .drivers = NULL_DRIVER, .extensions = {VK_KHR_MAINTENANCE_10_EXTENSION_NAME}, \
    .features = &maintenance10

static void set_depth_resolve(struct resolve *c, VkImageAspectFlags aspects,
                              VkResolveModeFlagBits mode, VkResolveModeFlagBits stencil_mode)
{
    c->source.format = c->target.format = D32S8;
    c->source.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    c->target.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    c->region.srcSubresource.aspectMask = c->region.dstSubresource.aspectMask = aspects;
    c->second_form = c->with_mode = true;
    c->mode.resolveMode = mode;
    c->mode.stencilResolveMode = stencil_mode;
}
#define ZERO VK_RESOLVE_MODE_SAMPLE_ZERO_BIT

static void set_color_resolve(struct resolve *c, VkFormat format, VkResolveModeFlagBits mode)
{
    c->source.format = c->target.format = format;
    c->second_form = c->with_mode = true;
    c->mode.resolveMode = mode;
}

RESOLVE_WITH(resolve_depth, set_depth_resolve(&c, DEPTH | STENCIL, ZERO, ZERO), MAINTENANCE10)
RESOLVE_WITH(resolve_depth_without_mode, set_depth_resolve(&c, DEPTH | STENCIL, ZERO, ZERO);
             c.with_mode = false, MAINTENANCE10,
             .expect = {"VUID-VkResolveImageInfo2-srcImage-10986"})
RESOLVE_WITH(resolve_depth_with_mode_none,
             set_depth_resolve(&c, DEPTH | STENCIL, VK_RESOLVE_MODE_NONE, VK_RESOLVE_MODE_NONE),
             MAINTENANCE10,
             .expect = {"VUID-VkResolveImageInfo2-srcImage-10987",
                        "VUID-VkResolveImageInfo2-srcImage-10988"})
RESOLVE_WITH(resolve_depth_without_maintenance10,
             set_depth_resolve(&c, DEPTH | STENCIL, ZERO, ZERO);
             c.with_mode = false, .expect = {"VUID-VkImageResolve2-maintenance10-10994"})
RESOLVE_WITH(resolve_depth_in_unsupported_modes,
             set_depth_resolve(&c, DEPTH | STENCIL, VK_RESOLVE_MODE_AVERAGE_BIT,
                               VK_RESOLVE_MODE_MAX_BIT),
             .drivers = NULL_DRIVER, .extensions = {VK_KHR_MAINTENANCE_10_EXTENSION_NAME},
             .features = &maintenance10,
             .null_driver = "{\"properties\": {\"supportedDepthResolveModes\": 1, "
                            "\"supportedStencilResolveModes\": 1, \"independentResolve\": false}}",
             .expect = {"VUID-VkResolveImageInfo2-srcImage-10989",
                        "VUID-VkResolveImageInfo2-srcImage-10990"})
RESOLVE_WITH(resolve_depth_alone, set_depth_resolve(&c, DEPTH, ZERO, VK_RESOLVE_MODE_NONE),
             .drivers = NULL_DRIVER, .extensions = {VK_KHR_MAINTENANCE_10_EXTENSION_NAME},
             .features = &maintenance10,
             .null_driver = "{\"properties\": {\"independentResolveNone\": true, "
                            "\"independentResolve\": false}}")
RESOLVE_WITH(resolve_depth_alone_unsupported,
             set_depth_resolve(&c, DEPTH, ZERO, VK_RESOLVE_MODE_NONE), .drivers = NULL_DRIVER,
             .extensions = {VK_KHR_MAINTENANCE_10_EXTENSION_NAME}, .features = &maintenance10,
             .null_driver = "{\"properties\": {\"independentResolveNone\": false, "
                            "\"independentResolve\": false}}",
             .expect = {"VUID-VkResolveImageInfo2-srcImage-10992"},
             .text = {"pRegions[0].srcSubresource.aspectMask is VK_IMAGE_ASPECT_DEPTH_BIT"})
RESOLVE_WITH(resolve_stencil_of_stencil_alone,
             set_depth_resolve(&c, STENCIL, VK_RESOLVE_MODE_NONE, ZERO);
             c.source.format = c.target.format = VK_FORMAT_S8_UINT, .drivers = NULL_DRIVER,
             .extensions = {VK_KHR_MAINTENANCE_10_EXTENSION_NAME}, .features = &maintenance10,
             .null_driver = "{\"properties\": {\"independentResolveNone\": false, "
                            "\"independentResolve\": false}}")
RESOLVE_WITH(resolve_depth_in_modes_that_differ,
             set_depth_resolve(&c, DEPTH | STENCIL, ZERO, VK_RESOLVE_MODE_MIN_BIT),
             .drivers = NULL_DRIVER, .extensions = {VK_KHR_MAINTENANCE_10_EXTENSION_NAME},
             .features = &maintenance10,
             .null_driver = "{\"properties\": {\"supportedDepthResolveModes\": 1, "
                            "\"supportedStencilResolveModes\": 5, \"independentResolve\": false}}",
             .expect = {"VUID-VkResolveImageInfo2-srcImage-10991"})
RESOLVE_WITH(resolve_stencil_of_none, set_depth_resolve(&c, STENCIL, ZERO, ZERO);
             c.source.format = c.target.format = VK_FORMAT_D32_SFLOAT, MAINTENANCE10,
             .expect = {"VUID-VkResolveImageInfo2-srcSubresource-11800",
                        "VUID-VkResolveImageInfo2-dstSubresource-11801"})
RESOLVE_WITH(resolve_to_no_stencil, set_depth_resolve(&c, DEPTH, ZERO, ZERO);
             c.source.format = c.target.format = VK_FORMAT_D32_SFLOAT;
             REGION.dstSubresource.aspectMask = STENCIL, MAINTENANCE10,
             .expect = {"VUID-VkResolveImageInfo2-dstSubresource-11801"})
RESOLVE_WITH(resolve_aspects_of_both, set_depth_resolve(&c, DEPTH, ZERO, ZERO);
             REGION.dstSubresource.aspectMask = STENCIL, MAINTENANCE10,
             .expect = {"VUID-VkResolveImageInfo2-srcSubresource-11802"})
RESOLVE_WITH(resolve_color_of_depth, set_depth_resolve(&c, COLOR, ZERO, ZERO);
             c.second_form = false, MAINTENANCE10,
             .expect = {"VUID-vkCmdResolveImage-srcSubresource-11800",
                        "VUID-vkCmdResolveImage-dstSubresource-11801"})
RESOLVE_WITH(resolve_to_no_attachment, c.target.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK;
             c.target.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
             SECOND, .drivers = NULL_DRIVER,
             .expect = {"VUID-VkResolveImageInfo2-dstImage-02003",
                        "VUID-VkResolveImageInfo2-srcImage-01386"})
RESOLVE_WITH(resolve_color_average,
             set_color_resolve(&c, VK_FORMAT_R8G8B8A8_UNORM, VK_RESOLVE_MODE_AVERAGE_BIT),
             MAINTENANCE10)
RESOLVE_WITH(resolve_color_none,
             set_color_resolve(&c, VK_FORMAT_R8G8B8A8_UNORM, VK_RESOLVE_MODE_NONE), MAINTENANCE10,
             .expect = {"VUID-VkResolveImageInfo2-srcImage-10983"})
RESOLVE_WITH(resolve_color_sample_zero, set_color_resolve(&c, VK_FORMAT_R8G8B8A8_UNORM, ZERO),
             MAINTENANCE10, .expect = {"VUID-VkResolveImageInfo2-srcImage-10984"})
RESOLVE_WITH(resolve_integers_average,
             set_color_resolve(&c, VK_FORMAT_R8G8B8A8_UINT, VK_RESOLVE_MODE_AVERAGE_BIT),
             MAINTENANCE10, .expect = {"VUID-VkResolveImageInfo2-srcImage-10985"})
RESOLVE_WITH(resolve_transfer_function,
             set_color_resolve(&c, VK_FORMAT_R8G8B8A8_SRGB, VK_RESOLVE_MODE_AVERAGE_BIT);
             c.mode.flags = VK_RESOLVE_IMAGE_SKIP_TRANSFER_FUNCTION_BIT_KHR, MAINTENANCE10)
RESOLVE_WITH(resolve_transfer_function_of_unorm,
             set_color_resolve(&c, VK_FORMAT_R8G8B8A8_UNORM, VK_RESOLVE_MODE_AVERAGE_BIT);
             c.mode.flags = VK_RESOLVE_IMAGE_SKIP_TRANSFER_FUNCTION_BIT_KHR, MAINTENANCE10,
             .expect = {"VUID-VkResolveImageInfo2-pNext-10982"})
RESOLVE_WITH(resolve_transfer_function_both,
             set_color_resolve(&c, VK_FORMAT_R8G8B8A8_SRGB, VK_RESOLVE_MODE_AVERAGE_BIT);
             c.mode.flags = VK_RESOLVE_IMAGE_SKIP_TRANSFER_FUNCTION_BIT_KHR |
                            VK_RESOLVE_IMAGE_ENABLE_TRANSFER_FUNCTION_BIT_KHR,
             MAINTENANCE10, .expect = {"VUID-VkResolveImageModeInfoKHR-flags-10995"})
RESOLVE_WITH(resolve_transfer_function_none,
             set_color_resolve(&c, VK_FORMAT_R8G8B8A8_SRGB, VK_RESOLVE_MODE_NONE);
             c.mode.flags = VK_RESOLVE_IMAGE_ENABLE_TRANSFER_FUNCTION_BIT_KHR, MAINTENANCE10,
             .expect = {"VUID-VkResolveImageModeInfoKHR-flags-10997"})
RESOLVE_WITH(resolve_to_blocks, c.target.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK;
             c.target.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT, MAINTENANCE10,
             .expect = {"VUID-vkCmdResolveImage-maintenance10-11799",
                        "VUID-vkCmdResolveImage-srcImage-01386"})

static const VkPhysicalDeviceProtectedMemoryFeatures protected_memory = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .protectedMemory = VK_TRUE};
#define PROTECTED                                          \
    .drivers = NULL_DRIVER, .features = &protected_memory, \
    .null_driver = "{\"properties\": {\"protectedNoFault\": false}}"

RESOLVE_WITH(resolve_from_protected, c.source.flags = VK_IMAGE_CREATE_PROTECTED_BIT, PROTECTED,
             .expect = {"VUID-vkCmdResolveImage-commandBuffer-01837"})
RESOLVE_WITH(resolve_to_protected, c.target.flags = VK_IMAGE_CREATE_PROTECTED_BIT, PROTECTED,
             .expect = {"VUID-vkCmdResolveImage-commandBuffer-01838"})
RESOLVE_WITH(resolve_to_unprotected, c.protected_commands = true, PROTECTED,
             .expect = {"VUID-vkCmdResolveImage-commandBuffer-01839"})
RESOLVE_WITH(resolve_protected, c.protected_commands = true;
             c.source.flags = c.target.flags = VK_IMAGE_CREATE_PROTECTED_BIT, PROTECTED)

/* --- what formats lack; images that are none to resolve --- */

#define LACKS(bits_) \
    .drivers = NULL_DRIVER, .null_driver = "{\"withoutFormatFeatures\": {\"37\": " bits_ "}}"
RESOLVE_WITH(resolve_from_no_transfer, , LACKS("16384"),
             .expect = {"VUID-vkCmdResolveImage-srcImage-06763"},
             .text = {"VK_FORMAT_R8G8B8A8_UNORM", "TRANSFER_SRC_BIT"})
RESOLVE_WITH(resolve_to_no_transfer, , LACKS("32768"),
             .expect = {"VUID-vkCmdResolveImage-dstImage-06765"},
             .text = {"VK_FORMAT_R8G8B8A8_UNORM", "TRANSFER_DST_BIT"})

static const VkPhysicalDeviceLinearColorAttachmentFeaturesNV linear_attachments = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINEAR_COLOR_ATTACHMENT_FEATURES_NV,
    .linearColorAttachment = VK_TRUE};
#define LINEAR .extensions = {"VK_NV_linear_color_attachment"}, .features = &linear_attachments
#define LINEAR_TARGET                                 \
    c.target.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT; \
    c.target.tiling = VK_IMAGE_TILING_LINEAR
RESOLVE_WITH(resolve_to_linear, LINEAR_TARGET, LINEAR, .drivers = NULL_DRIVER)
RESOLVE_WITH(resolve_to_linear_that_lacks_it, LINEAR_TARGET, LINEAR, LACKS("274877906944"),
             .expect = {"VUID-vkCmdResolveImage-linearColorAttachment-06519"},
             .text = {"VK_FORMAT_R8G8B8A8_UNORM", "LINEAR_COLOR_ATTACHMENT_BIT_NV"})
RESOLVE_WITH(resolve_to_optimal_that_lacks_it, , LINEAR, LACKS("274877906944"))

/* No image of one dimension has several samples. */
RESOLVE_WITH(resolve_line, c.source.samples = VK_SAMPLE_COUNT_1_BIT;
             c.source.imageType = VK_IMAGE_TYPE_1D;
             c.source.extent.height = 1, .expect = {"VUID-vkCmdResolveImage-srcImage-00257",
                                                    "VUID-vkCmdResolveImage-srcImage-00271"})
RESOLVE_WITH(resolve_slice_beyond, c.source.samples = VK_SAMPLE_COUNT_1_BIT;
             c.source.imageType = VK_IMAGE_TYPE_3D;
             c.region.srcOffset.z = 1,
             .expect = {"VUID-vkCmdResolveImage-srcImage-00257",
                        "VUID-vkCmdResolveImage-srcOffset-00272"},
             .text = {"pRegions[0]"})

static const VkPhysicalDeviceFragmentDensityMapFeaturesEXT density_map = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_FEATURES_EXT,
    .fragmentDensityMap = VK_TRUE};
#define DENSITY \
    .drivers = NULL_DRIVER, .extensions = {"VK_EXT_fragment_density_map"}, .features = &density_map
RESOLVE_WITH(resolve_to_subsampled, c.target.flags = VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT, DENSITY,
             .expect = {"VUID-vkCmdResolveImage-dstImage-02546"},
             .text = {"whose flags contain VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT"})
RESOLVE_WITH(resolve_beside_density_maps, , DENSITY)
