/* Checks the parameters of vkCmdDecodeVideoKHR (42.9 "Video Decode Commands"). */
#include "core/video/coding.h"

#include "core/hooks.h"
#include "vk/chain.h"

#include <inttypes.h>

static const struct coding_rules rules = {
    .offset = RULE_07144,
    .setup_offset = RULE_07173,
    .slot_offset = RULE_07257,
    .setup_bound = RULE_07149,
    .slot_bound = RULE_07151,
    .unique = RULE_07264,
    .uses = RULE_07176,
    .active_query = RULE_07134,
    .inline_count = RULE_08365,
    .inline_type = RULE_08367,
    .inline_family = RULE_08369,
    .inline_profile = RULE_08368,
    .buffer_profile = RULE_07135,
    .picture_profile = RULE_07142,
};

/* Checks that each offset is less than srcBufferRange. */
static void decode_check_offsets(struct coding *c, enum rule rule, const struct location *where,
                                 const char *member, const uint32_t *offsets, uint32_t count,
                                 VkDeviceSize range)
{
    for (uint32_t i = 0; !pointer_is_bad(offsets) && i < count; i++)
        REQUIRE(&c->s, rule, offsets[i] < range, &LOCATION_INDEX(where, member, i),
                "is %u, but srcBufferRange is %" PRIu64, offsets[i], range);
}

/* Checks that parameters are bound, which is only optional if the command has all sets inline. */
static void check_bound(struct coding *c, enum rule rule, bool has_all)
{
    REQUIRE(&c->s, rule, has_all || c->scope->has_parameters, "pNext",
            "does not have all parameter sets inline, and no video session parameters are bound");
}

/* True if the session allows inline parameter sets. */
static bool takes_inline(const struct coding *c)
{
    return c->session->info.flags & VK_VIDEO_SESSION_CREATE_INLINE_SESSION_PARAMETERS_BIT_KHR;
}

/* --- H.264 --- */

enum shape { FRAME, TOP, BOTTOM, UNKNOWN_SHAPE };
static const char *const shape_names[] = {"frame", "top field", "bottom field"};

/* The shape of a slot's picture: a frame or one of its fields. UNKNOWN_SHAPE: not known, or both
 * fields. */
static enum shape shape_of_slot(const VkVideoReferenceSlotInfoKHR *slot)
{
    const VkVideoDecodeH264DpbSlotInfoKHR *info =
        slot ? CHAINED(slot->pNext, VIDEO_DECODE_H264_DPB_SLOT_INFO_KHR) : NULL;
    if (!info || pointer_is_bad(info->pStdReferenceInfo))
        return UNKNOWN_SHAPE;
    const bool top = info->pStdReferenceInfo->flags.top_field_flag,
               bottom = info->pStdReferenceInfo->flags.bottom_field_flag;
    return top && bottom ? UNKNOWN_SHAPE : top ? TOP : bottom ? BOTTOM : FRAME;
}

/* The shape of the decoded picture: a frame, or one of its fields. */
static enum shape shape_of_picture(const StdVideoDecodeH264PictureInfo *std)
{
    if (!std->flags.field_pic_flag)
        return FRAME;
    return std->flags.bottom_field_flag ? BOTTOM : TOP;
}

/* Checks a session that only decodes frames. Only the first field that it finds is reported. */
static void check_progressive(struct coding *c, enum shape shape, enum shape made,
                              const struct location *setup)
{
    REQUIRE(&c->s, RULE_07258, shape == FRAME, "pNext",
            "describes a %s, but the session has no interlaced frame support", shape_names[shape]);
    if (shape != FRAME)
        return;
    if (made != FRAME && made != UNKNOWN_SHAPE) {
        BROKEN(&c->s, RULE_07259, setup, "is a %s, but the session has no interlaced frame support",
               shape_names[made]);
        return;
    }
    for (uint32_t i = 0; i < c->slot_count; i++) {
        const enum shape used = shape_of_slot(&c->slots[i]);
        if (used == FRAME || used == UNKNOWN_SHAPE)
            continue;
        BROKEN(&c->s, RULE_07260, &LOCATION_INDEX(c->s.where, "pReferenceSlots", i),
               "is a %s, but the session has no interlaced frame support", shape_names[used]);
        return;
    }
}

