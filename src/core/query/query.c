/* Checks that queries are reset, begun, ended and read as their pool and the command buffer allow
 * (18 "Queries"). */
#include "report/finding/fix.h"
#include "report/finding/rule.h"
#include "report/names/object_text.h"
#include "report/muting/rows_broken.h"
#include "state/query/query.h"

#include "core/query/performance.h"
#include "state/command/protected.h"
#include "core/hooks.h"
#include "core/destroy/in_use.h"
#include "core/barrier/stages.h"
#include "state/memory/buffer.h"
#include "state/command/rendering.h"

#include <inttypes.h>

/* A subject whose locations are parameters of the command. */
static struct subject parameters_subject(struct call *call, const struct finding_objects *objects)
{
    return (struct subject){.call = call, .objects = objects};
}

bool core_validate_DestroyQueryPool(struct call *call, VkDevice device, VkQueryPool queryPool,
                                    const VkAllocationCallbacks *pAllocator)
{
    const struct query_pool *pool = named_query_pool(call, 0, queryPool);
    /* All submitted commands that refer to queryPool must have completed execution */
    return pool && in_use_check(call, &pool->base, RULE(call, 00793), &LOCATION(NULL, "queryPool"));
}

/* True if the range is in the pool. Otherwise a row reports it and stops the call, but rows can be
 * switched off. */
static bool range_is_in_pool(const struct query_pool *pool, uint32_t first, uint32_t count)
{
    return first < pool->count && count <= pool->count - first;
}

/* The first query of a range that is active in the command buffer; UINT32_MAX: none is active. */
static uint32_t find_active(const struct command_buffer *command_buffer,
                            const struct query_pool *pool, uint32_t first, uint32_t count)
{
    assert(pool);
    if (!command_buffer || !command_buffer->queries || !command_buffer->queries->active_count)
        return UINT32_MAX;
    uint64_t id = object_state_id(&pool->base);
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < queries_capacity(command_buffer->queries); i++) {
        const struct recorded_query *query = &command_buffer->queries->slots[i];
        if (query->pool == id && query->state == QUERY_ACTIVE && query->query >= first &&
            query->query - first < count && query->query < found)
            found = query->query;
    }
    return found;
}

bool core_validate_CmdResetQueryPool(struct call *call, VkCommandBuffer commandBuffer,
                                     VkQueryPool queryPool, uint32_t firstQuery,
                                     uint32_t queryCount)
{
    const struct query_pool *pool = named_query_pool(call, 0, queryPool);
    struct subject s = parameters_subject(call, OBJECT(HANDLE_QUERY_POOL, queryPool));
    if (!pool || !call->instance->settings.check_query ||
        !range_is_in_pool(pool, firstQuery, queryCount))
        return s.skip;
    uint32_t active = find_active(call_command_buffer(call), pool, firstQuery, queryCount);
    REQUIRE(&s, RULE_02841, active == UINT32_MAX, "queryPool",
            "has query %u active in this command buffer", active);
    if (unlikely(pool->type == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR))
        performance_check_reset(&s, pool, firstQuery, queryCount);
    return s.skip;
}

/* Submitted commands that refer to the range specified by firstQuery and queryCount in queryPool
 * must have completed execution */
static COLD bool check_range_in_use(const struct call *call, const struct query_pool *pool,
                                    uint32_t first, uint32_t count)
{
    assert((uint64_t)first + count <= pool->count);
    for (uint32_t i = 0; i < count; i++) {
        const struct queue *queue = query_in_use(call->device, pool, first + i);
        if (queue)
            return finding_with_fix(call, RULE(call, 02741), &LOCATION(NULL, "firstQuery"),
                                    OBJECT2(HANDLE_QUERY_POOL, object_state_handle(&pool->base),
                                            HANDLE_QUEUE, object_state_handle(&queue->base)),
                                    in_use_fix(call, false,
                                               atomic_load_explicit(&pool->base.last_use,
                                                                    memory_order_relaxed),
                                               &(struct fix_text){.text = ""}),
                                    "is %u, and queryCount %u, but query %u is in use by work that "
                                    "was submitted to %s and is not known to be done: no fence, "
                                    "semaphore or wait has shown it to the app",
                                    first, count, first + i, NAMED_STATE(call, &queue->base));
    }
    return false;
}

