/* Rules about the image and its regions that copies from and to buffers and host memory share
 * (19.4, 19.5). Threads: the calling thread. Fields of other objects are read as their own comments
 * allow. */
#ifndef ASSAY_CORE_TRANSFER_COPY_BUFFER_IMAGE_H
#define ASSAY_CORE_TRANSFER_COPY_BUFFER_IMAGE_H

#include "core/transfer/transfer.h"

/* The members' names, in which VkBufferImageCopy, VkMemoryToImageCopy and VkImageToMemoryCopy
 * differ. Otherwise the three are the same. */
struct region_names {
    const char *offset, *row_length, *image_height;
};

static inline bool is_turned(VkSurfaceTransformFlagBitsKHR transform)
{
    return unlikely(transform && transform != VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR);
}

/* Checks the image region of a copy from or to linear memory. `transform`: that of
 * VkCopyCommandTransformInfoQCOM, or 0 where the region has no such structure. */
bool check_copied_region(const struct call *call, const struct transfer_image *side,
                         const VkImageSubresourceLayers *layers, VkOffset3D offset,
                         VkExtent3D extent, const struct location *where,
                         VkSurfaceTransformFlagBitsKHR transform);
/* Checks the rules about rows and slices of the linear memory of a region. */
bool check_linear_side(const struct call *call, const struct transfer_image *side,
                       const VkBufferImageCopy *region, const struct location *where,
                       const struct region_names *names);
/* The number of bytes that a region uses from its base address on. UINT64_MAX: it does not fit 64
 * bits; 0: it is not known. `contiguous` (may be NULL): whether the bytes have no gaps. */
VkDeviceSize copy_footprint(const struct transfer_image *side, const VkBufferImageCopy *region,
                            bool *contiguous);

#endif
