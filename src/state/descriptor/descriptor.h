/* Descriptor set layouts, which describe bindings, and descriptor sets, which hold descriptors
 * (14.2). */
#ifndef ASSAY_STATE_DESCRIPTOR_H
#define ASSAY_STATE_DESCRIPTOR_H

#include "state/object/object_state.h"
#include "base/plain_atomic.h"

/* The type of a descriptor's content, in consecutive numbers. */
enum descriptor_tag {
    DESCRIPTOR_NOTHING, /* never written */
    DESCRIPTOR_SAMPLER,
    DESCRIPTOR_COMBINED_IMAGE_SAMPLER,
    DESCRIPTOR_SAMPLED_IMAGE,
    DESCRIPTOR_STORAGE_IMAGE,
    DESCRIPTOR_UNIFORM_TEXEL_BUFFER,
    DESCRIPTOR_STORAGE_TEXEL_BUFFER,
    DESCRIPTOR_UNIFORM_BUFFER,
    DESCRIPTOR_STORAGE_BUFFER,
    DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC,
    DESCRIPTOR_STORAGE_BUFFER_DYNAMIC,
    DESCRIPTOR_INPUT_ATTACHMENT,
    DESCRIPTOR_INLINE_UNIFORM_BLOCK,
    DESCRIPTOR_ACCELERATION_STRUCTURE_KHR,
    DESCRIPTOR_ACCELERATION_STRUCTURE_NV,
    DESCRIPTOR_MUTABLE,
    DESCRIPTOR_SAMPLE_WEIGHT_IMAGE,
    DESCRIPTOR_BLOCK_MATCH_IMAGE,
    DESCRIPTOR_TENSOR,
    DESCRIPTOR_PARTITIONED_ACCELERATION_STRUCTURE,
    DESCRIPTOR_TAG_COUNT, /* also for types that the registry does not have */
};

/* The tag of a type; DESCRIPTOR_TAG_COUNT: the registry does not have the type. */
static inline enum descriptor_tag descriptor_tag_of(VkDescriptorType type)
{
    if (likely((uint32_t)type <= VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT))
        return (enum descriptor_tag)((uint32_t)type + 1);
    switch ((int64_t)type) {
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
        return DESCRIPTOR_INLINE_UNIFORM_BLOCK;
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
        return DESCRIPTOR_ACCELERATION_STRUCTURE_KHR;
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV:
        return DESCRIPTOR_ACCELERATION_STRUCTURE_NV;
    case VK_DESCRIPTOR_TYPE_MUTABLE_EXT:
        return DESCRIPTOR_MUTABLE;
    case VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM:
        return DESCRIPTOR_SAMPLE_WEIGHT_IMAGE;
    case VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM:
        return DESCRIPTOR_BLOCK_MATCH_IMAGE;
    case VK_DESCRIPTOR_TYPE_TENSOR_ARM:
        return DESCRIPTOR_TENSOR;
    case VK_DESCRIPTOR_TYPE_PARTITIONED_ACCELERATION_STRUCTURE_NV:
        return DESCRIPTOR_PARTITIONED_ACCELERATION_STRUCTURE;
    default:
        return DESCRIPTOR_TAG_COUNT;
    }
}

/* The type of a tag; VK_DESCRIPTOR_TYPE_MAX_ENUM for DESCRIPTOR_NOTHING. */
static inline VkDescriptorType descriptor_type_of(enum descriptor_tag tag)
{
    static const VkDescriptorType types[DESCRIPTOR_TAG_COUNT] = {
        [DESCRIPTOR_INLINE_UNIFORM_BLOCK] = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK,
        [DESCRIPTOR_ACCELERATION_STRUCTURE_KHR] = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR,
        [DESCRIPTOR_ACCELERATION_STRUCTURE_NV] = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV,
        [DESCRIPTOR_MUTABLE] = VK_DESCRIPTOR_TYPE_MUTABLE_EXT,
        [DESCRIPTOR_SAMPLE_WEIGHT_IMAGE] = VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM,
        [DESCRIPTOR_BLOCK_MATCH_IMAGE] = VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM,
        [DESCRIPTOR_TENSOR] = VK_DESCRIPTOR_TYPE_TENSOR_ARM,
        [DESCRIPTOR_PARTITIONED_ACCELERATION_STRUCTURE] =
            VK_DESCRIPTOR_TYPE_PARTITIONED_ACCELERATION_STRUCTURE_NV,
    };
    if (tag >= DESCRIPTOR_SAMPLER && tag <= DESCRIPTOR_INPUT_ATTACHMENT)
        return (VkDescriptorType)(tag - 1);
    return tag > DESCRIPTOR_INPUT_ATTACHMENT && tag < DESCRIPTOR_TAG_COUNT
               ? types[tag]
               : VK_DESCRIPTOR_TYPE_MAX_ENUM;
}

