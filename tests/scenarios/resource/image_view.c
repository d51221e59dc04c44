/* VkImageViewCreateInfo: how an image may be viewed. */
#include "scenario.h"

#define UNPACK(...)    __VA_ARGS__
#define WITH(with_)    UNPACK with_
#define NULL_WITH(...) (.drivers = NULL_DRIVER, __VA_ARGS__)
#define FEATURES(name_, Type_, STYPE_, ...) \
    static const Type_ name_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##STYPE_, __VA_ARGS__}

/* `image_` changes `info`, the image's; `view_` changes `view`. */
#define BAD_VIEW(name_, vuid_, with_, image_, view_)                              \
    SCENARIO(name_, .expect = {"VUID-VkImageViewCreateInfo-" vuid_}, WITH(with_)) \
    {                                                                             \
        VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);          \
        image_;                                                                   \
        VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));    \
        view.format = info.format;                                                \
        view_;                                                                    \
        create_image_view(b, &view);                                              \
    }
#define BAD_VIEW_OF(name_, vuid_, with_, image_, view_)                        \
    SCENARIO(name_, .expect = {vuid_}, WITH(with_))                            \
    {                                                                          \
        VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);       \
        image_;                                                                \
        VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info)); \
        view.format = info.format;                                             \
        view_;                                                                 \
        create_image_view(b, &view);                                           \
    }
#define GOOD_VIEW(name_, with_, image_, view_)                                 \
    SCENARIO(name_, WITH(with_))                                               \
    {                                                                          \
        VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);       \
        image_;                                                                \
        VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info)); \
        view.format = info.format;                                             \
        view_;                                                                 \
        EXPECT(create_image_view(b, &view) != VK_NULL_HANDLE);                 \
    }
#define PLAIN       (void)0
#define TYPE(type_) view.viewType = VK_IMAGE_VIEW_TYPE_##type_
#define RANGE       view.subresourceRange
#define IMAGE_3D                       \
    info.imageType = VK_IMAGE_TYPE_3D; \
    info.extent.depth = 8
#define CUBES(layers_)                                \
    info.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT; \
    info.arrayLayers = (layers_)
static const VkPhysicalDeviceFeatures2 cube_array_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = {.imageCubeArray = VK_TRUE}};
#define CUBE_ARRAYS (.features = &cube_array_features)

/* --- types --- */

