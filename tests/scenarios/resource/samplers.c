/* Samplers and sampler Y'CbCr conversions (13 "Samplers"). */
#include "scenario.h"

#define ID(name_) "VUID-VkSamplerCreateInfo-" name_

/* One mistake (or none) in an otherwise valid sampler. */
#define SAMPLER(name_, changes_, ...)              \
    SCENARIO(name_, ##__VA_ARGS__)                 \
    {                                              \
        VkSamplerCreateInfo info = sampler_info(); \
        changes_;                                  \
        create_sampler(b, &info);                  \
    }

static const VkPhysicalDeviceFeatures2 anisotropy = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features.samplerAnisotropy = VK_TRUE};

/* --- levels of detail, anisotropy --- */

SAMPLER(lod_bias_large, info.mipLodBias = 1.0e6f, .expect = {ID("mipLodBias-01069")},
        .text = {"pCreateInfo->mipLodBias is 1e+06, further from 0 than maxSamplerLodBias"})
SAMPLER(lod_bias_negative, info.mipLodBias = -1.0e6f, .expect = {ID("mipLodBias-01069")})
SAMPLER(lod_bias_small, info.mipLodBias = -1.5f)
SAMPLER(lod_range_of_one, (info.minLod = 1.0f, info.maxLod = 1.0f))
SAMPLER(anisotropy_enabled, (info.anisotropyEnable = VK_TRUE, info.maxAnisotropy = 16.0f),
        .features = &anisotropy)
SAMPLER(anisotropy_with_cubic,
        (info.magFilter = VK_FILTER_CUBIC_EXT, info.anisotropyEnable = VK_TRUE,
         info.maxAnisotropy = 2.0f),
        .expect = {ID("magFilter-01081")}, .features = &anisotropy, .drivers = NULL_DRIVER,
        .extensions = {"VK_EXT_filter_cubic"})
SAMPLER(cubic, info.magFilter = VK_FILTER_CUBIC_EXT, .drivers = NULL_DRIVER,
        .extensions = {"VK_EXT_filter_cubic"})

/* --- unnormalized coordinates --- */

SAMPLER(unnormalized, (info.unnormalizedCoordinates = VK_TRUE))
SAMPLER(unnormalized_repeat,
        (info.unnormalizedCoordinates = VK_TRUE,
         info.addressModeV = VK_SAMPLER_ADDRESS_MODE_REPEAT),
        .expect = {ID("unnormalizedCoordinates-01075")},
        .text = {"addressModeV is VK_SAMPLER_ADDRESS_MODE_REPEAT"})
SAMPLER(unnormalized_repeat_w, (info.unnormalizedCoordinates = VK_TRUE,
                                info.addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT))

/* --- address modes, reduction --- */

static const VkPhysicalDeviceVulkan12Features mirror_clamp = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .samplerMirrorClampToEdge = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features minmax = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .samplerFilterMinmax = VK_TRUE};

SAMPLER(mirror_clamp_not_enabled, info.addressModeW = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE,
        .expect = {ID("addressModeU-01079")},
        .text = {"addressModeW is VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE"})
SAMPLER(mirror_clamp_by_feature, info.addressModeW = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE,
        .features = &mirror_clamp)
SAMPLER(mirror_clamp_by_extension, info.addressModeW = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE,
        .extensions = {"VK_KHR_sampler_mirror_clamp_to_edge"})

static void reduce_samples(struct baseline *b, VkSamplerCreateInfo info,
                           VkSamplerReductionMode mode)
{
    VkSamplerReductionModeCreateInfo reduction = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
        .pNext = info.pNext,
        .reductionMode = mode};
    info.pNext = &reduction;
    create_sampler(b, &info);
}

SCENARIO(reduction_not_enabled, .expect = {ID("pNext-06726")})
{
    reduce_samples(b, sampler_info(), VK_SAMPLER_REDUCTION_MODE_MIN);
}

SCENARIO(reduction_average_not_enabled)
{
    reduce_samples(b, sampler_info(), VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE);
}

SCENARIO(reduction_by_feature, .features = &minmax)
{
    reduce_samples(b, sampler_info(), VK_SAMPLER_REDUCTION_MODE_MIN);
}

