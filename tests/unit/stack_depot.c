/* Checks that each stack has one number, whichever thread puts it there, and is still readable when
 * the depot is full. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/stack_depot.h"
#include "chassis/mark.h"

static const void *frame_address(uintptr_t number)
{
    return (const void *)(0x555500000000 + number);
}

/* Stack `number` of many: alike ones begin alike, end alike, or are a piece of another. */
static uint32_t make_stack(const void *frames[DEPOT_FRAMES], uint32_t number)
{
    uint32_t count = number % DEPOT_FRAMES + 1;
    for (uint32_t i = 0; i < count; i++)
        frames[i] = frame_address(i == number % 7 ? number / 11 : i);
    return count;
}

static void a_stack_has_one_number(void **state)
{
    const void *frames[DEPOT_FRAMES] = {frame_address(1), frame_address(2), frame_address(3)},
               *const * found;
    uint32_t count, first = depot_put(frames, 3), shorter = depot_put(frames, 2);
    assert_int_not_equal(first, 0);
    assert_int_not_equal(shorter, 0);
    assert_int_not_equal(first, shorter);
    assert_int_equal(depot_put(frames, 3), first);
    found = depot_get(first, &count);
    assert_int_equal(count, 3);
    assert_memory_equal(found, frames, 3 * sizeof(frames[0]));
    frames[2] = frame_address(4);
    assert_int_not_equal(depot_put(frames, 3), first);
    for (uint32_t i = 0; i < DEPOT_FRAMES; i++)
        frames[i] = frame_address(i);
    found = depot_get(depot_put(frames, DEPOT_FRAMES), &count);
    assert_int_equal(count, DEPOT_FRAMES);
    assert_memory_equal(found, frames, sizeof(frames));
}

static void no_stack_has_number_0(void **state)
{
    uint32_t count = 1;
    assert_null(depot_get(0, &count));
    assert_int_equal(count, 0);
    assert_null(depot_get(UINT32_MAX, &count));
    assert_false(depot_is_full());
}

static void what_is_kept_is_an_address_or_a_stack(void **state)
{
    const void *frames[] = {frame_address(5), frame_address(6)};
    const uintptr_t addresses[] = {
        0, 1, 0x401000, UINT32_MAX, 0x555555555555, 0x7fffffffffff, UINTPTR_MAX};
    uint32_t number = depot_put(frames, 2);
    const void *kept = kept_stack(number);
    assert_int_equal(kept_number(kept), number);
    assert_ptr_equal(kept_address(kept), frame_address(5));
    /* A mark keeps 48 bits of it, and a destroyed object has a bit of its own above. */
    assert_int_equal((uint64_t)(uintptr_t)kept >> (64 - MARK_CALLER_SHIFT), 0);
    for (size_t i = 0; i < ARRAY_LENGTH(addresses); i++) {
        assert_int_equal(kept_number((const void *)addresses[i]), 0);
        assert_ptr_equal(kept_address((const void *)addresses[i]), (const void *)addresses[i]);
    }
}

#define THREADS 4
#define STACKS  20000

struct putter {
    uint32_t first;
    uint32_t numbers[STACKS];
};
static struct putter putters[THREADS];

static void *put_all(void *data)
{
    struct putter *putter = data;
    for (uint32_t i = 0; i < STACKS; i++) {
        const void *frames[DEPOT_FRAMES], *const *found;
        uint32_t number = (putter->first + i) % STACKS, count = make_stack(frames, number), kept;
        putter->numbers[number] = depot_put(frames, count);
        found = depot_get(putter->numbers[number], &kept);
        if (kept != count || memcmp(found, frames, count * sizeof(frames[0])) != 0)
            putter->numbers[number] = 0;
    }
    return NULL;
}

/* Two at a time meet in the middle of the same stacks. */
static void threads_get_the_same_numbers(void **state)
{
    pthread_t threads[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        putters[i].first = i / 2 * STACKS / 2;
        assert_int_equal(pthread_create(&threads[i], NULL, put_all, &putters[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (uint32_t number = 0; number < STACKS; number++) {
        assert_int_not_equal(putters[0].numbers[number], 0);
        for (uint32_t i = 1; i < THREADS; i++)
            assert_int_equal(putters[i].numbers[number], putters[0].numbers[number]);
    }
}

/* The last test: there is one depot, and nothing is ever taken out of it. */
static void a_full_depot_keeps_what_it_has(void **state)
{
    const void *frames[DEPOT_FRAMES] = {frame_address(1), frame_address(2), frame_address(3)},
               *const * found;
    uint32_t kept = depot_put(frames, 3), count, stacks = 0;
    const void *other[DEPOT_FRAMES] = {NULL};
    do {
        other[0] = frame_address(++stacks);
    } while (depot_put(other, DEPOT_FRAMES));
    assert_true(depot_is_full());
    assert_uint_in_range(stacks, DEPOT_BYTES / 512, DEPOT_BYTES / 256);
    assert_int_equal(depot_put(frames, 3), kept);
    found = depot_get(kept, &count);
    assert_int_equal(count, 3);
    assert_memory_equal(found, frames, 3 * sizeof(frames[0]));
    other[0] = frame_address(1);
    assert_int_not_equal(depot_put(other, DEPOT_FRAMES), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_has_one_number),
        cmocka_unit_test(no_stack_has_number_0),
        cmocka_unit_test(what_is_kept_is_an_address_or_a_stack),
        cmocka_unit_test(threads_get_the_same_numbers),
        cmocka_unit_test(a_full_depot_keeps_what_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
