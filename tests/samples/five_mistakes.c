/* Shows a user what the layer finds. It is a small program that computes squares on the GPU,
 * correctly, with five mistakes on its way.
 *
 * Each is of another kind, and of the sort that a driver lets pass: the program ends normally and
 * prints the right result. They are marked "Mistake". Objects and regions have names, as an engine
 * gives them. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

/* Made by glslang from squares.comp; after the others, since it names uint32_t and includes
 * nothing. */
#include "squares.comp.h"

#define NUMBER_COUNT 256u
#define BUFFER_SIZE  (NUMBER_COUNT * sizeof(uint32_t))

struct sample {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    VkQueue queue;
    uint32_t queue_family;
    VkBuffer numbers;
    VkDeviceMemory memory;
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool descriptor_pool;
    VkDescriptorSet set;
    VkPipelineLayout pipeline_layout;
    VkPipeline pipeline;
    VkCommandPool command_pool;
    VkCommandBuffer commands;
    PFN_vkSetDebugUtilsObjectNameEXT set_name; /* NULL where VK_EXT_debug_utils is not offered */
    PFN_vkCmdBeginDebugUtilsLabelEXT begin_label;
    PFN_vkCmdEndDebugUtilsLabelEXT end_label;
};

static void sample_must(VkResult result, const char *what)
{
    if (result != VK_SUCCESS) {
        fprintf(stderr, "five_mistakes: %s failed: %d\n", what, result);
        exit(1);
    }
}

#define NAME(sample, type, handle, text) \
    name_sample_object(sample, VK_OBJECT_TYPE_##type, (uint64_t)(uintptr_t)(handle), text)

static void name_sample_object(const struct sample *sample, VkObjectType type, uint64_t handle,
                               const char *text)
{
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = text};
    if (sample->set_name)
        sample_must(sample->set_name(sample->device, &info), "vkSetDebugUtilsObjectNameEXT");
}

static bool debug_utils_offered(void)
{
    uint32_t count = 0;
    bool found = false;
    sample_must(vkEnumerateInstanceExtensionProperties(NULL, &count, NULL),
                "vkEnumerateInstanceExtensionProperties");
    VkExtensionProperties *properties = calloc(count, sizeof(*properties));
    if (properties &&
        vkEnumerateInstanceExtensionProperties(NULL, &count, properties) == VK_SUCCESS) {
        for (uint32_t i = 0; i < count; i++)
            found |= !strcmp(properties[i].extensionName, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    }
    free(properties);
    return found;
}

static void instance_create(struct sample *sample)
{
    const char *extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    const bool debug_utils = debug_utils_offered();
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "five_mistakes",
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application,
                                       .enabledExtensionCount = debug_utils,
                                       .ppEnabledExtensionNames = &extension};
    sample_must(vkCreateInstance(&info, NULL, &sample->instance), "vkCreateInstance");
    uint32_t count = 1;
    if (vkEnumeratePhysicalDevices(sample->instance, &count, &sample->physical_device) < 0 ||
        !count)
        sample_must(VK_ERROR_INITIALIZATION_FAILED, "finding a Vulkan device");
    if (debug_utils) {
        sample->set_name =
            (PFN_vkSetDebugUtilsObjectNameEXT)vkGetInstanceProcAddr(sample->instance,
                                                                    "vkSetDebugUtilsObjectNameEXT");
        sample->begin_label =
            (PFN_vkCmdBeginDebugUtilsLabelEXT)vkGetInstanceProcAddr(sample->instance,
                                                                    "vkCmdBeginDebugUtilsLabelEXT");
        sample->end_label =
            (PFN_vkCmdEndDebugUtilsLabelEXT)vkGetInstanceProcAddr(sample->instance,
                                                                  "vkCmdEndDebugUtilsLabelEXT");
    }
}

