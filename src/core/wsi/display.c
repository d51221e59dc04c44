/* Checks the creation of display surfaces, and queries about planes (34.3 "Presenting Directly to
 * Display Devices").
 * The driver is queried, as display surfaces are rarely created. A query for a plane's capabilities
 * would need external synchronization of the mode, which another thread may be using. So the layer
 * remembers the answers that the program got. */
#include "core/hooks.h"
#include "state/object/object_state.h"

#include "report/finding/rule.h"

/* Larger than the number of displays of any machine. */
#define DISPLAYS_MOST 32
/* The most modes of a display that are searched. */
#define MODES_MOST 128
/* The most planes that are queried. */
#define PLANES_MOST 64

/* --- the program's answers --- */

/* Larger than the number of pairs of mode and plane that programs query. */
#define ANSWERS_MOST 64

/* The capabilities of a plane with a mode. An entry never changes its mode and plane once it has
 * them. Threads: any; the value is read and written as a whole. */
struct plane_answer {
    _Atomic uint64_t mode; /* id; 0: the entry is free */
    /* ANSWER_PLANE; the plane in higher bits, VkDisplayPlaneAlphaFlagsKHR in lower bits. 0: not
     * written yet */
    _Atomic uint64_t value;
};
/* The bit that marks a written value. */
#define ANSWER_PLANE (1ull << 31)
static struct plane_answer plane_answers[ANSWERS_MOST];

/* The entry of this mode and plane; NULL: there is none. */
static struct plane_answer *find_answer(uint64_t mode, uint32_t plane)
{
    for (uint32_t i = 0; i < ANSWERS_MOST; i++) {
        struct plane_answer *answer = &plane_answers[i];
        if (atomic_load_explicit(&answer->mode, memory_order_relaxed) == mode &&
            atomic_load_explicit(&answer->value, memory_order_relaxed) >> 31 ==
                ((uint64_t)plane << 1 | 1))
            return answer;
    }
    return NULL;
}

/* Takes a free entry for the mode; NULL: all are taken. */
static struct plane_answer *take_answer(uint64_t mode)
{
    for (uint32_t i = 0; i < ANSWERS_MOST; i++) {
        uint64_t none = 0;
        if (atomic_compare_exchange_strong_explicit(&plane_answers[i].mode, &none, mode,
                                                    memory_order_relaxed, memory_order_relaxed))
            return &plane_answers[i];
    }
    return NULL;
}

/* Remembers the capabilities of a plane with a mode, when the program has queried them. */
static void remember_answer(const struct call *call, VkDisplayModeKHR mode, uint32_t plane,
                            const VkDisplayPlaneCapabilitiesKHR *capabilities)
{
    const struct object *object = call_find(call, (uint64_t)mode, HANDLE_DISPLAY_MODE_KHR);
    const uint64_t id = object ? atomic_load_explicit(&object->id, memory_order_relaxed) : 0;
    if (call->result != VK_SUCCESS || !id || plane >= PLANES_MOST)
        return;
    struct plane_answer *answer = find_answer(id, plane);
    answer = answer ? answer : take_answer(id);
    if (answer)
        atomic_store_explicit(&answer->value,
                              (uint64_t)plane << 32 | ANSWER_PLANE |
                                  (capabilities->supportedAlpha & (ANSWER_PLANE - 1)),
                              memory_order_relaxed);
}

void core_after_GetDisplayPlaneCapabilitiesKHR(struct call *call, VkPhysicalDevice physicalDevice,
                                               VkDisplayModeKHR mode, uint32_t planeIndex,
                                               VkDisplayPlaneCapabilitiesKHR *pCapabilities)
{
    remember_answer(call, mode, planeIndex, pCapabilities);
}

void core_after_GetDisplayPlaneCapabilities2KHR(struct call *call, VkPhysicalDevice physicalDevice,
                                                const VkDisplayPlaneInfo2KHR *pDisplayPlaneInfo,
                                                VkDisplayPlaneCapabilities2KHR *pCapabilities)
{
    remember_answer(call, pDisplayPlaneInfo->mode, pDisplayPlaneInfo->planeIndex,
                    &pCapabilities->capabilities);
}

/* The alpha modes that a plane supports; all modes if the program has not queried them. */
static VkDisplayPlaneAlphaFlagsKHR supported_alpha(const struct call *call, VkDisplayModeKHR mode,
                                                   uint32_t plane)
{
    const struct object *object = call_find(call, (uint64_t)mode, HANDLE_DISPLAY_MODE_KHR);
    const struct plane_answer *answer =
        object ? find_answer(atomic_load_explicit(&object->id, memory_order_relaxed), plane) : NULL;
    return answer ? (VkDisplayPlaneAlphaFlagsKHR)(atomic_load_explicit(&answer->value,
                                                                       memory_order_relaxed) &
                                                  (ANSWER_PLANE - 1))
                  : UINT32_MAX;
}

/* --- surfaces --- */

/* The physical device from which a mode was retrieved; VK_NULL_HANDLE: not known. `*mode`: the
 * driver's handle of the mode. */
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

/* The number of planes of the physical device; 0: the driver does not report it. */
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

/* True if the display lists the mode among its first MODES_MOST. */
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

/* Finds the display that lists the mode. A mode that the program created may not be in any list. */
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

/* Checks a display surface against the device's planes and the display of `mode`. Nothing is
 * checked if the driver does not answer. */
static void check_plane(struct subject *s, const VkDisplaySurfaceCreateInfoKHR *info,
                        VkPhysicalDevice physical_device, VkDisplayModeKHR mode)
{
    const struct instance_dispatch *next = &s->call->instance->dispatch;
    VkDisplayPlanePropertiesKHR planes[PLANES_MOST];
    VkDisplayPropertiesKHR display;
    const uint32_t count = plane_count(next, physical_device, planes);
    if (!count)
        return;
    REQUIRE(s, RULE_01252, info->planeIndex < count, "planeIndex",
            "is %u, but the physical device has %u display planes", info->planeIndex, count);
    if (info->planeIndex >= count)
        return;
    const VkDisplayPlaneAlphaFlagsKHR alpha =
        supported_alpha(s->call, info->displayMode, info->planeIndex);
    REQUIRE(s, RULE_01255, info->alphaMode & alpha, "alphaMode",
            "is %s, but supportedAlpha of display plane %u is %s",
            TEXT_OF(VkDisplayPlaneAlphaFlagsKHR, info->alphaMode), info->planeIndex,
            TEXT_OF(VkDisplayPlaneAlphaFlagsKHR, alpha));
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
