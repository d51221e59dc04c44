/* Checks that descriptors may be retrieved, and that buffers which hold them may be bound (14.3
 * "Descriptor Buffers"). */
#include "core/descriptor/bind.h"

#include <inttypes.h>

#include "core/memory/address.h"
#include "core/resource/buffer.h"
#include "core/hooks.h"
#include "report/finding/finding.h"
#include "report/names/names_of_values.h"
#include "state/descriptor/descriptor.h"
#include "state/memory/formats.h"
#include "state/memory/image.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

/* True if the layout was created for descriptor buffers. True also without the feature, as the rule
 * about the feature is then enough. */
static bool is_for_buffers(const struct call *call, const struct descriptor_layout *layout)
{
    return layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT ||
           !device_has_feature(call->device, FEATURE_descriptorBuffer);
}

/* --- vkGetDescriptorEXT --- */

/* The rules for the address from which a type of descriptor is made. */
struct address_rules {
    const char *member;        /* member of VkDescriptorDataEXT */
    enum vuid null;            /* without nullDescriptor, the pointer must not be NULL */
    VkBufferUsageFlags2 usage; /* usage that the buffer at the address must have */
    enum rule usage_rule;
    enum rule texel_alignment, texel_elements; /* 0: the type is not a texel buffer */
};

/* The number of texels must be less than or equal to maxTexelBufferElements. Formats with two
 * planes and 4:4:4 chroma need Vulkan 1.3 or a feature. */
static void check_texels(struct subject *s, const VkDescriptorAddressInfoEXT *info, enum rule rule)
{
    const struct format_info *format = format_info(info->format);
    uint32_t most = s->call->device->properties.limits.maxTexelBufferElements;
    if (!format)
        return;
    REQUIRE(s, RULE_12271,
            format->chroma != 444 || format->plane_count != 2 ||
                s->call->device->properties.apiVersion >= VK_API_VERSION_1_3 ||
                subject_has(s, FEATURE_ycbcr2plane444Formats),
            "format",
            "is %s, but the device is older than Vulkan 1.3, and the feature ycbcr2plane444Formats "
            "is not enabled",
            TEXT_OF(VkFormat, info->format));
    if (!format->block_size || info->range == VK_WHOLE_SIZE) /* 08939 reports it */
        return;
    uint64_t elements = info->range / format->block_size * format->texels_per_block;
    REQUIRE(s, rule, elements <= most, "range",
            "is %" PRIu64 ", which is %" PRIu64 " texels of %s, but maxTexelBufferElements is %u",
            info->range, elements, TEXT_OF(VkFormat, info->format), most);
}

/* Checks that there is a view, which only the feature nullDescriptor makes optional. `member`: the
 * member's name in the union. */
static bool buffer_descriptor_check_view(struct call *call, const VkDescriptorImageInfo *info,
                                         const char *member, enum vuid vuid,
                                         const struct location *where)
{
    const struct location data = LOCATION(where, "data");
    struct subject s = {.call = call, .where = &data};
    if (device_has_feature(call->device, FEATURE_nullDescriptor))
        return false;
    if (unlikely(!info))
        BROKEN(&s, vuid, member, "is NULL, but the feature nullDescriptor is not enabled");
    else
        REQUIRE(&s, vuid, info->imageView, &LOCATION(&LOCATION_POINTER(&data, member), "imageView"),
                "is VK_NULL_HANDLE, but the feature nullDescriptor is not enabled");
    return s.skip;
}

/* Checks the address from which a descriptor is made. `info` may only be NULL with a feature;
 * address 0 makes a null descriptor. */
static bool buffer_descriptor_check_address(struct call *call,
                                            const VkDescriptorAddressInfoEXT *info,
                                            const struct address_rules *rules,
                                            const struct location *where)
{
    assert(rules->member);
    const char *member = rules->member;
    const struct location data = LOCATION(where, "data"), at = LOCATION_POINTER(&data, member);
    if (!info) {
        struct subject none = {.call = call, .where = &data};
        REQUIRE(&none, rules->null, device_has_feature(call->device, FEATURE_nullDescriptor),
                member, "is NULL, but the feature nullDescriptor is not enabled");
        return none.skip;
    }
    struct subject s = {.call = call, .where = &at};
    if (!info->address)
        return s.skip;
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
    check_texels(&s, info, rules->texel_elements);
    return s.skip;
}

/* Checks the uniform or storage buffer from which a descriptor is made. True: the call is to be
 * skipped. */
