/* Answers for surfaces, swapchains and displays that show nothing. */
#include "null_driver.h"

#include <stdlib.h>
#include <string.h>

#define MIN_IMAGE_COUNT 2
/* Images that may be acquired at once are counted in one word of 64 bits. */
#define MAX_IMAGE_COUNT 64
#define SURFACE_WIDTH   640
#define SURFACE_HEIGHT  480
#define MAX_LAYERS      4

/* An image was acquired of a swapchain that is alive. */
static _Atomic bool window_was_used;

/* --- surfaces --------------------------------------------------------------------------------- */

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceSurfaceSupportKHR(VkPhysicalDevice physicalDevice, uint32_t queueFamilyIndex,
                                        VkSurfaceKHR surface, VkBool32 *pSupported)
{
    const struct config *config = ((const struct dispatchable *)physicalDevice)->config;
    const bool gone = config->windows_go && window_was_used;
    *pSupported = !config->no_presentation && !gone &&
                  queueFamilyIndex < config->queue_family_count &&
                  config->queue_families[queueFamilyIndex].queueFlags &
                      (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT);
    return VK_SUCCESS;
}

static const VkSurfaceCapabilitiesKHR surface_capabilities = {
    .minImageCount = MIN_IMAGE_COUNT,
    .maxImageCount = MAX_IMAGE_COUNT,
    .currentExtent = {UINT32_MAX, UINT32_MAX}, /* the swapchain decides */
    .minImageExtent = {1, 1},
    .maxImageExtent = {16384, 16384},
    .maxImageArrayLayers = MAX_LAYERS,
    .supportedTransforms =
        VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR | VK_SURFACE_TRANSFORM_INHERIT_BIT_KHR,
    .currentTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
    .supportedCompositeAlpha =
        VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
    .supportedUsageFlags = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                           VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                           VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                           VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT};

