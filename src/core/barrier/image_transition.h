/* Barriers and host transitions have in common a range of an image, and the layouts that it goes
 * from and to (7.7.3, 7.9). Threads: that of the call. Fields of other objects are read as their
 * own comments allow. */
#ifndef ASSAY_CORE_BARRIER_IMAGE_TRANSITION_H
#define ASSAY_CORE_BARRIER_IMAGE_TRANSITION_H

#include "report/finding/finding.h"
#include "state/memory/image.h"

struct image_transition {
    const struct image *image;
    VkImageLayout old_layout, new_layout;
    bool ignored; /* the layouts are */
    const VkImageSubresourceRange *range;
};

bool image_transition_check(const struct call *call, const struct image_transition *transition,
                            const struct location *where);
/* Checks what no row asks of a VkHostImageLayoutTransitionInfo. */
bool image_transition_check_host(const struct call *call, const struct image_transition *transition,
                                 const struct location *where);

/* Two ranges have a subresource in common. Counts may be VK_REMAINING_*. */
bool barrier_ranges_overlap(const VkImageSubresourceRange *a, const VkImageSubresourceRange *b);

#endif
