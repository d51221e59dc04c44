/* Encodes pictures: slices, parameter sets, references, rate control, maps, AV1. */
#include "video_world.h"

#include <string.h>

#define CMD(id_) "VUID-vkCmdEncodeVideoKHR-" id_

/* Encodes a picture, once `change_` was made. */
#define ENCODES(name_, operation_, change_, ...)                 \
    SCENARIO(name_, VIDEO, ##__VA_ARGS__)                        \
    {                                                            \
        struct video *v = video_ready(b, OPERATION(operation_)); \
        change_;                                                 \
        video_begin(v);                                          \
        video_code(v);                                           \
        video_end(v);                                            \
    }
/* The same with the rate control mode. */
#define ENCODES_IN(name_, operation_, mode_, change_, ...)       \
    SCENARIO(name_, VIDEO, ##__VA_ARGS__)                        \
    {                                                            \
        struct video *v = video_ready(b, OPERATION(operation_)); \
        change_;                                                 \
        video_begin(v);                                          \
        set_mode(v, VK_VIDEO_ENCODE_RATE_CONTROL_MODE_##mode_);  \
        video_code(v);                                           \
        video_end(v);                                            \
    }
#define CAN(Type_, member_, value_) \
    .null_driver =                  \
        "{\"properties\": {\"VkVideoEncode" Type_ "CapabilitiesKHR." member_ "\": " value_ "}}"

static VkVideoEncodeRateControlLayerInfoKHR layer_info(void)
{
    return (VkVideoEncodeRateControlLayerInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_LAYER_INFO_KHR,
        .averageBitrate = 1000000,
        .maxBitrate = 1000000,
        .frameRateNumerator = 30,
        .frameRateDenominator = 1};
}

static void set_mode(struct video *v, VkVideoEncodeRateControlModeFlagBitsKHR mode)
{
    const bool layers = mode == VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR;
    const VkVideoEncodeRateControlLayerInfoKHR layer = layer_info();
    const VkVideoEncodeRateControlInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_INFO_KHR,
        .rateControlMode = mode,
        .layerCount = layers,
        .pLayers = &layer,
        .virtualBufferSizeInMs = layers ? 1000 : 0};
    video_control(v, &info, VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR);
}

ENCODES(video_encode_h264, ENCODE_H264, (void)0)
ENCODES(video_encode_h265, ENCODE_H265, (void)0)
ENCODES(video_encode_av1, ENCODE_AV1, (void)0)
ENCODES(video_encode_h264_reference, ENCODE_H264, video_refer(v))
ENCODES(video_encode_h265_reference, ENCODE_H265, video_refer(v))
ENCODES(video_encode_av1_reference, ENCODE_AV1, video_refer(v))

/* --- pictures --- */

static void shift_layer(const VkVideoPictureResourceInfoKHR **picture, uint32_t layer,
                        int32_t offset)
{
    static VkVideoPictureResourceInfoKHR shifted;
    shifted = **picture;
    shifted.baseArrayLayer = layer;
    shifted.codedOffset.x = offset;
    *picture = &shifted;
}
ENCODES(video_encode_offset, ENCODE_H264, v->picture.codedOffset.x = 16,
        .expect = {CMD("pEncodeInfo-08208")})
ENCODES(video_encode_setup_offset, ENCODE_H264, shift_layer(&v->setup.pPictureResource, 0, 16),
        .expect = {CMD("pEncodeInfo-08214"), CMD("pEncodeInfo-08215")})
ENCODES(video_encode_setup_unbound, ENCODE_H264, shift_layer(&v->setup.pPictureResource, 3, 0),
        .expect = {CMD("pEncodeInfo-08215")})
ENCODES(video_encode_reference_offset, ENCODE_H264,
        (video_refer(v), shift_layer(&v->reference.pPictureResource, 1, 16)),
        .expect = {CMD("codedOffset-08218"), CMD("pPictureResource-08219")})
ENCODES(video_encode_reference_unbound, ENCODE_H264,
        (video_refer(v), shift_layer(&v->reference.pPictureResource, 3, 0)),
        .expect = {CMD("pPictureResource-08219")})

static void refer_twice(struct video *v)
{
    static VkVideoReferenceSlotInfoKHR slots[2];
    video_refer(v);
    slots[0] = slots[1] = v->reference;
    v->encode.referenceSlotCount = 2;
    v->encode.pReferenceSlots = slots;
}
ENCODES(video_encode_same_reference_twice, ENCODE_H264, refer_twice(v),
        .expect = {CMD("pPictureResource-08220"), CMD("dpbFrameUseCount-08221")})

static VkQueryPool make_feedback(struct video *v, VkQueryType type)
{
    static VkQueryPoolVideoEncodeFeedbackCreateInfoKHR feedback;
    VkQueryPoolCreateInfo info = query_pool_info();
    feedback = (VkQueryPoolVideoEncodeFeedbackCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &v->profile,
        .encodeFeedbackFlags = VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_BYTES_WRITTEN_BIT_KHR};
    info.queryType = type;
    if (type == VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR)
        info.pNext = &feedback;
    else if (type == VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR)
        info.pNext = &v->profile;
    return create_query_pool(v->b, &info);
}

static VkQueryPool inline_query(struct video *v, VkQueryType type, uint32_t count)
{
    static VkVideoInlineQueryInfoKHR query;
    v->session_info.flags = VK_VIDEO_SESSION_CREATE_INLINE_QUERIES_BIT_KHR;
    video_create(v);
    video_bind(v);
    video_make_parameters(v);
    query = (VkVideoInlineQueryInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_INLINE_QUERY_INFO_KHR,
                                        .pNext = v->encode.pNext,
                                        .queryPool = make_feedback(v, type),
                                        .queryCount = count};
    v->encode.pNext = &query;
    vkCmdResetQueryPool(v->commands, query.queryPool, 0, 4);
    return query.queryPool;
}
/* The command before has made the query available. */
SCENARIO(video_encode_inline_feedback_copied, VIDEO,
         .null_driver = "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", "
                        "\"transfer\", \"videoEncode\"], \"count\": 1}]}")
{
    struct video *v = video_ready(b, OPERATION(ENCODE_H264));
    VkQueryPool pool = inline_query(v, VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR, 1);
    video_begin(v);
    video_code(v);
    video_end(v);
    vkCmdCopyQueryPoolResults(v->commands, pool, 0, 1,
                              make_buffer(b, 256, VK_BUFFER_USAGE_TRANSFER_DST_BIT), 0, 64, 0);
}
ENCODES(video_encode_inline_feedback, ENCODE_H264,
        inline_query(v, VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR, 1))
ENCODES(video_encode_inline_queries, ENCODE_H264,
        inline_query(v, VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR, 2), .expect = {CMD("pNext-08360")})
ENCODES(video_encode_inline_occlusion, ENCODE_H264, inline_query(v, VK_QUERY_TYPE_OCCLUSION, 1),
        .expect = {CMD("queryType-08362")})
ENCODES(video_encode_inline_status, ENCODE_H264,
        inline_query(v, VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR, 1),
        .null_driver = "{\"properties\": "
                       "{\"VkQueueFamilyQueryResultStatusPropertiesKHR.queryResultStatusSupport\": "
                       "false}}",
        .proceed = true,
        .expect = {"VUID-VkQueryPoolCreateInfo-queryType-11839", CMD("queryType-08364")})
SCENARIO(video_encode_two_in_query, VIDEO, .expect = {CMD("opCount-07174")})
{
    struct video *v = video_ready(b, OPERATION(ENCODE_H264));
    VkQueryPool pool = make_feedback(v, VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR);
    vkCmdResetQueryPool(v->commands, pool, 0, 4);
    video_begin(v);
    vkCmdBeginQuery(v->commands, pool, 0, 0);
    video_code(v);
    video_code(v);
    vkCmdEndQuery(v->commands, pool, 0);
    video_end(v);
}

SCENARIO(video_queries_at_once, VIDEO, .expect = {"VUID-vkCmdBeginQuery-None-07127"},
         .text = {"is called in a video coding scope while another query is active"})
{
    struct video *v = video_ready(b, OPERATION(ENCODE_H264));
    VkQueryPool status = make_feedback(v, VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR),
                feedback = make_feedback(v, VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR);
    vkCmdResetQueryPool(v->commands, status, 0, 4);
    vkCmdResetQueryPool(v->commands, feedback, 0, 4);
    video_begin(v);
    vkCmdBeginQuery(v->commands, status, 0, 0);
    vkCmdBeginQuery(v->commands, feedback, 0, 0);
    vkCmdEndQuery(v->commands, status, 0);
    video_end(v);
}

/* --- query pools --- */

#define QUERY_POOL(id_) "VUID-VkQueryPoolCreateInfo-queryType-" id_
static VkQueryPool create_feedback(struct baseline *b, const void *chain)
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.pNext = chain;
    info.queryType = VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR;
    return create_query_pool(b, &info);
}
static void create_feedback_of(struct baseline *b, VkVideoCodecOperationFlagBitsKHR operation,
                               VkVideoEncodeFeedbackFlagsKHR flags)
{
    const VkQueryPoolVideoEncodeFeedbackCreateInfoKHR feedback = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &video_of(b, operation)->profile,
        .encodeFeedbackFlags = flags};
    create_feedback(b, &feedback);
}
#define BYTES   VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_BYTES_WRITTEN_BIT_KHR
#define AVERAGE VK_VIDEO_ENCODE_FEEDBACK_AVERAGE_QUANTIZATION_BIT_KHR
SCENARIO(video_feedback_bytes, VIDEO, CAN("", "supportedEncodeFeedbackFlags", "3"))
{
    create_feedback_of(b, OPERATION(ENCODE_H264), BYTES);
}
/* The codec's part of a profile may come before the profile, with another structure between. */
static void create_feedback_backwards(struct baseline *b, bool with_codec)
{
    const VkVideoProfileInfoKHR *whole = &video_of(b, OPERATION(ENCODE_H264))->profile;
    VkVideoProfileInfoKHR profile = *whole;
    const VkVideoEncodeH264ProfileInfoKHR *given = whole->pNext;
    VkQueryPoolVideoEncodeFeedbackCreateInfoKHR feedback = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &profile,
        .encodeFeedbackFlags = BYTES};
    VkVideoEncodeH264ProfileInfoKHR codec = *given;
    ENSURE(codec.sType == VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR);
    codec.pNext = &feedback;
    profile.pNext = NULL;
    create_feedback(b, with_codec ? (const void *)&codec : &feedback);
}
SCENARIO(video_feedback_of_codec_first, VIDEO, CAN("", "supportedEncodeFeedbackFlags", "3"))
{
    create_feedback_backwards(b, true);
}
SCENARIO(video_feedback_of_no_codec, VIDEO, CAN("", "supportedEncodeFeedbackFlags", "3"),
         .expect = {"VUID-VkVideoProfileInfoKHR-videoCodecOperation-07181"})
{
    create_feedback_backwards(b, false);
}
SCENARIO(video_feedback_of_decoding, VIDEO, .expect = {QUERY_POOL("07133")},
         .text = {"pNext has a VkVideoProfileInfoKHR that does not encode"})
{
    create_feedback_of(b, OPERATION(DECODE_H264), BYTES);
}
SCENARIO(video_feedback_not_supported, VIDEO, CAN("", "supportedEncodeFeedbackFlags", "1"),
         .expect = {QUERY_POOL("07907")})
{
    create_feedback_of(b, OPERATION(ENCODE_H264), BYTES);
}
SCENARIO(video_feedback_of_second_kind, VIDEO, .expect = {QUERY_POOL("12437")},
         .text = {"which needs the feature videoEncodeFeedback2"})
{
    create_feedback_of(b, OPERATION(ENCODE_H264), AVERAGE);
}

