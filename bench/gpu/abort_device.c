/* A device that has VK_KHR_shader_abort, two buffers, and compute pipelines over them. */
#include "abort_device.h"

#include <stdio.h>
#include <stdlib.h>

struct abort_device the;

void device_must(VkResult result, const char *what)
{
    if (result == VK_SUCCESS)
        return;
    fprintf(stderr, "%s: error %d\n", what, (int)result);
    exit(1);
}

bool instance_create(void)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    uint32_t count = 1;
    device_must(vkCreateInstance(&info, NULL, &the.instance), "vkCreateInstance");
    VkResult result = vkEnumeratePhysicalDevices(the.instance, &count, &the.physical_device);
    device_must(result == VK_INCOMPLETE ? VK_SUCCESS : result, "vkEnumeratePhysicalDevices");
    if (!count)
        device_must(VK_ERROR_INITIALIZATION_FAILED, "finding a device");
    VkPhysicalDeviceShaderAbortFeaturesKHR have = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_FEATURES_KHR};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &have};
    vkGetPhysicalDeviceFeatures2(the.physical_device, &features);
    return have.shaderAbort;
}

void device_create(void)
{
    static const char *const extensions[] = {VK_KHR_SHADER_ABORT_EXTENSION_NAME,
                                             VK_KHR_SHADER_CONSTANT_DATA_EXTENSION_NAME,
                                             VK_KHR_DEVICE_FAULT_EXTENSION_NAME};
    VkPhysicalDeviceFaultFeaturesKHR fault = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR, .deviceFault = VK_TRUE};
    VkPhysicalDeviceShaderConstantDataFeaturesKHR data = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CONSTANT_DATA_FEATURES_KHR,
        .pNext = &fault,
        .shaderConstantData = VK_TRUE};
    VkPhysicalDeviceVulkan12Features version = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &data,
        .shaderInt8 = VK_TRUE};
    const VkPhysicalDeviceShaderAbortFeaturesKHR aborts = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_FEATURES_KHR,
        .pNext = &version,
        .shaderAbort = VK_TRUE};
    VkPhysicalDeviceProperties properties;
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceProperties(the.physical_device, &properties);
    vkGetPhysicalDeviceQueueFamilyProperties(the.physical_device, &count, families);
    while (the.family + 1 < count && !(families[the.family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        the.family++;
    the.tick = (double)properties.limits.timestampPeriod;
    const float priorities[2] = {1.0f, 1.0f};
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = the.family,
                                           .queueCount =
                                               families[the.family].queueCount > 1 ? 2 : 1,
                                           .pQueuePriorities = priorities};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &aborts,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 3,
                                     .ppEnabledExtensionNames = extensions};
    device_must(vkCreateDevice(the.physical_device, &info, NULL, &the.device), "vkCreateDevice");
    vkGetDeviceQueue(the.device, the.family, 0, &the.queue);
    vkGetDeviceQueue(the.device, the.family, queue.queueCount - 1, &the.second);
    printf("device: %s, %u queue%s\n", properties.deviceName, queue.queueCount,
           queue.queueCount == 1 ? "" : "s");
}

static uint32_t memory_type(uint32_t bits, VkMemoryPropertyFlags wanted)
{
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(the.physical_device, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++) {
        if ((bits >> i & 1u) && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    }
    device_must(VK_ERROR_OUT_OF_DEVICE_MEMORY, "finding memory");
    return 0;
}

static VkDeviceMemory buffer_create(VkBuffer *buffer, VkBufferUsageFlags usage,
                                    VkMemoryPropertyFlags where)
{
    const VkBufferCreateInfo create = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .size = the.elements * sizeof(uint32_t),
                                       .usage = usage};
    VkMemoryRequirements need;
    VkDeviceMemory memory;
    device_must(vkCreateBuffer(the.device, &create, NULL, buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(the.device, *buffer, &need);
    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .allocationSize = need.size,
                                           .memoryTypeIndex =
                                               memory_type(need.memoryTypeBits, where)};
    device_must(vkAllocateMemory(the.device, &allocate, NULL, &memory), "vkAllocateMemory");
    device_must(vkBindBufferMemory(the.device, *buffer, memory, 0), "vkBindBufferMemory");
    return memory;
}

VkCommandBuffer commands_begin(void)
{
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = the.pool,
        .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer commands;
    device_must(vkAllocateCommandBuffers(the.device, &allocate, &commands),
                "vkAllocateCommandBuffers");
    device_must(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    return commands;
}

void run(VkCommandBuffer commands)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands};
    device_must(vkQueueSubmit(the.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
    device_must(vkQueueWaitIdle(the.queue), "vkQueueWaitIdle");
}

void barrier(VkCommandBuffer commands)
{
    const VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                    .dstAccessMask =
                                        VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &memory, 0, NULL, 0, NULL);
}

void buffers_create(void)
{
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VkBuffer staging;
    void *mapped;
    for (uint32_t i = 0; i < 2; i++)
        (void)buffer_create(&the.buffers[i], usage, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    VkDeviceMemory memory =
        buffer_create(&staging, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    device_must(vkMapMemory(the.device, memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
    for (uint32_t i = 0; i < the.elements; i++)
        ((uint32_t *)mapped)[i] = (i * 2654435761u) % the.elements;
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = the.family};
    device_must(vkCreateCommandPool(the.device, &pool, NULL, &the.pool), "vkCreateCommandPool");
    const VkBufferCopy region = {.size = the.elements * sizeof(uint32_t)};
    VkCommandBuffer commands = commands_begin();
    vkCmdCopyBuffer(commands, staging, the.buffers[0], 1, &region);
    device_must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    run(commands);
    vkDestroyBuffer(the.device, staging, NULL);
    vkFreeMemory(the.device, memory, NULL);
}

void layouts_create(void)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayoutCreateInfo set_layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    device_must(vkCreateDescriptorSetLayout(the.device, &set_layout, NULL, &the.set_layout),
                "vkCreateDescriptorSetLayout");
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &the.set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range};
    device_must(vkCreatePipelineLayout(the.device, &layout, NULL, &the.layout),
                "vkCreatePipelineLayout");
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
    const VkDescriptorPoolCreateInfo pool_info = {.sType =
                                                      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .maxSets = 1,
                                                  .poolSizeCount = 1,
                                                  .pPoolSizes = &size};
    VkDescriptorPool pool;
    device_must(vkCreateDescriptorPool(the.device, &pool_info, NULL, &pool),
                "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &the.set_layout};
    device_must(vkAllocateDescriptorSets(the.device, &allocate, &the.set),
                "vkAllocateDescriptorSets");
    for (uint32_t i = 0; i < 2; i++) {
        const VkDescriptorBufferInfo buffer = {the.buffers[i], 0, VK_WHOLE_SIZE};
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = the.set,
                                            .dstBinding = i,
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            .pBufferInfo = &buffer};
        vkUpdateDescriptorSets(the.device, 1, &write, 0, NULL);
    }
}

VkPipeline pipeline_create(const uint32_t *code, size_t size)
{
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = code};
    VkShaderModule module;
    VkPipeline pipeline;
    device_must(vkCreateShaderModule(the.device, &module_info, NULL, &module),
                "vkCreateShaderModule");
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = the.layout};
    device_must(vkCreateComputePipelines(the.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
                "vkCreateComputePipelines");
    vkDestroyShaderModule(the.device, module, NULL);
    return pipeline;
}
