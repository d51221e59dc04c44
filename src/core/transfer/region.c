/* Checks where in an image a region lies. Copies, blits and resolves use the same rules. */
#include "core/transfer/transfer.h"

#include "report/finding/rule.h"

const struct axis_names axis_names[3] = {{"x", "width"}, {"y", "height"}, {"z", "depth"}};

VkExtent3D subresource_extent(const struct transfer_image *side, uint32_t mip_level,
                              VkImageAspectFlags aspect)
{
    assert(side->image);
    VkExtent3D extent = {mip_extent(side->image->extent.width, mip_level),
                         mip_extent(side->image->extent.height, mip_level),
                         mip_extent(side->image->extent.depth, mip_level)};
    if (unlikely(aspect & FORMAT_PLANE_ASPECTS) && side->format && side->format->plane_count > 1) {
        uint32_t plane = aspect_plane(aspect);
        if (plane < side->format->plane_count) {
            extent.width /= side->format->planes[plane].width_divisor;
            extent.height /= side->format->planes[plane].height_divisor;
        }
    }
    return extent;
}

bool check_array_layers(const struct call *call, enum rule rule, const struct transfer_image *side,
                        const VkImageSubresourceLayers *layers, const struct location *region)
{
    struct subject s = {.call = call, .where = region};
    /* If layerCount is not VK_REMAINING_ARRAY_LAYERS, baseArrayLayer + layerCount must be less than
     * or equal to the arrayLayers. It follows from what each command asks of the one layer of a 3D
     * image. */
    REQUIRE_OF(&s, SIDE_OBJECT(side), rule,
               layers->layerCount == VK_REMAINING_ARRAY_LAYERS ||
                   side->image->type == VK_IMAGE_TYPE_3D ||
                   (uint64_t)layers->baseArrayLayer + layers->layerCount <=
                       side->image->array_layers,
               side->subresource,
               "has baseArrayLayer %u and layerCount %u, but the image has %u array layer%s",
               layers->baseArrayLayer, layers->layerCount, side->image->array_layers,
               side->image->array_layers == 1 ? "" : "s");
    return s.skip;
}

bool report_axis(const struct call *call, enum rule rule, const struct transfer_image *side,
                 const struct location *region, uint32_t axis, int32_t offset, uint32_t extent,
                 uint32_t limit, uint32_t mip_level)
{
    assert(axis < ARRAY_LENGTH(axis_names) && !axis_fits(offset, extent, limit));
    const struct location *where =
        &LOCATION(&LOCATION(region, side->offset), axis_names[axis].offset);
    if (offset < 0)
        return BROKEN_BY(call, rule, where, SIDE_OBJECT(side), "is %d, which is negative", offset);
    return BROKEN_BY(call, rule, where, SIDE_OBJECT(side),
                     "is %d and with %s.%s %u reaches to %" PRIu64
                     ", but the image's mip level %u has a %s of %u",
                     offset, side->extent, axis_names[axis].extent, extent,
                     (uint64_t)(uint32_t)offset + extent, mip_level, axis_names[axis].extent,
                     limit);
}

/* Reports a region that the queue family cannot transfer, with its offset and extent on `axis`. */
static COLD bool report_granularity(const struct call *call, enum rule rule,
                                    const struct transfer_image *side,
                                    const struct location *region, VkExtent3D granularity,
                                    uint32_t axis, int32_t offset, uint32_t extent, uint32_t limit)
{
    assert(axis < ARRAY_LENGTH(axis_names));
    const struct command_buffer *command_buffer = call_command_buffer(call);
    return BROKEN_BY(call, rule,
                     &LOCATION(&LOCATION(region, side->offset), axis_names[axis].offset),
                     SIDE_OBJECT(side),
                     "is %d and %s.%s is %u in a subresource with a %s of %u, but queue family %u "
                     "can transfer only what has minImageTransferGranularity (%u, %u, %u)",
                     offset, side->extent, axis_names[axis].extent, extent, axis_names[axis].extent,
                     limit, command_buffer ? command_buffer->queue_family : 0, granularity.width,
                     granularity.height, granularity.depth);
}

/* "(0,0,0) specifies that only whole mip levels must be transferred". Otherwise offsets must be
 * multiples of `unit`, and so must extents, unless they reach `limit`. Whole texel blocks may
 * exceed it; another rule reports other excesses. */
static bool axis_is_granular(uint32_t unit, int32_t offset, uint32_t extent, uint32_t limit)
{
    if (!unit)
        return offset == 0 && extent >= limit;
    return (uint32_t)offset % unit == 0 &&
           (extent % unit == 0 || (uint64_t)(uint32_t)offset + extent >= limit);
}

