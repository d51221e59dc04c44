/* Checks vkCmdClearColorImage and vkCmdClearDepthStencilImage: these ranges of the image may be
 * cleared (20.1). */
#include "core/transfer/transfer.h"
#include "core/hooks.h"

#include "report/finding/rule.h"

/* Checks the depth value that the image is cleared to. */
static bool check_clear_value(const struct call *call, const VkClearDepthStencilValue *value)
{
    struct subject s = {.call = call};
    /* Unless the VK_EXT_depth_range_unrestricted extension is enabled depth must be between 0.0
     * and 1.0, inclusive */
    REQUIRE(&s, VUID_VkClearDepthStencilValue_depth_00022,
            call_has_extension(call, EXTENSION_VK_EXT_depth_range_unrestricted) ||
                (value->depth >= 0.0f && value->depth <= 1.0f),
            &LOCATION(&LOCATION_POINTER(NULL, "pDepthStencil"), "depth"),
            "is %g, which is not between 0 and 1, and VK_EXT_depth_range_unrestricted "
            "is not enabled",
            (double)value->depth);
    return s.skip;
}

/* The rules about ranges. Those of color clears and of depth/stencil clears have different
 * numbers. */
struct range_rules {
    enum rule base_level, levels, base_layer, layers;
};

/* Checks that a range to be cleared lies in the image. `rules`: the rules of the command. True: the
 * call is to be skipped. */
static bool clear_check_range(const struct call *call, const struct transfer_image *side,
                              const VkImageSubresourceRange *range, const struct location *where,
                              const struct range_rules *rules)
{
    assert(side->image && rules);
    const struct image *image = side->image;
    struct subject s = {.call = call, .where = where};
    /* baseMipLevel must be less than the mipLevels specified in VkImageCreateInfo when image was
     * created */
    REQUIRE_OF(&s, SIDE_OBJECT(side), rules->base_level, range->baseMipLevel < image->mip_levels,
               "baseMipLevel", "is %u, but the image has %u mip level%s", range->baseMipLevel,
               image->mip_levels, image->mip_levels == 1 ? "" : "s");
    /* if the levelCount member is not VK_REMAINING_MIP_LEVELS, then baseMipLevel + levelCount must
     * be less than or equal to the mipLevels */
    REQUIRE_OF(&s, SIDE_OBJECT(side), rules->levels,
               range->levelCount == VK_REMAINING_MIP_LEVELS ||
                   range->baseMipLevel >= image->mip_levels ||
                   range->levelCount <= image->mip_levels - range->baseMipLevel,
               "levelCount", "is %u from baseMipLevel %u on, but the image has %u mip level%s",
               range->levelCount, range->baseMipLevel, image->mip_levels,
               image->mip_levels == 1 ? "" : "s");
    /* baseArrayLayer must be less than the arrayLayers specified in VkImageCreateInfo when image
     * was created */
    REQUIRE_OF(&s, SIDE_OBJECT(side), rules->base_layer,
               range->baseArrayLayer < image->array_layers, "baseArrayLayer",
               "is %u, but the image has %u array layer%s", range->baseArrayLayer,
               image->array_layers, image->array_layers == 1 ? "" : "s");
    REQUIRE_OF(&s, SIDE_OBJECT(side), rules->layers,
               range->layerCount == VK_REMAINING_ARRAY_LAYERS ||
                   range->baseArrayLayer >= image->array_layers ||
                   range->layerCount <= image->array_layers - range->baseArrayLayer,
               "layerCount", "is %u from baseArrayLayer %u on, but the image has %u array layer%s",
               range->layerCount, range->baseArrayLayer, image->array_layers,
               image->array_layers == 1 ? "" : "s");
    return s.skip;
}

/* Describes the cleared image, which is the only side of the transfer. */
static struct transfer_image make_side(struct call *call, VkImage handle, VkImageLayout layout)
{
    const struct image *image = find_image(call, handle);
    return (struct transfer_image){.image = image,
                                   .format = image ? format_info(image->format) : NULL,
                                   .handle = handle,
                                   .layout = layout,
                                   .destination = true,
                                   .name = "image",
                                   .layout_name = "imageLayout"};
}

