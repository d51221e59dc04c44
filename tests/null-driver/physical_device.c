/* Answers what the null driver's physical device can do. */
#include "null_driver.h"
#include "defaults.h"

#include <stdio.h>
#include <string.h>

static const struct config *config_of(VkPhysicalDevice physical_device)
{
    return ((const struct physical_device *)physical_device)->dispatchable.config;
}

static const char *std_header_name(VkVideoCodecOperationFlagBitsKHR operation)
{
    switch (operation) {
    case VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR:
        return VK_STD_VULKAN_VIDEO_CODEC_H264_DECODE_EXTENSION_NAME;
    case VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR:
        return VK_STD_VULKAN_VIDEO_CODEC_H265_DECODE_EXTENSION_NAME;
    case VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR:
        return VK_STD_VULKAN_VIDEO_CODEC_AV1_DECODE_EXTENSION_NAME;
    case VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR:
        return VK_STD_VULKAN_VIDEO_CODEC_VP9_DECODE_EXTENSION_NAME;
    case VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR:
        return VK_STD_VULKAN_VIDEO_CODEC_H264_ENCODE_EXTENSION_NAME;
    case VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR:
        return VK_STD_VULKAN_VIDEO_CODEC_H265_ENCODE_EXTENSION_NAME;
    default:
        return VK_STD_VULKAN_VIDEO_CODEC_AV1_ENCODE_EXTENSION_NAME;
    }
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceVideoCapabilitiesKHR(VkPhysicalDevice physicalDevice,
                                           const VkVideoProfileInfoKHR *pVideoProfile,
                                           VkVideoCapabilitiesKHR *pCapabilities)
{
    out_chain_configured(config_of(physicalDevice), pCapabilities);
    snprintf(pCapabilities->stdHeaderVersion.extensionName,
             sizeof(pCapabilities->stdHeaderVersion.extensionName), "%s",
             std_header_name(pVideoProfile->videoCodecOperation));
    return VK_SUCCESS;
}

/* --- features and properties ------------------------------------------------------------------ */

VKAPI_ATTR void VKAPI_CALL null_GetPhysicalDeviceFeatures(VkPhysicalDevice physicalDevice,
                                                          VkPhysicalDeviceFeatures *pFeatures)
{
    *pFeatures = config_of(physicalDevice)->features;
}

VKAPI_ATTR void VKAPI_CALL null_GetPhysicalDeviceFeatures2(VkPhysicalDevice physicalDevice,
                                                           VkPhysicalDeviceFeatures2 *pFeatures)
{
    pFeatures->features = config_of(physicalDevice)->features;
    out_chain_configured(config_of(physicalDevice), pFeatures->pNext);
}

VKAPI_ATTR void VKAPI_CALL null_GetPhysicalDeviceProperties(VkPhysicalDevice physicalDevice,
                                                            VkPhysicalDeviceProperties *pProperties)
{
    *pProperties = config_of(physicalDevice)->properties;
    pProperties->pipelineCacheUUID[VK_UUID_SIZE - 1] =
        (uint8_t)((const struct physical_device *)physicalDevice)->index;
}

/* Layouts that host image copies take; the usual two-call idiom inside a structure. */
static void write_layouts(uint32_t *count, VkImageLayout *layouts)
{
    static const VkImageLayout all[] = {
        VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
        VK_IMAGE_LAYOUT_PREINITIALIZED};
    (void)enumerate_values(count, layouts, all, sizeof(all) / sizeof(all[0]), sizeof(all[0]));
}

/* Properties that hold arrays of the app's. A count that was written by the chain's defaults is
 * lost, so it is kept before. */
struct counted_layouts {
    VkPhysicalDeviceHostImageCopyProperties *host;
    uint32_t host_counts[2];
    VkPhysicalDeviceVulkan14Properties *core;
    uint32_t core_counts[2];
};

static struct counted_layouts counts_keep(const void *chain)
{
    struct counted_layouts kept = {
        .host =
            (void *)chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_PROPERTIES),
        .core = (void *)chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_PROPERTIES)};
    if (kept.host) {
        kept.host_counts[0] = kept.host->copySrcLayoutCount;
        kept.host_counts[1] = kept.host->copyDstLayoutCount;
    }
    if (kept.core) {
        kept.core_counts[0] = kept.core->copySrcLayoutCount;
        kept.core_counts[1] = kept.core->copyDstLayoutCount;
    }
    return kept;
}

