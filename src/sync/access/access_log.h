/* The log has the barriers over everything that came after a state was last looked at.
 *
 * A global barrier is appended to the log of its context, which costs the same whatever is tracked.
 * A state catches up with the log when it is looked at. What a state has to look at is kept short.
 * Entries come in blocks with the union of their scopes, and a block that can add nothing to a
 * state is passed by. It can add nothing where none of its source stages meets the state's, or
 * where all of its destinations are there.
 *
 * Blocks come in levels: 16 entries, 256, 4,096. What a block of 256 cannot add, no entry of it can
 * add, and no part of it. So a state may pass by the rest of a block from anywhere within it. It
 * tries the largest block first, so that a state which nothing concerns any more is at the end
 * after a few steps. Threads: those of the context. */
#ifndef ASSAY_SYNC_ACCESS_LOG_H
#define ASSAY_SYNC_ACCESS_LOG_H

#include "sync/access/access_state.h"

/* Entries of a block of the lowest level, and blocks of one level in a block of the next. Short
 * enough that the smallest block seldom has many kinds of barriers; a frame of a hundred barriers
 * then is seven blocks. */
#define LOG_BLOCK  16u
#define LOG_LEVELS 3

enum log_kind {
    LOG_BARRIER,
    LOG_SNAPSHOT,    /* `barrier.src` is the first scope of snapshot number `number` */
    LOG_RENDER_PASS, /* a render pass instance of the graph came and went */
};

struct sync_graph; /* sync/access/access_context.h */
struct sync_view;

struct log_entry {
    struct sync_barrier barrier;
    const struct sync_graph *graph;
    /* for LOG_RENDER_PASS: the `number` subpasses that were begun */
    const struct sync_view *subpasses;
    uint8_t kind; /* enum log_kind */
    uint8_t number;
    bool last_of_command; /* barriers of one command happen at once */
    /* It is the only barrier of its command, as the same one before it is: it adds nothing to a
     * state that has had that. */
    bool repeats;
};

/* All that a block's entries can do. */
struct log_block {
    /* `src` and `everything`: of barriers that wait for no snapshot */
    sync_stage_mask src, dst;
    struct usage_mask dst_accesses;
    bool everything; /* the first scope of one of them is all earlier commands */
    /* it has render passes, barriers of several queues, or snapshots of several scopes: it is not
     * passed by */
    bool complex;
    uint8_t queue;      /* the queue of all entries, unless the block is complex */
    uint64_t waits;     /* snapshots that barriers wait for */
    uint64_t snapshots; /* numbers that are taken, all with the first scope of `scope` */
    struct log_scope {
        sync_stage_mask src;
        uint64_t first_tag;
        bool everything;
    } scope;
};

/* Zeroed is empty, but for `arena`. */
struct access_log {
    struct arena *arena;
    struct log_entry *entries;
    /* The blocks by level. On the lowest level, the last block has all remaining entries. A block
     * of a higher level sums up full blocks of the level below. */
    struct log_block *blocks[LOG_LEVELS];
    uint32_t count, capacity; /* of entries; the capacity is a multiple of LOG_BLOCK */
    uint32_t expected;        /* entries: as many as the recording before had; 0: not known */
    /* const: log_entry::repeats is looked for. What command buffers do is caught up with once; what
     * is submitted, by the states of all that is under way. */
    bool notes_repeats;
};

/* False: memory is out. Nothing may be said of any state any more then. */
bool access_log_append(struct access_log *log, const struct log_entry *entry) MUST_CHECK;
bool access_log_append_barrier(struct access_log *log, const struct sync_barrier *barrier,
                               bool last_of_command) MUST_CHECK;

void access_log_catch_up_slow(const struct access_log *log, struct sync_state *state,
                              struct arena *arena);

static ALWAYS_INLINE void access_log_catch_up(const struct access_log *log,
                                              struct sync_state *state, struct arena *arena)
{
    if (unlikely(state->caught_up < log->count))
        access_log_catch_up_slow(log, state, arena);
}

#endif
