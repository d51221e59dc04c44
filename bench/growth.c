/* Measures what work costs after more and more of it: each row at several sizes, with the
 * layers and the driver that the environment names. What costs the same at each size is flat.
 *
 *     bench_growth [--sizes N,N...] [ROW...]
 *         prints a line "ROW aim N:ns N:ns..." for each; aim: the factor from first to last size
 *     bench_growth --list
 *         prints a line "ROW what it measures" for each */
#define _GNU_SOURCE
#include "context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIZES_MOST 8

/* Commands that only these rows call. */
#define GROWTH_COMMANDS(X)    \
    X(CmdCopyBufferToImage)   \
    X(CmdBeginRenderPass)     \
    X(CmdEndRenderPass)       \
    X(CmdExecuteCommands)     \
    X(CmdNextSubpass)         \
    X(CmdSetEvent)            \
    X(CmdWaitEvents)          \
    X(CreateEvent)            \
    X(CreateSemaphore)        \
    X(DestroyEvent)           \
    X(DestroySemaphore)       \
    X(GetBufferDeviceAddress) \
    X(SignalSemaphore)

static struct {
#define COMMAND_FIELD(name) PFN_vk##name name;
    GROWTH_COMMANDS(COMMAND_FIELD)
#undef COMMAND_FIELD
} more;

static double growth_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *array_new(uint32_t count, size_t size)
{
    void *array = calloc(count, size);
    if (!array)
        fail("calloc");
    return array;
}

/* --- timelines --- */

static VkSemaphore timeline_create(const struct worker *worker)
{
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    VkSemaphore semaphore;
    bench_must(more.CreateSemaphore(worker->context->device, &info, NULL, &semaphore),
               "vkCreateSemaphore");
    return semaphore;
}

/* Waits for all that was submitted, for which the host signals `value` first where it is not 0. */
static void timeline_end(const struct worker *worker, VkSemaphore semaphore, uint64_t value)
{
    const VkDevice device = worker->context->device;
    const VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = value};
    if (value)
        bench_must(more.SignalSemaphore(device, &signal), "vkSignalSemaphore");
    bench_must(worker->context->vk.DeviceWaitIdle(device), "vkDeviceWaitIdle");
    more.DestroySemaphore(device, semaphore, NULL);
}

static void timeline_submit(const struct worker *worker, VkSemaphore semaphore, uint64_t wait,
                            uint64_t signal)
{
    static const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = wait != 0,
        .pWaitSemaphoreValues = &wait,
        .signalSemaphoreValueCount = signal != 0,
        .pSignalSemaphoreValues = &signal};
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = &values,
                               .waitSemaphoreCount = wait != 0,
                               .pWaitSemaphores = &semaphore,
                               .pWaitDstStageMask = &stages,
                               .signalSemaphoreCount = signal != 0,
                               .pSignalSemaphores = &semaphore};
    bench_must(worker->context->vk.QueueSubmit(worker->queue, 1, &info, VK_NULL_HANDLE),
               "vkQueueSubmit");
}

static double timeline_signals(struct worker *worker, uint32_t size)
{
    const VkSemaphore semaphore = timeline_create(worker);
    const double start = growth_now();
    for (uint32_t i = 0; i < size; i++)
        timeline_submit(worker, semaphore, 0, i + 1);
    const double time = growth_now() - start;
    timeline_end(worker, semaphore, 0);
    return time / size;
}

static double timeline_waits(struct worker *worker, uint32_t size)
{
    const VkSemaphore semaphore = timeline_create(worker);
    const double start = growth_now();
    for (uint32_t i = 0; i < size; i++)
        timeline_submit(worker, semaphore, i + 1, 0);
    const double time = growth_now() - start;
    timeline_end(worker, semaphore, size);
    return time / size;
}

/* --- command buffers --- */

static void recording_begin(const struct worker *worker, VkCommandBufferUsageFlags flags)
{
    const struct device_commands *vk = &worker->context->vk;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = flags};
    bench_must(vk->ResetCommandPool(worker->context->device, worker->pool, 0),
               "vkResetCommandPool");
    bench_must(vk->BeginCommandBuffer(worker->commands, &begin), "vkBeginCommandBuffer");
}

