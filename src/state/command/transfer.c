/* Tracks the buffers, images and image layouts that recorded copies, blits, resolves, fills and
 * clears use. It also tracks the layouts that host copies leave. */
#include "state/hooks.h"
#include "state/memory/image_layout.h"

/* Notes that the command is an action command, and that it uses the buffer. */
static ALWAYS_INLINE void use_buffer(const struct call *call, VkBuffer buffer)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (unlikely(!command_buffer))
        return;
    command_buffer_acts(command_buffer);
    command_buffer_uses_handle(call, command_buffer, (uint64_t)buffer, HANDLE_BUFFER);
}

/* The slices in which a region lies; nothing is known about other slices of the subresource. In the
 * region, an offset follows the subresource, and an extent is `extent` bytes after that. A blit has
 * two offsets, and `extent` is 0. */
static COLD VkImageSubresourceRange slices_of(VkImageSubresourceRange range,
                                              const VkImageSubresourceLayers *layers, size_t extent)
{
    const VkOffset3D *offsets = (const void *)(layers + 1);
    const VkExtent3D *size = (const void *)((const char *)layers + extent);
    int64_t begin = offsets[0].z, end = extent ? begin + size->depth : offsets[1].z;
    if (begin > end) {
        int64_t swapped = begin;
        begin = end;
        end = swapped;
    }
    range.baseArrayLayer = begin < 0 ? 0 : (uint32_t)begin;
    range.layerCount = begin < 0 || end <= begin ? 0 : (uint32_t)(end - begin);
    return range;
}

/* Notes an image, and the layout that a command expects of `count` subresources. They are `stride`
 * bytes apart, from `first` on; NULL: there are none. `extent`: see slices_of(). */
static void use_image(const struct call *call, enum layout_role role, VkImage handle,
                      VkImageLayout layout, const void *first, uint32_t count, size_t stride,
                      size_t extent)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    const struct object *object =
        command_buffer ? call_find(call, (uint64_t)handle, HANDLE_IMAGE) : NULL;
    const struct image *image = object_load_state_as(call, object, (uint64_t)handle, HANDLE_IMAGE);
    if (unlikely(!command_buffer))
        return;
    /* Even a command with an unknown image is an action command. */
    command_buffer_acts(command_buffer);
    command_buffer_uses(command_buffer, object);
    for (uint32_t i = 0; image && first && i < count; i++) {
        const VkImageSubresourceLayers *layers = (const void *)((const char *)first + i * stride);
        VkImageSubresourceRange range = {layers->aspectMask, layers->mipLevel, 1,
                                         layers->baseArrayLayer, layers->layerCount};
        if (unlikely(image_has_slices(image)))
            range = slices_of(range, layers, extent);
        command_buffer_expect_layout_as(call, command_buffer, image, &range, layout, role);
    }
}
/* Notes an image, and the layout in which each region needs it. */
#define USE_IMAGE(role_, image_, layout_, regions_, count_, member_, extent_)   \
    use_image(call, LAYOUT_OF_##role_, (image_), (layout_),                     \
              (regions_) ? (const void *)&(regions_)->member_ : NULL, (count_), \
              sizeof(*(regions_)), (extent_))
/* The distance in bytes from a subresource to an extent. */
#define EXTENT(type_, subresource_, extent_) \
    (offsetof(type_, extent_) - offsetof(type_, subresource_))

/* Notes that a command uses ranges of an image, and expects them in a layout. */
static void use_ranges(const struct call *call, VkImage handle, VkImageLayout layout,
                       uint32_t count, const VkImageSubresourceRange *ranges)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    const struct object *object =
        command_buffer ? call_find(call, (uint64_t)handle, HANDLE_IMAGE) : NULL;
    const struct image *image = object_load_state_as(call, object, (uint64_t)handle, HANDLE_IMAGE);
    if (unlikely(!command_buffer))
        return;
    command_buffer_acts(command_buffer);
    command_buffer_uses(command_buffer, object);
    for (uint32_t i = 0; image && ranges && i < count; i++) {
        VkImageSubresourceRange range = ranges[i];
        if (unlikely(image_has_slices(image))) { /* a clear is of whole levels */
            range.baseArrayLayer = 0;
            range.layerCount = VK_REMAINING_ARRAY_LAYERS;
        }
        command_buffer_expect_layout(call, command_buffer, image, &range, layout);
    }
}

