/* Tracks the bindings of descriptor set layouts, and which layouts are compatible (14.2.1,
 * 14.2.2). */
#include "state/descriptor/descriptor.h"
#include "base/state_lines.h"
#include "state/hooks.h"
#include "state/descriptor/layout_compatibility.h"
#include "state/descriptor/sampler.h"
#include "vk/chain.h"

#include <stdlib.h>
#include <string.h>

void descriptor_layout_release(struct descriptor_layout *layout)
{
    if (layout && atomic_fetch_sub_explicit(&layout->references, 1, memory_order_acq_rel) == 1)
        mem_retire(layout);
}

/* NULL: the layout is being freed, because the program destroys it while allocating sets with
 * it. */
struct descriptor_layout *descriptor_layout_acquire(struct descriptor_layout *layout)
{
    uint32_t references =
        layout ? atomic_load_explicit(&layout->references, memory_order_relaxed) : 0;
    do {
        if (!references)
            return NULL;
    } while (!atomic_compare_exchange_weak_explicit(&layout->references, &references,
                                                    references + 1, memory_order_relaxed,
                                                    memory_order_relaxed));
    return layout;
}

const struct descriptor_binding *descriptor_layout_search(const struct descriptor_layout *layout,
                                                          uint32_t binding)
{
    assert(layout);
    /* Bindings are sorted by number when the layout is created. */
    uint32_t low = 0, high = layout->binding_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (layout->bindings[middle].binding < binding)
            low = middle + 1;
        else
            high = middle;
    }
    return low < layout->binding_count && layout->bindings[low].binding == binding
               ? &layout->bindings[low]
               : NULL;
}

/* A write with more descriptors than its binding continues in the next bindings. These have the
 * same type, and either all or none of them have immutable samplers
 * (VUID-VkWriteDescriptorSet-descriptorCount-00318), so the first binding is enough. */
bool descriptor_set_takes_samplers(const struct object *set, const VkWriteDescriptorSet *write)
{
    const struct descriptor_set *state = object_load_state_typed(set, HANDLE_DESCRIPTOR_SET);
    const struct descriptor_layout *layout = state ? state->layout : NULL;
    const struct descriptor_binding *binding =
        layout ? descriptor_layout_find(layout, write->dstBinding) : NULL;
    return binding && binding->count && !binding->immutable_samplers;
}

/* True if the binding has immutable samplers. For other types pImmutableSamplers is ignored, and
 * may be invalid. */
static bool takes_immutable_samplers(const VkDescriptorSetLayoutBinding *binding)
{
    return binding->pImmutableSamplers &&
           (binding->descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ||
            binding->descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
}

/* Compares two bindings by their numbers, for qsort(). */
static int compare_bindings(const void *a, const void *b)
{
    uint32_t first = ((const struct descriptor_binding *)a)->binding,
             second = ((const struct descriptor_binding *)b)->binding;
    return (first > second) - (first < second);
}

/* Sorts the bindings by number, as consecutive updates continue from one binding to the next. Most
 * programs list them in this order. */
static void sort_bindings(struct descriptor_layout *layout)
{
    const uint32_t count = layout->binding_count;
    uint32_t sorted = 1;
    while (sorted < count &&
           layout->bindings[sorted - 1].binding <= layout->bindings[sorted].binding)
        sorted++;
    if (unlikely(sorted < count))
        qsort(layout->bindings, count, sizeof(layout->bindings[0]), compare_bindings);
}

/* True for types that have an offset when they are bound. */
static bool is_dynamic(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

/* Sets the indices of descriptors and dynamic offsets in a set, in the order of bindings. */
static void count_descriptors(struct descriptor_layout *layout)
{
    assert(layout);
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        struct descriptor_binding *binding = &layout->bindings[i];
        uint32_t count = binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK
                             ? binding->count != 0
                             : binding->count;
        binding->first = layout->descriptor_count;
        binding->first_dynamic = layout->dynamic_count;
        if (__builtin_add_overflow(layout->descriptor_count, count, &layout->descriptor_count))
            layout->descriptor_count = UINT32_MAX; /* sets with this layout cannot be allocated */
        layout->dynamic_count += is_dynamic(binding->type) ? count : 0;
    }
}

/* One step of a multiplicative hash. */
static uint64_t layout_hash_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 32;
}

