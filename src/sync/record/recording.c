/* Records the accesses of a command buffer's commands. */
#include "sync/record/recording.h"

#include "state/memory/device_address.h"
#include "sync/advice/advice.h"
#include "sync/access/aliases.h"
#include "sync/access/areas.h"
#include "sync/hooks.h"
#include "sync/queue/owners.h"
#include "sync/access/ranges.h"
#include "sync/report/report.h"
#include "sync/sync.h"

/* --- one command --- */

/* "There is no ordering or synchronization implied between any of the individual acceleration
 * structure builds" of one command. Core's statements 03701 to 03705 are about their structures and
 * scratch memory, so only reads of input are compared. True if the two accesses are of two such
 * builds. */
static bool is_of_other_build(const struct recording *recording, const struct sync_access *access,
                              const struct sync_record *prior)
{
    const enum sync_usage input = SYNC_ACCELERATION_STRUCTURE_BUILD_SHADER_READ;
    return prior->tag < recording->sync->build_tag &&
           (prior->usage == input) != (access->usage == input);
}

/* True if both accesses are of one command, and not to be compared. Exceptions are a layout
 * transition with accesses before or after it, and two builds. */
static bool recording_is_own(const struct recording *recording, const struct sync_access *access,
                             const struct sync_record *prior)
{
    return prior->tag >= recording->first_tag &&
           (prior->usage == SYNC_IMAGE_LAYOUT_TRANSITION) ==
               (access->usage == SYNC_IMAGE_LAYOUT_TRANSITION) &&
           !is_of_other_build(recording, access, prior);
}

/* Receives a hazard in the recording. The hazard is noted if the settings ask for it and the places
 * are certain. */
static void recording_told(const struct sync_sink *sink, const struct sync_place *place,
                           const struct sync_access *access, const struct sync_barrier *barrier,
                           const struct sync_hazard *hazard)
{
    struct recording *recording =
        /* The sink is the first part of the recording. */
        (struct recording *)(void *)((char *)(uintptr_t)sink - offsetof(struct recording, sink));
    const struct settings *settings = &recording->call->instance->settings;
    struct sync_command_buffer *sync = recording->sync;
    if (recording_is_own(recording, access, &hazard->prior) ||
        !hazard_is_asked_for(settings, access, &hazard->prior))
        return;
    /* With NULL for both parts, every access counts as certain. */
    const bool all = settings->syncval_shader_accesses_heuristic;
    if (!sync->doubts && !mem_make(&sync->doubts, NULL, sizeof(*sync->doubts)))
        return;
    const struct doubt *certain =
        doubts_judge(sync->doubts, all ? NULL : command_log_find_part(sync->log, access->tag),
                     all ? NULL : command_log_find_part(sync->log, hazard->prior.tag), place,
                     access, hazard->prior.tag);
    for (uint32_t i = 0; certain && i < certain->place_count; i++)
        sync_note_hazard(recording, &certain->places[i], access, barrier, hazard);
}

void recording_tentative(struct recording *recording)
{
    struct sync_command_buffer *sync = recording->sync;
    const struct sync_context *context = &sync->context;
    sync->tentative = (struct tentative_begin){.begun = true,
                                               .entangled = context->entangled,
                                               .broken = context->broken,
                                               .log_count = recording->first_entry,
                                               .epoch = sync->epoch,
                                               .stream_count = context->stream_count,
                                               .instance = context->instance,
                                               .instance_count = context->instance_count,
                                               .next_tag = recording->first_tag};
}

bool recording_confirm(const struct call *call)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct sync_command_buffer *sync =
        command_buffer ? sync_in_command_buffer(command_buffer)->sync : NULL;
    if (!sync || !sync->tentative.begun)
        return false;
    sync->tentative.begun = false;
    return true;
}

/* Undoes the beginning of a render pass whose call did not go down. */
static void recording_undo(struct sync_command_buffer *sync)
{
    const struct tentative_begin *before = &sync->tentative;
    struct sync_context *context = &sync->context;
    context->graph = NULL;
    context->subpasses = NULL;
    context->current = &context->root;
    context->entangled = before->entangled;
    context->broken = before->broken;
    context->stream_count = before->stream_count;
    context->instance = before->instance;
    context->instance_count = before->instance_count;
    sync->log->count = before->log_count;
    sync->next_tag = before->next_tag;
    recording_forget_doubts(sync);
    /* Draws have remembered nothing since then, but the accesses that they remember may have been
     * overwritten. */
    sync->epoch = before->epoch + 1;
    sync->ignores_aliases = false;
    sync->tentative.begun = false;
}

void sync_take_back(const struct call *call)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct sync_command_buffer *sync =
        command_buffer ? sync_in_command_buffer(command_buffer)->sync : NULL;
    /* Another thread is recording, which is an error of the program: nothing is undone. */
    if (!sync || !recording_take(sync))
        return;
    sync->begin_was_checked = false;
    if (sync->tentative.begun)
        recording_undo(sync);
    recording_give(sync);
}

