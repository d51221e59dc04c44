/* Frees memory that other threads may be reading. It is freed after every call has ended that was
 * under way when the memory was taken out of reach.
 *
 * A correct program destroys nothing that another thread uses. This is for the others, which must
 * not crash in the layer. It costs a call two stores to memory of its own thread, and no barrier.
 *
 * How it works. Each thread counts the calls that it leaves (`calls`, which is odd inside of one:
 * thread.h). It collects what it retires in a batch, and hands full batches on to the list
 * `arrived`. One group of batches at a time is `waiting` for all calls that were under way when the
 * group was formed. After these have ended the group is freed, and what has arrived meanwhile is
 * the next group. Each thread must have passed a full memory barrier since the group was formed. A
 * thread that hands on a batch of its own passes one there, by the lock. Threads that do not come
 * by are made to pass one by membarrier(2), once several batches have arrived. It interrupts them,
 * which on a virtual machine takes as long as hundreds of calls.
 *
 * A call that waits. An entry whose driver may wait for long (MAY_BLOCK in
 * registry/rooms/chassis/rules.py) leaves its call before the driver's function and enters it again
 * after (chassis/waiting.h). In between it reads nothing that can be retired, and it carries no
 * pointer to such memory over the gap. Hooks look states up again, slots of objects are never
 * freed, and the device is asked for its table of owners again (call_come_back). So a thread that
 * waits for a fence for an hour keeps no memory from being freed.
 *
 * Proof that nothing is freed under a reader. A block is taken out of reach (the word that leads to
 * it is replaced) before it is retired. So that is before the group with it is formed. After a
 * group is formed, every thread passes a full memory barrier (until then it is `unseen`), and its
 * counter is read after that. Consider a load by which a thread reaches the block, in a call that
 * it has entered (first or again) by storing an odd count.
 * - The load came before that thread's barrier. Then so did the store of the odd count, which is
 *   before it in program order; the compiler keeps that order. The reading of the counter sees that
 *   count or a later one. If it is this count, the group waits until it has changed. If it is a
 *   later one, the call has ended already. Either way the store by which the call ends is a release
 *   and is read with acquire. So all reads of the call come before the free.
 * - The load came after the barrier. Then it sees what replaced the word, and does not reach the
 * block. There is no third way to free a group: not for its size, not for its age. A call that
 * never ends, and does not wait in a driver's function either, keeps what is retired meanwhile.
 *
 * Where the barriers come from. Without membarrier(2) (before Linux 4.14, or where it is forbidden)
 * a page is made inaccessible. On x86 this makes the kernel interrupt every processor that runs a
 * thread of this process, and an interrupt is a full barrier. Where neither is there, a group waits
 * until each thread has come by itself.
 *
 * Threads that are not known. A thread is listed at its first call, and its end is heard of by a
 * destructor of thread-specific data. Where that cannot be had (no key is left), its calls could
 * not be waited for: from then on nothing is freed any more. The destructor waits for a second
 * round of destructors, so that those of the program that call Vulkan in the first come before it.
 * One that calls Vulkan later than that is the only reader that is not waited for.
 *
 * Out of memory. Batches for which there is no memory are taken from a few that are set aside. When
 * these are in use, too, a retired block is lost rather than freed too early.
 *
 * Blocks go back to the thread that retired them, which mostly is the one that made them, too. Two
 * threads whose blocks lie side by side would pass the cache lines to and fro. Where another thread
 * finds them free, they wait for their own at its `returned`, or are given back to malloc. */
#define _GNU_SOURCE
#include "base/state_lines.h"
#include "base/lock.h"
#include "base/thread_names.h"
#include "base/plain_atomic.h"

#include <linux/membarrier.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The most blocks of a batch. */
#define BATCH_BLOCKS 250
/* The number of full batches that a thread hands on at once, if there are other threads: each time
 * some cache lines move between threads. */