BAD_VIEW(view_1d_of_2d, "subResourceRange-01021", (), PLAIN, TYPE(1D))
BAD_VIEW(view_3d_of_2d, "subResourceRange-01021", (), PLAIN, TYPE(3D))
SCENARIO(view_samples_cube, .expect = {"VUID-VkImageViewCreateInfo-image-04972",
                                       "VUID-VkImageViewCreateInfo-image-01003"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    info.samples = VK_SAMPLE_COUNT_4_BIT;
    info.arrayLayers = 6;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
    TYPE(CUBE);
    RANGE.layerCount = 6;
    create_image_view(b, &view);
}
GOOD_VIEW(view_2d, (), PLAIN, PLAIN)
GOOD_VIEW(view_2d_array, (), info.arrayLayers = 3, TYPE(2D_ARRAY); RANGE.layerCount = 2;
          RANGE.baseArrayLayer = 1)
GOOD_VIEW(view_3d, (), IMAGE_3D, TYPE(3D))
GOOD_VIEW(view_slices, (), IMAGE_3D;
          info.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT, TYPE(2D_ARRAY);
          RANGE.layerCount = 8)
GOOD_VIEW(view_cube, (), CUBES(6), TYPE(CUBE); RANGE.layerCount = VK_REMAINING_ARRAY_LAYERS)
GOOD_VIEW(view_cubes, CUBE_ARRAYS, CUBES(12), TYPE(CUBE_ARRAY); RANGE.layerCount = 12)
GOOD_VIEW(view_remaining, (), info.mipLevels = 3;
          info.arrayLayers = 2, RANGE.levelCount = VK_REMAINING_MIP_LEVELS;
          RANGE.layerCount = VK_REMAINING_ARRAY_LAYERS; RANGE.baseArrayLayer = 1;
          RANGE.baseMipLevel = 2)

FEATURES(rate_features, VkPhysicalDeviceFragmentShadingRateFeaturesKHR,
         FRAGMENT_SHADING_RATE_FEATURES_KHR, .attachmentFragmentShadingRate = VK_TRUE);
FEATURES(mask_features, VkPhysicalDeviceInvocationMaskFeaturesHUAWEI,
         INVOCATION_MASK_FEATURES_HUAWEI, .invocationMask = VK_TRUE);
#define RATE NULL_WITH(.extensions = {"VK_KHR_fragment_shading_rate"}, .features = &rate_features)
#define RATE_UINT                                                         \
    info.usage = VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR; \
    info.format = VK_FORMAT_R8_UINT
BAD_VIEW(view_rate_disabled, "attachmentFragmentShadingRate-12386",
         NULL_WITH(.extensions = {"VK_KHR_fragment_shading_rate"}), RATE_UINT, PLAIN)
#define MIXED info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT
BAD_VIEW(view_rate_format, "usage-04550", RATE, RATE_UINT; MIXED, view.format = VK_FORMAT_R8_UNORM)
BAD_VIEW(view_rate_layers, "usage-04551",
         NULL_WITH(.extensions = {"VK_KHR_fragment_shading_rate"}, .features = &rate_features,
                   .null_driver = "{\"properties\": {\"layeredShadingRateAttachments\": false}}"),
         RATE_UINT;
         info.arrayLayers = 2, TYPE(2D_ARRAY); RANGE.layerCount = 2)
#define MASK                                                                                      \
    NULL_WITH(.extensions = {"VK_HUAWEI_invocation_mask", "VK_KHR_ray_tracing_pipeline",          \
                             "VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"}, \
              .features = &mask_features)
#define LINEAR_MASK                                         \
    info.usage = VK_IMAGE_USAGE_INVOCATION_MASK_BIT_HUAWEI; \
    info.tiling = VK_IMAGE_TILING_LINEAR
BAD_VIEW(view_mask_format, "invocationMask-04993", MASK, LINEAR_MASK, PLAIN)
GOOD_VIEW(view_mask, MASK, LINEAR_MASK; info.format = VK_FORMAT_R8_UINT, PLAIN)
GOOD_VIEW(view_rate, RATE, RATE_UINT, PLAIN)

/* --- levels and layers --- */

BAD_VIEW(view_level_behind, "subresourceRange-01478", (), info.mipLevels = 2,
         RANGE.baseMipLevel = 2)
BAD_VIEW_OF(view_no_layer, "VUID-VkImageSubresourceRange-layerCount-01721", (), PLAIN,
            RANGE.layerCount = 0)
BAD_VIEW(view_slice_of_no_level, "subresourceRange-01478", (), IMAGE_3D;
         info.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT, TYPE(2D_ARRAY);
         RANGE.baseMipLevel = 20; RANGE.baseArrayLayer = 3)
BAD_VIEW(view_layer_behind, "image-06724", (), PLAIN, RANGE.baseArrayLayer = 1)
BAD_VIEW(view_layers_behind, "subresourceRange-06725", (), info.arrayLayers = 2, TYPE(2D_ARRAY);
         RANGE.baseArrayLayer = 1; RANGE.layerCount = 2)
#define SLICES                                            \
    IMAGE_3D;                                             \
    info.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT; \
    info.mipLevels = 2
BAD_VIEW(view_slice_behind, "image-02724", (), SLICES, TYPE(2D_ARRAY); RANGE.baseArrayLayer = 4;
         RANGE.baseMipLevel = 1)
BAD_VIEW(view_slices_behind, "subresourceRange-02725", (), SLICES, TYPE(2D_ARRAY);
         RANGE.layerCount = 5; RANGE.baseMipLevel = 1)
BAD_VIEW(view_slices_levels, "image-04970", (), SLICES, TYPE(2D); RANGE.levelCount = 2)
BAD_VIEW(view_2d_layers, "imageViewType-04973", (), info.arrayLayers = 2, RANGE.layerCount = 2)
BAD_VIEW(view_2d_remaining, "imageViewType-04974", (), info.arrayLayers = 2,
         RANGE.layerCount = VK_REMAINING_ARRAY_LAYERS)
BAD_VIEW(view_cube_remaining, "viewType-02962", (), CUBES(12), TYPE(CUBE);
         RANGE.layerCount = VK_REMAINING_ARRAY_LAYERS)
BAD_VIEW(view_cubes_remaining, "viewType-02963", CUBE_ARRAYS, CUBES(7), TYPE(CUBE_ARRAY);
         RANGE.layerCount = VK_REMAINING_ARRAY_LAYERS)

/* --- aspects --- */

#define DEPTH info.format = VK_FORMAT_D32_SFLOAT_S8_UINT
BAD_VIEW(view_depth_of_color, "subresourceRange-09594", (), PLAIN,
         RANGE.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT)
BAD_VIEW(view_color_of_depth, "subresourceRange-09594", (), DEPTH, PLAIN)
BAD_VIEW_OF(view_memory_plane, "VUID-VkImageSubresourceRange-aspectMask-02278",
            NULL_WITH(.extensions = {"VK_EXT_image_drm_format_modifier"}), PLAIN,
            RANGE.aspectMask = VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT)
GOOD_VIEW(view_depth, (), DEPTH, RANGE.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT)
GOOD_VIEW(view_stencil, (), DEPTH, RANGE.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT)

FEATURES(ycbcr_features, VkPhysicalDeviceSamplerYcbcrConversionFeatures,
         SAMPLER_YCBCR_CONVERSION_FEATURES, .samplerYcbcrConversion = VK_TRUE);
#define YCBCR  NULL_WITH(.features = &ycbcr_features)
#define PLANAR info.format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM
#define PLANES \
    PLANAR;    \
    info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT
#define PLANE_1                                     \
    RANGE.aspectMask = VK_IMAGE_ASPECT_PLANE_1_BIT; \
    view.format = VK_FORMAT_R8_UNORM
BAD_VIEW(view_two_planes, "subresourceRange-07818", YCBCR, PLANES, PLANE_1;
         RANGE.aspectMask |= VK_IMAGE_ASPECT_PLANE_2_BIT)
BAD_VIEW_OF(view_color_and_plane, "VUID-VkImageSubresourceRange-aspectMask-01670", YCBCR, PLANES,
            PLANE_1;
            RANGE.aspectMask |= VK_IMAGE_ASPECT_COLOR_BIT)
BAD_VIEW(view_plane_format, "image-01586", YCBCR, PLANES, PLANE_1;
         view.format = VK_FORMAT_R8G8_UNORM)
BAD_VIEW(view_planes_format, "format-12398", YCBCR, PLANES, view.format = VK_FORMAT_R8_UNORM)
BAD_VIEW(view_planes_unconverted, "format-06415", YCBCR, PLANAR, PLAIN)
GOOD_VIEW(view_plane, YCBCR, PLANES, PLANE_1)

static void view_plane_of_two(struct baseline *b, VkImageAspectFlags aspect, VkFormat format)
{
    VkImageViewCreateInfo view = image_view_info(make_image_of_freed_plane(b));
    view.format = format;
    RANGE.aspectMask = aspect;
    create_image_view(b, &view);
}

SCENARIO(view_plane_bound, .drivers = NULL_DRIVER, .features = &ycbcr_features)
{
    view_plane_of_two(b, VK_IMAGE_ASPECT_PLANE_0_BIT, VK_FORMAT_R8_UNORM);
}

SCENARIO(view_plane_freed, .drivers = NULL_DRIVER, .features = &ycbcr_features,
         .expect = {"VUID-VkImageViewCreateInfo-image-01020"})
{
    view_plane_of_two(b, VK_IMAGE_ASPECT_PLANE_1_BIT, VK_FORMAT_R8G8_UNORM);
}

static VkSamplerYcbcrConversionInfo conversion_of(struct baseline *b, VkFormat format)
{
    VkSamplerYcbcrConversionCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
        .format = format,
        .ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709};
    return (VkSamplerYcbcrConversionInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO,
                                          .conversion = create_sampler_ycbcr_conversion(b, &info)};
}
#define CONVERTED(format_)                                               \
    VkSamplerYcbcrConversionInfo conversion = conversion_of(b, format_); \
    view.pNext = &conversion
