/* Submits what a line of text says. */
#include "sync/sync_program.h"

#include <ctype.h>
#include <string.h>

static const VkPhysicalDeviceVulkan13Features features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .synchronization2 = VK_TRUE};
const VkPhysicalDeviceVulkan12Features program_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)&features13,
    .timelineSemaphore = VK_TRUE};

#define SIZE       256
#define PARTS      4
#define BATCHES    4
#define MOST       4 /* of each kind, in a batch */
#define SEMAPHORES 10

struct batch {
    uint32_t wait_count, signal_count, command_buffer_count;
    VkSemaphoreSubmitInfo waits[MOST], signals[MOST];
    VkCommandBuffer command_buffers[MOST];
};

struct program {
    struct baseline *b;
    const char *at;
    bool version2;
    uint32_t families[3];
    VkQueue queues[3];
    uint32_t queue; /* the current one */
    VkBuffer buffer, other, owned;
    VkEvent event;
    VkImage image;
    VkSemaphore binary[SEMAPHORES], timeline;
    VkCommandBuffer commands; /* being recorded; VK_NULL_HANDLE: none */
    VkCommandBuffer primary;  /* while `commands` is a secondary */
    uint32_t batch_count;
    struct batch batches[BATCHES];
};

static void find_queues(struct program *p)
{
    VkPhysicalDevice device = p->b->physical_device;
    p->families[0] = p->b->queue_family;
    p->families[1] = find_queue_family(device, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT);
    p->families[2] = find_queue_family(device, VK_QUEUE_TRANSFER_BIT,
                                       VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT);
    p->queues[0] = p->b->queue;
    for (int i = 1; i < 3 && p->families[i] != UINT32_MAX; i++)
        vkGetDeviceQueue(p->b->device, p->families[i], 0, &p->queues[i]);
}

/* Makes a buffer for all queues at once: which one owns it is another chapter. */
static VkBuffer make_shared_buffer(struct program *p)
{
    VkBufferCreateInfo info =
        buffer_info(SIZE, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    if (p->queues[2]) {
        info.sharingMode = VK_SHARING_MODE_CONCURRENT;
        info.queueFamilyIndexCount = 3;
        info.pQueueFamilyIndices = p->families;
    }
    VkBuffer buffer = create_buffer(p->b, &info);
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(p->b->device, buffer, &requirements);
    VK(vkBindBufferMemory(p->b->device, buffer, make_memory(p->b, requirements.size), 0));
    return buffer;
}

/* --- commands --- */

static void record_copy(const struct program *p, VkBuffer from, VkBuffer to)
{
    VkBufferCopy region = {.size = SIZE};
    vkCmdCopyBuffer(p->commands, from, to, 1, &region);
}

static void record_barrier(const struct program *p, VkPipelineStageFlags stages, VkAccessFlags src,
                           VkAccessFlags dst)
{
    VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = src, .dstAccessMask = dst};
    vkCmdPipelineBarrier(p->commands, stages, stages, 0, src || dst, &barrier, 0, NULL, 0, NULL);
}

