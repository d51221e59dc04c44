/* Records the accesses of transfer commands: copies, blits, resolves, clears, fills, updates (19,
 * 20). Both versions of each command use one function. */
#include "sync/hooks.h"
#include "sync/access/ranges.h"
#include "sync/record/recording.h"

#include "state/memory/device_address.h"
#include "state/memory/formats.h"
#include "state/query/query.h"

/* The regions of a command in either of its two forms. An element of the second form is one of the
 * first form with sType and pNext before it. */
struct regions {
    const char *first;
    uint32_t stride, count; /* stride in bytes from one to the next */
};
/* Bytes of sType and pNext, which elements of the second form begin with. */
#define CHAIN_HEAD sizeof(VkBaseInStructure)
/* REGIONS makes regions of the first form, and REGIONS2 of the second. */
#define REGIONS(regions_, count_) \
    ((struct regions){(const char *)(regions_), sizeof((regions_)[0]), (regions_) ? (count_) : 0})
#define REGIONS2(info_)                                                                           \
    ((struct regions){(const char *)(info_)->pRegions + CHAIN_HEAD, sizeof((info_)->pRegions[0]), \
                      (info_)->pRegions ? (info_)->regionCount : 0})
#define FOR_EACH_REGION(Type_, region_, regions_)                               \
    for (const char *at_ = (regions_).first,                                    \
                    *end_ = at_ + (size_t)(regions_).stride * (regions_).count; \
         at_ != end_ && (regions_).count; at_ += (regions_).stride)             \
        for (const Type_ *region_ = (const void *)at_; region_; region_ = NULL)

/* Records a copy between buffers. All reads come before all writes: regions of one command are not
 * compared with each other. */
static bool copy_buffer(struct call *call, const struct buffer *src, const struct buffer *dst,
                        struct regions regions)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return false;
    FOR_EACH_REGION(VkBufferCopy, region, regions)
    recording_buffer(&recording, src, region->srcOffset, region->size, SYNC_COPY_TRANSFER_READ,
                     NULL);
    FOR_EACH_REGION(VkBufferCopy, region, regions)
    recording_buffer(&recording, dst, region->dstOffset, region->size, SYNC_COPY_TRANSFER_WRITE,
                     NULL);
    return recording_finish_check(&recording);
}

bool sync_validate_CmdCopyBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                 VkBuffer srcBuffer, VkBuffer dstBuffer, uint32_t regionCount,
                                 const VkBufferCopy *pRegions)
{
    return copy_buffer(call, named_buffer(call, 0, srcBuffer), named_buffer(call, 1, dstBuffer),
                       REGIONS(pRegions, regionCount));
}

bool sync_validate_CmdCopyBuffer2(struct call *call, VkCommandBuffer commandBuffer,
                                  const VkCopyBufferInfo2 *pCopyBufferInfo)
{
    return copy_buffer(call, find_buffer(call, pCopyBufferInfo->srcBuffer),
                       find_buffer(call, pCopyBufferInfo->dstBuffer), REGIONS2(pCopyBufferInfo));
}

/* Records copies between addresses (VK_KHR_device_address_commands). */
bool sync_validate_CmdCopyMemoryKHR(struct call *call, VkCommandBuffer commandBuffer,
                                    const VkCopyDeviceMemoryInfoKHR *pCopyMemoryInfo)
{
    struct recording recording;
    if (!pCopyMemoryInfo || !pCopyMemoryInfo->pRegions || !recording_begin(&recording, call))
        return false;
    for (uint32_t i = 0; i < pCopyMemoryInfo->regionCount; i++) {
        const VkDeviceAddressRangeKHR *range = &pCopyMemoryInfo->pRegions[i].srcRange;
        recording_address(&recording, range->address, range->size, SYNC_COPY_TRANSFER_READ);
    }
    for (uint32_t i = 0; i < pCopyMemoryInfo->regionCount; i++) {
        const VkDeviceAddressRangeKHR *range = &pCopyMemoryInfo->pRegions[i].dstRange;
        recording_address(&recording, range->address, range->size, SYNC_COPY_TRANSFER_WRITE);
    }
    return recording_finish_check(&recording);
}

/* --- images --- */