SCENARIO(reduction_by_extension, .extensions = {"VK_EXT_sampler_filter_minmax"})
{
    reduce_samples(b, sampler_info(), VK_SAMPLER_REDUCTION_MODE_MAX);
}

SCENARIO(reduction_with_compare, .expect = {ID("compareEnable-01423")}, .features = &minmax)
{
    VkSamplerCreateInfo info = sampler_info();
    info.compareEnable = VK_TRUE;
    reduce_samples(b, info, VK_SAMPLER_REDUCTION_MODE_MIN);
}

SCENARIO(reduction_with_cubic, .expect = {ID("magFilter-07911")}, .features = &minmax,
         .drivers = NULL_DRIVER, .extensions = {"VK_IMG_filter_cubic"})
{
    VkSamplerCreateInfo info = sampler_info();
    info.magFilter = VK_FILTER_CUBIC_IMG;
    reduce_samples(b, info, VK_SAMPLER_REDUCTION_MODE_MIN);
}

/* --- subsampled, non-seamless, for image processing --- */

static const VkPhysicalDeviceFragmentDensityMapFeaturesEXT density = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_FEATURES_EXT,
    .fragmentDensityMap = VK_TRUE};
static const VkPhysicalDeviceFeatures2 density_and_anisotropy = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&density,
    .features.samplerAnisotropy = VK_TRUE};

#define SUBSAMPLED(name_, changes_, ...)                                           \
    SAMPLER(name_, (info.flags = VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT, changes_),  \
            .drivers = NULL_DRIVER, .extensions = {"VK_EXT_fragment_density_map"}, \
            .features = &density_and_anisotropy, ##__VA_ARGS__)

SUBSAMPLED(subsampled, info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER)

static const VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT non_seamless = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT,
    .nonSeamlessCubeMap = VK_TRUE};
SAMPLER(non_seamless_enabled, info.flags = VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT,
        .extensions = {"VK_EXT_non_seamless_cube_map"}, .features = &non_seamless)

static const VkPhysicalDeviceImageProcessingFeaturesQCOM processing = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_PROCESSING_FEATURES_QCOM,
    .textureBlockMatch = VK_TRUE};
static const VkPhysicalDeviceFeatures2 processing_and_anisotropy = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&processing,
    .features.samplerAnisotropy = VK_TRUE};

#define PROCESSING(name_, changes_, ...)                                                 \
    SAMPLER(name_, (info.flags = VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM, changes_), \
            .drivers = NULL_DRIVER, .extensions = {"VK_QCOM_image_processing"},          \
            .features = &processing_and_anisotropy, ##__VA_ARGS__)

PROCESSING(image_processing, info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER)
PROCESSING(image_processing_border,
           (info.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
            info.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE),
           .expect = {ID("flags-06968")})

/* --- border colors --- */

#define CUSTOM_BORDER .extensions = {VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME}
static const VkPhysicalDeviceCustomBorderColorFeaturesEXT custom = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
    .customBorderColors = VK_TRUE};
static const VkPhysicalDeviceCustomBorderColorFeaturesEXT custom_without_format = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
    .customBorderColors = VK_TRUE,
    .customBorderColorWithoutFormat = VK_TRUE};

static VkSampler border_sampler(struct baseline *b, VkBorderColor color, VkFormat format)
{
    VkSamplerCustomBorderColorCreateInfoEXT border = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT, .format = format};
    VkSamplerCreateInfo info = sampler_info();
    info.pNext = &border;
    info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    info.borderColor = color;
    return create_sampler(b, &info);
}

SCENARIO(custom_border, CUSTOM_BORDER, .features = &custom)
{
    EXPECT(border_sampler(b, VK_BORDER_COLOR_FLOAT_CUSTOM_EXT, COLOR_FORMAT));
    EXPECT(border_sampler(b, VK_BORDER_COLOR_INT_CUSTOM_EXT, VK_FORMAT_R8G8B8A8_UINT));
}

SCENARIO(custom_border_without_format, CUSTOM_BORDER, .features = &custom_without_format)
{
    EXPECT(border_sampler(b, VK_BORDER_COLOR_FLOAT_CUSTOM_EXT, VK_FORMAT_UNDEFINED));
}

