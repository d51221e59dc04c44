/* Checks vkCmdCopyImage (both forms): the two images, and the regions of both (19.3). */
#include "core/transfer/transfer.h"
#include "core/hooks.h"

#include "report/finding/rule.h"

static_assert(offsetof(VkImageCopy2, srcSubresource) == CHAIN_HEAD &&
                  sizeof(VkImageCopy2) == CHAIN_HEAD + sizeof(VkImageCopy) + 4,
              "one form, padded");

/* One copy of images, in either of its two forms. */
struct image_copy {
    struct transfer_image source, target;
    struct region_list regions;
    bool multi_planar; /* one of the two images is multi-planar */
};

static bool is_planar(const struct transfer_image *side)
{
    return side->format && side->format->plane_count > 1;
}

static bool is_compressed(const struct transfer_image *side)
{
    return side->format && side->format->compression != FORMAT_COMPRESSION_NONE;
}

/* "If the aspect member of any element of pRegions includes any flag other than
 * VK_IMAGE_ASPECT_STENCIL_BIT or the image was not created with separate stencil usage". A stencil
 * usage that equals the usage breaks both rules, and counts as not separate. */
static bool copy_image_check_usages(const struct call *call, const struct transfer_image *side,
                                    VkImageAspectFlags aspects, VkImageUsageFlags usage,
                                    enum rule rule, enum rule stencil_rule)
{
    const struct image *image = side->image;
    bool separate = image->stencil_usage != image->usage;
    bool skip = false;
    if (!separate || aspects & ~(VkImageAspectFlags)VK_IMAGE_ASPECT_STENCIL_BIT)
        skip |= check_image_usage(call, rule, image->usage, usage, side);
    if (separate && aspects & VK_IMAGE_ASPECT_STENCIL_BIT)
        skip |= check_image_usage(call, stencil_rule, image->stencil_usage, usage, side);
    return skip;
}

/* The union of the aspects of all regions. */
static VkImageAspectFlags all_aspects(const struct image_copy *copy, bool destination)
{
    VkImageAspectFlags aspects = 0;
    for (uint32_t i = 0; i < copy->regions.count; i++) {
        const VkImageCopy *region = region_at(&copy->regions, i);
        aspects |=
            destination ? region->dstSubresource.aspectMask : region->srcSubresource.aspectMask;
    }
    return aspects;
}

/* --- formats ---------------------------------------------------------------------------------- */

/* True for formats that have only alpha, which some rules distinguish from color. */
static bool is_alpha(const struct format_info *format)
{
    return format->bits[3] && !format->bits[0] && !format->bits[1] && !format->bits[2];
}

/* 48.1.6 "Size Compatibility": "Color formats with the same texel block size are size-compatible as
 * long as neither or both are alpha formats". A depth/stencil format is only compatible with
 * itself. */
static bool formats_size_compatible(const struct format_info *a, const struct format_info *b)
{
    if (a->aspects & FORMAT_DEPTH_STENCIL_ASPECTS || b->aspects & FORMAT_DEPTH_STENCIL_ASPECTS)
        return a == b;
    return a->block_size == b->block_size && is_alpha(a) == is_alpha(b);
}

/* 48.1.4 "Compatible Formats for Depth-Stencil to/from Color Copies" */
static bool depth_stencil_fits_color(const struct format_info *format, VkImageAspectFlags aspect,
                                     VkFormat color)
{
    assert(format);
    static const VkFormat depth32[] = {VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32_SINT, VK_FORMAT_R32_UINT,
                                       VK_FORMAT_UNDEFINED};
    static const VkFormat depth16[] = {VK_FORMAT_R16_SFLOAT, VK_FORMAT_R16_UNORM,
                                       VK_FORMAT_R16_SNORM,  VK_FORMAT_R16_UINT,
                                       VK_FORMAT_R16_SINT,   VK_FORMAT_UNDEFINED};
    static const VkFormat stencil8[] = {VK_FORMAT_R8_UINT, VK_FORMAT_R8_SINT, VK_FORMAT_R8_UNORM,
                                        VK_FORMAT_R8_SNORM, VK_FORMAT_UNDEFINED};
    const VkFormat *fitting = aspect == VK_IMAGE_ASPECT_STENCIL_BIT ? stencil8
                              : format->depth_bits == 16            ? depth16
                                                                    : depth32;
    while (*fitting != VK_FORMAT_UNDEFINED && *fitting != color)
        fitting++;
    return *fitting == color;
}

/* Checks that the formats of both images can be copied into each other. Multi-planar and unknown
 * formats are not checked. */
