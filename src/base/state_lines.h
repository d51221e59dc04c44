/* Memory for states that their thread writes in every call. It is on separate cache lines, and
 * often a block that the thread has retired before, as in mem_alloc_state(). Otherwise, states of
 * objects that one thread creates for several others would share lines. */
#ifndef ASSAY_BASE_STATE_LINES_H
#define ASSAY_BASE_STATE_LINES_H

#include "base/thread.h"

/* Allocates zeroed memory that will be retired; NULL: out of memory. Threads: any. */
void *mem_alloc_state_lines(size_t size) __attribute__((malloc)) MUST_CHECK;

/* Like spare_take(), if the block is on separate cache lines. `size`: a multiple of a line. */
void *spare_take_lines(struct spare_blocks *spare, size_t size);

#endif