BAD_VIEW(view_converted_swizzled, "pNext-01970", YCBCR, PLANAR, CONVERTED(info.format);
         view.components.r = VK_COMPONENT_SWIZZLE_G)
BAD_VIEW(view_converted_format, "pNext-06658", YCBCR, PLANAR,
         CONVERTED(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM))
GOOD_VIEW(view_converted, YCBCR, PLANAR, CONVERTED(info.format))
SCENARIO(view_planes_odd,
         .expect = {"VUID-VkImageCreateInfo-format-04712", "VUID-VkImageCreateInfo-format-04713",
                    "VUID-VkImageViewCreateInfo-format-04714",
                    "VUID-VkImageViewCreateInfo-format-04715"},
         .drivers = NULL_DRIVER, .features = &ycbcr_features, .proceed = true)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    PLANAR;
    info.extent = (VkExtent3D){63, 63, 1};
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
    view.format = info.format;
    CONVERTED(info.format);
    create_image_view(b, &view);
}

/* --- formats --- */

#define MUTABLE info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT
#define BLOCKS                                    \
    info.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK; \
    info.flags =                                  \
        VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT
BAD_VIEW(view_incompatible, "image-01761", (), MUTABLE, view.format = VK_FORMAT_R16G16B16A16_SFLOAT)
BAD_VIEW(view_blocks_incompatible, "image-01583", (), BLOCKS,
         view.format = VK_FORMAT_R8G8B8A8_UNORM)
BAD_VIEW(view_blocks_levels, "image-07072", (), BLOCKS;
         info.mipLevels = 2, view.format = VK_FORMAT_R16G16B16A16_UINT; RANGE.levelCount = 2)
BAD_VIEW(view_blocks_layers, "image-09487",
         NULL_WITH(.null_driver =
                       "{\"properties\": {\"blockTexelViewCompatibleMultipleLayers\": false}}"),
         BLOCKS;
         info.arrayLayers = 2, TYPE(2D_ARRAY); view.format = VK_FORMAT_R16G16B16A16_UINT;
         RANGE.layerCount = 2)