static bool copy_image_check_formats(const struct call *call, const struct image_copy *copy)
{
    const struct format_info *source = copy->source.format, *target = copy->target.format;
    if (!source || !target || source == target || copy->multi_planar)
        return false;
    const struct location *where = &LOCATION(copy->source.where, copy->source.name);
    const struct finding_objects *objects =
        OBJECT2(HANDLE_IMAGE, copy->source.handle, HANDLE_IMAGE, copy->target.handle);
    struct subject s = {.call = call, .objects = objects};
    /* If neither is a multi-planar format, the VkFormat of each must be size-compatible. Depth or
     * stencil and color are, aspect by aspect, with maintenance8. */
    bool mixed = !(source->aspects & FORMAT_DEPTH_STENCIL_ASPECTS) !=
                 !(target->aspects & FORMAT_DEPTH_STENCIL_ASPECTS);
    REQUIRE(&s, RULE_01548,
            formats_size_compatible(source, target) ||
                (mixed && device_has_feature(call->device, FEATURE_maintenance8)),
            where, "has the format %s, which is not size-compatible with dstImage's %s",
            value_text(VALUES_VkFormat, (uint64_t)source->format).text,
            value_text(VALUES_VkFormat, (uint64_t)target->format).text);
    /* If the VkFormat of each is a compressed image format, the formats must have the same texel
     * block extent */
    REQUIRE(&s, RULE_09247,
            !is_compressed(&copy->source) || !is_compressed(&copy->target) ||
                !memcmp(source->block_extent, target->block_extent, sizeof(source->block_extent)),
            where,
            "has the format %s with texel blocks of %ux%ux%u, dstImage %s with texel "
            "blocks of %ux%ux%u",
            value_text(VALUES_VkFormat, (uint64_t)source->format).text, source->block_extent[0],
            source->block_extent[1], source->block_extent[2],
            value_text(VALUES_VkFormat, (uint64_t)target->format).text, target->block_extent[0],
            target->block_extent[1], target->block_extent[2]);
    return s.skip;
}

/* --- aspects ---------------------------------------------------------------------------------- */

/* Checks a region between color and depth or stencil, in both directions. True: the call is to be
 * skipped. */
static bool check_color_and_depth(const struct call *call, const struct image_copy *copy,
                                  const VkImageCopy *region, const struct location *where)
{
    VkImageAspectFlags from = region->srcSubresource.aspectMask,
                       to = region->dstSubresource.aspectMask;
    const VkImageAspectFlags both = FORMAT_DEPTH_STENCIL_ASPECTS;
    const struct format_info *source = copy->source.format, *target = copy->target.format;
    struct subject s = {.call = call};
    if (from == VK_IMAGE_ASPECT_COLOR_BIT && to & both) {
        /* If srcSubresource.aspectMask is COLOR, then dstSubresource.aspectMask must not contain
         * both DEPTH and STENCIL */
        REQUIRE(&s, RULE_10214, (to & both) != both,
                &LOCATION(&LOCATION(where, "dstSubresource"), "aspectMask"),
                "has both depth and stencil, but srcSubresource.aspectMask is "
                "VK_IMAGE_ASPECT_COLOR_BIT");
        /* ... DEPTH or STENCIL, then the VkFormat values must be compatible according to the list
         * of compatible depth-stencil and color formats */
        REQUIRE_OF(&s,
                   OBJECT2(HANDLE_IMAGE, copy->source.handle, HANDLE_IMAGE, copy->target.handle),
                   RULE_10211,
                   (to != VK_IMAGE_ASPECT_DEPTH_BIT && to != VK_IMAGE_ASPECT_STENCIL_BIT) ||
                       !source || !target || is_planar(&copy->source) ||
                       depth_stencil_fits_color(target, to, source->format),
                   &LOCATION(&LOCATION(where, "dstSubresource"), "aspectMask"),
                   "is %s of %s, which srcImage's format %s does not fit",
                   value_text(VALUES_VkImageAspectFlags, to).text,
                   value_text(VALUES_VkFormat, (uint64_t)target->format).text,
                   value_text(VALUES_VkFormat, (uint64_t)source->format).text);
    }
    if (to == VK_IMAGE_ASPECT_COLOR_BIT && from & both) {
        REQUIRE(&s, RULE_10215, (from & both) != both,
                &LOCATION(&LOCATION(where, "srcSubresource"), "aspectMask"),
                "has both depth and stencil, but dstSubresource.aspectMask is "
                "VK_IMAGE_ASPECT_COLOR_BIT");
        REQUIRE_OF(&s,
                   OBJECT2(HANDLE_IMAGE, copy->source.handle, HANDLE_IMAGE, copy->target.handle),
                   RULE_10212,
                   (from != VK_IMAGE_ASPECT_DEPTH_BIT && from != VK_IMAGE_ASPECT_STENCIL_BIT) ||
                       !source || !target || is_planar(&copy->target) ||
                       depth_stencil_fits_color(source, from, target->format),
                   &LOCATION(&LOCATION(where, "srcSubresource"), "aspectMask"),
                   "is %s of %s, which dstImage's format %s does not fit",
                   value_text(VALUES_VkImageAspectFlags, from).text,
                   value_text(VALUES_VkFormat, (uint64_t)source->format).text,
                   value_text(VALUES_VkFormat, (uint64_t)target->format).text);
    }
    return s.skip;
}

