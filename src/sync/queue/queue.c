/* Keeps the submitted work that may not be done yet, and the origin of each of its accesses. */
#include "sync/queue/queue.h"

#include <string.h>

#include "base/lock.h"
#include "report/finding/finding.h"
#include "report/finding/reporter.h"
#include "sync/access/aliases.h"
#include "sync/access/areas.h"
#include "sync/hooks.h"
#include "sync/queue/owners.h"
#include "sync/report/report.h"

/* --- data of a device --- */

/* For contexts of groups: true if the host has waited for the access, or the queue has left the
 * group. */
static bool is_done(const struct sync_context *context, const struct sync_record *record)
{
    const struct sync_group *group = (const struct sync_group *)context;
    /* A queue that has left the shared group has done all its work there. */
    return !group_has(group, record->queue) || record->tag < group->tracks[record->queue].live_tag;
}
static_assert(offsetof(struct sync_group, context) == 0, "the context is the head");

/* Frees all pending batches, whether they are done or not, because the device is being
 * destroyed. */
static void free_pending(struct queue_track *track)
{
    while (track->pending) {
        struct queue_batch *batch = track->pending;
        track->pending = batch->next;
        queue_batch_free(batch);
    }
    track->pending_end = &track->pending;
    track->pending_count = 0;
}

/* Releases the recordings in all slots of the queue. */
static void release_slots(struct queue_track *track)
{
    for (; track->count; track->count--) {
        command_log_release(track->slots[track->first].log);
        track->first = (track->first + 1) & (track->capacity - 1);
    }
}

/* All devices, for forks. This lock is taken before the lock of a device. */
static struct lock devices_lock = LOCK_INITIALIZER;
static struct sync_device *devices GUARDED_BY(devices_lock);

/* Enters the device into the list, in which a fork finds it. */
static void sync_queue_enlist(struct sync_device *sync)
{
    lock_take(&devices_lock);
    sync->next = devices;
    sync->previous = &devices;
    if (devices)
        devices->previous = &sync->next;
    devices = sync;
    lock_release(&devices_lock);
}

/* Takes the device out of the list, before its data is freed. */
static void sync_queue_delist(struct sync_device *sync)
{
    lock_take(&devices_lock);
    *sync->previous = sync->next;
    if (sync->next)
        sync->next->previous = sync->previous;
    lock_release(&devices_lock);
}

/* Each fork step runs one half of it, and the groups' locks are taken in a loop. Groups are made
 * with the shared group's lock held, which is released last for that reason. */
static void fork_device(struct sync_device *sync, enum fork_step step) NOT_ANALYSED
{
    if (step == FORK_PREPARE)
        lock_fork(&sync->shared.lock, step);
    for (uint32_t i = 1; i < PRESENT_QUEUES; i++) {
        if (sync->tracks[i].own)
            lock_fork(&sync->tracks[i].own->lock, step);
    }
    lock_fork(&sync->touched_lock, step);
    lock_fork(&sync->claims_lock, step);
    lock_fork(&sync->owned_lock, step);
    if (step != FORK_PREPARE)
        lock_fork(&sync->shared.lock, step);
}

/* takes or releases all locks, depending on the step */
void sync_devices_fork(enum fork_step step) NOT_ANALYSED
{
    if (step == FORK_PREPARE)
        lock_take(&devices_lock);
    for (struct sync_device *sync = devices; sync; sync = sync->next)
        fork_device(sync, step);
    if (step != FORK_PREPARE)
        lock_release(&devices_lock);
}

/* Frees what the group owns. The caller owns the group itself. */
static void sync_group_free(struct sync_group *group)
{
    lock_unneeded(&group->lock);
    sync_context_free(&group->context);
    mem_free(group->semaphores);
}

/* Frees all data that the validator keeps for a device. No other thread uses it any more. */
static void sync_device_destroy(struct sync_device *sync)
{
    sync_queue_delist(sync);
    lock_unneeded(&sync->touched_lock);
    lock_unneeded(&sync->owned_lock);
    for (uint32_t i = 0; i < QUEUE_NUMBERS; i++) {
        struct queue_track *track = &sync->tracks[i];
        queue_drop_parked(track);
        free_pending(track);
        release_slots(track);
        mem_free(track->slots);
        mem_free(track->claims.entries);
        if (track->own) {
            sync_group_free(track->own);
            mem_retire(track->own);
        }
    }
    touched_device_free(sync->touched);
    owners_free(sync->owned);
    sync_group_free(&sync->shared);
    mem_retire(sync);
}

