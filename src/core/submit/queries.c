/* Checks that queries which submitted command buffers use were reset before (18 "Queries"). Queries
 * that a command buffer itself has used before are checked when it is recorded
 * (core/query/query.c). */
#include "core/hooks.h"
#include "core/submit/walk.h"

#include <inttypes.h>

#include "objects/device.h"
#include "report/finding/finding.h"
#include "report/finding/rule.h"
#include "report/names/object_text.h"
#include "report/finding/reporter.h"
#include "state/query/query.h"
#include "state/submit/queue.h"

/* The state of the query when the command buffer begins to execute. */
static enum query_left left_in(const struct submit *c, const struct query_pool *pool,
                               const struct recorded_query *query)
{
    assert(query->query < pool->count && c->queries.count <= EARLIER_MOST);
    for (uint32_t i = c->queries.count; i-- > 0;) {
        const struct recorded_query *before =
            command_buffer_query(c->queries.list[i], query->pool, query->query);
        if (before && before->state != QUERY_UNTOUCHED)
            return before->state == QUERY_RESET ? QUERY_LEFT_RESET : QUERY_LEFT_USED;
    }
    return (enum query_left)atomic_load_explicit(&pool->left[query->query], memory_order_relaxed);
}

/* The rule "All queries used by the command must be unavailable" of the first command that used the
 * query. */
static enum rule rule_of(enum command command)
{
    switch (command_root[command]) {
    case COMMAND_CmdWriteTimestamp:
        return RULE_00830;
    case COMMAND_CmdWriteTimestamp2:
        return RULE_03864;
    case COMMAND_CmdBeginQuery:
    case COMMAND_CmdBeginQueryIndexedEXT:
        return RULE_00807;
    default:
        return RULE_NONE;
    }
}

/* Checks a copy of results of a query that no earlier command of this command buffer used. A copy
 * with availability or partial results may find a query that was only reset. */
static bool check_copied(const struct submit *c, const struct recorded_query *query,
                         VkCommandBuffer handle, const struct location *where)
{
    const enum command command = (enum command)query->copied;
    const bool to_buffer = command_root[command] == COMMAND_CmdCopyQueryPoolResults;
    const struct query_pool *pool = query_pool_by_id(query->pool);
    if (!pool || query->query >= pool->count || !query_pool_is_of_queue(pool, c->queue))
        return false;
    const enum query_left left = left_in(c, pool, query);
    if (left == QUERY_LEFT_USED || (left == QUERY_LEFT_RESET && query->copied_partly))
        return false;
    if (unlikely(query->muted)) {
        reporter_count_muted_by_label(c->call->instance->reporter);
        return false;
    }
    /* All queries used by the command must not be uninitialized when the command is executed */
    const enum rule never = to_buffer ? RULE_09402 : RULE_13076;
    /* All queries used by the command must have been made available by prior executed commands */
    const enum rule reset = to_buffer ? RULE_08752 : RULE_13084;
    return BROKEN_BY(c->call, rule_vuid(command, left == QUERY_LEFT_RESET ? reset : never), where,
                     OBJECT2(HANDLE_COMMAND_BUFFER, handle, HANDLE_QUERY_POOL,
                             object_state_handle(&pool->base)),
                     "copies the results of query %u of %s (%s), which was %s", query->query,
                     NAMED_STATE(c->call, &pool->base), command_name[command],
                     left == QUERY_LEFT_RESET ? "reset, and not used since"
                                              : "never reset since its pool was created");
}

/* Checks the queries that a command buffer uses, by the state in which earlier work leaves them.
 * True: the call is to be skipped. */
static COLD bool submit_queries_check(const struct submit *c,
                                      const struct command_buffer *command_buffer,
                                      VkCommandBuffer handle, const struct location *where)
{
    assert(command_buffer->queries);
    const struct command_buffer_queries *queries = command_buffer->queries;
    bool skip = false;
    for (uint32_t i = 0; i < queries_capacity(queries); i++) {
        const struct recorded_query *query = &queries->slots[i];
        if (query->pool && query->copied && check_copied(c, query, handle, where)) {
            skip = true;
            break;
        }
        enum rule rule = query->pool && query->first && !query->reset_first
                             ? rule_of((enum command)query->first)
                             : RULE_NONE;
        const struct query_pool *pool = rule != RULE_NONE ? query_pool_by_id(query->pool) : NULL;
        if (!pool || query->query >= pool->count || !query_pool_is_of_queue(pool, c->queue))
            continue;
        enum query_left left = left_in(c, pool, query);
        if (left == QUERY_LEFT_RESET)
            continue;
        if (unlikely(query->muted)) {
            reporter_count_muted_by_label(c->call->instance->reporter);
            continue;
        }
        skip |= BROKEN_BY(c->call, rule_vuid((enum command)query->first, rule), where,
                          OBJECT2(HANDLE_COMMAND_BUFFER, handle, HANDLE_QUERY_POOL,
                                  object_state_handle(&pool->base)),
                          "uses query %u of VkQueryPool 0x%" PRIx64 " (%s), which %s", query->query,
                          object_state_handle(&pool->base), command_name[query->first],
                          left == QUERY_LEFT_USED
                              ? "was used by work that was submitted before and not reset since"
                              : "was never reset since its pool was created");
        break; /* the next queries are most often used together with this one */
    }
    return skip;
}

/* True if a query of a performance pool was begun in the command buffer. */
static bool begins_performance_query(const struct command_buffer *command_buffer)
{
    const struct command_buffer_queries *queries = command_buffer->queries;
    for (uint32_t i = 0; i < queries_capacity(queries); i++) {
        const struct recorded_query *query = &queries->slots[i];
        if (query->pool && query->begun && query->type == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR)
            return true;
    }
    return false;
}

/* Nothing is judged after an allocation of the layer has failed: a command buffer that was not
 * followed may have reset any query. */
static bool may_judge(const struct submit *submit)
{
    const struct call *call = submit->call;
    return submit->queue && call->instance->settings.check_query && !mem_failures() &&
           !device_is_lost(call->device);
}

bool submit_check_queries(struct submit *submit, const struct submit_batch *submitted)
{
    struct submit_earlier *earlier = &submit->queries;
    const struct batch *batch = &submitted->batch;
    bool skip = false;
    if (submit_asks_first(submit, CONTENTS_QUERIES))
        earlier->count = may_judge(submit) ? 0 : EARLIER_MOST;
    for (uint32_t i = 0; i < batch->command_buffer_count; i++) {
        VkCommandBuffer handle = batch_command_buffer(batch, i);
        const struct command_buffer *command_buffer = find_command_buffer(handle);
        if (likely(!command_buffer || !command_buffer->queries || !command_buffer->queries->count))
            continue;
        if (unlikely(command_buffer->profiling_lost) && begins_performance_query(command_buffer))
            skip |=
                BROKEN_BY(submit->call, submit->is_version2 ? RULE_03880 : RULE_03220,
                          &LOCATION_INDEX(&submitted->where, batch_command_buffers_name(batch), i),
                          OBJECT(HANDLE_COMMAND_BUFFER, (uintptr_t)handle),
                          "has performance queries, but the profiling lock was not held all the "
                          "time while it was recorded");
        if (submit->ahead)
            earlier->count = EARLIER_MOST;
        if (earlier->count == EARLIER_MOST)
            return skip;
        skip |= submit_queries_check(submit, command_buffer, handle,
                                     &LOCATION_INDEX(&submitted->where,
                                                     batch_command_buffers_name(batch), i));
        earlier->list[earlier->count++] = command_buffer;
    }
    return skip;
}
