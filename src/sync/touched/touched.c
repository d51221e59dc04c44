/* Notes commands and submissions whose shaders report their accesses, and reads the reports when
 * the work is done. */
#include "sync/touched/touched.h"

#include <string.h>

#include "sync/access/access_subpass.h"
#include "base/vec.h"
#include "sync/access/areas.h"

/* --- recordings --- */

void touched_begins(struct call *call)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (command_buffer && sync_in_command_buffer(command_buffer)->sync &&
        call->result == VK_SUCCESS)
        sync_in_command_buffer(command_buffer)->sync->context.keeps_all = true;
}

/* Makes the note of where the shaders of a command report their accesses. Returns NULL if memory is
 * out. */
static struct touched_note *make_note(struct arena *arena, struct touched_recording *of,
                                      const struct touched_command *command)
{
    size_t sets = command->set_count * sizeof(command->sets[0]);
    struct touched_note *note = arena_take(arena, sizeof(*note) + sets);
    if (!note)
        return NULL;
    *note = (struct touched_note){.of = of,
                                  .generation =
                                      atomic_load_explicit(&of->generation, memory_order_relaxed),
                                  .slots = command->slots,
                                  .limit = command->limit,
                                  .set_count = command->set_count,
                                  .words = command->words};
    memcpy(note->sets, command->sets, sets);
    return note;
}

/* Adds a note to the stream that the shaders of a command will report their accesses. The command's
 * validate hook has recorded the command already. */
void touched_acts(struct call *call)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct touched_recording *touched = command_buffer ? command_buffer->touched : NULL;
    struct touched_command *command = touched ? touched->last : NULL;
    struct recording recording;
    const struct access_source source = {.role = ROLE_DESCRIPTOR};
    if (!command)
        return;
    touched->last = NULL;
    if (!recording_begin(&recording, call))
        return;
    struct sync_context *context = &recording.sync->context;
    uint64_t tag = context->broken ? 0 : recording_tag(&recording, 0, &source);
    struct touched_note *note = tag ? make_note(&context->arena, touched, command) : NULL;
    struct stream_item *item = note ? sync_context_stream(context, STREAM_TOUCHED) : NULL;
    if (item) {
        item->tag = tag;
        item->touched = note;
    } else {
        context->broken = true;
    }
    recording_end(&recording);
}

/* The most secondaries of one command buffer that are followed; accesses of further ones are not
 * reported. */
#define EXECUTED_MOST 4096

/* Adds a secondary to those that the primary executes. If memory is out it is missing, and its
 * shaders' reports are not read. */
static void touched_execute(struct touched_recording *primary, struct touched_recording *secondary)
{
    if (vec_room_in(&primary->arena, &primary->executed, primary->executed_count,
                    &primary->executed_capacity, 8, sizeof(*primary->executed)))
        primary->executed[primary->executed_count++] = secondary;
}

void touched_executes(struct call *call, uint32_t count, const VkCommandBuffer *command_buffers)
{
    const struct command_buffer *primary = call_command_buffer(call);
    if (!primary || !primary->touched)
        return;
    for (uint32_t i = 0; i < count; i++) {
        const struct command_buffer *secondary = find_command_buffer(command_buffers[i]);
        struct touched_recording *touched = secondary ? secondary->touched : NULL;
        /* A command buffer must not execute itself, or one that executes it. If it does, the loop
         * must not go on for ever. */
        if (!touched || touched == primary->touched ||
            primary->touched->executed_count > EXECUTED_MOST)
            continue;
        for (uint32_t k = 0; k < touched->executed_count && k < EXECUTED_MOST; k++)
            touched_execute(primary->touched, touched->executed[k]);
        touched_execute(primary->touched, touched);
    }
}

/* --- submissions --- */

/* The most batches that are kept of one queue, for programs that never wait for their work. */
#define PENDING_MOST 1024

/* Returns a command buffer of the batch; NULL: it is unknown, or not executable. */
static const struct command_buffer *batch_submitted(const struct batch *batch, uint32_t i)
{
    const struct command_buffer *command_buffer =
        find_command_buffer(batch_command_buffer(batch, i));
    return command_buffer && sync_in_command_buffer(command_buffer)->sync &&
                   command_buffer->scope & SCOPE_EXECUTABLE
               ? command_buffer
               : NULL;
}

/* Returns how many recordings a command buffer has: its own, and the recordings that it
 * executes. */
static uint32_t recordings_of(const struct command_buffer *command_buffer)
{
    return command_buffer && command_buffer->touched ? 1 + command_buffer->touched->executed_count
                                                     : 0;
}

/* Makes a copy of a submitted batch, to be kept until its shaders' reports can be read, and holds
 * its logs. Returns NULL if memory is out. */
