/* Swapchains of a surface without a window: acquired in any of the ways, drawn to, presented,
 * replaced by others, and given up. */
#include "valid.h"

#define IMAGES_MOST 8

struct chain {
    VkSurfaceKHR surface;
    VkSwapchainKHR handle;
    VkSwapchainCreateInfoKHR info;
    VkImage images[IMAGES_MOST];
    bool seen[IMAGES_MOST]; /* has been presented before */
    uint32_t count;
    const struct queue *queue;
    uint64_t presented;
};

static void destroy_swapchain(void *world, uint64_t handle, uint64_t other)
{
    struct world *w = world;
    (void)other;
    CALL(DestroySwapchainKHR, w->device, (VkSwapchainKHR)handle, NULL);
}

static void destroy_surface(void *world, uint64_t handle, uint64_t other)
{
    struct world *w = world;
    (void)other;
    OUTER(vkDestroySurfaceKHR, w->instance, (VkSurfaceKHR)handle, NULL);
}

static bool make_surface(struct world *w, struct chain *s)
{
    PFN_vkCreateHeadlessSurfaceEXT create =
        (PFN_vkCreateHeadlessSurfaceEXT)vkGetInstanceProcAddr(w->instance,
                                                              "vkCreateHeadlessSurfaceEXT");
    VkHeadlessSurfaceCreateInfoEXT info = {.sType =
                                               VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    if (!create || create(w->instance, &info, NULL, &s->surface) != VK_SUCCESS)
        return false;
    own(w, destroy_surface, U64(s->surface), 0);
    s->queue = any_queue(w, VK_QUEUE_GRAPHICS_BIT);
    VkBool32 presents = VK_FALSE;
    OUTER(vkGetPhysicalDeviceSurfaceSupportKHR, w->physical_device, s->queue->family, s->surface,
          &presents);
    return presents;
}

static bool make_swapchain(struct world *w, struct chain *s)
{
    VkSurfaceCapabilitiesKHR can;
    VkSurfaceFormatKHR formats_there[32];
    VkPresentModeKHR modes[16];
    uint32_t format_number = 32, mode_number = 16;
    OUTER(vkGetPhysicalDeviceSurfaceCapabilitiesKHR, w->physical_device, s->surface, &can);
    OUTER(vkGetPhysicalDeviceSurfaceFormatsKHR, w->physical_device, s->surface, &format_number,
          formats_there);
    OUTER(vkGetPhysicalDeviceSurfacePresentModesKHR, w->physical_device, s->surface, &mode_number,
          modes);
    VkSurfaceFormatKHR format = formats_there[below(w, format_number)];
    for (uint32_t i = 0;
         format.colorSpace != VK_COLOR_SPACE_SRGB_NONLINEAR_KHR && i < format_number; i++)
        format = formats_there[i]; /* other spaces are an extension's */
    VkPresentModeKHR mode =
        PICK(VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_MAILBOX_KHR, VK_PRESENT_MODE_IMMEDIATE_KHR);
    bool there = false;
    for (uint32_t i = 0; i < mode_number; i++)
        there |= modes[i] == mode;
    uint32_t most = can.maxImageCount ? can.maxImageCount : IMAGES_MOST;
    VkExtent2D extent = can.currentExtent;
    if (extent.width == UINT32_MAX)
        extent = (VkExtent2D){
            between(w, can.minImageExtent.width ? can.minImageExtent.width : 1, 64), 32};
    s->info = (VkSwapchainCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = s->surface,
        .minImageCount =
            can.minImageCount < most && chance(w, 50) ? can.minImageCount + 1 : can.minImageCount,
        .imageFormat = format.format,
        .imageColorSpace = format.colorSpace,
        .imageExtent = extent,
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                      (can.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT),
        .queueFamilyIndexCount = PICK(0u, 77u),
        .pQueueFamilyIndices = IGNORED,
        .preTransform = can.currentTransform,
        .compositeAlpha = can.supportedCompositeAlpha & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                              ? VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                              : VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
        .presentMode = there ? mode : VK_PRESENT_MODE_FIFO_KHR,
        .clipped = chance(w, 50),
        .oldSwapchain = s->handle};
    VkResult result = CALL(CreateSwapchainKHR, w->device, &s->info, NULL, &s->handle);
    if (result != VK_SUCCESS)
        return false;
    own(w, destroy_swapchain, U64(s->handle), 0);
    s->count = IMAGES_MOST;
    if (chance(w, 50))
        MUST(GetSwapchainImagesKHR, w->device, s->handle, &(uint32_t){0}, NULL);
    result = CALL(GetSwapchainImagesKHR, w->device, s->handle, &s->count, s->images);
    memset(s->seen, 0, sizeof(s->seen));
    s->presented = 0;
    return result == VK_SUCCESS;
}

/* The image is cleared, or only made ready. */
static VkCommandBuffer record_frame(struct world *w, struct chain *s, uint32_t index)
{
    VkCommandBuffer c = make_command_buffer(w, s->queue, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .pInheritanceInfo = IGNORED};
    MUST(BeginCommandBuffer, c, &begin);
    VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .oldLayout = s->seen[index] && chance(w, 50) ? VK_IMAGE_LAYOUT_PRESENT_SRC_KHR
                                                     : VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = s->images[index],
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS}};
    if (s->info.imageUsage & VK_IMAGE_USAGE_TRANSFER_DST_BIT && chance(w, 70)) {
        CALL(CmdPipelineBarrier, c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
             VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, IGNORED, 0, IGNORED, 1, &barrier);
        VkClearColorValue value = {{0}};
        CALL(CmdClearColorImage, c, s->images[index], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &value,
             1, &barrier.subresourceRange);
        barrier.oldLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
        barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    }
    barrier.newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
    barrier.dstAccessMask = 0;
    CALL(CmdPipelineBarrier, c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
         VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, IGNORED, 0, IGNORED, 1, &barrier);
    MUST(EndCommandBuffer, c);
    return c;
}

