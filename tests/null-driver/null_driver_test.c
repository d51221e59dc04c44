/* Checks that the null driver, seen through the real loader, advertises everything and answers as a
 * driver has to.
 *
 * VK_DRIVER_FILES names the driver; each test makes its own instance, some with a configuration
 * written for it. */
#include "null_test_tables.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define COUNT(array)         (sizeof(array) / sizeof((array)[0]))
#define assert_success(call) assert_int_equal(call, VK_SUCCESS)

/* Room for the largest structure of features or properties. */
#define CHAIN_SLOT 2048

struct context {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    VkQueue queue;
};

/* With every instance extension that there is. A driver whose configuration has an error makes no
 * instance. */
static VkResult null_instance_create(VkInstance *instance)
{
    VkExtensionProperties properties[128];
    const char *names[COUNT(properties)];
    uint32_t count = COUNT(properties);
    if (vkEnumerateInstanceExtensionProperties(NULL, &count, properties) != VK_SUCCESS)
        return VK_ERROR_INITIALIZATION_FAILED;
    for (uint32_t i = 0; i < count; i++)
        names[i] = properties[i].extensionName;
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_4};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &application,
                                 .enabledExtensionCount = count,
                                 .ppEnabledExtensionNames = names};
    return vkCreateInstance(&info, NULL, instance);
}

static void context_open_instance(struct context *context)
{
    uint32_t count = 1;
    *context = (struct context){0};
    assert_success(null_instance_create(&context->instance));
    assert_success(vkEnumeratePhysicalDevices(context->instance, &count,
                                              &context->physical_device));
    assert_int_equal(count, 1);
}

static VkResult null_device_create(struct context *context, const void *chain,
                                   uint32_t extension_count, const char *const *extensions)
{
    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = chain,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = extension_count,
                               .ppEnabledExtensionNames = extensions};
    VkResult result = vkCreateDevice(context->physical_device, &info, NULL, &context->device);
    if (result == VK_SUCCESS)
        vkGetDeviceQueue(context->device, 0, 0, &context->queue);
    return result;
}

static void context_open(struct context *context)
{
    static const char *const extensions[] = {"VK_KHR_swapchain"};
    context_open_instance(context);
    assert_success(null_device_create(context, NULL, COUNT(extensions), extensions));
    assert_non_null(context->queue);
}

static void context_close(struct context *context)
{
    if (context->device)
        vkDestroyDevice(context->device, NULL);
    vkDestroyInstance(context->instance, NULL);
}

/* Links one zeroed slot per structure; the caller frees the result. */
static VkBaseOutStructure *chain_make(const struct chained *structures, size_t count)
{
    char *slots = calloc(count, CHAIN_SLOT);
    assert_non_null(slots);
    for (size_t i = 0; i < count; i++) {
        VkBaseOutStructure *structure = (VkBaseOutStructure *)(slots + i * CHAIN_SLOT);
        assert_true(structures[i].size <= CHAIN_SLOT);
        structure->sType = structures[i].stype;
        structure->pNext =
            i + 1 < count ? (VkBaseOutStructure *)(slots + (i + 1) * CHAIN_SLOT) : NULL;
    }
    return (VkBaseOutStructure *)slots;
}

/* --- what is advertised ----------------------------------------------------------------------- */

static bool extension_is_listed(const char *name, const VkExtensionProperties *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(list[i].extensionName, name) == 0)
            return true;
    }
    return false;
}

static void test_every_extension_is_advertised(void **state)
{
    struct context context;
    static VkExtensionProperties extensions[2048];
    uint32_t instance_count = 1024, device_count = 1024;
    context_open_instance(&context);
    assert_success(vkEnumerateInstanceExtensionProperties(NULL, &instance_count, extensions));
    assert_success(vkEnumerateDeviceExtensionProperties(context.physical_device, NULL,
                                                        &device_count,
                                                        extensions + instance_count));
    for (size_t i = 0; i < COUNT(known_extensions); i++) {
        if (!extension_is_listed(known_extensions[i], extensions, instance_count + device_count))
            fail_msg("%s is not advertised", known_extensions[i]);
    }
    uint32_t one = 1;
    assert_int_equal(vkEnumerateDeviceExtensionProperties(context.physical_device, NULL, &one,
                                                          extensions),
                     VK_INCOMPLETE);
    context_close(&context);
}

static void test_every_feature_is_true(void **state)
{
    struct context context;
    context_open_instance(&context);
    VkBaseOutStructure *chain = chain_make(feature_structs, COUNT(feature_structs));
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = chain};
    vkGetPhysicalDeviceFeatures2(context.physical_device, &features);
    for (size_t i = 0; i < sizeof(VkPhysicalDeviceFeatures) / sizeof(VkBool32); i++)
        assert_int_equal(((VkBool32 *)&features.features)[i], VK_TRUE);
    size_t i = 0;
    for (const VkBaseOutStructure *structure = chain; structure;
         structure = structure->pNext, i++) {
        assert_int_equal(structure->sType, feature_structs[i].stype);
        /* The structure's last word may be padding. */
        const VkBool32 *values =
            (const VkBool32 *)((const char *)structure + sizeof(VkBaseOutStructure));
        size_t words = (feature_structs[i].size - sizeof(VkBaseOutStructure)) / sizeof(VkBool32);
        for (size_t word = 0; word + 1 < words; word++)
            assert_int_equal(values[word], VK_TRUE);
        assert_int_equal(values[0], VK_TRUE);
    }
    assert_int_equal(i, COUNT(feature_structs));
    free(chain);
    context_close(&context);
}

