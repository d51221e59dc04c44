/* SPIRV-Tools' validator, in the helper library beside the layer, which is loaded when the first
 * module asks for it. */
#ifndef ASSAY_CORE_SHADER_SPIRV_VALIDATOR_H
#define ASSAY_CORE_SHADER_SPIRV_VALIDATOR_H

#include "objects/device.h"
#include "report/finding/finding.h"

struct spirv_module;
struct validation_cache;

/* Reports under `vuid` what SPIRV-Tools finds wrong with the module. `hash` of its words. What the
 * program's `cache` (may be NULL) knows to be good is not looked at again; what is found good, it
 * knows from then on. Nothing where the helper cannot be loaded, which one warning of this process
 * says. Then what it breaks of the statements that are data (spirv_rows.h). Threads: any. */
bool spirv_validator_check(struct call *call, enum vuid vuid, const struct location *where,
                           const struct spirv_module *module, uint64_t hash,
                           struct validation_cache *cache) COLD;

#endif
