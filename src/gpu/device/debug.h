/* For work on the instrumenter: what the settings gpuav_debug_... ask for of each shader that
 * checks were put into. */
#ifndef ASSAY_GPU_DEBUG_H
#define ASSAY_GPU_DEBUG_H

#include "gpu/pipeline/pipeline.h"

/* Shows an instrumented shader, once when it was made. Threads: any. */
void gpu_debug_instrumented(const struct call *call, const struct gpu_shader *shader) COLD;

#endif
