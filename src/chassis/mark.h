/* A call leaves a mark in the slot of an object that it needs for itself. It says which thread the
 * call is on, and from where it was made. How two threads in one object are found out, and why a
 * correct program is never reported, is in threads/mark.h.
 *
 * It is here because of command buffers: each command that is recorded needs its command buffer and
 * the pool of it. Two hooks for that took as long as all other checks of a draw. The entries of
 * such commands do it themselves, where a validator asks for it (struct validator, `marks`). */
#ifndef ASSAY_CHASSIS_MARK_H
#define ASSAY_CHASSIS_MARK_H

#include "objects/device.h"

/* mark = reported:1 | thread:15 | caller:48 0: no call */
#define MARK_CALLER       ((1ull << 48) - 1)
#define MARK_THREAD_SHIFT 48
#define MARK_THREAD       0x7fffu
/* the two threads have been reported: the other one need not do it again */
#define MARK_REPORTED (1ull << 63)

/* The calling thread, as marks know it. */
static ALWAYS_INLINE uint32_t mark_self(void)
{
    uint32_t number = thread_self()->number;
    return (likely(number) ? number : thread_number()) & MARK_THREAD;
}

/* What is not the usual case of the two below: the object had a mark already, or does not have the
 * call's own any more. `parameter`: NULL for an object that the call does not name. In
 * validators.c. */
void mark_enter_marked(const struct call *call, struct object *object, const char *parameter) COLD;
void mark_leave_marked(const struct call *call, struct object *object, const char *parameter) COLD;

/* Before the first object is entered. */
static ALWAYS_INLINE void mark_begin(struct call *call)
{
    call->mark = (uint64_t)mark_self() << MARK_THREAD_SHIFT |
                 ((uint64_t)(uintptr_t)call->caller & MARK_CALLER);
}

/* The call needs `object` (may be NULL) for itself from here on. */
static ALWAYS_INLINE void mark_enter(const struct call *call, struct object *object,
                                     const char *parameter)
{
    if (unlikely(!object))
        return;
    if (likely(!atomic_load_explicit(&object->user, memory_order_relaxed)))
        atomic_store_explicit(&object->user, call->mark, memory_order_relaxed);
    else
        mark_enter_marked(call, object, parameter);
}

/* True if the object is the call's, undisturbed. */
static ALWAYS_INLINE bool mark_is_left(const struct call *call, const struct object *object)
{
    return atomic_load_explicit(&object->user, memory_order_relaxed) == call->mark;
}

/* And no longer. */
static ALWAYS_INLINE void mark_leave(const struct call *call, struct object *object,
                                     const char *parameter)
{
    if (unlikely(!object))
        return;
    if (likely(mark_is_left(call, object)))
        atomic_store_explicit(&object->user, 0, memory_order_relaxed);
    else
        mark_leave_marked(call, object, parameter);
}

/* Calls that mark have no mark of 0: the caller's address is in it. The call's command buffer and
 * its pool. "When a commandBuffer parameter needs to be externally synchronized, it implies that
 * the commandPool from which that command buffer was allocated also needs to be externally
 * synchronized." Slot 0, where the pool is unknown, has no owner. */
static ALWAYS_INLINE void mark_enter_command_buffer(struct call *call)
{
    if (unlikely(!call->device->hooks.marks || !call->object)) {
        call->mark = 0;
        return;
    }
    mark_begin(call);
    mark_enter(call, call->object, "commandBuffer");
    if (likely(call->object->parent))
        mark_enter(call, &object_slots[call->object->parent], NULL);
}

/* The pool first: a thread that finds its mark then mostly finds the command buffer's too, and can
 * name it. */
static ALWAYS_INLINE void mark_leave_command_buffer(const struct call *call)
{
    if (unlikely(!call->mark))
        return;
    if (likely(call->object->parent))
        mark_leave(call, &object_slots[call->object->parent], NULL);
    mark_leave(call, call->object, "commandBuffer");
}

#endif
