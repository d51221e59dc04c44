/* Blitting images. */
#include "scenario.h"

#define SRC     VK_IMAGE_USAGE_TRANSFER_SRC_BIT
#define DST     VK_IMAGE_USAGE_TRANSFER_DST_BIT
#define COLOR   VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH   VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT
#define D32S8   VK_FORMAT_D32_SFLOAT_S8_UINT
#define PLANES  VK_FORMAT_G8_B8R8_2PLANE_420_UNORM

/* A valid blit of the whole of one image to another; a scenario breaks one thing. */
struct blit {
    VkImageCreateInfo source, target;
    /* UNDEFINED: no transition before */
    VkImageLayout source_layout, target_layout, source_before, target_before;
    VkImageBlit regions[2];
    uint32_t count;
    VkFilter filter;
    const void *next;
    bool second_form, same_image, unbound_source, unbound_target, protected_commands;
};

static struct blit plain_blit(struct baseline *b)
{
    const VkImageBlit region = {
        {COLOR, 0, 0, 1}, {{0, 0, 0}, {64, 64, 1}}, {COLOR, 0, 0, 1}, {{0, 0, 0}, {64, 64, 1}}};
    return (struct blit){.source = image_info(SRC),
                         .target = image_info(DST),
                         .source_layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         .target_layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                         .regions = {region, region},
                         .count = 1};
}

static void transition_blitted(VkCommandBuffer command_buffer, VkImage image, VkImageLayout layout)
{
    VkImageMemoryBarrier barrier = image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, layout);
    if (layout != VK_IMAGE_LAYOUT_UNDEFINED)
        vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void record_blit(struct baseline *b, const struct blit *c)
{
    VkImage source = c->unbound_source ? create_image(b, &c->source) : make_image_of(b, &c->source);
    VkImage target = c->same_image       ? source
                     : c->unbound_target ? create_image(b, &c->target)
                                         : make_image_of(b, &c->target);
    VkCommandBuffer command_buffer =
        c->protected_commands ? make_protected_recording(b) : make_recording(b);
    transition_blitted(command_buffer, source, c->source_before);
    transition_blitted(command_buffer, target, c->target_before);
    if (!c->second_form) {
        vkCmdBlitImage(command_buffer, source, c->source_layout, target, c->target_layout, c->count,
                       c->regions, c->filter);
        return;
    }
    VkImageBlit2 region = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_BLIT_2,
        .srcSubresource = c->regions[0].srcSubresource,
        .srcOffsets = {c->regions[0].srcOffsets[0], c->regions[0].srcOffsets[1]},
        .dstSubresource = c->regions[0].dstSubresource,
        .dstOffsets = {c->regions[0].dstOffsets[0], c->regions[0].dstOffsets[1]}};
    VkBlitImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2,
                             .pNext = c->next,
                             .srcImage = source,
                             .srcImageLayout = c->source_layout,
                             .dstImage = target,
                             .dstImageLayout = c->target_layout,
                             .regionCount = 1,
                             .pRegions = &region,
                             .filter = c->filter};
    vkCmdBlitImage2(command_buffer, &info);
}

/* A blit with one mistake: the id, and what changes the valid one. */
#define BLIT_WITH(name_, change_, ...) \
    SCENARIO(name_, __VA_ARGS__)       \
    {                                  \
        struct blit c = plain_blit(b); \
        change_;                       \
        record_blit(b, &c);            \
    }
#define BLIT(name_, vuid_, change_) \
    BLIT_WITH(name_, change_, .expect = {"VUID-vkCmdBlitImage-" vuid_})
#define BLIT_NULL(name_, vuid_, change_) \
    BLIT_WITH(name_, change_, .expect = {"VUID-vkCmdBlitImage-" vuid_}, .drivers = NULL_DRIVER)
#define BLIT_VALID(name_, change_) BLIT_WITH(name_, change_, .seconds = 0)
#define REGION                     c.regions[0]
#define FROM                       c.regions[0].srcOffsets
#define TO                         c.regions[0].dstOffsets
#define SECOND                     c.second_form = true
#define NOTHING                    (void)0

static void set_blit_formats(struct blit *c, VkFormat source, VkFormat target,
                             VkImageAspectFlags aspect)
{
    c->source.format = source;
    c->target.format = target;
    c->regions[0].srcSubresource.aspectMask = c->regions[0].dstSubresource.aspectMask = aspect;
}