/* The remaining layers of a 2D array of a 3D image are slices. */
#define BLOCKS_3D                      \
    BLOCKS;                            \
    info.imageType = VK_IMAGE_TYPE_3D; \
    info.extent.depth = 4;             \
    info.flags |= VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT
#define SLICES_FROM(first_)                    \
    TYPE(2D_ARRAY);                            \
    view.format = VK_FORMAT_R16G16B16A16_UINT; \
    RANGE.baseArrayLayer = first_;             \
    RANGE.layerCount = VK_REMAINING_ARRAY_LAYERS
#define ONE_LAYER_OF_BLOCKS  \
    NULL_WITH(.null_driver = \
                  "{\"properties\": {\"blockTexelViewCompatibleMultipleLayers\": false}}")
GOOD_VIEW(view_blocks_last_slice, ONE_LAYER_OF_BLOCKS, BLOCKS_3D, SLICES_FROM(3))
BAD_VIEW(view_blocks_last_slices, "image-09487", ONE_LAYER_OF_BLOCKS, BLOCKS_3D, SLICES_FROM(2))
static const VkFormat two_formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB};
static const VkImageFormatListCreateInfo two = {.sType =
                                                    VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
                                                .viewFormatCount = 2,
                                                .pViewFormats = two_formats};
BAD_VIEW(view_not_listed, "pNext-01585", (), MUTABLE;
         info.pNext = &two, view.format = VK_FORMAT_R8G8B8A8_UINT)
GOOD_VIEW(view_listed, (), MUTABLE; info.pNext = &two, view.format = VK_FORMAT_R8G8B8A8_SRGB)
GOOD_VIEW(view_compatible, (), MUTABLE, view.format = VK_FORMAT_R32_UINT)
GOOD_VIEW(view_blocks, (), BLOCKS, view.format = VK_FORMAT_R16G16B16A16_UINT)
SCENARIO(view_444_old,
         .expect = {"VUID-VkImageCreateInfo-None-12279", "VUID-VkImageViewCreateInfo-None-12280"},
         .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_2,
         .extensions = {"VK_EXT_ycbcr_2plane_444_formats"}, .features = &ycbcr_features,
         .proceed = true)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.format = VK_FORMAT_G8_B8R8_2PLANE_444_UNORM;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
    view.format = info.format;
    CONVERTED(VK_FORMAT_G8_B8R8_2PLANE_444_UNORM);
    create_image_view(b, &view);
}
FEATURES(maintenance11_features, VkPhysicalDeviceMaintenance11FeaturesKHR,
         MAINTENANCE_11_FEATURES_KHR, .pNext = (void *)(uintptr_t)&ycbcr_features,
         .maintenance11 = VK_TRUE);
#define SINGLE info.flags = VK_IMAGE_CREATE_ALIAS_SINGLE_LAYER_DESCRIPTOR_BIT_KHR
#define ELEVEN \
    NULL_WITH(.extensions = {"VK_KHR_maintenance11"}, .features = &maintenance11_features)
GOOD_VIEW(view_single_layer, ELEVEN, SINGLE, PLAIN)

/* --- usage --- */

BAD_VIEW(view_of_transfers, "image-04441", (), info.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT, PLAIN)
static VkImageViewUsageCreateInfo usage_of(VkImageUsageFlags usage)
{
    return (VkImageViewUsageCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
                                        .usage = usage};
}
#define USED_AS(usage_)                                  \
    VkImageViewUsageCreateInfo usage = usage_of(usage_); \
    view.pNext = &usage
static const VkImageStencilUsageCreateInfo stencil_sampled = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO,
    .stencilUsage = VK_IMAGE_USAGE_SAMPLED_BIT};
static const VkImageStencilUsageCreateInfo stencil_input = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO,
    .stencilUsage = VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT};
BAD_VIEW(view_more_usage, "pNext-02662", (), PLAIN, USED_AS(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT))
BAD_VIEW(view_more_stencil_usage, "pNext-02663", (), DEPTH;
         info.pNext = &stencil_input, USED_AS(VK_IMAGE_USAGE_SAMPLED_BIT);
         RANGE.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT)
