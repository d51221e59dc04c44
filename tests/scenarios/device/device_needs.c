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
static void request_queues(struct baseline *b, uint32_t queue_count,
                           const VkDeviceQueueCreateInfo *queues, const void *next,
                           uint32_t extension_count, const char *const *extensions)
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
    request_queues(b, 1, &queue, next, extension_count, extensions);
}
#define REQUEST(name_, next_, count_, extensions_, ...)                             \
    SCENARIO(name_, .start = START_INSTANCE, .drivers = NULL_DRIVER, ##__VA_ARGS__) \
    {                                                                               \
        request_plain(b, next_, count_, extensions_);                               \
    }
#define ID(name_) .expect = {"VUID-VkDeviceCreateInfo-" name_}

/* --- extensions --- */

#define OF_1_0                                                                       \
    .api_version = VK_API_VERSION_1_0, .null_driver = "{\"apiVersion\": \"1.0.0\"}", \
    .instance_extensions = {"VK_KHR_get_physical_device_properties2"}
static const char *const viewport[] = {"VK_KHR_maintenance1", "VK_AMD_negative_viewport_height"};
REQUEST(maintenance_and_negative_viewport, NULL, 2, viewport, ID("ppEnabledExtensionNames-00374"),
        OF_1_0)
REQUEST(negative_viewport, NULL, 1, viewport + 1, OF_1_0)
/* It is the physical device's version that counts. */
REQUEST(negative_viewport_of_new_device, NULL, 1, viewport + 1, ID("ppEnabledExtensionNames-01840"),
        .api_version = VK_API_VERSION_1_0,
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
        request_queues(b, 2, queues, next_, 0, NULL);                                  \
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
    request_queues(b, 1, &queue, &feature, 1, &extension);
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

/* --- queues of one family --- */

static void request_priorities(struct baseline *b, const void *first, const void *second)
{
    VkDeviceQueueCreateInfo queues[] = {queues_of(0, 1),
                                        queues_of(VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT, 1)};
    const VkPhysicalDeviceProtectedMemoryFeatures with_protection = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
        .protectedMemory = VK_TRUE};
    const char *const extension = VK_KHR_GLOBAL_PRIORITY_EXTENSION_NAME;
    queues[0].pNext = first;
    queues[1].pNext = second;
    request_queues(b, 2, queues, &with_protection, 1, &extension);
}
static const VkDeviceQueueGlobalPriorityCreateInfo
    high = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_GLOBAL_PRIORITY_CREATE_INFO,
            .globalPriority = VK_QUEUE_GLOBAL_PRIORITY_HIGH},
    medium = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_GLOBAL_PRIORITY_CREATE_INFO,
              .globalPriority = VK_QUEUE_GLOBAL_PRIORITY_MEDIUM};
#define TWO_KINDS                                                                                \
    .start = START_INSTANCE, .drivers = NULL_DRIVER,                                             \
    .null_driver = "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", \"transfer\", " \
                   "\"protected\"], \"count\": 2}]}"

SCENARIO(family_of_two_priorities, TWO_KINDS,
         .expect = {"VUID-VkDeviceCreateInfo-pQueueCreateInfos-06654"},
         .text = {"VK_QUEUE_GLOBAL_PRIORITY_HIGH in element 0 and "
                  "VK_QUEUE_GLOBAL_PRIORITY_MEDIUM in element 1"})
{
    request_priorities(b, &high, NULL);
}

/* Medium is what elements without a structure have. */
SCENARIO(family_of_one_priority, TWO_KINDS)
{
    request_priorities(b, &medium, NULL);
    request_priorities(b, &high, &high);
}

SCENARIO(device_without_queues, .start = START_INSTANCE, .drivers = NULL_DRIVER,
         .null_driver = "{\"features\": {\"maintenance9\": false}}",
         .expect = {"VUID-VkDeviceCreateInfo-None-10778"})
{
    request_queues(b, 0, NULL, NULL, 0, NULL);
}

SCENARIO(device_without_queues_by_maintenance9, .start = START_INSTANCE, .drivers = NULL_DRIVER)
{
    request_queues(b, 0, NULL, NULL, 0, NULL);
}

/* --- robust access --- */

static const VkPhysicalDeviceVulkan12Features after_bind = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE};
static const VkPhysicalDeviceFeatures2 robust_after_bind = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&after_bind,
    .features = {.robustBufferAccess = VK_TRUE}};
#define NOT_ROBUST .null_driver = "{\"properties\": {\"robustBufferAccessUpdateAfterBind\": false}}"
REQUEST(robust_after_bind_that_cannot_be, &robust_after_bind, 0, NULL,
        ID("robustBufferAccess-10247"), NOT_ROBUST,
        .text = {"enables descriptorBindingStorageBufferUpdateAfterBind beside"})
