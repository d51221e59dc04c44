/* Checks that performance queries are created, begun, ended and read as their counters allow (18.12
 * "Profiling Lock", 18.3 "Query Operation"). */
#include "core/query/performance.h"
#include "core/hooks.h"

#include "report/finding/rule.h"
#include "report/names/object_text.h"
#include "state/submit/queue.h"
#include "state/command/rendering.h"

#include <inttypes.h>

/* If queryType is VK_QUERY_TYPE_PIPELINE_STATISTICS, pipelineStatistics must be a valid combination
 * of VkQueryPipelineStatisticFlagBits values */
static bool check_statistics(const struct call *call, const VkQueryPoolCreateInfo *info)
{
    const VkQueryPipelineStatisticFlags unknown =
        info->pipelineStatistics & ~(VkQueryPipelineStatisticFlags)STATISTICS_KNOWN;
    return info->queryType == VK_QUERY_TYPE_PIPELINE_STATISTICS && unlikely(unknown) &&
           BROKEN_BY(call, RULE_00792,
                     &LOCATION(&LOCATION_POINTER(NULL, "pCreateInfo"), "pipelineStatistics"), NULL,
                     "has the bits 0x%x, which are not VkQueryPipelineStatisticFlagBits values",
                     unknown);
}

bool core_validate_CreateQueryPool(struct call *call, VkDevice device,
                                   const VkQueryPoolCreateInfo *pCreateInfo,
                                   const VkAllocationCallbacks *pAllocator, VkQueryPool *pQueryPool)
{
    const VkQueryPoolPerformanceCreateInfoKHR *info =
        CHAINED(pCreateInfo->pNext, QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR);
    if (!call->device || !call->instance->settings.check_query)
        return false;
    if (likely(!info) || pointer_is_bad(info->pCounterIndices))
        return check_statistics(call, pCreateInfo);
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo"),
                          counters =
                              LOCATION_CHAINED(&where, "VkQueryPoolPerformanceCreateInfoKHR");
    struct subject s = {.call = call, .where = &counters};
    /* queueFamilyIndex must be a valid queue family index of the device */
    REQUIRE(&s, RULE_03236, info->queueFamilyIndex < call->device->queue_family_count,
            "queueFamilyIndex", "is %u, but the device has %u queue families",
            info->queueFamilyIndex, call->device->queue_family_count);
    /* Each element of pCounterIndices must be in the range of counters reported by
     * vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR */
    const uint32_t count = performance_counter_count(call->device, info->queueFamilyIndex);
    for (uint32_t i = 0; count && i < info->counterIndexCount; i++) {
        if (unlikely(info->pCounterIndices[i] >= count))
            BROKEN(&s, RULE_03321, &LOCATION_INDEX(&counters, "pCounterIndices", i),
                   "is %u, but queue family %u has %u counters", info->pCounterIndices[i],
                   info->queueFamilyIndex, count);
    }
    return s.skip;
}

/* True if some counter of the pool has this scope. */
static bool has_scope(const struct query_pool *pool, VkPerformanceCounterScopeKHR scope)
{
    return pool->counter_scopes >> scope & 1;
}

/* The state of the profiling lock. If it is not known, the lock counts as held. */
static enum profiling_lock profiling_of(const struct call *call)
{
    const struct device_state *state = object_load_state(call->device->object);
    return state
               ? (enum profiling_lock)atomic_load_explicit(&state->profiling, memory_order_relaxed)
               : PROFILING_LOCKED;
}

/* Another pool of performance queries that the command buffer has used; NULL: none is known. */
static const struct query_pool *other_pool(const struct command_buffer *command_buffer,
                                           const struct query_pool *pool)
{
    const struct command_buffer_queries *queries = command_buffer->queries;
    for (uint32_t i = 0; queries && queries->count && i < queries_capacity(queries); i++) {
        const struct recorded_query *query = &queries->slots[i];
        if (query->pool && query->begun && query->type == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR &&
            query->pool != object_state_id(&pool->base))
            return query_pool_by_id(query->pool);
    }
    return NULL;
}

void performance_check_begin(struct subject *s, const struct query_pool *pool, uint32_t query)
{
    const struct call *call = s->call;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    assert(pool->type == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR && command_buffer);
    const struct recorded_query *recorded =
        command_buffer_query(command_buffer, object_state_id(&pool->base), query);
    const struct query_pool *other = other_pool(command_buffer, pool);
    /* ... VkQueryPoolPerformanceCreateInfoKHR::queueFamilyIndex ... must equal the queue family
     * index of the VkCommandPool that commandBuffer was allocated from */
    REQUIRE(s, RULE_07289,
            pool->counter_family == UINT32_MAX ||
                pool->counter_family == command_buffer->queue_family,
            "queryPool", "has counters of queue family %u, but the command buffer is of family %u",
            pool->counter_family, command_buffer->queue_family);
    /* ... the profiling lock must have been held before vkBeginCommandBuffer was called */
    REQUIRE(s, RULE_03223, profiling_of(call) != PROFILING_NEVER, "queryPool",
            "has performance queries, but the device's profiling lock was never acquired");
    /* If ... one of the counters ... was VK_PERFORMANCE_COUNTER_SCOPE_RENDER_PASS_KHR, the begin
     * command must not be recorded within a render pass instance */
    REQUIRE(s, RULE_03225,
            !has_scope(pool, VK_PERFORMANCE_COUNTER_SCOPE_RENDER_PASS_KHR) ||
                !(command_buffer->scope & SCOPE_INSIDE_RENDER_PASS),
            "queryPool",
            "has a counter of VK_PERFORMANCE_COUNTER_SCOPE_RENDER_PASS_KHR, and a render pass "
            "instance is active");
    /* If ... VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_BUFFER_KHR, the query begin must be the first
     * recorded command in commandBuffer */
    REQUIRE(s, RULE_03224,
            !has_scope(pool, VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_BUFFER_KHR) ||
                !command_buffer->command_number,
            "queryPool",
            "has a counter of VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_BUFFER_KHR, and this is command "
            "%u of the command buffer",
            command_buffer->command_number + 1);
    /* If ... another query pool ... has been used within commandBuffer ..., the
     * performanceCounterMultipleQueryPools feature must be enabled */
    if (unlikely(other && !subject_has(s, FEATURE_performanceCounterMultipleQueryPools)))
        BROKEN_OF(s,
                  OBJECT2(HANDLE_QUERY_POOL, object_state_handle(&pool->base), HANDLE_QUERY_POOL,
                          object_state_handle(&other->base)),
                  RULE_03226, &LOCATION(NULL, "queryPool"),
                  "has performance queries, and so has %s, which this command buffer uses; the "
                  "feature performanceCounterMultipleQueryPools is not enabled",
                  NAMED_STATE(call, &other->base));
    /* ... must not be recorded in a command buffer that ... also contains a vkCmdResetQueryPool
     * command affecting the same query */
    REQUIRE(s, RULE_02863, !recorded || recorded->state != QUERY_RESET, "query",
            "%u was reset in the same command buffer", query);
}

