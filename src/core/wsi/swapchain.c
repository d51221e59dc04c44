/* Checks that a swapchain may be created: the surface supports its images, modes and flags (34.10
 * "WSI Swapchain"). */
#include "report/finding/rule.h"
#include "state/wsi/swapchain.h"

#include <inttypes.h>

#include "core/hooks.h"
#include "core/wsi/surface.h"
#include "report/names/names_of_values.h"
#include "state/memory/formats.h"
#include "vk/chain.h"

/* True for modes in which the program and the presentation engine share one image. */
static bool is_shared(VkPresentModeKHR mode)
{
    return mode == VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR ||
           mode == VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR;
}

/* True if swapchainMaintenance1 is enabled. */
static bool has_maintenance(const struct call *call)
{
    return device_has_feature(call->device, FEATURE_swapchainMaintenance1);
}

/* Checks that the surface supports the number of images, their layers, usage, transform and
 * composite alpha. */
static bool check_images(const struct call *call, const VkSwapchainCreateInfoKHR *info,
                         const VkSurfaceCapabilitiesKHR *surface, const struct location *where)
{
    const struct finding_objects *objects = OBJECT(HANDLE_SURFACE_KHR, info->surface);
    struct subject s = {.call = call, .where = where, .objects = objects};
    /* minImageCount must be less than or equal to maxImageCount if that is not zero */
    REQUIRE(&s, RULE_01272,
            !surface->maxImageCount || info->minImageCount <= surface->maxImageCount,
            "minImageCount", "is %u, but the surface's maxImageCount is %u", info->minImageCount,
            surface->maxImageCount);
    /* If presentMode is not one of the shared ones, then minImageCount must be greater than or
     * equal to the surface's minImageCount */
    REQUIRE(&s, RULE_02839,
            is_shared(info->presentMode) || info->minImageCount >= surface->minImageCount,
            "minImageCount", "is %u, but the surface's minImageCount is %u", info->minImageCount,
            surface->minImageCount);
    /* imageArrayLayers must be greater than 0 and less than or equal to maxImageArrayLayers */
    REQUIRE(&s, RULE_01275,
            info->imageArrayLayers && info->imageArrayLayers <= surface->maxImageArrayLayers,
            "imageArrayLayers", "is %u, but must be 1 to %u (the surface's maxImageArrayLayers)",
            info->imageArrayLayers, surface->maxImageArrayLayers);
    /* If presentMode is FIFO_LATEST_READY, IMMEDIATE, MAILBOX, FIFO or FIFO_RELAXED, imageUsage
     * must be a subset of supportedUsageFlags */
    REQUIRE(&s, RULE_01427,
            is_shared(info->presentMode) || !(info->imageUsage & ~surface->supportedUsageFlags),
            "imageUsage", "has %s, which the surface does not support",
            value_text(VALUES_VkImageUsageFlags, info->imageUsage & ~surface->supportedUsageFlags)
                .text);
    /* preTransform must be one of the bits present in supportedTransforms */
    REQUIRE(&s, RULE_01279, info->preTransform & surface->supportedTransforms, "preTransform",
            "is %s, but the surface supports %s",
            value_text(VALUES_VkSurfaceTransformFlagsKHR, info->preTransform).text,
            value_text(VALUES_VkSurfaceTransformFlagsKHR, surface->supportedTransforms).text);
    /* compositeAlpha must be one of the bits present in supportedCompositeAlpha */
    REQUIRE(&s, RULE_01280, info->compositeAlpha & surface->supportedCompositeAlpha,
            "compositeAlpha", "is %s, but the surface supports %s",
            value_text(VALUES_VkCompositeAlphaFlagsKHR, info->compositeAlpha).text,
            value_text(VALUES_VkCompositeAlphaFlagsKHR, surface->supportedCompositeAlpha).text);
    return s.skip;
}

/* Checks the extent against the surface's current capabilities. The surface may have changed its
 * size since the program queried it, which the program cannot prevent. The sentence makes even that
 * a finding. */
