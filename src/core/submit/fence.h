/* Checks fences that an operation is to signal. Threads: the calling thread. Fields of other
 * objects are read as their own comments allow. */
#ifndef ASSAY_CORE_SUBMIT_FENCE_H
#define ASSAY_CORE_SUBMIT_FENCE_H

#include "report/finding/finding.h"
#include "state/submit/fence.h"

/* Checks that the fence is unsignaled, and not associated with another operation. The fence may be
 * VK_NULL_HANDLE. */
bool fence_check_free(const struct call *call, VkFence handle, enum rule unsignaled,
                      enum rule unassociated, const struct location *where);

#endif
