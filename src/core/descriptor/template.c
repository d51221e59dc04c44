/* Checks that the memory which a descriptor update template reads holds valid descriptors (14.2.7
 * "Descriptor Update Templates"). They are checked as if vkUpdateDescriptorSets wrote them. Hot. */
#include "chassis/update_template.h"
#include "core/descriptor/update.h"
#include "core/hooks.h"
#include "report/finding/finding.h"
#include "report/finding/rule.h"

/* The size of one descriptor in the data, in bytes. 0 for data that is not an array of
 * descriptors. */
static size_t descriptor_size(enum template_data data)
{
    switch (data) {
    case TEMPLATE_HANDLE:
        return sizeof(uint64_t);
    case TEMPLATE_BUFFER_INFO:
        return sizeof(VkDescriptorBufferInfo);
    case TEMPLATE_IMAGE_INFO:
        return sizeof(VkDescriptorImageInfo);
    case TEMPLATE_NOTHING:
    case TEMPLATE_BYTES:
        break;
    }
    return 0;
}

/* Checks one write of `count` descriptors without gaps. Types whose data belongs into a chained
 * structure get that structure here. */
static bool check_run(struct call *call, const struct write_target *target,
                      const struct descriptor_binding *binding, VkWriteDescriptorSet write,
                      const void *from, uint32_t count, const struct location *where)
{
    assert(binding && binding->type == write.descriptorType);
    const VkWriteDescriptorSetInlineUniformBlock block = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
        .dataSize = count,
        .pData = from};
    const VkWriteDescriptorSetAccelerationStructureKHR structures = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = count,
        .pAccelerationStructures = from};
    const VkWriteDescriptorSetAccelerationStructureNV structures_nv = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_NV,
        .accelerationStructureCount = count,
        .pAccelerationStructures = from};
    const VkWriteDescriptorSetTensorARM tensors = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_TENSOR_ARM,
        .tensorViewCount = count,
        .pTensorViews = from};
    write.descriptorCount = count;
    /* Only the member that belongs to the type is read. */
    write.pBufferInfo = from;
    write.pImageInfo = from;
    write.pTexelBufferView = from;
    switch (write.descriptorType) {
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
        write.pNext = &block;
        break;
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
        write.pNext = &structures;
        break;
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV:
        write.pNext = &structures_nv;
        break;
    case VK_DESCRIPTOR_TYPE_TENSOR_ARM:
        write.pNext = &tensors;
        break;
    default:
        break;
    }
    return descriptor_check_content(call, target, binding, &write, where);
}

/* Checks the descriptors that one entry of a template reads. `from`: the first of them; the entry's
 * stride in bytes leads to the next one. */
static bool update_template_check_entry(struct call *call, const struct write_target *target,
                                        const struct template_entry *entry,
                                        const unsigned char *from, const struct location *where)
{
    assert(entry->data != TEMPLATE_NOTHING);
    const VkDescriptorUpdateTemplateEntry *given = &entry->given;
    const struct descriptor_binding *binding =
        descriptor_layout_find(target->layout, given->dstBinding);
    size_t size = descriptor_size(entry->data);
    bool skip = false;
    /* The destination of an entry was checked when the template was made (00354, 00355). */
    if (unlikely(!binding || !binding->count || binding->type != given->descriptorType))
        return false;
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstBinding = given->dstBinding,
                                        .dstArrayElement = given->dstArrayElement,
                                        .descriptorType = given->descriptorType};
    if (!size ||
        (likely(given->stride == size || given->descriptorCount == 1) && (uintptr_t)from % 8 == 0))
        return check_run(call, target, binding, write, from, given->descriptorCount, where);
    for (uint32_t i = 0; i < given->descriptorCount; i++, from += given->stride) {
        uint64_t words[sizeof(VkDescriptorImageInfo) / sizeof(uint64_t)];
        VkWriteDescriptorSet one = write;
        static_assert(sizeof(words) == sizeof(VkDescriptorBufferInfo), "the largest descriptors");
        __builtin_memcpy(words, from, size);
        one.dstArrayElement += i;
        skip |= check_run(call, target, binding, one, words, 1, where);
    }
    return skip;
}

bool descriptor_check_template(struct call *call, const struct write_target *target,
                               const struct update_template *template, const void *data,
                               const struct location *where)
{
    assert(target->layout && template);
    bool skip = false;
    for (uint32_t i = 0; data && i < template->count; i++) {
        const struct template_entry *entry = &template->entries[i];
        const struct location at = LOCATION_INDEX(where, "pData<entry>", i);
        if (likely(entry->data != TEMPLATE_NOTHING))
            skip |=
                update_template_check_entry(call, target, entry,
                                            (const unsigned char *)data + entry->given.offset, &at);
    }
    return skip;
}

bool core_validate_UpdateDescriptorSetWithTemplate(struct call *call, VkDevice device,
                                                   VkDescriptorSet descriptorSet,
                                                   VkDescriptorUpdateTemplate
                                                       descriptorUpdateTemplate,
                                                   const void *pData)
{
    const struct descriptor_set *set = named_descriptor_set(call, 0, descriptorSet);
    const struct update_template *template = call->named[1].state;
    /* pData must be a valid pointer to a memory containing one or more valid instances ... */
    if (unlikely(template && !pData))
        return call_stop(call,
                         BROKEN_BY(call, RULE_01685, &LOCATION(NULL, "pData"), NULL, "is NULL"));
    if (unlikely(!set || !template ||
                 template->type != VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET))
        return false;
    const struct write_target target = {set->layout, set, HANDLE_DESCRIPTOR_SET,
                                        (uint64_t)descriptorSet};
    return descriptor_check_template(call, &target, template, pData, NULL);
}
