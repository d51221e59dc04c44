/* Synchronization validation finds two accesses to the same memory that race. (7 "Synchronization
 * and Cache Control"; docs/architecture/hazards.md) It is on with the setting validate_sync.
 * Threads: any; validators are filled in once, before they are used. */
#ifndef ASSAY_SYNC_SYNC_H
#define ASSAY_SYNC_SYNC_H

#include "objects/validator.h"

extern const struct validator sync_validator;
/* The functions that free areas (sync/access/areas.h) when objects are destroyed. */
extern const struct area_end sync_areas[];
/* A recorded command was refused, and all validate hooks have run: changes by this room's validate
 * hooks are undone. */
void sync_take_back(const struct call *call) COLD;

/* The validators below are filled in at run time, once before they are used: initialized data in
 * the library would cost 16 KB for each validator. */

/* Finds where a command buffer orders more than it needs to. It also needs validate_best_practices
 * (sync/advice/advice.h). Runs before sync_validator. */
extern const struct validator advice_validator;
/* Checks shaders' accesses to arrays of descriptors. It also needs gpuav_enable
 * (sync/touched/touched.h). Runs after sync_validator. */
extern const struct validator touched_validator;

#endif
