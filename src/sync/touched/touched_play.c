/* Plays the work of a queue, with the accesses that its shaders reported, and finds hazards in
 * it. */
#include "sync/touched/touched.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain_atomic.h"
#include "base/vec.h"
#include "spirv/abi.h"
#include "state/descriptor/descriptor_access.h"
#include "state/command/event.h"
#include "sync/access/access_subpass.h"
#include "sync/access/aliases.h"
#include "sync/record/draw.h"
#include "sync/access/ranges.h"

/* --- forgetting accesses --- */

static bool touched_record_is_done(const struct sync_context *context,
                                   const struct sync_record *record)
{
    return record->tag < ((const struct touched_queue *)context)->live_tag;
}
static_assert(offsetof(struct touched_queue, context) == 0, "the context is the head");

static void touched_hazard(const struct sync_sink *sink, const struct sync_place *place,
                           const struct sync_access *access, const struct sync_barrier *barrier,
                           const struct sync_hazard *hazard)
{
    struct touched_queue *queue =
        (struct touched_queue *)(void *)((char *)(uintptr_t)sink -
                                         offsetof(struct touched_queue, sink));
    touched_note_hazard(queue, place, access, barrier, hazard);
}

struct touched_queue *touched_queue_new(struct touched_device *touched, struct queue *queue)
{
    struct touched_queue *made = mem_alloc_zeroed(sizeof(*made));
    if (!made)
        return NULL;
    sync_context_init(&made->context, false);
    made->context.is_done = touched_record_is_done;
    made->context.sink = &made->sink;
    made->sink.hazard = touched_hazard;
    made->queue = queue;
    made->device = touched;
    made->next_number = 1;
    made->last = &made->first;
    return made;
}

/* Forgets executions of submissions up to this sequence number. */
static void forget_until(struct touched_queue *queue, uint64_t sequence)
{
    uint32_t gone = 0;
    while (gone < queue->played_count && queue->played[gone].sequence <= sequence) {
        command_log_release(queue->played[gone].log);
        mem_free(queue->played[gone++].accesses);
    }
    queue->played_count -= gone;
    if (gone)
        memmove(queue->played, queue->played + gone, queue->played_count * sizeof(*queue->played));
    queue->live_tag = (uint64_t)(queue->played_count ? queue->played[0].number : queue->next_number)
                      << 32;
    if (!queue->played_count)
        sync_context_reset(&queue->context);
}

void touched_forget(struct touched_queue *queue)
{
    forget_until(queue, UINT64_MAX);
}

void touched_batch_free(struct touched_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        for (uint32_t k = 0; k < batch->items[i].of_count; k++)
            batch->items[i].of[k]->pending--;
        command_log_release(batch->items[i].log);
    }
    mem_free(batch);
}

void touched_queue_free(struct touched_queue *queue)
{
    if (!queue)
        return;
    while (queue->first) {
        struct touched_batch *batch = queue->first;
        queue->first = batch->next;
        touched_batch_free(batch);
    }
    touched_forget(queue);
    mem_free(queue->played);
    sync_context_free(&queue->context);
    mem_free(queue);
}

/* --- reports of shaders --- */

/* The words in which a shader reports one access. */
struct said {
    uint32_t words[TOUCHED_WORDS];
};

/* The state of the play of one execution. */
struct play {
    struct sync_touch touch;       /* first: its address is cast to the play's */
    struct touched_queue *queue;   /* the queue that executes the recording */
    struct touched_played *played; /* the accesses of this execution so far */
    uint64_t tag;                  /* tag of the current command */
};

static struct touched_access *place_of_access(struct touched_played *played)
{
    if (!vec_room(&played->accesses, played->count, &played->capacity, 16,
                  sizeof(*played->accesses)))
        return NULL;
    return &played->accesses[played->count++];
}

/* Accesses a place, and keeps the data that a report of the access needs. */
static void access_place(const struct play *play, const struct sync_place *place,
                         const struct touched_access *what, enum sync_ordering ordering,
                         uint32_t instance)
{
    struct touched_access *access = place_of_access(play->played);
    if (!access)
        return;
    *access = *what;
    access->place = *place;
    sync_context_access(&play->queue->context, place,
                        &(struct sync_access){.tag = what->tag,
                                              .instance = instance,
                                              .usage = what->usage,
                                              .queue = (uint8_t)play->queue->queue->number,
                                              .ordering = (uint8_t)ordering});
}

