/* Surfaces and swapchains: created, acquired from, presented. On headless surfaces. */
#include "scenario.h"

#define SURFACE \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME}
#define SWAPCHAIN SURFACE, .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}

/* --- creating --------------------------------------------------------------------------------- */

static uint32_t ask_support(struct baseline *b, VkSurfaceKHR surface)
{
    VkBool32 supported = VK_FALSE;
    VkSurfaceCapabilitiesKHR capabilities;
    VK(vkGetPhysicalDeviceSurfaceSupportKHR(b->physical_device, b->queue_family, surface,
                                            &supported));
    VK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(b->physical_device, surface, &capabilities));
    ENSURE(supported);
    return capabilities.minImageCount;
}

/* With two images more than the surface needs at least. */
static VkSwapchainCreateInfoKHR valid_info(struct baseline *b)
{
    VkSwapchainCreateInfoKHR info = swapchain_info(make_surface(b));
    info.minImageCount = ask_support(b, info.surface) + 2;
    return info;
}

/* A swapchain with one mistake: the id, and what changes the valid one. */
#define CREATE_WITH(name_, change_, ...)               \
    SCENARIO(name_, __VA_ARGS__)                       \
    {                                                  \
        VkSwapchainCreateInfoKHR info = valid_info(b); \
        change_;                                       \
        create_swapchain(b, &info);                    \
    }
#define CREATE(name_, vuid_, change_) \
    CREATE_WITH(name_, change_, SWAPCHAIN, .expect = {"VUID-VkSwapchainCreateInfoKHR-" vuid_})
#define CREATE_NULL(name_, vuid_, change_)                                                     \
    CREATE_WITH(name_, change_, SWAPCHAIN, .expect = {"VUID-VkSwapchainCreateInfoKHR-" vuid_}, \
                .drivers = NULL_DRIVER)
#define NOTHING (void)0

CREATE_WITH(swapchain_plain, NOTHING, SWAPCHAIN)
CREATE(swapchain_of_one_image, "presentMode-02839", info.minImageCount = 0)
CREATE_NULL(swapchain_of_too_many_images, "minImageCount-01272", info.minImageCount = 65)
CREATE_WITH(swapchain_shared_of_many_images,
            info.presentMode = VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR, .drivers = NULL_DRIVER,
            .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME,
                                    VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME,
                                    VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME},
            .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME,
                           VK_KHR_SHARED_PRESENTABLE_IMAGE_EXTENSION_NAME},
            .expect = {"VUID-VkSwapchainCreateInfoKHR-minImageCount-01383"})
CREATE(swapchain_format, "imageFormat-01273", info.imageFormat = VK_FORMAT_R32G32B32A32_SFLOAT)
CREATE(swapchain_no_width, "imageExtent-01689", info.imageExtent.width = 0)
CREATE(swapchain_too_wide, "pNext-07781", info.imageExtent.width = 1u << 20)
CREATE_WITH(swapchain_larger_than_images, info.imageExtent = ((VkExtent2D){33, 1}), SWAPCHAIN,
            .drivers = NULL_DRIVER, .null_driver = "{\"limits\": {\"maxImageDimension2D\": 32}}",
            .expect = {"VUID-VkSwapchainCreateInfoKHR-imageFormat-01778"})
CREATE_WITH(swapchain_as_large_as_images, info.imageExtent = ((VkExtent2D){32, 32}), SWAPCHAIN,
            .drivers = NULL_DRIVER, .null_driver = "{\"limits\": {\"maxImageDimension2D\": 32}}")
CREATE(swapchain_no_layers, "imageArrayLayers-01275", info.imageArrayLayers = 0)
CREATE(swapchain_too_many_layers, "imageArrayLayers-01275", info.imageArrayLayers = 100000)
CREATE_NULL(swapchain_usage, "presentMode-01427",
            info.imageUsage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)
CREATE(swapchain_transform, "preTransform-01279",
       info.preTransform = VK_SURFACE_TRANSFORM_HORIZONTAL_MIRROR_ROTATE_90_BIT_KHR)
CREATE_NULL(swapchain_alpha, "compositeAlpha-01280",
            info.compositeAlpha = VK_COMPOSITE_ALPHA_POST_MULTIPLIED_BIT_KHR)
CREATE_NULL(swapchain_concurrent_of_nobody, "imageSharingMode-01277",
            info.imageSharingMode = VK_SHARING_MODE_CONCURRENT;
            info.queueFamilyIndexCount = 2)
CREATE_NULL(swapchain_concurrent_twice, "imageSharingMode-01428",
            info.imageSharingMode = VK_SHARING_MODE_CONCURRENT;
            info.queueFamilyIndexCount = 2; info.pQueueFamilyIndices = ((const uint32_t[]){1, 1}))
CREATE_WITH(swapchain_concurrent, info.imageSharingMode = VK_SHARING_MODE_CONCURRENT;
            info.queueFamilyIndexCount = 2; info.pQueueFamilyIndices = ((const uint32_t[]){0, 1}),
                                            SWAPCHAIN, .drivers = NULL_DRIVER)

static const VkFormat formats[] = {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB,
                                   VK_FORMAT_R16_UNORM};
#define LIST(count_, first_)                                                                      \
    VkImageFormatListCreateInfo list = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, \
                                        .viewFormatCount = (count_),                              \
                                        .pViewFormats = formats + (first_)};                      \
    info.pNext = &list
#define MUTABLE                                              \
    SURFACE, .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, \
                            VK_KHR_SWAPCHAIN_MUTABLE_FORMAT_EXTENSION_NAME}
CREATE_WITH(swapchain_mutable, LIST(2, 0);
            info.flags = VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR, MUTABLE)
CREATE_WITH(swapchain_mutable_without_list, info.flags = VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR,
            MUTABLE, .expect = {"VUID-VkSwapchainCreateInfoKHR-flags-03168"})