SAMPLER(custom_border_without_structure, info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT,
        CUSTOM_BORDER, .features = &custom, .expect = {ID("borderColor-04011")})

SCENARIO(custom_border_format_missing, CUSTOM_BORDER, .features = &custom,
         .expect = {"VUID-VkSamplerCustomBorderColorCreateInfoEXT-format-04014"})
{
    border_sampler(b, VK_BORDER_COLOR_FLOAT_CUSTOM_EXT, VK_FORMAT_UNDEFINED);
}

SCENARIO(custom_border_of_other_type, CUSTOM_BORDER, .features = &custom,
         .expect = {"VUID-VkSamplerCustomBorderColorCreateInfoEXT-format-07605"})
{
    border_sampler(b, VK_BORDER_COLOR_FLOAT_CUSTOM_EXT, VK_FORMAT_R8G8B8A8_UINT);
}

SCENARIO(custom_borders_too_many, CUSTOM_BORDER, .features = &custom, .drivers = NULL_DRIVER,
         .null_driver = "{\"properties\": {\"maxCustomBorderColorSamplers\": 1}}",
         .expect = {ID("None-04012")})
{
    VkSampler first = border_sampler(b, VK_BORDER_COLOR_FLOAT_CUSTOM_EXT, COLOR_FORMAT);
    FORGET(b, first);
    vkDestroySampler(b->device, first, NULL);
    EXPECT(border_sampler(b, VK_BORDER_COLOR_FLOAT_CUSTOM_EXT, COLOR_FORMAT));
    border_sampler(b, VK_BORDER_COLOR_FLOAT_CUSTOM_EXT, COLOR_FORMAT);
}

SCENARIO(samplers_too_many, .drivers = NULL_DRIVER,
         .null_driver = "{\"limits\": {\"maxSamplerAllocationCount\": 2}}",
         .expect = {"VUID-vkCreateSampler-maxSamplerAllocationCount-04110"})
{
    make_sampler(b);
    make_sampler(b);
    VkSamplerCreateInfo info = sampler_info();
    create_sampler(b, &info);
}

SCENARIO(samplers_just_enough, .drivers = NULL_DRIVER,
         .null_driver = "{\"limits\": {\"maxSamplerAllocationCount\": 2}}")
{
    make_sampler(b);
    for (unsigned i = 0; i < 3; i++) {
        VkSampler sampler = make_sampler(b);
        FORGET(b, sampler);
        vkDestroySampler(b->device, sampler, NULL);
    }
}

SCENARIO(border_swizzle_not_enabled, .drivers = NULL_DRIVER,
         .extensions = {"VK_EXT_border_color_swizzle", VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME},
         .expect = {
             "VUID-VkSamplerBorderColorComponentMappingCreateInfoEXT-borderColorSwizzle-06437"})
{
    VkSamplerBorderColorComponentMappingCreateInfoEXT mapping = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT};
    VkSamplerCreateInfo info = sampler_info();
    info.pNext = &mapping;
    create_sampler(b, &info);
}

SCENARIO(block_match_window_large, .drivers = NULL_DRIVER,
         .extensions = {"VK_QCOM_image_processing", "VK_QCOM_image_processing2"},
         .null_driver = "{\"properties\": {\"maxBlockMatchWindow\": [64, 64]}}",
         .expect = {"VUID-VkSamplerBlockMatchWindowCreateInfoQCOM-WindowExtent-09210"})
{
    VkSamplerBlockMatchWindowCreateInfoQCOM window = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_BLOCK_MATCH_WINDOW_CREATE_INFO_QCOM,
        .windowExtent = {64, 65}};
    VkSamplerCreateInfo info = sampler_info();
    info.pNext = &window;
    create_sampler(b, &info);
}

/* --- descriptor buffer capture and replay --- */

SCENARIO(replay_data_without_flag, .drivers = NULL_DRIVER,
         .extensions = {"VK_EXT_descriptor_buffer"}, .expect = {ID("pNext-08111")})
{
    static const uint64_t data[16];
    VkOpaqueCaptureDescriptorDataCreateInfoEXT opaque = {
        .sType = VK_STRUCTURE_TYPE_OPAQUE_CAPTURE_DESCRIPTOR_DATA_CREATE_INFO_EXT,
        .opaqueCaptureDescriptorData = data};
    VkSamplerCreateInfo info = sampler_info();
    info.pNext = &opaque;
    create_sampler(b, &info);
}

