<% structs = rules.property_structs(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_VK_DEVICE_PROPERTIES_H
#define ASSAY_VK_DEVICE_PROPERTIES_H

#include "vk/extensions.h"
#include "vk/vulkan.h"

/* Every structure of properties that a physical device can be asked for, by its name without "VkPhysicalDevice": properties.MultiviewProperties.
 * One that neither the device's version nor an enabled extension brings is all zero. Pointers in them (lists that the app would have made room for) are NULL,
 * their counts say how many there are. */
struct device_properties {
% for s in structs:
    ${s.name} ${s.name.removeprefix('VkPhysicalDevice')};
% endfor
};

/* Asks for all that the set of enabled extensions and versions brings, in one call. Zeroes the rest. */
void device_properties_read(struct device_properties *properties, VkPhysicalDevice physical_device,
                            PFN_vkGetPhysicalDeviceProperties2 get, const struct extension_set *enabled);

#endif
