/* Statements about SPIR-V that are data: a module is compared with all of them in one pass. */
#ifndef ASSAY_CORE_SHADER_SPIRV_ROWS_H
#define ASSAY_CORE_SHADER_SPIRV_ROWS_H

#include "objects/device.h"
#include "report/finding/finding.h"

struct spirv_module;

/* Reports what the module breaks of the statements in registry/spirv_rows.txt, each statement once
 * a module. With `needs_only` it reports only what the device does not have. `said`: what
 * SPIRV-Tools says of the module, which the first finding adds, or NULL. `told`: whether there was
 * anything to report. Returns whether to skip. Threads: any. */
bool spirv_rows_check(const struct call *call, const struct location *where,
                      const struct spirv_module *module, bool needs_only, const char *said,
                      bool *told);

#endif
