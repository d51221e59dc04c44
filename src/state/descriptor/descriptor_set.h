/* Turns what the program hands in for descriptors into descriptors. This is for sets, and for push
 * descriptors of a command buffer. */
#ifndef ASSAY_STATE_DESCRIPTOR_SET_H
#define ASSAY_STATE_DESCRIPTOR_SET_H

#include "state/descriptor/descriptor.h"

struct update_template;

/* `count` descriptors of a set (or pushed ones) with this layout. */
struct descriptor_room {
    const struct descriptor_layout *layout;
    struct descriptor *descriptors;
    uint32_t count;
};

/* Writes what vkUpdateDescriptorSets, or vkCmdPushDescriptorSet, is given. What lies outside of the
 * room is left out. Threads: as descriptor_store. */
void descriptor_write(const struct call *call, struct descriptor_room room,
                      const VkWriteDescriptorSet *write);
/* Writes descriptors by a template, from the program's data. */
void descriptor_write_template(const struct call *call, struct descriptor_room room,
                               const struct update_template *template, const void *data);

#endif
