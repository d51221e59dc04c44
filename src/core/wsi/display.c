/* Checks what surfaces of displays are made of, and which planes are asked for (34.3 "Presenting
 * Directly to Display Devices"). The driver is asked; surfaces of displays are made once. */
#include "core/hooks.h"
#include "core/rule.h"
#include "state/object_state.h"

/* More than any machine has. */
#define DISPLAYS_MOST 32
#define MODES_MOST    128
#define PLANES_MOST   64

/* The physical device that a mode was got from; VK_NULL_HANDLE: not known. `mode`: the driver's. */
static VkPhysicalDevice physical_device_of(const struct call *call, VkDisplayModeKHR handle,
                                           VkDisplayModeKHR *mode)
{
    const struct object *object = call_find(call, (uint64_t)handle, HANDLE_DISPLAY_MODE_KHR);
    const uint32_t parent =
        object ? atomic_load_explicit(&object->parent, memory_order_relaxed) : 0;
    if (!parent || object_type(&object_slots[parent]) != HANDLE_PHYSICAL_DEVICE)
        return VK_NULL_HANDLE;
    *mode = (VkDisplayModeKHR)object_driver(object);
    return (VkPhysicalDevice)(uintptr_t)object_driver(&object_slots[parent]);
}

/* Planes of the physical device; 0: the driver does not say. */
static uint32_t plane_count(const struct instance_dispatch *next, VkPhysicalDevice physical_device,
                            VkDisplayPlanePropertiesKHR planes[PLANES_MOST])
{
    uint32_t count = planes ? PLANES_MOST : 0;
    return next->GetPhysicalDeviceDisplayPlanePropertiesKHR &&
                   next->GetPhysicalDeviceDisplayPlanePropertiesKHR(physical_device, &count,
                                                                    planes) == VK_SUCCESS
               ? count
               : 0;
}

static bool display_has(const struct instance_dispatch *next, VkPhysicalDevice physical_device,
                        VkDisplayKHR display, VkDisplayModeKHR mode)
{
    VkDisplayModePropertiesKHR modes[MODES_MOST];
    uint32_t count = MODES_MOST;
    if (!next->GetDisplayModePropertiesKHR ||
        next->GetDisplayModePropertiesKHR(physical_device, display, &count, modes) < VK_SUCCESS)
        return false;
    for (uint32_t i = 0; i < count && i < MODES_MOST; i++) {
        if (modes[i].displayMode == mode)
            return true;
    }
    return false;
}

/* The display that lists the mode. A mode that the program made may be in no list. */
static bool find_display(const struct instance_dispatch *next, VkPhysicalDevice physical_device,
                         VkDisplayModeKHR mode, VkDisplayPropertiesKHR *display)
{
    VkDisplayPropertiesKHR displays[DISPLAYS_MOST];
    uint32_t count = DISPLAYS_MOST;
    if (!next->GetPhysicalDeviceDisplayPropertiesKHR ||
        next->GetPhysicalDeviceDisplayPropertiesKHR(physical_device, &count, displays) < VK_SUCCESS)
        return false;
    for (uint32_t i = 0; i < count && i < DISPLAYS_MOST; i++) {
        *display = displays[i];
        if (display_has(next, physical_device, displays[i].display, mode))
            return true;
    }
    return false;
}

static void check_plane(struct subject *s, const VkDisplaySurfaceCreateInfoKHR *info,
                        VkPhysicalDevice physical_device, VkDisplayModeKHR mode)
{
    const struct instance_dispatch *next = &s->call->instance->dispatch;
    VkDisplayPlanePropertiesKHR planes[PLANES_MOST];
    VkDisplayPlaneCapabilitiesKHR capabilities;
    VkDisplayPropertiesKHR display;
    const uint32_t count = plane_count(next, physical_device, planes);
    if (!count)
        return;
    REQUIRE(s, RULE_01252, info->planeIndex < count, "planeIndex",
            "is %u, but the physical device has %u display planes", info->planeIndex, count);
    if (info->planeIndex >= count)
        return;
    if (next->GetDisplayPlaneCapabilitiesKHR &&
        next->GetDisplayPlaneCapabilitiesKHR(physical_device, mode, info->planeIndex,
                                             &capabilities) == VK_SUCCESS)
        REQUIRE(s, RULE_01255, info->alphaMode & capabilities.supportedAlpha, "alphaMode",
                "is %s, but supportedAlpha of display plane %u is %s",
                TEXT_OF(VkDisplayPlaneAlphaFlagsKHR, info->alphaMode), info->planeIndex,
                TEXT_OF(VkDisplayPlaneAlphaFlagsKHR, capabilities.supportedAlpha));
    if (!find_display(next, physical_device, mode, &display))
        return;
    REQUIRE(s, RULE_06740, info->transform & display.supportedTransforms, "transform",
            "is %s, but supportedTransforms of the display is %s",
            TEXT_OF(VkSurfaceTransformFlagsKHR, info->transform),
            TEXT_OF(VkSurfaceTransformFlagsKHR, display.supportedTransforms));
    if (display.planeReorderPossible)
        REQUIRE(s, RULE_01253, info->planeStackIndex < count, "planeStackIndex",
                "is %u, but the physical device has %u display planes", info->planeStackIndex,
                count);
    else
        REQUIRE(s, RULE_01253, info->planeStackIndex == planes[info->planeIndex].currentStackIndex,
                "planeStackIndex",
                "is %u, but planeReorderPossible is VK_FALSE, and currentStackIndex of display "
                "plane %u is %u",
                info->planeStackIndex, info->planeIndex,
                planes[info->planeIndex].currentStackIndex);
}

bool core_validate_CreateDisplayPlaneSurfaceKHR(struct call *call, VkInstance instance,
                                                const VkDisplaySurfaceCreateInfoKHR *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator,
                                                VkSurfaceKHR *pSurface)
{
    VkDisplayModeKHR mode = VK_NULL_HANDLE;
    const VkPhysicalDevice physical_device =
        physical_device_of(call, pCreateInfo->displayMode, &mode);
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pCreateInfo")};
    VkPhysicalDeviceProperties properties;
    if (!physical_device)
        return false;
    call->instance->dispatch.GetPhysicalDeviceProperties(physical_device, &properties);
    const VkExtent2D extent = pCreateInfo->imageExtent;
    const uint32_t most = properties.limits.maxImageDimension2D;
    REQUIRE(&s, RULE_01256, extent.width <= most && extent.height <= most, "imageExtent",
            "is %ux%u, but maxImageDimension2D is %u", extent.width, extent.height, most);
    check_plane(&s, pCreateInfo, physical_device, mode);
    return s.skip;
}

bool core_validate_GetDisplayPlaneSupportedDisplaysKHR(struct call *call,
                                                       VkPhysicalDevice physicalDevice,
                                                       uint32_t planeIndex, uint32_t *pDisplayCount,
                                                       VkDisplayKHR *pDisplays)
{
    const uint32_t count = plane_count(&call->instance->dispatch, physicalDevice, NULL);
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_01249, !count || planeIndex < count, "planeIndex",
            "is %u, but the physical device has %u display planes", planeIndex, count);
    return s.skip;
}
