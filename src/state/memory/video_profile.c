/* Makes keys of video profiles. */
#include "state/memory/video_profile.h"

#include "vk/chain.h"
#include "vk/pointer.h"

#define CHAINED(chain_, TYPE_) (chain_find((chain_), VK_STRUCTURE_TYPE_##TYPE_))

/* Adds a number to a key. */
static uint64_t profile_add(uint64_t key, uint32_t number)
{
    return (key ^ number) * 0x100000001b3u;
}

/* Adds what the codec's structure says. False: it is missing, or the operation is not known. */
static bool add_codec(uint64_t *key, VkVideoCodecOperationFlagBitsKHR operation, const void *chain)
{
    const VkVideoDecodeH264ProfileInfoKHR *h264;
    const VkVideoDecodeH265ProfileInfoKHR *h265;
    const VkVideoDecodeAV1ProfileInfoKHR *av1;
    const VkVideoDecodeVP9ProfileInfoKHR *vp9;
    const VkVideoEncodeH264ProfileInfoKHR *to_h264;
    const VkVideoEncodeH265ProfileInfoKHR *to_h265;
    const VkVideoEncodeAV1ProfileInfoKHR *to_av1;
    switch (operation) {
    case VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR:
        h264 = CHAINED(chain, VIDEO_DECODE_H264_PROFILE_INFO_KHR);
        if (h264)
            *key = profile_add(profile_add(*key, (uint32_t)h264->stdProfileIdc),
                               (uint32_t)h264->pictureLayout);
        return h264;
    case VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR:
        h265 = CHAINED(chain, VIDEO_DECODE_H265_PROFILE_INFO_KHR);
        if (h265)
            *key = profile_add(*key, (uint32_t)h265->stdProfileIdc);
        return h265;
    case VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR:
        av1 = CHAINED(chain, VIDEO_DECODE_AV1_PROFILE_INFO_KHR);
        if (av1)
            *key = profile_add(profile_add(*key, (uint32_t)av1->stdProfile),
                               av1->filmGrainSupport != 0);
        return av1;
    case VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR:
        vp9 = CHAINED(chain, VIDEO_DECODE_VP9_PROFILE_INFO_KHR);
        if (vp9)
            *key = profile_add(*key, (uint32_t)vp9->stdProfile);
        return vp9;
    case VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR:
        to_h264 = CHAINED(chain, VIDEO_ENCODE_H264_PROFILE_INFO_KHR);
        if (to_h264)
            *key = profile_add(*key, (uint32_t)to_h264->stdProfileIdc);
        return to_h264;
    case VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR:
        to_h265 = CHAINED(chain, VIDEO_ENCODE_H265_PROFILE_INFO_KHR);
        if (to_h265)
            *key = profile_add(*key, (uint32_t)to_h265->stdProfileIdc);
        return to_h265;
    case VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR:
        to_av1 = CHAINED(chain, VIDEO_ENCODE_AV1_PROFILE_INFO_KHR);
        if (to_av1)
            *key = profile_add(*key, (uint32_t)to_av1->stdProfile);
        return to_av1;
    default:
        return false;
    }
}

uint64_t video_profile_key(const VkVideoProfileInfoKHR *profile, const void *chain)
{
    uint64_t key = 0xcbf29ce484222325u;
    if (!profile)
        return VIDEO_PROFILE_NONE;
    key = profile_add(profile_add(key, profile->videoCodecOperation), profile->chromaSubsampling);
    key = profile_add(key, profile->lumaBitDepth);
    /* without chroma its depth means nothing */
    if (profile->chromaSubsampling != VK_VIDEO_CHROMA_SUBSAMPLING_MONOCHROME_BIT_KHR)
        key = profile_add(key, profile->chromaBitDepth);
    if (!add_codec(&key, profile->videoCodecOperation, chain))
        return VIDEO_PROFILE_UNKNOWN;
    return key | 2;
}

uint64_t video_profile_of_queries(const void *chain)
{
    return video_profile_key(CHAINED(chain, VIDEO_PROFILE_INFO_KHR), chain);
}

uint64_t video_profiles_listed(const void *chain, bool independent)
{
    const VkVideoProfileListInfoKHR *list = CHAINED(chain, VIDEO_PROFILE_LIST_INFO_KHR);
    const uint64_t all = 1ull << 63;
    uint64_t set = 0;
    if (independent || (list && pointer_is_bad(list->pProfiles)))
        return all;
    for (uint32_t i = 0; list && i < list->profileCount; i++) {
        const VkVideoProfileInfoKHR *profile = &list->pProfiles[i];
        const uint64_t key = video_profile_key(profile, profile->pNext);
        set |= key == VIDEO_PROFILE_UNKNOWN ? all : 1ull << key % 63;
    }
    return set;
}
