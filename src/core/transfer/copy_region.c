/* Checks regions of copies between images and linear memory (buffers, the host's): where in the
 * image, and how many bytes (19.4). */
#include "core/transfer/copy_buffer_image.h"
#include "core/rule.h"

bool check_copied_image(const struct call *call, const struct transfer_image *side)
{
    assert(side->image);
    const struct location *where = &LOCATION(side->where, side->name);
    struct subject s = {.call = call};
    /* If the image is non-sparse then the image or each specified disjoint plane must be bound
     * completely and contiguously to a single VkDeviceMemory object */
    s.skip |= check_image_bound(call, side_rule(side, RULE_07966), side);
    /* must not have been created with flags containing VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT */
    REQUIRE_OF(&s, SIDE_OBJECT(side), side_rule(side, RULE_07969),
               !(side->image->flags & VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT), where,
               "was created with VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT");
    /* must have a sample count equal to VK_SAMPLE_COUNT_1_BIT */
    REQUIRE_OF(&s, SIDE_OBJECT(side), side_rule(side, RULE_07973),
               side->image->samples == VK_SAMPLE_COUNT_1_BIT, where, "has %u samples",
               (uint32_t)side->image->samples);
    return s.skip;
}

static bool check_aspect(const struct call *call, const struct transfer_image *side,
                         VkImageAspectFlags aspect, const struct location *where)
{
    if (!side->format)
        return false;
    /* imageSubresource.aspectMask must specify aspects present in the image */
    if (likely(side->format->plane_count == 1))
        return check_aspects_present(call, side_rule(side, RULE_09105), side, aspect, where);
    struct subject s = {.call = call};
    /* If the image has a multi-planar format, then imageSubresource.aspectMask must be a single
     * valid multi-planar aspect mask bit */
    REQUIRE_OF(&s, SIDE_OBJECT(side), side_rule(side, RULE_07981),
               aspect == VK_IMAGE_ASPECT_PLANE_0_BIT || aspect == VK_IMAGE_ASPECT_PLANE_1_BIT ||
                   (aspect == VK_IMAGE_ASPECT_PLANE_2_BIT && side->format->plane_count > 2),
               &LOCATION(&LOCATION(where, side->subresource), "aspectMask"),
               "is %s, but must be one of the %u planes of %s",
               value_text(VALUES_VkImageAspectFlags, aspect).text, side->format->plane_count,
               value_text(VALUES_VkFormat, (uint64_t)side->image->format).text);
    return s.skip;
}

static bool check_type(const struct call *call, const struct transfer_image *side,
                       const VkImageSubresourceLayers *layers, VkOffset3D offset, VkExtent3D extent,
                       const struct location *where)
{
    VkImageType type = side->image->type;
    struct subject s = {.call = call, .where = where};
    /* If the image is of type VK_IMAGE_TYPE_1D, then imageOffset.y must be 0 and imageExtent.height
     * must be 1 */
    REQUIRE_OF(&s, SIDE_OBJECT(side), side_rule(side, RULE_07979),
               type != VK_IMAGE_TYPE_1D || (offset.y == 0 && extent.height <= 1), where,
               "has %s.y %d and %s.height %u, but the image is of type VK_IMAGE_TYPE_1D",
               side->offset, offset.y, side->extent, extent.height);
    /* If the image is of type VK_IMAGE_TYPE_1D or VK_IMAGE_TYPE_2D, then imageOffset.z must be 0
     * and imageExtent.depth must be 1 */
    REQUIRE_OF(&s, SIDE_OBJECT(side), side_rule(side, RULE_07980),
               type == VK_IMAGE_TYPE_3D || (offset.z == 0 && extent.depth <= 1), where,
               "has %s.z %d and %s.depth %u, but the image is of type %s", side->offset, offset.z,
               side->extent, extent.depth, value_text(VALUES_VkImageType, (uint64_t)type).text);
    /* If the image is of type VK_IMAGE_TYPE_3D, imageSubresource.baseArrayLayer must be 0 and
     * imageSubresource.layerCount must be 1 */
    REQUIRE_OF(&s, SIDE_OBJECT(side), side_rule(side, RULE_07983),
               type != VK_IMAGE_TYPE_3D ||
                   (layers->baseArrayLayer == 0 && resolve_layer_count(side->image, layers) == 1),
               side->subresource,
               "has baseArrayLayer %u and layerCount %u, but the image is of type VK_IMAGE_TYPE_3D",
               layers->baseArrayLayer, layers->layerCount);
    return s.skip;
}

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
    if (unlikely(offset % (int32_t)block != 0))
        skip |= report_block(call, side_rule(side, offset_rule), side, where, side->offset,
                             axis_names[axis].offset, offset, block);
    if (unlikely(extent % block != 0 && (int64_t)offset + extent != limit))
        skip |= report_block(call, side_rule(side, extent_rule), side, where, side->extent,
                             axis_names[axis].extent, extent, block);
    return skip;
}

/* Both forms of one sentence: that of the first form and of host copies, and that of the second,
 * which has VkCopyCommandTransformInfoQCOM. */
static COLD enum rule first_known(const struct call *call, const struct transfer_image *side,
                                  enum rule first, enum rule second, enum rule third)
{
    enum rule rule = side_rule(side, first);
    if (rule_vuid(call->command, rule) == VUID_COUNT)
        rule = side_rule(side, side->destination ? second : third);
    return rule;
}

