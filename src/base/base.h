/* The attributes, small macros and allocation functions that every room may use. It knows nothing
 * of Vulkan. */
#ifndef ASSAY_BASE_H
#define ASSAY_BASE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define likely(x)       __builtin_expect(!!(x), 1)
#define unlikely(x)     __builtin_expect(!!(x), 0)
#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))
#define MUST_CHECK      __attribute__((warn_unused_result))
#define PRINTF_LIKE(format_argument, first) \
    __attribute__((__format__(__printf__, format_argument, first)))
#define COLD __attribute__((cold, noinline))
/* For the few functions that make a lookup a handful of instructions, which the compiler would
 * share between hundreds of callers. */
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define EXPORT        __attribute__((visibility("default")))
/* For variables on the hot path: -fvisibility=hidden says nothing of declarations, and the compiler
 * would go through the offset table. */
#define HIDDEN __attribute__((visibility("hidden")))

/* Allocation of the layer's own memory (never the program's callbacks: those are for the driver's
 * objects). All return NULL when memory is out; the caller then lets the program's call through
 * unvalidated. A build with -Dfault_injection=true fails the n-th allocation that
 * ASSAY_FAIL_ALLOCATION names. Threads: any. */
void *mem_alloc(size_t size) __attribute__((malloc)) MUST_CHECK;
void *mem_alloc_zeroed(size_t size) __attribute__((malloc)) MUST_CHECK;
/* Allocates cache lines of its own, for memory that is read or written in every call. Other memory
 * may share a line with a block that another thread writes all the time. (Measured: a set layout
 * beside the other thread's scratch memory made updates 5 times slower.) */
#define CACHE_LINE 64
void *mem_alloc_lines(size_t size) __attribute__((malloc)) MUST_CHECK;
void *mem_alloc_lines_zeroed(size_t size) __attribute__((malloc)) MUST_CHECK;
/* Allocates zeroed memory that will be retired: often a block that the thread has retired before,
 * which costs less than a new block. */
void *mem_alloc_state(size_t size) __attribute__((malloc)) MUST_CHECK;
void *mem_resize(void *memory, size_t size) MUST_CHECK;
void mem_free(void *memory);
/* Gives the system what malloc keeps of memory that was freed. Work on large code takes and frees
 * tens of MB in small pieces, which malloc would keep, in each thread's arena. It takes some
 * milliseconds, as walking all arenas does: less than any work on code of MEM_TRIM_CODE bytes. */
void mem_trim(void);
#define MEM_TRIM_CODE (256u << 10)
/* Frees `memory` once every call has ended that was under way in any thread. Another thread may be
 * reading it at this moment, in a program that uses an object while it destroys it. Such a program
 * must not crash in the layer. May be NULL. base/retire.c. */
void mem_retire(void *memory);

/* Grows an array that is recorded into by one thread at a time. Several threads may be at it all
 * the same, which is a program's mistake and must not crash the layer. They grow it one after the
 * other; what is outgrown is retired, once; the array that has the room is published before its
 * capacity. So a thread that reads count and capacity once each, the capacity first, and adds at
 * that count, stays within it, whatever the others do. `array`: where the pointer is. Room for
 * `wanted` elements of `size` bytes, with the first `kept` of the old ones; the rest is zeroed.
 * False: memory is out. */
bool mem_grow(void *array, uint32_t *capacity, uint32_t kept, uint32_t wanted,
              size_t size) MUST_CHECK;
/* A part that is made when it is first needed. Where the pointer at `place` is still `none` (NULL,
 * or what all share that have no such part), it becomes one to `size` zeroed bytes on cache lines
 * of their own. Threads: any, as of mem_grow(); the zeroes are stored before the pointer (release).
 * Returns the part; NULL: memory is out, and `none` stays. */
void *mem_make(void *place, const void *none, size_t size) COLD MUST_CHECK;
/* These take the lock of mem_grow() around changes of more than one array. */
void mem_growth_lock(void);
void mem_growth_unlock(void);
char *mem_copy_string(const char *string) MUST_CHECK;

/* The three steps of a fork. A lock is taken before it, so that what the lock guards is whole in
 * the child, and released after it in both processes. */
enum fork_step { FORK_PREPARE, FORK_PARENT, FORK_CHILD };

/* Number of allocations that have failed in this process. Reported once, as a warning. */
uint64_t mem_failures(void);

#endif