CREATE_WITH(swapchain_mutable_to_others, LIST(1, 1);
            info.flags = VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR, MUTABLE,
            .expect = {"VUID-VkSwapchainCreateInfoKHR-flags-03168"})
CREATE_WITH(swapchain_incompatible_formats, LIST(3, 0);
            info.flags = VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR, MUTABLE,
            .expect = {"VUID-VkSwapchainCreateInfoKHR-pNext-04099"})
CREATE_WITH(swapchain_formats_not_mutable, LIST(2, 0), MUTABLE,
            .expect = {"VUID-VkSwapchainCreateInfoKHR-flags-04100"})

SCENARIO(swapchain_of_retired, SWAPCHAIN,
         .expect = {"VUID-VkSwapchainCreateInfoKHR-oldSwapchain-01933"})
{
    VkSwapchainCreateInfoKHR info = valid_info(b);
    info.oldSwapchain = create_swapchain(b, &info);
    create_swapchain(b, &info);
    create_swapchain(b, &info);
}

SCENARIO(swapchain_of_old, SWAPCHAIN)
{
    VkSwapchainCreateInfoKHR info = valid_info(b);
    info.oldSwapchain = create_swapchain(b, &info);
    create_swapchain(b, &info);
}

/* --- swapchain maintenance -------------------------------------------------------------------- */

static const VkPhysicalDeviceSwapchainMaintenance1FeaturesKHR maintenance = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SWAPCHAIN_MAINTENANCE_1_FEATURES_KHR,
    .swapchainMaintenance1 = VK_TRUE};
#define WITHOUT_FEATURE                                                                            \
    .drivers = NULL_DRIVER,                                                                        \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME, \
                            VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME,                      \
                            VK_KHR_SURFACE_MAINTENANCE_1_EXTENSION_NAME},                          \
    .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_KHR_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME}
#define MAINTENANCE WITHOUT_FEATURE, .features = &maintenance

static const VkPresentModeKHR present_modes[] = {
    VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_MAILBOX_KHR, VK_PRESENT_MODE_FIFO_LATEST_READY_KHR};
#define MODES(count_, first_)                                               \
    VkSwapchainPresentModesCreateInfoKHR modes = {                          \
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODES_CREATE_INFO_KHR, \
        .presentModeCount = (count_),                                       \
        .pPresentModes = present_modes + (first_)};                         \
    info.pNext = &modes
#define SCALING(behavior_, x_, y_)                                            \
    VkSwapchainPresentScalingCreateInfoKHR scaling = {                        \
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_SCALING_CREATE_INFO_KHR, \
        .scalingBehavior = (behavior_),                                       \
        .presentGravityX = (x_),                                              \
        .presentGravityY = (y_)};                                             \
    info.pNext = &scaling
#define MIN VK_PRESENT_GRAVITY_MIN_BIT_KHR
#define MAX VK_PRESENT_GRAVITY_MAX_BIT_KHR

/* "the value returned ... by vkGetPhysicalDeviceSurfaceCapabilitiesKHR", which knows no mode. This
 * mode takes one more. */
CREATE_WITH(swapchain_of_as_few_as_was_told, info.minImageCount -= 2;
            info.presentMode = VK_PRESENT_MODE_MAILBOX_KHR, MAINTENANCE)
CREATE_WITH(swapchain_modes, MODES(1, 0), MAINTENANCE)
CREATE_WITH(swapchain_modes_without_feature, MODES(1, 0), WITHOUT_FEATURE,
            .expect = {"VUID-VkSwapchainCreateInfoKHR-swapchainMaintenance1-10155"})
CREATE_WITH(swapchain_modes_without_its_own, MODES(1, 1), MAINTENANCE,
            .expect = {"VUID-VkSwapchainPresentModesCreateInfoKHR-presentMode-07764",
                       "VUID-VkSwapchainPresentModesCreateInfoKHR-pPresentModes-07763"})
CREATE_WITH(swapchain_modes_unsupported, MODES(3, 0), MAINTENANCE,
            .expect =
                {"VUID-VkSwapchainPresentModesCreateInfoKHR-pPresentModes-07763",
                 "VUID-VkSwapchainPresentModesCreateInfoKHR-presentModeFifoLatestReady-10160"},
            .allow = {"VUID-VkSwapchainPresentModesCreateInfoKHR-pPresentModes-parameter"})
static const VkPhysicalDevicePresentModeFifoLatestReadyFeaturesKHR latest_ready = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_MODE_FIFO_LATEST_READY_FEATURES_KHR,
    .pNext = (void *)&maintenance,
    .presentModeFifoLatestReady = VK_TRUE};
CREATE_WITH(swapchain_modes_that_the_surface_lacks, MODES(3, 0), WITHOUT_FEATURE,
            .features = &latest_ready,
            .expect = {"VUID-VkSwapchainPresentModesCreateInfoKHR-pPresentModes-07763",
                       "VUID-VkSwapchainPresentModesCreateInfoKHR-None-07762"},
            .allow = {"VUID-VkSwapchainPresentModesCreateInfoKHR-pPresentModes-parameter"})
CREATE_WITH(swapchain_deferred, info.flags = VK_SWAPCHAIN_CREATE_DEFERRED_MEMORY_ALLOCATION_BIT_KHR,
            MAINTENANCE)
CREATE_WITH(swapchain_scaling_without_feature, SCALING(VK_PRESENT_SCALING_ONE_TO_ONE_BIT_KHR, 0, 0),
            WITHOUT_FEATURE,
            .expect = {"VUID-VkSwapchainPresentScalingCreateInfoKHR-swapchainMaintenance1-10154"})
#define EXPECT_SCALING(...)                                                            \
    MAINTENANCE, .expect = {__VA_ARGS__},                                              \
        .allow = {"VUID-VkSwapchainPresentScalingCreateInfoKHR-scalingBehavior-07770", \
                  "VUID-VkSwapchainPresentScalingCreateInfoKHR-presentGravityX-07772", \
                  "VUID-VkSwapchainPresentScalingCreateInfoKHR-presentGravityY-07774"}