/* True if the aspect is a plane that the format has. */
static bool is_plane_of(const struct transfer_image *side, VkImageAspectFlags aspect)
{
    return aspect == VK_IMAGE_ASPECT_PLANE_0_BIT || aspect == VK_IMAGE_ASPECT_PLANE_1_BIT ||
           (aspect == VK_IMAGE_ASPECT_PLANE_2_BIT && side->format->plane_count > 2);
}

/* Checks a region to or from a plane of a multi-planar image. True: the call is to be skipped. */
static bool check_planes(const struct call *call, const struct image_copy *copy,
                         const VkImageCopy *region, const struct location *where)
{
    assert(copy->multi_planar);
    const struct transfer_image *source = &copy->source, *target = &copy->target;
    VkImageAspectFlags from = region->srcSubresource.aspectMask,
                       to = region->dstSubresource.aspectMask;
    struct subject s = {.call = call};
    bool source_planar = is_planar(source), target_planar = is_planar(target);
    /* In a copy to or from a plane of a multi-planar image, the VkFormat of the image and plane
     * must be compatible */
    uint32_t from_size = format_aspect_block_size(source->image->format, from),
             to_size = format_aspect_block_size(target->image->format, to);
    if ((source_planar && !is_plane_of(source, from)) ||
        (target_planar && !is_plane_of(target, to)) || !source->format || !target->format)
        return s.skip;
    REQUIRE_OF(&s, OBJECT2(HANDLE_IMAGE, source->handle, HANDLE_IMAGE, target->handle), RULE_01549,
               from_size == to_size, &LOCATION(&LOCATION(where, "srcSubresource"), "aspectMask"),
               "is %s of %s with texel blocks of %u bytes, but those of the destination (%s of "
               "%s) have %u",
               value_text(VALUES_VkImageAspectFlags, from).text,
               value_text(VALUES_VkFormat, (uint64_t)source->image->format).text, from_size,
               value_text(VALUES_VkImageAspectFlags, to).text,
               value_text(VALUES_VkFormat, (uint64_t)target->image->format).text, to_size);
    return s.skip;
}

/* Checks the aspects of both sides of a region against each other. True: the call is to be skipped.
 */
static bool copy_image_check_aspects(const struct call *call, const struct image_copy *copy,
                                     const VkImageCopy *region, const struct location *where)
{
    VkImageAspectFlags from = region->srcSubresource.aspectMask,
                       to = region->dstSubresource.aspectMask;
    struct subject s = {.call = call};
    if (copy->multi_planar)
        s.skip |= check_planes(call, copy, region, where);
    if (likely(from == to))
        return s.skip;
    const struct location *aspect_mask =
        &LOCATION(&LOCATION(where, "srcSubresource"), "aspectMask");
    /* If neither has a multi-planar format and the maintenance8 feature is not enabled then the
     * aspectMasks must match */
    if (!device_has_feature(call->device, FEATURE_maintenance8)) {
        bool planes = call_has_extension(call, EXTENSION_VK_KHR_sampler_ycbcr_conversion);
        REQUIRE(&s, RULE_01551, copy->multi_planar || !planes, aspect_mask,
                "is %s, but dstSubresource.aspectMask is %s",
                value_text(VALUES_VkImageAspectFlags, from).text,
                value_text(VALUES_VkImageAspectFlags, to).text);
        /* If the VK_KHR_sampler_ycbcr_conversion extension is not enabled, and apiVersion is less
         * than Vulkan 1.1, they must match */
        REQUIRE(&s, RULE_07940, planes, aspect_mask, "is %s, but dstSubresource.aspectMask is %s",
                value_text(VALUES_VkImageAspectFlags, from).text,
                value_text(VALUES_VkImageAspectFlags, to).text);
        return s.skip;
    }
    /* ... each contain at least one of DEPTH or STENCIL, srcSubresource.aspectMask and
     * dstSubresource.aspectMask must match */
    REQUIRE(&s, RULE_12201,
            !(from & FORMAT_DEPTH_STENCIL_ASPECTS) || !(to & FORMAT_DEPTH_STENCIL_ASPECTS),
            aspect_mask, "is %s, but dstSubresource.aspectMask is %s",
            value_text(VALUES_VkImageAspectFlags, from).text,
            value_text(VALUES_VkImageAspectFlags, to).text);
    return s.skip | check_color_and_depth(call, copy, region, where);
}

