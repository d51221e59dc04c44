/* Sets of usages: each usage is a legal pair of stage and access (sync/usages.h, generated). They
 * are passed by value. Threads: any; a set belongs to the caller that holds it. */
#ifndef ASSAY_SYNC_USAGE_MASK_H
#define ASSAY_SYNC_USAGE_MASK_H

#include "sync/usages.h"

/* The set of one usage; SYNC_NONE gives the empty set, so that it intersects nothing. */
static inline struct usage_mask usage_mask_of(enum sync_usage usage)
{
    assert((unsigned)usage < SYNC_USAGE_COUNT);
    struct usage_mask mask = {0};
    mask.bits[(unsigned)usage / 64] = (uint64_t)(usage != SYNC_NONE) << ((unsigned)usage % 64);
    return mask;
}

static inline bool usage_mask_has(const struct usage_mask *mask, enum sync_usage usage)
{
    assert((unsigned)usage < SYNC_USAGE_COUNT);
    return mask->bits[(unsigned)usage / 64] >> ((unsigned)usage % 64) & 1;
}

static inline struct usage_mask usage_mask_or(struct usage_mask a, struct usage_mask b)
{
    for (unsigned i = 0; i < USAGE_MASK_WORDS; i++)
        a.bits[i] |= b.bits[i];
    return a;
}

static inline struct usage_mask usage_mask_and(struct usage_mask a, struct usage_mask b)
{
    for (unsigned i = 0; i < USAGE_MASK_WORDS; i++)
        a.bits[i] &= b.bits[i];
    return a;
}

/* Adds the usages of `more` to a set. */
static inline void usage_mask_add(struct usage_mask *mask, const struct usage_mask *more)
{
    for (unsigned i = 0; i < USAGE_MASK_WORDS; i++)
        mask->bits[i] |= more->bits[i];
}

/* Removes from a set all usages that are not in `kept`. */
static inline void usage_mask_keep(struct usage_mask *mask, const struct usage_mask *kept)
{
    for (unsigned i = 0; i < USAGE_MASK_WORDS; i++)
        mask->bits[i] &= kept->bits[i];
}

/* Returns the usages of `a` that are not in `b`. */
static inline struct usage_mask usage_mask_andnot(struct usage_mask a, struct usage_mask b)
{
    for (unsigned i = 0; i < USAGE_MASK_WORDS; i++)
        a.bits[i] &= ~b.bits[i];
    return a;
}

static inline bool usage_mask_intersects(const struct usage_mask *a, const struct usage_mask *b)
{
    uint64_t both = 0;
    for (unsigned i = 0; i < USAGE_MASK_WORDS; i++)
        both |= a->bits[i] & b->bits[i];
    return both != 0;
}

static inline bool usage_mask_is_empty(const struct usage_mask *mask)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < USAGE_MASK_WORDS; i++)
        any |= mask->bits[i];
    return any == 0;
}

static inline bool usage_mask_equals(const struct usage_mask *a, const struct usage_mask *b)
{
    uint64_t differing = 0;
    for (unsigned i = 0; i < USAGE_MASK_WORDS; i++)
        differing |= a->bits[i] ^ b->bits[i];
    return differing == 0;
}

/* Returns the usage's name, such as "SYNC_COPY_TRANSFER_WRITE". */
static inline const char *sync_usage_name(enum sync_usage usage)
{
    return sync_usage_names + sync_usage_info[usage].name;
}

#endif