/* Accesses one region of an image, which may be unknown. */
static void image_region(struct recording *recording, const struct image *image,
                         const VkImageSubresourceLayers *subresource, VkOffset3D offset,
                         VkExtent3D extent, enum sync_usage usage)
{
    recording_image_region(recording, image, subresource, offset, extent, usage, SYNC_UNORDERED,
                           NULL);
}

/* Converts texels of one image to texels of the other, block for block. Equal block sizes change
 * nothing. */
static uint32_t times_block(uint32_t texels, uint32_t from, uint32_t to)
{
    return from == to || !from ? texels : (uint32_t)(((uint64_t)texels + from - 1) / from * to);
}

/* Returns the extent in texels of the destination; the region has it in texels of the source. If
 * one of the images is compressed, a texel of the other corresponds to one of its blocks (19.3). */
static VkExtent3D extent_of_destination(const struct image *src, const struct image *dst,
                                        const VkImageCopy *region)
{
    const struct format_info *from =
        src ? format_info(format_of_aspect(src->format, region->srcSubresource.aspectMask)) : NULL;
    const struct format_info *to =
        dst ? format_info(format_of_aspect(dst->format, region->dstSubresource.aspectMask)) : NULL;
    VkExtent3D extent = region->extent;
    if (from && to) {
        extent.width = times_block(extent.width, from->block_extent[0], to->block_extent[0]);
        extent.height = times_block(extent.height, from->block_extent[1], to->block_extent[1]);
        extent.depth = times_block(extent.depth, from->block_extent[2], to->block_extent[2]);
    }
    /* Layers of the source may become slices of the destination. */
    if (dst && dst->type == VK_IMAGE_TYPE_3D && src && src->type != VK_IMAGE_TYPE_3D &&
        region->srcSubresource.layerCount != VK_REMAINING_ARRAY_LAYERS &&
        region->srcSubresource.layerCount > extent.depth)
        extent.depth = region->srcSubresource.layerCount;
    return extent;
}

/* The images of a command, and the layouts that the command says they have. */
struct images {
    VkImage src;
    VkImageLayout src_layout;
    VkImage dst;
    VkImageLayout dst_layout;
};
/* Fills struct images from a command's info. */
#define IMAGES(from_)                                                               \
    ((struct images){(from_)->srcImage, (from_)->srcImageLayout, (from_)->dstImage, \
                     (from_)->dstImageLayout})

/* Begins a command on two images, and notes the layouts that it needs, for the mend of a hazard. */
static bool begin_of_images(struct recording *recording, struct call *call,
                            const struct images *images)
{
    if (!recording_begin(recording, call))
        return false;
    recording->wanted[0] = images->src_layout;
    recording->wanted[1] = images->dst_layout;
    return true;
}

/* Records a copy between images, all reads before all writes. */
static bool copy_image(struct call *call, struct images images, struct regions regions)
{
    struct recording recording;
    const struct image *src = find_image(call, images.src), *dst = find_image(call, images.dst);
    if (!begin_of_images(&recording, call, &images))
        return false;
    FOR_EACH_REGION(VkImageCopy, region, regions)
    image_region(&recording, src, &region->srcSubresource, region->srcOffset, region->extent,
                 SYNC_COPY_TRANSFER_READ);
    FOR_EACH_REGION(VkImageCopy, region, regions)
    image_region(&recording, dst, &region->dstSubresource, region->dstOffset,
                 extent_of_destination(src, dst, region), SYNC_COPY_TRANSFER_WRITE);
    return recording_finish_check(&recording);
}

bool sync_validate_CmdCopyImage(struct call *call, VkCommandBuffer commandBuffer, VkImage srcImage,
                                VkImageLayout srcImageLayout, VkImage dstImage,
                                VkImageLayout dstImageLayout, uint32_t regionCount,
                                const VkImageCopy *pRegions)
{
    return copy_image(call, (struct images){srcImage, srcImageLayout, dstImage, dstImageLayout},
                      REGIONS(pRegions, regionCount));
}

bool sync_validate_CmdCopyImage2(struct call *call, VkCommandBuffer commandBuffer,
                                 const VkCopyImageInfo2 *pCopyImageInfo)
{
    return copy_image(call, IMAGES(pCopyImageInfo), REGIONS2(pCopyImageInfo));
}

