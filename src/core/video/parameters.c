/* Checks the parameter sets that are given to video session parameters objects (42.6 "Video Session
 * Parameters"). */
#include "report/finding/rule.h"
#include "report/names/object_text.h"
#include "state/video/video_session.h"

#include "core/hooks.h"

static const char *const kind_names[] = {"video", "sequence", "picture"};
static const char *const array_names[] = {"pStdVPSs", "pStdSPSs", "pStdPPSs"};
static const char *const count_names[] = {"maxStdVPSCount", "maxStdSPSCount", "maxStdPPSCount"};

/* The rules of one codec operation, by kind of set. */
struct set_rules {
    VkVideoCodecOperationFlagBitsKHR operation;
    const char *creates, *adds;         /* names of the structures with the sets */
    enum vuid unique[VIDEO_SET_KINDS];  /* ids are unique within an array */
    enum vuid most[VIDEO_SET_KINDS];    /* a new object does not exceed its maximum */
    enum vuid known[VIDEO_SET_KINDS];   /* added sets do not exist in the object */
    enum vuid updated[VIDEO_SET_KINDS]; /* an updated object does not exceed its maximum */
};

/* Ids of rules, by number: CREATE is for the create info, UPDATE for the update command, and H264
 * and H265 for the structures that add parameter sets. */
#define CREATE(number_)   VUID_VkVideoSessionParametersCreateInfoKHR_##number_
#define UPDATE(number_)   VUID_vkUpdateVideoSessionParametersKHR_##number_
#define H264(coding_, n_) VUID_VkVideo##coding_##H264SessionParametersAddInfoKHR_None_##n_
#define H265(coding_, n_) VUID_VkVideo##coding_##H265SessionParametersAddInfoKHR_None_##n_
static const struct set_rules all_rules[] = {
    {VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
     "VkVideoDecodeH264SessionParametersCreateInfoKHR",
     "VkVideoDecodeH264SessionParametersAddInfoKHR",
     {[VIDEO_SPS] = H264(Decode, 04825), [VIDEO_PPS] = H264(Decode, 04826)},
     {[VIDEO_SPS] = CREATE(videoSession_07204), [VIDEO_PPS] = CREATE(videoSession_07205)},
     {[VIDEO_SPS] = UPDATE(videoSessionParameters_07216),
      [VIDEO_PPS] = UPDATE(videoSessionParameters_07218)},
     {[VIDEO_SPS] = UPDATE(videoSessionParameters_07217),
      [VIDEO_PPS] = UPDATE(videoSessionParameters_07219)}},
    {VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR,
     "VkVideoDecodeH265SessionParametersCreateInfoKHR",
     "VkVideoDecodeH265SessionParametersAddInfoKHR",
     {H265(Decode, 04833), H265(Decode, 04834), H265(Decode, 04835)},
     {CREATE(videoSession_07207), CREATE(videoSession_07208), CREATE(videoSession_07209)},
     {UPDATE(videoSessionParameters_07220), UPDATE(videoSessionParameters_07222),
      UPDATE(videoSessionParameters_07224)},
     {UPDATE(videoSessionParameters_07221), UPDATE(videoSessionParameters_07223),
      UPDATE(videoSessionParameters_07225)}},
    {VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
     "VkVideoEncodeH264SessionParametersCreateInfoKHR",
     "VkVideoEncodeH264SessionParametersAddInfoKHR",
     {[VIDEO_SPS] = H264(Encode, 04837), [VIDEO_PPS] = H264(Encode, 04838)},
     {[VIDEO_SPS] = CREATE(videoSession_04839), [VIDEO_PPS] = CREATE(videoSession_04840)},
     {[VIDEO_SPS] = UPDATE(videoSessionParameters_07226),
      [VIDEO_PPS] = UPDATE(videoSessionParameters_07227)},
     {[VIDEO_SPS] = UPDATE(videoSessionParameters_06441),
      [VIDEO_PPS] = UPDATE(videoSessionParameters_06442)}},
    {VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR,
     "VkVideoEncodeH265SessionParametersCreateInfoKHR",
     "VkVideoEncodeH265SessionParametersAddInfoKHR",
     {H265(Encode, 06438), H265(Encode, 06439), H265(Encode, 06440)},
     {CREATE(videoSession_04841), CREATE(videoSession_04842), CREATE(videoSession_04843)},
     {UPDATE(videoSessionParameters_07228), UPDATE(videoSessionParameters_07229),
      UPDATE(videoSessionParameters_07230)},
     {UPDATE(videoSessionParameters_06443), UPDATE(videoSessionParameters_06444),
      UPDATE(videoSessionParameters_06445)}},
};
#undef H264
#undef H265

