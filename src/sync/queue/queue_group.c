/* Decides which queues share a context.
 *
 * A queue begins with a group of its own: a context, the semaphores that it knows, and a lock that
 * no other queue's thread takes. It stays there as long as it has nothing to do with other queues.
 * It has claimed everything that it uses (struct claims): ranges of spaces, and semaphores. These
 * hold:
 *
 *   1. All that a queue has accessed by work that may not be done is among its claims. So is
 *      each semaphore with a signal or a wait that its group knows.
 *   2. No claim of a queue that is in its own group meets one of any other queue.
 *   3. What a queue in its own group has ordered, it has ordered after itself only: the signals
 * that it waits for are its own, or reached.
 *
 * Let q be a queue in its own group. By 1 and 2, no known access of another queue can collide with
 * an access of q. By 2 for semaphores, and by 3, q orders no access of another queue, and other
 * queues order no access of q. Therefore a context of q alone finds the same hazards as a context
 * of all queues.
 *
 * If a batch would break one of these, its queue joins the shared group: states, slots, semaphores
 * and operations go over (sync_context_join()). The shared group has the work of several queues,
 * and work of no queue (presents, acquires, host copies). It keeps the claims of its queues, too.
 * Before one of them uses an unclaimed range, it claims the range. A queue in a group of its own
 * that has a claim there joins then. The claims are compared and made with `claims_lock` held. So
 * of two queues that claim at the same time, the second one sees the first one's.
 *
 * A queue leaves the shared group when all is done that it has submitted, and all that it has
 * ordered after other queues (`crossed_slot`). Then no access of the queue is left there, and its
 * barriers order no access that may not be done. A queue that comes back again and again leaves
 * less and less often.
 *
 * Claims are taken from an idle queue when another queue needs them. That does not break 1: work
 * that is done cannot collide, and a semaphore with a signal that was not waited for stays claimed.
 *
 * Threads: a thread that waits for the lock of a group holds the shared group's lock, or no group's
 * lock. */
#include "sync/queue/queue.h"

#include "state/submit/semaphore.h"
#include "sync/access/areas.h"

/* --- finding a queue's group --- */

struct sync_group *queue_group_take(struct sync_device *device, uint8_t number)
    NOT_ANALYSED /* returns with the lock of the group held */
{
    for (;;) {
        struct sync_group *group =
            atomic_load_explicit(&device->tracks[number].group, memory_order_acquire);
        if (!group)
            return NULL;
        lock_take(&group->lock);
        /* The group of a queue changes only with this lock held. */
        if (likely(group_has(group, number)))
            return group;
        lock_release(&group->lock);
    }
}

/* Copies the operations on semaphores that reports show: a queue's own group has none from before
 * it was made. */
static void copy_operations(struct sync_group *own, const struct sync_group *shared)
    REQUIRES(own->lock) REQUIRES(shared->lock)
{
    for (uint32_t i = 0; i < OPERATIONS_KEPT; i++)
        own->operations[i] = shared->operations[i];
    own->operation_count = own->first_operation = shared->operation_count;
}

/* Moves a queue's own operations, as many as are kept, after those of the shared group. */
static void join_operations(struct sync_group *shared, struct sync_group *own) REQUIRES(own->lock)
    REQUIRES(shared->lock)
{
    uint32_t i = own->operation_count - own->first_operation > OPERATIONS_KEPT
                     ? own->operation_count - OPERATIONS_KEPT
                     : own->first_operation;
    for (; i != own->operation_count; i++)
        shared->operations[shared->operation_count++ & (OPERATIONS_KEPT - 1)] =
            own->operations[i & (OPERATIONS_KEPT - 1)];
}

/* Gives a queue a group of its own, which needs no other queue's lock. False: memory is out. */
static COLD bool make_group(struct sync_device *device, struct queue *queue)
{
    struct queue_track *track = &device->tracks[queue->number];
    struct sync_group *shared = &device->shared;
    lock_take(&shared->lock);
    if (!track->own)
        track->own = sync_group_new(device, (uint8_t)queue->number);
    if (track->own && !group_has(shared, queue->number) && !group_has(track->own, queue->number)) {
        lock_unneeded(&track->own->lock);
        copy_operations(track->own, shared);
        track->queue = queue;
        lock_take(&device->claims_lock);
        track->claims.stamp = (uint64_t)queue->number << 56;
        if (device->track_end <= queue->number)
            device->track_end = queue->number + 1;
        lock_release(&device->claims_lock);
        atomic_store_explicit(&track->group, track->own, memory_order_release);
    }
    bool made = track->own != NULL;
    lock_release(&shared->lock);
    return made;
}

