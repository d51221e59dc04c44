/* Queries facts about a physical device that only its driver knows. Threads: the calling thread, on
 * which the driver is called. */
#ifndef ASSAY_CORE_DEVICE_PHYSICAL_DEVICE_H
#define ASSAY_CORE_DEVICE_PHYSICAL_DEVICE_H

#include "objects/device.h"

/* True if the driver lists the device extension; `otherwise` if the driver cannot be queried.
 * Cold. */
bool physical_device_has_extension(const struct instance *instance,
                                   VkPhysicalDevice physical_device, const char *name,
                                   bool otherwise);

#endif