bool core_validate_ResetQueryPool(struct call *call, VkDevice device, VkQueryPool queryPool,
                                  uint32_t firstQuery, uint32_t queryCount)
{
    const struct query_pool *pool = named_query_pool(call, 0, queryPool);
    return pool && call->instance->settings.check_query &&
           range_is_in_pool(pool, firstQuery, queryCount) && unlikely(in_use(call, &pool->base)) &&
           check_range_in_use(call, pool, firstQuery, queryCount);
}

/* True if another query of the type is active with this index. */
static bool same_index_active(const struct command_buffer *command_buffer, VkQueryType type,
                              uint32_t index)
{
    assert(command_buffer);
    const struct command_buffer_queries *queries = command_buffer->queries;
    for (uint32_t i = 0; queries && queries->active_count && i < queries_capacity(queries); i++) {
        const struct recorded_query *query = &queries->slots[i];
        if (query->pool && query->state == QUERY_ACTIVE && query->type == type &&
            query->index == index)
            return true;
    }
    return false;
}

/* True if a query of the type is active in the command buffer. */
static bool same_type_active(const struct command_buffer *command_buffer, VkQueryType type)
{
    const struct command_buffer_queries *queries = command_buffer->queries;
    if (!queries || !queries->active_count)
        return false;
    for (uint32_t i = 0; i < queries_capacity(queries); i++) {
        if (queries->slots[i].pool && queries->slots[i].state == QUERY_ACTIVE &&
            queries->slots[i].type == type)
            return true;
    }
    return false;
}

/* The number of views of the active render pass instance, each of which uses a query. 0: without
 * multiview, or no instance is active. */
static uint32_t views_of(const struct command_buffer *command_buffer)
{
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    return rendering ? (uint32_t)__builtin_popcount(rendering->view_mask) : 0;
}

/* Checks that a query may begin here. `indexed`: vkCmdBeginQueryIndexedEXT begins it, with
 * `index`. */
static bool query_check_begin(struct call *call, VkQueryPool queryPool, uint32_t query,
                              bool indexed, uint32_t index)
{
    const struct query_pool *pool = find_query_pool(call, queryPool);
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct subject s = parameters_subject(call, OBJECT(HANDLE_QUERY_POOL, queryPool));
    if (!pool || !command_buffer || !call->instance->settings.check_query || query >= pool->count)
        return false;
    uint32_t views = views_of(command_buffer);
    REQUIRE(&s, RULE_00808, views <= pool->count - query, "query",
            "is %u, from which on the %u views of the subpass take a query each, but the "
            "pool has %u",
            query, views, pool->count);
    const struct recorded_query *recorded =
        command_buffer_query(command_buffer, object_state_id(&pool->base), query);
    /* All queries used by the command must be unavailable: what this command buffer has used must
     * be reset before it is used again */
    REQUIRE(&s, RULE_00807,
            !recorded || recorded->state == QUERY_RESET || recorded->state == QUERY_UNTOUCHED,
            "query", "%u was %s in this command buffer and not reset since", query,
            recorded && recorded->state == QUERY_ACTIVE ? "begun" : "used");
    /* queryPool must have been created with a queryType that differs from that of any queries that
     * are active within commandBuffer */
    if (!indexed)
        REQUIRE(&s, RULE_01922, !same_type_active(command_buffer, pool->type), "queryPool",
                "is of %s, and another query of that type is active in this command buffer",
                TEXT_OF(VkQueryType, pool->type));
    /* If the queryPool was created with the same queryType as that of another active query, then
     * index must not match the index used for that */
    else
        REQUIRE(&s, RULE_04753, !same_index_active(command_buffer, pool->type, index), "index",
                "is %u, with which another query of %s is active in this command buffer", index,
                TEXT_OF(VkQueryType, pool->type));
    if (unlikely(pool->type == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR))
        performance_check_begin(&s, pool, query);
    /* If ... VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR, then the VkCommandPool that commandBuffer was
     * allocated from must have been created with a queue family index that supports result status
     * queries */
    if (unlikely(pool->type == VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR))
        REQUIRE(&s, RULE_07126, query_status_supported(call->device, command_buffer->queue_family),
                "queryPool",
                "is of VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR, which queue family %u does not "
                "support",
                command_buffer->queue_family);
    return s.skip;
}