bool check_granularity(const struct call *call, enum rule rule, const struct transfer_image *side,
                       const struct location *region, const VkImageSubresourceLayers *layers,
                       VkOffset3D offset, VkExtent3D extent)
{
    assert(side->image);
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer || !call->device ||
        command_buffer->queue_family >= call->device->queue_family_count ||
        layers->mipLevel >= side->image->mip_levels)
        return false;
    VkExtent3D granularity =
        call->device->queue_families[command_buffer->queue_family].minImageTransferGranularity;
    if (likely(granularity.width == 1 && granularity.height == 1 && granularity.depth == 1))
        return false;
    VkExtent3D limit = subresource_extent(side, layers->mipLevel, layers->aspectMask);
    /* "the granularity must be scaled up by the compressed texel block dimensions" */
    const uint8_t one[3] = {1, 1, 1};
    const uint8_t *block = side->format && side->format->compression != FORMAT_COMPRESSION_NONE
                               ? side->format->block_extent
                               : one;
    const uint32_t units[3] = {granularity.width * block[0], granularity.height * block[1],
                               granularity.depth * block[2]};
    const int32_t offsets[3] = {offset.x, offset.y, offset.z};
    const uint32_t extents[3] = {extent.width, extent.height, extent.depth},
                   limits[3] = {limit.width, limit.height, limit.depth};
    /* The depth of a copy between a 2D and a 3D image counts layers of the 2D image, too. */
    uint32_t axes = side->image->type == VK_IMAGE_TYPE_3D ? 3 : 2;
    for (uint32_t i = 0; i < axes; i++) {
        if (unlikely(!axis_is_granular(units[i], offsets[i], extents[i], limits[i])))
            return report_granularity(call, rule, side, region, granularity, i, offsets[i],
                                      extents[i], limits[i]);
    }
    return false;
}

struct image_box image_box(const struct image *image, const VkImageSubresourceLayers *layers,
                           VkOffset3D offset, VkExtent3D extent)
{
    assert(image);
    return (struct image_box){
        .aspects = layers->aspectMask,
        .mip_level = layers->mipLevel,
        .base_layer = layers->baseArrayLayer,
        .layer_count = resolve_layer_count(image, layers),
        .from = {offset.x, offset.y, offset.z},
        .to = {(int64_t)offset.x + extent.width, (int64_t)offset.y + extent.height,
               (int64_t)offset.z + extent.depth},
    };
}

/* True if the two ranges have a layer in common. */
static bool layers_overlap(uint32_t a, uint32_t a_count, uint32_t b, uint32_t b_count)
{
    return a < (uint64_t)b + b_count && b < (uint64_t)a + a_count;
}

bool image_boxes_overlap(const struct image_box *a, const struct image_box *b)
{
    if (!(a->aspects & b->aspects) || a->mip_level != b->mip_level ||
        !layers_overlap(a->base_layer, a->layer_count, b->base_layer, b->layer_count))
        return false;
    for (uint32_t i = 0; i < 3; i++) {
        if (a->from[i] >= b->to[i] || b->from[i] >= a->to[i])
            return false;
    }
    return true;
}

bool buffers_overlap(const struct buffer *a, VkDeviceSize a_from, const struct buffer *b,
                     VkDeviceSize b_from, VkDeviceSize a_size, VkDeviceSize b_size)
{
    /* Another rule reports ranges that are out of bounds. */
    if (a_from > a->size || a_size > a->size - a_from || b_from > b->size ||
        b_size > b->size - b_from)
        return false;
    if (a != b) {
        /* Two buffers in one memory object. Where sparse ones lie, is not known. */
        if (!a->binding.memory || a->binding.memory != b->binding.memory)
            return false;
        a_from += a->binding.offset;
        b_from += b->binding.offset;
    }
    return a_from < b_from ? b_from - a_from < a_size && b_size
                           : a_from - b_from < b_size && a_size;
}

bool report_layer_counts(const struct call *call, enum rule match, enum rule remaining,
                         const struct image *source, const VkImageSubresourceLayers *from,
                         const struct image *target, const VkImageSubresourceLayers *to,
                         const struct location *region)
{
    assert(from->layerCount != to->layerCount);
    const struct location *layer_count =
        &LOCATION(&LOCATION(region, "srcSubresource"), "layerCount");
    /* If neither of the layerCount members are VK_REMAINING_ARRAY_LAYERS, they must match */
    if (from->layerCount != VK_REMAINING_ARRAY_LAYERS &&
        to->layerCount != VK_REMAINING_ARRAY_LAYERS)
        return BROKEN_BY(call, match, layer_count, NULL,
                         "is %u, but dstSubresource.layerCount is %u", from->layerCount,
                         to->layerCount);
    /* ... the other member must be either VK_REMAINING_ARRAY_LAYERS or equal to the arrayLayers
     * member minus baseArrayLayer */
    uint32_t first = resolve_layer_count(source, from), second = resolve_layer_count(target, to);
    struct subject s = {.call = call};
    REQUIRE(&s, remaining, first == second, layer_count,
            "means %u layers, but dstSubresource.layerCount means %u: one of them is "
            "VK_REMAINING_ARRAY_LAYERS",
            first, second);
    return s.skip;
}

bool report_block(const struct call *call, enum rule rule, const struct transfer_image *side,
                  const struct location *region, const char *member, const char *axis,
                  int64_t value, uint32_t block)
{
    assert(block > 1);
    return BROKEN_BY(call, rule, &LOCATION(&LOCATION(region, member), axis), SIDE_OBJECT(side),
                     "is %" PRId64
                     ", which is not a multiple of %u, the size of a texel block of %s",
                     value, block, value_text(VALUES_VkFormat, (uint64_t)side->image->format).text);
}
