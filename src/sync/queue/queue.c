/* Keeps the submitted work that is not known to be done, and the origin of each of its accesses. */
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

/* --- the device's part --- */

static bool is_done(const struct sync_context *context, const struct sync_record *record)
{
    const struct sync_device *sync = (const struct sync_device *)context;
    return record->tag < sync->tracks[record->queue].live_tag;
}
static_assert(offsetof(struct sync_device, context) == 0, "the context is the head");

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

static void release_slots(struct queue_track *track)
{
    for (; track->count; track->count--) {
        command_log_release(track->slots[track->first].log);
        track->first = (track->first + 1) & (track->capacity - 1);
    }
}

static void lock_tracks(struct sync_device *sync) NOT_ANALYSED /* of all: in a loop */
{
    for (uint32_t i = 1; i < sync->track_end; i++)
        lock_take(&sync->tracks[i].lock);
}

static void unlock_tracks(struct sync_device *sync) NOT_ANALYSED /* of all: in a loop */
{
    for (uint32_t i = 1; i < sync->track_end; i++)
        lock_release(&sync->tracks[i].lock);
}

/* All that there are, for forks. The lock is taken before that of a device. */
static struct lock devices_lock = LOCK_INITIALIZER;
static struct sync_device *devices GUARDED_BY(devices_lock);

static void enlist(struct sync_device *sync)
{
    lock_take(&devices_lock);
    sync->next = devices;
    sync->previous = &devices;
    if (devices)
        devices->previous = &sync->next;
    devices = sync;
    lock_release(&devices_lock);
}

static void delist(struct sync_device *sync)
{
    lock_take(&devices_lock);
    *sync->previous = sync->next;
    if (sync->next)
        sync->next->previous = sync->previous;
    lock_release(&devices_lock);
}

void sync_devices_fork(enum fork_step step) NOT_ANALYSED /* each step does half of it */
{
    if (step == FORK_PREPARE)
        lock_take(&devices_lock);
    for (struct sync_device *sync = devices; sync; sync = sync->next) {
        if (step == FORK_PREPARE) {
            lock_take(&sync->lock);
            lock_tracks(sync);
            lock_take(&sync->owned_lock);
        } else {
            lock_release(&sync->owned_lock);
            unlock_tracks(sync);
            lock_release(&sync->lock);
        }
    }
    if (step != FORK_PREPARE)
        lock_release(&devices_lock);
}

static void sync_device_destroy(struct sync_device *sync)
{
    delist(sync);
    lock_unneeded(&sync->lock);
    lock_unneeded(&sync->owned_lock);
    for (uint32_t i = 0; i < QUEUE_NUMBERS; i++) {
        queue_drop_parked(&sync->tracks[i]);
        free_pending(&sync->tracks[i]);
        release_slots(&sync->tracks[i]);
        mem_free(sync->tracks[i].slots);
    }
    touched_device_free(sync->touched);
    owners_free(sync->owned);
    sync_context_free(&sync->context);
    mem_free(sync->semaphores);
    mem_retire(sync);
}

static void told(const struct sync_sink *sink, const struct sync_place *place,
                 const struct sync_access *access, const struct sync_barrier *barrier,
                 const struct sync_hazard *hazard);

static struct sync_device *sync_device_new(const struct device *device)
{
    struct sync_device *sync = mem_alloc_lines_zeroed(sizeof(*sync));
    if (!sync)
        return NULL;
    sync_context_init(&sync->context, false);
    sync->context.is_done = is_done;
    sync->sink.hazard = told;
    sync->context.sink = &sync->sink;
    sync->device = device;
    sync->next_slot = 1;
    lock_init_adaptive(&sync->lock);
    lock_init_adaptive(&sync->owned_lock);
    for (uint32_t i = 0; i < QUEUE_NUMBERS; i++) {
        lock_init_adaptive(&sync->tracks[i].lock);
        sync->tracks[i].pending_end = &sync->tracks[i].pending;
    }
    enlist(sync);
    return sync;
}

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

static void destroy_of_device(struct object *object)
{
    struct sync_device *sync = atomic_exchange(&sync_in_device_state(object->state)->sync, NULL);
    if (sync)
        sync_device_destroy(sync);
}