bool queue_group_make(struct sync_device *device, struct queue *queue)
{
    assert(queue_is_followed(queue));
    return likely(atomic_load_explicit(&device->tracks[queue->number].group,
                                       memory_order_acquire) != NULL) ||
           make_group(device, queue);
}

/* --- joining and leaving the shared group --- */

void queue_group_join(struct sync_group *shared, struct queue_track *track)
    NOT_ANALYSED /* takes and releases the own group's lock */
{
    struct sync_group *own = track->own;
    uint8_t numbers[SYNC_SNAPSHOT_NONE + 1];
    if (!own || !group_has(own, own->queue))
        return;
    lock_take(&own->lock);
    /* The refresh may play parked work, and find a hazard: the hazard belongs to the current
     * call. */
    own->processing = shared->processing;
    sync_group_refresh(own);
    own->processing = NULL;
    if (own->context.broken)
        sync_group_forget(own);
    sync_context_join(&shared->context, &own->context, own->queue, numbers);
    /* From here on the shared group knows what the queue has done. Pairs with the load in
     * queue_group_take(). */
    atomic_store_explicit(&track->group, shared, memory_order_release);
    shared->slot_count += own->slot_count;
    shared->pending_count += own->pending_count;
    own->slot_count = own->kept_slots = own->pending_count = 0;
    queue_semaphores_join(shared, own, numbers);
    join_operations(shared, own);
    sync_context_reset(&own->context);
    track->calls = 0;
    lock_release(&own->lock);
}

void queue_group_join_all(struct sync_group *shared)
{
    for (uint32_t i = 1; i < shared->device->track_end; i++)
        queue_group_join(shared, &shared->tracks[i]);
}

/* The more often a queue has left, the more calls it stays before it leaves again: 2 to the power
 * of that count, with this exponent at most. */
#define STAYS_MOST 12

/* Returns the number of the oldest slot that may have pending work; UINT32_MAX: there is none. */
static uint32_t oldest_slot(const struct sync_group *shared)
{
    uint32_t oldest = UINT32_MAX;
    for (uint32_t i = 0; i < QUEUE_NUMBERS; i++) {
        const struct queue_track *track = &shared->tracks[i];
        if (group_has(shared, i) && track->count && track->slots[track->first].number < oldest)
            oldest = track->slots[track->first].number;
    }
    return oldest;
}

struct sync_group *queue_group_leave(struct sync_group *shared, struct queue_track *track)
    NOT_ANALYSED /* the locks of both groups */
{
    const uint32_t stays = track->times_left < STAYS_MOST ? track->times_left : STAYS_MOST;
    struct sync_group *own = track->own;
    /* The more often a queue has come back, the longer it stays. */
    if (++track->calls < 1u << stays || !track_is_idle(track) ||
        (track->crossed_slot && track->crossed_slot > oldest_slot(shared)))
        return NULL;
    lock_take(&own->lock);
    lock_take(&shared->device->claims_lock);
    claims_clear(&track->claims);
    lock_release(&shared->device->claims_lock);
    copy_operations(own, shared);
    track->times_left++;
    track->crossed_slot = 0;
    atomic_store_explicit(&track->group, own, memory_order_release);
    return own;
}

/* --- claims --- */

/* Returns the track that has the claims of this queue; all queues of the presentation engine share
 * one. */
static uint32_t group_claimant(uint8_t number)
{
    return number < PRESENT_QUEUES ? number : PRESENT_QUEUES;
}

/* Returns the next track, from `i` on, that may have claims; QUEUE_NUMBERS: there is none. */
static uint32_t next_claimant(const struct sync_device *device, uint32_t i)
{
    return i < device->track_end ? i : i <= PRESENT_QUEUES ? PRESENT_QUEUES : QUEUE_NUMBERS;
}

/* Drops the queue's claims, as all its work is done. Semaphores with a signal that was not waited
 * for stay claimed. */
static void drop_claims(struct sync_group *group, struct queue_track *track) REQUIRES(group->lock)
{
    claims_clear(&track->claims);
    for (uint32_t i = 0; group->queue && i < group->semaphore_capacity; i++) {
        if (group->semaphores[i].point_count)
            (void)claims_add(&track->claims, group->semaphores[i].id, 0, 1);
    }
}

/* Claims a range for one queue alone. Returns 0 if the queue has claimed it. Otherwise returns the
 * number of another claimant, or the queue's own if memory is out. */
