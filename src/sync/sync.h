/* Synchronization validation: do two accesses to the same memory race? (7 "Synchronization and Cache Control"; docs/architecture.md, "Hazards")
 * On with the setting validate_sync. */
#ifndef ASSAY_SYNC_SYNC_H
#define ASSAY_SYNC_SYNC_H

#include "chassis/validator.h"

extern const struct validator sync_validator;
/* Where a command buffer orders more than it needs to: with validate_best_practices, too (sync/advice.h). Runs before sync_validator. */
extern const struct validator advice_validator;

#endif
