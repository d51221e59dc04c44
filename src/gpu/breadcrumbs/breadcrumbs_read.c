/* Reads how far a command buffer came on a lost device. Its own markers show that, and those of the
 * secondaries that it executes. Within a render pass instance with secondary contents, a primary
 * may write no markers. */
#include "gpu/device/areas.h"
#include "gpu/breadcrumbs/breadcrumbs.h"

#include "base/lock.h"
#include "gpu/command/label_path.h"
#include "state/submit/queue.h"
#include "state/submit/submission.h"

/* --- submissions --- */

void breadcrumbs_fork(enum fork_step step)
{
    lock_fork(&breadcrumbs_lock, step);
}

/* Notes a submission of one trail, and clears its markers unless another submission is pending,
 * which may still write them. */
static void note_trail(const struct device *device, struct breadcrumb_trail *trail, uint64_t stamp)
    REQUIRES(breadcrumbs_lock)
{
    const uint64_t before = trail->submitted;
    if (before && stamp_pending(device, before)) {
        const bool other = (before ^ stamp) >> 56 != 0;
        trail->submitted = other ? stamp_join(device, before, stamp) : stamp;
        trail->submitted_to_several |= other;
        trail->submitted_count++;
        return;
    }
    breadcrumbs_clear(gpu_in_device(device)->breadcrumbs, trail);
    trail->has_run = before != 0;
    trail->submitted = stamp;
    trail->submitted_count = 1;
    trail->submitted_to_several = false;
}

/* Returns the trail of a secondary as it was when it was executed; NULL: the secondary has been
 * recorded again, or freed. */
static struct breadcrumb_trail *executed_trail(const struct breadcrumb_trail *outer,
                                               const struct breadcrumb_execution *execution)
{
    const struct command_buffer *command_buffer = command_buffer_by_id(execution->command_buffer);
    struct breadcrumb_trail *trail =
        command_buffer ? gpu_in_command_buffer(command_buffer)->breadcrumbs : NULL;
    return trail && trail->serial == outer->serial && trail->recording == execution->recording
               ? trail
               : NULL;
}

/* The most executions that are counted: numbers of nested executions multiply. */
#define COUNTED_MOST 65536u

/* Notes a submission of the trail, and of the secondaries in it. `left` is how many more may be
 * counted; 0: counts are not exact any more. */
static void note_submitted(const struct device *device, struct breadcrumb_trail *trail,
                           uint64_t stamp, uint32_t depth, uint32_t *left)
    REQUIRES(breadcrumbs_lock)
{
    note_trail(device, trail, stamp);
    for (uint32_t i = 0; depth < BREADCRUMB_NESTING && i < trail->execution_count; i++) {
        struct breadcrumb_trail *executed = executed_trail(trail, &trail->executions[i]);
        if (!executed)
            continue;
        if (!*left) {
            atomic_store_explicit(&gpu_in_device(device)->breadcrumbs->miscounts, true,
                                  memory_order_relaxed);
            return;
        }
        --*left;
        note_submitted(device, executed, stamp, depth + 1, left);
    }
}

/* Notes that the command buffers of a batch are submitted. Takes breadcrumbs_lock. */
static void note_batch(const struct device *device, const struct queue *queue,
                       const struct batch *batch)
{
    /* This is the stamp of the call's last batch. An earlier batch counts as pending for longer,
     * which only delays the clearing of its markers. */
    const uint64_t stamp =
        use_stamp(queue, atomic_load_explicit(&queue->submitted, memory_order_relaxed));
    uint32_t left = COUNTED_MOST;
    /* no work is pending, but the markers must be kept for the report */
    if (device_is_lost(device))
        return;
    lock_take(&breadcrumbs_lock);
    for (uint32_t i = 0; i < batch->command_buffer_count; i++) {
        const struct command_buffer *command_buffer =
            find_command_buffer(batch_command_buffer(batch, i));
        struct breadcrumb_trail *trail =
            command_buffer ? gpu_in_command_buffer(command_buffer)->breadcrumbs : NULL;
        if (trail && trail->serial == gpu_in_device(device)->breadcrumbs->serial)
            note_submitted(device, trail, stamp, 0, &left);
    }
    lock_release(&breadcrumbs_lock);
}

/* Notes which markers the batches of a call will write. */
static void note_batches(const struct call *call, const struct batches *batches)
{
    const struct queue *queue =
        gpu_in_device(call->device)->breadcrumbs ? object_load_state(call->object) : NULL;
    for (uint32_t i = 0; queue && i < batches->count; i++) {
        const struct batch batch = batches_at(batches, i);
        note_batch(call->device, queue, &batch);
    }
}