static const VkPhysicalDeviceVideoEncodeFeedback2FeaturesKHR second_feedback = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_FEEDBACK_2_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&video_features,
    .videoEncodeFeedback2 = VK_TRUE};
static void create_partitions(struct baseline *b, VkVideoEncodePerPartitionFeedbackFlagsKHR flags)
{
    const VkQueryPoolVideoEncodePerPartitionFeedbackCreateInfoKHR partitions = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_PER_PARTITION_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &video_of(b, OPERATION(ENCODE_H264))->profile,
        .maxPerPartitionFeedbackEntries = 1,
        .perPartitionEncodeFeedbackFlags = flags};
    const VkQueryPoolVideoEncodeFeedbackCreateInfoKHR feedback = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &partitions,
        .encodeFeedbackFlags = BYTES};
    create_feedback(b, &feedback);
}
SCENARIO(video_partitions_without_feature, VIDEO, .expect = {QUERY_POOL("12438")})
{
    create_partitions(b, 1);
}
#define SECOND                                             \
    .drivers = NULL_DRIVER, .features = &second_feedback,  \
    .extensions = {"VK_KHR_video_queue",                   \
                   "VK_KHR_video_encode_queue",            \
                   "VK_KHR_video_decode_queue",            \
                   "VK_KHR_video_maintenance1",            \
                   "VK_KHR_video_maintenance2",            \
                   "VK_KHR_video_encode_h264",             \
                   "VK_KHR_video_encode_av1",              \
                   "VK_KHR_video_decode_vp9",              \
                   "VK_KHR_video_encode_intra_refresh",    \
                   "VK_KHR_video_encode_quantization_map", \
                   "VK_KHR_video_encode_feedback2"}
SCENARIO(video_partitions, SECOND)
{
    create_partitions(b, 1);
    create_feedback_of(b, OPERATION(ENCODE_H264), AVERAGE);
}
SCENARIO(video_partitions_of_nothing, SECOND, .expect = {QUERY_POOL("12439")},
         .text = {"is 0, but maxPerPartitionFeedbackEntries is 1"})
{
    create_partitions(b, 0);
}

/* --- parameter sets --- */

ENCODES(video_encode_no_h264_sps, ENCODE_H264, v->encode_h264_std.seq_parameter_set_id = 1,
        .expect = {CMD("StdVideoH264SequenceParameterSet-08226")})
ENCODES(video_encode_no_h264_pps, ENCODE_H264, v->encode_h264_std.pic_parameter_set_id = 1,
        .expect = {CMD("StdVideoH264PictureParameterSet-08227")})
ENCODES(video_encode_no_h265_vps, ENCODE_H265, v->encode_h265_std.sps_video_parameter_set_id = 1,
        .expect = {CMD("StdVideoH265VideoParameterSet-08231")})
ENCODES(video_encode_no_h265_sps, ENCODE_H265, v->encode_h265_std.pps_seq_parameter_set_id = 1,
        .expect = {CMD("StdVideoH265SequenceParameterSet-08232")})
ENCODES(video_encode_no_h265_pps, ENCODE_H265, v->encode_h265_std.pps_pic_parameter_set_id = 1,
        .expect = {CMD("StdVideoH265PictureParameterSet-08233")})

