/* Swapchains: what they were created with, what their images have in common, and which images are
 * acquired (34.10 "WSI Swapchain"). */
#ifndef ASSAY_STATE_SWAPCHAIN_H
#define ASSAY_STATE_SWAPCHAIN_H

#include "state/object/object_state.h"

struct image;

/* images that are counted; of further images it is never said whether they are acquired */
#define SWAPCHAIN_IMAGES 64
#define SWAPCHAIN_MODES  8  /* present modes that are kept */
#define PRESENT_IDS      16 /* of whose presents the submissions are kept */
#define TIME_DOMAINS     16 /* that are kept */

/* Threads: const, but for the fields with a note. */
struct swapchain {
    struct object_state base;
    /* without pNext and pQueueFamilyIndices; `oldSwapchain` is as the program gave it, imageUsage
     * what swapchain_image_usage() says */
    VkSwapchainCreateInfoKHR info;
    uint64_t surface; /* id */
    /* a bit for each queue family that could present to the surface when it was made; families
     * beyond the 64th could */
    uint64_t families;
    VkDeviceGroupPresentModeFlagsKHR group_modes; /* VkDeviceGroupSwapchainCreateInfoKHR, or its
                                                     default */
    /* The abilities of the surface when the swapchain was made. Abilities are known where the flags
     * of the swapchain name them. */
    struct {
        bool known, absolute_time, relative_time, id_2, wait_2;
    } presents;
    bool has_modes;      /* VkSwapchainPresentModesCreateInfoKHR was chained */
    uint32_t mode_count; /* modes that are kept */
    VkPresentModeKHR modes[SWAPCHAIN_MODES];
    /* the program has bound images to memory of this one's (VkBindImageMemorySwapchainInfoKHR).
     * Relaxed
     */
    _Atomic bool has_bound_images;
    _Atomic bool retired;         /* it was the oldSwapchain of another swapchain. Relaxed */
    _Atomic uint32_t image_count; /* 0 = not known yet. Relaxed */
    /* a bit for each image that the program has. Relaxed: a swapchain is externally synchronised */
    _Atomic uint64_t acquired;
    /* ... that it has presented since. Relaxed */
    _Atomic uint64_t given_back;
    /* the greatest one that it was presented to with; 0 = none. Relaxed */
    _Atomic uint64_t present_id;
    /* The stamps of the last presents with an id; a place is `id % PRESENT_IDS`. Relaxed. */
    struct {
        _Atomic uint64_t id, stamp;
    } present_stamps[PRESENT_IDS];
    /* The answers of vkGetSwapchainTimeDomainPropertiesEXT so far; a count beyond TIME_DOMAINS:
     * some were not kept. Relaxed, but `domain` (1 + VkTimeDomainKHR; 0: not written yet) is
     * released after `id`. */
    _Atomic uint32_t domain_count;
    struct time_domain {
        _Atomic uint64_t id;
        _Atomic uint32_t domain;
    } domains[TIME_DOMAINS];
    /* stamp of the present of each image that the program has not acquired since; or 0. Relaxed */
    _Atomic uint64_t presented[SWAPCHAIN_IMAGES];
    /* id of the semaphore of the acquire that each image was acquired by; 0: it has none, or a
     * fence as well. Relaxed */
    _Atomic uint64_t acquired_by[SWAPCHAIN_IMAGES];
    uint32_t view_format_count; /* VkImageFormatListCreateInfo; 0 = none given */
    VkFormat view_formats[];
};
STATE_FINDERS(swapchain, VkSwapchainKHR, HANDLE_SWAPCHAIN_KHR)

/* "If the pNext chain includes a VkImageUsageFlags2CreateInfoKHR structure, imageUsage is ignored":
 * of that structure's, the bits that imageUsage can have. */
VkImageUsageFlags swapchain_image_usage(const VkSwapchainCreateInfoKHR *info);

/* The info that vkCreateImage would have been given to make one of its images
 * (VkSwapchainCreateInfoKHR, "imageUsage" and what follows). Without pNext. */
VkImageCreateInfo swapchain_image_info(const struct swapchain *swapchain);

/* The swapchains are presented to by the submission of this stamp: their present ids are noted.
 * Before the call: another thread may wait for an id as soon as the driver knows it. */
void swapchain_note_present_ids(const struct call *call, const VkPresentInfoKHR *info,
                                uint64_t stamp);

/* The time domain with this id; NULL: vkGetSwapchainTimeDomainPropertiesEXT did not answer the id.
 * `kept`: all answers are known. Threads: any. */
const struct time_domain *swapchain_time_domain(const struct swapchain *swapchain, uint64_t id,
                                                bool *kept);

/* "... as determined using a call to vkGetPhysicalDeviceSurfaceSupportKHR": asked once. Later the
 * window may be gone, which is not a mistake, and asking costs what asking the window system costs.
 */
static inline bool swapchain_supports_queue_family(const struct swapchain *swapchain,
                                                   uint32_t family)
{
    return family >= 64 || swapchain->families >> family & 1;
}

/* True if the program has acquired the image and not given it back. True, too, where that is not
 * known. */
static inline bool swapchain_image_is_acquired(const struct swapchain *swapchain, uint32_t index)
{
    return index >= SWAPCHAIN_IMAGES ||
           atomic_load_explicit(&swapchain->acquired, memory_order_relaxed) & (1ull << index);
}

/* Its image is the program's and the presentation engine's at once, from the first acquire on. */
static inline bool swapchain_is_shared(const struct swapchain *swapchain)
{
    return swapchain->info.presentMode == VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR ||
           swapchain->info.presentMode == VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR;
}

/* How many images the swapchain has. The driver is asked once. 0: the driver does not say. Threads:
 * any. */
uint32_t swapchain_image_count(const struct device *device, struct swapchain *swapchain);

/* The state of one of its images; NULL when the program has never asked for it. Cold. */
struct image *swapchain_find_image(const struct swapchain *swapchain, uint32_t index);

#endif
