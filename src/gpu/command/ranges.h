/* Shaders find here the addresses in which buffers lie. They are a sorted list of what the program
 * has asked addresses of. Each version is written where no shader looks, and then replaces the one
 * before. */
#ifndef ASSAY_GPU_RANGES_H
#define ASSAY_GPU_RANGES_H

#include "base/lock.h"
#include "gpu/device/memory.h"

struct queue;
struct gpu_ranges;

/* Creates the ranges that shaders are given: none. NULL: memory is out. */
struct gpu_ranges *gpu_ranges_create(struct gpu_allocator *memory) MUST_CHECK;
struct lock *gpu_ranges_lock(struct gpu_ranges *ranges); /* for forks */
/* NULL: nothing happens. What lies in device memory goes with the allocator. */
void gpu_ranges_free(struct gpu_ranges *ranges);
/* The device address of the header (RANGES_...). */
VkDeviceAddress gpu_ranges_address(const struct gpu_ranges *ranges);

/* The program has asked for the address of a buffer with this id; asking again changes nothing.
 * Threads: any, as of all of these. */
void gpu_ranges_add(struct gpu_ranges *ranges, uint64_t id, VkDeviceAddress address,
                    VkDeviceSize size);
void gpu_ranges_remove(struct gpu_ranges *ranges, uint64_t id, VkDeviceAddress address);

/* Work is about to be submitted: shaders shall see what has changed. `queues`: of the device;
 * versions are freed once what was submitted before they were replaced is known to be done. False:
 * memory is out; shaders then check no addresses any more. */
bool gpu_ranges_publish(struct gpu_ranges *ranges, struct queue *queues) MUST_CHECK;

/* The ranges of a version (with sizes for ends): [begin, end) by increasing begin, merged where
 * ranges overlap. Gives how many. For publish, and for tests. `list` has room for all that were
 * added. */
struct gpu_range {
    VkDeviceAddress begin, end;
};
uint32_t gpu_ranges_merge(const struct gpu_ranges *ranges, struct gpu_range *list);

#endif