#define BATCHES_AT_ONCE 4
/* When so many batches, or bytes of them, have arrived, threads that have not passed a barrier are
 * made to. */
#define GROUP_LATE       (3 * BATCHES_AT_ONCE)
#define GROUP_LATE_BYTES (3u << 18)
/* most batches that wait for their thread, which may never come */
#define RETURN_MOST (2 * BATCHES_AT_ONCE)
#define BATCH_BYTES (1u << 18) /* or the batch is handed on when its blocks are so large */
#define SET_ASIDE   32         /* reserved batches for when memory runs out: 8,000 blocks */

/* Blocks that a thread has retired, and that are freed together. */
struct retired_batch {
    struct retired_batch *next;
    /* thread that retired it; NULL: the thread has ended. Lock: lock, once it was handed on */
    struct thread *owner;
    bool set_aside; /* the batch is one of `aside` */
    uint32_t count;
    size_t bytes;                /* sum over the blocks */
    uint8_t class[BATCH_BLOCKS]; /* retired_size_class() of each */
    void *blocks[BATCH_BLOCKS];
};

static struct lock growth = LOCK_INITIALIZER; /* taken before `lock` */
static struct lock lock = LOCK_INITIALIZER;
static struct thread *threads GUARDED_BY(lock); /* list of threads that have made a call */
/* length of `threads`. Relaxed. Lock: lock, for writing */
static _Atomic uint32_t thread_count;
static struct retired_batch *arrived GUARDED_BY(lock);
static uint32_t arrived_count GUARDED_BY(lock);
static size_t arrived_bytes GUARDED_BY(lock);
static struct retired_batch *waiting GUARDED_BY(lock);
/* blocks of threads that have no batch of their own */
static struct retired_batch *shared GUARDED_BY(lock);
/* Lock: lock, to decide which of them are in use */
static struct retired_batch aside[SET_ASIDE];
/* batches of `aside` that were used and are free again */
static struct retired_batch *aside_free GUARDED_BY(lock);
/* batches of `aside` from this index on were never used */
static uint32_t aside_used GUARDED_BY(lock);
/* there are calls that cannot be waited for */
static bool unknown_threads GUARDED_BY(lock);
static bool membarrier_asked GUARDED_BY(lock), membarrier_there GUARDED_BY(lock);

/* Interrupts all processors that run a thread of this process, by making a written page
 * inaccessible. */
static bool all_threads_interrupt(void) REQUIRES(lock)
{
#ifdef __x86_64__
    static volatile char *page; /* Lock: lock */
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    if (!page) {
        void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (made == MAP_FAILED)
            return false;
        page = made;
        /* if the page is not resident, the call may fail later, and there is no way to notice
         * that */
        (void)mlock(made, size);
    }
    if (mprotect((void *)(uintptr_t)page, size, PROT_READ | PROT_WRITE))
        return false;
    *page = 1;
    return mprotect((void *)(uintptr_t)page, size, PROT_NONE) == 0;
#else
    return false;
#endif
}

/* Makes all threads pass a full memory barrier. False: that is not possible here. */
static bool all_threads_barrier(void) REQUIRES(lock)
{
    if (!membarrier_asked) {
        membarrier_asked = true;
        membarrier_there =
            syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
    }
    return (membarrier_there &&
            syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) ||
           all_threads_interrupt();
}

/* Notes that the calling thread has passed a barrier, by taking the lock. */
static void group_meet(struct thread *self) REQUIRES(lock)
{
    uint64_t calls = atomic_load_explicit(&self->calls, memory_order_relaxed);
    self->unseen = false;
    self->waited_for = calls & 1 ? calls : 0;
}

/* Makes all threads pass a barrier, so that none is `unseen` any more. If that is not possible,
 * nothing changes. */
static void group_meet_all(void) REQUIRES(lock)
{
    assert(waiting);
    if (!all_threads_barrier())
        return;
    for (struct thread *thread = threads; thread; thread = thread->next) {
        uint64_t calls = atomic_load_explicit(&thread->calls, memory_order_acquire);
        if (thread->unseen)
            thread->waited_for = calls & 1 ? calls : 0;
        thread->unseen = false;
    }
}

