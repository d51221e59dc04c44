/* The programs about shaders' aborts share this: one device, with the extension as its driver or a
 * layer has it. Whatever fails ends the process. */
#ifndef BENCH_GPU_ABORT_DEVICE_H
#define BENCH_GPU_ABORT_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

/* Threads: one alone. */
extern struct abort_device {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    uint32_t family;
    VkQueue queue, second; /* the same where the family has only one */
    double tick;           /* nanoseconds */
    uint32_t elements;
    VkBuffer buffers[2];
    VkDescriptorSetLayout set_layout;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkCommandPool pool;
    VkQueryPool queries;
} the;

void device_must(VkResult result, const char *what);
/* The instance and its first device; false: no device has the extension. */
bool instance_create(void);
void device_create(void);
/* Two buffers of the.elements words; the first has numbers below that in them. Then the pool for
 * command buffers. */
void buffers_create(void);
void layouts_create(void);
VkPipeline pipeline_create(const uint32_t *code, size_t size);
VkCommandBuffer commands_begin(void);
void barrier(VkCommandBuffer commands);
/* Submits and waits. */
void run(VkCommandBuffer commands);

#endif
