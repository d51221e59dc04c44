/* Tracks how calls change semaphores, except for submissions (submission.c). */
#include "state/submit/semaphore.h"
#include "state/hooks.h"
#include "state/object/object_lines.h"
#include "state/submit/submission.h"
#include "state/wsi/swapchain.h"

#include "vk/chain.h"

#include <string.h>

enum semaphore_last semaphore_last(const struct semaphore *semaphore, uint64_t *stamp)
{
    assert(stamp);
    *stamp = 0;
    if (!semaphore || semaphore->type != VK_SEMAPHORE_TYPE_BINARY || semaphore_is_shared(semaphore))
        return SEMAPHORE_LAST_UNKNOWN;
    uint64_t last = atomic_load_explicit(&semaphore->last, memory_order_acquire);
    *stamp = last & ~SEMAPHORE_KIND_MASK;
    return (enum semaphore_last)((last & SEMAPHORE_KIND_MASK) >> SEMAPHORE_KIND_SHIFT);
}

void semaphore_set_last(struct semaphore *semaphore, enum semaphore_last last, uint64_t stamp)
{
    assert(semaphore);
    atomic_store_explicit(&semaphore->last,
                          (stamp & ~SEMAPHORE_KIND_MASK) | (uint64_t)last << SEMAPHORE_KIND_SHIFT,
                          memory_order_release);
    atomic_store_explicit(&semaphore->base.last_use, stamp, memory_order_relaxed);
}

const struct swapchain *semaphore_awaits_present(const struct device *device,
                                                 const struct semaphore *semaphore, uint32_t *index)
{
    uint64_t stamp, id;
    if (semaphore_last(semaphore, &stamp) != SEMAPHORE_LAST_WAIT || !stamp_pending(device, stamp))
        return NULL;
    id = atomic_load_explicit(&semaphore->presented, memory_order_relaxed);
    *index = atomic_load_explicit(&semaphore->presented_index, memory_order_relaxed);
    const struct object *object =
        id && *index < SWAPCHAIN_IMAGES ? object_find_id(id, HANDLE_SWAPCHAIN_KHR) : NULL;
    const struct swapchain *swapchain = object_load_state_of(object, id);
    if (!swapchain || atomic_load_explicit(&swapchain->retired, memory_order_relaxed))
        return NULL;
    /* Another stamp: the wait was not that of the present, or the image was acquired since. */
    return atomic_load_explicit(&swapchain->presented[*index], memory_order_relaxed) == stamp
               ? swapchain
               : NULL;
}

/* --- pending operations of a timeline semaphore --- */

/* Point `i` of a track, which is a ring. */
static inline struct timeline_point *point_at(const struct timeline_track *track, uint32_t i)
{
    assert(i < track->count);
    return &track->points[(track->first + i) & (track->capacity - 1)];
}

/* Removes the oldest points. */
static inline void drop_points(struct timeline_track *track, uint32_t count)
{
    assert(count <= track->count);
    track->first = (track->first + count) & (track->capacity - 1);
    track->count -= count;
}

