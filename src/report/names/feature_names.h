/* The names of a feature and of its structure. Threads: any; nothing is kept. */
#ifndef ASSAY_REPORT_FEATURE_NAMES_H
#define ASSAY_REPORT_FEATURE_NAMES_H

#include "vk/device_features.h" /* generated: enum feature */

/* Names a feature in messages: "bufferDeviceAddress" of "VkPhysicalDeviceVulkan12Features", the
 * structure of the latest version that has it. */
const char *feature_name(enum feature feature);
const char *feature_structure(enum feature feature);

#endif
