/* Checks that a validation cache may be made or merged (11 "Shaders", "Validation Cache"). */
#include "core/hooks.h"

#include <inttypes.h>

#include "chassis/validation_cache.h"
#include "report/finding/finding.h"
#include "report/finding/rule.h"
#include "vk/pointer.h"

bool core_validate_CreateValidationCacheEXT(struct call *call, VkDevice device,
                                            const VkValidationCacheCreateInfoEXT *pCreateInfo,
                                            const VkAllocationCallbacks *pAllocator,
                                            VkValidationCacheEXT *pValidationCache)
{
    const struct location *where = &LOCATION_POINTER(NULL, "pCreateInfo");
    uint64_t retrieved;
    if (!pCreateInfo->initialDataSize || pointer_is_bad(pCreateInfo->pInitialData))
        return false;
    switch (validation_cache_examine(pCreateInfo->pInitialData, pCreateInfo->initialDataSize,
                                     &retrieved)) {
    case CACHE_DATA_CUT:
        /* If initialDataSize is not 0, it must be equal to the size of pInitialData, as returned by
         * vkGetValidationCacheDataEXT */
        return BROKEN_BY(call, VUID_VkValidationCacheCreateInfoEXT_initialDataSize_01534,
                         &LOCATION(where, "initialDataSize"), NULL,
                         "is %zu, but the data was retrieved with %" PRIu64 " bytes",
                         pCreateInfo->initialDataSize, retrieved);
    case CACHE_DATA_BROKEN:
        /* If initialDataSize is not 0, pInitialData must have been retrieved from a previous call
         * to vkGetValidationCacheDataEXT */
        return BROKEN_BY(call, VUID_VkValidationCacheCreateInfoEXT_initialDataSize_01535,
                         &LOCATION(where, "pInitialData"), NULL,
                         "is not data of a validation cache, or was changed since it was retrieved "
                         "(%zu bytes)",
                         pCreateInfo->initialDataSize);
    default:
        return false;
    }
}

bool core_validate_MergeValidationCachesEXT(struct call *call, VkDevice device,
                                            VkValidationCacheEXT dstCache, uint32_t srcCacheCount,
                                            const VkValidationCacheEXT *pSrcCaches)
{
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < srcCacheCount; i++)
        /* dstCache must not appear in the list of source caches */
        REQUIRE_OF(&s, OBJECT(HANDLE_VALIDATION_CACHE_EXT, dstCache),
                   VUID_vkMergeValidationCachesEXT_dstCache_01536, pSrcCaches[i] != dstCache,
                   &LOCATION_INDEX(NULL, "pSrcCaches", i), "is dstCache");
    return s.skip;
}
