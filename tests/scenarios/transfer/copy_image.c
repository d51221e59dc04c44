/* Copying images to images. */
#include "scenario.h"

#define SRC     VK_IMAGE_USAGE_TRANSFER_SRC_BIT
#define DST     VK_IMAGE_USAGE_TRANSFER_DST_BIT
#define COLOR   VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH   VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT
#define GENERAL VK_IMAGE_LAYOUT_GENERAL

/* A valid copy of the whole of one image to another; a scenario breaks one thing. */
struct copy {
    VkImageCreateInfo source, target;
    VkImageLayout source_layout, target_layout;
    VkImageCopy regions[2];
    uint32_t count;
    uint32_t family;
    bool second_form, same_image, unbound_source, unbound_target;
};

static struct copy plain_image_copy(struct baseline *b)
{
    const VkImageSubresourceLayers layers = {COLOR, 0, 0, 1};
    return (struct copy){
        .source = image_info(SRC),
        .target = image_info(DST),
        .source_layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        .target_layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .regions = {{layers, {0, 0, 0}, layers, {0, 0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT, 1}},
                    {layers, {0, 0, 0}, layers, {0, 0, 0}, {8, 8, 1}}},
        .count = 1,
        .family = b->queue_family};
}

static void record_image_copy(struct baseline *b, const struct copy *c)
{
    VkImage source = c->unbound_source ? create_image(b, &c->source) : make_image_of(b, &c->source);
    VkImage target = c->same_image       ? source
                     : c->unbound_target ? create_image(b, &c->target)
                                         : make_image_of(b, &c->target);
    VkCommandBuffer command_buffer = make_recording_of(b, c->family);
    if (!c->second_form) {
        vkCmdCopyImage(command_buffer, source, c->source_layout, target, c->target_layout, c->count,
                       c->regions);
        return;
    }
    VkImageCopy2 regions[2];
    for (uint32_t i = 0; i < c->count; i++)
        regions[i] = (VkImageCopy2){VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                                    NULL,
                                    c->regions[i].srcSubresource,
                                    c->regions[i].srcOffset,
                                    c->regions[i].dstSubresource,
                                    c->regions[i].dstOffset,
                                    c->regions[i].extent};
    VkCopyImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
                             .srcImage = source,
                             .srcImageLayout = c->source_layout,
                             .dstImage = target,
                             .dstImageLayout = c->target_layout,
                             .regionCount = c->count,
                             .pRegions = regions};
    vkCmdCopyImage2(command_buffer, &info);
}

/* A copy with one mistake: the id, and what changes the valid one. */
#define COPY_WITH(name_, change_, ...)       \
    SCENARIO(name_, __VA_ARGS__)             \
    {                                        \
        struct copy c = plain_image_copy(b); \
        change_;                             \
        record_image_copy(b, &c);            \
    }
#define COPY(name_, vuid_, change_) COPY_WITH(name_, change_, .expect = {"VUID-" vuid_})
#define COPY_NULL(name_, vuid_, change_) \
    COPY_WITH(name_, change_, .expect = {"VUID-" vuid_}, .drivers = NULL_DRIVER)
#define COPY_VALID(name_, change_) COPY_WITH(name_, change_, .seconds = 0)
#define REGION                     c.regions[0]

static void set_copy_layers(struct copy *c, uint32_t layers)
{
    c->source.arrayLayers = c->target.arrayLayers = layers;
}

static void set_copy_levels(struct copy *c, uint32_t levels)
{
    c->source.mipLevels = c->target.mipLevels = levels;
}

static void set_copy_formats(struct copy *c, VkFormat source, VkFormat target)
{
    c->source.format = source;
    c->target.format = target;
}

static void set_copy_aspects(struct copy *c, VkImageAspectFlags source, VkImageAspectFlags target)
{
    c->regions[0].srcSubresource.aspectMask = source;
    c->regions[0].dstSubresource.aspectMask = target;
}

static void set_copy_types(struct copy *c, VkImageType source, VkImageType target)
{
    c->source.imageType = source;
    c->target.imageType = target;
    if (source == VK_IMAGE_TYPE_1D)
        c->source.extent.height = 1;
    if (target == VK_IMAGE_TYPE_1D)
        c->target.extent.height = 1;
    if (source == VK_IMAGE_TYPE_3D)
        c->source.extent.depth = 8;
    if (target == VK_IMAGE_TYPE_3D)
        c->target.extent.depth = 8;
    if (source == VK_IMAGE_TYPE_1D || target == VK_IMAGE_TYPE_1D)
        c->regions[0].extent.height = 1;
}

COPY_VALID(copy_whole, )
COPY_VALID(copy_whole_2, c.second_form = true)
COPY_VALID(copy_corner, REGION.srcOffset = ((VkOffset3D){60, 61, 0});
           REGION.extent = ((VkExtent3D){4, 3, 1}))
COPY_VALID(copy_mip_level_and_layer, set_copy_levels(&c, 3); set_copy_layers(&c, 2);
           REGION.srcSubresource = ((VkImageSubresourceLayers){COLOR, 2, 1, 1});
           REGION.extent = ((VkExtent3D){16, 16, 1}))

/* --- regions ---------------------------------------------------------------------------------- */

