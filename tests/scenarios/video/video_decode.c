/* Video coding scopes and what is decoded in them. */
#include "video_world.h"

#define CMD(id_)   "VUID-vkCmdDecodeVideoKHR-" id_
#define BEGIN(id_) "VUID-VkVideoBeginCodingInfoKHR-" id_

/* Decodes a picture, once `change_` was made. */
#define DECODES(name_, operation_, change_, ...)                 \
    SCENARIO(name_, VIDEO, ##__VA_ARGS__)                        \
    {                                                            \
        struct video *v = video_ready(b, OPERATION(operation_)); \
        change_;                                                 \
        video_begin(v);                                          \
        video_code(v);                                           \
        video_end(v);                                            \
    }

DECODES(video_decode_h264, DECODE_H264, (void)0)
DECODES(video_decode_h265, DECODE_H265, (void)0)
DECODES(video_decode_av1, DECODE_AV1, (void)0)
DECODES(video_decode_vp9, DECODE_VP9, (void)0)
DECODES(video_decode_h264_reference, DECODE_H264, video_refer(v))
DECODES(video_decode_h265_reference, DECODE_H265, video_refer(v))
DECODES(video_decode_av1_reference, DECODE_AV1, video_refer(v))
DECODES(video_decode_vp9_reference, DECODE_VP9, video_refer(v))

/* --- beginning and ending --- */

#define BEGINS(name_, change_, ...)                               \
    SCENARIO(name_, VIDEO, .proceed = true, ##__VA_ARGS__)        \
    {                                                             \
        struct video *v = video_ready(b, OPERATION(DECODE_H264)); \
        change_;                                                  \
        video_begin(v);                                           \
        video_end(v);                                             \
    }

static void leave_unbound(struct video *v)
{
    VkVideoSessionParametersKHR none = VK_NULL_HANDLE;
    video_create(v);
    v->begin.videoSessionParameters = none;
    video_make_parameters(v);
}
BEGINS(video_begin_unbound, leave_unbound(v), .expect = {BEGIN("videoSession-07237")},
       .text = {"videoSession has no memory bound to its memory binding 0"})
BEGINS(video_begin_with_other_parameters, (video_create(v), video_bind(v)),
       .expect = {BEGIN("videoSessionParameters-04857")},
       .text = {"which was created for another session"})
BEGINS(video_begin_same_picture_twice,
       (v->begin.referenceSlotCount = 2, v->references[1].baseArrayLayer = 0),
       .expect = {BEGIN("pPictureResource-07238")},
       .text = {"is a picture that an element before it has"})
/* One picture is another one in another part of the layer. */
BEGINS(video_begin_part_of_picture,
       (v->begin.referenceSlotCount = 2, v->references[1].baseArrayLayer = 0,
        v->references[1].codedExtent.width = 32))
BEGINS(video_begin_offset, v->references[0].codedOffset.x = 16,
       .expect = {BEGIN("pPictureResource-07242")},
       .text = {"codedOffset is (16, 0), which is not a multiple of (0, 0)"})

static void use_second_image(struct video *v)
{
    v->begin.referenceSlotCount = 2;
    v->references[1].imageViewBinding =
        video_view(v, video_image(v, VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR, SLOTS));
}
BEGINS(video_begin_two_images, use_second_image(v))
BEGINS(video_begin_two_images_of_one_image, use_second_image(v),
       .null_driver = "{\"properties\": {\"VkVideoCapabilitiesKHR.flags\": 1}}",
       .expect = {BEGIN("flags-07244")}, .text = {"is a view of another image"})

static VkQueryPool make_status_pool(struct video *v, const void *profile, uint32_t count)
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.pNext = profile;
    info.queryType = VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR;
    info.queryCount = count;
    return create_query_pool(v->b, &info);
}

SCENARIO(video_begin_in_query, VIDEO, .proceed = true,
         .expect = {"VUID-vkCmdBeginVideoCodingKHR-None-07232",
                    "VUID-vkCmdEndVideoCodingKHR-None-07251"},
         .text = {"is called while a query is active in the command buffer"})
{
    struct video *v = video_ready(b, OPERATION(DECODE_H264));
    VkQueryPool pool = make_status_pool(v, &v->profile, 2);
    vkCmdResetQueryPool(v->commands, pool, 0, 2);
    vkCmdBeginQuery(v->commands, pool, 0, 0);
    video_begin(v);
    video_end(v);
}

/* Queries of the picture: one each. */
static void decode_in_query(struct video *v, uint32_t pictures)
{
    VkQueryPool pool = make_status_pool(v, &v->profile, 2);
    vkCmdResetQueryPool(v->commands, pool, 0, 2);
    video_begin(v);
    for (uint32_t query = 0; query < 2; query++) {
        vkCmdBeginQuery(v->commands, pool, query, 0);
        for (uint32_t i = 0; i < pictures; i++)
            video_code(v);
        vkCmdEndQuery(v->commands, pool, query);
    }
    video_end(v);
}
SCENARIO(video_query_each, VIDEO)
{
    decode_in_query(video_ready(b, OPERATION(DECODE_H264)), 1);
}
SCENARIO(video_query_of_two, VIDEO, .expect = {CMD("opCount-07134")},
         .text = {"codes a second picture while one query is active"})
{
    decode_in_query(video_ready(b, OPERATION(DECODE_H264)), 2);
}

/* --- protection --- */

static const VkPhysicalDeviceProtectedMemoryFeatures protection = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .pNext = (void *)(uintptr_t)&video_features,
    .protectedMemory = VK_TRUE};
