/* The loader's interface as a program sees it: which pointers come back for which names, and what
 * is enumerated. Commands of physical devices are called, and several instances and devices are
 * alive at once. */
#include "scenario.h"

#include <stdlib.h>
#include <string.h>

#define MISTAKE "VUID-VkFenceCreateInfo-flags-parameter"

static void mistake_on(VkDevice device)
{
    VkFenceCreateInfo info = fence_info();
    VkFence fence = VK_NULL_HANDLE;
    info.flags = 0x100;
    if (vkCreateFence(device, &info, NULL, &fence) == VK_SUCCESS)
        vkDestroyFence(device, fence, NULL);
}

/* Pointers. */

SCENARIO(device_proc_of_core)
{
    static const char *const names[] = {"vkDestroyDevice",
                                        "vkGetDeviceQueue",
                                        "vkQueueSubmit",
                                        "vkCreateBuffer",
                                        "vkCmdDraw",
                                        "vkGetDeviceProcAddr",
                                        "vkCmdPipelineBarrier",
                                        "vkUpdateDescriptorSets",
                                        "vkFreeMemory",
                                        "vkBindBufferMemory2",
                                        "vkCreateRenderPass2",
                                        "vkCmdBeginRendering",
                                        "vkQueueSubmit2",
                                        "vkGetDeviceBufferMemoryRequirements",
                                        "vkCreatePrivateDataSlot"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!vkGetDeviceProcAddr(b->device, names[i]))
            scenario_fail(__FILE__, __LINE__, "no %s", names[i]);
    }
}

/* "device-level commands" only. */
SCENARIO(device_proc_of_instance_commands)
{
    static const char *const names[] = {"vkCreateInstance",
                                        "vkDestroyInstance",
                                        "vkEnumeratePhysicalDevices",
                                        "vkGetPhysicalDeviceFeatures",
                                        "vkGetPhysicalDeviceProperties2",
                                        "vkCreateDevice",
                                        "vkGetInstanceProcAddr",
                                        "vkEnumerateInstanceExtensionProperties",
                                        "vkCreateDebugUtilsMessengerEXT",
                                        "vkEnumerateDeviceExtensionProperties"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (vkGetDeviceProcAddr(b->device, names[i]))
            scenario_fail(__FILE__, __LINE__, "%s is no command of a device", names[i]);
    }
}

SCENARIO(device_proc_of_nonsense)
{
    EXPECT(vkGetDeviceProcAddr(b->device, "") == NULL);
    EXPECT(vkGetDeviceProcAddr(b->device, "vk") == NULL);
    EXPECT(vkGetDeviceProcAddr(b->device, "vkCreateBufferX") == NULL);
    EXPECT(vkGetDeviceProcAddr(b->device, "vkcreatebuffer") == NULL);
    EXPECT(vkGetDeviceProcAddr(b->device, "glBegin") == NULL);
}

/* debug_utils is the layer's own where the driver has none: its device commands must be there. */
SCENARIO(device_proc_of_debug_utils)
{
    EXPECT(vkGetDeviceProcAddr(b->device, "vkSetDebugUtilsObjectNameEXT") != NULL);
    EXPECT(vkGetDeviceProcAddr(b->device, "vkCmdBeginDebugUtilsLabelEXT") != NULL);
    EXPECT(vkGetDeviceProcAddr(b->device, "vkQueueInsertDebugUtilsLabelEXT") != NULL);
}

SCENARIO(device_proc_is_stable)
{
    EXPECT(vkGetDeviceProcAddr(b->device, "vkCreateBuffer") ==
           vkGetDeviceProcAddr(b->device, "vkCreateBuffer"));
    EXPECT(vkGetDeviceProcAddr(b->device, "vkGetDeviceProcAddr") != NULL);
}

/* "any other case, not covered above: NULL", whatever the driver answers: the null driver has a
 * function for every name. */
static void expect_procs(struct baseline *b, const char *const *names, bool there)
{
    for (; *names; names++) {
        if (!vkGetDeviceProcAddr(b->device, *names) == there)
            scenario_fail(__FILE__, __LINE__, there ? "no %s" : "%s is not enabled", *names);
    }
}

SCENARIO(device_proc_of_a_version_not_asked_for, .api_version = VK_API_VERSION_1_1,
         .drivers = NULL_DRIVER)
{
    expect_procs(b, (const char *const[]){"vkBindBufferMemory2", "vkTrimCommandPool", NULL}, true);
    expect_procs(b,
                 (const char *const[]){"vkCreateRenderPass2", "vkCmdBeginRendering",
                                       "vkQueueSubmit2", "vkMapMemory2", NULL},
                 false);
}