/* --- queues ----------------------------------------------------------------------------------- */

/* Checks a copy between color and depth or stencil on a queue without graphics.
 * `rule`: the rule of maintenance10.
 * `depth`, `stencil`: the rules about format features, on a transfer queue and on a compute
 * queue. */
static bool check_color_queue(const struct call *call, const struct transfer_image *side,
                              VkImageAspectFlags aspect, const struct location *where,
                              VkQueueFlags queue, enum rule rule, const enum rule depth[2],
                              const enum rule stencil[2])
{
    assert(!(queue & VK_QUEUE_GRAPHICS_BIT) && aspect & FORMAT_DEPTH_STENCIL_ASPECTS);
    struct subject s = {.call = call};
    bool compute = queue & VK_QUEUE_COMPUTE_BIT;
    REQUIRE_OF(&s, SIDE_OBJECT(side), rule, device_has_feature(call->device, FEATURE_maintenance10),
               &LOCATION(&LOCATION(where, side->subresource), "aspectMask"),
               "is %s, but queues of the command buffer's family have no graphics operations, "
               "and maintenance10 is not enabled",
               value_text(VALUES_VkImageAspectFlags, aspect).text);
    if (s.wrong)
        return s.skip; /* no format feature allows it */
    if (!compute && !(queue & VK_QUEUE_TRANSFER_BIT))
        return s.skip;
    if (aspect == VK_IMAGE_ASPECT_DEPTH_BIT)
        s.skip |=
            check_format_features(call, depth[compute],
                                  compute
                                      ? VK_FORMAT_FEATURE_2_DEPTH_COPY_ON_COMPUTE_QUEUE_BIT_KHR
                                      : VK_FORMAT_FEATURE_2_DEPTH_COPY_ON_TRANSFER_QUEUE_BIT_KHR,
                                  side);
    if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT)
        s.skip |=
            check_format_features(call, stencil[compute],
                                  compute
                                      ? VK_FORMAT_FEATURE_2_STENCIL_COPY_ON_COMPUTE_QUEUE_BIT_KHR
                                      : VK_FORMAT_FEATURE_2_STENCIL_COPY_ON_TRANSFER_QUEUE_BIT_KHR,
                                  side);
    return s.skip;
}

/* Checks a region of depth or stencil on a queue family without graphics. `queue`: its flags. */
static bool check_without_graphics(const struct call *call, const struct image_copy *copy,
                                   const VkImageCopy *region, const struct location *where,
                                   VkQueueFlags queue)
{
    assert(queue && !(queue & VK_QUEUE_GRAPHICS_BIT));
    VkImageAspectFlags from = region->srcSubresource.aspectMask,
                       to = region->dstSubresource.aspectMask;
    struct subject s = {.call = call};
    if (likely(!((from | to) & FORMAT_DEPTH_STENCIL_ASPECTS)))
        return false;
    if (from == VK_IMAGE_ASPECT_COLOR_BIT &&
        (to == VK_IMAGE_ASPECT_DEPTH_BIT || to == VK_IMAGE_ASPECT_STENCIL_BIT))
        s.skip |= check_color_queue(call, &copy->target, to, where, queue, RULE_10217,
                                    (const enum rule[]){RULE_11783, RULE_11782},
                                    (const enum rule[]){RULE_11785, RULE_11784});
    if (to == VK_IMAGE_ASPECT_COLOR_BIT &&
        (from == VK_IMAGE_ASPECT_DEPTH_BIT || from == VK_IMAGE_ASPECT_STENCIL_BIT))
        s.skip |= check_color_queue(call, &copy->source, from, where, queue, RULE_10218,
                                    (const enum rule[]){RULE_11787, RULE_11786},
                                    (const enum rule[]){RULE_11789, RULE_11788});
    /* ... aspectMask of any element of pRegions contain DEPTH or STENCIL, then both srcImage and
     * dstImage must have a sample count equal to VK_SAMPLE_COUNT_1_BIT */
    REQUIRE_OF(&s, OBJECT2(HANDLE_IMAGE, copy->source.handle, HANDLE_IMAGE, copy->target.handle),
               RULE_12449,
               copy->source.image->samples == VK_SAMPLE_COUNT_1_BIT &&
                   copy->target.image->samples == VK_SAMPLE_COUNT_1_BIT,
               where,
               "copies depth or stencil of images with several samples, but queues of the command "
               "buffer's family have no graphics operations");
    return s.skip;
}

