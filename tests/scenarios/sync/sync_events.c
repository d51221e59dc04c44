/* Events: set, reset and waited for, by commands and by the host. */
#include "scenario.h"

static const VkPhysicalDeviceVulkan13Features features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .dynamicRendering = VK_TRUE,
    .synchronization2 = VK_TRUE};

static VkEvent device_event(struct baseline *b)
{
    VkEventCreateInfo info = event_info();
    info.flags = VK_EVENT_CREATE_DEVICE_ONLY_BIT;
    return create_event(b, &info);
}

/* The host. */
SCENARIO(device_only_status, .expect = {"VUID-vkGetEventStatus-event-03940"},
         .features = &features13)
{
    (void)vkGetEventStatus(b->device, device_event(b));
}

SCENARIO(device_only_set, .expect = {"VUID-vkSetEvent-event-03941"}, .features = &features13)
{
    (void)vkSetEvent(b->device, device_event(b));
}

SCENARIO(device_only_reset, .expect = {"VUID-vkResetEvent-event-03823"}, .features = &features13)
{
    (void)vkResetEvent(b->device, device_event(b));
}

SCENARIO(host_sets_and_resets)
{
    VkEvent event = make_event(b);
    VK(vkSetEvent(b->device, event));
    EXPECT_EQUAL(vkGetEventStatus(b->device, event), VK_EVENT_SET);
    VK(vkResetEvent(b->device, event));
}

static void wait_for_one_event(VkCommandBuffer command_buffer, VkEvent event,
                               VkPipelineStageFlags src, VkPipelineStageFlags dst)
{
    vkCmdWaitEvents(command_buffer, 1, &event, src, dst, 0, NULL, 0, NULL, 0, NULL);
}

#define ALL      VK_PIPELINE_STAGE_ALL_COMMANDS_BIT
#define TRANSFER VK_PIPELINE_STAGE_TRANSFER_BIT
#define HOST     VK_PIPELINE_STAGE_HOST_BIT
#define COMPUTE  VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT

/* Ends the command buffer, submits it and waits. A submit that is refused leaves nothing to wait
 * for. */
static void run_event_commands(struct baseline *b, VkCommandBuffer command_buffer)
{
    VkSubmitInfo submit = submit_info(&command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
    if (vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE) == VK_SUCCESS)
        VK(vkQueueWaitIdle(b->queue));
}

static VkCommandBuffer submit_events(struct baseline *b, VkEvent event)
{
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdSetEvent(command_buffer, event, ALL);
    wait_for_one_event(command_buffer, event, ALL, ALL);
    VkSubmitInfo submit = submit_info(&command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    return command_buffer;
}

SCENARIO(host_sets_waited_for, .expect = {"VUID-vkSetEvent-event-09543"})
{
    VkEvent event = make_event(b);
    submit_events(b, event);
    (void)vkSetEvent(b->device, event);
    VK(vkQueueWaitIdle(b->queue));
}

/* A wait for what the host has set, and a reset by the host. */
static void reset_waited_for(struct baseline *b, bool by_2, bool waits_idle)
{
    VkEvent event = make_event(b);
    VkCommandBuffer command_buffer = make_recording(b);
    const VkMemoryBarrier2 host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                   .srcStageMask = VK_PIPELINE_STAGE_2_HOST_BIT,
                                   .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    const VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                         .memoryBarrierCount = 1,
                                         .pMemoryBarriers = &host};
    VK(vkSetEvent(b->device, event));
    if (by_2)
        vkCmdWaitEvents2(command_buffer, 1, &event, &dependency);
    else
        wait_for_one_event(command_buffer, event, HOST, ALL);
    VK(vkEndCommandBuffer(command_buffer));
    VkSubmitInfo submit = submit_info(&command_buffer);
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    if (waits_idle)
        VK(vkQueueWaitIdle(b->queue));
    (void)vkResetEvent(b->device, event);
    VK(vkQueueWaitIdle(b->queue));
}
SCENARIO(host_resets_waited_for, .expect = {"VUID-vkResetEvent-event-03821"},
         .text = {"the queue might wait forever"})
{
    reset_waited_for(b, false, false);
}
SCENARIO(host_resets_waited_for_2, .expect = {"VUID-vkResetEvent-event-03822"},
         .features = &features13)
{
    reset_waited_for(b, true, false);
}
SCENARIO(host_resets_when_done, .features = &features13)
{
    reset_waited_for(b, false, true);
    reset_waited_for(b, true, true);
}

