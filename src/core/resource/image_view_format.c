/* Checks that the format of a view matches that of its image, and that the device supports the
 * view's usage with it (12.5 "Image Views"). */
#include "core/resource/image_view.h"
#include "state/memory/formats.h"
#include "state/descriptor/sampler.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

VkImageUsageFlags image_view_usage(const struct image *image, const VkImageViewCreateInfo *info)
{
    const VkImageViewUsageCreateInfo *usage = CHAINED(info->pNext, IMAGE_VIEW_USAGE_CREATE_INFO);
    const VkImageViewUsage2CreateInfoKHR *wide =
        CHAINED(info->pNext, IMAGE_VIEW_USAGE_2_CREATE_INFO_KHR);
    if (wide)
        return (VkImageUsageFlags)(wide->usage & 0xffffffffu);
    return usage ? usage->usage : image_usage_of_aspects(image, info->subresourceRange.aspectMask);
}

/* Checks that the usage of a view is part of the usage of the image. */
static void check_view_usage(struct subject *s, const VkImageViewCreateInfo *info,
                             const struct image *image)
{
    const VkImageViewUsageCreateInfo *usage = CHAINED(info->pNext, IMAGE_VIEW_USAGE_CREATE_INFO);
    const VkImageAspectFlags aspects = info->subresourceRange.aspectMask;
    if (!usage)
        return;
    const struct location *outer = s->where;
    const struct location where = LOCATION_CHAINED(outer, "VkImageViewUsageCreateInfo");
    VkImageUsageFlags more = usage->usage & ~image->usage,
                      more_stencil = usage->usage & ~image->stencil_usage;
    s->where = &where;
    if (!image->separate_stencil_usage)
        REQUIRE(s, RULE_02662, !more, "usage", "contains %s, but the image was created with %s",
                TEXT_OF(VkImageUsageFlags, more), TEXT_OF(VkImageUsageFlags, image->usage));
    else {
        if (aspects & VK_IMAGE_ASPECT_STENCIL_BIT)
            REQUIRE(s, RULE_02663, !more_stencil, "usage",
                    "contains %s, but the image was created with stencilUsage %s",
                    TEXT_OF(VkImageUsageFlags, more_stencil),
                    TEXT_OF(VkImageUsageFlags, image->stencil_usage));
        if (aspects & ~(VkImageAspectFlags)VK_IMAGE_ASPECT_STENCIL_BIT)
            REQUIRE(s, RULE_02664, !more, "usage",
                    "contains %s, but the image was created with usage %s",
                    TEXT_OF(VkImageUsageFlags, more), TEXT_OF(VkImageUsageFlags, image->usage));
    }
    s->where = outer;
}

/* The features of "Image View Format Features" for a view's format. */
static VkFormatFeatureFlags2 features_of_view(const struct call *call, VkFormat format,
                                              const struct image *image)
{
    assert(image);
    return image->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT
               ? format_drm_features(call->device, format, image->drm_modifier)
               : format_features(call->device, format, image->tiling);
}

/* For each usage, by the number of its bit: the format features of which it requires one. */
struct usage_need {
    VkFormatFeatureFlags2 features; /* 0: it requires none */
    enum rule rule;
};
/* The number of a usage's bit. */
#define USAGE_BIT(usage_) __builtin_ctz(VK_IMAGE_USAGE_##usage_)
static const struct usage_need usage_needs[32] = {
    [USAGE_BIT(SAMPLED_BIT)] = {VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT, RULE_02274},
    [USAGE_BIT(STORAGE_BIT)] = {VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT, RULE_02275},
    [USAGE_BIT(COLOR_ATTACHMENT_BIT)] = {VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT |
                                             VK_FORMAT_FEATURE_2_LINEAR_COLOR_ATTACHMENT_BIT_NV,
                                         RULE_08931},
    [USAGE_BIT(DEPTH_STENCIL_ATTACHMENT_BIT)] = {VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT,
                                                 RULE_02277},
    [USAGE_BIT(INPUT_ATTACHMENT_BIT)] = {VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT |
                                             VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT |
                                             VK_FORMAT_FEATURE_2_LINEAR_COLOR_ATTACHMENT_BIT_NV,
                                         RULE_08932},
    [USAGE_BIT(VIDEO_DECODE_DST_BIT_KHR)] = {VK_FORMAT_FEATURE_2_VIDEO_DECODE_OUTPUT_BIT_KHR,
                                             RULE_08333},
    [USAGE_BIT(VIDEO_DECODE_DPB_BIT_KHR)] = {VK_FORMAT_FEATURE_2_VIDEO_DECODE_DPB_BIT_KHR,
                                             RULE_08334},
    [USAGE_BIT(VIDEO_ENCODE_SRC_BIT_KHR)] = {VK_FORMAT_FEATURE_2_VIDEO_ENCODE_INPUT_BIT_KHR,
                                             RULE_08336},
    [USAGE_BIT(VIDEO_ENCODE_DPB_BIT_KHR)] = {VK_FORMAT_FEATURE_2_VIDEO_ENCODE_DPB_BIT_KHR,
                                             RULE_08337},
    [USAGE_BIT(VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR)] =
        {VK_FORMAT_FEATURE_2_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR, RULE_10259},
    [USAGE_BIT(VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR)] =
        {VK_FORMAT_FEATURE_2_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR, RULE_10260},
    [USAGE_BIT(FRAGMENT_DENSITY_MAP_BIT_EXT)] = {VK_FORMAT_FEATURE_2_FRAGMENT_DENSITY_MAP_BIT_EXT,
                                                 RULE_12488},
    [USAGE_BIT(SAMPLE_WEIGHT_BIT_QCOM)] = {VK_FORMAT_FEATURE_2_WEIGHT_IMAGE_BIT_QCOM, RULE_12506},
    [USAGE_BIT(SAMPLE_BLOCK_MATCH_BIT_QCOM)] = {VK_FORMAT_FEATURE_2_BLOCK_MATCHING_BIT_QCOM,
                                                RULE_12507},
};

