/* How do accesses and barriers of a context find the states that they concern? */
#include "sync/access_context.h"

#include <string.h>

#include "sync/access_subpass.h"
#include "sync/usage_mask.h"

/* --- spaces --- */

#define FIRST_SPACES 16 /* slots of the table: a power of two; grows when half full */

static uint32_t space_hash(uint64_t id)
{
    return (uint32_t)((id * 0x9e3779b97f4a7c15ull) >> 32);
}

void sync_view_init(struct sync_view *view, struct arena *arena)
{
    *view = (struct sync_view){.log.arena = arena};
}

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
    struct sync_space **recent = &view->recent[hash % ARRAY_LENGTH(view->recent)];
    if (likely(*recent && (*recent)->id == id))
        return *recent;
    if (!view->space_capacity)
        return NULL;
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
    struct sync_space *space = sync_view_find(view, id);
    if (likely(space != NULL))
        return space;
    if (view->space_count * 2 >= view->space_capacity && !grow_spaces(view))
        return NULL;
    space = arena_take(view->log.arena, sizeof *space);
    if (!space)
        return NULL;
    space->id = id;
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
    context->current = &context->root;
}

void sync_context_reset(struct sync_context *context)
{
    struct arena arena = context->arena;
    arena_rewind(&arena);
    *context = (struct sync_context){
        .arena = arena, .keeps_stream = context->keeps_stream, .sink = context->sink, .is_done = context->is_done};
    sync_view_init(&context->root, &context->arena);
    context->current = &context->root;
}

void sync_context_free(struct sync_context *context)
{
    arena_free(&context->arena, true);
    sync_context_init(context, context->keeps_stream);
}

struct stream_item *sync_context_stream(struct sync_context *context, enum stream_kind kind)
{
    if (context->stream_count == context->stream_capacity) {
        uint32_t capacity = context->stream_capacity ? context->stream_capacity * 2 : 16;
        struct stream_item *stream = arena_take(&context->arena, capacity * sizeof *stream);
        if (!stream) {
            sync_give_up(context);
            return NULL;
        }
        if (context->stream_count)
            memcpy(stream, context->stream, context->stream_count * sizeof *stream);
        context->stream = stream;
        context->stream_capacity = capacity;
    }
    struct stream_item *item = &context->stream[context->stream_count++];
    item->kind = kind;
    return item;
}

static void stream_access(struct sync_context *context, uint64_t space, uint64_t begin, uint64_t end,
                          const struct sync_access *access)
{
    struct stream_item *item = sync_context_stream(context, STREAM_ACCESS);
    if (!item)
        return;
    item->place = (struct sync_place){space, begin, end};
    item->access = *access;
}

/* --- pieces of the map --- */

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

bool sync_split_at(struct sync_context *context, struct range_map *map, struct range_cursor *cursor, uint64_t at)
{
    struct sync_state *second = arena_take(&context->arena, sizeof *second);
    if (!second || !sync_state_copy(second, range_map_at(map, *cursor)->value, &context->arena) ||
        !range_map_split(map, cursor, at, second)) {
        sync_give_up(context);
        return false;
    }
    return true;
}

/* Forgets accesses that the host has waited for. */
static void expire(struct sync_context *context, struct sync_state *state)
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

void sync_bring_up_to_date(struct sync_context *context, const struct sync_view *view, struct sync_state *state)
{
    if (unlikely(context->is_done != NULL)) { /* first: what is over needs not catch up */
        expire(context, state);
        if (sync_state_is_empty(state))
            state->caught_up = view->log.count;
    }
    access_log_catch_up(&view->log, state, &context->arena);
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
        return true;
    }
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
    if (unlikely(walk->replaces))
        walk->state->caught_up = walk->view->log.count;
    else
        sync_bring_up_to_date(context, walk->view, walk->state);
    range_map_next(map, &walk->cursor);
    return true;
}

void sync_walk_start(struct sync_walk *walk, struct sync_context *context, struct sync_view *view,
                     struct sync_space *space, uint64_t begin, uint64_t end, bool fills_gaps)
{
    *walk = (struct sync_walk){.context = context,
                               .view = view,
                               .space = space,
                               .cursor = range_map_seek(&space->map, begin),
                               .begin = begin,
                               .limit = end,
                               .fills_gaps = fills_gaps};
}

