/* A queue's family, how it was asked for, and which of its work is done. */
#ifndef ASSAY_STATE_QUEUE_H
#define ASSAY_STATE_QUEUE_H

#include "base/lock.h"
#include "state/format_table.h"
#include "state/object/object_state.h"
#include "state/object/spread_count.h"

/* queues of a device that stamps can tell apart; no device has that many */
#define QUEUE_NUMBERS 256
/* No queue has this number: the stamp's sequence is that of a join (queue.c). */
#define QUEUE_OF_JOINS (QUEUE_NUMBERS - 1)

/* that are kept; where a program has more, nothing is said of their queue's order any more */
#define QUEUE_WAITS_AHEAD 4

/* A semaphore that a submission waits for: once the submission is done, so is whatever signaled the
 * semaphore. */
struct queue_wait {
    uint64_t sequence; /* of the submission that waits */
    /* id of a timeline semaphore; 0: a binary one, and `value` is the stamp of its signal */
    uint64_t semaphore;
    uint64_t value;
};

/* The state of a queue's object. Threads: const once published, but for the two counters; `next` is
 * written before it. */
struct queue {
    struct object_state base;
    VkDeviceQueueCreateFlags flags;
    uint32_t family;
    /* among the device's queues, from 1; 0 = there are too many: its work is not tracked */
    uint32_t number;
    VkQueueFlags queue_flags; /* of the family */
    struct queue *next;       /* of the same device; asked for earlier */
    /* sequence number of the last submission; they count from 1. Only grows */
    _Atomic uint64_t submitted;
    /* all submissions up to this one are known to be done. Only grows */
    _Atomic uint64_t completed;
    /* another API, process or file may have said that submissions up to this one are done. Only
     * grows */
    _Atomic uint64_t presumed;
    struct lock lock;                          /* held for a few instructions, and no call */
    struct queue_wait *waits GUARDED_BY(lock); /* a ring, by growing sequence; owned */
    uint32_t wait_first GUARDED_BY(lock);
    /* Relaxed. Lock: lock, but to see that there are none */
    _Atomic uint32_t wait_count;
    uint32_t wait_capacity GUARDED_BY(lock); /* a power of two, or 0 */
    /* Values of timeline semaphores that batches of this queue wait for, and that nothing submitted
     * so far signals. What is submitted after such a batch may run after what other queues get
     * later. Relaxed. */
    struct {
        _Atomic uint64_t semaphore; /* id; 0 = free */
        _Atomic uint64_t value;
    } ahead[QUEUE_WAITS_AHEAD];
    /* there may be some in the list, or there were more. Relaxed */
    _Atomic bool any_ahead;
    _Atomic bool ahead_overflow;   /* there were more */
    _Atomic uint32_t queue_labels; /* open labels of vkQueueBeginDebugUtilsLabelEXT. Relaxed */
    /* of submitted command buffers' vkCmdBeginDebugUtilsLabelEXT. Relaxed */
    _Atomic uint32_t command_labels;
    /* open markers of submitted command buffers' vkCmdDebugMarkerBeginEXT. Relaxed */
    _Atomic uint32_t markers;
};

/* The features that format_features() remembers of each format: for linear tiling, optimal tiling,
 * buffers. */
#define FORMAT_FEATURE_KINDS 3

#define SAMPLE_COUNTS 7            /* of VkSampleCountFlagBits */
#define GRID_KNOWN    (1ull << 63) /* of device_state::location_grids */

/* The types of descriptors of Vulkan 1.0, whose values are their numbers. */
#define DESCRIPTOR_SIZES ((uint32_t)VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT + 1)
#define ANSWER_KNOWN     (1ull << 63) /* of device_state::descriptor_sizes, and time_domains */

struct image_answer;
#define IMAGE_ANSWERS 64 /* so many questions about images are remembered, at most */

#define QUEUE_REQUESTS 64 /* elements of pQueueCreateInfos that are kept */
struct queue_request {
    uint32_t family, count;
    VkDeviceQueueCreateFlags flags;
};

struct address_map;
struct use_joins;

/* The state that the program has brought the device's profiling lock into (18.12).
 * PROFILING_SHARED: it was acquired while it was held, so that how many releases it takes is not
 * known. */
enum profiling_lock { PROFILING_NEVER, PROFILING_LOCKED, PROFILING_SHARED, PROFILING_RELEASED };

