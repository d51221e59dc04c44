/* Shaders read of each descriptor of a set whether it was ever written, and whether what it names
 * lives. They also read its class, and how far it goes (TABLE_..., spirv/abi.h). A table
 * changes with its set; a set whose layout has nothing to ask about has none. */
#ifndef ASSAY_GPU_TABLES_H
#define ASSAY_GPU_TABLES_H

#include "gpu/device/device.h"
#include "state/descriptor/descriptor.h"

struct gpu_command_buffer;
struct command_buffer;

/* Hangs off descriptor_set::gpu. const. */
struct gpu_table {
    struct gpu_memory memory;
};

/* The device address of the set's table. 0: the set has no table. `set` may be NULL. */
VkDeviceAddress gpu_table_address(const struct descriptor_set *set);
/* The address of a table of what was last pushed to the set number `set` of the bind point, made in
 * the command buffer's memory. 0: there is none. Threads: the command buffer's. */
VkDeviceAddress gpu_table_push(const struct call *call, struct gpu_command_buffer *commands,
                               const struct command_buffer *command_buffer, uint32_t point,
                               uint32_t set);
/* Reads entry number `entry` of a table of pushed descriptors: object and type alone, for findings.
 * False: it is not known (any more). `recording`, `table`: of the command. */
bool gpu_table_pushed(struct gpu_device *gpu, uint32_t recording, VkDeviceAddress table,
                      uint32_t entry, struct descriptor *descriptor) COLD REQUIRES(gpu->drain_lock);
/* The set goes (NULL: nothing happens). */
void gpu_table_free(struct gpu_device *gpu, struct descriptor_set *set);

/* True if shaders may have to ask about a descriptor of this binding. */
bool gpu_binding_is_asked(const struct descriptor_binding *binding);

#endif
