/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_CHASSIS_ENTRIES_H
#define ASSAY_CHASSIS_ENTRIES_H

#include "objects/device.h"

/* One entry: what vkGetInstanceProcAddr and vkGetDeviceProcAddr hand out for a name. */
struct entry {
    const char *name;
    PFN_vkVoidFunction function;
    uint16_t command;
    bool device_command;   /* from vkGetDeviceProcAddr */
    bool physical_device;  /* takes a VkPhysicalDevice first */
    uint16_t offered;      /* the extension that the layer itself offers and this belongs to; EXTENSION_COUNT: none */
    bool works;            /* translates, creates or destroys: needed even when no validator hooks it */
    bool marks;            /* marks the command buffer that it needs for itself, where a validator asks for it */
    bool records;          /* has a number in its command buffer, which a validator may tell */
    bool loses;            /* may answer VK_ERROR_DEVICE_LOST, of a device */
    uint16_t enablers;     /* place in entry_enablers of what it needs, one of them, under this name */
    uint16_t dispatch;     /* place of the next one's function in its dispatch table, in pointers; UINT16_MAX: none */
};
extern const struct entry entries[]; /* sorted by name */
extern const uint32_t entry_count;

/* Versions and extensions, in lists that ENABLERS_END ends. The first is empty: Vulkan 1.0. */
#define ENABLERS_END UINT16_MAX
extern const uint16_t entry_enablers[];

% for name, c in m.all_commands.items():
VKAPI_ATTR ${c.returnType} VKAPI_CALL entry_${name}(${m.parameter_list(c)});
% endfor

/* The call down of commands that need more than translation; special.c. */
% for p in rules.plans(m):
% if p.by_hand:
${p.command.returnType} dispatch_${p.name}(struct call *call, ${m.parameter_list(p.command)});
% endif
% if p.command.name in rules.TOLD_OF_CREATION:
void created_${p.name}(struct call *call, ${m.parameter_list(p.command)});
% endif
% endfor
% for name in sorted(rules.TOLD_OF_DESTRUCTION):
void destroying_${name}(struct call *call, ${name} handle);
% endfor

#endif
