/* Checks that descriptors may be got, and buffers that hold them be bound (14.3 "Descriptor
 * Buffers"). */
#include "core/descriptor/bind.h"

#include <inttypes.h>

#include "core/memory/address.h"
#include "core/resource/buffer.h"
#include "core/hooks.h"
#include "core/rule.h"
#include "report/finding.h"
#include "report/names_of_values.h"
#include "state/descriptor.h"
#include "state/formats.h"
#include "state/image.h"
#include "vk/chain.h"

/* --- set layouts --- */

/* True if it was created with the flag. Without the feature it cannot be, and the feature's
 * statement says all. */
static bool is_for_buffers(const struct call *call, const struct descriptor_layout *layout)
{
    return layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT ||
           !device_has_feature(call->device, FEATURE_descriptorBuffer);
}

static bool check_layout(struct call *call, VkDescriptorSetLayout handle, enum rule buffer)
{
    const struct descriptor_layout *layout = find_descriptor_layout(call, handle);
    const struct location at = LOCATION(NULL, "layout");
    const struct finding_objects *objects = OBJECT(HANDLE_DESCRIPTOR_SET_LAYOUT, handle);
    if (!layout)
        return false;
    struct subject s = {.call = call, .objects = objects};
    REQUIRE(&s, buffer, is_for_buffers(call, layout), &at,
            "was created without VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT");
    return s.skip;
}

bool core_validate_GetDescriptorSetLayoutSizeEXT(struct call *call, VkDevice device,
                                                 VkDescriptorSetLayout layout,
                                                 VkDeviceSize *pLayoutSizeInBytes)
{
    return check_layout(call, layout, RULE_08012);
}

bool core_validate_GetDescriptorSetLayoutBindingOffsetEXT(struct call *call, VkDevice device,
                                                          VkDescriptorSetLayout layout,
                                                          uint32_t binding, VkDeviceSize *pOffset)
{
    return check_layout(call, layout, RULE_08014);
}

/* --- vkGetDescriptorEXT --- */

/* What an address of a type of descriptors must come from. */
struct address_rules {
    const char *member;
    VkBufferUsageFlags2 usage;
    enum rule usage_rule;
    enum rule texel_alignment; /* 0: no texel buffer */
};

static bool check_address(struct call *call, const VkDescriptorAddressInfoEXT *info,
                          const struct address_rules *rules, const struct location *where)
{
    assert(rules->member);
    const char *member = rules->member;
    const struct location data = LOCATION(where, "data"), at = LOCATION_POINTER(&data, member);
    if (!info)
        return false;
    struct subject s = {.call = call, .where = &at};
    if (!info->address) {
        REQUIRE(&s, RULE_08938,
                info->range == VK_WHOLE_SIZE ||
                    !device_has_feature(call->device, FEATURE_nullDescriptor),
                "range", "is %" PRIu64 ", but address is 0, which needs VK_WHOLE_SIZE",
                info->range);
        return s.skip;
    }
    /* ... range must be less than or equal to the size of the buffer containing address minus the
     * offset of address from the base address of the buffer */
    const struct address_search search =
        device_address_find(call->device, info->address,
                            info->range == VK_WHOLE_SIZE ? 1 : info->range, rules->usage);
    const enum vuid usage = rule_vuid(call->command, rules->usage_rule);
    if (unlikely(search.match == ADDRESS_NOWHERE))
        s.skip |= address_report_nowhere(call, usage, &LOCATION(&at, "address"), info->address, "");
    else if (unlikely(search.match == ADDRESS_USAGE))
        s.skip |= address_report_usage(call, usage, &LOCATION(&at, "address"), info->address,
                                       &search, rules->usage);
    else if (unlikely(search.match == ADDRESS_TOO_SHORT))
        BROKEN_OF(&s, ADDRESS_OBJECT(&search), RULE_08045, "range",
                  "is %" PRIu64 ", but address is %s, where that buffer has %" PRIu64 " bytes left",
                  info->range, ADDRESS_IN(call, info->address, search.buffer), search.rest);
    if (!rules->texel_alignment)
        return s.skip;
    VkDeviceSize alignment =
        texel_buffer_alignment(call, info->format,
                               rules->usage == VK_BUFFER_USAGE_2_STORAGE_TEXEL_BUFFER_BIT);
    REQUIRE_OF(&s, OBJECT_AT(call, info->address), rules->texel_alignment,
               !alignment || info->address % alignment == 0, "address",
               "is %s, but texel buffers of %s begin at multiples of %" PRIu64,
               ADDRESS(call, info->address), value_text(VALUES_VkFormat, info->format).text,
               alignment);
    REQUIRE(&s, RULE_09508, info->format != VK_FORMAT_UNDEFINED, "format",
            "is VK_FORMAT_UNDEFINED, but the descriptor is one of a texel buffer");
    return s.skip;
}