static bool is_power_of_two(uint64_t value)
{
    return value && !(value & (value - 1));
}

static void test_properties_are_filled_and_agree(void **state)
{
    struct context context;
    context_open_instance(&context);
    VkBaseOutStructure *chain = chain_make(property_structs, COUNT(property_structs));
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = chain};
    vkGetPhysicalDeviceProperties2(context.physical_device, &properties);
    assert_string_equal(properties.properties.deviceName, "Assay null driver");
    assert_int_equal(VK_API_VERSION_MINOR(properties.properties.apiVersion), 4);
    const VkPhysicalDeviceVulkan11Properties *core11 = NULL;
    const VkPhysicalDeviceSubgroupProperties *subgroup = NULL;
    const VkPhysicalDeviceIDProperties *id = NULL;
    for (const VkBaseOutStructure *structure = chain; structure; structure = structure->pNext) {
        if (structure->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES)
            core11 = (const void *)structure;
        if (structure->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES)
            subgroup = (const void *)structure;
        if (structure->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES)
            id = (const void *)structure;
    }
    assert_non_null(core11);
    assert_non_null(subgroup);
    assert_non_null(id);
    assert_true(is_power_of_two(subgroup->subgroupSize));
    assert_int_equal(core11->subgroupSize, subgroup->subgroupSize);
    assert_int_equal(core11->subgroupSupportedOperations, subgroup->supportedOperations);
    assert_int_equal(core11->subgroupSupportedStages, subgroup->supportedStages);
    assert_memory_equal(core11->deviceUUID, id->deviceUUID, VK_UUID_SIZE);
    free(chain);

    VkImageLayout layouts[64];
    VkPhysicalDeviceHostImageCopyProperties copy = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_PROPERTIES};
    properties.pNext = &copy;
    vkGetPhysicalDeviceProperties2(context.physical_device, &properties);
    assert_uint_in_range(copy.copySrcLayoutCount, 1, COUNT(layouts));
    uint32_t total = copy.copySrcLayoutCount;
    copy.pCopySrcLayouts = layouts;
    vkGetPhysicalDeviceProperties2(context.physical_device, &properties);
    assert_int_equal(copy.copySrcLayoutCount, total);
    assert_int_equal(layouts[0], VK_IMAGE_LAYOUT_GENERAL);
    context_close(&context);
}

static void test_queue_families(void **state)
{
    struct context context;
    VkQueueFamilyProperties families[16];
    uint32_t count = COUNT(families);
    context_open_instance(&context);
    vkGetPhysicalDeviceQueueFamilyProperties(context.physical_device, &count, families);
    assert_true(count >= 5);
    assert_true(families[0].queueFlags & VK_QUEUE_GRAPHICS_BIT);
    assert_int_equal(families[0].queueCount, 4);
    assert_false(families[1].queueFlags & VK_QUEUE_GRAPHICS_BIT);
    assert_true(families[3].queueFlags & VK_QUEUE_VIDEO_DECODE_BIT_KHR);
    assert_true(families[4].queueFlags & VK_QUEUE_VIDEO_ENCODE_BIT_KHR);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(families[i].timestampValidBits, 64);
    context_close(&context);
}

static void test_formats(void **state)
{
    struct context context;
    VkFormatProperties color, depth, compressed;
    context_open_instance(&context);
    vkGetPhysicalDeviceFormatProperties(context.physical_device, VK_FORMAT_R8G8B8A8_UNORM, &color);
    vkGetPhysicalDeviceFormatProperties(context.physical_device, VK_FORMAT_D32_SFLOAT_S8_UINT,
                                        &depth);
    vkGetPhysicalDeviceFormatProperties(context.physical_device, VK_FORMAT_BC7_SRGB_BLOCK,
                                        &compressed);
    assert_true(color.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT);
    assert_true(color.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT);
    assert_false(color.optimalTilingFeatures & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT);
    assert_true(depth.optimalTilingFeatures & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT);
    assert_int_equal(depth.bufferFeatures, 0);
    assert_true(compressed.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT);
    assert_false(compressed.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);

    VkImageFormatProperties image;
    assert_success(vkGetPhysicalDeviceImageFormatProperties(context.physical_device,
                                                            VK_FORMAT_R8G8B8A8_UNORM,
                                                            VK_IMAGE_TYPE_2D,
                                                            VK_IMAGE_TILING_OPTIMAL,
                                                            VK_IMAGE_USAGE_SAMPLED_BIT, 0, &image));
    assert_int_equal(image.maxExtent.depth, 1);
    assert_true(image.sampleCounts & VK_SAMPLE_COUNT_4_BIT);
    assert_int_equal(vkGetPhysicalDeviceImageFormatProperties(context.physical_device,
                                                              VK_FORMAT_D32_SFLOAT,
                                                              VK_IMAGE_TYPE_2D,
                                                              VK_IMAGE_TILING_OPTIMAL,
                                                              VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                                              0, &image),
                     VK_ERROR_FORMAT_NOT_SUPPORTED);
    context_close(&context);
}