/* The pieces of a place in the current view. False: memory is out. */
bool sync_walk_place(struct sync_walk *walk, struct sync_context *context, const struct sync_place *place,
                     bool fills_gaps)
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

COLD void sync_tell(const struct sync_context *context, uint64_t space, uint64_t begin, uint64_t end,
                    const struct sync_access *access, const struct sync_barrier *barrier,
                    const struct sync_hazard *hazard)
{
    /* What a command buffer has with itself was told when it was recorded. */
    uint64_t prior = hazard->prior.tag, replayed = context->replay_base;
    if (!context->sink || (context->replays && prior >= replayed && prior >> 32 == replayed >> 32))
        return;
    context->sink->hazard(context->sink, &(struct sync_place){space, begin, end}, access, barrier, hazard);
}

/* Is this the first time that the command buffer makes such an access here, before any write of its own? */
static bool is_first(const struct sync_state *state, const struct sync_access *access)
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

/* Writes make all pieces alike: one is enough. The cursor is behind the last of them. */
void sync_unite_pieces(struct sync_context *context, struct sync_space *space, const struct sync_place *place)
{
    struct range_cursor cursor = range_map_seek(&space->map, place->begin);
    struct range_entry *entry = range_map_at(&space->map, cursor);
    if (!entry || entry->begin != place->begin || entry->end == place->end || context->broken)
        return;
    struct range_cursor next = cursor;
    range_map_next(&space->map, &next);
    for (struct range_entry *other; (other = range_map_at(&space->map, next)) && other->end <= place->end;)
        range_map_remove(&space->map, &next);
    range_map_at(&space->map, range_map_seek(&space->map, place->begin))->end = place->end;
}

bool sync_context_access(struct sync_context *context, const struct sync_place *place, const struct sync_access *made)
{
    if (unlikely(context->broken))
        return true;
    struct sync_access access = *made;
    if (!access.instance)
        access.instance = access.ordering != SYNC_UNORDERED ? context->instance : 0;
    struct sync_walk walk;
    if (!sync_walk_place(&walk, context, place, true))
        return true;
    bool clean = true, write = sync_usage_info[access.usage].is_write;
    uint64_t first_tag = context->current->first_tag;
    uint32_t pieces = 0;
    for (struct sync_hazard hazard; sync_walk_next(&walk); pieces++) {
        if (context->keeps_stream && is_first(walk.state, &access))
            stream_access(context, place->space, walk.piece_begin, walk.piece_end, &access);
        if (unlikely(sync_state_check(walk.state, &access, &hazard) != HAZARD_NONE)) {
            sync_tell(context, place->space, walk.piece_begin, walk.piece_end, &access, NULL, &hazard);
            clean = false;
        }
        if (!sync_state_add(walk.state, &access, first_tag, &context->arena))
            sync_give_up(context);
    }
    if (unlikely(context->graph != NULL))
        clean &= sync_subpass_check_races(context, place, &access);
    if (write && pieces > 1)
        sync_unite_pieces(context, walk.space, place);
    return clean;
}

/* --- barriers --- */

static bool overlap(const struct sync_place *a, const struct sync_place *b)
{
    return a->space == b->space && a->begin < b->end && b->begin < a->end;
}

/* Commands with more range barriers than this that overlap are rare, and looking for them would cost more than the rest: they count as one after the other, which orders more. */
#define OVERLAPS_LOOKED_FOR 32

/* Do barriers of a command meet in one piece, so that they have to be applied at once: none of them is in the first scope of another? */
static bool barriers_meet(const struct sync_barriers *barriers)
{
    if (barriers->global_count && barriers->range_count)
        return true;
    if (barriers->range_count > OVERLAPS_LOOKED_FOR)
        return false;
    for (uint32_t i = 1; i < barriers->range_count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (overlap(&barriers->ranges[i].place, &barriers->ranges[k].place))
                return true;
        }
    }
    return false;
}

/* Barriers of a command that hold for a piece of the range of its range barrier number `first`, the global ones included. 0: an earlier range barrier has the piece, and has
 * seen to this one as well. */