static void access_bytes(const struct play *play, const struct buffer *buffer, VkDeviceSize offset,
                         VkDeviceSize size, struct touched_access *what)
{
    struct sync_place place;
    if (!buffer || !sync_buffer_place(&place, buffer, offset, size))
        return;
    what->resource = object_state_id(&buffer->base);
    access_place(play, &place, what, SYNC_UNORDERED, 0);
}

/* Accesses all places of an image that a shader reported to have accessed through the view. */
static void access_image(const struct play *play, const struct image_view *view,
                         struct touched_access *what)
{
    const struct image *image = view ? image_by_id(view->image) : NULL;
    struct image_places places;
    if (!image)
        return;
    what->resource = object_state_id(&image->base);
    if (image_view_has_slices(image, view))
        image_places_of_slices(&places, image, &view->range);
    else
        image_places_of_range(&places, image, &view->range);
    while (image_places_next(&places))
        access_place(play, &places.place, what, SYNC_UNORDERED, 0);
    if (unlikely(image_shares_memory(image))) {
        struct sync_place memory = image_memory_place(image);
        access_place(play, &memory, what, SYNC_ORDER_ALIAS, image_alias_number(image));
    }
}

/* Accesses the buffer range of a descriptor. `size` is the bytes of the block that the shader sees;
 * 0: not known. */
static void access_buffer(const struct play *play, struct descriptor descriptor, uint32_t size,
                          struct touched_access *what)
{
    VkDeviceSize offset, range = descriptor_buffer_range(descriptor);
    if (!descriptor_buffer_offset(descriptor, &offset))
        return;
    access_bytes(play, buffer_by_id(descriptor_buffer_id(descriptor)), offset,
                 size && size < range ? size : range, what);
}

/* Returns the stage that wrote the key; 0: not known. */
static VkShaderStageFlagBits touch_key_stage(uint32_t key)
{
    static const VkShaderStageFlagBits stages[] = {
        0,
        VK_SHADER_STAGE_VERTEX_BIT,
        VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
        VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
        VK_SHADER_STAGE_GEOMETRY_BIT,
        VK_SHADER_STAGE_FRAGMENT_BIT,
        VK_SHADER_STAGE_COMPUTE_BIT,
        [TOUCHED_STAGE_TASK] = VK_SHADER_STAGE_TASK_BIT_EXT,
        [TOUCHED_STAGE_MESH] = VK_SHADER_STAGE_MESH_BIT_EXT,
        [TOUCHED_STAGE_RAYS] = VK_SHADER_STAGE_RAYGEN_BIT_KHR,
    };
    uint32_t stage = key >> TOUCHED_STAGE_SHIFT;
    return stage < ARRAY_LENGTH(stages) ? stages[stage] : 0;
}

static const struct descriptor_binding *binding_at(const struct descriptor_layout *layout,
                                                   uint32_t descriptor)
{
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        const struct descriptor_binding *binding = &layout->bindings[i];
        if (descriptor >= binding->first && descriptor - binding->first < binding->count)
            return binding;
    }
    return NULL;
}

/* Makes the access that a shader reported. Dynamic buffers and input attachments are left out: the
 * dynamic offsets, and the part of the attachment that is read, are not known here. */