static bool check_extent(const struct call *call, const VkSwapchainCreateInfoKHR *info,
                         const VkSurfaceCapabilitiesKHR *surface, const struct location *where)
{
    const VkSwapchainPresentScalingCreateInfoKHR *scaling =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_SCALING_CREATE_INFO_KHR);
    const VkExtent2D extent = info->imageExtent;
    struct subject s = {.call = call, .where = where};
    /* imageExtent members width and height must both be non-zero */
    if (!extent.width || !extent.height)
        return BROKEN_BY(call, RULE_01689, &LOCATION(where, "imageExtent"), NULL, "is %ux%u",
                         extent.width, extent.height);
    /* If scalingBehavior is zero then imageExtent must be between minImageExtent and
     * maxImageExtent, inclusive */
    if ((!scaling || !scaling->scalingBehavior) && surface)
        REQUIRE_OF(&s, OBJECT(HANDLE_SURFACE_KHR, info->surface), RULE_07781,
                   extent.width >= surface->minImageExtent.width &&
                       extent.height >= surface->minImageExtent.height &&
                       extent.width <= surface->maxImageExtent.width &&
                       extent.height <= surface->maxImageExtent.height,
                   "imageExtent", "is %ux%u, but the surface allows %ux%u to %ux%u", extent.width,
                   extent.height, surface->minImageExtent.width, surface->minImageExtent.height,
                   surface->maxImageExtent.width, surface->maxImageExtent.height);
    return s.skip;
}

/* Checks scaling for each present mode that the swapchain can be switched to. For presentMode
 * itself, 07770 and the rules next to it apply. */
static bool check_scaling_of_modes(const struct call *call, const VkSwapchainCreateInfoKHR *info,
                                   const VkSwapchainPresentScalingCreateInfoKHR *scaling,
                                   const struct surface *surface, const struct location *where)
{
    const VkSwapchainPresentModesCreateInfoKHR *modes =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODES_CREATE_INFO_KHR);
    struct subject s = {
        .call = call, .where = where, .objects = OBJECT(HANDLE_SURFACE_KHR, info->surface)};
    for (uint32_t i = 0;
         modes && !pointer_is_bad(modes->pPresentModes) && i < modes->presentModeCount; i++) {
        const VkPresentModeKHR mode = modes->pPresentModes[i];
        VkSurfacePresentScalingCapabilitiesKHR supported = {
            .sType = VK_STRUCTURE_TYPE_SURFACE_PRESENT_SCALING_CAPABILITIES_KHR};
        VkSurfaceCapabilities2KHR capabilities = {
            .sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR, .pNext = &supported};
        if (mode == info->presentMode || !surface_supports_mode(surface, mode) ||
            !surface_capabilities2(surface, mode, &capabilities))
            continue;
        REQUIRE(&s, RULE_07771, !(scaling->scalingBehavior & ~supported.supportedPresentScaling),
                "scalingBehavior", "is %s, but in %s the surface supports %s",
                TEXT_OF(VkPresentScalingFlagsKHR, scaling->scalingBehavior),
                TEXT_OF(VkPresentModeKHR, mode),
                TEXT_OF(VkPresentScalingFlagsKHR, supported.supportedPresentScaling));
        REQUIRE(&s, RULE_07773, !(scaling->presentGravityX & ~supported.supportedPresentGravityX),
                "presentGravityX", "is %s, but in %s the surface supports %s",
                TEXT_OF(VkPresentGravityFlagsKHR, scaling->presentGravityX),
                TEXT_OF(VkPresentModeKHR, mode),
                TEXT_OF(VkPresentGravityFlagsKHR, supported.supportedPresentGravityX));
        REQUIRE(&s, RULE_07775, !(scaling->presentGravityY & ~supported.supportedPresentGravityY),
                "presentGravityY", "is %s, but in %s the surface supports %s",
                TEXT_OF(VkPresentGravityFlagsKHR, scaling->presentGravityY),
                TEXT_OF(VkPresentModeKHR, mode),
                TEXT_OF(VkPresentGravityFlagsKHR, supported.supportedPresentGravityY));
    }
    return s.skip;
}

/* Checks that the surface supports the scaling and gravity of a new swapchain with its present
 * mode. */
