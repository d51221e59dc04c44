/* Atomic accesses to fields that are plain. Most shared fields of the layer are _Atomic, and their
 * accesses are those of <stdatomic.h>. These cannot be:
 *
 * - What one thread records into by the rules of Vulkan, and another one reads only in a wrong
 *   program (base.h, mem_grow): its thread reads and writes it as plain memory, with the
 *   instructions of plain memory, and only what another thread could see torn or too early is
 *   stored or loaded in one piece.
 * - object::state, which is set once and read in every hook, and arrays of words that shaders or
 *   drivers write, whose type is not ours.
 *
 * An access of _Atomic memory without a named order is sequentially consistent, which would order
 * each of their plain accesses, too.
 * Threads: any; each field says which thread stores to it, and in which order. */
#ifndef ASSAY_BASE_PLAIN_ATOMIC_H
#define ASSAY_BASE_PLAIN_ATOMIC_H

#define plain_load_relaxed(place)         __atomic_load_n((place), __ATOMIC_RELAXED)
#define plain_load_acquire(place)         __atomic_load_n((place), __ATOMIC_ACQUIRE)
#define plain_store_relaxed(place, value) __atomic_store_n((place), (value), __ATOMIC_RELAXED)
#define plain_store_release(place, value) __atomic_store_n((place), (value), __ATOMIC_RELEASE)

/* Stores `value` if the field is `*expected`, with release; otherwise `*expected` becomes the value
 * that was found, with acquire. */
#define plain_replace(place, expected, value)                                          \
    __atomic_compare_exchange_n((place), (expected), (value), false, __ATOMIC_ACQ_REL, \
                                __ATOMIC_ACQUIRE)

#endif
