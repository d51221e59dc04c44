/* What does a descriptor set layout say of each binding? */
#include "state/descriptor.h"
#include "state/hooks.h"

#include <stdlib.h>

/* Structures looked at in a pNext chain, so that one that comes back to itself ends. */
#define CHAIN_LIMIT 256

void descriptor_layout_release(struct descriptor_layout *layout)
{
    if (layout && atomic_fetch_sub_explicit(&layout->references, 1, memory_order_acq_rel) == 1)
        mem_retire(layout);
}

/* NULL when it is going: the app destroys a set layout while it allocates sets with it. */
struct descriptor_layout *descriptor_layout_acquire(struct descriptor_layout *layout)
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
    const struct descriptor_set *state = object_load_state(set);
    const struct descriptor_layout *layout = state ? state->layout : NULL;
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

static int compare_bindings(const void *a, const void *b)
{
    uint32_t first = ((const struct descriptor_binding *)a)->binding,
             second = ((const struct descriptor_binding *)b)->binding;
    return (first > second) - (first < second);
}

static bool is_dynamic(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

/* Numbers the descriptors and dynamic offsets of a set, in the order of bindings. */
static void count_descriptors(struct descriptor_layout *layout)
{
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        struct descriptor_binding *binding = &layout->bindings[i];
        uint32_t count = binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? binding->count != 0 : binding->count;
        binding->first = layout->descriptor_count;
        binding->first_dynamic = layout->dynamic_count;
        if (__builtin_add_overflow(layout->descriptor_count, count, &layout->descriptor_count))
            layout->descriptor_count = UINT32_MAX; /* no set of it can be allocated */
        layout->dynamic_count += is_dynamic(binding->type) ? count : 0;
    }
}

void state_after_CreateDescriptorSetLayout(struct call *call, VkDevice device,
                                           const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
                                           const VkAllocationCallbacks *pAllocator, VkDescriptorSetLayout *pSetLayout)
{
    struct object *object = created_object(call, (uint64_t)*pSetLayout, HANDLE_DESCRIPTOR_SET_LAYOUT);
    uint32_t count = pCreateInfo->pBindings ? pCreateInfo->bindingCount : 0;
    struct descriptor_layout *layout =
        object ? mem_alloc_lines_zeroed(sizeof(*layout) + count * sizeof(layout->bindings[0])) : NULL;
    if (!layout)
        return;
    const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags = binding_flags(pCreateInfo);
    layout->base.object = object;
    layout->flags = pCreateInfo->flags;
    atomic_init(&layout->references, 1);
    layout->binding_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const VkDescriptorSetLayoutBinding *given = &pCreateInfo->pBindings[i];
        layout->bindings[i] = (struct descriptor_binding){
            .binding = given->binding,
            .count = given->descriptorCount,
            .type = given->descriptorType,
            .flags = flags && flags->pBindingFlags && i < flags->bindingCount ? flags->pBindingFlags[i] : 0,
            .stages = given->stageFlags,
            .immutable_samplers = takes_immutable_samplers(given),
        };
        layout->all_flags |= layout->bindings[i].flags;
    }
    qsort(layout->bindings, count, sizeof(layout->bindings[0]), compare_bindings);
    count_descriptors(layout);
    object_state_publish(object, layout);
}

static void add_set(struct object *object, struct descriptor_layout *layout, uint64_t pool)
{
    size_t size = sizeof(struct descriptor_set) + (size_t)layout->descriptor_count * sizeof(struct descriptor);
    struct descriptor_set *set = object_state_new(object, size);
    if (!set || !(set->layout = descriptor_layout_acquire(layout))) {
        mem_free(set);
        return;
    }
    set->pool = pool;
    set->descriptor_count = layout->descriptor_count;
    object_state_publish(object, set);
}

void state_after_AllocateDescriptorSets(struct call *call, VkDevice device,
                                        const VkDescriptorSetAllocateInfo *pAllocateInfo,
                                        VkDescriptorSet *pDescriptorSets)
{
    const struct object *pool = call_find(call, (uint64_t)pAllocateInfo->descriptorPool, HANDLE_DESCRIPTOR_POOL);
    for (uint32_t i = 0; i < pAllocateInfo->descriptorSetCount; i++) {
        struct descriptor_layout *layout = find_descriptor_layout(call, pAllocateInfo->pSetLayouts[i]);
        struct object *set = created_object(call, (uint64_t)pDescriptorSets[i], HANDLE_DESCRIPTOR_SET);
        if (layout && set)
            add_set(set, layout, pool ? atomic_load_explicit(&pool->id, memory_order_relaxed) : 0);
    }
}

void descriptor_set_destroy(struct descriptor_set *set)
{
    descriptor_layout_release(set->layout);
    mem_retire(set);
}
