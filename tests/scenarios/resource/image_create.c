/* VkImageCreateInfo: what an image may be created as, by its own parameters and on this device. */
#include "scenario.h"

/* A valid image with one mistake in it. */
#define BAD_IMAGE(name_, vuid_, ...)                                     \
    SCENARIO(name_, .expect = {"VUID-VkImageCreateInfo-" vuid_})         \
    {                                                                    \
        VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT); \
        __VA_ARGS__;                                                     \
        create_image(b, &info);                                          \
    }
/* The same on the null driver, which has all features, with extensions and features enabled. */
#define BAD_IMAGE_NULL(name_, vuid_, with_, ...)                                         \
    SCENARIO(name_, .expect = {"VUID-VkImageCreateInfo-" vuid_}, .drivers = NULL_DRIVER, \
             UNPACK with_)                                                               \
    {                                                                                    \
        VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);                 \
        __VA_ARGS__;                                                                     \
        create_image(b, &info);                                                          \
    }
#define UNPACK(...) __VA_ARGS__
#define WITH(with_) UNPACK with_
#define GOOD_IMAGE_NULL(name_, with_, ...)                               \
    SCENARIO(name_, .drivers = NULL_DRIVER, UNPACK with_)                \
    {                                                                    \
        VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT); \
        __VA_ARGS__;                                                     \
        EXPECT(create_image(b, &info) != VK_NULL_HANDLE);                \
    }

#define FEATURES(name_, Type_, STYPE_, ...) \
    static const Type_ name_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##STYPE_, __VA_ARGS__}

static const VkPhysicalDeviceFeatures2 sparse_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.sparseBinding = VK_TRUE,
                 .sparseResidencyImage2D = VK_TRUE,
                 .sparseResidencyImage3D = VK_TRUE,
                 .sparseResidencyAliased = VK_TRUE}};
FEATURES(protected_features, VkPhysicalDeviceProtectedMemoryFeatures, PROTECTED_MEMORY_FEATURES,
         .pNext = (void *)(uintptr_t)&sparse_features, .protectedMemory = VK_TRUE);
FEATURES(density_features, VkPhysicalDeviceFragmentDensityMapFeaturesEXT,
         FRAGMENT_DENSITY_MAP_FEATURES_EXT, .fragmentDensityMap = VK_TRUE);
FEATURES(quantization_features, VkPhysicalDeviceVideoEncodeQuantizationMapFeaturesKHR,
         VIDEO_ENCODE_QUANTIZATION_MAP_FEATURES_KHR, .videoEncodeQuantizationMap = VK_TRUE);
FEATURES(shading_rate_features, VkPhysicalDeviceFragmentShadingRateFeaturesKHR,
         FRAGMENT_SHADING_RATE_FEATURES_KHR, .attachmentFragmentShadingRate = VK_TRUE);
FEATURES(single_sampled_features, VkPhysicalDeviceMultisampledRenderToSingleSampledFeaturesEXT,
         MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_FEATURES_EXT,
         .multisampledRenderToSingleSampled = VK_TRUE);
FEATURES(compression_features, VkPhysicalDeviceImageCompressionControlFeaturesEXT,
         IMAGE_COMPRESSION_CONTROL_FEATURES_EXT, .imageCompressionControl = VK_TRUE);
FEATURES(alignment_features, VkPhysicalDeviceImageAlignmentControlFeaturesMESA,
         IMAGE_ALIGNMENT_CONTROL_FEATURES_MESA, .imageAlignmentControl = VK_TRUE);
FEATURES(host_copy_features, VkPhysicalDeviceHostImageCopyFeatures, HOST_IMAGE_COPY_FEATURES,
         .hostImageCopy = VK_TRUE);
FEATURES(zero_features, VkPhysicalDeviceZeroInitializeDeviceMemoryFeaturesEXT,
         ZERO_INITIALIZE_DEVICE_MEMORY_FEATURES_EXT, .zeroInitializeDeviceMemory = VK_TRUE);

/* --- sharing --- */

static const uint32_t families_once[] = {0, 1}, families_twice[] = {0, 0},
                      families_wild[] = {0, 77};
