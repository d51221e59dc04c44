/* A dump shows the descriptors and addresses of a command. With the setting `gpu_dump_descriptors`,
 * each draw, dispatch and trace is dumped when it is recorded, as information (ASSAY-GpuDump) or on
 * standard output. Suspicious values are marked. A dump has sets, push descriptors, descriptor
 * buffers, heaps, and device addresses among the push constants. `gpu_dump_copy_memory_indirect`
 * and `gpu_dump_device_generated_commands` dump the structures that such commands read from memory.
 * `gpu_dump_commands` selects commands. */
#ifndef ASSAY_GPU_DUMP_H
#define ASSAY_GPU_DUMP_H

#include "objects/device.h"

extern const struct validator dump_validator;

/* --- functions for the generated hooks (dump_hooks.c), which run before the checks: parameters may
 * be invalid --- */

/* Called before a command is recorded that runs the shaders of this bind point. */
void dump_command(struct call *call, uint32_t point);
/* The size in `range` is 0 if the command only takes an address (VK_NV_copy_memory_indirect). */
void dump_indirect_copies(struct call *call, const VkStridedDeviceAddressRangeKHR *range,
                          uint32_t count, bool to_image);
void dump_generated_commands(struct call *call, const VkGeneratedCommandsInfoEXT *info);

/* Threads: chassis/fork.c. */
void dump_fork(enum fork_step step);

#endif
