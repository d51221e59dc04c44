/* Checks that a pipeline layout (or a shader object's set layouts and ranges) has what an entry
 * point uses: descriptors and push constants. (15.6 "Shader Resource Interface") */
#include "core/descriptor/push_ranges.h"
#include "core/shader/stage.h"
#include "report/names/names_of_values.h"
#include "state/descriptor/descriptor_resources.h"

#include "report/finding/rule.h"

/* Rules of pipelines are found by their number and the command. Shader objects have other valid
 * usage ids. */

/* Checks that a range of the layout has the bytes of the shader's push constant block, for this
 * stage. */
static bool check_push_constants(const struct call *call, const struct shader_stage *stage,
                                 const struct pipeline_layout *layout)
{
    assert(stage->entry && layout);
    const struct spirv_entry_point *entry = stage->entry;
    const VkPushConstantRange *range = NULL;
    if (entry->push_constant_type == SPIRV_NONE ||
        entry->push_constant_end <= entry->push_constant_begin)
        return false;
    for (uint32_t i = 0; i < layout->push_constant_count && !range; i++)
        range =
            layout->push_constants[i].stageFlags & stage->stage ? &layout->push_constants[i] : NULL;
    /* If a push constant block is declared in a shader, a push constant range in layout must match
     * the shader stage */
    if (!range)
        return BROKEN_BY(call,
                         stage_rule(stage, RULE_07987, VUID_VkShaderCreateInfoEXT_codeType_10064),
                         stage->where, STAGE_OBJECT(stage),
                         "uses a push constant block (bytes %u to %u), but no push constant range "
                         "%s "
                         "has %s: %s",
                         entry->push_constant_begin, entry->push_constant_end - 1,
                         stage->object ? "of the shader" : "of the layout",
                         shader_stage_name(stage->stage), PUSH_RANGES(layout));
    /* the block must be contained inside the push constant range in layout that matches the stage
     */
    uint64_t end = (uint64_t)range->offset + range->size;
    if (entry->push_constant_begin >= range->offset && entry->push_constant_end <= end)
        return false;
    return BROKEN_BY(call, stage_rule(stage, RULE_10069, VUID_VkShaderCreateInfoEXT_codeType_10065),
                     stage->where, STAGE_OBJECT(stage),
                     "uses a push constant block of the bytes %u to %u, but the push constant "
                     "range "
                     "of its stage has offset %u and size %u: %s",
                     entry->push_constant_begin, entry->push_constant_end - 1, range->offset,
                     range->size, PUSH_RANGES(layout));
}

/* The name of a descriptor type. It is written to `buffer`, and is cut if it does not fit. */
static const char *type_name(VkDescriptorType type, char *buffer, size_t size)
{
    struct string_builder text;
    string_builder_begin(&text, buffer, size);
    value_write(&text, VALUES_VkDescriptorType, (uint64_t)type);
    return text.text;
}

/* Checks that the layout has the descriptors that one variable of the shader uses. Sets that are
 * not known are not checked. */
static bool check_binding(const struct call *call, const struct shader_stage *stage,
                          const struct pipeline_layout *layout, const struct spirv_binding *binding)
{
    assert(layout && binding);
    const uint32_t placed = SPIRV_HAS_SET | SPIRV_HAS_BINDING;
    if ((binding->flags & placed) != placed)
        return false; /* its descriptors are in a heap, or the SPIR-V is not valid */
    const struct descriptor_layout *set =
        binding->set < layout->set_count ? layout->sets[binding->set] : NULL;
    if (binding->set < layout->set_count && !set)
        return false; /* the set is not known, or another pipeline library has it */
    const struct descriptor_binding *found =
        set ? descriptor_layout_find(set, binding->binding) : NULL;
    const char *kind = spirv_resource_name(binding->resource),
               *name = shader_text(stage, binding->name);
    enum vuid rule =
        rule_vuid(call->command,
                  stage_rule(stage, RULE_07988, VUID_VkShaderCreateInfoEXT_codeType_10383));
    struct subject s = {.call = call};
    /* If a resource variable is declared in a shader, the corresponding descriptor set in layout
     * must match the shader stage */
    if (!found) {
        BROKEN_OF(&s, STAGE_OBJECT(stage), STOPS(rule), stage->where,
                  "uses the %s %s at set %u, binding %u, but the layout has "
                  "no such %s",
                  kind, name, binding->set, binding->binding, set ? "binding" : "set");
        return s.skip;
    }

    char buffer[128];
    if (!(found->stages & stage->stage))
        BROKEN_OF(&s, STAGE_OBJECT(stage), rule, stage->where,
                  "uses the %s %s at set %u, binding %u, but the layout's binding is not "
                  "for %s (stageFlags)",
                  kind, name, binding->set, binding->binding, shader_stage_name(stage->stage));
    /* and the descriptor type is not VK_DESCRIPTOR_TYPE_MUTABLE_EXT, the corresponding descriptor
     * set in layout must match the descriptor type */
    if (!descriptor_is_resource(descriptor_tag_of(found->type), binding->resource)) {
        BROKEN_OF(&s, STAGE_OBJECT(stage),
                  stage_rule(stage, RULE_07990, VUID_VkShaderCreateInfoEXT_codeType_10384),
                  stage->where,
                  "uses %s at set %u, binding %u as a %s, but the layout's binding is "
                  "of type %s",
                  name, binding->set, binding->binding, kind,
                  type_name(found->type, buffer, sizeof(buffer)));
        return s.skip;
    }
    if (unlikely(layout_converts(set, found))) {
        s.objects = STAGE_OBJECT(stage);
        check_stage_conversion(&s, stage, binding);
    }
    if (!binding->arrayed)
        return s.skip;
    /* If a resource variable is declared in a shader as an array of descriptors, then its
     * descriptor type must not be VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK */
    if (found->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
        BROKEN_OF(&s, STAGE_OBJECT(stage),
                  stage_rule(stage, RULE_10391, VUID_VkShaderCreateInfoEXT_codeType_10386),
                  stage->where,
                  "uses %s at set %u, binding %u as an array, but the layout's binding is an "
                  "inline uniform block",
                  name, binding->set, binding->binding);
        return s.skip;
    }
    uint64_t length = binding->count;
    if (!length &&
        (!binding->count_id || !spirv_constant_value(stage->reflection, binding->count_id,
                                                     &stage->specialization, &length)))
        return s.skip;
    /* the corresponding descriptor binding used to create layout must have a descriptorCount that
     * is greater than or equal to the length of the array */
    if (length > found->count)
        BROKEN_OF(&s, STAGE_OBJECT(stage),
                  stage_rule(stage, RULE_07991, VUID_VkShaderCreateInfoEXT_codeType_10385),
                  stage->where,
                  "uses %s at set %u, binding %u as an array of %llu, but the layout's binding "
                  "has %u descriptors",
                  name, binding->set, binding->binding, (unsigned long long)length, found->count);
    return s.skip;
}

bool check_stage_layout(const struct call *call, const struct shader_stage *stage,
                        const struct pipeline_layout *layout)
{
    assert(stage->entry && layout);
    bool skip = check_push_constants(call, stage, layout);
    for (uint32_t i = 0; i < stage->entry->binding_count; i++)
        skip |= check_binding(call, stage, layout,
                              &stage->reflection->bindings[stage->entry->first_binding + i]);
    return skip;
}
