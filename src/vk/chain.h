/* Finds a structure in a pNext chain, and walks a chain safely whatever the program passed. Both
 * stop at a pointer that cannot be followed (vk/pointer.h), and after CHAIN_LIMIT structures. The
 * stateless validator reports such chains. Threads: that of the call; it reads the program's
 * memory. */
#ifndef ASSAY_VK_CHAIN_H
#define ASSAY_VK_CHAIN_H

#include "base/base.h"
#include "vk/pointer.h"
#include "vk/vulkan.h"

/* The most structures in a chain. A longer one contains a loop: the registry has fewer structures,
 * and few may occur twice in a chain. */
#define CHAIN_LIMIT 1024

/* for (struct chain_walk walk = chain_begin(info->pNext); walk.at; chain_step(&walk)) */
struct chain_walk {
    const VkBaseInStructure *at; /* NULL at the end */
    uint32_t left;               /* structures that may follow */
};

static inline struct chain_walk chain_begin(const void *next)
{
    return (struct chain_walk){.at = pointer_is_bad(next) ? NULL : next, .left = CHAIN_LIMIT - 1};
}

/* Moves to the next structure. `walk->at` must not be NULL. */
static inline void chain_step(struct chain_walk *walk)
{
    const VkBaseInStructure *next = walk->at->pNext;
    walk->at = pointer_is_bad(next) || !walk->left-- ? NULL : next;
}

/* Returns the first structure of `type` in the chain that begins with `next`, or NULL. */
const void *chain_find_in(const void *next, VkStructureType type);
static inline const void *chain_find(const void *next, VkStructureType type)
{
    return likely(!next) ? NULL : chain_find_in(next, type); /* most chains are empty */
}

#endif
