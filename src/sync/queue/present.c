/* Tracks when images of swapchains belong to the presentation engine (34.10 "WSI Swapchain").
 *
 * From a present on the engine reads the image, after the semaphores that the present waits for.
 * Nothing else on the queue orders that read ("semaphores must be used to ensure that prior
 * rendering and other commands in the specified queue complete before the presentation begins").
 * When the image is acquired again, it is the engine's until the semaphore or fence is signaled. */
#include "report/finding/reporter.h"
#include "sync/access/areas.h"
#include "sync/hooks.h"
#include "sync/queue/queue.h"
#include "sync/access/ranges.h"

#include "state/wsi/swapchain.h"

/* Finds all of the image as a place, and the number of the engine's queue for it. Returns false if
 * the program has never asked for the image. */
static bool presented_image(const struct swapchain *swapchain, uint32_t index,
                            struct batch_image *found)
{
    const struct image *image = swapchain && !swapchain_is_shared(swapchain)
                                    ? swapchain_find_image(swapchain, index)
                                    : NULL;
    struct image_places places;
    if (!image)
        return false;
    image_places_of_range(&places, image,
                          &(VkImageSubresourceRange){image->aspects, 0, VK_REMAINING_MIP_LEVELS, 0,
                                                     VK_REMAINING_ARRAY_LAYERS});
    if (!image_places_next(&places))
        return false;
    *found = (struct batch_image){
        .place = places.place,
        .image = object_state_id(&image->base),
        /* Images share the engine's few queue numbers; two with one number are seldom compared. */
        .number = (uint8_t)(PRESENT_QUEUES + index % (QUEUE_NUMBERS - PRESENT_QUEUES))};
    while (image_places_next(&places))
        found->place.end = places.place.end;
    return true;
}

/* Forgets that the image was acquired, because the engine has it again: no fence has to be waited
 * for. */
static void forget_acquired(struct sync_group *group, uint64_t space) REQUIRES(group->lock)
{
    struct sync_device *sync = group->device;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < sync->acquired_count; i++) {
        if (sync->acquired[i].space != space)
            sync->acquired[kept++] = sync->acquired[i];
    }
    sync->acquired_count = kept;
}

/* Plays a present: its waits, and the reads of its images by the presentation engine. */
static void present_run(struct processing *processing, struct queue *queue,
                        const VkPresentInfoKHR *info, struct queue_batch *batch)
    REQUIRES(processing->group->lock)
{
    const struct call *call = processing->call;
    for (uint32_t i = 0; i < info->waitSemaphoreCount && info->pWaitSemaphores; i++) {
        const struct semaphore *semaphore = find_semaphore(call, info->pWaitSemaphores[i]);
        batch->waits[batch->wait_count++] =
            (struct batch_semaphore){.id = semaphore ? object_state_id(&semaphore->base) : 0};
    }
    for (uint32_t i = 0; i < info->swapchainCount && info->pSwapchains && info->pImageIndices;
         i++) {
        struct batch_image *image = &batch->images[batch->image_count];
        if (!presented_image(find_swapchain(call, info->pSwapchains[i]), info->pImageIndices[i],
                             image))
            continue;
        forget_acquired(processing->group, image->place.space);
        batch->image_count++;
    }
    queue_batch_submit(processing, batch);
}

void sync_before_QueuePresentKHR(struct call *call, VkQueue queue,
                                 const VkPresentInfoKHR *pPresentInfo)
{
    struct queue *state = object_load_state(call->object);
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    struct processing processing;
    if (!queue_is_followed(state))
        return;
    struct queue_batch batch = {
        .queue = state,
        .sequence = atomic_load_explicit(&state->submitted, memory_order_relaxed),
        .caller = call->caller,
        .command = call->command,
        .muted = reporter_is_label_muted(call->instance->reporter, call->object)};
    batch.waits = scratch_alloc(scratch, pPresentInfo->waitSemaphoreCount * sizeof(*batch.waits));
    batch.images = scratch_alloc(scratch, pPresentInfo->swapchainCount * sizeof(*batch.images));
    if (batch.waits && batch.images && processing_begin(&processing, call, state)) {
        present_run(&processing, state, pPresentInfo, &batch);
        processing_end(&processing);
    }
    scratch_rewind(scratch, mark);
}

/* --- acquiring --- */

/* Records the engine's access to an acquired image: it lasts until the semaphore or fence is
 * signaled. Returns false if memory is out or the image is not known. */
static bool take_from_engine(struct processing *processing, const struct batch_image *image)
    REQUIRES(processing->group->lock)
{
    struct sync_group *group = processing->group;
    lock_held(&group->lock);
    const struct access_entry entry = {.resource = image->image,
                                       .caller = processing->call->caller,
                                       .command = processing->call->command,
                                       .source = {.role = ROLE_PRESENT}};
    struct command_log *log = command_log_take();
    const struct queue_slot slot = {.sequence = UINT64_MAX, .log = log};
    uint64_t base =
        log && command_log_add(log, &entry) ? sync_group_add_slot(group, image->number, &slot) : 0;
    command_log_release(log);
    if (!base) {
        sync_group_forget(group);
        return false;
    }
    queue_claim(group, image->place.space, image->place.begin, image->place.end, image->number);
    group->context.sink = NULL; /* the engine's accesses are in order with each other */
    sync_context_access(&group->context, &image->place,
                        &(struct sync_access){.tag = base << 32 | 1,
                                              .usage = SYNC_PRESENT_ENGINE_ACQUIRE,
                                              .queue = image->number});
    group->context.sink = &group->sink;
    return true;
}

