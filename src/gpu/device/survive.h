/* Keeps shaders' findings if the process dies. If `assay run` requests a record of the device
 * (state/object/aftermath.h), the ring is in a file's memory, which the driver imports. Data for
 * reporting its records is written to other files. The tool reads them when the process is gone
 * (tools/assay/aftermath/aftermath_gpu.c). */
#ifndef ASSAY_GPU_SURVIVE_H
#define ASSAY_GPU_SURVIVE_H

#include "gpu/command/command.h"
#include "gpu/device/device.h"
#include "gpu/pipeline/pipeline.h"

/* Takes memory of this size for a ring that survives the process. Returns false if that is not
 * requested, or the driver imports no host memory; then the ring is lost with the process. */
bool gpu_survive_ring(struct gpu_device *gpu, VkDeviceSize size,
                      struct gpu_memory *memory) MUST_CHECK;

/* Notes that a shader has been instrumented, which pipeline runs it, and the name of its module.
 * Threads: any. */
void gpu_survive_shader(const struct device *device, const struct gpu_shader *shader);
void gpu_survive_stage(const struct device *device, const struct gpu_shader *shader,
                       uint64_t module, const char *name);

/* If gpu_device::surviving is not NULL, notes that a command was recorded or a label begun. The
 * label is the last one of gpu_command_buffer::labels. Threads: the command buffer's. */
void gpu_survive_command(const struct call *call, const struct gpu_command_buffer *commands,
                         const struct gpu_action *action);
void gpu_survive_label(const struct gpu_device *gpu, const struct gpu_command_buffer *commands);
/* Notes that the secondary has this many executions whose recordings exist; the given command is
 * the last one. Lock: gpu_device::recordings_lock. */
void gpu_survive_execution(const struct gpu_device *gpu, uint32_t recording, uint32_t count,
                           const struct gpu_execution *execution);
/* Called when the device is destroyed. */
void gpu_survive_end(struct gpu_device *gpu);

#endif
