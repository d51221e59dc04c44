/* Checks that sets may be bound, and push constants set (14.2.7 "Descriptor Set Binding", 14.2.9
 * "Push Constant Updates"). Hot. */
#include "core/descriptor/bind.h"

#include <inttypes.h>

#include "core/hooks.h"
#include "core/descriptor/push_ranges.h"
#include "report/finding/finding.h"
#include "report/names/names_of_values.h"
#include "state/memory/buffer.h"
#include "state/descriptor/descriptor_access.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

/* --- what all have in common --- */

bool descriptor_check_bind_point(struct call *call, VkPipelineBindPoint point, enum rule rule)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    VkQueueFlags needed =
        point == VK_PIPELINE_BIND_POINT_GRAPHICS ? VK_QUEUE_GRAPHICS_BIT
        : point == VK_PIPELINE_BIND_POINT_COMPUTE || point == VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR
            ? VK_QUEUE_COMPUTE_BIT
            : 0;
    if (likely(!needed || !command_buffer || !command_buffer->queue_flags ||
               command_buffer->queue_flags & needed))
        return false;
    return BROKEN_BY(call, rule, &LOCATION(NULL, "pipelineBindPoint"), NULL,
                     "is %s, but the command buffer's queue family %u supports %s",
                     value_text(VALUES_VkPipelineBindPoint, (uint64_t)point).text,
                     command_buffer->queue_family,
                     value_text(VALUES_VkQueueFlags, command_buffer->queue_flags).text);
}

bool descriptor_check_stages(struct call *call, VkShaderStageFlags stages, enum rule rule,
                             const struct location *where)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const VkShaderStageFlags graphics = (VkShaderStageFlags)VK_SHADER_STAGE_ALL_GRAPHICS |
                                        VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
    if (likely(!command_buffer || !command_buffer->queue_flags || stages == VK_SHADER_STAGE_ALL))
        return false;
    VkShaderStageFlags missing =
        (command_buffer->queue_flags & VK_QUEUE_GRAPHICS_BIT ? 0 : stages & graphics) |
        (command_buffer->queue_flags & VK_QUEUE_COMPUTE_BIT ? 0
                                                            : stages & VK_SHADER_STAGE_COMPUTE_BIT);
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, rule, !missing, "stageFlags",
            "has %s, but the command buffer's queue family %u supports %s",
            value_text(VALUES_VkShaderStageFlags, missing).text, command_buffer->queue_family,
            value_text(VALUES_VkQueueFlags, command_buffer->queue_flags).text);
    return s.skip;
}

/* --- dynamic offsets --- */

/* Reports a dynamic offset that is not aligned. `uniform`: the limit for uniform buffers counts,
 * otherwise that for storage buffers. */
static COLD bool report_alignment(struct call *call, bool uniform, uint32_t offset,
                                  VkDeviceSize alignment, const struct location *where)
{
    assert(alignment && offset % alignment);
    return BROKEN_BY(call, uniform ? RULE_01971 : RULE_01972, where, NULL,
                     "is %u, which is not a multiple of %s, %" PRIu64, offset,
                     uniform ? "minUniformBufferOffsetAlignment"
                             : "minStorageBufferOffsetAlignment",
                     alignment);
}

/* The descriptor of an element of a binding; without a tag where the set is shorter. */
static ALWAYS_INLINE struct descriptor
descriptor_of_element(const struct descriptor_set *set, const struct descriptor_binding *binding,
                      uint32_t element)
{
    assert(element < binding->count);
    const uint64_t index = (uint64_t)binding->first + element;
    return index < set->descriptor_count ? descriptor_load(&set->descriptors[index])
                                         : (struct descriptor){0};
}

/* Checks once more whether the descriptor's range stays in the buffer with this offset, and reports
 * it. */