BAD_VIEW(view_more_depth_usage, "pNext-02664", (), DEPTH;
         info.pNext = &stencil_input, USED_AS(VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
         RANGE.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT)
GOOD_VIEW(view_less_usage, (), info.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
          USED_AS(VK_IMAGE_USAGE_SAMPLED_BIT))
GOOD_VIEW(view_stencil_usage, (), DEPTH;
          info.pNext = &stencil_sampled, USED_AS(VK_IMAGE_USAGE_SAMPLED_BIT);
          RANGE.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT)

/* An image may have usages that its own format cannot have (VK_IMAGE_CREATE_EXTENDED_USAGE_BIT):
 * its views' formats must. */
#define EXTENDED(usage_)   \
    info.usage = (usage_); \
    info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT
#define COMPRESSED info.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK
BAD_VIEW(view_storage_compressed, "usage-02275", NULL_WITH(), EXTENDED(VK_IMAGE_USAGE_STORAGE_BIT);
         COMPRESSED, PLAIN)
BAD_VIEW(view_color_compressed, "usage-08931", NULL_WITH(),
         EXTENDED(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
         COMPRESSED, PLAIN)
BAD_VIEW(view_depth_compressed, "usage-02277", NULL_WITH(),
         EXTENDED(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
         COMPRESSED, PLAIN)
BAD_VIEW(view_input_compressed, "usage-08932", NULL_WITH(),
         EXTENDED(VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
         COMPRESSED, PLAIN)
BAD_VIEW(view_density_compressed, "usage-12488",
         NULL_WITH(.extensions = {"VK_EXT_fragment_density_map"}),
         EXTENDED(VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT);
         COMPRESSED, PLAIN)
#define QCOM NULL_WITH(.extensions = {"VK_QCOM_image_processing"})
BAD_VIEW(view_weight_compressed, "usage-12506", QCOM,
         EXTENDED(VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM);
         DEPTH, RANGE.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT)
BAD_VIEW(view_match_compressed, "usage-12507", QCOM,
         EXTENDED(VK_IMAGE_USAGE_SAMPLE_BLOCK_MATCH_BIT_QCOM);
         COMPRESSED, PLAIN)
static const VkVideoDecodeH264ProfileInfoKHR decode_h264 = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR,
    .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_MAIN,
    .pictureLayout = VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_PROGRESSIVE_KHR};
static const VkVideoEncodeH264ProfileInfoKHR encode_h264 = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR,
    .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_MAIN};
static const VkVideoProfileInfoKHR profiles[] = {
    {.sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
     .pNext = &decode_h264,
     .videoCodecOperation = VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
     .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
     .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
     .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR},
    {.sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
     .pNext = &encode_h264,
     .videoCodecOperation = VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
     .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
     .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
     .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR}};
static const VkVideoProfileListInfoKHR decode_profile = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
    .profileCount = 1,
    .pProfiles = &profiles[0]};
static const VkVideoProfileListInfoKHR encode_profile = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
    .profileCount = 1,
    .pProfiles = &profiles[1]};
FEATURES(quantization_features, VkPhysicalDeviceVideoEncodeQuantizationMapFeaturesKHR,
         VIDEO_ENCODE_QUANTIZATION_MAP_FEATURES_KHR, .videoEncodeQuantizationMap = VK_TRUE);
#define VIDEO                                                                                     \
    NULL_WITH(.extensions = {"VK_KHR_video_queue", "VK_KHR_video_decode_queue",                   \
                             "VK_KHR_video_encode_queue", "VK_KHR_video_decode_h264",             \
                             "VK_KHR_video_encode_h264", "VK_KHR_video_encode_quantization_map"}, \
              .features = &quantization_features)
#define VIDEO_IMAGE(usage_, list_)                        \
    info.usage = VK_IMAGE_USAGE_VIDEO_##usage_##_BIT_KHR; \
    info.pNext = &(list_)
BAD_VIEW(view_decode_dst_compressed, "image-08333", VIDEO, VIDEO_IMAGE(DECODE_DST, decode_profile);
         EXTENDED(info.usage), PLAIN)
BAD_VIEW(view_decode_dpb_compressed, "image-08334", VIDEO, VIDEO_IMAGE(DECODE_DPB, decode_profile);
         EXTENDED(info.usage), PLAIN)
BAD_VIEW(view_encode_src_compressed, "image-08336", VIDEO, VIDEO_IMAGE(ENCODE_SRC, encode_profile);
         EXTENDED(info.usage), PLAIN)
BAD_VIEW(view_encode_dpb_compressed, "image-08337", VIDEO, VIDEO_IMAGE(ENCODE_DPB, encode_profile);
         EXTENDED(info.usage), PLAIN)
BAD_VIEW(view_decode_src, "image-08335", VIDEO, VIDEO_IMAGE(DECODE_SRC, decode_profile);
         info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT, PLAIN)
BAD_VIEW(view_encode_dst, "image-08338", VIDEO, VIDEO_IMAGE(ENCODE_DST, encode_profile);
         info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT, PLAIN)
BAD_VIEW(view_delta_compressed, "usage-10259", VIDEO,
         VIDEO_IMAGE(ENCODE_QUANTIZATION_DELTA_MAP, encode_profile);
         EXTENDED(info.usage), PLAIN)
BAD_VIEW(view_emphasis_compressed, "usage-10260", VIDEO,
         VIDEO_IMAGE(ENCODE_EMPHASIS_MAP, encode_profile);
         EXTENDED(info.usage), PLAIN)
