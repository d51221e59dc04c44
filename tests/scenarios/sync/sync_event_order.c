/* A reset of an event must come after the waits for it that were recorded before, in one command
 * buffer or several (7.5 "Events"). And events order nothing between two queues. */
#include "scenario.h"

static const VkPhysicalDeviceVulkan13Features features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .dynamicRendering = VK_TRUE,
    .synchronization2 = VK_TRUE};

#define TRANSFER VK_PIPELINE_STAGE_TRANSFER_BIT
#define FRAGMENT VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT
#define COMPUTE  VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
#define ALL      VK_PIPELINE_STAGE_ALL_COMMANDS_BIT
#define COPY2    VK_PIPELINE_STAGE_2_COPY_BIT

struct order {
    struct baseline *b;
    VkCommandBuffer commands;
    VkEvent event;
    VkDependencyInfo info; /* from COPY to FRAGMENT_SHADER */
};

static const VkMemoryBarrier2 copy_to_fragment = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                                  .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                                  .dstStageMask =
                                                      VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT};

static struct order begin_order(struct baseline *b)
{
    return (struct order){.b = b,
                          .commands = make_recording(b),
                          .event = make_event(b),
                          .info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &copy_to_fragment}};
}

static void set_and_wait(const struct order *o, VkPipelineStageFlags src, VkPipelineStageFlags dst)
{
    vkCmdSetEvent(o->commands, o->event, src);
    vkCmdWaitEvents(o->commands, 1, &o->event, src, dst, 0, NULL, 0, NULL, 0, NULL);
}

static void set_and_wait2(const struct order *o)
{
    vkCmdSetEvent2(o->commands, o->event, &o->info);
    vkCmdWaitEvents2(o->commands, 1, &o->event, &o->info);
}

static void record_order(VkCommandBuffer commands)
{
    vkCmdPipelineBarrier(commands, ALL, ALL, 0, 0, NULL, 0, NULL, 0, NULL);
}

/* --- in one command buffer --- */