static void rendering_begin(const struct worker *worker)
{
    const struct context *context = worker->context;
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .newLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = worker->image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    context->vk.CmdPipelineBarrier(worker->commands, stage, stage, 0, 0, NULL, 0, NULL, 1,
                                   &barrier);
    const VkRenderingAttachmentInfo colour = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                              .imageView = worker->view,
                                              .imageLayout =
                                                  VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                              .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                              .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = {.extent = {64, 64}},
                                  .layerCount = 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &colour};
    const VkRect2D area = {.extent = {64, 64}};
    const VkViewport viewport = {0.0f, 0.0f, 64.0f, 64.0f, 0.0f, 1.0f};
    const float offset[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    context->vk.CmdBeginRendering(worker->commands, &info);
    context->vk.CmdBindPipeline(worker->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                context->pipeline);
    context->vk.CmdSetViewport(worker->commands, 0, 1, &viewport);
    context->vk.CmdSetScissor(worker->commands, 0, 1, &area);
    context->vk.CmdPushConstants(worker->commands, context->pipeline_layout,
                                 VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(offset), offset);
}

/* Sets with all their descriptors; the caller frees the array, and destroys the pool. */
static VkDescriptorPool sets_new(const struct worker *worker, uint32_t count,
                                 VkDescriptorSet **sets)
{
    const struct context *context = worker->context;
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, count},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count * STORAGE_COUNT}};
    const VkDescriptorPoolCreateInfo pool_info = {.sType =
                                                      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .maxSets = count,
                                                  .poolSizeCount = 2,
                                                  .pPoolSizes = sizes};
    VkDescriptorPool pool;
    *sets = array_new(count, sizeof(**sets));
    bench_must(context->vk.CreateDescriptorPool(context->device, &pool_info, NULL, &pool),
               "vkCreateDescriptorPool");
    for (uint32_t i = 0; i < count; i++) {
        const VkDescriptorSetAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
            .descriptorPool = pool,
            .descriptorSetCount = 1,
            .pSetLayouts = &context->set_layout};
        bench_must(context->vk.AllocateDescriptorSets(context->device, &info, &(*sets)[i]),
                   "vkAllocateDescriptorSets");
        VkCopyDescriptorSet copies[2] = {{.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                          .srcSet = worker->sets[0],
                                          .dstSet = (*sets)[i],
                                          .descriptorCount = 1}};
        copies[1] = copies[0];
        copies[1].srcBinding = copies[1].dstBinding = 1;
        copies[1].descriptorCount = STORAGE_COUNT;
        context->vk.UpdateDescriptorSets(context->device, 0, NULL, 2, copies);
    }
    return pool;
}

#define SUBMITS 64

static double submit_again(struct worker *worker, uint32_t size)
{
    const struct context *context = worker->context;
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &worker->commands};
    double time = 0;
    VkDescriptorSet *sets;
    const VkDescriptorPool pool = sets_new(worker, size, &sets);
    recording_begin(worker, 0);
    rendering_begin(worker);
    for (uint32_t i = 0; i < size; i++) {
        context->vk.CmdBindDescriptorSets(worker->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                          context->pipeline_layout, 0, 1, &sets[i], 0, NULL);
        context->vk.CmdDraw(worker->commands, 3, 1, 0, 0);
    }
    context->vk.CmdEndRendering(worker->commands);
    bench_must(context->vk.EndCommandBuffer(worker->commands), "vkEndCommandBuffer");
    for (uint32_t i = 0; i <= SUBMITS; i++) {
        const double start = growth_now();
        bench_must(context->vk.QueueSubmit(worker->queue, 1, &info, VK_NULL_HANDLE),
                   "vkQueueSubmit");
        time += i ? growth_now() - start : 0; /* the first one is not again */
        bench_must(context->vk.DeviceWaitIdle(context->device), "vkDeviceWaitIdle");
    }
    context->vk.DestroyDescriptorPool(context->device, pool, NULL);
    free(sets);
    return time / SUBMITS;
}

#define LATER_COMMANDS 64

