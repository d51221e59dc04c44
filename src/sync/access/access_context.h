/* All that is known of accesses in a command buffer, or on the queues of a device.
 *
 * Addresses lie in spaces (a memory object, an image: sync/access/ranges.h). A context has a range
 * map of states for each space that was accessed, and one log of global barriers. In a render pass
 * object's instance each subpass has maps of its own. They are filled on demand from what was
 * before it, through its dependencies (struct sync_graph), and flow back when the instance ends.
 * That lasts as long as vkCmdBeginRenderPass to vkCmdEndRenderPass. Dynamic rendering only has an
 * instance number.
 *
 * A command buffer's context also keeps a stream: barriers, and the first accesses to each range.
 * (These are reads before the first write, each usage once, and that write.) To execute the command
 * buffer is to play the stream in another context, as if its commands were recorded there. Then
 * that context takes over how its ranges ended (sync_context_replay). So it is with a secondary in
 * a primary, and a command buffer in the context of all queues.
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

/* Hears of each hazard. For a transition that a barrier makes, `access->usage` is
 * SYNC_IMAGE_LAYOUT_TRANSITION and `barrier` is that barrier; else `barrier` is NULL. */
struct sync_sink {
    void (*hazard)(const struct sync_sink *sink, const struct sync_place *place,
                   const struct sync_access *access, const struct sync_barrier *barrier,
                   const struct sync_hazard *hazard);
};

/* --- render pass objects --- */

/* no device has that many; of a render pass with more nothing is said */
#define SYNC_SUBPASSES 64
#define SYNC_EXTERNAL  UINT32_MAX

/* VkSubpassDependency, or an implicit one. */
struct sync_dependency {
    uint32_t src, dst; /* subpass, or SYNC_EXTERNAL */
    struct sync_barrier barrier;
};

/* Threads: const once made. */
struct sync_graph {
    uint32_t subpass_count; /* SYNC_SUBPASSES at most */
    uint32_t dependency_count;
    /* without dependencies of a subpass on itself; by growing dst, SYNC_EXTERNAL last */
    const struct sync_dependency *dependencies;
};

/* --- spaces and views --- */

#define SYNC_HINTS 8 /* direct-mapped, by the addresses where entries begin */
/* direct-mapped, by the addresses where entries end: two streams of copies, and some to spare */
#define SYNC_NEXTS 4
struct sync_space {
    uint64_t id;
    struct range_map map; /* of struct sync_state */
    /* where an entry with such a beginning was, when it was last looked for */
    struct range_cursor hints[SYNC_HINTS];
    /* the place after an entry that ended there: streams go on there */
    struct range_cursor nexts[SYNC_NEXTS];
};

/* Accesses outside of render pass objects' instances, or accesses of one subpass. */
struct sync_view {
    struct access_log log;
    struct sync_space **spaces; /* open addressing by id; a power of two */
    uint32_t space_count, space_capacity;
    struct sync_space *recent[4]; /* direct-mapped, by id */
    /* the accesses of a subpass; while it lasts, its end is not known (UINT64_MAX) */
    uint64_t first_tag, end_tag;
    /* in a subpass: bit i says that work of subpass i may be ordered before it */
    uint64_t ancestors;
};

/* --- the stream --- */

struct sync_range_barrier {
    struct sync_place place;
    uint32_t barrier; /* index of its scopes */
    uint32_t alias;   /* not 0: of SYNC_ORDER_ALIAS */
    /* The slot of the buffer or image that the program named (object_index()), for reports. */
    uint32_t resource;
    bool transition; /* layout, or queue family ownership */
    bool discards;   /* a transition from a layout that keeps nothing */
    /* second half of an ownership transfer: ordered after the first half by semaphores; nothing is
     * checked */
    bool acquire;
};

/* The barriers of one command. */
struct sync_barriers {
    uint64_t tag;
    uint32_t global_count; /* leading elements of `barriers` that are over everything */
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
    /* Only where `keeps_all`, and of no interest but to sync_context_replay_all(): */
    STREAM_EVERY,   /* any access, first or not */
    STREAM_TOUCHED, /* what shaders access is known when they have run */
};

/* Where the shaders of a command say what they access (state/command/touched.h), as of when it was
 * recorded. */
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

/* 63 events that are set and semaphores that are signaled at a time have numbers; of more, too much
 * counts as ordered (SYNC_SNAPSHOT_ANY). */
