/* Makes states on cache lines of their own, for objects that one thread writes again and again
 * (descriptor sets, fences, semaphores, events, query pools). Threads: that which makes the state,
 * before it is published. */
#ifndef ASSAY_STATE_OBJECT_LINES_H
#define ASSAY_STATE_OBJECT_LINES_H

#include "base/state_lines.h"
#include "state/object/object_state.h"

/* The same as object_state_new(), on cache lines of its own. */
static inline MUST_CHECK void *object_state_new_lines(struct object *object, size_t size)
{
    struct object_state *state = object ? mem_alloc_state_lines(size) : NULL;
    if (state) {
        state->object = object;
        state->id = atomic_load_explicit(&object->id, memory_order_relaxed);
    }
    return state;
}

#endif
