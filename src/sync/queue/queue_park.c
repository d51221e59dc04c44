/* Finds submissions that need not be compared with anything. Most programs wait for what they have
 * submitted before they use it again, and their queues have memory of their own. Playing such a
 * command buffer would only show that it is done by the time when it could matter.
 *
 * A command buffer is parked with its queue q, with no other lock than q's, when these hold:
 *   1. Everything that was submitted to q before is done (no slots, nothing parked or pending).
 *   2. Of each space that it accesses, q is the owner: no other queue has accesses there that may
 *      not be done.
 *   3. No queue has ordered anything after what another one did (`crossed`), and nothing is pending
 *      anywhere.
 *
 * By 1 and 2 no access is known that it could collide with. None is known that its barriers could
 * order, but for what q has learned of other queues, which by 3 is nothing. So it need not be
 * played as long as no work comes that could collide with it. The processing of a submission plays
 * what is parked first (queue_play_parked()), and parking asks for 1 again. What is done by then is
 * dropped: its accesses would be forgotten, and its barriers would order nothing that is not done
 * as well.
 *
 * Owners: `owners` has, for each space's entry, at least what accesses there may not be done. An
 * entry goes from 0 to q under q's lock, or under all locks; all other changes are made under all
 * locks. The exchange itself decides between two queues that take a free entry at the same time.
 * The queue keeps it until a thread with all locks takes it away, which plays what is parked first.
 * No other memory is handed over by an entry, so it is relaxed. Several spaces may share an entry;
 * they only are played more often. */
#include "sync/hooks.h"
#include "sync/queue/queue.h"

static _Atomic uint8_t *owner_of(struct sync_device *sync, uint64_t space)
{
    return &sync->owners[(space * 0x9e3779b97f4a7c15ull >> 32) & (SPACE_OWNERS - 1)];
}

void queue_claim(struct sync_device *sync, uint64_t space, uint8_t number)
{
    assert(number);
    _Atomic uint8_t *entry = owner_of(sync, space);
    uint8_t owner = atomic_load_explicit(entry, memory_order_relaxed);
    if (likely(owner == number))
        return;
    sync->several |= owner != 0;
    atomic_store_explicit(entry, owner ? OWNER_SEVERAL : number, memory_order_relaxed);
}

/* True if the queue is the only one in these spaces. It is from now on, if so. */
static bool own_spaces(struct sync_device *sync, const struct sync_view *view, uint8_t number)
{
    for (uint32_t i = 0; i < view->space_capacity; i++) {
        if (!view->spaces[i])
            continue;
        _Atomic uint8_t *entry = owner_of(sync, view->spaces[i]->id);
        uint8_t owner = atomic_load_explicit(entry, memory_order_relaxed);
        if (owner != number &&
            (owner ||
             !atomic_compare_exchange_strong_explicit(entry, &owner, number, memory_order_relaxed,
                                                      memory_order_relaxed)))
            return false;
    }
    return true;
}

void queue_drop_parked(struct queue_track *track)
{
    command_log_release(track->parked.slot.log);
    track->parked = (struct parked){0};
}

/* True if everything is done that was submitted to the queue. */
static bool is_idle(struct sync_device *sync, struct queue_track *track)
{
    queue_refresh(sync, track);
    return !track->count && !track->pending && !track->parked.slot.log;
}

/* Of a recording that says itself what it does, and is whole. Nobody records into it meanwhile. */
static bool stands_alone(const struct sync_command_buffer *recorded, const struct command_log *log)
{
    const struct sync_context *context = &recorded->context;
    return recorded->log == log &&
           !atomic_load_explicit(&recorded->disturbed, memory_order_relaxed) && !context->broken &&
           !context->entangled && context->root.space_count;
}

bool queue_park_here(struct sync_device *sync, const struct queue_slot *slot,
                     struct sync_command_buffer *recorded)
{
    assert(queue_is_followed(slot->queue));
    struct queue_track *track = &sync->tracks[slot->queue->number];
    uint8_t number = (uint8_t)slot->queue->number;
    bool busy = false;
    if (!track->queue || !is_idle(sync, track) || sync->crossed || sync->pending_count)
        return false;
    if (unlikely(slot->sequence <= track->done)) /* it counts as done: queue_batch_submit() */
        return true;
    /* Not recording_take(): another queue may be at this very place with the same command buffer,
     * which disturbs nothing. */
    if (!atomic_compare_exchange_strong_explicit(&recorded->busy, &busy, true, memory_order_acquire,
                                                 memory_order_relaxed))
        return false;
    bool parks =
        stands_alone(recorded, slot->log) && own_spaces(sync, &recorded->context.root, number);
    if (parks) {
        track->parked = (struct parked){.slot = *slot, .recorded = recorded};
        command_log_hold(slot->log);
        atomic_store_explicit(&recorded->parked, number, memory_order_relaxed);
    }
    recording_give(recorded);
    return parks;
}

bool queue_park(const struct call *call, const struct queue_slot *slot,
                struct sync_command_buffer *recorded)
{
    struct sync_device *sync = sync_device_made(call);
    if (!sync)
        return false;
    struct queue_track *track = &sync->tracks[slot->queue->number];
    lock_take(&track->lock);
    bool parks = queue_park_here(sync, slot, recorded);
    lock_release(&track->lock);
    return parks;
}

void queue_play_parked(struct sync_device *sync)
{
    for (uint32_t i = 1; i < sync->track_end; i++) {
        struct parked parked = sync->tracks[i].parked;
        if (!parked.slot.log)
            continue;
        sync->tracks[i].parked = (struct parked){0};
        queue_play(sync, parked.recorded, &parked.slot);
        command_log_release(parked.slot.log);
    }
}

void queue_unpark(const struct call *call, struct sync_command_buffer *recorded)
{
    uint8_t number = atomic_exchange_explicit(&recorded->parked, 0, memory_order_relaxed);
    struct sync_device *sync = sync_device_made(call);
    if (!number || !sync)
        return;
    struct queue_track *track = &sync->tracks[number];
    lock_take(&track->lock);
    bool stays = track->parked.recorded == recorded && !is_idle(sync, track);
    lock_release(&track->lock);
    struct processing processing;
    if (stays && processing_begin(&processing, call)) /* the last moment to play it */
        processing_end(&processing);
}