struct descriptor_binding {
    uint32_t binding;
    /* number of descriptors; for an inline uniform block, of bytes; for a variable count, the
     * maximum */
    uint32_t count;
    /* index of its first descriptor in a set, in the order of bindings */
    uint32_t first;
    /* index of its first dynamic offset in the set, if the type has them */
    uint32_t first_dynamic;
    VkDescriptorType type;
    VkDescriptorBindingFlags flags;
    VkShaderStageFlags stages;
    /* for a mutable binding: the types that it may have, as bits 1 << enum descriptor_tag */
    uint32_t mutable_types;
    bool immutable_samplers;
    /* index of its first immutable sampler in descriptor_layout::samplers */
    uint32_t first_sampler;
};

/* The state of a descriptor set layout's object. Sets that were allocated with it, and pipeline
 * layouts, hold it too. Threads: const, except for `references`. */
struct descriptor_layout {
    /* base.object: the object of the layout, which may be destroyed while others hold the layout */
    struct object_state base;
    _Atomic uint32_t references;
    VkDescriptorSetLayoutCreateFlags flags;
    VkDescriptorBindingFlags all_flags; /* union over all bindings */
    /* hash of everything that makes it "identically defined" (14.2.2 "Pipeline Layout
     * Compatibility") */
    uint64_t compatibility;
    /* number in a set, with the largest variable count; an inline uniform block counts as 1 */
    uint32_t descriptor_count;
    uint32_t dynamic_count;
    uint32_t binding_count;
    /* some binding has a type with an image view, or is mutable */
    bool has_images;
    /* ids of the immutable samplers, in the same allocation */
    const uint64_t *samplers;
    struct descriptor_binding bindings[]; /* in increasing order of their numbers */
};

/* NULL: the layout is being freed */
struct descriptor_layout *descriptor_layout_acquire(struct descriptor_layout *layout);
void descriptor_layout_release(struct descriptor_layout *layout);
STATE_FINDERS(descriptor_layout, VkDescriptorSetLayout, HANDLE_DESCRIPTOR_SET_LAYOUT)

const struct descriptor_binding *descriptor_layout_search(const struct descriptor_layout *layout,
                                                          uint32_t binding);

/* The binding with that number; NULL: there is none. */
static ALWAYS_INLINE const struct descriptor_binding *
descriptor_layout_find(const struct descriptor_layout *layout, uint32_t binding)
{
    /* Most layouts number their bindings without gaps. */
    if (likely(binding < layout->binding_count && layout->bindings[binding].binding == binding))
        return &layout->bindings[binding];
    return descriptor_layout_search(layout, binding);
}

/* Const, except for `references`. */
struct pipeline_layout {
    struct object_state base; /* base.object may be destroyed while others hold the layout */
    _Atomic uint32_t references;
    VkPipelineLayoutCreateFlags flags;
    uint32_t set_count;
    uint32_t push_constant_count;
    /* in the same allocation; each acquired; NULL: the set layout is VK_NULL_HANDLE or unknown */
    struct descriptor_layout **sets;
    VkPushConstantRange *push_constants;
    /* for set N: equal in layouts that are compatible for sets 0 to N */
    uint64_t *compatibility;
    /* equal in two layouts with identical push constant ranges */
    uint64_t push_constant_compatibility;
};

/* NULL: the layout is being freed */
struct pipeline_layout *pipeline_layout_acquire(struct pipeline_layout *layout);
void pipeline_layout_release(struct pipeline_layout *layout);
STATE_FINDERS(pipeline_layout, VkPipelineLayout, HANDLE_PIPELINE_LAYOUT)

/* A descriptor, in 16 bytes. Objects are ids without their type byte, so a destroyed object is
 * recognized by its generation. It is read and written as two words (descriptor_load,
 * descriptor_store), as other threads may read the set while it is updated. */