static COLD bool report_dynamic_range(struct call *call, const struct descriptor_set *set,
                                      VkDescriptorSet handle,
                                      const struct descriptor_binding *binding, uint32_t element,
                                      uint32_t offset, const struct location *where)
{
    const struct descriptor d = descriptor_of_element(set, binding, element);
    const VkDeviceSize range = descriptor_buffer_range(d);
    const struct buffer *buffer = buffer_by_id(descriptor_buffer_id(d));
    VkDeviceSize base;
    if (!descriptor_is_buffer((enum descriptor_tag)d.tag) || !buffer ||
        !descriptor_buffer_offset(d, &base))
        return false;
    const struct finding_objects *objects =
        OBJECT2(HANDLE_DESCRIPTOR_SET, handle, HANDLE_BUFFER, object_state_handle(&buffer->base));
    struct subject s = {.call = call, .objects = objects};
    if (range == VK_WHOLE_SIZE) {
        REQUIRE(&s, RULE_06715, buffer->size > UINT32_MAX, where,
                "is %u, but the descriptor (binding %u, element %u) was written with the "
                "range VK_WHOLE_SIZE, which takes 0",
                offset, binding->binding, element);
        return s.skip;
    }
    REQUIRE(&s, RULE_01979, base + offset + range <= buffer->size, where,
            "is %u: with the offset %" PRIu64 " and the range %" PRIu64
            " of the descriptor (binding %u, element %u) it goes beyond the buffer's %" PRIu64
            " bytes",
            offset, base, range, binding->binding, element, buffer->size);
    return s.skip;
}

/* True if a dynamic offset, together with the descriptor's own offset and range, stays in the
 * buffer, or that is not known. */
static ALWAYS_INLINE bool dynamic_range_fits(const struct descriptor_set *set,
                                             const struct descriptor_binding *binding,
                                             uint32_t element, uint32_t offset)
{
    /* With an offset of 0 the range is unchanged since the descriptor's write, which was
     * checked. */
    if (!offset)
        return true;
    const struct descriptor d = descriptor_of_element(set, binding, element);
    VkDeviceSize base;
    if (unlikely(!descriptor_is_buffer((enum descriptor_tag)d.tag)) ||
        !descriptor_buffer_offset(d, &base))
        return true;
    const VkDeviceSize range = descriptor_buffer_range(d);
    const struct buffer *buffer = buffer_by_id(descriptor_buffer_id(d));
    /* For a buffer of more than 4 GiB, a 32-bit offset cannot tell how far a range of
     * VK_WHOLE_SIZE would exceed it. */
    return !buffer || (range == VK_WHOLE_SIZE ? buffer->size > UINT32_MAX
                                              : base + offset + range <= buffer->size);
}

/* Checks the dynamic offsets of one set.
 * `offsets`: `count` offsets, of which the first is the set's first one.
 * `first`: the index of that one in pDynamicOffsets. */
static bool check_dynamic_offsets(struct call *call, const struct descriptor_set *set,
                                  VkDescriptorSet handle, const uint32_t *offsets, uint32_t first,
                                  uint32_t count, const struct location *where)
{
    assert(offsets && count);
    const VkPhysicalDeviceLimits *limits = &call->device->properties.limits;
    bool skip = false;
    for (uint32_t b = 0; b < set->layout->binding_count; b++) {
        const struct descriptor_binding *binding = &set->layout->bindings[b];
        bool uniform = binding->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
        if (!uniform && binding->type != VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC)
            continue;
        VkDeviceSize alignment = uniform ? limits->minUniformBufferOffsetAlignment
                                         : limits->minStorageBufferOffsetAlignment;
        for (uint32_t i = 0; i < binding->count; i++) {
            uint64_t at = (uint64_t)binding->first_dynamic + i;
            if (at >= count)
                return skip;
            uint32_t offset = offsets[at];
            const bool aligned = !alignment || offset % alignment == 0;
            if (likely(aligned && dynamic_range_fits(set, binding, i, offset)))
                continue;
            const struct location place =
                LOCATION_INDEX(where, "pDynamicOffsets", first + (uint32_t)at);
            if (!aligned)
                skip |= report_alignment(call, uniform, offset, alignment, &place);
            skip |= report_dynamic_range(call, set, handle, binding, i, offset, &place);
        }
    }
    return skip;
}

