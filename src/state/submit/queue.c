/* Tracks the queues that the program has retrieved from a device. vkGetDeviceQueue needs no
 * external synchronisation, so two threads may retrieve the same queue at once. Both allocate a
 * state, and the first to publish it wins. */
#include "state/submit/queue.h"
#include "base/lock.h"
#include "state/hooks.h"
#include "base/plain_atomic.h"
#include "vk/chain.h"

#include <string.h>

/* Publishes `state` unless another thread was first, and returns the published one. */
static void *publish_state(struct object *object, void *state)
{
    assert(object && state);
    void *expected = NULL;
    if (plain_replace(&object->state, &expected, state))
        return state;
    mem_free(state);
    return expected;
}

struct device_state *device_state_make(const struct device *device)
{
    struct device_state *state = object_load_state(device->object);
    if (state)
        return state;
    state = mem_alloc_lines_zeroed(sizeof(*state));
    if (!state)
        return NULL;
    state->base.object = device->object;
    /* memory ran out in vkCreateDevice, and is available now */
    state->request_count = UINT32_MAX;
    return publish_state(device->object, state);
}

void always_after_CreateDevice(struct call *call, VkPhysicalDevice physicalDevice,
                               const VkDeviceCreateInfo *pCreateInfo,
                               const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
    struct device_state *state = call->device ? device_state_make(call->device) : NULL;
    if (!state)
        return;
    const VkDeviceGroupDeviceCreateInfo *group =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO);
    uint32_t count = group && group->physicalDeviceCount ? group->physicalDeviceCount : 1;
    state->physical_device_count = count;
    state->device_mask = count < 32 ? (1u << count) - 1 : UINT32_MAX;
    const VkDevicePipelineBinaryInternalCacheControlKHR *cache =
        chain_find(pCreateInfo->pNext,
                   VK_STRUCTURE_TYPE_DEVICE_PIPELINE_BINARY_INTERNAL_CACHE_CONTROL_KHR);
    state->no_internal_cache = cache && cache->disableInternalCache;
    state->request_count = 0;
    if (!pCreateInfo->pQueueCreateInfos)
        return;
    /* UINT32_MAX: there are more than are kept, and nothing is reported about any queue. */
    state->request_count = pCreateInfo->queueCreateInfoCount <= QUEUE_REQUESTS
                               ? pCreateInfo->queueCreateInfoCount
                               : UINT32_MAX;
    for (uint32_t i = 0; i < pCreateInfo->queueCreateInfoCount && i < QUEUE_REQUESTS; i++) {
        const VkDeviceQueueCreateInfo *info = &pCreateInfo->pQueueCreateInfos[i];
        state->requests[i] =
            (struct queue_request){info->queueFamilyIndex, info->queueCount, info->flags};
    }
}

/* Allocates the state of a queue when the program first retrieves it. If memory runs out, the queue
 * has no state. */
static void add_queue(const struct call *call, VkQueue handle, uint32_t family,
                      VkDeviceQueueCreateFlags flags)
{
    struct object *object = handle ? object_find_dispatchable(handle, HANDLE_QUEUE) : NULL;
    if (!object || object_load_state(object))
        return;
    struct device_state *device = device_state_make(call->device);
    struct queue *queue = device ? mem_alloc_lines_zeroed(sizeof(*queue)) : NULL;
    if (!queue)
        return;
    queue->base.object = object;
    queue->family = family;
    queue->flags = flags;
    lock_init(&queue->lock);
    if (family < call->device->queue_family_count)
        queue->queue_flags = call->device->queue_families[family].queueFlags;
    uint32_t number = atomic_fetch_add_explicit(&device->queue_count, 1, memory_order_relaxed) + 1;
    queue->number =
        /* a number stays unused if two threads retrieve the same queue at once */
        number < QUEUE_OF_JOINS ? number : 0;
    if (publish_state(object, queue) != queue)
        return;
    atomic_store_explicit(&device->by_number[queue->number], queue, memory_order_release);
    queue->next = atomic_load_explicit(&device->queues, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&device->queues, &queue->next, queue,
                                                  memory_order_release, memory_order_relaxed))
        continue;
}

struct queue *stamp_queue(const struct device *device, uint64_t stamp)
{
    struct device_state *state = object_load_state(device->object);
    uint32_t number = (uint32_t)(stamp >> 56);
    return state && number ? atomic_load_explicit(&state->by_number[number], memory_order_acquire)
                           : NULL;
}

/* --- joins: objects that pending work of several queues uses --- */