/* Returns the distance between two corners, as an extent. */
static uint32_t transfer_extent(int32_t a, int32_t b)
{
    return a < b ? (uint32_t)b - (uint32_t)a : (uint32_t)a - (uint32_t)b;
}

/* Accesses the box between two opposite corners, of which either may be the first. */
static void blit_region(struct recording *recording, const struct image *image,
                        const VkImageSubresourceLayers *subresource, const VkOffset3D corners[2],
                        enum sync_usage usage)
{
    VkOffset3D a = corners[0], b = corners[1];
    VkOffset3D first = {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
    VkExtent3D extent = {transfer_extent(a.x, b.x), transfer_extent(a.y, b.y),
                         transfer_extent(a.z, b.z)};
    image_region(recording, image, subresource, first, extent, usage);
}

/* Records a blit. A filter may read beyond the region, which is not recorded. */
static bool blit_image(struct call *call, struct images images, struct regions regions)
{
    struct recording recording;
    const struct image *src = find_image(call, images.src), *dst = find_image(call, images.dst);
    if (!begin_of_images(&recording, call, &images))
        return false;
    FOR_EACH_REGION(VkImageBlit, region, regions)
    blit_region(&recording, src, &region->srcSubresource, region->srcOffsets,
                SYNC_BLIT_TRANSFER_READ);
    FOR_EACH_REGION(VkImageBlit, region, regions)
    blit_region(&recording, dst, &region->dstSubresource, region->dstOffsets,
                SYNC_BLIT_TRANSFER_WRITE);
    return recording_finish_check(&recording);
}

bool sync_validate_CmdBlitImage(struct call *call, VkCommandBuffer commandBuffer, VkImage srcImage,
                                VkImageLayout srcImageLayout, VkImage dstImage,
                                VkImageLayout dstImageLayout, uint32_t regionCount,
                                const VkImageBlit *pRegions, VkFilter filter)
{
    return blit_image(call, (struct images){srcImage, srcImageLayout, dstImage, dstImageLayout},
                      REGIONS(pRegions, regionCount));
}

bool sync_validate_CmdBlitImage2(struct call *call, VkCommandBuffer commandBuffer,
                                 const VkBlitImageInfo2 *pBlitImageInfo)
{
    return blit_image(call, IMAGES(pBlitImageInfo), REGIONS2(pBlitImageInfo));
}

/* Records a resolve of a multisampled image. */
static bool resolve_image(struct call *call, struct images images, struct regions regions)
{
    struct recording recording;
    const struct image *src = find_image(call, images.src), *dst = find_image(call, images.dst);
    if (!begin_of_images(&recording, call, &images))
        return false;
    FOR_EACH_REGION(VkImageResolve, region, regions)
    image_region(&recording, src, &region->srcSubresource, region->srcOffset, region->extent,
                 SYNC_RESOLVE_TRANSFER_READ);
    FOR_EACH_REGION(VkImageResolve, region, regions)
    image_region(&recording, dst, &region->dstSubresource, region->dstOffset, region->extent,
                 SYNC_RESOLVE_TRANSFER_WRITE);
    return recording_finish_check(&recording);
}

bool sync_validate_CmdResolveImage(struct call *call, VkCommandBuffer commandBuffer,
                                   VkImage srcImage, VkImageLayout srcImageLayout, VkImage dstImage,
                                   VkImageLayout dstImageLayout, uint32_t regionCount,
                                   const VkImageResolve *pRegions)
{
    return resolve_image(call, (struct images){srcImage, srcImageLayout, dstImage, dstImageLayout},
                         REGIONS(pRegions, regionCount));
}

bool sync_validate_CmdResolveImage2(struct call *call, VkCommandBuffer commandBuffer,
                                    const VkResolveImageInfo2 *pResolveImageInfo)
{
    return resolve_image(call, IMAGES(pResolveImageInfo), REGIONS2(pResolveImageInfo));
}

/* --- between images and buffers --- */

/* Returns how many texel blocks hold so many texels; the last one may be incomplete. */
static uint64_t transfer_blocks(uint32_t texels, uint32_t block)
{
    return block > 1 ? ((uint64_t)texels + block - 1) / block : texels;
}

/* The most rows of a copy that are looked at. No image has more rows with gaps between them. */
#define ROWS_MOST (1u << 18)

/* Returns the product, or UINT64_MAX if it is larger, as it can be by a program's mistake. */
static uint64_t transfer_times(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* The shape of a region in a buffer, in bytes, and its number of rows and slices. */
struct linear_shape {
    /* bytes that are accessed in a row; bytes to the next row, and to the next slice */
    uint64_t width, row, slice;
    uint64_t rows, slices;
};

/* Accesses a region of a buffer row by row, because there are gaps between rows or slices. All rows
 * have one tag. */
static void linear_rows(struct recording *recording, const struct buffer *buffer, uint64_t offset,
                        const struct linear_shape *shape, enum sync_usage usage)
{
    uint64_t tag = recording_tag(recording, object_state_id(&buffer->base), NULL);
    uint32_t left = ROWS_MOST;
    for (uint64_t slice = 0; slice < shape->slices && tag; slice++) {
        uint64_t in_front = transfer_times(slice, shape->slice);
        if (offset >= buffer->size || in_front >= buffer->size - offset)
            return;
        uint64_t at = offset + in_front;
        for (uint64_t y = 0; y < shape->rows; y++, at += shape->row) {
            struct sync_place place;
            if (!left-- || !sync_buffer_place(&place, buffer, at, shape->width))
                return;
            recording_place(recording, &place, tag, usage, SYNC_UNORDERED);
            if (shape->row >= buffer->size - at)
                break;
        }
    }
}

/* Records the access to the bytes of a region in the buffer (19.4 "Buffer and Image
 * Addressing"). */
static void linear_side(struct recording *recording, const struct buffer *buffer,
                        const struct image *image, const VkBufferImageCopy *region,
                        enum sync_usage usage)
{
    VkImageAspectFlags aspect = region->imageSubresource.aspectMask;
    const struct format_info *format =
        image ? format_info(format_of_aspect(image->format, aspect)) : NULL;
    uint64_t size = image ? format_aspect_block_size(image->format, aspect) : 0;
    if (!buffer || !format || !size)
        return;
    uint32_t layers = region->imageSubresource.layerCount;
    /* VK_KHR_maintenance5 allows this. */
    if (layers == VK_REMAINING_ARRAY_LAYERS)
        layers = image->array_layers > region->imageSubresource.baseArrayLayer
                     ? image->array_layers - region->imageSubresource.baseArrayLayer
                     : 0;
    uint32_t texel_row =
        region->bufferRowLength ? region->bufferRowLength : region->imageExtent.width;
    uint32_t texel_rows =
        region->bufferImageHeight ? region->bufferImageHeight : region->imageExtent.height;
    uint64_t row = transfer_blocks(texel_row, format->block_extent[0]),
             rows = transfer_blocks(texel_rows, format->block_extent[1]);
    uint64_t width = transfer_blocks(region->imageExtent.width, format->block_extent[0]);
    uint64_t height = transfer_blocks(region->imageExtent.height, format->block_extent[1]);
    uint64_t slices = transfer_blocks(region->imageExtent.depth, format->block_extent[2]) * layers;
    bool whole_rows = row == width || height == 1,
         whole_slices = row == width && (rows == height || slices == 1);
    if (!width || !height || !slices)
        return;
    struct linear_shape shape = {.width = width * size,
                                 .row = row * size,
                                 .slice = transfer_times(row * rows, size),
                                 .rows = height,
                                 .slices = slices};
    /* Rows without gaps are one run of bytes, and so are slices without gaps. */
    if (whole_rows) {
        shape.width = transfer_times(width * height, size);
        shape.rows = 1;
    }
    if (whole_slices) {
        uint64_t before = transfer_times(shape.slice, slices - 1);
        shape.width = before < UINT64_MAX - shape.width ? before + shape.width : UINT64_MAX;
        shape.slices = 1;
    }
    linear_rows(recording, buffer, region->bufferOffset, &shape, usage);
}

/* Records copies between a buffer and an image. Returns true if the call is to be skipped. */
static bool copy_between(struct call *call, VkBuffer buffer_handle, VkImage image_handle,
                         VkImageLayout layout, struct regions regions, bool to_image)
{
    struct recording recording;
    const struct buffer *buffer = find_buffer(call, buffer_handle);
    const struct image *image = find_image(call, image_handle);
    if (!recording_begin(&recording, call))
        return false;
    recording.wanted[to_image] = layout;
    for (int write = 0; write < 2; write++) {
        enum sync_usage usage = write ? SYNC_COPY_TRANSFER_WRITE : SYNC_COPY_TRANSFER_READ;
        FOR_EACH_REGION(VkBufferImageCopy, region, regions)
        if ((write != 0) == to_image)
            image_region(&recording, image, &region->imageSubresource, region->imageOffset,
                         region->imageExtent, usage);
        else
            linear_side(&recording, buffer, image, region, usage);
    }
    return recording_finish_check(&recording);
}

bool sync_validate_CmdCopyBufferToImage(struct call *call, VkCommandBuffer commandBuffer,
                                        VkBuffer srcBuffer, VkImage dstImage,
                                        VkImageLayout dstImageLayout, uint32_t regionCount,
                                        const VkBufferImageCopy *pRegions)
{
    return copy_between(call, srcBuffer, dstImage, dstImageLayout, REGIONS(pRegions, regionCount),
                        true);
}

bool sync_validate_CmdCopyBufferToImage2(struct call *call, VkCommandBuffer commandBuffer,
                                         const VkCopyBufferToImageInfo2 *pCopyBufferToImageInfo)
{
    const VkCopyBufferToImageInfo2 *info = pCopyBufferToImageInfo;
    return copy_between(call, info->srcBuffer, info->dstImage, info->dstImageLayout, REGIONS2(info),
                        true);
}

bool sync_validate_CmdCopyImageToBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                        VkImage srcImage, VkImageLayout srcImageLayout,
                                        VkBuffer dstBuffer, uint32_t regionCount,
                                        const VkBufferImageCopy *pRegions)
{
    return copy_between(call, dstBuffer, srcImage, srcImageLayout, REGIONS(pRegions, regionCount),
                        false);
}

bool sync_validate_CmdCopyImageToBuffer2(struct call *call, VkCommandBuffer commandBuffer,
                                         const VkCopyImageToBufferInfo2 *pCopyImageToBufferInfo)
{
    const VkCopyImageToBufferInfo2 *info = pCopyImageToBufferInfo;
    return copy_between(call, info->dstBuffer, info->srcImage, info->srcImageLayout, REGIONS2(info),
                        false);
}

/* Records copies between memory at addresses and an image (VK_KHR_device_address_commands). Returns
 * true if the call is to be skipped. */
static bool copy_addresses(struct call *call, const VkCopyDeviceMemoryImageInfoKHR *info,
                           bool to_image)
{
    struct recording recording;
    const struct image *image = find_image(call, info->image);
    if (!info->pRegions || !recording_begin(&recording, call))
        return false;
    for (uint32_t i = 0; i < info->regionCount * 2; i++) { /* first all reads, then all writes */
        const VkDeviceMemoryImageCopyKHR *region = &info->pRegions[i % info->regionCount];
        bool write = i >= info->regionCount;
        enum sync_usage usage = write ? SYNC_COPY_TRANSFER_WRITE : SYNC_COPY_TRANSFER_READ;
        if (write == to_image) {
            image_region(&recording, image, &region->imageSubresource, region->imageOffset,
                         region->imageExtent, usage);
            continue;
        }
        struct address_search found =
            device_address_find(call->device, region->addressRange.address,
                                region->addressRange.size, 0);
        if (!found.buffer || found.rest > found.buffer->size)
            continue;
        const VkBufferImageCopy copy = {.bufferOffset = found.buffer->size - found.rest,
                                        .bufferRowLength = region->addressRowLength,
                                        .bufferImageHeight = region->addressImageHeight,
                                        .imageSubresource = region->imageSubresource,
                                        .imageExtent = region->imageExtent};
        linear_side(&recording, found.buffer, image, &copy, usage);
    }
    return recording_finish_check(&recording);
}

bool sync_validate_CmdCopyMemoryToImageKHR(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkCopyDeviceMemoryImageInfoKHR *pCopyMemoryInfo)
{
    return copy_addresses(call, pCopyMemoryInfo, true);
}

bool sync_validate_CmdCopyImageToMemoryKHR(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkCopyDeviceMemoryImageInfoKHR *pCopyMemoryInfo)
{
    return copy_addresses(call, pCopyMemoryInfo, false);
}

/* --- clears, fills, updates --- */

/* Records a fill or an update of a buffer, whose stage is CLEAR here. */
static bool write_buffer(struct call *call, VkBuffer handle, VkDeviceSize offset, VkDeviceSize size)
{
    struct recording recording;
    const struct buffer *buffer = find_buffer(call, handle);
    if (!recording_begin(&recording, call))
        return false;
    recording_buffer(&recording, buffer, offset, size, SYNC_CLEAR_TRANSFER_WRITE, NULL);
    return recording_finish_check(&recording);
}

bool sync_validate_CmdFillBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                 VkBuffer dstBuffer, VkDeviceSize dstOffset, VkDeviceSize size,
                                 uint32_t data)
{
    return write_buffer(call, dstBuffer, dstOffset, size);
}

