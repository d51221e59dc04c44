/* Fences (7.3): each is unsignaled, pending with a known submission, or signaled. */
#ifndef ASSAY_STATE_FENCE_H
#define ASSAY_STATE_FENCE_H

#include "state/submit/queue.h"

/* The most waits that are kept of an acquired swapchain image's present. Once the acquire is known
 * to be done, these are, too. */
#define PRESENT_WAITS 4
struct present_waits {
    _Atomic uint64_t stamps[PRESENT_WAITS]; /* 0 = none. Relaxed */
};

enum fence_status { FENCE_UNSIGNALED, FENCE_SIGNALED, FENCE_PENDING, FENCE_UNKNOWN };

/* Threads: const, but for the atomics. A fence is externally synchronised where its payload
 * changes, but not where it is waited for. */
struct fence {
    struct object_state base;
    VkExternalFenceHandleTypeFlags export_types;
    /* an enum fence_payload, or the stamp of the submission that signals it */
    _Atomic uint64_t payload;
    /* others know the payload too: from then on nothing is known of the fence */
    _Atomic bool shared;
    struct present_waits present;
};
STATE_FINDERS(fence, VkFence, HANDLE_FENCE)

/* The values of `payload` that are not a stamp (those are larger than these). */
enum fence_payload {
    FENCE_PAYLOAD_UNSIGNALED,
    FENCE_PAYLOAD_SIGNALED,
    FENCE_PAYLOAD_UNKNOWN,   /* imported for a while: until it is reset */
    FENCE_PAYLOAD_ACQUIRING, /* the presentation engine signals it */
    FENCE_PAYLOAD_COUNT
};

/* FENCE_UNKNOWN where `fence` is NULL or its payload is shared. A fence whose submission is known
 * to be done is signaled. */
enum fence_status fence_status(const struct device *device, const struct fence *fence);

/* The queue whose submission signals it, while it is pending; NULL when none, or the presentation
 * engine does. */
struct queue *fence_queue(const struct device *device, const struct fence *fence);

/* A queue operation with this stamp will signal it (0: the operation is not tracked). May be NULL.
 */
void fence_submit(struct fence *fence, uint64_t stamp);

#endif
