/* Makes something to report. It draws a small renderer's frames, recorded as by a programmer new to
 * synchronization. It has uploads without barriers, a barrier with the wrong scope, and submissions
 * and queues that race. It ends normally; drivers let all of it pass. The end-to-end tests of
 * `assay report` run it. With the argument "pictures" it makes other mistakes, which are hard to
 * draw. They are many barriers, barriers of several resources in one command, and a timeline
 * semaphore that two queues and the host signal. With "race" two threads are in one command pool at
 * once. */
#define _GNU_SOURCE /* pthread_setname_np() */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

struct program {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    VkQueue graphics, transfer; /* the same one where the device has no second */
    VkCommandPool pools[2];
    VkDeviceMemory memory;
    VkBuffer vertices, indices, staging, readback;
    VkImage shadows;
    VkSemaphore uploaded,
        frame; /* the second one is a timeline semaphore, "pictures" alone has it */
    PFN_vkSetDebugUtilsObjectNameEXT set_name;
    PFN_vkCmdBeginDebugUtilsLabelEXT begin_label;
    PFN_vkCmdEndDebugUtilsLabelEXT end_label;
};

static void hazards_must(VkResult result, const char *what)
{
    if (result == VK_SUCCESS)
        return;
    fprintf(stderr, "hazards: %s failed: %d\n", what, result);
    exit(1);
}

static void name_hazard_object(const struct program *program, VkObjectType type, uint64_t handle,
                               const char *text)
{
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = text};
    hazards_must(program->set_name(program->device, &info), "vkSetDebugUtilsObjectNameEXT");
}
#define NAME(type_, handle_, text_) \
    name_hazard_object(program, VK_OBJECT_TYPE_##type_, (uint64_t)(handle_), text_)

static void label_commands(const struct program *program, VkCommandBuffer commands,
                           const char *text)
{
    const VkDebugUtilsLabelEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                       .pLabelName = text};
    program->begin_label(commands, &info);
}

static void create_hazard_instance(struct program *program)
{
    const char *extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "hazards",
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = &extension};
    uint32_t count = 1;
    hazards_must(vkCreateInstance(&info, NULL, &program->instance), "vkCreateInstance");
    if (vkEnumeratePhysicalDevices(program->instance, &count, &program->physical_device) < 0 ||
        !count)
        hazards_must(VK_ERROR_INITIALIZATION_FAILED, "finding a Vulkan device");
#define LOAD(member_, name_) \
    program->member_ = (PFN_##name_)vkGetInstanceProcAddr(program->instance, #name_)
    LOAD(set_name, vkSetDebugUtilsObjectNameEXT);
    LOAD(begin_label, vkCmdBeginDebugUtilsLabelEXT);
    LOAD(end_label, vkCmdEndDebugUtilsLabelEXT);
}

static VkCommandPool create_pool(const struct program *program, uint32_t family)
{
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = family};
    VkCommandPool pool;
    hazards_must(vkCreateCommandPool(program->device, &info, NULL, &pool), "vkCreateCommandPool");
    return pool;
}

static void create_hazard_device(struct program *program, bool timeline)
{
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    const float priorities[2] = {1.0f, 1.0f};
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkPhysicalDeviceVulkan12Features timelines = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .timelineSemaphore = VK_TRUE};
    const VkPhysicalDeviceVulkan13Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .pNext = timeline ? &timelines : NULL,
        .synchronization2 = VK_TRUE};
    vkGetPhysicalDeviceQueueFamilyProperties(program->physical_device, &count, families);
    const uint32_t queues = families[0].queueCount > 1 ? 2 : 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = queues,
                                           .pQueuePriorities = priorities};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    hazards_must(vkCreateDevice(program->physical_device, &info, NULL, &program->device),
                 "vkCreateDevice");
    vkGetDeviceQueue(program->device, 0, 0, &program->graphics);
    vkGetDeviceQueue(program->device, 0, queues - 1, &program->transfer);
    NAME(QUEUE, program->graphics, "graphics");
    if (program->transfer != program->graphics)
        NAME(QUEUE, program->transfer, "transfer");
    program->pools[0] = create_pool(program, 0);
    program->pools[1] = create_pool(program, 0);
    hazards_must(vkCreateSemaphore(program->device, &semaphore, NULL, &program->uploaded),
                 "vkCreateSemaphore");
    NAME(SEMAPHORE, program->uploaded, "uploaded");
    if (!timeline)
        return;
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo values = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                          .pNext = &type};
    hazards_must(vkCreateSemaphore(program->device, &values, NULL, &program->frame),
                 "vkCreateSemaphore");
    NAME(SEMAPHORE, program->frame, "frame");
}