static void told(const struct sync_sink *sink, const struct sync_place *place,
                 const struct sync_access *access, const struct sync_barrier *barrier,
                 const struct sync_hazard *hazard);

/* Initializes a zeroed group for one queue, or the shared one (`queue` 0). */
static void init_group(struct sync_group *group, struct sync_device *device, uint8_t queue)
{
    sync_context_init(&group->context, false);
    group->context.is_done = is_done;
    group->sink.hazard = told;
    group->context.sink = &group->sink;
    group->device = device;
    group->tracks = device->tracks;
    group->queue = queue;
    lock_init_adaptive(&group->lock);
}

struct sync_group *sync_group_new(struct sync_device *device, uint8_t queue)
{
    struct sync_group *group = mem_alloc_lines_zeroed(sizeof(*group));
    if (group)
        init_group(group, device, queue);
    return group;
}

/* Makes the data that the validator keeps for a device. Returns NULL if memory is out. */
static struct sync_device *sync_device_new(const struct device *device)
{
    struct sync_device *sync = mem_alloc_lines_zeroed(sizeof(*sync));
    if (!sync)
        return NULL;
    init_group(&sync->shared, sync, 0);
    sync->device = device;
    atomic_init(&sync->next_slot, 1);
    lock_init_adaptive(&sync->touched_lock);
    lock_init_adaptive(&sync->claims_lock);
    lock_init_adaptive(&sync->owned_lock);
    for (uint32_t i = 0; i < QUEUE_NUMBERS; i++) {
        sync->tracks[i].pending_end = &sync->tracks[i].pending;
        /* the tracks of the host and of the presentation engine are in the shared group */
        if (!i || i >= PRESENT_QUEUES)
            atomic_init(&sync->tracks[i].group, &sync->shared);
    }
    sync_queue_enlist(sync);
    return sync;
}

/* Finds, or makes, the data that the validator keeps for a device. Returns NULL if memory is out.
 * Threads: any; if two make it at once, one of the results is kept. */
static struct sync_device *sync_device_of(const struct device *device)
{
    struct device_state *state = device_state_make(device);
    if (unlikely(!state))
        return NULL;
    struct sync_device *sync = atomic_load_explicit(&sync_in_device_state(state)->sync,
                                                    memory_order_acquire),
                       *made;
    if (likely(sync != NULL) || !(made = sync_device_new(device)))
        return sync;
    if (atomic_compare_exchange_strong_explicit(&sync_in_device_state(state)->sync, &sync, made,
                                                memory_order_acq_rel, memory_order_acquire))
        return made;
    sync_device_destroy(made);
    return sync;
}

/* Frees the data that this validator keeps for a device. Called when the state of the device
 * ends. */
static void destroy_of_device(struct object *object)
{
    struct sync_device *sync = atomic_exchange(&sync_in_device_state(object->state)->sync, NULL);
    if (sync)
        sync_device_destroy(sync);
}

/* The functions that free this room's areas in objects, by type of handle. */
const struct area_end sync_areas[] = {{HANDLE_DEVICE, destroy_of_device},
                                      {HANDLE_DEVICE_MEMORY, sync_aliases_end},
                                      {HANDLE_NONE, NULL}};

void sync_group_forget(struct sync_group *group)
{
    const uint32_t end = group_end_of_all(group);
    sync_context_reset(&group->context);
    for (uint32_t i = group_first(group); i < end; i++) {
        if (!group_has(group, i))
            continue;
        queue_drop_parked(&group->tracks[i]);
        release_slots(&group->tracks[i]);
    }
    /* Nothing is known any more, so no order crosses queues. */
    group->crossed = false;
    group->slot_count = group->kept_slots = 0;
    if (!group->queue)
        group->device->acquired_count = 0;
    queue_semaphores_forget(group);
}

/* --- slots --- */

/* the least number of slots in a ring */
#define FIRST_SLOTS 16

