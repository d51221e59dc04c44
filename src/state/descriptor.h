/* What does a descriptor set layout say of each binding, and what is in each descriptor of a set (14.2)? */
#ifndef ASSAY_STATE_DESCRIPTOR_H
#define ASSAY_STATE_DESCRIPTOR_H

#include "state/object_state.h"

struct descriptor_binding {
    uint32_t binding;
    uint32_t count; /* of descriptors; bytes for an inline uniform block; the most of a variable count */
    uint32_t first; /* index of its first descriptor in a set; descriptors are counted in the order of bindings */
    uint32_t first_dynamic; /* index of its first dynamic offset in the set, where the type takes them */
    VkDescriptorType type;
    VkDescriptorBindingFlags flags;
    VkShaderStageFlags stages;
    bool immutable_samplers;
};

/* The state of a descriptor set layout's object; sets that were allocated with it and pipeline layouts hold it too.
 * Threads: const, but for the count. */
struct descriptor_layout {
    struct object_state base; /* base.object is the layout's; it may be gone while others hold the layout */
    _Atomic uint32_t references;
    VkDescriptorSetLayoutCreateFlags flags;
    VkDescriptorBindingFlags all_flags; /* of all bindings together */
    uint64_t compatibility; /* a hash of all that makes it "identically defined" (14.2.2 "Pipeline Layout Compatibility") */
    uint32_t descriptor_count; /* of a set, with the variable count at its most; inline uniform blocks count 1 */
    uint32_t dynamic_count;
    uint32_t binding_count;
    struct descriptor_binding bindings[]; /* in increasing order of their numbers */
};

struct descriptor_layout *descriptor_layout_acquire(struct descriptor_layout *layout); /* NULL when it is going */
void descriptor_layout_release(struct descriptor_layout *layout);
STATE_FINDERS(descriptor_layout, VkDescriptorSetLayout, HANDLE_DESCRIPTOR_SET_LAYOUT)

/* The binding of that number, or NULL. */
const struct descriptor_binding *descriptor_layout_find(const struct descriptor_layout *layout, uint32_t binding);

/* const, but for the count. */
struct pipeline_layout {
    struct object_state base; /* as descriptor_layout's */
    _Atomic uint32_t references;
    VkPipelineLayoutCreateFlags flags;
    uint32_t set_count;
    uint32_t push_constant_count;
    struct descriptor_layout *
        *sets; /* in the same allocation; each acquired; NULL where a set layout is VK_NULL_HANDLE or unknown */
    VkPushConstantRange *push_constants;
    uint64_t *compatibility;              /* per set N: equal in two layouts that are compatible for sets 0 to N */
    uint64_t push_constant_compatibility; /* equal in two layouts with identical push constant ranges */
};

struct pipeline_layout *pipeline_layout_acquire(struct pipeline_layout *layout); /* NULL when it is going */
void pipeline_layout_release(struct pipeline_layout *layout);
STATE_FINDERS(pipeline_layout, VkPipelineLayout, HANDLE_PIPELINE_LAYOUT)

/* One descriptor: 16 bytes. Which arm it is, the binding's type says (or `type`, where that is VK_DESCRIPTOR_TYPE_MUTABLE_EXT).
 * References are ids without their type byte, so that a destroyed resource is found by its generation. */
struct descriptor {
    uint32_t index; /* of the view, buffer, acceleration structure or (a lone sampler) sampler; 0 = not written or null */
    uint32_t generation : 24; /* of the same */
    uint32_t tag : 8;         /* enum descriptor_tag, and for images the layout in short; see descriptor.c */
    union {
        struct {
            uint32_t sampler_index; /* of a combined image sampler; 0 = none */
            uint32_t sampler_generation;
        } image;
        struct {
            uint32_t offset; /* in units of 4 bytes, which every offset alignment is a multiple of; UINT32_MAX: larger */
            uint32_t range;  /* bytes; UINT32_MAX: to the end of the buffer */
        } buffer;
    } u;
};
static_assert(sizeof(struct descriptor) == 16, "the budget of a descriptor");

/* The state of a descriptor set. Threads: updates are externally synchronised per set, or per descriptor with update-after-bind; words may
 * be torn in a program that breaks the rule, never unsafe to read. */
struct descriptor_set {
    struct object_state base;
    struct descriptor_layout *layout; /* held */
    uint64_t pool;                    /* id */
    uint32_t variable_count;          /* of the last binding, where that is variable */
    uint32_t descriptor_count;
    _Atomic uint32_t version;  /* grows with each update. Relaxed */
    _Atomic uint64_t verified; /* version:32 | interface:32 for which all that draws need was found in order; 0 = none */
    struct descriptor descriptors[];
};
STATE_FINDERS(descriptor_set, VkDescriptorSet, HANDLE_DESCRIPTOR_SET)
void descriptor_set_destroy(struct descriptor_set *set);

/* Does the sampler of each VkDescriptorImageInfo of this combined-image-sampler write count: is the binding known to have no
 * immutable samplers? `set` may be NULL (unknown, or a push descriptor). */
bool descriptor_set_takes_samplers(const struct object *set, const VkWriteDescriptorSet *write);

/* Must the app synchronise updates of the set, in every binding (none has a flag that lets two threads update at once)? False when unknown. */
static inline bool descriptor_set_needs_synchronization(const struct object *object)
{
    const struct descriptor_set *set = object_load_state(object);
    return set && set->layout &&
           !(set->layout->all_flags &
             (VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT | VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT));
}

#endif
