/* One piece of memory, from which records are taken one after the other, and a table of chains
 * through them.
 *
 * Proof that readers need no lock. A record is written before any thread knows its number. The
 * thread that makes it publishes it by a compare-and-swap (release) of its chain's head. Each look
 * at a chain begins with a load (acquire) of that head. A record that was published before was
 * written before, and its `next` never changes, so all of the chain can be read. A number that was
 * kept came from depot_put(), which has published it or has found it in a chain. A reader of that
 * number in another thread's structure has it by an acquire of its own (objects: their id; command
 * logs: the submit's lock). So it sees the record, too. Marks of threads are relaxed: there the
 * order of stores is the processor's, x86-64, the only one whose stacks are walked; `published` is
 * for what checks threads. Nothing is ever taken out of a chain. Two threads may find at once that
 * a stack is not there. The second one to publish sees by the failed compare-and-swap that the head
 * has changed. It looks at what is new in the chain and takes the other's record; its own is lost,
 * once. */
#define _GNU_SOURCE
#include "base/stack_depot.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

/* The number of chains, one of which the hash of a stack selects. */
#define CHAINS (1u << 16)

/* Words of 8 bytes: the head, then the frames. A record's number is the index of its first word;
 * word 0 is never used. */
struct record {
    uint32_t hash;                 /* hash of the frames */
    uint32_t next : 26, count : 6; /* number of the next record in the chain, 0 at its end */
    const void *frames[];
};
/* The size of the memory in words of 8 bytes. */
#define WORDS ((uint32_t)(DEPOT_BYTES / sizeof(uint64_t)))
static_assert(DEPOT_BYTES / sizeof(uint64_t) <= 1u << 26, "`next` has room for each number");
static_assert(DEPOT_FRAMES < 1 << 6, "and `count`");
static_assert(sizeof(struct record) == sizeof(uint64_t), "the head is a word");

static _Atomic uint32_t chains[CHAINS]; /* numbers of the newest records */
static uint64_t *_Atomic words;         /* NULL before the first stack */
static _Atomic uint32_t used = 1;       /* words that are taken */
static _Atomic uint32_t published;      /* records in chains */
static atomic_bool full;

/* The record that begins at this word. */
static struct record *record_at(uint64_t *memory, uint32_t number)
{
    return (struct record *)(void *)(memory + number);
}

/* The memory of all records, allocated on first use; NULL: out of memory. If two threads allocate
 * it at once, one of them frees its own. */
static uint64_t *memory_for_words(void)
{
    uint64_t *memory = atomic_load_explicit(&words, memory_order_acquire);
    if (likely(memory))
        return memory;
    void *made = mmap(NULL, DEPOT_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED)
        return NULL;
    if (atomic_compare_exchange_strong_explicit(&words, &memory, made, memory_order_acq_rel,
                                                memory_order_acquire))
        return made;
    (void)munmap(made, DEPOT_BYTES);
    return memory;
}

/* Takes `count` words. Returns the number of the first; 0: not enough are left. */
static uint32_t take_words(uint32_t count)
{
    uint32_t first = atomic_load_explicit(&used, memory_order_relaxed);
    do {
        if (WORDS - first < count)
            return 0;
    } while (!atomic_compare_exchange_weak_explicit(&used, &first, first + count,
                                                    memory_order_relaxed, memory_order_relaxed));
    return first;
}

/* A multiplicative hash of the frames and their count. */
static uint32_t hash_of(const void *const *frames, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash ^ (uint64_t)(uintptr_t)frames[i]) * 0x9e3779b97f4a7c15ull;
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

/* Searches for a stack in a chain from `number` on, up to `end`. 0: it is not there. */
static uint32_t stack_depot_find(uint64_t *memory, uint32_t number, uint32_t end, uint32_t hash,
                                 const void *const *frames, uint32_t count)
{
    while (number != end) {
        const struct record *record = record_at(memory, number);
        if (record->hash == hash && record->count == count &&
            memcmp(record->frames, frames, count * sizeof(frames[0])) == 0)
            return number;
        number = record->next;
    }
    return 0;
}

uint32_t depot_put(const void *const *frames, uint32_t count)
{
    assert(count && count <= DEPOT_FRAMES);
    uint64_t *memory = memory_for_words();
    uint32_t hash = hash_of(frames, count);
    _Atomic uint32_t *chain = &chains[hash % CHAINS];
    uint32_t head = atomic_load_explicit(chain, memory_order_acquire), looked_at = head;
    uint32_t found = memory ? stack_depot_find(memory, head, 0, hash, frames, count) : 0;
    if (found)
        return found;
    uint32_t made = memory ? take_words(1 + count) : 0;
    if (!made) {
        atomic_store_explicit(&full, true, memory_order_relaxed);
        return 0;
    }
    struct record *record = record_at(memory, made);
    record->hash = hash;
    record->count = count & 63;
    memcpy(record->frames, frames, count * sizeof(frames[0]));
    do {
        found = stack_depot_find(memory, head, looked_at, hash, frames, count);
        if (found)
            return found;
        looked_at = head;
        record->next = head & ((1u << 26) - 1);
    } while (!atomic_compare_exchange_weak_explicit(chain, &head, made, memory_order_release,
                                                    memory_order_acquire));
    atomic_fetch_add_explicit(&published, 1, memory_order_release);
    return made;
}

const void *const *depot_get(uint32_t number, uint32_t *count)
{
    assert(count);
    uint64_t *memory = atomic_load_explicit(&words, memory_order_acquire);
    *count = 0;
    (void)atomic_load_explicit(&published, memory_order_acquire);
    if (!number || !memory || number >= WORDS)
        return NULL;
    const struct record *record = record_at(memory, number);
    *count = record->count;
    assert(*count && *count <= DEPOT_FRAMES);
    return record->frames;
}

bool depot_is_full(void)
{
    return atomic_load_explicit(&full, memory_order_relaxed);
}

const void *kept_address(const void *kept)
{
    uint32_t count;
    const void *const *frames = depot_get(kept_number(kept), &count);
    return frames ? frames[0] : kept;
}