SCENARIO(wait_and_reset, .expect = {"VUID-vkCmdResetEvent-event-03834"},
         .text = {"event may be reset before it is waited for by vkCmdWaitEvents (command 1)"})
{
    struct order o = begin_order(b);
    set_and_wait(&o, TRANSFER, FRAGMENT);
    vkCmdResetEvent(o.commands, o.event, TRANSFER);
}
SCENARIO(wait2_and_reset, .expect = {"VUID-vkCmdResetEvent-event-03835"}, .features = &features13)
{
    struct order o = begin_order(b);
    set_and_wait2(&o);
    vkCmdResetEvent(o.commands, o.event, TRANSFER);
}
SCENARIO(wait_and_reset2, .expect = {"VUID-vkCmdResetEvent2-event-03831"}, .features = &features13)
{
    struct order o = begin_order(b);
    set_and_wait(&o, TRANSFER, FRAGMENT);
    vkCmdResetEvent2(o.commands, o.event, COPY2);
}
SCENARIO(wait2_and_reset2, .expect = {"VUID-vkCmdResetEvent2-event-03832"}, .features = &features13)
{
    struct order o = begin_order(b);
    set_and_wait2(&o);
    vkCmdResetEvent2(o.commands, o.event, VK_PIPELINE_STAGE_2_NONE);
}
/* The wait for the other event is of the same command, after which the copies come. */
static void wait2_for_two(struct baseline *b, VkPipelineStageFlags2 other)
{
    struct order o = begin_order(b);
    const VkMemoryBarrier2 second = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                     .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                     .dstStageMask = other};
    const VkEvent events[2] = {o.event, make_event(b)};
    const VkDependencyInfo infos[2] = {o.info,
                                       {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                        .memoryBarrierCount = 1,
                                        .pMemoryBarriers = &second}};
    for (uint32_t i = 0; i < 2; i++)
        vkCmdSetEvent2(o.commands, events[i], &infos[i]);
    vkCmdWaitEvents2(o.commands, 2, events, infos);
    vkCmdResetEvent2(o.commands, o.event, COPY2);
}
SCENARIO(wait2_for_two_and_reset2, .features = &features13)
{
    wait2_for_two(b, COPY2);
}
SCENARIO(wait2_for_two_and_early_reset2, .expect = {"VUID-vkCmdResetEvent2-event-03832"},
         .features = &features13)
{
    wait2_for_two(b, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
}
/* The stages that the wait lets wait are logically later than those that the reset waits for. */
SCENARIO(reset_of_an_earlier_stage, .expect = {"VUID-vkCmdResetEvent-event-03834"})
{
    struct order o = begin_order(b);
    set_and_wait(&o, TRANSFER, FRAGMENT);
    vkCmdResetEvent(o.commands, o.event, VK_PIPELINE_STAGE_VERTEX_SHADER_BIT);
}
SCENARIO(reset_of_transfers_after_compute, .expect = {"VUID-vkCmdResetEvent-event-03834"})
{
    struct order o = begin_order(b);
    set_and_wait(&o, TRANSFER, COMPUTE);
    vkCmdResetEvent(o.commands, o.event, TRANSFER | FRAGMENT);
}

/* Dependency chains: the reset waits for stages that the wait lets wait, or later ones. */
SCENARIO(resets_that_wait, .features = &features13)
{
    const struct {
        VkPipelineStageFlags after, before;
    } pairs[] = {
        {FRAGMENT, FRAGMENT},
        {FRAGMENT, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT},
        {FRAGMENT, ALL},
        {ALL, COMPUTE},
        {VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, TRANSFER},
        {COMPUTE, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT},
        {VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, COMPUTE},
        {VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, COMPUTE},
        {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT},
    };
    struct order o = begin_order(b);
    for (uint32_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        set_and_wait(&o, TRANSFER, pairs[i].after);
        vkCmdResetEvent(o.commands, o.event, pairs[i].before);
        record_order(o.commands);
    }
    set_and_wait(&o, COMPUTE, TRANSFER);
    vkCmdResetEvent2(o.commands, o.event, COPY2);
    record_order(o.commands);
    set_and_wait2(&o);
    vkCmdResetEvent2(o.commands, o.event, VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT);
}
/* No sentence says which stages of a barrier reach the operation of an event. */
SCENARIO(reset_after_some_barrier, .features = &features13)
{
    struct order o = begin_order(b);
    set_and_wait(&o, TRANSFER, FRAGMENT);
    vkCmdPipelineBarrier(o.commands, COMPUTE, COMPUTE, 0, 0, NULL, 0, NULL, 0, NULL);
    vkCmdResetEvent(o.commands, o.event, TRANSFER);
    set_and_wait2(&o);
    vkCmdPipelineBarrier2(o.commands, &o.info);
    vkCmdResetEvent2(o.commands, o.event, COPY2);
}
SCENARIO(reset_after_a_wait_for_another)
{
    struct order o = begin_order(b);
    VkEvent other = make_event(b);
    vkCmdSetEvent(o.commands, other, ALL);
    set_and_wait(&o, TRANSFER, FRAGMENT);
    vkCmdWaitEvents(o.commands, 1, &other, ALL, ALL, 0, NULL, 0, NULL, 0, NULL);
    vkCmdResetEvent(o.commands, o.event, TRANSFER);
}
SCENARIO(reset_after_a_render_pass)
{
    struct order o = begin_order(b);
    set_and_wait(&o, TRANSFER, FRAGMENT);
    begin_rendering(b, o.commands);
    vkCmdEndRenderPass(o.commands);
    vkCmdResetEvent(o.commands, o.event, TRANSFER);
}
SCENARIO(reset_before_anything_waits)
{
    struct order o = begin_order(b);
    vkCmdResetEvent(o.commands, o.event, TRANSFER);
    set_and_wait(&o, TRANSFER, FRAGMENT);
    vkCmdResetEvent(o.commands, make_event(b), TRANSFER);
}

/* --- in several command buffers --- */

/* The wait is in the first one, the reset in the second one, which may begin with a barrier. */
static void submit_two(struct baseline *b, bool version2, bool orders, bool ends_with_it)
{
    struct order o = begin_order(b);
    VkCommandBuffer list[2] = {o.commands, make_recording(b)};
    set_and_wait(&o, TRANSFER, FRAGMENT);
    if (orders)
        record_order(list[ends_with_it ? 0 : 1]);
    vkCmdResetEvent(list[1], o.event, TRANSFER);
    VkCommandBufferSubmitInfo infos[2];
    for (uint32_t i = 0; i < 2; i++) {
        VK(vkEndCommandBuffer(list[i]));
        infos[i] = (VkCommandBufferSubmitInfo){
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = list[i]};
    }
    VkSubmitInfo submit = submit_info(&list[0]);
    submit.commandBufferCount = 2;
    const VkSubmitInfo2 submit2 = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                   .commandBufferInfoCount = 2,
                                   .pCommandBufferInfos = infos};
    if ((version2 ? vkQueueSubmit2(b->queue, 1, &submit2, VK_NULL_HANDLE)
                  : vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE)) == VK_SUCCESS)
        VK(vkQueueWaitIdle(b->queue));
}
SCENARIO(reset_in_the_next, .expect = {"VUID-vkCmdResetEvent-event-03834"},
         .text = {"which may come before the wait for it by vkCmdWaitEvents of an earlier"})
{
    submit_two(b, false, false, false);
}
SCENARIO(reset_in_the_next_2, .expect = {"VUID-vkCmdResetEvent-event-03834"},
         .features = &features13)
{
    submit_two(b, true, false, false);
}
SCENARIO(reset_in_the_next_after_a_barrier, .features = &features13)
{
    submit_two(b, false, true, false);
    submit_two(b, false, true, true);
    submit_two(b, true, true, false);
    submit_two(b, true, true, true);
}
/* Submissions wait for semaphores, and the host for the queue. */
SCENARIO(reset_in_a_later_submission)
{
    struct order o = begin_order(b);
    VkCommandBuffer list[2] = {o.commands, make_recording(b)};
    set_and_wait(&o, TRANSFER, FRAGMENT);
    vkCmdResetEvent(list[1], o.event, TRANSFER);
    run_commands(b, list[0]);
    run_commands(b, list[1]);
}

