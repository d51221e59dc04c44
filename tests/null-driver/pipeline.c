/* Answers questions about pipelines, shaders, caches and acceleration structures. */
#include "null_driver.h"

#include <string.h>
#include <time.h>

VkResult deferred_result(VkDevice device, VkDeferredOperationKHR operation)
{
    if (!operation)
        return VK_SUCCESS;
    bool defer = ((const struct device *)device)->dispatchable.config->defer_operations;
    return defer ? VK_OPERATION_DEFERRED_KHR : VK_OPERATION_NOT_DEFERRED_KHR;
}

/* The work of a deferred operation was done when it was deferred. */
VKAPI_ATTR VkResult VKAPI_CALL null_DeferredOperationJoinKHR(VkDevice device,
                                                             VkDeferredOperationKHR operation)
{
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL null_GetDeferredOperationResultKHR(VkDevice device,
                                                                  VkDeferredOperationKHR operation)
{
    bool run = ((const struct device *)device)->dispatchable.config->operations_run;
    return run ? VK_NOT_READY : VK_SUCCESS;
}

static void write_build_sizes(VkDevice device, VkAccelerationStructureBuildSizesInfoKHR *sizes)
{
    const uint32_t size = ((const struct device *)device)->dispatchable.config->build_size;
    sizes->accelerationStructureSize = sizes->buildScratchSize = sizes->updateScratchSize = size;
}

VKAPI_ATTR void VKAPI_CALL
null_GetClusterAccelerationStructureBuildSizesNV(VkDevice device,
                                                 const VkClusterAccelerationStructureInputInfoNV
                                                     *pInfo,
                                                 VkAccelerationStructureBuildSizesInfoKHR
                                                     *pSizeInfo)
{
    write_build_sizes(device, pSizeInfo);
}

VKAPI_ATTR void VKAPI_CALL null_GetPartitionedAccelerationStructuresBuildSizesNV(
    VkDevice device, const VkPartitionedAccelerationStructureInstancesInputNV *pInfo,
    VkAccelerationStructureBuildSizesInfoKHR *pSizeInfo)
{
    write_build_sizes(device, pSizeInfo);
}

/* As much for every micromap: the bits of a few triangles. */
VKAPI_ATTR void VKAPI_CALL
null_GetMicromapBuildSizesEXT(VkDevice device, VkAccelerationStructureBuildTypeKHR buildType,
                              const VkMicromapBuildInfoEXT *pBuildInfo,
                              VkMicromapBuildSizesInfoEXT *pSizeInfo)
{
    pSizeInfo->micromapSize = pSizeInfo->buildScratchSize = 1024;
}

/* The header that the specification prescribes, and nothing after it. */
VKAPI_ATTR VkResult VKAPI_CALL null_GetPipelineCacheData(VkDevice device,
                                                         VkPipelineCache pipelineCache,
                                                         size_t *pDataSize, void *pData)
{
    const VkPhysicalDeviceProperties *properties =
        &((const struct device *)device)->dispatchable.config->properties;
    VkPipelineCacheHeaderVersionOne header = {.headerSize = sizeof(header),
                                              .headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE,
                                              .vendorID = properties->vendorID,
                                              .deviceID = properties->deviceID};
    memcpy(header.pipelineCacheUUID, properties->pipelineCacheUUID, VK_UUID_SIZE);
    if (!pData) {
        *pDataSize = sizeof(header);
        return VK_SUCCESS;
    }
    if (*pDataSize < sizeof(header)) {
        *pDataSize = 0;
        return VK_INCOMPLETE;
    }
    memcpy(pData, &header, sizeof(header));
    *pDataSize = sizeof(header);
    return VK_SUCCESS;
}

/* Bytes that differ from group to group and from pipeline to pipeline. */
static void group_handles(VkPipeline pipeline, uint32_t first, uint32_t count, size_t size,
                          unsigned char *data)
{
    size_t each = count ? size / count : 0;
    for (uint32_t group = 0; group < count; group++) {
        uint64_t words[2] = {(uint64_t)(uintptr_t)pipeline, first + group + 1u};
        for (size_t i = 0; i < each; i++)
            data[group * each + i] = (unsigned char)(words[i / 8 % 2] >> (i % 8 * 8));
    }
}

VKAPI_ATTR VkResult VKAPI_CALL null_GetRayTracingShaderGroupHandlesKHR(VkDevice device,
                                                                       VkPipeline pipeline,
                                                                       uint32_t firstGroup,
                                                                       uint32_t groupCount,
                                                                       size_t dataSize, void *pData)
{
    group_handles(pipeline, firstGroup, groupCount, dataSize, pData);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetRayTracingCaptureReplayShaderGroupHandlesKHR(VkDevice device, VkPipeline pipeline,
                                                     uint32_t firstGroup, uint32_t groupCount,
                                                     size_t dataSize, void *pData)
{
    group_handles(pipeline, firstGroup, groupCount, dataSize, pData);
    return VK_SUCCESS;
}

/* An acceleration structure's address is its handle's, and aligned as real ones are: unique while
 * it lives, and never zero. */
#define STRUCTURE_ALIGNMENT 256
VKAPI_ATTR VkDeviceAddress VKAPI_CALL
null_GetAccelerationStructureDeviceAddressKHR(VkDevice device,
                                              const VkAccelerationStructureDeviceAddressInfoKHR
                                                  *pInfo)
{
    return (VkDeviceAddress)(uintptr_t)pInfo->accelerationStructure * STRUCTURE_ALIGNMENT;
}

VKAPI_ATTR VkDeviceAddress VKAPI_CALL
null_GetPipelineIndirectDeviceAddressNV(VkDevice device,
                                        const VkPipelineIndirectDeviceAddressInfoNV *pInfo)
{
    return (VkDeviceAddress)(uintptr_t)pInfo->pipeline;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetImageViewAddressNVX(VkDevice device, VkImageView imageView,
                            VkImageViewAddressPropertiesNVX *pProperties)
{
    out_chain(pProperties);
    pProperties->deviceAddress = (VkDeviceAddress)(uintptr_t)imageView;
    pProperties->size = 4096;
    return VK_SUCCESS;
}

VKAPI_ATTR uint64_t VKAPI_CALL null_GetImageViewHandle64NVX(VkDevice device,
                                                            const VkImageViewHandleInfoNVX *pInfo)
{
    return (uint64_t)(uintptr_t)pInfo->imageView;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetAccelerationStructureHandleNV(VkDevice device,
                                      VkAccelerationStructureNV accelerationStructure,
                                      size_t dataSize, void *pData)
{
    memset(pData, 0, dataSize);
    if (dataSize >= sizeof(accelerationStructure))
        memcpy(pData, &accelerationStructure, sizeof(accelerationStructure));
    return VK_SUCCESS;
}

/* Every size and count that is asked about a built structure. */
static void write_sizes(uint32_t count, size_t size, void *data, size_t stride)
{
    static const VkDeviceSize built_size = 65536;
    for (uint32_t i = 0; i < count && i * stride + sizeof(built_size) <= size; i++)
        memcpy((char *)data + i * stride, &built_size, sizeof(built_size));
}

VKAPI_ATTR VkResult VKAPI_CALL
null_WriteAccelerationStructuresPropertiesKHR(VkDevice device, uint32_t accelerationStructureCount,
                                              const VkAccelerationStructureKHR
                                                  *pAccelerationStructures,
                                              VkQueryType queryType, size_t dataSize, void *pData,
                                              size_t stride)
{
    write_sizes(accelerationStructureCount, dataSize, pData, stride);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL null_WriteMicromapsPropertiesEXT(VkDevice device,
                                                                uint32_t micromapCount,
                                                                const VkMicromapEXT *pMicromaps,
                                                                VkQueryType queryType,
                                                                size_t dataSize, void *pData,
                                                                size_t stride)
{
    write_sizes(micromapCount, dataSize, pData, stride);
    return VK_SUCCESS;
}

/* Structures of another driver, or of another version of this one, are not compatible; ours carry
 * no version. */
VKAPI_ATTR void VKAPI_CALL
null_GetDeviceAccelerationStructureCompatibilityKHR(VkDevice device,
                                                    const VkAccelerationStructureVersionInfoKHR
                                                        *pVersionInfo,
                                                    VkAccelerationStructureCompatibilityKHR
                                                        *pCompatibility)
{
    *pCompatibility = VK_ACCELERATION_STRUCTURE_COMPATIBILITY_COMPATIBLE_KHR;
}

VKAPI_ATTR void VKAPI_CALL null_GetRenderAreaGranularity(VkDevice device, VkRenderPass renderPass,
                                                         VkExtent2D *pGranularity)
{
    *pGranularity = (VkExtent2D){1, 1};
}

VKAPI_ATTR void VKAPI_CALL
null_GetRenderingAreaGranularity(VkDevice device, const VkRenderingAreaInfo *pRenderingAreaInfo,
                                 VkExtent2D *pGranularity)
{
    *pGranularity = (VkExtent2D){1, 1};
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetDeviceSubpassShadingMaxWorkgroupSizeHUAWEI(VkDevice device, VkRenderPass renderpass,
                                                   VkExtent2D *pMaxWorkgroupSize)
{
    *pMaxWorkgroupSize = (VkExtent2D){16, 16};
    return VK_SUCCESS;
}

/* --- pipeline binaries ------------------------------------------------------------------------ */

#define BINARIES_OF_A_PIPELINE 1

VKAPI_ATTR VkResult VKAPI_CALL
null_CreatePipelineBinariesKHR(VkDevice device, const VkPipelineBinaryCreateInfoKHR *pCreateInfo,
                               const VkAllocationCallbacks *pAllocator,
                               VkPipelineBinaryHandlesInfoKHR *pBinaries)
{
    uint32_t total = pCreateInfo->pKeysAndDataInfo ? pCreateInfo->pKeysAndDataInfo->binaryCount
                                                   : BINARIES_OF_A_PIPELINE;
    if (!pBinaries->pPipelineBinaries) {
        pBinaries->pipelineBinaryCount = total;
        return VK_SUCCESS;
    }
    uint32_t written =
        pBinaries->pipelineBinaryCount < total ? pBinaries->pipelineBinaryCount : total;
    if (!objects_new(VK_OBJECT_TYPE_PIPELINE_BINARY_KHR, written, pBinaries->pPipelineBinaries))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    pBinaries->pipelineBinaryCount = written;
    return written < total ? VK_INCOMPLETE : VK_SUCCESS;
}

static void binary_key(VkPipelineBinaryKeyKHR *key, const void *of)
{
    uint64_t word = (uint64_t)(uintptr_t)of;
    key->keySize = OPAQUE_DATA_SIZE;
    memset(key->key, 0, sizeof(key->key));
    memcpy(key->key, &word, sizeof(word));
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPipelineKeyKHR(VkDevice device, const VkPipelineCreateInfoKHR *pPipelineCreateInfo,
                       VkPipelineBinaryKeyKHR *pPipelineKey)
{
    binary_key(pPipelineKey, NULL);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPipelineBinaryDataKHR(VkDevice device, const VkPipelineBinaryDataInfoKHR *pInfo,
                              VkPipelineBinaryKeyKHR *pPipelineBinaryKey,
                              size_t *pPipelineBinaryDataSize, void *pPipelineBinaryData)
{
    binary_key(pPipelineBinaryKey, pInfo->pipelineBinary);
    VkResult result = blob_read(pPipelineBinaryDataSize, pPipelineBinaryData);
    return result == VK_INCOMPLETE ? VK_ERROR_NOT_ENOUGH_SPACE_KHR : result;
}

/* --- opaque capture data of descriptor heaps -------------------------------------------------- */

static void capture_ranges(uint32_t count, const VkHostAddressRangeEXT *ranges)
{
    for (uint32_t i = 0; i < count; i++) {
        if (ranges[i].address)
            memset(ranges[i].address, 0, ranges[i].size);
    }
}

VKAPI_ATTR VkResult VKAPI_CALL null_GetImageOpaqueCaptureDataEXT(VkDevice device,
                                                                 uint32_t imageCount,
                                                                 const VkImage *pImages,
                                                                 VkHostAddressRangeEXT *pDatas)
{
    capture_ranges(imageCount, pDatas);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL null_GetTensorOpaqueCaptureDataARM(VkDevice device,
                                                                  uint32_t tensorCount,
                                                                  const VkTensorARM *pTensors,
                                                                  VkHostAddressRangeEXT *pDatas)
{
    capture_ranges(tensorCount, pDatas);
    return VK_SUCCESS;
}

/* --- data that nothing is known of ------------------------------------------------------------ */

VKAPI_ATTR VkResult VKAPI_CALL
null_GetDataGraphPipelinePropertiesARM(VkDevice device,
                                       const VkDataGraphPipelineInfoARM *pPipelineInfo,
                                       uint32_t propertiesCount,
                                       VkDataGraphPipelinePropertyQueryResultARM *pProperties)
{
    for (uint32_t i = 0; i < propertiesCount; i++) {
        pProperties[i].isText = VK_FALSE;
        pProperties[i].dataSize = 0;
    }
    return VK_SUCCESS;
}

/* No work was measured, so that there are no blocks of values. */
VKAPI_ATTR VkResult VKAPI_CALL
null_GetShaderInstrumentationValuesARM(VkDevice device, VkShaderInstrumentationARM instrumentation,
                                       uint32_t *pMetricBlockCount, void *pMetricValues,
                                       VkShaderInstrumentationValuesFlagsARM flags)
{
    *pMetricBlockCount = 0;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
null_GetExternalComputeQueueDataNV(VkExternalComputeQueueNV externalQueue,
                                   VkExternalComputeQueueDataParamsNV *params, void *pData)
{
    memset(pData, 0, OPAQUE_DATA_SIZE);
}

/* The structure that the pointer leads to is known to its users only; it stays as it is. */
VKAPI_ATTR void VKAPI_CALL null_GetLatencyTimingsLegacyNV(VkDevice device, void *pTimings)
{
}

VKAPI_ATTR void VKAPI_CALL
null_GetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR(VkPhysicalDevice physicalDevice,
                                                           const VkQueryPoolPerformanceCreateInfoKHR
                                                               *pPerformanceQueryCreateInfo,
                                                           uint32_t *pNumPasses)
{
    *pNumPasses = 1;
}

/* Three counters: of a command, a render pass, and a command buffer. */
VKAPI_ATTR VkResult VKAPI_CALL null_EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR(
    VkPhysicalDevice physicalDevice, uint32_t queueFamilyIndex, uint32_t *pCounterCount,
    VkPerformanceCounterKHR *pCounters, VkPerformanceCounterDescriptionKHR *pCounterDescriptions)
{
    static const VkPerformanceCounterScopeKHR scopes[] = {
        VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_KHR, VK_PERFORMANCE_COUNTER_SCOPE_RENDER_PASS_KHR,
        VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_BUFFER_KHR};
    const uint32_t total = sizeof(scopes) / sizeof(scopes[0]);
    const uint32_t room = pCounters || pCounterDescriptions ? *pCounterCount : total;
    *pCounterCount = room < total ? room : total;
    for (uint32_t i = 0; pCounters && i < *pCounterCount; i++) {
        pCounters[i].unit = VK_PERFORMANCE_COUNTER_UNIT_GENERIC_KHR;
        pCounters[i].scope = scopes[i];
        pCounters[i].storage = VK_PERFORMANCE_COUNTER_STORAGE_UINT64_KHR;
    }
    return *pCounterCount < total ? VK_INCOMPLETE : VK_SUCCESS;
}

/* --- time ------------------------------------------------------------------------------------- */

VKAPI_ATTR VkResult VKAPI_CALL
null_GetPhysicalDeviceCalibrateableTimeDomainsKHR(VkPhysicalDevice physicalDevice,
                                                  uint32_t *pTimeDomainCount,
                                                  VkTimeDomainKHR *pTimeDomains)
{
    static const VkTimeDomainKHR domains[] = {VK_TIME_DOMAIN_DEVICE_KHR,
                                              VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR};
    return enumerate_values(pTimeDomainCount, pTimeDomains, domains, 2, sizeof(domains[0]));
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetCalibratedTimestampsKHR(VkDevice device, uint32_t timestampCount,
                                const VkCalibratedTimestampInfoKHR *pTimestampInfos,
                                uint64_t *pTimestamps, uint64_t *pMaxDeviation)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    for (uint32_t i = 0; i < timestampCount; i++)
        pTimestamps[i] = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    *pMaxDeviation = 1;
    return VK_SUCCESS;
}

/* --- custom border colors --- */

/* An index that is asked for is free; else all have the first one. */
VKAPI_ATTR VkResult VKAPI_CALL
null_RegisterCustomBorderColorEXT(VkDevice device,
                                  const VkSamplerCustomBorderColorCreateInfoEXT *pBorderColor,
                                  VkBool32 requestIndex, uint32_t *pIndex)
{
    if (!requestIndex)
        *pIndex = 0;
    return VK_SUCCESS;
}
