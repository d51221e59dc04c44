/* Checks that a pipeline cache may be made or merged, and a pipeline's executables be asked about
 * (10.11 "Pipeline Cache", 10.19 "Pipeline Compiler Control"). */
#include "core/hooks.h"
#include "core/pipeline/checks.h"
#include "core/rule.h"

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

bool core_validate_GetPipelineExecutableStatisticsKHR(struct call *call, VkDevice device,
                                                      const VkPipelineExecutableInfoKHR
                                                          *pExecutableInfo,
                                                      uint32_t *pStatisticCount,
                                                      VkPipelineExecutableStatisticKHR *pStatistics)
{
    const struct pipeline *pipeline = find_pipeline(call, pExecutableInfo->pipeline);
    struct subject s = {.call = call};
    if (pipeline)
        REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, pExecutableInfo->pipeline),
                   VUID_vkGetPipelineExecutableStatisticsKHR_pipeline_03274,
                   pipeline->flags & FLAG(CAPTURE_STATISTICS_BIT_KHR),
                   &LOCATION(&LOCATION_POINTER(NULL, "pExecutableInfo"), "pipeline"),
                   "was created without VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR");
    return s.skip;
}

bool core_validate_GetPipelineExecutableInternalRepresentationsKHR(
    struct call *call, VkDevice device, const VkPipelineExecutableInfoKHR *pExecutableInfo,
    uint32_t *pInternalRepresentationCount,
    VkPipelineExecutableInternalRepresentationKHR *pInternalRepresentations)
{
    const struct pipeline *pipeline = find_pipeline(call, pExecutableInfo->pipeline);
    struct subject s = {.call = call};
    if (pipeline)
        REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, pExecutableInfo->pipeline),
                   VUID_vkGetPipelineExecutableInternalRepresentationsKHR_pipeline_03278,
                   pipeline->flags & FLAG(CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR),
                   &LOCATION(&LOCATION_POINTER(NULL, "pExecutableInfo"), "pipeline"),
                   "was created without "
                   "VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR");
    return s.skip;
}
