/* Checks that a descriptor set layout may be created from its bindings (14.2.1 "Descriptor Set
 * Layout"). */
#include "report/finding/rule.h"
#include "state/descriptor/descriptor.h"

#include "core/hooks.h"
#include "report/finding/finding.h"
#include "report/names/names_of_values.h"
#include "state/descriptor/sampler.h"
#include "vk/chain.h"

/* The create info of one layout, and the structures in its chain. */
struct layout_info {
    struct call *call;
    const VkDescriptorSetLayoutCreateInfo *info;
    /* length of pBindings; 0 if that is NULL */
    uint32_t count;
    const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags; /* NULL: no binding has flags */
    /* lists of mutable types; NULL: none are given */
    const VkMutableDescriptorTypeCreateInfoEXT *lists;
    const struct location *where;
};

/* True if the layout is created with the flag. */
static bool has_flag(const struct layout_info *x, VkDescriptorSetLayoutCreateFlags flag)
{
    return (x->info->flags & flag) != 0;
}

static bool is_dynamic(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

/* binding numbers must each be different (per stage: or their stages must) */
static bool check_unique(const struct layout_info *x)
{
    bool per_stage = has_flag(x, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PER_STAGE_BIT_NV) &&
                     device_has_feature(x->call->device, FEATURE_perStageDescriptorSet);
    const VkDescriptorSetLayoutBinding *bindings = x->info->pBindings;
    for (uint32_t i = 1; i < x->count; i++) {
        for (uint32_t before = 0; before < i; before++) {
            if (likely(bindings[i].binding != bindings[before].binding) ||
                (per_stage && !(bindings[i].stageFlags & bindings[before].stageFlags)))
                continue;
            return BROKEN_BY(x->call, per_stage ? RULE_09464 : RULE_00279,
                             &LOCATION(&LOCATION_INDEX(x->where, "pBindings", i), "binding"), NULL,
                             "is %u, which pBindings[%u] is too", bindings[i].binding, before);
        }
    }
    return false;
}

/* Checks that mutable descriptors do not have immutable samplers. */
static bool check_no_samplers(const struct layout_info *x,
                              const VkDescriptorSetLayoutBinding *binding,
                              const struct location *where)
{
    struct subject s = {.call = x->call, .where = where};
    /* pImmutableSamplers must be NULL: 04605 of VkDescriptorSetLayoutBinding says the same */
    if (binding->descriptorType == VK_DESCRIPTOR_TYPE_MUTABLE_EXT)
        REQUIRE(&s, RULE_04594, !binding->pImmutableSamplers, "pImmutableSamplers",
                "is not NULL, but descriptorType is VK_DESCRIPTOR_TYPE_MUTABLE_EXT");
    return s.skip;
}

/* Checks the size of an inline uniform block, whose descriptorCount is in bytes. It is not checked
 * if the device gives no limit. */
static bool check_inline_uniform(const struct layout_info *x,
                                 const VkDescriptorSetLayoutBinding *binding,
                                 const struct location *where)
{
    struct call *call = x->call;
    if (binding->descriptorType != VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
        return false;
    uint32_t most = call->device->extended.InlineUniformBlockProperties.maxInlineUniformBlockSize;
    struct subject s = {.call = call, .where = where};
    if (!has_flag(x, VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT) && most)
        REQUIRE(&s, RULE_08004, binding->descriptorCount <= most, "descriptorCount",
                "is %u, more bytes than maxInlineUniformBlockSize, %u", binding->descriptorCount,
                most);
    return s.skip;
}

/* Checks a binding of a layout with embedded immutable samplers. True: the call is to be skipped.
 */
static bool set_layout_check_embedded(const struct layout_info *x,
                                      const VkDescriptorSetLayoutBinding *binding,
                                      const struct location *where)
{
    struct call *call = x->call;
    static const char because[] =
        "the layout has VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT";
    if (!has_flag(x, VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT))
        return false;
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, RULE_08005, binding->descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER, "descriptorType",
            "is %s, but %s", value_text(VALUES_VkDescriptorType, binding->descriptorType).text,
            because);
    REQUIRE(&s, RULE_08006, binding->descriptorCount <= 1, "descriptorCount", "is %u, but %s",
            binding->descriptorCount, because);
    if (binding->descriptorCount == 1)
        REQUIRE(&s, RULE_08007, binding->pImmutableSamplers, "pImmutableSamplers",
                "is NULL, but %s", because);
    return s.skip;
}

/* The stages of Vulkan without extensions, which limits for each stage are about. */
#define PER_STAGE_STAGES                                \
    ((VkShaderStageFlags)VK_SHADER_STAGE_ALL_GRAPHICS | \
     (VkShaderStageFlags)VK_SHADER_STAGE_COMPUTE_BIT)

/* True if each bit of the mask is a known stage. VK_SHADER_STAGE_ALL is accepted, although it has
 * further bits. */
static bool are_stages(VkShaderStageFlags stages)
{
    if (likely(stages == VK_SHADER_STAGE_ALL || !(stages & ~PER_STAGE_STAGES)))
        return true;
    for (uint32_t left = stages; left; left &= left - 1) {
        if (!value_has_name(VALUES_VkShaderStageFlagBits, left & -left))
            return false;
    }
    return true;
}

/* Checks the stages of a binding. A binding without descriptors may have any. True: the call is to
 * be skipped. */
static bool set_layout_check_stages(const struct layout_info *x,
                                    const VkDescriptorSetLayoutBinding *binding,
                                    const struct location *where)
{
    struct call *call = x->call;
    const struct location at = LOCATION(where, "stageFlags");
    if (!binding->descriptorCount)
        return false;
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_09465, are_stages(binding->stageFlags), &at,
            "is %s: there are bits that are not a VkShaderStageFlagBits value",
            value_text(VALUES_VkShaderStageFlags, binding->stageFlags).text);
    if (has_flag(x, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PER_STAGE_BIT_NV))
        REQUIRE(&s, RULE_09466, !(binding->stageFlags & ~PER_STAGE_STAGES), &at,
                "is %s, but the layout has VK_DESCRIPTOR_SET_LAYOUT_CREATE_PER_STAGE_BIT_NV, "
                "which is for graphics stages and compute only",
                value_text(VALUES_VkShaderStageFlags, binding->stageFlags).text);
    return s.skip;
}

