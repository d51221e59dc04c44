/* Makes what is around a run: an instance with a messenger that counts, and a device with
 * everything enabled that the fuzzer can use. A second device has handles that are foreign. */
#include "fuzz.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define ENSURE(condition_)                                                                       \
    do {                                                                                         \
        if (!(condition_)) {                                                                     \
            (void)fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition_); \
            exit(EXIT_FAILURE);                                                                  \
        }                                                                                        \
    } while (0)

void note_call(struct world *w, const char *command, int line)
{
    struct report *report = w->report;
    atomic_store_explicit(&report->command, command, memory_order_relaxed);
    atomic_store_explicit(&report->line, (uint32_t)line, memory_order_relaxed);
    atomic_fetch_add_explicit(&report->calls, 1, memory_order_relaxed);
    if (w->options->trace)
        (void)fprintf(stderr, "%6llu  %s (line %d)\n",
                      (unsigned long long)atomic_load(&report->step), command, line);
}

void note_result(struct world *w, VkResult result)
{
    if (w->options->trace && result != VK_SUCCESS)
        (void)fprintf(stderr, "        = %d\n", result);
}

void fuzz_fail(struct world *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fprintf(stderr,
                  "step %llu, %s (line %u): ", (unsigned long long)atomic_load(&w->report->step),
                  atomic_load(&w->report->command), atomic_load(&w->report->line));
    (void)vfprintf(stderr, format, arguments);
    (void)fprintf(stderr, "\n");
    va_end(arguments);
    atomic_store(&w->report->failed, 1);
}

/* --- findings --- */

static uint64_t text_hash(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3ull;
    return hash;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL
on_fuzz_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                VkDebugUtilsMessageTypeFlagsEXT types,
                const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    struct world *w = user;
    const char *id = data->pMessageIdName ? data->pMessageIdName : "";
    if (strncmp(id, "Loader", 6) == 0)
        return VK_FALSE;
    atomic_fetch_add(&w->report->findings, 1);
    atomic_store(&w->report->digest, text_hash(atomic_load(&w->report->digest), id));
    if (w->options->trace)
        (void)fprintf(stderr, "        %s\n", data->pMessage ? data->pMessage : id);
    if (w->options->valid) {
        fuzz_fail(w, "a finding in a valid program: %s\n", data->pMessage ? data->pMessage : id);
        return VK_FALSE;
    }
    if (w->ending)
        return VK_FALSE;
    struct random r =
        random_of(w->options->seed ^ 0x616e73776572ull, atomic_fetch_add(&w->answers, 1));
    return random_chance(&r, 50);
}

/* --- instance --- */

