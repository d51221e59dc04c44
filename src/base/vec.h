/* Arrays that grow: room for one more element, by doubling. The owner keeps pointer, count and
 * capacity as fields of its own, all zero at first:
 *
 *     if (!vec_room(&list->items, list->count, &list->capacity, 16, sizeof(*list->items)))
 *         return false;
 *     list->items[list->count++] = item;
 *
 * `array` is the address of the pointer, `first` the least capacity after the first growth, and
 * `size` that of an element. False: memory is out, or there would be 2^32 elements; nothing has
 * changed. New elements have undefined content. An array without capacity may have a count below
 * `first`: of elements that are left out. Threads: the owner's. An array that several threads
 * of a wrong program may grow at once is for mem_grow() (base/base.h). */
#ifndef ASSAY_BASE_VEC_H
#define ASSAY_BASE_VEC_H

#include "base/arena.h"
#include "base/base.h"

bool vec_grow(void *array, uint32_t *capacity, uint32_t first, size_t size) COLD MUST_CHECK;
bool vec_grow_in(struct arena *arena, void *array, uint32_t *capacity, uint32_t first,
                 size_t size) COLD MUST_CHECK;

/* Makes room in an array that the owner frees with mem_free(). Pointers to elements become invalid
 * when it grows. */
static inline MUST_CHECK bool vec_room(void *array, uint32_t count, uint32_t *capacity,
                                       uint32_t first, size_t size)
{
    assert(count <= *capacity || (!*capacity && count < first));
    return likely(count < *capacity) || vec_grow(array, capacity, first, size);
}

/* Makes room in an array of an arena, where the replaced array stays until the arena is rewound.
 * The first array, with its capacity, may be outside of the arena. */
static inline MUST_CHECK bool vec_room_in(struct arena *arena, void *array, uint32_t count,
                                          uint32_t *capacity, uint32_t first, size_t size)
{
    assert(count <= *capacity || (!*capacity && count < first));
    return likely(count < *capacity) || vec_grow_in(arena, array, capacity, first, size);
}

#endif
