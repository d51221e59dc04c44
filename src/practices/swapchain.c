/* Advice on swapchains and presents. */
#include "state/wsi/swapchain.h"

#include "practices/areas.h"
#include "practices/advise.h"
#include "practices/asked.h"
#include "practices/hooks.h"

/* Consecutive results that ask for a new swapchain. A program that resizes a window gets a few. */
#define SUBOPTIMAL_PRESENTS 8
/* Submissions between two presents, and consecutive frames with so many: programs sometimes load
 * much before a frame. */
#define MANY_SUBMISSIONS 32
#define BUSY_FRAMES      8

/* --- what was asked --- */

void practices_after_GetPhysicalDeviceSurfaceCapabilitiesKHR(struct call *call,
                                                             VkPhysicalDevice physicalDevice,
                                                             VkSurfaceKHR surface,
                                                             VkSurfaceCapabilitiesKHR
                                                                 *pSurfaceCapabilities)
{
    asked_note(ASKED_CAPABILITIES);
}

void practices_after_GetPhysicalDeviceSurfaceCapabilities2KHR(struct call *call,
                                                              VkPhysicalDevice physicalDevice,
                                                              const VkPhysicalDeviceSurfaceInfo2KHR
                                                                  *pSurfaceInfo,
                                                              VkSurfaceCapabilities2KHR
                                                                  *pSurfaceCapabilities)
{
    asked_note(ASKED_CAPABILITIES);
}

void practices_after_GetPhysicalDeviceSurfaceCapabilities2EXT(struct call *call,
                                                              VkPhysicalDevice physicalDevice,
                                                              VkSurfaceKHR surface,
                                                              VkSurfaceCapabilities2EXT
                                                                  *pSurfaceCapabilities)
{
    asked_note(ASKED_CAPABILITIES);
}

void practices_after_GetPhysicalDeviceSurfacePresentModesKHR(struct call *call,
                                                             VkPhysicalDevice physicalDevice,
                                                             VkSurfaceKHR surface,
                                                             uint32_t *pPresentModeCount,
                                                             VkPresentModeKHR *pPresentModes)
{
    if (pPresentModes)
        asked_note(ASKED_MODES);
}

/* --- creation --- */

/* Advises if a swapchain is created before the program has queried the surface. */
static void judge_questions(const struct call *call, const VkSwapchainCreateInfoKHR *info,
                            const struct location *where, const struct finding_objects *objects)
{
    if (!asked_was(ASKED_CAPABILITIES))
        advise(call, BestPractices_vkCreateSwapchainKHR_capabilities_no_surface,
               &LOCATION(where, "surface"), objects,
               "is used, and the program has not asked what it is capable of");
    if (!asked_was(ASKED_FORMATS))
        advise(call, BestPractices_vkCreateSwapchainKHR_formats_no_surface,
               &LOCATION(where, "imageFormat"), objects,
               "is %s, and the program has not asked which formats the surface has",
               TEXT_OF(VkFormat, info->imageFormat));
    if (!asked_was(ASKED_MODES) && info->presentMode != VK_PRESENT_MODE_FIFO_KHR)
        advise(call, BestPractices_vkCreateSwapchainKHR_present_mode_no_surface,
               &LOCATION(where, "presentMode"), objects,
               "is %s, and the program has not asked which modes the surface has",
               TEXT_OF(VkPresentModeKHR, info->presentMode));
}

/* True if frames may be rendered that are never shown. */
static bool drops_frames(VkPresentModeKHR mode)
{
    return mode == VK_PRESENT_MODE_IMMEDIATE_KHR || mode == VK_PRESENT_MODE_MAILBOX_KHR ||
           mode == VK_PRESENT_MODE_FIFO_LATEST_READY_KHR;
}

/* True for modes in which no frame is shown before the display is ready for it. One image is shown,
 * another one is queued, and rendering waits for one of them. */
static bool waits_for_display(VkPresentModeKHR mode)
{
    return mode == VK_PRESENT_MODE_FIFO_KHR || mode == VK_PRESENT_MODE_MAILBOX_KHR;
}

/* Judges a new swapchain. */
static void judge_swapchain(const struct call *call, const VkSwapchainCreateInfoKHR *info,
                            VkSwapchainKHR handle, const struct location *where)
{
    const struct finding_objects *objects =
        OBJECT2(HANDLE_SWAPCHAIN_KHR, handle, HANDLE_SURFACE_KHR, info->surface);
    struct swapchain *swapchain = find_swapchain(call, handle);
    const bool shared = command_root[call->command] == COMMAND_CreateSharedSwapchainsKHR;
    judge_questions(call, info, where, objects);
    if (info->imageSharingMode == VK_SHARING_MODE_EXCLUSIVE && info->queueFamilyIndexCount > 1)
        advise(call,
               shared ? BestPractices_vkCreateSharedSwapchainsKHR_sharing_mode_exclusive
                      : BestPractices_vkCreateSwapchainKHR_sharing_mode_exclusive,
               &LOCATION(where, "imageSharingMode"), objects,
               "is VK_SHARING_MODE_EXCLUSIVE, and queueFamilyIndexCount is %u",
               info->queueFamilyIndexCount);
    if (drops_frames(info->presentMode))
        advise(call, BestPractices_Arm_vkCreateSwapchainKHR_swapchain_presentmode_not_fifo,
               &LOCATION(where, "presentMode"), objects, "is %s",
               TEXT_OF(VkPresentModeKHR, info->presentMode));
    if (waits_for_display(info->presentMode) && swapchain &&
        swapchain_image_count(call->device, swapchain) == 2)
        advise(call, BestPractices_vkCreateSwapchainKHR_suboptimal_swapchain_image_count,
               &LOCATION(where, "minImageCount"), objects,
               "is %u, and the swapchain has 2 images and the mode %s", info->minImageCount,
               TEXT_OF(VkPresentModeKHR, info->presentMode));
}

