/* For work on the instrumenter: implements the settings gpuav_debug_..., which show each
 * instrumented shader. */
#ifndef ASSAY_GPU_DEBUG_H
#define ASSAY_GPU_DEBUG_H

#include "gpu/pipeline/pipeline.h"

/* Shows a newly instrumented shader. Threads: any. */
void gpu_debug_instrumented(const struct call *call, const struct gpu_shader *shader) COLD;

#endif
