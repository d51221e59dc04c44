/* Video sessions: what their profile allows, memory, destruction. */
#include "video_world.h"

#define CREATE(id_) "VUID-VkVideoSessionCreateInfoKHR-" id_
#define BIND(id_)   "VUID-vkBindVideoSessionMemoryKHR-" id_

#define CREATES(name_, operation_, change_, ...)              \
    SCENARIO(name_, VIDEO, ##__VA_ARGS__)                     \
    {                                                         \
        struct video *v = video_of(b, OPERATION(operation_)); \
        change_;                                              \
        (void)video_create(v);                                \
    }

SCENARIO(video_sessions, VIDEO)
{
    static const VkVideoCodecOperationFlagBitsKHR all[] = {
        OPERATION(DECODE_H264), OPERATION(DECODE_H265), OPERATION(DECODE_AV1),
        OPERATION(DECODE_VP9),  OPERATION(ENCODE_H264), OPERATION(ENCODE_H265),
        OPERATION(ENCODE_AV1)};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        ENSURE(video_create(video_of(b, all[i])));
}

CREATES(video_profile_not_supported, DECODE_H264, (void)0,
        .null_driver = "{\"fail\": {\"vkGetPhysicalDeviceVideoCapabilitiesKHR\": "
                       "\"VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR\"}}",
        .expect = {CREATE("pVideoProfile-04845")},
        .text = {"pVideoProfile is a profile that the driver does not support"})
CREATES(video_family_without_codec, DECODE_H264, v->session_info.queueFamilyIndex = 0,
        .expect = {CREATE("pVideoProfile-11759")},
        .text = {"queueFamilyIndex is 0, a family that does not support "
                 "VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR"})
CREATES(video_other_picture_format, DECODE_H264,
        v->session_info.pictureFormat = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM,
        .expect = {CREATE("pictureFormat-04853")},
        .text = {"pictureFormat is VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, which is none of the "
                 "formats that this profile has for VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR"})
CREATES(video_other_input_format, ENCODE_H264,
        v->session_info.pictureFormat = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM,
        .expect = {CREATE("pictureFormat-04854")})
CREATES(video_other_reference_format, DECODE_H264,
        v->session_info.referencePictureFormat = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM,
        .expect = {CREATE("referencePictureFormat-04852")})
CREATES(video_other_encoded_reference_format, ENCODE_H264,
        v->session_info.referencePictureFormat = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM,
        .expect = {CREATE("referencePictureFormat-06814")})
/* No picture is ever a reference. */
CREATES(video_no_references_of_other_format, DECODE_H264,
        (v->session_info.referencePictureFormat = VK_FORMAT_UNDEFINED,
         v->session_info.maxDpbSlots = v->session_info.maxActiveReferencePictures = 0))
CREATES(video_other_header, DECODE_H264, v->header.extensionName[0] = 'X',
        .expect = {CREATE("pStdHeaderVersion-07190")},
        .text = {"pStdHeaderVersion has extensionName \"XK_STD_",
                 "where this profile has \"VK_STD_"})

/* --- levels --- */

#define LEVEL(name_, operation_, Type_, TYPE_, use_, member_, value_, used_, ...)      \
    SCENARIO(name_, VIDEO, ##__VA_ARGS__)                                              \
    {                                                                                  \
        struct video *v = video_of(b, OPERATION(operation_));                          \
        const VkVideoEncode##Type_##SessionCreateInfoKHR level = {                     \
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_##TYPE_##_SESSION_CREATE_INFO_KHR, \
            .use_ = used_,                                                             \
            .member_ = value_};                                                        \
        v->session_info.pNext = &level;                                                \
        (void)video_create(v);                                                         \
    }
#define LEVEL_H264(name_, level_, used_, ...)                                            \
    LEVEL(name_, ENCODE_H264, H264, H264, useMaxLevelIdc, maxLevelIdc,                   \
          STD_VIDEO_H264_LEVEL_IDC_##level_, used_,                                      \
          .null_driver =                                                                 \
              "{\"properties\": {\"VkVideoEncodeH264CapabilitiesKHR.maxLevelIdc\": 5}}", \
          ##__VA_ARGS__)
LEVEL_H264(video_level_h264, 2_1, VK_TRUE)
LEVEL_H264(video_level_h264_unused, 6_2, VK_FALSE)
LEVEL_H264(video_level_h264_above, 2_2, VK_TRUE, .expect = {CREATE("pVideoProfile-08251")},
           .text = {"maxLevelIdc is 6, but the video profile has 5"})
LEVEL(video_level_h265, ENCODE_H265, H265, H265, useMaxLevelIdc, maxLevelIdc,
      STD_VIDEO_H265_LEVEL_IDC_4_1, VK_TRUE,
      .null_driver = "{\"properties\": {\"VkVideoEncodeH265CapabilitiesKHR.maxLevelIdc\": 6}}")
LEVEL(video_level_h265_above, ENCODE_H265, H265, H265, useMaxLevelIdc, maxLevelIdc,
      STD_VIDEO_H265_LEVEL_IDC_5_0, VK_TRUE,
      .null_driver = "{\"properties\": {\"VkVideoEncodeH265CapabilitiesKHR.maxLevelIdc\": 6}}",
      .expect = {CREATE("pVideoProfile-08252")})
LEVEL(video_level_av1, ENCODE_AV1, AV1, AV1, useMaxLevel, maxLevel, STD_VIDEO_AV1_LEVEL_3_0,
      VK_TRUE, .null_driver = "{\"properties\": {\"VkVideoEncodeAV1CapabilitiesKHR.maxLevel\": 4}}")
LEVEL(video_level_av1_above, ENCODE_AV1, AV1, AV1, useMaxLevel, maxLevel, STD_VIDEO_AV1_LEVEL_3_1,
      VK_TRUE, .null_driver = "{\"properties\": {\"VkVideoEncodeAV1CapabilitiesKHR.maxLevel\": 4}}",
      .expect = {CREATE("pVideoProfile-10270")})

/* --- intra refresh --- */

static void refresh_by(struct video *v, VkVideoEncodeIntraRefreshModeFlagBitsKHR mode)
{
    static VkVideoEncodeSessionIntraRefreshCreateInfoKHR refresh;
    refresh = (VkVideoEncodeSessionIntraRefreshCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_INTRA_REFRESH_CREATE_INFO_KHR,
        .intraRefreshMode = mode};
    v->session_info.pNext = &refresh;
}
#define BY_ROWS    \
    .null_driver = \
        "{\"properties\": {\"VkVideoEncodeIntraRefreshCapabilitiesKHR.intraRefreshModes\": 4}}"
CREATES(video_refresh_mode, ENCODE_H264,
        refresh_by(v, VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_ROW_BASED_BIT_KHR), BY_ROWS)
CREATES(video_refresh_mode_without, ENCODE_H264,
        refresh_by(v, VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_BASED_BIT_KHR), BY_ROWS,
        .expect = {CREATE("pVideoProfile-10836")})

/* --- conversion from RGB --- */

static const VkPhysicalDeviceVideoEncodeRgbConversionFeaturesVALVE conversion = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_RGB_CONVERSION_FEATURES_VALVE,
    .pNext = (void *)(uintptr_t)&video_features,
    .videoEncodeRgbConversion = VK_TRUE};
#define RGB_ON(features_)                                  \
    .drivers = NULL_DRIVER, .features = features_,         \
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
                   "VK_VALVE_video_encode_rgb_conversion"}