static VkCommandBuffer begin_secondary(struct baseline *b)
{
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .pInheritanceInfo = &inheritance};
    VkCommandBuffer commands = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(commands, &info));
    return commands;
}

/* Executes a secondary that resets the event, after a barrier or not. */
static void reset_in_secondary(const struct order *o, bool orders)
{
    VkCommandBuffer secondary = begin_secondary(o->b);
    if (orders)
        record_order(secondary);
    vkCmdResetEvent(secondary, o->event, TRANSFER);
    VK(vkEndCommandBuffer(secondary));
    vkCmdExecuteCommands(o->commands, 1, &secondary);
}
SCENARIO(reset_in_a_secondary, .expect = {"VUID-vkCmdResetEvent-event-03834"},
         .text = {"pCommandBuffers[0] resets"}, .proceed = true)
{
    struct order o = begin_order(b);
    set_and_wait(&o, TRANSFER, FRAGMENT);
    reset_in_secondary(&o, false);
    run_commands(b, o.commands); /* it is not reported again */
}
SCENARIO(reset_in_a_secondary_after_a_barrier)
{
    struct order o = begin_order(b);
    set_and_wait(&o, TRANSFER, FRAGMENT);
    reset_in_secondary(&o, true);
    set_and_wait(&o, TRANSFER, FRAGMENT);
    record_order(o.commands);
    reset_in_secondary(&o, false);
    run_commands(b, o.commands);
}
SCENARIO(wait_in_a_secondary, .expect = {"VUID-vkCmdResetEvent-event-03834"})
{
    struct order o = begin_order(b);
    VkCommandBuffer primary = o.commands;
    o.commands = begin_secondary(b);
    set_and_wait(&o, TRANSFER, FRAGMENT);
    VK(vkEndCommandBuffer(o.commands));
    vkCmdExecuteCommands(primary, 1, &o.commands);
    vkCmdResetEvent(primary, o.event, TRANSFER);
}
SCENARIO(wait_in_a_secondary_that_ends_with_a_barrier)
{
    struct order o = begin_order(b);
    VkCommandBuffer primary = o.commands;
    o.commands = begin_secondary(b);
    set_and_wait(&o, TRANSFER, FRAGMENT);
    record_order(o.commands);
    VK(vkEndCommandBuffer(o.commands));
    vkCmdExecuteCommands(primary, 1, &o.commands);
    vkCmdResetEvent(primary, o.event, TRANSFER);
    run_commands(b, primary);
}

