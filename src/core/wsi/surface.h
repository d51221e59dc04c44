/* Answers what a surface allows. The driver is asked when a check needs it.
 * Threads: that of the call; the driver is asked on it. */
#ifndef ASSAY_CORE_WSI_SURFACE_H
#define ASSAY_CORE_WSI_SURFACE_H

#include "report/finding/finding.h"
#include "state/object/object_state.h"

/* A surface of this call; `handle` is the driver's, VK_NULL_HANDLE when it is not known. */
struct surface {
    const struct instance *instance;
    VkPhysicalDevice physical_device;
    VkSurfaceKHR handle;
};
struct surface surface_of(const struct call *call, VkPhysicalDevice physical_device,
                          VkSurfaceKHR surface);

/* Each is false when the driver does not answer: then there is nothing to say. */
bool surface_capabilities(const struct surface *surface,
                          VkSurfaceCapabilitiesKHR *capabilities) MUST_CHECK;
/* With a chain after VkSurfaceCapabilities2KHR (may be NULL), for a present mode where the
 * extension of surface maintenance is enabled. */
bool surface_capabilities2(const struct surface *surface, VkPresentModeKHR mode,
                           VkSurfaceCapabilities2KHR *capabilities) MUST_CHECK;
/* True if the surface maintenance extension is enabled, so that capabilities may be asked for per
 * present mode. */
bool surface_has_maintenance(const struct instance *instance);
/* True if the surface supports the present mode, or if that is not known. */
bool surface_supports_mode(const struct surface *surface, VkPresentModeKHR mode);
bool surface_supports_format(const struct surface *surface, VkFormat format,
                             VkColorSpaceKHR color_space);
bool surface_supports_queue_family(const struct surface *surface, uint32_t family);
/* Some queue family of the physical device. */
bool surface_is_supported(const struct surface *surface);

#endif
