/* Acquiring and presenting: the semaphores, fences and ids beside, and the work that uses the
 * images. On headless surfaces. */
#include "scenario.h"

#define SURFACE \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME}
#define SWAPCHAIN SURFACE, .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}

/* With two images more than the surface needs at least. */
static VkSwapchainKHR make_of(struct baseline *b, VkSwapchainCreateFlagsKHR flags)
{
    VkSwapchainCreateInfoKHR info = swapchain_info(make_surface(b));
    VkBool32 supported = VK_FALSE;
    VkSurfaceCapabilitiesKHR capabilities;
    VK(vkGetPhysicalDeviceSurfaceSupportKHR(b->physical_device, b->queue_family, info.surface,
                                            &supported));
    VK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(b->physical_device, info.surface, &capabilities));
    info.minImageCount = capabilities.minImageCount + 2;
    info.flags = flags;
    VkSwapchainKHR swapchain = create_swapchain(b, &info);
    ENSURE(swapchain);
    return swapchain;
}

static VkSwapchainKHR make_synced(struct baseline *b)
{
    return make_of(b, 0);
}

static uint32_t acquire_synced(struct baseline *b, VkSwapchainKHR swapchain, VkSemaphore semaphore,
                               VkFence fence)
{
    uint32_t index = 0;
    DEVICE_PROC(b, vkAcquireNextImageKHR)(b->device, swapchain, UINT64_MAX, semaphore, fence,
                                          &index);
    return index;
}

static uint32_t acquire_synced2(struct baseline *b, VkSwapchainKHR swapchain, VkSemaphore semaphore,
                                VkFence fence)
{
    uint32_t index = 0;
    VkAcquireNextImageInfoKHR info = {.sType = VK_STRUCTURE_TYPE_ACQUIRE_NEXT_IMAGE_INFO_KHR,
                                      .swapchain = swapchain,
                                      .timeout = UINT64_MAX,
                                      .semaphore = semaphore,
                                      .fence = fence,
                                      .deviceMask = 1};
    DEVICE_PROC(b, vkAcquireNextImage2KHR)(b->device, &info, &index);
    return index;
}

typedef uint32_t (*acquire_function)(struct baseline *b, VkSwapchainKHR swapchain,
                                     VkSemaphore semaphore, VkFence fence);

/* The command buffer that makes the image fit to be presented. */
static VkCommandBuffer record_transition(struct baseline *b, VkSwapchainKHR swapchain,
                                         uint32_t index)
{
    VkImage images[8];
    uint32_t count = 8;
    VK(DEVICE_PROC(b, vkGetSwapchainImagesKHR)(b->device, swapchain, &count, images));
    VkCommandBuffer command_buffer = make_recording(b);
    VkImageMemoryBarrier barrier =
        image_barrier(images[index], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    VK(vkEndCommandBuffer(command_buffer));
    return command_buffer;
}

/* Submits; waits for and signals these, where they are not VK_NULL_HANDLE. */
static void submit_synced(struct baseline *b, VkCommandBuffer command_buffer, VkSemaphore wait,
                          VkSemaphore signal, VkFence fence)
{
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSubmitInfo info = submit_info(&command_buffer);
    info.commandBufferCount = command_buffer ? 1 : 0;
    info.waitSemaphoreCount = wait ? 1 : 0;
    info.pWaitSemaphores = &wait;
    info.pWaitDstStageMask = &stages;
    info.signalSemaphoreCount = signal ? 1 : 0;
    info.pSignalSemaphores = &signal;
    VK(vkQueueSubmit(b->queue, 1, &info, fence));
}

static void present_with(struct baseline *b, VkQueue queue, VkSwapchainKHR swapchain,
                         uint32_t index, uint32_t count, const VkSemaphore *waits, const void *next)
{
    VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                             .pNext = next,
                             .waitSemaphoreCount = count,
                             .pWaitSemaphores = waits,
                             .swapchainCount = 1,
                             .pSwapchains = &swapchain,
                             .pImageIndices = &index};
    DEVICE_PROC(b, vkQueuePresentKHR)(queue, &info);
}

static void present_synced(struct baseline *b, VkSwapchainKHR swapchain, uint32_t index,
                           VkSemaphore wait)
{
    present_with(b, b->queue, swapchain, index, 1, &wait, NULL);
}

/* The usual loop, with the semaphores and fences of two frames: nothing is found. */
SCENARIO(frames, SWAPCHAIN)
{
    VkSwapchainKHR swapchain = make_synced(b);
    VkSemaphore acquired[2] = {make_semaphore(b), make_semaphore(b)}, rendered[8];
    VkFence fences[2] = {make_fence(b), make_fence(b)};
    for (uint32_t i = 0; i < 8; i++)
        rendered[i] = make_semaphore(b);
    for (uint32_t i = 0; i < 6; i++) {
        if (i >= 2) {
            VK(vkWaitForFences(b->device, 1, &fences[i % 2], VK_TRUE, UINT64_MAX));
            VK(vkResetFences(b->device, 1, &fences[i % 2]));
        }
        uint32_t index = (i % 3 ? acquire_synced : acquire_synced2)(b, swapchain, acquired[i % 2],
                                                                    VK_NULL_HANDLE);
        submit_synced(b, record_transition(b, swapchain, index), acquired[i % 2], rendered[index],
                      fences[i % 2]);
        present_synced(b, swapchain, index, rendered[index]);
    }
    VK(vkDeviceWaitIdle(b->device));
}

