/* Tracks whether the program or the driver synchronises a pipeline cache, which its flags
 * determine. */
#include "state/pipeline/pipeline_cache.h"
#include "state/hooks.h"
#include "vk/pointer.h"

#include <string.h>

bool pipeline_cache_needs_synchronization(const struct pipeline_cache *cache)
{
    return cache && (cache->flags & VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT);
}

bool pipeline_cache_merge_needs_synchronization(const struct pipeline_cache *cache)
{
    return cache &&
           !(cache->flags & VK_PIPELINE_CACHE_CREATE_INTERNALLY_SYNCHRONIZED_MERGE_BIT_KHR);
}

bool pipeline_cache_read_head(const VkPipelineCacheCreateInfo *info,
                              struct pipeline_cache_head *head)
{
    assert(info && head);
    if (info->initialDataSize < sizeof(*head) || pointer_is_bad(info->pInitialData))
        return false;
    memcpy(head, info->pInitialData, sizeof(*head)); /* it may lie at any byte */
    return true;
}

void always_after_CreatePipelineCache(struct call *call, VkDevice device,
                                      const VkPipelineCacheCreateInfo *pCreateInfo,
                                      const VkAllocationCallbacks *pAllocator,
                                      VkPipelineCache *pPipelineCache)
{
    struct object *object = created_object(call, (uint64_t)*pPipelineCache, HANDLE_PIPELINE_CACHE);
    struct pipeline_cache *cache = object_state_new(object, sizeof(*cache));
    if (!cache)
        return;
    cache->flags = pCreateInfo->flags;
    struct pipeline_cache_head head;
    cache->data_graph = pipeline_cache_read_head(pCreateInfo, &head) &&
                        head.version == VK_PIPELINE_CACHE_HEADER_VERSION_DATA_GRAPH_QCOM;
    object_state_publish(object, cache);
}
