/* Uses Vulkan as correct programs of many threads do. Each function is one way. */
#include "parts.h"

/* A compute shader that divides by an unknown value: with GPU-assisted validation it gets a check.
 */
static const uint32_t dividing_shader[] = {
    /* header: version 1.0, ids below 12 */
    0x07230203,
    0x00010000,
    0,
    12,
    0,
    0x00020011,
    1, /* OpCapability Shader */
    /* OpMemoryModel Logical GLSL450 */
    0x0003000e,
    0,
    1,
    0x0006000f,
    5,
    1,
    0x6e69616d,
    0,
    2, /* OpEntryPoint GLCompute %1 "main" %2 */
    /* OpExecutionMode %1 LocalSize 1 1 1 */
    0x00060010,
    1,
    17,
    1,
    1,
    1,
    /* OpDecorate %2 BuiltIn GlobalInvocationId */
    0x00040047,
    2,
    11,
    28,
    /* %3 = OpTypeVoid, %4 = OpTypeFunction %3 */
    0x00020013,
    3,
    0x00030021,
    4,
    3,
    0x00040015,
    5,
    32,
    0, /* %5 = OpTypeInt 32 0 */
    0x00040017,
    6,
    5,
    3, /* %6 = OpTypeVector %5 3 */
    /* %7 = OpTypePointer Input %6 */
    0x00040020,
    7,
    1,
    6,
    /* %2 = OpVariable %7 Input */
    0x0004003b,
    7,
    2,
    1,
    /* %1 = OpFunction, %8 = OpLabel */
    0x00050036,
    3,
    1,
    0,
    4,
    0x000200f8,
    8,
    0x0004003d,
    6,
    9,
    2, /* %9 = OpLoad %6 %2 */
    /* %10 = OpCompositeExtract %5 %9 0 */
    0x00050051,
    5,
    10,
    9,
    0,
    0x00050086,
    5,
    11,
    10,
    10, /* %11 = OpUDiv %5 %10 %10 */
    0x000100fd,
    0x00010038,
};

static void write_part_set(struct program *program, VkDescriptorSet set, uint32_t element,
                           VkBuffer buffer)
{
    const VkDescriptorBufferInfo info = {buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .dstArrayElement = element,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &info};
    vkUpdateDescriptorSets(program->device, 1, &write, 0, NULL);
}

/* A pool, command buffer and set a thread; a set, layout and buffer for all. */
static void record_part(struct worker *worker)
{
    struct world *world = worker->shared;
    struct program *program = worker->program;
    VkCommandPool pool = make_command_pool(program);
    VkCommandBuffer command_buffer = make_command_buffer(program, pool);
    do {
        begin_commands(command_buffer);
        for (int i = 0; i < 50; i++) {
            const uint32_t value = 1;
            const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                             .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                             .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT};
            vkCmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE,
                                    world->pipeline_layout, 0, 1, &world->set, 0, NULL);
            vkCmdFillBuffer(command_buffer, world->buffer, 0, 64, value);
            vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                 VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
        }
        VK(vkEndCommandBuffer(command_buffer));
        if (worker->index % 2)
            VK(vkResetCommandPool(program->device, pool, 0));
    } while (going());
    vkDestroyCommandPool(program->device, pool, NULL);
}

/* Command buffers come and go in pools of a thread each; the driver gives the same handles out
 * again on another thread at once. */
static void allocate_commands(struct worker *worker)
{
    struct program *program = worker->program;
    do {
        VkCommandPool pool = make_command_pool(program);
        for (int i = 0; i < 20; i++) {
            VkCommandBuffer command_buffers[2] = {make_command_buffer(program, pool),
                                                  make_command_buffer(program, pool)};
            begin_commands(command_buffers[0]);
            VK(vkEndCommandBuffer(command_buffers[0]));
            VK(vkResetCommandBuffer(command_buffers[0], 0));
            vkFreeCommandBuffers(program->device, pool, 2, command_buffers);
        }
        make_command_buffer(program, pool);
        vkDestroyCommandPool(program->device, pool, NULL);
    } while (going());
}

