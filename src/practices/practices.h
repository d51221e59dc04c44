/* Best practices: advice where a correct program costs more than necessary. The setting
 * validate_best_practices switches it on; settings of vendors add to it. See docs/practices.md, and
 * "Best practices" in docs/architecture/rules.md. Threads: any; validators are const. */
#ifndef ASSAY_PRACTICES_PRACTICES_H
#define ASSAY_PRACTICES_PRACTICES_H

#include "base/lock.h"
#include "objects/validator.h"

extern const struct validator practices_validator;
/* Advice on superseded extensions and commands; on with the setting legacy_detection. */
extern const struct validator legacy_validator;
/* Advice on what has no effect; on with the setting validate_best_practices_redundant. */
extern const struct validator redundant_validator;

/* Takes the locks of src/practices before a fork and releases them after it. chassis/fork.c calls
 * it. */
void practices_fork(enum fork_step step);

#endif
