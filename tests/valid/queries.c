/* Queries and events: reset by the host and by commands, copied, read, set and waited for across
 * command buffers; secondaries. */
#include "valid.h"

static VkQueryPool make_pool(struct world *w, VkQueryType type, uint32_t count,
                             VkQueryPipelineStatisticFlags statistics)
{
    VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                  .queryType = type,
                                  .queryCount = count,
                                  .pipelineStatistics = type == VK_QUERY_TYPE_PIPELINE_STATISTICS
                                                            ? statistics
                                                            : PICK(0u, 0x7fffffffu)};
    VkQueryPool pool = VK_NULL_HANDLE;
    MUST(CreateQueryPool, w->device, &info, NULL, &pool);
    OWN(QueryPool, pool);
    return pool;
}

void step_queries(struct world *w)
{
    VkQueryType type =
        PICK(VK_QUERY_TYPE_OCCLUSION, VK_QUERY_TYPE_TIMESTAMP, VK_QUERY_TYPE_PIPELINE_STATISTICS);
    if (type == VK_QUERY_TYPE_PIPELINE_STATISTICS && !ON(pipelineStatisticsQuery))
        type = VK_QUERY_TYPE_OCCLUSION;
    const struct queue *queue =
        any_queue(w,
                  type == VK_QUERY_TYPE_TIMESTAMP ? VK_QUEUE_COMPUTE_BIT : VK_QUEUE_GRAPHICS_BIT);
    if (type == VK_QUERY_TYPE_TIMESTAMP && !queue->timestamp_bits)
        return;
    uint32_t count = between(w, 1, 5), values = type == VK_QUERY_TYPE_PIPELINE_STATISTICS ? 2 : 1;
    VkQueryPool pool = make_pool(w, type, count,
                                 VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
                                     VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT);
    bool host = ON(hostQueryReset) && chance(w, 50);
    if (host)
        CALL(ResetQueryPool, w->device, pool, 0, count);
    struct record *rec = record_begin(w, queue);
    rec->once |= host;
    if (!host)
        CALL(CmdResetQueryPool, rec->c, pool, 0, count);
    for (uint32_t i = 0; i < count; i++) {
        if (type == VK_QUERY_TYPE_TIMESTAMP) {
            if (ON(synchronization2) && chance(w, 50))
                CALL(CmdWriteTimestamp2, rec->c,
                     PICK(VK_PIPELINE_STAGE_2_NONE, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                          VK_PIPELINE_STAGE_2_COPY_BIT),
                     pool, i);
            else
                CALL(CmdWriteTimestamp, rec->c,
                     PICK(VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                          VK_PIPELINE_STAGE_TRANSFER_BIT),
                     pool, i);
            continue;
        }
        bool precise =
            type == VK_QUERY_TYPE_OCCLUSION && ON(occlusionQueryPrecise) && chance(w, 50);
        CALL(CmdBeginQuery, rec->c, pool, i, precise ? VK_QUERY_CONTROL_PRECISE_BIT : 0);
        CALL(CmdEndQuery, rec->c, pool, i);
    }
    bool wide = chance(w, 50), available = chance(w, 50);
    VkDeviceSize size = wide ? 8 : 4, stride = size * (values + available);
    VkQueryResultFlags flags =
        (wide ? VK_QUERY_RESULT_64_BIT : 0) |
        (available ? VK_QUERY_RESULT_WITH_AVAILABILITY_BIT : 0) |
        PICK(VK_QUERY_RESULT_WAIT_BIT, 0,
             type == VK_QUERY_TYPE_TIMESTAMP ? 0 : VK_QUERY_RESULT_PARTIAL_BIT);
    if (chance(w, 60)) {
        VkDeviceSize offset = size * below(w, 3);
        struct buffer *buffer =
            make_buffer(w, offset + stride * count, VK_BUFFER_USAGE_TRANSFER_DST_BIT, true);
        ready(rec, USE(COPY_WRITE));
        CALL(CmdCopyQueryPoolResults, rec->c, pool, 0, count, buffer->handle, offset, stride,
             flags);
        if (chance(w, 30)) {
            ready(rec, USE(COPY_WRITE));
            CALL(CmdCopyQueryPoolResults, rec->c, pool, count - 1, 1, buffer->handle, 0,
                 count > 1 ? 0 : stride, flags);
        }
    }
    record_finish(rec);
    wait_for_all(w);
    VkResult result = CALL(GetQueryPoolResults, w->device, pool, 0, count, stride * count,
                           temporary(w, stride * count), stride, flags);
    if (result != VK_SUCCESS && result != VK_NOT_READY)
        fail(w, "vkGetQueryPoolResults answered %d", (int)result);
    if (ON(hostQueryReset) && chance(w, 50))
        CALL(ResetQueryPool, w->device, pool, count - 1, 1);
}

