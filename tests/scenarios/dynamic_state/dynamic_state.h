/* Macros for scenarios of vkCmdSet*, and the device's limits. */
#ifndef ASSAY_TESTS_DYNAMIC_STATE_H
#define ASSAY_TESTS_DYNAMIC_STATE_H

#include "scenario.h"

/* The command buffer is `c`. */
#define MISTAKE(name_, id_, call_, ...)                     \
    SCENARIO(name_, .expect = {"VUID-" id_}, ##__VA_ARGS__) \
    {                                                       \
        VkCommandBuffer c = make_recording(b);              \
        call_;                                              \
    }
#define EXTENSION(name_) .extensions = {name_}

static inline VkPhysicalDeviceLimits limits_of_device(struct baseline *b)
{
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(b->physical_device, &properties);
    return properties.limits;
}

#endif
