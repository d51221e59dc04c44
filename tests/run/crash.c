/* Lets a program die, with something on the GPU. The second submission writes outside of a buffer,
 * and its end is never asked for. Then the process ends as the argument says: _exit, exit, kill,
 * crash, abort or well. With "secondary" it writes in a secondary command buffer. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vulkan/vulkan.h>

#include "crash_comp.h"

static struct {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    VkQueue queue;
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkBuffer done; /* has the index of the last dispatch that has ended */
    VkDeviceMemory done_memory;
    volatile uint32_t *done_index;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkShaderModule module;
    VkPipeline pipeline;
    VkDescriptorPool sets;
    VkDescriptorSet set;
    VkCommandPool pool;
    VkSemaphore semaphore;
} p;

static void crash_must(VkResult result, const char *what)
{
    if (result == VK_SUCCESS)
        return;
    fprintf(stderr, "crash: %s failed: %d\n", what, result);
    exit(9);
}

static PFN_vkVoidFunction crash_function(const char *name)
{
    return vkGetInstanceProcAddr(p.instance, name);
}

static void name_crash_object(VkObjectType type, uint64_t handle, const char *name)
{
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = name};
    crash_must(((PFN_vkSetDebugUtilsObjectNameEXT)
                    crash_function("vkSetDebugUtilsObjectNameEXT"))(p.device, &info),
               "naming");
}

static void make_crash_device(void)
{
    const char *extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "crash",
                                           .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = &extension};
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkPhysicalDeviceTimelineSemaphoreFeatures timelines = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
        .timelineSemaphore = VK_TRUE};
    const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = &timelines,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue};
    uint32_t count = 1;
    crash_must(vkCreateInstance(&info, NULL, &p.instance), "vkCreateInstance");
    if (vkEnumeratePhysicalDevices(p.instance, &count, &p.physical_device) < 0 || !count)
        crash_must(VK_ERROR_INITIALIZATION_FAILED, "finding a device");
    crash_must(vkCreateDevice(p.physical_device, &device, NULL, &p.device), "vkCreateDevice");
    vkGetDeviceQueue(p.device, 0, 0, &p.queue);
    name_crash_object(VK_OBJECT_TYPE_DEVICE, (uint64_t)(uintptr_t)p.device, "main device");
    name_crash_object(VK_OBJECT_TYPE_QUEUE, (uint64_t)(uintptr_t)p.queue, "graphics");
}

static void make_buffer(void)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = 64,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    VkMemoryRequirements requirements;
    crash_must(vkCreateBuffer(p.device, &info, NULL, &p.buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(p.device, p.buffer, &requirements);
    memory.allocationSize = requirements.size;
    while (!(requirements.memoryTypeBits >> memory.memoryTypeIndex & 1))
        memory.memoryTypeIndex++;
    crash_must(vkAllocateMemory(p.device, &memory, NULL, &p.memory), "vkAllocateMemory");
    crash_must(vkBindBufferMemory(p.device, p.buffer, p.memory, 0), "vkBindBufferMemory");
}

static void make_done(void)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = 4,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    VkPhysicalDeviceMemoryProperties properties;
    VkMemoryRequirements requirements;
    void *mapped;
    crash_must(vkCreateBuffer(p.device, &info, NULL, &p.done), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(p.device, p.done, &requirements);
    vkGetPhysicalDeviceMemoryProperties(p.physical_device, &properties);
    memory.allocationSize = requirements.size;
    while (!(requirements.memoryTypeBits >> memory.memoryTypeIndex & 1) ||
           (properties.memoryTypes[memory.memoryTypeIndex].propertyFlags & wanted) != wanted)
        memory.memoryTypeIndex++;
    crash_must(vkAllocateMemory(p.device, &memory, NULL, &p.done_memory), "vkAllocateMemory");
    crash_must(vkBindBufferMemory(p.device, p.done, p.done_memory, 0), "vkBindBufferMemory");
    crash_must(vkMapMemory(p.device, p.done_memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
    p.done_index = mapped;
}

/* Waits until a dispatch has ended, without a call that would tell the layer. */
static void wait_for_index(uint32_t index)
{
    for (unsigned i = 0; i < 60000 && *p.done_index != index; i++)
        usleep(10000);
}

static void make_crash_pipeline(void)
{
    const VkDescriptorSetLayoutBinding binding = {.descriptorType =
                                                      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkDescriptorSetLayoutCreateInfo set_layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = 4};
    const VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = sizeof(crash_comp),
                                             .pCode = crash_comp};
    crash_must(vkCreateDescriptorSetLayout(p.device, &set_layout, NULL, &p.set_layout),
               "vkCreateDescriptorSetLayout");
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &p.set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range};
    crash_must(vkCreatePipelineLayout(p.device, &layout, NULL, &p.layout),
               "vkCreatePipelineLayout");
    crash_must(vkCreateShaderModule(p.device, &module, NULL, &p.module), "vkCreateShaderModule");
    name_crash_object(VK_OBJECT_TYPE_SHADER_MODULE, (uint64_t)p.module, "spawn particles");
    const VkComputePipelineCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = p.module,
                  .pName = "main"},
        .layout = p.layout};
    crash_must(vkCreateComputePipelines(p.device, VK_NULL_HANDLE, 1, &pipeline, NULL, &p.pipeline),
               "making a pipeline");
}

static void make_crash_set(void)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    crash_must(vkCreateDescriptorPool(p.device, &pool, NULL, &p.sets), "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = p.sets,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &p.set_layout};
    crash_must(vkAllocateDescriptorSets(p.device, &info, &p.set), "vkAllocateDescriptorSets");
    const VkDescriptorBufferInfo buffer = {p.buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = p.set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &buffer};
    vkUpdateDescriptorSets(p.device, 1, &write, 0, NULL);
}

