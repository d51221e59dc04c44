/* The common part of all objects' states: the last use by submitted work, and how a check finds the
 * state of a handle.
 *
 * An object's slot points to its state (`object->state`). The after hook of the command that
 * creates the object allocates the state, and it is freed with the slot (state.c). It stays
 * readable for a while to threads that wrongly use the object at that moment. It is NULL if memory
 * ran out: then nothing is known, and nothing is reported. States refer to other objects by id
 * (`object->id`), never by pointer: an old id finds nothing, with unique handles or without.
 * Threads: each member says its own. */
#ifndef ASSAY_STATE_OBJECT_STATE_H
#define ASSAY_STATE_OBJECT_STATE_H

#include "base/plain_atomic.h"
#include "chassis/hooks.h"

/* The first member of every state. */
struct object_state {
    struct object *object; /* const */
    /* const: the object's id when the state was allocated; 0: object_state_new() did not allocate
     * it */
    uint64_t id;
    /* use_stamp() of the last submission that uses the object (state/submit/queue.h); 0: none.
     * Relaxed */
    _Atomic uint64_t last_use;
};

/* The object that a successful create command gave the program, for an after hook that adds its
 * state. NULL: the call failed, memory ran out, or the object already has a state. */
static inline struct object *created_object(const struct call *call, uint64_t handle,
                                            enum handle_type type)
{
    struct object *object = call->result >= VK_SUCCESS ? call_find(call, handle, type) : NULL;
    return object && !object->state ? object : NULL;
}

/* Allocates a zeroed state of `size` bytes with its head set, which is not published yet. NULL:
 * `object` is NULL, or memory ran out. */
static inline MUST_CHECK void *object_state_new(struct object *object, size_t size)
{
    assert(size >= sizeof(struct object_state));
    struct object_state *state = object ? mem_alloc_state(size) : NULL;
    if (state) {
        state->object = object;
        state->id = atomic_load_explicit(&object->id, memory_order_relaxed);
    }
    return state;
}

/* Publishes a state, as the last step of a create hook. Another thread may have destroyed the
 * object meanwhile (with its pool, for example), and its slot may have another object by now. That
 * one must not get this state, which is freed. */
static inline void object_state_publish(struct object *object, void *state)
{
    assert(state);
    const struct object_state *head = state;
    if (unlikely(head->id && atomic_load_explicit(&object->id, memory_order_acquire) != head->id)) {
        mem_retire(state);
        return;
    }
    plain_store_release(&object->state, state);
}

/* The object's id, for other states to remember. */
static inline uint64_t object_state_id(const struct object_state *state)
{
    return atomic_load_explicit(&state->object->id, memory_order_relaxed);
}

/* The program's handle of the object, for messages and OBJECT(). */
static inline uint64_t object_state_handle(const struct object_state *state)
{
    return object_handle(state->object);
}

static inline void *object_load_state(const struct object *object)
{
    return object ? plain_load_acquire(&object->state) : NULL;
}

/* The state of an object that was found by its id. The id is loaded before and after, as
 * call_name() does: another thread may have destroyed the object in between, and its slot may have
 * an object of another type. */
static ALWAYS_INLINE void *object_load_state_of(const struct object *object, uint64_t id)
{
    void *state = object_load_state(object);
    return state && likely(atomic_load_explicit(&object->id, memory_order_relaxed) == id) ? state
                                                                                          : NULL;
}

/* The same of an object whose handle is not at hand: NULL where it is not of this type any more. */
static inline void *object_load_state_typed(const struct object *object, enum handle_type type)
{
    const uint64_t id = object ? atomic_load_explicit(&object->id, memory_order_acquire) : 0;
    return object_id_type(id) == type ? object_load_state_of(object, id) : NULL;
}

/* The state of a remembered object; NULL once it is destroyed. */
static ALWAYS_INLINE void *object_state_by_id(uint64_t id, enum handle_type type)
{
    return object_load_state_of(object_find_id(id, type), id);
}

/* The state of `object`, which call_find() gave for this handle. NULL: another thread has destroyed
 * the object since. */
static ALWAYS_INLINE void *object_load_state_as(const struct call *call,
                                                const struct object *object, uint64_t handle,
                                                enum handle_type type)
{
    if (likely(call->wraps && !handle_type_is_dispatchable(type)))
        return object_load_state_of(object, handle);
    void *state;
    return object && object_read_state(object, handle, type, &state) ? state : NULL;
}

/* The state of the object that call_find() finds. */
static ALWAYS_INLINE void *call_find_state(const struct call *call, uint64_t handle,
                                           enum handle_type type)
{
    return likely(call->wraps && !handle_type_is_dispatchable(type))
               ? object_state_by_id(handle, type)
               : call_find_state_driver(call, handle, type);
}

/* Notes that a descriptor may refer to the object with this id, so that its destruction must be
 * noted (descriptor_set.c). */
static ALWAYS_INLINE void object_described(uint64_t id)
{
    /* from a handle that the program passed, which may be invalid */
    uint32_t index = object_index(id);
    if (unlikely(index >= atomic_load_explicit(&object_limit, memory_order_relaxed)))
        return;
    struct object *object = &object_slots[index];
    if (unlikely(!object_has(object, OBJECT_DESCRIBED)))
        atomic_fetch_or_explicit(&object->flags, OBJECT_DESCRIBED, memory_order_relaxed);
}

/* True if the handle is parameter number `which` of the parameters that the entry has looked up;
 * for asserts. With unique handles, the handle gives the slot's number, whatever object is there
 * now. */
static inline bool call_names(const struct call *call, uint32_t which, uint64_t handle)
{
    const struct object *object = call->named[which].object;
    return which < CALL_NAMED &&
           (!object || !call->wraps || object == &object_slots[object_index(handle)]);
}

/* Defines find_<name>(call, handle): the state of a handle that the program passed. NULL:
 * VK_NULL_HANDLE, an unknown handle, or memory ran out.
 * Also defines <name>_by_id(id): the state of a remembered id; NULL once the object is destroyed.
 * Another thread may destroy the object at any moment, so each call may be the first that returns
 * NULL. A caller keeps the result, which stays readable until the call ends, or calls again and
 * checks again.
 * Also defines named_<name>(call, which, handle): find_<name>() for a parameter that the entry has
 * looked up (call->named). The command's own hooks use it. */
#define STATE_FINDERS(name_, Handle_, HANDLE_TYPE_)                                    \
    static inline struct name_ *find_##name_(const struct call *call, Handle_ handle)  \
    {                                                                                  \
        return call_find_state(call, (uint64_t)(uintptr_t)handle, HANDLE_TYPE_);       \
    }                                                                                  \
    static inline struct name_ *named_##name_(const struct call *call, uint32_t which, \
                                              Handle_ handle)                          \
    {                                                                                  \
        assert(call_names(call, which, (uint64_t)(uintptr_t)handle));                  \
        return call->named[which].state;                                               \
    }                                                                                  \
    static inline struct name_ *name_##_by_id(uint64_t id)                             \
    {                                                                                  \
        return object_state_by_id(id, HANDLE_TYPE_);                                   \
    }

#endif
