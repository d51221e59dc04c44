/* Enables extensions of the driver at vkCreateDevice that the program did not enable (create.c).
 * Threads: the thread that calls vkCreateDevice. */
#ifndef ASSAY_GPU_EXTENSIONS_BELOW_H
#define ASSAY_GPU_EXTENSIONS_BELOW_H

#include "objects/device.h"

/* True if the create info enables this extension. */
bool extension_is_named(const VkDeviceCreateInfo *info, const char *name);
/* True if the physical device has it. */
bool extension_is_below(const struct device *device, const char *name);
/* Enables the extension as well; the array of names is in scratch memory. Returns false if memory
 * is out. */
bool extension_add(VkDeviceCreateInfo *down, const char *name);

#endif