void breadcrumbs_submit(struct call *call, uint32_t count, const VkSubmitInfo *submits)
{
    const struct batches batches = batches_of_submit(count, submits);
    note_batches(call, &batches);
}

void breadcrumbs_submit2(struct call *call, uint32_t count, const VkSubmitInfo2 *submits)
{
    const struct batches batches = batches_of_submit2(count, submits);
    note_batches(call, &batches);
}

/* --- markers of one command buffer --- */

/* The words of a slot in memory, as the last execution has left them. */
struct markers {
    /* counts of commands, and the tokens of the executions that wrote them */
    uint32_t done, begun, done_by, begun_by;
    /* an execution has come to its first marker at the bottom, or at the top, of the pipe */
    bool any_done, any_begun;
    bool begun_known;
};

/* Reads the last checkpoints of this slot that the queue has reached. A checkpoint at the top of
 * the pipe shows that a command has begun. One at the bottom shows that all before it is done.
 * Other stages lie in between. */
static void read_checkpoints(const struct device *device, VkQueue queue,
                             const struct breadcrumb_trail *trail, struct markers *markers)
    REQUIRES(breadcrumbs_lock)
{
    VkCheckpointDataNV data[32];
    uint32_t count = ARRAY_LENGTH(data), bottom = 0, top = 0;
    for (uint32_t i = 0; i < count; i++)
        data[i] = (VkCheckpointDataNV){.sType = VK_STRUCTURE_TYPE_CHECKPOINT_DATA_NV};
    device->dispatch.GetQueueCheckpointDataNV(queue, &count, data);
    for (uint32_t i = 0; i < count && i < ARRAY_LENGTH(data); i++) {
        const uint64_t marker = (uint64_t)(uintptr_t)data[i].pCheckpointMarker;
        const uint32_t number = (uint32_t)marker;
        if (marker >> 32 != trail->slot || !number)
            continue;
        if (data[i].stage == VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT)
            bottom = number;
        else if (data[i].stage == VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT)
            top = number;
    }
    /* The last checkpoint of a recording may come from an earlier execution. */
    bottom = trail->has_run && bottom > trail->count ? 0 : bottom;
    top = trail->has_run && top > trail->count && !bottom ? 0 : top;
    markers->done = bottom ? bottom - 1 : 0;
    markers->begun = top;
    markers->any_done = bottom != 0;
    markers->any_begun = markers->begun_known = top != 0;
}

/* Reads the slot of a trail from memory that the GPU writes. Words may change between two loads, as
 * the work may still run; 0 means that the execution has not reached its first marker. */
static void read_words(const struct breadcrumbs *breadcrumbs, const struct breadcrumb_trail *trail,
                       struct markers *markers)
{
    const _Atomic uint32_t *words =
        &breadcrumbs->words[breadcrumb_place(trail, 0) / sizeof(uint32_t)];
    markers->done = atomic_load_explicit(&words[BREADCRUMB_DONE], memory_order_relaxed);
    markers->done_by = atomic_load_explicit(&words[BREADCRUMB_DONE_BY], memory_order_relaxed);
    markers->begun = atomic_load_explicit(&words[BREADCRUMB_BEGUN], memory_order_relaxed);
    markers->begun_by = atomic_load_explicit(&words[BREADCRUMB_BEGUN_BY], memory_order_relaxed);
    markers->begun_known = breadcrumbs->way == BREADCRUMB_BUFFER_MARKER;
    markers->any_done = markers->done != 0;
    markers->any_begun = markers->begun != 0;
}

/* Reads the markers in the way that the device writes them. Counts are limited to the number of
 * recorded commands, as the program may have overwritten the memory. */
static struct markers read_markers(const struct device *device, VkQueue queue,
                                   const struct breadcrumb_trail *trail) REQUIRES(breadcrumbs_lock)
{
    struct markers markers = {0};
    if (gpu_in_device(device)->breadcrumbs->way == BREADCRUMB_CHECKPOINT)
        read_checkpoints(device, queue, trail, &markers);
    else
        read_words(gpu_in_device(device)->breadcrumbs, trail, &markers);
    markers.done = markers.done < trail->count ? markers.done : trail->count;
    markers.begun = markers.begun < trail->count ? markers.begun : trail->count;
    return markers;
}

/* --- the execution that wrote the markers --- */

/* Counts how often this command buffer itself executes the secondary. Only the command with index
 * `crumb` counts. */
static uint32_t count_executions(const struct breadcrumb_trail *outer, uint64_t secondary,
                                 uint32_t crumb)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < outer->execution_count; i++)
        count += outer->executions[i].command_buffer == secondary &&
                 (crumb == UINT32_MAX || outer->executions[i].crumb == crumb);
    return count;
}

