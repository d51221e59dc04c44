/* Finds the states in a context that an access or a barrier concerns, and checks and changes
 * them. */
#include "sync/access/access_context.h"
#include "sync/access/access_take_back.h"

#include <string.h>

#include "sync/access/access_subpass.h"
#include "sync/access/usage_mask.h"
#include "base/vec.h"

/* --- spaces --- */

#define FIRST_ITEMS 4 /* items of the stream: enough for one or two copies */
/* slots of the table, a power of two; the table grows when it is half full */
#define FIRST_SPACES 16

/* Returns the upper bits of a product with the golden ratio, since ids of one kind differ in few
 * low bits. */
static uint32_t space_hash(uint64_t id)
{
    return (uint32_t)((id * 0x9e3779b97f4a7c15ull) >> 32);
}

void sync_view_init(struct sync_view *view, struct arena *arena)
{
    *view = (struct sync_view){.log.arena = arena};
}

/* Doubles the table of a view's spaces. Returns false if memory is out. The old table stays in the
 * arena until the arena is rewound. */
static bool grow_spaces(struct sync_view *view)
{
    uint32_t capacity = view->space_capacity ? view->space_capacity * 2 : FIRST_SPACES;
    struct sync_space **spaces = arena_take(view->log.arena, capacity * sizeof *spaces);
    if (!spaces)
        return false;
    memset(spaces, 0, capacity * sizeof *spaces);
    for (uint32_t i = 0; i < view->space_capacity; i++) {
        struct sync_space *space = view->spaces[i];
        if (!space)
            continue;
        uint32_t slot = space_hash(space->id) & (capacity - 1);
        while (spaces[slot])
            slot = (slot + 1) & (capacity - 1);
        spaces[slot] = space;
    }
    view->spaces = spaces;
    view->space_capacity = capacity;
    return true;
}

struct sync_space *sync_view_find(struct sync_view *view, uint64_t id)
{
    uint32_t hash = space_hash(id);
    /* The spaces that were found last are tried first: most commands access the same ones again. */
    struct sync_space **recent = &view->recent[hash % ARRAY_LENGTH(view->recent)];
    if (likely(*recent && (*recent)->id == id))
        return *recent;
    if (!view->space_capacity)
        return NULL;
    /* Open addressing; the table is at most half full, so that an empty slot ends the search. */
    for (uint32_t slot = hash;; slot++) {
        struct sync_space *space = view->spaces[slot & (view->space_capacity - 1)];
        if (!space)
            return NULL;
        if (space->id == id)
            return *recent = space;
    }
}

struct sync_space *sync_view_space(struct sync_view *view, uint64_t id)
{
    assert(id);
    struct sync_space *space = sync_view_find(view, id);
    if (likely(space != NULL))
        return space;
    if (view->space_count * 2 >= view->space_capacity && !grow_spaces(view))
        return NULL;
    space = arena_take(view->log.arena, sizeof *space);
    if (!space)
        return NULL;
    space->id = id;
    memset(space->hints, 0, sizeof space->hints);
    memset(space->nexts, 0, sizeof space->nexts);
    range_map_init(&space->map, view->log.arena);
    uint32_t slot = space_hash(id) & (view->space_capacity - 1);
    while (view->spaces[slot])
        slot = (slot + 1) & (view->space_capacity - 1);
    view->spaces[slot] = space;
    view->space_count++;
    return space;
}

/* --- lifetime --- */

void sync_context_init(struct sync_context *context, bool keeps_stream)
{
    *context = (struct sync_context){.keeps_stream = keeps_stream};
    sync_view_init(&context->root, &context->arena);
    context->root.log.notes_repeats = !context->keeps_stream;
    context->current = &context->root;
}

void sync_context_reset(struct sync_context *context)
{
    struct arena arena = context->arena;
    uint32_t barriers = context->root.log.count, items = context->stream_count;
    arena_rewind(&arena);
    *context = (struct sync_context){.arena = arena,
                                     .spare = context->spare,
                                     .keeps_stream = context->keeps_stream,
                                     .sink = context->sink,
                                     .is_done = context->is_done};
    sync_view_init(&context->root, &context->arena);
    context->root.log.notes_repeats = !context->keeps_stream;
    /* A recording tends to be as long as the previous one in this context: one piece of memory of
     * that size is enough. */
    context->root.log.expected = barriers;
    context->stream_expected = items;
    context->current = &context->root;
}

void sync_context_free(struct sync_context *context)
{
    arena_free(&context->arena, true);
    arena_free(&context->spare, true);
    sync_context_init(context, context->keeps_stream);
}

struct stream_item *sync_context_stream(struct sync_context *context, enum stream_kind kind)
{
    uint32_t first =
        context->stream_expected > FIRST_ITEMS ? context->stream_expected : FIRST_ITEMS;
    if (!vec_room_in(&context->arena, &context->stream, context->stream_count,
                     &context->stream_capacity, first, sizeof *context->stream)) {
        sync_give_up(context);
        return NULL;
    }
    struct stream_item *item = &context->stream[context->stream_count++];
    context->entangled |= kind == STREAM_SET_EVENT || kind == STREAM_WAIT_EVENTS;
    item->kind = kind;
    return item;
}

/* Adds an access to the stream of first accesses, which a replay of the command buffer checks and
 * repeats. */
