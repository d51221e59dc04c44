/* Barriers of both versions in one form (7.7 "Pipeline Barriers", 7.5 "Events"). Threads: the
 * calling thread, as it reads the program's memory. */
#ifndef ASSAY_STATE_BARRIER_H
#define ASSAY_STATE_BARRIER_H

#include "state/memory/image_layout.h"

/* A VkImageMemoryBarrier, or VkImageMemoryBarrier2. */
struct image_barrier {
    /* for a barrier of version 1: the masks of the command */
    VkPipelineStageFlags2 src_stages, dst_stages;
    VkAccessFlags2 src_accesses, dst_accesses;
    VkImageLayout old_layout, new_layout;
    uint32_t src_family, dst_family;
    VkImage handle;
    const VkImageSubresourceRange *range;
    bool version2;
};

static inline struct image_barrier image_barrier_of(const VkImageMemoryBarrier *barrier,
                                                    VkPipelineStageFlags src_stages,
                                                    VkPipelineStageFlags dst_stages)
{
    return (struct image_barrier){src_stages,
                                  dst_stages,
                                  barrier->srcAccessMask,
                                  barrier->dstAccessMask,
                                  barrier->oldLayout,
                                  barrier->newLayout,
                                  barrier->srcQueueFamilyIndex,
                                  barrier->dstQueueFamilyIndex,
                                  barrier->image,
                                  &barrier->subresourceRange,
                                  false};
}

static inline struct image_barrier image_barrier_of2(const VkImageMemoryBarrier2 *barrier)
{
    return (struct image_barrier){barrier->srcStageMask,
                                  barrier->dstStageMask,
                                  barrier->srcAccessMask,
                                  barrier->dstAccessMask,
                                  barrier->oldLayout,
                                  barrier->newLayout,
                                  barrier->srcQueueFamilyIndex,
                                  barrier->dstQueueFamilyIndex,
                                  barrier->image,
                                  &barrier->subresourceRange,
                                  true};
}

/* True if "layouts are ignored": the families are equal, and the layouts are equal. For version 1
 * this needs the feature synchronization2. */
bool image_barrier_ignores_layouts(const struct call *call, const struct image_barrier *barrier);

/* True if a barrier with these families moves the ownership of a resource with this sharing mode
 * (7.7.4). Never true within one family. */
static inline bool moves_ownership(VkSharingMode mode, uint32_t src_family, uint32_t dst_family)
{
    bool foreign =
        src_family == VK_QUEUE_FAMILY_EXTERNAL || src_family == VK_QUEUE_FAMILY_FOREIGN_EXT ||
        dst_family == VK_QUEUE_FAMILY_EXTERNAL || dst_family == VK_QUEUE_FAMILY_FOREIGN_EXT;
    return src_family != dst_family && (mode == VK_SHARING_MODE_EXCLUSIVE || foreign);
}

/* True if such a barrier, in a command buffer of family `own_family`, is the acquire operation. A
 * family outside of this device has no operation of its own here. */
static inline bool barrier_acquires(uint32_t src_family, uint32_t dst_family, uint32_t own_family)
{
    if (src_family == VK_QUEUE_FAMILY_EXTERNAL || src_family == VK_QUEUE_FAMILY_FOREIGN_EXT)
        return true;
    if (dst_family == VK_QUEUE_FAMILY_EXTERNAL || dst_family == VK_QUEUE_FAMILY_FOREIGN_EXT)
        return false;
    return src_family != own_family;
}

#endif
