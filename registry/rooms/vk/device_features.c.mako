/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "vk/device_features.h"

#include <stddef.h>
#include <string.h>

#include "base/base.h"
#include "vk/chain.h"

<%! from model import feature_tables %>\
<% t = rules.features(m); base = feature_tables.BASE %>\
/* A feature of a structure: where its VkBool32 lies. */
struct place {
    uint16_t offset;
    uint16_t feature;
};

% for name, members in t.structures.items():
static const struct place places_${name}[] = {
% for member, number in members:
    {offsetof(${name}, ${member}), ${t.features[number].names[0]}},
% endfor
};
% endfor

static void read_places(struct feature_set *set, const void *structure, const struct place *places, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        VkBool32 enabled;
        memcpy(&enabled, (const char *)structure + places[i].offset, sizeof(enabled));
        if (enabled)
            feature_set_add(set, (enum feature)places[i].feature);
    }
}

static void read_structure(struct feature_set *set, const VkBaseInStructure *structure)
{
    switch (structure->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2:
        read_places(set, &((const VkPhysicalDeviceFeatures2 *)(const void *)structure)->features, places_${base}, ARRAY_LENGTH(places_${base}));
        break;
% for name in t.structures:
% if name != base:
    case ${m.structs[name].sType}:
        read_places(set, structure, places_${name}, ARRAY_LENGTH(places_${name}));
        break;
% endif
% endfor
    default:
        break;
    }
}

static void read_extension(struct feature_set *set, const char *name)
{
    static const struct {
        const char *extension;
        enum feature feature;
    } enabled_with[] = {
% for feature in t.features:
% for extension in feature.extensions:
        {"${extension}", ${feature.names[0]}},
% endfor
% endfor
    };
    for (size_t i = 0; i < ARRAY_LENGTH(enabled_with); i++) {
        if (!strcmp(name, enabled_with[i].extension))
            feature_set_add(set, enabled_with[i].feature);
    }
}

void feature_set_read(struct feature_set *set, const VkDeviceCreateInfo *info)
{
    if (info->pEnabledFeatures)
        read_places(set, info->pEnabledFeatures, places_${base}, ARRAY_LENGTH(places_${base}));
    for (struct chain_walk walk = chain_begin(info->pNext); walk.at; chain_step(&walk))
        read_structure(set, walk.at);
    for (uint32_t i = 0; info->ppEnabledExtensionNames && i < info->enabledExtensionCount; i++) {
        if (info->ppEnabledExtensionNames[i])
            read_extension(set, info->ppEnabledExtensionNames[i]);
    }
}

size_t feature_structure_size(VkStructureType type)
{
    switch ((uint32_t)type) {
% for name in t.structures:
% if name != base:
    case ${m.structs[name].sType}:
        return sizeof(${name});
% endif
% endfor
    default:
        return 0;
    }
}
