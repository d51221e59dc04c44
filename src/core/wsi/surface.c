/* Checks queries of a physical device about a surface (34.5 "Surface Queries"). */
#include "core/wsi/surface.h"

#include "core/device/physical_device.h"
#include "core/hooks.h"
#include "report/names/names_of_values.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

struct surface surface_of(const struct call *call, VkPhysicalDevice physical_device,
                          VkSurfaceKHR handle)
{
    const struct object *object = call_find(call, (uint64_t)handle, HANDLE_SURFACE_KHR);
    return (struct surface){.instance = call->instance,
                            .physical_device = physical_device,
                            .handle =
                                object ? (VkSurfaceKHR)object_driver(object) : VK_NULL_HANDLE};
}

bool surface_capabilities(const struct surface *surface, VkSurfaceCapabilitiesKHR *capabilities)
{
    assert(surface->instance && capabilities);
    const struct instance_dispatch *next = &surface->instance->dispatch;
    return surface->handle && next->GetPhysicalDeviceSurfaceCapabilitiesKHR &&
           next->GetPhysicalDeviceSurfaceCapabilitiesKHR(surface->physical_device, surface->handle,
                                                         capabilities) == VK_SUCCESS;
}

bool surface_has_maintenance(const struct instance *instance)
{
    return extension_set_has(&instance->extensions, EXTENSION_VK_KHR_surface_maintenance1) ||
           extension_set_has(&instance->extensions, EXTENSION_VK_EXT_surface_maintenance1);
}

bool surface_capabilities2(const struct surface *surface, VkPresentModeKHR mode,
                           VkSurfaceCapabilities2KHR *capabilities)
{
    assert(surface->instance && capabilities);
    const struct instance_dispatch *next = &surface->instance->dispatch;
    VkSurfacePresentModeKHR present_mode = {.sType = VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_KHR,
                                            .presentMode = mode};
    VkPhysicalDeviceSurfaceInfo2KHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR,
        .pNext = surface_has_maintenance(surface->instance) ? &present_mode : NULL,
        .surface = surface->handle};
    return surface->handle &&
           extension_set_has(&surface->instance->extensions,
                             EXTENSION_VK_KHR_get_surface_capabilities2) &&
           next->GetPhysicalDeviceSurfaceCapabilities2KHR &&
           next->GetPhysicalDeviceSurfaceCapabilities2KHR(surface->physical_device, &info,
                                                          capabilities) == VK_SUCCESS;
}

/* Larger than the number of present modes of any driver. */
#define MODES_MOST 32
/* The most formats of a surface that are searched. */
#define FORMATS_MOST 512

bool surface_supports_mode(const struct surface *surface, VkPresentModeKHR mode)
{
    const struct instance_dispatch *next = &surface->instance->dispatch;
    VkPresentModeKHR modes[MODES_MOST];
    uint32_t count = MODES_MOST;
    if (!surface->handle || !next->GetPhysicalDeviceSurfacePresentModesKHR ||
        next->GetPhysicalDeviceSurfacePresentModesKHR(surface->physical_device, surface->handle,
                                                      &count, modes) != VK_SUCCESS)
        return true;
    for (uint32_t i = 0; i < count && i < MODES_MOST; i++) {
        if (modes[i] == mode)
            return true;
    }
    return false;
}

bool surface_supports_format(const struct surface *surface, VkFormat format,
                             VkColorSpaceKHR color_space)
{
    assert(surface->instance);
    const struct instance_dispatch *next = &surface->instance->dispatch;
    VkSurfaceFormatKHR formats[FORMATS_MOST];
    uint32_t count = FORMATS_MOST;
    if (!surface->handle || !next->GetPhysicalDeviceSurfaceFormatsKHR ||
        next->GetPhysicalDeviceSurfaceFormatsKHR(surface->physical_device, surface->handle, &count,
                                                 formats) != VK_SUCCESS)
        return true;
    for (uint32_t i = 0; i < count && i < FORMATS_MOST; i++) {
        if (formats[i].format == format && formats[i].colorSpace == color_space)
            return true;
    }
    return false;
}

bool surface_supports_queue_family(const struct surface *surface, uint32_t family)
{
    const struct instance_dispatch *next = &surface->instance->dispatch;
    VkBool32 supported = VK_TRUE;
    if (!surface->handle || !next->GetPhysicalDeviceSurfaceSupportKHR ||
        next->GetPhysicalDeviceSurfaceSupportKHR(surface->physical_device, family, surface->handle,
                                                 &supported) != VK_SUCCESS)
        return true;
    return supported;
}

