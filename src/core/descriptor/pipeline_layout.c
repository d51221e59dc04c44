/* Checks that a pipeline layout may be made of set layouts and push constant ranges (14.2.2
 * "Pipeline Layouts"). Above all, what they have together must be within the device's limits. */
#include "state/descriptor.h"

#include <inttypes.h>

#include "core/hooks.h"
#include "core/destroy/in_use.h"
#include "report/finding.h"
#include "report/names_of_values.h"
#include "state/sampler.h"

#define STAGE_BITS 32

/* What the set layouts have together: descriptors by type (bindings of inline uniform blocks and
 * acceleration structures). Those of layouts that can be updated after they were bound are apart.
 */
struct totals {
    uint64_t all[2][DESCRIPTOR_TAG_COUNT]; /* [1]: of update-after-bind layouts */
    uint64_t stage[2][STAGE_BITS][DESCRIPTOR_TAG_COUNT];
    VkShaderStageFlags stages; /* that something is accessible to */
    uint64_t inline_uniform_bytes;
    uint64_t subsampled_samplers;
};

static bool counts_bindings(enum descriptor_tag tag)
{
    return tag == DESCRIPTOR_INLINE_UNIFORM_BLOCK || tag == DESCRIPTOR_ACCELERATION_STRUCTURE_KHR ||
           tag == DESCRIPTOR_ACCELERATION_STRUCTURE_NV;
}

