/* Video commands that execute: the layouts of their pictures, the video profile of their resources,
 * and the state of the session (42.5, 42.7, 42.8). */
#include "video_world.h"

#define DECODE(id_)   "VUID-vkCmdDecodeVideoKHR-" id_
#define ENCODE(id_)   "VUID-vkCmdEncodeVideoKHR-" id_
#define BEGIN(id_)    "VUID-vkCmdBeginVideoCodingKHR-" id_
#define LAYOUT(name_) VK_IMAGE_LAYOUT_VIDEO_##name_##_KHR
/* Submitted to the baseline's queue. */
#define SUBMITTED                                                                      \
    VIDEO, .proceed = true,                                                            \
        .null_driver = "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", " \
                       "\"transfer\", \"videoDecode\", \"videoEncode\"], \"count\": 1}]}"

/* Session and pictures, whose images are known here. */
static VkImage output, slots;
static struct video *video_placed(struct baseline *b, VkVideoCodecOperationFlagBitsKHR operation)
{
    struct video *v = video_ready(b, operation);
    output = video_image(v,
                         v->encodes ? VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR
                                    : VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR,
                         1);
    slots = video_image(v,
                        v->encodes ? VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR
                                   : VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR |
                                         VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR,
                        SLOTS);
    v->picture.imageViewBinding = video_view(v, output);
    const VkImageView view = video_view(v, slots);
    for (uint32_t i = 0; i < SLOTS; i++)
        v->references[i].imageViewBinding = view;
    return v;
}

static void place_layers(struct video *v, VkImage image, VkImageLayout layout, uint32_t first,
                         uint32_t count)
{
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .dstStageMask = v->encodes ? VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR
                                   : VK_PIPELINE_STAGE_2_VIDEO_DECODE_BIT_KHR,
        .dstAccessMask = v->encodes ? VK_ACCESS_2_VIDEO_ENCODE_READ_BIT_KHR
                                    : VK_ACCESS_2_VIDEO_DECODE_READ_BIT_KHR,
        .newLayout = layout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, first, count}};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(v->commands, &info);
}

static void place_image(struct video *v, VkImage image, VkImageLayout layout)
{
    place_layers(v, image, layout, 0, VK_REMAINING_ARRAY_LAYERS);
}

static void place_all(struct video *v)
{
    place_image(v, output, v->encodes ? LAYOUT(ENCODE_SRC) : LAYOUT(DECODE_DST));
    place_image(v, slots, v->encodes ? LAYOUT(ENCODE_DPB) : LAYOUT(DECODE_DPB));
}

/* --- layouts --- */

