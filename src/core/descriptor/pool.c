/* Checks that a descriptor pool may be created, reset and destroyed, and that sets may be allocated
 * and freed (14.2.3 "Allocation of Descriptor Sets"). */
#include "report/finding/rule.h"
#include "state/descriptor/descriptor_pool.h"

#include <inttypes.h>

#include "core/hooks.h"
#include "core/destroy/in_use.h"
#include "report/finding/finding.h"
#include "report/names/names_of_values.h"
#include "vk/chain.h"

/* --- creation --- */

/* The mutable types that the pool's lists allow for element `i`, a bit each; 0: the pool has no
 * list for it. */
static uint32_t listed_types(const VkMutableDescriptorTypeCreateInfoEXT *lists, uint32_t i)
{
    uint32_t types = 0;
    if (!lists || !lists->pMutableDescriptorTypeLists || i >= lists->mutableDescriptorTypeListCount)
        return 0;
    const VkMutableDescriptorTypeListEXT *list = &lists->pMutableDescriptorTypeLists[i];
    for (uint32_t t = 0; list->pDescriptorTypes && t < list->descriptorTypeCount; t++)
        types |= 1u << descriptor_tag_of(list->pDescriptorTypes[t]);
    return types;
}

/* Checks that mutable elements of the pool do not have partially overlapping lists of types: two
 * lists are the same, or have no type in common. */
static bool check_overlap(struct call *call, const VkDescriptorPoolCreateInfo *info, uint32_t i,
                          const struct location *where)
{
    assert(i < info->poolSizeCount);
    const VkMutableDescriptorTypeCreateInfoEXT *lists =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);
    uint32_t own = listed_types(lists, i);
    struct subject s = {.call = call};
    for (uint32_t before = 0; own && before < i; before++) {
        uint32_t other = info->pPoolSizes[before].type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT
                             ? listed_types(lists, before)
                             : 0;
        REQUIRE(&s, RULE_04787, !(own & other) || own == other,
                &LOCATION_INDEX(where, "pPoolSizes", i),
                "is of VK_DESCRIPTOR_TYPE_MUTABLE_EXT with a list of types that overlaps "
                "that of pPoolSizes[%u], but is not the same",
                before);
    }
    return s.skip;
}

bool core_validate_CreateDescriptorPool(struct call *call, VkDevice device,
                                        const VkDescriptorPoolCreateInfo *pCreateInfo,
                                        const VkAllocationCallbacks *pAllocator,
                                        VkDescriptorPool *pDescriptorPool)
{
    const VkDescriptorPoolCreateInfo *info = pCreateInfo;
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo");
    const VkDescriptorPoolInlineUniformBlockCreateInfo *blocks =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO);
    struct subject s = {.call = call};
    for (uint32_t i = 0; info->pPoolSizes && i < info->poolSizeCount; i++) {
        const struct location size = LOCATION_INDEX(&where, "pPoolSizes", i),
                              at = LOCATION(&size, "type");
        if (info->pPoolSizes[i].type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
            REQUIRE(&s, RULE_09424, blocks && blocks->maxInlineUniformBlockBindings, &at,
                    "is VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, but %s",
                    blocks ? "VkDescriptorPoolInlineUniformBlockCreateInfo::"
                             "maxInlineUniformBlockBindings is 0"
                           : "the pNext chain has no VkDescriptorPoolInlineUniformBlockCreateInfo");
        } else if (info->pPoolSizes[i].type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT) {
            REQUIRE(&s, RULE_04608, device_has_feature(call->device, FEATURE_mutableDescriptorType),
                    &at,
                    "is VK_DESCRIPTOR_TYPE_MUTABLE_EXT, but the feature mutableDescriptorType is "
                    "not enabled");
            s.skip |= check_overlap(call, info, i, &where);
        }
    }
    return s.skip;
}

/* --- allocation --- */

/* The binding with a variable size, which is always the last one; NULL: the layout has none. */
static const struct descriptor_binding *variable_binding(const struct descriptor_layout *layout)
{
    const struct descriptor_binding *last =
        layout->binding_count ? &layout->bindings[layout->binding_count - 1] : NULL;
    return last && last->flags & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT ? last : NULL;
}

/* Checks that the pool has enough descriptors left. Only Vulkan 1.0 without VK_KHR_maintenance1
 * requires that: later versions allow VK_ERROR_OUT_OF_POOL_MEMORY. */
static bool check_room(struct call *call, const struct descriptor_pool *pool,
                       const VkDescriptorSetAllocateInfo *info,
                       const struct descriptor_demand *demand, const struct location *where)
{
    assert(pool && demand);
    const struct finding_objects *objects = OBJECT(HANDLE_DESCRIPTOR_POOL, info->descriptorPool);
    struct subject s = {.call = call, .where = where, .objects = objects};
    REQUIRE(&s, RULE_07895, info->descriptorSetCount <= pool->sets, "descriptorSetCount",
            "is %u, but the pool has %u of its %u sets left", info->descriptorSetCount, pool->sets,
            pool->max_sets);
    for (uint32_t t = 0; t < DESCRIPTOR_TAG_COUNT; t++) {
        if (unlikely(demand->count[t] > pool->left[t])) {
            BROKEN(&s, RULE_07896, "pSetLayouts",
                   "takes %" PRIu64 " descriptors of type %s, but the pool has %u of its %u left",
                   demand->count[t],
                   value_text(VALUES_VkDescriptorType,
                              (uint64_t)descriptor_type_of((enum descriptor_tag)t))
                       .text,
                   pool->left[t], pool->capacity[t]);
            return s.skip;
        }
    }
    return s.skip;
}