/* --- sets --- */

/* Reports each reason why a set cannot be bound as set `number` of the layout. */
static COLD bool bind_sets_report_set(struct call *call, const struct pipeline_layout *layout,
                                      VkPipelineLayout layout_handle,
                                      const struct descriptor_set *set, VkDescriptorSet handle,
                                      uint32_t number, const struct location *where)
{
    assert(layout && set->layout);
    const struct finding_objects *objects =
        OBJECT2(HANDLE_DESCRIPTOR_SET, handle, HANDLE_PIPELINE_LAYOUT, layout_handle);
    const struct descriptor_layout *wanted =
        number < layout->set_count ? layout->sets[number] : NULL;
    struct subject s = {.call = call, .objects = objects};
    REQUIRE(&s, RULE_00358, !wanted || wanted->compatibility == set->layout->compatibility, where,
            "has another set layout than set %u of layout: they are not identically defined",
            number);
    REQUIRE(&s, RULE_04616, !(set->pool_flags & VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT), where,
            "is of a pool with VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT: it never goes to "
            "the device");
    REQUIRE(&s, RULE_08010,
            !(set->layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT),
            where, "has a layout with VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT");
    return s.skip;
}

/* Reports sets beyond the last set of the layout. They must not reach the driver. */
static COLD bool report_counts(struct call *call, const struct pipeline_layout *layout,
                               const VkBindDescriptorSetsInfo *info, const struct location *where)
{
    assert((uint64_t)info->firstSet + info->descriptorSetCount > layout->set_count);
    /* drivers would write outside of their array of sets */
    return call_stop(call, BROKEN_BY(call, RULE_00360, &LOCATION(where, "descriptorSetCount"),
                                     OBJECT(HANDLE_PIPELINE_LAYOUT, info->layout),
                                     "is %u, which with firstSet %u goes beyond the %u sets of "
                                     "layout (setLayoutCount)",
                                     info->descriptorSetCount, info->firstSet, layout->set_count));
}

/* Checks the sets that are bound. After an unknown set, dynamic offsets are not checked. */
static ALWAYS_INLINE bool check_sets(struct call *call, const struct pipeline_layout *layout,
                                     const VkBindDescriptorSetsInfo *info,
                                     const struct location *where)
{
    if (unlikely(!layout || !info->pDescriptorSets))
        return false;
    struct subject s = {.call = call, .where = where};
    /* Dynamic offsets are counted over all sets, so after an unknown set it is not known which
     * offset belongs to which set. */
    bool known = true;
    if (unlikely((uint64_t)info->firstSet + info->descriptorSetCount > layout->set_count))
        s.skip |= report_counts(call, layout, info, where);
    /* 64 bits, so that the sum does not overflow for any layouts. */
    uint64_t dynamic = 0;
    for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
        const struct location at = LOCATION_INDEX(where, "pDescriptorSets", i);
        const struct descriptor_set *set = find_descriptor_set(call, info->pDescriptorSets[i]);
        uint32_t number = info->firstSet + i;
        if (unlikely(!set)) {
            if (!info->pDescriptorSets[i])
                REQUIRE(&s, RULE_06563,
                        device_has_feature(call->device, FEATURE_graphicsPipelineLibrary), &at,
                        "is VK_NULL_HANDLE, but the feature graphicsPipelineLibrary "
                        "is not enabled");
            else
                known = false;
            continue;
        }
        const struct descriptor_layout *wanted =
            number < layout->set_count ? layout->sets[number] : NULL;
        if (unlikely((wanted && wanted->compatibility != set->layout->compatibility) ||
                     set->pool_flags & VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT ||
                     set->layout->flags &
                         VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT))
            s.skip |= bind_sets_report_set(call, layout, info->layout, set,
                                           info->pDescriptorSets[i], number, &at);
        if (known && set->layout->dynamic_count && info->pDynamicOffsets &&
            dynamic < info->dynamicOffsetCount)
            s.skip |= check_dynamic_offsets(call, set, info->pDescriptorSets[i],
                                            info->pDynamicOffsets + dynamic, (uint32_t)dynamic,
                                            info->dynamicOffsetCount - (uint32_t)dynamic, where);
        dynamic += set->layout->dynamic_count;
    }
    REQUIRE(&s, RULE_00359, !known || dynamic == info->dynamicOffsetCount, "dynamicOffsetCount",
            "is %u, but the sets have %" PRIu64 " dynamic descriptors together",
            info->dynamicOffsetCount, dynamic);
    return s.skip;
}

