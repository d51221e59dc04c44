/* Advice on swapchains, and on what is presented. */
#include "practices.h"

#define SWAPCHAIN                                                    \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME,           \
                            VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME}, \
    .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}

/* COUNTS: how many formats and modes there are, but not which. */
enum { CAPABILITIES = 1, FORMATS = 2, MODES = 4, ALL = 7, COUNTS = 8 };

static VkSwapchainCreateInfoKHR asked_info(struct baseline *b, int questions)
{
    VkSwapchainCreateInfoKHR info = swapchain_info(make_surface(b));
    VkSurfaceCapabilitiesKHR capabilities;
    VkSurfaceFormatKHR formats[64];
    VkPresentModeKHR modes[16];
    uint32_t count = 0;
    VkBool32 supported;
    info.minImageCount = 4; /* lavapipe's surfaces take no fewer */
    VK(vkGetPhysicalDeviceSurfaceSupportKHR(b->physical_device, b->queue_family, info.surface,
                                            &supported));
    if (questions & CAPABILITIES)
        VK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(b->physical_device, info.surface,
                                                     &capabilities));
    if (questions & FORMATS) {
        VK(vkGetPhysicalDeviceSurfaceFormatsKHR(b->physical_device, info.surface, &count, NULL));
        ENSURE(count <= 64);
        VK(vkGetPhysicalDeviceSurfaceFormatsKHR(b->physical_device, info.surface, &count,
                                                questions & COUNTS ? NULL : formats));
    }
    if (questions & MODES) {
        VK(vkGetPhysicalDeviceSurfacePresentModesKHR(b->physical_device, info.surface, &count,
                                                     NULL));
        ENSURE(count <= 16);
        VK(vkGetPhysicalDeviceSurfacePresentModesKHR(b->physical_device, info.surface, &count,
                                                     questions & COUNTS ? NULL : modes));
    }
    return info;
}

#define CREATE(name_, questions_, changes_, ...)                   \
    SCENARIO(name_, SWAPCHAIN, __VA_ARGS__)                        \
    {                                                              \
        VkSwapchainCreateInfoKHR info = asked_info(b, questions_); \
        changes_;                                                  \
        create_swapchain(b, &info);                                \
    }

static const uint32_t two_families[] = {0, 1};

CREATE(plain_swapchain, ALL, (void)info, ADVISED)
CREATE(capabilities_not_asked_for, ALL & ~CAPABILITIES, (void)info, ADVISED,
       .expect = {BP("vkCreateSwapchainKHR-capabilities-no-surface")})
CREATE(formats_not_asked_for, ALL & ~FORMATS, (void)info, ADVISED,
       .expect = {BP("vkCreateSwapchainKHR-formats-no-surface")},
       .text = {"imageFormat is VK_FORMAT_B8G8R8A8_UNORM, and the program has not asked"})
CREATE(modes_not_asked_for, ALL & ~MODES, info.presentMode = VK_PRESENT_MODE_MAILBOX_KHR, ADVISED,
       .expect = {BP("vkCreateSwapchainKHR-present-mode-no-surface")})
CREATE(formats_counted, ALL | COUNTS, (void)info, ADVISED,
       .expect = {BP("vkCreateSwapchainKHR-formats-no-surface")})
CREATE(modes_counted, ALL | COUNTS, info.presentMode = VK_PRESENT_MODE_MAILBOX_KHR, ADVISED,
       .expect = {BP("vkCreateSwapchainKHR-formats-no-surface"),
                  BP("vkCreateSwapchainKHR-present-mode-no-surface")})
/* The mode is there everywhere. */
CREATE(fifo_not_asked_for, ALL & ~MODES, (void)info, ADVISED)
CREATE(swapchain_of_families, ALL,
       (info.queueFamilyIndexCount = 2, info.pQueueFamilyIndices = two_families), ADVISED,
       .expect = {BP("vkCreateSwapchainKHR-sharing-mode-exclusive")})
CREATE(swapchain_shared, ALL,
       (info.queueFamilyIndexCount = 2, info.pQueueFamilyIndices = two_families,
        info.imageSharingMode = VK_SHARING_MODE_CONCURRENT),
       ADVISED, .drivers = NULL_DRIVER)
