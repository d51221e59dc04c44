/* Makes the bench's device and pipeline, and each thread's own objects. */
#include "context.h"

#include <stdio.h>
#include <stdlib.h>

#define BUFFER_SIZE 65536u
#define IMAGE_SIDE  64u
/* Where a part of a memory object may begin: the coarsest grain of a buffer and an image side by
 * side that drivers have (VkPhysicalDeviceLimits::bufferImageGranularity). */
#define PART_ALIGNMENT 65536u

_Noreturn void fail(const char *what)
{
    fprintf(stderr, "bench_ops: %s failed\n", what);
    exit(1);
}

void instance_create(struct context *context)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "bench",
                                           .apiVersion = VK_API_VERSION_1_3};
    static const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME}; /* labels */
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = extensions};
    bench_must(vkCreateInstance(&info, NULL, &context->instance), "vkCreateInstance");
    uint32_t count = 1;
    VkResult result =
        vkEnumeratePhysicalDevices(context->instance, &count, &context->physical_device);
    if (result < 0 || !count)
        fail("vkEnumeratePhysicalDevices");
}

static void queue_family_choose(struct context *context)
{
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(context->physical_device, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if (families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT) {
            context->queue_family = i;
            context->queue_count =
                families[i].queueCount < THREAD_LIMIT ? families[i].queueCount : THREAD_LIMIT;
            return;
        }
    }
    fail("finding a graphics queue");
}

void device_create(struct context *context)
{
    queue_family_choose(context);
    float priorities[THREAD_LIMIT];
    for (uint32_t i = 0; i < THREAD_LIMIT; i++)
        priorities[i] = 1.0f;
    const VkDeviceQueueCreateInfo queues[2] = {{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                                .queueFamilyIndex = context->queue_family,
                                                .queueCount = context->queue_count,
                                                .pQueuePriorities = priorities},
                                               {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                                .queueFamilyIndex = context->queue_family ? 0 : 1,
                                                .queueCount = 1,
                                                .pQueuePriorities = priorities}};
    /* Programs that have queues of several families pay for more with synchronization validation.
     */
    const bool families = getenv("ASSAY_BENCH_FAMILIES") != NULL;
    VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE,
        .descriptorBindingPartiallyBound = VK_TRUE,
        .timelineSemaphore = context->timelines_and_addresses,
        .bufferDeviceAddress = context->timelines_and_addresses};
    const VkPhysicalDeviceFeatures features10 = {.shaderStorageBufferArrayDynamicIndexing =
                                                     VK_TRUE};
    const VkPhysicalDeviceVulkan13Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .pNext = &features12,
        .synchronization2 = VK_TRUE,
        .dynamicRendering = VK_TRUE};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features,
                                     .queueCreateInfoCount = families ? 2 : 1,
                                     .pQueueCreateInfos = queues,
                                     .pEnabledFeatures = &features10};
    bench_must(vkCreateDevice(context->physical_device, &info, NULL, &context->device),
               "vkCreateDevice");
#define COMMAND_LOAD(name)                                                             \
    context->vk.name = (PFN_vk##name)vkGetDeviceProcAddr(context->device, "vk" #name); \
    if (!context->vk.name)                                                             \
        fail("vkGetDeviceProcAddr(vk" #name ")");
    BENCH_COMMANDS(COMMAND_LOAD)
#undef COMMAND_LOAD
    vkGetPhysicalDeviceMemoryProperties(context->physical_device, &context->memory);
}

void device_and_instance_destroy(struct context *context)
{
    context->vk.DestroyDevice(context->device, NULL);
    vkDestroyInstance(context->instance, NULL);
}

VkDescriptorSetLayout set_layout_create(const struct context *context)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_ALL_GRAPHICS, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, STORAGE_COUNT, VK_SHADER_STAGE_ALL_GRAPHICS, NULL},
    };
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    VkDescriptorSetLayout layout;
    bench_must(context->vk.CreateDescriptorSetLayout(context->device, &info, NULL, &layout),
               "vkCreateDescriptorSetLayout");
    return layout;
}

VkPipelineLayout pipeline_layout_create(const struct context *context,
                                        VkDescriptorSetLayout set_layout)
{
    const VkPushConstantRange push = {VK_SHADER_STAGE_VERTEX_BIT, 0, 16};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = &set_layout,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &push};
    VkPipelineLayout layout;
    bench_must(context->vk.CreatePipelineLayout(context->device, &info, NULL, &layout),
               "vkCreatePipelineLayout");
    return layout;
}

