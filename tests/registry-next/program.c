/* Uses the extension that make.py adds to the registry: its feature, limits, structures, commands
 * and handle. Each step says on standard output what it is about, and then the ids of its findings.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>

#define CHECK(condition_)                                                    \
    do {                                                                     \
        if (!(condition_)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition_); \
            exit(EXIT_FAILURE);                                              \
        }                                                                    \
    } while (0)
#define GET(name_) CHECK(name_ = (PFN_vk##name_)vkGetDeviceProcAddr(device, "vk" #name_))

static VkBool32 VKAPI_PTR on_next_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                          VkDebugUtilsMessageTypeFlagsEXT types,
                                          const VkDebugUtilsMessengerCallbackDataEXT *data,
                                          void *user)
{
    (void)severity, (void)types, (void)user;
    printf("%s\n", data->pMessageIdName);
    fflush(stdout);
    return VK_FALSE;
}

static void say_step(const char *text)
{
    printf("# %s\n", text);
    fflush(stdout);
}

static VkInstance create_next_instance(void)
{
    const VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_next_message,
    };
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = &messenger,
        .pApplicationInfo = &application,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = (const char *[]){VK_EXT_DEBUG_UTILS_EXTENSION_NAME},
    };
    VkInstance instance;
    CHECK(vkCreateInstance(&info, NULL, &instance) == VK_SUCCESS);
    PFN_vkCreateDebugUtilsMessengerEXT create =
        (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(instance,
                                                                  "vkCreateDebugUtilsMessengerEXT");
    VkDebugUtilsMessengerEXT made;
    CHECK(create && create(instance, &messenger, NULL, &made) == VK_SUCCESS);
    return instance;
}

static VkDevice create_next_device(VkPhysicalDevice physical)
{
    VkPhysicalDeviceNextRegistryFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NEXT_REGISTRY_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &features};
    vkGetPhysicalDeviceFeatures2(physical, &all);
    CHECK(features.nextRegistry);
    VkPhysicalDeviceNextRegistryPropertiesEXT limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NEXT_REGISTRY_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
    vkGetPhysicalDeviceProperties2(physical, &properties);
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    features = (VkPhysicalDeviceNextRegistryFeaturesEXT){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NEXT_REGISTRY_FEATURES_EXT,
        .nextRegistry = VK_TRUE};
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = (const char *[]){VK_EXT_NEXT_REGISTRY_EXTENSION_NAME},
    };
    VkDevice device;
    CHECK(vkCreateDevice(physical, &info, NULL, &device) == VK_SUCCESS);
    return device;
}

static VkCommandBuffer create_command_buffer(VkDevice device, VkCommandPool *pool)
{
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    CHECK(vkCreateCommandPool(device, &pool_info, NULL, pool) == VK_SUCCESS);
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = *pool,
                                              .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                              .commandBufferCount = 1};
    VkCommandBuffer commands;
    CHECK(vkAllocateCommandBuffers(device, &info, &commands) == VK_SUCCESS);
    return commands;
}

int main(void)
{
    VkInstance instance = create_next_instance();
    uint32_t count = 1;
    VkPhysicalDevice physical;
    CHECK(vkEnumeratePhysicalDevices(instance, &count, &physical) >= 0 && count == 1);
    say_step("right");
    VkDevice device = create_next_device(physical);
    PFN_vkCreateNextRegistryEXT CreateNextRegistryEXT;
    PFN_vkDestroyNextRegistryEXT DestroyNextRegistryEXT;
    PFN_vkGetNextRegistryPropertiesEXT GetNextRegistryPropertiesEXT;
    PFN_vkCmdDispatchNextRegistryEXT CmdDispatchNextRegistryEXT;
    GET(CreateNextRegistryEXT);
    GET(DestroyNextRegistryEXT);
    GET(GetNextRegistryPropertiesEXT);
    GET(CmdDispatchNextRegistryEXT);
    const VkBufferCreateInfo buffer_info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                            .size = 256,
                                            .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkBuffer buffer;
    CHECK(vkCreateBuffer(device, &buffer_info, NULL, &buffer) == VK_SUCCESS);
    const VkNextRegistryRegionEXT region = {.buffer = buffer, .size = 256};
    VkNextRegistryCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_NEXT_REGISTRY_CREATE_INFO_EXT,
                                        .regionCount = 1,
                                        .pRegions = &region};
    VkNextRegistryEXT next, kept;
    CHECK(CreateNextRegistryEXT(device, &info, NULL, &next) == VK_SUCCESS && next);
    CHECK(CreateNextRegistryEXT(device, &info, NULL, &kept) == VK_SUCCESS && kept != next);
    CHECK(GetNextRegistryPropertiesEXT(device, next, &count, NULL) >= 0);
    VkCommandPool pool;
    VkCommandBuffer commands = create_command_buffer(device, &pool);
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    CHECK(vkBeginCommandBuffer(commands, &begin) == VK_SUCCESS);
    CmdDispatchNextRegistryEXT(commands, next, 1, &region);

    say_step("a count of 0");
    CmdDispatchNextRegistryEXT(commands, next, 0, &region);
    CHECK(vkEndCommandBuffer(commands) == VK_SUCCESS);
    say_step("not recording");
    CmdDispatchNextRegistryEXT(commands, next, 1, &region);
    say_step("a wrong sType");
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    VkNextRegistryEXT wrong = VK_NULL_HANDLE;
    CreateNextRegistryEXT(device, &info, NULL, &wrong);
    DestroyNextRegistryEXT(device, wrong, NULL);
    info.sType = VK_STRUCTURE_TYPE_NEXT_REGISTRY_CREATE_INFO_EXT;
    say_step("a value that is none");
    info.mode = (VkNextRegistryModeEXT)7;
    wrong = VK_NULL_HANDLE;
    CreateNextRegistryEXT(device, &info, NULL, &wrong);
    DestroyNextRegistryEXT(device, wrong, NULL);
    info.mode = VK_NEXT_REGISTRY_MODE_SECOND_EXT;
    say_step("a handle in a structure that is dead");
    vkDestroyCommandPool(device, pool, NULL);
    vkDestroyBuffer(device, buffer, NULL);
    wrong = VK_NULL_HANDLE;
    CreateNextRegistryEXT(device, &info, NULL, &wrong);
    say_step("a handle that is dead");
    DestroyNextRegistryEXT(device, next, NULL);
    GetNextRegistryPropertiesEXT(device, next, &count, NULL);
    say_step("a handle that lives longer than its device");
    vkDestroyDevice(device, NULL);
    return 0;
}
