/* Submits in the valid mode, and knows when work is over. */
#include "valid.h"

#include <string.h>

/* --- what is over --- */

bool serial_over(const struct valid *v, uint64_t serial)
{
    for (unsigned i = 0; i < v->submission_count; i++) {
        if (v->submissions[i].serial == serial)
            return false;
    }
    return true;
}

static void commands_over(struct valid *v)
{
    for (unsigned i = 0; i < COMMANDS_MOST; i++) {
        struct commands *c = &v->commands[i];
        if (!c->head.alive || c->state != COMMANDS_PENDING || !serial_over(v, c->serial))
            continue;
        c->state = c->once ? COMMANDS_INVALID : COMMANDS_RECORDED;
    }
}

/* All submissions of a queue up to a serial. */
static void end_submissions(struct valid *v, uint32_t queue, uint64_t serial)
{
    unsigned left = 0;
    for (unsigned i = 0; i < v->submission_count; i++) {
        struct submission *s = &v->submissions[i];
        if (s->queue != queue || s->serial > serial) {
            v->submissions[left++] = *s;
            continue;
        }
        for (unsigned j = 0; j < s->semaphore_count; j++)
            s->semaphores[j]->head.users--;
        if (s->fence) {
            s->fence->head.users--;
            s->fence->pending = false;
            s->fence->signaled = true;
        }
    }
    v->submission_count = left;
    commands_over(v);
}

void wait_for_everything(struct valid *v)
{
    struct world *w = v->w;
    for (uint32_t i = 0; i < QUEUE_FAMILY_COUNT; i++)
        MUST(TRY(w, QueueWaitIdle, w->queues[i]));
    for (uint32_t i = 0; i < QUEUE_FAMILY_COUNT; i++)
        end_submissions(v, i, UINT64_MAX);
}

static void wait_queue_idle(struct valid *v, uint32_t queue)
{
    MUST(TRY(v->w, QueueWaitIdle, v->w->queues[queue]));
    end_submissions(v, queue, UINT64_MAX);
}

void wait_for_something(struct valid *v, struct random *r)
{
    struct world *w = v->w;
    if (!v->submission_count) {
        MUST(TRY(w, DeviceWaitIdle, w->device));
        return;
    }
    struct submission s = v->submissions[random_below(r, v->submission_count)];
    if (s.fence && random_chance(r, 80)) {
        MUST(TRY(w, WaitForFences, w->device, 1, &s.fence->handle, VK_TRUE, UINT64_MAX));
        end_submissions(v, s.queue, s.serial);
    } else if (s.timeline && !s.fence &&
               random_chance(r, 80)) { /* a fence is signalled after the semaphores */
        VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                    .semaphoreCount = 1,
                                    .pSemaphores = &s.timeline->handle,
                                    .pValues = &s.value};
        MUST(TRY(w, WaitSemaphores, w->device, &info, UINT64_MAX));
        end_submissions(v, s.queue, s.serial);
    } else if (random_chance(r, 70)) {
        wait_queue_idle(v, s.queue);
    } else {
        MUST(TRY(w, DeviceWaitIdle, w->device));
        for (uint32_t i = 0; i < QUEUE_FAMILY_COUNT; i++)
            end_submissions(v, i, UINT64_MAX);
    }
}

/* --- submitting --- */

struct batch {
    unsigned command_count, wait_count, signal_count;
    struct commands *commands[SUBMITTED_MOST];
    struct semaphore *waits[SUBMITTED_MOST], *signals[SUBMITTED_MOST];
    uint64_t wait_values[SUBMITTED_MOST], signal_values[SUBMITTED_MOST];
};

