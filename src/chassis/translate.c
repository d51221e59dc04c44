/* How do ids in structures, arrays and pNext chains become driver handles? The parts that the generated code shares. */
#include "translate.h"

#include <string.h>

#include "report/finding.h"

/* No valid chain is longer than the number of structures that extend one (about 120 features); a longer one is endless. */
#define CHAIN_LIMIT 1024

void translate_failed(const struct call *call)
{
    (void)finding(call, ASSAY_Internal, NULL, NULL,
                  "could not be passed on to the driver: memory is out, or a pNext chain has no end");
}

uint64_t translate_typed(const struct translate *x, enum handle_type type, uint64_t handle)
{
    return type == HANDLE_NONE || handle_type_dispatchable[type] ? handle : translate_id(x, handle);
}

void *translate_copy(struct translate *x, const void *in, size_t size, size_t count)
{
    if (!in || !count || x->failed)
        return NULL;
    size_t bytes;
    void *copy = __builtin_mul_overflow(size, count, &bytes) ? NULL : scratch_alloc(x->scratch, bytes);
    if (unlikely(!copy)) {
        x->failed = true;
        return NULL;
    }
    return memcpy(copy, in, bytes);
}

const uint64_t *translate_ids(struct translate *x, const uint64_t *ids, size_t count)
{
    if (!ids || !count)
        return ids;
    uint64_t *copy = x->failed || count > SIZE_MAX / sizeof(*copy) ? NULL : scratch_alloc(x->scratch, count * sizeof(*copy));
    if (unlikely(!copy)) {
        x->failed = true;
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        copy[i] = translate_id(x, ids[i]);
    return copy;
}

/* Position, counted from 1, of the last structure in the chain that holds ids; 0: none; SIZE_MAX: the chain has no end. */
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
    if (unlikely(last == SIZE_MAX)) {
        x->failed = true;
        return NULL;
    }
    const VkBaseInStructure *in = chain;
    VkBaseOutStructure *head = NULL, **link = &head;
    for (size_t i = 0; i < last; i++, in = in->pNext) {
        size_t size = structure_size(in->sType);
        if (!size)
            continue; /* of unknown size: cannot be copied, so it is left out (stateless has reported it) */
        VkBaseOutStructure *copy = translate_copy(x, in, size, 1);
        if (!copy)
            return NULL;
        if (translate_chain_carries(copy->sType))
            translate_chain_fix(x, copy);
        *link = copy;
        link = &copy->pNext;
    }
    *link = (VkBaseOutStructure *)(uintptr_t)in;
    return head;
}

bool translate_uses_sampler(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

bool translate_uses_image_info(VkDescriptorType type)
{
    switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    case VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM:
    case VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM:
        return true;
    default:
        return false;
    }
}

bool translate_uses_buffer_info(VkDescriptorType type)
{
    switch (type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
        return true;
    default:
        return false;
    }
}

bool translate_uses_texel_buffer_view(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}
