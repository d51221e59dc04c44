/* The layer's side of the ring that shaders write records to (RING_..., spirv/abi.h): takes
 * whole records out, in order. Knows no Vulkan. */
#ifndef ASSAY_GPU_RING_H
#define ASSAY_GPU_RING_H

#include <stdatomic.h>

#include "base/base.h"
#include "spirv/abi.h"

/* Words of the ring that printf's records lie in. A power of two. */
#define GPU_RING_WORDS (1u << 16)

/* Zeroed is none. Lock: gpu_device::drain_lock, but `words`, which shaders write at any time. */
struct gpu_ring {
    _Atomic uint32_t *words; /* const: RING_WORDS and mask + 1 more */
    uint32_t mask;           /* const */
    /* RING_LOST as it was reported. Read without the lock, as is the next */
    _Atomic uint32_t lost;
    _Atomic uint32_t checks; /* RING_CHECKS as far as its records were taken */
};

/* `words` has room for RING_WORDS + count, a power of two; all are set to what an empty ring has.
 */
void gpu_ring_begin(struct gpu_ring *ring, void *words, uint32_t count);

/* True if something may be to report: a shader has taken room, or did not get any. Threads: any,
 * without the lock. */
static inline bool gpu_ring_has_news(const struct gpu_ring *ring)
{
    _Atomic uint32_t *words = ring->words;
    return atomic_load_explicit(&words[RING_CHECKS], memory_order_relaxed) !=
               atomic_load_explicit(&ring->checks, memory_order_relaxed) ||
           atomic_load_explicit(&words[RING_HEAD], memory_order_relaxed) !=
               atomic_load_explicit(&words[RING_TAIL], memory_order_relaxed) ||
           atomic_load_explicit(&words[RING_LOST], memory_order_relaxed) !=
               atomic_load_explicit(&ring->lost, memory_order_relaxed);
}

/* The oldest record of a check, or else of printf, if it is whole. It is put together in `record`
 * (RECORD_...; of a check with ERROR_OF_SITE, and the site as instruction), and its room given
 * back. Gives its size in words; 0: there is none, or a shader is still writing it. `repeated`: how
 * often the same was found since. What no shader can have written is thrown away and counts as one
 * lost record. (A program wrote to an address that it did not own.) */
uint32_t gpu_ring_take(struct gpu_ring *ring, uint32_t record[RECORD_MOST], uint32_t *repeated);

/* The device is lost: records that shaders have not finished, they never will. Goes on to the next
 * one that looks whole; false: there is none, and the ring is empty now. */
bool gpu_ring_skip(struct gpu_ring *ring);

/* Records that were lost since this was asked last. */
uint32_t gpu_ring_lost(struct gpu_ring *ring);

#endif
