/* The driver says no: every result reaches the program as it came, nothing leaks, and what comes
 * next works. */
#include "scenario.h"

#include <stdlib.h>
#include <string.h>

#define LOST           VK_ERROR_DEVICE_LOST
#define NO_MEMORY      VK_ERROR_OUT_OF_DEVICE_MEMORY
#define NO_HOST_MEMORY VK_ERROR_OUT_OF_HOST_MEMORY
#define CHECKED(rest_) "{\"checkHandles\": true, " rest_ "}"

/* One creating command that fails: no object, no leak, no finding. */
#define FAILS(name_, Type_, info_, ...)                                                            \
    SCENARIO(name_##_fails, .drivers = NULL_DRIVER,                                                \
             .null_driver =                                                                        \
                 CHECKED("\"fail\": {\"vkCreate" #Type_ "\": \"VK_ERROR_OUT_OF_DEVICE_MEMORY\"}"), \
             ##__VA_ARGS__)                                                                        \
    {                                                                                              \
        Vk##Type_##CreateInfo info = info_;                                                        \
        Vk##Type_ handle = VK_NULL_HANDLE;                                                         \
        EXPECT_EQUAL(vkCreate##Type_(b->device, &info, NULL, &handle), NO_MEMORY);                 \
        EXPECT(handle == VK_NULL_HANDLE);                                                          \
    }                                                                                              \
    SCENARIO(name_##_fails_later, .drivers = NULL_DRIVER,                                          \
             .null_driver =                                                                        \
                 CHECKED("\"fail\": {\"vkCreate" #Type_                                            \
                         "\": \"VK_ERROR_OUT_OF_HOST_MEMORY\"}, \"failAfter\": {\"vkCreate" #Type_ \
                         "\": 2}"),                                                                \
             ##__VA_ARGS__)                                                                        \
    {                                                                                              \
        Vk##Type_##CreateInfo info = info_;                                                        \
        Vk##Type_ handles[3] = {VK_NULL_HANDLE, VK_NULL_HANDLE, VK_NULL_HANDLE};                   \
        VK(vkCreate##Type_(b->device, &info, NULL, &handles[0]));                                  \
        VK(vkCreate##Type_(b->device, &info, NULL, &handles[1]));                                  \
        EXPECT_EQUAL(vkCreate##Type_(b->device, &info, NULL, &handles[2]), NO_HOST_MEMORY);        \
        EXPECT(handles[0] != handles[1]);                                                          \
        vkDestroy##Type_(b->device, handles[0], NULL);                                             \
        vkDestroy##Type_(b->device, handles[1], NULL);                                             \
    }

static const VkPhysicalDeviceVulkan13Features private_data = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .privateData = VK_TRUE};

static VkShaderModuleCreateInfo shader_info(void)
{
    return (VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                      .codeSize = shader_fill_size,
                                      .pCode = shader_fill_code};
}

static VkPrivateDataSlotCreateInfo slot_info(void)
{
    return (VkPrivateDataSlotCreateInfo){.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
}

FAILS(buffer, Buffer, buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT))
FAILS(image, Image, image_info(VK_IMAGE_USAGE_SAMPLED_BIT))
FAILS(sampler, Sampler, sampler_info())
FAILS(render_pass, RenderPass, render_pass_info())
FAILS(descriptor_set_layout, DescriptorSetLayout, descriptor_set_layout_info())
FAILS(descriptor_pool, DescriptorPool, descriptor_pool_info())
FAILS(pipeline_layout, PipelineLayout, pipeline_layout_info(NULL))
FAILS(shader_module, ShaderModule, shader_info())
FAILS(pipeline_cache, PipelineCache, pipeline_cache_info())
FAILS(command_pool, CommandPool, command_pool_info(0))
FAILS(semaphore, Semaphore, semaphore_info())
FAILS(fence, Fence, fence_info())
FAILS(event, Event, event_info())
FAILS(query_pool, QueryPool, query_pool_info())
FAILS(private_data_slot, PrivateDataSlot, slot_info(), .features = &private_data)

SCENARIO(memory_fails, .drivers = NULL_DRIVER,
         .null_driver = CHECKED("\"fail\": {\"vkAllocateMemory\": \"VK_ERROR_TOO_MANY_OBJECTS\"}"))
{
    VkMemoryAllocateInfo info = memory_info(1024, 0);
    VkDeviceMemory memory = VK_NULL_HANDLE;
    EXPECT_EQUAL(vkAllocateMemory(b->device, &info, NULL, &memory), VK_ERROR_TOO_MANY_OBJECTS);
    EXPECT(memory == VK_NULL_HANDLE);
}

/* Allocations of several objects at once. */

SCENARIO(command_buffers_fail, .drivers = NULL_DRIVER,
         .null_driver =
             CHECKED("\"fail\": {\"vkAllocateCommandBuffers\": \"VK_ERROR_OUT_OF_HOST_MEMORY\"}"))
{
    VkCommandBuffer list[3] = {0};
    VkCommandBufferAllocateInfo info =
        command_buffer_info(make_command_pool(b), VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    info.commandBufferCount = 3;
    EXPECT_EQUAL(vkAllocateCommandBuffers(b->device, &info, list), NO_HOST_MEMORY);
    EXPECT(!list[0] && !list[1] && !list[2]);
    vkFreeCommandBuffers(b->device, info.commandPool, 3, list);
}

SCENARIO(descriptor_sets_fail, .drivers = NULL_DRIVER,
         .null_driver =
             CHECKED("\"fail\": {\"vkAllocateDescriptorSets\": \"VK_ERROR_OUT_OF_POOL_MEMORY\"}, "
                     "\"failAfter\": {\"vkAllocateDescriptorSets\": 1}"))
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b),
                          layouts[3] = {layout, layout, layout};
    VkDescriptorSet sets[3] = {0};
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = make_descriptor_pool(b),
                                        .descriptorSetCount = 3,
                                        .pSetLayouts = layouts};
    VK(vkAllocateDescriptorSets(b->device, &info, sets));
    VK(vkFreeDescriptorSets(b->device, info.descriptorPool, 3, sets));
    memset(sets, 0, sizeof(sets));
    EXPECT_EQUAL(vkAllocateDescriptorSets(b->device, &info, sets), VK_ERROR_OUT_OF_POOL_MEMORY);
    EXPECT(!sets[0] && !sets[1] && !sets[2]);
    VK(vkFreeDescriptorSets(b->device, info.descriptorPool, 3, sets));
}

/* Pipelines are made in part. */

static void make_compute_pipelines(struct baseline *b, VkPipeline pipelines[3], VkResult expected)
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    VkComputePipelineCreateInfo infos[] = {info, info, info};
    EXPECT_EQUAL(vkCreateComputePipelines(b->device, VK_NULL_HANDLE, 3, infos, NULL, pipelines),
                 expected);
}

SCENARIO(pipelines_made_in_part, .drivers = NULL_DRIVER,
         .null_driver = CHECKED("\"fail\": {\"vkCreateComputePipelines\": {\"result\": "
                                "\"VK_PIPELINE_COMPILE_REQUIRED\", \"null\": [1]}}"))
{
    VkPipeline pipelines[3];
    make_compute_pipelines(b, pipelines, VK_PIPELINE_COMPILE_REQUIRED);
    EXPECT(pipelines[0] && !pipelines[1] && pipelines[2] && pipelines[0] != pipelines[2]);
    vkCmdBindPipeline(make_recording(b), VK_PIPELINE_BIND_POINT_COMPUTE, pipelines[2]);
    for (int i = 0; i < 3; i++)
        vkDestroyPipeline(b->device, pipelines[i], NULL);
}

SCENARIO(pipelines_made_in_part_leak, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkDestroyDevice-device-05137"},
         .null_driver = CHECKED("\"fail\": {\"vkCreateComputePipelines\": {\"result\": "
                                "\"VK_PIPELINE_COMPILE_REQUIRED\", \"null\": [0, 2]}}"))
{
    VkPipeline pipelines[3];
    make_compute_pipelines(b, pipelines, VK_PIPELINE_COMPILE_REQUIRED);
    EXPECT(!pipelines[0] && pipelines[1] && !pipelines[2]);
}

SCENARIO(pipelines_made_in_part_with_an_error, .drivers = NULL_DRIVER,
         .null_driver = CHECKED("\"fail\": {\"vkCreateComputePipelines\": {\"result\": "
                                "\"VK_ERROR_OUT_OF_DEVICE_MEMORY\", \"null\": [1, 2]}}"))
{
    VkPipeline pipelines[3];
    make_compute_pipelines(b, pipelines, NO_MEMORY);
    EXPECT(pipelines[0] && !pipelines[1] && !pipelines[2]);
    vkDestroyPipeline(b->device, pipelines[0], NULL);
}

SCENARIO(pipelines_all_fail, .drivers = NULL_DRIVER,
         .null_driver =
             CHECKED("\"fail\": {\"vkCreateComputePipelines\": \"VK_ERROR_OUT_OF_HOST_MEMORY\"}"))
{
    VkPipeline pipelines[3] = {GARBAGE(VkPipeline), GARBAGE(VkPipeline), GARBAGE(VkPipeline)};
    make_compute_pipelines(b, pipelines, NO_HOST_MEMORY);
    EXPECT(!pipelines[0] && !pipelines[1] && !pipelines[2]);
}

SCENARIO(graphics_pipelines_made_in_part, .drivers = NULL_DRIVER,
         .null_driver = CHECKED("\"fail\": {\"vkCreateGraphicsPipelines\": {\"result\": "
                                "\"VK_PIPELINE_COMPILE_REQUIRED\", \"null\": [0]}}"))
{
    struct graphics_pipeline first, second;
    VkPipeline pipelines[2];
    begin_graphics_pipeline(b, &first, make_empty_pipeline_layout(b), make_render_pass(b));
    begin_graphics_pipeline(b, &second, make_empty_pipeline_layout(b), make_render_pass(b));
    VkGraphicsPipelineCreateInfo infos[] = {first.info, second.info};
    EXPECT_EQUAL(vkCreateGraphicsPipelines(b->device, VK_NULL_HANDLE, 2, infos, NULL, pipelines),
                 VK_PIPELINE_COMPILE_REQUIRED);
    EXPECT(!pipelines[0] && pipelines[1]);
    vkDestroyPipeline(b->device, pipelines[1], NULL);
}

/* Instances and devices. */

static void configure_null_driver(const char *json)
{
    FILE *file = fopen("null_driver.json", "w");
    ENSURE(file && fputs(json, file) >= 0 && fclose(file) == 0);
}

static VkResult try_device(struct baseline *b, VkDevice *device)
{
    float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue};
    *device = VK_NULL_HANDLE;
    return vkCreateDevice(b->physical_device, &info, NULL, device);
}

SCENARIO(instance_fails_then_works, .start = START_NOTHING, .drivers = NULL_DRIVER,
         .null_driver = "{\"fail\": {\"vkCreateInstance\": \"VK_ERROR_OUT_OF_HOST_MEMORY\"}}")
{
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .enabledLayerCount = 1,
                                 .ppEnabledLayerNames = &b->layer};
    VkInstance instance = VK_NULL_HANDLE;
    for (int i = 0; i < 5; i++)
        EXPECT(vkCreateInstance(&info, NULL, &instance) < 0);
    configure_null_driver("{\"checkHandles\": true}");
    world_start(b, NULL);
    make_any_framebuffer(b);
}

SCENARIO(device_fails_then_works, .start = START_INSTANCE, .drivers = NULL_DRIVER,
         .null_driver = "{\"fail\": {\"vkCreateDevice\": \"VK_ERROR_INITIALIZATION_FAILED\"}}")
{
    VkDevice device;
    for (int i = 0; i < 5; i++)
        EXPECT_EQUAL(try_device(b, &device), VK_ERROR_INITIALIZATION_FAILED);
    configure_null_driver("{\"checkHandles\": true}");
    VkInstance second = make_instance(b, NULL);
    VkPhysicalDevice first = b->physical_device;
    b->physical_device = first_physical_device(second);
    VK(try_device(b, &device));
    vkDestroyDevice(device, NULL);
    b->physical_device = first;
    vkDestroyInstance(second, NULL);
}

SCENARIO(second_device_fails, .drivers = NULL_DRIVER,
         .null_driver = CHECKED("\"fail\": {\"vkCreateDevice\": \"VK_ERROR_TOO_MANY_OBJECTS\"}, "
                                "\"failAfter\": {\"vkCreateDevice\": 1}"))
{
    VkDevice device;
    EXPECT_EQUAL(try_device(b, &device), VK_ERROR_TOO_MANY_OBJECTS);
    make_any_framebuffer(b);
}

SCENARIO(device_with_unknown_extension, .start = START_INSTANCE)
{
    const char *name = "VK_EXT_no_such_thing";
    float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = 1,
                               .ppEnabledExtensionNames = &name};
    VkDevice device = VK_NULL_HANDLE;
    EXPECT_EQUAL(vkCreateDevice(b->physical_device, &info, NULL, &device),
                 VK_ERROR_EXTENSION_NOT_PRESENT);
    VK(try_device(b, &device));
    vkDestroyDevice(device, NULL);
}

