/* A call puts a mark into the slot of an object that must be externally synchronized. The mark says
 * which thread the call is on, and its caller. threads/mark.h says how two threads in one object
 * are found by it, and why a correct program is never reported.
 *
 * This part is here because of command buffers: each recorded command needs its command buffer and
 * that buffer's pool. Two hooks for that took as long as all other checks of a draw. So the entries
 * of such commands set the marks themselves, if a validator asks for it (`marks` in struct
 * validator). Threads: any; threads/mark.h has the proof. */
#ifndef ASSAY_CHASSIS_MARK_H
#define ASSAY_CHASSIS_MARK_H

#include "objects/device.h"

/* The layout of object::user: caller:48 | reported:1 | 0:1 | thread:14. It has the caller while a
 * call is in the object. After that it only has the thread (USER_IS_GONE). 0: no call has used the
 * object so far. A caller, which is a return address or the number of a stack, is never 0. */
#define MARK_CALLER_SHIFT 16
/* The two threads have been reported, and the other one need not report them again. */
#define MARK_REPORTED (1ull << 15)
#define MARK_THREAD   0x3fffu
static_assert(THREAD_NUMBER_SHARED <= MARK_THREAD, "a mark has room for all threads");

/* Returns the calling thread's number for a mark. */
static ALWAYS_INLINE uint32_t mark_self(void)
{
    uint32_t number = thread_self()->number;
    return likely(number) ? number : thread_number();
}

/* The call's own mark, and the trace of its thread that it leaves in place of the mark. */
struct own_mark {
    uint64_t mark, trace;
};

static ALWAYS_INLINE struct own_mark mark_own(const struct call *call)
{
    return (struct own_mark){.mark = call->mark, .trace = call->mark & USER_IS_GONE};
}

/* Called before the call enters its first object. */
static ALWAYS_INLINE struct own_mark mark_begin(struct call *call)
{
    const uint64_t self = mark_self();
    call->mark = (uint64_t)(uintptr_t)call->caller << MARK_CALLER_SHIFT | self;
    return (struct own_mark){.mark = call->mark, .trace = self};
}

/* These handle the rare cases of the functions below: another thread is or was in the object, or
 * the call's own mark is gone. `parameter`: NULL for an object that the call does not name. In
 * validators.c. */
void mark_enter_marked(const struct call *call, struct object *object, const char *parameter) COLD;
void mark_leave_marked(const struct call *call, struct object *object, const char *parameter) COLD;

/* Sets the call's mark in `object` (may be NULL). If its own thread was the last one in the object,
 * or the first, this costs two comparisons and a store. */
static ALWAYS_INLINE void mark_enter(const struct call *call, struct own_mark own,
                                     struct object *object, const char *parameter)
{
    if (unlikely(!object))
        return;
    if (likely(atomic_load_explicit(&object->user, memory_order_relaxed) == own.trace) ||
        !atomic_load_explicit(&object->user, memory_order_relaxed))
        atomic_store_explicit(&object->user, own.mark, memory_order_relaxed);
    else
        mark_enter_marked(call, object, parameter);
}

/* Replaces the call's mark by its trace. Returns false if another thread is or was in the object;
 * then the caller must call mark_leave_marked(). */
static ALWAYS_INLINE bool mark_leave_alone(struct own_mark own, struct object *object)
{
    if (unlikely(atomic_load_explicit(&object->user, memory_order_relaxed) != own.mark))
        return false;
    atomic_store_explicit(&object->user, own.trace, memory_order_relaxed);
    return true;
}

static ALWAYS_INLINE void mark_leave(const struct call *call, struct own_mark own,
                                     struct object *object, const char *parameter)
{
    if (likely(object) && unlikely(!mark_leave_alone(own, object)))
        mark_leave_marked(call, object, parameter);
}

/* Returns the pool of the call's command buffer; NULL: it is unknown. "When a commandBuffer
 * parameter needs to be externally synchronized, it implies that the commandPool from which that
 * command buffer was allocated also needs to be externally synchronized." The mark of a call that
 * marks is never 0, because the caller's address is in it. */
static ALWAYS_INLINE struct object *mark_pool(const struct object *command_buffer)
{
    const uint32_t parent = atomic_load_explicit(&command_buffer->parent, memory_order_relaxed);
    struct object *pool = &object_slots[parent];
    if (!pool) /* a hint for the compiler, so that callers do not test the result again */
        __builtin_unreachable();
    return likely(parent) ? pool : NULL;
}

static ALWAYS_INLINE void mark_enter_command_buffer(struct call *call)
{
    struct object *command_buffer = call->object;
    if (unlikely(!call->device->hooks.marks || !command_buffer)) {
        call->mark = 0;
        return;
    }
    const struct own_mark own = mark_begin(call);
    mark_enter(call, own, command_buffer, "commandBuffer");
    mark_enter(call, own, mark_pool(command_buffer), NULL);
}

/* Leaves the pool and the command buffer. The pool comes first: a thread that finds the pool's mark
 * then mostly finds the command buffer's mark as well, and can report it. */
static ALWAYS_INLINE void mark_leave_command_buffer(const struct call *call)
{
    const struct own_mark own = mark_own(call);
    if (unlikely(!own.mark))
        return;
    struct object *command_buffer = call->object;
    if (!command_buffer) /* a hint for the compiler: such a call has left no mark */
        __builtin_unreachable();
    mark_leave(call, own, mark_pool(command_buffer), NULL);
    mark_leave(call, own, command_buffer, "commandBuffer");
}

#endif