static void set_blit_types(struct blit *c, VkImageType source, VkImageType target)
{
    c->source.imageType = source;
    c->target.imageType = target;
    if (source == VK_IMAGE_TYPE_1D)
        c->source.extent.height = (uint32_t)(c->regions[0].srcOffsets[1].y = 1);
    if (target == VK_IMAGE_TYPE_1D)
        c->target.extent.height = (uint32_t)(c->regions[0].dstOffsets[1].y = 1);
    if (source == VK_IMAGE_TYPE_3D)
        c->source.extent.depth = 8;
    if (target == VK_IMAGE_TYPE_3D)
        c->target.extent.depth = 8;
}

BLIT_VALID(blit_whole, NOTHING)
BLIT_VALID(blit_whole_2, SECOND)
BLIT_VALID(blit_mirrored_and_scaled, FROM[0].x = 64; FROM[1].x = 0;
           TO[1] = ((VkOffset3D){16, 8, 1}); c.filter = VK_FILTER_LINEAR)
BLIT_VALID(blit_lines, set_blit_types(&c, VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_1D))
BLIT_VALID(blit_slices, set_blit_types(&c, VK_IMAGE_TYPE_3D, VK_IMAGE_TYPE_3D); FROM[1].z = 8;
           TO[1].z = 4)

BLIT(blit_from_behind_the_right, "srcOffset-00243", FROM[1].x = 65)
BLIT(blit_from_left, "srcOffset-00243", FROM[0].x = -1)
BLIT_WITH(blit_from_left_2, FROM[0].x = -1;
          SECOND, .expect = {"VUID-VkBlitImageInfo2-srcOffset-00243"})
BLIT(blit_from_below, "srcOffset-00244", FROM[1].y = 65)
BLIT_WITH(blit_from_line_of_height_0, set_blit_types(&c, VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_2D);
          FROM[1].y = 0, .expect = {"VUID-vkCmdBlitImage-srcImage-00245"})
BLIT(blit_from_behind, "srcOffset-00246", set_blit_types(&c, VK_IMAGE_TYPE_3D, VK_IMAGE_TYPE_3D);
     FROM[1].z = 9)
BLIT_WITH(blit_from_flat_z, FROM[0].z = 1;
          FROM[1].z = 0, .expect = {"VUID-vkCmdBlitImage-srcImage-00247"})
BLIT(blit_to_behind_the_right, "dstOffset-00248", TO[0].x = 65)
/* The missing dimension of an image is reported alone. */
BLIT_WITH(blit_from_behind_flat, FROM[1].z = 2, .expect = {"VUID-vkCmdBlitImage-srcImage-00247"})
BLIT(blit_to_below, "dstOffset-00249", TO[1].y = 65)
BLIT_WITH(blit_to_line, set_blit_types(&c, VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_1D); TO[0].y = 1;
          TO[1].y = 0, .expect = {"VUID-vkCmdBlitImage-dstImage-00250"})
BLIT(blit_to_behind, "dstOffset-00251", set_blit_types(&c, VK_IMAGE_TYPE_3D, VK_IMAGE_TYPE_3D);
     TO[1].z = 9)
BLIT_WITH(blit_to_flat_z, TO[0].z = 1;
          TO[1].z = 0, .expect = {"VUID-vkCmdBlitImage-dstImage-00252"})
BLIT(blit_no_width, "dstOffsets-12518", TO[1].x = 0)
BLIT(blit_no_height, "dstOffsets-12519", TO[1].y = 0)
BLIT(blit_no_depth, "dstOffsets-12520", set_blit_types(&c, VK_IMAGE_TYPE_3D, VK_IMAGE_TYPE_3D);
     TO[1].z = 0)
BLIT(blit_source_mip, "srcSubresource-01705", REGION.srcSubresource.mipLevel = 1)
BLIT(blit_target_mip, "dstSubresource-01706", REGION.dstSubresource.mipLevel = 1)
BLIT(blit_source_layer, "srcSubresource-01707", REGION.srcSubresource.baseArrayLayer = 1)
BLIT(blit_target_layer, "dstSubresource-01708", REGION.dstSubresource.baseArrayLayer = 1)
BLIT_WITH(blit_layer_counts, c.source.arrayLayers = c.target.arrayLayers = 2;
          REGION.srcSubresource.layerCount = 2, .expect = {"VUID-VkImageBlit-layerCount-08800"})
BLIT_WITH(blit_source_aspect, set_blit_formats(&c, D32S8, D32S8, DEPTH);
          c.source.format = c.target.format = VK_FORMAT_D32_SFLOAT;
          REGION.srcSubresource.aspectMask = DEPTH | STENCIL;
          REGION.dstSubresource.aspectMask = DEPTH,
          .expect = {"VUID-vkCmdBlitImage-aspectMask-00241"})
