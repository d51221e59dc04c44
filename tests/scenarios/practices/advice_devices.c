/* Advice on instances, devices and what they are asked, and on what commands answer. */
#include "practices.h"

#include <string.h>

#define FEATURES_ID BP("vkCreateDevice-physical-device-features-not-retrieved")

/* --- features --- */

SCENARIO(no_features, ADVISED)
{
}

/* The scenario's own device enables none. */
static void make_device_with(struct baseline *b, const VkPhysicalDeviceFeatures *features,
                             const void *chain)
{
    static const float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = chain,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .pEnabledFeatures = features};
    VkDevice device = VK_NULL_HANDLE;
    vkCreateDevice(b->physical_device, &info, NULL, &device);
    if (device)
        vkDestroyDevice(device, NULL);
}

static void make_advised_device(struct baseline *b, const VkPhysicalDeviceFeatures *features)
{
    make_device_with(b, features, NULL);
}

SCENARIO(features_not_asked_for, ADVISED, .expect = {FEATURES_ID},
         .text = {"pCreateInfo enables features, and the program has not asked which there are"})
{
    make_advised_device(b, &(VkPhysicalDeviceFeatures){.robustBufferAccess = VK_TRUE});
}

SCENARIO(features_asked_for, ADVISED)
{
    VkPhysicalDeviceFeatures features;
    vkGetPhysicalDeviceFeatures(b->physical_device, &features);
    make_advised_device(b, &(VkPhysicalDeviceFeatures){.robustBufferAccess = VK_TRUE});
}

SCENARIO(features_all_off, ADVISED)
{
    make_advised_device(b, &(VkPhysicalDeviceFeatures){0});
}

SCENARIO(features_2_all_off, ADVISED)
{
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    make_device_with(b, NULL, &features);
}

SCENARIO(robust_buffers, ADVISED_FOR(arm), .expect = {BP("vkCreateDevice-RobustBufferAccess")},
         .text = {"enables robustBufferAccess"})
{
    VkPhysicalDeviceFeatures features;
    vkGetPhysicalDeviceFeatures(b->physical_device, &features);
    make_advised_device(b, &(VkPhysicalDeviceFeatures){.robustBufferAccess = VK_TRUE});
}

SCENARIO(robust_buffers_off, ADVISED_FOR(arm))
{
    VkPhysicalDeviceFeatures features;
    vkGetPhysicalDeviceFeatures(b->physical_device, &features);
    make_advised_device(b, &(VkPhysicalDeviceFeatures){.sampleRateShading = VK_TRUE});
}

FEATURES(robust_pipelines, VkPhysicalDevicePipelineRobustnessFeatures, PIPELINE_ROBUSTNESS_FEATURES,
         .pipelineRobustness = VK_TRUE);
static const VkPhysicalDeviceFeatures2 robust_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)(uintptr_t)&robust_pipelines,
    .features.robustBufferAccess = VK_TRUE};

/* Each pipeline says for itself whether it is robust. */
SCENARIO(robust_pipelines_instead, ADVISED_FOR(arm), .drivers = NULL_DRIVER,
         .api_version = VK_API_VERSION_1_4, .features = &robust_features)
{
}

/* --- extensions --- */

SCENARIO(special_use, ADVISED, .drivers = NULL_DRIVER, .extensions = {"VK_EXT_transform_feedback"},
         .expect = {BP("specialuse-extension")},
         .text = {"ppEnabledExtensionNames has VK_EXT_transform_feedback (for emulation of OpenGL, "
                  "emulation of Direct3D and tools for developers)"})
{
}

SCENARIO(special_uses, ADVISED, .drivers = NULL_DRIVER,
         .extensions = {"VK_EXT_transform_feedback", "VK_EXT_depth_clip_enable"},
         .expect = {BP("specialuse-extension")},
         .text = {"tools for developers), VK_EXT_depth_clip_enable (for emulation of Direct3D)"})
{
}

SCENARIO(emulator, ADVISED, .drivers = NULL_DRIVER,
         .extensions = {"VK_EXT_transform_feedback", "VK_EXT_depth_clip_enable",
                        "VK_EXT_provoking_vertex"})
{
}

