/* Memory that is freed all at once: growing blocks that are used from front to back, and rewound to
 * be used again. In steady state (the same work after each rewind) nothing is allocated. Threads:
 * an arena belongs to the owner of the structure that contains it. */
#ifndef ASSAY_ARENA_H
#define ASSAY_ARENA_H

#include "base/base.h"

struct arena_block;

/* A zeroed arena is empty. */
struct arena {
    struct arena_block *first; /* owned, like the blocks after it */
    /* block from which memory is taken; NULL: none was taken yet */
    struct arena_block *current;
    char *next, *end; /* free memory of `current` */
};

void *arena_take_slow(struct arena *arena, size_t size) COLD MUST_CHECK;

/* Takes `size` bytes, aligned to 8, uninitialized; NULL: out of memory. Valid until the arena is
 * rewound or freed. */
static ALWAYS_INLINE MUST_CHECK void *arena_take(struct arena *arena, size_t size)
{
    size = (size + 7) & ~(size_t)7;
    if (unlikely(size > (size_t)(arena->end - arena->next)))
        return arena_take_slow(arena, size);
    void *memory = arena->next;
    arena->next += size;
    return memory;
}

/* Makes all memory available again; the blocks are kept. */
void arena_rewind(struct arena *arena);
/* Frees the blocks, through mem_retire() if `retire`, as another thread may be reading them. The
 * arena is then empty, and may be used again. */
void arena_free(struct arena *arena, bool retire);
/* The size of all blocks, in bytes. */
size_t arena_size(const struct arena *arena);
/* The size of the blocks that were used since the last rewind, in bytes. */
size_t arena_used(const struct arena *arena);

#endif
