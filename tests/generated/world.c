/* Makes what the generated cases stand on: memory, an instance with a messenger, devices, and
 * handles that no single call makes. */
#include "world.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include <vulkan/vk_layer.h>

#include "row_cases.h"
#include "valid.h"

#define LAYER "VK_LAYER_ASSAY_validation"

struct test_world worlds[WORLD_LIMIT], *world_in_use = &worlds[WORLD_MAIN];
struct heard heard;
static PFN_vkGetInstanceProcAddr get_instance_proc;
static PFN_vkGetDeviceProcAddr get_device_proc;
static PFN_vkGetInstanceProcAddr get_layer_proc; /* the layer's own, or NULL */
static const char *only_extension;               /* of WORLD_ALONE */
static const struct row_half *row_options;       /* of WORLD_ROW */
static void *(*row_features)(const struct row_half *half);

/* --- memory --- */

size_t test_spare_size;

void *test_allocate(size_t size)
{
    void *memory = calloc(1, (size ? size : 1) + test_spare_size);
    if (!memory)
        abort();
    return memory;
}

void *test_memory(void)
{
    return test_allocate(4096);
}

void *test_value_array(uint64_t value, size_t size)
{
    void *memory = test_memory();
    memcpy(memory, &value, size < sizeof(value) ? size : sizeof(value));
    return memory;
}

void *test_handle_array(uint64_t handle)
{
    return test_value_array(handle, sizeof(handle));
}

void *test_pointer_array(void *pointer)
{
    return test_value_array((uint64_t)(uintptr_t)pointer, sizeof(pointer));
}

void *test_count(size_t size)
{
    return test_value_array(1, size);
}

const char *const *test_strings(void)
{
    static const char *const strings[] = {"text", "text"};
    return strings;
}

const char *const *test_layer_names(void)
{
    static const char *const names[] = {LAYER};
    return names;
}

const char *const *test_extension_names(void)
{
    static const char *const names[] = {VK_KHR_MAINTENANCE_1_EXTENSION_NAME};
    return names;
}

void test_callback(void)
{
}

void *test_chain(void *head, void *structure, size_t size)
{
    VkBaseOutStructure *base = head, *added = structure;
    if (size < sizeof(*added))
        abort();
    added->pNext = base->pNext;
    base->pNext = added;
    return structure;
}

void test_enable(void *info, VkStructureType type, size_t size, size_t offset)
{
    VkBaseOutStructure *found = ((VkBaseOutStructure *)info)->pNext;
    while (found && found->sType != type)
        found = found->pNext;
    if (!found) {
        found = test_chain(info, test_allocate(size), size);
        found->sType = type;
    }
    *(VkBool32 *)(void *)((char *)found + offset) = VK_TRUE;
}

void *test_copy(const void *memory, size_t size)
{
    return memcpy(test_allocate(size), memory, size);
}

void *test_array(const void *element, size_t size, size_t count)
{
    char *array = test_allocate(size * count);
    for (size_t i = 0; i < count; i++)
        memcpy(array + i * size, element, size);
    return array;
}

const char *const *test_names(const char *const *names)
{
    size_t count = 0;
    while (names[count])
        count++;
    return test_copy(names, (count + 1) * sizeof(*names));
}

void *test_unknown_structure(void)
{
    VkBaseOutStructure *structure = test_allocate(sizeof(*structure));
    structure->sType = (VkStructureType)0x7ffffffe;
    return structure;
}

void test_chain_cycle(void *head)
{
    /* a type that is not judged, so that only its coming back is wrong */
    VkBaseOutStructure *structure = test_allocate(sizeof(*structure));
    structure->sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO;
    structure->pNext = structure;
    ((VkBaseOutStructure *)head)->pNext = structure;
}

PFN_vkVoidFunction test_proc(const char *name, bool of_device)
{
    if (of_device)
        return get_device_proc(worlds[WORLD_MAIN].device, name);
    if (get_layer_proc)
        return get_layer_proc(worlds[WORLD_MAIN].instance, name);
    PFN_vkVoidFunction function = get_instance_proc(worlds[WORLD_MAIN].instance, name);
    return function ? function : get_instance_proc(NULL, name);
}

void test_use_layer_functions(bool use)
{
    get_layer_proc = NULL;
    if (!use)
        return;
    VkNegotiateLayerInterface interface = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
                                           .loaderLayerInterfaceVersion = 2};
    void *layer = dlopen(LAYER_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
    PFN_vkNegotiateLoaderLayerInterfaceVersion negotiate =
        layer ? (PFN_vkNegotiateLoaderLayerInterfaceVersion)
                    dlsym(layer, "vkNegotiateLoaderLayerInterfaceVersion")
              : NULL;
    if (!negotiate || negotiate(&interface) != VK_SUCCESS)
        fail("the layer's library is not loaded");
    get_layer_proc = interface.pfnGetInstanceProcAddr;
}

