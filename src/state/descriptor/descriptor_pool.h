/* Counts what can still be allocated from a descriptor pool (14.2.3 "Allocation of Descriptor
 * Sets"). */
#ifndef ASSAY_STATE_DESCRIPTOR_POOL_H
#define ASSAY_STATE_DESCRIPTOR_POOL_H

#include "state/descriptor/descriptor.h"

/* Threads: counts are externally synchronised with the pool; everything else is const. */
struct descriptor_pool {
    struct object_state base;
    VkDescriptorPoolCreateFlags flags;
    uint32_t max_sets;
    uint32_t sets; /* number that can still be allocated */
    uint32_t max_inline_uniform_bindings;
    uint32_t inline_uniform_bindings; /* number that can still be allocated */
    /* a single set was freed: allocation may fail although the counts show room */
    bool fragmented;
    /* by enum descriptor_tag; bytes for inline uniform blocks. Saturates */
    uint32_t capacity[DESCRIPTOR_TAG_COUNT];
    /* descriptors that can still be allocated, by enum descriptor_tag; bytes for inline uniform
     * blocks */
    uint32_t left[DESCRIPTOR_TAG_COUNT];
    /* types that its mutable descriptors may have, as bits 1 << enum descriptor_tag, for all pool
     * sizes together. UINT32_MAX: any */
    uint32_t mutable_types;
    AREA_ROOM(8);
};
STATE_FINDERS(descriptor_pool, VkDescriptorPool, HANDLE_DESCRIPTOR_POOL)

/* The descriptors that a set with some layout needs from a pool. */
struct descriptor_demand {
    uint64_t count[DESCRIPTOR_TAG_COUNT]; /* bytes for inline uniform blocks */
    uint32_t inline_uniform_bindings;
};
void descriptor_demand_add(struct descriptor_demand *demand, const struct descriptor_layout *layout,
                           uint32_t variable_count);

#endif