#define BUFFER_SIZE 4096u

static VkBuffer create_hazard_buffer(const struct program *program, uint32_t place,
                                     const char *text)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = BUFFER_SIZE,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements requirements;
    VkBuffer buffer;
    hazards_must(vkCreateBuffer(program->device, &info, NULL, &buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(program->device, buffer, &requirements);
    hazards_must(vkBindBufferMemory(program->device, buffer, program->memory,
                                    (VkDeviceSize)place * 65536),
                 "vkBindBufferMemory");
    NAME(BUFFER, buffer, text);
    return buffer;
}

static void create_image(struct program *program)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_R8G8B8A8_UNORM,
                                    .extent = {64, 64, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements requirements;
    hazards_must(vkCreateImage(program->device, &info, NULL, &program->shadows), "vkCreateImage");
    vkGetImageMemoryRequirements(program->device, program->shadows, &requirements);
    hazards_must(vkBindImageMemory(program->device, program->shadows, program->memory, 8 * 65536),
                 "vkBindImageMemory");
    NAME(IMAGE, program->shadows, "shadow map");
}

static void create_resources(struct program *program, const char *const names[4])
{
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = 16 * 65536};
    hazards_must(vkAllocateMemory(program->device, &info, NULL, &program->memory),
                 "vkAllocateMemory");
    NAME(DEVICE_MEMORY, program->memory, "everything");
    program->vertices = create_hazard_buffer(program, 0, names[0]);
    program->indices = create_hazard_buffer(program, 1, names[1]);
    program->staging = create_hazard_buffer(program, 2, names[2]);
    program->readback = create_hazard_buffer(program, 3, names[3]);
    create_image(program);
}

static VkCommandBuffer begin_named_commands(const struct program *program, uint32_t pool,
                                            const char *text)
{
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = program->pools[pool],
                                              .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin_info = {.sType =
                                                     VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer commands;
    hazards_must(vkAllocateCommandBuffers(program->device, &info, &commands),
                 "vkAllocateCommandBuffers");
    hazards_must(vkBeginCommandBuffer(commands, &begin_info), "vkBeginCommandBuffer");
    NAME(COMMAND_BUFFER, commands, text);
    return commands;
}

static void copy_bytes(VkCommandBuffer commands, VkBuffer from, VkBuffer to)
{
    const VkBufferCopy region = {.size = 256};
    vkCmdCopyBuffer(commands, from, to, 1, &region);
}

static void memory_barrier(VkCommandBuffer commands, VkPipelineStageFlags2 src_stages,
                           VkAccessFlags2 src_accesses, VkPipelineStageFlags2 dst_stages,
                           VkAccessFlags2 dst_accesses)
{
    const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                      .srcStageMask = src_stages,
                                      .srcAccessMask = src_accesses,
                                      .dstStageMask = dst_stages,
                                      .dstAccessMask = dst_accesses};
    const VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                         .memoryBarrierCount = 1,
                                         .pMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(commands, &dependency);
}

