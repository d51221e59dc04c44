/* Whole programs that go wrong as programs do. They destroy what the device still uses, or hand in
 * command buffers that were freed. They record from two threads, or lose their device in the
 * middle. Each goes on to its end, whatever was found on the way. */
#include "scenario.h"

#include <pthread.h>

/* The null driver has done everything at once; but the program has not waited for it, and could not
 * know. */
#define HEEDLESS .drivers = NULL_DRIVER, .proceed = true, .ours_only = true

/* A copy between two buffers, handed to the queue. */
struct pending_copy {
    VkCommandPool pool;
    VkCommandBuffer command_buffer;
    VkBuffer source, target;
    VkFence fence;
};

static void submit_copy(struct baseline *b, struct pending_copy *p)
{
    const VkBufferCopy region = {.size = 64};
    p->pool = make_command_pool(b);
    VkCommandBufferAllocateInfo allocate =
        command_buffer_info(p->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo begin = begin_info();
    VK(vkAllocateCommandBuffers(b->device, &allocate, &p->command_buffer));
    p->source = make_buffer(b, 256, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    p->target = make_buffer(b, 256, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    p->fence = make_fence(b);
    VK(vkBeginCommandBuffer(p->command_buffer, &begin));
    vkCmdCopyBuffer(p->command_buffer, p->source, p->target, 1, &region);
    VK(vkEndCommandBuffer(p->command_buffer));
    VkSubmitInfo submit = submit_info(&p->command_buffer);
    VK(vkQueueSubmit(b->queue, 1, &submit, p->fence));
}

/* --- destroyed while in use --- */

SCENARIO(buffers_destroyed_while_copied, HEEDLESS, .expect = {"VUID-vkDestroyBuffer-buffer-00922"})
{
    struct pending_copy p;
    submit_copy(b, &p);
    FORGET(b, p.source);
    FORGET(b, p.target);
    vkDestroyBuffer(b->device, p.source, NULL);
    vkDestroyBuffer(b->device, p.target, NULL);
    VK(vkWaitForFences(b->device, 1, &p.fence, VK_TRUE, UINT64_MAX));
}

SCENARIO(everything_destroyed_after_waiting)
{
    struct pending_copy p;
    submit_copy(b, &p);
    VK(vkWaitForFences(b->device, 1, &p.fence, VK_TRUE, UINT64_MAX));
    FORGET(b, p.source);
    FORGET(b, p.target);
    FORGET(b, p.fence);
    FORGET(b, p.pool);
    vkDestroyBuffer(b->device, p.source, NULL);
    vkDestroyBuffer(b->device, p.target, NULL);
    vkDestroyFence(b->device, p.fence, NULL);
    vkDestroyCommandPool(b->device, p.pool, NULL);
}

SCENARIO(fence_and_pool_destroyed_while_pending, HEEDLESS,
         .expect = {"VUID-vkDestroyFence-fence-01120",
                    "VUID-vkDestroyCommandPool-commandPool-00041"})
{
    struct pending_copy p;
    submit_copy(b, &p);
    FORGET(b, p.fence);
    FORGET(b, p.pool);
    vkDestroyFence(b->device, p.fence, NULL);
    vkDestroyCommandPool(b->device, p.pool, NULL);
    VK(vkQueueWaitIdle(b->queue));
}

/* --- command buffers that are none any more --- */

SCENARIO(submitted_again_without_its_buffer, HEEDLESS,
         .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070",
                    "VUID-vkQueueSubmit-pCommandBuffers-00071"})
{
    struct pending_copy p;
    submit_copy(b, &p);
    VK(vkQueueWaitIdle(b->queue));
    FORGET(b, p.target);
    vkDestroyBuffer(b->device, p.target, NULL);
    VkSubmitInfo submit = submit_info(&p.command_buffer);
    for (int i = 0; i < 3; i++)
        (void)vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(recorded_again_after_its_buffer_went)
{
    struct pending_copy p;
    VkCommandBufferBeginInfo begin = begin_info();
    submit_copy(b, &p);
    VK(vkQueueWaitIdle(b->queue));
    FORGET(b, p.target);
    vkDestroyBuffer(b->device, p.target, NULL);
    VK(vkBeginCommandBuffer(p.command_buffer, &begin));
    run_commands(b, p.command_buffer);
}

SCENARIO(never_recorded_beside_a_good_one, HEEDLESS,
         .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"})
{
    VkCommandBuffer good = make_recording(b),
                    empty = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VK(vkEndCommandBuffer(good));
    VkCommandBuffer both[] = {good, empty};
    VkSubmitInfo submit = submit_info(both);
    submit.commandBufferCount = 2;
    (void)vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
    VK(vkQueueWaitIdle(b->queue));
}

/* --- from two threads --- */

static void *record_fills(void *argument)
{
    VkCommandBuffer *command_buffer = argument;
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    for (int i = 0; i < 2000; i++)
        vkCmdPipelineBarrier(*command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    return NULL;
}

/* Whether the two ever meet is chance; that the program lives on is not. */
SCENARIO(two_threads_in_one_command_buffer, HEEDLESS,
         .allow = {"UNASSIGNED-Threading-MultipleThreads-Write",
                   "UNASSIGNED-Threading-MultipleThreads-Read"})
{
    pthread_t thread;
    VkCommandBuffer command_buffer = make_recording(b);
    ENSURE(pthread_create(&thread, NULL, record_fills, &command_buffer) == 0);
    (void)record_fills(&command_buffer);
    (void)pthread_join(thread, NULL);
    run_commands(b, command_buffer);
}

/* --- without a device --- */

/* The work of a lost device is over: everything may be destroyed. */
SCENARIO(device_lost_while_copying, HEEDLESS, .expect = {"ASSAY-DeviceLost"},
         .null_driver = "{\"loseDeviceAfter\": 1}")
{
    struct pending_copy p;
    submit_copy(b, &p);
    VkSubmitInfo submit = submit_info(NULL);
    EXPECT_EQUAL(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE), VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkWaitForFences(b->device, 1, &p.fence, VK_TRUE, UINT64_MAX),
                 VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkQueueWaitIdle(b->queue), VK_ERROR_DEVICE_LOST);
}

SCENARIO(device_lost_at_once, HEEDLESS, .expect = {"ASSAY-DeviceLost"},
         .null_driver = "{\"loseDeviceAfter\": 0}")
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkFence fence = make_fence(b);
    VK(vkEndCommandBuffer(command_buffer));
    VkSubmitInfo submit = submit_info(&command_buffer);
    EXPECT_EQUAL(vkQueueSubmit(b->queue, 1, &submit, fence), VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkGetFenceStatus(b->device, fence), VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkDeviceWaitIdle(b->device), VK_ERROR_DEVICE_LOST);
}

/* Work that waits for what is never signaled: the driver gives up, as drivers do. */
SCENARIO(device_lost_waiting_for_ever, HEEDLESS, .expect = {"ASSAY-DeviceLost"},
         .null_driver = "{\"hangTimeout\": 5}",
         .features = &(VkPhysicalDeviceVulkan12Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
             .timelineSemaphore = VK_TRUE})
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 0);
    uint64_t value = 1;
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkTimelineSemaphoreSubmitInfo timeline = {.sType =
                                                  VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                              .waitSemaphoreValueCount = 1,
                                              .pWaitSemaphoreValues = &value};
    VkSubmitInfo submit = submit_info(NULL);
    submit.pNext = &timeline;
    submit.waitSemaphoreCount = 1;
    submit.pWaitSemaphores = &semaphore;
    submit.pWaitDstStageMask = &stage;
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    EXPECT_EQUAL(vkQueueWaitIdle(b->queue), VK_ERROR_DEVICE_LOST);
}
