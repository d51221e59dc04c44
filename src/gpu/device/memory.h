/* Memory that the layer shares with shaders. It consists of pieces of a few driver buffers that
 * have addresses and stay mapped. Calls to the driver bypass the layer's hooks. */
#ifndef ASSAY_GPU_MEMORY_H
#define ASSAY_GPU_MEMORY_H

#include "base/lock.h"
#include "objects/device.h"

enum gpu_memory_kind {
    /* the CPU writes, shaders read: near the GPU if the CPU can write there. Reads by the CPU are
     * slow */
    GPU_MEMORY_READ,
    GPU_MEMORY_WRITTEN, /* shaders write, the CPU reads: the CPU caches it */
    GPU_MEMORY_KINDS
};

#define GPU_MEMORY_ALIGNMENT 64
/* sizes of small pieces: 64 bytes to 1 MiB, each twice the one before */
#define GPU_MEMORY_CLASSES 15

struct gpu_block;

/* One piece. `host` is NULL if there is none. All members are const while it is held. */
struct gpu_memory {
    void *host;              /* mapped, coherent */
    VkDeviceAddress address; /* a multiple of GPU_MEMORY_ALIGNMENT */
    struct gpu_block *block;
    uint32_t size;   /* bytes; at least the requested size */
    uint32_t offset; /* bytes from the begin of the block's buffer */
};

/* Returns the driver's buffer that has the piece, for commands that need a buffer. It has all
 * usages of storage, copies and indirect commands. */
VkBuffer gpu_memory_buffer(const struct gpu_memory *memory);

/* Part of struct gpu_device. */
struct gpu_allocator {
    const struct device *device; /* const */
    struct lock lock;
    uint32_t family_count; /* const: number of queue families that the device has queues of */
    uint32_t *families;    /* owned; const */
    struct gpu_block *blocks GUARDED_BY(lock);
    struct gpu_block *
        /* the blocks from which new small pieces are cut, if their free list is empty */
        filling[GPU_MEMORY_KINDS] GUARDED_BY(lock);
    struct gpu_free_list {
        struct gpu_memory *pieces; /* owned */
        uint32_t count, capacity;
    } free[GPU_MEMORY_KINDS][GPU_MEMORY_CLASSES] GUARDED_BY(lock);
    uint64_t bytes GUARDED_BY(lock); /* size of all blocks */
};

void gpu_allocator_begin(struct gpu_allocator *allocator, const struct device *device,
                         const VkDeviceCreateInfo *info);
/* Gives all memory back to the driver, with pieces that are still held. If `device` is NULL, the
 * driver is out of reach, and keeps its memory. Threads: no others use the device. */
void gpu_allocator_end(struct gpu_allocator *allocator, const struct device *device);

/* Takes at least `size` bytes, with undefined contents. Returns false if the driver has no memory.
 * Threads: any; takes a lock, which is also held while the driver allocates a block. */
bool gpu_memory_take(struct gpu_allocator *allocator, enum gpu_memory_kind kind, VkDeviceSize size,
                     struct gpu_memory *memory) MUST_CHECK;
/* Makes a piece of host memory that the driver imports (VK_EXT_external_memory_host). It has `size`
 * bytes at `host`, where `all` bytes are mapped; both are aligned as drivers require. Returns false
 * if the driver refuses. The memory must stay mapped as long as the allocator exists. */
bool gpu_memory_import(struct gpu_allocator *allocator, void *host, uint32_t size, uint32_t all,
                       struct gpu_memory *memory) MUST_CHECK;
/* Gives back a piece that no shader accesses any more; does nothing if its `host` is NULL. */
void gpu_memory_give(struct gpu_allocator *allocator, struct gpu_memory *memory);

#endif
