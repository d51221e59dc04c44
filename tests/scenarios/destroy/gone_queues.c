/* Destroys what several queues use at once. */
#include "scenario.h"

/* A buffer that queues of three families fill, each by a command buffer of its own. */
struct shared {
    VkBuffer buffer;
    VkQueue queues[3];
    VkCommandBuffer commands[3];
};

static struct shared share_objects(struct baseline *b)
{
    const uint32_t families[3] = {0, 1, 2};
    struct shared s = {0};
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = 3;
    info.pQueueFamilyIndices = families;
    s.buffer = create_buffer(b, &info);
    VK(vkBindBufferMemory(b->device, s.buffer, make_memory(b, 4096), 0));
    for (uint32_t i = 0; i < 3; i++) {
        vkGetDeviceQueue(b->device, families[i], 0, &s.queues[i]);
        VkCommandBufferBeginInfo begin = begin_info();
        begin.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
        s.commands[i] = make_recording_of(b, families[i]);
        VK(vkEndCommandBuffer(s.commands[i]));
        VK(vkBeginCommandBuffer(s.commands[i], &begin));
        vkCmdFillBuffer(s.commands[i], s.buffer, 0, 16, 0);
        VK(vkEndCommandBuffer(s.commands[i]));
    }
    return s;
}

static void submit_to(const struct shared *s, uint32_t queue, VkSemaphore wait, VkSemaphore signal)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSubmitInfo info = submit_info(&s->commands[queue]);
    info.waitSemaphoreCount = wait != VK_NULL_HANDLE;
    info.pWaitSemaphores = &wait;
    info.pWaitDstStageMask = &stage;
    info.signalSemaphoreCount = signal != VK_NULL_HANDLE;
    info.pSignalSemaphores = &signal;
    VK(vkQueueSubmit(s->queues[queue], 1, &info, VK_NULL_HANDLE));
}

#define QUEUES .drivers = NULL_DRIVER
#define IN_USE .expect = {"VUID-vkDestroyBuffer-buffer-00922"}

/* Pending on one queue, used on another one later, and only that is waited for. */
SCENARIO(waited_for_on_the_later_queue, QUEUES, IN_USE)
{
    const struct shared s = share_objects(b);
    submit_to(&s, 0, VK_NULL_HANDLE, VK_NULL_HANDLE);
    submit_to(&s, 1, VK_NULL_HANDLE, VK_NULL_HANDLE);
    VK(vkQueueWaitIdle(s.queues[1]));
    vkDestroyBuffer(b->device, s.buffer, NULL);
    EXPECT_EQUAL(seen_count(b, NULL), 1);
    VK(vkQueueWaitIdle(s.queues[0]));
    FORGET(b, s.buffer);
    vkDestroyBuffer(b->device, s.buffer, NULL);
}

/* Each user is named with its own queue, and what ends the work of each queue. */
static void use_on_two_queues(struct baseline *b, bool with_fences)
{
    const struct shared s = share_objects(b);
    for (uint32_t i = 0; i < 2; i++) {
        char name[] = "commands A", of_queue[] = "queue A", of_fence[] = "fence A";
        name[sizeof(name) - 2] = of_queue[sizeof(of_queue) - 2] = of_fence[sizeof(of_fence) - 2] =
            (char)('A' + i);
        set_name(b, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(s.commands[i]), name);
        set_name(b, VK_OBJECT_TYPE_QUEUE, HANDLE(s.queues[i]), of_queue);
        submit_to(&s, i, VK_NULL_HANDLE, VK_NULL_HANDLE);
        VkFence fence = with_fences ? make_fence(b) : VK_NULL_HANDLE;
        if (fence)
            set_name(b, VK_OBJECT_TYPE_FENCE, HANDLE(fence), of_fence);
        if (fence)
            VK(vkQueueSubmit(s.queues[i], 0, NULL, fence));
    }
    vkDestroyBuffer(b->device, s.buffer, NULL);
    VK(vkDeviceWaitIdle(b->device));
    FORGET(b, s.buffer);
    vkDestroyBuffer(b->device, s.buffer, NULL);
}
SCENARIO(in_use_on_two_queues, QUEUES, IN_USE, .ours_only = true,
         .text = {
             "\"commands A\", which was submitted to VkQueue 0x", "\"queue A\" (its submission 1)",
             "\"commands B\", which was submitted to VkQueue 0x",
             "\"queue B\" (its submission 1); that work is not known to be done",
             "fix     wait for VkFence 0x", "\"fence A\" and VkFence 0x", "\"fence B\" before"})
{
    use_on_two_queues(b, true);
}
SCENARIO(in_use_on_two_queues_until_nothing_tells, QUEUES, IN_USE, .ours_only = true,
         .text = {"fix     call vkDeviceWaitIdle before, or give the last submission to each"})
{
    use_on_two_queues(b, false);
}

SCENARIO(waited_for_on_two_of_three_queues, QUEUES, IN_USE)
{
    const struct shared s = share_objects(b);
    for (uint32_t i = 0; i < 3; i++) {
        submit_to(&s, i, VK_NULL_HANDLE, VK_NULL_HANDLE);
        submit_to(&s, i, VK_NULL_HANDLE, VK_NULL_HANDLE);
        VK(vkQueueWaitIdle(s.queues[i]));
    }
    for (uint32_t left = 0; left < 3; left++) {
        for (uint32_t i = 0; i < 3; i++)
            submit_to(&s, i, VK_NULL_HANDLE, VK_NULL_HANDLE);
        for (uint32_t i = 0; i < 3; i++) {
            if (i != left)
                VK(vkQueueWaitIdle(s.queues[i]));
        }
        vkDestroyBuffer(b->device, s.buffer, NULL);
        EXPECT_EQUAL(seen_count(b, NULL), left + 1);
        VK(vkQueueWaitIdle(s.queues[left]));
    }
    FORGET(b, s.buffer);
    vkDestroyBuffer(b->device, s.buffer, NULL);
}

/* The work of the second queue waits for that of the first. */
SCENARIO(waited_for_through_a_semaphore, QUEUES)
{
    const struct shared s = share_objects(b);
    VkSemaphore semaphore = make_semaphore(b);
    submit_to(&s, 0, VK_NULL_HANDLE, semaphore);
    submit_to(&s, 1, semaphore, VK_NULL_HANDLE);
    VK(vkQueueWaitIdle(s.queues[1]));
    FORGET(b, s.buffer);
    vkDestroyBuffer(b->device, s.buffer, NULL);
}

SCENARIO(waited_for_device_with_queues, QUEUES)
{
    const struct shared s = share_objects(b);
    for (uint32_t round = 0; round < 2000; round++) { /* more than joins are kept */
        for (uint32_t i = 0; i < 3; i++)
            submit_to(&s, i, VK_NULL_HANDLE, VK_NULL_HANDLE);
        if (round % 7 == 0)
            VK(vkQueueWaitIdle(s.queues[round % 3]));
        if (round % 100 == 99)
            VK(vkDeviceWaitIdle(b->device));
    }
    VK(vkDeviceWaitIdle(b->device));
    FORGET(b, s.buffer);
    vkDestroyBuffer(b->device, s.buffer, NULL);
}
