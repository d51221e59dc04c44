/* Gives shaders the addresses of buffers, as a sorted list. Each version of the list is written to
 * memory that no shader reads, and then replaces the previous one. */
#ifndef ASSAY_GPU_RANGES_H
#define ASSAY_GPU_RANGES_H

#include "base/lock.h"
#include "gpu/device/memory.h"

struct queue;
struct gpu_ranges;

/* Creates an empty list of ranges. NULL: memory is out. */
struct gpu_ranges *gpu_ranges_create(struct gpu_allocator *memory) MUST_CHECK;
struct lock *gpu_ranges_lock(struct gpu_ranges *ranges); /* for forks */
/* Frees the ranges; NULL is allowed. Their device memory is freed with the allocator. */
void gpu_ranges_free(struct gpu_ranges *ranges);
/* The device address of the header (RANGES_...). */
VkDeviceAddress gpu_ranges_address(const struct gpu_ranges *ranges);

/* Adds a buffer with this id and address; adding it again changes nothing. Threads: any, as for all
 * of these functions. */
void gpu_ranges_add(struct gpu_ranges *ranges, uint64_t id, VkDeviceAddress address,
                    VkDeviceSize size);
void gpu_ranges_remove(struct gpu_ranges *ranges, uint64_t id, VkDeviceAddress address);

/* Called before work is submitted: makes shaders see the changes. `queues` are the device's; a
 * version is freed once all work that was submitted before its replacement is done. Returns false
 * if memory is out: shaders check no addresses then. */
bool gpu_ranges_publish(struct gpu_ranges *ranges, struct queue *queues) MUST_CHECK;

/* Writes the ranges of a version: [begin, end) sorted by begin, with overlapping ranges merged.
 * Returns their number. `list` has room for all that were added. For publishing, and for tests. In
 * the shaders' list, `end` is a size. */
struct gpu_range {
    VkDeviceAddress begin, end;
};
uint32_t gpu_ranges_merge(const struct gpu_ranges *ranges, struct gpu_range *list);

#endif
