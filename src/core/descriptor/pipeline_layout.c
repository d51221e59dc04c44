/* Checks that a pipeline layout may be created from set layouts and push constant ranges (14.2.2
 * "Pipeline Layouts"). The largest part compares the descriptors of all set layouts together with
 * the device's limits. */
#include "report/finding/rule.h"
#include "state/descriptor/descriptor.h"

#include <inttypes.h>
#include <string.h>

#include "core/hooks.h"
#include "core/destroy/in_use.h"
#include "core/layout_limits.h" /* generated */
#include "report/finding/finding.h"
#include "report/names/names_of_values.h"
#include "state/descriptor/sampler.h"

/* The numbers of descriptors of all set layouts together, by type. For inline uniform blocks and
 * acceleration structures the numbers are of bindings. Update-after-bind layouts are counted
 * separately. */
struct totals {
    uint64_t all[2][DESCRIPTOR_TAG_COUNT]; /* [0]: other layouts; [1]: update-after-bind layouts */
    uint64_t sum;                          /* of all counts; no other count is larger */
    uint32_t tags;                         /* bits of the descriptor types whose count is not 0 */
    VkShaderStageFlags stages;             /* union of the stages of all bindings */
    uint64_t inline_uniform_bytes;         /* bytes of all inline uniform blocks */
    /* immutable samplers with VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT, one for each descriptor */
    uint64_t subsampled_samplers;
};

/* True for types whose limits count bindings instead of descriptors. */
static bool counts_bindings(enum descriptor_tag tag)
{
    return tag == DESCRIPTOR_INLINE_UNIFORM_BLOCK || tag == DESCRIPTOR_ACCELERATION_STRUCTURE_KHR ||
           tag == DESCRIPTOR_ACCELERATION_STRUCTURE_NV;
}

/* The number that a binding adds to the count of its type. */
static uint64_t count_of(const struct descriptor_binding *binding, enum descriptor_tag tag)
{
    return counts_bindings(tag) ? 1 : binding->count;
}

static bool is_after_bind(const struct descriptor_layout *layout)
{
    return layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
}

/* Adds the descriptors of a binding to the totals. A binding without stages is not counted. */
static void add_binding(struct totals *totals, const struct descriptor_layout *layout,
                        const struct descriptor_binding *binding)
{
    assert(binding >= layout->bindings && binding < layout->bindings + layout->binding_count);
    enum descriptor_tag tag = descriptor_tag_of(binding->type);
    if (tag == DESCRIPTOR_TAG_COUNT || !binding->count || !binding->stages)
        return;
    totals->all[is_after_bind(layout)][tag] += count_of(binding, tag);
    totals->sum += count_of(binding, tag);
    totals->tags |= 1u << tag;
    totals->stages |= binding->stages;
    if (tag == DESCRIPTOR_INLINE_UNIFORM_BLOCK)
        totals->inline_uniform_bytes += binding->count;
    for (uint32_t i = 0; binding->immutable_samplers && i < binding->count; i++) {
        const struct sampler *sampler = sampler_by_id(layout->samplers[binding->first_sampler + i]);
        totals->subsampled_samplers +=
            sampler &&
            sampler->info.flags & (VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT |
                                   VK_SAMPLER_CREATE_SUBSAMPLED_COARSE_RECONSTRUCTION_BIT_EXT);
    }
}

/* The sum of the counts of these types. `tags` has a bit for each type. */
static uint64_t add_tags(const uint64_t *counts, uint32_t tags)
{
    assert(!(tags >> DESCRIPTOR_TAG_COUNT));
    uint64_t sum = 0;
    for (; tags; tags &= tags - 1)
        sum += counts[__builtin_ctz(tags)];
    return sum;
}

/* True if the device has the limit, and its features and extensions make it apply. */
static bool limit_applies(const struct call *call, const struct layout_limit *limit)
{
    return (limit->extension == EXTENSION_COUNT ||
            call_has_extension(call, (enum extension)limit->extension)) &&
           (limit->feature == FEATURE_COUNT ||
            device_has_feature(call->device, (enum feature)limit->feature) != limit->feature_off);
}

/* The value of one of the limit's two properties. */
static ALWAYS_INLINE uint32_t limit_property(const struct device *device,
                                             const struct layout_limit *limit, uint32_t which)
{
    uint32_t value;
    memcpy(&value, (const char *)device + limit->most[which], sizeof(value));
    return value;
}

/* The value of a limit. It is the larger one of two properties, of which a device has one or
 * both. */
static uint32_t limit_most(const struct device *device, const struct layout_limit *limit)
{
    const uint32_t first = limit_property(device, limit, 0),
                   second = limit_property(device, limit, 1);
    return first > second ? first : second;
}