static VkResult submit_old(struct valid *v, uint32_t queue, const struct batch *b, VkFence fence)
{
    VkCommandBuffer commands[SUBMITTED_MOST];
    VkSemaphore waits[SUBMITTED_MOST], signals[SUBMITTED_MOST];
    VkPipelineStageFlags stages[SUBMITTED_MOST];
    for (unsigned i = 0; i < b->command_count; i++)
        commands[i] = b->commands[i]->handle;
    for (unsigned i = 0; i < b->wait_count; i++) {
        waits[i] = b->waits[i]->handle;
        stages[i] = i ? VK_PIPELINE_STAGE_TRANSFER_BIT : VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    }
    for (unsigned i = 0; i < b->signal_count; i++)
        signals[i] = b->signals[i]->handle;
    VkTimelineSemaphoreSubmitInfo timeline = {.sType =
                                                  VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                              .waitSemaphoreValueCount = b->wait_count,
                                              .pWaitSemaphoreValues = b->wait_values,
                                              .signalSemaphoreValueCount = b->signal_count,
                                              .pSignalSemaphoreValues = b->signal_values};
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .pNext = &timeline,
                         .waitSemaphoreCount = b->wait_count,
                         .pWaitSemaphores = waits,
                         .pWaitDstStageMask = stages,
                         .commandBufferCount = b->command_count,
                         .pCommandBuffers = commands,
                         .signalSemaphoreCount = b->signal_count,
                         .pSignalSemaphores = signals};
    return TRY(v->w, QueueSubmit, v->w->queues[queue], 1, &info, fence);
}