static void record_transition(const struct program *p, bool after_nothing)
{
    VkImageMemoryBarrier barrier =
        image_barrier(p->image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcAccessMask = after_nothing ? 0 : VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    vkCmdPipelineBarrier(p->commands,
                         after_nothing ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT
                                       : VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void record_clear(const struct program *p)
{
    VkClearColorValue color = {{0}};
    VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdClearColorImage(p->commands, p->image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
}

/* One half of a transfer of ownership from the transfer queue to the graphics queue, or `back`; the
 * other half's accesses are ignored. */
static void record_handover(const struct program *p, bool release, bool back)
{
    const VkBufferMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
        .srcAccessMask = release ? VK_ACCESS_TRANSFER_WRITE_BIT : 0,
        .dstAccessMask = release ? 0 : VK_ACCESS_TRANSFER_READ_BIT,
        .srcQueueFamilyIndex = p->families[back ? 0 : 2],
        .dstQueueFamilyIndex = p->families[back ? 2 : 0],
        .buffer = p->owned,
        .size = VK_WHOLE_SIZE};
    vkCmdPipelineBarrier(p->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 1, &barrier, 0, NULL);
}

static void record_wait_event(const struct program *p, bool set_by_host)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = set_by_host ? VK_ACCESS_HOST_WRITE_BIT : VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
    vkCmdWaitEvents(p->commands, 1, &p->event,
                    set_by_host ? VK_PIPELINE_STAGE_HOST_BIT : VK_PIPELINE_STAGE_TRANSFER_BIT,
                    VK_PIPELINE_STAGE_TRANSFER_BIT, 1, &barrier, 0, NULL, 0, NULL);
}

static void begin_letters(struct program *p)
{
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .pInheritanceInfo = &inheritance};
    VkCommandPoolCreateInfo pool = command_pool_info(p->families[p->queue]);
    VkCommandBufferAllocateInfo allocate =
        command_buffer_info(create_command_pool(p->b, &pool), VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    p->primary = p->commands;
    VK(vkAllocateCommandBuffers(p->b->device, &allocate, &p->commands));
    VK(vkBeginCommandBuffer(p->commands, &info));
}

static void end_secondary(struct program *p)
{
    VK(vkEndCommandBuffer(p->commands));
    vkCmdExecuteCommands(p->primary, 1, &p->commands);
    p->commands = p->primary;
    p->primary = VK_NULL_HANDLE;
}

static void record_letter(struct program *p, char command)
{
    if (!p->commands)
        p->commands = make_recording_of(p->b, p->families[p->queue]);
    switch (command) {
    case 'w':
        vkCmdFillBuffer(p->commands, p->buffer, 0, VK_WHOLE_SIZE, 0);
        break;
    case 'r':
        record_copy(p, p->buffer, p->other);
        break;
    case 'W':
        record_copy(p, p->other, p->buffer);
        break;
    case 'b':
        record_barrier(p, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
                       VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
        break;
    case 'x':
        record_barrier(p, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0);
        break;
    case 'm':
        record_barrier(p, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
        break;
    case 'u':
    case 'U':
        record_transition(p, command == 'U');
        break;
    case 'k':
        record_clear(p);
        break;
    case 'e':
        vkCmdFillBuffer(p->commands, p->owned, 0, VK_WHOLE_SIZE, 0);
        break;
    case 'q':
        record_copy(p, p->owned, p->other);
        break;
    case 'o':
    case 'a':
        record_handover(p, command == 'o', false);
        break;
    case 'O':
    case 'A':
        record_handover(p, command == 'O', true);
        break;
    case 's':
        vkCmdSetEvent(p->commands, p->event, VK_PIPELINE_STAGE_TRANSFER_BIT);
        break;
    case 'v':
    case 'V':
        record_wait_event(p, command == 'V');
        break;
    case '{':
        begin_letters(p);
        break;
    case '}':
        end_secondary(p);
        break;
    default:
        scenario_abort(__FILE__, __LINE__, "'%c' is no command", command);
    }
}

/* `f2`, `d2`: one of four parts of the buffer. */
static void record_part(struct program *p, char command)
{
    const VkDeviceSize size = SIZE / PARTS, at = (VkDeviceSize)(*p->at++ - '0') * size;
    if (!p->commands)
        p->commands = make_recording_of(p->b, p->families[p->queue]);
    ENSURE(at < SIZE);
    if (command == 'f') {
        vkCmdFillBuffer(p->commands, p->buffer, at, size, 0);
        return;
    }
    const VkBufferCopy region = {.srcOffset = at, .dstOffset = at, .size = size};
    vkCmdCopyBuffer(p->commands, p->buffer, p->other, 1, &region);
}

/* --- batches --- */

static struct batch *current_batch(struct program *p)
{
    return &p->batches[p->batch_count - 1];
}

static void end_command_buffer(struct program *p)
{
    if (!p->commands)
        return;
    struct batch *batch = current_batch(p);
    VK(vkEndCommandBuffer(p->commands));
    ENSURE(batch->command_buffer_count < MOST);
    batch->command_buffers[batch->command_buffer_count++] = p->commands;
    p->commands = VK_NULL_HANDLE;
}

static uint32_t read_number(struct program *p)
{
    uint32_t number = 0;
    for (; isdigit((unsigned char)*p->at); p->at++)
        number = number * 10 + (uint32_t)(*p->at - '0');
    return number;
}

/* An operation on a semaphore: `?1`, `+1`, `~5`, `^5`, with a stage or without. */
static void read_semaphore(struct program *p, char kind)
{
    struct batch *batch = current_batch(p);
    uint32_t number = read_number(p);
    VkSemaphoreSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                  .semaphore = p->timeline,
                                  .value = number,
                                  .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    if (kind == '?' || kind == '+') {
        ENSURE(number < SEMAPHORES);
        if (!p->binary[number])
            p->binary[number] = make_semaphore(p->b);
        info.semaphore = p->binary[number];
        info.value = 0;
    }
    if (*p->at == 'T' || *p->at == 'C')
        info.stageMask = *p->at++ == 'T' ? VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT
                                         : VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    ENSURE(batch->wait_count < MOST && batch->signal_count < MOST);
    if (kind == '?' || kind == '~')
        batch->waits[batch->wait_count++] = info;
    else
        batch->signals[batch->signal_count++] = info;
}

static void submit_program2(const struct program *p, VkFence fence)
{
    VkSubmitInfo2 infos[BATCHES];
    VkCommandBufferSubmitInfo command_buffers[BATCHES][MOST];
    for (uint32_t i = 0; i < p->batch_count; i++) {
        const struct batch *batch = &p->batches[i];
        for (uint32_t k = 0; k < batch->command_buffer_count; k++)
            command_buffers[i][k] =
                (VkCommandBufferSubmitInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                            .commandBuffer = batch->command_buffers[k]};
        infos[i] = (VkSubmitInfo2){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                   .waitSemaphoreInfoCount = batch->wait_count,
                                   .pWaitSemaphoreInfos = batch->waits,
                                   .commandBufferInfoCount = batch->command_buffer_count,
                                   .pCommandBufferInfos = command_buffers[i],
                                   .signalSemaphoreInfoCount = batch->signal_count,
                                   .pSignalSemaphoreInfos = batch->signals};
    }
    VK(vkQueueSubmit2(p->queues[p->queue], p->batch_count, infos, fence));
}

static void submit_program(const struct program *p, VkFence fence)
{
    VkSubmitInfo infos[BATCHES];
    VkTimelineSemaphoreSubmitInfo values[BATCHES];
    VkSemaphore waits[BATCHES][MOST], signals[BATCHES][MOST];
    VkPipelineStageFlags stages[BATCHES][MOST];
    uint64_t wait_values[BATCHES][MOST], signal_values[BATCHES][MOST];
    for (uint32_t i = 0; i < p->batch_count; i++) {
        const struct batch *batch = &p->batches[i];
        for (uint32_t k = 0; k < MOST; k++) {
            waits[i][k] = batch->waits[k].semaphore;
            stages[i][k] = (VkPipelineStageFlags)batch->waits[k].stageMask;
            if (batch->waits[k].stageMask == VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT)
                stages[i][k] = VK_PIPELINE_STAGE_TRANSFER_BIT;
            wait_values[i][k] = batch->waits[k].value;
            signals[i][k] = batch->signals[k].semaphore;
            signal_values[i][k] = batch->signals[k].value;
        }
        values[i] = (VkTimelineSemaphoreSubmitInfo){
            .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
            .waitSemaphoreValueCount = batch->wait_count,
            .pWaitSemaphoreValues = wait_values[i],
            .signalSemaphoreValueCount = batch->signal_count,
            .pSignalSemaphoreValues = signal_values[i]};
        infos[i] = (VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                  .pNext = &values[i],
                                  .waitSemaphoreCount = batch->wait_count,
                                  .pWaitSemaphores = waits[i],
                                  .pWaitDstStageMask = stages[i],
                                  .commandBufferCount = batch->command_buffer_count,
                                  .pCommandBuffers = batch->command_buffers,
                                  .signalSemaphoreCount = batch->signal_count,
                                  .pSignalSemaphores = signals[i]};
    }
    VK(vkQueueSubmit(p->queues[p->queue], p->batch_count, infos, fence));
}

static void read_submit(struct program *p)
{
    p->batch_count = 1;
    p->batches[0] = (struct batch){0};
    for (char at; (at = *p->at++) != ']';) {
        if (at == ' ') {
            continue;
        } else if (strchr("?+~^", at)) {
            read_semaphore(p, at);
        } else if (at == 'f' || at == 'd') {
            record_part(p, at);
        } else if (at == ',') {
            end_command_buffer(p);
        } else if (at == '/') {
            end_command_buffer(p);
            ENSURE(p->batch_count < BATCHES);
            p->batches[p->batch_count++] = (struct batch){0};
        } else {
            record_letter(p, at);
        }
    }
    end_command_buffer(p);
    (p->version2 ? submit_program2 : submit_program)(p, VK_NULL_HANDLE);
}

/* --- the host --- */

static void wait_for_fence(struct program *p)
{
    VkFence fence = make_fence(p->b);
    VK(vkQueueSubmit(p->queues[p->queue], 0, NULL, fence));
    VK(vkWaitForFences(p->b->device, 1, &fence, VK_TRUE, UINT64_MAX));
}

static void signal_timeline(struct program *p)
{
    VkSemaphoreSignalInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                  .semaphore = p->timeline,
                                  .value = read_number(p)};
    VK(vkSignalSemaphore(p->b->device, &info));
}

static void wait_timeline(struct program *p)
{
    uint64_t value = read_number(p);
    VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .semaphoreCount = 1,
                                .pSemaphores = &p->timeline,
                                .pValues = &value};
    VK(vkWaitSemaphores(p->b->device, &info, UINT64_MAX));
}

void run_program(struct baseline *b, const char *program, bool version2)
{
    struct program p = {.b = b, .at = program, .version2 = version2};
    find_queues(&p);
    p.buffer = make_shared_buffer(&p);
    p.other = make_shared_buffer(&p);
    p.owned =
        make_buffer(b, SIZE, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    p.event = make_event(b);
    p.image = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    p.timeline = make_timeline_semaphore(b, 0);
    for (char at; (at = *p.at++);) {
        switch (at) {
        case ' ':
            break;
        case 'g':
            p.queue = 0;
            break;
        case 'c':
            p.queue = 1;
            break;
        case 't':
            p.queue = 2;
            break;
        case '[':
            read_submit(&p);
            break;
        case '!':
            VK(vkQueueWaitIdle(p.queues[p.queue]));
            break;
        case '|':
            VK(vkDeviceWaitIdle(b->device));
            break;
        case 'F':
            wait_for_fence(&p);
            break;
        case 'E':
            VK(vkSetEvent(b->device, p.event));
            break;
        case 'h':
            signal_timeline(&p);
            break;
        case 'H':
            wait_timeline(&p);
            break;
        default:
            scenario_abort(__FILE__, __LINE__, "'%c' is nothing", at);
        }
    }
    VK(vkDeviceWaitIdle(b->device));
}