#define CODES(name_, operation_, change_, ...)                    \
    SCENARIO(name_, SUBMITTED, ##__VA_ARGS__)                     \
    {                                                             \
        struct video *v = video_placed(b, OPERATION(operation_)); \
        change_;                                                  \
        video_begin(v);                                           \
        video_code(v);                                            \
        video_end(v);                                             \
        run_commands(b, v->commands);                             \
    }
#define PLACED(picture_, slots_) (place_image(v, output, picture_), place_image(v, slots, slots_))

CODES(video_decode_in_its_layouts, DECODE_H264, place_all(v))
CODES(video_decode_to_general, DECODE_H264, PLACED(VK_IMAGE_LAYOUT_GENERAL, LAYOUT(DECODE_DPB)),
      .expect = {DECODE("pDecodeInfo-10801")},
      .text = {"leave in VK_IMAGE_LAYOUT_GENERAL, which must be in "
               "VK_IMAGE_LAYOUT_VIDEO_DECODE_DST_KHR there"})
CODES(video_decode_to_undefined, DECODE_H264, place_image(v, slots, LAYOUT(DECODE_DPB)),
      .expect = {DECODE("pDecodeInfo-10801")})
CODES(video_decode_setup_in_general, DECODE_H264,
      PLACED(LAYOUT(DECODE_DST), VK_IMAGE_LAYOUT_GENERAL), .expect = {DECODE("pDecodeInfo-10803")})
/* The decoded picture is the reconstructed one. */
#define COINCIDE (v->picture = v->references[0])
CODES(video_decode_into_slot, DECODE_H264, (COINCIDE, place_image(v, slots, LAYOUT(DECODE_DPB))))
CODES(video_decode_into_slot_as_output, DECODE_H264,
      (COINCIDE, place_image(v, slots, LAYOUT(DECODE_DST))),
      .expect = {DECODE("pDecodeInfo-10802")})

/* Slot 1 is never made active, so that this is recorded alone. */
#define REFERS(name_, operation_, layout_, ...)                   \
    SCENARIO(name_, SUBMITTED, ##__VA_ARGS__)                     \
    {                                                             \
        struct video *v = video_placed(b, OPERATION(operation_)); \
        video_refer(v);                                           \
        place_all(v);                                             \
        place_layers(v, slots, layout_, 1, 1);                    \
        video_begin(v);                                           \
        video_code(v);                                            \
        video_end(v);                                             \
    }
REFERS(video_decode_from_its_layout, DECODE_H265, LAYOUT(DECODE_DPB))
REFERS(video_decode_from_general, DECODE_H265, VK_IMAGE_LAYOUT_GENERAL,
       .expect = {DECODE("pPictureResource-10804")}, .text = {"pReferenceSlots[0] names an image"})
REFERS(video_encode_from_its_layout, ENCODE_H264, LAYOUT(ENCODE_DPB))
REFERS(video_encode_from_general, ENCODE_H264, VK_IMAGE_LAYOUT_GENERAL,
       .expect = {ENCODE("pPictureResource-10813")})

CODES(video_encode_in_its_layouts, ENCODE_H264, place_all(v))
CODES(video_encode_of_general, ENCODE_H264, PLACED(VK_IMAGE_LAYOUT_GENERAL, LAYOUT(ENCODE_DPB)),
      .expect = {ENCODE("pEncodeInfo-10811")})
CODES(video_encode_of_undefined, ENCODE_H264, place_image(v, slots, LAYOUT(ENCODE_DPB)),
      .expect = {ENCODE("pEncodeInfo-10811")})
CODES(video_encode_setup_in_general, ENCODE_H264,
      PLACED(LAYOUT(ENCODE_SRC), VK_IMAGE_LAYOUT_GENERAL), .expect = {ENCODE("pEncodeInfo-10812")})

/* --- the state of the session --- */

static void begin_alone(struct video *v)
{
    DEVICE_PROC(v->b, vkCmdBeginVideoCodingKHR)(v->commands, &v->begin);
}

/* Runs what was recorded, and records again. */
static void run_video(struct video *v)
{
    run_commands(v->b, v->commands);
    v->commands = make_recording_of(v->b, v->session_info.queueFamilyIndex);
}

/* Codes without a reset. */
static void code_unset(struct baseline *b, VkVideoCodecOperationFlagBitsKHR operation)
{
    struct video *v = video_placed(b, operation);
    place_all(v);
    begin_alone(v);
    video_code(v);
    video_end(v);
    run_commands(b, v->commands);
}
SCENARIO(video_decode_before_reset, SUBMITTED, .expect = {DECODE("None-07011")},
         .text = {"decodes with a video session that was never reset"})
{
    code_unset(b, OPERATION(DECODE_H264));
}
SCENARIO(video_encode_before_reset, SUBMITTED, .expect = {ENCODE("None-07012")})
{
    code_unset(b, OPERATION(ENCODE_H264));
}

/* Resets in one submission, and codes in the next. */
static void code_later(struct baseline *b, VkVideoCodecOperationFlagBitsKHR operation)
{
    struct video *v = video_placed(b, operation);
    place_all(v);
    video_begin(v);
    video_end(v);
    run_video(v);
    begin_alone(v);
    video_code(v);
    video_end(v);
    run_video(v);
}
SCENARIO(video_decode_after_reset, SUBMITTED)
{
    code_later(b, OPERATION(DECODE_H264));
}
SCENARIO(video_encode_after_reset, SUBMITTED)
{
    code_later(b, OPERATION(ENCODE_H264));
}

static VkVideoEncodeRateControlInfoKHR control_info(VkVideoEncodeRateControlModeFlagBitsKHR mode)
{
    static const VkVideoEncodeRateControlLayerInfoKHR layer = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_LAYER_INFO_KHR,
        .averageBitrate = 1000000,
        .maxBitrate = 1000000,
        .frameRateNumerator = 30,
        .frameRateDenominator = 1};
    const bool layers = mode == VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR;
    return (VkVideoEncodeRateControlInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_INFO_KHR,
        .rateControlMode = mode,
        .layerCount = layers,
        .pLayers = &layer,
        .virtualBufferSizeInMs = layers ? 1000 : 0};
}

static void control_mode(struct video *v, VkVideoEncodeRateControlModeFlagBitsKHR mode)
{
    const VkVideoEncodeRateControlInfoKHR info = control_info(mode);
    video_control(v, &info, VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR);
}
#define FIXED VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR
#define CBR   VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR

SCENARIO(video_control_before_reset, SUBMITTED,
         .expect = {"VUID-vkCmdControlVideoCodingKHR-flags-07017"})
{
    struct video *v = video_placed(b, OPERATION(ENCODE_H264));
    begin_alone(v);
    control_mode(v, FIXED);
    video_end(v);
    run_commands(b, v->commands);
}

/* Sets a mode, and begins again with `chain`. */
static void begin_in_mode(struct baseline *b, const void *chain)
{
    struct video *v = video_placed(b, OPERATION(ENCODE_H264));
    video_begin(v);
    control_mode(v, FIXED);
    video_end(v);
    run_video(v);
    v->begin.pNext = chain;
    begin_alone(v);
    video_end(v);
    run_video(v);
}
SCENARIO(video_begin_in_the_mode, SUBMITTED)
{
    const VkVideoEncodeRateControlInfoKHR info = control_info(FIXED);
    begin_in_mode(b, &info);
}
SCENARIO(video_begin_without_the_mode, SUBMITTED, .expect = {BEGIN("pBeginInfo-08253")},
         .text = {"VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR then"})
{
    begin_in_mode(b, NULL);
}
SCENARIO(video_begin_in_another_mode, SUBMITTED, .expect = {BEGIN("pBeginInfo-08254")})
{
    const VkVideoEncodeRateControlInfoKHR info = control_info(CBR);
    begin_in_mode(b, &info);
}

/* Sets up slot 0, and begins again with a slot. */
static void begin_with_slot(struct baseline *b, int32_t slot, uint32_t layer)
{
    struct video *v = video_placed(b, OPERATION(DECODE_H265));
    place_all(v);
    video_begin(v);
    video_code(v);
    video_end(v);
    run_video(v);
    v->bound[0].slotIndex = slot;
    v->references[0].baseArrayLayer = layer;
    begin_alone(v);
    video_end(v);
    run_video(v);
}
SCENARIO(video_begin_with_active_slot, SUBMITTED)
{
    begin_with_slot(b, 0, 0);
}
SCENARIO(video_begin_with_inactive_slot, SUBMITTED, .expect = {BEGIN("slotIndex-07239")},
         .text = {"with DPB slot 1, which is not active"})
{
    begin_with_slot(b, 1, 0);
}
SCENARIO(video_begin_with_another_picture, SUBMITTED, .expect = {BEGIN("pPictureResource-07265")})
{
    begin_with_slot(b, 0, 1);
}

/* --- profiles --- */

/* Makes the next resources for another profile than that of the session, and back. */
static void change_profile(struct video *v)
{
    v->profile.lumaBitDepth ^=
        VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR ^ VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR;
}

static VkImageView view_of_other(struct video *v, VkImageUsageFlags usage)
{
    change_profile(v);
    const VkImage image = video_image(v, usage, SLOTS);
    change_profile(v);
    return video_view(v, image);
}

static VkBuffer other_bitstream(struct video *v)
{
    VkBufferCreateInfo info =
        buffer_info(16384, v->encodes ? VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR
                                      : VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR);
    change_profile(v);
    info.pNext = &v->profiles;
    const VkBuffer buffer = create_buffer(v->b, &info);
    change_profile(v);
    VK(vkBindBufferMemory(v->b->device, buffer, make_memory(v->b, 65536), 0));
    return buffer;
}

#define PROFILED(name_, operation_, change_, ...)                \
    SCENARIO(name_, VIDEO, .proceed = true, ##__VA_ARGS__)       \
    {                                                            \
        struct video *v = video_ready(b, OPERATION(operation_)); \
        change_;                                                 \
        video_begin(v);                                          \
        video_code(v);                                           \
        video_end(v);                                            \
    }
PROFILED(video_decode_of_other_profile, DECODE_H264, v->decode.srcBuffer = other_bitstream(v),
         .expect = {DECODE("pDecodeInfo-07135")})
PROFILED(video_decode_to_other_profile, DECODE_H264,
         v->picture.imageViewBinding = view_of_other(v, VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR),
         .expect = {DECODE("pDecodeInfo-07142")})
PROFILED(video_encode_to_other_profile, ENCODE_H264, v->encode.dstBuffer = other_bitstream(v),
         .expect = {ENCODE("pEncodeInfo-08201")})
PROFILED(video_encode_of_other_profile, ENCODE_H264,
         v->picture.imageViewBinding = view_of_other(v, VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR),
         .expect = {ENCODE("pEncodeInfo-08206")})
PROFILED(video_begin_of_other_profile, DECODE_H264,
         v->references[0].imageViewBinding = view_of_other(v,
                                                           VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR),
         .expect = {"VUID-VkVideoBeginCodingInfoKHR-pPictureResource-07240"})

/* One of the profiles of the image is the session's. */
static void list_two(struct video *v)
{
    VkVideoProfileInfoKHR both[2] = {v->profile, v->profile};
    both[0].lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR;
    const VkVideoProfileListInfoKHR whole = v->profiles;
    v->profiles.profileCount = 2;
    v->profiles.pProfiles = both;
    v->picture.imageViewBinding =
        video_view(v, video_image(v, VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR, 1));
    v->profiles = whole;
}
PROFILED(video_encode_of_two_profiles, ENCODE_H264, list_two(v))

static VkQueryPool make_pool(struct video *v, const void *chain, VkQueryType type)
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.pNext = chain;
    info.queryType = type;
    info.queryCount = 2;
    return create_query_pool(v->b, &info);
}

static void query_in_scope(struct video *v, VkQueryPool pool)
{
    vkCmdResetQueryPool(v->commands, pool, 0, 2);
    video_begin(v);
    vkCmdBeginQuery(v->commands, pool, 0, 0);
    vkCmdEndQuery(v->commands, pool, 0);
    video_end(v);
}
#define STATUS   VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR
#define FEEDBACK VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR
SCENARIO(video_query_of_profile, SUBMITTED)
{
    struct video *v = video_ready(b, OPERATION(DECODE_H264));
    query_in_scope(v, make_pool(v, &v->profile, STATUS));
}
SCENARIO(video_query_of_no_profile, SUBMITTED, .expect = {"VUID-vkCmdBeginQuery-queryType-07128"},
         .text = {"queryPool was created without a video profile"})
{
    struct video *v = video_ready(b, OPERATION(DECODE_H264));
    query_in_scope(v, make_pool(v, NULL, STATUS));
}

static VkQueryPool make_other_pool(struct video *v, VkQueryType type)
{
    const VkQueryPoolVideoEncodeFeedbackCreateInfoKHR feedback = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &v->profile,
        .encodeFeedbackFlags = VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_BYTES_WRITTEN_BIT_KHR};
    change_profile(v);
    const VkQueryPool pool =
        make_pool(v, type == FEEDBACK ? (const void *)&feedback : &v->profile, type);
    change_profile(v);
    return pool;
}
SCENARIO(video_query_of_other_profile, SUBMITTED,
         .expect = {"VUID-vkCmdBeginQuery-queryType-07128"},
         .text = {"with another video profile than the session"})
{
    struct video *v = video_ready(b, OPERATION(DECODE_H264));
    query_in_scope(v, make_other_pool(v, STATUS));
}
SCENARIO(video_feedback_of_other_profile, SUBMITTED,
         .expect = {"VUID-vkCmdBeginQuery-queryType-07130"})
{
    struct video *v = video_ready(b, OPERATION(ENCODE_H264));
    query_in_scope(v, make_other_pool(v, FEEDBACK));
}

/* The query of the command itself. */
static void inline_other(struct video *v)
{
    static VkVideoInlineQueryInfoKHR query;
    v->session_info.flags = VK_VIDEO_SESSION_CREATE_INLINE_QUERIES_BIT_KHR;
    video_create(v);
    video_bind(v);
    video_make_parameters(v);
    query = (VkVideoInlineQueryInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_INLINE_QUERY_INFO_KHR,
                                        .pNext = v->decode.pNext,
                                        .queryPool = make_other_pool(v, STATUS),
                                        .queryCount = 1};
    v->decode.pNext = v->encode.pNext = &query;
    vkCmdResetQueryPool(v->commands, query.queryPool, 0, 2);
}
PROFILED(video_decode_query_of_other_profile, DECODE_H264, inline_other(v),
         .expect = {DECODE("queryPool-08368")})
PROFILED(video_encode_query_of_other_profile, ENCODE_H264, inline_other(v),
         .expect = {ENCODE("queryPool-08363")})
