/* Checks that pipeline caches may be created and merged, and pipeline executables queried (10.11
 * "Pipeline Cache", 10.19 "Pipeline Compiler Control"). It also checks pipeline binaries: their
 * sources, and that their data still exists (10.12 "Pipeline Binaries"). */
#include "core/hooks.h"
#include "core/pipeline/checks.h"
#include "state/pipeline/pipeline_cache.h"
#include "state/submit/queue.h"
#include "vk/pointer.h"

#include "report/finding/rule.h"

/* VkPipelineCacheHeaderVersionDataGraphQCOM */
#define DATA_GRAPH_HEADER_SIZE 28

/* Checks initial data that came from a cache of data graphs (VK_QCOM_data_graph_model). */
bool core_validate_CreatePipelineCache_data_graph(struct call *call, VkDevice device,
                                                  const VkPipelineCacheCreateInfo *pCreateInfo,
                                                  const VkAllocationCallbacks *pAllocator,
                                                  VkPipelineCache *pPipelineCache)
{
    const struct location create = LOCATION_POINTER(NULL, "pCreateInfo"),
                          where = LOCATION_POINTER(&create, "pInitialData");
    struct subject s = {.call = call, .where = &where};
    struct pipeline_cache_head head;
    if (!pipeline_cache_read_head(pCreateInfo, &head) ||
        head.version != VK_PIPELINE_CACHE_HEADER_VERSION_DATA_GRAPH_QCOM)
        return false;
    /* The dataGraphModel feature must be enabled */
    REQUIRE(&s, VUID_VkPipelineCacheHeaderVersionDataGraphQCOM_None_11835,
            subject_has(&s, FEATURE_dataGraphModel), "headerVersion",
            "is VK_PIPELINE_CACHE_HEADER_VERSION_DATA_GRAPH_QCOM, but the feature dataGraphModel "
            "is not enabled");
    REQUIRE_NEXT(&s, VUID_VkPipelineCacheHeaderVersionDataGraphQCOM_headerSize_11836,
                 head.size == DATA_GRAPH_HEADER_SIZE, "headerSize",
                 "is %u, but the header of a cache of data graphs has %d bytes", head.size,
                 DATA_GRAPH_HEADER_SIZE);
    /* headerSize must not exceed the size of the pipeline cache */
    REQUIRE_NEXT(&s, VUID_VkPipelineCacheHeaderVersionDataGraphQCOM_headerSize_11838,
                 head.size <= pCreateInfo->initialDataSize, "headerSize",
                 "is %u, but the data has %zu bytes (initialDataSize)", head.size,
                 pCreateInfo->initialDataSize);
    return s.skip;
}

/* True if the cache was created from the data of a cache of data graphs. */
static bool is_of_data_graphs(const struct call *call, VkPipelineCache handle)
{
    const struct pipeline_cache *cache = find_pipeline_cache(call, handle);
    return cache && cache->data_graph;
}

static const char of_data_graphs[] =
    "was created with VK_PIPELINE_CACHE_HEADER_VERSION_DATA_GRAPH_QCOM in its initial data";

bool core_validate_GetPipelineCacheData(struct call *call, VkDevice device,
                                        VkPipelineCache pipelineCache, size_t *pDataSize,
                                        void *pData)
{
    struct subject s = {.call = call, .objects = OBJECT(HANDLE_PIPELINE_CACHE, pipelineCache)};
    REQUIRE(&s, VUID_vkGetPipelineCacheData_pipelineCache_11834,
            !is_of_data_graphs(call, pipelineCache), "pipelineCache", "%s", of_data_graphs);
    return s.skip;
}

bool core_validate_MergePipelineCaches_data_graph(struct call *call, VkDevice device,
                                                  VkPipelineCache dstCache, uint32_t srcCacheCount,
                                                  const VkPipelineCache *pSrcCaches)
{
    struct subject s = {.call = call, .objects = OBJECT(HANDLE_PIPELINE_CACHE, dstCache)};
    REQUIRE(&s, VUID_vkMergePipelineCaches_dstCache_11832, !is_of_data_graphs(call, dstCache),
            "dstCache", "%s", of_data_graphs);
    for (uint32_t i = 0; i < srcCacheCount; i++)
        REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE_CACHE, pSrcCaches[i]),
                   VUID_vkMergePipelineCaches_headerVersion_11833,
                   !is_of_data_graphs(call, pSrcCaches[i]), &LOCATION_INDEX(NULL, "pSrcCaches", i),
                   "%s", of_data_graphs);
    return s.skip;
}

bool core_validate_MergePipelineCaches(struct call *call, VkDevice device, VkPipelineCache dstCache,
                                       uint32_t srcCacheCount, const VkPipelineCache *pSrcCaches)
{
    for (uint32_t i = 0; i < srcCacheCount; i++) {
        if (pSrcCaches[i] == dstCache)
            return BROKEN_BY(call, VUID_vkMergePipelineCaches_dstCache_00770,
                             &LOCATION_INDEX(NULL, "pSrcCaches", i),
                             OBJECT(HANDLE_PIPELINE_CACHE, dstCache), "is dstCache");
    }
    return false;
}

