/* Vulkan's headers for the window systems that Debian has. The types of those systems that Vulkan's
 * headers name are declared here. The systems' own headers have ten thousand lines, which no source
 * needs. Threads: declares only types. */
#ifndef ASSAY_VK_WINDOW_SYSTEMS_H
#define ASSAY_VK_WINDOW_SYSTEMS_H

#include <stdint.h>
#include <vulkan/vulkan.h>

typedef struct xcb_connection_t xcb_connection_t;
typedef uint32_t xcb_window_t;
typedef uint32_t xcb_visualid_t;
#include <vulkan/vulkan_xcb.h>

typedef struct _XDisplay Display;
typedef unsigned long Window;
typedef unsigned long VisualID;
typedef unsigned long RROutput;
#include <vulkan/vulkan_xlib.h>
#include <vulkan/vulkan_xlib_xrandr.h>

struct wl_display;
struct wl_surface;
#include <vulkan/vulkan_wayland.h>

#endif
