/* Checks vkCmdResolveImage (both forms): the multisampled image, the other one, and the regions fit
 * (19.7). */
#include "core/transfer/transfer.h"
#include "core/hooks.h"
#include "core/rule.h"

#include "vk/chain.h"

static_assert(offsetof(VkImageResolve2, srcSubresource) == CHAIN_HEAD &&
                  offsetof(VkImageResolve2, extent) ==
                      CHAIN_HEAD + offsetof(VkImageResolve, extent),
              "one form");

struct resolve {
    struct transfer_image source, target;
    struct region_list regions;
    const VkResolveImageModeInfoKHR *mode; /* chained to VkResolveImageInfo2; NULL when it is not */
};

/* --- regions ---------------------------------------------------------------------------------- */

/* The rules of one side: x, y, 1D, z, flat. */
struct side_rules {
    enum rule x, y, one_dimensional, z, flat, mip_level, layers;
};

static bool check_side_region(const struct call *call, const struct transfer_image *side,
                              const VkImageSubresourceLayers *layers, VkOffset3D offset,
                              VkExtent3D extent, const struct location *where,
                              const struct side_rules *rules)
{
    assert(side->image && rules);
    VkImageType type = side->image->type;
    struct subject s = {.call = call};
    s.skip |= check_subresource_layers(call, layers, &LOCATION(where, side->subresource));
    s.skip |= check_array_layers(call, rules->layers, side, layers, where);
    /* If the image is of type VK_IMAGE_TYPE_1D, then offset.y must be 0 and extent.height must be 1
     */
    REQUIRE_OF(&s, SIDE_OBJECT(side), rules->one_dimensional,
               type != VK_IMAGE_TYPE_1D || (offset.y == 0 && extent.height == 1), where,
               "has %s.y %d and extent.height %u, but %s is of type VK_IMAGE_TYPE_1D", side->offset,
               offset.y, extent.height, side->name);
    /* If the image is of type VK_IMAGE_TYPE_1D or VK_IMAGE_TYPE_2D, then offset.z must be 0 and
     * extent.depth must be
     * 1 */
    REQUIRE_OF(&s, SIDE_OBJECT(side), rules->flat,
               type == VK_IMAGE_TYPE_3D || (offset.z == 0 && extent.depth == 1), where,
               "has %s.z %d and extent.depth %u, but %s is of type %s", side->offset, offset.z,
               extent.depth, side->name, value_text(VALUES_VkImageType, (uint64_t)type).text);
    if (unlikely(layers->mipLevel >= side->image->mip_levels))
        return s.skip | check_mip_level(call, rules->mip_level, side, layers->mipLevel, where);
    VkExtent3D limit = subresource_extent(side, layers->mipLevel, layers->aspectMask);
    s.skip |= check_axis(call, rules->x, side, where, 0, offset.x, extent.width, limit.width,
                         layers->mipLevel);
    /* Where the image has no such dimension, the rule above has said it. */
    if (type != VK_IMAGE_TYPE_1D)
        s.skip |= check_axis(call, rules->y, side, where, 1, offset.y, extent.height, limit.height,
                             layers->mipLevel);
    if (type == VK_IMAGE_TYPE_3D)
        s.skip |= check_axis(call, rules->z, side, where, 2, offset.z, extent.depth, limit.depth,
                             layers->mipLevel);
    return s.skip;
}

