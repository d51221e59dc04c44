/* Replays a command buffer's stream in a primary or on a queue. It also keeps the memory of
 * long-lived contexts small. */
#include "sync/access/access_context.h"

#include <string.h>

#include "sync/access/access_subpass.h"
#include "sync/access/usage_mask.h"

/* One execution of a recording in a context. */
struct replay {
    struct sync_context *context;
    const struct sync_context *source; /* the recording that is executed */
    uint64_t base;                     /* tag of the execution's first command, less one */
    uint8_t queue;
    uint32_t *instances;     /* the context's number for each instance of the source */
    uint32_t instance_count; /* of `instances` */
    /* filled in at the replay's end: for each snapshot of the source, a mask of the context's
     * snapshots of that event */
    uint64_t *snapshots; /* NULL: not needed yet */
};

/* Copies the scopes of a recording's barriers for the queue that executes them. NULL: memory is
 * out, and the context has given up. */
static struct sync_barrier *scopes_here(const struct replay *replay,
                                        const struct sync_barriers *barriers)
{
    struct sync_barrier *scopes =
        arena_take(&replay->context->arena, barriers->barrier_count * sizeof *scopes);
    if (!scopes) {
        sync_give_up(replay->context);
        return NULL;
    }
    for (uint32_t i = 0; i < barriers->barrier_count; i++) {
        scopes[i] = barriers->barriers[i];
        scopes[i].queue = replay->queue;
        scopes[i].from_queue = replay->queue;
    }
    return scopes;
}

/* True if the item repeats the barriers before it, which adds nothing to what they have ordered. By
 * stages and chains, first scopes with the same stages have the same records. Only by accesses a
 * write may be in one of them alone, which then is the only one with accesses. Image layout
 * transitions happen each time. */
static bool replay_item_repeats(const struct sync_context *source, uint32_t index)
{
    const struct stream_item *item = &source->stream[index], *before = item - 1;
    if (!index || before->kind != STREAM_BARRIERS ||
        /* Equal barriers share one array (sync_keep_barriers()), so that an address is enough. */
        item->barriers->barriers != before->barriers->barriers)
        return false;
    const struct sync_barriers *barriers = item->barriers;
    uint32_t with_accesses = 0;
    for (uint32_t i = 0; i < barriers->range_count; i++) {
        if (barriers->ranges[i].transition)
            return false;
    }
    for (uint32_t i = 0; i < barriers->barrier_count; i++) {
        const struct sync_barrier *first = &barriers->barriers[0],
                                  *barrier = &barriers->barriers[i];
        if (barrier->src.stages != first->src.stages || barrier->dst.stages != first->dst.stages ||
            barrier->everything != first->everything)
            return false;
        with_accesses += !usage_mask_is_empty(&barrier->src.accesses) ||
                         !usage_mask_is_empty(&barrier->dst.accesses);
    }
    return with_accesses <= 1;
}

/* Repeats recorded barriers, or a set of or a wait for events, in the context. */
static void replay_barriers(const struct replay *replay, const struct stream_item *item)
{
    struct sync_barriers barriers = *item->barriers;
    barriers.barriers = scopes_here(replay, item->barriers);
    if (!barriers.barriers)
        return;
    barriers.tag += replay->base;
    switch (item->kind) {
    case STREAM_SET_EVENT:
        sync_context_set_event(replay->context, item->events[0], barriers.barriers,
                               barriers.barrier_count, barriers.tag);
        break;
    case STREAM_WAIT_EVENTS:
        sync_context_wait_events(replay->context, item->events, item->event_count, &barriers);
        break;
    default:
        sync_context_barriers(replay->context, &barriers);
        break;
    }
}

/* Notes the context's number for the instance that the source begins here. Numbers of the source
 * count from 1. */
static void note_instance(struct replay *replay)
{
    if (replay->instance_count < replay->source->instance_count)
        replay->instances[++replay->instance_count] = replay->context->instance;
}

/* Returns the access as this execution makes it: with the execution's tag, queue and instance. */
static struct sync_access access_here(const struct replay *replay, const struct stream_item *item)
{
    struct sync_access access = item->access;
    access.tag += replay->base;
    access.queue = replay->queue;
    if (access.ordering != SYNC_ORDER_ALIAS)
        access.instance = access.instance ? replay->context->instance : 0;
    return access;
}

/* Copies an item into the stream of a primary, whose stream has everything that it executes. A
 * queue's context has no stream. */