/* Checks the immutable samplers of a binding, if its type uses them. True: the call is to be
 * skipped. */
static bool check_immutable_samplers(const struct layout_info *x,
                                     const VkDescriptorSetLayoutBinding *binding,
                                     const struct location *where)
{
    struct call *call = x->call;
    bool lone = binding->descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER;
    if (!binding->pImmutableSamplers ||
        (!lone && binding->descriptorType != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER))
        return false;
    struct subject s = {.call = call, .where = where};
    uint32_t with_conversion = 0, known = 0;
    for (uint32_t i = 0; i < binding->descriptorCount; i++) {
        const struct sampler *sampler = find_sampler(call, binding->pImmutableSamplers[i]);
        if (!sampler)
            continue;
        const struct location at = LOCATION_INDEX(where, "pImmutableSamplers", i);
        const struct finding_objects *objects =
            OBJECT(HANDLE_SAMPLER, binding->pImmutableSamplers[i]);
        known++;
        with_conversion += sampler->ycbcr_conversion != 0;
        REQUIRE_OF(&s, objects, RULE_04009,
                   sampler->info.borderColor != VK_BORDER_COLOR_FLOAT_CUSTOM_EXT &&
                       sampler->info.borderColor != VK_BORDER_COLOR_INT_CUSTOM_EXT,
                   &at, "has a custom border color (VkSamplerCreateInfo::borderColor is %s)",
                   value_text(VALUES_VkBorderColor, sampler->info.borderColor).text);
        if (lone)
            REQUIRE_OF(&s, objects, RULE_12215, !sampler->ycbcr_conversion, &at,
                       "has a Y'CbCr conversion, but descriptorType is VK_DESCRIPTOR_TYPE_SAMPLER");
    }
    /* either each element enables sampler Y'CbCr conversion or none of them */
    REQUIRE(&s, RULE_12200, lone || !with_conversion || with_conversion == known,
            "pImmutableSamplers", "has %u samplers with a Y'CbCr conversion and %u without",
            with_conversion, known - with_conversion);
    return s.skip;
}

/* --- mutable types --- */