static void counts_write(struct counted_layouts *kept)
{
    if (kept->host) {
        write_layouts(&kept->host_counts[0], kept->host->pCopySrcLayouts);
        write_layouts(&kept->host_counts[1], kept->host->pCopyDstLayouts);
        kept->host->copySrcLayoutCount = kept->host_counts[0];
        kept->host->copyDstLayoutCount = kept->host_counts[1];
    }
    if (kept->core) {
        write_layouts(&kept->core_counts[0], kept->core->pCopySrcLayouts);
        write_layouts(&kept->core_counts[1], kept->core->pCopyDstLayouts);
        kept->core->copySrcLayoutCount = kept->core_counts[0];
        kept->core->copyDstLayoutCount = kept->core_counts[1];
    }
}

/* Two devices of one instance must not have the same id. */
static void device_uuid_write(const struct physical_device *device, void *chain)
{
    VkPhysicalDeviceIDProperties *id =
        (void *)chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
    if (id)
        id->deviceUUID[VK_UUID_SIZE - 1] ^= (uint8_t)device->index;
    VkPhysicalDeviceVulkan11Properties *core =
        (void *)chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES);
    if (core)
        core->deviceUUID[VK_UUID_SIZE - 1] ^= (uint8_t)device->index;
}

VKAPI_ATTR void VKAPI_CALL
null_GetPhysicalDeviceProperties2(VkPhysicalDevice physicalDevice,
                                  VkPhysicalDeviceProperties2 *pProperties)
{
    null_GetPhysicalDeviceProperties(physicalDevice, &pProperties->properties);
    struct counted_layouts counts = counts_keep(pProperties->pNext);
    out_chain_configured(config_of(physicalDevice), pProperties->pNext);
    counts_write(&counts);
    device_uuid_write((const struct physical_device *)physicalDevice, pProperties->pNext);
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceOpticalFlowImageFormatsNV(VkPhysicalDevice physicalDevice,
                                                const VkOpticalFlowImageFormatInfoNV
                                                    *pOpticalFlowImageFormatInfo,
                                                uint32_t *pFormatCount,
                                                VkOpticalFlowImageFormatPropertiesNV
                                                    *pImageFormatProperties)
{
    const VkOpticalFlowUsageFlagsNV usage = pOpticalFlowImageFormatInfo->usage;
    const VkOpticalFlowImageFormatPropertiesNV one = {
        .sType = VK_STRUCTURE_TYPE_OPTICAL_FLOW_IMAGE_FORMAT_PROPERTIES_NV,
        .format = usage & VK_OPTICAL_FLOW_USAGE_INPUT_BIT_NV  ? VK_FORMAT_R8_UNORM
                  : usage & VK_OPTICAL_FLOW_USAGE_COST_BIT_NV ? VK_FORMAT_R8_UINT
                                                              : VK_FORMAT_R16G16_S10_5_NV};
    return enumerate_values(pFormatCount, pImageFormatProperties, &one,
                            config_of(physicalDevice)->list_formats, sizeof(one));
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceCooperativeVectorPropertiesNV(VkPhysicalDevice physicalDevice,
                                                    uint32_t *pPropertyCount,
                                                    VkCooperativeVectorPropertiesNV *pProperties)
{
    static const VkComponentTypeKHR types[] = {
        VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT64_KHR, VK_COMPONENT_TYPE_SINT8_KHR};
    VkCooperativeVectorPropertiesNV all[3];
    for (int i = 0; i < 3; i++)
        all[i] = (VkCooperativeVectorPropertiesNV){
            .sType = VK_STRUCTURE_TYPE_COOPERATIVE_VECTOR_PROPERTIES_NV,
            .inputType = types[i],
            .inputInterpretation = types[i],
            .matrixInterpretation = types[i],
            .biasInterpretation = types[i],
            .resultType = types[i]};
    return enumerate_values(pPropertyCount, pProperties, all,
                            config_of(physicalDevice)->list_formats ? 3 : 0, sizeof(all[0]));
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceCooperativeMatrixPropertiesKHR(VkPhysicalDevice physicalDevice,
                                                     uint32_t *pPropertyCount,
                                                     VkCooperativeMatrixPropertiesKHR *pProperties)
{
    const VkCooperativeMatrixPropertiesKHR one = {
        .sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR,
        .MSize = 16,
        .NSize = 8,
        .KSize = 32,
        .AType = VK_COMPONENT_TYPE_SINT8_KHR,
        .BType = VK_COMPONENT_TYPE_SINT8_KHR,
        .CType = VK_COMPONENT_TYPE_SINT32_KHR,
        .ResultType = VK_COMPONENT_TYPE_SINT32_KHR,
        .scope = VK_SCOPE_SUBGROUP_KHR};
    return enumerate_values(pPropertyCount, pProperties, &one,
                            config_of(physicalDevice)->list_formats, sizeof(one));
}

/* --- queue families and memory ---------------------------------------------------------------- */

VKAPI_ATTR void VKAPI_CALL
null_GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice physicalDevice,
                                            uint32_t *pQueueFamilyPropertyCount,
                                            VkQueueFamilyProperties *pQueueFamilyProperties)
{
    const struct config *config = config_of(physicalDevice);
    (void)enumerate_values(pQueueFamilyPropertyCount, pQueueFamilyProperties,
                           config->queue_families, config->queue_family_count,
                           sizeof(config->queue_families[0]));
}

VKAPI_ATTR void VKAPI_CALL
null_GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice physicalDevice,
                                             uint32_t *pQueueFamilyPropertyCount,
                                             VkQueueFamilyProperties2 *pQueueFamilyProperties)
{
    const struct config *config = config_of(physicalDevice);
    uint32_t total = config->queue_family_count;
    if (pQueueFamilyProperties && *pQueueFamilyPropertyCount < total)
        total = *pQueueFamilyPropertyCount;
    *pQueueFamilyPropertyCount = total;
    for (uint32_t i = 0; pQueueFamilyProperties && i < total; i++) {
        VkQueueFamilyProperties2 *family = &pQueueFamilyProperties[i];
        family->queueFamilyProperties = config->queue_families[i];
        out_chain_configured(config, family->pNext);
        /* Only a family that codes video has codecs. */
        VkQueueFamilyVideoPropertiesKHR *video =
            (void *)chain_find(family->pNext, VK_STRUCTURE_TYPE_QUEUE_FAMILY_VIDEO_PROPERTIES_KHR);
        if (video && !(config->queue_families[i].queueFlags &
                       (VK_QUEUE_VIDEO_DECODE_BIT_KHR | VK_QUEUE_VIDEO_ENCODE_BIT_KHR)))
            video->videoCodecOperations = 0;
    }
}

VKAPI_ATTR void VKAPI_CALL
null_GetPhysicalDeviceMemoryProperties(VkPhysicalDevice physicalDevice,
                                       VkPhysicalDeviceMemoryProperties *pMemoryProperties)
{
    enum {
        DEVICE = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
        VISIBLE = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
        COHERENT = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
        CACHED = VK_MEMORY_PROPERTY_HOST_CACHED_BIT
    };
    *pMemoryProperties = (VkPhysicalDeviceMemoryProperties){
        .memoryTypeCount = MEMORY_TYPE_COUNT,
        .memoryTypes = {{DEVICE, 0},
                        {DEVICE | VISIBLE | COHERENT, 0},
                        /* before what has more: the specification orders subsets first */
                        {VISIBLE | CACHED, 1},
                        {VISIBLE | COHERENT | CACHED, 1},
                        [MEMORY_TYPE_LAZY] = {DEVICE | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT, 0},
                        [MEMORY_TYPE_PROTECTED] = {DEVICE | VK_MEMORY_PROPERTY_PROTECTED_BIT, 0}},
        .memoryHeapCount = 2,
        .memoryHeaps = {{config_of(physicalDevice)->heap_size, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT},
                        {config_of(physicalDevice)->heap_size, 0}}};
    if (config_of(physicalDevice)->multi_instance)
        pMemoryProperties->memoryHeaps[0].flags |= VK_MEMORY_HEAP_MULTI_INSTANCE_BIT;
    if (!config_of(physicalDevice)->special_memory)
        return;
    pMemoryProperties->memoryTypes[3].propertyFlags |=
        VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD | VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD;
    pMemoryProperties->memoryHeaps[1].flags |= VK_MEMORY_HEAP_TILE_MEMORY_BIT_QCOM;
}

VKAPI_ATTR void VKAPI_CALL
null_GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice physicalDevice,
                                        VkPhysicalDeviceMemoryProperties2 *pMemoryProperties)
{
    null_GetPhysicalDeviceMemoryProperties(physicalDevice, &pMemoryProperties->memoryProperties);
    out_chain(pMemoryProperties->pNext);
    VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget =
        (void *)chain_find(pMemoryProperties->pNext,
                           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
    if (!budget)
        return;
    memset(budget->heapUsage, 0, sizeof(budget->heapUsage));
    memset(budget->heapBudget, 0, sizeof(budget->heapBudget));
    for (uint32_t i = 0; i < pMemoryProperties->memoryProperties.memoryHeapCount; i++)
        budget->heapBudget[i] = pMemoryProperties->memoryProperties.memoryHeaps[i].size;
}

VKAPI_ATTR void VKAPI_CALL
null_GetDeviceGroupPeerMemoryFeatures(VkDevice device, uint32_t heapIndex,
                                      uint32_t localDeviceIndex, uint32_t remoteDeviceIndex,
                                      VkPeerMemoryFeatureFlags *pPeerMemoryFeatures)
{
    *pPeerMemoryFeatures =
        VK_PEER_MEMORY_FEATURE_COPY_SRC_BIT | VK_PEER_MEMORY_FEATURE_COPY_DST_BIT |
        VK_PEER_MEMORY_FEATURE_GENERIC_SRC_BIT | VK_PEER_MEMORY_FEATURE_GENERIC_DST_BIT;
}

/* --- formats ---------------------------------------------------------------------------------- */

const struct format_info *format_find(VkFormat format)
{
    size_t low = 0, high = format_table_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (format_table[middle].format < format)
            low = middle + 1;
        else
            high = middle;
    }
    return low < format_table_count && format_table[low].format == format ? &format_table[low]
                                                                          : NULL;
}