static void create_rgb(struct baseline *b, bool perform, bool described)
{
    struct video *v = video_of(b, OPERATION(ENCODE_H264));
    const VkVideoEncodeProfileRgbConversionInfoVALVE info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_PROFILE_RGB_CONVERSION_INFO_VALVE,
        .pNext = v->profile.pNext,
        .performEncodeRgbConversion = perform};
    const VkVideoEncodeSessionRgbConversionCreateInfoVALVE create = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_RGB_CONVERSION_CREATE_INFO_VALVE,
        .rgbModel = VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_RGB_IDENTITY_BIT_VALVE,
        .rgbRange = VK_VIDEO_ENCODE_RGB_RANGE_COMPRESSION_FULL_RANGE_BIT_VALVE,
        .xChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_COSITED_EVEN_BIT_VALVE,
        .yChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_COSITED_EVEN_BIT_VALVE};
    v->profile.pNext = &info;
    v->session_info.pNext = described ? &create : NULL;
    (void)video_create(v);
}
SCENARIO(video_rgb, RGB_ON(&conversion))
{
    create_rgb(b, true, true);
    create_rgb(b, false, false);
}
SCENARIO(video_rgb_without_feature, RGB_ON(&video_features),
         .expect = {CREATE("pVideoProfile-10923")})
{
    create_rgb(b, false, false);
}
SCENARIO(video_rgb_not_described, RGB_ON(&conversion), .expect = {CREATE("pNext-10924")})
{
    create_rgb(b, true, false);
}

