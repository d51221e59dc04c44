/* Applies the effect of one batch to memory, and sets batches aside that wait for later
 * submissions. */
#include "sync/access/aliases.h"
#include "sync/access/areas.h"
#include "sync/queue/queue.h"

#include <string.h>

#include "state/command/event.h"
#include "sync/access/access_subpass.h"

/* --- copies of batches that are set aside --- */

/* The most batches that are set aside on a queue. If a program never signals, further ones count as
 * done. */
#define PENDING_MOST 4096

/* Copies an array to where `*to` points, which moves on to the next multiple of 8 bytes. */
static void *copy_array(char **to, const void *from, size_t size)
{
    char *copy = *to;
    if (size)
        memcpy(copy, from, size);
    *to += (size + 7) & ~(size_t)7;
    return copy;
}

/* Copies a batch that has to wait, with its arrays, and holds its logs. Returns NULL if memory is
 * out. */
static struct queue_batch *copy_batch(const struct queue_batch *batch)
{
    size_t waits = batch->wait_count * sizeof(*batch->waits),
           signals = batch->signal_count * sizeof(*batch->signals);
    size_t command_buffers = batch->command_buffer_count * sizeof(*batch->command_buffers);
    size_t images = batch->image_count * sizeof(*batch->images);
    struct queue_batch *copy =
        mem_alloc(sizeof(*copy) + waits + signals + command_buffers + images);
    if (!copy)
        return NULL;
    *copy = *batch;
    char *arrays = (char *)(copy + 1);
    copy->waits = copy_array(&arrays, batch->waits, waits);
    copy->signals = copy_array(&arrays, batch->signals, signals);
    copy->command_buffers = copy_array(&arrays, batch->command_buffers, command_buffers);
    copy->images = copy_array(&arrays, batch->images, images);
    for (uint32_t i = 0; i < copy->command_buffer_count; i++) {
        if (copy->command_buffers[i].log)
            command_log_hold(copy->command_buffers[i].log);
    }
    return copy;
}

void queue_batch_free(struct queue_batch *batch)
{
    for (uint32_t i = 0; i < batch->command_buffer_count; i++)
        command_log_release(batch->command_buffers[i].log);
    mem_free(batch);
}

/* --- the effect of a batch --- */

/* Returns the stages and usages that the batch's queue has. */
static struct sync_queue batch_abilities(const struct queue_batch *batch)
{
    return sync_queue_of(batch->queue->queue_flags);
}

/* Returns the second scope of a semaphore wait. */
static struct sync_scope wait_scope(const struct queue_batch *batch, VkPipelineStageFlags2 stages)
{
    struct sync_queue queue = batch_abilities(batch);
    return sync_scope_wait(stages, &queue);
}

/* Returns the first scope of a signal (7.4.1 "Semaphore Signaling"). */
static struct sync_barrier signal_scope(const struct queue_batch *batch,
                                        VkPipelineStageFlags2 stages)
{
    const VkPipelineStageFlags2 all =
        VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT;
    struct sync_queue queue = batch_abilities(batch);
    struct sync_barrier barrier = {.queue = (uint8_t)batch->queue->number,
                                   .from_queue = (uint8_t)batch->queue->number};
    barrier.everything = (stages & all) != 0;
    barrier.src = sync_scope_source(stages, 0, &queue);
    barrier.src.accesses = usage_mask_or(sync_reads, sync_writes);
    return barrier;
}

/* True if the command buffer waits for an event that is not set so far. "A command buffer [...]
 * waiting for an event to be signaled from the host" must be submitted after the host has set the
 * event, which orders no more than the submission. If a program sets it later, the command buffer
 * is also ordered after all that the host has waited for before. */
static COLD bool recording_waits_for_the_host(const struct sync_context *context,
                                              const struct command_log *log)
{
    const struct command_buffer *command_buffer = command_buffer_by_id(log->command_buffer);
    const struct event_record *record;
    for (uint32_t i = 0;
         command_buffer && (record = command_buffer_event_at(command_buffer, i)) != NULL; i++) {
        const struct sync_event *set = sync_find_event(context, record->event);
        if (!record->waited || record->set || (set && set->scope_count))
            continue;
        const struct event *event = event_by_id(record->event);
        if (event && !atomic_load_explicit(&event->host_set, memory_order_relaxed))
            return true;
    }
    return false;
}

/* How often a thread looks whether another thread has finished with the recording, which it plays
 * on another queue, or parks. That takes some microseconds. */
#define PLAY_LOOKS 100

/* Takes a recording for playing it, as recording_take() does, but waits for another thread that
 * plays it. Returns false if it is being recorded again. */