bool core_validate_CmdBeginQuery(struct call *call, VkCommandBuffer commandBuffer,
                                 VkQueryPool queryPool, uint32_t query, VkQueryControlFlags flags)
{
    return query_check_begin(call, queryPool, query, false, 0);
}

bool core_validate_CmdBeginQueryIndexedEXT(struct call *call, VkCommandBuffer commandBuffer,
                                           VkQueryPool queryPool, uint32_t query,
                                           VkQueryControlFlags flags, uint32_t index)
{
    return query_check_begin(call, queryPool, query, true, index);
}

/* The rules about the end of a query, whose numbers differ between the two commands. */
struct end_rules {
    /* views: the pool has a query for each view; active: the query is active */
    enum rule views, active;
};

/* Checks the end of a query and returns that query. NULL: nothing more can be checked. */
static const struct recorded_query *query_check_end(struct subject *s,
                                                    const struct query_pool *pool, uint32_t query,
                                                    const struct end_rules *rules)
{
    assert(pool);
    const struct call *call = s->call;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct location *where = &LOCATION(NULL, "query");
    /* Queries cannot be active in a protected command buffer, which a row reports. */
    if ((command_buffer && command_buffer_is_protected(command_buffer)) || query >= pool->count)
        return NULL;
    uint32_t views = views_of(command_buffer);
    REQUIRE(s, rules->views, views <= pool->count - query, where,
            "is %u, from which on the %u views of the subpass take a query each, but the "
            "pool has %u",
            query, views, pool->count);
    /* All queries used by the command must be active */
    const struct recorded_query *recorded =
        command_buffer_query(command_buffer, object_state_id(&pool->base), query);
    bool active = recorded && recorded->state == QUERY_ACTIVE;
    REQUIRE(s, rules->active,
            active || (command_buffer->queries && command_buffer->queries->incomplete), where,
            "%u is not active in this command buffer", query);
    return active ? recorded : NULL;
}

/* If called within a subpass of a render pass instance, the corresponding vkCmdBeginQuery* command
 * must have been called previously within the same subpass */
static void query_check_subpass(struct subject *s, const struct recorded_query *ended,
                                uint32_t query)
{
    const struct command_buffer *command_buffer = call_command_buffer(s->call);
    if (ended && command_buffer->scope & SCOPE_INSIDE_RENDER_PASS && command_buffer->rendering)
        REQUIRE(s, RULE_07007,
                ended->in_render_pass && ended->subpass == command_buffer->rendering->subpass,
                &LOCATION(NULL, "query"), "%u was begun outside of this subpass", query);
}

bool core_validate_CmdEndQuery(struct call *call, VkCommandBuffer commandBuffer,
                               VkQueryPool queryPool, uint32_t query)
{
    static const struct end_rules rules = {RULE_00812, RULE_01923};
    const struct query_pool *pool = named_query_pool(call, 0, queryPool);
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct subject s = parameters_subject(call, OBJECT(HANDLE_QUERY_POOL, queryPool));
    if (!pool || !command_buffer || !call->instance->settings.check_query)
        return false;
    query_check_subpass(&s, query_check_end(&s, pool, query, &rules), query);
    if (unlikely(pool->type == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR))
        performance_check_end(&s, pool);
    return s.skip;
}

/* --- what is active where a render pass instance ends --- */

/* If vkCmdBeginQuery* was called within a subpass of the render pass, the corresponding
 * vkCmdEndQuery* must have been called subsequently within the same subpass */
static bool check_instance_end(struct call *call, enum vuid vuid)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct command_buffer_queries *queries = command_buffer ? command_buffer->queries : NULL;
    if (likely(!queries || !queries->active_count) || queries->incomplete ||
        !call->instance->settings.check_query)
        return false;
    for (uint32_t i = 0; i < queries_capacity(queries); i++) {
        const struct recorded_query *query = &queries->slots[i];
        if (!query->pool || query->state != QUERY_ACTIVE || !query->in_render_pass)
            continue;
        const struct query_pool *pool = query_pool_by_id(query->pool);
        return BROKEN_BY(call, vuid, &LOCATION(NULL, "commandBuffer"),
                         pool ? OBJECT(HANDLE_QUERY_POOL, object_state_handle(&pool->base)) : NULL,
                         "has query %u active, which was begun in this render pass instance",
                         query->query);
    }
    return false;
}

