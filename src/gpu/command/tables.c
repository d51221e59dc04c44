/* Fills the tables in which shaders look up each descriptor. They are filled from the state
 * tracker's data on the set, after it has noted a change. */
#include "gpu/command/tables.h"

#include <string.h>

#include "chassis/update_template.h"
#include "gpu/device/areas.h"
#include "gpu/command/command.h"
#include "gpu/hooks.h"
#include "spirv/module/reflect.h"
#include "state/raytracing/acceleration_structure.h"
#include "state/memory/buffer.h"
#include "state/descriptor/descriptor_access.h"
#include "state/descriptor/descriptor_resources.h"
#include "state/memory/formats.h"
#include "state/memory/image.h"

/* One descriptor as shaders read it (spirv/abi.h). ENTRY_CLASS is 0 if it was never written. */
struct entry {
    uint32_t words[ENTRY_WORDS];
};
/* The index of a word that shaders do not read: the full generation of the object. */
#define ENTRY_GENERATION 3

/* --- one descriptor --- */

/* Returns the numeric class in which shaders read a view of this format; SPIRV_NUMERIC_NONE:
 * unknown. */
static uint32_t view_format_numeric(VkFormat format, VkImageAspectFlags aspects)
{
    if (!format_info(format))
        return SPIRV_NUMERIC_NONE;
    if (format_is_depth_stencil(format))
        return aspects == VK_IMAGE_ASPECT_STENCIL_BIT ? SPIRV_NUMERIC_UINT : SPIRV_NUMERIC_FLOAT;
    return format_is_uint(format)   ? SPIRV_NUMERIC_UINT
           : format_is_sint(format) ? SPIRV_NUMERIC_SINT
                                    : SPIRV_NUMERIC_FLOAT;
}

/* Returns the bit of the numeric class, or all bits if the format's class is unknown, so that every
 * shader matches. */
static uint32_t numeric_class(VkFormat format, VkImageAspectFlags aspects)
{
    uint32_t numeric = view_format_numeric(format, aspects);
    return numeric == SPIRV_NUMERIC_NONE ? CLASS_NUMERIC : 1u << (numeric + CLASS_NUMERIC_SHIFT);
}

static_assert(SPIRV_RESOURCE_SAMPLER == 1 &&
                  SPIRV_RESOURCE_ACCELERATION_STRUCTURE + CLASS_RESOURCE_SHIFT == 31,
              "there is a bit for each");

/* Returns the descriptor's type, and the bits of the resources that it can be in a shader. */
static uint32_t tag_class(uint32_t tag)
{
    return tag | (descriptor_resources((enum descriptor_tag)tag) << CLASS_RESOURCE_SHIFT &
                  CLASS_RESOURCE);
}

/* Returns the bits by which a shader compares its image type with the view: dimension, numeric
 * class, multisampled or not. */
static uint32_t image_class(const struct image_view *view)
{
    /* A callback may have let a view with an invalid type pass. */
    const bool known =
        view->type >= VK_IMAGE_VIEW_TYPE_1D && view->type <= VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
    uint32_t types = known ? 1u << view->type : CLASS_DIM >> CLASS_DIM_SHIFT;
    /* Such a view is valid both as an array and as a single image. */
    if (known && view->image_flags & VK_IMAGE_CREATE_ALIAS_SINGLE_LAYER_DESCRIPTOR_BIT_KHR)
        types |= view->type <= VK_IMAGE_VIEW_TYPE_2D ? types << VK_IMAGE_VIEW_TYPE_1D_ARRAY
                                                     : types >> VK_IMAGE_VIEW_TYPE_1D_ARRAY & 3u;
    return types << CLASS_DIM_SHIFT | numeric_class(view->format, view->range.aspectMask) |
           (view->samples > VK_SAMPLE_COUNT_1_BIT ? CLASS_MULTI : CLASS_SINGLE);
}

/* Returns the slot and the generation of an object in one word. A slot without a byte in the table
 * of living objects gives ENTRY_NULL, as for an object that cannot be destroyed. */
