/* Checks that a pipeline cache may be made or merged, and a pipeline's executables be asked about
 * (10.11 "Pipeline Cache", 10.19 "Pipeline Compiler Control"). */
#include "core/hooks.h"
#include "core/pipeline/checks.h"

bool core_validate_CreatePipelineCache(struct call *call, VkDevice device,
                                       const VkPipelineCacheCreateInfo *pCreateInfo,
                                       const VkAllocationCallbacks *pAllocator,
                                       VkPipelineCache *pPipelineCache)
{
    const struct location *where = &LOCATION(&LOCATION_POINTER(NULL, "pCreateInfo"), "flags");
    VkPipelineCacheCreateFlags flags = pCreateInfo->flags,
                               external = VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT,
                               merge =
                                   VK_PIPELINE_CACHE_CREATE_INTERNALLY_SYNCHRONIZED_MERGE_BIT_KHR;
    bool skip =
        CHECK(call, VUID_VkPipelineCacheCreateInfo_pipelineCreationCacheControl_02892,
              !(flags & external) || has_feature(call, FEATURE_pipelineCreationCacheControl), where,
              NULL,
              "has VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT, which needs the "
              "pipelineCreationCacheControl feature");
    skip |= CHECK(call, VUID_VkPipelineCacheCreateInfo_maintenance8_10200,
                  !(flags & merge) || has_feature(call, FEATURE_maintenance8), where, NULL,
                  "has VK_PIPELINE_CACHE_CREATE_INTERNALLY_SYNCHRONIZED_MERGE_BIT_KHR, which needs "
                  "the maintenance8 feature");
    skip |= CHECK(call, VUID_VkPipelineCacheCreateInfo_flags_10201,
                  !(flags & external) || !(flags & merge), where, NULL,
                  "has both VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT and "
                  "VK_PIPELINE_CACHE_CREATE_INTERNALLY_SYNCHRONIZED_MERGE_BIT_KHR");
    return skip;
}

bool core_validate_MergePipelineCaches(struct call *call, VkDevice device, VkPipelineCache dstCache,
                                       uint32_t srcCacheCount, const VkPipelineCache *pSrcCaches)
{
    for (uint32_t i = 0; i < srcCacheCount; i++) {
        if (pSrcCaches[i] == dstCache)
            return finding(call, VUID_vkMergePipelineCaches_dstCache_00770,
                           &LOCATION_INDEX(NULL, "pSrcCaches", i),
                           OBJECT(HANDLE_PIPELINE_CACHE, dstCache), "is dstCache");
    }
    return false;
}

bool core_validate_GetPipelineExecutablePropertiesKHR(struct call *call, VkDevice device,
                                                      const VkPipelineInfoKHR *pPipelineInfo,
                                                      uint32_t *pExecutableCount,
                                                      VkPipelineExecutablePropertiesKHR
                                                          *pProperties)
{
    return CHECK(call, VUID_vkGetPipelineExecutablePropertiesKHR_pipelineExecutableInfo_03270,
                 has_feature(call, FEATURE_pipelineExecutableInfo), NULL, NULL,
                 "needs the pipelineExecutableInfo feature, which is not enabled");
}

bool core_validate_GetPipelineExecutableStatisticsKHR(struct call *call, VkDevice device,
                                                      const VkPipelineExecutableInfoKHR
                                                          *pExecutableInfo,
                                                      uint32_t *pStatisticCount,
                                                      VkPipelineExecutableStatisticKHR *pStatistics)
{
    const struct pipeline *pipeline = find_pipeline(call, pExecutableInfo->pipeline);
    bool skip = CHECK(call, VUID_vkGetPipelineExecutableStatisticsKHR_pipelineExecutableInfo_03272,
                      has_feature(call, FEATURE_pipelineExecutableInfo), NULL, NULL,
                      "needs the pipelineExecutableInfo feature, which is not enabled");
    if (pipeline)
        skip |= CHECK(call, VUID_vkGetPipelineExecutableStatisticsKHR_pipeline_03274,
                      pipeline->flags & FLAG(CAPTURE_STATISTICS_BIT_KHR),
                      &LOCATION(&LOCATION_POINTER(NULL, "pExecutableInfo"), "pipeline"),
                      OBJECT(HANDLE_PIPELINE, pExecutableInfo->pipeline),
                      "was created without VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR");
    return skip;
}

bool core_validate_GetPipelineExecutableInternalRepresentationsKHR(
    struct call *call, VkDevice device, const VkPipelineExecutableInfoKHR *pExecutableInfo,
    uint32_t *pInternalRepresentationCount,
    VkPipelineExecutableInternalRepresentationKHR *pInternalRepresentations)
{
    const struct pipeline *pipeline = find_pipeline(call, pExecutableInfo->pipeline);
    bool skip =
        CHECK(call,
              VUID_vkGetPipelineExecutableInternalRepresentationsKHR_pipelineExecutableInfo_03276,
              has_feature(call, FEATURE_pipelineExecutableInfo), NULL, NULL,
              "needs the pipelineExecutableInfo feature, which is not enabled");
    if (pipeline)
        skip |= CHECK(call, VUID_vkGetPipelineExecutableInternalRepresentationsKHR_pipeline_03278,
                      pipeline->flags & FLAG(CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR),
                      &LOCATION(&LOCATION_POINTER(NULL, "pExecutableInfo"), "pipeline"),
                      OBJECT(HANDLE_PIPELINE, pExecutableInfo->pipeline),
                      "was created without "
                      "VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR");
    return skip;
}
