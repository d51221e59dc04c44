/* Queries of surfaces that are not supported, or are none; swapchains that their surface does not
 * allow. On headless surfaces. */
#include "scenario.h"

#define HEADLESS VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME
#define CAPABILITIES2                                                                   \
    .drivers = NULL_DRIVER,                                                             \
    .instance_extensions = {HEADLESS, VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME, \
                            VK_KHR_SURFACE_MAINTENANCE_1_EXTENSION_NAME}
#define UNSUPPORTED \
    .null_driver = "{\"presentation\": false}", .text = {"is supported by no queue family"}

/* --- surfaces that no device supports --- */

static void ask_capabilities(struct baseline *b, VkSurfaceKHR surface, const void *next, void *out)
{
    const VkPhysicalDeviceSurfaceInfo2KHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR,
        .pNext = next,
        .surface = surface};
    VkSurfaceCapabilities2KHR got = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR,
                                     .pNext = out};
    INSTANCE_PROC(b, vkGetPhysicalDeviceSurfaceCapabilities2KHR)(b->physical_device, &info, &got);
}

static void ask_surface(struct baseline *b)
{
    VkSurfaceCapabilitiesKHR capabilities;
    vkGetPhysicalDeviceSurfaceCapabilitiesKHR(b->physical_device, make_surface(b), &capabilities);
}

static void ask_formats(struct baseline *b)
{
    uint32_t count;
    vkGetPhysicalDeviceSurfaceFormatsKHR(b->physical_device, make_surface(b), &count, NULL);
}

static void ask_all(struct baseline *b)
{
    ask_surface(b);
    ask_formats(b);
    ask_capabilities(b, make_surface(b), NULL, NULL);
}

SCENARIO(supported, CAPABILITIES2)
{
    ask_all(b);
}

SCENARIO(capabilities_of_unsupported, CAPABILITIES2, UNSUPPORTED,
         .expect = {"VUID-vkGetPhysicalDeviceSurfaceCapabilitiesKHR-surface-06211"})
{
    ask_surface(b);
}

SCENARIO(formats_of_unsupported, CAPABILITIES2, UNSUPPORTED,
         .expect = {"VUID-vkGetPhysicalDeviceSurfaceFormatsKHR-surface-06525"})
{
    ask_formats(b);
}

SCENARIO(capabilities2_of_unsupported, CAPABILITIES2, UNSUPPORTED,
         .expect = {"VUID-vkGetPhysicalDeviceSurfaceCapabilities2KHR-pSurfaceInfo-06522"})
{
    ask_capabilities(b, make_surface(b), NULL, NULL);
}

static void ask_others(struct baseline *b)
{
    VkSurfaceCapabilities2EXT capabilities = {.sType =
                                                  VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_EXT};
    uint32_t count = 0;
    VkSurfaceKHR surface = make_surface(b);
    INSTANCE_PROC(b, vkGetPhysicalDeviceSurfaceCapabilities2EXT)
    (b->physical_device, surface, &capabilities);
    INSTANCE_PROC(b, vkGetPhysicalDevicePresentRectanglesKHR)(b->physical_device, surface, &count,
                                                              NULL);
}
static void ask_group(struct baseline *b)
{
    VkDeviceGroupPresentModeFlagsKHR modes;
    DEVICE_PROC(b, vkGetDeviceGroupSurfacePresentModesKHR)(b->device, make_surface(b), &modes);
}
#define OTHERS                                                                       \
    .drivers = NULL_DRIVER, .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME},         \
    .instance_extensions = {HEADLESS, VK_EXT_DISPLAY_SURFACE_COUNTER_EXTENSION_NAME, \
                            VK_KHR_DISPLAY_EXTENSION_NAME}

SCENARIO(others_of_supported, OTHERS)
{
    ask_others(b);
    ask_group(b);
}

SCENARIO(others_of_unsupported, OTHERS, UNSUPPORTED,
         .expect = {"VUID-vkGetPhysicalDeviceSurfaceCapabilities2EXT-surface-06211",
                    "VUID-vkGetPhysicalDevicePresentRectanglesKHR-surface-06211"})
{
    ask_others(b);
}

