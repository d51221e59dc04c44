/* Checks the image region and the number of bytes of copies between images and linear memory, which
 * is a buffer or host memory (19.4). */
#include "core/transfer/copy_buffer_image.h"

#include "report/finding/rule.h"

/* Checks one axis. The offset must be a multiple of the texel block's extent. So must the size,
 * unless the region reaches the end of the level. */
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

/* One axis of a region that VkCopyCommandTransformInfoQCOM rotates around its offset. */
struct turned_axis {
    uint32_t axis; /* 0, 1, 2: x, y, z */
    int32_t offset;
    uint32_t reach; /* texels that the region covers along the axis, after the rotation */
    const char *reach_name;
    uint32_t limit; /* texels of the level along the axis */
    bool backwards; /* the bytes lie before the offset */
    enum rule offset_rule, reach_rule;
};

/* The texel where a region begins along an axis. The region may extend backwards from its
 * offset. */
static int64_t turned_begin(const struct turned_axis *a)
{
    return a->backwards ? (int64_t)a->offset - a->reach : a->offset;
}

/* The rule of a rotated copy. Copies to and from memory use other numbers than copies of
 * buffers. */
static enum rule turned_rule(const struct call *call, const struct transfer_image *side,
                             enum rule to_image, enum rule to_buffer, enum rule memory)
{
    const enum command command = command_root[call->command];
    return command == COMMAND_CmdCopyMemoryToImageKHR || command == COMMAND_CmdCopyImageToMemoryKHR
               ? memory
           : side->destination ? to_image
                               : to_buffer;
}

/* The rotated region must be contained within the image */
static void check_turned_inside(struct subject *s, const struct transfer_image *side,
                                const struct turned_axis *a)
{
    const int64_t begin = turned_begin(a), end = begin + a->reach;
    const struct location offset = LOCATION(s->where, side->offset),
                          where = LOCATION(&offset, axis_names[a->axis].offset);
    REQUIRE(s, turned_rule(s->call, side, RULE_04554, RULE_04557, RULE_13033),
            begin >= 0 && end <= a->limit, &where,
            "is %d, so that the rotated region reaches from %s = %" PRId64 " to %" PRId64
            ", but the subresource has a %s of %u",
            a->offset, axis_names[a->axis].offset, begin, end, axis_names[a->axis].extent,
            a->limit);
}

/* Checks that a rotated region consists of whole texel blocks. */
static void check_turned_blocks(struct subject *s, const struct transfer_image *side,
                                const struct turned_axis *a)
{
    const int32_t block = side->format->block_extent[a->axis];
    const struct location offset = LOCATION(s->where, side->offset),
                          where = LOCATION(&offset, axis_names[a->axis].offset);
    const int64_t begin = turned_begin(a);
    const bool at_end = begin + a->reach == a->limit;
    REQUIRE(s, side_rule(side, a->offset_rule), a->offset % block == 0 || (a->backwards && at_end),
            &where,
            "is %d, which is not a multiple of %d, the texel block's %s, and the region is rotated",
            a->offset, block, axis_names[a->axis].extent);
    REQUIRE(s, side_rule(side, a->reach_rule),
            a->backwards ? begin % block == 0 : at_end || a->reach % (uint32_t)block == 0, &where,
            "is %d, and %s.%s is %u, so that the rotated region reaches from %" PRId64
            " to %" PRId64 ", which are not multiples of %d, the texel block's %s",
            a->offset, side->extent, a->reach_name, a->reach, begin, begin + a->reach, block,
            axis_names[a->axis].extent);
}

/* Checks that a region which `transform` rotates stays in the subresource. `limit`: size of the
 * subresource in texels. */
static COLD bool check_turned(const struct call *call, const struct transfer_image *side,
                              VkOffset3D offset, VkExtent3D extent, VkExtent3D limit,
                              const struct location *where, VkSurfaceTransformFlagBitsKHR transform)
{
    const bool by_90 = transform == VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR,
               by_180 = transform == VK_SURFACE_TRANSFORM_ROTATE_180_BIT_KHR,
               by_270 = transform == VK_SURFACE_TRANSFORM_ROTATE_270_BIT_KHR;
    const struct turned_axis x = {.axis = 0,
                                  .offset = offset.x,
                                  .reach = by_180 ? extent.width : extent.height,
                                  .reach_name = by_180 ? "width" : "height",
                                  .limit = limit.width,
                                  .backwards = !by_270,
                                  .offset_rule = by_270 ? RULE_07274 : RULE_10051,
                                  .reach_rule = by_90    ? RULE_10053
                                                : by_180 ? RULE_10054
                                                         : RULE_10055},
                             y = {.axis = 1,
                                  .offset = offset.y,
                                  .reach = by_180 ? extent.height : extent.width,
                                  .reach_name = by_180 ? "height" : "width",
                                  .limit = limit.height,
                                  .backwards = !by_90,
                                  .offset_rule = by_90 ? RULE_07275 : RULE_10052,
                                  .reach_rule = by_90    ? RULE_10056
                                                : by_180 ? RULE_10057
                                                         : RULE_10058};
    struct subject s = {.call = call, .where = where, .objects = SIDE_OBJECT(side)};
    const uint8_t *block = side->format ? side->format->block_extent : NULL;
    const bool turns = by_90 || by_180 || by_270;
    if (turns) {
        check_turned_inside(&s, side, &x);
        check_turned_inside(&s, side, &y);
    }
    if (s.wrong || !block || (block[0] == 1 && block[1] == 1 && block[2] == 1))
        return s.skip;
    if (turns) {
        check_turned_blocks(&s, side, &x);
        check_turned_blocks(&s, side, &y);
    }
    /* If any element of pRegions contains VkCopyCommandTransformInfoQCOM in its pNext chain, then
     * the image must have a 1x1x1 texel block extent */
    if (!s.wrong)
        BROKEN(&s, turned_rule(call, side, RULE_04555, RULE_04558, RULE_13034), "pNext",
               "has a VkCopyCommandTransformInfoQCOM, but %s is of %s, whose texel blocks are "
               "%ux%ux%u",
               side->name, value_text(VALUES_VkFormat, (uint64_t)side->image->format).text,
               block[0], block[1], block[2]);
    return s.skip;
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
    if (unlikely(transform))
        skip |= check_turned(call, side, offset, extent, limit, where, transform);
    if (!is_turned(transform)) {
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

/* The product, or UINT64_MAX where it does not fit 64 bits. */
static uint64_t saturating_times(uint64_t a, uint64_t b)
{
    uint64_t result;
    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

/* The sum, or UINT64_MAX where it does not fit 64 bits; that is larger than any image. */
static uint64_t saturating_plus(uint64_t a, uint64_t b)
{
    uint64_t result;
    return __builtin_add_overflow(a, b, &result) ? UINT64_MAX : result;
}

/* The number of blocks that hold this number of texels. */
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
    uint64_t row =
        saturating_times(blocks_in(region->bufferRowLength > extent.width ? region->bufferRowLength
                                                                          : extent.width,
                                   block[0]),
                         size);
    uint64_t rows = blocks_in(region->bufferImageHeight > extent.height ? region->bufferImageHeight
                                                                        : extent.height,
                              block[1]);
    uint64_t slice = saturating_times(rows, row), slices = saturating_times(depth, layers);
    if (contiguous)
        *contiguous =
            (row == width * size || height * slices == 1) && (rows == height || slices == 1);
    return saturating_plus(saturating_plus(saturating_times(slices - 1, slice),
                                           saturating_times(height - 1, row)),
                           saturating_times(width, size));
}
