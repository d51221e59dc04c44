/* Records copies, clears, blits and resolves in the valid mode, between random parts of images. */
#include "valid.h"

#define COPY_MOST 16 /* texels along each side */

/* --- buffers --- */

static void fill_any_buffer(struct recording *rec)
{
    struct random *r = rec->r;
    static const uint32_t data[16] = {1, 2, 3};
    struct buffer *buffer = need_buffer(rec->v, r, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 256);
    if (!buffer)
        return;
    use(rec, &buffer->head);
    if (random_chance(r, 50))
        RECORD(CmdUpdateBuffer, buffer->handle, 4 * random_below(r, 32),
               4 + 4 * random_below(r, 16), data);
    else
        RECORD(CmdFillBuffer, buffer->handle, 4 * random_below(r, 32),
               random_chance(r, 50) ? VK_WHOLE_SIZE : 4 + 4 * random_below(r, 32), 7);
}

static void copy_buffer(struct recording *rec)
{
    struct random *r = rec->r;
    struct buffer *source = need_buffer(rec->v, r, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, 512);
    if (!source)
        return;
    use(rec, &source->head);
    struct buffer *target = need_buffer(rec->v, r, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 512);
    if (!target)
        return;
    use(rec, &target->head);
    VkBufferCopy regions[2] = {
        {random_below(r, 64), 256 + random_below(r, 64), 1 + random_below(r, 64)},
        {128, 400, 1 + random_below(r, 64)}};
    VkBufferCopy2 regions2[2];
    for (int i = 0; i < 2; i++)
        regions2[i] = (VkBufferCopy2){VK_STRUCTURE_TYPE_BUFFER_COPY_2, NULL, regions[i].srcOffset,
                                      regions[i].dstOffset, regions[i].size};
    VkCopyBufferInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2,
                              .srcBuffer = source->handle,
                              .dstBuffer = target->handle,
                              .regionCount = 1 + random_below(r, 2),
                              .pRegions = regions2};
    if (random_chance(r, 50))
        RECORD(CmdCopyBuffer2, &info);
    else
        RECORD(CmdCopyBuffer, source->handle, target->handle, info.regionCount, regions);
}

/* --- images --- */

static VkFormat any_format(struct random *r, uint32_t family)
{
    if (random_chance(r, 15))
        return VK_FORMAT_BC1_RGB_UNORM_BLOCK;
    return family == 0 && random_chance(r, 25) ? any_depth_format(r) : any_color_format(r);
}

static struct image *image_for(struct recording *rec, VkImageUsageFlags usage, VkFormat format,
                               VkSampleCountFlagBits samples)
{
    struct image *image = need_image(rec->v, rec->r, usage, format, samples);
    if (image)
        use(rec, &image->head);
    return image;
}

static VkImageAspectFlags one_aspect(struct random *r, const struct image *image)
{
    const VkImageAspectFlags both = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    if (image->aspects != both)
        return image->aspects;
    return random_chance(r, 50) ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_STENCIL_BIT;
}

static VkImageSubresourceLayers any_layers(struct random *r, const struct image *image,
                                           uint32_t most)
{
    VkImageSubresourceLayers layers = {one_aspect(r, image), random_below(r, image->info.mipLevels),
                                       0, 1};
    if (image->info.arrayLayers > 1 && most > 1 && random_chance(r, 40))
        layers.layerCount = image->info.arrayLayers < most ? image->info.arrayLayers : most;
    else
        layers.baseArrayLayer = random_below(r, image->info.arrayLayers);
    return layers;
}

/* Along one axis: a part that begins and ends at a block's border, or at the level's. */
static void any_part(struct random *r, uint32_t size, uint32_t block, bool whole, int32_t *offset,
                     uint32_t *extent)
{
    uint32_t blocks = size / block;
    *offset = 0;
    *extent = size;
    if (whole || blocks == 0)
        return;
    uint32_t first = random_below(r, blocks),
             most = blocks - first < COPY_MOST ? blocks - first : COPY_MOST;
    *offset = (int32_t)(first * block);
    *extent = (1 + random_below(r, most)) * block;
}

static void any_box(struct random *r, const struct image *image, uint32_t level, bool whole,
                    VkOffset3D *offset, VkExtent3D *extent)
{
    VkExtent3D size = level_extent(image, level);
    uint32_t block = format_block(image->info.format);
    if (size.width < block || size.height < block)
        whole = true;
    any_part(r, size.width, block, whole, &offset->x, &extent->width);
    any_part(r, size.height, block, whole, &offset->y, &extent->height);
    any_part(r, size.depth, 1, whole, &offset->z, &extent->depth);
}

