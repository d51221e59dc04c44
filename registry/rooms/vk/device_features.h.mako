/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_VK_DEVICE_FEATURES_H
#define ASSAY_VK_DEVICE_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vk/vulkan.h"

<% t = rules.features(m) %>\
/* Every feature of the registry. One that has several places (a member of VkPhysicalDeviceVulkan12Features and the same one of the
 * structure that was promoted) has several names and one number: FEATURE_Vulkan12Features_bufferDeviceAddress is
 * FEATURE_BufferDeviceAddressFeatures_bufferDeviceAddress, and FEATURE_bufferDeviceAddress, as no other feature of core is called so.
 * FEATURE_BufferDeviceAddressFeaturesEXT_bufferDeviceAddress is another feature. */
enum feature {
% for feature in t.features:
    ${feature.names[0]},
% endfor
    FEATURE_COUNT,
% for feature in t.features:
% for name in feature.names[1:]:
    ${name} = ${feature.names[0]},
% endfor
% endfor
};

struct feature_set {
    uint64_t bits[(FEATURE_COUNT + 63) / 64];
};

static inline bool feature_set_has(const struct feature_set *set, enum feature feature)
{
    return (set->bits[feature / 64] >> (feature % 64)) & 1;
}

static inline void feature_set_add(struct feature_set *set, enum feature feature)
{
    set->bits[feature / 64] |= 1ull << (feature % 64);
}

/* Adds what the app enables: pEnabledFeatures, the structures in the chain, and what enabling an extension enables. A chain that
 * comes back to itself is left after CHAIN_LIMIT structures (vk/chain.h). */
void feature_set_read(struct feature_set *set, const VkDeviceCreateInfo *info);

/* The size of a structure that has features; 0 for all others. */
size_t feature_structure_size(VkStructureType type);

#endif