/* Checks the list of types that belongs to binding `i`. True: the call is to be skipped. */
static bool check_list(const struct layout_info *x, uint32_t i)
{
    assert(x->lists->pMutableDescriptorTypeLists && i < x->lists->mutableDescriptorTypeListCount);
    struct call *call = x->call;
    const VkMutableDescriptorTypeListEXT *list = &x->lists->pMutableDescriptorTypeLists[i];
    bool is_mutable = x->info->pBindings[i].descriptorType == VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
    const struct location chained =
                              LOCATION_CHAINED(x->where, "VkMutableDescriptorTypeCreateInfoEXT"),
                          at = LOCATION_INDEX(&chained, "pMutableDescriptorTypeLists", i);
    struct subject s = {.call = call, .where = &at};
    if (!is_mutable) {
        REQUIRE(&s, RULE_04599, !list->descriptorTypeCount, "descriptorTypeCount",
                "is %u, but pBindings[%u].descriptorType is %s", list->descriptorTypeCount, i,
                value_text(VALUES_VkDescriptorType, x->info->pBindings[i].descriptorType).text);
        return s.skip;
    }
    REQUIRE(&s, RULE_04597, list->descriptorTypeCount, "descriptorTypeCount",
            "is 0, but pBindings[%u].descriptorType is VK_DESCRIPTOR_TYPE_MUTABLE_EXT", i);
    uint32_t seen = 0;
    for (uint32_t t = 0; list->pDescriptorTypes && t < list->descriptorTypeCount; t++) {
        const struct location element = LOCATION_INDEX(&at, "pDescriptorTypes", t);
        enum descriptor_tag tag = descriptor_tag_of(list->pDescriptorTypes[t]);
        /* an array of descriptorTypeCount valid, unique VkDescriptorType values */
        REQUIRE(&s, RULE_04598, tag < DESCRIPTOR_TAG_COUNT && !(seen & 1u << tag), &element,
                tag < DESCRIPTOR_TAG_COUNT ? "is %s, which the list already has"
                                           : "is %s, which is not a VkDescriptorType",
                value_text(VALUES_VkDescriptorType, list->pDescriptorTypes[t]).text);
        seen |= 1u << tag;
    }
    return s.skip;
}

/* Checks the lists of types, and that each mutable binding has one. True: the call is to be
 * skipped. */
static bool check_mutable(const struct layout_info *x)
{
    uint32_t count = x->lists && x->lists->pMutableDescriptorTypeLists
                         ? x->lists->mutableDescriptorTypeListCount
                         : 0;
    struct subject s = {.call = x->call};
    for (uint32_t i = 0; i < x->count; i++) {
        if (i < count)
            s.skip |= check_list(x, i);
        else
            REQUIRE(&s, RULE_07303,
                    x->info->pBindings[i].descriptorType != VK_DESCRIPTOR_TYPE_MUTABLE_EXT,
                    &LOCATION(&LOCATION_INDEX(x->where, "pBindings", i), "descriptorType"),
                    "is VK_DESCRIPTOR_TYPE_MUTABLE_EXT, but the pNext chain has no list of types "
                    "for it "
                    "(VkMutableDescriptorTypeCreateInfoEXT::mutableDescriptorTypeListCount is "
                    "%u)",
                    count);
    }
    return s.skip;
}

/* --- binding flags --- */

