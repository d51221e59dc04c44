/* Copies of all kinds, at their edges: the last byte, the last texel, whole subresources; fills,
 * updates, clears, blits and resolves. */
#include "valid.h"

#define TRANSFER       (VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT)
#define TRANSFER_IMAGE (VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT)

static bool use_copies2(struct world *w)
{
    return has_either(w, 13, EXTENSION_KHR_copy_commands2) && chance(w, 50);
}

static VkImageLayout source_layout(struct world *w)
{
    return PICK(VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                VK_IMAGE_LAYOUT_GENERAL);
}

static VkImageLayout target_layout(struct world *w)
{
    return PICK(VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                VK_IMAGE_LAYOUT_GENERAL);
}

/* --- buffers --- */

static void copy_buffers(struct record *rec, struct buffer *from, struct buffer *to)
{
    struct world *w = rec->w;
    VkBufferCopy regions[3];
    VkBufferCopy2 regions2[3];
    uint32_t count = between(w, 1, 3);
    /* Thirds that do not overlap, where it is one buffer. */
    VkDeviceSize part = (from->size < to->size ? from->size : to->size) / 6;
    bool same = from == to;
    for (uint32_t i = 0; i < count; i++) {
        VkDeviceSize size = same ? (VkDeviceSize)between(w, 1, (uint32_t)part) : 0;
        regions[i] = (VkBufferCopy){part * i, part * (i + 3), size};
        if (!same) {
            regions[i].srcOffset = below(w, (uint32_t)from->size);
            regions[i].dstOffset = part * i;
            VkDeviceSize left = from->size - regions[i].srcOffset,
                         room = i + 1 == count ? to->size - regions[i].dstOffset : part;
            regions[i].size = left < room ? left : room;
        }
        regions2[i] = (VkBufferCopy2){.sType = VK_STRUCTURE_TYPE_BUFFER_COPY_2,
                                      .srcOffset = regions[i].srcOffset,
                                      .dstOffset = regions[i].dstOffset,
                                      .size = regions[i].size};
    }
    ready(rec, USE(COPY_READ) | USE(COPY_WRITE));
    if (use_copies2(w)) {
        VkCopyBufferInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2,
                                  .srcBuffer = from->handle,
                                  .dstBuffer = to->handle,
                                  .regionCount = count,
                                  .pRegions = regions2};
        CALL(CmdCopyBuffer2, rec->c, &info);
    } else {
        CALL(CmdCopyBuffer, rec->c, from->handle, to->handle, count, regions);
    }
}

static void fill_part_of_buffer(struct record *rec, struct buffer *buffer)
{
    struct world *w = rec->w;
    VkDeviceSize offset = 4 * (VkDeviceSize)below(w, (uint32_t)(buffer->size / 4));
    VkDeviceSize left = (buffer->size - offset) & ~3ull;
    ready(rec, USE(CLEAR));
    CALL(CmdFillBuffer, rec->c, buffer->handle, offset,
         left == 0 || chance(w, 40) ? VK_WHOLE_SIZE : left, 0x12345678);
}

static void update_buffer(struct record *rec, struct buffer *buffer)
{
    struct world *w = rec->w;
    VkDeviceSize size =
        4 *
        (VkDeviceSize)between(w, 1, (uint32_t)(buffer->size < 65536 ? buffer->size / 4 : 16384));
    VkDeviceSize offset = (buffer->size - size) & ~3ull;
    ready(rec, USE(UPDATE));
    CALL(CmdUpdateBuffer, rec->c, buffer->handle, chance(w, 50) ? offset : 0, size,
         temporary(w, size));
}

void step_buffer_copies(struct world *w)
{
    struct buffer *a = make_buffer(w, between(w, 6, 5000), TRANSFER, chance(w, 50));
    struct buffer *b = make_buffer(w, between(w, 6, chance(w, 10) ? 70000 : 300),
                                   TRANSFER | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, false);
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_TRANSFER_BIT));
    for (uint32_t i = between(w, 0, 6); i > 0; i--) {
        struct buffer *from = chance(w, 50) ? a : b,
                      *to = chance(w, 70) ? (from == a ? b : a) : from;
        switch (below(w, 4)) {
        case 0:
        case 1:
            copy_buffers(rec, from, to);
            break;
        case 2:
            /* A fill on a queue of transfers alone needs maintenance1. */
            if (rec->queue->flags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT) ||
                has_either(w, 11, EXTENSION_KHR_maintenance1))
                fill_part_of_buffer(rec, to);
            break;
        default:
            update_buffer(rec, to);
            break;
        }
    }
    record_finish(rec);
}