void practices_after_CreateSwapchainKHR(struct call *call, VkDevice device,
                                        const VkSwapchainCreateInfoKHR *pCreateInfo,
                                        const VkAllocationCallbacks *pAllocator,
                                        VkSwapchainKHR *pSwapchain)
{
    if (call->result == VK_SUCCESS)
        judge_swapchain(call, pCreateInfo, *pSwapchain, CREATE_INFO);
}

void practices_after_CreateSharedSwapchainsKHR(struct call *call, VkDevice device,
                                               uint32_t swapchainCount,
                                               const VkSwapchainCreateInfoKHR *pCreateInfos,
                                               const VkAllocationCallbacks *pAllocator,
                                               VkSwapchainKHR *pSwapchains)
{
    for (uint32_t i = 0; call->result == VK_SUCCESS && i < swapchainCount; i++)
        judge_swapchain(call, &pCreateInfos[i], pSwapchains[i],
                        &LOCATION_INDEX(NULL, "pCreateInfos", i));
}

/* --- images that are acquired --- */

/* Advises if an image is acquired before the program has retrieved the swapchain's images. They may
 * also come from VkBindImageMemorySwapchainInfoKHR. */
static void judge_acquired(const struct call *call, VkSwapchainKHR handle, uint32_t index)
{
    const struct swapchain *swapchain = find_swapchain(call, handle);
    if (call->result >= VK_SUCCESS && call->result != VK_TIMEOUT && call->result != VK_NOT_READY &&
        swapchain && !atomic_load_explicit(&swapchain->has_bound_images, memory_order_relaxed) &&
        !swapchain_find_image(swapchain, index))
        advise(call, BestPractices_vkAcquireNextImageKHR_SwapchainImagesNotFound, NULL,
               OBJECT(HANDLE_SWAPCHAIN_KHR, handle),
               "acquires image %u of %s, and the program has not asked for its images", index,
               NAMED(call, HANDLE_SWAPCHAIN_KHR, handle));
}

void practices_after_AcquireNextImageKHR(struct call *call, VkDevice device,
                                         VkSwapchainKHR swapchain, uint64_t timeout,
                                         VkSemaphore semaphore, VkFence fence,
                                         uint32_t *pImageIndex)
{
    judge_acquired(call, swapchain, *pImageIndex);
}

void practices_after_AcquireNextImage2KHR(struct call *call, VkDevice device,
                                          const VkAcquireNextImageInfoKHR *pAcquireInfo,
                                          uint32_t *pImageIndex)
{
    judge_acquired(call, pAcquireInfo->swapchain, *pImageIndex);
}

/* --- presents --- */

/* Counts consecutive suboptimal presents, and gives advice after SUBOPTIMAL_PRESENTS of them. */
static void judge_suboptimal(const struct call *call, struct practices_of_device *kept,
                             VkSwapchainKHR handle, VkResult result)
{
    /* The handle is not used, as the driver may give it to the next swapchain. */
    const struct swapchain *swapchain = find_swapchain(call, handle);
    const uint64_t id = swapchain ? object_state_id(&swapchain->base) : 0;
    if (result != VK_SUBOPTIMAL_KHR) {
        if (atomic_load_explicit(&kept->suboptimal, memory_order_relaxed) == id)
            atomic_store_explicit(&kept->suboptimal_count, 0, memory_order_relaxed);
        return;
    }
    if (atomic_exchange_explicit(&kept->suboptimal, id, memory_order_relaxed) != id)
        atomic_store_explicit(&kept->suboptimal_count, 0, memory_order_relaxed);
    const uint32_t count = practices_count(&kept->suboptimal_count);
    if (count >= SUBOPTIMAL_PRESENTS)
        advise(call, BestPractices_vkCreateSharedSwapchainsKHR_SuboptimalSwapchain, NULL,
               OBJECT(HANDLE_SWAPCHAIN_KHR, handle),
               "answers VK_SUBOPTIMAL_KHR for %s, %u times in a row",
               NAMED(call, HANDLE_SWAPCHAIN_KHR, handle), count);
}

/* Counts the submissions since the last present, and advises if many consecutive presents had too
 * many. */
static void judge_submissions(const struct call *call, struct practices_of_device *kept)
{
    const uint32_t submissions =
        atomic_exchange_explicit(&kept->submissions, 0, memory_order_relaxed);
    if (submissions <= MANY_SUBMISSIONS) {
        atomic_store_explicit(&kept->busy_frames, 0, memory_order_relaxed);
        return;
    }
    if (practices_count(&kept->busy_frames) >= BUSY_FRAMES)
        advise(call, BestPractices_Submission_ReduceNumberOfSubmissions, NULL, NULL,
               "presents after %u submissions since the last present, and %u presents in a row had "
               "more than %u",
               submissions, BUSY_FRAMES, MANY_SUBMISSIONS);
}

void practices_after_QueuePresentKHR(struct call *call, VkQueue queue,
                                     const VkPresentInfoKHR *pPresentInfo)
{
    struct practices_of_device *kept = practices_of_device(call->device);
    if (!kept)
        return;
    for (uint32_t i = 0; i < pPresentInfo->swapchainCount; i++)
        judge_suboptimal(call, kept, pPresentInfo->pSwapchains[i],
                         pPresentInfo->pResults ? pPresentInfo->pResults[i] : call->result);
    judge_submissions(call, kept);
}