#define CONCURRENT(count_, families_)              \
    info.sharingMode = VK_SHARING_MODE_CONCURRENT; \
    info.queueFamilyIndexCount = (count_);         \
    info.pQueueFamilyIndices = (families_)

BAD_IMAGE(image_shared_family_twice, "sharingMode-01420", CONCURRENT(2, families_twice))
BAD_IMAGE(image_shared_family_unknown, "sharingMode-01420", CONCURRENT(2, families_wild))
GOOD_IMAGE_NULL(image_shared_by_two, (), CONCURRENT(2, families_once))

/* --- type, extent, levels, layers --- */

BAD_IMAGE(image_format_undefined, "pNext-01975", info.format = VK_FORMAT_UNDEFINED)
BAD_IMAGE(image_too_many_levels, "mipLevels-00958", info.mipLevels = 8)
BAD_IMAGE(image_too_wide, "extent-02252", info.extent.width = 100000)
BAD_IMAGE(image_too_high, "extent-02253", info.extent.height = 100000)
BAD_IMAGE(image_too_deep, "extent-02254", info.imageType = VK_IMAGE_TYPE_3D;
          info.extent.depth = 100000)
BAD_IMAGE(image_too_many_layers, "arrayLayers-02256", info.arrayLayers = 100000)
BAD_IMAGE_NULL(image_linear_levels, "mipLevels-02255", (), info.tiling = VK_IMAGE_TILING_LINEAR;
               info.mipLevels = 2)
BAD_IMAGE(image_many_samples, "samples-02258", info.samples = VK_SAMPLE_COUNT_64_BIT)
BAD_IMAGE_NULL(image_linear_depth, "imageCreateMaxMipLevels-02251", (),
               info.tiling = VK_IMAGE_TILING_LINEAR;
               info.format = VK_FORMAT_D32_SFLOAT)

/* The driver knows what images optical flow can take. */
static const VkOpticalFlowImageFormatInfoNV for_flow = {
    .sType = VK_STRUCTURE_TYPE_OPTICAL_FLOW_IMAGE_FORMAT_INFO_NV,
    .usage = VK_OPTICAL_FLOW_USAGE_INPUT_BIT_NV};
static const VkPhysicalDeviceOpticalFlowFeaturesNV optical_flow = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPTICAL_FLOW_FEATURES_NV, .opticalFlow = VK_TRUE};
GOOD_IMAGE_NULL(image_for_optical_flow,
                (.extensions = {"VK_NV_optical_flow"}, .features = &optical_flow),
                info.pNext = &for_flow;
                info.tiling = VK_IMAGE_TILING_LINEAR; info.format = VK_FORMAT_D32_SFLOAT)

SCENARIO(images_at_their_limits)
{
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(b->physical_device, &properties);
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.mipLevels = 7;
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
    info.extent = (VkExtent3D){properties.limits.maxImageDimension2D, 1, 1};
    info.mipLevels = 1;
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
    info.extent = (VkExtent3D){1, 1, 1};
    info.arrayLayers = properties.limits.maxImageArrayLayers;
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
    info.arrayLayers = 1;
    info.imageType = VK_IMAGE_TYPE_1D;
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
    info.imageType = VK_IMAGE_TYPE_3D;
    info.extent = (VkExtent3D){4, 4, 4};
    info.mipLevels = 3;
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
    info = image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    info.samples = VK_SAMPLE_COUNT_4_BIT;
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
}

/* --- flags --- */

#define CUBE                                          \
    info.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT; \
    info.arrayLayers = 6
BAD_IMAGE_NULL(image_slice_views_sparse, "imageType-10197",
               (.extensions = {"VK_EXT_image_2d_view_of_3d"}, .features = &sparse_features),
               info.imageType = VK_IMAGE_TYPE_3D;
               info.flags = VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT |
                            VK_IMAGE_CREATE_SPARSE_BINDING_BIT)

SCENARIO(images_with_flags)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    CUBE;
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
    info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.imageType = VK_IMAGE_TYPE_3D;
    info.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
    info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK;
    info.flags =
        VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT;
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
}