/* A hash of the sampler's create info, as immutable samplers are the same if they are "identically
 * defined". 0: the sampler is not known. */
static uint64_t definition_of(uint64_t sampler_id)
{
    const struct sampler *sampler = sampler_by_id(sampler_id);
    return sampler ? sampler->definition : 0;
}

/* A hash of everything that the program gave for the layout (Glossary, "Identically Defined
 * Objects"). The order of bindings makes no difference in any implementation, so it does not count.
 * Immutable samplers may be different objects with the same create info. The glossary says
 * otherwise, but the conformance test "identically_defined_layout" requires it, and each driver
 * passes that. */
static uint64_t layout_compatibility(const struct descriptor_layout *layout)
{
    uint64_t hash = layout_hash_mix(1, layout->flags);
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        const struct descriptor_binding *binding = &layout->bindings[i];
        hash = layout_hash_mix(hash, (uint64_t)binding->binding << 32 | binding->count);
        hash = layout_hash_mix(hash, (uint64_t)binding->type << 32 | binding->stages);
        hash = layout_hash_mix(hash, (uint64_t)binding->flags << 32 | binding->mutable_types);
        for (uint32_t d = 0; binding->immutable_samplers && d < binding->count; d++)
            hash =
                layout_hash_mix(hash, definition_of(layout->samplers[binding->first_sampler + d]));
    }
    return hash ? hash : 1;
}

/* True for types with an image view, and for MUTABLE, which may have one. */
static bool has_image(VkDescriptorType type)
{
    switch ((int64_t)type) {
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    case VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM:
    case VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM:
    case VK_DESCRIPTOR_TYPE_MUTABLE_EXT:
        return true;
    default:
        return false;
    }
}

/* The types that a mutable binding may have, a bit each; 0: there is no list for it. */
static uint32_t mutable_types(const VkMutableDescriptorTypeCreateInfoEXT *lists, uint32_t index)
{
    if (!lists || !lists->pMutableDescriptorTypeLists ||
        index >= lists->mutableDescriptorTypeListCount)
        return 0;
    const VkMutableDescriptorTypeListEXT *list = &lists->pMutableDescriptorTypeLists[index];
    uint32_t types = 0;
    for (uint32_t i = 0; list->pDescriptorTypes && i < list->descriptorTypeCount; i++)
        types |= 1u << descriptor_tag_of(list->pDescriptorTypes[i]);
    return types;
}

/* Counts the immutable samplers of all bindings, for one allocation. */
static uint32_t count_immutable_samplers(const VkDescriptorSetLayoutCreateInfo *info)
{
    uint32_t count = 0;
    for (uint32_t i = 0; info->pBindings && i < info->bindingCount; i++)
        count +=
            takes_immutable_samplers(&info->pBindings[i]) ? info->pBindings[i].descriptorCount : 0;
    return count;
}

