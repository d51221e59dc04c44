/* Checks that the regions of vkCmdCopyBufferToImage and vkCmdCopyImageToBuffer (both forms) fit the
 * image and the buffer (19.4). Rules that host copies share with them are in copy_region.c. */
#include "core/transfer/copy_buffer_image.h"
#include "core/hooks.h"

#include "report/finding/rule.h"
#include "vk/chain.h"

static_assert(offsetof(VkBufferImageCopy2, bufferOffset) == CHAIN_HEAD &&
                  sizeof(VkBufferImageCopy2) == CHAIN_HEAD + sizeof(VkBufferImageCopy),
              "one form");

/* One copy between a buffer and an image. image.destination gives the direction. */
struct buffer_image_copy {
    struct transfer_image image;
    const struct buffer *buffer; /* NULL: unknown */
    VkBuffer buffer_handle;
    const char *buffer_name; /* name of the buffer's parameter */
    struct region_list regions;
};

static bool is_planar(const struct transfer_image *side)
{
    return side->format->plane_count > 1;
}

/* The rotation that VkCopyCommandTransformInfoQCOM gives to a region. 0: the region has no such
 * structure. */
static VkSurfaceTransformFlagBitsKHR transform_of(const struct region_list *regions, uint32_t index)
{
    assert(index < regions->count);
    const void *chain = region_chain(regions, index);
    const VkCopyCommandTransformInfoQCOM *transform =
        chain ? chain_find(chain, VK_STRUCTURE_TYPE_COPY_COMMAND_TRANSFORM_INFO_QCOM) : NULL;
    return transform ? transform->transform : 0;
}

/* True if a region is copied with a rotation (VK_QCOM_rotated_copy_commands). */
static bool is_rotated(const struct buffer_image_copy *copy, uint32_t index)
{
    return is_turned(transform_of(&copy->regions, index));
}

/* --- the buffer ------------------------------------------------------------------------------- */

/* Checks bufferOffset for one plane of a multi-planar image. True: the call is to be skipped. */
static bool check_offset(const struct call *call, const struct buffer_image_copy *copy,
                         const VkBufferImageCopy *region, const struct location *where)
{
    assert(copy->image.format);
    const struct transfer_image *side = &copy->image;
    struct subject s = {.call = call, .where = where};
    /* If the image has a multi-planar format, bufferOffset must be a multiple of the element size
     * of the compatible format for the format and the aspectMask */
    uint32_t size =
        format_aspect_block_size(side->image->format, region->imageSubresource.aspectMask);
    if (likely(!is_planar(side)) || !size ||
        !(region->imageSubresource.aspectMask & FORMAT_PLANE_ASPECTS))
        return false;
    REQUIRE_OF(&s, SIDE_OBJECT(side), RULE_07976, region->bufferOffset % size == 0, "bufferOffset",
               "is %" PRIu64 ", which is not a multiple of %u, the bytes of a texel block of %s",
               region->bufferOffset, size,
               value_text(VALUES_VkFormat, (uint64_t)side->image->format).text);
    return s.skip;
}

/* Checks that the bytes of a region lie in the buffer. A buffer that is not known is not checked.
 * True: the call is to be skipped. */
static bool check_buffer_region(const struct call *call, const struct buffer_image_copy *copy,
                                const VkBufferImageCopy *region, const struct location *where)
{
    assert(copy->image.format);
    struct subject s = {.call = call, .where = where};
    s.skip |= check_offset(call, copy, region, where);
    if (!copy->buffer)
        return s.skip;
    /* The buffer must be large enough to contain all buffer locations that are accessed according
     * to Buffer and Image Addressing */
    VkDeviceSize footprint = copy_footprint(&copy->image, region, NULL);
    REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, copy->buffer_handle),
               copy->image.destination ? RULE_00171 : RULE_00183,
               !footprint || (region->bufferOffset <= copy->buffer->size &&
                              footprint <= copy->buffer->size - region->bufferOffset),
               "bufferOffset",
               "is %" PRIu64 " and the region takes %" PRIu64
               " bytes from there on, but %s has %" PRIu64 " bytes",
               region->bufferOffset, footprint, copy->buffer_name, copy->buffer->size);
    return s.skip;
}