static void layouts_create(struct context *context)
{
    context->set_layout = set_layout_create(context);
    context->pipeline_layout = pipeline_layout_create(context, context->set_layout);
    const VkDescriptorUpdateTemplateEntry entry = {
        1, 0, STORAGE_COUNT, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, sizeof(VkDescriptorBufferInfo)};
    const VkDescriptorUpdateTemplateCreateInfo template_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = context->set_layout};
    bench_must(context->vk.CreateDescriptorUpdateTemplate(context->device, &template_info, NULL,
                                                          &context->update_template),
               "vkCreateDescriptorUpdateTemplate");
}

static void render_pass_create(struct context *context)
{
    const VkAttachmentDescription colour = {.format = IMAGE_FORMAT,
                                            .samples = VK_SAMPLE_COUNT_1_BIT,
                                            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                            .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                            .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                            .finalLayout =
                                                VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                          .colorAttachmentCount = 1,
                                          .pColorAttachments = &reference};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 1,
                                         .pAttachments = &colour,
                                         .subpassCount = 1,
                                         .pSubpasses = &subpass};
    bench_must(context->vk.CreateRenderPass(context->device, &info, NULL, &context->render_pass),
               "vkCreateRenderPass");
}

void context_create(struct context *context)
{
    instance_create(context);
    device_create(context);
    layouts_create(context);
    render_pass_create(context);
    context->pipeline = graphics_pipeline_create(context, context->pipeline_layout, scene_vertex,
                                                 scene_fragment, false);
    context->other_pipeline = graphics_pipeline_create(context, context->pipeline_layout,
                                                       scene_vertex, scene_fragment, false);
    context->dynamic_pipeline = graphics_pipeline_create(context, context->pipeline_layout,
                                                         scene_vertex, scene_fragment, true);
    bindless_create(context);
    set_kinds_create(context);
}

void context_destroy(struct context *context)
{
    set_kinds_destroy(context);
    bindless_destroy(context);
    context->vk.DestroyPipeline(context->device, context->pipeline, NULL);
    context->vk.DestroyPipeline(context->device, context->other_pipeline, NULL);
    context->vk.DestroyPipeline(context->device, context->dynamic_pipeline, NULL);
    context->vk.DestroyRenderPass(context->device, context->render_pass, NULL);
    context->vk.DestroyDescriptorUpdateTemplate(context->device, context->update_template, NULL);
    context->vk.DestroyPipelineLayout(context->device, context->pipeline_layout, NULL);
    context->vk.DestroyDescriptorSetLayout(context->device, context->set_layout, NULL);
    device_and_instance_destroy(context);
}

static VkDeviceMemory memory_allocate(const struct context *context, VkDeviceSize size,
                                      uint32_t type_bits)
{
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = size};
    while (info.memoryTypeIndex < context->memory.memoryTypeCount &&
           !(type_bits >> info.memoryTypeIndex & 1u))
        info.memoryTypeIndex++;
    VkDeviceMemory memory;
    bench_must(context->vk.AllocateMemory(context->device, &info, NULL, &memory),
               "vkAllocateMemory");
    return memory;
}

static void buffers_create(struct worker *worker)
{
    const struct context *context = worker->context;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = BUFFER_SIZE,
        .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                 VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    bench_must(context->vk.CreateBuffer(context->device, &info, NULL, &worker->source),
               "vkCreateBuffer");
    bench_must(context->vk.CreateBuffer(context->device, &info, NULL, &worker->target),
               "vkCreateBuffer");
    VkMemoryRequirements need;
    context->vk.GetBufferMemoryRequirements(context->device, worker->source, &need);
    const VkDeviceSize offset = (need.size + need.alignment - 1) / need.alignment * need.alignment;
    worker->buffer_memory = memory_allocate(context, offset + need.size, need.memoryTypeBits);
    context->vk.GetBufferMemoryRequirements(context->device, worker->target, &need);
    bench_must(context->vk.BindBufferMemory(context->device, worker->source, worker->buffer_memory,
                                            0),
               "vkBindBufferMemory");
    bench_must(context->vk.BindBufferMemory(context->device, worker->target, worker->buffer_memory,
                                            offset),
               "vkBindBufferMemory");
}

static void image_create(struct worker *worker)
{
    const struct context *context = worker->context;
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = IMAGE_FORMAT,
                                    .extent = {IMAGE_SIDE, IMAGE_SIDE, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                             VK_IMAGE_USAGE_SAMPLED_BIT};
    bench_must(context->vk.CreateImage(context->device, &info, NULL, &worker->image),
               "vkCreateImage");
    VkMemoryRequirements need;
    context->vk.GetImageMemoryRequirements(context->device, worker->image, &need);
    worker->image_memory = memory_allocate(context, need.size, need.memoryTypeBits);
    bench_must(context->vk.BindImageMemory(context->device, worker->image, worker->image_memory, 0),
               "vkBindImageMemory");
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = worker->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = IMAGE_FORMAT,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    bench_must(context->vk.CreateImageView(context->device, &view, NULL, &worker->view),
               "vkCreateImageView");
}