/* Doubles the ring of slots, whose capacity stays a power of two. False: memory is out. */
static bool grow_slots(struct queue_track *track)
{
    uint32_t capacity = track->capacity ? track->capacity * 2 : FIRST_SLOTS;
    struct queue_slot *slots = mem_alloc(capacity * sizeof(*slots));
    if (!slots)
        return false;
    for (uint32_t i = 0; i < track->count; i++)
        slots[i] = track->slots[(track->first + i) & (track->capacity - 1)];
    mem_free(track->slots);
    track->slots = slots;
    track->capacity = capacity;
    track->first = 0;
    return true;
}

/* Begins slot numbers from 1 again when they are used up: after some five days of ten thousand
 * command buffers a second. All recorded accesses are forgotten. */
static COLD void renew_slot_numbers(struct sync_group *group) REQUIRES(group->lock)
{
    assert(!group->queue);
    queue_group_join_all(group);
    sync_group_forget(group);
    for (uint32_t i = 0; i < QUEUE_NUMBERS; i++) {
        struct queue_track *track = &group->tracks[i];
        track->live_tag = track->crossed_slot = track->next_number = track->numbers_end = 0;
    }
    atomic_store_explicit(&group->device->next_slot, 1, memory_order_relaxed);
}

/* The count of numbers that a queue takes at once. Submitting threads then seldom meet at the
 * counter, and few numbers are lost. */
#define SLOTS_TAKEN 64

/* Returns the next slot number. A queue takes SLOTS_TAKEN at once from the device's counter, and
 * may leave some unused. */
static uint32_t take_number(struct sync_device *device, struct queue_track *track)
{
    if (unlikely(track->next_number == track->numbers_end)) {
        track->next_number =
            atomic_fetch_add_explicit(&device->next_slot, SLOTS_TAKEN, memory_order_relaxed);
        track->numbers_end = track->next_number + SLOTS_TAKEN;
    }
    return track->next_number++;
}

uint64_t sync_group_add_slot(struct sync_group *group, uint8_t number,
                             const struct queue_slot *slot)
{
    assert(slot->log && group_has(group, number));
    struct sync_device *device = group->device;
    struct queue_track *track = &group->tracks[number];
    if (unlikely(slot_numbers_end(device)) && !group->queue)
        renew_slot_numbers(group);
    if (track->count == track->capacity && !grow_slots(track)) {
        sync_group_forget(group);
        return 0;
    }
    struct queue_slot *place =
        &track->slots[(track->first + track->count++) & (track->capacity - 1)];
    *place = *slot;
    place->number = take_number(device, track);
    command_log_hold(place->log);
    group->slot_count++;
    return place->number;
}

/* Finds the slot with this number, which is the upper half of tags; numbers grow along the ring.
 * NULL: the slot is not known any more. */