SCENARIO(device_proc_of_extensions_that_are_not_enabled, .drivers = NULL_DRIVER)
{
    /* promotion does not bring the extension's names */
    expect_procs(b,
                 (const char *const[]){"vkCmdBeginRenderingKHR", "vkQueueSubmit2KHR",
                                       "vkCreateSwapchainKHR", "vkCmdDrawMeshTasksEXT",
                                       "vkCmdDebugMarkerBeginEXT", "vkMapMemory2KHR", NULL},
                 false);
}

SCENARIO(device_proc_of_extensions_that_are_enabled, .drivers = NULL_DRIVER,
         .extensions = {VK_KHR_DYNAMIC_RENDERING_EXTENSION_NAME,
                        VK_AMD_BUFFER_MARKER_EXTENSION_NAME, VK_EXT_DEBUG_MARKER_EXTENSION_NAME})
{
    /* one of the ways to get a command is enough: the second is in a block that depends on
     * Vulkan 1.3 */
    expect_procs(b,
                 (const char *const[]){"vkCmdBeginRenderingKHR", "vkCmdWriteBufferMarker2AMD",
                                       "vkCmdDebugMarkerBeginEXT", NULL},
                 true);
}

/* An alias is a name of its own, and a finding names the command as the program spelt it. */
SCENARIO(device_proc_of_alias, .expect = {"VUID-vkBindBufferMemory2-bindInfoCount-arraylength"},
         .text = {"vkBindBufferMemory2KHR()"}, .extensions = {VK_KHR_BIND_MEMORY_2_EXTENSION_NAME})
{
    VkBindBufferMemoryInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO};
    DEVICE_PROC(b, vkBindBufferMemory2KHR)(b->device, 0, &info);
}

SCENARIO(device_proc_found_through_itself, .expect = {MISTAKE})
{
    PFN_vkGetDeviceProcAddr get =
        (PFN_vkGetDeviceProcAddr)vkGetDeviceProcAddr(b->device, "vkGetDeviceProcAddr");
    PFN_vkCreateFence create = (PFN_vkCreateFence)get(b->device, "vkCreateFence");
    VkFenceCreateInfo info = fence_info();
    VkFence fence = VK_NULL_HANDLE;
    info.flags = 0x100;
    EXPECT_EQUAL(create(b->device, &info, NULL, &fence), VK_ERROR_VALIDATION_FAILED_EXT);
}

SCENARIO(instance_proc_of_device_commands, .expect = {MISTAKE})
{
    PFN_vkCreateFence create =
        (PFN_vkCreateFence)vkGetInstanceProcAddr(b->instance, "vkCreateFence");
    VkFenceCreateInfo info = fence_info();
    VkFence fence = VK_NULL_HANDLE;
    info.flags = 0x100;
    EXPECT_EQUAL(create(b->device, &info, NULL, &fence), VK_ERROR_VALIDATION_FAILED_EXT);
}

SCENARIO(instance_proc_of_instance_commands, .start = START_INSTANCE)
{
    static const char *const names[] = {"vkDestroyInstance",
                                        "vkEnumeratePhysicalDevices",
                                        "vkGetPhysicalDeviceFeatures2",
                                        "vkCreateDevice",
                                        "vkGetPhysicalDeviceToolProperties",
                                        "vkCreateDebugUtilsMessengerEXT",
                                        "vkSubmitDebugUtilsMessageEXT",
                                        "vkGetDeviceProcAddr",
                                        "vkEnumeratePhysicalDeviceGroups"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!vkGetInstanceProcAddr(b->instance, names[i]))
            scenario_fail(__FILE__, __LINE__, "no %s", names[i]);
    }
    EXPECT(vkGetInstanceProcAddr(b->instance, "vkNoSuchThing") == NULL);
    EXPECT(vkGetInstanceProcAddr(b->instance, "") == NULL);
}

SCENARIO(instance_proc_without_instance, .start = START_NOTHING)
{
    EXPECT(vkGetInstanceProcAddr(NULL, "vkCreateInstance") != NULL);
    EXPECT(vkGetInstanceProcAddr(NULL, "vkEnumerateInstanceLayerProperties") != NULL);
    EXPECT(vkGetInstanceProcAddr(NULL, "vkEnumerateInstanceVersion") != NULL);
    EXPECT(vkGetInstanceProcAddr(NULL, "vkCreateDevice") == NULL);
}