static double after_events(struct worker *worker, uint32_t size)
{
    const struct context *context = worker->context;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkEvent *events = array_new(size, sizeof(*events));
    recording_begin(worker, 0);
    for (uint32_t i = 0; i < LATER_COMMANDS; i++) {
        const VkBufferCopy region = {128 * i, 128 * i, 64};
        context->vk.CmdCopyBuffer(worker->commands, worker->source, worker->target, 1, &region);
    }
    for (uint32_t i = 0; i < size; i++) {
        const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                         .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                         .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT};
        bench_must(more.CreateEvent(context->device, &info, NULL, &events[i]), "vkCreateEvent");
        more.CmdSetEvent(worker->commands, events[i], stage);
        more.CmdWaitEvents(worker->commands, 1, &events[i], stage, stage, 1, &barrier, 0, NULL, 0,
                           NULL);
    }
    const double start = growth_now();
    for (uint32_t i = 0; i < LATER_COMMANDS; i++) {
        const VkBufferCopy region = {128 * i, 128 * i, 64};
        context->vk.CmdCopyBuffer(worker->commands, worker->source, worker->target, 1, &region);
    }
    const double time = growth_now() - start;
    bench_must(context->vk.EndCommandBuffer(worker->commands), "vkEndCommandBuffer");
    for (uint32_t i = 0; i < size; i++)
        more.DestroyEvent(context->device, events[i], NULL);
    free(events);
    return time / LATER_COMMANDS;
}

static double setting_events(struct worker *worker, uint32_t size)
{
    const struct context *context = worker->context;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkEvent *events = array_new(size, sizeof(*events));
    for (uint32_t i = 0; i < size; i++)
        bench_must(more.CreateEvent(context->device, &info, NULL, &events[i]), "vkCreateEvent");
    recording_begin(worker, 0);
    const double start = growth_now();
    for (uint32_t i = 0; i < size; i++) {
        more.CmdSetEvent(worker->commands, events[i], stage);
        more.CmdWaitEvents(worker->commands, 1, &events[i], stage, stage, 0, NULL, 0, NULL, 0,
                           NULL);
    }
    const double time = growth_now() - start;
    bench_must(context->vk.EndCommandBuffer(worker->commands), "vkEndCommandBuffer");
    for (uint32_t i = 0; i < size; i++)
        more.DestroyEvent(context->device, events[i], NULL);
    free(events);
    return time / size;
}

static double grow_secondaries(struct worker *worker, uint32_t size)
{
    const struct context *context = worker->context;
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .pInheritanceInfo = &inherited};
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                               .queueFamilyIndex = context->queue_family};
    VkCommandPool pool;
    VkCommandBuffer *list = array_new(size, sizeof(VkCommandBuffer));
    bench_must(context->vk.CreateCommandPool(context->device, &pool_info, NULL, &pool),
               "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = pool,
                                              .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                              .commandBufferCount = size};
    bench_must(context->vk.AllocateCommandBuffers(context->device, &info, list),
               "vkAllocateCommandBuffers");
    for (uint32_t i = 0; i < size; i++) {
        bench_must(context->vk.BeginCommandBuffer(list[i], &begin), "vkBeginCommandBuffer");
        bench_must(context->vk.EndCommandBuffer(list[i]), "vkEndCommandBuffer");
    }
    recording_begin(worker, 0);
    const double start = growth_now();
    more.CmdExecuteCommands(worker->commands, size, list);
    const double time = growth_now() - start;
    bench_must(context->vk.EndCommandBuffer(worker->commands), "vkEndCommandBuffer");
    context->vk.DestroyCommandPool(context->device, pool, NULL);
    free(list);
    return time / size;
}

/* --- memory --- */

/* A buffer with memory of its own. */
struct own_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
};

static VkBuffer plain_buffer(const struct context *context, VkDeviceSize size,
                             VkBufferUsageFlags usage)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = size,
                                     .usage = usage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkBuffer buffer;
    bench_must(context->vk.CreateBuffer(context->device, &info, NULL, &buffer), "vkCreateBuffer");
    return buffer;
}

static VkDeviceMemory memory_new(const struct context *context, VkDeviceSize size, uint32_t types)
{
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &flags, .allocationSize = size};
    VkDeviceMemory memory;
    while (!(types >> info.memoryTypeIndex & 1u))
        info.memoryTypeIndex++;
    bench_must(context->vk.AllocateMemory(context->device, &info, NULL, &memory),
               "vkAllocateMemory");
    return memory;
}

