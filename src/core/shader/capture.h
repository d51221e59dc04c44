/* Checks the outputs of a module that transform feedback captures. */
#ifndef ASSAY_CORE_SHADER_CAPTURE_H
#define ASSAY_CORE_SHADER_CAPTURE_H

#include "objects/device.h"
#include "report/finding/finding.h"

struct spirv_module;

/* Reports wrong offsets, buffers and streams of captured outputs, each rule once for an entry
 * point. In a module without the capability TransformFeedback only the capabilities are read.
 * `told` is set if there was anything to report. Returns whether to skip. Threads: any. */
bool capture_check(const struct call *call, const struct location *where,
                   const struct spirv_module *module, bool *told);

#endif
