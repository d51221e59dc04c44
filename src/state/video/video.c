/* Queries the driver for what it supports with a video profile. */
#include "state/video/video.h"

#include <string.h>

/* Kinds of operations, as bits. */
#define DECODES (1u << 0)
#define ENCODES (1u << 1)

/* Says whether an operation decodes or encodes; 0: not known. */
static uint32_t kinds_of(VkVideoCodecOperationFlagsKHR operation)
{
    switch (operation) {
    case VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR:
    case VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR:
    case VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR:
    case VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR:
        return DECODES;
    case VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR:
    case VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR:
    case VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR:
        return ENCODES;
    default:
        return 0;
    }
}

/* The structures that a profile of these kinds, or of this operation, has. */
#define STRUCTURE(name_, type_, kinds_, operation_) \
    {offsetof(struct video_capabilities, name_), VK_STRUCTURE_TYPE_##type_, kinds_, operation_}
static const struct {
    size_t offset;
    VkStructureType type;
    uint32_t kinds;
    VkVideoCodecOperationFlagsKHR operation;
} structures[] = {
    STRUCTURE(VideoDecodeCapabilitiesKHR, VIDEO_DECODE_CAPABILITIES_KHR, DECODES, 0),
    STRUCTURE(VideoDecodeH264CapabilitiesKHR, VIDEO_DECODE_H264_CAPABILITIES_KHR, 0,
              VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR),
    STRUCTURE(VideoDecodeH265CapabilitiesKHR, VIDEO_DECODE_H265_CAPABILITIES_KHR, 0,
              VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR),
    STRUCTURE(VideoDecodeAV1CapabilitiesKHR, VIDEO_DECODE_AV1_CAPABILITIES_KHR, 0,
              VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR),
    STRUCTURE(VideoDecodeVP9CapabilitiesKHR, VIDEO_DECODE_VP9_CAPABILITIES_KHR, 0,
              VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR),
    STRUCTURE(VideoEncodeCapabilitiesKHR, VIDEO_ENCODE_CAPABILITIES_KHR, ENCODES, 0),
    STRUCTURE(VideoEncodeH264CapabilitiesKHR, VIDEO_ENCODE_H264_CAPABILITIES_KHR, 0,
              VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR),
    STRUCTURE(VideoEncodeH265CapabilitiesKHR, VIDEO_ENCODE_H265_CAPABILITIES_KHR, 0,
              VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR),
    STRUCTURE(VideoEncodeAV1CapabilitiesKHR, VIDEO_ENCODE_AV1_CAPABILITIES_KHR, 0,
              VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR),
};

/* Adds the structure at this offset to the chain that the driver fills. */
static void chain_structure(struct video_capabilities *capabilities, size_t offset,
                            VkStructureType type)
{
    VkBaseOutStructure *structure = (VkBaseOutStructure *)((char *)capabilities + offset);
    structure->sType = type;
    structure->pNext = capabilities->VideoCapabilitiesKHR.pNext;
    capabilities->VideoCapabilitiesKHR.pNext = structure;
}

/* Queries the driver; `refreshes`: also for what it can do with intra refresh. */
static void capabilities_query(const struct instance *instance, VkPhysicalDevice physical_device,
                               const VkVideoProfileInfoKHR *profile, bool refreshes,
                               struct video_capabilities *capabilities)
{
    memset(capabilities, 0, sizeof(*capabilities));
    capabilities->VideoCapabilitiesKHR.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR;
    PFN_vkGetPhysicalDeviceVideoCapabilitiesKHR ask =
        instance->dispatch.GetPhysicalDeviceVideoCapabilitiesKHR;
    const uint32_t kinds = kinds_of(profile->videoCodecOperation);
    /* The structures of an unknown operation are not known. */
    if (!ask || !kinds)
        return;
    for (size_t i = 0; i < sizeof(structures) / sizeof(structures[0]); i++) {
        if (structures[i].kinds & kinds || structures[i].operation == profile->videoCodecOperation)
            chain_structure(capabilities, structures[i].offset, structures[i].type);
    }
    if (kinds & ENCODES && refreshes)
        chain_structure(capabilities,
                        offsetof(struct video_capabilities, VideoEncodeIntraRefreshCapabilitiesKHR),
                        VK_STRUCTURE_TYPE_VIDEO_ENCODE_INTRA_REFRESH_CAPABILITIES_KHR);
    const VkResult result = ask(physical_device, profile, &capabilities->VideoCapabilitiesKHR);
    capabilities->known = result == VK_SUCCESS;
    /* The results with which a driver says that it does not support the profile. */
    capabilities->refused = result == VK_ERROR_VIDEO_PICTURE_LAYOUT_NOT_SUPPORTED_KHR ||
                            result == VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR ||
                            result == VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR ||
                            result == VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR;
}

void video_capabilities_of(const struct instance *instance, VkPhysicalDevice physical_device,
                           const VkVideoProfileInfoKHR *profile,
                           struct video_capabilities *capabilities)
{
    capabilities_query(instance, physical_device, profile, false, capabilities);
}

void video_capabilities_ask(const struct device *device, const VkVideoProfileInfoKHR *profile,
                            struct video_capabilities *capabilities)
{
    capabilities_query(device->instance, device->physical_device, profile,
                       extension_set_has(&device->extensions,
                                         EXTENSION_VK_KHR_video_encode_intra_refresh),
                       capabilities);
}