#define PROTECTED                                                                           \
    .drivers = NULL_DRIVER, .features = &protection,                                        \
    .extensions = {"VK_KHR_video_queue",                                                    \
                   "VK_KHR_video_decode_queue",                                             \
                   "VK_KHR_video_decode_h264",                                              \
                   "VK_KHR_video_maintenance1",                                             \
                   "VK_KHR_video_maintenance2",                                             \
                   "VK_KHR_video_encode_queue",                                             \
                   "VK_KHR_video_encode_av1",                                               \
                   "VK_KHR_video_decode_vp9",                                               \
                   "VK_KHR_video_encode_intra_refresh",                                     \
                   "VK_KHR_video_encode_quantization_map"},                                 \
    .null_driver = "{\"properties\": {\"protectedNoFault\": false}, \"queueFamilies\": "    \
                   "[{\"flags\": [\"graphics\", \"compute\", \"transfer\", \"protected\", " \
                   "\"videoDecode\", \"videoEncode\"], \"count\": 1}]}",                    \
    .proceed = true

static void begin_protected(struct baseline *b, bool image, bool commands)
{
    struct video *v = video_ready(b, OPERATION(DECODE_H264));
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR);
    v->session_info.flags = commands ? VK_VIDEO_SESSION_CREATE_PROTECTED_CONTENT_BIT_KHR : 0;
    video_create(v);
    video_bind(v);
    video_make_parameters(v);
    info.pNext = &v->profiles;
    info.flags = image ? VK_IMAGE_CREATE_PROTECTED_BIT : 0;
    info.format = PICTURE_FORMAT;
    v->references[0].imageViewBinding = video_view(v, make_image_of(b, &info));
    if (commands)
        v->commands = make_protected_recording(b);
    video_begin(v);
    video_end(v);
}
SCENARIO(video_begin_protected, PROTECTED)
{
    begin_protected(b, true, true);
}
SCENARIO(video_begin_with_protected_image, PROTECTED,
         .expect = {"VUID-vkCmdBeginVideoCodingKHR-commandBuffer-07235"},
         .text = {"is a view of a protected image, but commandBuffer is not protected"})
{
    begin_protected(b, true, false);
}
SCENARIO(video_begin_with_unprotected_image, PROTECTED,
         .expect = {"VUID-vkCmdBeginVideoCodingKHR-commandBuffer-07236"})
{
    begin_protected(b, false, true);
}

/* --- pictures --- */

DECODES(video_decode_offset, DECODE_H264, v->picture.codedOffset.y = 1,
        .expect = {CMD("pDecodeInfo-07144")},
        .text = {"dstPictureResource.codedOffset is (0, 1), which is not a multiple of (0, 0)"})

static void shift_setup(struct video *v, const VkVideoPictureResourceInfoKHR **other,
                        uint32_t layer, int32_t offset)
{
    static VkVideoPictureResourceInfoKHR shifted;
    shifted = **other;
    shifted.baseArrayLayer = layer;
    shifted.codedOffset.x = offset;
    *other = &shifted;
}
DECODES(video_decode_setup_offset, DECODE_H264, shift_setup(v, &v->setup.pPictureResource, 0, 16),
        .expect = {CMD("pDecodeInfo-07173"), CMD("pDecodeInfo-07149")})