COLD static void keep_item(const struct replay *replay, const struct stream_item *item)
{
    struct sync_context *context = replay->context;
    struct stream_item *kept =
        context->keeps_stream ? sync_context_stream(context, item->kind) : NULL;
    if (!kept)
        return;
    *kept = *item;
    if (item->kind == STREAM_EVERY) {
        kept->access = access_here(replay, item);
        return;
    }
    size_t size =
        sizeof(*item->touched) + item->touched->set_count * sizeof(item->touched->sets[0]);
    struct touched_note *note = arena_take(&context->arena, size);
    if (!note)
        return sync_give_up(context);
    memcpy(note, item->touched, size);
    kept->touched = note;
    kept->tag += replay->base;
}

/* Repeats one item of a recording's stream in the context. */
static void replay_item(struct replay *replay, const struct stream_item *item)
{
    struct sync_context *context = replay->context;
    switch (item->kind) {
    case STREAM_ACCESS: {
        struct sync_access access = access_here(replay, item);
        sync_context_access(context, &item->place, &access);
        break;
    }
    case STREAM_BARRIERS:
    case STREAM_SET_EVENT:
    case STREAM_WAIT_EVENTS:
        replay_barriers(replay, item);
        break;
    case STREAM_RENDER_PASS:
        sync_context_begin_render_pass(context, item->graph, replay->base + item->tag);
        note_instance(replay);
        break;
    case STREAM_SUBPASS:
        sync_context_next_subpass(context, replay->base + item->tag);
        note_instance(replay);
        break;
    case STREAM_END_RENDER_PASS:
        sync_context_end_render_pass(context, replay->base + item->tag);
        break;
    case STREAM_INSTANCE: {
        /* Items of this kind have no events: the number says whether the instance was resumed. */
        bool resumed = item->event_count != 0;
        sync_context_begin_instance(context, resumed);
        if (!resumed || !replay->instance_count)
            note_instance(replay);
        break;
    }
    case STREAM_END_INSTANCE:
        sync_context_end_instance(context);
        break;
    case STREAM_EVERY:
    case STREAM_TOUCHED:
        /* These items are only kept in the stream of the executing command buffer, for its own
         * submission. */
        keep_item(replay, item);
        break;
    }
}

/* --- the end of a replay --- */

/* Finds the context's numbers for the source's snapshots of events. Returns false if memory is
 * out. */
static COLD bool find_snapshots(struct replay *replay)
{
    const size_t size = SYNC_SNAPSHOT_NONE * sizeof *replay->snapshots;
    replay->snapshots = arena_take(&replay->context->arena, size);
    if (!replay->snapshots) {
        sync_give_up(replay->context);
        return false;
    }
    memset(replay->snapshots, 0, size);
    for (uint32_t i = 0; i < replay->source->event_count; i++) {
        const struct sync_event *theirs = &replay->source->events[i];
        const struct sync_event *ours = sync_find_event(replay->context, theirs->event);
        for (uint32_t k = 0; ours && k < theirs->scope_count && k < ours->scope_count; k++) {
            if (theirs->snapshots[k] != SYNC_SNAPSHOT_NONE &&
                ours->snapshots[k] != SYNC_SNAPSHOT_NONE)
                replay->snapshots[theirs->snapshots[k]] |= (uint64_t)1 << ours->snapshots[k];
        }
    }
    return true;
}

/* Translates the source's snapshots into numbers of the context; snapshots of events that the
 * context does not know are left out. */
static uint64_t snapshots_here(struct replay *replay, uint64_t in_scopes)
{
    uint64_t here = 0;
    if (likely(!in_scopes))
        return 0;
    if (!replay->snapshots && !find_snapshots(replay))
        return 0;
    for (; in_scopes; in_scopes &= in_scopes - 1)
        here |= replay->snapshots[__builtin_ctzll(in_scopes)];
    return here;
}

/* Translates a record of the source to the context's tag, queue, instance and snapshots. */
static void replay_translate(struct replay *replay, struct sync_record *record)
{
    record->tag += replay->base;
    record->queue = replay->queue;
    if (record->ordering != SYNC_ORDER_ALIAS)
        record->instance =
            record->instance <= replay->instance_count ? replay->instances[record->instance] : 0;
    record->in_scopes = snapshots_here(replay, record->in_scopes);
    record->available_in = snapshots_here(replay, record->available_in);
}

/* Translates all records of a state that was copied from the source. */
static void translate_state(struct replay *replay, struct sync_state *state)
{
    if (state->write.usage != SYNC_NONE)
        replay_translate(replay, &state->write);
    for (uint32_t i = 0; i < state->read_count; i++)
        replay_translate(replay, sync_state_read(state, i));
}

