/* Where does SPIRV-Tools get its memory from? From operator new, which is this one: the validator makes and gives back some hundred small blocks for each
 * instruction, and malloc was a third of its time.
 *
 * A call of the validator takes a heap, so that no two threads share one, and gives it back at its end. A heap has lists of free blocks by size, and slabs
 * that new blocks are cut from. Slabs are never given back: static objects of SPIRV-Tools, which are made when they are first used, lie among the
 * rest. So a heap is kept small: past HEAP_MOST bytes its blocks come from malloc, as large ones do, and those outside of a call. */
#include "memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define STEP      16 /* sizes are rounded up to this: what max_align_t needs */
#define CLASSES   33 /* of class n: n steps */
#define SLAB      (256u << 10)
#define HEAP_MOST (8u << 20)

/* In front of each block. */
union header {
    uint32_t class; /* 0: from malloc */
    _Alignas(STEP) unsigned char bytes[STEP];
};

struct free_block {
    struct free_block *next;
};

struct heap {
    struct heap *next; /* of those that no call has. Lock: heaps_lock */
    struct free_block *free[CLASSES];
    unsigned char *unused, *end; /* of the newest slab */
    size_t size;                 /* of all slabs */
};

static _Thread_local
    __attribute__((tls_model("initial-exec"))) struct heap *heap; /* of the call that the thread is in, or NULL */
static struct heap *heaps;                                        /* Lock: heaps_lock */
static atomic_flag heaps_lock =
    ATOMIC_FLAG_INIT; /* tried, never waited for: in the child of a fork nobody may let go of it */

static void (*no_memory)(void);

void helper_memory_begin(void (*handler)(void))
{
    no_memory = handler;
    if (!atomic_flag_test_and_set_explicit(&heaps_lock, memory_order_acquire)) {
        heap = heaps;
        heaps = heap ? heap->next : NULL;
        atomic_flag_clear_explicit(&heaps_lock, memory_order_release);
    }
    if (!heap)
        heap = calloc(1, sizeof(*heap));
}

void helper_memory_end(void)
{
    struct heap *mine = heap;
    heap = NULL;
    if (!mine)
        return;
    for (int i = 0; i < 1000; i++) {
        if (!atomic_flag_test_and_set_explicit(&heaps_lock, memory_order_acquire)) {
            mine->next = heaps;
            heaps = mine;
            atomic_flag_clear_explicit(&heaps_lock, memory_order_release);
            return;
        }
    }
    /* Lost, as its blocks may be in use: HEAP_MOST bytes, where somebody holds the lock and cannot run. */
}

static void *from_malloc(size_t size)
{
    union header *header = size <= SIZE_MAX - sizeof(*header) ? malloc(sizeof(*header) + size) : NULL;
    if (!header) {
        if (no_memory)
            no_memory(); /* does not return */
        abort();
    }
    header->class = 0;
    return header + 1;
}

static bool slab_add(struct heap *to)
{
    unsigned char *slab = to->size < HEAP_MOST ? aligned_alloc(STEP, SLAB) : NULL;
    if (!slab)
        return false;
    to->unused = slab;
    to->end = slab + SLAB;
    to->size += SLAB;
    return true;
}

static void *allocate(size_t size)
{
    size_t class = size ? (size + STEP - 1) / STEP : 1;
    if (!heap || class >= CLASSES)
        return from_malloc(size);
    struct free_block *block = heap->free[class];
    if (block) {
        heap->free[class] = block->next;
        return block;
    }
    size_t needed = sizeof(union header) + class * STEP;
    if ((size_t)(heap->end - heap->unused) < needed && !slab_add(heap))
        return from_malloc(size);
    union header *header = (union header *)(void *)heap->unused;
    heap->unused += needed;
    header->class = (uint32_t)class;
    return header + 1;
}

static void release(void *memory)
{
    if (!memory)
        return;
    union header *header = (union header *)memory - 1;
    if (!header->class) {
        free(header);
    } else if (heap) {
        struct free_block *block = memory;
        block->next = heap->free[header->class];
        heap->free[header->class] = block;
    }
}

/* operator new(size_t), new[], delete, ... as the C++ ABI spells them; bound within the library (-Bsymbolic), and hidden. */
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
    return allocate(size);
}

void *_Znam(size_t size)
{
    return allocate(size);
}

void *_ZnwmRKSt9nothrow_t(size_t size, const void *nothrow)
{
    return allocate(size);
}

void *_ZnamRKSt9nothrow_t(size_t size, const void *nothrow)
{
    return allocate(size);
}

void _ZdlPv(void *memory)
{
    release(memory);
}

void _ZdlPvm(void *memory, size_t size)
{
    release(memory);
}

void _ZdlPvRKSt9nothrow_t(void *memory, const void *nothrow)
{
    release(memory);
}

void _ZdaPv(void *memory)
{
    release(memory);
}

void _ZdaPvm(void *memory, size_t size)
{
    release(memory);
}

void _ZdaPvRKSt9nothrow_t(void *memory, const void *nothrow)
{
    release(memory);
}
