/* Hazards with the presentation engine: images that are touched before they are acquired, and
 * presented before they are done. On headless surfaces. */
#include "scenario.h"

#define SURFACE \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME}
#define SHOW \
    SURFACE, .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}, .settings = {"validate_sync=true"}

#define TOP      VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT
#define TRANSFER VK_PIPELINE_STAGE_TRANSFER_BIT
#define FRAGMENT VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT
#define ALL      VK_PIPELINE_STAGE_ALL_COMMANDS_BIT

struct show {
    struct baseline *b;
    VkSwapchainKHR swapchain;
    VkImage images[8];
    VkSemaphore acquired, rendered;
};

static struct show make_show(struct baseline *b)
{
    struct show show = {.b = b, .acquired = make_semaphore(b), .rendered = make_semaphore(b)};
    VkSwapchainCreateInfoKHR info = swapchain_info(make_surface(b));
    VkBool32 supported = VK_FALSE;
    VkSurfaceCapabilitiesKHR capabilities;
    VK(vkGetPhysicalDeviceSurfaceSupportKHR(b->physical_device, b->queue_family, info.surface,
                                            &supported));
    VK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(b->physical_device, info.surface, &capabilities));
    info.minImageCount = capabilities.minImageCount + 1;
    info.imageUsage |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    show.swapchain = create_swapchain(b, &info);
    uint32_t count = 8;
    VK(DEVICE_PROC(b, vkGetSwapchainImagesKHR)(b->device, show.swapchain, &count, show.images));
    return show;
}

static uint32_t acquire_shown(struct show *show, VkSemaphore semaphore, VkFence fence)
{
    uint32_t index = 0;
    VK(DEVICE_PROC(show->b, vkAcquireNextImageKHR)(show->b->device, show->swapchain, UINT64_MAX,
                                                   semaphore, fence, &index));
    return index;
}

/* A clear of the image, from nothing (after `after`) to what can be presented. */
static VkCommandBuffer record_shown(struct show *show, uint32_t index, VkPipelineStageFlags after)
{
    VkCommandBuffer commands = make_recording(show->b);
    VkImageMemoryBarrier barrier = image_barrier(show->images[index], VK_IMAGE_LAYOUT_UNDEFINED,
                                                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    barrier.srcAccessMask = 0;
    barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    vkCmdPipelineBarrier(commands, after, TRANSFER, 0, 0, NULL, 0, NULL, 1, &barrier);
    VkClearColorValue color = {{0}};
    VkImageSubresourceRange range = color_range();
    vkCmdClearColorImage(commands, show->images[index], barrier.newLayout, &color, 1, &range);
    barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.dstAccessMask = 0;
    barrier.oldLayout = barrier.newLayout;
    barrier.newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
    vkCmdPipelineBarrier(commands, TRANSFER, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, NULL, 0,
                         NULL, 1, &barrier);
    VK(vkEndCommandBuffer(commands));
    return commands;
}

/* Waits for and signals these, where they are not VK_NULL_HANDLE. */
static void submit_shown(struct show *show, VkQueue queue, VkCommandBuffer commands,
                         VkSemaphore wait, VkPipelineStageFlags stage, VkSemaphore signal)
{
    VkSubmitInfo info = submit_info(&commands);
    info.commandBufferCount = commands ? 1 : 0;
    info.waitSemaphoreCount = wait ? 1 : 0;
    info.pWaitSemaphores = &wait;
    info.pWaitDstStageMask = &stage;
    info.signalSemaphoreCount = signal ? 1 : 0;
    info.pSignalSemaphores = &signal;
    VK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
}

static void present_shown(struct show *show, uint32_t index, VkSemaphore wait)
{
    VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                             .waitSemaphoreCount = wait ? 1 : 0,
                             .pWaitSemaphores = &wait,
                             .swapchainCount = 1,
                             .pSwapchains = &show->swapchain,
                             .pImageIndices = &index};
    VK(DEVICE_PROC(show->b, vkQueuePresentKHR)(show->b->queue, &info));
}

/* One frame: the semaphore of the acquire is waited for at `wait`, the first barrier is after
 * `after`. */
static void show_frame(struct baseline *b, VkPipelineStageFlags wait, VkPipelineStageFlags after)
{
    struct show show = make_show(b);
    uint32_t index = acquire_shown(&show, show.acquired, VK_NULL_HANDLE);
    submit_shown(&show, b->queue, record_shown(&show, index, after), show.acquired, wait,
                 show.rendered);
    present_shown(&show, index, show.rendered);
    VK(vkDeviceWaitIdle(b->device));
}