/* The rules of an operation; NULL: its parameter sets are not checked. */
static const struct set_rules *rules_of(VkVideoCodecOperationFlagsKHR operation)
{
    for (size_t i = 0; i < ARRAY_LENGTH(all_rules); i++) {
        if ((VkVideoCodecOperationFlagsKHR)all_rules[i].operation == operation)
            return &all_rules[i];
    }
    return NULL;
}

/* True if an earlier element has the same ids. */
static bool was_added(const struct video_sets *sets, enum video_set_kind kind, uint32_t index)
{
    const uint32_t key = video_set_key(sets, kind, index);
    for (uint32_t i = 0; i < index; i++) {
        if (video_set_key(sets, kind, i) == key)
            return true;
    }
    return false;
}

/* Checks that ids are unique. `s->where`: the structure with the arrays. */
static void check_unique(struct subject *s, const struct set_rules *rules,
                         const struct video_sets *sets)
{
    for (enum video_set_kind kind = 0; kind < VIDEO_SET_KINDS; kind++) {
        for (uint32_t i = 1; i < sets->count[kind]; i++) {
            if (!was_added(sets, kind, i))
                continue;
            BROKEN(s, rules->unique[kind], &LOCATION_INDEX(s->where, array_names[kind], i),
                   "is a %s parameter set with the ids of an element before it", kind_names[kind]);
            break;
        }
    }
}

/* Checks the tiles of each StdVideoH265PictureParameterSet of an encode session. `rule`: for
 * columns and for rows. */
static void session_parameters_check_tiles(struct subject *s, const enum vuid rule[2],
                                           const struct created_video_session *session,
                                           const struct video_sets *sets)
{
    const StdVideoH265PictureParameterSet *all = sets->sets[VIDEO_PPS];
    if (!session || !session->capabilities.known ||
        session->operation != VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR)
        return;
    const VkExtent2D most = session->capabilities.VideoEncodeH265CapabilitiesKHR.maxTiles;
    for (uint32_t i = 0; i < sets->count[VIDEO_PPS]; i++) {
        const struct location at = LOCATION_INDEX(s->where, array_names[VIDEO_PPS], i);
        REQUIRE(s, rule[0], all[i].num_tile_columns_minus1 < most.width,
                &LOCATION(&at, "num_tile_columns_minus1"),
                "is %u, but maxTiles.width of the video profile is %u",
                all[i].num_tile_columns_minus1, most.width);
        REQUIRE(s, rule[1], all[i].num_tile_rows_minus1 < most.height,
                &LOCATION(&at, "num_tile_rows_minus1"),
                "is %u, but maxTiles.height of the video profile is %u",
                all[i].num_tile_rows_minus1, most.height);
    }
}

/* --- creation --- */

/* The number of sets that remain of the template, because no added set replaces them. */
static uint32_t count_of_template(struct created_video_parameters *from,
                                  const struct video_sets *sets, enum video_set_kind kind)
{
    uint32_t count = 0;
    lock_take(&from->lock);
    for (uint32_t i = 0; i < from->set_count; i++) {
        bool replaced = from->sets[i].kind != kind;
        for (uint32_t k = 0; !replaced && k < sets->count[kind]; k++)
            replaced = video_set_key(sets, kind, k) == from->sets[i].key;
        count += !replaced;
    }
    lock_release(&from->lock);
    return count;
}