/* Begins to record a command. Returns false if the command buffer is not known, or another thread
 * records into it. `only_checks`: the call is refused, and must leave no trace. */
static ALWAYS_INLINE bool recording_start(struct recording *recording, struct call *call,
                                          bool only_checks)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct sync_command_buffer *sync =
        command_buffer ? sync_in_command_buffer(command_buffer)->sync : NULL;
    if (unlikely(!sync || !sync->log || !recording_take(sync)))
        return false;
    recording->only_checks = only_checks;
    recording->first_entry = sync->log->count;
    recording->sink.hazard = recording_told;
    recording->call = call;
    recording->command_buffer = command_buffer;
    recording->rendering = command_buffer->rendering;
    recording->sync = sync;
    recording->command_index = command_buffer->command_number;
    recording->first_tag = sync->next_tag;
    recording->groups = NULL;
    recording->hazards = NULL;
    recording->wanted[0] = recording->wanted[1] = VK_IMAGE_LAYOUT_UNDEFINED;
    sync->context.sink = &recording->sink;
    return true;
}

bool recording_begin(struct recording *recording, struct call *call)
{
    return recording_start(recording, call, call_is_refused(call));
}

bool recording_begin_order(struct recording *recording, struct call *call)
{
    return !unlikely(call_is_refused(call)) && recording_start(recording, call, false);
}

bool recording_finish(struct recording *recording)
{
    struct sync_command_buffer *sync = recording->sync;
    bool skip = false;
    sync->context.sink = NULL;
    if (unlikely(recording->hazards != NULL))
        skip = sync_report_noted(recording);
    /* The refused command leaves neither entries nor tags. */
    if (unlikely(recording->only_checks)) {
        sync->log->count = recording->first_entry;
        sync->next_tag = recording->first_tag;
        recording_forget_doubts(sync);
    }
    recording_give(sync);
    return skip;
}

/* Makes draws look again at all bound resources, as their memory of them may be wrong. */
static void look_again(struct sync_command_buffer *sync)
{
    sync->epoch++;
    sync->event_sets++; /* keeps the new epoch from counting as an order of events */
}

void recording_note_before(const struct recording *recording, struct recording_before *before)
{
    const struct sync_command_buffer *sync = recording->sync;
    sync_context_checkpoint(&sync->context, &before->context);
    before->epoch = sync->epoch;
    before->span_count = sync->log->span_count;
    before->ignores_aliases = sync->ignores_aliases;
    before->is_lost = false;
}

/* Reconstructs the state before a command that keeps no notes: one that only accesses, or has
 * barriers. */
static void look_back(const struct recording *recording, struct recording_before *before)
{
    const struct sync_command_buffer *sync = recording->sync;
    sync_context_look_back(&sync->context, recording->first_tag, &before->context);
    before->epoch = sync->epoch - before->context.barrier_commands;
    before->span_count = sync->log->span_count;
    before->ignores_aliases = sync->ignores_aliases;
    before->is_lost = false;
}

/* Takes back all changes by the command to the context, the log and the draws' memory. A recording
 * that cannot be taken back becomes broken. */
static void take_back_from(struct recording *recording, const struct recording_before *before)
{
    struct sync_command_buffer *sync = recording->sync;
    sync_context_take_back(&sync->context, recording->first_tag, &before->context);
    while (sync->log->span_count > before->span_count)
        command_log_release(sync->log->spans[--sync->log->span_count].log);
    sync->log->count = recording->first_entry;
    sync->next_tag = recording->first_tag;
    recording_forget_doubts(sync);
    /* a command that did not happen orders no events */
    sync->event_sets += sync->epoch - before->epoch;
    sync->ignores_aliases = before->ignores_aliases;
    sync->context.broken |= before->is_lost;
    if (sync->advice)
        sync->advice->silent = true;
}

/* Takes back a command that does not go down. `before` is NULL if the command keeps no notes. A
 * command that was only checked has left traces in the draws' memory only. */
COLD static void take_back(struct recording *recording, const struct recording_before *before)
{
    struct recording_before found;
    if (!recording->only_checks && !before)
        look_back(recording, &found);
    if (!recording->only_checks)
        take_back_from(recording, before ? before : &found);
    look_again(recording->sync);
}

/* Ends a command that has a hazard, or was refused before. `before` is NULL if the command keeps no
 * notes. */
static COLD bool finish_slow(struct recording *recording, const struct recording_before *before)
{
    struct sync_command_buffer *sync = recording->sync;
    bool skip = recording_finish(recording);
    if ((skip || recording->only_checks) && recording_take(sync)) {
        take_back(recording, before);
        recording_give(sync);
    }
    return skip;
}

/* Ends a command in the usual case: no hazard was found, and nothing has to be taken back. */
static ALWAYS_INLINE void let_go(struct recording *recording)
{
    recording->sync->context.sink = NULL;
    recording_give(recording->sync);
}

bool recording_finish_check(struct recording *recording)
{
    if (unlikely(recording->hazards || recording->only_checks))
        return finish_slow(recording, NULL);
    let_go(recording);
    return false;
}