/* --- formats --- */

static void ask_formats(struct baseline *b, const void *chain)
{
    const VkPhysicalDeviceVideoFormatInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_FORMAT_INFO_KHR,
        .pNext = chain,
        .imageUsage = VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR};
    uint32_t count = 0;
    (void)INSTANCE_PROC(b, vkGetPhysicalDeviceVideoFormatPropertiesKHR)(b->physical_device, &info,
                                                                        &count, NULL);
}
#define NO_LIST "VUID-vkGetPhysicalDeviceVideoFormatPropertiesKHR-pNext-06812"
SCENARIO(video_formats, VIDEO)
{
    ask_formats(b, &video_of(b, OPERATION(DECODE_H264))->profiles);
}
SCENARIO(video_formats_of_nothing, VIDEO, .expect = {NO_LIST},
         .text = {"pVideoFormatInfo has no VkVideoProfileListInfoKHR in its pNext chain"})
{
    ask_formats(b, NULL);
}
SCENARIO(video_formats_of_no_profile, VIDEO, .expect = {NO_LIST}, .text = {"profileCount of 0"})
{
    struct video *v = video_of(b, OPERATION(DECODE_H264));
    v->profiles.profileCount = 0;
    ask_formats(b, &v->profiles);
}

/* --- memory --- */

static void bind_session_memory(struct video *v, uint32_t count,
                                const VkBindVideoSessionMemoryInfoKHR *infos)
{
    (void)DEVICE_PROC(v->b, vkBindVideoSessionMemoryKHR)(v->b->device, v->session, count, infos);
}

/* Memory for a binding that was not made yet. */
static struct video *unbound_session(struct baseline *b)
{
    struct video *v = video_of(b, OPERATION(DECODE_H264));
    ENSURE(video_create(v));
    video_bind(v);
    ENSURE(video_create(v));
    v->binding.memoryOffset = v->needs.memoryRequirements.alignment;
    return v;
}

