/* Checks vkCmdBlitImage (both forms): the images, the filter, and the regions (19.6). */
#include "core/transfer/transfer.h"
#include "core/hooks.h"

#include "report/finding/rule.h"
#include "vk/chain.h"

static_assert(offsetof(VkImageBlit2, srcSubresource) == CHAIN_HEAD &&
                  sizeof(VkImageBlit2) == CHAIN_HEAD + sizeof(VkImageBlit),
              "one form");

/* One vkCmdBlitImage or vkCmdBlitImage2. */
struct blit {
    struct transfer_image source, target;
    VkFilter filter;
    struct region_list regions;
    const void *chain; /* pNext of VkBlitImageInfo2 */
};

static bool is_3d(const struct transfer_image *side)
{
    return side->image->type == VK_IMAGE_TYPE_3D;
}

/* --- regions ---------------------------------------------------------------------------------- */

/* The distance of two coordinates, which can need all 32 bits. */
static uint32_t corner_distance(int32_t a, int32_t b)
{
    return a < b ? (uint32_t)b - (uint32_t)a : (uint32_t)a - (uint32_t)b;
}

/* Checks the array layers of a region where one of the images is 3D. True: the call is to be
 * skipped. */
static bool blit_check_layers(const struct call *call, const struct blit *blit,
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
                corner_distance(region->dstOffsets[0].z, region->dstOffsets[1].z) == from_count,
                "dstOffsets", "has %u slices, but srcSubresource has %u layers",
                corner_distance(region->dstOffsets[0].z, region->dstOffsets[1].z), from_count);
    if (is_3d(&blit->source) && !is_3d(&blit->target))
        REQUIRE(&s, RULE_10580,
                corner_distance(region->srcOffsets[0].z, region->srcOffsets[1].z) == to_count,
                "srcOffsets", "has %u slices, but dstSubresource has %u layers",
                corner_distance(region->srcOffsets[0].z, region->srcOffsets[1].z), to_count);
    return s.skip;
}

/* Checks that both sides of a region have equally many layers. */
static bool blit_check_layer_counts(const struct call *call, const struct blit *blit,
                                    const VkImageBlit *region, const struct location *where)
{
    const VkImageSubresourceLayers *from = &region->srcSubresource, *to = &region->dstSubresource;
    if (likely(from->layerCount == to->layerCount) || is_3d(&blit->source) != is_3d(&blit->target))
        return false; /* between layers and slices, other rules of maintenance8 apply */
    return report_layer_counts(call, RULE_08800, RULE_08801, blit->source.image, from,
                               blit->target.image, to, where);
}

/* Checks region `index` of a blit. True: the call is to be skipped. */
static bool check_blit_region(const struct call *call, const struct blit *blit, uint32_t index)
{
    const VkImageBlit *region = region_at(&blit->regions, index);
    const struct location *where = &LOCATION_INDEX(blit->regions.where, "pRegions", index);
    const VkOffset3D *to = region->dstOffsets;
    struct subject s = {.call = call, .where = where};
    s.skip |= check_array_layers(call, RULE_01707, &blit->source, &region->srcSubresource, where);
    s.skip |= check_array_layers(call, RULE_01708, &blit->target, &region->dstSubresource, where);
    s.skip |= blit_check_layers(call, blit, region, where);
    s.skip |= blit_check_layer_counts(call, blit, region, where);
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

/* The box between two corners. Each coordinate of the first may be larger than the second's. */
static struct image_box box_of(const struct image *image, const VkImageSubresourceLayers *layers,
                               const VkOffset3D corners[2])
{
    VkOffset3D low = {corners[0].x < corners[1].x ? corners[0].x : corners[1].x,
                      corners[0].y < corners[1].y ? corners[0].y : corners[1].y,
                      corners[0].z < corners[1].z ? corners[0].z : corners[1].z};
    return image_box(image, layers, low,
                     (VkExtent3D){corner_distance(corners[0].x, corners[1].x),
                                  corner_distance(corners[0].y, corners[1].y),
                                  corner_distance(corners[0].z, corners[1].z)});
}

/* True if each texel of the source region is read. A destination texel reads 1, 2 or 4 source
 * texels along an axis, so a much smaller destination skips some. */
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

/* Checks a blit within one image: its layouts, and regions that read what others write. More than
 * OVERLAP_REGIONS regions are not compared, as the time grows with their square. */
static bool blit_check_overlaps(const struct call *call, const struct blit *blit)
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
            return BROKEN_BY(call, RULE_09459, &LOCATION(wrong->where, wrong->layout_name),
                             SIDE_OBJECT(wrong),
                             "is %s, but region %u blits within one subresource of one image, "
                             "which "
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
                return BROKEN_BY(call, RULE_00217, where, SIDE_OBJECT(&blit->source),
                                 "reads texels that region %u writes", j);
        }
    }
    return false;
}

/* --- images ----------------------------------------------------------------------------------- */

/* Checks that the formats of both images can be blitted into each other. Unknown formats are not
 * checked. */
static bool blit_check_formats(const struct call *call, const struct blit *blit)
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
        return BROKEN_BY(call, RULE_00231, where, objects,
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

/* Checks the weights of a cubic filter (VkBlitImageCubicWeightsInfoQCOM). True: the call is to be
 * skipped. */
static bool check_filter(const struct call *call, const struct blit *blit)
{
    struct subject s = {.call = call};
    if (likely(blit->filter != VK_FILTER_CUBIC_EXT))
        return false;
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

/* Checks a blit as a whole, then each region. Unknown images are left to the validator of
 * lifetimes. */
static bool check_blit(struct call *call, struct blit *blit)
{
    if (!blit->source.image || !blit->target.image || !call->device)
        return false;
    blit->source.format = format_info(blit->source.image->format);
    blit->target.format = format_info(blit->target.image->format);
    bool skip = false;
    skip |= blit_check_formats(call, blit);
    skip |= check_filter(call, blit);
    for (uint32_t i = 0; i < blit->regions.count; i++)
        skip |= check_blit_region(call, blit, i);
    return skip | blit_check_overlaps(call, blit);
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
