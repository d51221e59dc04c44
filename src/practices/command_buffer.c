/* Advice on command buffers, submissions, fences and semaphores. */
#include "practices/advise.h"
#include "practices/counts.h"
#include "practices/hooks.h"
#include "practices/indices.h"

#include <string.h>

/* So many existing fences, or semaphores, are too many. */
#define MANY_FENCES 64

/* --- allocation --- */

void practices_after_AllocateCommandBuffers(struct call *call, VkDevice device,
                                            const VkCommandBufferAllocateInfo *pAllocateInfo,
                                            VkCommandBuffer *pCommandBuffers)
{
    if (call->result != VK_SUCCESS)
        return;
    for (uint32_t i = 0; i < pAllocateInfo->commandBufferCount; i++) {
        struct command_buffer *command_buffer = find_command_buffer(pCommandBuffers[i]);
        if (command_buffer)
            /* States of command buffers are used again: what the last owner counted must go. */
            memset(practices_in_command_buffer(command_buffer), 0,
                   sizeof(struct practices_in_command_buffer));
    }
    const struct command_pool *pool = find_command_pool(call, pAllocateInfo->commandPool);
    if (!pool || pAllocateInfo->level != VK_COMMAND_BUFFER_LEVEL_SECONDARY)
        return;
    const struct finding_objects *objects = OBJECT(HANDLE_COMMAND_POOL, pAllocateInfo->commandPool);
    const struct location where = LOCATION(&LOCATION_POINTER(NULL, "pAllocateInfo"), "level");
    if (pool->queue_flags && !(pool->queue_flags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT |
                                                    VK_QUEUE_TRANSFER_BIT)))
        advise(call, BestPractices_vkAllocateCommandBuffers_unusable_secondary, &where, objects,
               "is VK_COMMAND_BUFFER_LEVEL_SECONDARY, and queue family %u of the pool has %s",
               pool->queue_family, TEXT_OF(VkQueueFlags, pool->queue_flags));
    advise(call, BestPractices_AMD_VkCommandBuffer_AvoidSecondaryCmdBuffers, &where, objects,
           "is VK_COMMAND_BUFFER_LEVEL_SECONDARY, and commandBufferCount is %u",
           pAllocateInfo->commandBufferCount);
}

/* --- recording --- */

void practices_after_CmdExecuteCommands(struct call *call, VkCommandBuffer commandBuffer,
                                        uint32_t commandBufferCount,
                                        const VkCommandBuffer *pCommandBuffers)
{
    const struct command_buffer *primary = call_command_buffer(call);
    count_draw(call); /* the draws of the secondaries are not known here */
    for (uint32_t i = 0; i < commandBufferCount; i++)
        indices_execute(call, pCommandBuffers[i]);
    if (!primary || !(primary->usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT))
        return;
    for (uint32_t i = 0; i < commandBufferCount; i++) {
        const struct command_buffer *secondary = find_command_buffer(pCommandBuffers[i]);
        if (!secondary || secondary->usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT)
            continue;
        advise(call, BestPractices_vkCmdExecuteCommands_CommandBufferSimultaneousUse,
               &LOCATION_INDEX(NULL, "pCommandBuffers", i),
               OBJECT(HANDLE_COMMAND_BUFFER, (uintptr_t)pCommandBuffers[i]),
               "was begun without VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, and the primary "
               "with it");
        return;
    }
}

/* --- submissions --- */

/* Counts a submission of the command buffer. True: it has indexed draws whose indices are to be
 * read. */
static bool note_submit(VkCommandBuffer handle)
{
    const struct command_buffer *command_buffer = find_command_buffer(handle);
    if (!command_buffer)
        return false;
    struct practices_of_command_buffer *kept = &practices_in_command_buffer(command_buffer)->kept;
    practices_count(&kept->submits);
    return kept->indexed_count != 0;
}

/* True if a setting asks for advice that counts submissions; only that of these vendors does. */
static bool asks_for_submits(const struct call *call)
{
    return practices_want(call, PRACTICE_ARM | PRACTICE_NVIDIA);
}

