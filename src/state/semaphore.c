/* Tracks what calls make of semaphores. What submissions make of them is in submission.c. */
#include "state/semaphore.h"
#include "state/hooks.h"
#include "state/object_lines.h"
#include "state/submission.h"
#include "state/swapchain.h"

#include "vk/chain.h"

#include <string.h>

enum semaphore_last semaphore_last(const struct semaphore *semaphore, uint64_t *stamp)
{
    assert(stamp);
    *stamp = 0;
    if (!semaphore || semaphore->type != VK_SEMAPHORE_TYPE_BINARY || semaphore_is_shared(semaphore))
        return SEMAPHORE_LAST_UNKNOWN;
    uint64_t last = atomic_load_explicit(&semaphore->last, memory_order_acquire);
    *stamp = last & ~SEMAPHORE_KIND_MASK;
    return (enum semaphore_last)((last & SEMAPHORE_KIND_MASK) >> SEMAPHORE_KIND_SHIFT);
}

void semaphore_set_last(struct semaphore *semaphore, enum semaphore_last last, uint64_t stamp)
{
    assert(semaphore);
    atomic_store_explicit(&semaphore->last,
                          (stamp & ~SEMAPHORE_KIND_MASK) | (uint64_t)last << SEMAPHORE_KIND_SHIFT,
                          memory_order_release);
    atomic_store_explicit(&semaphore->base.last_use, stamp, memory_order_relaxed);
}

const struct swapchain *semaphore_awaits_present(const struct device *device,
                                                 const struct semaphore *semaphore, uint32_t *index)
{
    uint64_t stamp, id;
    if (semaphore_last(semaphore, &stamp) != SEMAPHORE_LAST_WAIT || !stamp_pending(device, stamp))
        return NULL;
    id = atomic_load_explicit(&semaphore->presented, memory_order_relaxed);
    *index = atomic_load_explicit(&semaphore->presented_index, memory_order_relaxed);
    const struct object *object =
        id && *index < SWAPCHAIN_IMAGES ? object_find_id(id, HANDLE_SWAPCHAIN_KHR) : NULL;
    const struct swapchain *swapchain = object_load_state(object);
    if (!swapchain || atomic_load_explicit(&swapchain->retired, memory_order_relaxed))
        return NULL;
    /* A stamp of another submission: the wait was not the present's, or the image has been acquired
     * since. */
    return atomic_load_explicit(&swapchain->presented[*index], memory_order_relaxed) == stamp
               ? swapchain
               : NULL;
}

/* Takes out the operations that are done, and notes what the signals among them made of the
 * counter. */
static void forget_done(struct semaphore *semaphore, const struct device *device)
    REQUIRES(semaphore->lock)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < semaphore->operation_count; i++) {
        const struct timeline_operation *operation = &semaphore->operations[i];
        if (stamp_pending(device, operation->stamp))
            semaphore->operations[kept++] = *operation;
        else if (operation->value > semaphore->completed)
            semaphore->completed = operation->value;
    }
    semaphore->operation_count = kept;
}

/* Room for one more; false when memory is out. */
static bool reserve_operation(struct semaphore *semaphore, const struct device *device)
    REQUIRES(semaphore->lock)
{
    assert(semaphore->operations && semaphore->operation_count <= semaphore->operation_capacity);
    if (semaphore->operation_count < semaphore->operation_capacity)
        return true;
    forget_done(semaphore, device);
    if (semaphore->operation_count < semaphore->operation_capacity / 2 + 1)
        return true;
    uint32_t capacity = semaphore->operation_capacity * 2;
    struct timeline_operation *operations = mem_alloc(capacity * sizeof(*operations));
    if (!operations)
        return semaphore->operation_count < semaphore->operation_capacity;
    memcpy(operations, semaphore->operations, semaphore->operation_count * sizeof(*operations));
    if (semaphore->operations != semaphore->inline_operations)
        mem_free(semaphore->operations);
    semaphore->operations = operations;
    semaphore->operation_capacity = capacity;
    return true;
}