void performance_check_end(struct subject *s, const struct query_pool *pool)
{
    const struct command_buffer *command_buffer = call_command_buffer(s->call);
    assert(pool->type == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR && command_buffer);
    /* If ... one or more of the counters ... was VK_PERFORMANCE_COUNTER_SCOPE_RENDER_PASS_KHR, the
     * vkCmdEndQuery must not be recorded within a render pass instance */
    REQUIRE(s, RULE_03228,
            !has_scope(pool, VK_PERFORMANCE_COUNTER_SCOPE_RENDER_PASS_KHR) ||
                !(command_buffer->scope & SCOPE_INSIDE_RENDER_PASS),
            "queryPool",
            "has a counter of VK_PERFORMANCE_COUNTER_SCOPE_RENDER_PASS_KHR, and a render pass "
            "instance is active");
}

bool performance_check_last(const struct call *call, const struct command_buffer *command_buffer)
{
    const struct command_buffer_queries *queries = command_buffer->queries;
    if (!queries->counted_end || command_buffer->command_number <= queries->counted_end)
        return false;
    const struct query_pool *pool = query_pool_by_id(queries->counted_pool);
    const enum command recorded = COMMAND_CmdEndQuery;
    /* If ... VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_BUFFER_KHR, the vkCmdEndQuery must be the last
     * recorded command in commandBuffer */
    return BROKEN_BY(call, rule_vuid(recorded, RULE_03227), &LOCATION(NULL, "commandBuffer"),
                     pool ? OBJECT(HANDLE_QUERY_POOL, object_state_handle(&pool->base)) : NULL,
                     "has %u commands, but vkCmdEndQuery, the %u., ended a query that has a "
                     "counter "
                     "of VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_BUFFER_KHR: it must be the last",
                     command_buffer->command_number, queries->counted_end);
}

void performance_check_reset(struct subject *s, const struct query_pool *pool, uint32_t first,
                             uint32_t count)
{
    const struct command_buffer *command_buffer = call_command_buffer(s->call);
    assert(pool->type == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR);
    for (uint32_t i = 0; command_buffer && i < count; i++) {
        const struct recorded_query *recorded =
            command_buffer_query(command_buffer, object_state_id(&pool->base), first + i);
        /* ... must not be recorded in a command buffer that ... also contains begin commands for a
         * query from the set of queries; one that is active has been reported */
        if (unlikely(recorded && recorded->begun && recorded->state != QUERY_ACTIVE)) {
            BROKEN(s, RULE_02862, "queryPool",
                   "has query %u, which was begun in the same command "
                   "buffer",
                   first + i);
            return;
        }
    }
}

void performance_check_results(struct subject *s, const struct query_pool *pool, uint32_t count,
                               const void *data, VkDeviceSize stride)
{
    assert(pool->type == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR);
    const uint64_t one = sizeof(VkPerformanceCounterResultKHR), needed = one * pool->counter_count;
    /* ... pData must be aligned to a multiple of the size of VkPerformanceCounterResultKHR */
    REQUIRE(s, RULE_03229, (uintptr_t)data % one == 0, "pData",
            "is %p, which is not a multiple of 8, the size of a VkPerformanceCounterResultKHR",
            data);
    if (count <= 1)
        return;
    /* ... stride must be a multiple of the size of VkPerformanceCounterResultKHR */
    REQUIRE(s, RULE_12253, stride % one == 0, "stride",
            "is %" PRIu64 ", which is not a multiple of 8, the size of a "
            "VkPerformanceCounterResultKHR",
            stride);
    /* ... stride must be large enough to contain the counterIndexCount used to create queryPool
     * times the size of VkPerformanceCounterResultKHR */
    REQUIRE(s, RULE_04519, stride >= needed, "stride",
            "is %" PRIu64 ", but the results of the pool's %u counters take %" PRIu64 " bytes",
            stride, pool->counter_count, needed);
}

bool core_validate_ReleaseProfilingLockKHR(struct call *call, VkDevice device)
{
    const enum profiling_lock lock = profiling_of(call);
    struct subject s = {.call = call};
    /* The profiling lock of device must have been held via a previous successful call to
     * vkAcquireProfilingLockKHR */
    REQUIRE(&s, RULE_03235, lock == PROFILING_LOCKED || lock == PROFILING_SHARED, NULL,
            "releases the profiling lock, which the device does not hold");
    return s.skip;
}