/* --- handles that no single call makes --- */

VkInstance handle_VkInstance(void)
{
    return world.instance;
}

VkPhysicalDevice handle_VkPhysicalDevice(void)
{
    return world.physical_device;
}

VkDevice handle_VkDevice(void)
{
    return world.device;
}

VkQueue handle_VkQueue(void)
{
    return world.queue;
}

VkCommandBuffer make_command_buffer(VkCommandPool pool, VkCommandBufferLevel level)
{
    PFN_vkAllocateCommandBuffers allocate =
        (PFN_vkAllocateCommandBuffers)test_proc("vkAllocateCommandBuffers", true);
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = pool,
                                        .level = level,
                                        .commandBufferCount = 1};
    VkCommandBuffer command_buffer = NULL;
    allocate(world.device, &info, &command_buffer);
    return command_buffer;
}

VkCommandBuffer handle_VkCommandBuffer(void)
{
    return world.command_buffer;
}

void test_make_secondary(VkCommandBuffer *command_buffer)
{
    *command_buffer = make_command_buffer(world.pool, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
}

VkCommandPool handle_VkCommandPool(void)
{
    return world.pool;
}

VkCommandBuffer create_VkCommandBuffer(const VkAllocationCallbacks *callbacks)
{
    (void)callbacks;
    return make_command_buffer(world.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
}

VkPipelineBinaryKHR handle_VkPipelineBinaryKHR(void)
{
    return create_VkPipelineBinaryKHR(NULL);
}

VkPipelineBinaryKHR create_VkPipelineBinaryKHR(const VkAllocationCallbacks *callbacks)
{
    (void)callbacks;
    struct args_CreatePipelineBinariesKHR *a = test_allocate(sizeof(*a));
    fill_args_CreatePipelineBinariesKHR(a);
    invoke_CreatePipelineBinariesKHR(a);
    return a->pBinaries->pPipelineBinaries[0];
}

/* --- the world --- */

/* VUID-VkBufferCreateInfo-size-00912 */
static bool has_number(const char *id)
{
    const char *last = strrchr(id, '-');
    return last && strspn(last + 1, "0123456789") == 5 && strlen(last + 1) == 5;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL
on_generated_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                     VkDebugUtilsMessageTypeFlagsEXT types,
                     const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    (void)severity, (void)types, (void)user;
    const char *id = data->pMessageIdName ? data->pMessageIdName : "(none)";
    if (!heard.listening || !strncmp(id, "Loader", 6) || !strcmp(id, "VALIDATION-SETTINGS"))
        return heard.refusing;
    if (heard.named_only && has_number(id) && (!heard.expected || strcmp(id, heard.expected)))
        return !heard.passing;
    heard.different += !heard_id(id);
    if (heard.count < HEARD_LIMIT) {
        snprintf(heard.ids[heard.count], sizeof(heard.ids[0]), "%s", id);
        snprintf(heard.texts[heard.count++], sizeof(heard.texts[0]), "%s",
                 data->pMessage ? data->pMessage : "");
    }
    return !heard.passing;
}

bool heard_id(const char *id)
{
    for (unsigned i = 0; i < heard.count; i++) {
        if (!strcmp(heard.ids[i], id))
            return true;
    }
    return false;
}

static VkDebugUtilsMessengerCreateInfoEXT generated_messenger_info(void)
{
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_generated_message,
    };
}

void test_prepare_instance(const VkInstanceCreateInfo *info)
{
    static const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    VkDebugUtilsMessengerCreateInfoEXT *messenger = test_allocate(sizeof(*messenger));
    *messenger = generated_messenger_info();
    SET(info->pNext, messenger);
    SET(info->ppEnabledExtensionNames, extensions);
    SET(info->pApplicationInfo->apiVersion, VK_API_VERSION_1_3);
}

void fail(const char *what)
{
    fprintf(stderr, "generated: %s\n", what);
    exit(EXIT_FAILURE);
}

/* The names of what a list of extensions holds. */
static const char **extension_names(const VkExtensionProperties *extensions, uint32_t count)
{
    const char **names = test_allocate(count * sizeof(*names));
    for (uint32_t i = 0; i < count; i++)
        names[i] = extensions[i].extensionName;
    return names;
}

static bool is_limited(void)
{
    return world.number == WORLD_GATED || world.number == WORLD_ALONE;
}

/* All that there is; in a limited world `needed` (may be NULL), and the one extension if it is
 * there. */
static void limit_extensions(const char **names, uint32_t *count, const char *needed)
{
    if (!is_limited())
        return;
    bool has_only = false;
    for (uint32_t i = 0; i < *count; i++)
        has_only |= only_extension && !strcmp(names[i], only_extension);
    *count = 0;
    if (needed)
        names[(*count)++] = needed;
    if (has_only && (!needed || strcmp(needed, only_extension)))
        names[(*count)++] = only_extension;
}

/* Keeps all extensions of a row's world but those that the row wants left out. */
static void leave_extensions_out(const char **names, uint32_t *count)
{
    for (const char *const *out = row_options ? row_options->extensions : NULL; out && *out;
         out++) {
        for (uint32_t i = 0; i < *count; i++) {
            if (!strcmp(names[i], *out))
                names[i--] = names[--*count];
        }
    }
}

static void create_generated_instance(void)
{
    PFN_vkEnumerateInstanceExtensionProperties enumerate =
        (PFN_vkEnumerateInstanceExtensionProperties)
            get_instance_proc(NULL, "vkEnumerateInstanceExtensionProperties");
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)get_instance_proc(NULL, "vkCreateInstance");
    uint32_t count = 0;
    enumerate(NULL, &count, NULL);
    VkExtensionProperties *extensions = test_allocate((count + 1) * sizeof(*extensions));
    enumerate(NULL, &count, extensions);
    const char **names = extension_names(extensions, count);
    limit_extensions(names, &count, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion =
                                         is_limited() ? VK_API_VERSION_1_0 : VK_API_VERSION_1_4};
    VkDebugUtilsMessengerCreateInfoEXT messenger = generated_messenger_info();
    const char *layer = LAYER;
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pNext = &messenger,
                                 .pApplicationInfo = &application,
                                 .enabledLayerCount = 1,
                                 .ppEnabledLayerNames = &layer,
                                 .enabledExtensionCount = count,
                                 .ppEnabledExtensionNames = names};
    if (create(&info, NULL, &world.instance) != VK_SUCCESS)
        fail("no instance");
    PFN_vkCreateDebugUtilsMessengerEXT create_messenger =
        (PFN_vkCreateDebugUtilsMessengerEXT)get_instance_proc(world.instance,
                                                              "vkCreateDebugUtilsMessengerEXT");
    messenger.pNext = NULL;
    if (create_messenger(world.instance, &messenger, NULL, &world.messenger) != VK_SUCCESS)
        fail("no messenger");
    PFN_vkEnumeratePhysicalDevices enumerate_devices =
        (PFN_vkEnumeratePhysicalDevices)get_instance_proc(world.instance,
                                                          "vkEnumeratePhysicalDevices");
    count = 1;
    if (enumerate_devices(world.instance, &count, &world.physical_device) < 0 || !count)
        fail("no physical device");
}

