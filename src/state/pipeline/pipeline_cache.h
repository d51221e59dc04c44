/* Says whether the program or the driver synchronises a pipeline cache.
 * Threads: any; the state is const. */
#ifndef ASSAY_STATE_PIPELINE_CACHE_H
#define ASSAY_STATE_PIPELINE_CACHE_H

#include "state/object/object_state.h"

/* The state of a pipeline cache's object. Const. */
struct pipeline_cache {
    struct object_state base;
    VkPipelineCacheCreateFlags flags;
};

/* True if the program must synchronise the use of the cache by vkCreate*Pipelines
 * (VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT). False also if that is not known. */
bool pipeline_cache_needs_synchronization(const struct pipeline_cache *cache);
/* True if the program must synchronise the destination of vkMergePipelineCaches. False also if that
 * is not known. */
bool pipeline_cache_merge_needs_synchronization(const struct pipeline_cache *cache);

#endif
