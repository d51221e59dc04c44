/* Handles events and semaphores. A set or a signal takes a snapshot in the log, and a wait orders
 * later operations after the accesses in it. */
#include "sync/access/access_context.h"

#include <string.h>

#include "sync/access/access_subpass.h"
#include "sync/access/usage_mask.h"
#include "base/vec.h"

/* --- events --- */

/* So many events are looked through one by one; more get a table. */
#define FEW_EVENTS 16

/* Returns the table's slot for the event's id, or the empty slot where the id belongs. Slots hold
 * the index plus 1. */
static uint32_t *event_place(const struct sync_context *context, uint64_t id)
{
    const uint32_t mask = context->event_place_capacity - 1;
    uint32_t at = (uint32_t)((id * 0x9e3779b97f4a7c15ull) >> 32) & mask;
    while (context->event_places[at] && context->events[context->event_places[at] - 1].event != id)
        at = (at + 1) & mask;
    return &context->event_places[at];
}

void sync_index_events(struct sync_context *context)
{
    context->event_place_capacity = 0;
    if (context->event_count <= FEW_EVENTS)
        return;
    uint32_t capacity = 4 * FEW_EVENTS;
    while (capacity < 4 * context->event_count)
        capacity *= 2;
    context->event_places = arena_take(&context->arena, capacity * sizeof *context->event_places);
    if (!context->event_places) /* without a table the events are looked through one by one */
        return;
    memset(context->event_places, 0, capacity * sizeof *context->event_places);
    context->event_place_capacity = capacity;
    for (uint32_t i = 0; i < context->event_count; i++)
        *event_place(context, context->events[i].event) = i + 1;
}

/* Enters the event that was added last into the table. The table is made when there are many
 * events, and grows. */
static void index_event(struct sync_context *context)
{
    if (likely(context->event_count <= FEW_EVENTS))
        return;
    if (context->event_count > context->event_place_capacity / 2)
        sync_index_events(context);
    else
        *event_place(context, context->events[context->event_count - 1].event) =
            context->event_count;
}

struct sync_event *sync_find_event(const struct sync_context *context, uint64_t id)
{
    if (unlikely(context->event_place_capacity)) {
        const uint32_t place = *event_place(context, id);
        return place ? &context->events[place - 1] : NULL;
    }
    for (uint32_t i = 0; i < context->event_count; i++) {
        if (context->events[i].event == id)
            return &context->events[i];
    }
    return NULL;
}

/* Returns a number that no snapshot has. Returns SYNC_SNAPSHOT_NONE if all numbers are in use: the
 * new snapshot is unknown then. */
static uint8_t take_snapshot_number(struct sync_context *context)
{
    uint64_t free = ~context->snapshots & ~((uint64_t)1 << SYNC_SNAPSHOT_NONE);
    if (!free)
        return SYNC_SNAPSHOT_NONE;
    uint8_t number = (uint8_t)__builtin_ctzll(free);
    context->snapshots |= (uint64_t)1 << number;
    return number;
}

/* Adds an event without scopes. NULL: memory is out, and the context has given up. */
static struct sync_event *add_event(struct sync_context *context, uint64_t id)
{
    if (!vec_room_in(&context->arena, &context->events, context->event_count,
                     &context->event_capacity, 8, sizeof *context->events)) {
        sync_give_up(context);
        return NULL;
    }
    struct sync_event *event = &context->events[context->event_count++];
    *event = (struct sync_event){.event = id};
    index_event(context);
    return event;
}

/* Begins a snapshot: records that pass this entry of the log note in a bit whether they are in the
 * scope. */
static void append_snapshot(struct sync_context *context, const struct sync_barrier *scope,
                            uint8_t number)
{
    assert(number <= SYNC_SNAPSHOT_NONE);
    const struct log_entry entry = {.barrier = *scope, .kind = LOG_SNAPSHOT, .number = number};
    if (number != SYNC_SNAPSHOT_NONE && !access_log_append(&context->current->log, &entry))
        sync_give_up(context);
}

/* Scopes of events are compared by stages only, as their accesses do not matter to a wait. */
static bool has_scope(const struct sync_event *event, const struct sync_barrier *scope, uint32_t i)
{
    return event->stages[i] == scope->src.stages && event->everything[i] == scope->everything;
}

/* Adds a first scope to an event, unless the event has the same one. With more than
 * SYNC_EVENT_SCOPES scopes the event overflows, and counts as ordering everything. */
static void add_scope(struct sync_context *context, struct sync_event *event,
                      const struct sync_barrier *scope)
{
    assert(event->scope_count <= event->snapshot_count &&
           event->snapshot_count <= SYNC_EVENT_SCOPES);
    for (uint32_t i = 0; i < event->scope_count; i++) {
        if (has_scope(event, scope, i))
            return;
    }
    if (event->scope_count == SYNC_EVENT_SCOPES) {
        event->overflow = true;
        return;
    }
    uint32_t place = event->scope_count++;
    /* An event that is set again uses its numbers again, and so records lose their old bits. */
    if (place == event->snapshot_count)
        event->snapshots[event->snapshot_count++] = take_snapshot_number(context);
    event->stages[place] = scope->src.stages;
    event->everything[place] = scope->everything;
    append_snapshot(context, scope, event->snapshots[place]);
}

