/* A context holds all that is known of accesses in a command buffer, or on the queues of a device.
 *
 * Addresses lie in spaces (a memory object, an image: sync/access/ranges.h). A context has a range
 * map of states for each space that was accessed, and one log of global barriers. In a render pass
 * object's instance each subpass has maps of its own. They are filled on demand from the accesses
 * before the subpass, through its dependencies (struct sync_graph). When the instance ends, they
 * flow back. An instance lasts from vkCmdBeginRenderPass to vkCmdEndRenderPass. Dynamic rendering
 * only has an instance number.
 *
 * A command buffer's context also keeps a stream: barriers, and the first accesses to each range.
 * (These are reads before the first write, each usage once, and that write.) To execute the command
 * buffer is to play the stream in another context, as if its commands were recorded there. Then
 * that context takes over the final states of its ranges (sync_context_replay()). A secondary is
 * replayed in a primary, and a command buffer in the context of all queues.
 *
 * Where memory is out, or a render pass is too large, the context is `broken`: it finds nothing
 * until it is reset.
 * Threads: one at a time. A context that sync_context_finish() was called for may be replayed by
 * several threads at once. */
#ifndef ASSAY_SYNC_ACCESS_CONTEXT_H
#define ASSAY_SYNC_ACCESS_CONTEXT_H

#include "base/range_map.h"
#include "sync/access/access_log.h"

/* Part of a space. */
struct sync_place {
    uint64_t space;
    uint64_t begin, end; /* begin < end */
};

/* Receives each hazard. For a transition that a barrier makes, `access->usage` is
 * SYNC_IMAGE_LAYOUT_TRANSITION and `barrier` is that barrier; else `barrier` is NULL. */
struct sync_sink {
    void (*hazard)(const struct sync_sink *sink, const struct sync_place *place,
                   const struct sync_access *access, const struct sync_barrier *barrier,
                   const struct sync_hazard *hazard);
};

/* --- render pass objects --- */

/* no device has that many subpasses; a render pass with more is not checked */
#define SYNC_SUBPASSES 64
#define SYNC_EXTERNAL  UINT32_MAX

/* VkSubpassDependency, or an implicit one. */
struct sync_dependency {
    uint32_t src, dst; /* index of a subpass, or SYNC_EXTERNAL */
    struct sync_barrier barrier;
};

/* Threads: constant once it is made. */
struct sync_graph {
    uint32_t subpass_count; /* SYNC_SUBPASSES at most */
    uint32_t dependency_count;
    /* sorted by `dst`, with SYNC_EXTERNAL last; without dependencies of a subpass on itself */
    const struct sync_dependency *dependencies;
};

/* --- spaces and views --- */

/* entries of a table that is direct-mapped by the addresses where entries begin */
#define SYNC_HINTS 8
/* direct-mapped, by the addresses where entries end: enough for two streams of copies, with
 * spares */
#define SYNC_NEXTS 4
struct sync_space {
    uint64_t id;
    struct range_map map; /* of struct sync_state */
    /* where an entry that begins at such an address was last found */
    struct range_cursor hints[SYNC_HINTS];
    /* the place after an entry that ends at such an address, where a stream of accesses goes on */
    struct range_cursor nexts[SYNC_NEXTS];
};

/* Accesses outside of render pass objects' instances, or accesses of one subpass. */
struct sync_view {
    struct access_log log;
    struct sync_space **spaces; /* open addressing by id; a power of two */
    uint32_t space_count, space_capacity;
    struct sync_space *recent[4]; /* direct-mapped, by id */
    /* tags of the subpass' accesses; `end_tag` is UINT64_MAX while the subpass lasts */
    uint64_t first_tag, end_tag;
    /* in a subpass: bit i is set if work of subpass i may be ordered before it */
    uint64_t ancestors;
};

/* --- the stream --- */

struct sync_range_barrier {
    struct sync_place place;
    uint32_t barrier; /* index of its scopes in sync_barriers::barriers */
    uint32_t alias;   /* not 0: of SYNC_ORDER_ALIAS */
    /* The slot of the buffer or image that the program named (object_index()), for reports. */
    uint32_t resource;
    bool transition; /* a layout transition, or a transfer of queue family ownership */
    bool discards;   /* a transition from a layout that keeps nothing */
    /* the second half of an ownership transfer, which semaphores order after the first half: it is
     * not checked */
    bool acquire;
};

/* The barriers of one command. */
struct sync_barriers {
    uint64_t tag;
    uint32_t global_count; /* the first elements of `barriers`, which apply to all memory */
    uint32_t barrier_count;
    uint32_t range_count;
    const struct sync_barrier *barriers;
    const struct sync_range_barrier *ranges;
};

enum stream_kind {
    STREAM_ACCESS,
    STREAM_BARRIERS,
    STREAM_SET_EVENT,
    STREAM_WAIT_EVENTS,
    STREAM_RENDER_PASS,
    STREAM_SUBPASS,
    STREAM_END_RENDER_PASS,
    STREAM_INSTANCE,
    STREAM_END_INSTANCE,
    /* Only where `keeps_all`, and only for sync_context_replay_all(): */
    STREAM_EVERY,   /* any access, first or not */
    STREAM_TOUCHED, /* a note of what shaders access, which is known only when they have run */
};