SCENARIO(frame, SHOW)
{
    show_frame(b, TRANSFER, TRANSFER);
}

SCENARIO(frame_behind_all, SHOW)
{
    show_frame(b, ALL, ALL);
}

/* Every command waits, and so do the transitions that they make: of those nothing is said that does
 * not chain with the wait. */
SCENARIO(frame_that_waits_as_a_whole, SHOW)
{
    show_frame(b, ALL, TOP);
}

SCENARIO(frame_that_waits_at_the_top, SHOW)
{
    show_frame(b, TOP, TOP);
}

SCENARIO(frame_behind_all_for_transfer, SHOW)
{
    show_frame(b, ALL, TRANSFER);
}

/* An acquire that a callback refuses gives no image away, and a present that it refuses takes none
 * back. */
SCENARIO(refused_acquire_and_present, SHOW,
         .expect = {"VUID-vkAcquireNextImageKHR-semaphore-01780",
                    "VUID-VkPresentInfoKHR-pImageIndices-01430"})
{
    struct show show = make_show(b);
    uint32_t index = 0;
    const PFN_vkAcquireNextImageKHR get = DEVICE_PROC(b, vkAcquireNextImageKHR);
    VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                             .swapchainCount = 1,
                             .pSwapchains = &show.swapchain,
                             .pImageIndices = &index};
    EXPECT_EQUAL(get(b->device, show.swapchain, UINT64_MAX, VK_NULL_HANDLE, VK_NULL_HANDLE, &index),
                 VK_ERROR_VALIDATION_FAILED_EXT);
    EXPECT_EQUAL(DEVICE_PROC(b, vkQueuePresentKHR)(b->queue, &info),
                 VK_ERROR_VALIDATION_FAILED_EXT);
    index = acquire_shown(&show, show.acquired, VK_NULL_HANDLE);
    EXPECT_EQUAL(DEVICE_PROC(b, vkQueuePresentKHR)(b->queue, &info),
                 VK_ERROR_VALIDATION_FAILED_EXT);
    EXPECT_EQUAL(seen_count(b, NULL), 3);
    submit_shown(&show, b->queue, record_shown(&show, index, TRANSFER), show.acquired, TRANSFER,
                 show.rendered);
    present_shown(&show, index, show.rendered);
    VK(vkDeviceWaitIdle(b->device));
    EXPECT_EQUAL(seen_count(b, NULL), 3);
}

/* The image's first transition does not wait for the stage that waits for the semaphore. */
SCENARIO(transition_does_not_wait, SHOW, .expect = {"SYNC-HAZARD-WRITE-AFTER-PRESENT"},
         .text = {"vkCmdPipelineBarrier", "vkAcquireNextImageKHR"})
{
    show_frame(b, TRANSFER, TOP);
}

SCENARIO(transition_waits_for_another_stage, SHOW, .expect = {"SYNC-HAZARD-WRITE-AFTER-PRESENT"})
{
    show_frame(b, TRANSFER, FRAGMENT);
}

/* Many frames with the semaphores of two. */
SCENARIO(frames, SHOW)
{
    struct show show = make_show(b);
    VkSemaphore acquired[2] = {show.acquired, make_semaphore(b)}, rendered[8] = {VK_NULL_HANDLE};
    for (uint32_t i = 0; i < 12; i++) {
        if (i >= 2)
            VK(vkQueueWaitIdle(b->queue));
        uint32_t index = acquire_shown(&show, acquired[i % 2], VK_NULL_HANDLE);
        if (!rendered[index])
            rendered[index] = make_semaphore(b);
        submit_shown(&show, b->queue, record_shown(&show, index, TRANSFER), acquired[i % 2],
                     TRANSFER, rendered[index]);
        present_shown(&show, index, rendered[index]);
    }
    VK(vkDeviceWaitIdle(b->device));
}

/* --- fences --- */

SCENARIO(fence_waited_for, SHOW)
{
    struct show show = make_show(b);
    VkFence fence = make_fence(b);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t index = acquire_shown(&show, VK_NULL_HANDLE, fence);
        VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
        VK(vkResetFences(b->device, 1, &fence));
        submit_shown(&show, b->queue, record_shown(&show, index, TOP), VK_NULL_HANDLE, 0,
                     show.rendered);
        present_shown(&show, index, show.rendered);
        VK(vkQueueWaitIdle(b->queue));
    }
}

