/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_CORE_PROMOTED_FEATURES_H
#define ASSAY_CORE_PROMOTED_FEATURES_H

#include "report/rules.h"
#include "vk/vulkan.h"

/* "If the pNext chain includes a VkPhysicalDeviceVulkan12Features structure, then it must not include ...": each structure of features that a version has taken in. */
struct promoted_features {
    VkStructureType version;
    enum rule rule;
    VkStructureType type;
    const char *name;
};

static const struct promoted_features promoted_features[] = {
% for version, number in rules.PROMOTED.items():
% for name in rules.named_structures(m, f'VUID-VkDeviceCreateInfo-pNext-{number}')[1:]:
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_${version[1]}_FEATURES, RULE_${number}, ${m.structs[name].sType}, "${name}"},
% endfor
% endfor
};

#endif