static bool check_scaling(const struct call *call, const VkSwapchainCreateInfoKHR *info,
                          const struct surface *surface, const struct location *outer)
{
    const VkSwapchainPresentScalingCreateInfoKHR *scaling =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_SCALING_CREATE_INFO_KHR);
    const struct location *where =
        &LOCATION_CHAINED(outer, "VkSwapchainPresentScalingCreateInfoKHR");
    struct subject s = {.call = call, .where = where};
    if (likely(!scaling))
        return false;
    VkPresentScalingFlagsKHR behavior = scaling->scalingBehavior;
    VkPresentGravityFlagsKHR x = scaling->presentGravityX, y = scaling->presentGravityY;
    if (!has_maintenance(call)) /* a row says that all must be 0 */
        return s.skip;
    VkSurfacePresentScalingCapabilitiesKHR supported = {
        .sType = VK_STRUCTURE_TYPE_SURFACE_PRESENT_SCALING_CAPABILITIES_KHR};
    VkSurfaceCapabilities2KHR capabilities = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR,
                                              .pNext = &supported};
    if (!surface_has_maintenance(call->instance) ||
        !surface_capabilities2(surface, info->presentMode, &capabilities))
        return s.skip;
    const struct finding_objects *objects = OBJECT(HANDLE_SURFACE_KHR, info->surface);
    /* scalingBehavior must be 0 or a valid scaling method for the surface as returned in
     * supportedPresentScaling; the gravities likewise */
    REQUIRE_OF(&s, objects, RULE_07770, !(behavior & ~supported.supportedPresentScaling),
               "scalingBehavior", "is %s, but the surface supports %s",
               value_text(VALUES_VkPresentScalingFlagsKHR, behavior).text,
               value_text(VALUES_VkPresentScalingFlagsKHR, supported.supportedPresentScaling).text);
    REQUIRE_OF(&s, objects, RULE_07772, !(x & ~supported.supportedPresentGravityX),
               "presentGravityX", "is %s, but the surface supports %s",
               value_text(VALUES_VkPresentGravityFlagsKHR, x).text,
               value_text(VALUES_VkPresentGravityFlagsKHR, supported.supportedPresentGravityX)
                   .text);
    REQUIRE_OF(&s, objects, RULE_07774, !(y & ~supported.supportedPresentGravityY),
               "presentGravityY", "is %s, but the surface supports %s",
               value_text(VALUES_VkPresentGravityFlagsKHR, y).text,
               value_text(VALUES_VkPresentGravityFlagsKHR, supported.supportedPresentGravityY)
                   .text);
    if (behavior && !(behavior & ~supported.supportedPresentScaling)) {
        /* ... imageExtent must be between minScaledImageExtent and maxScaledImageExtent.
         * 0xFFFFFFFF: "the surface size will be determined by the extent of a swapchain" */
        const VkExtent2D least = supported.minScaledImageExtent,
                         most = supported.maxScaledImageExtent, extent = info->imageExtent;
        REQUIRE_OF(&s, objects, RULE_07782,
                   !extent.width || !extent.height || /* 01689 reports it */
                       (least.width == UINT32_MAX && least.height == UINT32_MAX) ||
                       (extent.width >= least.width && extent.height >= least.height &&
                        extent.width <= most.width && extent.height <= most.height),
                   &LOCATION(outer, "imageExtent"),
                   "is %ux%u, but with scalingBehavior %s the surface allows %ux%u to %ux%u",
                   extent.width, extent.height,
                   value_text(VALUES_VkPresentScalingFlagsKHR, behavior).text, least.width,
                   least.height, most.width, most.height);
    }
    return s.skip | check_scaling_of_modes(call, info, scaling, surface, where);
}

/* The present modes that are compatible with one mode of a surface; count 0: not known. */
struct compatible_modes {
    uint32_t count;
    VkPresentModeKHR modes[32];
};
/* Queries the modes that a swapchain of `mode` can be switched to. The count is 0 if the instance
 * cannot query them. */
