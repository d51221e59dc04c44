/* Remembers for dumps: pushed bytes, bound heaps, the data that descriptors in memory were made
 * from, and layouts. */
#include "gpu/dump/dump_notes.h"

#include <string.h>

#include "base/lock.h"
#include "gpu/device/areas.h"
#include "gpu/dump/dump.h"
#include "spirv/module/reflect.h"
#include "state/descriptor/descriptor.h"
#include "vk/chain.h"

/* The most entries that are kept of each list; programs have some hundreds. */
#define LAYOUTS_MOST 4096u

/* Guards everything in struct dump_device, for all devices. */
static struct lock notes_lock = LOCK_INITIALIZER;

void dump_fork(enum fork_step step)
{
    lock_fork(&notes_lock, step);
}

void dump_device_begin(struct call *call)
{
    if (call->result == VK_SUCCESS && call->device)
        gpu_in_device(call->device)->dump = mem_alloc_zeroed(sizeof(struct dump_device));
}

void dump_device_end(struct call *call)
{
    struct dump_device *notes = gpu_in_device(call->device)->dump;
    gpu_in_device(call->device)->dump = NULL;
    if (!notes)
        return;
    for (struct dump_layout *layout = notes->layouts, *next; layout; layout = next) {
        next = layout->next;
        mem_retire(layout);
    }
    for (struct dump_commands_layout *layout = notes->commands, *next; layout; layout = next) {
        next = layout->next;
        mem_retire(layout);
    }
    mem_retire(notes->descriptors);
    mem_retire(notes);
}

/* --- notes of recordings --- */

/* Returns the notes about the call's command buffer; NULL: memory is out. They are made once and
 * kept over resets. */
static struct dump_recording *recording_of(const struct call *call)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct gpu_in_command_buffer *area =
        command_buffer ? gpu_in_command_buffer(command_buffer) : NULL;
    if (!area || area->dump)
        return area ? area->dump : NULL;
    return mem_make(&area->dump, NULL, sizeof(*area->dump));
}

/* Notes pushed bytes, as far as they lie below DUMP_PUSH_MOST. `known` says which bytes were pushed
 * in this recording. */
static void dump_push_values(struct dump_push *to, uint32_t offset, size_t size, const void *values)
{
    if (offset >= DUMP_PUSH_MOST || pointer_is_bad(values))
        return;
    if (size > DUMP_PUSH_MOST - offset)
        size = DUMP_PUSH_MOST - offset;
    memcpy(to->bytes + offset, values, size);
    memset(to->known + offset, true, size);
}

void dump_note_constants(struct call *call, VkShaderStageFlags stages, uint32_t offset,
                         uint32_t size, const void *values)
{
    const VkShaderStageFlags rays =
        VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
        VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
        VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;
    struct dump_recording *recording = recording_of(call);
    if (!recording)
        return;
    /* One push may reach several bind points, by the stages of the range. */
    if (stages & ~(rays | VK_SHADER_STAGE_COMPUTE_BIT))
        dump_push_values(&recording->constants[bind_point_index(VK_PIPELINE_BIND_POINT_GRAPHICS)],
                         offset, size, values);
    if (stages & VK_SHADER_STAGE_COMPUTE_BIT)
        dump_push_values(&recording->constants[bind_point_index(VK_PIPELINE_BIND_POINT_COMPUTE)],
                         offset, size, values);
    if (stages & rays)
        dump_push_values(&recording
                              ->constants[bind_point_index(VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR)],
                         offset, size, values);
}

void dump_note_data(struct call *call, const VkPushDataInfoEXT *info)
{
    struct dump_recording *recording = recording_of(call);
    if (recording)
        dump_push_values(&recording->data, info->offset, info->data.size, info->data.address);
}

/* Notes the heap that is bound from here on; the reserved range in it belongs to the driver. */
static void bind_heap(struct dump_recording *recording, enum dump_heap_kind kind,
                      const VkBindHeapInfoEXT *info)
{
    assert((unsigned)kind < DUMP_HEAP_COUNT);
    recording->heaps[kind] = (struct dump_heap){.bound = true,
                                                .range = info->heapRange,
                                                .reserved_offset = info->reservedRangeOffset,
                                                .reserved_size = info->reservedRangeSize};
}

void dump_note_heap(struct call *call, enum dump_heap_kind kind, const VkBindHeapInfoEXT *info)
{
    struct dump_recording *recording = recording_of(call);
    if (recording)
        bind_heap(recording, kind, info);
}