BLIT_WITH(blit_target_aspect,
          set_blit_formats(&c, VK_FORMAT_D32_SFLOAT, VK_FORMAT_D32_SFLOAT, DEPTH);
          REGION.dstSubresource.aspectMask = STENCIL,
          .expect = {"VUID-vkCmdBlitImage-aspectMask-00242"})
BLIT_WITH(blit_aspects, set_blit_formats(&c, D32S8, D32S8, DEPTH);
          REGION.dstSubresource.aspectMask = STENCIL,
          .expect = {"VUID-VkImageBlit-aspectMask-00238"})
BLIT(blit_slices_and_layers, "srcImage-00240",
     set_blit_types(&c, VK_IMAGE_TYPE_3D, VK_IMAGE_TYPE_2D);
     c.target.arrayLayers = 2; REGION.dstSubresource.baseArrayLayer = 1)

static const VkPhysicalDeviceMaintenance5Features maintenance5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .maintenance5 = VK_TRUE};
#define MAINTENANCE5 .extensions = {VK_KHR_MAINTENANCE_5_EXTENSION_NAME}, .features = &maintenance5
BLIT_WITH(blit_remaining_layers, c.source.arrayLayers = c.target.arrayLayers = 3;
          REGION.srcSubresource.layerCount = VK_REMAINING_ARRAY_LAYERS;
          REGION.dstSubresource.layerCount = 3, MAINTENANCE5)
BLIT_WITH(blit_remaining_layers_and_two, c.source.arrayLayers = c.target.arrayLayers = 3;
          REGION.srcSubresource.layerCount = VK_REMAINING_ARRAY_LAYERS;
          REGION.dstSubresource.layerCount = 2, MAINTENANCE5,
          .expect = {"VUID-VkImageBlit-layerCount-08801"})

static const VkPhysicalDeviceMaintenance8FeaturesKHR maintenance8 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_8_FEATURES_KHR, .maintenance8 = VK_TRUE};
#define MAINTENANCE8                                                                \
    .extensions = {VK_KHR_MAINTENANCE_8_EXTENSION_NAME}, .features = &maintenance8, \
    .drivers = NULL_DRIVER
BLIT_WITH(blit_layers_to_slices, set_blit_types(&c, VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_3D);
          c.source.arrayLayers = REGION.srcSubresource.layerCount = 8; TO[1].z = 8, MAINTENANCE8)
BLIT_WITH(blit_layers_to_fewer_slices, set_blit_types(&c, VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_3D);
          c.source.arrayLayers = REGION.srcSubresource.layerCount = 8;
          TO[1].z = 7, MAINTENANCE8, .expect = {"VUID-vkCmdBlitImage-maintenance8-10579"})
BLIT_WITH(blit_slices_to_layers, set_blit_types(&c, VK_IMAGE_TYPE_3D, VK_IMAGE_TYPE_2D);
          c.target.arrayLayers = REGION.dstSubresource.layerCount = 8;
          FROM[1].z = 7, MAINTENANCE8, .expect = {"VUID-vkCmdBlitImage-maintenance8-10580"})
BLIT_WITH(blit_layers_of_3d, set_blit_types(&c, VK_IMAGE_TYPE_3D, VK_IMAGE_TYPE_2D);
          REGION.srcSubresource.layerCount = 2, MAINTENANCE8,
          .expect = {"VUID-vkCmdBlitImage-maintenance8-10207"})
BLIT_WITH(blit_to_layers_of_3d, set_blit_types(&c, VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_3D);
          REGION.dstSubresource.baseArrayLayer = 1, MAINTENANCE8,
          .expect = {"VUID-vkCmdBlitImage-maintenance8-10208"})

BLIT(blit_source_usage, "srcImage-00219", c.source.usage = DST)
BLIT(blit_target_usage, "dstImage-00224", c.target.usage = SRC)
BLIT(blit_source_unbound, "srcImage-00220", c.unbound_source = true)
BLIT(blit_target_unbound, "dstImage-00225", c.unbound_target = true)
BLIT(blit_source_layout, "srcImageLayout-01398",
     c.source_layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL)
BLIT(blit_target_layout, "dstImageLayout-01399",
     c.target_layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)
BLIT_VALID(blit_layouts_as_told, c.source_before = c.source_layout;
           c.target_before = c.target_layout; c.source.usage = c.target.usage = SRC | DST)
BLIT(blit_source_in_another_layout, "srcImageLayout-00221",
     c.source_before = VK_IMAGE_LAYOUT_GENERAL)
BLIT(blit_target_in_another_layout, "dstImageLayout-00226",
     c.target_before = VK_IMAGE_LAYOUT_GENERAL)
