/* Copying between buffers and images. */
#include "scenario.h"

#define SRC     VK_IMAGE_USAGE_TRANSFER_SRC_BIT
#define DST     VK_IMAGE_USAGE_TRANSFER_DST_BIT
#define COLOR   VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH   VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT
#define SIZE    (IMAGE_EXTENT * IMAGE_EXTENT * 4)
#define D32S8   VK_FORMAT_D32_SFLOAT_S8_UINT
#define PLANES  VK_FORMAT_G8_B8R8_2PLANE_420_UNORM
#define BC1     VK_FORMAT_BC1_RGBA_UNORM_BLOCK

/* A valid copy of a whole image from a buffer, or to one; a scenario breaks one thing. */
struct copy {
    VkImageCreateInfo image;
    VkImageLayout layout;
    VkDeviceSize size;
    VkBufferUsageFlags usage;
    VkBufferImageCopy regions[2];
    uint32_t count, family;
    bool to_buffer, second_form, unbound_image, unbound_buffer, protected_buffer,
        protected_commands;
    const void *regions_next; /* of the second form */
};

static struct copy plain_buffer_image_copy(struct baseline *b)
{
    const VkBufferImageCopy region = {.imageSubresource = {COLOR, 0, 0, 1},
                                      .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    return (struct copy){.image = image_info(DST),
                         .layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                         .size = SIZE,
                         .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                         .regions = {region, region},
                         .count = 1,
                         .family = b->queue_family};
}

/* The other direction. */
static void copy_back(struct copy *c)
{
    c->to_buffer = true;
    c->image.usage = SRC;
    c->layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    c->usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
}

static void record_second_form(VkCommandBuffer command_buffer, const struct copy *c, VkImage image,
                               VkBuffer buffer)
{
    VkBufferImageCopy2 regions[2];
    for (uint32_t i = 0; i < c->count; i++)
        regions[i] = (VkBufferImageCopy2){.sType = VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2,
                                          .pNext = c->regions_next,
                                          .bufferOffset = c->regions[i].bufferOffset,
                                          .bufferRowLength = c->regions[i].bufferRowLength,
                                          .bufferImageHeight = c->regions[i].bufferImageHeight,
                                          .imageSubresource = c->regions[i].imageSubresource,
                                          .imageOffset = c->regions[i].imageOffset,
                                          .imageExtent = c->regions[i].imageExtent};
    VkCopyImageToBufferInfo2 to_buffer = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2,
                                          .srcImage = image,
                                          .srcImageLayout = c->layout,
                                          .dstBuffer = buffer,
                                          .regionCount = c->count,
                                          .pRegions = regions};
    VkCopyBufferToImageInfo2 to_image = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2,
                                         .srcBuffer = buffer,
                                         .dstImage = image,
                                         .dstImageLayout = c->layout,
                                         .regionCount = c->count,
                                         .pRegions = regions};
    if (c->to_buffer)
        vkCmdCopyImageToBuffer2(command_buffer, &to_buffer);
    else
        vkCmdCopyBufferToImage2(command_buffer, &to_image);
}

static void record_buffer_image_copy(struct baseline *b, const struct copy *c)
{
    VkBufferCreateInfo buffer_create = buffer_info(c->size, c->usage);
    VkBuffer buffer = c->unbound_buffer     ? create_buffer(b, &buffer_create)
                      : c->protected_buffer ? make_protected_buffer(b, c->size, c->usage)
                                            : make_buffer(b, c->size, c->usage);
    VkImage image = c->unbound_image ? create_image(b, &c->image) : make_image_of(b, &c->image);
    VkCommandBuffer command_buffer =
        c->protected_commands ? make_protected_recording(b) : make_recording_of(b, c->family);
    if (c->second_form)
        record_second_form(command_buffer, c, image, buffer);
    else if (c->to_buffer)
        vkCmdCopyImageToBuffer(command_buffer, image, c->layout, buffer, c->count, c->regions);
    else
        vkCmdCopyBufferToImage(command_buffer, buffer, image, c->layout, c->count, c->regions);
}

/* A copy with one mistake: the id, and what changes the valid one. TO_IMAGE and FROM_IMAGE say in
 * which direction. */