/* --- images --- */

static VkImageAspectFlags any_aspect(struct world *w, const struct image *image)
{
    if (image->format->planes > 1)
        return VK_IMAGE_ASPECT_PLANE_0_BIT << below(w, image->format->planes);
    if (image->format->aspects == (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT))
        return chance(w, 50) ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_STENCIL_BIT;
    return image->format->aspects;
}

static uint32_t aspect_bytes(const struct image *image, VkImageAspectFlags aspect)
{
    if (image->format->planes > 1) {
        unsigned plane = aspect == VK_IMAGE_ASPECT_PLANE_0_BIT   ? 0
                         : aspect == VK_IMAGE_ASPECT_PLANE_1_BIT ? 1
                                                                 : 2;
        return format_of(image->format->plane_formats[plane])->bytes;
    }
    if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT)
        return 1;
    if (aspect == VK_IMAGE_ASPECT_DEPTH_BIT)
        return image->info.format == VK_FORMAT_D16_UNORM ? 2 : 4;
    return image->format->bytes;
}

/* A part of an extent that begins and ends at blocks, or at the edge. */
static void any_part(struct world *w, uint32_t size, uint32_t block, uint32_t grain,
                     int32_t *offset, uint32_t *extent)
{
    *offset = 0;
    *extent = size;
    if (chance(w, 30) || size <= block * grain)
        return;
    uint32_t blocks = (size + block - 1) / block, first = below(w, blocks) / grain * grain;
    *offset = (int32_t)(first * block);
    uint32_t rest = size - first * block, whole = rest / (block * grain);
    *extent = whole && chance(w, 50) ? between(w, 1, whole) * block * grain : rest;
}

static bool image_grain(const struct record *rec, VkExtent3D *grain)
{
    *grain = rec->queue->granularity;
    return grain->width != 0;
}

/* Any image of transfers: its type, size, levels, layers, format. */
static struct image *any_image(struct world *w, const char *kinds_wanted, VkImageUsageFlags usage)
{
    for (unsigned i = 0; i < 8; i++) {
        const struct format *format = any_format(w, kinds_wanted, 0);
        if (!format)
            continue;
        VkImageCreateInfo info =
            image_info(format->format, between(w, 1, 70), between(w, 1, 70), usage);
        if (format->kind == 'y') {
            info.extent.width = 2 * between(w, 1, 30);
            info.extent.height = 2 * between(w, 1, 30);
            if (chance(w, 40) && has_either(w, 11, EXTENSION_KHR_bind_memory2) &&
                has_either(w, 11, EXTENSION_KHR_get_memory_requirements2))
                info.flags |= VK_IMAGE_CREATE_DISJOINT_BIT;
        } else {
            uint32_t type = below(w, 10);
            if (type == 0 && format->kind != 'b' && format->kind != 'd') {
                info.imageType = VK_IMAGE_TYPE_1D;
                info.extent.height = 1;
            } else if (type == 1 && format->kind != 'd') {
                info.imageType = VK_IMAGE_TYPE_3D;
                info.extent.depth = between(w, 1, 9);
                if (has_either(w, 11, EXTENSION_KHR_maintenance1) && chance(w, 30))
                    info.flags |= VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
            } else if (type == 2) {
                info.extent.height = info.extent.width;
                info.arrayLayers = 6 * between(w, 1, 2);
                info.flags |= VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
            }
            if (chance(w, 50)) {
                uint32_t largest = info.extent.width | info.extent.height | info.extent.depth,
                         most = 32 - (uint32_t)__builtin_clz(largest);
                info.mipLevels = between(w, 1, most);
            }
            if (info.imageType != VK_IMAGE_TYPE_3D && info.arrayLayers == 1 && chance(w, 40))
                info.arrayLayers = between(w, 2, 5);
            if (chance(w, 15))
                info.flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
            if (format->kind == 'b' && has_either(w, 11, EXTENSION_KHR_maintenance2) &&
                chance(w, 30))
                info.flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT |
                              VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT;
        }
        struct image *image = make_image(w, &info);
        if (image)
            return image;
    }
    return NULL;
}