static struct compatible_modes compatible_modes(const struct surface *surface,
                                                VkPresentModeKHR mode)
{
    struct compatible_modes found;
    VkSurfacePresentModeCompatibilityKHR compatibility = {
        .sType = VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_COMPATIBILITY_KHR,
        .presentModeCount = ARRAY_LENGTH(found.modes),
        .pPresentModes = found.modes};
    VkSurfaceCapabilities2KHR capabilities = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR,
                                              .pNext = &compatibility};
    bool known = surface_has_maintenance(surface->instance) &&
                 surface_supports_mode(surface, mode) &&
                 surface_capabilities2(surface, mode, &capabilities);
    found.count = known && compatibility.presentModeCount <= ARRAY_LENGTH(found.modes)
                      ? compatibility.presentModeCount
                      : 0;
    return found;
}

/* True if the surface lists the mode as compatible, or does not give a list. */
static bool is_compatible(const struct compatible_modes *compatible, VkPresentModeKHR mode)
{
    assert(compatible->count <= ARRAY_LENGTH(compatible->modes));
    for (uint32_t i = 0; i < compatible->count; i++) {
        if (compatible->modes[i] == mode)
            return true;
    }
    return !compatible->count;
}

/* True for a mode whose feature is not enabled, which another rule reports. */
static bool is_not_enabled(const struct call *call, VkPresentModeKHR mode)
{
    return mode == VK_PRESENT_MODE_FIFO_LATEST_READY_KHR &&
           !device_has_feature(call->device, FEATURE_presentModeFifoLatestReady);
}

/* Checks the present mode, and the list of modes to which the swapchain may be switched. */
static bool check_modes(const struct call *call, const VkSwapchainCreateInfoKHR *info,
                        const struct surface *surface, const struct location *outer)
{
    const VkSwapchainPresentModesCreateInfoKHR *modes =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODES_CREATE_INFO_KHR);
    const struct finding_objects *objects = OBJECT(HANDLE_SURFACE_KHR, info->surface);
    struct subject s = {.call = call, .where = outer};
    bool included = false;
    /* presentMode must be one of the VkPresentModeKHR values returned by
     * vkGetPhysicalDeviceSurfacePresentModesKHR for the surface */
    REQUIRE_OF(&s, objects, RULE_01281,
               surface_supports_mode(surface, info->presentMode) ||
                   is_not_enabled(call, info->presentMode),
               "presentMode", "is %s, which the surface does not support",
               value_text(VALUES_VkPresentModeKHR, (uint64_t)info->presentMode).text);
    if (likely(!modes))
        return s.skip;
    const struct location *where = &LOCATION_CHAINED(outer, "VkSwapchainPresentModesCreateInfoKHR");
    const struct compatible_modes compatible = compatible_modes(surface, info->presentMode);
    for (uint32_t i = 0; !pointer_is_bad(modes->pPresentModes) && i < modes->presentModeCount;
         i++) {
        VkPresentModeKHR mode = modes->pPresentModes[i];
        included |= mode == info->presentMode;
        /* The entries in pPresentModes must be a subset of the present modes returned in
         * VkSurfacePresentModeCompatibilityKHR, given presentMode */
        REQUIRE_OF(&s, objects, RULE_07763,
                   mode == info->presentMode || is_compatible(&compatible, mode) ||
                       !surface_supports_mode(surface, mode) || is_not_enabled(call, mode),
                   &LOCATION_INDEX(where, "pPresentModes", i),
                   "is %s, to which the surface cannot switch from presentMode, %s",
                   value_text(VALUES_VkPresentModeKHR, (uint64_t)mode).text,
                   value_text(VALUES_VkPresentModeKHR, (uint64_t)info->presentMode).text);
        /* Each entry in pPresentModes must be one of the VkPresentModeKHR values returned by
         * vkGetPhysicalDeviceSurfacePresentModesKHR for the surface */
        REQUIRE_OF(&s, objects, RULE_07762,
                   surface_supports_mode(surface, mode) || is_not_enabled(call, mode),
                   &LOCATION_INDEX(where, "pPresentModes", i),
                   "is %s, which the surface does not support",
                   value_text(VALUES_VkPresentModeKHR, (uint64_t)mode).text);
    }
    /* VkSwapchainCreateInfoKHR::presentMode must be included in pPresentModes */
    REQUIRE(&s, RULE_07764, included, &LOCATION(where, "pPresentModes"),
            "does not have %s, which is presentMode",
            value_text(VALUES_VkPresentModeKHR, (uint64_t)info->presentMode).text);
    return s.skip;
}

