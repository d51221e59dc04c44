/* Memory that the layer shares with shaders. It is pieces of a few driver buffers that have
 * addresses and stay mapped. Calls go straight to the driver. */
#ifndef ASSAY_GPU_MEMORY_H
#define ASSAY_GPU_MEMORY_H

#include "base/lock.h"
#include "objects/device.h"

enum gpu_memory_kind {
    /* the CPU writes, shaders read: near the GPU where the CPU can write there. Slow for the CPU to
       read */
    GPU_MEMORY_READ,
    GPU_MEMORY_WRITTEN, /* shaders write, the CPU reads: cached by the CPU */
    GPU_MEMORY_KINDS
};

#define GPU_MEMORY_ALIGNMENT 64
/* sizes of small pieces: 64 bytes to 1 MiB, each twice the one before */
#define GPU_MEMORY_CLASSES 15

struct gpu_block;

/* One piece. `host` NULL: none. All const while it is held. */
struct gpu_memory {
    void *host;              /* mapped, coherent */
    VkDeviceAddress address; /* a multiple of GPU_MEMORY_ALIGNMENT */
    struct gpu_block *block;
    uint32_t size;   /* at least what was asked for */
    uint32_t offset; /* in the block's buffer */
};

/* The driver's buffer that it lies in, for commands that want one; all usages of storage, copies
 * and indirect commands. */
VkBuffer gpu_memory_buffer(const struct gpu_memory *memory);

/* Part of struct gpu_device. */
struct gpu_allocator {
    const struct device *device; /* const */
    struct lock lock;
    uint32_t family_count; /* const: queue families that the device has queues of */
    uint32_t *families;    /* owned; const */
    struct gpu_block *blocks GUARDED_BY(lock);
    struct gpu_block *
        /* where small pieces come from that none was given back for */
        filling[GPU_MEMORY_KINDS] GUARDED_BY(lock);
    struct gpu_free_list {
        struct gpu_memory *pieces; /* owned */
        uint32_t count, capacity;
    } free[GPU_MEMORY_KINDS][GPU_MEMORY_CLASSES] GUARDED_BY(lock);
    uint64_t bytes GUARDED_BY(lock); /* of all blocks */
};

void gpu_allocator_begin(struct gpu_allocator *allocator, const struct device *device,
                         const VkDeviceCreateInfo *info);
/* Gives everything back to the driver, pieces that are held too; `device` NULL: the driver is out
 * of reach, and keeps what is its own. Threads: no others use the device. */
void gpu_allocator_end(struct gpu_allocator *allocator, const struct device *device);

/* At least `size` bytes, undefined content. False: the driver has no memory (any more). Threads:
 * any; holds a lock, for the driver's allocation too where a block is needed. */
bool gpu_memory_take(struct gpu_allocator *allocator, enum gpu_memory_kind kind, VkDeviceSize size,
                     struct gpu_memory *memory) MUST_CHECK;
/* A piece of the program's own memory, which the driver imports (VK_EXT_external_memory_host):
 * `size` bytes at `host`, where `all` bytes are mapped, both aligned as drivers ask. False: the
 * driver does not take it. Both stay mapped as long as the allocator is there. */
bool gpu_memory_import(struct gpu_allocator *allocator, void *host, uint32_t size, uint32_t all,
                       struct gpu_memory *memory) MUST_CHECK;
/* Gives back a piece that no shader looks at any more; for one with host NULL nothing happens. */
void gpu_memory_give(struct gpu_allocator *allocator, struct gpu_memory *memory);

#endif