SCENARIO(fence_not_waited_for, SHOW, .expect = {"SYNC-HAZARD-WRITE-AFTER-PRESENT"},
         .text = {
             "but nothing makes it wait for the semaphore or fence of the image's acquisition"})
{
    struct show show = make_show(b);
    VkFence fence = make_fence(b);
    uint32_t index = acquire_shown(&show, VK_NULL_HANDLE, fence);
    submit_shown(&show, b->queue, record_shown(&show, index, ALL), VK_NULL_HANDLE, 0,
                 show.rendered);
    present_shown(&show, index, show.rendered);
    VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
    VK(vkDeviceWaitIdle(b->device));
}

/* --- presenting --- */

SCENARIO(present_does_not_wait, SHOW, .expect = {"SYNC-HAZARD-PRESENT-AFTER-WRITE"},
         .text = {"but nothing makes the presentation wait for, and see, the layout transition by "
                  "vkCmdPipelineBarrier"})
{
    struct show show = make_show(b);
    uint32_t index = acquire_shown(&show, show.acquired, VK_NULL_HANDLE);
    submit_shown(&show, b->queue, record_shown(&show, index, TRANSFER), show.acquired, TRANSFER,
                 VK_NULL_HANDLE);
    present_shown(&show, index, VK_NULL_HANDLE);
    VK(vkDeviceWaitIdle(b->device));
}

SCENARIO(present_after_the_host_waited, SHOW)
{
    struct show show = make_show(b);
    uint32_t index = acquire_shown(&show, show.acquired, VK_NULL_HANDLE);
    submit_shown(&show, b->queue, record_shown(&show, index, TRANSFER), show.acquired, TRANSFER,
                 VK_NULL_HANDLE);
    VK(vkQueueWaitIdle(b->queue));
    present_shown(&show, index, VK_NULL_HANDLE);
}

SCENARIO(present_waits_for_what_came_before, SHOW, .expect = {"SYNC-HAZARD-PRESENT-AFTER-WRITE"})
{
    struct show show = make_show(b);
    uint32_t index = acquire_shown(&show, show.acquired, VK_NULL_HANDLE);
    submit_shown(&show, b->queue, VK_NULL_HANDLE, VK_NULL_HANDLE, 0, show.rendered);
    submit_shown(&show, b->queue, record_shown(&show, index, TRANSFER), show.acquired, TRANSFER,
                 VK_NULL_HANDLE);
    present_shown(&show, index, show.rendered);
    VK(vkDeviceWaitIdle(b->device));
}

SCENARIO(present_waits_for_a_later_batch, SHOW)
{
    struct show show = make_show(b);
    uint32_t index = acquire_shown(&show, show.acquired, VK_NULL_HANDLE);
    submit_shown(&show, b->queue, record_shown(&show, index, TRANSFER), show.acquired, TRANSFER,
                 VK_NULL_HANDLE);
    submit_shown(&show, b->queue, VK_NULL_HANDLE, VK_NULL_HANDLE, 0, show.rendered);
    present_shown(&show, index, show.rendered);
    VK(vkDeviceWaitIdle(b->device));
}

/* The acquire's semaphore is waited for by an empty batch before the commands. */
SCENARIO(wait_in_a_batch_of_its_own, SHOW)
{
    struct show show = make_show(b);
    uint32_t index = acquire_shown(&show, show.acquired, VK_NULL_HANDLE);
    submit_shown(&show, b->queue, VK_NULL_HANDLE, show.acquired, TRANSFER, VK_NULL_HANDLE);
    submit_shown(&show, b->queue, record_shown(&show, index, TRANSFER), VK_NULL_HANDLE, 0,
                 show.rendered);
    present_shown(&show, index, show.rendered);
    VK(vkDeviceWaitIdle(b->device));
}

/* Another queue waits for the acquire, and hands on. */
SCENARIO(wait_on_another_queue, SHOW, .drivers = NULL_DRIVER)
{
    struct show show = make_show(b);
    VkQueue other;
    uint32_t family =
        find_queue_family(b->physical_device, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT);
    VkSemaphore handed_on = make_semaphore(b);
    vkGetDeviceQueue(b->device, family, 0, &other);
    uint32_t index = acquire_shown(&show, show.acquired, VK_NULL_HANDLE);
    submit_shown(&show, other, VK_NULL_HANDLE, show.acquired, ALL, handed_on);
    submit_shown(&show, b->queue, record_shown(&show, index, TRANSFER), handed_on, TRANSFER,
                 show.rendered);
    present_shown(&show, index, show.rendered);
    VK(vkDeviceWaitIdle(b->device));
}