static uint32_t object_word(uint32_t slot, uint32_t generation)
{
    return slot < GPU_ALIVE_LIMIT ? slot | generation << GENERATION_SHIFT : ENTRY_NULL;
}

/* Cuts a size to the largest number that a word of the table holds. */
static uint32_t table_clamp(VkDeviceSize value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* Returns how many bytes of its buffer a descriptor covers. Dynamic offsets are not included, and
 * are checked when they are given. */
static uint32_t buffer_bytes(struct descriptor d)
{
    const struct buffer *buffer = buffer_by_id(descriptor_buffer_id(d));
    VkDeviceSize range = descriptor_buffer_range(d), offset;
    if (range != VK_WHOLE_SIZE)
        return table_clamp(range);
    /* The range may be more than 4 GiB, and the offset may be unknown: then the size counts as
     * unlimited. */
    if (!buffer || !descriptor_buffer_offset(d, &offset) || offset > buffer->size)
        return UINT32_MAX;
    return table_clamp(buffer->size - offset);
}

/* Returns how many texels a buffer view has; UINT32_MAX: the format is unknown, and no access is
 * out of range. In formats with several texels in a block, each texel counts. */
static uint32_t view_texels(const struct buffer_view *view)
{
    const struct format_info *info = format_info(view->format);
    if (!info || !info->block_size)
        return UINT32_MAX;
    return table_clamp(view->range / info->block_size *
                       (info->texels_per_block ? info->texels_per_block : 1));
}

/* Makes shaders see that the object exists. A stale id names no object, and stays dead. */
static void tables_note_name(struct gpu_device *gpu, uint64_t id)
{
    if (id && object_find_id(id, object_id_type(id)))
        gpu_object_named(gpu, id);
}

/* Fills in the facts of the view, and of the sampler of a combined descriptor. The entry of a
 * destroyed view is left unchanged: the check of the alive table reports the view. */
static void tables_add_image(struct gpu_device *gpu, struct descriptor d, struct entry *entry)
{
    uint64_t id = descriptor_view_id(d);
    const struct image_view *view = image_view_by_id(id);
    tables_note_name(gpu, id);
    if (view)
        entry->words[ENTRY_CLASS] = tag_class(d.tag) | CLASS_WRITTEN | image_class(view);
    if (d.tag != DESCRIPTOR_COMBINED_IMAGE_SAMPLER || !d.image.sampler_index)
        return;
    tables_note_name(gpu, (uint64_t)d.image.sampler_index << 32 |
                              (uint64_t)d.image.sampler_generation << 8 | HANDLE_SAMPLER);
    entry->words[ENTRY_RANGE] = object_word(d.image.sampler_index, d.image.sampler_generation);
}

/* Returns the entry of a descriptor that was written, and whose contents are not known. */
static struct entry entry_unknown(uint32_t tag)
{
    return (struct entry){{[ENTRY_OBJECT] = ENTRY_NULL,
                           [ENTRY_CLASS] = tag_class(tag) | CLASS_ANY,
                           [ENTRY_RANGE] = UINT32_MAX}};
}

/* Returns the table's entry for one descriptor. */
static struct entry table_entry_of(struct gpu_device *gpu, struct descriptor d)
{
    enum descriptor_tag tag = d.tag;
    if (tag == DESCRIPTOR_NOTHING)
        return (struct entry){{[ENTRY_RANGE] = UINT32_MAX}};
    struct entry entry = entry_unknown(tag);
    if (!d.index) /* null, immutable samplers, inline uniform blocks */
        return entry;
    entry.words[ENTRY_OBJECT] = object_word(d.index, d.generation);
    entry.words[ENTRY_GENERATION] = d.generation;
    if (descriptor_is_image(tag))
        tables_add_image(gpu, d, &entry);
    else if (descriptor_is_buffer(tag)) {
        tables_note_name(gpu, descriptor_buffer_id(d));
        entry.words[ENTRY_RANGE] = buffer_bytes(d);
    } else if (descriptor_is_texel_buffer(tag)) {
        const struct buffer_view *view = buffer_view_by_id(descriptor_buffer_view_id(d));
        tables_note_name(gpu, descriptor_buffer_view_id(d));
        if (view) {
            entry.words[ENTRY_CLASS] = tag_class(tag) | CLASS_WRITTEN |
                                       numeric_class(view->format, VK_IMAGE_ASPECT_COLOR_BIT);
            entry.words[ENTRY_RANGE] = view_texels(view);
        }
    } else if (tag == DESCRIPTOR_SAMPLER)
        tables_note_name(gpu, descriptor_object_id(d, HANDLE_SAMPLER));
    else if (tag == DESCRIPTOR_ACCELERATION_STRUCTURE_KHR)
        tables_note_name(gpu, descriptor_object_id(d, HANDLE_ACCELERATION_STRUCTURE_KHR));
    else if (tag == DESCRIPTOR_ACCELERATION_STRUCTURE_NV)
        tables_note_name(gpu, descriptor_object_id(d, HANDLE_ACCELERATION_STRUCTURE_NV));
    else
        /* the destruction of objects of these types is not tracked */
        entry.words[ENTRY_OBJECT] = ENTRY_NULL;
    return entry;
}

/* --- tables --- */

bool gpu_binding_is_asked(const struct descriptor_binding *binding)
{
    enum descriptor_tag tag = descriptor_tag_of(binding->type);
    const VkDescriptorBindingFlags unwritten =
        VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT | VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
        VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT |
        VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
    if (tag == DESCRIPTOR_INLINE_UNIFORM_BLOCK)
        return false;
    return binding->flags & unwritten || binding->count > 1 || tag == DESCRIPTOR_MUTABLE ||
           descriptor_is_buffer(tag) || descriptor_is_texel_buffer(tag);
}

/* True if shaders may look up a descriptor of the layout. Other sets get no table, which saves
 * memory. */
static bool layout_is_asked(const struct descriptor_layout *layout)
{
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        if (gpu_binding_is_asked(&layout->bindings[i]))
            return true;
    }
    return false;
}

