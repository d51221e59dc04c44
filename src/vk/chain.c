/* Finds the structure of a type in a pNext chain. */
#include "vk/chain.h"

const void *chain_find_in(const void *next, VkStructureType type)
{
    for (struct chain_walk walk = chain_begin(next); walk.at; chain_step(&walk)) {
        if (walk.at->sType == type)
            return walk.at;
    }
    return NULL;
}