static struct queue_slot *sync_queue_find_slot(const struct queue_track *track, uint32_t number)
{
    uint32_t low = 0, high = track->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        struct queue_slot *slot = &track->slots[(track->first + middle) & (track->capacity - 1)];
        if (slot->number == number)
            return slot;
        if (slot->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

void queue_refresh(struct sync_group *group, struct queue_track *track)
{
    uint64_t done = atomic_load_explicit(&track->queue->completed, memory_order_acquire);
    if (done == track->done)
        return;
    track->done = done;
    if (track->parked.slot.sequence <= done)
        queue_drop_parked(track);
    while (track->count && track->slots[track->first].sequence <= done) {
        command_log_release(track->slots[track->first].log);
        track->first = (track->first + 1) & (track->capacity - 1);
        track->count--;
        group->slot_count--;
    }
    /* Tags below this one belong to slots that are done, and are not looked up any more. */
    uint32_t first =
        track->count ? track->slots[track->first].number : track_next_number(group, track);
    track->live_tag = (uint64_t)first << 32;
}

/* Forgets the presentation engine's accesses to acquired images whose fence is signaled: the
 * program may use them. */
static void refresh_acquired(struct sync_group *group) REQUIRES(group->lock)
{
    struct sync_device *device = group->device;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < device->acquired_count; i++) {
        const struct fence *fence = fence_by_id(device->acquired[i].fence);
        if (fence && fence_status(device->device, fence) == FENCE_PENDING)
            device->acquired[kept++] = device->acquired[i];
        else
            sync_context_forget(&group->context, device->acquired[i].space);
    }
    device->acquired_count = kept;
}

void sync_group_refresh(struct sync_group *group)
{
    const uint32_t end = group_end(group);
    for (uint32_t i = group_first(group); i < end; i++) {
        if (group->tracks[i].queue && group_has(group, i))
            queue_refresh(group, &group->tracks[i]);
    }
    queue_play_parked(group);
    if (group->queue)
        return;
    if (group->device->acquired_count)
        refresh_acquired(group);
    if (!group->slot_count && !group->pending_count)
        group->crossed = false;
}

/* --- sweeping --- */

/* The number of new slots that make another sweep worthwhile. Some slots are the presentation
 * engine's, whose end is never known, or those of programs that never wait for their work. A large
 * context makes a sweep expensive: it takes one slot more for every SLOT_FOR_BYTES bytes. */
#define SLOTS_MORE     256
#define SLOT_FOR_BYTES 1024

/* True if there are twice the slots that the last sweep left, and some more. So sweeps cost a
 * constant share of the time. */
static bool wants_sweep_of_slots(const struct sync_group *group) REQUIRES(group->lock)
{
    return group->slot_count >
           2 * group->kept_slots + SLOTS_MORE + group->context.swept_size / SLOT_FOR_BYTES;
}

/* Forgets the accesses to destroyed resources, whose ids are not given out again. */
static void forget_dead_spaces(struct sync_group *group)
{
    const struct sync_view *view = &group->context.root;
    for (uint32_t i = 0; i < view->space_capacity; i++) {
        const struct sync_space *space = view->spaces[i];
        if (space && space->map.count && !object_find_id(space->id, object_id_type(space->id)))
            sync_context_forget(&group->context, space->id);
    }
}

/* Forgets destroyed events. They keep snapshot numbers in use, which are few. */
static void forget_dead_events(struct sync_group *group)
{
    struct sync_context *context = &group->context;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < context->event_count; i++) {
        if (object_find_id(context->events[i].event, HANDLE_EVENT))
            context->events[kept++] = context->events[i];
        else
            sync_context_release_event(context, &context->events[i]);
    }
    if (kept == context->event_count)
        return;
    context->event_count = kept;
    sync_index_events(context);
}

/* Marks the slot of a record as used: a report may still need it. */
static void mark_slot(void *data, const struct sync_record *record)
{
    struct sync_group *group = data;
    struct queue_slot *slot =
        group_has(group, record->queue)
            ? sync_queue_find_slot(&group->tracks[record->queue], (uint32_t)(record->tag >> 32))
            : NULL;
    if (slot)
        slot->used = true;
}

/* Frees the slots that no record of the context refers to any more. */
static void sweep_slots(struct sync_group *group) REQUIRES(group->lock)
{
    const uint32_t end = group_end_of_all(group);
    sync_context_each_record(&group->context, mark_slot, group);
    group->slot_count = 0;
    for (uint32_t i = group_first(group); i < end; i++) {
        struct queue_track *track = &group->tracks[i];
        uint32_t kept = 0;
        if (!group_has(group, i))
            continue;
        for (uint32_t k = 0; k < track->count; k++) {
            struct queue_slot *slot = &track->slots[(track->first + k) & (track->capacity - 1)];
            if (slot->used) {
                slot->used = false;
                track->slots[(track->first + kept++) & (track->capacity - 1)] = *slot;
            } else {
                command_log_release(slot->log);
            }
        }
        track->count = kept;
        group->slot_count += kept;
    }
    group->kept_slots = group->slot_count;
}

/* Cleans up the group's context, or its slots, if they have grown enough. Otherwise the call costs
 * two comparisons. */
static void sync_queue_sweep(struct sync_group *group) REQUIRES(group->lock)
{
    bool slots = wants_sweep_of_slots(group);
    if (likely(!slots && !sync_context_wants_sweep(&group->context)))
        return;
    forget_dead_spaces(group);
    forget_dead_events(group);
    sync_context_sweep(&group->context);
    if (slots)
        sweep_slots(group);
}

/* --- one call --- */

/* Returns one side of a hazard, which holds the slot's log until the report is written. It is empty
 * if the slot is not known any more. */