/* The part of a message that says that the limit leaves out update-after-bind layouts. */
static const char *totals_without(const struct layout_limit *limit)
{
    return limit->after_bind
               ? ""
               : " without VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT";
}

/* The layout, if its descriptors count for the limits. NULL for layouts of descriptor buffers, and
 * unknown ones. */
static const struct descriptor_layout *counted_layout(struct call *call,
                                                      VkDescriptorSetLayout handle)
{
    const struct descriptor_layout *layout = find_descriptor_layout(call, handle);
    return layout && !(layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT)
               ? layout
               : NULL;
}

/* The number of descriptors of the limit's types that are accessible to the stage. */
static uint64_t count_in_stage(struct call *call, const VkPipelineLayoutCreateInfo *info,
                               const struct layout_limit *limit, VkShaderStageFlags stage)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < info->setLayoutCount; i++) {
        const struct descriptor_layout *layout = counted_layout(call, info->pSetLayouts[i]);
        if (!layout || (is_after_bind(layout) && !limit->after_bind))
            continue;
        for (uint32_t b = 0; b < layout->binding_count; b++) {
            const struct descriptor_binding *binding = &layout->bindings[b];
            const enum descriptor_tag tag = descriptor_tag_of(binding->type);
            if (tag != DESCRIPTOR_TAG_COUNT && limit->tags >> tag & 1 && binding->stages & stage)
                count += binding->count ? count_of(binding, tag) : 0;
        }
    }
    return count;
}

/* Checks that the resources of each stage together are within the limit for one stage. */
static COLD bool pipeline_layout_check_stages(struct call *call,
                                              const VkPipelineLayoutCreateInfo *info,
                                              const struct totals *totals,
                                              const struct layout_limit *limit,
                                              const struct location *where)
{
    const uint32_t most = limit_most(call->device, limit);
    for (VkShaderStageFlags left = totals->stages & VK_SHADER_STAGE_ALL; left; left &= left - 1) {
        const VkShaderStageFlags stage = left & -left;
        const uint64_t count = count_in_stage(call, info, limit, stage);
        if (count > most)
            return BROKEN_BY(call, (enum vuid)limit->vuid, where, NULL,
                             "has layouts%s with %" PRIu64 " %s accessible to %s, but %s is %u",
                             totals_without(limit), count, layout_limit_names + limit->what,
                             value_text(VALUES_VkShaderStageFlagBits, stage).text,
                             layout_limit_names + limit->name, most);
    }
    return false;
}

/* Compares the totals with one limit that counts some of their types, for all stages together or
 * for each stage. True: the call is to be skipped. */
static COLD bool totals_check_limit(struct call *call, const VkPipelineLayoutCreateInfo *info,
                                    const struct totals *totals, const struct layout_limit *limit,
                                    const struct location *where)
{
    const uint32_t most = limit_most(call->device, limit);
    uint64_t count = add_tags(totals->all[0], limit->tags & totals->tags);
    if (limit->after_bind)
        count += add_tags(totals->all[1], limit->tags & totals->tags);
    if (likely(count <= most) || !limit_applies(call, limit))
        return false;
    if (limit->per_stage)
        return pipeline_layout_check_stages(call, info, totals, limit, where);
    return BROKEN_BY(call, (enum vuid)limit->vuid, where, NULL,
                     "has layouts%s with %" PRIu64 " %s together, but %s is %u",
                     totals_without(limit), count, layout_limit_names + limit->what,
                     layout_limit_names + limit->name, most);
}

/* Checks the totals that are not numbers of descriptors. True: the call is to be skipped. */
static bool check_other_totals(struct call *call, const struct totals *totals,
                               const struct location *where)
{
    uint32_t bytes = call->device->extended.Vulkan13Properties.maxInlineUniformTotalSize,
             subsampled = call->device->extended.FragmentDensityMap2PropertiesEXT
                              .maxDescriptorSetSubsampledSamplers;
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_06531, !bytes || totals->inline_uniform_bytes <= bytes, where,
            "has layouts with %" PRIu64
            " bytes of inline uniform blocks together, but maxInlineUniformTotalSize is %u",
            totals->inline_uniform_bytes, bytes);
    if (call_has_extension(call, EXTENSION_VK_EXT_fragment_density_map2))
        REQUIRE(&s, RULE_03566, totals->subsampled_samplers <= subsampled, where,
                "has layouts with %" PRIu64 " subsampled immutable samplers together, but "
                "maxDescriptorSetSubsampledSamplers is %u",
                totals->subsampled_samplers, subsampled);
    return s.skip;
}

/* Adds up the descriptors of `count` set layouts, and compares them with the limits of the
 * device. */
