/* Parameter sets of video session parameters objects: counts, ids that are there twice, updates. */
#include "video_world.h"

#define CREATE(id_)        "VUID-VkVideoSessionParametersCreateInfoKHR-" id_
#define UPDATE(id_)        "VUID-vkUpdateVideoSessionParametersKHR-videoSessionParameters-" id_
#define GET(id_)           "VUID-vkGetEncodedVideoSessionParametersKHR-pVideoSessionParametersInfo-" id_
#define H264(coding_, id_) "VUID-VkVideo" coding_ "H264SessionParametersAddInfoKHR-None-" id_
#define H265(coding_, id_) "VUID-VkVideo" coding_ "H265SessionParametersAddInfoKHR-None-" id_

static struct video *with_session(struct baseline *b, VkVideoCodecOperationFlagBitsKHR operation)
{
    struct video *v = video_of(b, operation);
    ENSURE(video_create(v));
    return v;
}

/* As many as may be, with ids of their own. */
static struct video *with_all(struct baseline *b, VkVideoCodecOperationFlagBitsKHR operation)
{
    struct video *v = with_session(b, operation);
    for (uint8_t i = 0; i < 3; i++) {
        v->h264_sps[i].seq_parameter_set_id = i;
        v->h264_pps[i].pic_parameter_set_id = i;
        v->h265_vps[i].vps_video_parameter_set_id = i;
        v->h265_sps[i].sps_seq_parameter_set_id = i;
        v->h265_pps[i].pps_pic_parameter_set_id = i;
    }
    v->h264_add.stdSPSCount = v->h264_add.stdPPSCount = 2;
    v->h265_add.stdVPSCount = v->h265_add.stdSPSCount = v->h265_add.stdPPSCount = 2;
    return v;
}

SCENARIO(video_parameter_sets, VIDEO)
{
    static const VkVideoCodecOperationFlagBitsKHR all[] = {
        OPERATION(DECODE_H264), OPERATION(DECODE_H265), OPERATION(DECODE_AV1),
        OPERATION(ENCODE_H264), OPERATION(ENCODE_H265), OPERATION(ENCODE_AV1)};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        video_make_parameters(with_all(b, all[i]));
}