static void test_device_with_everything(void **state)
{
    struct context context;
    static VkExtensionProperties properties[1024];
    static const char *names[1024];
    uint32_t count = COUNT(properties);
    context_open_instance(&context);
    assert_success(vkEnumerateDeviceExtensionProperties(context.physical_device, NULL, &count,
                                                        properties));
    for (uint32_t i = 0; i < count; i++)
        names[i] = properties[i].extensionName;
    VkBaseOutStructure *chain = chain_make(feature_structs, COUNT(feature_structs));
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = chain};
    vkGetPhysicalDeviceFeatures2(context.physical_device, &features);
    assert_success(null_device_create(&context, &features, count, names));
    for (size_t i = 0; i < COUNT(device_commands); i++) {
        if (!vkGetDeviceProcAddr(context.device, device_commands[i]))
            fail_msg("%s has no entry", device_commands[i]);
    }
    assert_null(vkGetDeviceProcAddr(context.device, "vkNoSuchCommand"));
    assert_null(vkGetDeviceProcAddr(context.device, "vkCreateInstance"));
    free(chain);
    context_close(&context);
}

/* --- objects ---------------------------------------------------------------------------------- */

static void test_memory_can_be_mapped(void **state)
{
    struct context context;
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkMemoryRequirements requirements;
    char *bytes, *again;
    context_open(&context);
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = 10000,
                               .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
    assert_success(vkCreateBuffer(context.device, &info, NULL, &buffer));
    vkGetBufferMemoryRequirements(context.device, buffer, &requirements);
    assert_true(requirements.size >= 10000);
    assert_true(is_power_of_two(requirements.alignment));
    VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .allocationSize = requirements.size,
                                     .memoryTypeIndex = 1};
    assert_success(vkAllocateMemory(context.device, &allocate, NULL, &memory));
    assert_success(vkBindBufferMemory(context.device, buffer, memory, 0));
    assert_success(vkMapMemory(context.device, memory, 0, VK_WHOLE_SIZE, 0, (void **)&bytes));
    memset(bytes, 7, requirements.size);
    vkUnmapMemory(context.device, memory);
    assert_success(vkMapMemory(context.device, memory, 256, 256, 0, (void **)&again));
    assert_ptr_equal(again, bytes + 256);
    assert_int_equal(*again, 7);

    VkBufferDeviceAddressInfo address = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                         .buffer = buffer};
    VkDeviceAddress first = vkGetBufferDeviceAddress(context.device, &address);
    assert_true(first != 0);
    VkBuffer other;
    assert_success(vkCreateBuffer(context.device, &info, NULL, &other));
    address.buffer = other;
    VkDeviceAddress second = vkGetBufferDeviceAddress(context.device, &address);
    assert_true(second + 10000 <= first || first + 10000 <= second);
    allocate.allocationSize = 1ull << 60;
    VkDeviceMemory too_large;
    assert_int_equal(vkAllocateMemory(context.device, &allocate, NULL, &too_large),
                     VK_ERROR_OUT_OF_DEVICE_MEMORY);
    vkDestroyBuffer(context.device, buffer, NULL);
    vkDestroyBuffer(context.device, other, NULL);
    vkFreeMemory(context.device, memory, NULL);
    context_close(&context);
}

static void test_image_requirements_follow_the_size(void **state)
{
    struct context context;
    VkMemoryRequirements requirements;
    VkImage image;
    context_open(&context);
    VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .imageType = VK_IMAGE_TYPE_2D,
                              .format = VK_FORMAT_R8G8B8A8_UNORM,
                              .extent = {256, 256, 1},
                              .mipLevels = 1,
                              .arrayLayers = 2,
                              .samples = VK_SAMPLE_COUNT_1_BIT,
                              .tiling = VK_IMAGE_TILING_LINEAR,
                              .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    assert_success(vkCreateImage(context.device, &info, NULL, &image));
    vkGetImageMemoryRequirements(context.device, image, &requirements);
    assert_int_equal(requirements.size, 2 * 256 * 256 * 4);
    VkImageSubresource subresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .arrayLayer = 1};
    VkSubresourceLayout layout;
    vkGetImageSubresourceLayout(context.device, image, &subresource, &layout);
    assert_int_equal(layout.offset, 256 * 256 * 4);
    assert_int_equal(layout.rowPitch, 1024);
    vkDestroyImage(context.device, image, NULL);
    context_close(&context);
}

/* A pool's children go with it, and handles that are alive at once differ. */
static void test_pools(void **state)
{
    struct context context;
    VkCommandPool pool;
    VkCommandBuffer buffers[100];
    context_open(&context);
    VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    assert_success(vkCreateCommandPool(context.device, &info, NULL, &pool));
    VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = pool,
                                            .commandBufferCount = COUNT(buffers)};
    assert_success(vkAllocateCommandBuffers(context.device, &allocate, buffers));
    for (size_t i = 0; i < COUNT(buffers); i++) {
        for (size_t j = 0; j < i; j++)
            assert_ptr_not_equal(buffers[i], buffers[j]);
    }
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    assert_success(vkBeginCommandBuffer(buffers[0], &begin));
    vkCmdSetLineWidth(buffers[0], 1.0f);
    assert_success(vkEndCommandBuffer(buffers[0]));
    vkFreeCommandBuffers(context.device, pool, 10, buffers);
    vkDestroyCommandPool(context.device, pool, NULL);
    context_close(&context);
}

