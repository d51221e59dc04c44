/* Begins and ends the programs of this directory, and their threads. */
#include "program.h"

#include <time.h>

static _Atomic bool is_going;

void fail(const char *file, int line, const char *what, long long value)
{
    fprintf(stderr, "%s:%d: %s (%lld)\n", file, line, what, value);
    exit(EXIT_FAILURE);
}

bool memory_may_be_out;
bool every_statement;
uint32_t queues_wanted = 2;

bool memory_was_out(VkResult result)
{
    if (result != VK_SUCCESS && !(memory_may_be_out && result == VK_ERROR_OUT_OF_HOST_MEMORY))
        fail(__FILE__, __LINE__, "a creation failed", result);
    return result != VK_SUCCESS;
}

/* --- findings --- */

static VKAPI_ATTR VkBool32 VKAPI_CALL
on_thread_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                  VkDebugUtilsMessageTypeFlagsEXT types,
                  const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    struct findings *findings = user;
    if (data->pMessageIdName && !strncmp(data->pMessageIdName, "Loader", 6))
        return VK_FALSE;
    /* Statements that carry a number are the scenarios' affair: here buffers have no memory and
     * draws no pipelines. */
    size_t length = data->pMessageIdName ? strlen(data->pMessageIdName) : 0;
    if (!every_statement && length > 6 && data->pMessageIdName[length - 6] == '-' &&
        strspn(data->pMessageIdName + length - 5, "0123456789") == 5)
        return VK_FALSE;
    atomic_fetch_add(&findings->count, 1);
    pthread_mutex_lock(&findings->lock);
    bool known = false; /* with numbered ones there are many of the same */
    for (unsigned i = 0; every_statement && i < findings->kept; i++)
        known |= findings->numbers[i] == data->messageIdNumber;
    if (findings->kept < FINDINGS_KEPT && !known) {
        snprintf(findings->ids[findings->kept], sizeof(findings->ids[0]), "%s",
                 data->pMessageIdName ? data->pMessageIdName : "");
        snprintf(findings->texts[findings->kept], sizeof(findings->texts[0]), "%s",
                 data->pMessage ? data->pMessage : "");
        findings->numbers[findings->kept] = data->messageIdNumber;
        findings->kept++;
    }
    pthread_mutex_unlock(&findings->lock);
    return VK_FALSE;
}

static VkDebugUtilsMessengerCreateInfoEXT thread_messenger_info(struct findings *findings)
{
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_thread_message,
        .pUserData = findings,
    };
}

bool findings_are_none(struct findings *findings, const char *part)
{
    pthread_mutex_lock(&findings->lock);
    bool none = findings->kept == 0;
    for (unsigned i = 0; i < findings->kept; i++)
        fprintf(stderr, "%s: %s\n\n", part, findings->texts[i]);
    pthread_mutex_unlock(&findings->lock);
    return none;
}

void findings_forget(struct findings *findings)
{
    pthread_mutex_lock(&findings->lock);
    atomic_store(&findings->count, 0);
    findings->kept = 0;
    pthread_mutex_unlock(&findings->lock);
}

void require_layer(struct program *program)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                     .size = 256,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkBuffer buffer = VK_NULL_HANDLE;
    if (vkCreateBuffer(program->device, &info, NULL, &buffer) == VK_SUCCESS)
        vkDestroyBuffer(program->device, buffer, NULL);
    if (program->findings.kept != 1 ||
        strcmp(program->findings.ids[0], "VUID-VkBufferCreateInfo-sType-sType") != 0)
        fail(__FILE__, __LINE__, "the layer is not there", program->findings.kept);
    findings_forget(&program->findings);
}

/* --- instance and device --- */

static void create_thread_instance(struct program *program, struct findings *findings)
{
    static const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                                             VK_KHR_SURFACE_EXTENSION_NAME,
                                             VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME};
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_3};
    VkDebugUtilsMessengerCreateInfoEXT messenger = thread_messenger_info(findings);
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = &messenger,
                                       .pApplicationInfo = &application,
                                       .enabledExtensionCount =
                                           sizeof(extensions) / sizeof(extensions[0]),
                                       .ppEnabledExtensionNames = extensions};
    VK_AGAIN(vkCreateInstance(&info, NULL, &program->instance));
    VK(INSTANCE_PROC(program, vkCreateDebugUtilsMessengerEXT)(program->instance, &messenger, NULL,
                                                              &program->messenger));
    uint32_t count = 1;
    ENSURE(vkEnumeratePhysicalDevices(program->instance, &count, &program->physical_device) >= 0 &&
           count == 1);
}

static void create_thread_device(struct program *program)
{
    static const char *const extensions[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    static const float priorities[QUEUES_MOST] = {1, 1, 1, 1};
    VkQueueFamilyProperties families[16];
    uint32_t family_count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(program->physical_device, &family_count, families);
    program->queue_count =
        families[0].queueCount < queues_wanted ? families[0].queueCount : queues_wanted;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = 0,
                                           .queueCount = program->queue_count,
                                           .pQueuePriorities = priorities};
    VkPhysicalDeviceVulkan13Features features13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .privateData = VK_TRUE,
        .synchronization2 = VK_TRUE,
        .dynamicRendering = VK_TRUE};
    VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &features13,
        .timelineSemaphore = VK_TRUE,
        .hostQueryReset = VK_TRUE,
        .descriptorIndexing = VK_TRUE,
        .descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE,
        .descriptorBindingUpdateUnusedWhilePending = VK_TRUE,
        .descriptorBindingPartiallyBound = VK_TRUE};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features12,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = extensions};
    VK_AGAIN(vkCreateDevice(program->physical_device, &info, NULL, &program->device));
    vkGetDeviceQueue(program->device, 0, 0, &program->queue);
}

