/* Submissions of every shape. Batches wait for each other in one call or over several, on several
 * queues. Binary semaphores and fences are used again, and command buffers are submitted again once
 * they may be. */
#include "valid.h"

#define SEMAPHORES 5
#define BUFFERS    4
#define FENCES     3

struct binary {
    VkSemaphore handle;
    bool signaled; /* or will be, by what has been submitted */
    /* the queue that waited last: another signal must come after that; NULL: none that is not done
     */
    const struct queue *waiter;
};

struct unit {
    VkCommandBuffer handle;
    const struct queue *queue;
    bool simultaneous, once, pending, spent;
};

struct submissions {
    struct binary semaphores[SEMAPHORES];
    struct unit units[BUFFERS];
    VkFence fences[FENCES];
    bool fence_busy[FENCES];
};

static void make_unit(struct world *w, struct unit *unit)
{
    unit->queue = &w->queues[below(w, w->queue_count)];
    unit->simultaneous = chance(w, 30);
    unit->once = !unit->simultaneous && chance(w, 20);
    unit->handle = make_command_buffer(w, unit->queue, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = unit->simultaneous ? VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT
                 : unit->once       ? VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT
                                    : 0,
        .pInheritanceInfo = IGNORED};
    struct buffer *from = make_buffer(w, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, false),
                  *to = make_buffer(w, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT, false);
    VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                           .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                           .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    VkBufferCopy region = {.size = 64};
    bool copies =
        unit->queue->flags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT);
    MUST(BeginCommandBuffer, unit->handle, &begin);
    if (copies && chance(w, 80)) {
        CALL(CmdPipelineBarrier, unit->handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, IGNORED, 0, IGNORED);
        CALL(CmdCopyBuffer, unit->handle, from->handle, to->handle, 1, &region);
    }
    MUST(EndCommandBuffer, unit->handle);
}

static void all_done(struct world *w, struct submissions *s)
{
    wait_for_all(w);
    for (unsigned i = 0; i < SEMAPHORES; i++)
        s->semaphores[i].waiter = NULL;
    for (unsigned i = 0; i < BUFFERS; i++)
        s->units[i].pending = false;
    for (unsigned i = 0; i < FENCES; i++) {
        if (s->fence_busy[i] && chance(w, 50))
            MUST(WaitForFences, w->device, 1, &s->fences[i], VK_TRUE, PICK(0, 1000));
        if (s->fence_busy[i])
            MUST(ResetFences, w->device, 1, &s->fences[i]);
        s->fence_busy[i] = false;
    }
}

static void fill_batch(struct world *w, struct submissions *s, const struct queue *queue,
                       struct batch *batch)
{
    VkCommandBuffer *buffers = NEW_ARRAY(VkCommandBuffer, BUFFERS);
    *batch = (struct batch){.buffers = buffers};
    uint32_t start = below(w, SEMAPHORES);
    for (uint32_t i = 0; i < SEMAPHORES; i++) {
        struct binary *one = &s->semaphores[(start + i) % SEMAPHORES];
        if (one->signaled && batch->wait_count < 2 && chance(w, 50)) {
            batch->waits[batch->wait_count++] = one->handle;
            one->signaled = false;
            one->waiter = queue;
        } else if (!one->signaled && (!one->waiter || one->waiter == queue) &&
                   batch->signal_count < 2 && chance(w, 30)) {
            bool waited_here = false;
            for (uint32_t j = 0; j < batch->wait_count; j++)
                waited_here |= batch->waits[j] == one->handle;
            if (waited_here && chance(w, 50))
                continue;
            batch->signals[batch->signal_count++] = one->handle;
            one->signaled = true;
        }
    }
    for (uint32_t i = 0; i < BUFFERS; i++) {
        struct unit *unit = &s->units[i];
        if (unit->queue != queue || unit->spent || (unit->pending && !unit->simultaneous) ||
            chance(w, 50))
            continue;
        buffers[batch->count++] = unit->handle;
        unit->pending = true;
        unit->spent = unit->once;
    }
}

void step_submissions(struct world *w)
{
    struct submissions *s = NEW(struct submissions, {{VK_NULL_HANDLE}});
    for (unsigned i = 0; i < SEMAPHORES; i++)
        s->semaphores[i].handle = make_semaphore(w, false);
    for (unsigned i = 0; i < BUFFERS; i++)
        make_unit(w, &s->units[i]);
    for (unsigned i = 0; i < FENCES; i++) {
        VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        MUST(CreateFence, w->device, &info, NULL, &s->fences[i]);
        OWN(Fence, s->fences[i]);
    }
    for (uint32_t i = between(w, 1, 8); i > 0; i--) {
        const struct queue *queue = &w->queues[below(w, w->queue_count)];
        struct batch batches[3];
        uint32_t count = between(w, 0, 3), fence = below(w, FENCES);
        for (uint32_t j = 0; j < count; j++)
            fill_batch(w, s, queue, &batches[j]);
        bool fenced = !s->fence_busy[fence] && chance(w, 50);
        submit_batches(w, queue->handle, count, batches,
                       fenced ? s->fences[fence] : VK_NULL_HANDLE);
        s->fence_busy[fence] |= fenced;
        w->idle = false;
        if (chance(w, 20))
            all_done(w, s);
    }
    all_done(w, s);
}