static bool check_aspects(const struct call *call, const struct resolve *resolve,
                          const VkImageResolve *region, const struct location *where)
{
    VkImageAspectFlags from = region->srcSubresource.aspectMask,
                       to = region->dstSubresource.aspectMask;
    /* which check_subresource_layers() tells */
    const VkImageAspectFlags never =
        VK_IMAGE_ASPECT_METADATA_BIT | VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT |
        VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT | VK_IMAGE_ASPECT_MEMORY_PLANE_2_BIT_EXT |
        VK_IMAGE_ASPECT_MEMORY_PLANE_3_BIT_EXT;
    const VkImageAspectFlags known = VK_IMAGE_ASPECT_COLOR_BIT | FORMAT_DEPTH_STENCIL_ASPECTS;
    const struct location *aspect_mask =
        &LOCATION(&LOCATION(where, from & ~known || from & FORMAT_DEPTH_STENCIL_ASPECTS
                                       ? "srcSubresource"
                                       : "dstSubresource"),
                  "aspectMask");
    if (!resolve->regions.where) {
        /* The aspectMask member of srcSubresource and dstSubresource must only contain
         * VK_IMAGE_ASPECT_COLOR_BIT */
        if ((from | to) & ~(VK_IMAGE_ASPECT_COLOR_BIT | never))
            return finding(call, RULE(call, 10981), aspect_mask, NULL,
                           "is %s, but vkCmdResolveImage resolves color only",
                           value_text(VALUES_VkImageAspectFlags,
                                      from & ~(VkImageAspectFlags)VK_IMAGE_ASPECT_COLOR_BIT ? from
                                                                                            : to)
                               .text);
    } else {
        /* ... must only contain VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT, or
         * VK_IMAGE_ASPECT_COLOR_BIT */
        if ((from | to) & ~(known | never))
            return finding(call, RULE(call, 10993), aspect_mask, NULL,
                           "is %s, but only color, depth and stencil are resolved",
                           value_text(VALUES_VkImageAspectFlags, from & ~known ? from : to).text);
        /* If maintenance10 feature is not enabled, srcSubresource and dstSubresource must not
         * contain VK_IMAGE_ASPECT_DEPTH_BIT or VK_IMAGE_ASPECT_STENCIL_BIT */
        if ((from | to) & FORMAT_DEPTH_STENCIL_ASPECTS &&
            !device_has_feature(call->device, FEATURE_maintenance10))
            return finding(call, RULE(call, 10994), aspect_mask, NULL,
                           "has depth or stencil, but the feature maintenance10 is not enabled");
    }
    /* srcSubresource.aspectMask ... must not specify an aspect which is not part of the image
     * format of srcImage */
    struct subject s = {.call = call};
    s.skip |= check_aspects_present(call, RULE_11800, &resolve->source, from, where);
    s.skip |= check_aspects_present(call, RULE_11801, &resolve->target, to, where);
    if (!aspects_are_present(&resolve->source, from) || !aspects_are_present(&resolve->target, to))
        return s.skip;
    /* srcSubresource.aspectMask must equal dstSubresource.aspectMask for each element in pRegions
     */
    REQUIRE(&s, RULE_11802, from == to, &LOCATION(&LOCATION(where, "srcSubresource"), "aspectMask"),
            "is %s, but dstSubresource.aspectMask is %s",
            value_text(VALUES_VkImageAspectFlags, from).text,
            value_text(VALUES_VkImageAspectFlags, to).text);
    return s.skip;
}

static bool check_layer_counts(const struct call *call, const struct resolve *resolve,
                               const VkImageResolve *region, const struct location *where)
{
    const VkImageSubresourceLayers *from = &region->srcSubresource, *to = &region->dstSubresource;
    /* Of a 3D image, 04446 and 04447 say how many layers both sides have. */
    if (likely(from->layerCount == to->layerCount) ||
        resolve->target.image->type == VK_IMAGE_TYPE_3D)
        return false;
    return report_layer_counts(call, RULE_08803, RULE_08804, resolve->source.image, from,
                               resolve->target.image, to, where);
}

