/* A dump says what a command was given. With the setting `gpu_dump_descriptors`, each draw,
 * dispatch and trace says it when it is recorded, as information (ASSAY-GpuDump) or on standard
 * output. What looks wrong is marked. It has sets, push descriptors, descriptor buffers, heaps, and
 * device addresses among the push constants. `gpu_dump_copy_memory_indirect` and
 * `gpu_dump_device_generated_commands` do so with the structures that such commands read from
 * memory. `gpu_dump_commands` chooses commands. */
#ifndef ASSAY_GPU_DUMP_H
#define ASSAY_GPU_DUMP_H

#include "objects/device.h"

extern const struct validator dump_validator;

/* --- of the generated hooks (dump_hooks.c), which run before the checks: parameters may be
 * anything --- */

/* A command is about to be recorded that runs the shaders of this bind point. */
void dump_command(struct call *call, uint32_t point);
/* `range`: its size is 0 where the command takes an address alone (VK_NV_copy_memory_indirect). */
void dump_indirect_copies(struct call *call, const VkStridedDeviceAddressRangeKHR *range,
                          uint32_t count, bool to_image);
void dump_generated_commands(struct call *call, const VkGeneratedCommandsInfoEXT *info);

/* Threads: chassis/fork.c. */
void dump_fork(enum fork_step step);

#endif