const struct area_end sync_areas[] = {{HANDLE_DEVICE, destroy_of_device},
                                      {HANDLE_DEVICE_MEMORY, sync_aliases_end},
                                      {HANDLE_NONE, NULL}};

/* No access is known that may not be done: any queue may have any space. */
static void forget_owners(struct sync_device *sync)
{
    sync->crossed = false;
    for (uint32_t i = 0; sync->several && i < SPACE_OWNERS; i++)
        atomic_store_explicit(&sync->owners[i], 0, memory_order_relaxed);
    sync->several = false;
}

void sync_device_forget(struct sync_device *sync)
{
    sync_context_reset(&sync->context);
    for (uint32_t i = 0; i < QUEUE_NUMBERS; i++) {
        queue_drop_parked(&sync->tracks[i]);
        release_slots(&sync->tracks[i]);
    }
    forget_owners(sync);
    sync->slot_count = sync->kept_slots = 0;
    sync->acquired_count = 0;
    queue_semaphores_forget(sync);
}

void sync_device_add_queue(struct sync_device *sync,
                           /* processing_end() lets go of the track's lock */
                           struct queue *queue) NOT_ANALYSED
{
    assert(queue->number && queue->number < PRESENT_QUEUES);
    for (uint32_t end = queue->number + 1; sync->track_end < end; sync->track_end++) {
        if (sync->track_end) /* no queue has number 0 */
            lock_take(&sync->tracks[sync->track_end].lock);
    }
    sync->tracks[queue->number].queue = queue;
}

/* --- slots --- */

/* Slots of a ring, at the least. */
#define FIRST_SLOTS 16

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

uint64_t sync_device_add_slot(struct sync_device *sync, uint8_t number,
                              const struct queue_slot *slot)
{
    assert(slot->log);
    struct queue_track *track = &sync->tracks[number];
    /* some five days of ten thousand command buffers a second */
    if (sync->next_slot == UINT32_MAX) {
        sync_device_forget(sync);
        sync->next_slot = 1;
        sync->host_seen = 0;
        for (uint32_t i = 0; i < QUEUE_NUMBERS; i++)
            sync->tracks[i].live_tag = 0;
    }
    if (track->count == track->capacity && !grow_slots(track)) {
        sync_device_forget(sync);
        return 0;
    }
    struct queue_slot *place =
        &track->slots[(track->first + track->count++) & (track->capacity - 1)];
    *place = *slot;
    place->number = sync->next_slot++;
    command_log_hold(place->log);
    atomic_fetch_add_explicit(&sync->slot_count, 1, memory_order_relaxed);
    return place->number;
}

/* NULL: not known any more. */
static struct queue_slot *find_slot(const struct queue_track *track, uint32_t number)
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

void queue_refresh(struct sync_device *sync, struct queue_track *track)
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
        atomic_fetch_sub_explicit(&sync->slot_count, 1, memory_order_relaxed);
    }
    uint32_t first = track->count ? track->slots[track->first].number : sync->next_slot;
    track->live_tag = (uint64_t)first << 32;
}

/* Images whose fence is signaled belong to the app. */
static void refresh_acquired(struct sync_device *sync) REQUIRES(sync->lock)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < sync->acquired_count; i++) {
        const struct fence *fence = fence_by_id(sync->acquired[i].fence);
        if (fence && fence_status(sync->device, fence) == FENCE_PENDING)
            sync->acquired[kept++] = sync->acquired[i];
        else
            sync_context_forget(&sync->context, sync->acquired[i].space);
    }
    sync->acquired_count = kept;
}

static void refresh(struct sync_device *sync) REQUIRES(sync->lock)
{
    for (uint32_t i = 1; i < sync->track_end; i++) {
        if (sync->tracks[i].queue)
            queue_refresh(sync, &sync->tracks[i]);
    }
    queue_play_parked(sync);
    if (sync->acquired_count)
        refresh_acquired(sync);
    if (!sync->slot_count && !sync->pending_count)
        forget_owners(sync);
}

/* --- sweeping --- */

/* Slots beyond those that the last sweep left that make another one worth it. They are the
 * presentation engine's, which are not asked about, and those of programs that never ask whether
 * their work is done. A sweep costs as much as there is to look at: with a large context it takes
 * more slots, one for so many bytes. */
#define SLOTS_MORE     256
#define SLOT_FOR_BYTES 1024