static struct found_side side_of(const struct sync_group *group, uint8_t number, uint64_t tag)
{
    struct found_side side = {0};
    const struct queue_slot *slot =
        sync_queue_find_slot(&group->tracks[number], (uint32_t)(tag >> 32));
    if (slot) {
        side.slot = *slot;
        command_log_hold(slot->log);
    }
    return side;
}

/* Returns the operation on a semaphore `back` steps ago, counted from 1. The caller has checked
 * that there are so many. */
static const struct semaphore_operation *operation_ago(const struct sync_group *group,
                                                       uint32_t back) REQUIRES(group->lock)
{
    return &group->operations[(group->operation_count - back) & (OPERATIONS_KEPT - 1)];
}

/* Finds the signal that ends the wait for a value of a timeline semaphore: the smallest value that
 * is enough. Signals come by growing value. So it is certain if it has just this value, or if a
 * smaller signal is known. It is certain too if all signals are known, and the semaphore began with
 * less. Returns how many operations ago it was; 0: not known. */
COLD static uint32_t timeline_signal_of(const struct sync_group *group,
                                        const struct semaphore_operation *waited, uint32_t kept)
    REQUIRES(group->lock)
{
    const struct semaphore *semaphore = semaphore_by_id(waited->semaphore);
    /* Another process or API may have signaled values in between. */
    bool shared = !semaphore || semaphore_is_shared(semaphore);
    bool smaller =
        !shared && group->operation_count <= OPERATIONS_KEPT && semaphore->initial < waited->value;
    uint32_t found = 0;
    for (uint32_t i = 1; i <= kept; i++) {
        const struct semaphore_operation *operation = operation_ago(group, i);
        if (operation->wait || operation->semaphore != waited->semaphore)
            continue;
        smaller |= !shared && operation->value < waited->value;
        if (operation->value >= waited->value &&
            (!found || operation->value < operation_ago(group, found)->value))
            found = i;
    }
    return found && (smaller || operation_ago(group, found)->value == waited->value) ? found : 0;
}

/* Returns how many operations ago the signal was that ends the wait; 0: it is not known. */
COLD static uint32_t signal_of(const struct sync_group *group, uint32_t wait, uint32_t kept)
    REQUIRES(group->lock)
{
    const struct semaphore_operation *waited = operation_ago(group, wait);
    if (!waited->semaphore)
        return 0;
    if (waited->value)
        return timeline_signal_of(group, waited, kept);
    for (uint32_t i = wait + 1; i <= kept; i++) {
        const struct semaphore_operation *operation = operation_ago(group, i);
        if (!operation->wait && operation->semaphore == waited->semaphore && !operation->value)
            return i;
    }
    return 0;
}

/* Finds semaphore signals after the earlier access on its queue, and waits before this access on
 * its own queue. If there is room, the signals that ended those waits are added. */
COLD static void find_operations(const struct sync_group *group, struct found_hazard *found)
    REQUIRES(group->lock)
{
    uint64_t chosen = 0; /* bit i: the operation i + 1 steps ago is chosen */
    uint32_t count = 0;
    const struct queue_slot *self = &found->self.slot, *earlier = &found->earlier.slot;
    uint64_t queue = self->queue ? object_state_id(&self->queue->base) : 0;
    uint64_t earlier_queue = earlier->queue ? object_state_id(&earlier->queue->base) : 0;
    uint32_t kept =
        group->operation_count < OPERATIONS_KEPT ? group->operation_count : OPERATIONS_KEPT;
    static_assert(OPERATIONS_KEPT <= 64, "bits of `chosen`");
    for (uint32_t i = 1; i <= kept && count < OPERATIONS_SHOWN; i++) {
        const struct semaphore_operation *operation = operation_ago(group, i);
        bool waits =
            operation->wait && operation->queue == queue && operation->submission <= self->sequence;
        bool signals = !operation->wait && !operation->host && operation->queue == earlier_queue &&
                       operation->submission >= earlier->sequence;
        chosen |= (uint64_t)(waits || signals) << (i - 1);
        count += waits || signals;
    }
    for (uint32_t i = 1; i <= kept && count < OPERATIONS_SHOWN; i++) {
        uint32_t signal =
            chosen >> (i - 1) & 1 && operation_ago(group, i)->wait ? signal_of(group, i, kept) : 0;
        if (!signal || chosen >> (signal - 1) & 1)
            continue;
        chosen |= 1ull << (signal - 1);
        count++;
    }
    for (uint32_t i = 1; i <= kept; i++) {
        if (!(chosen >> (i - 1) & 1))
            continue;
        struct semaphore_operation *operation = &found->operations[found->operation_count++];
        *operation = *operation_ago(group, i);
        uint32_t signal = operation->wait && operation->value ? signal_of(group, i, kept) : 0;
        operation->ended_by = signal ? operation_ago(group, signal)->value : 0;
    }
}