static void add_binding(struct totals *totals, const struct descriptor_layout *layout,
                        const struct descriptor_binding *binding)
{
    enum descriptor_tag tag = descriptor_tag_of(binding->type);
    bool after_bind = layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
    if (tag == DESCRIPTOR_TAG_COUNT || !binding->count || !binding->stages)
        return;
    uint64_t count = counts_bindings(tag) ? 1 : binding->count;
    totals->all[after_bind][tag] += count;
    totals->stages |= binding->stages;
    for (VkShaderStageFlags left = binding->stages & VK_SHADER_STAGE_ALL; left; left &= left - 1)
        totals->stage[after_bind][__builtin_ctz(left)][tag] += count;
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

/* One statement: the descriptors of these types, of layouts without (or with) update-after-bind, to
 * each stage or all together, are at most so many. */
struct limit {
    enum rule rule;
    uint32_t tags; /* 1 << enum descriptor_tag */
    bool per_stage, with_after_bind;
    bool applies;
    uint32_t most, other; /* the greater one of them */
    const char *name;
    const char *what;
};

#define TAG(name_) (1u << DESCRIPTOR_##name_)
#define SAMPLERS   (TAG(SAMPLER) | TAG(COMBINED_IMAGE_SAMPLER))
#define SAMPLED    (TAG(COMBINED_IMAGE_SAMPLER) | TAG(SAMPLED_IMAGE) | TAG(UNIFORM_TEXEL_BUFFER))
#define STORED     (TAG(STORAGE_IMAGE) | TAG(STORAGE_TEXEL_BUFFER))
#define UNIFORMS   (TAG(UNIFORM_BUFFER) | TAG(UNIFORM_BUFFER_DYNAMIC))
#define STORAGES   (TAG(STORAGE_BUFFER) | TAG(STORAGE_BUFFER_DYNAMIC))
#define DYNAMIC    (TAG(UNIFORM_BUFFER_DYNAMIC) | TAG(STORAGE_BUFFER_DYNAMIC))
#define TREES      TAG(ACCELERATION_STRUCTURE_KHR)

static uint64_t add_tags(const uint64_t *counts, uint32_t tags)
{
    uint64_t sum = 0;
    for (; tags; tags &= tags - 1)
        sum += counts[__builtin_ctz(tags)];
    return sum;
}

static bool check_limit(struct call *call, const struct totals *totals, const struct limit *limit,
                        const struct location *where)
{
    uint32_t most = limit->most > limit->other ? limit->most : limit->other;
    uint32_t kinds = limit->with_after_bind ? 2 : 1;
    if (!limit->applies)
        return false;
    const char *of = limit->with_after_bind
                         ? ""
                         : " without VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT";
    uint64_t count = 0;
    for (uint32_t k = 0; !limit->per_stage && k < kinds; k++)
        count += add_tags(totals->all[k], limit->tags);
    if (!limit->per_stage)
        return CHECK(call, rule_vuid(call->command, limit->rule), count <= most, where, NULL,
                     "has layouts%s with %" PRIu64 " %s together, but %s is %u", of, count,
                     limit->what, limit->name, most);
    for (VkShaderStageFlags left = totals->stages & VK_SHADER_STAGE_ALL; left; left &= left - 1) {
        uint32_t stage = (uint32_t)__builtin_ctz(left);
        count = 0;
        for (uint32_t k = 0; k < kinds; k++)
            count += add_tags(totals->stage[k][stage], limit->tags);
        if (unlikely(count > most))
            return finding(call, rule_vuid(call->command, limit->rule), where, NULL,
                           "has layouts%s with %" PRIu64 " %s accessible to %s, but %s is %u", of,
                           count, limit->what,
                           value_text(VALUES_VkShaderStageFlagBits, 1u << stage).text, limit->name,
                           most);
    }
    return false;
}

/* Per stage: what is said of layouts without update-after-bind, and of all. `L` is of
 * VkPhysicalDeviceLimits, `I` of descriptor indexing. */
static bool check_stage_limits(struct call *call, const struct totals *totals,
                               const struct location *where)
{
    const VkPhysicalDeviceLimits *L = &call->device->properties.limits;
    const VkPhysicalDeviceDescriptorIndexingProperties *I =
        &call->device->extended.DescriptorIndexingProperties;
    bool indexing = call_has_extension(call, EXTENSION_VK_EXT_descriptor_indexing);
#define STAGE(rule_, after_rule_, tags_, after_tags_, Name_, what_)                      \
    {rule_, tags_,                                                                       \
     true,  false,                                                                       \
     true,  L->maxPerStageDescriptor##Name_,                                             \
     0,     "maxPerStageDescriptor" #Name_,                                              \
     what_},                                                                             \
    {                                                                                    \
        after_rule_, after_tags_, true, true, indexing, L->maxPerStageDescriptor##Name_, \
            I->maxPerStageDescriptorUpdateAfterBind##Name_,                              \
            "maxPerStageDescriptorUpdateAfterBind" #Name_, what_                         \
    }
    const struct limit limits[] = {
        STAGE(RULE_03016, RULE_03022, SAMPLERS, SAMPLERS, Samplers, "samplers"),
        STAGE(RULE_03017, RULE_03023, UNIFORMS, UNIFORMS, UniformBuffers, "uniform buffers"),
        STAGE(RULE_03018, RULE_03024, STORAGES, STORAGES, StorageBuffers, "storage buffers"),
        STAGE(RULE_06939, RULE_03025, SAMPLED | TAG(SAMPLE_WEIGHT_IMAGE) | TAG(BLOCK_MATCH_IMAGE),
              SAMPLED, SampledImages, "sampled images"),
        STAGE(RULE_03020, RULE_03026, STORED, STORED, StorageImages, "storage images"),
        STAGE(RULE_03021, RULE_03027, TAG(INPUT_ATTACHMENT), TAG(INPUT_ATTACHMENT),
              InputAttachments, "input attachments"),
    };
#undef STAGE
    bool skip = false;
    for (uint32_t i = 0; i < ARRAY_LENGTH(limits); i++)
        skip |= check_limit(call, totals, &limits[i], where);
    return skip;
}

static bool check_set_limits(struct call *call, const struct totals *totals,
                             const struct location *where)
{
    const VkPhysicalDeviceLimits *L = &call->device->properties.limits;
    const VkPhysicalDeviceDescriptorIndexingProperties *I =
        &call->device->extended.DescriptorIndexingProperties;
    bool indexing = call_has_extension(call, EXTENSION_VK_EXT_descriptor_indexing),
         total = device_has_feature(call->device, FEATURE_maintenance7);
#define SET(applies_, rule_, after_rule_, tags_, Name_, what_)                                   \
    {                                                                                            \
        rule_,    tags_,                                                                         \
        false,    false,                                                                         \
        applies_, L->maxDescriptorSet##Name_,                                                    \
        0,        "maxDescriptorSet" #Name_,                                                     \
        what_},                                                                                  \
    {                                                                                            \
        after_rule_, tags_, false, true, (applies_) && indexing, L->maxDescriptorSet##Name_,     \
            I->maxDescriptorSetUpdateAfterBind##Name_, "maxDescriptorSetUpdateAfterBind" #Name_, \
            what_                                                                                \
    }
    const struct limit limits[] = {
        SET(true, RULE_03028, RULE_03036, SAMPLERS, Samplers, "samplers"),
        SET(true, RULE_03029, RULE_03037, TAG(UNIFORM_BUFFER), UniformBuffers, "uniform buffers"),
        SET(!total, RULE_03030, RULE_03038, TAG(UNIFORM_BUFFER_DYNAMIC), UniformBuffersDynamic,
            "dynamic uniform buffers"),
        SET(true, RULE_03031, RULE_03039, TAG(STORAGE_BUFFER), StorageBuffers, "storage buffers"),
        SET(!total, RULE_03032, RULE_03040, TAG(STORAGE_BUFFER_DYNAMIC), StorageBuffersDynamic,
            "dynamic storage buffers"),
        SET(true, RULE_03033, RULE_03041, SAMPLED, SampledImages, "sampled images"),
        SET(true, RULE_03034, RULE_03042, STORED, StorageImages, "storage images"),
        SET(true, RULE_03035, RULE_03043, TAG(INPUT_ATTACHMENT), InputAttachments,
            "input attachments"),
    };
#undef SET
    bool skip = false;
    for (uint32_t i = 0; i < ARRAY_LENGTH(limits); i++)
        skip |= check_limit(call, totals, &limits[i], where);
    return skip;
}

/* Limits that extensions brought: dynamic buffers together, inline uniform blocks, acceleration
 * structures, tensors. */
static bool check_extension_limits(struct call *call, const struct totals *totals,
                                   const struct location *where)
{
    const struct device_properties *p = &call->device->extended;
    const VkPhysicalDeviceMaintenance7PropertiesKHR *M = &p->Maintenance7PropertiesKHR;
    const VkPhysicalDeviceInlineUniformBlockProperties *U = &p->InlineUniformBlockProperties;
    const VkPhysicalDeviceAccelerationStructurePropertiesKHR *A =
        &p->AccelerationStructurePropertiesKHR;
    const VkPhysicalDeviceTensorPropertiesARM *T = &p->TensorPropertiesARM;
    bool total = device_has_feature(call->device, FEATURE_maintenance7),
         totals7 = call_has_extension(call, EXTENSION_VK_KHR_maintenance7),
         blocks = call_has_extension(call, EXTENSION_VK_EXT_inline_uniform_block),
         trees = call_has_extension(call, EXTENSION_VK_KHR_acceleration_structure),
         trees_nv = call_has_extension(call, EXTENSION_VK_NV_ray_tracing),
         tensors = call_has_extension(call, EXTENSION_VK_ARM_tensors);
    const uint32_t inline_uniform = TAG(INLINE_UNIFORM_BLOCK);
#define LIMIT(rule_, tags_, per_stage_, after_, applies_, most_, other_, name_, what_) \
    {                                                                                  \
        rule_, tags_, per_stage_, after_, applies_, most_, other_, name_, what_        \
    }
    const struct limit limits[] = {
        LIMIT(RULE_10003, TAG(UNIFORM_BUFFER_DYNAMIC), false, false, total,
              M->maxDescriptorSetTotalUniformBuffersDynamic, 0,
              "maxDescriptorSetTotalUniformBuffersDynamic", "dynamic uniform buffers"),
        LIMIT(RULE_10004, TAG(STORAGE_BUFFER_DYNAMIC), false, false, total,
              M->maxDescriptorSetTotalStorageBuffersDynamic, 0,
              "maxDescriptorSetTotalStorageBuffersDynamic", "dynamic storage buffers"),
        LIMIT(RULE_10005, DYNAMIC, false, false, totals7, M->maxDescriptorSetTotalBuffersDynamic, 0,
              "maxDescriptorSetTotalBuffersDynamic", "dynamic buffers"),
        LIMIT(RULE_10006, DYNAMIC, false, true, totals7, M->maxDescriptorSetTotalBuffersDynamic,
              M->maxDescriptorSetUpdateAfterBindTotalBuffersDynamic,
              "maxDescriptorSetUpdateAfterBindTotalBuffersDynamic", "dynamic buffers"),
        LIMIT(RULE_10007, TAG(UNIFORM_BUFFER_DYNAMIC), false, true, total,
              M->maxDescriptorSetTotalUniformBuffersDynamic,
              M->maxDescriptorSetUpdateAfterBindTotalUniformBuffersDynamic,
              "maxDescriptorSetUpdateAfterBindTotalUniformBuffersDynamic",
              "dynamic uniform buffers"),
        LIMIT(RULE_10008, TAG(STORAGE_BUFFER_DYNAMIC), false, true, total,
              M->maxDescriptorSetTotalStorageBuffersDynamic,
              M->maxDescriptorSetUpdateAfterBindTotalStorageBuffersDynamic,
              "maxDescriptorSetUpdateAfterBindTotalStorageBuffersDynamic",
              "dynamic storage buffers"),
        LIMIT(RULE_02214, inline_uniform, true, false, blocks,
              U->maxPerStageDescriptorInlineUniformBlocks, 0,
              "maxPerStageDescriptorInlineUniformBlocks", "inline uniform blocks"),
        LIMIT(RULE_02215, inline_uniform, true, true, blocks,
              U->maxPerStageDescriptorInlineUniformBlocks,
              U->maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks,
              "maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks", "inline uniform blocks"),
        LIMIT(RULE_02216, inline_uniform, false, false, blocks,
              U->maxDescriptorSetInlineUniformBlocks, 0, "maxDescriptorSetInlineUniformBlocks",
              "inline uniform blocks"),
        LIMIT(RULE_02217, inline_uniform, false, true, blocks,
              U->maxDescriptorSetInlineUniformBlocks,
              U->maxDescriptorSetUpdateAfterBindInlineUniformBlocks,
              "maxDescriptorSetUpdateAfterBindInlineUniformBlocks", "inline uniform blocks"),
        LIMIT(RULE_03571, TREES, true, false, trees, A->maxPerStageDescriptorAccelerationStructures,
              0, "maxPerStageDescriptorAccelerationStructures",
              "bindings of acceleration structures"),
        LIMIT(RULE_03572, TREES, true, true, trees, A->maxPerStageDescriptorAccelerationStructures,
              A->maxPerStageDescriptorUpdateAfterBindAccelerationStructures,
              "maxPerStageDescriptorUpdateAfterBindAccelerationStructures",
              "bindings of acceleration structures"),
        LIMIT(RULE_03573, TREES, false, false, trees, A->maxDescriptorSetAccelerationStructures, 0,
              "maxDescriptorSetAccelerationStructures", "bindings of acceleration structures"),
        LIMIT(RULE_03574, TREES, false, true, trees, A->maxDescriptorSetAccelerationStructures,
              A->maxDescriptorSetUpdateAfterBindAccelerationStructures,
              "maxDescriptorSetUpdateAfterBindAccelerationStructures",
              "bindings of acceleration structures"),
        LIMIT(RULE_02381, TAG(ACCELERATION_STRUCTURE_NV), false, true, trees_nv,
              p->RayTracingPropertiesNV.maxDescriptorSetAccelerationStructures, 0,
              "maxDescriptorSetAccelerationStructures", "bindings of acceleration structures"),
        LIMIT(RULE_09698, TAG(TENSOR), true, false, tensors,
              T->maxPerStageDescriptorSetStorageTensors, 0,
              "maxPerStageDescriptorSetStorageTensors", "tensors"),
        LIMIT(RULE_09879, TAG(TENSOR), true, true, tensors,
              T->maxPerStageDescriptorSetStorageTensors,
              T->maxPerStageDescriptorUpdateAfterBindStorageTensors,
              "maxPerStageDescriptorUpdateAfterBindStorageTensors", "tensors"),
        LIMIT(RULE_09699, TAG(TENSOR), false, false, tensors, T->maxDescriptorSetStorageTensors, 0,
              "maxDescriptorSetStorageTensors", "tensors"),
        LIMIT(RULE_09878, TAG(TENSOR), false, true, tensors, T->maxDescriptorSetStorageTensors,
              T->maxDescriptorSetUpdateAfterBindStorageTensors,
              "maxDescriptorSetUpdateAfterBindStorageTensors", "tensors"),
    };
#undef LIMIT
    bool skip = false;
    for (uint32_t i = 0; i < ARRAY_LENGTH(limits); i++)
        skip |= check_limit(call, totals, &limits[i], where);
    return skip;
}

static bool check_other_totals(struct call *call, const struct totals *totals,
                               const struct location *where)
{
    uint32_t bytes = call->device->extended.Vulkan13Properties.maxInlineUniformTotalSize,
             subsampled = call->device->extended.FragmentDensityMap2PropertiesEXT
                              .maxDescriptorSetSubsampledSamplers;
    bool skip =
        CHECK(call, RULE(call, 06531), !bytes || totals->inline_uniform_bytes <= bytes, where, NULL,
              "has layouts with %" PRIu64
              " bytes of inline uniform blocks together, but maxInlineUniformTotalSize is %u",
              totals->inline_uniform_bytes, bytes);
    if (call_has_extension(call, EXTENSION_VK_EXT_fragment_density_map2))
        skip |=
            CHECK(call, RULE(call, 03566), totals->subsampled_samplers <= subsampled, where, NULL,
                  "has layouts with %" PRIu64 " subsampled immutable samplers together, but "
                  "maxDescriptorSetSubsampledSamplers is %u",
                  totals->subsampled_samplers, subsampled);
    return skip;
}

/* Limits are for descriptors that sets hold: those in descriptor buffers are not counted here. */
static bool check_totals(struct call *call, const VkPipelineLayoutCreateInfo *info, uint32_t count,
                         const struct location *where)
{
    struct totals totals = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct descriptor_layout *layout = find_descriptor_layout(call, info->pSetLayouts[i]);
        if (!layout || layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT)
            continue;
        for (uint32_t b = 0; b < layout->binding_count; b++)
            add_binding(&totals, layout, &layout->bindings[b]);
    }
    const struct location at = LOCATION(where, "pSetLayouts");
    return check_stage_limits(call, &totals, &at) | check_set_limits(call, &totals, &at) |
           check_extension_limits(call, &totals, &at) | check_other_totals(call, &totals, &at);
}