/* --- overlaps --------------------------------------------------------------------------------- */

/* True if two regions write the same texels or bytes for certain. */
static bool targets_overlap(const struct buffer_image_copy *copy, const VkBufferImageCopy *a,
                            const VkBufferImageCopy *b)
{
    if (copy->image.destination) {
        struct image_box first =
            image_box(copy->image.image, &a->imageSubresource, a->imageOffset, a->imageExtent);
        struct image_box second =
            image_box(copy->image.image, &b->imageSubresource, b->imageOffset, b->imageExtent);
        return image_boxes_overlap(&first, &second);
    }
    /* The rows of one region may lie in the gaps between rows of the other. */
    bool first_contiguous, second_contiguous;
    VkDeviceSize first = copy_footprint(&copy->image, a, &first_contiguous),
                 second = copy_footprint(&copy->image, b, &second_contiguous);
    return first_contiguous && second_contiguous && copy->buffer &&
           buffers_overlap(copy->buffer, a->bufferOffset, copy->buffer, b->bufferOffset, first,
                           second);
}

/* Checks that no two regions write the same place. More than OVERLAP_REGIONS regions are not
 * compared, as the time grows with their square. */
static bool copy_buffer_image_check_overlaps(const struct call *call,
                                             const struct buffer_image_copy *copy)
{
    if (likely(copy->regions.count == 1 || copy->regions.count > OVERLAP_REGIONS))
        return false;
    for (uint32_t i = 1; i < copy->regions.count; i++) {
        /* The texels that a rotated region writes are not the extent that it states. */
        for (uint32_t j = 0; j < i && !is_rotated(copy, i); j++) {
            if (is_rotated(copy, j))
                continue;
            /* Each memory location accessed by this command must not be accessed by more than one
             * destination region */
            if (unlikely(targets_overlap(copy, region_at(&copy->regions, j),
                                         region_at(&copy->regions, i))))
                return BROKEN_BY(call, copy->image.destination ? RULE_12483 : RULE_12485,
                                 &LOCATION_INDEX(copy->regions.where, "pRegions", i),
                                 OBJECT2(HANDLE_IMAGE, copy->image.handle, HANDLE_BUFFER,
                                         copy->buffer_handle),
                                 "writes %s that region %u writes as well",
                                 copy->image.destination ? "texels" : "bytes", j);
        }
    }
    return false;
}

/* --- commands --------------------------------------------------------------------------------- */

/* Checks region `index` of the copy, on the side of the buffer and on the side of the image. True:
 * the call is to be skipped. */
static bool check_region(const struct call *call, const struct buffer_image_copy *copy,
                         uint32_t index)
{
    assert(index < copy->regions.count && copy->image.image);
    static const struct region_names names = {"bufferOffset", "bufferRowLength",
                                              "bufferImageHeight"};
    const VkBufferImageCopy *region = region_at(&copy->regions, index);
    const struct location *where = &LOCATION_INDEX(copy->regions.where, "pRegions", index);
    bool skip = false;
    skip |= check_linear_side(call, &copy->image, region, where, &names);
    skip |= check_copied_region(call, &copy->image, &region->imageSubresource, region->imageOffset,
                                region->imageExtent, where, transform_of(&copy->regions, index));
    if (likely(!is_rotated(copy, index)))
        skip |= check_granularity(call, copy->image.destination ? RULE_07738 : RULE_07747,
                                  &copy->image, where, &region->imageSubresource,
                                  region->imageOffset, region->imageExtent);
    if (copy->image.format)
        skip |= check_buffer_region(call, copy, region, where);
    /* The layout must specify the layout of the image subresources specified in pRegions at the
     * time this command is executed */
    const VkImageSubresourceRange range = range_of_layers(&region->imageSubresource);
    return skip | check_recorded_layout(call, copy->image.destination ? RULE_00180 : RULE_00189,
                                        &copy->image, &range);
}

