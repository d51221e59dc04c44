/* The size of an index. Threads: any; nothing is kept. */
#ifndef ASSAY_VK_INDEX_TYPE_H
#define ASSAY_VK_INDEX_TYPE_H

#include "vk/vulkan.h"

#include <stdint.h>

/* Returns the size in bytes. 0: the type has no indices, or is not known. */
static inline uint32_t index_size(VkIndexType type)
{
    return type == VK_INDEX_TYPE_UINT16   ? 2
           : type == VK_INDEX_TYPE_UINT32 ? 4
           : type == VK_INDEX_TYPE_UINT8  ? 1
                                          : 0;
}

#endif