/* Checks that a clear color has enough bits for each component of the image's format. True: the
 * call is to be skipped. */
static bool check_color_format(const struct call *call, const struct transfer_image *side)
{
    const struct location *where = &LOCATION(NULL, "image");
    const struct format_info *format = side->format;
    struct subject s = {.call = call};
    if (!format)
        return false;
    /* If image's format has components other than R and G, it must not have a 64-bit component
     * width */
    REQUIRE_OF(&s, SIDE_OBJECT(side), RULE_09678,
               !(format->bits[2] || format->bits[3]) ||
                   (format->bits[2] != 64 && format->bits[3] != 64),
               where, "has the format %s, but a clear color has room for two components of 64 bits",
               value_text(VALUES_VkFormat, (uint64_t)format->format).text);
    return s.skip;
}

bool core_validate_CmdClearColorImage(struct call *call, VkCommandBuffer commandBuffer,
                                      VkImage image, VkImageLayout imageLayout,
                                      const VkClearColorValue *pColor, uint32_t rangeCount,
                                      const VkImageSubresourceRange *pRanges)
{
    static const struct range_rules rules = {RULE_01470, RULE_01692, RULE_01472, RULE_01693};
    const struct transfer_image side = make_side(call, image, imageLayout);
    if (!side.image || !call->device)
        return false;
    struct subject s = {.call = call};
    REQUIRE(&s, STOPS(VUID_vkCmdClearColorImage_pColor_04961), !pointer_is_bad(pColor), "pColor",
            "is %p, which is not a valid pointer", (const void *)pColor);
    bool known = side.format && !(side.format->aspects & FORMAT_DEPTH_STENCIL_ASPECTS) &&
                 !side.format->chroma && side.format->compression == FORMAT_COMPRESSION_NONE;
    if (unlikely(!known || side.format->bits[2] == 64))
        s.skip |= check_color_format(call, &side);
    s.skip |= check_protection(call, side.image->flags & VK_IMAGE_CREATE_PROTECTED_BIT, RULE_NONE,
                               RULE_01806, &LOCATION(NULL, "image"), SIDE_OBJECT(&side));
    for (uint32_t i = 0; pRanges && i < rangeCount; i++) {
        const struct location *where = &LOCATION_INDEX(NULL, "pRanges", i);
        /* The aspectMask members of the elements of the pRanges array must each only include
         * VK_IMAGE_ASPECT_COLOR_BIT. (An image whose format cannot be cleared so has other
         * aspects.) */
        REQUIRE(&s, RULE_02498,
                !(pRanges[i].aspectMask & ~(VkImageAspectFlags)VK_IMAGE_ASPECT_COLOR_BIT) ||
                    (side.format && !known),
                &LOCATION(where, "aspectMask"),
                "is %s, but only VK_IMAGE_ASPECT_COLOR_BIT is cleared with a color",
                value_text(VALUES_VkImageAspectFlags, pRanges[i].aspectMask).text);
        s.skip |= clear_check_range(call, &side, &pRanges[i], where, &rules);
        /* imageLayout must specify the layout of the image subresource ranges of image specified in
         * pRanges at the time this command is executed */
        s.skip |= check_recorded_layout(call, RULE_00004, &side, &pRanges[i]);
    }
    return s.skip;
}

/* Checks that the image has the usage for the aspects to be cleared; stencil may have a separate
 * usage. True: the call is to be skipped. */
