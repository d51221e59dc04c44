/* Grows arrays by doubling. */
#include "base/vec.h"

#include <string.h>

/* Twice as many elements, and at least `first`; 0: the count or the bytes would overflow. */
static uint32_t larger_than(uint32_t capacity, uint32_t first, size_t size)
{
    uint64_t larger = (uint64_t)capacity * 2 < first ? first : (uint64_t)capacity * 2;
    return larger <= UINT32_MAX && larger <= SIZE_MAX / size ? (uint32_t)larger : 0;
}

bool vec_grow(void *array, uint32_t *capacity, uint32_t first, size_t size)
{
    assert(first && size);
    uint32_t larger = larger_than(*capacity, first, size);
    void *items;
    memcpy(&items, array, sizeof(items)); /* a pointer of any type */
    items = larger ? mem_resize(items, larger * size) : NULL;
    if (!items)
        return false;
    memcpy(array, &items, sizeof(items));
    *capacity = larger;
    return true;
}

bool vec_grow_in(struct arena *arena, void *array, uint32_t *capacity, uint32_t first, size_t size)
{
    assert(first && size);
    uint32_t larger = larger_than(*capacity, first, size);
    void *old, *items = larger ? arena_take(arena, larger * size) : NULL;
    if (!items)
        return false;
    memcpy(&old, array, sizeof(old));
    if (*capacity)
        memcpy(items, old, *capacity * size);
    memcpy(array, &items, sizeof(items));
    *capacity = larger;
    return true;
}
