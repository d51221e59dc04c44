/* Checks what a module says of the outputs that transform feedback captures. */
#ifndef ASSAY_CORE_SHADER_CAPTURE_H
#define ASSAY_CORE_SHADER_CAPTURE_H

#include "objects/device.h"
#include "report/finding/finding.h"

struct spirv_module;

/* Reports what is wrong with the offsets, buffers and streams of captured outputs, each statement
 * once an entry point. A module without the capability TransformFeedback costs a look at its
 * capabilities. `told`: set where there was anything to report. Returns whether to skip. Threads:
 * any. */
bool capture_check(const struct call *call, const struct location *where,
                   const struct spirv_module *module, bool *told);

#endif
