/* Checks that threads do not disturb synchronization validation. They submit to queues of their own
 * at the same time, and wait for each other's semaphores, also before these are signaled. A correct
 * program: nothing may be said of it. */
#include "program.h"

#define BYTES  256
#define FLIGHT 2
#define END    (1u << 30) /* a value beyond all that is signaled */

struct shared {
    VkSemaphore timeline;
    VkBuffer source; /* which everybody reads */
    VkDeviceMemory memory;
};

static VkBuffer make_bound(struct program *program, VkDeviceMemory *memory)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = BYTES,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkBuffer buffer;
    VkMemoryRequirements requirements;
    VK(vkCreateBuffer(program->device, &info, NULL, &buffer));
    vkGetBufferMemoryRequirements(program->device, buffer, &requirements);
    const VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = requirements.size,
        .memoryTypeIndex = (uint32_t)__builtin_ctz(requirements.memoryTypeBits)};
    VK(vkAllocateMemory(program->device, &allocate, NULL, memory));
    VK(vkBindBufferMemory(program->device, buffer, *memory, 0));
    return buffer;
}

static void record_ordered(VkCommandBuffer commands, VkBuffer from, VkBuffer to)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT};
    const VkBufferCopy region = {.size = BYTES};
    begin_commands(commands);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 1, &barrier, 0, NULL, 0, NULL);
    vkCmdCopyBuffer(commands, from, to, 1, &region);
    VK(vkEndCommandBuffer(commands));
}

/* The first thread signals a value a round; the others wait for as many, mostly before they are
 * signaled. */
static void submit_counted(struct worker *worker, VkQueue queue, VkCommandBuffer commands,
                           VkFence fence, uint64_t round)
{
    const struct shared *shared = worker->shared;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const uint32_t signals = worker->index == 0, waits = !signals;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = waits,
        .pWaitSemaphoreValues = &round,
        .signalSemaphoreValueCount = signals,
        .pSignalSemaphoreValues = &round};
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = &values,
                               .waitSemaphoreCount = waits,
                               .pWaitSemaphores = &shared->timeline,
                               .pWaitDstStageMask = &stage,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands,
                               .signalSemaphoreCount = signals,
                               .pSignalSemaphores = &shared->timeline};
    VK(vkQueueSubmit(queue, 1, &info, fence));
}

static void work_on_submits(struct worker *worker)
{
    struct program *program = worker->program;
    struct shared *shared = worker->shared;
    VkDeviceMemory memory;
    VkQueue queue;
    VkBuffer target = make_bound(program, &memory);
    VkCommandPool pool = make_command_pool(program);
    VkCommandBuffer commands[FLIGHT];
    VkFence fences[FLIGHT];
    uint64_t round = 0;
    vkGetDeviceQueue(program->device, 0, worker->index, &queue);
    for (uint32_t i = 0; i < FLIGHT; i++) {
        commands[i] = make_command_buffer(program, pool);
        fences[i] = make_fence(program);
    }
    do {
        uint32_t turn = (uint32_t)(round % FLIGHT);
        if (round >= FLIGHT) {
            VK(vkWaitForFences(program->device, 1, &fences[turn], VK_TRUE, UINT64_MAX));
            VK(vkResetFences(program->device, 1, &fences[turn]));
        }
        record_ordered(commands[turn], shared->source, target);
        submit_counted(worker, queue, commands[turn], fences[turn], ++round);
    } while (going());
    if (worker->index == 0) {
        const VkSemaphoreSignalInfo end = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                           .semaphore = shared->timeline,
                                           .value = END};
        VK(vkQueueWaitIdle(queue));
        VK(vkSignalSemaphore(program->device, &end));
    }
    VK(vkQueueWaitIdle(queue));
    for (uint32_t i = 0; i < FLIGHT; i++)
        vkDestroyFence(program->device, fences[i], NULL);
    vkDestroyCommandPool(program->device, pool, NULL);
    vkDestroyBuffer(program->device, target, NULL);
    vkFreeMemory(program->device, memory, NULL);
}

int main(void)
{
    struct program program;
    struct shared shared;
    queues_wanted = QUEUES_MOST;
    program_create(&program);
    require_layer(&program);
    shared.timeline = make_timeline(&program);
    shared.source = make_bound(&program, &shared.memory);
    run_threads(&program, program.queue_count, 1500, work_on_submits, &shared);
    bool silent = findings_are_none(&program.findings, "submits");
    vkDestroySemaphore(program.device, shared.timeline, NULL);
    vkDestroyBuffer(program.device, shared.source, NULL);
    vkFreeMemory(program.device, shared.memory, NULL);
    program_destroy(&program);
    return silent && findings_are_none(&program.findings, "submits") ? EXIT_SUCCESS : EXIT_FAILURE;
}
