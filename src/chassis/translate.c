/* Replaces ids in structures, arrays and pNext chains by driver handles: the functions that the
 * generated code shares. */
#include "chassis/translate.h"

#include <string.h>

#include "chassis/offered.h"
#include "report/finding/finding.h"
#include "vk/chain.h"

void translate_failed(const struct call *call)
{
    (void)
        finding(call, ASSAY_Internal, NULL, NULL,
                "could not be passed on to the driver: memory is out, or a pNext chain has no end");
}

uint64_t translate_unnamed(uint64_t id)
{
    return translate_id(id);
}

uint64_t translate_typed(const struct translate *x, enum handle_type type, uint64_t handle)
{
    return type == HANDLE_NONE || handle_type_is_dispatchable(type) ? handle : translate_id(handle);
}

void *translate_copy(struct translate *x, const void *in, size_t size, uint32_t count)
{
    assert(size);
    void *copy = in && count ? translate_room(x, size, count) : NULL;
    return copy ? memcpy(copy, in, size * count) : NULL;
}

/* Returns the position, counted from 1, of the last structure in the chain that has ids; 0: none
 * has; SIZE_MAX: the chain has no end. */
static size_t chain_last_carrier(const VkBaseInStructure *chain)
{
    size_t last = 0, position = 0;
    for (; chain; chain = chain->pNext) {
        if (++position > CHAIN_LIMIT)
            return SIZE_MAX;
        if (translate_chain_carries(chain->sType))
            last = position;
    }
    return last;
}

bool translate_any_chain_needs(const void *structures, size_t size, size_t count)
{
    assert(size >= sizeof(VkBaseInStructure));
    const unsigned char *at = structures;
    for (size_t i = 0; i < count; i++, at += size) {
        const VkBaseInStructure *structure = (const VkBaseInStructure *)(const void *)at;
        if (structure->pNext && chain_last_carrier(structure->pNext))
            return true;
    }
    return false;
}

const void *translate_chain(struct translate *x, const void *chain)
{
    size_t last = chain_last_carrier(chain);
    /* An endless chain cannot be copied. */
    if (unlikely(last == SIZE_MAX)) {
        x->failed = true;
        return NULL;
    }
    const VkBaseInStructure *in = chain;
    VkBaseOutStructure *head = NULL, **link = &head;
    for (size_t i = 0; i < last; i++, in = in->pNext) {
        size_t size = structure_size(in->sType);
        /* A structure of unknown size cannot be copied, so it is left out (stateless has reported
         * it). A structure of an extension that the layer offers is left out as well: nothing below
         * knows its handles. */
        if (!size || offered_structure(in->sType))
            continue;
        VkBaseOutStructure *copy = translate_copy(x, in, size, 1);
        if (!copy)
            return NULL;
        if (translate_chain_carries(copy->sType))
            translate_chain_fix(x, copy);
        *link = copy;
        link = &copy->pNext;
    }
    /* After the last structure with ids the program's own chain goes on. */
    *link = (VkBaseOutStructure *)(uintptr_t)in;
    return head;
}

/* Returns the size of a structure. It may also be a structure of the loader, which comes before the
 * program's. 0: the size is unknown. */
static size_t size_to_copy(VkStructureType type)
{
    return type == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ? sizeof(VkLayerDeviceCreateInfo)
                                                               : structure_size(type);
}

const void *chain_replace(const void *chain, const void *target, void *replacement)
{
    const VkBaseInStructure *in = chain;
    const void *first = NULL, **link = &first;
    for (; in && (const void *)in != target; in = in->pNext) {
        size_t size = size_to_copy(in->sType);
        VkBaseInStructure *copy = size ? scratch_alloc(&thread_self()->scratch, size) : NULL;
        if (!copy)
            return NULL;
        memcpy(copy, in, size);
        *link = copy;
        link = (const void **)&copy->pNext;
    }
    /* The target is not in this chain. */
    if (!in)
        return NULL;
    if (replacement)
        ((VkBaseInStructure *)replacement)->pNext = in->pNext;
    *link = replacement ? replacement : in->pNext;
    return first;
}