static void test_blobs_follow_the_two_call_idiom(void **state)
{
    struct context context;
    VkPipelineCache cache;
    VkPipelineCacheHeaderVersionOne header;
    size_t size = 0;
    context_open(&context);
    VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    assert_success(vkCreatePipelineCache(context.device, &info, NULL, &cache));
    assert_success(vkGetPipelineCacheData(context.device, cache, &size, NULL));
    assert_int_equal(size, sizeof(header));
    assert_success(vkGetPipelineCacheData(context.device, cache, &size, &header));
    assert_int_equal(header.headerVersion, VK_PIPELINE_CACHE_HEADER_VERSION_ONE);
    size = sizeof(header) - 1;
    assert_int_equal(vkGetPipelineCacheData(context.device, cache, &size, &header), VK_INCOMPLETE);
    vkDestroyPipelineCache(context.device, cache, NULL);
    context_close(&context);
}

static void test_query_results_are_available(void **state)
{
    struct context context;
    VkQueryPool pool;
    uint64_t results[4][2];
    context_open(&context);
    VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                  .queryType = VK_QUERY_TYPE_OCCLUSION,
                                  .queryCount = 4};
    memset(results, 0xff, sizeof(results));
    assert_success(vkCreateQueryPool(context.device, &info, NULL, &pool));
    assert_success(vkGetQueryPoolResults(context.device, pool, 0, 4, sizeof(results), results,
                                         sizeof(results[0]),
                                         VK_QUERY_RESULT_64_BIT |
                                             VK_QUERY_RESULT_WITH_AVAILABILITY_BIT));
    for (size_t i = 0; i < COUNT(results); i++) {
        assert_int_equal(results[i][0], 0);
        assert_int_equal(results[i][1], 1);
    }
    vkDestroyQueryPool(context.device, pool, NULL);
    context_close(&context);
}

static void test_private_data_is_kept(void **state)
{
    struct context context;
    VkPrivateDataSlot slot;
    VkEvent event;
    uint64_t value = 1;
    context_open(&context);
    VkPrivateDataSlotCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
    VkEventCreateInfo event_info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    assert_success(vkCreatePrivateDataSlot(context.device, &info, NULL, &slot));
    assert_success(vkCreateEvent(context.device, &event_info, NULL, &event));
    uint64_t handle = (uint64_t)(uintptr_t)event;
    vkGetPrivateData(context.device, VK_OBJECT_TYPE_EVENT, handle, slot, &value);
    assert_int_equal(value, 0);
    assert_success(vkSetPrivateData(context.device, VK_OBJECT_TYPE_EVENT, handle, slot, 42));
    vkGetPrivateData(context.device, VK_OBJECT_TYPE_EVENT, handle, slot, &value);
    assert_int_equal(value, 42);
    vkDestroyEvent(context.device, event, NULL);
    vkDestroyPrivateDataSlot(context.device, slot, NULL);
    context_close(&context);
}

static void test_events(void **state)
{
    struct context context;
    VkEvent event;
    context_open(&context);
    VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    assert_success(vkCreateEvent(context.device, &info, NULL, &event));
    assert_int_equal(vkGetEventStatus(context.device, event), VK_EVENT_RESET);
    assert_success(vkSetEvent(context.device, event));
    assert_int_equal(vkGetEventStatus(context.device, event), VK_EVENT_SET);
    assert_success(vkResetEvent(context.device, event));
    assert_int_equal(vkGetEventStatus(context.device, event), VK_EVENT_RESET);
    vkDestroyEvent(context.device, event, NULL);
    context_close(&context);
}

/* A driver-handle mode of the layer lets wrong handles through; they must not take the test's
 * process down. */
static void test_wrong_handles_are_ignored(void **state)
{
    struct context context;
    VkFence fence;
    VkMemoryRequirements requirements;
    context_open(&context);
    VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    assert_success(vkCreateFence(context.device, &info, NULL, &fence));
    vkDestroyFence(context.device, fence, NULL);
    vkDestroyFence(context.device, fence, NULL);
    vkDestroyFence(context.device, (VkFence)(uintptr_t)0x1234567, NULL);
    vkGetBufferMemoryRequirements(context.device, (VkBuffer)fence, &requirements);
    assert_success(vkWaitForFences(context.device, 1, &fence, VK_TRUE, 0));
    context_close(&context);
}

/* --- synchronisation -------------------------------------------------------------------------- */

static VkSemaphore timeline_create(VkDevice device, uint64_t initial)
{
    VkSemaphore semaphore;
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
                                      .initialValue = initial};
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    assert_success(vkCreateSemaphore(device, &info, NULL, &semaphore));
    return semaphore;
}

static VkFence fence_create(VkDevice device)
{
    VkFence fence;
    VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    assert_success(vkCreateFence(device, &info, NULL, &fence));
    return fence;
}

static uint64_t counter_value(VkDevice device, VkSemaphore semaphore)
{
    uint64_t value;
    assert_success(vkGetSemaphoreCounterValue(device, semaphore, &value));
    return value;
}

static VkResult submit_semaphores(VkQueue queue, VkSemaphore wait, uint64_t wait_value,
                                  VkSemaphore signal, uint64_t signal_value, VkFence fence)
{
    VkSemaphoreSubmitInfo waits = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = wait, .value = wait_value};
    VkSemaphoreSubmitInfo signals = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                     .semaphore = signal,
                                     .value = signal_value};
    VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                          .waitSemaphoreInfoCount = wait != VK_NULL_HANDLE,
                          .pWaitSemaphoreInfos = &waits,
                          .signalSemaphoreInfoCount = signal != VK_NULL_HANDLE,
                          .pSignalSemaphoreInfos = &signals};
    return vkQueueSubmit2(queue, 1, &info, fence);
}

