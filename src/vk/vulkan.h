/* The Vulkan headers as the layer sees them: no prototypes, and the window systems that Debian has.
 * Non-dispatchable handles are plain 64-bit integers (they are ids here; the ABI is the same). */
#ifndef ASSAY_VK_VULKAN_H
#define ASSAY_VK_VULKAN_H

#define VK_NO_PROTOTYPES
#define VK_USE_64_BIT_PTR_DEFINES 0
#define VK_USE_PLATFORM_XCB_KHR
#define VK_USE_PLATFORM_XLIB_KHR
#define VK_USE_PLATFORM_XLIB_XRANDR_EXT
#define VK_USE_PLATFORM_WAYLAND_KHR
#include <vulkan/vulkan.h>
/* Xlib defines these as macros; they are words that people use. */
#undef None
#undef Always
#undef Bool
#undef Status
#undef True
#undef False
#undef Success

#endif