DECODES(video_decode_setup_unbound, DECODE_H264, shift_setup(v, &v->setup.pPictureResource, 2, 0),
        .expect = {CMD("pDecodeInfo-07149")},
        .text = {"matches none of the pictures that vkCmdBeginVideoCodingKHR was given"})
DECODES(video_decode_reference_offset, DECODE_H265,
        (video_refer(v), shift_setup(v, &v->reference.pPictureResource, 1, 16)),
        .expect = {CMD("codedOffset-07257"), CMD("pDecodeInfo-07151")})
DECODES(video_decode_reference_unbound, DECODE_H265,
        (video_refer(v), shift_setup(v, &v->reference.pPictureResource, 3, 0)),
        .expect = {CMD("pDecodeInfo-07151")},
        .text = {"matches none of the bound pictures that are associated with slot 1"})
DECODES(video_decode_reference_of_other_slot, DECODE_H265,
        (video_refer(v), v->reference.slotIndex = 2), .expect = {CMD("pDecodeInfo-07151")},
        .text = {"associated with slot 2"})

/* A slot that was set up is associated with the picture from then on. */
SCENARIO(video_decode_reference_set_up_before, VIDEO)
{
    struct video *v = video_ready(b, OPERATION(DECODE_H265));
    v->begin.referenceSlotCount = 2;
    video_begin(v);
    video_code(v);
    v->reference.slotIndex = 0;
    v->reference.pPictureResource = &v->references[0];
    v->decode.referenceSlotCount = 1;
    v->setup.slotIndex = 1;
    v->setup.pPictureResource = &v->references[1];
    video_code(v);
    video_end(v);
}

static void refer_twice(struct video *v, int32_t second)
{
    static VkVideoReferenceSlotInfoKHR slots[2];
    video_refer(v);
    slots[0] = slots[1] = v->reference;
    slots[1].slotIndex = second;
    if (second != 1)
        slots[1].pPictureResource = &v->references[2];
    v->begin.referenceSlotCount = 3;
    v->decode.referenceSlotCount = 2;
    v->decode.pReferenceSlots = slots;
}
DECODES(video_decode_two_references, DECODE_H265, refer_twice(v, 2))
DECODES(video_decode_same_reference_twice, DECODE_H265, refer_twice(v, 1),
        .expect = {CMD("pDecodeInfo-07264"), CMD("dpbFrameUseCount-07176")},
        .text = {"is a picture that an element before it has",
                 "a slot that this command uses already"})
DECODES(video_decode_reference_that_is_set_up, DECODE_H265,
        (video_refer(v), v->setup.slotIndex = 1), .expect = {CMD("dpbFrameUseCount-07176")})

DECODES(video_decode_last_layer, DECODE_H264,
        (v->picture.imageViewBinding =
             video_view(v, video_image(v, VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR, 2)),
         v->picture.baseArrayLayer = 1))
DECODES(video_decode_layer, DECODE_H264, v->picture.baseArrayLayer = 1,
        .expect = {"VUID-VkVideoPictureResourceInfoKHR-baseArrayLayer-07175"},
        .text = {"dstPictureResource.baseArrayLayer is 1, but imageViewBinding has 1 layer"})

/* --- inline queries --- */

static void inline_query(struct video *v, VkQueryType type, uint32_t count)
{
    static VkVideoInlineQueryInfoKHR query;
    VkQueryPoolCreateInfo info = query_pool_info();
    v->session_info.flags = VK_VIDEO_SESSION_CREATE_INLINE_QUERIES_BIT_KHR;
    video_create(v);
    video_bind(v);
    video_make_parameters(v);
    info.pNext = type == VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR ? &v->profile : NULL;
    info.queryType = type;
    query = (VkVideoInlineQueryInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_INLINE_QUERY_INFO_KHR,
                                        .pNext = v->decode.pNext,
                                        .queryPool = create_query_pool(v->b, &info),
                                        .queryCount = count};
    v->decode.pNext = &query;
    vkCmdResetQueryPool(v->commands, query.queryPool, 0, 4);
}
DECODES(video_inline_query, DECODE_H264, inline_query(v, VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR, 1))
DECODES(video_inline_queries, DECODE_H264, inline_query(v, VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR, 2),
        .expect = {CMD("pNext-08365")},
        .text = {"queryCount is 2, but this command codes 1 picture"})
DECODES(video_inline_query_of_other_type, DECODE_H264, inline_query(v, VK_QUERY_TYPE_OCCLUSION, 1),
        .expect = {CMD("queryType-08367")}, .text = {"queryPool is of VK_QUERY_TYPE_OCCLUSION"})