SCENARIO(group_modes_of_unsupported, OTHERS, UNSUPPORTED,
         .expect = {"VUID-vkGetDeviceGroupSurfacePresentModesKHR-surface-06212"})
{
    ask_group(b);
}

/* --- no surface --- */

SCENARIO(capabilities_of_none, CAPABILITIES2,
         .expect = {"VUID-vkGetPhysicalDeviceSurfaceCapabilities2KHR-pSurfaceInfo-06521"},
         .text = {"surface is VK_NULL_HANDLE, but VK_GOOGLE_surfaceless_query is not enabled"})
{
    ask_capabilities(b, VK_NULL_HANDLE, NULL, NULL);
}

#define SURFACELESS                                                                     \
    .drivers = NULL_DRIVER,                                                             \
    .instance_extensions = {HEADLESS, VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME, \
                            VK_KHR_SURFACE_MAINTENANCE_1_EXTENSION_NAME,                \
                            VK_GOOGLE_SURFACELESS_QUERY_EXTENSION_NAME}
static const VkSurfacePresentModeKHR fifo = {.sType = VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_KHR,
                                             .presentMode = VK_PRESENT_MODE_FIFO_KHR},
                                     latest = {.sType = VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_KHR,
                                               .presentMode =
                                                   VK_PRESENT_MODE_FIFO_LATEST_READY_KHR};
SCENARIO(compatible_modes_of_none, SURFACELESS,
         .expect = {"VUID-vkGetPhysicalDeviceSurfaceCapabilities2KHR-pNext-07778"},
         .text = {
             "surface is VK_NULL_HANDLE, but a VkSurfacePresentModeCompatibilityKHR is asked for"})
{
    VkSurfacePresentModeCompatibilityKHR out = {
        .sType = VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_COMPATIBILITY_KHR};
    ask_capabilities(b, VK_NULL_HANDLE, &fifo, &out);
}

SCENARIO(scaling_of_none, SURFACELESS,
         .expect = {"VUID-vkGetPhysicalDeviceSurfaceCapabilities2KHR-pNext-07779"},
         .text = {"surface is VK_NULL_HANDLE, but a VkSurfacePresentScalingCapabilitiesKHR is "
                  "asked for"})
{
    VkSurfacePresentScalingCapabilitiesKHR out = {
        .sType = VK_STRUCTURE_TYPE_SURFACE_PRESENT_SCALING_CAPABILITIES_KHR};
    ask_capabilities(b, VK_NULL_HANDLE, &fifo, &out);
}

SCENARIO(capabilities_in_other_mode, CAPABILITIES2,
         .expect = {"VUID-VkSurfacePresentModeKHR-presentMode-07780"},
         .allow = {"VUID-VkSurfacePresentModeKHR-presentMode-parameter"},
         .text = {"presentMode is VK_PRESENT_MODE_FIFO_LATEST_READY_KHR, which the surface does "
                  "not support"})
{
    ask_capabilities(b, make_surface(b), &latest, NULL);
}

SCENARIO(capabilities_in_mode, CAPABILITIES2)
{
    ask_capabilities(b, make_surface(b), &fifo, NULL);
}

/* Without a surface: what any could do. */
SCENARIO(formats_and_modes_of_none, SURFACELESS)
{
    uint32_t count = 0;
    vkGetPhysicalDeviceSurfaceFormatsKHR(b->physical_device, VK_NULL_HANDLE, &count, NULL);
    vkGetPhysicalDeviceSurfacePresentModesKHR(b->physical_device, VK_NULL_HANDLE, &count, NULL);
    const VkPhysicalDeviceSurfaceInfo2KHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR};
    INSTANCE_PROC(b, vkGetPhysicalDeviceSurfaceFormats2KHR)(b->physical_device, &info, &count,
                                                            NULL);
    ask_capabilities(b, VK_NULL_HANDLE, NULL, NULL);
}