bool sync_validate_CmdUpdateBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                   VkBuffer dstBuffer, VkDeviceSize dstOffset,
                                   VkDeviceSize dataSize, const void *pData)
{
    return write_buffer(call, dstBuffer, dstOffset, dataSize);
}

/* Records a fill or an update of a range of addresses. */
static bool write_addresses(struct call *call, VkDeviceAddress address, VkDeviceSize size)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return false;
    recording_address(&recording, address, size, SYNC_CLEAR_TRANSFER_WRITE);
    return recording_finish_check(&recording);
}

bool sync_validate_CmdFillMemoryKHR(struct call *call, VkCommandBuffer commandBuffer,
                                    const VkDeviceAddressRangeKHR *pDstRange,
                                    VkAddressCommandFlagsKHR dstFlags, uint32_t data)
{
    return write_addresses(call, pDstRange->address, pDstRange->size);
}

bool sync_validate_CmdUpdateMemoryKHR(struct call *call, VkCommandBuffer commandBuffer,
                                      const VkDeviceAddressRangeKHR *pDstRange,
                                      VkAddressCommandFlagsKHR dstFlags, VkDeviceSize dataSize,
                                      const void *pData)
{
    return write_addresses(call, pDstRange->address, dataSize);
}

/* Records a clear of whole subresources. */
static bool clear_image(struct call *call, VkImage handle, VkImageLayout layout, uint32_t count,
                        const VkImageSubresourceRange *ranges)
{
    struct recording recording;
    const struct image *image = find_image(call, handle);
    if (!recording_begin(&recording, call))
        return false;
    recording.wanted[1] = layout;
    for (uint32_t i = 0; ranges && i < count; i++)
        recording_image(&recording, image, &ranges[i], SYNC_CLEAR_TRANSFER_WRITE, SYNC_UNORDERED,
                        NULL);
    return recording_finish_check(&recording);
}

