/* Finds the structure of a type in a pNext chain. */
#ifndef ASSAY_CHASSIS_CHAIN_H
#define ASSAY_CHASSIS_CHAIN_H

#include "chassis/vulkan.h"

#include <stddef.h>
#include <stdint.h>

/* The first structure of `type` in the chain that begins with `next`, or NULL. A chain that comes
 * back to itself ends. */
static inline const void *chain_find(const void *next, VkStructureType type)
{
    const VkBaseInStructure *s = next;
    for (uint32_t length = 0; s && length < 256; s = s->pNext, length++) {
        if (s->sType == type)
            return s;
    }
    return NULL;
}

#endif
