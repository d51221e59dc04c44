/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_VK_DISPATCH_TABLES_H
#define ASSAY_VK_DISPATCH_TABLES_H

#include <stdbool.h>

#include "vk/vulkan.h"

/* The next layer's or driver's functions; NULL for what it does not have. An alias is kept under the command that it is an alias of. */
struct instance_dispatch {
    PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
    PFN_vkVoidFunction (VKAPI_PTR *GetPhysicalDeviceProcAddr)(VkInstance instance, const char *name); /* may be NULL */
% for name, c in m.commands.items():
% if not m.is_device_command(c) and not m.is_global(c) and name != 'vkGetInstanceProcAddr':
    PFN_${name} ${name[2:]};
% endif
% endfor
};

struct device_dispatch {
% for name, c in m.commands.items():
% if m.is_device_command(c):
    PFN_${name} ${name[2:]};
% endif
% endfor
};

struct call;

/* The functions that make these calls in the driver's stead, or NULL. `app` is what the program passed. The array
 * after it is what would go down: in the driver's handles, const. */
struct down_calls {
% for name, array in rules.REPLACED.items():
<% c = m.commands[name]; info = next(p for p in c.params if p.name == array) %>\
    VkResult (*${name[2:]})(struct call *call, ${info.fullType} app, ${m.parameter_list(c)});
% endfor
};

void instance_dispatch_load(struct instance_dispatch *dispatch, VkInstance instance, PFN_vkGetInstanceProcAddr next,
                            bool aliases_first);
void device_dispatch_load(struct device_dispatch *dispatch, VkDevice device, PFN_vkGetDeviceProcAddr next);

#endif
