/* Valid copies and transitions by the host, at the edges: last texels and blocks, odd mip levels,
 * planes, aspects side by side in memory. There are slices, what remains, and gaps between rows.
 * Nothing is found in any of them. */
#include "scenario.h"

#define HOST    VK_IMAGE_USAGE_HOST_TRANSFER_BIT
#define COLOR   VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH   VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT
#define GENERAL VK_IMAGE_LAYOUT_GENERAL
#define D32S8   VK_FORMAT_D32_SFLOAT_S8_UINT
#define MEMCPY  VK_HOST_IMAGE_COPY_MEMCPY_BIT
#define REST    VK_REMAINING_ARRAY_LAYERS

static const VkPhysicalDeviceHostImageCopyFeatures host_image_copy = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_FEATURES, .hostImageCopy = VK_TRUE};
#define WITH_HOST \
    .features = &host_image_copy, .extensions = {VK_EXT_HOST_IMAGE_COPY_EXTENSION_NAME}

static char bytes[2 * IMAGE_EXTENT * IMAGE_EXTENT * 16];

static VkHostImageLayoutTransitionInfo transition_info(VkImage image, VkImageSubresourceRange range,
                                                       VkImageLayout from, VkImageLayout to)
{
    return (VkHostImageLayoutTransitionInfo){
        .sType = VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO,
        .image = image,
        .oldLayout = from,
        .newLayout = to,
        .subresourceRange = range};
}

/* In VK_IMAGE_LAYOUT_GENERAL. */
static VkImage make_valid_host_image(struct baseline *b, const VkImageCreateInfo *info,
                                     VkImageAspectFlags aspects)
{
    VkImage image = make_image_of(b, info);
    const VkHostImageLayoutTransitionInfo transition =
        transition_info(image,
                        (VkImageSubresourceRange){aspects, 0, VK_REMAINING_MIP_LEVELS, 0, REST},
                        VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
    VK(DEVICE_PROC(b, vkTransitionImageLayoutEXT)(b->device, 1, &transition));
    return image;
}

struct region {
    uint32_t at, row, height; /* bytes after the beginning; texels */
    VkImageSubresourceLayers layers;
    VkOffset3D offset;
    VkExtent3D extent;
};

/* From memory into the image, and back. */
static void both_ways(struct baseline *b, VkImage image, VkHostImageCopyFlags flags, uint32_t count,
                      const struct region *regions)
{
    VkMemoryToImageCopy in[4];
    VkImageToMemoryCopy out[4];
    for (uint32_t i = 0; i < count; i++) {
        const struct region *r = &regions[i];
        in[i] = (VkMemoryToImageCopy){.sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY,
                                      .pHostPointer = bytes + r->at,
                                      .memoryRowLength = r->row,
                                      .memoryImageHeight = r->height,
                                      .imageSubresource = r->layers,
                                      .imageOffset = r->offset,
                                      .imageExtent = r->extent};
        out[i] = (VkImageToMemoryCopy){.sType = VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY,
                                       .pHostPointer = bytes + r->at,
                                       .memoryRowLength = r->row,
                                       .memoryImageHeight = r->height,
                                       .imageSubresource = r->layers,
                                       .imageOffset = r->offset,
                                       .imageExtent = r->extent};
    }
    const VkCopyMemoryToImageInfo to_image = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO,
                                              .flags = flags,
                                              .dstImage = image,
                                              .dstImageLayout = GENERAL,
                                              .regionCount = count,
                                              .pRegions = in};
    const VkCopyImageToMemoryInfo to_memory = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO,
                                               .flags = flags,
                                               .srcImage = image,
                                               .srcImageLayout = GENERAL,
                                               .regionCount = count,
                                               .pRegions = out};
    VK(DEVICE_PROC(b, vkCopyMemoryToImageEXT)(b->device, &to_image));
    VK(DEVICE_PROC(b, vkCopyImageToMemoryEXT)(b->device, &to_memory));
}

SCENARIO(host_last_texels, WITH_HOST)
{
    VkImageCreateInfo info = image_info(HOST);
    info.mipLevels = 7;
    info.arrayLayers = 3;
    const struct region regions[] = {{0, 0, 0, {COLOR, 0, 2, 1}, {63, 63, 0}, {1, 1, 1}},
                                     {4, 0, 0, {COLOR, 6, 0, 3}, {0, 0, 0}, {1, 1, 1}},
                                     {16, 0, 0, {COLOR, 5, 0, 1}, {1, 0, 0}, {1, 2, 1}}};
    both_ways(b, make_valid_host_image(b, &info, COLOR), 0, 3, regions);
}

