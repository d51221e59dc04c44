/* Asks a physical device what only its driver knows.
 * Threads: that of the call; the driver is asked on it. */
#ifndef ASSAY_CORE_DEVICE_PHYSICAL_DEVICE_H
#define ASSAY_CORE_DEVICE_PHYSICAL_DEVICE_H

#include "objects/device.h"

/* The driver lists the device extension; `otherwise` when it cannot be asked. Cold. */
bool physical_device_has_extension(const struct instance *instance,
                                   VkPhysicalDevice physical_device, const char *name,
                                   bool otherwise);

#endif