/* Names of VK_FORMAT_FEATURE_2_*_BIT without the ends. */
#define SAMPLED                                                                    \
    (VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_BLIT_SRC_BIT |    \
     VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT | \
     VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT)
#define FILTERED                                           \
    (VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT | \
     VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT | \
     VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_CUBIC_BIT)
#define STORED                                                                                     \
    (VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT | \
     VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT)
#define CHROMA                                                                               \
    (VK_FORMAT_FEATURE_2_MIDPOINT_CHROMA_SAMPLES_BIT |                                       \
     VK_FORMAT_FEATURE_2_COSITED_CHROMA_SAMPLES_BIT |                                        \
     VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_YCBCR_CONVERSION_LINEAR_FILTER_BIT |                  \
     VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_YCBCR_CONVERSION_SEPARATE_RECONSTRUCTION_FILTER_BIT | \
     VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_YCBCR_CONVERSION_CHROMA_RECONSTRUCTION_EXPLICIT_BIT | \
     VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_YCBCR_CONVERSION_CHROMA_RECONSTRUCTION_EXPLICIT_FORCEABLE_BIT)
#define VIDEO                                          \
    (VK_FORMAT_FEATURE_2_VIDEO_DECODE_OUTPUT_BIT_KHR | \
     VK_FORMAT_FEATURE_2_VIDEO_DECODE_DPB_BIT_KHR |    \
     VK_FORMAT_FEATURE_2_VIDEO_ENCODE_INPUT_BIT_KHR |  \
     VK_FORMAT_FEATURE_2_VIDEO_ENCODE_DPB_BIT_KHR)