#define SPARSE   VK_IMAGE_CREATE_SPARSE_BINDING_BIT
#define RESIDENT (SPARSE | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT)
GOOD_IMAGE_NULL(image_sparse, (.features = &sparse_features), info.flags = RESIDENT)
GOOD_IMAGE_NULL(image_protected, (.features = &protected_features),
                info.flags = VK_IMAGE_CREATE_PROTECTED_BIT)

#define CORNER         (.extensions = {"VK_NV_corner_sampled_image"})
#define CORNER_SAMPLED info.flags = VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV
GOOD_IMAGE_NULL(image_corner, CORNER, CORNER_SAMPLED)

#define DENSITY    (.extensions = {"VK_EXT_fragment_density_map"}, .features = &density_features)
#define SUBSAMPLED info.flags = VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT
GOOD_IMAGE_NULL(image_subsampled, DENSITY, SUBSAMPLED)
BAD_IMAGE_NULL(image_density_3d, "flags-02557", DENSITY,
               info.usage = VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT;
               info.imageType = VK_IMAGE_TYPE_3D)
BAD_IMAGE_NULL(image_density_wide, "fragmentDensityMapOffset-06514", DENSITY,
               info.usage = VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT;
               info.extent.width = 16384)
BAD_IMAGE_NULL(image_density_high, "fragmentDensityMapOffset-06515", DENSITY,
               info.usage = VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT;
               info.extent.height = 16384)
GOOD_IMAGE_NULL(image_density, DENSITY, info.usage = VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT;
                info.format = VK_FORMAT_R8G8_UNORM)

/* The device is of one physical device, besides. */
SCENARIO(image_split_layers, .expect = {"VUID-VkImageCreateInfo-flags-02259",
                                        "VUID-VkImageCreateInfo-physicalDeviceCount-01421"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.flags = VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT;
    info.arrayLayers = 2;
    create_image(b, &info);
}
GOOD_IMAGE_NULL(image_single_sampled,
                (.extensions = {"VK_EXT_multisampled_render_to_single_sampled"},
                 .features = &single_sampled_features),
                info.flags = VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT;
                info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)

/* --- samples and usage --- */

BAD_IMAGE(image_samples_3d, "samples-02257", info.imageType = VK_IMAGE_TYPE_3D;
          info.samples = VK_SAMPLE_COUNT_4_BIT)
BAD_IMAGE(image_samples_levels, "samples-02257", info.mipLevels = 2;
          info.samples = VK_SAMPLE_COUNT_4_BIT)
#define SMALL_FRAMEBUFFERS                                                                    \
    (.null_driver = "{\"limits\": {\"maxFramebufferWidth\": 4096, \"maxFramebufferHeight\": " \
                    "4096}}")
GOOD_IMAGE_NULL(image_attachment_large, SMALL_FRAMEBUFFERS,
                info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
                info.extent.width = 4096; info.extent.height = 4096)
GOOD_IMAGE_NULL(image_transient, (),
                info.usage = VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT |
                             VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)
#define RATE (.extensions = {"VK_KHR_fragment_shading_rate"}, .features = &shading_rate_features)
#define RATE_IMAGE                                                        \
    info.usage = VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR; \
    info.format = VK_FORMAT_R8_UINT
GOOD_IMAGE_NULL(image_shading_rate, RATE, RATE_IMAGE)
BAD_IMAGE_NULL(image_host_transfer_compressed, "imageCreateFormatFeatures-09048",
               (.extensions = {"VK_EXT_host_image_copy"}, .features = &host_copy_features),
               info.usage = VK_IMAGE_USAGE_HOST_TRANSFER_BIT;
               info.format = VK_FORMAT_BC1_RGB_UNORM_BLOCK; info.tiling = VK_IMAGE_TILING_LINEAR)
GOOD_IMAGE_NULL(image_host_transfer,
                (.extensions = {"VK_EXT_host_image_copy"}, .features = &host_copy_features),
                info.usage = VK_IMAGE_USAGE_HOST_TRANSFER_BIT)

/* --- video --- */

#define DECODE \
    (.extensions = {"VK_KHR_video_queue", "VK_KHR_video_decode_queue", "VK_KHR_video_decode_h264"})
#define ENCODE \
    (.extensions = {"VK_KHR_video_queue", "VK_KHR_video_encode_queue", "VK_KHR_video_encode_h264"})
#define INDEPENDENT                                                            \
    (.extensions = {"VK_KHR_video_queue", "VK_KHR_video_decode_queue",         \
                    "VK_KHR_video_encode_queue", "VK_KHR_video_maintenance1"}, \
     .features = &video_maintenance_features)
#define QUANTIZATION                                                   \
    (.extensions = {"VK_KHR_video_queue", "VK_KHR_video_encode_queue", \
                    "VK_KHR_video_encode_quantization_map"},           \
     .features = &quantization_features)
BAD_IMAGE_NULL(image_decode_no_profile, "usage-04815", DECODE,
               info.usage = VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR;
               info.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM)
BAD_IMAGE_NULL(image_encode_no_profile, "usage-04816", ENCODE,
               info.usage = VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR;
               info.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM)
BAD_IMAGE_NULL(image_quantization_no_profile, "usage-10254", QUANTIZATION,
               info.usage = VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR)
SCENARIO(image_quantization_disabled,
         .expect = {"VUID-VkImageCreateInfo-usage-10251", "VUID-VkImageCreateInfo-usage-10252"},
         .drivers = NULL_DRIVER,
         .extensions = {"VK_KHR_video_queue", "VK_KHR_video_encode_queue",
                        "VK_KHR_video_encode_quantization_map"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR);
    info.imageType = VK_IMAGE_TYPE_3D;
    create_image(b, &info);
}

SCENARIO(image_quantization_3d,
         .expect = {"VUID-VkImageCreateInfo-usage-10252", "VUID-VkImageCreateInfo-usage-10254"},
         .drivers = NULL_DRIVER, WITH(QUANTIZATION))
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR);
    info.imageType = VK_IMAGE_TYPE_3D;
    create_image(b, &info);
}