/* Checks that the view's format has any features, and those that `usage` requires. An unknown
 * format is not checked. */
static void image_view_format_check_features(struct subject *s, const VkImageViewCreateInfo *info,
                                             const struct image *image, VkImageUsageFlags usage)
{
    if (!format_info(info->format))
        return;
    VkFormatFeatureFlags2 features = features_of_view(s->call, info->format, image);
    REQUIRE(s, RULE_02273, features, "format",
            "is %s, with which the device can do nothing in images of %s",
            TEXT_OF(VkFormat, info->format), TEXT_OF(VkImageTiling, image->tiling));
    for (VkImageUsageFlags left = features ? usage : 0; left; left &= left - 1) {
        const struct usage_need *need = &usage_needs[__builtin_ctz(left)];
        if (likely(!need->features || features & need->features))
            continue;
        s->wrong = true;
        BROKEN(s, need->rule, "format",
               "is %s, which lacks %s for %s on this device; the view is to be used as %s",
               TEXT_OF(VkFormat, info->format), TEXT_OF(VkFormatFeatureFlags2, need->features),
               TEXT_OF(VkImageTiling, image->tiling), TEXT_OF(VkImageUsageFlags, left & -left));
    }
    if (usage & VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR &&
        !subject_has(s, FEATURE_shadingRateImage)) {
        REQUIRE(s, RULE_12386, subject_has(s, FEATURE_attachmentFragmentShadingRate), "image",
                "has usage VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR, but the "
                "feature attachmentFragmentShadingRate is not enabled");
        REQUIRE(s, RULE_04550,
                features & VK_FORMAT_FEATURE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR, "format",
                "is %s, which cannot be a fragment shading rate attachment on this device",
                TEXT_OF(VkFormat, info->format));
    }
    REQUIRE(s, RULE_08335, !(usage & VK_IMAGE_USAGE_VIDEO_DECODE_SRC_BIT_KHR), "image",
            "has usage VK_IMAGE_USAGE_VIDEO_DECODE_SRC_BIT_KHR, which is none of views");
    REQUIRE(s, RULE_08338, !(usage & VK_IMAGE_USAGE_VIDEO_ENCODE_DST_BIT_KHR), "image",
            "has usage VK_IMAGE_USAGE_VIDEO_ENCODE_DST_BIT_KHR, which is none of views");
}

/* Checks that the image was created with a usage for which views are made. */
static void check_image_usage(struct subject *s, const struct image *image)
{
    const VkImageUsageFlags viewable =
        VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
        VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT |
        VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR |
        VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT | VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR |
        VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR | VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR |
        VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR | VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM |
        VK_IMAGE_USAGE_SAMPLE_BLOCK_MATCH_BIT_QCOM |
        VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR |
        VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR |
        /* the sentence does not name it, but 04993 is about views with it */
        VK_IMAGE_USAGE_INVOCATION_MASK_BIT_HUAWEI;
    REQUIRE(s, RULE_04441, (image->usage | image->stencil_usage) & viewable, "image",
            "was created with usage %s, none of which needs a view",
            TEXT_OF(VkImageUsageFlags, image->usage));
}

/* True if the image was created with the format in its list, or without a list. */
static bool view_format_is_listed(const struct image *image, VkFormat format)
{
    for (uint32_t i = 0; i < image->view_format_count; i++) {
        if (image->view_formats[i] == format)
            return true;
    }
    return image->view_format_count == 0;
}

