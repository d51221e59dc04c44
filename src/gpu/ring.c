/* Which records have shaders written? */
#include "gpu/ring.h"

#define LOAD(word_)          atomic_load_explicit(&ring->words[word_], memory_order_relaxed)
#define STORE(word_, value_) atomic_store_explicit(&ring->words[word_], (value_), memory_order_relaxed)
#define PLACE(ring_, at_)    (RING_WORDS + ((at_) & (ring_)->mask))

void gpu_ring_begin(struct gpu_ring *ring, void *words, uint32_t count)
{
    *ring = (struct gpu_ring){.words = words, .mask = count - 1};
    for (uint32_t i = 0; i < RING_WORDS + count; i++)
        STORE(i, 0);
    STORE(RING_MASK, count - 1);
}

/* Words from the tail on are free again: they must be 0 before a shader sees that. */
static void give_back(struct gpu_ring *ring, uint32_t tail, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        STORE(PLACE(ring, tail + i), 0);
    atomic_store_explicit(&ring->words[RING_TAIL], tail + count, memory_order_release);
}

/* Everything up to the head is thrown away. Shaders that were writing there leave words behind, which are no records: their first word is 0, or is found to be nonsense in its turn. */
static void throw_away(struct gpu_ring *ring, uint32_t tail, uint32_t head)
{
    uint32_t count = head - tail;
    give_back(ring, tail, count <= ring->mask + 1 ? count : ring->mask + 1);
    atomic_store_explicit(&ring->words[RING_TAIL], head, memory_order_release);
    ring->lost--; /* it is told of as one more */
}

uint32_t gpu_ring_take(struct gpu_ring *ring, uint32_t record[RECORD_MOST])
{
    uint32_t tail = LOAD(RING_TAIL), head = atomic_load_explicit(&ring->words[RING_HEAD], memory_order_acquire);
    if (head == tail)
        return 0;
    /* Written last, so that all of the record is there where this is. */
    uint32_t size = atomic_load_explicit(&ring->words[PLACE(ring, tail)], memory_order_acquire);
    if (head - tail > ring->mask + 1 ||
        (size && (size < RECORD_ERROR_WORDS || size > RECORD_MOST || size > head - tail))) {
        throw_away(ring, tail, head);
        return 0;
    }
    for (uint32_t i = 0; i < size; i++)
        record[i] = LOAD(PLACE(ring, tail + i));
    if (size)
        give_back(ring, tail, size);
    return size;
}

/* Could a whole record begin here? */
static bool looks_whole(struct gpu_ring *ring, uint32_t at, uint32_t head)
{
    uint32_t size = LOAD(PLACE(ring, at));
    return size >= RECORD_ERROR_WORDS && size <= RECORD_MOST && size <= head - at &&
           LOAD(PLACE(ring, at + RECORD_SHADER)) && LOAD(PLACE(ring, at + RECORD_ERROR)) <= ERROR_COMMAND;
}

bool gpu_ring_skip(struct gpu_ring *ring)
{
    uint32_t tail = LOAD(RING_TAIL), head = LOAD(RING_HEAD), at = tail;
    if (head - tail > ring->mask + 1) {
        throw_away(ring, tail, head);
        return false;
    }
    while (at != head && !looks_whole(ring, at, head))
        at++;
    give_back(ring, tail, at - tail);
    return at != head;
}

static uint32_t news(struct gpu_ring *ring, uint32_t word, uint32_t *told)
{
    uint32_t now = LOAD(word), count = now - *told;
    *told = now;
    return count;
}

uint32_t gpu_ring_lost(struct gpu_ring *ring)
{
    return news(ring, RING_LOST, &ring->lost);
}

uint32_t gpu_ring_repeated(struct gpu_ring *ring)
{
    return news(ring, RING_REPEATED, &ring->repeated);
}

void gpu_ring_forget(struct gpu_ring *ring)
{
    for (uint32_t i = 0; i < RING_SEEN_WORDS; i++)
        STORE(RING_SEEN + i, 0);
}