CREATE_WITH(swapchain_scaling_twice,
            SCALING(VK_PRESENT_SCALING_ONE_TO_ONE_BIT_KHR | VK_PRESENT_SCALING_STRETCH_BIT_KHR, 0,
                    0),
            EXPECT_SCALING("VUID-VkSwapchainPresentScalingCreateInfoKHR-scalingBehavior-07767"))
CREATE_WITH(swapchain_gravity_twice, SCALING(0, MIN | MAX, MIN | MAX),
            EXPECT_SCALING("VUID-VkSwapchainPresentScalingCreateInfoKHR-presentGravityX-07768",
                           "VUID-VkSwapchainPresentScalingCreateInfoKHR-presentGravityY-07769"))
CREATE_WITH(swapchain_scaling_none, SCALING(0, 0, 0), MAINTENANCE)

/* The extent is that of the scaled images, not the surface's. */
CREATE_WITH(swapchain_scaled, SCALING(VK_PRESENT_SCALING_STRETCH_BIT_KHR, MIN, MIN);
            info.imageExtent = ((VkExtent2D){1024, 1024}), MAINTENANCE)
CREATE_WITH(swapchain_scaled_too_wide, SCALING(VK_PRESENT_SCALING_STRETCH_BIT_KHR, MIN, MIN);
            info.imageExtent = ((VkExtent2D){1025, 1024}), MAINTENANCE,
            .expect = {"VUID-VkSwapchainCreateInfoKHR-pNext-07782"},
            .text = {"imageExtent is 1025x1024, but with scalingBehavior"})

/* The surface takes its size from the swapchain. */
CREATE_WITH(swapchain_scaled_to_its_own_size, SCALING(VK_PRESENT_SCALING_STRETCH_BIT_KHR, MIN, MIN);
            info.presentMode = VK_PRESENT_MODE_MAILBOX_KHR; info.minImageCount++;
            info.imageExtent = ((VkExtent2D){300, 200}), MAINTENANCE,
            .null_driver = "{\"plainSurfaces\": true}")

/* The surface scales in one mode and not in the other, to which it can switch. */
#define SCALE_IN_MAILBOX                                   \
    MODES(2, 0);                                           \
    SCALING(VK_PRESENT_SCALING_STRETCH_BIT_KHR, MIN, MAX); \
    scaling.pNext = &modes;                                \
    info.presentMode = VK_PRESENT_MODE_MAILBOX_KHR;        \
    info.minImageCount++
CREATE_WITH(swapchain_scaled_in_each_mode, SCALE_IN_MAILBOX, MAINTENANCE)
CREATE_WITH(swapchain_scaled_in_one_mode, SCALE_IN_MAILBOX, MAINTENANCE,
            .null_driver = "{\"plainSurfaces\": true}",
            .expect = {"VUID-VkSwapchainPresentScalingCreateInfoKHR-scalingBehavior-07771",
                       "VUID-VkSwapchainPresentScalingCreateInfoKHR-presentGravityX-07773",
                       "VUID-VkSwapchainPresentScalingCreateInfoKHR-presentGravityY-07775"},
            .text = {"in VK_PRESENT_MODE_FIFO_KHR the surface supports"})

/* --- shared images --- */

#define SHARED(usage_)                                            \
    info.presentMode = VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR; \
    info.minImageCount = 1;                                       \
    info.imageUsage = (usage_)
#define SHARED_IMAGES                                                                              \
    .drivers = NULL_DRIVER, .null_driver = "{\"plainSurfaces\": true}",                            \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME, \
                            VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME},                     \
    .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME,                                                \
                   VK_KHR_SHARED_PRESENTABLE_IMAGE_EXTENSION_NAME}
CREATE_WITH(swapchain_shared, SHARED(VK_IMAGE_USAGE_TRANSFER_DST_BIT), SHARED_IMAGES)
CREATE_WITH(swapchain_shared_of_other_usage,
            SHARED(VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
            SHARED_IMAGES, .expect = {"VUID-VkSwapchainCreateInfoKHR-imageUsage-01384"},
            .text = {"imageUsage has VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT"})

/* --- acquiring and presenting ----------------------------------------------------------------- */

static VkSwapchainKHR make_asked_swapchain(struct baseline *b)
{
    VkSwapchainCreateInfoKHR info = valid_info(b);
    VkSwapchainKHR swapchain = create_swapchain(b, &info);
    ENSURE(swapchain);
    return swapchain;
}

static uint32_t acquire_index(struct baseline *b, VkSwapchainKHR swapchain, uint64_t timeout)
{
    uint32_t index = 0;
    VkFence fence = make_fence(b);
    VkResult result = DEVICE_PROC(b, vkAcquireNextImageKHR)(b->device, swapchain, timeout,
                                                            VK_NULL_HANDLE, fence, &index);
    if (result == VK_SUCCESS)
        vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX);
    return index;
}

/* A command buffer that brings the image into the layout in which it is presented. */
static VkCommandBuffer record_layout(struct baseline *b, VkSwapchainKHR swapchain, uint32_t index)
{
    VkImage images[8];
    uint32_t count = 8;
    VK(DEVICE_PROC(b, vkGetSwapchainImagesKHR)(b->device, swapchain, &count, images));
    VkCommandBuffer command_buffer = make_recording(b);
    VkImageMemoryBarrier barrier =
        image_barrier(images[index], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    return command_buffer;
}

static void prepare_index(struct baseline *b, VkSwapchainKHR swapchain, uint32_t index)
{
    run_commands(b, record_layout(b, swapchain, index));
}

/* The same, which is refused. */
static void use_index(struct baseline *b, VkSwapchainKHR swapchain, uint32_t index)
{
    VkCommandBuffer command_buffer = record_layout(b, swapchain, index);
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &command_buffer};
    VK(vkEndCommandBuffer(command_buffer));
    vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
}