/* Checks the queue families that share the swapchain's images: each exists, and is named once. */
static bool check_sharing(const struct call *call, const VkSwapchainCreateInfoKHR *info,
                          const struct location *where)
{
    bool skip = false;
    if (likely(info->imageSharingMode != VK_SHARING_MODE_CONCURRENT))
        return false;
    /* ... pQueueFamilyIndices must be a valid pointer to an array of queueFamilyIndexCount uint32_t
     * values */
    if (info->queueFamilyIndexCount && pointer_is_bad(info->pQueueFamilyIndices))
        return skip |
               BROKEN_BY(call, RULE_01277, &LOCATION(where, "pQueueFamilyIndices"), NULL,
                         "is not a pointer, but imageSharingMode is VK_SHARING_MODE_CONCURRENT");
    /* ... each element of pQueueFamilyIndices must be unique and must be less than
     * pQueueFamilyPropertyCount */
    for (uint32_t i = 0; i < info->queueFamilyIndexCount; i++) {
        uint32_t family = info->pQueueFamilyIndices[i];
        const struct location *element = &LOCATION_INDEX(where, "pQueueFamilyIndices", i);
        if (family >= call->device->queue_family_count)
            return skip | BROKEN_BY(call, RULE_01428, element, NULL,
                                    "is %u, but the physical device has %u queue families", family,
                                    call->device->queue_family_count);
        for (uint32_t j = 0; j < i; j++) {
            if (info->pQueueFamilyIndices[j] == family)
                return skip | BROKEN_BY(call, RULE_01428, element, NULL, "is %u, as is element %u",
                                        family, j);
        }
    }
    return skip;
}

/* Checks the format, its color space, and the list of formats for views. */
static bool swapchain_check_formats(const struct call *call, const VkSwapchainCreateInfoKHR *info,
                                    const struct surface *surface, const struct location *where)
{
    const VkImageFormatListCreateInfo *list =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO);
    const struct location *chained = &LOCATION_CHAINED(where, "VkImageFormatListCreateInfo");
    uint32_t count = list && !pointer_is_bad(list->pViewFormats) ? list->viewFormatCount : 0;
    struct subject s = {.call = call, .where = where};
    bool mutable = info->flags & VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR, included = false;
    /* imageFormat and imageColorSpace must match the format and colorSpace members of one of the
     * VkSurfaceFormatKHR structures */
    REQUIRE_OF(&s, OBJECT(HANDLE_SURFACE_KHR, info->surface), RULE_01273,
               surface_supports_format(surface, info->imageFormat, info->imageColorSpace),
               "imageFormat",
               "is %s with imageColorSpace %s, which the surface does not support together",
               value_text(VALUES_VkFormat, (uint64_t)info->imageFormat).text,
               value_text(VALUES_VkColorSpaceKHR, (uint64_t)info->imageColorSpace).text);
    for (uint32_t i = 0; i < count; i++) {
        included |= list->pViewFormats[i] == info->imageFormat;
        /* ... all of the formats in pViewFormats must be compatible with the format as described in
         * the compatibility table */
        REQUIRE(&s, RULE_04099,
                !format_info(list->pViewFormats[i]) || !format_info(info->imageFormat) ||
                    formats_compatible(list->pViewFormats[i], info->imageFormat),
                &LOCATION_INDEX(chained, "pViewFormats", i),
                "is %s, which is not compatible with imageFormat %s",
                value_text(VALUES_VkFormat, (uint64_t)list->pViewFormats[i]).text,
                value_text(VALUES_VkFormat, (uint64_t)info->imageFormat).text);
    }
    /* If flags contains MUTABLE_FORMAT then the pNext chain must include a
     * VkImageFormatListCreateInfo with a viewFormatCount greater than zero and pViewFormats must
     * have an element equal to imageFormat */
    REQUIRE(&s, RULE_03168, !mutable || included, "flags",
            "has VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR, but %s",
            count ? "imageFormat is not among pViewFormats of VkImageFormatListCreateInfo"
                  : "no VkImageFormatListCreateInfo with formats is chained");
    if (mutable && !count) /* with the flag, the list is read */
        s.skip = call_stop(call, s.skip);
    /* If flags does not contain MUTABLE_FORMAT and the pNext chain include a
     * VkImageFormatListCreateInfo then viewFormatCount must be 0 or 1 */
    REQUIRE(&s, RULE_04100, mutable || !list || list->viewFormatCount <= 1,
            &LOCATION(chained, "viewFormatCount"),
            "is %u, but flags has no VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR",
            list->viewFormatCount);
    return s.skip;
}