void semaphore_add_operation(struct semaphore *semaphore, struct timeline_operation operation)
{
    assert(semaphore);
    if (semaphore_is_shared(semaphore))
        return;
    const struct device *device = device_of(semaphore->base.object);
    if (!operation.stamp || !device) { /* untracked: what becomes of the counter cannot be known */
        atomic_store_explicit(&semaphore->shared, true, memory_order_relaxed);
        return;
    }
    lock_take(&semaphore->lock);
    bool room = reserve_operation(semaphore, device);
    if (room)
        semaphore->operations[semaphore->operation_count++] = operation;
    lock_release(&semaphore->lock);
    if (!room)
        atomic_store_explicit(&semaphore->shared, true, memory_order_relaxed);
    atomic_store_explicit(&semaphore->base.last_use, operation.stamp, memory_order_relaxed);
}

struct timeline semaphore_timeline(struct semaphore *semaphore, const struct queue *queue)
{
    struct timeline timeline = {0};
    const struct device *device = semaphore ? device_of(semaphore->base.object) : NULL;
    if (!device || semaphore->type != VK_SEMAPHORE_TYPE_TIMELINE ||
        semaphore_is_shared(semaphore) || device_is_lost(device))
        return timeline;
    timeline.known = true;
    lock_take(&semaphore->lock);
    forget_done(semaphore, device);
    timeline.completed = timeline.outstanding_min = timeline.outstanding_max = semaphore->completed;
    for (uint32_t i = 0; i < semaphore->operation_count; i++) {
        const struct timeline_operation *operation = &semaphore->operations[i];
        if (operation->value < timeline.outstanding_min)
            timeline.outstanding_min = operation->value;
        if (operation->value > timeline.outstanding_max)
            timeline.outstanding_max = operation->value;
        if (!operation->signal)
            continue;
        if (!timeline.signal_pending || operation->value < timeline.signal_min)
            timeline.signal_min = operation->value;
        if (!timeline.signal_pending || operation->value > timeline.signal_max)
            timeline.signal_max = operation->value;
        if (!operation->ahead && operation->value > timeline.ready_signal_max)
            timeline.ready_signal_max = operation->value;
        if (queue && operation->stamp >> 56 == queue->number &&
            operation->value > timeline.own_signal_max)
            timeline.own_signal_max = operation->value;
        timeline.signal_pending = true;
    }
    lock_release(&semaphore->lock);
    return timeline;
}

/* The value that the counter has been set to, when it is known to have reached `value`. Values of
 * signal operations grow in the order in which they execute, so that it is the smallest one of
 * those that are large enough. */
static uint64_t value_reached(const struct semaphore *semaphore, uint64_t value)
    REQUIRES(semaphore->lock)
{
    if (semaphore->completed >= value)
        return semaphore->completed;
    uint64_t reached = UINT64_MAX;
    for (uint32_t i = 0; i < semaphore->operation_count; i++) {
        const struct timeline_operation *operation = &semaphore->operations[i];
        if (operation->signal && operation->value >= value && operation->value < reached)
            reached = operation->value;
    }
    return reached == UINT64_MAX ? value : reached;
}

uint32_t semaphore_reached(struct semaphore *semaphore, uint64_t value, bool exact,
                           uint64_t *stamps, uint32_t limit)
{
    assert(stamps || !limit);
    if (!semaphore || semaphore->type != VK_SEMAPHORE_TYPE_TIMELINE ||
        semaphore_is_shared(semaphore))
        return 0;
    uint32_t count = 0, kept = 0;
    lock_take(&semaphore->lock);
    uint64_t reached = exact ? value : value_reached(semaphore, value);
    if (reached > semaphore->completed)
        semaphore->completed = reached;
    for (uint32_t i = 0; i < semaphore->operation_count; i++) {
        struct timeline_operation operation = semaphore->operations[i];
        if (operation.signal && operation.value <= reached && count < limit)
            stamps[count++] = operation.stamp;
        else
            semaphore->operations[kept++] = operation;
    }
    semaphore->operation_count = kept;
    lock_release(&semaphore->lock);
    return count;
}

void semaphore_destroy(struct semaphore *semaphore)
{
    if (!semaphore)
        return;
    lock_unneeded(&semaphore->lock);
    if (semaphore->operations != semaphore->inline_operations)
        mem_retire(semaphore->operations);
    mem_retire(semaphore);
}