/* --- Y'CbCr conversions --- */

#define YCBCR(name_) "VUID-VkSamplerYcbcrConversionCreateInfo-" name_
static const VkPhysicalDeviceVulkan11Features ycbcr = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    .samplerYcbcrConversion = VK_TRUE};
static const VkPhysicalDeviceFeatures2 ycbcr_and_anisotropy = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&ycbcr,
    .features.samplerAnisotropy = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features ycbcr_and_minmax = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)&ycbcr,
    .samplerFilterMinmax = VK_TRUE};

static VkSamplerYcbcrConversionCreateInfo conversion_info(void)
{
    return (VkSamplerYcbcrConversionCreateInfo){
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
        .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709,
        .ycbcrRange = VK_SAMPLER_YCBCR_RANGE_ITU_FULL,
    };
}

#define CONVERSION(name_, changes_, ...)                             \
    SCENARIO(name_, .features = &ycbcr, ##__VA_ARGS__)               \
    {                                                                \
        VkSamplerYcbcrConversionCreateInfo info = conversion_info(); \
        changes_;                                                    \
        create_sampler_ycbcr_conversion(b, &info);                   \
    }

CONVERSION(conversion, info.components.r = VK_COMPONENT_SWIZZLE_R)
CONVERSION(conversion_swapped,
           (info.components.r = VK_COMPONENT_SWIZZLE_B, info.components.b = VK_COMPONENT_SWIZZLE_R,
            info.components.a = VK_COMPONENT_SWIZZLE_ONE))
CONVERSION(conversion_of_float, info.format = VK_FORMAT_R16G16B16A16_SFLOAT,
           .expect = {YCBCR("format-04061")})
CONVERSION(conversion_of_nothing, info.format = VK_FORMAT_UNDEFINED,
           .expect = {YCBCR("format-04061")})
CONVERSION(conversion_green, info.components.g = VK_COMPONENT_SWIZZLE_R,
           .expect = {YCBCR("components-02581")})
CONVERSION(conversion_alpha, info.components.a = VK_COMPONENT_SWIZZLE_R,
           .expect = {YCBCR("components-02582")})
CONVERSION(conversion_red,
           (info.components.r = VK_COMPONENT_SWIZZLE_G, info.components.b = VK_COMPONENT_SWIZZLE_R),
           .expect = {YCBCR("components-02583")})
CONVERSION(conversion_blue,
           (info.components.b = VK_COMPONENT_SWIZZLE_G, info.components.r = VK_COMPONENT_SWIZZLE_B),
           .expect = {YCBCR("components-02584")})
CONVERSION(conversion_one_swapped, info.components.b = VK_COMPONENT_SWIZZLE_R,
           .expect = {YCBCR("components-02585")})
CONVERSION(conversion_of_constant,
           (info.format = VK_FORMAT_G8_B8_R8_3PLANE_444_UNORM,
            info.components.r = VK_COMPONENT_SWIZZLE_ONE),
           .drivers = NULL_DRIVER, .expect = {YCBCR("ycbcrModel-01655")})
CONVERSION(conversion_of_constant_as_rgb,
           (info.format = VK_FORMAT_G8_B8_R8_3PLANE_444_UNORM,
            info.components.r = VK_COMPONENT_SWIZZLE_ONE,
            info.ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY),
           .drivers = NULL_DRIVER)
CONVERSION(conversion_narrow, info.ycbcrRange = VK_SAMPLER_YCBCR_RANGE_ITU_NARROW)
CONVERSION(conversion_narrow_of_few_bits,
           (info.format = VK_FORMAT_R5G6B5_UNORM_PACK16,
            info.ycbcrRange = VK_SAMPLER_YCBCR_RANGE_ITU_NARROW),
           .drivers = NULL_DRIVER, .expect = {YCBCR("ycbcrRange-02748"), YCBCR("format-01650")})

/* The format features of a DRM format modifier count as well, and are not known. */
#define NOT_FORCEABLE .null_driver = "{\"withoutFormatFeatures\": {\"1000156003\": 2097152}}"
CONVERSION(conversion_not_forceable,
           (info.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
            info.forceExplicitReconstruction = VK_TRUE),
           .drivers = NULL_DRIVER, NOT_FORCEABLE,
           .expect = {YCBCR("forceExplicitReconstruction-01656")})
CONVERSION(conversion_forceable_with_modifiers,
           (info.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
            info.forceExplicitReconstruction = VK_TRUE),
           .drivers = NULL_DRIVER, NOT_FORCEABLE,
           .extensions = {"VK_EXT_image_drm_format_modifier"})

CONVERSION(conversion_midpoint, info.xChromaOffset = VK_CHROMA_LOCATION_MIDPOINT,
           .drivers = LAVAPIPE, .expect = {YCBCR("xChromaOffset-01652")})
CONVERSION(conversion_midpoint_not_downsampled, (info.format = VK_FORMAT_G8_B8R8_2PLANE_422_UNORM,
                                                 info.yChromaOffset = VK_CHROMA_LOCATION_MIDPOINT))
CONVERSION(conversion_forced, info.forceExplicitReconstruction = VK_TRUE, .drivers = LAVAPIPE,
           .expect = {YCBCR("forceExplicitReconstruction-01656")})

SCENARIO(conversion_not_enabled, .expect = {"VUID-vkCreateSamplerYcbcrConversion-None-01648"})
{
    VkSamplerYcbcrConversionCreateInfo info = conversion_info();
    create_sampler_ycbcr_conversion(b, &info);
}

static void degamma_components(struct baseline *b, VkFormat format, VkBool32 y, VkBool32 c)
{
    VkSamplerYcbcrConversionYcbcrDegammaCreateInfoQCOM chained = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_YCBCR_DEGAMMA_CREATE_INFO_QCOM,
        .enableYDegamma = y,
        .enableCbCrDegamma = c};
    VkSamplerYcbcrConversionCreateInfo info = conversion_info();
    info.pNext = &chained;
    info.format = format;
    create_sampler_ycbcr_conversion(b, &info);
}