/* The most descriptors of a set with a table. A larger set has none: it is not checked. */
#define DESCRIPTORS_MOST (1u << 24)

/* Returns the bytes of a table with so many descriptors; that cannot overflow below
 * DESCRIPTORS_MOST. */
static uint32_t table_bytes(uint32_t descriptor_count)
{
    return (TABLE_ENTRIES + ENTRY_WORDS * descriptor_count) * (uint32_t)sizeof(uint32_t);
}

VkDeviceAddress gpu_table_address(const struct descriptor_set *set)
{
    const struct gpu_table *table =
        set ? atomic_load_explicit(&gpu_in_descriptor_set(set)->table, memory_order_acquire) : NULL;
    return table ? table->memory.address : 0;
}

/* Writes the entries of `count` descriptors from `first` on. Each descriptor is loaded once, as
 * another thread may update it. */
static void table_fill(struct gpu_device *gpu, uint32_t *table,
                       const struct descriptor *descriptors, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        struct entry entry = table_entry_of(gpu, descriptor_load(&descriptors[i]));
        memcpy(&table[TABLE_ENTRIES + (size_t)ENTRY_WORDS * i], &entry, sizeof(entry));
    }
}

/* Fills in the descriptors that need no update: the layout's immutable samplers, and inline uniform
 * blocks (whose bytes may be undefined, but the descriptor is there). */
static void fill_immutable(uint32_t *table, const struct descriptor_layout *layout, uint32_t count)
{
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        const struct descriptor_binding *binding = &layout->bindings[i];
        bool block = binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
        if (!block && !(binding->immutable_samplers && binding->type == VK_DESCRIPTOR_TYPE_SAMPLER))
            continue;
        uint32_t end = binding->first + (block ? 1 : binding->count);
        const uint32_t tag = descriptor_tag_of(binding->type);
        for (uint32_t j = binding->first; j < end && j < count; j++) {
            struct entry entry = entry_unknown(tag);
            memcpy(&table[TABLE_ENTRIES + (size_t)ENTRY_WORDS * j], &entry, sizeof(entry));
        }
    }
}

