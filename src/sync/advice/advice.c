/* Finds barriers of a command buffer that order more than there is to order (sync/advice/advice.h).
 * Barriers are compared in pairs: the last recorded one (`last`), and the one being recorded
 * (`next`). */
#include "sync/advice/advice.h"

#include <string.h>

#include "base/stack.h"
#include "state/command/rendering.h"
#include "sync/access/areas.h"

/* --- a hook --- */

/* Takes the command buffer's recording, and returns its advice. NULL: no advice is wanted here, and
 * the recording is not held. */
static struct advice *advice_enter(struct recording *recording, struct call *call)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct sync_command_buffer *sync =
        command_buffer ? sync_in_command_buffer(command_buffer)->sync : NULL;
    if (!sync || !sync->log || command_buffer->scope & SCOPE_SECONDARY)
        return NULL;
    struct advice *advice = sync->advice;
    if (!advice)
        advice = mem_make(&sync->advice, NULL, sizeof(*advice));
    if (!advice)
        return NULL;
    if (!recording_take(sync))
        return NULL;
    /* The first look at a new recording: facts about the previous one do not count. */
    if (advice->recording != sync->recordings) {
        advice->recording = sync->recordings;
        advice->silent = advice->contents_unknown = false;
        advice->since = 0;
        advice->last.known = false;
        advice->told_count = 0;
    }
    *recording = (struct recording){.call = call, .command_buffer = command_buffer, .sync = sync};
    return advice;
}

/* Gives the recording back. Only called after advice_enter() has returned advice. */
static void advice_leave(struct recording *recording)
{
    recording_give(recording->sync);
}

/* --- findings of a command --- */

/* The most findings of one command. They are reported when the recording is not held any more. */
#define FINDINGS 4
/* Pieces of advice that were found under a lock, and are reported without it. */
struct finding_list {
    uint32_t count;
    struct advice_facts facts[FINDINGS];
};

/* Keeps a finding for later, unless one for the same caller in this recording was reported
 * already. */
static void advice_find(struct finding_list *list, struct advice *advice,
                        const struct advice_facts *facts)
{
    if (list->count < FINDINGS && advice_is_new(advice, facts->advised->caller))
        list->facts[list->count++] = *facts;
}

/* Reports call the program's callbacks, which may do anything but record into this command buffer:
 * `last` and `next` stay as they are. */
static void advice_report_all(const struct finding_list *list, const struct recording *recording)
{
    for (uint32_t i = 0; i < list->count; i++) {
        struct advice_facts facts = list->facts[i];
        advice_tell(recording->call, recording->sync->log, &facts);
    }
}

/* --- one barrier by itself --- */

/* Notes the first barrier of the command whose scopes are wider than its own resource needs. The
 * stage masks of vkCmdPipelineBarrier belong to all of its barriers, so it is judged only if it
 * has one. */
static void judge_resource(struct finding_list *list, struct advice *advice,
                           struct sync_context *context, const struct advised *advised)
{
    if (!advised->version2 && advised->count != 1)
        return;
    for (uint32_t i = 0; i < advised->count; i++) {
        const struct advised_barrier *barrier = &advised->barriers[i];
        struct advice_facts facts = {.kind = ADVICE_ALL_COMMANDS,
                                     .advised = advised,
                                     .barrier = barrier,
                                     .src = barrier->src,
                                     .dst = enough_before_write(context, advised, barrier),
                                     .for_resource = true};
        if (facts.src.stages || facts.dst.stages) {
            advice_find(list, advice, &facts);
            return;
        }
    }
}

/* Judges the last barrier by itself, as no later barrier can bound its scopes. */
static void judge_last(struct finding_list *list, struct advice *advice,
                       struct sync_context *context)
{
    const struct advised *last = &advice->last;
    if (!last->known)
        return;
    if (last->src.stages || last->dst.stages) {
        advice_find(list, advice,
                    &(struct advice_facts){.kind = ADVICE_ALL_COMMANDS,
                                           .advised = last,
                                           .barrier = &last->barriers[0],
                                           .src = last->src,
                                           .dst = last->dst});
        return;
    }
    if (!last->leaned_on)
        judge_resource(list, advice, context, last);
}

/* --- two in a row --- */

/* A barrier with an empty scope orders nothing, and is not advised on. */
static bool does_something(const struct advised *advised)
{
    return advised_first_scope(advised) && advised_second_scope(advised);
}

/* Narrows the scopes of a pair by the commands between. If `covered`, the next barrier need only
 * wait for them; if `covers`, the last barrier need only let them wait. */