static void submit_named_commands(VkQueue queue, VkCommandBuffer commands, VkSemaphore wait,
                                  VkSemaphore signal)
{
    const VkCommandBufferSubmitInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                              .commandBuffer = commands};
    const VkSemaphoreSubmitInfo waits = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                         .semaphore = wait,
                                         .stageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT};
    const VkSemaphoreSubmitInfo signals = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                           .semaphore = signal,
                                           .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    const VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                .waitSemaphoreInfoCount = wait != VK_NULL_HANDLE,
                                .pWaitSemaphoreInfos = &waits,
                                .commandBufferInfoCount = 1,
                                .pCommandBufferInfos = &buffer,
                                .signalSemaphoreInfoCount = signal != VK_NULL_HANDLE,
                                .pSignalSemaphoreInfos = &signals};
    hazards_must(vkQueueSubmit2(queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit2");
}

/* Mistake: nothing between the upload and what reads it. */
static void upload_without_barrier(struct program *program)
{
    VkCommandBuffer commands = begin_named_commands(program, 0, "frame");
    label_commands(program, commands, "upload");
    vkCmdFillBuffer(commands, program->vertices, 0, 256, 1);
    copy_bytes(commands, program->vertices, program->readback);
    program->end_label(commands);
    hazards_must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    submit_named_commands(program->graphics, commands, VK_NULL_HANDLE, VK_NULL_HANDLE);
    hazards_must(vkDeviceWaitIdle(program->device), "vkDeviceWaitIdle");
}

/* Mistake: two barriers, one for another stage, one that makes nothing visible to copies. */
static void barriers_that_miss(struct program *program)
{
    VkCommandBuffer commands = begin_named_commands(program, 0, "frame");
    label_commands(program, commands, "shadow pass");
    vkCmdFillBuffer(commands, program->indices, 0, 256, 2);
    memory_barrier(commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                   VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, VK_PIPELINE_STAGE_2_COPY_BIT,
                   VK_ACCESS_2_TRANSFER_READ_BIT);
    memory_barrier(commands, VK_PIPELINE_STAGE_2_CLEAR_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                   VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_READ_BIT);
    copy_bytes(commands, program->indices, program->readback);
    program->end_label(commands);
    hazards_must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    submit_named_commands(program->graphics, commands, VK_NULL_HANDLE, VK_NULL_HANDLE);
    hazards_must(vkDeviceWaitIdle(program->device), "vkDeviceWaitIdle");
}

/* Mistake: the image is cleared twice, and nothing orders the second after the first. */
static void clear_twice(struct program *program)
{
    const VkClearColorValue color = {.float32 = {1.0f, 0.0f, 0.0f, 1.0f}};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkCommandBuffer commands = begin_named_commands(program, 0, "frame");
    const VkImageMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                           .dstStageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT,
                                           .dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                           .newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                           .image = program->shadows,
                                           .subresourceRange = range};
    const VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                         .imageMemoryBarrierCount = 1,
                                         .pImageMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(commands, &dependency);
    vkCmdClearColorImage(commands, program->shadows, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color,
                         1, &range);
    vkCmdClearColorImage(commands, program->shadows, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color,
                         1, &range);
    hazards_must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    submit_named_commands(program->graphics, commands, VK_NULL_HANDLE, VK_NULL_HANDLE);
    hazards_must(vkDeviceWaitIdle(program->device), "vkDeviceWaitIdle");
}

/* Mistake: the semaphore is waited for before clears only, and the second copy from the other queue
 * waits for none. */
static void queues_that_race(struct program *program)
{
    VkCommandBuffer upload = begin_named_commands(program, 1, "upload"),
                    draw = begin_named_commands(program, 0, "draw"),
                    again = begin_named_commands(program, 0, "draw again");
    vkCmdFillBuffer(upload, program->staging, 0, 256, 3);
    hazards_must(vkEndCommandBuffer(upload), "vkEndCommandBuffer");
    copy_bytes(draw, program->staging, program->readback);
    hazards_must(vkEndCommandBuffer(draw), "vkEndCommandBuffer");
    vkCmdFillBuffer(again, program->staging, 0, 64, 4);
    hazards_must(vkEndCommandBuffer(again), "vkEndCommandBuffer");
    submit_named_commands(program->transfer, upload, VK_NULL_HANDLE, program->uploaded);
    submit_named_commands(program->graphics, draw, program->uploaded, VK_NULL_HANDLE);
    submit_named_commands(program->graphics, again, VK_NULL_HANDLE, VK_NULL_HANDLE);
    hazards_must(vkDeviceWaitIdle(program->device), "vkDeviceWaitIdle");
}

/* --- pictures --- */

