/* A state has the last accesses to one range of addresses, and what barriers have since ordered
 * after them.
 *
 * A state holds the most recent write and the reads after it. Earlier accesses need not be kept. An
 * access that is ordered after the most recent ones is ordered after those too, or a hazard was
 * reported then. Each access ("record") has the stages that barriers have ordered after it: later
 * operations of its queue in these stages happen after it. A write also has the usages that see it
 * (7.1 "Execution and Memory Dependencies"). A later write need not see it (may_follow()).
 *
 *     A barrier adds its destination stages if its first scope has the access, or its source stages
 *     meet those already ordered after it (a dependency chain). A write needs its own usage in the
 *     first access scope to start with (it is made available then).
 *
 * Where semaphores have carried a record to other queues, it has such stages for each of them
 * (struct sync_foreign). Barriers over everything are not applied to states when they are recorded.
 * They lie in a log, with which a state catches up when it is looked at (sync/access/access_log.h).
 * `caught_up` is the count of log entries that it has seen. Functions here assume that it has seen
 * all.
 *
 * Threads: those of the context that the state belongs to. */
#ifndef ASSAY_SYNC_ACCESS_STATE_H
#define ASSAY_SYNC_ACCESS_STATE_H

#include "base/arena.h"
#include "sync/access/scope.h"

/* Accesses of one subpass (render pass instance) that the specification orders among themselves,
 * sample by sample, without barriers. */
enum sync_ordering {
    SYNC_UNORDERED,
    /* outputs in rasterization order (28.9 "Rasterization Order"), and input attachment reads of a
     * pipeline with the flag RASTERIZATION_ORDER_ATTACHMENT_ACCESS */
    SYNC_ORDER_COLOR,
    SYNC_ORDER_DEPTH_STENCIL, /* depth and stencil tests, in rasterization order */
    SYNC_ORDER_INPUT, /* other input attachments: ordered by load and store operations only */
    /* counters of transform feedback: its begin has read them before its end writes them */
    SYNC_ORDER_FEEDBACK,
    SYNC_ORDER_LOAD, /* happens before any command that accesses the sample (8.2 "Load Operations")
                      */
    SYNC_ORDER_RESOLVE, /* after all writes of the subpass */
    SYNC_ORDER_STORE,   /* happens after any command that accesses the sample */
    /* atomics of shaders, and buffer markers: each kind is ordered with accesses of the same kind,
     * in any instance */
    SYNC_ORDER_ATOMIC,
    /* an image's access, noted in its memory object's space: `instance` is the image, whose own
     * accesses are compared elsewhere (sync/access/aliases.h) */
    SYNC_ORDER_ALIAS,
};

/* Says what is ordered after an access on a queue other than the one that made it. */
struct sync_foreign {
    struct sync_foreign *next;
    sync_stage_mask stages, passed; /* as in struct sync_record */
    struct usage_mask visible;
    uint8_t queue;
};

/* The reason why a range has undefined contents. */
enum sync_discard {
    SYNC_KEPT_CONTENTS,
    SYNC_DISCARDED_BY_TRANSITION, /* from VK_IMAGE_LAYOUT_UNDEFINED */
    /* VK_ATTACHMENT_STORE_OP_DONT_CARE: only marked if advice is asked for */
    SYNC_DISCARDED_BY_STORE,
};

/* One access that happened. */
struct sync_record {
    uint64_t tag; /* the command that made it: sync_tag() */
    /* the snapshots whose first scope has this access (events that were set, semaphores that were
     * signaled) */
    uint64_t in_scopes;
    /* for a write: a mask like `in_scopes`, of those snapshots that were made after the write had
     * been made available */
    uint64_t available_in;
    /* later operations of the record's own queue in these stages happen after it */
    sync_stage_mask stages;
    /* stages of subpasses that have ended, which happened after it: they take part in chains, and
     * order nothing later by themselves */
    sync_stage_mask passed;
    struct sync_foreign *foreign; /* what other queues know of the access; owned by the state */
    uint32_t instance; /* the subpass that the access belongs to, for sync_ordering; 0 = none */
    uint16_t usage;    /* enum sync_usage; SYNC_NONE: the record is empty */
    uint8_t queue;     /* index of the context's queues; 0 in a command buffer */
    uint8_t ordering;  /* enum sync_ordering */
    bool saw_write;    /* the access is a read, and the write before it was visible to it */
    /* for a read of an attachment: a load operation of the same instance has properly read the
     * contents */
    bool loaded;
    /* enum sync_discard, for a write: the reason why the contents are undefined */
    uint8_t discarded;
};

