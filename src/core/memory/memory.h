/* Declares checks of memory allocations that other rooms implement. Threads: the calling thread.
 * Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_MEMORY_MEMORY_H
#define ASSAY_CORE_MEMORY_MEMORY_H

#include "report/finding/rule.h"

/* Checks "VkMemoryAllocateInfo::allocationSize must equal the VkMemoryRequirements::size of the
 * tensor" for a chained VkMemoryDedicatedAllocateInfoTensorARM. core/resource/tensor.c implements
 * it. */
void check_dedicated_tensor(struct subject *s, const VkMemoryAllocateInfo *info) COLD;

#endif