#define BARRIERS_AT_ONCE 32
static uint32_t gather(const struct sync_barriers *barriers, uint32_t first, const struct sync_place *piece,
                       struct sync_barrier gathered[BARRIERS_AT_ONCE])
{
    uint32_t count = 0;
    bool looked = barriers->range_count <= OVERLAPS_LOOKED_FOR;
    uint32_t end = looked ? barriers->range_count : first + 1;
    for (uint32_t i = looked ? 0 : first; i < end && count < BARRIERS_AT_ONCE; i++) {
        if (!overlap(&barriers->ranges[i].place, piece))
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

/* Ends pieces where a range of a later range barrier begins or ends, so that each is all in it or all out of it. */
static void split_for_others(struct sync_context *context, const struct sync_barriers *barriers, uint32_t first)
{
    struct sync_walk walk;
    const struct sync_place *place = &barriers->ranges[first].place;
    if (barriers->range_count > OVERLAPS_LOOKED_FOR)
        return;
    for (uint32_t i = first + 1; i < barriers->range_count && !context->broken; i++) {
        const struct sync_place *other = &barriers->ranges[i].place;
        if (!overlap(place, other) || !sync_walk_place(&walk, context, other, false))
            continue;
        while (sync_walk_next(&walk)) {
        }
    }
}

static void transition_piece(struct sync_context *context, const struct sync_range_barrier *range,
                             const struct sync_barrier *barrier, uint64_t tag, const struct sync_walk *walk)
{
    struct sync_access access = {.tag = tag, .usage = SYNC_IMAGE_LAYOUT_TRANSITION, .queue = barrier->queue};
    struct sync_hazard hazard;
    if (!range->acquire && unlikely(sync_state_check_transition(walk->state, barrier, &hazard) != HAZARD_NONE))
        sync_tell(context, range->place.space, walk->piece_begin, walk->piece_end, &access, barrier, &hazard);
    sync_state_add_transition(walk->state, barrier, tag);
}

/* `joint`: apply all barriers of the command that concern a piece at once. */
static void apply_range(struct sync_context *context, const struct sync_barriers *barriers, uint32_t index, bool joint)
{
    const struct sync_range_barrier *range = &barriers->ranges[index];
    const struct sync_barrier *barrier = &barriers->barriers[range->barrier];
    struct sync_walk walk;
    if (joint)
        split_for_others(context, barriers, index);
    if (!sync_walk_place(&walk, context, &range->place, range->transition))
        return;
    uint32_t pieces = 0;
    for (; sync_walk_next(&walk); pieces++) {
        if (range->transition) {
            transition_piece(context, range, barrier, barriers->tag, &walk);
        } else if (likely(!joint)) {
            sync_state_apply(walk.state, barrier, 1, &context->arena);
        } else {
            struct sync_barrier gathered[BARRIERS_AT_ONCE];
            struct sync_place piece = {range->place.space, walk.piece_begin, walk.piece_end};
            uint32_t count = gather(barriers, index, &piece, gathered);
            if (count)
                sync_state_apply(walk.state, gathered, count, &context->arena);
        }
        if (joint) /* past the global ones of this command, which are about to be appended to the log */
            walk.state->caught_up = context->current->log.count + barriers->global_count;
    }
    if (range->transition && pieces > 1)
        sync_unite_pieces(context, walk.space, &range->place);
    if (context->graph && range->transition)
        sync_subpass_check_races(context, &range->place,
                                 &(struct sync_access){.tag = barriers->tag,
                                                       .usage = SYNC_IMAGE_LAYOUT_TRANSITION,
                                                       .queue = barrier->queue});
}

void sync_append_barriers(struct sync_context *context, struct sync_view *view, const struct sync_barrier *barriers,
                          uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct log_entry entry = {.barrier = barriers[i], .kind = LOG_BARRIER, .last_of_command = i + 1 == count};
        if (!access_log_append(&view->log, &entry))
            sync_give_up(context);
    }
}

/* A copy in the arena that the stream can keep. */
static struct sync_barriers *keep_barriers(struct sync_context *context, const struct sync_barriers *barriers)
{
    struct sync_barriers *kept = arena_take(&context->arena, sizeof *kept);
    struct sync_barrier *scopes = arena_take(&context->arena, barriers->barrier_count * sizeof *scopes);
    struct sync_range_barrier *ranges = arena_take(&context->arena, barriers->range_count * sizeof *ranges);
    if (!kept || !scopes || !ranges) {
        sync_give_up(context);
        return NULL;
    }
    if (barriers->barrier_count)
        memcpy(scopes, barriers->barriers, barriers->barrier_count * sizeof *scopes);
    if (barriers->range_count)
        memcpy(ranges, barriers->ranges, barriers->range_count * sizeof *ranges);
    *kept = *barriers;
    kept->barriers = scopes;
    kept->ranges = ranges;
    return kept;
}

static void apply_barriers(struct sync_context *context, const struct sync_barriers *barriers)
{
    bool joint = barriers->range_count && barriers->barrier_count > 1 && barriers_meet(barriers);
    for (uint32_t i = 0; i < barriers->range_count && !context->broken; i++)
        apply_range(context, barriers, i, joint);
    sync_append_barriers(context, context->current, barriers->barriers, barriers->global_count);
}

/* In a subpass the first scopes are the subpass' own commands. Transitions are those of attachments, which dependencies make: from before it. */
static void apply_in_subpass(struct sync_context *context, const struct sync_barriers *barriers)
{
    struct sync_barrier *scopes = arena_take(&context->arena, barriers->barrier_count * sizeof *scopes);
    if (!scopes)
        return sync_give_up(context);
    for (uint32_t i = 0; i < barriers->barrier_count; i++) {
        scopes[i] = barriers->barriers[i];
        scopes[i].first_tag = context->current->first_tag;
    }
    for (uint32_t i = 0; i < barriers->range_count; i++) {
        if (barriers->ranges[i].transition)
            scopes[barriers->ranges[i].barrier].first_tag = 0;
    }
    struct sync_barriers limited = *barriers;
    limited.barriers = scopes;
    apply_barriers(context, &limited);
}

void sync_context_barriers(struct sync_context *context, const struct sync_barriers *barriers)
{
    if (context->broken)
        return;
    if (context->keeps_stream) {
        struct sync_barriers *kept = keep_barriers(context, barriers);
        struct stream_item *item = kept ? sync_context_stream(context, STREAM_BARRIERS) : NULL;
        if (!item)
            return;
        item->barriers = kept;
    }
    if (unlikely(context->graph != NULL))
        apply_in_subpass(context, barriers);
    else
        apply_barriers(context, barriers);
}

/* --- events --- */

struct sync_event *sync_find_event(const struct sync_context *context, uint64_t id)
{
    for (uint32_t i = 0; i < context->event_count; i++) {
        if (context->events[i].event == id)
            return &context->events[i];
    }
    return NULL;
}

static uint8_t take_snapshot_number(struct sync_context *context)
{
    uint64_t free = ~context->snapshots & ~((uint64_t)1 << SYNC_SNAPSHOT_NONE);
    if (!free)
        return SYNC_SNAPSHOT_NONE;
    uint8_t number = (uint8_t)__builtin_ctzll(free);
    context->snapshots |= (uint64_t)1 << number;
    return number;
}

static struct sync_event *add_event(struct sync_context *context, uint64_t id)
{
    if (context->event_count == context->event_capacity) {
        uint32_t capacity = context->event_capacity ? context->event_capacity * 2 : 8;
        struct sync_event *events = arena_take(&context->arena, capacity * sizeof *events);
        if (!events) {
            sync_give_up(context);
            return NULL;
        }
        if (context->event_count)
            memcpy(events, context->events, context->event_count * sizeof *events);
        context->events = events;
        context->event_capacity = capacity;
    }
    struct sync_event *event = &context->events[context->event_count++];
    *event = (struct sync_event){.event = id, .snapshot = take_snapshot_number(context)};
    return event;
}

static void append_snapshot(struct sync_context *context, const struct sync_barrier *scope, uint8_t number)
{
    const struct log_entry entry = {.barrier = *scope, .kind = LOG_SNAPSHOT, .number = number};
    if (number != SYNC_SNAPSHOT_NONE && !access_log_append(&context->current->log, &entry))
        sync_give_up(context);
}

static void set_event(struct sync_context *context, uint64_t id, const struct sync_barrier *scope)
{
    struct sync_event *event = sync_find_event(context, id);
    if (!event)
        event = add_event(context, id);
    if (!event)
        return;
    event->set = true;
    append_snapshot(context, scope, event->snapshot);
}

void sync_context_set_event(struct sync_context *context, uint64_t id, const struct sync_barrier *scope, uint64_t tag)
{
    if (context->broken)
        return;
    if (context->keeps_stream) {
        const struct sync_barriers one = {.tag = tag, .barrier_count = 1, .barriers = scope};
        struct sync_barriers *kept = keep_barriers(context, &one);
        uint64_t *event = arena_take(&context->arena, sizeof *event);
        struct stream_item *item = kept && event ? sync_context_stream(context, STREAM_SET_EVENT) : NULL;
        if (!item)
            return;
        *event = id;
        item->barriers = kept;
        item->events = event;
        item->event_count = 1;
    }
    set_event(context, id, scope);
}

/* The snapshots of those events that the context has seen set. */
static uint64_t snapshots_of(const struct sync_context *context, const uint64_t *events, uint32_t count)
{
    uint64_t snapshots = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct sync_event *event = sync_find_event(context, events[i]);
        if (event && event->set)
            snapshots |= (uint64_t)1 << event->snapshot;
    }
    return snapshots;
}