#define COPY_WITH(name_, change_, ...)              \
    SCENARIO(name_, __VA_ARGS__)                    \
    {                                               \
        struct copy c = plain_buffer_image_copy(b); \
        change_;                                    \
        record_buffer_image_copy(b, &c);            \
    }
#define COPY(name_, vuid_, change_) COPY_WITH(name_, change_, .expect = {"VUID-" vuid_})
#define COPY_NULL(name_, vuid_, change_) \
    COPY_WITH(name_, change_, .expect = {"VUID-" vuid_}, .drivers = NULL_DRIVER)
#define TO_IMAGE(name_, vuid_, change_) COPY(name_, "vkCmdCopyBufferToImage-" vuid_, change_)
#define TO_BUFFER(name_, vuid_, change_) \
    COPY(name_, "vkCmdCopyImageToBuffer-" vuid_, copy_back(&c); change_)
#define COPY_VALID(name_, change_) COPY_WITH(name_, change_, .seconds = 0)
#define REGION                     c.regions[0]
#define LAYERS                     c.regions[0].imageSubresource
#define EXTENT(w_, h_, d_)         c.regions[0].imageExtent = ((VkExtent3D){(w_), (h_), (d_)})
#define SECOND                     c.second_form = true
#define BACK                       copy_back(&c)
#define NOTHING                    (void)0

static void set_copy_format(struct copy *c, VkFormat format, VkImageAspectFlags aspect)
{
    c->image.format = format;
    c->regions[0].imageSubresource.aspectMask = aspect;
}

static void set_copy_type(struct copy *c, VkImageType image_type)
{
    c->image.imageType = image_type;
    c->image.extent = (VkExtent3D){IMAGE_EXTENT, image_type == VK_IMAGE_TYPE_1D ? 1 : IMAGE_EXTENT,
                                   image_type == VK_IMAGE_TYPE_3D ? 8 : 1};
    c->regions[0].imageExtent =
        (VkExtent3D){IMAGE_EXTENT, image_type == VK_IMAGE_TYPE_1D ? 1 : 8, 1};
}

COPY_VALID(to_image, NOTHING)
COPY_VALID(to_image_2, SECOND)
COPY_VALID(to_buffer, BACK)
COPY_VALID(to_buffer_2, BACK; SECOND)
COPY_VALID(rows_with_gaps, REGION.bufferRowLength = 64; REGION.bufferImageHeight = 8;
           EXTENT(60, 8, 1); c.size = 64 * 4 * 8 - 16)
COPY_VALID(many_layers, c.image.arrayLayers = 3; LAYERS.layerCount = 3; EXTENT(8, 8, 1);
           c.size = 3 * 8 * 8 * 4)
COPY_VALID(many_slices, set_copy_type(&c, VK_IMAGE_TYPE_3D); EXTENT(8, 8, 8);
           c.size = 8 * 8 * 8 * 4)

/* --- the buffer ------------------------------------------------------------------------------- */

TO_IMAGE(source_too_small, "pRegions-00171", c.size = SIZE - 1)
COPY(source_too_small_2, "VkCopyBufferToImageInfo2-pRegions-00171", c.size = SIZE - 1; SECOND)
TO_IMAGE(rows_too_long, "pRegions-00171", REGION.bufferRowLength = 64; EXTENT(60, 8, 1);
         c.size = 64 * 4 * 8 - 17)
TO_IMAGE(layers_too_many, "pRegions-00171", c.image.arrayLayers = 3; LAYERS.layerCount = 3;
         EXTENT(8, 8, 1); c.size = 3 * 8 * 8 * 4 - 1)
TO_IMAGE(offset_behind_the_end, "pRegions-00171", REGION.bufferOffset = UINT64_MAX - 3)
TO_BUFFER(target_too_small, "pRegions-00183", REGION.bufferOffset = 4)
TO_IMAGE(source_usage, "srcBuffer-00174", c.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT)
TO_BUFFER(target_usage, "dstBuffer-00191", c.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT)
TO_IMAGE(source_unbound, "srcBuffer-00176", c.unbound_buffer = true)
TO_BUFFER(target_unbound, "dstBuffer-00192", c.unbound_buffer = true)
TO_IMAGE(offset_not_of_texels, "dstImage-07975", REGION.bufferOffset = 2; EXTENT(8, 8, 1))
TO_BUFFER(offset_not_of_texels_back, "srcImage-07975", REGION.bufferOffset = 6; EXTENT(8, 8, 1))
TO_IMAGE(offset_of_depth, "dstImage-07978", set_copy_format(&c, D32S8, STENCIL);
         REGION.bufferOffset = 2; EXTENT(8, 8, 1))