/* A set that an update has added is there. */
SCENARIO(video_encode_h264_updated_pps, VIDEO)
{
    struct video *v = video_ready(b, OPERATION(ENCODE_H264));
    v->h264_add.stdSPSCount = 0;
    v->h264_pps[0].pic_parameter_set_id = 1;
    video_update(v, 1, &v->h264_add);
    v->encode_h264_std.pic_parameter_set_id = 1;
    video_begin(v);
    video_code(v);
    video_end(v);
}

/* Pictures of 4x4 coding blocks. */
#define SMALL_CTB \
    .null_driver = "{\"properties\": {\"VkVideoEncodeH265CapabilitiesKHR.ctbSizes\": 1}}"
#define SMALL_CTB_OF(flags_)                                                              \
    .null_driver = "{\"properties\": {\"VkVideoEncodeH265CapabilitiesKHR.ctbSizes\": 1, " \
                   "\"VkVideoEncodeH265CapabilitiesKHR.flags\": " #flags_ "}}"

/* --- quantizers --- */

ENCODES_IN(video_h264_fixed_qp, ENCODE_H264, DISABLED_BIT_KHR, v->h264_entries[0].constantQp = 51)
ENCODES_IN(video_h264_qp_with_control, ENCODE_H264, CBR_BIT_KHR, v->h264_entries[0].constantQp = 1,
           .expect = {CMD("constantQp-08269")}, .text = {"constantQp is 1, but must be 0"})
ENCODES(video_h264_qp_by_default, ENCODE_H264, v->h264_entries[0].constantQp = 1,
        .expect = {CMD("constantQp-08269")})
ENCODES_IN(video_h264_qp_above, ENCODE_H264, DISABLED_BIT_KHR, v->h264_entries[0].constantQp = 52,
           .expect = {CMD("constantQp-08270")}, .text = {"is 52, but must be between 0 and 51"})
ENCODES_IN(video_h265_fixed_qp, ENCODE_H265, DISABLED_BIT_KHR, v->h265_entries[0].constantQp = 51)
ENCODES_IN(video_h265_qp_with_control, ENCODE_H265, CBR_BIT_KHR, v->h265_entries[0].constantQp = 1,
           .expect = {CMD("constantQp-08272")})
ENCODES_IN(video_h265_qp_above, ENCODE_H265, DISABLED_BIT_KHR, v->h265_entries[0].constantQp = 52,
           .expect = {CMD("constantQp-08273")})
ENCODES_IN(video_av1_fixed_q, ENCODE_AV1, DISABLED_BIT_KHR, v->encode_av1.constantQIndex = 255)
ENCODES_IN(video_av1_q_with_control, ENCODE_AV1, CBR_BIT_KHR, v->encode_av1.constantQIndex = 1,
           .expect = {CMD("constantQIndex-10320")})
ENCODES_IN(video_av1_q_above, ENCODE_AV1, DISABLED_BIT_KHR, v->encode_av1.constantQIndex = 256,
           .expect = {CMD("constantQIndex-10321")})

static void two_slices(struct video *v, int32_t first, int32_t second)
{
    v->encode_h264.naluSliceEntryCount = v->encode_h265.naluSliceSegmentEntryCount = 2;
    v->h264_entries[0].constantQp = v->h265_entries[0].constantQp = first;
    v->h264_entries[1].constantQp = v->h265_entries[1].constantQp = second;
}
ENCODES_IN(video_h264_qp_of_each, ENCODE_H264, DISABLED_BIT_KHR, two_slices(v, 1, 2))
ENCODES_IN(video_h264_qp_of_all, ENCODE_H264, DISABLED_BIT_KHR, two_slices(v, 2, 2),
           CAN("H264", "flags", "4"))
ENCODES_IN(video_h264_qp_of_each_without, ENCODE_H264, DISABLED_BIT_KHR, two_slices(v, 1, 2),
           CAN("H264", "flags", "4"), .expect = {CMD("constantQp-08271")},
           .text = {"is 2, but that of the first entry is 1"})
ENCODES_IN(video_h265_qp_of_each, ENCODE_H265, DISABLED_BIT_KHR, two_slices(v, 1, 2), SMALL_CTB)
ENCODES_IN(video_h265_qp_of_each_without, ENCODE_H265, DISABLED_BIT_KHR, two_slices(v, 1, 2),
           SMALL_CTB_OF(516), .expect = {CMD("constantQp-08274")})

/* --- how many slices --- */

static void encode_slices(struct video *v, uint32_t count)
{
    static VkVideoEncodeH264NaluSliceInfoKHR h264[64];
    static VkVideoEncodeH265NaluSliceSegmentInfoKHR h265[64];
    for (uint32_t i = 0; i < 64; i++) {
        h264[i] = v->h264_entries[0];
        h265[i] = v->h265_entries[0];
    }
    v->encode_h264.naluSliceEntryCount = v->encode_h265.naluSliceSegmentEntryCount = count;
    v->encode_h264.pNaluSliceEntries = h264;
    v->encode_h265.pNaluSliceSegmentEntries = h265;
}
/* 64 pixels are four macroblocks. */
ENCODES(video_h264_slices, ENCODE_H264, encode_slices(v, 16))
ENCODES(video_h264_many_slices, ENCODE_H264, encode_slices(v, 17),
        .expect = {CMD("naluSliceEntryCount-08302")},
        .text = {"naluSliceEntryCount is 17, but the picture has 4x4 coding blocks"})
ENCODES(video_h264_slice_rows, ENCODE_H264, encode_slices(v, 4), CAN("H264", "flags", "0"))
ENCODES(video_h264_slices_in_row, ENCODE_H264, encode_slices(v, 5), CAN("H264", "flags", "0"),
        .expect = {CMD("naluSliceEntryCount-08312")},
        .text = {"is 5, but the picture has 4 rows of coding blocks"})
#define CTB_32 "{\"properties\": {\"VkVideoEncodeH265CapabilitiesKHR.ctbSizes\": 3"
ENCODES(video_h265_slices, ENCODE_H265, encode_slices(v, 4), .null_driver = CTB_32 "}}")
ENCODES(video_h265_many_slices, ENCODE_H265, encode_slices(v, 5), .null_driver = CTB_32 "}}",
        .expect = {CMD("naluSliceSegmentEntryCount-08307")},
        .text = {"is 5, but the picture has 2x2 coding blocks"})
ENCODES(video_h265_slices_in_row, ENCODE_H265, encode_slices(v, 3),
        .null_driver = CTB_32 ", \"VkVideoEncodeH265CapabilitiesKHR.flags\": 512}}",
        .expect = {CMD("naluSliceSegmentEntryCount-08313")})

/* The profile's own limit. */
#define H264_COUNT "VUID-VkVideoEncodeH264PictureInfoKHR-naluSliceEntryCount-08301"
#define H265_COUNT "VUID-VkVideoEncodeH265PictureInfoKHR-naluSliceSegmentEntryCount-08306"
ENCODES(video_h264_all_slices, ENCODE_H264, encode_slices(v, 15),
        CAN("H264", "maxSliceCount", "15"))
ENCODES(video_h264_slice_limit, ENCODE_H264, encode_slices(v, 16),
        CAN("H264", "maxSliceCount", "15"), .expect = {H264_COUNT})
#define THREE_SEGMENTS \
    .null_driver = CTB_32 ", \"VkVideoEncodeH265CapabilitiesKHR.maxSliceSegmentCount\": 3}}"