static void stream_access(struct sync_context *context, uint64_t space, uint64_t begin,
                          uint64_t end, const struct sync_access *access)
{
    assert(context->keeps_stream && begin < end);
    struct stream_item *item = sync_context_stream(context, STREAM_ACCESS);
    if (!item)
        return;
    item->place = (struct sync_place){space, begin, end};
    item->access = *access;
}

/* --- pieces of the map --- */

/* Returns an empty state that counts as caught up with the view's log, since barriers before its
 * first access do not concern it. Returns NULL if memory is out; the context has given up then. */
static struct sync_state *new_state(struct sync_context *context, const struct sync_view *view)
{
    struct sync_state *state = arena_take(&context->arena, sizeof *state);
    if (!state) {
        sync_give_up(context);
        return NULL;
    }
    state->caught_up = view->log.count;
    state->read_count = state->read_capacity = 0;
    state->write = (struct sync_record){0};
    state->visible = (struct usage_mask){0};
    return state;
}

bool sync_split_at(struct sync_context *context, struct range_map *map, struct range_cursor *cursor,
                   uint64_t at)
{
    assert(range_map_at(map, *cursor));
    struct sync_state *second = arena_take(&context->arena, sizeof *second);
    /* A state owns its reads and its lists of other queues' knowledge, so each half needs a
     * copy. */
    if (!second || !sync_state_copy(second, range_map_at(map, *cursor)->value, &context->arena) ||
        !range_map_split(map, cursor, at, second)) {
        sync_give_up(context);
        return false;
    }
    return true;
}

/* Forgets accesses that the host has waited for. When a read is removed, later reads move up, so
 * that the index stays the same. */
static void context_expire(struct sync_context *context, struct sync_state *state)
{
    for (uint32_t i = 0; i < state->read_count;) {
        if (!context->is_done(context, sync_state_read(state, i))) {
            i++;
            continue;
        }
        state->read_count--;
        for (uint32_t k = i; k < state->read_count; k++)
            *sync_state_read(state, k) = *sync_state_read(state, k + 1);
    }
    if (state->write.usage != SYNC_NONE && context->is_done(context, &state->write))
        state->write = (struct sync_record){0};
}

void sync_bring_up_to_date(struct sync_context *context, const struct sync_view *view,
                           struct sync_state *state)
{
    /* accesses that are over are removed first, as they need not catch up */
    if (unlikely(context->is_done != NULL)) {
        context_expire(context, state);
        if (sync_state_is_empty(state))
            state->caught_up = view->log.count;
    }
    access_log_catch_up(&view->log, state, &context->arena);
}

/* Returns the hint for an entry that begins at `begin`: where one was found last. A hint may be
 * stale, so the caller compares. */
static ALWAYS_INLINE struct range_cursor *hint_of(struct sync_space *space, uint64_t begin)
{
    static_assert(SYNC_HINTS == 1 << (64 - 61), "three bits of the product");
    return &space->hints[begin * 0x9e3779b97f4a7c15ull >> 61];
}

/* Returns the hint for the entry that follows one that ends at `end`: a stream of accesses goes on
 * there. */
static ALWAYS_INLINE struct range_cursor *next_of(struct sync_space *space, uint64_t end)
{
    static_assert(SYNC_NEXTS == 1 << (64 - 62), "two bits of the product");
    return &space->nexts[end * 0x9e3779b97f4a7c15ull >> 62];
}

/* Returns the entry that begins at `at`, and sets its cursor, if a hint leads to it; else NULL. If
 * the hint of the stream was right, that hint moves on to the next entry. */
static ALWAYS_INLINE struct range_entry *hinted_entry(struct sync_space *space, uint64_t at,
                                                      struct range_cursor *cursor)
{
    *cursor = *hint_of(space, at);
    struct range_entry *entry = range_map_at(&space->map, *cursor);
    if (likely(entry && entry->begin == at))
        return entry;
    *cursor = *next_of(space, at);
    entry = range_map_at(&space->map, *cursor);
    if (!entry || entry->begin != at)
        return NULL;
    struct range_cursor *next = next_of(space, entry->end);
    *next = *cursor;
    range_map_next(&space->map, next);
    return entry;
}

/* Returns the same cursor as range_map_seek(), found with the hints where they are right. */
static ALWAYS_INLINE struct range_cursor context_seek(struct sync_space *space, uint64_t at)
{
    struct range_cursor cursor = *hint_of(space, at);
    const struct range_entry *entry = range_map_at(&space->map, cursor);
    if (entry && entry->begin == at)
        return cursor;
    cursor = *next_of(space, at);
    return range_map_is_at(&space->map, cursor, at) ? cursor : range_map_seek(&space->map, at);
}

