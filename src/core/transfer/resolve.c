/* Checks vkCmdResolveImage (both forms): the multisampled source, the destination, and the regions
 * of both (19.7). */
#include "core/transfer/transfer.h"
#include "core/hooks.h"

#include "report/muting/rows_broken.h"

#include "report/finding/rule.h"
#include "vk/chain.h"

static_assert(offsetof(VkImageResolve2, srcSubresource) == CHAIN_HEAD &&
                  offsetof(VkImageResolve2, extent) ==
                      CHAIN_HEAD + offsetof(VkImageResolve, extent),
              "one form");

/* One resolve, in either of its two forms. */
struct resolve {
    struct transfer_image source, target;
    struct region_list regions;
    const VkResolveImageModeInfoKHR *mode; /* chained to VkResolveImageInfo2; NULL when it is not */
};

/* --- regions ---------------------------------------------------------------------------------- */

/* Checks the aspects of both sides of a region. True: the call is to be skipped. */
static bool resolve_check_aspects(const struct call *call, const struct resolve *resolve,
                                  const VkImageResolve *region, const struct location *where)
{
    VkImageAspectFlags from = region->srcSubresource.aspectMask,
                       to = region->dstSubresource.aspectMask;
    /* If maintenance10 feature is not enabled, srcSubresource and dstSubresource must not contain
     * VK_IMAGE_ASPECT_DEPTH_BIT or VK_IMAGE_ASPECT_STENCIL_BIT. (The rows say of an image that has
     * neither, or of the first form.) */
    if (resolve->regions.where && (from | to) & FORMAT_DEPTH_STENCIL_ASPECTS &&
        !device_has_feature(call->device, FEATURE_maintenance10) && !rows_were_broken())
        return BROKEN_BY(call, RULE_10994,
                         &LOCATION(&LOCATION(where, from & FORMAT_DEPTH_STENCIL_ASPECTS
                                                        ? "srcSubresource"
                                                        : "dstSubresource"),
                                   "aspectMask"),
                         NULL,
                         "has depth or stencil, but the feature maintenance10 is not enabled");
    /* srcSubresource.aspectMask ... must not specify an aspect which is not part of the image
     * format of srcImage */
    struct subject s = {.call = call};
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

/* Checks that both sides of a region have equally many layers. */
static bool resolve_check_layer_counts(const struct call *call, const struct resolve *resolve,
                                       const VkImageResolve *region, const struct location *where)
{
    const VkImageSubresourceLayers *from = &region->srcSubresource, *to = &region->dstSubresource;
    /* Rules 04446 and 04447 give the layer counts where an image is 3D. */
    if (likely(from->layerCount == to->layerCount) ||
        resolve->target.image->type == VK_IMAGE_TYPE_3D)
        return false;
    return report_layer_counts(call, RULE_08803, RULE_08804, resolve->source.image, from,
                               resolve->target.image, to, where);
}

/* Checks region `index` of a resolve. True: the call is to be skipped. */
static bool check_resolve_region(const struct call *call, const struct resolve *resolve,
                                 uint32_t index)
{
    const VkImageResolve *region = region_at(&resolve->regions, index);
    const struct location *where = &LOCATION_INDEX(resolve->regions.where, "pRegions", index);
    const VkImageSubresourceLayers *from = &region->srcSubresource, *to = &region->dstSubresource;
    struct subject s = {.call = call, .where = where};
    s.skip |= resolve_check_aspects(call, resolve, region, where);
    s.skip |= resolve_check_layer_counts(call, resolve, region, where);
    /* srcImageLayout must specify the layout of the image subresources of srcImage specified in
     * pRegions at the time this command is executed */
    const VkImageSubresourceRange read = range_of_layers(from), written = range_of_layers(to);
    s.skip |= check_recorded_layout(call, RULE_00260, &resolve->source, &read);
    s.skip |= check_recorded_layout(call, RULE_00262, &resolve->target, &written);
    return s.skip;
}

/* --- how it is resolved ----------------------------------------------------------------------- */

/* The union of the aspects of all regions. */
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
        /* Masks with other aspects, or without any, are already reported. */
        REQUIRE_OF(&s, SIDE_OBJECT(&resolve->source), RULE_10992,
                   (mask & both) == both || !mask || mask & ~both,
                   &LOCATION(&LOCATION(where, "srcSubresource"), "aspectMask"),
                   "is %s, but srcImage has depth and stencil, and "
                   "independentResolveNone is VK_FALSE",
                   value_text(VALUES_VkImageAspectFlags, mask).text);
    }
    return s.skip;
}

/* Checks that the device supports the modes in which depth and stencil are resolved. True: the call
 * is to be skipped. */
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

/* True if depth or stencil is resolved without the feature that allows it. Rule 10981 or 10994
 * reports that for the region. */
static bool is_not_enabled(const struct call *call, const struct resolve *resolve)
{
    return all_aspects(resolve) & FORMAT_DEPTH_STENCIL_ASPECTS &&
           !device_has_feature(call->device, FEATURE_maintenance10);
}

/* Checks VkResolveImageModeInfoKHR. Without that structure, checks that the format does not require
 * it. True: the call is to be skipped. */
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
        /* ... 10997 says what resolveMode must be where `flags` asks for, or skips, the transfer
         * function */
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
    return s.skip;
}

/* --- images ----------------------------------------------------------------------------------- */

/* Checks that the destination can be a color attachment. With maintenance10 other rules apply. */
static bool resolve_check_features(const struct call *call, const struct resolve *resolve)
{
    bool skip = false;
    if (!device_has_feature(call->device, FEATURE_maintenance10) && !is_not_enabled(call, resolve))
        skip |= check_format_features(call, RULE_02003, VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT,
                                      &resolve->target);
    /* If the linearColorAttachment feature is enabled and the image is created with
     * VK_IMAGE_TILING_LINEAR, ... LINEAR_COLOR_ATTACHMENT */
    if (device_has_feature(call->device, FEATURE_linearColorAttachment) &&
        resolve->target.image->tiling == VK_IMAGE_TILING_LINEAR)
        skip |= check_format_features(call, RULE_06519,
                                      VK_FORMAT_FEATURE_2_LINEAR_COLOR_ATTACHMENT_BIT_NV,
                                      &resolve->target);
    return skip;
}

/* Checks a resolve as a whole, then each region. Unknown images are left to the validator of
 * lifetimes. */
static bool check_resolve(struct call *call, struct resolve *resolve)
{
    const struct image *source = resolve->source.image, *target = resolve->target.image;
    if (!source || !target || !call->device)
        return false;
    resolve->source.format = format_info(source->format);
    resolve->target.format = format_info(target->format);
    bool skip = resolve_check_features(call, resolve) | check_mode(call, resolve);
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
