/* The command buffers of submissions ask this of each other: suspended render pass instances,
 * transfers of ownership. */
#include "scenario.h"

static const VkPhysicalDeviceVulkan13Features features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .dynamicRendering = VK_TRUE,
    .synchronization2 = VK_TRUE};
#define DYNAMIC .features = &features13

static void submit_count(struct baseline *b, VkQueue queue, uint32_t count,
                         const VkCommandBuffer *command_buffers)
{
    VkSubmitInfo info = submit_info(command_buffers);
    info.commandBufferCount = count;
    vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
}

static void submit_count2(struct baseline *b, VkQueue queue, uint32_t count,
                          const VkCommandBuffer *command_buffers)
{
    VkCommandBufferSubmitInfo infos[4];
    for (uint32_t i = 0; i < count; i++)
        infos[i] =
            (VkCommandBufferSubmitInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                        .commandBuffer = command_buffers[i]};
    VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                          .commandBufferInfoCount = count,
                          .pCommandBufferInfos = infos};
    vkQueueSubmit2(queue, 1, &info, VK_NULL_HANDLE);
}

/* --- suspended render pass instances ---------------------------------------------------------- */

/* Command buffers with a render pass instance each, of these flags; with an action before the last
 * one. */
static void suspend_rendering(struct baseline *b, uint32_t count, const VkRenderingFlags *flags,
                              bool acts, bool version2)
{
    VkImage image = make_image(b, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    VkImageViewCreateInfo view = image_view_info(image);
    VkRenderingAttachmentInfo color = rendering_attachment(create_image_view(b, &view));
    VkRenderingInfo info = rendering_info(&color);
    VkImageMemoryBarrier barrier =
        image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, color.imageLayout);
    VkCommandBuffer command_buffers[4], before = make_recording(b);
    vkCmdPipelineBarrier(before, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    run_commands(b, before);
    for (uint32_t i = 0; i < count; i++) {
        command_buffers[i] = make_recording(b);
        if (acts && i == count - 1)
            vkCmdFillBuffer(command_buffers[i],
                            make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT), 0, VK_WHOLE_SIZE,
                            0);
        info.flags = flags[i];
        vkCmdBeginRendering(command_buffers[i], &info);
        vkCmdEndRendering(command_buffers[i]);
        VK(vkEndCommandBuffer(command_buffers[i]));
    }
    (version2 ? submit_count2 : submit_count)(b, b->queue, count, command_buffers);
    VK(vkQueueWaitIdle(b->queue));
}

