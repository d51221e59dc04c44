/* Checks the fence of one vkQueueSubmit, vkQueueSubmit2 or vkQueueBindSparse, and the semaphores,
 * stages and chain of each batch. walk.c calls these functions. Threads: the calling thread. Fields
 * of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_SUBMIT_SUBMIT_H
#define ASSAY_CORE_SUBMIT_SUBMIT_H

#include "core/submit/fence.h"
#include "core/submit/walk.h"

/* The numbers of the rules, which differ between vkQueueSubmit, vkQueueSubmit2 and
 * vkQueueBindSparse. */
struct submit_numbers {
    enum rule fence_unsignaled, fence_unassociated, wait_has_signal, wait_alone, signal_unsignaled;
    enum rule signal_greater, wait_difference, signal_difference;
    const char *infos, *waits, *signals; /* names of the parameter and of its members */
};
extern HIDDEN const struct submit_numbers submit_numbers_of_submit, submit_numbers_of_submit2;

/* Prepares the checks of a submission, and checks its fence. Returns whether to skip the call. */
static ALWAYS_INLINE bool submit_begin(struct submit *submit, struct call *call,
                                       const struct submit_numbers *numbers, VkFence fence)
{
    submit->call = call;
    submit->queue = object_load_state(call->object);
    submit->numbers = numbers;
    submit->is_version2 = numbers == &submit_numbers_of_submit2;
    submit->ahead = submit->built = false;
    submit->asked = 0;
    submit->operations.overflow = false;
    submit->operations.count = 0;
    return fence && fence_check_free(call, fence, numbers->fence_unsignaled,
                                     numbers->fence_unassociated, &LOCATION(NULL, "fence"));
}

/* Checks a batch that has semaphores or a chain, or in version 2 flags. Returns whether to skip the
 * call. */
bool submit_check_info(struct submit *submit, const VkSubmitInfo *info,
                       const struct submit_batch *batch);
bool submit_check_info2(struct submit *submit, const VkSubmitInfo2 *info,
                        const struct submit_batch *batch);

/* True if the chain of `info` says that the batch is protected. */
bool submit_is_protected(const VkSubmitInfo *info);

#endif
