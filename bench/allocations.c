/* Counts a layer's allocations while a program records, updates and submits what it has recorded,
 * updated and submitted before.
 *
 *   bench_allocations [ROUNDS]
 *
 * It prints a line "OPERATION allocations" for each operation that must do without, and exits with
 * 1 if one did not. This program's malloc is that of all libraries in it, and counts. */
#define _GNU_SOURCE
#include "operations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static _Atomic uint64_t allocations;

void *malloc(size_t size)
{
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

/* Creating an object takes memory, and so does a name: those operations are not looked at. */
static bool is_steady(const struct operation *operation)
{
    return strncmp(operation->name, "churn", 5) && strncmp(operation->name, "pipeline", 8) &&
           strcmp(operation->name, "together_churn") &&
           strcmp(operation->name, "compute_pipeline") && strcmp(operation->name, "name");
}

int main(int argc, char **argv)
{
    static struct context context;
    static struct worker worker;
    const uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 2;
    int status = EXIT_SUCCESS;
    context_create(&context);
    worker_create(&worker, &context, 0);
    workers_create_together(&worker, 1);
    for (uint32_t i = 0; i < operation_count; i++) {
        if (!is_steady(&operations[i]))
            continue;
        operations[i].run(&worker, 2 * RECORDED); /* what is kept grows to its size */
        const uint64_t before = atomic_load(&allocations);
        operations[i].run(&worker, rounds * RECORDED);
        const uint64_t made = atomic_load(&allocations) - before;
        printf("%s %llu\n", operations[i].name, (unsigned long long)made);
        if (made)
            status = EXIT_FAILURE;
    }
    bench_must(context.vk.DeviceWaitIdle(context.device), "vkDeviceWaitIdle");
    workers_destroy_together(&worker, 1);
    worker_destroy(&worker);
    context_destroy(&context);
    return status;
}