static struct own_buffer own_buffer_new(const struct context *context, VkDeviceSize size)
{
    struct own_buffer own = {.buffer = plain_buffer(context, size, 0)};
    VkMemoryRequirements need;
    context->vk.GetBufferMemoryRequirements(context->device, own.buffer, &need);
    own.memory = memory_new(context, need.size, need.memoryTypeBits);
    bench_must(context->vk.BindBufferMemory(context->device, own.buffer, own.memory, 0),
               "vkBindBufferMemory");
    return own;
}

static void own_buffer_destroy(const struct context *context, const struct own_buffer *own)
{
    context->vk.DestroyBuffer(context->device, own->buffer, NULL);
    context->vk.FreeMemory(context->device, own->memory, NULL);
}

#define SMALL 64u /* bytes of a small range; as much again lies between two */

static void barrier_over(const struct worker *worker, VkBuffer buffer)
{
    const VkBufferMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                           .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                           .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT |
                                                            VK_ACCESS_TRANSFER_WRITE_BIT,
                                           .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .buffer = buffer,
                                           .size = VK_WHOLE_SIZE};
    worker->context->vk.CmdPipelineBarrier(worker->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                           VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 1, &barrier,
                                           0, NULL);
}

/* Barriers over all of a buffer and copies of all of it in turn, after `size` copies of small
 * ranges and one such pair. */
static double after_ranges(struct worker *worker, uint32_t size)
{
    const struct context *context = worker->context;
    const VkDeviceSize bytes = 2ull * SMALL * size;
    const struct own_buffer from = own_buffer_new(context, bytes),
                            to = own_buffer_new(context, bytes);
    const VkBufferCopy all = {0, 0, bytes};
    recording_begin(worker, 0);
    for (uint32_t i = 0; i < size; i++) {
        const VkBufferCopy region = {2ull * SMALL * i, 2ull * SMALL * i, SMALL};
        context->vk.CmdCopyBuffer(worker->commands, from.buffer, to.buffer, 1, &region);
    }
    barrier_over(worker, to.buffer);
    context->vk.CmdCopyBuffer(worker->commands, from.buffer, to.buffer, 1, &all);
    const double start = growth_now();
    for (uint32_t i = 0; i < LATER_COMMANDS; i++) {
        barrier_over(worker, to.buffer);
        context->vk.CmdCopyBuffer(worker->commands, from.buffer, to.buffer, 1, &all);
    }
    const double time = growth_now() - start;
    bench_must(context->vk.EndCommandBuffer(worker->commands), "vkEndCommandBuffer");
    own_buffer_destroy(context, &from);
    own_buffer_destroy(context, &to);
    return time / LATER_COMMANDS;
}

#define TILE 48u