COPY(no_width, "VkImageCopy-extent-06668", REGION.extent.width = 0)
COPY(no_width_2, "VkImageCopy2-extent-06668", REGION.extent.width = 0; c.second_form = true)
COPY(no_height, "VkImageCopy-extent-06669", REGION.extent.height = 0)
COPY_WITH(no_depth, REGION.extent.depth = 0, .expect = {"VUID-VkImageCopy-extent-06670"})
COPY(source_x, "vkCmdCopyImage-srcOffset-00144", REGION.srcOffset.x = 1)
COPY(source_x_negative, "vkCmdCopyImage-srcOffset-00144", REGION.srcOffset.x = -1)
COPY(source_x_2, "VkCopyImageInfo2-srcOffset-00144", REGION.srcOffset.x = 1; c.second_form = true)
COPY_WITH(source_x_huge, REGION.srcOffset.x = INT32_MAX;
          REGION.extent.width = UINT32_MAX,
          .expect = {"VUID-vkCmdCopyImage-srcOffset-00144", "VUID-vkCmdCopyImage-dstOffset-00150"})
COPY(source_y, "vkCmdCopyImage-srcOffset-00145", REGION.srcOffset.y = 1)
COPY(source_z, "vkCmdCopyImage-srcOffset-00147",
     set_copy_types(&c, VK_IMAGE_TYPE_3D, VK_IMAGE_TYPE_3D);
     REGION.srcOffset.z = 8)
COPY_VALID(source_z_last, set_copy_types(&c, VK_IMAGE_TYPE_3D, VK_IMAGE_TYPE_3D);
           REGION.srcOffset.z = 7)
COPY(target_x, "vkCmdCopyImage-dstOffset-00150", REGION.dstOffset.x = 1)
COPY(target_y, "vkCmdCopyImage-dstOffset-00151", REGION.dstOffset.y = 1)
COPY(target_z, "vkCmdCopyImage-dstOffset-00153",
     set_copy_types(&c, VK_IMAGE_TYPE_3D, VK_IMAGE_TYPE_3D);
     REGION.dstOffset.z = -1)
COPY(source_mip, "vkCmdCopyImage-srcSubresource-07967", REGION.srcSubresource.mipLevel = 1)
COPY(target_mip, "vkCmdCopyImage-dstSubresource-07967", REGION.dstSubresource.mipLevel = 77)
COPY(source_mip_2, "VkCopyImageInfo2-srcSubresource-07967", REGION.srcSubresource.mipLevel = 1;
     c.second_form = true)
COPY(source_mip_is_smaller, "vkCmdCopyImage-srcOffset-00144", set_copy_levels(&c, 2);
     REGION.srcSubresource.mipLevel = 1; REGION.extent.height = 32)
COPY(source_layer, "vkCmdCopyImage-srcSubresource-07968", REGION.srcSubresource.baseArrayLayer = 1)
COPY(target_layer, "vkCmdCopyImage-dstSubresource-07968", set_copy_layers(&c, 4);
     REGION.dstSubresource.baseArrayLayer = 4)
COPY(target_layer_wraps, "vkCmdCopyImage-dstSubresource-07968",
     REGION.dstSubresource.baseArrayLayer = UINT32_MAX)
COPY(no_layers, "VkImageSubresourceLayers-layerCount-01700",
     REGION.srcSubresource.layerCount = REGION.dstSubresource.layerCount = 0)
COPY(layer_counts_differ, "vkCmdCopyImage-srcImage-08793", set_copy_layers(&c, 4);
     REGION.srcSubresource.layerCount = 2)
COPY_WITH(remaining_layers_without_maintenance5, set_copy_layers(&c, 4);
          REGION.srcSubresource.layerCount = REGION.dstSubresource.layerCount =
              VK_REMAINING_ARRAY_LAYERS,
          .expect = {"VUID-VkImageSubresourceLayers-layerCount-09243"})

static const VkPhysicalDeviceMaintenance5Features maintenance5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .maintenance5 = VK_TRUE};
#define MAINTENANCE5 .extensions = {VK_KHR_MAINTENANCE_5_EXTENSION_NAME}, .features = &maintenance5

COPY_WITH(remaining_layers, set_copy_layers(&c, 4);
          REGION.srcSubresource.layerCount = REGION.dstSubresource.layerCount =
              VK_REMAINING_ARRAY_LAYERS,
          MAINTENANCE5)
COPY_WITH(remaining_layers_and_three, set_copy_layers(&c, 4);
          REGION.srcSubresource = ((VkImageSubresourceLayers){COLOR, 0, 1,
                                                              VK_REMAINING_ARRAY_LAYERS});
          REGION.dstSubresource.layerCount = 3, MAINTENANCE5)
COPY_WITH(remaining_layers_and_two, set_copy_layers(&c, 4);
          REGION.srcSubresource = ((VkImageSubresourceLayers){COLOR, 0, 1,
                                                              VK_REMAINING_ARRAY_LAYERS});
          REGION.dstSubresource.layerCount = 2, .expect = {"VUID-vkCmdCopyImage-srcImage-08794"},
          MAINTENANCE5)

/* --- images ----------------------------------------------------------------------------------- */

