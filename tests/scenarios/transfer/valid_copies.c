/* Valid copies, fills, blits, clears and resolves at the edges of their chapters. There are last
 * bytes and blocks, aspects, layers that are slices, and what is said as VK_REMAINING_ARRAY_LAYERS.
 * Nothing is found in any of them. */
#include "scenario.h"

#include <string.h>

#define CHAIN(name_, Type_, TYPE_, next_, ...) \
    static const Type_ name_ = {               \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE_, .pNext = (void *)(next_), __VA_ARGS__}
CHAIN(five, VkPhysicalDeviceMaintenance5FeaturesKHR, MAINTENANCE_5_FEATURES_KHR, NULL,
      .maintenance5 = VK_TRUE);
CHAIN(eight, VkPhysicalDeviceMaintenance8FeaturesKHR, MAINTENANCE_8_FEATURES_KHR, &five,
      .maintenance8 = VK_TRUE);
CHAIN(ten, VkPhysicalDeviceMaintenance10FeaturesKHR, MAINTENANCE_10_FEATURES_KHR, &eight,
      .maintenance10 = VK_TRUE);
#define FIVE  .features = &five, .extensions = {"VK_KHR_maintenance5"}
#define EIGHT .features = &eight, .extensions = {"VK_KHR_maintenance5", "VK_KHR_maintenance8"}
#define TEN           \
    .features = &ten, \
    .extensions = {"VK_KHR_maintenance5", "VK_KHR_maintenance8", "VK_KHR_maintenance10"}

#define BOTH_WAYS (VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT)
#define SRC       VK_IMAGE_USAGE_TRANSFER_SRC_BIT
#define DST       VK_IMAGE_USAGE_TRANSFER_DST_BIT
#define GENERAL   VK_IMAGE_LAYOUT_GENERAL
#define COLOR     VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH     VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL   VK_IMAGE_ASPECT_STENCIL_BIT
#define REST      VK_REMAINING_ARRAY_LAYERS

/* --- buffers --- */

SCENARIO(copy_to_the_next_byte)
{
    VkBuffer buffer = make_buffer(b, 16, BOTH_WAYS);
    const VkBufferCopy regions[] = {{0, 5, 5}, {10, 15, 1}};
    vkCmdCopyBuffer(make_recording(b), buffer, buffer, 2, regions);
}

SCENARIO(copy_between_neighbours_in_memory)
{
    VkBufferCreateInfo info = buffer_info(64, BOTH_WAYS);
    VkBuffer first = create_buffer(b, &info), second = create_buffer(b, &info);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(b->device, first, &needs);
    vkGetBufferMemoryRequirements(b->device, second, &needs);
    VkDeviceMemory memory = make_memory(b, needs.size * 2 + needs.alignment);
    VkDeviceSize place = (needs.size + needs.alignment - 1) / needs.alignment * needs.alignment;
    VK(vkBindBufferMemory(b->device, first, memory, 0));
    VK(vkBindBufferMemory(b->device, second, memory, place));
    vkCmdCopyBuffer(make_recording(b), first, second, 1, &(VkBufferCopy){0, 0, 64});
}

SCENARIO(copy_between_aliases)
{
    VkBufferCreateInfo info = buffer_info(64, BOTH_WAYS);
    VkBuffer first = create_buffer(b, &info), second = create_buffer(b, &info);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(b->device, first, &needs);
    vkGetBufferMemoryRequirements(b->device, second, &needs);
    VkDeviceMemory memory = make_memory(b, needs.size);
    VK(vkBindBufferMemory(b->device, first, memory, 0));
    VK(vkBindBufferMemory(b->device, second, memory, 0));
    vkCmdCopyBuffer(make_recording(b), first, second, 1, &(VkBufferCopy){0, 32, 32});
}

/* "If VK_WHOLE_SIZE is used and the remaining size of the buffer is not a multiple of 4, then the
 * nearest smaller multiple is used." */