/* --- acquiring -------------------------------------------------------------------------------- */

static const VkPhysicalDeviceVulkan12Features timeline = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .timelineSemaphore = VK_TRUE};

static void acquire_with_timeline(struct baseline *b, acquire_function acquire_image)
{
    acquire_image(b, make_synced(b), make_timeline_semaphore(b, 0), VK_NULL_HANDLE);
}

/* A semaphore that a submission has signaled, and that is done. */
static void acquire_with_signaled(struct baseline *b, acquire_function acquire_image)
{
    VkSemaphore semaphore = make_semaphore(b);
    submit_synced(b, VK_NULL_HANDLE, VK_NULL_HANDLE, semaphore, VK_NULL_HANDLE);
    VK(vkQueueWaitIdle(b->queue));
    acquire_image(b, make_synced(b), semaphore, VK_NULL_HANDLE);
}

/* A semaphore that an acquire signals. */
static void acquire_twice(struct baseline *b, acquire_function acquire_image)
{
    VkSwapchainKHR swapchain = make_synced(b);
    VkSemaphore semaphore = make_semaphore(b);
    acquire_image(b, swapchain, semaphore, VK_NULL_HANDLE);
    acquire_image(b, swapchain, semaphore, VK_NULL_HANDLE);
}

/* A semaphore that a submission waits for, of which the app does not know whether it is done. */
static void acquire_with_waited(struct baseline *b, acquire_function acquire_image)
{
    VkSwapchainKHR swapchain = make_synced(b);
    VkSemaphore semaphore = make_semaphore(b);
    acquire_image(b, swapchain, semaphore, VK_NULL_HANDLE);
    submit_synced(b, VK_NULL_HANDLE, semaphore, VK_NULL_HANDLE, VK_NULL_HANDLE);
    acquire_image(b, swapchain, semaphore, VK_NULL_HANDLE);
    VK(vkQueueWaitIdle(b->queue));
}

static void acquire_with_signaled_fence(struct baseline *b, acquire_function acquire_image)
{
    VkFenceCreateInfo info = fence_info();
    info.flags = VK_FENCE_CREATE_SIGNALED_BIT;
    acquire_image(b, make_synced(b), VK_NULL_HANDLE, create_fence(b, &info));
}

static void acquire_with_pending_fence(struct baseline *b, acquire_function acquire_image)
{
    VkFence fence = make_fence(b);
    submit_synced(b, VK_NULL_HANDLE, VK_NULL_HANDLE, VK_NULL_HANDLE, fence);
    acquire_image(b, make_synced(b), VK_NULL_HANDLE, fence);
    VK(vkQueueWaitIdle(b->queue));
}

#define BOTH(name_, id_, id2_, ...)                                                         \
    SCENARIO(name_##_with_1, SWAPCHAIN, .expect = {"VUID-vkAcquireNextImageKHR-" id_},      \
             ##__VA_ARGS__)                                                                 \
    {                                                                                       \
        name_(b, acquire_synced);                                                           \
    }                                                                                       \
    SCENARIO(name_##_with_2, SWAPCHAIN, .expect = {"VUID-VkAcquireNextImageInfoKHR-" id2_}, \
             ##__VA_ARGS__)                                                                 \
    {                                                                                       \
        name_(b, acquire_synced2);                                                          \
    }
BOTH(acquire_with_timeline, "semaphore-03265", "semaphore-03266", .features = &timeline)
BOTH(acquire_with_signaled, "semaphore-01286", "semaphore-01288")
BOTH(acquire_twice, "semaphore-01286", "semaphore-01288")
BOTH(acquire_with_waited, "semaphore-01779", "semaphore-01781")
BOTH(acquire_with_signaled_fence, "fence-01287", "fence-01289")
BOTH(acquire_with_pending_fence, "fence-10066", "fence-10067")

/* --- presenting ------------------------------------------------------------------------------- */

/* An image that can be presented. */
static uint32_t prepare_synced(struct baseline *b, VkSwapchainKHR swapchain)
{
    VkFence fence = make_fence(b);
    uint32_t index = acquire_synced(b, swapchain, VK_NULL_HANDLE, fence);
    VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
    submit_synced(b, record_transition(b, swapchain, index), VK_NULL_HANDLE, VK_NULL_HANDLE,
                  VK_NULL_HANDLE);
    VK(vkQueueWaitIdle(b->queue));
    return index;
}

SCENARIO(present_after_timeline, SWAPCHAIN, .features = &timeline,
         .expect = {"VUID-vkQueuePresentKHR-pWaitSemaphores-03267"})
{
    VkSwapchainKHR swapchain = make_synced(b);
    present_synced(b, swapchain, prepare_synced(b, swapchain), make_timeline_semaphore(b, 0));
}

SCENARIO(present_after_nothing, SWAPCHAIN,
         .expect = {"VUID-vkQueuePresentKHR-pWaitSemaphores-03268"},
         .text = {"pPresentInfo->pWaitSemaphores[0] is not signaled, and no submitted operation "
                  "will signal it"})
{
    VkSwapchainKHR swapchain = make_synced(b);
    present_synced(b, swapchain, prepare_synced(b, swapchain), make_semaphore(b));
}

/* The batch that signals the semaphore waits for value 1, which the host has yet to signal, or has
 * signaled. */
static void present_after_host(struct baseline *b, bool signaled)
{
    const uint64_t value = 1;
    const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSwapchainKHR swapchain = make_synced(b);
    VkSemaphore gate = make_timeline_semaphore(b, 0), done = make_semaphore(b);
    const uint32_t index = prepare_synced(b, swapchain);
    const VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = gate, .value = value};
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &value};
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = &values,
                               .waitSemaphoreCount = 1,
                               .pWaitSemaphores = &gate,
                               .pWaitDstStageMask = &all,
                               .signalSemaphoreCount = 1,
                               .pSignalSemaphores = &done};
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    if (signaled)
        VK(vkSignalSemaphore(b->device, &signal));
    present_synced(b, swapchain, index, done);
    if (!signaled)
        VK(vkSignalSemaphore(b->device, &signal));
    VK(vkDeviceWaitIdle(b->device));
}
SCENARIO(present_before_the_host_signals, SWAPCHAIN, .features = &timeline,
         .expect = {"VUID-vkQueuePresentKHR-pWaitSemaphores-03268"},
         .text = {"is signaled by a batch that waits for value 1 of VkSemaphore 0x"})
{
    present_after_host(b, false);
}
SCENARIO(present_when_the_host_has_signaled, SWAPCHAIN, .features = &timeline)
{
    present_after_host(b, true);
}