/* One queue of every family, or none at all. */
static VkDevice create_generated_device(bool with_queues)
{
    PFN_vkEnumerateDeviceExtensionProperties enumerate = (PFN_vkEnumerateDeviceExtensionProperties)
        get_instance_proc(world.instance, "vkEnumerateDeviceExtensionProperties");
    PFN_vkCreateDevice create =
        (PFN_vkCreateDevice)get_instance_proc(world.instance, "vkCreateDevice");
    uint32_t count = 0;
    enumerate(world.physical_device, NULL, &count, NULL);
    VkExtensionProperties *extensions = test_allocate((count + 1) * sizeof(*extensions));
    enumerate(world.physical_device, NULL, &count, extensions);
    const char **names = extension_names(extensions, count);
    limit_extensions(names, &count, NULL);
    leave_extensions_out(names, &count);
    static const float priority = 1;
    VkDeviceQueueCreateInfo queues[FAMILY_LIMIT];
    for (uint32_t i = 0; i < world.family_count; i++)
        queues[i] = (VkDeviceQueueCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                              .queueFamilyIndex = i,
                                              .queueCount = 1,
                                              .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = row_options ? row_features(row_options) : NULL,
                               .queueCreateInfoCount = with_queues ? world.family_count : 0,
                               .pQueueCreateInfos = queues,
                               .enabledExtensionCount = count,
                               .ppEnabledExtensionNames = names};
    VkPhysicalDevice devices[2];
    VkDeviceGroupDeviceCreateInfo group = {.sType =
                                               VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO,
                                           .pNext = info.pNext,
                                           .physicalDeviceCount = 2,
                                           .pPhysicalDevices = devices};
    if (row_options && row_options->of_group) {
        uint32_t two = 2;
        ((PFN_vkEnumeratePhysicalDevices)
             get_instance_proc(world.instance, "vkEnumeratePhysicalDevices"))(world.instance, &two,
                                                                              devices);
        info.pNext = &group;
    }
    VkDevice device = VK_NULL_HANDLE;
    if (create(world.physical_device, &info, NULL, &device) != VK_SUCCESS)
        fail("no device");
    return device;
}