static void access_said(const struct play *play, const struct touched_note *note,
                        const struct said *said)
{
    uint32_t key = said->words[TOUCHED_KEY], number = key >> TOUCHED_SET_SHIFT & TOUCHED_SET_MASK,
             index = key & TOUCHED_DESCRIPTOR_MASK;
    const struct descriptor_set *set = number < note->set_count && note->sets[number]
                                           ? descriptor_set_by_id(note->sets[number])
                                           : NULL;
    const struct descriptor_binding *binding =
        set && index < set->descriptor_count ? binding_at(set->layout, index) : NULL;
    if (!binding)
        return;
    struct descriptor descriptor = descriptor_load(&set->descriptors[index]);
    enum descriptor_tag tag = (enum descriptor_tag)descriptor.tag;
    uint32_t object = said->words[TOUCHED_OBJECT];
    enum sync_usage usage =
        draw_descriptor_usage(touch_key_stage(key), tag, (key & TOUCHED_WRITE) != 0);
    const uint32_t now = descriptor.index | (uint32_t)descriptor.generation << GENERATION_SHIFT;
    if (!descriptor.index || (object && object != ENTRY_NULL && object != now) ||
        usage == SYNC_NONE)
        return;
    struct touched_access what = {.tag = play->tag,
                                  .source = {.role = ROLE_DESCRIPTOR,
                                             .set = number,
                                             .binding = binding->binding,
                                             .index = index - binding->first},
                                  .usage = (uint16_t)usage};
    if (tag == DESCRIPTOR_UNIFORM_BUFFER || tag == DESCRIPTOR_STORAGE_BUFFER) {
        access_buffer(play, descriptor, said->words[TOUCHED_SIZE], &what);
    } else if (descriptor_is_texel_buffer(tag)) {
        const struct buffer_view *view = buffer_view_by_id(descriptor_buffer_view_id(descriptor));
        if (view)
            access_bytes(play, buffer_by_id(view->buffer), view->offset, view->range, &what);
    } else if (descriptor_is_image(tag) && tag != DESCRIPTOR_INPUT_ATTACHMENT) {
        access_image(play, image_view_by_id(descriptor_view_id(descriptor)), &what);
    }
}

/* Compares two reports for sorting: by the accessed descriptor, with a write before a read. */
static int touches_compare(const void *a, const void *b)
{
    uint32_t one = ((const struct said *)a)->words[TOUCHED_KEY] ^ TOUCHED_WRITE,
             other = ((const struct said *)b)->words[TOUCHED_KEY] ^ TOUCHED_WRITE;
    uint32_t one_place = one & ~TOUCHED_WRITE, other_place = other & ~TOUCHED_WRITE;
    return one_place != other_place ? (one_place < other_place ? -1 : 1)
           : one < other            ? -1
                                    : one > other;
}

/* Makes all accesses of one command. Reads come first, as accesses of a command are not compared
 * with each other. A place that is read and written counts as written only, as for all storage. */
static void access_all(const struct play *play, const struct touched_note *note, struct said *list,
                       uint32_t count)
{
    qsort(list, count, sizeof(*list), touches_compare);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t key = list[i].words[TOUCHED_KEY];
        if (!(key & TOUCHED_WRITE) &&
            (!i || list[i - 1].words[TOUCHED_KEY] != (key | TOUCHED_WRITE)))
            access_said(play, note, &list[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].words[TOUCHED_KEY] & TOUCHED_WRITE)
            access_said(play, note, &list[i]);
    }
}

/* Reads the reports of a command's shaders, and clears them for the next execution. The memory
 * stays mapped, whatever happens to the recording. The reports count only if the recording is
 * unchanged. */
static void touched_read(const struct sync_touch *touch, const struct stream_item *item)
{
    struct play *play = (struct play *)(void *)(uintptr_t)touch;
    const struct touched_note *note = item->touched;
    if (atomic_load_explicit(&note->of->mixed, memory_order_relaxed) ||
        atomic_load_explicit(&note->of->generation, memory_order_acquire) != note->generation)
        return;
    uint32_t count = plain_load_relaxed(&note->words[TOUCHED_COUNT]);
    count = count < note->limit ? count : note->limit;
    struct said *list = count ? mem_alloc(count * sizeof(*list)) : NULL;
    if (!list)
        return;
    memcpy(list, &note->words[TOUCHED_SLOTS + note->slots], count * sizeof(*list));
    if (atomic_load_explicit(&note->of->generation, memory_order_acquire) == note->generation) {
        memset(&note->words[TOUCHED_SLOTS], 0, note->slots * sizeof(uint32_t));
        note->words[TOUCHED_COUNT] = 0;
        play->tag = play->queue->device->base + item->tag;
        access_all(play, note, list, count);
    }
    mem_free(list);
}

/* --- executions --- */

/* Adds a recording to those that were played on the queue. Returns NULL if memory is out. When
 * numbers run out, all accesses are forgotten. */