/* --- position and size ------------------------------------------------------------------------ */

/* The extent of the region in texels of the destination. The region states it in texels of the
 * source, and texel blocks correspond ("Size Compatibility"). */
static VkExtent3D target_extent(const struct image_copy *copy, const VkImageCopy *region)
{
    const struct format_info *source = copy->source.format, *target = copy->target.format;
    VkExtent3D extent = region->extent;
    if (!source || !target ||
        !memcmp(source->block_extent, target->block_extent, sizeof(source->block_extent)) ||
        copy->multi_planar)
        return extent;
    uint32_t *const axes[3] = {&extent.width, &extent.height, &extent.depth};
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t blocks = ((uint64_t)*axes[i] + source->block_extent[i] - 1) /
                          source->block_extent[i] * target->block_extent[i];
        *axes[i] = blocks > UINT32_MAX ? UINT32_MAX : (uint32_t)blocks;
    }
    return extent;
}

/* Checks the extent of a region into a 1D image. `extent`: the region's extent in texels of the
 * destination. */
static bool copy_image_check_types(const struct call *call, const struct image_copy *copy,
                                   const VkImageCopy *region, const struct location *where,
                                   VkExtent3D extent)
{
    VkImageType source = copy->source.image->type, target = copy->target.image->type;
    struct subject s = {.call = call, .where = where};
    /* ... not a compressed image format, and dstImage is of type VK_IMAGE_TYPE_1D, then
     * extent.depth must be 1; extent.height must be 1. Of a source of that type the same has been
     * said. */
    if (target == VK_IMAGE_TYPE_1D && source != VK_IMAGE_TYPE_1D && !is_compressed(&copy->source) &&
        !is_compressed(&copy->target)) {
        REQUIRE_OF(&s, SIDE_OBJECT(&copy->target), RULE_10907, region->extent.depth <= 1,
                   &LOCATION(&LOCATION(where, "extent"), "depth"),
                   "is %u, but dstImage is of type VK_IMAGE_TYPE_1D", region->extent.depth);
        REQUIRE_OF(&s, SIDE_OBJECT(&copy->target), RULE_10908, extent.height <= 1,
                   &LOCATION(&LOCATION(where, "extent"), "height"),
                   "is %u, but dstImage is of type VK_IMAGE_TYPE_1D", extent.height);
    }
    return s.skip;
}

/* Checks the image types as Vulkan 1.0 without VK_KHR_maintenance1 requires. */
static bool check_types_of_1_0(const struct call *call, const struct image_copy *copy,
                               const VkImageCopy *region, const struct location *where)
{
    const VkImageSubresourceLayers *from = &region->srcSubresource, *to = &region->dstSubresource;
    VkImageType source = copy->source.image->type, target = copy->target.image->type;
    struct subject s = {.call = call};
    /* ... either srcImage or dstImage is of type VK_IMAGE_TYPE_3D, then baseArrayLayer must both be
     * 0, and layerCount must both be 1 */
    REQUIRE(&s, RULE_07932,
            (source != VK_IMAGE_TYPE_3D && target != VK_IMAGE_TYPE_3D) ||
                (from->baseArrayLayer == 0 && to->baseArrayLayer == 0 && from->layerCount == 1 &&
                 to->layerCount == 1),
            where,
            "has baseArrayLayer %u, layerCount %u and baseArrayLayer %u, layerCount %u, but one of "
            "the images is "
            "of type VK_IMAGE_TYPE_3D",
            from->baseArrayLayer, from->layerCount, to->baseArrayLayer, to->layerCount);
    /* ... srcImage or dstImage is of type VK_IMAGE_TYPE_2D, then extent.depth must be 1 */
    REQUIRE(&s, RULE_08969,
            (source != VK_IMAGE_TYPE_2D && target != VK_IMAGE_TYPE_2D) || region->extent.depth == 1,
            &LOCATION(&LOCATION(where, "extent"), "depth"),
            "is %u, but one of the images is of type VK_IMAGE_TYPE_2D, and "
            "VK_KHR_maintenance1 is not enabled",
            region->extent.depth);
    /* ... the layerCount member of srcSubresource and dstSubresource must match */
    REQUIRE(&s, RULE_07941, from->layerCount == to->layerCount,
            &LOCATION(&LOCATION(where, "srcSubresource"), "layerCount"),
            "is %u, but dstSubresource.layerCount is %u", from->layerCount, to->layerCount);
    return s.skip;
}