SCENARIO(view_delta_cube,
         .expect = {"VUID-VkImageViewCreateInfo-image-10261",
                    "VUID-VkImageViewCreateInfo-usage-10259"},
         WITH(VIDEO))
{
    VkImageCreateInfo info = image_info(0);
    VIDEO_IMAGE(ENCODE_QUANTIZATION_DELTA_MAP, encode_profile);
    CUBES(6);
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
    TYPE(CUBE);
    RANGE.layerCount = 6;
    create_image_view(b, &view);
}
SCENARIO(view_featureless,
         .expect = {"VUID-VkImageViewCreateInfo-image-01761",
                    "VUID-VkImageViewCreateInfo-None-02273"},
         .drivers = NULL_DRIVER)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    MUTABLE;
    info.tiling = VK_IMAGE_TILING_LINEAR;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
    view.format = VK_FORMAT_BC1_RGB_UNORM_BLOCK;
    create_image_view(b, &view);
}

/* --- density maps, capture and replay --- */

FEATURES(density_features, VkPhysicalDeviceFragmentDensityMapFeaturesEXT,
         FRAGMENT_DENSITY_MAP_FEATURES_EXT, .fragmentDensityMap = VK_TRUE,
         .fragmentDensityMapDynamic = VK_TRUE);
FEATURES(density2_features, VkPhysicalDeviceFragmentDensityMap2FeaturesEXT,
         FRAGMENT_DENSITY_MAP_2_FEATURES_EXT, .pNext = (void *)(uintptr_t)&density_features,
         .fragmentDensityMapDeferred = VK_TRUE);
#define DENSITY                                                                              \
    NULL_WITH(.extensions = {"VK_EXT_fragment_density_map", "VK_EXT_fragment_density_map2"}, \
              .features = &density2_features,                                                \
              .null_driver = "{\"properties\": {\"maxSubsampledArrayLayers\": 2}}")
#define NO_DENSITY \
    NULL_WITH(.extensions = {"VK_EXT_fragment_density_map", "VK_EXT_fragment_density_map2"})
#define DENSITY_MAP                                           \
    info.usage = VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT; \
    info.format = VK_FORMAT_R8G8_UNORM
#define DYNAMIC  VK_IMAGE_VIEW_CREATE_FRAGMENT_DENSITY_MAP_DYNAMIC_BIT_EXT
#define DEFERRED VK_IMAGE_VIEW_CREATE_FRAGMENT_DENSITY_MAP_DEFERRED_BIT_EXT
BAD_VIEW(view_density_levels, "image-02571", DENSITY, DENSITY_MAP;
         info.mipLevels = 2, RANGE.levelCount = 2)
BAD_VIEW(view_subsampled_layers, "image-03569", DENSITY,
         info.flags = VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT;
         info.arrayLayers = 3, TYPE(2D_ARRAY); RANGE.layerCount = 3)
/* The limit is VK_EXT_fragment_density_map2's, which is not enabled. */
#define DENSITY_1 \
    NULL_WITH(.extensions = {"VK_EXT_fragment_density_map"}, .features = &density_features)
GOOD_VIEW(view_subsampled_layers_without_limit, DENSITY_1,
          info.flags = VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT;
          info.arrayLayers = 3, TYPE(2D_ARRAY); RANGE.layerCount = 3)
GOOD_VIEW(view_density, DENSITY, DENSITY_MAP, view.flags = DYNAMIC)
GOOD_VIEW(view_subsampled, DENSITY, info.flags = VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT;
          info.arrayLayers = 3, TYPE(2D_ARRAY); RANGE.layerCount = 2)
static const VkPhysicalDeviceFeatures2 sparse_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)(uintptr_t)&density2_features,
    .features = {.sparseBinding = VK_TRUE}};
SCENARIO(view_density_sparse, .expect = {"VUID-VkImageViewCreateInfo-flags-04116"},
         .drivers = NULL_DRIVER,
         .extensions = {"VK_EXT_fragment_density_map", "VK_EXT_fragment_density_map2"},
         .features = &sparse_features)
{
    VkImageCreateInfo info = image_info(0);
    DENSITY_MAP;
    info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT;
    VkImageViewCreateInfo view = image_view_info(create_image(b, &info));
    view.format = info.format;
    create_image_view(b, &view);
}

/* --- binding --- */

SCENARIO(view_unbound, .expect = {"VUID-VkImageViewCreateInfo-image-01020"})
{
    VkImageViewCreateInfo view = image_view_info(make_unbound_image(b));
    create_image_view(b, &view);
}

/* --- chained structures --- */

FEATURES(slice_features, VkPhysicalDeviceImageSlicedViewOf3DFeaturesEXT,
         IMAGE_SLICED_VIEW_OF_3D_FEATURES_EXT, .imageSlicedViewOf3D = VK_TRUE);
