/* Copies between an image and buffers or host memory (19.4, 19.5): what they ask of the image and
 * of each region alike. Threads: that of the call. Fields of other objects are read as their own
 * comments allow. */
#ifndef ASSAY_CORE_TRANSFER_COPY_BUFFER_IMAGE_H
#define ASSAY_CORE_TRANSFER_COPY_BUFFER_IMAGE_H

#include "core/transfer/transfer.h"

/* VkBufferImageCopy, VkMemoryToImageCopy and VkImageToMemoryCopy are the same, but for what the
 * members are called. */
struct region_names {
    const char *offset, *row_length, *image_height;
};

static inline bool is_turned(VkSurfaceTransformFlagBitsKHR transform)
{
    return unlikely(transform && transform != VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR);
}

/* A region of the image, wherever its texels come from or go to. `transform`:
 * VkCopyCommandTransformInfoQCOM's, or 0 where the region has no such structure. */
bool check_copied_region(const struct call *call, const struct transfer_image *side,
                         const VkImageSubresourceLayers *layers, VkOffset3D offset,
                         VkExtent3D extent, const struct location *where,
                         VkSurfaceTransformFlagBitsKHR transform);
/* Rules of the region of which the other side is linear, about rows and slices of that. */
bool check_linear_side(const struct call *call, const struct transfer_image *side,
                       const VkBufferImageCopy *region, const struct location *where,
                       const struct region_names *names);
/* Bytes after the base address that a region uses; UINT64_MAX when that is too much for 64 bits, 0
 * when it is not known. `contiguous` (may be NULL): there are no gaps between them. */
VkDeviceSize copy_footprint(const struct transfer_image *side, const VkBufferImageCopy *region,
                            bool *contiguous);

#endif
