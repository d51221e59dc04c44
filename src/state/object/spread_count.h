/* Counts things that many threads create and destroy at once. It is for a count that changes often,
 * and is only compared with a limit, which is rarely close. Each thread adds up its own changes in
 * a separate cache line, by plain stores, and passes them on in portions. A single counter would
 * move from processor to processor at each call. Threads: any; each part has one writer, and the
 * common part is atomic. */
#ifndef ASSAY_STATE_SPREAD_COUNT_H
#define ASSAY_STATE_SPREAD_COUNT_H

#include "base/base.h"
#include "base/thread.h"

#define SPREAD_THREADS 32 /* threads with higher numbers change the common part */
#define SPREAD_PORTION 16

struct spread_count {
    _Atomic int64_t common; /* relaxed */
    struct {
        _Alignas(CACHE_LINE) _Atomic int32_t
            own; /* between -SPREAD_PORTION and SPREAD_PORTION. Written by one thread; relaxed */
    } thread[SPREAD_THREADS];
};

/* Adds `change` to the count, which is 1 or -1. */
static inline void spread_count_add(struct spread_count *count, int32_t change)
{
    uint32_t number = thread_self()->number; /* no two live threads have the same */
    if (unlikely(number == 0 || number > SPREAD_THREADS)) {
        atomic_fetch_add_explicit(&count->common, change, memory_order_relaxed);
        return;
    }
    _Atomic int32_t *own = &count->thread[number - 1].own;
    int32_t sum = atomic_load_explicit(own, memory_order_relaxed) + change;
    if (unlikely(sum == SPREAD_PORTION || sum == -SPREAD_PORTION)) {
        atomic_fetch_add_explicit(&count->common, sum, memory_order_relaxed);
        sum = 0;
    }
    atomic_store_explicit(own, sum, memory_order_relaxed);
}

static inline uint64_t spread_count_sum(const struct spread_count *count)
{
    int64_t sum = atomic_load_explicit(&count->common, memory_order_relaxed);
    for (uint32_t i = 0; i < SPREAD_THREADS; i++)
        sum += atomic_load_explicit(&count->thread[i].own, memory_order_relaxed);
    return sum > 0 ? (uint64_t)sum : 0;
}

/* True if the count is `limit` or more. It only reads the threads' parts if they can decide. */
static inline bool spread_count_reaches(const struct spread_count *count, uint64_t limit)
{
    int64_t common = atomic_load_explicit(&count->common, memory_order_relaxed);
    if (likely(common + SPREAD_THREADS * SPREAD_PORTION < (int64_t)limit))
        return false;
    return spread_count_sum(count) >= limit;
}

#endif
