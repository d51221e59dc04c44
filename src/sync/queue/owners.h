/* Tracks which queue family owns the contents of a resource with VK_SHARING_MODE_EXCLUSIVE (12.8
 * "Resource Sharing Mode", 7.7.4 "Queue Family Ownership Transfer").
 *
 * For each resource, the table keeps the family whose commands have certainly written it last, or
 * that has acquired it, and the ranges. A submission to a queue of another family that reads such a
 * range, with no transfer in between, reads undefined contents.
 *
 * - Only devices with queues of several families have this (device_has_families()). Their command
 *   buffers keep all accesses in their streams (sync_context::keeps_all), and each submission walks
 *   them, in the order in which they were recorded.
 * - Only certain errors are reported. Any other use by another family makes the owner unknown:
 *   writes of shaders, which may write anything or nothing, transitions from
 *   VK_IMAGE_LAYOUT_UNDEFINED, and both halves of a transfer.
 * - A finding needs an order. The writing submission is known to be done, or the reading queue
 *   has waited for a semaphore that was signaled after it.
 * - Work that waits for what is submitted later runs at an unknown time: what it writes is never
 *   reported again.
 * - Not reported: memory that others know, or that several resources share, mapped buffers,
 *   images that the host copies to, swapchains' images, sparse resources, `maintenance9`.
 *
 * The same walk checks that the family may use a resource with VK_SHARING_MODE_CONCURRENT. Threads:
 * that which processes a submission, under sync_device::owned_lock. */
#ifndef ASSAY_SYNC_OWNERS_H
#define ASSAY_SYNC_OWNERS_H

#include "state/submit/queue.h"
#include "state/submit/submission.h"
#include "sync/record/recording.h"

/* The most ranges that are kept of one resource; the oldest is forgotten. Uploads of a whole
 * resource are one range once they are done. */
#define OWNER_RANGES 4
struct owner_range {
    uint64_t begin, end; /* in the resource's space: begin < end */
};

enum owner_kind {
    OWNER_UNKNOWN,  /* nothing is ever reported for the resource */
    OWNER_WROTE,    /* a command of the family has written the ranges */
    OWNER_ACQUIRED, /* the family has acquired the ranges */
    /* the family has released the resource; `command` has written the ranges since then */
    OWNER_RELEASED,
};

/* The queue family that owns one resource, as far as it is known. */
struct owner {
    uint64_t resource; /* id; 0: the slot is free */
    uint64_t stamp;    /* the submission that last wrote, or acquired: use_stamp() */
    uint32_t family;
    enum owner_kind kind;
    enum command command; /* the command that last wrote, or acquired */
    uint32_t command_index;
    uint32_t to_family; /* the family that acquires, for OWNER_RELEASED */
    bool muted;         /* that command lies within a label that mute_labels names */
    uint32_t range_count;
    struct owner_range ranges[OWNER_RANGES];
};

/* The owners of a device's resources: sync_device::owned. An open-addressing table by resource.
 * Lock: sync_device::owned_lock, over all of it. */
struct owners {
    struct owner *slots;      /* owned; [capacity] */
    uint32_t count, capacity; /* the capacity is a power of two, or 0 */
    bool lost;                /* nothing is reported any more */
};

bool owners_several_families(const struct device_state *state);

/* True if the device has queues of several families. Hot. */
static ALWAYS_INLINE bool device_has_families(const struct device *device)
{
    const struct device_state *state = object_load_state(device->object);
    return state && unlikely(state->request_count > 1) && owners_several_families(state);
}

/* --- owners.c: the table --- */

void owners_free(struct owners *owners); /* NULL is allowed. */
/* Returns NULL if nothing is known of the resource. */
struct owner *owners_find(struct owners *owners, uint64_t resource);
/* Finds the owner of the resource, or makes one with `family` UINT32_MAX. Returns NULL if memory is
 * out. */
struct owner *owners_make(struct owners *owners, uint64_t resource);
/* Forget what is known of one resource, or of all. */
void owner_forget(struct owner *owner);
void owners_forget(struct owners *owners);

void owner_add_range(struct owner *owner, uint64_t begin, uint64_t end);
/* True if some of the range is owned; owner_covers() checks for all of it. */
bool owner_meets(const struct owner *owner, uint64_t begin, uint64_t end);
bool owner_covers(const struct owner *owner, uint64_t begin, uint64_t end);

/* --- owners_submit.c --- */

/* Walks the submitted work, reports reads of what another family owns, and notes new owners. Called
 * in the before hook, after the state tracker's hook. */
void owners_submit(const struct call *call, const struct queue *queue, struct batches batches,
                   bool has_fence);
/* Called when a submission has failed, and it is not known which of its work runs: nothing is
 * reported any more. */
void owners_lose(const struct call *call);

#endif