static VkDescriptorPool descriptor_pool_create(const struct context *context, uint32_t set_count)
{
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, set_count},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, set_count * STORAGE_COUNT}};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = set_count,
                                             .poolSizeCount = 2,
                                             .pPoolSizes = sizes};
    VkDescriptorPool pool;
    bench_must(context->vk.CreateDescriptorPool(context->device, &info, NULL, &pool),
               "vkCreateDescriptorPool");
    return pool;
}

static void sets_create(struct worker *worker)
{
    const struct context *context = worker->context;
    const VkDescriptorSetLayout layouts[SET_COUNT] = {context->set_layout, context->set_layout};
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = worker->descriptor_pool,
                                              .descriptorSetCount = SET_COUNT,
                                              .pSetLayouts = layouts};
    bench_must(context->vk.AllocateDescriptorSets(context->device, &info, worker->sets),
               "vkAllocateDescriptorSets");
    VkDescriptorBufferInfo buffers[STORAGE_COUNT];
    for (uint32_t i = 0; i < STORAGE_COUNT; i++)
        buffers[i] = (VkDescriptorBufferInfo){worker->source, 0, VK_WHOLE_SIZE};
    const VkDescriptorBufferInfo uniform = {worker->source, 0, 256};
    for (uint32_t s = 0; s < SET_COUNT; s++) {
        const VkWriteDescriptorSet writes[] = {
            {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
             .dstSet = worker->sets[s],
             .descriptorCount = 1,
             .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
             .pBufferInfo = &uniform},
            {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
             .dstSet = worker->sets[s],
             .dstBinding = 1,
             .descriptorCount = STORAGE_COUNT,
             .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
             .pBufferInfo = buffers},
        };
        context->vk.UpdateDescriptorSets(context->device, 2, writes, 0, NULL);
    }
}

static VkCommandPool pool_create(const struct context *context)
{
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = context->queue_family};
    VkCommandPool pool;
    bench_must(context->vk.CreateCommandPool(context->device, &info, NULL, &pool),
               "vkCreateCommandPool");
    return pool;
}

static VkCommandBuffer commands_create(const struct context *context, VkCommandPool pool)
{
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = pool,
                                              .commandBufferCount = 1};
    VkCommandBuffer commands;
    bench_must(context->vk.AllocateCommandBuffers(context->device, &info, &commands),
               "vkAllocateCommandBuffers");
    return commands;
}

static VkFence fence_create(const struct context *context)
{
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence;
    bench_must(context->vk.CreateFence(context->device, &info, NULL, &fence), "vkCreateFence");
    return fence;
}

static void flights_create(struct worker *worker)
{
    const struct context *context = worker->context;
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    worker->flight_pool = pool_create(context);
    for (uint32_t i = 0; i < FLIGHT; i++) {
        struct flight *flight = &worker->flights[i];
        flight->commands = commands_create(context, worker->flight_pool);
        flight->fence = fence_create(context);
        bench_must(context->vk.CreateSemaphore(context->device, &info, NULL, &flight->semaphore),
                   "vkCreateSemaphore");
    }
}

static void flights_destroy(struct worker *worker)
{
    const struct context *context = worker->context;
    for (uint32_t i = 0; i < FLIGHT; i++) {
        context->vk.DestroyFence(context->device, worker->flights[i].fence, NULL);
        context->vk.DestroySemaphore(context->device, worker->flights[i].semaphore, NULL);
    }
    context->vk.DestroyCommandPool(context->device, worker->flight_pool, NULL);
}

static VkQueryPool queries_create(const struct context *context, VkQueryType type)
{
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = type,
                                        .queryCount = RECORDED};
    VkQueryPool pool;
    bench_must(context->vk.CreateQueryPool(context->device, &info, NULL, &pool),
               "vkCreateQueryPool");
    return pool;
}

void worker_create(struct worker *worker, struct context *context, uint32_t index)
{
    *worker = (struct worker){.context = context, .index = index};
    if (index < context->queue_count)
        context->vk.GetDeviceQueue(context->device, context->queue_family, index, &worker->queue);
    worker->pool = pool_create(context);
    worker->commands = commands_create(context, worker->pool);
    flights_create(worker);
    buffers_create(worker);
    image_create(worker);
    worker->descriptor_pool = descriptor_pool_create(context, SET_COUNT);
    sets_create(worker);
    bindless_sets_create(worker);
    more_sets_create(worker);
    worker->fence = fence_create(context);
    worker->timestamps = queries_create(context, VK_QUERY_TYPE_TIMESTAMP);
    worker->occlusions = queries_create(context, VK_QUERY_TYPE_OCCLUSION);
}