static void present_swapchains(struct baseline *b, uint32_t count, const VkSwapchainKHR *swapchains,
                               const uint32_t *indices, const void *next)
{
    VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                             .pNext = next,
                             .swapchainCount = count,
                             .pSwapchains = swapchains,
                             .pImageIndices = indices};
    DEVICE_PROC(b, vkQueuePresentKHR)(b->queue, &info);
    VK(vkQueueWaitIdle(b->queue));
}

/* Acquired, in the right layout, and presented with a chain. */
static void present_one(struct baseline *b, VkSwapchainKHR swapchain, const void *next)
{
    uint32_t index = acquire_index(b, swapchain, UINT64_MAX);
    prepare_index(b, swapchain, index);
    present_swapchains(b, 1, &swapchain, &index, next);
}

SCENARIO(present_plain, SWAPCHAIN)
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b);
    for (int i = 0; i < 6; i++)
        present_one(b, swapchain, NULL);
}

/* Use of a presentable image must occur only after the image is returned by vkAcquireNextImageKHR,
 * and before it is released by vkQueuePresentKHR */
#define NOT_ACQUIRED .expect = {"UNASSIGNED-non-acquired-swapchain-image-used"}
SCENARIO(image_never_acquired, SWAPCHAIN, NOT_ACQUIRED,
         .text = {"pSubmits[0].pCommandBuffers[0] uses image 0 of the swapchain, which the program "
                  "has not acquired: the presentation engine may be reading it"})
{
    use_index(b, make_asked_swapchain(b), 0);
}
SCENARIO(image_presented_and_used, SWAPCHAIN, NOT_ACQUIRED,
         .text = {"has not acquired since it presented it"})
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b);
    uint32_t index = acquire_index(b, swapchain, UINT64_MAX);
    prepare_index(b, swapchain, index);
    present_swapchains(b, 1, &swapchain, &index, NULL);
    use_index(b, swapchain, index);
}
/* Command buffers may be recorded before their image is acquired. */
SCENARIO(image_acquired_after_recording, SWAPCHAIN)
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b);
    uint32_t count = 8;
    VkImage images[8];
    VkCommandBuffer command_buffers[8];
    VK(DEVICE_PROC(b, vkGetSwapchainImagesKHR)(b->device, swapchain, &count, images));
    for (uint32_t i = 0; i < count; i++)
        command_buffers[i] = record_layout(b, swapchain, i);
    uint32_t index = acquire_index(b, swapchain, UINT64_MAX);
    run_commands(b, command_buffers[index]);
    present_swapchains(b, 1, &swapchain, &index, NULL);
}

/* --- the semaphore that a present waits for --------------------------------------------------- */

static void submit_signal_fence(struct baseline *b, VkSemaphore semaphore, VkFence fence)
{
    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .signalSemaphoreCount = 1,
                           .pSignalSemaphores = &semaphore};
    (void)vkQueueSubmit(b->queue, 1, &submit, fence);
}

static void submit_signal(struct baseline *b, VkSemaphore semaphore)
{
    submit_signal_fence(b, semaphore, VK_NULL_HANDLE);
}

static void wait_and_present(struct baseline *b, VkSwapchainKHR swapchain, uint32_t index,
                             VkSemaphore semaphore)
{
    VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                             .waitSemaphoreCount = 1,
                             .pWaitSemaphores = &semaphore,
                             .swapchainCount = 1,
                             .pSwapchains = &swapchain,
                             .pImageIndices = &index};
    DEVICE_PROC(b, vkQueuePresentKHR)(b->queue, &info);
}

static void signal_and_present(struct baseline *b, VkSwapchainKHR swapchain, uint32_t index,
                               VkSemaphore semaphore)
{
    submit_signal(b, semaphore);
    wait_and_present(b, swapchain, index, semaphore);
}

/* Qt's hellovulkancubes and vkgears: a semaphore for each frame under way, and more images than
 * those. */
SCENARIO(present_semaphore_of_the_frame, SWAPCHAIN,
         .expect = {"VUID-vkQueueSubmit-pSignalSemaphores-00067"},
         .text = {"that image has not been acquired again since"})
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b);
    VkSemaphore semaphore = make_semaphore(b);
    uint32_t first = acquire_index(b, swapchain, UINT64_MAX), second;
    prepare_index(b, swapchain, first);
    signal_and_present(b, swapchain, first, semaphore);
    second = acquire_index(b, swapchain, UINT64_MAX);
    ENSURE(first != second);
    submit_signal(b, semaphore);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(present_semaphore_of_the_image, SWAPCHAIN)
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b);
    VkSemaphore semaphores[8];
    for (uint32_t i = 0; i < 8; i++)
        semaphores[i] = make_semaphore(b);
    for (uint32_t i = 0; i < 12; i++) {
        uint32_t index = acquire_index(b, swapchain, UINT64_MAX);
        ENSURE(index < 8);
        prepare_index(b, swapchain, index);
        signal_and_present(b, swapchain, index, semaphores[index]);
    }
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(present_semaphore_after_waiting, SWAPCHAIN)
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b);
    VkSemaphore semaphore = make_semaphore(b);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t index = acquire_index(b, swapchain, UINT64_MAX);
        prepare_index(b, swapchain, index);
        signal_and_present(b, swapchain, index, semaphore);
        VK(vkQueueWaitIdle(b->queue));
    }
}

/* Mesa's screenshot layer: "All submitted batches that refer to semaphore must have completed
 * execution", and a present is not a batch. */
SCENARIO(present_semaphore_destroyed_after_its_batch, SWAPCHAIN)
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b);
    VkSemaphore semaphore = make_semaphore(b);
    VkFence fence = make_fence(b);
    uint32_t index = acquire_index(b, swapchain, UINT64_MAX);
    prepare_index(b, swapchain, index);
    submit_signal_fence(b, semaphore, fence);
    VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
    wait_and_present(b, swapchain, index, semaphore);
    FORGET(b, semaphore);
    vkDestroySemaphore(b->device, semaphore, NULL);
}

