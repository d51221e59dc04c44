/* Synchronization validation finds two accesses to the same memory that race. (7 "Synchronization
 * and Cache Control"; docs/architecture/hazards.md) On with the setting validate_sync.
 * Threads: any; validators are filled in once, before they are used. */
#ifndef ASSAY_SYNC_SYNC_H
#define ASSAY_SYNC_SYNC_H

#include "objects/validator.h"

extern const struct validator sync_validator;
/* Says what becomes of areas (sync/access/areas.h) when objects go. */
extern const struct area_end sync_areas[];
/* A recorded command was refused, and all validate hooks have run: what validate hooks have changed
 * is as it was before them. */
void sync_take_back(const struct call *call) COLD;

/* The validators below are nearly empty, and filled in once before they are used: data in the
 * library costs 16 KB for each validator. */

/* Where a command buffer orders more than it needs to: with validate_best_practices, too
 * (sync/advice/advice.h). Runs before sync_validator. */
extern const struct validator advice_validator;
/* Checks what shaders access in arrays of descriptors: with gpuav_enable, too
 * (sync/touched/touched.h). Runs after sync_validator. */
extern const struct validator touched_validator;

#endif
