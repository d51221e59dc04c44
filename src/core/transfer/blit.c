/* Checks vkCmdBlitImage (both forms): the images, the filter and the regions fit (19.6). */
#include "core/transfer/transfer.h"
#include "core/hooks.h"
#include "core/rule.h"

#include "vk/chain.h"

static_assert(offsetof(VkImageBlit2, srcSubresource) == CHAIN_HEAD &&
                  sizeof(VkImageBlit2) == CHAIN_HEAD + sizeof(VkImageBlit),
              "one form");

struct blit {
    struct transfer_image source, target;
    VkFilter filter;
    struct region_list regions;
    const void *chain; /* of VkBlitImageInfo2 */
};

static bool is_3d(const struct transfer_image *side)
{
    return side->image->type == VK_IMAGE_TYPE_3D;
}

/* --- regions ---------------------------------------------------------------------------------- */

/* Both corners of one axis must lie within the subresource. */
static bool check_corners(const struct call *call, enum rule rule,
                          const struct transfer_image *side, const struct location *where,
                          uint32_t axis, int32_t first, int32_t second, uint32_t limit)
{
    assert(axis < ARRAY_LENGTH(axis_names));
    if (likely(first >= 0 && second >= 0 && (uint32_t)first <= limit && (uint32_t)second <= limit))
        return false;
    return finding(call, rule_vuid(call->command, rule), &LOCATION(where, side->offset),
                   SIDE_OBJECT(side), "has %s %d and %d, but the image's mip level has a %s of %u",
                   axis_names[axis].offset, first, second, axis_names[axis].extent, limit);
}

/* The rules of one side: x, y, 1D, z, flat. */
struct side_rules {
    enum rule x, y, one_dimensional, z, flat, mip_level, layers, aspects;
};

static bool check_side_region(const struct call *call, const struct transfer_image *side,
                              const VkImageSubresourceLayers *layers, const VkOffset3D corners[2],
                              const struct location *where, const struct side_rules *rules)
{
    assert(side->image && rules);
    struct subject s = {.call = call, .where = where};
    s.skip |= check_subresource_layers(call, layers, &LOCATION(where, side->subresource));
    s.skip |= check_array_layers(call, rules->layers, side, layers, where);
    s.skip |= check_aspects_present(call, rules->aspects, side, layers->aspectMask, where);
    /* If the image is of type VK_IMAGE_TYPE_1D, then offsets[0].y must be 0 and offsets[1].y must
     * be 1 */
    REQUIRE_OF(&s, SIDE_OBJECT(side), rules->one_dimensional,
               side->image->type != VK_IMAGE_TYPE_1D || (corners[0].y == 0 && corners[1].y == 1),
               side->offset,
               "has y %d and %d, but of an image of type VK_IMAGE_TYPE_1D they must be 0 and 1",
               corners[0].y, corners[1].y);
    /* If the image is of type VK_IMAGE_TYPE_1D or VK_IMAGE_TYPE_2D, then offsets[0].z must be 0 and
     * offsets[1].z must be 1 */
    REQUIRE_OF(&s, SIDE_OBJECT(side), rules->flat,
               is_3d(side) || (corners[0].z == 0 && corners[1].z == 1), side->offset,
               "has z %d and %d, but of an image of type %s they must be 0 and 1", corners[0].z,
               corners[1].z, value_text(VALUES_VkImageType, (uint64_t)side->image->type).text);
    if (unlikely(layers->mipLevel >= side->image->mip_levels))
        return s.skip | check_mip_level(call, rules->mip_level, side, layers->mipLevel, where);
    VkExtent3D limit = subresource_extent(side, layers->mipLevel, layers->aspectMask);
    s.skip |=
        check_corners(call, rules->x, side, where, 0, corners[0].x, corners[1].x, limit.width);
    /* Where the image has no such dimension, the rule above has said it. */
    if (side->image->type != VK_IMAGE_TYPE_1D)
        s.skip |=
            check_corners(call, rules->y, side, where, 1, corners[0].y, corners[1].y, limit.height);
    if (is_3d(side))
        s.skip |=
            check_corners(call, rules->z, side, where, 2, corners[0].z, corners[1].z, limit.depth);
    return s.skip;
}

