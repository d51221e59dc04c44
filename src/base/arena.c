/* An arena takes its memory from blocks, each twice as large as the one before it, up to a limit.
 */
#include "base/arena.h"

struct arena_block {
    struct arena_block *next;
    size_t size; /* size of `memory` */
    char memory[];
};

/* The first block is 1 KiB, which is enough for a command buffer with a copy; from 1 MiB on,
 * doubling would only waste memory. */
#define FIRST_BLOCK (1024 - sizeof(struct arena_block))
#define LAST_BLOCK  ((size_t)1 << 20)

/* Takes memory from this block from now on. Earlier blocks in the list stay as they are; later ones
 * are reused. */
static void arena_use(struct arena *arena, struct arena_block *block)
{
    arena->current = block;
    arena->next = block->memory;
    arena->end = block->memory + block->size;
}

void *arena_take_slow(struct arena *arena, size_t size)
{
    assert(size % 8 == 0 && size > (size_t)(arena->end - arena->next));
    /* An existing block is used if it is large enough; smaller ones come after the new block. */
    struct arena_block *next = arena->current ? arena->current->next : arena->first;
    if (!next || next->size < size) {
        size_t block_size = arena->current ? arena->current->size * 2 : FIRST_BLOCK;
        if (block_size > LAST_BLOCK)
            block_size = LAST_BLOCK;
        /* A single request may be larger than the largest block. */
        if (block_size < size)
            block_size = size;
        /* on separate lines, as a thread writes it all the time */
        struct arena_block *block = mem_alloc_lines(sizeof *block + block_size);
        if (!block)
            return NULL;
        block->size = block_size;
        block->next = next;
        if (arena->current)
            arena->current->next = block;
        else
            arena->first = block;
        next = block;
    }
    arena_use(arena, next);
    void *memory = arena->next;
    arena->next += size;
    return memory;
}

void arena_rewind(struct arena *arena)
{
    if (arena->first)
        arena_use(arena, arena->first);
}

void arena_free(struct arena *arena, bool retire)
{
    for (struct arena_block *block = arena->first, *next; block; block = next) {
        next = block->next;
        if (retire)
            mem_retire(block);
        else
            mem_free(block);
    }
    *arena = (struct arena){0};
}

size_t arena_size(const struct arena *arena)
{
    size_t size = 0;
    for (const struct arena_block *block = arena->first; block; block = block->next)
        size += sizeof *block + block->size;
    return size;
}

size_t arena_used(const struct arena *arena)
{
    size_t size = 0;
    for (const struct arena_block *block = arena->first; block && block != arena->current;
         block = block->next)
        size += block->size;
    return arena->current ? size + (size_t)(arena->next - arena->current->memory) : size;
}