#define TENSOR                                           \
    (VK_FORMAT_FEATURE_2_TENSOR_SHADER_BIT_ARM |         \
     VK_FORMAT_FEATURE_2_TENSOR_IMAGE_ALIASING_BIT_ARM | \
     VK_FORMAT_FEATURE_2_TENSOR_DATA_GRAPH_BIT_ARM)
#define FLOW                                          \
    (VK_FORMAT_FEATURE_2_OPTICAL_FLOW_IMAGE_BIT_NV |  \
     VK_FORMAT_FEATURE_2_OPTICAL_FLOW_VECTOR_BIT_NV | \
     VK_FORMAT_FEATURE_2_OPTICAL_FLOW_COST_BIT_NV)
#define VIDEO_MAPS                                                     \
    (VK_FORMAT_FEATURE_2_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR | \
     VK_FORMAT_FEATURE_2_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR)
#define BLOCK_MATCHING                                   \
    (VK_FORMAT_FEATURE_2_WEIGHT_IMAGE_BIT_QCOM |         \
     VK_FORMAT_FEATURE_2_WEIGHT_SAMPLED_IMAGE_BIT_QCOM | \
     VK_FORMAT_FEATURE_2_BLOCK_MATCHING_BIT_QCOM |       \
     VK_FORMAT_FEATURE_2_BOX_FILTER_SAMPLED_BIT_QCOM)