static void copy_between(struct recording *rec)
{
    struct random *r = rec->r;
    bool to_image = random_chance(r, 50);
    VkFormat format = any_format(r, rec->family);
    struct image *image =
        image_for(rec, to_image ? VK_IMAGE_USAGE_TRANSFER_DST_BIT : VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                  format, VK_SAMPLE_COUNT_1_BIT);
    if (!image)
        return;
    VkBufferImageCopy region = {.imageSubresource = any_layers(r, image, 4),
                                .bufferOffset = 16 * random_below(r, 4)};
    any_box(r, image, region.imageSubresource.mipLevel, rec->family == 2, &region.imageOffset,
            &region.imageExtent);
    if (random_chance(r, 30)) {
        region.bufferRowLength = (region.imageExtent.width + 3) / 4 * 4 + 4 * random_below(r, 4);
        region.bufferImageHeight = (region.imageExtent.height + 3) / 4 * 4;
    }
    VkDeviceSize row = region.bufferRowLength ? region.bufferRowLength : region.imageExtent.width;
    VkDeviceSize rows =
        region.bufferImageHeight ? region.bufferImageHeight : region.imageExtent.height;
    VkDeviceSize size = row * rows * region.imageExtent.depth * region.imageSubresource.layerCount *
                            format_bytes(format) +
                        64;
    struct buffer *buffer =
        need_buffer(rec->v, r,
                    to_image ? VK_BUFFER_USAGE_TRANSFER_SRC_BIT : VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                    size);
    if (!buffer)
        return;
    use(rec, &buffer->head);
    VkImageLayout layout = random_chance(r, 30) ? VK_IMAGE_LAYOUT_GENERAL
                           : to_image           ? VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
                                                : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    if (!to_layout(rec, image, layout))
        return;
    VkBufferImageCopy2 region2 = {VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2,
                                  NULL,
                                  region.bufferOffset,
                                  region.bufferRowLength,
                                  region.bufferImageHeight,
                                  region.imageSubresource,
                                  region.imageOffset,
                                  region.imageExtent};
    VkCopyBufferToImageInfo2 to = {VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2,
                                   NULL,
                                   buffer->handle,
                                   image->handle,
                                   layout,
                                   1,
                                   &region2};
    VkCopyImageToBufferInfo2 from = {VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2,
                                     NULL,
                                     image->handle,
                                     layout,
                                     buffer->handle,
                                     1,
                                     &region2};
    bool newer = random_chance(r, 50);
    if (to_image && newer)
        RECORD(CmdCopyBufferToImage2, &to);
    else if (to_image)
        RECORD(CmdCopyBufferToImage, buffer->handle, image->handle, layout, 1, &region);
    else if (newer)
        RECORD(CmdCopyImageToBuffer2, &from);
    else
        RECORD(CmdCopyImageToBuffer, image->handle, layout, buffer->handle, 1, &region);
}

/* Two different images, brought into layouts to read and to write. */
struct two_images {
    struct image *source, *target;
    VkImageLayout source_layout, target_layout;
};

static bool two_images(struct recording *rec, struct two_images *t, VkFormat source_format,
                       VkSampleCountFlagBits source_samples, VkFormat target_format)
{
    t->source = image_for(rec, VK_IMAGE_USAGE_TRANSFER_SRC_BIT, source_format, source_samples);
    t->target = t->source ? image_for(rec, VK_IMAGE_USAGE_TRANSFER_DST_BIT, target_format,
                                      VK_SAMPLE_COUNT_1_BIT)
                          : NULL;
    if (!t->target || t->source == t->target)
        return false;
    t->source_layout =
        random_chance(rec->r, 30) ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    t->target_layout =
        random_chance(rec->r, 30) ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    return to_layout(rec, t->source, t->source_layout) &&
           to_layout(rec, t->target, t->target_layout);
}

static uint32_t smaller_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void copy_any_image(struct recording *rec)
{
    struct random *r = rec->r;
    struct two_images t;
    VkFormat format = any_format(r, rec->family);
    if (!two_images(rec, &t, format, VK_SAMPLE_COUNT_1_BIT, format) ||
        t.source->info.imageType != t.target->info.imageType)
        return;
    uint32_t level =
        random_below(r, smaller_of(t.source->info.mipLevels, t.target->info.mipLevels));
    VkImageCopy region = {.srcSubresource = {one_aspect(r, t.source), level, 0, 1},
                          .dstSubresource = {0, level, 0, 1}};
    region.dstSubresource.aspectMask = region.srcSubresource.aspectMask;
    region.srcSubresource.layerCount = region.dstSubresource.layerCount =
        1 + random_below(r, smaller_of(t.source->info.arrayLayers, t.target->info.arrayLayers));
    /* All images have the same extent: one place serves both. */
    any_box(r, t.source, level, rec->family == 2, &region.srcOffset, &region.extent);
    region.dstOffset = region.srcOffset;
    VkImageCopy2 region2 = {VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                            NULL,
                            region.srcSubresource,
                            region.srcOffset,
                            region.dstSubresource,
                            region.dstOffset,
                            region.extent};
    VkCopyImageInfo2 info = {VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
                             NULL,
                             t.source->handle,
                             t.source_layout,
                             t.target->handle,
                             t.target_layout,
                             1,
                             &region2};
    if (random_chance(r, 50))
        RECORD(CmdCopyImage2, &info);
    else
        RECORD(CmdCopyImage, t.source->handle, t.source_layout, t.target->handle, t.target_layout,
               1, &region);
}