static VkFence new_fence(struct world *w)
{
    VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence = VK_NULL_HANDLE;
    MUST(CreateFence, w->device, &info, NULL, &fence);
    OWN(Fence, fence);
    return fence;
}

static bool present_frame(struct world *w, struct chain *s)
{
    VkSemaphore acquired = make_semaphore(w, false), drawn = make_semaphore(w, false);
    bool by_fence = chance(w, 30);
    VkFence fence = by_fence ? new_fence(w) : VK_NULL_HANDLE;
    uint32_t index = 0;
    VkResult result;
    if ((VERSION(11) || HAS(KHR_device_group)) && chance(w, 40)) {
        VkAcquireNextImageInfoKHR info = {.sType = VK_STRUCTURE_TYPE_ACQUIRE_NEXT_IMAGE_INFO_KHR,
                                          .swapchain = s->handle,
                                          .timeout = UINT64_MAX,
                                          .semaphore = by_fence ? VK_NULL_HANDLE : acquired,
                                          .fence = fence,
                                          .deviceMask = 1};
        result = CALL(AcquireNextImage2KHR, w->device, &info, &index);
    } else {
        result = CALL(AcquireNextImageKHR, w->device, s->handle, UINT64_MAX,
                      by_fence ? VK_NULL_HANDLE : acquired, fence, &index);
    }
    if (result != VK_SUCCESS || index >= s->count)
        return false;
    if (by_fence)
        MUST(WaitForFences, w->device, 1, &fence, VK_TRUE, UINT64_MAX);
    VkCommandBuffer c = record_frame(w, s, index);
    struct batch batch = {.count = 1,
                          .buffers = &c,
                          .waits = {acquired},
                          .wait_count = by_fence ? 0 : 1,
                          .signals = {drawn},
                          .signal_count = 1};
    submit_batches(w, s->queue->handle, 1, &batch, VK_NULL_HANDLE);
    w->idle = false;
    uint64_t id = ++s->presented;
    VkResult each = VK_SUCCESS;
    VkPresentIdKHR ids = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_ID_KHR, .swapchainCount = 1, .pPresentIds = &id};
    VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                             .pNext = ON(presentId) && chance(w, 70) ? &ids : NULL,
                             .waitSemaphoreCount = 1,
                             .pWaitSemaphores = &drawn,
                             .swapchainCount = 1,
                             .pSwapchains = &s->handle,
                             .pImageIndices = &index,
                             .pResults = chance(w, 50) ? &each : NULL};
    uint32_t masks[1] = {1};
    VkDeviceGroupPresentInfoKHR group = {.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_PRESENT_INFO_KHR,
                                         .pNext = info.pNext,
                                         .swapchainCount = 1,
                                         .pDeviceMasks = masks,
                                         .mode = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR};
    bool of_group = VERSION(11) && chance(w, 30);
    if (of_group)
        info.pNext = &group;
    VkFence shown = VK_NULL_HANDLE;
    VkSwapchainPresentFenceInfoKHR fences = {.sType =
                                                 VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_KHR,
                                             .pNext = info.pNext,
                                             .swapchainCount = 1,
                                             .pFences = &shown};
    if (ON(swapchainMaintenance1) && chance(w, 50)) {
        shown = new_fence(w);
        info.pNext = &fences;
    }
    result = CALL(QueuePresentKHR, s->queue->handle, &info);
    s->seen[index] = true;
    if (shown)
        MUST(WaitForFences, w->device, 1, &shown, VK_TRUE, UINT64_MAX);
    if (ON(presentWait) && ON(presentId) &&
        (info.pNext == &ids || (info.pNext == &group && group.pNext == &ids)) && chance(w, 40))
        CALL(WaitForPresentKHR, w->device, s->handle, id, 0);
    if (chance(w, 30))
        wait_for_all(w);
    return result == VK_SUCCESS;
}

void step_swapchains(struct world *w)
{
    struct chain *s = NEW(struct chain, VK_NULL_HANDLE);
    if (!HAS(KHR_swapchain) || !w->instance_extensions[EXTENSION_EXT_headless_surface] ||
        !make_surface(w, s))
        return;
    for (uint32_t i = between(w, 1, 2); i > 0; i--) {
        if (!make_swapchain(w, s))
            break;
        for (uint32_t j = below(w, 5); j > 0; j--) {
            if (!present_frame(w, s))
                break;
        }
    }
    wait_for_all(w);
}