ENCODES(video_h265_all_slices, ENCODE_H265, encode_slices(v, 3), THREE_SEGMENTS)
ENCODES(video_h265_slice_limit, ENCODE_H265, encode_slices(v, 4), THREE_SEGMENTS,
        .expect = {H265_COUNT})

/* --- types of slices --- */

static void mix_types(struct video *v)
{
    two_slices(v, 0, 0);
    v->h264_slices[1].slice_type = STD_VIDEO_H264_SLICE_TYPE_P;
    v->h265_slices[1].slice_type = STD_VIDEO_H265_SLICE_TYPE_P;
}
ENCODES(video_h264_types, ENCODE_H264, mix_types(v))
ENCODES(video_h264_types_without, ENCODE_H264, mix_types(v), CAN("H264", "flags", "4"),
        .expect = {CMD("flags-10850")}, .text = {"the video profile cannot mix types"})
ENCODES(video_h265_types, ENCODE_H265, mix_types(v), SMALL_CTB)
ENCODES(video_h265_types_without, ENCODE_H265, mix_types(v), SMALL_CTB_OF(516),
        .expect = {CMD("flags-10856")})

/* --- intra refresh --- */

static VkVideoEncodeIntraRefreshInfoKHR refresh;
static void refresh_by(struct video *v, VkVideoEncodeIntraRefreshModeFlagBitsKHR mode,
                       uint32_t duration, uint32_t index)
{
    static VkVideoEncodeSessionIntraRefreshCreateInfoKHR create;
    create = (VkVideoEncodeSessionIntraRefreshCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_INTRA_REFRESH_CREATE_INFO_KHR,
        .intraRefreshMode = mode};
    v->session_info.pNext = &create;
    video_create(v);
    video_bind(v);
    video_make_parameters(v);
    refresh = (VkVideoEncodeIntraRefreshInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INTRA_REFRESH_INFO_KHR,
        .pNext = v->encode.pNext,
        .intraRefreshCycleDuration = duration,
        .intraRefreshIndex = index};
    v->encode.pNext = &refresh;
    v->encode.flags = VK_VIDEO_ENCODE_INTRA_REFRESH_BIT_KHR;
}
#define BY_SLICE   VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_PER_PICTURE_PARTITION_BIT_KHR
#define BY_PICTURE VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_BASED_BIT_KHR

/* The second slice is refreshed; the others have another type. */
static void refresh_slice(struct video *v, bool right)
{
    refresh_by(v, BY_SLICE, 4, 1);
    encode_slices(v, 4);
    static StdVideoEncodeH264SliceHeader p264 = {.slice_type = STD_VIDEO_H264_SLICE_TYPE_P};
    static StdVideoEncodeH265SliceSegmentHeader p265 = {.slice_type = STD_VIDEO_H265_SLICE_TYPE_P};
    VkVideoEncodeH264NaluSliceInfoKHR *h264 =
        (VkVideoEncodeH264NaluSliceInfoKHR *)(uintptr_t)v->encode_h264.pNaluSliceEntries;
    VkVideoEncodeH265NaluSliceSegmentInfoKHR *h265 =
        (VkVideoEncodeH265NaluSliceSegmentInfoKHR *)(uintptr_t)
            v->encode_h265.pNaluSliceSegmentEntries;
    for (int i = 0; i < 4; i++) {
        if (i == 1 && right)
            continue;
        h264[i].pStdSliceHeader = &p264;
        h265[i].pStdSliceSegmentHeader = &p265;
    }
}
#define SMALL_BLOCKS "{\"properties\": {\"VkVideoEncodeH265CapabilitiesKHR.ctbSizes\": 1"
ENCODES(video_h264_refreshed_slice, ENCODE_H264, refresh_slice(v, true), CAN("H264", "flags", "4"))
ENCODES(video_h264_refreshed_p_slice, ENCODE_H264, refresh_slice(v, false),
        .expect = {CMD("intraRefreshH264SliceIndex-10847")},
        .text = {"this slice is the one that is refreshed, and must be an I slice"})
ENCODES(video_h265_refreshed_slice, ENCODE_H265, refresh_slice(v, true),
        .null_driver = SMALL_BLOCKS ", \"VkVideoEncodeH265CapabilitiesKHR.flags\": 516}}")
ENCODES(video_h265_refreshed_p_slice, ENCODE_H265, refresh_slice(v, false),
        .null_driver = SMALL_BLOCKS "}}",
        .expect = {CMD("intraRefreshH265SliceSegmentIndex-10853")})

static void refresh_rows(struct video *v, uint32_t count)
{
    refresh_by(v, BY_SLICE, count, 1);
    encode_slices(v, count);
}
#define RECTANGLES      \
    "{\"properties\": " \
    "{\"VkVideoEncodeIntraRefreshCapabilitiesKHR.nonRectangularIntraRefreshRegions\": false"
ENCODES(video_h264_refreshed_rows, ENCODE_H264, refresh_rows(v, 4), .null_driver = RECTANGLES "}}")
ENCODES(video_h264_refreshed_part_of_row, ENCODE_H264, refresh_rows(v, 5),
        .null_driver = RECTANGLES "}}", .expect = {CMD("pEncodeInfo-10848")},
        .text = {"the regions of this intra refresh must be rectangular"})
ENCODES(video_h265_refreshed_part_of_row, ENCODE_H265, refresh_rows(v, 3),
        .null_driver = RECTANGLES ", \"VkVideoEncodeH265CapabilitiesKHR.ctbSizes\": 2}}",
        .expect = {CMD("pEncodeInfo-10854")})

static void refresh_b(struct video *v)
{
    refresh_by(v, BY_PICTURE, 4, 1);
    v->encode_h264_std.primary_pic_type = STD_VIDEO_H264_PICTURE_TYPE_B;
    v->encode_h265_std.pic_type = STD_VIDEO_H265_PICTURE_TYPE_B;
}
ENCODES(video_h264_refreshed_b, ENCODE_H264, refresh_b(v))
ENCODES(video_h264_refreshed_b_without, ENCODE_H264, refresh_b(v), CAN("H264", "flags", "4"),
        .expect = {CMD("h264PictureType-10849")}, .text = {"but this is a B picture"})
ENCODES(video_h265_refreshed_b_without, ENCODE_H265, refresh_b(v), CAN("H265", "flags", "4"),
        .expect = {CMD("h265PictureType-10855")})

static void refer_to_dirty(struct video *v, uint32_t dirty, bool refreshes)
{
    static VkVideoReferenceIntraRefreshInfoKHR info;
    refresh_by(v, BY_PICTURE, 4, 1);
    video_refer(v);
    info = (VkVideoReferenceIntraRefreshInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_INTRA_REFRESH_INFO_KHR,
        .pNext = v->reference.pNext,
        .dirtyIntraRefreshRegions = dirty};
    v->reference.pNext = &info;
    if (!refreshes) {
        v->encode.flags = 0;
        v->encode.pNext = refresh.pNext;
    }
}
ENCODES(video_dirty_reference, ENCODE_H264, refer_to_dirty(v, 3, true))
ENCODES(video_clean_reference, ENCODE_H264, refer_to_dirty(v, 0, false))
ENCODES(video_dirty_reference_unrefreshed, ENCODE_H264, refer_to_dirty(v, 3, false),
        .expect = {CMD("pNext-10842")})
ENCODES(video_dirtier_reference, ENCODE_H264, refer_to_dirty(v, 2, true),
        .expect = {CMD("pNext-10843")},
        .text = {"is 2, but intraRefreshCycleDuration is 4 and intraRefreshIndex is 1"})
