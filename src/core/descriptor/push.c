/* Checks that descriptors may be pushed, and that descriptor update templates may be created and
 * used (14.2.6 "Descriptor Update Templates", 14.2.8 "Push Descriptor Updates"). */
#include "chassis/update_template.h"
#include "core/descriptor/bind.h"
#include "core/descriptor/update.h"
#include "core/hooks.h"
#include "report/finding/finding.h"
#include "report/finding/rule.h"
#include "report/names/names_of_values.h"

/* True if push descriptors are enabled: by the extension, or in Vulkan 1.4 by the feature. */
static bool push_is_enabled(const struct call *call)
{
    return extension_set_has(&call->device->named_extensions, EXTENSION_VK_KHR_push_descriptor) ||
           device_has_feature(call->device, FEATURE_pushDescriptor);
}

/* --- pushes --- */

/* The rules about the set, which differ between commands. */
struct push_rules {
    enum rule set, push; /* set: the layout has no such set; push: it is not for push descriptors */
};

/* The layout of set `set`, which must exist in `layout` and be for push descriptors; NULL if not,
 * which is reported. If push descriptors are not enabled, no set layout can be for them, and
 * nothing is reported. */
static const struct descriptor_layout *pushed_layout(struct call *call,
                                                     const struct pipeline_layout *layout,
                                                     VkPipelineLayout handle, uint32_t set,
                                                     const struct push_rules *rules,
                                                     const struct location *where, bool *skip)
{
    assert(layout && rules && skip);
    const struct finding_objects *objects = OBJECT(HANDLE_PIPELINE_LAYOUT, handle);
    const struct location at = LOCATION(where, "set");
    if (unlikely(set >= layout->set_count)) {
        *skip |= call_stop(call, finding(call, rule_vuid(call->command, rules->set), &at, objects,
                                         "is %u, but layout has %u sets (setLayoutCount)", set,
                                         layout->set_count));
        return NULL;
    }
    const struct descriptor_layout *pushed = layout->sets[set];
    if (likely(pushed && pushed->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT))
        return pushed;
    if (pushed && push_is_enabled(call))
        *skip |= finding(call, rule_vuid(call->command, rules->push), &at, objects,
                         "is %u, whose set layout was created without "
                         "VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT",
                         set);
    return NULL;
}

/* Checks push descriptors, write by write. True: the call is to be skipped. */
static bool check_push(struct call *call, const VkPushDescriptorSetInfo *info,
                       const struct location *where)
{
    const struct pipeline_layout *layout = find_pipeline_layout(call, info->layout);
    const struct push_rules rules = {RULE_00364, RULE_00365};
    bool skip = false;
    const struct descriptor_layout *pushed =
        layout ? pushed_layout(call, layout, info->layout, info->set, &rules, where, &skip) : NULL;
    if (unlikely(!pushed || !info->pDescriptorWrites))
        return skip;
    const struct write_target target = {pushed, NULL, HANDLE_PIPELINE_LAYOUT,
                                        (uint64_t)info->layout};
    for (uint32_t i = 0; i < info->descriptorWriteCount; i++) {
        const struct location at = LOCATION_INDEX(where, "pDescriptorWrites", i);
        skip |= descriptor_check_write(call, &target, &info->pDescriptorWrites[i], &at);
    }
    return skip;
}

bool core_validate_CmdPushDescriptorSet(struct call *call, VkCommandBuffer commandBuffer,
                                        VkPipelineBindPoint pipelineBindPoint,
                                        VkPipelineLayout layout, uint32_t set,
                                        uint32_t descriptorWriteCount,
                                        const VkWriteDescriptorSet *pDescriptorWrites)
{
    const VkPushDescriptorSetInfo info = {.layout = layout,
                                          .set = set,
                                          .descriptorWriteCount = descriptorWriteCount,
                                          .pDescriptorWrites = pDescriptorWrites};
    return descriptor_check_bind_point(call, pipelineBindPoint, RULE_00363) |
           check_push(call, &info, NULL);
}