bool core_validate_CmdBindDescriptorSets(struct call *call, VkCommandBuffer commandBuffer,
                                         VkPipelineBindPoint pipelineBindPoint,
                                         VkPipelineLayout layout, uint32_t firstSet,
                                         uint32_t descriptorSetCount,
                                         const VkDescriptorSet *pDescriptorSets,
                                         uint32_t dynamicOffsetCount,
                                         const uint32_t *pDynamicOffsets)
{
    const VkBindDescriptorSetsInfo info = {.layout = layout,
                                           .firstSet = firstSet,
                                           .descriptorSetCount = descriptorSetCount,
                                           .pDescriptorSets = pDescriptorSets,
                                           .dynamicOffsetCount = dynamicOffsetCount,
                                           .pDynamicOffsets = pDynamicOffsets};
    return descriptor_check_bind_point(call, pipelineBindPoint, RULE_00361) |
           check_sets(call, named_pipeline_layout(call, 0, layout), &info, NULL);
}

bool core_validate_CmdBindDescriptorSets2(struct call *call, VkCommandBuffer commandBuffer,
                                          const VkBindDescriptorSetsInfo *pBindDescriptorSetsInfo)
{
    const VkBindDescriptorSetsInfo *info = pBindDescriptorSetsInfo;
    const struct location where = LOCATION_POINTER(NULL, "pBindDescriptorSetsInfo");
    return descriptor_check_stages(call, info->stageFlags, RULE_09467, &where) |
           check_sets(call, find_pipeline_layout(call, info->layout), info, &where);
}

/* --- push constants --- */

/* Reports the ranges of the layout that do not match the pushed bytes and stages. */
static COLD bool report_push_constants(struct call *call, const struct pipeline_layout *layout,
                                       const VkPushConstantsInfo *info,
                                       const struct location *where)
{
    assert(layout && info);
    const struct finding_objects *objects = OBJECT(HANDLE_PIPELINE_LAYOUT, info->layout);
    const struct location at = LOCATION(where, "stageFlags");
    if (!info->stageFlags) /* a mistake that is already reported */
        return false;
    uint64_t end = (uint64_t)info->offset + info->size;
    VkShaderStageFlags covered = 0;
    struct subject s = {.call = call, .objects = objects};
    for (uint32_t i = 0; i < layout->push_constant_count; i++) {
        const VkPushConstantRange *range = &layout->push_constants[i];
        uint64_t range_end = (uint64_t)range->offset + range->size;
        if (range->offset <= info->offset && end <= range_end)
            covered |= range->stageFlags;
        /* for each push constant range that overlaps a byte, stageFlags must include all stages of
         * that range */
        if (info->offset < range_end && range->offset < end)
            REQUIRE(&s, RULE_01796, !(range->stageFlags & ~info->stageFlags), &at,
                    "is %s, but bytes %u to %" PRIu64
                    " overlap a range of layout (offset %u, size %u) that is for %s; %s",
                    value_text(VALUES_VkShaderStageFlags, info->stageFlags).text, info->offset,
                    end - 1, range->offset, range->size,
                    value_text(VALUES_VkShaderStageFlags, range->stageFlags).text,
                    PUSH_RANGES(layout));
    }
    /* for each byte and each stage in stageFlags there must be a range that includes both */
    REQUIRE(&s, RULE_01795, !(info->stageFlags & ~covered), &at,
            "has %s, but layout has no push constant range for it with all of bytes %u "
            "to %" PRIu64 ": %s",
            value_text(VALUES_VkShaderStageFlags, info->stageFlags & ~covered).text, info->offset,
            end - 1, PUSH_RANGES(layout));
    return s.skip;
}