/* Fills a table with descriptors that were never written, of any type. */
static void table_clear(uint32_t *table, uint32_t count)
{
    static const struct entry nothing = {{[ENTRY_RANGE] = UINT32_MAX}};
    memset(table, 0, TABLE_ENTRIES * sizeof(*table));
    for (uint32_t i = 0; i < count; i++)
        memcpy(&table[TABLE_ENTRIES + (size_t)ENTRY_WORDS * i], &nothing, sizeof(nothing));
}

/* Makes the table of a set that is new, or reuses another set's memory: no descriptor is written
 * yet. */
static void add_table(const struct call *call, struct descriptor_set *set)
{
    struct gpu_device *gpu = gpu_in_device(call->device)->gpu;
    struct gpu_table *table =
        set->descriptor_count <= DESCRIPTORS_MOST && layout_is_asked(set->layout)
            ? mem_alloc_state(sizeof(*table))
            : NULL;
    if (!table)
        return;
    uint32_t size = table_bytes(set->descriptor_count);
    if (!gpu_memory_take(&gpu->memory, GPU_MEMORY_READ, size, &table->memory)) {
        mem_free(table);
        gpu_device_stop(call, gpu);
        return;
    }
    uint32_t *words = table->memory.host;
    table_clear(words, set->descriptor_count);
    words[TABLE_VARIABLE_COUNT] = set->variable_count;
    fill_immutable(words, set->layout, set->descriptor_count);
    atomic_store_explicit(&gpu_in_descriptor_set(set)->table, table, memory_order_release);
}

void gpu_table_free(struct gpu_device *gpu, struct descriptor_set *set)
{
    struct gpu_table *table = set ? atomic_exchange_explicit(&gpu_in_descriptor_set(set)->table,
                                                             NULL, memory_order_acq_rel)
                                  : NULL;
    if (!table)
        return;
    /* A concurrent update of the set, which the program must not make, may still use the table: it
     * is retired unchanged. */
    struct gpu_memory memory = table->memory;
    gpu_memory_give(&gpu->memory, &memory);
    mem_retire(table);
}

VkDeviceAddress gpu_table_push(const struct call *call, struct gpu_command_buffer *commands,
                               const struct command_buffer *command_buffer, uint32_t point,
                               uint32_t set)
{
    assert(point < BIND_POINTS && set < BOUND_SETS);
    const struct bind_point_state *bind = &command_buffer->bind[point];
    struct gpu_pushed *pushed = &commands->pushed[point];
    struct bound_descriptors found;
    /* 0 means that no table was made in this recording, so 1 is added to the version. */
    if (pushed->version == bind->pushed_version + 1)
        return pushed->table;
    if (!bound_set_read(bind, set, &found) || found.count > DESCRIPTORS_MOST ||
        !layout_is_asked(found.layout))
        return 0;
    uint32_t *words = gpu_command_take(call, commands, table_bytes(found.count), &pushed->table);
    if (!words)
        return 0;
    memset(words, 0, TABLE_ENTRIES * sizeof(*words));
    table_fill(gpu_in_device(call->device)->gpu, words, found.descriptors, 0, found.count);
    fill_immutable(words, found.layout, found.count);
    pushed->version = bind->pushed_version + 1;
    return pushed->table;
}

bool gpu_table_pushed(struct gpu_device *gpu, uint32_t recording, VkDeviceAddress table,
                      uint32_t entry, struct descriptor *descriptor)
{
    struct entry found;
    const VkDeviceSize at = (TABLE_ENTRIES + (VkDeviceSize)ENTRY_WORDS * entry) * sizeof(uint32_t);
    /* The read also fails if the recording is gone meanwhile: the copy may be torn then. */
    if (!gpu_command_read(gpu, recording, table + at, &found, sizeof(found)) ||
        found.words[ENTRY_OBJECT] == ENTRY_NULL || !found.words[ENTRY_CLASS])
        return false;
    *descriptor =
        (struct descriptor){.tag = found.words[ENTRY_CLASS] & CLASS_TAG,
                            .index = found.words[ENTRY_OBJECT] & ((1u << GENERATION_SHIFT) - 1),
                            .generation = found.words[ENTRY_GENERATION] & 0xffffff};
    return true;
}