#define SYNC_SNAPSHOT_NONE 63 /* the number of those beyond */

/* First scopes that are distinguished of one event: vkCmdSetEvent2 has one for each barrier, and
 * barriers with the same source stages share it. Of more, too much counts as ordered. */
#define SYNC_EVENT_SCOPES 4
struct sync_event {
    uint64_t event;         /* id */
    uint8_t scope_count;    /* 0: the context has not seen it set */
    uint8_t snapshot_count; /* snapshot numbers that the event has taken */
    bool overflow;          /* the event was set with more than SYNC_EVENT_SCOPES scopes */
    uint8_t snapshots[SYNC_EVENT_SCOPES];
    bool everything[SYNC_EVENT_SCOPES];
    sync_stage_mask stages[SYNC_EVENT_SCOPES]; /* of the scopes */
};

#define SYNC_KEPT 4
struct sync_context {
    struct arena arena;
    struct sync_view root;
    struct sync_view *current;    /* `root`, or the view of the current subpass */
    const struct sync_sink *sink; /* NULL: hazards are not reported */
    union {
        uint16_t special; /* one of the two: what is rare costs one look */
        struct {
            bool broken;
            /* in a command buffer: the stream has every access, also one that is not a first
             * access */
            bool keeps_all;
        };
    };
    bool replays; /* a command buffer is being executed; its tags begin at: */
    uint64_t replay_base;
    uint8_t queue;     /* that commands are executed on; 0 in a command buffer */
    bool keeps_stream; /* true in a command buffer */
    /* a secondary that continues a render pass: the primary began the first instance */
    bool inherits_instance;
    uint32_t instance;       /* the current one; 0 = none */
    uint32_t instance_count; /* numbers given out */

    const struct sync_graph *graph; /* of the current render pass object's instance, or NULL */
    struct sync_view *subpasses;
    uint32_t subpass;

    /* the states of pieces before their hazards, for sync_context_take_back() */
    struct saved_state *saved;

    struct stream_item *stream;
    uint32_t stream_count, stream_capacity;
    uint32_t stream_expected; /* items: as many as the recording before had */
    /* what the stream does depends on others: events, an instance that another command buffer began
     */
    bool entangled;
    /* recent barriers of the stream that differ from each other, used in turn; NULL: the place
     * is empty */
    const struct sync_barriers *kept[SYNC_KEPT];
    uint32_t kept_next;

    struct sync_event *events;
    uint32_t event_count, event_capacity;
    /* of many events: by hash of the id, 1 and an index of `events`, or 0. Capacity: a power of
     * two; 0: there is no table */
    uint32_t *event_places;
    uint32_t event_place_capacity;
    uint64_t snapshots; /* in use */

    /* For the context of queues: true if the host has waited for the work that made the access.
     * Then the access is forgotten. NULL: no access is ever done. */
    bool (*is_done)(const struct sync_context *context, const struct sync_record *record);
    size_t swept_size; /* bytes in use of the arena when it was swept last */
    /* The memory that the context is copied to when it is swept: empty, with chunks that were in
     * use. */
    struct arena spare;
};

void sync_context_init(struct sync_context *context, bool keeps_stream);
/* As new, with its memory kept: a command buffer is recorded again. */
void sync_context_reset(struct sync_context *context);
void sync_context_free(struct sync_context *context);

/* The events of the context, or their places, are others than before. */
void sync_index_events(struct sync_context *context);

/* The access happens: checks, tells the sink of hazards, and remembers. Returns whether it found
 * none. */
bool sync_context_access(struct sync_context *context, const struct sync_place *place,
                         const struct sync_access *access);

/* A command buffer's context, as it was before a command: for sync_context_take_back(). */
struct sync_checkpoint {
    const struct sync_graph *graph;
    struct sync_view *subpasses, *current;
    uint32_t subpass, instance;
    uint32_t stream_count;
    uint32_t log_count, root_log_count; /* of `current`, and of the root */
    uint32_t barrier_commands;          /* since then, where sync_context_look_back() has made it */
    bool entangled;
};
void sync_context_checkpoint(const struct sync_context *context, struct sync_checkpoint *before);
/* Fills in the checkpoint after the command, for a command that only accesses, or has barriers. Its
 * tags begin at `first_tag`. Such commands need no checkpoint beforehand. */
void sync_context_look_back(const struct sync_context *context, uint64_t first_tag,
                            struct sync_checkpoint *before);

