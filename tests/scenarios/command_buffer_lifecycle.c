/* The life of a command buffer: begun, ended, reset, freed in the right state (6.1 "Command Buffer Lifecycle"). */
#include "scenario.h"

static VkCommandPool make_pool(struct baseline *b, VkCommandPoolCreateFlags flags)
{
    VkCommandPoolCreateInfo info = command_pool_info(b->queue_family);
    info.flags = flags;
    return create_command_pool(b, &info);
}

static VkCommandBuffer allocate(struct baseline *b, VkCommandPool pool)
{
    VkCommandBufferAllocateInfo info = command_buffer_info(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBuffer command_buffer;
    VK(vkAllocateCommandBuffers(b->device, &info, &command_buffer));
    return command_buffer;
}

static void record_nothing(VkCommandBuffer command_buffer)
{
    VkCommandBufferBeginInfo begin = begin_info();
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    VK(vkEndCommandBuffer(command_buffer));
}

SCENARIO(begin_twice, .expect = {"VUID-vkBeginCommandBuffer-commandBuffer-00049"}, .text = {"is being recorded"})
{
    VkCommandBufferBeginInfo begin = begin_info();
    vkBeginCommandBuffer(make_recording(b), &begin);
}

SCENARIO(begin_again_without_reset_bit, .expect = {"VUID-vkBeginCommandBuffer-commandBuffer-00050"},
         .text = {"VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT"})
{
    VkCommandBuffer command_buffer = allocate(b, make_pool(b, 0));
    VkCommandBufferBeginInfo begin = begin_info();
    record_nothing(command_buffer);
    vkBeginCommandBuffer(command_buffer, &begin);
}

SCENARIO(begin_again_with_reset_bit)
{
    VkCommandBuffer command_buffer = allocate(b, make_pool(b, VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT));
    record_nothing(command_buffer);
    record_nothing(command_buffer);
    VK(vkResetCommandBuffer(command_buffer, 0));
    record_nothing(command_buffer);
}

SCENARIO(begin_again_after_pool_reset)
{
    VkCommandPool pool = make_pool(b, 0);
    VkCommandBuffer command_buffer = allocate(b, pool);
    record_nothing(command_buffer);
    VK(vkResetCommandPool(b->device, pool, 0));
    record_nothing(command_buffer);
}

SCENARIO(begin_once_and_often, .expect = {"VUID-vkBeginCommandBuffer-commandBuffer-02840"},
         .text = {"pBeginInfo->flags has both"})
{
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT | VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    vkBeginCommandBuffer(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY), &begin);
}

SCENARIO(end_before_begin, .expect = {"VUID-vkEndCommandBuffer-commandBuffer-00059"}, .text = {"is not being recorded"})
{
    vkEndCommandBuffer(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY));
}

SCENARIO(end_inside_render_pass, .expect = {"VUID-vkEndCommandBuffer-commandBuffer-00060"}, .text = {"was not ended"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkEndCommandBuffer(command_buffer);
}

SCENARIO(end_outside_render_pass)
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdEndRenderPass(command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
}

SCENARIO(reset_without_reset_bit, .expect = {"VUID-vkResetCommandBuffer-commandBuffer-00046"},
         .text = {"VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT"})
{
    vkResetCommandBuffer(allocate(b, make_pool(b, 0)), 0);
}

SCENARIO(protected_pool_without_feature, .expect = {"VUID-VkCommandPoolCreateInfo-flags-02860"},
         .text = {"protectedMemory"})
{
    make_pool(b, VK_COMMAND_POOL_CREATE_PROTECTED_BIT);
}

SCENARIO(pool_of_no_family, .expect = {"VUID-vkCreateCommandPool-queueFamilyIndex-01937"},
         .text = {"pCreateInfo->queueFamilyIndex is 1000"})
{
    VkCommandPoolCreateInfo info = command_pool_info(1000);
    create_command_pool(b, &info);
}