#define SUSPENDING VK_RENDERING_SUSPENDING_BIT
#define RESUMING   VK_RENDERING_RESUMING_BIT
/* One mistake in both forms of the command. */
#define SUSPEND(name_, id_, id2_, acts_, ...)                                        \
    SCENARIO(name_, DYNAMIC, .expect = {"VUID-VkSubmitInfo-" id_})                   \
    {                                                                                \
        const VkRenderingFlags flags[] = {__VA_ARGS__};                              \
        suspend_rendering(b, sizeof(flags) / sizeof(flags[0]), flags, acts_, false); \
    }                                                                                \
    SCENARIO(name_##_2, DYNAMIC, .expect = {"VUID-VkSubmitInfo2-" id2_})             \
    {                                                                                \
        const VkRenderingFlags flags[] = {__VA_ARGS__};                              \
        suspend_rendering(b, sizeof(flags) / sizeof(flags[0]), flags, acts_, true);  \
    }
SUSPEND(resumed_from_nothing, "pCommandBuffers-06193", "commandBuffer-06192", false, RESUMING)
SUSPEND(action_while_suspended, "pCommandBuffers-06015", "commandBuffer-06011", true, SUSPENDING,
        RESUMING)
SUSPEND(instance_while_suspended, "pCommandBuffers-06016", "commandBuffer-06012", false, SUSPENDING,
        0, RESUMING)
SUSPEND(never_resumed, "pCommandBuffers-06014", "commandBuffer-06010", false, SUSPENDING)

SCENARIO(suspended_and_resumed, DYNAMIC)
{
    suspend_rendering(b, 4,
                      (const VkRenderingFlags[]){0, SUSPENDING, SUSPENDING | RESUMING, RESUMING},
                      false, false);
    suspend_rendering(b, 3, (const VkRenderingFlags[]){SUSPENDING, RESUMING, 0}, true, true);
}

/* One instance that is suspended, and another one that resumes it, in one command buffer or two.
 * `refused`: so is the second one. */
static void resume_otherwise(struct baseline *b, bool one, bool refused,
                             const VkRenderingInfo *suspended, const VkRenderingInfo *resumed)
{
    VkRenderingInfo first = *suspended, second = *resumed;
    VkCommandBuffer command_buffers[2];
    first.flags |= SUSPENDING;
    second.flags |= RESUMING;
    command_buffers[0] = make_recording(b);
    vkCmdBeginRendering(command_buffers[0], &first);
    vkCmdEndRendering(command_buffers[0]);
    command_buffers[1] = one ? command_buffers[0] : make_recording(b);
    vkCmdBeginRendering(command_buffers[1], &second);
    if (one && refused)
        return;
    vkCmdEndRendering(command_buffers[1]);
    VK(vkEndCommandBuffer(command_buffers[0]));
    if (!one)
        VK(vkEndCommandBuffer(command_buffers[1]));
    submit_count(b, b->queue, one ? 1 : 2, command_buffers);
    VK(vkQueueWaitIdle(b->queue));
}

struct two_views {
    VkRenderingAttachmentInfo colors[2];
    VkRenderingInfo info;
};
/* Two attachments, of which the instance has the first one. */
static void make_two_views(struct baseline *b, struct two_views *views)
{
    for (uint32_t i = 0; i < 2; i++) {
        VkImage image = make_image(b, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
        VkImageViewCreateInfo view = image_view_info(image);
        VkCommandBuffer before = make_recording(b);
        views->colors[i] = rendering_attachment(create_image_view(b, &view));
        VkImageMemoryBarrier barrier =
            image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, views->colors[i].imageLayout);
        vkCmdPipelineBarrier(before, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
        run_commands(b, before);
    }
    views->info = rendering_info(&views->colors[0]);
}

#define MISMATCH .expect = {"UNASSIGNED-RenderingInfo-SuspendResume-Mismatch"}
SCENARIO(resumed_with_another_view, DYNAMIC, MISMATCH,
         .text = {"with another VkRenderingInfo::pColorAttachments[0]"})
{
    struct two_views views;
    make_two_views(b, &views);
    VkRenderingInfo other = views.info;
    other.pColorAttachments = &views.colors[1];
    resume_otherwise(b, false, true, &views.info, &other);
}
SCENARIO(resumed_with_another_area, DYNAMIC, MISMATCH,
         .text = {
             "pRenderingInfo->renderArea differs from that of the suspended render pass instance"})
{
    struct two_views views;
    make_two_views(b, &views);
    VkRenderingInfo other = views.info;
    other.renderArea.extent.width /= 2;
    resume_otherwise(b, true, true, &views.info, &other);
}
/* Members that mean nothing may differ, and a NULL attachment is like one that is not there. */
SCENARIO(resumed_with_what_matters, DYNAMIC)
{
    struct two_views views;
    make_two_views(b, &views);
    VkRenderingInfo other = views.info;
    views.colors[1] = views.colors[0];
    views.colors[1].resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    views.colors[1].clearValue.color.float32[0] = 1;
    other.pColorAttachments = &views.colors[1];
    other.flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
    resume_otherwise(b, false, false, &views.info, &other);
    resume_otherwise(b, true, false, &views.info, &other);
}

/* --- ownership -------------------------------------------------------------------------------- */

/* Two queue families of the null driver, and what goes between them. */
struct handover {
    uint32_t from, to;
    VkQueue from_queue, to_queue;
    VkBuffer buffer;
    VkImage image;
};

static struct handover make_handover(struct baseline *b)
{
    struct handover h = {.from = find_queue_family(b->physical_device, VK_QUEUE_TRANSFER_BIT,
                                                   VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT),
                         .to = b->queue_family,
                         .to_queue = b->queue};
    ENSURE(h.from != UINT32_MAX);
    vkGetDeviceQueue(b->device, h.from, 0, &h.from_queue);
    h.buffer =
        make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    h.image = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    return h;
}

/* One half: a command buffer of `family` with the barrier. */
static VkCommandBuffer hand_buffer_over(struct baseline *b, const struct handover *h,
                                        uint32_t family, VkDeviceSize size, VkImageLayout layout)
{
    VkBufferMemoryBarrier buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                    .srcQueueFamilyIndex = h->from,
                                    .dstQueueFamilyIndex = h->to,
                                    .buffer = h->buffer,
                                    .size = size};
    VkImageMemoryBarrier image = image_barrier(h->image, VK_IMAGE_LAYOUT_UNDEFINED, layout);
    image.srcQueueFamilyIndex = h->from;
    image.dstQueueFamilyIndex = h->to;
    image.srcAccessMask = image.dstAccessMask = 0;
    VkCommandBuffer command_buffer = make_recording_of(b, family);
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, size ? 1 : 0, &buffer,
                         layout ? 1 : 0, &image);
    VK(vkEndCommandBuffer(command_buffer));
    return command_buffer;
}

