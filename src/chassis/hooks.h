/* Declares the steps of every entry (the layer's function for a command) around the driver's
 * function. It finds the call's device and hooks, and adds or removes the objects that the call
 * creates or destroys. Threads: a table is built by one thread before it is published, and const
 * after that. */
#ifndef ASSAY_CHASSIS_HOOKS_H
#define ASSAY_CHASSIS_HOOKS_H

#include "base/plain_atomic.h"
#include "objects/device.h"

/* Builds the lists of hooks from `validators`, of which the state tracker is the first. Returns
 * false if memory is out; then the table is empty, and no call has hooks. */
bool hook_table_build(struct hook_table *table, const struct validator *const *validators,
                      uint32_t count) MUST_CHECK;
void hook_table_free(struct hook_table *table);

/* Returns the hooks of the first phase. The hooks of the next phase follow the NULL that ends
 * it. */
static inline const void *hook_list(const struct hook_table *table, enum command command)
{
    return table->list[command];
}
bool hook_table_has(const struct hook_table *table, enum command command);

/* Called when the table of objects does not have the handle (destroyed, or never created). If the
 * loader's dispatch table still leads to the device or instance, a finding is reported there.
 * Returns false if that is unknown, or the call must not go on. */
bool call_begin_unknown_device(struct call *call, const void *handle) COLD;
bool call_begin_unknown_instance(struct call *call, const void *handle) COLD;

/* Both are called when a finding of a validate hook has the call skipped, for commands that record
 * (src/validators.c). call_refuse() sets a result by which the remaining validators see that the
 * call was refused. call_take_back() then undoes changes that validate hooks have made. */
void call_refuse(struct call *call) COLD;
void call_take_back(const struct call *call) COLD;

static ALWAYS_INLINE void call_leave(const struct call *call)
{
    thread_leave(call->entered);
}

/* Declares the struct call of a function, from entering the layer to leaving it. Findings of other
 * threads may name `command_` (threads/mark.c). */
#define CALL(name_, command_)                               \
    __attribute__((cleanup(call_leave))) struct call name_; \
    name_.entered = thread_enter((uint32_t)(command_) + 1)
static_assert(COMMAND_COUNT < THREAD_WHAT, "a command, and 0 for none");

/* Frees what hooks derive in the call (call::derived) when it ends. */
void call_forget_derived(struct call *const *call) COLD;
#define CALL_DERIVES(name_)                                                                    \
    __attribute__((cleanup(call_forget_derived))) struct call *const derives_##name_ = &name_; \
    name_.derived = NULL

/* Fills in `call` for a command of a device: its caller, and the dispatchable object. Returns false
 * if the call cannot go on. */
static ALWAYS_INLINE bool call_begin_device(struct call *call, enum command command,
                                            const void *caller, const void *handle,
                                            enum handle_type type)
{
    uint64_t id;
    struct object *object = object_find_dispatchable_id(handle, type, &id);
    struct command_buffer *command_buffer = NULL;
    if (type == HANDLE_COMMAND_BUFFER && likely(object)) {
        /* The id is read before and after, because its generation grows with each use of the slot.
         * An equal id proves that the slot was this object's all the time, and that the state is a
         * command buffer's. */
        command_buffer = plain_load_acquire(&object->state);
        if (unlikely(atomic_load_explicit(&object->id, memory_order_relaxed) != id))
            object = NULL; /* another thread has just freed it */
    }
    if (unlikely(!object)) {
        *call = (struct call){.command = command, .caller = caller, .entered = call->entered};
        return call_begin_unknown_device(call, handle);
    }
    struct device *device = device_of(object);
    if (unlikely(!device)) /* another thread is destroying the device */
        return false;
    /* The members are set one by one: they need not be cleared first, and the mark is not set at
     * all. */
    call->command = command;
    call->result = VK_SUCCESS;
    call->caller = caller;
    call->object = object;
    call->command_buffer = command_buffer;
    call_set_device(call, device);
    return true;
}

static ALWAYS_INLINE bool call_begin_instance(struct call *call, enum command command,
                                              const void *caller, const void *handle,
                                              enum handle_type type)
{
    struct object *object = object_find_dispatchable(handle, type);
    *call = (struct call){
        .command = command, .caller = caller, .object = object, .entered = call->entered};
    if (unlikely(!object))
        return call_begin_unknown_instance(call, handle);
    struct instance *instance = owner_instance(object->owner);
    if (unlikely(!instance)) /* another thread is destroying the instance */
        return false;
    call_set_instance(call, instance);
    return true;
}