static VkResult submit_new(struct valid *v, uint32_t queue, const struct batch *b, VkFence fence)
{
    VkCommandBufferSubmitInfo commands[SUBMITTED_MOST];
    VkSemaphoreSubmitInfo waits[SUBMITTED_MOST], signals[SUBMITTED_MOST];
    for (unsigned i = 0; i < b->command_count; i++)
        commands[i] =
            (VkCommandBufferSubmitInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                        .commandBuffer = b->commands[i]->handle};
    for (unsigned i = 0; i < b->wait_count; i++)
        waits[i] = (VkSemaphoreSubmitInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                           .semaphore = b->waits[i]->handle,
                                           .value = b->wait_values[i],
                                           .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    for (unsigned i = 0; i < b->signal_count; i++)
        signals[i] = (VkSemaphoreSubmitInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                             .semaphore = b->signals[i]->handle,
                                             .value = b->signal_values[i],
                                             .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                          .waitSemaphoreInfoCount = b->wait_count,
                          .pWaitSemaphoreInfos = waits,
                          .commandBufferInfoCount = b->command_count,
                          .pCommandBufferInfos = commands,
                          .signalSemaphoreInfoCount = b->signal_count,
                          .pSignalSemaphoreInfos = signals};
    return TRY(v->w, QueueSubmit2, v->w->queues[queue], 1, &info, fence);
}

static void hold_semaphore(struct submission *s, struct semaphore *semaphore)
{
    s->semaphores[s->semaphore_count++] = semaphore;
    semaphore->head.users++;
}

/* Submits, and notes what that means for everything in it. */
static void submit_any_batch(struct valid *v, struct random *r, uint32_t queue, struct batch *b,
                             bool fenced)
{
    if (v->submission_count == SUBMISSIONS_MOST)
        wait_for_everything(v);
    struct fence *fence = fenced ? need_fence(v, r) : NULL;
    struct submission *s = &v->submissions[v->submission_count++];
    *s = (struct submission){.serial = ++v->serial, .queue = queue, .fence = fence};
    VkFence handle = fence ? fence->handle : VK_NULL_HANDLE;
    MUST(random_chance(r, 50) ? submit_old(v, queue, b, handle) : submit_new(v, queue, b, handle));
    if (fence) {
        fence->head.users++;
        fence->pending = true;
    }
    for (unsigned i = 0; i < b->wait_count; i++) {
        hold_semaphore(s, b->waits[i]);
        b->waits[i]->signaled = false;
        b->waits[i]->free_at = s->serial;
    }
    for (unsigned i = 0; i < b->signal_count; i++) {
        hold_semaphore(s, b->signals[i]);
        if (b->signals[i]->timeline) {
            s->timeline = b->signals[i];
            s->value = b->signals[i]->value = b->signal_values[i];
            b->signals[i]->queue = queue;
        } else {
            b->signals[i]->signaled = true;
        }
    }
    for (unsigned i = 0; i < b->command_count; i++) {
        struct commands *c = b->commands[i];
        c->state = COMMANDS_PENDING;
        c->serial = s->serial;
        for (unsigned j = 0; j < c->leaves.count; j++) {
            c->leaves.of[j].image->layout = c->leaves.of[j].layout;
            c->leaves.of[j].image->family = queue;
        }
    }
}

static void add_waits(struct valid *v, struct random *r, struct batch *b)
{
    struct semaphore *binary = random_chance(r, 60) ? FIND(v, r, semaphores, SEMAPHORES_MOST,
                                                           !it->timeline && it->signaled)
                                                    : NULL;
    if (binary)
        b->waits[b->wait_count++] = binary;
    struct semaphore *timeline =
        random_chance(r, 40) ? FIND(v, r, semaphores, SEMAPHORES_MOST, it->timeline) : NULL;
    if (timeline) {
        b->wait_values[b->wait_count] = timeline->value - (timeline->value && random_chance(r, 30));
        b->waits[b->wait_count++] = timeline;
    }
}

/* A timeline is signalled by one queue only: nothing else would order its values. */
static void add_signals(struct valid *v, struct random *r, uint32_t queue, struct batch *b)
{
    struct semaphore *binary = random_chance(r, 40) ? need_semaphore(v, r, false) : NULL;
    if (binary && !binary->signaled && !binary->head.users) {
        binary->head.users++; /* making the next one must not take it down */
        b->signals[b->signal_count++] = binary;
    }
    struct semaphore *timeline = random_chance(r, 40) ? need_semaphore(v, r, true) : NULL;
    if (binary && b->signal_count)
        binary->head.users--;
    if (!timeline || (timeline->head.users && timeline->queue != queue))
        return;
    for (unsigned i = 0; i < b->wait_count; i++) {
        if (b->waits[i] == timeline)
            return;
    }
    b->signal_values[b->signal_count] = timeline->value + 1 + random_below(r, 3);
    b->signals[b->signal_count++] = timeline;
}

void submit_something(struct valid *v, struct random *r)
{
    struct batch b = {0};
    uint32_t queue = random_chance(r, 60) ? 0 : random_below(r, QUEUE_FAMILY_COUNT);
    unsigned most = random_below(r, SUBMITTED_MOST), start = random_below(r, COMMANDS_MOST);
    for (unsigned i = 0; i < COMMANDS_MOST && b.command_count < most; i++) {
        struct commands *c = &v->commands[(start + i) % COMMANDS_MOST];
        bool ready = c->state == COMMANDS_RECORDED ||
                     (c->state == COMMANDS_PENDING && c->overlaps && !c->once);
        if (c->head.alive && !c->secondary && ready && c->family == queue)
            b.commands[b.command_count++] = c;
    }
    add_waits(v, r, &b);
    for (unsigned i = 0; i < b.wait_count; i++)
        b.waits[i]->head.users++; /* what is signalled must not take their place */
    add_signals(v, r, queue, &b);
    for (unsigned i = 0; i < b.wait_count; i++)
        b.waits[i]->head.users--;
    submit_any_batch(v, r, queue, &b, random_chance(r, 60));
}

void submit_direct(struct valid *v, struct random *r)
{
    struct batch b = {.command_count = 1};
    b.commands[0] = record_primary(v, r, 0, true);
    if (!b.commands[0])
        return;
    b.commands[0]->once = true; /* what it finds the images in will not be so again */
    submit_any_batch(v, r, 0, &b, random_chance(r, 60));
}

/* A submission waits for what the host signals after it. */
void wait_before_signal(struct valid *v, struct random *r)
{
    struct semaphore *timeline = need_semaphore(v, r, true);
    if (!timeline || timeline->head.users)
        return;
    struct batch b = {.wait_count = 1, .waits = {timeline}, .wait_values = {timeline->value + 1}};
    submit_any_batch(v, r, random_below(r, QUEUE_FAMILY_COUNT), &b, true);
    VkSemaphoreSignalInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                  .semaphore = timeline->handle,
                                  .value = ++timeline->value};
    MUST(TRY(v->w, SignalSemaphore, v->w->device, &info));
}

/* --- showing --- */

static void create_swapchain(struct valid *v)
{
    struct world *w = v->w;
    VkSwapchainCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                     .surface = w->surface,
                                     .minImageCount = 3,
                                     .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
                                     .imageExtent = {64, 64},
                                     .imageArrayLayers = 1,
                                     .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                                   VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                     .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
                                     .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                                     .presentMode = VK_PRESENT_MODE_FIFO_KHR,
                                     .clipped = VK_TRUE,
                                     .oldSwapchain = v->swapchain};
    VkSwapchainKHR old = v->swapchain;
    MUST(TRY(w, CreateSwapchainKHR, w->device, &info, NULL, &v->swapchain));
    if (old)
        CALL(w, DestroySwapchainKHR, w->device, old, NULL);
    VkImage images[8];
    v->swapchain_count = 8;
    MUST(TRY(w, GetSwapchainImagesKHR, w->device, v->swapchain, &v->swapchain_count, images));
    for (uint32_t i = 0; i < v->swapchain_count; i++)
        v->swapchain_images[i] = (struct image){
            .head.alive = true,
            .handle = images[i],
            .info = {.mipLevels = 1, .arrayLayers = 1, .samples = VK_SAMPLE_COUNT_1_BIT},
            .aspects = VK_IMAGE_ASPECT_COLOR_BIT};
}