/* The feature that update-after-bind requires, for each type of descriptor. */
static const struct {
    VkDescriptorType type;
    enum feature feature;
    const char *name;
    enum rule rule;
} after_bind_rules[] = {
    {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, FEATURE_descriptorBindingUniformBufferUpdateAfterBind,
     "descriptorBindingUniformBufferUpdateAfterBind", RULE_03005},
    {VK_DESCRIPTOR_TYPE_SAMPLER, FEATURE_descriptorBindingSampledImageUpdateAfterBind,
     "descriptorBindingSampledImageUpdateAfterBind", RULE_03006},
    {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
     FEATURE_descriptorBindingSampledImageUpdateAfterBind,
     "descriptorBindingSampledImageUpdateAfterBind", RULE_03006},
    {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, FEATURE_descriptorBindingSampledImageUpdateAfterBind,
     "descriptorBindingSampledImageUpdateAfterBind", RULE_03006},
    {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, FEATURE_descriptorBindingStorageImageUpdateAfterBind,
     "descriptorBindingStorageImageUpdateAfterBind", RULE_03007},
    {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, FEATURE_descriptorBindingStorageBufferUpdateAfterBind,
     "descriptorBindingStorageBufferUpdateAfterBind", RULE_03008},
    {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
     FEATURE_descriptorBindingUniformTexelBufferUpdateAfterBind,
     "descriptorBindingUniformTexelBufferUpdateAfterBind", RULE_03009},
    {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
     FEATURE_descriptorBindingStorageTexelBufferUpdateAfterBind,
     "descriptorBindingStorageTexelBufferUpdateAfterBind", RULE_03010},
    {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK,
     FEATURE_descriptorBindingInlineUniformBlockUpdateAfterBind,
     "descriptorBindingInlineUniformBlockUpdateAfterBind", RULE_02211},
    {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR,
     FEATURE_descriptorBindingAccelerationStructureUpdateAfterBind,
     "descriptorBindingAccelerationStructureUpdateAfterBind", RULE_03570},
    {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV,
     FEATURE_descriptorBindingAccelerationStructureUpdateAfterBind,
     "descriptorBindingAccelerationStructureUpdateAfterBind", RULE_03570},
    {VK_DESCRIPTOR_TYPE_TENSOR_ARM, FEATURE_descriptorBindingStorageTensorUpdateAfterBind,
     "descriptorBindingStorageTensorUpdateAfterBind", RULE_09697},
};

/* Checks that binding `i` may be updated after it is bound. `at`: location of its flags. */
static bool check_update_after_bind(const struct layout_info *x, uint32_t i,
                                    const struct location *at)
{
    assert(i < x->info->bindingCount);
    struct call *call = x->call;
    VkDescriptorType type = x->info->pBindings[i].descriptorType;
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_03000, has_flag(x, VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT),
            at,
            "has VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT, but the layout's flags "
            "lack VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT");
    for (uint32_t r = 0; r < ARRAY_LENGTH(after_bind_rules); r++) {
        if (after_bind_rules[r].type == type)
            REQUIRE(&s, after_bind_rules[r].rule,
                    device_has_feature(call->device, after_bind_rules[r].feature), at,
                    "has VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT for a binding of type "
                    "%s, but the feature %s is not enabled",
                    value_text(VALUES_VkDescriptorType, type).text, after_bind_rules[r].name);
    }
    REQUIRE(&s, RULE_03011, type != VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT && !is_dynamic(type), at,
            "has VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT for a binding of type %s, "
            "which never can",
            value_text(VALUES_VkDescriptorType, type).text);
    return s.skip;
}

/* Checks that binding `i` may have a variable count. `at`: location of its flags. */
static bool check_variable_count(const struct layout_info *x, uint32_t i, const struct location *at)
{
    assert(i < x->info->bindingCount);
    struct call *call = x->call;
    const VkDescriptorSetLayoutBinding *bindings = x->info->pBindings;
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_03015, !is_dynamic(bindings[i].descriptorType), at,
            "has VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT for a binding of type "
            "%s, which never can",
            value_text(VALUES_VkDescriptorType, bindings[i].descriptorType).text);
    /* it must be the element with the highest binding number */
    uint32_t highest = i;
    for (uint32_t other = 0; other < x->count; other++)
        highest = bindings[other].binding > bindings[highest].binding ? other : highest;
    REQUIRE(&s, RULE_03004, highest == i, at,
            "has VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT for binding %u, "
            "but the highest one is %u",
            bindings[i].binding, bindings[highest].binding);
    return s.skip;
}

/* Checks the flags of binding `i`, which are in a chained structure. True: the call is to be
 * skipped. */
static bool check_binding_flags(const struct layout_info *x, uint32_t i,
                                const struct location *chained)
{
    assert(i < x->info->bindingCount && i < x->flags->bindingCount);
    struct call *call = x->call;
    const struct location at = LOCATION_INDEX(chained, "pBindingFlags", i);
    VkDescriptorBindingFlags flags = x->flags->pBindingFlags[i];
    const VkDescriptorBindingFlags unpushable =
        VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
        VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT |
        VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
    struct subject s = {.call = call};
    if (has_flag(x, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT))
        REQUIRE(&s, RULE_03003, !(flags & unpushable), &at,
                "has %s, but the layout has VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT",
                value_text(VALUES_VkDescriptorBindingFlags, flags & unpushable).text);
    if (flags & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT)
        s.skip |= check_update_after_bind(x, i, &at);
    if (flags & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT)
        s.skip |= check_variable_count(x, i, &at);
    return s.skip;
}

