/* Checks semaphores and fences of acquires and presents, present ids, and work that uses the images
 * (34.10 "WSI Swapchain"). */
#include "core/submit/fence.h"
#include "core/hooks.h"
#include "core/destroy/in_use.h"
#include "state/memory/image.h"
#include "state/submit/semaphore.h"
#include "state/submit/submission.h"
#include "state/wsi/swapchain.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* --- acquiring --- */

/* The numbers of the rules, which differ between vkAcquireNextImageKHR and
 * vkAcquireNextImage2KHR. */
struct acquire_rules {
    enum rule unsignaled, no_operation, fence_unsignaled, fence_unassociated;
};

/* Checks that the semaphore of an acquire is unsignaled and not in use. VK_NULL_HANDLE, and
 * semaphores that are not binary, are not checked. */
static bool check_acquire_semaphore(const struct call *call, VkSemaphore handle,
                                    const struct acquire_rules *rules, const struct location *where)
{
    const struct semaphore *semaphore = handle ? find_semaphore(call, handle) : NULL;
    const struct finding_objects *objects = OBJECT(HANDLE_SEMAPHORE, handle);
    uint64_t stamp;
    if (!semaphore || semaphore->type != VK_SEMAPHORE_TYPE_BINARY)
        return false;
    enum semaphore_last last = semaphore_last(semaphore, &stamp);
    bool pending =
        stamp && stamp_pending(call->device, stamp) && call->instance->settings.check_object_in_use;
    /* If semaphore is not VK_NULL_HANDLE, it must be unsignaled. (The signal of an acquire before
     * this one is done, or pending: both are wrong.) */
    if (last == SEMAPHORE_LAST_SIGNAL && !pending)
        return BROKEN_BY(call, rules->unsignaled, where, objects,
                         "is signaled, or will be, and nothing has waited for it since");
    struct subject s = {.call = call, .objects = objects};
    /* ... it must not have any uncompleted signal or wait operations pending */
    REQUIRE(&s, rules->no_operation, !pending || last == SEMAPHORE_LAST_UNKNOWN, where,
            "is %s by submitted work that is not known to be done",
            last == SEMAPHORE_LAST_SIGNAL ? "to be signaled" : "waited for");
    return s.skip;
}

/* Checks the semaphore and the fence of an acquire. */
static bool check_acquire(const struct call *call, VkSemaphore semaphore, VkFence fence,
                          const struct acquire_rules *rules, const struct location *where)
{
    bool skip = check_acquire_semaphore(call, semaphore, rules, &LOCATION(where, "semaphore"));
    return skip | fence_check_free(call, fence, rules->fence_unsignaled, rules->fence_unassociated,
                                   &LOCATION(where, "fence"));
}

bool core_validate_AcquireNextImageKHR_sync(struct call *call, VkDevice device,
                                            VkSwapchainKHR swapchain, uint64_t timeout,
                                            VkSemaphore semaphore, VkFence fence,
                                            uint32_t *pImageIndex)
{
    static const struct acquire_rules rules = {RULE_01286, RULE_01779, RULE_01287, RULE_10066};
    return check_acquire(call, semaphore, fence, &rules, NULL);
}

bool core_validate_AcquireNextImage2KHR_sync(struct call *call, VkDevice device,
                                             const VkAcquireNextImageInfoKHR *pAcquireInfo,
                                             uint32_t *pImageIndex)
{
    static const struct acquire_rules rules = {RULE_01288, RULE_01781, RULE_01289, RULE_10067};
    return check_acquire(call, pAcquireInfo->semaphore, pAcquireInfo->fence, &rules,
                         &LOCATION_POINTER(NULL, "pAcquireInfo"));
}

/* --- presenting --- */

/* True if an earlier element is the same semaphore. */
static bool was_waited_before(const VkPresentInfoKHR *info, uint32_t index)
{
    assert(index < info->waitSemaphoreCount);
    for (uint32_t i = 0; i < index; i++) {
        if (info->pWaitSemaphores[i] == info->pWaitSemaphores[index])
            return true;
    }
    return false;
}

/* Checks that something signals semaphore `i`, for which a present waits, and that no other queue
 * waits for it. */
