/* Finds entries in a range map, and inserts new ones. */
#include "base/range_map.h"

#include "base/vec.h"

#include <string.h>

void range_map_init(struct range_map *map, struct arena *arena)
{
    assert(arena);
    map->arena = arena;
    map->leaves = &map->only_leaf;
    map->leaf_count = map->leaf_capacity = 1;
    map->count = 0;
    map->only_leaf = (struct range_leaf){.capacity = ARRAY_LENGTH(map->only_entries),
                                         .entries = map->only_entries};
}

/* The last leaf that begins at or before `at`; 0 if none does. */
static uint32_t find_leaf(const struct range_map *map, uint64_t at)
{
    uint32_t low = 0, high = map->leaf_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (map->leaves[middle].entries[0].begin <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct range_cursor range_map_seek(const struct range_map *map, uint64_t at)
{
    struct range_cursor cursor = {.leaf = find_leaf(map, at)};
    const struct range_leaf *leaf = &map->leaves[cursor.leaf];
    uint32_t low = 0,
             /* entries below `low` end at or before `at`; those from `high` on end after it */
        high = leaf->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (leaf->entries[middle].end <= at)
            low = middle + 1;
        else
            high = middle;
    }
    cursor.index = low;
    if (low == leaf->count && cursor.leaf + 1 < map->leaf_count) {
        cursor.leaf++;
        cursor.index = 0;
    }
    return cursor;
}

/* Inserts a leaf after `leaf`, whose array may move. False: out of memory. */
static bool insert_leaf(struct range_map *map, uint32_t leaf, struct range_leaf value)
{
    if (!vec_room_in(map->arena, &map->leaves, map->leaf_count, &map->leaf_capacity, 8,
                     sizeof *map->leaves))
        return false;
    memmove(&map->leaves[leaf + 2], &map->leaves[leaf + 1],
            (map->leaf_count - leaf - 1) * sizeof *map->leaves);
    map->leaves[leaf + 1] = value;
    map->leaf_count++;
    return true;
}

/* Makes room for one more entry in the cursor's leaf, which is full. */
static bool range_map_make_room(struct range_map *map, struct range_cursor *cursor)
{
    struct range_leaf *leaf = &map->leaves[cursor->leaf];
    if (leaf->capacity < RANGE_LEAF) {
        uint32_t capacity = leaf->capacity < 8 ? 8 : leaf->capacity < 32 ? 32 : RANGE_LEAF;
        struct range_entry *entries = arena_take(map->arena, capacity * sizeof *entries);
        if (!entries)
            return false;
        memcpy(entries, leaf->entries, leaf->count * sizeof *entries);
        leaf->entries = entries;
        leaf->capacity = capacity;
        return true;
    }
    /* Entries often come in increasing order: then the full leaf stays full, and a new one
     * begins. */
    bool append = cursor->index == leaf->count && cursor->leaf + 1 == map->leaf_count;
    uint32_t stay = append ? leaf->count - 1 : leaf->count / 2;
    struct range_entry *entries = arena_take(map->arena, RANGE_LEAF * sizeof *entries);
    if (!entries)
        return false;
    struct range_leaf second = {
        .count = leaf->count - stay, .capacity = RANGE_LEAF, .entries = entries};
    memcpy(entries, leaf->entries + stay, second.count * sizeof *entries);
    if (!insert_leaf(map, cursor->leaf, second))
        return false;
    map->leaves[cursor->leaf].count = stay;
    if (cursor->index > stay) {
        cursor->leaf++;
        cursor->index -= stay;
    }
    return true;
}

bool range_map_insert(struct range_map *map, struct range_cursor *cursor, uint64_t begin,
                      uint64_t end, void *value)
{
    assert(begin < end);
    assert(!range_map_at(map, *cursor) || end <= range_map_at(map, *cursor)->begin);
    assert(cursor->leaf < map->leaf_count && cursor->index <= map->leaves[cursor->leaf].count);
    assert(!cursor->index || map->leaves[cursor->leaf].entries[cursor->index - 1].end <= begin);
    if (map->leaves[cursor->leaf].count == map->leaves[cursor->leaf].capacity &&
        !range_map_make_room(map, cursor))
        return false;
    struct range_leaf *leaf = &map->leaves[cursor->leaf];
    memmove(&leaf->entries[cursor->index + 1], &leaf->entries[cursor->index],
            (leaf->count - cursor->index) * sizeof *leaf->entries);
    leaf->entries[cursor->index] = (struct range_entry){begin, end, value};
    leaf->count++;
    map->count++;
    return true;
}

bool range_map_split(struct range_map *map, struct range_cursor *cursor, uint64_t at, void *value)
{
    assert(range_map_at(map, *cursor));
    struct range_entry first = *range_map_at(map, *cursor);
    assert(first.begin < at && at < first.end);
    if (map->leaves[cursor->leaf].count == map->leaves[cursor->leaf].capacity &&
        !range_map_make_room(map, cursor))
        return false;
    struct range_leaf *leaf = &map->leaves[cursor->leaf];
    /* If the cursor was at the first entry of the second half, range_map_make_room() leaves it at
     * the end of a leaf. */
    if (cursor->index == leaf->count) {
        leaf = &map->leaves[++cursor->leaf];
        cursor->index = 0;
    }
    struct range_entry *entry = &leaf->entries[cursor->index];
    memmove(entry + 1, entry, (leaf->count - cursor->index) * sizeof *entry);
    entry[0].end = at;
    entry[1] = (struct range_entry){at, first.end, value};
    leaf->count++;
    map->count++;
    return true;
}

void range_map_remove(struct range_map *map, struct range_cursor *cursor)
{
    assert(range_map_at(map, *cursor));
    struct range_leaf *leaf = &map->leaves[cursor->leaf];
    memmove(&leaf->entries[cursor->index], &leaf->entries[cursor->index + 1],
            (leaf->count - cursor->index - 1) * sizeof *leaf->entries);
    leaf->count--;
    map->count--;
    if (!leaf->count && map->leaf_count > 1) {
        memmove(leaf, leaf + 1, (map->leaf_count - cursor->leaf - 1) * sizeof *leaf);
        map->leaf_count--;
        cursor->index = 0;
        /* the last leaf was removed: the position is after the last entry of the previous one */
        if (cursor->leaf == map->leaf_count) {
            cursor->leaf--;
            cursor->index = map->leaves[cursor->leaf].count;
        }
        /* A cursor is only at the end of a leaf if no leaf follows. */
    } else if (cursor->index == leaf->count && cursor->leaf + 1 < map->leaf_count) {
        cursor->leaf++;
        cursor->index = 0;
    }
}
