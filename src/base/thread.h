/* The layer keeps for each thread a small number, a cache of dispatchable handles, and scratch
 * memory.
 *
 * The structure is a thread-local variable itself (initial-exec, so that reaching it is one
 * instruction and needs no allocation). It is kept below 256 bytes, as a library that is loaded
 * late has little room for such variables. */
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

#define THREAD_CACHE_ENTRIES 8 /* which entry a handle has: objects/object.h */

/* Bump allocator for what lives as long as one call. Rewound, not freed: steady state allocates
 * nothing. */
struct scratch {
    struct scratch_chunk *chunk; /* current one; older ones after it */
    size_t used;                 /* bytes used in the current chunk */
    size_t capacity;             /* of the current chunk; 0 when there is none */
};

struct thread {
    uint16_t number; /* up to THREAD_NUMBER_SHARED; 0 until first asked for */
    /* of callbacks of the program that have not returned: > 1 when one of them has called Vulkan
     * and made a mistake */
    uint16_t depth;
    /* of threads/window.c, like `met`: the lower bits of `calls` in the call that was held last */
    uint32_t held_in;
    const struct object *dispatchable[THREAD_CACHE_ENTRIES];
    struct scratch scratch;
    /* of objects/object.c: the first of the unused slots that this thread has at hand; 0 = none */
    uint32_t free_slot;
    uint32_t free_count;
    /* report/finding/parameters.c: owned, one allocation; NULL until first needed */
    struct noted_parameters *parameters;
    /* base/stack_memory.c: owned, one allocation; NULL until first needed */
    struct stack_memory *stack;
    /* These are for base/retire.c, which says how they work together. */
    /* Counts the calls of the thread, and says in which one it is: see below. 0 until its first
     * one. Written by this thread alone. */
    _Atomic uint64_t calls;
    uint64_t waited_for;            /* lock: of retire.c, like the two below */
    struct thread *next, *previous; /* of the threads that have made a call */
    /* this thread's own: the blocks that it has retired since it last handed a batch on */
    struct retired_batch *retired;
    /* this thread's own: full batches, which it hands on together */
    struct retired_batch *full;
    /* blocks of those batches that are free again. Lock: of retire.c */
    struct retired_batch *returned;
    /* this thread's own: blocks that it has retired and may use again; NULL until there is one */
    struct spare_blocks *spare;
    /* its end has been; calls of later destructors are not waited for */
    bool ended;
    /* the group waits for a barrier of this thread, too. Lock: of retire.c */
    bool unseen;
    /* For threads/window.c, which says what they are for. This thread's own. */
    uint16_t met;      /* how often since `met_last` the thread came upon another thread's traces */
    uint32_t met_last; /* microseconds of CLOCK_MONOTONIC, the lower bits; 0: never */
};

/* Called when a thread with a number ends, while its structure is still whole; NULL until somebody
 * sets it. */
extern void (*thread_end_hook)(struct thread *thread);
/* The child has one thread: the calling one keeps its number. Threads: chassis/fork.c. */
void thread_fork(enum fork_step step);

extern HIDDEN __thread struct thread thread_local_state __attribute__((tls_model("initial-exec")));

static inline struct thread *thread_self(void)
{
    return &thread_local_state;
}

/* Sees to it that the thread's end is noticed. False when it will not be. */
bool thread_register(struct thread *thread);

/* Enters the thread in the list of those whose calls are waited for. Threads: the calling thread's
 * own. */
void thread_enlist(struct thread *thread) COLD;
/* Takes the thread out of the list again, and hands on the blocks that it has retired. */
void thread_delist(struct thread *thread);
/* A block of at least `size` bytes that has been retired and is free now, uninitialised; NULL when
 * there is none at hand. */
#define SPARE_STEP 16 /* bytes; as malloc has them */
/* The size to ask malloc for, so that the block serves for `size` again. */
static inline size_t spare_size(size_t size)
{
    return size <= SIZE_MAX - SPARE_STEP ? (size + SPARE_STEP - 1) / SPARE_STEP * SPARE_STEP : size;
}
void *spare_take(struct spare_blocks *spare, size_t size);
void retire_fork(enum fork_step step);

/* thread::calls = count:48 | what:15 | inside:1 `inside`: the thread is in a call that it did not
 * leave to wait. `what`: what thread_enter() was given for the call that it is in, or waits in; 0
 * between calls. `count` grows whenever the thread leaves. */
#define THREAD_INSIDE     1ull
#define THREAD_WHAT_SHIFT 1
#define THREAD_WHAT       0x7fffu
#define THREAD_CALL       (1ull << 16) /* one more of `count` */

/* The calling thread enters a call: nothing that it can reach from now on is freed before it
 * leaves. Returns what thread_leave() is to be given: a call inside a callback inside a call
 * neither enters nor leaves. `what`: a number for findings of other threads, up to THREAD_WHAT; it
 * costs nothing where it is a constant. */
static ALWAYS_INLINE uint32_t thread_enter(uint32_t what)
{
    assert(what <= THREAD_WHAT);
    struct thread *thread = thread_self();
    uint64_t calls = atomic_load_explicit(&thread->calls, memory_order_relaxed);
    if (unlikely(!calls)) {
        thread_enlist(thread);
        calls = atomic_load_explicit(&thread->calls, memory_order_relaxed);
    }
    /* in a callback of a call, which may be a call that waits */
    if (unlikely(calls % THREAD_CALL)) {
        if (calls & THREAD_INSIDE)
            return 0;
        what = 0;
    }
    const uint32_t inside = what << THREAD_WHAT_SHIFT | (uint32_t)THREAD_INSIDE;
    atomic_store_explicit(&thread->calls, calls + inside, memory_order_relaxed);
    /* the processor's part is membarrier's, in retire.c */
    atomic_signal_fence(memory_order_seq_cst);
    return (uint32_t)THREAD_CALL - inside;
}

static ALWAYS_INLINE void thread_leave(uint32_t entered)
{
    struct thread *thread = thread_self();
    uint64_t calls = atomic_load_explicit(&thread->calls, memory_order_relaxed);
    atomic_store_explicit(&thread->calls, calls + entered, memory_order_release);
}

/* The calling thread leaves its call in order to wait, and enters it again. `entered`: what
 * thread_enter() has returned. */
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

/* thread::calls of the only live thread that has this number, of which the lowest 15 bits count. 0:
 * there is no such thread, or there are several. For findings. */
uint64_t thread_find_calls(uint32_t number) COLD;

static inline uint32_t thread_what(uint64_t calls)
{
    return (uint32_t)(calls >> THREAD_WHAT_SHIFT) & THREAD_WHAT;
}

/* The number of the calling thread, 1 to THREAD_NUMBER_SHARED, given at the first call. It is
 * reused after the thread's end. Threads past the 16,382nd share the last number and cannot be
 * distinguished (a race between two of them is missed, none is invented). */
#define THREAD_NUMBER_SHARED 16383u
uint32_t thread_number(void);
/* False: no thread has this number now. An answer that may be out of date at once. */
bool thread_number_is_used(uint32_t number);

/* A place in the scratch memory, to rewind to. */
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

/* Memory for the current call, 16-byte aligned, uninitialised. When malloc fails, a process-wide
 * emergency buffer serves; NULL only when that is exhausted too. Never waits for another thread's
 * call. */
static inline MUST_CHECK void *scratch_alloc(struct scratch *scratch, size_t size)
{
    assert(scratch->used <= scratch->capacity);
    size_t left = scratch->capacity - scratch->used; /* `used` and `capacity` are multiples of 16 */
    if (unlikely(size >= left))                      /* also when there is no chunk yet */
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
