/* Swapchains: what they were created with, which their images have in common (34.10 "WSI Swapchain"). */
#ifndef ASSAY_STATE_SWAPCHAIN_H
#define ASSAY_STATE_SWAPCHAIN_H

#include "state/object_state.h"

/* Threads: const. */
struct swapchain {
    struct object_state base;
    VkSwapchainCreateInfoKHR info; /* without pNext and pQueueFamilyIndices */
    uint32_t view_format_count;    /* VkImageFormatListCreateInfo; 0 = none given */
    VkFormat view_formats[];
};
STATE_FINDERS(swapchain, VkSwapchainKHR, HANDLE_SWAPCHAIN_KHR)

/* What vkCreateImage would have been told to make one of its images (VkSwapchainCreateInfoKHR, "imageUsage" and what follows). Without pNext. */
VkImageCreateInfo swapchain_image_info(const struct swapchain *swapchain);

#endif