bool sync_validate_CmdClearColorImage(struct call *call, VkCommandBuffer commandBuffer,
                                      VkImage image, VkImageLayout imageLayout,
                                      const VkClearColorValue *pColor, uint32_t rangeCount,
                                      const VkImageSubresourceRange *pRanges)
{
    return clear_image(call, image, imageLayout, rangeCount, pRanges);
}

bool sync_validate_CmdClearDepthStencilImage(struct call *call, VkCommandBuffer commandBuffer,
                                             VkImage image, VkImageLayout imageLayout,
                                             const VkClearDepthStencilValue *pDepthStencil,
                                             uint32_t rangeCount,
                                             const VkImageSubresourceRange *pRanges)
{
    return clear_image(call, image, imageLayout, rangeCount, pRanges);
}

/* --- results of queries --- */

/* Returns the bytes of one result; 0: it is not known how many values a query of this type has. */
static VkDeviceSize result_size(const struct query_pool *pool, VkQueryResultFlags flags)
{
    VkDeviceSize values;
    if (pool->type == VK_QUERY_TYPE_PIPELINE_STATISTICS)
        values = (VkDeviceSize)__builtin_popcount(pool->statistics);
    else if (pool->type == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT)
        values = 2;
    else if (pool->type == VK_QUERY_TYPE_OCCLUSION || pool->type == VK_QUERY_TYPE_TIMESTAMP)
        values = 1;
    else
        return 0;
    if (flags & (VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_WITH_STATUS_BIT_KHR))
        values++;
    return values * (flags & VK_QUERY_RESULT_64_BIT ? 8 : 4);
}