REQUEST(robust_after_bind_that_can_be, &robust_after_bind, 0, NULL,
        .null_driver = "{\"properties\": {\"robustBufferAccessUpdateAfterBind\": true}}")
REQUEST(after_bind_alone, &after_bind, 0, NULL, NOT_ROBUST)

/* --- groups --- */

static void request_group(struct baseline *b, uint32_t count, const VkPhysicalDevice *devices)
{
    const VkDeviceGroupDeviceCreateInfo group = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO,
        .physicalDeviceCount = count,
        .pPhysicalDevices = devices};
    request_plain(b, &group, 0, NULL);
}

SCENARIO(group_of_one, .start = START_INSTANCE, .drivers = NULL_DRIVER)
{
    VkPhysicalDevice device = first_physical_device(b->instance);
    request_group(b, 1, &device);
    request_group(b, 0, NULL);
}

SCENARIO(group_of_one_twice, .start = START_INSTANCE, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkDeviceGroupDeviceCreateInfo-pPhysicalDevices-00375"})
{
    VkPhysicalDevice device = first_physical_device(b->instance), devices[] = {device, device};
    request_group(b, 2, devices);
}

/* --- queues of ARM's, pipeline binaries --- */

static void request_cores(struct baseline *b, const void *of_device, const void *of_queue)
{
    static const char *const arm[] = {VK_ARM_SHADER_CORE_BUILTINS_EXTENSION_NAME,
                                      VK_ARM_SCHEDULING_CONTROLS_EXTENSION_NAME};
    VkPhysicalDeviceSchedulingControlsFeaturesARM controls = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCHEDULING_CONTROLS_FEATURES_ARM,
        .pNext = (void *)of_device,
        .schedulingControls = VK_TRUE};
    VkDeviceQueueCreateInfo queue = queues_of(0, 1);
    queue.pNext = of_queue;
    request_queues(b, 1, &queue, &controls, 2, arm);
}
static const VkDeviceQueueShaderCoreControlCreateInfoARM
    two_cores = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_SHADER_CORE_CONTROL_CREATE_INFO_ARM,
                 .shaderCoreCount = 2},
    three_cores = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_SHADER_CORE_CONTROL_CREATE_INFO_ARM,
                   .shaderCoreCount = 3};
#define CORES(flags_)                                \
    .start = START_INSTANCE, .drivers = NULL_DRIVER, \
    .null_driver =                                   \
        "{\"properties\": {\"schedulingControlsFlags\": " flags_ ", \"shaderCoreCount\": 2}}"

SCENARIO(cores_of_device, CORES("1"))
{
    request_cores(b, &two_cores, NULL);
    request_cores(b, NULL, &two_cores);
}

SCENARIO(cores_of_device_and_queue, CORES("1"), ID("pNext-09396"))
{
    request_cores(b, &two_cores, &two_cores);
}

SCENARIO(cores_of_device_without_control, CORES("0"), ID("pNext-09397"))
{
    request_cores(b, &two_cores, NULL);
}

SCENARIO(cores_of_queue_without_control, CORES("0"),
         .expect = {"VUID-VkDeviceQueueCreateInfo-pNext-09398"})
{
    request_cores(b, NULL, &two_cores);
}

SCENARIO(more_cores_than_there_are, CORES("1"),
         .expect = {"VUID-VkDeviceQueueShaderCoreControlCreateInfoARM-shaderCoreCount-09399"},
         .text = {"shaderCoreCount is 3, but must be 1 to 2"})
{
    request_cores(b, NULL, &three_cores);
}

static const VkPhysicalDevicePipelineBinaryFeaturesKHR binaries = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR,
    .pipelineBinaries = VK_TRUE};
static const VkDevicePipelineBinaryInternalCacheControlKHR no_cache = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_PIPELINE_BINARY_INTERNAL_CACHE_CONTROL_KHR,
    .pNext = &binaries,
    .disableInternalCache = VK_TRUE};
static const char *const binary[] = {VK_KHR_PIPELINE_BINARY_EXTENSION_NAME,
                                     VK_KHR_MAINTENANCE_5_EXTENSION_NAME};
#define CACHE(can_) \
    .null_driver = "{\"properties\": {\"pipelineBinaryInternalCacheControl\": " can_ "}}"
REQUEST(cache_of_binaries_disabled, &no_cache, 2, binary, CACHE("true"))
REQUEST(cache_of_binaries_that_cannot_be_disabled, &no_cache, 2, binary, CACHE("false"),
        .expect = {"VUID-VkDevicePipelineBinaryInternalCacheControlKHR-disableInternalCache-09602"})