/* Forgets the notes of the previous recording. A secondary may inherit the heaps of the primary
 * that executes it. */
void dump_recording_begin(struct call *call, const VkCommandBufferBeginInfo *info)
{
    struct dump_recording *recording = call->result == VK_SUCCESS ? recording_of(call) : NULL;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!recording)
        return;
    memset(recording, 0, sizeof(*recording));
    if (!(command_buffer->scope & SCOPE_SECONDARY) || pointer_is_bad(info->pInheritanceInfo))
        return;
    const VkCommandBufferInheritanceDescriptorHeapInfoEXT *heaps =
        chain_find(info->pInheritanceInfo->pNext,
                   VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_DESCRIPTOR_HEAP_INFO_EXT);
    if (heaps && !pointer_is_bad(heaps->pSamplerHeapBindInfo))
        bind_heap(recording, DUMP_HEAP_SAMPLERS, heaps->pSamplerHeapBindInfo);
    if (heaps && !pointer_is_bad(heaps->pResourceHeapBindInfo))
        bind_heap(recording, DUMP_HEAP_RESOURCES, heaps->pResourceHeapBindInfo);
}

/* --- descriptors --- */

/* Returns the id of an object by its handle; 0: there is no such object. Unlike a handle, an id is
 * never used again. */
static uint64_t dump_object_id(const struct call *call, uint64_t handle, enum handle_type type)
{
    const struct object *object = call_find(call, handle, type);
    return object ? atomic_load_explicit(&object->id, memory_order_relaxed) : 0;
}

/* Returns the key under which a descriptor's bytes are noted, never 0. It includes the type, as
 * descriptors of two types may have the same bytes. */
static uint64_t descriptor_bytes_key(VkDescriptorType type, const void *bytes, size_t size)
{
    return (spirv_hash(bytes, size) ^ (uint64_t)type * UINT64_C(0x9e3779b97f4a7c15)) | 1;
}

/* Notes an address descriptor. NULL describes a null descriptor, whose address stays 0. */
static void describe_address(struct dump_descriptor *to, const VkDescriptorAddressInfoEXT *info)
{
    if (pointer_is_bad(info))
        return; /* a null descriptor */
    to->address = info->address;
    to->range = info->range;
    to->format = info->format;
}