/* The number of queue families. The driver is queried, as there may be no device. */
static uint32_t queue_family_count(const struct instance *instance,
                                   VkPhysicalDevice physical_device)
{
    uint32_t count = 0;
    instance->dispatch.GetPhysicalDeviceQueueFamilyProperties(physical_device, &count, NULL);
    return count;
}

bool surface_is_supported(const struct surface *surface)
{
    uint32_t count =
        surface->handle ? queue_family_count(surface->instance, surface->physical_device) : 0;
    for (uint32_t i = 0; i < count; i++) {
        if (surface_supports_queue_family(surface, i))
            return true;
    }
    return !count;
}

/* --- queries ---------------------------------------------------------------------------------- */

/* Checks a queue family index. The rule depends on the command of the call. */
static bool surface_check_family(const struct call *call, VkPhysicalDevice physical_device,
                                 uint32_t family)
{
    uint32_t count = queue_family_count(call->instance, physical_device);
    struct subject s = {.call = call};
    /* queueFamilyIndex must be less than pQueueFamilyPropertyCount returned by
     * vkGetPhysicalDeviceQueueFamilyProperties */
    REQUIRE(&s,
            call->command == COMMAND_GetPhysicalDeviceSurfaceSupportKHR            ? RULE_01269
            : call->command == COMMAND_GetPhysicalDeviceXcbPresentationSupportKHR  ? RULE_01312
            : call->command == COMMAND_GetPhysicalDeviceXlibPresentationSupportKHR ? RULE_01315
                                                                                   : RULE_01306,
            family < count, "queueFamilyIndex",
            "is %u, but the physical device has %u queue families", family, count);
    return s.skip;
}

bool core_validate_GetPhysicalDeviceSurfaceSupportKHR(struct call *call,
                                                      VkPhysicalDevice physicalDevice,
                                                      uint32_t queueFamilyIndex,
                                                      VkSurfaceKHR surface, VkBool32 *pSupported)
{
    return surface_check_family(call, physicalDevice, queueFamilyIndex);
}

bool core_validate_GetPhysicalDeviceXcbPresentationSupportKHR(struct call *call,
                                                              VkPhysicalDevice physicalDevice,
                                                              uint32_t queueFamilyIndex,
                                                              xcb_connection_t *connection,
                                                              xcb_visualid_t visual_id)
{
    return surface_check_family(call, physicalDevice, queueFamilyIndex);
}

bool core_validate_GetPhysicalDeviceXlibPresentationSupportKHR(struct call *call,
                                                               VkPhysicalDevice physicalDevice,
                                                               uint32_t queueFamilyIndex,
                                                               Display *dpy, VisualID visualID)
{
    return surface_check_family(call, physicalDevice, queueFamilyIndex);
}

bool core_validate_GetPhysicalDeviceWaylandPresentationSupportKHR(struct call *call,
                                                                  VkPhysicalDevice physicalDevice,
                                                                  uint32_t queueFamilyIndex,
                                                                  struct wl_display *display)
{
    return surface_check_family(call, physicalDevice, queueFamilyIndex);
}

/* Checks the surface of a query. `surfaceless`: the rule about VK_NULL_HANDLE, or 0 if a row has
 * it. True: the call is to be skipped. */
static bool check_surface(struct call *call, VkPhysicalDevice physical_device, VkSurfaceKHR handle,
                          enum rule supported, enum rule surfaceless, const struct location *where)
{
    /* If the VK_GOOGLE_surfaceless_query extension is not enabled, surface must be a valid
     * VkSurfaceKHR handle */
    if (!handle && (surfaceless == (enum rule)0 ||
                    call_has_extension(call, EXTENSION_VK_GOOGLE_surfaceless_query)))
        return false;
    /* Drivers would dereference it, so the query does not go down, although it only fills
     * structures. */
    if (!handle)
        return call_stop(call, BROKEN_BY(call, surfaceless, where, NULL,
                                         "is VK_NULL_HANDLE, but VK_GOOGLE_surfaceless_query "
                                         "is not enabled"));
    const struct surface surface = surface_of(call, physical_device, handle);
    struct subject s = {.call = call};
    /* surface must be supported by physicalDevice, as reported by
     * vkGetPhysicalDeviceSurfaceSupportKHR */
    REQUIRE_OF(&s, OBJECT(HANDLE_SURFACE_KHR, handle), supported, surface_is_supported(&surface),
               where, "is supported by no queue family of the physical device");
    return s.skip;
}