static VkImageSubresourceLayers any_layers(struct world *w, const struct image *image,
                                           VkImageAspectFlags aspect)
{
    VkImageSubresourceLayers layers = {aspect, below(w, image->info.mipLevels),
                                       below(w, image->info.arrayLayers), 1};
    uint32_t left = image->info.arrayLayers - layers.baseArrayLayer;
    layers.layerCount = between(w, 1, left);
    if (layers.layerCount == left && ON(maintenance5) && chance(w, 50))
        layers.layerCount = VK_REMAINING_ARRAY_LAYERS;
    return layers;
}

/* A queue for this image: depth and stencil are copied where graphics are, or with what allows it.
 */
static const struct queue *queue_for(struct world *w, const struct image *image)
{
    return any_queue(w, VK_QUEUE_TRANSFER_BIT |
                            (image->format->kind == 'd' ? VK_QUEUE_GRAPHICS_BIT : 0));
}

static void part_of_image(struct record *rec, const struct image *image,
                          VkImageSubresourceLayers layers, VkOffset3D *offset, VkExtent3D *extent)
{
    struct world *w = rec->w;
    VkExtent3D whole = plane_extent(image, layers.mipLevel, layers.aspectMask), grain;
    if (!image_grain(rec, &grain)) {
        *offset = (VkOffset3D){0};
        *extent = whole;
        return;
    }
    any_part(w, whole.width, image->format->block_width, grain.width, &offset->x, &extent->width);
    any_part(w, whole.height, image->format->block_height,
             image->info.imageType == VK_IMAGE_TYPE_1D ? 1 : grain.height, &offset->y,
             &extent->height);
    any_part(w, whole.depth, 1, grain.depth, &offset->z, &extent->depth);
}

static void copy_buffer_and_image(struct record *rec, struct image *image)
{
    struct world *w = rec->w;
    VkBufferImageCopy regions[2];
    VkBufferImageCopy2 regions2[2];
    uint32_t count = between(w, 1, 2);
    VkDeviceSize at = 0;
    bool to_image = chance(w, 50);
    uint32_t level = 0;
    for (uint32_t i = 0; i < count; i++) {
        VkImageAspectFlags aspect = any_aspect(w, image);
        VkImageSubresourceLayers layers = any_layers(w, image, aspect);
        /* The second region is in another level, or there is none: regions must not overlap. */
        if (i > 0 && (image->info.mipLevels < 2)) {
            count = 1;
            break;
        }
        if (i > 0)
            layers.mipLevel = (level + 1) % image->info.mipLevels;
        level = layers.mipLevel;
        VkOffset3D offset;
        VkExtent3D extent;
        part_of_image(rec, image, layers, &offset, &extent);
        uint32_t bytes = aspect_bytes(image, aspect), unit = bytes;
        while (unit % 4)
            unit += bytes;
        uint32_t bw = image->format->block_width, bh = image->format->block_height;
        uint32_t columns = (extent.width + bw - 1) / bw, rows = (extent.height + bh - 1) / bh;
        uint32_t row = chance(w, 50) ? columns : columns + below(w, 4),
                 high = chance(w, 50) ? rows : rows + below(w, 4);
        regions[i] =
            (VkBufferImageCopy){.bufferOffset = (at + unit - 1) / unit * unit,
                                .bufferRowLength = row == columns ? PICK(0u, row * bw) : row * bw,
                                .bufferImageHeight = high == rows ? PICK(0u, high * bh) : high * bh,
                                .imageSubresource = layers,
                                .imageOffset = offset,
                                .imageExtent = extent};
        /* 0 means tightly packed as the extent is; row * bw may be more than the extent. */
        uint32_t layer_count = layers.layerCount == VK_REMAINING_ARRAY_LAYERS
                                   ? image->info.arrayLayers - layers.baseArrayLayer
                                   : layers.layerCount;
        uint32_t slices = extent.depth * layer_count;
        /* The last row is no longer than what is copied of it. */
        at = regions[i].bufferOffset +
             ((VkDeviceSize)(slices - 1) * high * row + (VkDeviceSize)(rows - 1) * row + columns) *
                 bytes;
        regions2[i] = (VkBufferImageCopy2){.sType = VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2,
                                           .bufferOffset = regions[i].bufferOffset,
                                           .bufferRowLength = regions[i].bufferRowLength,
                                           .bufferImageHeight = regions[i].bufferImageHeight,
                                           .imageSubresource = layers,
                                           .imageOffset = offset,
                                           .imageExtent = extent};
        note(w,
             "region: offset %llu, row %u, height %u, aspect %x, level %u, layers %u+%u, at "
             "%d,%d,%d, %ux%ux%u; ends at %llu",
             (unsigned long long)regions[i].bufferOffset, regions[i].bufferRowLength,
             regions[i].bufferImageHeight, aspect, layers.mipLevel, layers.baseArrayLayer,
             layers.layerCount, offset.x, offset.y, offset.z, extent.width, extent.height,
             extent.depth, (unsigned long long)at);
    }
    struct buffer *buffer = make_buffer(w, at, TRANSFER, false);
    VkImageLayout layout = to_image ? target_layout(w) : source_layout(w);
    needs_layout(rec, image, layout);
    ready(rec, USE(COPY_READ) | USE(COPY_WRITE));
    if (use_copies2(w) && to_image) {
        VkCopyBufferToImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2,
                                         .srcBuffer = buffer->handle,
                                         .dstImage = image->handle,
                                         .dstImageLayout = layout,
                                         .regionCount = count,
                                         .pRegions = regions2};
        CALL(CmdCopyBufferToImage2, rec->c, &info);
    } else if (use_copies2(w) && !to_image) {
        VkCopyImageToBufferInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2,
                                         .srcImage = image->handle,
                                         .srcImageLayout = layout,
                                         .dstBuffer = buffer->handle,
                                         .regionCount = count,
                                         .pRegions = regions2};
        CALL(CmdCopyImageToBuffer2, rec->c, &info);
    } else if (to_image) {
        CALL(CmdCopyBufferToImage, rec->c, buffer->handle, image->handle, layout, count, regions);
    } else {
        CALL(CmdCopyImageToBuffer, rec->c, image->handle, layout, buffer->handle, count, regions);
    }
}