SCENARIO(present_after_one_semaphore_twice, SWAPCHAIN,
         .expect = {"VUID-vkQueuePresentKHR-pWaitSemaphores-03268"})
{
    VkSwapchainKHR swapchain = make_synced(b);
    VkSemaphore semaphore = make_semaphore(b), twice[] = {semaphore, semaphore};
    uint32_t index = prepare_synced(b, swapchain);
    submit_synced(b, VK_NULL_HANDLE, VK_NULL_HANDLE, semaphore, VK_NULL_HANDLE);
    present_with(b, b->queue, swapchain, index, 2, twice, NULL);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(present_after_other_queue_waits, SWAPCHAIN, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkQueuePresentKHR-pWaitSemaphores-01294"})
{
    VkSwapchainKHR swapchain = make_synced(b);
    VkSemaphore semaphore = make_semaphore(b);
    VkQueue first = b->queue;
    uint32_t index = prepare_synced(b, swapchain);
    uint32_t family =
        find_queue_family(b->physical_device, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT);
    submit_synced(b, VK_NULL_HANDLE, VK_NULL_HANDLE, semaphore, VK_NULL_HANDLE);
    vkGetDeviceQueue(b->device, family, 0, &b->queue);
    submit_synced(b, VK_NULL_HANDLE, semaphore, VK_NULL_HANDLE, VK_NULL_HANDLE);
    b->queue = first;
    present_synced(b, swapchain, index, semaphore);
    VK(vkDeviceWaitIdle(b->device));
}

static const VkPhysicalDeviceSwapchainMaintenance1FeaturesKHR maintenance = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SWAPCHAIN_MAINTENANCE_1_FEATURES_KHR,
    .swapchainMaintenance1 = VK_TRUE};
#define SURFACES2                                                                                  \
    .drivers = NULL_DRIVER,                                                                        \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME, \
                            VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME,                      \
                            VK_KHR_SURFACE_MAINTENANCE_1_EXTENSION_NAME}
#define MAINTENANCE                                                    \
    SURFACES2,                                                         \
        .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME,                \
                       VK_KHR_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME}, \
        .features = &maintenance

static void present_with_fence(struct baseline *b, VkFence fence)
{
    VkSwapchainKHR swapchain = make_synced(b);
    VkSwapchainPresentFenceInfoKHR fences = {.sType =
                                                 VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_KHR,
                                             .swapchainCount = 1,
                                             .pFences = &fence};
    present_with(b, b->queue, swapchain, prepare_synced(b, swapchain), 0, NULL, &fences);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(present_with_signaled_fence, MAINTENANCE,
         .expect = {"VUID-VkSwapchainPresentFenceInfoKHR-pFences-07758"})
{
    VkFenceCreateInfo info = fence_info();
    info.flags = VK_FENCE_CREATE_SIGNALED_BIT;
    present_with_fence(b, create_fence(b, &info));
}

SCENARIO(present_with_pending_fence, MAINTENANCE,
         .expect = {"VUID-VkSwapchainPresentFenceInfoKHR-pFences-07759"})
{
    VkSwapchainKHR swapchain = make_synced(b);
    VkFence fence = make_fence(b);
    VkSwapchainPresentFenceInfoKHR fences = {.sType =
                                                 VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_KHR,
                                             .swapchainCount = 1,
                                             .pFences = &fence};
    uint32_t index = prepare_synced(b, swapchain);
    submit_synced(b, VK_NULL_HANDLE, VK_NULL_HANDLE, VK_NULL_HANDLE, fence);
    present_with(b, b->queue, swapchain, index, 0, NULL, &fences);
    VK(vkQueueWaitIdle(b->queue));
}

/* --- present ids ------------------------------------------------------------------------------ */

static const VkPhysicalDevicePresentIdFeaturesKHR present_id = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR, .presentId = VK_TRUE};
#define PRESENT_ID                                                                         \
    SURFACE, .drivers = NULL_DRIVER,                                                       \
        .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_KHR_PRESENT_ID_EXTENSION_NAME}, \
        .features = &present_id