#define SYNC_INLINE_READS 2
struct sync_state {
    uint32_t caught_up; /* number of log entries that the state has caught up with */
    uint16_t read_count, read_capacity;
    struct sync_record write;
    struct usage_mask visible; /* later usages of its own queue that the write is visible to */
    struct sync_record inline_reads[SYNC_INLINE_READS];
    struct sync_record *more_reads; /* the reads from number SYNC_INLINE_READS on */
};

/* The most reads that a state keeps; beyond that the oldest are forgotten. One read is kept for
 * each stage and queue, and more where nothing orders them. */
#define SYNC_READS 48

static inline struct sync_record *sync_state_read(const struct sync_state *state, uint32_t i)
{
    assert(i < (uint32_t)SYNC_INLINE_READS + state->read_capacity);
    return (struct sync_record *)(i < SYNC_INLINE_READS
                                      ? &state->inline_reads[i]
                                      : &state->more_reads[i - SYNC_INLINE_READS]);
}

/* Stands for all snapshots that got no number. All accesses that its queue knows count as in its
 * scope. */
#define SYNC_SNAPSHOT_ANY ((uint64_t)1 << 63)

#define SYNC_CHAINED_ONLY UINT64_MAX

/* A memory dependency; with empty access scopes, an execution dependency. */
struct sync_barrier {
    struct sync_scope src, dst;
    /* the first scope is all earlier commands, with layout transitions, which are in no stage */
    bool everything;
    /* not 0 for a wait: the first scope is that of these snapshots, restricted by `src.accesses` */
    uint64_t snapshots;
    /* not 0 in a subpass: the first scope only has accesses with tags from here on, the subpass'
     * own. With SYNC_CHAINED_ONLY it has none, only stages that are ordered after accesses
     * already */
    uint64_t first_tag;
    uint8_t queue; /* the queue that the barrier was submitted to */
    /* with snapshots: the queue that made them, which is `queue` except for semaphores */
    uint8_t from_queue;
    /* the execution dependency between all commands that a barrier of one resource makes */
    bool of_resource;
    /* for vkCmdWaitEvents2: the number of the event that the dependency belongs to, from 1; 0: all
     * events */
    uint32_t event;
};

/* An access that is to be checked and recorded. */
struct sync_access {
    uint64_t tag;
    uint32_t instance; /* filled in by the context */
    uint16_t usage;
    uint8_t queue;
    uint8_t ordering;
};

enum hazard {
    HAZARD_NONE,
    HAZARD_READ_AFTER_WRITE,
    HAZARD_WRITE_AFTER_READ,
    HAZARD_WRITE_AFTER_WRITE,
    /* The earlier access was made by another queue or subpass, and nothing orders it before this
     * access */
    HAZARD_READ_RACING_WRITE,
    HAZARD_WRITE_RACING_READ,
    HAZARD_WRITE_RACING_WRITE,
    HAZARD_READ_AFTER_PRESENT,
    HAZARD_WRITE_AFTER_PRESENT,
    HAZARD_PRESENT_AFTER_READ,
    HAZARD_PRESENT_AFTER_WRITE,
};

/* Describes an access that comes too early. */
struct sync_hazard {
    enum hazard kind;
    struct sync_record prior; /* the earlier access; `foreign` must not be followed */
    /* if `prior` is a write: the usages of the later access's queue that see it */
    struct usage_mask visible;
    sync_stage_mask ordered; /* stages of the later access's queue that happen after `prior` */
};

/* Checks that the access may happen now. Returns the kind of the hazard, with *hazard filled in, or
 * HAZARD_NONE. */
enum hazard sync_state_check(const struct sync_state *state, const struct sync_access *access,
                             struct sync_hazard *hazard);