/* If presentMode is one of the shared ones, imageUsage must be a subset of
 * sharedPresentSupportedUsageFlags */
static bool check_shared_usage(const struct call *call, const VkSwapchainCreateInfoKHR *info,
                               const struct surface *surface, const struct location *where)
{
    if (likely(!is_shared(info->presentMode)) || !surface_supports_mode(surface, info->presentMode))
        return false;
    VkSharedPresentSurfaceCapabilitiesKHR shared = {
        .sType = VK_STRUCTURE_TYPE_SHARED_PRESENT_SURFACE_CAPABILITIES_KHR};
    VkSurfaceCapabilities2KHR capabilities = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR,
                                              .pNext = &shared};
    if (!call_has_extension(call, EXTENSION_VK_KHR_shared_presentable_image) ||
        !surface_capabilities2(surface, info->presentMode, &capabilities))
        return false;
    struct subject s = {.call = call, .where = where};
    REQUIRE_OF(&s, OBJECT(HANDLE_SURFACE_KHR, info->surface), RULE_01384,
               !(info->imageUsage & ~shared.sharedPresentSupportedUsageFlags), "imageUsage",
               "has %s, which the surface does not support in %s",
               TEXT_OF(VkImageUsageFlags,
                       info->imageUsage & ~shared.sharedPresentSupportedUsageFlags),
               TEXT_OF(VkPresentModeKHR, info->presentMode));
    return s.skip;
}

/* flags must be a subset of swapchainSupportedFlags, given presentMode */
static bool check_supported_flags(const struct call *call, const VkSwapchainCreateInfoKHR *info,
                                  const struct surface *surface, const struct location *where)
{
    VkSwapchainFlagsSurfaceCapabilitiesEXT flags = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_FLAGS_SURFACE_CAPABILITIES_EXT};
    VkSurfaceCapabilities2KHR capabilities = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR,
                                              .pNext = &flags};
    if (likely(!info->flags) ||
        !call_has_extension(call, EXTENSION_VK_EXT_multisampled_render_to_swapchain) ||
        !surface_supports_mode(surface, info->presentMode) ||
        !surface_capabilities2(surface, info->presentMode, &capabilities))
        return false;
    struct subject s = {.call = call, .where = where};
    REQUIRE_OF(&s, OBJECT(HANDLE_SURFACE_KHR, info->surface), RULE_12448,
               !(info->flags & ~flags.swapchainSupportedFlags), "flags",
               "is %s, but the surface supports %s",
               TEXT_OF(VkSwapchainCreateFlagsKHR, info->flags),
               TEXT_OF(VkSwapchainCreateFlagsKHR, flags.swapchainSupportedFlags));
    return s.skip;
}

/* The bits in surfaceCounters must be supported by surface, as reported by
 * vkGetPhysicalDeviceSurfaceCapabilities2EXT */
static bool swapchain_check_counters(const struct call *call, const VkSwapchainCreateInfoKHR *info,
                                     const struct surface *surface, const struct location *where)
{
    const VkSwapchainCounterCreateInfoEXT *counters =
        CHAINED(info->pNext, SWAPCHAIN_COUNTER_CREATE_INFO_EXT);
    const struct instance_dispatch *next = &call->instance->dispatch;
    VkSurfaceCapabilities2EXT capabilities = {.sType =
                                                  VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_EXT};
    if (likely(!counters) || !surface->handle || !next->GetPhysicalDeviceSurfaceCapabilities2EXT ||
        next->GetPhysicalDeviceSurfaceCapabilities2EXT(surface->physical_device, surface->handle,
                                                       &capabilities) != VK_SUCCESS)
        return false;
    struct subject s = {.call = call,
                        .where = &LOCATION_CHAINED(where, "VkSwapchainCounterCreateInfoEXT")};
    REQUIRE_OF(&s, OBJECT(HANDLE_SURFACE_KHR, info->surface), RULE_01244,
               !(counters->surfaceCounters & ~capabilities.supportedSurfaceCounters),
               "surfaceCounters", "is %s, but the surface supports %s",
               TEXT_OF(VkSurfaceCounterFlagsEXT, counters->surfaceCounters),
               TEXT_OF(VkSurfaceCounterFlagsEXT, capabilities.supportedSurfaceCounters));
    return s.skip;
}