static VkCommandBuffer begin_crash_commands(const char *name, VkCommandBufferLevel level)
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
    VkCommandBuffer commands;
    crash_must(vkAllocateCommandBuffers(p.device, &info, &commands), "vkAllocateCommandBuffers");
    name_crash_object(VK_OBJECT_TYPE_COMMAND_BUFFER, (uint64_t)(uintptr_t)commands, name);
    crash_must(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    return commands;
}

static void begin_crash_label(VkCommandBuffer commands, const char *name)
{
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = name};
    ((PFN_vkCmdBeginDebugUtilsLabelEXT)crash_function("vkCmdBeginDebugUtilsLabelEXT"))(commands,
                                                                                       &label);
}

static void end_crash_label(VkCommandBuffer commands)
{
    ((PFN_vkCmdEndDebugUtilsLabelEXT)crash_function("vkCmdEndDebugUtilsLabelEXT"))(commands);
}

/* A dispatch that writes there. What follows it says that it has. */
static void dispatch_pass(VkCommandBuffer commands, const char *pass, uint32_t index)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT};
    begin_crash_label(commands, pass);
    begin_crash_label(commands, "inner");
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, p.pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, p.layout, 0, 1, &p.set, 0,
                            NULL);
    vkCmdPushConstants(commands, p.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &index);
    vkCmdDispatch(commands, 1, 1, 1);
    end_crash_label(commands);
    end_crash_label(commands);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    vkCmdFillBuffer(commands, p.done, 0, 4, index);
    crash_must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

static VkCommandBuffer record_pass(const char *name, const char *pass, uint32_t index)
{
    VkCommandBuffer commands = begin_crash_commands(name, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    dispatch_pass(commands, pass, index);
    return commands;
}

/* The same within a secondary. */
static VkCommandBuffer record_secondary_pass(const char *name, const char *pass, uint32_t index)
{
    VkCommandBuffer secondary = begin_crash_commands("spawning", VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    dispatch_pass(secondary, pass, index);
    VkCommandBuffer commands = begin_crash_commands(name, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    begin_crash_label(commands, "outer");
    vkCmdExecuteCommands(commands, 1, &secondary);
    end_crash_label(commands);
    crash_must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    return commands;
}

/* With a value, it waits until the program has given the semaphore that value. */
static void submit_frame(VkCommandBuffer commands, const char *frame, uint64_t value)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &value};
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = frame};
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = value ? &values : NULL,
                               .waitSemaphoreCount = value != 0,
                               .pWaitSemaphores = &p.semaphore,
                               .pWaitDstStageMask = &stage,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands};
    ((PFN_vkQueueBeginDebugUtilsLabelEXT)crash_function("vkQueueBeginDebugUtilsLabelEXT"))(p.queue,
                                                                                           &label);
    crash_must(vkQueueSubmit(p.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
    ((PFN_vkQueueEndDebugUtilsLabelEXT)crash_function("vkQueueEndDebugUtilsLabelEXT"))(p.queue);
}

static void destroy_crash(void)
{
    crash_must(vkDeviceWaitIdle(p.device), "vkDeviceWaitIdle");
    vkDestroySemaphore(p.device, p.semaphore, NULL);
    vkDestroyCommandPool(p.device, p.pool, NULL);
    vkDestroyDescriptorPool(p.device, p.sets, NULL);
    vkDestroyPipeline(p.device, p.pipeline, NULL);
    vkDestroyShaderModule(p.device, p.module, NULL);
    vkDestroyPipelineLayout(p.device, p.layout, NULL);
    vkDestroyDescriptorSetLayout(p.device, p.set_layout, NULL);
    vkDestroyBuffer(p.device, p.buffer, NULL);
    vkFreeMemory(p.device, p.memory, NULL);
    vkDestroyBuffer(p.device, p.done, NULL);
    vkFreeMemory(p.device, p.done_memory, NULL);
    vkDestroyDevice(p.device, NULL);
    vkDestroyInstance(p.instance, NULL);
}

static int end_process(const char *how)
{
    if (!strcmp(how, "_exit"))
        _exit(5);
    if (!strcmp(how, "kill"))
        (void)kill(getpid(), SIGKILL);
    if (!strcmp(how, "crash"))
        (void)raise(SIGSEGV);
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "exit"))
        exit(6);
    destroy_crash();
    return 0;
}

int main(int argc, char **argv)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                             .pNext = &type};
    make_crash_device();
    make_buffer();
    make_done();
    make_crash_pipeline();
    make_crash_set();
    crash_must(vkCreateCommandPool(p.device, &pool, NULL, &p.pool), "vkCreateCommandPool");
    crash_must(vkCreateSemaphore(p.device, &semaphore, NULL, &p.semaphore), "vkCreateSemaphore");
    submit_frame(record_pass("frame 1", "Particles", 3), "Frame 1", 0);
    crash_must(vkQueueWaitIdle(p.queue), "vkQueueWaitIdle");
    const bool in_secondary = argc > 2 && !strcmp(argv[2], "secondary");
    submit_frame((in_secondary ? record_secondary_pass : record_pass)("frame 2", "Particles", 1000),
                 "Frame 2", 1);
    const VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = p.semaphore, .value = 1};
    crash_must(vkSignalSemaphore(p.device, &signal), "vkSignalSemaphore");
    wait_for_index(1000);
    return end_process(argc > 1 ? argv[1] : "well");
}