/* The number of joins that are kept, a power of two. Each pair of pending submissions with objects
 * in common needs one, so an overwritten join is thousands of submissions old. */
#define JOINS 1024

/* Stamps of several queues, which one stamp represents. */
struct use_join {
    uint64_t sequence;            /* 0: unused */
    uint64_t stamps[STAMP_PARTS]; /* `count` entries */
    uint32_t count;
};

/* The last joins of a device, in a ring by their numbers. */
struct use_joins {
    struct lock lock;                   /* held for a few instructions, never during a call */
    uint64_t sequence GUARDED_BY(lock); /* number of the last join */
    struct use_join list[JOINS] GUARDED_BY(lock);
};

/* The joins of a device. NULL: there are none, and `make` is false or memory ran out. */
static struct use_joins *joins_of(const struct device *device, bool make)
{
    struct device_state *state = object_load_state(device->object);
    struct use_joins *joins =
        state ? atomic_load_explicit(&state->joins, memory_order_acquire) : NULL;
    if (joins || !make || !state)
        return joins;
    struct use_joins *made = mem_alloc_zeroed(sizeof(*made));
    if (!made)
        return NULL;
    lock_init(&made->lock);
    if (atomic_compare_exchange_strong_explicit(&state->joins, &joins, made, memory_order_acq_rel,
                                                memory_order_acquire))
        return made;
    mem_free(made);
    return joins;
}

void use_joins_destroy(struct use_joins *joins)
{
    mem_retire(joins);
}

void use_joins_renew_lock(struct use_joins *joins)
{
    if (joins)
        lock_init(&joins->lock);
}

/* The queue of a stamp that is not a join's; NULL: that submission has completed. */
static struct queue *plain_stamp_pending(const struct device *device, uint64_t stamp)
{
    struct queue *queue = stamp_queue(device, stamp);
    return queue && stamp_sequence(stamp) >
                        atomic_load_explicit(&queue->completed, memory_order_acquire)
               ? queue
               : NULL;
}

/* Copies the pending members of a join. An overwritten join has no members. */
static uint32_t join_members(const struct device *device, uint64_t stamp, uint64_t *members)
{
    assert(stamp >> 56 == QUEUE_OF_JOINS);
    struct use_joins *joins = joins_of(device, false);
    struct use_join join = {0};
    uint32_t count = 0;
    if (!joins)
        return 0;
    lock_take(&joins->lock);
    /* The ring is reused: an older join with this index is gone. */
    if (joins->list[stamp % JOINS].sequence == stamp_sequence(stamp))
        join = joins->list[stamp % JOINS];
    lock_release(&joins->lock);
    for (uint32_t i = 0; i < join.count; i++) {
        if (plain_stamp_pending(device, join.stamps[i]))
            members[count++] = join.stamps[i];
    }
    return count;
}

/* Adds a stamp to a join, or all stamps of another join. For each queue only the latest stamp
 * counts, and only pending work counts. */
static void add_members(const struct device *device, struct use_join *join, uint64_t stamp)
{
    assert(join->count <= STAMP_PARTS);
    uint64_t members[STAMP_PARTS] = {stamp};
    uint32_t count = stamp >> 56 == QUEUE_OF_JOINS ? join_members(device, stamp, members)
                                                   : plain_stamp_pending(device, stamp) != NULL;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < join->count && join->stamps[k] >> 56 != members[i] >> 56)
            k++;
        /* There are more queues than a join can hold: the oldest member is dropped. */
        if (k == STAMP_PARTS) {
            memmove(join->stamps, join->stamps + 1, (STAMP_PARTS - 1) * sizeof(join->stamps[0]));
            join->count = k = STAMP_PARTS - 1;
        }
        if (k == join->count)
            join->stamps[join->count++] = 0;
        if (join->stamps[k] < members[i])
            join->stamps[k] = members[i];
    }
}

/* Finds an equal join among the last ones. The objects of a submission were mostly used by the same
 * submission before, and share a join. */
static const struct use_join *find_join(const struct use_joins *joins,
                                        const struct use_join *wanted) REQUIRES(joins->lock)
{
    assert(wanted->count > 1 && wanted->count <= STAMP_PARTS);
    for (uint64_t i = joins->sequence; i && i + 8 > joins->sequence; i--) {
        const struct use_join *join = &joins->list[i % JOINS];
        if (join->count == wanted->count &&
            !memcmp(join->stamps, wanted->stamps, wanted->count * sizeof(wanted->stamps[0])))
            return join;
    }
    return NULL;
}