struct descriptor {
    union {
        struct {
            /* for a view, buffer, acceleration structure or separate sampler; 0: null */
            uint32_t index;
            uint32_t generation : 24; /* for the same object */
            uint32_t tag
                /* enum descriptor_tag of what was written, which for mutable bindings is not the
                 * binding's type */
                : 8;
            union {
                struct {
                    /* for a combined image sampler; 0: none, or immutable */
                    uint32_t sampler_index;
                    uint32_t sampler_generation : 24;
                    uint32_t layout : 8; /* see descriptor_image_layout() */
                } image;
                struct {
                    /* in units of 4 bytes; UINT32_MAX: larger, or not a multiple */
                    uint32_t offset;
                    /* in bytes, as given; UINT32_MAX: to the end of the buffer (VK_WHOLE_SIZE), or
                     * more than 4 GiB */
                    uint32_t range;
                } buffer;
            };
        };
        uint64_t words[2];
    };
};
static_assert(sizeof(struct descriptor) == 16, "the budget of a descriptor");

static inline struct descriptor descriptor_load(const struct descriptor *from)
{
    struct descriptor result;
    result.words[0] = plain_load_relaxed(&from->words[0]);
    result.words[1] = plain_load_relaxed(&from->words[1]);
    return result;
}

static inline void descriptor_store(struct descriptor *to, struct descriptor value)
{
    plain_store_relaxed(&to->words[0], value.words[0]);
    plain_store_relaxed(&to->words[1], value.words[1]);
}

/* The number of pipeline interfaces that a set remembers, so that draws with alternating pipelines
 * are not checked again. */
#define SET_VERIFIED 4u

/* The state of a descriptor set. Threads: updates are externally synchronised per set, or per
 * descriptor with update-after-bind. In a program that breaks this rule, words may be inconsistent,
 * never unsafe to read. */
struct descriptor_set {
    struct object_state base;
    struct descriptor_layout *layout; /* acquired */
    uint64_t pool;                    /* id */
    VkDescriptorPoolCreateFlags pool_flags;
    /* count of the last binding, if that is variable; bytes for an inline uniform block */
    uint32_t variable_count;
    uint32_t descriptor_count;
    _Atomic uint32_t version; /* grows with each update, from 1. Relaxed */
    /* Interfaces for which draws found no mistake in this set, by pipeline::interface %
     * SET_VERIFIED. Each is an interface plus descriptor_set_stamp() before the check; 0: none.
     * Relaxed */
    _Atomic uint64_t verified[SET_VERIFIED];
    AREA_ROOM(8);
    struct descriptor descriptors[];
};
STATE_FINDERS(descriptor_set, VkDescriptorSet, HANDLE_DESCRIPTOR_SET)
void descriptor_set_destroy(struct descriptor_set *set);

/* Grows whenever an object is destroyed to which a descriptor may refer, or on which an object that
 * a command names may depend. Relaxed. */
extern HIDDEN _Atomic uint32_t descriptor_epoch;

/* A number that is equal at two times only if neither the set nor the existing objects have changed
 * between them: both terms only grow. If another thread destroys an object at this moment, its
 * effect may not be visible yet in either term. */
static ALWAYS_INLINE uint64_t descriptor_set_stamp(const struct descriptor_set *set)
{
    return (uint64_t)atomic_load_explicit(&set->version, memory_order_relaxed) +
           atomic_load_explicit(&descriptor_epoch, memory_order_relaxed);
}

/* The number of descriptors (bytes of an inline uniform block) that the binding has in this set.
 * The binding must be of the set's layout. */
static inline uint32_t descriptor_set_binding_count(const struct descriptor_set *set,
                                                    const struct descriptor_binding *binding)
{
    return binding->flags & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT
               ? set->variable_count
               : binding->count;
}

/* True if the samplers of this write of combined image samplers have an effect: the binding is
 * known to have no immutable samplers. `set` may be NULL (unknown, or push descriptors). */
bool descriptor_set_takes_samplers(const struct object *set, const VkWriteDescriptorSet *write);

/* True if the program must synchronise updates of all bindings of the set, as none has a flag that
 * allows concurrent updates. False also if that is not known. */
static inline bool descriptor_set_needs_synchronization(const struct descriptor_set *set)
{
    return set && set->layout &&
           !(set->layout->all_flags & (VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                                       VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT));
}

#endif