/* Makes a group of the batches that have arrived. `waiting` must be empty. */
static void group_form(void) REQUIRES(lock)
{
    waiting = arrived;
    arrived = NULL;
    arrived_count = 0;
    arrived_bytes = 0;
    for (struct thread *thread = threads; thread; thread = thread->next)
        thread->unseen = true;
}

/* True if every thread was seen, and none that is waited for is still in the same call. */
static bool group_is_free(void) REQUIRES(lock)
{
    if (unknown_threads)
        return false;
    for (const struct thread *thread = threads; thread; thread = thread->next) {
        if (thread->unseen)
            return false;
    }
    for (struct thread *thread = threads; thread; thread = thread->next) {
        if (thread->waited_for &&
            atomic_load_explicit(&thread->calls, memory_order_acquire) == thread->waited_for)
            return false;
        thread->waited_for = 0;
    }
    return true;
}

/* Free blocks: the thread that finds that they are free keeps some, by size. */

#define SPARE_CLASSES 33 /* up to 512 bytes */
#define SPARE_MOST    (BATCHES_AT_ONCE * BATCH_BLOCKS)

/* A free block, which has the link in its own first bytes. */
struct spare_block {
    struct spare_block *next;
};

/* Free blocks of one class. */
struct spare_list {
    struct spare_block *first;
    uint32_t count;
};

/* The spare blocks of class n have n * SPARE_STEP bytes. Those on whole cache lines are kept
 * separately. */
struct spare_blocks {
    struct spare_list plain[SPARE_CLASSES], lines[SPARE_CLASSES];
};

/* Takes a block. NULL: the list is empty. */
static void *spare_list_take(struct spare_list *list)
{
    struct spare_block *block = list->first;
    if (likely(block)) {
        list->first = block->next;
        list->count--;
    }
    return block;
}

void *spare_take(struct spare_blocks *spare, size_t size)
{
    size_t class = (size + SPARE_STEP - 1) / SPARE_STEP;
    if (unlikely(class >= SPARE_CLASSES))
        return NULL;
    void *block = spare_list_take(&spare->plain[class]);
    return likely(block) ? block : spare_list_take(&spare->lines[class]);
}

void *spare_take_lines(struct spare_blocks *spare, size_t size)
{
    size_t class = size / SPARE_STEP;
    return class < SPARE_CLASSES ? spare_list_take(&spare->lines[class]) : NULL;
}

/* The class of a block, by the size that malloc gave it; SPARE_CLASSES: it is too large to be
 * kept. */
static uint8_t retired_size_class(size_t size)
{
    return size / SPARE_STEP < SPARE_CLASSES ? (uint8_t)(size / SPARE_STEP) : SPARE_CLASSES;
}

/* Keeps the block for reuse in the list of its class, or frees it if the list is full. `spare`:
 * NULL frees it at once. */
static void block_free(struct spare_blocks *spare, void *memory, uint32_t class)
{
    bool lines = (uintptr_t)memory % CACHE_LINE == 0 && class * SPARE_STEP % CACHE_LINE == 0;
    /* Blocks of class 0 are too small for the link, and never kept; a sanitizer's malloc returns
     * such blocks. */
    struct spare_list *list = !spare || !class || class >= SPARE_CLASSES
                                  ? NULL
                                  : &(lines ? spare->lines : spare->plain)[class];
    if (!list || list->count >= SPARE_MOST) {
        mem_free(memory);
        return;
    }
    struct spare_block *block = memory;
    block->next = list->first;
    list->first = block;
    list->count++;
}

/* Frees the blocks of a thread that ends, and the lists. `spare` may be NULL. */
static void spare_free(struct spare_blocks *spare)
{
    void *block;
    for (uint32_t i = 0; spare && i < SPARE_CLASSES; i++) {
        while ((block = spare_list_take(&spare->plain[i])) ||
               (block = spare_list_take(&spare->lines[i])))
            mem_free(block);
    }
    mem_free(spare);
}

