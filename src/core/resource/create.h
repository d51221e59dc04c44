/* Checks that the creation of buffers and of images share. Threads: the calling thread. Fields of
 * other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_RESOURCE_CREATE_H
#define ASSAY_CORE_RESOURCE_CREATE_H

#include "report/finding/rule.h"

#define VIDEO_DECODE_OPERATIONS                                                                    \
    (VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR | VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR | \
     VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR | VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR)
#define VIDEO_ENCODE_OPERATIONS                                                                    \
    (VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR | VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR | \
     VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR)

/* sharingMode is VK_SHARING_MODE_CONCURRENT. The rule: "each element of pQueueFamilyIndices must be
 * unique and must be less than pQueueFamilyPropertyCount". */
void check_queue_families(struct subject *subject, enum rule rule, uint32_t count,
                          const uint32_t *families) COLD;

/* True if a profile of the list has one of these operations. */
bool video_profiles_have(const VkVideoProfileListInfoKHR *list,
                         VkVideoCodecOperationFlagsKHR operations);

#endif