SCENARIO(fill_all_of_an_odd_size)
{
    VkCommandBuffer c = make_recording(b);
    vkCmdFillBuffer(c, make_buffer(b, 63, BOTH_WAYS), 0, VK_WHOLE_SIZE, 7);
    vkCmdFillBuffer(c, make_buffer(b, 63, BOTH_WAYS), 60, VK_WHOLE_SIZE, 7);
    vkCmdFillBuffer(c, make_buffer(b, 63, BOTH_WAYS), 56, 4, 7);
}

SCENARIO(update_most)
{
    static const uint32_t data[16384];
    vkCmdUpdateBuffer(make_recording(b), make_buffer(b, 65536 + 4, BOTH_WAYS), 4, 65536, data);
}

/* --- images --- */

struct copy {
    VkImageCreateInfo source, target;
    VkImageCopy region;
};

static struct copy plain_valid_copy(void)
{
    return (struct copy){image_info(SRC),
                         image_info(DST),
                         {{COLOR, 0, 0, 1},
                          {0, 0, 0},
                          {COLOR, 0, 0, 1},
                          {0, 0, 0},
                          {IMAGE_EXTENT, IMAGE_EXTENT, 1}}};
}

/* By both forms, each within a recording that has transitions before. */
static void record_valid_copy(struct baseline *b, const struct copy *copy)
{
    VkImage source = make_image_of(b, &copy->source), target = make_image_of(b, &copy->target);
    VkCommandBuffer c = make_recording(b);
    const VkImageCopy2 region = {VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                                 NULL,
                                 copy->region.srcSubresource,
                                 copy->region.srcOffset,
                                 copy->region.dstSubresource,
                                 copy->region.dstOffset,
                                 copy->region.extent};
    const VkCopyImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
                                   .srcImage = source,
                                   .srcImageLayout = GENERAL,
                                   .dstImage = target,
                                   .dstImageLayout = GENERAL,
                                   .regionCount = 1,
                                   .pRegions = &region};
    vkCmdCopyImage(c, source, GENERAL, target, GENERAL, 1, &copy->region);
    vkCmdCopyImage2(c, &info);
}

#define UNWRAP(...) __VA_ARGS__
#define COPY(name_, fields_, ...)           \
    SCENARIO(name_, UNWRAP fields_)         \
    {                                       \
        struct copy c = plain_valid_copy(); \
        __VA_ARGS__;                        \
        record_valid_copy(b, &c);           \
    }
#define FROM c.region.srcSubresource
#define TO   c.region.dstSubresource

static void make_flat(VkImageCreateInfo *info, uint32_t layers)
{
    info->arrayLayers = layers;
}

static void make_deep(VkImageCreateInfo *info, uint32_t depth)
{
    info->imageType = VK_IMAGE_TYPE_3D;
    info->extent.depth = depth;
}

static void make_line(VkImageCreateInfo *info)
{
    info->imageType = VK_IMAGE_TYPE_1D;
    info->extent.height = 1;
}

static void set_formats(struct copy *c, VkFormat from, VkFormat to)
{
    c->source.format = from;
    c->target.format = to;
}

COPY(all_other_layers, (FIVE), make_flat(&c.source, 5); make_flat(&c.target, 3);
     FROM.baseArrayLayer = 2; FROM.layerCount = TO.layerCount = REST)
COPY(other_layers_and_a_count, (FIVE), make_flat(&c.source, 5); make_flat(&c.target, 7);
     FROM.baseArrayLayer = 2; FROM.layerCount = REST; TO.layerCount = 3; TO.baseArrayLayer = 4)
COPY(slices_and_all_other_layers, (FIVE), make_deep(&c.source, 4); make_flat(&c.target, 4);
     TO.layerCount = REST; c.region.extent.depth = 4)
COPY(all_other_layers_to_slices, (FIVE), make_deep(&c.target, 8); make_flat(&c.source, 4);
     FROM.layerCount = REST; c.region.extent.depth = 4; c.region.dstOffset.z = 4)
COPY(line_to_flat, (FIVE), make_line(&c.source); c.region.extent.height = 1;
     c.region.dstOffset.y = 63)
COPY(flat_to_line, (FIVE), make_line(&c.target); c.region.extent.height = 1;
     c.region.srcOffset.y = 9)