static bool buffer_descriptor_check(struct call *call, const VkDescriptorAddressInfoEXT *info,
                                    bool uniform, const struct location *where)
{
    const VkPhysicalDeviceLimits *limits = &call->device->properties.limits;
    static const struct address_rules uniform_rules = {"pUniformBuffer",
                                                       VUID_VkDescriptorDataEXT_type_08039,
                                                       VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT,
                                                       RULE_12220,
                                                       0,
                                                       0},
                                      storage_rules = {"pStorageBuffer",
                                                       VUID_VkDescriptorDataEXT_type_08040,
                                                       VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT,
                                                       RULE_12221,
                                                       0,
                                                       0};
    const struct address_rules *rules = uniform ? &uniform_rules : &storage_rules;
    const struct location data = LOCATION(where, "data"),
                          at = LOCATION_POINTER(&data, rules->member);
    uint32_t most = uniform ? limits->maxUniformBufferRange : limits->maxStorageBufferRange;
    struct subject s = {.call = call, .where = &at};
    s.skip |= buffer_descriptor_check_address(call, info, rules, where);
    /* An address of 0 makes a null descriptor, whose range is not read. */
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
                                                        VUID_VkDescriptorDataEXT_type_08037,
                                                        VK_BUFFER_USAGE_2_UNIFORM_TEXEL_BUFFER_BIT,
                                                        RULE_12222,
                                                        RULE_12269,
                                                        RULE_09427},
                                      storage_texels = {"pStorageTexelBuffer",
                                                        VUID_VkDescriptorDataEXT_type_08038,
                                                        VK_BUFFER_USAGE_2_STORAGE_TEXEL_BUFFER_BIT,
                                                        RULE_12223,
                                                        RULE_12270,
                                                        RULE_09428};
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
        if (!info->data.pCombinedImageSampler)
            return s.skip;
        return s.skip | buffer_descriptor_check_view(call, info->data.pCombinedImageSampler,
                                                     "pCombinedImageSampler",
                                                     VUID_VkDescriptorDataEXT_type_08034, &where);
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
        return buffer_descriptor_check_view(call, info->data.pSampledImage, "pSampledImage",
                                            VUID_VkDescriptorDataEXT_type_08035, &where);
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        return buffer_descriptor_check_view(call, info->data.pStorageImage, "pStorageImage",
                                            VUID_VkDescriptorDataEXT_type_08036, &where);
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV:
        REQUIRE(&s,
                info->type == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR
                    ? VUID_VkDescriptorDataEXT_type_08041
                    : VUID_VkDescriptorDataEXT_type_08042,
                info->data.accelerationStructure ||
                    device_has_feature(call->device, FEATURE_nullDescriptor),
                &LOCATION(&LOCATION(&where, "data"), "accelerationStructure"),
                "is 0, but the feature nullDescriptor is not enabled");
        return s.skip;
    case VK_DESCRIPTOR_TYPE_TENSOR_ARM:
        REQUIRE(&s, RULE_09701,
                chain_find(info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_GET_TENSOR_INFO_ARM),
                &LOCATION(&where, "pNext"),
                "has no VkDescriptorGetTensorInfoARM, but type is VK_DESCRIPTOR_TYPE_TENSOR_ARM");
        return s.skip;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        return s.skip | buffer_descriptor_check(call, info->data.pUniformBuffer, true, &where);
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        return s.skip | buffer_descriptor_check(call, info->data.pStorageBuffer, false, &where);
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        return s.skip | buffer_descriptor_check_address(call, info->data.pUniformTexelBuffer,
                                                        &uniform_texels, &where);
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        return s.skip | buffer_descriptor_check_address(call, info->data.pStorageTexelBuffer,
                                                        &storage_texels, &where);
    default:
        return s.skip;
    }
}

/* --- binding --- */

/* At least one buffer from which address was queried must contain all the usages of descriptor
 * buffers in usage. If no buffer has one of these usages, 08122 to 08124 report that. */