/* --- events --- */

static VkEvent make_event(struct world *w, bool host)
{
    VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO,
                              .flags = !host && ON(synchronization2) && chance(w, 50)
                                           ? VK_EVENT_CREATE_DEVICE_ONLY_BIT
                                           : 0};
    VkEvent event = VK_NULL_HANDLE;
    MUST(CreateEvent, w->device, &info, NULL, &event);
    OWN(Event, event);
    return event;
}

#define ALL_STAGES VK_PIPELINE_STAGE_ALL_COMMANDS_BIT
#define ALL_ACCESS (VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT)

/* Set in one command buffer, waited for in another, which is submitted with it or later; reset
 * after it. */
void step_events(struct world *w)
{
    if (GROUPED) /* the current mask of these commands has one device */
        return;
    const struct queue *queue = any_queue(w, VK_QUEUE_COMPUTE_BIT);
    bool host = chance(w, 25), two = ON(synchronization2) && chance(w, 50);
    VkEvent event = make_event(w, host);
    VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                              .srcAccessMask = ALL_ACCESS,
                              .dstAccessMask = ALL_ACCESS};
    VkMemoryBarrier2 memory2 = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
                                .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                .dstAccessMask =
                                    VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                             .memoryBarrierCount = 1,
                             .pMemoryBarriers = &memory2};
    VkCommandBuffer buffers[2] = {make_command_buffer(w, queue, VK_COMMAND_BUFFER_LEVEL_PRIMARY),
                                  make_command_buffer(w, queue, VK_COMMAND_BUFFER_LEVEL_PRIMARY)};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .pInheritanceInfo = IGNORED};
    MUST(BeginCommandBuffer, buffers[0], &begin);
    if (!host && two)
        CALL(CmdSetEvent2, buffers[0], event, &info);
    else if (!host)
        CALL(CmdSetEvent, buffers[0], event, ALL_STAGES);
    MUST(EndCommandBuffer, buffers[0]);
    MUST(BeginCommandBuffer, buffers[1], &begin);
    if (host)
        CALL(CmdWaitEvents, buffers[1], 1, &event, VK_PIPELINE_STAGE_HOST_BIT, ALL_STAGES, 0,
             IGNORED, 0, IGNORED, 0, IGNORED);
    else if (two)
        CALL(CmdWaitEvents2, buffers[1], 1, &event, &info);
    else
        CALL(CmdWaitEvents, buffers[1], 1, &event, ALL_STAGES, ALL_STAGES, 1, &memory, 0, IGNORED,
             0, IGNORED);
    if (chance(w, 50)) {
        CALL(CmdPipelineBarrier, buffers[1], ALL_STAGES, ALL_STAGES, 0, 0, IGNORED, 0, IGNORED, 0,
             IGNORED);
        if (ON(synchronization2) && chance(w, 50))
            CALL(CmdResetEvent2, buffers[1], event, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
        else
            CALL(CmdResetEvent, buffers[1], event, ALL_STAGES);
    }
    MUST(EndCommandBuffer, buffers[1]);
    if (host)
        MUST(SetEvent, w->device, event);
    if (chance(w, 50)) {
        submit(w, queue, 2, buffers);
    } else {
        submit(w, queue, 1, &buffers[0]);
        submit(w, queue, 1, &buffers[1]);
    }
    if (host && chance(w, 50)) {
        wait_for_all(w);
        VkResult result = CALL(GetEventStatus, w->device, event);
        if (result != VK_EVENT_SET && result != VK_EVENT_RESET)
            fail(w, "vkGetEventStatus answered %d", (int)result);
        MUST(ResetEvent, w->device, event);
    }
}

