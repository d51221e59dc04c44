/* The states of all objects have this in common: when submitted work used them last, and how a
 * check gets from a handle to them.
 *
 * A state hangs off its object's slot (`object->state`). The after hook of the command that creates
 * the object makes it, and it is freed when the slot is given back (state.c). It stays readable for
 * a while to threads that use the object wrongly at that moment. It is NULL where memory was out:
 * then nothing can be said, and there is no finding. States refer to other objects by id
 * (`object->id`), never by pointer: a stale id finds nothing, in both handle modes.
 * Threads: each member says its own. */
#ifndef ASSAY_STATE_OBJECT_STATE_H
#define ASSAY_STATE_OBJECT_STATE_H

#include "base/plain_atomic.h"
#include "chassis/hooks.h"

/* The first member of every state. */
struct object_state {
    struct object *object; /* const */
    /* const: the object's when the state was made; 0 where object_state_new() did not make it */
    uint64_t id;
    /* by submitted work: use_stamp() of the last submission (state/submit/queue.h); 0 = never.
     * Relaxed */
    _Atomic uint64_t last_use;
};

/* The object that a successful create command gave the program, for an after hook to hang a state
 * on; NULL when the call failed, memory was out, or the object has a state already. */
static inline struct object *created_object(const struct call *call, uint64_t handle,
                                            enum handle_type type)
{
    struct object *object = call->result >= VK_SUCCESS ? call_find(call, handle, type) : NULL;
    return object && !object->state ? object : NULL;
}

/* Zeroed memory for a state of `size` bytes with its head filled in, not published yet; NULL when
 * `object` is NULL or memory is out. */
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

/* The last thing that a create hook does. Another thread may have destroyed the object meanwhile
 * (its pool, say), and its slot may be another object's by now. That one must not get this state,
 * which is not needed any more. */
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

/* The handle that the program has for it, for messages and OBJECT(). */
static inline uint64_t object_state_handle(const struct object_state *state)
{
    return object_handle(state->object);
}

static inline void *object_load_state(const struct object *object)
{
    return object ? plain_load_acquire(&object->state) : NULL;
}

/* The same of an object that was found by its id. The id is asked before and after, as call_name()
 * does: another thread may have destroyed the object in between, and its slot may be an object's of
 * another type. `by_id` false: it was found by the driver's handle. */
static ALWAYS_INLINE void *object_load_state_of(const struct object *object, uint64_t id,
                                                bool by_id)
{
    void *state = object_load_state(object);
    return state && by_id && unlikely(atomic_load_explicit(&object->id, memory_order_relaxed) != id)
               ? NULL
               : state;
}

/* From now on a descriptor may refer to the object of this id, so that its end must be noted
 * (descriptor_set.c). */
static ALWAYS_INLINE void object_described(uint64_t id)
{
    uint32_t index = object_index(id); /* of a handle that the program passed, which may be none */
    if (unlikely(index >= atomic_load_explicit(&object_limit, memory_order_relaxed)))
        return;
    struct object *object = &object_slots[index];
    if (unlikely(!object_has(object, OBJECT_DESCRIBED)))
        atomic_fetch_or_explicit(&object->flags, OBJECT_DESCRIBED, memory_order_relaxed);
}

/* True if the call has this handle as its parameter number `which` of the parameters that the entry
 * has looked up: for asserts. The slot's number belongs to the handle, whatever object is there by
 * now. */
static inline bool call_names(const struct call *call, uint32_t which, uint64_t handle)
{
    const struct object *object = call->named[which].object;
    return which < CALL_NAMED &&
           (!object || !call->wraps || object == &object_slots[object_index(handle)]);
}

/* Defines find_<name>(call, handle): the state of a handle that the program passed. It is NULL for
 * VK_NULL_HANDLE, unknown ones, and where memory was out. Defines <name>_by_id(id), too: the state
 * of a remembered id, NULL once the object is destroyed. Each look may be the first that finds
 * nothing, as another thread may destroy the object at any moment. A caller keeps what it got,
 * which stays readable until the call ends, or asks again and looks whether it is there.
 * named_<name>(call, which, handle) is find_<name>() for a parameter that the entry has looked up
 * (call->named): hooks of the command itself use it. */
#define STATE_FINDERS(name_, Handle_, HANDLE_TYPE_)                                             \
    static inline struct name_ *find_##name_(const struct call *call, Handle_ handle)           \
    {                                                                                           \
        const uint64_t number = (uint64_t)(uintptr_t)handle;                                    \
        return object_load_state_of(call_find(call, number, HANDLE_TYPE_), number,              \
                                    call->wraps && !handle_type_is_dispatchable(HANDLE_TYPE_)); \
    }                                                                                           \
    static inline struct name_ *named_##name_(const struct call *call, uint32_t which,          \
                                              Handle_ handle)                                   \
    {                                                                                           \
        assert(call_names(call, which, (uint64_t)(uintptr_t)handle));                           \
        return call->named[which].state;                                                        \
    }                                                                                           \
    static inline struct name_ *name_##_by_id(uint64_t id)                                      \
    {                                                                                           \
        return object_load_state_of(object_find_id(id, HANDLE_TYPE_), id, true);                \
    }

#endif