/* Checks a layout transition (or ownership transfer) that `barrier` makes: the transition reads and
 * writes between the barrier's two scopes. `alias` is the image's number for SYNC_ORDER_ALIAS, or
 * 0. */
enum hazard sync_state_check_transition(const struct sync_state *state,
                                        const struct sync_barrier *barrier, uint32_t alias,
                                        struct sync_hazard *hazard);

/* Records that the access has happened. Older reads of the same stage with tags before `first_tag`
 * stay beside it; it is 0 outside of render passes, where submission order covers them. Returns
 * false if memory is out: a read was not recorded. */
bool sync_state_add(struct sync_state *state, const struct sync_access *access, uint64_t first_tag,
                    struct arena *arena);
/* Records a transition. `discards`: its old layout keeps no contents. */
void sync_state_add_transition(struct sync_state *state, const struct sync_barrier *barrier,
                               uint32_t alias, uint64_t tag, bool discards);

/* Applies the barriers of one command at once: none of them is in the first scope of another. If
 * memory is out, the state is emptied, so that no hazard is reported for it. */
void sync_state_apply(struct sync_state *state, const struct sync_barrier *barriers, uint32_t count,
                      struct arena *arena);

/* Prepares a copy of a state from before the instance for use in a subpass. Subpasses of earlier
 * instances are in no first scope there. */
void sync_state_enter(struct sync_state *state);

/* Turns a subpass' state into the one that it hands on: to another subpass, or, with `ends`, to
 * commands after the instance. Afterwards a record is ordered only before the second scopes of
 * those `barriers` whose first scope it is in. A first scope has records with tags from
 * `first_tag` to before `end_tag`, and records that its stages were already ordered after.
 * Returns false if memory is out; the state is empty then. */
bool sync_state_carry(struct sync_state *state, const struct sync_barrier *barriers, uint32_t count,
                      uint64_t first_tag, uint64_t end_tag, bool ends, uint8_t queue,
                      struct arena *arena);

/* Applies a whole render pass instance to a state from before it: what its dependencies order, and
 * the barriers in its first `begun` subpasses. */
struct sync_graph;
struct sync_view;
void sync_state_pass(struct sync_state *state, const struct sync_graph *graph,
                     const struct sync_view *subpasses, uint32_t begun, uint8_t queue,
                     struct arena *arena);

/* True if both states say the same of their ranges. False also if several queues know of a
 * record. */
bool sync_states_are_equal(const struct sync_state *a, const struct sync_state *b) MUST_CHECK;

/* Notes in each record whether it is in `scope`, the first scope of an event that is set or of a
 * semaphore that is signaled. `bits` has one bit for each snapshot with this scope. */
void sync_state_snapshot(struct sync_state *state, const struct sync_barrier *scope, uint64_t bits);

/* Makes `to` a copy of `from` with lists of its own. Returns false if memory is out; `to` is empty
 * then. */
bool sync_state_copy(struct sync_state *to, const struct sync_state *from, struct arena *arena);

/* Merges the states of two branches that happened side by side. The later write stays. An access in
 * both branches keeps what either branch has ordered after it. */
void sync_state_merge(struct sync_state *state, const struct sync_state *other,
                      struct arena *arena);

/* Forgets reads that another read stands in for, once everything has been merged. */
void sync_state_forget_covered(struct sync_state *state);

/* Takes over the state `from` in which an executed command buffer left the range; its first
 * accesses have been applied already. If `from` has a write, `from` replaces the state; else its
 * reads are added. `first_tag` is as for sync_state_add(). */
void sync_state_take_over(struct sync_state *state, const struct sync_state *from,
                          uint64_t first_tag, struct arena *arena);

/* True if the record was noted for this image in its memory object's space. */
static inline bool sync_record_is_of_alias(const struct sync_record *record, uint32_t alias)
{
    return alias && record->ordering == SYNC_ORDER_ALIAS && record->instance == alias;
}

static inline bool sync_state_is_empty(const struct sync_state *state)
{
    return state->write.usage == SYNC_NONE && !state->read_count;
}

#endif
