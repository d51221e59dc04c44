/* The life of a command buffer: begun, ended, reset, freed in the right state (6.1 "Command Buffer
 * Lifecycle"). */
#include "scenario.h"

static VkCommandPool make_command_pool_with(struct baseline *b, VkCommandPoolCreateFlags flags)
{
    VkCommandPoolCreateInfo info = command_pool_info(b->queue_family);
    info.flags = flags;
    return create_command_pool(b, &info);
}

static VkCommandBuffer allocate_from_command_pool(struct baseline *b, VkCommandPool pool)
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

/* "commandBuffer must not be in the pending state": it may be in the recording state, where its
 * pool lets it be reset. */
SCENARIO(begin_twice)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkCommandBufferBeginInfo begin = begin_info();
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    VK(vkEndCommandBuffer(command_buffer));
}

SCENARIO(begin_twice_without_reset_bit, .expect = {"VUID-vkBeginCommandBuffer-commandBuffer-00050"},
         .text = {"is being recorded, and its pool"})
{
    VkCommandBuffer command_buffer = allocate_from_command_pool(b, make_command_pool_with(b, 0));
    VkCommandBufferBeginInfo begin = begin_info();
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    vkBeginCommandBuffer(command_buffer, &begin);
}

/* Freed twice by one call: it does not reach the driver, whatever the callback answers. */
SCENARIO(free_same_twice, .expect = {"VUID-vkFreeCommandBuffers-pCommandBuffers-00048"},
         .proceed = true, .text = {"pCommandBuffers[2] is the same as element 0"})
{
    VkCommandPool pool = make_command_pool_with(b, 0);
    VkCommandBuffer list[3] = {allocate_from_command_pool(b, pool), NULL, NULL};
    list[2] = list[0];
    vkFreeCommandBuffers(b->device, pool, 3, list);
}

SCENARIO(free_without_an_array, .expect = {"VUID-vkFreeCommandBuffers-pCommandBuffers-00048"},
         .proceed = true, .text = {"pCommandBuffers is NULL, but has 2 elements"})
{
    vkFreeCommandBuffers(b->device, make_command_pool_with(b, 0), 2, NULL);
}

SCENARIO(free_many)
{
    VkCommandPool pool = make_command_pool_with(b, 0);
    VkCommandBuffer list[200];
    for (uint32_t i = 0; i < 200; i++)
        list[i] = i % 10 ? allocate_from_command_pool(b, pool) : NULL;
    vkFreeCommandBuffers(b->device, pool, 200, list);
}

SCENARIO(begin_again_without_reset_bit, .expect = {"VUID-vkBeginCommandBuffer-commandBuffer-00050"},
         .text = {"VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT"})
{
    VkCommandBuffer command_buffer = allocate_from_command_pool(b, make_command_pool_with(b, 0));
    VkCommandBufferBeginInfo begin = begin_info();
    record_nothing(command_buffer);
    vkBeginCommandBuffer(command_buffer, &begin);
}

SCENARIO(begin_again_with_reset_bit)
{
    VkCommandBuffer command_buffer = allocate_from_command_pool(
        b, make_command_pool_with(b, VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT));
    record_nothing(command_buffer);
    record_nothing(command_buffer);
    VK(vkResetCommandBuffer(command_buffer, 0));
    record_nothing(command_buffer);
}

SCENARIO(begin_again_after_pool_reset)
{
    VkCommandPool pool = make_command_pool_with(b, 0);
    VkCommandBuffer command_buffer = allocate_from_command_pool(b, pool);
    record_nothing(command_buffer);
    VK(vkResetCommandPool(b->device, pool, 0));
    record_nothing(command_buffer);
}

static VkCommandBuffer bind_and_reset(struct baseline *b, bool after_reset)
{
    const VkCommandBufferBeginInfo begin = begin_info();
    const VkPipeline pipeline = make_any_compute_pipeline(b);
    VkCommandPool pool = make_command_pool_with(b, 0);
    VkCommandBuffer command_buffer = allocate_from_command_pool(b, pool);
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    VK(vkEndCommandBuffer(command_buffer));
    VK(vkResetCommandPool(b->device, pool, 0));
    if (after_reset)
        vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    return command_buffer;
}

