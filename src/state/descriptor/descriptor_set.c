/* Tracks the content of each descriptor of a set: allocation, writes, copies, updates by template
 * (14.2.3 to 14.2.5). Updates are hot. */
#include "state/descriptor/descriptor_set.h"

#include "chassis/update_template.h"
#include "state/memory/buffer.h"
#include "state/command/command_buffer.h"
#include "state/descriptor/descriptor_access.h"
#include "state/descriptor/descriptor_pool.h"
#include "state/hooks.h"
#include "state/object/object_lines.h"
#include "state/submit/queue.h"
#include "vk/chain.h"

_Atomic uint32_t descriptor_epoch;

/* Larger sets are not tracked: this many descriptors take 64 MiB. Programs use up to a million. */
#define DESCRIPTORS_MOST (1u << 22)

/* Allocates the state of an allocated set. If memory runs out, or the set has more than
 * DESCRIPTORS_MOST, it has no state. */
static void add_set(struct object *object, struct descriptor_layout *layout,
                    const struct descriptor_pool *pool, uint32_t variable_count)
{
    assert(object && layout);
    uint32_t count = layout->descriptor_count;
    const struct descriptor_binding *last =
        layout->binding_count ? &layout->bindings[layout->binding_count - 1] : NULL;
    bool variable = last && last->flags & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
    /* The binding with a variable count is the last one. An inline uniform block counts bytes. */
    if (variable && last->type != VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK &&
        variable_count < last->count && count >= last->count)
        count -= last->count - variable_count;
    if (count > DESCRIPTORS_MOST)
        return;
    struct descriptor_set *set =
        object_state_new_lines(object, sizeof(struct descriptor_set) +
                                           (size_t)count * sizeof(struct descriptor));
    if (!set || !(set->layout = descriptor_layout_acquire(layout))) {
        mem_free(set);
        return;
    }
    set->pool = pool ? object_state_id(&pool->base) : 0;
    set->pool_flags = pool ? pool->flags : 0;
    set->descriptor_count = count;
    set->variable_count = variable ? variable_count : 0;
    atomic_init(&set->version, 1);
    object_state_publish(object, set);
}

