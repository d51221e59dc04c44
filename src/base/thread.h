/* Data that the layer keeps for each thread: a small number, a cache of dispatchable handles, and
 * scratch memory.
 *
 * The structure is itself a thread-local variable (initial-exec, so that access is one instruction
 * and needs no allocation). It is smaller than 256 bytes, as a library that is loaded late has
 * little room for such variables. */
#ifndef ASSAY_BASE_THREAD_H
#define ASSAY_BASE_THREAD_H

#include "base/base.h"

#include <stdatomic.h>

struct object;
struct scratch_chunk;
struct noted_parameters;
struct retired_batch;
struct stack_memory;
struct spare_blocks;

#define THREAD_CACHE_ENTRIES 8 /* objects/object.h maps handles to entries */

/* A bump allocator for memory that is used during one call. It is rewound, not freed, so in steady
 * state it allocates nothing. */
struct scratch {
    struct scratch_chunk *chunk; /* current chunk; it links to older ones */
    size_t used;                 /* bytes used in the current chunk */
    size_t capacity;             /* of the current chunk; 0: there is none */
};

struct thread {
    uint16_t number; /* up to THREAD_NUMBER_SHARED; 0 before it is first needed */
    /* nesting of the program's callbacks: > 1 if a callback has called Vulkan and made a mistake */
    uint16_t depth;
    /* for threads/window.c, like `met`: the lower bits of `calls` in the last call that was held */
    uint32_t held_in;
    const struct object *dispatchable[THREAD_CACHE_ENTRIES];
    struct scratch scratch;
    /* for objects/object.c: the first of the unused slots that this thread reserves; 0: none */
    uint32_t free_slot;
    uint32_t free_count;
    /* for report/finding/parameters.c: owned, one allocation; NULL before first use */
    struct noted_parameters *parameters;
    /* for base/stack_memory.c: owned, one allocation; NULL before first use */
    struct stack_memory *stack;
    /* The following members are for base/retire.c, which explains them. */
    /* The number of the thread's calls, and the current one: see THREAD_INSIDE and others below. 0
     * before its first call. Only this thread writes it. */
    _Atomic uint64_t calls;
    uint64_t waited_for;            /* Lock: that of retire.c, also for the next two */
    struct thread *next, *previous; /* list of threads that have made a call */
    /* only this thread's: the blocks that it has retired since its last batch */
    struct retired_batch *retired;
    /* only this thread's: full batches, which it hands on together */
    struct retired_batch *full;
    /* batches whose blocks are free again. Lock: that of retire.c */
    struct retired_batch *returned;
    /* only this thread's: blocks that it has retired and may reuse; NULL: none yet */
    struct spare_blocks *spare;
    /* the thread has ended; calls of later destructors are not waited for */
    bool ended;
    /* the group also waits for a barrier of this thread. Lock: that of retire.c */
    bool unseen;
    /* The following members are for threads/window.c, which explains them. Only this thread's. */
    uint16_t met;      /* how often the thread found traces of another thread since `met_last` */
    uint32_t met_last; /* microseconds of CLOCK_MONOTONIC, lower bits; 0: never */
};

/* Called when a thread with a number ends, while its structure is still valid; NULL before it is
 * set. */
extern void (*thread_end_hook)(struct thread *thread);
/* Called in the child of a fork, which only has the calling thread; it keeps its number. Threads:
 * chassis/fork.c. */
void thread_fork(enum fork_step step);

extern HIDDEN __thread struct thread thread_local_state __attribute__((tls_model("initial-exec")));

static inline struct thread *thread_self(void)
{
    return &thread_local_state;
}

/* Makes sure that the end of the thread is noticed. False: that is not possible. */
bool thread_register(struct thread *thread);

/* Adds the thread to the list of threads whose calls are waited for. Threads: the calling thread's
 * own. */
void thread_enlist(struct thread *thread) COLD;
/* Removes the thread from the list, and hands on the blocks that it has retired. */
void thread_delist(struct thread *thread);
/* Takes a retired block of at least `size` bytes that is free now, uninitialized; NULL: there is
 * none. */
#define SPARE_STEP 16 /* bytes; the same as in malloc */
/* The size for malloc, so that the block can later be reused for `size`. */
static inline size_t spare_size(size_t size)
{
    return size <= SIZE_MAX - SPARE_STEP ? (size + SPARE_STEP - 1) / SPARE_STEP * SPARE_STEP : size;
}
void *spare_take(struct spare_blocks *spare, size_t size);
void retire_fork(enum fork_step step);

/* thread::calls = count:48 | what:15 | inside:1
 * `inside`: the thread is in a call, and does not wait outside of it.
 * `what`: the argument of thread_enter() for the current call, even while it waits; 0 between
 * calls.
 * `count`: grows whenever the thread leaves a call. */