#define DEGAMMA .features = &ycbcr, .drivers = NULL_DRIVER, .extensions = {"VK_QCOM_ycbcr_degamma"}

SCENARIO(degamma_of_nothing, DEGAMMA)
{
    degamma_components(b, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_FALSE, VK_FALSE);
}

SCENARIO(degamma_y_not_enabled, DEGAMMA, .expect = {YCBCR("pNext-09207")})
{
    degamma_components(b, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_TRUE, VK_FALSE);
}

SCENARIO(degamma_chroma_not_enabled, DEGAMMA, .expect = {YCBCR("pNext-09208")})
{
    degamma_components(b, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_FALSE, VK_TRUE);
}

SCENARIO(degamma_of_ten_bits, DEGAMMA, .expect = {YCBCR("pNext-09209")})
{
    degamma_components(b, VK_FORMAT_G16_B16R16_2PLANE_420_UNORM, VK_FALSE, VK_FALSE);
}

/* A sampler with a conversion. */
#define CONVERTED(name_, changes_, ...)                               \
    SCENARIO(name_, ##__VA_ARGS__)                                    \
    {                                                                 \
        VkSamplerYcbcrConversionInfo chained = {                      \
            .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, \
            .conversion = make_sampler_ycbcr_conversion(b)};          \
        VkSamplerCreateInfo info = sampler_info();                    \
        info.pNext = &chained;                                        \
        changes_;                                                     \
        create_sampler(b, &info);                                     \
    }

CONVERTED(converted, info.maxLod = 0.0f, .features = &ycbcr)
CONVERTED(converted_repeat, info.addressModeU = VK_SAMPLER_ADDRESS_MODE_REPEAT, .features = &ycbcr,
          .expect = {ID("addressModeU-01646")})
CONVERTED(converted_anisotropy, (info.anisotropyEnable = VK_TRUE, info.maxAnisotropy = 1.0f),
          .features = &ycbcr_and_anisotropy, .expect = {ID("addressModeU-01646")})

SCENARIO(converted_reduction, .features = &ycbcr_and_minmax, .expect = {ID("None-01647")})
{
    VkSamplerYcbcrConversionInfo chained = {.sType =
                                                VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO,
                                            .conversion = make_sampler_ycbcr_conversion(b)};
    VkSamplerCreateInfo info = sampler_info();
    info.pNext = &chained;
    reduce_samples(b, info, VK_SAMPLER_REDUCTION_MODE_MIN);
}

/* --- what formats cannot do that are converted (by their number) --- */

#define WITHOUT(bits_)      \
    .drivers = NULL_DRIVER, \
    .null_driver = "{\"withoutFormatFeatures\": {\"1000156003\": " bits_ "}}"
CONVERSION(conversion_cosited_without, info.xChromaOffset = VK_CHROMA_LOCATION_COSITED_EVEN;
           info.yChromaOffset = VK_CHROMA_LOCATION_MIDPOINT, WITHOUT("8388608"),
           .expect = {YCBCR("xChromaOffset-01651")},
           .text = {"xChromaOffset is VK_CHROMA_LOCATION_COSITED_EVEN, which "
                    "VK_FORMAT_G8_B8R8_2PLANE_420_UNORM does not support"})
CONVERSION(conversion_where_midpoint_only,
           info.xChromaOffset = info.yChromaOffset = VK_CHROMA_LOCATION_MIDPOINT,
           WITHOUT("8388608"))
CONVERSION(conversion_linear_without, info.chromaFilter = VK_FILTER_LINEAR, WITHOUT("262144"),
           .expect = {YCBCR("chromaFilter-01657")},
           .text = {"chromaFilter is VK_FILTER_LINEAR, which VK_FORMAT_G8_B8R8_2PLANE_420_UNORM "
                    "does not support"})
CONVERSION(conversion_where_linear, info.chromaFilter = VK_FILTER_LINEAR, .drivers = NULL_DRIVER)

static void sample_converted(struct baseline *b, VkFilter filter)
{
    VkSamplerYcbcrConversionCreateInfo conversion = conversion_info();
    const VkSamplerYcbcrConversionInfo converted = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO,
        .conversion = create_sampler_ycbcr_conversion(b, &conversion)};
    VkSamplerCreateInfo info = sampler_info();
    info.pNext = &converted;
    info.minFilter = info.magFilter = filter;
    info.addressModeU = info.addressModeV = info.addressModeW =
        VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    create_sampler(b, &info);
}