static void present_as(struct baseline *b, VkSwapchainKHR swapchain, uint64_t id)
{
    VkPresentIdKHR ids = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_ID_KHR, .swapchainCount = 1, .pPresentIds = &id};
    present_with(b, b->queue, swapchain, prepare_synced(b, swapchain), 0, NULL, &ids);
}

SCENARIO(present_ids_that_grow, PRESENT_ID)
{
    VkSwapchainKHR swapchain = make_synced(b);
    present_as(b, swapchain, 3);
    present_as(b, swapchain, 0);
    present_as(b, swapchain, 4);
}

SCENARIO(present_id_again, PRESENT_ID, .expect = {"VUID-VkPresentIdKHR-presentIds-04999"},
         .text = {"is 3, but the swapchain has been presented to with the id 3"})
{
    VkSwapchainKHR swapchain = make_synced(b);
    present_as(b, swapchain, 3);
    present_as(b, swapchain, 3);
}

static const VkPhysicalDevicePresentWait2FeaturesKHR present_wait2 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_2_FEATURES_KHR,
    .presentWait2 = VK_TRUE};
static const VkPhysicalDevicePresentId2FeaturesKHR present_id2 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_2_FEATURES_KHR,
    .pNext = (void *)&present_wait2,
    .presentId2 = VK_TRUE};
#define PRESENT_ID_2                                                                        \
    SURFACES2,                                                                              \
        .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_KHR_PRESENT_ID_2_EXTENSION_NAME, \
                       VK_KHR_PRESENT_WAIT_2_EXTENSION_NAME},                               \
        .features = &present_id2

static VkSwapchainKHR make_with_ids(struct baseline *b)
{
    return make_of(b, VK_SWAPCHAIN_CREATE_PRESENT_ID_2_BIT_KHR |
                          VK_SWAPCHAIN_CREATE_PRESENT_WAIT_2_BIT_KHR);
}

static void present_as2(struct baseline *b, VkSwapchainKHR swapchain, uint64_t id)
{
    VkPresentId2KHR ids = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_ID_2_KHR, .swapchainCount = 1, .pPresentIds = &id};
    present_with(b, b->queue, swapchain, prepare_synced(b, swapchain), 0, NULL, &ids);
}

static void wait_for_shown(struct baseline *b, VkSwapchainKHR swapchain, uint64_t id)
{
    VkPresentWait2InfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_WAIT_2_INFO_KHR,
                                  .presentId = id};
    DEVICE_PROC(b, vkWaitForPresent2KHR)(b->device, swapchain, &info);
}

SCENARIO(present_ids_2, PRESENT_ID_2)
{
    VkSwapchainKHR swapchain = make_with_ids(b);
    present_as2(b, swapchain, 3);
    present_as2(b, swapchain, 5);
    wait_for_shown(b, swapchain, 5);
}

SCENARIO(present_id_2_smaller, PRESENT_ID_2, .expect = {"VUID-VkPresentId2KHR-presentIds-10819"})
{
    VkSwapchainKHR swapchain = make_with_ids(b);
    present_as2(b, swapchain, 3);
    present_as2(b, swapchain, 2);
}

SCENARIO(wait_for_what_was_not_presented, PRESENT_ID_2,
         .expect = {"VUID-vkWaitForPresent2KHR-presentId-10817"})
{
    VkSwapchainKHR swapchain = make_with_ids(b);
    present_as2(b, swapchain, 3);
    wait_for_shown(b, swapchain, 4);
}

#define PLAIN .null_driver = "{\"plainSurfaces\": true}"

SCENARIO(present_id_2_on_plain_surface, PRESENT_ID_2, PLAIN,
         .expect = {"VUID-VkPresentInfoKHR-presentId2Supported-10822"})
{
    present_as2(b, make_with_ids(b), 3);
}

SCENARIO(wait_2_on_plain_surface, PRESENT_ID_2, PLAIN,
         .expect = {"VUID-vkWaitForPresent2KHR-None-10815"},
         .allow = {"VUID-vkWaitForPresent2KHR-presentId-10817"})
{
    wait_for_shown(b, make_with_ids(b), 0);
}

/* --- present timing --- */

static const VkPhysicalDevicePresentTimingFeaturesEXT
    timing = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_TIMING_FEATURES_EXT,
              .presentTiming = VK_TRUE},
    target_times = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_TIMING_FEATURES_EXT,
                    .presentTiming = VK_TRUE,
                    .presentAtAbsoluteTime = VK_TRUE,
                    .presentAtRelativeTime = VK_TRUE};
#define TIMING(features_)                                                                   \
    SURFACES2,                                                                              \
        .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_KHR_PRESENT_ID_2_EXTENSION_NAME, \
                       VK_KHR_CALIBRATED_TIMESTAMPS_EXTENSION_NAME,                         \
                       VK_EXT_PRESENT_TIMING_EXTENSION_NAME},                               \
        .features = &(features_)
#define RELATIVE VK_PRESENT_TIMING_INFO_PRESENT_AT_RELATIVE_TIME_BIT_EXT