#define THREAD_INSIDE     1ull
#define THREAD_WHAT_SHIFT 1
#define THREAD_WHAT       0x7fffu
#define THREAD_CALL       (1ull << 16) /* one unit of `count` */

/* Notes that the calling thread enters a call: nothing that it can reach from now on is freed
 * before it leaves. Returns the argument for thread_leave(): a call inside a callback neither
 * enters nor leaves. `what`: a number for findings of other threads, up to THREAD_WHAT; a constant
 * costs nothing. */
static ALWAYS_INLINE uint32_t thread_enter(uint32_t what)
{
    assert(what <= THREAD_WHAT);
    struct thread *thread = thread_self();
    uint64_t calls = atomic_load_explicit(&thread->calls, memory_order_relaxed);
    if (unlikely(!calls)) {
        thread_enlist(thread);
        calls = atomic_load_explicit(&thread->calls, memory_order_relaxed);
    }
    /* in a callback of a call, which may be waiting */
    if (unlikely(calls % THREAD_CALL)) {
        if (calls & THREAD_INSIDE)
            return 0;
        what = 0;
    }
    const uint32_t inside = what << THREAD_WHAT_SHIFT | (uint32_t)THREAD_INSIDE;
    atomic_store_explicit(&thread->calls, calls + inside, memory_order_relaxed);
    /* membarrier in retire.c does the processor's part */
    atomic_signal_fence(memory_order_seq_cst);
    return (uint32_t)THREAD_CALL - inside;
}

static ALWAYS_INLINE void thread_leave(uint32_t entered)
{
    struct thread *thread = thread_self();
    uint64_t calls = atomic_load_explicit(&thread->calls, memory_order_relaxed);
    atomic_store_explicit(&thread->calls, calls + entered, memory_order_release);
}

/* Notes that the calling thread leaves its call to wait, or enters it again. `entered`: the result
 * of thread_enter(). */
static ALWAYS_INLINE void thread_leave_to_wait(uint32_t entered)
{
    thread_leave(entered ? (uint32_t)(THREAD_CALL - THREAD_INSIDE) : 0);
}

static ALWAYS_INLINE void thread_enter_again(uint32_t entered)
{
    struct thread *thread = thread_self();
    uint64_t calls = atomic_load_explicit(&thread->calls, memory_order_relaxed);
    atomic_store_explicit(&thread->calls, calls + (entered != 0), memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst); /* as in thread_enter() */
}

/* thread::calls of the only live thread with this number, of which the lowest 15 bits count. 0:
 * there is no such thread, or there are several. For findings. */
uint64_t thread_find_calls(uint32_t number) COLD;

static inline uint32_t thread_what(uint64_t calls)
{
    return (uint32_t)(calls >> THREAD_WHAT_SHIFT) & THREAD_WHAT;
}

/* The number of the calling thread, 1 to THREAD_NUMBER_SHARED, assigned at its first call, and
 * reused after its end. Threads beyond the 16,382nd share the last number and cannot be
 * distinguished: a race between two of them is missed, but none is wrongly reported. */
#define THREAD_NUMBER_SHARED 16383u
uint32_t thread_number(void);
/* False: no thread has this number now. The result may be outdated at once. */
bool thread_number_is_used(uint32_t number);

/* A position in the scratch memory, for rewinding. */
struct scratch_mark {
    struct scratch_chunk *chunk;
    size_t used;
};

struct scratch_chunk {
    struct scratch_chunk *older;
    size_t capacity;
    bool emergency;
    _Alignas(CACHE_LINE) unsigned char bytes[];
};

void *scratch_alloc_chunk(struct scratch *scratch, size_t size) MUST_CHECK;
void scratch_rewind_chunks(struct scratch *scratch, struct scratch_mark mark);

/* Allocates memory for the current call, 16-byte aligned, uninitialized. If malloc fails, a
 * process-wide emergency buffer is used; NULL only if that is full, too. It never waits for another
 * thread's call. */
static inline MUST_CHECK void *scratch_alloc(struct scratch *scratch, size_t size)
{
    assert(scratch->used <= scratch->capacity);
    size_t left = scratch->capacity - scratch->used; /* `used` and `capacity` are multiples of 16 */
    if (unlikely(size >= left))                      /* also if there is no chunk yet */
        return scratch_alloc_chunk(scratch, size);
    void *memory = scratch->chunk->bytes + scratch->used;
    scratch->used += (size + 15) & ~(size_t)15;
    return memory;
}

static inline struct scratch_mark scratch_mark(const struct scratch *scratch)
{
    return (struct scratch_mark){.chunk = scratch->chunk, .used = scratch->used};
}

static inline void scratch_rewind(struct scratch *scratch, struct scratch_mark mark)
{
    assert(scratch->chunk != mark.chunk || mark.used <= scratch->used);
    if (unlikely(scratch->chunk != mark.chunk))
        scratch_rewind_chunks(scratch, mark);
    else
        scratch->used = mark.used;
}

#endif