bool core_validate_AllocateDescriptorSets(struct call *call, VkDevice device,
                                          const VkDescriptorSetAllocateInfo *pAllocateInfo,
                                          VkDescriptorSet *pDescriptorSets)
{
    const VkDescriptorSetAllocateInfo *info = pAllocateInfo;
    const struct location where = LOCATION_POINTER(NULL, "pAllocateInfo");
    const struct descriptor_pool *pool = find_descriptor_pool(call, info->descriptorPool);
    const VkDescriptorSetVariableDescriptorCountAllocateInfo *variable =
        chain_find(info->pNext,
                   VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
    const struct location chained =
        LOCATION_CHAINED(&where, "VkDescriptorSetVariableDescriptorCountAllocateInfo");
    struct subject s = {.call = call, .where = &chained};
    /* In later versions the driver may return VK_ERROR_OUT_OF_POOL_MEMORY instead. */
    bool strict = pool && call->device->properties.apiVersion < VK_API_VERSION_1_1 &&
                  !call_has_extension(call, EXTENSION_VK_KHR_maintenance1);
    struct descriptor_demand demand = {0};
    if (variable && variable->descriptorSetCount)
        REQUIRE(&s, RULE_03045, variable->descriptorSetCount == info->descriptorSetCount,
                "descriptorSetCount",
                "is %u, but VkDescriptorSetAllocateInfo::descriptorSetCount is %u",
                variable->descriptorSetCount, info->descriptorSetCount);
    for (uint32_t i = 0; info->pSetLayouts && i < info->descriptorSetCount; i++) {
        const struct descriptor_layout *layout = find_descriptor_layout(call, info->pSetLayouts[i]);
        if (!layout)
            return s.skip;
        const struct finding_objects *objects =
            OBJECT2(HANDLE_DESCRIPTOR_SET_LAYOUT, info->pSetLayouts[i], HANDLE_DESCRIPTOR_POOL,
                    info->descriptorPool);
        const struct descriptor_binding *last = variable_binding(layout);
        bool counted = variable && variable->pDescriptorCounts && i < variable->descriptorSetCount;
        if (last && counted)
            REQUIRE_OF(&s, objects, RULE_09380, variable->pDescriptorCounts[i] <= last->count,
                       &LOCATION_INDEX(&chained, "pDescriptorCounts", i),
                       "is %u, but binding %u of the layout has %u descriptors at most",
                       variable->pDescriptorCounts[i], last->binding, last->count);
        if (strict)
            descriptor_demand_add(&demand, layout, counted ? variable->pDescriptorCounts[i] : 0);
    }
    return strict ? s.skip | check_room(call, pool, info, &demand, &where) : s.skip;
}

/* --- and back --- */

bool core_validate_FreeDescriptorSets(struct call *call, VkDevice device,
                                      VkDescriptorPool descriptorPool, uint32_t descriptorSetCount,
                                      const VkDescriptorSet *pDescriptorSets)
{
    struct subject s = {.call = call};
    for (uint32_t i = 0; pDescriptorSets && i < descriptorSetCount; i++) {
        const struct descriptor_set *set = find_descriptor_set(call, pDescriptorSets[i]);
        if (set)
            s.skip |= in_use_check(call, &set->base, RULE(call, 00309),
                                   &LOCATION_INDEX(NULL, "pDescriptorSets", i));
    }
    return s.skip;
}

/* A search among the sets of a pool for one that is in use. */
struct search {
    const struct call *call;
    const struct object_state *used; /* the set that was found; NULL: none so far */
};

/* Notes a set that is in use. `context`: the struct search. object_for_each_child() calls it. */
static void visit_set(struct object *child, void *context)
{
    struct search *search = context;
    const struct descriptor_set *set = object_load_state_typed(child, HANDLE_DESCRIPTOR_SET);
    if (set && !search->used && in_use(search->call, &set->base))
        search->used = &set->base;
}

/* Reports one set of the pool that is in use; further ones are not reported. */
static bool check_sets_in_use(struct call *call, VkDescriptorPool pool, enum rule rule)
{
    struct object *object = call_find(call, (uint64_t)pool, HANDLE_DESCRIPTOR_POOL);
    struct search search = {.call = call};
    if (!object || !call->instance->settings.check_object_in_use)
        return false;
    object_for_each_child(object, visit_set, &search);
    return search.used ? in_use_report(call, search.used, rule_vuid(call->command, rule),
                                       &LOCATION(&LOCATION(NULL, "descriptorPool"), "a set of it"))
                       : false;
}

bool core_validate_ResetDescriptorPool(struct call *call, VkDevice device,
                                       VkDescriptorPool descriptorPool,
                                       VkDescriptorPoolResetFlags flags)
{
    return check_sets_in_use(call, descriptorPool, RULE_00313);
}

bool core_validate_DestroyDescriptorPool(struct call *call, VkDevice device,
                                         VkDescriptorPool descriptorPool,
                                         const VkAllocationCallbacks *pAllocator)
{
    return check_sets_in_use(call, descriptorPool, RULE_00303);
}
