/* Formats of every kind that the steps use, and what the driver can do with them. */
#include "valid.h"

#define C VK_IMAGE_ASPECT_COLOR_BIT
#define D VK_IMAGE_ASPECT_DEPTH_BIT
#define S VK_IMAGE_ASPECT_STENCIL_BIT

const struct format formats[] = {
    {VK_FORMAT_R8_UNORM, 1, 1, 1, C, 1, 'f', 0, 0, {0}},
    {VK_FORMAT_R8_UINT, 1, 1, 1, C, 1, 'u', 0, 0, {0}},
    {VK_FORMAT_R8G8_UNORM, 2, 1, 1, C, 1, 'f', 0, 0, {0}},
    {VK_FORMAT_R5G6B5_UNORM_PACK16, 2, 1, 1, C, 1, 'f', 0, 0, {0}},
    {VK_FORMAT_R8G8B8A8_UNORM, 4, 1, 1, C, 1, 'f', 0, 0, {0}},
    {VK_FORMAT_R8G8B8A8_SRGB, 4, 1, 1, C, 1, 'f', 0, 0, {0}},
    {VK_FORMAT_R8G8B8A8_UINT, 4, 1, 1, C, 1, 'u', 0, 0, {0}},
    {VK_FORMAT_R8G8B8A8_SINT, 4, 1, 1, C, 1, 'i', 0, 0, {0}},
    {VK_FORMAT_B8G8R8A8_UNORM, 4, 1, 1, C, 1, 'f', 0, 0, {0}},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4, 1, 1, C, 1, 'f', 0, 0, {0}},
    {VK_FORMAT_R32_UINT, 4, 1, 1, C, 1, 'u', 0, 0, {0}},
    {VK_FORMAT_R32_SINT, 4, 1, 1, C, 1, 'i', 0, 0, {0}},
    {VK_FORMAT_R32_SFLOAT, 4, 1, 1, C, 1, 'f', 0, 0, {0}},
    {VK_FORMAT_R16G16B16A16_SFLOAT, 8, 1, 1, C, 1, 'f', 0, 0, {0}},
    {VK_FORMAT_R32G32_UINT, 8, 1, 1, C, 1, 'u', 0, 0, {0}},
    {VK_FORMAT_R32G32B32A32_SFLOAT, 16, 1, 1, C, 1, 'f', 0, 0, {0}},
    {VK_FORMAT_R32G32B32A32_UINT, 16, 1, 1, C, 1, 'u', 0, 0, {0}},
    {VK_FORMAT_D16_UNORM, 2, 1, 1, D, 1, 'd', 0, 0, {0}},
    {VK_FORMAT_X8_D24_UNORM_PACK32, 4, 1, 1, D, 1, 'd', 0, 0, {0}},
    {VK_FORMAT_D32_SFLOAT, 4, 1, 1, D, 1, 'd', 0, 0, {0}},
    {VK_FORMAT_S8_UINT, 1, 1, 1, S, 1, 'd', 0, 0, {0}},
    {VK_FORMAT_D24_UNORM_S8_UINT, 4, 1, 1, D | S, 1, 'd', 0, 0, {0}},
    {VK_FORMAT_D32_SFLOAT_S8_UINT, 8, 1, 1, D | S, 1, 'd', 0, 0, {0}},
    {VK_FORMAT_BC1_RGB_UNORM_BLOCK, 8, 4, 4, C, 1, 'b', 0, 0, {0}},
    {VK_FORMAT_BC3_UNORM_BLOCK, 16, 4, 4, C, 1, 'b', 0, 0, {0}},
    {VK_FORMAT_BC7_SRGB_BLOCK, 16, 4, 4, C, 1, 'b', 0, 0, {0}},
    {VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, 8, 4, 4, C, 1, 'b', 0, 0, {0}},
    {VK_FORMAT_ASTC_5x4_UNORM_BLOCK, 16, 5, 4, C, 1, 'b', 0, 0, {0}},
    {VK_FORMAT_ASTC_8x6_SRGB_BLOCK, 16, 8, 6, C, 1, 'b', 0, 0, {0}},
    {VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM,
     1,
     1,
     1,
     C,
     3,
     'y',
     1,
     1,
     {VK_FORMAT_R8_UNORM, VK_FORMAT_R8_UNORM, VK_FORMAT_R8_UNORM}},
    {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
     1,
     1,
     1,
     C,
     2,
     'y',
     1,
     1,
     {VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM, 0}},
    {VK_FORMAT_G8_B8_R8_3PLANE_422_UNORM,
     1,
     1,
     1,
     C,
     3,
     'y',
     1,
     0,
     {VK_FORMAT_R8_UNORM, VK_FORMAT_R8_UNORM, VK_FORMAT_R8_UNORM}},
    {VK_FORMAT_G8_B8R8_2PLANE_422_UNORM,
     1,
     1,
     1,
     C,
     2,
     'y',
     1,
     0,
     {VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM, 0}},
    {VK_FORMAT_G8_B8_R8_3PLANE_444_UNORM,
     1,
     1,
     1,
     C,
     3,
     'y',
     0,
     0,
     {VK_FORMAT_R8_UNORM, VK_FORMAT_R8_UNORM, VK_FORMAT_R8_UNORM}},
};
const uint32_t format_count = LENGTH(formats);

const struct format *format_of(VkFormat format)
{
    for (uint32_t i = 0; i < format_count; i++) {
        if (formats[i].format == format)
            return &formats[i];
    }
    return NULL;
}

VkFormatFeatureFlags format_features(struct world *w, VkFormat format, VkImageTiling tiling)
{
    const struct format *of = format_of(format);
    if (of && of->kind == 'y' && !has_either(w, 11, EXTENSION_KHR_sampler_ycbcr_conversion))
        return 0;
    VkFormatProperties properties;
    OUTER(vkGetPhysicalDeviceFormatProperties, w->physical_device, format, &properties);
    return tiling == VK_IMAGE_TILING_LINEAR ? properties.linearTilingFeatures
                                            : properties.optimalTilingFeatures;
}

/* A format of one of the kinds with all of the features; NULL: none after some tries. */
const struct format *any_format(struct world *w, const char *kinds_wanted,
                                VkFormatFeatureFlags features)
{
    for (unsigned i = 0; i < 24; i++) {
        const struct format *format = &formats[below(w, format_count)];
        if (format->kind == 'y' && !has_either(w, 11, EXTENSION_KHR_sampler_ycbcr_conversion))
            continue;
        if (strchr(kinds_wanted, format->kind) &&
            (format_features(w, format->format, VK_IMAGE_TILING_OPTIMAL) & features) == features)
            return format;
    }
    return NULL;
}
