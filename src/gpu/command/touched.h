/* Makes tables in which shaders report the descriptors that they access (TOUCHED_..., spirv/abi.h).
 * Each command with such shaders has a table of its own, in the command buffer's memory.
 * Threads: that which records the command buffer. */
#ifndef ASSAY_GPU_TOUCHED_H
#define ASSAY_GPU_TOUCHED_H

#include "gpu/command/command.h"
#include "state/command/touched.h"

/* Called when a recording begins. */
void gpu_touched_begin(struct gpu_device *gpu, struct command_buffer *command_buffer);
/* Forgets the recording, whose memory is about to be freed. */
void gpu_touched_forget(struct command_buffer *command_buffer);
/* Makes a table for the current command, if its shaders need one: sets COMMAND_TOUCHED in its
 * record. */
void gpu_touched_record(const struct call *call, struct gpu_command_buffer *commands,
                        uint32_t point, uint32_t *record);

#endif
