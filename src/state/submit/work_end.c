/* Finds what would show the program that submitted work is done. */
#include "state/submit/work_end.h"

#include "state/submit/fence.h"
#include "state/submit/semaphore.h"
#include "objects/device.h"

/* The search for what tells the program that work has ended. */
struct search {
    uint64_t stamp;   /* of the work */
    uint64_t nearest; /* stamp of the nearest object so far; UINT64_MAX: nothing was found yet */
    struct work_end end;
};

/* True if the stamp is of the same queue, not before the work, and the first so far. */
static bool is_nearer(const struct search *search, uint64_t stamp)
{
    return stamp >> 56 == search->stamp >> 56 && stamp >= search->stamp && stamp < search->nearest;
}

/* Looks whether the fence shows the work's end sooner than the nearest object so far. Other
 * processes may signal shared fences. */
static void look_at_fence(struct search *search, const struct object *object)
{
    const struct fence *fence = object_load_state(object);
    const uint64_t payload =
        fence ? atomic_load_explicit(&fence->payload, memory_order_acquire) : 0;
    if (payload < FENCE_PAYLOAD_COUNT || !is_nearer(search, payload) ||
        atomic_load_explicit(&fence->shared, memory_order_relaxed))
        return;
    search->nearest = payload;
    search->end = (struct work_end){.type = HANDLE_FENCE, .handle = object_handle(object)};
}

/* Looks whether the next value of a timeline semaphore shows the work's end sooner. */
static void look_at_semaphore(struct search *search, const struct object *object)
{
    struct timeline_point point;
    if (!semaphore_next_signal(object_load_state(object), search->stamp, &point) ||
        !is_nearer(search, point.stamp))
        return;
    search->nearest = point.stamp;
    search->end = (struct work_end){HANDLE_SEMAPHORE, object_handle(object), point.value};
}

/* Looks at one fence or semaphore. For object_for_each_owned(); `context`: search. */
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