static void context_set_event(struct sync_context *context, uint64_t id,
                              const struct sync_barrier *scopes, uint32_t count)
{
    assert(count && scopes);
    struct sync_event *event = sync_find_event(context, id);
    if (!event)
        event = add_event(context, id);
    if (!event)
        return;
    /* The last setting counts: "set" twice without a reset leaves the scopes of the second. */
    event->scope_count = 0;
    event->overflow = false;
    for (uint32_t i = 0; i < count; i++)
        add_scope(context, event, &scopes[i]);
}

void sync_context_set_event(struct sync_context *context, uint64_t id,
                            const struct sync_barrier *scopes, uint32_t count, uint64_t tag)
{
    if (context->broken)
        return;
    if (context->keeps_stream) {
        const struct sync_barriers one = {.tag = tag, .barrier_count = count, .barriers = scopes};
        struct sync_barriers *kept = sync_keep_barriers(context, &one);
        uint64_t *event = arena_take(&context->arena, sizeof *event);
        struct stream_item *item =
            kept && event ? sync_context_stream(context, STREAM_SET_EVENT) : NULL;
        if (!item)
            return;
        *event = id;
        item->barriers = kept;
        item->events = event;
        item->event_count = 1;
    }
    context_set_event(context, id, scopes, count);
}

/* Returns the snapshots of an event that the context has seen set; 0: it has seen no such event.
 * With a `barrier`, only snapshots whose scope has the barrier's stages; with NULL, all. */
static uint64_t snapshots_of_event(const struct sync_context *context, uint64_t id,
                                   const struct sync_barrier *barrier)
{
    const struct sync_event *event = sync_find_event(context, id);
    uint64_t snapshots = event && event->overflow ? SYNC_SNAPSHOT_ANY : 0, same = 0;
    for (uint32_t i = 0; event && i < event->scope_count; i++) {
        uint64_t bit = (uint64_t)1 << event->snapshots[i];
        snapshots |= bit;
        same |= barrier && has_scope(event, barrier, i) ? bit : 0;
    }
    /* The event was set with other stages, which core reports: the wait's scope is not known. */
    return same ? same : snapshots;
}

/* Returns the snapshots that a barrier of a wait depends on. A barrier of vkCmdWaitEvents2 belongs
 * to one event, number `barrier->event` from 1; other barriers belong to all events. */
static uint64_t snapshots_of(const struct sync_context *context, const uint64_t *events,
                             uint32_t count, const struct sync_barrier *barrier)
{
    uint64_t snapshots = 0;
    if (barrier->event)
        return barrier->event <= count
                   ? snapshots_of_event(context, events[barrier->event - 1], barrier)
                   : 0;
    for (uint32_t i = 0; i < count; i++)
        snapshots |= snapshots_of_event(context, events[i], NULL);
    return snapshots;
}

/* Applies the scopes of the wait to the accesses in the events' first scopes. Image layout
 * transitions of a wait happen whether or not the context has seen the events set. */
static void wait_events(struct sync_context *context, const uint64_t *events, uint32_t count,
                        const struct sync_barriers *barriers)
{
    assert(events || !count);
    struct sync_barrier *scopes =
        arena_take(&context->arena, barriers->barrier_count * sizeof *scopes);
    if (!scopes) {
        sync_give_up(context);
        return;
    }
    for (uint32_t i = 0; i < barriers->barrier_count; i++) {
        scopes[i] = barriers->barriers[i];
        scopes[i].snapshots = snapshots_of(context, events, count, &barriers->barriers[i]);
        scopes[i].from_queue = scopes[i].queue;
        /* the event was set elsewhere: accesses that this context knows were not in its first
         * scope */
        if (!scopes[i].snapshots) {
            scopes[i].src = (struct sync_scope){0};
            scopes[i].everything = false;
        }
    }
    struct sync_barriers restricted = *barriers;
    restricted.barriers = scopes;
    sync_apply_barriers(context, &restricted);
}

void sync_context_wait_events(struct sync_context *context, const uint64_t *events, uint32_t count,
                              const struct sync_barriers *barriers)
{
    if (context->broken)
        return;
    if (context->keeps_stream) {
        struct sync_barriers *kept = sync_keep_barriers(context, barriers);
        uint64_t *ids = arena_take(&context->arena, count * sizeof *ids);
        struct stream_item *item =
            kept && ids ? sync_context_stream(context, STREAM_WAIT_EVENTS) : NULL;
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

void sync_context_wait(struct sync_context *context, uint8_t snapshot, uint8_t from_queue,
                       uint8_t queue, const struct sync_scope *dst)
{
    assert(snapshot <= SYNC_SNAPSHOT_NONE);
    struct sync_barrier barrier = {.dst = *dst,
                                   .snapshots = (uint64_t)1 << snapshot,
                                   .from_queue = from_queue,
                                   .queue = queue};
    /* a signal makes all writes available */
    barrier.src.accesses = usage_mask_or(sync_reads, sync_writes);
    sync_append_barriers(context, &context->root, &barrier, 1);
}

void sync_context_release(struct sync_context *context, uint8_t snapshot)
{
    assert(snapshot <= SYNC_SNAPSHOT_NONE);
    /* Records keep the bit; it is cleared when the number is used for the next snapshot. */
    assert(snapshot == SYNC_SNAPSHOT_NONE || context->snapshots >> snapshot & 1);
    if (snapshot != SYNC_SNAPSHOT_NONE)
        context->snapshots &= ~((uint64_t)1 << snapshot);
}

void sync_context_release_event(struct sync_context *context, const struct sync_event *event)
{
    for (uint32_t i = 0; i < event->snapshot_count; i++)
        sync_context_release(context, event->snapshots[i]);
}
