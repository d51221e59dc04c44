/* Valid ways to acquire, present and release, at the edges: as many images as may be had, nothing
 * to wait for. There are several swapchains at once, retired ones, and ids with zeros between them.
 * On headless surfaces. Nothing is found in any of them. */
#include "scenario.h"

#define SURFACE \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME}
#define SWAPCHAIN SURFACE, .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}
#define MOST      8

static VkSwapchainCreateInfoKHR valid_info(struct baseline *b, VkSurfaceKHR surface, uint32_t more,
                                           uint32_t *least)
{
    VkSwapchainCreateInfoKHR info = swapchain_info(surface);
    VkBool32 supported = VK_FALSE;
    VkSurfaceCapabilitiesKHR capabilities;
    VK(vkGetPhysicalDeviceSurfaceSupportKHR(b->physical_device, b->queue_family, surface,
                                            &supported));
    VK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(b->physical_device, surface, &capabilities));
    *least = capabilities.minImageCount;
    info.minImageCount = *least + more;
    return info;
}

static VkSwapchainKHR make_valid_swapchain(struct baseline *b)
{
    uint32_t least;
    const VkSwapchainCreateInfoKHR info = valid_info(b, make_surface(b), 2, &least);
    VkSwapchainKHR swapchain = create_swapchain(b, &info);
    ENSURE(swapchain);
    return swapchain;
}

static uint32_t get_images(struct baseline *b, VkSwapchainKHR swapchain, VkImage *images)
{
    uint32_t count = MOST;
    VK(DEVICE_PROC(b, vkGetSwapchainImagesKHR)(b->device, swapchain, &count, images));
    return count;
}

static uint32_t acquire_valid(struct baseline *b, VkSwapchainKHR swapchain, uint64_t timeout)
{
    VkFence fence = make_fence(b);
    uint32_t index = 0;
    VK(DEVICE_PROC(b, vkAcquireNextImageKHR)(b->device, swapchain, timeout, VK_NULL_HANDLE, fence,
                                             &index));
    VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
    return index;
}

/* Makes the image fit to be presented, and waits for that. */
static void prepare_valid(struct baseline *b, VkSwapchainKHR swapchain, uint32_t index,
                          VkImageLayout layout)
{
    VkImage images[MOST];
    (void)get_images(b, swapchain, images);
    VkCommandBuffer c = make_recording(b);
    const VkImageMemoryBarrier barrier =
        image_barrier(images[index], VK_IMAGE_LAYOUT_UNDEFINED, layout);
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         0, 0, NULL, 0, NULL, 1, &barrier);
    VK(vkEndCommandBuffer(c));
    const VkSubmitInfo info = submit_info(&c);
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

static uint32_t acquire_and_prepare(struct baseline *b, VkSwapchainKHR swapchain)
{
    uint32_t index = acquire_valid(b, swapchain, UINT64_MAX);
    prepare_valid(b, swapchain, index, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    return index;
}

static void present_valid(struct baseline *b, uint32_t count, const VkSwapchainKHR *swapchains,
                          const uint32_t *indices, const void *next)
{
    const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                   .pNext = next,
                                   .swapchainCount = count,
                                   .pSwapchains = swapchains,
                                   .pImageIndices = indices};
    VkResult result = DEVICE_PROC(b, vkQueuePresentKHR)(b->queue, &info);
    ENSURE(result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR ||
           result == VK_ERROR_OUT_OF_DATE_KHR);
    VK(vkQueueWaitIdle(b->queue));
}

/* With n images of which the surface keeps m, one more than n - m may be had without a limit of
 * time. */
SCENARIO(acquire_as_many_as_may_be, SWAPCHAIN)
{
    VkImage images[MOST];
    uint32_t least;
    const VkSwapchainCreateInfoKHR info = valid_info(b, make_surface(b), 2, &least);
    VkSwapchainKHR swapchain = create_swapchain(b, &info);
    ENSURE(swapchain);
    uint32_t count = get_images(b, swapchain, images);
    for (uint32_t i = 0; i <= count - least; i++)
        (void)acquire_valid(b, swapchain, UINT64_MAX);
}

/* An image that was presented is not counted any more. */
SCENARIO(acquire_again_and_again, SWAPCHAIN)
{
    VkSwapchainKHR swapchain = make_valid_swapchain(b);
    for (uint32_t i = 0; i < 10; i++) {
        uint32_t index = acquire_and_prepare(b, swapchain);
        present_valid(b, 1, &swapchain, &index, NULL);
    }
}

SCENARIO(present_two_at_once, SWAPCHAIN)
{
    const VkSwapchainKHR swapchains[2] = {make_valid_swapchain(b), make_valid_swapchain(b)};
    const uint32_t indices[2] = {acquire_and_prepare(b, swapchains[0]),
                                 acquire_and_prepare(b, swapchains[1])};
    present_valid(b, 2, swapchains, indices, NULL);
}

/* "applications may continue to present to the retired swapchain any already acquired ... images"
 */
SCENARIO(present_to_a_retired_one, SWAPCHAIN)
{
    uint32_t least;
    VkSwapchainCreateInfoKHR info = valid_info(b, make_surface(b), 2, &least);
    VkSwapchainKHR old = create_swapchain(b, &info);
    ENSURE(old);
    uint32_t index = acquire_and_prepare(b, old);
    info.oldSwapchain = old;
    VkSwapchainKHR new = create_swapchain(b, &info);
    ENSURE(new);
    present_valid(b, 1, &old, &index, NULL);
    index = acquire_and_prepare(b, new);
    present_valid(b, 1, &new, &index, NULL);
}