void state_after_CmdCopyBuffer(struct call *call, VkCommandBuffer commandBuffer, VkBuffer srcBuffer,
                               VkBuffer dstBuffer, uint32_t regionCount,
                               const VkBufferCopy *pRegions)
{
    use_buffer(call, srcBuffer);
    use_buffer(call, dstBuffer);
}

void state_after_CmdCopyBuffer2(struct call *call, VkCommandBuffer commandBuffer,
                                const VkCopyBufferInfo2 *pCopyBufferInfo)
{
    use_buffer(call, pCopyBufferInfo->srcBuffer);
    use_buffer(call, pCopyBufferInfo->dstBuffer);
}

void state_after_CmdCopyImage(struct call *call, VkCommandBuffer commandBuffer, VkImage srcImage,
                              VkImageLayout srcImageLayout, VkImage dstImage,
                              VkImageLayout dstImageLayout, uint32_t regionCount,
                              const VkImageCopy *pRegions)
{
    USE_IMAGE(SOURCE, srcImage, srcImageLayout, pRegions, regionCount, srcSubresource,
              EXTENT(VkImageCopy, srcSubresource, extent));
    USE_IMAGE(TARGET, dstImage, dstImageLayout, pRegions, regionCount, dstSubresource,
              EXTENT(VkImageCopy, dstSubresource, extent));
}

void state_after_CmdCopyImage2(struct call *call, VkCommandBuffer commandBuffer,
                               const VkCopyImageInfo2 *pCopyImageInfo)
{
    USE_IMAGE(SOURCE, pCopyImageInfo->srcImage, pCopyImageInfo->srcImageLayout,
              pCopyImageInfo->pRegions, pCopyImageInfo->regionCount, srcSubresource,
              EXTENT(VkImageCopy2, srcSubresource, extent));
    USE_IMAGE(TARGET, pCopyImageInfo->dstImage, pCopyImageInfo->dstImageLayout,
              pCopyImageInfo->pRegions, pCopyImageInfo->regionCount, dstSubresource,
              EXTENT(VkImageCopy2, dstSubresource, extent));
}

void state_after_CmdCopyBufferToImage(struct call *call, VkCommandBuffer commandBuffer,
                                      VkBuffer srcBuffer, VkImage dstImage,
                                      VkImageLayout dstImageLayout, uint32_t regionCount,
                                      const VkBufferImageCopy *pRegions)
{
    use_buffer(call, srcBuffer);
    USE_IMAGE(TARGET, dstImage, dstImageLayout, pRegions, regionCount, imageSubresource,
              EXTENT(VkBufferImageCopy, imageSubresource, imageExtent));
}

void state_after_CmdCopyBufferToImage2(struct call *call, VkCommandBuffer commandBuffer,
                                       const VkCopyBufferToImageInfo2 *pCopyBufferToImageInfo)
{
    use_buffer(call, pCopyBufferToImageInfo->srcBuffer);
    USE_IMAGE(TARGET, pCopyBufferToImageInfo->dstImage, pCopyBufferToImageInfo->dstImageLayout,
              pCopyBufferToImageInfo->pRegions, pCopyBufferToImageInfo->regionCount,
              imageSubresource, EXTENT(VkBufferImageCopy2, imageSubresource, imageExtent));
}

void state_after_CmdCopyImageToBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                      VkImage srcImage, VkImageLayout srcImageLayout,
                                      VkBuffer dstBuffer, uint32_t regionCount,
                                      const VkBufferImageCopy *pRegions)
{
    USE_IMAGE(SOURCE, srcImage, srcImageLayout, pRegions, regionCount, imageSubresource,
              EXTENT(VkBufferImageCopy, imageSubresource, imageExtent));
    use_buffer(call, dstBuffer);
}

