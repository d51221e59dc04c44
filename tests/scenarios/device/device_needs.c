/* More of what vkCreateDevice may be asked for (5.2): extensions and features that exclude or need
 * one another, queues of one family. */
#include "scenario.h"

static const float priorities[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static VkDeviceQueueCreateInfo queues_of(VkDeviceQueueCreateFlags flags, uint32_t count)
{
    return (VkDeviceQueueCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .flags = flags,
                                     .queueCount = count,
                                     .pQueuePriorities = priorities};
}

/* A device of the first physical device. */
static void request(struct baseline *b, uint32_t queue_count, const VkDeviceQueueCreateInfo *queues,
                    const void *next, uint32_t extension_count, const char *const *extensions)
{
    VkDevice device = VK_NULL_HANDLE;
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = next,
                               .queueCreateInfoCount = queue_count,
                               .pQueueCreateInfos = queues,
                               .enabledExtensionCount = extension_count,
                               .ppEnabledExtensionNames = extensions};
    if (vkCreateDevice(first_physical_device(b->instance), &info, NULL, &device) == VK_SUCCESS)
        vkDestroyDevice(device, NULL);
}

static void request_plain(struct baseline *b, const void *next, uint32_t extension_count,
                          const char *const *extensions)
{
    const VkDeviceQueueCreateInfo queue = queues_of(0, 1);
    request(b, 1, &queue, next, extension_count, extensions);
}
#define REQUEST(name_, next_, count_, extensions_, ...)                             \
    SCENARIO(name_, .start = START_INSTANCE, .drivers = NULL_DRIVER, ##__VA_ARGS__) \
    {                                                                               \
        request_plain(b, next_, count_, extensions_);                               \
    }
#define ID(name_) .expect = {"VUID-VkDeviceCreateInfo-" name_}

/* --- extensions --- */

static const char *const viewport[] = {"VK_KHR_maintenance1", "VK_AMD_negative_viewport_height"};
REQUEST(maintenance_and_negative_viewport, NULL, 2, viewport, ID("ppEnabledExtensionNames-00374"),
        .api_version = VK_API_VERSION_1_0,
        .instance_extensions = {"VK_KHR_get_physical_device_properties2"})
REQUEST(negative_viewport, NULL, 1, viewport + 1, .api_version = VK_API_VERSION_1_0,
        .instance_extensions = {"VK_KHR_get_physical_device_properties2"})
static const char *const addresses[] = {"VK_KHR_buffer_device_address",
                                        "VK_EXT_buffer_device_address"};
REQUEST(both_buffer_device_addresses, NULL, 2, addresses, ID("ppEnabledExtensionNames-03328"))
REQUEST(old_buffer_device_address, NULL, 1, addresses + 1)
static const VkPhysicalDeviceVulkan12Features addressed = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .bufferDeviceAddress = VK_TRUE};
REQUEST(old_buffer_device_address_in_1_2, &addressed, 1, addresses + 1, ID("pNext-04748"))
REQUEST(buffer_device_address_in_1_2, &addressed, 1, addresses)

/* --- features --- */

static const VkPhysicalDeviceShadingRateImageFeaturesNV image_rate = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADING_RATE_IMAGE_FEATURES_NV,
    .shadingRateImage = VK_TRUE};
static const VkPhysicalDeviceFragmentDensityMapFeaturesEXT density = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_FEATURES_EXT,
    .fragmentDensityMap = VK_TRUE};
static const char *const rate_extensions[] = {
    "VK_KHR_fragment_shading_rate", "VK_NV_shading_rate_image", "VK_EXT_fragment_density_map"};
