/* The Vulkan headers as the layer sees them: no prototypes, and the window systems that Debian has.
 * Non-dispatchable handles are plain 64-bit integers (they are ids here; the ABI is the same).
 * Threads: declares nothing that is shared. */
#ifndef ASSAY_VK_VULKAN_H
#define ASSAY_VK_VULKAN_H

#define VK_NO_PROTOTYPES
#define VK_USE_64_BIT_PTR_DEFINES 0
#include "vk/window_systems.h"

#endif