bool core_validate_GetPhysicalDeviceSurfaceCapabilitiesKHR(struct call *call,
                                                           VkPhysicalDevice physicalDevice,
                                                           VkSurfaceKHR surface,
                                                           VkSurfaceCapabilitiesKHR
                                                               *pSurfaceCapabilities)
{
    return check_surface(call, physicalDevice, surface, RULE_06211, (enum rule)0,
                         &LOCATION(NULL, "surface"));
}

bool core_validate_GetPhysicalDeviceSurfaceCapabilities2EXT(struct call *call,
                                                            VkPhysicalDevice physicalDevice,
                                                            VkSurfaceKHR surface,
                                                            VkSurfaceCapabilities2EXT
                                                                *pSurfaceCapabilities)
{
    return check_surface(call, physicalDevice, surface, RULE_06211, (enum rule)0,
                         &LOCATION(NULL, "surface"));
}

bool core_validate_GetPhysicalDevicePresentRectanglesKHR(struct call *call,
                                                         VkPhysicalDevice physicalDevice,
                                                         VkSurfaceKHR surface, uint32_t *pRectCount,
                                                         VkRect2D *pRects)
{
    return check_surface(call, physicalDevice, surface, RULE_06211, (enum rule)0,
                         &LOCATION(NULL, "surface"));
}

bool core_validate_GetDeviceGroupSurfacePresentModesKHR(struct call *call, VkDevice device,
                                                        VkSurfaceKHR surface,
                                                        VkDeviceGroupPresentModeFlagsKHR *pModes)
{
    return check_surface(call, call->device->physical_device, surface, RULE_06212, (enum rule)0,
                         &LOCATION(NULL, "surface"));
}

bool core_validate_GetPhysicalDeviceSurfaceFormatsKHR(struct call *call,
                                                      VkPhysicalDevice physicalDevice,
                                                      VkSurfaceKHR surface,
                                                      uint32_t *pSurfaceFormatCount,
                                                      VkSurfaceFormatKHR *pSurfaceFormats)
{
    return check_surface(call, physicalDevice, surface, RULE_06525, RULE_06524,
                         &LOCATION(NULL, "surface"));
}

bool core_validate_GetPhysicalDeviceSurfacePresentModesKHR(struct call *call,
                                                           VkPhysicalDevice physicalDevice,
                                                           VkSurfaceKHR surface,
                                                           uint32_t *pPresentModeCount,
                                                           VkPresentModeKHR *pPresentModes)
{
    return check_surface(call, physicalDevice, surface, RULE_06525, RULE_06524,
                         &LOCATION(NULL, "surface"));
}

/* If VK_EXT_image_compression_control_swapchain is not supported, the pNext chain must not include
 * a VkImageCompressionPropertiesEXT structure */
static bool check_compression(struct call *call, VkPhysicalDevice physical_device,
                              const uint32_t *count, const VkSurfaceFormat2KHR *formats)
{
    struct subject s = {.call = call};
    int32_t supported = -1; /* -1: not queried yet */
    for (uint32_t i = 0; !pointer_is_bad(formats) && !pointer_is_bad(count) && i < *count; i++) {
        if (likely(!CHAINED(formats[i].pNext, IMAGE_COMPRESSION_PROPERTIES_EXT)))
            continue;
        if (supported < 0)
            supported = physical_device_has_extension(
                call->instance, physical_device,
                VK_EXT_IMAGE_COMPRESSION_CONTROL_SWAPCHAIN_EXTENSION_NAME, true);
        REQUIRE(&s, RULE_06750, supported,
                &LOCATION(&LOCATION_INDEX(NULL, "pSurfaceFormats", i), "pNext"),
                "has a VkImageCompressionPropertiesEXT, but the physical device does not support "
                "VK_EXT_image_compression_control_swapchain");
    }
    return s.skip;
}

