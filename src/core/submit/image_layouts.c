/* Checks that images are in the layouts that submitted command buffers, and host commands, expect
 * (12.4, 7.9). */
#include "core/hooks.h"
#include "core/barrier/image_transition.h"
#include "core/submit/layout_report.h"
#include "core/submit/walk.h"

#include "objects/device.h"
#include "report/finding/reporter.h"
#include "report/finding/rule.h"
#include "state/memory/image_layout.h"
#include "state/submit/semaphore.h"
#include "state/wsi/swapchain.h"

/* --- submits --- */

/* "The presentation engine may not have finished reading from the image at the time it is acquired,
 * so the application must use semaphore and/or fence to ensure that the image layout and contents
 * are not modified until" it has (34.10). True if the acquire had a semaphore alone, for which
 * neither this batch waits nor anything before it. */
static COLD bool acquire_is_not_waited_for(const struct submit *submit,
                                           const struct swapchain *swapchain, uint32_t index)
{
    const uint64_t id =
        index < SWAPCHAIN_IMAGES
            ? atomic_load_explicit(&swapchain->acquired_by[index], memory_order_relaxed)
            : 0;
    const struct semaphore *semaphore = semaphore_by_id(id);
    uint64_t stamp;
    if (!semaphore || submit->operations.overflow ||
        !semaphore_is_of_acquire(semaphore, object_state_id(&swapchain->base), index) ||
        semaphore_last(semaphore, &stamp) != SEMAPHORE_LAST_SIGNAL || stamp)
        return false;
    for (uint32_t i = 0; i < submit->operations.count; i++) {
        if (submit->operations.list[i].semaphore == semaphore)
            return false;
    }
    return true;
}

/* Use of a presentable image must occur only after the image is returned by vkAcquireNextImageKHR,
 * and before it is released by vkQueuePresentKHR (34.10 "WSI Swapchain"). */
static COLD bool check_acquired(const struct submit *submit, VkCommandBuffer handle,
                                const struct image *image, const struct location *where)
{
    const struct call *call = submit->call;
    const struct swapchain *swapchain = swapchain_by_id(image->swapchain);
    uint32_t index = image->swapchain_index;
    if (!swapchain || !image->from_swapchain || swapchain_is_shared(swapchain))
        return false;
    const bool acquired = swapchain_image_is_acquired(swapchain, index);
    if (acquired && (call->instance->settings.validate_sync || /* validate_sync reports a hazard */
                     !acquire_is_not_waited_for(submit, swapchain, index)))
        return false;
    bool presented =
        atomic_load_explicit(&swapchain->given_back, memory_order_relaxed) >> index & 1;
    if (!acquired && presented && call->instance->settings.validate_sync) /* reported there, too */
        return false;
    struct finding_objects objects = {
        .count = 3,
        .list = {{HANDLE_COMMAND_BUFFER, (uint64_t)(uintptr_t)handle},
                 {HANDLE_IMAGE, object_state_handle(&image->base)},
                 {HANDLE_SWAPCHAIN_KHR, object_state_handle(&swapchain->base)}}};
    if (acquired)
        return BROKEN_BY(call, UNASSIGNED_non_acquired_swapchain_image_used, where, &objects,
                         "uses image %u of the swapchain, and nothing has waited for the semaphore "
                         "that vkAcquireNextImageKHR signals for it: the presentation engine may "
                         "be reading it",
                         index);
    return BROKEN_BY(call, UNASSIGNED_non_acquired_swapchain_image_used, where, &objects,
                     "uses image %u of the swapchain, which the program has not acquired%s: the "
                     "presentation engine may be reading it. Submit it after vkAcquireNextImageKHR "
                     "has returned that index",
                     index, presented ? " since it presented it" : "");
}

bool submit_check_layouts(struct submit *submit, const struct submit_batch *submitted)
{
    assert(submit->call);
    const struct call *call = submit->call;
    const struct batch *batch = &submitted->batch;
    struct submit_earlier *earlier = &submit->layouts;
    bool skip = false;
    if (submit_asks_first(submit, CONTENTS_LAYOUTS))
        earlier->count = 0;
    if (unlikely(submit->ahead))
        /* Neither this batch nor a later one is judged by the layouts that it finds. */
        earlier->count = EARLIER_MOST;
    for (uint32_t i = 0; i < batch->command_buffer_count; i++) {
        VkCommandBuffer handle = batch_command_buffer(batch, i);
        const struct command_buffer *command_buffer = find_command_buffer(handle);
        if (!command_buffer || !command_buffer->layouts)
            continue;
        if (earlier->count == EARLIER_MOST)
            return skip;
        const struct location where =
            LOCATION_INDEX(&submitted->where, batch_command_buffers_name(batch), i);
        struct image *image;
        for (uint32_t j = 0; command_buffer_layout_image(command_buffer, j, &image); j++) {
            struct layout_mismatch mismatch;
            if (unlikely(!image))
                continue;
            if (image->swapchain)
                skip |= check_acquired(submit, handle, image, &where);
            if (unlikely(command_buffer_layout_conflicts(command_buffer, j, earlier->list,
                                                         earlier->count, &mismatch)))
                skip |= submit_report_layout(submit, handle, image, &mismatch, &where);
            if (unlikely(mismatch.muted))
                reporter_count_muted_by_label(call->instance->reporter);
        }
        earlier->list[earlier->count++] = command_buffer;
    }
    return skip;
}

/* --- host transitions --- */

/* Barriers have the same rules; the other rules of this command are in copy_host.c. */
bool core_validate_TransitionImageLayout_range(struct call *call, VkDevice device,
                                               uint32_t transitionCount,
                                               const VkHostImageLayoutTransitionInfo *pTransitions)
{
    bool skip = false;
    for (uint32_t i = 0; pTransitions && i < transitionCount; i++) {
        const VkHostImageLayoutTransitionInfo *info = &pTransitions[i];
        const struct image_transition transition = {.image = find_image(call, info->image),
                                                    .old_layout = info->oldLayout,
                                                    .new_layout = info->newLayout,
                                                    .range = &info->subresourceRange};
        if (transition.image)
            skip |= image_transition_check_host(call, &transition,
                                                &LOCATION_INDEX(NULL, "pTransitions", i));
    }
    return skip;
}
