/* Checks the aspect ratio of texels of fragment shading rate attachments. Subpasses and dynamic
 * rendering have the same rules (VkFragmentShadingRateAttachmentInfoKHR,
 * VkRenderingFragmentShadingRateAttachmentInfoKHR). */
#include "core/render/texel_size.h"

void texel_size_check(struct subject *s, const struct location *where, VkExtent2D size,
                      enum rule wide, enum rule high)
{
    const VkPhysicalDeviceFragmentShadingRatePropertiesKHR *properties =
        &s->call->device->extended.FragmentShadingRatePropertiesKHR;
    const struct location at = LOCATION(where, "shadingRateAttachmentTexelSize");
    const uint64_t ratio = properties->maxFragmentShadingRateAttachmentTexelSizeAspectRatio;
    /* the device does not have the properties, or another rule reports the size */
    if (!properties->maxFragmentShadingRateAttachmentTexelSize.width || !size.width || !size.height)
        return;
    REQUIRE(s, wide, size.width <= ratio * size.height, &at,
            "is %u x %u, but maxFragmentShadingRateAttachmentTexelSizeAspectRatio is %u",
            size.width, size.height, (uint32_t)ratio);
    REQUIRE(s, high, size.height <= ratio * size.width, &at,
            "is %u x %u, but maxFragmentShadingRateAttachmentTexelSizeAspectRatio is %u",
            size.width, size.height, (uint32_t)ratio);
}
