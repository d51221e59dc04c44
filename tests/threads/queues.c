/* Checks that synchronization validation finds the same, whether one thread or several submit. Each
 * has a queue of its own, and does the same rounds, some of them with a mistake. What the queues do
 * has nothing to do with each other, and lies side by side in one memory object. So the layer looks
 * at them side by side (src/sync/queue/queue_group.c), but in rounds that it cannot. */
#include "program.h"

#define BYTES  256
#define FLIGHT 2
#define TURNS  40 /* of all kinds of rounds */

enum round {
    ROUND_ALONE,        /* a submission is waited for */
    ROUND_FLIGHT,       /* two are under way */
    ROUND_UNORDERED,    /* the same without a barrier: a mistake */
    ROUND_CHAIN,        /* the second one waits for the first one's semaphore */
    ROUND_TIMELINE,     /* the same with a timeline semaphore */
    ROUND_LATE,         /* what is written comes before the wait: a mistake */
    ROUND_EVENT,        /* with an event, which the layer does not look at side by side */
    ROUND_EVENT_FLIGHT, /* likewise, and two that nothing orders: a mistake */
    ROUND_COUNT
};
#define MISTAKES 3

struct part {
    VkQueue queue;
    VkBuffer buffer;
    VkCommandPool pool;
    VkCommandBuffer commands[FLIGHT];
    VkSemaphore semaphore, timeline;
    VkEvent event;
    VkFence fence;
    uint64_t value; /* of `timeline` */
};

struct shared {
    VkDeviceMemory memory;
    struct part parts[THREADS_MOST];
};

static void make_parts(struct program *program, struct shared *shared)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = BYTES,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    const VkSemaphoreCreateInfo binary = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const VkEventCreateInfo event = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkMemoryRequirements requirements;
    VkDeviceSize place = 0;
    for (uint32_t i = 0; i < program->queue_count; i++) {
        struct part *part = &shared->parts[i];
        vkGetDeviceQueue(program->device, 0, i, &part->queue);
        VK(vkCreateBuffer(program->device, &info, NULL, &part->buffer));
        VK(vkCreateSemaphore(program->device, &binary, NULL, &part->semaphore));
        VK(vkCreateEvent(program->device, &event, NULL, &part->event));
        part->timeline = make_timeline(program);
        part->fence = make_fence(program);
        part->pool = make_command_pool(program);
        for (uint32_t k = 0; k < FLIGHT; k++)
            part->commands[k] = make_command_buffer(program, part->pool);
    }
    vkGetBufferMemoryRequirements(program->device, shared->parts[0].buffer, &requirements);
    const VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = (requirements.size + requirements.alignment) * program->queue_count,
        .memoryTypeIndex = (uint32_t)__builtin_ctz(requirements.memoryTypeBits)};
    VK(vkAllocateMemory(program->device, &allocate, NULL, &shared->memory));
    for (uint32_t i = 0; i < program->queue_count; i++) {
        VK(vkBindBufferMemory(program->device, shared->parts[i].buffer, shared->memory, place));
        place +=
            requirements.size + requirements.alignment - requirements.size % requirements.alignment;
    }
}

static void destroy_parts(struct program *program, struct shared *shared)
{
    for (uint32_t i = 0; i < program->queue_count; i++) {
        struct part *part = &shared->parts[i];
        vkDestroyFence(program->device, part->fence, NULL);
        vkDestroySemaphore(program->device, part->timeline, NULL);
        vkDestroySemaphore(program->device, part->semaphore, NULL);
        vkDestroyEvent(program->device, part->event, NULL);
        vkDestroyCommandPool(program->device, part->pool, NULL);
        vkDestroyBuffer(program->device, part->buffer, NULL);
    }
    vkFreeMemory(program->device, shared->memory, NULL);
}

static void record_queue_part(const struct part *part, VkCommandBuffer commands, bool orders,
                              bool sets)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT};
    begin_commands(commands);
    if (orders)
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                             VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    vkCmdFillBuffer(commands, part->buffer, 0, VK_WHOLE_SIZE, 0);
    if (sets)
        vkCmdSetEvent(commands, part->event, VK_PIPELINE_STAGE_TRANSFER_BIT);
    VK(vkEndCommandBuffer(commands));
}

/* `semaphore`: what the batch waits for, or signals; VK_NULL_HANDLE: nothing. */
static void submit_queue_part(const struct part *part, VkCommandBuffer commands,
                              VkSemaphore semaphore, bool waits, VkFence fence)
{
    static const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = semaphore && waits,
        .pWaitSemaphoreValues = &part->value,
        .signalSemaphoreValueCount = semaphore && !waits,
        .pSignalSemaphoreValues = &part->value};
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = semaphore == part->timeline ? &values : NULL,
                               .waitSemaphoreCount = semaphore && waits,
                               .pWaitSemaphores = &semaphore,
                               .pWaitDstStageMask = &stage,
                               .commandBufferCount = commands != VK_NULL_HANDLE,
                               .pCommandBuffers = &commands,
                               .signalSemaphoreCount = semaphore && !waits,
                               .pSignalSemaphores = &semaphore};
    VK(vkQueueSubmit(part->queue, 1, &info, fence));
}