#define SETS(name_, operation_, make_, action_, ...)       \
    SCENARIO(name_, VIDEO, ##__VA_ARGS__)                  \
    {                                                      \
        struct video *v = make_(b, OPERATION(operation_)); \
        action_;                                           \
    }

/* --- ids that are there twice --- */

#define TWICE(name_, operation_, member_, id_)                                                     \
    SETS(name_, operation_, with_all, (v->member_ = 0, video_make_parameters(v)), .expect = {id_}, \
         .text = {"with the ids of an element before it"})
TWICE(video_twice_h264_sps, DECODE_H264, h264_sps[1].seq_parameter_set_id, H264("Decode", "04825"))
TWICE(video_twice_h264_pps, DECODE_H264, h264_pps[1].pic_parameter_set_id, H264("Decode", "04826"))
TWICE(video_twice_h265_vps, DECODE_H265, h265_vps[1].vps_video_parameter_set_id,
      H265("Decode", "04833"))
TWICE(video_twice_h265_sps, DECODE_H265, h265_sps[1].sps_seq_parameter_set_id,
      H265("Decode", "04834"))
TWICE(video_twice_h265_pps, DECODE_H265, h265_pps[1].pps_pic_parameter_set_id,
      H265("Decode", "04835"))
TWICE(video_encode_twice_h264_sps, ENCODE_H264, h264_sps[1].seq_parameter_set_id,
      H264("Encode", "04837"))
TWICE(video_encode_twice_h264_pps, ENCODE_H264, h264_pps[1].pic_parameter_set_id,
      H264("Encode", "04838"))
TWICE(video_encode_twice_h265_vps, ENCODE_H265, h265_vps[1].vps_video_parameter_set_id,
      H265("Encode", "06438"))
TWICE(video_encode_twice_h265_sps, ENCODE_H265, h265_sps[1].sps_seq_parameter_set_id,
      H265("Encode", "06439"))
TWICE(video_encode_twice_h265_pps, ENCODE_H265, h265_pps[1].pps_pic_parameter_set_id,
      H265("Encode", "06440"))

/* Sets of one id in different video or sequence parameter sets are different ones. */
static void make_pairs(struct video *v)
{
    v->h264_pps[1].seq_parameter_set_id = 1;
    v->h264_pps[1].pic_parameter_set_id = 0;
    v->h265_sps[1].sps_video_parameter_set_id = 1;
    v->h265_sps[1].sps_seq_parameter_set_id = 0;
    v->h265_pps[1].pps_seq_parameter_set_id = 1;
    v->h265_pps[1].pps_pic_parameter_set_id = 0;
    video_make_parameters(v);
}
SETS(video_pairs_of_ids, DECODE_H264, with_all, make_pairs(v))
SETS(video_triplets_of_ids, ENCODE_H265, with_all, make_pairs(v))

/* --- more than the object may have --- */

#define MANY(name_, operation_, member_, id_)                                     \
    SETS(name_, operation_, with_all, (v->member_ = 3, video_make_parameters(v)), \
         .expect = {CREATE("videoSession-" id_)}, .text = {"is 2, but 3 ", " sets are added"})
MANY(video_many_h264_sps, DECODE_H264, h264_add.stdSPSCount, "07204")
MANY(video_many_h264_pps, DECODE_H264, h264_add.stdPPSCount, "07205")
MANY(video_many_h265_vps, DECODE_H265, h265_add.stdVPSCount, "07207")
MANY(video_many_h265_sps, DECODE_H265, h265_add.stdSPSCount, "07208")
MANY(video_many_h265_pps, DECODE_H265, h265_add.stdPPSCount, "07209")
MANY(video_encode_many_h264_sps, ENCODE_H264, h264_add.stdSPSCount, "04839")
MANY(video_encode_many_h264_pps, ENCODE_H264, h264_add.stdPPSCount, "04840")
MANY(video_encode_many_h265_vps, ENCODE_H265, h265_add.stdVPSCount, "04841")
MANY(video_encode_many_h265_sps, ENCODE_H265, h265_add.stdSPSCount, "04842")
MANY(video_encode_many_h265_pps, ENCODE_H265, h265_add.stdPPSCount, "04843")

/* --- templates --- */

static void make_from_template(struct video *v, uint8_t id)
{
    video_make_parameters(v);
    v->parameters_info.videoSessionParametersTemplate = v->parameters;
    v->h264_sps[1].seq_parameter_set_id = id;
    v->h264_add.stdPPSCount = 0;
    video_make_parameters(v);
}
SETS(video_template_with_the_same_sets, DECODE_H264, with_all, make_from_template(v, 1))
SETS(video_template_with_other_sets, DECODE_H264, with_all, make_from_template(v, 9),
     .expect = {CREATE("videoSession-07204")},
     .text = {"2 sequence parameter sets are added, and 1 of the template"})

SETS(video_template_of_other_session, DECODE_H264, with_all,
     (video_make_parameters(v), v->parameters_info.videoSessionParametersTemplate = v->parameters,
      video_create(v), video_make_parameters(v)),
     .expect = {CREATE("videoSessionParametersTemplate-04855")},
     .text = {"which was created against another session"})

static void make_of_quality(struct video *v, uint32_t level)
{
    VkVideoEncodeQualityLevelInfoKHR quality = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR,
        .pNext = v->parameters_info.pNext,
        .qualityLevel = 1};
    v->parameters_info.pNext = &quality;
    video_make_parameters(v);
    v->parameters_info.videoSessionParametersTemplate = v->parameters;
    quality.qualityLevel = level;
    video_make_parameters(v);
}
SETS(video_template_of_quality, ENCODE_H264, with_all, make_of_quality(v, 1))
SETS(video_template_of_other_quality, ENCODE_H264, with_all, make_of_quality(v, 2),
     .expect = {CREATE("videoSessionParametersTemplate-08310")},
     .text = {"has quality level 1, where this object has 2"})

static struct video *with_maps(struct baseline *b, VkVideoCodecOperationFlagBitsKHR operation)
{
    struct video *v = video_of(b, operation);
    v->session_info.flags = VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR;
    ENSURE(video_create(v));
    return v;
}

static void make_of_texel(struct video *v, uint32_t first, uint32_t second)
{
    VkVideoEncodeQuantizationMapSessionParametersCreateInfoKHR map = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pNext = v->parameters_info.pNext,
        .quantizationMapTexelSize = {first, first}};
    v->parameters_info.pNext = &map;
    v->parameters_info.flags =
        VK_VIDEO_SESSION_PARAMETERS_CREATE_QUANTIZATION_MAP_COMPATIBLE_BIT_KHR;
    video_make_parameters(v);
    v->parameters_info.videoSessionParametersTemplate = v->parameters;
    map.quantizationMapTexelSize.height = second;
    video_make_parameters(v);
}
SETS(video_template_of_texel_size, ENCODE_H264, with_maps, make_of_texel(v, 16, 16))
SETS(video_template_of_other_texel_size, ENCODE_H264, with_maps, make_of_texel(v, 16, 32),
     .expect = {CREATE("videoSessionParametersTemplate-10276")}, .allow = {CREATE("flags-10273")},
     .text = {"has a quantizationMapTexelSize of 16x16, where this object has 16x32"})

/* --- updates --- */