/* --- batches --- */

/* Empties the batch, without freeing its blocks. */
static void batch_clear(struct retired_batch *batch, struct thread *owner)
{
    batch->next = NULL;
    batch->owner = owner;
    batch->count = 0;
    batch->bytes = 0;
}

/* One of the reserved batches for when memory runs out; NULL: all are in use. */
static COLD struct retired_batch *take_set_aside(struct thread *owner) REQUIRES(lock)
{
    struct retired_batch *batch = aside_free;
    if (batch)
        aside_free = batch->next;
    else if (aside_used < SET_ASIDE)
        batch = &aside[aside_used++];
    if (batch) {
        batch->set_aside = true;
        batch_clear(batch, owner);
    }
    return batch;
}

/* Returns a reserved batch, whose blocks are freed. */
static COLD void set_aside_again(struct retired_batch *batch) EXCLUDES(lock)
{
    lock_take(&lock);
    batch->next = aside_free;
    aside_free = batch;
    lock_release(&lock);
}

/* An empty batch; NULL: memory ran out, and no reserved batch is left. */
static struct retired_batch *batch_new(struct thread *owner) REQUIRES(lock)
{
    struct retired_batch *batch = mem_alloc(sizeof(*batch));
    if (unlikely(!batch))
        return take_set_aside(owner);
    batch->set_aside = false;
    batch_clear(batch, owner);
    return batch;
}

/* Adds a block. True: the batch is full, and must be handed on. */
static bool batch_add(struct retired_batch *batch, void *memory)
{
    assert(batch->count < BATCH_BLOCKS);
    size_t size = malloc_usable_size(memory);
    batch->class[batch->count] = retired_size_class(size);
    batch->blocks[batch->count++] = memory;
    batch->bytes += size;
    return batch->count == BATCH_BLOCKS || batch->bytes > BATCH_BYTES;
}

/* Frees the blocks of the calling thread's batches, or those of threads that have ended. It needs
 * no lock, as no other thread has them any more. */
static void batches_free(struct retired_batch *batch) EXCLUDES(lock)
{
    struct thread *thread = thread_self();
    if (batch && !thread->spare && !thread->ended && thread_register(thread))
        thread->spare = mem_alloc_zeroed(sizeof(*thread->spare));
    while (batch) {
        struct retired_batch *next = batch->next;
        for (uint32_t i = 0; i < batch->count; i++)
            block_free(batch->owner == thread ? thread->spare : NULL, batch->blocks[i],
                       batch->class[i]);
        if (unlikely(batch->set_aside))
            set_aside_again(batch);
        else
            mem_free(batch);
        batch = next;
    }
}

/* Returns batches of other threads to them. The result is the rest, for the caller to free. */
static struct retired_batch *retired_give_back(struct retired_batch *done,
                                               const struct thread *self) REQUIRES(lock)
{
    struct retired_batch *rest = NULL;
    while (done) {
        struct retired_batch *batch = done;
        done = batch->next;
        struct retired_batch **to = &rest;
        if (batch->owner && batch->owner != self) {
            uint32_t count = 0;
            for (const struct retired_batch *other = batch->owner->returned; other;
                 other = other->next)
                count++;
            if (count < RETURN_MOST)
                to = &batch->owner->returned;
            else
                batch->owner = NULL;
        }
        batch->next = *to;
        *to = batch;
    }
    return rest;
}

/* Adds a list of batches. Returns the batches that are free now, for the caller to free without the
 * lock. */