static void test_fences_signal_at_submit(void **state)
{
    struct context context;
    context_open(&context);
    VkFence fence = fence_create(context.device);
    assert_int_equal(vkGetFenceStatus(context.device, fence), VK_NOT_READY);
    assert_int_equal(vkWaitForFences(context.device, 1, &fence, VK_TRUE, 1000), VK_TIMEOUT);
    assert_success(vkQueueSubmit(context.queue, 0, NULL, fence));
    assert_success(vkGetFenceStatus(context.device, fence));
    assert_success(vkWaitForFences(context.device, 1, &fence, VK_TRUE, UINT64_MAX));
    assert_success(vkResetFences(context.device, 1, &fence));
    assert_int_equal(vkGetFenceStatus(context.device, fence), VK_NOT_READY);
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO};
    assert_success(vkQueueSubmit(context.queue, 1, &info, fence));
    assert_success(vkGetFenceStatus(context.device, fence));
    vkDestroyFence(context.device, fence, NULL);
    context_close(&context);
}

static void test_timeline_values(void **state)
{
    struct context context;
    context_open(&context);
    VkSemaphore semaphore = timeline_create(context.device, 3);
    assert_int_equal(counter_value(context.device, semaphore), 3);
    assert_success(submit_semaphores(context.queue, VK_NULL_HANDLE, 0, semaphore, 5,
                                     VK_NULL_HANDLE));
    assert_int_equal(counter_value(context.device, semaphore), 5);
    uint64_t signaled = 9;
    VkTimelineSemaphoreSubmitInfo values = {.sType =
                                                VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                            .signalSemaphoreValueCount = 1,
                                            .pSignalSemaphoreValues = &signaled};
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .pNext = &values,
                         .signalSemaphoreCount = 1,
                         .pSignalSemaphores = &semaphore};
    assert_success(vkQueueSubmit(context.queue, 1, &info, VK_NULL_HANDLE));
    assert_int_equal(counter_value(context.device, semaphore), 9);
    uint64_t wanted = 10;
    VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .semaphoreCount = 1,
                                .pSemaphores = &semaphore,
                                .pValues = &wanted};
    assert_int_equal(vkWaitSemaphores(context.device, &wait, 1000), VK_TIMEOUT);
    vkDestroySemaphore(context.device, semaphore, NULL);
    context_close(&context);
}

/* Work that waits for a value that comes later stays pending, and so does what comes after it on
 * the queue. */
static void test_wait_before_signal(void **state)
{
    struct context context;
    context_open(&context);
    VkSemaphore first = timeline_create(context.device, 0),
                second = timeline_create(context.device, 0);
    VkFence fences[2] = {fence_create(context.device), fence_create(context.device)};
    assert_success(submit_semaphores(context.queue, first, 1, second, 7, fences[0]));
    assert_success(submit_semaphores(context.queue, VK_NULL_HANDLE, 0, VK_NULL_HANDLE, 0,
                                     fences[1]));
    assert_int_equal(vkGetFenceStatus(context.device, fences[0]), VK_NOT_READY);
    assert_int_equal(vkGetFenceStatus(context.device, fences[1]), VK_NOT_READY);
    assert_int_equal(counter_value(context.device, second), 0);
    VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = first, .value = 1};
    assert_success(vkSignalSemaphore(context.device, &signal));
    assert_success(vkWaitForFences(context.device, 2, fences, VK_TRUE, 0));
    assert_int_equal(counter_value(context.device, second), 7);
    assert_success(vkQueueWaitIdle(context.queue));
    vkDestroySemaphore(context.device, first, NULL);
    vkDestroySemaphore(context.device, second, NULL);
    vkDestroyFence(context.device, fences[0], NULL);
    vkDestroyFence(context.device, fences[1], NULL);
    context_close(&context);
}

struct ping {
    struct context *context;
    VkSemaphore semaphore;
};

#define PING_COUNT 2000

/* Signals the odd values when the even ones have come. */
static void *ping_thread(void *argument)
{
    struct ping *ping = argument;
    for (uint64_t value = 0; value < PING_COUNT; value += 2) {
        VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                    .semaphoreCount = 1,
                                    .pSemaphores = &ping->semaphore,
                                    .pValues = &value};
        VkSemaphoreSignalInfo signal = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                        .semaphore = ping->semaphore,
                                        .value = value + 1};
        if (vkWaitSemaphores(ping->context->device, &wait, UINT64_MAX) != VK_SUCCESS ||
            vkSignalSemaphore(ping->context->device, &signal) != VK_SUCCESS)
            return "failed";
    }
    return NULL;
}