bool core_validate_CmdPushDescriptorSet2(struct call *call, VkCommandBuffer commandBuffer,
                                         const VkPushDescriptorSetInfo *pPushDescriptorSetInfo)
{
    const VkPushDescriptorSetInfo *info = pPushDescriptorSetInfo;
    const struct location where = LOCATION_POINTER(NULL, "pPushDescriptorSetInfo");
    return descriptor_check_stages(call, info->stageFlags, RULE_09468, &where) |
           check_push(call, info, &where);
}

/* Checks descriptors that are pushed with a template. Nothing is checked if the layout or template
 * is not known. */
static bool check_push_template(struct call *call, const VkPushDescriptorSetWithTemplateInfo *info,
                                const struct location *where)
{
    const struct object *object = call_find(call, (uint64_t)info->descriptorUpdateTemplate,
                                            HANDLE_DESCRIPTOR_UPDATE_TEMPLATE);
    const struct update_template *template =
        object_load_state_typed(object, HANDLE_DESCRIPTOR_UPDATE_TEMPLATE);
    const struct pipeline_layout *layout = find_pipeline_layout(call, info->layout);
    const struct finding_objects *objects =
        OBJECT2(HANDLE_DESCRIPTOR_UPDATE_TEMPLATE, info->descriptorUpdateTemplate,
                HANDLE_PIPELINE_LAYOUT, info->layout);
    const struct push_rules rules = {RULE_07304, RULE_07305};
    struct subject s = {.call = call, .where = where, .objects = objects};
    bool pushes = template && template->type == VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS;
    const struct descriptor_layout *pushed = NULL;
    /* If the set number is not the template's, only 07995 reports that. */
    bool other_set = pushes && info->set != template->set;
    if (layout && !other_set) {
        pushed = pushed_layout(call, layout, info->layout, info->set, &rules, where, &s.skip);
        REQUIRE(&s, RULE_11854, info->set >= layout->set_count || layout->sets[info->set], "set",
                "is %u, which is VK_NULL_HANDLE in layout", info->set);
    }
    if (!template)
        return s.skip;
    /* pData must be a valid pointer to a memory containing one or more valid instances ... */
    if (unlikely(!info->pData))
        return call_stop(call,
                         BROKEN_BY(call, RULE_01686, &LOCATION(where, "pData"), NULL, "is NULL"));
    REQUIRE(&s, RULE_07994, pushes, "descriptorUpdateTemplate",
            "was created with the templateType %s",
            value_text(VALUES_VkDescriptorUpdateTemplateType, template->type).text);
    if (!pushes)
        return s.skip;
    s.skip |= descriptor_check_bind_point(call, template->bind_point, RULE_00366);
    if (other_set) {
        BROKEN(&s, RULE_07995, "set", "is %u, but the template was created for set %u", info->set,
               template->set);
        return s.skip;
    }
    const struct pipeline_layout *made_for = pipeline_layout_by_id(template->pipeline_layout);
    if (pushed && made_for && info->set < made_for->set_count)
        REQUIRE(&s, RULE_07993,
                layout->compatibility[info->set] == made_for->compatibility[info->set], "layout",
                "is not compatible for set %u with the layout that the template was created with",
                info->set);
    const struct write_target target = {pushed, NULL, HANDLE_PIPELINE_LAYOUT,
                                        (uint64_t)info->layout};
    return pushed && !s.skip
               ? descriptor_check_template(call, &target, template, info->pData, where)
               : s.skip;
}

bool core_validate_CmdPushDescriptorSetWithTemplate(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    VkDescriptorUpdateTemplate
                                                        descriptorUpdateTemplate,
                                                    VkPipelineLayout layout, uint32_t set,
                                                    const void *pData)
{
    const VkPushDescriptorSetWithTemplateInfo info = {.descriptorUpdateTemplate =
                                                          descriptorUpdateTemplate,
                                                      .layout = layout,
                                                      .set = set,
                                                      .pData = pData};
    return check_push_template(call, &info, NULL);
}

