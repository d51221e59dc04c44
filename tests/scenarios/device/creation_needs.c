/* Checks of creation that no other file has: video profiles, extensions that need others, flags of
 * pipelines. */
#include "scenario.h"

/* --- video profiles --- */

#define VIDEO                                                                \
    .drivers = NULL_DRIVER,                                                  \
    .extensions = {"VK_KHR_video_queue",        "VK_KHR_video_decode_queue", \
                   "VK_KHR_video_encode_queue", "VK_KHR_video_decode_h264",  \
                   "VK_KHR_video_decode_h265",  "VK_KHR_video_decode_av1",   \
                   "VK_KHR_video_decode_vp9",   "VK_KHR_video_encode_h264",  \
                   "VK_KHR_video_encode_h265",  "VK_KHR_video_encode_av1"},  \
    .features = &codecs
static const VkPhysicalDeviceVideoDecodeVP9FeaturesKHR vp9 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_DECODE_VP9_FEATURES_KHR,
    .videoDecodeVP9 = VK_TRUE};
static const VkPhysicalDeviceVideoEncodeAV1FeaturesKHR codecs = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_AV1_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&vp9,
    .videoEncodeAV1 = VK_TRUE};

static const VkVideoDecodeH264ProfileInfoKHR h264 = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR,
    .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_MAIN};

static VkVideoProfileInfoKHR profile_of(VkVideoCodecOperationFlagBitsKHR operation,
                                        const void *chain)
{
    return (VkVideoProfileInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
                                   .pNext = chain,
                                   .videoCodecOperation = operation,
                                   .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
                                   .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
                                   .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR};
}