static bool check_present_wait(const struct call *call, const VkPresentInfoKHR *info, uint32_t i,
                               const struct location *parent)
{
    assert(i < info->waitSemaphoreCount);
    VkSemaphore handle = info->pWaitSemaphores[i];
    const struct semaphore *semaphore = find_semaphore(call, handle);
    const struct finding_objects *objects = OBJECT(HANDLE_SEMAPHORE, handle);
    const struct location where = LOCATION_INDEX(parent, "pWaitSemaphores", i);
    uint64_t stamp;
    if (!semaphore || semaphore->type != VK_SEMAPHORE_TYPE_BINARY || mem_failures())
        return false;
    enum semaphore_last last = semaphore_last(semaphore, &stamp);
    if (last == SEMAPHORE_LAST_SIGNAL && was_waited_before(info, i))
        last = SEMAPHORE_LAST_WAIT;
    if (likely(last == SEMAPHORE_LAST_SIGNAL)) {
        /* ... and any semaphore signal operations on which it depends must have also been submitted
         * for execution */
        const struct unsubmitted_wait after = submission_unsubmitted_wait(call->device, stamp);
        const struct semaphore *timeline = semaphore_by_id(after.semaphore);
        return unlikely(timeline) &&
               BROKEN_BY(call, RULE_03268, &where,
                         OBJECT2(HANDLE_SEMAPHORE, handle, HANDLE_SEMAPHORE,
                                 object_state_handle(&timeline->base)),
                         "is signaled by a batch that waits for value %" PRIu64
                         " of VkSemaphore 0x%" PRIx64 ", which nothing that was submitted signals",
                         after.value, object_state_handle(&timeline->base));
    }
    if (likely(last == SEMAPHORE_LAST_UNKNOWN))
        return false;
    /* When a semaphore wait operation ... executes on queue, there must be no other queues waiting
     * on the same semaphore */
    const struct queue *waiting =
        last == SEMAPHORE_LAST_WAIT && stamp ? stamp_pending(call->device, stamp) : NULL;
    if (waiting && waiting != object_load_state(call->object))
        return BROKEN_BY(call, RULE_01294, &where, objects,
                         "is being waited for by VkQueue 0x%" PRIx64 " already",
                         object_state_handle(&waiting->base));
    /* All elements of pWaitSemaphores must reference a semaphore signal operation that has been
     * submitted for execution */
    return BROKEN_BY(call, RULE_03268, &where, objects,
                     last == SEMAPHORE_LAST_WAIT
                         ? "has been waited for since it was last signaled: no submitted operation "
                           "will signal it again"
                         : "is not signaled, and no submitted operation will signal it");
}

/* Each non-zero entry in presentIds must be greater than all previously submitted present ids for
 * the associated swapchain */
static bool check_present_ids(const struct call *call, const VkPresentInfoKHR *info, uint32_t count,
                              const uint64_t *ids, enum rule rule, const struct location *where)
{
    struct subject s = {.call = call};
    for (uint32_t i = 0; ids && i < count && i < info->swapchainCount; i++) {
        const struct swapchain *swapchain =
            ids[i] ? find_swapchain(call, info->pSwapchains[i]) : NULL;
        uint64_t last =
            swapchain ? atomic_load_explicit(&swapchain->present_id, memory_order_relaxed) : 0;
        REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, info->pSwapchains[i]), rule,
                   !swapchain || ids[i] > last, &LOCATION_INDEX(where, "pPresentIds", i),
                   "is %" PRIu64 ", but the swapchain has been presented to with the id %" PRIu64,
                   ids[i], last);
    }
    return s.skip;
}

/* Checks the present ids and the fences in the chain of VkPresentInfoKHR. */
static bool present_sync_check_chained(const struct call *call, const VkPresentInfoKHR *info,
                                       const struct location *where)
{
    const VkSwapchainPresentFenceInfoKHR *fences =
        CHAINED(info->pNext, SWAPCHAIN_PRESENT_FENCE_INFO_KHR);
    const VkPresentIdKHR *ids = CHAINED(info->pNext, PRESENT_ID_KHR);
    const VkPresentId2KHR *ids2 = CHAINED(info->pNext, PRESENT_ID_2_KHR);
    const struct location *of_fences = &LOCATION_CHAINED(where, "VkSwapchainPresentFenceInfoKHR");
    bool skip = false;
    if (ids && !pointer_is_bad(ids->pPresentIds))
        skip |= check_present_ids(call, info, ids->swapchainCount, ids->pPresentIds, RULE_04999,
                                  &LOCATION_CHAINED(where, "VkPresentIdKHR"));
    if (ids2 && !pointer_is_bad(ids2->pPresentIds))
        skip |= check_present_ids(call, info, ids2->swapchainCount, ids2->pPresentIds, RULE_10819,
                                  &LOCATION_CHAINED(where, "VkPresentId2KHR"));
    /* Each element of pFences that is not VK_NULL_HANDLE must be unsignaled, and not be associated
     * with any other queue command */
    for (uint32_t i = 0; fences && !pointer_is_bad(fences->pFences) && i < fences->swapchainCount;
         i++)
        skip |= fence_check_free(call, fences->pFences[i], RULE_07758, RULE_07759,
                                 &LOCATION_INDEX(of_fences, "pFences", i));
    return skip;
}