/* Neither what a reset has forgotten is bound, nor what was wrongly bound between it and the
 * beginning. */
SCENARIO(bound_before_reset, .drivers = NULL_DRIVER, .expect = {"VUID-vkCmdDispatch-None-08606"})
{
    vkCmdDispatch(bind_and_reset(b, false), 1, 1, 1);
}

SCENARIO(bound_after_reset, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkCmdBindPipeline-commandBuffer-recording",
                    "VUID-vkCmdDispatch-None-08606"})
{
    vkCmdDispatch(bind_and_reset(b, true), 1, 1, 1);
}

SCENARIO(begin_once_and_often, .expect = {"VUID-vkBeginCommandBuffer-commandBuffer-02840"},
         .text = {"pBeginInfo->flags has both"})
{
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags =
        VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT | VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    vkBeginCommandBuffer(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY), &begin);
}

SCENARIO(end_before_begin, .expect = {"VUID-vkEndCommandBuffer-commandBuffer-00059"},
         .text = {"is not being recorded"})
{
    vkEndCommandBuffer(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY));
}

SCENARIO(end_inside_render_pass, .expect = {"VUID-vkEndCommandBuffer-commandBuffer-00060"},
         .text = {"was not ended"})
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
    vkResetCommandBuffer(allocate_from_command_pool(b, make_command_pool_with(b, 0)), 0);
}

SCENARIO(protected_pool_without_feature, .expect = {"VUID-VkCommandPoolCreateInfo-flags-02860"},
         .text = {"protectedMemory"})
{
    make_command_pool_with(b, VK_COMMAND_POOL_CREATE_PROTECTED_BIT);
}

SCENARIO(pool_of_no_family, .expect = {"VUID-vkCreateCommandPool-queueFamilyIndex-01937"},
         .text = {"pCreateInfo->queueFamilyIndex is 1000"})
{
    VkCommandPoolCreateInfo info = command_pool_info(1000);
    create_command_pool(b, &info);
}

/* --- submitted (6.5) --- */

static VkCommandBuffer record_one(struct baseline *b, VkCommandBufferUsageFlags flags)
{
    VkCommandBuffer command_buffer = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = flags;
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    return command_buffer;
}

static void submit_commands(struct baseline *b, VkCommandBuffer command_buffer)
{
    VkSubmitInfo info = submit_info(&command_buffer);
    vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE);
}

static void submit_until_done(struct baseline *b, VkCommandBuffer command_buffer)
{
    submit_commands(b, command_buffer);
    VK(vkQueueWaitIdle(b->queue));
}

static const VkPhysicalDeviceVulkan13Features features_sync2 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .synchronization2 = VK_TRUE};

static void submit_commands2(struct baseline *b, VkCommandBuffer command_buffer)
{
    VkCommandBufferSubmitInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                        .commandBuffer = command_buffer};
    VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                          .commandBufferInfoCount = 1,
                          .pCommandBufferInfos = &buffer};
    vkQueueSubmit2(b->queue, 1, &info, VK_NULL_HANDLE);
}

SCENARIO(submit_never_recorded, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},
         .text = {"was not recorded since"})
{
    submit_commands(b, make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY));
}

SCENARIO(submit_recording, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},
         .text = {"is still being recorded"})
{
    submit_commands(b, make_recording(b));
}

SCENARIO(submit2_recording, .expect = {"VUID-vkQueueSubmit2-commandBuffer-03874"},
         .features = &features_sync2,
         .text = {"pSubmits[0].pCommandBufferInfos[0].commandBuffer is still being recorded"})
{
    submit_commands2(b, make_recording(b));
}