COPY_VALID(offset_of_stencil, set_copy_format(&c, D32S8, STENCIL); REGION.bufferOffset = 4;
           c.size = 4 + SIZE / 4)
TO_IMAGE(offset_of_plane, "dstImage-07976",
         set_copy_format(&c, PLANES, VK_IMAGE_ASPECT_PLANE_1_BIT);
         REGION.bufferOffset = 1; EXTENT(8, 8, 1))
COPY_VALID(plane, set_copy_format(&c, PLANES, VK_IMAGE_ASPECT_PLANE_1_BIT); REGION.bufferOffset = 2;
           EXTENT(32, 32, 1); c.size = 2 + 32 * 32 * 2)
COPY(row_length, "VkBufferImageCopy-bufferRowLength-09101", REGION.bufferRowLength = 7;
     EXTENT(8, 8, 1))
COPY(row_length_2, "VkBufferImageCopy2-bufferRowLength-09101", REGION.bufferRowLength = 7;
     EXTENT(8, 8, 1); SECOND)
COPY(image_height, "VkBufferImageCopy-bufferImageHeight-09102", REGION.bufferImageHeight = 7;
     EXTENT(8, 8, 1))
TO_IMAGE(row_length_of_blocks, "bufferRowLength-09106", set_copy_format(&c, BC1, COLOR);
         REGION.bufferRowLength = 18; EXTENT(16, 16, 1))
TO_IMAGE(image_height_of_blocks, "bufferImageHeight-09107", set_copy_format(&c, BC1, COLOR);
         REGION.bufferImageHeight = 18; EXTENT(16, 16, 1))
COPY_VALID(row_length_of_whole_blocks, set_copy_format(&c, BC1, COLOR); REGION.bufferRowLength = 20;
           REGION.bufferImageHeight = 20; EXTENT(16, 16, 1))
TO_IMAGE(row_of_more_than_2g, "bufferRowLength-09108", REGION.bufferRowLength = 0x20000000;
         EXTENT(8, 1, 1))
COPY_VALID(row_of_almost_2g, REGION.bufferRowLength = 0x1fffffff; EXTENT(8, 1, 1))

/* --- the image -------------------------------------------------------------------------------- */

TO_IMAGE(image_usage, "dstImage-00177", c.image.usage = SRC)
TO_BUFFER(image_usage_back, "srcImage-00186", c.image.usage = DST)
TO_IMAGE(image_unbound, "dstImage-07966", c.unbound_image = true)
TO_BUFFER(image_unbound_back, "srcImage-07966", c.unbound_image = true)
TO_IMAGE(layout, "dstImageLayout-01396", c.layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL)
TO_BUFFER(layout_back, "srcImageLayout-01397", c.layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL)
COPY_VALID(layout_general, c.layout = VK_IMAGE_LAYOUT_GENERAL)
TO_IMAGE(samples, "dstImage-07973", c.image.samples = VK_SAMPLE_COUNT_4_BIT;
         c.image.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)
TO_BUFFER(samples_back, "srcImage-07973", c.image.samples = VK_SAMPLE_COUNT_4_BIT;
          c.image.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)
COPY(no_width, "VkBufferImageCopy-imageExtent-06659", REGION.imageExtent.width = 0)
COPY(no_height, "VkBufferImageCopy-imageExtent-06660", REGION.imageExtent.height = 0)
COPY(no_height_2, "VkBufferImageCopy2-imageExtent-06660", REGION.imageExtent.height = 0; SECOND)
COPY_WITH(no_depth, REGION.imageExtent.depth = 0,
          .expect = {"VUID-VkBufferImageCopy-imageExtent-06661"})
TO_IMAGE(behind_the_right, "imageSubresource-07971", REGION.imageOffset.x = 1)
TO_IMAGE(left_of_it, "imageSubresource-07971", REGION.imageOffset.x = -1)
TO_BUFFER(below_it, "imageSubresource-07972", REGION.imageOffset.y = 1)
COPY(behind_the_right_2, "VkCopyBufferToImageInfo2-pRegions-06223", REGION.imageOffset.x = 1;
     SECOND)
