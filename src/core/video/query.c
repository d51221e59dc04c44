/* Checks query pools for video coding, and queries in a video coding scope (18.12 "Video Encode
 * Feedback Queries"). */
#include "core/video/coding.h"

#include "core/hooks.h"
#include "state/query/query.h"
#include "vk/chain.h"

#include <string.h>

#define POOL(number_) VUID_VkQueryPoolCreateInfo_queryType_##number_

/* All operations that encode. */
#define ENCODES                                                                                    \
    (VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR | VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR | \
     VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR)
/* Feedback flags of videoEncodeFeedback2. */
#define SECOND_FEEDBACK                                      \
    (VK_VIDEO_ENCODE_FEEDBACK_AVERAGE_QUANTIZATION_BIT_KHR | \
     VK_VIDEO_ENCODE_FEEDBACK_MIN_QUANTIZATION_BIT_KHR |     \
     VK_VIDEO_ENCODE_FEEDBACK_MAX_QUANTIZATION_BIT_KHR |     \
     VK_VIDEO_ENCODE_FEEDBACK_INTRA_PIXELS_BIT_KHR |         \
     VK_VIDEO_ENCODE_FEEDBACK_INTER_PIXELS_BIT_KHR |         \
     VK_VIDEO_ENCODE_FEEDBACK_SKIPPED_PIXELS_BIT_KHR |       \
     VK_VIDEO_ENCODE_FEEDBACK_PICTURE_PARTITION_COUNT_BIT_KHR)

/* Queries the capabilities of the profile in the chain of a query pool. The driver gets copies of
 * those structures that extend a profile. */
static void ask_capabilities(const struct call *call, const VkVideoProfileInfoKHR *profile,
                             const void *chain, struct video_capabilities *can)
{
    static const struct {
        VkStructureType type;
        size_t size;
    } parts[] = {
        {VK_STRUCTURE_TYPE_VIDEO_ENCODE_USAGE_INFO_KHR, sizeof(VkVideoEncodeUsageInfoKHR)},
        {VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR,
         sizeof(VkVideoEncodeH264ProfileInfoKHR)},
        {VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_PROFILE_INFO_KHR,
         sizeof(VkVideoEncodeH265ProfileInfoKHR)},
        {VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PROFILE_INFO_KHR,
         sizeof(VkVideoEncodeAV1ProfileInfoKHR)},
        {VK_STRUCTURE_TYPE_VIDEO_ENCODE_PROFILE_RGB_CONVERSION_INFO_VALVE,
         sizeof(VkVideoEncodeProfileRgbConversionInfoVALVE)},
    };
    enum { PARTS = sizeof(parts) / sizeof(parts[0]) };
    union {
        VkBaseInStructure base;
        VkVideoEncodeUsageInfoKHR usage;
        VkVideoEncodeH264ProfileInfoKHR h264;
        VkVideoEncodeH265ProfileInfoKHR h265;
        VkVideoEncodeAV1ProfileInfoKHR av1;
        VkVideoEncodeProfileRgbConversionInfoVALVE rgb;
    } copies[PARTS];
    VkVideoProfileInfoKHR alone = *profile;
    alone.pNext = NULL;
    for (size_t i = 0; i < PARTS; i++) {
        const void *part = chain_find(chain, parts[i].type);
        if (!part)
            continue;
        memcpy(&copies[i], part, parts[i].size);
        copies[i].base.pNext = alone.pNext;
        alone.pNext = &copies[i];
    }
    video_capabilities_ask(call->device, &alone, can);
}

/* Checks that the profile supports the feedback flags. */
static void check_feedback(struct subject *s, const VkVideoProfileInfoKHR *profile,
                           const void *chain,
                           const VkQueryPoolVideoEncodeFeedbackCreateInfoKHR *feedback)
{
    const struct location chained = LOCATION_CHAINED(s->where,
                                                     "VkQueryPoolVideoEncodeFeedbackCreateInfoKHR"),
                          at = LOCATION(&chained, "encodeFeedbackFlags");
    /* Without the extension, the rule "-parameter" reports it. */
    REQUIRE(s, POOL(12437),
            !(feedback->encodeFeedbackFlags & SECOND_FEEDBACK) ||
                !extension_set_has(&s->call->device->extensions,
                                   EXTENSION_VK_KHR_video_encode_feedback2) ||
                subject_has(s, FEATURE_videoEncodeFeedback2),
            &at, "is %s, which needs the feature videoEncodeFeedback2",
            value_text(VALUES_VkVideoEncodeFeedbackFlagsKHR, feedback->encodeFeedbackFlags).text);
    struct video_capabilities can;
    if (s->wrong || !profile)
        return;
    ask_capabilities(s->call, profile, chain, &can);
    const VkVideoEncodeFeedbackFlagsKHR supported =
        can.VideoEncodeCapabilitiesKHR.supportedEncodeFeedbackFlags;
    REQUIRE(s, POOL(07907),
            !can.known || !(profile->videoCodecOperation & ENCODES) ||
                !(feedback->encodeFeedbackFlags & ~supported),
            &at, "is %s, but supportedEncodeFeedbackFlags of the video profile is %s",
            value_text(VALUES_VkVideoEncodeFeedbackFlagsKHR, feedback->encodeFeedbackFlags).text,
            value_text(VALUES_VkVideoEncodeFeedbackFlagsKHR, supported).text);
}