COPY(source_usage, "vkCmdCopyImage-aspect-06662", c.source.usage = DST)
COPY(target_usage, "vkCmdCopyImage-aspect-06663", c.target.usage = SRC)
COPY(source_unbound, "vkCmdCopyImage-srcImage-07966", c.unbound_source = true)
COPY(target_unbound, "vkCmdCopyImage-dstImage-07966", c.unbound_target = true)
COPY(target_unbound_2, "VkCopyImageInfo2-dstImage-07966", c.unbound_target = true;
     c.second_form = true)
COPY(source_layout, "vkCmdCopyImage-srcImageLayout-01917",
     c.source_layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL)
COPY(target_layout, "vkCmdCopyImage-dstImageLayout-01395",
     c.target_layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
COPY(samples_differ, "vkCmdCopyImage-srcImage-00136", c.source.samples = VK_SAMPLE_COUNT_4_BIT;
     c.source.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)

static const VkImageStencilUsageCreateInfo sampled_stencil = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO,
    .stencilUsage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT};
#define D32S8 VK_FORMAT_D32_SFLOAT_S8_UINT

COPY(source_stencil_usage, "vkCmdCopyImage-aspect-06664", set_copy_formats(&c, D32S8, D32S8);
     set_copy_aspects(&c, STENCIL, STENCIL);
     c.source.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
     c.source.pNext = &sampled_stencil)
COPY(target_stencil_usage, "vkCmdCopyImage-aspect-06665", set_copy_formats(&c, D32S8, D32S8);
     set_copy_aspects(&c, STENCIL, STENCIL);
     c.target.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
     c.target.pNext = &sampled_stencil)
COPY_VALID(depth_with_another_stencil_usage, set_copy_formats(&c, D32S8, D32S8);
           set_copy_aspects(&c, DEPTH, DEPTH);
           c.target.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
           c.target.pNext = &sampled_stencil)

/* --- types ------------------------------------------------------------------------------------ */

COPY_WITH(source_3d_layers, set_copy_types(&c, VK_IMAGE_TYPE_3D, VK_IMAGE_TYPE_2D);
          REGION.srcSubresource.layerCount = 2, .expect = {"VUID-vkCmdCopyImage-srcImage-04443"})
COPY_VALID(slices_to_layers, set_copy_types(&c, VK_IMAGE_TYPE_3D, VK_IMAGE_TYPE_2D);
           c.target.arrayLayers = 8; REGION.extent.depth = REGION.dstSubresource.layerCount = 8)
COPY_VALID(layers_to_slices, set_copy_types(&c, VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_3D);
           c.source.arrayLayers = 8; REGION.extent.depth = REGION.srcSubresource.layerCount = 8)
COPY(slices_to_fewer_layers, "vkCmdCopyImage-dstImage-01792",
     set_copy_types(&c, VK_IMAGE_TYPE_3D, VK_IMAGE_TYPE_2D);
     c.target.arrayLayers = 8; REGION.extent.depth = 8; REGION.dstSubresource.layerCount = 7)
COPY(layers_to_more_slices, "vkCmdCopyImage-srcImage-01791",
     set_copy_types(&c, VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_3D);
     c.source.arrayLayers = 8; REGION.extent.depth = 8; REGION.srcSubresource.layerCount = 7)
COPY_WITH(target_3d_layers, set_copy_types(&c, VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_3D);
          REGION.dstSubresource.layerCount = 2, .expect = {"VUID-vkCmdCopyImage-dstImage-04444"})
COPY(both_2d_with_depth, "vkCmdCopyImage-srcImage-01790", REGION.extent.depth = 2)
COPY(source_2d_z, "vkCmdCopyImage-srcImage-01787", REGION.srcOffset.z = 1)
COPY(target_2d_z, "vkCmdCopyImage-dstImage-01788", REGION.dstOffset.z = 1)
COPY_VALID(lines, set_copy_types(&c, VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_1D))
COPY_WITH(source_1d_height, set_copy_types(&c, VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_1D);
          REGION.extent.height = 2, .expect = {"VUID-vkCmdCopyImage-srcImage-00146"})
COPY_WITH(source_1d_depth, set_copy_types(&c, VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_1D);
          REGION.extent.depth = 2, .expect = {"VUID-vkCmdCopyImage-srcImage-01785"})
COPY_WITH(target_1d_y, set_copy_types(&c, VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_1D);
          REGION.dstOffset.y = 1, .expect = {"VUID-vkCmdCopyImage-dstImage-00152"})
COPY(target_1d_z, "vkCmdCopyImage-dstImage-01786",
     set_copy_types(&c, VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_1D);
     REGION.dstOffset.z = 1)
COPY(line_to_plane, "vkCmdCopyImage-srcImage-07743",
     set_copy_types(&c, VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_2D))
COPY_WITH(plane_to_line_with_height, set_copy_types(&c, VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_1D);
          REGION.extent.height = 2, MAINTENANCE5, .expect = {"VUID-vkCmdCopyImage-srcImage-10908"})
COPY_WITH(plane_to_line_with_depth, set_copy_types(&c, VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_1D);
          REGION.extent.depth = 2, MAINTENANCE5, .expect = {"VUID-vkCmdCopyImage-srcImage-10907"})
COPY_WITH(line_to_plane_with_maintenance5, set_copy_types(&c, VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_2D),
          MAINTENANCE5)

/* --- version 1.0 ------------------------------------------------------------------------------ */