ENCODES(video_refresh_too_long, ENCODE_H264, refresh_by(v, BY_PICTURE, 257, 1),
        .expect = {CMD("pNext-10844")}, .text = {"is 257, but must be 0, or between 2 and 256"})

/* A refreshed picture may refer to fewer others. */
static void refresh_and_refer(struct video *v, uint32_t references)
{
    static VkVideoReferenceSlotInfoKHR slots[2];
    refresh_by(v, BY_PICTURE, 4, 1);
    video_refer(v);
    v->begin.referenceSlotCount = 3;
    slots[0] = slots[1] = v->reference;
    slots[1].slotIndex = 2;
    slots[1].pPictureResource = &v->references[2];
    v->encode_h264_lists.RefPicList0[1] = references > 1 ? 2 : 0xff;
    v->encode.referenceSlotCount = references;
    v->encode.pReferenceSlots = slots;
}
ENCODES(video_refresh_of_one_reference, ENCODE_H264, refresh_and_refer(v, 1))
ENCODES(video_refresh_of_two_references, ENCODE_H264, refresh_and_refer(v, 2),
        .expect = {CMD("pEncodeInfo-10838")})

/* --- references --- */

ENCODES(video_h264_no_lists, ENCODE_H264, (video_refer(v), v->encode_h264_std.pRefLists = NULL),
        .expect = {CMD("pNext-08352")}, .text = {"pRefLists is NULL, but referenceSlotCount is 1"})
ENCODES(video_h264_list_of_no_slot, ENCODE_H264,
        (video_refer(v), v->encode_h264_lists.RefPicList1[3] = 2), .expect = {CMD("pNext-08339")},
        .text = {"RefPicList1[3] is 2, which is the slotIndex of no element of pReferenceSlots"})
ENCODES(video_h264_slot_of_no_list, ENCODE_H264,
        (video_refer(v), v->encode_h264_lists.RefPicList0[0] = 0xff),
        .expect = {CMD("pNext-08353")},
        .text = {"slotIndex is 1, which is in neither RefPicList0 nor RefPicList1"})
ENCODES(video_h265_no_lists, ENCODE_H265, (video_refer(v), v->encode_h265_std.pRefLists = NULL),
        .expect = {CMD("pNext-08354")})
ENCODES(video_h265_list_of_no_slot, ENCODE_H265,
        (video_refer(v), v->encode_h265_lists.RefPicList0[14] = 2), .expect = {CMD("pNext-08344")})
ENCODES(video_h265_slot_of_no_list, ENCODE_H265,
        (video_refer(v), v->encode_h265_lists.RefPicList0[0] = 0xff),
        .expect = {CMD("pNext-08355")})

/* Refers to a picture of a type in a list. */
static void refer_to(struct video *v, int list, int type)
{
    video_refer(v);
    v->encode_h264_std.primary_pic_type = STD_VIDEO_H264_PICTURE_TYPE_I;
    v->encode_h265_std.pic_type = STD_VIDEO_H265_PICTURE_TYPE_I;
    v->encode_h264_reference[1].primary_pic_type = (StdVideoH264PictureType)type;
    v->encode_h265_reference[1].pic_type = (StdVideoH265PictureType)type;
    if (list) {
        v->encode_h264_lists.RefPicList0[0] = v->encode_h265_lists.RefPicList0[0] = 0xff;
        v->encode_h264_lists.RefPicList1[0] = v->encode_h265_lists.RefPicList1[0] = 1;
    }
}
#define P_TYPE STD_VIDEO_H264_PICTURE_TYPE_P
#define B_TYPE STD_VIDEO_H264_PICTURE_TYPE_B
#define NO_B(Type_)                                                                          \
    .null_driver = "{\"properties\": {\"VkVideoEncode" Type_                                 \
                   "CapabilitiesKHR.maxBPictureL0ReferenceCount\": 0, \"VkVideoEncode" Type_ \
                   "CapabilitiesKHR.maxL1ReferenceCount\": 0}}"
ENCODES(video_h264_without_p, ENCODE_H264, refer_to(v, 0, B_TYPE),
        CAN("H264", "maxPPictureL0ReferenceCount", "0"))
ENCODES(video_h264_p, ENCODE_H264, video_refer(v), CAN("H264", "maxPPictureL0ReferenceCount", "0"),
        .expect = {CMD("maxPPictureL0ReferenceCount-08340")},
        .text = {"maxPPictureL0ReferenceCount of the video profile is 0"})
ENCODES(video_h264_p_reference, ENCODE_H264, refer_to(v, 1, P_TYPE),
        CAN("H264", "maxPPictureL0ReferenceCount", "0"),
        .expect = {CMD("maxPPictureL0ReferenceCount-08340")})
ENCODES(video_h264_without_b, ENCODE_H264, refer_to(v, 0, P_TYPE), NO_B("H264"))
ENCODES(video_h264_b_reference, ENCODE_H264, refer_to(v, 0, B_TYPE), NO_B("H264"),
        .expect = {CMD("maxBPictureL0ReferenceCount-08341")})
ENCODES(video_h264_b_in_l0, ENCODE_H264, refer_to(v, 0, B_TYPE), CAN("H264", "flags", "4"),
        .expect = {CMD("flags-08342")}, .text = {"refers to a B picture in RefPicList0"})
ENCODES(video_h264_b_in_l1, ENCODE_H264, refer_to(v, 1, B_TYPE), CAN("H264", "flags", "4"),
        .expect = {CMD("flags-08343")})
ENCODES(video_h265_p, ENCODE_H265, video_refer(v), CAN("H265", "maxPPictureL0ReferenceCount", "0"),
        .expect = {CMD("maxPPictureL0ReferenceCount-08345")})
ENCODES(video_h265_b_reference, ENCODE_H265, refer_to(v, 0, B_TYPE), NO_B("H265"),
        .expect = {CMD("maxBPictureL0ReferenceCount-08346")})
ENCODES(video_h265_b_in_l0, ENCODE_H265, refer_to(v, 0, B_TYPE), CAN("H265", "flags", "4"),
        .expect = {CMD("flags-08347")})
ENCODES(video_h265_b_in_l1, ENCODE_H265, refer_to(v, 1, B_TYPE), CAN("H265", "flags", "4"),
        .expect = {CMD("flags-08348")})
ENCODES(video_h265_b_in_both, ENCODE_H265, refer_to(v, 1, B_TYPE))

/* --- quantization maps --- */

static VkVideoEncodeQuantizationMapInfoKHR map;
#define DELTA    VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR
#define EMPHASIS VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR
/* Texels of 16x16, so that the picture has 4x4 of them. */
static void use_map(struct video *v, VkImageUsageFlags usage, bool compatible)
{
    static VkVideoEncodeQuantizationMapSessionParametersCreateInfoKHR texel;
    texel = (VkVideoEncodeQuantizationMapSessionParametersCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pNext = v->parameters_info.pNext,
        .quantizationMapTexelSize = {16, 16}};
    v->session_info.flags =
        usage == DELTA ? VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR
                       : VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_EMPHASIS_MAP_BIT_KHR;
    video_create(v);
    video_bind(v);
    if (compatible) {
        v->parameters_info.pNext = &texel;
        v->parameters_info.flags =
            VK_VIDEO_SESSION_PARAMETERS_CREATE_QUANTIZATION_MAP_COMPATIBLE_BIT_KHR;
    }
    video_make_parameters(v);
    map = (VkVideoEncodeQuantizationMapInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_INFO_KHR,
        .pNext = v->encode.pNext,
        .quantizationMap = video_view_of(v, video_image(v, usage, 1), VK_FORMAT_R8_UNORM),
        .quantizationMapExtent = {4, 4}};
    v->encode.pNext = &map;
    v->encode.flags = usage == DELTA ? VK_VIDEO_ENCODE_WITH_QUANTIZATION_DELTA_MAP_BIT_KHR
                                     : VK_VIDEO_ENCODE_WITH_EMPHASIS_MAP_BIT_KHR;
}
ENCODES(video_delta_map, ENCODE_H264, use_map(v, DELTA, true))