void always_after_AllocateDescriptorSets(struct call *call, VkDevice device,
                                         const VkDescriptorSetAllocateInfo *pAllocateInfo,
                                         VkDescriptorSet *pDescriptorSets)
{
    const struct descriptor_pool *pool = find_descriptor_pool(call, pAllocateInfo->descriptorPool);
    const VkDescriptorSetVariableDescriptorCountAllocateInfo *variable =
        chain_find(pAllocateInfo->pNext,
                   VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
    for (uint32_t i = 0; i < pAllocateInfo->descriptorSetCount; i++) {
        struct descriptor_layout *layout =
            find_descriptor_layout(call, pAllocateInfo->pSetLayouts[i]);
        struct object *set =
            created_object(call, (uint64_t)pDescriptorSets[i], HANDLE_DESCRIPTOR_SET);
        bool counted = variable && variable->pDescriptorCounts && i < variable->descriptorSetCount;
        if (layout && set)
            add_set(set, layout, pool, counted ? variable->pDescriptorCounts[i] : 0);
    }
}

void descriptor_set_destroy(struct descriptor_set *set)
{
    assert(set);
    descriptor_layout_release(set->layout);
    mem_retire(set);
}

/* --- writes --- */

/* A run of `count` descriptors to write. Their data is `stride` bytes apart, and may be
 * unaligned. */
struct run {
    struct descriptor *to; /* `count` descriptors */
    const unsigned char *from;
    size_t stride;
    uint32_t count;
    bool wraps; /* unique handles: handles are ids */
    /* handles may be of destroyed objects: the driver does not get those elements */
    bool dead;
    uint16_t owner; /* owner of the handles, which is that of the device */
};

/* The id of a handle. 0 if the call has dead elements and the object does not exist. */
static ALWAYS_INLINE uint64_t run_object_id(const struct run *run, uint64_t handle,
                                            enum handle_type type)
{
    if (likely(run->wraps && !run->dead))
        return handle;
    const struct object *object = handle ? object_find(run->wraps, handle, type, run->owner) : NULL;
    return object ? atomic_load_explicit(&object->id, memory_order_relaxed) : 0;
}

/* Makes the first word of a descriptor, from an object and a tag. Words are composed by hand, as
 * compilers need five times as many instructions with bit-fields. */
static ALWAYS_INLINE uint64_t object_word(uint64_t id, uint32_t tag)
{
    assert(tag <= UINT8_MAX);
    return id >> 32 | (id & 0xffffff00) << 24 | (uint64_t)tag << 56;
}

/* Makes the second word of a buffer descriptor. */
static ALWAYS_INLINE uint64_t range_word(VkDeviceSize offset, VkDeviceSize range)
{
    bool small = offset % 4 == 0 && offset / 4 < UINT32_MAX;
    return (small ? offset / 4 : UINT32_MAX) | (range < UINT32_MAX ? range : UINT32_MAX) << 32;
}

/* Writes a descriptor of two words. */
static ALWAYS_INLINE void store_words(struct descriptor *to, uint64_t first, uint64_t second)
{
    descriptor_store(to, (struct descriptor){.words = {first, second}});
}

/* A word of the program's data, which may be unaligned. */
static ALWAYS_INLINE uint64_t word_at(const unsigned char *from, size_t at)
{
    uint64_t word;
    __builtin_memcpy(&word, from + at, sizeof(word));
    return word;
}

/* Writes a run of image descriptors. `views`, `samplers`: the type has these. Elements with dead
 * handles stay unchanged. */
static ALWAYS_INLINE void write_images(const struct run *run, enum descriptor_tag tag, bool views,
                                       bool samplers)
{
    const unsigned char *from = run->from;
    struct descriptor *to = run->to, *const end = to + run->count;
    const size_t stride = run->stride;
    for (; to < end; to++, from += stride) {
        uint64_t given_sampler =
            samplers ? word_at(from, offsetof(VkDescriptorImageInfo, sampler)) : 0;
        uint64_t given_view = views ? word_at(from, offsetof(VkDescriptorImageInfo, imageView)) : 0;
        uint64_t sampler = samplers ? run_object_id(run, given_sampler, HANDLE_SAMPLER) : 0;
        uint64_t view = views ? run_object_id(run, given_view, HANDLE_IMAGE_VIEW) : 0;
        if (unlikely(run->dead && ((given_view && !view) || (given_sampler && !sampler))))
            continue;
        /* From now on, destroying these objects affects draws. */
        object_described(views ? view : sampler);
        if (views && sampler)
            object_described(sampler);
        VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
        if (views)
            __builtin_memcpy(&layout, from + offsetof(VkDescriptorImageInfo, imageLayout),
                             sizeof(layout));
        store_words(to, object_word(views ? view : sampler, tag),
                    views ? object_word(sampler, descriptor_short_layout(layout) & 0xff) : 0);
    }
}

/* Writes a run of buffer descriptors. Neighbors are often ranges of one buffer, which is looked up
 * once. */
static void write_buffers(const struct run *run, enum descriptor_tag tag)
{
    assert(descriptor_is_buffer(tag));
    const unsigned char *from = run->from;
    struct descriptor *to = run->to, *const end = to + run->count;
    const size_t stride = run->stride;
    /* It begins with VK_NULL_HANDLE, which needs no lookup. */
    uint64_t last = 0, first_word = object_word(0, tag);
    bool dead = false;
    for (; to < end; to++, from += stride) {
        uint64_t handle = word_at(from, offsetof(VkDescriptorBufferInfo, buffer));
        if (unlikely(handle != last)) {
            uint64_t id = run_object_id(run, handle, HANDLE_BUFFER);
            object_described(id);
            first_word = object_word(id, tag);
            /* A dead handle leaves the descriptor unchanged. */
            dead = run->dead && handle && !id;
            last = handle;
        }
        if (likely(!dead))
            store_words(to, first_word,
                        range_word(word_at(from, offsetof(VkDescriptorBufferInfo, offset)),
                                   word_at(from, offsetof(VkDescriptorBufferInfo, range))));
    }
}

/* Marks the buffer of a view as one to which a descriptor may refer. */
static ALWAYS_INLINE void texel_buffer_described(uint64_t id)
{
    const struct buffer_view *view = buffer_view_by_id(id);
    if (view && unlikely(!object_has(view->base.object, OBJECT_DESCRIBED)))
        object_described(view->buffer);
}

/* Writes descriptors whose data are handles. If the run has dead handles, these elements are left
 * out. */
static void write_handles(const struct run *run, enum descriptor_tag tag, enum handle_type type)
{
    const unsigned char *from = run->from;
    for (uint32_t i = 0; i < run->count; i++, from += run->stride) {
        uint64_t handle;
        __builtin_memcpy(&handle, from, sizeof(handle));
        uint64_t id = run_object_id(run, handle, type);
        if (unlikely(run->dead && handle && !id))
            continue;
        if (type == HANDLE_BUFFER_VIEW)
            /* The view's format and range are checked when shaders use it. */
            texel_buffer_described(id);
        object_described(id);
        store_words(&run->to[i], object_word(id, tag), 0);
    }
}

/* Writes inline uniform blocks, and descriptors of objects that are not tracked. */
static void write_unnamed(const struct run *run, enum descriptor_tag tag)
{
    for (uint32_t i = 0; i < run->count; i++)
        descriptor_store(&run->to[i], (struct descriptor){.tag = (uint32_t)tag & 0xff});
}

/* Writes a run of descriptors by their type. `immutable`: the layout has the samplers. */
static void write_run(const struct run *run, enum descriptor_tag tag, bool immutable)
{
    switch (tag) {
    case DESCRIPTOR_SAMPLER:
        write_images(run, tag, false, !immutable);
        break;
    case DESCRIPTOR_COMBINED_IMAGE_SAMPLER:
        write_images(run, tag, true, !immutable);
        break;
    case DESCRIPTOR_SAMPLED_IMAGE:
    case DESCRIPTOR_STORAGE_IMAGE:
    case DESCRIPTOR_INPUT_ATTACHMENT:
    case DESCRIPTOR_SAMPLE_WEIGHT_IMAGE:
    case DESCRIPTOR_BLOCK_MATCH_IMAGE:
        write_images(run, tag, true, false);
        break;
    case DESCRIPTOR_UNIFORM_BUFFER:
    case DESCRIPTOR_STORAGE_BUFFER:
    case DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC:
    case DESCRIPTOR_STORAGE_BUFFER_DYNAMIC:
        write_buffers(run, tag);
        break;
    case DESCRIPTOR_UNIFORM_TEXEL_BUFFER:
    case DESCRIPTOR_STORAGE_TEXEL_BUFFER:
        write_handles(run, tag, HANDLE_BUFFER_VIEW);
        break;
    case DESCRIPTOR_ACCELERATION_STRUCTURE_KHR:
        write_handles(run, tag, HANDLE_ACCELERATION_STRUCTURE_KHR);
        break;
    case DESCRIPTOR_ACCELERATION_STRUCTURE_NV:
        write_handles(run, tag, HANDLE_ACCELERATION_STRUCTURE_NV);
        break;
    case DESCRIPTOR_TENSOR:
        write_handles(run, tag, HANDLE_TENSOR_VIEW_ARM);
        break;
    default:
        write_unnamed(run, tag);
        break;
    }
}

/* The run of `count` descriptors from `element` of `binding` on, limited to the room. A write with
 * more descriptors than its binding continues in the next one. An inline uniform block counts
 * bytes, and has one descriptor. */
static ALWAYS_INLINE struct run run_in(const struct call *call, struct descriptor_room room,
                                       const struct descriptor_binding *binding, uint32_t element,
                                       uint32_t count)
{
    assert(binding);
    struct run run = {.wraps = call->wraps, .dead = call->dead_element, .owner = call->owner};
    bool bytes = binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    uint64_t first = (uint64_t)binding->first + (bytes ? 0 : element);
    if (first >= room.count)
        return run;
    uint32_t left = room.count - (uint32_t)first;
    run.count = bytes ? 1 : count < left ? count : left;
    run.to = &room.descriptors[first];
    return run;
}

/* The data of a write, and its stride in bytes; NULL: the array is missing. */
static const void *write_data(const VkWriteDescriptorSet *write, enum descriptor_tag tag,
                              size_t *stride, uint32_t *count)
{
    switch (tag) {
    case DESCRIPTOR_UNIFORM_BUFFER:
    case DESCRIPTOR_STORAGE_BUFFER:
    case DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC:
    case DESCRIPTOR_STORAGE_BUFFER_DYNAMIC:
        *stride = sizeof(VkDescriptorBufferInfo);
        return write->pBufferInfo;
    case DESCRIPTOR_UNIFORM_TEXEL_BUFFER:
    case DESCRIPTOR_STORAGE_TEXEL_BUFFER:
        *stride = sizeof(VkBufferView);
        return write->pTexelBufferView;
    case DESCRIPTOR_ACCELERATION_STRUCTURE_KHR: {
        const VkWriteDescriptorSetAccelerationStructureKHR *chained =
            chain_find(write->pNext,
                       VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR);
        *stride = sizeof(uint64_t);
        if (chained && chained->accelerationStructureCount < *count)
            *count = chained->accelerationStructureCount;
        return chained ? chained->pAccelerationStructures : NULL;
    }
    case DESCRIPTOR_ACCELERATION_STRUCTURE_NV: {
        const VkWriteDescriptorSetAccelerationStructureNV *chained =
            chain_find(write->pNext,
                       VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_NV);
        *stride = sizeof(uint64_t);
        if (chained && chained->accelerationStructureCount < *count)
            *count = chained->accelerationStructureCount;
        return chained ? chained->pAccelerationStructures : NULL;
    }
    case DESCRIPTOR_TENSOR: {
        const VkWriteDescriptorSetTensorARM *chained =
            chain_find(write->pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_TENSOR_ARM);
        *stride = sizeof(uint64_t);
        if (chained && chained->tensorViewCount < *count)
            *count = chained->tensorViewCount;
        return chained ? chained->pTensorViews : NULL;
    }
    case DESCRIPTOR_INLINE_UNIFORM_BLOCK:
    case DESCRIPTOR_PARTITIONED_ACCELERATION_STRUCTURE:
    case DESCRIPTOR_MUTABLE:
    case DESCRIPTOR_NOTHING:
    case DESCRIPTOR_TAG_COUNT:
        *stride = 0;
        return write; /* not read */
    default:
        *stride = sizeof(VkDescriptorImageInfo);
        return write->pImageInfo;
    }
}

/* Writes one buffer descriptor, the most frequent kind of write. False: the write is of another
 * kind, and nothing was written. */
static ALWAYS_INLINE bool write_one_buffer(const struct call *call, struct descriptor_room room,
                                           const struct descriptor_binding *binding,
                                           const VkWriteDescriptorSet *write,
                                           enum descriptor_tag tag)
{
    assert(binding && write);
    uint64_t place = (uint64_t)binding->first + write->dstArrayElement;
    if (unlikely(!descriptor_is_buffer(tag) || write->descriptorCount != 1 || !write->pBufferInfo ||
                 !call->wraps || call->dead_element || place >= room.count))
        return false;
    uint64_t id = (uint64_t)write->pBufferInfo->buffer;
    object_described(id);
    store_words(&room.descriptors[place], object_word(id, tag),
                range_word(write->pBufferInfo->offset, write->pBufferInfo->range));
    return true;
}

/* Writes the descriptors of a VkWriteDescriptorSet into a set, or into push descriptors. */
static ALWAYS_INLINE void write_in_room(const struct call *call, struct descriptor_room room,
                                        const VkWriteDescriptorSet *write)
{
    const struct descriptor_binding *binding =
        descriptor_layout_find(room.layout, write->dstBinding);
    enum descriptor_tag tag = descriptor_tag_of(write->descriptorType);
    if (unlikely(!binding || tag == DESCRIPTOR_TAG_COUNT) ||
        write_one_buffer(call, room, binding, write, tag))
        return;
    struct run run = run_in(call, room, binding, write->dstArrayElement, write->descriptorCount);
    run.from = write_data(write, tag, &run.stride, &run.count);
    if (likely(run.from))
        write_run(&run, tag, binding->immutable_samplers);
    else if (tag == DESCRIPTOR_SAMPLER && binding->immutable_samplers)
        write_unnamed(&run, tag); /* push descriptors: pImageInfo is ignored */
}

void descriptor_write(const struct call *call, struct descriptor_room room,
                      const VkWriteDescriptorSet *write)
{
    write_in_room(call, room, write);
}

void descriptor_write_template(const struct call *call, struct descriptor_room room,
                               const struct update_template *template, const void *data)
{
    for (uint32_t i = 0; i < template->count; i++) {
        const VkDescriptorUpdateTemplateEntry *entry = &template->entries[i].given;
        const struct descriptor_binding *binding =
            descriptor_layout_find(room.layout, entry->dstBinding);
        /* There are no descriptors, or the layer does not know their type: the data is not read. */
        if (unlikely(!binding || template->entries[i].data == TEMPLATE_NOTHING))
            continue;
        struct run run =
            run_in(call, room, binding, entry->dstArrayElement, entry->descriptorCount);
        /* Data may be unaligned: readers copy words from it. */
        run.from = (const unsigned char *)data + entry->offset;
        run.stride = entry->stride;
        write_run(&run, descriptor_tag_of(entry->descriptorType), binding->immutable_samplers);
    }
}

/* Notes that a set which submitted command buffers use has changed since it was stamped. This
 * happens once; a later submission stamps the set again. */
static COLD void used_set_changed(struct descriptor_set *set)
{
    const struct device *device = device_of(set->base.object);
    atomic_fetch_add_explicit(&uses_epoch, 1, memory_order_relaxed);
    if (device && !object_in_use(device, &set->base))
        atomic_store_explicit(&set->base.last_use, 0, memory_order_relaxed);
}

/* Increments the version. If two threads may update different descriptors of the set at once, the
 * increment is atomic. */
static ALWAYS_INLINE void set_changed(struct descriptor_set *set)
{
    assert(set && set->layout);
    if (unlikely(set->layout->all_flags &
                 (VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                  VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT))) {
        atomic_fetch_add_explicit(&set->version, 1, memory_order_relaxed);
        return;
    }
    uint32_t version = atomic_load_explicit(&set->version, memory_order_relaxed);
    atomic_store_explicit(&set->version, version + 1, memory_order_relaxed);
    if (unlikely(atomic_load_explicit(&set->base.last_use, memory_order_relaxed)))
        used_set_changed(set);
}

/* The set's layout and descriptors. */
static struct descriptor_room room_of(struct descriptor_set *set)
{
    return (struct descriptor_room){set->layout, set->descriptors, set->descriptor_count};
}

/* Copies descriptors. A binding with immutable samplers does not get samplers from another one. */
static void copy_descriptors(const struct call *call, const VkCopyDescriptorSet *copy)
{
    assert(copy);
    struct descriptor_set *from = find_descriptor_set(call, copy->srcSet);
    struct descriptor_set *to = find_descriptor_set(call, copy->dstSet);
    const struct descriptor_binding *source =
        from ? descriptor_layout_find(from->layout, copy->srcBinding) : NULL;
    const struct descriptor_binding *destination =
        to ? descriptor_layout_find(to->layout, copy->dstBinding) : NULL;
    if (!source || !destination)
        return;
    struct run read =
        run_in(call, room_of(from), source, copy->srcArrayElement, copy->descriptorCount);
    struct run write =
        run_in(call, room_of(to), destination, copy->dstArrayElement, copy->descriptorCount);
    for (uint32_t i = 0; i < read.count && i < write.count; i++) {
        struct descriptor d = descriptor_load(&read.to[i]);
        if (d.tag == DESCRIPTOR_COMBINED_IMAGE_SAMPLER && destination->immutable_samplers)
            /* The layout has the sampler, so that of the source is not copied. */
            d.image.sampler_index = d.image.sampler_generation = 0;
        descriptor_store(&write.to[i], d);
    }
    set_changed(to);
}

void state_before_UpdateDescriptorSets(struct call *call, VkDevice device,
                                       uint32_t descriptorWriteCount,
                                       const VkWriteDescriptorSet *pDescriptorWrites,
                                       uint32_t descriptorCopyCount,
                                       const VkCopyDescriptorSet *pDescriptorCopies)
{
    for (uint32_t i = 0; i < descriptorWriteCount; i++) {
        struct descriptor_set *set = find_descriptor_set(call, pDescriptorWrites[i].dstSet);
        if (unlikely(!set))
            continue;
        write_in_room(call, room_of(set), &pDescriptorWrites[i]);
        set_changed(set);
    }
    for (uint32_t i = 0; i < descriptorCopyCount; i++)
        copy_descriptors(call, &pDescriptorCopies[i]);
}

void state_before_UpdateDescriptorSetWithTemplate(struct call *call, VkDevice device,
                                                  VkDescriptorSet descriptorSet,
                                                  VkDescriptorUpdateTemplate
                                                      descriptorUpdateTemplate,
                                                  const void *pData)
{
    struct descriptor_set *set = named_descriptor_set(call, 0, descriptorSet);
    const struct update_template *template = call->named[1].state;
    if (!set || !template || !pData)
        return;
    descriptor_write_template(call, room_of(set), template, pData);
    set_changed(set);
}

/* --- what descriptors refer to is destroyed: what was found in order may not be any more --- */

/* Makes all draws check their descriptors again, as a resource is destroyed. */
static void resources_gone(void)
{
    atomic_fetch_add_explicit(&descriptor_epoch, 1, memory_order_relaxed);
}

/* Notes that a resource is destroyed. Most objects were never in a descriptor. With unique handles
 * the object's slot still exists until the call is over; a driver's handle does not lead to it any
 * more. */
static void resource_gone(const struct call *call, uint64_t handle)
{
    uint32_t index = object_index(handle);
    if (call->wraps && index < atomic_load_explicit(&object_limit, memory_order_relaxed) &&
        !object_has(&object_slots[index], OBJECT_DESCRIBED))
        return;
    resources_gone();
}

void state_after_DestroyImageView_descriptors(struct call *call, VkDevice device,
                                              VkImageView imageView,
                                              const VkAllocationCallbacks *pAllocator)
{
    resource_gone(call, (uint64_t)imageView);
}

void state_after_DestroyImage_descriptors(struct call *call, VkDevice device, VkImage image,
                                          const VkAllocationCallbacks *pAllocator)
{
    resources_gone();
}

void state_after_DestroyBuffer_descriptors(struct call *call, VkDevice device, VkBuffer buffer,
                                           const VkAllocationCallbacks *pAllocator)
{
    resource_gone(call, (uint64_t)buffer);
}

void state_after_DestroyBufferView_descriptors(struct call *call, VkDevice device,
                                               VkBufferView bufferView,
                                               const VkAllocationCallbacks *pAllocator)
{
    resource_gone(call, (uint64_t)bufferView);
}

void state_after_DestroySampler_descriptors(struct call *call, VkDevice device, VkSampler sampler,
                                            const VkAllocationCallbacks *pAllocator)
{
    resource_gone(call, (uint64_t)sampler);
}

void state_after_DestroyAccelerationStructureKHR_descriptors(struct call *call, VkDevice device,
                                                             VkAccelerationStructureKHR
                                                                 accelerationStructure,
                                                             const VkAllocationCallbacks
                                                                 *pAllocator)
{
    resources_gone();
}

void state_after_DestroyAccelerationStructureNV_descriptors(struct call *call, VkDevice device,
                                                            VkAccelerationStructureNV
                                                                accelerationStructure,
                                                            const VkAllocationCallbacks *pAllocator)
{
    resources_gone();
}

/* The images of a swapchain are destroyed with it. */
void state_after_DestroySwapchainKHR_descriptors(struct call *call, VkDevice device,
                                                 VkSwapchainKHR swapchain,
                                                 const VkAllocationCallbacks *pAllocator)
{
    resources_gone();
}

void state_after_FreeMemory_descriptors(struct call *call, VkDevice device, VkDeviceMemory memory,
                                        const VkAllocationCallbacks *pAllocator)
{
    resources_gone();
}
