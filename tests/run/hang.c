/* Loses a device by a hang. A secondary command buffer has one command that does not come to its
 * end:
 *
 *   hang loop SECONDS     a dispatch that loops while a word of memory is 0
 *   hang draw SECONDS     a draw whose vertex shader does that
 *   hang fault SECONDS [ADDRESS]    a dispatch that writes to an address where nothing is
 *
 * The program waits so long for the driver to lose the device. If it does not, the program changes
 * that word, and the loop ends: nothing hangs when the program is gone. The status is 3 where the
 * device was lost, else 0. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <vulkan/vulkan.h>

#include "hang_comp.h"
#include "hang_vert.h"

#define LENGTH(array_) (sizeof(array_) / sizeof((array_)[0]))
#define NOWHERE        0xdead0000000ull /* an address that no driver gives out */

struct push {
    VkDeviceAddress place;
    uint32_t faults;
};

static struct {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    VkQueue queue;
    VkBuffer buffer;
    volatile uint32_t *gate; /* mapped */
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    VkPipeline pipeline;
    VkCommandPool pool;
    VkFence fence;
    bool draws, faults;
    uint64_t nowhere;
} p;

static void hang_must(VkResult result, const char *what)
{
    if (result == VK_SUCCESS)
        return;
    fprintf(stderr, "hang: %s failed: %d\n", what, result);
    exit(9);
}

static double hang_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* --- the device --- */

static bool has_extension(const char *name)
{
    static VkExtensionProperties extensions[1024];
    uint32_t count = LENGTH(extensions);
    if (vkEnumerateDeviceExtensionProperties(p.physical_device, NULL, &count, extensions) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(extensions[i].extensionName, name))
            return true;
    }
    return false;
}

/* VK_EXT_device_fault where the driver has it: the layer then tells what the driver says. */
static void make_hang_device(void)
{
    const char *debug = VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
               *fault = VK_EXT_DEVICE_FAULT_EXTENSION_NAME;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "hang",
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = &debug};
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    VkPhysicalDeviceFaultFeaturesEXT faults = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT, .deviceFault = VK_TRUE};
    VkPhysicalDeviceVulkan13Features features13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .dynamicRendering = VK_TRUE};
    const VkPhysicalDeviceVulkan12Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &features13,
        .bufferDeviceAddress = VK_TRUE};
    VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                 .pNext = &features,
                                 .queueCreateInfoCount = 1,
                                 .pQueueCreateInfos = &queue};
    uint32_t count = 1;
    hang_must(vkCreateInstance(&info, NULL, &p.instance), "vkCreateInstance");
    if (vkEnumeratePhysicalDevices(p.instance, &count, &p.physical_device) < 0 || !count)
        hang_must(VK_ERROR_INITIALIZATION_FAILED, "finding a device");
    if (has_extension(fault)) {
        features13.pNext = &faults;
        device.enabledExtensionCount = 1;
        device.ppEnabledExtensionNames = &fault;
    }
    hang_must(vkCreateDevice(p.physical_device, &device, NULL, &p.device), "vkCreateDevice");
    vkGetDeviceQueue(p.device, 0, 0, &p.queue);
}

