/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_VALID_TABLES_H
#define ASSAY_VALID_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

<%! from model import feature_tables %>\
<% t = feature_tables.tables(m) %>\
enum extension {
% for name in m.extensions:
    EXTENSION_${name[3:]},
% endfor
    EXTENSION_COUNT
};

struct extension_info {
    const char *name;
    const char *depends; /* `A+B` is both, `A,B` is either; "" */
    uint16_t promoted;   /* 11 for Vulkan 1.1; 0: to no version */
    bool of_device, of_instance;
};
extern const struct extension_info extension_info[EXTENSION_COUNT];

/* One number for a feature, wherever it stands: a member of VkPhysicalDeviceVulkan12Features and of the structure that was promoted. */
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
extern const char *const feature_names[FEATURE_COUNT];

struct feature_member {
    uint16_t offset, feature;
};

/* The first is VkPhysicalDeviceFeatures, which has no sType. */
struct feature_structure {
    const char *name;
    VkStructureType type;
    uint16_t size, version; /* version: 12 for Vulkan 1.2; 0: of an extension alone */
    bool of_version;        /* VkPhysicalDeviceVulkan1*Features */
    uint16_t extensions[4], extension_count, member_count;
    const struct feature_member *members;
};
#define FEATURE_STRUCTURE_COUNT ${len(t.structures)}
extern const struct feature_structure feature_structures[FEATURE_STRUCTURE_COUNT];

/* Enabling the extension enables the feature. */
struct feature_of_extension {
    uint16_t extension, feature;
};
extern const struct feature_of_extension features_of_extensions[];
extern const uint32_t features_of_extensions_count;

<% commands = [n for n, c in m.commands.items() if m.is_device_command(c)] %>\
enum command {
% for name in commands:
    COMMAND_${name[2:]},
% endfor
    COMMAND_COUNT
};

/* A way to get a command: under this name, with this version or one of these extensions. */
struct command_way {
    const char *name;
    uint16_t version; /* 13 for Vulkan 1.3, 10 for all; 0: of an extension alone */
    uint16_t extensions[4], extension_count;
};

struct command_info {
    uint16_t first, count; /* of command_ways */
};
extern const struct command_info command_info[COMMAND_COUNT];
extern const struct command_way command_ways[];

#endif