static void use_other_profile(struct video *v)
{
    use_map(v, DELTA, true);
    v->profile.lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR;
    map.quantizationMap = video_view_of(v, video_image(v, DELTA, 1), VK_FORMAT_R8_UNORM);
    v->profile.lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR;
}
ENCODES(video_map_of_other_profile, ENCODE_H264, use_other_profile(v),
        .expect = {CMD("pEncodeInfo-10310")})

static void place_map(struct video *v, VkImageLayout layout)
{
    use_map(v, DELTA, true);
    const VkImage image = video_image(v, DELTA, 1);
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .dstStageMask = VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR,
        .dstAccessMask = VK_ACCESS_2_VIDEO_ENCODE_READ_BIT_KHR,
        .newLayout = layout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &barrier};
    map.quantizationMap = video_view_of(v, image, VK_FORMAT_R8_UNORM);
    vkCmdPipelineBarrier2(v->commands, &info);
}
ENCODES(video_map_in_its_layout, ENCODE_H264,
        place_map(v, VK_IMAGE_LAYOUT_VIDEO_ENCODE_QUANTIZATION_MAP_KHR))
ENCODES(video_map_in_general, ENCODE_H264, place_map(v, VK_IMAGE_LAYOUT_GENERAL),
        .expect = {CMD("pNext-10314")})
ENCODES(video_no_map, ENCODE_H264, (use_map(v, DELTA, true), v->encode.pNext = map.pNext),
        .expect = {CMD("pEncodeInfo-10309")}, .text = {"but no quantizationMap is given"})
ENCODES(video_map_of_other_usage, ENCODE_H264,
        (use_map(v, DELTA, true),
         map.quantizationMap = video_view_of(v, video_image(v, EMPHASIS, 1), VK_FORMAT_R8_UNORM)),
        .expect = {CMD("pEncodeInfo-10311")})
ENCODES_IN(video_emphasis_map, ENCODE_H264, CBR_BIT_KHR, use_map(v, EMPHASIS, true))
ENCODES_IN(video_emphasis_map_of_other_usage, ENCODE_H264, CBR_BIT_KHR,
           (use_map(v, EMPHASIS, true),
            map.quantizationMap = video_view_of(v, video_image(v, DELTA, 1), VK_FORMAT_R8_UNORM)),
           .expect = {CMD("pEncodeInfo-10312")})
ENCODES(video_emphasis_map_by_default, ENCODE_H264, use_map(v, EMPHASIS, true),
        .expect = {CMD("pEncodeInfo-10308")},
        .text = {"mode is VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR"})
ENCODES(video_map_of_other_parameters, ENCODE_H264, use_map(v, DELTA, false),
        .expect = {CMD("pNext-10315")})
ENCODES(video_map_of_other_extent, ENCODE_H264,
        (use_map(v, DELTA, true), map.quantizationMapExtent.height = 5),
        .expect = {CMD("pNext-10316")}, .text = {"is 4x5, but the picture has 4x4 texels of 16x16"})
ENCODES(video_map_too_wide, ENCODE_H264,
        (use_map(v, DELTA, true), map.quantizationMapExtent.width = 65),
        .expect = {"VUID-VkVideoEncodeQuantizationMapInfoKHR-quantizationMapExtent-10352"})
ENCODES(video_map_too_high, ENCODE_H264,
        (use_map(v, DELTA, true), map.quantizationMapExtent.height = 65),
        .expect = {"VUID-VkVideoEncodeQuantizationMapInfoKHR-quantizationMapExtent-10353"})

static const VkPhysicalDeviceProtectedMemoryFeatures protection = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .pNext = (void *)(uintptr_t)&video_features,
    .protectedMemory = VK_TRUE};
SCENARIO(video_protected_map, .drivers = NULL_DRIVER, .features = &protection,
         .extensions = {"VK_KHR_video_queue", "VK_KHR_video_encode_queue",
                        "VK_KHR_video_decode_queue", "VK_KHR_video_maintenance1",
                        "VK_KHR_video_maintenance2", "VK_KHR_video_encode_h264",
                        "VK_KHR_video_encode_av1", "VK_KHR_video_decode_vp9",
                        "VK_KHR_video_encode_intra_refresh",
                        "VK_KHR_video_encode_quantization_map"},
         .null_driver = "{\"properties\": {\"protectedNoFault\": false}}",
         .expect = {CMD("pNext-10313")},
         .text = {"is a view of a protected image, but commandBuffer is not protected"})
{
    struct video *v = video_ready(b, OPERATION(ENCODE_H264));
    use_map(v, DELTA, true);
    VkImageCreateInfo info = image_info(DELTA);
    info.pNext = &v->profiles;
    info.flags = VK_IMAGE_CREATE_PROTECTED_BIT;
    info.format = VK_FORMAT_R8_UNORM;
    map.quantizationMap = video_view_of(v, make_image_of(b, &info), VK_FORMAT_R8_UNORM);
    video_begin(v);
    video_code(v);
    video_end(v);
}

/* --- rate control --- */

static void control_layers(struct video *v, uint32_t layers, uint32_t temporal)
{
    VkVideoEncodeH264RateControlInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_RATE_CONTROL_INFO_KHR,
        .gopFrameCount = 8,
        .idrPeriod = 8,
        .temporalLayerCount = temporal};
    VkVideoEncodeH265RateControlInfoKHR h265 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_RATE_CONTROL_INFO_KHR,
        .gopFrameCount = 8,
        .idrPeriod = 8,
        .subLayerCount = temporal};
    VkVideoEncodeAV1RateControlInfoKHR av1 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_RATE_CONTROL_INFO_KHR,
        .gopFrameCount = 8,
        .keyFramePeriod = 8,
        .temporalLayerCount = temporal};
    VkVideoEncodeRateControlLayerInfoKHR all[4];
    for (int i = 0; i < 4; i++)
        all[i] = layer_info();
    const VkVideoEncodeRateControlInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_INFO_KHR,
        .pNext = v->operation == OPERATION(ENCODE_H264)   ? (const void *)&h264
                 : v->operation == OPERATION(ENCODE_H265) ? (const void *)&h265
                                                          : &av1,
        .rateControlMode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR,
        .layerCount = layers,
        .pLayers = all,
        .virtualBufferSizeInMs = 1000};
    video_begin(v);
    video_control(v, &info, VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR);
    video_end(v);
}
#define LAYERS(name_, operation_, layers_, temporal_, ...)                         \
    SCENARIO(name_, VIDEO, ##__VA_ARGS__)                                          \
    {                                                                              \
        control_layers(video_ready(b, OPERATION(operation_)), layers_, temporal_); \
    }
#define CONTROL(id_) "VUID-VkVideoEncodeRateControlInfoKHR-videoCodecOperation-" id_
LAYERS(video_h264_layers, ENCODE_H264, 2, 2)
LAYERS(video_h264_one_layer, ENCODE_H264, 1, 3)
LAYERS(video_h264_other_layers, ENCODE_H264, 2, 3, .expect = {CONTROL("07022")},
       .text = {"layerCount is 2, but temporalLayerCount is 3"})
LAYERS(video_h265_layers, ENCODE_H265, 2, 2)
LAYERS(video_h265_other_layers, ENCODE_H265, 2, 3, .expect = {CONTROL("07025")})
LAYERS(video_av1_layers, ENCODE_AV1, 2, 2)
LAYERS(video_av1_other_layers, ENCODE_AV1, 2, 3, .expect = {CONTROL("10351")})

static void set_quality(struct video *v, uint32_t level)
{
    const VkVideoEncodeQualityLevelInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR, .qualityLevel = level};
    video_begin(v);
    video_control(v, &info, VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR);
    video_end(v);
}
SCENARIO(video_quality_level, VIDEO)
{
    set_quality(video_ready(b, OPERATION(ENCODE_H264)), 3);
}
SCENARIO(video_quality_level_above, VIDEO,
         .expect = {"VUID-VkVideoEncodeQualityLevelInfoKHR-qualityLevel-08311"})
{
    set_quality(video_ready(b, OPERATION(ENCODE_H264)), 4);
}

