/* Devices and queues: what vkCreateDevice may be asked for, and which queues a device then has
 * (5.2, 5.3). */
#include "scenario.h"

/* A device of the first physical device, with one change. */
struct device_request {
    VkDeviceQueueCreateInfo queues[2];
    uint32_t queue_count;
    const char *extensions[2];
    const void *next;
    const VkPhysicalDeviceFeatures *features;
};

static const float priorities[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static struct device_request valid_request(void)
{
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1,
                                     .pQueuePriorities = priorities};
    return (struct device_request){.queues = {queue, queue}, .queue_count = 1};
}

static void request_device(struct baseline *b, const struct device_request *wanted)
{
    VkDevice device = VK_NULL_HANDLE;
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = wanted->next,
                               .queueCreateInfoCount = wanted->queue_count,
                               .pQueueCreateInfos = wanted->queues,
                               .ppEnabledExtensionNames = wanted->extensions,
                               .pEnabledFeatures = wanted->features};
    while (info.enabledExtensionCount < 2 && wanted->extensions[info.enabledExtensionCount])
        info.enabledExtensionCount++;
    if (vkCreateDevice(first_physical_device(b->instance), &info, NULL, &device) == VK_SUCCESS)
        vkDestroyDevice(device, NULL);
}

SCENARIO(device_valid, .start = START_INSTANCE)
{
    struct device_request wanted = valid_request();
    request_device(b, &wanted);
}

SCENARIO(queue_family_out_of_range, .start = START_INSTANCE,
         .expect = {"VUID-VkDeviceQueueCreateInfo-queueFamilyIndex-00381"},
         .text = {"pCreateInfo->pQueueCreateInfos[0].queueFamilyIndex is 100"})
{
    struct device_request wanted = valid_request();
    wanted.queues[0].queueFamilyIndex = 100;
    request_device(b, &wanted);
}

SCENARIO(too_many_queues, .start = START_INSTANCE,
         .expect = {"VUID-VkDeviceQueueCreateInfo-queueCount-00382"})
{
    struct device_request wanted = valid_request();
    wanted.queues[0].queueCount = 16;
    request_device(b, &wanted);
}

SCENARIO(family_twice, .start = START_INSTANCE,
         .expect = {"VUID-VkDeviceCreateInfo-queueFamilyIndex-02802"}, .drivers = NULL_DRIVER)
{
    struct device_request wanted = valid_request();
    wanted.queue_count = 2;
    request_device(b, &wanted);
}

SCENARIO(protected_queue_without_feature, .start = START_INSTANCE,
         .expect = {"VUID-VkDeviceQueueCreateInfo-flags-02861"}, .drivers = NULL_DRIVER,
         .text = {"protectedMemory"})
{
    struct device_request wanted = valid_request();
    wanted.queues[0].flags = VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT;
    request_device(b, &wanted);
}

SCENARIO(features_twice, .start = START_INSTANCE, .expect = {"VUID-VkDeviceCreateInfo-pNext-00373"})
{
    static const VkPhysicalDeviceFeatures none;
    static const VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    struct device_request wanted = valid_request();
    wanted.next = &features;
    wanted.features = &none;
    request_device(b, &wanted);
}

#define BOTH(name_, vuid_, version_, VERSION_, Type_, TYPE_)                                     \
    SCENARIO(name_, .start = START_INSTANCE, .expect = {"VUID-VkDeviceCreateInfo-pNext-" vuid_}, \
             .text = {#Type_}, .api_version = VK_API_VERSION_1_4)                                \
    {                                                                                            \
        static const VkPhysicalDevice##Type_ old = {                                             \
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE_};                                 \
        static const VkPhysicalDeviceVulkan##version_##Features all = {                          \
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_##VERSION_##_FEATURES,             \
            .pNext = (void *)&old};                                                              \
        struct device_request wanted = valid_request();                                          \
        wanted.next = &all;                                                                      \
        request_device(b, &wanted);                                                              \
    }
BOTH(features_of_1_1_twice, "02829", 11, 1_1, MultiviewFeatures, MULTIVIEW_FEATURES)
BOTH(features_of_1_2_twice, "02830", 12, 1_2, TimelineSemaphoreFeatures,
     TIMELINE_SEMAPHORE_FEATURES)
BOTH(features_of_1_3_twice, "06532", 13, 1_3, Maintenance4Features, MAINTENANCE_4_FEATURES)
BOTH(features_of_1_4_twice, "10360", 14, 1_4, Maintenance5Features, MAINTENANCE_5_FEATURES)

SCENARIO(features_of_other_versions, .start = START_INSTANCE)
{
    static const VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
        .timelineSemaphore = VK_TRUE};
    static const VkPhysicalDeviceVulkan11Features all = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = (void *)&timeline};
    struct device_request wanted = valid_request();
    wanted.next = &all;
    request_device(b, &wanted);
}

static const VkPhysicalDeviceVulkan11Features none11 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
static const VkPhysicalDeviceVulkan12Features none12 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
static const VkPhysicalDeviceVulkan14Features none14 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES};