/* Checks that the view's format is compatible with the format of the plane. */
static void check_plane_view(struct subject *s, const VkImageViewCreateInfo *info,
                             const struct image *image)
{
    VkFormat plane = format_of_aspect(image->format, info->subresourceRange.aspectMask);
    if (!plane) /* 07818 or 09594 reports it */
        return;
    REQUIRE(s, RULE_01586, formats_compatible(plane, info->format), "format",
            "is %s, which is not compatible with %s, the format of %s of %s",
            TEXT_OF(VkFormat, info->format), TEXT_OF(VkFormat, plane),
            TEXT_OF(VkImageAspectFlags, info->subresourceRange.aspectMask),
            TEXT_OF(VkFormat, image->format));
}

/* Checks that the view's format is compatible with the image's, if the image may have views of
 * other formats. */
static void check_compatibility(struct subject *s, const VkImageViewCreateInfo *info,
                                const struct image *image)
{
    const struct format_info *from = format_info(image->format), *to = format_info(info->format);
    if (!from || !to)
        return;
    bool plane = from->plane_count > 1 && info->subresourceRange.aspectMask & FORMAT_PLANE_ASPECTS;
    bool multi_plane = from->plane_count > 1 && !plane;
    if (!(image->flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT))
        ; /* 12397 reports it */
    else if (plane)
        check_plane_view(s, info, image);
    else if (multi_plane)
        REQUIRE(s, RULE_12398, info->format == image->format, "format",
                "is %s, but a view of all planes of an image of %s is of the same format",
                TEXT_OF(VkFormat, info->format), TEXT_OF(VkFormat, image->format));
    else if (image->flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT)
        REQUIRE(s, RULE_01583,
                formats_compatible(image->format, info->format) ||
                    (to->compression == FORMAT_COMPRESSION_NONE &&
                     to->block_size == from->block_size),
                "format",
                "is %s, which is neither compatible with the image's %s nor an uncompressed format "
                "of the same size",
                TEXT_OF(VkFormat, info->format), TEXT_OF(VkFormat, image->format));
    else
        REQUIRE(s, RULE_01761, formats_compatible(image->format, info->format), "format",
                "is %s, which is not compatible with the image's %s",
                TEXT_OF(VkFormat, info->format), TEXT_OF(VkFormat, image->format));
    REQUIRE(s, RULE_01585, view_format_is_listed(image, info->format), "format",
            "is %s, which is not among the formats that the image was created with "
            "(VkImageFormatListCreateInfo::pViewFormats)",
            TEXT_OF(VkFormat, info->format));
}

/* Checks the view's Y'CbCr conversion, and that there is one if the format requires it. */
static void check_ycbcr(struct subject *s, const VkImageViewCreateInfo *info,
                        const struct image *image, VkImageUsageFlags usage)
{
    const VkSamplerYcbcrConversionInfo *chained =
        CHAINED(info->pNext, SAMPLER_YCBCR_CONVERSION_INFO);
    const struct format_info *format = format_info(info->format);
    bool converts = chained && chained->conversion;
    if (converts) {
        const struct sampler_ycbcr_conversion *conversion =
            find_sampler_ycbcr_conversion(s->call, chained->conversion);
        REQUIRE(s, RULE_01970, components_are_identity(&info->components), "components",
                "is not the identity swizzle, but the view has a sampler Y'CbCr conversion");
        if (conversion)
            REQUIRE(s, RULE_06658, info->format == conversion->info.format, "format",
                    "is %s, but the view's sampler Y'CbCr conversion is of %s",
                    TEXT_OF(VkFormat, info->format), TEXT_OF(VkFormat, conversion->info.format));
    }
    if (!format || !format->chroma)
        return;
    if (usage & VK_IMAGE_USAGE_SAMPLED_BIT)
        REQUIRE(s, RULE_06415, converts, "pNext",
                "has no VkSamplerYcbcrConversionInfo with a conversion in it, but the view is to "
                "be sampled, and format is %s",
                TEXT_OF(VkFormat, info->format));
    if (format->chroma == 444 && format->plane_count == 2)
        REQUIRE(s, RULE_12280,
                s->call->device->api_version >= VK_API_VERSION_1_3 ||
                    subject_has(s, FEATURE_ycbcr2plane444Formats),
                "format",
                "is %s, but the device is older than Vulkan 1.3, and the feature "
                "ycbcr2plane444Formats is not enabled",
                TEXT_OF(VkFormat, info->format));
}

void image_view_check_format(struct subject *s, const VkImageViewCreateInfo *info,
                             const struct image *image, VkImageUsageFlags usage)
{
    assert(image);
    check_view_usage(s, info, image);
    check_image_usage(s, image);
    check_compatibility(s, info, image);
    check_ycbcr(s, info, image, usage);
    image_view_format_check_features(s, info, image, usage);
}