/* Checks that the surface can have protected images, where the flags ask for them. */
static bool check_create_flags(const struct call *call, const VkSwapchainCreateInfoKHR *info,
                               const struct surface *surface, const struct location *where)
{
    if (likely(!(info->flags & VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR)))
        return false;
    VkSurfaceProtectedCapabilitiesKHR protected = {
        .sType = VK_STRUCTURE_TYPE_SURFACE_PROTECTED_CAPABILITIES_KHR};
    VkSurfaceCapabilities2KHR capabilities = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR,
                                              .pNext = &protected};
    /* If flags contains VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR, then
     * VkSurfaceProtectedCapabilitiesKHR::supportsProtected must be VK_TRUE */
    if (!call_has_extension(call, EXTENSION_VK_KHR_surface_protected_capabilities) ||
        !surface_capabilities2(surface, info->presentMode, &capabilities))
        return false;
    struct subject s = {.call = call, .where = where};
    REQUIRE_OF(&s, OBJECT(HANDLE_SURFACE_KHR, info->surface), RULE_03187,
               protected.supportsProtected, "flags",
               "has VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR, but supportsProtected of the "
               "surface is VK_FALSE");
    return s.skip;
}

/* The implied image creation parameters of the swapchain must be supported as reported by
 * vkGetPhysicalDeviceImageFormatProperties. Other rules report parameters that the surface does not
 * support. */
static bool check_implied_images(const struct call *call, const VkSwapchainCreateInfoKHR *info,
                                 const VkSurfaceCapabilitiesKHR *surface,
                                 const struct location *where)
{
    const VkExtent2D extent = info->imageExtent;
    VkImageFormatProperties most;
    VkImageCreateFlags flags =
        info->flags & VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR ? VK_IMAGE_CREATE_PROTECTED_BIT : 0;
    /* With a list of view formats, the driver's answer would depend on that list. */
    if (!format_info(info->imageFormat) ||
        info->flags & VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR || !info->imageUsage ||
        info->imageUsage & ~surface->supportedUsageFlags ||
        extent.width > surface->maxImageExtent.width ||
        extent.height > surface->maxImageExtent.height)
        return false;
    VkResult answer =
        call->instance->dispatch
            .GetPhysicalDeviceImageFormatProperties(call->device->physical_device,
                                                    info->imageFormat, VK_IMAGE_TYPE_2D,
                                                    VK_IMAGE_TILING_OPTIMAL, info->imageUsage,
                                                    flags, &most);
    if (answer == VK_ERROR_FORMAT_NOT_SUPPORTED)
        return BROKEN_BY(call, RULE_01778, &LOCATION(where, "imageFormat"), NULL,
                         "is %s, but the device does not support optimally tiled 2D images of that "
                         "format with the usage %s",
                         value_text(VALUES_VkFormat, (uint64_t)info->imageFormat).text,
                         value_text(VALUES_VkImageUsageFlags, info->imageUsage).text);
    struct subject s = {.call = call, .where = where};
    if (answer == VK_SUCCESS)
        REQUIRE(&s, RULE_01778,
                extent.width <= most.maxExtent.width && extent.height <= most.maxExtent.height,
                "imageExtent",
                "is %ux%u, but the device's images of this format and usage have at most %ux%u",
                extent.width, extent.height, most.maxExtent.width, most.maxExtent.height);
    return s.skip;
}

/* Widens the range of image counts if it depends on the present mode. The sentences name
 * vkGetPhysicalDeviceSurfaceCapabilitiesKHR, which does not get the mode. A program may also use
 * the answer for its mode, so both are accepted. */