static bool check_buffer(struct call *call, const VkDescriptorAddressInfoEXT *info, bool uniform,
                         const struct location *where)
{
    const VkPhysicalDeviceLimits *limits = &call->device->properties.limits;
    static const struct address_rules uniform_rules = {"pUniformBuffer",
                                                       VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT,
                                                       RULE_12220, 0},
                                      storage_rules = {"pStorageBuffer",
                                                       VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT,
                                                       RULE_12221, 0};
    const struct address_rules *rules = uniform ? &uniform_rules : &storage_rules;
    const struct location data = LOCATION(where, "data"),
                          at = LOCATION_POINTER(&data, rules->member);
    uint32_t most = uniform ? limits->maxUniformBufferRange : limits->maxStorageBufferRange;
    struct subject s = {.call = call, .where = &at};
    s.skip |= check_address(call, info, rules, where);
    if (!info || !info->address)
        return s.skip;
    if (info->range == VK_WHOLE_SIZE ||
        (!uniform && device_has_feature(call->device, FEATURE_shader64BitIndexing)))
        return s.skip;
    REQUIRE(&s, uniform ? RULE_12492 : RULE_12493, info->range <= most, "range",
            "is %" PRIu64 ", more than %s, %u", info->range,
            uniform ? "maxUniformBufferRange" : "maxStorageBufferRange", most);
    return s.skip;
}

bool core_validate_GetDescriptorEXT(struct call *call, VkDevice device,
                                    const VkDescriptorGetInfoEXT *pDescriptorInfo, size_t dataSize,
                                    void *pDescriptor)
{
    const VkDescriptorGetInfoEXT *info = pDescriptorInfo;
    static const struct address_rules uniform_texels = {"pUniformTexelBuffer",
                                                        VK_BUFFER_USAGE_2_UNIFORM_TEXEL_BUFFER_BIT,
                                                        RULE_12222, RULE_12269},
                                      storage_texels = {"pStorageTexelBuffer",
                                                        VK_BUFFER_USAGE_2_STORAGE_TEXEL_BUFFER_BIT,
                                                        RULE_12223, RULE_12270};
    const VkPhysicalDeviceDescriptorBufferPropertiesEXT *sizes =
        &call->device->extended.DescriptorBufferPropertiesEXT;
    const struct location where = LOCATION_POINTER(NULL, "pDescriptorInfo");
    struct subject s = {.call = call};
    switch ((int64_t)info->type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
        REQUIRE(&s, RULE_08125, dataSize == sizes->samplerDescriptorSize, "dataSize",
                "is %zu, but samplerDescriptorSize is %zu", dataSize, sizes->samplerDescriptorSize);
        return s.skip;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
        if (info->data.pCombinedImageSampler && !info->data.pCombinedImageSampler->imageView)
            REQUIRE(&s, RULE_09507, dataSize == sizes->combinedImageSamplerDescriptorSize,
                    "dataSize",
                    "is %zu, but imageView is VK_NULL_HANDLE, which needs "
                    "combinedImageSamplerDescriptorSize, %zu",
                    dataSize, sizes->combinedImageSamplerDescriptorSize);
        return s.skip;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        return s.skip | check_buffer(call, info->data.pUniformBuffer, true, &where);
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        return s.skip | check_buffer(call, info->data.pStorageBuffer, false, &where);
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        return s.skip |
               check_address(call, info->data.pUniformTexelBuffer, &uniform_texels, &where);
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        return s.skip |
               check_address(call, info->data.pStorageTexelBuffer, &storage_texels, &where);
    default:
        return s.skip;
    }
}

/* --- binding --- */

/* If usage includes ..., address must be a device address allocated to the application from a
 * buffer created with the ... usage flag set; and at least one buffer from which address was
 * queried must contain all of them. "Usage flags other than" these "are ignored". */
