/* A state has the last accesses to one range of addresses, and what has been ordered after them
 * since.
 *
 * A state holds the most recent write and the reads after it. Earlier accesses need no look: what
 * is ordered after the most recent ones is ordered after those too, or that was reported when it
 * happened. Each access ("record") has what later operations of its queue happen after it: the
 * stages that barriers ordered after it. A write also has the usages that see it (7.1 "Execution
 * and Memory Dependencies"). A later write need not see it (may_follow()).
 *
 *     A barrier adds its destination stages if its first scope has the access, or its source stages
 *     meet those already ordered after it (a dependency chain). A write needs its own usage in the
 *     first access scope to start with (it is made available then).
 *
 * Other queues than the access's own have such a reach of their own, where semaphores carried it
 * (struct sync_foreign). Barriers over everything are not applied to states when they are recorded.
 * They lie in a log, with which a state catches up when it is looked at (sync/access/access_log.h):
 * `caught_up` says how far it has. Functions here assume that it has. Threads: those of the context
 * that the state belongs to. */
#ifndef ASSAY_SYNC_ACCESS_STATE_H
#define ASSAY_SYNC_ACCESS_STATE_H

#include "base/arena.h"
#include "sync/access/scope.h"

/* Accesses of one subpass (render pass instance) that the specification orders among themselves,
 * sample by sample, without barriers. */
enum sync_ordering {
    SYNC_UNORDERED,
    /* output in rasterization order (28.9 "Rasterization Order"), and what a pipeline with the
     * flag RASTERIZATION_ORDER_ATTACHMENT_ACCESS reads as an input attachment */
    SYNC_ORDER_COLOR,
    SYNC_ORDER_DEPTH_STENCIL, /* depth and stencil tests, in rasterization order */
    SYNC_ORDER_INPUT, /* other input attachments: ordered by load and store operations only */
    /* counters of transform feedback: what began it has read them before it ends and writes them */
    SYNC_ORDER_FEEDBACK,
    SYNC_ORDER_LOAD, /* happens before any command that accesses the sample (8.2 "Load Operations")
                      */
    SYNC_ORDER_RESOLVE, /* after all writes of the subpass */
    SYNC_ORDER_STORE,   /* happens after any command that accesses the sample */
    /* atomics of shaders, and buffer markers: each kind is ordered with its like, in whatever
       instance */
    SYNC_ORDER_ATOMIC,
    /* of an image, noted where its memory lies: `instance` is the image, which is compared with
       itself elsewhere (sync/access/aliases.h) */
    SYNC_ORDER_ALIAS,
};

/* Says what is ordered of an access for a queue other than the one that made it. */
struct sync_foreign {
    struct sync_foreign *next;
    sync_stage_mask stages, passed; /* as in struct sync_record */
    struct usage_mask visible;
    uint8_t queue;
};

/* The reason why contents are undefined that nothing has written since. */
enum sync_discard {
    SYNC_KEPT_CONTENTS,
    SYNC_DISCARDED_BY_TRANSITION, /* from VK_IMAGE_LAYOUT_UNDEFINED */
    /* VK_ATTACHMENT_STORE_OP_DONT_CARE: marked where advice is asked for, else never */
    SYNC_DISCARDED_BY_STORE,
};

/* One access that happened. */
struct sync_record {
    uint64_t tag; /* the command that made it: sync_tag() */
    /* the snapshots whose first scope has this access (events that were set, semaphores that were
     * signaled) */
    uint64_t in_scopes;
    /* for a write: the snapshots of `in_scopes` before which the write had been made available */
    uint64_t available_in;
    /* later operations of its own queue in these stages happen after it */
    sync_stage_mask stages;
    /* operations in them, in subpasses that have ended, happened after it: it takes part in chains,
     * and orders nothing later by itself */
    sync_stage_mask passed;
    struct sync_foreign *foreign; /* what other queues know of the access; owned by the state */
    uint32_t instance;            /* subpass that it belongs to, for sync_ordering; 0 = none */
    uint16_t usage;               /* enum sync_usage; SYNC_NONE: there is no such access */
    uint8_t queue;                /* index of the context's queues; 0 in a command buffer */
    uint8_t ordering;             /* enum sync_ordering */
    bool saw_write;               /* a read, of a write that was visible to it */
    /* a read of an attachment whose contents a load operation of the same instance has read
     * properly */
    bool loaded;
    uint8_t discarded; /* enum sync_discard, of a write: what lies there is undefined */
};

#define SYNC_INLINE_READS 2
struct sync_state {
    uint32_t caught_up; /* entries of the log */
    uint16_t read_count, read_capacity;
    struct sync_record write;
    struct usage_mask visible; /* of the write, to later operations of its own queue */
    struct sync_record inline_reads[SYNC_INLINE_READS];
    struct sync_record *more_reads; /* from number SYNC_INLINE_READS on */
};

/* One reads-list entry is kept per stage and queue, but for those that nothing orders; more than
 * that are forgotten, oldest first. */
#define SYNC_READS 48

static inline struct sync_record *sync_state_read(const struct sync_state *state, uint32_t i)
{
    assert(i < (uint32_t)SYNC_INLINE_READS + state->read_capacity);
    return (struct sync_record *)(i < SYNC_INLINE_READS
                                      ? &state->inline_reads[i]
                                      : &state->more_reads[i - SYNC_INLINE_READS]);
}

/* A snapshot that was not noted: it counts as one of all that its queue knows of. */
#define SYNC_SNAPSHOT_ANY ((uint64_t)1 << 63)