void worker_destroy(struct worker *worker)
{
    const struct context *context = worker->context;
    context->vk.DestroyQueryPool(context->device, worker->timestamps, NULL);
    context->vk.DestroyQueryPool(context->device, worker->occlusions, NULL);
    context->vk.DestroyFence(context->device, worker->fence, NULL);
    flights_destroy(worker);
    context->vk.DestroyDescriptorPool(context->device, worker->descriptor_pool, NULL);
    context->vk.DestroyDescriptorPool(context->device, worker->bindless_pool, NULL);
    more_sets_destroy(worker);
    context->vk.DestroyImageView(context->device, worker->view, NULL);
    context->vk.DestroyImage(context->device, worker->image, NULL);
    context->vk.DestroyBuffer(context->device, worker->source, NULL);
    context->vk.DestroyBuffer(context->device, worker->target, NULL);
    context->vk.FreeMemory(context->device, worker->buffer_memory, NULL);
    context->vk.FreeMemory(context->device, worker->image_memory, NULL);
    context->vk.DestroyCommandPool(context->device, worker->pool, NULL);
}

/* Parts of one memory object, as allocators hand them out: each on pages of its own. */
static void parts_create(struct worker *workers, uint32_t count)
{
    const struct context *context = workers[0].context;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = BUFFER_SIZE,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements need = {0};
    for (uint32_t i = 0; i < count; i++) {
        bench_must(context->vk.CreateBuffer(context->device, &info, NULL, &workers[i].part),
                   "vkCreateBuffer");
        context->vk.GetBufferMemoryRequirements(context->device, workers[i].part, &need);
    }
    const VkDeviceSize each = (need.size + PART_ALIGNMENT - 1) / PART_ALIGNMENT * PART_ALIGNMENT;
    workers[0].parts_memory = memory_allocate(context, each * count, need.memoryTypeBits);
    for (uint32_t i = 0; i < count; i++)
        bench_must(context->vk.BindBufferMemory(context->device, workers[i].part,
                                                workers[0].parts_memory, each * i),
                   "vkBindBufferMemory");
}

static void parts_destroy(struct worker *workers, uint32_t count)
{
    const struct context *context = workers[0].context;
    for (uint32_t i = 0; i < count; i++)
        context->vk.DestroyBuffer(context->device, workers[i].part, NULL);
    context->vk.FreeMemory(context->device, workers[0].parts_memory, NULL);
}

void workers_create_together(struct worker *workers, uint32_t count)
{
    const struct context *context = workers[0].context;
    parts_create(workers, count);
    for (uint32_t i = 0; i < count; i++) {
        workers[i].together = calloc(1, sizeof(*workers[i].together));
        if (!workers[i].together)
            fail("calloc");
        *workers[i].together =
            (struct worker){.context = workers[i].context, .index = i, .queue = workers[i].queue};
    }
    for (uint32_t i = 0; i < count; i++)
        workers[i].together->pool = pool_create(context);
    for (uint32_t i = 0; i < count; i++)
        workers[i].together->commands = commands_create(context, workers[i].together->pool);
    buffers_create(workers[0].together);
    const struct worker first = *workers[0].together;
    const VkDescriptorPool descriptor_pool = descriptor_pool_create(context, count * SET_COUNT);
    for (uint32_t i = 0; i < count; i++) {
        struct worker *together = workers[i].together;
        together->source = first.source;
        together->target = first.target;
        together->buffer_memory = first.buffer_memory;
        together->descriptor_pool = descriptor_pool;
        image_create(together);
    }
    for (uint32_t i = 0; i < count; i++)
        sets_create(workers[i].together);
}

void workers_destroy_together(struct worker *workers, uint32_t count)
{
    const struct context *context = workers[0].context;
    parts_destroy(workers, count);
    for (uint32_t i = 0; i < count; i++) {
        struct worker *together = workers[i].together;
        context->vk.DestroyImageView(context->device, together->view, NULL);
        context->vk.DestroyImage(context->device, together->image, NULL);
        context->vk.FreeMemory(context->device, together->image_memory, NULL);
        context->vk.DestroyCommandPool(context->device, together->pool, NULL);
    }
    const struct worker *first = workers[0].together;
    context->vk.DestroyDescriptorPool(context->device, first->descriptor_pool, NULL);
    context->vk.DestroyBuffer(context->device, first->source, NULL);
    context->vk.DestroyBuffer(context->device, first->target, NULL);
    context->vk.FreeMemory(context->device, first->buffer_memory, NULL);
    for (uint32_t i = 0; i < count; i++)
        free(workers[i].together);
}