static double grow_tiles(struct worker *worker, uint32_t size)
{
    const struct context *context = worker->context;
    uint32_t side = 1;
    while (side * side < size)
        side++;
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = IMAGE_FORMAT,
                                    .extent = {side * TILE, side * TILE, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    VkImage image;
    VkMemoryRequirements need;
    bench_must(context->vk.CreateImage(context->device, &info, NULL, &image), "vkCreateImage");
    context->vk.GetImageMemoryRequirements(context->device, image, &need);
    const VkDeviceMemory memory = memory_new(context, need.size, need.memoryTypeBits);
    bench_must(context->vk.BindImageMemory(context->device, image, memory, 0), "vkBindImageMemory");
    recording_begin(worker, 0);
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    context->vk.CmdPipelineBarrier(worker->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                   VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1,
                                   &barrier);
    const double start = growth_now();
    for (uint32_t i = 0; i < size; i++) {
        const VkBufferImageCopy region = {
            .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
            .imageOffset = {(int32_t)(i % side * TILE), (int32_t)(i / side * TILE), 0},
            .imageExtent = {TILE, TILE, 1}};
        more.CmdCopyBufferToImage(worker->commands, worker->source, image,
                                  VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    }
    const double time = growth_now() - start;
    bench_must(context->vk.EndCommandBuffer(worker->commands), "vkEndCommandBuffer");
    context->vk.DestroyImage(context->device, image, NULL);
    context->vk.FreeMemory(context->device, memory, NULL);
    return time / size;
}

/* `step`: buffer i lies in place i * step of `size`, from which it has no divisor. */
static double addresses_time(struct worker *worker, uint32_t size, uint64_t step)
{
    const struct context *context = worker->context;
    VkBuffer *buffers = array_new(size, sizeof(*buffers));
    VkMemoryRequirements need;
    for (uint32_t i = 0; i < size; i++)
        buffers[i] = plain_buffer(context, 256, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    context->vk.GetBufferMemoryRequirements(context->device, buffers[0], &need);
    const VkDeviceMemory memory = memory_new(context, need.size * size, need.memoryTypeBits);
    for (uint32_t i = 0; i < size; i++)
        bench_must(context->vk.BindBufferMemory(context->device, buffers[i], memory,
                                                need.size * (i * step % size)),
                   "vkBindBufferMemory");
    VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
    const double start = growth_now();
    for (uint32_t i = 0; i < size; i++) {
        info.buffer = buffers[i];
        more.GetBufferDeviceAddress(context->device, &info);
    }
    const double time = growth_now() - start;
    for (uint32_t i = 0; i < size; i++)
        context->vk.DestroyBuffer(context->device, buffers[i], NULL);
    context->vk.FreeMemory(context->device, memory, NULL);
    free(buffers);
    return time / size;
}

static double grow_addresses(struct worker *worker, uint32_t size)
{
    return addresses_time(worker, size, 1);
}

static double addresses_shuffled(struct worker *worker, uint32_t size)
{
    return addresses_time(worker, size, 2654435761); /* a prime */
}

/* --- render passes --- */

/* Each subpass writes the attachment, after the one before it. */
static VkRenderPass chain_create(const struct context *context, uint32_t size)
{
    VkSubpassDescription *subpasses = array_new(size, sizeof(*subpasses));
    VkSubpassDependency *dependencies = array_new(size, sizeof(*dependencies));
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentDescription colour = {.format = IMAGE_FORMAT,
                                            .samples = VK_SAMPLE_COUNT_1_BIT,
                                            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                            .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                            .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                            .finalLayout =
                                                VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAccessFlags access =
        VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    for (uint32_t i = 0; i < size; i++) {
        subpasses[i] =
            (VkSubpassDescription){.colorAttachmentCount = 1, .pColorAttachments = &reference};
        dependencies[i] =
            (VkSubpassDependency){.srcSubpass = i,
                                  .dstSubpass = i + 1,
                                  .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                  .dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                  .srcAccessMask = access,
                                  .dstAccessMask = access};
    }
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 1,
                                         .pAttachments = &colour,
                                         .subpassCount = size,
                                         .pSubpasses = subpasses,
                                         .dependencyCount = size - 1,
                                         .pDependencies = dependencies};
    VkRenderPass pass;
    bench_must(context->vk.CreateRenderPass(context->device, &info, NULL, &pass),
               "vkCreateRenderPass");
    free(subpasses);
    free(dependencies);
    return pass;
}

static double grow_subpasses(struct worker *worker, uint32_t size)
{
    const struct context *context = worker->context;
    const double start = growth_now();
    const VkRenderPass pass = chain_create(context, size);
    const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                          .renderPass = pass,
                                          .attachmentCount = 1,
                                          .pAttachments = &worker->view,
                                          .width = 16,
                                          .height = 16,
                                          .layers = 1};
    VkFramebuffer framebuffer;
    bench_must(context->vk.CreateFramebuffer(context->device, &info, NULL, &framebuffer),
               "vkCreateFramebuffer");
    const VkClearValue clear = {0};
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = pass,
                                         .framebuffer = framebuffer,
                                         .renderArea = {.extent = {16, 16}},
                                         .clearValueCount = 1,
                                         .pClearValues = &clear};
    recording_begin(worker, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    more.CmdBeginRenderPass(worker->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t i = 1; i < size; i++)
        more.CmdNextSubpass(worker->commands, VK_SUBPASS_CONTENTS_INLINE);
    more.CmdEndRenderPass(worker->commands);
    bench_must(context->vk.EndCommandBuffer(worker->commands), "vkEndCommandBuffer");
    const double time = growth_now() - start;
    context->vk.DestroyFramebuffer(context->device, framebuffer, NULL);
    context->vk.DestroyRenderPass(context->device, pass, NULL);
    return time / size;
}

/* --- the rows --- */

struct row {
    const char *name;
    const char *what; /* one figure, for the reader */
    double aim;       /* the last size's figure, as a multiple of the first one's */
    uint32_t sizes[SIZES_MOST];
    /* ns for one of what `what` says */
    double (*run)(struct worker *worker, uint32_t size);
};

static const struct row rows[] = {
    {"timeline_signals",
     "a submit that signals a timeline, of as many that are not waited for",
     2,
     {100, 1000, 10000},
     timeline_signals},
    {"timeline_waits",
     "a submit that waits for a value that the host signals after the last one",
     3,
     {100, 1000, 10000},
     timeline_waits},
    {"submit_again",
     "a submit of a command buffer that has drawn with as many sets",
     2,
     {100, 1000, 10000},
     submit_again},
    {"after_events",
     "a copy over another one, after as many events were set and waited for in between",
     2,
     {100, 1000, 10000},
     after_events},
    {"setting_events",
     "setting and waiting for one of as many events",
     5, /* likewise */
     {100, 1000, 10000},
     setting_events},
    {"secondaries",
     "a secondary command buffer of one vkCmdExecuteCommands with as many",
     12, /* misses of the cache: each has some 25 KB */
     {100, 1000, 10000},
     grow_secondaries},
    {"after_ranges",
     "a barrier over a buffer and a copy of all of it, after copies of as many small ranges",
     3,
     {100, 1000, 10000},
     after_ranges},
    {"tiles",
     "a copy of one of as many tiles of 48 x 48 texels into an image",
     2,
     {100, 1000, 5000},
     grow_tiles},
    {"addresses",
     "vkGetBufferDeviceAddress of one of as many buffers",
     4, /* the logarithm, and misses of the cache */
     {1000, 10000, 100000},
     grow_addresses},
    {"addresses_shuffled",
     "likewise, with addresses in no order",
     6, /* likewise */
     {1000, 10000, 100000},
     addresses_shuffled},
    {"subpasses",
     "making and recording one of as many subpasses of a render pass",
     2,
     {10, 100, 1000},
     grow_subpasses},
};
#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

/* The shortest of several: other work on the machine only ever adds time. The first one also makes
 * what is kept for the next ones. */
#define TRIES 3

static void row_measure(struct worker *worker, const struct row *row, const uint32_t *sizes)
{
    printf("%s %g", row->name, row->aim);
    for (uint32_t i = 0; i < SIZES_MOST && sizes[i]; i++) {
        double shortest = row->run(worker, sizes[i]);
        for (uint32_t again = 1; again < TRIES; again++) {
            const double time = row->run(worker, sizes[i]);
            shortest = time < shortest ? time : shortest;
        }
        printf(" %u:%.1f", sizes[i], shortest);
        fflush(stdout);
    }
    printf("\n");
}

static void sizes_read(char *text, uint32_t sizes[SIZES_MOST])
{
    uint32_t count = 0;
    for (char *word = strtok(text, ","); word && count < SIZES_MOST; word = strtok(NULL, ","))
        sizes[count++] = (uint32_t)strtoul(word, NULL, 10);
}

int main(int argc, char **argv)
{
    static struct context context = {.timelines_and_addresses = true};
    static struct worker worker;
    uint32_t sizes[SIZES_MOST] = {0};
    int i = 1;
    for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
        if (!strcmp(argv[i], "--list")) {
            for (uint32_t r = 0; r < ROW_COUNT; r++)
                printf("%s %s\n", rows[r].name, rows[r].what);
            return 0;
        }
        if (strcmp(argv[i], "--sizes") || i + 1 == argc)
            fail("reading the arguments");
        sizes_read(argv[++i], sizes);
    }
    context_create(&context);
#define COMMAND_LOAD(name)                                                     \
    more.name = (PFN_vk##name)vkGetDeviceProcAddr(context.device, "vk" #name); \
    if (!more.name)                                                            \
        fail("vkGetDeviceProcAddr(vk" #name ")");
    GROWTH_COMMANDS(COMMAND_LOAD)
#undef COMMAND_LOAD
    worker_create(&worker, &context, 0);
    for (uint32_t r = 0; r < ROW_COUNT; r++) {
        bool wanted = i == argc;
        for (int name = i; name < argc; name++)
            wanted |= !strcmp(argv[name], rows[r].name);
        if (wanted)
            row_measure(&worker, &rows[r], sizes[0] ? sizes : rows[r].sizes);
    }
    worker_destroy(&worker);
    context_destroy(&context);
    return 0;
}