#define COPY_DEPTH                                             \
    (VK_FORMAT_FEATURE_2_DEPTH_COPY_ON_COMPUTE_QUEUE_BIT_KHR | \
     VK_FORMAT_FEATURE_2_DEPTH_COPY_ON_TRANSFER_QUEUE_BIT_KHR)
#define COPY_STENCIL                                             \
    (VK_FORMAT_FEATURE_2_STENCIL_COPY_ON_COMPUTE_QUEUE_BIT_KHR | \
     VK_FORMAT_FEATURE_2_STENCIL_COPY_ON_TRANSFER_QUEUE_BIT_KHR)

static VkFormatFeatureFlags2 color_features(const struct format_info *format)
{
    VkFormatFeatureFlags2 features = SAMPLED | STORED | VK_FORMAT_FEATURE_2_BLIT_DST_BIT |
                                     VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT |
                                     VK_FORMAT_FEATURE_2_LINEAR_COLOR_ATTACHMENT_BIT_NV | TENSOR |
                                     FLOW | VK_FORMAT_FEATURE_2_FRAGMENT_DENSITY_MAP_BIT_EXT |
                                     VK_FORMAT_FEATURE_2_COPY_IMAGE_INDIRECT_DST_BIT_KHR;
    if (format->flags & FORMAT_INTEGER)
        features |= VK_FORMAT_FEATURE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
    else
        features |= FILTERED | BLOCK_MATCHING | VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT;
    if (format->flags & FORMAT_ATOMIC)
        features |= VK_FORMAT_FEATURE_2_STORAGE_IMAGE_ATOMIC_BIT;
    if (format->block_size == 1)
        features |= VIDEO_MAPS;
    return features;
}

static VkFormatFeatureFlags2 all_optimal_features(const struct format_info *format)
{
    if (format->flags & (FORMAT_DEPTH | FORMAT_STENCIL)) {
        VkFormatFeatureFlags2 features = SAMPLED | VK_FORMAT_FEATURE_2_BLIT_DST_BIT |
                                         VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;
        if (format->flags & FORMAT_DEPTH)
            features |= COPY_DEPTH | VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT |
                        VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT |
                        VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT;
        if (format->flags & FORMAT_STENCIL)
            features |= COPY_STENCIL;
        return features;
    }
    if (format->flags & FORMAT_COMPRESSED)
        return SAMPLED | FILTERED;
    if (format->flags & FORMAT_YCBCR) {
        VkFormatFeatureFlags2 features =
            SAMPLED | CHROMA | VIDEO | VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT | STORED;
        return format->plane_count ? features | VK_FORMAT_FEATURE_2_DISJOINT_BIT : features;
    }
    return color_features(format);
}

static VkFormatFeatureFlags2 all_linear_features(const struct format_info *format)
{
    if (format->flags & (FORMAT_DEPTH | FORMAT_STENCIL | FORMAT_COMPRESSED))
        return 0;
    return all_optimal_features(format) &
           ~(VkFormatFeatureFlags2)VK_FORMAT_FEATURE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
}

static VkFormatFeatureFlags2 all_buffer_features(const struct format_info *format)
{
    if (format->flags & (FORMAT_DEPTH | FORMAT_STENCIL | FORMAT_COMPRESSED | FORMAT_YCBCR))
        return 0;
    VkFormatFeatureFlags2 features = VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT |
                                     VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT |
                                     VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT |
                                     VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT |
                                     VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;
    if (!(format->flags & FORMAT_INTEGER))
        features |= VK_FORMAT_FEATURE_2_ACCELERATION_STRUCTURE_VERTEX_BUFFER_BIT_KHR |
                    VK_FORMAT_FEATURE_2_ACCELERATION_STRUCTURE_RADIUS_BUFFER_BIT_NV;
    if (format->flags & FORMAT_ATOMIC)
        features |= VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_ATOMIC_BIT;
    return features;
}

