/* Says on how many physical devices of a group memory has an instance (11.3 "Device Memory").
 * Threads: any. */
#ifndef ASSAY_STATE_INSTANCES_H
#define ASSAY_STATE_INSTANCES_H

#include "objects/device.h"

/* True if memory of that type, allocated with these flags (NULL: none), would have an instance on
 * several physical devices. Threads: any. */
bool memory_has_several_instances(const struct device *device, uint32_t type,
                                  const VkMemoryAllocateFlagsInfo *flags);

#endif