static uint32_t distance(int32_t a, int32_t b)
{
    return a < b ? (uint32_t)b - (uint32_t)a : (uint32_t)a - (uint32_t)b;
}

static bool check_layers(const struct call *call, const struct blit *blit,
                         const VkImageBlit *region, const struct location *where)
{
    const VkImageSubresourceLayers *from = &region->srcSubresource, *to = &region->dstSubresource;
    uint32_t from_count = resolve_layer_count(blit->source.image, from),
             to_count = resolve_layer_count(blit->target.image, to);
    if (!is_3d(&blit->source) && !is_3d(&blit->target))
        return false;
    struct subject s = {.call = call, .where = where};
    bool first = from->baseArrayLayer == 0, second = to->baseArrayLayer == 0;
    /* If the maintenance8 feature is not enabled and either srcImage or dstImage is of type
     * VK_IMAGE_TYPE_3D, baseArrayLayer must each be 0, and layerCount must each be 1 */
    if (!device_has_feature(call->device, FEATURE_maintenance8)) {
        REQUIRE(&s, RULE_00240, first && second && from_count == 1 && to_count == 1, where,
                "has baseArrayLayer %u, layerCount %u and baseArrayLayer %u, layerCount %u, but "
                "one "
                "of the images is of type VK_IMAGE_TYPE_3D",
                from->baseArrayLayer, from->layerCount, to->baseArrayLayer, to->layerCount);
        return s.skip;
    }
    /* If the maintenance8 feature is enabled and srcImage is of type VK_IMAGE_TYPE_3D, then
     * srcSubresource.baseArrayLayer must be 0, and its layerCount 1. (The statement names
     * dstSubresource.layerCount too, which contradicts 10580 where dstImage is not 3D: it is asked
     * where it is.) */
    if (is_3d(&blit->source))
        REQUIRE_OF(&s, SIDE_OBJECT(&blit->source), RULE_10207,
                   first && from_count == 1 && (!is_3d(&blit->target) || to_count == 1),
                   "srcSubresource",
                   "has baseArrayLayer %u and layerCount %u, but srcImage is "
                   "of type VK_IMAGE_TYPE_3D",
                   from->baseArrayLayer, from->layerCount);
    if (is_3d(&blit->target))
        REQUIRE_OF(&s, SIDE_OBJECT(&blit->target), RULE_10208,
                   second && to_count == 1 && (!is_3d(&blit->source) || from_count == 1),
                   "dstSubresource",
                   "has baseArrayLayer %u and layerCount %u, but dstImage is "
                   "of type VK_IMAGE_TYPE_3D",
                   to->baseArrayLayer, to->layerCount);
    /* ... dstImage is 3D, and srcImage is not, the absolute difference of the z member of each
     * member of dstOffsets must equal srcSubresource.layerCount */
    if (is_3d(&blit->target) && !is_3d(&blit->source))
        REQUIRE(&s, RULE_10579,
                distance(region->dstOffsets[0].z, region->dstOffsets[1].z) == from_count,
                "dstOffsets", "has %u slices, but srcSubresource has %u layers",
                distance(region->dstOffsets[0].z, region->dstOffsets[1].z), from_count);
    if (is_3d(&blit->source) && !is_3d(&blit->target))
        REQUIRE(&s, RULE_10580,
                distance(region->srcOffsets[0].z, region->srcOffsets[1].z) == to_count,
                "srcOffsets", "has %u slices, but dstSubresource has %u layers",
                distance(region->srcOffsets[0].z, region->srcOffsets[1].z), to_count);
    return s.skip;
}

static bool check_layer_counts(const struct call *call, const struct blit *blit,
                               const VkImageBlit *region, const struct location *where)
{
    const VkImageSubresourceLayers *from = &region->srcSubresource, *to = &region->dstSubresource;
    if (likely(from->layerCount == to->layerCount) || is_3d(&blit->source) != is_3d(&blit->target))
        return false; /* layers against slices: maintenance8's own rules */
    return report_layer_counts(call, RULE_08800, RULE_08801, blit->source.image, from,
                               blit->target.image, to, where);
}

