/* SPIRV-Tools' validator is in the helper library beside the layer, and can be asked about any
 * module. */
#ifndef ASSAY_SPIRV_HELPER_LOAD_H
#define ASSAY_SPIRV_HELPER_LOAD_H

#include "base/base.h"
#include "spirv/helper/validate.h"

/* The helper's function, which is loaded when it is first asked for. NULL: it could not be, and
 * `error` says why. `number` is another one for another build of it; 0 where that is not known.
 * Threads: any. */
spirv_validate_function spirv_tools_validator(const char **error, uint64_t *number);

/* Steps through a fork, which waits for the threads that are in the helper. */
void spirv_tools_fork(enum fork_step step);

#endif
