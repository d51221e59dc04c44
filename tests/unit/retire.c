/* Checks that retired memory is kept while a call that was under way may read it, and is given back
 * after. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <malloc.h>

#include <cmocka.h>

#include "base/plain_atomic.h"
#include "base/thread.h"
#include "base/thread_names.h"

#define WORDS   8
#define CONTENT 0x1234567890abcdefull

struct reader {
    uint64_t *_Atomic block;
    /* 1: it has the block; 2: it may read; 3: it may leave the call; 4: it has left */
    _Atomic int step;
    bool whole;
};

static void wait_for_step(struct reader *reader, int step)
{
    while (atomic_load(&reader->step) < step)
        sched_yield();
}

/* A call that takes a block just before another thread retires it, and reads it long after. */
static void *read_late(void *argument)
{
    struct reader *reader = argument;
    uint32_t entered = thread_enter(0);
    uint64_t *block = atomic_load(&reader->block);
    atomic_store(&reader->step, 1);
    wait_for_step(reader, 2);
    reader->whole = true;
    for (int i = 0; i < WORDS; i++)
        reader->whole &= block[i] == CONTENT;
    wait_for_step(reader, 3);
    thread_leave(entered);
    atomic_store(&reader->step, 4);
    return NULL;
}

static uint64_t *block_new(uint64_t content)
{
    uint64_t *block = mem_alloc_state(WORDS * sizeof(*block));
    assert_non_null(block);
    for (int i = 0; i < WORDS; i++)
        block[i] = content;
    return block;
}

static void retire_many(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t entered = thread_enter(0);
        mem_retire(block_new(i));
        thread_leave(entered);
    }
}

static void a_call_under_way_reads_what_was_retired(void **state)
{
    struct reader reader = {.block = block_new(CONTENT)};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, read_late, &reader), 0);
    wait_for_step(&reader, 1);
    mem_retire(atomic_exchange(&reader.block, NULL));
    retire_many(100000);
    atomic_store(&reader.step, 2);
    atomic_store(&reader.step, 3);
    pthread_join(thread, NULL);
    assert_true(reader.whole);
}

static void what_nobody_reads_is_used_again(void **state)
{
    retire_many(10000);
    size_t before = mallinfo2().uordblks;
    retire_many(1000000);
    size_t after = mallinfo2().uordblks;
    assert_true(after < before + (1u << 20));
}

/* 0 where a sanitizer brings its own malloc. */
static size_t bytes_in_use(void)
{
    return mallinfo2().uordblks;
}

/* Nothing is freed under a reader, however much is retired meanwhile. */
static void a_call_that_does_not_end_keeps_what_it_may_read(void **state)
{
    struct reader reader = {.block = block_new(CONTENT)};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, read_late, &reader), 0);
    wait_for_step(&reader, 1);
    mem_retire(atomic_exchange(&reader.block, NULL));
    size_t before = bytes_in_use();
    retire_many(600000);
    size_t during = bytes_in_use();
    atomic_store(&reader.step, 3);
    pthread_join(thread, NULL);
    assert_true(reader.whole);
    /* 64 bytes each, and all of them were there */
    assert_true(!before || during > before + (36u << 20));
    retire_many(10000);
    assert_true(bytes_in_use() < before + (1u << 20));
}

/* A call that waits in the driver: it has left before, and enters again after. */
static void *wait_in_driver(void *argument)
{
    struct reader *waiter = argument;
    uint32_t entered = thread_enter(0);
    thread_leave_to_wait(entered);
    atomic_store(&waiter->step, 1);
    wait_for_step(waiter, 2);
    thread_enter_again(entered);
    uint64_t *block = atomic_load(&waiter->block);
    atomic_store(&waiter->step, 3);
    wait_for_step(waiter, 4);
    waiter->whole = true;
    for (int i = 0; i < WORDS; i++)
        waiter->whole &= block[i] == CONTENT;
    thread_leave(entered);
    return NULL;
}

static void a_call_that_waits_keeps_nothing_and_reads_safely_after(void **state)
{
    struct reader waiter = {.block = block_new(CONTENT)};
    pthread_t thread;
    retire_many(10000);
    size_t before = bytes_in_use();
    assert_int_equal(pthread_create(&thread, NULL, wait_in_driver, &waiter), 0);
    wait_for_step(&waiter, 1);
    retire_many(1000000);
    assert_true(bytes_in_use() < before + (1u << 20));
    atomic_store(&waiter.step, 2);
    wait_for_step(&waiter, 3);
    mem_retire(atomic_exchange(&waiter.block, block_new(0)));
    retire_many(100000);
    atomic_store(&waiter.step, 4);
    pthread_join(thread, NULL);
    assert_true(waiter.whole);
    mem_free(atomic_load(&waiter.block));
}