/* Checks that both sides of a region have equally many layers. Between 2D and 3D images, slices
 * count as layers. */
static bool copy_image_check_layer_counts(const struct call *call, const struct image_copy *copy,
                                          const VkImageCopy *region, const struct location *where)
{
    const VkImageSubresourceLayers *from = &region->srcSubresource, *to = &region->dstSubresource;
    if (likely(from->layerCount == to->layerCount) ||
        copy->source.image->type != copy->target.image->type ||
        !call_has_extension(call, EXTENSION_VK_KHR_maintenance1) /* 07941 reports it instead */)
        return false;
    return report_layer_counts(call, RULE_08793, RULE_08794, copy->source.image, from,
                               copy->target.image, to, where);
}

/* Checks that a region lies in the mip level of one image, axis by axis. */
static bool check_side_extent(const struct call *call, const struct transfer_image *side,
                              const struct location *where, uint32_t mip_level, VkOffset3D offset,
                              VkExtent3D extent, VkExtent3D limit, enum rule x, enum rule y,
                              enum rule z)
{
    bool skip = false;
    skip |= check_axis(call, x, side, where, 0, offset.x, extent.width, limit.width, mip_level);
    /* Images of one dimension have rules of their own, from which this one follows. */
    if (likely(side->image->type != VK_IMAGE_TYPE_1D) || is_compressed(side))
        skip |=
            check_axis(call, y, side, where, 1, offset.y, extent.height, limit.height, mip_level);
    if (side->image->type == VK_IMAGE_TYPE_3D)
        skip |= check_axis(call, z, side, where, 2, offset.z, extent.depth, limit.depth, mip_level);
    return skip;
}

/* Rounds up to a multiple of `unit`. */
static uint32_t round_up(uint32_t value, uint32_t unit)
{
    return unit > 1 ? (uint32_t)(((uint64_t)value + unit - 1) / unit * unit) : value;
}

/* The extent of a mip level, rounded up to whole texel blocks, as the level is stored.
 * The text does not say whether a whole block may be copied into a partial last block. `extent` is
 * one value for both images, and the source may have to be copied by whole blocks (07278). Where
 * block extents differ, any extent of as many blocks represents the other one (chapter "Formats",
 * "Size Compatibility"). */
static VkExtent3D whole_blocks(const struct transfer_image *side, VkExtent3D extent)
{
    const uint8_t *block = side->format ? side->format->block_extent : (const uint8_t[3]){1, 1, 1};
    return (VkExtent3D){round_up(extent.width, block[0]), round_up(extent.height, block[1]),
                        round_up(extent.depth, block[2])};
}

/* Checks region `index` of the copy. `queue`: the flags of the queue family, or 0 if they are not
 * known. */
static bool check_image_region(const struct call *call, const struct image_copy *copy,
                               uint32_t index, VkQueueFlags queue)
{
    assert(index < copy->regions.count);
    const VkImageCopy *region = region_at(&copy->regions, index);
    const struct location *where = &LOCATION_INDEX(copy->regions.where, "pRegions", index);
    const struct transfer_image *source = &copy->source, *target = &copy->target;
    struct subject s = {.call = call};
    s.skip |= copy_image_check_aspects(call, copy, region, where);
    s.skip |= check_array_layers(call, side_rule(source, RULE_07968), source,
                                 &region->srcSubresource, where);
    s.skip |= check_array_layers(call, side_rule(target, RULE_07968), target,
                                 &region->dstSubresource, where);
    s.skip |= copy_image_check_layer_counts(call, copy, region, where);
    VkExtent3D extent = target_extent(copy, region);
    s.skip |= copy_image_check_types(call, copy, region, where, extent);
    if (unlikely(!call_has_extension(call, EXTENSION_VK_KHR_maintenance1)))
        s.skip |= check_types_of_1_0(call, copy, region, where);
    if (unlikely(queue && !(queue & VK_QUEUE_GRAPHICS_BIT)))
        s.skip |= check_without_graphics(call, copy, region, where, queue);
    if (region->srcSubresource.mipLevel < source->image->mip_levels) {
        s.skip |= check_granularity(call, RULE_01783, source, where, &region->srcSubresource,
                                    region->srcOffset, region->extent);
    }
    if (region->dstSubresource.mipLevel < target->image->mip_levels) {
        VkExtent3D limit = subresource_extent(target, region->dstSubresource.mipLevel,
                                              region->dstSubresource.aspectMask);
        limit = whole_blocks(target, limit);
        s.skip |=
            check_side_extent(call, target, where, region->dstSubresource.mipLevel,
                              region->dstOffset, extent, limit, RULE_00150, RULE_00151, RULE_00153);
        s.skip |= check_granularity(call, RULE_01784, target, where, &region->dstSubresource,
                                    region->dstOffset, extent);
    }
    return s.skip;
}

