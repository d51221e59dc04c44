/* Orders work on different queues by finding the signal for each wait.
 *
 * A signal notes the accesses in its first scope under a snapshot number (sync_context_signal()). A
 * wait orders its second scope after these. */
#include "sync/queue/queue.h"

#include <string.h>

/* --- the table --- */

#define FIRST_SEMAPHORES 32 /* entries, a power of two; the table grows when it is half full */

/* Returns the index of the entry where the search for an id begins. */
static uint32_t semaphore_entry(const struct sync_group *group, uint64_t id) REQUIRES(group->lock)
{
    assert(group->semaphore_capacity &&
           !(group->semaphore_capacity & (group->semaphore_capacity - 1)));
    return (uint32_t)((id * 0x9e3779b97f4a7c15ull) >> 32) & (group->semaphore_capacity - 1);
}

/* Finds the entry of a semaphore. Returns NULL if the group has none, or the id is 0. */
static struct sync_semaphore *semaphores_find(const struct sync_group *group, uint64_t id)
    REQUIRES(group->lock)
{
    if (!group->semaphore_capacity || !id)
        return NULL;
    for (uint32_t i = semaphore_entry(group, id);; i = (i + 1) & (group->semaphore_capacity - 1)) {
        struct sync_semaphore *semaphore = &group->semaphores[i];
        if (semaphore->id == id)
            return semaphore;
        if (!semaphore->id)
            return NULL;
    }
}

/* Forgets the oldest `count` signals, and gives back their snapshot numbers. */
static void forget_points(struct sync_group *group, struct sync_semaphore *semaphore,
                          uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        sync_context_release(&group->context, semaphore->points[i].snapshot);
    semaphore->point_count -= count;
    memmove(semaphore->points, &semaphore->points[count],
            semaphore->point_count * sizeof(*semaphore->points));
}

/* Makes a larger table, without destroyed semaphores. Returns false if memory is out. */
static bool renew_table(struct sync_group *group) REQUIRES(group->lock)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < group->semaphore_capacity; i++) {
        struct sync_semaphore *semaphore = &group->semaphores[i];
        if (semaphore->id && !semaphore_by_id(semaphore->id)) {
            forget_points(group, semaphore, semaphore->point_count);
            semaphore->pending_signals = 0;
        }
        live += semaphore->id && semaphore_by_id(semaphore->id);
    }
    uint32_t capacity = FIRST_SEMAPHORES;
    /* At most a quarter of the entries is used after this, so the table lasts until their number
     * has doubled. */
    while (capacity < 4 * live)
        capacity *= 2;
    struct sync_semaphore *old = group->semaphores;
    struct sync_semaphore *semaphores = mem_alloc_zeroed(capacity * sizeof(*semaphores));
    if (!semaphores)
        return false;
    uint32_t old_capacity = group->semaphore_capacity;
    group->semaphores = semaphores;
    group->semaphore_capacity = capacity;
    group->semaphore_count = live;
    for (uint32_t i = 0; i < old_capacity; i++) {
        /* The semaphore is destroyed, and no signal is left. */
        if (!old[i].id || (!old[i].point_count && !semaphore_by_id(old[i].id)))
            continue;
        uint32_t entry = semaphore_entry(group, old[i].id);
        while (semaphores[entry].id)
            entry = (entry + 1) & (capacity - 1);
        semaphores[entry] = old[i];
    }
    mem_free(old);
    return true;
}

/* Finds a semaphore in the group's table, or adds it. Returns NULL if memory is out. */
static struct sync_semaphore *semaphores_find_or_add(struct sync_group *group, uint64_t id,
                                                     bool timeline) REQUIRES(group->lock)
{
    assert(id);
    struct sync_semaphore *semaphore = semaphores_find(group, id);
    if (semaphore)
        return semaphore;
    if (group->semaphore_count * 2 >= group->semaphore_capacity && !renew_table(group))
        return NULL;
    uint32_t entry = semaphore_entry(group, id);
    while (group->semaphores[entry].id)
        entry = (entry + 1) & (group->semaphore_capacity - 1);
    group->semaphores[entry] = (struct sync_semaphore){.id = id, .timeline = timeline};
    group->semaphore_count++;
    return &group->semaphores[entry];
}

void queue_semaphores_forget(struct sync_group *group)
{
    for (uint32_t i = 0; i < group->semaphore_capacity; i++) {
        for (uint32_t k = 0; k < group->semaphores[i].point_count; k++) {
            struct signal_point *point = &group->semaphores[i].points[k];
            *point = (struct signal_point){.value = point->value, .snapshot = SYNC_SNAPSHOT_NONE};
        }
    }
}

