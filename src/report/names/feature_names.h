/* Gives the names of a feature and of its structure. Threads: any; there is no state. */
#ifndef ASSAY_REPORT_FEATURE_NAMES_H
#define ASSAY_REPORT_FEATURE_NAMES_H

#include "vk/device_features.h" /* generated: enum feature */

/* Returns the feature's name ("bufferDeviceAddress"), and the name of the structure of the latest
 * version that has it ("VkPhysicalDeviceVulkan12Features"). */
const char *feature_name(enum feature feature);
const char *feature_structure(enum feature feature);

#endif
