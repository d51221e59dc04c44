/* Translates handles that the registry does not describe: in data of descriptor update templates,
 * in acceleration-structure instances in host memory, in arrays of returned structures. It also
 * keeps the entries of update templates. */
#include <string.h>

#include "chassis/entries.h"
#include "chassis/hooks.h"
#include "chassis/translate_structs.h"
#include "chassis/update_template.h"
#include "base/plain_atomic.h"
#include "report/finding/reporter.h"
#include "chassis/special.h"
#include "vk/chain.h"

/* Returns the form in which a template reads a descriptor of the type. */
static enum template_data template_data_of(VkDescriptorType type)
{
    if (translate_uses_image_info(type))
        return TEMPLATE_IMAGE_INFO;
    if (translate_uses_buffer_info(type))
        return TEMPLATE_BUFFER_INFO;
    switch (type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV:
    case VK_DESCRIPTOR_TYPE_TENSOR_ARM:
        return TEMPLATE_HANDLE;
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
        return TEMPLATE_BYTES;
    default:
        return TEMPLATE_NOTHING;
    }
}

/* Returns the end of the entry's data, in bytes from the start of the program's data; 0: the entry
 * reads none. */
static size_t template_entry_end(const struct template_entry *entry)
{
    const VkDescriptorUpdateTemplateEntry *given = &entry->given;
    /* The last descriptor begins here. An entry with a count of 0 has TEMPLATE_NOTHING. */
    size_t last = given->offset + ((size_t)given->descriptorCount - 1) * given->stride;
    switch (entry->data) {
    case TEMPLATE_BYTES:
        /* The count is in bytes, and the stride is ignored. */
        return given->offset + given->descriptorCount;
    case TEMPLATE_HANDLE:
        return last + sizeof(uint64_t);
    case TEMPLATE_BUFFER_INFO:
        return last + sizeof(VkDescriptorBufferInfo);
    case TEMPLATE_IMAGE_INFO:
        return last + sizeof(VkDescriptorImageInfo);
    default:
        return 0;
    }
}

/* Returns the id of an object, which no other object will have. 0: the object is not known. */
static uint64_t special_object_id(const struct call *call, uint64_t handle, enum handle_type type)
{
    const struct object *object = call_find(call, handle, type);
    return object ? atomic_load_explicit(&object->id, memory_order_relaxed) : 0;
}

/* Makes the layer's copy of an update template. NULL: memory is out. */
static struct update_template *template_new(const struct call *call,
                                            const VkDescriptorUpdateTemplateCreateInfo *info)
{
    uint32_t count = info->descriptorUpdateEntryCount;
    struct update_template *template =
        mem_alloc_lines(sizeof(*template) + count * sizeof(template->entries[0]));
    if (!template)
        return NULL;
    bool pushes = info->templateType == VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS;
    template->type = info->templateType;
    template->bind_point = pushes ? info->pipelineBindPoint : VK_PIPELINE_BIND_POINT_MAX_ENUM;
    /* The specification ignores these members unless the template is for push descriptors. */
    template->set = pushes ? info->set : 0;
    template->set_layout =
        pushes ? 0
               : special_object_id(call, info->descriptorSetLayout, HANDLE_DESCRIPTOR_SET_LAYOUT);
    template->pipeline_layout =
        pushes ? special_object_id(call, info->pipelineLayout, HANDLE_PIPELINE_LAYOUT) : 0;
    template->count = count;
    template->size = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct template_entry *entry = &template->entries[i];
        entry->given = info->pDescriptorUpdateEntries[i];
        entry->data = entry->given.descriptorCount ? template_data_of(entry->given.descriptorType)
                                                   : TEMPLATE_NOTHING;
        size_t end = template_entry_end(entry);
        if (end > template->size)
            template->size = end;
    }
    return template;
}

/* Keeps a copy of a new template. If memory is out and handles are wrapped, later updates could not
 * be translated. So the command fails with "out of memory" now, when the program can handle it. */