/* --- signals --- */

/* True if all work before the signal is known to be done. Sequence number 0: that work was
 * forgotten. A queue that has left the shared group has done all its work there. */
static bool point_is_done(const struct sync_group *group, const struct signal_point *point)
{
    return !point->sequence || !group_has(group, point->queue) ||
           point->sequence <= group->tracks[point->queue].done;
}

/* Makes room for one more signal. For a timeline semaphore, signals that are done give their
 * numbers back, and if there are too many, the earliest is dropped. */
static void semaphores_make_room(struct sync_group *group, struct sync_semaphore *semaphore)
    REQUIRES(group->lock)
{
    uint32_t dropped = semaphore->point_count;
    if (semaphore->timeline) {
        for (dropped = 0;
             dropped < semaphore->point_count && point_is_done(group, &semaphore->points[dropped]);)
            dropped++;
        if (!dropped && semaphore->point_count == SEMAPHORE_POINTS)
            dropped = 1;
    }
    forget_points(group, semaphore, dropped);
}

/* Adds a signal, in the order of values. The caller has made room. */
static void add_point(struct sync_semaphore *semaphore, const struct signal_point *point)
{
    uint32_t place = semaphore->point_count++;
    assert(place < SEMAPHORE_POINTS);
    /* the loop runs only if a program breaks the rule that values grow */
    for (; place && semaphore->points[place - 1].value > point->value; place--)
        semaphore->points[place] = semaphore->points[place - 1];
    semaphore->points[place] = *point;
}

void queue_semaphore_expect(struct sync_group *group, const struct batch_semaphore *signal, int by)
{
    assert(by == 1 || by == -1);
    struct sync_semaphore *semaphore =
        signal->id ? semaphores_find_or_add(group, signal->id, signal->timeline) : NULL;
    /* Meanwhile the entry may have been forgotten, and made again. */
    if (semaphore && (by > 0 || semaphore->pending_signals))
        semaphore->pending_signals += (uint32_t)by;
}

void queue_signal_semaphore(struct sync_group *group, const struct batch_semaphore *signal,
                            uint64_t sequence, const struct sync_barrier *scope)
{
    if (!signal->id)
        return;
    struct sync_semaphore *semaphore = semaphores_find_or_add(group, signal->id, signal->timeline);
    if (!semaphore) {
        sync_group_forget(group);
        return;
    }
    struct signal_point point = {
        .value = signal->value, .sequence = sequence, .queue = scope->queue};
    semaphores_make_room(group, semaphore);
    bool done = point_is_done(group, &point);
    point.snapshot = done ? SYNC_SNAPSHOT_NONE : sync_context_signal(&group->context, scope);
    add_point(semaphore, &point);
}

void queue_semaphores_join(struct sync_group *to, struct sync_group *from, const uint8_t *numbers)
{
    lock_held(&from->lock);
    for (uint32_t i = 0; i < from->semaphore_capacity; i++) {
        const struct sync_semaphore *theirs = &from->semaphores[i];
        struct sync_semaphore *ours =
            theirs->point_count ? semaphores_find_or_add(to, theirs->id, theirs->timeline) : NULL;
        if (theirs->point_count && !ours) {
            sync_group_forget(to);
            break;
        }
        for (uint32_t k = 0; k < theirs->point_count; k++) {
            struct signal_point point = theirs->points[k];
            point.snapshot = numbers[point.snapshot];
            semaphores_make_room(to, ours);
            add_point(ours, &point);
        }
    }
    mem_free(from->semaphores);
    from->semaphores = NULL;
    from->semaphore_count = from->semaphore_capacity = 0;
}

/* --- waits --- */

/* True if the entry knows a signal of this value or of a larger value. */
static bool has_value(const struct sync_semaphore *semaphore, uint64_t value)
{
    return semaphore && semaphore->point_count &&
           semaphore->points[semaphore->point_count - 1].value >= value;
}

bool queue_wait_is_known(struct sync_group *group, const struct batch_semaphore *wait)
{
    const struct sync_semaphore *entry = semaphores_find(group, wait->id);
    struct semaphore *semaphore = semaphore_by_id(wait->id);
    if (!semaphore || semaphore_is_shared(semaphore))
        return false;
    if (!wait->timeline)
        return entry && entry->point_count;
    if (has_value(entry, wait->value))
        return true;
    const struct timeline timeline = semaphore_timeline(semaphore, NULL);
    return timeline.known && timeline.completed >= wait->value;
}

