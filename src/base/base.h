/* The attributes, small macros and allocation functions that every room may use. It does not depend
 * on Vulkan. */
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
/* For the few functions that make a lookup a handful of instructions. Without it, the compiler
 * would share them between hundreds of callers. */
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define EXPORT        __attribute__((visibility("default")))
/* For variables on the hot path: -fvisibility=hidden does not affect declarations, and the compiler
 * would use the offset table. */
#define HIDDEN __attribute__((visibility("hidden")))

/* 1 in a build that looks for races, 0 in others. */
#if defined(__SANITIZE_THREAD__)
#define THREAD_SANITIZER 1
#elif defined(__has_feature)
#define THREAD_SANITIZER __has_feature(thread_sanitizer)
#else
#define THREAD_SANITIZER 0
#endif

/* Allocation of the layer's own memory. The program's callbacks are never used, as they are for the
 * driver's objects. All return NULL if memory runs out; the caller then lets the program's call
 * through without validation. In a build with -Dfault_injection=true, the allocation whose number
 * is in ASSAY_FAIL_ALLOCATION fails. Threads: any. */
void *mem_alloc(size_t size) __attribute__((malloc)) MUST_CHECK;
void *mem_alloc_zeroed(size_t size) __attribute__((malloc)) MUST_CHECK;
/* Allocates separate cache lines, for memory that is accessed in every call. Other memory may share
 * a line with a block that another thread writes all the time. (Measured: a set layout next to
 * another thread's scratch memory made updates 5 times slower.) */
#define CACHE_LINE 64
void *mem_alloc_lines(size_t size) __attribute__((malloc)) MUST_CHECK;
void *mem_alloc_lines_zeroed(size_t size) __attribute__((malloc)) MUST_CHECK;
/* Allocates zeroed memory that will be retired. It is often a block that the thread has retired
 * before, which is cheaper than a new block. */
void *mem_alloc_state(size_t size) __attribute__((malloc)) MUST_CHECK;
void *mem_resize(void *memory, size_t size) MUST_CHECK;
void mem_free(void *memory);
/* Returns to the system the freed memory that malloc keeps. Work on large code allocates and frees
 * tens of MB in small pieces, which malloc would keep in each thread's arena. It takes some
 * milliseconds, as it walks all arenas: less than any work on code of MEM_TRIM_CODE bytes. */
void mem_trim(void);
#define MEM_TRIM_CODE (256u << 10)
/* Frees `memory` once every call has ended that is in progress in any thread. Another thread may be
 * reading it, in a program that uses an object while destroying it: such a program must not crash
 * in the layer. `memory` may be NULL. See base/retire.c. */
void mem_retire(void *memory);

/* Grows an array to which one thread records at a time. In a wrong program several threads may do
 * so at once, which must not crash the layer. They grow it one after the other. A replaced array is
 * retired once, and the new array is published before its capacity. So a thread that loads first
 * the capacity and then the count, once each, and adds at that count, stays within the array.
 * `array`: address of the pointer. It gets room for `wanted` elements of `size` bytes, with the
 * first `kept` old ones; the rest is zeroed. False: out of memory. */
bool mem_grow(void *array, uint32_t *capacity, uint32_t kept, uint32_t wanted,
              size_t size) MUST_CHECK;
/* Allocates a part on first use. If the pointer at `place` is still `none` (NULL, or a shared empty
 * part), it becomes one to `size` zeroed bytes on separate cache lines. Threads: any, as in
 * mem_grow(); the zeroes are stored before the pointer (release). Returns the part; NULL: out of
 * memory, and the pointer stays `none`. */
void *mem_make(void *place, const void *none, size_t size) COLD MUST_CHECK;
/* These take and release the lock of mem_grow(), around changes of more than one array. */
void mem_growth_lock(void);
void mem_growth_unlock(void);
char *mem_copy_string(const char *string) MUST_CHECK;

/* The three steps of a fork. A lock is taken before it, so that the data it guards is consistent in
 * the child, and released after it in both processes. */
enum fork_step { FORK_PREPARE, FORK_PARENT, FORK_CHILD };

/* The number of allocations that have failed in this process. It is reported once, as a warning. */
uint64_t mem_failures(void);

#endif
