/* Every entry does this around the call down: it finds the call's device, the hooks to visit, and
 * objects that begin and end.
 * Threads: a table is built by one thread before it is published, and const then. */
#ifndef ASSAY_CHASSIS_HOOKS_H
#define ASSAY_CHASSIS_HOOKS_H

#include "base/plain_atomic.h"
#include "objects/device.h"

/* Folds the hooks of `validators` into flat lists. `first` of all validators is the state tracker:
 * it runs first. False when memory is out; the table is then empty and all calls go straight
 * through. */
bool hook_table_build(struct hook_table *table, const struct validator *const *validators,
                      uint32_t count) MUST_CHECK;
void hook_table_free(struct hook_table *table);

/* The hooks of the first phase; the hooks of the next phase stand after the NULL that ends them. */
static inline const void *hook_list(const struct hook_table *table, enum command command)
{
    return table->list[command];
}
bool hook_table_has(const struct hook_table *table, enum command command);

/* The table does not know the handle (destroyed, or never handed out). Its device or instance may
 * still be known by the loader's dispatch table; then the fault is reported there. False when they
 * are unknown or the call must not go on. */
bool call_begin_unknown_device(struct call *call, const void *handle) COLD;
bool call_begin_unknown_instance(struct call *call, const void *handle) COLD;

/* A validate hook and the callback have refused the call. The other validators look at it, too, and
 * see in its result that it was refused. Then what validate hooks have changed all the same is
 * taken back. For the commands that record. (validators.c) */
void call_refuse(struct call *call) COLD;
void call_take_back(const struct call *call) COLD;

static ALWAYS_INLINE void call_leave(const struct call *call)
{
    thread_leave(call->entered);
}

/* Declares the call that a function is, from entering the layer to leaving it. `command_`: other
 * threads' findings may name it (threads/mark.c). */
#define CALL(name_, command_)                               \
    __attribute__((cleanup(call_leave))) struct call name_; \
    name_.entered = thread_enter((uint32_t)(command_) + 1)
static_assert(COMMAND_COUNT < THREAD_WHAT, "a command, and 0 for none");

/* The call keeps what its hooks derive until it ends (call::derived). */
void call_forget_derived(struct call *const *call) COLD;
#define CALL_DERIVES(name_)                                                                    \
    __attribute__((cleanup(call_forget_derived))) struct call *const derives_##name_ = &name_; \
    name_.derived = NULL

/* Fills in `call`: by whom it is, and on what. False: the call cannot go on. */
static ALWAYS_INLINE bool call_begin_device(struct call *call, enum command command,
                                            const void *caller, const void *handle,
                                            enum handle_type type)
{
    uint64_t id;
    struct object *object = object_find_dispatchable_id(handle, type, &id);
    struct command_buffer *command_buffer = NULL;
    if (type == HANDLE_COMMAND_BUFFER && likely(object)) {
        /* The id before and after: its generation grows with each use of the slot. So the slot was
         * this object's all the while, and the state is a command buffer's. */
        command_buffer = plain_load_acquire(&object->state);
        if (unlikely(atomic_load_explicit(&object->id, memory_order_relaxed) != id))
            object = NULL; /* another thread has freed the command buffer in this moment */
    }
    if (unlikely(!object)) {
        *call = (struct call){.command = command, .caller = caller, .entered = call->entered};
        return call_begin_unknown_device(call, handle);
    }
    struct device *device = device_of(object);
    if (unlikely(!device)) /* another thread is destroying the device */
        return false;
    /* one by one: what is set here need not be cleared first, and the mark not at all */
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
    /* which finds nothing for VK_NULL_HANDLE */
    return object_find(call->wraps, handle, type, call->owner);
}

/* The state of the object that call_find() finds by a handle of the driver; NULL: there is none. */
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
    /* The id before and after, as with a command buffer: the state is this object's. Else another
     * thread has destroyed the object in this moment. */
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
    /* slot of the first of others that go with it, chained through sibling_next; 0 = none */
    uint32_t first;
    uint64_t driver; /* for the call down */
    /* driver handles of an array; the program's own array where handles are not wrapped */
    const uint64_t *drivers;
    /* of that array; 0 when memory is out: the driver then frees them with their pool */
    uint32_t driver_count;
    const void *caller; /* the program's return address */
    struct scratch_mark mark;
};
/* Takes the object (and a pool's or swapchain's children) out of the table. So no lookup finds them
 * while the driver may already give their handles out again. */
void destruction_begin(struct destruction *dying, const struct call *call, enum handle_type type,
                       uint64_t handle);
void destruction_begin_array(struct destruction *dying, const struct call *call,
                             enum handle_type type, const void *handles, uint32_t count);
void destruction_begin_children(struct destruction *dying, const struct call *call,
                                enum handle_type type, uint64_t handle);
/* A device or instance, and all that it still owns. False when another thread was first. */
bool destruction_begin_owner(struct destruction *dying, struct object *object) MUST_CHECK;
/* Called after the last hook: the slots may be used again. */
void destruction_end(struct destruction *dying);

/* Displays and modes come back inside structures. */
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