SCENARIO(feature_that_is_not_there, .start = START_INSTANCE, .drivers = NULL_DRIVER,
         .ours_only = true, .null_driver = "{\"features\": {\"geometryShader\": false}}",
         .expect = {"ASSAY-DeviceNotCreated"},
         .text = {"the physical device does not have the feature geometryShader"})
{
    float priority = 1;
    VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE};
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .pEnabledFeatures = &features};
    VkDevice device = VK_NULL_HANDLE;
    EXPECT_EQUAL(vkCreateDevice(b->physical_device, &info, NULL, &device),
                 VK_ERROR_FEATURE_NOT_PRESENT);
    EXPECT(device == VK_NULL_HANDLE);
}

/* Results that are not errors, and errors of commands that make nothing. */

#define PASSES_ON(name_, command_, result_, call_, ...)                                \
    SCENARIO(name_, .drivers = NULL_DRIVER,                                            \
             .null_driver = CHECKED("\"fail\": {\"" command_ "\": \"" #result_ "\"}"), \
             ##__VA_ARGS__)                                                            \
    {                                                                                  \
        EXPECT_EQUAL(call_, result_);                                                  \
    }

static VkResult submit_empty(struct baseline *b)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkSubmitInfo info = submit_info(&command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
    return vkQueueSubmit(b->queue, 1, &info, make_fence(b));
}

static VkResult wait_on_fence(struct baseline *b)
{
    VkFence fence = make_fence(b);
    return vkWaitForFences(b->device, 1, &fence, VK_TRUE, 1);
}

static VkResult map_memory(struct baseline *b)
{
    void *memory;
    return vkMapMemory(b->device, make_memory(b, 64), 0, VK_WHOLE_SIZE, 0, &memory);
}

static VkResult begin_commands(struct baseline *b)
{
    VkCommandBufferBeginInfo info = begin_info();
    return vkBeginCommandBuffer(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY), &info);
}

static VkResult bind_new_memory(struct baseline *b)
{
    return vkBindBufferMemory(b->device, make_unbound_buffer(b), make_memory(b, 65536), 0);
}

static VkResult query_results(struct baseline *b)
{
    uint32_t result;
    VkQueryPool pool = make_query_pool(b);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 4);
    run_commands(b, command_buffer);
    return vkGetQueryPoolResults(b->device, pool, 0, 1, sizeof(result), &result, sizeof(result), 0);
}