void test_use_loader_device(void)
{
    uint32_t count = 1;
    ((PFN_vkEnumeratePhysicalDevices)
         get_instance_proc(world.instance, "vkEnumeratePhysicalDevices"))(world.instance, &count,
                                                                          &world.physical_device);
}

void create_world(enum world_number number)
{
    world_in_use = &worlds[number];
    world.number = number;
    world.generation++;
    if (number == WORLD_MAIN) {
        void *loader = dlopen("libvulkan.so.1", RTLD_NOW);
        get_instance_proc =
            loader ? (PFN_vkGetInstanceProcAddr)dlsym(loader, "vkGetInstanceProcAddr") : NULL;
        if (!get_instance_proc)
            fail("no libvulkan.so.1");
    }
    if (number == WORLD_OTHER_DEVICE) {
        world.instance = worlds[WORLD_MAIN].instance;
        world.physical_device = worlds[WORLD_MAIN].physical_device;
    } else {
        create_generated_instance();
    }
    get_device_proc =
        (PFN_vkGetDeviceProcAddr)get_instance_proc(world.instance, "vkGetDeviceProcAddr");
    world.family_count = FAMILY_LIMIT;
    ((PFN_vkGetPhysicalDeviceQueueFamilyProperties)
         test_proc("vkGetPhysicalDeviceQueueFamilyProperties",
                   false))(world.physical_device, &world.family_count, world.families);
    world.device = create_generated_device(true);
    if (is_limited() || number == WORLD_ROW) {
        /* The loader has no way to commands that are not enabled, the layer has; and a handle of
         * its own for the physical device. */
        uint32_t count = 1;
        test_use_layer_functions(true);
        ((PFN_vkEnumeratePhysicalDevices)test_proc("vkEnumeratePhysicalDevices",
                                                   false))(world.instance, &count,
                                                           &world.physical_device);
        test_use_layer_functions(false);
    }
    if (number == WORLD_MAIN)
        world.bare_device = create_generated_device(false);
    ((PFN_vkGetDeviceQueue)test_proc("vkGetDeviceQueue", true))(world.device, 0, 0, &world.queue);
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    if (((PFN_vkCreateCommandPool)test_proc("vkCreateCommandPool", true))(world.device, &pool, NULL,
                                                                          &world.pool) !=
        VK_SUCCESS)
        fail("no command pool");
    world.command_buffer = make_command_buffer(world.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
}

const VkPhysicalDeviceLimits *test_limits(void)
{
    VkPhysicalDeviceProperties *properties = test_allocate(sizeof(*properties));
    ((PFN_vkGetPhysicalDeviceProperties)test_proc("vkGetPhysicalDeviceProperties",
                                                  false))(world.physical_device, properties);
    return &properties->limits;
}

const void *test_properties(VkStructureType type, size_t size)
{
    VkBaseOutStructure *structure = test_allocate(size);
    structure->sType = type;
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = structure};
    ((PFN_vkGetPhysicalDeviceProperties2)test_proc("vkGetPhysicalDeviceProperties2",
                                                   false))(world.physical_device, &properties);
    return structure;
}

const void *test_video_capabilities(VkVideoCodecOperationFlagBitsKHR operation,
                                    VkStructureType type)
{
    VkBaseOutStructure *structure = test_allocate(sizeof(VkVideoEncodeAV1CapabilitiesKHR));
    VkVideoCapabilitiesKHR *capabilities = test_allocate(sizeof(*capabilities));
    const VkVideoProfileInfoKHR profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
        .videoCodecOperation = operation,
        .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
        .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
        .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR};
    structure->sType = type;
    *capabilities = (VkVideoCapabilitiesKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR};
    if (type != capabilities->sType)
        capabilities->pNext = structure;
    PFN_vkGetPhysicalDeviceVideoCapabilitiesKHR ask = (PFN_vkGetPhysicalDeviceVideoCapabilitiesKHR)
        test_proc("vkGetPhysicalDeviceVideoCapabilitiesKHR", false);
    test_refuse(false);
    ask(world.physical_device, &profile, capabilities);
    test_refuse(true);
    return type == capabilities->sType ? (const void *)capabilities : structure;
}

void test_read_features(void *features)
{
    ((PFN_vkGetPhysicalDeviceFeatures2)test_proc("vkGetPhysicalDeviceFeatures2",
                                                 false))(world.physical_device, features);
}

void create_world_for_row(void *(*features)(const struct row_half *half),
                          const struct row_half *half)
{
    PFN_vkGetDeviceProcAddr outer = get_device_proc;
    row_features = features;
    row_options = half;
    create_world(WORLD_ROW);
    row_options = NULL;
    get_device_proc = outer;
}

void create_world_with(const char *extension)
{
    PFN_vkGetDeviceProcAddr outer = get_device_proc;
    only_extension = extension;
    create_world(WORLD_ALONE);
    only_extension = NULL;
    get_device_proc = outer;
}