/* Says where the shaders of a command report what they access (state/command/touched.h), as of when
 * the command was recorded. */
struct touched_note {
    struct touched_recording *of;
    uint32_t generation; /* `of`'s generation when the command was recorded */
    uint32_t slots, limit, set_count;
    uint32_t *words;
    uint64_t sets[];
};

struct stream_item {
    enum stream_kind kind;
    union {
        struct {
            struct sync_place place;
            struct sync_access access;
        };
        struct {
            uint64_t tag; /* where the union has no other */
            union {
                struct sync_barriers *barriers;
                const struct touched_note *touched;
            };
            const uint64_t *events; /* ids */
            uint32_t event_count;
            const struct sync_graph *graph;
        };
    };
};

/* --- the context --- */

/* At most 63 set events and signaled semaphores have numbers at a time. For more, too much counts
 * as ordered (SYNC_SNAPSHOT_ANY). */
#define SYNC_SNAPSHOT_NONE 63 /* the number of a snapshot that got none */

/* The most first scopes that are kept apart for one event: vkCmdSetEvent2 has one for each barrier,
 * and barriers with the same source stages share it. With more, too much counts as ordered. */
#define SYNC_EVENT_SCOPES 4
struct sync_event {
    uint64_t event;         /* id */
    uint8_t scope_count;    /* 0: the context has not seen it set */
    uint8_t snapshot_count; /* number of first scopes; 0: the context has not seen the event set */
    bool overflow;          /* the event was set with more than SYNC_EVENT_SCOPES scopes */
    uint8_t snapshots[SYNC_EVENT_SCOPES];
    bool everything[SYNC_EVENT_SCOPES];
    sync_stage_mask stages[SYNC_EVENT_SCOPES]; /* source stages of each scope */
};

#define SYNC_KEPT 4
struct sync_context {
    struct arena arena;
    struct sync_view root;
    struct sync_view *current;    /* `root`, or the view of the current subpass */
    const struct sync_sink *sink; /* NULL: hazards are not reported */
    union {
        uint16_t special; /* not 0 if either of the two is set: rare cases cost one test */
        struct {
            bool broken;
            /* in a command buffer: the stream has every access, not only first accesses */
            bool keeps_all;
        };
    };
    bool replays; /* a command buffer is being executed, whose tags begin at `replay_base` */
    uint64_t replay_base;
    uint8_t queue;     /* index of the queue that commands are executed on; 0 in a command buffer */
    bool keeps_stream; /* true in a command buffer */
    /* the context is a secondary's that continues a render pass, whose primary began the first
     * instance */
    bool inherits_instance;
    uint32_t instance;       /* the current one; 0 = none */
    uint32_t instance_count; /* how many instance numbers have been given out */

    const struct sync_graph *graph; /* of the current render pass object's instance, or NULL */
    struct sync_view *subpasses;
    uint32_t subpass;

    /* the states of pieces before their hazards, for sync_context_take_back() */
    struct saved_state *saved;

    struct stream_item *stream;
    uint32_t stream_count, stream_capacity;
    uint32_t stream_expected; /* items that the previous recording had */
    /* the stream's effect depends on other command buffers: on events, or on an instance that
     * another one began */
    bool entangled;
    /* recent barriers of the stream that differ from each other, replaced in turn; NULL: not used
     * yet */
    const struct sync_barriers *kept[SYNC_KEPT];
    uint32_t kept_next;

    struct sync_event *events;
    uint32_t event_count, event_capacity;
    /* a hash table for many events, by id: 1 + an index of `events`, or 0. The capacity is a power
     * of two; 0: there is no table */
    uint32_t *event_places;
    uint32_t event_place_capacity;
    uint64_t snapshots; /* bit i is set while snapshot number i is in use */

    /* For the context of queues: returns true if the host has waited for the work that made the
     * access. Then the access is forgotten. NULL: no access is ever done. */
    bool (*is_done)(const struct sync_context *context, const struct sync_record *record);
    size_t swept_size; /* bytes of the arena that were in use after the last sweep */
    /* the memory that the next sweep copies the context to: empty, with chunks of an earlier
     * sweep */
    struct arena spare;
};

void sync_context_init(struct sync_context *context, bool keeps_stream);
/* Empties the context, but keeps its memory: a command buffer is recorded again. */
void sync_context_reset(struct sync_context *context);
void sync_context_free(struct sync_context *context);

/* Rebuilds the table of events after events were replaced or moved. */
void sync_index_events(struct sync_context *context);

/* Checks an access, reports hazards to the sink, and records the access. Returns true if there was
 * no hazard. */
bool sync_context_access(struct sync_context *context, const struct sync_place *place,
                         const struct sync_access *access);

