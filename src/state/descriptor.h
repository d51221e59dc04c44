/* What does a descriptor set layout say of each binding? Kept as long as the layout or a set that was allocated with it lives. */
#ifndef ASSAY_STATE_DESCRIPTOR_H
#define ASSAY_STATE_DESCRIPTOR_H

#include "chassis/chassis.h"

struct descriptor_binding {
    uint32_t binding;
    uint32_t count;
    VkDescriptorType type;
    VkDescriptorBindingFlags flags;
    bool immutable_samplers;
};

/* The state of a descriptor set layout's object, and of the sets that were allocated with it, which share it.
 * Threads: const, but for the count. */
struct descriptor_layout {
    _Atomic uint32_t references;
    VkDescriptorBindingFlags all_flags; /* of all bindings together */
    uint32_t binding_count;
    struct descriptor_binding bindings[]; /* in the app's order */
};

void descriptor_layout_release(struct descriptor_layout *layout);

/* The binding of that number, or NULL. */
const struct descriptor_binding *descriptor_layout_find(const struct descriptor_layout *layout, uint32_t binding);

/* Does the sampler of each VkDescriptorImageInfo of this combined-image-sampler write count: is the binding known to have no
 * immutable samplers? `set` may be NULL (unknown, or a push descriptor). */
bool descriptor_set_takes_samplers(const struct object *set, const VkWriteDescriptorSet *write);

/* Must the app synchronise updates of the set, in every binding (none has a flag that lets two threads update at once)? False when unknown. */
static inline bool descriptor_set_needs_synchronization(const struct object *set)
{
    const struct descriptor_layout *layout = set->state;
    return layout && !(layout->all_flags & (VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                                            VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT));
}

void state_after_CreateDescriptorSetLayout(struct call *call, VkDevice device,
                                           const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
                                           const VkAllocationCallbacks *pAllocator, VkDescriptorSetLayout *pSetLayout);
void state_after_AllocateDescriptorSets(struct call *call, VkDevice device,
                                        const VkDescriptorSetAllocateInfo *pAllocateInfo,
                                        VkDescriptorSet *pDescriptorSets);

#endif
