/* Image memory barriers within a render pass instance: of which attachments they are. Threads: that
 * of the call. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_BARRIER_ATTACHMENT_H
#define ASSAY_CORE_BARRIER_ATTACHMENT_H

#include "report/finding/finding.h"

/* A barrier of vkCmdPipelineBarrier* or (`waits`) vkCmdWaitEvents*. Nothing is said outside of
 * render pass instances, and of those that are inherited. */
bool attachment_barrier_check(const struct call *call, VkImage image,
                              const VkImageSubresourceRange *range, VkImageLayout old_layout,
                              bool waits, const struct location *where);
/* True if that finds the image in another layout than the subpass uses, which is then not said once
 * more. Cold. */
bool attachment_barrier_differs(const struct call *call, VkImage image,
                                const VkImageSubresourceRange *range, VkImageLayout old_layout);

#endif
