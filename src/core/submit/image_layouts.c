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
#include "state/wsi/swapchain.h"

/* --- submits --- */

/* Use of a presentable image must occur only after the image is returned by vkAcquireNextImageKHR,
 * and before it is released by vkQueuePresentKHR (34.10 "WSI Swapchain"). */
static COLD bool check_acquired(const struct call *call, VkCommandBuffer handle,
                                const struct image *image, const struct location *where)
{
    const struct swapchain *swapchain = swapchain_by_id(image->swapchain);
    uint32_t index = image->swapchain_index;
    if (!swapchain || !image->from_swapchain || swapchain_is_shared(swapchain) ||
        swapchain_image_is_acquired(swapchain, index))
        return false;
    bool presented =
        atomic_load_explicit(&swapchain->given_back, memory_order_relaxed) >> index & 1;
    if (presented && call->instance->settings.validate_sync) /* which has a hazard to report */
        return false;
    struct finding_objects objects = {
        .count = 3,
        .list = {{HANDLE_COMMAND_BUFFER, (uint64_t)(uintptr_t)handle},
                 {HANDLE_IMAGE, object_state_handle(&image->base)},
                 {HANDLE_SWAPCHAIN_KHR, object_state_handle(&swapchain->base)}}};
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
        /* what this batch finds, and what later ones find, is not judged */
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
                skip |= check_acquired(call, handle, image, &where);
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

/* Barriers have to hold to this, too; the rest is in copy_host.c. */
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
