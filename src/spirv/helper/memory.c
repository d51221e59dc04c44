/* Allocates memory for SPIRV-Tools, by replacing operator new. The validator allocates and frees
 * some hundred small blocks for each instruction, and malloc took a third of its time.
 *
 * During a call of the validator its thread has a heap for itself, which later calls use again. A
 * heap is one piece of memory, divided into pages. A page has blocks of one size, without headers,
 * so that they are close together. Pages are never freed, since static objects of SPIRV-Tools,
 * which are made at their first use, lie among other blocks. So a heap is limited to HEAP_MOST
 * bytes. Further blocks, large blocks, and blocks outside of a call come from malloc. */
#include "spirv/helper/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/lock.h"

#define STEP    16          /* sizes are rounded up to this, which max_align_t requires */
#define CLASSES 33          /* sizes of blocks, in steps: class n is n steps large */
#define PAGE    (16u << 10) /* bytes of memory for blocks of one class */
/* pages of a heap; unused pages cost no memory */
#define PAGES     512
#define HEAP_MOST ((size_t)PAGES * PAGE)

/* A free block has the pointer to the next one in its own first bytes. */
struct free_block {
    struct free_block *next;
};

/* A heap. Its memory is one reservation, so that one comparison shows whether a block belongs to
 * it. A block has no header; its class is that of its page. */
struct heap {
    struct heap *next;                /* in the list of heaps that are not in use by a call. Lock */
    struct heap *older;               /* in the list of all heaps */
    struct free_block *free[CLASSES]; /* lists of free blocks */
    unsigned char *unused[CLASSES], *end[CLASSES]; /* free range of each class's newest page */
    unsigned char *memory;                         /* HEAP_MOST bytes */
    uint32_t pages;                                /* pages in use */
    uint8_t class[PAGES];                          /* class of each page */
};

static _Thread_local
    /* the heap of the thread's current call; NULL: the thread is in none */
    __attribute__((tls_model("initial-exec"))) struct heap *heap;
/* The lock is tried, never waited for: in the child of a fork it may never be released. */
static struct spin_lock heaps_lock = SPIN_LOCK_INITIALIZER;
static struct heap *heaps GUARDED_BY(heaps_lock);
static struct heap *_Atomic all_heaps; /* also heaps in use by a call. Grows at the head */

static void (*no_memory)(void);

/* Makes a heap and adds it to the list of all. Returns NULL if memory is out; blocks come from
 * malloc then. */
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
    /* The heap is lost (HEAP_MOST bytes), as its blocks may be in use. That happens only if the
     * thread that holds the lock cannot run. */
}

/* operator new must not return NULL: if memory is out, the handler leaves the validator; without a
 * handler the process ends. */
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

/* Takes a block from the unused part of a page; from malloc if the heap is full. */
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

/* Takes a free block of the class, usually without a lock or a call. */
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

/* True if the block is in the heap; one comparison is enough, as the heap is one piece of
 * memory. */
static bool is_of(const struct heap *of, const void *memory)
{
    return (uintptr_t)memory - (uintptr_t)of->memory < HEAP_MOST;
}

/* Frees a block from malloc. A static object may free a block in the heap of another call; such a
 * block is lost. */
static void release_other(void *memory)
{
    for (const struct heap *of = atomic_load_explicit(&all_heaps, memory_order_acquire); of;
         of = of->older) {
        if (is_of(of, memory))
            return;
    }
    free(memory);
}

/* Frees a block. Its class is that of its page, as blocks have no header. */
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

/* These are operator new(size_t), new[], delete, ... with the names of the C++ ABI. They are
 * hidden, and bound within the library (-Bsymbolic). */
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
