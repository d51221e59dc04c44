/* The state of fences (7.3): each is unsignaled, pending with a known submission, or signaled. */
#ifndef ASSAY_STATE_FENCE_H
#define ASSAY_STATE_FENCE_H

#include "state/submit/queue.h"

/* The most semaphore waits that are kept for the last present of an acquired swapchain image. Once
 * the acquire is known to have completed, these waits have completed too. */
#define PRESENT_WAITS 4
struct present_waits {
    _Atomic uint64_t stamps[PRESENT_WAITS]; /* 0 = none. Relaxed */
};

enum fence_status { FENCE_UNSIGNALED, FENCE_SIGNALED, FENCE_PENDING, FENCE_UNKNOWN };

/* Threads: const, except for the atomics. A fence is externally synchronised when its payload
 * changes, but not during a wait. */
struct fence {
    struct object_state base;
    VkExternalFenceHandleTypeFlags export_types;
    /* an enum fence_payload, or the stamp of the submission that signals it */
    _Atomic uint64_t payload;
    /* others know the payload too, so that nothing is known about the fence any more */
    _Atomic bool shared;
    struct present_waits present;
};
STATE_FINDERS(fence, VkFence, HANDLE_FENCE)

/* Values of `payload` that are not stamps. Stamps are larger than these. */
enum fence_payload {
    FENCE_PAYLOAD_UNSIGNALED,
    FENCE_PAYLOAD_SIGNALED,
    FENCE_PAYLOAD_UNKNOWN,   /* imported temporarily, until the fence is reset */
    FENCE_PAYLOAD_ACQUIRING, /* the presentation engine signals it */
    FENCE_PAYLOAD_COUNT
};

/* The status of a fence. FENCE_UNKNOWN if `fence` is NULL or its payload is shared. A fence whose
 * submission is known to have completed is signaled. */
enum fence_status fence_status(const struct device *device, const struct fence *fence);

/* The queue whose submission will signal the pending fence; NULL: it is not pending, or the
 * presentation engine will signal it. */
struct queue *fence_queue(const struct device *device, const struct fence *fence);

/* Notes that the submission with this stamp will signal the fence. `fence` may be NULL; stamp 0:
 * the submission is not tracked. */
void fence_submit(struct fence *fence, uint64_t stamp);

#endif