bool core_validate_QueuePresentKHR_sync(struct call *call, VkQueue queue,
                                        const VkPresentInfoKHR *pPresentInfo)
{
    const struct location *where = &LOCATION_POINTER(NULL, "pPresentInfo");
    bool skip = false;
    if (!call->device)
        return false;
    for (uint32_t i = 0;
         !pointer_is_bad(pPresentInfo->pWaitSemaphores) && i < pPresentInfo->waitSemaphoreCount;
         i++)
        skip |= check_present_wait(call, pPresentInfo, i, where);
    if (!pPresentInfo->pNext || pointer_is_bad(pPresentInfo->pSwapchains))
        return skip;
    return skip | present_sync_check_chained(call, pPresentInfo, where);
}

bool core_validate_WaitForPresent2KHR_id(struct call *call, VkDevice device,
                                         VkSwapchainKHR swapchain,
                                         const VkPresentWait2InfoKHR *pPresentWait2Info)
{
    const struct swapchain *state = named_swapchain(call, 0, swapchain);
    uint64_t last = state ? atomic_load_explicit(&state->present_id, memory_order_relaxed) : 0;
    struct subject s = {.call = call};
    /* The presentId value must have been associated with a vkQueuePresentKHR request on the
     * swapchain which returned a non-error value */
    REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, swapchain), RULE_10817,
               !state || pPresentWait2Info->presentId <= last,
               &LOCATION(&LOCATION_POINTER(NULL, "pPresentWait2Info"), "presentId"),
               "is %" PRIu64
               ", but the last id that the swapchain was presented to with is %" PRIu64,
               pPresentWait2Info->presentId, last);
    return s.skip;
}

/* --- the images' uses --- */

/* The search for an image of a swapchain that is in use. */
struct use_search {
    const struct call *call;
    const struct image *found; /* NULL: none so far */
    uint32_t index;            /* UINT32_MAX: any image */
};

/* Notes an image that is in use. object_for_each_child() calls it. `context`: struct use_search. */
static void look_for_use(struct object *child, void *context)
{
    struct use_search *search = context;
    const struct image *image = object_load_state_typed(child, HANDLE_IMAGE);
    if (!search->found && image &&
        (search->index == UINT32_MAX || image->swapchain_index == search->index) &&
        in_use(search->call, &image->base))
        search->found = image;
}

/* Checks that image `index` of the swapchain is not in use; UINT32_MAX: that none of its images
 * is. */
static bool check_images_unused(const struct call *call, VkSwapchainKHR swapchain, uint32_t index,
                                enum vuid vuid, const struct location *where)
{
    struct object *object = call_find(call, (uint64_t)swapchain, HANDLE_SWAPCHAIN_KHR);
    struct use_search search = {.call = call, .index = index};
    if (!object)
        return false;
    object_for_each_child(object, look_for_use, &search);
    return search.found && in_use_check(call, &search.found->base, vuid, where);
}

bool core_validate_DestroySwapchainKHR_images(struct call *call, VkDevice device,
                                              VkSwapchainKHR swapchain,
                                              const VkAllocationCallbacks *pAllocator)
{
    /* All uses of presentable images acquired from swapchain must have completed execution */
    return swapchain && check_images_unused(call, swapchain, UINT32_MAX, RULE(call, 01282),
                                            &LOCATION(NULL, "swapchain"));
}

bool core_validate_ReleaseSwapchainImagesKHR_uses(struct call *call, VkDevice device,
                                                  const VkReleaseSwapchainImagesInfoKHR
                                                      *pReleaseInfo)
{
    const struct location *where = &LOCATION_POINTER(NULL, "pReleaseInfo");
    bool skip = false;
    /* All uses of presentable images identified by elements of pImageIndices must have completed
     * execution */
    for (uint32_t i = 0;
         !pointer_is_bad(pReleaseInfo->pImageIndices) && i < pReleaseInfo->imageIndexCount; i++)
        skip |= check_images_unused(call, pReleaseInfo->swapchain, pReleaseInfo->pImageIndices[i],
                                    RULE(call, 07786), &LOCATION_INDEX(where, "pImageIndices", i));
    return skip;
}