PASSES_ON(submit_loses_the_device, "vkQueueSubmit", VK_ERROR_DEVICE_LOST, submit_empty(b),
          .allow = {"ASSAY-DeviceLost"})
PASSES_ON(wait_times_out, "vkWaitForFences", VK_TIMEOUT, wait_on_fence(b))
PASSES_ON(map_fails, "vkMapMemory", VK_ERROR_MEMORY_MAP_FAILED, map_memory(b))
PASSES_ON(begin_fails, "vkBeginCommandBuffer", VK_ERROR_OUT_OF_HOST_MEMORY, begin_commands(b))
PASSES_ON(bind_fails, "vkBindBufferMemory", VK_ERROR_OUT_OF_DEVICE_MEMORY, bind_new_memory(b))
PASSES_ON(queries_not_ready, "vkGetQueryPoolResults", VK_NOT_READY, query_results(b))
PASSES_ON(fence_not_ready, "vkGetFenceStatus", VK_NOT_READY,
          vkGetFenceStatus(b->device, make_fence(b)))
PASSES_ON(event_set, "vkGetEventStatus", VK_EVENT_SET, vkGetEventStatus(b->device, make_event(b)))

/* A command buffer whose beginning failed is not in the recording state. */
SCENARIO(record_after_failed_begin, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkCmdSetLineWidth-commandBuffer-recording"},
         .null_driver = "{\"fail\": {\"vkBeginCommandBuffer\": \"VK_ERROR_OUT_OF_HOST_MEMORY\"}}")
{
    VkCommandBuffer command_buffer = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo info = begin_info();
    EXPECT_EQUAL(vkBeginCommandBuffer(command_buffer, &info), NO_HOST_MEMORY);
    vkCmdSetLineWidth(command_buffer, 1.0f);
}

