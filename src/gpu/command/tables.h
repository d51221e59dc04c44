/* Makes tables in which shaders look up each descriptor of a set (TABLE_..., spirv/abi.h). A table
 * says whether a descriptor was ever written, whether its object exists, its class, and its size. A
 * table changes with its set. A set whose layout needs no checks has none. */
#ifndef ASSAY_GPU_TABLES_H
#define ASSAY_GPU_TABLES_H

#include "gpu/device/device.h"
#include "state/descriptor/descriptor.h"

struct gpu_command_buffer;
struct command_buffer;

/* The table of a set: gpu_in_descriptor_set::table. const. */
struct gpu_table {
    struct gpu_memory memory;
};

/* Returns the device address of the set's table. 0: the set has no table. `set` may be NULL. */
VkDeviceAddress gpu_table_address(const struct descriptor_set *set);
/* Returns the address of a table of the descriptors last pushed to set number `set` of the bind
 * point, made in the command buffer's memory. 0: there is none. Threads: the command buffer's. */
VkDeviceAddress gpu_table_push(const struct call *call, struct gpu_command_buffer *commands,
                               const struct command_buffer *command_buffer, uint32_t point,
                               uint32_t set);
/* Reads entry number `entry` of a table of pushed descriptors: only its object and type, for
 * findings. Returns false if it is not known, or not any more. `recording` and `table` are the
 * command's. */
bool gpu_table_pushed(struct gpu_device *gpu, uint32_t recording, VkDeviceAddress table,
                      uint32_t entry, struct descriptor *descriptor) COLD REQUIRES(gpu->drain_lock);
/* Frees the set's table, because the set is freed. `set` may be NULL. */
void gpu_table_free(struct gpu_device *gpu, struct descriptor_set *set);

/* True if shaders may have to look up a descriptor of this binding. */
bool gpu_binding_is_asked(const struct descriptor_binding *binding);

#endif