bool core_validate_CmdEndRenderPass_queries(struct call *call, VkCommandBuffer commandBuffer)
{
    return check_instance_end(call, RULE(call, 07004));
}

bool core_validate_CmdEndRenderPass2_queries(struct call *call, VkCommandBuffer commandBuffer,
                                             const VkSubpassEndInfo *pSubpassEndInfo)
{
    return check_instance_end(call, RULE(call, 07005));
}

bool core_validate_CmdEndRendering_queries(struct call *call, VkCommandBuffer commandBuffer)
{
    return check_instance_end(call, RULE(call, 06999));
}

bool core_validate_CmdEndRendering2KHR_queries(struct call *call, VkCommandBuffer commandBuffer,
                                               const VkRenderingEndInfoKHR *pRenderingEndInfo)
{
    return check_instance_end(call, RULE(call, 10613));
}

bool core_validate_CreateQueryPool_status(struct call *call, VkDevice device,
                                          const VkQueryPoolCreateInfo *pCreateInfo,
                                          const VkAllocationCallbacks *pAllocator,
                                          VkQueryPool *pQueryPool)
{
    bool supported = false;
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pCreateInfo")};
    if (likely(pCreateInfo->queryType != VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR) ||
        !call->instance->settings.check_query)
        return false;
    for (uint32_t i = 0; i < call->device->queue_family_count && !supported; i++)
        supported = query_status_supported(call->device, i);
    /* ... at least one of the queue families of the device must support result status queries */
    REQUIRE(&s, RULE_11839, supported, "queryType",
            "is VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR, but none of the %u queue families supports "
            "result status queries",
            call->device->queue_family_count);
    return s.skip;
}

bool core_validate_CmdEndQueryIndexedEXT(struct call *call, VkCommandBuffer commandBuffer,
                                         VkQueryPool queryPool, uint32_t query, uint32_t index)
{
    static const struct end_rules rules = {RULE_02345, RULE_02342};
    const struct query_pool *pool = named_query_pool(call, 0, queryPool);
    struct subject s = parameters_subject(call, OBJECT(HANDLE_QUERY_POOL, queryPool));
    if (!pool || !call_command_buffer(call) || !call->instance->settings.check_query)
        return false;
    uint32_t streams =
        call->device->extended.TransformFeedbackPropertiesEXT.maxTransformFeedbackStreams;
    bool has_streams = pool->type == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT ||
                       pool->type == VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT;
    const struct recorded_query *ended = query_check_end(&s, pool, query, &rules);
    /* ... index must equal the index used to begin the query */
    if (ended && (!streams || index < streams))
        REQUIRE(&s, RULE_06696, !has_streams || ended->index == index, "index",
                "is %u, but the query was begun with %u", index, ended->index);
    query_check_subpass(&s, ended, query);
    return s.skip;
}

/* The bytes of one result: 8 (VK_QUERY_RESULT_64_BIT) or 4 for each value, and as many for the
 * availability. */
static uint64_t result_size(const struct query_pool *pool, VkQueryResultFlags flags)
{
    uint64_t values = pool->type == VK_QUERY_TYPE_PIPELINE_STATISTICS
                          ? (uint64_t)__builtin_popcount(pool->statistics)
                      : pool->type == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT ? 2
                      : pool->type == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR ||
                              pool->type == VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR
                          ? 0
                          : 1;
    if (flags & (VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_WITH_STATUS_BIT_KHR))
        values++;
    return values * (flags & VK_QUERY_RESULT_64_BIT ? 8 : 4);
}