/* Swapchains. */
#define WSI                                                          \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME,           \
                            VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME}, \
    .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}

SCENARIO(swapchain_fails, .drivers = NULL_DRIVER,
         .null_driver =
             CHECKED("\"fail\": {\"vkCreateSwapchainKHR\": \"VK_ERROR_NATIVE_WINDOW_IN_USE_KHR\"}"),
         WSI)
{
    VkSurfaceKHR surface = make_surface(b);
    VkBool32 supported;
    VkSurfaceCapabilitiesKHR capabilities;
    VK(vkGetPhysicalDeviceSurfaceSupportKHR(b->physical_device, b->queue_family, surface,
                                            &supported));
    VK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(b->physical_device, surface, &capabilities));
    VkSwapchainCreateInfoKHR info = swapchain_info(surface);
    VkSwapchainKHR swapchain = VK_NULL_HANDLE;
    EXPECT_EQUAL(DEVICE_PROC(b, vkCreateSwapchainKHR)(b->device, &info, NULL, &swapchain),
                 VK_ERROR_NATIVE_WINDOW_IN_USE_KHR);
    EXPECT(swapchain == VK_NULL_HANDLE);
}

SCENARIO(swapchain_out_of_date, .drivers = NULL_DRIVER,
         .null_driver =
             CHECKED("\"fail\": {\"vkAcquireNextImageKHR\": \"VK_ERROR_OUT_OF_DATE_KHR\"}"),
         WSI)
{
    VkSwapchainKHR swapchain = make_swapchain(b);
    uint32_t index = 0;
    EXPECT_EQUAL(DEVICE_PROC(b, vkAcquireNextImageKHR)(b->device, swapchain, 1, make_semaphore(b),
                                                       VK_NULL_HANDLE, &index),
                 VK_ERROR_OUT_OF_DATE_KHR);
}

