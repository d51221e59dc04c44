/* Declares what other rooms ask of an allocation of memory. Threads: that of the call. Fields of
 * other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_MEMORY_MEMORY_H
#define ASSAY_CORE_MEMORY_MEMORY_H

#include "report/finding/rule.h"

/* "VkMemoryAllocateInfo::allocationSize must equal the VkMemoryRequirements::size of the tensor",
 * of a chained VkMemoryDedicatedAllocateInfoTensorARM. It is in core/resource/tensor.c. */
void check_dedicated_tensor(struct subject *s, const VkMemoryAllocateInfo *info) COLD;

#endif