bool core_validate_GetPhysicalDeviceSurfaceFormats2KHR(struct call *call,
                                                       VkPhysicalDevice physicalDevice,
                                                       const VkPhysicalDeviceSurfaceInfo2KHR
                                                           *pSurfaceInfo,
                                                       uint32_t *pSurfaceFormatCount,
                                                       VkSurfaceFormat2KHR *pSurfaceFormats)
{
    return check_surface(call, physicalDevice, pSurfaceInfo->surface, RULE_06522, RULE_06521,
                         &LOCATION(&LOCATION_POINTER(NULL, "pSurfaceInfo"), "surface")) |
           check_compression(call, physicalDevice, pSurfaceFormatCount, pSurfaceFormats);
}

bool core_validate_GetPhysicalDeviceSurfaceCapabilities2KHR(struct call *call,
                                                            VkPhysicalDevice physicalDevice,
                                                            const VkPhysicalDeviceSurfaceInfo2KHR
                                                                *pSurfaceInfo,
                                                            VkSurfaceCapabilities2KHR
                                                                *pSurfaceCapabilities)
{
    const struct location *info = &LOCATION_POINTER(NULL, "pSurfaceInfo"),
                          *out = &LOCATION_POINTER(NULL, "pSurfaceCapabilities");
    const VkSurfacePresentModeKHR *mode =
        chain_find(pSurfaceInfo->pNext, VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_KHR);
    bool compatibility =
        chain_find(pSurfaceCapabilities->pNext,
                   VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_COMPATIBILITY_KHR) != NULL;
    bool scaling = chain_find(pSurfaceCapabilities->pNext,
                              VK_STRUCTURE_TYPE_SURFACE_PRESENT_SCALING_CAPABILITIES_KHR) != NULL;
    struct subject s = {.call = call, .where = out};
    s.skip |= check_surface(call, physicalDevice, pSurfaceInfo->surface, RULE_06522, RULE_06521,
                            &LOCATION(info, "surface"));
    if (call->dead_handle) /* a bad surface, which is already reported */
        return s.skip;
    /* If a VkSurfacePresentModeCompatibilityKHR structure is included in the pNext chain of
     * pSurfaceCapabilities, a VkSurfacePresentModeKHR structure must be included in the pNext chain
     * of pSurfaceInfo */
    REQUIRE(&s, RULE_07776, !compatibility || mode, "pNext",
            "has a VkSurfacePresentModeCompatibilityKHR, but pSurfaceInfo->pNext has no "
            "VkSurfacePresentModeKHR");
    REQUIRE(&s, RULE_07777, !scaling || mode, "pNext",
            "has a VkSurfacePresentScalingCapabilitiesKHR, but pSurfaceInfo->pNext has no "
            "VkSurfacePresentModeKHR");
    /* ... pSurfaceInfo->surface must be a valid VkSurfaceKHR handle */
    REQUIRE(&s, RULE_07778, !compatibility || pSurfaceInfo->surface, &LOCATION(info, "surface"),
            "is VK_NULL_HANDLE, but a VkSurfacePresentModeCompatibilityKHR is asked for");
    REQUIRE(&s, RULE_07779, !scaling || pSurfaceInfo->surface, &LOCATION(info, "surface"),
            "is VK_NULL_HANDLE, but a VkSurfacePresentScalingCapabilitiesKHR is asked for");
    REQUIRE(&s, RULE_12446,
            pSurfaceInfo->surface ||
                !chain_find(pSurfaceCapabilities->pNext,
                            VK_STRUCTURE_TYPE_SWAPCHAIN_FLAGS_SURFACE_CAPABILITIES_EXT),
            &LOCATION(info, "surface"),
            "is VK_NULL_HANDLE, but a VkSwapchainFlagsSurfaceCapabilitiesEXT is asked for");
    if (!mode)
        return s.skip;
    const struct surface surface = surface_of(call, physicalDevice, pSurfaceInfo->surface);
    /* presentMode must be a value reported by vkGetPhysicalDeviceSurfacePresentModesKHR for the
     * specified surface */
    REQUIRE_OF(&s, OBJECT(HANDLE_SURFACE_KHR, pSurfaceInfo->surface), RULE_07780,
               surface_supports_mode(&surface, mode->presentMode),
               &LOCATION(&LOCATION_CHAINED(info, "VkSurfacePresentModeKHR"), "presentMode"),
               "is %s, which the surface does not support",
               value_text(VALUES_VkPresentModeKHR, (uint64_t)mode->presentMode).text);
    return s.skip;
}
