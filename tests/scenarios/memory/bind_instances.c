/* Buffers and images that are bound to instances of memory, in a group of two physical devices
 * (12.7 "Resource Memory Association"). */
#include "scenario.h"

#define GROUP                                        \
    .start = START_INSTANCE, .drivers = NULL_DRIVER, \
    .null_driver = "{\"physicalDevices\": 2, \"deviceGroup\": true, \"multiInstance\": true}"

static VkDevice make_group_with(struct baseline *b, const VkPhysicalDeviceFeatures *features)
{
    VkPhysicalDevice devices[2];
    VkDevice device = VK_NULL_HANDLE;
    uint32_t two = 2;
    VK(vkEnumeratePhysicalDevices(b->instance, &two, devices));
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceGroupDeviceCreateInfo members = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO,
        .physicalDeviceCount = 2,
        .pPhysicalDevices = devices};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &members,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .pEnabledFeatures = features};
    VK(vkCreateDevice(devices[0], &info, NULL, &device));
    return device;
}

static VkDevice make_group(struct baseline *b)
{
    return make_group_with(b, NULL);
}

/* Device-local memory, with an instance for each device of the mask. */
static VkDeviceMemory allocate_masked(VkDevice device, uint32_t mask)
{
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT,
                                             .deviceMask = mask};
    VkMemoryAllocateInfo info = memory_info(65536, 0);
    VkDeviceMemory memory = VK_NULL_HANDLE;
    info.pNext = &flags;
    VK(vkAllocateMemory(device, &info, NULL, &memory));
    return memory;
}

