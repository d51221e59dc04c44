/* The files of contexts (access_context.c, access_subpass.c, access_replay.c) share these
 * functions. Other files do not call them.
 * Threads: a context belongs to the thread that records, or that processes the submission. */
#ifndef ASSAY_SYNC_ACCESS_SUBPASS_H
#define ASSAY_SYNC_ACCESS_SUBPASS_H

#include "sync/access/access_context.h"

/* --- access_context.c --- */

void sync_view_init(struct sync_view *view, struct arena *arena);
struct sync_space *sync_view_find(struct sync_view *view, uint64_t id);  /* NULL: never accessed */
struct sync_space *sync_view_space(struct sync_view *view, uint64_t id); /* NULL: memory is out */

/* Walks the pieces of [begin, end) in a space of a view, cut at its ends and brought up to date:
 *     for (sync_walk_start(&walk, ...); sync_walk_next(&walk);)
 *         use walk.state, which holds for [walk.piece_begin, walk.piece_end)
 * With `fills_gaps`, parts without a state get an empty one. The walk ends early if memory is
 * out. */
struct sync_walk {
    struct sync_context *context;
    struct sync_view *view;
    struct sync_space *space;
    struct range_cursor cursor;
    uint64_t begin, limit;
    bool fills_gaps;
    /* set before the first piece: the caller overwrites the states, which are not brought up to
     * date */
    bool replaces;
    struct sync_state *state;
    uint64_t piece_begin, piece_end;
};
void sync_walk_start(struct sync_walk *walk, struct sync_context *context, struct sync_view *view,
                     struct sync_space *space, uint64_t begin, uint64_t end, bool fills_gaps);
bool sync_walk_next(struct sync_walk *walk);

bool sync_walk_place(struct sync_walk *walk, struct sync_context *context,
                     const struct sync_place *place,
                     /* in the current view, whose subpass takes states over from before; returns
                      * false if memory is out */
                     bool fills_gaps);

/* Brings a state up to date with its view's log, and forgets accesses that the host has waited
 * for. */
void sync_bring_up_to_date(struct sync_context *context, const struct sync_view *view,
                           struct sync_state *state);

/* Joins the pieces of a place, which a write has made alike. */
void sync_unite_pieces(struct sync_context *context, struct sync_space *space,
                       const struct sync_place *place);

/* Returns the event as the context has seen it; NULL: it was never set here. */
struct sync_event *sync_find_event(const struct sync_context *context, uint64_t id);

/* Called when memory is out: the context finds nothing more. */
static inline void sync_give_up(struct sync_context *context)
{
    context->broken = true;
}

/* Reports the hazard to the sink. */
void sync_tell(const struct sync_context *context, uint64_t space, uint64_t begin, uint64_t end,
               const struct sync_access *access, const struct sync_barrier *barrier,
               const struct sync_hazard *hazard);

/* Splits an entry into two that have states of their own. Returns false if memory is out. */
bool sync_split_at(struct sync_context *context, struct range_map *map, struct range_cursor *cursor,
                   uint64_t at) MUST_CHECK;

/* Returns the next item of the stream, to be filled in; NULL: memory is out. */
struct stream_item *sync_context_stream(struct sync_context *context, enum stream_kind kind);

/* Appends one command's global barriers to the view's log. */
void sync_append_barriers(struct sync_context *context, struct sync_view *view,
                          const struct sync_barrier *barriers, uint32_t count);

/* Returns a copy in the arena that the stream can keep; NULL: memory is out. The copy may share the
 * arrays of an earlier copy. */
struct sync_barriers *sync_keep_barriers(struct sync_context *context,
                                         const struct sync_barriers *barriers);

/* Applies the barriers, without adding them to the stream. */
void sync_apply_barriers(struct sync_context *context, const struct sync_barriers *barriers);

/* --- access_subpass.c --- */

/* Gives the subpass' view the states of a place from before the subpass. */
void sync_subpass_fill(struct sync_context *context, uint32_t subpass,
                       const struct sync_place *place);

/* Says which accesses of other subpasses an access comes after, whatever the dependencies are, by
 * what its own subpass has done. */
enum pass_order {
    PASS_NOT_ORDERED,
    /* after the load operation: the subpass has used the place as an attachment */
    PASS_AFTER_LOADS,
    PASS_AFTER_STORES, /* after all accesses of the attachment: the store operation is done */
};

/* Finds races of the access, in the current subpass, with one of an earlier subpass that nothing
 * orders before it. Reports the first one to the sink. Returns true if there was none. */
bool sync_subpass_check_races(struct sync_context *context, const struct sync_place *place,
                              const struct sync_access *access, enum pass_order order);
/* Returns the order of an access that is about to be made, if it has no hazard with the state. */
enum pass_order sync_subpass_order(const struct sync_context *context,
                                   const struct sync_state *state,
                                   const struct sync_access *access);

#endif
