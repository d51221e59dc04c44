/* Translates ids into driver handles on the way down, for the generated code (translate_structs.h).
 * Structures are copied into the thread's scratch memory only if they hold an id; the program's
 * memory is never written. */
#ifndef ASSAY_CHASSIS_TRANSLATE_H
#define ASSAY_CHASSIS_TRANSLATE_H

#include "objects/device.h"

/* The translation of one call. Threads: it lies on the calling thread's stack. */
struct translate {
    struct scratch *scratch;
    struct scratch_mark mark;
    union {
        struct {
            bool active;    /* handles are wrapped; otherwise nothing is translated */
            bool failed;    /* out of memory, or an endless chain: the call cannot go down */
            bool secondary; /* the command buffer being begun is a secondary one */
        };
        uint32_t all; /* all three flags; written in one store, which sets `active` alone */
    };
};
static_assert(offsetof(struct translate, active) == offsetof(struct translate, all) &&
                  __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "active is the lowest byte of all");

static inline struct translate translate_begin(const struct call *call)
{
    struct scratch *scratch = &thread_self()->scratch;
    return (struct translate){
        .scratch = scratch, .mark = scratch_mark(scratch), .all = call->wraps};
}

static inline void translate_end(struct translate *x)
{
    scratch_rewind(x->scratch, x->mark);
}

/* Reports that the call could not be translated. */
void translate_failed(const struct call *call) COLD;

/* Returns the driver's handle. An unknown id becomes VK_NULL_HANDLE: it is in an ignored member, or
 * the room lifetimes/ has reported it. If the table of objects is degraded, an unknown id may be a
 * driver's handle, and is returned unchanged. */
static ALWAYS_INLINE uint64_t translate_id(uint64_t id)
{
    uint32_t index = object_index(id);
    if (likely(index < atomic_load_explicit(&object_limit, memory_order_relaxed))) {
        const struct object *object = &object_slots[index];
        if (likely(object_is(object, id)))
            return object_driver(object); /* VK_NULL_HANDLE leads to slot 0, which is all zero */
    }
    return unlikely(object_table_degraded()) ? id : 0;
}

/* Translates an id for which call->named has no object, as translate_id() does. */
uint64_t translate_unnamed(uint64_t id);
/* Returns the driver's handle for the parameter `id`, whose object is in call->named[which] unless
 * that is NULL. */
static ALWAYS_INLINE uint64_t translate_named(const struct call *call, uint32_t which, uint64_t id)
{
    const struct object *object = call->named[which].object;
    if (likely(object))
        return object_driver(object);
    return id ? translate_unnamed(id) : 0;
}

/* Translates `handle`, whose type another parameter gives. Dispatchable handles are the driver's
 * already. */
uint64_t translate_typed(const struct translate *x, enum handle_type type, uint64_t handle);
/* Allocates scratch memory for `count` (at most UINT32_MAX) elements of `size` bytes each. NULL if
 * out of memory; x->failed is then set. */
static inline void *translate_room(struct translate *x, size_t size, size_t count)
{
    void *room = scratch_alloc(x->scratch, size * count);
    if (unlikely(!room))
        x->failed = true;
    return room;
}

/* Returns a translated copy of an array of ids, or `ids` itself when it is NULL or empty. */
static inline const uint64_t *translate_ids(struct translate *x, const uint64_t *ids,
                                            uint32_t count)
{
    if (!ids || !count)
        return ids;
    uint64_t *copy = translate_room(x, sizeof(*copy), count);
    for (uint32_t i = 0; likely(copy != NULL) && i < count; i++)
        copy[i] = translate_id(ids[i]);
    return copy;
}

/* Returns an untranslated copy of `count` structures of `size` bytes. NULL when there are none, or
 * if out of memory. */
void *translate_copy(struct translate *x, const void *in, size_t size, uint32_t count);
/* Returns the chain with copies of the structures that hold ids (and of those before them). */
const void *translate_chain(struct translate *x, const void *chain);
/* True if the pNext chain of any of the `count` structures of `size` bytes holds an id. */
bool translate_any_chain_needs(const void *structures, size_t size, size_t count);

/* These are generated. For a structure in a chain they return whether it holds ids, replace them,
 * and return its size (0: unknown). */
bool translate_chain_carries(VkStructureType type);
void translate_chain_fix(struct translate *x, VkBaseOutStructure *structure);
size_t structure_size(VkStructureType type);

/* Returns `chain` with `replacement` (NULL: nothing) in the place of its element `target`. The
 * structures before it are copied to scratch memory. NULL if out of memory, if a structure before
 * it is of unknown size, or if nothing is left. */
const void *chain_replace(const void *chain, const void *target, void *replacement);

/* These say which of VkWriteDescriptorSet's arrays a descriptor type reads (14.2.1 "Descriptor Set
 * Updates"). */
static inline bool translate_uses_sampler(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

static inline bool translate_uses_image_info(VkDescriptorType type)
{
    switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    case VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM:
    case VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM:
        return true;
    default:
        return false;
    }
}

static inline bool translate_uses_buffer_info(VkDescriptorType type)
{
    switch (type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
        return true;
    default:
        return false;
    }
}

static inline bool translate_uses_texel_buffer_view(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}

#endif
