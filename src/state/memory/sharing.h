/* Says which queue families share a resource (12.8 "Resource Sharing Mode").
 * Threads: any; nothing is kept. */
#ifndef ASSAY_STATE_SHARING_H
#define ASSAY_STATE_SHARING_H

#include "vk/pointer.h"

/* The queue families that share a resource: bit i is family i. 0: the resource is exclusive, or the
 * families are not known. They are not known if a family is larger than 63, or the array cannot be
 * read. */
static inline uint64_t sharing_families(VkSharingMode mode, uint32_t count,
                                        const uint32_t *families)
{
    uint64_t mask = 0;
    if (mode != VK_SHARING_MODE_CONCURRENT || pointer_is_bad(families))
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        if (families[i] >= 64)
            return 0;
        mask |= (uint64_t)1 << families[i];
    }
    return mask;
}

#endif