bool sync_walk_next(struct sync_walk *walk)
{
    struct sync_context *context = walk->context;
    struct range_map *map = &walk->space->map;
    if (walk->begin >= walk->limit || context->broken)
        return false;
    struct range_entry *entry = range_map_at(map, walk->cursor);
    if (!entry || entry->begin >= walk->limit) {
        if (!walk->fills_gaps)
            return false;
        entry = NULL;
    }
    /* A gap has no state yet. It becomes a piece with an empty state. */
    if (walk->fills_gaps && (!entry || entry->begin > walk->begin)) {
        uint64_t end = entry ? entry->begin : walk->limit;
        walk->state = new_state(context, walk->view);
        if (!walk->state)
            return false;
        if (!range_map_insert(map, &walk->cursor, walk->begin, end, walk->state)) {
            sync_give_up(context);
            return false;
        }
        walk->piece_begin = walk->begin;
        walk->piece_end = walk->begin = end;
        range_map_next(map, &walk->cursor);
        *next_of(walk->space, walk->piece_end) = walk->cursor;
        return true;
    }
    /* The piece must lie wholly in the walked place, so it is cut where the place begins and
     * ends. */
    if (entry->begin < walk->begin) {
        if (!sync_split_at(context, map, &walk->cursor, walk->begin))
            return false;
        range_map_next(map, &walk->cursor);
        entry = range_map_at(map, walk->cursor);
    }
    if (entry->end > walk->limit) {
        if (!sync_split_at(context, map, &walk->cursor, walk->limit))
            return false;
        entry = range_map_at(map, walk->cursor);
    }
    walk->state = entry->value;
    walk->piece_begin = entry->begin;
    walk->piece_end = walk->begin = entry->end;
    *hint_of(walk->space, walk->piece_begin) = walk->cursor;
    /* The caller overwrites the state, so it need not catch up with earlier barriers. */
    if (unlikely(walk->replaces))
        walk->state->caught_up = walk->view->log.count;
    else
        sync_bring_up_to_date(context, walk->view, walk->state);
    range_map_next(map, &walk->cursor);
    *next_of(walk->space, walk->piece_end) = walk->cursor;
    return true;
}

void sync_walk_start(struct sync_walk *walk, struct sync_context *context, struct sync_view *view,
                     struct sync_space *space, uint64_t begin, uint64_t end, bool fills_gaps)
{
    assert(begin < end);
    *walk = (struct sync_walk){.context = context,
                               .view = view,
                               .space = space,
                               .cursor = context_seek(space, begin),
                               .begin = begin,
                               .limit = end,
                               .fills_gaps = fills_gaps};
}

/* Returns the state of the piece that a place begins with; most repeated accesses find one. If
 * `whole`, the piece must end with the place, too. NULL: the place has to be walked. */
static ALWAYS_INLINE struct sync_state *only_state(struct sync_context *context,
                                                   const struct sync_place *place, bool whole,
                                                   struct sync_place *piece)
{
    struct sync_view *view = &context->root;
    struct sync_space *space = view->recent[space_hash(place->space) % ARRAY_LENGTH(view->recent)];
    if (!space || space->id != place->space || context->current != view)
        return NULL;
    struct range_cursor cursor;
    const struct range_entry *entry = hinted_entry(space, place->begin, &cursor);
    if (!entry)
        return NULL;
    *piece = (struct sync_place){place->space, entry->begin, entry->end};
    if (entry->end != place->end) {
        if (whole || entry->end > place->end)
            return NULL;
        range_map_next(&space->map, &cursor);
        const struct range_entry *next = range_map_at(&space->map, cursor);
        if (next && next->begin < place->end)
            return NULL;
    }
    sync_bring_up_to_date(context, view, entry->value);
    return entry->value;
}

/* Begins a walk over the pieces of a place in the current view. Returns false if memory is out. */
bool sync_walk_place(struct sync_walk *walk, struct sync_context *context,
                     const struct sync_place *place, bool fills_gaps)
{
    struct sync_view *view = context->current;
    struct sync_space *space = sync_view_space(view, place->space);
    if (!space) {
        sync_give_up(context);
        return false;
    }
    if (unlikely(view != &context->root))
        sync_subpass_fill(context, context->subpass, place);
    sync_walk_start(walk, context, view, space, place->begin, place->end, fills_gaps);
    return true;
}

/* --- accesses --- */

COLD void sync_tell(const struct sync_context *context, uint64_t space, uint64_t begin,
                    uint64_t end, const struct sync_access *access,
                    const struct sync_barrier *barrier, const struct sync_hazard *hazard)
{
    assert(begin < end && hazard->kind != HAZARD_NONE);
    /* Hazards within a command buffer were reported when it was recorded. */
    uint64_t prior = hazard->prior.tag, replayed = context->replay_base;
    /* The upper half of a tag is the slot of the command buffer: both tags have the same one if
     * they are of one execution. */
    if (!context->sink || (context->replays && prior >= replayed && prior >> 32 == replayed >> 32))
        return;
    context->sink->hazard(context->sink, &(struct sync_place){space, begin, end}, access, barrier,
                          hazard);
}

/* Reports a hazard, and saves the state from before the access, in case the command is refused. */
static COLD void tell_and_save(struct sync_context *context, const struct sync_place *piece,
                               const struct sync_access *access, const struct sync_barrier *barrier,
                               const struct sync_hazard *hazard, const struct sync_state *state)
{
    sync_tell(context, piece->space, piece->begin, piece->end, access, barrier, hazard);
    sync_save_state(context, piece, state, access->tag);
}

/* True if this is the first time that the command buffer makes such an access here, before any
 * write of its own. */
