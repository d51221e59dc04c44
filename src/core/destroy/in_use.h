/* Checks that submitted work, not known to be done, does not use an object that is about to be
 * destroyed, reset or changed. Threads: that of the call. Fields of other objects are read as their
 * own comments allow. */
#ifndef ASSAY_CORE_DESTROY_IN_USE_H
#define ASSAY_CORE_DESTROY_IN_USE_H

#include "objects/device.h"
#include "report/vuids.h"
#include "state/submit/queue.h"
#include "state/object/reach.h"

/* Reports it, unless check_object_in_use is off. `vuid` is looked up by the caller with RULE():
 * keep it out of hot paths. A NULL state gives no finding. Returns whether to skip. */
bool in_use_report(const struct call *call, const struct object_state *state, enum vuid vuid,
                   const struct location *where) COLD;

/* Writes what ends the use of an object by the submission of this stamp (0: not known): a fence, a
 * timeline value, or a wait. `presented`: a present uses it. For finding_with_fix(). */
struct fix_text; /* report/finding/fix.h */
const char *in_use_fix(const struct call *call, bool presented, uint64_t stamp,
                       struct fix_text *fix) COLD;

static ALWAYS_INLINE bool in_use(const struct call *call, const struct object_state *state)
{
    return unlikely(state && atomic_load_explicit(&state->last_use, memory_order_relaxed)) &&
           call->instance->settings.check_object_in_use && object_in_use(call->device, state);
}

/* Hot: one load where the object was never submitted. `vuid_` is only evaluated when it is in use.
 */
#define in_use_check(call_, state_, vuid_, where_) \
    (likely(!in_use((call_), (state_))) ? false    \
                                        : in_use_report((call_), (state_), (vuid_), (where_)))

/* The same for an object that submitted work may use through other objects: views, descriptors, or
 * memory that something is bound to. */
#define in_use_through_check(call_, state_, vuid_, where_) \
    (reach_prepare((call_)->device), in_use_check((call_), (state_), (vuid_), (where_)))

#endif