/* All submit to one queue, one after the other; each waits for its own fence. */
static void submit_part(struct worker *worker)
{
    struct program *program = worker->program;
    VkCommandPool pool = make_command_pool(program);
    VkCommandBuffer command_buffer = make_command_buffer(program, pool);
    VkFence fence = make_fence(program);
    do {
        begin_commands(command_buffer);
        VK(vkEndCommandBuffer(command_buffer));
        const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .commandBufferCount = 1,
                                   .pCommandBuffers = &command_buffer};
        pthread_mutex_lock(&program->queue_lock);
        VK(vkQueueSubmit(program->queue, 1, &info, fence));
        pthread_mutex_unlock(&program->queue_lock);
        VK(vkWaitForFences(program->device, 1, &fence, VK_TRUE, UINT64_MAX));
        VK(vkGetFenceStatus(program->device, fence));
        VK(vkResetFences(program->device, 1, &fence));
    } while (going());
    vkDestroyFence(program->device, fence, NULL);
    vkDestroyCommandPool(program->device, pool, NULL);
}

static void allocate_part_sets(struct worker *worker)
{
    struct world *world = worker->shared;
    struct program *program = worker->program;
    VkDescriptorPool pool = make_descriptor_pool(program, false);
    do {
        VkDescriptorSet sets[4];
        for (int i = 0; i < 4; i++) {
            sets[i] = make_set(program, pool, world->set_layout);
            write_part_set(program, sets[i], (uint32_t)i, world->buffer);
        }
        if (worker->index % 2)
            VK(vkFreeDescriptorSets(program->device, pool, 4, sets));
        else
            VK(vkResetDescriptorPool(program->device, pool, 0));
    } while (going());
    vkDestroyDescriptorPool(program->device, pool, NULL);
}

/* The set's layout lets bindings be updated by several threads, and while command buffers that bind
 * it are recorded. */
static void update_after_bind(struct worker *worker)
{
    struct world *world = worker->shared;
    struct program *program = worker->program;
    VkCommandPool pool = make_command_pool(program);
    VkCommandBuffer command_buffer = make_command_buffer(program, pool);
    do {
        begin_commands(command_buffer);
        for (int i = 0; i < 20; i++) {
            vkCmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE,
                                    world->pipeline_layout, 0, 1, &world->set, 0, NULL);
            write_part_set(program, world->set, worker->index, world->buffer);
        }
        VK(vkEndCommandBuffer(command_buffer));
    } while (going());
    vkDestroyCommandPool(program->device, pool, NULL);
}

/* One template, a set for each thread. */
static void update_with_template(struct worker *worker)
{
    struct world *world = worker->shared;
    struct program *program = worker->program;
    VkDescriptorPool pool = make_descriptor_pool(program, false);
    VkDescriptorSet set = make_set(program, pool, world->set_layout);
    const VkDescriptorBufferInfo data = {world->buffer, 0, VK_WHOLE_SIZE};
    do {
        for (int i = 0; i < 20; i++)
            vkUpdateDescriptorSetWithTemplate(program->device, set, world->template, &data);
    } while (going());
    vkDestroyDescriptorPool(program->device, pool, NULL);
}

/* Every thread signals, waits for and reads one semaphore: none of that needs synchronisation but
 * that values grow. */
static void signal_timeline(struct worker *worker)
{
    struct world *world = worker->shared;
    struct program *program = worker->program;
    do {
        pthread_mutex_lock(&world->lock);
        uint64_t value = ++world->timeline_value;
        const VkSemaphoreSignalInfo signal = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                              .semaphore = world->timeline,
                                              .value = value};
        VK(vkSignalSemaphore(program->device, &signal));
        pthread_mutex_unlock(&world->lock);
        const VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                          .semaphoreCount = 1,
                                          .pSemaphores = &world->timeline,
                                          .pValues = &value};
        VK(vkWaitSemaphores(program->device, &wait, UINT64_MAX));
        uint64_t now = 0;
        VK(vkGetSemaphoreCounterValue(program->device, world->timeline, &now));
        ENSURE(now >= value);
    } while (going());
}

/* A slot for all, objects of a thread each. */
static void private_data(struct worker *worker)
{
    struct world *world = worker->shared;
    struct program *program = worker->program;
    do {
        VkBuffer buffer = make_buffer(program);
        uint64_t given = worker->index + 1, got = 0;
        VK(vkSetPrivateData(program->device, VK_OBJECT_TYPE_BUFFER, (uint64_t)buffer, world->slot,
                            given));
        vkGetPrivateData(program->device, VK_OBJECT_TYPE_BUFFER, (uint64_t)buffer, world->slot,
                         &got);
        ENSURE(got == given);
        vkDestroyBuffer(program->device, buffer, NULL);
    } while (going());
}