/* Returns the live object of the call's device or instance with this handle; NULL: there is
 * none. */
static ALWAYS_INLINE struct object *call_find(const struct call *call, uint64_t handle,
                                              enum handle_type type)
{
    /* This finds nothing for VK_NULL_HANDLE. */
    return object_find(call->wraps, handle, type, call->owner);
}

/* Returns the state of the object with this handle of the driver; NULL: there is no object, or it
 * has no state. */
void *call_find_state_driver(const struct call *call, uint64_t handle, enum handle_type type);

/* Fills in call->named[which], the object and state of a parameter, by a handle of the driver. */
void call_name_driver(struct call *call, uint32_t which, uint64_t handle, enum handle_type type);

/* Fills in call->named[which], the object and state of a parameter, by the program's handle. */
static ALWAYS_INLINE void call_name(struct call *call, uint32_t which, uint64_t handle,
                                    enum handle_type type)
{
    struct named_object *named = &call->named[which];
    if (unlikely(!call->wraps)) {
        call_name_driver(call, which, handle, type);
        return;
    }
    struct object *object = object_find_id(handle, type);
    void *state = likely(object) ? plain_load_acquire(&object->state) : NULL;
    /* The id is read before and after, as for a command buffer. If it is equal, the state is this
     * object's; otherwise another thread has just destroyed the object. */
    if (likely(object && atomic_load_explicit(&object->id, memory_order_relaxed) == handle)) {
        named->object = object;
        named->state = state;
    } else {
        *named = (struct named_object){0};
    }
}

/* Does the same as call_name(), not inlined, for entries that are compiled for size. */
void call_name_rarely(struct call *call, uint32_t which, uint64_t handle, enum handle_type type);

/* --- objects that begin --- */
/* Returns the info that is equal for all objects of a call, if they are not children of their
 * parent. creation_adopt() sets `driver` for each. */
static ALWAYS_INLINE struct object_create_info
creation_begin(const struct call *call, enum handle_type type, struct object *parent)
{
    return (struct object_create_info){.type = type,
                                       .owner = call->owner,
                                       .wrapped = call->wraps && !handle_type_is_dispatchable(type),
                                       .parent = parent,
                                       .creator = call->caller};
}

/* --- objects that end --- */
struct destruction {
    struct object *object; /* the object, which was taken out of the table; NULL: it is unknown */
    /* slot of the first of the other objects that end with this one, which sibling_next links; 0:
     * none */
    uint32_t first;
    uint64_t driver; /* handle of the driver */
    /* driver handles of an array of objects; the program's own array if handles are not wrapped */
    const uint64_t *drivers;
    /* length of that array; 0 if memory is out: the driver then frees the objects with their pool
     */
    uint32_t driver_count;
    const void *caller; /* the program's return address */
    struct scratch_mark mark;
};
/* Takes the object, and the children of a pool or swapchain, out of the table. After that no lookup
 * finds them, even if the driver uses their handles again. */
void destruction_begin(struct destruction *dying, const struct call *call, enum handle_type type,
                       uint64_t handle);
void destruction_begin_array(struct destruction *dying, const struct call *call,
                             enum handle_type type, const void *handles, uint32_t count);
void destruction_begin_children(struct destruction *dying, const struct call *call,
                                enum handle_type type, uint64_t handle);
/* Does the same for a device or instance, and all objects that it still owns. Returns false if
 * another thread was first. */
bool destruction_begin_owner(struct destruction *dying, struct object *object) MUST_CHECK;
/* Called after the last hook: the slots may be used again. */
void destruction_end(struct destruction *dying);

/* These add the displays and modes in a returned structure to the table of objects, and replace
 * their handles. */
void adopt_VkDisplayPropertiesKHR(const struct call *call, VkDisplayPropertiesKHR *properties);
void adopt_VkDisplayPlanePropertiesKHR(const struct call *call,
                                       VkDisplayPlanePropertiesKHR *properties);
void adopt_VkDisplayModePropertiesKHR(const struct call *call,
                                      VkDisplayModePropertiesKHR *properties);
void adopt_VkDisplayProperties2KHR(const struct call *call, VkDisplayProperties2KHR *properties);
void adopt_VkDisplayPlaneProperties2KHR(const struct call *call,
                                        VkDisplayPlaneProperties2KHR *properties);
void adopt_VkDisplayModeProperties2KHR(const struct call *call,
                                       VkDisplayModeProperties2KHR *properties);

#endif
