/* What is known of a queue: which family it is of, and how it was asked for. */
#ifndef ASSAY_STATE_QUEUE_H
#define ASSAY_STATE_QUEUE_H

#include "chassis/chassis.h"

/* The state of a queue's object. Threads: const once published; `next` is written before it. */
struct queue {
    VkDeviceQueueCreateFlags flags;
    uint32_t family;
    VkQueueFlags queue_flags; /* of the family */
    struct object *object;
    struct queue *next; /* of the same device; asked for earlier */
};

/* The state of a device's object. */
struct device_state {
    _Atomic(struct queue *)
        queues; /* every queue that the app has asked for; grows at the head, lives as long as the device */
};

/* The queues of a device, or NULL. Threads: any; follow `next`. */
struct queue *device_queues(const struct device *device);

/* Must the app synchronise host access (no VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR)? False when unknown. */
bool queue_needs_synchronization(const struct object *queue);

void state_after_GetDeviceQueue(struct call *call, VkDevice device, uint32_t queueFamilyIndex, uint32_t queueIndex,
                                VkQueue *pQueue);
void state_after_GetDeviceQueue2(struct call *call, VkDevice device, const VkDeviceQueueInfo2 *pQueueInfo,
                                 VkQueue *pQueue);

#endif