#define SYNC_CHAINED_ONLY UINT64_MAX

/* A memory dependency, or execution dependency with empty access scopes. */
struct sync_barrier {
    struct sync_scope src, dst;
    /* its first scope is all earlier commands: layout transitions, which are in no stage, too */
    bool everything;
    /* not 0, for a wait: the first scope is that of these snapshots, and `src.accesses` restricts
     * it */
    uint64_t snapshots;
    /* 0, or in a subpass: of the accesses themselves its first scope has those from here on only,
     * the subpass' own. SYNC_CHAINED_ONLY: none, but what is ordered after accesses already */
    uint64_t first_tag;
    uint8_t queue; /* the queue that the barrier was submitted to */
    /* with snapshots: the queue that made them, which is `queue` except for semaphores */
    uint8_t from_queue;
    /* the execution dependency that a barrier of one resource is, between all commands */
    bool of_resource;
    /* of vkCmdWaitEvents2: the event whose dependency it is of, from 1; 0: of all events */
    uint32_t event;
};

/* An access, as it is checked and recorded. */
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

/* Why an access is one too early. */
struct sync_hazard {
    enum hazard kind;
    struct sync_record prior;  /* the earlier access; `foreign` is not to be followed */
    struct usage_mask visible; /* of `prior`, a write, on the queue of the later access */
    sync_stage_mask ordered;   /* stages of that queue that happen after `prior` */
};

/* Checks that the access may happen now. Returns the kind of the hazard, with *hazard filled in, or
 * HAZARD_NONE. */
enum hazard sync_state_check(const struct sync_state *state, const struct sync_access *access,
                             struct sync_hazard *hazard);
/* Checks a layout transition (or ownership transfer) that `barrier` makes: it reads and writes
 * between the barrier's two halves. `alias`: not 0 for SYNC_ORDER_ALIAS. */
enum hazard sync_state_check_transition(const struct sync_state *state,
                                        const struct sync_barrier *barrier, uint32_t alias,
                                        struct sync_hazard *hazard);

/* It has happened. `first_tag`: reads of the same stage that are older stay beside it (0 outside of
 * render passes: submission order has them covered). False: memory is out, a read was not recorded.
 */
bool sync_state_add(struct sync_state *state, const struct sync_access *access, uint64_t first_tag,
                    struct arena *arena);
/* `discards`: it is one from a layout that keeps nothing. */
void sync_state_add_transition(struct sync_state *state, const struct sync_barrier *barrier,
                               uint32_t alias, uint64_t tag, bool discards);

/* Barriers of one command happen at once: none of them is in the first scope of another. False:
 * memory is out; orders may be missing (the state then is emptied: nothing is said of it any more).
 */
void sync_state_apply(struct sync_state *state, const struct sync_barrier *barriers, uint32_t count,
                      struct arena *arena);

/* The state, a copy of one from before the instance, comes into a subpass. What subpasses of
 * earlier instances did is in no first scope there. */
void sync_state_enter(struct sync_state *state);

/* The state as a subpass hands it on (`ends`: to what comes after the instance). Only the second
 * scopes of these dependencies happen after its records. Their first scopes are limited to what was
 * recorded from `first_tag` on, and before `end_tag` (and what was ordered after a record in
 * there). False: memory is out, the state is empty. */
bool sync_state_carry(struct sync_state *state, const struct sync_barrier *barriers, uint32_t count,
                      uint64_t first_tag, uint64_t end_tag, bool ends, uint8_t queue,
                      struct arena *arena);

/* A render pass instance from begin to end, for a state from before it. It is what its dependencies
 * and the barriers in its subpasses, of which `begun` were begun, have ordered. */
struct sync_graph;
struct sync_view;
void sync_state_pass(struct sync_state *state, const struct sync_graph *graph,
                     const struct sync_view *subpasses, uint32_t begun, uint8_t queue,
                     struct arena *arena);

/* True if they say the same of their ranges. Of what several queues know, no answer is looked for.
 */
bool sync_states_are_equal(const struct sync_state *a, const struct sync_state *b) MUST_CHECK;

/* An event is set, a semaphore signaled: notes which records are in its first scope. `bits` are
 * of the snapshots with this scope: one each. */
void sync_state_snapshot(struct sync_state *state, const struct sync_barrier *scope, uint64_t bits);

/* `to` becomes a copy of `from` with lists of its own. False: memory is out, `to` is empty. */
bool sync_state_copy(struct sync_state *to, const struct sync_state *from, struct arena *arena);

/* Two branches that happened side by side become one. Of writes the later one stays, of the same
 * access what either branch ordered after it. */
void sync_state_merge(struct sync_state *state, const struct sync_state *other,
                      struct arena *arena);

/* Forgets reads that another one stands in for, once everything has been merged. */
void sync_state_forget_covered(struct sync_state *state);

/* A command buffer that left the range as `from` was executed here; its first accesses have been
 * applied already. If `from` has a write, `from` replaces the state; else its reads are added.
 * `first_tag` as for sync_state_add(). */
void sync_state_take_over(struct sync_state *state, const struct sync_state *from,
                          uint64_t first_tag, struct arena *arena);

/* True if it was noted for this image, where the image's memory lies. */
static inline bool sync_record_is_of_alias(const struct sync_record *record, uint32_t alias)
{
    return alias && record->ordering == SYNC_ORDER_ALIAS && record->instance == alias;
}

static inline bool sync_state_is_empty(const struct sync_state *state)
{
    return state->write.usage == SYNC_NONE && !state->read_count;
}

#endif
