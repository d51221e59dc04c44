/* Which queues has the app asked a device for? vkGetDeviceQueue needs no external synchronisation, so that two threads may ask for
 * the same queue at once: both fill in a structure, and the first to publish it wins. */
#include "state/queue.h"
#include "state/hooks.h"

/* Publishes `state` unless another thread has been faster, and gives what is published. */
static void *publish_state(struct object *object, void *state)
{
    void *expected = NULL;
    if (__atomic_compare_exchange_n(&object->state, &expected, state, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
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
    state->request_count = UINT32_MAX; /* where memory was out for vkCreateDevice, and there is some now */
    return publish_state(device->object, state);
}

void always_after_CreateDevice(struct call *call, VkPhysicalDevice physicalDevice, const VkDeviceCreateInfo *pCreateInfo,
                               const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
    struct device_state *state = call->device ? device_state_make(call->device) : NULL;
    if (!state)
        return;
    state->request_count = 0;
    if (!pCreateInfo->pQueueCreateInfos)
        return;
    state->request_count =
        pCreateInfo->queueCreateInfoCount <= QUEUE_REQUESTS ? pCreateInfo->queueCreateInfoCount : UINT32_MAX;
    for (uint32_t i = 0; i < pCreateInfo->queueCreateInfoCount && i < QUEUE_REQUESTS; i++) {
        const VkDeviceQueueCreateInfo *info = &pCreateInfo->pQueueCreateInfos[i];
        state->requests[i] = (struct queue_request){info->queueFamilyIndex, info->queueCount, info->flags};
    }
}

static void add_queue(const struct call *call, VkQueue handle, uint32_t family, VkDeviceQueueCreateFlags flags)
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
    pthread_mutex_init(&queue->lock, NULL);
    if (family < call->device->queue_family_count)
        queue->queue_flags = call->device->queue_families[family].queueFlags;
    uint32_t number = atomic_fetch_add_explicit(&device->queue_count, 1, memory_order_relaxed) + 1;
    queue->number =
        number < QUEUE_NUMBERS ? number : 0; /* one is lost where two threads ask for the same queue at once */
    if (publish_state(object, queue) != queue)
        return;
    atomic_store_explicit(&device->by_number[queue->number], queue, memory_order_release);
    queue->next = atomic_load_explicit(&device->queues, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&device->queues, &queue->next, queue, memory_order_release,
                                                  memory_order_relaxed))
        continue;
}

struct queue *stamp_queue(const struct device *device, uint64_t stamp)
{
    struct device_state *state = object_load_state(device->object);
    uint32_t number = (uint32_t)(stamp >> 56);
    return state && number ? atomic_load_explicit(&state->by_number[number], memory_order_acquire) : NULL;
}

struct queue *stamp_pending(const struct device *device, uint64_t stamp)
{
    struct queue *queue = stamp_queue(device, stamp);
    if (!queue || stamp_sequence(stamp) <= atomic_load_explicit(&queue->completed, memory_order_acquire))
        return NULL;
    return device_is_lost(device) ? NULL : queue;
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
    mem_retire(queue->waits);
    mem_retire(queue);
}

bool queue_needs_synchronization(const struct object *object)
{
    const struct queue *queue = object_load_state(object);
    return queue && !(queue->flags & VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR);
}

void always_after_GetDeviceQueue(struct call *call, VkDevice device, uint32_t queueFamilyIndex, uint32_t queueIndex,
                                 VkQueue *pQueue)
{
    if (pQueue)
        add_queue(call, *pQueue, queueFamilyIndex, 0);
}

void always_after_GetDeviceQueue2(struct call *call, VkDevice device, const VkDeviceQueueInfo2 *pQueueInfo,
                                  VkQueue *pQueue)
{
    if (pQueueInfo && pQueue)
        add_queue(call, *pQueue, pQueueInfo->queueFamilyIndex, pQueueInfo->flags);
}