SCENARIO(instance_proc_of_extension_not_enabled, .start = START_INSTANCE)
{
    EXPECT(vkGetInstanceProcAddr(b->instance, "vkCreateHeadlessSurfaceEXT") == NULL);
    EXPECT(vkGetInstanceProcAddr(b->instance, "vkCreateDebugReportCallbackEXT") == NULL);
}

SCENARIO(instance_proc_of_extension_enabled, .start = START_INSTANCE,
         .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME,
                                 VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME,
                                 VK_EXT_DEBUG_REPORT_EXTENSION_NAME})
{
    EXPECT(vkGetInstanceProcAddr(b->instance, "vkCreateHeadlessSurfaceEXT") != NULL);
    EXPECT(vkGetInstanceProcAddr(b->instance, "vkCreateDebugReportCallbackEXT") != NULL);
    EXPECT(vkGetInstanceProcAddr(b->instance, "vkGetPhysicalDeviceSurfaceFormatsKHR") != NULL);
}

/* The loader enumerates the layer. */

SCENARIO(layer_is_listed, .start = START_NOTHING)
{
    VkLayerProperties layers[32];
    uint32_t count = 32;
    bool found = false;
    VK(vkEnumerateInstanceLayerProperties(&count, layers));
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(layers[i].layerName, b->layer) != 0)
            continue;
        found = true;
        EXPECT(layers[i].specVersion >= VK_API_VERSION_1_3);
        EXPECT(layers[i].description[0] != '\0');
    }
    EXPECT(found);
}

static bool extension_listed(const VkExtensionProperties *list, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(list[i].extensionName, name) == 0)
            return list[i].specVersion > 0;
    }
    return false;
}

SCENARIO(layer_extensions_are_listed, .start = START_NOTHING)
{
    VkExtensionProperties list[32];
    uint32_t count = 32;
    VK(vkEnumerateInstanceExtensionProperties(b->layer, &count, list));
    EXPECT(extension_listed(list, count, VK_EXT_DEBUG_UTILS_EXTENSION_NAME));
    EXPECT(extension_listed(list, count, VK_EXT_DEBUG_REPORT_EXTENSION_NAME));
    EXPECT(extension_listed(list, count, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME));
    EXPECT(extension_listed(list, count, VK_EXT_LAYER_SETTINGS_EXTENSION_NAME));
}

SCENARIO(layer_extensions_in_pieces, .start = START_NOTHING)
{
    VkExtensionProperties list[32];
    uint32_t count = 0, one = 1;
    VK(vkEnumerateInstanceExtensionProperties(b->layer, &count, NULL));
    EXPECT(count >= 4 && count <= 32);
    EXPECT_EQUAL(vkEnumerateInstanceExtensionProperties(b->layer, &one, list), VK_INCOMPLETE);
    EXPECT_EQUAL(one, 1);
}

SCENARIO(device_extensions_of_the_layer, .start = START_INSTANCE)
{
    VkExtensionProperties list[32];
    uint32_t count = 32;
    VK(vkEnumerateDeviceExtensionProperties(b->physical_device, b->layer, &count, list));
    EXPECT(extension_listed(list, count, VK_EXT_TOOLING_INFO_EXTENSION_NAME));
    EXPECT(extension_listed(list, count, VK_EXT_DEBUG_MARKER_EXTENSION_NAME));
}

SCENARIO(device_extensions_of_the_driver, .start = START_INSTANCE)
{
    uint32_t count = 0;
    VK(vkEnumerateDeviceExtensionProperties(b->physical_device, NULL, &count, NULL));
    EXPECT(count > 50);
    VkExtensionProperties *list = calloc(count, sizeof(*list));
    VK(vkEnumerateDeviceExtensionProperties(b->physical_device, NULL, &count, list));
    EXPECT(extension_listed(list, count, VK_KHR_SWAPCHAIN_EXTENSION_NAME));
    free(list);
}

SCENARIO(layer_is_a_tool, .start = START_INSTANCE)
{
    VkPhysicalDeviceToolProperties tools[8];
    uint32_t count = 8;
    bool found = false;
    for (uint32_t i = 0; i < 8; i++)
        tools[i] = (VkPhysicalDeviceToolProperties){
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TOOL_PROPERTIES};
    VK(vkGetPhysicalDeviceToolProperties(b->physical_device, &count, tools));
    for (uint32_t i = 0; i < count; i++)
        found |= (tools[i].purposes & VK_TOOL_PURPOSE_VALIDATION_BIT) &&
                 strcmp(tools[i].layer, b->layer) == 0;
    EXPECT(found);
}