static bool check_blit_region(const struct call *call, const struct blit *blit, uint32_t index)
{
    assert(index < blit->regions.count);
    static const struct side_rules source_rules = {RULE_00243, RULE_00244, RULE_00245, RULE_00246,
                                                   RULE_00247, RULE_01705, RULE_01707, RULE_00241};
    static const struct side_rules target_rules = {RULE_00248, RULE_00249, RULE_00250, RULE_00251,
                                                   RULE_00252, RULE_01706, RULE_01708, RULE_00242};
    const VkImageBlit *region = region_at(&blit->regions, index);
    const struct location *where = &LOCATION_INDEX(blit->regions.where, "pRegions", index);
    const VkOffset3D *to = region->dstOffsets;
    struct subject s = {.call = call, .where = where};
    s.skip |= check_side_region(call, &blit->source, &region->srcSubresource, region->srcOffsets,
                                where, &source_rules);
    s.skip |= check_side_region(call, &blit->target, &region->dstSubresource, region->dstOffsets,
                                where, &target_rules);
    s.skip |= check_layers(call, blit, region, where);
    s.skip |= check_layer_counts(call, blit, region, where);
    /* The aspectMask member of srcSubresource and dstSubresource must match. Where one image lacks
     * its aspects, 00241 or 00242 has reported it. */
    bool present = aspects_are_present(&blit->source, region->srcSubresource.aspectMask) &&
                   aspects_are_present(&blit->target, region->dstSubresource.aspectMask);
    REQUIRE(&s, RULE_00238,
            region->srcSubresource.aspectMask == region->dstSubresource.aspectMask || !present,
            &LOCATION(&LOCATION(where, "srcSubresource"), "aspectMask"),
            "is %s, but dstSubresource.aspectMask is %s",
            value_text(VALUES_VkImageAspectFlags, region->srcSubresource.aspectMask).text,
            value_text(VALUES_VkImageAspectFlags, region->dstSubresource.aspectMask).text);
    /* dstOffsets[0].x must not be equal to dstOffsets[1].x; y; z */
    REQUIRE(&s, RULE_12518, to[0].x != to[1].x, "dstOffsets", "has x %d in both corners", to[0].x);
    REQUIRE(&s, RULE_12519, to[0].y != to[1].y, "dstOffsets", "has y %d in both corners", to[0].y);
    REQUIRE(&s, RULE_12520, to[0].z != to[1].z, "dstOffsets", "has z %d in both corners", to[0].z);
    /* srcImageLayout must specify the layout of the image subresources of srcImage specified in
     * pRegions at the time this command is executed */
    const VkImageSubresourceRange read = range_of_layers(&region->srcSubresource),
                                  written = range_of_layers(&region->dstSubresource);
    s.skip |= check_recorded_layout(call, RULE_00221, &blit->source, &read);
    s.skip |= check_recorded_layout(call, RULE_00226, &blit->target, &written);
    return s.skip;
}

/* --- overlaps --------------------------------------------------------------------------------- */

static struct image_box box_of(const struct image *image, const VkImageSubresourceLayers *layers,
                               const VkOffset3D corners[2])
{
    VkOffset3D low = {corners[0].x < corners[1].x ? corners[0].x : corners[1].x,
                      corners[0].y < corners[1].y ? corners[0].y : corners[1].y,
                      corners[0].z < corners[1].z ? corners[0].z : corners[1].z};
    return image_box(image, layers, low,
                     (VkExtent3D){distance(corners[0].x, corners[1].x),
                                  distance(corners[0].y, corners[1].y),
                                  distance(corners[0].z, corners[1].z)});
}

/* True if each texel of the source region is read. A texel of the destination takes 1, 2 or 4
 * texels of an axis, so that a destination that is much smaller leaves some out. */
