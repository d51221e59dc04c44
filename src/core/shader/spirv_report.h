/* Words a finding about one instruction of a module. */
#ifndef ASSAY_CORE_SHADER_SPIRV_REPORT_H
#define ASSAY_CORE_SHADER_SPIRV_REPORT_H

#include "report/finding/finding.h"

struct spirv_module;

/* Reports `text` under `vuid` for one instruction, given by its index in the module, with its line
 * of the shader's source. Returns whether to skip. Threads: any. */
bool spirv_report_instruction(const struct call *call, enum vuid vuid, const struct location *where,
                              const struct spirv_module *module, const char *text,
                              uint32_t instruction) COLD;

#endif