/* Replaces the context's states of a range that the source has written. All pieces become alike,
 * and are joined. */
static void take_over_write(struct replay *replay, struct sync_walk *walk,
                            const struct sync_place *place, const struct sync_state *from)
{
    struct sync_context *context = replay->context;
    uint32_t pieces = 0;
    walk->replaces = true;
    for (; sync_walk_next(walk); pieces++) {
        uint32_t caught_up = walk->state->caught_up;
        if (!sync_state_copy(walk->state, from, &context->arena))
            return sync_give_up(context);
        walk->state->caught_up = caught_up;
        translate_state(replay, walk->state);
    }
    if (pieces > 1)
        sync_unite_pieces(context, walk->space, place);
}

/* Takes the final state of one range of a recording over into the context. */
static void take_over(struct replay *replay, uint64_t space, const struct range_entry *entry)
{
    assert(entry->begin < entry->end);
    struct sync_context *context = replay->context;
    const struct sync_place place = {space, entry->begin, entry->end};
    const struct sync_state *from = entry->value;
    struct sync_state state;
    struct sync_walk walk;
    if (sync_state_is_empty(from) || !sync_walk_place(&walk, context, &place, true))
        return;
    if (from->write.usage != SYNC_NONE)
        return take_over_write(replay, &walk, &place, from);
    if (!sync_state_copy(&state, from, &context->arena))
        return sync_give_up(context);
    translate_state(replay, &state);
    /* The source has only read: the earlier records stay, and the source's reads are added. */
    while (sync_walk_next(&walk))
        sync_state_take_over(walk.state, &state, context->current->first_tag, &context->arena);
}

void sync_context_finish(struct sync_context *context)
{
    /* A recording that ends inside of a render pass instance breaks a rule that core reports. */
    if (context->graph)
        sync_context_end_render_pass(context, UINT64_MAX);
    for (uint32_t i = 0; i < context->root.space_capacity; i++) {
        const struct sync_space *space = context->root.spaces[i];
        if (!space)
            continue;
        for (uint32_t leaf = 0; leaf < space->map.leaf_count; leaf++) {
            for (uint32_t k = 0; k < space->map.leaves[leaf].count; k++)
                sync_bring_up_to_date(context, &context->root,
                                      space->map.leaves[leaf].entries[k].value);
        }
    }
}

void sync_context_replay(struct sync_context *context, const struct sync_context *source,
                         uint8_t queue, uint64_t base)
{
    assert(context != source && !source->replays && !context->replays);
    if (source->broken)
        sync_give_up(context);
    if (context->broken)
        return;
    struct replay replay = {.context = context, .source = source, .base = base, .queue = queue};
    replay.instances =
        arena_take(&context->arena, (source->instance_count + 1) * sizeof *replay.instances);
    if (!replay.instances)
        return sync_give_up(context);
    replay.instances[0] = 0;
    context->replays = true;
    context->replay_base = base;
    context->queue = queue;
    if (source->inherits_instance)
        note_instance(&replay);
    for (uint32_t i = 0; i < source->stream_count && !context->broken; i++) {
        /* A context with a stream repeats all barriers, as reports name each one. */
        if (source->stream[i].kind != STREAM_BARRIERS || context->keeps_stream ||
            !replay_item_repeats(source, i))
            replay_item(&replay, &source->stream[i]);
    }
    /* All is checked and repeated: now the source's final states are the newest knowledge. */
    for (uint32_t i = 0; i < source->root.space_capacity && !context->broken; i++) {
        const struct sync_space *space = source->root.spaces[i];
        for (uint32_t leaf = 0; space && leaf < space->map.leaf_count; leaf++) {
            for (uint32_t k = 0; k < space->map.leaves[leaf].count; k++)
                take_over(&replay, space->id, &space->map.leaves[leaf].entries[k]);
        }
    }
    context->replays = false;
}

/* Repeats one item where all accesses are kept. Notes of what shaders touched go to `touch`. */
static void replay_whole_item(struct replay *replay, const struct stream_item *item,
                              const struct sync_touch *touch)
{
    struct sync_access access;
    switch (item->kind) {
    case STREAM_ACCESS: /* STREAM_EVERY has the access as well */
        break;
    case STREAM_EVERY:
        access = access_here(replay, item);
        sync_context_access(replay->context, &item->place, &access);
        break;
    case STREAM_TOUCHED:
        touch->touched(touch, item);
        break;
    default:
        replay_item(replay, item);
        break;
    }
}