COPY(line_to_deep, (FIVE), make_line(&c.source); make_deep(&c.target, 4);
     c.region.extent.height = 1; c.region.dstOffset.z = 3)
COPY(slices_to_slices, (), make_deep(&c.source, 8); make_deep(&c.target, 8);
     c.region.srcOffset.z = 6; c.region.extent.depth = 2)
COPY(last_level, (), c.source.mipLevels = c.target.mipLevels = 7; FROM.mipLevel = TO.mipLevel = 6;
     c.region.extent = ((VkExtent3D){1, 1, 1}))
COPY(samples, (), c.source.samples = c.target.samples = VK_SAMPLE_COUNT_4_BIT;
     c.source.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
     c.target.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)
COPY(stencil_of_both, (),
     set_formats(&c, VK_FORMAT_D32_SFLOAT_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT);
     FROM.aspectMask = TO.aspectMask = STENCIL)
COPY(blocks_of_small_levels, (.drivers = NULL_DRIVER),
     set_formats(&c, VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_FORMAT_BC1_RGB_UNORM_BLOCK);
     c.source.mipLevels = c.target.mipLevels = 7; FROM.mipLevel = 6; TO.mipLevel = 5;
     c.region.extent = ((VkExtent3D){1, 1, 1}))
COPY(blocks_of_unequal_levels, (.drivers = NULL_DRIVER),
     set_formats(&c, VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_FORMAT_BC1_RGB_UNORM_BLOCK);
     c.source.extent.width = c.source.extent.height = 62; c.region.srcOffset.x = 60;
     c.region.dstOffset.x = 60; c.region.extent = ((VkExtent3D){2, 4, 1}))
COPY(blocks_to_words, (.drivers = NULL_DRIVER),
     set_formats(&c, VK_FORMAT_BC3_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT);
     c.target.extent.width = 16; c.target.extent.height = 16)
COPY(words_to_blocks_of_a_small_level, (.drivers = NULL_DRIVER),
     set_formats(&c, VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_BC3_UNORM_BLOCK);
     c.target.mipLevels = 7; TO.mipLevel = 6; c.region.extent = ((VkExtent3D){1, 1, 1}))
COPY(depth_to_color, (EIGHT), set_formats(&c, VK_FORMAT_D32_SFLOAT, VK_FORMAT_R32_SFLOAT);
     FROM.aspectMask = DEPTH)
COPY(color_to_depth, (EIGHT), set_formats(&c, VK_FORMAT_R16_UNORM, VK_FORMAT_D16_UNORM);
     TO.aspectMask = DEPTH)
COPY(stencil_to_color, (EIGHT), set_formats(&c, VK_FORMAT_D32_SFLOAT_S8_UINT, VK_FORMAT_R8_UINT);
     FROM.aspectMask = STENCIL)
COPY(linear_to_optimal, (), c.source.tiling = VK_IMAGE_TILING_LINEAR)
COPY(other_channels_of_one_size, (),
     set_formats(&c, VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_B8G8R8A8_SRGB))