static void test_threads_wait_for_each_other(void **state)
{
    struct context context;
    pthread_t thread;
    void *failure;
    context_open(&context);
    struct ping ping = {&context, timeline_create(context.device, 0)};
    assert_int_equal(pthread_create(&thread, NULL, ping_thread, &ping), 0);
    for (uint64_t value = 1; value < PING_COUNT; value += 2)
        assert_success(submit_semaphores(context.queue, ping.semaphore, value, ping.semaphore,
                                         value + 1, VK_NULL_HANDLE));
    assert_success(vkDeviceWaitIdle(context.device));
    assert_int_equal(pthread_join(thread, &failure), 0);
    assert_null(failure);
    assert_int_equal(counter_value(context.device, ping.semaphore), PING_COUNT);
    vkDestroySemaphore(context.device, ping.semaphore, NULL);
    context_close(&context);
}

/* Objects come and go on several threads, and are freed by another than made them. */
static void *churn_thread(void *argument)
{
    struct context *context = argument;
    VkFence fences[300];
    for (int round = 0; round < 50; round++) {
        for (size_t i = 0; i < COUNT(fences); i++) {
            VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                      .flags = VK_FENCE_CREATE_SIGNALED_BIT};
            if (vkCreateFence(context->device, &info, NULL, &fences[i]) != VK_SUCCESS)
                return "creation failed";
        }
        for (size_t i = 0; i < COUNT(fences); i++) {
            if (vkGetFenceStatus(context->device, fences[i]) != VK_SUCCESS)
                return "a fence was not signaled";
            vkDestroyFence(context->device, fences[i], NULL);
        }
    }
    return NULL;
}

static void test_objects_churn_on_threads(void **state)
{
    struct context context;
    pthread_t threads[4];
    context_open(&context);
    for (size_t i = 0; i < COUNT(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, churn_thread, &context), 0);
    for (size_t i = 0; i < COUNT(threads); i++) {
        void *failure;
        assert_int_equal(pthread_join(threads[i], &failure), 0);
        assert_null(failure);
    }
    context_close(&context);
}

/* --- presentation ----------------------------------------------------------------------------- */

static void test_swapchain_on_a_headless_surface(void **state)
{
    struct context context;
    VkSurfaceKHR surface;
    VkSwapchainKHR swapchain;
    VkImage images[8];
    uint32_t count = 0, index;
    context_open(&context);
    PFN_vkCreateHeadlessSurfaceEXT create =
        (PFN_vkCreateHeadlessSurfaceEXT)vkGetInstanceProcAddr(context.instance,
                                                              "vkCreateHeadlessSurfaceEXT");
    VkHeadlessSurfaceCreateInfoEXT surface_info = {
        .sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    assert_success(create(context.instance, &surface_info, NULL, &surface));
    VkBool32 supported = VK_FALSE;
    assert_success(vkGetPhysicalDeviceSurfaceSupportKHR(context.physical_device, 0, surface,
                                                        &supported));
    assert_true(supported);
    VkSurfaceCapabilitiesKHR capabilities;
    assert_success(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(context.physical_device, surface,
                                                             &capabilities));
    VkSurfaceFormatKHR formats[16];
    count = COUNT(formats);
    assert_success(vkGetPhysicalDeviceSurfaceFormatsKHR(context.physical_device, surface, &count,
                                                        formats));
    assert_true(count >= 1);
    VkSwapchainCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                     .surface = surface,
                                     .minImageCount = 3,
                                     .imageFormat = formats[0].format,
                                     .imageColorSpace = formats[0].colorSpace,
                                     .imageExtent = {64, 64},
                                     .imageArrayLayers = 1,
                                     .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                     .preTransform = capabilities.currentTransform,
                                     .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                                     .presentMode = VK_PRESENT_MODE_FIFO_KHR};
    assert_success(vkCreateSwapchainKHR(context.device, &info, NULL, &swapchain));
    count = COUNT(images);
    assert_success(vkGetSwapchainImagesKHR(context.device, swapchain, &count, images));
    assert_int_equal(count, 3);
    VkFence fence = fence_create(context.device);
    for (uint32_t frame = 0; frame < 7; frame++) {
        assert_success(vkAcquireNextImageKHR(context.device, swapchain, UINT64_MAX, VK_NULL_HANDLE,
                                             fence, &index));
        assert_int_equal(index, frame % 3);
        assert_success(vkWaitForFences(context.device, 1, &fence, VK_TRUE, 0));
        assert_success(vkResetFences(context.device, 1, &fence));
        VkResult result = VK_ERROR_UNKNOWN;
        VkPresentInfoKHR present = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                    .swapchainCount = 1,
                                    .pSwapchains = &swapchain,
                                    .pImageIndices = &index,
                                    .pResults = &result};
        assert_success(vkQueuePresentKHR(context.queue, &present));
        assert_success(result);
    }
    for (uint32_t i = 0; i < 3; i++)
        assert_success(vkAcquireNextImageKHR(context.device, swapchain, 0, VK_NULL_HANDLE, fence,
                                             &index));
    assert_int_equal(vkAcquireNextImageKHR(context.device, swapchain, 0, VK_NULL_HANDLE, fence,
                                           &index),
                     VK_NOT_READY);
    vkDestroyFence(context.device, fence, NULL);
    vkDestroySwapchainKHR(context.device, swapchain, NULL);
    vkDestroySurfaceKHR(context.instance, surface, NULL);
    context_close(&context);
}

/* --- configuration ---------------------------------------------------------------------------- */

static char config_path[64];