/* A region may lie in the gaps between another one's rows. */
SCENARIO(host_rows_in_gaps, WITH_HOST)
{
    const VkImageCreateInfo info = image_info(HOST);
    const struct region regions[] = {{0, 64, 0, {COLOR, 0, 0, 1}, {0, 0, 0}, {32, 64, 1}},
                                     {128, 64, 0, {COLOR, 0, 0, 1}, {32, 0, 0}, {32, 64, 1}}};
    both_ways(b, make_valid_host_image(b, &info, COLOR), 0, 2, regions);
}

SCENARIO(host_slices, WITH_HOST)
{
    VkImageCreateInfo info = image_info(HOST);
    info.imageType = VK_IMAGE_TYPE_3D;
    info.extent = (VkExtent3D){8, 8, 5};
    const struct region regions[] = {{0, 0, 0, {COLOR, 0, 0, 1}, {0, 0, 4}, {8, 8, 1}},
                                     {256, 8, 12, {COLOR, 0, 0, 1}, {0, 0, 0}, {8, 8, 4}}};
    both_ways(b, make_valid_host_image(b, &info, COLOR), 0, 2, regions);
}

SCENARIO(host_line, WITH_HOST)
{
    VkImageCreateInfo info = image_info(HOST);
    info.imageType = VK_IMAGE_TYPE_1D;
    info.extent.height = 1;
    info.arrayLayers = 2;
    both_ways(b, make_valid_host_image(b, &info, COLOR), 0, 1,
              &(struct region){0, 0, 0, {COLOR, 0, 1, 1}, {63, 0, 0}, {1, 1, 1}});
}

/* The last level of 30 x 30 texels is 3 x 3: less than a block. */
SCENARIO(host_part_of_a_block, WITH_HOST)
{
    VkImageCreateInfo info = image_info(HOST);
    info.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK;
    info.extent = (VkExtent3D){30, 30, 1};
    info.mipLevels = 4;
    const struct region regions[] = {{0, 0, 0, {COLOR, 3, 0, 1}, {0, 0, 0}, {3, 3, 1}},
                                     {64, 0, 0, {COLOR, 0, 0, 1}, {28, 28, 0}, {2, 2, 1}},
                                     {128, 8, 8, {COLOR, 1, 0, 1}, {4, 8, 0}, {8, 7, 1}}};
    both_ways(b, make_valid_host_image(b, &info, COLOR), 0, 3, regions);
}

/* An image that is not disjoint has one layout for all of its planes, by the color aspect. */
SCENARIO(host_planes, WITH_HOST)
{
    VkImageCreateInfo info = image_info(HOST);
    info.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    const struct region regions[] = {
        {0, 0, 0, {VK_IMAGE_ASPECT_PLANE_0_BIT, 0, 0, 1}, {0, 0, 0}, {64, 64, 1}},
        {4096, 0, 0, {VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 0, 1}, {0, 0, 0}, {32, 32, 1}}};
    both_ways(b, make_valid_host_image(b, &info, COLOR), 0, 2, regions);
}

SCENARIO(host_aspects_side_by_side, WITH_HOST, .drivers = NULL_DRIVER)
{
    VkImageCreateInfo info = image_info(HOST);
    info.format = D32S8;
    const struct region regions[] = {{0, 0, 0, {DEPTH, 0, 0, 1}, {0, 0, 0}, {64, 64, 1}},
                                     {16384, 0, 0, {STENCIL, 0, 0, 1}, {0, 0, 0}, {64, 64, 1}}};
    both_ways(b, make_valid_host_image(b, &info, DEPTH | STENCIL), 0, 2, regions);
}

SCENARIO(host_memcpy_of_each_level, WITH_HOST)
{
    VkImageCreateInfo info = image_info(HOST);
    info.mipLevels = 2;
    const struct region regions[] = {{0, 0, 0, {COLOR, 0, 0, 1}, {0, 0, 0}, {64, 64, 1}},
                                     {65536, 0, 0, {COLOR, 1, 0, 1}, {0, 0, 0}, {32, 32, 1}}};
    both_ways(b, make_valid_host_image(b, &info, COLOR), MEMCPY, 2, regions);
}