static void advice_narrow(struct advised *last, struct advised *next, sync_stage_mask between,
                          bool covered, bool covers)
{
    if (covered && next->count == 1 && !next->transitions) {
        const struct advised_barrier *barrier = &next->barriers[0];
        next->src = enough_of_stages(barrier->src_stages, barrier->src_accesses,
                                     between & advised_first_scope(next));
        next->src_bound = last->command_index;
        next->src_bound_command = last->command;
        last->leaned_on |= next->src.stages != 0;
    }
    if (covers && last->count == 1 && !last->transitions) {
        const struct advised_barrier *barrier = &last->barriers[0];
        last->dst = enough_of_stages(barrier->dst_stages, barrier->dst_accesses,
                                     between & advised_second_scope(last));
        last->dst_bound = next->command_index;
        last->dst_bound_command = next->command;
        next->leaned_on |= last->dst.stages != 0;
    }
}

/* Judges the last and the next barrier together. Returns true if the next one takes the place of
 * the last; false if it orders nothing more. */
static bool judge_pair(struct finding_list *list, struct advice *advice,
                       struct sync_context *context)
{
    struct advised *last = &advice->last, *next = &advice->next;
    bool pair = last->known && does_something(last) && does_something(next);
    bool covered = pair && last->ends_alike && advised_covers(last, next);
    bool covers = pair && next->ends_alike && advised_covers(next, last);
    if (covered && !next->transitions && !(advice->since & advised_first_scope(next))) {
        last->leaned_on = true;
        advice_find(list, advice,
                    &(struct advice_facts){
                        .kind = ADVICE_EMPTY_FIRST_SCOPE, .advised = next, .other = last});
        return false;
    }
    if (covers && !last->transitions && !last->leaned_on &&
        !(advice->since & advised_second_scope(last))) {
        next->leaned_on = true;
        advice_find(list, advice,
                    &(struct advice_facts){
                        .kind = ADVICE_EMPTY_SECOND_SCOPE, .advised = last, .other = next});
        return true;
    }
    advice_narrow(last, next, advice->since, covered, covers);
    judge_last(list, advice, context);
    return true;
}

/* --- hooks --- */

void advice_uses(struct call *call, VkPipelineStageFlags2 stages)
{
    struct recording recording;
    struct advice *advice = advice_enter(&recording, call);
    if (!advice)
        return;
    const struct sync_queue all = sync_queue_of(0);
    advice->since |= sync_expand_stages(stages, &all);
    advice_leave(&recording);
}

/* Ends the current pair at a command whose effect on the order is not known. With `silent`, the
 * rest of the recording gets no advice. */
static void break_off(struct call *call, bool silent)
{
    struct recording recording;
    struct finding_list list = {0};
    struct advice *advice = advice_enter(&recording, call);
    if (!advice)
        return;
    if (!advice->silent)
        judge_last(&list, advice, &recording.sync->context);
    advice->silent |= silent;
    advice_report_all(&list, &recording);
    advice->last.known = false;
    advice->since = 0;
    advice_leave(&recording);
}

void advice_breaks(struct call *call)
{
    break_off(call, false);
}

void advice_breaks_unknown(struct call *call)
{
    struct recording recording;
    struct advice *advice = advice_enter(&recording, call);
    if (!advice)
        return;
    advice->contents_unknown = true;
    advice_leave(&recording);
    advice_breaks(call);
}

void advice_gives_up(struct call *call)
{
    break_off(call, true);
}

void advice_ends(struct call *call)
{
    break_off(call, true);
}

/* --- barriers as they come --- */

/* True for a transfer of queue family ownership: its other half decides what the transfer
 * orders. */
static bool barrier_changes_owner(uint32_t src_family, uint32_t dst_family)
{
    return src_family != dst_family;
}

/* Begins the description of the call's command. It stays `known` until a part of it is not
 * understood. */
static struct advised *begin_barrier(struct advice *advice, const struct recording *recording)
{
    struct advised *next = &advice->next;
    next->command = recording->call->command;
    /* advice is reported during a later command */
    next->caller = stack_keep(recording->call->caller);
    next->command_index = recording->command_buffer->command_number;
    next->label = recording->sync->open_label;
    next->tag = recording->sync->next_tag;
    next->known = true;
    next->leaned_on = next->transitions = false;
    next->count = 0;
    next->src = next->dst = (struct enough){0};
    return next;
}

/* Adds one barrier. `plain`: it has no pNext chain. More than ADVISED_BARRIERS make the command
 * unknown. */
static void add_barrier(struct advised *next, const struct advised_barrier *barrier, bool plain)
{
    next->known &= plain && next->count < ADVISED_BARRIERS;
    if (next->known)
        next->barriers[next->count++] = *barrier;
}