static bool check_resolve_region(const struct call *call, const struct resolve *resolve,
                                 uint32_t index)
{
    assert(index < resolve->regions.count);
    static const struct side_rules source_rules = {RULE_00269, RULE_00270, RULE_00271, RULE_00272,
                                                   RULE_00273, RULE_01709, RULE_01711};
    static const struct side_rules target_rules = {RULE_00274, RULE_00275, RULE_00276, RULE_00277,
                                                   RULE_00278, RULE_01710, RULE_01712};
    const VkImageResolve *region = region_at(&resolve->regions, index);
    const struct location *where = &LOCATION_INDEX(resolve->regions.where, "pRegions", index);
    const VkImageSubresourceLayers *from = &region->srcSubresource, *to = &region->dstSubresource;
    struct subject s = {.call = call, .where = where};
    s.skip |= check_side_region(call, &resolve->source, from, region->srcOffset, region->extent,
                                where, &source_rules);
    s.skip |= check_side_region(call, &resolve->target, to, region->dstOffset, region->extent,
                                where, &target_rules);
    s.skip |= check_aspects(call, resolve, region, where);
    s.skip |= check_layer_counts(call, resolve, region, where);
    /* srcImageLayout must specify the layout of the image subresources of srcImage specified in
     * pRegions at the time this command is executed */
    const VkImageSubresourceRange read = range_of_layers(from), written = range_of_layers(to);
    s.skip |= check_recorded_layout(call, RULE_00260, &resolve->source, &read);
    s.skip |= check_recorded_layout(call, RULE_00262, &resolve->target, &written);
    if (likely(resolve->target.image->type != VK_IMAGE_TYPE_3D))
        return s.skip;
    /* If dstImage is of type VK_IMAGE_TYPE_3D, then srcSubresource.layerCount must be 1;
     * dstSubresource.baseArrayLayer must be 0 and its layerCount 1 */
    REQUIRE_OF(&s, SIDE_OBJECT(&resolve->target), RULE_04446,
               resolve_layer_count(resolve->source.image, from) == 1,
               &LOCATION(&LOCATION(where, "srcSubresource"), "layerCount"),
               "is %u, but dstImage is of type VK_IMAGE_TYPE_3D", from->layerCount);
    REQUIRE_OF(&s, SIDE_OBJECT(&resolve->target), RULE_04447,
               to->baseArrayLayer == 0 && resolve_layer_count(resolve->target.image, to) == 1,
               "dstSubresource",
               "has baseArrayLayer %u and layerCount %u, but dstImage is of type VK_IMAGE_TYPE_3D",
               to->baseArrayLayer, to->layerCount);
    return s.skip;
}

/* --- how it is resolved ----------------------------------------------------------------------- */

static VkImageAspectFlags all_aspects(const struct resolve *resolve)
{
    VkImageAspectFlags aspects = 0;
    for (uint32_t i = 0; i < resolve->regions.count; i++)
        aspects |=
            ((const VkImageResolve *)region_at(&resolve->regions, i))->srcSubresource.aspectMask;
    return aspects;
}

/* If srcImage has a format of both aspects, and independentResolveNone is VK_FALSE, every element
 * of pRegions must contain both depth and stencil aspects */
static bool check_aspects_together(const struct call *call, const struct resolve *resolve)
{
    const VkPhysicalDeviceDepthStencilResolveProperties *supported =
        &call->device->extended.DepthStencilResolveProperties;
    const VkImageAspectFlags both = FORMAT_DEPTH_STENCIL_ASPECTS;
    struct subject s = {.call = call};
    if ((format_aspects(resolve->source.image->format) & both) != both ||
        supported->independentResolveNone || !supported->supportedDepthResolveModes)
        return false;
    for (uint32_t i = 0; i < resolve->regions.count; i++) {
        const VkImageResolve *region = region_at(&resolve->regions, i);
        const struct location *where = &LOCATION_INDEX(resolve->regions.where, "pRegions", i);
        VkImageAspectFlags mask = region->srcSubresource.aspectMask;
        /* Other aspects than these, or none, are reported already. */
        REQUIRE_OF(&s, SIDE_OBJECT(&resolve->source), RULE_10992,
                   (mask & both) == both || !mask || mask & ~both,
                   &LOCATION(&LOCATION(where, "srcSubresource"), "aspectMask"),
                   "is %s, but srcImage has depth and stencil, and "
                   "independentResolveNone is VK_FALSE",
                   value_text(VALUES_VkImageAspectFlags, mask).text);
    }
    return s.skip;
}

