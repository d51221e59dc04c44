/* When may memory be freed that other threads may be reading? Once every call has ended that was under way when it was taken out of reach.
 *
 * A correct program destroys nothing that another thread uses; this is for the others, which must not crash in the layer. It costs a call
 * two stores to memory of its own thread, and no barrier.
 *
 * Each thread counts the calls that it enters and leaves (`calls`: odd inside). What it retires it collects in a batch, and hands full
 * batches on to the list `arrived`. One group of batches at a time is `waiting`: for all calls that were under way when the group was formed.
 * When these have ended the group is freed, and what has arrived meanwhile is the next group.
 * Each thread must have passed a full memory barrier since. One that hands on a batch of its own passes it there, by the lock; threads that do not come by are made
 * to, by membarrier(2), once several batches have arrived: it interrupts them, which on a virtual machine takes as long as hundreds of calls.
 *
 * Proof. A block is taken out of reach (its pointer replaced) before it is retired, and so before the group with it is formed. After a group is
 * formed, every thread passes a full memory barrier (until then it is `unseen`), and its counter is read after that. For a load by which a
 * thread reaches a block there are two cases. It came before that thread's barrier: then so did the store of the odd count before it in program
 * order (thread_enter; the compiler keeps the order), the reading of the counter sees it, and the group waits until that very count has
 * gone: the store by which the call ends is a release, and is read with acquire, so that all the call's reads come before the free. Or it came after the barrier: then it sees
 * what replaced the pointer, and does not reach the block. Where the kernel has no membarrier (before 4.14, or forbidden), a fence of the freeing thread
 * and the age of the batches stand in for it: likely enough, but no proof.
 *
 * Blocks go back to the thread that retired them, which mostly is the one that made them, too: two threads whose blocks lie side by side would pass the cache lines
 * to and fro. Where another thread finds them free, they wait for their own at its `returned`, or are given back to malloc.
 *
 * A call that lasts long (a wait for a fence) must not keep memory for ever: past HELD_MOST bytes the oldest group is freed all the same. */
#define _GNU_SOURCE
#include "thread.h"

#include <linux/membarrier.h>
#include <malloc.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BATCH_BLOCKS 250
#define GROUP_LATE   8           /* batches that have arrived: those who have not come by are made to pass a barrier */
#define RETURN_MOST  2           /* batches that wait for their thread, which may never come */
#define BATCH_BYTES  (1u << 18)  /* or is handed on when its blocks are so large */
#define HELD_MOST    (32u << 20) /* bytes of blocks that have arrived and wait for a group that waits */

struct retired_batch {
    struct retired_batch *next;
    struct thread *owner; /* which retired it; NULL once that has ended. Lock: lock, when it has been handed on */
    uint32_t count;
    size_t bytes;                /* of the blocks */
    uint8_t class[BATCH_BLOCKS]; /* of each: class_of() */
    void *blocks[BATCH_BLOCKS];
};

static pthread_mutex_t growth = PTHREAD_MUTEX_INITIALIZER; /* taken before `lock` */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread *threads;                  /* that have made a call. Lock: lock */
static struct retired_batch *arrived;           /* Lock: lock */
static uint32_t arrived_count;                  /* Lock: lock */
static size_t arrived_bytes;                    /* Lock: lock */
static struct retired_batch *waiting;           /* Lock: lock */
static bool membarrier_asked, membarrier_there; /* Lock: lock */

static void all_threads_barrier(void)
{
    if (!membarrier_asked) {
        membarrier_asked = true;
        membarrier_there = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
    }
    if (!membarrier_there || syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0))
        atomic_thread_fence(memory_order_seq_cst);
}

/* The calling thread has passed a barrier: it has the lock. */
static void group_meet(struct thread *self)
{
    uint64_t calls = atomic_load_explicit(&self->calls, memory_order_relaxed);
    self->unseen = false;
    self->waited_for = calls & 1 ? calls : 0;
}

static void group_meet_all(void)
{
    all_threads_barrier();
    for (struct thread *thread = threads; thread; thread = thread->next) {
        uint64_t calls = atomic_load_explicit(&thread->calls, memory_order_acquire);
        if (thread->unseen)
            thread->waited_for = calls & 1 ? calls : 0;
        thread->unseen = false;
    }
}