static VkImageViewSlicedCreateInfoEXT slices_of(uint32_t offset, uint32_t count)
{
    return (VkImageViewSlicedCreateInfoEXT){.sType =
                                                VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT,
                                            .sliceOffset = offset,
                                            .sliceCount = count};
}
#define SLICED(offset_, count_)                                         \
    VkImageViewSlicedCreateInfoEXT slices = slices_of(offset_, count_); \
    view.pNext = &slices
#define SLICE_FEATURES \
    NULL_WITH(.extensions = {"VK_EXT_image_sliced_view_of_3d"}, .features = &slice_features)
BAD_VIEW_OF(view_sliced_offset, "VUID-VkImageViewSlicedCreateInfoEXT-sliceOffset-07867",
            SLICE_FEATURES, IMAGE_3D, SLICED(8, 1);
            TYPE(3D))
BAD_VIEW_OF(view_sliced_count, "VUID-VkImageViewSlicedCreateInfoEXT-sliceCount-07868",
            SLICE_FEATURES, IMAGE_3D, SLICED(4, 5);
            TYPE(3D))
BAD_VIEW_OF(view_sliced_levels, "VUID-VkImageViewSlicedCreateInfoEXT-None-07870", SLICE_FEATURES,
            IMAGE_3D;
            info.mipLevels = 2, SLICED(0, 1); TYPE(3D); RANGE.levelCount = 2)
BAD_VIEW_OF(view_sliced_as_2d, "VUID-VkImageViewSlicedCreateInfoEXT-viewType-07909", SLICE_FEATURES,
            IMAGE_3D;
            info.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT, SLICED(0, 1); TYPE(2D))
SCENARIO(view_sliced_2d, .expect = {"VUID-VkImageViewSlicedCreateInfoEXT-image-07869"},
         WITH(SLICE_FEATURES))
{
    VkImageViewCreateInfo view = image_view_info(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT));
    SLICED(0, 1);
    create_image_view(b, &view);
}
GOOD_VIEW(view_sliced, SLICE_FEATURES, IMAGE_3D, SLICED(4, 4); TYPE(3D))
GOOD_VIEW(view_sliced_remaining, SLICE_FEATURES, IMAGE_3D, SLICED(4, VK_REMAINING_3D_SLICES_EXT);
          TYPE(3D))

FEATURES(lod_features, VkPhysicalDeviceImageViewMinLodFeaturesEXT, IMAGE_VIEW_MIN_LOD_FEATURES_EXT,
         .minLod = VK_TRUE);
#define LOD(lod_)                                                                         \
    VkImageViewMinLodCreateInfoEXT lod = {                                                \
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT, .minLod = (lod_)}; \
    RANGE.levelCount = 2;                                                                 \
    view.pNext = &lod
#define LOD_EXTENSION .extensions = {"VK_EXT_image_view_min_lod"}
BAD_VIEW_OF(view_lod_behind, "VUID-VkImageViewMinLodCreateInfoEXT-minLod-06456",
            NULL_WITH(LOD_EXTENSION, .features = &lod_features), info.mipLevels = 2, LOD(1.5f))
GOOD_VIEW(view_lod, NULL_WITH(LOD_EXTENSION, .features = &lod_features), info.mipLevels = 2,
          LOD(1.0f))

#define ASTC info.format = VK_FORMAT_ASTC_4x4_UNORM_BLOCK
#define DECODED(format_)                                                                      \
    VkImageViewASTCDecodeModeEXT decode = {                                                   \
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_ASTC_DECODE_MODE_EXT, .decodeMode = (format_)}; \
    view.pNext = &decode
#define DECODE_MODE NULL_WITH(.extensions = {"VK_EXT_astc_decode_mode"})
BAD_VIEW_OF(view_decoded_color, "VUID-VkImageViewASTCDecodeModeEXT-format-04084", DECODE_MODE,
            PLAIN, DECODED(VK_FORMAT_R8G8B8A8_UNORM))
GOOD_VIEW(view_decoded, DECODE_MODE, ASTC, DECODED(VK_FORMAT_R8G8B8A8_UNORM))

/* --- destruction --- */

