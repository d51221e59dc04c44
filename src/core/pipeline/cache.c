/* Checks that a pipeline cache may be made or merged, and a pipeline's executables be asked about
 * (10.11 "Pipeline Cache", 10.19 "Pipeline Compiler Control"). */
#include "core/hooks.h"
#include "core/pipeline/checks.h"
#include "core/rule.h"
#include "vk/pointer.h"

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