/* Notes the ids of view and sampler. The layout is the one given by the program. */
static void describe_image(const struct call *call, struct dump_descriptor *to,
                           const VkDescriptorImageInfo *info)
{
    if (pointer_is_bad(info))
        return;
    to->view = dump_object_id(call, (uint64_t)info->imageView, HANDLE_IMAGE_VIEW);
    to->layout = info->imageLayout;
    if (to->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
        to->sampler = dump_object_id(call, (uint64_t)info->sampler, HANDLE_SAMPLER);
}

/* Describes the descriptor that is requested from vkGetDescriptorEXT. Returns false if the type is
 * not known. */
static bool dump_describe_descriptor(const struct call *call, struct dump_descriptor *to,
                                     const VkDescriptorGetInfoEXT *info)
{
    switch ((int64_t)info->type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
        if (!pointer_is_bad(info->data.pSampler))
            to->sampler = dump_object_id(call, (uint64_t)*info->data.pSampler, HANDLE_SAMPLER);
        return true;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        /* Members of the union have the same type here, so any of them reads all. */
        describe_image(call, to, info->data.pSampledImage);
        return true;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        describe_address(to, info->data.pStorageBuffer);
        return true;
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
        to->address = info->data.accelerationStructure;
        return true;
    default:
        return false;
    }
}

/* Returns the DUMP_DESCRIPTOR_WAYS entries that may have the key. The key's lowest bit is always 1,
 * and so is not used. */
static struct dump_descriptor *descriptor_set_of(const struct dump_device *notes, uint64_t key)
    REQUIRES(notes_lock)
{
    return &notes->descriptors[key / 2 % DUMP_DESCRIPTOR_SETS * DUMP_DESCRIPTOR_WAYS];
}

/* Keeps the data that these bytes were made from. The newest descriptor with the same bytes counts,
 * as drivers reuse the bytes of destroyed views. */
static void keep_descriptor(struct dump_device *notes, const struct dump_descriptor *descriptor)
    REQUIRES(notes_lock)
{
    if (!notes->descriptors)
        notes->descriptors = mem_alloc_zeroed(sizeof(*notes->descriptors) * DUMP_DESCRIPTOR_SETS *
                                              DUMP_DESCRIPTOR_WAYS);
    if (!notes->descriptors)
        return;
    struct dump_descriptor *set = descriptor_set_of(notes, descriptor->key);
    uint32_t way = 0;
    while (way < DUMP_DESCRIPTOR_WAYS && set[way].key && set[way].key != descriptor->key)
        way++;
    set[way < DUMP_DESCRIPTOR_WAYS ? way : notes->oldest++ % DUMP_DESCRIPTOR_WAYS] = *descriptor;
}

void dump_note_descriptor(struct call *call, const VkDescriptorGetInfoEXT *info, size_t size,
                          const void *bytes)
{
    struct dump_device *notes = gpu_in_device(call->device)->dump;
    struct dump_descriptor descriptor = {.type = info->type};
    /* The driver has just written the bytes; no more than `size` are read. */
    if (!notes || !size || pointer_is_bad(bytes) ||
        !dump_describe_descriptor(call, &descriptor, info))
        return;
    descriptor.key = descriptor_bytes_key(info->type, bytes, size);
    lock_take(&notes_lock);
    keep_descriptor(notes, &descriptor);
    lock_release(&notes_lock);
}

/* Keeps the size of the type's descriptors in heaps, once for each size. */
static void keep_size(struct dump_device *notes, VkDescriptorType type, size_t size)
    REQUIRES(notes_lock)
{
    for (uint32_t i = 0; i < notes->size_count; i++) {
        if (notes->sizes[i].type == type && notes->sizes[i].size == size)
            return;
    }
    if (notes->size_count < DUMP_SIZES_MOST)
        notes->sizes[notes->size_count++] = (struct dump_size){type, (uint32_t)size};
}

uint32_t dump_sizes_read(const struct device *device, struct dump_size sizes[DUMP_SIZES_MOST])
{
    const struct dump_device *notes = gpu_in_device(device)->dump;
    uint32_t count = 0;
    if (!notes)
        return 0;
    /* `sizes` has room for the most sizes that are kept. */
    lock_take(&notes_lock);
    for (; count < notes->size_count; count++)
        sizes[count] = notes->sizes[count];
    lock_release(&notes_lock);
    return count;
}

/* Describes a descriptor that is written into a heap. Returns false if the type is not known. */
static bool describe_resource(const struct call *call, struct dump_descriptor *to,
                              const VkResourceDescriptorInfoEXT *info)
{
    switch ((int64_t)info->type) {
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        if (pointer_is_bad(info->data.pImage) || pointer_is_bad(info->data.pImage->pView))
            return true; /* a null descriptor */
        to->image = dump_object_id(call, (uint64_t)info->data.pImage->pView->image, HANDLE_IMAGE);
        to->layout = info->data.pImage->layout;
        return true;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        if (pointer_is_bad(info->data.pTexelBuffer))
            return true;
        to->address = info->data.pTexelBuffer->addressRange.address;
        to->range = info->data.pTexelBuffer->addressRange.size;
        to->format = info->data.pTexelBuffer->format;
        return true;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
        if (pointer_is_bad(info->data.pAddressRange))
            return true;
        to->address = info->data.pAddressRange->address;
        to->range = info->data.pAddressRange->size;
        return true;
    default:
        return false;
    }
}

void dump_note_resources(struct call *call, uint32_t count,
                         const VkResourceDescriptorInfoEXT *infos,
                         const VkHostAddressRangeEXT *places)
{
    struct dump_device *notes = gpu_in_device(call->device)->dump;
    if (!notes || call->result != VK_SUCCESS)
        return;
    for (uint32_t i = 0; i < count; i++) {
        struct dump_descriptor descriptor = {.type = infos[i].type};
        if (!places[i].size || places[i].size > UINT32_MAX || pointer_is_bad(places[i].address) ||
            !describe_resource(call, &descriptor, &infos[i]))
            continue;
        descriptor.key = descriptor_bytes_key(infos[i].type, places[i].address, places[i].size);
        lock_take(&notes_lock);
        keep_descriptor(notes, &descriptor);
        keep_size(notes, infos[i].type, places[i].size);
        lock_release(&notes_lock);
    }
}

bool dump_descriptor_find(const struct device *device, VkDescriptorType type, const void *bytes,
                          size_t size, struct dump_descriptor *found)
{
    const uint64_t key = descriptor_bytes_key(type, bytes, size);
    const struct dump_device *notes = gpu_in_device(device)->dump;
    bool is_there = false;
    if (!notes)
        return false;
    lock_take(&notes_lock);
    const struct dump_descriptor *set = notes->descriptors ? descriptor_set_of(notes, key) : NULL;
    for (uint32_t way = 0; set && way < DUMP_DESCRIPTOR_WAYS && !is_there; way++) {
        is_there = set[way].key == key;
        if (is_there)
            *found = set[way];
    }
    lock_release(&notes_lock);
    return is_there;
}

/* --- layouts --- */

const struct dump_layout *dump_layout_find(const struct device *device, uint64_t compatibility)
{
    const struct dump_layout *layout =
        gpu_in_device(device)->dump ? gpu_in_device(device)->dump->layouts : NULL;
    while (layout && layout->compatibility != compatibility)
        layout = layout->next;
    return layout;
}

/* Keeps the offsets of a set layout's bindings. Lists are read without the lock: an entry is
 * complete before it is in its list, and stays until the device is destroyed. */
void dump_note_layout(struct call *call, VkDescriptorSetLayout handle)
{
    static _Atomic uint32_t kept;
    struct dump_device *notes = gpu_in_device(call->device)->dump;
    const struct descriptor_layout *given =
        call->result == VK_SUCCESS ? find_descriptor_layout(call, handle) : NULL;
    if (!notes || !given ||
        !(given->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT) ||
        !call->device->dispatch.GetDescriptorSetLayoutBindingOffsetEXT ||
        /* Compatible layouts have the same offsets, so one is kept for all of them. */
        dump_layout_find(call->device, given->compatibility) || kept >= LAYOUTS_MOST)
        return;
    struct dump_layout *layout =
        mem_alloc(sizeof(*layout) + given->binding_count * sizeof(layout->bindings[0]));
    if (!layout)
        return;
    layout->compatibility = given->compatibility;
    layout->count = given->binding_count;
    for (uint32_t i = 0; i < given->binding_count; i++) {
        struct dump_binding *binding = &layout->bindings[i];
        *binding = (struct dump_binding){.binding = given->bindings[i].binding,
                                         .count = given->bindings[i].count,
                                         .type = given->bindings[i].type};
        call->device->dispatch
            .GetDescriptorSetLayoutBindingOffsetEXT(call->device->handle,
                                                    (VkDescriptorSetLayout)
                                                        object_driver(given->base.object),
                                                    binding->binding, &binding->offset);
    }
    kept++;
    lock_take(&notes_lock);
    layout->next = notes->layouts;
    notes->layouts = layout;
    lock_release(&notes_lock);
}

const struct dump_commands_layout *dump_commands_layout_find(const struct device *device,
                                                             uint64_t id)
{
    const struct dump_commands_layout *layout =
        gpu_in_device(device)->dump ? gpu_in_device(device)->dump->commands : NULL;
    while (layout && layout->id != id)
        layout = layout->next;
    return layout;
}

/* Returns the kept form of a token of generated commands. */
static struct dump_token token_of(const VkIndirectCommandsLayoutTokenEXT *given)
{
    struct dump_token token = {.type = given->type, .offset = given->offset};
    switch ((int64_t)given->type) {
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_SEQUENCE_INDEX_EXT:
        token.size = given->data.pPushConstant->updateRange.size;
        token.first = given->data.pPushConstant->updateRange.offset;
        break;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_EXT:
        token.first = given->data.pVertexBuffer->vertexBindingUnit;
        break;
    default:
        break;
    }
    return token;
}

void dump_note_commands_layout(struct call *call, const VkIndirectCommandsLayoutCreateInfoEXT *info,
                               VkIndirectCommandsLayoutEXT handle)
{
    /* The count is for all devices together. Two threads may pass the check at once, and keep one
     * layout too many. */
    static _Atomic uint32_t kept;
    struct dump_device *notes = gpu_in_device(call->device)->dump;
    if (!notes || call->result != VK_SUCCESS || kept >= LAYOUTS_MOST)
        return;
    struct dump_commands_layout *layout =
        mem_alloc(sizeof(*layout) + info->tokenCount * sizeof(layout->tokens[0]));
    if (!layout)
        return;
    layout->id = dump_object_id(call, (uint64_t)handle, HANDLE_INDIRECT_COMMANDS_LAYOUT_EXT);
    layout->stride = info->indirectStride;
    layout->count = info->tokenCount;
    for (uint32_t i = 0; i < info->tokenCount; i++)
        layout->tokens[i] = token_of(&info->pTokens[i]);
    kept++;
    lock_take(&notes_lock);
    layout->next = notes->commands;
    notes->commands = layout;
    lock_release(&notes_lock);
}