/* The wait does not begin before the host says so: that is an execution dependency. */
static const VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
    .timelineSemaphore = VK_TRUE};
SCENARIO(host_resets_before_it_lets_the_queue_wait, .features = &timeline)
{
    VkEvent event = make_event(b);
    VkCommandBuffer command_buffer = make_recording(b);
    const VkSemaphore start = make_timeline_semaphore(b, 0);
    const uint64_t value = 1;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &value};
    const VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = start, .value = value};
    const VkPipelineStageFlags all = ALL;
    vkCmdSetEvent(command_buffer, event, ALL);
    wait_for_one_event(command_buffer, event, ALL, ALL);
    VK(vkEndCommandBuffer(command_buffer));
    VkSubmitInfo submit = submit_info(&command_buffer);
    submit.pNext = &values;
    submit.waitSemaphoreCount = 1;
    submit.pWaitSemaphores = &start;
    submit.pWaitDstStageMask = &all;
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    VK(vkResetEvent(b->device, event));
    VK(vkSignalSemaphore(b->device, &signal));
    VK(vkQueueWaitIdle(b->queue));
}
/* A command sets it: the finding does not keep the call from the driver. */
SCENARIO(host_resets_what_a_command_sets, .expect = {"VUID-vkResetEvent-event-03821"},
         .proceed = true)
{
    VkEvent event = make_event(b);
    submit_events(b, event);
    VK(vkQueueWaitIdle(b->queue));
    submit_events(b, event);
    VK(vkResetEvent(b->device, event));
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(destroyed_while_pending, .expect = {"VUID-vkDestroyEvent-event-01145"})
{
    VkEvent event = make_event(b);
    submit_events(b, event);
    vkDestroyEvent(b->device, event, NULL);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(set_and_destroyed_when_done)
{
    VkEvent event = make_event(b);
    submit_events(b, event);
    VK(vkQueueWaitIdle(b->queue));
    VK(vkSetEvent(b->device, event));
    FORGET(b, event);
    vkDestroyEvent(b->device, event, NULL);
}

/* Stages. */
SCENARIO(set_host, .expect = {"VUID-vkCmdSetEvent-stageMask-01149"})
{
    vkCmdSetEvent(make_recording(b), make_event(b), HOST);
}

SCENARIO(reset_host, .expect = {"VUID-vkCmdResetEvent-stageMask-01153"})
{
    vkCmdResetEvent(make_recording(b), make_event(b), HOST);
}

SCENARIO(set_without_feature, .expect = {"VUID-vkCmdSetEvent-stageMask-04090"})
{
    vkCmdSetEvent(make_recording(b), make_event(b), VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT);
}

#define COMPUTE_FAMILY 1 /* of the null driver: compute and transfer */

SCENARIO(set_of_other_queue, .expect = {"VUID-vkCmdSetEvent-stageMask-06457"},
         .drivers = NULL_DRIVER)
{
    vkCmdSetEvent(make_recording_of(b, COMPUTE_FAMILY), make_event(b),
                  VK_PIPELINE_STAGE_VERTEX_SHADER_BIT);
}

SCENARIO(reset_of_other_queue, .expect = {"VUID-vkCmdResetEvent-stageMask-06458"},
         .drivers = NULL_DRIVER)
{
    vkCmdResetEvent(make_recording_of(b, COMPUTE_FAMILY), make_event(b),
                    VK_PIPELINE_STAGE_VERTEX_SHADER_BIT);
}

SCENARIO(wait_source_of_other_queue, .expect = {"VUID-vkCmdWaitEvents-srcStageMask-06459"},
         .drivers = NULL_DRIVER)
{
    wait_for_one_event(make_recording_of(b, COMPUTE_FAMILY), make_event(b),
                       VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, ALL);
}

SCENARIO(wait_destination_of_other_queue, .expect = {"VUID-vkCmdWaitEvents-dstStageMask-06460"},
         .drivers = NULL_DRIVER)
{
    wait_for_one_event(make_recording_of(b, COMPUTE_FAMILY), make_event(b), ALL,
                       VK_PIPELINE_STAGE_VERTEX_SHADER_BIT);
}

SCENARIO(stages_of_compute_queue, .drivers = NULL_DRIVER)
{
    VkCommandBuffer command_buffer = make_recording_of(b, COMPUTE_FAMILY);
    VkEvent event = make_event(b);
    vkCmdSetEvent(command_buffer, event, COMPUTE | TRANSFER);
    wait_for_one_event(command_buffer, event, COMPUTE | TRANSFER, COMPUTE | HOST);
    vkCmdResetEvent(command_buffer, event, COMPUTE);
}

SCENARIO(wait_for_other_stages, .expect = {"VUID-vkCmdWaitEvents-srcStageMask-01158"},
         .text = {"srcStageMask is VK_PIPELINE_STAGE_TRANSFER_BIT, but vkCmdSetEvent sets the "
                  "events after VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    vkCmdResetEvent(command_buffer, event, COMPUTE);
    vkCmdSetEvent(command_buffer, event, COMPUTE);
    wait_for_one_event(command_buffer, event, TRANSFER, ALL);
}

SCENARIO(wait_for_other_stages_submitted, .expect = {"VUID-vkCmdWaitEvents-srcStageMask-01158"},
         .text = {"waits with vkCmdWaitEvents after VK_PIPELINE_STAGE_TRANSFER_BIT, but the events "
                  "are set after VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    vkCmdSetEvent(command_buffer, event, COMPUTE);
    wait_for_one_event(command_buffer, event, TRANSFER, ALL);
    run_event_commands(b, command_buffer);
}

SCENARIO(wait_for_other_stages_of_earlier_submit,
         .expect = {"VUID-vkCmdWaitEvents-srcStageMask-01158"})
{
    VkCommandBuffer first = make_recording(b), second = make_recording(b);
    VkEvent event = make_event(b);
    vkCmdSetEvent(first, event, COMPUTE);
    run_event_commands(b, first);
    wait_for_one_event(second, event, TRANSFER, ALL);
    run_event_commands(b, second);
}

/* A finding of a recorded command is not reported again at its submit. */
SCENARIO(wait_for_other_stages_told_once, .expect = {"VUID-vkCmdWaitEvents-srcStageMask-01158"},
         .proceed = true)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    vkCmdResetEvent(command_buffer, event, COMPUTE);
    vkCmdSetEvent(command_buffer, event, COMPUTE);
    wait_for_one_event(command_buffer, event, TRANSFER, ALL);
    run_event_commands(b, command_buffer);
}

/* The first set may have signaled the event, or both count. */
SCENARIO(wait_after_two_sets)
{
    VkCommandBuffer first = make_recording(b), second = make_recording(b),
                    third = make_recording(b);
    VkEvent event = make_event(b);
    vkCmdSetEvent(first, event, COMPUTE);
    run_event_commands(b, first);
    vkCmdSetEvent(second, event, TRANSFER);
    wait_for_one_event(second, event, COMPUTE, ALL);
    wait_for_one_event(second, event, COMPUTE | TRANSFER, ALL);
    run_event_commands(b, second);
    wait_for_one_event(third, event, TRANSFER, ALL);
    vkCmdResetEvent(third, event, ALL);
    vkCmdSetEvent(third, event, ALL);
    wait_for_one_event(third, event, ALL, ALL);
    run_event_commands(b, third);
}

SCENARIO(wait_for_nothing, .expect = {"VUID-vkCmdWaitEvents-srcStageMask-01158"}, .proceed = true,
         .text = {
             "it is not signaled, and no command before sets it; the queue would wait forever"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    wait_for_one_event(command_buffer, make_event(b), TRANSFER, ALL);
    VkSubmitInfo submit = submit_info(&command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
    EXPECT_EQUAL(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE),
                 VK_ERROR_VALIDATION_FAILED_EXT);
}

SCENARIO(wait_for_what_was_reset, .expect = {"VUID-vkCmdWaitEvents-srcStageMask-01158"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    VK(vkSetEvent(b->device, event));
    vkCmdSetEvent(command_buffer, event, TRANSFER);
    vkCmdResetEvent(command_buffer, event, ALL);
    wait_for_one_event(command_buffer, event, TRANSFER, ALL);
    run_event_commands(b, command_buffer);
}

SCENARIO(wait_for_what_the_same_commands_reset,
         .expect = {"VUID-vkCmdWaitEvents-srcStageMask-01158"},
         .text = {"pEvents[0] is reset by an earlier command of this command buffer"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    vkCmdSetEvent(command_buffer, event, TRANSFER);
    vkCmdResetEvent(command_buffer, event, TRANSFER);
    wait_for_one_event(command_buffer, event, TRANSFER, ALL);
}
SCENARIO(wait_for_what_the_same_commands_reset_and_set)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    vkCmdResetEvent(command_buffer, event, TRANSFER);
    vkCmdSetEvent(command_buffer, event, TRANSFER);
    wait_for_one_event(command_buffer, event, TRANSFER, ALL);
}
/* It may not do so while the commands are pending, and they undo what it did before. */
SCENARIO(wait_for_the_host_to_set_what_the_same_commands_reset,
         .expect = {"VUID-vkCmdWaitEvents-srcStageMask-01158"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    VK(vkSetEvent(b->device, event));
    vkCmdResetEvent(command_buffer, event, TRANSFER);
    wait_for_one_event(command_buffer, event, HOST, ALL);
}

SCENARIO(wait_before_the_set, .expect = {"VUID-vkCmdWaitEvents-srcStageMask-01158"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    wait_for_one_event(command_buffer, event, TRANSFER, ALL);
    vkCmdSetEvent(command_buffer, event, TRANSFER);
    run_event_commands(b, command_buffer);
}

SCENARIO(wait_for_host_that_does_not_set, .expect = {"VUID-vkCmdWaitEvents-srcStageMask-01158"},
         .text = {"the host must set it before the submission"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    wait_for_one_event(command_buffer, make_event(b), HOST, ALL);
    run_event_commands(b, command_buffer);
}

SCENARIO(wait_for_host_that_has_set)
{
    VkCommandBuffer command_buffer = make_recording(b), later = make_recording(b);
    VkEvent event = make_event(b);
    VK(vkSetEvent(b->device, event));
    wait_for_one_event(command_buffer, event, HOST, ALL);
    vkCmdResetEvent(command_buffer, event, ALL);
    run_event_commands(b, command_buffer);
    VK(vkSetEvent(b->device, event));
    wait_for_one_event(later, event, HOST, ALL);
    run_event_commands(b, later);
}

/* In an earlier batch, an earlier command buffer of the batch, and a secondary. */
SCENARIO(wait_for_sets_of_others)
{
    VkCommandBuffer list[4] = {make_recording(b), make_recording(b), make_recording(b),
                               make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY)};
    VkEvent events[3] = {make_event(b), make_event(b), make_event(b)};
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .pInheritanceInfo = &inheritance};
    VK(vkBeginCommandBuffer(list[3], &begin));
    vkCmdSetEvent(list[3], events[2], ALL);
    VK(vkEndCommandBuffer(list[3]));
    vkCmdSetEvent(list[0], events[0], COMPUTE);
    vkCmdSetEvent(list[1], events[1], TRANSFER);
    vkCmdExecuteCommands(list[2], 1, &list[3]);
    vkCmdWaitEvents(list[2], 2, events, COMPUTE | TRANSFER, ALL, 0, NULL, 0, NULL, 0, NULL);
    wait_for_one_event(list[2], events[2], ALL, ALL);
    for (uint32_t i = 0; i < 3; i++)
        vkCmdResetEvent(list[2], events[i], ALL);
    for (uint32_t i = 0; i < 3; i++)
        VK(vkEndCommandBuffer(list[i]));
    VkSubmitInfo submits[2] = {submit_info(&list[0]), submit_info(&list[1])};
    submits[1].commandBufferCount = 2;
    VK(vkQueueSubmit(b->queue, 2, submits, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(wait_for_all_their_stages)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent events[2] = {make_event(b), make_event(b)};
    vkCmdSetEvent(command_buffer, events[0], COMPUTE);
    vkCmdSetEvent(command_buffer, events[1], TRANSFER);
    vkCmdWaitEvents(command_buffer, 2, events, COMPUTE | TRANSFER, ALL, 0, NULL, 0, NULL, 0, NULL);
    /* whether somebody else sets it, only a submit shows */
    wait_for_one_event(command_buffer, make_event(b), TRANSFER, ALL);
}

SCENARIO(wait_for_host_in_render_pass, .expect = {"VUID-vkCmdWaitEvents-srcStageMask-07308"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    wait_for_one_event(command_buffer, make_event(b), HOST, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT);
}

SCENARIO(wait_for_host)
{
    wait_for_one_event(make_recording(b), make_event(b), HOST,
                       VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT);
}

static void wait_inside(struct baseline *b, VkImageLayout to)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT),
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    begin_rendering(b, command_buffer);
    vkCmdWaitEvents(command_buffer, 1, &event, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                    VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, NULL, 0, NULL, 1, &barrier);
}

SCENARIO(wait_for_layout_in_render_pass, .expect = {"VUID-vkCmdWaitEvents-oldLayout-01181"},
         .text = {"goes from VK_IMAGE_LAYOUT_GENERAL to VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, "
                  "within a render pass instance"})
{
    wait_inside(b, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

SCENARIO(wait_for_image_in_render_pass)
{
    wait_inside(b, VK_IMAGE_LAYOUT_GENERAL);
}

SCENARIO(wait_moves_ownership, .expect = {"VUID-vkCmdWaitEvents-srcQueueFamilyIndex-02803"},
         .drivers = NULL_DRIVER)
{
    VkBufferMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                     .srcQueueFamilyIndex = b->queue_family,
                                     .dstQueueFamilyIndex = COMPUTE_FAMILY,
                                     .buffer = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
                                     .size = VK_WHOLE_SIZE};
    VkEvent event = make_event(b);
    vkCmdWaitEvents(make_recording(b), 1, &event, ALL, ALL, 0, NULL, 1, &barrier, 0, NULL);
}

/* Version 2. */
static VkDependencyInfo dependency_of(const VkMemoryBarrier2 *barrier)
{
    return (VkDependencyInfo){.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                              .memoryBarrierCount = barrier ? 1 : 0,
                              .pMemoryBarriers = barrier};
}

static VkMemoryBarrier2 barrier_between(VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst)
{
    return (VkMemoryBarrier2){
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, .srcStageMask = src, .dstStageMask = dst};
}

static void set_event2(VkCommandBuffer command_buffer, VkEvent event, VkPipelineStageFlags2 src,
                       VkPipelineStageFlags2 dst)
{
    VkMemoryBarrier2 barrier = barrier_between(src, dst);
    VkDependencyInfo info = dependency_of(&barrier);
    vkCmdSetEvent2(command_buffer, event, &info);
}

static void wait_event2(VkCommandBuffer command_buffer, VkEvent event, VkPipelineStageFlags2 src,
                        VkPipelineStageFlags2 dst, VkDependencyFlags flags)
{
    VkMemoryBarrier2 barrier = barrier_between(src, dst);
    VkDependencyInfo info = dependency_of(&barrier);
    info.dependencyFlags = flags;
    vkCmdWaitEvents2(command_buffer, 1, &event, &info);
}

#define ALL2    VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT
#define COPY2   VK_PIPELINE_STAGE_2_COPY_BIT
#define HOST2   VK_PIPELINE_STAGE_2_HOST_BIT
#define VERTEX2 VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT

SCENARIO(wait2_for_what_the_same_commands_reset, .expect = {"VUID-vkCmdWaitEvents2-pEvents-03841"},
         .features = &features13,
         .text = {"pEvents[0] is reset by an earlier command of this command buffer"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    set_event2(command_buffer, event, COPY2, ALL2);
    vkCmdResetEvent2(command_buffer, event, COPY2);
    wait_event2(command_buffer, event, COPY2, ALL2, 0);
}
SCENARIO(wait2_for_what_the_same_commands_reset_and_set, .features = &features13)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    vkCmdResetEvent2(command_buffer, event, COPY2);
    set_event2(command_buffer, event, COPY2, ALL2);
    wait_event2(command_buffer, event, COPY2, ALL2, 0);
}
SCENARIO(wait2_for_the_host_to_set_what_the_same_commands_reset,
         .expect = {"VUID-vkCmdWaitEvents2-pEvents-03840"}, .features = &features13)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    VK(vkSetEvent(b->device, event));
    vkCmdResetEvent2(command_buffer, event, COPY2);
    wait_event2(command_buffer, event, HOST2, ALL2, 0);
}

SCENARIO(set2_without_synchronization2, .expect = {"VUID-vkCmdSetEvent2-synchronization2-03824"})
{
    set_event2(make_recording(b), make_event(b), ALL2, ALL2);
}

SCENARIO(reset2_without_synchronization2,
         .expect = {"VUID-vkCmdResetEvent2-synchronization2-03829"})
{
    vkCmdResetEvent2(make_recording(b), make_event(b), ALL2);
}

SCENARIO(wait2_without_synchronization2, .expect = {"VUID-vkCmdWaitEvents2-synchronization2-03836"})
{
    wait_event2(make_recording(b), make_event(b), ALL2, ALL2, 0);
}

SCENARIO(reset2_host, .expect = {"VUID-vkCmdResetEvent2-stageMask-03830"}, .features = &features13)
{
    vkCmdResetEvent2(make_recording(b), make_event(b), HOST2);
}

SCENARIO(set2_by_region, .expect = {"VUID-vkCmdSetEvent2-dependencyFlags-03825"},
         .features = &features13)
{
    VkDependencyInfo info = dependency_of(NULL);
    info.dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
    vkCmdSetEvent2(make_recording(b), make_event(b), &info);
}

SCENARIO(set2_after_host, .expect = {"VUID-vkCmdSetEvent2-srcStageMask-09391"},
         .features = &features13)
{
    set_event2(make_recording(b), make_event(b), HOST2, ALL2);
}

SCENARIO(set2_before_host, .expect = {"VUID-vkCmdSetEvent2-dstStageMask-09392"},
         .features = &features13)
{
    set_event2(make_recording(b), make_event(b), ALL2, HOST2);
}

SCENARIO(set2_source_of_other_queue, .expect = {"VUID-vkCmdSetEvent2-srcStageMask-03827"},
         .features = &features13, .drivers = NULL_DRIVER)
{
    set_event2(make_recording_of(b, COMPUTE_FAMILY), make_event(b), VERTEX2, ALL2);
}

SCENARIO(set2_destination_of_other_queue, .expect = {"VUID-vkCmdSetEvent2-dstStageMask-03828"},
         .features = &features13, .drivers = NULL_DRIVER)
{
    set_event2(make_recording_of(b, COMPUTE_FAMILY), make_event(b), ALL2, VERTEX2);
}

SCENARIO(wait2_source_of_other_queue, .expect = {"VUID-vkCmdWaitEvents2-srcStageMask-03842"},
         .features = &features13, .drivers = NULL_DRIVER)
{
    wait_event2(make_recording_of(b, COMPUTE_FAMILY), make_event(b), VERTEX2, ALL2, 0);
}

SCENARIO(wait2_destination_of_other_queue, .expect = {"VUID-vkCmdWaitEvents2-dstStageMask-03843"},
         .features = &features13, .drivers = NULL_DRIVER)
{
    wait_event2(make_recording_of(b, COMPUTE_FAMILY), make_event(b), ALL2, VERTEX2, 0);
}

SCENARIO(wait2_by_region, .expect = {"VUID-vkCmdWaitEvents2-dependencyFlags-10394"},
         .features = &features13)
{
    wait_event2(make_recording(b), make_event(b), ALL2, ALL2, VK_DEPENDENCY_BY_REGION_BIT);
}

SCENARIO(wait2_use_all_stages, .expect = {"VUID-vkCmdWaitEvents2-maintenance8-10205"},
         .features = &features13, .extensions = {"VK_KHR_maintenance8"}, .drivers = NULL_DRIVER)
{
    wait_event2(make_recording(b), make_event(b), ALL2, ALL2,
                VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR);
}

SCENARIO(wait2_for_host_in_render_pass, .expect = {"VUID-vkCmdWaitEvents2-dependencyFlags-03844"},
         .features = &features13)
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    wait_event2(command_buffer, make_event(b), HOST2, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, 0);
}

SCENARIO(wait2_for_layout_in_render_pass, .expect = {"VUID-vkCmdWaitEvents2-oldLayout-01181"},
         .features = &features13)
{
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
        .newLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT),
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &barrier};
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    begin_rendering(b, command_buffer);
    vkCmdWaitEvents2(command_buffer, 1, &event, &info);
}

SCENARIO(wait2_for_event_of_version_1, .expect = {"VUID-vkCmdWaitEvents2-pEvents-03837"},
         .features = &features13)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    vkCmdResetEvent(command_buffer, event, ALL);
    vkCmdSetEvent(command_buffer, event, ALL);
    wait_event2(command_buffer, event, ALL2, ALL2, 0);
}

SCENARIO(wait_for_event_of_version_2, .expect = {"VUID-vkCmdWaitEvents-pEvents-03847"},
         .features = &features13)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    vkCmdResetEvent2(command_buffer, event, ALL2);
    set_event2(command_buffer, event, ALL2, ALL2);
    wait_for_one_event(command_buffer, event, ALL, ALL);
}

SCENARIO(wait2_with_other_dependency, .expect = {"VUID-vkCmdWaitEvents2-pEvents-10788"},
         .features = &features13)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    vkCmdResetEvent2(command_buffer, event, ALL2);
    set_event2(command_buffer, event, COPY2, ALL2);
    wait_event2(command_buffer, event, ALL2, ALL2, 0);
}

SCENARIO(submit_wait2_for_event_of_version_1, .expect = {"VUID-vkCmdWaitEvents2-pEvents-03837"},
         .features = &features13)
{
    VkCommandBuffer first = make_recording(b), second = make_recording(b);
    VkEvent event = make_event(b);
    vkCmdSetEvent(first, event, ALL);
    run_event_commands(b, first);
    wait_event2(second, event, ALL2, ALL2, 0);
    run_event_commands(b, second);
}

SCENARIO(submit_wait_for_event_of_version_2, .expect = {"VUID-vkCmdWaitEvents-pEvents-03847"},
         .features = &features13)
{
    VkCommandBuffer first = make_recording(b), second = make_recording(b);
    VkEvent event = make_event(b);
    set_event2(first, event, ALL2, ALL2);
    run_event_commands(b, first);
    wait_for_one_event(second, event, ALL, ALL);
    run_event_commands(b, second);
}

SCENARIO(submit_wait2_with_other_dependency, .expect = {"VUID-vkCmdWaitEvents2-pEvents-10788"},
         .features = &features13)
{
    VkCommandBuffer first = make_recording(b), second = make_recording(b);
    VkEvent event = make_event(b);
    set_event2(first, event, COPY2, ALL2);
    run_event_commands(b, first);
    wait_event2(second, event, ALL2, ALL2, 0);
    run_event_commands(b, second);
}

SCENARIO(submit_wait2_for_nothing, .expect = {"VUID-vkCmdWaitEvents2-pEvents-03841"},
         .features = &features13, .text = {"the queue would wait forever"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    wait_event2(command_buffer, make_event(b), ALL2, ALL2, 0);
    run_event_commands(b, command_buffer);
}

SCENARIO(submit_wait2_for_host_that_does_not_set, .expect = {"VUID-vkCmdWaitEvents2-pEvents-03840"},
         .features = &features13)
{
    VkCommandBuffer command_buffer = make_recording(b);
    wait_event2(command_buffer, make_event(b), HOST2, ALL2, 0);
    run_event_commands(b, command_buffer);
}

SCENARIO(submit_wait2_for_more_than_the_host, .expect = {"VUID-vkCmdWaitEvents2-pEvents-03839"},
         .features = &features13)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    VK(vkSetEvent(b->device, event));
    wait_event2(command_buffer, event, HOST2 | COPY2, ALL2, 0);
    run_event_commands(b, command_buffer);
}

/* Both versions come one after the other, set in an earlier submit, by the host, reset between. */
SCENARIO(submit_events_of_both_versions, .features = &features13)
{
    VkCommandBuffer first = make_recording(b), second = make_recording(b),
                    third = make_recording(b);
    VkEvent event = make_event(b);
    vkCmdSetEvent(first, event, ALL);
    wait_for_one_event(first, event, ALL, ALL);
    vkCmdResetEvent(first, event, ALL);
    set_event2(first, event, COPY2, ALL2);
    run_event_commands(b, first);
    wait_event2(second, event, COPY2, ALL2, 0);
    vkCmdResetEvent2(second, event, ALL2);
    vkCmdSetEvent(second, event, TRANSFER);
    run_event_commands(b, second);
    VK(vkResetEvent(b->device, event));
    VK(vkSetEvent(b->device, event));
    wait_event2(third, event, HOST2, ALL2, 0);
    wait_for_one_event(third, event, HOST, ALL);
    run_event_commands(b, third);
}

SCENARIO(events2_in_order, .features = &features13)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkEvent event = make_event(b);
    set_event2(command_buffer, event, COPY2, ALL2);
    wait_event2(command_buffer, event, COPY2, ALL2, 0);
    vkCmdResetEvent2(command_buffer, event, ALL2);
    set_event2(command_buffer, event, ALL2, COPY2);
    wait_event2(command_buffer, event, ALL2, COPY2, 0);
    wait_event2(command_buffer, make_event(b), HOST2, ALL2, 0);
}