void program_create_within(struct program *program, struct findings *findings)
{
    memset(program, 0, sizeof(*program));
    pthread_mutex_init(&program->queue_lock, NULL);
    pthread_mutex_init(&program->findings.lock, NULL);
    create_thread_instance(program, findings);
    create_thread_device(program);
}

void program_create(struct program *program)
{
    program_create_within(program, &program->findings);
}

void program_destroy(struct program *program)
{
    vkDestroyDevice(program->device, NULL);
    INSTANCE_PROC(program, vkDestroyDebugUtilsMessengerEXT)(program->instance, program->messenger,
                                                            NULL);
    vkDestroyInstance(program->instance, NULL);
    pthread_mutex_destroy(&program->queue_lock);
}

/* --- threads --- */

struct start {
    struct worker worker;
    worker_function function;
    pthread_barrier_t *barrier;
};

static void *thread_main(void *argument)
{
    struct start *start = argument;
    pthread_barrier_wait(start->barrier);
    start->function(&start->worker);
    return NULL;
}

bool going(void)
{
    return atomic_load_explicit(&is_going, memory_order_relaxed);
}

void stop_going(void)
{
    atomic_store(&is_going, false);
}

void run_threads(struct program *program, unsigned count, unsigned milliseconds,
                 worker_function function, void *shared)
{
    pthread_t threads[THREADS_MOST];
    struct start starts[THREADS_MOST];
    pthread_barrier_t barrier;
    ENSURE(count <= THREADS_MOST && pthread_barrier_init(&barrier, NULL, count + 1) == 0);
    atomic_store(&is_going, true);
    for (unsigned i = 0; i < count; i++) {
        starts[i] = (struct start){
            .worker = {program, i, count, shared}, .function = function, .barrier = &barrier};
        ENSURE(pthread_create(&threads[i], NULL, thread_main, &starts[i]) == 0);
    }
    pthread_barrier_wait(&barrier);
    const struct timespec duration = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    nanosleep(&duration, NULL);
    atomic_store(&is_going, false);
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
}

/* --- objects --- */

VkBuffer make_buffer(struct program *program)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = 256,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkBuffer buffer;
    VK(vkCreateBuffer(program->device, &info, NULL, &buffer));
    return buffer;
}

VkCommandPool make_command_pool(struct program *program)
{
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
    VkCommandPool pool;
    VK(vkCreateCommandPool(program->device, &info, NULL, &pool));
    return pool;
}

VkCommandBuffer make_command_buffer(struct program *program, VkCommandPool pool)
{
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = pool,
                                              .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                              .commandBufferCount = 1};
    VkCommandBuffer command_buffer;
    VK(vkAllocateCommandBuffers(program->device, &info, &command_buffer));
    return command_buffer;
}

void begin_commands(VkCommandBuffer command_buffer)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VK(vkBeginCommandBuffer(command_buffer, &info));
}

VkDescriptorSetLayout make_set_layout(struct program *program, bool update_after_bind)
{
    const VkDescriptorSetLayoutBinding binding = {.binding = 0,
                                                  .descriptorType =
                                                      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                  .descriptorCount = SET_BINDINGS,
                                                  .stageFlags = VK_SHADER_STAGE_ALL};
    const VkDescriptorBindingFlags flags =
        VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT | VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 1,
        .pBindingFlags = &flags};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = update_after_bind ? &flags_info : NULL,
        .flags = update_after_bind ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT : 0,
        .bindingCount = 1,
        .pBindings = &binding};
    VkDescriptorSetLayout layout;
    VK(vkCreateDescriptorSetLayout(program->device, &info, NULL, &layout));
    return layout;
}

VkDescriptorPool make_descriptor_pool(struct program *program, bool update_after_bind)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 64 * SET_BINDINGS};
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT |
                 (update_after_bind ? VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT : 0u),
        .maxSets = 64,
        .poolSizeCount = 1,
        .pPoolSizes = &size};
    VkDescriptorPool pool;
    VK(vkCreateDescriptorPool(program->device, &info, NULL, &pool));
    return pool;
}

VkDescriptorSet make_set(struct program *program, VkDescriptorPool pool,
                         VkDescriptorSetLayout layout)
{
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &layout};
    VkDescriptorSet set;
    VK(vkAllocateDescriptorSets(program->device, &info, &set));
    return set;
}

VkPipelineLayout make_pipeline_layout(struct program *program, VkDescriptorSetLayout set_layout)
{
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = &set_layout};
    VkPipelineLayout layout;
    VK(vkCreatePipelineLayout(program->device, &info, NULL, &layout));
    return layout;
}

VkSemaphore make_timeline(struct program *program)
{
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    VkSemaphore semaphore;
    VK(vkCreateSemaphore(program->device, &info, NULL, &semaphore));
    return semaphore;
}

VkFence make_fence(struct program *program)
{
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence;
    VK(vkCreateFence(program->device, &info, NULL, &fence));
    return fence;
}