#define OF_1_0 .api_version = VK_API_VERSION_1_0
COPY_WITH(slices_to_layers_of_1_0, set_copy_types(&c, VK_IMAGE_TYPE_3D, VK_IMAGE_TYPE_2D), OF_1_0,
          .expect = {"VUID-vkCmdCopyImage-apiVersion-07933"})
COPY_WITH(layers_of_3d_of_1_0, set_copy_types(&c, VK_IMAGE_TYPE_3D, VK_IMAGE_TYPE_3D);
          REGION.srcSubresource.layerCount = REGION.dstSubresource.layerCount = 2, OF_1_0,
          .expect = {"VUID-vkCmdCopyImage-apiVersion-07932"})
COPY_WITH(depth_of_2d_of_1_0, REGION.extent.depth = 2, OF_1_0,
          .expect = {"VUID-vkCmdCopyImage-apiVersion-08969"})
COPY_WITH(layer_counts_of_1_0, set_copy_layers(&c, 2);
          REGION.srcSubresource.layerCount = 2, OF_1_0,
          .expect = {"VUID-VkImageCopy-apiVersion-07941"})
COPY_WITH(aspects_of_1_0, set_copy_formats(&c, D32S8, D32S8);
          set_copy_aspects(&c, DEPTH, STENCIL), OF_1_0,
          .expect = {"VUID-VkImageCopy-apiVersion-07940"})
COPY_WITH(copy_of_1_0, , OF_1_0)

/* --- formats and aspects ---------------------------------------------------------------------- */

COPY(formats_of_other_size, "vkCmdCopyImage-srcImage-01548",
     set_copy_formats(&c, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R16G16B16A16_UNORM))
COPY_VALID(formats_of_one_size, set_copy_formats(&c, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32_UINT))
COPY_WITH(aspects_missing, set_copy_aspects(&c, DEPTH, DEPTH),
          .expect = {"VUID-vkCmdCopyImage-aspectMask-00142",
                     "VUID-vkCmdCopyImage-aspectMask-00143"})
COPY(aspects_differ, "vkCmdCopyImage-srcImage-01551", set_copy_formats(&c, D32S8, D32S8);
     set_copy_aspects(&c, DEPTH, STENCIL))
COPY_VALID(both_aspects, set_copy_formats(&c, D32S8, D32S8);
           set_copy_aspects(&c, DEPTH | STENCIL, DEPTH | STENCIL))
COPY_WITH(color_and_depth_aspect, set_copy_aspects(&c, COLOR | DEPTH, COLOR | DEPTH),
          .expect = {"VUID-VkImageSubresourceLayers-aspectMask-00167"})
COPY_WITH(metadata_aspect,
          set_copy_aspects(&c, VK_IMAGE_ASPECT_METADATA_BIT, VK_IMAGE_ASPECT_METADATA_BIT),
          .expect = {"VUID-VkImageSubresourceLayers-aspectMask-00168"})

static const VkPhysicalDeviceMaintenance8FeaturesKHR maintenance8 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_8_FEATURES_KHR, .maintenance8 = VK_TRUE};
#define MAINTENANCE8                                                                \
    .extensions = {VK_KHR_MAINTENANCE_8_EXTENSION_NAME}, .features = &maintenance8, \
    .drivers = NULL_DRIVER

COPY_WITH(depth_to_color, set_copy_formats(&c, VK_FORMAT_D32_SFLOAT, VK_FORMAT_R32_UINT);
          set_copy_aspects(&c, DEPTH, COLOR), MAINTENANCE8)
COPY_WITH(color_to_stencil, set_copy_formats(&c, VK_FORMAT_R8_UINT, D32S8);
          set_copy_aspects(&c, COLOR, STENCIL), MAINTENANCE8)
COPY_WITH(depth_to_other_color, set_copy_formats(&c, VK_FORMAT_D16_UNORM, VK_FORMAT_R32_UINT);
          set_copy_aspects(&c, DEPTH, COLOR), MAINTENANCE8,
          .expect = {"VUID-vkCmdCopyImage-srcSubresource-10212"})
COPY_WITH(color_to_other_stencil, set_copy_formats(&c, VK_FORMAT_R16_UINT, D32S8);
          set_copy_aspects(&c, COLOR, STENCIL), MAINTENANCE8,
          .expect = {"VUID-vkCmdCopyImage-srcSubresource-10211"})
COPY_WITH(color_to_both, set_copy_formats(&c, VK_FORMAT_R32_UINT, D32S8);
          set_copy_aspects(&c, COLOR, DEPTH | STENCIL), MAINTENANCE8,
          .expect = {"VUID-vkCmdCopyImage-srcSubresource-10214"})
COPY_WITH(both_to_color, set_copy_formats(&c, D32S8, VK_FORMAT_R32_UINT);
          set_copy_aspects(&c, DEPTH | STENCIL, COLOR), MAINTENANCE8,
          .expect = {"VUID-vkCmdCopyImage-dstSubresource-10215"})
COPY_WITH(depth_to_stencil, set_copy_formats(&c, D32S8, D32S8);
          set_copy_aspects(&c, DEPTH, STENCIL), MAINTENANCE8,
          .expect = {"VUID-vkCmdCopyImage-pRegions-12201"})

/* --- planes ----------------------------------------------------------------------------------- */

