/* Checks rules of video profiles that neither the registry's markup nor a row can express (42.3
 * "Video Profiles"). */
#include "stateless/structs.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"

/* True if exactly one bit is set; false for 0. */
static bool is_one_bit(VkFlags flags)
{
    return flags && !(flags & (flags - 1));
}

void rule_VkVideoProfileInfoKHR(struct check *c, const struct location *where,
                                const VkVideoProfileInfoKHR *s)
{
    struct subject subject = {.call = c->call, .where = where};
    /* chromaSubsampling (lumaBitDepth) must have a single bit set. -parameter reports 0. */
    REQUIRE(&subject, VUID_VkVideoProfileInfoKHR_chromaSubsampling_07013,
            !s->chromaSubsampling || is_one_bit(s->chromaSubsampling), "chromaSubsampling",
            "is %s, where a single bit must be set",
            value_text(VALUES_VkVideoChromaSubsamplingFlagsKHR, s->chromaSubsampling).text);
    REQUIRE(&subject, VUID_VkVideoProfileInfoKHR_lumaBitDepth_07014,
            !s->lumaBitDepth || is_one_bit(s->lumaBitDepth), "lumaBitDepth",
            "is %s, where a single bit must be set",
            value_text(VALUES_VkVideoComponentBitDepthFlagsKHR, s->lumaBitDepth).text);
    c->skip |= subject.skip;
}

/* The bits of all decode operations, which 06813 counts. */
#define DECODE_OPERATIONS                                                                          \
    (VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR | VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR | \
     VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR | VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR)

void rule_VkVideoProfileListInfoKHR(struct check *c, const struct location *where,
                                    const VkVideoProfileListInfoKHR *s)
{
    struct subject subject = {.call = c->call, .where = where};
    uint32_t decoding = 0;
    for (uint32_t i = 0; !pointer_is_bad(s->pProfiles) && i < s->profileCount; i++)
        decoding += (s->pProfiles[i].videoCodecOperation & DECODE_OPERATIONS) != 0;
    /* pProfiles must not contain more than one element whose videoCodecOperation member specifies a
     * decode operation */
    REQUIRE(&subject, VUID_VkVideoProfileListInfoKHR_pProfiles_06813, decoding <= 1, "pProfiles",
            "has %u elements that specify a decode operation, where one is the most", decoding);
    c->skip |= subject.skip;
}