#define BINDS(name_, change_, ...)              \
    SCENARIO(name_, VIDEO, ##__VA_ARGS__)       \
    {                                           \
        struct video *v = unbound_session(b);   \
        change_;                                \
        bind_session_memory(v, 1, &v->binding); \
    }
BINDS(video_bind_session, (void)0)
BINDS(video_bind_unknown, v->binding.memoryBindIndex = 7,
      .expect = {BIND("pBindSessionMemoryInfos-07197")},
      .text = {"memoryBindIndex is 7, which is the memoryBindIndex of none"})
BINDS(video_bind_misaligned, v->binding.memoryOffset = 1,
      .expect = {BIND("pBindSessionMemoryInfos-07199")},
      .text = {"memoryOffset is 1, which is not a multiple of the required alignment"})
BINDS(video_bind_size, v->binding.memorySize--, .expect = {BIND("pBindSessionMemoryInfos-07200")},
      .text = {"but the requirements' size is "})

static VkDeviceMemory other_memory(struct video *v)
{
    uint32_t type = 0;
    while (v->needs.memoryRequirements.memoryTypeBits & 1u << type)
        type++;
    VkMemoryAllocateInfo info = memory_info(4 * v->needs.memoryRequirements.size, type);
    return create_memory(v->b, &info);
}
BINDS(video_bind_other_type, v->binding.memory = other_memory(v),
      .expect = {BIND("pBindSessionMemoryInfos-07198")},
      .text = {"but memoryTypeBits of the requirements is "})

SCENARIO(video_bind_again, VIDEO, .expect = {BIND("videoSession-07195")},
         .text = {"memoryBindIndex is 0, which is bound to memory already"})
{
    struct video *v = unbound_session(b);
    bind_session_memory(v, 1, &v->binding);
    bind_session_memory(v, 1, &v->binding);
}

/* A session that could not be bound has no memory. */
SCENARIO(video_bind_after_failure, VIDEO,
         .null_driver = "{\"failAfter\": {\"vkBindVideoSessionMemoryKHR\": 1}}")
{
    struct video *v = unbound_session(b);
    bind_session_memory(v, 1, &v->binding);
    bind_session_memory(v, 1, &v->binding);
}

SCENARIO(video_bind_twice_at_once, VIDEO, .expect = {BIND("memoryBindIndex-07196")},
         .text = {"memoryBindIndex is 0, as that of pBindSessionMemoryInfos[0]"})
{
    struct video *v = unbound_session(b);
    bind_session_memory(v, 2, (VkBindVideoSessionMemoryInfoKHR[]){v->binding, v->binding});
}

/* --- destruction --- */

/* One family does all. What is submitted is done, but the layer cannot know it. */
#define ONE_FAMILY                                                                 \
    .null_driver = "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", " \
                   "\"transfer\", \"videoDecode\", \"videoEncode\"], \"count\": 1}]}"

static struct video *submit_session(struct baseline *b)
{
    struct video *v = video_ready(b, OPERATION(DECODE_H264));
    video_begin(v);
    video_end(v);
    VK(vkEndCommandBuffer(v->commands));
    VkSubmitInfo submit = submit_info(&v->commands);
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    return v;
}

SCENARIO(video_destroy_done, VIDEO, ONE_FAMILY)
{
    struct video *v = submit_session(b);
    VK(vkQueueWaitIdle(b->queue));
    DEVICE_PROC(b, vkDestroyVideoSessionParametersKHR)(b->device, v->parameters, NULL);
    FORGET(b, v->parameters);
    DEVICE_PROC(b, vkDestroyVideoSessionKHR)(b->device, v->session, NULL);
    FORGET(b, v->session);
}

SCENARIO(video_destroy_in_use, VIDEO, ONE_FAMILY,
         .expect = {"VUID-vkDestroyVideoSessionKHR-videoSession-07192"}, .text = {"videoSession"})
{
    struct video *v = submit_session(b);
    DEVICE_PROC(b, vkDestroyVideoSessionKHR)(b->device, v->session, NULL);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(video_destroy_parameters_in_use, VIDEO, ONE_FAMILY,
         .expect = {"VUID-vkDestroyVideoSessionParametersKHR-videoSessionParameters-07212"})
{
    struct video *v = submit_session(b);
    DEVICE_PROC(b, vkDestroyVideoSessionParametersKHR)(b->device, v->parameters, NULL);
    VK(vkQueueWaitIdle(b->queue));
}

/* --- quality levels --- */

static void get_quality(struct baseline *b, uint32_t level)
{
    struct video *v = video_of(b, OPERATION(ENCODE_H264));
    const VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR,
        .pVideoProfile = &v->profile,
        .qualityLevel = level};
    VkVideoEncodeH264QualityLevelPropertiesKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_QUALITY_LEVEL_PROPERTIES_KHR};
    VkVideoEncodeQualityLevelPropertiesKHR properties = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUALITY_LEVEL_PROPERTIES_KHR, .pNext = &h264};
    (void)INSTANCE_PROC(b,
                        vkGetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR)(b->physical_device,
                                                                                 &info,
                                                                                 &properties);
}
#define QUALITY(id_) .expect = {"VUID-VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR-" id_}

SCENARIO(video_quality_of_last_level, VIDEO)
{
    get_quality(b, 3);
}

SCENARIO(video_quality_of_no_level, VIDEO, QUALITY("qualityLevel-08261"),
         .text = {"qualityLevel is 4, but maxQualityLevels is 4"})
{
    get_quality(b, 4);
}

SCENARIO(video_quality_of_unsupported_profile, VIDEO,
         .null_driver = "{\"fail\": {\"vkGetPhysicalDeviceVideoCapabilitiesKHR\": "
                        "\"VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR\"}}",
         QUALITY("pVideoProfile-08259"))
{
    get_quality(b, 0);
}
