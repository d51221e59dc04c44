/* Goes through the batches of vkQueueSubmit and vkQueueSubmit2, and asks the checks on the way. */
#include "core/submit/walk.h"
#include "core/submit/submit.h"

#include "objects/device.h"
#include "report/finding/rule.h"

/* Checks what `contents` ask for: bits of all command buffers of the batch together. */
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
    };
    bool skip = false;
    for (uint32_t i = 0; i < ARRAY_LENGTH(checks); i++) {
        if (contents & checks[i].contents)
            skip |= checks[i].check(submit, batch);
    }
    return skip;
}

/* The batch has semaphores or a chain, or its command buffers hold something. */
static COLD bool check_batch(struct submit *submit, const struct submit_batch *batch,
                             uint32_t contents)
{
    submit->ahead = submit->ahead || batch_waits_ahead(submit->call, &batch->batch);
    return check_contents(submit, batch, contents);
}

/* A wait for an event that nothing will set: the queue would wait forever. */
static ALWAYS_INLINE bool submit_conclude(struct submit *submit, bool skip)
{
    if (unlikely(submit->asked & CONTENTS_EVENTS) && submit->events.refused)
        submit->call->dead_handle = true;
    return skip;
}

bool core_validate_QueueSubmit(struct call *call, VkQueue queue, uint32_t submitCount,
                               const VkSubmitInfo *pSubmits, VkFence fence)
{
    struct submit submit;
    struct submit_batch batch;
    bool skip = submit_begin(&submit, call, &submit_numbers_of_submit, fence);
    for (uint32_t i = 0; pSubmits && i < submitCount; i++) {
        const VkSubmitInfo *info = &pSubmits[i];
        const bool asks = info->pNext || info->waitSemaphoreCount || info->signalSemaphoreCount;
        uint32_t contents = 0;
        batch.where = LOCATION_INDEX(NULL, "pSubmits", i);
        if (unlikely(asks)) {
            batch.batch = batch_of_submit(info);
            batch.is_protected = submit_is_protected(info);
            skip |= submit_check_info(&submit, info, &batch);
        }
        skip |= submit_check_command_buffers(&submit, info, &batch.where, &contents);
        if (unlikely(contents && !asks)) {
            batch.batch = batch_of_submit(info);
            batch.is_protected = false;
        }
        if (unlikely(contents || asks))
            skip |= check_batch(&submit, &batch, contents);
    }
    return submit_conclude(&submit, skip);
}

bool core_validate_QueueSubmit2(struct call *call, VkQueue queue, uint32_t submitCount,
                                const VkSubmitInfo2 *pSubmits, VkFence fence)
{
    struct submit submit;
    struct submit_batch batch;
    struct subject s = {.call = call};
    s.skip |= submit_begin(&submit, call, &submit_numbers_of_submit2, fence);
    for (uint32_t i = 0; pSubmits && i < submitCount; i++) {
        const VkSubmitInfo2 *info = &pSubmits[i];
        const bool asks =
            info->flags || info->waitSemaphoreInfoCount || info->signalSemaphoreInfoCount;
        uint32_t contents = 0;
        batch.where = LOCATION_INDEX(NULL, "pSubmits", i);
        if (unlikely(asks)) {
            batch.batch = batch_of_submit2(info);
            batch.is_protected = info->flags & VK_SUBMIT_PROTECTED_BIT;
            s.skip |= submit_check_info2(&submit, info, &batch);
        }
        s.skip |= submit_check_command_buffers2(&submit, info, &batch.where, &contents);
        if (unlikely(contents && !asks)) {
            batch.batch = batch_of_submit2(info);
            batch.is_protected = false;
        }
        if (unlikely(contents || asks))
            s.skip |= check_batch(&submit, &batch, contents);
    }
    return submit_conclude(&submit, s.skip);
}