SCENARIO(image_quantization_samples,
         .expect = {"VUID-VkImageCreateInfo-usage-10253", "VUID-VkImageCreateInfo-usage-10254"},
         .drivers = NULL_DRIVER, WITH(QUANTIZATION))
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR);
    info.samples = VK_SAMPLE_COUNT_2_BIT;
    create_image(b, &info);
}

SCENARIO(image_decode, .drivers = NULL_DRIVER, WITH(DECODE))
{
    VkVideoDecodeH264ProfileInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR};
    VkVideoProfileInfoKHR profile = {.sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
                                     .pNext = &h264,
                                     .videoCodecOperation =
                                         VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
                                     .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
                                     .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
                                     .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR};
    VkVideoProfileListInfoKHR list = {.sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
                                      .profileCount = 1,
                                      .pProfiles = &profile};
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR);
    info.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    info.pNext = &list;
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
}

static void create_with_profile(struct baseline *b, VkVideoCodecOperationFlagBitsKHR operation,
                                const void *codec)
{
    VkVideoProfileInfoKHR profile = {.sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
                                     .pNext = codec,
                                     .videoCodecOperation = operation,
                                     .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
                                     .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
                                     .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR};
    VkVideoProfileListInfoKHR list = {.sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
                                      .profileCount = 1,
                                      .pProfiles = &profile};
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    info.pNext = &list;
    create_image(b, &info);
}

SCENARIO(image_vp9_disabled, .expect = {"VUID-VkImageCreateInfo-pNext-10784"},
         .drivers = NULL_DRIVER,
         .extensions = {"VK_KHR_video_queue", "VK_KHR_video_decode_queue",
                        "VK_KHR_video_decode_vp9"})
{
    VkVideoDecodeVP9ProfileInfoKHR codec = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_PROFILE_INFO_KHR};
    create_with_profile(b, VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR, &codec);
}

SCENARIO(image_av1_encode_disabled, .expect = {"VUID-VkImageCreateInfo-pNext-10250"},
         .drivers = NULL_DRIVER,
         .extensions = {"VK_KHR_video_queue", "VK_KHR_video_encode_queue",
                        "VK_KHR_video_encode_av1"})
{
    VkVideoEncodeAV1ProfileInfoKHR codec = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PROFILE_INFO_KHR};
    create_with_profile(b, VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR, &codec);
}