/* Checks each region on its own, then all regions against each other. */
static bool check_regions(const struct call *call, struct buffer_image_copy *copy)
{
    bool skip = false;
    for (uint32_t i = 0; i < copy->regions.count; i++)
        skip |= check_region(call, copy, i);
    return skip | copy_buffer_image_check_overlaps(call, copy);
}

/* Checks a copy. An unknown image is left to the validator of lifetimes. */
static bool copy_buffer_image_check(struct call *call, struct buffer_image_copy *copy)
{
    if (!copy->image.image || !call->device)
        return false;
    copy->image.format = format_info(copy->image.image->format);
    return check_regions(call, copy);
}

/* Describes a copy between a buffer and an image, with the names that messages use. Unknown objects
 * become NULL. */
static struct buffer_image_copy make_copy(struct call *call, VkImage image, VkImageLayout layout,
                                          VkBuffer buffer, bool to_image,
                                          struct region_list regions)
{
    return (struct buffer_image_copy){
        .image = {.image = find_image(call, image),
                  .handle = image,
                  .layout = layout,
                  .destination = to_image,
                  .where = regions.where,
                  .name = to_image ? "dstImage" : "srcImage",
                  .layout_name = to_image ? "dstImageLayout" : "srcImageLayout",
                  .subresource = "imageSubresource",
                  .offset = "imageOffset",
                  .extent = "imageExtent"},
        .buffer = find_buffer(call, buffer),
        .buffer_handle = buffer,
        .buffer_name = to_image ? "srcBuffer" : "dstBuffer",
        .regions = regions,
    };
}

bool core_validate_CmdCopyBufferToImage(struct call *call, VkCommandBuffer commandBuffer,
                                        VkBuffer srcBuffer, VkImage dstImage,
                                        VkImageLayout dstImageLayout, uint32_t regionCount,
                                        const VkBufferImageCopy *pRegions)
{
    struct buffer_image_copy copy =
        make_copy(call, dstImage, dstImageLayout, srcBuffer, true, REGIONS(pRegions, regionCount));
    return copy_buffer_image_check(call, &copy);
}

bool core_validate_CmdCopyBufferToImage2(struct call *call, VkCommandBuffer commandBuffer,
                                         const VkCopyBufferToImageInfo2 *pCopyBufferToImageInfo)
{
    const VkCopyBufferToImageInfo2 *info = pCopyBufferToImageInfo;
    const struct location *where = &LOCATION_POINTER(NULL, "pCopyBufferToImageInfo");
    struct buffer_image_copy copy = make_copy(call, info->dstImage, info->dstImageLayout,
                                              info->srcBuffer, true, REGIONS2(info, where));
    return copy_buffer_image_check(call, &copy);
}

bool core_validate_CmdCopyImageToBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                        VkImage srcImage, VkImageLayout srcImageLayout,
                                        VkBuffer dstBuffer, uint32_t regionCount,
                                        const VkBufferImageCopy *pRegions)
{
    struct buffer_image_copy copy =
        make_copy(call, srcImage, srcImageLayout, dstBuffer, false, REGIONS(pRegions, regionCount));
    return copy_buffer_image_check(call, &copy);
}

bool core_validate_CmdCopyImageToBuffer2(struct call *call, VkCommandBuffer commandBuffer,
                                         const VkCopyImageToBufferInfo2 *pCopyImageToBufferInfo)
{
    const VkCopyImageToBufferInfo2 *info = pCopyImageToBufferInfo;
    const struct location *where = &LOCATION_POINTER(NULL, "pCopyImageToBufferInfo");
    struct buffer_image_copy copy = make_copy(call, info->srcImage, info->srcImageLayout,
                                              info->dstBuffer, false, REGIONS2(info, where));
    return copy_buffer_image_check(call, &copy);
}
