/* Best practices: where a program that is correct costs more than it needs to. On with the setting
 * validate_best_practices; the settings of the vendors add to it. (docs/practices.md,
 * docs/architecture/rules.md, "Best practices") Threads: any; validators are const. */
#ifndef ASSAY_PRACTICES_PRACTICES_H
#define ASSAY_PRACTICES_PRACTICES_H

#include "base/lock.h"
#include "objects/validator.h"

extern const struct validator practices_validator;
/* Extensions and commands that newer ones have superseded: with the setting legacy_detection. */
extern const struct validator legacy_validator;
/* Says what has no effect: with the setting validate_best_practices_redundant. */
extern const struct validator redundant_validator;

/* Steps the locks of this room through a fork, as chassis/fork.c needs it. */
void practices_fork(enum fork_step step);

#endif