/* Less what the configuration takes from the format. */
static VkFormatFeatureFlags2 left_of(const struct config *config, const struct format_info *format,
                                     VkFormatFeatureFlags2 features)
{
    for (size_t i = 0; i < config->format_change_count; i++) {
        if (config->format_changes[i].format == format->format)
            features &= ~config->format_changes[i].without;
    }
    return features;
}

static VkFormatFeatureFlags2 optimal_features(const struct config *config,
                                              const struct format_info *format)
{
    return left_of(config, format, all_optimal_features(format));
}

static VkFormatFeatureFlags2 linear_features(const struct config *config,
                                             const struct format_info *format)
{
    return left_of(config, format, all_linear_features(format));
}

static VkFormatFeatureFlags2 buffer_features(const struct config *config,
                                             const struct format_info *format)
{
    return left_of(config, format, all_buffer_features(format));
}

/* The features that fit the flags of 32 bits; the highest bit of those is unused by the registry.
 */
static VkFormatFeatureFlags narrow_features(VkFormatFeatureFlags2 features)
{
    return (VkFormatFeatureFlags)(features & 0x7fffffffu);
}

VKAPI_ATTR void VKAPI_CALL
null_GetPhysicalDeviceFormatProperties(VkPhysicalDevice physicalDevice, VkFormat format,
                                       VkFormatProperties *pFormatProperties)
{
    const struct config *config = config_of(physicalDevice);
    const struct format_info *info = format_find(format);
    *pFormatProperties =
        info
            ? (VkFormatProperties){.linearTilingFeatures =
                                       narrow_features(linear_features(config, info)),
                                   .optimalTilingFeatures =
                                       narrow_features(optimal_features(config, info)),
                                   .bufferFeatures = narrow_features(buffer_features(config, info))}
            : (VkFormatProperties){0};
}

/* One modifier, DRM_FORMAT_MOD_LINEAR, with the features of linear images. */
static void write_modifiers(const struct config *config, void *chain,
                            const struct format_info *format, uint32_t count, uint32_t count2)
{
    VkFormatFeatureFlags2 features = format ? linear_features(config, format) : 0;
    uint32_t planes = format && format->plane_count ? format->plane_count : 1;
    VkDrmFormatModifierPropertiesListEXT *list =
        (void *)chain_find(chain, VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT);
    if (list) {
        VkDrmFormatModifierPropertiesEXT modifier = {0, planes, narrow_features(features)};
        (void)enumerate_values(&count, list->pDrmFormatModifierProperties, &modifier, features != 0,
                               sizeof(modifier));
        list->drmFormatModifierCount = count;
    }
    VkDrmFormatModifierPropertiesList2EXT *list2 =
        (void *)chain_find(chain, VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_2_EXT);
    if (list2) {
        VkDrmFormatModifierProperties2EXT modifier = {0, planes, features};
        (void)enumerate_values(&count2, list2->pDrmFormatModifierProperties, &modifier,
                               features != 0, sizeof(modifier));
        list2->drmFormatModifierCount = count2;
    }
}

VKAPI_ATTR void VKAPI_CALL
null_GetPhysicalDeviceFormatProperties2(VkPhysicalDevice physicalDevice, VkFormat format,
                                        VkFormatProperties2 *pFormatProperties)
{
    const struct config *config = config_of(physicalDevice);
    const struct format_info *info = format_find(format);
    void *chain = pFormatProperties->pNext;
    const VkDrmFormatModifierPropertiesListEXT *list =
        chain_find(chain, VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT);
    const VkDrmFormatModifierPropertiesList2EXT *list2 =
        chain_find(chain, VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_2_EXT);
    uint32_t count = list ? list->drmFormatModifierCount : 0,
             count2 = list2 ? list2->drmFormatModifierCount : 0;

    null_GetPhysicalDeviceFormatProperties(physicalDevice, format,
                                           &pFormatProperties->formatProperties);
    out_chain_configured(config, chain);
    write_modifiers(config, chain, info, count, count2);
    VkFormatProperties3 *wide = (void *)chain_find(chain, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3);
    if (wide && info) {
        wide->linearTilingFeatures = linear_features(config, info);
        wide->optimalTilingFeatures = optimal_features(config, info);
        wide->bufferFeatures = buffer_features(config, info);
    }
    VkTensorFormatPropertiesARM *tensor =
        (void *)chain_find(chain, VK_STRUCTURE_TYPE_TENSOR_FORMAT_PROPERTIES_ARM);
    if (tensor && info)
        tensor->optimalTilingTensorFeatures = tensor->linearTilingTensorFeatures =
            optimal_features(config, info) &
            (TENSOR | VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT);
}