static bool access_is_first(const struct sync_state *state, const struct sync_access *access)
{
    if (state->write.usage != SYNC_NONE)
        return false;
    if (sync_usage_info[access->usage].is_write)
        return true;
    for (uint32_t i = 0; i < state->read_count; i++) {
        if (sync_state_read(state, i)->usage == access->usage)
            return false;
    }
    return true;
}

/* Makes one piece of a place after a write, as all its pieces are alike then. The cursor is left
 * after the last of them. */
void sync_unite_pieces(struct sync_context *context, struct sync_space *space,
                       const struct sync_place *place)
{
    assert(place->begin < place->end);
    struct range_cursor cursor = range_map_seek(&space->map, place->begin);
    struct range_entry *entry = range_map_at(&space->map, cursor);
    if (!entry || entry->begin != place->begin || entry->end == place->end || context->broken)
        return;
    struct range_cursor next = cursor;
    range_map_next(&space->map, &next);
    for (struct range_entry *other;
         (other = range_map_at(&space->map, next)) && other->end <= place->end;)
        range_map_remove(&space->map, &next);
    range_map_at(&space->map, range_map_seek(&space->map, place->begin))->end = place->end;
}

/* Equal pieces are looked for after a read of at least this many pieces. Fewer cost little to
 * walk. */
#define UNITE_FROM 8

/* Joins neighbouring pieces that have become equal. Reads do that to pieces which differed only in
 * earlier reads and have the same write. All pieces have been brought up to date. */
static COLD void unite_equal_pieces(struct sync_context *context, struct sync_space *space,
                                    const struct sync_place *place)
{
    struct range_cursor cursor = range_map_seek(&space->map, place->begin);
    struct range_entry *entry = range_map_at(&space->map, cursor);
    while (entry && entry->begin < place->begin) {
        range_map_next(&space->map, &cursor);
        entry = range_map_at(&space->map, cursor);
    }
    while (entry && entry->end < place->end && !context->broken) {
        struct range_cursor next = cursor;
        range_map_next(&space->map, &next);
        const struct range_entry *other = range_map_at(&space->map, next);
        if (!other || other->end > place->end)
            return;
        if (other->begin != entry->end || !sync_states_are_equal(entry->value, other->value)) {
            cursor = next;
            entry = range_map_at(&space->map, cursor);
            continue;
        }
        const uint64_t end = other->end, begin = entry->begin;
        range_map_remove(&space->map, &next);
        /* the erasure may have removed an empty leaf, so that the entry is elsewhere */
        cursor = range_map_seek(&space->map, begin);
        entry = range_map_at(&space->map, cursor);
        entry->end = end;
    }
}

/* True if the record is an access to an attachment, or of a layout transition, in the current
 * render pass instance and on the access's queue. */
static bool is_of_pass(const struct sync_context *context, const struct sync_access *access,
                       const struct sync_record *record)
{
    bool attachment = record->ordering != SYNC_UNORDERED && record->ordering != SYNC_ORDER_ALIAS;
    return record->usage != SYNC_NONE && record->tag >= context->subpasses[0].first_tag &&
           record->queue == access->queue &&
           (attachment || record->usage == SYNC_IMAGE_LAYOUT_TRANSITION);
}

/* True if the access, which is to an attachment, happens after this record of its instance without
 * any dependency. A store operation comes after all others; other accesses come after load
 * operations. */
static bool comes_before(const struct sync_context *context, const struct sync_access *access,
                         const struct sync_record *record)
{
    return is_of_pass(context, access, record) &&
           (access->ordering == SYNC_ORDER_STORE || record->ordering == SYNC_ORDER_LOAD);
}

/* Selects accesses of a render pass instance. */
enum pass_accesses {
    PASS_WRITES,
    PASS_ALL,
    PASS_LOADS, /* writes, and reads of contents that a load operation has read properly */
};

/* True if the state has such an attachment access of the instance, made after `tag` and before
 * `access`. */
static bool pass_has(const struct sync_context *context, const struct sync_access *access,
                     const struct sync_state *state, uint64_t tag, enum pass_accesses which)
{
    bool has = state->write.tag > tag && comes_before(context, access, &state->write);
    for (uint32_t i = 0; i < state->read_count && which != PASS_WRITES && !has; i++) {
        const struct sync_record *read = sync_state_read(state, i);
        has = read->tag > tag &&
              (which == PASS_LOADS ? read->loaded && is_of_pass(context, access, read)
                                   : comes_before(context, access, read));
    }
    return has;
}

/* True if earlier subpasses have accessed all of the piece after `tag`. */
static bool pass_covers(const struct sync_context *context, const struct sync_access *access,
                        const struct sync_place *piece, uint64_t tag, enum pass_accesses which)
{
    for (uint64_t at = piece->begin, end; at < piece->end; at = end) {
        end = at;
        for (uint32_t i = 0; i < context->subpass && end == at; i++) {
            struct sync_space *space = sync_view_find(&context->subpasses[i], piece->space);
            const struct range_entry *entry =
                space ? range_map_at(&space->map, range_map_seek(&space->map, at)) : NULL;
            if (entry && entry->begin <= at && at < entry->end &&
                pass_has(context, access, entry->value, tag, which))
                end = entry->end;
        }
        if (end == at)
            return false;
    }
    return true;
}

/* True for accesses by an attachment's operations and commands in an instance. Shaders' atomics and
 * accesses to other images are not among them. */