/* A surface that is not there is reported once. */
SCENARIO(compatible_modes_of_none_without_surfaceless, CAPABILITIES2, .ours_only = true,
         .expect = {"VUID-vkGetPhysicalDeviceSurfaceCapabilities2KHR-pSurfaceInfo-06521"})
{
    VkSurfacePresentModeCompatibilityKHR out = {
        .sType = VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_COMPATIBILITY_KHR};
    ask_capabilities(b, VK_NULL_HANDLE, &fifo, &out);
}

/* --- compressed formats --- */

static void ask_compression(struct baseline *b)
{
    VkImageCompressionPropertiesEXT compression = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_PROPERTIES_EXT};
    VkSurfaceFormat2KHR format = {.sType = VK_STRUCTURE_TYPE_SURFACE_FORMAT_2_KHR,
                                  .pNext = &compression};
    const VkPhysicalDeviceSurfaceInfo2KHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR, .surface = make_surface(b)};
    uint32_t count = 1;
    INSTANCE_PROC(b, vkGetPhysicalDeviceSurfaceFormats2KHR)(b->physical_device, &info, &count,
                                                            &format);
}

SCENARIO(compression_of_surface, CAPABILITIES2)
{
    ask_compression(b);
}

SCENARIO(compression_of_surface_unsupported, CAPABILITIES2,
         .null_driver = "{\"extensions\": {\"VK_EXT_image_compression_control_swapchain\": false}}",
         .expect = {"VUID-VkSurfaceFormat2KHR-pNext-06750"})
{
    ask_compression(b);
}

/* --- displays --- */

#define DISPLAYS                                                                          \
    .drivers = NULL_DRIVER,                                                               \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_KHR_DISPLAY_EXTENSION_NAME, \
                            VK_KHR_GET_DISPLAY_PROPERTIES_2_EXTENSION_NAME}
#define OF_DISPLAY(name_) .expect = {"VUID-VkDisplaySurfaceCreateInfoKHR-" name_}