static bool reads_all(const struct image_box *source, const struct image_box *target,
                      VkFilter filter)
{
    assert(source->from[0] <= source->to[0] && target->from[0] <= target->to[0]);
    int64_t taken = filter == VK_FILTER_NEAREST ? 1 : filter == VK_FILTER_LINEAR ? 2 : 4;
    for (uint32_t i = 0; i < 3; i++) {
        if (source->to[i] - source->from[i] > taken * (target->to[i] - target->from[i]))
            return false;
    }
    return true;
}

static bool check_overlaps(const struct call *call, const struct blit *blit)
{
    if (likely(blit->source.image != blit->target.image) || blit->regions.count > OVERLAP_REGIONS)
        return false;
    for (uint32_t i = 0; i < blit->regions.count; i++) {
        const VkImageBlit *reading = region_at(&blit->regions, i);
        const struct location *where = &LOCATION_INDEX(blit->regions.where, "pRegions", i);
        const VkImageSubresourceLayers *from = &reading->srcSubresource,
                                       *to = &reading->dstSubresource;
        struct image_box source = box_of(blit->source.image, from, reading->srcOffsets);
        struct image_box own = box_of(blit->target.image, to, reading->dstOffsets);
        /* If srcImage and dstImage are the same, and an element of pRegions contains the
         * srcSubresource and dstSubresource with matching mipLevel and overlapping array layers,
         * then the srcImageLayout and dstImageLayout must be VK_IMAGE_LAYOUT_GENERAL or
         * VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR */
        const struct transfer_image *wrong =
            blit->source.layout != VK_IMAGE_LAYOUT_GENERAL &&
                    blit->source.layout != VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR
                ? &blit->source
            : blit->target.layout != VK_IMAGE_LAYOUT_GENERAL &&
                    blit->target.layout != VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR
                ? &blit->target
                : NULL;
        if (wrong && from->mipLevel == to->mipLevel &&
            from->baseArrayLayer < (uint64_t)to->baseArrayLayer + own.layer_count &&
            to->baseArrayLayer < (uint64_t)from->baseArrayLayer + source.layer_count)
            return finding(call, RULE(call, 09459), &LOCATION(wrong->where, wrong->layout_name),
                           SIDE_OBJECT(wrong),
                           "is %s, but region %u blits within one subresource of one image, which "
                           "needs VK_IMAGE_LAYOUT_GENERAL",
                           value_text(VALUES_VkImageLayout, (uint64_t)wrong->layout).text, i);
        for (uint32_t j = 0; j < blit->regions.count; j++) {
            const VkImageBlit *writing = region_at(&blit->regions, j);
            struct image_box target =
                box_of(blit->target.image, &writing->dstSubresource, writing->dstOffsets);
            /* The union of all destination regions must not overlap in memory with any texel that
             * may be sampled during the blit operation */
            if (unlikely(reads_all(&source, &own, blit->filter) &&
                         image_boxes_overlap(&source, &target)))
                return finding(call, RULE(call, 00217), where, SIDE_OBJECT(&blit->source),
                               "reads texels that region %u writes", j);
        }
    }
    return false;
}

/* --- images ----------------------------------------------------------------------------------- */

static bool check_side(const struct call *call, const struct transfer_image *side, const char *what,
                       enum rule bound, enum rule samples, enum rule features_rule,
                       VkFormatFeatureFlags2 features, enum rule ycbcr)
{
    const struct location *where = &LOCATION(side->where, side->name);
    struct subject s = {.call = call};
    s.skip |= check_image_bound(call, bound, side);
    REQUIRE_OF(&s, SIDE_OBJECT(side), samples, side->image->samples == VK_SAMPLE_COUNT_1_BIT, where,
               "has %u samples", (uint32_t)side->image->samples);
    /* must not use a format that requires a sampler Y'CbCr conversion */
    if (side->format && side->format->chroma) {
        BROKEN_OF(&s, SIDE_OBJECT(side), ycbcr, where,
                  "has the format %s, which requires a sampler Y'CbCr conversion: it "
                  "cannot be %s",
                  value_text(VALUES_VkFormat, (uint64_t)side->image->format).text, what);
        return s.skip;
    }
    return s.skip | check_format_features(call, features_rule, features, side);
}