#define GENERAL      VK_IMAGE_LAYOUT_GENERAL
#define TWO_FAMILIES .drivers = NULL_DRIVER
#define NOT_RELEASED .expect = {"VUID-vkQueueSubmit-pSubmits-02207"}

/* Releases on one queue and acquires on the other one; with 0 that resource is left out. */
static void transfer_ownership(struct baseline *b, VkDeviceSize released,
                               VkImageLayout released_layout, VkDeviceSize acquired,
                               VkImageLayout acquired_layout, bool version2)
{
    struct handover h = make_handover(b);
    VkCommandBuffer release = hand_buffer_over(b, &h, h.from, released, released_layout),
                    acquire = hand_buffer_over(b, &h, h.to, acquired, acquired_layout);
    submit_count(b, h.from_queue, 1, &release);
    VK(vkQueueWaitIdle(h.from_queue));
    (version2 ? submit_count2 : submit_count)(b, h.to_queue, 1, &acquire);
    VK(vkQueueWaitIdle(h.to_queue));
}

SCENARIO(ownership_transferred, TWO_FAMILIES, DYNAMIC)
{
    transfer_ownership(b, VK_WHOLE_SIZE, GENERAL, VK_WHOLE_SIZE, GENERAL, false);
    transfer_ownership(b, VK_WHOLE_SIZE, GENERAL, 64, GENERAL, true);
}

SCENARIO(ownership_of_buffer_not_released, TWO_FAMILIES, NOT_RELEASED,
         .text = {"acquires 64 bytes from offset 0 on of a buffer"})
{
    transfer_ownership(b, 0, GENERAL, VK_WHOLE_SIZE, GENERAL, false);
}

SCENARIO(ownership_of_image_not_released, TWO_FAMILIES, NOT_RELEASED,
         .text = {"acquires mip levels 0 to 0, array layers 0 to 0 of an image"})
{
    transfer_ownership(b, VK_WHOLE_SIZE, 0, VK_WHOLE_SIZE, GENERAL, false);
}

SCENARIO(ownership_of_more_than_was_released, TWO_FAMILIES, NOT_RELEASED)
{
    transfer_ownership(b, 32, GENERAL, VK_WHOLE_SIZE, GENERAL, false);
}

SCENARIO(ownership_in_another_layout, TWO_FAMILIES, NOT_RELEASED)
{
    transfer_ownership(b, 0, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0, GENERAL, false);
}