/* Counts submissions between two presents. */
static void count_submission(const struct call *call)
{
    struct practices_of_device *kept = practices_of_device(call->device);
    if (kept)
        atomic_fetch_add_explicit(&kept->submissions, 1, memory_order_relaxed);
}

/* This is before the call: after it, another thread may have recorded the command buffer again, and
 * the device may have written the indices. */
void practices_before_QueueSubmit(struct call *call, VkQueue queue, uint32_t submitCount,
                                  const VkSubmitInfo *pSubmits, VkFence fence)
{
    count_submission(call);
    for (uint32_t i = 0; asks_for_submits(call) && i < submitCount; i++) {
        for (uint32_t k = 0; k < pSubmits[i].commandBufferCount; k++)
            if (unlikely(note_submit(pSubmits[i].pCommandBuffers[k])))
                indices_submit(call,
                               &LOCATION_INDEX(&LOCATION_INDEX(NULL, "pSubmits", i),
                                               "pCommandBuffers", k),
                               pSubmits[i].pCommandBuffers[k]);
    }
}

void practices_before_QueueSubmit2(struct call *call, VkQueue queue, uint32_t submitCount,
                                   const VkSubmitInfo2 *pSubmits, VkFence fence)
{
    count_submission(call);
    for (uint32_t i = 0; asks_for_submits(call) && i < submitCount; i++) {
        for (uint32_t k = 0; k < pSubmits[i].commandBufferInfoCount; k++)
            if (unlikely(note_submit(pSubmits[i].pCommandBufferInfos[k].commandBuffer)))
                indices_submit(call,
                               &LOCATION_INDEX(&LOCATION_INDEX(NULL, "pSubmits", i),
                                               "pCommandBufferInfos", k),
                               pSubmits[i].pCommandBufferInfos[k].commandBuffer);
    }
}

/* --- fences and semaphores: AMD --- */

/* The device's counters; NULL: no setting asks for numbers of objects. */
static struct practices_of_device *counted_in(const struct call *call)
{
    return practices_want(call, PRACTICE_AMD) ? practices_of_device(call->device) : NULL;
}

/* Counts a new object, and advises if there are too many. `what`: the kind of object, in words. */
static void count_object(const struct call *call, _Atomic uint32_t *counter, enum vuid id,
                         const char *what)
{
    const uint32_t count = practices_count(counter);
    if (count >= MANY_FENCES)
        advise(call, id, NULL, NULL, "makes %s %u of the device", what, count);
}

void practices_after_CreateFence(struct call *call, VkDevice device,
                                 const VkFenceCreateInfo *pCreateInfo,
                                 const VkAllocationCallbacks *pAllocator, VkFence *pFence)
{
    struct practices_of_device *kept = counted_in(call);
    if (call->result == VK_SUCCESS && kept)
        count_object(call, &kept->fences, BestPractices_SyncObjects_HighNumberOfFences, "fence");
}

void practices_before_DestroyFence(struct call *call, VkDevice device, VkFence fence,
                                   const VkAllocationCallbacks *pAllocator)
{
    struct practices_of_device *kept = counted_in(call);
    if (kept && fence)
        atomic_fetch_sub_explicit(&kept->fences, 1, memory_order_relaxed);
}

void practices_after_CreateSemaphore(struct call *call, VkDevice device,
                                     const VkSemaphoreCreateInfo *pCreateInfo,
                                     const VkAllocationCallbacks *pAllocator,
                                     VkSemaphore *pSemaphore)
{
    struct practices_of_device *kept = counted_in(call);
    if (call->result == VK_SUCCESS && kept)
        count_object(call, &kept->semaphores, BestPractices_SyncObjects_HighNumberOfSemaphores,
                     "semaphore");
}

void practices_before_DestroySemaphore(struct call *call, VkDevice device, VkSemaphore semaphore,
                                       const VkAllocationCallbacks *pAllocator)
{
    struct practices_of_device *kept = counted_in(call);
    if (kept && semaphore)
        atomic_fetch_sub_explicit(&kept->semaphores, 1, memory_order_relaxed);
}
