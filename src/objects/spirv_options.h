/* Finds what a device has enabled that changes the rules for a module. */
#ifndef ASSAY_OBJECTS_SPIRV_OPTIONS_H
#define ASSAY_OBJECTS_SPIRV_OPTIONS_H

#include "objects/device.h"
#include "spirv/helper/validate.h"

/* Returns the validator's options for the device. Threads: any. */
struct spirv_validate_options spirv_tools_options(const struct device *device);

#endif