bool sync_validate_CmdCopyQueryPoolResults(struct call *call, VkCommandBuffer commandBuffer,
                                           VkQueryPool queryPool, uint32_t firstQuery,
                                           uint32_t queryCount, VkBuffer dstBuffer,
                                           VkDeviceSize dstOffset, VkDeviceSize stride,
                                           VkQueryResultFlags flags)
{
    struct recording recording;
    const struct query_pool *pool = named_query_pool(call, 0, queryPool);
    const struct buffer *buffer = named_buffer(call, 1, dstBuffer);
    VkDeviceSize size = pool ? result_size(pool, flags) : 0;
    if (!size || !buffer || !recording_begin(&recording, call))
        return false;
    /* Results without gaps are one range; others are recorded one by one, RECORDING_PIECES at
     * most. */
    if (stride == size || queryCount == 1)
        recording_buffer(&recording, buffer, dstOffset, size * queryCount, SYNC_COPY_TRANSFER_WRITE,
                         NULL);
    for (uint32_t i = 0; i < queryCount && i < RECORDING_PIECES && stride != size && queryCount > 1;
         i++) {
        if (i * stride >= buffer->size)
            break;
        recording_buffer(&recording, buffer, dstOffset + i * stride, size, SYNC_COPY_TRANSFER_WRITE,
                         NULL);
    }
    return recording_finish_check(&recording);
}