enum order { ORDER_UNKNOWN, ORDER_EARLIER, ORDER_SAME, ORDER_LATER };

/* Finds whether the slot's token belongs to an execution before this one, or after it. Without a
 * token no execution has begun. */
static enum order find_order(const struct breadcrumb_trail *outer,
                             const struct breadcrumb_execution *execution, uint32_t token)
{
    if (!token)
        return ORDER_EARLIER;
    for (uint32_t i = 0; i < outer->execution_count; i++) {
        const struct breadcrumb_execution *other = &outer->executions[i];
        if (other->token == token)
            return other->crumb < execution->crumb   ? ORDER_EARLIER
                   : other->crumb > execution->crumb ? ORDER_LATER
                                                     : ORDER_SAME;
    }
    return ORDER_UNKNOWN;
}

/* Returns how many commands of an execution are done, or have begun: all, if a later execution
 * wrote the slot; none, if an earlier one did; else the slot's value. */
static uint32_t value_by_order(enum order order, uint32_t value, uint32_t all)
{
    return order == ORDER_EARLIER ? 0 : order == ORDER_LATER ? all : value;
}

/* Finds how far one execution of a secondary has come, by the tokens in its slot. Returns false if
 * the tokens do not show it. */
static bool trail_attribute(const struct breadcrumb_trail *outer,
                            const struct breadcrumb_execution *execution,
                            const struct breadcrumb_trail *trail, const struct markers *markers,
                            struct breadcrumb_progress *progress) REQUIRES(breadcrumbs_lock)
{
    const enum order done = find_order(outer, execution, markers->done_by);
    const enum order begun =
        markers->begun_known ? find_order(outer, execution, markers->begun_by) : ORDER_SAME;
    /* Each execution of the outer command buffer writes the same tokens. */
    if (!execution->token || outer->submitted_count != 1 || trail->submitted_to_several ||
        done == ORDER_UNKNOWN || begun == ORDER_UNKNOWN)
        return false;
    progress->done = value_by_order(done, markers->done, trail->count);
    progress->begun = value_by_order(begun, markers->begun, trail->count);
    const uint32_t same = count_executions(outer, execution->command_buffer, execution->crumb);
    progress->executions =
        done == ORDER_SAME || (markers->begun_known && begun == ORDER_SAME) ? same : 1;
    return true;
}

/* Finds how far a secondary has come in one execution. `trail` of the result is NULL if that is not
 * known. */
static struct breadcrumb_progress progress_within(const struct device *device, VkQueue queue,
                                                  const struct breadcrumb_progress *outer,
                                                  const struct breadcrumb_execution *execution)
    REQUIRES(breadcrumbs_lock)
{
    const struct breadcrumb_trail *trail = executed_trail(outer->trail, execution);
    struct breadcrumb_progress progress = {.trail = NULL};
    if (!trail || !trail->slot || !trail->writes || !trail->count)
        return progress;
    const struct markers markers = read_markers(device, queue, trail);
    progress = (struct breadcrumb_progress){.trail = trail,
                                            .done = markers.done,
                                            .begun = markers.begun,
                                            .begun_known = markers.begun_known,
                                            .executions = trail->submitted_count};
    const bool miscounts =
        atomic_load_explicit(&gpu_in_device(device)->breadcrumbs->miscounts, memory_order_relaxed);
    if (miscounts && progress.executions < 2)
        progress.executions = 2;
    if (progress.executions > 1 && !miscounts)
        (void)trail_attribute(outer->trail, execution, trail, &markers, &progress);
    /* The command after this execution has begun, so all of the secondary has begun. */
    if (outer->begun_known && outer->begun > execution->crumb + 1 && progress.executions == 1) {
        progress.begun = trail->count;
        progress.begun_known = true;
    }
    return progress;
}

/* --- progress of a primary by its secondaries' markers --- */

/* Finds whether this execution has come as far as its first marker, at the bottom and at the top of
 * the pipe. If several executions cannot be distinguished, the first one has, provided that all of
 * them are by this command buffer. */
static void find_evidence(const struct device *device, VkQueue queue,
                          const struct breadcrumb_progress *outer, uint32_t index, bool *done,
                          bool *begun) REQUIRES(breadcrumbs_lock)
{
    const struct breadcrumb_execution *execution = &outer->trail->executions[index];
    const struct breadcrumb_progress within = progress_within(device, queue, outer, execution);
    *done = *begun = false;
    if (!within.trail)
        return;
    const bool checkpoints = gpu_in_device(device)->breadcrumbs->way == BREADCRUMB_CHECKPOINT;
    const struct markers markers = read_markers(device, queue, within.trail);
    *done = checkpoints ? markers.any_done : within.done != 0;
    *begun = checkpoints ? markers.any_begun : within.begun_known && within.begun != 0;
    if (within.executions == 1)
        return;
    bool first =
        outer->executions == 1 &&
        within.executions == count_executions(outer->trail, execution->command_buffer, UINT32_MAX);
    for (uint32_t i = 0; first && i < index; i++)
        first = outer->trail->executions[i].command_buffer != execution->command_buffer;
    *done &= first;
    *begun &= first;
}

