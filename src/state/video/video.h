/* Queries the driver for what it supports with a video profile (42.3 "Video Profiles",
 * vkGetPhysicalDeviceVideoCapabilitiesKHR), and keeps the answer. Threads: any; each member that is
 * not const says its own. */
#ifndef ASSAY_STATE_VIDEO_H
#define ASSAY_STATE_VIDEO_H

#include "objects/device.h"

/* Each member has the name of its structure; those that the profile does not have are 0. */
struct video_capabilities {
    VkVideoCapabilitiesKHR VideoCapabilitiesKHR;
    VkVideoDecodeCapabilitiesKHR VideoDecodeCapabilitiesKHR;
    VkVideoDecodeH264CapabilitiesKHR VideoDecodeH264CapabilitiesKHR;
    VkVideoDecodeH265CapabilitiesKHR VideoDecodeH265CapabilitiesKHR;
    VkVideoDecodeAV1CapabilitiesKHR VideoDecodeAV1CapabilitiesKHR;
    VkVideoDecodeVP9CapabilitiesKHR VideoDecodeVP9CapabilitiesKHR;
    VkVideoEncodeCapabilitiesKHR VideoEncodeCapabilitiesKHR;
    VkVideoEncodeH264CapabilitiesKHR VideoEncodeH264CapabilitiesKHR;
    VkVideoEncodeH265CapabilitiesKHR VideoEncodeH265CapabilitiesKHR;
    VkVideoEncodeAV1CapabilitiesKHR VideoEncodeAV1CapabilitiesKHR;
    VkVideoEncodeIntraRefreshCapabilitiesKHR VideoEncodeIntraRefreshCapabilitiesKHR;
    bool known;
    bool refused; /* the driver does not support the profile */
};

/* Queries the driver of a physical device, without what extensions of a device add. */
void video_capabilities_of(const struct instance *instance, VkPhysicalDevice physical_device,
                           const VkVideoProfileInfoKHR *profile,
                           struct video_capabilities *capabilities);

/* Queries the driver; `known` is false if it has no answer. */
void video_capabilities_ask(const struct device *device, const VkVideoProfileInfoKHR *profile,
                            struct video_capabilities *capabilities);

#endif