/* Notes that the program has acquired an image, which it may use once the semaphore or fence is
 * signaled. */
static void present_acquire(struct call *call, VkSwapchainKHR swapchain,
                            VkSemaphore semaphore_handle, VkFence fence_handle, uint32_t index)
{
    const struct semaphore *semaphore = find_semaphore(call, semaphore_handle);
    const struct fence *fence = find_fence(call, fence_handle);
    struct batch_image image = {.number = PRESENT_QUEUES};
    struct processing processing;
    bool known = presented_image(find_swapchain(call, swapchain), index, &image);
    if (!processing_begin(&processing, call, NULL))
        return;
    struct sync_group *group = processing.group;
    struct sync_device *sync = group->device;
    lock_held(&group->lock);
    forget_acquired(group, image.place.space);
    /* More acquired images than are kept: accesses to the image are forgotten, and nothing is
     * reported. */
    if (known && fence && sync->acquired_count == ACQUIRED_IMAGES) {
        sync_context_forget(&group->context, image.place.space);
        known = false;
    }
    known = known && take_from_engine(&processing, &image);
    if (known && fence)
        sync->acquired[sync->acquired_count++] = (struct acquired_image){
            .fence = object_state_id(&fence->base), .space = image.place.space};
    if (semaphore) {
        const struct batch_semaphore signal = {.id = object_state_id(&semaphore->base)};
        struct sync_barrier scope = {.queue = image.number, .from_queue = image.number};
        scope.src.stages = (sync_stage_mask)1 << SYNC_STAGE_PRESENT_ENGINE;
        scope.src.accesses = usage_mask_or(sync_reads, sync_writes);
        queue_claim_semaphore(group, signal.id, image.number);
        /* The sequence number of a signal: UINT64_MAX is never done; 0 is done already, so that the
         * signal orders nothing. */
        queue_signal_semaphore(group, &signal, known ? UINT64_MAX : 0, &scope);
    }
    processing_end(&processing);
}

/* True if the call has acquired an image. VK_NOT_READY and VK_TIMEOUT are successes without one. */
static bool has_image(const struct call *call)
{
    return call->result == VK_SUCCESS || call->result == VK_SUBOPTIMAL_KHR;
}

void sync_after_AcquireNextImageKHR(struct call *call, VkDevice device, VkSwapchainKHR swapchain,
                                    uint64_t timeout, VkSemaphore semaphore, VkFence fence,
                                    uint32_t *pImageIndex)
{
    if (has_image(call))
        present_acquire(call, swapchain, semaphore, fence, *pImageIndex);
}

void sync_after_AcquireNextImage2KHR(struct call *call, VkDevice device,
                                     const VkAcquireNextImageInfoKHR *pAcquireInfo,
                                     uint32_t *pImageIndex)
{
    if (has_image(call))
        present_acquire(call, pAcquireInfo->swapchain, pAcquireInfo->semaphore, pAcquireInfo->fence,
                        *pImageIndex);
}

/* Looks which fences of acquires are signaled, before they are reset: this is the last chance to
 * learn that the program may use the image. */
void sync_before_ResetFences(struct call *call, VkDevice device, uint32_t fenceCount,
                             const VkFence *pFences)
{
    const struct device_state *state = object_load_state(call->device->object);
    struct sync_device *sync =
        state ? atomic_load_explicit(&sync_in_device_state(state)->sync, memory_order_acquire)
              : NULL;
    struct processing processing;
    if (sync && atomic_load_explicit(&sync->acquired_count, memory_order_relaxed) &&
        processing_begin(&processing, call, NULL))
        processing_end(&processing);
}

/* Forgets the accesses to images that the program releases without presenting them. */
void sync_after_ReleaseSwapchainImagesKHR(struct call *call, VkDevice device,
                                          const VkReleaseSwapchainImagesInfoKHR *pReleaseInfo)
{
    const struct swapchain *swapchain =
        call->result == VK_SUCCESS ? find_swapchain(call, pReleaseInfo->swapchain) : NULL;
    struct processing processing;
    struct batch_image image;
    if (!swapchain || !pReleaseInfo->pImageIndices || !processing_begin(&processing, call, NULL))
        return;
    for (uint32_t i = 0; i < pReleaseInfo->imageIndexCount; i++) {
        if (!presented_image(swapchain, pReleaseInfo->pImageIndices[i], &image))
            continue;
        forget_acquired(processing.group, image.place.space);
        sync_context_forget(&processing.group->context, image.place.space);
    }
    processing_end(&processing);
}