/* The sets with the ids 0 are there. One more of the kind fits. */
static struct video *with_first(struct baseline *b, VkVideoCodecOperationFlagBitsKHR operation)
{
    struct video *v = with_all(b, operation);
    v->h264_add.stdSPSCount = v->h264_add.stdPPSCount = 1;
    v->h265_add.stdVPSCount = v->h265_add.stdSPSCount = v->h265_add.stdPPSCount = 1;
    video_make_parameters(v);
    v->h264_add.pStdSPSs++;
    v->h264_add.pStdPPSs++;
    v->h265_add.pStdVPSs++;
    v->h265_add.pStdSPSs++;
    v->h265_add.pStdPPSs++;
    return v;
}

static const void *add_of(const struct video *v)
{
    return v->operation == OPERATION(DECODE_H264) || v->operation == OPERATION(ENCODE_H264)
               ? (const void *)&v->h264_add
               : &v->h265_add;
}

SETS(video_update_h264, DECODE_H264, with_first,
     (video_update(v, 1, add_of(v)), video_update(v, 2, NULL)))
SETS(video_update_h265, DECODE_H265, with_first, video_update(v, 1, add_of(v)))
SETS(video_update_encode_h264, ENCODE_H264, with_first, video_update(v, 1, add_of(v)))
SETS(video_update_encode_h265, ENCODE_H265, with_first, video_update(v, 1, add_of(v)))
SETS(video_update_out_of_sequence, DECODE_H264, with_first, video_update(v, 2, add_of(v)),
     .expect = {"VUID-vkUpdateVideoSessionParametersKHR-pUpdateInfo-07215"},
     .text = {"updateSequenceCount is 2, but the object was updated up to 0"})
SETS(video_update_twice_the_same, DECODE_H264, with_first,
     (video_update(v, 1, add_of(v)), video_update(v, 1, NULL)),
     .expect = {"VUID-vkUpdateVideoSessionParametersKHR-pUpdateInfo-07215"})
/* The sets of the second update are there already, which follows from its number. */
SETS(video_update_twice_with_sets, DECODE_H264, with_first,
     (video_update(v, 1, add_of(v)), video_update(v, 1, add_of(v))),
     .expect = {"VUID-vkUpdateVideoSessionParametersKHR-pUpdateInfo-07215"})

#define AGAIN(name_, operation_, member_, id_)                                         \
    SETS(name_, operation_, with_first, (v->member_--, video_update(v, 1, add_of(v))), \
         .expect = {UPDATE(id_)}, .text = {"with ids that the object has a set for already"})
AGAIN(video_again_h264_sps, DECODE_H264, h264_add.pStdSPSs, "07216")
AGAIN(video_again_h264_pps, DECODE_H264, h264_add.pStdPPSs, "07218")
AGAIN(video_again_h265_vps, DECODE_H265, h265_add.pStdVPSs, "07220")
AGAIN(video_again_h265_sps, DECODE_H265, h265_add.pStdSPSs, "07222")
AGAIN(video_again_h265_pps, DECODE_H265, h265_add.pStdPPSs, "07224")
AGAIN(video_encode_again_h264_sps, ENCODE_H264, h264_add.pStdSPSs, "07226")
AGAIN(video_encode_again_h264_pps, ENCODE_H264, h264_add.pStdPPSs, "07227")
AGAIN(video_encode_again_h265_vps, ENCODE_H265, h265_add.pStdVPSs, "07228")
AGAIN(video_encode_again_h265_sps, ENCODE_H265, h265_add.pStdSPSs, "07229")
AGAIN(video_encode_again_h265_pps, ENCODE_H265, h265_add.pStdPPSs, "07230")

#define FULL(name_, operation_, member_, id_)                                            \
    SETS(name_, operation_, with_first, (v->member_ = 2, video_update(v, 1, add_of(v))), \
         .expect = {UPDATE(id_)},                                                        \
         .text = {"has 2 elements, and the object has 1 such sets already, but "})
FULL(video_full_h264_sps, DECODE_H264, h264_add.stdSPSCount, "07217")
FULL(video_full_h264_pps, DECODE_H264, h264_add.stdPPSCount, "07219")
FULL(video_full_h265_vps, DECODE_H265, h265_add.stdVPSCount, "07221")
FULL(video_full_h265_sps, DECODE_H265, h265_add.stdSPSCount, "07223")
FULL(video_full_h265_pps, DECODE_H265, h265_add.stdPPSCount, "07225")
FULL(video_encode_full_h264_sps, ENCODE_H264, h264_add.stdSPSCount, "06441")
FULL(video_encode_full_h264_pps, ENCODE_H264, h264_add.stdPPSCount, "06442")
FULL(video_encode_full_h265_vps, ENCODE_H265, h265_add.stdVPSCount, "06443")
FULL(video_encode_full_h265_sps, ENCODE_H265, h265_add.stdSPSCount, "06444")
FULL(video_encode_full_h265_pps, ENCODE_H265, h265_add.stdPPSCount, "06445")

