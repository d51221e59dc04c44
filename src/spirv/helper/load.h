/* Gives access to SPIRV-Tools' validator, which is in the helper library beside the layer. */
#ifndef ASSAY_SPIRV_HELPER_LOAD_H
#define ASSAY_SPIRV_HELPER_LOAD_H

#include "base/base.h"
#include "spirv/helper/validate.h"

/* Returns the helper's function, which is loaded at the first call. NULL: that failed, and `error`
 * says why. `number` identifies the build of the helper; 0: not known.
 * Threads: any. */
spirv_validate_function spirv_tools_validator(const char **error, uint64_t *number);

/* Steps through a fork, which waits for the threads that are in the helper. */
void spirv_tools_fork(enum fork_step step);

#endif
