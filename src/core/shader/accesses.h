/* Checks what a module accesses: indices of built-ins, operands of images, and values that must not
 * depend on ViewIndex. */
#ifndef ASSAY_CORE_SHADER_ACCESSES_H
#define ASSAY_CORE_SHADER_ACCESSES_H

#include "objects/device.h"
#include "report/finding/finding.h"

struct spirv_module;

/* Reports rules that accesses break, each rule once for a module. `told` is set if there was
 * anything to report. Returns whether to skip. Threads: any. */
bool accesses_check(const struct call *call, const struct location *where,
                    const struct spirv_module *module, bool *told);

/* True for a built-in that may change while a shader of this SpvExecutionModel runs: its loads must
 * be volatile. Threads: any. */
bool built_in_is_volatile(uint32_t model, uint32_t built_in);

#endif