SCENARIO(ownership_not_released_2, TWO_FAMILIES, DYNAMIC,
         .expect = {"VUID-vkQueueSubmit2-commandBuffer-03879"})
{
    transfer_ownership(b, VK_WHOLE_SIZE, 0, VK_WHOLE_SIZE, GENERAL, true);
}

SCENARIO(ownership_acquired_too_early, TWO_FAMILIES, NOT_RELEASED)
{
    struct handover h = make_handover(b);
    VkCommandBuffer release = hand_buffer_over(b, &h, h.from, VK_WHOLE_SIZE, 0),
                    acquire = hand_buffer_over(b, &h, h.to, VK_WHOLE_SIZE, 0);
    submit_count(b, h.to_queue, 1, &acquire);
    submit_count(b, h.from_queue, 1, &release);
    VK(vkQueueWaitIdle(h.from_queue));
    VK(vkQueueWaitIdle(h.to_queue));
}

/* A release in a secondary counts. */
SCENARIO(ownership_released_by_secondary, TWO_FAMILIES)
{
    struct handover h = make_handover(b);
    VkCommandPoolCreateInfo pool = command_pool_info(h.from);
    VkCommandBufferAllocateInfo allocate =
        command_buffer_info(create_command_pool(b, &pool), VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = begin_info();
    VkBufferMemoryBarrier buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                    .srcQueueFamilyIndex = h.from,
                                    .dstQueueFamilyIndex = h.to,
                                    .buffer = h.buffer,
                                    .size = VK_WHOLE_SIZE};
    VkCommandBuffer secondary, release = make_recording_of(b, h.from),
                               acquire = hand_buffer_over(b, &h, h.to, VK_WHOLE_SIZE, 0);
    begin.pInheritanceInfo = &inheritance;
    VK(vkAllocateCommandBuffers(b->device, &allocate, &secondary));
    VK(vkBeginCommandBuffer(secondary, &begin));
    vkCmdPipelineBarrier(secondary, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 1, &buffer, 0, NULL);
    VK(vkEndCommandBuffer(secondary));
    vkCmdExecuteCommands(release, 1, &secondary);
    VK(vkEndCommandBuffer(release));
    submit_count(b, h.from_queue, 1, &release);
    VK(vkQueueWaitIdle(h.from_queue));
    submit_count(b, h.to_queue, 1, &acquire);
    VK(vkQueueWaitIdle(h.to_queue));
}

/* --- what is submitted after a wait for a value that nothing signals yet ---------------------- */

static const VkPhysicalDeviceVulkan12Features timeline12 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .timelineSemaphore = VK_TRUE};

static void submit_values(VkQueue queue, VkCommandBuffer command_buffer, const VkSemaphore *wait,
                          uint64_t wait_value, const VkSemaphore *signal, uint64_t signal_value)
{
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkTimelineSemaphoreSubmitInfo values = {.sType =
                                                VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                            .waitSemaphoreValueCount = wait ? 1 : 0,
                                            .pWaitSemaphoreValues = &wait_value,
                                            .signalSemaphoreValueCount = signal ? 1 : 0,
                                            .pSignalSemaphoreValues = &signal_value};
    VkSubmitInfo info = submit_info(&command_buffer);
    info.pNext = &values;
    info.commandBufferCount = command_buffer ? 1 : 0;
    info.waitSemaphoreCount = wait ? 1 : 0;
    info.pWaitSemaphores = wait;
    info.pWaitDstStageMask = &stages;
    info.signalSemaphoreCount = signal ? 1 : 0;
    info.pSignalSemaphores = signal;
    vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
}

static void submit_value(VkQueue queue, VkCommandBuffer command_buffer, const VkSemaphore *wait,
                         const VkSemaphore *signal)
{
    submit_values(queue, command_buffer, wait, 1, signal, 1);
}

