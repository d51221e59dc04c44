/* Do submitted command buffers find queries reset that they use (18 "Queries")? What a command buffer does to a query that it has used itself, is seen when that is recorded
 * (query.c). */
#include "core/hooks.h"

#include <inttypes.h>

#include "chassis/chassis.h"
#include "core/transfer.h" /* RULE_NONE */
#include "report/finding.h"
#include "state/query.h"
#include "state/queue.h"
#include "state/submission.h"

/* Command buffers of one call that touch queries; what comes behind is not judged. */
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
        const struct recorded_query *before = command_buffer_query(c->earlier[i], query->pool, query->query);
        if (before && before->state != QUERY_UNTOUCHED)
            return before->state == QUERY_RESET ? QUERY_LEFT_RESET : QUERY_LEFT_USED;
    }
    return (enum query_left)atomic_load_explicit(&pool->left[query->query], memory_order_relaxed);
}

/* The id of "All queries used by the command must be unavailable" of the first command that used it. */
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
        enum rule rule =
            query->pool && query->first && !query->reset_first ? rule_of((enum command)query->first) : RULE_NONE;
        const struct query_pool *pool = rule != RULE_NONE ? query_pool_by_id(query->pool) : NULL;
        if (!pool || query->query >= pool->count || !query_pool_is_of_queue(pool, c->queue))
            continue;
        enum query_left left = left_in(c, pool, query);
        if (left == QUERY_LEFT_RESET)
            continue;
        skip |= finding(c->call, rule_vuid((enum command)query->first, rule), where,
                        OBJECT2(HANDLE_COMMAND_BUFFER, handle, HANDLE_QUERY_POOL, object_state_handle(&pool->base)),
                        "uses query %u of VkQueryPool 0x%" PRIx64 " (%s), which %s", query->query,
                        object_state_handle(&pool->base), command_name[query->first],
                        left == QUERY_LEFT_USED ? "was used by what was submitted before and not reset since"
                                                : "was never reset since its pool was created");
        break; /* the others are most often those next to it */
    }
    return skip;
}

/* False when nothing more of this call can be judged. */
static bool check_batch(struct query_check *c, const struct batch *batch, const struct location *parent, bool *skip)
{
    for (uint32_t i = 0; i < batch->command_buffer_count; i++) {
        VkCommandBuffer handle = batch_command_buffer(batch, i);
        const struct command_buffer *command_buffer = find_command_buffer(handle);
        if (likely(!command_buffer || !command_buffer->queries || !command_buffer->queries->count))
            continue;
        if (c->count == EARLIER_MOST || batch_waits_ahead(c->call, batch))
            return false;
        *skip |= check_queries(c, command_buffer, handle,
                               &LOCATION_INDEX(parent,
                                               batch->command_buffers2 ? "pCommandBufferInfos" : "pCommandBuffers", i));
        c->earlier[c->count++] = command_buffer;
    }
    return true;
}

static inline bool touches_queries(VkCommandBuffer handle)
{
    const struct command_buffer *command_buffer = find_command_buffer(handle);
    return command_buffer && command_buffer->queries && command_buffer->queries->count;
}

/* Where memory was out nothing is known of some command buffer, which may have reset any query. */
static bool may_judge(struct query_check *c, const struct call *call)
{
    c->call = call;
    c->queue = object_load_state(call->object);
    c->count = 0;
    return c->queue && call->instance->settings.check_query && !mem_failures() && !device_is_lost(call->device);
}

static COLD bool check_submits(const struct call *call, uint32_t count, const VkSubmitInfo *submits)
{
    struct query_check c;
    bool skip = false, judges = may_judge(&c, call);
    for (uint32_t i = 0; judges && i < count; i++) {
        struct batch batch = batch_of_submit(&submits[i]);
        judges = check_batch(&c, &batch, &LOCATION_INDEX(NULL, "pSubmits", i), &skip);
    }
    return skip;
}

static COLD bool check_submits2(const struct call *call, uint32_t count, const VkSubmitInfo2 *submits)
{
    struct query_check c;
    bool skip = false, judges = may_judge(&c, call);
    for (uint32_t i = 0; judges && i < count; i++) {
        struct batch batch = batch_of_submit2(&submits[i]);
        judges = check_batch(&c, &batch, &LOCATION_INDEX(NULL, "pSubmits", i), &skip);
    }
    return skip;
}

/* Most submits have no queries: they are looked at no further. */
bool core_validate_QueueSubmit_queries(struct call *call, VkQueue queue, uint32_t submitCount,
                                       const VkSubmitInfo *pSubmits, VkFence fence)
{
    for (uint32_t i = 0; pSubmits && i < submitCount; i++) {
        for (uint32_t k = 0; pSubmits[i].pCommandBuffers && k < pSubmits[i].commandBufferCount; k++) {
            if (unlikely(touches_queries(pSubmits[i].pCommandBuffers[k])))
                return check_submits(call, submitCount, pSubmits);
        }
    }
    return false;
}

bool core_validate_QueueSubmit2_queries(struct call *call, VkQueue queue, uint32_t submitCount,
                                        const VkSubmitInfo2 *pSubmits, VkFence fence)
{
    for (uint32_t i = 0; pSubmits && i < submitCount; i++) {
        for (uint32_t k = 0; pSubmits[i].pCommandBufferInfos && k < pSubmits[i].commandBufferInfoCount; k++) {
            if (unlikely(touches_queries(pSubmits[i].pCommandBufferInfos[k].commandBuffer)))
                return check_submits2(call, submitCount, pSubmits);
        }
    }
    return false;
}
