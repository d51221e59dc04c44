/* Parks submissions that need not be compared with other work. Most programs wait for submitted
 * work before they use its memory again, and their queues have memory of their own. When accesses
 * of such a command buffer could matter, it is done already, so playing it would be useless.
 *
 * A command buffer is parked with its queue q, under no lock but that of q's group, when these
 * hold:
 *   1. Everything that was submitted to q before is done (no slots, nothing parked or pending).
 *   2. No other queue has claimed the ranges that it accesses: none has pending accesses there
 *      (queue_group.c).
 *   3. No queue of the group has ordered work after that of another one (`crossed`), and
 * nothing is pending in it.
 *
 * By 1 and 2 the command buffer can collide with no known access. By 3 its barriers can order no
 * known access either, as q has learned of none from other queues. So it need not be played until
 * work comes that could collide with it. The processing of a submission first plays the work that
 * is parked in its group (queue_play_parked()). A queue that joins the shared group plays its
 * parked work before that. Parking again requires 1 again. Work that is done by then is dropped:
 * its accesses would be forgotten, and its barriers would order nothing that is not done as
 * well. */
#include "sync/hooks.h"
#include "sync/queue/queue.h"

void queue_drop_parked(struct queue_track *track)
{
    command_log_release(track->parked.slot.log);
    track->parked = (struct parked){0};
}

bool queue_park_here(struct sync_group *group, const struct queue_slot *slot,
                     struct sync_command_buffer *recorded)
{
    assert(queue_is_followed(slot->queue));
    uint8_t number = (uint8_t)slot->queue->number;
    struct queue_track *track = &group->tracks[number];
    bool busy = false;
    queue_refresh(group, track);
    if (!track_is_idle(track) || group->crossed || group->pending_count)
        return false;
    /* the submission counts as done: queue_batch_submit() */
    if (unlikely(slot->sequence <= track->done))
        return true;
    /* Not recording_take(): another queue may do the same with this command buffer at the same
     * time, which does no harm. */
    if (!atomic_compare_exchange_strong_explicit(&recorded->busy, &busy, true, memory_order_acquire,
                                                 memory_order_relaxed))
        return false;
    /* A recording without accesses is not parked. */
    bool parks = recording_stands_alone(recorded, slot->log) &&
                 recorded->context.root.space_count && queue_claims_alone(group, track, recorded);
    if (parks) {
        track->parked = (struct parked){.slot = *slot, .recorded = recorded};
        track->parked.slot.looks = host_looks(group);
        command_log_hold(slot->log);
        atomic_store_explicit(&recorded->parked, number, memory_order_relaxed);
    }
    recording_give(recorded);
    return parks;
}

bool queue_park(const struct call *call, const struct queue_slot *slot,
                /* takes and releases the lock of the group */
                struct sync_command_buffer *recorded) NOT_ANALYSED
{
    struct sync_device *sync = sync_device_made(call);
    struct sync_group *group = sync ? queue_group_take(sync, (uint8_t)slot->queue->number) : NULL;
    if (!group)
        return false;
    bool parks = queue_park_here(group, slot, recorded);
    lock_release(&group->lock);
    return parks;
}

void queue_play_parked(struct sync_group *group)
{
    const uint32_t end = group_end(group);
    for (uint32_t i = group_first(group); i < end; i++) {
        struct queue_track *track = &group->tracks[i];
        if (!group_has(group, i) || !track->parked.slot.log)
            continue;
        struct parked parked = track->parked;
        /* The entry is cleared first, since playing may come here again. */
        track->parked = (struct parked){0};
        queue_play(group, parked.recorded, &parked.slot);
        command_log_release(parked.slot.log);
    }
}

void queue_unpark(const struct call *call,
                  /* takes and releases the lock of the group */
                  struct sync_command_buffer *recorded) NOT_ANALYSED
{
    uint8_t number = atomic_exchange_explicit(&recorded->parked, 0, memory_order_relaxed);
    struct sync_device *sync = sync_device_made(call);
    struct sync_group *group = number && sync ? queue_group_take(sync, number) : NULL;
    if (!group)
        return;
    struct queue_track *track = &group->tracks[number];
    queue_refresh(group, track);
    /* Meanwhile another thread may have played the command buffer, or dropped it as done. */
    struct queue *stays = track->parked.recorded == recorded ? track->queue : NULL;
    lock_release(&group->lock);
    struct processing processing;
    /* plays it: this is the last chance */
    if (stays && processing_begin_queue(&processing, call, stays))
        processing_end(&processing);
}