static bool wants_sweep_of_slots(const struct sync_device *sync) REQUIRES(sync->lock)
{
    return sync->slot_count >
           2 * sync->kept_slots + SLOTS_MORE + sync->context.swept_size / SLOT_FOR_BYTES;
}

/* Spaces of resources that are gone: ids are not given out twice. */
static void forget_dead_spaces(struct sync_device *sync)
{
    const struct sync_view *view = &sync->context.root;
    for (uint32_t i = 0; i < view->space_capacity; i++) {
        const struct sync_space *space = view->spaces[i];
        if (space && space->map.count && !object_find_id(space->id, object_id_type(space->id)))
            sync_context_forget(&sync->context, space->id);
    }
}

/* Events have numbers of snapshots, of which there are few. */
static void forget_dead_events(struct sync_device *sync)
{
    struct sync_context *context = &sync->context;
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

static void mark_slot(void *data, const struct sync_record *record)
{
    struct sync_device *sync = data;
    struct queue_slot *slot =
        find_slot(&sync->tracks[record->queue], (uint32_t)(record->tag >> 32));
    if (slot)
        slot->used = true;
}

static void sweep_slots(struct sync_device *sync) REQUIRES(sync->lock)
{
    sync_context_each_record(&sync->context, mark_slot, sync);
    sync->slot_count = 0;
    for (uint32_t i = 0; i < QUEUE_NUMBERS; i++) {
        struct queue_track *track = &sync->tracks[i];
        uint32_t kept = 0;
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
        sync->slot_count += kept;
    }
    sync->kept_slots = sync->slot_count;
}

static void sweep(struct sync_device *sync) REQUIRES(sync->lock)
{
    bool slots = wants_sweep_of_slots(sync);
    if (likely(!slots && !sync_context_wants_sweep(&sync->context)))
        return;
    forget_dead_spaces(sync);
    forget_dead_events(sync);
    sync_context_sweep(&sync->context);
    if (slots)
        sweep_slots(sync);
}

/* --- one call --- */

/* `slot`'s log is held from here on. */
static struct found_side side_of(const struct sync_device *sync, uint8_t number, uint64_t tag)
{
    struct found_side side = {0};
    const struct queue_slot *slot = find_slot(&sync->tracks[number], (uint32_t)(tag >> 32));
    if (slot) {
        side.slot = *slot;
        command_log_hold(slot->log);
    }
    return side;
}

/* The operation `back` steps ago, from 1. */
static const struct semaphore_operation *operation_ago(const struct sync_device *sync,
                                                       uint32_t back) REQUIRES(sync->lock)
{
    return &sync->operations[(sync->operation_count - back) & (OPERATIONS_KEPT - 1)];
}

/* The signal of the smallest value of a timeline semaphore that is enough for the wait. Signals
 * come by growing value: it ends the wait if it has just this value, or a smaller one is known. It
 * also does if all are known, and the semaphore began with less. */
COLD static uint32_t timeline_signal_of(const struct sync_device *sync,
                                        const struct semaphore_operation *waited, uint32_t kept)
    REQUIRES(sync->lock)
{
    const struct semaphore *semaphore = semaphore_by_id(waited->semaphore);
    /* Others may have signaled values in between. */
    bool shared = !semaphore || semaphore_is_shared(semaphore);
    bool smaller =
        !shared && sync->operation_count <= OPERATIONS_KEPT && semaphore->initial < waited->value;
    uint32_t found = 0;
    for (uint32_t i = 1; i <= kept; i++) {
        const struct semaphore_operation *operation = operation_ago(sync, i);
        if (operation->wait || operation->semaphore != waited->semaphore)
            continue;
        smaller |= !shared && operation->value < waited->value;
        if (operation->value >= waited->value &&
            (!found || operation->value < operation_ago(sync, found)->value))
            found = i;
    }
    return found && (smaller || operation_ago(sync, found)->value == waited->value) ? found : 0;
}

/* How long ago the signal was that ends the wait. 0: it is not known. */
COLD static uint32_t signal_of(const struct sync_device *sync, uint32_t wait, uint32_t kept)
    REQUIRES(sync->lock)
{
    const struct semaphore_operation *waited = operation_ago(sync, wait);
    if (!waited->semaphore)
        return 0;
    if (waited->value)
        return timeline_signal_of(sync, waited, kept);
    for (uint32_t i = wait + 1; i <= kept; i++) {
        const struct semaphore_operation *operation = operation_ago(sync, i);
        if (!operation->wait && operation->semaphore == waited->semaphore && !operation->value)
            return i;
    }
    return 0;
}

/* What was done with semaphores after the earlier access on its queue, and before this one on its
 * own: the last operations. Where there is room, the signals that those waits were for are among
 * them. */
COLD static void find_operations(const struct sync_device *sync, struct found_hazard *found)
    REQUIRES(sync->lock)
{
    uint64_t chosen = 0; /* bit i: the one i + 1 steps ago */
    uint32_t count = 0;
    const struct queue_slot *self = &found->self.slot, *earlier = &found->earlier.slot;
    uint64_t queue = self->queue ? object_state_id(&self->queue->base) : 0;
    uint64_t earlier_queue = earlier->queue ? object_state_id(&earlier->queue->base) : 0;
    uint32_t kept =
        sync->operation_count < OPERATIONS_KEPT ? sync->operation_count : OPERATIONS_KEPT;
    static_assert(OPERATIONS_KEPT <= 64, "bits of `chosen`");
    for (uint32_t i = 1; i <= kept && count < OPERATIONS_SHOWN; i++) {
        const struct semaphore_operation *operation = operation_ago(sync, i);
        bool waits =
            operation->wait && operation->queue == queue && operation->submission <= self->sequence;
        bool signals = !operation->wait && !operation->host && operation->queue == earlier_queue &&
                       operation->submission >= earlier->sequence;
        chosen |= (uint64_t)(waits || signals) << (i - 1);
        count += waits || signals;
    }
    for (uint32_t i = 1; i <= kept && count < OPERATIONS_SHOWN; i++) {
        uint32_t signal =
            chosen >> (i - 1) & 1 && operation_ago(sync, i)->wait ? signal_of(sync, i, kept) : 0;
        if (!signal || chosen >> (signal - 1) & 1)
            continue;
        chosen |= 1ull << (signal - 1);
        count++;
    }
    for (uint32_t i = 1; i <= kept; i++) {
        if (!(chosen >> (i - 1) & 1))
            continue;
        struct semaphore_operation *operation = &found->operations[found->operation_count++];
        *operation = *operation_ago(sync, i);
        uint32_t signal = operation->wait && operation->value ? signal_of(sync, i, kept) : 0;
        operation->ended_by = signal ? operation_ago(sync, signal)->value : 0;
    }
}

/* True if mute_labels names a label within which the access was recorded, executed or submitted. */
static bool is_muted(const struct queue_slot *slot, uint64_t tag)
{
    struct access_origin origin;
    return slot && (slot->muted || (command_log_find(slot->log, tag & UINT32_MAX, &origin) &&
                                    access_origin_is_muted(&origin)));
}

/* A hazard that is certain. `origin`: of this access, in the slot. */
COLD static void note_hazard(struct sync_device *sync, const struct queue_slot *slot,
                             const struct access_origin *origin, const struct sync_place *place,
                             const struct sync_access *access, const struct sync_barrier *barrier,
                             const struct sync_hazard *hazard) REQUIRES(sync->lock)
{
    struct processing *processing = sync->processing;
    struct hazard_group group = hazard_group_of(origin, place, access, hazard);
    for (uint32_t i = 0; i < processing->found_count; i++) {
        struct found_hazard *other = &processing->found[i];
        if (other->self.slot.number == slot->number && hazard_group_join(&other->group, &group))
            return;
    }
    if (processing->found_count == FOUND_LIMIT)
        return;
    struct found_hazard *found = &processing->found[processing->found_count++];
    *found = (struct found_hazard){
        .group = group,
        .access = *access,
        .has_barrier = barrier != NULL,
        .hazard = *hazard,
        .self = side_of(sync, access->queue, access->tag),
        .earlier = side_of(sync, hazard->prior.queue, hazard->prior.tag),
    };
    found->hazard.prior.foreign = NULL;
    if (barrier)
        found->barrier = *barrier;
    find_operations(sync, found);
}

/* Where the hazard is certain: doubts_judge(). */
COLD static const struct doubt *judge(const struct sync_device *sync,
                                      const struct access_origin *origin,
                                      const struct sync_place *place,
                                      const struct sync_access *access,
                                      const struct sync_record *prior) REQUIRES(sync->lock)
{
    const struct access_part *self = NULL, *earlier = NULL;
    if (!sync->processing->call->instance->settings.syncval_shader_accesses_heuristic) {
        const struct queue_slot *slot =
            find_slot(&sync->tracks[prior->queue], (uint32_t)(prior->tag >> 32));
        self = access_origin_part(origin);
        earlier = slot ? command_log_find_part(slot->log, prior->tag & UINT32_MAX) : NULL;
    }
    return doubts_judge(&sync->processing->doubts, self, earlier, place, access, prior->tag);
}

COLD static void told(const struct sync_sink *sink, const struct sync_place *place,
                      const struct sync_access *access, const struct sync_barrier *barrier,
                      const struct sync_hazard *hazard)
{
    struct sync_device *sync = (struct sync_device *)(void *)((char *)(uintptr_t)sink -
                                                              offsetof(struct sync_device, sink));
    struct processing *processing = sync->processing;
    lock_held(&sync->lock); /* while a submission is processed */
    const struct queue_slot *slot =
        find_slot(&sync->tracks[access->queue], (uint32_t)(access->tag >> 32));
    struct access_origin origin;
    if (!processing ||
        !hazard_is_asked_for(&processing->call->instance->settings, access, &hazard->prior) ||
        !slot || !command_log_find(slot->log, access->tag & UINT32_MAX, &origin))
        return;
    /* Of the presentation engine, and of what it has seen otherwise, the host may know more than is
     * known here. */
    if (origin.entry->source.role == ROLE_HOST &&
        (hazard->prior.queue >= PRESENT_QUEUES || hazard->prior.tag >> 32 < sync->host_seen))
        return;
    const struct sync_record *prior = &hazard->prior;
    const struct doubt *certain = judge(sync, &origin, place, access, prior);
    if (!certain)
        return;
    if (unlikely(processing->call->instance->settings.mute_labels.count) &&
        (is_muted(slot, access->tag) ||
         is_muted(find_slot(&sync->tracks[prior->queue], (uint32_t)(prior->tag >> 32)),
                  prior->tag))) {
        if (finding_is_heard(processing->call, SEVERITY_ERROR, sync_hazard_id(hazard->kind)))
            reporter_count_muted_by_label(processing->call->instance->reporter);
        return;
    }
    for (uint32_t i = 0; i < certain->place_count; i++)
        note_hazard(sync, slot, &origin, &certain->places[i], access, barrier, hazard);
}

static bool is_looked_at(const struct call *call)
{
    return call->instance->settings.syncval_full_validation &&
           likely(!device_is_lost(call->device));
}

struct sync_device *sync_device_made(const struct call *call)
{
    struct device_state *state =
        is_looked_at(call) ? object_load_state(call->device->object) : NULL;
    return state ? atomic_load_explicit(&sync_in_device_state(state)->sync, memory_order_acquire)
                 : NULL;
}

struct sync_device *sync_device_make(const struct call *call)
{
    return is_looked_at(call) ? sync_device_of(call->device) : NULL;
}

bool processing_begin(struct processing *processing,
                      const struct call *call) NOT_ANALYSED /* the locks of all tracks, too */
{
    struct sync_device *sync = is_looked_at(call) ? sync_device_of(call->device) : NULL;
    if (!sync)
        return false;
    processing->sync = sync;
    processing->call = call;
    processing->found_count = processing->doubts.count = 0;
    lock_take(&sync->lock);
    lock_tracks(sync);
    sync->processing = processing;
    refresh(sync);
    return true;
}

void processing_end(struct processing *processing) NOT_ANALYSED /* likewise */
{
    assert(processing->found_count <= FOUND_LIMIT);
    struct sync_device *sync = processing->sync;
    queue_batches_run(processing);
    if (unlikely(sync->context.broken))
        sync_device_forget(sync);
    sweep(sync);
    sync->processing = NULL;
    unlock_tracks(sync);
    lock_release(&sync->lock);
    for (uint32_t i = 0; i < processing->found_count; i++) {
        struct found_hazard *found = &processing->found[i];
        sync_report_submitted(processing->call, found);
        command_log_release(found->self.slot.log);
        command_log_release(found->earlier.slot.log);
    }
}
