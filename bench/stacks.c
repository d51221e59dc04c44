/* Measures what a call stack costs (the setting record_stacks). Prints the fastest of several
 * rounds. With --budget it ends with status 1 where that is more than the budget. The budget holds
 * for an optimized build on a machine that does nothing else. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/stack.h"
#include "base/stack_depot.h"

#define NOINLINE __attribute__((noinline))
#define ROUNDS   200
#define RECORDS  1000 /* in a round, of a stack that was met before */
#define DEPTH    5    /* frames between a round and what it measures */

static uint64_t stacks_now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Does what an entry of the layer does: its caller is the one whose stack is asked for. */
static NOINLINE uint32_t record_stack(void)
{
    uint32_t number = stack_record(__builtin_return_address(0));
    __asm__ volatile("" ::: "memory");
    return number;
}

/* Nanoseconds for `times` records, below frames of that size. */
static NOINLINE uint64_t time_records(uint32_t depth, uint32_t size, uint32_t times)
{
    volatile char *room = alloca(size);
    room[0] = 0;
    if (depth)
        return time_records(depth - 1, size, times) + (uint64_t)room[0];
    uint64_t start = stacks_now();
    for (uint32_t i = 0; i < times; i++)
        (void)!record_stack();
    return stacks_now() - start;
}

static uint64_t time_walk(uint32_t *frames)
{
    const void *found[STACK_FRAMES];
    uint64_t start = stacks_now();
    *frames = stack_walk(found, STACK_FRAMES);
    return stacks_now() - start;
}

/* True: it is within its budget. */
static bool tell_stacks(const char *what, uint64_t took, uint64_t budget)
{
    printf("%-52s %5llu ns, budget %5llu%s\n", what, (unsigned long long)took,
           (unsigned long long)budget, took < budget ? "" : ": MORE");
    return took < budget;
}

int main(int argc, char **argv)
{
    uint64_t walk = UINT64_MAX, again = UINT64_MAX, fresh = UINT64_MAX;
    uint32_t frames = 0, count = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        walk = least_of(walk, time_walk(&frames));
        again = least_of(again, time_records(DEPTH, 40, RECORDS) / RECORDS);
        /* the frames lie where none was before */
        fresh = least_of(fresh, time_records(DEPTH, 48 + 16 * i, 1));
    }
    (void)!depot_get(record_stack(), &count);
    printf("a walk of %u frames, and stacks of %u\n", frames, count + DEPTH + 1);
    bool good = tell_stacks("a walk alone", walk, 20000);
    good &= tell_stacks("a stack that the thread has met before", again, 150);
    good &= tell_stacks("a stack that is walked by tables, and remembered", fresh, 1000);
    return argc > 1 && !strcmp(argv[1], "--budget") && !good;
}