static bool check_totals(struct call *call, const VkPipelineLayoutCreateInfo *info, uint32_t count,
                         const struct location *where)
{
    assert(info->pSetLayouts || !count);
    struct totals totals = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct descriptor_layout *layout = counted_layout(call, info->pSetLayouts[i]);
        for (uint32_t b = 0; layout && b < layout->binding_count; b++)
            add_binding(&totals, layout, &layout->bindings[b]);
    }
    const struct location at = LOCATION(where, "pSetLayouts");
    bool skip = check_other_totals(call, &totals, &at);
    uint64_t limits = 0;
    for (uint32_t tags = totals.tags; tags; tags &= tags - 1)
        limits |= layout_limits_of_tag[__builtin_ctz(tags)];
    for (; limits; limits &= limits - 1) {
        const struct layout_limit *limit = &layout_limits[__builtin_ctzll(limits)];
        if (unlikely(totals.sum > limit_property(call->device, limit, 0)))
            skip |= totals_check_limit(call, info, &totals, limit, &at);
    }
    return skip;
}

/* Checks `count` set layouts of a pipeline layout; VK_NULL_HANDLE requires a feature. True: the
 * call is to be skipped. */
static bool check_set_layouts(struct call *call, const VkPipelineLayoutCreateInfo *info,
                              uint32_t count, const struct location *where)
{
    assert(info->pSetLayouts || !count);
    struct subject s = {.call = call, .where = where};
    bool with_buffer = false, without_buffer = false;
    /* index of the last set for push descriptors so far; UINT32_MAX: none so far */
    uint32_t push = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const struct location at = LOCATION_INDEX(where, "pSetLayouts", i);
        const struct descriptor_layout *layout = find_descriptor_layout(call, info->pSetLayouts[i]);
        if (!info->pSetLayouts[i])
            REQUIRE(&s, RULE_06753,
                    device_has_feature(call->device, FEATURE_graphicsPipelineLibrary), &at,
                    "is VK_NULL_HANDLE, but the feature graphicsPipelineLibrary is not enabled");
        if (!layout)
            continue;
        const struct finding_objects *objects =
            OBJECT(HANDLE_DESCRIPTOR_SET_LAYOUT, info->pSetLayouts[i]);
        if (layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT) {
            REQUIRE_OF(&s, objects, RULE_00293, push == UINT32_MAX, &at,
                       "is for push descriptors, as pSetLayouts[%u] is: a pipeline layout has "
                       "one such set at most",
                       push);
            push = i;
        }
        if (layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT)
            with_buffer = true;
        else
            without_buffer = true;
    }
    REQUIRE(&s, RULE_08008, !with_buffer || !without_buffer, "pSetLayouts",
            "has set layouts with VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT "
            "and others without");
    return s.skip;
}

/* Checks the push constant ranges of a pipeline layout. True: the call is to be skipped. */
static bool check_ranges(struct call *call, const VkPipelineLayoutCreateInfo *info,
                         const struct location *where)
{
    uint32_t count = info->pPushConstantRanges ? info->pushConstantRangeCount : 0,
             most = call->device->properties.limits.maxPushConstantsSize;
    VkShaderStageFlags seen = 0;
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < count; i++) {
        const VkPushConstantRange *range = &info->pPushConstantRanges[i];
        const struct location at = LOCATION_INDEX(where, "pPushConstantRanges", i);
        if (range->offset < most) /* otherwise 00294 reports the range */
            REQUIRE(&s, RULE_00298, range->size <= most - range->offset, &LOCATION(&at, "size"),
                    "is %u, but from offset %u on there are %u bytes: maxPushConstantsSize is %u",
                    range->size, range->offset, most - range->offset, most);
        REQUIRE(&s, RULE_00292, !(seen & range->stageFlags), &LOCATION(&at, "stageFlags"),
                "has %s, which an earlier range has too",
                value_text(VALUES_VkShaderStageFlags, seen & range->stageFlags).text);
        seen |= range->stageFlags;
    }
    return s.skip;
}

bool core_validate_CreatePipelineLayout(struct call *call, VkDevice device,
                                        const VkPipelineLayoutCreateInfo *pCreateInfo,
                                        const VkAllocationCallbacks *pAllocator,
                                        VkPipelineLayout *pPipelineLayout)
{
    const VkPipelineLayoutCreateInfo *info = pCreateInfo;
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo");
    uint32_t count = info->pSetLayouts ? info->setLayoutCount : 0;
    struct subject s = {.call = call, .where = &where};
    s.skip |= check_set_layouts(call, info, count, &where);
    if (count)
        s.skip |= check_totals(call, info, count, &where);
    return s.skip | check_ranges(call, info, &where);
}