static bool is_of_attachment(const struct sync_access *access)
{
    switch ((enum sync_ordering)access->ordering) {
    case SYNC_ORDER_COLOR:
    case SYNC_ORDER_DEPTH_STENCIL:
    case SYNC_ORDER_INPUT:
    case SYNC_ORDER_RESOLVE:
        return true;
    case SYNC_ORDER_STORE:
        return sync_usage_info[access->usage].is_write;
    default:
        return false;
    }
}

/* "The store operation for each sample in an attachment happens-after any recorded command which
 * accesses the sample via that attachment", and "The load operation for each sample in an
 * attachment happens-before any recorded command which accesses the sample in that render pass
 * instance via that attachment". This holds in every subpass, whatever the dependencies are. So the
 * access also happens after everything that those commands happen after, or a hazard was reported
 * there. Returns true if the remaining records have no hazard. */
COLD static bool pass_is_clean(struct sync_context *context, const struct sync_access *access,
                               const struct sync_place *piece, const struct sync_state *state,
                               struct sync_hazard *hazard)
{
    struct sync_state others;
    uint16_t kept = 0;
    /* a read has to see the write itself */
    enum pass_accesses which = sync_usage_info[access->usage].is_write ? PASS_ALL
                               : access->usage == SYNC_FRAGMENT_SHADER_INPUT_ATTACHMENT_READ
                                   ? PASS_LOADS
                                   : PASS_WRITES;
    if (!context->graph || !is_of_attachment(access))
        return false;
    if (!sync_state_copy(&others, state, &context->arena))
        return true;
    bool ordered = comes_before(context, access, &others.write) ||
                   pass_has(context, access, state, others.write.tag, which) ||
                   pass_covers(context, access, piece, others.write.tag, which);
    for (uint32_t i = 0; i < others.read_count; i++) {
        const struct sync_record *read = sync_state_read(&others, i);
        if (!comes_before(context, access, read) &&
            !pass_covers(context, access, piece, read->tag, PASS_WRITES))
            *sync_state_read(&others, kept++) = *read;
    }
    others.read_count = kept;
    if (ordered)
        others.write = (struct sync_record){0};
    return sync_state_check(&others, access, hazard) == HAZARD_NONE;
}

/* Notes that the read added last has happened after the write, by the order of its instance. */
COLD static void note_saw_write(struct sync_state *state, const struct sync_access *access)
{
    for (uint32_t i = 0; i < state->read_count; i++) {
        struct sync_record *read = sync_state_read(state, i);
        read->saw_write |= read->tag == access->tag && read->usage == access->usage;
    }
}

/* Checks and records an access to one piece. Returns true if there was no hazard. */
static ALWAYS_INLINE bool access_piece(struct sync_context *context, const struct sync_place *piece,
                                       struct sync_state *state, const struct sync_access *access,
                                       uint64_t first_tag)
{
    assert(piece->begin < piece->end);
    struct sync_hazard hazard;
    bool clean = true, ordered_by_pass = false;
    if (context->keeps_stream && access_is_first(state, access))
        stream_access(context, piece->space, piece->begin, piece->end, access);
    if (unlikely(sync_state_check(state, access, &hazard) != HAZARD_NONE)) {
        ordered_by_pass = pass_is_clean(context, access, piece, state, &hazard);
        clean = ordered_by_pass;
    }
    if (unlikely(!clean))
        tell_and_save(context, piece, access, NULL, &hazard, state);
    /* The access is recorded after a hazard as well, so that later ones are compared with it. */
    if (!sync_state_add(state, access, first_tag, &context->arena))
        sync_give_up(context);
    if (unlikely(ordered_by_pass))
        note_saw_write(state, access);
    return clean;
}

/* Checks and records an access in each piece of the place. True if there was no hazard. */
static bool access_pieces(struct sync_context *context, const struct sync_place *place,
                          const struct sync_access *access)
{
    struct sync_walk walk;
    if (!sync_walk_place(&walk, context, place, true))
        return true;
    bool clean = true;
    uint64_t first_tag = context->current->first_tag;
    uint32_t pieces = 0;
    for (; sync_walk_next(&walk); pieces++) {
        const struct sync_place piece = {place->space, walk.piece_begin, walk.piece_end};
        enum pass_order order = unlikely(context->graph != NULL)
                                    ? sync_subpass_order(context, walk.state, access)
                                    : PASS_NOT_ORDERED;
        clean &= access_piece(context, &piece, walk.state, access, first_tag);
        if (unlikely(context->graph != NULL))
            clean &= sync_subpass_check_races(context, &piece, access, order);
    }
    if (pieces > 1 && clean && sync_usage_info[access->usage].is_write)
        sync_unite_pieces(context, walk.space, place);
    else if (unlikely(pieces >= UNITE_FROM) && clean)
        unite_equal_pieces(context, walk.space, place);
    return clean;
}

/* Keeps the access for a later replay of all accesses. A secondary's accesses are kept in the
 * secondary's own stream only. */
COLD static void keep_access(struct sync_context *context, const struct sync_place *place,
                             const struct sync_access *access)
{
    struct stream_item *item =
        context->keeps_all && !context->replays ? sync_context_stream(context, STREAM_EVERY) : NULL;
    if (!item)
        return;
    item->place = *place;
    item->access = *access;
    if (!access->instance && access->ordering != SYNC_UNORDERED)
        item->access.instance = context->instance;
}

