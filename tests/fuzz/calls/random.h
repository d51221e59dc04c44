/* Makes a fuzzer's choices. They are a stream of numbers per step, made of the run's seed and the
 * step's number. Leaving other steps out does not change what a step draws, so that a failing run
 * can be made smaller. */
#ifndef ASSAY_FUZZ_RANDOM_H
#define ASSAY_FUZZ_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct random {
    uint64_t state;
};

static inline uint64_t random_next(struct random *r) /* splitmix64 */
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static inline struct random random_of(uint64_t seed, uint64_t step)
{
    struct random r = {seed * 0xd1342543de82ef95ull + step};
    (void)random_next(&r);
    return r;
}

/* 0 to limit - 1; limit is not 0. */
static inline uint32_t random_below(struct random *r, uint32_t limit)
{
    return (uint32_t)((random_next(r) >> 32) * limit >> 32);
}

static inline bool random_chance(struct random *r, uint32_t percent)
{
    return random_below(r, 100) < percent;
}

#define ANY_OF(r_, array_) \
    ((array_)[random_below((r_), (uint32_t)(sizeof(array_) / sizeof((array_)[0])))])

#endif