static void group_form(void)
{
    waiting = arrived;
    arrived = NULL;
    arrived_count = 0;
    arrived_bytes = 0;
    for (struct thread *thread = threads; thread; thread = thread->next)
        thread->unseen = true;
}

static bool group_is_free(void)
{
    for (const struct thread *thread = threads; thread; thread = thread->next) {
        if (thread->unseen)
            return false;
    }
    for (struct thread *thread = threads; thread; thread = thread->next) {
        if (thread->waited_for && atomic_load_explicit(&thread->calls, memory_order_acquire) == thread->waited_for)
            return false;
        thread->waited_for = 0;
    }
    return true;
}

/* --- what becomes of blocks that are free: the thread that finds them so keeps some at hand, by size --- */

#define SPARE_CLASSES 33 /* up to 512 bytes */
#define SPARE_MOST    (2 * BATCH_BLOCKS)

struct spare_block {
    struct spare_block *next;
};

struct spare_blocks {
    struct spare_block *first[SPARE_CLASSES]; /* of class n: blocks with room for n steps */
    uint32_t count[SPARE_CLASSES];
};

void *spare_take(struct spare_blocks *spare, size_t size)
{
    size_t class = (size + SPARE_STEP - 1) / SPARE_STEP;
    struct spare_block *block = class < SPARE_CLASSES ? spare->first[class] : NULL;
    if (likely(block)) {
        spare->first[class] = block->next;
        spare->count[class]--;
    }
    return block;
}

static uint8_t class_of(size_t size)
{
    return size / SPARE_STEP < SPARE_CLASSES ? (uint8_t)(size / SPARE_STEP) : SPARE_CLASSES;
}

static void block_free(struct spare_blocks *spare, void *memory, uint32_t class)
{
    if (!spare || class >= SPARE_CLASSES || spare->count[class] >= SPARE_MOST) {
        mem_free(memory);
        return;
    }
    struct spare_block *block = memory;
    block->next = spare->first[class];
    spare->first[class] = block;
    spare->count[class]++;
}

static void spare_free(struct spare_blocks *spare)
{
    for (uint32_t i = 0; spare && i < SPARE_CLASSES; i++) {
        while (spare->first[i]) {
            struct spare_block *block = spare->first[i];
            spare->first[i] = block->next;
            mem_free(block);
        }
    }
    mem_free(spare);
}

/* Of the calling thread's own, and of those that have ended. Without the lock: nobody else has them any more. */
static void batches_free(struct retired_batch *batch)
{
    struct thread *thread = thread_self();
    if (batch && !thread->spare && !thread->ended && thread_register(thread))
        thread->spare = mem_alloc_zeroed(sizeof(*thread->spare));
    while (batch) {
        struct retired_batch *next = batch->next;
        for (uint32_t i = 0; i < batch->count; i++)
            block_free(batch->owner == thread ? thread->spare : NULL, batch->blocks[i], batch->class[i]);
        mem_free(batch);
        batch = next;
    }
}