/* --- overlaps --------------------------------------------------------------------------------- */

/* Checks that both layouts are the same, where an image is copied into itself. */
static bool check_same_image(const struct call *call, const struct image_copy *copy,
                             const VkImageCopy *region, uint32_t index)
{
    assert(copy->source.image == copy->target.image);
    const VkImageSubresourceLayers *from = &region->srcSubresource, *to = &region->dstSubresource;
    uint64_t from_end =
        (uint64_t)from->baseArrayLayer + resolve_layer_count(copy->source.image, from);
    uint64_t to_end = (uint64_t)to->baseArrayLayer + resolve_layer_count(copy->target.image, to);
    if (from->mipLevel != to->mipLevel || from->baseArrayLayer >= to_end ||
        to->baseArrayLayer >= from_end)
        return false;
    const struct transfer_image *wrong = &copy->source;
    for (uint32_t i = 0; i < 2; i++, wrong = &copy->target) {
        if (wrong->layout != VK_IMAGE_LAYOUT_GENERAL &&
            wrong->layout != VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR)
            return BROKEN_BY(call, RULE_09460, &LOCATION(wrong->where, wrong->layout_name),
                             SIDE_OBJECT(wrong),
                             "is %s, but region %u copies within one subresource of one image, "
                             "which "
                             "needs VK_IMAGE_LAYOUT_GENERAL",
                             value_text(VALUES_VkImageLayout, (uint64_t)wrong->layout).text, index);
    }
    return false;
}

/* Checks that no region reads what region `index` writes, and that no later region writes it too.
 * `same`: source and destination are one image. */
static bool check_overlaps_of(const struct call *call, const struct image_copy *copy,
                              uint32_t index, bool same)
{
    assert(index < copy->regions.count);
    const VkImageCopy *region = region_at(&copy->regions, index);
    struct image_box target = image_box(copy->target.image, &region->dstSubresource,
                                        region->dstOffset, target_extent(copy, region));
    for (uint32_t i = 0; i < copy->regions.count; i++) {
        const VkImageCopy *other = region_at(&copy->regions, i);
        struct image_box source =
            image_box(copy->source.image, &other->srcSubresource, other->srcOffset, other->extent);
        /* Each memory location accessed by this command must not be accessed by both a source
         * region and a destination region */
        if (same && unlikely(image_boxes_overlap(&source, &target)))
            return BROKEN_BY(call, RULE_00124, &LOCATION_INDEX(copy->regions.where, "pRegions", i),
                             SIDE_OBJECT(&copy->source), "reads texels that region %u writes",
                             index);
        if (i <= index)
            continue;
        /* Each memory location accessed by this command must not be accessed by more than one
         * destination region */
        struct image_box second = image_box(copy->target.image, &other->dstSubresource,
                                            other->dstOffset, target_extent(copy, other));
        if (unlikely(image_boxes_overlap(&second, &target)))
            return BROKEN_BY(call, RULE_12484, &LOCATION_INDEX(copy->regions.where, "pRegions", i),
                             SIDE_OBJECT(&copy->target),
                             "writes texels that region %u writes as well", index);
    }
    return false;
}

/* Checks that no region writes what another one reads. It stops after one finding. More than
 * OVERLAP_REGIONS regions are not compared. */
static bool copy_image_check_overlaps(const struct call *call, const struct image_copy *copy)
{
    bool same = copy->source.image == copy->target.image, skip = false;
    if (copy->regions.count > OVERLAP_REGIONS || (copy->regions.count == 1 && !same))
        return false;
    for (uint32_t i = 0; same && i < copy->regions.count && !skip; i++)
        skip |= check_same_image(call, copy, region_at(&copy->regions, i), i);
    for (uint32_t i = 0; i < copy->regions.count; i++) {
        if (unlikely(check_overlaps_of(call, copy, i, same)))
            return true;
    }
    return skip;
}

/* --- the command ------------------------------------------------------------------------------ */

/* Checks the formats and types of both images against each other. True: the call is to be
 * skipped. */
