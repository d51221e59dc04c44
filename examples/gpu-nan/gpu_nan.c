/* A program with a mistake in its shader: normals.comp brings the normals of a mesh to unit length,
 * and one of them has the length 0, so that a NaN is stored in its place. Nothing crashes, and the
 * validation layers see nothing wrong, as the specification allows it. `assay run --gpu=nan` shows
 * the line of the shader and the invocation. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "normals.comp.h"

#define NORMALS 1000
#define FLAT    321 /* the normal that has no length */

struct app {
    VkPhysicalDevice physical_device;
    VkDevice device;
    uint32_t queue_family;
    VkQueue queue;
    VkBuffer buffers[2]; /* normals, then what the shader makes of them */
    VkDeviceMemory memory;
    VkDeviceSize second; /* where the second buffer begins in the memory */
    float (*normals)[4]; /* the memory, mapped */
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool descriptor_pool;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkCommandPool command_pool;
    VkCommandBuffer commands;
};

static void normals_must(VkResult result, const char *what)
{
    if (result == VK_SUCCESS)
        return;
    fprintf(stderr, "gpu_nan: %s: error %d\n", what, (int)result);
    exit(1);
}

static void create_device(struct app *app, VkInstance instance)
{
    uint32_t count = 1, family_count = 16;
    VkResult result = vkEnumeratePhysicalDevices(instance, &count, &app->physical_device);
    normals_must(result == VK_INCOMPLETE ? VK_SUCCESS : result, "vkEnumeratePhysicalDevices");
    if (!count)
        normals_must(VK_ERROR_INITIALIZATION_FAILED, "finding a device");
    VkQueueFamilyProperties families[16];
    vkGetPhysicalDeviceQueueFamilyProperties(app->physical_device, &family_count, families);
    while (app->queue_family + 1 < family_count &&
           !(families[app->queue_family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        app->queue_family++;
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = app->queue_family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    normals_must(vkCreateDevice(app->physical_device, &info, NULL, &app->device), "vkCreateDevice");
    vkGetDeviceQueue(app->device, app->queue_family, 0, &app->queue);
}

/* Makes both buffers, in one piece of memory, and writes the normals. */
static void create_buffers(struct app *app)
{
    const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .size = NORMALS * sizeof(*app->normals),
                                       .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkMemoryRequirements need;
    VkPhysicalDeviceMemoryProperties types;
    for (int i = 0; i < 2; i++)
        normals_must(vkCreateBuffer(app->device, &buffer, NULL, &app->buffers[i]),
                     "vkCreateBuffer");
    vkGetBufferMemoryRequirements(app->device, app->buffers[0], &need);
    vkGetPhysicalDeviceMemoryProperties(app->physical_device, &types);
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t type = 0;
    while (!(need.memoryTypeBits >> type & 1u) ||
           (types.memoryTypes[type].propertyFlags & wanted) != wanted)
        type++; /* there is always one for a buffer */
    app->second = (need.size + need.alignment - 1) / need.alignment * need.alignment;
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = app->second + need.size,
                                       .memoryTypeIndex = type};
    void *mapped;
    normals_must(vkAllocateMemory(app->device, &info, NULL, &app->memory), "vkAllocateMemory");
    for (int i = 0; i < 2; i++)
        normals_must(vkBindBufferMemory(app->device, app->buffers[i], app->memory,
                                        i ? app->second : 0),
                     "vkBindBufferMemory");
    normals_must(vkMapMemory(app->device, app->memory, 0, VK_WHOLE_SIZE, 0, &mapped),
                 "vkMapMemory");
    app->normals = mapped;
    for (uint32_t i = 0; i < NORMALS; i++)
        memcpy(app->normals[i], (const float[4]){0.0f, i == FLAT ? 0.0f : 2.0f, 0.0f, 0.0f},
               sizeof(*app->normals));
}

static void create_descriptors(struct app *app)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    normals_must(vkCreateDescriptorSetLayout(app->device, &layout, NULL, &app->set_layout),
                 "vkCreateDescriptorSetLayout");
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    normals_must(vkCreateDescriptorPool(app->device, &pool, NULL, &app->descriptor_pool),
                 "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = app->descriptor_pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &app->set_layout};
    normals_must(vkAllocateDescriptorSets(app->device, &allocate, &app->set),
                 "vkAllocateDescriptorSets");
    const VkDescriptorBufferInfo buffers[] = {{app->buffers[0], 0, VK_WHOLE_SIZE},
                                              {app->buffers[1], 0, VK_WHOLE_SIZE}};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = app->set,
                                        .descriptorCount = 2, /* the bindings follow each other */
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = buffers};
    vkUpdateDescriptorSets(app->device, 1, &write, 0, NULL);
}

static void create_pipeline(struct app *app)
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(uint32_t)};
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &app->set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range};
    normals_must(vkCreatePipelineLayout(app->device, &layout, NULL, &app->layout),
                 "vkCreatePipelineLayout");
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof(normals_comp),
                                           .pCode = normals_comp};
    VkShaderModule module;
    normals_must(vkCreateShaderModule(app->device, &code, NULL, &module), "vkCreateShaderModule");
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = app->layout};
    normals_must(vkCreateComputePipelines(app->device, VK_NULL_HANDLE, 1, &info, NULL,
                                          &app->pipeline),
                 "vkCreateComputePipelines");
    vkDestroyShaderModule(app->device, module, NULL);
}