DECODES(video_inline_query_without_status, DECODE_H264,
        inline_query(v, VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR, 1),
        .null_driver = "{\"properties\": "
                       "{\"VkQueueFamilyQueryResultStatusPropertiesKHR.queryResultStatusSupport\": "
                       "false}}",
        .proceed = true,
        .expect = {"VUID-VkQueryPoolCreateInfo-queryType-11839", CMD("queryType-08369")},
        .text = {"does not support"})

/* --- where the pictures may lie --- */

/* The session decodes into the picture that it reconstructs. */
static void coincide_pictures(struct video *v)
{
    VkImageView both = video_view(v, video_image(v,
                                                 VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR |
                                                     VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR,
                                                 SLOTS));
    v->picture.imageViewBinding = both;
    for (uint32_t i = 0; i < SLOTS; i++)
        v->references[i].imageViewBinding = both;
}
#define ONLY(bit_) \
    .null_driver = "{\"properties\": {\"VkVideoDecodeCapabilitiesKHR.flags\": " #bit_ "}}"
DECODES(video_decode_coincident, DECODE_H264, coincide_pictures(v), ONLY(1))
DECODES(video_decode_coincident_of_distinct, DECODE_H264, coincide_pictures(v), ONLY(2),
        .expect = {CMD("pDecodeInfo-07140")},
        .text = {"matches dstPictureResource, but the video profile lacks"})
DECODES(video_decode_distinct, DECODE_H264, (void)0, ONLY(2))
DECODES(video_decode_distinct_of_coincident, DECODE_H264, (void)0, ONLY(1),
        .expect = {CMD("pDecodeInfo-07141")},
        .text = {"does not match dstPictureResource, but the video profile lacks"})

/* --- H.264 --- */

static const uint32_t far_offset[] = {0, 16384};
DECODES(video_h264_slice_offset, DECODE_H264,
        (v->decode_h264.sliceCount = 2, v->decode_h264.pSliceOffsets = far_offset),
        .expect = {CMD("pSliceOffsets-07153")},
        .text = {"pSliceOffsets[1] is 16384, but srcBufferRange is 16384"})
DECODES(video_h264_without_parameters, DECODE_H264,
        v->begin.videoSessionParameters = VK_NULL_HANDLE, .expect = {CMD("None-10400")},
        .text = {"no video session parameters are bound"})
DECODES(video_h264_no_sps, DECODE_H264, v->decode_h264_std.seq_parameter_set_id = 1,
        .expect = {CMD("StdVideoH264SequenceParameterSet-07154")},
        .text = {"names a sequence parameter set that VkVideoSessionParametersKHR"})
DECODES(video_h264_no_pps, DECODE_H264, v->decode_h264_std.pic_parameter_set_id = 1,
        .expect = {CMD("StdVideoH264PictureParameterSet-07155")})
DECODES(video_h264_field, DECODE_H264,
        (v->decode_h264_std.flags.field_pic_flag = 1,
         v->decode_h264_reference[0].flags.top_field_flag = 1),
        .expect = {CMD("None-07258")},
        .text = {"describes a top field, but the session has no interlaced frame support"})
DECODES(video_h264_field_setup, DECODE_H264,
        (video_refer(v), v->decode_h264_reference[0].flags.top_field_flag = 1,
         v->decode_h264_reference[1].flags.bottom_field_flag = 1),
        .expect = {CMD("pDecodeInfo-07259")}, .text = {"pSetupReferenceSlot", "is a top field"})
DECODES(video_h264_field_reference, DECODE_H264,
        (video_refer(v), v->decode_h264_reference[1].flags.bottom_field_flag = 1),
        .expect = {CMD("pDecodeInfo-07260")}, .text = {"is a bottom field"})

/* A session with interlaced frames. */
static void interlace_pictures(struct video *v)
{
    v->decode_h264_profile.pictureLayout =
        VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_INTERLACED_INTERLEAVED_LINES_BIT_KHR;
    video_create(v);
    video_bind(v);
    video_make_parameters(v);
    video_make_pictures(v);
}
static void decode_field(struct video *v, bool bottom, bool setup_top, bool setup_bottom)
{
    interlace_pictures(v);
    v->decode_h264_std.flags.field_pic_flag = 1;
    v->decode_h264_std.flags.bottom_field_flag = bottom;
    v->decode_h264_reference[0].flags.top_field_flag = setup_top;
    v->decode_h264_reference[0].flags.bottom_field_flag = setup_bottom;
}
DECODES(video_h264_top_field, DECODE_H264, decode_field(v, false, true, false))
DECODES(video_h264_bottom_field, DECODE_H264, decode_field(v, true, false, true))
DECODES(video_h264_top_into_bottom, DECODE_H264, decode_field(v, false, false, true),
        .expect = {CMD("pDecodeInfo-07262")},
        .text = {"is a bottom field, but the decoded picture is a top field"})