bool core_validate_GetQueryPoolResults(struct call *call, VkDevice device, VkQueryPool queryPool,
                                       uint32_t firstQuery, uint32_t queryCount, size_t dataSize,
                                       void *pData, VkDeviceSize stride, VkQueryResultFlags flags)
{
    const struct query_pool *pool = named_query_pool(call, 0, queryPool);
    struct subject s = parameters_subject(call, OBJECT(HANDLE_QUERY_POOL, queryPool));
    if (!pool || !call->instance->settings.check_query ||
        !range_is_in_pool(pool, firstQuery, queryCount))
        return s.skip;
    uint64_t size = result_size(pool, flags), value = flags & VK_QUERY_RESULT_64_BIT ? 8 : 4;
    if (value == 4 && pool->type != VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR)
        REQUIRE(&s, RULE_02828, (uintptr_t)pData % 4 == 0, "pData",
                "is %p, which is not a multiple of 4", pData);
    /* All queries used by the command must not be uninitialized: those are that were not reset
     * since the pool was created */
    for (uint32_t i = 0; i < queryCount; i++) {
        if (likely(query_pool_was_reset(pool, firstQuery + i)))
            continue;
        REQUIRE(&s, RULE_09401, false, "queryPool", "has query %u, which was never reset",
                firstQuery + i);
        break;
    }
    if (unlikely(pool->type == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR))
        performance_check_results(&s, pool, queryCount, value == 4 ? pData : NULL, stride);
    if (value == 8)
        REQUIRE(&s, RULE_00815, (uintptr_t)pData % 8 == 0, "pData",
                "is %p, which is not a multiple of 8", pData);
    if (!s.wrong && !rows_were_broken() && queryCount &&
        pool->type != VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR) {
        REQUIRE(&s, RULE_08993,
                queryCount == 1 || !(flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) ||
                    stride >= size,
                "stride",
                "is %" PRIu64 ", but a result with its availability takes %" PRIu64 " bytes",
                stride, size);
        uint64_t needed = queryCount > 1 && stride > UINT64_MAX / queryCount
                              ? UINT64_MAX
                              : (queryCount - 1) * stride + size;
        REQUIRE(&s, RULE_00817, dataSize >= needed, "dataSize",
                "is %zu, but the results take %" PRIu64 " bytes", dataSize, needed);
    }
    return s.skip;
}

/* All queries used by the command must have been made available by prior executed commands. Reports
 * a query that this command buffer has only reset; for earlier work, submits check this. A copy
 * with availability, a status or partial results may read such a query. */
static void check_available(struct subject *s, enum rule rule, const struct query_pool *pool,
                            uint32_t first, uint32_t count, VkQueryResultFlags flags)
{
    const struct command_buffer *command_buffer = call_command_buffer(s->call);
    const VkQueryResultFlags asks = VK_QUERY_RESULT_WITH_AVAILABILITY_BIT |
                                    VK_QUERY_RESULT_WITH_STATUS_BIT_KHR |
                                    VK_QUERY_RESULT_PARTIAL_BIT;
    if (!command_buffer || !command_buffer->queries || !pool->left || flags & asks)
        return;
    for (uint32_t i = 0; i < count; i++) {
        const struct recorded_query *recorded =
            command_buffer_query(command_buffer, object_state_id(&pool->base), first + i);
        if (unlikely(recorded && recorded->state == QUERY_RESET)) {
            BROKEN(s, rule, &LOCATION(NULL, "queryPool"),
                   "has query %u, which was reset in this command buffer, and not used since",
                   first + i);
            return;
        }
    }
}

bool core_validate_CmdCopyQueryPoolResults(struct call *call, VkCommandBuffer commandBuffer,
                                           VkQueryPool queryPool, uint32_t firstQuery,
                                           uint32_t queryCount, VkBuffer dstBuffer,
                                           VkDeviceSize dstOffset, VkDeviceSize stride,
                                           VkQueryResultFlags flags)
{
    const struct query_pool *pool = named_query_pool(call, 0, queryPool);
    const struct buffer *buffer = named_buffer(call, 1, dstBuffer);
    struct subject s =
        parameters_subject(call, OBJECT2(HANDLE_QUERY_POOL, queryPool, HANDLE_BUFFER, dstBuffer));
    if (!pool || !call->instance->settings.check_query ||
        !range_is_in_pool(pool, firstQuery, queryCount))
        return s.skip;
    uint32_t active = find_active(call_command_buffer(call), pool, firstQuery, queryCount);
    REQUIRE(&s, RULE_07429, active == UINT32_MAX, "queryPool",
            "has query %u active in this command buffer", active);
    check_available(&s, RULE_08752, pool, firstQuery, queryCount, flags);
    if (!buffer || dstOffset >= buffer->size)
        return s.skip;
    uint64_t size = result_size(pool, flags);
    if (!s.wrong && !rows_were_broken() && queryCount &&
        pool->type != VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR && stride <= UINT64_MAX / queryCount)
        REQUIRE(&s, RULE_00824, (queryCount - 1) * stride + size <= buffer->size - dstOffset,
                "dstBuffer",
                "has %" PRIu64 " bytes from dstOffset on, but the results take %" PRIu64,
                buffer->size - dstOffset, (queryCount - 1) * stride + size);
    return s.skip;
}