COPY(below_it_2, "VkCopyBufferToImageInfo2-pRegions-06224", REGION.imageOffset.y = 1; SECOND)
COPY(behind_the_right_back_2, "VkCopyImageToBufferInfo2-imageOffset-00197", BACK;
     REGION.imageOffset.x = 1; SECOND)
COPY(below_it_back_2, "VkCopyImageToBufferInfo2-imageOffset-00198", BACK; REGION.imageOffset.y = 1;
     SECOND)
TO_IMAGE(behind_it, "imageOffset-09104", set_copy_type(&c, VK_IMAGE_TYPE_3D);
         REGION.imageOffset.z = 8)
COPY_WITH(line_with_height, set_copy_type(&c, VK_IMAGE_TYPE_1D);
          REGION.imageOffset.y = 1, .expect = {"VUID-vkCmdCopyBufferToImage-dstImage-07979"})
TO_IMAGE(flat_with_depth, "dstImage-07980", REGION.imageExtent.depth = 2; c.size = 2 * SIZE)
COPY_WITH(solid_with_layers, set_copy_type(&c, VK_IMAGE_TYPE_3D);
          LAYERS.layerCount = 2, .expect = {"VUID-vkCmdCopyBufferToImage-dstImage-07983"})
TO_IMAGE(mip_level, "imageSubresource-07967", LAYERS.mipLevel = 1)
TO_BUFFER(mip_level_back, "imageSubresource-07967", LAYERS.mipLevel = UINT32_MAX)
TO_IMAGE(array_layer, "imageSubresource-07968", LAYERS.baseArrayLayer = 1)
TO_IMAGE(aspect, "imageSubresource-09105", set_copy_format(&c, VK_FORMAT_R32_UINT, DEPTH))
COPY(two_aspects, "VkBufferImageCopy-aspectMask-09103", set_copy_format(&c, D32S8, DEPTH | STENCIL))
COPY_WITH(all_planes, set_copy_format(&c, PLANES, COLOR);
          EXTENT(8, 8, 1), .expect = {"VUID-vkCmdCopyBufferToImage-dstImage-07981"})
COPY_WITH(memory_plane, LAYERS.aspectMask = VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT,
          .expect = {"VUID-VkImageSubresourceLayers-aspectMask-02247"}, .drivers = NULL_DRIVER,
          .extensions = {VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME})

COPY_VALID(blocks, set_copy_format(&c, BC1, COLOR); c.size = SIZE / 8)
COPY_VALID(cut_blocks, set_copy_format(&c, BC1, COLOR); c.image.extent = ((VkExtent3D){62, 61, 1});
           EXTENT(62, 61, 1); c.size = SIZE / 8)
TO_IMAGE(too_few_blocks, "pRegions-00171", set_copy_format(&c, BC1, COLOR); c.size = SIZE / 8 - 1)
TO_IMAGE(block_x, "dstImage-07274", set_copy_format(&c, BC1, COLOR); REGION.imageOffset.x = 2;
         EXTENT(8, 8, 1))
TO_IMAGE(block_y, "dstImage-07275", set_copy_format(&c, BC1, COLOR); REGION.imageOffset.y = 2;
         EXTENT(8, 8, 1))
TO_IMAGE(block_width, "dstImage-00207", set_copy_format(&c, BC1, COLOR); EXTENT(6, 8, 1))
TO_BUFFER(block_height, "srcImage-00208", set_copy_format(&c, BC1, COLOR); EXTENT(8, 6, 1))

/* --- overlaps --------------------------------------------------------------------------------- */

TO_IMAGE(texels_twice, "pRegions-12483", c.count = 2)
TO_BUFFER(bytes_twice, "pRegions-12485", c.count = 2)
COPY_VALID(halves, c.count = 2; EXTENT(32, 64, 1); c.regions[1].imageOffset.x = 32;
           c.regions[1].imageExtent.width = 32)
/* Two pictures side by side: each lies in the gaps of the other. */
COPY_VALID(interleaved_rows, BACK; c.count = 2; EXTENT(32, 64, 1); c.regions[1] = REGION;
           c.regions[1].bufferOffset = 32 * 4;
           c.regions[0].bufferRowLength = c.regions[1].bufferRowLength = 64)

