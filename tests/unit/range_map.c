/* Checks that a range map does what an array with a value for each address does. Random inserts,
 * splits, removals and walks, compared after each step or so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/range_map.h"

/* Allocations that are let through; the linker puts this before the layer's own (--wrap). */
static uint32_t allocations_left = UINT32_MAX;
void *__real_mem_alloc_lines(size_t size);
void *__wrap_mem_alloc_lines(size_t size);

void *__wrap_mem_alloc_lines(size_t size)
{
    if (!allocations_left)
        return NULL;
    if (allocations_left != UINT32_MAX)
        allocations_left--;
    return __real_mem_alloc_lines(size);
}

static uint64_t random_state;

static uint32_t next_random(void)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(random_state >> 33);
}

/* The naive model: for each address the entry that has it, 0 = none. Entries are numbers, never
 * used twice, so that neighbours differ. */
#define ADDRESSES 4096
struct naive {
    uint32_t entry[ADDRESSES];
    uint32_t count, next, size; /* size: addresses that are used */
};

static struct naive naive;
static struct arena arena;
static struct range_map map;

static void begin_maps(uint32_t size, uint64_t seed)
{
    memset(&naive, 0, sizeof naive);
    naive.size = size;
    naive.next = 1;
    random_state = seed;
    range_map_init(&map, &arena);
}

static uint32_t end_of(uint32_t at)
{
    uint32_t end = at;
    while (end < naive.size && naive.entry[end] == naive.entry[at])
        end++;
    return end;
}

static uint32_t begin_of(uint32_t at)
{
    while (at > 0 && naive.entry[at - 1] == naive.entry[at])
        at--;
    return at;
}

static void assert_entry(const struct range_entry *entry, uint32_t at)
{
    assert_non_null(entry);
    assert_int_equal(entry->begin, begin_of(at));
    assert_int_equal(entry->end, end_of(at));
    assert_int_equal((uintptr_t)entry->value, naive.entry[at]);
}

static void assert_seek(uint32_t at)
{
    const struct range_entry *entry = range_map_at(&map, range_map_seek(&map, at));
    uint32_t expected = at;
    while (expected < naive.size && !naive.entry[expected])
        expected++;
    if (expected < naive.size)
        assert_entry(entry, expected);
    else
        assert_null(entry);
}

/* Walks from `at` to the end, and knows how many entries there are. */
static void assert_walk(uint32_t at)
{
    struct range_cursor cursor = range_map_seek(&map, at);
    while (at < naive.size) {
        if (!naive.entry[at]) {
            at++;
            continue;
        }
        assert_entry(range_map_at(&map, cursor), at);
        range_map_next(&map, &cursor);
        at = end_of(at);
    }
    assert_null(range_map_at(&map, cursor));
    assert_int_equal(map.count, naive.count);
    for (uint32_t i = 0; i < map.leaf_count && map.count; i++)
        assert_uint_in_range(map.leaves[i].count, 1, RANGE_LEAF);
}

static void fill_naive(uint32_t from, uint32_t to, uint32_t value)
{
    for (uint32_t i = from; i < to; i++)
        naive.entry[i] = value;
}

/* Into a gap, if `at` is in one. The cursor that comes back is at the new entry. */
static bool insert_entry(uint32_t at, uint32_t longest)
{
    if (naive.entry[at])
        return true;
    uint32_t limit = end_of(at), end = at + 1 + next_random() % longest;
    if (end > limit)
        end = limit;
    struct range_cursor cursor = range_map_seek(&map, at);
    if (!range_map_insert(&map, &cursor, at, end, (void *)(uintptr_t)naive.next))
        return false;
    fill_naive(at, end, naive.next++);
    naive.count++;
    assert_entry(range_map_at(&map, cursor), at);
    return true;
}

static bool split_entry(uint32_t at)
{
    if (!at || !naive.entry[at] || naive.entry[at - 1] != naive.entry[at])
        return true;
    struct range_cursor cursor = range_map_seek(&map, at);
    if (!range_map_split(&map, &cursor, at, (void *)(uintptr_t)naive.next))
        return false;
    fill_naive(at, end_of(at), naive.next++);
    naive.count++;
    assert_entry(range_map_at(&map, cursor), at - 1);
    range_map_next(&map, &cursor);
    assert_entry(range_map_at(&map, cursor), at);
    return true;
}

static void take_out(uint32_t at)
{
    if (!naive.entry[at])
        return;
    struct range_cursor cursor = range_map_seek(&map, at);
    uint32_t from = begin_of(at), next = end_of(at);
    range_map_remove(&map, &cursor);
    fill_naive(from, next, 0);
    naive.count--;
    while (next < naive.size && !naive.entry[next])
        next++;
    if (next < naive.size)
        assert_entry(range_map_at(&map, cursor), next);
    else
        assert_null(range_map_at(&map, cursor));
}

/* `grow` percent of the steps add entries. */
static void step_maps(uint32_t grow, uint32_t longest)
{
    uint32_t at = next_random() % naive.size;
    if (next_random() % 100 >= grow)
        take_out(at);
    else if (next_random() % 2)
        assert_true(insert_entry(at, longest));
    else
        assert_true(split_entry(at));
    assert_seek(next_random() % naive.size);
}

