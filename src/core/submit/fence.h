/* Fences that an operation is to signal. Threads: that of the call. Fields of other objects are
 * read as their own comments allow. */
#ifndef ASSAY_CORE_SUBMIT_FENCE_H
#define ASSAY_CORE_SUBMIT_FENCE_H

#include "report/finding/finding.h"
#include "state/submit/fence.h"

/* It is unsignaled, and not associated with another operation. VK_NULL_HANDLE is fine. */
bool fence_check_free(const struct call *call, VkFence handle, enum rule unsignaled,
                      enum rule unassociated, const struct location *where);

#endif