/* Reports an offset or size, in bytes, that exceeds the limit or is not a multiple of 4. */
static COLD bool report_push_constant_sizes(struct call *call, const VkPushConstantsInfo *info,
                                            const struct location *where)
{
    uint32_t most = call->device->properties.limits.maxPushConstantsSize;
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, RULE_00368, info->offset % 4 == 0, "offset", "is %u, which is not a multiple of 4",
            info->offset);
    REQUIRE(&s, RULE_00369, info->size % 4 == 0, "size", "is %u, which is not a multiple of 4",
            info->size);
    if (info->offset >= most) {
        BROKEN(&s, RULE_00370, "offset", "is %u, not less than maxPushConstantsSize, %u",
               info->offset, most);
        return s.skip;
    }
    REQUIRE(&s, RULE_00371, info->size <= most - info->offset, "size",
            "is %u, but from offset %u on there are %u bytes: maxPushConstantsSize is %u",
            info->size, info->offset, most - info->offset, most);
    return s.skip;
}

/* Checks that the ranges of the layout contain the pushed bytes and stages. Hot: the reports are in
 * cold functions. */
static ALWAYS_INLINE bool check_push_constants(struct call *call,
                                               const struct pipeline_layout *layout,
                                               const VkPushConstantsInfo *info,
                                               const struct location *where)
{
    uint32_t most = call->device->properties.limits.maxPushConstantsSize;
    bool skip = false;
    bool beyond = info->offset >= most || info->size > most - info->offset;
    if (unlikely((info->offset | info->size) & 3 || beyond))
        skip |= report_push_constant_sizes(call, info, where);
    if (unlikely(!layout || beyond)) /* no layout can have such a range */
        return skip;
    /* Usually a single range covers all, or the pushed bytes are exactly a range. Other ranges then
     * do not overlap them. */
    VkShaderStageFlags covered = 0;
    bool other = false;
    for (uint32_t i = 0; i < layout->push_constant_count; i++) {
        const VkPushConstantRange *range = &layout->push_constants[i];
        uint64_t end = (uint64_t)info->offset + info->size,
                 range_end = (uint64_t)range->offset + range->size;
        if (range->offset <= info->offset && end <= range_end)
            covered |= range->stageFlags;
        if (info->offset < range_end && range->offset < end)
            other |= (range->stageFlags & ~info->stageFlags) != 0;
    }
    if (unlikely(other || info->stageFlags & ~covered))
        skip |= report_push_constants(call, layout, info, where);
    return skip;
}

bool core_validate_CmdPushConstants(struct call *call, VkCommandBuffer commandBuffer,
                                    VkPipelineLayout layout, VkShaderStageFlags stageFlags,
                                    uint32_t offset, uint32_t size, const void *pValues)
{
    const VkPushConstantsInfo info = {
        .layout = layout, .stageFlags = stageFlags, .offset = offset, .size = size};
    return check_push_constants(call, named_pipeline_layout(call, 0, layout), &info, NULL);
}

/* Checks the bank that the chain of a push names (VK_NV_push_constant_bank). `graphics` and
 * `compute` say whether graphics and compute shaders read the bank. `limits` and `vuids` have one
 * element for graphics, then one for compute. */