/* The number of points with at most this value. They are the first ones of the track. */
static uint32_t points_up_to(const struct timeline_track *track, uint64_t value)
{
    uint32_t low = 0, high = track->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (point_at(track, middle)->value <= value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The index of the first point with this stamp or a later one; `count` if there is none. */
static uint32_t first_since(const struct timeline_track *track, uint64_t stamp)
{
    uint32_t low = 0, high = track->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (point_at(track, middle)->stamp < stamp)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The track of the waits (or signals) of the stamp's queue; NULL: there is none yet. */
static struct timeline_track *find_track(const struct semaphore *semaphore, uint64_t stamp,
                                         bool signal) REQUIRES(semaphore->lock)
{
    for (uint32_t i = 0; i < semaphore->track_count; i++) {
        struct timeline_track *track = &semaphore->tracks[i];
        if (track->queue == stamp >> 56 && track->signal == signal)
            return track;
    }
    return NULL;
}

/* Removes completed operations from a track, and notes what they show about the counter. */
static void forget_done_of(struct semaphore *semaphore, struct timeline_track *track,
                           const struct device *device) REQUIRES(semaphore->lock)
{
    while (track->count && !stamp_pending(device, point_at(track, 0)->stamp)) {
        if (point_at(track, 0)->value > semaphore->completed)
            semaphore->completed = point_at(track, 0)->value;
        drop_points(track, 1);
    }
}

/* Removes points of submissions that have completed. */
static void forget_done(struct semaphore *semaphore, const struct device *device)
    REQUIRES(semaphore->lock)
{
    for (uint32_t i = 0; i < semaphore->track_count; i++)
        forget_done_of(semaphore, &semaphore->tracks[i], device);
}

/* Doubles the room for tracks, the first of which are in the semaphore itself. False: out of
 * memory. */
static bool grow_tracks(struct semaphore *semaphore) REQUIRES(semaphore->lock)
{
    uint32_t capacity = semaphore->track_capacity * 2;
    struct timeline_track *tracks = mem_alloc(capacity * sizeof(*tracks));
    if (!tracks)
        return false;
    memcpy(tracks, semaphore->tracks, semaphore->track_count * sizeof(*tracks));
    if (semaphore->tracks != semaphore->inline_tracks)
        mem_free(semaphore->tracks);
    semaphore->tracks = tracks;
    semaphore->track_capacity = capacity;
    return true;
}

/* Adds a track for the stamp's queue. NULL: out of memory. */
static struct timeline_track *add_track(struct semaphore *semaphore, uint64_t stamp, bool signal)
    REQUIRES(semaphore->lock)
{
    const uint32_t number = semaphore->track_count;
    if (number == semaphore->track_capacity && !grow_tracks(semaphore))
        return NULL;
    struct timeline_track track = {
        .capacity = TIMELINE_POINTS, .queue = (uint8_t)(stamp >> 56), .signal = signal};
    /* The first tracks need no allocation; is_inline() recognizes them. */
    track.points = number < TIMELINE_TRACKS ? semaphore->inline_points[number]
                                            : mem_alloc(TIMELINE_POINTS * sizeof(*track.points));
    if (!track.points)
        return NULL;
    semaphore->tracks[number] = track;
    semaphore->track_count = number + 1;
    return &semaphore->tracks[number];
}

/* True if the track's points are in the semaphore, and must not be freed. */
static bool is_inline(const struct semaphore *semaphore, const struct timeline_track *track)
    REQUIRES(semaphore->lock)
{
    for (uint32_t i = 0; i < TIMELINE_TRACKS; i++) {
        if (track->points == semaphore->inline_points[i])
            return true;
    }
    return false;
}

/* Doubles the room for a timeline's points. False: out of memory. */
static bool grow_points(const struct semaphore *semaphore, struct timeline_track *track)
    REQUIRES(semaphore->lock)
{
    /* 0: the number has overflowed, which counts as out of memory. */
    const uint32_t capacity = track->capacity * 2;
    struct timeline_point *points = capacity ? mem_alloc(capacity * sizeof(*points)) : NULL;
    if (!points)
        return false;
    for (uint32_t i = 0; i < track->count; i++)
        points[i] = *point_at(track, i);
    if (!is_inline(semaphore, track))
        mem_free(track->points);
    track->points = points;
    track->capacity = capacity;
    /* The copy has put the ring in order. */
    track->first = 0;
    return true;
}

/* Adds a wait or signal to the track of its queue. False: out of memory. */
static bool add_point(struct semaphore *semaphore, const struct device *device,
                      const struct timeline_operation *operation) REQUIRES(semaphore->lock)
{
    struct timeline_track *track = find_track(semaphore, operation->stamp, operation->signal);
    if (!track && !(track = add_track(semaphore, operation->stamp, operation->signal)))
        return false;
    if (operation->value > track->highest)
        track->highest = operation->value;
    /* Values of a track increase, so an operation replaces earlier ones with values that are not
     * smaller. */
    while (track->count && point_at(track, track->count - 1)->value >= operation->value)
        track->count--;
    if (track->count == track->capacity)
        forget_done_of(semaphore, track, device);
    if (track->count == track->capacity && !grow_points(semaphore, track))
        return false;
    track->count++;
    *point_at(track, track->count - 1) =
        (struct timeline_point){.value = operation->value, .stamp = operation->stamp};
    if (operation->signal && !operation->ahead && operation->value > semaphore->ready_signal_max)
        semaphore->ready_signal_max = operation->value;
    return true;
}

void semaphore_add_operation(struct semaphore *semaphore, struct timeline_operation operation)
{
    assert(semaphore);
    if (semaphore_is_shared(semaphore))
        return;
    const struct device *device = device_of(semaphore->base.object);
    if (!operation.stamp || !device) { /* untracked: the counter's changes cannot be known */
        atomic_store_explicit(&semaphore->shared, true, memory_order_relaxed);
        return;
    }
    lock_take(&semaphore->lock);
    bool room = add_point(semaphore, device, &operation);
    lock_release(&semaphore->lock);
    if (!room)
        atomic_store_explicit(&semaphore->shared, true, memory_order_relaxed);
    atomic_store_explicit(&semaphore->base.last_use, operation.stamp, memory_order_relaxed);
}

/* Adds the outstanding operations of one queue to the facts about a timeline. `queue`: the queue
 * for which they are queried; NULL: the host. */
static void add_to_timeline(struct timeline *timeline, const struct timeline_track *track,
                            const struct queue *queue)
{
    const bool own = queue && track->queue == queue->number;
    if (track->highest > timeline->outstanding_max)
        timeline->outstanding_max = track->highest;
    if (track->signal && track->highest > timeline->signal_max)
        timeline->signal_max = track->highest;
    if (track->signal && own)
        timeline->own_signal_max = track->highest;
    if (!track->count)
        return;
    const uint64_t least = point_at(track, 0)->value;
    if (least < timeline->outstanding_min)
        timeline->outstanding_min = least;
    if (!track->signal)
        return;
    if (!timeline->signal_pending || least < timeline->signal_min)
        timeline->signal_min = least;
    timeline->signal_pending = true;
}

struct timeline semaphore_timeline(struct semaphore *semaphore, const struct queue *queue)
{
    struct timeline timeline = {0};
    const struct device *device = semaphore ? device_of(semaphore->base.object) : NULL;
    if (!device || semaphore->type != VK_SEMAPHORE_TYPE_TIMELINE ||
        semaphore_is_shared(semaphore) || device_is_lost(device))
        return timeline;
    timeline.known = true;
    lock_take(&semaphore->lock);
    /* Operations that the device has completed since are not outstanding. */
    forget_done(semaphore, device);
    timeline.completed = timeline.outstanding_min = timeline.outstanding_max = semaphore->completed;
    timeline.ready_signal_max = semaphore->ready_signal_max;
    for (uint32_t i = 0; i < semaphore->track_count; i++)
        add_to_timeline(&timeline, &semaphore->tracks[i], queue);
    lock_release(&semaphore->lock);
    return timeline;
}

/* The value of the counter when it is known to have reached `value`. Signals execute in the order
 * of their values, so it is the smallest signaled value that is large enough. */
static uint64_t value_reached(const struct semaphore *semaphore, uint64_t value)
    REQUIRES(semaphore->lock)
{
    if (semaphore->completed >= value)
        return semaphore->completed;
    uint64_t reached = UINT64_MAX;
    for (uint32_t i = 0; i < semaphore->track_count; i++) {
        const struct timeline_track *track = &semaphore->tracks[i];
        uint32_t large_enough = points_up_to(track, value - 1); /* `value` is not 0 */
        if (track->signal && large_enough < track->count &&
            point_at(track, large_enough)->value < reached)
            reached = point_at(track, large_enough)->value;
    }
    return reached == UINT64_MAX ? value : reached;
}

uint32_t semaphore_reached(struct semaphore *semaphore, uint64_t value, bool exact,
                           uint64_t *stamps, uint32_t limit)
{
    assert(stamps || !limit);
    if (!semaphore || semaphore->type != VK_SEMAPHORE_TYPE_TIMELINE ||
        semaphore_is_shared(semaphore))
        return 0;
    uint32_t count = 0;
    lock_take(&semaphore->lock);
    /* Lower values are reached as well. */
    uint64_t reached = exact ? value : value_reached(semaphore, value);
    if (reached > semaphore->completed)
        semaphore->completed = reached;
    for (uint32_t i = 0; i < semaphore->track_count && count < limit; i++) {
        struct timeline_track *track = &semaphore->tracks[i];
        uint32_t done = track->signal ? points_up_to(track, reached) : 0;
        if (!done)
            continue;
        stamps[count++] = point_at(track, done - 1)->stamp;
        drop_points(track, done);
    }
    lock_release(&semaphore->lock);
    return count;
}

bool semaphore_covers(struct semaphore *semaphore, uint64_t value, uint64_t stamp)
{
    if (!semaphore || semaphore_is_shared(semaphore))
        return false;
    lock_take(&semaphore->lock);
    const struct timeline_track *track = find_track(semaphore, stamp, true);
    uint32_t enough = track ? points_up_to(track, value) : 0;
    bool covers = enough && point_at(track, enough - 1)->stamp >= stamp;
    lock_release(&semaphore->lock);
    return covers;
}

bool semaphore_next_signal(struct semaphore *semaphore, uint64_t stamp,
                           struct timeline_point *point)
{
    assert(point);
    if (!semaphore || semaphore->type != VK_SEMAPHORE_TYPE_TIMELINE ||
        semaphore_is_shared(semaphore))
        return false;
    lock_take(&semaphore->lock);
    const struct timeline_track *track = find_track(semaphore, stamp, true);
    uint32_t next = track ? first_since(track, stamp) : 0;
    bool found = track && next < track->count;
    if (found)
        *point = *point_at(track, next);
    lock_release(&semaphore->lock);
    return found;
}

void semaphore_destroy(struct semaphore *semaphore)
{
    if (!semaphore)
        return;
    lock_unneeded(&semaphore->lock);
    for (uint32_t i = 0; i < semaphore->track_count; i++) {
        if (!is_inline(semaphore, &semaphore->tracks[i]))
            mem_retire(semaphore->tracks[i].points);
    }
    if (semaphore->tracks != semaphore->inline_tracks)
        mem_retire(semaphore->tracks);
    mem_retire(semaphore);
}

void state_after_CreateSemaphore(struct call *call, VkDevice device,
                                 const VkSemaphoreCreateInfo *pCreateInfo,
                                 const VkAllocationCallbacks *pAllocator, VkSemaphore *pSemaphore)
{
    struct object *object = created_object(call, (uint64_t)*pSemaphore, HANDLE_SEMAPHORE);
    struct semaphore *semaphore = object_state_new_lines(object, sizeof(*semaphore));
    if (!semaphore)
        return;
    /* No other thread knows the semaphore yet. */
    lock_unneeded(&semaphore->lock);
    const VkSemaphoreTypeCreateInfo *type =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    const VkExportSemaphoreCreateInfo *export_info =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);
    semaphore->type = type ? type->semaphoreType : VK_SEMAPHORE_TYPE_BINARY;
    semaphore->initial = type ? type->initialValue : 0;
    semaphore->completed = semaphore->initial;
    semaphore->export_types = export_info ? export_info->handleTypes : 0;
    semaphore->tracks = semaphore->inline_tracks;
    semaphore->track_capacity = TIMELINE_TRACKS;
    lock_init(&semaphore->lock);
    object_state_publish(object, semaphore);
}

/* --- payloads that others have a hand in --- */

/* Notes that others may show the program that the work before the signal has completed: a semaphore
 * that shares the payload, another API, or a poll of the file. */
static void presume_signals(const struct call *call, struct semaphore *semaphore)
{
    uint64_t stamp;
    if (semaphore_last(semaphore, &stamp) == SEMAPHORE_LAST_SIGNAL)
        stamp_presume_done(call->device, stamp);
    if (semaphore->type != VK_SEMAPHORE_TYPE_TIMELINE)
        return;
    lock_take(&semaphore->lock);
    for (uint32_t i = 0; i < semaphore->track_count; i++) {
        const struct timeline_track *track = &semaphore->tracks[i];
        if (track->signal && track->count)
            /* The last signal of the track: all earlier ones are covered by it. */
            stamp_presume_done(call->device, point_at(track, track->count - 1)->stamp);
    }
    lock_release(&semaphore->lock);
}

/* Notes that others may signal the semaphore, which the layer does not see. */
static void share_payload(const struct call *call, struct semaphore *semaphore)
{
    if (!semaphore)
        return;
    presume_signals(call, semaphore);
    atomic_store_explicit(&semaphore->shared, true, memory_order_relaxed);
}

/* The driver signals the semaphore when the program should begin its next frame. */
void state_before_LatencySleepNV(struct call *call, VkDevice device, VkSwapchainKHR swapchain,
                                 const VkLatencySleepInfoNV *pSleepInfo)
{
    if (pSleepInfo)
        share_payload(call, find_semaphore(call, pSleepInfo->signalSemaphore));
}

void state_after_ImportSemaphoreFdKHR(struct call *call, VkDevice device,
                                      const VkImportSemaphoreFdInfoKHR *pImportSemaphoreFdInfo)
{
    if (call->result == VK_SUCCESS)
        share_payload(call, find_semaphore(call, pImportSemaphoreFdInfo->semaphore));
}

void state_after_GetSemaphoreFdKHR(struct call *call, VkDevice device,
                                   const VkSemaphoreGetFdInfoKHR *pGetFdInfo, int *pFd)
{
    struct semaphore *semaphore =
        call->result == VK_SUCCESS ? find_semaphore(call, pGetFdInfo->semaphore) : NULL;
    if (!semaphore || pGetFdInfo->handleType != VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT) {
        share_payload(call, semaphore);
        return;
    }
    /* Copying the payload has the same effect on the semaphore as a wait. */
    presume_signals(call, semaphore);
    atomic_store_explicit(&semaphore->last, (uint64_t)SEMAPHORE_LAST_WAIT << SEMAPHORE_KIND_SHIFT,
                          memory_order_release);
}