SCENARIO(swapchain_image_destroyed, .expect = {"VUID-vkDestroyImage-image-04882"},
         .drivers = NULL_DRIVER,
         .instance_extensions = {"VK_KHR_surface", "VK_EXT_headless_surface"},
         .extensions = {"VK_KHR_swapchain"})
{
    VkSwapchainKHR swapchain = make_swapchain(b);
    VkImage images[8];
    uint32_t count = 8;
    VK(vkGetSwapchainImagesKHR(b->device, swapchain, &count, images));
    vkDestroyImage(b->device, images[0], NULL);
}
SCENARIO(swapchain_image_viewed, .drivers = NULL_DRIVER,
         .instance_extensions = {"VK_KHR_surface", "VK_EXT_headless_surface"},
         .extensions = {"VK_KHR_swapchain"})
{
    VkSurfaceKHR surface = make_surface(b);
    VkSwapchainCreateInfoKHR info = swapchain_info(surface);
    VkSwapchainKHR swapchain = create_swapchain(b, &info);
    VkImage images[8];
    uint32_t count = 8;
    VK(vkGetSwapchainImagesKHR(b->device, swapchain, &count, images));
    VkImageViewCreateInfo view = image_view_info(images[0]);
    view.format = info.imageFormat;
    EXPECT(create_image_view(b, &view) != VK_NULL_HANDLE);
}

/* --- VK_QCOM_image_processing --- */

static const VkPhysicalDeviceImageProcessingFeaturesQCOM weights_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_PROCESSING_FEATURES_QCOM,
    .textureSampleWeighted = VK_TRUE};

/* A view of 16 layers with the weights of 4 x 4 texels in 4 phases. */
#define WEIGHTS(name_, change_, ...)                                                        \
    SCENARIO(name_, .drivers = NULL_DRIVER, .extensions = {"VK_QCOM_image_processing"},     \
             .features = &weights_features, ##__VA_ARGS__)                                  \
    {                                                                                       \
        VkImageViewSampleWeightCreateInfoQCOM weights = {                                   \
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_SAMPLE_WEIGHT_CREATE_INFO_QCOM,           \
            .filterSize = {4, 4},                                                           \
            .numPhases = 4};                                                                \
        VkImageCreateInfo image =                                                           \
            image_info(VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM); \
        image.extent = (VkExtent3D){8, 8, 1};                                               \
        image.arrayLayers = 16;                                                             \
        VkImageViewCreateInfo view = {                                                      \
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,                              \
            .pNext = &weights,                                                              \
            .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,                                        \
            .format = image.format,                                                         \
            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 4}};                   \
        change_;                                                                            \
        view.image = make_image_of(b, &image);                                              \
        create_image_view(b, &view);                                                        \
    }
#define OF_WEIGHTS(id_) .expect = {"VUID-VkImageViewCreateInfo-pNext-" id_}
#define IN_A_ROW                                                                \
    (image.imageType = VK_IMAGE_TYPE_1D, image.extent = (VkExtent3D){16, 1, 1}, \
     view.viewType = VK_IMAGE_VIEW_TYPE_1D_ARRAY, view.subresourceRange.layerCount = 2)
WEIGHTS(weights_right, )
WEIGHTS(weights_in_a_row, IN_A_ROW)
WEIGHTS(weights_in_a_short_row, (IN_A_ROW, image.extent.width = 15), OF_WEIGHTS("06952"))
WEIGHTS(weights_of_two_phases, weights.numPhases = 2,
        .expect = {"VUID-VkImageViewSampleWeightCreateInfoQCOM-numPhases-06962"})
WEIGHTS(weights_of_few_layers, view.subresourceRange.layerCount = 3, OF_WEIGHTS("06954"))
WEIGHTS(weights_of_a_wide_filter, weights.filterSize.width = 9, OF_WEIGHTS("06955"))
WEIGHTS(weights_of_a_high_filter, weights.filterSize.height = 9, OF_WEIGHTS("06956"))

/* --- VK_NVX_image_view_handle --- */

static void ask_view_handle(struct baseline *b, VkImageUsageFlags usage, VkDescriptorType type)
{
    VkImageViewCreateInfo view = image_view_info(make_image(b, usage));
    const VkImageViewHandleInfoNVX info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_HANDLE_INFO_NVX,
                                           .imageView = create_image_view(b, &view),
                                           .descriptorType = type,
                                           .sampler = make_sampler(b)};
    DEVICE_PROC(b, vkGetImageViewHandleNVX)(b->device, &info);
    DEVICE_PROC(b, vkGetImageViewHandle64NVX)(b->device, &info);
}
#define NVX              .drivers = NULL_DRIVER, .extensions = {"VK_NVX_image_view_handle"}
#define VIEW_HANDLE(id_) .expect = {"VUID-VkImageViewHandleInfoNVX-imageView-" id_}
SCENARIO(view_handles, NVX)
{
    ask_view_handle(b, VK_IMAGE_USAGE_SAMPLED_BIT, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
    ask_view_handle(b, VK_IMAGE_USAGE_STORAGE_BIT, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
}
SCENARIO(view_handle_not_sampled, NVX, VIEW_HANDLE("02656"))
{
    ask_view_handle(b, VK_IMAGE_USAGE_STORAGE_BIT, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
}
SCENARIO(view_handle_not_stored, NVX, VIEW_HANDLE("02657"))
{
    ask_view_handle(b, VK_IMAGE_USAGE_SAMPLED_BIT, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
}