BLIT(blit_source_samples, "srcImage-00233", c.source.samples = VK_SAMPLE_COUNT_4_BIT;
     c.source.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)
BLIT(blit_target_samples, "dstImage-00234", c.target.samples = VK_SAMPLE_COUNT_4_BIT;
     c.target.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)
BLIT_WITH(blit_from_planes, set_blit_formats(&c, PLANES, VK_FORMAT_R8G8B8A8_UNORM, COLOR),
          .expect = {"VUID-vkCmdBlitImage-srcImage-06421"},
          /* the null driver can read such a format in a blit */
          .allow = {"VUID-vkCmdBlitImage-srcImage-01999"})
BLIT_WITH(blit_to_planes, set_blit_formats(&c, VK_FORMAT_R8G8B8A8_UNORM, PLANES, COLOR),
          .expect = {"VUID-vkCmdBlitImage-dstImage-06422", "VUID-vkCmdBlitImage-dstImage-02000"})
BLIT_NULL(blit_to_blocks, "dstImage-02000", c.target.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK)
BLIT(blit_signed_to_unsigned_normalized, "srcImage-00229",
     set_blit_formats(&c, VK_FORMAT_R8G8B8A8_SINT, VK_FORMAT_R8G8B8A8_UNORM, COLOR))
BLIT(blit_to_unsigned, "srcImage-00230",
     set_blit_formats(&c, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_UINT, COLOR))
BLIT_VALID(blit_integers,
           set_blit_formats(&c, VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R16G16B16A16_UINT, COLOR))
BLIT_NULL(blit_depth_formats, "srcImage-00231",
          set_blit_formats(&c, VK_FORMAT_D32_SFLOAT, VK_FORMAT_D16_UNORM, DEPTH))
BLIT_WITH(blit_depth_filtered,
          set_blit_formats(&c, VK_FORMAT_D32_SFLOAT, VK_FORMAT_D32_SFLOAT, DEPTH);
          c.filter = VK_FILTER_LINEAR, .expect = {"VUID-vkCmdBlitImage-srcImage-00232"},
          .drivers = NULL_DRIVER)
BLIT_NULL(blit_integers_filtered, "filter-02001",
          set_blit_formats(&c, VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R8G8B8A8_UINT, COLOR);
          c.filter = VK_FILTER_LINEAR)
#define CUBIC .drivers = NULL_DRIVER, .extensions = {VK_EXT_FILTER_CUBIC_EXTENSION_NAME}
BLIT_WITH(blit_cubic, c.filter = VK_FILTER_CUBIC_EXT, CUBIC)
BLIT_WITH(blit_integers_cubic,
          set_blit_formats(&c, VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R8G8B8A8_UINT, COLOR);
          c.filter = VK_FILTER_CUBIC_EXT, CUBIC, .expect = {"VUID-vkCmdBlitImage-filter-02002"})
BLIT_WITH(blit_line_cubic, set_blit_types(&c, VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_2D);
          c.filter = VK_FILTER_CUBIC_EXT, CUBIC, .expect = {"VUID-vkCmdBlitImage-filter-00237"})

static void to_itself(struct blit *c)
{
    c->source.usage = SRC | DST;
    c->same_image = true;
    c->source_layout = c->target_layout = VK_IMAGE_LAYOUT_GENERAL;
    c->regions[0].srcOffsets[1] = (VkOffset3D){32, 32, 1};
    c->regions[0].dstOffsets[0] = (VkOffset3D){32, 32, 0};
}

BLIT_VALID(blit_within_one_image, to_itself(&c))
BLIT(blit_onto_itself, "pRegions-00217", to_itself(&c); TO[0] = ((VkOffset3D){31, 31, 0}))
/* A much smaller copy lies between the texels that it is made from: those near 8, 24, 40 and 56. */
BLIT_VALID(blit_nearest_between_its_texels, to_itself(&c); FROM[1] = ((VkOffset3D){64, 64, 1});
           TO[0] = ((VkOffset3D){10, 10, 0}); TO[1] = ((VkOffset3D){14, 14, 1}))
BLIT_VALID(blit_linear_between_its_texels, to_itself(&c); FROM[1] = ((VkOffset3D){64, 64, 1});
           TO[0] = ((VkOffset3D){10, 10, 0}); TO[1] = ((VkOffset3D){14, 14, 1});
           c.filter = VK_FILTER_LINEAR)
BLIT(blit_linear_of_half_onto_itself, "pRegions-00217", to_itself(&c);
     FROM[1] = ((VkOffset3D){64, 64, 1}); c.filter = VK_FILTER_LINEAR)
BLIT(blit_within_one_image_of_two_layouts, "srcImage-09459", to_itself(&c);
     c.source_layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL)
