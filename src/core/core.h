/* Checks that a call is legal, given the state. These are rules that carry a number, by the
 * specification's chapters (docs/adding-a-check.md), and where a command may be recorded
 * (core/record/scope.h). Threads: any; validators are const. */
#ifndef ASSAY_CORE_CORE_H
#define ASSAY_CORE_CORE_H

#include "objects/validator.h"

/* One of the two is on with validate_core: the second one where check_command_buffer is off. */
extern const struct validator core_validator;
extern const struct validator core_without_scope_validator;

/* A recorded command is refused: what its validate hooks have changed is as it was before them. */
void core_take_back(const struct call *call) COLD;

#endif
