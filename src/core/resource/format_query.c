/* Checks queries of a physical device about images of a format (34.1.1 "Supported Sample Counts",
 * "Additional Image Capabilities": vkGetPhysicalDeviceImageFormatProperties2). */
#include "core/hooks.h"
#include "state/memory/formats.h"

#include "report/finding/rule.h"

/* True if the physical device supports maintenance11. There may be no VkDevice yet that could have
 * it enabled. */
static bool supports_maintenance11(const struct call *call, VkPhysicalDevice physical_device)
{
    VkPhysicalDeviceMaintenance11FeaturesKHR maintenance11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_11_FEATURES_KHR};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &maintenance11};
    if (!call->instance->dispatch.GetPhysicalDeviceFeatures2)
        return false;
    call->instance->dispatch.GetPhysicalDeviceFeatures2(physical_device, &features);
    return maintenance11.maintenance11;
}

/* Checks the queue families that are to share images with a DRM format modifier. */
static bool check_sharing(const struct call *call, VkPhysicalDevice physical_device,
                          const VkPhysicalDeviceImageDrmFormatModifierInfoEXT *info,
                          const struct location *where)
{
    const uint32_t count = info->queueFamilyIndexCount;
    uint32_t families = 0;
    struct subject s = {
        .call = call,
        .where = &LOCATION_CHAINED(where, "VkPhysicalDeviceImageDrmFormatModifierInfoEXT")};
    if (info->sharingMode != VK_SHARING_MODE_CONCURRENT)
        return false;
    if (count <= 1) {
        const bool few = supports_maintenance11(call, physical_device);
        if (few)
            REQUIRE(&s, RULE_13351, count, "queueFamilyIndexCount",
                    "is 0, but sharingMode is VK_SHARING_MODE_CONCURRENT");
        else
            BROKEN(&s, RULE_02315, "queueFamilyIndexCount",
                   "is %u, but sharingMode is VK_SHARING_MODE_CONCURRENT, which takes 2 or more",
                   count);
    }
    if (!count)
        return s.skip;
    if (pointer_is_bad(info->pQueueFamilyIndices)) {
        BROKEN(&s, STOPS(RULE_02314), "pQueueFamilyIndices",
               "is not a pointer, but sharingMode is VK_SHARING_MODE_CONCURRENT");
        return call_stop((struct call *)call, s.skip);
    }
    call->instance->dispatch.GetPhysicalDeviceQueueFamilyProperties(physical_device, &families,
                                                                    NULL);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t family = info->pQueueFamilyIndices[i];
        const struct location *at = &LOCATION_INDEX(s.where, "pQueueFamilyIndices", i);
        REQUIRE(&s, RULE_02316, family < families, at,
                "is %u, but the physical device has %u queue families", family, families);
        for (uint32_t k = 0; k < i; k++)
            REQUIRE(&s, RULE_02316, info->pQueueFamilyIndices[k] != family, at,
                    "is %u, as is element %u", family, k);
    }
    return s.skip;
}

/* If Vulkan 1.3, maintenance5 and ycbcr2plane444Formats are not supported, format must not be one
 * of two planes and 4:4:4 */
static bool check_two_planes(struct call *call, VkPhysicalDevice physical_device, VkFormat format)
{
    const struct format_info *info = format_info(format);
    const struct instance_dispatch *next = &call->instance->dispatch;
    VkPhysicalDeviceYcbcr2Plane444FormatsFeaturesEXT two_planes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_YCBCR_2_PLANE_444_FORMATS_FEATURES_EXT};
    VkPhysicalDeviceMaintenance5Features maintenance5 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .pNext = &two_planes};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &maintenance5};
    VkPhysicalDeviceProperties properties;
    if (likely(!info || info->chroma != 444 || info->plane_count != 2) ||
        !next->GetPhysicalDeviceFeatures2)
        return false;
    next->GetPhysicalDeviceProperties(physical_device, &properties);
    next->GetPhysicalDeviceFeatures2(physical_device, &features);
    struct subject s = {.call = call};
    REQUIRE(&s,
            call->command == COMMAND_GetPhysicalDeviceFormatProperties ? RULE_12272 : RULE_12273,
            properties.apiVersion >= VK_API_VERSION_1_3 || maintenance5.maintenance5 ||
                two_planes.ycbcr2plane444Formats,
            "format",
            "is %s, but the physical device supports neither Vulkan 1.3 nor the feature "
            "maintenance5 or ycbcr2plane444Formats",
            TEXT_OF(VkFormat, format));
    return s.skip;
}