void sync_context_replay_all(struct sync_context *context, const struct sync_context *source,
                             uint8_t queue, uint64_t base, const struct sync_touch *touch)
{
    assert(context != source);
    assert(source->keeps_all || source->broken);
    struct replay replay = {.context = context, .source = source, .base = base, .queue = queue};
    if (source->broken)
        sync_give_up(context);
    replay.instances =
        arena_take(&context->arena, (source->instance_count + 1) * sizeof *replay.instances);
    if (!replay.instances || context->broken)
        return sync_give_up(context);
    replay.instances[0] = 0;
    context->queue = queue;
    for (uint32_t i = 0; i < source->stream_count && !context->broken; i++)
        replay_whole_item(&replay, &source->stream[i], touch);
}

/* --- contexts that live long --- */

void sync_context_forget(struct sync_context *context, uint64_t id)
{
    struct sync_space *space = sync_view_find(&context->root, id);
    if (space)
        /* The map's memory stays in the arena until the next sweep. */
        range_map_init(&space->map, &context->arena);
}

/* Contexts below this size in bytes are not swept: they fit a processor's own cache. */
#define SWEEP_FLOOR ((size_t)1 << 17)
/* An arena of more than this many bytes is freed, not kept, once its live part has been copied. */
#define SPARE_MOST ((size_t)1 << 20)

bool sync_context_wants_sweep(const struct sync_context *context)
{
    size_t size = arena_used(&context->arena);
    /* A sweep at twice the live size of the last one costs a constant share of the time. */
    return !context->graph && size > SWEEP_FLOOR && size > 2 * context->swept_size;
}

/* Copies a space to another context, up to date and without empty entries. False: memory is out. */
static bool copy_space(struct sync_context *from, struct sync_context *to,
                       const struct sync_space *space)
{
    struct sync_space *copy = NULL;
    for (uint32_t leaf = 0; leaf < space->map.leaf_count; leaf++) {
        for (uint32_t i = 0; i < space->map.leaves[leaf].count; i++) {
            const struct range_entry *entry = &space->map.leaves[leaf].entries[i];
            sync_bring_up_to_date(from, &from->root, entry->value);
            if (sync_state_is_empty(entry->value))
                continue;
            if (!copy)
                copy = sync_view_space(&to->root, space->id);
            struct sync_state *state = arena_take(&to->arena, sizeof *state);
            if (!copy || !state || !sync_state_copy(state, entry->value, &to->arena))
                return false;
            state->caught_up = 0;
            /* Entries come in order, so each one is inserted at the end. */
            struct range_cursor end = {copy->map.leaf_count - 1,
                                       copy->map.leaves[copy->map.leaf_count - 1].count};
            if (!range_map_insert(&copy->map, &end, entry->begin, entry->end, state))
                return false;
        }
    }
    return true;
}

void sync_context_sweep(struct sync_context *context)
{
    assert(!context->keeps_stream && !context->graph);
    struct sync_context swept;
    sync_context_init(&swept, context->keeps_stream);
    swept.arena = context->spare;
    context->spare = (struct arena){0};
    bool copied = true;
    for (uint32_t i = 0; i < context->root.space_capacity && copied; i++) {
        if (context->root.spaces[i])
            copied = copy_space(context, &swept, context->root.spaces[i]);
    }
    struct sync_event *events = arena_take(&swept.arena, context->event_count * sizeof *events);
    /* Memory is out: the context stays as it is, and may go on. */
    if (!copied || !events) {
        arena_free(&swept.arena, false);
        /* the sweep is tried again when the context has doubled once more */
        context->swept_size = arena_used(&context->arena);
        return;
    }
    for (uint32_t i = 0; i < context->event_count; i++)
        events[i] = context->events[i];
    if (arena_size(&context->arena) > SPARE_MOST)
        arena_free(&context->arena, false);
    arena_rewind(&context->arena);
    context->spare = context->arena;
    context->arena = swept.arena;
    context->root = swept.root;
    context->root.log.arena = &context->arena;
    for (uint32_t i = 0; i < context->root.space_capacity; i++) {
        if (context->root.spaces[i])
            context->root.spaces[i]->map.arena = &context->arena;
    }
    context->events = events;
    context->event_capacity = context->event_count;
    sync_index_events(context);
    context->swept_size = arena_used(&context->arena);
}

/* The state of joining one context to another. */
struct joining {
    struct sync_context *to, *from;
    uint32_t instances;     /* the instance count of `to` before the join */
    const uint8_t *numbers; /* the number in `to` for each snapshot number of `from` */
};