/* The scopes of the wait hold for what the events' first scopes have. Image layout transitions of a wait happen whether the events were seen or not. */
static void wait_events(struct sync_context *context, const uint64_t *events, uint32_t count,
                        const struct sync_barriers *barriers)
{
    uint64_t snapshots = snapshots_of(context, events, count);
    struct sync_barrier *scopes = arena_take(&context->arena, barriers->barrier_count * sizeof *scopes);
    if (!scopes) {
        sync_give_up(context);
        return;
    }
    for (uint32_t i = 0; i < barriers->barrier_count; i++) {
        scopes[i] = barriers->barriers[i];
        scopes[i].snapshots = snapshots;
        scopes[i].from_queue = scopes[i].queue;
    }
    struct sync_barriers restricted = *barriers;
    restricted.barriers = scopes;
    if (!snapshots) { /* set elsewhere: what is known here was not in its first scope, but for what a transition does */
        restricted.global_count = 0;
        for (uint32_t i = 0; i < barriers->barrier_count; i++) {
            scopes[i].src = (struct sync_scope){0};
            scopes[i].everything = false;
        }
    }
    apply_barriers(context, &restricted);
}

void sync_context_wait_events(struct sync_context *context, const uint64_t *events, uint32_t count,
                              const struct sync_barriers *barriers)
{
    if (context->broken)
        return;
    if (context->keeps_stream) {
        struct sync_barriers *kept = keep_barriers(context, barriers);
        uint64_t *ids = arena_take(&context->arena, count * sizeof *ids);
        struct stream_item *item = kept && ids ? sync_context_stream(context, STREAM_WAIT_EVENTS) : NULL;
        if (!item)
            return;
        memcpy(ids, events, count * sizeof *ids);
        item->barriers = kept;
        item->events = ids;
        item->event_count = count;
    }
    wait_events(context, events, count, barriers);
}

/* --- semaphores --- */

uint8_t sync_context_signal(struct sync_context *context, const struct sync_barrier *scope)
{
    uint8_t number = take_snapshot_number(context);
    append_snapshot(context, scope, number);
    return number;
}

void sync_context_wait(struct sync_context *context, uint8_t snapshot, uint8_t from_queue, uint8_t queue,
                       const struct sync_scope *dst)
{
    struct sync_barrier barrier = {
        .dst = *dst, .snapshots = (uint64_t)1 << snapshot, .from_queue = from_queue, .queue = queue};
    barrier.src.accesses = usage_mask_or(sync_reads, sync_writes); /* a signal makes all of them available */
    sync_append_barriers(context, &context->root, &barrier, 1);
}

void sync_context_release(struct sync_context *context, uint8_t snapshot)
{
    if (snapshot != SYNC_SNAPSHOT_NONE)
        context->snapshots &= ~((uint64_t)1 << snapshot);
}

/* --- instances of dynamic rendering --- */

void sync_context_begin_instance(struct sync_context *context, bool resumed)
{
    if (context->keeps_stream && !context->broken) {
        struct stream_item *item = sync_context_stream(context, STREAM_INSTANCE);
        if (item)
            item->event_count = resumed;
    }
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
