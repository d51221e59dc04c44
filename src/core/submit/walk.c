/* Goes through the batches of vkQueueSubmit and vkQueueSubmit2, and calls the checks for each. */
#include "core/submit/walk.h"
#include "core/submit/submit.h"

#include "objects/device.h"
#include "report/finding/rule.h"

/* Calls the checks of all kinds in `contents`, which joins the bits of all command buffers of the
 * batch. */
static COLD bool check_contents(struct submit *submit, const struct submit_batch *batch,
                                uint32_t contents)
{
    static const struct {
        enum submit_contents contents;
        bool (*check)(struct submit *submit, const struct submit_batch *batch);
    } checks[] = {
        {CONTENTS_SUSPENDED, submit_check_suspended}, {CONTENTS_PROTECTED, submit_check_protected},
        {CONTENTS_BUILDS, submit_check_builds},       {CONTENTS_EVENTS, submit_check_events},
        {CONTENTS_LABELS, submit_check_labels},       {CONTENTS_LAYOUTS, submit_check_layouts},
        {CONTENTS_TRANSFERS, submit_check_transfers}, {CONTENTS_QUERIES, submit_check_queries},
        {CONTENTS_VIDEO, submit_check_video},
    };
    bool skip = false;
    for (uint32_t i = 0; i < ARRAY_LENGTH(checks); i++) {
        if (contents & checks[i].contents)
            skip |= checks[i].check(submit, batch);
    }
    return skip;
}

/* Checks a batch that has semaphores or a chain, or whose command buffers have contents to be
 * checked. */
static COLD bool check_batch(struct submit *submit, const struct submit_batch *batch,
                             uint32_t contents)
{
    submit->ahead = submit->ahead || batch_waits_ahead(submit->call, &batch->batch);
    return check_contents(submit, batch, contents);
}

/* True if the batch has semaphores or a chain. In vkQueueSubmit2 flags count as well, and chains do
 * not, as none of their structures is checked here. */
static ALWAYS_INLINE bool batch_asks(const struct batches *batches, uint32_t i)
{
    if (batches->form == BATCHES_SUBMIT) {
        const VkSubmitInfo *info = &batches->submits[i];
        return info->pNext || info->waitSemaphoreCount || info->signalSemaphoreCount;
    }
    const VkSubmitInfo2 *info = &batches->submits2[i];
    return info->flags || info->waitSemaphoreInfoCount || info->signalSemaphoreInfoCount;
}

/* Checks the semaphores, stages and chain of a batch, if it has any. */
static ALWAYS_INLINE bool check_info(struct submit *submit, const struct batches *batches,
                                     uint32_t i, struct submit_batch *batch)
{
    batch->batch = batches_at(batches, i);
    if (batches->form == BATCHES_SUBMIT) {
        batch->is_protected = submit_is_protected(&batches->submits[i]);
        return submit_check_info(submit, &batches->submits[i], batch);
    }
    batch->is_protected = batches->submits2[i].flags & VK_SUBMIT_PROTECTED_BIT;
    return submit_check_info2(submit, &batches->submits2[i], batch);
}

/* Ends the checks of a call. A call that waits for an event which nothing will set is kept from the
 * driver, as the queue would wait forever. */
static ALWAYS_INLINE bool submit_conclude(struct submit *submit, bool skip)
{
    if (unlikely(submit->asked & CONTENTS_EVENTS) && submit->events.refused)
        submit->call->dead_handle = true;
    return skip;
}

/* Checks all batches of a call. */
static ALWAYS_INLINE bool check_batches(struct call *call, const struct batches *batches,
                                        const struct submit_numbers *numbers, VkFence fence)
{
    struct submit submit;
    struct submit_batch batch;
    bool skip = submit_begin(&submit, call, numbers, fence);
    for (uint32_t i = 0; i < batches->count; i++) {
        const bool asks = batch_asks(batches, i);
        uint32_t contents = 0;
        batch.where = LOCATION_INDEX(NULL, "pSubmits", i);
        if (unlikely(asks))
            skip |= check_info(&submit, batches, i, &batch);
        skip |= batches->form == BATCHES_SUBMIT
                    ? submit_check_command_buffers(&submit, &batches->submits[i], &batch.where,
                                                   &contents)
                    : submit_check_command_buffers2(&submit, &batches->submits2[i], &batch.where,
                                                    &contents);
        if (unlikely(contents && !asks)) {
            batch.batch = batches_at(batches, i);
            batch.is_protected = false;
        }
        if (unlikely(contents || asks))
            skip |= check_batch(&submit, &batch, contents);
    }
    return submit_conclude(&submit, skip);
}

bool core_validate_QueueSubmit(struct call *call, VkQueue queue, uint32_t submitCount,
                               const VkSubmitInfo *pSubmits, VkFence fence)
{
    const struct batches batches = batches_of_submit(submitCount, pSubmits);
    return check_batches(call, &batches, &submit_numbers_of_submit, fence);
}

bool core_validate_QueueSubmit2(struct call *call, VkQueue queue, uint32_t submitCount,
                                const VkSubmitInfo2 *pSubmits, VkFence fence)
{
    const struct batches batches = batches_of_submit2(submitCount, pSubmits);
    return check_batches(call, &batches, &submit_numbers_of_submit2, fence);
}