/* --- sets are allocated, changed and freed --- */

void gpu_after_AllocateDescriptorSets(struct call *call, VkDevice device,
                                      const VkDescriptorSetAllocateInfo *pAllocateInfo,
                                      VkDescriptorSet *pDescriptorSets)
{
    for (uint32_t i = 0; gpu_device_runs(gpu_in_device(call->device)->gpu) &&
                         call->result == VK_SUCCESS && i < pAllocateInfo->descriptorSetCount;
         i++) {
        struct descriptor_set *set = find_descriptor_set(call, pDescriptorSets[i]);
        if (set && !atomic_load_explicit(&gpu_in_descriptor_set(set)->table, memory_order_relaxed))
            add_table(call, set);
    }
}

/* Updates the table after a change of `count` descriptors from `element` of a binding on. All bytes
 * of an inline uniform block are one descriptor. */
static void tables_descriptors_changed(const struct call *call, VkDescriptorSet handle,
                                       uint32_t number, uint32_t element, uint32_t count)
{
    struct descriptor_set *set = find_descriptor_set(call, handle);
    const struct gpu_table *table =
        set ? atomic_load_explicit(&gpu_in_descriptor_set(set)->table, memory_order_acquire) : NULL;
    const struct descriptor_binding *binding =
        table ? descriptor_layout_find(set->layout, number) : NULL;
    if (!binding || binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ||
        (binding->type == VK_DESCRIPTOR_TYPE_SAMPLER && binding->immutable_samplers))
        return;
    uint64_t first = (uint64_t)binding->first + element;
    if (first >= set->descriptor_count)
        return;
    uint32_t left = set->descriptor_count - (uint32_t)first;
    table_fill(gpu_in_device(call->device)->gpu, table->memory.host, set->descriptors,
               (uint32_t)first, count < left ? count : left);
}

void gpu_after_UpdateDescriptorSets(struct call *call, VkDevice device,
                                    uint32_t descriptorWriteCount,
                                    const VkWriteDescriptorSet *pDescriptorWrites,
                                    uint32_t descriptorCopyCount,
                                    const VkCopyDescriptorSet *pDescriptorCopies)
{
    if (!gpu_in_device(call->device)->gpu)
        return;
    for (uint32_t i = 0; i < descriptorWriteCount; i++) {
        const VkWriteDescriptorSet *write = &pDescriptorWrites[i];
        tables_descriptors_changed(call, write->dstSet, write->dstBinding, write->dstArrayElement,
                                   write->descriptorCount);
    }
    for (uint32_t i = 0; i < descriptorCopyCount; i++) {
        const VkCopyDescriptorSet *copy = &pDescriptorCopies[i];
        tables_descriptors_changed(call, copy->dstSet, copy->dstBinding, copy->dstArrayElement,
                                   copy->descriptorCount);
    }
}

void gpu_after_UpdateDescriptorSetWithTemplate(struct call *call, VkDevice device,
                                               VkDescriptorSet descriptorSet,
                                               VkDescriptorUpdateTemplate descriptorUpdateTemplate,
                                               const void *pData)
{
    /* NULL: the template's state could not be kept, and the table is not updated. */
    const struct update_template *template =
        gpu_in_device(call->device)->gpu ? call->named[1].state : NULL;
    for (uint32_t i = 0; template && i < template->count; i++) {
        const VkDescriptorUpdateTemplateEntry *entry = &template->entries[i].given;
        tables_descriptors_changed(call, descriptorSet, entry->dstBinding, entry->dstArrayElement,
                                   entry->descriptorCount);
    }
}

void gpu_before_FreeDescriptorSets(struct call *call, VkDevice device,
                                   VkDescriptorPool descriptorPool, uint32_t descriptorSetCount,
                                   const VkDescriptorSet *pDescriptorSets)
{
    for (uint32_t i = 0;
         gpu_in_device(call->device)->gpu && pDescriptorSets && i < descriptorSetCount; i++)
        gpu_table_free(gpu_in_device(call->device)->gpu,
                       find_descriptor_set(call, pDescriptorSets[i]));
}