static bool updates_after_bind(const struct layout_info *x, uint32_t i)
{
    assert(x->flags && x->flags->pBindingFlags);
    return i < x->flags->bindingCount &&
           x->flags->pBindingFlags[i] & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
}

/* Checks the flags of all bindings, if the chain gives them. True: the call is to be skipped. */
static bool check_all_flags(const struct layout_info *x)
{
    if (!x->flags || !x->flags->bindingCount)
        return false;
    const struct location chained =
        LOCATION_CHAINED(x->where, "VkDescriptorSetLayoutBindingFlagsCreateInfo");
    struct subject s = {.call = x->call, .where = &chained};
    REQUIRE(&s, RULE_03002, x->flags->bindingCount == x->info->bindingCount, "bindingCount",
            "is %u, but the layout has %u bindings", x->flags->bindingCount, x->info->bindingCount);
    bool after_bind = false;
    for (uint32_t i = 0; x->flags->pBindingFlags && i < x->count && i < x->flags->bindingCount;
         i++) {
        after_bind |=
            (x->flags->pBindingFlags[i] & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT) != 0;
        if (unlikely(x->flags->pBindingFlags[i]))
            s.skip |= check_binding_flags(x, i, &chained);
    }
    /* if any binding has the bit, all bindings must not have a dynamic type */
    for (uint32_t i = 0; after_bind && i < x->count; i++)
        REQUIRE(&s, RULE_03001,
                !is_dynamic(x->info->pBindings[i].descriptorType) || updates_after_bind(x, i),
                &LOCATION(&LOCATION_INDEX(x->where, "pBindings", i), "descriptorType"),
                "is %s, but a binding has VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT",
                value_text(VALUES_VkDescriptorType, x->info->pBindings[i].descriptorType).text);
    return s.skip;
}

/* the total number of elements of all bindings must be less than or equal to maxPushDescriptors */
static bool check_push_count(const struct layout_info *x)
{
    uint32_t most = x->call->device->extended.PushDescriptorProperties.maxPushDescriptors;
    uint64_t count = 0;
    for (uint32_t i = 0; i < x->count; i++)
        count += x->info->pBindings[i].descriptorCount;
    struct subject s = {.call = x->call};
    REQUIRE(&s, RULE_00281, !most || count <= most, &LOCATION(x->where, "pBindings"),
            "has %llu descriptors together, but maxPushDescriptors is %u",
            (unsigned long long)count, most);
    return s.skip;
}

/* Checks a set layout that is to be created, or whose support is queried. True: the call is to be
 * skipped. */
static bool set_layout_check(struct call *call, const VkDescriptorSetLayoutCreateInfo *info)
{
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo");
    const struct layout_info x = {
        .call = call,
        .info = info,
        .count = info->pBindings ? info->bindingCount : 0,
        .flags = chain_find(info->pNext,
                            VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO),
        .lists = chain_find(info->pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT),
        .where = &where,
    };
    bool skip = check_unique(&x);
    for (uint32_t i = 0; i < x.count; i++) {
        const VkDescriptorSetLayoutBinding *binding = &info->pBindings[i];
        const struct location at = LOCATION_INDEX(&where, "pBindings", i);
        skip |= check_no_samplers(&x, binding, &at);
        skip |= check_inline_uniform(&x, binding, &at);
        skip |= set_layout_check_embedded(&x, binding, &at);
        skip |= set_layout_check_stages(&x, binding, &at);
        skip |= check_immutable_samplers(&x, binding, &at);
    }
    if (has_flag(&x, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT))
        skip |= check_push_count(&x);
    return skip | check_mutable(&x) | check_all_flags(&x);
}

bool core_validate_CreateDescriptorSetLayout(struct call *call, VkDevice device,
                                             const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
                                             const VkAllocationCallbacks *pAllocator,
                                             VkDescriptorSetLayout *pSetLayout)
{
    return set_layout_check(call, pCreateInfo);
}

bool core_validate_GetDescriptorSetLayoutSupport(struct call *call, VkDevice device,
                                                 const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
                                                 VkDescriptorSetLayoutSupport *pSupport)
{
    return set_layout_check(call, pCreateInfo);
}