static bool check_depth_modes(const struct call *call, const struct resolve *resolve,
                              const struct location *where)
{
    assert(resolve->mode);
    const VkResolveImageModeInfoKHR *mode = resolve->mode;
    const VkPhysicalDeviceDepthStencilResolveProperties *supported =
        &call->device->extended.DepthStencilResolveProperties;
    VkImageAspectFlags aspects = all_aspects(resolve);
    struct subject s = {.call = call, .where = where};
    /* If srcImage has a depth-stencil format, and a depth aspect is referenced, resolveMode must
     * not be VK_RESOLVE_MODE_NONE */
    if (aspects & VK_IMAGE_ASPECT_DEPTH_BIT) {
        REQUIRE(&s, RULE_10987, mode->resolveMode != VK_RESOLVE_MODE_NONE, "resolveMode",
                "is VK_RESOLVE_MODE_NONE, but depth is resolved");
        REQUIRE(&s, RULE_10989,
                mode->resolveMode == VK_RESOLVE_MODE_NONE ||
                    !supported->supportedDepthResolveModes ||
                    mode->resolveMode & supported->supportedDepthResolveModes,
                "resolveMode", "is %s, but supportedDepthResolveModes of this device are %s",
                value_text(VALUES_VkResolveModeFlags, mode->resolveMode).text,
                value_text(VALUES_VkResolveModeFlags, supported->supportedDepthResolveModes).text);
    }
    if (aspects & VK_IMAGE_ASPECT_STENCIL_BIT) {
        REQUIRE(&s, RULE_10988, mode->stencilResolveMode != VK_RESOLVE_MODE_NONE,
                "stencilResolveMode", "is VK_RESOLVE_MODE_NONE, but stencil is resolved");
        REQUIRE(&s, RULE_10990,
                mode->stencilResolveMode == VK_RESOLVE_MODE_NONE ||
                    !supported->supportedStencilResolveModes ||
                    mode->stencilResolveMode & supported->supportedStencilResolveModes,
                "stencilResolveMode",
                "is %s, but supportedStencilResolveModes of this device are %s",
                value_text(VALUES_VkResolveModeFlags, mode->stencilResolveMode).text,
                value_text(VALUES_VkResolveModeFlags, supported->supportedStencilResolveModes)
                    .text);
    }
    s.skip |= check_aspects_together(call, resolve);
    /* ... both are referenced, and independentResolve is VK_FALSE, resolveMode must be equal to
     * stencilResolveMode */
    REQUIRE(&s, RULE_10991,
            (aspects & FORMAT_DEPTH_STENCIL_ASPECTS) != FORMAT_DEPTH_STENCIL_ASPECTS ||
                !(mode->resolveMode & supported->supportedDepthResolveModes) ||
                !(mode->stencilResolveMode & supported->supportedStencilResolveModes) ||
                supported->independentResolve || mode->resolveMode == mode->stencilResolveMode,
            "stencilResolveMode",
            "is %s, but resolveMode is %s, and independentResolve is VK_FALSE",
            value_text(VALUES_VkResolveModeFlags, mode->stencilResolveMode).text,
            value_text(VALUES_VkResolveModeFlags, mode->resolveMode).text);
    return s.skip;
}

/* Depth and stencil, without the feature that allows it: 10981 or 10994 tells of the region. */
static bool is_not_enabled(const struct call *call, const struct resolve *resolve)
{
    return all_aspects(resolve) & FORMAT_DEPTH_STENCIL_ASPECTS &&
           !device_has_feature(call->device, FEATURE_maintenance10);
}