bool queue_wait_is_ready(struct sync_group *group, const struct batch_semaphore *wait)
{
    struct sync_semaphore *entry = semaphores_find(group, wait->id);
    if (!wait->timeline)
        return !entry || entry->point_count || !entry->pending_signals;
    if (has_value(entry, wait->value))
        return true;
    struct semaphore *semaphore = semaphore_by_id(wait->id);
    struct timeline timeline = semaphore_timeline(semaphore, NULL);
    return !timeline.known || timeline.completed >= wait->value;
}

/* Notes that the queue has ordered work after that of other queues: it stays in the shared group
 * until all of that is done. */
static void semaphores_cross(struct sync_group *group, uint8_t number)
{
    group->crossed = true;
    group->tracks[number].crossed_slot =
        atomic_load_explicit(&group->device->next_slot, memory_order_relaxed);
}

/* Orders all known work before the second scope, as the signal is not known. */
static void wait_for_all(struct sync_group *group, uint8_t number, const struct sync_scope *dst)
    REQUIRES(group->lock)
{
    /* In a queue's own group every signal was known. Another thread may have destroyed the
     * semaphore meanwhile. */
    if (likely(!group->queue)) {
        semaphores_cross(group, number);
        queue_group_join_all(group);
    }
    for (uint32_t i = 1; i < QUEUE_NUMBERS; i++) {
        if (group_has(group, i) && group->tracks[i].count)
            sync_context_wait(&group->context, SYNC_SNAPSHOT_NONE, (uint8_t)i, number, dst);
    }
}

/* Orders the second scope after one signal. A signal that is done needs no order. */
static void wait_for_point(struct sync_group *group, const struct signal_point *point,
                           uint8_t number, const struct sync_scope *dst)
{
    if (point_is_done(group, point))
        return;
    if (point->queue != number)
        semaphores_cross(group, number);
    sync_context_wait(&group->context, point->snapshot, point->queue, number, dst);
}

/* True if all later work of the queue is in the second scope. */
static bool is_everything(const struct sync_group *group, uint8_t number,
                          const struct sync_scope *dst)
{
    const struct sync_queue queue =
        sync_queue_of(group->tracks[number].queue ? group->tracks[number].queue->queue_flags : 0);
    return !(sync_scope_destination(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0, &queue).stages &
             ~dst->stages);
}

/* Handles a wait for the semaphore of an acquire. Every command of the batch waits (ALL_COMMANDS,
 * or TOP_OF_PIPE, which here is "equivalent to VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT"). So do layout
 * transitions, which are in no stage. That holds although a dependency without source stages, such
 * as a render pass may have, does not chain with the wait. The engine's accesses to the image are
 * over. */
static void wait_for_engine(struct sync_group *group, const struct signal_point *point,
                            uint8_t number, const struct sync_scope *dst)
{
    if (point->queue >= PRESENT_QUEUES && is_everything(group, number, dst))
        group->tracks[point->queue].live_tag =
            (uint64_t)track_next_number(group, &group->tracks[point->queue]) << 32;
}

void queue_wait_semaphore(struct sync_group *group, const struct batch_semaphore *wait,
                          uint8_t number, const struct sync_scope *dst)
{
    assert(number);
    if (!dst->stages)
        return;
    struct sync_semaphore *entry = semaphores_find(group, wait->id);
    struct semaphore *semaphore = semaphore_by_id(wait->id);
    if (!semaphore || semaphore_is_shared(semaphore)) {
        wait_for_all(group, number, dst);
    } else if (wait->timeline) {
        /* The value is reached, as the initial value is: no pending work is waited for. */
        if (semaphore_timeline(semaphore, NULL).completed >= wait->value)
            return;
        if (!has_value(entry, wait->value)) {
            wait_for_all(group, number, dst);
            return;
        }
        /* The wait is for the smallest value that is enough, and so for the smaller ones, which
         * were signaled before it. */
        for (uint32_t i = 0; i < entry->point_count; i++) {
            wait_for_point(group, &entry->points[i], number, dst);
            if (entry->points[i].value >= wait->value)
                break;
        }
        return;
    } else if (entry && entry->point_count) {
        wait_for_engine(group, &entry->points[0], number, dst);
        wait_for_point(group, &entry->points[0], number, dst);
    } else {
        wait_for_all(group, number, dst);
    }
}

void queue_wait_ends(struct sync_group *group, const struct batch_semaphore *wait)
{
    struct sync_semaphore *entry = wait->timeline ? NULL : semaphores_find(group, wait->id);
    if (entry)
        forget_points(group, entry, entry->point_count);
}