static bool check_buffer_at(struct call *call, VkDeviceAddress address, VkBufferUsageFlags2 usage,
                            const struct location *where)
{
    usage &= VK_BUFFER_USAGE_2_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT |
             VK_BUFFER_USAGE_2_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
             VK_BUFFER_USAGE_2_PUSH_DESCRIPTORS_DESCRIPTOR_BUFFER_BIT_EXT;
    if (!(usage & (usage - 1))) /* at most one usage */
        return false;
    const struct address_search all =
        device_address_find(call->device, address, 1, usage | ADDRESS_ALL_OF);
    if (likely(all.match != ADDRESS_USAGE))
        return false;
    for (VkBufferUsageFlags2 left = usage; left; left &= left - 1) {
        if (device_address_find(call->device, address, 1, left & -left).match == ADDRESS_USAGE)
            return false;
    }
    return address_report_usage(call, RULE(call, 08055), &LOCATION(where, "address"), address, &all,
                                usage);
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
    for (uint32_t i = 0; pBindingInfos && i < bufferCount; i++) {
        const VkBufferUsageFlags2CreateInfo *flags2 =
            chain_find(pBindingInfos[i].pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO);
        VkBufferUsageFlags2 usage = flags2 ? flags2->usage : pBindingInfos[i].usage;
        samplers += (usage & VK_BUFFER_USAGE_2_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT) != 0;
        resources += (usage & VK_BUFFER_USAGE_2_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT) != 0;
        pushes += (usage & VK_BUFFER_USAGE_2_PUSH_DESCRIPTORS_DESCRIPTOR_BUFFER_BIT_EXT) != 0;
        s.skip |= check_buffer_at(call, pBindingInfos[i].address, usage,
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

/* Checks that set `number` of the layout can be in a descriptor buffer. Nothing is checked if the
 * layout does not have that set. */
static bool buffer_descriptor_check_set(struct call *call, const struct pipeline_layout *layout,
                                        VkPipelineLayout handle, uint64_t number,
                                        const struct location *where)
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

/* Checks the offsets into descriptor buffers, in bytes, and the layouts of the sets there. True:
 * the call is to be skipped. */
static bool buffer_descriptor_check_offsets(struct call *call,
                                            const VkSetDescriptorBufferOffsetsInfoEXT *info,
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
            /* Beyond the limits other rules are broken, and the layer does not keep the
             * bindings. */
            index < BOUND_DESCRIPTOR_BUFFERS && enabled)
            REQUIRE(&s, RULE_08065, index < command_buffer->descriptor_buffer_count, &at,
                    "is %u, but %u descriptor buffers are bound", index,
                    command_buffer->descriptor_buffer_count);
        if (layout)
            s.skip |= buffer_descriptor_check_set(call, layout, info->layout,
                                                  (uint64_t)info->firstSet + i, where);
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
           buffer_descriptor_check_offsets(call, &info, NULL);
}

bool core_validate_CmdSetDescriptorBufferOffsets2EXT(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     const VkSetDescriptorBufferOffsetsInfoEXT
                                                         *pSetDescriptorBufferOffsetsInfo)
{
    const VkSetDescriptorBufferOffsetsInfoEXT *info = pSetDescriptorBufferOffsetsInfo;
    const struct location where = LOCATION_POINTER(NULL, "pSetDescriptorBufferOffsetsInfo");
    return descriptor_check_stages(call, info->stageFlags, RULE_09471, &where) |
           buffer_descriptor_check_offsets(call, info, &where);
}

/* --- embedded samplers --- */

/* Checks that set `number` of the layout has embedded immutable samplers. True: the call is to be
 * skipped. */
static bool buffer_descriptor_check_embedded(struct call *call, VkPipelineLayout handle,
                                             uint32_t number, const struct location *where)
{
    const struct pipeline_layout *layout = find_pipeline_layout(call, handle);
    struct subject s = {
        .call = call, .where = where, .objects = OBJECT(HANDLE_PIPELINE_LAYOUT, handle)};
    if (!layout || !subject_has(&s, FEATURE_descriptorBuffer)) /* no layout has them then */
        return false;
    REQUIRE(&s, RULE_08071, number <= layout->set_count, "set",
            "is %u, but layout has %u sets (setLayoutCount)", number, layout->set_count);
    const struct descriptor_layout *set = number < layout->set_count ? layout->sets[number] : NULL;
    REQUIRE(&s, RULE_08070,
            !set ||
                set->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT,
            "set",
            "is %u, whose set layout was created without "
            "VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT",
            number);
    return s.skip;
}

bool core_validate_CmdBindDescriptorBufferEmbeddedSamplersEXT(struct call *call,
                                                              VkCommandBuffer commandBuffer,
                                                              VkPipelineBindPoint pipelineBindPoint,
                                                              VkPipelineLayout layout, uint32_t set)
{
    return descriptor_check_bind_point(call, pipelineBindPoint, RULE_08069) |
           buffer_descriptor_check_embedded(call, layout, set, NULL);
}

bool core_validate_CmdBindDescriptorBufferEmbeddedSamplers2EXT(
    struct call *call, VkCommandBuffer commandBuffer,
    const VkBindDescriptorBufferEmbeddedSamplersInfoEXT *pBindDescriptorBufferEmbeddedSamplersInfo)
{
    const VkBindDescriptorBufferEmbeddedSamplersInfoEXT *info =
        pBindDescriptorBufferEmbeddedSamplersInfo;
    const struct location where =
        LOCATION_POINTER(NULL, "pBindDescriptorBufferEmbeddedSamplersInfo");
    return descriptor_check_stages(call, info->stageFlags, RULE_09473, &where) |
           buffer_descriptor_check_embedded(call, info->layout, info->set, &where);
}