static const VkPhysicalDevicePresentIdFeaturesKHR present_id = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR, .presentId = VK_TRUE};

/* Each swapchain counts for itself, and 0 is not an id. */
SCENARIO(present_ids_of_two, SURFACE, .drivers = NULL_DRIVER, .features = &present_id,
         .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_KHR_PRESENT_ID_EXTENSION_NAME})
{
    static const uint64_t rounds[][2] = {{7, 1}, {0, 0}, {8, 2}, {UINT64_MAX, 3}};
    const VkSwapchainKHR swapchains[2] = {make_valid_swapchain(b), make_valid_swapchain(b)};
    for (uint32_t i = 0; i < 4; i++) {
        const VkPresentIdKHR ids = {.sType = VK_STRUCTURE_TYPE_PRESENT_ID_KHR,
                                    .swapchainCount = 2,
                                    .pPresentIds = rounds[i]};
        const uint32_t indices[2] = {acquire_and_prepare(b, swapchains[0]),
                                     acquire_and_prepare(b, swapchains[1])};
        present_valid(b, 2, swapchains, indices, &ids);
    }
}

SCENARIO(present_no_ids, SURFACE, .drivers = NULL_DRIVER,
         .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_KHR_PRESENT_ID_EXTENSION_NAME})
{
    static const uint64_t none = 0;
    const VkPresentIdKHR ids = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_ID_KHR, .swapchainCount = 1, .pPresentIds = &none};
    VkSwapchainKHR swapchain = make_valid_swapchain(b);
    uint32_t index = acquire_and_prepare(b, swapchain);
    present_valid(b, 1, &swapchain, &index, &ids);
}

SCENARIO(present_regions_to_the_edge, SURFACE, .drivers = NULL_DRIVER,
         .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_KHR_INCREMENTAL_PRESENT_EXTENSION_NAME})
{
    uint32_t least;
    const VkSwapchainCreateInfoKHR info = valid_info(b, make_surface(b), 2, &least);
    const VkExtent2D whole = info.imageExtent;
    const VkRectLayerKHR rectangles[] = {
        {{0, 0}, whole, 0}, {{(int32_t)whole.width - 1, (int32_t)whole.height - 1}, {1, 1}, 0}};
    const VkPresentRegionKHR all[] = {{2, rectangles}, {0, NULL}, {1, NULL}};
    VkSwapchainKHR swapchain = create_swapchain(b, &info);
    ENSURE(swapchain);
    for (uint32_t i = 0; i < 3; i++) {
        const VkPresentRegionsKHR regions = {.sType = VK_STRUCTURE_TYPE_PRESENT_REGIONS_KHR,
                                             .swapchainCount = 1,
                                             .pRegions = &all[i]};
        uint32_t index = acquire_and_prepare(b, swapchain);
        present_valid(b, 1, &swapchain, &index, &regions);
    }
}

static const VkPhysicalDeviceSwapchainMaintenance1FeaturesKHR maintenance = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SWAPCHAIN_MAINTENANCE_1_FEATURES_KHR,
    .swapchainMaintenance1 = VK_TRUE};
#define MAINTENANCE                                                                                \
    .drivers = NULL_DRIVER,                                                                        \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME, \
                            VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME,                      \
                            VK_KHR_SURFACE_MAINTENANCE_1_EXTENSION_NAME},                          \
    .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME,                                                \
                   VK_KHR_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME},                                 \
    .features = &maintenance

/* An image that was released may be acquired again, and no longer counts. */
SCENARIO(release_and_acquire, MAINTENANCE)
{
    VkSwapchainKHR swapchain = make_valid_swapchain(b);
    for (uint32_t i = 0; i < 10; i++) {
        const uint32_t indices[2] = {acquire_valid(b, swapchain, UINT64_MAX),
                                     acquire_valid(b, swapchain, UINT64_MAX)};
        const VkReleaseSwapchainImagesInfoKHR info = {
            .sType = VK_STRUCTURE_TYPE_RELEASE_SWAPCHAIN_IMAGES_INFO_KHR,
            .swapchain = swapchain,
            .imageIndexCount = 2,
            .pImageIndices = indices};
        VK(DEVICE_PROC(b, vkReleaseSwapchainImagesKHR)(b->device, &info));
    }
}

/* A fence of the presentation is free again after it was waited for and reset; one of two may be
 * left out. */
SCENARIO(present_fences_again, MAINTENANCE)
{
    const VkSwapchainKHR swapchains[2] = {make_valid_swapchain(b), make_valid_swapchain(b)};
    const VkFence fences[2] = {make_fence(b), VK_NULL_HANDLE};
    const VkSwapchainPresentFenceInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_KHR,
        .swapchainCount = 2,
        .pFences = fences};
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t indices[2] = {acquire_and_prepare(b, swapchains[0]),
                                     acquire_and_prepare(b, swapchains[1])};
        present_valid(b, 2, swapchains, indices, &info);
        VK(vkWaitForFences(b->device, 1, &fences[0], VK_TRUE, UINT64_MAX));
        VK(vkResetFences(b->device, 1, &fences[0]));
    }
}
