/* Finds submissions that need not be compared with anything. Most programs wait for what they have
 * submitted before they use it again, and their queues have memory of their own. Playing such a
 * command buffer would only show that it is done by the time when it could matter.
 *
 * A command buffer is parked with its queue q, under no lock but that of q's group, when these
 * hold:
 *   1. Everything that was submitted to q before is done (no slots, nothing parked or pending).
 *   2. No other queue has claimed what it accesses: none has accesses there that may not be done
 *      (queue_group.c).
 *   3. No queue of the group has ordered anything after what another one did (`crossed`), and
 * nothing is pending in it.
 *
 * By 1 and 2 no access is known that it could collide with. None is known that its barriers could
 * order, but for what q has learned of other queues, which by 3 is nothing. So it need not be
 * played as long as no work comes that could collide with it. The processing of a submission plays
 * what is parked in its group first (queue_play_parked()). A queue that joins the shared group
 * plays it before that. Parking asks for 1 again. What is done by then is dropped: its accesses
 * would be forgotten, and its barriers would order nothing that is not done as well. */
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
    /* Not recording_take(): another queue may be at this very place with the same command buffer,
     * which disturbs nothing. */
    if (!atomic_compare_exchange_strong_explicit(&recorded->busy, &busy, true, memory_order_acquire,
                                                 memory_order_relaxed))
        return false;
    /* A recording without any space does nothing that could be parked. */
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
                struct sync_command_buffer *recorded) NOT_ANALYSED /* the lock of the group */
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
        /* Taken out first, since playing may come here again. */
        track->parked = (struct parked){0};
        queue_play(group, parked.recorded, &parked.slot);
        command_log_release(parked.slot.log);
    }
}

void queue_unpark(const struct call *call,
                  struct sync_command_buffer *recorded) NOT_ANALYSED /* as queue_park() */
{
    uint8_t number = atomic_exchange_explicit(&recorded->parked, 0, memory_order_relaxed);
    struct sync_device *sync = sync_device_made(call);
    struct sync_group *group = number && sync ? queue_group_take(sync, number) : NULL;
    if (!group)
        return;
    struct queue_track *track = &group->tracks[number];
    queue_refresh(group, track);
    /* The command buffer may have been played, or dropped as done, meanwhile. */
    struct queue *stays = track->parked.recorded == recorded ? track->queue : NULL;
    lock_release(&group->lock);
    struct processing processing;
    if (stays && processing_begin_queue(&processing, call, stays)) /* the last moment to play it */
        processing_end(&processing);
}