static uint32_t claim_alone(struct sync_group *group, struct queue_track *track, uint64_t id,
                            uint64_t begin, uint64_t end) REQUIRES(group->lock)
{
    struct sync_device *device = group->device;
    uint32_t other = 0;
    lock_take(&device->claims_lock);
    const struct claim_range range = claims_extended(&track->claims, id, begin, end);
    for (uint32_t i = next_claimant(device, 1); i < QUEUE_NUMBERS && !other;
         i = next_claimant(device, i + 1)) {
        struct queue_track *its = &group->tracks[i];
        if (its == track || !claims_meet(&its->claims, id, range.begin, range.end))
            continue;
        if (!group->queue && its->queue && group_has(group, i) && track_is_idle(its))
            drop_claims(group, its);
        else
            other = i;
    }
    if (!other && !claims_add(&track->claims, id, begin, end))
        other = (uint32_t)(track - group->tracks);
    lock_release(&device->claims_lock);
    return other;
}

/* As queue_claims_alone(), but returns the number of another claimant; 0: the queue has claimed all
 * spaces. */
static uint32_t claim_spaces(struct sync_group *group, struct queue_track *track,
                             struct sync_command_buffer *recorded) REQUIRES(group->lock)
{
    const struct sync_view *view = &recorded->context.root;
    /* The recording was submitted before with the same stamp: the claims have only grown since. */
    if (likely(recorded->claimed == track->claims.stamp && group->queue))
        return 0;
    for (uint32_t i = 0; i < view->space_capacity; i++) {
        const struct sync_space *space = view->spaces[i];
        struct claim_range range;
        if (!space || !space_range(space, &range))
            continue;
        /* In the shared group other queues may have claimed the same range. */
        if (likely(group->queue && claims_cover(&track->claims, space->id, range.begin, range.end)))
            continue;
        uint32_t other = claim_alone(group, track, space->id, range.begin, range.end);
        if (other)
            return other;
    }
    recorded->claimed = group->queue ? track->claims.stamp : 0;
    return 0;
}

bool queue_claims_alone(struct sync_group *group, struct queue_track *track,
                        struct sync_command_buffer *recorded)
{
    return !claim_spaces(group, track, recorded);
}

void queue_claim(struct sync_group *group, uint64_t id, uint64_t begin, uint64_t end,
                 uint8_t number)
{
    struct sync_device *device = group->device;
    struct claims *claims = &group->tracks[group_claimant(number)].claims;
    struct claim_range range = {begin, end};
    uint64_t joins[(PRESENT_QUEUES + 63) / 64] = {0};
    assert(!group->queue && id && begin < end);
    if (number && !claims->everything && likely(claims_cover(claims, id, begin, end)))
        return;
    lock_take(&device->claims_lock);
    if (number) {
        range = claims_extended(claims, id, begin, end);
        (void)claims_add(claims, id, begin, end);
    }
    for (uint32_t i = 1; i < device->track_end; i++) {
        if (!group_has(group, i) && (claims->everything || claims_meet(&group->tracks[i].claims, id,
                                                                       range.begin, range.end)))
            joins[i / 64] |= (uint64_t)1 << i % 64;
    }
    lock_release(&device->claims_lock);
    for (uint32_t i = 1; i < device->track_end; i++) {
        if (joins[i / 64] >> i % 64 & 1)
            queue_group_join(group, &group->tracks[i]);
    }
}

void queue_claim_semaphore(struct sync_group *group, uint64_t id, uint8_t number)
{
    if (id)
        queue_claim(group, id, 0, 1, number);
}

/* --- a batch --- */

/* The result of claim_batch() if the queue must join the group, but no other queue has claimed
 * what the batch uses. */
#define JOINS QUEUE_NUMBERS

bool recording_stands_alone(const struct sync_command_buffer *recorded,
                            const struct command_log *log)
{
    const struct sync_context *context = &recorded->context;
    return recorded->log == log &&
           !atomic_load_explicit(&recorded->disturbed, memory_order_relaxed) && !context->broken &&
           !context->entangled;
}

/* Claims what a command buffer accesses for its queue. Returns the number of another queue that has
 * claimed some of it, or JOINS if the recording does not stand alone. */
static uint32_t claim_command_buffer(struct sync_group *own, struct queue_track *track,
                                     const struct batch_command_buffer *submitted)
    REQUIRES(own->lock)
{
    bool busy = false;
    struct sync_command_buffer *recorded =
        submitted->command_buffer ? sync_in_command_buffer(submitted->command_buffer)->sync : NULL;
    /* Not recording_take(): another queue may do the same with this command buffer at the same
     * time, which does no harm. */
    if (!recorded || !submitted->log ||
        !atomic_compare_exchange_strong_explicit(&recorded->busy, &busy, true, memory_order_acquire,
                                                 memory_order_relaxed))
        return JOINS;
    uint32_t other = recording_stands_alone(recorded, submitted->log)
                         ? claim_spaces(own, track, recorded)
                         : JOINS;
    recording_give(recorded);
    return other;
}

