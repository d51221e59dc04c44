/* The steps of every entry around the call down: it finds the call's device, the hooks to visit,
 * and objects that begin and end. Threads: a table is built by one thread before it is published,
 * and const after that. */
#ifndef ASSAY_CHASSIS_HOOKS_H
#define ASSAY_CHASSIS_HOOKS_H

#include "base/plain_atomic.h"
#include "objects/device.h"

/* Builds flat lists from the hooks of `validators`. The state tracker is the first validator, and
 * runs first. False when out of memory; the table is then empty and all calls go straight
 * through. */
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

/* Called when the table does not know the handle (destroyed, or never created). The loader's
 * dispatch table may still lead to the device or instance; then the fault is reported there. False
 * when they are unknown or the call must not go on. */
bool call_begin_unknown_device(struct call *call, const void *handle) COLD;
bool call_begin_unknown_instance(struct call *call, const void *handle) COLD;

/* Called when a validate hook and the callback have refused the call. The other validators also
 * check it, and see in its result that it was refused. After that, changes that validate hooks have
 * made are undone. Only for commands that record (validators.c). */
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

/* Fills in the caller of `call`, and the object that it is made on. False: the call cannot go
 * on. */
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
            object = NULL; /* another thread has just freed the command buffer */
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

/* The live object of the call's device or instance that the program means by `handle`, or NULL. */
static ALWAYS_INLINE struct object *call_find(const struct call *call, uint64_t handle,
                                              enum handle_type type)
{
    /* This finds nothing for VK_NULL_HANDLE. */
    return object_find(call->wraps, handle, type, call->owner);
}

/* Returns the state of the object that call_find() finds by a handle of the driver. NULL: there is
 * no state. */
void *call_find_state_driver(const struct call *call, uint64_t handle, enum handle_type type);

/* Fills in call->named[which] by a handle of the driver. */
void call_name_driver(struct call *call, uint32_t which, uint64_t handle, enum handle_type type);

/* Fills in call->named[which]. */
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

/* Fills in call->named[which], in entries that are compiled for size. */
void call_name_rarely(struct call *call, uint32_t which, uint64_t handle, enum handle_type type);

/* --- objects that begin --- */
/* The part of the info that is the same for all objects which a call creates, of a type that is not
 * a child of its parent. `driver` is creation_adopt()'s. */
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
    struct object *object; /* taken out of the table, or NULL */
    /* slot of the first of the other objects that end with this one, chained by sibling_next; 0 =
     * none */
    uint32_t first;
    uint64_t driver; /* the handle that the driver is given */
    /* driver handles of an array; the program's own array where handles are not wrapped */
    const uint64_t *drivers;
    /* the length of that array; 0 when out of memory: the driver then frees them with their pool */
    uint32_t driver_count;
    const void *caller; /* the program's return address */
    struct scratch_mark mark;
};
/* Takes the object (and a pool's or swapchain's children) out of the table. After that no lookup
 * finds them, although the driver may already give their handles out again. */
void destruction_begin(struct destruction *dying, const struct call *call, enum handle_type type,
                       uint64_t handle);
void destruction_begin_array(struct destruction *dying, const struct call *call,
                             enum handle_type type, const void *handles, uint32_t count);
void destruction_begin_children(struct destruction *dying, const struct call *call,
                                enum handle_type type, uint64_t handle);
/* Does the same for a device or instance, and all that it still owns. False when another thread was
 * first. */
bool destruction_begin_owner(struct destruction *dying, struct object *object) MUST_CHECK;
/* Called after the last hook: the slots may be used again. */
void destruction_end(struct destruction *dying);

/* These give objects to displays and modes, which are returned inside structures. */
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