SCENARIO(present_semaphore_destroyed_before_its_batch, SWAPCHAIN,
         .expect = {"VUID-vkDestroySemaphore-semaphore-05149"})
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b);
    VkSemaphore semaphore = make_semaphore(b);
    uint32_t index = acquire_index(b, swapchain, UINT64_MAX);
    prepare_index(b, swapchain, index);
    signal_and_present(b, swapchain, index, semaphore);
    vkDestroySemaphore(b->device, semaphore, NULL);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(present_not_acquired, SWAPCHAIN, .expect = {"VUID-VkPresentInfoKHR-pImageIndices-01430"},
         .text = {"that image is not acquired"})
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b);
    uint32_t index = 1;
    present_swapchains(b, 1, &swapchain, &index, NULL);
}

SCENARIO(present_twice, SWAPCHAIN, .expect = {"VUID-VkPresentInfoKHR-pImageIndices-01430"})
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b);
    uint32_t index = acquire_index(b, swapchain, UINT64_MAX);
    prepare_index(b, swapchain, index);
    present_swapchains(b, 1, &swapchain, &index, NULL);
    present_swapchains(b, 1, &swapchain, &index, NULL);
}

SCENARIO(present_in_another_layout, SWAPCHAIN,
         .expect = {"VUID-VkPresentInfoKHR-pImageIndices-01430"},
         .text = {"is in VK_IMAGE_LAYOUT_UNDEFINED, not in VK_IMAGE_LAYOUT_PRESENT_SRC_KHR"})
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b);
    VkImage images[8];
    uint32_t count = 8, index = acquire_index(b, swapchain, UINT64_MAX);
    VK(DEVICE_PROC(b, vkGetSwapchainImagesKHR)(b->device, swapchain, &count, images));
    present_swapchains(b, 1, &swapchain, &index, NULL);
}

SCENARIO(present_one_swapchain_twice, SWAPCHAIN,
         .expect = {"VUID-VkPresentInfoKHR-pSwapchain-09231"})
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b), swapchains[] = {swapchain, swapchain};
    uint32_t indices[] = {acquire_index(b, swapchain, UINT64_MAX),
                          acquire_index(b, swapchain, UINT64_MAX)};
    prepare_index(b, swapchain, indices[0]);
    prepare_index(b, swapchain, indices[1]);
    present_swapchains(b, 2, swapchains, indices, NULL);
}

SCENARIO(present_from_a_queue_that_cannot, SWAPCHAIN,
         .expect = {"VUID-vkQueuePresentKHR-pSwapchains-01292"}, .drivers = NULL_DRIVER)
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b);
    uint32_t index = acquire_index(b, swapchain, UINT64_MAX);
    uint32_t family = find_queue_family(b->physical_device, VK_QUEUE_TRANSFER_BIT,
                                        VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT);
    prepare_index(b, swapchain, index);
    vkGetDeviceQueue(b->device, family, 0, &b->queue);
    present_swapchains(b, 1, &swapchain, &index, NULL);
}

/* The window is gone: the driver answers that nothing can present to it any more, which the program
 * need not know. */
SCENARIO(present_to_a_window_that_is_gone, SWAPCHAIN, .drivers = NULL_DRIVER,
         .null_driver = "{\"windowsGo\": true}")
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b);
    uint32_t index = acquire_index(b, swapchain, UINT64_MAX);
    prepare_index(b, swapchain, index);
    present_swapchains(b, 1, &swapchain, &index, NULL);
}

SCENARIO(acquire_without_signal, SWAPCHAIN,
         .expect = {"VUID-vkAcquireNextImageKHR-semaphore-01780"})
{
    uint32_t index;
    DEVICE_PROC(b, vkAcquireNextImageKHR)(b->device, make_asked_swapchain(b), 0, VK_NULL_HANDLE,
                                          VK_NULL_HANDLE, &index);
}

static uint32_t acquire_index2(struct baseline *b, VkSwapchainKHR swapchain, uint64_t timeout,
                               VkFence fence, uint32_t device_mask)
{
    uint32_t index = 0;
    VkAcquireNextImageInfoKHR info = {.sType = VK_STRUCTURE_TYPE_ACQUIRE_NEXT_IMAGE_INFO_KHR,
                                      .swapchain = swapchain,
                                      .timeout = timeout,
                                      .fence = fence,
                                      .deviceMask = device_mask};
    VkResult result = DEVICE_PROC(b, vkAcquireNextImage2KHR)(b->device, &info, &index);
    if (result == VK_SUCCESS && fence)
        vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX);
    return index;
}

SCENARIO(acquire_2, SWAPCHAIN)
{
    acquire_index2(b, make_asked_swapchain(b), UINT64_MAX, make_fence(b), 1);
}

SCENARIO(acquire_2_without_signal, SWAPCHAIN,
         .expect = {"VUID-VkAcquireNextImageInfoKHR-semaphore-01782"})
{
    acquire_index2(b, make_asked_swapchain(b), 0, VK_NULL_HANDLE, 1);
}

SCENARIO(acquire_2_for_no_device, SWAPCHAIN,
         .expect = {"VUID-VkAcquireNextImageInfoKHR-deviceMask-01291"})
{
    acquire_index2(b, make_asked_swapchain(b), 0, make_fence(b), 0);
}

/* The swapchain that another one took the place of. */
static VkSwapchainKHR retired_swapchain(struct baseline *b)
{
    VkSwapchainCreateInfoKHR info = valid_info(b);
    info.oldSwapchain = create_swapchain(b, &info);
    create_swapchain(b, &info);
    return info.oldSwapchain;
}

SCENARIO(acquire_from_retired, SWAPCHAIN, .expect = {"VUID-vkAcquireNextImageKHR-swapchain-01285"})
{
    acquire_index(b, retired_swapchain(b), 0);
}

SCENARIO(acquire_2_from_retired, SWAPCHAIN,
         .expect = {"VUID-VkAcquireNextImageInfoKHR-swapchain-01675"})
{
    acquire_index2(b, retired_swapchain(b), 0, make_fence(b), 1);
}