bool core_validate_CmdCopyQueryPoolResultsToMemoryKHR(struct call *call,
                                                      VkCommandBuffer commandBuffer,
                                                      VkQueryPool queryPool, uint32_t firstQuery,
                                                      uint32_t queryCount,
                                                      const VkStridedDeviceAddressRangeKHR
                                                          *pDstRange,
                                                      VkAddressCommandFlagsKHR dstFlags,
                                                      VkQueryResultFlags queryResultFlags)
{
    const struct query_pool *pool = named_query_pool(call, 0, queryPool);
    struct subject s = parameters_subject(call, OBJECT(HANDLE_QUERY_POOL, queryPool));
    if (!pool || !call->instance->settings.check_query || pointer_is_bad(pDstRange) ||
        !range_is_in_pool(pool, firstQuery, queryCount))
        return s.skip;
    const uint64_t size = result_size(pool, queryResultFlags), stride = pDstRange->stride;
    const uint32_t active = find_active(call_command_buffer(call), pool, firstQuery, queryCount);
    /* All queries used by the command must not be active */
    REQUIRE(&s, RULE_13083, active == UINT32_MAX, "queryPool",
            "has query %u active in this command buffer", active);
    check_available(&s, RULE_13084, pool, firstQuery, queryCount, queryResultFlags);
    /* If queryCount is greater than 1, stride must not be zero */
    REQUIRE(&s, RULE_09438, queryCount <= 1 || stride,
            &LOCATION(&LOCATION_POINTER(NULL, "pDstRange"), "stride"),
            "is 0, but the results of %u queries are copied", queryCount);
    /* pDstRange->size must be large enough to contain the result of each query */
    if (!s.wrong && !rows_were_broken() && queryCount &&
        pool->type != VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR && stride <= UINT64_MAX / queryCount / 2)
        REQUIRE(&s, RULE_13079, (queryCount - 1) * stride + size <= pDstRange->size, "pDstRange",
                "has %" PRIu64 " bytes, but the results take %" PRIu64, pDstRange->size,
                (queryCount - 1) * stride + size);
    return s.skip;
}

/* The rules about timestamps, whose numbers differ between the two commands. */
struct timestamp_rules {
    /* views: the pool has a query for each view; unavailable: the query was reset */
    enum rule views, unavailable;
};

/* Checks a query to which a timestamp is written. `rules`: the rules of the command. */
static bool check_timestamp(struct call *call, VkQueryPool queryPool, uint32_t query,
                            const struct timestamp_rules *rules)
{
    const struct query_pool *pool = find_query_pool(call, queryPool);
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct subject s = parameters_subject(call, OBJECT(HANDLE_QUERY_POOL, queryPool));
    if (!pool || !command_buffer || !call->instance->settings.check_query || query >= pool->count)
        return false;
    uint32_t views = views_of(command_buffer);
    REQUIRE(&s, rules->views, views <= pool->count - query, "query",
            "is %u, from which on the %u views of the subpass take a query each, but the "
            "pool has %u",
            query, views, pool->count);
    /* All queries used by the command must be unavailable */
    const struct recorded_query *recorded =
        command_buffer_query(command_buffer, object_state_id(&pool->base), query);
    REQUIRE(&s, rules->unavailable, !recorded || recorded->state != QUERY_ENDED, "query",
            "%u was written in this command buffer and not reset since", query);
    return s.skip;
}

/* Checks pipelineStage of a command of version 1: the stage's feature is enabled, and the queue
 * family supports it. */