static bool check_depth_stencil_usage(const struct call *call, const struct transfer_image *side,
                                      VkImageAspectFlags aspects)
{
    assert(side->image);
    const struct image *image = side->image;
    bool separate = image->stencil_usage != image->usage, skip = false;
    /* If the aspect member of any element of pRanges includes STENCIL, and image was created with
     * separate stencil usage, that must have TRANSFER_DST; else usage */
    if (aspects & VK_IMAGE_ASPECT_STENCIL_BIT)
        skip |= check_image_usage(call, separate ? RULE_02658 : RULE_02659, image->stencil_usage,
                                  VK_IMAGE_USAGE_TRANSFER_DST_BIT, side);
    /* If the aspect member of any element of pRanges includes DEPTH, image must have been created
     * with TRANSFER_DST */
    if (aspects & VK_IMAGE_ASPECT_DEPTH_BIT)
        skip |= check_image_usage(call, RULE_02660, image->usage, VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                  side);
    return skip;
}

/* Checks that the image's format has the aspects of one range. True: the call is to be skipped. */
static bool check_depth_stencil_range(const struct call *call, const struct transfer_image *side,
                                      VkImageAspectFlags aspects, const struct location *where)
{
    const struct location *aspect_mask = &LOCATION(where, "aspectMask");
    struct subject s = {.call = call};
    /* 00014 reports an image whose format has neither depth nor stencil. */
    if (side->format && !(side->format->aspects & FORMAT_DEPTH_STENCIL_ASPECTS))
        return false;
    /* aspectMask must not include bits other than VK_IMAGE_ASPECT_DEPTH_BIT or
     * VK_IMAGE_ASPECT_STENCIL_BIT */
    REQUIRE(&s, RULE_02824, !(aspects & ~(VkImageAspectFlags)FORMAT_DEPTH_STENCIL_ASPECTS),
            aspect_mask, "is %s, but only depth and stencil are cleared here",
            value_text(VALUES_VkImageAspectFlags, aspects).text);
    if (!side->format)
        return s.skip;
    /* If the image's format does not have a stencil component, then aspectMask must not include the
     * VK_IMAGE_ASPECT_STENCIL_BIT bit; depth */
    REQUIRE_OF(&s, SIDE_OBJECT(side), RULE_02825,
               !(aspects & VK_IMAGE_ASPECT_STENCIL_BIT & ~side->format->aspects), aspect_mask,
               "has VK_IMAGE_ASPECT_STENCIL_BIT, but the image's format %s has no stencil",
               value_text(VALUES_VkFormat, (uint64_t)side->format->format).text);
    REQUIRE_OF(&s, SIDE_OBJECT(side), RULE_02826,
               !(aspects & VK_IMAGE_ASPECT_DEPTH_BIT & ~side->format->aspects), aspect_mask,
               "has VK_IMAGE_ASPECT_DEPTH_BIT, but the image's format %s has no depth",
               value_text(VALUES_VkFormat, (uint64_t)side->format->format).text);
    return s.skip;
}

bool core_validate_CmdClearDepthStencilImage(struct call *call, VkCommandBuffer commandBuffer,
                                             VkImage image, VkImageLayout imageLayout,
                                             const VkClearDepthStencilValue *pDepthStencil,
                                             uint32_t rangeCount,
                                             const VkImageSubresourceRange *pRanges)
{
    static const struct range_rules rules = {RULE_01474, RULE_01694, RULE_01476, RULE_01695};
    const struct transfer_image side = make_side(call, image, imageLayout);
    struct subject s = {.call = call};
    s.skip |= pDepthStencil ? check_clear_value(call, pDepthStencil) : false;
    VkImageAspectFlags aspects = 0;
    if (!side.image || !call->device)
        return s.skip;
    for (uint32_t i = 0; pRanges && i < rangeCount; i++) {
        const struct location *where = &LOCATION_INDEX(NULL, "pRanges", i);
        aspects |= pRanges[i].aspectMask;
        s.skip |= check_depth_stencil_range(call, &side, pRanges[i].aspectMask, where);
        s.skip |= clear_check_range(call, &side, &pRanges[i], where, &rules);
        s.skip |= check_recorded_layout(call, RULE_00011, &side, &pRanges[i]);
    }
    return s.skip | check_depth_stencil_usage(call, &side, aspects);
}