bool sync_context_access(struct sync_context *context, const struct sync_place *place,
                         const struct sync_access *made)
{
    assert(place->begin < place->end);
    assert(made->usage != SYNC_NONE && made->usage < SYNC_USAGE_COUNT);
    if (unlikely(context->special)) {
        if (context->broken)
            return true;
        keep_access(context, place, made);
    }
    struct sync_access access = *made;
    if (!access.instance)
        access.instance = access.ordering != SYNC_UNORDERED ? context->instance : 0;
    struct sync_place piece;
    /* Usually the same place was accessed before as a whole, and no walk is needed. */
    struct sync_state *state = only_state(context, place, true, &piece);
    if (likely(state != NULL))
        return access_piece(context, &piece, state, &access, context->root.first_tag);
    return access_pieces(context, place, &access);
}

bool sync_context_check(struct sync_context *context, const struct sync_place *place,
                        const struct sync_access *checked)
{
    assert(place->begin < place->end);
    assert(checked->usage != SYNC_NONE && checked->usage < SYNC_USAGE_COUNT);
    struct sync_walk walk;
    bool clean = true;
    struct sync_access of_instance = *checked;
    const struct sync_access *access = &of_instance;
    if (!of_instance.instance)
        of_instance.instance = of_instance.ordering != SYNC_UNORDERED ? context->instance : 0;
    /* Gaps stay gaps, since a check leaves no record. */
    if (context->broken || !sync_walk_place(&walk, context, place, false))
        return true;
    for (struct sync_hazard hazard; sync_walk_next(&walk);) {
        const struct sync_place piece = {place->space, walk.piece_begin, walk.piece_end};
        if (sync_state_check(walk.state, access, &hazard) == HAZARD_NONE ||
            pass_is_clean(context, access, &piece, walk.state, &hazard))
            continue;
        sync_tell(context, place->space, walk.piece_begin, walk.piece_end, access, NULL, &hazard);
        clean = false;
    }
    return clean;
}

/* --- barriers --- */

/* Places in different spaces never overlap: aliases of one memory are given one space. */
static bool sync_places_overlap(const struct sync_place *a, const struct sync_place *b)
{
    return a->space == b->space && a->begin < b->end && b->begin < a->end;
}

/* Commands with more range barriers than this that overlap are rare, and looking for them would
 * cost more than the rest. They are applied one after the other, which orders too much. */
#define OVERLAPS_LOOKED_FOR 32

/* True if barriers of a command meet in one piece. Those are applied at once, as none of them is in
 * the first scope of another. */
static bool barriers_meet(const struct sync_barriers *barriers)
{
    /* A global barrier concerns every piece, and so the pieces of the ranges as well. */
    if (barriers->global_count && barriers->range_count)
        return true;
    if (barriers->range_count > OVERLAPS_LOOKED_FOR)
        return false;
    for (uint32_t i = 1; i < barriers->range_count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (sync_places_overlap(&barriers->ranges[i].place, &barriers->ranges[k].place))
                return true;
        }
    }
    return false;
}

/* The most barriers of a command, the global ones included, that are applied to a piece at once. */
#define BARRIERS_AT_ONCE 32
/* Gathers the barriers that are to be applied to a piece together with range `first`. Returns 0 if
 * an earlier range covers the piece and has already applied this one. */
static uint32_t barriers_gather(const struct sync_barriers *barriers, uint32_t first,
                                const struct sync_place *piece,
                                struct sync_barrier gathered[BARRIERS_AT_ONCE])
{
    assert(first < barriers->range_count);
    uint32_t count = 0;
    bool looked = barriers->range_count <= OVERLAPS_LOOKED_FOR;
    uint32_t end = looked ? barriers->range_count : first + 1;
    for (uint32_t i = looked ? 0 : first; i < end && count < BARRIERS_AT_ONCE; i++) {
        if (!sync_places_overlap(&barriers->ranges[i].place, piece))
            continue;
        if (i < first)
            return 0;
        if (!barriers->ranges[i].transition)
            gathered[count++] = barriers->barriers[barriers->ranges[i].barrier];
    }
    for (uint32_t i = 0; i < barriers->global_count && count < BARRIERS_AT_ONCE; i++)
        gathered[count++] = barriers->barriers[i];
    return count;
}

/* Splits pieces where a later range barrier of the command begins or ends, so that each piece lies
 * wholly inside or wholly outside of its range. */
static void split_for_others(struct sync_context *context, const struct sync_barriers *barriers,
                             uint32_t first)
{
    struct sync_walk walk;
    const struct sync_place *place = &barriers->ranges[first].place;
    if (barriers->range_count > OVERLAPS_LOOKED_FOR)
        return;
    for (uint32_t i = first + 1; i < barriers->range_count && !context->broken; i++) {
        const struct sync_place *other = &barriers->ranges[i].place;
        if (!sync_places_overlap(place, other) || !sync_walk_place(&walk, context, other, false))
            continue;
        /* The walk itself cuts the pieces; nothing else is to be done. */
        while (sync_walk_next(&walk)) {
        }
    }
}

