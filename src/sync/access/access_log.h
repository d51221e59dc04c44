/* The log keeps the global barriers that came after a state was last looked at.
 *
 * A global barrier is appended to the log of its context, which costs the same whatever is tracked.
 * A state catches up with the log when it is looked at. It has few entries to look at. Entries come
 * in blocks with the union of their scopes, and a block that can add nothing to a state is passed
 * by. That is so where none of its source stages meets the state's, or where the state has all of
 * its destinations already.
 *
 * Blocks come in levels: 16 entries, 256, 4,096. If a block of 256 can add nothing, no entry and no
 * part of it can. So a state may pass by the rest of a block from anywhere within it. It tries the
 * largest block first, so that a state which no barrier concerns any more is at the end after a few
 * steps.
 *
 * Threads: those of the context. */
#ifndef ASSAY_SYNC_ACCESS_LOG_H
#define ASSAY_SYNC_ACCESS_LOG_H

#include "sync/access/access_state.h"

/* Entries in a block of the lowest level, and blocks of one level in a block of the next. A block
 * is so short that it seldom has many kinds of barriers. A frame of a hundred barriers is seven
 * blocks. */
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
    /* for LOG_RENDER_PASS: the views of the `number` subpasses that were begun */
    const struct sync_view *subpasses;
    uint8_t kind; /* enum log_kind */
    uint8_t number;
    bool last_of_command; /* barriers of one command happen at once */
    /* The barrier is the only one of its command, and equals the previous command's only barrier:
     * it adds nothing to a state that has had that one. */
    bool repeats;
};

/* Sums up what a block's entries can do. */
struct log_block {
    /* `src` and `everything` sum up the barriers that wait for no snapshot */
    sync_stage_mask src, dst;
    struct usage_mask dst_accesses;
    bool everything; /* a first scope is all earlier commands */
    /* the block has render passes, barriers of several queues, or snapshots of several scopes: it
     * is never passed by */
    bool complex;
    uint8_t queue;      /* the queue of all entries, unless the block is complex */
    uint64_t waits;     /* snapshots that barriers wait for */
    uint64_t snapshots; /* snapshots that entries take, all with the first scope `scope` */
    struct log_scope {
        sync_stage_mask src;
        uint64_t first_tag;
        bool everything;
    } scope;
};

/* A zeroed log is empty; only `arena` has to be set. */
struct access_log {
    struct arena *arena;
    struct log_entry *entries;
    /* The blocks of each level. On the lowest level, the last block has all remaining entries. A
     * block of a higher level sums up full blocks of the level below. */
    struct log_block *blocks[LOG_LEVELS];
    uint32_t count, capacity; /* of entries; the capacity is a multiple of LOG_BLOCK */
    uint32_t expected;        /* entries that the previous recording had; 0: not known */
    /* const. True if log_entry::repeats is looked for, which pays for submissions, where the states
     * of all pending work catch up. The states of a command buffer catch up once. */
    bool notes_repeats;
};

/* Return false if memory is out: no state of the context is reliable then. */
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