static void config_write(const char *text)
{
    snprintf(config_path, sizeof(config_path), "/tmp/assay-null-driver-%d.json", (int)getpid());
    FILE *file = fopen(config_path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(setenv("ASSAY_NULL_DRIVER", config_path, 1), 0);
}

static int config_remove(void **state)
{
    unlink(config_path);
    return unsetenv("ASSAY_NULL_DRIVER");
}

static void test_configuration_changes_what_is_advertised(void **state)
{
    struct context context;
    config_write("{\"apiVersion\": \"1.1.0\", \"features\": {\"geometryShader\": false, "
                 "\"timelineSemaphore\": false}, \"limits\": {\"maxPushConstantsSize\": 128, "
                 "\"maxComputeWorkGroupSize\": [1, 2, 3], \"subgroupSize\": 4}, \"properties\": "
                 "{\"deviceName\": \"Small\", \"maxMultiDrawCount\": 5}, \"extensions\": "
                 "{\"VK_EXT_mesh_shader\": false}, \"queueFamilies\": [{\"flags\": [\"compute\", "
                 "\"transfer\"], \"count\": 3, \"timestampValidBits\": 0}]}");
    context_open_instance(&context);
    VkPhysicalDeviceMultiDrawPropertiesEXT draws = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_PROPERTIES_EXT};
    VkPhysicalDeviceVulkan11Properties core11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, .pNext = &draws};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &core11};
    vkGetPhysicalDeviceProperties2(context.physical_device, &properties);
    assert_int_equal(properties.properties.apiVersion, VK_API_VERSION_1_1);
    assert_string_equal(properties.properties.deviceName, "Small");
    assert_int_equal(properties.properties.limits.maxPushConstantsSize, 128);
    assert_int_equal(properties.properties.limits.maxComputeWorkGroupSize[2], 3);
    assert_int_equal(core11.subgroupSize, 4);
    assert_int_equal(draws.maxMultiDrawCount, 5);

    VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
    VkPhysicalDeviceVulkan12Features core12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &timeline};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &core12};
    vkGetPhysicalDeviceFeatures2(context.physical_device, &features);
    assert_false(features.features.geometryShader);
    assert_true(features.features.tessellationShader);
    assert_false(timeline.timelineSemaphore);
    assert_false(core12.timelineSemaphore);
    assert_true(core12.bufferDeviceAddress);

    VkQueueFamilyProperties families[4];
    uint32_t count = COUNT(families);
    vkGetPhysicalDeviceQueueFamilyProperties(context.physical_device, &count, families);
    assert_int_equal(count, 1);
    assert_int_equal(families[0].queueFlags, VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT);
    assert_int_equal(families[0].queueCount, 3);

    const char *missing = "VK_EXT_mesh_shader";
    assert_int_equal(null_device_create(&context, NULL, 1, &missing),
                     VK_ERROR_EXTENSION_NOT_PRESENT);
    timeline.timelineSemaphore = VK_TRUE;
    assert_int_equal(null_device_create(&context, &timeline, 0, NULL),
                     VK_ERROR_FEATURE_NOT_PRESENT);
    context_close(&context);
}

static void test_configuration_makes_commands_fail(void **state)
{
    struct context context;
    VkBuffer buffer;
    VkFence fence;
    config_write("{\"fail\": {\"vkCreateBuffer\": \"VK_ERROR_OUT_OF_HOST_MEMORY\",           "
                 "\"vkCreateComputePipelines\": {\"result\": \"VK_PIPELINE_COMPILE_REQUIRED\", "
                 "\"null\": [1]}}, \"failAfter\": {\"vkCreateFence\": 2}}");
    context_open(&context);
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 16};
    assert_int_equal(vkCreateBuffer(context.device, &info, NULL, &buffer),
                     VK_ERROR_OUT_OF_HOST_MEMORY);

    VkComputePipelineCreateInfo infos[3] = {
        {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO}};
    VkPipeline pipelines[3];
    assert_int_equal(vkCreateComputePipelines(context.device, VK_NULL_HANDLE, 3, infos, NULL,
                                              pipelines),
                     VK_PIPELINE_COMPILE_REQUIRED);
    assert_true(pipelines[0] != VK_NULL_HANDLE);
    assert_true(pipelines[1] == VK_NULL_HANDLE);
    assert_true(pipelines[2] != VK_NULL_HANDLE);
    vkDestroyPipeline(context.device, pipelines[0], NULL);
    vkDestroyPipeline(context.device, pipelines[2], NULL);

    VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    for (int i = 0; i < 2; i++) {
        assert_success(vkCreateFence(context.device, &fence_info, NULL, &fence));
        vkDestroyFence(context.device, fence, NULL);
    }
    assert_int_equal(vkCreateFence(context.device, &fence_info, NULL, &fence),
                     VK_ERROR_OUT_OF_DEVICE_MEMORY);
    context_close(&context);
}

static void test_configuration_with_an_error_makes_no_instance(void **state)
{
    static const char *const wrong[] = {"{",
                                        "[]",
                                        "{\"featurs\": {}}",
                                        "{\"features\": {\"geometryShade\": false}}",
                                        "{\"limits\": {\"maxPushConstantsSize\": \"many\"}}",
                                        "{\"fail\": {\"vkCreateBufer\": \"VK_NOT_READY\"}}",
                                        "{\"fail\": {\"vkCreateBuffer\": \"VK_NO\"}}",
                                        "{\"fail\": {\"vkCmdDraw\": \"VK_NOT_READY\"}}"};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        VkInstance instance;
        config_write(wrong[i]);
        assert_int_not_equal(null_instance_create(&instance), VK_SUCCESS);
    }
}