/* --- an image of the app's that is bound to the swapchain's --- */

static VkImage bind_to_swapchain(struct show *show, uint32_t index, VkImageUsageFlags usage)
{
    VkImageCreateInfo info = image_info(usage);
    const VkImageSwapchainCreateInfoKHR create = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR, .swapchain = show->swapchain};
    const VkBindImageMemorySwapchainInfoKHR swapchain = {
        .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR,
        .swapchain = show->swapchain,
        .imageIndex = index};
    VkSwapchainCreateInfoKHR like = swapchain_info(VK_NULL_HANDLE);
    info.pNext = &create;
    info.format = like.imageFormat;
    info.extent = (VkExtent3D){like.imageExtent.width, like.imageExtent.height, 1};
    VkImage image = create_image(show->b, &info);
    ENSURE(image);
    const VkBindImageMemoryInfo bind = {
        .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, .pNext = &swapchain, .image = image};
    VK(vkBindImageMemory2(show->b->device, 1, &bind));
    return image;
}

static void show_alias(struct baseline *b, VkPipelineStageFlags after)
{
    struct show show = make_show(b);
    VkImageUsageFlags usage =
        swapchain_info(VK_NULL_HANDLE).imageUsage | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    for (uint32_t i = 0; i < 2; i++)
        show.images[i] = bind_to_swapchain(&show, i, usage);
    uint32_t index = acquire_shown(&show, show.acquired, VK_NULL_HANDLE);
    ENSURE(index < 2);
    submit_shown(&show, b->queue, record_shown(&show, index, after), show.acquired, TRANSFER,
                 show.rendered);
    present_shown(&show, index, show.rendered); /* whose layout the app's image has changed */
    VK(vkDeviceWaitIdle(b->device));
}

SCENARIO(bound_image, SHOW, .drivers = NULL_DRIVER)
{
    show_alias(b, TRANSFER);
}

SCENARIO(bound_image_does_not_wait, SHOW, .drivers = NULL_DRIVER,
         .expect = {"SYNC-HAZARD-WRITE-AFTER-PRESENT"},
         .text = {"transitions the layout of VkImage", "vkAcquireNextImageKHR"})
{
    show_alias(b, TOP);
}

/* --- a fence that other things than submissions signal: what it tells is not known --- */

#define EVENTS                                                                                     \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME, \
                            VK_KHR_DISPLAY_EXTENSION_NAME,                                         \
                            VK_EXT_DISPLAY_SURFACE_COUNTER_EXTENSION_NAME},                        \
    .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_EXT_DISPLAY_CONTROL_EXTENSION_NAME},        \
    .settings = {"validate_sync=true"}, .drivers = NULL_DRIVER, .ours_only = true

static void show_with_event_fence(struct baseline *b, bool waits)
{
    struct show show = make_show(b);
    const VkDeviceEventInfoEXT event = {.sType = VK_STRUCTURE_TYPE_DEVICE_EVENT_INFO_EXT,
                                        .deviceEvent = VK_DEVICE_EVENT_TYPE_DISPLAY_HOTPLUG_EXT};
    VkFence fence;
    VK(DEVICE_PROC(b, vkRegisterDeviceEventEXT)(b->device, &event, NULL, &fence));
    for (uint32_t i = 0; i < 3; i++) {
        VkSemaphore acquired = make_semaphore(b), rendered = make_semaphore(b);
        uint32_t index = acquire_shown(&show, acquired, VK_NULL_HANDLE);
        VkCommandBuffer commands = record_shown(&show, index, TRANSFER);
        const VkPipelineStageFlags stage = TRANSFER;
        VkSubmitInfo info = submit_info(&commands);
        info.waitSemaphoreCount = 1;
        info.pWaitSemaphores = &acquired;
        info.pWaitDstStageMask = &stage;
        info.signalSemaphoreCount = 1;
        info.pSignalSemaphores = &rendered;
        VK(vkQueueSubmit(b->queue, 1, &info, i == 1 ? fence : VK_NULL_HANDLE));
        present_shown(&show, index, waits || i < 2 ? rendered : VK_NULL_HANDLE);
    }
    VK(vkDeviceWaitIdle(b->device));
    vkDestroyFence(b->device, fence, NULL);
}

SCENARIO(frame_with_a_fence_that_tells_nothing, EVENTS)
{
    show_with_event_fence(b, true);
}

SCENARIO(next_frame_that_does_not_wait, EVENTS, .expect = {"SYNC-HAZARD-PRESENT-AFTER-WRITE"})
{
    show_with_event_fence(b, false);
}