/* --- format --- */

#define PLANAR info.format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM
BAD_IMAGE_NULL(image_planar_levels, "format-06410", (), PLANAR; info.mipLevels = 2)
BAD_IMAGE_NULL(image_planar_samples, "format-06411", (), PLANAR;
               info.samples = VK_SAMPLE_COUNT_2_BIT)
BAD_IMAGE_NULL(image_444_old, "None-12279",
               (.api_version = VK_API_VERSION_1_2,
                .extensions = {"VK_EXT_ycbcr_2plane_444_formats"}),
               info.format = VK_FORMAT_G8_B8R8_2PLANE_444_UNORM)
/* An instance of version 1.0 has vkGetPhysicalDeviceImageFormatProperties alone. */
#define OLD (.api_version = VK_API_VERSION_1_0)
BAD_IMAGE_NULL(image_too_wide_for_1_0, "extent-02252", OLD, info.extent.width = 100000)
BAD_IMAGE_NULL(image_too_high_for_1_0, "extent-02253", OLD, info.extent.height = 100000)
BAD_IMAGE_NULL(image_too_deep_for_1_0, "extent-02254", OLD, info.imageType = VK_IMAGE_TYPE_3D;
               info.extent.depth = 100000)
BAD_IMAGE_NULL(image_of_too_many_layers_for_1_0, "arrayLayers-02256", OLD,
               info.arrayLayers = 100000)
BAD_IMAGE_NULL(image_of_too_many_samples_for_1_0, "samples-02258", OLD,
               info.samples = VK_SAMPLE_COUNT_64_BIT)
GOOD_IMAGE_NULL(image_for_1_0, OLD, info.mipLevels = 7)
BAD_IMAGE_NULL(image_pvrtc_width, "format-09583", (.extensions = {"VK_IMG_format_pvrtc"}),
               info.format = VK_FORMAT_PVRTC1_4BPP_UNORM_BLOCK_IMG;
               info.extent.width = 48)
BAD_IMAGE_NULL(image_pvrtc_height, "format-09584", (.extensions = {"VK_IMG_format_pvrtc"}),
               info.format = VK_FORMAT_PVRTC1_4BPP_UNORM_BLOCK_IMG;
               info.extent.height = 48)
GOOD_IMAGE_NULL(image_planar, (), PLANAR; info.flags = VK_IMAGE_CREATE_DISJOINT_BIT)
GOOD_IMAGE_NULL(image_422, (), info.format = VK_FORMAT_G8B8G8R8_422_UNORM; info.extent.height = 63)
GOOD_IMAGE_NULL(image_444, (), info.format = VK_FORMAT_G8_B8R8_2PLANE_444_UNORM;
                info.extent.width = 63)
GOOD_IMAGE_NULL(image_pvrtc, (.extensions = {"VK_IMG_format_pvrtc"}),
                info.format = VK_FORMAT_PVRTC1_4BPP_UNORM_BLOCK_IMG)

/* --- initial layout, external memory --- */

GOOD_IMAGE_NULL(image_born_zero,
                (.extensions = {"VK_EXT_zero_initialize_device_memory"},
                 .features = &zero_features),
                info.initialLayout = VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT)
SCENARIO(image_preinitialized)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.tiling = VK_IMAGE_TILING_LINEAR;
    info.initialLayout = VK_IMAGE_LAYOUT_PREINITIALIZED;
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
}

static const VkExternalMemoryImageCreateInfo external_fd = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
    .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
static const VkExternalMemoryImageCreateInfo external_host_and_fd = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
    .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT |
                   VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT};
#define EXTERNAL (.extensions = {"VK_KHR_external_memory_fd", "VK_EXT_external_memory_host"})
BAD_IMAGE_NULL(image_external_preinitialized, "pNext-01443", EXTERNAL, info.pNext = &external_fd;
               info.tiling = VK_IMAGE_TILING_LINEAR;
               info.initialLayout = VK_IMAGE_LAYOUT_PREINITIALIZED)
