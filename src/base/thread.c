/* Creates and destroys the data that the layer keeps for each thread. */
#include "base/thread.h"

#include "base/lock.h"
#include "base/thread_names.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A chunk is large enough for the deep copies of nearly all calls: 64 KiB hold about 600
 * VkWriteDescriptorSet with their infos. */
#define SCRATCH_CHUNK_SIZE (64u << 10)
/* The most bytes that a thread keeps between calls. Larger chunks are freed when the call ends. */
#define SCRATCH_KEEP_SIZE (1u << 20)
/* The size of memory that all threads share if malloc fails. It is only committed if that
 * happens. */
#define SCRATCH_EMERGENCY_SIZE (16u << 20)
/* The smallest piece of the emergency memory, in bytes: most calls need less. */
#define SCRATCH_EMERGENCY_LEAST (4u << 10)

__thread struct thread thread_local_state __attribute__((tls_model("initial-exec")));

void (*thread_end_hook)(struct thread *thread);

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool key_valid; /* written once under key_once */

static struct lock numbers_lock = LOCK_INITIALIZER;
/* a set bit means in use. Relaxed. Lock: numbers_lock, for writing */
static _Atomic uint64_t numbers_used[(THREAD_NUMBER_SHARED + 1) / 64];
static_assert((THREAD_NUMBER_SHARED + 1) % 64 == 0, "whole words");

/* 64 bits that show which thread numbers are in use. */
static uint64_t numbers_word(uint32_t word)
{
    return atomic_load_explicit(&numbers_used[word], memory_order_relaxed);
}

static void numbers_set_word(uint32_t word, uint64_t used) REQUIRES(numbers_lock)
{
    atomic_store_explicit(&numbers_used[word], used, memory_order_relaxed);
}

/* A stack of chunks of several threads. No thread waits for another thread's call to end, as that
 * call may wait for this one. Chunks that are returned below the top are only reused once the stack
 * is empty. */
static struct lock emergency_lock = LOCK_INITIALIZER;
static _Alignas(CACHE_LINE) unsigned char emergency_buffer[SCRATCH_EMERGENCY_SIZE];
static size_t emergency_used GUARDED_BY(emergency_lock);     /* bytes */
static uint32_t emergency_chunks GUARDED_BY(emergency_lock); /* chunks in use */

/* Takes a chunk with `size` bytes from the top of the stack; NULL: not enough is left. */
static struct scratch_chunk *emergency_take(size_t size)
{
    struct scratch_chunk *chunk = NULL;
    lock_take(&emergency_lock);
    if (size <= SCRATCH_EMERGENCY_SIZE - sizeof(*chunk) &&
        sizeof(*chunk) + size <= SCRATCH_EMERGENCY_SIZE - emergency_used) {
        chunk = (struct scratch_chunk *)(void *)(emergency_buffer + emergency_used);
        emergency_used += sizeof(*chunk) + size;
        emergency_chunks++;
        chunk->emergency = true;
    }
    lock_release(&emergency_lock);
    return chunk;
}

/* Returns a chunk. Only the topmost one is reusable at once. */
static void emergency_give(const struct scratch_chunk *chunk)
{
    size_t begin = (size_t)((const unsigned char *)chunk - emergency_buffer);
    lock_take(&emergency_lock);
    assert(emergency_chunks && begin < emergency_used);
    if (--emergency_chunks == 0)
        emergency_used = 0;
    else if (begin + sizeof(*chunk) + chunk->capacity == emergency_used)
        emergency_used = begin;
    lock_release(&emergency_lock);
}

static void chunk_free(struct scratch_chunk *chunk)
{
    if (chunk->emergency)
        emergency_give(chunk);
    else
        mem_free(chunk);
}

/* Called when a thread ends: releases its number and its scratch memory. It waits for a second
 * round of destructors, as destructors of the program may call Vulkan in the first. POSIX
 * guarantees four rounds while some set values again; a thread may make its first call in one of
 * them. The value points to the thread's structure, and one byte further in the second round. */
static void thread_end(void *value)
{
    struct thread *thread = thread_self();
    if (value == thread && !thread->ended && pthread_setspecific(key, (char *)thread + 1) == 0)
        return;
    if (thread_end_hook)
        thread_end_hook(thread);
    thread_delist(thread);
    while (thread->scratch.chunk) {
        struct scratch_chunk *chunk = thread->scratch.chunk;
        thread->scratch.chunk = chunk->older;
        chunk_free(chunk);
    }
    mem_free(thread->parameters);
    mem_free(thread->stack);
    if (thread->number && thread->number < THREAD_NUMBER_SHARED) {
        lock_take(&numbers_lock);
        const uint32_t word = thread->number / 64;
        numbers_set_word(word, numbers_word(word) & ~(1ull << (thread->number % 64)));
        lock_release(&numbers_lock);
    }
    memset(thread, 0, sizeof(*thread));
    thread->ended = true;
}

/* Creates the key whose destructor notices the end of threads; the system may have none left. */
static void make_key(void)
{
    key_valid = pthread_key_create(&key, thread_end) == 0;
}

bool thread_register(struct thread *thread)
{
    pthread_once(&key_once, make_key);
    /* On failure the thread's scratch memory is leaked at its end, which is limited and
     * harmless. */
    return key_valid && pthread_setspecific(key, thread) == 0;
}

static _Atomic uint32_t system_numbers[THREAD_SYSTEM_NUMBERS]; /* relaxed: for messages */

uint32_t thread_system_number(uint32_t number)
{
    return atomic_load_explicit(&system_numbers[number % THREAD_SYSTEM_NUMBERS],
                                memory_order_relaxed);
}