static void copy_image_regions(struct record *rec, struct image *from, struct image *to,
                               VkImageCopy region)
{
    struct world *w = rec->w;
    VkImageLayout source = source_layout(w), target = target_layout(w);
    if (from == to)
        source = target = VK_IMAGE_LAYOUT_GENERAL;
    needs_layout(rec, from, source);
    needs_layout(rec, to, target);
    ready(rec, USE(COPY_READ) | USE(COPY_WRITE));
    note(w,
         "region: from %x level %u layers %u+%u at %d,%d,%d to %x level %u layers %u+%u at "
         "%d,%d,%d, %ux%ux%u",
         region.srcSubresource.aspectMask, region.srcSubresource.mipLevel,
         region.srcSubresource.baseArrayLayer, region.srcSubresource.layerCount, region.srcOffset.x,
         region.srcOffset.y, region.srcOffset.z, region.dstSubresource.aspectMask,
         region.dstSubresource.mipLevel, region.dstSubresource.baseArrayLayer,
         region.dstSubresource.layerCount, region.dstOffset.x, region.dstOffset.y,
         region.dstOffset.z, region.extent.width, region.extent.height, region.extent.depth);
    if (use_copies2(w)) {
        VkImageCopy2 region2 = {.sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                                .srcSubresource = region.srcSubresource,
                                .srcOffset = region.srcOffset,
                                .dstSubresource = region.dstSubresource,
                                .dstOffset = region.dstOffset,
                                .extent = region.extent};
        VkCopyImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
                                 .srcImage = from->handle,
                                 .srcImageLayout = source,
                                 .dstImage = to->handle,
                                 .dstImageLayout = target,
                                 .regionCount = 1,
                                 .pRegions = &region2};
        CALL(CmdCopyImage2, rec->c, &info);
    } else {
        CALL(CmdCopyImage, rec->c, from->handle, source, to->handle, target, 1, &region);
    }
}

/* The same part of two images that are alike, or of two layers of one image. */
static void copy_between_images(struct record *rec, struct image *image)
{
    struct world *w = rec->w;
    VkImageAspectFlags aspect = any_aspect(w, image);
    if (image->format->planes == 1 && chance(w, 50))
        aspect = image->format->aspects;
    VkImageCopy region = {.srcSubresource = any_layers(w, image, aspect)};
    region.dstSubresource = region.srcSubresource;
    part_of_image(rec, image, region.srcSubresource, &region.srcOffset, &region.extent);
    region.dstOffset = region.srcOffset;
    if (image->info.arrayLayers > 1 && chance(w, 30)) {
        region.srcSubresource.baseArrayLayer = 0;
        region.dstSubresource.baseArrayLayer = image->info.arrayLayers - 1;
        region.srcSubresource.layerCount = region.dstSubresource.layerCount = 1;
        copy_image_regions(rec, image, image, region);
        return;
    }
    VkImageCreateInfo info = image->info;
    struct image *other = make_image(w, &info);
    if (other)
        copy_image_regions(rec, image, other, region);
}