/* --- tiles of what is encoded --- */

#define FEW_TILES \
    .null_driver = "{\"properties\": {\"VkVideoEncodeH265CapabilitiesKHR.maxTiles\": [3, 2]}}"
static void make_tiles(struct video *v, uint8_t columns, uint8_t rows)
{
    v->h265_pps[0].num_tile_columns_minus1 = (uint8_t)(columns - 1);
    v->h265_pps[0].num_tile_rows_minus1 = (uint8_t)(rows - 1);
    video_make_parameters(v);
}
SETS(video_tiles, ENCODE_H265, with_all, make_tiles(v, 3, 2), FEW_TILES)
SETS(video_tile_columns, ENCODE_H265, with_all, make_tiles(v, 4, 2), FEW_TILES,
     .expect = {CREATE("videoSession-08319")},
     .text = {"num_tile_columns_minus1 is 3, but maxTiles.width of the video profile is 3"})
SETS(video_tile_rows, ENCODE_H265, with_all, make_tiles(v, 3, 3), FEW_TILES,
     .expect = {CREATE("videoSession-08320")},
     .text = {"num_tile_rows_minus1 is 2, but maxTiles.height of the video profile is 2"})

static void update_tiles(struct video *v, uint8_t columns, uint8_t rows)
{
    v->h265_pps[1].num_tile_columns_minus1 = (uint8_t)(columns - 1);
    v->h265_pps[1].num_tile_rows_minus1 = (uint8_t)(rows - 1);
    video_update(v, 1, &v->h265_add);
}
SETS(video_update_tiles, ENCODE_H265, with_first, update_tiles(v, 3, 2), FEW_TILES)
SETS(video_update_tile_columns, ENCODE_H265, with_first, update_tiles(v, 4, 2), FEW_TILES,
     .expect = {UPDATE("08321")})
SETS(video_update_tile_rows, ENCODE_H265, with_first, update_tiles(v, 3, 3), FEW_TILES,
     .expect = {UPDATE("08322")})

/* --- encoded sets --- */

static void get_parameters(struct video *v, const void *what)
{
    const VkVideoEncodeSessionParametersGetInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_PARAMETERS_GET_INFO_KHR,
        .pNext = what,
        .videoSessionParameters = v->parameters};
    size_t size = 0;
    (void)DEVICE_PROC(v->b, vkGetEncodedVideoSessionParametersKHR)(v->b->device, &info, NULL, &size,
                                                                   NULL);
}

static void get_h264(struct video *v, bool sequence, uint32_t sps, bool picture, uint32_t pps)
{
    const VkVideoEncodeH264SessionParametersGetInfoKHR what = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_GET_INFO_KHR,
        .writeStdSPS = sequence,
        .writeStdPPS = picture,
        .stdSPSId = sps,
        .stdPPSId = pps};
    get_parameters(v, &what);
}
SETS(video_get_h264, ENCODE_H264, with_first,
     (get_h264(v, true, 0, true, 0), get_h264(v, true, 0, false, 9)))
SETS(video_get_no_h264_sps, ENCODE_H264, with_first, get_h264(v, true, 1, false, 0),
     .expect = {GET("08263")},
     .text = {
         "writeStdSPS is VK_TRUE, but the object has no sequence parameter set with these ids"})
SETS(video_get_no_h264_pps, ENCODE_H264, with_first, get_h264(v, true, 0, true, 256),
     .expect = {GET("08264")})

static void get_h265(struct video *v, bool video, bool sequence, bool picture, uint32_t vps,
                     uint32_t sps, uint32_t pps)
{
    const VkVideoEncodeH265SessionParametersGetInfoKHR what = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_GET_INFO_KHR,
        .writeStdVPS = video,
        .writeStdSPS = sequence,
        .writeStdPPS = picture,
        .stdVPSId = vps,
        .stdSPSId = sps,
        .stdPPSId = pps};
    get_parameters(v, &what);
}
SETS(video_get_h265, ENCODE_H265, with_first, get_h265(v, true, true, true, 0, 0, 0))
SETS(video_get_no_h265_vps, ENCODE_H265, with_first, get_h265(v, true, false, false, 1, 0, 0),
     .expect = {GET("08266")})
SETS(video_get_no_h265_sps, ENCODE_H265, with_first, get_h265(v, true, true, false, 0, 1, 0),
     .expect = {GET("08267")})
SETS(video_get_no_h265_pps, ENCODE_H265, with_first, get_h265(v, true, true, true, 0, 0, 1),
     .expect = {GET("08268")})