/* Runs `body` in a child that cannot write to the test's output; its standard error comes back in
 * `text`. */
static int child_status(void (*body)(struct context *), char *text, size_t size)
{
    int pipes[2], status;
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        struct context context;
        dup2(pipes[1], STDERR_FILENO);
        close(pipes[0]);
        signal(SIGABRT, SIG_DFL);
        context_open(&context);
        body(&context);
        context_close(&context);
        _exit(0);
    }
    close(pipes[1]);
    size_t used = 0;
    for (ssize_t got = 1; got > 0 && used + 1 < size; used += (size_t)got) {
        got = read(pipes[0], text + used, size - used - 1);
        assert_true(got >= 0);
    }
    text[used] = 0;
    close(pipes[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void use_right_handles(struct context *context)
{
    VkSemaphore semaphore = timeline_create(context->device, 0);
    VkFence fence = fence_create(context->device);
    assert_success(submit_semaphores(context->queue, VK_NULL_HANDLE, 0, semaphore, 1, fence));
    VkImageView unused = (VkImageView)(uintptr_t)0x33;
    VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                    .flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT,
                                    .attachmentCount = 1,
                                    .pAttachments = &unused};
    VkFramebuffer framebuffer;
    assert_success(vkCreateFramebuffer(context->device, &info, NULL, &framebuffer));
    vkDestroyFramebuffer(context->device, framebuffer, NULL);
    vkDestroySemaphore(context->device, semaphore, NULL);
    vkDestroyFence(context->device, fence, NULL);
}

static void use_wrong_parameter(struct context *context)
{
    vkDestroyBuffer(context->device, (VkBuffer)(uintptr_t)0x1234, NULL);
}

static void use_wrong_type_in_an_array_of_structures(struct context *context)
{
    VkFence fence = fence_create(context->device);
    submit_semaphores(context->queue, (VkSemaphore)fence, 0, VK_NULL_HANDLE, 0, VK_NULL_HANDLE);
}

static void use_stale_handle_in_a_chain(struct context *context)
{
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 16};
    assert_success(vkCreateBuffer(context->device, &info, NULL, &buffer));
    vkDestroyBuffer(context->device, buffer, NULL);
    VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .buffer = buffer};
    VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .pNext = &dedicated,
                                     .allocationSize = 256};
    vkAllocateMemory(context->device, &allocate, NULL, &memory);
}

static void use_wrong_handle_in_a_write(struct context *context)
{
    VkDescriptorBufferInfo buffer = {.buffer = (VkBuffer)(uintptr_t)0x1234};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                  .pBufferInfo = &buffer};
    vkUpdateDescriptorSets(context->device, 1, &write, 0, NULL);
}

static void test_configuration_checks_handles(void **state)
{
    static const struct {
        void (*body)(struct context *);
        const char *message;
    } cases[] = {
        {use_wrong_parameter, "null driver: vkDestroyBuffer: buffer: 0x1234 is not a live object"},
        {use_wrong_type_in_an_array_of_structures,
         "null driver: vkQueueSubmit2: pSubmits->pWaitSemaphoreInfos->semaphore: 0x"},
        {use_stale_handle_in_a_chain,
         "null driver: vkAllocateMemory: pAllocateInfo->VkMemoryDedicatedAllocateInfo->buffer: 0x"},
        {use_wrong_handle_in_a_write,
         "null driver: vkUpdateDescriptorSets: pDescriptorWrites->pBufferInfo: 0x1234"},
    };
    char text[4096];
    config_write("{\"checkHandles\": true}");
    assert_int_equal(child_status(use_right_handles, text, sizeof(text)), 0);
    assert_string_equal(text, "");
    for (size_t i = 0; i < COUNT(cases); i++) {
        int status = child_status(cases[i].body, text, sizeof(text));
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
        assert_non_null(strstr(text, cases[i].message));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_extension_is_advertised),
        cmocka_unit_test(test_every_feature_is_true),
        cmocka_unit_test(test_properties_are_filled_and_agree),
        cmocka_unit_test(test_queue_families),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_device_with_everything),
        cmocka_unit_test(test_memory_can_be_mapped),
        cmocka_unit_test(test_image_requirements_follow_the_size),
        cmocka_unit_test(test_pools),
        cmocka_unit_test(test_blobs_follow_the_two_call_idiom),
        cmocka_unit_test(test_query_results_are_available),
        cmocka_unit_test(test_private_data_is_kept),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_wrong_handles_are_ignored),
        cmocka_unit_test(test_fences_signal_at_submit),
        cmocka_unit_test(test_timeline_values),
        cmocka_unit_test(test_wait_before_signal),
        cmocka_unit_test(test_threads_wait_for_each_other),
        cmocka_unit_test(test_objects_churn_on_threads),
        cmocka_unit_test(test_swapchain_on_a_headless_surface),
        cmocka_unit_test_teardown(test_configuration_changes_what_is_advertised, config_remove),
        cmocka_unit_test_teardown(test_configuration_makes_commands_fail, config_remove),
        cmocka_unit_test_teardown(test_configuration_checks_handles, config_remove),
        cmocka_unit_test_teardown(test_configuration_with_an_error_makes_no_instance,
                                  config_remove),
    };
    return cmocka_run_group_tests_name("null driver", tests, NULL, NULL);
}