static bool check_formats(const struct call *call, const struct blit *blit)
{
    assert(blit->source.image && blit->target.image);
    VkFormat source = blit->source.image->format, target = blit->target.image->format;
    const struct location *where = &LOCATION(blit->source.where, "srcImage");
    const struct finding_objects *objects =
        OBJECT2(HANDLE_IMAGE, blit->source.handle, HANDLE_IMAGE, blit->target.handle);
    if (likely(source == target) || !blit->source.format || !blit->target.format)
        return false;
    struct subject s = {.call = call, .objects = objects};
    bool depth = format_is_depth_stencil(source) || format_is_depth_stencil(target);
    /* If either was created with a depth/stencil format, the other must have exactly the same
     * format */
    if (depth)
        return finding(call, RULE(call, 00231), where, objects,
                       "has the format %s, but dstImage has %s: depth/stencil formats must "
                       "be the same",
                       value_text(VALUES_VkFormat, (uint64_t)source).text,
                       value_text(VALUES_VkFormat, (uint64_t)target).text);
    /* If either was created with a signed integer VkFormat, the other must also have been created
     * with a signed integer VkFormat; unsigned */
    REQUIRE(&s, RULE_00229, format_is_sint(source) == format_is_sint(target), where,
            "has the format %s, but dstImage has %s: one of them is signed integers, the "
            "other is not",
            value_text(VALUES_VkFormat, (uint64_t)source).text,
            value_text(VALUES_VkFormat, (uint64_t)target).text);
    REQUIRE(&s, RULE_00230, format_is_uint(source) == format_is_uint(target), where,
            "has the format %s, but dstImage has %s: one of them is unsigned integers, the "
            "other is not",
            value_text(VALUES_VkFormat, (uint64_t)source).text,
            value_text(VALUES_VkFormat, (uint64_t)target).text);
    return s.skip;
}

static bool check_filter(const struct call *call, const struct blit *blit)
{
    assert(blit->source.image);
    const struct location *where = &LOCATION(blit->source.where, "filter");
    const struct finding_objects *objects = SIDE_OBJECT(&blit->source);
    struct subject s = {.call = call, .objects = objects};
    if (likely(blit->filter == VK_FILTER_NEAREST))
        return false;
    /* If srcImage was created with a depth/stencil format, filter must be VK_FILTER_NEAREST */
    REQUIRE(&s, RULE_00232, !format_is_depth_stencil(blit->source.image->format), where,
            "is %s, but srcImage's format %s is one of depth or stencil",
            value_text(VALUES_VkFilter, (uint64_t)blit->filter).text,
            value_text(VALUES_VkFormat, (uint64_t)blit->source.image->format).text);
    if (blit->filter == VK_FILTER_LINEAR)
        s.skip |= check_format_features(call, RULE_02001,
                                        VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT,
                                        &blit->source);
    if (blit->filter != VK_FILTER_CUBIC_EXT)
        return s.skip;
    s.skip |=
        check_format_features(call, RULE_02002, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_CUBIC_BIT,
                              &blit->source);
    /* If filter is VK_FILTER_CUBIC_EXT, srcImage must be of type VK_IMAGE_TYPE_2D */
    REQUIRE(&s, RULE_00237, blit->source.image->type == VK_IMAGE_TYPE_2D, where,
            "is VK_FILTER_CUBIC_EXT, but srcImage is of type %s",
            value_text(VALUES_VkImageType, (uint64_t)blit->source.image->type).text);
    const VkBlitImageCubicWeightsInfoQCOM *weights =
        blit->chain ? chain_find(blit->chain, VK_STRUCTURE_TYPE_BLIT_IMAGE_CUBIC_WEIGHTS_INFO_QCOM)
                    : NULL;
    /* If filter is VK_FILTER_CUBIC_EXT and if the selectableCubicWeights feature is not enabled
     * then the cubic weights must be CATMULL_ROM */
    REQUIRE_OF(&s, NULL, RULE_09204,
               !weights || weights->cubicWeights == VK_CUBIC_FILTER_WEIGHTS_CATMULL_ROM_QCOM ||
                   device_has_feature(call->device, FEATURE_selectableCubicWeights),
               &LOCATION(&LOCATION_CHAINED(blit->source.where, "VkBlitImageCubicWeightsInfoQCOM"),
                         "cubicWeights"),
               "is %s, but the feature selectableCubicWeights is not enabled",
               value_text(VALUES_VkCubicFilterWeightsQCOM, (uint64_t)weights->cubicWeights).text);
    return s.skip;
}

