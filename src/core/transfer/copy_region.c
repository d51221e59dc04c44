/* Checks regions of copies between images and linear memory (buffers, the host's): where in the
 * image, and how many bytes (19.4). */
#include "core/transfer/copy_buffer_image.h"
#include "core/rule.h"

/* One axis. The offset must be a multiple of the texel block's extent, and so must the size, if it
 * does not reach to the end. */
static bool check_block(const struct call *call, const struct transfer_image *side,
                        const struct location *where, uint32_t axis, int32_t offset,
                        uint32_t extent, uint32_t limit, enum rule offset_rule,
                        enum rule extent_rule)
{
    assert(axis < ARRAY_LENGTH(axis_names));
    uint32_t block = side->format ? side->format->block_extent[axis] : 1;
    bool skip = false;
    if (likely(block == 1))
        return false;
    if (unlikely(offset % (int32_t)block != 0) && offset_rule != RULE_NONE)
        skip |= report_block(call, side_rule(side, offset_rule), side, where, side->offset,
                             axis_names[axis].offset, offset, block);
    if (unlikely(extent % block != 0 && (int64_t)offset + extent != limit))
        skip |= report_block(call, side_rule(side, extent_rule), side, where, side->extent,
                             axis_names[axis].extent, extent, block);
    return skip;
}

bool check_copied_region(const struct call *call, const struct transfer_image *side,
                         const VkImageSubresourceLayers *layers, VkOffset3D offset,
                         VkExtent3D extent, const struct location *where,
                         VkSurfaceTransformFlagBitsKHR transform)
{
    bool skip = false;
    if (unlikely(layers->mipLevel >= side->image->mip_levels))
        return false;
    VkExtent3D limit = subresource_extent(side, layers->mipLevel, layers->aspectMask);
    /* Rotated regions have rules of their own. */
    if (likely(transform == VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR)) {
        skip |= check_block(call, side, where, 0, offset.x, extent.width, limit.width, RULE_07274,
                            RULE_00207);
        skip |= check_block(call, side, where, 1, offset.y, extent.height, limit.height, RULE_07275,
                            RULE_00208);
        skip |= check_block(call, side, where, 2, offset.z, extent.depth, limit.depth, RULE_NONE,
                            RULE_00209);
    }
    return skip;
}

bool check_linear_side(const struct call *call, const struct transfer_image *side,
                       const VkBufferImageCopy *region, const struct location *where,
                       const struct region_names *names)
{
    struct subject s = {.call = call, .where = where};
    if (!side->format || likely(!region->bufferRowLength))
        return s.skip;
    /* bufferRowLength divided by the texel block extent width and then multiplied by the texel
     * block size must be less than or equal to 2^31-1 */
    const uint64_t row = (uint64_t)region->bufferRowLength / side->format->block_extent[0] *
                         side->format->block_size;
    REQUIRE_OF(&s, SIDE_OBJECT(side), RULE_09108, row <= INT32_MAX, names->row_length,
               "is %u: a row takes %" PRIu64 " bytes, which is more than 2^31-1",
               region->bufferRowLength, row);
    return s.skip;
}

/* Sums and products that stay at UINT64_MAX once they are too large. */
static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t result;
    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    uint64_t result;
    return __builtin_add_overflow(a, b, &result) ? UINT64_MAX : result;
}

static uint64_t blocks_in(uint64_t texels, uint32_t block)
{
    assert(block);
    return (texels + block - 1) / block;
}

VkDeviceSize copy_footprint(const struct transfer_image *side, const VkBufferImageCopy *region,
                            bool *contiguous)
{
    const VkExtent3D extent = region->imageExtent;
    VkImageAspectFlags aspect = region->imageSubresource.aspectMask;
    uint32_t layers = resolve_layer_count(side->image, &region->imageSubresource);
    uint64_t size = format_aspect_block_size(side->image->format, aspect);
    if (contiguous)
        *contiguous = false;
    if (!side->format || !size || aspect & (aspect - 1) || !extent.width || !extent.height ||
        !extent.depth || !layers)
        return 0;
    /* "rowExtent = ceil(max(bufferRowLength, imageExtent.width) / blockWidth) * blockSize", and so
     * on: "Buffer and Image Addressing" */
    const uint8_t *block = side->format->block_extent;
    uint64_t width = blocks_in(extent.width, block[0]), height = blocks_in(extent.height, block[1]),
             depth = blocks_in(extent.depth, block[2]);
    uint64_t row = times(blocks_in(region->bufferRowLength > extent.width ? region->bufferRowLength
                                                                          : extent.width,
                                   block[0]),
                         size);
    uint64_t rows = blocks_in(region->bufferImageHeight > extent.height ? region->bufferImageHeight
                                                                        : extent.height,
                              block[1]);
    uint64_t slice = times(rows, row), slices = times(depth, layers);
    if (contiguous)
        *contiguous =
            (row == width * size || height * slices == 1) && (rows == height || slices == 1);
    return plus(plus(times(slices - 1, slice), times(height - 1, row)), times(width, size));
}