static struct touched_played *add_played(struct touched_queue *queue, uint64_t sequence,
                                         struct command_log *log)
{
    if (queue->next_number == UINT32_MAX) {
        touched_forget(queue);
        queue->next_number = 1;
        queue->live_tag = 0;
    }
    if (!vec_room(&queue->played, queue->played_count, &queue->played_capacity, 16,
                  sizeof(*queue->played)))
        return NULL;
    struct touched_played *played = &queue->played[queue->played_count++];
    *played = (struct touched_played){
        .number = queue->next_number++, .sequence = sequence, .log = command_log_hold(log)};
    return played;
}

/* Takes a recording for reading, as recording_take() does, without disturbing it. Another queue
 * that parks it holds it for a short time. Returns false if it is being recorded. */
static bool touched_take(struct sync_command_buffer *recorded)
{
    for (uint32_t tries = 0; tries < 1000; tries++) {
        bool busy = false;
        if (atomic_compare_exchange_strong_explicit(&recorded->busy, &busy, true,
                                                    memory_order_acquire, memory_order_relaxed))
            return true;
        sched_yield();
    }
    return false;
}

/* True if the recording waits for an event that it does not set. Then the work that comes before
 * that set, on other queues or on the host, is not known here. */
static bool waits_for_others(const struct command_log *log)
{
    const struct command_buffer *command_buffer = command_buffer_by_id(log->command_buffer);
    const struct event_record *record;
    for (uint32_t i = 0; command_buffer && command_buffer->events &&
                         (record = command_buffer_event_at(command_buffer, i)) != NULL;
         i++) {
        if (record->waited && !record->set)
            return true;
    }
    return false;
}

/* Plays a recording that is done, with its shaders' reports. If its effect is not known, the queue
 * forgets all accesses. */
static void play_recording(struct touched_queue *queue, uint64_t sequence,
                           const struct touched_item *item)
{
    struct touched_device *device = queue->device;
    struct sync_command_buffer *recorded = item->recorded;
    const struct sync_context *context = &recorded->context;
    if (atomic_load_explicit(&recorded->disturbed, memory_order_relaxed) || context->broken ||
        waits_for_others(item->log))
        return touched_forget(queue);
    if (unlikely(recorded->aliases_since != sync_aliases_now()))
        sync_aliases_forget(&queue->context, recorded->aliases_since);
    struct play play = {.touch.touched = touched_read, .queue = queue};
    play.played = context->stream_count ? add_played(queue, sequence, item->log) : NULL;
    if (!play.played)
        return;
    device->playing = recorded;
    device->base = (uint64_t)play.played->number << 32;
    device->now = play.played;
    sync_context_replay_all(&queue->context, context, (uint8_t)queue->queue->number, device->base,
                            &play.touch);
    device->playing = NULL;
    if (queue->context.broken)
        touched_forget(queue);
}

/* Plays a recording if it is still the one that was submitted; else the queue forgets all
 * accesses. */
static void play_item(struct touched_queue *queue, uint64_t sequence,
                      const struct touched_item *item)
{
    struct sync_command_buffer *recorded = item->recorded;
    if (!recorded || !item->log || !touched_take(recorded))
        return touched_forget(queue);
    if (recorded->log == item->log)
        play_recording(queue, sequence, item);
    else
        touched_forget(queue);
    recording_give(recorded);
}

/* Plays all recordings of a batch that is done, in order. */
static void play_batch(struct touched_queue *queue, const struct touched_batch *batch)
{
    forget_until(queue, batch->waits ? UINT64_MAX : batch->done);
    for (uint32_t i = 0; i < batch->count; i++)
        play_item(queue, batch->sequence, &batch->items[i]);
    if (sync_context_wants_sweep(&queue->context))
        sync_context_sweep(&queue->context);
}

/* Plays the batches of a queue that are done; the others stay. */
static void play_queue(struct touched_queue *queue)
{
    uint64_t done = atomic_load_explicit(&queue->queue->completed, memory_order_acquire);
    while (queue->first && queue->first->sequence <= done) {
        struct touched_batch *batch = queue->first;
        play_batch(queue, batch);
        queue->first = batch->next;
        queue->pending--;
        if (!queue->first)
            queue->last = &queue->first;
        touched_batch_free(batch);
    }
}

void touched_play(struct touched_device *touched)
{
    for (uint32_t i = 0; i < QUEUE_NUMBERS; i++) {
        if (touched->queues[i])
            play_queue(touched->queues[i]);
    }
}