static MUST_CHECK struct retired_batch *hand_on_locked(struct retired_batch *batches) REQUIRES(lock)
{
    struct thread *self = thread_self();
    struct retired_batch *done = NULL;
    while (batches) {
        struct retired_batch *batch = batches;
        batches = batch->next;
        batch->next = arrived;
        arrived = batch;
        arrived_count++;
        arrived_bytes += batch->bytes;
    }
    if (self->unseen)
        group_meet(self);
    bool is_free = !waiting || group_is_free();
    if (!is_free && (arrived_count >= GROUP_LATE || arrived_bytes > GROUP_LATE_BYTES)) {
        group_meet_all();
        is_free = group_is_free();
    }
    if (is_free) {
        assert(arrived);
        done = retired_give_back(waiting, self);
        group_form();
        group_meet(self);
    }
    if (self->returned) {
        struct retired_batch *last = self->returned;
        while (last->next)
            last = last->next;
        last->next = done;
        done = self->returned;
        self->returned = NULL;
    }
    return done;
}

/* Hands on a list of batches, and frees those that have become free. */
static void hand_on(struct retired_batch *batches) EXCLUDES(lock)
{
    lock_take(&lock);
    struct retired_batch *done = hand_on_locked(batches);
    lock_release(&lock);
    batches_free(done);
}

/* Hands on a full batch, together with others. If the thread is the only one, it does so at once,
 * as freed blocks are then still in the processor's cache. */
static void hand_on_when_several(struct thread *thread, struct retired_batch *batch)
{
    uint32_t count = 0;
    size_t bytes = 0;
    batch->next = thread->full;
    thread->full = batch;
    for (; batch; batch = batch->next) {
        bytes += batch->bytes;
        count++;
    }
    if (count < BATCHES_AT_ONCE && bytes <= BATCH_BYTES &&
        atomic_load_explicit(&thread_count, memory_order_relaxed) > 1)
        return;
    batch = thread->full;
    thread->full = NULL;
    hand_on(batch);
}

/* Removes the thread, which has ended, as the owner of its batches. */
static void retired_batch_disown(struct retired_batch *batch, const struct thread *thread)
    REQUIRES(lock)
{
    for (; batch; batch = batch->next) {
        if (batch->owner == thread)
            batch->owner = NULL;
    }
}

/* Retires a block for a thread without its own batch: memory ran out, or its end will not be
 * noticed. */
static COLD void retire_shared(void *memory) EXCLUDES(lock)
{
    struct retired_batch *done = NULL;
    lock_take(&lock);
    if (!shared)
        shared = batch_new(NULL);
    /* Without a batch the block is leaked, as it is not known when it may be freed. */
    if (shared && batch_add(shared, memory)) {
        done = hand_on_locked(shared);
        shared = NULL;
    }
    lock_release(&lock);
    batches_free(done);
}

void mem_retire(void *memory)
{
    if (!memory)
        return;
    struct thread *thread = thread_self();
    struct retired_batch *batch = thread->retired;
    if (unlikely(!batch)) {
        /* A thread whose end will not be noticed must not own a batch. */
        batch = thread_register(thread) && !thread->ended ? mem_alloc(sizeof(*batch)) : NULL;
        if (!batch) {
            retire_shared(memory);
            return;
        }
        batch->set_aside = false;
        batch_clear(batch, thread);
        thread->retired = batch;
    }
    if (unlikely(batch_add(batch, memory))) {
        thread->retired = NULL;
        hand_on_when_several(thread, batch);
    }
}

/* --- arrays that grow --- */

/* Callers cannot name the lock, so the analysis does not follow it. */
void mem_growth_lock(void) NOT_ANALYSED
{
    lock_take(&growth);
}

void mem_growth_unlock(void) NOT_ANALYSED
{
    lock_release(&growth);
}

bool mem_grow(void *array, uint32_t *capacity, uint32_t kept, uint32_t wanted, size_t size)
{
    typedef void *__attribute__((may_alias)) pointer;
    pointer *place = array;
    lock_take(&growth);
    uint32_t had = *capacity;
    void *old = had < wanted ? *place : NULL,
         *grown = had < wanted ? mem_alloc_lines_zeroed(wanted * size) : NULL;
    if (grown) {
        if (old)
            memcpy(grown, old, (kept < had ? kept : had) * size);
        /* The array comes before its capacity: a reader that sees the new capacity sees the new
         * array. */
        plain_store_release(place, grown);
        plain_store_release(capacity, wanted);
        mem_retire(old);
    }
    lock_release(&growth);
    return grown || had >= wanted;
}

