/* pNext chains: the structure of a type in one, and a walk that ends whatever the program passed.
 * Both stop where the pointer cannot be followed (vk/pointer.h), and after CHAIN_LIMIT structures.
 * What is wrong with such a chain is for the stateless validator to report.
 * Threads: that of the call; it reads the program's memory. */
#ifndef ASSAY_VK_CHAIN_H
#define ASSAY_VK_CHAIN_H

#include "base/base.h"
#include "vk/pointer.h"
#include "vk/vulkan.h"

/* Structures in a chain. A longer one comes back to itself: the registry has fewer structures, and
 * few may stand twice in a chain. */
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

/* `walk->at` is not NULL. */
static inline void chain_step(struct chain_walk *walk)
{
    const VkBaseInStructure *next = walk->at->pNext;
    walk->at = pointer_is_bad(next) || !walk->left-- ? NULL : next;
}

/* The first structure of `type` in the chain that begins with `next`, or NULL. */
const void *chain_find_in(const void *next, VkStructureType type);
static inline const void *chain_find(const void *next, VkStructureType type)
{
    return likely(!next) ? NULL : chain_find_in(next, type); /* most chains are empty */
}

#endif
