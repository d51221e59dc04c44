/* Saves states, so that a command that a callback refuses can be taken back. These functions are
 * parts of sync/access/access_context.h. Threads: the context's. */
#ifndef ASSAY_SYNC_ACCESS_TAKE_BACK_H
#define ASSAY_SYNC_ACCESS_TAKE_BACK_H

#include "sync/access/access_context.h"

/* Saves the state of a piece before the access with this tag, which has a hazard there, for
 * sync_context_take_back(). */
void sync_save_state(struct sync_context *context, const struct sync_place *piece,
                     const struct sync_state *state, uint64_t tag) COLD;

#endif