static void a_call_in_a_callback_is_part_of_the_outer_one(void **state)
{
    uint32_t outer = thread_enter(0);
    uint64_t calls = atomic_load(&thread_self()->calls);
    assert_int_equal(calls % 2, 1);
    uint32_t inner = thread_enter(0);
    thread_leave_to_wait(inner); /* the outer one goes on reading */
    thread_enter_again(inner);
    thread_leave(inner);
    assert_int_equal(atomic_load(&thread_self()->calls), calls);
    thread_leave(outer);
    assert_int_equal(atomic_load(&thread_self()->calls), calls - THREAD_INSIDE + THREAD_CALL);
}

/* --- what a thread is doing --- */

#define WHAT 700u

static uint32_t what_is_done(void)
{
    return thread_what(thread_find_calls(thread_self()->number));
}

static void others_find_what_a_thread_is_in(void **state)
{
    const uint32_t entered = thread_enter(WHAT);
    const uint64_t calls = thread_find_calls(thread_self()->number);
    assert_int_equal(thread_what(calls), WHAT);
    assert_int_equal(thread_find_calls(thread_self()->number + THREAD_SYSTEM_NUMBERS), calls);
    thread_leave(thread_enter(WHAT + 1)); /* a callback's call: the outer one is reported */
    assert_int_equal(what_is_done(), WHAT);
    thread_leave_to_wait(entered);
    assert_int_equal(what_is_done(), WHAT);
    assert_int_equal(thread_find_calls(thread_self()->number) & THREAD_INSIDE, 0);
    const uint32_t inner = thread_enter(WHAT + 1);
    assert_int_equal(what_is_done(), WHAT);
    assert_int_equal(thread_find_calls(thread_self()->number) & THREAD_INSIDE, 1);
    thread_leave(inner);
    assert_int_equal(what_is_done(), WHAT);
    thread_enter_again(entered);
    thread_leave(entered);
    assert_int_equal(what_is_done(), 0);
    assert_true(thread_find_calls(thread_self()->number) > calls);
    assert_int_equal(thread_find_calls(thread_self()->number + 1), 0);
}

/* --- arrays that grow --- */

#define GROWERS 4
#define GROWN   4096u

static uint64_t *grown;
static uint32_t grown_capacity;

/* Each asks for room as if it were alone with the array, and keeps all that is there. */
static void *grow_together(void *argument)
{
    bool *all = argument;
    *all = true;
    for (uint32_t wanted = 2; wanted <= GROWN; wanted++) {
        uint32_t entered = thread_enter(0);
        *all &= mem_grow(&grown, &grown_capacity, UINT32_MAX, wanted, sizeof(*grown));
        *all &= plain_load_acquire(&grown_capacity) >= wanted;
        *all &= plain_load_acquire(&grown)[0] == CONTENT;
        thread_leave(entered);
    }
    return NULL;
}

static void an_array_that_several_threads_grow_has_its_room_and_content(void **state)
{
    pthread_t threads[GROWERS];
    bool all[GROWERS];
    assert_true(mem_grow(&grown, &grown_capacity, 0, 1, sizeof(*grown)));
    grown[0] = CONTENT;
    for (uint32_t i = 0; i < GROWERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, grow_together, &all[i]), 0);
    for (uint32_t i = 0; i < GROWERS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(all[i]);
    }
    assert_int_equal(grown_capacity, GROWN);
    assert_int_equal(grown[GROWN - 1], 0);
    uint64_t *last = grown;
    /* there is more already */
    assert_true(mem_grow(&grown, &grown_capacity, 1, GROWN / 2, sizeof(*grown)));
    assert_ptr_equal(grown, last);
    assert_int_equal(grown_capacity, GROWN);
    mem_free(grown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_under_way_reads_what_was_retired),
        cmocka_unit_test(what_nobody_reads_is_used_again),
        cmocka_unit_test(a_call_that_does_not_end_keeps_what_it_may_read),
        cmocka_unit_test(a_call_that_waits_keeps_nothing_and_reads_safely_after),
        cmocka_unit_test(a_call_in_a_callback_is_part_of_the_outer_one),
        cmocka_unit_test(others_find_what_a_thread_is_in),
        cmocka_unit_test(an_array_that_several_threads_grow_has_its_room_and_content),
    };
    return cmocka_run_group_tests_name("retire", tests, NULL, NULL);
}
