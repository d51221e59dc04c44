/* The device that the kernels run on, memory on it, and commands that are run once. A failure ends
 * the process with a message: a bench has no caller to give an error to. */
#ifndef BENCH_GPU_DEVICE_H
#define BENCH_GPU_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

/* Threads: one alone. */
struct device {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    VkDevice handle;
    uint32_t family;
    bool draws;              /* the family has graphics, too */
    double timestamp_ns;     /* of one tick */
    uint64_t timestamp_mask; /* bits of a timestamp that count */
    VkQueue queue;
    VkCommandPool pool;
    VkFence fence;
};

struct buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    VkDeviceSize size;
    void *mapped; /* of a staging buffer, else NULL */
};

void device_create(struct device *device);
void device_destroy(struct device *device);

/* Creates a buffer with device memory that is larger than the buffer. So an access just past its
 * end hits no other buffer's memory, and is not a fault of the device. */
struct buffer buffer_create(const struct device *device, VkDeviceSize size,
                            VkBufferUsageFlags usage);
/* Mapped, of memory that the processor reads quickly where there is such. */
struct buffer staging_create(const struct device *device, VkDeviceSize size);
void buffer_destroy(const struct device *device, struct buffer *buffer);
uint64_t buffer_address(const struct device *device, const struct buffer *buffer);

/* Device memory for what `need` says, `slack` bytes larger. */
VkDeviceMemory memory_allocate(const struct device *device, VkMemoryRequirements need,
                               VkDeviceSize slack, VkMemoryPropertyFlags wanted, bool addressable);

VkCommandBuffer commands_begin(const struct device *device, VkCommandBufferUsageFlags usage);
void commands_end(VkCommandBuffer commands);
/* Submits, and waits until they are done. */
void commands_run(const struct device *device, VkCommandBuffer commands);
/* Ends, runs and frees them. */
void commands_finish(const struct device *device, VkCommandBuffer commands);
/* Makes the writes of shaders and copies before it seen by those after it. */
void commands_barrier(VkCommandBuffer commands);

_Noreturn void fail(const char *what);

static inline void device_must(VkResult result, const char *what)
{
    if (result != VK_SUCCESS)
        fail(what);
}

#endif
