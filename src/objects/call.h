/* One call of the program on its way through the layer, and where in its parameters a finding
 * points.
 */
#ifndef ASSAY_OBJECTS_CALL_H
#define ASSAY_OBJECTS_CALL_H

#include "base/base.h"
#include "objects/object.h"
#include "vk/commands.h" /* generated: enum command, one constant per command and alias */

struct command_buffer;
struct device;
struct instance;

/* An object that a parameter names, as it was when the call began. The entry looks it up once, for
 * all hooks of the call (registry/model/named_parameters.py). */
struct named_object {
    struct object *object; /* NULL: no live object of the parameter's type has the handle */
    /* object->state; NULL where there is none. It stays readable until the call ends, or waits in
     * the driver, even if another thread wrongly destroys the object meanwhile */
    void *state;
};
#define CALL_NAMED 2

/* Begins a result that a hook has derived from a structure of the call, for all hooks of the call.
 * It is the first member of that result (state/pipeline/graphics_info.c), which is one allocation.
 */
struct derived {
    struct derived *next; /* a ring */
    const void *of;       /* the structure */
};

/* Lives on the entry's stack. Threads: the calling thread's own. */
struct call {
    enum command
        /* as the program spelt it; command_root[command] is the command that it is an alias of */
        command;
    /* what the driver answered; valid in after hooks (VK_SUCCESS for commands that return void) */
    VkResult result;
    const void *caller; /* return address into the program */
    /* the dispatchable first parameter; NULL when that is not a live handle */
    struct object *object;
    struct device *device; /* NULL for a call on an instance or physical device */
    /* never NULL but in vkCreateInstance and its like, before it exists */
    struct instance *instance;
    /* The state of `object` as it was when the call began, where that is a command buffer; else
     * NULL, as where memory was out. Looked up once: another thread may free the command buffer at
     * any moment, and a second look would find nothing. What is here stays readable until the call
     * ends (state/command/command_buffer.h). */
    struct command_buffer *command_buffer;
    union {
        struct {
            uint16_t owner; /* of the device, else of the instance */
            bool wraps;     /* the handles that the program passes are ids */
            /* a validator saw a handle or pointer that cannot be used, and its hook asks to skip:
             * the call stops here, whatever callbacks say. The hook that sets it returns true */
            bool dead_handle;
            /* its command is not, and that was reported: what else could be said of the call
             * follows from it (report/finding/finding.h) */
            bool not_enabled;
            /* one element of vkUpdateDescriptorSets has a dead handle: it is left out on the way
             * down (special.c finds it again) */
            bool dead_element;
        };
        /* all these members in one word, which is copied from the device or instance, where nothing
         * is dead */
        uint64_t origin;
    };
    /* of threads: what its before hook leaves in objects, and its after hook looks for
     * (threads/mark.h) */
    uint64_t mark;
    uint32_t entered; /* what thread_leave() is given */
    /* The objects of the parameters in registry/model/named_parameters.py, in its order; other
     * elements are not written. Not for after hooks of a call that may wait in the driver
     * (waiting.h), nor after the call has destroyed the objects. */
    struct named_object named[CALL_NAMED];
    /* The derived result that was asked for last, or NULL. Owned. Only commands in DERIVED
     * (registry/rooms/chassis/rules.py) write it. */
    struct derived *derived;
};

/* The driver would follow a pointer or handle of this call that cannot be used: the call does not
 * go down, whatever callbacks answered. `return call_stop(call, finding(...));` A check that only
 * reads its call may stop it: it lies on the entry's stack, where it is not const. */
static inline bool call_stop(const struct call *call, bool answer)
{
    (void)answer;
    ((struct call *)(uintptr_t)call)->dead_handle = true;
    return true;
}

#define LOCATION_NO_INDEX UINT32_MAX

/* A parameter or member, as a chain to the parameter that it is in; on the stack of the functions
 * that walk a structure. Prints as
 * `pCreateInfo->pNext<VkImageFormatListCreateInfo>.pViewFormats[2]`. */
struct location {
    const struct location *parent; /* NULL for a parameter of the command itself */
    /* of the parameter or member; for an element of a pNext chain the structure's type name */
    const char *name;
    uint32_t index; /* in the array, or LOCATION_NO_INDEX */
    bool pointer;   /* members are reached by "->" (a pointer to one structure) rather than "." */
    bool chained;   /* `name` is a structure type found in the parent's pNext chain */
};

#define LOCATION(parent_, name_) \
    ((struct location){.parent = (parent_), .name = (name_), .index = LOCATION_NO_INDEX})
#define LOCATION_POINTER(parent_, name_) \
    ((struct location){                  \
        .parent = (parent_), .name = (name_), .index = LOCATION_NO_INDEX, .pointer = true})
#define LOCATION_INDEX(parent_, name_, index_) \
    ((struct location){.parent = (parent_), .name = (name_), .index = (index_)})
#define LOCATION_CHAINED(parent_, type_name_) \
    ((struct location){                       \
        .parent = (parent_), .name = (type_name_), .index = LOCATION_NO_INDEX, .chained = true})

#endif