/* Adds a memory barrier in the form of version 2. */
static void add_memory2(struct advised *next, const VkMemoryBarrier2 *memory)
{
    add_barrier(next,
                &(struct advised_barrier){.form = FORM_MEMORY,
                                          .src_stages = memory->srcStageMask,
                                          .dst_stages = memory->dstStageMask,
                                          .src_accesses = memory->srcAccessMask,
                                          .dst_accesses = memory->dstAccessMask},
                !memory->pNext);
}

/* Adds a buffer barrier to the command. */
static void add_buffer2(struct advised *next, const struct call *call,
                        const VkBufferMemoryBarrier2 *barrier)
{
    const struct buffer *buffer = find_buffer(call, barrier->buffer);
    add_barrier(next,
                &(struct advised_barrier){.form = FORM_BUFFER,
                                          .src_stages = barrier->srcStageMask,
                                          .dst_stages = barrier->dstStageMask,
                                          .src_accesses = barrier->srcAccessMask,
                                          .dst_accesses = barrier->dstAccessMask,
                                          .resource = buffer ? object_state_id(&buffer->base) : 0,
                                          .offset = barrier->offset,
                                          .size = barrier->size},
                !barrier->pNext && buffer &&
                    !barrier_changes_owner(barrier->srcQueueFamilyIndex,
                                           barrier->dstQueueFamilyIndex));
}

/* Adds an image barrier to the command. `plain`: it has no pNext chain. */
static void add_image_barrier(struct advised *next, const struct call *call,
                              const struct image_barrier *barrier, bool plain)
{
    const struct image *image = find_image(call, barrier->handle);
    next->transitions |= barrier->old_layout != barrier->new_layout;
    add_barrier(next,
                &(struct advised_barrier){.form = FORM_IMAGE,
                                          .src_stages = barrier->src_stages,
                                          .dst_stages = barrier->dst_stages,
                                          .src_accesses = barrier->src_accesses,
                                          .dst_accesses = barrier->dst_accesses,
                                          .resource = image ? object_state_id(&image->base) : 0,
                                          .old_layout = barrier->old_layout,
                                          .new_layout = barrier->new_layout,
                                          .range = *barrier->range},
                plain && image && !barrier_changes_owner(barrier->src_family, barrier->dst_family));
}

/* Finds the ranges that belong to each barrier: they follow each other, and have the barrier's
 * scopes. A barrier without a range is not understood. */
static void find_places(struct advised *next, const struct barrier_list *list)
{
    uint32_t range = 0;
    const struct sync_range_barrier *ranges = list->recording->sync->ranges;
    for (uint32_t i = 0; i < next->count; i++) {
        struct advised_barrier *barrier = &next->barriers[i];
        barrier->first_range = range;
        if (barrier->form == FORM_MEMORY) {
            barrier->range_count = 0;
            continue;
        }
        for (uint32_t scope = range < next->range_count ? ranges[range].barrier : 0;
             range < next->range_count && ranges[range].barrier == scope;)
            range++;
        barrier->range_count = range - barrier->first_range;
        next->known &= barrier->range_count != 0;
    }
    next->known &= range == next->range_count;
}

/* Copies the scopes and ranges of the command's barriers. If there is no room for all, the command
 * is not known. */
static void take_scopes(struct advised *next, const struct barrier_list *list)
{
    const struct sync_barriers *barriers = &list->barriers;
    next->known &= !list->out_of_memory && barriers->barrier_count <= ADVISED_SCOPES &&
                   barriers->range_count <= ADVISED_RANGES && barriers->barrier_count;
    if (!next->known)
        return;
    next->scope_count = barriers->barrier_count;
    next->global_count = barriers->global_count;
    next->range_count = barriers->range_count;
    memcpy(next->scopes, list->recording->sync->barriers,
           barriers->barrier_count * sizeof(*next->scopes));
    if (barriers->range_count)
        memcpy(next->ranges, list->recording->sync->ranges,
               barriers->range_count * sizeof(*next->ranges));
    find_places(next, list);
    next->ends_alike = advised_ends_alike(next);
}