/* Gives other threads' batches back to them. The rest is for the caller to free. */
static struct retired_batch *give_back(struct retired_batch *done, const struct thread *self)
{
    struct retired_batch *rest = NULL;
    while (done) {
        struct retired_batch *batch = done;
        done = batch->next;
        struct retired_batch **to = &rest;
        if (batch->owner && batch->owner != self) {
            uint32_t count = 0;
            for (const struct retired_batch *other = batch->owner->returned; other; other = other->next)
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

static void hand_on(struct retired_batch *batch)
{
    struct thread *self = thread_self();
    struct retired_batch *done = NULL;
    pthread_mutex_lock(&lock);
    batch->next = arrived;
    arrived = batch;
    arrived_count++;
    arrived_bytes += batch->bytes;
    if (self->unseen)
        group_meet(self);
    if (waiting && (arrived_count >= GROUP_LATE || arrived_bytes > BATCH_BYTES))
        group_meet_all();
    if (!waiting || group_is_free() || arrived_bytes > HELD_MOST) {
        done = give_back(waiting, self);
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
    pthread_mutex_unlock(&lock);
    batches_free(done);
}

/* The thread of these is no more. */
static void disown(struct retired_batch *batch, const struct thread *thread)
{
    for (; batch; batch = batch->next) {
        if (batch->owner == thread)
            batch->owner = NULL;
    }
}

/* Memory is out: a ring in which the newcomer pushes out the oldest has to do. */
static void retire_without_batch(void *memory)
{
    static void *_Atomic ring[64];
    static _Atomic uint32_t next;
    uint32_t place = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed) % ARRAY_LENGTH(ring);
    /* Release and acquire: whoever frees the block sees what was done with it before. */
    mem_free(atomic_exchange_explicit(&ring[place], memory, memory_order_acq_rel));
}

void mem_retire(void *memory)
{
    if (!memory)
        return;
    struct thread *thread = thread_self();
    struct retired_batch *batch = thread->retired;
    if (unlikely(!batch)) {
        /* A thread whose end nobody will notice must not own one. */
        batch = thread_register(thread) && !thread->ended ? mem_alloc(sizeof(*batch)) : NULL;
        if (!batch) {
            retire_without_batch(memory);
            return;
        }
        thread->retired = batch;
        batch->owner = thread;
        batch->count = 0;
        batch->bytes = 0;
    }
    size_t size = malloc_usable_size(memory);
    batch->class[batch->count] = class_of(size);
    batch->blocks[batch->count++] = memory;
    batch->bytes += size;
    if (unlikely(batch->count == BATCH_BLOCKS || batch->bytes > BATCH_BYTES)) {
        thread->retired = NULL;
        hand_on(batch);
    }
}

/* --- arrays that grow --- */

void mem_growth_lock(void)
{
    pthread_mutex_lock(&growth);
}

void mem_growth_unlock(void)
{
    pthread_mutex_unlock(&growth);
}

bool mem_grow(void *array, uint32_t *capacity, uint32_t kept, uint32_t wanted, size_t size)
{
    typedef void *__attribute__((may_alias)) pointer;
    pointer *place = array;
    pthread_mutex_lock(&growth);
    uint32_t had = *capacity;
    void *old = had < wanted ? *place : NULL, *grown = had < wanted ? mem_alloc_zeroed(wanted * size) : NULL;
    if (grown) {
        if (old)
            memcpy(grown, old, (kept < had ? kept : had) * size);
        __atomic_store_n(place, grown, __ATOMIC_RELEASE);
        __atomic_store_n(capacity, wanted, __ATOMIC_RELEASE);
        mem_retire(old);
    }
    pthread_mutex_unlock(&growth);
    return grown || had >= wanted;
}

void thread_enlist(struct thread *thread)
{
    if (!thread->ended && thread_register(thread)) {
        pthread_mutex_lock(&lock);
        thread->previous = NULL;
        thread->next = threads;
        if (threads)
            threads->previous = thread;
        threads = thread;
        thread->waited_for = 0;
        pthread_mutex_unlock(&lock);
    }
    atomic_store_explicit(&thread->calls, 2, memory_order_relaxed);
}

void thread_delist(struct thread *thread)
{
    pthread_mutex_lock(&lock);
    if (thread->previous)
        thread->previous->next = thread->next;
    else if (threads == thread)
        threads = thread->next;
    if (thread->next)
        thread->next->previous = thread->previous;
    disown(arrived, thread);
    disown(waiting, thread);
    struct retired_batch *returned = thread->returned, *batch = thread->retired;
    disown(returned, thread);
    thread->returned = thread->retired = NULL;
    thread->ended = true; /* keeps no spare blocks any more */
    pthread_mutex_unlock(&lock);
    batches_free(returned);
    if (batch) {
        batch->owner = NULL;
        hand_on(batch);
    }
    spare_free(thread->spare);
    thread->spare = NULL;
}

void retire_fork(enum fork_step step)
{
    if (step == FORK_PREPARE) {
        pthread_mutex_lock(&growth);
        pthread_mutex_lock(&lock);
        return;
    }
    if (step == FORK_CHILD) { /* the other threads are not in it, nor are their calls */
        struct thread *self = thread_self();
        bool listed = self == threads || self->previous;
        threads = listed ? self : NULL;
        self->next = self->previous = NULL;
        membarrier_asked = false;
        for (struct retired_batch *batch = arrived; batch; batch = batch->next)
            batch->owner = batch->owner == self ? self : NULL;
        for (struct retired_batch *batch = waiting; batch; batch = batch->next)
            batch->owner = batch->owner == self ? self : NULL;
    }
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&growth);
}