static void bind_check_bank(struct subject *s, const void *chain, bool graphics, bool compute,
                            const uint32_t limits[2], const enum vuid vuids[2])
{
    const VkPushConstantBankInfoNV *bank = CHAINED(chain, PUSH_CONSTANT_BANK_INFO_NV);
    if (likely(!bank))
        return;
    const struct location where = LOCATION_CHAINED(s->where, "VkPushConstantBankInfoNV"),
                          at = LOCATION(&where, "bank");
    static const char text[] = "is %u, but %s shaders have %u banks";
    REQUIRE_NEXT(s, vuids[0], !graphics || !limits[0] || bank->bank < limits[0], &at, text,
                 bank->bank, "graphics", limits[0]);
    REQUIRE_NEXT(s, vuids[1], !compute || !limits[1] || bank->bank < limits[1], &at, text,
                 bank->bank, "compute", limits[1]);
}

bool core_validate_CmdPushConstants2_bank(struct call *call, VkCommandBuffer commandBuffer,
                                          const VkPushConstantsInfo *pPushConstantsInfo)
{
    const VkPhysicalDevicePushConstantBankPropertiesNV *limits =
        &call->device->extended.PushConstantBankPropertiesNV;
    const VkShaderStageFlags stages = pPushConstantsInfo->stageFlags;
    const struct location where = LOCATION_POINTER(NULL, "pPushConstantsInfo");
    struct subject s = {.call = call, .where = &where};
    bind_check_bank(&s, pPushConstantsInfo->pNext,
                    stages & (VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_TASK_BIT_EXT |
                              VK_SHADER_STAGE_MESH_BIT_EXT),
                    stages & VK_SHADER_STAGE_COMPUTE_BIT,
                    (const uint32_t[]){limits->maxGraphicsPushConstantBanks,
                                       limits->maxComputePushConstantBanks},
                    (const enum vuid[]){VUID_VkPushConstantBankInfoNV_bank_12344,
                                        VUID_VkPushConstantBankInfoNV_bank_12345});
    return s.skip;
}

/* Whether data is pushed for graphics or compute operations is certain where the queue family
 * supports one of them alone. */
bool core_validate_CmdPushDataEXT_bank(struct call *call, VkCommandBuffer commandBuffer,
                                       const VkPushDataInfoEXT *pPushDataInfo)
{
    const VkPhysicalDevicePushConstantBankPropertiesNV *limits =
        &call->device->extended.PushConstantBankPropertiesNV;
    const struct command_buffer *state = call_command_buffer(call);
    const VkQueueFlags queue = state ? state->queue_flags : 0;
    const bool graphics = (queue & VK_QUEUE_GRAPHICS_BIT) != 0,
               compute = (queue & VK_QUEUE_COMPUTE_BIT) != 0;
    /* For both: a bank that neither has. */
    const uint32_t most = limits->maxGraphicsPushDataBanks > limits->maxComputePushDataBanks
                              ? limits->maxGraphicsPushDataBanks
                              : limits->maxComputePushDataBanks;
    const struct location where = LOCATION_POINTER(NULL, "pPushDataInfo");
    struct subject s = {.call = call, .where = &where};
    bind_check_bank(&s, pPushDataInfo->pNext, graphics, compute && !graphics,
                    (const uint32_t[]){compute ? most : limits->maxGraphicsPushDataBanks,
                                       limits->maxComputePushDataBanks},
                    (const enum vuid[]){VUID_VkPushConstantBankInfoNV_bank_12342,
                                        VUID_VkPushConstantBankInfoNV_bank_12343});
    return s.skip;
}

bool core_validate_CmdPushConstants2(struct call *call, VkCommandBuffer commandBuffer,
                                     const VkPushConstantsInfo *pPushConstantsInfo)
{
    const struct location where = LOCATION_POINTER(NULL, "pPushConstantsInfo");
    return check_push_constants(call, find_pipeline_layout(call, pPushConstantsInfo->layout),
                                pPushConstantsInfo, &where);
}
