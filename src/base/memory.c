/* Allocates the layer's own memory, counts the allocations that fail, and can make one fail for
 * tests. */
#include "base/state_lines.h"

#include "base/environment.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/* Allocations that have failed in this process. Relaxed: it is only a counter. */
static _Atomic uint64_t failures;

#ifdef ASSAY_FAULT_INJECTION
/* Fails one allocation: the one whose number, counted from 1 in the process, is in
 * ASSAY_FAIL_ALLOCATION. With a "+" after the number, all later ones fail, too. It prints a
 * message, so that a test knows when it has tried all. */
static bool injected_failure(void)
{
    static _Atomic uint64_t count;
    static _Atomic int64_t chosen = -1;
    static _Atomic bool all_later;
    int64_t number = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (number < 0) {
        const char *text = secure_getenv("ASSAY_FAIL_ALLOCATION");
        number = text ? atoll(text) : 0;
        atomic_store_explicit(&all_later, text && strchr(text, '+'), memory_order_relaxed);
        atomic_store_explicit(&chosen, number, memory_order_relaxed);
    }
    if (number == 0)
        return false;
    uint64_t this = atomic_fetch_add_explicit(&count, 1, memory_order_relaxed) + 1;
    if (this == (uint64_t)number)
        (void)fprintf(stderr, "assay: allocation %" PRIu64 " fails\n", this);
    return this == (uint64_t)number ||
           (this > (uint64_t)number && atomic_load_explicit(&all_later, memory_order_relaxed));
}
#else
static inline bool injected_failure(void)
{
    return false;
}
#endif

/* Counts NULL as a failed allocation, and returns `memory`. */
static void *memory_checked(void *memory)
{
    if (unlikely(!memory))
        atomic_fetch_add_explicit(&failures, 1, memory_order_relaxed);
    return memory;
}

void *mem_alloc(size_t size)
{
    return memory_checked(injected_failure() ? NULL : malloc(size ? size : 1));
}

void *mem_alloc_zeroed(size_t size)
{
    return memory_checked(injected_failure() ? NULL : calloc(1, size ? size : 1));
}

void *mem_alloc_state(size_t size)
{
    struct spare_blocks *spare = thread_self()->spare;
    if (injected_failure()) /* whether or not there is a spare block, as for any other allocation */
        return memory_checked(NULL);
    void *memory = likely(spare) ? spare_take(spare, size) : NULL;
    return memory ? memset(memory, 0, size) : memory_checked(calloc(1, spare_size(size)));
}

void *mem_alloc_state_lines(size_t size)
{
    struct spare_blocks *spare = thread_self()->spare;
    size_t lines = (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    if (injected_failure() || lines < size)
        return memory_checked(NULL);
    void *memory = likely(spare) ? spare_take_lines(spare, lines) : NULL;
    if (!memory)
        memory = aligned_alloc(CACHE_LINE, lines ? lines : CACHE_LINE);
    return memory ? memset(memory, 0, lines) : memory_checked(NULL);
}

void *mem_alloc_lines(size_t size)
{
    size_t lines = (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    /* aligned_alloc() needs a multiple of the alignment; rounding up may have overflowed. */
    return memory_checked(injected_failure() || lines < size
                              ? NULL
                              : aligned_alloc(CACHE_LINE, lines ? lines : CACHE_LINE));
}

void *mem_alloc_lines_zeroed(size_t size)
{
    void *memory = mem_alloc_lines(size);
    return memory ? memset(memory, 0, size) : NULL;
}

void *mem_resize(void *memory, size_t size)
{
    return memory_checked(injected_failure() ? NULL : realloc(memory, size ? size : 1));
}

void mem_trim(void)
{
    (void)malloc_trim(0);
}

void mem_free(void *memory)
{
    free(memory);
}

char *mem_copy_string(const char *string)
{
    size_t size = strlen(string) + 1;
    char *copy = mem_alloc(size);
    return copy ? memcpy(copy, string, size) : NULL;
}

uint64_t mem_failures(void)
{
    return atomic_load_explicit(&failures, memory_order_relaxed);
}