BLIT_VALID(blit_between_mip_levels, to_itself(&c); c.source.mipLevels = 2;
           REGION.dstSubresource.mipLevel = 1; TO[0] = ((VkOffset3D){0, 0, 0});
           TO[1] = ((VkOffset3D){32, 32, 1});
           c.source_layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
           c.target_layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL)

static const VkPhysicalDeviceProtectedMemoryFeatures protected_memory = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .protectedMemory = VK_TRUE};
#define PROTECTED                                          \
    .drivers = NULL_DRIVER, .features = &protected_memory, \
    .null_driver = "{\"properties\": {\"protectedNoFault\": false}}"

BLIT_WITH(blit_from_protected, c.source.flags = VK_IMAGE_CREATE_PROTECTED_BIT, PROTECTED,
          .expect = {"VUID-vkCmdBlitImage-commandBuffer-01834"})
BLIT_WITH(blit_to_protected, c.target.flags = VK_IMAGE_CREATE_PROTECTED_BIT, PROTECTED,
          .expect = {"VUID-vkCmdBlitImage-commandBuffer-01835"})
BLIT_WITH(blit_to_unprotected, c.protected_commands = true, PROTECTED,
          .expect = {"VUID-vkCmdBlitImage-commandBuffer-01836"})
BLIT_WITH(blit_protected, c.protected_commands = true;
          c.source.flags = c.target.flags = VK_IMAGE_CREATE_PROTECTED_BIT, PROTECTED)

BLIT_WITH(blit_from_format_without, , .drivers = NULL_DRIVER,
          .null_driver = "{\"withoutFormatFeatures\": {\"37\": 1024}}",
          .expect = {"VUID-vkCmdBlitImage-srcImage-01999"},
          .text = {"VK_FORMAT_R8G8B8A8_UNORM", "BLIT_SRC_BIT"})

static const VkPhysicalDeviceFragmentDensityMapFeaturesEXT density_map = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_FEATURES_EXT,
    .fragmentDensityMap = VK_TRUE};
#define DENSITY \
    .drivers = NULL_DRIVER, .extensions = {"VK_EXT_fragment_density_map"}, .features = &density_map
BLIT_WITH(blit_to_subsampled, c.target.flags = VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT, DENSITY,
          .expect = {"VUID-vkCmdBlitImage-dstImage-02545"},
          .text = {"whose flags contain VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT"})
BLIT_WITH(blit_from_subsampled, c.source.flags = VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT, DENSITY,
          .expect = {"VUID-vkCmdBlitImage-dstImage-02545"}, .text = {"srcImage is VkImage"})
BLIT_WITH(blit_beside_density_maps, , DENSITY)

/* Cubic filters whose weights can be chosen. */
static const VkPhysicalDeviceCubicWeightsFeaturesQCOM weights_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUBIC_WEIGHTS_FEATURES_QCOM,
    .selectableCubicWeights = VK_TRUE};
static const VkBlitImageCubicWeightsInfoQCOM
    catmull_rom = {.sType = VK_STRUCTURE_TYPE_BLIT_IMAGE_CUBIC_WEIGHTS_INFO_QCOM,
                   .cubicWeights = VK_CUBIC_FILTER_WEIGHTS_CATMULL_ROM_QCOM},
    b_spline = {.sType = VK_STRUCTURE_TYPE_BLIT_IMAGE_CUBIC_WEIGHTS_INFO_QCOM,
                .cubicWeights = VK_CUBIC_FILTER_WEIGHTS_B_SPLINE_QCOM};
#define CHOSEN(weights_) c.second_form = true, c.filter = VK_FILTER_CUBIC_EXT, c.next = &(weights_)
#define WEIGHTED \
    .drivers = NULL_DRIVER, .extensions = {"VK_QCOM_filter_cubic_weights", "VK_EXT_filter_cubic"}
BLIT_WITH(blit_catmull_rom, CHOSEN(catmull_rom), WEIGHTED)
BLIT_WITH(blit_b_spline, CHOSEN(b_spline), WEIGHTED, .features = &weights_features)
BLIT_WITH(blit_b_spline_without_feature, CHOSEN(b_spline), WEIGHTED,
          .expect = {"VUID-VkBlitImageInfo2-filter-09204"},
          .text = {"cubicWeights is VK_CUBIC_FILTER_WEIGHTS_B_SPLINE_QCOM, but the feature "
                   "selectableCubicWeights is not enabled"})
BLIT_WITH(blit_linear_beside_weights, CHOSEN(b_spline); c.filter = VK_FILTER_LINEAR, WEIGHTED)