SCENARIO(devices_of_two_groups, .start = START_INSTANCE, .drivers = NULL_DRIVER,
         .null_driver = "{\"physicalDevices\": 2}",
         .expect = {"VUID-VkDeviceGroupDeviceCreateInfo-pPhysicalDevices-00376"})
{
    VkPhysicalDevice devices[2];
    uint32_t two = 2;
    VK(vkEnumeratePhysicalDevices(b->instance, &two, devices));
    request_group(b, 2, devices);
}

SCENARIO(devices_of_one_group, .start = START_INSTANCE, .drivers = NULL_DRIVER,
         .null_driver = "{\"physicalDevices\": 2, \"deviceGroup\": true}")
{
    VkPhysicalDevice devices[2];
    uint32_t two = 2;
    VK(vkEnumeratePhysicalDevices(b->instance, &two, devices));
    request_group(b, 2, devices);
}

/* --- portability --- */

static const char *const portable[] = {"VK_KHR_portability_subset"};
#define PORTABLE .null_driver = "{\"portability\": true}"
REQUEST(portability_left_out, NULL, 0, NULL, PORTABLE, ID("pProperties-04451"))
REQUEST(portability_enabled, NULL, 1, portable, PORTABLE)

/* --- layered implementations --- */

static void ask_layered(struct baseline *b, void *next)
{
    VkPhysicalDeviceLayeredApiVulkanPropertiesKHR vulkan = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LAYERED_API_VULKAN_PROPERTIES_KHR,
        .properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = next}};
    VkPhysicalDeviceLayeredApiPropertiesKHR layered = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LAYERED_API_PROPERTIES_KHR, .pNext = &vulkan};
    VkPhysicalDeviceLayeredApiPropertiesListKHR list = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LAYERED_API_PROPERTIES_LIST_KHR,
        .layeredApiCount = 1,
        .pLayeredApis = &layered};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &list};
    vkGetPhysicalDeviceProperties2(first_physical_device(b->instance), &properties);
}

SCENARIO(properties_of_layered, .start = START_INSTANCE, .drivers = NULL_DRIVER)
{
    VkPhysicalDeviceIDProperties id = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, .pNext = &id};
    ask_layered(b, &driver);
}

SCENARIO(properties_of_layered_too_many, .start = START_INSTANCE, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkPhysicalDeviceLayeredApiVulkanPropertiesKHR-pNext-10011"})
{
    VkPhysicalDeviceSubgroupProperties subgroups = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    ask_layered(b, &subgroups);
}

/* --- hints --- */

static const VkPhysicalDeviceQueuePerfHintFeaturesQCOM hints = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_QUEUE_PERF_HINT_FEATURES_QCOM,
    .queuePerfHint = VK_TRUE};
#define HINTS(queues_)                                      \
    .drivers = NULL_DRIVER, .features = &hints,             \
    .extensions = {VK_QCOM_QUEUE_PERF_HINT_EXTENSION_NAME}, \
    .null_driver = "{\"properties\": {\"supportedQueues\": " queues_ "}}"
static void hint_performance(struct baseline *b)
{
    const VkPerfHintInfoQCOM info = {.sType = VK_STRUCTURE_TYPE_PERF_HINT_INFO_QCOM,
                                     .type = VK_PERF_HINT_TYPE_FREQUENCY_MIN_QCOM};
    (void)DEVICE_PROC(b, vkQueueSetPerfHintQCOM)(b->queue, &info);
}

SCENARIO(hint_for_queue, HINTS("1"))
{
    hint_performance(b);
}

/* 32: VK_QUEUE_VIDEO_DECODE_BIT_KHR */
SCENARIO(hint_for_unsupported_queue, HINTS("32"),
         .expect = {"VUID-vkQueueSetPerfHintQCOM-queue-12388"})
{
    hint_performance(b);
}

/* --- checkpoints --- */

SCENARIO(checkpoints_of_living_device, .drivers = NULL_DRIVER,
         .extensions = {"VK_NV_device_diagnostic_checkpoints"},
         .expect = {"VUID-vkGetQueueCheckpointDataNV-queue-02025",
                    "VUID-vkGetQueueCheckpointData2NV-queue-03892"},
         .text = {"is not lost: no command has answered VK_ERROR_DEVICE_LOST"})
{
    uint32_t count = 0;
    DEVICE_PROC(b, vkGetQueueCheckpointDataNV)(b->queue, &count, NULL);
    DEVICE_PROC(b, vkGetQueueCheckpointData2NV)(b->queue, &count, NULL);
}