/* Checks the setup slot against the shape of the picture. An unknown shape is not checked. */
static void check_frames(struct coding *c, const StdVideoDecodeH264PictureInfo *std)
{
    const struct location setup = LOCATION_POINTER(c->s.where, "pSetupReferenceSlot");
    const enum shape shape = shape_of_picture(std), made = shape_of_slot(c->setup);
    if (c->session->picture_layout == VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_PROGRESSIVE_KHR) {
        check_progressive(c, shape, made, &setup);
        return;
    }
    if (made == UNKNOWN_SHAPE || made == shape)
        return;
    static const enum rule alike[] = {RULE_07261, RULE_07262, RULE_07263};
    BROKEN(&c->s, alike[shape], &setup, "is a %s, but the decoded picture is a %s",
           shape_names[made], shape_names[shape]);
}

/* Checks how often the frame and the fields of each slot are used. */
static void check_h264_uses(struct coding *c)
{
    for (uint32_t i = 0; i < c->slot_count; i++) {
        const int32_t index = c->slots[i].slotIndex;
        const enum shape shape = shape_of_slot(&c->slots[i]);
        if (shape == UNKNOWN_SHAPE || index < 0)
            continue;
        bool twice = c->setup && c->setup->slotIndex == index && shape_of_slot(c->setup) == shape;
        for (uint32_t k = 0; k < i; k++)
            twice |= c->slots[k].slotIndex == index && shape_of_slot(&c->slots[k]) == shape;
        static const enum rule uses[] = {RULE_07176, RULE_07177, RULE_07178};
        REQUIRE(&c->s, uses[shape], !twice,
                &LOCATION(&LOCATION_INDEX(c->s.where, "pReferenceSlots", i), "slotIndex"),
                "is %d, a slot whose %s this command uses already", index, shape_names[shape]);
    }
}

/* Checks the picture of an H.264 decode. `range`: srcBufferRange in bytes. Inline parameter sets
 * replace those of the session. */
static void check_h264(struct coding *c, VkDeviceSize range)
{
    const VkVideoDecodeH264PictureInfoKHR *info =
        CHAINED(c->chain, VIDEO_DECODE_H264_PICTURE_INFO_KHR);
    const VkVideoDecodeH264InlineSessionParametersInfoKHR *sets =
        CHAINED(c->chain, VIDEO_DECODE_H264_INLINE_SESSION_PARAMETERS_INFO_KHR);
    if (!info || pointer_is_bad(info->pStdPictureInfo))
        return;
    const struct location at = LOCATION_CHAINED(c->s.where, "VkVideoDecodeH264PictureInfoKHR"),
                          inlined =
                              LOCATION_CHAINED(c->s.where,
                                               "VkVideoDecodeH264InlineSessionParametersInfoKHR"),
                          picture = LOCATION_POINTER(&at, "pStdPictureInfo");
    const StdVideoDecodeH264PictureInfo *std = info->pStdPictureInfo;
    const StdVideoH264SequenceParameterSet *sps = sets && takes_inline(c) ? sets->pStdSPS : NULL;
    const StdVideoH264PictureParameterSet *pps = sets && takes_inline(c) ? sets->pStdPPS : NULL;
    decode_check_offsets(c, RULE_07153, &at, "pSliceOffsets", info->pSliceOffsets, info->sliceCount,
                         range);
    check_frames(c, std);
    check_h264_uses(c);
    check_bound(c, RULE_10400, sps && pps);
    coding_check_set(c, RULE_07154, !sps, VIDEO_SPS, video_key(std->seq_parameter_set_id, 0, 0),
                     &picture);
    coding_check_set(c, RULE_07155, !pps && !c->s.wrong, VIDEO_PPS,
                     video_key(std->seq_parameter_set_id, std->pic_parameter_set_id, 0), &picture);
    if (!pointer_is_bad(sps))
        REQUIRE(&c->s, RULE_10401, sps->seq_parameter_set_id == std->seq_parameter_set_id,
                &LOCATION(&inlined, "pStdSPS"),
                "has seq_parameter_set_id %u, but the picture has %u", sps->seq_parameter_set_id,
                std->seq_parameter_set_id);
    if (!pointer_is_bad(pps))
        REQUIRE(&c->s, RULE_10402,
                pps->seq_parameter_set_id == std->seq_parameter_set_id &&
                    pps->pic_parameter_set_id == std->pic_parameter_set_id,
                &LOCATION(&inlined, "pStdPPS"),
                "has seq_parameter_set_id %u and pic_parameter_set_id %u, but the picture has %u "
                "and %u",
                pps->seq_parameter_set_id, pps->pic_parameter_set_id, std->seq_parameter_set_id,
                std->pic_parameter_set_id);
}