/* --- sets and waits of several command buffers --- */

/* The primary sets the event after a reset, by one version, and a secondary waits for it. */
static void wait_in_secondary(struct baseline *b, bool set_by_2, bool wait_by_2, bool submits)
{
    struct order o = begin_order(b);
    VkCommandBuffer secondary = begin_secondary(b);
    vkCmdResetEvent(o.commands, o.event, ALL);
    if (set_by_2)
        vkCmdSetEvent2(o.commands, o.event, &o.info);
    else
        vkCmdSetEvent(o.commands, o.event, TRANSFER);
    if (wait_by_2)
        vkCmdWaitEvents2(secondary, 1, &o.event, &o.info);
    else
        vkCmdWaitEvents(secondary, 1, &o.event, TRANSFER, FRAGMENT, 0, NULL, 0, NULL, 0, NULL);
    VK(vkEndCommandBuffer(secondary));
    vkCmdExecuteCommands(o.commands, 1, &secondary);
    if (submits)
        run_commands(b, o.commands);
}
SCENARIO(secondary_waits2_for_version_1, .expect = {"VUID-vkCmdWaitEvents2-pEvents-03837"},
         .features = &features13)
{
    wait_in_secondary(b, false, true, false);
}
SCENARIO(secondary_waits_for_version_2, .expect = {"VUID-vkCmdWaitEvents-pEvents-03847"},
         .features = &features13, .proceed = true)
{
    wait_in_secondary(b, true, false, true); /* it is not reported again */
}
SCENARIO(secondaries_wait_as_was_set, .features = &features13)
{
    wait_in_secondary(b, true, true, true);
    wait_in_secondary(b, false, false, true);
}
/* Only the submit knows whether the event was signaled before. */
SCENARIO(secondary_sets_for_the_other_version, .expect = {"VUID-vkCmdWaitEvents2-pEvents-03837"},
         .features = &features13, .proceed = true)
{
    struct order o = begin_order(b);
    VkCommandBuffer secondary = begin_secondary(b);
    vkCmdSetEvent(secondary, o.event, TRANSFER);
    VK(vkEndCommandBuffer(secondary));
    vkCmdExecuteCommands(o.commands, 1, &secondary);
    vkCmdWaitEvents2(o.commands, 1, &o.event, &o.info);
    run_commands(b, o.commands);
}
SCENARIO(secondary_waits_for_what_the_primary_resets,
         .expect = {"VUID-vkCmdWaitEvents-srcStageMask-01158"})
{
    struct order o = begin_order(b);
    VkCommandBuffer secondary = begin_secondary(b);
    vkCmdResetEvent(o.commands, o.event, ALL);
    vkCmdWaitEvents(secondary, 1, &o.event, TRANSFER, FRAGMENT, 0, NULL, 0, NULL, 0, NULL);
    VK(vkEndCommandBuffer(secondary));
    vkCmdExecuteCommands(o.commands, 1, &secondary);
}

/* --- two queues --- */