void *mem_make(void *place, const void *none, size_t size)
{
    typedef void *__attribute__((may_alias)) pointer;
    pointer *at = place;
    lock_take(&growth);
    void *made = *at;
    if (made == none) {
        made = mem_alloc_lines_zeroed(size);
        if (made)
            plain_store_release(at, made);
    }
    lock_release(&growth);
    return made;
}

void thread_enlist(struct thread *thread)
{
    if (!thread->ended)
        /* before others can see the thread, as thread_find_calls() reads it */
        (void)thread_number();
    bool known = !thread->ended && thread_register(thread);
    lock_take(&lock);
    if (known) {
        thread->previous = NULL;
        thread->next = threads;
        if (threads)
            threads->previous = thread;
        threads = thread;
        atomic_fetch_add_explicit(&thread_count, 1, memory_order_relaxed);
        thread->waited_for = 0;
    } else if (!thread->ended) {
        unknown_threads = true;
    }
    lock_release(&lock);
    atomic_store_explicit(&thread->calls, THREAD_CALL, memory_order_relaxed);
}

uint64_t thread_find_calls(uint32_t number)
{
    const uint32_t mask = THREAD_SYSTEM_NUMBERS - 1;
    uint64_t calls = 0;
    uint32_t found = 0;
    lock_take(&lock);
    for (struct thread *thread = threads; thread; thread = thread->next) {
        if ((thread->number ^ number) & mask)
            continue;
        calls = atomic_load_explicit(&thread->calls, memory_order_acquire);
        found++;
    }
    lock_release(&lock);
    return found == 1 ? calls : 0;
}

void thread_delist(struct thread *thread)
{
    lock_take(&lock);
    if (thread->previous || threads == thread)
        atomic_fetch_sub_explicit(&thread_count, 1, memory_order_relaxed);
    if (thread->previous)
        thread->previous->next = thread->next;
    else if (threads == thread)
        threads = thread->next;
    if (thread->next)
        thread->next->previous = thread->previous;
    retired_batch_disown(arrived, thread);
    retired_batch_disown(waiting, thread);
    struct retired_batch *returned = thread->returned, *batches = thread->full;
    if (thread->retired) {
        thread->retired->next = batches;
        batches = thread->retired;
    }
    retired_batch_disown(returned, thread);
    retired_batch_disown(batches, thread);
    thread->returned = thread->retired = thread->full = NULL;
    thread->ended = true; /* the thread keeps no spare blocks any more */
    lock_release(&lock);
    batches_free(returned);
    if (batches)
        hand_on(batches);
    spare_free(thread->spare);
    thread->spare = NULL;
}

void retire_fork(enum fork_step step) NOT_ANALYSED /* each step does half of it */
{
    if (step == FORK_PREPARE) {
        lock_take(&growth);
        lock_take(&lock);
        return;
    }
    if (step == FORK_CHILD) { /* the child does not have the other threads and their calls */
        struct thread *self = thread_self();
        bool listed = self == threads || self->previous;
        threads = listed ? self : NULL;
        atomic_store_explicit(&thread_count, listed, memory_order_relaxed);
        self->next = self->previous = NULL;
        /* Queries again for the child, whose address space is a copy. */
        membarrier_asked = false;
        for (struct retired_batch *batch = arrived; batch; batch = batch->next)
            batch->owner = batch->owner == self ? self : NULL;
        for (struct retired_batch *batch = waiting; batch; batch = batch->next)
            batch->owner = batch->owner == self ? self : NULL;
    }
    lock_release(&lock);
    lock_release(&growth);
}
