/* Which objects do live? A byte for each slot of the object table, for shaders: what a descriptor says of an object is compared with it when the descriptor is used. */
#include "gpu/device.h"

static void set(struct gpu_device *gpu, uint32_t slot, uint8_t value)
{
    _Atomic uint8_t *shared = gpu->alive.host;
    if (slot >= GPU_ALIVE_LIMIT || atomic_load_explicit(&gpu->alive_copy[slot], memory_order_relaxed) == value)
        return;
    atomic_store_explicit(&gpu->alive_copy[slot], value, memory_order_relaxed);
    atomic_store_explicit(&shared[slot], value, memory_order_relaxed);
}

void gpu_object_named(struct gpu_device *gpu, uint64_t id)
{
    if (id)
        set(gpu, object_index(id), (uint8_t)(ALIVE_BIT | (id >> 8 & GENERATION_BITS)));
}

void gpu_object_gone(struct gpu_device *gpu, uint64_t id)
{
    if (id)
        set(gpu, object_index(id), 0);
}
