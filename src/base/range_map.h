/* A range map says which value holds for which part of an address space. It has entries [begin,
 * end) that do not overlap, in increasing order, each with a pointer.
 *
 * It has two levels: leaves of up to RANGE_LEAF entries, and an array of leaves. Most maps have one
 * leaf with a few entries. A map of a million entries is as fast to search as a balanced tree, and
 * to walk as an array. Memory comes from an arena and is not freed before that is rewound. An
 * insertion, split or removal makes all other cursors invalid. Threads: those of the arena. */
#ifndef ASSAY_RANGE_MAP_H
#define ASSAY_RANGE_MAP_H

#include "base/arena.h"

#define RANGE_LEAF 64 /* entries; moving half of them costs about as much as searching for them */

struct range_entry {
    uint64_t begin, end; /* begin < end */
    void *value;
};

struct range_leaf {
    uint32_t count, capacity;
    struct range_entry *entries;
};

/* A zeroed map is empty; only its `arena` has to be set. */
struct range_map {
    struct arena *arena;
    struct range_leaf *leaves; /* none is empty, except the first one of an empty map */
    uint32_t leaf_count, leaf_capacity;
    size_t count;                       /* number of entries */
    struct range_leaf only_leaf;        /* `leaves` points here while there is one leaf */
    struct range_entry only_entries[2]; /* initial entries of only_leaf */
};

/* The position of an entry. After the last entry, range_map_at() is NULL. */
struct range_cursor {
    uint32_t leaf, index;
};

void range_map_init(struct range_map *map, struct arena *arena);

/* The first entry that ends after `at`: the one that contains it, or otherwise the first one after
 * it. */
struct range_cursor range_map_seek(const struct range_map *map, uint64_t at);

/* The entry at the cursor. NULL: the cursor is after the last entry. */
static ALWAYS_INLINE struct range_entry *range_map_at(const struct range_map *map,
                                                      struct range_cursor cursor)
{
    return cursor.leaf < map->leaf_count && cursor.index < map->leaves[cursor.leaf].count
               ? &map->leaves[cursor.leaf].entries[cursor.index]
               : NULL;
}

/* True if this is the position that range_map_seek() would return. For some cursors at the
 * beginning of a leaf it returns false nevertheless. Any cursor is allowed, even one from before
 * the map has changed. */
static ALWAYS_INLINE bool range_map_is_at(const struct range_map *map, struct range_cursor cursor,
                                          uint64_t at)
{
    if (cursor.leaf >= map->leaf_count)
        return false;
    const struct range_leaf *leaf = &map->leaves[cursor.leaf];
    if (cursor.index > leaf->count ||
        (cursor.index ? leaf->entries[cursor.index - 1].end > at : cursor.leaf != 0))
        return false;
    return cursor.index < leaf->count ? leaf->entries[cursor.index].end > at
                                      : cursor.leaf + 1 == map->leaf_count;
}

/* Moves to the next entry. The cursor must be at an entry. */
static ALWAYS_INLINE void range_map_next(const struct range_map *map, struct range_cursor *cursor)
{
    assert(range_map_at(map, *cursor));
    if (++cursor->index >= map->leaves[cursor->leaf].count && cursor->leaf + 1 < map->leaf_count) {
        cursor->leaf++;
        cursor->index = 0;
    }
}

/* Inserts [begin, end) before the cursor's entry, where it must fit; the cursor is then at the new
 * entry. False: out of memory, and nothing has changed. */
bool range_map_insert(struct range_map *map, struct range_cursor *cursor, uint64_t begin,
                      uint64_t end, void *value) MUST_CHECK;

/* Splits the cursor's entry into [begin, at) with its value, where the cursor stays, and [at, end)
 * with `value`. begin < at < end. False: out of memory, and nothing has changed. */
bool range_map_split(struct range_map *map, struct range_cursor *cursor, uint64_t at,
                     void *value) MUST_CHECK;

/* Removes the cursor's entry; the cursor is then at the next one. */
void range_map_remove(struct range_map *map, struct range_cursor *cursor);

#endif