/* --- H.265 --- */

/* Checks that inline parameter sets have the ids that the H.265 picture names. */
static void check_h265_inline(struct coding *c, const StdVideoDecodeH265PictureInfo *std,
                              const VkVideoDecodeH265InlineSessionParametersInfoKHR *sets)
{
    const struct location at =
        LOCATION_CHAINED(c->s.where, "VkVideoDecodeH265InlineSessionParametersInfoKHR");
    const StdVideoH265VideoParameterSet *vps = sets->pStdVPS;
    const StdVideoH265SequenceParameterSet *sps = sets->pStdSPS;
    const StdVideoH265PictureParameterSet *pps = sets->pStdPPS;
    if (!pointer_is_bad(vps))
        REQUIRE(&c->s, RULE_10404,
                vps->vps_video_parameter_set_id == std->sps_video_parameter_set_id,
                &LOCATION(&at, "pStdVPS"),
                "has vps_video_parameter_set_id %u, but the picture has %u",
                vps->vps_video_parameter_set_id, std->sps_video_parameter_set_id);
    if (!pointer_is_bad(sps))
        REQUIRE(&c->s, RULE_10405,
                sps->sps_video_parameter_set_id == std->sps_video_parameter_set_id &&
                    sps->sps_seq_parameter_set_id == std->pps_seq_parameter_set_id,
                &LOCATION(&at, "pStdSPS"),
                "has sps_video_parameter_set_id %u and sps_seq_parameter_set_id %u, but the "
                "picture has %u and %u",
                sps->sps_video_parameter_set_id, sps->sps_seq_parameter_set_id,
                std->sps_video_parameter_set_id, std->pps_seq_parameter_set_id);
    if (!pointer_is_bad(pps))
        REQUIRE(&c->s, RULE_10406,
                pps->sps_video_parameter_set_id == std->sps_video_parameter_set_id &&
                    pps->pps_seq_parameter_set_id == std->pps_seq_parameter_set_id &&
                    pps->pps_pic_parameter_set_id == std->pps_pic_parameter_set_id,
                &LOCATION(&at, "pStdPPS"),
                "has sps_video_parameter_set_id %u, pps_seq_parameter_set_id %u and "
                "pps_pic_parameter_set_id %u, but the picture has %u, %u and %u",
                pps->sps_video_parameter_set_id, pps->pps_seq_parameter_set_id,
                pps->pps_pic_parameter_set_id, std->sps_video_parameter_set_id,
                std->pps_seq_parameter_set_id, std->pps_pic_parameter_set_id);
}

/* Checks the picture of an H.265 decode. `range`: srcBufferRange in bytes. Inline parameter sets
 * replace those of the session. */