SCENARIO(physical_devices_are_stable, .start = START_INSTANCE)
{
    VkPhysicalDevice first[4], second[4];
    uint32_t count = 4;
    VK(vkEnumeratePhysicalDevices(b->instance, &count, first));
    VK(vkEnumeratePhysicalDevices(b->instance, &count, second));
    EXPECT(count >= 1 && memcmp(first, second, count * sizeof(*first)) == 0);
}

SCENARIO(physical_devices_of_a_group, .start = START_INSTANCE)
{
    VkPhysicalDeviceGroupProperties group = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GROUP_PROPERTIES};
    VkPhysicalDeviceProperties properties;
    uint32_t count = 1;
    VK(vkEnumeratePhysicalDeviceGroups(b->instance, &count, &group));
    ENSURE(group.physicalDeviceCount >= 1);
    vkGetPhysicalDeviceProperties(group.physicalDevices[0], &properties);
    EXPECT(properties.apiVersion >= VK_API_VERSION_1_0);
}

SCENARIO(three_physical_devices, .start = START_INSTANCE, .drivers = NULL_DRIVER,
         .null_driver = "{\"physicalDevices\": 3}")
{
    VkPhysicalDevice list[4];
    uint32_t one = 1, count = 4;
    EXPECT_EQUAL(vkEnumeratePhysicalDevices(b->instance, &one, list), VK_INCOMPLETE);
    VK(vkEnumeratePhysicalDevices(b->instance, &count, list));
    ENSURE(count == 3);
    for (uint32_t i = 0; i < count; i++)
        vkDestroyDevice(make_device_of(b, list[i]), NULL);
}

SCENARIO(queue_is_stable)
{
    VkQueue first, second, third;
    VkDeviceQueueInfo2 info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2,
                               .queueFamilyIndex = b->queue_family};
    vkGetDeviceQueue(b->device, b->queue_family, 0, &first);
    vkGetDeviceQueue(b->device, b->queue_family, 0, &second);
    vkGetDeviceQueue2(b->device, &info, &third);
    EXPECT(first == second && second == third && first == b->queue);
    VK(vkQueueWaitIdle(first));
}

/* Several at once. */

struct ear {
    unsigned count;
    char text[4096];
};

static VkBool32 VKAPI_PTR listen_to_loader(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                           VkDebugUtilsMessageTypeFlagsEXT types,
                                           const VkDebugUtilsMessengerCallbackDataEXT *data,
                                           void *user)
{
    struct ear *ear = user;
    if (data->pMessageIdName && strcmp(data->pMessageIdName, "Loader Message") == 0)
        return VK_FALSE;
    ear->count++;
    snprintf(ear->text, sizeof(ear->text), "%s", data->pMessage);
    return VK_TRUE;
}

static VkDebugUtilsMessengerEXT add_ear(VkInstance instance, struct baseline *b, struct ear *ear)
{
    PFN_vkCreateDebugUtilsMessengerEXT create =
        (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(instance,
                                                                  "vkCreateDebugUtilsMessengerEXT");
    VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(b);
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    info.pfnUserCallback = listen_to_loader;
    info.pUserData = ear;
    VK(create(instance, &info, NULL, &messenger));
    return messenger;
}

static void remove_ear(VkInstance instance, VkDebugUtilsMessengerEXT messenger)
{
    ((PFN_vkDestroyDebugUtilsMessengerEXT)
         vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT"))(instance, messenger,
                                                                             NULL);
}

/* Each instance hears of its own devices only. */
SCENARIO(two_instances_two_messengers, .expect = {MISTAKE})
{
    struct ear ear = {0};
    VkInstance second = make_instance(b, NULL);
    VkDebugUtilsMessengerEXT messenger = add_ear(second, b, &ear);
    VkDevice device = make_device_of(b, first_physical_device(second));
    mistake_on(device);
    EXPECT_EQUAL(ear.count, 1);
    EXPECT_EQUAL(seen_count(b, MISTAKE), 0);
    mistake_on(b->device);
    EXPECT_EQUAL(ear.count, 1);
    EXPECT_EQUAL(seen_count(b, MISTAKE), 1);
    vkDestroyDevice(device, NULL);
    remove_ear(second, messenger);
    vkDestroyInstance(second, NULL);
}

SCENARIO(two_instances_two_settings, .expect = {MISTAKE},
         .instance_extensions = {VK_EXT_LAYER_SETTINGS_EXTENSION_NAME})
{
    struct ear ear = {0};
    VkBool32 no = VK_FALSE;
    VkLayerSettingEXT setting = {.pLayerName = b->layer,
                                 .pSettingName = "stateless_param",
                                 .type = VK_LAYER_SETTING_TYPE_BOOL32_EXT,
                                 .valueCount = 1,
                                 .pValues = &no};
    VkLayerSettingsCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
                                         .settingCount = 1,
                                         .pSettings = &setting};
    VkInstance second = make_instance(b, &info);
    VkDebugUtilsMessengerEXT messenger = add_ear(second, b, &ear);
    VkDevice device = make_device_of(b, first_physical_device(second));
    mistake_on(device);
    EXPECT_EQUAL(ear.count, 0);
    mistake_on(b->device);
    vkDestroyDevice(device, NULL);
    remove_ear(second, messenger);
    vkDestroyInstance(second, NULL);
}

