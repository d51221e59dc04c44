/* A descriptor set layout describes each binding, and a set holds its descriptors (14.2). */
#ifndef ASSAY_STATE_DESCRIPTOR_H
#define ASSAY_STATE_DESCRIPTOR_H

#include "state/object/object_state.h"
#include "base/plain_atomic.h"

/* Descriptor types in dense numbers; what a descriptor holds. */
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
    DESCRIPTOR_TAG_COUNT, /* of a type that the registry does not know */
};

/* Returns the tag of a type, or DESCRIPTOR_TAG_COUNT where the registry does not know the type. */
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

/* The other way round; VK_DESCRIPTOR_TYPE_MAX_ENUM for DESCRIPTOR_NOTHING. */
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
    /* of descriptors; bytes for an inline uniform block; the most of a variable count */
    uint32_t count;
    /* index of its first descriptor in a set; descriptors are counted in the order of bindings */
    uint32_t first;
    /* index of its first dynamic offset in the set, where the type takes them */
    uint32_t first_dynamic;
    VkDescriptorType type;
    VkDescriptorBindingFlags flags;
    VkShaderStageFlags stages;
    /* of a mutable binding: bits 1 << enum descriptor_tag of the types that it may be */
    uint32_t mutable_types;
    bool immutable_samplers;
    uint32_t first_sampler; /* where the immutable samplers begin in descriptor_layout::samplers */
};

/* The state of a descriptor set layout's object; sets that were allocated with it and pipeline
 * layouts hold it too. Threads: const, but for the count. */
struct descriptor_layout {
    /* base.object is the object of the layout, which may be gone while others hold the layout */
    struct object_state base;
    _Atomic uint32_t references;
    VkDescriptorSetLayoutCreateFlags flags;
    VkDescriptorBindingFlags all_flags; /* of all bindings together */
    uint64_t compatibility; /* a hash of all that makes it "identically defined" (14.2.2 "Pipeline
                               Layout Compatibility") */
    /* of a set, with the variable count at its most; inline uniform blocks count 1 */
    uint32_t descriptor_count;
    uint32_t dynamic_count;
    uint32_t binding_count;
    /* some binding is of a type with an image view, or mutable */
    bool has_images;
    /* ids of the immutable samplers, in the same allocation */
    const uint64_t *samplers;
    struct descriptor_binding bindings[]; /* in increasing order of their numbers */
};

/* NULL when it is going */
struct descriptor_layout *descriptor_layout_acquire(struct descriptor_layout *layout);
void descriptor_layout_release(struct descriptor_layout *layout);
STATE_FINDERS(descriptor_layout, VkDescriptorSetLayout, HANDLE_DESCRIPTOR_SET_LAYOUT)

const struct descriptor_binding *descriptor_layout_search(const struct descriptor_layout *layout,
                                                          uint32_t binding);

/* The binding of that number, or NULL. */
static ALWAYS_INLINE const struct descriptor_binding *
descriptor_layout_find(const struct descriptor_layout *layout, uint32_t binding)
{
    /* Most layouts number their bindings without holes. */
    if (likely(binding < layout->binding_count && layout->bindings[binding].binding == binding))
        return &layout->bindings[binding];
    return descriptor_layout_search(layout, binding);
}

/* const, but for the count. */
struct pipeline_layout {
    struct object_state base; /* base.object may be gone while others hold the layout */
    _Atomic uint32_t references;
    VkPipelineLayoutCreateFlags flags;
    uint32_t set_count;
    uint32_t push_constant_count;
    struct descriptor_layout **sets; /* in the same allocation; each acquired; NULL where a set
                                        layout is VK_NULL_HANDLE or unknown */
    VkPushConstantRange *push_constants;
    /* per set N: equal in two layouts that are compatible for sets 0 to N */
    uint64_t *compatibility;
    /* equal in two layouts with identical push constant ranges */
    uint64_t push_constant_compatibility;
};

/* NULL when it is going */
struct pipeline_layout *pipeline_layout_acquire(struct pipeline_layout *layout);
void pipeline_layout_release(struct pipeline_layout *layout);
STATE_FINDERS(pipeline_layout, VkPipelineLayout, HANDLE_PIPELINE_LAYOUT)

