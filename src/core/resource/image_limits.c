/* Checks that this device supports an image ("Image Creation Limits" in 12.3 "Images"). It queries
 * the driver in the way that the specification gives. */
#include "core/resource/image_create.h"
#include "state/memory/formats.h"
#include "state/memory/image.h"
#include "vk/chain.h"

/* The driver's answers: imageCreateMaxMipLevels and the other limits. */
struct limits {
    bool undefined;                     /* the driver does not support such an image */
    VkImageFormatProperties properties; /* the minimum over all answers */
    /* requested handle types that are incompatible with another requested one */
    VkExternalMemoryHandleTypeFlags incompatible;
};

/* Reduces each limit to the smaller of both, and the sample counts to those that both have. */
static void limits_narrow(VkImageFormatProperties *limits, const VkImageFormatProperties *more)
{
/* Reduces a member to the smaller value. */
#define LESS(member_) \
    limits->member_ = more->member_ < limits->member_ ? more->member_ : limits->member_
    LESS(maxExtent.width);
    LESS(maxExtent.height);
    LESS(maxExtent.depth);
    LESS(maxMipLevels);
    LESS(maxArrayLayers);
    limits->sampleCounts &= more->sampleCounts;
#undef LESS
}

/* True if limits can be queried with chained structures. */
static bool has_properties2(const struct device *device)
{
    const struct instance *instance = device->instance;
    return instance->dispatch.GetPhysicalDeviceImageFormatProperties2 &&
           extension_set_has(&instance->extensions,
                             EXTENSION_VK_KHR_get_physical_device_properties2);
}

/* True if the driver says that it does not support such images. Out of memory is not an answer. */
static bool says_no(VkResult result)
{
    return result != VK_SUCCESS && result != VK_ERROR_OUT_OF_HOST_MEMORY &&
           result != VK_ERROR_OUT_OF_DEVICE_MEMORY && result != VK_ERROR_UNKNOWN;
}

/* Reduces the limits by what the driver says of an image without a chain. */
static void ask_plainly(const struct device *device, const VkImageCreateInfo *info,
                        struct limits *limits)
{
    const VkPhysicalDeviceImageFormatInfo2 question = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .format = info->format,
        .type = info->imageType,
        .tiling = info->tiling,
        .usage = info->usage,
        .flags = info->flags};
    VkImageFormatProperties answer;
    const VkResult result = format_image_properties(device, &question, &answer);
    limits->undefined |= says_no(result);
    if (result == VK_SUCCESS)
        limits_narrow(&limits->properties, &answer);
}

/* Makes one query. `handle_type`: 0 for no external memory. `modifier`: NULL except for
 * VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT. */
static void limits_ask(const struct device *device, const VkImageCreateInfo *info,
                       struct limits *limits, VkExternalMemoryHandleTypeFlags wanted,
                       VkExternalMemoryHandleTypeFlagBits handle_type, const uint64_t *modifier)
{
    assert(!handle_type || wanted & handle_type);
    assert((modifier != NULL) == (info->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT));
    const VkImageFormatListCreateInfo *given_list =
        CHAINED(info->pNext, IMAGE_FORMAT_LIST_CREATE_INFO);
    const VkImageStencilUsageCreateInfo *given_stencil =
        CHAINED(info->pNext, IMAGE_STENCIL_USAGE_CREATE_INFO);
    VkImageFormatListCreateInfo list;
    VkImageStencilUsageCreateInfo stencil;
    VkPhysicalDeviceExternalImageFormatInfo external = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO,
        .handleType = handle_type};
    VkPhysicalDeviceImageDrmFormatModifierInfoEXT drm = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT,
        .drmFormatModifier = modifier ? *modifier : 0,
        .sharingMode = info->sharingMode,
        .queueFamilyIndexCount =
            info->sharingMode == VK_SHARING_MODE_CONCURRENT ? info->queueFamilyIndexCount : 0,
        .pQueueFamilyIndices = info->pQueueFamilyIndices};
    VkPhysicalDeviceImageFormatInfo2 question = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .format = info->format,
        .type = info->imageType,
        .tiling = info->tiling,
        .usage = info->usage,
        .flags = info->flags};
    if (given_list) {
        list = *given_list;
        list.pNext = question.pNext;
        question.pNext = &list;
    }
    if (given_stencil) {
        stencil = *given_stencil;
        stencil.pNext = question.pNext;
        question.pNext = &stencil;
    }
    if (handle_type) {
        external.pNext = question.pNext;
        question.pNext = &external;
    }
    if (modifier) {
        drm.pNext = question.pNext;
        question.pNext = &drm;
    }
    if (question.pNext && !has_properties2(device))
        return; /* this query is not available */
    if (!question.pNext) {
        ask_plainly(device, info, limits);
        return;
    }
    VkExternalImageFormatProperties external_answer = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES};
    VkImageFormatProperties2 answer = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2,
                                       .pNext = handle_type ? &external_answer : NULL};
    const VkResult result =
        device->instance->dispatch.GetPhysicalDeviceImageFormatProperties2(device->physical_device,
                                                                           &question, &answer);
    limits->undefined |= says_no(result);
    if (result != VK_SUCCESS)
        return;
    limits_narrow(&limits->properties, &answer.imageFormatProperties);
    if (handle_type)
        limits->incompatible |=
            wanted & ~external_answer.externalMemoryProperties.compatibleHandleTypes;
}

