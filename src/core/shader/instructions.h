/* Checks single instructions of a module, for rules that the tables of spirv_rows.h cannot
 * express. */
#ifndef ASSAY_CORE_SHADER_INSTRUCTIONS_H
#define ASSAY_CORE_SHADER_INSTRUCTIONS_H

#include "objects/device.h"
#include "report/finding/finding.h"

struct spirv_module;

/* Reports rules that instructions break, each rule once for a module. `told` is set if there was
 * anything to report. Returns whether to skip. Threads: any. */
bool instructions_check(const struct call *call, const struct location *where,
                        const struct spirv_module *module, bool *told);

#endif