bool check_copied_region(const struct call *call, const struct transfer_image *side,
                         const VkImageSubresourceLayers *layers, VkOffset3D offset,
                         VkExtent3D extent, const struct location *where,
                         VkSurfaceTransformFlagBitsKHR transform)
{
    assert(side->image);
    bool skip = check_subresource_layers(call, layers, &LOCATION(where, side->subresource));
    skip |= check_aspect(call, side, layers->aspectMask, where);
    skip |= check_array_layers(call, side_rule(side, RULE_07968), side, layers, where);
    skip |= check_type(call, side, layers, offset, extent, where);
    /* imageSubresource.mipLevel must be less than the mipLevels */
    if (unlikely(layers->mipLevel >= side->image->mip_levels))
        return skip |
               check_mip_level(call, side_rule(side, RULE_07967), side, layers->mipLevel, where);
    VkExtent3D limit = subresource_extent(side, layers->mipLevel, layers->aspectMask);
    /* imageOffset.z and (imageExtent.depth + imageOffset.z) must both be greater than or equal to 0
     * and less than or equal to the depth */
    if (side->image->type == VK_IMAGE_TYPE_3D)
        skip |= check_axis(call, side_rule(side, RULE_09104), side, where, 2, offset.z,
                           extent.depth, limit.depth, layers->mipLevel);
    /* Rotated regions have rules of their own. */
    if (unlikely(transform != VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR))
        return skip;
    if (unlikely(!axis_fits(offset.x, extent.width, limit.width)))
        skip |= report_axis(call, first_known(call, side, RULE_07971, RULE_06223, RULE_00197), side,
                            where, 0, offset.x, extent.width, limit.width, layers->mipLevel);
    /* Images of one dimension have 07979. */
    if (unlikely(!axis_fits(offset.y, extent.height, limit.height)) &&
        side->image->type != VK_IMAGE_TYPE_1D)
        skip |= report_axis(call, first_known(call, side, RULE_07972, RULE_06224, RULE_00198), side,
                            where, 1, offset.y, extent.height, limit.height, layers->mipLevel);
    skip |= check_block(call, side, where, 0, offset.x, extent.width, limit.width, RULE_07274,
                        RULE_00207);
    skip |= check_block(call, side, where, 1, offset.y, extent.height, limit.height, RULE_07275,
                        RULE_00208);
    skip |= check_block(call, side, where, 2, offset.z, extent.depth, limit.depth, RULE_07276,
                        RULE_00209);
    return skip;
}

bool check_linear_side(const struct call *call, const struct transfer_image *side,
                       const VkBufferImageCopy *region, const struct location *where,
                       const struct region_names *names)
{
    assert(side->image && names);
    const VkExtent3D extent = region->imageExtent;
    const VkImageAspectFlags aspect = region->imageSubresource.aspectMask;
    const struct location *rows = &LOCATION(where, names->row_length);
    struct subject s = {.call = call, .where = where};
    /* bufferRowLength must be 0, or greater than or equal to the width member of imageExtent */
    REQUIRE(&s, RULE_09101, !region->bufferRowLength || region->bufferRowLength >= extent.width,
            rows, "is %u, but imageExtent.width is %u", region->bufferRowLength, extent.width);
    REQUIRE(&s, RULE_09102,
            !region->bufferImageHeight || region->bufferImageHeight >= extent.height,
            names->image_height, "is %u, but imageExtent.height is %u", region->bufferImageHeight,
            extent.height);
    /* The aspectMask member of imageSubresource must only have a single bit set */
    REQUIRE(&s, RULE_09103, !(aspect & (aspect - 1)),
            &LOCATION(&LOCATION(where, "imageSubresource"), "aspectMask"),
            "is %s: one aspect is copied at a time",
            value_text(VALUES_VkImageAspectFlags, aspect).text);
    REQUIRE(&s, RULE_06659, extent.width, &LOCATION(&LOCATION(where, "imageExtent"), "width"),
            "is 0");
    REQUIRE(&s, RULE_06660, extent.height, &LOCATION(&LOCATION(where, "imageExtent"), "height"),
            "is 0");
    REQUIRE(&s, RULE_06661, extent.depth, &LOCATION(&LOCATION(where, "imageExtent"), "depth"),
            "is 0");
    if (!side->format || likely(!region->bufferRowLength && !region->bufferImageHeight))
        return s.skip;
    const uint8_t *block = side->format->block_extent;
    /* bufferRowLength must be a multiple of the texel block extent width of the VkFormat of the
     * image */
    REQUIRE_OF(&s, SIDE_OBJECT(side), RULE_09106, region->bufferRowLength % block[0] == 0, rows,
               "is %u, which is not a multiple of %u, the width of a texel block of %s",
               region->bufferRowLength, block[0],
               value_text(VALUES_VkFormat, (uint64_t)side->image->format).text);
    REQUIRE_OF(&s, SIDE_OBJECT(side), RULE_09107, region->bufferImageHeight % block[1] == 0,
               names->image_height,
               "is %u, which is not a multiple of %u, the height of a texel block of %s",
               region->bufferImageHeight, block[1],
               value_text(VALUES_VkFormat, (uint64_t)side->image->format).text);
    /* bufferRowLength divided by the texel block extent width and then multiplied by the texel
     * block size must be less than or equal to 2^31-1 */
    REQUIRE_OF(&s, SIDE_OBJECT(side), RULE_09108,
               (uint64_t)region->bufferRowLength / block[0] * side->format->block_size <= INT32_MAX,
               rows, "is %u: a row takes %" PRIu64 " bytes, which is more than 2^31-1",
               region->bufferRowLength,
               (uint64_t)region->bufferRowLength / block[0] * side->format->block_size);
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