/* Acquires all that leaves the surface its minImageCount, and one more. */
static VkSwapchainKHR drained_swapchain(struct baseline *b)
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b);
    VkSurfaceCapabilitiesKHR capabilities;
    uint32_t count = 0;
    VK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(b->physical_device, make_surface(b),
                                                 &capabilities));
    VK(DEVICE_PROC(b, vkGetSwapchainImagesKHR)(b->device, swapchain, &count, NULL));
    for (uint32_t i = 0; i + capabilities.minImageCount <= count; i++)
        acquire_index(b, swapchain, UINT64_MAX);
    return swapchain;
}

SCENARIO(acquire_all_that_can_be, SWAPCHAIN)
{
    acquire_index(b, drained_swapchain(b), 0);
}

SCENARIO(acquire_one_too_many, SWAPCHAIN, .expect = {"VUID-vkAcquireNextImageKHR-surface-07783"})
{
    acquire_index(b, drained_swapchain(b), UINT64_MAX);
}

SCENARIO(acquire_2_one_too_many, SWAPCHAIN, .expect = {"VUID-vkAcquireNextImage2KHR-surface-07784"})
{
    acquire_index2(b, drained_swapchain(b), UINT64_MAX, make_fence(b), 1);
}

/* --- what is chained to a present ------------------------------------------------------------- */

#define PRESENT_WITH(name_, chain_, ...)                    \
    SCENARIO(name_, __VA_ARGS__)                            \
    {                                                       \
        VkSwapchainKHR swapchain = make_asked_swapchain(b); \
        chain_;                                             \
        present_one(b, swapchain, &chain);                  \
    }
#define WITH(extension_) \
    SURFACE, .drivers = NULL_DRIVER, .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, extension_}

static const uint64_t ids[] = {7, 8};
static const VkPhysicalDevicePresentIdFeaturesKHR present_id = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR, .presentId = VK_TRUE};
#define IDS(count_)          \
    VkPresentIdKHR chain = { \
        .sType = VK_STRUCTURE_TYPE_PRESENT_ID_KHR, .swapchainCount = (count_), .pPresentIds = ids}
PRESENT_WITH(present_id_plain, IDS(1), WITH(VK_KHR_PRESENT_ID_EXTENSION_NAME),
             .features = &present_id)
PRESENT_WITH(present_id_of_two, IDS(2), WITH(VK_KHR_PRESENT_ID_EXTENSION_NAME),
             .features = &present_id, .expect = {"VUID-VkPresentIdKHR-swapchainCount-04998"})
PRESENT_WITH(present_id_without_feature, IDS(1), WITH(VK_KHR_PRESENT_ID_EXTENSION_NAME),
             .expect = {"VUID-VkPresentInfoKHR-pNext-06235"})

static const VkRectLayerKHR inside = {{60, 60}, {4, 4}, 0}, outside = {{60, 60}, {5, 4}, 0},
                            above = {{0, 0}, {4, 4}, 1};
#define REGIONS(count_, rect_)                                                   \
    VkPresentRegionKHR region[2] = {{1, (rect_)}, {1, (rect_)}};                 \
    VkPresentRegionsKHR chain = {.sType = VK_STRUCTURE_TYPE_PRESENT_REGIONS_KHR, \
                                 .swapchainCount = (count_),                     \
                                 .pRegions = region}
PRESENT_WITH(present_region, REGIONS(1, &inside), WITH(VK_KHR_INCREMENTAL_PRESENT_EXTENSION_NAME))
PRESENT_WITH(present_regions_of_two, REGIONS(2, &inside),
             WITH(VK_KHR_INCREMENTAL_PRESENT_EXTENSION_NAME),
             .expect = {"VUID-VkPresentRegionsKHR-swapchainCount-01260"})
PRESENT_WITH(present_region_outside, REGIONS(1, &outside),
             WITH(VK_KHR_INCREMENTAL_PRESENT_EXTENSION_NAME),
             .expect = {"VUID-VkRectLayerKHR-offset-04864"})
PRESENT_WITH(present_region_of_layer, REGIONS(1, &above),
             WITH(VK_KHR_INCREMENTAL_PRESENT_EXTENSION_NAME),
             .expect = {"VUID-VkRectLayerKHR-layer-01262"})

#define FENCES(count_)                                               \
    VkFence fence[2] = {make_fence(b), make_fence(b)};               \
    VkSwapchainPresentFenceInfoKHR chain = {                         \
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_KHR, \
        .swapchainCount = (count_),                                  \
        .pFences = fence}
PRESENT_WITH(present_fence, FENCES(1), MAINTENANCE)
PRESENT_WITH(present_fences_of_two, FENCES(2), MAINTENANCE,
             .expect = {"VUID-VkSwapchainPresentFenceInfoKHR-swapchainCount-07757"})
PRESENT_WITH(present_fence_without_feature, FENCES(1), WITHOUT_FEATURE,
             .expect = {"VUID-VkPresentInfoKHR-swapchainMaintenance1-10158"})

#define MODE(count_)                                                                              \
    VkSwapchainPresentModeInfoKHR chain = {.sType =                                               \
                                               VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODE_INFO_KHR, \
                                           .swapchainCount = (count_),                            \
                                           .pPresentModes = present_modes}
PRESENT_WITH(present_mode_not_named, MODE(1), MAINTENANCE,
             .expect = {"VUID-VkSwapchainPresentModeInfoKHR-pPresentModes-07761"})
PRESENT_WITH(present_modes_of_two, MODE(2), MAINTENANCE,
             .expect = {"VUID-VkSwapchainPresentModeInfoKHR-pPresentModes-07761",
                        "VUID-VkSwapchainPresentModeInfoKHR-swapchainCount-07760"})

SCENARIO(present_mode_named, MAINTENANCE)
{
    VkSwapchainCreateInfoKHR info = valid_info(b);
    MODES(1, 0);
    MODE(1);
    present_one(b, create_swapchain(b, &info), &chain);
}