/* The format features that an image of this usage needs. */
static VkFormatFeatureFlags2 features_of_usage(VkImageUsageFlags usage)
{
    static const struct {
        VkImageUsageFlags usage;
        VkFormatFeatureFlags2 feature;
    } pairs[] = {{VK_IMAGE_USAGE_SAMPLED_BIT, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT},
                 {VK_IMAGE_USAGE_STORAGE_BIT, VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT},
                 {VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT},
                 {VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                  VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT}};
    VkFormatFeatureFlags2 features = 0;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        features |= usage & pairs[i].usage ? pairs[i].feature : 0;
    return features;
}

static uint32_t full_mip_chain(uint32_t size)
{
    uint32_t levels = 1;
    while (size >>= 1)
        levels++;
    return levels;
}

static VkResult image_format_properties(const struct config *config,
                                        const VkPhysicalDeviceImageFormatInfo2 *info,
                                        VkImageFormatProperties *out)
{
    *out = (VkImageFormatProperties){0};
    const struct format_info *format = format_find(info->format);
    if (!format)
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    bool optimal = info->tiling == VK_IMAGE_TILING_OPTIMAL;
    VkFormatFeatureFlags2 features =
        optimal ? optimal_features(config, format) : linear_features(config, format);
    VkFormatFeatureFlags2 needed = features_of_usage(info->usage);
    bool extended = (info->flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT) != 0;
    if (!features || (!extended && (features & needed) != needed))
        return VK_ERROR_FORMAT_NOT_SUPPORTED;

    const VkPhysicalDeviceLimits *limits = &config->properties.limits;
    uint32_t size = info->type == VK_IMAGE_TYPE_1D   ? limits->maxImageDimension1D
                    : info->type == VK_IMAGE_TYPE_2D ? limits->maxImageDimension2D
                                                     : limits->maxImageDimension3D;
    if (info->flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT)
        size = limits->maxImageDimensionCube;
    bool planar = (format->flags & FORMAT_YCBCR) != 0;
    *out = (VkImageFormatProperties){
        .maxExtent = {size, info->type == VK_IMAGE_TYPE_1D ? 1 : size,
                      info->type == VK_IMAGE_TYPE_3D ? size : 1},
        .maxMipLevels = planar || !optimal ? 1 : full_mip_chain(size),
        .maxArrayLayers = info->type == VK_IMAGE_TYPE_3D ? 1 : limits->maxImageArrayLayers,
        .sampleCounts = VK_SAMPLE_COUNT_1_BIT,
        .maxResourceSize = 1ull << 32};
    bool attachment = features & (VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT |
                                  VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT);
    if (optimal && attachment && info->type == VK_IMAGE_TYPE_2D &&
        !(info->flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT))
        out->sampleCounts = limits->framebufferColorSampleCounts;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceImageFormatProperties(VkPhysicalDevice physicalDevice, VkFormat format,
                                            VkImageType type, VkImageTiling tiling,
                                            VkImageUsageFlags usage, VkImageCreateFlags flags,
                                            VkImageFormatProperties *pImageFormatProperties)
{
    VkPhysicalDeviceImageFormatInfo2 info = {
        .format = format, .type = type, .tiling = tiling, .usage = usage, .flags = flags};
    return image_format_properties(config_of(physicalDevice), &info, pImageFormatProperties);
}

static const VkExternalMemoryProperties external_memory = {
    .externalMemoryFeatures =
        VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT,
    .exportFromImportedHandleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT |
                                     VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT,
    .compatibleHandleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT |
                             VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT};

/* Memory of the host goes in alone, and never out. */
static VkExternalMemoryProperties external_properties(VkExternalMemoryHandleTypeFlagBits type)
{
    VkExternalMemoryHandleTypeFlags host =
        VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT |
        VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT;
    if (type & host)
        return (VkExternalMemoryProperties){.externalMemoryFeatures =
                                                VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT,
                                            .compatibleHandleTypes = host};
    return external_memory;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceImageFormatProperties2(VkPhysicalDevice physicalDevice,
                                             const VkPhysicalDeviceImageFormatInfo2
                                                 *pImageFormatInfo,
                                             VkImageFormatProperties2 *pImageFormatProperties)
{
    out_chain(pImageFormatProperties->pNext);
    VkExternalImageFormatProperties *external =
        (void *)chain_find(pImageFormatProperties->pNext,
                           VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES);
    if (external)
        external->externalMemoryProperties = external_memory;
    VkFilterCubicImageViewImageFormatPropertiesEXT *cubic =
        (void *)chain_find(pImageFormatProperties->pNext,
                           VK_STRUCTURE_TYPE_FILTER_CUBIC_IMAGE_VIEW_IMAGE_FORMAT_PROPERTIES_EXT);
    const VkPhysicalDeviceImageViewImageFormatInfoEXT *view =
        chain_find(pImageFormatInfo->pNext,
                   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_VIEW_IMAGE_FORMAT_INFO_EXT);
    if (cubic && view) {
        cubic->filterCubic = view->imageViewType == VK_IMAGE_VIEW_TYPE_2D ||
                             view->imageViewType == VK_IMAGE_VIEW_TYPE_2D_ARRAY;
        cubic->filterCubicMinmax = view->imageViewType == VK_IMAGE_VIEW_TYPE_2D;
    }
    return image_format_properties(config_of(physicalDevice), pImageFormatInfo,
                                   &pImageFormatProperties->imageFormatProperties);
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceExternalImageFormatPropertiesNV(VkPhysicalDevice physicalDevice,
                                                      VkFormat format, VkImageType type,
                                                      VkImageTiling tiling, VkImageUsageFlags usage,
                                                      VkImageCreateFlags flags,
                                                      VkExternalMemoryHandleTypeFlagsNV
                                                          externalHandleType,
                                                      VkExternalImageFormatPropertiesNV
                                                          *pExternalImageFormatProperties)
{
    *pExternalImageFormatProperties = (VkExternalImageFormatPropertiesNV){0};
    return null_GetPhysicalDeviceImageFormatProperties(physicalDevice, format, type, tiling, usage,
                                                       flags,
                                                       &pExternalImageFormatProperties
                                                            ->imageFormatProperties);
}

/* --- external objects ------------------------------------------------------------------------- */

VKAPI_ATTR void VKAPI_CALL
null_GetPhysicalDeviceExternalBufferProperties(VkPhysicalDevice physicalDevice,
                                               const VkPhysicalDeviceExternalBufferInfo
                                                   *pExternalBufferInfo,
                                               VkExternalBufferProperties
                                                   *pExternalBufferProperties)
{
    out_chain(pExternalBufferProperties->pNext);
    pExternalBufferProperties->externalMemoryProperties =
        external_properties(pExternalBufferInfo->handleType);
}

VKAPI_ATTR void VKAPI_CALL
null_GetPhysicalDeviceExternalFenceProperties(VkPhysicalDevice physicalDevice,
                                              const VkPhysicalDeviceExternalFenceInfo
                                                  *pExternalFenceInfo,
                                              VkExternalFenceProperties *pExternalFenceProperties)
{
    VkExternalFenceHandleTypeFlags types =
        VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT | VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
    out_chain(pExternalFenceProperties->pNext);
    pExternalFenceProperties->exportFromImportedHandleTypes = types;
    pExternalFenceProperties->compatibleHandleTypes = types;
    pExternalFenceProperties->externalFenceFeatures =
        VK_EXTERNAL_FENCE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_FENCE_FEATURE_IMPORTABLE_BIT;
}

VKAPI_ATTR void VKAPI_CALL
null_GetPhysicalDeviceExternalSemaphoreProperties(VkPhysicalDevice physicalDevice,
                                                  const VkPhysicalDeviceExternalSemaphoreInfo
                                                      *pExternalSemaphoreInfo,
                                                  VkExternalSemaphoreProperties
                                                      *pExternalSemaphoreProperties)
{
    VkExternalSemaphoreHandleTypeFlags types = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT |
                                               VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
    out_chain(pExternalSemaphoreProperties->pNext);
    pExternalSemaphoreProperties->exportFromImportedHandleTypes = types;
    pExternalSemaphoreProperties->compatibleHandleTypes = types;
    pExternalSemaphoreProperties->externalSemaphoreFeatures =
        VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT;
}