void state_after_CreateSemaphore(struct call *call, VkDevice device,
                                 const VkSemaphoreCreateInfo *pCreateInfo,
                                 const VkAllocationCallbacks *pAllocator, VkSemaphore *pSemaphore)
{
    struct object *object = created_object(call, (uint64_t)*pSemaphore, HANDLE_SEMAPHORE);
    struct semaphore *semaphore = object_state_new_lines(object, sizeof(*semaphore));
    if (!semaphore)
        return;
    lock_unneeded(&semaphore->lock);
    const VkSemaphoreTypeCreateInfo *type =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    const VkExportSemaphoreCreateInfo *export_info =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);
    semaphore->type = type ? type->semaphoreType : VK_SEMAPHORE_TYPE_BINARY;
    semaphore->initial = type ? type->initialValue : 0;
    semaphore->completed = semaphore->initial;
    semaphore->export_types = export_info ? export_info->handleTypes : 0;
    semaphore->operations = semaphore->inline_operations;
    semaphore->operation_capacity = TIMELINE_INLINE;
    lock_init(&semaphore->lock);
    object_state_publish(object, semaphore);
}

/* --- the host looks, waits and signals --- */

/* Before the driver wakes a thread that then asks. */
void state_before_SignalSemaphore(struct call *call, VkDevice device,
                                  const VkSemaphoreSignalInfo *pSignalInfo)
{
    submission_semaphore_reached(call->device, find_semaphore(call, pSignalInfo->semaphore),
                                 pSignalInfo->value, true);
}

void state_after_GetSemaphoreCounterValue(struct call *call, VkDevice device, VkSemaphore semaphore,
                                          uint64_t *pValue)
{
    if (call->result == VK_ERROR_DEVICE_LOST)
        device_mark_lost(call->device);
    if (call->result == VK_SUCCESS)
        submission_semaphore_reached(call->device, find_semaphore(call, semaphore), *pValue, true);
}

void state_after_WaitSemaphores(struct call *call, VkDevice device,
                                const VkSemaphoreWaitInfo *pWaitInfo, uint64_t timeout)
{
    if (call->result == VK_ERROR_DEVICE_LOST)
        device_mark_lost(call->device);
    /* Which one of several it was, the answer does not tell. */
    if (call->result != VK_SUCCESS ||
        ((pWaitInfo->flags & VK_SEMAPHORE_WAIT_ANY_BIT) && pWaitInfo->semaphoreCount != 1))
        return;
    for (uint32_t i = 0; i < pWaitInfo->semaphoreCount; i++)
        submission_semaphore_reached(call->device, find_semaphore(call, pWaitInfo->pSemaphores[i]),
                                     pWaitInfo->pValues[i], false);
}

/* --- payloads that others have a hand in --- */

/* From now on others may show the program that what signals it is done. They are another semaphore
 * with this payload, another API, or a poll of the file. */
static void presume_signals(const struct call *call, struct semaphore *semaphore)
{
    uint64_t stamp;
    if (semaphore_last(semaphore, &stamp) == SEMAPHORE_LAST_SIGNAL)
        stamp_presume_done(call->device, stamp);
    if (semaphore->type != VK_SEMAPHORE_TYPE_TIMELINE)
        return;
    lock_take(&semaphore->lock);
    for (uint32_t i = 0; i < semaphore->operation_count; i++) {
        if (semaphore->operations[i].signal)
            stamp_presume_done(call->device, semaphore->operations[i].stamp);
    }
    lock_release(&semaphore->lock);
}

static void share_payload(const struct call *call, struct semaphore *semaphore)
{
    if (!semaphore)
        return;
    presume_signals(call, semaphore);
    atomic_store_explicit(&semaphore->shared, true, memory_order_relaxed);
}

void state_after_ImportSemaphoreFdKHR(struct call *call, VkDevice device,
                                      const VkImportSemaphoreFdInfoKHR *pImportSemaphoreFdInfo)
{
    if (call->result == VK_SUCCESS)
        share_payload(call, find_semaphore(call, pImportSemaphoreFdInfo->semaphore));
}

void state_after_GetSemaphoreFdKHR(struct call *call, VkDevice device,
                                   const VkSemaphoreGetFdInfoKHR *pGetFdInfo, int *pFd)
{
    struct semaphore *semaphore =
        call->result == VK_SUCCESS ? find_semaphore(call, pGetFdInfo->semaphore) : NULL;
    if (!semaphore || pGetFdInfo->handleType != VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT) {
        share_payload(call, semaphore);
        return;
    }
    /* A copy of the payload leaves the semaphore as a wait for it would. */
    presume_signals(call, semaphore);
    atomic_store_explicit(&semaphore->last, (uint64_t)SEMAPHORE_LAST_WAIT << SEMAPHORE_KIND_SHIFT,
                          memory_order_release);
}