/* The release is submitted after the acquire, and happens before it. */
static void acquire_ahead(struct baseline *b, bool in_later_batch)
{
    struct handover h = make_handover(b);
    VkSemaphore semaphore = make_timeline_semaphore(b, 0);
    VkCommandBuffer release = hand_buffer_over(b, &h, h.from, VK_WHOLE_SIZE, GENERAL),
                    acquire = hand_buffer_over(b, &h, h.to, VK_WHOLE_SIZE, GENERAL);
    if (in_later_batch)
        submit_value(h.to_queue, NULL, &semaphore, NULL);
    submit_value(h.to_queue, acquire, in_later_batch ? NULL : &semaphore, NULL);
    submit_value(h.from_queue, release, NULL, &semaphore);
    VK(vkDeviceWaitIdle(b->device));
}

SCENARIO(ownership_acquired_ahead, TWO_FAMILIES, .features = &timeline12)
{
    acquire_ahead(b, false);
    acquire_ahead(b, true);
}

/* Another queue will signal 3, which is more than the acquire waits for. Where it waits for the
 * acquire first, 3 comes no sooner than the release. */
static void acquire_behind_a_larger_value(struct baseline *b, bool larger_waits)
{
    struct handover h = make_handover(b);
    uint32_t third =
        find_queue_family(b->physical_device, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT);
    ENSURE(third != UINT32_MAX);
    VkQueue third_queue;
    vkGetDeviceQueue(b->device, third, 0, &third_queue);
    VkSemaphore semaphore = make_timeline_semaphore(b, 0);
    VkCommandBuffer release = hand_buffer_over(b, &h, h.from, VK_WHOLE_SIZE, GENERAL),
                    acquire = hand_buffer_over(b, &h, h.to, VK_WHOLE_SIZE, GENERAL);
    submit_values(third_queue, VK_NULL_HANDLE, larger_waits ? &semaphore : NULL, 2, &semaphore, 3);
    submit_values(h.to_queue, acquire, &semaphore, 1, larger_waits ? &semaphore : NULL, 2);
    submit_values(h.from_queue, release, NULL, 0, larger_waits ? &semaphore : NULL, 1);
    VK(vkDeviceWaitIdle(b->device));
}

SCENARIO(ownership_acquired_ahead_of_a_larger_value, TWO_FAMILIES, .features = &timeline12)
{
    acquire_behind_a_larger_value(b, true);
}

SCENARIO(ownership_acquired_behind_a_larger_value, TWO_FAMILIES, NOT_RELEASED,
         .features = &timeline12)
{
    acquire_behind_a_larger_value(b, false);
}

static VkCommandBuffer transition_in_family(struct baseline *b, uint32_t family, VkImage image,
                                            VkImageLayout from, VkImageLayout to)
{
    VkImageMemoryBarrier barrier = image_barrier(image, from, to);
    VkCommandBuffer command_buffer = make_recording_of(b, family);
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    VK(vkEndCommandBuffer(command_buffer));
    return command_buffer;
}

/* The first batch of the queue waits; the second one, which has no wait of its own, comes after it.
 */
SCENARIO(layout_behind_a_batch_that_waits_ahead, TWO_FAMILIES, .features = &timeline12)
{
    struct handover h = make_handover(b);
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    const uint32_t families[2] = {h.from, h.to};
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = 2;
    info.pQueueFamilyIndices = families;
    VkImage image = make_image_of(b, &info);
    VkSemaphore semaphore = make_timeline_semaphore(b, 0);
    submit_value(h.to_queue, NULL, &semaphore, NULL);
    submit_value(h.to_queue,
                 transition_in_family(b, h.to, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                      VK_IMAGE_LAYOUT_GENERAL),
                 NULL, NULL);
    submit_value(h.from_queue,
                 transition_in_family(b, h.from, image, VK_IMAGE_LAYOUT_UNDEFINED,
                                      VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL),
                 NULL, &semaphore);
    VK(vkDeviceWaitIdle(b->device));
}