SCENARIO(general_use, ADVISED, .drivers = NULL_DRIVER, .extensions = {"VK_KHR_swapchain"},
         .instance_extensions = {"VK_KHR_surface"})
{
}

/* --- lists --- */

SCENARIO(families_cut_short, ADVISED, .drivers = NULL_DRIVER,
         .expect = {BP("GetPhysicalDeviceQueueFamilyProperties-CountMismatch")},
         .text = {"pQueueFamilyPropertyCount is 1, and the physical device has "})
{
    uint32_t count = 1;
    VkQueueFamilyProperties family;
    vkGetPhysicalDeviceQueueFamilyProperties(b->physical_device, &count, &family);
}

SCENARIO(families_cut_short_2, ADVISED, .drivers = NULL_DRIVER,
         .expect = {BP("GetPhysicalDeviceQueueFamilyProperties-CountMismatch")})
{
    uint32_t count = 1;
    VkQueueFamilyProperties2 family = {.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2};
    vkGetPhysicalDeviceQueueFamilyProperties2(b->physical_device, &count, &family);
}

SCENARIO(families_with_room, ADVISED)
{
    uint32_t count = 32;
    VkQueueFamilyProperties families[32];
    vkGetPhysicalDeviceQueueFamilyProperties(b->physical_device, &count, families);
}

/* --- messengers that hear of everything --- */

struct heard {
    const char *id;
    unsigned count;
};

static VkBool32 hear_advice(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                            VkDebugUtilsMessageTypeFlagsEXT types,
                            const VkDebugUtilsMessengerCallbackDataEXT *data, void *context)
{
    struct heard *heard = context;
    heard->count += data->pMessageIdName && strcmp(data->pMessageIdName, heard->id) == 0;
    return VK_FALSE;
}

/* Hears what messengers of errors and warnings do not. */
static VkDebugUtilsMessengerEXT listen_to_advice(struct baseline *b, struct heard *heard)
{
    VkDebugUtilsMessengerCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = hear_advice,
        .pUserData = heard};
    VkDebugUtilsMessengerEXT messenger;
    VK(INSTANCE_PROC(b, vkCreateDebugUtilsMessengerEXT)(b->instance, &info, NULL, &messenger));
    return messenger;
}

static void stop_listening(struct baseline *b, VkDebugUtilsMessengerEXT messenger)
{
    INSTANCE_PROC(b, vkDestroyDebugUtilsMessengerEXT)(b->instance, messenger, NULL);
}

SCENARIO(later_version_than_the_device, ADVISED, .drivers = NULL_DRIVER,
         .null_driver = "{\"apiVersion\": \"1.1.0\"}")
{
    struct heard heard = {.id = BP("vkCreateDevice-API-version-mismatch")};
    VkDebugUtilsMessengerEXT messenger = listen_to_advice(b, &heard);
    make_advised_device(b, NULL);
    EXPECT_EQUAL(heard.count, 1);
    stop_listening(b, messenger);
}

SCENARIO(same_version_as_the_device, ADVISED, .drivers = NULL_DRIVER)
{
    struct heard heard = {.id = BP("vkCreateDevice-API-version-mismatch")};
    VkDebugUtilsMessengerEXT messenger = listen_to_advice(b, &heard);
    make_advised_device(b, NULL);
    EXPECT_EQUAL(heard.count, 0);
    stop_listening(b, messenger);
}

/* --- results --- */

SCENARIO(fence_fails, ADVISED, .drivers = NULL_DRIVER, .expect = {BP("Error-Result")},
         .null_driver = "{\"fail\": {\"vkCreateFence\": \"VK_ERROR_OUT_OF_HOST_MEMORY\"}}",
         .text = {"answers VK_ERROR_OUT_OF_HOST_MEMORY: the driver got no memory from the system"})
{
    VkFenceCreateInfo info = fence_info();
    create_fence(b, &info);
    create_fence(b, &info);
}