BAD_IMAGE_NULL(image_external_mixed, "pNext-00990", EXTERNAL, info.pNext = &external_host_and_fd)
GOOD_IMAGE_NULL(image_external, EXTERNAL, info.pNext = &external_fd)

/* --- stencil usage --- */

#define STENCIL(name_, usage_)                           \
    static const VkImageStencilUsageCreateInfo name_ = { \
        .sType = VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO, .stencilUsage = (usage_)}
STENCIL(stencil_attachment, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
STENCIL(stencil_transient_sampled,
        VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
#define DEPTH_STENCIL info.format = VK_FORMAT_D32_SFLOAT_S8_UINT
SCENARIO(image_stencil_transient_sampled,
         .expect = {"VUID-VkImageCreateInfo-format-02798",
                    "VUID-VkImageStencilUsageCreateInfo-stencilUsage-02539"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    DEPTH_STENCIL;
    info.pNext = &stencil_transient_sampled;
    create_image(b, &info);
}
SCENARIO(image_stencil_usage)
{
    VkImageCreateInfo info =
        image_info(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    DEPTH_STENCIL;
    info.pNext = &stencil_attachment;
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
}

/* --- view formats --- */

#define LIST(name_, ...)                                               \
    static const VkFormat name_##_formats[] = {__VA_ARGS__};           \
    static const VkImageFormatListCreateInfo name_ = {                 \
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,      \
        .viewFormatCount = sizeof(name_##_formats) / sizeof(VkFormat), \
        .pViewFormats = name_##_formats}
LIST(list_two, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB);
LIST(list_wrong, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R16G16B16A16_SFLOAT);
LIST(list_plane, VK_FORMAT_R8_UNORM, VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM);
LIST(list_not_plane, VK_FORMAT_R16_UNORM);
LIST(list_blocks, VK_FORMAT_BC1_RGBA_SRGB_BLOCK, VK_FORMAT_R16G16B16A16_UINT);
#define MUTABLE info.flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT
BAD_IMAGE(image_list_incompatible, "pNext-06722", MUTABLE; info.pNext = &list_wrong)
BAD_IMAGE_NULL(image_list_not_of_plane, "pNext-10062", (), MUTABLE; PLANAR;
               info.pNext = &list_not_plane)
SCENARIO(image_list)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    MUTABLE;
    info.pNext = &list_two;
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
    info.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK;
    info.flags |= VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT;
    info.pNext = &list_blocks;
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
}
GOOD_IMAGE_NULL(image_list_planes, (), MUTABLE; PLANAR; info.pNext = &list_plane)

/* --- DRM format modifiers, compression, alignment --- */

static const uint64_t linear_modifier;
static const VkImageDrmFormatModifierListCreateInfoEXT modifiers = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT,
    .drmFormatModifierCount = 1,
    .pDrmFormatModifiers = &linear_modifier};
#define DRM        (.extensions = {"VK_EXT_image_drm_format_modifier"})
#define DRM_TILING info.tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT
BAD_IMAGE_NULL(image_drm_no_modifier, "tiling-02261", DRM, DRM_TILING)
BAD_IMAGE_NULL(image_modifier_not_drm, "pNext-02262", DRM, info.pNext = &modifiers)
BAD_IMAGE_NULL(image_drm_mutable, "tiling-02353", DRM, DRM_TILING; MUTABLE; info.pNext = &modifiers)
GOOD_IMAGE_NULL(image_drm, DRM, DRM_TILING; info.pNext = &modifiers)

static VkImageCompressionFixedRateFlagsEXT rates[2];
#define CONTROL(name_, flags_, count_, rates_)                    \
    static const VkImageCompressionControlEXT name_ = {           \
        .sType = VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_CONTROL_EXT, \
        .flags = (flags_),                                        \
        .compressionControlPlaneCount = (count_),                 \
        .pFixedRateFlags = (rates_)}
CONTROL(control_default, VK_IMAGE_COMPRESSION_DEFAULT_EXT, 0, NULL);
CONTROL(control_two, VK_IMAGE_COMPRESSION_FIXED_RATE_EXPLICIT_EXT, 2, rates);
CONTROL(control_one, VK_IMAGE_COMPRESSION_FIXED_RATE_EXPLICIT_EXT, 1, rates);
CONTROL(control_no_rates, VK_IMAGE_COMPRESSION_FIXED_RATE_EXPLICIT_EXT, 1, NULL);
#define COMPRESSION \
    (.extensions = {"VK_EXT_image_compression_control"}, .features = &compression_features)
BAD_IMAGE_NULL(image_compression_planes, "pNext-06743", COMPRESSION, PLANAR;
               info.pNext = &control_two)
GOOD_IMAGE_NULL(image_compression, COMPRESSION, info.pNext = &control_one)
GOOD_IMAGE_NULL(image_compression_default, COMPRESSION, info.pNext = &control_default)
SCENARIO(image_compression_no_rates, .expect = {"VUID-VkImageCompressionControlEXT-flags-06748"},
         .drivers = NULL_DRIVER, WITH(COMPRESSION))
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.pNext = &control_no_rates;
    create_image(b, &info);
}

static const VkSubresourceLayout pitched_layer = {.rowPitch = 1024, .arrayPitch = 65536};
static const VkSubresourceLayout pitched_slice = {.rowPitch = 1024, .depthPitch = 65536};
static const VkImageDrmFormatModifierExplicitCreateInfoEXT explicit_layer = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT,
    .drmFormatModifierPlaneCount = 1,
    .pPlaneLayouts = &pitched_layer};
static const VkImageDrmFormatModifierExplicitCreateInfoEXT explicit_slice = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT,
    .drmFormatModifierPlaneCount = 1,
    .pPlaneLayouts = &pitched_slice};
#define EXPLICIT(id_) .expect = {"VUID-VkImageDrmFormatModifierExplicitCreateInfoEXT-" id_}
#define EXPLICIT_IMAGE(name_, chained_, ...)                                                    \
    SCENARIO(name_, .drivers = NULL_DRIVER, .extensions = {"VK_EXT_image_drm_format_modifier"}, \
             ##__VA_ARGS__)                                                                     \
    {                                                                                           \
        VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);                        \
        DRM_TILING;                                                                             \
        info.pNext = &(chained_);                                                               \
        create_image(b, &info);                                                                 \
    }
EXPLICIT_IMAGE(image_drm_layer_pitch, explicit_layer, EXPLICIT("arrayPitch-02268"))
EXPLICIT_IMAGE(image_drm_slice_pitch, explicit_slice, EXPLICIT("depthPitch-02269"))
GOOD_IMAGE_NULL(image_drm_layers, DRM, DRM_TILING; info.arrayLayers = 2;
                info.pNext = &explicit_layer)

static const VkPhysicalDeviceImageTilingControlFeaturesEXT tiling_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_TILING_CONTROL_FEATURES_EXT,
    .imageTilingControl = VK_TRUE};
static const VkImageTilingControlCreateInfoEXT small_tiling = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_TILING_CONTROL_CREATE_INFO_EXT,
    .tilingControl = VK_IMAGE_TILING_CONTROL_MIN_SIZE_EXT};
#define TILING_CONTROL                                    \
    .drivers = NULL_DRIVER, .features = &tiling_features, \
    .extensions = {"VK_EXT_image_tiling_control"}
SCENARIO(image_small_linear, TILING_CONTROL,
         .expect = {"VUID-VkImageTilingControlCreateInfoEXT-imageTiling-12479"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.tiling = VK_IMAGE_TILING_LINEAR;
    info.pNext = &small_tiling;
    create_image(b, &info);
}
SCENARIO(image_small, TILING_CONTROL)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.pNext = &small_tiling;
    create_image(b, &info);
}

static const VkImageAlignmentControlCreateInfoMESA alignment = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_ALIGNMENT_CONTROL_CREATE_INFO_MESA};
#define ALIGNMENT \
    (.extensions = {"VK_MESA_image_alignment_control"}, .features = &alignment_features)
GOOD_IMAGE_NULL(image_alignment, ALIGNMENT, info.pNext = &alignment)