/* Frees the table of a set. For object_for_each_child() of a descriptor pool; `context` is the
 * gpu_device. */
static void free_child(struct object *child, void *context)
{
    if (object_type(child) == HANDLE_DESCRIPTOR_SET)
        gpu_table_free(context, object_load_state(child));
}

/* Frees the tables of all sets of a pool, because the pool is destroyed or reset. */
static void free_children(const struct call *call, VkDescriptorPool handle)
{
    struct object *pool = gpu_in_device(call->device)->gpu
                              ? call_find(call, (uint64_t)handle, HANDLE_DESCRIPTOR_POOL)
                              : NULL;
    if (pool)
        object_for_each_child(pool, free_child, gpu_in_device(call->device)->gpu);
}

void gpu_before_ResetDescriptorPool(struct call *call, VkDevice device,
                                    VkDescriptorPool descriptorPool,
                                    VkDescriptorPoolResetFlags flags)
{
    free_children(call, descriptorPool);
}

void gpu_before_DestroyDescriptorPool(struct call *call, VkDevice device,
                                      VkDescriptorPool descriptorPool,
                                      const VkAllocationCallbacks *pAllocator)
{
    free_children(call, descriptorPool);
}

/* --- destruction of objects that descriptors refer to --- */

/* Makes shaders see that an object, and the objects that depend on it, no longer exist. That is
 * noted before the driver destroys it. */
static void tables_object_gone(const struct call *call, uint64_t handle, enum handle_type type)
{
    const struct object *object =
        gpu_in_device(call->device)->gpu ? call_find(call, handle, type) : NULL;
    if (object)
        gpu_object_gone(gpu_in_device(call->device)->gpu,
                        atomic_load_explicit(&object->id, memory_order_relaxed));
}

void gpu_before_DestroyImageView(struct call *call, VkDevice device, VkImageView imageView,
                                 const VkAllocationCallbacks *pAllocator)
{
    tables_object_gone(call, (uint64_t)imageView, HANDLE_IMAGE_VIEW);
}

void gpu_before_DestroyBufferView(struct call *call, VkDevice device, VkBufferView bufferView,
                                  const VkAllocationCallbacks *pAllocator)
{
    tables_object_gone(call, (uint64_t)bufferView, HANDLE_BUFFER_VIEW);
}

void gpu_before_DestroyBuffer(struct call *call, VkDevice device, VkBuffer buffer,
                              const VkAllocationCallbacks *pAllocator)
{
    tables_object_gone(call, (uint64_t)buffer, HANDLE_BUFFER);
}

void gpu_before_DestroyImage(struct call *call, VkDevice device, VkImage image,
                             const VkAllocationCallbacks *pAllocator)
{
    tables_object_gone(call, (uint64_t)image, HANDLE_IMAGE);
}

void gpu_before_FreeMemory_tables(struct call *call, VkDevice device, VkDeviceMemory memory,
                                  const VkAllocationCallbacks *pAllocator)
{
    tables_object_gone(call, (uint64_t)memory, HANDLE_DEVICE_MEMORY);
}

void gpu_before_DestroySampler(struct call *call, VkDevice device, VkSampler sampler,
                               const VkAllocationCallbacks *pAllocator)
{
    tables_object_gone(call, (uint64_t)sampler, HANDLE_SAMPLER);
}

void gpu_before_DestroyAccelerationStructureKHR(struct call *call, VkDevice device,
                                                VkAccelerationStructureKHR accelerationStructure,
                                                const VkAllocationCallbacks *pAllocator)
{
    tables_object_gone(call, (uint64_t)accelerationStructure, HANDLE_ACCELERATION_STRUCTURE_KHR);
}

void gpu_before_DestroyAccelerationStructureNV(struct call *call, VkDevice device,
                                               VkAccelerationStructureNV accelerationStructure,
                                               const VkAllocationCallbacks *pAllocator)
{
    tables_object_gone(call, (uint64_t)accelerationStructure, HANDLE_ACCELERATION_STRUCTURE_NV);
}