static void small_maps_are_like_the_array_after_each_step(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        begin_maps(40, seed);
        for (uint32_t i = 0; i < 200; i++) {
            step_maps(60, 12);
            assert_walk(next_random() % 40);
            assert_walk(0);
        }
        arena_rewind(&arena);
    }
    arena_free(&arena, false);
}

/* Up to thousands of entries and down to none again, so that leaves fill, split, empty and go. */
static void large_maps_are_like_the_array(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        begin_maps(ADDRESSES, seed);
        for (uint32_t i = 0; i < 24000; i++) {
            step_maps(i < 12000 ? 90 : 5, 3);
            if (i % 1000 == 0)
                assert_walk(0);
        }
        for (uint32_t at = 0; at < ADDRESSES; at++)
            take_out(at);
        assert_walk(0);
        assert_int_equal(map.count, 0);
        assert_true(insert_entry(5, 10));
        assert_walk(0);
        arena_rewind(&arena);
    }
    arena_free(&arena, false);
}

static void entries_that_come_in_order_fill_their_leaves(void **state)
{
    (void)state;
    begin_maps(ADDRESSES, 1);
    for (uint32_t at = 0; at < ADDRESSES; at++)
        assert_true(insert_entry(at, 1));
    assert_walk(0);
    assert_uint_in_range(map.leaf_count, ADDRESSES / RANGE_LEAF, ADDRESSES / (RANGE_LEAF - 2));
    arena_rewind(&arena);
    begin_maps(ADDRESSES, 1);
    for (uint32_t at = ADDRESSES; at-- > 0;)
        assert_true(insert_entry(at, 1));
    assert_walk(0);
    assert_uint_in_range(map.leaf_count, ADDRESSES / RANGE_LEAF, ADDRESSES / (RANGE_LEAF / 2 - 1));
    arena_free(&arena, false);
}

/* At each place of a leaf that is full: what was there, what is new, and everything after it. */
static void splits_and_inserts_at_each_place_of_a_full_leaf(void **state)
{
    (void)state;
    for (uint32_t entries = 1; entries <= 2 * RANGE_LEAF + 1; entries++) {
        for (uint32_t place = 0; place < entries; place++) {
            begin_maps(4 * entries + 4, 1);
            for (uint32_t i = 0; i < entries; i++) { /* [4i + 1, 4i + 3) */
                struct range_cursor cursor = range_map_seek(&map, 4 * i + 1);
                assert_true(range_map_insert(&map, &cursor, 4 * i + 1, 4 * i + 3,
                                             (void *)(uintptr_t)naive.next));
                fill_naive(4 * i + 1, 4 * i + 3, naive.next++);
                naive.count++;
            }
            assert_true(place % 2 ? split_entry(4 * place + 2) : insert_entry(4 * place, 1));
            assert_true(place % 2 ? insert_entry(4 * place + 3, 2) : split_entry(4 * place + 2));
            assert_walk(0);
            arena_rewind(&arena);
        }
    }
    arena_free(&arena, false);
}

static void where_memory_is_out_nothing_changes(void **state)
{
    (void)state;
    uint32_t failed = 0;
    for (uint32_t let_through = 0; let_through < 12; let_through++) {
        begin_maps(ADDRESSES, let_through);
        allocations_left = let_through;
        for (uint32_t i = 0; i < 6000; i++) {
            uint32_t at = next_random() % ADDRESSES;
            bool done = i % 3 == 2 ? (take_out(at), true)
                        : i % 3    ? insert_entry(at, 3)
                                   : split_entry(at);
            if (done)
                continue;
            if (failed++ % 16 == 0)
                assert_walk(0);
            assert_seek(at);
        }
        assert_walk(0);
        allocations_left = UINT32_MAX;
        arena_free(&arena, false);
    }
    assert_true(failed > 1000);
}

static void addresses_go_up_to_the_last_one(void **state)
{
    (void)state;
    range_map_init(&map, &arena);
    struct range_cursor cursor = range_map_seek(&map, UINT64_MAX - 1);
    assert_null(range_map_at(&map, cursor));
    assert_true(range_map_insert(&map, &cursor, 0, UINT64_MAX, &map));
    cursor = range_map_seek(&map, UINT64_MAX - 1);
    assert_true(range_map_split(&map, &cursor, UINT64_MAX - 1, &arena));
    assert_int_equal(range_map_at(&map, range_map_seek(&map, UINT64_MAX - 1))->begin,
                     UINT64_MAX - 1);
    assert_ptr_equal(range_map_at(&map, range_map_seek(&map, UINT64_MAX - 2))->value, &map);
    assert_null(range_map_at(&map, range_map_seek(&map, UINT64_MAX)));
    arena_free(&arena, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_maps_are_like_the_array_after_each_step),
        cmocka_unit_test(large_maps_are_like_the_array),
        cmocka_unit_test(entries_that_come_in_order_fill_their_leaves),
        cmocka_unit_test(splits_and_inserts_at_each_place_of_a_full_leaf),
        cmocka_unit_test(where_memory_is_out_nothing_changes),
        cmocka_unit_test(addresses_go_up_to_the_last_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