static void record_any_frame(struct valid *v, struct random *r, struct image *image,
                             struct commands *commands)
{
    struct recording rec;
    VkClearColorValue color = {.float32 = {0, 0, 1, 1}};
    VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    commands->recording = true;
    begin_commands(v, r, &rec, commands);
    if (to_layout(&rec, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL))
        CALL(v->w, CmdClearColorImage, rec.c, image->handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
             &color, 1, &range);
    (void)to_layout(&rec, image, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    end_commands(&rec);
    commands->once = true; /* it belongs to this frame */
    commands->recording = false;
}

void show_frame(struct valid *v, struct random *r)
{
    struct world *w = v->w;
    if (!v->swapchain || random_chance(r, 10)) {
        wait_for_everything(v);
        /* what was recorded for the images of the old one */
        for (unsigned i = 0; i < COMMANDS_MOST; i++) {
            struct commands *c = &v->commands[i];
            for (unsigned j = 0; c->head.alive && j < c->leaves.count; j++) {
                if (!c->leaves.of[j].image->memory) {
                    commands_forget(v, c);
                    c->state = COMMANDS_INVALID;
                }
            }
        }
        create_swapchain(v);
    }
    struct semaphore *acquired = need_semaphore(v, r, false);
    if (!acquired || acquired->signaled || acquired->head.users ||
        !serial_over(v, acquired->free_at))
        return;
    acquired->head.users++;
    struct semaphore *drawn = need_semaphore(v, r, false);
    acquired->head.users--;
    if (!drawn || drawn == acquired || drawn->signaled || drawn->head.users ||
        !serial_over(v, drawn->free_at))
        return;
    uint32_t index = 0;
    struct batch b = {.command_count = 1,
                      .wait_count = 1,
                      .signal_count = 1,
                      .waits = {acquired},
                      .signals = {drawn}};
    b.commands[0] = need_commands(v, r, 0, false);
    if (!b.commands[0])
        return;
    VkAcquireNextImageInfoKHR acquire = {.sType = VK_STRUCTURE_TYPE_ACQUIRE_NEXT_IMAGE_INFO_KHR,
                                         .swapchain = v->swapchain,
                                         .timeout = UINT64_MAX,
                                         .semaphore = acquired->handle,
                                         .deviceMask = 1};
    if (random_chance(r, 50))
        MUST(TRY(w, AcquireNextImage2KHR, w->device, &acquire, &index));
    else
        MUST(TRY(w, AcquireNextImageKHR, w->device, v->swapchain, UINT64_MAX, acquired->handle,
                 VK_NULL_HANDLE, &index));
    acquired->signaled = true;
    record_any_frame(v, r, &v->swapchain_images[index], b.commands[0]);
    submit_any_batch(v, r, 0, &b, true);
    VkPresentInfoKHR present = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                .waitSemaphoreCount = 1,
                                .pWaitSemaphores = &drawn->handle,
                                .swapchainCount = 1,
                                .pSwapchains = &v->swapchain,
                                .pImageIndices = &index};
    MUST(TRY(w, QueuePresentKHR, w->queues[0], &present));
    drawn->signaled = false;
    wait_queue_idle(v, 0);
}

/* --- the host --- */