/* The state of a device's object. */
struct device_state {
    struct object_state base;
    _Atomic(struct queue *)
        /* every queue that the program has asked for; grows at the head, lives as long as the
           device */
        queues;
    /* const: what vkCreateDevice was asked for; UINT32_MAX: more than are kept, or memory was out
     */
    uint32_t request_count;
    /* const: of VkDeviceGroupDeviceCreateInfo, else 1; 0: unknown. And a bit for each of them. */
    uint32_t physical_device_count, device_mask;
    struct queue_request requests[QUEUE_REQUESTS];
    _Atomic uint32_t queue_count;
    _Atomic uint32_t profiling;              /* enum profiling_lock. Relaxed */
    _Atomic uint32_t custom_border_samplers; /* that live. Relaxed */
    /* a call answered VK_ERROR_DEVICE_LOST: nothing is known of submitted work, and nothing pending
     */
    _Atomic bool lost;
    _Atomic(struct queue *) by_number[QUEUE_NUMBERS];
    /* ownership.h; owned; NULL before the first release is submitted */
    _Atomic(struct released_ranges *) released;
    /* memory was out: nothing is known of releases, ever again. Relaxed */
    _Atomic bool releases_lost;
    _Atomic uint32_t memory_count; /* of allocations that live (memory.c); relaxed */
    /* formats.c; relaxed. 0 = not asked yet */
    _Atomic uint64_t format_features[FORMAT_COUNT][FORMAT_FEATURE_KINDS];
    /* formats.c; owned. Set once, never replaced: an answer is const. Release; acquire */
    _Atomic(struct image_answer *) image_answers[IMAGE_ANSWERS];
    /* maxSampleLocationGridSize for 1 << i samples, its width above its height. 0: not asked yet.
     * Relaxed */
    _Atomic uint64_t location_grids[SAMPLE_COUNTS];
    /* query.c: bit 32, it was asked; below it a bit for each queue family. Relaxed */
    _Atomic uint64_t status_families;
    /* ANSWER_KNOWN, and a bit for each VkTimeDomainKHR; 0: not asked yet. Relaxed */
    _Atomic uint64_t time_domains;
    /* of the first types of descriptors: what vkGetPhysicalDeviceDescriptorSizeEXT says, with
     * ANSWER_KNOWN. 0: not asked yet. Relaxed */
    _Atomic uint64_t descriptor_sizes[DESCRIPTOR_SIZES];
    _Atomic(struct address_map *) addresses; /* device_address.c: owned, made when first needed */
    /* reach_added (state/object/reach.h) when what pending work reaches was last looked up */
    _Atomic uint64_t explored;
    _Atomic(struct use_joins *) joins; /* queue.c: owned; NULL before work of two queues met */
    _Atomic(struct border_colors *) border_colors; /* sampler.c: owned; NULL: none registered */
    _Atomic bool border_colors_lost;               /* memory was out. Relaxed */
    struct spread_count samplers;                  /* that live */
    AREA_ROOM(776);
};

/* The state of this device; made when first needed. NULL when memory is out. Threads: any. */
struct device_state *device_state_make(const struct device *device);

/* The value of object_state::last_use: queue number:8 | sequence number:56. Where work of several
 * queues uses an object and none of it is known to be done, the number is QUEUE_OF_JOINS. The
 * sequence is then that of a join of their stamps. */
static inline uint64_t use_stamp(const struct queue *queue, uint64_t sequence)
{
    return queue->number ? (uint64_t)queue->number << 56 | (sequence & 0xffffffffffffffull) : 0;
}

/* The queue of the submission with this stamp, if that is not known to be done, or NULL. Of a join:
 * the first queue of which that holds. Threads: any. */
struct queue *stamp_pending(const struct device *device, uint64_t stamp);

/* The stamp of an object that work of both stamps uses, which are of different queues or joins. It
 * is one of them where the other's work is known to be done. Threads: any. */
uint64_t stamp_join(const struct device *device, uint64_t before, uint64_t now) COLD;

/* Submitted work uses the object. Hot. Threads: any; of two that stamp the same object at the same
 * moment for two queues, one may be lost. */
static ALWAYS_INLINE void object_stamp(const struct device *device, struct object_state *state,
                                       uint64_t stamp)
{
    uint64_t before = atomic_load_explicit(&state->last_use, memory_order_relaxed);
    if (unlikely(before && (before ^ stamp) >> 56))
        stamp = stamp_join(device, before, stamp);
    atomic_store_explicit(&state->last_use, stamp, memory_order_relaxed);
}

/* The same as stamp_pending(), but without work that the program may know to be done in a way that
 * the layer does not see. */
struct queue *stamp_in_use(const struct device *device, uint64_t stamp);
/* Queues whose work one join tells apart. Beyond, the oldest member is taken for done. */
#define STAMP_PARTS 14
/* Gives, for each queue whose work uses the object, the last submission that does. Returns how many
 * there are. */
uint32_t stamp_parts_in_use(const struct device *device, uint64_t stamp,
                            uint64_t parts[STAMP_PARTS]);
/* Notes that others may report to the program from now on that the submission of this stamp, and
 * all before it, is done. Semaphores and fences stay as they are: they may still be waiting for the
 * program. */
void stamp_presume_done(const struct device *device, uint64_t stamp);

/* The same for an object whose `last_use` is not 0. Work that was submitted again may not have
 * stamped the object yet, and does so now (reach.c). */
struct queue *used_object_in_use(const struct device *device, const struct object_state *state);

/* The queue whose submitted work, not known to be done, uses the object, or NULL. */
static inline struct queue *object_in_use(const struct device *device,
                                          const struct object_state *state)
{
    uint64_t stamp = state ? atomic_load_explicit(&state->last_use, memory_order_relaxed) : 0;
    return stamp ? used_object_in_use(device, state) : NULL;
}

/* Frees what joins a device has (NULL: none). */
void use_joins_destroy(struct use_joins *joins);
/* Makes the lock again, in the child of a fork. */
void use_joins_renew_lock(struct use_joins *joins);

/* How many waits are in the ring. */
static inline uint32_t queue_wait_count(const struct queue *queue)
{
    return atomic_load_explicit(&queue->wait_count, memory_order_relaxed);
}

static inline void queue_set_wait_count(struct queue *queue, uint32_t count)
{
    atomic_store_explicit(&queue->wait_count, count, memory_order_relaxed);
}

/* The queue of a stamp, or NULL (also of a join). */
struct queue *stamp_queue(const struct device *device, uint64_t stamp);

static inline uint64_t stamp_sequence(uint64_t stamp)
{
    return stamp & 0xffffffffffffffull;
}

/* Notes that the device is lost: from now on none of its work is pending. */
void device_mark_lost(const struct device *device);
bool device_is_lost(const struct device *device);

/* The queues of a device, or NULL. Threads: any; follow `next`. */
struct queue *device_queues(const struct device *device);

/* Frees what the state of a queue owns, and the state. */
void queue_destroy(struct queue *queue);

/* True if the program must synchronise host access (no
 * VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR). False when unknown. */
bool queue_needs_synchronization(const struct object *queue);

#endif