/* Takes back what the last command of a command buffer did, with tags from `first_tag` on: it has
 * not happened. Where it had hazards, what was there before is there again. Other ranges that the
 * command wrote are not known any more, and of reads those that its own replaced. What its barriers
 * ordered in ranges without hazards stays ordered: there, less is found. */
void sync_context_take_back(struct sync_context *context, uint64_t first_tag,
                            const struct sync_checkpoint *before);

/* Checks an access without keeping it: the host's accesses leave nothing to be remembered. */
bool sync_context_check(struct sync_context *context, const struct sync_place *place,
                        const struct sync_access *access);

/* A barrier command (or what acts as one). */
void sync_context_barriers(struct sync_context *context, const struct sync_barriers *barriers);

/* vkCmdSetEvent: the first scopes are `scopes[i].src`; of vkCmdSetEvent2 there may be several.
 * vkCmdWaitEvents: the scopes of `barriers` hold for what was in the first scopes of these events,
 * of which the context has seen the set. A barrier of one event (sync_barrier::event) holds for
 * what was in that scope of the event which has its source stages. */
void sync_context_set_event(struct sync_context *context, uint64_t event,
                            const struct sync_barrier *scopes, uint32_t count, uint64_t tag);
void sync_context_wait_events(struct sync_context *context, const uint64_t *events, uint32_t count,
                              const struct sync_barriers *barriers);

/* Render pass objects: begins the first subpass; the graph is copied. */
void sync_context_begin_render_pass(struct sync_context *context, const struct sync_graph *graph,
                                    uint64_t tag);
void sync_context_next_subpass(struct sync_context *context, uint64_t tag);
void sync_context_end_render_pass(struct sync_context *context, uint64_t tag);

/* Dynamic rendering: accesses from here on belong to one subpass. `resumed`: to the one that was
 * suspended. */
void sync_context_begin_instance(struct sync_context *context, bool resumed);
void sync_context_end_instance(struct sync_context *context);

/* Nothing is recorded any more: states are brought up to date, so that replaying only reads. */
void sync_context_finish(struct sync_context *context);

/* `source` is executed here, on this queue. Its tags become `base` + tag. Hazards within `source`,
 * found when it was recorded, are not reported again. */
void sync_context_replay(struct sync_context *context, const struct sync_context *source,
                         uint8_t queue, uint64_t base);

/* Replays a recording that `keeps_all` with every access, also against accesses of the same
 * recording. `touched` makes accesses of what shaders say that they accessed. */
struct sync_touch {
    void (*touched)(const struct sync_touch *touch, const struct stream_item *item);
};
void sync_context_replay_all(struct sync_context *context, const struct sync_context *source,
                             uint8_t queue, uint64_t base, const struct sync_touch *touch);

/* Semaphores, in a context of several queues. What is in `scope->src` on its queue is noted under a
 * number, to be given back (SYNC_SNAPSHOT_NONE needs not). */
uint8_t sync_context_signal(struct sync_context *context, const struct sync_barrier *scope);
/* `dst` of `queue` happens after what was noted under that number on `from_queue`. */
void sync_context_wait(struct sync_context *context, uint8_t snapshot, uint8_t from_queue,
                       uint8_t queue, const struct sync_scope *dst);
void sync_context_release(struct sync_context *context, uint8_t snapshot);
/* Releases the snapshots of a destroyed event. */
void sync_context_release_event(struct sync_context *context, const struct sync_event *event);

/* `to` has what `from` knows, too: accesses of `queue`, to places where all is done that `to` knows
 * of. Tags are the same in both. `numbers`: for each snapshot of `from` the one of `to`, to be
 * given back there; SYNC_SNAPSHOT_NONE otherwise. `from` is to be reset. */
void sync_context_join(struct sync_context *to, struct sync_context *from, uint8_t queue,
                       uint8_t numbers[SYNC_SNAPSHOT_NONE + 1]);

/* Forgets all of one space: its resource is gone. */
void sync_context_forget(struct sync_context *context, uint64_t space);

/* For contexts that live long, outside of render pass instances: forgets what is done, gives memory
 * back, and empties the log. It costs as much as there are states: wanted when the context has
 * doubled since the last time. `each` is then called for what is left. */
bool sync_context_wants_sweep(const struct sync_context *context);
void sync_context_sweep(struct sync_context *context);
void sync_context_each_record(struct sync_context *context,
                              void (*each)(void *data, const struct sync_record *record),
                              void *data);

#endif
