/* Checks that memory of an arena stays whole until it is rewound, and is used again then. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"

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

#define PIECES 3000

struct piece {
    unsigned char *memory;
    size_t size;
};

static uint32_t arena_random(uint32_t *random)
{
    *random = *random * 1664525u + 1013904223u;
    return *random >> 8;
}

/* Mostly small, some larger than a first block, a few larger than any. */
static size_t any_size(uint32_t *random)
{
    switch (arena_random(random) % 200) {
    case 0:
        return 3000000 + arena_random(random) % 1000;
    case 1:
    case 2:
        return 5000 + arena_random(random) % 20000;
    default:
        return 1 + arena_random(random) % 300;
    }
}

static void take_pieces(struct arena *arena, struct piece *pieces, uint32_t count, uint32_t *random)
{
    for (uint32_t i = 0; i < count; i++) {
        pieces[i].size = any_size(random);
        pieces[i].memory = arena_take(arena, pieces[i].size);
        assert_non_null(pieces[i].memory);
        assert_int_equal((uintptr_t)pieces[i].memory % 8, 0);
        memset(pieces[i].memory, (int)(i % 251), pieces[i].size);
    }
    for (uint32_t i = 0; i < count; i++) {
        for (size_t byte = 0; byte < pieces[i].size; byte += 1 + pieces[i].size / 64)
            assert_int_equal(pieces[i].memory[byte], i % 251);
        assert_int_equal(pieces[i].memory[pieces[i].size - 1], i % 251);
    }
}

static void pieces_do_not_overlap_and_no_memory_is_added_for_the_same_work(void **state)
{
    (void)state;
    static struct piece pieces[PIECES];
    struct arena arena = {0};
    size_t size = 0;
    for (uint32_t round = 0; round < 4; round++) {
        uint32_t random = 7;
        take_pieces(&arena, pieces, PIECES, &random);
        assert_true(round == 0 || arena_size(&arena) == size);
        size = arena_size(&arena);
        arena_rewind(&arena);
        assert_int_equal(arena_size(&arena), size);
    }
    arena_free(&arena, false);
    assert_int_equal(arena_size(&arena), 0);
}

static void other_work_after_a_rewind_keeps_all_blocks(void **state)
{
    (void)state;
    static struct piece pieces[PIECES];
    struct arena arena = {0};
    uint32_t random = 11;
    size_t size = 0;
    for (uint32_t round = 0; round < 20; round++) {
        take_pieces(&arena, pieces, 1 + arena_random(&random) % 200, &random);
        /* blocks that are too small are skipped, not lost */
        assert_true(arena_size(&arena) >= size);
        size = arena_size(&arena);
        arena_rewind(&arena);
    }
    arena_free(&arena, true);
}

static void an_empty_arena_can_be_rewound_and_freed_and_used_again(void **state)
{
    (void)state;
    struct arena arena = {0};
    arena_rewind(&arena);
    arena_free(&arena, false);
    char *memory = arena_take(&arena, 10);
    assert_non_null(memory);
    memset(memory, 1, 10);
    arena_free(&arena, false);
    memory = arena_take(&arena, 10000);
    assert_non_null(memory);
    memset(memory, 1, 10000);
    arena_free(&arena, false);
}

static void where_memory_is_out_the_arena_stays_as_it_was(void **state)
{
    (void)state;
    struct arena arena = {0};
    allocations_left = 0;
    assert_null(arena_take(&arena, 8));
    assert_int_equal(arena_size(&arena), 0);
    allocations_left = 1;
    char *first = arena_take(&arena, 900);
    assert_non_null(first);
    memset(first, 5, 900);
    size_t size = arena_size(&arena);
    assert_null(arena_take(&arena, 900));
    assert_int_equal(arena_size(&arena), size);
    char *rest = arena_take(&arena, 8); /* what is left of the first block still is */
    assert_non_null(rest);
    allocations_left = UINT32_MAX;
    assert_non_null(arena_take(&arena, 900));
    assert_int_equal(first[899], 5);
    arena_free(&arena, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_do_not_overlap_and_no_memory_is_added_for_the_same_work),
        cmocka_unit_test(other_work_after_a_rewind_keeps_all_blocks),
        cmocka_unit_test(an_empty_arena_can_be_rewound_and_freed_and_used_again),
        cmocka_unit_test(where_memory_is_out_the_arena_stays_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