/* --- markers (VK_AMD_buffer_marker) --- */

/* "defines an execution dependency between prior operations and writing the marker value", whose
 * first scope is earlier work in the stage, "as well as a memory dependency from earlier buffer
 * marker write commands". */
static bool write_marker(struct call *call, VkPipelineStageFlags2 stage, VkBuffer handle,
                         VkDeviceSize offset)
{
    struct recording recording;
    const struct buffer *buffer = find_buffer(call, handle);
    struct sync_range_barrier range = {0};
    if (!buffer || !sync_buffer_place(&range.place, buffer, offset, sizeof(uint32_t)) ||
        !recording_begin_order(&recording, call))
        return false;
    const struct sync_barrier after = {
        .src = sync_scope_source(stage, 0, &recording.sync->queue),
        .dst.stages = sync_usage_info[SYNC_COPY_TRANSFER_WRITE].stage_mask,
        .everything = (stage & (VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT |
                                VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT)) != 0,
    };
    const uint64_t resource = object_state_id(&buffer->base);
    range.resource = object_index(resource);
    const struct sync_barriers barriers = {.tag = recording_tag(&recording, resource, NULL),
                                           .barrier_count = 1,
                                           .range_count = 1,
                                           .barriers = &after,
                                           .ranges = &range};
    if (barriers.tag)
        sync_context_barriers(&recording.sync->context, &barriers);
    recording_buffer_ordered(&recording, buffer, offset, sizeof(uint32_t), SYNC_COPY_TRANSFER_WRITE,
                             SYNC_ORDER_ATOMIC, NULL);
    return recording_finish_order(&recording, NULL);
}

bool sync_validate_CmdWriteBufferMarkerAMD(struct call *call, VkCommandBuffer commandBuffer,
                                           VkPipelineStageFlagBits pipelineStage,
                                           VkBuffer dstBuffer, VkDeviceSize dstOffset,
                                           uint32_t marker)
{
    return write_marker(call, (VkPipelineStageFlags2)pipelineStage, dstBuffer, dstOffset);
}

bool sync_validate_CmdWriteBufferMarker2AMD(struct call *call, VkCommandBuffer commandBuffer,
                                            VkPipelineStageFlags2 stage, VkBuffer dstBuffer,
                                            VkDeviceSize dstOffset, uint32_t marker)
{
    return write_marker(call, stage, dstBuffer, dstOffset);
}