static VkDisplaySurfaceCreateInfoKHR display_info(struct baseline *b)
{
    VkDisplayPropertiesKHR display;
    VkDisplayModePropertiesKHR mode;
    uint32_t count = 1;
    INSTANCE_PROC(b, vkGetPhysicalDeviceDisplayPropertiesKHR)(b->physical_device, &count, &display);
    INSTANCE_PROC(b, vkGetDisplayModePropertiesKHR)(b->physical_device, display.display, &count,
                                                    &mode);
    return (VkDisplaySurfaceCreateInfoKHR){.sType =
                                               VK_STRUCTURE_TYPE_DISPLAY_SURFACE_CREATE_INFO_KHR,
                                           .displayMode = mode.displayMode,
                                           .transform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
                                           .alphaMode = VK_DISPLAY_PLANE_ALPHA_OPAQUE_BIT_KHR,
                                           .imageExtent = mode.parameters.visibleRegion};
}
#define OF_PLANE(name_, change_, ...)                                                  \
    SCENARIO(name_, DISPLAYS, ##__VA_ARGS__)                                           \
    {                                                                                  \
        VkDisplaySurfaceCreateInfoKHR info = display_info(b);                          \
        VkSurfaceKHR surface = VK_NULL_HANDLE;                                         \
        change_;                                                                       \
        if (INSTANCE_PROC(b, vkCreateDisplayPlaneSurfaceKHR)(b->instance, &info, NULL, \
                                                             &surface) == VK_SUCCESS)  \
            vkDestroySurfaceKHR(b->instance, surface, NULL);                           \
    }
OF_PLANE(display_surface, info.planeIndex = 0)
OF_PLANE(display_surface_of_no_plane, info.planeIndex = 1, OF_DISPLAY("planeIndex-01252"),
         .text = {"planeIndex is 1, but the physical device has 1 display planes"})
OF_PLANE(display_surface_in_another_place, info.planeStackIndex = 1,
         OF_DISPLAY("planeReorderPossible-01253"), .text = {"planeReorderPossible is VK_FALSE"})
OF_PLANE(display_surface_beyond_the_planes, info.planeStackIndex = 1,
         OF_DISPLAY("planeReorderPossible-01253"), .null_driver = "{\"reorderPlanes\": true}",
         .text = {"planeStackIndex is 1, but the physical device has 1 display planes"})
OF_PLANE(display_surface_reordered, info.planeStackIndex = 0,
         .null_driver = "{\"reorderPlanes\": true}")

static void ask_alpha(struct baseline *b, VkDisplayModeKHR mode)
{
    VkDisplayPlaneCapabilitiesKHR capabilities;
    VK(INSTANCE_PROC(b, vkGetDisplayPlaneCapabilitiesKHR)(b->physical_device, mode, 0,
                                                          &capabilities));
}
static void ask_alpha2(struct baseline *b, VkDisplayModeKHR mode)
{
    const VkDisplayPlaneInfo2KHR info = {.sType = VK_STRUCTURE_TYPE_DISPLAY_PLANE_INFO_2_KHR,
                                         .mode = mode};
    VkDisplayPlaneCapabilities2KHR capabilities = {
        .sType = VK_STRUCTURE_TYPE_DISPLAY_PLANE_CAPABILITIES_2_KHR};
    VK(INSTANCE_PROC(b, vkGetDisplayPlaneCapabilities2KHR)(b->physical_device, &info,
                                                           &capabilities));
}
#define BLENDED info.alphaMode = VK_DISPLAY_PLANE_ALPHA_PER_PIXEL_BIT_KHR
OF_PLANE(display_surface_blended, (ask_alpha(b, info.displayMode), BLENDED),
         OF_DISPLAY("alphaMode-01255"))
OF_PLANE(display_surface_blended2, (ask_alpha2(b, info.displayMode), BLENDED),
         OF_DISPLAY("alphaMode-01255"))
/* The program has not asked, and the layer may not: another thread may be in the mode. */
OF_PLANE(display_surface_blended_unasked, BLENDED, .ours_only = true)
OF_PLANE(display_surface_turned, info.transform = VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR,
         OF_DISPLAY("transform-06740"))
OF_PLANE(display_surface_too_wide, info.imageExtent.width = 1 << 20, OF_DISPLAY("width-01256"))

static void ask_plane(struct baseline *b, uint32_t plane)
{
    uint32_t count = 0;
    INSTANCE_PROC(b, vkGetDisplayPlaneSupportedDisplaysKHR)(b->physical_device, plane, &count,
                                                            NULL);
}

SCENARIO(displays_of_plane, DISPLAYS)
{
    ask_plane(b, 0);
}

SCENARIO(displays_of_no_plane, DISPLAYS,
         .expect = {"VUID-vkGetDisplayPlaneSupportedDisplaysKHR-planeIndex-01249"})
{
    ask_plane(b, 1);
}

/* --- queue families of window systems --- */

typedef VkBool32(VKAPI_PTR *xlib_support)(VkPhysicalDevice, uint32_t, void *, unsigned long);
static char nothing[64]; /* the null driver does not look at displays */

#define WINDOWS                                                                               \
    .drivers = NULL_DRIVER,                                                                   \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_KHR_XCB_SURFACE_EXTENSION_NAME, \
                            "VK_KHR_xlib_surface", VK_KHR_WAYLAND_SURFACE_EXTENSION_NAME}
static void ask_windows(struct baseline *b, uint32_t family)
{
    INSTANCE_PROC(b, vkGetPhysicalDeviceXcbPresentationSupportKHR)
    (b->physical_device, family, (xcb_connection_t *)(void *)nothing, 0);
    INSTANCE_PROC(b, vkGetPhysicalDeviceWaylandPresentationSupportKHR)
    (b->physical_device, family, (struct wl_display *)(void *)nothing);
    ((xlib_support)
         instance_proc(b, "vkGetPhysicalDeviceXlibPresentationSupportKHR"))(b->physical_device,
                                                                            family, nothing, 0);
}

SCENARIO(family_of_windows, WINDOWS)
{
    ask_windows(b, 0);
}

