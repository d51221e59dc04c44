/* Answers which extensions a physical device has, enabled or not. */
#ifndef ASSAY_PRACTICES_EXTENSIONS_OF_DEVICE_H
#define ASSAY_PRACTICES_EXTENSIONS_OF_DEVICE_H

#include "objects/device.h"

/* Queries the driver, and adds the extensions to `offered`; none if the driver does not answer.
 * Cold. Threads: any. */
void device_offered_extensions(const struct device *device, struct extension_set *offered) COLD;

#endif
