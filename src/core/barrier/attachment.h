/* Checks image memory barriers within a render pass instance against its attachments. Threads: the
 * calling thread. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_BARRIER_ATTACHMENT_H
#define ASSAY_CORE_BARRIER_ATTACHMENT_H

#include "report/finding/finding.h"

/* Checks a barrier of vkCmdPipelineBarrier* or (`waits`) vkCmdWaitEvents*. Nothing is reported
 * outside of render pass instances, or in inherited ones. */
bool attachment_barrier_check(const struct call *call, VkImage image,
                              const VkImageSubresourceRange *range, VkImageLayout old_layout,
                              bool waits, const struct location *where);
/* True if attachment_barrier_check() finds the image in another layout than the subpass uses.
 * Another check then does not report the layout again. Cold. */
bool attachment_barrier_differs(const struct call *call, VkImage image,
                                const VkImageSubresourceRange *range, VkImageLayout old_layout);

#endif