/* Memory that the program and the device see at once. */
static void make_buffer(void)
{
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = 256,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    VkMemoryRequirements requirements;
    VkPhysicalDeviceMemoryProperties types;
    VkDeviceMemory memory;
    void *host;
    hang_must(vkCreateBuffer(p.device, &info, NULL, &p.buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(p.device, p.buffer, &requirements);
    vkGetPhysicalDeviceMemoryProperties(p.physical_device, &types);
    allocation.allocationSize = requirements.size;
    while (allocation.memoryTypeIndex < types.memoryTypeCount &&
           (!(requirements.memoryTypeBits >> allocation.memoryTypeIndex & 1) ||
            (types.memoryTypes[allocation.memoryTypeIndex].propertyFlags & wanted) != wanted))
        allocation.memoryTypeIndex++;
    hang_must(vkAllocateMemory(p.device, &allocation, NULL, &memory), "vkAllocateMemory");
    hang_must(vkBindBufferMemory(p.device, p.buffer, memory, 0), "vkBindBufferMemory");
    hang_must(vkMapMemory(p.device, memory, 0, VK_WHOLE_SIZE, 0, &host), "vkMapMemory");
    p.gate = host;
    *p.gate = 0;
}

/* --- the pipeline --- */

static void make_hang_layout(void)
{
    const VkShaderStageFlags stages = VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_VERTEX_BIT;
    const VkDescriptorSetLayoutBinding binding = {.descriptorType =
                                                      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                  .descriptorCount = 1,
                                                  .stageFlags = stages};
    const VkDescriptorSetLayoutCreateInfo set_layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    const VkPushConstantRange range = {.stageFlags = stages, .size = sizeof(struct push)};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const VkDescriptorPoolCreateInfo sets = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    VkDescriptorPool pool;
    hang_must(vkCreateDescriptorSetLayout(p.device, &set_layout, NULL, &p.set_layout),
              "vkCreateDescriptorSetLayout");
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &p.set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range};
    hang_must(vkCreatePipelineLayout(p.device, &layout, NULL, &p.layout), "vkCreatePipelineLayout");
    hang_must(vkCreateDescriptorPool(p.device, &sets, NULL, &pool), "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &p.set_layout};
    hang_must(vkAllocateDescriptorSets(p.device, &info, &p.set), "vkAllocateDescriptorSets");
    const VkDescriptorBufferInfo buffer = {p.buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = p.set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &buffer};
    vkUpdateDescriptorSets(p.device, 1, &write, 0, NULL);
}

/* A vertex shader alone: nothing is rasterized. */
static void make_drawing_pipeline(const VkPipelineShaderStageCreateInfo *stage)
{
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    const VkPipelineVertexInputStateCreateInfo vertices = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST};
    const VkPipelineRasterizationStateCreateInfo rasterization = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .rasterizerDiscardEnable = VK_TRUE,
        .lineWidth = 1.0f};
    const VkGraphicsPipelineCreateInfo info = {.sType =
                                                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &rendering,
                                               .stageCount = 1,
                                               .pStages = stage,
                                               .pVertexInputState = &vertices,
                                               .pInputAssemblyState = &assembly,
                                               .pRasterizationState = &rasterization,
                                               .layout = p.layout};
    hang_must(vkCreateGraphicsPipelines(p.device, VK_NULL_HANDLE, 1, &info, NULL, &p.pipeline),
              "making a pipeline");
}

static void make_hang_pipeline(void)
{
    const VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize =
                                                 p.draws ? sizeof(hang_vert) : sizeof(hang_comp),
                                             .pCode = p.draws ? hang_vert : hang_comp};
    VkPipelineShaderStageCreateInfo stage = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = p.draws ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_COMPUTE_BIT,
        .pName = "main"};
    hang_must(vkCreateShaderModule(p.device, &module, NULL, &stage.module), "vkCreateShaderModule");
    if (p.draws) {
        make_drawing_pipeline(&stage);
        return;
    }
    const VkComputePipelineCreateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .stage = stage,
                                              .layout = p.layout};
    hang_must(vkCreateComputePipelines(p.device, VK_NULL_HANDLE, 1, &info, NULL, &p.pipeline),
              "making a pipeline");
}

/* --- commands --- */

static VkCommandBuffer begin_hang_commands(VkCommandBufferLevel level, const char *name)
{
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = p.pool,
                                              .level = level,
                                              .commandBufferCount = 1};
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .pInheritanceInfo = &inheritance};
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = name};
    VkCommandBuffer commands;
    hang_must(vkAllocateCommandBuffers(p.device, &info, &commands), "vkAllocateCommandBuffers");
    hang_must(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    ((PFN_vkCmdBeginDebugUtilsLabelEXT)
         vkGetInstanceProcAddr(p.instance, "vkCmdBeginDebugUtilsLabelEXT"))(commands, &label);
    return commands;
}

static void end_hang_commands(VkCommandBuffer commands)
{
    ((PFN_vkCmdEndDebugUtilsLabelEXT)vkGetInstanceProcAddr(p.instance,
                                                           "vkCmdEndDebugUtilsLabelEXT"))(commands);
    hang_must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

/* The one that does not come to its end. */
static void act_on_target(VkCommandBuffer commands)
{
    const VkRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea.extent = {1, 1}, .layerCount = 1};
    if (!p.draws) {
        vkCmdDispatch(commands, 1, 1, 1);
        return;
    }
    vkCmdBeginRendering(commands, &rendering);
    vkCmdDraw(commands, 1, 1, 0, 0);
    vkCmdEndRendering(commands);
}