/* The ends of a command buffer's context before a command, for sync_context_take_back(). */
struct sync_checkpoint {
    const struct sync_graph *graph;
    struct sync_view *subpasses, *current;
    uint32_t subpass, instance;
    uint32_t stream_count;
    uint32_t log_count, root_log_count; /* entries of the log of `current`, and of the root's */
    /* barrier commands since then, as counted by sync_context_look_back() */
    uint32_t barrier_commands;
    bool entangled;
};
void sync_context_checkpoint(const struct sync_context *context, struct sync_checkpoint *before);
/* Fills in the checkpoint after a command that only accesses, or has barriers. The command's tags
 * begin at `first_tag`. Such commands need no checkpoint beforehand. */
void sync_context_look_back(const struct sync_context *context, uint64_t first_tag,
                            struct sync_checkpoint *before);

/* Undoes what the last command of a command buffer did, with tags from `first_tag` on, as if it had
 * not happened. Where it had hazards, the states from before are restored. Other ranges that the
 * command wrote become unknown, and so do reads that its own reads replaced. Orderings by its
 * barriers remain in ranges without hazards: fewer hazards are found there. */
void sync_context_take_back(struct sync_context *context, uint64_t first_tag,
                            const struct sync_checkpoint *before);

/* Checks an access without recording it: the host's accesses leave no record. */
bool sync_context_check(struct sync_context *context, const struct sync_place *place,
                        const struct sync_access *access);

/* Applies the barriers of one command, or of an operation that acts as one. */
void sync_context_barriers(struct sync_context *context, const struct sync_barriers *barriers);

/* vkCmdSetEvent: the first scopes are `scopes[i].src`; vkCmdSetEvent2 may have several.
 * vkCmdWaitEvents: the scopes of `barriers` apply to accesses in the first scopes of these events,
 * if the context has seen them set. A barrier for one event (sync_barrier::event) applies to
 * accesses in that event's scope with the barrier's source stages. */
void sync_context_set_event(struct sync_context *context, uint64_t event,
                            const struct sync_barrier *scopes, uint32_t count, uint64_t tag);
void sync_context_wait_events(struct sync_context *context, const uint64_t *events, uint32_t count,
                              const struct sync_barriers *barriers);

/* For render pass objects: begins the first subpass; the graph is copied. */
void sync_context_begin_render_pass(struct sync_context *context, const struct sync_graph *graph,
                                    uint64_t tag);
void sync_context_next_subpass(struct sync_context *context, uint64_t tag);
void sync_context_end_render_pass(struct sync_context *context, uint64_t tag);

/* Dynamic rendering: accesses from here on belong to one subpass. With `resumed`, they belong to
 * the suspended one. */
void sync_context_begin_instance(struct sync_context *context, bool resumed);
void sync_context_end_instance(struct sync_context *context);

/* Called when recording ends: states are brought up to date, so that replaying only reads. */
void sync_context_finish(struct sync_context *context);

/* Executes `source` here, on this queue. Its tags become `base` + tag. Hazards within `source`,
 * found when it was recorded, are not reported again. */
void sync_context_replay(struct sync_context *context, const struct sync_context *source,
                         uint8_t queue, uint64_t base);

/* Replays a recording that `keeps_all` with every access, also against accesses of the same
 * recording. `touched` turns the shaders' reports of what they accessed into accesses. */
struct sync_touch {
    void (*touched)(const struct sync_touch *touch, const struct stream_item *item);
};
void sync_context_replay_all(struct sync_context *context, const struct sync_context *source,
                             uint8_t queue, uint64_t base, const struct sync_touch *touch);

/* For semaphores, in a context of several queues. Notes the accesses in `scope->src` on its queue
 * under a snapshot number. The caller gives the number back, except SYNC_SNAPSHOT_NONE. */
uint8_t sync_context_signal(struct sync_context *context, const struct sync_barrier *scope);
/* `dst` on `queue` happens after the accesses that were noted under that number on `from_queue`. */
void sync_context_wait(struct sync_context *context, uint8_t snapshot, uint8_t from_queue,
                       uint8_t queue, const struct sync_scope *dst);
void sync_context_release(struct sync_context *context, uint8_t snapshot);
/* Releases the snapshots of a destroyed event. */
void sync_context_release_event(struct sync_context *context, const struct sync_event *event);

/* Adds to `to` all that `from` knows: accesses of `queue`, to places where all accesses that `to`
 * knows are done. Tags are the same in both. `numbers` receives for each snapshot of `from` its
 * number in `to`, which the caller gives back there, or SYNC_SNAPSHOT_NONE. `from` is to be
 * reset. */
void sync_context_join(struct sync_context *to, struct sync_context *from, uint8_t queue,
                       uint8_t numbers[SYNC_SNAPSHOT_NONE + 1]);

/* Forgets all accesses to one space, whose resource is destroyed. */
void sync_context_forget(struct sync_context *context, uint64_t space);

/* For contexts that live long, outside of render pass instances. A sweep forgets accesses that are
 * done, gives memory back, and empties the log. It costs as much as there are states, and is wanted
 * when the context has doubled since the last sweep. The third function calls `each` for all
 * records that are left. */
bool sync_context_wants_sweep(const struct sync_context *context);
void sync_context_sweep(struct sync_context *context);
void sync_context_each_record(struct sync_context *context,
                              void (*each)(void *data, const struct sync_record *record),
                              void *data);

#endif