static bool check_set_layouts(struct call *call, const VkPipelineLayoutCreateInfo *info,
                              uint32_t count, const struct location *where)
{
    bool skip = false, with_buffer = false, without_buffer = false;
    uint32_t push = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const struct location at = LOCATION_INDEX(where, "pSetLayouts", i);
        const struct descriptor_layout *layout = find_descriptor_layout(call, info->pSetLayouts[i]);
        if (!info->pSetLayouts[i])
            skip |=
                CHECK(call, RULE(call, 06753),
                      device_has_feature(call->device, FEATURE_graphicsPipelineLibrary), &at, NULL,
                      "is VK_NULL_HANDLE, but the feature graphicsPipelineLibrary is not enabled");
        if (!layout)
            continue;
        const struct finding_objects *objects =
            OBJECT(HANDLE_DESCRIPTOR_SET_LAYOUT, info->pSetLayouts[i]);
        skip |= CHECK(call, RULE(call, 04606),
                      !(layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT),
                      &at, objects,
                      "was created with VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT: "
                      "its sets never go to the device");
        if (layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT) {
            skip |= CHECK(call, RULE(call, 00293), push == UINT32_MAX, &at, objects,
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
    return skip |
           CHECK(call, RULE(call, 08008), !with_buffer || !without_buffer,
                 &LOCATION(where, "pSetLayouts"), NULL,
                 "has set layouts with VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT "
                 "and others without");
}

static bool check_ranges(struct call *call, const VkPipelineLayoutCreateInfo *info,
                         const struct location *where)
{
    uint32_t count = info->pPushConstantRanges ? info->pushConstantRangeCount : 0,
             most = call->device->properties.limits.maxPushConstantsSize;
    VkShaderStageFlags seen = 0;
    bool skip = false;
    for (uint32_t i = 0; i < count; i++) {
        const VkPushConstantRange *range = &info->pPushConstantRanges[i];
        const struct location at = LOCATION_INDEX(where, "pPushConstantRanges", i);
        skip |= CHECK(call, RULE(call, 00294), range->offset < most, &LOCATION(&at, "offset"), NULL,
                      "is %u, not less than maxPushConstantsSize, %u", range->offset, most);
        if (range->offset < most)
            skip |=
                CHECK(call, RULE(call, 00298), range->size <= most - range->offset,
                      &LOCATION(&at, "size"), NULL,
                      "is %u, but from offset %u on there are %u bytes: maxPushConstantsSize is %u",
                      range->size, range->offset, most - range->offset, most);
        skip |= CHECK(call, RULE(call, 00292), !(seen & range->stageFlags),
                      &LOCATION(&at, "stageFlags"), NULL, "has %s, which an earlier range has too",
                      value_text(VALUES_VkShaderStageFlags, seen & range->stageFlags).text);
        seen |= range->stageFlags;
    }
    return skip;
}

bool core_validate_CreatePipelineLayout(struct call *call, VkDevice device,
                                        const VkPipelineLayoutCreateInfo *pCreateInfo,
                                        const VkAllocationCallbacks *pAllocator,
                                        VkPipelineLayout *pPipelineLayout)
{
    const VkPipelineLayoutCreateInfo *info = pCreateInfo;
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo");
    uint32_t most = call->device->properties.limits.maxBoundDescriptorSets,
             count = info->pSetLayouts ? info->setLayoutCount : 0;
    bool skip = CHECK(call, RULE(call, 00286), info->setLayoutCount <= most,
                      &LOCATION(&where, "setLayoutCount"), NULL,
                      "is %u, more than maxBoundDescriptorSets, %u", info->setLayoutCount, most);
    if (info->flags & VK_PIPELINE_LAYOUT_CREATE_NO_TASK_SHADER_BIT_KHR)
        skip |= CHECK(call, RULE(call, 13352),
                      info->flags & VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT,
                      &LOCATION(&where, "flags"), NULL,
                      "has VK_PIPELINE_LAYOUT_CREATE_NO_TASK_SHADER_BIT_KHR, but not "
                      "VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT");
    skip |= check_set_layouts(call, info, count, &where);
    if (count)
        skip |= check_totals(call, info, count, &where);
    return skip | check_ranges(call, info, &where);
}
