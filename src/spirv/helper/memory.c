/* Gives SPIRV-Tools its memory. It comes from operator new, which is this one. The validator makes
 * and gives back some hundred small blocks for each instruction, and malloc was a third of its
 * time.
 *
 * A call of the validator takes a heap, so that no two threads share one, and gives it back at its
 * end. A heap is one piece of memory. Its pages are used one after the other, each for blocks of
 * one size, which have no header: so they lie close together. Pages are never given back: static
 * objects of SPIRV-Tools, which are made when they are first used, lie among the rest. So a heap is
 * kept small: past HEAP_MOST bytes blocks come from malloc, as large ones do, and those outside of
 * a call. */
#include "spirv/helper/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/lock.h"

#define STEP    16          /* sizes are rounded up to this: what max_align_t needs */
#define CLASSES 33          /* sizes of blocks, in steps: class n is n steps large */
#define PAGE    (16u << 10) /* bytes of memory for blocks of one class */
/* pages of a heap; pages that are not touched cost nothing */
#define PAGES     512
#define HEAP_MOST ((size_t)PAGES * PAGE)

/* A block that is free has the next one in its own first bytes. */
struct free_block {
    struct free_block *next;
};

/* Its memory is one reservation, so that one comparison shows whether a block is of it. A block has
 * no header, and its page has the class. */
struct heap {
    struct heap *next;                             /* in the list of heaps that no call has. Lock */
    struct heap *older;                            /* in the list of all heaps */
    struct free_block *free[CLASSES];              /* lists of free blocks */
    unsigned char *unused[CLASSES], *end[CLASSES]; /* of each class's newest page */
    unsigned char *memory;                         /* HEAP_MOST bytes */
    uint32_t pages;                                /* in use */
    uint8_t class[PAGES];                          /* of each page */
};

static _Thread_local
    /* of the call that the thread is in, or NULL */
    __attribute__((tls_model("initial-exec"))) struct heap *heap;
/* Tried, never waited for: in the child of a fork it may never be released. */
static struct spin_lock heaps_lock = SPIN_LOCK_INITIALIZER;
static struct heap *heaps GUARDED_BY(heaps_lock);
static struct heap *_Atomic all_heaps; /* also those that a call has. Grows at the head */

static void (*no_memory)(void);

/* Makes a heap and adds it to the list of all. NULL: memory is out, and blocks come from malloc. */
static struct heap *heap_new(void)
{
    struct heap *new = calloc(1, sizeof(*new));
    unsigned char *memory = new ? aligned_alloc(PAGE, HEAP_MOST) : NULL;
    if (!memory) {
        free(new);
        return NULL;
    }
    new->memory = memory;
    new->older = atomic_load_explicit(&all_heaps, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&all_heaps, &new->older, new,
                                                  memory_order_release, memory_order_relaxed))
        continue;
    return new;
}

void helper_memory_begin(void (*handler)(void))
{
    no_memory = handler;
    if (spin_lock_try(&heaps_lock)) {
        heap = heaps;
        heaps = heap ? heap->next : NULL;
        spin_lock_release(&heaps_lock);
    }
    if (!heap)
        heap = heap_new();
}

void helper_memory_end(void)
{
    struct heap *mine = heap;
    heap = NULL;
    if (!mine)
        return;
    for (int i = 0; i < 1000; i++) {
        if (spin_lock_try(&heaps_lock)) {
            mine->next = heaps;
            heaps = mine;
            spin_lock_release(&heaps_lock);
            return;
        }
    }
    /* Lost, as its blocks may be in use: HEAP_MOST bytes, where somebody holds the lock and cannot
     * run. */
}

/* operator new must not return NULL: where memory is out, the handler leaves the validator, and
 * without one the process ends. */
static void *from_malloc(size_t size)
{
    void *memory = malloc(size ? size : 1);
    if (!memory) {
        if (no_memory)
            no_memory(); /* does not return */
        abort();
    }
    return memory;
}

/* A block of a page that is not cut up yet; from malloc where the heap is full. */
static void *heap_cut(struct heap *from, size_t class)
{
    size_t size = class * STEP;
    if ((size_t)(from->end[class] - from->unused[class]) < size) {
        if (from->pages == PAGES)
            return from_malloc(size);
        from->class[from->pages] = (uint8_t)class;
        from->unused[class] = from->memory + (size_t)from->pages++ * PAGE;
        from->end[class] = from->unused[class] + PAGE;
    }
    void *block = from->unused[class];
    from->unused[class] += size;
    return block;
}

/* The usual way: a free block of the class, without a lock or a call. */
static inline void *heap_allocate(size_t size)
{
    struct heap *from = heap;
    size_t class = size ? (size + STEP - 1) / STEP : 1;
    if (!from || class >= CLASSES)
        return from_malloc(size);
    struct free_block *block = from->free[class];
    if (!block)
        return heap_cut(from, class);
    from->free[class] = block->next;
    return block;
}

/* One comparison: a heap's memory is one piece. */
static bool is_of(const struct heap *of, const void *memory)
{
    return (uintptr_t)memory - (uintptr_t)of->memory < HEAP_MOST;
}

/* Frees a block from malloc. One that lies in another call's heap, which a static object gave up,
 * is lost. */
static void release_other(void *memory)
{
    for (const struct heap *of = atomic_load_explicit(&all_heaps, memory_order_acquire); of;
         of = of->older) {
        if (is_of(of, memory))
            return;
    }
    free(memory);
}

/* The class of a block is the class of its page, as blocks have no header. */
static inline void heap_release(void *memory)
{
    struct heap *to = heap;
    if (!memory)
        return;
    if (!to || !is_of(to, memory)) {
        release_other(memory);
        return;
    }
    uint8_t class = to->class[((uintptr_t)memory - (uintptr_t)to->memory) / PAGE];
    struct free_block *block = memory;
    block->next = to->free[class];
    to->free[class] = block;
}

/* operator new(size_t), new[], delete, ... as the C++ ABI spells them; bound within the library
 * (-Bsymbolic), and hidden. */
void *_Znwm(size_t size);
void *_Znam(size_t size);
void *_ZnwmRKSt9nothrow_t(size_t size, const void *nothrow);
void *_ZnamRKSt9nothrow_t(size_t size, const void *nothrow);
void _ZdlPv(void *memory);
void _ZdlPvm(void *memory, size_t size);
void _ZdlPvRKSt9nothrow_t(void *memory, const void *nothrow);
void _ZdaPv(void *memory);
void _ZdaPvm(void *memory, size_t size);
void _ZdaPvRKSt9nothrow_t(void *memory, const void *nothrow);

void *_Znwm(size_t size)
{
    return heap_allocate(size);
}

void *_Znam(size_t size)
{
    return heap_allocate(size);
}

void *_ZnwmRKSt9nothrow_t(size_t size, const void *nothrow)
{
    return heap_allocate(size);
}

void *_ZnamRKSt9nothrow_t(size_t size, const void *nothrow)
{
    return heap_allocate(size);
}

void _ZdlPv(void *memory)
{
    heap_release(memory);
}

void _ZdlPvm(void *memory, size_t size)
{
    heap_release(memory);
}

void _ZdlPvRKSt9nothrow_t(void *memory, const void *nothrow)
{
    heap_release(memory);
}

void _ZdaPv(void *memory)
{
    heap_release(memory);
}

void _ZdaPvm(void *memory, size_t size)
{
    heap_release(memory);
}

void _ZdaPvRKSt9nothrow_t(void *memory, const void *nothrow)
{
    heap_release(memory);
}