static void present_at(struct baseline *b, VkSwapchainKHR swapchain, uint32_t count,
                       VkPresentTimingInfoFlagsEXT flags, uint64_t time)
{
    VkTimeDomainKHR domain;
    uint64_t id = 0;
    VkSwapchainTimeDomainPropertiesEXT domains = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_TIME_DOMAIN_PROPERTIES_EXT,
        .timeDomainCount = 1,
        .pTimeDomains = &domain,
        .pTimeDomainIds = &id};
    DEVICE_PROC(b, vkGetSwapchainTimeDomainPropertiesEXT)(b->device, swapchain, &domains, NULL);
    const VkPresentTimingInfoEXT infos[] = {
        {.sType = VK_STRUCTURE_TYPE_PRESENT_TIMING_INFO_EXT,
         .flags = flags,
         .targetTime = time,
         .timeDomainId = id},
        {.sType = VK_STRUCTURE_TYPE_PRESENT_TIMING_INFO_EXT, .timeDomainId = id}};
    VkPresentTimingsInfoEXT timings = {.sType = VK_STRUCTURE_TYPE_PRESENT_TIMINGS_INFO_EXT,
                                       .swapchainCount = count,
                                       .pTimingInfos = infos};
    present_with(b, b->queue, swapchain, prepare_synced(b, swapchain), 0, NULL, &timings);
}

#define TIMED VK_SWAPCHAIN_CREATE_PRESENT_TIMING_BIT_EXT
SCENARIO(present_at_times, TIMING(target_times))
{
    VkSwapchainKHR swapchain = make_of(b, TIMED);
    present_at(b, swapchain, 1, 0, 1000);
    present_at(b, swapchain, 1, RELATIVE, 1000);
}

/* Without a time, nothing but the extension is needed. */
SCENARIO(present_whenever, TIMING(timing), PLAIN)
{
    present_at(b, make_of(b, TIMED), 1, RELATIVE, 0);
}

SCENARIO(present_timings_of_two, TIMING(timing),
         .expect = {"VUID-VkPresentTimingsInfoEXT-swapchainCount-12233"})
{
    present_at(b, make_of(b, TIMED), 2, 0, 0);
}

SCENARIO(present_timing_without_flag, TIMING(timing),
         .expect = {"VUID-VkPresentTimingsInfoEXT-pSwapchains-12234"})
{
    present_at(b, make_synced(b), 1, 0, 0);
}

SCENARIO(present_at_absolute_time_not_enabled, TIMING(timing),
         .expect = {"VUID-VkPresentTimingInfoEXT-targetTime-12236"},
         .text = {"is 1000, but the feature presentAtAbsoluteTime is not enabled"})
{
    present_at(b, make_of(b, TIMED), 1, 0, 1000);
}

SCENARIO(present_at_relative_time_not_enabled, TIMING(timing),
         .expect = {"VUID-VkPresentTimingInfoEXT-targetTime-12237"})
{
    present_at(b, make_of(b, TIMED), 1, RELATIVE, 1000);
}

SCENARIO(present_at_absolute_time_on_plain_surface, TIMING(target_times), PLAIN,
         .expect = {"VUID-VkPresentTimingInfoEXT-targetTime-12236"},
         .text = {"presentAtAbsoluteTimeSupported of the surface is VK_FALSE"})
{
    present_at(b, make_of(b, TIMED), 1, 0, 1000);
}

SCENARIO(present_at_time_by_mailbox, TIMING(target_times),
         .expect = {"VUID-VkPresentTimingsInfoEXT-pSwapchains-12235"})
{
    VkSwapchainCreateInfoKHR info = swapchain_info(make_surface(b));
    info.minImageCount = 4;
    info.flags = TIMED;
    info.presentMode = VK_PRESENT_MODE_MAILBOX_KHR;
    present_at(b, create_swapchain(b, &info), 1, 0, 1000);
}

/* The second of the null driver's time domains is local to present stages. */
static void present_in_domain(struct baseline *b, uint64_t domain, VkPresentStageFlagsEXT stage,
                              uint64_t time, VkPresentStageFlagsEXT queries)
{
    VkSwapchainKHR swapchain = make_of(b, TIMED);
    VkTimeDomainKHR domains[2];
    uint64_t ids[2];
    VkSwapchainTimeDomainPropertiesEXT known = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_TIME_DOMAIN_PROPERTIES_EXT,
        .timeDomainCount = 2,
        .pTimeDomains = domains,
        .pTimeDomainIds = ids};
    DEVICE_PROC(b, vkGetSwapchainTimeDomainPropertiesEXT)(b->device, swapchain, &known, NULL);
    VK(DEVICE_PROC(b, vkSetSwapchainPresentTimingQueueSizeEXT)(b->device, swapchain, 4));
    const VkPresentTimingInfoEXT info = {.sType = VK_STRUCTURE_TYPE_PRESENT_TIMING_INFO_EXT,
                                         .targetTime = time,
                                         .timeDomainId = domain,
                                         .presentStageQueries = queries,
                                         .targetTimeDomainPresentStage = stage};
    const VkPresentTimingsInfoEXT timings = {.sType = VK_STRUCTURE_TYPE_PRESENT_TIMINGS_INFO_EXT,
                                             .swapchainCount = 1,
                                             .pTimingInfos = &info};
    present_with(b, b->queue, swapchain, prepare_synced(b, swapchain), 0, NULL, &timings);
}
#define FIRST_PIXEL VK_PRESENT_STAGE_IMAGE_FIRST_PIXEL_OUT_BIT_EXT

SCENARIO(present_in_domain_of_stage, TIMING(target_times))
{
    present_in_domain(b, 2, FIRST_PIXEL, 1000, 0);
}

