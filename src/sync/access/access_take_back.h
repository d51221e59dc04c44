/* Takes back what a command did that a callback refuses. These are parts of
 * sync/access/access_context.h. Threads: the context's. */
#ifndef ASSAY_SYNC_ACCESS_TAKE_BACK_H
#define ASSAY_SYNC_ACCESS_TAKE_BACK_H

#include "sync/access/access_context.h"

/* A piece, before the access with this tag, which has a hazard there: sync_context_take_back() may
 * want it back. */
void sync_save_state(struct sync_context *context, const struct sync_place *piece,
                     const struct sync_state *state, uint64_t tag) COLD;

#endif
