/* Keeps for shaders which objects exist. Each slot of the object table has a byte, which is
 * compared with a descriptor's copy of it when the descriptor is used.
 *
 * An object whose image, buffer or memory is gone counts as gone, too. Images have no list of their
 * views. Only the number of tracked objects that depend on each object is counted. If that is not
 * 0, the dependent objects are searched for. */
#include "gpu/device/device.h"
#include "state/object/reach.h"

/* Stores the byte of a slot and returns the one that it had before. A slot from GPU_ALIVE_LIMIT on
 * has no byte: the function returns `value`. */
static uint8_t alive_set_slot(struct gpu_device *gpu, uint32_t slot, uint8_t value)
{
    _Atomic uint8_t *shared = gpu->alive.host;
    if (slot >= GPU_ALIVE_LIMIT)
        return value;
    uint8_t before = atomic_exchange_explicit(&gpu->alive_copy[slot], value, memory_order_relaxed);
    if (before != value)
        atomic_store_explicit(&shared[slot], value, memory_order_relaxed);
    return before;
}

/* Counts one more object, or one less, at every object that this one depends on (image, buffer,
 * memory). */
static void alive_carry(struct gpu_device *gpu, uint64_t id, bool more)
{
    uint64_t ids[REACH_DEPTH];
    uint32_t count = reach_dependencies(id, ids);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = object_index(ids[i]);
        if (slot >= GPU_ALIVE_LIMIT)
            continue;
        uint32_t carried = atomic_load_explicit(&gpu->carried[slot], memory_order_relaxed);
        if (more)
            atomic_fetch_add_explicit(&gpu->carried[slot], 1, memory_order_relaxed);
        else if (carried)
            atomic_fetch_sub_explicit(&gpu->carried[slot], 1, memory_order_relaxed);
    }
}

void gpu_object_named(struct gpu_device *gpu, uint64_t id)
{
    struct reach_chain chain;
    /* An object that this one depends on is gone already, so this one must not come to life
     * again. */
    if (!id || reach_find_gone(id, &chain))
        return;
    if (!alive_set_slot(gpu, object_index(id), (uint8_t)(ALIVE_BIT | (id >> 8 & GENERATION_BITS))))
        alive_carry(gpu, id, true);
}

/* True if the object is bound to, or a view of, the carrier. Both are ids, which are never used
 * again. */
static bool lies_on(uint64_t id, uint64_t carrier)
{
    uint64_t ids[REACH_DEPTH];
    uint32_t count = reach_dependencies(id, ids);
    for (uint32_t i = 0; i < count; i++) {
        if (ids[i] == carrier)
            return true;
    }
    return false;
}

/* Forgets the objects that depend on a destroyed one. Rare: programs mostly destroy the views
 * first. */
static COLD void forget_carried(struct gpu_device *gpu, uint64_t carrier)
{
    uint32_t limit = atomic_load_explicit(&object_limit, memory_order_acquire);
    for (uint32_t slot = 1; slot < limit && slot < GPU_ALIVE_LIMIT; slot++) {
        if (!atomic_load_explicit(&gpu->alive_copy[slot], memory_order_relaxed))
            continue;
        uint64_t id = atomic_load_explicit(&object_slots[slot].id, memory_order_acquire);
        if (!lies_on(id, carrier))
            continue;
        alive_set_slot(gpu, slot, 0);
        alive_carry(gpu, id, false);
    }
}

void gpu_object_gone(struct gpu_device *gpu, uint64_t id)
{
    uint32_t slot = object_index(id);
    if (!id)
        return;
    if (alive_set_slot(gpu, slot, 0))
        alive_carry(gpu, id, false);
    /* The count is usually 0, which saves the search through the device's objects. */
    if (slot < GPU_ALIVE_LIMIT && atomic_load_explicit(&gpu->carried[slot], memory_order_relaxed)) {
        forget_carried(gpu, id);
        atomic_store_explicit(&gpu->carried[slot], 0, memory_order_relaxed);
    }
}