/* Checks that the maximum allows the added sets and those of the template. */
static void check_counts(struct subject *s, const struct set_rules *rules,
                         const struct video_sets *sets, struct created_video_parameters *from)
{
    for (enum video_set_kind kind = 0; sets->creates && kind < VIDEO_SET_KINDS; kind++) {
        const uint32_t taken = from ? count_of_template(from, sets, kind) : 0;
        REQUIRE(s, rules->most[kind], sets->count[kind] + (uint64_t)taken <= sets->most[kind],
                &LOCATION(&LOCATION_CHAINED(s->where, rules->creates), count_names[kind]),
                "is %u, but %u %s parameter sets are added, and %u of the template",
                sets->most[kind], sets->count[kind], kind_names[kind], taken);
    }
}

/* Checks the template `from` of new session parameters: both must have the same session, quality
 * level and texel size. */
static void check_template(struct subject *s, const VkVideoSessionParametersCreateInfoKHR *info,
                           const struct created_video_session *session,
                           const struct created_video_parameters *from)
{
    /* it must have been created against videoSession */
    REQUIRE(s, CREATE(videoSessionParametersTemplate_04855),
            !from->session || from->session == session->base.id, "videoSessionParametersTemplate",
            "is %s, which was created against another session",
            NAMED(s->call, HANDLE_VIDEO_SESSION_PARAMETERS_KHR,
                  info->videoSessionParametersTemplate));
    if (s->wrong)
        return;
    const VkVideoEncodeQualityLevelInfoKHR *quality =
        CHAINED(info->pNext, VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR);
    const uint32_t level = quality ? quality->qualityLevel : 0;
    const bool encodes = session->operation & (VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR |
                                               VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR |
                                               VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR);
    REQUIRE(s, CREATE(videoSessionParametersTemplate_08310),
            !encodes || level == from->quality_level, "videoSessionParametersTemplate",
            "has quality level %u, where this object has %u", from->quality_level, level);
    const VkVideoEncodeQuantizationMapSessionParametersCreateInfoKHR *map =
        CHAINED(info->pNext, VIDEO_ENCODE_QUANTIZATION_MAP_SESSION_PARAMETERS_CREATE_INFO_KHR);
    const VkFlags compatible =
        VK_VIDEO_SESSION_PARAMETERS_CREATE_QUANTIZATION_MAP_COMPATIBLE_BIT_KHR;
    if (!map || !(info->flags & from->flags & compatible))
        return;
    /* must have been created with the same quantization map texel size */
    REQUIRE(s, CREATE(videoSessionParametersTemplate_10276),
            from->texel_size.width == map->quantizationMapTexelSize.width &&
                from->texel_size.height == map->quantizationMapTexelSize.height,
            "videoSessionParametersTemplate",
            "has a quantizationMapTexelSize of %ux%u, where this object has %ux%u",
            from->texel_size.width, from->texel_size.height, map->quantizationMapTexelSize.width,
            map->quantizationMapTexelSize.height);
}

bool core_validate_CreateVideoSessionParametersKHR(struct call *call, VkDevice device,
                                                   const VkVideoSessionParametersCreateInfoKHR
                                                       *pCreateInfo,
                                                   const VkAllocationCallbacks *pAllocator,
                                                   VkVideoSessionParametersKHR
                                                       *pVideoSessionParameters)
{
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo");
    struct subject s = {.call = call,
                        .where = &where,
                        .objects = OBJECT(HANDLE_VIDEO_SESSION_KHR, pCreateInfo->videoSession)};
    const struct created_video_session *session =
        find_created_video_session(call, pCreateInfo->videoSession);
    struct created_video_parameters *from =
        find_created_video_parameters(call, pCreateInfo->videoSessionParametersTemplate);
    if (!session)
        return false;
    if (from)
        check_template(&s, pCreateInfo, session, from);
    const struct set_rules *rules = rules_of(session->operation);
    struct video_sets sets;
    if (s.wrong || !rules || !video_sets_of(session->operation, pCreateInfo->pNext, &sets))
        return s.skip;
    const struct location chained = LOCATION_CHAINED(&where, rules->creates),
                          added = LOCATION_POINTER(&chained, "pParametersAddInfo");
    struct subject arrays = {.call = call, .where = &added, .objects = s.objects};
    check_unique(&arrays, rules, &sets);
    if (!arrays.wrong)
        check_counts(&s, rules, &sets, from);
    session_parameters_check_tiles(&arrays,
                                   (enum vuid[]){CREATE(videoSession_08319),
                                                 CREATE(videoSession_08320)},
                                   session, &sets);
    return s.skip || arrays.skip;
}