/* --- timeline semaphores --- */

void step_semaphores(struct world *w)
{
    if (!ON(timelineSemaphore))
        return;
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
                                      .initialValue = PICK(0, 7, 1000000)};
    VkSemaphoreCreateInfo create = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                    .pNext = &type};
    VkSemaphore semaphore = VK_NULL_HANDLE;
    MUST(CreateSemaphore, w->device, &create, NULL, &semaphore);
    OWN(Semaphore, semaphore);
    uint64_t value = type.initialValue;
    for (uint32_t i = between(w, 1, 5); i > 0; i--) {
        const struct queue *queue = &w->queues[below(w, w->queue_count)];
        VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
        uint64_t waited = value, next = value + between(w, 1, 9);
        VkTimelineSemaphoreSubmitInfo values = {
            .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
            .waitSemaphoreValueCount = 1,
            .pWaitSemaphoreValues = &waited,
            .signalSemaphoreValueCount = 1,
            .pSignalSemaphoreValues = &next};
        VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                             .pNext = &values,
                             .waitSemaphoreCount = 1,
                             .pWaitSemaphores = &semaphore,
                             .pWaitDstStageMask = &stage,
                             .signalSemaphoreCount = 1,
                             .pSignalSemaphores = &semaphore};
        MUST(QueueSubmit, queue->handle, 1, &info, VK_NULL_HANDLE);
        w->idle = false;
        value = next;
        if (chance(w, 40)) {
            VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                        .flags = PICK(0, VK_SEMAPHORE_WAIT_ANY_BIT),
                                        .semaphoreCount = 1,
                                        .pSemaphores = &semaphore,
                                        .pValues = &value};
            MUST(WaitSemaphores, w->device, &wait, UINT64_MAX);
            uint64_t now = 0;
            MUST(GetSemaphoreCounterValue, w->device, semaphore, &now);
            if (now != value)
                fail(w, "the semaphore is at %llu, not %llu", (unsigned long long)now,
                     (unsigned long long)value);
            VkSemaphoreSignalInfo signal = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                            .semaphore = semaphore,
                                            .value = ++value};
            if (chance(w, 50))
                MUST(SignalSemaphore, w->device, &signal);
            else
                value--;
        }
    }
}

/* --- secondaries outside of render passes, within each other's company --- */

void step_secondaries(struct world *w)
{
    const struct queue *queue = any_queue(w, VK_QUEUE_COMPUTE_BIT);
    struct buffer *buffer =
        make_buffer(w, 256, VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                    false);
    VkCommandBuffer secondaries[3];
    uint32_t count = between(w, 1, 3);
    bool repeated = chance(w, 30);
    for (uint32_t i = 0; i < count; i++) {
        secondaries[i] = make_command_buffer(w, queue, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
        VkCommandBufferInheritanceInfo inheritance = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
            .renderPass =
                /* ignored */
            (VkRenderPass)(uintptr_t)PICK(0u, 0xdead0009u),
            .subpass = 77,
            .framebuffer = (VkFramebuffer)(uintptr_t)PICK(0u, 0xdead000au)};
        VkCommandBufferBeginInfo begin = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
            .flags = repeated ? VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT : 0,
            .pInheritanceInfo = &inheritance};
        MUST(BeginCommandBuffer, secondaries[i], &begin);
        for (uint32_t j = between(w, 1, 2); j > 0; j--) {
            CALL(CmdPipelineBarrier, secondaries[i], ALL_STAGES, ALL_STAGES, 0, 1,
                 &(VkMemoryBarrier){.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = ALL_ACCESS,
                                    .dstAccessMask = ALL_ACCESS},
                 0, IGNORED, 0, IGNORED);
            CALL(CmdFillBuffer, secondaries[i], buffer->handle, 4 * below(w, 60),
                 PICK(VK_WHOLE_SIZE, 16), i);
        }
        MUST(EndCommandBuffer, secondaries[i]);
    }
    struct record *rec = record_begin(w, queue);
    rec->once = true;
    ready(rec, USE(ALL));
    CALL(CmdExecuteCommands, rec->c, count, secondaries);
    if (repeated)
        CALL(CmdExecuteCommands, rec->c, 1, secondaries);
    record_finish(rec);
}
