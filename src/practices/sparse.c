/* Advice on vkQueueBindSparse: the queries that should come before it, and its queue. */
#include "practices/advise.h"
#include "practices/asked.h"
#include "practices/hooks.h"
#include "state/submit/queue.h"

void practices_after_GetImageMemoryRequirements(struct call *call, VkDevice device, VkImage image,
                                                VkMemoryRequirements *pMemoryRequirements)
{
    asked_note(ASKED_REQUIREMENTS);
}

void practices_after_GetImageMemoryRequirements2(struct call *call, VkDevice device,
                                                 const VkImageMemoryRequirementsInfo2 *pInfo,
                                                 VkMemoryRequirements2 *pMemoryRequirements)
{
    asked_note(ASKED_REQUIREMENTS);
}

void practices_after_GetDeviceImageMemoryRequirements(struct call *call, VkDevice device,
                                                      const VkDeviceImageMemoryRequirements *pInfo,
                                                      VkMemoryRequirements2 *pMemoryRequirements)
{
    asked_note(ASKED_REQUIREMENTS);
}

void practices_after_GetImageSparseMemoryRequirements(struct call *call, VkDevice device,
                                                      VkImage image,
                                                      uint32_t *pSparseMemoryRequirementCount,
                                                      VkSparseImageMemoryRequirements
                                                          *pSparseMemoryRequirements)
{
    asked_note(ASKED_SPARSE);
}

void practices_after_GetImageSparseMemoryRequirements2(struct call *call, VkDevice device,
                                                       const VkImageSparseMemoryRequirementsInfo2
                                                           *pInfo,
                                                       uint32_t *pSparseMemoryRequirementCount,
                                                       VkSparseImageMemoryRequirements2
                                                           *pSparseMemoryRequirements)
{
    asked_note(ASKED_SPARSE);
}

void practices_after_GetDeviceImageSparseMemoryRequirements(struct call *call, VkDevice device,
                                                            const VkDeviceImageMemoryRequirements
                                                                *pInfo,
                                                            uint32_t *pSparseMemoryRequirementCount,
                                                            VkSparseImageMemoryRequirements2
                                                                *pSparseMemoryRequirements)
{
    asked_note(ASKED_SPARSE);
}

/* A queue family with sparse binding and without graphics; UINT32_MAX: there is none. */
static uint32_t asynchronous_family(const struct device *device)
{
    for (uint32_t i = 0; i < device->queue_family_count; i++) {
        const VkQueueFlags flags = device->queue_families[i].queueFlags;
        if (flags & VK_QUEUE_SPARSE_BINDING_BIT && !(flags & VK_QUEUE_GRAPHICS_BIT))
            return i;
    }
    return UINT32_MAX;
}

/* NVIDIA: advises to bind on a queue that does not draw, if the device has one. */
static void judge_queue(const struct call *call)
{
    const struct queue *queue = object_load_state(call->object);
    const uint32_t other = queue && queue->queue_flags & VK_QUEUE_GRAPHICS_BIT
                               ? asynchronous_family(call->device)
                               : UINT32_MAX;
    if (other != UINT32_MAX)
        advise(call, BestPractices_NVIDIA_QueueBindSparse_NotAsync, &LOCATION(NULL, "queue"), NULL,
               "is of family %u, which has graphics, and family %u has sparse binding without",
               queue->family, other);
}

/* Advises if memory is bound to a sparse image whose requirements the program has not queried. */
static void judge_bind(const struct call *call, const VkBindSparseInfo *info,
                       const struct location *where)
{
    const bool requirements = asked_was(ASKED_REQUIREMENTS), sparse = asked_was(ASKED_SPARSE);
    if (info->imageOpaqueBindCount && !requirements)
        advise(call, BestPractices_vkQueueBindSparse_image_opaque_requirements,
               &LOCATION(where, "pImageOpaqueBinds"), NULL,
               "binds memory, and the program has not asked what memory images need");
    if (info->imageBindCount && !requirements)
        advise(call, BestPractices_vkQueueBindSparse_image_requirements,
               &LOCATION(where, "pImageBinds"), NULL,
               "binds blocks, and the program has not asked what memory images need");
    else if (info->imageBindCount && !sparse)
        advise(call, BestPractices_vkQueueBindSparse_image_requirements2,
               &LOCATION(where, "pImageBinds"), NULL,
               "binds blocks, and the program has not asked for their granularity");
}

void practices_after_QueueBindSparse(struct call *call, VkQueue queue, uint32_t bindInfoCount,
                                     const VkBindSparseInfo *pBindInfo, VkFence fence)
{
    if (call->result != VK_SUCCESS)
        return;
    if (practices_want(call, PRACTICE_NVIDIA))
        judge_queue(call);
    for (uint32_t i = 0; i < bindInfoCount; i++)
        judge_bind(call, &pBindInfo[i], &LOCATION_INDEX(NULL, "pBindInfo", i));
}
