/* Memory for states that their thread writes in every call. It is on cache lines of its own, and
 * often a block that the thread has retired before, as mem_alloc_state() gives it. Objects that one
 * thread makes for several others would have states side by side else. */
#ifndef ASSAY_BASE_STATE_LINES_H
#define ASSAY_BASE_STATE_LINES_H

#include "base/thread.h"

/* Allocates zeroed memory that will be retired; NULL when memory is out. Threads: any. */
void *mem_alloc_state_lines(size_t size) __attribute__((malloc)) MUST_CHECK;

/* As spare_take(), where the block at hand is on cache lines of its own. `size`: of whole lines. */
void *spare_take_lines(struct spare_blocks *spare, size_t size);

#endif