#define EXTENSION(name_, number_, extension_, features_)                             \
    SCENARIO(name_, .start = START_INSTANCE,                                         \
             .expect = {"VUID-VkDeviceCreateInfo-ppEnabledExtensionNames-" number_}, \
             .text = {extension_}, .api_version = VK_API_VERSION_1_4)                \
    {                                                                                \
        struct device_request wanted = valid_request();                              \
        wanted.extensions[0] = extension_;                                           \
        wanted.next = &features_;                                                    \
        request_device(b, &wanted);                                                  \
    }
EXTENSION(draw_parameters_off, "04476", "VK_KHR_shader_draw_parameters", none11)
EXTENSION(draw_indirect_count_off, "02831", "VK_KHR_draw_indirect_count", none12)
EXTENSION(mirror_clamp_off, "02832", "VK_KHR_sampler_mirror_clamp_to_edge", none12)
EXTENSION(descriptor_indexing_off, "02833", "VK_EXT_descriptor_indexing", none12)
EXTENSION(filter_minmax_off, "02834", "VK_EXT_sampler_filter_minmax", none12)
EXTENSION(viewport_index_layer_off, "02835", "VK_EXT_shader_viewport_index_layer", none12)
EXTENSION(push_descriptor_off, "10858", "VK_KHR_push_descriptor", none14)

SCENARIO(extension_with_its_feature, .start = START_INSTANCE)
{
    static const VkPhysicalDeviceVulkan12Features counted = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .drawIndirectCount = VK_TRUE};
    struct device_request wanted = valid_request();
    wanted.extensions[0] = "VK_KHR_draw_indirect_count";
    wanted.next = &counted;
    request_device(b, &wanted);
}

/* --- queues --- */

SCENARIO(queue_of_unused_family, .expect = {"VUID-vkGetDeviceQueue-queueFamilyIndex-00384"},
         .text = {"queueFamilyIndex is 100"})
{
    VkQueue queue;
    vkGetDeviceQueue(b->device, 100, 0, &queue);
}

SCENARIO(queue_index_too_high, .expect = {"VUID-vkGetDeviceQueue-queueIndex-00385"},
         .text = {"queueIndex is 50"})
{
    VkQueue queue;
    vkGetDeviceQueue(b->device, b->queue_family, 50, &queue);
}

static void get_queue2(struct baseline *b, VkDeviceQueueCreateFlags flags, uint32_t family,
                       uint32_t index)
{
    VkDeviceQueueInfo2 info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2,
                               .flags = flags,
                               .queueFamilyIndex = family,
                               .queueIndex = index};
    VkQueue queue;
    vkGetDeviceQueue2(b->device, &info, &queue);
}

SCENARIO(queue2_of_unused_family, .expect = {"VUID-VkDeviceQueueInfo2-queueFamilyIndex-01842"})
{
    get_queue2(b, 0, 100, 0);
}

SCENARIO(queue2_of_other_flags, .expect = {"VUID-VkDeviceQueueInfo2-flags-06225"})
{
    get_queue2(b, VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT, b->queue_family, 0);
}

SCENARIO(queue2_index_too_high, .expect = {"VUID-VkDeviceQueueInfo2-queueIndex-01843"})
{
    get_queue2(b, 0, b->queue_family, 50);
}

SCENARIO(queue2)
{
    get_queue2(b, 0, b->queue_family, 0);
}

/* The driver under a layered one: its name and ids, and nothing else */
#define LAYERED(name_, type_, TYPE_, ...)                                                         \
    SCENARIO(name_, .drivers = NULL_DRIVER, .extensions = {"VK_KHR_maintenance7"}, ##__VA_ARGS__) \
    {                                                                                             \
        type_ more = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE_};                                 \
        VkPhysicalDeviceLayeredApiVulkanPropertiesKHR vulkan = {                                  \
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LAYERED_API_VULKAN_PROPERTIES_KHR,                  \
            .properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &more}};      \
        VkPhysicalDeviceLayeredApiPropertiesKHR api = {                                           \
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LAYERED_API_PROPERTIES_KHR, .pNext = &vulkan};      \
        VkPhysicalDeviceLayeredApiPropertiesListKHR list = {                                      \
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LAYERED_API_PROPERTIES_LIST_KHR,                    \
            .layeredApiCount = 1, .pLayeredApis = &api};                                          \
        VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, \
                                                  .pNext = &list};                                \
        vkGetPhysicalDeviceProperties2(b->physical_device, &properties);                          \
    }
LAYERED(layered_driver, VkPhysicalDeviceDriverProperties, DRIVER_PROPERTIES)
LAYERED(layered_subgroups, VkPhysicalDeviceSubgroupProperties, SUBGROUP_PROPERTIES,
        .expect = {"VUID-VkPhysicalDeviceLayeredApiVulkanPropertiesKHR-pNext-10011"},
        .text = {"has a structure of type VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES"})