/* Names of objects of a thread each, labels in a queue of all and in command buffers of a thread
 * each. */
static void name_in_threads(struct worker *worker)
{
    struct program *program = worker->program;
    PFN_vkSetDebugUtilsObjectNameEXT set_name =
        INSTANCE_PROC(program, vkSetDebugUtilsObjectNameEXT);
    PFN_vkCmdBeginDebugUtilsLabelEXT begin = INSTANCE_PROC(program, vkCmdBeginDebugUtilsLabelEXT);
    PFN_vkCmdEndDebugUtilsLabelEXT end = INSTANCE_PROC(program, vkCmdEndDebugUtilsLabelEXT);
    PFN_vkQueueBeginDebugUtilsLabelEXT begin_queue =
        INSTANCE_PROC(program, vkQueueBeginDebugUtilsLabelEXT);
    PFN_vkQueueEndDebugUtilsLabelEXT end_queue =
        INSTANCE_PROC(program, vkQueueEndDebugUtilsLabelEXT);
    VkCommandPool pool = make_command_pool(program);
    VkCommandBuffer command_buffer = make_command_buffer(program, pool);
    do {
        VkBuffer buffer = make_buffer(program);
        const VkDebugUtilsObjectNameInfoEXT name = {
            .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
            .objectType = VK_OBJECT_TYPE_BUFFER,
            .objectHandle = (uint64_t)buffer,
            .pObjectName = worker->index % 2 ? "odd" : "even"};
        const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                            .pLabelName = "part"};
        VK(set_name(program->device, &name));
        begin_commands(command_buffer);
        begin(command_buffer, &label);
        vkCmdFillBuffer(command_buffer, buffer, 0, 64, 0);
        end(command_buffer);
        VK(vkEndCommandBuffer(command_buffer));
        vkDestroyBuffer(program->device, buffer, NULL);
        pthread_mutex_lock(&program->queue_lock);
        begin_queue(program->queue, &label);
        end_queue(program->queue);
        pthread_mutex_unlock(&program->queue_lock);
    } while (going());
    vkDestroyCommandPool(program->device, pool, NULL);
}

/* All threads ask at once for what has no owner among them: a device's queues, an instance's
 * physical devices, a swapchain's images. */
static void ask_in_threads(struct worker *worker)
{
    struct world *world = worker->shared;
    struct program *program = worker->program;
    do {
        VkQueue queue;
        vkGetDeviceQueue(program->device, 0, 0, &queue);
        ENSURE(queue == program->queue);
        VkPhysicalDevice physical_device;
        uint32_t count = 1;
        ENSURE(vkEnumeratePhysicalDevices(program->instance, &count, &physical_device) >= 0);
        ENSURE(physical_device == program->physical_device);
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(physical_device, &properties);
        VkImage images[8];
        count = 8;
        VK(vkGetSwapchainImagesKHR(program->device, world->swapchain, &count, images));
        VkMemoryRequirements requirements;
        vkGetImageMemoryRequirements(program->device, images[0], &requirements);
    } while (going());
}

static VkPipeline make_part_pipeline(struct program *program, const struct world *world,
                                     VkPipelineCache cache)
{
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = world->shader,
                  .pName = "main"},
        .layout = world->pipeline_layout};
    VkPipeline pipeline;
    VK(vkCreateComputePipelines(program->device, cache, 1, &info, NULL, &pipeline));
    return pipeline;
}

/* A pipeline cache synchronises itself unless it was created otherwise; caches of a thread each are
 * merged into one under a lock. */
static void make_pipelines(struct worker *worker)
{
    struct world *world = worker->shared;
    struct program *program = worker->program;
    do {
        const VkPipelineCacheCreateInfo info = {.sType =
                                                    VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
        VkPipelineCache cache;
        VK(vkCreatePipelineCache(program->device, &info, NULL, &cache));
        VkPipeline of_own = make_part_pipeline(program, world, cache),
                   of_shared = make_part_pipeline(program, world, world->cache);
        vkDestroyPipeline(program->device, of_own, NULL);
        vkDestroyPipeline(program->device, of_shared, NULL);
        vkDestroyPipelineCache(program->device, cache, NULL);
    } while (going());
}

/* Modules of the same code, which the layer reads once for all threads, and of more kinds of code
 * than it remembers where no module has it. */
static void make_modules(struct worker *worker)
{
    struct program *program = worker->program;
    enum { MADE = 4 };
    uint32_t code[sizeof(dividing_shader) / sizeof(dividing_shader[0])];
    memcpy(code, dividing_shader, sizeof(code));
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof(code),
                                           .pCode = code};
    VkShaderModule made[MADE] = {VK_NULL_HANDLE};
    uint32_t i = 0;
    do {
        VkShaderModule *module = &made[i % MADE];
        code[2] = i++ % 13; /* which tool has made it */
        vkDestroyShaderModule(program->device, *module, NULL);
        VK(vkCreateShaderModule(program->device, &info, NULL, module));
    } while (going());
    for (i = 0; i < MADE; i++)
        vkDestroyShaderModule(program->device, made[i], NULL);
}

