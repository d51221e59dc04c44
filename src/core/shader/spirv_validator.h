/* The validator of SPIRV-Tools. It is in the helper library beside the layer, which is loaded for
 * the first module. */
#ifndef ASSAY_CORE_SHADER_SPIRV_VALIDATOR_H
#define ASSAY_CORE_SHADER_SPIRV_VALIDATOR_H

#include "objects/device.h"
#include "report/finding/finding.h"

struct spirv_module;
struct validation_cache;

/* Reports under `vuid` the rules that SPIRV-Tools finds broken in the module, then broken rows
 * (spirv_rows.h). `hash` is that of the module's words. A module that the program's `cache` has as
 * valid is not checked again; valid modules are added to it. `cache` may be NULL. If the helper
 * cannot be loaded, SPIRV-Tools checks nothing, and one warning per process says so. Threads:
 * any. */
bool spirv_validator_check(struct call *call, enum vuid vuid, const struct location *where,
                           const struct spirv_module *module, uint64_t hash,
                           struct validation_cache *cache) COLD;

#endif