/* True if this element of a command is done: all parts of it that have markers are. */
static bool is_executed(const struct device *device, VkQueue queue,
                        const struct breadcrumb_progress *outer,
                        const struct breadcrumb_execution *execution) REQUIRES(breadcrumbs_lock)
{
    const struct breadcrumb_progress within = progress_within(device, queue, outer, execution);
    return within.trail && within.executions == 1 && within.done == within.trail->count;
}

/* Goes through the elements of one command, from `first` on, and updates the progress. Returns the
 * index of the first element of the next command. */
static uint32_t refine_by(const struct device *device, VkQueue queue,
                          struct breadcrumb_progress *progress, uint32_t first)
    REQUIRES(breadcrumbs_lock)
{
    const struct breadcrumb_trail *trail = progress->trail;
    const uint32_t crumb = trail->executions[first].crumb;
    bool any_done = false, any_begun = false;
    uint32_t i = first, executed = 0;
    for (; i < trail->execution_count && trail->executions[i].crumb == crumb; i++) {
        bool done, begun;
        if (crumb < progress->done || crumb >= trail->count)
            continue;
        find_evidence(device, queue, progress, i, &done, &begun);
        any_done |= done;
        any_begun |= begun;
        executed += done && is_executed(device, queue, progress, &trail->executions[i]);
    }
    if (any_done)
        progress->done = executed == trail->list[crumb].elements ? crumb + 1 : crumb;
    if (any_begun) {
        progress->begun = progress->begun > crumb + 1 ? progress->begun : crumb + 1;
        progress->begun_known = true;
    }
    return i;
}

/* Refines the progress by the primary's own markers with the slots of its secondaries. Elements are
 * visited in recording order, command by command. */
static void progress_refine(const struct device *device, VkQueue queue,
                            struct breadcrumb_progress *progress) REQUIRES(breadcrumbs_lock)
{
    for (uint32_t i = 0; i < progress->trail->execution_count;)
        i = refine_by(device, queue, progress, i);
    if (progress->begun_known && progress->begun < progress->done)
        progress->begun = progress->done;
}

struct breadcrumb_progress breadcrumbs_progress(const struct device *device, VkQueue queue,
                                                const struct command_buffer *command_buffer)
{
    const struct breadcrumbs *breadcrumbs = gpu_in_device(device)->breadcrumbs;
    const struct breadcrumb_trail *trail = gpu_in_command_buffer(command_buffer)->breadcrumbs;
    struct breadcrumb_progress progress = {.trail = NULL};
    /* Without a trail of this device the result's `trail` is NULL: nothing is known. */
    if (!breadcrumbs || !trail || trail->serial != breadcrumbs->serial || !trail->writes)
        return progress;
    lock_take(&breadcrumbs_lock);
    const struct markers markers = read_markers(device, queue, trail);
    progress = (struct breadcrumb_progress){
        .trail = trail,
        .done = markers.done,
        .begun = markers.begun,
        .begun_known = markers.begun_known,
        .executions = trail->submitted_count ? trail->submitted_count : 1};
    progress_refine(device, queue, &progress);
    lock_release(&breadcrumbs_lock);
    return progress;
}

struct breadcrumb_progress breadcrumbs_progress_within(const struct device *device, VkQueue queue,
                                                       const struct breadcrumb_progress *outer,
                                                       const struct breadcrumb_execution *execution)
{
    lock_take(&breadcrumbs_lock);
    const struct breadcrumb_progress progress = progress_within(device, queue, outer, execution);
    lock_release(&breadcrumbs_lock);
    return progress;
}

/* --- labels --- */

void breadcrumb_labels(const struct breadcrumb_trail *trail, uint32_t label, char *to, size_t size)
{
    struct label_path path = label_path_begin(to, size);
    /* Walks from the innermost label outwards; the path shows the labels in the other order, and
     * LABEL_PATH_MOST of them. */
    for (uint32_t depth = 0; label && label <= trail->label_count && depth < LABEL_PATH_MOST;
         depth++) {
        if (!label_path_add(&path, trail->labels[label - 1].name))
            break;
        label = trail->labels[label - 1].parent;
    }
    label_path_end(&path);
}