static void check_h265(struct coding *c, VkDeviceSize range)
{
    const VkVideoDecodeH265PictureInfoKHR *info =
        CHAINED(c->chain, VIDEO_DECODE_H265_PICTURE_INFO_KHR);
    const VkVideoDecodeH265InlineSessionParametersInfoKHR *sets =
        takes_inline(c) ? CHAINED(c->chain, VIDEO_DECODE_H265_INLINE_SESSION_PARAMETERS_INFO_KHR)
                        : NULL;
    if (!info || pointer_is_bad(info->pStdPictureInfo))
        return;
    const struct location at = LOCATION_CHAINED(c->s.where, "VkVideoDecodeH265PictureInfoKHR"),
                          picture = LOCATION_POINTER(&at, "pStdPictureInfo");
    const StdVideoDecodeH265PictureInfo *std = info->pStdPictureInfo;
    const bool vps = sets && sets->pStdVPS, sps = sets && sets->pStdSPS,
               pps = sets && sets->pStdPPS;
    decode_check_offsets(c, RULE_07159, &at, "pSliceSegmentOffsets", info->pSliceSegmentOffsets,
                         info->sliceSegmentCount, range);
    check_bound(c, RULE_10403, vps && sps && pps);
    coding_check_set(c, RULE_07160, !vps, VIDEO_VPS,
                     video_key(std->sps_video_parameter_set_id, 0, 0), &picture);
    coding_check_set(c, RULE_07161, !sps && !c->s.wrong, VIDEO_SPS,
                     video_key(std->sps_video_parameter_set_id, std->pps_seq_parameter_set_id, 0),
                     &picture);
    coding_check_set(c, RULE_07162, !pps && !c->s.wrong, VIDEO_PPS,
                     video_key(std->sps_video_parameter_set_id, std->pps_seq_parameter_set_id,
                               std->pps_pic_parameter_set_id),
                     &picture);
    if (sets)
        check_h265_inline(c, std, sets);
}

/* --- AV1, VP9 --- */

/* True if the picture has film grain. False where that is not known. */
static bool has_grain(const struct coding *c)
{
    const VkVideoDecodeAV1PictureInfoKHR *info =
        c->session->operation == SESSION_CREATES(DECODE_AV1)
            ? CHAINED(c->chain, VIDEO_DECODE_AV1_PICTURE_INFO_KHR)
            : NULL;
    return info && !pointer_is_bad(info->pStdPictureInfo) &&
           info->pStdPictureInfo->flags.apply_grain;
}

/* Checks the picture of an AV1 decode. `range`: srcBufferRange in bytes, in which all tiles must
 * lie. */
static void check_av1(struct coding *c, VkDeviceSize range)
{
    const VkVideoDecodeAV1PictureInfoKHR *info =
        CHAINED(c->chain, VIDEO_DECODE_AV1_PICTURE_INFO_KHR);
    const VkVideoDecodeAV1InlineSessionParametersInfoKHR *sets =
        CHAINED(c->chain, VIDEO_DECODE_AV1_INLINE_SESSION_PARAMETERS_INFO_KHR);
    if (!info)
        return;
    const struct location at = LOCATION_CHAINED(c->s.where, "VkVideoDecodeAV1PictureInfoKHR");
    REQUIRE(&c->s, RULE_09248, c->session->film_grain || !has_grain(c),
            &LOCATION(&at, "pStdPictureInfo"),
            "has apply_grain, but filmGrainSupport of the session's profile is VK_FALSE");
    decode_check_offsets(c, RULE_09253, &at, "pTileOffsets", info->pTileOffsets, info->tileCount,
                         range);
    for (uint32_t i = 0; !c->s.wrong && !pointer_is_bad(info->pTileOffsets) &&
                         !pointer_is_bad(info->pTileSizes) && i < info->tileCount;
         i++)
        REQUIRE(&c->s, RULE_09252, (uint64_t)info->pTileOffsets[i] + info->pTileSizes[i] <= range,
                &LOCATION_INDEX(&at, "pTileSizes", i),
                "is %u, at offset %u, but srcBufferRange is %" PRIu64, info->pTileSizes[i],
                info->pTileOffsets[i], range);
    coding_check_names(c, RULE_09262, RULE_09263, &at, info->referenceNameSlotIndices,
                       VK_MAX_VIDEO_AV1_REFERENCES_PER_FRAME_KHR);
    check_bound(c, RULE_10407, takes_inline(c) && sets && sets->pStdSequenceHeader);
}