static void record_buffer_barrier(VkCommandBuffer commands, VkBuffer buffer,
                                  VkPipelineStageFlags2 src, VkAccessFlags2 from,
                                  VkPipelineStageFlags2 dst, VkAccessFlags2 to)
{
    const VkBufferMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                            .srcStageMask = src,
                                            .srcAccessMask = from,
                                            .dstStageMask = dst,
                                            .dstAccessMask = to,
                                            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                            .buffer = buffer,
                                            .size = VK_WHOLE_SIZE};
    const VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                         .bufferMemoryBarrierCount = 1,
                                         .pBufferMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(commands, &dependency);
}

/* Barriers from copies to compute shaders, of several buffers, in one command. */
static void buffer_barriers(VkCommandBuffer commands, uint32_t count, const VkBuffer *buffers)
{
    VkBufferMemoryBarrier2 barriers[4];
    for (uint32_t i = 0; i < count; i++)
        barriers[i] =
            (VkBufferMemoryBarrier2){.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                     .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                     .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                     .dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                     .dstAccessMask = VK_ACCESS_2_SHADER_STORAGE_READ_BIT,
                                     .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .buffer = buffers[i],
                                     .size = VK_WHOLE_SIZE};
    const VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                         .bufferMemoryBarrierCount = count,
                                         .pBufferMemoryBarriers = barriers};
    vkCmdPipelineBarrier2(commands, &dependency);
}

/* Mistake: the first command's barriers are for other buffers, those of the second one for compute
 * shaders. */
static void barriers_of_several_buffers(struct program *program)
{
    const VkBuffer others[] = {program->indices, program->vertices};
    const VkBuffer three[] = {program->indices, program->readback, program->staging};
    VkCommandBuffer commands = begin_named_commands(program, 0, "stream");
    copy_bytes(commands, program->vertices, program->staging);
    buffer_barriers(commands, 2, others);
    buffer_barriers(commands, 3, three);
    copy_bytes(commands, program->staging, program->readback);
    hazards_must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    submit_named_commands(program->graphics, commands, VK_NULL_HANDLE, VK_NULL_HANDLE);
    hazards_must(vkDeviceWaitIdle(program->device), "vkDeviceWaitIdle");
}

/* Mistake: five barriers, of which none is what is needed; some are for other buffers. */
static void many_barriers_that_miss(struct program *program)
{
    VkCommandBuffer commands = begin_named_commands(program, 0, "frame");
    vkCmdFillBuffer(commands, program->vertices, 0, 256, 1);
    record_buffer_barrier(commands, program->vertices, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                          VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, VK_PIPELINE_STAGE_2_COPY_BIT,
                          VK_ACCESS_2_TRANSFER_READ_BIT);
    record_buffer_barrier(commands, program->indices, VK_PIPELINE_STAGE_2_CLEAR_BIT,
                          VK_ACCESS_2_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT,
                          VK_ACCESS_2_INDEX_READ_BIT);
    memory_barrier(commands, VK_PIPELINE_STAGE_2_BLIT_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                   VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT);
    record_buffer_barrier(commands, program->vertices, VK_PIPELINE_STAGE_2_CLEAR_BIT,
                          VK_ACCESS_2_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT,
                          VK_ACCESS_2_SHADER_STORAGE_READ_BIT);
    record_buffer_barrier(commands, program->vertices, VK_PIPELINE_STAGE_2_CLEAR_BIT, 0,
                          VK_PIPELINE_STAGE_2_BLIT_BIT, 0);
    copy_bytes(commands, program->vertices, program->readback);
    hazards_must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    submit_named_commands(program->graphics, commands, VK_NULL_HANDLE, VK_NULL_HANDLE);
    hazards_must(vkDeviceWaitIdle(program->device), "vkDeviceWaitIdle");
}