/* Reduces the limits for each type of external memory, as a query is about one type only. */
static void ask_handle_types(const struct device *device, const VkImageCreateInfo *info,
                             struct limits *limits, const uint64_t *modifier)
{
    const VkExternalMemoryImageCreateInfo *external =
        CHAINED(info->pNext, EXTERNAL_MEMORY_IMAGE_CREATE_INFO);
    VkExternalMemoryHandleTypeFlags types = external ? external->handleTypes : 0, left = types;
    if (!types)
        limits_ask(device, info, limits, 0, 0, modifier);
    for (; left; left &= left - 1)
        limits_ask(device, info, limits, types, (VkExternalMemoryHandleTypeFlagBits)(left & -left),
                   modifier);
}

/* Reduces the limits for each modifier and handle type. */
static void ask_all(const struct device *device, const VkImageCreateInfo *info,
                    struct limits *limits)
{
    if (info->tiling != VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT) {
        if (likely(!info->pNext))
            ask_plainly(device, info, limits);
        else
            ask_handle_types(device, info, limits, NULL);
        return;
    }
    const VkImageDrmFormatModifierListCreateInfoEXT *list =
        CHAINED(info->pNext, IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT);
    const VkImageDrmFormatModifierExplicitCreateInfoEXT *one =
        CHAINED(info->pNext, IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT);
    if (one)
        ask_handle_types(device, info, limits, &one->drmFormatModifier);
    for (uint32_t i = 0;
         list && !pointer_is_bad(list->pDrmFormatModifiers) && i < list->drmFormatModifierCount;
         i++)
        ask_handle_types(device, info, limits, &list->pDrmFormatModifiers[i]);
}

