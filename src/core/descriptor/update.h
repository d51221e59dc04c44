/* Rules that updates of sets, push descriptors and templates share. Threads: that of the call.
 * Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_DESCRIPTOR_UPDATE_H
#define ASSAY_CORE_DESCRIPTOR_UPDATE_H

#include "state/descriptor/descriptor.h"

/* Where a write goes. */
struct write_target {
    const struct descriptor_layout *layout; /* not NULL */
    const struct descriptor_set *set;       /* NULL for push descriptors */
    /* what findings name: the set, or the pipeline layout that descriptors are pushed with */
    enum handle_type type;
    uint64_t handle;
};

/* Checks a VkWriteDescriptorSet and the arrays that it leads to. Hot. */
bool descriptor_check_write(struct call *call, const struct write_target *target,
                            const VkWriteDescriptorSet *write, const struct location *where);

/* Checks what is to be written. The caller has checked where it goes: `write` fits `binding`. Hot.
 */
bool descriptor_check_content(struct call *call, const struct write_target *target,
                              const struct descriptor_binding *binding,
                              const VkWriteDescriptorSet *write, const struct location *where);

/* The data of an update by template, if they are not NULL. Hot. */
struct update_template;
bool descriptor_check_template(struct call *call, const struct write_target *target,
                               const struct update_template *template, const void *data,
                               const struct location *where);

/* How many descriptors (bytes of an inline uniform block) there are from `element` of `binding` on.
 * They are in it and the consecutive bindings that a write may go on into. */
uint64_t descriptor_room_from(const struct descriptor_layout *layout,
                              const struct descriptor_set *set,
                              const struct descriptor_binding *binding, uint32_t element);

#endif
