/* Rules of single instructions of a module, beside those that are data (spirv_rows.h). */
#ifndef ASSAY_CORE_SHADER_INSTRUCTIONS_H
#define ASSAY_CORE_SHADER_INSTRUCTIONS_H

#include "objects/device.h"
#include "report/finding/finding.h"

struct spirv_module;

/* Reports what is wrong with instructions, each statement once a module. `told`: set where there
 * was anything to report. Returns whether to skip. Threads: any. */
bool instructions_check(const struct call *call, const struct location *where,
                        const struct spirv_module *module, bool *told);

#endif
