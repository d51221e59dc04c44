/* Says whether the program or the driver synchronises a pipeline cache.
 * Threads: any; the state is const. */
#ifndef ASSAY_STATE_PIPELINE_CACHE_H
#define ASSAY_STATE_PIPELINE_CACHE_H

#include "state/object/object_state.h"

/* The state of a pipeline cache's object. Const. */
struct pipeline_cache {
    struct object_state base;
    VkPipelineCacheCreateFlags flags;
    /* its initial data begins with VK_PIPELINE_CACHE_HEADER_VERSION_DATA_GRAPH_QCOM */
    bool data_graph;
};

/* The head of a cache's initial data: of every VkPipelineCacheHeaderVersion. */
struct pipeline_cache_head {
    uint32_t size;    /* headerSize */
    uint32_t version; /* VkPipelineCacheHeaderVersion */
};
/* Reads the head of the initial data. False: there is none. */
bool pipeline_cache_read_head(const VkPipelineCacheCreateInfo *info,
                              struct pipeline_cache_head *head);

/* True if the program must synchronise the use of the cache by vkCreate*Pipelines
 * (VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT). False also if that is not known. */
bool pipeline_cache_needs_synchronization(const struct pipeline_cache *cache);
/* True if the program must synchronise the destination of vkMergePipelineCaches. False also if that
 * is not known. */
bool pipeline_cache_merge_needs_synchronization(const struct pipeline_cache *cache);
STATE_FINDERS(pipeline_cache, VkPipelineCache, HANDLE_PIPELINE_CACHE)

#endif