static void run_commands(struct app *app)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = app->queue_family};
    normals_must(vkCreateCommandPool(app->device, &pool, NULL, &app->command_pool),
                 "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = app->command_pool,
        .commandBufferCount = 1};
    normals_must(vkAllocateCommandBuffers(app->device, &allocate, &app->commands),
                 "vkAllocateCommandBuffers");
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const uint32_t count = NORMALS;
    normals_must(vkBeginCommandBuffer(app->commands, &begin), "vkBeginCommandBuffer");
    vkCmdBindPipeline(app->commands, VK_PIPELINE_BIND_POINT_COMPUTE, app->pipeline);
    vkCmdBindDescriptorSets(app->commands, VK_PIPELINE_BIND_POINT_COMPUTE, app->layout, 0, 1,
                            &app->set, 0, NULL);
    vkCmdPushConstants(app->commands, app->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(count),
                       &count);
    vkCmdDispatch(app->commands, (NORMALS + 63) / 64, 1, 1);
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(app->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    normals_must(vkEndCommandBuffer(app->commands), "vkEndCommandBuffer");
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &app->commands};
    normals_must(vkQueueSubmit(app->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    normals_must(vkQueueWaitIdle(app->queue), "vkQueueWaitIdle");
}

static void destroy_device(const struct app *app)
{
    vkDestroyCommandPool(app->device, app->command_pool, NULL);
    vkDestroyPipeline(app->device, app->pipeline, NULL);
    vkDestroyPipelineLayout(app->device, app->layout, NULL);
    vkDestroyDescriptorPool(app->device, app->descriptor_pool, NULL);
    vkDestroyDescriptorSetLayout(app->device, app->set_layout, NULL);
    for (int i = 0; i < 2; i++)
        vkDestroyBuffer(app->device, app->buffers[i], NULL);
    vkFreeMemory(app->device, app->memory, NULL);
    vkDestroyDevice(app->device, NULL);
}

int main(void)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "gpu_nan",
                                           .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    struct app app = {0};
    VkInstance instance;
    normals_must(vkCreateInstance(&info, NULL, &instance), "vkCreateInstance");
    create_device(&app, instance);
    create_buffers(&app);
    create_descriptors(&app);
    create_pipeline(&app);
    run_commands(&app);
    const float *unit = (const float *)((const char *)app.normals + app.second) + 4 * 1;
    printf("normal 1 is (%g, %g, %g) now\n", (double)unit[0], (double)unit[1], (double)unit[2]);
    destroy_device(&app);
    vkDestroyInstance(instance, NULL);
    return 0;
}