static void merge_caches(struct worker *worker)
{
    struct world *world = worker->shared;
    struct program *program = worker->program;
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    VkPipelineCache cache;
    VK(vkCreatePipelineCache(program->device, &info, NULL, &cache));
    do {
        pthread_mutex_lock(&world->lock);
        VK(vkMergePipelineCaches(program->device, world->cache, 1, &cache));
        pthread_mutex_unlock(&world->lock);
    } while (going());
    vkDestroyPipelineCache(program->device, cache, NULL);
}

/* Objects that one thread makes and another destroys, through a table of 16 places: slots and
 * driver handles change threads all the time. */
#define PLACES 16
struct exchange {
    pthread_mutex_t lock;
    VkBuffer buffers[PLACES];
    VkFence fences[PLACES];
    VkSemaphore semaphores[PLACES];
};
static struct exchange exchange = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void hand_commands_over(struct worker *worker)
{
    struct program *program = worker->program;
    unsigned place = worker->index;
    do {
        VkBuffer buffer = make_buffer(program);
        VkFence fence = make_fence(program);
        VkSemaphore semaphore = make_timeline(program);
        place = (place * 5 + 3) % PLACES;
        pthread_mutex_lock(&exchange.lock);
        VkBuffer old_buffer = exchange.buffers[place];
        VkFence old_fence = exchange.fences[place];
        VkSemaphore old_semaphore = exchange.semaphores[place];
        exchange.buffers[place] = buffer;
        exchange.fences[place] = fence;
        exchange.semaphores[place] = semaphore;
        pthread_mutex_unlock(&exchange.lock);
        if (!old_buffer)
            continue;
        VkMemoryRequirements requirements;
        vkGetBufferMemoryRequirements(program->device, old_buffer, &requirements);
        VK(vkResetFences(program->device, 1, &old_fence));
        vkDestroyBuffer(program->device, old_buffer, NULL);
        vkDestroyFence(program->device, old_fence, NULL);
        vkDestroySemaphore(program->device, old_semaphore, NULL);
    } while (going());
}

static void end_hand_over(struct world *world)
{
    for (unsigned i = 0; i < PLACES; i++) {
        vkDestroyBuffer(world->program->device, exchange.buffers[i], NULL);
        vkDestroyFence(world->program->device, exchange.fences[i], NULL);
        vkDestroySemaphore(world->program->device, exchange.semaphores[i], NULL);
        exchange.buffers[i] = VK_NULL_HANDLE;
        exchange.fences[i] = VK_NULL_HANDLE;
        exchange.semaphores[i] = VK_NULL_HANDLE;
    }
}

/* One of everything that must be synchronised, under a mutex. */
static void take_turns(struct worker *worker)
{
    struct world *world = worker->shared;
    struct program *program = worker->program;
    do {
        pthread_mutex_lock(&world->lock);
        begin_commands(world->command_buffer);
        vkCmdFillBuffer(world->command_buffer, world->buffer, 0, 64, 0);
        VK(vkEndCommandBuffer(world->command_buffer));
        const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .commandBufferCount = 1,
                                   .pCommandBuffers = &world->command_buffer};
        VK(vkQueueSubmit(program->queue, 1, &info, world->fence));
        VK(vkWaitForFences(program->device, 1, &world->fence, VK_TRUE, UINT64_MAX));
        VK(vkResetFences(program->device, 1, &world->fence));
        VK(vkSetEvent(program->device, world->event));
        VK(vkResetEvent(program->device, world->event));
        VkDescriptorSet set = make_set(program, world->descriptor_pool, world->set_layout);
        write_part_set(program, set, 0, world->buffer);
        write_part_set(program, world->set, 0, world->buffer);
        VK(vkFreeDescriptorSets(program->device, world->descriptor_pool, 1, &set));
        VK(vkQueueWaitIdle(program->queue));
        VK(vkDeviceWaitIdle(program->device));
        pthread_mutex_unlock(&world->lock);
    } while (going());
}