bool core_validate_GetPhysicalDeviceFormatProperties(struct call *call,
                                                     VkPhysicalDevice physicalDevice,
                                                     VkFormat format,
                                                     VkFormatProperties *pFormatProperties)
{
    return check_two_planes(call, physicalDevice, format);
}

bool core_validate_GetPhysicalDeviceFormatProperties2(struct call *call,
                                                      VkPhysicalDevice physicalDevice,
                                                      VkFormat format,
                                                      VkFormatProperties2 *pFormatProperties)
{
    return check_two_planes(call, physicalDevice, format);
}

/* True if an image of the type can have views of that type. It may need flags for them. */
static bool may_view(VkImageType image, VkImageViewType view)
{
    switch (view) {
    case VK_IMAGE_VIEW_TYPE_1D:
    case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
        return image == VK_IMAGE_TYPE_1D;
    case VK_IMAGE_VIEW_TYPE_2D:
    case VK_IMAGE_VIEW_TYPE_2D_ARRAY:
        return image != VK_IMAGE_TYPE_1D;
    case VK_IMAGE_VIEW_TYPE_3D:
        return image == VK_IMAGE_TYPE_3D;
    default:
        return image == VK_IMAGE_TYPE_2D;
    }
}

bool core_validate_GetPhysicalDeviceImageFormatProperties2(struct call *call,
                                                           VkPhysicalDevice physicalDevice,
                                                           const VkPhysicalDeviceImageFormatInfo2
                                                               *pImageFormatInfo,
                                                           VkImageFormatProperties2
                                                               *pImageFormatProperties)
{
    const VkPhysicalDeviceImageFormatInfo2 *info = pImageFormatInfo;
    const VkPhysicalDeviceImageDrmFormatModifierInfoEXT *modifier =
        CHAINED(info->pNext, PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT);
    const VkImageFormatListCreateInfo *list = CHAINED(info->pNext, IMAGE_FORMAT_LIST_CREATE_INFO);
    const bool drm = info->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pImageFormatInfo")};
    /* tiling must be DRM_FORMAT_MODIFIER if and only if the pNext chain includes the structure */
    REQUIRE(&s, RULE_02249, drm == (modifier != NULL), "tiling",
            "is %s, but the pNext chain has %s VkPhysicalDeviceImageDrmFormatModifierInfoEXT",
            TEXT_OF(VkImageTiling, info->tiling), modifier ? "a" : "no");
    if (drm && info->flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT)
        REQUIRE(&s, RULE_02313, list && list->viewFormatCount, "flags",
                "has VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT, but the pNext chain has no "
                "VkImageFormatListCreateInfo with formats");
    REQUIRE(&s, RULE_09004,
            info->usage & VK_IMAGE_USAGE_HOST_TRANSFER_BIT ||
                !CHAINED(pImageFormatProperties->pNext, HOST_IMAGE_COPY_DEVICE_PERFORMANCE_QUERY),
            "usage",
            "is %s, without VK_IMAGE_USAGE_HOST_TRANSFER_BIT, but a "
            "VkHostImageCopyDevicePerformanceQuery is asked for",
            TEXT_OF(VkImageUsageFlags, info->usage));
    const VkPhysicalDeviceImageViewImageFormatInfoEXT *view =
        CHAINED(info->pNext, PHYSICAL_DEVICE_IMAGE_VIEW_IMAGE_FORMAT_INFO_EXT);
    if (unlikely(CHAINED(pImageFormatProperties->pNext,
                         FILTER_CUBIC_IMAGE_VIEW_IMAGE_FORMAT_PROPERTIES_EXT)))
        REQUIRE(&s, RULE_02627, view && may_view(info->type, view->imageViewType), "pNext",
                "has %s, but a VkFilterCubicImageViewImageFormatPropertiesEXT is asked for of %s",
                view ? TEXT_OF(VkImageViewType, view->imageViewType)
                     : "no VkPhysicalDeviceImageViewImageFormatInfoEXT",
                TEXT_OF(VkImageType, info->type));
    return modifier ? s.skip | check_sharing(call, physicalDevice, modifier, s.where) : s.skip;
}