static void any_corners(struct random *r, const struct image *image, uint32_t level,
                        VkOffset3D *corners)
{
    VkOffset3D offset = {0, 0, 0};
    VkExtent3D extent = {0, 0, 0};
    any_box(r, image, level, random_chance(r, 50), &offset, &extent);
    bool mirrored = random_chance(r, 20);
    corners[mirrored] = offset;
    corners[!mirrored] =
        (VkOffset3D){offset.x + (int32_t)extent.width, offset.y + (int32_t)extent.height, 1};
    corners[0].z = 0;
    corners[1].z = 1;
}

static void blit_image(struct recording *rec)
{
    struct random *r = rec->r;
    struct two_images t;
    if (!two_images(rec, &t, any_color_format(r), VK_SAMPLE_COUNT_1_BIT, any_color_format(r)) ||
        t.source->info.imageType != VK_IMAGE_TYPE_2D ||
        t.target->info.imageType != VK_IMAGE_TYPE_2D)
        return;
    VkImageBlit region = {.srcSubresource = any_layers(r, t.source, 1),
                          .dstSubresource = any_layers(r, t.target, 1)};
    any_corners(r, t.source, region.srcSubresource.mipLevel, region.srcOffsets);
    any_corners(r, t.target, region.dstSubresource.mipLevel, region.dstOffsets);
    VkImageBlit2 region2 = {
        VK_STRUCTURE_TYPE_IMAGE_BLIT_2, NULL,
        region.srcSubresource,          {region.srcOffsets[0], region.srcOffsets[1]},
        region.dstSubresource,          {region.dstOffsets[0], region.dstOffsets[1]}};
    VkBlitImageInfo2 info = {VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2,
                             NULL,
                             t.source->handle,
                             t.source_layout,
                             t.target->handle,
                             t.target_layout,
                             1,
                             &region2,
                             (VkFilter)random_below(r, 2)};
    if (random_chance(r, 50))
        RECORD(CmdBlitImage2, &info);
    else
        RECORD(CmdBlitImage, t.source->handle, t.source_layout, t.target->handle, t.target_layout,
               1, &region, info.filter);
}

static void resolve_image(struct recording *rec)
{
    struct random *r = rec->r;
    struct two_images t;
    VkFormat format = any_color_format(r);
    if (!two_images(rec, &t, format, VK_SAMPLE_COUNT_4_BIT, format) ||
        t.target->info.imageType != VK_IMAGE_TYPE_2D)
        return;
    VkImageResolve region = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                             .dstSubresource = any_layers(r, t.target, 1)};
    any_box(r, t.target, region.dstSubresource.mipLevel, false, &region.dstOffset, &region.extent);
    region.srcOffset = region.dstOffset;
    VkImageResolve2 region2 = {VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2,
                               NULL,
                               region.srcSubresource,
                               region.srcOffset,
                               region.dstSubresource,
                               region.dstOffset,
                               region.extent};
    VkResolveImageInfo2 info = {VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2,
                                NULL,
                                t.source->handle,
                                t.source_layout,
                                t.target->handle,
                                t.target_layout,
                                1,
                                &region2};
    if (random_chance(r, 50))
        RECORD(CmdResolveImage2, &info);
    else
        RECORD(CmdResolveImage, t.source->handle, t.source_layout, t.target->handle,
               t.target_layout, 1, &region);
}

static void clear_image(struct recording *rec)
{
    struct random *r = rec->r;
    bool depth = rec->family == 0 && random_chance(r, 40);
    struct image *image =
        image_for(rec, VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                  depth ? any_depth_format(r) : any_color_format(r),
                  random_chance(r, 80) ? VK_SAMPLE_COUNT_1_BIT : VK_SAMPLE_COUNT_4_BIT);
    VkImageLayout layout =
        random_chance(r, 30) ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    if (!image || !to_layout(rec, image, layout))
        return;
    VkClearColorValue color = {.float32 = {0, 0.5f, 1, 1}};
    VkClearDepthStencilValue value = {0.5f, 3};
    uint32_t level = random_below(r, image->info.mipLevels),
             layer = random_below(r, image->info.arrayLayers);
    VkImageSubresourceRange range = {image->aspects, level,
                                     random_chance(r, 50) ? 1 : VK_REMAINING_MIP_LEVELS, layer,
                                     random_chance(r, 50) ? 1 : VK_REMAINING_ARRAY_LAYERS};
    if (depth)
        RECORD(CmdClearDepthStencilImage, image->handle, layout, &value, 1, &range);
    else
        RECORD(CmdClearColorImage, image->handle, layout, &color, 1, &range);
}

void record_transfer(struct recording *rec)
{
    static void (*const recorders[])(struct recording *) = {
        fill_any_buffer, copy_buffer, copy_between, copy_any_image,
        clear_image,     blit_image,  resolve_image};
    /* Families 1 and 2 neither blit nor resolve, family 2 does not clear. */
    uint32_t count = rec->family == 0 ? 7 : rec->family == 1 ? 5 : 4;
    recorders[random_below(rec->r, count)](rec);
}