bool recording_finish_order(struct recording *recording, const struct recording_before *before)
{
    if (unlikely(recording->hazards != NULL))
        return finish_slow(recording, before);
    let_go(recording);
    return false;
}

void recording_end(struct recording *recording)
{
    (void)!recording_finish(recording);
}

uint64_t recording_tag(struct recording *recording, uint64_t resource,
                       const struct access_source *source)
{
    struct sync_command_buffer *sync = recording->sync;
    struct access_entry *entry = command_log_place(sync->log);
    /* Memory is out. Without the entry no report could name the command, so the rest of the
     * recording is not checked. */
    if (unlikely(!entry)) {
        sync->context.broken = true;
        return 0;
    }
    *entry = (struct access_entry){.resource = resource,
                                   .caller = recording->call->caller,
                                   .command_index = recording->command_index,
                                   .label = sync->open_label,
                                   .command = recording->call->command};
    if (source)
        entry->source = *source;
    return sync->next_tag++;
}

void recording_place(struct recording *recording, const struct sync_place *place, uint64_t tag,
                     enum sync_usage usage, enum sync_ordering ordering)
{
    assert(place->begin < place->end);
    const struct sync_access access = {
        .tag = tag, .usage = (uint16_t)usage, .ordering = (uint8_t)ordering};
    if (unlikely(recording->only_checks))
        sync_context_check(&recording->sync->context, place, &access);
    else
        sync_context_access(&recording->sync->context, place, &access);
}

void recording_buffer_ordered(struct recording *recording, const struct buffer *buffer,
                              VkDeviceSize offset, VkDeviceSize size, enum sync_usage usage,
                              enum sync_ordering ordering, const struct access_source *source)
{
    struct sync_place place;
    if (!buffer || !sync_buffer_place(&place, buffer, offset, size))
        return;
    uint64_t tag = recording_tag(recording, object_state_id(&buffer->base), source);
    if (tag)
        recording_place(recording, &place, tag, usage, ordering);
}

void recording_buffer(struct recording *recording, const struct buffer *buffer, VkDeviceSize offset,
                      VkDeviceSize size, enum sync_usage usage, const struct access_source *source)
{
    recording_buffer_ordered(recording, buffer, offset, size, usage, SYNC_UNORDERED, source);
}

void recording_address(struct recording *recording, VkDeviceAddress address, VkDeviceSize size,
                       enum sync_usage usage)
{
    struct address_search found = {0};
    if (address && size)
        found = device_address_find(recording->call->device, address, size, 0);
    if (found.buffer && found.rest <= found.buffer->size)
        recording_buffer(recording, found.buffer, found.buffer->size - found.rest, size, usage,
                         NULL);
}

/* Accesses the image's memory as a whole, as another resource shares it. */
COLD static void access_memory(struct recording *recording, const struct image *image, uint64_t tag,
                               enum sync_usage usage)
{
    struct sync_place place = image_memory_place(image);
    if (recording->sync->ignores_aliases)
        return;
    const struct sync_access access = {.tag = tag,
                                       .instance = image_alias_number(image),
                                       .usage = (uint16_t)usage,
                                       .ordering = SYNC_ORDER_ALIAS};
    if (recording->only_checks)
        sync_context_check(&recording->sync->context, &place, &access);
    else
        sync_context_access(&recording->sync->context, &place, &access);
}

void recording_image_place(struct recording *recording, const struct image *image,
                           const struct sync_place *place, enum sync_usage usage,
                           enum sync_ordering ordering, const struct access_source *source)
{
    const uint64_t tag = recording_tag(recording, object_state_id(&image->base), source);
    if (unlikely(!tag))
        return;
    recording_place(recording, place, tag, usage, ordering);
    if (unlikely(image_shares_memory(image)))
        access_memory(recording, image, tag, usage);
}

void recording_image_places(struct recording *recording, struct image_places *places,
                            enum sync_usage usage, enum sync_ordering ordering,
                            const struct access_source *source)
{
    uint64_t tag = 0;
    while (image_places_next(places)) {
        if (!tag)
            tag = recording_tag(recording, object_state_id(&places->image->base), source);
        if (!tag)
            return;
        recording_place(recording, &places->place, tag, usage, ordering);
    }
    if (unlikely(image_shares_memory(places->image)) && tag)
        access_memory(recording, places->image, tag, usage);
}

void recording_image(struct recording *recording, const struct image *image,
                     const VkImageSubresourceRange *range, enum sync_usage usage,
                     enum sync_ordering ordering, const struct access_source *source)
{
    struct image_places places;
    if (!image)
        return;
    image_places_of_range(&places, image, range);
    recording_image_places(recording, &places, usage, ordering, source);
}

void recording_image_region(struct recording *recording, const struct image *image,
                            const VkImageSubresourceLayers *subresource, VkOffset3D offset,
                            VkExtent3D extent, enum sync_usage usage, enum sync_ordering ordering,
                            const struct access_source *source)
{
    struct image_places places;
    if (!image)
        return;
    image_places_of_region(&places, image, subresource, offset, extent);
    recording_image_places(recording, &places, usage, ordering, source);
}
