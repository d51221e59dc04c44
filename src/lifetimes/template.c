/* Checks that the handles in the memory that a descriptor update template reads are alive. The
 * template describes where they are. */
#include <stdio.h>
#include <string.h>

#include "chassis/hooks.h"
#include "chassis/translate.h"
#include "chassis/update_template.h"
#include "lifetimes/structs.h"
#include "state/descriptor/descriptor.h"

/* The update that is checked. */
struct update {
    struct call *call;
    const struct update_template *template;
    const unsigned char *data;
    const struct location *where;
};

/* Handles of one kind in the descriptors of one entry. */
struct handles {
    uint32_t entry;
    size_t offset; /* of the handle in each descriptor */
    enum handle_type type;
    enum vuid alive;
    const char *member;
};

/* Reports a handle by its place in the data: `pData<entry 2>[5]`. */
static COLD bool report_handle(const struct update *u, const struct handles *h, uint32_t descriptor,
                               uint64_t handle)
{
    assert(handle && h->entry < u->template->count);
    char name[32]; /* the place in the data, as the template describes it */
    (void)snprintf(name, sizeof(name), "pData<entry %u>", h->entry);
    const struct location at = LOCATION_INDEX(u->where, name, descriptor);
    return lifetimes_report(u->call, handle, h->type, h->alive, h->alive,
                            h->member ? &LOCATION(&at, h->member) : &at);
}

/* Checks the handles of one kind in an entry's descriptors. VK_NULL_HANDLE is not checked here.
 * Inlined, because all of `handles` except the entry is constant. */
static ALWAYS_INLINE bool check_handles(const struct update *u, struct handles h)
{
    const VkDescriptorUpdateTemplateEntry *entry = &u->template->entries[h.entry].given;
    const unsigned char *at = u->data + entry->offset + h.offset;
    const uint32_t count = entry->descriptorCount;
    const size_t stride = entry->stride;
    /* the last id that was found alive: neighbouring descriptors often name the same buffer or
     * sampler */
    uint64_t alive = 0;
    bool skip = false;
    for (uint32_t d = 0; d < count; d++, at += stride) {
        uint64_t handle;
        memcpy(&handle, at, sizeof(handle));
        if (likely(handle == alive || !handle))
            continue;
        if (likely(device_knows(u->call, handle, h.type)))
            alive = handle;
        else
            skip |= report_handle(u, &h, d, handle);
    }
    return skip;
}

/* True if the entry's samplers are read: the set's layout is known, and has no immutable ones in
 * the binding. */
static bool takes_samplers(const struct object *set, const VkDescriptorUpdateTemplateEntry *entry)
{
    const VkWriteDescriptorSet write = {.dstBinding = entry->dstBinding,
                                        .dstArrayElement = entry->dstArrayElement,
                                        .descriptorCount = entry->descriptorCount,
                                        .descriptorType = entry->descriptorType};
    return translate_uses_sampler(entry->descriptorType) &&
           descriptor_set_takes_samplers(set, &write);
}

/* Checks the handles that one entry of a template reads from pData. */
static bool template_check_entry(const struct update *u, uint32_t i, const struct object *set)
{
    assert(i < u->template->count);
    const VkDescriptorUpdateTemplateEntry *entry = &u->template->entries[i].given;
    bool skip = false;
    switch (u->template->entries[i].data) {
    case TEMPLATE_BUFFER_INFO:
        return check_handles(u, (struct handles){
                                    i, offsetof(VkDescriptorBufferInfo, buffer), HANDLE_BUFFER,
                                    VUID_VkDescriptorBufferInfo_buffer_parameter, "buffer"});
    case TEMPLATE_IMAGE_INFO:
        if (takes_samplers(set, entry))
            skip |=
                check_handles(u, (struct handles){
                                     i, offsetof(VkDescriptorImageInfo, sampler), HANDLE_SAMPLER,
                                     VUID_VkWriteDescriptorSet_descriptorType_00325, "sampler"});
        if (entry->descriptorType != VK_DESCRIPTOR_TYPE_SAMPLER)
            skip |=
                check_handles(u, (struct handles){i, offsetof(VkDescriptorImageInfo, imageView),
                                                  HANDLE_IMAGE_VIEW,
                                                  VUID_VkWriteDescriptorSet_descriptorType_02996,
                                                  "imageView"});
        return skip;
    case TEMPLATE_HANDLE:
        if (translate_uses_texel_buffer_view(entry->descriptorType))
            return check_handles(u, (struct handles){i, 0, HANDLE_BUFFER_VIEW,
                                                     VUID_VkWriteDescriptorSet_descriptorType_02994,
                                                     NULL});
        if (entry->descriptorType == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR)
            return check_handles(
                u,
                (struct handles){
                    i, 0, HANDLE_ACCELERATION_STRUCTURE_KHR,
                    VUID_VkWriteDescriptorSetAccelerationStructureKHR_pAccelerationStructures_parameter,
                    NULL});
        if (entry->descriptorType == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV)
            return check_handles(
                u,
                (struct handles){
                    i, 0, HANDLE_ACCELERATION_STRUCTURE_NV,
                    VUID_VkWriteDescriptorSetAccelerationStructureNV_pAccelerationStructures_parameter,
                    NULL});
        return false;
    default:
        return false;
    }
}

bool lifetimes_template_data(struct call *call, VkDescriptorUpdateTemplate handle,
                             VkDescriptorSet set, const void *data, const struct location *where)
{
    const struct object *object = call_find(call, handle, HANDLE_DESCRIPTOR_UPDATE_TEMPLATE);
    const struct object *set_object = set ? call_find(call, set, HANDLE_DESCRIPTOR_SET) : NULL;
    const struct update update = {
        .call = call,
        .template =
            object_load_state_as(call, object, (uint64_t)handle, HANDLE_DESCRIPTOR_UPDATE_TEMPLATE),
        .data = data,
        .where = where};
    bool skip = false;
    for (uint32_t i = 0; update.template && data && i < update.template->count; i++)
        skip |= template_check_entry(&update, i, set_object);
    return skip;
}
