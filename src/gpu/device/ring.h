/* The layer's side of the ring that shaders write records to (RING_..., spirv/abi.h): takes
 * complete records out, in order. It does not depend on Vulkan. */
#ifndef ASSAY_GPU_RING_H
#define ASSAY_GPU_RING_H

#include <stdatomic.h>

#include "base/base.h"
#include "spirv/abi.h"

/* Words of the ring for printf's records; a power of two. */
#define GPU_RING_WORDS (1u << 16)

/* A zeroed structure has no ring. Lock: gpu_device::drain_lock, except for `words`, which shaders
 * write at any time. */
struct gpu_ring {
    _Atomic uint32_t *words; /* const: RING_WORDS words, and mask + 1 more */
    uint32_t mask;           /* const */
    /* the value of RING_LOST that was last reported. Read without the lock, as is `checks` */
    _Atomic uint32_t lost;
    _Atomic uint32_t checks; /* RING_CHECKS up to which records were taken */
};

/* Begins an empty ring. `words` has room for RING_WORDS + count words; `count` is a power of
 * two. */
void gpu_ring_begin(struct gpu_ring *ring, void *words, uint32_t count);

/* True if there may be something to report: a shader has taken room, or has found none. Threads:
 * any, without the lock. */
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

/* Takes the oldest record of a check, or else of printf, if it is complete. It is written to
 * `record` (RECORD_...; a check's has ERROR_OF_SITE, and the site as instruction), and its room is
 * freed. Returns its size in words; 0: there is none, or a shader is still writing it. `repeated`
 * gets how often the same error was found since. Invalid words, which the program wrote through a
 * wrong address, are dropped and count as one lost record. */
uint32_t gpu_ring_take(struct gpu_ring *ring, uint32_t record[RECORD_MOST], uint32_t *repeated);

/* For a lost device, whose unfinished records never will be finished: skips to the next record that
 * looks complete. Returns false if there is none; the ring is empty then. */
bool gpu_ring_skip(struct gpu_ring *ring);

/* Returns how many records were lost since the last call. */
uint32_t gpu_ring_lost(struct gpu_ring *ring);

#endif