void state_after_CmdCopyImageToBuffer2(struct call *call, VkCommandBuffer commandBuffer,
                                       const VkCopyImageToBufferInfo2 *pCopyImageToBufferInfo)
{
    USE_IMAGE(SOURCE, pCopyImageToBufferInfo->srcImage, pCopyImageToBufferInfo->srcImageLayout,
              pCopyImageToBufferInfo->pRegions, pCopyImageToBufferInfo->regionCount,
              imageSubresource, EXTENT(VkBufferImageCopy2, imageSubresource, imageExtent));
    use_buffer(call, pCopyImageToBufferInfo->dstBuffer);
}

void state_after_CmdBlitImage(struct call *call, VkCommandBuffer commandBuffer, VkImage srcImage,
                              VkImageLayout srcImageLayout, VkImage dstImage,
                              VkImageLayout dstImageLayout, uint32_t regionCount,
                              const VkImageBlit *pRegions, VkFilter filter)
{
    USE_IMAGE(SOURCE, srcImage, srcImageLayout, pRegions, regionCount, srcSubresource, 0);
    USE_IMAGE(TARGET, dstImage, dstImageLayout, pRegions, regionCount, dstSubresource, 0);
}

void state_after_CmdBlitImage2(struct call *call, VkCommandBuffer commandBuffer,
                               const VkBlitImageInfo2 *pBlitImageInfo)
{
    USE_IMAGE(SOURCE, pBlitImageInfo->srcImage, pBlitImageInfo->srcImageLayout,
              pBlitImageInfo->pRegions, pBlitImageInfo->regionCount, srcSubresource, 0);
    USE_IMAGE(TARGET, pBlitImageInfo->dstImage, pBlitImageInfo->dstImageLayout,
              pBlitImageInfo->pRegions, pBlitImageInfo->regionCount, dstSubresource, 0);
}

void state_after_CmdResolveImage(struct call *call, VkCommandBuffer commandBuffer, VkImage srcImage,
                                 VkImageLayout srcImageLayout, VkImage dstImage,
                                 VkImageLayout dstImageLayout, uint32_t regionCount,
                                 const VkImageResolve *pRegions)
{
    USE_IMAGE(SOURCE, srcImage, srcImageLayout, pRegions, regionCount, srcSubresource,
              EXTENT(VkImageResolve, srcSubresource, extent));
    USE_IMAGE(TARGET, dstImage, dstImageLayout, pRegions, regionCount, dstSubresource,
              EXTENT(VkImageResolve, dstSubresource, extent));
}

void state_after_CmdResolveImage2(struct call *call, VkCommandBuffer commandBuffer,
                                  const VkResolveImageInfo2 *pResolveImageInfo)
{
    USE_IMAGE(SOURCE, pResolveImageInfo->srcImage, pResolveImageInfo->srcImageLayout,
              pResolveImageInfo->pRegions, pResolveImageInfo->regionCount, srcSubresource,
              EXTENT(VkImageResolve2, srcSubresource, extent));
    USE_IMAGE(TARGET, pResolveImageInfo->dstImage, pResolveImageInfo->dstImageLayout,
              pResolveImageInfo->pRegions, pResolveImageInfo->regionCount, dstSubresource,
              EXTENT(VkImageResolve2, dstSubresource, extent));
}

void state_after_CmdFillBuffer(struct call *call, VkCommandBuffer commandBuffer, VkBuffer dstBuffer,
                               VkDeviceSize dstOffset, VkDeviceSize size, uint32_t data)
{
    use_buffer(call, dstBuffer);
}

void state_after_CmdUpdateBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                 VkBuffer dstBuffer, VkDeviceSize dstOffset, VkDeviceSize dataSize,
                                 const void *pData)
{
    use_buffer(call, dstBuffer);
}

void state_after_CmdClearColorImage(struct call *call, VkCommandBuffer commandBuffer, VkImage image,
                                    VkImageLayout imageLayout, const VkClearColorValue *pColor,
                                    uint32_t rangeCount, const VkImageSubresourceRange *pRanges)
{
    use_ranges(call, image, imageLayout, rangeCount, pRanges);
}

void state_after_CmdClearDepthStencilImage(struct call *call, VkCommandBuffer commandBuffer,
                                           VkImage image, VkImageLayout imageLayout,
                                           const VkClearDepthStencilValue *pDepthStencil,
                                           uint32_t rangeCount,
                                           const VkImageSubresourceRange *pRanges)
{
    use_ranges(call, image, imageLayout, rangeCount, pRanges);
}