/* A question that has "no" for an answer. */
SCENARIO(format_not_there, ADVISED, .drivers = NULL_DRIVER,
         .null_driver = "{\"fail\": {\"vkGetPhysicalDeviceImageFormatProperties\": "
                        "\"VK_ERROR_FORMAT_NOT_SUPPORTED\"}}")
{
    VkImageFormatProperties properties;
    vkGetPhysicalDeviceImageFormatProperties(b->physical_device, COLOR_FORMAT, VK_IMAGE_TYPE_2D,
                                             VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT, 0,
                                             &properties);
}

SCENARIO(pool_is_empty, ADVISED, .drivers = NULL_DRIVER,
         .null_driver = "{\"fail\": {\"vkAllocateDescriptorSets\": "
                        "\"VK_ERROR_OUT_OF_POOL_MEMORY\"}}")
{
    struct heard heard = {.id = BP("Failure-Result")};
    VkDebugUtilsMessengerEXT messenger = listen_to_advice(b, &heard);
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = make_descriptor_pool(b),
                                        .descriptorSetCount = 1,
                                        .pSetLayouts = &layout};
    VkDescriptorSet set;
    vkAllocateDescriptorSets(b->device, &info, &set);
    EXPECT_EQUAL(heard.count, 1);
    stop_listening(b, messenger);
}

SCENARIO(wait_times_out, ADVISED)
{
    struct heard heard = {.id = BP("Verbose-Success-Logging")};
    VkDebugUtilsMessengerEXT messenger = listen_to_advice(b, &heard);
    VkFence fence = make_fence(b);
    EXPECT_EQUAL(vkWaitForFences(b->device, 1, &fence, VK_TRUE, 0), VK_TIMEOUT);
    EXPECT_EQUAL(heard.count, 1);
    EXPECT_EQUAL(vkGetFenceStatus(b->device, fence), VK_NOT_READY);
    EXPECT_EQUAL(heard.count, 1);
    stop_listening(b, messenger);
}

SCENARIO(wait_succeeds, ADVISED)
{
    struct heard heard = {.id = BP("Verbose-Success-Logging")};
    VkDebugUtilsMessengerEXT messenger = listen_to_advice(b, &heard);
    VkFence fence = make_fence(b);
    VK(vkQueueSubmit(b->queue, 0, NULL, fence));
    EXPECT_EQUAL(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    EXPECT_EQUAL(heard.count, 0);
    stop_listening(b, messenger);
}

/* --- legacy_detection --- */

#define LEGACY(...) \
    .settings = {"legacy_detection=true", "legacy_detection_mode=ONLY_ENABLED"}, .proceed = true

static VkPhysicalDeviceFeatures ask_device(struct baseline *b)
{
    VkPhysicalDeviceFeatures features;
    vkGetPhysicalDeviceFeatures(b->physical_device, &features);
    return features;
}

SCENARIO(legacy_query, LEGACY(), .expect = {"WARNING-legacy-gpdp2"},
         .text = {"vkGetPhysicalDeviceFeatures(): is superseded by vkGetPhysicalDeviceFeatures2, "
                  "which Vulkan 1.1 brings"})
{
    (void)ask_device(b);
}

SCENARIO(legacy_query_unasked, ADVISED)
{
    (void)ask_device(b);
}

/* The newer one came with 1.1. */
SCENARIO(legacy_query_of_1_0, LEGACY(), .api_version = VK_API_VERSION_1_0)
{
    (void)ask_device(b);
}

/* --- planes of displays --- */

static void ask_plane(struct baseline *b)
{
    uint32_t count = 0;
    INSTANCE_PROC(b, vkGetDisplayPlaneSupportedDisplaysKHR)(b->physical_device, 0, &count, NULL);
}

#define DISPLAY .drivers = NULL_DRIVER, .instance_extensions = {"VK_KHR_surface", "VK_KHR_display"}

SCENARIO(plane_not_asked_for, ADVISED, DISPLAY,
         .expect = {BP("vkGetDisplayPlaneSupportedDisplaysKHR-properties-not-retrieved")})
{
    ask_plane(b);
}

SCENARIO(plane_asked_for, ADVISED, DISPLAY)
{
    VkDisplayPlanePropertiesKHR planes[8];
    uint32_t count = 8;
    INSTANCE_PROC(b, vkGetPhysicalDeviceDisplayPlanePropertiesKHR)(b->physical_device, &count,
                                                                   planes);
    ask_plane(b);
}