/* A mode that needs to know how many frames remain. */
static void begin_with_mode(struct video *v, bool told)
{
    VkVideoEncodeH264GopRemainingFrameInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_GOP_REMAINING_FRAME_INFO_KHR,
        .useGopRemainingFrames = told};
    VkVideoEncodeH265GopRemainingFrameInfoKHR h265 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_GOP_REMAINING_FRAME_INFO_KHR,
        .useGopRemainingFrames = told};
    VkVideoEncodeAV1GopRemainingFrameInfoKHR av1 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_GOP_REMAINING_FRAME_INFO_KHR,
        .useGopRemainingFrames = told};
    const VkVideoEncodeRateControlLayerInfoKHR layer = layer_info();
    const VkVideoEncodeRateControlInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_INFO_KHR,
        .pNext = v->operation == OPERATION(ENCODE_H264)   ? (const void *)&h264
                 : v->operation == OPERATION(ENCODE_H265) ? (const void *)&h265
                                                          : &av1,
        .rateControlMode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR,
        .layerCount = 1,
        .pLayers = &layer,
        .virtualBufferSizeInMs = 1000};
    v->begin.pNext = &info;
    video_begin(v);
    video_end(v);
}
#define REMAINING(name_, operation_, Type_, told_, ...)                                       \
    SCENARIO(name_, VIDEO, .proceed = true, CAN(Type_, "requiresGopRemainingFrames", "true"), \
             ##__VA_ARGS__)                                                                   \
    {                                                                                         \
        begin_with_mode(video_ready(b, OPERATION(operation_)), told_);                        \
    }
#define NO_REMAINING(id_) "VUID-vkCmdBeginVideoCodingKHR-pBeginInfo-" id_
REMAINING(video_h264_remaining, ENCODE_H264, "H264", true)
REMAINING(video_h264_no_remaining, ENCODE_H264, "H264", false, .expect = {NO_REMAINING("08255")},
          .text = {"with useGopRemainingFrames, which the video profile requires"})
REMAINING(video_h265_no_remaining, ENCODE_H265, "H265", false, .expect = {NO_REMAINING("08256")})
REMAINING(video_av1_no_remaining, ENCODE_AV1, "AV1", false, .expect = {NO_REMAINING("10282")})

/* --- AV1 --- */

#define AV1_PICTURE(id_) "VUID-VkVideoEncodeAV1PictureInfoKHR-" id_
ENCODES(video_av1_cdf_of_no_name, ENCODE_AV1,
        (video_refer(v), v->encode_av1.primaryReferenceCdfOnly = VK_TRUE),
        .expect = {AV1_PICTURE("primaryReferenceCdfOnly-10290")})
ENCODES(video_av1_primary_name, ENCODE_AV1,
        (video_refer(v), v->encode_av1_std.primary_ref_frame = 0))
ENCODES(video_av1_primary_name_of_no_slot, ENCODE_AV1,
        (video_refer(v), v->encode_av1_std.primary_ref_frame = 2),
        .expect = {AV1_PICTURE("pStdPictureInfo-10291")})
ENCODES(video_av1_no_extension_header, ENCODE_AV1,
        v->encode_av1.generateObuExtensionHeader = VK_TRUE,
        .expect = {AV1_PICTURE("generateObuExtensionHeader-10293")})
ENCODES(video_av1_segmentation, ENCODE_AV1, v->encode_av1_std.flags.segmentation_enabled = 1,
        .expect = {CMD("pStdPictureInfo-10349")})
static const StdVideoAV1Segmentation segmentation;
ENCODES(video_av1_segments, ENCODE_AV1, v->encode_av1_std.pSegmentation = &segmentation,
        .expect = {CMD("pStdPictureInfo-10350")})

#define NO_FLAGS CAN("AV1", "flags", "0")
ENCODES(video_av1_size_override, ENCODE_AV1, v->encode_av1_std.flags.frame_size_override_flag = 1)
ENCODES(video_av1_size_override_without, ENCODE_AV1,
        v->encode_av1_std.flags.frame_size_override_flag = 1, NO_FLAGS,
        .expect = {CMD("flags-10322")})
ENCODES(video_av1_other_width, ENCODE_AV1, v->picture.codedExtent.width = 48, NO_FLAGS,
        .expect = {CMD("flags-10323")},
        .text = {"is 48, but the sequence header has frames that are 64 wide"})
ENCODES(video_av1_other_height, ENCODE_AV1, v->picture.codedExtent.height = 48, NO_FLAGS,
        .expect = {CMD("flags-10324")})
ENCODES(video_av1_scaled_reference, ENCODE_AV1,
        (video_refer(v), v->references[1].codedExtent.width = 32))
ENCODES(video_av1_scaled_reference_without, ENCODE_AV1,
        (video_refer(v), v->references[1].codedExtent.width = 32), NO_FLAGS,
        .expect = {CMD("flags-10325")})

ENCODES(video_av1_intra_of_inter_frame, ENCODE_AV1,
        v->encode_av1_std.frame_type = STD_VIDEO_AV1_FRAME_TYPE_INTER,
        .expect = {CMD("predictionMode-10326")})
ENCODES(video_av1_inter_of_key_frame, ENCODE_AV1,
        (video_refer(v), v->encode_av1_std.frame_type = STD_VIDEO_AV1_FRAME_TYPE_KEY),
        .expect = {CMD("pStdPictureInfo-10327")})

/* Refers to slot 1 by several names. */
static void name_references(struct video *v, VkVideoEncodeAV1PredictionModeKHR mode, int first,
                            int second)
{
    video_refer(v);
    v->encode_av1.predictionMode = mode;
    v->encode_av1.rateControlGroup =
        mode == VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_BIDIRECTIONAL_COMPOUND_KHR
            ? VK_VIDEO_ENCODE_AV1_RATE_CONTROL_GROUP_BIPREDICTIVE_KHR
            : VK_VIDEO_ENCODE_AV1_RATE_CONTROL_GROUP_PREDICTIVE_KHR;
    v->encode_av1.referenceNameSlotIndices[0] = -1;
    v->encode_av1.referenceNameSlotIndices[first] = 1;
    v->encode_av1.referenceNameSlotIndices[second] = 1;
}
#define MODE(mode_) VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_##mode_##_KHR
ENCODES(video_av1_single, ENCODE_AV1, name_references(v, MODE(SINGLE_REFERENCE), 5, 5),
        CAN("AV1", "singleReferenceNameMask", "32"))
ENCODES(video_av1_single_by_other_name, ENCODE_AV1,
        name_references(v, MODE(SINGLE_REFERENCE), 4, 6),
        CAN("AV1", "singleReferenceNameMask", "32"), .expect = {CMD("predictionMode-10329")})
ENCODES(video_av1_single_for_cdf_only, ENCODE_AV1,
        (name_references(v, MODE(SINGLE_REFERENCE), 5, 5), v->encode_av1_std.primary_ref_frame = 5,
         v->encode_av1.primaryReferenceCdfOnly = VK_TRUE),
        .expect = {CMD("predictionMode-10329")})
ENCODES(video_av1_one_way, ENCODE_AV1, name_references(v, MODE(UNIDIRECTIONAL_COMPOUND), 4, 6))
ENCODES(video_av1_one_way_both_ways, ENCODE_AV1,
        name_references(v, MODE(UNIDIRECTIONAL_COMPOUND), 1, 6),
        .expect = {CMD("predictionMode-10331")})
ENCODES(video_av1_both_ways, ENCODE_AV1, name_references(v, MODE(BIDIRECTIONAL_COMPOUND), 3, 4))
ENCODES(video_av1_both_ways_one_way, ENCODE_AV1,
        name_references(v, MODE(BIDIRECTIONAL_COMPOUND), 0, 3),
        .expect = {CMD("predictionMode-10333")})
ENCODES(video_encode_av1_name_of_no_slot, ENCODE_AV1, v->encode_av1.referenceNameSlotIndices[0] = 2,
        .expect = {CMD("referenceNameSlotIndices-10334")})
ENCODES(video_encode_av1_slot_of_no_name, ENCODE_AV1,
        (video_refer(v), v->encode_av1.predictionMode = MODE(INTRA_ONLY),
         v->encode_av1_std.frame_type = STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY,
         v->encode_av1.rateControlGroup = VK_VIDEO_ENCODE_AV1_RATE_CONTROL_GROUP_INTRA_KHR,
         v->encode_av1.referenceNameSlotIndices[0] = -1),
        .expect = {CMD("slotIndex-10335")})

/* Layers. */
static void encode_layer(struct video *v, uint8_t temporal, uint8_t spatial)
{
    static StdVideoEncodeAV1ExtensionHeader same;
    v->av1_extension = (StdVideoEncodeAV1ExtensionHeader){temporal, spatial};
    same = v->av1_extension;
    v->encode_av1_std.pExtensionHeader = &v->av1_extension;
    v->encode_av1_reference[0].pExtensionHeader = &same;
}
#define TWO_LAYERS                                                                         \
    .null_driver =                                                                         \
        "{\"properties\": {\"VkVideoEncodeAV1CapabilitiesKHR.maxTemporalLayerCount\": 2, " \
        "\"VkVideoEncodeAV1CapabilitiesKHR.maxSpatialLayerCount\": 2}}"
ENCODES(video_av1_layer, ENCODE_AV1, encode_layer(v, 1, 1), TWO_LAYERS)
ENCODES(video_av1_temporal_layer, ENCODE_AV1, encode_layer(v, 2, 1), TWO_LAYERS,
        .expect = {CMD("pExtensionHeader-10336")},
        .text = {"temporal_id is 2, but maxTemporalLayerCount of the video profile is 2"})
ENCODES(video_av1_spatial_layer, ENCODE_AV1, encode_layer(v, 1, 2), TWO_LAYERS,
        .expect = {CMD("pExtensionHeader-10337")})
ENCODES(video_av1_layer_of_one, ENCODE_AV1,
        (encode_layer(v, 1, 1), v->encode_av1_reference[0].pExtensionHeader = NULL), TWO_LAYERS,
        .expect = {CMD("pEncodeInfo-10338")},
        .text = {"pStdReferenceInfo->pExtensionHeader is NULL, but that of the picture is not"})
static const StdVideoEncodeAV1ExtensionHeader temporal_1 = {1, 0}, temporal_2 = {2, 0},
                                              spatial_1 = {0, 1}, spatial_2 = {0, 2};
ENCODES(video_av1_other_temporal_layer, ENCODE_AV1,
        (encode_layer(v, 0, 0), v->encode_av1_reference[0].pExtensionHeader = &temporal_1),
        TWO_LAYERS, .expect = {CMD("pEncodeInfo-10339")})
ENCODES(video_av1_other_spatial_layer, ENCODE_AV1,
        (encode_layer(v, 0, 0), v->encode_av1_reference[0].pExtensionHeader = &spatial_1),
        TWO_LAYERS, .expect = {CMD("pEncodeInfo-10340")})
ENCODES(video_av1_temporal_layer_of_reference, ENCODE_AV1,
        (video_refer(v), v->encode_av1_reference[1].pExtensionHeader = &temporal_2), TWO_LAYERS,
        .expect = {CMD("pExtensionHeader-10341")})
ENCODES(video_av1_spatial_layer_of_reference, ENCODE_AV1,
        (video_refer(v), v->encode_av1_reference[1].pExtensionHeader = &spatial_2), TWO_LAYERS,
        .expect = {CMD("pExtensionHeader-10342")})

/* Tiles: of 32 to 64 pixels, at most three by two. */
static void encode_tiles(struct video *v, uint8_t columns, uint8_t rows)
{
    v->av1_tiles.TileCols = columns;
    v->av1_tiles.TileRows = rows;
    v->encode_av1_std.pTileInfo = &v->av1_tiles;
}
#define TILES                                                                                 \
    .null_driver = "{\"properties\": {\"VkVideoEncodeAV1CapabilitiesKHR.maxTiles\": [3, 2], " \
                   "\"VkVideoEncodeAV1CapabilitiesKHR.minTileSize\": [32, 48], "              \
                   "\"VkVideoEncodeAV1CapabilitiesKHR.maxTileSize\": [64, 64]}}"
ENCODES(video_av1_tiles, ENCODE_AV1, encode_tiles(v, 2, 1), TILES)
ENCODES(video_av1_no_columns, ENCODE_AV1, encode_tiles(v, 0, 1), TILES,
        .expect = {CMD("pTileInfo-10343")})
ENCODES(video_av1_no_rows, ENCODE_AV1, encode_tiles(v, 1, 0), TILES,
        .expect = {CMD("pTileInfo-10344")})
ENCODES(video_av1_many_columns, ENCODE_AV1, encode_tiles(v, 4, 1), TILES,
        .expect = {CMD("pTileInfo-10345")})
ENCODES(video_av1_many_rows, ENCODE_AV1, encode_tiles(v, 1, 3), TILES,
        .expect = {CMD("pTileInfo-10346")})
ENCODES(video_av1_narrow_tiles, ENCODE_AV1, encode_tiles(v, 3, 1), TILES,
        .expect = {CMD("pTileInfo-10347")},
        .text = {"TileCols is 3, which makes tiles of 22 pixels"})
ENCODES(video_av1_low_tiles, ENCODE_AV1, encode_tiles(v, 1, 2), TILES,
        .expect = {CMD("pTileInfo-10348")})

SCENARIO(video_av1_grain_of_header, VIDEO,
         .expect = {"VUID-VkVideoEncodeAV1SessionParametersCreateInfoKHR-pStdSequenceHeader-10288"},
         .text = {"pStdSequenceHeader has film_grain_params_present"})
{
    struct video *v = video_of(b, OPERATION(ENCODE_AV1));
    ENSURE(video_create(v));
    v->av1_header.flags.film_grain_params_present = 1;
    video_make_parameters(v);
}