DECODES(video_h264_bottom_into_frame, DECODE_H264, decode_field(v, true, false, false),
        .expect = {CMD("pDecodeInfo-07263")})
DECODES(video_h264_frame_into_field, DECODE_H264,
        (interlace_pictures(v), v->decode_h264_reference[0].flags.top_field_flag = 1),
        .expect = {CMD("pDecodeInfo-07261")})

/* Two fields of one slot: each is one of its own. */
static void refer_to_fields(struct video *v, bool top, bool bottom)
{
    static VkVideoReferenceSlotInfoKHR slots[2];
    static StdVideoDecodeH264ReferenceInfo second;
    static VkVideoDecodeH264DpbSlotInfoKHR info;
    interlace_pictures(v);
    refer_twice(v, 1);
    slots[0] = v->decode.pReferenceSlots[0];
    slots[1] = v->decode.pReferenceSlots[1];
    slots[1].pPictureResource = &v->references[2];
    v->bound[2].slotIndex = 1;
    v->decode_h264_reference[1].flags.top_field_flag = top;
    v->decode_h264_reference[1].flags.bottom_field_flag = !top;
    second.flags.top_field_flag = !bottom;
    second.flags.bottom_field_flag = bottom;
    info = v->decode_h264_slot[1];
    info.pStdReferenceInfo = &second;
    slots[1].pNext = &info;
    v->decode.pReferenceSlots = slots;
}
DECODES(video_h264_both_fields, DECODE_H264, refer_to_fields(v, true, true))
DECODES(video_h264_top_field_twice, DECODE_H264, refer_to_fields(v, true, false),
        .expect = {CMD("dpbTopFieldUseCount-07177")},
        .text = {"a slot whose top field this command uses already"})
DECODES(video_h264_bottom_field_twice, DECODE_H264, refer_to_fields(v, false, true),
        .expect = {CMD("dpbBottomFieldUseCount-07178")})
DECODES(video_h264_frame_twice, DECODE_H264, refer_twice(v, 1),
        .expect = {CMD("dpbFrameUseCount-07176"), CMD("pDecodeInfo-07264")})

/* Sets in the command itself. */
static void make_inline(struct video *v)
{
    v->session_info.flags = VK_VIDEO_SESSION_CREATE_INLINE_SESSION_PARAMETERS_BIT_KHR;
    video_create(v);
    video_bind(v);
    v->begin.videoSessionParameters = VK_NULL_HANDLE;
}
static void inline_h264(struct video *v, uint8_t sps, uint8_t pps)
{
    static VkVideoDecodeH264InlineSessionParametersInfoKHR sets;
    make_inline(v);
    sets = (VkVideoDecodeH264InlineSessionParametersInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_INLINE_SESSION_PARAMETERS_INFO_KHR,
        .pNext = v->decode.pNext,
        .pStdSPS = v->h264_sps,
        .pStdPPS = v->h264_pps};
    v->decode.pNext = &sets;
    v->h264_sps[0].seq_parameter_set_id = sps;
    v->h264_pps[0].pic_parameter_set_id = pps;
}
DECODES(video_h264_inline, DECODE_H264, inline_h264(v, 0, 0))
DECODES(video_h264_inline_other_sps, DECODE_H264, inline_h264(v, 3, 0),
        .expect = {CMD("pNext-10401")},
        .text = {"pStdSPS has seq_parameter_set_id 3, but the picture has 0"})
DECODES(video_h264_inline_other_pps, DECODE_H264, inline_h264(v, 0, 3),
        .expect = {CMD("pNext-10402")})

/* --- H.265 --- */

DECODES(video_h265_slice_offset, DECODE_H265,
        (v->decode_h265.sliceSegmentCount = 2, v->decode_h265.pSliceSegmentOffsets = far_offset),
        .expect = {CMD("pSliceSegmentOffsets-07159")})
DECODES(video_h265_without_parameters, DECODE_H265,
        v->begin.videoSessionParameters = VK_NULL_HANDLE, .expect = {CMD("None-10403")})
