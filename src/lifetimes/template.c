/* Are the handles in the memory behind a descriptor update template alive? The template says where they lie. */
#include <stdio.h>

#include "chassis/hooks.h"
#include "chassis/translate.h"
#include "chassis/update_template.h"
#include "lifetimes/structs.h"
#include "state/descriptor.h"

/* One descriptor of an update. */
struct element {
    struct call *call;
    const VkDescriptorUpdateTemplateEntry *entry;
    const unsigned char *data;
    enum vuid vuid; /* the command's rule on pData */
    bool samplers;  /* the samplers of its image infos count */
    struct location where;
};

static bool check_handle(const struct element *e, uint64_t handle, enum handle_type type, enum vuid alive, const char *member)
{
    if (likely(!handle || device_knows(e->call, handle, type)))
        return false;
    return lifetimes_report(e->call, handle, type, alive, alive, member ? &LOCATION(&e->where, member) : &e->where);
}

static bool check_element(const struct element *e)
{
    VkDescriptorType type = e->entry->descriptorType;
    if (translate_uses_image_info(type)) {
        const VkDescriptorImageInfo *info = (const void *)e->data;
        bool skip = e->samplers && check_handle(e, info->sampler, HANDLE_SAMPLER, e->vuid, "sampler");
        return (type != VK_DESCRIPTOR_TYPE_SAMPLER && check_handle(e, info->imageView, HANDLE_IMAGE_VIEW, e->vuid, "imageView")) || skip;
    }
    if (translate_uses_buffer_info(type)) {
        const VkDescriptorBufferInfo *info = (const void *)e->data;
        return check_handle(e, info->buffer, HANDLE_BUFFER, VUID_VkDescriptorBufferInfo_buffer_parameter, "buffer");
    }
    const uint64_t *handle = (const void *)e->data;
    if (translate_uses_texel_buffer_view(type))
        return check_handle(e, *handle, HANDLE_BUFFER_VIEW, e->vuid, NULL);
    if (type == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR)
        return check_handle(e, *handle, HANDLE_ACCELERATION_STRUCTURE_KHR, e->vuid, NULL);
    if (type == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV)
        return check_handle(e, *handle, HANDLE_ACCELERATION_STRUCTURE_NV, e->vuid, NULL);
    return false;
}

/* Samplers count where the set's layout is known to have no immutable ones in the binding. */
static bool takes_samplers(const struct object *set, const VkDescriptorUpdateTemplateEntry *entry)
{
    const VkWriteDescriptorSet write = {.dstBinding = entry->dstBinding,
                                        .dstArrayElement = entry->dstArrayElement,
                                        .descriptorCount = entry->descriptorCount,
                                        .descriptorType = entry->descriptorType};
    return translate_uses_sampler(entry->descriptorType) && descriptor_set_takes_samplers(set, &write);
}

bool lifetimes_template_data(struct call *call, VkDescriptorUpdateTemplate handle, VkDescriptorSet set, const void *data, enum vuid vuid,
                             const struct location *where)
{
    const struct object *object = call_find(call, handle, HANDLE_DESCRIPTOR_UPDATE_TEMPLATE);
    const struct update_template *template = object ? object->state : NULL;
    const struct object *set_object = set ? call_find(call, set, HANDLE_DESCRIPTOR_SET) : NULL;
    bool skip = false;
    for (uint32_t i = 0; template && data && i < template->count; i++) {
        const VkDescriptorUpdateTemplateEntry *entry = &template->entries[i];
        struct element element = {.call = call, .entry = entry, .vuid = vuid, .samplers = takes_samplers(set_object, entry)};
        if (entry->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
            continue;
        char name[32]; /* the place in the data, in the template's words */
        (void)snprintf(name, sizeof(name), "pData<entry %u>", i);
        for (uint32_t d = 0; d < entry->descriptorCount; d++) {
            element.data = (const unsigned char *)data + entry->offset + d * entry->stride;
            element.where = LOCATION_INDEX(where, name, d);
            skip |= check_element(&element);
        }
    }
    return skip;
}