/* A layout transition reads and writes all of the piece, between the two scopes of its barrier. An
 * acquire of ownership is not checked here: the releasing queue has checked the transfer. */
static void transition_piece(struct sync_context *context, const struct sync_range_barrier *range,
                             const struct sync_barrier *barrier, uint64_t tag,
                             const struct sync_place *piece, struct sync_state *state)
{
    struct sync_access access = {.tag = tag,
                                 .instance = range->alias,
                                 .usage = SYNC_IMAGE_LAYOUT_TRANSITION,
                                 .queue = barrier->queue,
                                 .ordering = range->alias ? SYNC_ORDER_ALIAS : SYNC_UNORDERED};
    struct sync_hazard hazard;
    if (!range->acquire &&
        unlikely(sync_state_check_transition(state, barrier, range->alias, &hazard) != HAZARD_NONE))
        tell_and_save(context, piece, &access, barrier, &hazard, state);
    sync_state_add_transition(state, barrier, range->alias, tag, range->discards);
}

/* True if this barrier alone, where it applies, orders all that the global barriers order. A
 * command with one barrier has its execution dependency as a global one as well. */
static ALWAYS_INLINE bool does_all(const struct sync_barriers *barriers,
                                   const struct sync_barrier *barrier)
{
    for (uint32_t i = 0; i < barriers->global_count; i++) {
        const struct sync_barrier *global = &barriers->barriers[i];
        if (global->src.stages != barrier->src.stages ||
            global->dst.stages != barrier->dst.stages ||
            global->everything != barrier->everything || global->first_tag != barrier->first_tag ||
            global->snapshots != barrier->snapshots ||
            !usage_mask_is_empty(&global->src.accesses) ||
            !usage_mask_is_empty(&global->dst.accesses))
            return false;
    }
    return barriers->range_count == 1;
}

/* Applies range barrier `index` to one piece. `joint`: all barriers of the command that concern the
 * piece are applied at once. */
static void apply_to_piece(struct sync_context *context, const struct sync_barriers *barriers,
                           uint32_t index, bool joint, const struct sync_place *piece,
                           struct sync_state *state)
{
    assert(piece->begin < piece->end);
    const struct sync_range_barrier *range = &barriers->ranges[index];
    const struct sync_barrier *barrier = &barriers->barriers[range->barrier];
    if (range->transition) {
        transition_piece(context, range, barrier, barriers->tag, piece, state);
    } else if (likely(!joint || does_all(barriers, barrier))) {
        sync_state_apply(state, barrier, 1, &context->arena);
    } else {
        struct sync_barrier gathered[BARRIERS_AT_ONCE];
        uint32_t count = barriers_gather(barriers, index, piece, gathered);
        if (count)
            sync_state_apply(state, gathered, count, &context->arena);
    }
    if (joint) /* skips this command's global barriers, which are about to be appended to the log */
        state->caught_up = context->current->log.count + barriers->global_count;
}

/* Applies one barrier for a range to the states that lie in it. `joint`: several ranges may meet in
 * one piece. */
static void apply_range(struct sync_context *context, const struct sync_barriers *barriers,
                        uint32_t index, bool joint)
{
    assert(index < barriers->range_count);
    assert(barriers->ranges[index].barrier < barriers->barrier_count);
    const struct sync_range_barrier *range = &barriers->ranges[index];
    struct sync_walk walk;
    if (barriers->range_count == 1) {
        struct sync_place piece;
        struct sync_state *state = only_state(context, &range->place, range->transition, &piece);
        if (likely(state != NULL))
            return apply_to_piece(context, barriers, index, joint, &piece, state);
    }
    if (joint)
        split_for_others(context, barriers, index);
    if (!sync_walk_place(&walk, context, &range->place, range->transition))
        return;
    /* a transition makes pieces alike, unless some were discarded before it */
    uint32_t pieces = 0, discarded = 0;
    for (; sync_walk_next(&walk); pieces++) {
        const struct sync_place piece = {range->place.space, walk.piece_begin, walk.piece_end};
        apply_to_piece(context, barriers, index, joint, &piece, walk.state);
        discarded += walk.state->write.discarded != SYNC_KEPT_CONTENTS;
    }
    if (range->transition && pieces > 1 && (!discarded || discarded == pieces))
        sync_unite_pieces(context, walk.space, &range->place);
    if (context->graph && range->transition)
        sync_subpass_check_races(context, &range->place,
                                 &(struct sync_access){
                                     .tag = barriers->tag,
                                     .instance = range->alias,
                                     .usage = SYNC_IMAGE_LAYOUT_TRANSITION,
                                     .queue = barriers->barriers[range->barrier].queue,
                                     .ordering = range->alias ? SYNC_ORDER_ALIAS : SYNC_UNORDERED},
                                 PASS_NOT_ORDERED);
}

void sync_append_barriers(struct sync_context *context, struct sync_view *view,
                          const struct sync_barrier *barriers, uint32_t count)
{
    assert(barriers || !count);
    for (uint32_t i = 0; i < count; i++) {
        if (!access_log_append_barrier(&view->log, &barriers[i], i + 1 == count))
            sync_give_up(context);
    }
}

/* True if the barriers equal those of a recent command. Programs repeat themselves, and equal ones
 * are kept once. */