static bool take_to_play(struct sync_command_buffer *recorded)
{
    for (uint32_t i = 0; i < PLAY_LOOKS; i++) {
        bool busy = false;
        if (likely(atomic_compare_exchange_weak_explicit(&recorded->busy, &busy, true,
                                                         memory_order_acquire,
                                                         memory_order_relaxed))) {
            if (likely(!atomic_load_explicit(&recorded->disturbed, memory_order_relaxed)))
                return true;
            recording_give(recorded);
            return false;
        }
        sched_yield();
    }
    return recording_take(recorded); /* the command buffer is being recorded again */
}

/* The most spaces that are claimed in one go. */
#define CLAIMED_AT_ONCE 16

/* Finds the next spaces, from `*at` on, that the queue has not claimed. Returns their number,
 * CLAIMED_AT_ONCE at most. */
static uint32_t batch_unclaimed(const struct sync_group *group, const struct sync_view *view,
                                uint8_t number, uint32_t *at,
                                struct sync_place missing[CLAIMED_AT_ONCE]) REQUIRES(group->lock)
{
    const struct claims *claims = &group->tracks[number].claims;
    uint32_t count = 0;
    for (; *at < view->space_capacity && count < CLAIMED_AT_ONCE; ++*at) {
        const struct sync_space *space = view->spaces[*at];
        struct claim_range range;
        if (space && space_range(space, &range) &&
            (claims->everything || !claims_cover(claims, space->id, range.begin, range.end)))
            missing[count++] =
                (struct sync_place){.space = space->id, .begin = range.begin, .end = range.end};
    }
    return count;
}

/* True if the effect of the command buffer on the order is unknown: it cannot be followed, or waits
 * for the host. */
static bool orders_unknown(const struct sync_group *group,
                           const struct sync_command_buffer *recorded,
                           const struct command_log *log)
{
    return recorded->context.broken || (unlikely(recorded->context.entangled) &&
                                        recording_waits_for_the_host(&group->context, log));
}

/* Joins queues that use the recording's spaces to the shared group. Their parked work is played,
 * which may be the same recording, so the thread gives it back meanwhile. Returns false if the
 * command buffer was recorded again by then, and the thread does not hold the recording. */
static bool others_join(struct sync_group *group, struct sync_command_buffer *recorded,
                        const struct queue_slot *slot) REQUIRES(group->lock)
{
    const uint8_t number = (uint8_t)slot->queue->number;
    struct sync_place missing[CLAIMED_AT_ONCE];
    bool all = orders_unknown(group, recorded, slot->log);
    for (uint32_t at = 0;;) {
        const uint32_t count =
            all ? 0 : batch_unclaimed(group, &recorded->context.root, number, &at, missing);
        if (!all && !count)
            return true;
        recording_give(recorded);
        if (all)
            queue_group_join_all(group);
        all = false;
        for (uint32_t i = 0; i < count; i++)
            queue_claim(group, missing[i].space, missing[i].begin, missing[i].end, number);
        if (recorded->log != slot->log || !take_to_play(recorded))
            return false;
    }
}

/* Forgets everything that came before a command buffer that cannot be followed. */
static void play_unknown(struct sync_group *group) REQUIRES(group->lock)
{
    if (!group->queue)
        queue_group_join_all(group);
    sync_group_forget(group);
}

void queue_play(struct sync_group *group, struct sync_command_buffer *recorded,
                const struct queue_slot *slot)
{
    assert(slot->queue);
    if (!recorded || !slot->log || recorded->log != slot->log || !take_to_play(recorded)) {
        play_unknown(group);
        return;
    }
    if (!group->queue && unlikely(!others_join(group, recorded, slot))) {
        play_unknown(group);
        return;
    }
    uint8_t number = (uint8_t)slot->queue->number;
    if (recorded->context.broken) {
        sync_group_forget(group);
    } else if (recorded->context.stream_count) {
        /* A parked recording has no items here: another thread may be recording the command buffer
         * again. */
        if (orders_unknown(group, recorded, slot->log))
            sync_group_forget(group);
        if (unlikely(recorded->aliases_since != sync_aliases_now()))
            sync_aliases_forget(&group->context, recorded->aliases_since);
        uint64_t base = sync_group_add_slot(group, number, slot);
        /* Base 0: memory was out for the slot, and the group has forgotten everything. */
        if (base)
            sync_context_replay(&group->context, &recorded->context, number, base << 32);
        if (unlikely(group->context.broken))
            sync_group_forget(group);
    }
    recording_give(recorded);
}