#define PLANES VK_FORMAT_G8_B8R8_2PLANE_420_UNORM
#define P0     VK_IMAGE_ASPECT_PLANE_0_BIT
#define P1     VK_IMAGE_ASPECT_PLANE_1_BIT
#define P2     VK_IMAGE_ASPECT_PLANE_2_BIT
#define HALF   REGION.extent = ((VkExtent3D){IMAGE_EXTENT / 2, IMAGE_EXTENT / 2, 1})

COPY_VALID(plane_to_plane, set_copy_formats(&c, PLANES, PLANES); set_copy_aspects(&c, P1, P1); HALF)
COPY_VALID(plane_to_color, set_copy_formats(&c, PLANES, VK_FORMAT_R8_UNORM);
           set_copy_aspects(&c, P0, COLOR))
COPY(source_all_planes, "vkCmdCopyImage-srcImage-08713",
     set_copy_formats(&c, PLANES, VK_FORMAT_R8_UNORM);
     set_copy_aspects(&c, COLOR, COLOR))
COPY_WITH(target_third_plane_of_two, set_copy_formats(&c, VK_FORMAT_R8_UNORM, PLANES);
          set_copy_aspects(&c, COLOR, P2); HALF, .expect = {"VUID-vkCmdCopyImage-dstImage-08714"})
COPY_WITH(plane_to_no_color, set_copy_formats(&c, PLANES, VK_FORMAT_R8_UNORM);
          set_copy_aspects(&c, P0, P0),
          .expect = {"VUID-vkCmdCopyImage-srcImage-01556", "VUID-vkCmdCopyImage-aspectMask-00143"},
          .drivers = NULL_DRIVER)
COPY_WITH(no_color_to_plane, set_copy_formats(&c, VK_FORMAT_R8_UNORM, PLANES);
          set_copy_aspects(&c, P0, P0),
          .expect = {"VUID-vkCmdCopyImage-dstImage-01557", "VUID-vkCmdCopyImage-aspectMask-00142"})
COPY(plane_to_other_color, "vkCmdCopyImage-None-01549",
     set_copy_formats(&c, PLANES, VK_FORMAT_R8G8_UNORM);
     set_copy_aspects(&c, P0, COLOR))
COPY(plane_is_smaller, "vkCmdCopyImage-srcOffset-00144",
     set_copy_formats(&c, PLANES, VK_FORMAT_R8G8_UNORM);
     set_copy_aspects(&c, P1, COLOR);
     REGION.extent = ((VkExtent3D){IMAGE_EXTENT, IMAGE_EXTENT / 2, 1}))

/* --- texel blocks ----------------------------------------------------------------------------- */

#define BC1 VK_FORMAT_BC1_RGBA_UNORM_BLOCK
#define BC  set_copy_formats(&c, BC1, BC1)

COPY_VALID(blocks, BC)
COPY_VALID(block_to_color, set_copy_formats(&c, BC1, VK_FORMAT_R32G32_UINT))
COPY_VALID(color_to_blocks, set_copy_formats(&c, VK_FORMAT_R32G32_UINT, BC1);
           REGION.extent = ((VkExtent3D){16, 16, 1}))
COPY_WITH(color_to_too_few_blocks, set_copy_formats(&c, VK_FORMAT_R32G32_UINT, BC1);
          REGION.extent = ((VkExtent3D){17, 17, 1}),
          .expect = {"VUID-vkCmdCopyImage-dstOffset-00150", "VUID-vkCmdCopyImage-dstOffset-00151"})
COPY_VALID(last_block_is_cut, BC; c.source.extent.width = c.target.extent.width = 62;
           REGION.srcOffset.x = REGION.dstOffset.x = 60; REGION.extent.width = 2)
/* A whole block of a large level, into the last block of one that is cut. */
#define INTO_CUT(x_, width_)                             \
    BC;                                                  \
    c.target.extent.width = c.target.extent.height = 62; \
    REGION.srcOffset.x = 4;                              \
    REGION.dstOffset.x = x_;                             \
    REGION.dstOffset.y = 60;                             \
    REGION.extent.width = width_;                        \
    REGION.extent.height = 4
COPY_VALID(whole_block_into_a_cut_one, INTO_CUT(60, 4))
COPY_VALID(whole_block_into_a_cut_one_2, INTO_CUT(60, 4); c.second_form = true)
COPY(whole_block_beyond_a_cut_one, "vkCmdCopyImage-dstOffset-00150", INTO_CUT(60, 8))
COPY(whole_block_beyond_a_cut_one_2, "VkCopyImageInfo2-dstOffset-00150", INTO_CUT(60, 8);
     c.second_form = true)
COPY(block_source_x, "vkCmdCopyImage-pRegions-07278", BC; REGION.srcOffset.x = 2;
     REGION.extent.width = 8)
COPY(block_source_y, "vkCmdCopyImage-pRegions-07279", BC; REGION.srcOffset.y = 2;
     REGION.extent.height = 8)
COPY(block_target_x, "vkCmdCopyImage-pRegions-07281", BC; REGION.dstOffset.x = 2;
     REGION.extent.width = 8)
COPY(block_target_y, "vkCmdCopyImage-pRegions-07282", BC; REGION.dstOffset.y = 2;
     REGION.extent.height = 8)