static VkCommandBuffer record_hang_secondary(void)
{
    const VkPipelineBindPoint point =
        p.draws ? VK_PIPELINE_BIND_POINT_GRAPHICS : VK_PIPELINE_BIND_POINT_COMPUTE;
    const struct push push = {p.nowhere, p.faults};
    const VkCommandBuffer commands =
        begin_hang_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY, "inner");
    vkCmdFillBuffer(commands, p.buffer, 128, 64, 0);
    vkCmdBindPipeline(commands, point, p.pipeline);
    vkCmdBindDescriptorSets(commands, point, p.layout, 0, 1, &p.set, 0, NULL);
    vkCmdPushConstants(commands, p.layout, VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_VERTEX_BIT,
                       0, sizeof(push), &push);
    act_on_target(commands);
    end_hang_commands(commands);
    return commands;
}

static VkCommandBuffer record_hang(void)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT};
    const VkCommandBuffer secondary = record_hang_secondary(),
                          commands = begin_hang_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY, "outer");
    vkCmdFillBuffer(commands, p.buffer, 64, 64, 0);
    vkCmdExecuteCommands(commands, 1, &secondary);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    vkCmdFillBuffer(commands, p.buffer, 64, 64, 0);
    end_hang_commands(commands);
    return commands;
}

/* --- the end --- */

static int tell_result(const char *mode, VkResult result, double seconds)
{
    if (result == VK_ERROR_DEVICE_LOST)
        printf("hang: %s: the device was lost after %.1f s\n", mode, seconds);
    else if (result == VK_SUCCESS)
        printf("hang: %s: all was done after %.1f s\n", mode, seconds);
    else
        printf("hang: %s: not done after %.1f s (%d)\n", mode, seconds, result);
    fflush(stdout);
    return result == VK_ERROR_DEVICE_LOST ? 3 : 0;
}

/* A driver may notice a fault only after the fence, as NVIDIA's does: what a program would do next
 * tells. */
static VkResult notice_loss(VkResult result)
{
    const struct timespec pause = {.tv_nsec = 50000000};
    for (int i = 0; result == VK_SUCCESS && i < 20; i++) {
        hang_must(vkResetFences(p.device, 1, &p.fence), "vkResetFences");
        nanosleep(&pause, NULL);
        result = vkQueueSubmit(p.queue, 0, NULL, p.fence);
        if (result == VK_SUCCESS)
            result = vkWaitForFences(p.device, 1, &p.fence, VK_TRUE, 1000000000);
    }
    return result;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "loop";
    const double patience = argc > 2 ? atof(argv[2]) : 10.0;
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    p.draws = !strcmp(mode, "draw");
    p.faults = !strcmp(mode, "fault");
    p.nowhere = argc > 3 ? strtoull(argv[3], NULL, 0) : NOWHERE;
    make_hang_device();
    make_buffer();
    make_hang_layout();
    make_hang_pipeline();
    hang_must(vkCreateCommandPool(p.device, &pool, NULL, &p.pool), "vkCreateCommandPool");
    hang_must(vkCreateFence(p.device, &fence, NULL, &p.fence), "vkCreateFence");
    const VkCommandBuffer commands = record_hang();
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &commands};
    const double began = hang_seconds();
    VkResult result = vkQueueSubmit(p.queue, 1, &submit, p.fence);
    if (result == VK_SUCCESS)
        result = vkWaitForFences(p.device, 1, &p.fence, VK_TRUE, (uint64_t)(patience * 1e9));
    if (p.faults)
        result = notice_loss(result);
    int status = tell_result(mode, result, hang_seconds() - began);
    if (result != VK_TIMEOUT)
        return status;
    *p.gate = 1; /* the loop ends */
    return tell_result(mode, vkWaitForFences(p.device, 1, &p.fence, VK_TRUE, 5000000000ull),
                       hang_seconds() - began);
}
