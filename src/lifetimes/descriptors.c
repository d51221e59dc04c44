/* Checks those handles of a descriptor write that the driver reads. They depend on the descriptor's
 * type, and ignored ones may be garbage. */
#include "lifetimes/structs.h"

/* The immutable samplers of the set's layout decide whether a combined image sampler's sampler is
 * read (00325). */
#include "state/descriptor/descriptor.h"

/* True for a push. vkUpdateDescriptorSets has its own rules for objects that must be "created on
 * device". */
static bool is_pushed(const struct call *call)
{
    return command_root[call->command] != COMMAND_UpdateDescriptorSets;
}

/* Checks the members of each VkDescriptorImageInfo that a descriptor of this type uses (14.2.4,
 * "Descriptor Set Updates"). */
static bool write_check_images(struct call *call, const VkWriteDescriptorSet *write, bool samplers,
                               bool views, const struct location *where)
{
    assert(write->pImageInfo);
    const bool pushed = is_pushed(call);
    bool skip = false;
    for (uint32_t i = 0; i < write->descriptorCount; i++) {
        const VkDescriptorImageInfo *info = &write->pImageInfo[i];
        if (unlikely(samplers && info->sampler &&
                     !device_knows(call, info->sampler, HANDLE_SAMPLER)))
            skip |= lifetimes_report(call, info->sampler, HANDLE_SAMPLER,
                                     VUID_VkWriteDescriptorSet_descriptorType_00325,
                                     pushed ? VUID_VkDescriptorImageInfo_commonparent
                                            : VUID_vkUpdateDescriptorSets_pDescriptorWrites_06238,
                                     &LOCATION(&LOCATION_INDEX(where, "pImageInfo", i), "sampler"));
        if (unlikely(views && info->imageView &&
                     !device_knows(call, info->imageView, HANDLE_IMAGE_VIEW)))
            skip |=
                lifetimes_report(call, info->imageView, HANDLE_IMAGE_VIEW,
                                 VUID_VkWriteDescriptorSet_descriptorType_02996,
                                 pushed ? VUID_VkDescriptorImageInfo_commonparent
                                        : VUID_vkUpdateDescriptorSets_pDescriptorWrites_06239,
                                 &LOCATION(&LOCATION_INDEX(where, "pImageInfo", i), "imageView"));
    }
    return skip;
}

/* Checks that the buffers of a write are alive and belong to this device. VK_NULL_HANDLE is checked
 * elsewhere. */
static bool check_buffers(struct call *call, const VkWriteDescriptorSet *write,
                          const struct location *where)
{
    assert(write->pBufferInfo);
    bool skip = false;
    for (uint32_t i = 0; i < write->descriptorCount; i++) {
        VkBuffer buffer = write->pBufferInfo[i].buffer;
        if (unlikely(buffer && !device_knows(call, buffer, HANDLE_BUFFER)))
            skip |= lifetimes_report(call, buffer, HANDLE_BUFFER,
                                     VUID_VkDescriptorBufferInfo_buffer_parameter,
                                     is_pushed(call)
                                         ? UNASSIGNED_VkDescriptorBufferInfo_buffer_parent
                                         : VUID_vkUpdateDescriptorSets_pDescriptorWrites_06237,
                                     &LOCATION(&LOCATION_INDEX(where, "pBufferInfo", i), "buffer"));
    }
    return skip;
}

/* Checks that the buffer views of a write are alive and belong to this device. */
static bool check_texel_buffers(struct call *call, const VkWriteDescriptorSet *write,
                                const struct location *where)
{
    assert(write->pTexelBufferView);
    bool skip = false;
    for (uint32_t i = 0; i < write->descriptorCount; i++) {
        VkBufferView view = write->pTexelBufferView[i];
        if (unlikely(view && !device_knows(call, view, HANDLE_BUFFER_VIEW)))
            skip |= lifetimes_report(call, view, HANDLE_BUFFER_VIEW,
                                     VUID_VkWriteDescriptorSet_descriptorType_02994,
                                     is_pushed(call)
                                         ? VUID_VkWriteDescriptorSet_commonparent
                                         : VUID_vkUpdateDescriptorSets_pDescriptorWrites_06236,
                                     &LOCATION_INDEX(where, "pTexelBufferView", i));
    }
    return skip;
}