static bool check_both(const struct call *call, const struct image_copy *copy)
{
    assert(copy->source.image && copy->target.image);
    const struct image *source = copy->source.image, *target = copy->target.image;
    const struct location *where = &LOCATION(copy->source.where, "srcImage");
    const struct finding_objects *objects =
        OBJECT2(HANDLE_IMAGE, copy->source.handle, HANDLE_IMAGE, copy->target.handle);
    struct subject s = {.call = call, .objects = objects};
    s.skip |= copy_image_check_formats(call, copy);
    if (likely(source->type == target->type))
        return s.skip;
    const struct value_text source_type = value_text(VALUES_VkImageType, (uint64_t)source->type);
    const struct value_text target_type = value_text(VALUES_VkImageType, (uint64_t)target->type);
    /* If the VK_KHR_maintenance1 extension is not enabled, and apiVersion is less than Vulkan 1.1,
     * they must have the same VkImageType */
    REQUIRE(&s, RULE_07933, call_has_extension(call, EXTENSION_VK_KHR_maintenance1), where,
            "is of type %s, but dstImage of %s, and VK_KHR_maintenance1 is not enabled",
            source_type.text, target_type.text);
    /* ... a different VkImageType, and the maintenance5 feature is not enabled, one must be
     * VK_IMAGE_TYPE_3D and the other must be VK_IMAGE_TYPE_2D */
    REQUIRE(&s, RULE_07743,
            device_has_feature(call->device, FEATURE_maintenance5) ||
                (source->type != VK_IMAGE_TYPE_1D && target->type != VK_IMAGE_TYPE_1D),
            where, "is of type %s, but dstImage of %s, and maintenance5 is not enabled",
            source_type.text, target_type.text);
    return s.skip;
}

/* Checks a copy between two images, and completes `copy`. Nothing is checked if an image is not
 * known. */
static bool check_copy_image(struct call *call, struct image_copy *copy)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!copy->source.image || !copy->target.image || !call->device)
        return false;
    copy->source.format = format_info(copy->source.image->format);
    copy->target.format = format_info(copy->target.image->format);
    copy->multi_planar = is_planar(&copy->source) || is_planar(&copy->target);
    bool skip = false;
    skip |= copy_image_check_usages(call, &copy->source, all_aspects(copy, false),
                                    VK_IMAGE_USAGE_TRANSFER_SRC_BIT, RULE_06662, RULE_06664);
    skip |= copy_image_check_usages(call, &copy->target, all_aspects(copy, true),
                                    VK_IMAGE_USAGE_TRANSFER_DST_BIT, RULE_06663, RULE_06665);
    skip |= check_both(call, copy);
    VkQueueFlags queue = command_buffer ? command_buffer->queue_flags : 0;
    for (uint32_t i = 0; i < copy->regions.count; i++) {
        const VkImageCopy *region = region_at(&copy->regions, i);
        const VkImageSubresourceRange from = range_of_layers(&region->srcSubresource),
                                      to = range_of_layers(&region->dstSubresource);
        skip |= check_image_region(call, copy, i, queue);
        /* srcImageLayout must specify the layout of the image subresources of srcImage specified in
         * pRegions at the time this command is executed */
        skip |= check_recorded_layout(call, RULE_00128, &copy->source, &from);
        skip |= check_recorded_layout(call, RULE_00133, &copy->target, &to);
    }
    return skip | copy_image_check_overlaps(call, copy);
}

bool core_validate_CmdCopyImage(struct call *call, VkCommandBuffer commandBuffer, VkImage srcImage,
                                VkImageLayout srcImageLayout, VkImage dstImage,
                                VkImageLayout dstImageLayout, uint32_t regionCount,
                                const VkImageCopy *pRegions)
{
    struct image_copy copy = {
        .source = transfer_side(call, srcImage, srcImageLayout, NULL, false, "srcOffset", "extent"),
        .target = transfer_side(call, dstImage, dstImageLayout, NULL, true, "dstOffset", "extent"),
        .regions = REGIONS(pRegions, regionCount)};
    return check_copy_image(call, &copy);
}

bool core_validate_CmdCopyImage2(struct call *call, VkCommandBuffer commandBuffer,
                                 const VkCopyImageInfo2 *pCopyImageInfo)
{
    const struct location *where = &LOCATION_POINTER(NULL, "pCopyImageInfo");
    struct image_copy copy = {
        .source = transfer_side(call, pCopyImageInfo->srcImage, pCopyImageInfo->srcImageLayout,
                                where, false, "srcOffset", "extent"),
        .target = transfer_side(call, pCopyImageInfo->dstImage, pCopyImageInfo->dstImageLayout,
                                where, true, "dstOffset", "extent"),
        .regions = REGIONS2(pCopyImageInfo, where)};
    return check_copy_image(call, &copy);
}