COPY(block_width, "vkCmdCopyImage-srcImage-01728", BC; REGION.extent.width = 6)
COPY(block_height, "vkCmdCopyImage-srcImage-01729", BC; REGION.extent.height = 6)
COPY_NULL(blocks_of_other_extent, "vkCmdCopyImage-srcImage-09247",
          set_copy_formats(&c, VK_FORMAT_BC3_UNORM_BLOCK, VK_FORMAT_ASTC_8x8_UNORM_BLOCK);
          REGION.extent = ((VkExtent3D){32, 32, 1}))

/* --- overlaps --------------------------------------------------------------------------------- */

static void to_itself(struct copy *c, VkImageLayout layout)
{
    c->source.usage = SRC | DST;
    c->same_image = true;
    c->source_layout = c->target_layout = layout;
    c->regions[0].extent = (VkExtent3D){32, 32, 1};
}

COPY_VALID(within_one_image, to_itself(&c, GENERAL); REGION.dstOffset.x = 32)
COPY(onto_itself, "vkCmdCopyImage-pRegions-00124", to_itself(&c, GENERAL); REGION.dstOffset.x = 31)
COPY_WITH(within_one_image_of_two_layouts, to_itself(&c, GENERAL); REGION.dstOffset.x = 32;
          c.source_layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
          .expect = {"VUID-vkCmdCopyImage-srcImage-09460"})
COPY_VALID(between_layers_of_one_image, to_itself(&c, GENERAL); set_copy_layers(&c, 2);
           REGION.dstSubresource.baseArrayLayer = 1;
           c.source_layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
           c.target_layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL)
COPY(twice_to_one_place, "vkCmdCopyImage-pRegions-12484", c.count = 2)
COPY_VALID(to_two_places, c.count = 2; REGION.extent = ((VkExtent3D){8, 8, 1});
           c.regions[1].dstOffset.x = 8)

/* --- queues ----------------------------------------------------------------------------------- */

static uint32_t family_of(struct baseline *b, VkQueueFlags with, VkQueueFlags without)
{
    uint32_t family = find_queue_family(b->physical_device, with, without);
    ENSURE(family != UINT32_MAX);
    return family;
}
#define TRANSFER                                                                 \
    c.family = family_of(b, VK_QUEUE_TRANSFER_BIT | VK_QUEUE_SPARSE_BINDING_BIT, \
                         VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT)
#define COMPUTE c.family = family_of(b, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT)

/* The null driver's transfer queues have a granularity of 16x16x8. */
COPY_WITH(granular, TRANSFER; REGION.srcOffset.x = REGION.dstOffset.y = 16;
          REGION.extent = ((VkExtent3D){32, 48, 1}), .drivers = NULL_DRIVER)
/* The layers of a 2D image do not count as its depth. */
COPY_WITH(granular_layers_to_slices, TRANSFER;
          set_copy_types(&c, VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_3D);
          c.source.arrayLayers = c.target.extent.depth = 4;
          REGION.extent.depth = REGION.srcSubresource.layerCount = 4, .drivers = NULL_DRIVER)
/* An image of one texel has one whole block. */
COPY_WITH(granular_last_block, TRANSFER; set_copy_formats(&c, VK_FORMAT_R32G32_UINT, BC1);
          c.source.extent = c.target.extent = REGION.extent = ((VkExtent3D){1, 1, 1}),
          .drivers = NULL_DRIVER)
COPY_NULL(source_granularity, "vkCmdCopyImage-srcOffset-01783", TRANSFER; REGION.srcOffset.x = 8;
          REGION.extent = ((VkExtent3D){16, 16, 1}))
COPY_NULL(target_granularity, "vkCmdCopyImage-dstOffset-01784", TRANSFER; REGION.dstOffset.y = 8;
          REGION.extent = ((VkExtent3D){16, 16, 1}))
COPY_WITH(depth_to_color_on_compute, COMPUTE;
          set_copy_formats(&c, VK_FORMAT_D32_SFLOAT, VK_FORMAT_R32_UINT);
          set_copy_aspects(&c, DEPTH, COLOR), MAINTENANCE8,
          .expect = {"VUID-vkCmdCopyImage-commandBuffer-10218"})
COPY_WITH(color_to_depth_on_compute, COMPUTE;
          set_copy_formats(&c, VK_FORMAT_R32_UINT, VK_FORMAT_D32_SFLOAT);
          set_copy_aspects(&c, COLOR, DEPTH), MAINTENANCE8,
          .expect = {"VUID-vkCmdCopyImage-commandBuffer-10217"})
COPY_NULL(samples_on_compute, "vkCmdCopyImage-commandBuffer-12449", COMPUTE;
          set_copy_formats(&c, VK_FORMAT_D32_SFLOAT, VK_FORMAT_D32_SFLOAT);
          set_copy_aspects(&c, DEPTH, DEPTH);
          c.source.samples = c.target.samples = VK_SAMPLE_COUNT_4_BIT;
          c.source.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
          c.target.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)

/* --- layouts ---------------------------------------------------------------------------------- */

static void transition_copied(VkCommandBuffer command_buffer, VkImage image, VkImageLayout from,
                              VkImageLayout to)
{
    VkImageMemoryBarrier barrier = image_barrier(image, from, to);
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void copy_in_layouts(struct baseline *b, VkImageLayout source_layout,
                            VkImageLayout target_layout)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkImage source = make_image(b, SRC | DST), target = make_image(b, SRC | DST);
    struct copy c = plain_image_copy(b);
    transition_copied(command_buffer, source, VK_IMAGE_LAYOUT_UNDEFINED, source_layout);
    transition_copied(command_buffer, target, VK_IMAGE_LAYOUT_UNDEFINED, target_layout);
    vkCmdCopyImage(command_buffer, source, c.source_layout, target, c.target_layout, 1, c.regions);
}