/* Plays one command buffer of a batch on its queue. */
static void batch_execute(struct processing *processing, const struct queue_batch *batch,
                          uint32_t index) REQUIRES(processing->group->lock)
{
    assert(index < batch->command_buffer_count);
    const struct batch_command_buffer *submitted = &batch->command_buffers[index];
    const struct queue_slot slot = {.batch = batch->index,
                                    .index = index,
                                    .looks = host_looks(processing->group),
                                    .sequence = batch->sequence,
                                    .log = submitted->log,
                                    .queue = batch->queue,
                                    .muted = batch->muted};
    queue_play(processing->group,
               submitted->command_buffer ? sync_in_command_buffer(submitted->command_buffer)->sync
                                         : NULL,
               &slot);
}

/* Records that the presentation engine reads an image, after the present's waits. */
static void batch_present(struct processing *processing, const struct queue_batch *batch,
                          uint32_t index) REQUIRES(processing->group->lock)
{
    assert(index < batch->image_count);
    struct sync_group *group = processing->group;
    lock_held(&group->lock);
    const struct batch_image *image = &batch->images[index];
    struct sync_scope engine = {.stages = (sync_stage_mask)1 << SYNC_STAGE_PRESENT_ENGINE};
    engine.accesses = usage_mask_or(usage_mask_of(SYNC_PRESENT_ENGINE_READ),
                                    usage_mask_of(SYNC_PRESENT_ENGINE_ACQUIRE));
    for (uint32_t i = 0; i < batch->wait_count; i++)
        queue_wait_semaphore(group, &batch->waits[i], image->number, &engine);
    struct command_log *log = command_log_take();
    const struct access_entry entry = {.resource = image->image,
                                       .caller = batch->caller,
                                       .command = batch->command,
                                       .source = {.role = ROLE_PRESENT, .index = index}};
    const struct queue_slot slot = {.index = index,
                                    /* A present has no sequence number by which fences and waits
                                     * could show that it is done. */
                                    .sequence = UINT64_MAX,
                                    .log = log,
                                    .queue = batch->queue,
                                    .muted = batch->muted};
    uint64_t base =
        log && command_log_add(log, &entry) ? sync_group_add_slot(group, image->number, &slot) : 0;
    /* The slot has a reference of its own. */
    command_log_release(log);
    if (!base)
        return sync_group_forget(group);
    queue_claim(group, image->place.space, image->place.begin, image->place.end, image->number);
    sync_context_access(&group->context, &image->place,
                        &(struct sync_access){.tag = base << 32 | 1,
                                              .usage = SYNC_PRESENT_ENGINE_READ,
                                              .queue = image->number});
}

/* Keeps an operation on a semaphore for reports, in the place of the oldest. */
static void note_operation(struct sync_group *group, const struct queue_batch *batch,
                           const struct batch_semaphore *semaphore, bool wait) REQUIRES(group->lock)
{
    struct semaphore_operation *operation =
        &group->operations[group->operation_count++ & (OPERATIONS_KEPT - 1)];
    *operation = (struct semaphore_operation){.semaphore = semaphore->id,
                                              .value = semaphore->timeline ? semaphore->value : 0,
                                              .stages = semaphore->stages,
                                              .queue = object_state_id(&batch->queue->base),
                                              .submission = batch->sequence,
                                              .wait = wait};
}

void queue_note_host_signal(struct sync_group *group, uint64_t semaphore, uint64_t value)
{
    group->operations[group->operation_count++ & (OPERATIONS_KEPT - 1)] =
        (struct semaphore_operation){.semaphore = semaphore, .value = value, .host = true};
}

/* Applies a batch: its waits, images or command buffers, and signals. `done`: the command buffers
 * are done, and only the semaphores matter. */
static void batch_run(struct processing *processing, const struct queue_batch *batch, bool done)
    REQUIRES(processing->group->lock)
{
    struct sync_group *group = processing->group;
    lock_held(&group->lock);
    for (uint32_t i = 0; i < batch->image_count; i++)
        batch_present(processing, batch, i);
    for (uint32_t i = 0; i < batch->wait_count; i++) {
        struct sync_scope scope = {0};
        /* A present has no commands, and its waits no second scope. */
        if (!batch->image_count)
            scope = wait_scope(batch, batch->waits[i].stages);
        note_operation(group, batch, &batch->waits[i], true);
        queue_wait_semaphore(group, &batch->waits[i], (uint8_t)batch->queue->number, &scope);
        queue_wait_ends(group, &batch->waits[i]);
    }
    for (uint32_t i = 0; i < batch->command_buffer_count && !done; i++)
        batch_execute(processing, batch, i);
    for (uint32_t i = 0; i < batch->signal_count; i++) {
        struct sync_barrier scope = signal_scope(batch, batch->signals[i].stages);
        note_operation(group, batch, &batch->signals[i], false);
        queue_signal_semaphore(group, &batch->signals[i], batch->sequence, &scope);
    }
}

