/* Rules that barriers and host transitions share: about a range of an image, its old layout and its
 * new layout (7.7.3, 7.9). Threads: the calling thread. Fields of other objects are read as their
 * own comments allow. */
#ifndef ASSAY_CORE_BARRIER_IMAGE_TRANSITION_H
#define ASSAY_CORE_BARRIER_IMAGE_TRANSITION_H

#include "report/finding/finding.h"
#include "state/memory/image.h"

struct image_transition {
    const struct image *image;
    VkImageLayout old_layout, new_layout;
    bool ignored; /* the layouts are ignored */
    const VkImageSubresourceRange *range;
};

bool image_transition_check(const struct call *call, const struct image_transition *transition,
                            const struct location *where);
/* Checks the rules of VkHostImageLayoutTransitionInfo that are not rows. */
bool image_transition_check_host(const struct call *call, const struct image_transition *transition,
                                 const struct location *where);

/* True if two ranges have a subresource in common. Counts may be VK_REMAINING_*. */
bool barrier_ranges_overlap(const VkImageSubresourceRange *a, const VkImageSubresourceRange *b);

#endif