static void device_create(struct sample *sample)
{
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(sample->physical_device, &count, families);
    while (sample->queue_family + 1 < count &&
           !(families[sample->queue_family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        sample->queue_family++;
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = sample->queue_family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    sample_must(vkCreateDevice(sample->physical_device, &info, NULL, &sample->device),
                "vkCreateDevice");
    vkGetDeviceQueue(sample->device, sample->queue_family, 0, &sample->queue);
    NAME(sample, QUEUE, sample->queue, "compute queue");
}

static uint32_t host_memory_type(const struct sample *sample, uint32_t type_bits)
{
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(sample->physical_device, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++) {
        if ((type_bits >> i & 1u) && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    }
    sample_must(VK_ERROR_OUT_OF_DEVICE_MEMORY, "finding memory that the host can read");
    return 0;
}

static void numbers_create(struct sample *sample)
{
    /* Mistake 1: this structure extends VkMemoryAllocateInfo, not VkBufferCreateInfo. A driver
     * ignores it here, and the allocation below is not a dedicated one, as its author believes. */
    const VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
    const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .pNext = &dedicated,
                                       .size = BUFFER_SIZE,
                                       .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                                VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT};
    sample_must(vkCreateBuffer(sample->device, &buffer, NULL, &sample->numbers), "vkCreateBuffer");
    NAME(sample, BUFFER, sample->numbers, "numbers");

    VkMemoryRequirements need;
    vkGetBufferMemoryRequirements(sample->device, sample->numbers, &need);
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = need.size,
                                       .memoryTypeIndex =
                                           host_memory_type(sample, need.memoryTypeBits)};
    sample_must(vkAllocateMemory(sample->device, &info, NULL, &sample->memory), "vkAllocateMemory");
    sample_must(vkBindBufferMemory(sample->device, sample->numbers, sample->memory, 0),
                "vkBindBufferMemory");
    NAME(sample, DEVICE_MEMORY, sample->memory, "memory of numbers");
}

static void descriptors_create(struct sample *sample)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    };
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    sample_must(vkCreateDescriptorSetLayout(sample->device, &layout, NULL, &sample->set_layout),
                "vkCreateDescriptorSetLayout");
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 1}};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 2,
                                             .pPoolSizes = sizes};
    sample_must(vkCreateDescriptorPool(sample->device, &pool, NULL, &sample->descriptor_pool),
                "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo set = {.sType =
                                                 VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .descriptorPool = sample->descriptor_pool,
                                             .descriptorSetCount = 1,
                                             .pSetLayouts = &sample->set_layout};
    sample_must(vkAllocateDescriptorSets(sample->device, &set, &sample->set),
                "vkAllocateDescriptorSets");
    NAME(sample, DESCRIPTOR_SET, sample->set, "squares: set 0");
}

static void descriptors_fill(const struct sample *sample)
{
    const VkBufferViewCreateInfo view_info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                              .buffer = sample->numbers,
                                              .format = VK_FORMAT_R32_UINT,
                                              .range = VK_WHOLE_SIZE};
    VkBufferView view;
    sample_must(vkCreateBufferView(sample->device, &view_info, NULL, &view), "vkCreateBufferView");
    NAME(sample, BUFFER_VIEW, view, "view of last frame");
    vkDestroyBufferView(sample->device, view, NULL);

    /* Mistake 2: the view is gone when a descriptor comes to point to it. */
    const VkDescriptorBufferInfo buffer = {sample->numbers, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet writes[] = {
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstSet = sample->set,
         .descriptorCount = 1,
         .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
         .pBufferInfo = &buffer},
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstSet = sample->set,
         .dstBinding = 1,
         .descriptorCount = 1,
         .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
         .pTexelBufferView = &view}};
    vkUpdateDescriptorSets(sample->device, 2, writes, 0, NULL);
}

/* Mistake 3: VK_FILTER_CUBIC_EXT belongs to VK_EXT_filter_cubic, which device_create did not
 * enable. */
static void sampler_try(const struct sample *sample)
{
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .magFilter = VK_FILTER_CUBIC_EXT,
                                      .minFilter = VK_FILTER_LINEAR};
    VkSampler sampler;
    sample_must(vkCreateSampler(sample->device, &info, NULL, &sampler), "vkCreateSampler");
    vkDestroySampler(sample->device, sampler, NULL);
}

