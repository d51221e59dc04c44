/* Checks that submitted command buffers find queries reset that they use (18 "Queries"). What a
 * command buffer does to a query that it has used itself, is seen when that is recorded
 * (core/query/query.c). */
#include "core/hooks.h"
#include "core/submit/contents.h"

#include <inttypes.h>

#include "core/transfer/transfer.h" /* RULE_NONE */
#include "objects/device.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "state/query.h"
#include "state/queue.h"

/* Command buffers of one call that use queries; what comes after is not judged. */
#define EARLIER_MOST 64

struct query_check {
    const struct call *call;
    const struct queue *queue;
    uint32_t count;
    const struct command_buffer *earlier[EARLIER_MOST];
};

/* What the query is in when the command buffer begins to execute. */
static enum query_left left_in(const struct query_check *c, const struct query_pool *pool,
                               const struct recorded_query *query)
{
    for (uint32_t i = c->count; i-- > 0;) {
        const struct recorded_query *before =
            command_buffer_query(c->earlier[i], query->pool, query->query);
        if (before && before->state != QUERY_UNTOUCHED)
            return before->state == QUERY_RESET ? QUERY_LEFT_RESET : QUERY_LEFT_USED;
    }
    return (enum query_left)atomic_load_explicit(&pool->left[query->query], memory_order_relaxed);
}

/* The id of "All queries used by the command must be unavailable" of the first command that used
 * it. */
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

static COLD bool check_queries(struct query_check *c, const struct command_buffer *command_buffer,
                               VkCommandBuffer handle, const struct location *where)
{
    const struct command_buffer_queries *queries = command_buffer->queries;
    bool skip = false;
    for (uint32_t i = 0; i < queries->capacity; i++) {
        const struct recorded_query *query = &queries->slots[i];
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
        skip |= finding(c->call, rule_vuid((enum command)query->first, rule), where,
                        OBJECT2(HANDLE_COMMAND_BUFFER, handle, HANDLE_QUERY_POOL,
                                object_state_handle(&pool->base)),
                        "uses query %u of VkQueryPool 0x%" PRIx64 " (%s), which %s", query->query,
                        object_state_handle(&pool->base), command_name[query->first],
                        left == QUERY_LEFT_USED
                            ? "was used by work that was submitted before and not reset since"
                            : "was never reset since its pool was created");
        break; /* the others are most often those next to it */
    }
    return skip;
}

/* False when nothing more of this call can be judged. */
static bool check_batch(struct query_check *c, const struct batch *batch,
                        const struct location *parent, bool *skip)
{
    for (uint32_t i = 0; i < batch->command_buffer_count; i++) {
        VkCommandBuffer handle = batch_command_buffer(batch, i);
        const struct command_buffer *command_buffer = find_command_buffer(handle);
        if (likely(!command_buffer || !command_buffer->queries || !command_buffer->queries->count))
            continue;
        if (c->count == EARLIER_MOST || batch_waits_ahead(c->call, batch))
            return false;
        *skip |= check_queries(c, command_buffer, handle,
                               &LOCATION_INDEX(parent, batch_command_buffers_name(batch), i));
        c->earlier[c->count++] = command_buffer;
    }
    return true;
}

/* Where memory was out nothing is known of some command buffer, which may have reset any query. */
static bool may_judge(struct query_check *c, const struct call *call)
{
    c->call = call;
    c->queue = object_load_state(call->object);
    c->count = 0;
    return c->queue && call->instance->settings.check_query && !mem_failures() &&
           !device_is_lost(call->device);
}

bool submits_check_queries(struct call *call, const struct submits *submits)
{
    struct query_check c;
    bool skip = false, judges = may_judge(&c, call);
    for (uint32_t i = 0; judges && i < submits->count; i++) {
        struct batch batch = submits_batch(submits, i);
        judges = check_batch(&c, &batch, &LOCATION_INDEX(NULL, "pSubmits", i), &skip);
    }
    return skip;
}
