/* The state of swapchains: how they were created, their images, and which images are acquired
 * (34.10 "WSI Swapchain"). */
#ifndef ASSAY_STATE_SWAPCHAIN_H
#define ASSAY_STATE_SWAPCHAIN_H

#include "state/object/object_state.h"

struct image;

/* most images that are tracked; whether further ones are acquired is not known */
#define SWAPCHAIN_IMAGES 64
#define SWAPCHAIN_MODES  8  /* most present modes that are kept */
#define PRESENT_IDS      16 /* presents with an id whose submissions are kept */
#define TIME_DOMAINS     16 /* most time domains that are kept */

/* Threads: const, except for fields with a note. */
struct swapchain {
    struct object_state base;
    /* without pNext and pQueueFamilyIndices; oldSwapchain is the program's handle, imageUsage the
     * result of swapchain_image_usage() */
    VkSwapchainCreateInfoKHR info;
    uint64_t surface; /* id */
    /* a bit for each queue family that supported presents to the surface when it was created;
     * families from 64 on count as supported */
    uint64_t families;
    /* from VkDeviceGroupSwapchainCreateInfoKHR, or its default */
    VkDeviceGroupPresentModeFlagsKHR group_modes;
    /* Capabilities of the surface when the swapchain was created. They are only queried if the
     * swapchain's flags use them. */
    struct {
        bool known, absolute_time, relative_time, id_2, wait_2;
    } presents;
    bool has_modes;      /* VkSwapchainPresentModesCreateInfoKHR was chained */
    uint32_t mode_count; /* number of modes that are kept */
    VkPresentModeKHR modes[SWAPCHAIN_MODES];
    /* the program has bound images to its memory (VkBindImageMemorySwapchainInfoKHR). Relaxed */
    _Atomic bool has_bound_images;
    _Atomic bool retired;         /* it was the oldSwapchain of another swapchain. Relaxed */
    _Atomic uint32_t image_count; /* 0: not known yet. Relaxed */
    /* a bit for each image that the program has acquired. Relaxed: a swapchain is externally
     * synchronised */
    _Atomic uint64_t acquired;
    /* ... that it has ever had; and whether it has ever presented one. Relaxed */
    _Atomic uint64_t ever_acquired;
    _Atomic bool ever_presented;
    /* a bit for each image that the program has presented since. Relaxed */
    _Atomic uint64_t given_back;
    /* the greatest present id so far; 0: none. Relaxed */
    _Atomic uint64_t present_id;
    /* The stamps of the last presents with an id; index: `id % PRESENT_IDS`. Relaxed. */
    struct {
        _Atomic uint64_t id, stamp;
    } present_stamps[PRESENT_IDS];
    /* The answers of vkGetSwapchainTimeDomainPropertiesEXT so far. If the count is beyond
     * TIME_DOMAINS, some were not kept. Relaxed, except that `domain` (1 + VkTimeDomainKHR; 0: not
     * written yet) is stored with release after `id`. */
    _Atomic uint32_t domain_count;
    struct time_domain {
        _Atomic uint64_t id;
        _Atomic uint32_t domain;
    } domains[TIME_DOMAINS];
    /* stamp of the last present of each image, if the program has not acquired it since; otherwise
     * 0. Relaxed */
    _Atomic uint64_t presented[SWAPCHAIN_IMAGES];
    /* id of the semaphore of each image's acquire; 0: it had none, or it also had a fence.
     * Relaxed */
    _Atomic uint64_t acquired_by[SWAPCHAIN_IMAGES];
    /* the deviceMask of each image's last acquire; 0: vkAcquireNextImageKHR takes none. Relaxed */
    _Atomic uint32_t acquired_for[SWAPCHAIN_IMAGES];
    uint32_t view_format_count; /* VkImageFormatListCreateInfo; 0: not given */
    VkFormat view_formats[];
};
STATE_FINDERS(swapchain, VkSwapchainKHR, HANDLE_SWAPCHAIN_KHR)

/* The usage of the images. "If the pNext chain includes a VkImageUsageFlags2CreateInfoKHR
 * structure, imageUsage is ignored": then the bits of that structure that imageUsage can have. */
VkImageUsageFlags swapchain_image_usage(const VkSwapchainCreateInfoKHR *info);

/* The create info with which vkCreateImage would create an image like these
 * (VkSwapchainCreateInfoKHR, "imageUsage" and what follows). Without pNext. */
VkImageCreateInfo swapchain_image_info(const struct swapchain *swapchain);

/* Notes the present ids of the submission with this stamp. Before the driver's function: another
 * thread may wait for an id as soon as the driver knows it. */
void swapchain_note_present_ids(const struct call *call, const VkPresentInfoKHR *info,
                                uint64_t stamp);

/* The time domain with this id; NULL: no vkGetSwapchainTimeDomainPropertiesEXT returned the id.
 * `*kept`: whether all answers were kept. Threads: any. */
const struct time_domain *swapchain_time_domain(const struct swapchain *swapchain, uint64_t id,
                                                bool *kept);

/* "... as determined using a call to vkGetPhysicalDeviceSurfaceSupportKHR". That is queried once:
 * the query asks the window system, and the window may be destroyed later without a mistake. */
static inline bool swapchain_supports_queue_family(const struct swapchain *swapchain,
                                                   uint32_t family)
{
    return family >= 64 || swapchain->families >> family & 1;
}

/* True if the program has acquired the image and not presented or released it, or that is not
 * known. */
static inline bool swapchain_image_is_acquired(const struct swapchain *swapchain, uint32_t index)
{
    return index >= SWAPCHAIN_IMAGES ||
           atomic_load_explicit(&swapchain->acquired, memory_order_relaxed) & (1ull << index);
}

/* True if the program and the presentation engine share the image from the first acquire on. */
static inline bool swapchain_is_shared(const struct swapchain *swapchain)
{
    return swapchain->info.presentMode == VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR ||
           swapchain->info.presentMode == VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR;
}

/* The number of images that the swapchain has. The driver is queried once. 0: the driver does not
 * answer. Threads: any. */
uint32_t swapchain_image_count(const struct device *device, struct swapchain *swapchain);

/* The state of one of its images; NULL: the program has not retrieved it. Cold. */
struct image *swapchain_find_image(const struct swapchain *swapchain, uint32_t index);

#endif