uint64_t stamp_join(const struct device *device, uint64_t before, uint64_t now)
{
    assert(before && now);
    struct use_join join = {0};
    add_members(device, &join, before);
    if (!join.count)
        return now;
    add_members(device, &join, now);
    /* All work is of one queue, whose own stamp is enough. */
    if (join.count == 1)
        return join.stamps[0];
    struct use_joins *joins = joins_of(device, true);
    if (!joins)
        return now;
    lock_take(&joins->lock);
    /* The same submissions use many objects, which share a join. */
    const struct use_join *same = find_join(joins, &join);
    if (same) {
        join.sequence = same->sequence;
    } else {
        join.sequence = ++joins->sequence;
        joins->list[join.sequence % JOINS] = join;
    }
    lock_release(&joins->lock);
    return (uint64_t)QUEUE_OF_JOINS << 56 | join.sequence;
}

struct queue *stamp_pending(const struct device *device, uint64_t stamp)
{
    uint64_t members[STAMP_PARTS];
    if (unlikely(stamp >> 56 == QUEUE_OF_JOINS)) {
        if (!join_members(device, stamp, members))
            return NULL;
        stamp = members[0];
    }
    struct queue *queue = stamp_queue(device, stamp);
    if (!queue ||
        stamp_sequence(stamp) <= atomic_load_explicit(&queue->completed, memory_order_acquire))
        return NULL;
    return device_is_lost(device) ? NULL : queue;
}

uint32_t stamp_parts_in_use(const struct device *device, uint64_t stamp,
                            uint64_t parts[STAMP_PARTS])
{
    uint64_t members[STAMP_PARTS] = {stamp};
    uint32_t count = stamp >> 56 == QUEUE_OF_JOINS ? join_members(device, stamp, members) : 1;
    uint32_t used = 0;
    for (uint32_t i = 0; i < count && !device_is_lost(device); i++) {
        const struct queue *queue = plain_stamp_pending(device, members[i]);
        if (queue && stamp_sequence(members[i]) >
                         atomic_load_explicit(&queue->presumed, memory_order_relaxed))
            parts[used++] = members[i];
    }
    return used;
}

struct queue *stamp_in_use(const struct device *device, uint64_t stamp)
{
    uint64_t parts[STAMP_PARTS];
    return stamp_parts_in_use(device, stamp, parts) ? stamp_queue(device, parts[0]) : NULL;
}

void stamp_presume_done(const struct device *device, uint64_t stamp)
{
    struct queue *queue = stamp_queue(device, stamp);
    uint64_t presumed = queue ? atomic_load_explicit(&queue->presumed, memory_order_relaxed) : 0;
    while (queue && presumed < stamp_sequence(stamp) &&
           !atomic_compare_exchange_weak_explicit(&queue->presumed, &presumed,
                                                  stamp_sequence(stamp), memory_order_relaxed,
                                                  memory_order_relaxed))
        continue;
}

void device_mark_lost(const struct device *device)
{
    struct device_state *state = device_state_make(device);
    if (state)
        atomic_store_explicit(&state->lost, true, memory_order_relaxed);
}

bool device_is_lost(const struct device *device)
{
    const struct device_state *state = object_load_state(device->object);
    return state && atomic_load_explicit(&state->lost, memory_order_relaxed);
}

struct queue *device_queues(const struct device *device)
{
    struct device_state *state = device->object ? object_load_state(device->object) : NULL;
    return state ? atomic_load_explicit(&state->queues, memory_order_acquire) : NULL;
}

void queue_destroy(struct queue *queue)
{
    if (!queue)
        return;
    lock_unneeded(&queue->lock);
    mem_retire(queue->waits);
    mem_retire(queue);
}

bool queue_needs_synchronization(const struct queue *queue)
{
    return queue && !(queue->flags & VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR);
}

void always_after_GetDeviceQueue(struct call *call, VkDevice device, uint32_t queueFamilyIndex,
                                 uint32_t queueIndex, VkQueue *pQueue)
{
    if (pQueue)
        add_queue(call, *pQueue, queueFamilyIndex, 0);
}

void always_after_GetDeviceQueue2(struct call *call, VkDevice device,
                                  const VkDeviceQueueInfo2 *pQueueInfo, VkQueue *pQueue)
{
    if (pQueueInfo && pQueue)
        add_queue(call, *pQueue, pQueueInfo->queueFamilyIndex, pQueueInfo->flags);
}