DECODES(video_h265_no_vps, DECODE_H265, v->decode_h265_std.sps_video_parameter_set_id = 1,
        .expect = {CMD("StdVideoH265VideoParameterSet-07160")})
DECODES(video_h265_no_sps, DECODE_H265, v->decode_h265_std.pps_seq_parameter_set_id = 1,
        .expect = {CMD("StdVideoH265SequenceParameterSet-07161")})
DECODES(video_h265_no_pps, DECODE_H265, v->decode_h265_std.pps_pic_parameter_set_id = 1,
        .expect = {CMD("StdVideoH265PictureParameterSet-07162")})

static void inline_h265(struct video *v, uint8_t vps, uint8_t sps, uint8_t pps)
{
    static VkVideoDecodeH265InlineSessionParametersInfoKHR sets;
    make_inline(v);
    sets = (VkVideoDecodeH265InlineSessionParametersInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_INLINE_SESSION_PARAMETERS_INFO_KHR,
        .pNext = v->decode.pNext,
        .pStdVPS = v->h265_vps,
        .pStdSPS = v->h265_sps,
        .pStdPPS = v->h265_pps};
    v->decode.pNext = &sets;
    v->h265_vps[0].vps_video_parameter_set_id = vps;
    v->h265_sps[0].sps_seq_parameter_set_id = sps;
    v->h265_pps[0].pps_pic_parameter_set_id = pps;
}
DECODES(video_h265_inline, DECODE_H265, inline_h265(v, 0, 0, 0))
DECODES(video_h265_inline_other_vps, DECODE_H265, inline_h265(v, 1, 0, 0),
        .expect = {CMD("pNext-10404")})
DECODES(video_h265_inline_other_sps, DECODE_H265, inline_h265(v, 0, 1, 0),
        .expect = {CMD("pNext-10405")})
DECODES(video_h265_inline_other_pps, DECODE_H265, inline_h265(v, 0, 0, 1),
        .expect = {CMD("pNext-10406")})

/* --- AV1, VP9 --- */

DECODES(video_av1_without_parameters, DECODE_AV1, v->begin.videoSessionParameters = VK_NULL_HANDLE,
        .expect = {CMD("None-10407")})
DECODES(video_av1_tile_offset, DECODE_AV1, v->decode_av1.pTileOffsets = &far_offset[1],
        .expect = {CMD("pTileOffsets-09253")})
DECODES(video_av1_tile_size, DECODE_AV1, v->decode_av1.pTileSizes = (const uint32_t[]){16385},
        .expect = {CMD("pTileOffsets-09252")},
        .text = {"pTileSizes[0] is 16385, at offset 0, but srcBufferRange is 16384"})
DECODES(video_av1_name_of_no_slot, DECODE_AV1, v->decode_av1.referenceNameSlotIndices[3] = 2,
        .expect = {CMD("referenceNameSlotIndices-09262")},
        .text = {"is 2, which is the slotIndex of no element of pReferenceSlots"})
DECODES(video_av1_slot_of_no_name, DECODE_AV1,
        (video_refer(v), v->decode_av1.referenceNameSlotIndices[0] = -1),
        .expect = {CMD("slotIndex-09263")},
        .text = {"slotIndex is 1, which is none of referenceNameSlotIndices"})
DECODES(video_vp9_name_of_no_slot, DECODE_VP9, v->decode_vp9.referenceNameSlotIndices[1] = 2,
        .expect = {CMD("referenceNameSlotIndices-10809")})
DECODES(video_vp9_slot_of_no_name, DECODE_VP9,
        (video_refer(v), v->decode_vp9.referenceNameSlotIndices[0] = -1),
        .expect = {CMD("slotIndex-10810")})

DECODES(video_av1_grain_without_support, DECODE_AV1, v->decode_av1_std.flags.apply_grain = 1,
        .expect = {CMD("filmGrainSupport-09248")}, .text = {"has apply_grain"})
static void use_film_grain(struct video *v)
{
    v->decode_av1_profile.filmGrainSupport = VK_TRUE;
    v->decode_av1_std.flags.apply_grain = 1;
    video_create(v);
    video_bind(v);
    video_make_parameters(v);
    video_make_pictures(v);
}
/* Film grain needs a picture of its own, whatever the profile has. */
DECODES(video_av1_grain, DECODE_AV1, use_film_grain(v), ONLY(1))
DECODES(video_av1_grain_into_reference, DECODE_AV1, (use_film_grain(v), coincide_pictures(v)),
        .expect = {CMD("pDecodeInfo-09249")}, .text = {"but film grain is enabled"})
