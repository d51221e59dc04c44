/* Query pools, and what the commands recorded in a command buffer do to each query (18 "Queries").
 */
#ifndef ASSAY_STATE_QUERY_H
#define ASSAY_STATE_QUERY_H

#include "base/plain_atomic.h"
#include "state/command/command_buffer.h"

struct queue;

/* The state in which submissions, and the host, leave a query. */
enum query_left {
    QUERY_LEFT_UNINITIALIZED, /* since the pool was created */
    QUERY_LEFT_RESET,
    QUERY_LEFT_USED, /* begun, or written: available, or about to be */
};

/* const, but for the atomics. */
struct query_pool {
    struct object_state base;
    VkQueryType type;
    uint32_t count;
    VkQueryPipelineStatisticFlags statistics;
    /* For a performance query pool: the queue family that its counters are of, how many it has, and
     * a bit for each VkPerformanceCounterScopeKHR that they have; 0: not known. */
    uint32_t counter_family, counter_count, counter_scopes;
    bool tracks_reset; /* `was_reset` counts */
    /* `left` does not count: in which order submissions execute is not known, or some failed.
     * Relaxed */
    _Atomic bool left_unknown;
    /* The number of the command buffer with queries of this pool that was submitted last, and the
     * range of those queries. Relaxed. */
    _Atomic uint64_t last_number;
    _Atomic uint32_t last_first, last_end;
    /* id of the queue that all submissions with the pool went to; 0 = none yet. Relaxed */
    _Atomic uint64_t queue;
    /* enum query_left of each query, after `was_reset`; NULL where there are too many. Relaxed */
    _Atomic uint8_t *left;
    /* use_stamp() of the last submission that refers to each query, before `left`; NULL where there
     * are too many. Relaxed */
    _Atomic uint64_t *last_use;
    /* a bit for each query that the host, or a command that was recorded, has reset. Relaxed */
    _Atomic uint64_t was_reset[];
};
STATE_FINDERS(query_pool, VkQueryPool, HANDLE_QUERY_POOL)

enum query_state {
    QUERY_UNTOUCHED, /* untouched by this command buffer: submissions decide the query's state */
    QUERY_RESET,
    QUERY_ACTIVE,
    QUERY_ENDED, /* or a timestamp was written: available, or about to be */
};

struct recorded_query {
    uint64_t pool; /* id */
    uint32_t query;
    uint8_t state;       /* enum query_state */
    bool in_render_pass; /* begun inside of one */
    bool begun;          /* by vkCmdBeginQuery* in this command buffer, or one that it executes */
    /* enum command of the first that touched it, in this command buffer or one that it executes */
    uint16_t first;
    bool reset_first; /* and that was vkCmdResetQueryPool */
    /* enum command of a copy of its results that was recorded before that, or 0; and whether the
     * copy asked for results that are not available */
    uint16_t copied;
    bool copied_partly;
    /* and that was recorded, or executed, within a label that the setting mute_labels names */
    bool muted;
    VkQueryControlFlags flags; /* flags of the vkCmdBeginQuery* */
    uint32_t subpass;
    uint32_t index; /* of an indexed query */
    VkQueryType type;
};

/* Threads: as the command buffer that owns it. */
struct command_buffer_queries {
    struct recorded_query *slots; /* owned, kept over resets; an open-addressing table of
                                     `capacity`, a power of two; pool 0 = free */
    uint32_t count, capacity;
    uint32_t active_count;
    bool incomplete; /* memory was out: nothing can be said */
    /* The last vkCmdEndQuery of a performance query whose counters count in the whole command
     * buffer: how many commands there are with it, or 0; and its pool's id. */
    uint32_t counted_end;
    uint64_t counted_pool;
};

/* How many slots there are. In a wrong program another thread may be growing the table: it has
 * published the slots before their number, so that a thread which loads them after this finds as
 * many. */
static inline uint32_t queries_capacity(const struct command_buffer_queries *queries)
{
    return plain_load_acquire(&queries->capacity);
}

/* The state that the command buffer has given the query so far; NULL: none. */
struct recorded_query *command_buffer_query(const struct command_buffer *command_buffer,
                                            uint64_t pool, uint32_t query);
void command_buffer_reset_queries(struct command_buffer *command_buffer);
/* The command buffer is submitted to the queue; NULL: what becomes of its queries cannot be known.
 * `stamp`: of the submission; 0: it failed. */
void command_buffer_submit_queries(const struct device *device,
                                   const struct command_buffer *command_buffer,
                                   const struct queue *queue, uint64_t stamp);
/* How many counters the driver reports for the queue family; 0: none, or it was not asked. */
uint32_t performance_counter_count(const struct device *device, uint32_t family);
/* VkQueueFamilyQueryResultStatusPropertiesKHR::queryResultStatusSupport. True, too, of a family
 * that does not exist, or is one of too many. Cold. */
bool query_status_supported(const struct device *device, uint32_t family);
/* The queue whose pending work refers to the query, or NULL. */
struct queue *query_in_use(const struct device *device, const struct query_pool *pool,
                           uint32_t query);
/* True if the queue finds in `left` what its own submissions, and the host, left there. */
bool query_pool_is_of_queue(const struct query_pool *pool, const struct queue *queue);

/* Some of them may be initialised: the host, or a command, has reset them, or that is not known. */
bool query_pool_was_reset(const struct query_pool *pool, uint32_t query);

#endif