static void bind_group_buffer(struct baseline *b, uint32_t mask, uint32_t second)
{
    const VkDevice device = make_group(b);
    const VkBufferCreateInfo info = buffer_info(256, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const uint32_t indices[2] = {0, second};
    VkBuffer buffer;
    VK(vkCreateBuffer(device, &info, NULL, &buffer));
    const VkDeviceMemory memory = allocate_masked(device, mask);
    const VkBindBufferMemoryDeviceGroupInfo group = {
        .sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_DEVICE_GROUP_INFO,
        .deviceIndexCount = 2,
        .pDeviceIndices = indices};
    const VkBindBufferMemoryInfo bind = {.sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO,
                                         .pNext = &group,
                                         .buffer = buffer,
                                         .memory = memory};
    (void)vkBindBufferMemory2(device, 1, &bind);
    vkDestroyBuffer(device, buffer, NULL);
    vkFreeMemory(device, memory, NULL);
    vkDestroyDevice(device, NULL);
}

SCENARIO(buffer_of_both_instances, GROUP)
{
    bind_group_buffer(b, 3, 1);
}

SCENARIO(buffer_of_one_instance_twice, GROUP)
{
    bind_group_buffer(b, 1, 0);
}

SCENARIO(buffer_of_instance_not_allocated, GROUP,
         .expect = {"VUID-VkBindBufferMemoryInfo-pNext-01605"},
         .text = {"pDeviceIndices[1] is 1, but the memory was allocated with deviceMask 0x1"})
{
    bind_group_buffer(b, 1, 1);
}

/* `regions`: four of them, or NULL: `second` is the instance of memory that the second physical
 * device has. */
static void bind_group_image(struct baseline *b, uint32_t mask, uint32_t second,
                             const VkRect2D *regions)
{
    const VkDevice device = make_group(b);
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    info.flags = VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT;
    const uint32_t indices[2] = {0, second};
    VkImage image;
    VK(vkCreateImage(device, &info, NULL, &image));
    const VkDeviceMemory memory = allocate_masked(device, mask);
    const VkBindImageMemoryDeviceGroupInfo group = {
        .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_DEVICE_GROUP_INFO,
        .deviceIndexCount = regions ? 0 : 2,
        .pDeviceIndices = indices,
        .splitInstanceBindRegionCount = regions ? 4 : 0,
        .pSplitInstanceBindRegions = regions};
    const VkBindImageMemoryInfo bind = {.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
                                        .pNext = &group,
                                        .image = image,
                                        .memory = memory};
    (void)vkBindImageMemory2(device, 1, &bind);
    vkDestroyImage(device, image, NULL);
    vkFreeMemory(device, memory, NULL);
    vkDestroyDevice(device, NULL);
}

SCENARIO(image_of_both_instances, GROUP)
{
    bind_group_image(b, 3, 1, NULL);
}

SCENARIO(image_of_instance_not_allocated, GROUP,
         .expect = {"VUID-VkBindImageMemoryInfo-pNext-01626"})
{
    bind_group_image(b, 1, 1, NULL);
}

#define HALF (IMAGE_EXTENT / 2)
#define SPLIT(name_, change_, ...)                                     \
    SCENARIO(name_, GROUP, ##__VA_ARGS__)                              \
    {                                                                  \
        VkRect2D regions[4] = {{{0, 0}, {HALF, IMAGE_EXTENT}},         \
                               {{HALF, 0}, {HALF, IMAGE_EXTENT}},      \
                               {{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}}, \
                               {{0, 0}, {0, 0}}};                      \
        change_;                                                       \
        bind_group_image(b, 3, 1, regions);                            \
    }
#define BIND_IMAGE(id_) "VUID-VkBindImageMemoryInfo-pNext-" id_
SPLIT(image_split, )
SPLIT(image_split_outside, regions[1].extent.width++, .expect = {BIND_IMAGE("01628")},
      .text = {"pSplitInstanceBindRegions[1]"})
SPLIT(image_split_not_covered, regions[1].extent.height--, .expect = {BIND_IMAGE("01629")})
SPLIT(image_split_overlapping, regions[1].offset.x--,
      .expect = {"VUID-VkBindImageMemoryDeviceGroupInfo-pSplitInstanceBindRegions-01637"},
      .text = {"overlaps pSplitInstanceBindRegions[0]"})
SPLIT(image_split_of_another_instance,
      (regions[2].extent.height = HALF, regions[3].offset.y = HALF,
       regions[3].extent.width = IMAGE_EXTENT, regions[3].extent.height = IMAGE_EXTENT - HALF))

/* --- sparse buffers --- */

static void bind_group_sparse(struct baseline *b, uint32_t mask, uint32_t index)
{
    const VkPhysicalDeviceFeatures sparse = {.sparseBinding = VK_TRUE};
    const VkDevice device = make_group_with(b, &sparse);
    VkBufferCreateInfo info = buffer_info(65536, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkMemoryRequirements needs;
    VkBuffer buffer;
    VkQueue queue;
    info.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
    VK(vkCreateBuffer(device, &info, NULL, &buffer));
    vkGetBufferMemoryRequirements(device, buffer, &needs);
    vkGetDeviceQueue(device, 0, 0, &queue);
    const VkSparseMemoryBind bind = {.size = 65536, .memory = allocate_masked(device, mask)};
    const VkSparseBufferMemoryBindInfo buffers = {
        .buffer = buffer, .bindCount = 1, .pBinds = &bind};
    const VkDeviceGroupBindSparseInfo group = {.sType =
                                                   VK_STRUCTURE_TYPE_DEVICE_GROUP_BIND_SPARSE_INFO,
                                               .resourceDeviceIndex = 0,
                                               .memoryDeviceIndex = index};
    const VkBindSparseInfo batch = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                    .pNext = &group,
                                    .bufferBindCount = 1,
                                    .pBufferBinds = &buffers};
    (void)vkQueueBindSparse(queue, 1, &batch, VK_NULL_HANDLE);
    (void)vkDeviceWaitIdle(device);
    vkDestroyBuffer(device, buffer, NULL);
    vkFreeMemory(device, bind.memory, NULL);
    vkDestroyDevice(device, NULL);
}

SCENARIO(sparse_of_an_instance, GROUP)
{
    bind_group_sparse(b, 1, 0);
    bind_group_sparse(b, 3, 1);
}

SCENARIO(sparse_of_instance_not_allocated, GROUP,
         .expect = {"VUID-VkDeviceGroupBindSparseInfo-memoryDeviceIndex-01119"},
         .text = {"was allocated with deviceMask 0x1, which has no instance for memoryDeviceIndex"})
{
    bind_group_sparse(b, 1, 1);
}