static bool check_buffer_at(struct call *call, VkDeviceAddress address, VkBufferUsageFlags2 usage,
                            const struct location *where)
{
    static const struct {
        VkBufferUsageFlags2 usage;
        enum rule rule;
    } rules[] = {{VK_BUFFER_USAGE_2_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT, RULE_08122},
                 {VK_BUFFER_USAGE_2_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT, RULE_08123},
                 {VK_BUFFER_USAGE_2_PUSH_DESCRIPTORS_DESCRIPTOR_BUFFER_BIT_EXT, RULE_08124},
                 {VK_BUFFER_USAGE_2_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT |
                      VK_BUFFER_USAGE_2_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                      VK_BUFFER_USAGE_2_PUSH_DESCRIPTORS_DESCRIPTOR_BUFFER_BIT_EXT,
                  RULE_08055}};
    bool skip = false;
    for (size_t i = 0; i < ARRAY_LENGTH(rules); i++) {
        VkBufferUsageFlags2 asked = usage & rules[i].usage;
        bool all = i + 1 == ARRAY_LENGTH(rules); /* of interest where each by itself is there */
        if (!asked || (all && skip))
            continue;
        const struct address_search search =
            device_address_find(call->device, address, 1, all ? asked | ADDRESS_ALL_OF : asked);
        const enum vuid vuid = rule_vuid(call->command, rules[i].rule);
        if (unlikely(search.match == ADDRESS_NOWHERE))
            skip |= address_report_nowhere(call, vuid, &LOCATION(where, "address"), address, "");
        else if (unlikely(search.match == ADDRESS_USAGE))
            skip |= address_report_usage(call, vuid, &LOCATION(where, "address"), address, &search,
                                         asked);
    }
    return skip;
}

static bool check_binding_info(struct call *call, const VkDescriptorBufferBindingInfoEXT *info,
                               VkBufferUsageFlags2 usage, const struct location *where)
{
    const VkBufferUsageFlags2 push = VK_BUFFER_USAGE_2_PUSH_DESCRIPTORS_DESCRIPTOR_BUFFER_BIT_EXT;
    const struct location at = LOCATION(where, "usage");
    bool flags2 =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO) != NULL;
    if (!flags2 && !info->usage) /* 09500 */
        return false;
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, RULE_10998,
            usage & (VK_BUFFER_USAGE_2_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                     VK_BUFFER_USAGE_2_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT | push),
            &at, "is %s, which is not a usage of descriptor buffers",
            value_text(VALUES_VkBufferUsageFlags2, usage).text);
    return s.skip | check_buffer_at(call, info->address, usage, where);
}

bool core_validate_CmdBindDescriptorBuffersEXT(struct call *call, VkCommandBuffer commandBuffer,
                                               uint32_t bufferCount,
                                               const VkDescriptorBufferBindingInfoEXT
                                                   *pBindingInfos)
{
    const VkPhysicalDeviceDescriptorBufferPropertiesEXT *limits =
        &call->device->extended.DescriptorBufferPropertiesEXT;
    const struct location at = LOCATION(NULL, "pBindingInfos");
    uint32_t samplers = 0, resources = 0, pushes = 0;
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_08051, bufferCount <= limits->maxDescriptorBufferBindings, "bufferCount",
            "is %u, more than maxDescriptorBufferBindings, %u", bufferCount,
            limits->maxDescriptorBufferBindings);
    for (uint32_t i = 0; pBindingInfos && i < bufferCount; i++) {
        const VkBufferUsageFlags2CreateInfo *flags2 =
            chain_find(pBindingInfos[i].pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO);
        VkBufferUsageFlags2 usage = flags2 ? flags2->usage : pBindingInfos[i].usage;
        samplers += (usage & VK_BUFFER_USAGE_2_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT) != 0;
        resources += (usage & VK_BUFFER_USAGE_2_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT) != 0;
        pushes += (usage & VK_BUFFER_USAGE_2_PUSH_DESCRIPTORS_DESCRIPTOR_BUFFER_BIT_EXT) != 0;
        s.skip |= check_binding_info(call, &pBindingInfos[i], usage,
                                     &LOCATION_INDEX(NULL, "pBindingInfos", i));
    }
    REQUIRE(&s, RULE_08048, samplers <= limits->maxSamplerDescriptorBufferBindings, &at,
            "has %u buffers for samplers, but maxSamplerDescriptorBufferBindings is %u", samplers,
            limits->maxSamplerDescriptorBufferBindings);
    REQUIRE(&s, RULE_08049, resources <= limits->maxResourceDescriptorBufferBindings, &at,
            "has %u buffers for resources, but maxResourceDescriptorBufferBindings is %u",
            resources, limits->maxResourceDescriptorBufferBindings);
    REQUIRE(&s, RULE_08050, pushes <= 1, &at,
            "has %u buffers for push descriptors: there can be one", pushes);
    return s.skip;
}

