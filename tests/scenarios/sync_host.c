/* Hazards with what the host does: events that it sets, memory that it flushes and invalidates, images that it copies; and what sparse bindings order. */
#include "sync_program.h"

#define NULL_ONLY .drivers = NULL_DRIVER

/* --- vkSetEvent: it is to come before the submission, and orders nothing that the host has not waited for --- */

PROGRAM(set_behind_a_wait, "[w] F E [V r]")
PROGRAM(set_without_a_wait, "[w] E [V r]", .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"})
PROGRAM(set_in_front_of_all, "E [w] [V r]", .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"})
PROGRAM(set_on_another_queue_behind_a_wait, "[w] F E c [V r]", NULL_ONLY)
PROGRAM(set_on_another_queue, "[w] E c [V r]", .expect = {"SYNC-HAZARD-READ-RACING-WRITE"}, NULL_ONLY)
/* A program that sets it later breaks another rule; what the host has waited for until then, nobody knows at the submission. */
PROGRAM(set_later, "[w] [V r] E", .expect = {"VUID-vkSetEvent-event-09543"}, .proceed = true, NULL_ONLY)
PROGRAM(set_later_by_a_command, "[w s] [v r] E", .expect = {"VUID-vkSetEvent-event-09543"}, .proceed = true, NULL_ONLY)

/* --- vkQueueBindSparse --- */

/* A write, a sparse binding that waits for its semaphore, and a read that waits for the binding's, or for none. */
static void bind_between(struct baseline *b, bool waits, bool signals)
{
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VkBuffer buffer = make_buffer(b, 256, usage), target = make_buffer(b, 256, usage);
    VkSemaphore written = make_semaphore(b), bound = make_semaphore(b);
    const VkBufferCopy region = {0, 0, 256};
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkCommandBuffer write = make_recording(b), read = make_recording(b);
    vkCmdFillBuffer(write, buffer, 0, 256, 0);
    vkCmdCopyBuffer(read, buffer, target, 1, &region);
    VK(vkEndCommandBuffer(write));
    VK(vkEndCommandBuffer(read));
    VkSubmitInfo first = submit_info(&write), second = submit_info(&read);
    first.signalSemaphoreCount = waits ? 1 : 0;
    first.pSignalSemaphores = &written;
    VK(vkQueueSubmit(b->queue, 1, &first, VK_NULL_HANDLE));
    const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                   .waitSemaphoreCount = waits ? 1 : 0,
                                   .pWaitSemaphores = &written,
                                   .signalSemaphoreCount = signals ? 1 : 0,
                                   .pSignalSemaphores = &bound};
    VK(vkQueueBindSparse(b->queue, 1, &info, VK_NULL_HANDLE));
    second.waitSemaphoreCount = signals ? 1 : 0;
    second.pWaitSemaphores = &bound;
    second.pWaitDstStageMask = &stage;
    VK(vkQueueSubmit(b->queue, 1, &second, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

#define SPARSE .settings = {"validate_sync=true"}, NULL_ONLY

SCENARIO(sparse_binding_waits_and_signals, SPARSE)
{
    bind_between(b, true, true);
}

SCENARIO(sparse_binding_orders_nothing, SPARSE, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"})
{
    bind_between(b, false, false);
}

/* Its wait holds for what comes later on the queue, as that of any batch. */
SCENARIO(sparse_binding_waits_only, SPARSE)
{
    bind_between(b, true, false);
}

/* --- flushing and invalidating: the range may be larger than what the host touches --- */

SCENARIO(flush_and_invalidate_beside_pending_work, .settings = {"validate_sync=true"})
{
    VkBuffer buffer = make_buffer(b, 4096, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkDeviceMemory memory = buffer_memory(b, buffer);
    VkMappedMemoryRange range = {
        .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, .memory = memory, .size = VK_WHOLE_SIZE};
    void *data;
    VkCommandBuffer commands = make_recording(b);
    vkCmdFillBuffer(commands, buffer, 0, 256, 0);
    VK(vkEndCommandBuffer(commands));
    VkSubmitInfo info = submit_info(&commands);
    VK(vkMapMemory(b->device, memory, 0, VK_WHOLE_SIZE, 0, &data));
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    ((volatile char *)data)[4095] = 1;
    VK(vkFlushMappedMemoryRanges(b->device, 1, &range));
    VK(vkInvalidateMappedMemoryRanges(b->device, 1, &range));
    VK(vkQueueWaitIdle(b->queue));
}