CREATE(fifo, ALL, (void)info, ADVISED_FOR(arm))
CREATE(mailbox, ALL, info.presentMode = VK_PRESENT_MODE_MAILBOX_KHR, ADVISED_FOR(arm),
       .expect = {BP("Arm-vkCreateSwapchainKHR-swapchain-presentmode-not-fifo")})
CREATE(fifo_relaxed, ALL, info.presentMode = VK_PRESENT_MODE_FIFO_RELAXED_KHR, ADVISED_FOR(arm),
       .drivers = NULL_DRIVER)
CREATE(mailbox_elsewhere, ALL, info.presentMode = VK_PRESENT_MODE_MAILBOX_KHR, ADVISED_FOR(amd))
CREATE(two_images, ALL, info.minImageCount = 2, ADVISED, .drivers = NULL_DRIVER,
       .expect = {BP("vkCreateSwapchainKHR-suboptimal-swapchain-image-count")},
       .text = {"minImageCount is 2, and the swapchain has 2 images and the mode "
                "VK_PRESENT_MODE_FIFO_KHR"})
CREATE(two_images_of_mailbox, ALL,
       (info.minImageCount = 2, info.presentMode = VK_PRESENT_MODE_MAILBOX_KHR), ADVISED,
       .drivers = NULL_DRIVER,
       .expect = {BP("vkCreateSwapchainKHR-suboptimal-swapchain-image-count")})
CREATE(two_images_at_once, ALL,
       (info.minImageCount = 2, info.presentMode = VK_PRESENT_MODE_IMMEDIATE_KHR), ADVISED,
       .drivers = NULL_DRIVER)

static void create_shared(struct baseline *b, VkSharingMode mode)
{
    VkSwapchainCreateInfoKHR info = asked_info(b, ALL);
    VkSwapchainKHR swapchain = VK_NULL_HANDLE;
    info.queueFamilyIndexCount = 2;
    info.pQueueFamilyIndices = two_families;
    info.imageSharingMode = mode;
    VK(DEVICE_PROC(b, vkCreateSharedSwapchainsKHR)(b->device, 1, &info, NULL, &swapchain));
    vkDestroySwapchainKHR(b->device, swapchain, NULL);
}

#define SHARED_SWAPCHAIN                                                                        \
    ADVISED, .drivers = NULL_DRIVER,                                                            \
        .instance_extensions = {"VK_KHR_surface", "VK_EXT_headless_surface", "VK_KHR_display"}, \
        .extensions = {"VK_KHR_swapchain", "VK_KHR_display_swapchain"}

SCENARIO(shared_swapchain_of_families, SHARED_SWAPCHAIN,
         .expect = {BP("vkCreateSharedSwapchainsKHR-sharing-mode-exclusive")})
{
    create_shared(b, VK_SHARING_MODE_EXCLUSIVE);
}

SCENARIO(shared_swapchain_shared, SHARED_SWAPCHAIN)
{
    create_shared(b, VK_SHARING_MODE_CONCURRENT);
}

SCENARIO(formats_cut_short, SWAPCHAIN, ADVISED,
         .expect = {BP("GetPhysicalDeviceSurfaceFormatsKHR-CountMismatch")},
         .text = {"pSurfaceFormatCount is 1, and the surface has more formats"})
{
    VkSwapchainCreateInfoKHR info = asked_info(b, ALL);
    VkSurfaceFormatKHR format;
    uint32_t count = 1;
    vkGetPhysicalDeviceSurfaceFormatsKHR(b->physical_device, info.surface, &count, &format);
}

SCENARIO(formats_with_room, SWAPCHAIN, ADVISED)
{
    VkSwapchainCreateInfoKHR info = asked_info(b, ALL);
    VkSurfaceFormatKHR formats[64];
    uint32_t count = 64;
    vkGetPhysicalDeviceSurfaceFormatsKHR(b->physical_device, info.surface, &count, formats);
}

/* --- images and presents --- */

static void acquire_advised(struct baseline *b, VkSwapchainKHR swapchain)
{
    uint32_t index;
    VkFence fence = make_fence(b);
    VK(vkAcquireNextImageKHR(b->device, swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &index));
    VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
}