SCENARIO(family_of_windows_unknown, WINDOWS,
         .expect = {"VUID-vkGetPhysicalDeviceXcbPresentationSupportKHR-queueFamilyIndex-01312",
                    "VUID-vkGetPhysicalDeviceXlibPresentationSupportKHR-queueFamilyIndex-01315",
                    "VUID-vkGetPhysicalDeviceWaylandPresentationSupportKHR-queueFamilyIndex-01306"},
         .text = {"queueFamilyIndex is 77, but the physical device has 7 queue families"})
{
    ask_windows(b, 77);
}

/* --- swapchains --- */

#define PLAIN .null_driver = "{\"plainSurfaces\": true}"

#define CREATE(id_) "VUID-VkSwapchainCreateInfoKHR-" id_
SCENARIO(swapchain_of_unsupported, .drivers = NULL_DRIVER, .instance_extensions = {HEADLESS},
         .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}, UNSUPPORTED,
         .expect = {CREATE("surface-01270")})
{
    const VkSwapchainCreateInfoKHR info = swapchain_info(make_surface(b));
    create_swapchain(b, &info);
}

static VkSwapchainCreateInfoKHR info_of_surface(struct baseline *b)
{
    VkSwapchainCreateInfoKHR info = swapchain_info(make_surface(b));
    VkBool32 supported = VK_FALSE;
    VkSurfaceCapabilitiesKHR capabilities;
    VK(vkGetPhysicalDeviceSurfaceSupportKHR(b->physical_device, b->queue_family, info.surface,
                                            &supported));
    VK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(b->physical_device, info.surface, &capabilities));
    info.minImageCount = capabilities.minImageCount + 2;
    return info;
}

SCENARIO(swapchain_of_latest, .drivers = NULL_DRIVER, .instance_extensions = {HEADLESS},
         .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME,
                        VK_KHR_PRESENT_MODE_FIFO_LATEST_READY_EXTENSION_NAME},
         .expect = {CREATE("presentModeFifoLatestReady-10161")},
         .text = {"presentMode is VK_PRESENT_MODE_FIFO_LATEST_READY_KHR, but the feature "
                  "presentModeFifoLatestReady is not enabled"})
{
    VkSwapchainCreateInfoKHR info = info_of_surface(b);
    info.presentMode = VK_PRESENT_MODE_FIFO_LATEST_READY_KHR;
    create_swapchain(b, &info);
}

static const VkPhysicalDevicePresentModeFifoLatestReadyFeaturesKHR latest_ready = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_MODE_FIFO_LATEST_READY_FEATURES_KHR,
    .presentModeFifoLatestReady = VK_TRUE};
SCENARIO(swapchain_of_latest_where_the_surface_has_none, .drivers = NULL_DRIVER,
         .instance_extensions = {HEADLESS},
         .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME,
                        VK_KHR_PRESENT_MODE_FIFO_LATEST_READY_EXTENSION_NAME},
         .features = &latest_ready, .expect = {CREATE("presentMode-01281")},
         .text = {"presentMode is VK_PRESENT_MODE_FIFO_LATEST_READY_KHR, which the surface does "
                  "not support"})
{
    VkSwapchainCreateInfoKHR info = info_of_surface(b);
    info.presentMode = VK_PRESENT_MODE_FIFO_LATEST_READY_KHR;
    create_swapchain(b, &info);
}

static const VkPhysicalDeviceProtectedMemoryFeatures protected_memory = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .protectedMemory = VK_TRUE};
SCENARIO(swapchain_protected, .drivers = NULL_DRIVER, PLAIN, .features = &protected_memory,
         .instance_extensions = {HEADLESS, VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME,
                                 VK_KHR_SURFACE_PROTECTED_CAPABILITIES_EXTENSION_NAME},
         .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}, .expect = {CREATE("flags-03187")},
         .text = {"has VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR, but supportsProtected of the surface "
                  "is VK_FALSE"})
{
    VkSwapchainCreateInfoKHR info = info_of_surface(b);
    info.flags = VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR;
    create_swapchain(b, &info);
}

static const VkPhysicalDeviceSwapchainMaintenance1FeaturesKHR maintenance = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SWAPCHAIN_MAINTENANCE_1_FEATURES_KHR,
    .swapchainMaintenance1 = VK_TRUE};
