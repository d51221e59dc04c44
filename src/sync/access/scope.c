/* Finds the stages and accesses that one half of a dependency covers. The tables are generated
 * (registry/rooms/sync/usages.py), with a row for each bit that a program can set. */
#include "sync/access/scope.h"

/* The number of the lowest bit that is set; there must be one. */
static unsigned lowest_bit(uint64_t bits)
{
    assert(bits);
    return (unsigned)__builtin_ctzll(bits);
}

struct sync_queue sync_queue_of(VkQueueFlags flags)
{
    const struct sync_stage_row *host = &sync_stage_rows[lowest_bit(VK_PIPELINE_STAGE_2_HOST_BIT)];
    struct sync_queue queue = {host->stages, host->usages};
    const struct sync_stage_row *all =
        &sync_stage_rows[lowest_bit(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)];
    /* 0: the queue is not known, and may have all stages and usages. */
    if (!flags)
        return (struct sync_queue){queue.stages | all->stages,
                                   usage_mask_or(queue.usages, all->usages)};

    for (uint64_t left = flags & ((1u << SYNC_QUEUE_BITS) - 1); left; left &= left - 1) {
        const struct sync_queue_row *row = &sync_queue_rows[lowest_bit(left)];
        queue.stages |= row->stages;
        usage_mask_add(&queue.usages, &row->usages);
    }
    return queue;
}

/* Keeps only those pairs whose access is one of `accesses`. */
static ALWAYS_INLINE void keep_accesses(struct usage_mask *pairs, VkAccessFlags2 accesses)
{
    struct usage_mask kept = {0};
    for (uint64_t left = accesses; left; left &= left - 1)
        usage_mask_add(&kept, &sync_access_rows[lowest_bit(left)].usages);
    usage_mask_keep(pairs, &kept);
}

/* A pair is in the scope if its stage and its access are, so the two sets of pairs are
 * intersected. */
static ALWAYS_INLINE struct sync_scope scope_of(VkPipelineStageFlags2 stages,
                                                VkAccessFlags2 accesses,
                                                const struct sync_queue *queue, bool is_source)
{
    struct sync_scope scope = {0};
    for (uint64_t left = stages; left; left &= left - 1) {
        const struct sync_stage_row *row = &sync_stage_rows[lowest_bit(left)];
        scope.stages |= is_source ? row->source : row->destination;
        usage_mask_add(&scope.accesses, &row->usages);
    }
    scope.stages &= queue->stages;
    keep_accesses(&scope.accesses, accesses);
    usage_mask_keep(&scope.accesses, &queue->usages);
    return scope;
}

struct sync_scope sync_scope_source(VkPipelineStageFlags2 stages, VkAccessFlags2 accesses,
                                    const struct sync_queue *queue)
{
    return scope_of(stages, accesses, queue, true);
}

struct sync_scope sync_scope_destination(VkPipelineStageFlags2 stages, VkAccessFlags2 accesses,
                                         const struct sync_queue *queue)
{
    return scope_of(stages, accesses, queue, false);
}

struct sync_scope sync_scope_wait(VkPipelineStageFlags2 stages, const struct sync_queue *queue)
{
    struct sync_scope scope = scope_of(stages, 0, queue, false);
    scope.accesses =
        sync_access_scope(scope.stages, VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT);
    /* A second scope of all commands includes the batch's layout transitions. */
    if (stages & (VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT))
        scope.stages |= SYNC_TRANSITIONS;
    return scope;
}

sync_stage_mask sync_expand_stages(VkPipelineStageFlags2 stages, const struct sync_queue *queue)
{
    sync_stage_mask expanded = 0;
    for (uint64_t left = stages; left; left &= left - 1)
        expanded |= sync_stage_rows[lowest_bit(left)].stages;
    return expanded & queue->stages;
}

/* Returns the row of a basic stage, or NULL for the presentation engine and transitions, which have
 * none. */
static const struct sync_stage_row *row_of(unsigned stage)
{
    assert(stage < SYNC_STAGE_BASIC_COUNT);
    return &sync_stage_rows[lowest_bit(sync_stage_bit[stage])];
}

/* all stages that a program can name: all but the presentation engine's */
#define BASIC_STAGES ((1ull << SYNC_STAGE_BASIC_COUNT) - 1)

sync_stage_mask sync_earlier_stages(sync_stage_mask stages)
{
    sync_stage_mask all = stages;
    for (sync_stage_mask left = stages & BASIC_STAGES; left; left &= left - 1)
        all |= row_of(lowest_bit(left))->source;
    return all;
}

sync_stage_mask sync_later_stages(sync_stage_mask stages)
{
    sync_stage_mask all = stages;
    for (sync_stage_mask left = stages & BASIC_STAGES; left; left &= left - 1)
        all |= row_of(lowest_bit(left))->destination;
    return all;
}

VkAccessFlags2 sync_expand_accesses(VkAccessFlags2 accesses)
{
    VkAccessFlags2 expanded = 0;
    for (uint64_t left = accesses; left; left &= left - 1)
        expanded |= sync_access_rows[lowest_bit(left)].accesses;
    return expanded;
}

struct usage_mask sync_access_scope(sync_stage_mask stages, VkAccessFlags2 accesses)
{
    struct usage_mask usages = {0};
    for (sync_stage_mask left = stages & BASIC_STAGES; left; left &= left - 1)
        usage_mask_add(&usages, &row_of(lowest_bit(left))->usages);
    keep_accesses(&usages, accesses);
    return usages;
}

VkPipelineStageFlags2 sync_stage_flags(sync_stage_mask stages)
{
    VkPipelineStageFlags2 flags = 0;
    for (sync_stage_mask left = stages & BASIC_STAGES; left; left &= left - 1)
        flags |= sync_stage_bit[lowest_bit(left)];
    return flags;
}

VkPipelineStageFlags2 usage_mask_stage_flags(const struct usage_mask *mask)
{
    VkPipelineStageFlags2 flags = 0;
    for (unsigned word = 0; word < USAGE_MASK_WORDS; word++) {
        for (uint64_t left = mask->bits[word]; left; left &= left - 1)
            flags |= sync_usage_info[word * 64 + lowest_bit(left)].stage_bit;
    }
    return flags;
}

VkAccessFlags2 usage_mask_access_flags(const struct usage_mask *mask)
{
    VkAccessFlags2 flags = 0;
    for (unsigned word = 0; word < USAGE_MASK_WORDS; word++) {
        for (uint64_t left = mask->bits[word]; left; left &= left - 1)
            flags |= sync_usage_info[word * 64 + lowest_bit(left)].access;
    }
    return flags;
}