#define RATES(name_, other_, id_, ...)                                                 \
    static const VkPhysicalDeviceFragmentShadingRateFeaturesKHR name_##_features = {   \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR, \
        .pNext = (void *)(uintptr_t)&(other_),                                         \
        __VA_ARGS__};                                                                  \
    REQUEST(name_, &name_##_features, 3, rate_extensions, ID(id_))
RATES(image_and_pipeline_rate, image_rate, "shadingRateImage-04478",
      .pipelineFragmentShadingRate = VK_TRUE)
RATES(image_and_primitive_rate, image_rate, "shadingRateImage-04479",
      .primitiveFragmentShadingRate = VK_TRUE)
RATES(image_and_attachment_rate, image_rate, "shadingRateImage-04480",
      .attachmentFragmentShadingRate = VK_TRUE)
RATES(density_and_pipeline_rate, density, "fragmentDensityMap-04481",
      .pipelineFragmentShadingRate = VK_TRUE)
RATES(density_and_primitive_rate, density, "fragmentDensityMap-04482",
      .primitiveFragmentShadingRate = VK_TRUE)
RATES(density_and_attachment_rate, density, "fragmentDensityMap-04483",
      .attachmentFragmentShadingRate = VK_TRUE)
REQUEST(image_rate_alone, &image_rate, 3, rate_extensions)
REQUEST(density_alone, &density, 3, rate_extensions)

static const char *const atomics[] = {"VK_EXT_shader_image_atomic_int64",
                                      "VK_EXT_shader_atomic_float", "VK_EXT_shader_atomic_float2"};
#define ATOMICS(name_, id_, Type_, TYPE_, needs_, sparse_)                       \
    static const VkPhysicalDevice##Type_ name_##_alone = {                       \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE_, .sparse_ = VK_TRUE}; \
    static const VkPhysicalDevice##Type_ name_##_both = {                        \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE_,                      \
        .needs_ = VK_TRUE,                                                       \
        .sparse_ = VK_TRUE};                                                     \
    REQUEST(name_, &name_##_alone, 3, atomics, ID(id_))                          \
    REQUEST(name_##_and_dense, &name_##_both, 3, atomics)
ATOMICS(sparse_int64, "None-04896", ShaderImageAtomicInt64FeaturesEXT,
        SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT, shaderImageInt64Atomics, sparseImageInt64Atomics)
ATOMICS(sparse_float, "None-04897", ShaderAtomicFloatFeaturesEXT, SHADER_ATOMIC_FLOAT_FEATURES_EXT,
        shaderImageFloat32Atomics, sparseImageFloat32Atomics)
ATOMICS(sparse_float_add, "None-04898", ShaderAtomicFloatFeaturesEXT,
        SHADER_ATOMIC_FLOAT_FEATURES_EXT, shaderImageFloat32AtomicAdd, sparseImageFloat32AtomicAdd)
ATOMICS(sparse_float_min_max, "sparseImageFloat32AtomicMinMax-04975", ShaderAtomicFloat2FeaturesEXT,
        SHADER_ATOMIC_FLOAT_2_FEATURES_EXT, shaderImageFloat32AtomicMinMax,
        sparseImageFloat32AtomicMinMax)

/* --- queues --- */

static const VkPhysicalDeviceProtectedMemoryFeatures protected_memory = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .protectedMemory = VK_TRUE};
#define FAMILY(flags_)                                                                 \
    "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", \"transfer\"" flags_ \
    "], \"count\": 3}]}"
#define QUEUES(name_, next_, first_, second_, second_flags_, ...)                      \
    SCENARIO(name_, .start = START_INSTANCE, .drivers = NULL_DRIVER, __VA_ARGS__)      \
    {                                                                                  \
        const VkDeviceQueueCreateInfo queues[2] = {queues_of(0, first_),               \
                                                   queues_of(second_flags_, second_)}; \
        request(b, 2, queues, next_, 0, NULL);                                         \
    }
QUEUES(family_shared_beyond, &protected_memory, 2, 2, VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT,
       .null_driver = FAMILY(", \"protected\""), ID("pQueueCreateInfos-06755"))
QUEUES(family_shared, &protected_memory, 1, 2, VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT,
       .null_driver = FAMILY(", \"protected\""))
QUEUES(protected_queue_of_other_family, &protected_memory, 1, 1,
       VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT, .null_driver = FAMILY(""),
       .expect = {"VUID-VkDeviceQueueCreateInfo-flags-06449"})

static void request_synchronized(struct baseline *b, VkBool32 enabled)
{
    const VkPhysicalDeviceInternallySynchronizedQueuesFeaturesKHR feature = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INTERNALLY_SYNCHRONIZED_QUEUES_FEATURES_KHR,
        .internallySynchronizedQueues = enabled};
    const VkDeviceQueueCreateInfo queue =
        queues_of(VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR, 1);
    static const char *const extension = "VK_KHR_internally_synchronized_queues";
    request(b, 1, &queue, &feature, 1, &extension);
}
SCENARIO(synchronized_queue_not_enabled, .start = START_INSTANCE, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkDeviceQueueCreateInfo-internallySynchronizedQueues-12348"})
{
    request_synchronized(b, VK_FALSE);
}
SCENARIO(synchronized_queue, .start = START_INSTANCE, .drivers = NULL_DRIVER)
{
    request_synchronized(b, VK_TRUE);
}

/* A queue that was created with flags is got by vkGetDeviceQueue2. */
SCENARIO(get_queue_of_flags, .start = START_INSTANCE, .drivers = NULL_DRIVER,
         .null_driver = FAMILY(", \"protected\""), .expect = {"VUID-vkGetDeviceQueue-flags-01841"})
{
    const VkDeviceQueueCreateInfo queue = queues_of(VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT, 1);
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &protected_memory,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue};
    VkDevice device;
    VkQueue got;
    VK(vkCreateDevice(first_physical_device(b->instance), &info, NULL, &device));
    vkGetDeviceQueue(device, 0, 0, &got);
    vkDestroyDevice(device, NULL);
}