/* Judges a barrier together with the one before it, and keeps it as the last one. */
static void end_barrier(struct advice *advice, struct recording *recording,
                        const struct barrier_list *list)
{
    struct advised *next = &advice->next;
    struct finding_list found = {0};
    struct sync_context *context = &recording->sync->context;
    take_scopes(next, list);
    next->known &=
        !active_rendering(recording->command_buffer) && !context->graph && !context->broken;
    for (uint32_t i = 0; next->known && i < next->count; i++)
        next->barriers[i].src = enough_after_write(context, next, &next->barriers[i]);
    bool follows = true;
    if (!advice->silent && next->known)
        follows = judge_pair(&found, advice, context);
    else if (!advice->silent)
        judge_last(&found, advice, context);
    advice_report_all(&found, recording);
    /* The new barrier orders nothing more: the last one stays. */
    if (!follows)
        return;
    advice->last = *next;
    advice->since = 0;
}

/* Adds the barriers of vkCmdPipelineBarrier or vkCmdWaitEvents, in the form of version 2. */
static void add_list1(struct advised *next, const struct call *call, VkPipelineStageFlags src,
                      VkPipelineStageFlags dst, uint32_t memory_count,
                      const VkMemoryBarrier *memory, uint32_t buffer_count,
                      const VkBufferMemoryBarrier *buffers, uint32_t image_count,
                      const VkImageMemoryBarrier *images)
{
    for (uint32_t i = 0; memory && i < memory_count; i++)
        add_memory2(next, &(VkMemoryBarrier2){.pNext = memory[i].pNext,
                                              .srcStageMask = src,
                                              .srcAccessMask = memory[i].srcAccessMask,
                                              .dstStageMask = dst,
                                              .dstAccessMask = memory[i].dstAccessMask});
    for (uint32_t i = 0; buffers && i < buffer_count; i++)
        add_buffer2(next, call,
                    &(VkBufferMemoryBarrier2){.pNext = buffers[i].pNext,
                                              .srcStageMask = src,
                                              .srcAccessMask = buffers[i].srcAccessMask,
                                              .dstStageMask = dst,
                                              .dstAccessMask = buffers[i].dstAccessMask,
                                              .srcQueueFamilyIndex = buffers[i].srcQueueFamilyIndex,
                                              .dstQueueFamilyIndex = buffers[i].dstQueueFamilyIndex,
                                              .buffer = buffers[i].buffer,
                                              .offset = buffers[i].offset,
                                              .size = buffers[i].size});
    for (uint32_t i = 0; images && i < image_count; i++) {
        struct image_barrier barrier = image_barrier_of(&images[i], src, dst);
        add_image_barrier(next, call, &barrier, !images[i].pNext);
    }
    /* the command is an execution dependency only */
    if (!memory_count && !buffer_count && !image_count)
        add_memory2(next, &(VkMemoryBarrier2){.srcStageMask = src, .dstStageMask = dst});
}

void advice_barrier(struct call *call, VkPipelineStageFlags src, VkPipelineStageFlags dst,
                    VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
                    uint32_t buffer_count, const VkBufferMemoryBarrier *buffers,
                    uint32_t image_count, const VkImageMemoryBarrier *images)
{
    struct recording recording;
    struct barrier_list list;
    struct advice *advice = advice_enter(&recording, call);
    if (!advice)
        return;
    struct advised *next = begin_barrier(advice, &recording);
    next->version2 = false;
    add_list1(next, call, src, dst, memory_count, memory, buffer_count, buffers, image_count,
              images);
    next->known &= !flags;
    barrier_list_begin(&list, &recording);
    barrier_list_add(&list, src, dst, memory_count, memory, buffer_count, buffers, image_count,
                     images);
    end_barrier(advice, &recording, &list);
    advice_leave(&recording);
}

void advice_barrier2(struct call *call, const VkDependencyInfo *info)
{
    struct recording recording;
    struct barrier_list list;
    struct advice *advice = advice_enter(&recording, call);
    if (!advice)
        return;
    struct advised *next = begin_barrier(advice, &recording);
    next->version2 = true;
    for (uint32_t i = 0; info->pMemoryBarriers && i < info->memoryBarrierCount; i++)
        add_memory2(next, &info->pMemoryBarriers[i]);
    for (uint32_t i = 0; info->pBufferMemoryBarriers && i < info->bufferMemoryBarrierCount; i++)
        add_buffer2(next, call, &info->pBufferMemoryBarriers[i]);
    for (uint32_t i = 0; info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++) {
        struct image_barrier barrier = image_barrier_of2(&info->pImageMemoryBarriers[i]);
        add_image_barrier(next, call, &barrier, !info->pImageMemoryBarriers[i].pNext);
    }
    next->known &= !info->pNext && !info->dependencyFlags;
    barrier_list_begin(&list, &recording);
    barrier_list_add2_global(&list, info);
    barrier_list_add2_ranges(&list, info);
    end_barrier(advice, &recording, &list);
    advice_leave(&recording);
}