SCENARIO(submit_one_time_twice, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},
         .text = {"has been submitted before"})
{
    VkCommandBuffer command_buffer = record_one(b, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    VK(vkEndCommandBuffer(command_buffer));
    submit_until_done(b, command_buffer);
    submit_until_done(b, command_buffer);
}

SCENARIO(submit_many_times)
{
    VkCommandBuffer command_buffer = record_one(b, 0);
    VK(vkEndCommandBuffer(command_buffer));
    submit_until_done(b, command_buffer);
    submit_until_done(b, command_buffer);
}

SCENARIO(submit_while_pending, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00071"},
         .text = {"is not known to be done"})
{
    VkCommandBuffer command_buffer = record_one(b, 0);
    VK(vkEndCommandBuffer(command_buffer));
    submit_commands(b, command_buffer);
    submit_commands(b, command_buffer);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(submit2_while_pending, .expect = {"VUID-vkQueueSubmit2-commandBuffer-03875"},
         .features = &features_sync2)
{
    VkCommandBuffer command_buffer = record_one(b, 0);
    VK(vkEndCommandBuffer(command_buffer));
    submit_commands2(b, command_buffer);
    submit_commands2(b, command_buffer);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(submit_simultaneously, .features = &features_sync2)
{
    VkCommandBuffer command_buffer = record_one(b, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    VK(vkEndCommandBuffer(command_buffer));
    submit_commands(b, command_buffer);
    submit_commands2(b, command_buffer);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(begin_pending, .expect = {"VUID-vkBeginCommandBuffer-commandBuffer-00049"},
         .text = {"is not known to be done"})
{
    VkCommandBuffer command_buffer = record_one(b, 0);
    VkCommandBufferBeginInfo begin = begin_info();
    VK(vkEndCommandBuffer(command_buffer));
    submit_commands(b, command_buffer);
    vkBeginCommandBuffer(command_buffer, &begin);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(reset_pending, .expect = {"VUID-vkResetCommandBuffer-commandBuffer-00045"})
{
    VkCommandBuffer command_buffer = record_one(b, 0);
    VK(vkEndCommandBuffer(command_buffer));
    submit_commands(b, command_buffer);
    vkResetCommandBuffer(command_buffer, 0);
    VK(vkQueueWaitIdle(b->queue));
}

struct in_pool {
    VkCommandPool pool;
    VkCommandBuffer command_buffer;
};

static struct in_pool submit_of_pool(struct baseline *b)
{
    struct in_pool made = {.pool = make_command_pool(b)};
    made.command_buffer = allocate_from_command_pool(b, made.pool);
    record_nothing(made.command_buffer);
    submit_commands(b, made.command_buffer);
    return made;
}

SCENARIO(free_pending, .expect = {"VUID-vkFreeCommandBuffers-pCommandBuffers-00047"},
         .text = {"pCommandBuffers[0]"})
{
    struct in_pool made = submit_of_pool(b);
    vkFreeCommandBuffers(b->device, made.pool, 1, &made.command_buffer);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(reset_pool_of_pending, .expect = {"VUID-vkResetCommandPool-commandPool-00040"})
{
    struct in_pool made = submit_of_pool(b);
    vkResetCommandPool(b->device, made.pool, 0);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(destroy_pool_of_pending, .expect = {"VUID-vkDestroyCommandPool-commandPool-00041"})
{
    struct in_pool made = submit_of_pool(b);
    vkDestroyCommandPool(b->device, made.pool, NULL);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(all_of_a_pool_when_done)
{
    struct in_pool made = submit_of_pool(b);
    VK(vkQueueWaitIdle(b->queue));
    VK(vkResetCommandBuffer(made.command_buffer, 0));
    VK(vkResetCommandPool(b->device, made.pool, 0));
    vkFreeCommandBuffers(b->device, made.pool, 1, &made.command_buffer);
}

SCENARIO(submit_secondary, .expect = {"VUID-VkSubmitInfo-pCommandBuffers-00075"},
         .text = {"is a secondary command buffer"})
{
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.pInheritanceInfo = &inheritance;
    VkCommandBuffer command_buffer = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    VK(vkEndCommandBuffer(command_buffer));
    submit_commands(b, command_buffer);
}

SCENARIO(submit_to_another_family, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00074"},
         .drivers = NULL_DRIVER, .text = {"but the queue is of family"})
{
    uint32_t family = find_queue_family(b->physical_device, VK_QUEUE_TRANSFER_BIT,
                                        VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT);
    VkCommandBuffer command_buffer = make_recording_of(b, family);
    VK(vkEndCommandBuffer(command_buffer));
    submit_commands(b, command_buffer);
}

/* --- made invalid (6.1) --- */

SCENARIO(submit_after_pipeline_was_destroyed,
         .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},
         .text = {"is invalid: ", "VkPipeline", " was destroyed by ",
                  ", after a command that uses it was recorded"})
{
    VkPipeline pipeline = make_any_compute_pipeline(b);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    VK(vkEndCommandBuffer(command_buffer));
    FORGET(b, pipeline);
    vkDestroyPipeline(b->device, pipeline, NULL);
    submit_commands(b, command_buffer);
}

static VkDescriptorSet write_used_set(struct baseline *b, VkDescriptorSet set)
{
    VkDescriptorBufferInfo buffer = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                     VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = write_buffer(set, &buffer);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    return set;
}

static VkCommandBuffer record_set(struct baseline *b, VkDescriptorSet *set)
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkCommandBuffer command_buffer = make_recording(b);
    *set = write_used_set(b, make_descriptor_set(b, make_descriptor_pool(b), layout));
    vkCmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE,
                            make_pipeline_layout(b, layout), 0, 1, set, 0, NULL);
    VK(vkEndCommandBuffer(command_buffer));
    return command_buffer;
}

SCENARIO(submit_after_set_was_updated, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},
         .text = {"a descriptor set was updated"})
{
    VkDescriptorSet set;
    VkCommandBuffer command_buffer = record_set(b, &set);
    write_used_set(b, set);
    submit_commands(b, command_buffer);
}

SCENARIO(submit_with_set)
{
    VkDescriptorSet set;
    submit_until_done(b, record_set(b, &set));
}

/* --- made invalid while they are recorded --- */

#define END_ID "VUID-vkEndCommandBuffer-commandBuffer-00059"

SCENARIO(end_after_pipeline_was_destroyed, .expect = {END_ID},
         .text = {"commandBuffer is invalid: ", "VkPipeline", " was destroyed by "})
{
    VkPipeline pipeline = make_any_compute_pipeline(b);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    FORGET(b, pipeline);
    vkDestroyPipeline(b->device, pipeline, NULL);
    vkEndCommandBuffer(command_buffer);
}

/* The submit has a number of its own for it. */
SCENARIO(end_and_submit_after_pipeline_was_destroyed, .proceed = true, .drivers = NULL_DRIVER,
         .expect = {END_ID, "VUID-vkQueueSubmit-pCommandBuffers-00070"})
{
    VkPipeline pipeline = make_any_compute_pipeline(b);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    FORGET(b, pipeline);
    vkDestroyPipeline(b->device, pipeline, NULL);
    VK(vkEndCommandBuffer(command_buffer));
    submit_commands(b, command_buffer);
    VK(vkQueueWaitIdle(b->queue));
}

static VkBuffer fill_in(struct baseline *b, VkCommandBuffer command_buffer)
{
    VkBuffer buffer = make_buffer(b, 256, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    vkCmdFillBuffer(command_buffer, buffer, 0, VK_WHOLE_SIZE, 0);
    return buffer;
}

/* "any memory or object that may be accessed when the command buffer is accessed" */
SCENARIO(end_after_memory_was_freed, .expect = {END_ID},
         .text = {"commandBuffer is invalid: it uses VkBuffer", "VkDeviceMemory", " was freed by "})
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkDeviceMemory memory = buffer_memory(b, fill_in(b, command_buffer));
    FORGET(b, memory);
    vkFreeMemory(b->device, memory, NULL);
    vkEndCommandBuffer(command_buffer);
}

static VkCommandBuffer begin_with_set(struct baseline *b, VkDescriptorSet *set)
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkCommandBuffer command_buffer = make_recording(b);
    *set = write_used_set(b, make_descriptor_set(b, make_descriptor_pool(b), layout));
    vkCmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE,
                            make_pipeline_layout(b, layout), 0, 1, set, 0, NULL);
    return command_buffer;
}

SCENARIO(end_after_set_was_updated, .expect = {END_ID}, .text = {"a descriptor set was updated"})
{
    VkDescriptorSet set;
    VkCommandBuffer command_buffer = begin_with_set(b, &set);
    write_used_set(b, set);
    vkEndCommandBuffer(command_buffer);
}

/* "if any command buffer executed within it via vkCmdExecuteCommands transitions to any state other
 * than the pending or executable state" */
SCENARIO(end_after_secondary_was_recorded_again, .expect = {END_ID},
         .text = {"a secondary command buffer that it executes", "was recorded again since"})
{
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.pInheritanceInfo = &inheritance;
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBuffer command_buffer = make_recording(b);
    VK(vkBeginCommandBuffer(secondary, &begin));
    VK(vkEndCommandBuffer(secondary));
    vkCmdExecuteCommands(command_buffer, 1, &secondary);
    VK(vkBeginCommandBuffer(secondary, &begin));
    VK(vkEndCommandBuffer(secondary));
    vkEndCommandBuffer(command_buffer);
}

/* Nothing that it uses goes: another pipeline, and what was recorded before it was begun again. */
SCENARIO(end_after_others_went)
{
    VkDescriptorSet set;
    VkPipeline before = make_any_compute_pipeline(b);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, before);
    VK(vkResetCommandBuffer(command_buffer, 0));
    const VkCommandBufferBeginInfo begin = begin_info();
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    (void)fill_in(b, command_buffer);
    FORGET(b, before);
    vkDestroyPipeline(b->device, before, NULL);
    VK(vkEndCommandBuffer(command_buffer));
    command_buffer = begin_with_set(b, &set);
    VK(vkEndCommandBuffer(command_buffer));
    submit_until_done(b, command_buffer);
}

/* --- submitted again --- */

static VkCommandBuffer record_pipeline(struct baseline *b, VkPipeline *pipeline)
{
    VkCommandBuffer command_buffer = make_recording(b);
    *pipeline = make_any_compute_pipeline(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, *pipeline);
    VK(vkEndCommandBuffer(command_buffer));
    return command_buffer;
}

SCENARIO(submit_again_after_pipeline_was_destroyed,
         .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},
         .text = {"is invalid: ", "VkPipeline", " was destroyed by "})
{
    VkPipeline pipeline;
    VkCommandBuffer command_buffer = record_pipeline(b, &pipeline);
    submit_until_done(b, command_buffer);
    submit_until_done(b, command_buffer);
    FORGET(b, pipeline);
    vkDestroyPipeline(b->device, pipeline, NULL);
    submit_commands(b, command_buffer);
}

SCENARIO(submit_again_after_set_was_updated, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},
         .text = {"a descriptor set was updated"})
{
    VkDescriptorSet set;
    VkCommandBuffer command_buffer = record_set(b, &set);
    submit_until_done(b, command_buffer);
    submit_until_done(b, command_buffer);
    write_used_set(b, set);
    submit_commands(b, command_buffer);
}