SCENARIO(copy_between_levels_of_one_image)
{
    VkImageCreateInfo info = image_info(SRC | DST);
    info.mipLevels = 2;
    VkImage image = make_image_of(b, &info);
    const VkImageCopy region = {{COLOR, 0, 0, 1},
                                {0, 0, 0},
                                {COLOR, 1, 0, 1},
                                {0, 0, 0},
                                {IMAGE_EXTENT / 2, IMAGE_EXTENT / 2, 1}};
    vkCmdCopyImage(make_recording(b), image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, image,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
}

/* --- buffers and images --- */

static void copy_both(struct baseline *b, const VkImageCreateInfo *image, VkDeviceSize size,
                      VkBufferImageCopy region)
{
    VkImageCreateInfo info = *image;
    info.usage = SRC | DST;
    VkImage made = make_image_of(b, &info);
    VkBuffer buffer = make_buffer(b, size, BOTH_WAYS);
    VkCommandBuffer c = make_recording(b);
    vkCmdCopyBufferToImage(c, buffer, made, GENERAL, 1, &region);
    vkCmdCopyImageToBuffer(c, made, GENERAL, buffer, 1, &region);
}

#define REGION(...) ((VkBufferImageCopy){__VA_ARGS__})
#define BUFFER_COPY(name_, fields_, size_, region_, ...) \
    SCENARIO(name_, UNWRAP fields_)                      \
    {                                                    \
        VkImageCreateInfo i = image_info(SRC);           \
        __VA_ARGS__;                                     \
        copy_both(b, &i, size_, region_);                \
    }
#define WHOLE .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}
BUFFER_COPY(stencil_bytes, (), 64 * 64, REGION(.imageSubresource = {STENCIL, 0, 0, 1}, WHOLE),
            i.format = VK_FORMAT_D32_SFLOAT_S8_UINT)
BUFFER_COPY(depth_words, (), 64 * 64 * 4, REGION(.imageSubresource = {DEPTH, 0, 0, 1}, WHOLE),
            i.format = VK_FORMAT_D32_SFLOAT_S8_UINT)
BUFFER_COPY(half_words_of_depth, (), 64 * 64 * 2 + 4,
            REGION(.bufferOffset = 4, .imageSubresource = {DEPTH, 0, 0, 1}, WHOLE),
            i.format = VK_FORMAT_D16_UNORM)
/* The last row does not reach to the row length, nor the last slice to the height. */
BUFFER_COPY(last_row_is_short, (), (2 * 100 * 9 + 7 * 9 + 8) * 4,
            REGION(.bufferRowLength = 9, .bufferImageHeight = 100,
                   .imageSubresource = {COLOR, 0, 0, 3}, .imageExtent = {8, 8, 1}),
            make_flat(&i, 3))
BUFFER_COPY(rest_of_the_layers, (FIVE), 2 * 64 * 64 * 4,
            REGION(.imageSubresource = {COLOR, 0, 1, REST}, WHOLE), make_flat(&i, 3))
BUFFER_COPY(slices_of_a_level, (), 32 * 32 * 2 * 4,
            REGION(.imageSubresource = {COLOR, 1, 0, 1}, .imageOffset = {0, 0, 2},
                   .imageExtent = {32, 32, 2}),
            make_deep(&i, 8);
            i.mipLevels = 2)
BUFFER_COPY(block_of_a_small_level, (.drivers = NULL_DRIVER), 8,
            REGION(.bufferRowLength = 4, .bufferImageHeight = 4,
                   .imageSubresource = {COLOR, 5, 0, 1}, .imageExtent = {2, 2, 1}),
            i.format = VK_FORMAT_BC1_RGB_UNORM_BLOCK;
            i.mipLevels = 6)
BUFFER_COPY(three_bytes_of_one, (), 3 * 64 + 1,
            REGION(.bufferOffset = 1, .imageSubresource = {COLOR, 0, 0, 1},
                   .imageExtent = {64, 3, 1}),
            i.format = VK_FORMAT_R8_UNORM)
BUFFER_COPY(line, (), 64 * 4,
            REGION(.imageSubresource = {COLOR, 0, 0, 1}, .imageExtent = {64, 1, 1}), make_line(&i))
BUFFER_COPY(plane_of_half_size, (.drivers = NULL_DRIVER), 32 * 32 * 2,
            REGION(.imageSubresource = {VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 0, 1},
                   .imageExtent = {32, 32, 1}),
            i.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM)

/* --- blits --- */

static void blit_valid(struct baseline *b, const VkImageCreateInfo *from,
                       const VkImageCreateInfo *to, const VkImageBlit *region, VkFilter filter)
{
    VkImage source = make_image_of(b, from), target = make_image_of(b, to);
    vkCmdBlitImage(make_recording(b), source, GENERAL, target, GENERAL, 1, region, filter);
}

#define BLIT(name_, fields_, filter_, ...)                \
    SCENARIO(name_, UNWRAP fields_)                       \
    {                                                     \
        struct copy c = plain_valid_copy();               \
        VkImageBlit r = {{COLOR, 0, 0, 1},                \
                         {{0, 0, 0}, {64, 64, 1}},        \
                         {COLOR, 0, 0, 1},                \
                         {{0, 0, 0}, {64, 64, 1}}};       \
        __VA_ARGS__;                                      \
        blit_valid(b, &c.source, &c.target, &r, filter_); \
    }
BLIT(blit_turned, (), VK_FILTER_LINEAR, r.srcOffsets[0].x = 64; r.srcOffsets[1].x = 0;
     r.dstOffsets[0].y = 64; r.dstOffsets[1].y = 32)
BLIT(blit_of_nothing, (), VK_FILTER_NEAREST, r.srcOffsets[1].x = r.srcOffsets[0].x)
BLIT(blit_to_slices, (), VK_FILTER_LINEAR, make_deep(&c.source, 4); make_deep(&c.target, 8);
     r.srcOffsets[1].z = 4; r.dstOffsets[1].z = 8)
BLIT(blit_integers, (), VK_FILTER_NEAREST, set_formats(&c, VK_FORMAT_R8_UINT, VK_FORMAT_R32_UINT))
BLIT(blit_depth, (), VK_FILTER_NEAREST, set_formats(&c, VK_FORMAT_D32_SFLOAT, VK_FORMAT_D32_SFLOAT);
     r.srcSubresource.aspectMask = r.dstSubresource.aspectMask = DEPTH; r.dstOffsets[1].x = 32)
BLIT(blit_line, (), VK_FILTER_NEAREST, make_line(&c.source); make_line(&c.target);
     r.srcOffsets[1] = r.dstOffsets[1] = ((VkOffset3D){64, 1, 1}); r.dstOffsets[1].x = 5)
BLIT(blit_all_other_layers, (FIVE), VK_FILTER_NEAREST, make_flat(&c.source, 3);
     make_flat(&c.target, 3); r.srcSubresource.layerCount = r.dstSubresource.layerCount = REST)
BLIT(blit_level_to_level, (), VK_FILTER_LINEAR, c.source.mipLevels = c.target.mipLevels = 7;
     r.srcSubresource.mipLevel = 5; r.srcOffsets[1] = ((VkOffset3D){2, 2, 1});
     r.dstSubresource.mipLevel = 6; r.dstOffsets[1] = ((VkOffset3D){1, 1, 1}))

/* --- clears --- */

SCENARIO(clear_what_remains)
{
    VkImageCreateInfo info = image_info(DST);
    info.mipLevels = 4;
    info.arrayLayers = 3;
    const VkClearColorValue value = {{0}};
    const VkImageSubresourceRange ranges[] = {
        {COLOR, 1, VK_REMAINING_MIP_LEVELS, 2, REST}, {COLOR, 0, 1, 0, 1}, {COLOR, 3, 1, 0, 3}};
    vkCmdClearColorImage(make_recording(b), make_image_of(b, &info), GENERAL, &value, 3, ranges);
}

SCENARIO(clear_one_aspect)
{
    VkImageCreateInfo info = image_info(DST);
    info.format = VK_FORMAT_D32_SFLOAT_S8_UINT;
    const VkClearDepthStencilValue value = {1, 300};
    const VkImageSubresourceRange ranges[] = {{STENCIL, 0, 1, 0, 1},
                                              {DEPTH, 0, VK_REMAINING_MIP_LEVELS, 0, REST}};
    vkCmdClearDepthStencilImage(make_recording(b), make_image_of(b, &info), GENERAL, &value, 2,
                                ranges);
}

SCENARIO(clear_beyond_one, .extensions = {"VK_EXT_depth_range_unrestricted"})
{
    VkImageCreateInfo info = image_info(DST);
    info.format = VK_FORMAT_D32_SFLOAT;
    const VkClearDepthStencilValue value = {-7, 0};
    const VkImageSubresourceRange range = {DEPTH, 0, 1, 0, 1};
    vkCmdClearDepthStencilImage(make_recording(b), make_image_of(b, &info), GENERAL, &value, 1,
                                &range);
}

/* The depth is of no meaning where stencil alone is cleared. */
SCENARIO(clear_stencil_with_any_depth)
{
    VkImageCreateInfo info = image_info(DST);
    info.format = VK_FORMAT_S8_UINT;
    const VkClearDepthStencilValue value = {0, 1};
    const VkImageSubresourceRange range = {STENCIL, 0, 1, 0, 1};
    vkCmdClearDepthStencilImage(make_recording(b), make_image_of(b, &info), GENERAL, &value, 1,
                                &range);
}

/* --- resolves --- */

static void resolve_valid(struct baseline *b, VkImageCreateInfo from, VkImageCreateInfo to,
                          const VkImageResolve *region)
{
    from.samples = VK_SAMPLE_COUNT_4_BIT;
    from.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    to.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    VkImage source = make_image_of(b, &from), target = make_image_of(b, &to);
    VkCommandBuffer c = make_recording(b);
    vkCmdResolveImage(c, source, GENERAL, target, GENERAL, 1, region);
    const VkImageResolve2 region2 = {VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2,
                                     NULL,
                                     region->srcSubresource,
                                     region->srcOffset,
                                     region->dstSubresource,
                                     region->dstOffset,
                                     region->extent};
    const VkResolveImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2,
                                      .srcImage = source,
                                      .srcImageLayout = GENERAL,
                                      .dstImage = target,
                                      .dstImageLayout = GENERAL,
                                      .regionCount = 1,
                                      .pRegions = &region2};
    vkCmdResolveImage2(c, &info);
}
#define RESOLVE(name_, fields_, ...)              \
    SCENARIO(name_, UNWRAP fields_)               \
    {                                             \
        struct copy c = plain_valid_copy();       \
        VkImageResolve r;                         \
        memcpy(&r, &c.region, sizeof(r));         \
        __VA_ARGS__;                              \
        resolve_valid(b, c.source, c.target, &r); \
    }