static void pipeline_create(struct sample *sample)
{
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &sample->set_layout};
    sample_must(vkCreatePipelineLayout(sample->device, &layout, NULL, &sample->pipeline_layout),
                "vkCreatePipelineLayout");
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof(squares_comp),
                                           .pCode = squares_comp};
    VkShaderModule module;
    sample_must(vkCreateShaderModule(sample->device, &code, NULL, &module), "vkCreateShaderModule");
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = sample->pipeline_layout};
    sample_must(vkCreateComputePipelines(sample->device, VK_NULL_HANDLE, 1, &info, NULL,
                                         &sample->pipeline),
                "vkCreateComputePipelines");
    vkDestroyShaderModule(sample->device, module, NULL);
    NAME(sample, PIPELINE, sample->pipeline, "squares");
}

static void label_begin(const struct sample *sample, const char *text)
{
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = text};
    if (sample->begin_label)
        sample->begin_label(sample->commands, &label);
}

static void label_end(const struct sample *sample)
{
    if (sample->end_label)
        sample->end_label(sample->commands);
}

static void barrier_to_host(const struct sample *sample)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(sample->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static void commands_record(struct sample *sample)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = sample->queue_family};
    sample_must(vkCreateCommandPool(sample->device, &pool, NULL, &sample->command_pool),
                "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = sample->command_pool,
        .commandBufferCount = 1};
    sample_must(vkAllocateCommandBuffers(sample->device, &allocate, &sample->commands),
                "vkAllocateCommandBuffers");
    NAME(sample, COMMAND_BUFFER, sample->commands, "frame 0");

    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    sample_must(vkBeginCommandBuffer(sample->commands, &begin), "vkBeginCommandBuffer");
    label_begin(sample, "squares pass");
    vkCmdBindPipeline(sample->commands, VK_PIPELINE_BIND_POINT_COMPUTE, sample->pipeline);
    vkCmdBindDescriptorSets(sample->commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                            sample->pipeline_layout, 0, 1, &sample->set, 0, NULL);
    vkCmdDispatch(sample->commands, NUMBER_COUNT / 64, 1, 1);
    label_end(sample);
    barrier_to_host(sample);
    sample_must(vkEndCommandBuffer(sample->commands), "vkEndCommandBuffer");

    /* Mistake 4: recorded once more, into a command buffer that has ended. */
    barrier_to_host(sample);
}

static void commands_submit(const struct sample *sample)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &sample->commands};
    sample_must(vkQueueSubmit(sample->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
    sample_must(vkQueueWaitIdle(sample->queue), "vkQueueWaitIdle");
}

static bool numbers_are_right(const struct sample *sample)
{
    void *data;
    sample_must(vkMapMemory(sample->device, sample->memory, 0, VK_WHOLE_SIZE, 0, &data),
                "vkMapMemory");
    const uint32_t *numbers = data;
    uint32_t right = 0;
    for (uint32_t i = 0; i < NUMBER_COUNT; i++)
        right += numbers[i] == i * i;
    vkUnmapMemory(sample->device, sample->memory);
    printf("five_mistakes: %u of %u squares are right\n", right, NUMBER_COUNT);
    return right == NUMBER_COUNT;
}

static void sample_destroy(const struct sample *sample)
{
    vkDestroyCommandPool(sample->device, sample->command_pool, NULL);
    vkDestroyPipeline(sample->device, sample->pipeline, NULL);
    vkDestroyPipelineLayout(sample->device, sample->pipeline_layout, NULL);
    vkDestroyDescriptorPool(sample->device, sample->descriptor_pool, NULL);
    vkDestroyDescriptorSetLayout(sample->device, sample->set_layout, NULL);
    /* Mistake 5: the memory is freed, but the buffer "numbers" outlives its device. */
    vkFreeMemory(sample->device, sample->memory, NULL);
    vkDestroyDevice(sample->device, NULL);
    vkDestroyInstance(sample->instance, NULL);
}

int main(void)
{
    struct sample sample = {0};
    instance_create(&sample);
    device_create(&sample);
    numbers_create(&sample);
    descriptors_create(&sample);
    descriptors_fill(&sample);
    sampler_try(&sample);
    pipeline_create(&sample);
    commands_record(&sample);
    commands_submit(&sample);
    const bool right = numbers_are_right(&sample);
    sample_destroy(&sample);
    return right ? 0 : 1;
}