void created_CreateDescriptorUpdateTemplate(struct call *call, VkDevice device,
                                            const VkDescriptorUpdateTemplateCreateInfo *pCreateInfo,
                                            const VkAllocationCallbacks *pAllocator,
                                            VkDescriptorUpdateTemplate *pDescriptorUpdateTemplate)
{
    struct object *object =
        call_find(call, *pDescriptorUpdateTemplate, HANDLE_DESCRIPTOR_UPDATE_TEMPLATE);
    struct update_template *template = object ? template_new(call, pCreateInfo) : NULL;
    if (likely(template))
        /* This store is last: another thread may use the template as soon as it has the handle. */
        plain_store_release(&object->state, template);
    if (likely(template) || !call->wraps)
        return;
    struct destruction dying;
    destruction_begin(&dying, call, HANDLE_DESCRIPTOR_UPDATE_TEMPLATE, *pDescriptorUpdateTemplate);
    call->device->dispatch.DestroyDescriptorUpdateTemplate(device, dying.driver, pAllocator);
    destruction_end(&dying);
    *pDescriptorUpdateTemplate = VK_NULL_HANDLE;
    call->result = VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* The memory is freed later (retired), as another thread may be in an update with the template. */
void special_state_destroy(struct object *object)
{
    mem_retire(object->state);
}

/* Copies `count` descriptors and replaces their ids. It is inlined with constant `size` and
 * `handles` (at the start of each). The program's data need not be aligned. Neighbours often name
 * the same objects, so an id is only looked up if it differs from the one before. */
static ALWAYS_INLINE void translate_descriptors(const VkDescriptorUpdateTemplateEntry *entry,
                                                unsigned char *to, const unsigned char *from,
                                                size_t size, size_t handles)
{
    const size_t bytes = handles * sizeof(uint64_t), stride = entry->stride;
    const uint32_t count = entry->descriptorCount;
    /* VK_NULL_HANDLE translates to itself, and is the first id that is known. */
    uint64_t ids[2] = {0}, drivers[2] = {0};
    for (uint32_t d = 0; d < count; d++, from += stride, to += stride) {
        for (size_t h = 0; h < handles; h++) {
            uint64_t id;
            memcpy(&id, from + h * sizeof(id), sizeof(id));
            if (unlikely(id != ids[h])) {
                ids[h] = id;
                drivers[h] = translate_id(id);
            }
            memcpy(to + h * sizeof(id), &drivers[h], sizeof(id));
        }
        memcpy(to + bytes, from + bytes, size - bytes);
    }
}
static_assert(offsetof(VkDescriptorBufferInfo, buffer) == 0 && sizeof(VkDescriptorBufferInfo) == 24,
              "one handle, first");
static_assert(offsetof(VkDescriptorImageInfo, sampler) == 0 &&
                  offsetof(VkDescriptorImageInfo, imageView) == 8 &&
                  sizeof(VkDescriptorImageInfo) == 24,
              "two handles, first");

/* Finds the layer's copy of a template that a structure names. NULL: the template is not known. The
 * id is read before and after, as call_name() does. */
static const struct update_template *find_template(const struct call *call,
                                                   VkDescriptorUpdateTemplate handle)
{
    const uint64_t id = (uint64_t)handle;
    const struct object *object = object_find_id(id, HANDLE_DESCRIPTOR_UPDATE_TEMPLATE);
    const void *state = object ? plain_load_acquire(&object->state) : NULL;
    assert(call->wraps); /* otherwise nothing is translated */
    return object && object_is(object, id) ? state : NULL;
}

/* Copies the data of an update through `template`, with driver handles. Only what the template
 * describes is read. NULL: the template is not known. */
static const void *translate_template_data(struct translate *x,
                                           const struct update_template *template, const void *data)
{
    if (!template || !data)
        return data;
    /* The copy has the same offsets. Bytes in between are not initialised, and the driver does not
     * read them. */
    unsigned char *copy = translate_room(x, template->size, 1);
    for (uint32_t i = 0; copy && i < template->count; i++) {
        const VkDescriptorUpdateTemplateEntry *entry = &template->entries[i].given;
        const unsigned char *from = (const unsigned char *)data + entry->offset;
        unsigned char *to = copy + entry->offset;
        switch (template->entries[i].data) {
        case TEMPLATE_BYTES:
            memcpy(to, from, entry->descriptorCount);
            break;
        case TEMPLATE_HANDLE:
            translate_descriptors(entry, to, from, sizeof(uint64_t), 1);
            break;
        case TEMPLATE_BUFFER_INFO:
            translate_descriptors(entry, to, from, sizeof(VkDescriptorBufferInfo), 1);
            break;
        case TEMPLATE_IMAGE_INFO:
            translate_descriptors(entry, to, from, sizeof(VkDescriptorImageInfo), 2);
            break;
        case TEMPLATE_NOTHING:
            break;
        }
    }
    return copy;
}

/* True if the handle names no object of this device; VK_NULL_HANDLE does not count. */
static bool is_dead(const struct call *call, uint64_t handle, enum handle_type type)
{
    const struct object *object = call_find(call, handle, type);
    return handle && (!object || object->owner != call->device->owner);
}

/* True if one element of an array is dead. The array may be NULL, and then none is. */
static bool is_any_dead(const struct call *call, const uint64_t *handles, uint32_t count,
                        enum handle_type type)
{
    bool dead = false;
    for (uint32_t i = 0; handles && i < count; i++)
        dead |= is_dead(call, handles[i], type);
    return dead;
}

/* True if a structure that is chained to a write names a dead object. */
static bool chain_is_dead(const struct call *call, const void *chain)
{
    bool dead = false;
    for (struct chain_walk walk = chain_begin(chain); walk.at; chain_step(&walk)) {
        /* These three structures name objects; the other structures of a write have only data. */
        const VkBaseInStructure *at = walk.at;
        if (at->sType == VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR) {
            const VkWriteDescriptorSetAccelerationStructureKHR *write = (const void *)at;
            dead |=
                is_any_dead(call, write->pAccelerationStructures, write->accelerationStructureCount,
                            HANDLE_ACCELERATION_STRUCTURE_KHR);
        } else if (at->sType == VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_NV) {
            const VkWriteDescriptorSetAccelerationStructureNV *write = (const void *)at;
            dead |=
                is_any_dead(call, write->pAccelerationStructures, write->accelerationStructureCount,
                            HANDLE_ACCELERATION_STRUCTURE_NV);
        } else if (at->sType == VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_TENSOR_ARM) {
            const VkWriteDescriptorSetTensorARM *write = (const void *)at;
            dead |= is_any_dead(call, write->pTensorViews, write->tensorViewCount,
                                HANDLE_TENSOR_VIEW_ARM);
        }
    }
    return dead;
}

/* True if the write lacks a set, or an array that a driver reads for its descriptorType. */
static bool write_lacks_data(const VkWriteDescriptorSet *write)
{
    if (!write->dstSet)
        return true;
    if (!write->descriptorCount)
        return false;
    if (translate_uses_image_info(write->descriptorType))
        return !write->pImageInfo;
    if (translate_uses_buffer_info(write->descriptorType))
        return !write->pBufferInfo;
    if (translate_uses_texel_buffer_view(write->descriptorType))
        return !write->pTexelBufferView;
    switch (write->descriptorType) {
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK: {
        const VkWriteDescriptorSetInlineUniformBlock *block =
            chain_find(write->pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
        /* The count of a block is in bytes. */
        return !block || !block->pData || block->dataSize < write->descriptorCount;
    }
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR: {
        const VkWriteDescriptorSetAccelerationStructureKHR *structures =
            chain_find(write->pNext,
                       VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR);
        return !structures || !structures->pAccelerationStructures ||
               structures->accelerationStructureCount < write->descriptorCount;
    }
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV: {
        const VkWriteDescriptorSetAccelerationStructureNV *structures =
            chain_find(write->pNext,
                       VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_NV);
        return !structures || !structures->pAccelerationStructures ||
               structures->accelerationStructureCount < write->descriptorCount;
    }
    case VK_DESCRIPTOR_TYPE_TENSOR_ARM: {
        const VkWriteDescriptorSetTensorARM *tensors =
            chain_find(write->pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_TENSOR_ARM);
        return !tensors || !tensors->pTensorViews ||
               tensors->tensorViewCount < write->descriptorCount;
    }
    default:
        return false;
    }
}

/* True if the write names a dead object, or lacks a required one. Only members that its descriptor
 * type reads count. */
static bool write_is_dead(const struct call *call, const VkWriteDescriptorSet *write)
{
    bool dead = write_lacks_data(write) || is_dead(call, write->dstSet, HANDLE_DESCRIPTOR_SET);
    for (uint32_t i = 0; !dead && i < write->descriptorCount; i++) {
        if (translate_uses_image_info(write->descriptorType) && write->pImageInfo) {
            /* The view of a SAMPLER is ignored, and other types may have no sampler. */
            dead = (write->descriptorType != VK_DESCRIPTOR_TYPE_SAMPLER &&
                    is_dead(call, write->pImageInfo[i].imageView, HANDLE_IMAGE_VIEW)) ||
                   (translate_uses_sampler(write->descriptorType) &&
                    is_dead(call, write->pImageInfo[i].sampler, HANDLE_SAMPLER));
        } else if (translate_uses_buffer_info(write->descriptorType) && write->pBufferInfo) {
            dead = is_dead(call, write->pBufferInfo[i].buffer, HANDLE_BUFFER);
        } else if (translate_uses_texel_buffer_view(write->descriptorType) &&
                   write->pTexelBufferView) {
            dead = is_dead(call, write->pTexelBufferView[i], HANDLE_BUFFER_VIEW);
        }
    }
    return dead || chain_is_dead(call, write->pNext);
}

/* Removes writes and copies with dead handles or missing arrays, which were reported. The new
 * arrays are in scratch memory. */
static void leave_out_dead(struct translate *x, const struct call *call, uint32_t *write_count,
                           const VkWriteDescriptorSet **writes, uint32_t *copy_count,
                           const VkCopyDescriptorSet **copies)
{
    VkWriteDescriptorSet *live_writes = translate_copy(x, *writes, sizeof(**writes), *write_count);
    VkCopyDescriptorSet *live_copies = translate_copy(x, *copies, sizeof(**copies), *copy_count);
    uint32_t kept = 0;
    for (uint32_t i = 0; live_writes && i < *write_count; i++) {
        if (!write_is_dead(call, &(*writes)[i]))
            /* The order of the writes is kept, as a later write may replace an earlier one. */
            live_writes[kept++] = (*writes)[i];
    }
    *writes = live_writes;
    *write_count = kept;
    kept = 0;
    for (uint32_t i = 0; live_copies && i < *copy_count; i++) {
        if (!is_dead(call, (*copies)[i].srcSet, HANDLE_DESCRIPTOR_SET) &&
            !is_dead(call, (*copies)[i].dstSet, HANDLE_DESCRIPTOR_SET))
            live_copies[kept++] = (*copies)[i];
    }
    *copies = live_copies;
    *copy_count = kept;
}

/* Does what translate_VkWriteDescriptorSet() does for an array, with a short path for the most
 * frequent write: of one buffer. */
static const VkWriteDescriptorSet *translate_writes(struct translate *x,
                                                    const VkWriteDescriptorSet *in, uint32_t count)
{
    VkWriteDescriptorSet *copy = in && count ? translate_room(x, sizeof(*copy), count) : NULL;
    for (uint32_t i = 0; copy && i < count; i++) {
        copy[i] = in[i];
        /* The general function follows every pointer that the type has. */
        if (unlikely(in[i].pNext || in[i].descriptorCount != 1 ||
                     !translate_uses_buffer_info(in[i].descriptorType) || !in[i].pBufferInfo)) {
            translate_fix_VkWriteDescriptorSet(x, &copy[i]);
            continue;
        }
        VkDescriptorBufferInfo *info = translate_room(x, sizeof(*info), 1);
        if (unlikely(!info))
            return NULL;
        *info = *in[i].pBufferInfo;
        info->buffer = (VkBuffer)translate_id((uint64_t)info->buffer);
        copy[i].pBufferInfo = info;
        copy[i].dstSet = (VkDescriptorSet)translate_id((uint64_t)copy[i].dstSet);
    }
    return copy;
}

void dispatch_UpdateDescriptorSets(struct call *call, VkDevice device,
                                   uint32_t descriptorWriteCount,
                                   const VkWriteDescriptorSet *pDescriptorWrites,
                                   uint32_t descriptorCopyCount,
                                   const VkCopyDescriptorSet *pDescriptorCopies)
{
    struct translate x = translate_begin(call);
    if (unlikely(call->dead_element))
        leave_out_dead(&x, call, &descriptorWriteCount, &pDescriptorWrites, &descriptorCopyCount,
                       &pDescriptorCopies);
    if (x.active) {
        pDescriptorWrites = translate_writes(&x, pDescriptorWrites, descriptorWriteCount);
        pDescriptorCopies =
            translate_VkCopyDescriptorSet(&x, pDescriptorCopies, descriptorCopyCount);
    }
    if (x.failed)
        /* Memory is out: ids must not reach the driver. */
        translate_failed(call);
    else
        call->device->dispatch.UpdateDescriptorSets(device, descriptorWriteCount, pDescriptorWrites,
                                                    descriptorCopyCount, pDescriptorCopies);
    translate_end(&x);
}

void dispatch_UpdateDescriptorSetWithTemplate(struct call *call, VkDevice device,
                                              VkDescriptorSet descriptorSet,
                                              VkDescriptorUpdateTemplate descriptorUpdateTemplate,
                                              const void *pData)
{
    struct translate x = translate_begin(call);
    /* If handles are not wrapped, the translation is not active, and the driver gets the program's
     * data. */
    if (x.active) {
        pData = translate_template_data(&x, call->named[1].state, pData);
        descriptorSet = (VkDescriptorSet)translate_named(call, 0, (uint64_t)descriptorSet);
        descriptorUpdateTemplate =
            (VkDescriptorUpdateTemplate)translate_named(call, 1,
                                                        (uint64_t)descriptorUpdateTemplate);
    }
    if (x.failed)
        translate_failed(call);
    else
        call->device->dispatch.UpdateDescriptorSetWithTemplate(device, descriptorSet,
                                                               descriptorUpdateTemplate, pData);
    translate_end(&x);
}

void dispatch_CmdPushDescriptorSetWithTemplate(struct call *call, VkCommandBuffer commandBuffer,
                                               VkDescriptorUpdateTemplate descriptorUpdateTemplate,
                                               VkPipelineLayout layout, uint32_t set,
                                               const void *pData)
{
    struct translate x = translate_begin(call);
    if (x.active) {
        pData = translate_template_data(&x, call->named[0].state, pData);
        descriptorUpdateTemplate =
            (VkDescriptorUpdateTemplate)translate_named(call, 0,
                                                        (uint64_t)descriptorUpdateTemplate);
        layout = (VkPipelineLayout)translate_named(call, 1, (uint64_t)layout);
    }
    if (x.failed)
        translate_failed(call);
    else
        call->device->dispatch.CmdPushDescriptorSetWithTemplate(commandBuffer,
                                                                descriptorUpdateTemplate, layout,
                                                                set, pData);
    translate_end(&x);
}

void dispatch_CmdPushDescriptorSetWithTemplate2(struct call *call, VkCommandBuffer commandBuffer,
                                                const VkPushDescriptorSetWithTemplateInfo
                                                    *pPushDescriptorSetWithTemplateInfo)
{
    struct translate x = translate_begin(call);
    const VkPushDescriptorSetWithTemplateInfo *info = pPushDescriptorSetWithTemplateInfo;
    if (x.active) {
        VkPushDescriptorSetWithTemplateInfo *copy = translate_copy(&x, info, sizeof(*info), 1);
        if (copy) {
            copy->pData =
                translate_template_data(&x, find_template(call, info->descriptorUpdateTemplate),
                                        info->pData);
            translate_fix_VkPushDescriptorSetWithTemplateInfo(&x, copy);
        }
        info = copy;
    }
    if (x.failed)
        translate_failed(call);
    else
        call->device->dispatch.CmdPushDescriptorSetWithTemplate2(commandBuffer, info);
    translate_end(&x);
}

void created_AllocateCommandBuffers(struct call *call, VkDevice device,
                                    const VkCommandBufferAllocateInfo *pAllocateInfo,
                                    VkCommandBuffer *pCommandBuffers)
{
    if (pAllocateInfo->level != VK_COMMAND_BUFFER_LEVEL_SECONDARY)
        return;
    for (uint32_t i = 0; i < pAllocateInfo->commandBufferCount; i++) {
        struct object *object = object_find_dispatchable(pCommandBuffers[i], HANDLE_COMMAND_BUFFER);
        if (object)
            atomic_fetch_or_explicit(&object->flags, OBJECT_SECONDARY, memory_order_relaxed);
    }
}

/* Translates the instances of a host build in host memory, whose references are
 * VkAccelerationStructureKHR handles (VkAccelerationStructureInstanceKHR). `geometry` is the
 * layer's own copy. */
static void translate_instances(struct translate *x, VkAccelerationStructureGeometryKHR *geometry,
                                const VkAccelerationStructureBuildRangeInfoKHR *range)
{
    VkAccelerationStructureGeometryInstancesDataKHR *instances = &geometry->geometry.instances;
    if (geometry->geometryType != VK_GEOMETRY_TYPE_INSTANCES_KHR || !range ||
        !range->primitiveCount || !instances->data.hostAddress)
        return;
    const unsigned char *from =
        (const unsigned char *)instances->data.hostAddress + range->primitiveOffset;
    size_t size = sizeof(VkAccelerationStructureInstanceKHR);
    VkAccelerationStructureInstanceKHR *copy =
        scratch_alloc(x->scratch, range->primitiveOffset + range->primitiveCount * size);
    if (!copy) {
        x->failed = true;
        return;
    }
    VkAccelerationStructureInstanceKHR *at =
        (void *)((unsigned char *)copy + range->primitiveOffset);
    for (uint32_t i = 0; i < range->primitiveCount; i++) {
        const void *source = instances->arrayOfPointers
                                 ? ((const void *const *)(const void *)from)[i]
                                 : from + i * size;
        memcpy(&at[i], source, size);
        at[i].accelerationStructureReference = translate_id(at[i].accelerationStructureReference);
    }
    instances->arrayOfPointers = VK_FALSE;
    instances->data.hostAddress = copy;
}

VkResult
dispatch_BuildAccelerationStructuresKHR(struct call *call, VkDevice device,
                                        VkDeferredOperationKHR deferredOperation,
                                        uint32_t infoCount,
                                        const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
                                        const VkAccelerationStructureBuildRangeInfoKHR *const
                                            *ppBuildRangeInfos)
{
    struct translate x = translate_begin(call);
    bool done_at_once = x.active && deferredOperation;
    if (x.active) {
        /* The copies live as long as this call, so the driver must do the work now. */
        deferredOperation = VK_NULL_HANDLE;
        pInfos = translate_VkAccelerationStructureBuildGeometryInfoKHR(&x, pInfos, infoCount);
        for (uint32_t i = 0; pInfos && ppBuildRangeInfos && i < infoCount; i++) {
            for (uint32_t g = 0; ppBuildRangeInfos[i] && g < pInfos[i].geometryCount; g++) {
                const VkAccelerationStructureGeometryKHR *geometry =
                    pInfos[i].pGeometries    ? &pInfos[i].pGeometries[g]
                    : pInfos[i].ppGeometries ? pInfos[i].ppGeometries[g]
                                             : NULL;
                if (geometry) /* translation has copied it */
                    translate_instances(&x,
                                        (VkAccelerationStructureGeometryKHR *)(uintptr_t)geometry,
                                        &ppBuildRangeInfos[i][g]);
            }
        }
    }
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (x.failed)
        translate_failed(call);
    else
        result = call->device->dispatch.BuildAccelerationStructuresKHR(device, deferredOperation,
                                                                       infoCount, pInfos,
                                                                       ppBuildRangeInfos);
    translate_end(&x);
    return result == VK_SUCCESS && done_at_once ? VK_OPERATION_NOT_DEFERRED_KHR : result;
}

VkResult dispatch_CreatePipelineBinariesKHR(struct call *call, VkDevice device,
                                            const VkPipelineBinaryCreateInfoKHR *pCreateInfo,
                                            const VkAllocationCallbacks *pAllocator,
                                            VkPipelineBinaryHandlesInfoKHR *pBinaries)
{
    struct translate x = translate_begin(call);
    if (x.active)
        pCreateInfo = translate_VkPipelineBinaryCreateInfoKHR(&x, pCreateInfo, 1);
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (x.failed) {
        translate_failed(call);
    } else {
        for (uint32_t i = 0; pBinaries->pPipelineBinaries && i < pBinaries->pipelineBinaryCount;
             i++)
            /* A binary that the driver does not create stays VK_NULL_HANDLE. */
            pBinaries->pPipelineBinaries[i] = VK_NULL_HANDLE;
        result = call->device->dispatch.CreatePipelineBinariesKHR(device, pCreateInfo, pAllocator,
                                                                  pBinaries);
    }
    translate_end(&x);
    struct object_create_info creation =
        creation_begin(call, HANDLE_PIPELINE_BINARY_KHR, call->object);
    creation.has_allocator = pAllocator != NULL;
    for (uint32_t i = 0;
         !x.failed && pBinaries->pPipelineBinaries && i < pBinaries->pipelineBinaryCount; i++)
        pBinaries->pPipelineBinaries[i] =
            creation_adopt(&creation, pBinaries->pPipelineBinaries[i]);
    return result;
}

VkResult dispatch_EnumeratePhysicalDeviceGroups(struct call *call, VkInstance instance,
                                                uint32_t *pPhysicalDeviceGroupCount,
                                                VkPhysicalDeviceGroupProperties
                                                    *pPhysicalDeviceGroupProperties)
{
    VkResult result =
        call->instance->dispatch.EnumeratePhysicalDeviceGroups(instance, pPhysicalDeviceGroupCount,
                                                               pPhysicalDeviceGroupProperties);
    if (result < 0 || !pPhysicalDeviceGroupProperties)
        return result;
    struct object_create_info creation = creation_begin(call, HANDLE_PHYSICAL_DEVICE, call->object);
    creation.findable_by_driver = true;
    for (uint32_t i = 0; i < *pPhysicalDeviceGroupCount; i++) {
        const VkPhysicalDeviceGroupProperties *group = &pPhysicalDeviceGroupProperties[i];
        for (uint32_t d = 0; d < group->physicalDeviceCount; d++)
            (void)creation_adopt(&creation, (uint64_t)group->physicalDevices[d]);
    }
    return result;
}

/* --- the program's own callbacks for findings --- */

void created_CreateDebugUtilsMessengerEXT(struct call *call, VkInstance instance,
                                          const VkDebugUtilsMessengerCreateInfoEXT *pCreateInfo,
                                          const VkAllocationCallbacks *pAllocator,
                                          VkDebugUtilsMessengerEXT *pMessenger)
{
    reporter_add_messenger(call->instance->reporter, *pMessenger, pCreateInfo);
}

void created_CreateDebugReportCallbackEXT(struct call *call, VkInstance instance,
                                          const VkDebugReportCallbackCreateInfoEXT *pCreateInfo,
                                          const VkAllocationCallbacks *pAllocator,
                                          VkDebugReportCallbackEXT *pCallback)
{
    reporter_add_report_callback(call->instance->reporter, *pCallback, pCreateInfo);
}

void destroying_VkDebugUtilsMessengerEXT(struct call *call, VkDebugUtilsMessengerEXT messenger)
{
    reporter_remove_messenger(call->instance->reporter, messenger);
}

void destroying_VkDebugReportCallbackEXT(struct call *call, VkDebugReportCallbackEXT callback)
{
    reporter_remove_report_callback(call->instance->reporter, callback);
}