/* True if mute_labels names a label within which the access was recorded, executed or submitted.
 * `slot` is NULL if it is not known any more: then nothing is muted. */
static bool queue_is_muted(const struct queue_slot *slot, uint64_t tag)
{
    struct access_origin origin;
    return slot && (slot->muted || (command_log_find(slot->log, tag & UINT32_MAX, &origin) &&
                                    access_origin_is_muted(&origin)));
}

/* Keeps a certain hazard for the report. `origin` is the origin of this access, in the slot's
 * log. */
COLD static void note_hazard(struct sync_group *group, const struct queue_slot *slot,
                             const struct access_origin *origin, const struct sync_place *place,
                             const struct sync_access *access, const struct sync_barrier *barrier,
                             const struct sync_hazard *hazard) REQUIRES(group->lock)
{
    struct processing *processing = group->processing;
    struct hazard_group places = hazard_group_of(origin, place, access, hazard);
    for (uint32_t i = 0; i < processing->found_count; i++) {
        struct found_hazard *other = &processing->found[i];
        if (other->self.slot.number == slot->number && hazard_group_join(&other->group, &places))
            return;
    }
    if (processing->found_count == FOUND_LIMIT)
        return;
    struct found_hazard *found = &processing->found[processing->found_count++];
    *found = (struct found_hazard){
        .group = places,
        .access = *access,
        .has_barrier = barrier != NULL,
        .hazard = *hazard,
        .self = side_of(group, access->queue, access->tag),
        .earlier = side_of(group, hazard->prior.queue, hazard->prior.tag),
    };
    found->hazard.prior.foreign = NULL;
    if (barrier)
        found->barrier = *barrier;
    find_operations(group, found);
}

/* Returns the places where the hazard is certain, by doubts_judge(); NULL: it is not certain so
 * far. With the heuristic, every access counts as certain. */
COLD static const struct doubt *judge(const struct sync_group *group,
                                      const struct access_origin *origin,
                                      const struct sync_place *place,
                                      const struct sync_access *access,
                                      const struct sync_record *prior) REQUIRES(group->lock)
{
    const struct access_part *self = NULL, *earlier = NULL;
    if (!group->processing->call->instance->settings.syncval_shader_accesses_heuristic) {
        const struct queue_slot *slot =
            sync_queue_find_slot(&group->tracks[prior->queue], (uint32_t)(prior->tag >> 32));
        self = access_origin_part(origin);
        earlier = slot ? command_log_find_part(slot->log, prior->tag & UINT32_MAX) : NULL;
    }
    return doubts_judge(&group->processing->doubts, self, earlier, place, access, prior->tag);
}

/* True if the host may know that the earlier access is done although it is not known here. The
 * access is the presentation engine's, or the host has seen its end by an event or a query. */
static bool host_may_know(const struct sync_group *group, const struct sync_record *prior)
{
    const struct queue_slot *slot =
        sync_queue_find_slot(&group->tracks[prior->queue], (uint32_t)(prior->tag >> 32));
    return prior->queue >= PRESENT_QUEUES || !slot ||
           slot->looks != atomic_load_explicit(&group->device->host_looks, memory_order_relaxed);
}