SCENARIO(present_in_domain_of_no_stage, TIMING(target_times),
         .expect = {"VUID-VkPresentTimingInfoEXT-timeDomainId-12238"})
{
    present_in_domain(b, 2, FIRST_PIXEL | VK_PRESENT_STAGE_IMAGE_FIRST_PIXEL_VISIBLE_BIT_EXT, 1000,
                      0);
}

/* Stages count where the time is local to one, and where there is a time. */
SCENARIO(present_in_plain_domain, TIMING(target_times))
{
    present_in_domain(b, 1, 0, 1000, 0);
    present_in_domain(b, 2, 0, 0, FIRST_PIXEL);
}

SCENARIO(present_in_unknown_domain, TIMING(target_times),
         .expect = {"VUID-VkPresentTimingInfoEXT-timeDomainId-12400"},
         .text = {"timeDomainId is 3, which"})
{
    present_in_domain(b, 3, 0, 1000, 0);
}

/* Nothing is asked for in that domain. */
SCENARIO(present_in_no_domain, TIMING(target_times))
{
    present_in_domain(b, 3, 0, 0, 0);
}

static void ask_domains(struct baseline *b, uint32_t count, VkTimeDomainKHR *domains, uint64_t *ids)
{
    VkSwapchainTimeDomainPropertiesEXT properties = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_TIME_DOMAIN_PROPERTIES_EXT,
        .timeDomainCount = count,
        .pTimeDomains = domains,
        .pTimeDomainIds = ids};
    DEVICE_PROC(b, vkGetSwapchainTimeDomainPropertiesEXT)
    (b->device, make_of(b, TIMED), &properties, NULL);
}

SCENARIO(time_domains, TIMING(timing))
{
    VkTimeDomainKHR domains[2];
    uint64_t ids[2];
    ask_domains(b, 0, NULL, NULL);
    ask_domains(b, 2, domains, ids);
}

SCENARIO(time_domains_without_ids, TIMING(timing),
         .expect = {"VUID-VkSwapchainTimeDomainPropertiesEXT-pTimeDomains-12370"},
         .text = {"pTimeDomains is not NULL, but pTimeDomainIds is NULL"})
{
    VkTimeDomainKHR domains[2];
    ask_domains(b, 2, domains, NULL);
}

SCENARIO(no_time_domains, TIMING(timing),
         .expect = {"VUID-VkSwapchainTimeDomainPropertiesEXT-pTimeDomains-12371"})
{
    VkTimeDomainKHR domains[2];
    uint64_t ids[2];
    ask_domains(b, 0, domains, ids);
}

/* --- the images' uses ------------------------------------------------------------------------- */

/* Work that uses an image of the swapchain, and is not known to be done. */
static uint32_t use_image(struct baseline *b, VkSwapchainKHR swapchain)
{
    VkFence fence = make_fence(b);
    uint32_t index = acquire_synced(b, swapchain, VK_NULL_HANDLE, fence);
    VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
    submit_synced(b, record_transition(b, swapchain, index), VK_NULL_HANDLE, VK_NULL_HANDLE,
                  VK_NULL_HANDLE);
    return index;
}

SCENARIO(swapchain_destroyed_in_use, SWAPCHAIN,
         .expect = {"VUID-vkDestroySwapchainKHR-swapchain-01282"})
{
    VkSwapchainKHR swapchain = make_synced(b);
    use_image(b, swapchain);
    DEVICE_PROC(b, vkDestroySwapchainKHR)(b->device, swapchain, NULL);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(swapchain_destroyed_after_use, SWAPCHAIN)
{
    VkSwapchainKHR swapchain = make_synced(b);
    use_image(b, swapchain);
    VK(vkQueueWaitIdle(b->queue));
    FORGET(b, swapchain);
    DEVICE_PROC(b, vkDestroySwapchainKHR)(b->device, swapchain, NULL);
}

static void release_synced(struct baseline *b, bool wait)
{
    VkSwapchainKHR swapchain = make_synced(b);
    uint32_t index = use_image(b, swapchain);
    VkReleaseSwapchainImagesInfoKHR info = {.sType =
                                                VK_STRUCTURE_TYPE_RELEASE_SWAPCHAIN_IMAGES_INFO_KHR,
                                            .swapchain = swapchain,
                                            .imageIndexCount = 1,
                                            .pImageIndices = &index};
    if (wait)
        VK(vkQueueWaitIdle(b->queue));
    DEVICE_PROC(b, vkReleaseSwapchainImagesKHR)(b->device, &info);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(image_released_in_use, MAINTENANCE,
         .expect = {"VUID-VkReleaseSwapchainImagesInfoKHR-pImageIndices-07786"})
{
    release_synced(b, false);
}

SCENARIO(image_released_after_use, MAINTENANCE)
{
    release_synced(b, true);
}

SCENARIO(wait_without_features, SURFACES2,
         .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_KHR_PRESENT_ID_EXTENSION_NAME,
                        VK_KHR_PRESENT_WAIT_EXTENSION_NAME, VK_KHR_PRESENT_ID_2_EXTENSION_NAME,
                        VK_KHR_PRESENT_WAIT_2_EXTENSION_NAME},
         .expect = {"VUID-vkWaitForPresentKHR-presentWait-06234",
                    "VUID-vkWaitForPresent2KHR-presentWait2-10814"},
         .allow = {"VUID-vkWaitForPresent2KHR-presentId-10817"},
         .text = {"needs the feature presentWait, which is not enabled",
                  "needs the feature presentWait2, which is not enabled"})
{
    VkSwapchainKHR swapchain = make_synced(b);
    DEVICE_PROC(b, vkWaitForPresentKHR)(b->device, swapchain, 1, 0);
    wait_for_shown(b, swapchain, 1);
}

static const VkPhysicalDevicePresentWaitFeaturesKHR present_wait = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR,
    .pNext = (void *)&present_id,
    .presentWait = VK_TRUE};