/* Only the command buffer has the stamp of its third submission at first. */
SCENARIO(destroy_while_submitted_again, .expect = {"VUID-vkDestroyPipeline-pipeline-00765"},
         .text = {"pipeline is in use by VkCommandBuffer 0x", "(its submission 3)"})
{
    VkPipeline pipeline;
    VkCommandBuffer command_buffer = record_pipeline(b, &pipeline);
    submit_until_done(b, command_buffer);
    submit_until_done(b, command_buffer);
    submit_commands(b, command_buffer);
    vkDestroyPipeline(b->device, pipeline, NULL);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(update_while_submitted_again, .expect = {"VUID-vkUpdateDescriptorSets-None-03047"},
         .text = {"in use by VkCommandBuffer 0x"})
{
    VkDescriptorSet set;
    VkCommandBuffer command_buffer = record_set(b, &set);
    submit_until_done(b, command_buffer);
    submit_commands(b, command_buffer);
    write_used_set(b, set);
    VK(vkQueueWaitIdle(b->queue));
}

/* Another command buffer with the set, which was updated in between, and one without it. */
SCENARIO(submit_again_what_is_as_it_was)
{
    VkDescriptorSet set, other;
    VkPipeline pipeline;
    VkCommandBuffer with_pipeline = record_pipeline(b, &pipeline), first = record_set(b, &set),
                    second = record_set(b, &other);
    for (uint32_t i = 0; i < 3; i++) {
        submit_commands(b, with_pipeline);
        submit_until_done(b, first);
        write_used_set(b, other);
    }
    submit_until_done(b, with_pipeline);
    VK(vkResetCommandBuffer(with_pipeline, 0));
    FORGET(b, pipeline);
    vkDestroyPipeline(b->device, pipeline, NULL);
    submit_until_done(b, first);
    (void)second;
}

/* A pipeline layout may go once recording has ended. */
SCENARIO(submit_after_layout_was_destroyed)
{
    VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    VkPipelineLayout layout = make_pipeline_layout(b, set_layout);
    VkDescriptorSet set =
        write_used_set(b, make_descriptor_set(b, make_descriptor_pool(b), set_layout));
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                            NULL);
    VK(vkEndCommandBuffer(command_buffer));
    FORGET(b, layout);
    vkDestroyPipelineLayout(b->device, layout, NULL);
    submit_until_done(b, command_buffer);
}