SCENARIO(present_with_and_without_modes, MAINTENANCE,
         .expect = {"VUID-VkPresentInfoKHR-pSwapchains-09199"})
{
    VkSwapchainKHR swapchains[2] = {make_asked_swapchain(b)};
    VkSwapchainCreateInfoKHR info = valid_info(b);
    MODES(1, 0);
    swapchains[1] = create_swapchain(b, &info);
    uint32_t indices[] = {acquire_index(b, swapchains[0], UINT64_MAX),
                          acquire_index(b, swapchains[1], UINT64_MAX)};
    prepare_index(b, swapchains[0], indices[0]);
    prepare_index(b, swapchains[1], indices[1]);
    present_swapchains(b, 2, swapchains, indices, NULL);
}

#define GROUP(count_, mask_, mode_)                                                                \
    uint32_t masks[2] = {(mask_), (mask_)};                                                        \
    VkDeviceGroupPresentInfoKHR chain = {.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_PRESENT_INFO_KHR, \
                                         .swapchainCount = (count_),                               \
                                         .pDeviceMasks = masks,                                    \
                                         .mode = (mode_)}
#define LOCAL  VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR
#define REMOTE VK_DEVICE_GROUP_PRESENT_MODE_REMOTE_BIT_KHR
PRESENT_WITH(present_group, GROUP(1, 1, LOCAL), SWAPCHAIN, .drivers = NULL_DRIVER)
PRESENT_WITH(present_group_of_two, GROUP(2, 1, LOCAL), SWAPCHAIN, .drivers = NULL_DRIVER,
             .expect = {"VUID-VkDeviceGroupPresentInfoKHR-swapchainCount-01297"})
PRESENT_WITH(present_group_local_mask, GROUP(1, 3, LOCAL), SWAPCHAIN, .drivers = NULL_DRIVER,
             .expect = {"VUID-VkDeviceGroupPresentInfoKHR-mode-01298"})
PRESENT_WITH(present_group_remote_mask, GROUP(1, 0, REMOTE), SWAPCHAIN, .drivers = NULL_DRIVER,
             .expect = {"VUID-VkDeviceGroupPresentInfoKHR-mode-01299",
                        "VUID-VkDeviceGroupPresentInfoKHR-mode-01303"})
PRESENT_WITH(present_group_of_other_mode, GROUP(1, 1, REMOTE), SWAPCHAIN, .drivers = NULL_DRIVER,
             .expect = {"VUID-VkDeviceGroupPresentInfoKHR-mode-01303"},
             .text = {"VK_DEVICE_GROUP_PRESENT_MODE_REMOTE_BIT_KHR"})

/* A swapchain for several devices of a group. On the null driver device 0 alone can present. */
#define SUM   VK_DEVICE_GROUP_PRESENT_MODE_SUM_BIT_KHR
#define MULTI VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_MULTI_DEVICE_BIT_KHR
#define PRESENT_BY_GROUP(name_, mask_, mode_, ...)                             \
    SCENARIO(name_, SWAPCHAIN, .drivers = NULL_DRIVER, ##__VA_ARGS__)          \
    {                                                                          \
        const VkDeviceGroupSwapchainCreateInfoKHR modes = {                    \
            .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SWAPCHAIN_CREATE_INFO_KHR, \
            .modes = LOCAL | SUM | MULTI};                                     \
        VkSwapchainCreateInfoKHR info = valid_info(b);                         \
        info.pNext = &modes;                                                   \
        GROUP(1, mask_, mode_);                                                \
        present_one(b, create_swapchain(b, &info), &chain);                    \
    }
PRESENT_BY_GROUP(present_sum, 1, SUM)
PRESENT_BY_GROUP(present_sum_of_others, 3, SUM,
                 .expect = {"VUID-VkDeviceGroupPresentInfoKHR-mode-01300"})
PRESENT_BY_GROUP(present_multiple, 1, MULTI)
PRESENT_BY_GROUP(present_multiple_of_others, 3, MULTI,
                 .expect = {"VUID-VkDeviceGroupPresentInfoKHR-mode-01301"},
                 .text = {"presentMask is 0 for the devices 0x2"})

/* Presents an image that was acquired with deviceMask 1. */
static void present_acquired2(struct baseline *b, uint32_t mask)
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b);
    const uint32_t index = acquire_index2(b, swapchain, UINT64_MAX, make_fence(b), 1);
    GROUP(1, mask, LOCAL);
    prepare_index(b, swapchain, index);
    present_swapchains(b, 1, &swapchain, &index, &chain);
}

SCENARIO(present_for_the_acquired_devices, SWAPCHAIN, .drivers = NULL_DRIVER)
{
    present_acquired2(b, 1);
}

SCENARIO(present_for_other_devices, SWAPCHAIN, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkDeviceGroupPresentInfoKHR-pDeviceMasks-01302"},
         .text = {"was acquired with the deviceMask 0x1"})
{
    present_acquired2(b, 2);
}

/* A display can show a part of the image. The images are as large as swapchain_info() makes them.
 */
#define SHOWN(x_, width_)                                                                       \
    VkDisplayPresentInfoKHR chain = {.sType = VK_STRUCTURE_TYPE_DISPLAY_PRESENT_INFO_KHR,       \
                                     .srcRect = {.offset = {(x_), 0}, .extent = {(width_), 1}}, \
                                     .dstRect = {.extent = {1, 1}}}
#define DISPLAYS                                                                                   \
    .drivers = NULL_DRIVER,                                                                        \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME, \
                            VK_KHR_DISPLAY_EXTENSION_NAME},                                        \
    .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_KHR_DISPLAY_SWAPCHAIN_EXTENSION_NAME}
PRESENT_WITH(present_part, SHOWN(1, 1), DISPLAYS)
PRESENT_WITH(present_beyond_the_image, SHOWN(1, 1 << 20), DISPLAYS,
             .expect = {"VUID-VkDisplayPresentInfoKHR-srcRect-01257"})