#define PRESENT_WAIT                                                                      \
    SURFACE, .drivers = NULL_DRIVER, .features = &present_wait,                           \
        .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_KHR_PRESENT_ID_EXTENSION_NAME, \
                       VK_KHR_PRESENT_WAIT_EXTENSION_NAME}

static void wait_where(struct baseline *b, bool retired)
{
    VkSwapchainCreateInfoKHR info = swapchain_info(make_surface(b));
    VkBool32 supported = VK_FALSE;
    VkSurfaceCapabilitiesKHR capabilities;
    VK(vkGetPhysicalDeviceSurfaceSupportKHR(b->physical_device, b->queue_family, info.surface,
                                            &supported));
    VK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(b->physical_device, info.surface, &capabilities));
    info.minImageCount = capabilities.minImageCount + 2;
    VkSwapchainKHR swapchain = create_swapchain(b, &info);
    present_as(b, swapchain, 1);
    VK(vkQueueWaitIdle(b->queue));
    info.oldSwapchain = swapchain;
    if (retired)
        ENSURE(create_swapchain(b, &info));
    DEVICE_PROC(b, vkWaitForPresentKHR)(b->device, swapchain, 1, 0);
}

SCENARIO(wait_for_present, PRESENT_WAIT)
{
    wait_where(b, false);
}

/* Once its id was seen, or a smaller one, a present has waited, and what it waited for is done. A
 * later one may not have. */
static void reset_after_present(struct baseline *b, uint64_t id, uint32_t presents)
{
    VkSwapchainKHR swapchain = make_synced(b);
    VkSemaphore acquired[2] = {make_semaphore(b), make_semaphore(b)},
                rendered[2] = {make_semaphore(b), make_semaphore(b)};
    VkCommandBuffer last = NULL;
    for (uint32_t i = 0; i < presents; i++) {
        uint32_t index = acquire_synced(b, swapchain, acquired[i], VK_NULL_HANDLE);
        uint64_t presented = 7 + i;
        VkPresentIdKHR ids = {.sType = VK_STRUCTURE_TYPE_PRESENT_ID_KHR,
                              .swapchainCount = 1,
                              .pPresentIds = &presented};
        last = record_transition(b, swapchain, index);
        submit_synced(b, last, acquired[i], rendered[i], VK_NULL_HANDLE);
        present_with(b, b->queue, swapchain, index, 1, &rendered[i], &ids);
    }
    DEVICE_PROC(b, vkWaitForPresentKHR)(b->device, swapchain, id, UINT64_MAX);
    (void)vkResetCommandBuffer(last, 0);
    VK(vkDeviceWaitIdle(b->device));
}

SCENARIO(reset_after_present_was_seen, PRESENT_WAIT)
{
    reset_after_present(b, 7, 1);
    reset_after_present(b, 6, 1);
    reset_after_present(b, 8, 2);
}

SCENARIO(reset_after_earlier_present_was_seen, PRESENT_WAIT,
         .expect = {"VUID-vkResetCommandBuffer-commandBuffer-00045"})
{
    reset_after_present(b, 7, 2);
}

SCENARIO(wait_for_present_of_retired, PRESENT_WAIT,
         .expect = {"VUID-vkWaitForPresentKHR-swapchain-04997"},
         .text = {"swapchain is retired: it was the oldSwapchain of another swapchain"})
{
    wait_where(b, true);
}

SCENARIO(present_id_2_without_all, SURFACES2,
         .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_KHR_PRESENT_ID_2_EXTENSION_NAME},
         .expect = {"VUID-VkPresentInfoKHR-pNext-10821"},
         .text = {"is 3, but the feature presentId2 is not enabled"})
{
    present_as2(b, make_synced(b), 3);
}

SCENARIO(present_id_2_without_flag, PRESENT_ID_2, .expect = {"VUID-VkPresentId2KHR-None-10820"},
         .text = {"is 3, but the swapchain was created without "
                  "VK_SWAPCHAIN_CREATE_PRESENT_ID_2_BIT_KHR"})
{
    present_as2(b, make_synced(b), 3);
}

SCENARIO(wait_2_without_flag, PRESENT_ID_2, .expect = {"VUID-vkWaitForPresent2KHR-None-10816"},
         .allow = {"VUID-vkWaitForPresent2KHR-presentId-10817"},
         .text = {"swapchain was created without VK_SWAPCHAIN_CREATE_PRESENT_WAIT_2_BIT_KHR"})
{
    wait_for_shown(b, make_synced(b), 1);
}

SCENARIO(present_ids_2_of_two, PRESENT_ID_2,
         .expect = {"VUID-VkPresentId2KHR-swapchainCount-10818"}, .text = {"swapchainCount is 2"})
{
    static const uint64_t two[2] = {3, 4};
    VkSwapchainKHR swapchain = make_with_ids(b);
    const VkPresentId2KHR ids = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_ID_2_KHR, .swapchainCount = 2, .pPresentIds = two};
    present_with(b, b->queue, swapchain, prepare_synced(b, swapchain), 0, NULL, &ids);
}

