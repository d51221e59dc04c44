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

/* An object that a parameter names, as it was when the call began. The entry looks it up once for
 * all hooks of the call (registry/model/named_parameters.py). */
struct named_object {
    struct object *object; /* NULL: no live object of the parameter's type has the handle */
    /* object->state, or NULL. It stays readable until the call ends, or waits in the driver, even
     * if another thread wrongly destroys the object meanwhile */
    void *state;
};
#define CALL_NAMED 2

/* Begins a result that a hook has derived from a structure of the call, for all hooks of the call.
 * It is the first member of that result (state/pipeline/graphics_info.c), which is one allocation.
 */
struct derived {
    struct derived *next; /* next result of the call; they form a ring */
    const void *of;       /* the structure that the result is derived from */
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
    /* NULL only in vkCreateInstance and other commands that are called without an instance */
    struct instance *instance;
    /* The state of `object` when the call began, if that is a command buffer; otherwise NULL, also
     * if there was no memory for it. It is looked up once: another thread may free the command
     * buffer at any moment, and a second look-up would then fail. The state stays readable until
     * the call ends (state/command/command_buffer.h). */
    struct command_buffer *command_buffer;
    union {
        struct {
            /* index of the device in the table of owners, or of the instance if there is no
             * device */
            uint16_t owner;
            bool wraps; /* the handles that the program passes are ids */
            /* a validator saw a handle or pointer that cannot be used, and its hook has returned
             * true to skip: the call stops here, whatever callbacks answer */
            bool dead_handle;
            /* the command is not enabled, and that was reported: other findings would only follow
             * from it (report/finding/finding.h) */
            bool not_enabled;
            /* one element of vkUpdateDescriptorSets has a dead handle; special.c finds it again and
             * leaves it out on the way down */
            bool dead_element;
        };
        /* all members of this union in one word, copied from the device or instance with the flags
         * unset */
        uint64_t origin;
    };
    /* for threads: the mark that its before hook leaves in objects, and that its after hook looks
     * for (threads/mark.h) */
    uint64_t mark;
    uint32_t entered; /* the argument for thread_leave() */
    /* The objects of the parameters in registry/model/named_parameters.py, in its order; other
     * elements are not written. Not for after hooks of a call that may wait in the driver
     * (waiting.h), and not after the call has destroyed the objects. */
    struct named_object named[CALL_NAMED];
    /* The derived result that was used last, or NULL. Owned. Only commands in DERIVED
     * (registry/rooms/chassis/rules.py) write it. */
    struct derived *derived;
};

/* Stops a call of which the driver would follow a pointer or handle that cannot be used: it does
 * not go down, whatever callbacks answered. Use it as `return call_stop(call, finding(...));`. A
 * check with a const call may use it too, because the call on the entry's stack is not const. */
static inline bool call_stop(const struct call *call, bool answer)
{
    (void)answer;
    ((struct call *)(uintptr_t)call)->dead_handle = true;
    return true;
}

#define LOCATION_NO_INDEX UINT32_MAX

/* A parameter or member, as a chain to the parameter that contains it. It is on the stack of the
 * functions that walk a structure, and is printed as
 * `pCreateInfo->pNext<VkImageFormatListCreateInfo>.pViewFormats[2]`. */
struct location {
    const struct location *parent; /* NULL for a parameter of the command itself */
    /* name of the parameter or member; for an element of a pNext chain the structure's type name */
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
