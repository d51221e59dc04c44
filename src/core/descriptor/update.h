/* Rules that updates of sets, push descriptors and templates share. Threads: the calling thread.
 * Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_DESCRIPTOR_UPDATE_H
#define ASSAY_CORE_DESCRIPTOR_UPDATE_H

#include "state/descriptor/descriptor.h"

/* The destination of a write. */
struct write_target {
    const struct descriptor_layout *layout; /* not NULL */
    const struct descriptor_set *set;       /* NULL for push descriptors */
    /* object that findings name: the set, or for push descriptors the pipeline layout */
    enum handle_type type;
    uint64_t handle;
};

/* Checks a VkWriteDescriptorSet and the arrays that it points to. Hot. */
bool descriptor_check_write(struct call *call, const struct write_target *target,
                            const VkWriteDescriptorSet *write, const struct location *where);

/* Checks the data of a write. The caller has checked the destination: `write` fits `binding`.
 * Hot. */
bool descriptor_check_content(struct call *call, const struct write_target *target,
                              const struct descriptor_binding *binding,
                              const VkWriteDescriptorSet *write, const struct location *where);

/* Checks the data of an update with a template. Nothing is checked if the template or the data is
 * NULL. Hot. */
struct update_template;
bool descriptor_check_template(struct call *call, const struct write_target *target,
                               const struct update_template *template, const void *data,
                               const struct location *where);

/* The number of descriptors (bytes of an inline uniform block) that a write at `element` of
 * `binding` can reach. They are the rest of this binding, and consecutive bindings that the write
 * may continue into. */
uint64_t descriptor_room_from(const struct descriptor_layout *layout,
                              const struct descriptor_set *set,
                              const struct descriptor_binding *binding, uint32_t element);

#endif