SCENARIO(images_not_asked_for, SWAPCHAIN, ADVISED,
         .expect = {BP("vkAcquireNextImageKHR-SwapchainImagesNotFound")})
{
    VkSwapchainCreateInfoKHR info = asked_info(b, ALL);
    acquire_advised(b, create_swapchain(b, &info));
}

static VkSwapchainKHR swapchain_with_images(struct baseline *b, VkImage images[16])
{
    VkSwapchainCreateInfoKHR info = asked_info(b, ALL);
    info.minImageCount = 9; /* the null driver gives none back of a present that it fails */
    VkSwapchainKHR swapchain = create_swapchain(b, &info);
    uint32_t count = 16;
    VK(vkGetSwapchainImagesKHR(b->device, swapchain, &count, images));
    return swapchain;
}

SCENARIO(images_asked_for, SWAPCHAIN, ADVISED)
{
    VkImage images[16];
    acquire_advised(b, swapchain_with_images(b, images));
}

/* Brings an image to the layout of presents, with as many submissions, and presents it. */
static void present_images(struct baseline *b, VkSwapchainKHR swapchain, const VkImage *images,
                           uint32_t submissions)
{
    uint32_t index;
    VkFence fence = make_fence(b);
    VkCommandBuffer commands = make_recording(b);
    VkSemaphore done = make_semaphore(b);
    VK(vkAcquireNextImageKHR(b->device, swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &index));
    VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
    VkImageMemoryBarrier barrier =
        image_barrier(images[index], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    barrier.srcAccessMask = barrier.dstAccessMask = 0;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    VK(vkEndCommandBuffer(commands));
    VkSubmitInfo submit = submit_info(&commands),
                 nothing = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.signalSemaphoreCount = 1;
    submit.pSignalSemaphores = &done;
    for (uint32_t i = 1; i < submissions; i++)
        VK(vkQueueSubmit(b->queue, 1, &nothing, VK_NULL_HANDLE));
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                             .waitSemaphoreCount = 1,
                             .pWaitSemaphores = &done,
                             .swapchainCount = 1,
                             .pSwapchains = &swapchain,
                             .pImageIndices = &index};
    vkQueuePresentKHR(b->queue, &info);
    VK(vkDeviceWaitIdle(b->device));
}

SCENARIO(many_submissions, SWAPCHAIN, ADVISED,
         .expect = {BP("Submission-ReduceNumberOfSubmissions")},
         .text = {"presents after 33 submissions since the last present, and 8 presents in a row "
                  "had more than 32"})
{
    VkImage images[16];
    VkSwapchainKHR swapchain = swapchain_with_images(b, images);
    for (int i = 0; i < 8; i++)
        present_images(b, swapchain, images, 33);
}

SCENARIO(many_submissions_to_load, SWAPCHAIN, ADVISED)
{
    VkImage images[16];
    VkSwapchainKHR swapchain = swapchain_with_images(b, images);
    present_images(b, swapchain, images, 100);
    for (int i = 0; i < 8; i++)
        present_images(b, swapchain, images, 1);
}

SCENARIO(some_submissions, SWAPCHAIN, ADVISED)
{
    VkImage images[16];
    VkSwapchainKHR swapchain = swapchain_with_images(b, images);
    for (int i = 0; i < 3; i++)
        present_images(b, swapchain, images, 32);
}

#define SUBOPTIMAL          \
    .drivers = NULL_DRIVER, \
    .null_driver = "{\"fail\": {\"vkQueuePresentKHR\": \"VK_SUBOPTIMAL_KHR\"}}"

SCENARIO(suboptimal_for_long, SWAPCHAIN, ADVISED, SUBOPTIMAL,
         .expect = {BP("vkCreateSharedSwapchainsKHR-SuboptimalSwapchain")},
         .text = {"answers VK_SUBOPTIMAL_KHR for VkSwapchainKHR ", ", 8 times in a row"})
{
    VkImage images[16];
    VkSwapchainKHR swapchain = swapchain_with_images(b, images);
    for (int i = 0; i < 8; i++)
        present_images(b, swapchain, images, 1);
}

SCENARIO(suboptimal_for_a_while, SWAPCHAIN, ADVISED, SUBOPTIMAL)
{
    VkImage images[16];
    VkSwapchainKHR swapchain = swapchain_with_images(b, images);
    for (int i = 0; i < 7; i++)
        present_images(b, swapchain, images, 1);
}
