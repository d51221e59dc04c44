/* Checks that no submitted work which may not have completed uses an object that is to be
 * destroyed, reset or changed. Threads: the calling thread. Fields of other objects are read as
 * their own comments allow. */
#ifndef ASSAY_CORE_DESTROY_IN_USE_H
#define ASSAY_CORE_DESTROY_IN_USE_H

#include "objects/device.h"
#include "report/vuids.h"
#include "state/submit/queue.h"
#include "state/object/reach.h"

/* Reports the object, unless check_object_in_use is off. `state`: NULL: nothing is reported.
 * `vuid`: the caller finds it with RULE(), outside of hot paths. Returns whether to skip the
 * call. */
bool in_use_report(const struct call *call, const struct object_state *state, enum vuid vuid,
                   const struct location *where) COLD;

/* Writes a wait that ends the use of an object by the submission with this stamp: for a fence, a
 * timeline value, or the queue. Stamp 0: not known. `presented`: a present uses the object. For
 * finding_with_fix(). */
struct fix_text; /* report/finding/fix.h */
const char *in_use_fix(const struct call *call, bool presented, uint64_t stamp,
                       struct fix_text *fix) COLD;

static ALWAYS_INLINE bool in_use(const struct call *call, const struct object_state *state)
{
    return unlikely(state && atomic_load_explicit(&state->last_use, memory_order_relaxed)) &&
           call->instance->settings.check_object_in_use && object_in_use(call->device, state);
}

/* Hot: one load if the object was never submitted. `vuid_` is only evaluated if the object is in
 * use. */
#define in_use_check(call_, state_, vuid_, where_) \
    (likely(!in_use((call_), (state_))) ? false    \
                                        : in_use_report((call_), (state_), (vuid_), (where_)))

/* Does the same for an object that submitted work may use through others: views, descriptors, or
 * resources that are bound to memory. */
#define in_use_through_check(call_, state_, vuid_, where_) \
    (reach_prepare((call_)->device), in_use_check((call_), (state_), (vuid_), (where_)))

#endif