static const VkCopyCommandTransformInfoQCOM quarter_turn = {
    .sType = VK_STRUCTURE_TYPE_COPY_COMMAND_TRANSFORM_INFO_QCOM,
    .transform = VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR};
#define TURNED                       \
    SECOND;                          \
    c.regions_next = &quarter_turn;  \
    c.count = 2;                     \
    REGION.imageOffset.x = 64;       \
    c.regions[1].imageOffset.x = 32; \
    REGION.imageExtent = c.regions[1].imageExtent = (VkExtent3D){64, 32, 1}
/* Each is 32 texels wide in the image, to the left of its imageOffset. */
COPY_WITH(turned_halves, TURNED, .drivers = NULL_DRIVER,
          .extensions = {VK_QCOM_ROTATED_COPY_COMMANDS_EXTENSION_NAME})

/* A region with one mistake that is rotated, of one image of 64x64 texels. */
#define A_TURN(by_)                                                  \
    static const VkCopyCommandTransformInfoQCOM turn_##by_ = {       \
        .sType = VK_STRUCTURE_TYPE_COPY_COMMAND_TRANSFORM_INFO_QCOM, \
        .transform = VK_SURFACE_TRANSFORM_##by_##_BIT_KHR}
A_TURN(IDENTITY);
A_TURN(ROTATE_90);
A_TURN(ROTATE_180);
A_TURN(ROTATE_270);
#define TURN(by_) \
    SECOND;       \
    c.regions_next = &turn_##by_
#define AT(x_, y_) REGION.imageOffset = ((VkOffset3D){x_, y_, 0})
#define QCOM(name_, vuid_, change_)                                              \
    COPY_WITH(name_, change_, .expect = {"VUID-" vuid_}, .drivers = NULL_DRIVER, \
              .extensions = {VK_QCOM_ROTATED_COPY_COMMANDS_EXTENSION_NAME})
#define TURNED_BLOCKS(name_, number_, by_, x_, y_, width_, height_)         \
    QCOM(name_, "VkCopyBufferToImageInfo2-imageOffset-" number_, TURN(by_); \
         set_copy_format(&c, BC1, COLOR); AT(x_, y_); EXTENT(width_, height_, 1))

QCOM(turned_before_the_image, "VkCopyBufferToImageInfo2KHR-pRegions-04554", TURN(ROTATE_90);
     AT(31, 0); EXTENT(64, 32, 1))
QCOM(turned_after_the_image, "VkCopyImageToBufferInfo2KHR-pRegions-04557", BACK; TURN(ROTATE_270);
     AT(33, 64); EXTENT(64, 32, 1))
QCOM(turned_above_the_image, "VkCopyBufferToImageInfo2KHR-pRegions-04554", TURN(ROTATE_180);
     AT(64, 31); EXTENT(64, 32, 1))
COPY_WITH(turned_over, TURN(ROTATE_180); AT(64, 32);
          EXTENT(64, 32, 1), .drivers = NULL_DRIVER,
          .extensions = {VK_QCOM_ROTATED_COPY_COMMANDS_EXTENSION_NAME})
COPY_WITH(turned_back, BACK; TURN(ROTATE_270); AT(32, 64);
          EXTENT(64, 32, 1), .drivers = NULL_DRIVER,
          .extensions = {VK_QCOM_ROTATED_COPY_COMMANDS_EXTENSION_NAME})
QCOM(turned_blocks, "VkCopyBufferToImageInfo2KHR-pRegions-04555", TURN(ROTATE_90);
     set_copy_format(&c, BC1, COLOR); AT(64, 0); EXTENT(64, 32, 1))
QCOM(turned_by_nothing, "VkCopyImageToBufferInfo2KHR-pRegions-04558", BACK; TURN(IDENTITY);
     set_copy_format(&c, BC1, COLOR); EXTENT(64, 32, 1))