/* --- offsets --- */

static bool check_set(struct call *call, const struct pipeline_layout *layout,
                      VkPipelineLayout handle, uint64_t number, const struct location *where)
{
    assert(layout);
    const struct descriptor_layout *set = number < layout->set_count ? layout->sets[number] : NULL;
    const struct location at = LOCATION(where, "layout");
    const struct finding_objects *objects = OBJECT(HANDLE_PIPELINE_LAYOUT, handle);
    unsigned n = (unsigned)number;
    if (!set)
        return false;
    struct subject s = {.call = call, .objects = objects};
    REQUIRE(&s, RULE_09006, is_for_buffers(call, set), &at,
            "has set %u, whose layout lacks "
            "VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT",
            n);
    REQUIRE(&s, RULE_11803, !(set->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT),
            &at, "has set %u, whose layout has VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT",
            n);
    REQUIRE(&s, RULE_11804,
            !(set->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT),
            &at,
            "has set %u, whose layout has "
            "VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT",
            n);
    return s.skip;
}

static bool check_offsets(struct call *call, const VkSetDescriptorBufferOffsetsInfoEXT *info,
                          const struct location *where)
{
    const VkPhysicalDeviceDescriptorBufferPropertiesEXT *limits =
        &call->device->extended.DescriptorBufferPropertiesEXT;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct pipeline_layout *layout = find_pipeline_layout(call, info->layout);
    VkDeviceSize alignment = limits->descriptorBufferOffsetAlignment;
    struct subject s = {.call = call, .where = where};
    bool enabled = device_has_feature(call->device, FEATURE_descriptorBuffer);
    if (layout)
        REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE_LAYOUT, info->layout), RULE_08066,
                   (uint64_t)info->firstSet + info->setCount <= layout->set_count, "setCount",
                   "is %u, which with firstSet %u goes beyond the %u sets "
                   "of layout (setLayoutCount)",
                   info->setCount, info->firstSet, layout->set_count);
    for (uint32_t i = 0; info->pOffsets && info->pBufferIndices && i < info->setCount; i++) {
        uint32_t index = info->pBufferIndices[i];
        const struct location at = LOCATION_INDEX(where, "pBufferIndices", i);
        REQUIRE(&s, RULE_08061, !alignment || info->pOffsets[i] % alignment == 0,
                &LOCATION_INDEX(where, "pOffsets", i),
                "is %" PRIu64
                ", which is not a multiple of descriptorBufferOffsetAlignment, %" PRIu64,
                info->pOffsets[i], alignment);
        if (command_buffer && index < limits->maxDescriptorBufferBindings &&
            index < BOUND_DESCRIPTOR_BUFFERS && enabled)
            REQUIRE(&s, RULE_08065, index < command_buffer->descriptor_buffer_count, &at,
                    "is %u, but %u descriptor buffers are bound", index,
                    command_buffer->descriptor_buffer_count);
        if (layout)
            s.skip |= check_set(call, layout, info->layout, (uint64_t)info->firstSet + i, where);
    }
    return s.skip;
}

bool core_validate_CmdSetDescriptorBufferOffsetsEXT(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    VkPipelineBindPoint pipelineBindPoint,
                                                    VkPipelineLayout layout, uint32_t firstSet,
                                                    uint32_t setCount,
                                                    const uint32_t *pBufferIndices,
                                                    const VkDeviceSize *pOffsets)
{
    const VkSetDescriptorBufferOffsetsInfoEXT info = {.layout = layout,
                                                      .firstSet = firstSet,
                                                      .setCount = setCount,
                                                      .pBufferIndices = pBufferIndices,
                                                      .pOffsets = pOffsets};
    return descriptor_check_bind_point(call, pipelineBindPoint, RULE_08067) |
           check_offsets(call, &info, NULL);
}

bool core_validate_CmdSetDescriptorBufferOffsets2EXT(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     const VkSetDescriptorBufferOffsetsInfoEXT
                                                         *pSetDescriptorBufferOffsetsInfo)
{
    const VkSetDescriptorBufferOffsetsInfoEXT *info = pSetDescriptorBufferOffsetsInfo;
    const struct location where = LOCATION_POINTER(NULL, "pSetDescriptorBufferOffsetsInfo");
    return descriptor_check_layout(call, info->layout, info->pNext, &where) |
           descriptor_check_stages(call, info->stageFlags, RULE_09471, &where) |
           check_offsets(call, info, &where);
}