static void touch_memory(struct valid *v, struct random *r)
{
    struct world *w = v->w;
    struct buffer *buffer = FIND(v, r, buffers, BUFFERS_MOST, it->visible);
    void *data = NULL;
    if (!buffer)
        return;
    VkMappedMemoryRange range = {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
                                 .memory = buffer->memory,
                                 .size = VK_WHOLE_SIZE};
    VkMemoryMapInfo map = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO,
                           .memory = buffer->memory,
                           .size = VK_WHOLE_SIZE};
    VkMemoryUnmapInfo unmap = {.sType = VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO,
                               .memory = buffer->memory};
    if (random_chance(r, 50))
        MUST(TRY(w, MapMemory2, w->device, &map, &data));
    else
        MUST(TRY(w, MapMemory, w->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &data));
    if (data)
        memset(data, 1, 64);
    if (random_chance(r, 50))
        MUST(TRY(w, FlushMappedMemoryRanges, w->device, 1, &range));
    if (random_chance(r, 50))
        MUST(TRY(w, InvalidateMappedMemoryRanges, w->device, 1, &range));
    if (random_chance(r, 50))
        MUST(TRY(w, UnmapMemory2, w->device, &unmap));
    else
        CALL(w, UnmapMemory, w->device, buffer->memory);
}

static void read_queries(struct valid *v, struct random *r)
{
    struct world *w = v->w;
    uint64_t data[64];
    struct query_pool *pool = FIND(v, r, query_pools, QUERY_POOLS_MOST, !it->head.users);
    if (!pool)
        return;
    uint32_t values = pool->type == VK_QUERY_TYPE_PIPELINE_STATISTICS ? 3 : 2;
    VkResult result = TRY(w, GetQueryPoolResults, w->device, pool->handle, 0, pool->count,
                          values * 8 * pool->count, data, values * 8,
                          VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    if (result < 0)
        fuzz_fail(w, "vkGetQueryPoolResults answered %d", result);
    if (random_chance(r, 50))
        CALL(w, ResetQueryPool, w->device, pool->handle, random_below(r, pool->count), 1);
}

static void reset_commands(struct valid *v, struct random *r)
{
    struct world *w = v->w;
    uint32_t family = random_below(r, COMMAND_POOLS);
    for (unsigned i = 0; i < COMMANDS_MOST; i++) {
        if (v->commands[i].head.alive && v->commands[i].family == family &&
            v->commands[i].state == COMMANDS_PENDING)
            return;
    }
    for (unsigned i = 0; i < COMMANDS_MOST; i++) {
        struct commands *c = &v->commands[i];
        if (c->head.alive && c->family == family) {
            commands_forget(v, c);
            c->state = COMMANDS_INITIAL;
        }
    }
    MUST(TRY(w, ResetCommandPool, w->device, v->command_pools[family], random_chance(r, 50)));
    CALL(w, TrimCommandPool, w->device, v->command_pools[family], 0);
}

static void touch_events(struct valid *v, struct random *r)
{
    struct world *w = v->w;
    struct event *event = need_event(v, r);
    if (!event || event->head.users)
        return;
    MUST(TRY(w, SetEvent, w->device, event->handle));
    (void)TRY(w, GetEventStatus, w->device, event->handle);
    MUST(TRY(w, ResetEvent, w->device, event->handle));
}

static void ask_queue(struct valid *v, struct random *r)
{
    struct world *w = v->w;
    uint64_t value = 0;
    size_t size = 0;
    struct semaphore *timeline = FIND(v, r, semaphores, SEMAPHORES_MOST, it->timeline);
    struct fence *fence = FIND(v, r, fences, FENCES_MOST, true);
    struct buffer *buffer = FIND(v, r, buffers, BUFFERS_MOST, true);
    if (timeline)
        MUST(TRY(w, GetSemaphoreCounterValue, w->device, timeline->handle, &value));
    if (fence)
        (void)TRY(w, GetFenceStatus, w->device, fence->handle);
    if (buffer) {
        VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                          .buffer = buffer->handle};
        (void)CALL(w, GetBufferDeviceAddress, w->device, &info);
        VkDebugUtilsObjectNameInfoEXT name = {
            .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
            .objectType = VK_OBJECT_TYPE_BUFFER,
            .objectHandle = (uint64_t)(uintptr_t)buffer->handle,
            .pObjectName = "buffer"};
        MUST(TRY(w, SetDebugUtilsObjectNameEXT, w->device, &name));
    }
    MUST(TRY(w, GetPipelineCacheData, w->device, v->cache, &size, NULL));
}

void host_step(struct valid *v, struct random *r)
{
    static void (*const steps[])(struct valid *, struct random *) = {
        touch_memory, touch_memory, read_queries, reset_commands, touch_events, ask_queue};
    ANY_OF(r, steps)(v, r);
}
