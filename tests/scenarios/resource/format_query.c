/* Asks a physical device about images (vkGetPhysicalDeviceImageFormatProperties2). */
#include "scenario.h"

#define DRM             .drivers = NULL_DRIVER, .extensions = {"VK_EXT_image_drm_format_modifier"}
#define OLD_DRM         DRM, .null_driver = "{\"features\": {\"maintenance11\": false}}"
#define MODIFIER(name_) "VUID-VkPhysicalDeviceImageDrmFormatModifierInfoEXT-" name_
#define INFO(name_)     "VUID-VkPhysicalDeviceImageFormatInfo2-" name_

static void ask_format(struct baseline *b, VkImageTiling tiling, VkImageCreateFlags flags,
                       const void *next)
{
    VkImageFormatProperties2 out = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
    const VkPhysicalDeviceImageFormatInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .pNext = next,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .type = VK_IMAGE_TYPE_2D,
        .tiling = tiling,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
        .flags = flags};
    vkGetPhysicalDeviceImageFormatProperties2(b->physical_device, &info, &out);
}

static void ask_shared(struct baseline *b, uint32_t count, const uint32_t *families)
{
    const VkPhysicalDeviceImageDrmFormatModifierInfoEXT modifier = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT,
        .sharingMode = VK_SHARING_MODE_CONCURRENT,
        .queueFamilyIndexCount = count,
        .pQueueFamilyIndices = families};
    ask_format(b, VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT, 0, &modifier);
}

static const VkPhysicalDeviceImageDrmFormatModifierInfoEXT exclusive = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT};
static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
static const VkImageFormatListCreateInfo list = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
    .pNext = &exclusive,
    .viewFormatCount = 1,
    .pViewFormats = &format};

SCENARIO(modifier, OLD_DRM)
{
    const uint32_t families[] = {0, 1};
    ask_format(b, VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT, 0, &exclusive);
    ask_format(b, VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT, VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
               &list);
    ask_format(b, VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT, NULL);
    ask_shared(b, 2, families);
}

SCENARIO(tiling_without_modifier, DRM, .expect = {INFO("tiling-02249")})
{
    ask_format(b, VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT, 0, NULL);
}

SCENARIO(modifier_of_other_tiling, DRM, .expect = {INFO("tiling-02249")})
{
    ask_format(b, VK_IMAGE_TILING_OPTIMAL, 0, &exclusive);
}

SCENARIO(mutable_modifier_without_formats, DRM, .expect = {INFO("tiling-02313")})
{
    ask_format(b, VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT, VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
               &exclusive);
}

SCENARIO(modifier_shared_by_no_pointer, OLD_DRM, .expect = {MODIFIER("sharingMode-02314")})
{
    ask_shared(b, 2, NULL);
}

SCENARIO(modifier_shared_by_one, OLD_DRM, .expect = {MODIFIER("sharingMode-02315")})
{
    const uint32_t family = 0;
    ask_shared(b, 1, &family);
}

SCENARIO(modifier_shared_by_one_since_maintenance11, DRM)
{
    const uint32_t family = 0;
    ask_shared(b, 1, &family);
}

SCENARIO(modifier_shared_by_nobody, DRM, .expect = {MODIFIER("maintenance11-13351")})
{
    ask_shared(b, 0, NULL);
}

SCENARIO(modifier_shared_by_one_twice, DRM, .expect = {MODIFIER("sharingMode-02316")},
         .text = {"is 1, as is element 0"})
{
    const uint32_t families[] = {1, 1};
    ask_shared(b, 2, families);
}

SCENARIO(modifier_shared_by_unknown, DRM, .expect = {MODIFIER("sharingMode-02316")})
{
    const uint32_t families[] = {0, 77};
    ask_shared(b, 2, families);
}

static void ask_performance(struct baseline *b, VkImageUsageFlags usage)
{
    VkHostImageCopyDevicePerformanceQuery query = {
        .sType = VK_STRUCTURE_TYPE_HOST_IMAGE_COPY_DEVICE_PERFORMANCE_QUERY};
    VkImageFormatProperties2 out = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2,
                                    .pNext = &query};
    const VkPhysicalDeviceImageFormatInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .type = VK_IMAGE_TYPE_2D,
        .usage = usage};
    vkGetPhysicalDeviceImageFormatProperties2(b->physical_device, &info, &out);
}

