/* Queries what a surface supports, when a check needs it. Threads: the calling thread, on which the
 * driver is called. */
#ifndef ASSAY_CORE_WSI_SURFACE_H
#define ASSAY_CORE_WSI_SURFACE_H

#include "report/finding/finding.h"
#include "state/object/object_state.h"

/* A surface that this call names. `handle`: the driver's handle; VK_NULL_HANDLE: not known. */
struct surface {
    const struct instance *instance;
    VkPhysicalDevice physical_device;
    VkSurfaceKHR handle;
};
struct surface surface_of(const struct call *call, VkPhysicalDevice physical_device,
                          VkSurfaceKHR surface);

/* Queries the surface's capabilities. False: the driver does not answer, and nothing can be
 * checked. */
bool surface_capabilities(const struct surface *surface,
                          VkSurfaceCapabilitiesKHR *capabilities) MUST_CHECK;
/* Queries them with a chain after VkSurfaceCapabilities2KHR (may be NULL). `mode` counts if a
 * surface maintenance extension is enabled. */
bool surface_capabilities2(const struct surface *surface, VkPresentModeKHR mode,
                           VkSurfaceCapabilities2KHR *capabilities) MUST_CHECK;
/* True if a surface maintenance extension is enabled, so that capabilities can be queried for a
 * present mode. */
bool surface_has_maintenance(const struct instance *instance);
/* True if the surface supports the present mode, or if that is not known. */
bool surface_supports_mode(const struct surface *surface, VkPresentModeKHR mode);
bool surface_supports_format(const struct surface *surface, VkFormat format,
                             VkColorSpaceKHR color_space);
bool surface_supports_queue_family(const struct surface *surface, uint32_t family);
/* True if some queue family of the physical device supports the surface. */
bool surface_is_supported(const struct surface *surface);

#endif