SCENARIO(filter_apart_from_chroma, .features = &ycbcr, WITHOUT("524288"),
         .expect = {ID("minFilter-01645")},
         .text = {"is VK_FILTER_LINEAR, but the conversion's chromaFilter is VK_FILTER_NEAREST"})
{
    sample_converted(b, VK_FILTER_LINEAR);
}

SCENARIO(filter_as_chroma, .features = &ycbcr, WITHOUT("524288"))
{
    sample_converted(b, VK_FILTER_NEAREST);
}

/* --- border colors with an index --- */

static const VkPhysicalDeviceCustomBorderColorFeaturesEXT border_colors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
    .customBorderColors = VK_TRUE,
    .customBorderColorWithoutFormat = VK_TRUE};
static const VkPhysicalDeviceDescriptorHeapFeaturesEXT border_heaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
    .pNext = (void *)&border_colors,
    .descriptorHeap = VK_TRUE};
#define INDEXED                                                                                    \
    .drivers = NULL_DRIVER, .features = &border_heaps,                                             \
    .extensions = {"VK_EXT_custom_border_color", "VK_EXT_descriptor_heap", "VK_KHR_maintenance5"}, \
    .null_driver = "{\"properties\": {\"maxCustomBorderColorSamplers\": 4}}"
static const VkSamplerCustomBorderColorCreateInfoEXT border_color = {
    .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
    .format = VK_FORMAT_R8G8B8A8_UNORM};

static void sample_border(struct baseline *b, uint32_t index)
{
    VkSamplerCustomBorderColorCreateInfoEXT color = border_color;
    VkSamplerCustomBorderColorIndexCreateInfoEXT indexed = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_INDEX_CREATE_INFO_EXT,
        .pNext = &color,
        .index = index};
    VkSamplerCreateInfo info = sampler_info();
    info.pNext = &indexed;
    info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
    create_sampler(b, &info);
}

