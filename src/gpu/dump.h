/* What do the descriptors of a command refer to? With the setting `gpu_dump_descriptors`, each draw, dispatch and trace tells
 * it when it is recorded, as information (ASSAY-GpuDump) or on standard output, with what looks wrong marked. Sets, push
 * descriptors, and where descriptor buffers are bound. `gpu_dump_commands` chooses commands. */
#ifndef ASSAY_GPU_DUMP_H
#define ASSAY_GPU_DUMP_H

#include "chassis/chassis.h"

extern struct validator dump_validator;
void dump_validator_fill(void);

/* Of the generated hooks (dump_hooks.c): a command is about to be recorded that runs the pipeline of this bind point. */
void dump_command(struct call *call, uint32_t point);

#endif