/* Translates snapshots of `from` into those of `to`. A snapshot that got no number there
 * (SYNC_SNAPSHOT_NONE) is left out. */
static uint64_t joined_snapshots(const struct joining *joining, uint64_t snapshots)
{
    uint64_t here = 0;
    /* numbers that were given back do not matter */
    for (snapshots &= joining->from->snapshots; snapshots; snapshots &= snapshots - 1) {
        const uint8_t number = joining->numbers[__builtin_ctzll(snapshots)];
        here |= number == SYNC_SNAPSHOT_NONE ? 0 : (uint64_t)1 << number;
    }
    return here;
}

/* Numbers the record's instance after those of `to`. */
static void join_record(const struct joining *joining, struct sync_record *record)
{
    if (record->ordering != SYNC_ORDER_ALIAS && record->instance)
        record->instance += joining->instances;
    record->in_scopes = joined_snapshots(joining, record->in_scopes);
    record->available_in = joined_snapshots(joining, record->available_in);
}

/* Takes an entry of `from` over into `to`, where it replaces the states of the range. All accesses
 * that `to` knows there are done. */
static void join_entry(const struct joining *joining, uint64_t space,
                       const struct range_entry *entry)
{
    struct sync_context *to = joining->to;
    const struct sync_place place = {space, entry->begin, entry->end};
    struct sync_walk walk;
    uint32_t pieces = 0;
    sync_bring_up_to_date(joining->from, &joining->from->root, entry->value);
    if (sync_state_is_empty(entry->value) || !sync_walk_place(&walk, to, &place, true))
        return;
    walk.replaces = true;
    for (; sync_walk_next(&walk); pieces++) {
        struct sync_state *state = walk.state;
        const uint32_t caught_up = state->caught_up;
        if (!sync_state_copy(state, entry->value, &to->arena))
            return sync_give_up(to);
        state->caught_up = caught_up;
        if (state->write.usage != SYNC_NONE)
            join_record(joining, &state->write);
        for (uint32_t i = 0; i < state->read_count; i++)
            join_record(joining, sync_state_read(state, i));
    }
    if (pieces > 1)
        sync_unite_pieces(to, walk.space, &place);
}

void sync_context_join(struct sync_context *to, struct sync_context *from, uint8_t queue,
                       uint8_t numbers[SYNC_SNAPSHOT_NONE + 1])
{
    assert(!from->event_count && !from->graph && !to->graph && !to->replays);
    const struct joining joining = {
        .to = to, .from = from, .instances = to->instance_count, .numbers = numbers};
    /* No access that `to` knows is in the first scope of these snapshots, as the accesses of `from`
     * are entered later. */
    /* So the numbers are taken for snapshots with an empty scope. */
    const struct sync_barrier nothing = {
        .queue = queue, .from_queue = queue, .first_tag = SYNC_CHAINED_ONLY};
    for (uint32_t i = 0; i <= SYNC_SNAPSHOT_NONE; i++)
        numbers[i] =
            from->snapshots >> i & 1 ? sync_context_signal(to, &nothing) : SYNC_SNAPSHOT_NONE;
    for (uint32_t i = 0; i < from->root.space_capacity && !to->broken; i++) {
        const struct sync_space *space = from->root.spaces[i];
        for (uint32_t leaf = 0; space && leaf < space->map.leaf_count; leaf++) {
            for (uint32_t k = 0; k < space->map.leaves[leaf].count; k++)
                join_entry(&joining, space->id, &space->map.leaves[leaf].entries[k]);
        }
    }
    to->instance_count += from->instance_count;
    if (from->instance) /* an instance that was suspended */
        to->instance = from->instance + joining.instances;
}

void sync_context_each_record(struct sync_context *context,
                              void (*each)(void *data, const struct sync_record *record),
                              void *data)
{
    for (uint32_t i = 0; i < context->root.space_capacity; i++) {
        const struct sync_space *space = context->root.spaces[i];
        for (uint32_t leaf = 0; space && leaf < space->map.leaf_count; leaf++) {
            for (uint32_t k = 0; k < space->map.leaves[leaf].count; k++) {
                const struct sync_state *state = space->map.leaves[leaf].entries[k].value;
                if (state->write.usage != SYNC_NONE)
                    each(data, &state->write);
                for (uint32_t read = 0; read < state->read_count; read++)
                    each(data, sync_state_read(state, read));
            }
        }
    }
}
