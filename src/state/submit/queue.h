/* The state of a queue: its family, how it was created, and which of its work has completed. */
#ifndef ASSAY_STATE_QUEUE_H
#define ASSAY_STATE_QUEUE_H

#include "base/lock.h"
#include "state/format_table.h"
#include "state/object/object_state.h"
#include "state/object/spread_count.h"

/* queues of a device that stamps can distinguish; no device has as many */
#define QUEUE_NUMBERS 256
/* The queue number in stamps of joins. No queue has it; the stamp's sequence is the number of the
 * join (queue.c). */
#define QUEUE_OF_JOINS (QUEUE_NUMBERS - 1)

/* most waits ahead that are kept; with more, the order of the queue's work is not known */
#define QUEUE_WAITS_AHEAD 4

/* A semaphore for which a submission waits. When the submission has completed, so has what signaled
 * the semaphore. */
struct queue_wait {
    uint64_t sequence; /* number of the submission that waits */
    /* id of a timeline semaphore; 0: a binary one, and `value` is the stamp of its signal */
    uint64_t semaphore;
    uint64_t value;
};

/* The state of a queue's object. Threads: const once published, except for the atomics and what has
 * a lock; `next` is written before it is published. */
struct queue {
    struct object_state base;
    VkDeviceQueueCreateFlags flags;
    uint32_t family;
    /* number among the device's queues, from 1; 0: there are too many, and its work is not
     * tracked */
    uint32_t number;
    VkQueueFlags queue_flags; /* of its family */
    struct queue *next;       /* a queue of the same device that was retrieved earlier */
    /* sequence number of the last submission, counted from 1. Only grows */
    _Atomic uint64_t submitted;
    /* all submissions up to this one are known to have completed. Only grows */
    _Atomic uint64_t completed;
    /* another API, process or file may have shown that submissions up to this one have completed.
     * Only grows */
    _Atomic uint64_t presumed;
    /* held for a few instructions, never during a call */
    struct lock lock;
    struct queue_wait *waits GUARDED_BY(lock); /* a ring in order of `sequence`; owned */
    uint32_t wait_first GUARDED_BY(lock);
    /* Relaxed. Lock: `lock`, except to see that it is 0 */
    _Atomic uint32_t wait_count;
    uint32_t wait_capacity GUARDED_BY(lock); /* a power of two, or 0 */
    /* Values of timeline semaphores for which batches of this queue wait, and that nothing
     * submitted so far signals. Work submitted after such a batch may execute after work that other
     * queues get later. Relaxed. */
    struct {
        _Atomic uint64_t semaphore; /* id; 0 = free */
        _Atomic uint64_t value;
    } ahead[QUEUE_WAITS_AHEAD];
    /* the list may have entries, or overflowed. Relaxed */
    _Atomic bool any_ahead;
    _Atomic bool ahead_overflow;   /* there were more than fit the list */
    _Atomic uint32_t queue_labels; /* labels that vkQueueBeginDebugUtilsLabelEXT opened. Relaxed */
    /* labels that submitted command buffers opened (vkCmdBeginDebugUtilsLabelEXT). Relaxed */
    _Atomic uint32_t command_labels;
    /* markers that submitted command buffers opened (vkCmdDebugMarkerBeginEXT). Relaxed */
    _Atomic uint32_t markers;
};

/* The kinds of features that format_features() remembers for each format: linear tiling, optimal
 * tiling, buffers. */
#define FORMAT_FEATURE_KINDS 3

#define SAMPLE_COUNTS 7            /* VkSampleCountFlagBits values */
#define GRID_KNOWN    (1ull << 63) /* for device_state::location_grids */

/* The descriptor types of Vulkan 1.0, whose values are used as indices. */
#define DESCRIPTOR_SIZES ((uint32_t)VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT + 1)
#define ANSWER_KNOWN     (1ull << 63) /* for device_state::descriptor_sizes and time_domains */

struct image_answer;
#define IMAGE_ANSWERS 64 /* most queries about images whose answers are remembered */

#define QUEUE_REQUESTS 64 /* most elements of pQueueCreateInfos that are kept */
struct queue_request {
    uint32_t family, count;
    VkDeviceQueueCreateFlags flags;
};