RESOLVE(resolve_to_a_level, (), c.target.mipLevels = 2; r.dstSubresource.mipLevel = 1;
        r.srcOffset.x = 32; r.extent = ((VkExtent3D){32, 32, 1}))
RESOLVE(resolve_layers, (), make_flat(&c.source, 3); make_flat(&c.target, 5);
        r.srcSubresource.layerCount = 2; r.dstSubresource.layerCount = 2;
        r.dstSubresource.baseArrayLayer = 3)
RESOLVE(resolve_all_other_layers, (FIVE), make_flat(&c.source, 3); make_flat(&c.target, 5);
        r.srcSubresource.layerCount = REST; r.dstSubresource.layerCount = 3)
RESOLVE(resolve_to_a_slice, (), make_deep(&c.target, 4); r.dstOffset.z = 3)
RESOLVE(resolve_integers, (), set_formats(&c, VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R8G8B8A8_UINT))

/* Depth is resolved with a mode, and stencil is left alone, as independentResolveNone allows. */
SCENARIO(resolve_depth_of_both, TEN, .drivers = NULL_DRIVER)
{
    struct copy c = plain_valid_copy();
    set_formats(&c, VK_FORMAT_D32_SFLOAT_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT);
    c.source.samples = VK_SAMPLE_COUNT_4_BIT;
    c.source.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    c.target.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    const VkResolveImageModeInfoKHR mode = {.sType = VK_STRUCTURE_TYPE_RESOLVE_IMAGE_MODE_INFO_KHR,
                                            .resolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT};
    const VkImageResolve2 region = {.sType = VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2,
                                    .srcSubresource = {DEPTH, 0, 0, 1},
                                    .dstSubresource = {DEPTH, 0, 0, 1},
                                    .extent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    const VkResolveImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2,
                                      .pNext = &mode,
                                      .srcImage = make_image_of(b, &c.source),
                                      .srcImageLayout = GENERAL,
                                      .dstImage = make_image_of(b, &c.target),
                                      .dstImageLayout = GENERAL,
                                      .regionCount = 1,
                                      .pRegions = &region};
    vkCmdResolveImage2(make_recording(b), &info);
}