/* Sets the bindings of a layout, and the ids of its immutable samplers. */
static void fill_bindings(const struct call *call, struct descriptor_layout *layout,
                          const VkDescriptorSetLayoutCreateInfo *info, uint64_t *samplers)
{
    const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
    const VkMutableDescriptorTypeCreateInfoEXT *lists =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);
    uint32_t sampler_count = 0;
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        const VkDescriptorSetLayoutBinding *given = &info->pBindings[i];
        layout->bindings[i] = (struct descriptor_binding){
            .binding = given->binding,
            .count = given->descriptorCount,
            .type = given->descriptorType,
            .flags = flags && flags->pBindingFlags && i < flags->bindingCount
                         ? flags->pBindingFlags[i]
                         : 0,
            .stages = given->stageFlags,
            .mutable_types = given->descriptorType == VK_DESCRIPTOR_TYPE_MUTABLE_EXT
                                 ? mutable_types(lists, i)
                                 : 0,
            .immutable_samplers = takes_immutable_samplers(given),
            /* The immutable samplers of all bindings follow each other. */
            .first_sampler = sampler_count,
        };
        layout->all_flags |= layout->bindings[i].flags;
        layout->has_images |= has_image(given->descriptorType);
        for (uint32_t d = 0; layout->bindings[i].immutable_samplers && d < given->descriptorCount;
             d++) {
            const struct sampler *sampler = find_sampler(call, given->pImmutableSamplers[d]);
            samplers[sampler_count++] = sampler ? object_state_id(&sampler->base) : 0;
            object_described(samplers[sampler_count - 1]);
        }
    }
}

void always_after_CreateDescriptorSetLayout(struct call *call, VkDevice device,
                                            const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
                                            const VkAllocationCallbacks *pAllocator,
                                            VkDescriptorSetLayout *pSetLayout)
{
    struct object *object =
        created_object(call, (uint64_t)*pSetLayout, HANDLE_DESCRIPTOR_SET_LAYOUT);
    uint32_t count = pCreateInfo->pBindings ? pCreateInfo->bindingCount : 0;
    size_t size = sizeof(struct descriptor_layout) + count * sizeof(struct descriptor_binding);
    /* One allocation: the layout, its bindings, and the ids of immutable samplers at a multiple of
     * 8. */
    size_t samplers = (size + 7) / 8 * 8;
    struct descriptor_layout *layout =
        object ? mem_alloc_state_lines(samplers +
                                       count_immutable_samplers(pCreateInfo) * sizeof(uint64_t))
               : NULL;
    if (!layout)
        return;
    layout->base.object = object;
    layout->flags = pCreateInfo->flags;
    atomic_init(&layout->references, 1);
    layout->binding_count = count;
    layout->samplers = (uint64_t *)((char *)layout + samplers);
    fill_bindings(call, layout, pCreateInfo, (uint64_t *)((char *)layout + samplers));
    sort_bindings(layout);
    count_descriptors(layout);
    layout->compatibility = layout_compatibility(layout);
    object_state_publish(object, layout);
}

/* --- pipeline layouts --- */

void pipeline_layout_release(struct pipeline_layout *layout)
{
    if (!layout || atomic_fetch_sub_explicit(&layout->references, 1, memory_order_acq_rel) != 1)
        return;
    for (uint32_t i = 0; i < layout->set_count; i++)
        descriptor_layout_release(layout->sets[i]);
    mem_retire(layout);
}

struct pipeline_layout *pipeline_layout_acquire(struct pipeline_layout *layout)
{
    uint32_t references =
        layout ? atomic_load_explicit(&layout->references, memory_order_relaxed) : 0;
    do {
        if (!references)
            return NULL;
    } while (!atomic_compare_exchange_weak_explicit(&layout->references, &references,
                                                    references + 1, memory_order_relaxed,
                                                    memory_order_relaxed));
    return layout;
}

/* Compares two ranges for qsort(). Any order is possible, as long as it is always the same. */
static int compare_ranges(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(VkPushConstantRange));
}

/* A hash of push constant ranges. Layouts with the same ranges in another order count as
 * identical. */
uint64_t ranges_compatibility(VkPushConstantRange *ranges, uint32_t count)
{
    assert(ranges || !count);
    if (count > 1)
        qsort(ranges, count, sizeof(*ranges), compare_ranges);
    uint64_t hash = 1;
    for (uint32_t i = 0; i < count; i++)
        hash = layout_hash_mix(layout_hash_mix(hash, ranges[i].stageFlags),
                               (uint64_t)ranges[i].offset << 32 | ranges[i].size);
    return hash ? hash : 1;
}