bool lifetimes_VkWriteDescriptorSet(struct call *call, const VkWriteDescriptorSet *value,
                                    const struct location *where)
{
    bool skip = false;
    struct object *set = NULL;
    /* A push ignores dstSet. */
    bool pushed = is_pushed(call);
    if (!pushed) {
        set = device_find(call->device, value->dstSet, HANDLE_DESCRIPTOR_SET);
        /* A set is not optional here. */
        if (unlikely(!value->dstSet))
            skip |= lifetimes_report_null(call, VUID_VkWriteDescriptorSet_dstSet_00320,
                                          &LOCATION(where, "dstSet"));
        else if (unlikely(!set))
            skip |= lifetimes_report(call, value->dstSet, HANDLE_DESCRIPTOR_SET,
                                     VUID_VkWriteDescriptorSet_dstSet_00320,
                                     VUID_VkWriteDescriptorSet_commonparent,
                                     &LOCATION(where, "dstSet"));
    }
    switch (value->descriptorType) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER: {
        bool views = value->descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
        /* A pushed sampler may be ignored, depending on the set layout that it is pushed for: core
         * checks it. */
        bool samplers = (!views && !pushed) || descriptor_set_takes_samplers(set, value);
        return value->pImageInfo ? skip | write_check_images(call, value, samplers, views, where)
                                 : skip;
    }
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    case VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM:
    case VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM:
        return value->pImageInfo ? skip | write_check_images(call, value, false, true, where)
                                 : skip;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
        return value->pBufferInfo ? skip | check_buffers(call, value, where) : skip;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        return value->pTexelBufferView ? skip | check_texel_buffers(call, value, where) : skip;
    default:
        return skip;
    }
}

/* Checks the handles of an image that the program passes to vkGetDescriptorEXT. `sampler`: the type
 * has one. `info` may be NULL. */
static bool check_got_image(struct call *call, const VkDescriptorImageInfo *info, const char *name,
                            bool sampler, enum vuid vuid, const struct location *where)
{
    bool skip = false;
    if (!info)
        return false;
    const struct location at = LOCATION_POINTER(&LOCATION(where, "data"), name);
    if (unlikely(sampler && info->sampler && !device_knows(call, info->sampler, HANDLE_SAMPLER)))
        skip |= lifetimes_report(call, info->sampler, HANDLE_SAMPLER,
                                 VUID_VkDescriptorGetInfoEXT_type_08019,
                                 VUID_VkDescriptorGetInfoEXT_type_08019, &LOCATION(&at, "sampler"));
    if (unlikely(info->imageView && !device_knows(call, info->imageView, HANDLE_IMAGE_VIEW)))
        skip |= lifetimes_report(call, info->imageView, HANDLE_IMAGE_VIEW, vuid, vuid,
                                 &LOCATION(&at, "imageView"));
    return skip;
}

bool lifetimes_VkDescriptorGetInfoEXT(struct call *call, const VkDescriptorGetInfoEXT *value,
                                      const struct location *where)
{
    const VkDescriptorDataEXT *data = &value->data;
    switch (value->type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
        if (data->pSampler && *data->pSampler &&
            unlikely(!device_knows(call, *data->pSampler, HANDLE_SAMPLER)))
            return lifetimes_report(call, *data->pSampler, HANDLE_SAMPLER,
                                    VUID_VkDescriptorGetInfoEXT_pSampler_parameter,
                                    VUID_VkDescriptorGetInfoEXT_pSampler_parameter,
                                    &LOCATION_POINTER(&LOCATION(where, "data"), "pSampler"));
        return false;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
        return check_got_image(call, data->pCombinedImageSampler, "pCombinedImageSampler", true,
                               VUID_VkDescriptorGetInfoEXT_type_08020, where);
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return check_got_image(call, data->pInputAttachmentImage, "pInputAttachmentImage", false,
                               VUID_VkDescriptorGetInfoEXT_type_08021, where);
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
        return check_got_image(call, data->pSampledImage, "pSampledImage", false,
                               VUID_VkDescriptorGetInfoEXT_type_08022, where);
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        return check_got_image(call, data->pStorageImage, "pStorageImage", false,
                               VUID_VkDescriptorGetInfoEXT_type_08023, where);
    default:
        return false;
    }
}