static bool is_kept(const struct sync_barriers *kept, const struct sync_barriers *barriers)
{
    return kept && barriers->barrier_count && kept->barrier_count == barriers->barrier_count &&
           kept->range_count == barriers->range_count &&
           kept->global_count == barriers->global_count &&
           !memcmp(kept->barriers, barriers->barriers,
                   barriers->barrier_count * sizeof *barriers->barriers) &&
           (!barriers->range_count || !memcmp(kept->ranges, barriers->ranges,
                                              barriers->range_count * sizeof *barriers->ranges));
}

/* Moves the arrays of `kept` into the context's arena. Returns false if memory is out. */
static bool keep_arrays(struct sync_context *context, struct sync_barriers *kept)
{
    struct sync_barrier *scopes = arena_take(&context->arena, kept->barrier_count * sizeof *scopes);
    struct sync_range_barrier *ranges =
        arena_take(&context->arena, kept->range_count * sizeof *ranges);
    if (!scopes || !ranges)
        return false;
    for (uint32_t i = 0; i < kept->barrier_count; i++)
        scopes[i] = kept->barriers[i];
    for (uint32_t i = 0; i < kept->range_count; i++)
        ranges[i] = kept->ranges[i];
    kept->barriers = scopes;
    kept->ranges = ranges;
    return true;
}

struct sync_barriers *sync_keep_barriers(struct sync_context *context,
                                         const struct sync_barriers *barriers)
{
    struct sync_barriers *kept = arena_take(&context->arena, sizeof *kept);
    const struct sync_barriers *like = NULL;
    if (!kept) {
        sync_give_up(context);
        return NULL;
    }
    /* It is enough to compare the last few commands, as programs use few kinds of barriers in a
     * row. */
    for (uint32_t i = 0; i < SYNC_KEPT && !like; i++)
        like = is_kept(context->kept[i], barriers) ? context->kept[i] : NULL;
    *kept = *barriers;
    if (like) {
        kept->barriers = like->barriers;
        kept->ranges = like->ranges;
        return kept;
    }
    if (!keep_arrays(context, kept)) {
        sync_give_up(context);
        return NULL;
    }
    context->kept[context->kept_next++ % SYNC_KEPT] = kept;
    return kept;
}

void sync_apply_barriers(struct sync_context *context, const struct sync_barriers *barriers)
{
    assert(barriers->global_count <= barriers->barrier_count);
    /* Only barriers that meet must be applied at once; usually none do, and the short way is
     * taken. */
    bool joint = barriers->range_count && barriers->barrier_count > 1 && barriers_meet(barriers);
    for (uint32_t i = 0; i < barriers->range_count && !context->broken; i++)
        apply_range(context, barriers, i, joint);
    /* Global barriers are appended after the ranges are done, which must not catch up with barriers
     * of their own command. */
    sync_append_barriers(context, context->current, barriers->barriers, barriers->global_count);
}

/* Applies barriers in a subpass, where their first scopes are the subpass' own commands. Only the
 * dependencies of the render pass make transitions of attachments, and their first scopes lie
 * before the subpass. */
static void apply_in_subpass(struct sync_context *context, const struct sync_barriers *barriers)
{
    struct sync_barrier *scopes =
        arena_take(&context->arena, barriers->barrier_count * sizeof *scopes);
    if (!scopes)
        return sync_give_up(context);
    for (uint32_t i = 0; i < barriers->barrier_count; i++) {
        scopes[i] = barriers->barriers[i];
        scopes[i].first_tag = context->current->first_tag;
    }
    for (uint32_t i = 0; i < barriers->range_count; i++) {
        /* A first tag of 0 puts the whole command buffer into the first scope. */
        if (barriers->ranges[i].transition)
            scopes[barriers->ranges[i].barrier].first_tag = 0;
    }
    struct sync_barriers limited = *barriers;
    limited.barriers = scopes;
    sync_apply_barriers(context, &limited);
}

void sync_context_barriers(struct sync_context *context, const struct sync_barriers *barriers)
{
    if (context->broken)
        return;
    if (context->keeps_stream) {
        struct sync_barriers *kept = sync_keep_barriers(context, barriers);
        struct stream_item *item = kept ? sync_context_stream(context, STREAM_BARRIERS) : NULL;
        if (!item)
            return;
        item->barriers = kept;
    }
    if (unlikely(context->graph != NULL))
        apply_in_subpass(context, barriers);
    else
        sync_apply_barriers(context, barriers);
}

/* --- instances of dynamic rendering --- */

void sync_context_begin_instance(struct sync_context *context, bool resumed)
{
    if (context->keeps_stream && !context->broken) {
        struct stream_item *item = sync_context_stream(context, STREAM_INSTANCE);
        if (item)
            /* `event_count` is free in this kind of item. */
            item->event_count = resumed;
        context->entangled |= resumed;
    }
    /* A resumed instance is the suspended one, in which attachments are still ordered. If the
     * suspended instance is not in this context, the resumed one counts as new. */
    if (!resumed || !context->instance_count)
        context->instance_count++;
    context->instance = context->instance_count;
}

void sync_context_end_instance(struct sync_context *context)
{
    if (context->keeps_stream && !context->broken)
        sync_context_stream(context, STREAM_END_INSTANCE);
    context->instance = 0;
}