SCENARIO(release_not_acquired, MAINTENANCE,
         .expect = {"VUID-VkReleaseSwapchainImagesInfoKHR-pImageIndices-07785"})
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b);
    uint32_t indices[] = {acquire_index(b, swapchain, UINT64_MAX), 99};
    VkReleaseSwapchainImagesInfoKHR info = {.sType =
                                                VK_STRUCTURE_TYPE_RELEASE_SWAPCHAIN_IMAGES_INFO_KHR,
                                            .swapchain = swapchain,
                                            .imageIndexCount = 1,
                                            .pImageIndices = indices};
    DEVICE_PROC(b, vkReleaseSwapchainImagesKHR)(b->device, &info);
    DEVICE_PROC(b, vkReleaseSwapchainImagesKHR)(b->device, &info);
}

SCENARIO(release_without_feature, WITHOUT_FEATURE,
         .expect = {"VUID-vkReleaseSwapchainImagesKHR-swapchainMaintenance1-10159"})
{
    VkSwapchainKHR swapchain = make_asked_swapchain(b);
    uint32_t index = acquire_index(b, swapchain, UINT64_MAX);
    VkReleaseSwapchainImagesInfoKHR info = {.sType =
                                                VK_STRUCTURE_TYPE_RELEASE_SWAPCHAIN_IMAGES_INFO_KHR,
                                            .swapchain = swapchain,
                                            .imageIndexCount = 1,
                                            .pImageIndices = &index};
    DEVICE_PROC(b, vkReleaseSwapchainImagesKHR)(b->device, &info);
}

/* --- surfaces --------------------------------------------------------------------------------- */

SCENARIO(surface_support_of_a_family_too_many, SWAPCHAIN,
         .expect = {"VUID-vkGetPhysicalDeviceSurfaceSupportKHR-queueFamilyIndex-01269"})
{
    VkBool32 supported;
    vkGetPhysicalDeviceSurfaceSupportKHR(b->physical_device, 100, make_surface(b), &supported);
}

SCENARIO(surface_formats_of_none, SWAPCHAIN,
         .expect = {"VUID-vkGetPhysicalDeviceSurfaceFormatsKHR-surface-06524"},
         .allow = {"VUID-vkGetPhysicalDeviceSurfaceFormatsKHR-surface-parameter"})
{
    uint32_t count;
    vkGetPhysicalDeviceSurfaceFormatsKHR(b->physical_device, VK_NULL_HANDLE, &count, NULL);
}

#define CAPABILITIES2                                                                              \
    .drivers = NULL_DRIVER,                                                                        \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME, \
                            VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME,                      \
                            VK_KHR_SURFACE_MAINTENANCE_1_EXTENSION_NAME}

static void capabilities_of(struct baseline *b, const void *mode, void *out)
{
    VkPhysicalDeviceSurfaceInfo2KHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR,
        .pNext = mode,
        .surface = make_surface(b)};
    VkSurfaceCapabilities2KHR got = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR,
                                     .pNext = out};
    INSTANCE_PROC(b, vkGetPhysicalDeviceSurfaceCapabilities2KHR)(b->physical_device, &info, &got);
}

SCENARIO(surface_compatible_modes_of_no_mode, CAPABILITIES2,
         .expect = {"VUID-vkGetPhysicalDeviceSurfaceCapabilities2KHR-pNext-07776"})
{
    VkSurfacePresentModeCompatibilityKHR out = {
        .sType = VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_COMPATIBILITY_KHR};
    capabilities_of(b, NULL, &out);
}

SCENARIO(surface_scaling_of_no_mode, CAPABILITIES2,
         .expect = {"VUID-vkGetPhysicalDeviceSurfaceCapabilities2KHR-pNext-07777"})
{
    VkSurfacePresentScalingCapabilitiesKHR out = {
        .sType = VK_STRUCTURE_TYPE_SURFACE_PRESENT_SCALING_CAPABILITIES_KHR};
    capabilities_of(b, NULL, &out);
}

SCENARIO(surface_scaling_of_mode, CAPABILITIES2)
{
    VkSurfacePresentModeKHR mode = {.sType = VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_KHR,
                                    .presentMode = VK_PRESENT_MODE_FIFO_KHR};
    VkSurfacePresentScalingCapabilitiesKHR out = {
        .sType = VK_STRUCTURE_TYPE_SURFACE_PRESENT_SCALING_CAPABILITIES_KHR};
    capabilities_of(b, &mode, &out);
}

SCENARIO(surface_destroyed_before_its_swapchain, SWAPCHAIN,
         .expect = {"VUID-vkDestroySurfaceKHR-surface-01266"})
{
    VkSwapchainCreateInfoKHR info = valid_info(b);
    create_swapchain(b, &info);
    vkDestroySurfaceKHR(b->instance, info.surface, NULL);
}

/* --- "imageUsage is ignored" where the pNext chain has the wide usage --------------------------
 */

static const VkPhysicalDeviceExtendedFlagsFeaturesKHR wide_flags = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_FLAGS_FEATURES_KHR,
    .extendedFlags = VK_TRUE};

SCENARIO(swapchain_of_wide_usage, SURFACE, .drivers = NULL_DRIVER,
         .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, "VK_KHR_extended_flags"},
         .features = &wide_flags)
{
    const VkImageUsageFlags2CreateInfoKHR usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR,
        .usage = VK_IMAGE_USAGE_2_COLOR_ATTACHMENT_BIT_KHR};
    VkSwapchainCreateInfoKHR info = valid_info(b);
    info.pNext = &usage;
    info.imageUsage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
    const VkImageSwapchainCreateInfoKHR of = {.sType =
                                                  VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR,
                                              .swapchain = create_swapchain(b, &info)};
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    image.pNext = &of;
    image.format = info.imageFormat;
    image.extent = (VkExtent3D){info.imageExtent.width, info.imageExtent.height, 1};
    create_image(b, &image);
}
