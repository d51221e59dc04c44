<% structs = rules.property_structs(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "vk/device_properties.h"

#include <string.h>

void device_properties_read(struct device_properties *properties, VkPhysicalDevice physical_device,
                            PFN_vkGetPhysicalDeviceProperties2 get, const struct extension_set *enabled)
{
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    void **link = &all.pNext;
    memset(properties, 0, sizeof(*properties));
% for s in structs:
<% name = s.name.removeprefix('VkPhysicalDevice') %>\
    if (${' || '.join(f'extension_set_has(enabled, EXTENSION_{e})' for e in rules.brought_by(m, s))}) {
        properties->${name}.sType = ${rules.structure_type(s)};
        *link = &properties->${name};
        link = &properties->${name}.pNext;
    }
% endfor
    get(physical_device, &all);
% for s in structs:
    properties->${s.name.removeprefix('VkPhysicalDevice')}.pNext = NULL;
% endfor
}
