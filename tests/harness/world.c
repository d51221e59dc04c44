/* Makes what a scenario finds around it when it starts, and takes it down. That is an instance with
 * a messenger, a device, and a queue. */
#include "runner.h"

#include <stdlib.h>
#include <string.h>

PFN_vkVoidFunction device_proc(struct baseline *b, const char *name)
{
    PFN_vkVoidFunction function = vkGetDeviceProcAddr(b->device, name);
    if (!function)
        scenario_abort(__FILE__, __LINE__, "the device has no %s", name);
    return function;
}

PFN_vkVoidFunction instance_proc(struct baseline *b, const char *name)
{
    PFN_vkVoidFunction function = vkGetInstanceProcAddr(b->instance, name);
    if (!function)
        scenario_abort(__FILE__, __LINE__, "the instance has no %s", name);
    return function;
}

static uint32_t list_length(const char *const *list)
{
    uint32_t length = 0;
    while (length < LIST_LIMIT && list[length])
        length++;
    return length;
}

uint32_t scenario_api_version(const struct baseline *b)
{
    return b->scenario->api_version ? b->scenario->api_version : VK_API_VERSION_1_3;
}

VkInstance make_instance(struct baseline *b, const void *next)
{
    const char *extensions[LIST_LIMIT + 1] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    uint32_t count = list_length(b->scenario->instance_extensions);
    for (uint32_t i = 0; i < count; i++)
        extensions[i + 1] = b->scenario->instance_extensions[i];
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .pApplicationName = b->scenario->name,
                                     .apiVersion = scenario_api_version(b)};
    VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(b);
    messenger.pNext = next;
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pNext = &messenger,
                                 .pApplicationInfo = &application,
                                 .enabledLayerCount = b->below ? 2 : 1,
                                 .ppEnabledLayerNames = (const char *const[]){b->layer, b->below},
                                 .enabledExtensionCount = count + 1,
                                 .ppEnabledExtensionNames = extensions};
    VkInstance instance = VK_NULL_HANDLE;
    VK(vkCreateInstance(&info, NULL, &instance));
    return instance;
}

VkPhysicalDevice first_physical_device(VkInstance instance)
{
    uint32_t count = 1;
    VkPhysicalDevice physical_device = VK_NULL_HANDLE;
    VkResult result = vkEnumeratePhysicalDevices(instance, &count, &physical_device);
    if ((result != VK_SUCCESS && result != VK_INCOMPLETE) || count == 0)
        scenario_abort(__FILE__, __LINE__,
                       "no physical device: vkEnumeratePhysicalDevices answered %d", result);
    return physical_device;
}

uint32_t find_queue_family(VkPhysicalDevice physical_device, VkQueueFlags with,
                           VkQueueFlags without)
{
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if ((families[i].queueFlags & with) == with && !(families[i].queueFlags & without))
            return i;
    }
    return UINT32_MAX;
}

/* One queue of every family, so that a scenario can use any. */
static uint32_t all_families(VkPhysicalDevice physical_device, VkDeviceQueueCreateInfo *infos,
                             uint32_t limit)
{
    static const float priority = 1.0f;
    VkQueueFamilyProperties families[16];
    uint32_t count = limit;
    vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &count, families);
    for (uint32_t i = 0; i < count; i++)
        infos[i] = (VkDeviceQueueCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                             .queueFamilyIndex = i,
                                             .queueCount = 1,
                                             .pQueuePriorities = &priority};
    return count;
}

VkDevice make_device_of(struct baseline *b, VkPhysicalDevice physical_device)
{
    VkDeviceQueueCreateInfo queues[16];
    const char *extensions[LIST_LIMIT + 4];
    const uint32_t count = list_length(b->scenario->extensions);
    memcpy(extensions, b->scenario->extensions, count * sizeof(extensions[0]));
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = instead_features(b->scenario->features),
                               .queueCreateInfoCount = all_families(physical_device, queues, 16),
                               .pQueueCreateInfos = queues,
                               .enabledExtensionCount = instead_extensions(extensions, count),
                               .ppEnabledExtensionNames = extensions};
    VkPhysicalDeviceFeatures features;
    VkDevice device = VK_NULL_HANDLE;
    if (b->scenario->features) /* as a program should, before it enables some */
        vkGetPhysicalDeviceFeatures(physical_device, &features);
    VK(vkCreateDevice(physical_device, &info, NULL, &device));
    return device;
}

static void destroy_device(struct baseline *b, uint64_t handle)
{
    vkDestroyDevice((VkDevice)(uintptr_t)handle, NULL);
}

VkDevice make_second_device(struct baseline *b)
{
    VkDevice device = make_device_of(b, b->physical_device);
    cleanup_add(b, destroy_device, HANDLE(device));
    return device;
}

static void start_instance(struct baseline *b, const void *next)
{
    b->instance = make_instance(b, next);
    VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(b);
    VK(INSTANCE_PROC(b, vkCreateDebugUtilsMessengerEXT)(b->instance, &info, NULL, &b->messenger));
    b->physical_device = first_physical_device(b->instance);
    b->queue_family =
        find_queue_family(b->physical_device, VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT, 0);
    ENSURE(b->queue_family != UINT32_MAX);
}

void world_start(struct baseline *b, const void *next)
{
    start_instance(b, next);
    b->device = make_device_of(b, b->physical_device);
    vkGetDeviceQueue(b->device, b->queue_family, 0, &b->queue);
}

void world_create(struct baseline *b)
{
    if (b->scenario->start == START_DEVICE)
        world_start(b, NULL);
    else if (b->scenario->start == START_INSTANCE)
        start_instance(b, NULL);
}

void cleanup_add(struct baseline *b, void (*destroy)(struct baseline *b, uint64_t handle),
                 uint64_t handle)
{
    ENSURE(b->cleanup_count < CLEANUP_LIMIT);
    b->cleanups[b->cleanup_count++] = (struct cleanup){.destroy = destroy, .handle = handle};
}

void forget_handle(struct baseline *b, uint64_t handle)
{
    for (unsigned i = b->cleanup_count; i-- > 0;) {
        if (b->cleanups[i].handle == handle) {
            b->cleanups[i].destroy = NULL;
            return;
        }
    }
    scenario_abort(__FILE__, __LINE__, "handle %#llx is not one of the harness's",
                   (unsigned long long)handle);
}

void world_destroy(struct baseline *b)
{
    /* what the scenario left must really go, or its instance would stay as well */
    b->skip = false;
    if (b->device)
        vkDeviceWaitIdle(b->device);
    while (b->cleanup_count > 0) {
        const struct cleanup *last = &b->cleanups[--b->cleanup_count];
        if (last->destroy)
            last->destroy(b, last->handle);
    }
    if (b->device)
        vkDestroyDevice(b->device, NULL);
    if (b->messenger)
        INSTANCE_PROC(b, vkDestroyDebugUtilsMessengerEXT)(b->instance, b->messenger, NULL);
    if (b->instance)
        vkDestroyInstance(b->instance, NULL);
}