/* Checks the feedback for each partition. */
static void check_partitions(struct subject *s,
                             const VkQueryPoolVideoEncodePerPartitionFeedbackCreateInfoKHR *info)
{
    const struct location at =
        LOCATION_CHAINED(s->where, "VkQueryPoolVideoEncodePerPartitionFeedbackCreateInfoKHR");
    if (!info->maxPerPartitionFeedbackEntries)
        return;
    const bool enabled = subject_has(s, FEATURE_videoEncodeFeedback2);
    REQUIRE(s, POOL(12438), enabled, &LOCATION(&at, "maxPerPartitionFeedbackEntries"),
            "is %u, but the feature videoEncodeFeedback2 is not enabled",
            info->maxPerPartitionFeedbackEntries);
    REQUIRE(s, POOL(12439), !enabled || info->perPartitionEncodeFeedbackFlags,
            &LOCATION(&at, "perPartitionEncodeFeedbackFlags"),
            "is 0, but maxPerPartitionFeedbackEntries is %u", info->maxPerPartitionFeedbackEntries);
}

bool core_validate_CreateQueryPool_video(struct call *call, VkDevice device,
                                         const VkQueryPoolCreateInfo *pCreateInfo,
                                         const VkAllocationCallbacks *pAllocator,
                                         VkQueryPool *pQueryPool)
{
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo");
    struct subject s = {.call = call, .where = &where};
    if (pCreateInfo->queryType != VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR ||
        !call->instance->settings.check_query)
        return false;
    const VkVideoProfileInfoKHR *profile = CHAINED(pCreateInfo->pNext, VIDEO_PROFILE_INFO_KHR);
    const VkQueryPoolVideoEncodeFeedbackCreateInfoKHR *feedback =
        CHAINED(pCreateInfo->pNext, QUERY_POOL_VIDEO_ENCODE_FEEDBACK_CREATE_INFO_KHR);
    const VkQueryPoolVideoEncodePerPartitionFeedbackCreateInfoKHR *partitions =
        CHAINED(pCreateInfo->pNext, QUERY_POOL_VIDEO_ENCODE_PER_PARTITION_FEEDBACK_CREATE_INFO_KHR);
    REQUIRE(&s, POOL(07133), profile && profile->videoCodecOperation & ENCODES, "pNext", "%s",
            profile ? "has a VkVideoProfileInfoKHR that does not encode"
                    : "has no VkVideoProfileInfoKHR");
    if (s.wrong)
        return s.skip;
    if (feedback)
        check_feedback(&s, profile, pCreateInfo->pNext, feedback);
    if (partitions)
        check_partitions(&s, partitions);
    return s.skip;
}

/* True if a query of another type than the pool's is active. For the same type, another rule
 * applies. */
static bool other_is_active(const struct command_buffer *command_buffer,
                            const struct query_pool *pool)
{
    const struct command_buffer_queries *queries = command_buffer->queries;
    bool other = false;
    if (!queries || queries->incomplete || !queries->active_count)
        return false;
    for (uint32_t i = 0; i < queries_capacity(queries); i++) {
        const struct recorded_query *query = &queries->slots[i];
        if (!query->pool || query->state != QUERY_ACTIVE)
            continue;
        if (query->type == pool->type)
            return false;
        other = true;
    }
    return other;
}

/* Checks that no other query is active in a video coding scope. */
static bool video_query_check_begin(struct call *call, VkQueryPool queryPool)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct subject s = {.call = call, .objects = OBJECT(HANDLE_QUERY_POOL, queryPool)};
    const struct created_video_session *session = call_video_session(call);
    const struct query_pool *pool = session ? find_query_pool(call, queryPool) : NULL;
    if (!pool || !call->instance->settings.check_query)
        return false;
    /* If there is a bound video session, then there must be no active queries */
    REQUIRE(&s, RULE_07127, !other_is_active(command_buffer, pool), NULL,
            "is called in a video coding scope while another query is active");
    /* If the queryType ... was RESULT_STATUS_ONLY (VIDEO_ENCODE_FEEDBACK) and there is a bound
     * video session, then queryPool must have been created with a VkVideoProfileInfoKHR structure
     * ... identical to the one ... the bound video session was created with */
    if (pool->type == VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR ||
        pool->type == VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR)
        REQUIRE(&s, pool->type == VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR ? RULE_07128 : RULE_07130,
                !pool->video_profile || !session->profile ||
                    pool->video_profile == session->profile,
                "queryPool", "was created %s",
                pool->video_profile == VIDEO_PROFILE_NONE
                    ? "without a video profile"
                    : "with another video profile than the session");
    return s.skip;
}

bool core_validate_CmdBeginQuery_video(struct call *call, VkCommandBuffer commandBuffer,
                                       VkQueryPool queryPool, uint32_t query,
                                       VkQueryControlFlags flags)
{
    return video_query_check_begin(call, queryPool);
}

bool core_validate_CmdBeginQueryIndexedEXT_video(struct call *call, VkCommandBuffer commandBuffer,
                                                 VkQueryPool queryPool, uint32_t query,
                                                 VkQueryControlFlags flags, uint32_t index)
{
    return video_query_check_begin(call, queryPool);
}
