/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_VK_HANDLE_TYPES_H
#define ASSAY_VK_HANDLE_TYPES_H

#include <stdbool.h>

#include "vk/vulkan.h"

/* Every handle type of the registry, small enough for the low byte of an id. */
enum handle_type {
    HANDLE_NONE = 0, /* a free slot */
% for name in m.handle_order:
    ${m.handle_constant(name)},
% endfor
    HANDLE_TYPE_COUNT
};

/* Inline, as nearly all callers know the type and the answer costs them nothing. */
static inline bool handle_type_is_dispatchable(enum handle_type type)
{
    switch (type) {
% for name in m.dispatchable:
    case ${m.handle_constant(name)}:
% endfor
        return true;
    default:
        return false;
    }
}

extern const char *const handle_type_name[HANDLE_TYPE_COUNT]; /* "VkBuffer" */
extern const VkObjectType handle_type_object_type[HANDLE_TYPE_COUNT];
extern const VkDebugReportObjectTypeEXT handle_type_debug_report[HANDLE_TYPE_COUNT];

/* HANDLE_NONE for what is not a handle type of this registry. */
enum handle_type handle_type_of_object_type(VkObjectType type);
enum handle_type handle_type_of_debug_report(VkDebugReportObjectTypeEXT type);

#endif
