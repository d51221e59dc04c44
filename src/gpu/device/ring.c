/* Reads the records that shaders have written. */
#include "gpu/device/ring.h"

/* Shaders write words at any time. Relaxed is enough if another word, which is loaded with acquire,
 * has shown that a record is complete. */
#define LOAD(word_) atomic_load_explicit(&ring->words[word_], memory_order_relaxed)
#define STORE(word_, value_) \
    atomic_store_explicit(&ring->words[word_], (value_), memory_order_relaxed)
/* The word of the printf ring at a position; positions only grow, and wrap by the mask. */
#define PLACE(ring_, at_) (RING_WORDS + ((at_) & (ring_)->mask))
/* The first word of a check's place; places have RECORD_CHECK_LENGTH words each. */
#define CHECK_PLACE(number_) \
    (RING_RECORDS + (number_) % RING_STEPS * (RECORD_CHECK_LENGTH / RING_STEP))

void gpu_ring_begin(struct gpu_ring *ring, void *words, uint32_t count)
{
    assert(words && count && !(count & (count - 1)));
    *ring = (struct gpu_ring){.words = words, .mask = count - 1};
    for (uint32_t i = 0; i < RING_WORDS + count; i++)
        STORE(i, 0);
    STORE(RING_MASK, count - 1);
}

/* --- records of checks --- */

/* Drops all records of checks, and their counts. A shader that had taken a place there begins
 * again. */
static void throw_checks_away(struct gpu_ring *ring, uint32_t head)
{
    for (uint32_t i = 0; i < RING_SEEN_COUNT; i++)
        STORE(RING_SEEN(i), 0);
    for (uint32_t i = RING_RECORDS; i < RING_COUNTS; i++)
        STORE(i, 0);
    ring->checks = head;
    ring->lost--; /* the throw-away itself is reported as one more lost record */
}

/* Builds a record from a check's words. gpu_report() later adds the constant data of the site. */
static void record_put_together(const uint32_t check[RECORD_CHECK_LENGTH],
                                uint32_t record[RECORD_MOST])
{
    const bool of_layer = check[CHECK_SHADER] == SHADER_OF_LAYER;
    record[RECORD_SIZE] = RECORD_CHECK_LENGTH;
    record[RECORD_SHADER] = check[CHECK_SHADER];
    record[RECORD_INSTRUCTION] = of_layer ? check[CHECK_SITE] * SITE_INVERSE : check[CHECK_SITE];
    record[RECORD_STAGE] = 0;
    for (uint32_t i = 0; i < 3; i++)
        record[RECORD_STAGE_WORDS + i] = check[CHECK_STAGE_WORDS + i];
    record[RECORD_RECORDING] = RECORDING_OF(check[CHECK_RECORDING], check[CHECK_COMMAND]);
    record[RECORD_COMMAND] = COMMAND_OF(check[CHECK_COMMAND]);
    record[RECORD_ERROR] = of_layer ? ERROR_COMMAND : ERROR_OF_SITE;
    for (uint32_t i = 0; i < 3; i++) {
        record[RECORD_ERROR_WORDS + i] = check[CHECK_WORDS + i];
        record[RECORD_ERROR_WORDS + 3 + i] = check[CHECK_MORE_WORDS + i];
    }
}

/* Takes one record of a check. Its place is set to 0 before its count is: a shader that then makes
 * the count 1 again takes another place. */
static uint32_t take_check(struct gpu_ring *ring, uint32_t *record, uint32_t *repeated)
{
    const uint32_t head = atomic_load_explicit(&ring->words[RING_CHECKS], memory_order_acquire);
    const uint32_t at = CHECK_PLACE(ring->checks);
    if (head == ring->checks)
        return 0;
    /* This word is written last: if it is 1, all of the record is there. */
    uint32_t check[RECORD_CHECK_LENGTH],
        whole = atomic_load_explicit(&ring->words[at + CHECK_WHOLE], memory_order_acquire);
    /* Until the record is complete, this word has an address. */
    const bool nonsense = whole != 1 && whole % RECORD_CHECK_LENGTH;
    if (head - ring->checks > RING_STEPS || (head - ring->checks) % RING_STEP || nonsense) {
        throw_checks_away(ring, head);
        return 0;
    }
    if (whole != 1)
        return 0;
    for (uint32_t i = 0; i < RECORD_CHECK_LENGTH; i++) {
        check[i] = LOAD(at + i);
        STORE(at + i, 0);
    }
    const uint32_t seen = RING_SEEN_HASH(check[CHECK_SITE] + check[CHECK_RECORDING]);
    const uint32_t count =
        atomic_exchange_explicit(&ring->words[RING_SEEN(seen)], 0, memory_order_acq_rel);
    *repeated = count ? count - 1 : 0;
    record_put_together(check, record);
    ring->checks += RING_STEP;
    return RECORD_CHECK_LENGTH;
}

