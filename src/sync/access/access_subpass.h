/* The files of contexts (access_context.c, access_subpass.c, access_replay.c) share these
 * functions. They are for those alone.
 * Threads: a context belongs to the thread that records, or that processes the submission. */
#ifndef ASSAY_SYNC_ACCESS_SUBPASS_H
#define ASSAY_SYNC_ACCESS_SUBPASS_H

#include "sync/access/access_context.h"

/* --- access_context.c --- */

void sync_view_init(struct sync_view *view, struct arena *arena);
struct sync_space *sync_view_find(struct sync_view *view, uint64_t id);  /* NULL: never touched */
struct sync_space *sync_view_space(struct sync_view *view, uint64_t id); /* NULL: memory is out */

/* Walks the pieces of [begin, end) in a space of a view, cut at its ends, brought up to date:
 *     for (sync_walk_start(&walk, ...); sync_walk_next(&walk);) use walk.state, which holds for
 * [walk.piece_begin, walk.piece_end) With `fills_gaps` what has no state gets an empty one. Ends
 * early where memory is out. */
struct sync_walk {
    struct sync_context *context;
    struct sync_view *view;
    struct sync_space *space;
    struct range_cursor cursor;
    uint64_t begin, limit;
    bool fills_gaps;
    /* set before the first piece: what the states hold is of no interest, they are not brought up
     * to date */
    bool replaces;
    struct sync_state *state;
    uint64_t piece_begin, piece_end;
};
void sync_walk_start(struct sync_walk *walk, struct sync_context *context, struct sync_view *view,
                     struct sync_space *space, uint64_t begin, uint64_t end, bool fills_gaps);
bool sync_walk_next(struct sync_walk *walk);

bool sync_walk_place(struct sync_walk *walk, struct sync_context *context,
                     const struct sync_place *place,
                     /* in the current view, with what a subpass takes over from before; false:
                        memory is out */
                     bool fills_gaps);

/* A state catches up with its view, and forgets what the host has waited for. */
void sync_bring_up_to_date(struct sync_context *context, const struct sync_view *view,
                           struct sync_state *state);

/* The pieces of a place, which a write has made alike, become one. */
void sync_unite_pieces(struct sync_context *context, struct sync_space *space,
                       const struct sync_place *place);

/* The event as the context has seen it; NULL: never set. */
struct sync_event *sync_find_event(const struct sync_context *context, uint64_t id);

/* Memory is out. */
static inline void sync_give_up(struct sync_context *context)
{
    context->broken = true;
}

/* Tells the sink. */
void sync_tell(const struct sync_context *context, uint64_t space, uint64_t begin, uint64_t end,
               const struct sync_access *access, const struct sync_barrier *barrier,
               const struct sync_hazard *hazard);

/* Two entries with states of their own where there was one. False: memory is out. */
bool sync_split_at(struct sync_context *context, struct range_map *map, struct range_cursor *cursor,
                   uint64_t at) MUST_CHECK;

/* The next item of the stream; NULL: memory is out. */
struct stream_item *sync_context_stream(struct sync_context *context, enum stream_kind kind);

/* One command's barriers over everything. */
void sync_append_barriers(struct sync_context *context, struct sync_view *view,
                          const struct sync_barrier *barriers, uint32_t count);

/* A copy in the arena that the stream can keep; NULL: memory is out. The copy may share the arrays
 * of the copy before. */
struct sync_barriers *sync_keep_barriers(struct sync_context *context,
                                         const struct sync_barriers *barriers);

/* The barriers happen; nothing goes into the stream. */
void sync_apply_barriers(struct sync_context *context, const struct sync_barriers *barriers);

/* --- access_subpass.c --- */

/* Gives the subpass' view the states of a place from what was before it. */
void sync_subpass_fill(struct sync_context *context, uint32_t subpass,
                       const struct sync_place *place);

/* Says which accesses of other subpasses an access comes after, whatever the dependencies are, by
 * what its own subpass has done. */
enum pass_order {
    PASS_NOT_ORDERED,
    /* the load operation: the subpass has used what lies there as an attachment */
    PASS_AFTER_LOADS,
    PASS_AFTER_STORES, /* all accesses of the attachment: the store operation is through */
};

/* Finds races of the access, in the current subpass, with one of an earlier subpass that nothing
 * orders before it. Tells the sink. Returns whether there was none. */
bool sync_subpass_check_races(struct sync_context *context, const struct sync_place *place,
                              const struct sync_access *access, enum pass_order order);
/* The order of an access that is about to be made, if it has no hazard. */
enum pass_order sync_subpass_order(const struct sync_context *context,
                                   const struct sync_state *state,
                                   const struct sync_access *access);

#endif