struct address_map;
struct use_joins;

/* The state of the device's profiling lock (18.12). PROFILING_SHARED: it was acquired while it was
 * held, so the number of releases that it needs is not known. */
enum profiling_lock { PROFILING_NEVER, PROFILING_LOCKED, PROFILING_SHARED, PROFILING_RELEASED };

/* The state of a device's object. */
struct device_state {
    struct object_state base;
    _Atomic(struct queue *)
        /* every queue that the program has retrieved; grows at the head, and lives as long as the
         * device */
        queues;
    /* const: length of pQueueCreateInfos; UINT32_MAX: more than are kept, or memory ran out */
    uint32_t request_count;
    /* const: number of devices in VkDeviceGroupDeviceCreateInfo, or 1; 0: unknown. `device_mask`
     * has a bit for each */
    uint32_t physical_device_count, device_mask;
    struct queue_request requests[QUEUE_REQUESTS];
    _Atomic uint32_t queue_count;
    _Atomic uint32_t profiling;              /* enum profiling_lock. Relaxed */
    _Atomic uint32_t custom_border_samplers; /* number that exist. Relaxed */
    bool no_internal_cache; /* const: VkDevicePipelineBinaryInternalCacheControlKHR */
    /* how ray tracing pipelines were created so far: 1, groups without a handle to replay; 2, with
     * one. Relaxed */
    _Atomic uint32_t replayed_groups;
    _Atomic uint32_t profiling_releases; /* of the profiling lock, so far. Relaxed */
    /* bytes of the buffers that live: sparse ones, and buffers for descriptors of samplers and of
     * resources. Relaxed */
    _Atomic uint64_t sparse_bytes, sampler_bytes, resource_bytes;
    /* a call returned VK_ERROR_DEVICE_LOST: the state of submitted work is not known, and none is
     * pending */
    _Atomic bool lost;
    _Atomic(struct queue *) by_number[QUEUE_NUMBERS];
    /* ownership.h; owned; NULL before the first release is submitted */
    _Atomic(struct released_ranges *) released;
    /* memory ran out: releases are not known from then on. Relaxed */
    _Atomic bool releases_lost;
    _Atomic uint32_t memory_count; /* number of existing allocations (memory.c); relaxed */
    /* formats.c; relaxed. 0: not queried yet */
    _Atomic uint64_t format_features[FORMAT_COUNT][FORMAT_FEATURE_KINDS];
    /* formats.c; owned. An entry is set once and never replaced; its answer is const. Release;
     * acquire */
    _Atomic(struct image_answer *) image_answers[IMAGE_ANSWERS];
    /* maxSampleLocationGridSize for 1 << i samples, with the width in the upper half. 0: not
     * queried yet. Relaxed */
    _Atomic uint64_t location_grids[SAMPLE_COUNTS];
    /* query.c: bit 32: it was queried; bits below: one for each queue family. Relaxed */
    _Atomic uint64_t status_families;
    /* ANSWER_KNOWN, and a bit for each VkTimeDomainKHR; 0: not queried yet. Relaxed */
    _Atomic uint64_t time_domains;
    /* for the first descriptor types: the size from vkGetPhysicalDeviceDescriptorSizeEXT, with
     * ANSWER_KNOWN. 0: not queried yet. Relaxed */
    _Atomic uint64_t descriptor_sizes[DESCRIPTOR_SIZES];
    _Atomic(struct address_map *) addresses; /* device_address.c; owned; NULL before first use */
    /* reach_added (state/object/reach.h) when the objects that pending work reaches were last
     * found */
    _Atomic uint64_t explored;
    /* queue.c; owned; NULL before work of two queues shares an object */
    _Atomic(struct use_joins *) joins;
    _Atomic(struct border_colors *) border_colors; /* sampler.c; owned; NULL: none registered */
    _Atomic bool border_colors_lost;               /* memory ran out. Relaxed */
    struct spread_count samplers;                  /* number that exist */
    AREA_ROOM(776);
};

/* The state of this device, which is allocated on first use. NULL: out of memory. Threads: any. */
struct device_state *device_state_make(const struct device *device);