TURNED_BLOCKS(turned_block_x, "10051", ROTATE_180, 62, 64, 6, 4)
TURNED_BLOCKS(turned_block_y, "10052", ROTATE_180, 64, 62, 4, 6)
TURNED_BLOCKS(turned_block_left, "10053", ROTATE_90, 64, 0, 4, 6)
TURNED_BLOCKS(turned_over_block_left, "10054", ROTATE_180, 64, 64, 6, 4)
TURNED_BLOCKS(turned_block_right, "10055", ROTATE_270, 0, 64, 4, 6)
TURNED_BLOCKS(turned_block_down, "10056", ROTATE_90, 64, 0, 6, 4)
TURNED_BLOCKS(turned_over_block_up, "10057", ROTATE_180, 64, 64, 4, 6)
TURNED_BLOCKS(turned_block_up, "10058", ROTATE_270, 0, 64, 6, 4)
/* A block that is cut by the image's edge may be less than a block. */
QCOM(turned_cut_blocks, "VkCopyBufferToImageInfo2KHR-pRegions-04555", TURN(ROTATE_90);
     set_copy_format(&c, BC1, COLOR); c.image.extent = ((VkExtent3D){62, 62, 1}); AT(62, 0);
     EXTENT(62, 62, 1))

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
COPY_WITH(granular, TRANSFER; REGION.imageOffset.x = 16; EXTENT(48, 32, 1), .drivers = NULL_DRIVER)
COPY_NULL(granularity, "vkCmdCopyBufferToImage-imageOffset-07738", TRANSFER; EXTENT(8, 16, 1))
COPY_NULL(granularity_of_no_mip_level, "vkCmdCopyBufferToImage-imageSubresource-07967", TRANSFER;
          LAYERS.mipLevel = 1; EXTENT(8, 8, 1))
COPY_NULL(granularity_back, "vkCmdCopyImageToBuffer-imageOffset-07747", BACK; TRANSFER;
          REGION.imageOffset.y = 8; EXTENT(16, 16, 1))
COPY_NULL(depth_on_compute, "vkCmdCopyBufferToImage-commandBuffer-07739", COMPUTE;
          set_copy_format(&c, VK_FORMAT_D32_SFLOAT, DEPTH))
COPY_NULL(depth_on_compute_back, "vkCmdCopyImageToBuffer-commandBuffer-10216", BACK; COMPUTE;
          set_copy_format(&c, VK_FORMAT_D32_SFLOAT, DEPTH))
COPY_WITH(depth_on_compute_of_lesser_format, COMPUTE;
          set_copy_format(&c, VK_FORMAT_D32_SFLOAT, DEPTH), .drivers = NULL_DRIVER,
          .null_driver = "{\"withoutFormatFeatures\": {\"126\": 4503599627370496}}",
          .expect = {"VUID-vkCmdCopyBufferToImage-commandBuffer-07739"})
COPY_NULL(offset_on_transfer, "vkCmdCopyBufferToImage-commandBuffer-07737", TRANSFER;
          set_copy_format(&c, VK_FORMAT_R8_UNORM, COLOR); REGION.bufferOffset = 2)
COPY_NULL(offset_on_transfer_back, "vkCmdCopyImageToBuffer-commandBuffer-07746", BACK; TRANSFER;
          set_copy_format(&c, VK_FORMAT_R8_UNORM, COLOR); REGION.bufferOffset = 2)

static const VkPhysicalDeviceMaintenance10FeaturesKHR maintenance10 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_10_FEATURES_KHR,
    .maintenance10 = VK_TRUE};
COPY_WITH(depth_on_compute_with_maintenance10, COMPUTE;
          set_copy_format(&c, VK_FORMAT_D32_SFLOAT, DEPTH), .drivers = NULL_DRIVER,
          .extensions = {VK_KHR_MAINTENANCE_10_EXTENSION_NAME}, .features = &maintenance10)

/* --- layouts ---------------------------------------------------------------------------------- */

static void copy_in_layout(struct baseline *b, bool to_buffer, VkImageLayout layout)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkImage image = make_image(b, SRC | DST);
    struct copy c = plain_buffer_image_copy(b);
    VkImageMemoryBarrier barrier = image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, layout);
    if (to_buffer)
        BACK;
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    if (to_buffer)
        vkCmdCopyImageToBuffer(command_buffer, image, c.layout, make_buffer(b, SIZE, c.usage), 1,
                               c.regions);
    else
        vkCmdCopyBufferToImage(command_buffer, make_buffer(b, SIZE, c.usage), image, c.layout, 1,
                               c.regions);
}