static bool check_mode(const struct call *call, const struct resolve *resolve)
{
    const VkResolveImageModeInfoKHR *mode = resolve->mode;
    const struct location *where =
        &LOCATION_CHAINED(resolve->source.where, "VkResolveImageModeInfoKHR");
    VkFormat format = resolve->source.image->format;
    const VkResolveImageFlagsKHR both = VK_RESOLVE_IMAGE_SKIP_TRANSFER_FUNCTION_BIT_KHR |
                                        VK_RESOLVE_IMAGE_ENABLE_TRANSFER_FUNCTION_BIT_KHR;
    struct subject s = {.call = call, .where = where};
    /* If srcImage has a depth-stencil format, VkResolveImageModeInfoKHR must be included in the
     * pNext chain */
    if (!mode) {
        REQUIRE_OF(&s, SIDE_OBJECT(&resolve->source), RULE_10986,
                   !format_is_depth_stencil(format) || !resolve->regions.where ||
                       is_not_enabled(call, resolve),
                   &LOCATION(resolve->source.where, "pNext"),
                   "has no VkResolveImageModeInfoKHR, but srcImage has the format %s",
                   value_text(VALUES_VkFormat, (uint64_t)format).text);
        return s.skip;
    }
    if (format_is_depth_stencil(format))
        s.skip |= check_depth_modes(call, resolve, where);
    if (format_is_color(format)) {
        VkResolveModeFlagBits wanted = format_is_integer(format) ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT
                                                                 : VK_RESOLVE_MODE_AVERAGE_BIT;
        /* If srcImage has a color format and VkResolveImageModeInfoKHR is included in the pNext
         * chain, its resolveMode must not be VK_RESOLVE_MODE_NONE */
        /* ... 10997 says which it must be where flags speaks of the transfer function */
        REQUIRE(&s, RULE_10983, mode->resolveMode != VK_RESOLVE_MODE_NONE || mode->flags & both,
                "resolveMode", "is VK_RESOLVE_MODE_NONE");
        /* ... a non-integer color format: must be VK_RESOLVE_MODE_AVERAGE_BIT; an integer one:
         * VK_RESOLVE_MODE_SAMPLE_ZERO_BIT */
        REQUIRE_OF(&s, SIDE_OBJECT(&resolve->source),
                   format_is_integer(format) ? RULE_10985 : RULE_10984,
                   mode->resolveMode == wanted || mode->resolveMode == VK_RESOLVE_MODE_NONE ||
                       (mode->flags & both && wanted == VK_RESOLVE_MODE_AVERAGE_BIT),
                   "resolveMode", "is %s, but srcImage's format %s is resolved with %s",
                   value_text(VALUES_VkResolveModeFlags, mode->resolveMode).text,
                   value_text(VALUES_VkFormat, (uint64_t)format).text,
                   value_text(VALUES_VkResolveModeFlags, wanted).text);
    }
    if (likely(!(mode->flags & both)))
        return s.skip;
    /* ... flags includes SKIP_TRANSFER_FUNCTION or ENABLE_TRANSFER_FUNCTION, then the format of
     * srcImage and dstImage must use sRGB encoding */
    REQUIRE_OF(&s,
               OBJECT2(HANDLE_IMAGE, resolve->source.handle, HANDLE_IMAGE, resolve->target.handle),
               RULE_10982, format_is_srgb(format) && format_is_srgb(resolve->target.image->format),
               "flags",
               "speaks of the transfer function, but the images have the formats %s and %s",
               value_text(VALUES_VkFormat, (uint64_t)format).text,
               value_text(VALUES_VkFormat, (uint64_t)resolve->target.image->format).text);
    /* If flags includes SKIP_TRANSFER_FUNCTION, flags must not include ENABLE_TRANSFER_FUNCTION */
    REQUIRE(&s, RULE_10995, (mode->flags & both) != both, "flags",
            "asks to skip the transfer function and to enable it");
    /* ... resolveMode must be equal to VK_RESOLVE_MODE_AVERAGE_BIT */
    REQUIRE(&s, RULE_10997, mode->resolveMode == VK_RESOLVE_MODE_AVERAGE_BIT, "resolveMode",
            "is %s, but flags speaks of the transfer function",
            value_text(VALUES_VkResolveModeFlags, mode->resolveMode).text);
    return s.skip;
}

/* --- images ----------------------------------------------------------------------------------- */

static bool check_features(const struct call *call, const struct resolve *resolve)
{
    bool skip = false;
    /* If the maintenance10 feature is enabled, the format features of dstImage must contain
     * COLOR_ATTACHMENT or DEPTH_STENCIL_ATTACHMENT */
    if (device_has_feature(call->device, FEATURE_maintenance10))
        skip |= check_format_features_any(call, RULE_11799,
                                          VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT |
                                              VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT,
                                          &resolve->target);
    else if (!is_not_enabled(call, resolve))
        skip |= check_format_features(call, RULE_02003, VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT,
                                      &resolve->target);
    /* If the linearColorAttachment feature is enabled and the image is created with
     * VK_IMAGE_TILING_LINEAR, ... LINEAR_COLOR_ATTACHMENT */
    if (device_has_feature(call->device, FEATURE_linearColorAttachment) &&
        resolve->target.image->tiling == VK_IMAGE_TILING_LINEAR)
        skip |= check_format_features(call, RULE_06519,
                                      VK_FORMAT_FEATURE_2_LINEAR_COLOR_ATTACHMENT_BIT_NV,
                                      &resolve->target);
    if (call_has_extension(call, EXTENSION_VK_KHR_maintenance1)) {
        skip |= check_format_features(call, RULE_06763, VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT,
                                      &resolve->source);
        skip |= check_format_features(call, RULE_06765, VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT,
                                      &resolve->target);
    }
    return skip;
}