/* Layers of a 2D image to slices of a 3D one, or back. */
static void copy_slices(struct record *rec)
{
    struct world *w = rec->w;
    const struct format *format = any_format(w, "fu", VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT);
    if (!format || !has_either(w, 11, EXTENSION_KHR_maintenance1))
        return;
    uint32_t size = between(w, 1, 40), slices = between(w, 1, 7);
    VkImageCreateInfo info = image_info(format->format, size, size, TRANSFER_IMAGE);
    info.arrayLayers = slices;
    struct image *layers = make_image(w, &info);
    info.arrayLayers = 1;
    info.extent.depth = slices;
    info.imageType = VK_IMAGE_TYPE_3D;
    struct image *solid = make_image(w, &info);
    if (!layers || !solid)
        return;
    VkImageSubresourceLayers of_layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, slices},
                             of_solid = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    if (chance(w, 50))
        copy_image_regions(rec, layers, solid,
                           (VkImageCopy){.srcSubresource = of_layers,
                                         .dstSubresource = of_solid,
                                         .extent = {size, size, slices}});
    else
        copy_image_regions(rec, solid, layers,
                           (VkImageCopy){.srcSubresource = of_solid,
                                         .dstSubresource = of_layers,
                                         .extent = {size, size, slices}});
}

/* Blocks of a compressed image to texels of the same size, or back; to the last block, which may be
 * cut off. */
static void copy_blocks(struct record *rec)
{
    struct world *w = rec->w;
    const struct format *format = any_format(w, "b", VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT);
    if (!format)
        return;
    uint32_t bw = format->block_width, bh = format->block_height;
    VkImageCreateInfo info =
        image_info(format->format, between(w, 1, 60), between(w, 1, 60), TRANSFER_IMAGE);
    struct image *blocks = make_image(w, &info);
    uint32_t columns = (info.extent.width + bw - 1) / bw, rows = (info.extent.height + bh - 1) / bh;
    VkImageCreateInfo plain =
        image_info(format->bytes == 8 ? PICK(VK_FORMAT_R32G32_UINT, VK_FORMAT_R16G16B16A16_SFLOAT)
                                      : VK_FORMAT_R32G32B32A32_UINT,
                   columns, rows, TRANSFER_IMAGE);
    struct image *texels = make_image(w, &plain);
    if (!blocks || !texels)
        return;
    VkImageCopy region = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                          .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}};
    if (chance(w, 50)) { /* the extent is in texels of the source */
        region.extent = (VkExtent3D){info.extent.width, info.extent.height, 1};
        copy_image_regions(rec, blocks, texels, region);
    } else {
        region.extent = (VkExtent3D){columns, rows, 1};
        copy_image_regions(rec, texels, blocks, region);
    }
}

/* A plane to an image of the plane's format, or back. */
static void copy_plane(struct record *rec)
{
    struct world *w = rec->w;
    const struct format *format =
        any_format(w, "y", VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT);
    if (!format)
        return;
    VkImageCreateInfo info =
        image_info(format->format, 2 * between(w, 1, 30), 2 * between(w, 1, 30), TRANSFER_IMAGE);
    struct image *planes = make_image(w, &info);
    if (!planes)
        return;
    uint32_t plane = below(w, format->planes);
    VkExtent3D extent = plane_extent(planes, 0, VK_IMAGE_ASPECT_PLANE_0_BIT << plane);
    VkImageCreateInfo plain =
        image_info(format->plane_formats[plane], extent.width, extent.height, TRANSFER_IMAGE);
    struct image *texels = make_image(w, &plain);
    if (!texels)
        return;
    VkImageSubresourceLayers of_plane = {VK_IMAGE_ASPECT_PLANE_0_BIT << plane, 0, 0, 1},
                             of_color = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    if (chance(w, 50))
        copy_image_regions(rec, planes, texels,
                           (VkImageCopy){.srcSubresource = of_plane,
                                         .dstSubresource = of_color,
                                         .extent = extent});
    else
        copy_image_regions(rec, texels, planes,
                           (VkImageCopy){.srcSubresource = of_color,
                                         .dstSubresource = of_plane,
                                         .extent = extent});
}