SCENARIO(performance_of_host_copies, .drivers = NULL_DRIVER)
{
    ask_performance(b, VK_IMAGE_USAGE_HOST_TRANSFER_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
}

SCENARIO(performance_of_no_host_copies, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkGetPhysicalDeviceImageFormatProperties2-pNext-09004"})
{
    ask_performance(b, VK_IMAGE_USAGE_SAMPLED_BIT);
}

/* --- two planes --- */

static void ask_two_planes(struct baseline *b)
{
    VkFormatProperties properties;
    VkFormatProperties2 properties2 = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2};
    vkGetPhysicalDeviceFormatProperties(b->physical_device, VK_FORMAT_G8_B8R8_2PLANE_444_UNORM,
                                        &properties);
    vkGetPhysicalDeviceFormatProperties2(b->physical_device, VK_FORMAT_G8_B8R8_2PLANE_444_UNORM,
                                         &properties2);
}
#define OF_1_2(features_)                                      \
    .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_2, \
    .null_driver = "{\"apiVersion\": \"1.2.0\", \"features\": {" features_ "}}"

SCENARIO(two_planes_of_neither, OF_1_2("\"maintenance5\": false, \"ycbcr2plane444Formats\": false"),
         .expect = {"VUID-vkGetPhysicalDeviceFormatProperties-None-12272",
                    "VUID-vkGetPhysicalDeviceFormatProperties2-None-12273"})
{
    ask_two_planes(b);
}

/* One of the three is enough, though none is enabled. */
SCENARIO(two_planes_by_feature, OF_1_2("\"maintenance5\": false"))
{
    ask_two_planes(b);
}

SCENARIO(two_planes_by_maintenance5, OF_1_2("\"ycbcr2plane444Formats\": false"))
{
    ask_two_planes(b);
}

SCENARIO(two_planes_by_version, .drivers = NULL_DRIVER,
         .null_driver =
             "{\"features\": {\"maintenance5\": false, \"ycbcr2plane444Formats\": false}}")
{
    ask_two_planes(b);
}

/* --- cubic filters --- */

static void ask_cubic(struct baseline *b, VkImageType image, const VkImageViewType *view)
{
    VkFilterCubicImageViewImageFormatPropertiesEXT cubic = {
        .sType = VK_STRUCTURE_TYPE_FILTER_CUBIC_IMAGE_VIEW_IMAGE_FORMAT_PROPERTIES_EXT};
    VkImageFormatProperties2 out = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2,
                                    .pNext = &cubic};
    const VkPhysicalDeviceImageViewImageFormatInfoEXT of_view = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_VIEW_IMAGE_FORMAT_INFO_EXT,
        .imageViewType = view ? *view : VK_IMAGE_VIEW_TYPE_2D};
    const VkPhysicalDeviceImageFormatInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .pNext = view ? &of_view : NULL,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .type = image,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    vkGetPhysicalDeviceImageFormatProperties2(b->physical_device, &info, &out);
}
#define CUBIC .drivers = NULL_DRIVER, .extensions = {VK_EXT_FILTER_CUBIC_EXTENSION_NAME}
#define NOT_CUBIC \
    CUBIC, .expect = {"VUID-VkFilterCubicImageViewImageFormatPropertiesEXT-pNext-02627"}

SCENARIO(cubic_filters, CUBIC)
{
    ask_cubic(b, VK_IMAGE_TYPE_2D, &(VkImageViewType){VK_IMAGE_VIEW_TYPE_CUBE_ARRAY});
}

SCENARIO(cubic_filters_of_no_view, NOT_CUBIC)
{
    ask_cubic(b, VK_IMAGE_TYPE_2D, NULL);
}

SCENARIO(cubic_filters_of_another_view, NOT_CUBIC)
{
    ask_cubic(b, VK_IMAGE_TYPE_3D, &(VkImageViewType){VK_IMAGE_VIEW_TYPE_CUBE});
}