/* Checks the slots that a VP9 picture names as references. */
static void check_vp9(struct coding *c)
{
    const VkVideoDecodeVP9PictureInfoKHR *info =
        CHAINED(c->chain, VIDEO_DECODE_VP9_PICTURE_INFO_KHR);
    const struct location at = LOCATION_CHAINED(c->s.where, "VkVideoDecodeVP9PictureInfoKHR");
    if (info)
        coding_check_names(c, RULE_10809, RULE_10810, &at, info->referenceNameSlotIndices,
                           VK_MAX_VIDEO_VP9_REFERENCES_PER_FRAME_KHR);
}

/* --- pictures --- */

/* Checks that the decoded and the reconstructed picture are the same or distinct, as the profile
 * requires. Film grain requires distinct ones. */
static void decode_check_outputs(struct coding *c)
{
    const VkVideoPictureResourceInfoKHR *setup = c->setup ? c->setup->pPictureResource : NULL;
    const struct location slot = LOCATION_POINTER(c->s.where, "pSetupReferenceSlot"),
                          at = LOCATION_POINTER(&slot, "pPictureResource");
    if (!setup || !c->can)
        return;
    const struct video_picture output = video_picture_of(c->s.call, c->picture),
                               made = video_picture_of(c->s.call, setup);
    if (!output.image || !made.image)
        return;
    const VkVideoDecodeCapabilityFlagsKHR can = c->can->VideoDecodeCapabilitiesKHR.flags;
    const bool match = video_pictures_match(&output, &made), grain = has_grain(c);
    REQUIRE(&c->s, RULE_07140,
            !match || can & VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_COINCIDE_BIT_KHR, &at,
            "matches dstPictureResource, but the video profile lacks "
            "VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_COINCIDE_BIT_KHR");
    REQUIRE(&c->s, RULE_07141,
            match || can & VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_DISTINCT_BIT_KHR ||
                (grain && c->session->film_grain),
            &at,
            "does not match dstPictureResource, but the video profile lacks "
            "VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_DISTINCT_BIT_KHR");
    REQUIRE(&c->s, RULE_09249, !match || !grain || !c->session->film_grain, &at,
            "matches dstPictureResource, but film grain is enabled");
}

bool core_validate_CmdDecodeVideoKHR(struct call *call, VkCommandBuffer commandBuffer,
                                     const VkVideoDecodeInfoKHR *pDecodeInfo)
{
    const struct location where = LOCATION_POINTER(NULL, "pDecodeInfo");
    struct coding c = {.s = {.call = call, .where = &where},
                       .rules = &rules,
                       .chain = pDecodeInfo->pNext,
                       .buffer_name = "srcBuffer",
                       .buffer = pDecodeInfo->srcBuffer,
                       .picture_name = "dstPictureResource",
                       .picture = &pDecodeInfo->dstPictureResource,
                       .setup = pDecodeInfo->pSetupReferenceSlot,
                       .slot_count = pDecodeInfo->referenceSlotCount,
                       .slots = pDecodeInfo->pReferenceSlots};
    if (!coding_begin(&c))
        return false;
    const VkDeviceSize range = pDecodeInfo->srcBufferRange;
    switch (c.session->operation) {
    case SESSION_CREATES(DECODE_H264):
        check_h264(&c, range);
        break;
    case SESSION_CREATES(DECODE_H265):
        check_h265(&c, range);
        break;
    case SESSION_CREATES(DECODE_AV1):
        check_av1(&c, range);
        break;
    case SESSION_CREATES(DECODE_VP9):
        check_vp9(&c);
        break;
    default:
        return false; /* the session encodes, which registry/rows.txt has a row for */
    }
    decode_check_outputs(&c);
    coding_check(&c);
    return c.s.skip;
}
