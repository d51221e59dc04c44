/* Checks the acceleration structures and tensors that descriptor writes have in their pNext chains.
 * Threads: the calling thread. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_DESCRIPTOR_STRUCTURE_WRITES_H
#define ASSAY_CORE_DESCRIPTOR_STRUCTURE_WRITES_H

#include "objects/call.h"

/* Keeps a write from a driver that would follow invalid pointers. vkUpdateDescriptorSets goes down
 * without this element; other commands do not go down at all. `answer` is what the finding has
 * returned. Returns whether the call shall be skipped. */
bool descriptor_leave_out(struct call *call, bool answer) COLD;

/* The functions below return whether the call shall be skipped. */

/* Checks the acceleration structures that one write has in its chain. A write with too few is kept
 * from the driver. */
bool descriptor_check_acceleration_structures(struct call *call, const VkWriteDescriptorSet *write,
                                              const struct location *where) COLD;

/* Checks the acceleration structures of the NV extension that one write has in its chain. A write
 * with too few is kept from the driver. */
bool descriptor_check_acceleration_structures_nv(struct call *call,
                                                 const VkWriteDescriptorSet *write,
                                                 const struct location *where) COLD;

/* Checks how many partitioned acceleration structures one write has in its chain. */
bool descriptor_check_partitioned(struct call *call, const VkWriteDescriptorSet *write,
                                  const struct location *where) COLD;

/* Checks the tensor views that one write has in its chain. A write with too few is kept from the
 * driver. */
bool descriptor_check_tensors(struct call *call, const VkWriteDescriptorSet *write,
                              const struct location *where) COLD;

#endif