SCENARIO(swapchain_scaled_where_it_cannot, CAPABILITIES2, PLAIN, .features = &maintenance,
         .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME,
                        VK_KHR_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME},
         .expect = {"VUID-VkSwapchainPresentScalingCreateInfoKHR-scalingBehavior-07770",
                    "VUID-VkSwapchainPresentScalingCreateInfoKHR-presentGravityX-07772",
                    "VUID-VkSwapchainPresentScalingCreateInfoKHR-presentGravityY-07774"},
         .text = {
             "scalingBehavior is VK_PRESENT_SCALING_ONE_TO_ONE_BIT_KHR, but the surface supports",
             "presentGravityX is VK_PRESENT_GRAVITY_MIN_BIT_KHR, but the surface supports",
             "presentGravityY is VK_PRESENT_GRAVITY_MIN_BIT_KHR, but the surface supports"})
{
    const VkSwapchainPresentScalingCreateInfoKHR scaling = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_SCALING_CREATE_INFO_KHR,
        .scalingBehavior = VK_PRESENT_SCALING_ONE_TO_ONE_BIT_KHR,
        .presentGravityX = VK_PRESENT_GRAVITY_MIN_BIT_KHR,
        .presentGravityY = VK_PRESENT_GRAVITY_MIN_BIT_KHR};
    VkSwapchainCreateInfoKHR info = info_of_surface(b);
    info.pNext = &scaling;
    create_swapchain(b, &info);
}

/* --- counters of swapchains --- */

static void create_counted(struct baseline *b, VkSurfaceCounterFlagsEXT counters)
{
    const VkSwapchainCounterCreateInfoEXT counter = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_COUNTER_CREATE_INFO_EXT, .surfaceCounters = counters};
    VkSwapchainCreateInfoKHR info = info_of_surface(b);
    info.pNext = &counter;
    create_swapchain(b, &info);
}
#define COUNTED                                                                             \
    .drivers = NULL_DRIVER,                                                                 \
    .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_EXT_DISPLAY_CONTROL_EXTENSION_NAME}, \
    .instance_extensions = {HEADLESS, VK_EXT_DISPLAY_SURFACE_COUNTER_EXTENSION_NAME,        \
                            VK_KHR_DISPLAY_EXTENSION_NAME}
SCENARIO(swapchain_counted, COUNTED)
{
    create_counted(b, VK_SURFACE_COUNTER_VBLANK_BIT_EXT);
}

SCENARIO(swapchain_counted_where_it_cannot, COUNTED, PLAIN,
         .expect = {"VUID-VkSwapchainCounterCreateInfoEXT-surfaceCounters-01244"})
{
    create_counted(b, VK_SURFACE_COUNTER_VBLANK_BIT_EXT);
}

/* --- flags of swapchains --- */

#define FLAGS_OF_SURFACES                                                               \
    .drivers = NULL_DRIVER,                                                             \
    .instance_extensions = {HEADLESS, VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME, \
                            VK_GOOGLE_SURFACELESS_QUERY_EXTENSION_NAME}
static void ask_flags(struct baseline *b, VkSurfaceKHR surface)
{
    VkSwapchainFlagsSurfaceCapabilitiesEXT out = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_FLAGS_SURFACE_CAPABILITIES_EXT};
    ask_capabilities(b, surface, NULL, &out);
}

SCENARIO(flags_of_surface, FLAGS_OF_SURFACES)
{
    ask_flags(b, make_surface(b));
}

SCENARIO(flags_of_none, FLAGS_OF_SURFACES,
         .expect = {"VUID-vkGetPhysicalDeviceSurfaceCapabilities2KHR-pNext-12446"})
{
    ask_flags(b, VK_NULL_HANDLE);
}

static void create_deferred(struct baseline *b)
{
    VkSwapchainCreateInfoKHR info = info_of_surface(b);
    info.flags = VK_SWAPCHAIN_CREATE_DEFERRED_MEMORY_ALLOCATION_BIT_KHR;
    create_swapchain(b, &info);
}
#define WITH_FLAGS                                                                  \
    CAPABILITIES2, .features = &maintenance,                                        \
        .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME,                             \
                       VK_KHR_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME,               \
                       VK_EXT_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_EXTENSION_NAME, \
                       VK_EXT_MULTISAMPLED_RENDER_TO_SWAPCHAIN_EXTENSION_NAME}