static const VkSurfaceFormatKHR surface_formats[] = {
    {VK_FORMAT_B8G8R8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
    {VK_FORMAT_B8G8R8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
    {VK_FORMAT_R8G8B8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
    {VK_FORMAT_R8G8B8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
    {VK_FORMAT_R16G16B16A16_SFLOAT, VK_COLOR_SPACE_EXTENDED_SRGB_LINEAR_EXT}};
#define SURFACE_FORMAT_COUNT ((uint32_t)(sizeof(surface_formats) / sizeof(surface_formats[0])))

static const VkPresentModeKHR present_modes[] = {VK_PRESENT_MODE_FIFO_KHR,
                                                 VK_PRESENT_MODE_MAILBOX_KHR,
                                                 VK_PRESENT_MODE_IMMEDIATE_KHR,
                                                 VK_PRESENT_MODE_FIFO_RELAXED_KHR,
                                                 VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR,
                                                 VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR};
#define PRESENT_MODE_COUNT ((uint32_t)(sizeof(present_modes) / sizeof(present_modes[0])))

VKAPI_ATTR
VkResult VKAPI_CALL
null_GetPhysicalDeviceSurfaceCapabilitiesKHR(VkPhysicalDevice physicalDevice, VkSurfaceKHR surface,
                                             VkSurfaceCapabilitiesKHR *pSurfaceCapabilities)
{
    *pSurfaceCapabilities = surface_capabilities;
    return VK_SUCCESS;
}

static bool is_shared(VkPresentModeKHR mode)
{
    return mode == VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR ||
           mode == VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceSurfaceCapabilities2KHR(VkPhysicalDevice physicalDevice,
                                              const VkPhysicalDeviceSurfaceInfo2KHR *pSurfaceInfo,
                                              VkSurfaceCapabilities2KHR *pSurfaceCapabilities)
{
    void *chain = pSurfaceCapabilities->pNext;
    VkSurfacePresentModeCompatibilityKHR *compatible =
        (void *)chain_find(chain, VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_COMPATIBILITY_KHR);
    VkLatencySurfaceCapabilitiesNV *latency =
        (void *)chain_find(chain, VK_STRUCTURE_TYPE_LATENCY_SURFACE_CAPABILITIES_NV);
    uint32_t counts[2] = {compatible ? compatible->presentModeCount : 0,
                          latency ? latency->presentModeCount : 0};
    out_chain(chain);
    pSurfaceCapabilities->surfaceCapabilities = surface_capabilities;
    VkSurfacePresentScalingCapabilitiesKHR *scaling =
        (void *)chain_find(chain, VK_STRUCTURE_TYPE_SURFACE_PRESENT_SCALING_CAPABILITIES_KHR);
    const VkSurfacePresentModeKHR *mode =
        chain_find(pSurfaceInfo->pNext, VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_KHR);
    if (scaling) {
        scaling->minScaledImageExtent = (VkExtent2D){1, 1};
        scaling->maxScaledImageExtent = (VkExtent2D){1024, 1024};
    }
    if (((const struct dispatchable *)physicalDevice)->config->plain_surfaces) {
        VkSurfaceProtectedCapabilitiesKHR *protection =
            (void *)chain_find(chain, VK_STRUCTURE_TYPE_SURFACE_PROTECTED_CAPABILITIES_KHR);
        if (scaling && (!mode || mode->presentMode != VK_PRESENT_MODE_MAILBOX_KHR))
            scaling->supportedPresentScaling = scaling->supportedPresentGravityX =
                scaling->supportedPresentGravityY = 0;
        if (protection)
            protection->supportsProtected = VK_FALSE;
        VkPresentTimingSurfaceCapabilitiesEXT *timing =
            (void *)chain_find(chain, VK_STRUCTURE_TYPE_PRESENT_TIMING_SURFACE_CAPABILITIES_EXT);
        VkSurfaceCapabilitiesPresentId2KHR *id =
            (void *)chain_find(chain, VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_PRESENT_ID_2_KHR);
        VkSurfaceCapabilitiesPresentWait2KHR *wait =
            (void *)chain_find(chain, VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_PRESENT_WAIT_2_KHR);
        VkSharedPresentSurfaceCapabilitiesKHR *shared =
            (void *)chain_find(chain, VK_STRUCTURE_TYPE_SHARED_PRESENT_SURFACE_CAPABILITIES_KHR);
        VkSwapchainFlagsSurfaceCapabilitiesEXT *flags =
            (void *)chain_find(chain, VK_STRUCTURE_TYPE_SWAPCHAIN_FLAGS_SURFACE_CAPABILITIES_EXT);
        if (scaling)
            scaling->minScaledImageExtent = scaling->maxScaledImageExtent =
                (VkExtent2D){UINT32_MAX, UINT32_MAX};
        if (flags)
            flags->swapchainSupportedFlags = 0;
        if (timing)
            timing->presentAtAbsoluteTimeSupported = timing->presentAtRelativeTimeSupported =
                VK_FALSE;
        if (id)
            id->presentId2Supported = VK_FALSE;
        if (wait)
            wait->presentWait2Supported = VK_FALSE;
        if (shared)
            shared->sharedPresentSupportedUsageFlags = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    }
    if (mode && is_shared(mode->presentMode))
        pSurfaceCapabilities->surfaceCapabilities.minImageCount =
            pSurfaceCapabilities->surfaceCapabilities.maxImageCount = 1;
    else if (mode && mode->presentMode == VK_PRESENT_MODE_MAILBOX_KHR)
        pSurfaceCapabilities->surfaceCapabilities.minImageCount++;
    VkResult result = VK_SUCCESS;
    if (compatible) {
        /* A mode is compatible with itself and with FIFO. */
        VkPresentModeKHR modes[] = {mode ? mode->presentMode : VK_PRESENT_MODE_FIFO_KHR,
                                    VK_PRESENT_MODE_FIFO_KHR};
        uint32_t total = modes[0] == modes[1] || is_shared(modes[0]) ? 1 : 2;
        result =
            enumerate_values(&counts[0], compatible->pPresentModes, modes, total, sizeof(modes[0]));
        compatible->presentModeCount = counts[0];
    }
    if (latency) {
        (void)enumerate_values(&counts[1], latency->pPresentModes, present_modes, 3,
                               sizeof(present_modes[0]));
        latency->presentModeCount = counts[1];
    }
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceSurfaceCapabilities2EXT(VkPhysicalDevice physicalDevice, VkSurfaceKHR surface,
                                              VkSurfaceCapabilities2EXT *pSurfaceCapabilities)
{
    const VkSurfaceCapabilitiesKHR *from = &surface_capabilities;
    pSurfaceCapabilities->minImageCount = from->minImageCount;
    pSurfaceCapabilities->maxImageCount = from->maxImageCount;
    pSurfaceCapabilities->currentExtent = from->currentExtent;
    pSurfaceCapabilities->minImageExtent = from->minImageExtent;
    pSurfaceCapabilities->maxImageExtent = from->maxImageExtent;
    pSurfaceCapabilities->maxImageArrayLayers = from->maxImageArrayLayers;
    pSurfaceCapabilities->supportedTransforms = from->supportedTransforms;
    pSurfaceCapabilities->currentTransform = from->currentTransform;
    pSurfaceCapabilities->supportedCompositeAlpha = from->supportedCompositeAlpha;
    pSurfaceCapabilities->supportedUsageFlags = from->supportedUsageFlags;
    if (!((const struct dispatchable *)physicalDevice)->config->plain_surfaces)
        pSurfaceCapabilities->supportedSurfaceCounters = VK_SURFACE_COUNTER_VBLANK_BIT_EXT;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceSurfaceFormatsKHR(VkPhysicalDevice physicalDevice, VkSurfaceKHR surface,
                                        uint32_t *pSurfaceFormatCount,
                                        VkSurfaceFormatKHR *pSurfaceFormats)
{
    return enumerate_values(pSurfaceFormatCount, pSurfaceFormats, surface_formats,
                            SURFACE_FORMAT_COUNT, sizeof(surface_formats[0]));
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceSurfaceFormats2KHR(VkPhysicalDevice physicalDevice,
                                         const VkPhysicalDeviceSurfaceInfo2KHR *pSurfaceInfo,
                                         uint32_t *pSurfaceFormatCount,
                                         VkSurfaceFormat2KHR *pSurfaceFormats)
{
    VkResult result = enumerate_out(pSurfaceFormatCount, pSurfaceFormats, SURFACE_FORMAT_COUNT,
                                    sizeof(*pSurfaceFormats), true);
    for (uint32_t i = 0; pSurfaceFormats && i < *pSurfaceFormatCount; i++)
        pSurfaceFormats[i].surfaceFormat = surface_formats[i];
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceSurfacePresentModesKHR(VkPhysicalDevice physicalDevice, VkSurfaceKHR surface,
                                             uint32_t *pPresentModeCount,
                                             VkPresentModeKHR *pPresentModes)
{
    return enumerate_values(pPresentModeCount, pPresentModes, present_modes, PRESENT_MODE_COUNT,
                            sizeof(present_modes[0]));
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDevicePresentRectanglesKHR(VkPhysicalDevice physicalDevice, VkSurfaceKHR surface,
                                           uint32_t *pRectCount, VkRect2D *pRects)
{
    VkRect2D whole = {.extent = {SURFACE_WIDTH, SURFACE_HEIGHT}};
    return enumerate_values(pRectCount, pRects, &whole, 1, sizeof(whole));
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetDeviceGroupPresentCapabilitiesKHR(VkDevice device, VkDeviceGroupPresentCapabilitiesKHR
                                                               *pDeviceGroupPresentCapabilities)
{
    out_chain(pDeviceGroupPresentCapabilities);
    memset(pDeviceGroupPresentCapabilities->presentMask, 0,
           sizeof(pDeviceGroupPresentCapabilities->presentMask));
    pDeviceGroupPresentCapabilities->presentMask[0] = 1;
    pDeviceGroupPresentCapabilities->modes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetDeviceGroupSurfacePresentModesKHR(VkDevice device, VkSurfaceKHR surface,
                                          VkDeviceGroupPresentModeFlagsKHR *pModes)
{
    *pModes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
    return VK_SUCCESS;
}

/* --- swapchains ------------------------------------------------------------------------------- */

/* Threads: acquired is atomic; the rest is fixed at creation. */
struct swapchain {
    struct object object;
    uint32_t image_count;
    VkImage *images;
    _Atomic uint32_t next;
    _Atomic uint64_t acquired; /* one bit per image that the app holds */
};

static struct swapchain *swapchain_get(VkSwapchainKHR handle)
{
    return object_get(handle, VK_OBJECT_TYPE_SWAPCHAIN_KHR);
}

static void swapchain_free(struct swapchain *swapchain)
{
    for (uint32_t i = 0; i < swapchain->image_count; i++)
        object_free(swapchain->images[i], VK_OBJECT_TYPE_IMAGE);
    free(swapchain->images);
    object_free(swapchain, VK_OBJECT_TYPE_SWAPCHAIN_KHR);
}

VKAPI_ATTR VkResult VKAPI_CALL null_CreateSwapchainKHR(VkDevice device,
                                                       const VkSwapchainCreateInfoKHR *pCreateInfo,
                                                       const VkAllocationCallbacks *pAllocator,
                                                       VkSwapchainKHR *pSwapchain)
{
    struct swapchain *swapchain = object_new(VK_OBJECT_TYPE_SWAPCHAIN_KHR);
    if (!swapchain)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    uint32_t count =
        pCreateInfo->minImageCount < MAX_IMAGE_COUNT ? pCreateInfo->minImageCount : MAX_IMAGE_COUNT;
    if (count < MIN_IMAGE_COUNT && !is_shared(pCreateInfo->presentMode))
        count = MIN_IMAGE_COUNT;
    VkImageCreateInfo info = {
        .imageType = VK_IMAGE_TYPE_2D,
        .format = pCreateInfo->imageFormat,
        .extent = {pCreateInfo->imageExtent.width, pCreateInfo->imageExtent.height, 1},
        .mipLevels = 1,
        .arrayLayers = pCreateInfo->imageArrayLayers,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = pCreateInfo->imageUsage};
    swapchain->images = calloc(count ? count : 1, sizeof(*swapchain->images));
    for (uint32_t i = 0; swapchain->images && i < count; i++) {
        swapchain->images[i] = (VkImage)image_new(&info);
        swapchain->image_count += swapchain->images[i] != VK_NULL_HANDLE;
    }
    if (!swapchain->images || swapchain->image_count < count) {
        swapchain_free(swapchain);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    *pSwapchain = (VkSwapchainKHR)swapchain;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_CreateSharedSwapchainsKHR(VkDevice device, uint32_t swapchainCount,
                               const VkSwapchainCreateInfoKHR *pCreateInfos,
                               const VkAllocationCallbacks *pAllocator, VkSwapchainKHR *pSwapchains)
{
    memset(pSwapchains, 0, swapchainCount * sizeof(*pSwapchains));
    for (uint32_t i = 0; i < swapchainCount; i++) {
        VkResult result =
            null_CreateSwapchainKHR(device, &pCreateInfos[i], pAllocator, &pSwapchains[i]);
        if (result == VK_SUCCESS)
            continue;
        while (i > 0)
            null_DestroySwapchainKHR(device, pSwapchains[--i], pAllocator);
        memset(pSwapchains, 0, swapchainCount * sizeof(*pSwapchains));
        return result;
    }
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL null_DestroySwapchainKHR(VkDevice device, VkSwapchainKHR swapchain,
                                                    const VkAllocationCallbacks *pAllocator)
{
    struct swapchain *object = swapchain_get(swapchain);
    if (!object)
        return;
    window_was_used = false;
    swapchain_free(object);
}

VKAPI_ATTR VkResult VKAPI_CALL null_GetSwapchainImagesKHR(VkDevice device, VkSwapchainKHR swapchain,
                                                          uint32_t *pSwapchainImageCount,
                                                          VkImage *pSwapchainImages)
{
    const struct swapchain *object = swapchain_get(swapchain);
    return enumerate_values(pSwapchainImageCount, pSwapchainImages, object ? object->images : NULL,
                            object ? object->image_count : 0, sizeof(VkImage));
}

/* The next image in turn that the app does not hold; without one, an answer at once: only the app
 * could give one back. */
static VkResult acquire_image_of(VkDevice device, VkSwapchainKHR handle, uint64_t timeout,
                                 VkSemaphore semaphore, VkFence fence, uint32_t *index)
{
    window_was_used = true;
    struct swapchain *swapchain = swapchain_get(handle);
    if (!swapchain)
        return VK_ERROR_OUT_OF_DATE_KHR;
    for (uint32_t i = 0; i < swapchain->image_count; i++) {
        uint32_t candidate = atomic_fetch_add_explicit(&swapchain->next, 1, memory_order_relaxed) %
                             swapchain->image_count;
        uint64_t bit = 1ull << candidate;
        if (atomic_fetch_or(&swapchain->acquired, bit) & bit)
            continue;
        *index = candidate;
        signal_now(device, semaphore, fence);
        return VK_SUCCESS;
    }
    return timeout ? VK_TIMEOUT : VK_NOT_READY;
}

VKAPI_ATTR VkResult VKAPI_CALL null_AcquireNextImageKHR(VkDevice device, VkSwapchainKHR swapchain,
                                                        uint64_t timeout, VkSemaphore semaphore,
                                                        VkFence fence, uint32_t *pImageIndex)
{
    return acquire_image_of(device, swapchain, timeout, semaphore, fence, pImageIndex);
}

VKAPI_ATTR VkResult VKAPI_CALL
null_AcquireNextImage2KHR(VkDevice device, const VkAcquireNextImageInfoKHR *pAcquireInfo,
                          uint32_t *pImageIndex)
{
    return acquire_image_of(device, pAcquireInfo->swapchain, pAcquireInfo->timeout,
                            pAcquireInfo->semaphore, pAcquireInfo->fence, pImageIndex);
}

static void give_back(VkSwapchainKHR handle, uint32_t index)
{
    struct swapchain *swapchain = swapchain_get(handle);
    if (swapchain && index < swapchain->image_count)
        atomic_fetch_and(&swapchain->acquired, ~(1ull << index));
}

VKAPI_ATTR VkResult VKAPI_CALL null_QueuePresentKHR(VkQueue queue,
                                                    const VkPresentInfoKHR *pPresentInfo)
{
    const VkSwapchainPresentFenceInfoKHR *fences =
        chain_find(pPresentInfo->pNext, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_KHR);
    for (uint32_t i = 0; i < pPresentInfo->swapchainCount; i++) {
        give_back(pPresentInfo->pSwapchains[i], pPresentInfo->pImageIndices[i]);
        if (pPresentInfo->pResults)
            pPresentInfo->pResults[i] = VK_SUCCESS;
        if (fences && i < fences->swapchainCount)
            signal_now((VkDevice)((struct queue *)queue)->device, VK_NULL_HANDLE,
                       fences->pFences[i]);
    }
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_ReleaseSwapchainImagesKHR(VkDevice device, const VkReleaseSwapchainImagesInfoKHR *pReleaseInfo)
{
    for (uint32_t i = 0; i < pReleaseInfo->imageIndexCount; i++)
        give_back(pReleaseInfo->swapchain, pReleaseInfo->pImageIndices[i]);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetSwapchainTimeDomainPropertiesEXT(VkDevice device, VkSwapchainKHR swapchain,
                                         VkSwapchainTimeDomainPropertiesEXT
                                             *pSwapchainTimeDomainProperties,
                                         uint64_t *pTimeDomainsCounter)
{
    static const VkTimeDomainKHR domains[] = {VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR,
                                              VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT};
    static const uint64_t known_ids[] = {1, 2};
    uint32_t count = pSwapchainTimeDomainProperties->timeDomainCount, ids = count;
    (void)enumerate_values(&count, pSwapchainTimeDomainProperties->pTimeDomains, domains, 2,
                           sizeof(domains[0]));
    (void)enumerate_values(&ids, pSwapchainTimeDomainProperties->pTimeDomainIds, known_ids, 2,
                           sizeof(known_ids[0]));
    pSwapchainTimeDomainProperties->timeDomainCount = count;
    if (pTimeDomainsCounter)
        *pTimeDomainsCounter = 1;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetSwapchainTimingPropertiesEXT(VkDevice device, VkSwapchainKHR swapchain,
                                     VkSwapchainTimingPropertiesEXT *pSwapchainTimingProperties,
                                     uint64_t *pSwapchainTimingPropertiesCounter)
{
    out_chain(pSwapchainTimingProperties);
    pSwapchainTimingProperties->refreshDuration = 16666667;
    pSwapchainTimingProperties->refreshInterval = 16666667;
    if (pSwapchainTimingPropertiesCounter)
        *pSwapchainTimingPropertiesCounter = 1;
    return VK_SUCCESS;
}

/* --- displays --------------------------------------------------------------------------------- */

/* The one display and its one mode, which every physical device has. They are never destroyed. */
static VkDisplayKHR the_display;
static VkDisplayModeKHR the_mode;

static void displays_make(void)
{
    the_display = (VkDisplayKHR)object_new(VK_OBJECT_TYPE_DISPLAY_KHR);
    the_mode = (VkDisplayModeKHR)object_new(VK_OBJECT_TYPE_DISPLAY_MODE_KHR);
}

static void displays_need(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, displays_make);
}

static VkDisplayModePropertiesKHR mode_properties(void)
{
    displays_need();
    return (VkDisplayModePropertiesKHR){.displayMode = the_mode,
                                        .parameters = {{SURFACE_WIDTH, SURFACE_HEIGHT}, 60000}};
}

static VkDisplayPropertiesKHR display_properties(VkPhysicalDevice physical_device)
{
    const struct config *config = ((const struct dispatchable *)physical_device)->config;
    displays_need();
    return (VkDisplayPropertiesKHR){.display = the_display,
                                    .displayName = "Assay null display",
                                    .physicalDimensions = {160, 120},
                                    .physicalResolution = {SURFACE_WIDTH, SURFACE_HEIGHT},
                                    .supportedTransforms = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
                                    .planeReorderPossible = config->reorder_planes,
                                    .persistentContent = VK_FALSE};
}

static VkDisplayPlanePropertiesKHR plane_properties(void)
{
    displays_need();
    return (VkDisplayPlanePropertiesKHR){.currentDisplay = the_display};
}

static const VkDisplayPlaneCapabilitiesKHR plane_capabilities = {
    .supportedAlpha = VK_DISPLAY_PLANE_ALPHA_OPAQUE_BIT_KHR,
    .minSrcExtent = {1, 1},
    .maxSrcExtent = {SURFACE_WIDTH, SURFACE_HEIGHT},
    .minDstExtent = {1, 1},
    .maxDstExtent = {SURFACE_WIDTH, SURFACE_HEIGHT}};

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceDisplayPropertiesKHR(VkPhysicalDevice physicalDevice,
                                           uint32_t *pPropertyCount,
                                           VkDisplayPropertiesKHR *pProperties)
{
    VkDisplayPropertiesKHR properties = display_properties(physicalDevice);
    return enumerate_values(pPropertyCount, pProperties, &properties, 1, sizeof(properties));
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceDisplayPlanePropertiesKHR(VkPhysicalDevice physicalDevice,
                                                uint32_t *pPropertyCount,
                                                VkDisplayPlanePropertiesKHR *pProperties)
{
    VkDisplayPlanePropertiesKHR properties = plane_properties();
    return enumerate_values(pPropertyCount, pProperties, &properties, 1, sizeof(properties));
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetDisplayPlaneSupportedDisplaysKHR(VkPhysicalDevice physicalDevice, uint32_t planeIndex,
                                         uint32_t *pDisplayCount, VkDisplayKHR *pDisplays)
{
    displays_need();
    return enumerate_values(pDisplayCount, pDisplays, &the_display, 1, sizeof(*pDisplays));
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetDisplayModePropertiesKHR(VkPhysicalDevice physicalDevice, VkDisplayKHR display,
                                 uint32_t *pPropertyCount, VkDisplayModePropertiesKHR *pProperties)
{
    VkDisplayModePropertiesKHR properties = mode_properties();
    return enumerate_values(pPropertyCount, pProperties, &properties, 1, sizeof(properties));
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceDisplayProperties2KHR(VkPhysicalDevice physicalDevice,
                                            uint32_t *pPropertyCount,
                                            VkDisplayProperties2KHR *pProperties)
{
    VkResult result = enumerate_out(pPropertyCount, pProperties, 1, sizeof(*pProperties), true);
    if (pProperties && *pPropertyCount)
        pProperties->displayProperties = display_properties(physicalDevice);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceDisplayPlaneProperties2KHR(VkPhysicalDevice physicalDevice,
                                                 uint32_t *pPropertyCount,
                                                 VkDisplayPlaneProperties2KHR *pProperties)
{
    VkResult result = enumerate_out(pPropertyCount, pProperties, 1, sizeof(*pProperties), true);
    if (pProperties && *pPropertyCount)
        pProperties->displayPlaneProperties = plane_properties();
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetDisplayModeProperties2KHR(VkPhysicalDevice physicalDevice, VkDisplayKHR display,
                                  uint32_t *pPropertyCount,
                                  VkDisplayModeProperties2KHR *pProperties)
{
    VkResult result = enumerate_out(pPropertyCount, pProperties, 1, sizeof(*pProperties), true);
    if (pProperties && *pPropertyCount)
        pProperties->displayModeProperties = mode_properties();
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetDisplayPlaneCapabilitiesKHR(VkPhysicalDevice physicalDevice, VkDisplayModeKHR mode,
                                    uint32_t planeIndex,
                                    VkDisplayPlaneCapabilitiesKHR *pCapabilities)
{
    *pCapabilities = plane_capabilities;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetDisplayPlaneCapabilities2KHR(VkPhysicalDevice physicalDevice,
                                     const VkDisplayPlaneInfo2KHR *pDisplayPlaneInfo,
                                     VkDisplayPlaneCapabilities2KHR *pCapabilities)
{
    out_chain(pCapabilities->pNext);
    pCapabilities->capabilities = plane_capabilities;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL null_GetDrmDisplayEXT(VkPhysicalDevice physicalDevice, int32_t drmFd,
                                                     uint32_t connectorId, VkDisplayKHR *display)
{
    *display = display_properties(physicalDevice).display;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL null_GetRandROutputDisplayEXT(VkPhysicalDevice physicalDevice,
                                                             Display *dpy, RROutput rrOutput,
                                                             VkDisplayKHR *pDisplay)
{
    *pDisplay = display_properties(physicalDevice).display;
    return VK_SUCCESS;
}

/* A mode lives as long as its display. */
VKAPI_ATTR VkResult VKAPI_CALL
null_CreateDisplayModeKHR(VkPhysicalDevice physicalDevice, VkDisplayKHR display,
                          const VkDisplayModeCreateInfoKHR *pCreateInfo,
                          const VkAllocationCallbacks *pAllocator, VkDisplayModeKHR *pMode)
{
    *pMode = mode_properties().displayMode;
    return VK_SUCCESS;
}
