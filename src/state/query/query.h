/* The state of query pools, and how the commands of a command buffer change each query (18
 * "Queries"). */
#ifndef ASSAY_STATE_QUERY_H
#define ASSAY_STATE_QUERY_H

#include "base/plain_atomic.h"
#include "state/command/command_buffer.h"

struct queue;

/* The state in which submissions and the host leave a query. */
enum query_left {
    QUERY_LEFT_UNINITIALIZED, /* not reset since the pool was created */
    QUERY_LEFT_RESET,
    QUERY_LEFT_USED, /* begun or written: available, or about to be */
};

/* Const, except for the atomics. */
struct query_pool {
    struct object_state base;
    VkQueryType type;
    uint32_t count;
    VkQueryPipelineStatisticFlags statistics;
    /* For a performance query pool: the queue family of its counters, their number, and a bit for
     * each VkPerformanceCounterScopeKHR that they have; 0: not known. */
    uint32_t counter_family, counter_count, counter_scopes;
    uint64_t video_profile; /* video_profile_of_queries() */
    bool tracks_reset;      /* `was_reset` is valid */
    /* `left` is not valid: the order of submissions is not known, or some failed. Relaxed */
    _Atomic bool left_unknown;
    /* The number of the last submitted command buffer with queries of this pool, and the range of
     * those queries. Relaxed. */
    _Atomic uint64_t last_number;
    _Atomic uint32_t last_first, last_end;
    /* id of the queue to which all submissions with the pool went; 0: none yet. Relaxed */
    _Atomic uint64_t queue;
    /* enum query_left of each query, after `was_reset` in memory; NULL: there are too many.
     * Relaxed */
    _Atomic uint8_t *left;
    /* use_stamp() of the last submission that uses each query, before `left` in memory; NULL: there
     * are too many. Relaxed */
    _Atomic uint64_t *last_use;
    /* a bit for each query that the host or a recorded command has reset. Relaxed */
    _Atomic uint64_t was_reset[];
};
STATE_FINDERS(query_pool, VkQueryPool, HANDLE_QUERY_POOL)

enum query_state {
    QUERY_UNTOUCHED, /* not used by this command buffer: submissions determine the query's state */
    QUERY_RESET,
    QUERY_ACTIVE,
    QUERY_ENDED, /* or a timestamp was written: available, or about to be */
};

struct recorded_query {
    uint64_t pool; /* id */
    uint32_t query;
    uint8_t state;       /* enum query_state */
    bool in_render_pass; /* begun inside of a render pass instance */
    /* vkCmdBeginQuery* was recorded in this command buffer, or one that it executes */
    bool begun;
    /* enum command of the first that used it, in this command buffer or one that it executes */
    uint16_t first;
    bool reset_first; /* and that was vkCmdResetQueryPool */
    /* enum command of a copy of its results that was recorded before that; 0: none. copied_partly:
     * the copy accepts unavailable results */
    uint16_t copied;
    bool copied_partly;
    /* that command was recorded or executed within a label that the setting mute_labels names */
    bool muted;
    VkQueryControlFlags flags; /* flags of the vkCmdBeginQuery* */
    uint32_t subpass;
    uint32_t index; /* for an indexed query */
    VkQueryType type;
};

/* Threads: those of the command buffer that owns it. */
struct command_buffer_queries {
    /* owned, kept over resets. Open addressing; `capacity` is a power of two; pool 0: free */
    struct recorded_query *slots;
    uint32_t count, capacity;
    uint32_t active_count;
    bool incomplete; /* memory ran out: nothing can be judged */
    /* The last vkCmdEndQuery of a performance query whose counters count the whole command buffer.
     * `counted_end`: number of commands up to it, or 0. `counted_pool`: id of the pool. */
    uint32_t counted_end;
    uint64_t counted_pool;
};

/* The number of slots. In a wrong program another thread may be growing the table: it publishes the
 * slots before their number, so a thread that loads the slots after this finds as many. */
static inline uint32_t queries_capacity(const struct command_buffer_queries *queries)
{
    return plain_load_acquire(&queries->capacity);
}

/* The state that the command buffer has given the query so far; NULL: the command buffer does not
 * use it. */
struct recorded_query *command_buffer_query(const struct command_buffer *command_buffer,
                                            uint64_t pool, uint32_t query);
void command_buffer_reset_queries(struct command_buffer *command_buffer);
/* Notes that the command buffer is submitted to the queue. NULL: the state of its queries is
 * unknown afterwards. `stamp`: of the submission; 0: it failed. */
void command_buffer_submit_queries(const struct device *device,
                                   const struct command_buffer *command_buffer,
                                   const struct queue *queue, uint64_t stamp);
/* The number of counters that the driver reports for the queue family; 0: none, or it cannot be
 * queried. */
uint32_t performance_counter_count(const struct device *device, uint32_t family);
/* VkQueueFamilyQueryResultStatusPropertiesKHR::queryResultStatusSupport. True also for a family
 * that does not exist, or from 32 on. Cold. */
bool query_status_supported(const struct device *device, uint32_t family);
/* The queue whose pending work uses the query; NULL: none. */
struct queue *query_in_use(const struct device *device, const struct query_pool *pool,
                           uint32_t query);
/* True if `left` is what this queue's own submissions, and the host, left. */
bool query_pool_is_of_queue(const struct query_pool *pool, const struct queue *queue);

/* True if the query may be initialized: the host or a command has reset it, or that is not
 * known. */
bool query_pool_was_reset(const struct query_pool *pool, uint32_t query);

#endif
