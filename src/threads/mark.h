/* A mark in an object says which call is in it. A call that needs an object for itself leaves its
 * mark in it on the way in (before hooks). It takes the mark out on the way out (after hooks), and
 * leaves its thread's number there: a trace. A call that finds another thread's mark has found two
 * threads in one object. One that finds another thread's trace may hold its window open for a
 * moment, so that the other thread meets its mark (window.h). chassis/mark.h describes the bits of
 * a mark and how a call leaves it. The entries of commands that are recorded leave theirs
 * themselves, before the before hooks, and take it out after the after hooks.
 *
 * Marks are written with plain relaxed stores and read with relaxed loads. There is no locked
 * instruction, so two threads that enter at the same instant may both see no mark. The one that
 * stored first then finds the other's mark when it leaves.
 *
 * A correct program is never reported. Let W be a call that needs object O for itself, by thread T.
 * Let U be any other call that uses O, by thread S != T. The program is correct only if W and U are
 * ordered by happens-before (3.6: not executed simultaneously, and separated by a memory barrier).
 * All of a call's loads and stores of O's word lie between its begin and its end. So do those of a
 * window that it holds open, which are loads.
 *   - U before W: whatever U stored to the word was followed, in U, by its own store of a trace, or
 *     U stored nothing. All of U's stores happen before W's loads, so by coherence W reads U's last
 *     store or a later one, never U's mark.
 *   - W before U: the same with the names exchanged.
 *   - By induction over all calls on O, whatever W reads on the way in is 0, a trace, or was left
 *     by T itself. The latter is a call of T that encloses W (a callback of the program that calls
 *     Vulkan again), or the same object twice in one call. Traces and marks of the own thread are
 *     never reported. After that W reads its own mark, or its trace when an enclosed call of T has
 *     taken it out. This holds while its window is open, and on the way out.
 *   - The one store to the word of a call that only reads O (MARK_REPORTED in another's mark) comes
 *     after a finding, which a correct program never has.
 *   - A call never takes its mark out of an object that it destroys: the driver may have given the
 *     handle to another thread before the call is back. The mark stays in a slot that no lookup
 *     finds. object_create stores 0 before it publishes the slot again. What the program learns
 *     from a creation happens before what it does with the object.
 *   - A call that is skipped leaves no mark: before hooks run only when the call goes down, and
 *     after hooks then always do.
 *   - Threads past 16,382 share a number, which hides a race between two of them and makes none up.
 *     Thread numbers are reused after a thread's end, when it is in no call. Two races are missed:
 *     a third thread while two are reported, and a thread that leaves before the other's store is
 *     seen.
 * Threads: any; this comment has the proof. */
#ifndef ASSAY_THREADS_MARK_H
#define ASSAY_THREADS_MARK_H

#include "chassis/mark.h"

static inline uint32_t mark_thread(uint64_t mark)
{
    return (uint32_t)mark & MARK_THREAD;
}

/* True: a call is in the object. False: the mark is a trace, or 0. */
static inline bool mark_is_inside(uint64_t mark)
{
    return mark > USER_IS_GONE;
}

/* Reports that two threads are in `object`; `other` is the mark of the other call. `write`: both
 * calls need the object for themselves. If not, a window that the other call holds open ends. */
void threads_report(const struct call *call, const struct object *object, uint64_t other,
                    bool write, const char *parameter) COLD;

/* Called when two threads may be in the object: mark_enter() or mark_leave() found an unusual
 * mark. */
void threads_enter_marked(const struct call *call, struct object *object, const char *parameter);
void threads_leave_marked(const struct call *call, struct object *object, const char *parameter);

/* The call uses `object` (may be NULL), and other calls may use it at the same time. */
static ALWAYS_INLINE void threads_read(const struct call *call, const struct object *object,
                                       const char *parameter)
{
    if (unlikely(!object))
        return;
    uint64_t seen = atomic_load_explicit(&object->user, memory_order_relaxed);
    if (unlikely(mark_is_inside(seen)) && mark_thread(seen) != mark_self())
        threads_report(call, object, seen, false, parameter);
}

/* Returns the live object of a handle in the call's parameters, or NULL. */
static ALWAYS_INLINE struct object *threads_find(const struct call *call, uint64_t handle,
                                                 enum handle_type type)
{
    return object_find(call->wraps, handle, type, call->owner);
}

static inline struct object *threads_find_dispatchable(const struct call *call, const void *handle,
                                                       enum handle_type type)
{
    return object_find_dispatchable(handle, type);
}

/* Enter or leave a 64-bit handle whose type another parameter gives. */
void threads_enter_typed(const struct call *call, uint64_t handle, enum handle_type type,
                         const char *parameter);
void threads_leave_typed(const struct call *call, uint64_t handle, enum handle_type type,
                         const char *parameter);

/* Check the command buffers that are submitted: no other thread may record them. */
void threads_read_submits(const struct call *call, uint32_t count, const VkSubmitInfo *submits);
void threads_read_submits2(const struct call *call, uint32_t count, const VkSubmitInfo2 *submits);

/* Enter or leave the objects of implicit parameters. `all`: also the queues that synchronise
 * themselves. */
void threads_enter_sets_of_pool(const struct call *call, VkDescriptorPool pool);
void threads_leave_sets_of_pool(const struct call *call, VkDescriptorPool pool);
void threads_enter_physical_devices(const struct call *call);
void threads_leave_physical_devices(const struct call *call);
void threads_enter_queues(const struct call *call, bool all);
void threads_leave_queues(const struct call *call, bool all);

#endif