/* --- records of printf --- */

/* Frees the words from the tail on, which are set to 0 before a shader can see that they are
 * free. */
static void ring_give_back(struct gpu_ring *ring, uint32_t tail, uint32_t count)
{
    assert(count <= ring->mask + 1);
    for (uint32_t i = 0; i < count; i++)
        STORE(PLACE(ring, tail + i), 0);
    atomic_store_explicit(&ring->words[RING_TAIL], tail + count, memory_order_release);
}

/* Drops all words up to the head. Shaders that were writing there may leave words that are not
 * records: their first word is 0, or is later found to be invalid. */
static void throw_away(struct gpu_ring *ring, uint32_t tail, uint32_t head)
{
    uint32_t count = head - tail;
    ring_give_back(ring, tail, count <= ring->mask + 1 ? count : ring->mask + 1);
    atomic_store_explicit(&ring->words[RING_TAIL], head, memory_order_release);
    ring->lost--; /* the dropped words are reported as one more lost record */
}

/* Takes one record out of the ring. Returns its size in words; 0: there is no complete one. An
 * invalid record makes the ring's contents be dropped. */
static uint32_t take_words(struct gpu_ring *ring, uint32_t record[RECORD_MOST])
{
    uint32_t tail = LOAD(RING_TAIL),
             head = atomic_load_explicit(&ring->words[RING_HEAD], memory_order_acquire);
    if (head == tail)
        return 0;
    /* This word is written last: if it is not 0, all of the record is there. */
    uint32_t size = atomic_load_explicit(&ring->words[PLACE(ring, tail)], memory_order_acquire);
    if (head - tail > ring->mask + 1 ||
        (size && (size < RECORD_ERROR_WORDS || size > RECORD_MOST || size > head - tail))) {
        throw_away(ring, tail, head);
        return 0;
    }
    for (uint32_t i = 0; i < size; i++)
        record[i] = LOAD(PLACE(ring, tail + i));
    if (size) {
        record[RECORD_RECORDING] = RECORDING_OF(record[RECORD_RECORDING], record[RECORD_COMMAND]);
        record[RECORD_COMMAND] = COMMAND_OF(record[RECORD_COMMAND]);
        ring_give_back(ring, tail, size);
    }
    return size;
}

/* True if a complete record may begin at this position. */
static bool looks_whole(struct gpu_ring *ring, uint32_t at, uint32_t head)
{
    uint32_t size = LOAD(PLACE(ring, at));
    return size >= RECORD_ERROR_WORDS && size <= RECORD_MOST && size <= head - at &&
           LOAD(PLACE(ring, at + RECORD_SHADER)) &&
           LOAD(PLACE(ring, at + RECORD_ERROR)) <= ERROR_COMMAND;
}

/* Skips to the next position where a complete record may begin. Returns false if there is none, and
 * the ring is empty. Used after a loss of the device, when writers may have ended in between. */
static bool skip_words(struct gpu_ring *ring)
{
    uint32_t tail = LOAD(RING_TAIL), head = LOAD(RING_HEAD), at = tail;
    if (head - tail > ring->mask + 1) {
        throw_away(ring, tail, head);
        return false;
    }
    while (at != head && !looks_whole(ring, at, head))
        at++;
    ring_give_back(ring, tail, at - tail);
    return at != head;
}

/* --- records of both kinds --- */

uint32_t gpu_ring_take(struct gpu_ring *ring, uint32_t record[RECORD_MOST], uint32_t *repeated)
{
    *repeated = 0;
    /* Checks come first: prints may be many, and must not keep findings waiting. */
    uint32_t size = take_check(ring, record, repeated);
    return size ? size : take_words(ring, record);
}

bool gpu_ring_skip(struct gpu_ring *ring)
{
    const uint32_t head = LOAD(RING_CHECKS);
    /* The layer's shaders never write such a head: the program's own shaders have overwritten
     * it. */
    if (head - ring->checks > RING_STEPS || (head - ring->checks) % RING_STEP)
        throw_checks_away(ring, head);
    while (ring->checks != head && LOAD(CHECK_PLACE(ring->checks) + CHECK_WHOLE) != 1)
        ring->checks += RING_STEP;
    return ring->checks != head || skip_words(ring);
}

uint32_t gpu_ring_lost(struct gpu_ring *ring)
{
    /* The difference to the last call is unsigned, so it is right after the counter has wrapped. */
    uint32_t now = LOAD(RING_LOST), count = now - ring->lost;
    ring->lost = now;
    return count;
}