/* One instance keeps ids, the other one the driver's handles. */
SCENARIO(two_instances_two_ways_of_handles,
         .instance_extensions = {VK_EXT_LAYER_SETTINGS_EXTENSION_NAME})
{
    VkBool32 no = VK_FALSE;
    VkLayerSettingEXT setting = {.pLayerName = b->layer,
                                 .pSettingName = "unique_handles",
                                 .type = VK_LAYER_SETTING_TYPE_BOOL32_EXT,
                                 .valueCount = 1,
                                 .pValues = &no};
    VkLayerSettingsCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
                                         .settingCount = 1,
                                         .pSettings = &setting};
    VkInstance second = make_instance(b, &info);
    VkDevice first_device = b->device, device = make_device_of(b, first_physical_device(second));
    for (int i = 0; i < 20; i++) {
        make_any_framebuffer(b);
        VkFenceCreateInfo fence_create = fence_info();
        VkFence fence;
        VK(vkCreateFence(device, &fence_create, NULL, &fence));
        EXPECT(vkGetFenceStatus(device, fence) >= 0);
        vkDestroyFence(device, fence, NULL);
    }
    EXPECT(b->device == first_device);
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(second, NULL);
}

SCENARIO(two_devices, .expect = {MISTAKE}, .ours_only = true)
{
    VkDevice second = make_second_device(b);
    VkDebugUtilsObjectNameInfoEXT name =
        name_info(VK_OBJECT_TYPE_DEVICE, HANDLE(second), "the second one");
    VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(second, &name));
    mistake_on(b->device);
    expect_no_text(b, "the second one");
    mistake_on(second);
    expect_text(b, "\"the second one\"");
}

/* A program that makes and unmakes everything, again and again. */
SCENARIO(instances_in_a_row, .start = START_NOTHING, .drivers = NULL_DRIVER)
{
    for (int i = 0; i < 30; i++) {
        VkInstance instance = make_instance(b, NULL);
        VkDevice device = make_device_of(b, first_physical_device(instance));
        VkFenceCreateInfo info = fence_info();
        VkFence fence;
        VK(vkCreateFence(device, &info, NULL, &fence));
        vkDestroyFence(device, fence, NULL);
        vkDestroyDevice(device, NULL);
        vkDestroyInstance(instance, NULL);
    }
}

SCENARIO(many_devices_at_once, .drivers = NULL_DRIVER)
{
    VkDevice devices[32];
    VkFence fences[32];
    VkFenceCreateInfo info = fence_info();
    for (int i = 0; i < 32; i++) {
        devices[i] = make_device_of(b, b->physical_device);
        VK(vkCreateFence(devices[i], &info, NULL, &fences[i]));
    }
    for (int i = 0; i < 32; i++) {
        EXPECT(vkGetFenceStatus(devices[i], fences[i]) >= 0);
        vkDestroyFence(devices[i], fences[i], NULL);
        vkDestroyDevice(devices[i], NULL);
    }
}

SCENARIO(instance_that_outlives_another, .expect = {MISTAKE}, .start = START_NOTHING)
{
    VkInstance first = make_instance(b, NULL);
    world_start(b, NULL);
    vkDestroyInstance(first, NULL);
    mistake_on(b->device);
}

SCENARIO(handle_of_another_instance, .expect = {"VUID-vkGetFenceStatus-fence-parent"},
         .settings = {"unique_handles=true"})
{
    VkInstance second = make_instance(b, NULL);
    VkDevice device = make_device_of(b, first_physical_device(second));
    VkFenceCreateInfo info = fence_info();
    VkFence fence;
    VK(vkCreateFence(device, &info, NULL, &fence));
    vkGetFenceStatus(b->device, fence);
    vkDestroyFence(device, fence, NULL);
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(second, NULL);
}
