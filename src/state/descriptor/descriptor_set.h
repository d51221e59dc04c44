/* Converts descriptors that the program gives into those of sets, and into push descriptors of a
 * command buffer. */
#ifndef ASSAY_STATE_DESCRIPTOR_SET_H
#define ASSAY_STATE_DESCRIPTOR_SET_H

#include "state/descriptor/descriptor.h"

struct update_template;

/* Memory for `count` descriptors of a set, or push descriptors, with this layout. */
struct descriptor_room {
    const struct descriptor_layout *layout;
    struct descriptor *descriptors;
    uint32_t count;
};

/* Writes descriptors from vkUpdateDescriptorSets or vkCmdPushDescriptorSet. Those outside of the
 * room are left out. Threads: as descriptor_store. */
void descriptor_write(const struct call *call, struct descriptor_room room,
                      const VkWriteDescriptorSet *write);
/* Writes descriptors with a template, from the program's data. */
void descriptor_write_template(const struct call *call, struct descriptor_room room,
                               const struct update_template *template, const void *data);

#endif