SCENARIO(events2_of_compute_queue, .features = &features13, .drivers = NULL_DRIVER)
{
    VkCommandBuffer command_buffer = make_recording_of(b, COMPUTE_FAMILY);
    VkEvent event = make_event(b);
    set_event2(command_buffer, event, COPY2, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
    wait_event2(command_buffer, event, COPY2, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, 0);
}

/* Asymmetric events. */
#define ASYMMETRIC \
    .features = &features13, .extensions = {"VK_KHR_maintenance9"}, .drivers = NULL_DRIVER

static void set_asymmetric(struct baseline *b, VkDependencyInfo info)
{
    info.dependencyFlags = VK_DEPENDENCY_ASYMMETRIC_EVENT_BIT_KHR;
    vkCmdSetEvent2(make_recording(b), make_event(b), &info);
}

SCENARIO(asymmetric_with_buffer, .expect = {"VUID-vkCmdSetEvent2-dependencyFlags-10785"},
         ASYMMETRIC)
{
    VkMemoryBarrier2 barrier = barrier_between(COPY2, 0);
    VkBufferMemoryBarrier2 buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                     .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .buffer = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
                                     .size = VK_WHOLE_SIZE};
    VkDependencyInfo info = dependency_of(&barrier);
    info.bufferMemoryBarrierCount = 1;
    info.pBufferMemoryBarriers = &buffer;
    set_asymmetric(b, info);
}

SCENARIO(asymmetric_with_none, .expect = {"VUID-vkCmdSetEvent2-dependencyFlags-10786"}, ASYMMETRIC)
{
    set_asymmetric(b, dependency_of(NULL));
}

SCENARIO(asymmetric_with_destination, .expect = {"VUID-vkCmdSetEvent2-dependencyFlags-10787"},
         ASYMMETRIC)
{
    VkMemoryBarrier2 barrier = barrier_between(COPY2, COPY2);
    set_asymmetric(b, dependency_of(&barrier));
}

SCENARIO(asymmetric_source, ASYMMETRIC)
{
    VkMemoryBarrier2 barrier = barrier_between(COPY2, 0);
    set_asymmetric(b, dependency_of(&barrier));
}