/* Checks the image against the limits that the driver gives. */
static void check_limits(struct subject *s, const VkImageCreateInfo *info)
{
    struct limits limits = {
        .properties = {
            {UINT32_MAX, UINT32_MAX, UINT32_MAX}, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT64_MAX}};
    const VkImageFormatProperties *p = &limits.properties;
    ask_all(s->call->device, info, &limits);
    REQUIRE(s, RULE_02251, !limits.undefined, "format",
            "is %s: the device has no such images (of %s, %s, usage %s, flags %s)",
            TEXT_OF(VkFormat, info->format), TEXT_OF(VkImageType, info->imageType),
            TEXT_OF(VkImageTiling, info->tiling), TEXT_OF(VkImageUsageFlags, info->usage),
            TEXT_OF(VkImageCreateFlags, info->flags));
    if (limits.undefined)
        return;
    REQUIRE(s, RULE_02252, info->extent.width <= p->maxExtent.width, "extent",
            "has a width of %u, but such images are at most %u wide on this device",
            info->extent.width, p->maxExtent.width);
    REQUIRE(s, RULE_02253, info->extent.height <= p->maxExtent.height, "extent",
            "has a height of %u, but such images are at most %u high on this device",
            info->extent.height, p->maxExtent.height);
    REQUIRE(s, RULE_02254, info->extent.depth <= p->maxExtent.depth, "extent",
            "has a depth of %u, but such images are at most %u deep on this device",
            info->extent.depth, p->maxExtent.depth);
    REQUIRE(s, RULE_02255, info->mipLevels <= p->maxMipLevels, "mipLevels",
            "is %u, but such images have at most %u mip levels on this device", info->mipLevels,
            p->maxMipLevels);
    REQUIRE(s, RULE_02256, info->arrayLayers <= p->maxArrayLayers, "arrayLayers",
            "is %u, but such images have at most %u layers on this device", info->arrayLayers,
            p->maxArrayLayers);
    REQUIRE(s, RULE_02258, info->samples & p->sampleCounts, "samples",
            "is %s, but such images can only have %s on this device",
            TEXT_OF(VkSampleCountFlagBits, info->samples),
            TEXT_OF(VkSampleCountFlags, p->sampleCounts));
    REQUIRE(s, RULE_00990, !limits.incompatible, "pNext",
            "includes a VkExternalMemoryImageCreateInfo whose handleTypes contains %s, which does "
            "not go with its other types or with such images",
            TEXT_OF(VkExternalMemoryHandleTypeFlags, limits.incompatible));
}

/* Checks that the format has the features for flags and usages. Other tilings are checked
 * elsewhere. */
static void image_limits_check_features(struct subject *s, const VkImageCreateInfo *info)
{
    if (info->tiling != VK_IMAGE_TILING_LINEAR && info->tiling != VK_IMAGE_TILING_OPTIMAL)
        return;
    VkFormatFeatureFlags2 features = format_features(s->call->device, info->format, info->tiling);
    if (info->flags & VK_IMAGE_CREATE_DISJOINT_BIT && format_is_multi_planar(info->format))
        REQUIRE(s, RULE_02260, features & VK_FORMAT_FEATURE_2_DISJOINT_BIT, "flags",
                "contains VK_IMAGE_CREATE_DISJOINT_BIT, but %s cannot be disjoint on this device",
                TEXT_OF(VkFormat, info->format));
    if (info->usage & VK_IMAGE_USAGE_HOST_TRANSFER_BIT)
        REQUIRE(s, RULE_09048, features & VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT, "usage",
                "contains VK_IMAGE_USAGE_HOST_TRANSFER_BIT, but %s lacks "
                "VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT on this device",
                TEXT_OF(VkFormat, info->format));
}

/* True if a structure of the chain changes the question to the driver in ways that only the
 * structure knows. */
static COLD bool chain_changes_question(const VkImageCreateInfo *info)
{
    return CHAINED(info->pNext, VIDEO_PROFILE_LIST_INFO_KHR) ||
           CHAINED(info->pNext, IMAGE_COMPRESSION_CONTROL_EXT) ||
           CHAINED(info->pNext, OPTICAL_FLOW_IMAGE_FORMAT_INFO_NV) ||
           CHAINED(info->pNext, EXTERNAL_MEMORY_IMAGE_CREATE_INFO_NV) ||
           CHAINED(info->pNext, IMAGE_CREATE_FLAGS_2_CREATE_INFO_KHR) ||
           CHAINED(info->pNext, IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR);
}

void image_check_limits(struct subject *subject, const VkImageCreateInfo *info)
{
    /* A question to the driver must be valid itself. */
    if (!format_info(info->format) || !info->usage || info->imageType > VK_IMAGE_TYPE_3D ||
        (info->tiling > VK_IMAGE_TILING_LINEAR &&
         info->tiling != VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT) ||
        !info->samples || info->samples > VK_SAMPLE_COUNT_64_BIT ||
        info->samples & (info->samples - 1) ||
        unlikely(info->pNext && chain_changes_question(info)))
        return;
    image_limits_check_features(subject, info);
    if (!subject->wrong)
        check_limits(subject, info);
}