SCENARIO(swapchain_with_flags, WITH_FLAGS)
{
    create_deferred(b);
}

SCENARIO(swapchain_with_flags_that_the_surface_lacks, WITH_FLAGS, PLAIN,
         .expect = {CREATE("flags-12448")})
{
    create_deferred(b);
}

/* --- what is asked of a swapchain's counter, and bound to its memory --- */

static void ask_counter(struct baseline *b, bool presented)
{
    const VkSwapchainCounterCreateInfoEXT counter = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_COUNTER_CREATE_INFO_EXT,
        .surfaceCounters = VK_SURFACE_COUNTER_VBLANK_BIT_EXT};
    VkSwapchainCreateInfoKHR info = info_of_surface(b);
    info.pNext = &counter;
    VkSwapchainKHR swapchain = create_swapchain(b, &info);
    uint64_t value = 0;
    ENSURE(swapchain);
    if (presented) {
        VkFence fence = make_fence(b);
        uint32_t index = 0;
        VK(vkAcquireNextImageKHR(b->device, swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &index));
        VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
        VkImage images[16];
        uint32_t count = 16;
        VK(vkGetSwapchainImagesKHR(b->device, swapchain, &count, images));
        VkCommandBuffer commands = make_recording(b);
        VkImageMemoryBarrier barrier = image_barrier(images[index], VK_IMAGE_LAYOUT_UNDEFINED,
                                                     VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
        run_commands(b, commands);
        const VkPresentInfoKHR present = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                          .swapchainCount = 1,
                                          .pSwapchains = &swapchain,
                                          .pImageIndices = &index};
        VK(vkQueuePresentKHR(b->queue, &present));
    }
    DEVICE_PROC(b, vkGetSwapchainCounterEXT)(b->device, swapchain,
                                             VK_SURFACE_COUNTER_VBLANK_BIT_EXT, &value);
}

SCENARIO(counter_after_a_present, COUNTED)
{
    ask_counter(b, true);
}

SCENARIO(counter_before_any_present, COUNTED,
         .expect = {"VUID-vkGetSwapchainCounterEXT-swapchain-01245"},
         .text = {"has never been presented to"})
{
    ask_counter(b, false);
}

static void bind_deferred(struct baseline *b, bool acquired)
{
    VkSwapchainCreateInfoKHR info = info_of_surface(b);
    info.flags = VK_SWAPCHAIN_CREATE_DEFERRED_MEMORY_ALLOCATION_BIT_KHR;
    VkSwapchainKHR swapchain = create_swapchain(b, &info);
    uint32_t index = 0;
    ENSURE(swapchain);
    if (acquired) {
        VkFence fence = make_fence(b);
        VK(vkAcquireNextImageKHR(b->device, swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &index));
        VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
    }
    const VkImageSwapchainCreateInfoKHR of = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR, .swapchain = swapchain};
    VkImageCreateInfo image = image_info(info.imageUsage);
    image.pNext = &of;
    image.format = info.imageFormat;
    image.extent = (VkExtent3D){info.imageExtent.width, info.imageExtent.height, 1};
    const VkBindImageMemorySwapchainInfoKHR to = {
        .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR,
        .swapchain = swapchain,
        .imageIndex = index};
    const VkBindImageMemoryInfo bind = {.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
                                        .pNext = &to,
                                        .image = create_image(b, &image)};
    (void)vkBindImageMemory2(b->device, 1, &bind);
}

SCENARIO(deferred_image_acquired, WITH_FLAGS)
{
    bind_deferred(b, true);
}

SCENARIO(deferred_image_not_acquired, WITH_FLAGS,
         .expect = {"VUID-VkBindImageMemorySwapchainInfoKHR-swapchain-07756"})
{
    bind_deferred(b, false);
}