/* Images are acquired and presented in turns, each thread with a semaphore and a fence of its own.
 */
static void present_part(struct worker *worker)
{
    struct world *world = worker->shared;
    struct program *program = worker->program;
    VkFence fence = make_fence(program);
    do {
        uint32_t image = 0;
        pthread_mutex_lock(&program->queue_lock);
        VK(vkAcquireNextImageKHR(program->device, world->swapchain, UINT64_MAX, VK_NULL_HANDLE,
                                 fence, &image));
        const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                       .swapchainCount = 1,
                                       .pSwapchains = &world->swapchain,
                                       .pImageIndices = &image};
        VK(vkQueuePresentKHR(program->queue, &info));
        pthread_mutex_unlock(&program->queue_lock);
        VK(vkWaitForFences(program->device, 1, &fence, VK_TRUE, UINT64_MAX));
        VK(vkResetFences(program->device, 1, &fence));
    } while (going());
    vkDestroyFence(program->device, fence, NULL);
}

/* Memory, images, views, query pools of a thread each. */
static void make_resources(struct worker *worker)
{
    struct program *program = worker->program;
    VkDevice device = program->device;
    do {
        const VkImageCreateInfo image_info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                              .imageType = VK_IMAGE_TYPE_2D,
                                              .format = VK_FORMAT_R8G8B8A8_UNORM,
                                              .extent = {16, 16, 1},
                                              .mipLevels = 1,
                                              .arrayLayers = 1,
                                              .samples = VK_SAMPLE_COUNT_1_BIT,
                                              .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
        VkImage image;
        VK(vkCreateImage(device, &image_info, NULL, &image));
        VkBuffer buffer = make_buffer(program);
        const VkMemoryAllocateInfo memory_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                                  .allocationSize = 65536};
        VkDeviceMemory memory, buffer_memory;
        VK(vkAllocateMemory(device, &memory_info, NULL, &memory));
        VK(vkAllocateMemory(device, &memory_info, NULL, &buffer_memory));
        VK(vkBindImageMemory(device, image, memory, 0));
        VK(vkBindBufferMemory(device, buffer, buffer_memory, 0));
        const VkImageViewCreateInfo view_info = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
            .image = image,
            .viewType = VK_IMAGE_VIEW_TYPE_2D,
            .format = VK_FORMAT_R8G8B8A8_UNORM,
            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
        VkImageView view;
        VK(vkCreateImageView(device, &view_info, NULL, &view));
        const VkQueryPoolCreateInfo query_info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                                  .queryType = VK_QUERY_TYPE_OCCLUSION,
                                                  .queryCount = 4};
        VkQueryPool queries;
        VK(vkCreateQueryPool(device, &query_info, NULL, &queries));
        vkResetQueryPool(device, queries, 0, 4);
        vkDestroyQueryPool(device, queries, NULL);
        vkDestroyImageView(device, view, NULL);
        vkDestroyImage(device, image, NULL);
        vkDestroyBuffer(device, buffer, NULL);
        vkFreeMemory(device, memory, NULL);
        vkFreeMemory(device, buffer_memory, NULL);
    } while (going());
}

/* An instance, a messenger, a device and what is in it, for each thread. */
static void make_instances(struct worker *worker)
{
    do {
        struct program own;
        program_create_within(&own, &worker->program->findings);
        VkBuffer buffer = make_buffer(&own);
        VkCommandPool pool = make_command_pool(&own);
        make_command_buffer(&own, pool);
        vkDestroyCommandPool(own.device, pool, NULL);
        vkDestroyBuffer(own.device, buffer, NULL);
        program_destroy(&own);
    } while (going());
}

