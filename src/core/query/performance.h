/* Checks performance queries, in addition to the rules of all queries (18.12). Threads: the calling
 * thread. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_QUERY_PERFORMANCE_H
#define ASSAY_CORE_QUERY_PERFORMANCE_H

#include "report/finding/rule.h"
#include "state/query/query.h"

/* The bits of VkQueryPipelineStatisticFlagBits that the registry has. */
#define STATISTICS_KNOWN                                                          \
    (VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |                    \
     VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |                  \
     VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |                  \
     VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT |                \
     VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT |                 \
     VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT |                       \
     VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT |                        \
     VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT |                \
     VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_CONTROL_SHADER_PATCHES_BIT |        \
     VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_EVALUATION_SHADER_INVOCATIONS_BIT | \
     VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT |                 \
     VK_QUERY_PIPELINE_STATISTIC_TASK_SHADER_INVOCATIONS_BIT_EXT |                \
     VK_QUERY_PIPELINE_STATISTIC_MESH_SHADER_INVOCATIONS_BIT_EXT |                \
     VK_QUERY_PIPELINE_STATISTIC_CLUSTER_CULLING_SHADER_INVOCATIONS_BIT_HUAWEI)

/* Check the begin or end of a query. `s` has the call and the pool, whose type is
 * VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR. */
void performance_check_begin(struct subject *s, const struct query_pool *pool, uint32_t query);
void performance_check_end(struct subject *s, const struct query_pool *pool);
/* Checks the counters at vkEndCommandBuffer. The command buffer must have queries. */
bool performance_check_last(const struct call *call, const struct command_buffer *command_buffer);
void performance_check_reset(struct subject *s, const struct query_pool *pool, uint32_t first,
                             uint32_t count);
/* Checks vkGetQueryPoolResults of `count` queries. `data`: NULL if another rule has reported the
 * alignment of pData. */
void performance_check_results(struct subject *s, const struct query_pool *pool, uint32_t count,
                               const void *data, VkDeviceSize stride);

#endif