/* With values of the timeline semaphore; 0: none. */
static void submit_frame(const struct program *program, VkQueue queue, VkCommandBuffer commands,
                         uint64_t wait, uint64_t signal)
{
    const VkCommandBufferSubmitInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                              .commandBuffer = commands};
    VkSemaphoreSubmitInfo semaphores[2];
    for (int i = 0; i < 2; i++)
        semaphores[i] = (VkSemaphoreSubmitInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                                .semaphore = program->frame,
                                                .value = i ? signal : wait,
                                                .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    const VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                .waitSemaphoreInfoCount = wait != 0,
                                .pWaitSemaphoreInfos = &semaphores[0],
                                .commandBufferInfoCount = commands != VK_NULL_HANDLE,
                                .pCommandBufferInfos = &buffer,
                                .signalSemaphoreInfoCount = signal != 0,
                                .pSignalSemaphoreInfos = &semaphores[1]};
    hazards_must(vkQueueSubmit2(queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit2");
}

/* Mistake: what is drawn waits for the first upload only, but needs what the third one writes. */
static void waits_for_too_little(struct program *program)
{
    const VkBufferCopy after = {.dstOffset = 1024, .size = 256};
    const VkBuffer uploads[3] = {program->staging, program->indices, program->vertices};
    VkCommandBuffer draw = begin_named_commands(program, 0, "draw");
    copy_bytes(draw, program->staging, program->readback);
    vkCmdCopyBuffer(draw, program->vertices, program->readback, 1, &after);
    hazards_must(vkEndCommandBuffer(draw), "vkEndCommandBuffer");
    for (uint64_t i = 0; i < 3; i++) {
        VkCommandBuffer upload = begin_named_commands(program, 1, "upload");
        vkCmdFillBuffer(upload, uploads[i], 0, 256, 1);
        hazards_must(vkEndCommandBuffer(upload), "vkEndCommandBuffer");
        submit_frame(program, program->transfer, upload, 0, i + 1);
    }
    submit_frame(program, program->graphics, draw, 1, 0);
    hazards_must(vkDeviceWaitIdle(program->device), "vkDeviceWaitIdle");
}

static void host_signals(const struct program *program, uint64_t value)
{
    const VkSemaphoreSignalInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                        .semaphore = program->frame,
                                        .value = value};
    hazards_must(vkSignalSemaphore(program->device, &info), "vkSignalSemaphore");
}

/* Mistake: what is drawn waits for 5, which the host signals, and then for 7. An earlier
 * submission's signal of 9 is enough for that: nothing waits for the upload. */
static void waits_for_the_host(struct program *program)
{
    VkCommandBuffer upload = begin_named_commands(program, 1, "upload"),
                    draw = begin_named_commands(program, 0, "draw"),
                    empty = begin_named_commands(program, 1, "empty");
    vkCmdFillBuffer(upload, program->indices, 0, 256, 1);
    hazards_must(vkEndCommandBuffer(upload), "vkEndCommandBuffer");
    hazards_must(vkEndCommandBuffer(empty), "vkEndCommandBuffer");
    copy_bytes(draw, program->indices, program->readback);
    hazards_must(vkEndCommandBuffer(draw), "vkEndCommandBuffer");
    host_signals(program, 5);
    submit_frame(program, program->transfer, empty, 0, 9);
    submit_named_commands(program->transfer, upload, VK_NULL_HANDLE, VK_NULL_HANDLE);
    submit_frame(program, program->graphics, VK_NULL_HANDLE, 5, 0);
    submit_frame(program, program->graphics, draw, 7, 0);
    hazards_must(vkDeviceWaitIdle(program->device), "vkDeviceWaitIdle");
}

/* --- race --- */

/* Two threads and a command pool. While the loader is in a call that allocates memory for the pool,
 * the renderer makes another call with it. */
struct meeting {
    struct program *program;
    VkCommandPool pool;
    atomic_bool armed;  /* the next allocation is the one */
    sem_t inside, done; /* the loader is in its call; the renderer has made its own */
};