static void create_fuzz_instance(struct world *w)
{
    static const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                                             VK_KHR_SURFACE_EXTENSION_NAME,
                                             VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME};
    const char *layer = w->options->peer ? w->options->peer : "VK_LAYER_ASSAY_validation";
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .pApplicationName = "fuzz",
                                     .apiVersion = VK_API_VERSION_1_4};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &application,
                                 .enabledLayerCount = 1,
                                 .ppEnabledLayerNames = &layer,
                                 .enabledExtensionCount =
                                     sizeof(extensions) / sizeof(extensions[0]),
                                 .ppEnabledExtensionNames = extensions};
    ENSURE(vkCreateInstance(&info, NULL, &w->instance) == VK_SUCCESS);
    VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
        .pfnUserCallback = on_fuzz_message,
        .pUserData = w};
    PFN_vkCreateDebugUtilsMessengerEXT create =
        (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(w->instance,
                                                                  "vkCreateDebugUtilsMessengerEXT");
    ENSURE(create && create(w->instance, &messenger, NULL, &w->messenger) == VK_SUCCESS);
    uint32_t count = 1;
    ENSURE(vkEnumeratePhysicalDevices(w->instance, &count, &w->physical_device) >= 0 && count == 1);
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(w->physical_device, &properties);
    w->limits = properties.limits;
    VkHeadlessSurfaceCreateInfoEXT surface = {
        .sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    PFN_vkCreateHeadlessSurfaceEXT create_surface =
        (PFN_vkCreateHeadlessSurfaceEXT)vkGetInstanceProcAddr(w->instance,
                                                              "vkCreateHeadlessSurfaceEXT");
    ENSURE(create_surface &&
           create_surface(w->instance, &surface, NULL, &w->surface) == VK_SUCCESS);
    VkBool32 supported = VK_FALSE;
    ENSURE(vkGetPhysicalDeviceSurfaceSupportKHR(w->physical_device, 0, w->surface, &supported) ==
           VK_SUCCESS);
    VkSurfaceCapabilitiesKHR capabilities;
    ENSURE(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(w->physical_device, w->surface,
                                                     &capabilities) == VK_SUCCESS);
    VkSurfaceFormatKHR formats[16];
    count = 16;
    ENSURE(vkGetPhysicalDeviceSurfaceFormatsKHR(w->physical_device, w->surface, &count, formats) ==
           VK_SUCCESS);
    VkPresentModeKHR modes[16];
    count = 16;
    ENSURE(vkGetPhysicalDeviceSurfacePresentModesKHR(w->physical_device, w->surface, &count,
                                                     modes) == VK_SUCCESS);
}

/* --- device --- */

static const char *const device_extensions[] = {
    VK_KHR_SWAPCHAIN_EXTENSION_NAME,
    VK_EXT_COLOR_WRITE_ENABLE_EXTENSION_NAME,
    VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME,
    VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME,
    VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME,
    VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
    VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
    VK_EXT_MESH_SHADER_EXTENSION_NAME,
    VK_EXT_MULTI_DRAW_EXTENSION_NAME,
    VK_EXT_SHADER_OBJECT_EXTENSION_NAME,
    VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
    VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME,
};

static VkResult create_fuzz_device(struct world *w, VkDevice *device)
{
    static const float priority = 1;
    VkDeviceQueueCreateInfo queues[QUEUE_FAMILY_COUNT];
    for (uint32_t i = 0; i < QUEUE_FAMILY_COUNT; i++)
        queues[i] = (VkDeviceQueueCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                              .queueFamilyIndex = i,
                                              .queueCount = 1,
                                              .pQueuePriorities = &priority};
    uint32_t family_count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(w->physical_device, &family_count, NULL);
    ENSURE(family_count >= QUEUE_FAMILY_COUNT);
    VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT vertex_input = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT};
    VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
        .pNext = &vertex_input};
    VkPhysicalDeviceShaderObjectFeaturesEXT shader_object = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, .pNext = &feedback};
    VkPhysicalDeviceMultiDrawFeaturesEXT multi_draw = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT,
        .pNext = &shader_object};
    VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .pNext = &multi_draw};
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT library = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
        .pNext = &mesh};
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic3 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
        .pNext = &library};
    VkPhysicalDeviceExtendedDynamicState2FeaturesEXT dynamic2 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
        .pNext = &dynamic3};
    VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
        .pNext = &dynamic2};
    VkPhysicalDeviceColorWriteEnableFeaturesEXT color_write = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT,
        .pNext = &conditional};
    VkPhysicalDeviceVulkan14Features core14 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES, .pNext = &color_write};
    VkPhysicalDeviceVulkan13Features core13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &core14};
    VkPhysicalDeviceVulkan12Features core12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &core13};
    VkPhysicalDeviceVulkan11Features core11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &core12};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &core11};
    vkGetPhysicalDeviceFeatures2(w->physical_device, &features);
    /* These ask for extensions that are not enabled, or change the rules of everything else. */
    mesh.multiviewMeshShader = mesh.primitiveFragmentShadingRateMeshShader = VK_FALSE;
    core11.protectedMemory = VK_FALSE;
    core14.pipelineProtectedAccess = VK_FALSE;
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &features,
                               .queueCreateInfoCount = QUEUE_FAMILY_COUNT,
                               .pQueueCreateInfos = queues,
                               .enabledExtensionCount =
                                   sizeof(device_extensions) / sizeof(device_extensions[0]),
                               .ppEnabledExtensionNames = device_extensions};
    return vkCreateDevice(w->physical_device, &info, NULL, device);
}

void world_create(struct world *w, const struct options *options, struct report *report)
{
    *w = (struct world){.options = options, .report = report};
    note_call(w, "vkCreateInstance", __LINE__);
    create_fuzz_instance(w);
    note_call(w, "vkCreateDevice", __LINE__);
    ENSURE(create_fuzz_device(w, &w->device) == VK_SUCCESS &&
           create_fuzz_device(w, &w->other_device) == VK_SUCCESS);
#define FIND_COMMAND(name_)                                                   \
    w->vk.name_ = (PFN_vk##name_)vkGetDeviceProcAddr(w->device, "vk" #name_); \
    if (!w->vk.name_)                                                         \
        (void)fprintf(stderr, "the device has no vk%s\n", #name_), exit(EXIT_FAILURE);
    COMMANDS(FIND_COMMAND)
    for (uint32_t i = 0; i < QUEUE_FAMILY_COUNT; i++)
        vkGetDeviceQueue(w->device, i, 0, &w->queues[i]);
}

void world_destroy(struct world *w)
{
    w->ending = true;
    note_call(w, "vkDestroyDevice", __LINE__);
    vkDestroyDevice(w->other_device, NULL);
    vkDestroyDevice(w->device, NULL);
    note_call(w, "vkDestroyInstance", __LINE__);
    vkDestroySurfaceKHR(w->instance, w->surface, NULL);
    PFN_vkDestroyDebugUtilsMessengerEXT destroy = (PFN_vkDestroyDebugUtilsMessengerEXT)
        vkGetInstanceProcAddr(w->instance, "vkDestroyDebugUtilsMessengerEXT");
    destroy(w->instance, w->messenger, NULL);
    vkDestroyInstance(w->instance, NULL);
}