void step_image_copies(struct world *w)
{
    struct image *image = any_image(w, "fuidby", TRANSFER_IMAGE);
    if (!image)
        return;
    struct record *rec = record_begin(w, queue_for(w, image));
    bool coarse = rec->queue->granularity.width != 1;
    for (uint32_t i = between(w, 1, 4); i > 0; i--) {
        switch (below(w, 5)) {
        case 0:
            if (!coarse)
                copy_between_images(rec, image);
            break;
        case 1:
            if (!coarse)
                copy_slices(rec);
            break;
        case 2:
            if (!coarse)
                copy_blocks(rec);
            break;
        case 3:
            if (!coarse)
                copy_plane(rec);
            break;
        default:
            copy_buffer_and_image(rec, image);
            break;
        }
    }
    record_finish(rec);
}

/* --- clears, blits, resolves --- */

static VkImageSubresourceRange any_range(struct world *w, const struct image *image)
{
    VkImageSubresourceRange range = {image->format->aspects, below(w, image->info.mipLevels), 0,
                                     below(w, image->info.arrayLayers), 0};
    range.levelCount =
        PICK(VK_REMAINING_MIP_LEVELS, image->info.mipLevels - range.baseMipLevel, 1u);
    range.layerCount =
        PICK(VK_REMAINING_ARRAY_LAYERS, image->info.arrayLayers - range.baseArrayLayer, 1u);
    return range;
}

void step_clears(struct world *w)
{
    bool depth = chance(w, 40);
    struct image *image = any_image(w, depth ? "d" : "fui",
                                    VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                        (chance(w, 50) ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT : 0));
    if (!image)
        return;
    struct record *rec =
        record_begin(w, any_queue(w, depth ? VK_QUEUE_GRAPHICS_BIT : VK_QUEUE_COMPUTE_BIT));
    for (uint32_t i = between(w, 1, 3); i > 0; i--) {
        VkImageLayout layout = target_layout(w);
        VkImageSubresourceRange ranges[2] = {any_range(w, image), any_range(w, image)};
        needs_layout(rec, image, layout);
        ready(rec, USE(CLEAR));
        if (depth) {
            VkClearDepthStencilValue value = {PICK(0.0f, 0.5f, 1.0f), PICK(0u, 255u, ~0u)};
            for (unsigned j = 0; j < 2; j++)
                ranges[j].aspectMask = any_aspect(w, image);
            CALL(CmdClearDepthStencilImage, rec->c, image->handle, layout, &value, 1, ranges);
        } else {
            VkClearColorValue value = {.uint32 = {1, 2, 3, 4}};
            CALL(CmdClearColorImage, rec->c, image->handle, layout, &value, 1, ranges);
        }
    }
    record_finish(rec);
}

static VkOffset3D corner_of(VkExtent3D extent)
{
    return (VkOffset3D){(int32_t)extent.width, (int32_t)extent.height, (int32_t)extent.depth};
}