static void *allocate_and_meet(void *user, size_t size, size_t alignment,
                               VkSystemAllocationScope scope)
{
    struct meeting *meeting = user;
    (void)scope;
    if (atomic_exchange(&meeting->armed, false)) {
        sem_post(&meeting->inside);
        sem_wait(&meeting->done);
    }
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

/* Takes memory that malloc() gives, which is aligned for everything that a pool holds. */
static void *reallocate_memory(void *user, void *original, size_t size, size_t alignment,
                               VkSystemAllocationScope scope)
{
    (void)user, (void)alignment, (void)scope;
    return realloc(original, size);
}

static void release_memory(void *user, void *memory)
{
    (void)user;
    free(memory);
}

__attribute__((noinline)) static void record_upload(struct meeting *meeting)
{
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = meeting->pool,
                                              .commandBufferCount = 1};
    VkCommandBuffer commands;
    atomic_store(&meeting->armed, true);
    hazards_must(vkAllocateCommandBuffers(meeting->program->device, &info, &commands),
                 "vkAllocateCommandBuffers");
    if (atomic_exchange(&meeting->armed, false)) /* the driver needed no memory: they do not meet */
        sem_post(&meeting->inside);
}

static void *stream_level(void *user)
{
    pthread_setname_np(pthread_self(), "loader");
    record_upload(user);
    return NULL;
}

__attribute__((noinline)) static void begin_frame(struct meeting *meeting)
{
    hazards_must(vkResetCommandPool(meeting->program->device, meeting->pool, 0),
                 "vkResetCommandPool");
    sem_post(&meeting->done);
}

static void *render_in_thread(void *user)
{
    struct meeting *meeting = user;
    pthread_setname_np(pthread_self(), "render");
    sem_wait(&meeting->inside);
    begin_frame(meeting);
    return NULL;
}

/* Mistake: both threads use the pool, without a lock. */
static void two_threads_in_a_pool(struct program *program)
{
    struct meeting meeting = {.program = program};
    const VkAllocationCallbacks callbacks = {.pUserData = &meeting,
                                             .pfnAllocation = allocate_and_meet,
                                             .pfnReallocation = reallocate_memory,
                                             .pfnFree = release_memory};
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pthread_t loader = 0, renderer = 0;
    sem_init(&meeting.inside, 0, 0);
    sem_init(&meeting.done, 0, 0);
    hazards_must(vkCreateCommandPool(program->device, &info, &callbacks, &meeting.pool),
                 "vkCreateCommandPool");
    NAME(COMMAND_POOL, meeting.pool, "uploads of this frame");
    if (pthread_create(&loader, NULL, stream_level, &meeting) ||
        pthread_create(&renderer, NULL, render_in_thread, &meeting))
        hazards_must(VK_ERROR_OUT_OF_HOST_MEMORY, "pthread_create");
    pthread_join(loader, NULL);
    pthread_join(renderer, NULL);
    vkDestroyCommandPool(program->device, meeting.pool, &callbacks);
}

int main(int argc, char **argv)
{
    struct program ours = {0}, *program = &ours;
    bool pictures = argc > 1 && !strcmp(argv[1], "pictures"),
         race = argc > 1 && !strcmp(argv[1], "race");
    static const char *const names[2][4] = {{"vertices", "indices", "staging", "readback"},
                                            {"meshes", "lines", "ring", "screenshot"}};
    create_hazard_instance(program);
    create_hazard_device(program, pictures);
    create_resources(program, names[pictures]);
    if (pictures) {
        many_barriers_that_miss(program);
        barriers_of_several_buffers(program);
        waits_for_too_little(program);
        waits_for_the_host(program);
    } else if (race) {
        two_threads_in_a_pool(program);
    } else {
        upload_without_barrier(program);
        barriers_that_miss(program);
        clear_twice(program);
        queues_that_race(program);
    }
    vkDestroySemaphore(program->device, program->frame, NULL);
    vkDestroySemaphore(program->device, program->uploaded, NULL);
    vkDestroyImage(program->device, program->shadows, NULL);
    VkBuffer buffers[] = {program->vertices, program->indices, program->staging, program->readback};
    for (int i = 0; i < 4; i++)
        vkDestroyBuffer(program->device, buffers[i], NULL);
    vkFreeMemory(program->device, program->memory, NULL);
    for (int i = 0; i < 2; i++)
        vkDestroyCommandPool(program->device, program->pools[i], NULL);
    vkDestroyDevice(program->device, NULL);
    vkDestroyInstance(program->instance, NULL);
    return 0;
}