static void present_in_time(struct baseline *b, uint32_t count)
{
    static const VkPresentTimeGOOGLE times[2] = {{1, 0}, {2, 0}};
    VkSwapchainKHR swapchain = make_synced(b);
    const VkPresentTimesInfoGOOGLE info = {.sType = VK_STRUCTURE_TYPE_PRESENT_TIMES_INFO_GOOGLE,
                                           .swapchainCount = count,
                                           .pTimes = times};
    present_with(b, b->queue, swapchain, prepare_synced(b, swapchain), 0, NULL, &info);
}
#define TIMES                        \
    SURFACE, .drivers = NULL_DRIVER, \
        .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_GOOGLE_DISPLAY_TIMING_EXTENSION_NAME}
SCENARIO(present_times, TIMES)
{
    present_in_time(b, 1);
}

SCENARIO(present_times_of_two, TIMES,
         .expect = {"VUID-VkPresentTimesInfoGOOGLE-swapchainCount-01247"},
         .text = {"swapchainCount is 2"})
{
    present_in_time(b, 2);
}

/* --- times of present stages --- */

static void calibrate_stage(struct baseline *b, VkPresentStageFlagsEXT stages)
{
    const VkSwapchainCalibratedTimestampInfoEXT of = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CALIBRATED_TIMESTAMP_INFO_EXT,
        .swapchain = make_of(b, TIMED),
        .presentStage = stages};
    const VkCalibratedTimestampInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_KHR,
        .pNext = &of,
        .timeDomain = VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT};
    uint64_t time, deviation;
    (void)DEVICE_PROC(b, vkGetCalibratedTimestampsKHR)(b->device, 1, &info, &time, &deviation);
}

SCENARIO(calibrated_stage, TIMING(timing))
{
    calibrate_stage(b, VK_PRESENT_STAGE_REQUEST_DEQUEUED_BIT_EXT);
}

SCENARIO(calibrated_stages, TIMING(timing),
         .expect = {"VUID-VkSwapchainCalibratedTimestampInfoEXT-timeDomain-12228"},
         .text = {"where one stage is meant"})
{
    calibrate_stage(b, VK_PRESENT_STAGE_REQUEST_DEQUEUED_BIT_EXT |
                           VK_PRESENT_STAGE_IMAGE_FIRST_PIXEL_OUT_BIT_EXT);
}

/* --- images used before the acquire is waited for --- */

/* Acquires an image and submits its transition, waiting for the acquire or not. */
static void use_acquired(struct baseline *b, acquire_function acquire_image, bool with_fence,
                         bool waits, bool waits_before)
{
    VkSwapchainKHR swapchain = make_synced(b);
    VkSemaphore semaphore = make_semaphore(b);
    VkFence fence = with_fence ? make_fence(b) : VK_NULL_HANDLE;
    const uint32_t index = acquire_image(b, swapchain, semaphore, fence);
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkCommandBuffer commands = record_transition(b, swapchain, index);
    VkSubmitInfo info = submit_info(&commands);
    info.waitSemaphoreCount = waits ? 1 : 0;
    info.pWaitSemaphores = &semaphore;
    info.pWaitDstStageMask = &stages;
    if (with_fence)
        VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
    if (waits_before)
        submit_synced(b, VK_NULL_HANDLE, semaphore, VK_NULL_HANDLE, VK_NULL_HANDLE);
    (void)vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE);
    VK(vkQueueWaitIdle(b->queue));
}
#define TOO_EARLY                                                          \
    SWAPCHAIN, .expect = {"UNASSIGNED-non-acquired-swapchain-image-used"}, \
        .text = {", and nothing has waited for the semaphore that vkAcquireNextImageKHR"}
SCENARIO(image_used_before_the_acquire, TOO_EARLY)
{
    use_acquired(b, acquire_synced, false, false, false);
}
SCENARIO(image_used_before_the_acquire_2, TOO_EARLY)
{
    use_acquired(b, acquire_synced2, false, false, false);
}
/* The semaphore was waited for, and signals the acquire of another image now. */
SCENARIO(image_used_when_its_semaphore_is_of_another, SWAPCHAIN)
{
    VkSwapchainKHR swapchain = make_synced(b);
    VkSemaphore semaphore = make_semaphore(b);
    const uint32_t first = acquire_synced(b, swapchain, semaphore, VK_NULL_HANDLE);
    VkCommandBuffer commands = record_transition(b, swapchain, first);
    const VkSubmitInfo info = submit_info(&commands);
    submit_synced(b, VK_NULL_HANDLE, semaphore, VK_NULL_HANDLE, VK_NULL_HANDLE);
    VK(vkQueueWaitIdle(b->queue));
    ENSURE(acquire_synced(b, swapchain, semaphore, VK_NULL_HANDLE) != first);
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    submit_synced(b, VK_NULL_HANDLE, semaphore, VK_NULL_HANDLE, VK_NULL_HANDLE);
    VK(vkQueueWaitIdle(b->queue));
}
SCENARIO(image_used_after_the_acquire, SWAPCHAIN)
{
    use_acquired(b, acquire_synced, false, true, false);
    use_acquired(b, acquire_synced2, false, true, false);
    use_acquired(b, acquire_synced, false, false, true);
    use_acquired(b, acquire_synced, true, false, false);
}