/* Claims the semaphore of a signal. Returns 0 if the queue has claimed it, JOINS if it is destroyed
 * or another process or API may use it, or else another claimant. */
static uint32_t claim_signal(struct sync_group *own, struct queue_track *track,
                             const struct batch_semaphore *signal) REQUIRES(own->lock)
{
    const struct semaphore *semaphore = signal->id ? semaphore_by_id(signal->id) : NULL;
    if (!semaphore || semaphore_is_shared(semaphore))
        return JOINS;
    return likely(claims_cover(&track->claims, signal->id, 0, 1))
               ? 0
               : claim_alone(own, track, signal->id, 0, 1);
}

/* Claims all that a batch needs. Returns 0 if the batch stays in the queue's own group. Otherwise
 * returns JOINS, or a queue that has claimed some of it. */
static uint32_t claim_batch(struct sync_group *own, struct queue_track *track,
                            const struct queue_batch *batch) REQUIRES(own->lock)
{
    uint32_t other = 0;
    if (unlikely(slot_numbers_end(own->device)) || batch->image_count ||
        (batch->sequence <= track->done && (batch->command_buffer_count || batch->signal_count)))
        return JOINS;
    for (uint32_t i = 0; i < batch->wait_count; i++) {
        if (!batch->waits[i].id || !queue_wait_is_known(own, &batch->waits[i]))
            return JOINS;
    }
    for (uint32_t i = 0; i < batch->signal_count && !other; i++)
        other = claim_signal(own, track, &batch->signals[i]);
    for (uint32_t i = 0; i < batch->command_buffer_count && !other; i++)
        other = claim_command_buffer(own, track, &batch->command_buffers[i]);
    return other;
}

/* Drops another queue's claims if all its work is done. Returns true if it is. */
static bool free_claims(struct sync_group *shared, uint32_t number)
    NOT_ANALYSED /* also takes the lock of the other queue's own group */
{
    struct queue_track *track = &shared->tracks[number];
    bool is_shared = group_has(shared, number);
    struct sync_group *group = is_shared ? shared : track->own;
    if (!track->queue)
        return false;
    if (!is_shared)
        lock_take(&group->lock);
    queue_refresh(group, track);
    bool idle = track_is_idle(track);
    if (idle) {
        lock_take(&shared->device->claims_lock);
        drop_claims(group, track);
        lock_release(&shared->device->claims_lock);
    }
    if (!is_shared)
        lock_release(&group->lock);
    return idle;
}

/* Releases the lock of the queue's own group, and takes the shared one. Another thread may run in
 * between. */
static COLD void take_shared(struct processing *processing) NOT_ANALYSED /* locks of both */
{
    struct sync_group *own = processing->group, *shared = &own->device->shared;
    own->processing = NULL;
    lock_release(&own->lock);
    lock_take(&shared->lock);
    shared->processing = processing;
    processing->group = shared;
    sync_group_refresh(shared);
}

/* Chooses the group of a batch that needs claims of other queues. Their work may be done: that is
 * checked with the shared group's lock held. */
static COLD void choose_slowly(struct processing *processing, const struct queue_batch *batch)
    NOT_ANALYSED /* locks of several groups */
{
    struct sync_group *own = processing->group, *shared = &own->device->shared;
    struct queue_track *track = &own->tracks[own->queue];
    take_shared(processing);
    for (uint32_t other = 1, i = 0; group_has(own, own->queue) && i < QUEUE_NUMBERS; i++) {
        lock_take(&own->lock);
        own->processing = processing;
        other = claim_batch(own, track, batch);
        if (!other) {
            processing->group = own;
            shared->processing = NULL;
            lock_release(&shared->lock);
            return;
        }
        own->processing = NULL;
        lock_release(&own->lock);
        if (other == JOINS || other == own->queue || !free_claims(shared, other))
            break;
    }
    queue_group_join(shared, track);
}

void queue_group_forget_all(struct processing *processing)
    NOT_ANALYSED /* releases one group's lock and takes another's */
{
    if (processing->group->queue)
        take_shared(processing);
    queue_group_join_all(processing->group);
    sync_group_forget(processing->group);
}

void queue_group_choose(struct processing *processing, const struct queue_batch *batch)
    NOT_ANALYSED /* releases one group's lock and takes another's */
{
    struct sync_group *group = processing->group;
    if (group->queue && unlikely(claim_batch(group, &group->tracks[group->queue], batch)))
        choose_slowly(processing, batch);
}
