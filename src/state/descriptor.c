/* What does a descriptor set layout say of each binding? */
#include "state/descriptor.h"

/* Structures looked at in a pNext chain, so that one that comes back to itself ends. */
#define CHAIN_LIMIT 256

void descriptor_layout_release(struct descriptor_layout *layout)
{
    if (layout && atomic_fetch_sub_explicit(&layout->references, 1, memory_order_acq_rel) == 1)
        mem_retire(layout);
}

/* NULL when it is going: the app destroys a set layout while it allocates sets with it. */
static struct descriptor_layout *layout_acquire(struct descriptor_layout *layout)
{
    uint32_t references = layout ? atomic_load_explicit(&layout->references, memory_order_relaxed) : 0;
    do {
        if (!references)
            return NULL;
    } while (!atomic_compare_exchange_weak_explicit(&layout->references, &references, references + 1,
                                                    memory_order_relaxed, memory_order_relaxed));
    return layout;
}

const struct descriptor_binding *descriptor_layout_find(const struct descriptor_layout *layout, uint32_t binding)
{
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        if (layout->bindings[i].binding == binding)
            return &layout->bindings[i];
    }
    return NULL;
}

/* A write goes on into the next bindings when it is longer than its own; those have the same type and either all or
 * none of them immutable samplers (VUID-VkWriteDescriptorSet-descriptorCount-00318), so that the first one tells for all. */
bool descriptor_set_takes_samplers(const struct object *set, const VkWriteDescriptorSet *write)
{
    const struct descriptor_layout *layout = set ? set->state : NULL;
    const struct descriptor_binding *binding = layout ? descriptor_layout_find(layout, write->dstBinding) : NULL;
    return binding && binding->count && !binding->immutable_samplers;
}

static const VkDescriptorSetLayoutBindingFlagsCreateInfo *binding_flags(const VkDescriptorSetLayoutCreateInfo *info)
{
    const VkBaseInStructure *s = info->pNext;
    for (uint32_t length = 0; s && length < CHAIN_LIMIT; s = s->pNext, length++) {
        if (s->sType == VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO)
            return (const void *)s;
    }
    return NULL;
}

static bool takes_immutable_samplers(const VkDescriptorSetLayoutBinding *binding)
{
    return binding->pImmutableSamplers && (binding->descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ||
                                           binding->descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
}

void state_after_CreateDescriptorSetLayout(struct call *call, VkDevice device,
                                           const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
                                           const VkAllocationCallbacks *pAllocator, VkDescriptorSetLayout *pSetLayout)
{
    struct object *object =
        call->result == VK_SUCCESS ? device_find(call->device, *pSetLayout, HANDLE_DESCRIPTOR_SET_LAYOUT) : NULL;
    uint32_t count = pCreateInfo->pBindings ? pCreateInfo->bindingCount : 0;
    struct descriptor_layout *layout =
        object ? mem_alloc_lines_zeroed(sizeof(*layout) + count * sizeof(layout->bindings[0])) : NULL;
    if (!layout)
        return;
    const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags = binding_flags(pCreateInfo);
    atomic_init(&layout->references, 1);
    layout->binding_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const VkDescriptorSetLayoutBinding *given = &pCreateInfo->pBindings[i];
        layout->bindings[i] = (struct descriptor_binding){
            .binding = given->binding,
            .count = given->descriptorCount,
            .type = given->descriptorType,
            .flags = flags && flags->pBindingFlags && i < flags->bindingCount ? flags->pBindingFlags[i] : 0,
            .immutable_samplers = takes_immutable_samplers(given),
        };
        layout->all_flags |= layout->bindings[i].flags;
    }
    object->state = layout;
}

void state_after_AllocateDescriptorSets(struct call *call, VkDevice device,
                                        const VkDescriptorSetAllocateInfo *pAllocateInfo,
                                        VkDescriptorSet *pDescriptorSets)
{
    if (call->result != VK_SUCCESS)
        return;
    for (uint32_t i = 0; i < pAllocateInfo->descriptorSetCount; i++) {
        const struct object *given =
            device_find(call->device, pAllocateInfo->pSetLayouts[i], HANDLE_DESCRIPTOR_SET_LAYOUT);
        struct object *set = device_find(call->device, pDescriptorSets[i], HANDLE_DESCRIPTOR_SET);
        if (given && set && !set->state)
            set->state = layout_acquire(given->state);
    }
}
