/* Allocates states on separate cache lines, for objects that one thread writes often (descriptor
 * sets, fences, semaphores, events, query pools). Threads: the one that allocates the state, before
 * it is published. */
#ifndef ASSAY_STATE_OBJECT_LINES_H
#define ASSAY_STATE_OBJECT_LINES_H

#include "base/state_lines.h"
#include "state/object/object_state.h"

/* Like object_state_new(), but on separate cache lines. */
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
