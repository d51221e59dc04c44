/* What a video profile must hold that the registry does not mark up: single bits, the structure that its codec asks for (42.3 "Video Profiles"). */
#include "stateless/structs.h"

#include "report/finding.h"
#include "report/names_of_values.h"

static bool is_one_bit(VkFlags flags)
{
    return flags && !(flags & (flags - 1));
}

/* "If videoCodecOperation is ..., then the pNext chain must include a ... structure" */
struct codec_rule {
    VkVideoCodecOperationFlagBitsKHR operation;
    VkStructureType type;
    const char *structure;
    enum vuid vuid;
};
#define CODEC(operation_, TYPE_, Structure_, number_)                                                     \
    {VK_VIDEO_CODEC_OPERATION_##operation_##_BIT_KHR, VK_STRUCTURE_TYPE_VIDEO_##TYPE_##_PROFILE_INFO_KHR, \
     "VkVideo" #Structure_ "ProfileInfoKHR", VUID_VkVideoProfileInfoKHR_videoCodecOperation_##number_}
static const struct codec_rule codec_rules[] = {
    CODEC(DECODE_H264, DECODE_H264, DecodeH264, 07179), CODEC(DECODE_H265, DECODE_H265, DecodeH265, 07180),
    CODEC(DECODE_VP9, DECODE_VP9, DecodeVP9, 10791),    CODEC(DECODE_AV1, DECODE_AV1, DecodeAV1, 09256),
    CODEC(ENCODE_H264, ENCODE_H264, EncodeH264, 07181), CODEC(ENCODE_H265, ENCODE_H265, EncodeH265, 07182),
    CODEC(ENCODE_AV1, ENCODE_AV1, EncodeAV1, 10262),
};

void rule_VkVideoProfileInfoKHR(struct check *c, const struct location *where, const VkVideoProfileInfoKHR *s)
{
    /* chromaSubsampling (lumaBitDepth) must have a single bit set. Of 0, -parameter speaks. */
    MUST(c, VUID_VkVideoProfileInfoKHR_chromaSubsampling_07013,
         !s->chromaSubsampling || is_one_bit(s->chromaSubsampling), where, "chromaSubsampling",
         "is %s, where a single bit must be set",
         value_text(VALUES_VkVideoChromaSubsamplingFlagsKHR, s->chromaSubsampling).text);
    MUST(c, VUID_VkVideoProfileInfoKHR_lumaBitDepth_07014, !s->lumaBitDepth || is_one_bit(s->lumaBitDepth), where,
         "lumaBitDepth", "is %s, where a single bit must be set",
         value_text(VALUES_VkVideoComponentBitDepthFlagsKHR, s->lumaBitDepth).text);
    /* If chromaSubsampling is not MONOCHROME, then chromaBitDepth must have a single bit set */
    if (s->chromaSubsampling != VK_VIDEO_CHROMA_SUBSAMPLING_MONOCHROME_BIT_KHR)
        MUST(c, VUID_VkVideoProfileInfoKHR_chromaSubsampling_07015, is_one_bit(s->chromaBitDepth), where,
             "chromaBitDepth", "is %s, where a single bit must be set",
             value_text(VALUES_VkVideoComponentBitDepthFlagsKHR, s->chromaBitDepth).text);
    for (size_t i = 0; i < ARRAY_LENGTH(codec_rules); i++) {
        const struct codec_rule *rule = &codec_rules[i];
        if (s->videoCodecOperation == rule->operation)
            MUST(c, rule->vuid, chain_element(s->pNext, rule->type), where, "pNext",
                 "has no %s, which videoCodecOperation %s asks for", rule->structure,
                 value_text(VALUES_VkVideoCodecOperationFlagsKHR, (uint64_t)s->videoCodecOperation).text);
    }
}

#define DECODE_OPERATIONS                                                                          \
    (VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR | VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR | \
     VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR | VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR)

void rule_VkVideoProfileListInfoKHR(struct check *c, const struct location *where, const VkVideoProfileListInfoKHR *s)
{
    uint32_t decoding = 0;
    for (uint32_t i = 0; !pointer_is_bad(s->pProfiles) && i < s->profileCount; i++)
        decoding += (s->pProfiles[i].videoCodecOperation & DECODE_OPERATIONS) != 0;
    /* pProfiles must not contain more than one element whose videoCodecOperation member specifies a decode operation */
    MUST(c, VUID_VkVideoProfileListInfoKHR_pProfiles_06813, decoding <= 1, where, "pProfiles",
         "has %u elements that specify a decode operation, where one is the most", decoding);
}