/* --- update --- */

/* Checks that no set of `kind` in an update exists already, and that the maximum allows them all.
 * It takes the lock of `parameters`. */
static void session_parameters_check_update(struct subject *s, const struct set_rules *rules,
                                            const struct video_sets *sets,
                                            struct created_video_parameters *parameters,
                                            enum video_set_kind kind)
{
    uint32_t again = UINT32_MAX;
    lock_take(&parameters->lock);
    const uint32_t count = video_set_count(parameters, kind);
    const bool incomplete = parameters->incomplete;
    for (uint32_t i = 0; i < sets->count[kind] && again == UINT32_MAX; i++) {
        if (video_set_find(parameters, kind, video_set_key(sets, kind, i)))
            again = i;
    }
    lock_release(&parameters->lock);
    /* videoSessionParameters must not already contain an entry that matches any of the elements */
    REQUIRE(s, rules->known[kind], again == UINT32_MAX,
            &LOCATION_INDEX(s->where, array_names[kind], again),
            "is a %s parameter set with ids that the object has a set for already",
            kind_names[kind]);
    /* the number of entries already stored in it plus the value of the std...Count member must be
     * less than or equal to the max...Count videoSessionParameters was created with */
    REQUIRE(s, rules->updated[kind],
            again != UINT32_MAX || incomplete ||
                count + (uint64_t)sets->count[kind] <= parameters->most[kind],
            array_names[kind],
            "has %u elements, and the object has %u such sets already, but %s was %u",
            sets->count[kind], count, count_names[kind], parameters->most[kind]);
}

bool core_validate_UpdateVideoSessionParametersKHR(struct call *call, VkDevice device,
                                                   VkVideoSessionParametersKHR
                                                       videoSessionParameters,
                                                   const VkVideoSessionParametersUpdateInfoKHR
                                                       *pUpdateInfo)
{
    struct created_video_parameters *parameters =
        named_created_video_parameters(call, 0, videoSessionParameters);
    const struct location info = LOCATION_POINTER(NULL, "pUpdateInfo");
    struct subject s = {.call = call,
                        .where = &info,
                        .objects =
                            OBJECT(HANDLE_VIDEO_SESSION_PARAMETERS_KHR, videoSessionParameters)};
    if (!parameters)
        return false;
    lock_take(&parameters->lock);
    const uint32_t updates = parameters->updates;
    lock_release(&parameters->lock);
    /* must equal the current update sequence counter plus one */
    REQUIRE(&s, UPDATE(pUpdateInfo_07215), pUpdateInfo->updateSequenceCount == updates + 1,
            "updateSequenceCount", "is %u, but the object was updated up to %u",
            pUpdateInfo->updateSequenceCount, updates);
    /* The sequence count is wrong, so the update may repeat an earlier one: that its sets exist
     * follows from that. */
    if (s.wrong)
        return s.skip;
    const struct set_rules *rules = rules_of(parameters->operation);
    struct video_sets sets;
    if (!rules || !video_sets_of(parameters->operation, pUpdateInfo->pNext, &sets))
        return s.skip;
    const struct location chained = LOCATION_CHAINED(&info, rules->adds);
    struct subject arrays = {.call = call, .where = &chained, .objects = s.objects};
    check_unique(&arrays, rules, &sets);
    for (enum video_set_kind kind = 0; !arrays.wrong && kind < VIDEO_SET_KINDS; kind++) {
        if (sets.count[kind])
            session_parameters_check_update(&arrays, rules, &sets, parameters, kind);
    }
    session_parameters_check_tiles(&arrays,
                                   (enum vuid[]){UPDATE(videoSessionParameters_08321),
                                                 UPDATE(videoSessionParameters_08322)},
                                   created_video_session_by_id(parameters->session), &sets);
    return s.skip || arrays.skip;
}

