/* Advice on descriptor pools, sets and their updates. */
#include "practices/areas.h"
#include "practices/advise.h"
#include "practices/hooks.h"
#include "state/descriptor/descriptor_pool.h"

/* Advice is given once so many sets were allocated with the same layout as the set that was freed
 * just before. */
#define REUSED_SETS 16

/* --- pools that are empty --- */

/* The numbers of descriptors that an allocation needs, by type. Unknown layouts do not count. */
static struct descriptor_demand demand_of(const struct call *call,
                                          const VkDescriptorSetAllocateInfo *info)
{
    struct descriptor_demand demand = {0};
    const VkDescriptorSetVariableDescriptorCountAllocateInfo *variable =
        CHAINED(info->pNext, DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
    for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
        const struct descriptor_layout *layout = find_descriptor_layout(call, info->pSetLayouts[i]);
        const bool counted =
            variable && variable->pDescriptorCounts && i < variable->descriptorSetCount;
        if (layout)
            descriptor_demand_add(&demand, layout, counted ? variable->pDescriptorCounts[i] : 0);
    }
    return demand;
}

/* The first kind of descriptors of which the allocation needs more than the pool has left; all 0:
 * there is none. */
static struct practices_in_descriptor_pool lack_of(const struct call *call,
                                                   const struct descriptor_pool *pool,
                                                   const VkDescriptorSetAllocateInfo *info)
{
    if (info->descriptorSetCount > pool->sets &&
        !(pool->flags & VK_DESCRIPTOR_POOL_CREATE_ALLOW_OVERALLOCATION_SETS_BIT_NV))
        return (struct practices_in_descriptor_pool){LACKS_SETS, pool->sets};
    if (pool->flags & VK_DESCRIPTOR_POOL_CREATE_ALLOW_OVERALLOCATION_POOLS_BIT_NV)
        return (struct practices_in_descriptor_pool){0};
    const struct descriptor_demand demand = demand_of(call, info);
    for (uint32_t tag = 0; tag < DESCRIPTOR_TAG_COUNT; tag++) {
        if (demand.count[tag] > pool->left[tag])
            return (struct practices_in_descriptor_pool){1 + tag, pool->left[tag]};
    }
    return (struct practices_in_descriptor_pool){0};
}

/* Notes what the pool lacks before the call goes down, as the counts change then. Without
 * VK_KHR_maintenance1 it is an error, which the core validator reports. */
void practices_before_AllocateDescriptorSets(struct call *call, VkDevice device,
                                             const VkDescriptorSetAllocateInfo *pAllocateInfo,
                                             VkDescriptorSet *pDescriptorSets)
{
    const VkDescriptorSetAllocateInfo *info = pAllocateInfo;
    const struct descriptor_pool *pool = find_descriptor_pool(call, info->descriptorPool);
    if (pool && !pool->mutable_types && info->pSetLayouts &&
        (call->device->properties.apiVersion >= VK_API_VERSION_1_1 ||
         call_has_extension(call, EXTENSION_VK_KHR_maintenance1)))
        *practices_in_descriptor_pool(pool) = lack_of(call, pool, info);
}

/* Advises if an allocation has succeeded although the pool was too small. Programs may rely on
 * VK_ERROR_OUT_OF_POOL_MEMORY to use another pool. But where one driver allocates more than the
 * pool's size, the next one may not. */
static void judge_lack(const struct call *call, const VkDescriptorSetAllocateInfo *info)
{
    const struct descriptor_pool *pool = find_descriptor_pool(call, info->descriptorPool);
    const struct practices_in_descriptor_pool lack =
        pool ? *practices_in_descriptor_pool(pool) : (struct practices_in_descriptor_pool){0};
    const struct location where =
        LOCATION(&LOCATION_POINTER(NULL, "pAllocateInfo"), "descriptorPool");
    const struct finding_objects *objects = OBJECT(HANDLE_DESCRIPTOR_POOL, info->descriptorPool);
    /* Noted before the call, when the counts were those that the driver had. */
    if (!lack.lacks)
        return;
    if (lack.lacks == LACKS_SETS) {
        advise(call, BestPractices_vkAllocateDescriptorSets_EmptyDescriptorPool, &where, objects,
               "had %u of %u sets left, and %u are allocated", lack.left, pool->max_sets,
               info->descriptorSetCount);
        return;
    }
    /* 1 is added to the tag, as 0 means "nothing". */
    const enum descriptor_tag tag = (enum descriptor_tag)(lack.lacks - 1);
    advise(call, BestPractices_vkAllocateDescriptorSets_EmptyDescriptorPoolType, &where, objects,
           "had %u of %u descriptors of type %s left, and the sets take %llu", lack.left,
           pool->capacity[tag], TEXT_OF(VkDescriptorType, descriptor_type_of(tag)),
           (unsigned long long)demand_of(call, info).count[tag]);
}