SCENARIO(border_index, INDEXED)
{
    uint32_t index = 3;
    VK(DEVICE_PROC(b, vkRegisterCustomBorderColorEXT)(b->device, &border_color, VK_TRUE, &index));
    sample_border(b, 3);
    DEVICE_PROC(b, vkUnregisterCustomBorderColorEXT)(b->device, 3);
}

SCENARIO(border_index_of_sampler, INDEXED,
         .expect = {"VUID-VkSamplerCustomBorderColorIndexCreateInfoEXT-index-11289"},
         .text = {"index is 4, not less than maxCustomBorderColorSamplers of this device, 4"})
{
    sample_border(b, 4);
}

SCENARIO(border_index_registered, INDEXED,
         .expect = {"VUID-vkRegisterCustomBorderColorEXT-requestIndex-11287"},
         .text = {"pIndex points to 4, not less than maxCustomBorderColorSamplers, 4"})
{
    uint32_t index = 4;
    DEVICE_PROC(b, vkRegisterCustomBorderColorEXT)(b->device, &border_color, VK_TRUE, &index);
}

SCENARIO(border_index_unregistered, INDEXED,
         .expect = {"VUID-vkUnregisterCustomBorderColorEXT-index-11288"},
         .text = {"index is 4, not less than maxCustomBorderColorSamplers of this device, 4"})
{
    DEVICE_PROC(b, vkUnregisterCustomBorderColorEXT)(b->device, 4);
}

/* --- custom border colors that the format can represent --- */

static void border_of(struct baseline *b, VkFormat format, VkClearColorValue color)
{
    const bool integer = format == VK_FORMAT_R8G8B8A8_UINT || format == VK_FORMAT_R8G8B8A8_SINT;
    const VkSamplerCustomBorderColorCreateInfoEXT border = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .customBorderColor = color,
        .format = format};
    VkSamplerCreateInfo info = sampler_info();
    info.pNext = &border;
    info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    info.borderColor = integer ? VK_BORDER_COLOR_INT_CUSTOM_EXT : VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
    create_sampler(b, &info);
}

SCENARIO(border_in_range, CUSTOM_BORDER, .features = &custom)
{
    border_of(b, VK_FORMAT_R8G8B8A8_UNORM, (VkClearColorValue){.float32 = {0, 1, 0.5f, 1}});
    border_of(b, VK_FORMAT_R8G8_UNORM, (VkClearColorValue){.float32 = {0, 1, 7, -7}});
    border_of(b, VK_FORMAT_R8G8B8A8_SNORM, (VkClearColorValue){.float32 = {-1, 1, 0, 0}});
    border_of(b, VK_FORMAT_R16G16B16A16_SFLOAT, (VkClearColorValue){.float32 = {-9, 9, 0, 0}});
    border_of(b, VK_FORMAT_R8G8B8A8_UINT, (VkClearColorValue){.uint32 = {255, 0, 0, 1}});
    border_of(b, VK_FORMAT_R8G8B8A8_SINT, (VkClearColorValue){.int32 = {-128, 127, 0, 1}});
}

#define OUT_OF_RANGE(name_, format_, ...)                                                    \
    SCENARIO(name_, CUSTOM_BORDER, .features = &custom, .expect = {ID("borderColor-04442")}) \
    {                                                                                        \
        border_of(b, VK_FORMAT_##format_, (VkClearColorValue){__VA_ARGS__});                 \
    }
OUT_OF_RANGE(border_above_one, R8G8B8A8_UNORM, .float32 = {0, 0, 1.5f, 0})
OUT_OF_RANGE(border_below_minus_one, R8G8B8A8_SNORM, .float32 = {-1.5f, 0, 0, 0})
OUT_OF_RANGE(border_of_nine_bits, R8G8B8A8_UINT, .uint32 = {0, 256, 0, 0})
OUT_OF_RANGE(border_below_minus_128, R8G8B8A8_SINT, .int32 = {0, 0, 0, -129})
