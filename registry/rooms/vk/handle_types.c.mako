/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "vk/handle_types.h"

const char *const handle_type_name[HANDLE_TYPE_COUNT] = {
    [HANDLE_NONE] = "(none)",
% for name in m.handle_order:
    [${m.handle_constant(name)}] = "${name}",
% endfor
};

const VkObjectType handle_type_object_type[HANDLE_TYPE_COUNT] = {
% for name in m.handle_order:
    [${m.handle_constant(name)}] = ${m.object_type(name)},
% endfor
};

const VkDebugReportObjectTypeEXT handle_type_debug_report[HANDLE_TYPE_COUNT] = {
% for name in m.handle_order:
    [${m.handle_constant(name)}] = ${m.debug_report_type(name)},
% endfor
};

enum handle_type handle_type_of_object_type(VkObjectType type)
{
    switch (type) {
% for name in m.handle_order:
    case ${m.object_type(name)}:
        return ${m.handle_constant(name)};
% endfor
    default:
        return HANDLE_NONE;
    }
}

enum handle_type handle_type_of_debug_report(VkDebugReportObjectTypeEXT type)
{
    if (type == VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT)
        return HANDLE_NONE;
    for (int i = 1; i < HANDLE_TYPE_COUNT; i++) {
        if (handle_type_debug_report[i] == type)
            return (enum handle_type)i;
    }
    return HANDLE_NONE;
}
