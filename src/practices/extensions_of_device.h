/* Answers which extensions a physical device has, enabled or not. */
#ifndef ASSAY_PRACTICES_EXTENSIONS_OF_DEVICE_H
#define ASSAY_PRACTICES_EXTENSIONS_OF_DEVICE_H

#include "objects/device.h"

/* Asks the driver. Cold. False where it does not answer. Threads: any. */
bool device_offers_extension(const struct device *device, enum extension extension) COLD;

#endif