/* --- when a batch is played --- */

/* True if all waits of the batch have a signal that is known, so that the batch can be played. */
static bool is_ready(struct sync_group *group, const struct queue_batch *batch)
    REQUIRES(group->lock)
{
    for (uint32_t i = 0; i < batch->wait_count; i++) {
        if (!queue_wait_is_ready(group, &batch->waits[i]))
            return false;
    }
    return true;
}

/* Notes the binary semaphores that a batch which is set aside will signal (`by` 1), or no longer
 * will (-1). A later wait must not take an older signal for one of these. */
static void expect_signals(struct sync_group *group, const struct queue_batch *batch, int by)
    REQUIRES(group->lock)
{
    for (uint32_t i = 0; i < batch->signal_count; i++) {
        if (!batch->signals[i].timeline)
            queue_semaphore_expect(group, &batch->signals[i], by);
    }
}

/* Keeps a batch until its waits are ready. Batches of a queue stay in order, so that later ones are
 * set aside as well. */
static void set_aside(struct sync_group *group, struct queue_track *track,
                      const struct queue_batch *batch) REQUIRES(group->lock)
{
    struct queue_batch *copy = copy_batch(batch);
    if (!copy)
        return sync_group_forget(group);
    copy->next = NULL;
    *track->pending_end = copy;
    track->pending_end = &copy->next;
    track->pending_count++;
    group->pending_count++;
    expect_signals(group, copy, 1);
}

/* Plays the first batch that is set aside on the queue, and frees it. */
static void run_pending(struct processing *processing, struct queue_track *track)
    REQUIRES(processing->group->lock)
{
    struct sync_group *group = processing->group;
    lock_held(&group->lock);
    struct queue_batch *batch = track->pending;
    track->pending = batch->next;
    if (!track->pending)
        track->pending_end = &track->pending;
    track->pending_count--;
    group->pending_count--;
    expect_signals(group, batch, -1);
    batch_run(processing, batch, batch->sequence <= track->done);
    queue_batch_free(batch);
}

void queue_batches_run(struct processing *processing)
{
    struct sync_group *group = processing->group;
    lock_held(&group->lock);
    /* A batch that is played may signal what another queue's batch waits for. */
    for (bool progress = group->pending_count != 0; progress;) {
        progress = false;
        for (uint32_t i = 1; i < group->device->track_end && group->pending_count; i++) {
            struct queue_track *track = &group->tracks[i];
            if (!group_has(group, i))
                continue;
            while (track->pending &&
                   (track->pending_count > PENDING_MOST ||
                    track->pending->sequence <= track->done || is_ready(group, track->pending))) {
                run_pending(processing, track);
                progress = true;
            }
        }
    }
}

/* In the shared group a queue claims the semaphores that it uses, so that their other users join
 * the group. */
static void claim_semaphores(struct sync_group *group, const struct queue_batch *batch)
    REQUIRES(group->lock)
{
    for (uint32_t i = 0; i < batch->wait_count; i++)
        queue_claim_semaphore(group, batch->waits[i].id, (uint8_t)batch->queue->number);
    for (uint32_t i = 0; i < batch->signal_count; i++)
        queue_claim_semaphore(group, batch->signals[i].id, (uint8_t)batch->queue->number);
}

void queue_batch_submit(struct processing *processing, const struct queue_batch *batch)
{
    assert(queue_is_followed(batch->queue));
    struct sync_group *group = processing->group;
    lock_held(&group->lock);
    struct queue_track *track = &group->tracks[batch->queue->number];
    assert(group_has(group, batch->queue->number));
    if (!group->queue)
        claim_semaphores(group, batch);
    if (unlikely(track->pending || !is_ready(group, batch))) {
        set_aside(group, track, batch);
        return;
    }
    /* A batch may count as done already: presents have the number of the submission before them. If
     * it has command buffers or signals, the state tracker does not know its fence or a semaphore.
     * Then it never becomes known when the batch is done. */
    bool done = batch->sequence <= track->done;
    if (unlikely(done && (batch->command_buffer_count || batch->signal_count)))
        sync_group_forget(group);
    batch_run(processing, batch, done);
    if (unlikely(group->pending_count) && batch->signal_count)
        queue_batches_run(processing);
}
