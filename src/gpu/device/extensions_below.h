/* The layer may ask these extensions of the driver at vkCreateDevice beyond what the program asks
 * for (create.c). Threads: that of vkCreateDevice. */
#ifndef ASSAY_GPU_EXTENSIONS_BELOW_H
#define ASSAY_GPU_EXTENSIONS_BELOW_H

#include "objects/device.h"

/* True if the device is asked for this extension. */
bool extension_is_named(const VkDeviceCreateInfo *info, const char *name);
/* True if the physical device has it. */
bool extension_is_below(const struct device *device, const char *name);
/* Asks for it as well; the names lie in scratch memory. False: memory is out. */
bool extension_add(VkDeviceCreateInfo *down, const char *name);

#endif