static bool check_blit(struct call *call, struct blit *blit)
{
    if (!blit->source.image || !blit->target.image || !call->device)
        return false;
    const struct image *source = blit->source.image, *target = blit->target.image;
    blit->source.format = format_info(source->format);
    blit->target.format = format_info(target->format);
    bool skip = false;
    skip |= check_side(call, &blit->source, "blitted from", RULE_00220, RULE_00233, RULE_01999,
                       VK_FORMAT_FEATURE_2_BLIT_SRC_BIT, RULE_06421);
    skip |= check_side(call, &blit->target, "blitted to", RULE_00225, RULE_00234, RULE_02000,
                       VK_FORMAT_FEATURE_2_BLIT_DST_BIT, RULE_06422);
    skip |= check_image_usage(call, RULE_00219, source->usage | source->stencil_usage,
                              VK_IMAGE_USAGE_TRANSFER_SRC_BIT, &blit->source);
    skip |= check_image_usage(call, RULE_00224, target->usage | target->stencil_usage,
                              VK_IMAGE_USAGE_TRANSFER_DST_BIT, &blit->target);
    skip |= check_transfer_layout(call, RULE_01398, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, true,
                                  &blit->source);
    skip |= check_transfer_layout(call, RULE_01399, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, true,
                                  &blit->target);
    skip |= check_not_subsampled(call, RULE_02545, &blit->source, &blit->target);
    skip |=
        check_protection(call, source->flags & VK_IMAGE_CREATE_PROTECTED_BIT, RULE_01834, RULE_NONE,
                         &LOCATION(blit->source.where, "srcImage"), SIDE_OBJECT(&blit->source));
    skip |= check_protection(call, target->flags & VK_IMAGE_CREATE_PROTECTED_BIT, RULE_01835,
                             RULE_01836, &LOCATION(blit->target.where, "dstImage"),
                             SIDE_OBJECT(&blit->target));
    skip |= check_formats(call, blit);
    skip |= check_filter(call, blit);
    for (uint32_t i = 0; i < blit->regions.count; i++)
        skip |= check_blit_region(call, blit, i);
    return skip | check_overlaps(call, blit);
}

bool core_validate_CmdBlitImage(struct call *call, VkCommandBuffer commandBuffer, VkImage srcImage,
                                VkImageLayout srcImageLayout, VkImage dstImage,
                                VkImageLayout dstImageLayout, uint32_t regionCount,
                                const VkImageBlit *pRegions, VkFilter filter)
{
    struct blit blit = {.source = transfer_side(call, srcImage, srcImageLayout, NULL, false,
                                                "srcOffsets", "srcOffsets"),
                        .target = transfer_side(call, dstImage, dstImageLayout, NULL, true,
                                                "dstOffsets", "dstOffsets"),
                        .filter = filter,
                        .regions = REGIONS(pRegions, regionCount)};
    return check_blit(call, &blit);
}

bool core_validate_CmdBlitImage2(struct call *call, VkCommandBuffer commandBuffer,
                                 const VkBlitImageInfo2 *pBlitImageInfo)
{
    const VkBlitImageInfo2 *info = pBlitImageInfo;
    const struct location *where = &LOCATION_POINTER(NULL, "pBlitImageInfo");
    struct blit blit = {.source = transfer_side(call, info->srcImage, info->srcImageLayout, where,
                                                false, "srcOffsets", "srcOffsets"),
                        .target = transfer_side(call, info->dstImage, info->dstImageLayout, where,
                                                true, "dstOffsets", "dstOffsets"),
                        .filter = info->filter,
                        .regions = REGIONS2(info, where),
                        .chain = info->pNext};
    return check_blit(call, &blit);
}
