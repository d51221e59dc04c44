/* Checks that a thread may unmap memory while another one submits: index buffers are read then, for
 * advice (src/practices/indices.c). Memory is placed, and its addresses are taken away with it, so
 * that a read after that ends the process. Core checks are off, and a draw needs nothing. */
#include "program.h"

#include <sys/mman.h>

#define INDICES 65536
#define ROUNDS  256 /* more ranges than that are not looked at */
#define BYTES   ((ROUNDS + INDICES) * 4)
#define SPARSE  "BestPractices-Arm-vkCmdDrawIndexed-sparse-index-buffer"

/* Threads: fixed, but for what is mapped, which is the first thread's. */
struct shared {
    VkDevice device;
    VkQueue queue;
    VkDeviceMemory memory;
    VkBuffer buffer;
    void *place; /* addresses that nothing is mapped to */
    PFN_vkMapMemory2KHR map;
    PFN_vkUnmapMemory2KHR unmap;
};

static void create_device(struct program *program, struct shared *shared)
{
    static const char *const extensions[] = {"VK_KHR_map_memory2", "VK_EXT_map_memory_placed"};
    static const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkPhysicalDeviceMapMemoryPlacedFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_FEATURES_EXT,
        .memoryMapPlaced = VK_TRUE,
        .memoryUnmapReserve = VK_TRUE};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 2,
                                     .ppEnabledExtensionNames = extensions};
    VK(vkCreateDevice(program->physical_device, &info, NULL, &shared->device));
    vkGetDeviceQueue(shared->device, 0, 0, &shared->queue);
    shared->map = (PFN_vkMapMemory2KHR)vkGetDeviceProcAddr(shared->device, "vkMapMemory2KHR");
    shared->unmap = (PFN_vkUnmapMemory2KHR)vkGetDeviceProcAddr(shared->device, "vkUnmapMemory2KHR");
    ENSURE(shared->map && shared->unmap);
}

static void create_buffer(struct shared *shared)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = BYTES,
                                     .usage = VK_BUFFER_USAGE_INDEX_BUFFER_BIT};
    VkMemoryRequirements requirements;
    VK(vkCreateBuffer(shared->device, &info, NULL, &shared->buffer));
    vkGetBufferMemoryRequirements(shared->device, shared->buffer, &requirements);
    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .allocationSize = requirements.size,
                                           .memoryTypeIndex = 1};
    VK(vkAllocateMemory(shared->device, &allocate, NULL, &shared->memory));
    VK(vkBindBufferMemory(shared->device, shared->buffer, shared->memory, 0));
    shared->place = mmap(NULL, requirements.size, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ENSURE(shared->place != MAP_FAILED);
}

static void map_and_unmap(struct shared *shared)
{
    const VkMemoryMapPlacedInfoEXT placed = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT,
                                             .pPlacedAddress = shared->place};
    const VkMemoryMapInfo map = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO,
                                 .pNext = &placed,
                                 .flags = VK_MEMORY_MAP_PLACED_BIT_EXT,
                                 .memory = shared->memory,
                                 .size = VK_WHOLE_SIZE};
    const VkMemoryUnmapInfo unmap = {.sType = VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO,
                                     .flags = VK_MEMORY_UNMAP_RESERVE_BIT_EXT,
                                     .memory = shared->memory};
    void *data;
    VK(shared->map(shared->device, &map, &data));
    memset(data, 0, BYTES); /* long enough for the other thread to begin to read */
    VK(shared->unmap(shared->device, &unmap));
}

static void submit_mapped(struct shared *shared, VkCommandBuffer commands, uint32_t first)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands};
    begin_commands(commands);
    vkCmdBindIndexBuffer(commands, shared->buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(commands, INDICES, 1, first, 0, 0);
    VK(vkEndCommandBuffer(commands));
    VK(vkQueueSubmit(shared->queue, 1, &info, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(shared->queue));
}

/* The first thread maps, the second one submits. A range that is not mapped is looked at later. */
static void work_on_mapping(struct worker *worker)
{
    struct shared *shared = worker->shared;
    struct program own = {.device = shared->device};
    VkCommandPool pool = make_command_pool(&own);
    VkCommandBuffer commands = make_command_buffer(&own, pool);
    uint32_t round = 0;
    do {
        if (worker->index == 0)
            map_and_unmap(shared);
        else
            submit_mapped(shared, commands, round++ % ROUNDS);
    } while (going());
    vkDestroyCommandPool(shared->device, pool, NULL);
}

static VkBool32 hear_mapping(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                             VkDebugUtilsMessageTypeFlagsEXT types,
                             const VkDebugUtilsMessengerCallbackDataEXT *data, void *context)
{
    unsigned *heard = context;
    *heard += !strcmp(data->pMessageIdName, SPARSE);
    (void)severity;
    (void)types;
    return VK_FALSE;
}

/* Whether advice is given of what is mapped. Otherwise, survival proves nothing. */
static bool looks_at_indices(struct program *program, struct shared *shared)
{
    struct program own = {.device = shared->device};
    unsigned heard = 0;
    const VkDebugUtilsMessengerCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = hear_mapping,
        .pUserData = &heard};
    VkDebugUtilsMessengerEXT messenger;
    VkCommandPool pool = make_command_pool(&own);
    uint32_t *indices;
    VK(INSTANCE_PROC(program, vkCreateDebugUtilsMessengerEXT)(program->instance, &info, NULL,
                                                              &messenger));
    VK(vkMapMemory(shared->device, shared->memory, 0, VK_WHOLE_SIZE, 0, (void **)&indices));
    for (uint32_t i = 0; i < BYTES / 4; i++)
        indices[i] = i * 3;
    submit_mapped(shared, make_command_buffer(&own, pool), 0);
    vkUnmapMemory(shared->device, shared->memory);
    vkDestroyCommandPool(shared->device, pool, NULL);
    INSTANCE_PROC(program, vkDestroyDebugUtilsMessengerEXT)(program->instance, messenger, NULL);
    return heard == 1;
}

static void destroy_mapped(struct shared *shared)
{
    vkDestroyBuffer(shared->device, shared->buffer, NULL);
    vkFreeMemory(shared->device, shared->memory, NULL);
    vkDestroyDevice(shared->device, NULL);
}

int main(void)
{
    struct program program;
    struct shared shared;
    program_create(&program);
    require_layer(&program);
    create_device(&program, &shared);
    create_buffer(&shared);
    bool found = looks_at_indices(&program, &shared);
    run_threads(&program, 2, 1000, work_on_mapping, &shared);
    destroy_mapped(&shared);
    program_destroy(&program);
    if (!found)
        fprintf(stderr, "mapping: nothing was said of sparse indices\n");
    return found ? EXIT_SUCCESS : EXIT_FAILURE;
}