bool core_validate_GetPipelinePropertiesEXT(struct call *call, VkDevice device,
                                            const VkPipelineInfoEXT *pPipelineInfo,
                                            VkBaseOutStructure *pPipelineProperties)
{
    struct subject s = {.call = call};
    REQUIRE(&s, STOPS(VUID_vkGetPipelinePropertiesEXT_pPipelineProperties_06739),
            !pointer_is_bad(pPipelineProperties) &&
                pPipelineProperties->sType == VK_STRUCTURE_TYPE_PIPELINE_PROPERTIES_IDENTIFIER_EXT,
            "pPipelineProperties", "does not lead to a VkPipelinePropertiesIdentifierEXT");
    return s.skip;
}

/* --- binaries --- */

/* VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_CREATE_INFO_AMDX, which the header only has for
 * provisional extensions */
#define EXECUTION_GRAPH_PIPELINE ((VkStructureType)1000134003)

/* pNext must be pointer to a valid instance of VkGraphicsPipelineCreateInfo,
 * VkExecutionGraphPipelineCreateInfoAMDX, VkRayTracingPipelineCreateInfoKHR, or
 * VkComputePipelineCreateInfo */
static void pipeline_cache_check_create_info(struct subject *s, const VkPipelineCreateInfoKHR *info)
{
    const VkBaseInStructure *next = info->pNext;
    REQUIRE(s, STOPS(VUID_VkPipelineCreateInfoKHR_pNext_09604),
            !pointer_is_bad(next) &&
                (chain_find(next, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO) ||
                 chain_find(next, VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO) ||
                 chain_find(next, VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR) ||
                 chain_find(next, EXECUTION_GRAPH_PIPELINE)),
            "pNext", "does not lead to the create info of a pipeline");
}

bool core_validate_GetPipelineKeyKHR(struct call *call, VkDevice device,
                                     const VkPipelineCreateInfoKHR *pPipelineCreateInfo,
                                     VkPipelineBinaryKeyKHR *pPipelineKey)
{
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pPipelineCreateInfo")};
    if (pPipelineCreateInfo)
        pipeline_cache_check_create_info(&s, pPipelineCreateInfo);
    return s.skip;
}

/* True if vkReleaseCapturedPipelineDataKHR has released the pipeline's data. */
static bool data_was_released(const struct call *call, VkPipeline handle)
{
    const struct pipeline *pipeline = find_pipeline(call, handle);
    return pipeline && atomic_load_explicit(&pipeline->data_released, memory_order_relaxed);
}

bool core_validate_CreatePipelineBinariesKHR(struct call *call, VkDevice device,
                                             const VkPipelineBinaryCreateInfoKHR *pCreateInfo,
                                             const VkAllocationCallbacks *pAllocator,
                                             VkPipelineBinaryHandlesInfoKHR *pBinaries)
{
    const VkPipelineCreateInfoKHR *info = pCreateInfo->pPipelineCreateInfo;
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pCreateInfo")};
    /* If pipeline is not VK_NULL_HANDLE, vkReleaseCapturedPipelineDataKHR must not have been called
     * on pipeline prior to this command */
    REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, pCreateInfo->pipeline),
               VUID_VkPipelineBinaryCreateInfoKHR_pipeline_09608,
               !pCreateInfo->pipeline || !data_was_released(call, pCreateInfo->pipeline),
               "pipeline", "has no captured data left (vkReleaseCapturedPipelineDataKHR)");
    if (!info)
        return s.skip;
    const struct device_state *state = object_load_state(call->device->object);
    REQUIRE(&s, VUID_VkPipelineBinaryCreateInfoKHR_device_09610,
            !state || !state->no_internal_cache, "pPipelineCreateInfo",
            "is not NULL, but the device was created with disableInternalCache set to VK_TRUE");
    const struct location *where = s.where;
    s.where = &LOCATION_POINTER(where, "pPipelineCreateInfo");
    pipeline_cache_check_create_info(&s, info);
    const VkPipelineBinaryInfoKHR *binaries =
        s.wrong ? NULL : CHAINED(info->pNext, PIPELINE_BINARY_INFO_KHR);
    /* the pNext chain of pPipelineCreateInfo must not set VkPipelineBinaryInfoKHR::binaryCount to a
     * value greater than 0 */
    if (binaries)
        REQUIRE(&s, VUID_VkPipelineBinaryCreateInfoKHR_pPipelineCreateInfo_09606,
                !binaries->binaryCount,
                &LOCATION(&LOCATION_CHAINED(s.where, "VkPipelineBinaryInfoKHR"), "binaryCount"),
                "is %u, but what binaries are made of must have none", binaries->binaryCount);
    return s.skip;
}

bool core_validate_ReleaseCapturedPipelineDataKHR(struct call *call, VkDevice device,
                                                  const VkReleaseCapturedPipelineDataInfoKHR *pInfo,
                                                  const VkAllocationCallbacks *pAllocator)
{
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pInfo")};
    /* pipeline must not have been used in a previous call to vkReleaseCapturedPipelineDataKHR */
    REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, pInfo->pipeline),
               VUID_VkReleaseCapturedPipelineDataInfoKHR_pipeline_09618,
               !data_was_released(call, pInfo->pipeline), "pipeline",
               "has no captured data left: an earlier call released it");
    return s.skip;
}