/* The value of object_state::last_use: queue number:8 | sequence number:56. If work of several
 * queues uses an object, and none is known to have completed, the queue number is QUEUE_OF_JOINS.
 * The sequence number is then that of a join of their stamps. */
static inline uint64_t use_stamp(const struct queue *queue, uint64_t sequence)
{
    return queue->number ? (uint64_t)queue->number << 56 | (sequence & 0xffffffffffffffull) : 0;
}

/* The queue of the submission with this stamp; NULL: it is known to have completed. For a join: the
 * first queue with such a submission. Threads: any. */
struct queue *stamp_pending(const struct device *device, uint64_t stamp);

/* A stamp for an object that work of both stamps uses. They are of different queues, or joins. It
 * is one of the two if the other's work is known to have completed. Threads: any. */
uint64_t stamp_join(const struct device *device, uint64_t before, uint64_t now) COLD;

/* Notes that submitted work uses the object. Hot. Threads: any; if two threads stamp the same
 * object for two queues at once, one stamp may be lost. */
static ALWAYS_INLINE void object_stamp(const struct device *device, struct object_state *state,
                                       uint64_t stamp)
{
    uint64_t before = atomic_load_explicit(&state->last_use, memory_order_relaxed);
    if (unlikely(before && (before ^ stamp) >> 56))
        stamp = stamp_join(device, before, stamp);
    atomic_store_explicit(&state->last_use, stamp, memory_order_relaxed);
}

/* Like stamp_pending(), but leaves out work whose completion the program may know in a way that the
 * layer does not see. */
struct queue *stamp_in_use(const struct device *device, uint64_t stamp);
/* The most queues that one join can hold. With more, the oldest member counts as completed. */
#define STAMP_PARTS 14
/* Finds, for each queue whose work uses the object, the last submission that does. Returns their
 * number. */
uint32_t stamp_parts_in_use(const struct device *device, uint64_t stamp,
                            uint64_t parts[STAMP_PARTS]);
/* Notes that others may show the program that the submission with this stamp, and all before it,
 * have completed. Semaphores and fences stay as they are, as they may still be waiting for the
 * program. */
void stamp_presume_done(const struct device *device, uint64_t stamp);

/* Like stamp_in_use(), for an object whose `last_use` is not 0. If work was submitted again and has
 * not stamped the object yet, that happens now (reach.c). */
struct queue *used_object_in_use(const struct device *device, const struct object_state *state);

/* A queue with submitted work that uses the object and is not known to have completed; NULL: there
 * is none. */
static inline struct queue *object_in_use(const struct device *device,
                                          const struct object_state *state)
{
    uint64_t stamp = state ? atomic_load_explicit(&state->last_use, memory_order_relaxed) : 0;
    return stamp ? used_object_in_use(device, state) : NULL;
}

/* Frees the joins of a device. NULL: it has none. */
void use_joins_destroy(struct use_joins *joins);
/* Initializes the lock again, in the child of a fork. */
void use_joins_renew_lock(struct use_joins *joins);

/* The number of waits in the ring. */
static inline uint32_t queue_wait_count(const struct queue *queue)
{
    return atomic_load_explicit(&queue->wait_count, memory_order_relaxed);
}

static inline void queue_set_wait_count(struct queue *queue, uint32_t count)
{
    atomic_store_explicit(&queue->wait_count, count, memory_order_relaxed);
}

/* The queue of a stamp; NULL: there is none, or the stamp is of a join. */
struct queue *stamp_queue(const struct device *device, uint64_t stamp);

static inline uint64_t stamp_sequence(uint64_t stamp)
{
    return stamp & 0xffffffffffffffull;
}

/* Notes that the device is lost. None of its work is pending any more. */
void device_mark_lost(const struct device *device);
bool device_is_lost(const struct device *device);

/* The first queue of a device, or NULL; `next` leads to the others. Threads: any. */
struct queue *device_queues(const struct device *device);

/* Frees what the state of a queue owns, and the state. */
void queue_destroy(struct queue *queue);

/* True if the program must synchronise access to the queue (it lacks
 * VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR). False: not, or not known. */
bool queue_needs_synchronization(const struct queue *queue);

#endif