/* --- transitions --- */

/* The second element finds what the first one leaves, or what was there before: no sentence says.
 */
SCENARIO(host_transitions_of_one_image, WITH_HOST)
{
    VkImageCreateInfo info = image_info(HOST);
    info.mipLevels = 2;
    VkImage image = make_image_of(b, &info);
    const VkImageSubresourceRange first = {COLOR, 0, 1, 0, 1}, second = {COLOR, 1, 1, 0, 1};
    const VkHostImageLayoutTransitionInfo transitions[] = {
        transition_info(image, first, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL),
        transition_info(image, second, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL),
        transition_info(image, first, GENERAL, GENERAL)};
    VK(DEVICE_PROC(b, vkTransitionImageLayoutEXT)(b->device, 3, transitions));
    both_ways(b, image, 0, 1, &(struct region){0, 0, 0, {COLOR, 1, 0, 1}, {0, 0, 0}, {32, 32, 1}});
}

SCENARIO(host_transition_from_anything, WITH_HOST)
{
    const VkImageCreateInfo info = image_info(HOST);
    VkImage image = make_valid_host_image(b, &info, COLOR);
    const VkHostImageLayoutTransitionInfo transition =
        transition_info(image, color_range(), VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
    VK(DEVICE_PROC(b, vkTransitionImageLayoutEXT)(b->device, 1, &transition));
}

/* A command buffer that has run has left the image so. */
SCENARIO(host_copy_behind_a_barrier, WITH_HOST)
{
    const VkImageCreateInfo info = image_info(HOST | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    VkImage image = make_image_of(b, &info);
    VkCommandBuffer c = make_recording(b);
    const VkImageMemoryBarrier barrier = image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         0, 0, NULL, 0, NULL, 1, &barrier);
    VK(vkEndCommandBuffer(c));
    const VkSubmitInfo submit = submit_info(&c);
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
    both_ways(b, image, 0, 1, &(struct region){0, 0, 0, {COLOR, 0, 0, 1}, {0, 0, 0}, {64, 64, 1}});
}

/* --- between images --- */

static void copy_across(struct baseline *b, VkImage from, VkImage to, VkHostImageCopyFlags flags,
                        const VkImageCopy2 *region)
{
    const VkCopyImageToImageInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_IMAGE_INFO,
                                         .flags = flags,
                                         .srcImage = from,
                                         .srcImageLayout = GENERAL,
                                         .dstImage = to,
                                         .dstImageLayout = GENERAL,
                                         .regionCount = 1,
                                         .pRegions = region};
    VK(DEVICE_PROC(b, vkCopyImageToImageEXT)(b->device, &info));
}

SCENARIO(host_across_layers_of_one_image, WITH_HOST)
{
    VkImageCreateInfo info = image_info(HOST);
    info.arrayLayers = 2;
    VkImage image = make_valid_host_image(b, &info, COLOR);
    VkImageCopy2 region = {.sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                           .srcSubresource = {COLOR, 0, 0, 1},
                           .dstSubresource = {COLOR, 0, 1, 1},
                           .extent = {64, 64, 1}};
    copy_across(b, image, image, MEMCPY, &region);
    region.dstSubresource.baseArrayLayer = 0;
    region.dstOffset.x = 32;
    region.extent.width = 32;
    copy_across(b, image, image, 0, &region);
}

SCENARIO(host_across_the_last_block, WITH_HOST)
{
    VkImageCreateInfo info = image_info(HOST);
    info.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK;
    info.extent = (VkExtent3D){30, 30, 1};
    const VkImageCopy2 region = {.sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                                 .srcSubresource = {COLOR, 0, 0, 1},
                                 .srcOffset = {28, 0, 0},
                                 .dstSubresource = {COLOR, 0, 0, 1},
                                 .dstOffset = {28, 28, 0},
                                 .extent = {2, 2, 1}};
    VkImageCopy2 to_the_end = region;
    to_the_end.srcOffset.y = 28;
    copy_across(b, make_valid_host_image(b, &info, COLOR), make_valid_host_image(b, &info, COLOR),
                0, &to_the_end);
}
