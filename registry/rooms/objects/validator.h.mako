/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_OBJECTS_VALIDATOR_H
#define ASSAY_OBJECTS_VALIDATOR_H

#include "objects/area.h"
#include "objects/call.h"

struct settings;
struct instance;
struct device;

/* The hooks of a validator, NULL where it has none. All hooks of a command take the call and the command's own parameters.
 *   validate  finds faults; returns whether the call shall be skipped (always true once it is one with a
 *             dead handle). Changes no state.
 *   before    the call is about to go down.
 *   after     the driver has answered (call->result); out parameters hold what the app will see. */
struct validator_hooks {
% for name, c in m.commands.items():
    bool (*validate_${name[2:]})(struct call *call, ${m.parameter_list(c)});
    void (*before_${name[2:]})(struct call *call, ${m.parameter_list(c)});
    void (*after_${name[2:]})(struct call *call, ${m.parameter_list(c)});
% endfor
};

/* The first of them, of HOOK_PHASES a command. */
#define VALIDATOR_FIRST_HOOK(hooks) ((void (**)(void))(void *)&(hooks)->validate_${list(m.commands)[0][2:]})

struct validator {
    const char *name;
    bool (*enabled)(const struct settings *settings);
    /* Changes the copy of what the program asks for that goes down (what it adds lies in the
     * thread's scratch memory). The program and the other validators never see it. NULL: nothing to
     * change. */
    void (*change_instance)(struct instance *instance, VkInstanceCreateInfo *down);
    void (*change_device)(struct device *device, VkDeviceCreateInfo *down);
    bool marks; /* wants each command that needs a command buffer for itself to mark it: chassis/mark.h */
    bool tells_numbers; /* of recorded commands: all of them must be counted (chassis/recorded.h) */
    /* The areas that it keeps in objects, which end when they go; the list ends with HANDLE_NONE.
     * NULL: it keeps nothing that it must free. */
    const struct area_end *areas;
    /* Zeroes until `fill` sets those that it has, once in the process: as a constant, the table would take 17 KB of the file, and the hooks
     * 24 bytes each for the loader to place them. */
    struct validator_hooks *hooks;
    void (*fill)(struct validator_hooks *hooks);
};

#endif
