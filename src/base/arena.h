/* Memory that is given back all at once: blocks that grow, taken from front to back, and rewound to
 * be taken again. In steady state (the same work after each rewind) nothing is allocated. Threads:
 * an arena belongs to the owner of the structure that it is in. */
#ifndef ASSAY_ARENA_H
#define ASSAY_ARENA_H

#include "base/base.h"

struct arena_block;

/* Zeroed is empty. */
struct arena {
    struct arena_block *first; /* owned, as are the blocks after it */
    /* where the next memory comes from; NULL: nothing was ever taken */
    struct arena_block *current;
    char *next, *end; /* free memory of `current` */
};

void *arena_take_slow(struct arena *arena, size_t size) COLD MUST_CHECK;

/* `size` bytes, aligned to 8, undefined content; NULL when memory is out. Valid until the arena is
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

/* All that was taken may be taken again; the blocks stay. */
void arena_rewind(struct arena *arena);
/* Gives the blocks back, through mem_retire where `retire`: another thread may be reading. The
 * arena is empty then, and may be used again. */
void arena_free(struct arena *arena, bool retire);
/* Bytes of all its blocks. */
size_t arena_size(const struct arena *arena);
/* Bytes of those that are in use since it was rewound. */
size_t arena_used(const struct arena *arena);

#endif