static void make_surface(struct world *world)
{
    struct program *program = world->program;
    const VkHeadlessSurfaceCreateInfoEXT surface = {
        .sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    VK(INSTANCE_PROC(program, vkCreateHeadlessSurfaceEXT)(program->instance, &surface, NULL,
                                                          &world->surface));
    VkBool32 supported;
    VK(vkGetPhysicalDeviceSurfaceSupportKHR(program->physical_device, 0, world->surface,
                                            &supported));
    VkSurfaceCapabilitiesKHR capabilities;
    VK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(program->physical_device, world->surface,
                                                 &capabilities));
    VkSurfaceFormatKHR format;
    uint32_t count = 1;
    ENSURE(vkGetPhysicalDeviceSurfaceFormatsKHR(program->physical_device, world->surface, &count,
                                                &format) >= 0);
    const VkSwapchainCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                           .surface = world->surface,
                                           .minImageCount = 3,
                                           .imageFormat = format.format,
                                           .imageColorSpace = format.colorSpace,
                                           .imageExtent = {64, 64},
                                           .imageArrayLayers = 1,
                                           .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                           .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
                                           .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                                           .presentMode = VK_PRESENT_MODE_FIFO_KHR};
    VK(vkCreateSwapchainKHR(program->device, &info, NULL, &world->swapchain));
}

void world_create(struct world *world, struct program *program, bool after_bind)
{
    VkDevice device = program->device;
    *world = (struct world){.program = program};
    pthread_mutex_init(&world->lock, NULL);
    world->set_layout = make_set_layout(program, after_bind);
    world->pipeline_layout = make_pipeline_layout(program, world->set_layout);
    world->buffer = make_buffer(program);
    world->descriptor_pool = make_descriptor_pool(program, after_bind);
    world->set = make_set(program, world->descriptor_pool, world->set_layout);
    world->timeline = make_timeline(program);
    world->pool = make_command_pool(program);
    world->command_buffer = make_command_buffer(program, world->pool);
    world->fence = make_fence(program);
    const VkEventCreateInfo event = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VK(vkCreateEvent(device, &event, NULL, &world->event));
    const VkShaderModuleCreateInfo shader = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = sizeof(dividing_shader),
                                             .pCode = dividing_shader};
    VK(vkCreateShaderModule(device, &shader, NULL, &world->shader));
    const VkPipelineCacheCreateInfo cache = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    VK(vkCreatePipelineCache(device, &cache, NULL, &world->cache));
    const VkPrivateDataSlotCreateInfo slot = {.sType =
                                                  VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
    VK(vkCreatePrivateDataSlot(device, &slot, NULL, &world->slot));
    const VkDescriptorUpdateTemplateEntry entry = {
        .descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    const VkDescriptorUpdateTemplateCreateInfo template = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .descriptorSetLayout = world->set_layout};
    VK_AGAIN(vkCreateDescriptorUpdateTemplate(device, &template, NULL, &world->template));
    make_surface(world);
}

void world_destroy(struct world *world)
{
    VkDevice device = world->program->device;
    VK(vkDeviceWaitIdle(device));
    vkDestroySwapchainKHR(device, world->swapchain, NULL);
    vkDestroySurfaceKHR(world->program->instance, world->surface, NULL);
    vkDestroyDescriptorUpdateTemplate(device, world->template, NULL);
    vkDestroyPrivateDataSlot(device, world->slot, NULL);
    vkDestroyPipelineCache(device, world->cache, NULL);
    vkDestroyShaderModule(device, world->shader, NULL);
    vkDestroyEvent(device, world->event, NULL);
    vkDestroyFence(device, world->fence, NULL);
    vkDestroyCommandPool(device, world->pool, NULL);
    vkDestroySemaphore(device, world->timeline, NULL);
    vkDestroyDescriptorPool(device, world->descriptor_pool, NULL);
    vkDestroyBuffer(device, world->buffer, NULL);
    vkDestroyPipelineLayout(device, world->pipeline_layout, NULL);
    vkDestroyDescriptorSetLayout(device, world->set_layout, NULL);
    pthread_mutex_destroy(&world->lock);
}

const struct part parts[PART_COUNT] = {
    {"record", record_part},
    {"allocate_commands", allocate_commands},
    {"submit", submit_part},
    {"allocate_sets", allocate_part_sets},
    {"update_after_bind", update_after_bind, .after_bind = true},
    {"update_with_template", update_with_template},
    {"timeline", signal_timeline},
    {"private_data", private_data},
    {"names", name_in_threads},
    {"ask", ask_in_threads},
    {"pipelines", make_pipelines},
    {"modules", make_modules},
    {"merge_caches", merge_caches},
    {"hand_over", hand_commands_over, .end = end_hand_over},
    {"take_turns", take_turns},
    {"present", present_part},
    {"resources", make_resources},
    {"instances", make_instances},
};