/* Writes a hash for each set N that is equal for layouts "compatible for set N". These have
 * identically defined set layouts for sets zero through N, both or neither independent sets, and
 * identical push constant ranges. */
void sets_compatibility(uint64_t *result, const uint64_t *sets, uint32_t set_count, uint64_t ranges,
                        VkPipelineLayoutCreateFlags flags)
{
    assert((result && sets) || !set_count);
    uint64_t hash =
        layout_hash_mix(ranges, flags & VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT);
    for (uint32_t i = 0; i < set_count; i++) {
        hash = layout_hash_mix(hash, sets[i]);
        result[i] = hash = hash ? hash : 1;
    }
}

/* Gives each set a number that is the same for all layouts which are compatible for this set
 * (14.2.2 "Pipeline Layouts"). */
static void fill_compatibility(struct pipeline_layout *layout)
{
    layout->push_constant_compatibility =
        ranges_compatibility(layout->push_constants, layout->push_constant_count);
    for (uint32_t i = 0; i < layout->set_count; i++)
        layout->compatibility[i] = layout->sets[i] ? layout->sets[i]->compatibility : 0;
    sets_compatibility(layout->compatibility, layout->compatibility, layout->set_count,
                       layout->push_constant_compatibility, layout->flags);
}

/* Acquires all set layouts. False: one is unknown, or is being freed, so nothing is known about the
 * pipeline layout. */
static bool acquire_set_layouts(const struct call *call, struct pipeline_layout *layout,
                                const VkPipelineLayoutCreateInfo *info)
{
    assert(info->pSetLayouts || !layout->set_count);
    for (uint32_t i = 0; i < layout->set_count; i++) {
        if (info->pSetLayouts[i] &&
            !(layout->sets[i] =
                  descriptor_layout_acquire(find_descriptor_layout(call, info->pSetLayouts[i]))))
            return false;
    }
    return true;
}

void state_after_CreatePipelineLayout(struct call *call, VkDevice device,
                                      const VkPipelineLayoutCreateInfo *pCreateInfo,
                                      const VkAllocationCallbacks *pAllocator,
                                      VkPipelineLayout *pPipelineLayout)
{
    struct object *object =
        created_object(call, (uint64_t)*pPipelineLayout, HANDLE_PIPELINE_LAYOUT);
    size_t set_count = pCreateInfo->pSetLayouts ? pCreateInfo->setLayoutCount : 0;
    size_t range_count = pCreateInfo->pPushConstantRanges ? pCreateInfo->pushConstantRangeCount : 0;
    size_t size = sizeof(struct pipeline_layout) +
                  set_count * (sizeof(struct descriptor_layout *) + sizeof(uint64_t)) +
                  range_count * sizeof(VkPushConstantRange);
    struct pipeline_layout *layout = object ? mem_alloc_state_lines(size) : NULL;
    if (!layout)
        return;
    layout->base.object = object;
    atomic_init(&layout->references, 1);
    layout->flags = pCreateInfo->flags;
    layout->set_count = (uint32_t)set_count;
    layout->push_constant_count = (uint32_t)range_count;
    /* One allocation: the layout, its sets, their compatibility, and its push constants. */
    layout->sets = (struct descriptor_layout **)(layout + 1);
    layout->compatibility = (uint64_t *)(layout->sets + set_count);
    layout->push_constants = (VkPushConstantRange *)(layout->compatibility + set_count);
    if (range_count)
        memcpy(layout->push_constants, pCreateInfo->pPushConstantRanges,
               range_count * sizeof(VkPushConstantRange));
    /* Set layouts are acquired, since the program may destroy them before the pipeline layout. */
    if (!acquire_set_layouts(call, layout, pCreateInfo)) {
        pipeline_layout_release(layout);
        return;
    }
    fill_compatibility(layout);
    object_state_publish(object, layout);
}
