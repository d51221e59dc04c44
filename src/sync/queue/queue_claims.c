/* Keeps the ranges of spaces, and the semaphores, that a queue has used since it was last known to
 * be idle. */
#include "sync/queue/queue.h"

#include <string.h>

#define FIRST_CLAIMS 16 /* entries, a power of two; the table grows when it is half full */

/* Returns the index of the entry where the search for an id begins. */
static uint32_t claims_entry(uint32_t capacity, uint64_t id)
{
    assert(capacity && !(capacity & (capacity - 1)));
    return (uint32_t)((id * 0x9e3779b97f4a7c15ull) >> 32) & (capacity - 1);
}

/* Returns the entry of the id's claim, or the empty entry where it belongs. */
static struct claim *claims_place(struct claim *entries, uint32_t capacity, uint64_t id)
{
    uint32_t i = claims_entry(capacity, id);
    while (entries[i].id && entries[i].id != id)
        i = (i + 1) & (capacity - 1);
    return &entries[i];
}

/* Finds the claim on an object; NULL: there is none. The caller has looked at claims::everything
 * first. */
static const struct claim *claims_find(const struct claims *claims, uint64_t id)
{
    const struct claim *claim =
        claims->capacity ? claims_place(claims->entries, claims->capacity, id) : NULL;
    return claim && claim->id ? claim : NULL;
}

bool claims_cover(const struct claims *claims, uint64_t id, uint64_t begin, uint64_t end)
{
    const struct claim *claim = claims_find(claims, id);
    for (uint32_t i = 0; claim && i < claim->count; i++) {
        if (claim->ranges[i].begin <= begin && end <= claim->ranges[i].end)
            return true;
    }
    return false;
}

bool claims_meet(const struct claims *claims, uint64_t id, uint64_t begin, uint64_t end)
{
    const struct claim *claim = claims_find(claims, id);
    for (uint32_t i = 0; claim && i < claim->count; i++) {
        if (claim->ranges[i].begin < end && begin < claim->ranges[i].end)
            return true;
    }
    return claims->everything;
}

/* Returns the number of bytes between the range and [begin, end); 0: they overlap or touch. */
static uint64_t claims_gap(const struct claim_range *range, uint64_t begin, uint64_t end)
{
    return range->end < begin ? begin - range->end : end < range->begin ? range->begin - end : 0;
}

/* Returns the claim with [begin, end) added, and the range in `made` that has it then. Ranges that
 * overlap or touch are joined. If there is no room for another range, the nearest one is
 * enlarged. */
static struct claim claims_extend(const struct claim *claim, uint64_t begin, uint64_t end,
                                  struct claim_range *made)
{
    struct claim_range joined = {begin, end};
    struct claim extended = {.id = claim->id};
    uint64_t least = 0; /* the largest gap that is closed */
    uint32_t apart = 0;
    for (uint32_t i = 0; i < claim->count; i++)
        apart += claims_gap(&claim->ranges[i], begin, end) != 0;
    if (apart == CLAIM_RANGES) {
        least = UINT64_MAX;
        for (uint32_t i = 0; i < claim->count; i++) {
            const uint64_t between = claims_gap(&claim->ranges[i], begin, end);
            least = between < least ? between : least;
        }
    }
    for (uint32_t i = 0; i < claim->count; i++) {
        const struct claim_range *range = &claim->ranges[i];
        if (claims_gap(range, begin, end) > least) {
            extended.ranges[extended.count++] = *range;
            continue;
        }
        joined.begin = range->begin < joined.begin ? range->begin : joined.begin;
        joined.end = range->end > joined.end ? range->end : joined.end;
    }
    assert(extended.count < CLAIM_RANGES);
    extended.ranges[extended.count++] = joined;
    *made = joined;
    return extended;
}

struct claim_range claims_extended(const struct claims *claims, uint64_t id, uint64_t begin,
                                   uint64_t end)
{
    static const struct claim none;
    const struct claim *claim = claims_find(claims, id);
    struct claim_range made;
    assert(begin < end);
    (void)claims_extend(claim ? claim : &none, begin, end, &made);
    return made;
}

/* Makes room for one more claim, and drops claims on destroyed objects: ids are not given out
 * twice. Returns false if memory is out. */
static bool claims_grow(struct claims *claims)
{
    uint32_t live = 0, capacity = FIRST_CLAIMS;
    for (uint32_t i = 0; i < claims->capacity; i++) {
        struct claim *claim = &claims->entries[i];
        if (claim->id && !object_find_id(claim->id, object_id_type(claim->id)))
            claim->count = 0;
        live += claim->count != 0;
    }
    while (capacity < 4 * live)
        capacity *= 2;
    struct claim *entries = mem_alloc_zeroed(capacity * sizeof(*entries));
    if (!entries)
        return false;
    for (uint32_t i = 0; i < claims->capacity; i++) {
        if (claims->entries[i].count)
            *claims_place(entries, capacity, claims->entries[i].id) = claims->entries[i];
    }
    mem_free(claims->entries);
    claims->entries = entries;
    claims->capacity = capacity;
    claims->count = live;
    return true;
}

bool claims_add(struct claims *claims, uint64_t id, uint64_t begin, uint64_t end)
{
    assert(id && begin < end);
    struct claim_range made;
    if (!claims_find(claims, id) && claims->count * 2 >= claims->capacity && !claims_grow(claims)) {
        /* Memory is out: the queue counts as having claimed everything, and so shares its group. */
        claims->everything = true;
        return false;
    }
    struct claim *claim = claims_place(claims->entries, claims->capacity, id);
    claims->count += !claim->id;
    claim->id = id;
    *claim = claims_extend(claim, begin, end, &made);
    return true;
}

void claims_clear(struct claims *claims)
{
    if (claims->count)
        memset(claims->entries, 0, claims->capacity * sizeof(*claims->entries));
    claims->count = 0;
    claims->everything = false;
    /* Spaces of recordings that were found claimed before have to be checked again. */
    claims->stamp++;
}