void step_blits(struct world *w)
{
    const char *kind = PICK("f", "u", "i", "d");
    VkFormatFeatureFlags features = VK_FORMAT_FEATURE_BLIT_SRC_BIT | VK_FORMAT_FEATURE_BLIT_DST_BIT;
    const struct format *format = any_format(w, kind, features),
                        *other = *kind == 'd' ? format : any_format(w, kind, features);
    if (!format || !other)
        return;
    VkImageCreateInfo info =
        image_info(format->format, between(w, 1, 60), between(w, 1, 60), TRANSFER_IMAGE);
    info.mipLevels = below(w, 2) + 1;
    if (info.extent.width == 1 && info.extent.height == 1)
        info.mipLevels = 1;
    info.arrayLayers = between(w, 1, 3);
    VkImageCreateInfo info2 = info;
    info2.format = other->format;
    info2.extent.width = info2.extent.height = between(w, 2, 60);
    struct image *from = make_image(w, &info), *to = make_image(w, &info2);
    if (!from || !to)
        return;
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_GRAPHICS_BIT));
    for (uint32_t i = between(w, 1, 3); i > 0; i--) {
        struct image *source = chance(w, 80) ? from : to, *target = source == from ? to : from;
        /* one level to the next, as for mipmaps */
        bool itself = info.mipLevels > 1 && chance(w, 30);
        if (itself)
            target = source;
        VkImageAspectFlags aspect = any_aspect(w, source);
        VkImageBlit region = {.srcSubresource = {aspect, 0, below(w, info.arrayLayers), 1}};
        region.dstSubresource = region.srcSubresource;
        region.dstSubresource.mipLevel = itself ? 1 : below(w, info.mipLevels);
        region.srcOffsets[1] = corner_of(level_extent(source, 0));
        region.dstOffsets[1] = corner_of(level_extent(target, region.dstSubresource.mipLevel));
        if (chance(w, 30)) { /* mirrored */
            VkOffset3D end = region.srcOffsets[1];
            region.srcOffsets[1].x = 0;
            region.srcOffsets[0].x = end.x;
        }
        bool linear = *kind == 'f' && chance(w, 50) &&
                      (format_features(w, source->info.format, VK_IMAGE_TILING_OPTIMAL) &
                       VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT);
        VkFilter filter = linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
        VkImageLayout source_in = itself ? VK_IMAGE_LAYOUT_GENERAL : source_layout(w);
        VkImageLayout target_in = itself ? VK_IMAGE_LAYOUT_GENERAL : target_layout(w);
        needs_layout(rec, source, source_in);
        needs_layout(rec, target, target_in);
        ready(rec, USE(BLIT_READ) | USE(BLIT_WRITE));
        if (use_copies2(w)) {
            VkImageBlit2 region2 = {.sType = VK_STRUCTURE_TYPE_IMAGE_BLIT_2,
                                    .srcSubresource = region.srcSubresource,
                                    .srcOffsets = {region.srcOffsets[0], region.srcOffsets[1]},
                                    .dstSubresource = region.dstSubresource,
                                    .dstOffsets = {region.dstOffsets[0], region.dstOffsets[1]}};
            VkBlitImageInfo2 blit = {.sType = VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2,
                                     .srcImage = source->handle,
                                     .srcImageLayout = source_in,
                                     .dstImage = target->handle,
                                     .dstImageLayout = target_in,
                                     .regionCount = 1,
                                     .pRegions = &region2,
                                     .filter = filter};
            CALL(CmdBlitImage2, rec->c, &blit);
        } else {
            CALL(CmdBlitImage, rec->c, source->handle, source_in, target->handle, target_in, 1,
                 &region, filter);
        }
    }
    record_finish(rec);
}

void step_resolves(struct world *w)
{
    const struct format *format = any_format(w, "f", VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);
    if (!format)
        return;
    VkImageCreateInfo info = image_info(format->format, between(w, 1, 60), between(w, 1, 60),
                                        TRANSFER_IMAGE | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    info.arrayLayers = between(w, 1, 3);
    VkImageCreateInfo single = info;
    info.samples = VK_SAMPLE_COUNT_4_BIT;
    struct image *from = make_image(w, &info), *to = make_image(w, &single);
    if (!from || !to)
        return;
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_GRAPHICS_BIT));
    VkImageResolve region = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, info.arrayLayers},
                             .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, info.arrayLayers}};
    part_of_image(rec, from, region.srcSubresource, &region.srcOffset, &region.extent);
    region.dstOffset = region.srcOffset;
    VkImageLayout source = source_layout(w), target = target_layout(w);
    needs_layout(rec, from, source);
    needs_layout(rec, to, target);
    ready(rec, USE(RESOLVE_READ) | USE(RESOLVE_WRITE));
    if (use_copies2(w)) {
        VkImageResolve2 region2 = {.sType = VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2,
                                   .srcSubresource = region.srcSubresource,
                                   .srcOffset = region.srcOffset,
                                   .dstSubresource = region.dstSubresource,
                                   .dstOffset = region.dstOffset,
                                   .extent = region.extent};
        VkResolveImageInfo2 resolve = {.sType = VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2,
                                       .srcImage = from->handle,
                                       .srcImageLayout = source,
                                       .dstImage = to->handle,
                                       .dstImageLayout = target,
                                       .regionCount = 1,
                                       .pRegions = &region2};
        CALL(CmdResolveImage2, rec->c, &resolve);
    } else {
        CALL(CmdResolveImage, rec->c, from->handle, source, to->handle, target, 1, &region);
    }
    record_finish(rec);
}
