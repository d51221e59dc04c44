/* Counts what is left in a descriptor pool (14.2.3 "Allocation of Descriptor Sets"). */
#ifndef ASSAY_STATE_DESCRIPTOR_POOL_H
#define ASSAY_STATE_DESCRIPTOR_POOL_H

#include "state/descriptor/descriptor.h"

/* Threads: counts are externally synchronised with the pool; all else is const. */
struct descriptor_pool {
    struct object_state base;
    VkDescriptorPoolCreateFlags flags;
    uint32_t max_sets;
    uint32_t sets; /* that can still be allocated */
    uint32_t max_inline_uniform_bindings;
    uint32_t inline_uniform_bindings; /* that can still be allocated */
    /* a set was freed by itself: allocation may fail though the counts say that there is room */
    bool fragmented;
    /* by enum descriptor_tag; bytes of inline uniform blocks. Saturates */
    uint32_t capacity[DESCRIPTOR_TAG_COUNT];
    /* descriptors that can still be allocated, by enum descriptor_tag; bytes of inline uniform
     * blocks */
    uint32_t left[DESCRIPTOR_TAG_COUNT];
    /* bits 1 << enum descriptor_tag: what its mutable descriptors may be, all of them together.
     * UINT32_MAX: anything */
    uint32_t mutable_types;
    AREA_ROOM(8);
};
STATE_FINDERS(descriptor_pool, VkDescriptorPool, HANDLE_DESCRIPTOR_POOL)

/* The descriptors that a set of the layout takes of a pool. */
struct descriptor_demand {
    uint64_t count[DESCRIPTOR_TAG_COUNT]; /* bytes of inline uniform blocks */
    uint32_t inline_uniform_bindings;
};
void descriptor_demand_add(struct descriptor_demand *demand, const struct descriptor_layout *layout,
                           uint32_t variable_count);

#endif
