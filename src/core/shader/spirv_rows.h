/* Rules about SPIR-V that are data. A module is checked against all of them in one pass. */
#ifndef ASSAY_CORE_SHADER_SPIRV_ROWS_H
#define ASSAY_CORE_SHADER_SPIRV_ROWS_H

#include "objects/device.h"
#include "report/finding/finding.h"

struct spirv_module;

/* Reports the rules in registry/spirv_rows.txt that the module breaks, each rule once for a module.
 * With `needs_only` it reports only requirements that the device does not meet. `said` is the text
 * of SPIRV-Tools about the module, which the first finding adds, or NULL. `told` is set to whether
 * there was anything to report. Returns whether to skip. Threads: any. */
bool spirv_rows_check(const struct call *call, const struct location *where,
                      const struct spirv_module *module, bool needs_only, const char *said,
                      bool *told);

#endif