static void widen_counts(VkSurfaceCapabilitiesKHR *plain, const VkSurfaceCapabilitiesKHR *of_mode)
{
    if (of_mode->minImageCount < plain->minImageCount)
        plain->minImageCount = of_mode->minImageCount;
    if (!of_mode->maxImageCount ||
        (plain->maxImageCount && of_mode->maxImageCount > plain->maxImageCount))
        plain->maxImageCount = of_mode->maxImageCount;
}

/* Checks a swapchain that is to be created. Capabilities that the surface does not report are not
 * checked. */
static bool swapchain_check_create_info(const struct call *call,
                                        const VkSwapchainCreateInfoKHR *info,
                                        const struct location *where)
{
    const struct surface surface = surface_of(call, call->device->physical_device, info->surface);
    const struct swapchain *old = find_swapchain(call, info->oldSwapchain);
    VkSurfaceCapabilitiesKHR plain;
    VkSurfaceCapabilities2KHR capabilities = {.sType =
                                                  VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR};
    struct subject s = {.call = call, .where = where};
    bool known = surface_capabilities(&surface, &plain);
    /* surface must be a surface that is supported by the device as determined using
     * vkGetPhysicalDeviceSurfaceSupportKHR */
    REQUIRE_OF(&s, OBJECT(HANDLE_SURFACE_KHR, info->surface), RULE_01270,
               surface_is_supported(&surface), "surface",
               "is supported by no queue family of the device's physical device");
    if (known) {
        if (surface_has_maintenance(call->instance) &&
            surface_supports_mode(&surface, info->presentMode) &&
            surface_capabilities2(&surface, info->presentMode, &capabilities))
            widen_counts(&plain, &capabilities.surfaceCapabilities);
        s.skip |= check_images(call, info, &plain, where);
        s.skip |= check_implied_images(call, info, &plain, where);
    }
    s.skip |= check_extent(call, info, known ? &plain : NULL, where);
    s.skip |= check_scaling(call, info, &surface, where);
    s.skip |= check_modes(call, info, &surface, where);
    s.skip |= check_sharing(call, info, where);
    s.skip |= swapchain_check_formats(call, info, &surface, where);
    s.skip |= check_create_flags(call, info, &surface, where);
    s.skip |= check_shared_usage(call, info, &surface, where);
    s.skip |= check_supported_flags(call, info, &surface, where);
    s.skip |= swapchain_check_counters(call, info, &surface, where);
    /* If oldSwapchain is not VK_NULL_HANDLE, oldSwapchain must be a non-retired swapchain
     * associated with native window referred to by surface */
    REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, info->oldSwapchain), RULE_01933,
               !old || !atomic_load_explicit(&old->retired, memory_order_relaxed), "oldSwapchain",
               "is retired: it was the oldSwapchain of another swapchain");
    return s.skip;
}

/* A copy of the create info with the effective usage. */
static VkSwapchainCreateInfoKHR effective_info(const VkSwapchainCreateInfoKHR *given)
{
    VkSwapchainCreateInfoKHR info = *given;
    info.imageUsage = swapchain_image_usage(given);
    return info;
}

bool core_validate_CreateSwapchainKHR(struct call *call, VkDevice device,
                                      const VkSwapchainCreateInfoKHR *pCreateInfo,
                                      const VkAllocationCallbacks *pAllocator,
                                      VkSwapchainKHR *pSwapchain)
{
    const VkSwapchainCreateInfoKHR effective = effective_info(pCreateInfo);
    return swapchain_check_create_info(call, &effective, &LOCATION_POINTER(NULL, "pCreateInfo"));
}

bool core_validate_CreateSharedSwapchainsKHR(struct call *call, VkDevice device,
                                             uint32_t swapchainCount,
                                             const VkSwapchainCreateInfoKHR *pCreateInfos,
                                             const VkAllocationCallbacks *pAllocator,
                                             VkSwapchainKHR *pSwapchains)
{
    bool skip = false;
    for (uint32_t i = 0; i < swapchainCount; i++) {
        const VkSwapchainCreateInfoKHR effective = effective_info(&pCreateInfos[i]);
        skip |=
            swapchain_check_create_info(call, &effective, &LOCATION_INDEX(NULL, "pCreateInfos", i));
    }
    return skip;
}