/* One queue sets the event and the other one waits for it, when the first is done. */
static void wait_on_other_queue(struct baseline *b, bool version2, bool sets_again)
{
    const uint32_t family =
        find_queue_family(b->physical_device, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT);
    struct order o = begin_order(b);
    VkCommandBuffer other_commands = make_recording_of(b, family);
    VkQueue other;
    vkGetDeviceQueue(b->device, family, 0, &other);
    VkSubmitInfo submits[2] = {submit_info(&o.commands), submit_info(&other_commands)};
    const VkMemoryBarrier2 compute = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                      .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                      .dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT};
    o.info.pMemoryBarriers = &compute;
    if (version2)
        vkCmdSetEvent2(o.commands, o.event, &o.info);
    else
        vkCmdSetEvent(o.commands, o.event, TRANSFER);
    if (sets_again) {
        vkCmdResetEvent(other_commands, o.event, ALL);
        vkCmdSetEvent(other_commands, o.event, TRANSFER);
    }
    if (version2)
        vkCmdWaitEvents2(other_commands, 1, &o.event, &o.info);
    else
        vkCmdWaitEvents(other_commands, 1, &o.event, TRANSFER, COMPUTE, 0, NULL, 0, NULL, 0, NULL);
    VK(vkEndCommandBuffer(o.commands));
    VK(vkEndCommandBuffer(other_commands));
    VK(vkQueueSubmit(b->queue, 1, &submits[0], VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
    if (vkQueueSubmit(other, 1, &submits[1], VK_NULL_HANDLE) == VK_SUCCESS)
        VK(vkQueueWaitIdle(other));
}
SCENARIO(event_of_another_queue, .expect = {"UNASSIGNED-SubmitValidation-WaitEvents-WrongQueue"},
         .drivers = NULL_DRIVER)
{
    wait_on_other_queue(b, false, false);
}
SCENARIO(event2_of_another_queue, .expect = {"UNASSIGNED-SubmitValidation-WaitEvents-WrongQueue"},
         .drivers = NULL_DRIVER, .features = &features13)
{
    wait_on_other_queue(b, true, false);
}
/* An event that each queue sets for itself, one after the other. */
SCENARIO(event_that_two_queues_use, .drivers = NULL_DRIVER)
{
    wait_on_other_queue(b, false, true);
}
/* The host may signal an event for any queue. */
SCENARIO(event_set_by_the_host_for_another_queue, .drivers = NULL_DRIVER)
{
    const uint32_t family =
        find_queue_family(b->physical_device, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT);
    struct order o = begin_order(b);
    VkCommandBuffer other_commands = make_recording_of(b, family);
    VkQueue other;
    vkGetDeviceQueue(b->device, family, 0, &other);
    VkSubmitInfo submit = submit_info(&other_commands);
    vkCmdSetEvent(o.commands, o.event, TRANSFER);
    run_commands(b, o.commands);
    VK(vkResetEvent(b->device, o.event));
    VK(vkSetEvent(b->device, o.event));
    vkCmdWaitEvents(other_commands, 1, &o.event, VK_PIPELINE_STAGE_HOST_BIT, COMPUTE, 0, NULL, 0,
                    NULL, 0, NULL);
    VK(vkEndCommandBuffer(other_commands));
    VK(vkQueueSubmit(other, 1, &submit, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(other));
}

/* --- an event that pending work of another queue references --- */

static void set_on_two_queues(struct baseline *b, bool waits, bool version2)
{
    const uint32_t family =
        find_queue_family(b->physical_device, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT);
    VkEvent event = make_event(b);
    VkCommandBuffer first = make_recording(b), second = make_recording_of(b, family);
    VkQueue other;
    vkGetDeviceQueue(b->device, family, 0, &other);
    vkCmdSetEvent(first, event, TRANSFER);
    vkCmdResetEvent(second, event, ALL);
    VK(vkEndCommandBuffer(first));
    VK(vkEndCommandBuffer(second));
    const VkSubmitInfo submits[2] = {submit_info(&first), submit_info(&second)};
    const VkCommandBufferSubmitInfo submitted = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = second};
    const VkSubmitInfo2 submit2 = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                   .commandBufferInfoCount = 1,
                                   .pCommandBufferInfos = &submitted};
    VK(vkQueueSubmit(b->queue, 1, &submits[0], VK_NULL_HANDLE));
    if (waits)
        VK(vkQueueWaitIdle(b->queue));
    (void)(version2 ? vkQueueSubmit2(other, 1, &submit2, VK_NULL_HANDLE)
                    : vkQueueSubmit(other, 1, &submits[1], VK_NULL_HANDLE));
    VK(vkDeviceWaitIdle(b->device));
}

SCENARIO(event_of_done_work_of_another_queue, .drivers = NULL_DRIVER)
{
    set_on_two_queues(b, true, false);
}

SCENARIO(event_of_pending_work_of_another_queue, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00065"},
         .text = {"which work that was submitted to another queue, and is not known to be done, "
                  "references too"})
{
    set_on_two_queues(b, false, false);
}

SCENARIO(event_of_pending_work_of_another_queue_2, .drivers = NULL_DRIVER, .features = &features13,
         .expect = {"VUID-vkQueueSubmit2-commandBuffer-03867"})
{
    set_on_two_queues(b, false, true);
}