/* --- sets that are asked for --- */

/* Checks that a set exists of which the program requests the encoded form. Ids are bytes, so larger
 * ones do not exist. */
static void check_wanted(struct subject *s, enum vuid rule,
                         struct created_video_parameters *parameters, VkBool32 wanted,
                         const char *member, enum video_set_kind kind, const uint32_t ids[3])
{
    struct video_set found;
    const bool can_be = ids[0] <= UINT8_MAX && ids[1] <= UINT8_MAX && ids[2] <= UINT8_MAX;
    REQUIRE(s, rule,
            !wanted || (can_be && video_parameters_have(parameters, kind,
                                                        video_key(ids[0], ids[1], ids[2]), &found)),
            member, "is VK_TRUE, but the object has no %s parameter set with these ids",
            kind_names[kind]);
}

#define GET(number_) \
    VUID_vkGetEncodedVideoSessionParametersKHR_pVideoSessionParametersInfo_##number_
bool core_validate_GetEncodedVideoSessionParametersKHR(
    struct call *call, VkDevice device,
    const VkVideoEncodeSessionParametersGetInfoKHR *pVideoSessionParametersInfo,
    VkVideoEncodeSessionParametersFeedbackInfoKHR *pFeedbackInfo, size_t *pDataSize, void *pData)
{
    const VkVideoSessionParametersKHR handle = pVideoSessionParametersInfo->videoSessionParameters;
    struct created_video_parameters *p = find_created_video_parameters(call, handle);
    const struct location info = LOCATION_POINTER(NULL, "pVideoSessionParametersInfo");
    struct subject s = {.call = call,
                        .objects = OBJECT(HANDLE_VIDEO_SESSION_PARAMETERS_KHR, handle)};
    const void *chain = pVideoSessionParametersInfo->pNext;
    const VkVideoEncodeH264SessionParametersGetInfoKHR *h264 =
        CHAINED(chain, VIDEO_ENCODE_H264_SESSION_PARAMETERS_GET_INFO_KHR);
    const VkVideoEncodeH265SessionParametersGetInfoKHR *h265 =
        CHAINED(chain, VIDEO_ENCODE_H265_SESSION_PARAMETERS_GET_INFO_KHR);
    if (p && p->operation == VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR && h264) {
        const struct location at =
            LOCATION_CHAINED(&info, "VkVideoEncodeH264SessionParametersGetInfoKHR");
        s.where = &at;
        check_wanted(&s, GET(08263), p, h264->writeStdSPS, "writeStdSPS", VIDEO_SPS,
                     (uint32_t[]){h264->stdSPSId, 0, 0});
        check_wanted(&s, GET(08264), p, h264->writeStdPPS, "writeStdPPS", VIDEO_PPS,
                     (uint32_t[]){h264->stdSPSId, h264->stdPPSId, 0});
    }
    if (p && p->operation == VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR && h265) {
        const struct location at =
            LOCATION_CHAINED(&info, "VkVideoEncodeH265SessionParametersGetInfoKHR");
        s.where = &at;
        check_wanted(&s, GET(08266), p, h265->writeStdVPS, "writeStdVPS", VIDEO_VPS,
                     (uint32_t[]){h265->stdVPSId, 0, 0});
        check_wanted(&s, GET(08267), p, h265->writeStdSPS, "writeStdSPS", VIDEO_SPS,
                     (uint32_t[]){h265->stdVPSId, h265->stdSPSId, 0});
        check_wanted(&s, GET(08268), p, h265->writeStdPPS, "writeStdPPS", VIDEO_PPS,
                     (uint32_t[]){h265->stdVPSId, h265->stdSPSId, h265->stdPPSId});
    }
    return s.skip;
}