/* A buffer for such video. */
static void use_profiles(struct baseline *b, uint32_t count, const VkVideoProfileInfoKHR *profiles)
{
    const VkVideoProfileListInfoKHR list = {.sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
                                            .profileCount = count,
                                            .pProfiles = profiles};
    VkBufferCreateInfo info = buffer_info(256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    info.pNext = &list;
    create_buffer(b, &info);
}

#define PROFILE(name_, change_, ...)                                         \
    SCENARIO(name_, VIDEO, ##__VA_ARGS__)                                    \
    {                                                                        \
        VkVideoProfileInfoKHR profile =                                      \
            profile_of(VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR, &h264); \
        change_;                                                             \
        use_profiles(b, 1, &profile);                                        \
    }
#define ID(name_) "VUID-VkVideoProfileInfoKHR-" name_
PROFILE(video_profile, (void)0)
PROFILE(video_subsampling_none, profile.chromaSubsampling = 0,
        .expect = {ID("chromaSubsampling-parameter")})
PROFILE(video_subsampling_two,
        profile.chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR |
                                    VK_VIDEO_CHROMA_SUBSAMPLING_444_BIT_KHR,
        .expect = {ID("chromaSubsampling-07013")})
PROFILE(video_luma_two,
        profile.lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR |
                               VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR,
        .expect = {ID("lumaBitDepth-07014")})
PROFILE(video_chroma_none, profile.chromaBitDepth = 0, .expect = {ID("chromaSubsampling-07015")})
PROFILE(video_monochrome,
        (profile.chromaBitDepth = 0,
         profile.chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_MONOCHROME_BIT_KHR))

#define CODEC(name_, operation_, Codec_, TYPE_, number_)                             \
    SCENARIO(name_##_without, VIDEO, .expect = {ID("videoCodecOperation-" number_)}) \
    {                                                                                \
        VkVideoProfileInfoKHR profile =                                              \
            profile_of(VK_VIDEO_CODEC_OPERATION_##operation_##_BIT_KHR, NULL);       \
        use_profiles(b, 1, &profile);                                                \
    }                                                                                \
    SCENARIO(name_, VIDEO)                                                           \
    {                                                                                \
        const VkVideo##Codec_##ProfileInfoKHR codec = {                              \
            .sType = VK_STRUCTURE_TYPE_VIDEO_##TYPE_##_PROFILE_INFO_KHR};            \
        VkVideoProfileInfoKHR profile =                                              \
            profile_of(VK_VIDEO_CODEC_OPERATION_##operation_##_BIT_KHR, &codec);     \
        use_profiles(b, 1, &profile);                                                \
    }
CODEC(video_decode_h264, DECODE_H264, DecodeH264, DECODE_H264, "07179")
CODEC(video_decode_h265, DECODE_H265, DecodeH265, DECODE_H265, "07180")
CODEC(video_decode_vp9, DECODE_VP9, DecodeVP9, DECODE_VP9, "10791")
CODEC(video_decode_av1, DECODE_AV1, DecodeAV1, DECODE_AV1, "09256")
CODEC(video_encode_h264, ENCODE_H264, EncodeH264, ENCODE_H264, "07181")
CODEC(video_encode_h265, ENCODE_H265, EncodeH265, ENCODE_H265, "07182")
CODEC(video_encode_av1, ENCODE_AV1, EncodeAV1, ENCODE_AV1, "10262")

static void use_two(struct baseline *b, VkVideoCodecOperationFlagBitsKHR second, const void *codec)
{
    const VkVideoProfileInfoKHR profiles[2] = {
        profile_of(VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR, &h264), profile_of(second, codec)};
    use_profiles(b, 2, profiles);
}

SCENARIO(video_two_decoders, VIDEO, .expect = {"VUID-VkVideoProfileListInfoKHR-pProfiles-06813"})
{
    use_two(b, VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR, &h264);
}

SCENARIO(video_decoder_and_encoder, VIDEO)
{
    const VkVideoEncodeH264ProfileInfoKHR encode = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR,
        .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_MAIN};
    use_two(b, VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR, &encode);
}

/* --- extensions --- */

#define NEEDS "VUID-vkCreateDevice-ppEnabledExtensionNames-01387"
SCENARIO(extension_without_other, .drivers = NULL_DRIVER,
         .extensions = {"VK_KHR_video_decode_queue"}, .expect = {NEEDS}, .proceed = true,
         .text = {"has VK_KHR_video_decode_queue, but not what it needs: VK_KHR_video_queue"})
{
}

SCENARIO(extension_with_other, .drivers = NULL_DRIVER,
         .extensions = {"VK_KHR_video_decode_queue", "VK_KHR_video_queue"})
{
}

SCENARIO(extension_of_instance_extension, .drivers = NULL_DRIVER,
         .extensions = {"VK_KHR_multiview"}, .api_version = VK_API_VERSION_1_0,
         .instance_extensions = {"VK_KHR_get_physical_device_properties2"})
{
}

SCENARIO(extension_of_later_version, .drivers = NULL_DRIVER,
         .extensions = {"VK_EXT_descriptor_heap"}, .api_version = VK_API_VERSION_1_3,
         .expect = {NEEDS}, .proceed = true)
{
}

SCENARIO(extension_of_this_version, .drivers = NULL_DRIVER,
         .extensions = {"VK_EXT_descriptor_heap"}, .api_version = VK_API_VERSION_1_4)
{
}

/* --- flags of pipelines --- */

static void create_compute_with(struct baseline *b, VkPipelineCreateFlags flags)
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    info.flags = flags;
    create_compute_pipeline(b, &info);
}

SCENARIO(pipeline_flag_unknown, .expect = {"VUID-VkComputePipelineCreateInfo-None-09497"})
{
    create_compute_with(b, 0x80000000u);
}

SCENARIO(pipeline_flag_of_extension, .expect = {"VUID-VkComputePipelineCreateInfo-None-09497"},
         .drivers = NULL_DRIVER, .text = {"VK_KHR_pipeline_executable_properties"})
{
    create_compute_with(b, VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR);
}

SCENARIO(pipeline_flag_enabled, .drivers = NULL_DRIVER,
         .extensions = {"VK_KHR_pipeline_executable_properties"})
{
    create_compute_with(b, VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR);
}

SCENARIO(graphics_flag_unknown, .expect = {"VUID-VkGraphicsPipelineCreateInfo-None-09497"})
{
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    pipeline.info.flags = 0x80000000u;
    create_graphics_pipeline(b, &pipeline.info);
}

/* A pipeline that discards everything has no fragment shader state. */
static void create_discarding(struct baseline *b, uint32_t stages)
{
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    pipeline.rasterization.rasterizerDiscardEnable = VK_TRUE;
    pipeline.info.stageCount = stages;
    create_graphics_pipeline(b, &pipeline.info);
}

SCENARIO(discarding_with_fragment_shader,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-pStages-06894"})
{
    create_discarding(b, 2);
}

SCENARIO(discarding_without_fragment_shader)
{
    create_discarding(b, 1);
}