static void do_round(struct program *program, struct part *part, enum round round)
{
    const bool sets = round >= ROUND_EVENT;
    const bool orders = round == ROUND_FLIGHT || round == ROUND_EVENT;
    const VkSemaphore semaphore = round == ROUND_CHAIN                             ? part->semaphore
                                  : round == ROUND_TIMELINE || round == ROUND_LATE ? part->timeline
                                                                                   : VK_NULL_HANDLE;
    part->value += semaphore == part->timeline;
    for (uint32_t i = 0; i < FLIGHT; i++)
        record_queue_part(part, part->commands[i], orders, sets);
    if (round == ROUND_ALONE) {
        submit_queue_part(part, part->commands[0], VK_NULL_HANDLE, false, part->fence);
    } else {
        submit_queue_part(part, part->commands[0], semaphore, false, VK_NULL_HANDLE);
        if (round == ROUND_LATE) { /* the wait is another batch's */
            submit_queue_part(part, part->commands[1], VK_NULL_HANDLE, false, VK_NULL_HANDLE);
            submit_queue_part(part, VK_NULL_HANDLE, semaphore, true, part->fence);
        } else {
            submit_queue_part(part, part->commands[1], semaphore, true, part->fence);
        }
    }
    VK(vkWaitForFences(program->device, 1, &part->fence, VK_TRUE, UINT64_MAX));
    VK(vkResetFences(program->device, 1, &part->fence));
}

static void do_part(struct program *program, struct part *part)
{
    for (unsigned turn = 0; turn < TURNS; turn++) {
        for (int round = 0; round < ROUND_COUNT; round++)
            do_round(program, part, (enum round)round);
    }
}

static void work_on_queue(struct worker *worker)
{
    struct shared *shared = worker->shared;
    do_part(worker->program, &shared->parts[worker->index]);
}

/* How many hazards there were; others end the process. */
static unsigned hazards_of(struct program *program)
{
    const unsigned count = atomic_load(&program->findings.count);
    for (unsigned i = 0; i < program->findings.kept; i++) {
        if (!strcmp(program->findings.ids[i], "SYNC-HAZARD-WRITE-AFTER-WRITE"))
            continue;
        fprintf(stderr, "%s\n", program->findings.texts[i]);
        fail(__FILE__, __LINE__, "not the mistake", i);
    }
    findings_forget(&program->findings);
    return count;
}

/* One command buffer on two queues, and twice more on the first one: each submission writes what
 * the one before it does, and the layer plays it on both queues. Gives how many hazards there were.
 */
static unsigned share_commands(struct program *program, const struct part *first,
                               const struct part *second)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT};
    VK(vkBeginCommandBuffer(first->commands[0], &begin));
    vkCmdFillBuffer(first->commands[0], first->buffer, 0, VK_WHOLE_SIZE, 0);
    VK(vkEndCommandBuffer(first->commands[0]));
    const struct part *const order[] = {first, second, first, first};
    for (unsigned i = 0; i < sizeof(order) / sizeof(order[0]); i++)
        submit_queue_part(order[i], first->commands[0], VK_NULL_HANDLE, false, VK_NULL_HANDLE);
    VK(vkDeviceWaitIdle(program->device));
    const unsigned count = atomic_load(&program->findings.count);
    findings_forget(&program->findings);
    return count;
}

int main(void)
{
    struct program program;
    struct shared shared = {0};
    queues_wanted = QUEUES_MOST;
    program_create(&program);
    require_layer(&program);
    make_parts(&program, &shared);
    for (uint32_t i = 0; i < program.queue_count; i++)
        do_part(&program, &shared.parts[i]);
    const unsigned one_thread = hazards_of(&program);
    run_threads(&program, program.queue_count, 1, work_on_queue, &shared);
    const unsigned threads = hazards_of(&program);
    const unsigned together =
        program.queue_count > 1 ? share_commands(&program, &shared.parts[0], &shared.parts[1]) : 3;
    destroy_parts(&program, &shared);
    program_destroy(&program);
    const unsigned expected = program.queue_count * TURNS * MISTAKES;
    printf("%u queues: %u hazards with one thread, %u with one each, %u of what two share\n",
           program.queue_count, one_thread, threads, together);
    ENSURE(one_thread == expected && threads == expected && together == 3);
    return findings_are_none(&program.findings, "queues") ? EXIT_SUCCESS : EXIT_FAILURE;
}
