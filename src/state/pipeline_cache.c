/* Who synchronises a pipeline cache? Its flags say so. */
#include "state/pipeline_cache.h"

bool pipeline_cache_needs_synchronization(const struct object *object)
{
    const struct pipeline_cache *cache = object->state;
    return cache && (cache->flags & VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT);
}

bool pipeline_cache_merge_needs_synchronization(const struct object *object)
{
    const struct pipeline_cache *cache = object->state;
    return cache && !(cache->flags & VK_PIPELINE_CACHE_CREATE_INTERNALLY_SYNCHRONIZED_MERGE_BIT_KHR);
}

void state_after_CreatePipelineCache(struct call *call, VkDevice device, const VkPipelineCacheCreateInfo *pCreateInfo,
                                     const VkAllocationCallbacks *pAllocator, VkPipelineCache *pPipelineCache)
{
    struct object *object =
        call->result == VK_SUCCESS ? device_find(call->device, *pPipelineCache, HANDLE_PIPELINE_CACHE) : NULL;
    struct pipeline_cache *cache = object ? mem_alloc_zeroed(sizeof(*cache)) : NULL;
    if (!cache)
        return;
    cache->flags = pCreateInfo->flags;
    object->state = cache;
}