static struct touched_batch *make_batch(const struct queue *queue, const struct batch *batch,
                                        uint64_t sequence)
{
    size_t recordings = 0;
    for (uint32_t i = 0; i < batch->command_buffer_count; i++)
        recordings += recordings_of(batch_submitted(batch, i));
    struct touched_batch *made =
        mem_alloc(sizeof(*made) + batch->command_buffer_count * sizeof(made->items[0]) +
                  recordings * sizeof(void *));
    if (!made)
        return NULL;
    *made = (struct touched_batch){
        .sequence = sequence,
        .done = atomic_load_explicit(&queue->completed, memory_order_acquire),
        .waits = batch->wait_count != 0,
        .count = batch->command_buffer_count};
    struct touched_recording **of = (struct touched_recording **)(void *)&made->items[made->count];
    for (uint32_t i = 0; i < made->count; i++) {
        const struct command_buffer *command_buffer = batch_submitted(batch, i);
        struct touched_item *item = &made->items[i];
        *item = (struct touched_item){.of = of, .of_count = recordings_of(command_buffer)};
        if (command_buffer && sync_in_command_buffer(command_buffer)->sync->log) {
            item->recorded = sync_in_command_buffer(command_buffer)->sync;
            item->log = command_log_hold(sync_in_command_buffer(command_buffer)->sync->log);
        }
        for (uint32_t k = 0; k < item->of_count; k++) {
            of[k] = k ? command_buffer->touched->executed[k - 1] : command_buffer->touched;
            if (of[k]->pending++)
                atomic_store_explicit(&of[k]->mixed, true, memory_order_relaxed);
        }
        of += item->of_count;
    }
    return made;
}

/* The data that is kept for a queue, made when the queue is first used. Returns NULL if memory is
 * out. */
static struct touched_queue *queue_of(struct sync_device *sync, const struct call *call,
                                      struct queue *queue) REQUIRES(sync->touched_lock)
{
    if (!sync->touched) {
        sync->touched = mem_alloc_zeroed(sizeof(*sync->touched));
        if (sync->touched)
            sync->touched->settings = &call->instance->settings;
    }
    struct touched_device *touched = sync->touched;
    if (touched && !touched->queues[queue->number])
        touched->queues[queue->number] = touched_queue_new(touched, queue);
    return touched ? touched->queues[queue->number] : NULL;
}

/* Appends a batch. Beyond PENDING_MOST the oldest is dropped, and earlier accesses are forgotten
 * when the next one is played. */
static void add_batch(struct touched_queue *queue, struct touched_batch *batch)
{
    *queue->last = batch;
    queue->last = &batch->next;
    if (++queue->pending < PENDING_MOST)
        return;
    batch = queue->first;
    queue->first = batch->next;
    queue->pending--;
    queue->first->waits = true; /* the effect of the batch before is not known any more */
    touched_batch_free(batch);
}

/* The device's data; NULL: the call's queue is not followed, or hazards are not looked for. */
static struct sync_device *followed_device(struct call *call, struct queue **queue)
{
    *queue = object_load_state(call->object);
    return queue_is_followed(*queue) ? sync_device_make(call) : NULL;
}

/* Keeps one batch until it is done. If memory is out, everything known of the queue so far is
 * forgotten. */
static void touched_submit_batch(struct sync_device *sync, const struct call *call,
                                 struct queue *queue, const struct batch *batch, uint32_t later)
    REQUIRES(sync->touched_lock)
{
    struct touched_queue *to = queue_of(sync, call, queue);
    struct touched_batch *made =
        to ? make_batch(queue, batch, batch_sequence(queue, batch, later)) : NULL;
    if (made)
        add_batch(to, made);
    else if (to)
        touched_forget(to);
}

/* Notes the batches of a call, whose shaders may report accesses. */
static void touch_batches(struct call *call, const struct batches *batches, VkFence fence)
{
    struct queue *queue;
    touched_look(call);
    struct sync_device *sync = batches->count ? followed_device(call, &queue) : NULL;
    if (!sync)
        return;
    lock_take(&sync->touched_lock);
    for (uint32_t i = 0; i < batches->count; i++) {
        const struct batch batch = batches_at(batches, i);
        touched_submit_batch(sync, call, queue, &batch,
                             batches->count - 1 - i + (fence != VK_NULL_HANDLE));
    }
    lock_release(&sync->touched_lock);
}

void touched_submits(struct call *call, uint32_t count, const VkSubmitInfo *submits, VkFence fence)
{
    const struct batches batches = batches_of_submit(count, submits);
    touch_batches(call, &batches, fence);
}

void touched_submits2(struct call *call, uint32_t count, const VkSubmitInfo2 *submits,
                      VkFence fence)
{
    const struct batches batches = batches_of_submit2(count, submits);
    touch_batches(call, &batches, fence);
}

/* Keeps the batches of a sparse binding; only their waits matter. */
void touched_binds(struct call *call, uint32_t count, const VkBindSparseInfo *infos, VkFence fence)
{
    const struct batches batches = batches_of_bind_sparse(count, infos);
    touch_batches(call, &batches, fence);
}

/* --- when work is done --- */

void touched_look(struct call *call)
{
    struct sync_device *sync = call->device ? sync_device_made(call) : NULL;
    struct touched_found *found = NULL;
    uint32_t count = 0;
    if (!sync)
        return;
    lock_take(&sync->touched_lock);
    struct touched_device *touched = sync->touched;
    if (touched)
        touched_play(touched);
    if (touched && touched->found_count) {
        count = touched->found_count;
        found = mem_alloc(count * sizeof(*found));
        touched->found_count = 0;
        if (found)
            memcpy(found, touched->found, count * sizeof(*found));
    }
    /* Findings are taken out and reported without the lock, as the program's callback may submit
     * work. */
    lock_release(&sync->touched_lock);
    for (uint32_t i = 0; found && i < count; i++)
        touched_tell(call, &found[i]);
    mem_free(found);
}

void touched_device_free(struct touched_device *touched)
{
    if (!touched)
        return;
    for (uint32_t i = 0; i < QUEUE_NUMBERS; i++)
        touched_queue_free(touched->queues[i]);
    mem_free(touched);
}