SCENARIO(in_layout)
{
    copy_in_layout(b, false, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    copy_in_layout(b, true, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

SCENARIO(in_another_layout, .expect = {"VUID-vkCmdCopyBufferToImage-dstImageLayout-00180"})
{
    copy_in_layout(b, false, VK_IMAGE_LAYOUT_GENERAL);
}

SCENARIO(in_another_layout_back, .expect = {"VUID-vkCmdCopyImageToBuffer-srcImageLayout-00189"})
{
    copy_in_layout(b, true, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
}

/* --- protected memory ------------------------------------------------------------------------- */

static const VkPhysicalDeviceProtectedMemoryFeatures protected_memory = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .protectedMemory = VK_TRUE};
#define PROTECTED(name_, vuid_, change_)                                         \
    COPY_WITH(name_, change_, .expect = {"VUID-" vuid_}, .drivers = NULL_DRIVER, \
              .features = &protected_memory,                                     \
              .null_driver = "{\"properties\": {\"protectedNoFault\": false}}")

PROTECTED(from_protected, "vkCmdCopyBufferToImage-commandBuffer-01828", c.protected_buffer = true)
PROTECTED(to_protected, "vkCmdCopyBufferToImage-commandBuffer-01829",
          c.image.flags = VK_IMAGE_CREATE_PROTECTED_BIT)
PROTECTED(to_unprotected, "vkCmdCopyBufferToImage-commandBuffer-01830", c.protected_commands = true)
PROTECTED(from_protected_back, "vkCmdCopyImageToBuffer-commandBuffer-01831", BACK;
          c.image.flags = VK_IMAGE_CREATE_PROTECTED_BIT)
PROTECTED(to_protected_back, "vkCmdCopyImageToBuffer-commandBuffer-01832", BACK;
          c.protected_buffer = true)
PROTECTED(to_unprotected_back, "vkCmdCopyImageToBuffer-commandBuffer-01833", BACK;
          c.protected_commands = true)
COPY_WITH(all_protected, c.protected_commands = c.protected_buffer = true;
          c.image.flags = VK_IMAGE_CREATE_PROTECTED_BIT, .drivers = NULL_DRIVER,
          .features = &protected_memory,
          .null_driver = "{\"properties\": {\"protectedNoFault\": false}}")

/* --- what formats lack ------------------------------------------------------------------------ */

#define LACKS(format_, bits_) \
    .drivers = NULL_DRIVER,   \
    .null_driver = "{\"withoutFormatFeatures\": {\"" format_ "\": " bits_ "}}"

COPY_WITH(to_no_transfer, , LACKS("37", "32768"),
          .expect = {"VUID-vkCmdCopyBufferToImage-dstImage-01997"},
          .text = {"VK_FORMAT_R8G8B8A8_UNORM", "TRANSFER_DST_BIT"})
COPY_WITH(from_no_transfer, BACK, LACKS("37", "16384"),
          .expect = {"VUID-vkCmdCopyImageToBuffer-srcImage-01998"},
          .text = {"VK_FORMAT_R8G8B8A8_UNORM", "TRANSFER_SRC_BIT"})
COPY_WITH(to_no_source, , LACKS("37", "16384"))
COPY_WITH(from_no_target, BACK, LACKS("37", "32768"))

#define MAINTENANCE10 \
    .extensions = {VK_KHR_MAINTENANCE_10_EXTENSION_NAME}, .features = &maintenance10
#define LACKING(name_, id_, format_, bits_, text_, ...)                 \
    COPY_WITH(name_, __VA_ARGS__, MAINTENANCE10, LACKS(format_, bits_), \
              .expect = {"VUID-vkCmdCopy" id_}, .text = {text_})
#define D32        "126"
#define D32_S8     "130"
#define AS_DEPTH   set_copy_format(&c, VK_FORMAT_D32_SFLOAT, DEPTH)
#define AS_STENCIL set_copy_format(&c, D32S8, STENCIL)

COPY_WITH(depth_on_transfer, TRANSFER; AS_DEPTH, MAINTENANCE10, .drivers = NULL_DRIVER)
COPY_WITH(stencil_on_compute, COMPUTE; AS_STENCIL, MAINTENANCE10, .drivers = NULL_DRIVER)
COPY_WITH(stencil_on_transfer, TRANSFER; AS_STENCIL, MAINTENANCE10, .drivers = NULL_DRIVER)
LACKING(no_depth_on_compute, "BufferToImage-commandBuffer-11778", D32, "4503599627370496",
        "DEPTH_COPY_ON_COMPUTE_QUEUE_BIT_KHR", COMPUTE;
        AS_DEPTH)
LACKING(no_depth_on_transfer, "BufferToImage-commandBuffer-11779", D32, "9007199254740992",
        "DEPTH_COPY_ON_TRANSFER_QUEUE_BIT_KHR", TRANSFER;
        AS_DEPTH)
LACKING(no_stencil_on_compute, "BufferToImage-commandBuffer-11780", D32_S8, "18014398509481984",
        "STENCIL_COPY_ON_COMPUTE_QUEUE_BIT_KHR", COMPUTE;
        AS_STENCIL)
LACKING(no_stencil_on_transfer, "BufferToImage-commandBuffer-11781", D32_S8, "36028797018963968",
        "STENCIL_COPY_ON_TRANSFER_QUEUE_BIT_KHR", TRANSFER;
        AS_STENCIL)
COPY_WITH(depth_from_compute, BACK; COMPUTE; AS_DEPTH, MAINTENANCE10, .drivers = NULL_DRIVER)
COPY_WITH(stencil_from_transfer, BACK; TRANSFER; AS_STENCIL, MAINTENANCE10, .drivers = NULL_DRIVER)
LACKING(no_depth_from_compute, "ImageToBuffer-commandBuffer-11790", D32, "4503599627370496",
        "DEPTH_COPY_ON_COMPUTE_QUEUE_BIT_KHR", BACK;
        COMPUTE; AS_DEPTH)
LACKING(no_depth_from_transfer, "ImageToBuffer-commandBuffer-11791", D32, "9007199254740992",
        "DEPTH_COPY_ON_TRANSFER_QUEUE_BIT_KHR", BACK;
        TRANSFER; AS_DEPTH)
LACKING(no_stencil_from_compute, "ImageToBuffer-commandBuffer-11792", D32_S8, "18014398509481984",
        "STENCIL_COPY_ON_COMPUTE_QUEUE_BIT_KHR", BACK;
        COMPUTE; AS_STENCIL)
LACKING(no_stencil_from_transfer, "ImageToBuffer-commandBuffer-11793", D32_S8, "36028797018963968",
        "STENCIL_COPY_ON_TRANSFER_QUEUE_BIT_KHR", BACK;
        TRANSFER; AS_STENCIL)

/* --- blocks that are deep --------------------------------------------------------------------- */

static const VkPhysicalDeviceTextureCompressionASTC3DFeaturesEXT astc_3d = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXTURE_COMPRESSION_ASTC_3D_FEATURES_EXT,
    .textureCompressionASTC_3D = VK_TRUE};
#define DEEP(name_, change_, ...)                                    \
    COPY_WITH(name_, make_copy_deep(&c);                             \
              change_, .drivers = NULL_DRIVER, .features = &astc_3d, \
              .extensions = {VK_EXT_TEXTURE_COMPRESSION_ASTC_3D_EXTENSION_NAME}, ##__VA_ARGS__)

static void make_copy_deep(struct copy *c)
{
    c->image.format = VK_FORMAT_ASTC_3x3x3_UNORM_BLOCK_EXT;
    c->image.imageType = VK_IMAGE_TYPE_3D;
    c->image.extent = (VkExtent3D){9, 9, 8};
    c->regions[0].imageExtent = (VkExtent3D){9, 9, 3};
}

DEEP(deep_blocks, REGION.imageOffset.z = 3)
DEEP(deep_blocks_to_the_end, REGION.imageOffset.z = 6; REGION.imageExtent.depth = 2)
DEEP(deep_offset, REGION.imageOffset.z = 1,
     .expect = {"VUID-vkCmdCopyBufferToImage-dstImage-07276"},
     .text = {"pRegions[0].imageOffset.z is 1"})
DEEP(deep_extent, REGION.imageExtent.depth = 2,
     .expect = {"VUID-vkCmdCopyBufferToImage-dstImage-00209"},
     .text = {"pRegions[0].imageExtent.depth is 2"})
