/* Finds what would show the program that submitted work has completed. */
#include "state/submit/work_end.h"

#include "state/submit/fence.h"
#include "state/submit/semaphore.h"
#include "objects/device.h"

/* The search for an object that shows the program the end of work. */
struct search {
    uint64_t stamp;   /* stamp of the work */
    uint64_t nearest; /* stamp of the nearest object so far; UINT64_MAX: nothing was found yet */
    struct work_end end;
};

/* True if the stamp is of the work's queue, not before the work, and before the nearest one so
 * far. */
static bool is_nearer(const struct search *search, uint64_t stamp)
{
    return stamp >> 56 == search->stamp >> 56 && stamp >= search->stamp && stamp < search->nearest;
}

/* Checks whether the fence shows the end of the work sooner than the nearest object so far. Shared
 * fences are left out, as other processes may signal them. */
static void look_at_fence(struct search *search, const struct object *object)
{
    const struct fence *fence = object_load_state_typed(object, HANDLE_FENCE);
    const uint64_t payload =
        fence ? atomic_load_explicit(&fence->payload, memory_order_acquire) : 0;
    if (payload < FENCE_PAYLOAD_COUNT || !is_nearer(search, payload) ||
        atomic_load_explicit(&fence->shared, memory_order_relaxed))
        return;
    search->nearest = payload;
    search->end = (struct work_end){.type = HANDLE_FENCE, .handle = object_handle(object)};
}

/* Checks whether the next value of a timeline semaphore shows the end of the work sooner. */
static void look_at_semaphore(struct search *search, const struct object *object)
{
    struct timeline_point point;
    if (!semaphore_next_signal(object_load_state_typed(object, HANDLE_SEMAPHORE), search->stamp,
                               &point) ||
        !is_nearer(search, point.stamp))
        return;
    search->nearest = point.stamp;
    search->end = (struct work_end){HANDLE_SEMAPHORE, object_handle(object), point.value};
}

/* Checks one fence or semaphore. object_for_each_owned() calls it. `context`: struct search. */
static void work_end_look(struct object *object, void *context)
{
    const enum handle_type type = object_type(object);
    if (type == HANDLE_FENCE)
        look_at_fence(context, object);
    else if (type == HANDLE_SEMAPHORE)
        look_at_semaphore(context, object);
}

struct work_end work_end_find(const struct device *device, uint64_t stamp)
{
    struct search search = {.stamp = stamp, .nearest = UINT64_MAX};
    if (stamp && stamp_queue(device, stamp))
        object_for_each_owned(device->owner, work_end_look, &search);
    return search.end;
}