static bool check_images(const struct call *call, const struct resolve *resolve)
{
    const struct image *source = resolve->source.image, *target = resolve->target.image;
    const struct location *where = &LOCATION(resolve->source.where, "srcImage");
    struct subject s = {.call = call};
    s.skip |= check_image_bound(call, RULE_00256, &resolve->source);
    s.skip |= check_image_bound(call, RULE_00258, &resolve->target);
    /* srcImage must have a sample count equal to any valid sample count value other than
     * VK_SAMPLE_COUNT_1_BIT */
    REQUIRE_OF(&s, SIDE_OBJECT(&resolve->source), RULE_00257,
               source->samples != VK_SAMPLE_COUNT_1_BIT, where,
               "has one sample: there is nothing to resolve");
    REQUIRE_OF(&s, SIDE_OBJECT(&resolve->target), RULE_00259,
               target->samples == VK_SAMPLE_COUNT_1_BIT,
               &LOCATION(resolve->target.where, "dstImage"), "has %u samples",
               (uint32_t)target->samples);
    /* srcImage and dstImage must have been created with the same image format */
    REQUIRE_OF(&s,
               OBJECT2(HANDLE_IMAGE, resolve->source.handle, HANDLE_IMAGE, resolve->target.handle),
               RULE_01386, source->format == target->format, where,
               "has the format %s, but dstImage has %s",
               value_text(VALUES_VkFormat, (uint64_t)source->format).text,
               value_text(VALUES_VkFormat, (uint64_t)target->format).text);
    s.skip |= check_not_subsampled(call, RULE_02546, &resolve->source, &resolve->target);
    return s.skip;
}

static bool check_resolve(struct call *call, struct resolve *resolve)
{
    const struct image *source = resolve->source.image, *target = resolve->target.image;
    if (!source || !target || !call->device)
        return false;
    resolve->source.format = format_info(source->format);
    resolve->target.format = format_info(target->format);
    bool skip =
        check_images(call, resolve) | check_features(call, resolve) | check_mode(call, resolve);
    skip |= check_image_usage(call, RULE_06762, source->usage | source->stencil_usage,
                              VK_IMAGE_USAGE_TRANSFER_SRC_BIT, &resolve->source);
    skip |= check_image_usage(call, RULE_06764, target->usage | target->stencil_usage,
                              VK_IMAGE_USAGE_TRANSFER_DST_BIT, &resolve->target);
    skip |= check_transfer_layout(call, RULE_01400, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, true,
                                  &resolve->source);
    skip |= check_transfer_layout(call, RULE_01401, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, true,
                                  &resolve->target);
    skip |= check_protection(call, source->flags & VK_IMAGE_CREATE_PROTECTED_BIT, RULE_01837,
                             RULE_NONE, &LOCATION(resolve->source.where, "srcImage"),
                             SIDE_OBJECT(&resolve->source));
    skip |= check_protection(call, target->flags & VK_IMAGE_CREATE_PROTECTED_BIT, RULE_01838,
                             RULE_01839, &LOCATION(resolve->target.where, "dstImage"),
                             SIDE_OBJECT(&resolve->target));
    for (uint32_t i = 0; i < resolve->regions.count; i++)
        skip |= check_resolve_region(call, resolve, i);
    return skip;
}

bool core_validate_CmdResolveImage(struct call *call, VkCommandBuffer commandBuffer,
                                   VkImage srcImage, VkImageLayout srcImageLayout, VkImage dstImage,
                                   VkImageLayout dstImageLayout, uint32_t regionCount,
                                   const VkImageResolve *pRegions)
{
    struct resolve resolve = {
        .source = transfer_side(call, srcImage, srcImageLayout, NULL, false, "srcOffset", "extent"),
        .target = transfer_side(call, dstImage, dstImageLayout, NULL, true, "dstOffset", "extent"),
        .regions = REGIONS(pRegions, regionCount)};
    return check_resolve(call, &resolve);
}

bool core_validate_CmdResolveImage2(struct call *call, VkCommandBuffer commandBuffer,
                                    const VkResolveImageInfo2 *pResolveImageInfo)
{
    const VkResolveImageInfo2 *info = pResolveImageInfo;
    const struct location *where = &LOCATION_POINTER(NULL, "pResolveImageInfo");
    struct resolve resolve = {
        .source = transfer_side(call, info->srcImage, info->srcImageLayout, where, false,
                                "srcOffset", "extent"),
        .target = transfer_side(call, info->dstImage, info->dstImageLayout, where, true,
                                "dstOffset", "extent"),
        .regions = REGIONS2(info, where),
        .mode = info->pNext ? chain_find(info->pNext, VK_STRUCTURE_TYPE_RESOLVE_IMAGE_MODE_INFO_KHR)
                            : NULL};
    return check_resolve(call, &resolve);
}
