/* Counts what can still be allocated from a descriptor pool. */
#include "state/descriptor/descriptor_pool.h"

#include <string.h>

#include "state/hooks.h"
#include "vk/chain.h"

/* The sum, or UINT32_MAX if it is larger. */
static uint32_t add_saturated(uint32_t a, uint64_t b)
{
    return b > UINT32_MAX - a ? UINT32_MAX : a + (uint32_t)b;
}

/* The difference, or 0 if it is negative, as a pool may be overallocated. */
static uint32_t subtract_saturated(uint32_t a, uint64_t b)
{
    return b > a ? 0 : a - (uint32_t)b;
}

void descriptor_demand_add(struct descriptor_demand *demand, const struct descriptor_layout *layout,
                           uint32_t variable_count)
{
    assert(demand && layout);
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        const struct descriptor_binding *binding = &layout->bindings[i];
        enum descriptor_tag tag = descriptor_tag_of(binding->type);
        bool variable = binding->flags & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
        uint32_t count = variable ? variable_count : binding->count;
        if (tag < DESCRIPTOR_TAG_COUNT)
            demand->count[tag] += count;
        demand->inline_uniform_bindings += tag == DESCRIPTOR_INLINE_UNIFORM_BLOCK && count;
    }
}

/* The types of a pool size of mutable descriptors. Without a list of types, "it is assumed that"
 * they may be any. */
static uint32_t mutable_types_of(const VkDescriptorPoolCreateInfo *info, uint32_t index)
{
    const VkMutableDescriptorTypeCreateInfoEXT *lists =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);
    if (!lists || !lists->pMutableDescriptorTypeLists ||
        index >= lists->mutableDescriptorTypeListCount)
        return UINT32_MAX;
    const VkMutableDescriptorTypeListEXT *list = &lists->pMutableDescriptorTypeLists[index];
    uint32_t types = 0;
    for (uint32_t i = 0; list->pDescriptorTypes && i < list->descriptorTypeCount; i++)
        types |= 1u << descriptor_tag_of(list->pDescriptorTypes[i]);
    return list->descriptorTypeCount ? types : UINT32_MAX;
}

/* Resets the counts to those of the new pool. */
static void forget_sets(struct descriptor_pool *pool)
{
    pool->sets = pool->max_sets;
    pool->inline_uniform_bindings = pool->max_inline_uniform_bindings;
    pool->fragmented = false;
    memcpy(pool->left, pool->capacity, sizeof(pool->left));
}

void state_after_CreateDescriptorPool(struct call *call, VkDevice device,
                                      const VkDescriptorPoolCreateInfo *pCreateInfo,
                                      const VkAllocationCallbacks *pAllocator,
                                      VkDescriptorPool *pDescriptorPool)
{
    struct object *object =
        created_object(call, (uint64_t)*pDescriptorPool, HANDLE_DESCRIPTOR_POOL);
    struct descriptor_pool *pool = object_state_new(object, sizeof(*pool));
    if (!pool)
        return;
    const VkDescriptorPoolInlineUniformBlockCreateInfo *inline_uniform =
        chain_find(pCreateInfo->pNext,
                   VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO);
    pool->flags = pCreateInfo->flags;
    pool->max_sets = pCreateInfo->maxSets;
    pool->max_inline_uniform_bindings =
        inline_uniform ? inline_uniform->maxInlineUniformBlockBindings : 0;
    for (uint32_t i = 0; pCreateInfo->pPoolSizes && i < pCreateInfo->poolSizeCount; i++) {
        enum descriptor_tag tag = descriptor_tag_of(pCreateInfo->pPoolSizes[i].type);
        if (tag < DESCRIPTOR_TAG_COUNT)
            /* A type may occur several times, and its counts add up. */
            pool->capacity[tag] =
                add_saturated(pool->capacity[tag], pCreateInfo->pPoolSizes[i].descriptorCount);
        if (tag == DESCRIPTOR_MUTABLE)
            pool->mutable_types |= mutable_types_of(pCreateInfo, i);
    }
    forget_sets(pool);
    object_state_publish(object, pool);
}

void state_after_AllocateDescriptorSets_pool(struct call *call, VkDevice device,
                                             const VkDescriptorSetAllocateInfo *pAllocateInfo,
                                             VkDescriptorSet *pDescriptorSets)
{
    struct descriptor_pool *pool = call->result >= VK_SUCCESS
                                       ? find_descriptor_pool(call, pAllocateInfo->descriptorPool)
                                       : NULL;
    for (uint32_t i = 0; pool && i < pAllocateInfo->descriptorSetCount; i++) {
        const struct descriptor_set *set = find_descriptor_set(call, pDescriptorSets[i]);
        struct descriptor_demand demand = {0};
        /* Drivers may allocate more than the pool's size: the count stops at 0. */
        pool->sets = subtract_saturated(pool->sets, 1);
        if (!set)
            continue;
        descriptor_demand_add(&demand, set->layout, set->variable_count);
        for (uint32_t t = 0; t < DESCRIPTOR_TAG_COUNT; t++)
            pool->left[t] = subtract_saturated(pool->left[t], demand.count[t]);
        pool->inline_uniform_bindings =
            subtract_saturated(pool->inline_uniform_bindings, demand.inline_uniform_bindings);
    }
}

/* The smaller of two numbers. */
static uint32_t pool_lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Returns a set to the counts, but never beyond the pool's size: the program may name a set
 * twice. */
static void give_back(struct descriptor_pool *pool, const struct descriptor_set *set)
{
    assert(pool && set);
    struct descriptor_demand demand = {0};
    descriptor_demand_add(&demand, set->layout, set->variable_count);
    pool->sets = pool_lesser(pool->max_sets, add_saturated(pool->sets, 1));
    for (uint32_t t = 0; t < DESCRIPTOR_TAG_COUNT; t++)
        pool->left[t] =
            pool_lesser(pool->capacity[t], add_saturated(pool->left[t], demand.count[t]));
    pool->inline_uniform_bindings =
        pool_lesser(pool->max_inline_uniform_bindings,
                    add_saturated(pool->inline_uniform_bindings, demand.inline_uniform_bindings));
    pool->fragmented = true;
}

/* Before the driver's function, as the sets do not exist afterwards. The command cannot fail. */
void state_before_FreeDescriptorSets(struct call *call, VkDevice device,
                                     VkDescriptorPool descriptorPool, uint32_t descriptorSetCount,
                                     const VkDescriptorSet *pDescriptorSets)
{
    struct descriptor_pool *pool = named_descriptor_pool(call, 0, descriptorPool);
    for (uint32_t i = 0; pool && pDescriptorSets && i < descriptorSetCount; i++) {
        const struct descriptor_set *set = find_descriptor_set(call, pDescriptorSets[i]);
        if (set)
            give_back(pool, set);
    }
}

void state_after_ResetDescriptorPool(struct call *call, VkDevice device,
                                     VkDescriptorPool descriptorPool,
                                     VkDescriptorPoolResetFlags flags)
{
    struct descriptor_pool *pool =
        call->result >= VK_SUCCESS ? named_descriptor_pool(call, 0, descriptorPool) : NULL;
    if (pool)
        forget_sets(pool);
}