bool thread_name_read(uint32_t system_number, char name[THREAD_NAME_SIZE])
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/self/task/%u/comm", system_number);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = file >= 0 ? read(file, name, THREAD_NAME_SIZE - 1) : -1;
    if (file >= 0)
        close(file);
    name[length > 0 ? length : 0] = '\0';
    name[strcspn(name, "\n")] = '\0';
    return name[0] != '\0';
}

uint32_t thread_number(void)
{
    struct thread *thread = thread_self();
    if (likely(thread->number))
        return thread->number;
    uint32_t number = THREAD_NUMBER_SHARED;
    lock_take(&numbers_lock);
    numbers_set_word(0, numbers_word(0) | 1); /* 0 means "none" */
    for (uint32_t word = 0; word < ARRAY_LENGTH(numbers_used); word++) {
        const uint64_t used = numbers_word(word);
        if (used != UINT64_MAX) {
            number = word * 64 + (uint32_t)__builtin_ctzll(~used);
            if (number < THREAD_NUMBER_SHARED)
                /* All threads for which none is left share the last number, which is never
                 * marked. */
                numbers_set_word(word, used | 1ull << (number % 64));
            break;
        }
    }
    lock_release(&numbers_lock);
    thread->number = (uint16_t)number;
    atomic_store_explicit(&system_numbers[number % THREAD_SYSTEM_NUMBERS],
                          (uint32_t)syscall(SYS_gettid), memory_order_relaxed);
    (void)thread_register(thread);
    return number;
}

bool thread_number_is_used(uint32_t number)
{
    return number >= THREAD_NUMBER_SHARED ||
           (numbers_word(number / 64) & 1ull << (number % 64)) != 0;
}

/* Allocates a chunk from the heap, or otherwise from the emergency buffer, where it is only as
 * large as needed. `size` is a multiple of 16. */
static struct scratch_chunk *chunk_new(size_t size)
{
    assert(size % 16 == 0);
    /* More than requested, so that the next similar call, which allocates smaller memory first,
     * also fits. */
    size_t capacity =
        size < SCRATCH_CHUNK_SIZE / 2 ? SCRATCH_CHUNK_SIZE : size + (size / 4 + 15) / 16 * 16;
    struct scratch_chunk *chunk =
        size < SIZE_MAX / 2 ? mem_alloc_lines(sizeof(*chunk) + capacity) : NULL;
    if (likely(chunk)) {
        chunk->emergency = false;
    } else {
        capacity = size > SCRATCH_EMERGENCY_LEAST
                       ? (size + CACHE_LINE - 1) & ~(size_t)(CACHE_LINE - 1)
                       : SCRATCH_EMERGENCY_LEAST;
        chunk = emergency_take(capacity);
    }
    if (likely(chunk))
        chunk->capacity = capacity;
    return chunk;
}

void thread_fork(enum fork_step step) NOT_ANALYSED /* each step does half of it */
{
    if (step == FORK_PREPARE) {
        lock_take(&numbers_lock);
        lock_take(&emergency_lock);
        return;
    }
    if (step == FORK_CHILD) {
        uint32_t number = thread_self()->number;
        for (uint32_t word = 0; word < ARRAY_LENGTH(numbers_used); word++)
            numbers_set_word(word, word == number / 64 ? 1ull << (number % 64) : 0);
        atomic_store_explicit(&system_numbers[number % THREAD_SYSTEM_NUMBERS],
                              (uint32_t)syscall(SYS_gettid), memory_order_relaxed);
    }
    lock_release(&emergency_lock);
    lock_release(&numbers_lock);
}

void *scratch_alloc_chunk(struct scratch *scratch, size_t size)
{
    size_t needed = (size + 15) & ~(size_t)15;
    if (unlikely(needed < size))
        return NULL;
    struct scratch_chunk *chunk = chunk_new(needed);
    if (!chunk)
        return NULL;
    if (!scratch->chunk)
        (void)thread_register(thread_self());
    chunk->older = scratch->chunk;
    scratch->chunk = chunk;
    scratch->used = needed;
    scratch->capacity = chunk->capacity;
    return chunk->bytes;
}

/* True if the thread keeps the chunk between calls. */
static bool may_be_kept(const struct scratch_chunk *chunk)
{
    return !chunk->emergency && chunk->capacity <= SCRATCH_KEEP_SIZE;
}

/* Frees the chunks that an outermost call has taken. The largest chunk is kept for the next call.
 * If the mark's chunk was replaced, it is in no list any more, and nothing older than the mark is
 * in use. */
void scratch_rewind_chunks(struct scratch *scratch, struct scratch_mark mark)
{
    struct scratch_chunk *kept = NULL;
    while (scratch->chunk && scratch->chunk != mark.chunk) {
        struct scratch_chunk *chunk = scratch->chunk, *other = chunk;
        scratch->chunk = chunk->older;
        if (may_be_kept(chunk) && (!kept || chunk->capacity > kept->capacity)) {
            other = kept;
            kept = chunk;
        }
        if (other)
            chunk_free(other);
    }
    struct scratch_chunk *last = scratch->chunk;
    bool outermost = !last || (!last->older && !mark.used);
    if (kept && outermost && (!last || kept->capacity > last->capacity)) {
        if (last)
            chunk_free(last);
        kept->older = NULL;
        scratch->chunk = kept;
    } else if (kept) {
        chunk_free(kept);
    }
    scratch->used = last ? mark.used : 0;
    scratch->capacity = scratch->chunk ? scratch->chunk->capacity : 0;
}