/* One descriptor: 16 bytes. Objects are ids without their type byte, so that a destroyed one is
 * found by its generation. Read and written as two words (descriptor_load, descriptor_store): other
 * threads may look at the set while it is updated. */
struct descriptor {
    union {
        struct {
            /* of the view, buffer, acceleration structure or (a lone sampler) sampler; 0 = null */
            uint32_t index;
            uint32_t generation : 24; /* of the same */
            uint32_t tag
                /* enum descriptor_tag: what was written, which for mutable bindings is not the
                   binding's type */
                : 8;
            union {
                struct {
                    /* of a combined image sampler; 0 = none, or immutable */
                    uint32_t sampler_index;
                    uint32_t sampler_generation : 24;
                    uint32_t layout : 8; /* descriptor_image_layout() */
                } image;
                struct {
                    /* in units of 4 bytes; UINT32_MAX: larger, or not a multiple */
                    uint32_t offset;
                    /* bytes, as given; UINT32_MAX: to the end of the buffer (VK_WHOLE_SIZE), or
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

/* Interfaces of pipelines that a set remembers: pipelines that alternate find theirs again. */
#define SET_VERIFIED 4u

/* The state of a descriptor set. Threads: updates are externally synchronised per set, or per
 * descriptor with update-after-bind. Words may be torn in a program that breaks the rule, never
 * unsafe to read. */
struct descriptor_set {
    struct object_state base;
    struct descriptor_layout *layout; /* held */
    uint64_t pool;                    /* id */
    VkDescriptorPoolCreateFlags pool_flags;
    /* of the last binding, where that is variable; bytes for an inline uniform block */
    uint32_t variable_count;
    uint32_t descriptor_count;
    _Atomic uint32_t version; /* grows with each update, from 1. Relaxed */
    /* Draws found this set in order for these, by pipeline::interface % SET_VERIFIED: an interface
     * plus descriptor_set_stamp() as it was before they looked; 0 = nothing. Relaxed */
    _Atomic uint64_t verified[SET_VERIFIED];
    AREA_ROOM(8);
    struct descriptor descriptors[];
};
STATE_FINDERS(descriptor_set, VkDescriptorSet, HANDLE_DESCRIPTOR_SET)
void descriptor_set_destroy(struct descriptor_set *set);

/* Grows whenever something is destroyed that a descriptor may refer to, or that an object named by
 * a command may depend on. Relaxed. */
extern HIDDEN _Atomic uint32_t descriptor_epoch;

/* Equal at two times only if neither the set nor what exists has changed between them: both terms
 * only ever grow. A thread that does not see a destruction yet, which another thread makes at this
 * moment, has not seen it either way. */
static ALWAYS_INLINE uint64_t descriptor_set_stamp(const struct descriptor_set *set)
{
    return (uint64_t)atomic_load_explicit(&set->version, memory_order_relaxed) +
           atomic_load_explicit(&descriptor_epoch, memory_order_relaxed);
}

/* How many descriptors (bytes of an inline uniform block) the binding, which is of the set's
 * layout, has in this set. */
static inline uint32_t descriptor_set_binding_count(const struct descriptor_set *set,
                                                    const struct descriptor_binding *binding)
{
    return binding->flags & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT
               ? set->variable_count
               : binding->count;
}

/* True if the sampler of each VkDescriptorImageInfo of this combined-image-sampler write counts:
 * the binding is known to have no immutable samplers. `set` may be NULL (unknown, or a push
 * descriptor). */
bool descriptor_set_takes_samplers(const struct object *set, const VkWriteDescriptorSet *write);

/* True if the program must synchronise updates of the set, in every binding (none has a flag that
 * lets two threads update at once). False when unknown. */
static inline bool descriptor_set_needs_synchronization(const struct object *object)
{
    const struct descriptor_set *set = object_load_state(object);
    return set && set->layout &&
           !(set->layout->all_flags & (VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                                       VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT));
}

#endif