static void query_check_stage(struct subject *s, VkPipelineStageFlagBits stage)
{
    const struct command_buffer *command_buffer = call_command_buffer(s->call);
    REQUIRE(s, RULE_04080,
            !(stage & (VK_PIPELINE_STAGE_MESH_SHADER_BIT_EXT)) ||
                subject_has(s, FEATURE_MeshShaderFeaturesEXT_meshShader) ||
                subject_has(s, FEATURE_MeshShaderFeaturesNV_meshShader),
            "pipelineStage", "is %s, but the feature meshShader is not enabled",
            TEXT_OF(VkPipelineStageFlags, stage));
    REQUIRE(s, RULE_07077,
            !(stage & (VK_PIPELINE_STAGE_TASK_SHADER_BIT_EXT)) ||
                subject_has(s, FEATURE_MeshShaderFeaturesEXT_taskShader) ||
                subject_has(s, FEATURE_MeshShaderFeaturesNV_taskShader),
            "pipelineStage", "is %s, but the feature taskShader is not enabled",
            TEXT_OF(VkPipelineStageFlags, stage));
    REQUIRE(s, RULE_07943,
            !(stage & (VK_PIPELINE_STAGE_RAY_TRACING_SHADER_BIT_KHR)) ||
                subject_has(s, FEATURE_rayTracingPipeline) ||
                !device_lacks(s->call, EXTENSION_VK_NV_ray_tracing),
            "pipelineStage",
            "is %s, but neither the feature rayTracingPipeline nor the extension VK_NV_ray_tracing "
            "is enabled",
            TEXT_OF(VkPipelineStageFlags, stage));
    if (!s->wrong && !rows_were_broken() && command_buffer && command_buffer->queue_flags)
        REQUIRE(s, RULE_04074, !stages_unsupported(stage, command_buffer->queue_flags),
                "pipelineStage", "is %s, which queue family %u does not support",
                TEXT_OF(VkPipelineStageFlags, stage), command_buffer->queue_family);
}

bool core_validate_CmdWriteBufferMarkerAMD(struct call *call, VkCommandBuffer commandBuffer,
                                           VkPipelineStageFlagBits pipelineStage,
                                           VkBuffer dstBuffer, VkDeviceSize dstOffset,
                                           uint32_t marker)
{
    struct subject s = parameters_subject(call, NULL);
    query_check_stage(&s, pipelineStage);
    return s.skip;
}

bool core_validate_CmdWriteTimestamp(struct call *call, VkCommandBuffer commandBuffer,
                                     VkPipelineStageFlagBits pipelineStage, VkQueryPool queryPool,
                                     uint32_t query)
{
    static const struct timestamp_rules rules = {RULE_00831, RULE_00830};
    struct subject s = parameters_subject(call, NULL);
    query_check_stage(&s, pipelineStage);
    return s.skip | check_timestamp(call, queryPool, query, &rules);
}

bool core_validate_CmdWriteTimestamp2(struct call *call, VkCommandBuffer commandBuffer,
                                      VkPipelineStageFlags2 stage, VkQueryPool queryPool,
                                      uint32_t query)
{
    static const struct timestamp_rules rules = {RULE_03865, RULE_03864};
    /* stage must only include a single pipeline stage */
    struct subject s = {.call = call};
    s.skip |= stages_check_features(call, MASK_vkCmdWriteTimestamp2_stage, stage,
                                    &LOCATION(NULL, "stage"));
    REQUIRE(&s, RULE_03859, !(stage & (stage - 1)), "stage", "is %s: more than one stage",
            TEXT_OF(VkPipelineStageFlags2, stage));
    const struct command_buffer *command_buffer = call_command_buffer(call);
    /* stage must only include stages valid for the queue family that was used to create the command
     * pool */
    if (command_buffer && command_buffer->queue_flags)
        REQUIRE(&s, RULE_03860, !stages_unsupported(stage, command_buffer->queue_flags), "stage",
                "is %s, which queue family %u does not support",
                TEXT_OF(VkPipelineStageFlags2, stage), command_buffer->queue_family);
    return s.skip | check_timestamp(call, queryPool, query, &rules);
}

bool core_validate_EndCommandBuffer_queries(struct call *call, VkCommandBuffer commandBuffer)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct command_buffer_queries *queries = command_buffer ? command_buffer->queries : NULL;
    if (!queries || !call->instance->settings.check_query)
        return false;
    bool skip = performance_check_last(call, command_buffer);
    if (!queries->active_count)
        return skip;
    /* All queries made active during the recording of commandBuffer must have been made inactive */
    return skip | BROKEN_BY(call, RULE_00061, &LOCATION(NULL, "commandBuffer"), NULL,
                            "has %u queries active that were not ended", queries->active_count);
}