/* --- secondaries --- */

static VkCommandBuffer record_secondary_with(struct baseline *b, VkCommandBufferUsageFlags flags)
{
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.pInheritanceInfo = &inheritance;
    begin.flags = flags;
    VkCommandBuffer command_buffer = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    VK(vkEndCommandBuffer(command_buffer));
    return command_buffer;
}

static VkCommandBuffer execute_commands(struct baseline *b, VkCommandBuffer secondary,
                                        VkCommandBufferUsageFlags flags)
{
    VkCommandBuffer primary = record_one(b, flags);
    vkCmdExecuteCommands(primary, 1, &secondary);
    VK(vkEndCommandBuffer(primary));
    return primary;
}

SCENARIO(submit_after_secondary_was_reset, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00072"},
         .text = {"was not recorded since"})
{
    VkCommandBuffer secondary = record_secondary_with(b, 0);
    VkCommandBuffer primary = execute_commands(b, secondary, 0);
    VK(vkResetCommandBuffer(secondary, 0));
    submit_commands(b, primary);
}

SCENARIO(submit_secondary_twice, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00073"})
{
    VkCommandBuffer primary = execute_commands(b, record_secondary_with(b, 0),
                                               VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    submit_commands(b, primary);
    submit_commands(b, primary);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(submit_secondary_in_turn)
{
    VkCommandBuffer secondary = record_secondary_with(b, 0);
    submit_until_done(b, execute_commands(b, secondary, 0));
    submit_until_done(b, execute_commands(b, secondary, 0));
}

/* --- the same by vkQueueSubmit2 --- */

#define SUBMIT2(id_) \
    .features = &features_sync2, .expect = {"VUID-vkQueueSubmit2-commandBuffer-" id_}

SCENARIO(submit2_secondary, .features = &features_sync2,
         .expect = {"VUID-VkCommandBufferSubmitInfo-commandBuffer-03890"},
         .text = {"commandBuffer is a secondary command buffer"})
{
    submit_commands2(b, record_secondary_with(b, 0));
}

SCENARIO(submit2_to_another_family, SUBMIT2("03878"), .drivers = NULL_DRIVER,
         .text = {"but the queue is of family"})
{
    VkCommandBuffer command_buffer =
        make_recording_of(b, find_queue_family(b->physical_device, VK_QUEUE_TRANSFER_BIT,
                                               VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT));
    VK(vkEndCommandBuffer(command_buffer));
    submit_commands2(b, command_buffer);
}

SCENARIO(submit2_after_secondary_was_reset, SUBMIT2("03876"), .text = {"was not recorded since"})
{
    VkCommandBuffer secondary = record_secondary_with(b, 0);
    VkCommandBuffer primary = execute_commands(b, secondary, 0);
    VK(vkResetCommandBuffer(secondary, 0));
    submit_commands2(b, primary);
}

SCENARIO(submit2_secondary_twice, SUBMIT2("03877"),
         .text = {"VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT"})
{
    VkCommandBuffer primary = execute_commands(b, record_secondary_with(b, 0),
                                               VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    submit_commands2(b, primary);
    submit_commands2(b, primary);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(submit2_secondary_in_turn, .features = &features_sync2)
{
    VkCommandBuffer secondary = record_secondary_with(b, 0);
    VkCommandBuffer primary = execute_commands(b, secondary, 0);
    submit_commands2(b, primary);
    VK(vkQueueWaitIdle(b->queue));
    submit_commands2(b, primary);
    VK(vkQueueWaitIdle(b->queue));
}