SCENARIO(swapchain_suboptimal, .drivers = NULL_DRIVER,
         .null_driver = CHECKED("\"fail\": {\"vkAcquireNextImageKHR\": \"VK_SUBOPTIMAL_KHR\"}"),
         WSI)
{
    VkSwapchainKHR swapchain = make_swapchain(b);
    uint32_t index = 0;
    EXPECT_EQUAL(DEVICE_PROC(b, vkAcquireNextImageKHR)(b->device, swapchain, 1, make_semaphore(b),
                                                       VK_NULL_HANDLE, &index),
                 VK_SUBOPTIMAL_KHR);
}

SCENARIO(list_incomplete)
{
    uint32_t one = 1;
    VkExtensionProperties list[1];
    EXPECT_EQUAL(vkEnumerateDeviceExtensionProperties(b->physical_device, NULL, &one, list),
                 VK_INCOMPLETE);
    EXPECT_EQUAL(one, 1);
}

/* --- the layer's own questions --- */

/* A driver that fails to answer does not deny that it can make such images. */
#define IMAGES(result_)                                                                          \
    .drivers = NULL_DRIVER,                                                                      \
    .null_driver = CHECKED("\"fail\": {\"vkGetPhysicalDeviceImageFormatProperties\": \"" result_ \
                           "\", \"vkGetPhysicalDeviceImageFormatProperties2\": \"" result_ "\"}")
SCENARIO(image_limits_not_answered, IMAGES("VK_ERROR_OUT_OF_HOST_MEMORY"))
{
    make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT);
}
SCENARIO(image_limits_of_no_image, IMAGES("VK_ERROR_FORMAT_NOT_SUPPORTED"),
         .expect = {"VUID-VkImageCreateInfo-imageCreateMaxMipLevels-02251"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    create_image(b, &info);
}