COLD static void told(const struct sync_sink *sink, const struct sync_place *place,
                      const struct sync_access *access, const struct sync_barrier *barrier,
                      const struct sync_hazard *hazard)
{
    struct sync_group *group =
        /* The sink is a part of the group. */
        (struct sync_group *)(void *)((char *)(uintptr_t)sink - offsetof(struct sync_group, sink));
    struct processing *processing = group->processing;
    lock_held(&group->lock); /* held while a submission is processed */
    const struct queue_slot *slot =
        sync_queue_find_slot(&group->tracks[access->queue], (uint32_t)(access->tag >> 32));
    struct access_origin origin;
    if (!processing ||
        !hazard_is_asked_for(&processing->call->instance->settings, access, &hazard->prior) ||
        !slot || !command_log_find(slot->log, access->tag & UINT32_MAX, &origin))
        return;
    const struct sync_record *prior = &hazard->prior;
    if (origin.entry->source.role == ROLE_HOST && host_may_know(group, prior))
        return;
    const struct doubt *certain = judge(group, &origin, place, access, prior);
    if (!certain)
        return;
    if (unlikely(processing->call->instance->settings.mute_labels.count) &&
        (queue_is_muted(slot, access->tag) ||
         queue_is_muted(sync_queue_find_slot(&group->tracks[prior->queue],
                                             (uint32_t)(prior->tag >> 32)),
                        prior->tag))) {
        if (finding_is_heard(processing->call, SEVERITY_ERROR, sync_hazard_id(hazard->kind)))
            reporter_count_muted_by_label(processing->call->instance->reporter);
        return;
    }
    for (uint32_t i = 0; i < certain->place_count; i++)
        note_hazard(group, slot, &origin, &certain->places[i], access, barrier, hazard);
}

/* True if submissions of the call's queue are checked. After a loss of the device nothing is known
 * of its work. */
static bool queue_is_looked_at(const struct call *call)
{
    return call->instance->settings.syncval_full_validation &&
           likely(!device_is_lost(call->device));
}

struct sync_device *sync_device_made(const struct call *call)
{
    struct device_state *state =
        queue_is_looked_at(call) ? object_load_state(call->device->object) : NULL;
    return state ? atomic_load_explicit(&sync_in_device_state(state)->sync, memory_order_acquire)
                 : NULL;
}

struct sync_device *sync_device_make(const struct call *call)
{
    return queue_is_looked_at(call) ? sync_device_of(call->device) : NULL;
}

/* Makes `processing` the call that the group's findings belong to. The group's lock is held until
 * processing_end(). */
static void sync_queue_start(struct processing *processing, struct sync_group *group)
    REQUIRES(group->lock)
{
    processing->group = group;
    group->processing = processing;
    sync_group_refresh(group);
}

bool processing_begin(struct processing *processing, const struct call *call,
                      struct queue *queue) NOT_ANALYSED /* `shared` is processing->group */
{
    struct sync_device *sync = sync_device_make(call);
    if (!sync)
        return false;
    struct sync_group *shared = &sync->shared;
    if (queue && !queue_group_make(sync, queue))
        return false;
    processing->call = call;
    processing->found_count = processing->doubts.count = 0;
    lock_take(&shared->lock);
    sync_queue_start(processing, shared);
    if (queue)
        queue_group_join(shared, &sync->tracks[queue->number]);
    return true;
}

bool processing_begin_queue(struct processing *processing, const struct call *call,
                            struct queue *queue) NOT_ANALYSED /* returns with the lock held */
{
    struct sync_device *sync = sync_device_make(call);
    if (!sync || !queue_group_make(sync, queue))
        return false;
    struct queue_track *track = &sync->tracks[queue->number];
    processing->call = call;
    processing->found_count = processing->doubts.count = 0;
    struct sync_group *group = queue_group_take(sync, (uint8_t)queue->number);
    sync_queue_start(processing, group);
    if (group->queue)
        return true;
    struct sync_group *own = queue_group_leave(group, track);
    if (own) {
        group->processing = NULL;
        lock_release(&group->lock);
        sync_queue_start(processing, own);
    }
    return true;
}

void processing_end(struct processing *processing) NOT_ANALYSED /* releases the group's lock */
{
    assert(processing->found_count <= FOUND_LIMIT);
    struct sync_group *group = processing->group;
    queue_batches_run(processing);
    if (unlikely(group->context.broken))
        sync_group_forget(group);
    sync_queue_sweep(group);
    group->processing = NULL;
    /* Findings are reported without the lock, as the program's callback may submit work. */
    lock_release(&group->lock);
    for (uint32_t i = 0; i < processing->found_count; i++) {
        struct found_hazard *found = &processing->found[i];
        sync_report_submitted(processing->call, found);
        command_log_release(found->self.slot.log);
        command_log_release(found->earlier.slot.log);
    }
}