SCENARIO(layouts_are_as_told)
{
    copy_in_layouts(b, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
}

SCENARIO(source_is_in_another_layout, .expect = {"VUID-vkCmdCopyImage-srcImageLayout-00128"},
         .text = {"of the image is in VK_IMAGE_LAYOUT_GENERAL here"})
{
    copy_in_layouts(b, GENERAL, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
}

SCENARIO(target_is_in_another_layout, .expect = {"VUID-vkCmdCopyImage-dstImageLayout-00133"})
{
    copy_in_layouts(b, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

/* --- protected memory ------------------------------------------------------------------------- */

static const VkPhysicalDeviceProtectedMemoryFeatures protected_memory = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .protectedMemory = VK_TRUE};
#define PROTECTED                                          \
    .drivers = NULL_DRIVER, .features = &protected_memory, \
    .null_driver = "{\"properties\": {\"protectedNoFault\": false}}"

static void copy_protected(struct baseline *b, VkImageCreateFlags source_flags,
                           VkImageCreateFlags target_flags, VkCommandBuffer command_buffer)
{
    struct copy c = plain_image_copy(b);
    c.source.flags = source_flags;
    c.target.flags = target_flags;
    vkCmdCopyImage(command_buffer, make_image_of(b, &c.source), c.source_layout,
                   make_image_of(b, &c.target), c.target_layout, 1, c.regions);
}

SCENARIO(from_protected, PROTECTED, .expect = {"VUID-vkCmdCopyImage-commandBuffer-01825"})
{
    copy_protected(b, VK_IMAGE_CREATE_PROTECTED_BIT, 0, make_recording(b));
}

SCENARIO(to_protected, PROTECTED, .expect = {"VUID-vkCmdCopyImage-commandBuffer-01826"})
{
    copy_protected(b, 0, VK_IMAGE_CREATE_PROTECTED_BIT, make_recording(b));
}

SCENARIO(to_unprotected, PROTECTED, .expect = {"VUID-vkCmdCopyImage-commandBuffer-01827"})
{
    copy_protected(b, VK_IMAGE_CREATE_PROTECTED_BIT, 0, make_protected_recording(b));
}

SCENARIO(protected_to_protected, PROTECTED)
{
    copy_protected(b, VK_IMAGE_CREATE_PROTECTED_BIT, VK_IMAGE_CREATE_PROTECTED_BIT,
                   make_protected_recording(b));
}

SCENARIO(without_fault, .drivers = NULL_DRIVER, .features = &protected_memory,
         .null_driver = "{\"properties\": {\"protectedNoFault\": true}}")
{
    copy_protected(b, VK_IMAGE_CREATE_PROTECTED_BIT, 0, make_recording(b));
}

/* --- what formats lack ------------------------------------------------------------------------ */

#define LACKS(format_, bits_) \
    .drivers = NULL_DRIVER,   \
    .null_driver = "{\"withoutFormatFeatures\": {\"" format_ "\": " bits_ "}}"
#define R8G8B8A8 "37"

COPY_WITH(source_without_transfer, , LACKS(R8G8B8A8, "16384"),
          .expect = {"VUID-vkCmdCopyImage-srcImage-01995"},
          .text = {"VK_FORMAT_R8G8B8A8_UNORM", "TRANSFER_SRC_BIT"})
COPY_WITH(target_without_transfer, , LACKS(R8G8B8A8, "32768"),
          .expect = {"VUID-vkCmdCopyImage-dstImage-01996"},
          .text = {"VK_FORMAT_R8G8B8A8_UNORM", "TRANSFER_DST_BIT"})
COPY_WITH(both_with_transfer, , LACKS(R8G8B8A8, "1"))

/* Depth and stencil to colors and back, on queues without graphics. */
static const VkPhysicalDeviceMaintenance10FeaturesKHR maintenance10 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_10_FEATURES_KHR,
    .pNext = (void *)&maintenance8,
    .maintenance10 = VK_TRUE};
#define BESIDE_GRAPHICS(name_, change_, ...)                        \
    COPY_WITH(name_, change_,                                       \
              .extensions = {VK_KHR_MAINTENANCE_8_EXTENSION_NAME,   \
                             VK_KHR_MAINTENANCE_10_EXTENSION_NAME}, \
              .features = &maintenance10, ##__VA_ARGS__)
#define LACKING(name_, id_, format_, bits_, text_, change_) \
    BESIDE_GRAPHICS(name_, change_, LACKS(format_, bits_),  \
                    .expect = {"VUID-vkCmdCopyImage-commandBuffer-" id_}, .text = {text_})
#define TO_DEPTH                                                    \
    set_copy_formats(&c, VK_FORMAT_R32_UINT, VK_FORMAT_D32_SFLOAT); \
    set_copy_aspects(&c, COLOR, DEPTH)
#define FROM_DEPTH                                                  \
    set_copy_formats(&c, VK_FORMAT_D32_SFLOAT, VK_FORMAT_R32_UINT); \
    set_copy_aspects(&c, DEPTH, COLOR)
#define TO_STENCIL                                  \
    set_copy_formats(&c, VK_FORMAT_R8_UINT, D32S8); \
    set_copy_aspects(&c, COLOR, STENCIL)
#define FROM_STENCIL                                \
    set_copy_formats(&c, D32S8, VK_FORMAT_R8_UINT); \
    set_copy_aspects(&c, STENCIL, COLOR)
#define D32    "126"
#define D32_S8 "130"

BESIDE_GRAPHICS(colors_to_depth_on_compute, COMPUTE; TO_DEPTH, .drivers = NULL_DRIVER)
BESIDE_GRAPHICS(colors_to_depth_on_transfer, TRANSFER; TO_DEPTH, .drivers = NULL_DRIVER)
BESIDE_GRAPHICS(stencil_to_colors_on_compute, COMPUTE; FROM_STENCIL, .drivers = NULL_DRIVER)
BESIDE_GRAPHICS(stencil_to_colors_on_transfer, TRANSFER; FROM_STENCIL, .drivers = NULL_DRIVER)
LACKING(no_depth_on_compute, "11782", D32, "4503599627370496",
        "DEPTH_COPY_ON_COMPUTE_QUEUE_BIT_KHR", COMPUTE;
        TO_DEPTH)
/* Without maintenance10 no format can, which is said once. */
COPY_WITH(color_to_depth_of_lesser_format, COMPUTE;
          TO_DEPTH, .extensions = {VK_KHR_MAINTENANCE_8_EXTENSION_NAME}, .features = &maintenance8,
          LACKS(D32, "4503599627370496"), .expect = {"VUID-vkCmdCopyImage-commandBuffer-10217"})
LACKING(no_depth_on_transfer, "11783", D32, "9007199254740992",
        "DEPTH_COPY_ON_TRANSFER_QUEUE_BIT_KHR", TRANSFER;
        TO_DEPTH)
LACKING(no_stencil_on_compute, "11784", D32_S8, "18014398509481984",
        "STENCIL_COPY_ON_COMPUTE_QUEUE_BIT_KHR", COMPUTE;
        TO_STENCIL)
LACKING(no_stencil_on_transfer, "11785", D32_S8, "36028797018963968",
        "STENCIL_COPY_ON_TRANSFER_QUEUE_BIT_KHR", TRANSFER;
        TO_STENCIL)
LACKING(no_depth_from_compute, "11786", D32, "4503599627370496",
        "DEPTH_COPY_ON_COMPUTE_QUEUE_BIT_KHR", COMPUTE;
        FROM_DEPTH)
LACKING(no_depth_from_transfer, "11787", D32, "9007199254740992",
        "DEPTH_COPY_ON_TRANSFER_QUEUE_BIT_KHR", TRANSFER;
        FROM_DEPTH)
LACKING(no_stencil_from_compute, "11788", D32_S8, "18014398509481984",
        "STENCIL_COPY_ON_COMPUTE_QUEUE_BIT_KHR", COMPUTE;
        FROM_STENCIL)
LACKING(no_stencil_from_transfer, "11789", D32_S8, "36028797018963968",
        "STENCIL_COPY_ON_TRANSFER_QUEUE_BIT_KHR", TRANSFER;
        FROM_STENCIL)

/* --- blocks that are deep --------------------------------------------------------------------- */

static const VkPhysicalDeviceTextureCompressionASTC3DFeaturesEXT astc_3d = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXTURE_COMPRESSION_ASTC_3D_FEATURES_EXT,
    .textureCompressionASTC_3D = VK_TRUE};
#define DEEP(name_, change_, ...)                                    \
    COPY_WITH(name_, make_images_deep(&c);                           \
              change_, .drivers = NULL_DRIVER, .features = &astc_3d, \
              .extensions = {VK_EXT_TEXTURE_COMPRESSION_ASTC_3D_EXTENSION_NAME}, ##__VA_ARGS__)

static void make_images_deep(struct copy *c)
{
    set_copy_formats(c, VK_FORMAT_ASTC_3x3x3_UNORM_BLOCK_EXT, VK_FORMAT_ASTC_3x3x3_UNORM_BLOCK_EXT);
    set_copy_types(c, VK_IMAGE_TYPE_3D, VK_IMAGE_TYPE_3D);
    c->source.extent = c->target.extent = (VkExtent3D){9, 9, 9};
    c->regions[0].extent = (VkExtent3D){9, 9, 3};
}

DEEP(deep_blocks, REGION.srcOffset.z = 3; REGION.dstOffset.z = 6)
DEEP(deep_blocks_to_the_end, REGION.extent.depth = 2; REGION.srcOffset.z = REGION.dstOffset.z = 6;
     c.source.extent.depth = c.target.extent.depth = 8)
DEEP(deep_source, REGION.srcOffset.z = 1, .expect = {"VUID-vkCmdCopyImage-pRegions-07280"},
     .text = {"pRegions[0].srcOffset.z is 1"})
DEEP(deep_target, REGION.dstOffset.z = 1, .expect = {"VUID-vkCmdCopyImage-pRegions-07283"},
     .text = {"pRegions[0].dstOffset.z is 1"})
DEEP(deep_extent, REGION.extent.depth = 2, .expect = {"VUID-vkCmdCopyImage-srcImage-01730"},
     .text = {"pRegions[0].extent.depth is 2"})