bool core_validate_CmdPushDescriptorSetWithTemplate2(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     const VkPushDescriptorSetWithTemplateInfo
                                                         *pPushDescriptorSetWithTemplateInfo)
{
    const VkPushDescriptorSetWithTemplateInfo *info = pPushDescriptorSetWithTemplateInfo;
    const struct location where = LOCATION_POINTER(NULL, "pPushDescriptorSetWithTemplateInfo");
    return check_push_template(call, info, &where);
}

/* --- templates --- */

/* Checks that the layout has enough descriptors for an entry of a template. `layout` may be NULL if
 * it is not known. */
static bool push_check_entry(struct call *call, const struct descriptor_layout *layout,
                             const VkDescriptorUpdateTemplateEntry *entry,
                             const struct location *where)
{
    assert(entry);
    struct subject s = {.call = call, .where = where};
    if (!layout)
        return s.skip;
    const struct descriptor_binding *binding = descriptor_layout_find(layout, entry->dstBinding);
    if (!binding) {
        BROKEN(&s, RULE_00354, "dstBinding", "is %u, which is not a binding of the set layout",
               entry->dstBinding);
        return s.skip;
    }
    uint64_t room = descriptor_room_from(layout, NULL, binding, entry->dstArrayElement);
    REQUIRE(&s, RULE_00355, entry->descriptorCount <= room, "descriptorCount",
            "is %u, but from dstArrayElement %u on there are %llu in binding %u and "
            "those that follow it",
            entry->descriptorCount, entry->dstArrayElement, (unsigned long long)room,
            entry->dstBinding);
    return s.skip;
}

/* Checks the members that a template for push descriptors uses, and returns its set layout. NULL:
 * it has none, or the layout is not known. */
static const struct descriptor_layout *
check_push_create(struct subject *s, const VkDescriptorUpdateTemplateCreateInfo *info)
{
    const struct call *call = s->call;
    const struct pipeline_layout *layout = find_pipeline_layout(call, info->pipelineLayout);
    if (!layout)
        return NULL;
    const struct descriptor_layout *pushed =
        info->set < layout->set_count ? layout->sets[info->set] : NULL;
    bool push = pushed && pushed->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT;
    REQUIRE_OF(s, OBJECT(HANDLE_PIPELINE_LAYOUT, info->pipelineLayout), RULE_00353,
               push || !push_is_enabled(call), "set",
               "is %u, which is not the push descriptor set of pipelineLayout", info->set);
    return push ? pushed : NULL;
}

bool core_validate_CreateDescriptorUpdateTemplate(struct call *call, VkDevice device,
                                                  const VkDescriptorUpdateTemplateCreateInfo
                                                      *pCreateInfo,
                                                  const VkAllocationCallbacks *pAllocator,
                                                  VkDescriptorUpdateTemplate
                                                      *pDescriptorUpdateTemplate)
{
    const VkDescriptorUpdateTemplateCreateInfo *info = pCreateInfo;
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo");
    const struct descriptor_layout *layout = NULL;
    struct subject s = {.call = call, .where = &where};
    if (info->templateType == VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS) {
        layout = check_push_create(&s, info);
    } else if (info->templateType == VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET) {
        layout = find_descriptor_layout(call, info->descriptorSetLayout);
        for (uint32_t i = 0; layout && i < layout->binding_count; i++)
            REQUIRE_OF(&s, OBJECT(HANDLE_DESCRIPTOR_SET_LAYOUT, info->descriptorSetLayout),
                       RULE_04615, layout->bindings[i].type != VK_DESCRIPTOR_TYPE_MUTABLE_EXT,
                       "descriptorSetLayout", "has binding %u of VK_DESCRIPTOR_TYPE_MUTABLE_EXT",
                       layout->bindings[i].binding);
    }
    for (uint32_t i = 0; info->pDescriptorUpdateEntries && i < info->descriptorUpdateEntryCount;
         i++)
        s.skip |= push_check_entry(call, layout, &info->pDescriptorUpdateEntries[i],
                                   &LOCATION_INDEX(&where, "pDescriptorUpdateEntries", i));
    return s.skip;
}
