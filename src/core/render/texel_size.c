/* Checks the texel size of fragment shading rate attachments, which subpasses and dynamic rendering
 * have alike (VkFragmentShadingRateAttachmentInfoKHR and
 * VkRenderingFragmentShadingRateAttachmentInfoKHR). */
#include "core/render/texel_size.h"

static bool power_of_two(uint32_t value)
{
    return value && !(value & (value - 1));
}

void texel_size_check(struct subject *s, const struct location *where, VkExtent2D size,
                      const struct texel_size_rules *rules)
{
    const VkPhysicalDeviceFragmentShadingRatePropertiesKHR *properties =
        &s->call->device->extended.FragmentShadingRatePropertiesKHR;
    const struct location at = LOCATION(where, "shadingRateAttachmentTexelSize");
    const VkExtent2D least = properties->minFragmentShadingRateAttachmentTexelSize,
                     most = properties->maxFragmentShadingRateAttachmentTexelSize;
    const uint64_t ratio = properties->maxFragmentShadingRateAttachmentTexelSizeAspectRatio;
    REQUIRE(s, rules->width_power, power_of_two(size.width), &LOCATION(&at, "width"),
            "is %u, which is not a power of two", size.width);
    REQUIRE(s, rules->height_power, power_of_two(size.height), &LOCATION(&at, "height"),
            "is %u, which is not a power of two", size.height);
    /* a device without the properties, or a size that is wrong already */
    if (!most.width || !size.width || !size.height)
        return;
    REQUIRE(s, rules->width_most, size.width <= most.width, &LOCATION(&at, "width"),
            "is %u, but maxFragmentShadingRateAttachmentTexelSize.width is %u", size.width,
            most.width);
    REQUIRE(s, rules->width_least, size.width >= least.width, &LOCATION(&at, "width"),
            "is %u, but minFragmentShadingRateAttachmentTexelSize.width is %u", size.width,
            least.width);
    REQUIRE(s, rules->height_most, size.height <= most.height, &LOCATION(&at, "height"),
            "is %u, but maxFragmentShadingRateAttachmentTexelSize.height is %u", size.height,
            most.height);
    REQUIRE(s, rules->height_least, size.height >= least.height, &LOCATION(&at, "height"),
            "is %u, but minFragmentShadingRateAttachmentTexelSize.height is %u", size.height,
            least.height);
    REQUIRE(s, rules->wide, size.width <= ratio * size.height, &at,
            "is %u x %u, but maxFragmentShadingRateAttachmentTexelSizeAspectRatio is %u",
            size.width, size.height, (uint32_t)ratio);
    REQUIRE(s, rules->high, size.height <= ratio * size.width, &at,
            "is %u x %u, but maxFragmentShadingRateAttachmentTexelSizeAspectRatio is %u",
            size.width, size.height, (uint32_t)ratio);
}