/* --- sets that are freed and allocated again: Arm --- */

/* A number that is equal for identically defined layouts. 0: not known. */
static uint64_t layout_of(const struct descriptor_set *set)
{
    return set && set->layout ? set->layout->compatibility : 0;
}

void practices_before_FreeDescriptorSets(struct call *call, VkDevice device,
                                         VkDescriptorPool descriptorPool,
                                         uint32_t descriptorSetCount,
                                         const VkDescriptorSet *pDescriptorSets)
{
    struct practices_of_device *kept = practices_of_device(call->device);
    if (!kept || !pDescriptorSets || !descriptorSetCount || !practices_want(call, PRACTICE_ARM))
        return;
    const struct descriptor_set *set =
        find_descriptor_set(call, pDescriptorSets[descriptorSetCount - 1]);
    atomic_store_explicit(&kept->freed_set_layout, layout_of(set), memory_order_relaxed);
    atomic_store_explicit(&kept->freed_set_pool, (uint64_t)descriptorPool, memory_order_relaxed);
}

void practices_after_AllocateDescriptorSets(struct call *call, VkDevice device,
                                            const VkDescriptorSetAllocateInfo *pAllocateInfo,
                                            VkDescriptorSet *pDescriptorSets)
{
    struct practices_of_device *kept = practices_of_device(call->device);
    if (call->result != VK_SUCCESS || !kept)
        return;
    judge_lack(call, pAllocateInfo);
    if (!atomic_load_explicit(&kept->freed_set_layout, memory_order_relaxed))
        return;
    const uint64_t freed =
        /* Each freed set counts once. */
        atomic_exchange_explicit(&kept->freed_set_layout, 0, memory_order_relaxed);
    if (!freed || freed != layout_of(find_descriptor_set(call, pDescriptorSets[0])) ||
        atomic_load_explicit(&kept->freed_set_pool, memory_order_relaxed) !=
            (uint64_t)pAllocateInfo->descriptorPool)
        return;
    const uint32_t count = practices_count(&kept->reused_sets);
    if (count >= REUSED_SETS)
        advise(call, BestPractices_Arm_vkAllocateDescriptorSets_suboptimal_reuse,
               &LOCATION_POINTER(NULL, "pAllocateInfo"),
               OBJECT(HANDLE_DESCRIPTOR_POOL, pAllocateInfo->descriptorPool),
               "allocates a set like the one that was freed just before, %u times so far", count);
}

/* --- layouts and updates --- */

void practices_after_CreateDescriptorSetLayout(struct call *call, VkDevice device,
                                               const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
                                               const VkAllocationCallbacks *pAllocator,
                                               VkDescriptorSetLayout *pSetLayout)
{
    const VkMutableDescriptorTypeCreateInfoEXT *types =
        CHAINED(pCreateInfo->pNext, MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);
    if (call->result == VK_SUCCESS && types &&
        types->mutableDescriptorTypeListCount > pCreateInfo->bindingCount)
        advise(call, BestPractices_MutableDescriptor_TypeListCount,
               &LOCATION(&LOCATION_CHAINED(CREATE_INFO, "VkMutableDescriptorTypeCreateInfoEXT"),
                         "mutableDescriptorTypeListCount"),
               OBJECT(HANDLE_DESCRIPTOR_SET_LAYOUT, *pSetLayout), "is %u, and bindingCount is %u",
               types->mutableDescriptorTypeListCount, pCreateInfo->bindingCount);
}

void practices_after_UpdateDescriptorSets(struct call *call, VkDevice device,
                                          uint32_t descriptorWriteCount,
                                          const VkWriteDescriptorSet *pDescriptorWrites,
                                          uint32_t descriptorCopyCount,
                                          const VkCopyDescriptorSet *pDescriptorCopies)
{
    if (unlikely(descriptorCopyCount))
        advise(call, BestPractices_AMD_UpdateDescriptors_AvoidCopyingDescriptors,
               &LOCATION(NULL, "descriptorCopyCount"), NULL, "is %u", descriptorCopyCount);
}
