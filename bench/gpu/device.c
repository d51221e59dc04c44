/* Makes the device of the bench of GPU-assisted validation and memory on it, and runs commands. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>

#define SLACK 65536u /* bytes of memory after a buffer's end */

_Noreturn void fail(const char *what)
{
    fprintf(stderr, "bench_gpu: %s failed\n", what);
    exit(1);
}

static void physical_device_choose(struct device *device)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "bench_gpu",
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    device_must(vkCreateInstance(&info, NULL, &device->instance), "vkCreateInstance");
    uint32_t count = 1;
    if (vkEnumeratePhysicalDevices(device->instance, &count, &device->physical) < 0 || !count)
        fail("vkEnumeratePhysicalDevices");
    vkGetPhysicalDeviceProperties(device->physical, &device->properties);
    vkGetPhysicalDeviceMemoryProperties(device->physical, &device->memory);
}

static void queue_family_choose(struct device *device)
{
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(device->physical, &count, families);
    uint32_t chosen = count;
    for (uint32_t i = 0; i < count && !device->draws; i++) {
        if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) || !families[i].timestampValidBits)
            continue;
        device->draws = families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT;
        if (chosen == count || device->draws)
            chosen = i;
    }
    if (chosen == count)
        fail("finding a compute queue with timestamps");
    device->family = chosen;
    const uint32_t bits = families[device->family].timestampValidBits;
    device->timestamp_mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    device->timestamp_ns = (double)device->properties.limits.timestampPeriod;
}

void device_create(struct device *device)
{
    *device = (struct device){.handle = VK_NULL_HANDLE};
    physical_device_choose(device);
    queue_family_choose(device);
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = device->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    VkPhysicalDeviceVulkan13Features rendering = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .dynamicRendering = VK_TRUE};
    const VkPhysicalDeviceVulkan12Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = device->draws ? &rendering : NULL,
        .descriptorIndexing = VK_TRUE,
        .shaderSampledImageArrayNonUniformIndexing = VK_TRUE,
        .descriptorBindingPartiallyBound = VK_TRUE,
        .runtimeDescriptorArray = VK_TRUE,
        .bufferDeviceAddress = VK_TRUE};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    device_must(vkCreateDevice(device->physical, &info, NULL, &device->handle), "vkCreateDevice");
    vkGetDeviceQueue(device->handle, device->family, 0, &device->queue);
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = device->family};
    device_must(vkCreateCommandPool(device->handle, &pool, NULL, &device->pool),
                "vkCreateCommandPool");
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    device_must(vkCreateFence(device->handle, &fence, NULL, &device->fence), "vkCreateFence");
}

void device_destroy(struct device *device)
{
    vkDestroyFence(device->handle, device->fence, NULL);
    vkDestroyCommandPool(device->handle, device->pool, NULL);
    vkDestroyDevice(device->handle, NULL);
    vkDestroyInstance(device->instance, NULL);
}

/* The first type that has all of `wanted`. */
static bool memory_type_find(const struct device *device, uint32_t bits,
                             VkMemoryPropertyFlags wanted, uint32_t *type)
{
    for (*type = 0; *type < device->memory.memoryTypeCount; ++*type) {
        if (bits >> *type & 1u &&
            (device->memory.memoryTypes[*type].propertyFlags & wanted) == wanted)
            return true;
    }
    return false;
}

VkDeviceMemory memory_allocate(const struct device *device, VkMemoryRequirements need,
                               VkDeviceSize slack, VkMemoryPropertyFlags wanted, bool addressable)
{
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .pNext = addressable ? &flags : NULL,
                                 .allocationSize = need.size + slack};
    const VkMemoryPropertyFlags cached = wanted | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    const bool host = wanted & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    if (!(host && memory_type_find(device, need.memoryTypeBits, cached, &info.memoryTypeIndex)) &&
        !memory_type_find(device, need.memoryTypeBits, wanted, &info.memoryTypeIndex))
        fail("finding a type of memory");
    VkDeviceMemory memory;
    device_must(vkAllocateMemory(device->handle, &info, NULL, &memory), "vkAllocateMemory");
    return memory;
}

static struct buffer buffer_make(const struct device *device, VkDeviceSize size,
                                 VkBufferUsageFlags usage, VkDeviceSize slack,
                                 VkMemoryPropertyFlags wanted)
{
    struct buffer buffer = {.size = size};
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    device_must(vkCreateBuffer(device->handle, &info, NULL, &buffer.handle), "vkCreateBuffer");
    VkMemoryRequirements need;
    vkGetBufferMemoryRequirements(device->handle, buffer.handle, &need);
    buffer.memory = memory_allocate(device, need, slack, wanted,
                                    usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    device_must(vkBindBufferMemory(device->handle, buffer.handle, buffer.memory, 0),
                "vkBindBufferMemory");
    return buffer;
}

struct buffer buffer_create(const struct device *device, VkDeviceSize size,
                            VkBufferUsageFlags usage)
{
    return buffer_make(device, size, usage, SLACK, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
}

struct buffer staging_create(const struct device *device, VkDeviceSize size)
{
    struct buffer buffer =
        buffer_make(device, size,
                    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0,
                    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    device_must(vkMapMemory(device->handle, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.mapped),
                "vkMapMemory");
    return buffer;
}

void buffer_destroy(const struct device *device, struct buffer *buffer)
{
    vkDestroyBuffer(device->handle, buffer->handle, NULL);
    vkFreeMemory(device->handle, buffer->memory, NULL);
}

uint64_t buffer_address(const struct device *device, const struct buffer *buffer)
{
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = buffer->handle};
    return vkGetBufferDeviceAddress(device->handle, &info);
}

VkCommandBuffer commands_begin(const struct device *device, VkCommandBufferUsageFlags usage)
{
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = device->pool,
                                              .commandBufferCount = 1};
    VkCommandBuffer commands;
    device_must(vkAllocateCommandBuffers(device->handle, &info, &commands),
                "vkAllocateCommandBuffers");
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = usage};
    device_must(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    return commands;
}

void commands_end(VkCommandBuffer commands)
{
    device_must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

void commands_run(const struct device *device, VkCommandBuffer commands)
{
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &commands};
    device_must(vkQueueSubmit(device->queue, 1, &submit, device->fence), "vkQueueSubmit");
    device_must(vkWaitForFences(device->handle, 1, &device->fence, VK_TRUE, UINT64_MAX),
                "vkWaitForFences");
    device_must(vkResetFences(device->handle, 1, &device->fence), "vkResetFences");
}

void commands_finish(const struct device *device, VkCommandBuffer commands)
{
    commands_end(commands);
    commands_run(device, commands);
    vkFreeCommandBuffers(device->handle, device->pool, 1, &commands);
}

void commands_barrier(VkCommandBuffer commands)
{
    const VkPipelineStageFlags stages =
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkAccessFlags writes = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = writes,
                                     .dstAccessMask = writes | VK_ACCESS_SHADER_READ_BIT |
                                                      VK_ACCESS_TRANSFER_READ_BIT};
    vkCmdPipelineBarrier(commands, stages, stages, 0, 1, &barrier, 0, NULL, 0, NULL);
}
