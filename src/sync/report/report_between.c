/* Finds the barriers that were recorded between the two accesses, and how nearly they order them. A
 * command buffer keeps its barriers in its stream, where they are judged one by one. The states
 * only have their result. */
#include "sync/report/report_facts.h"
#include "sync/access/usage_mask.h"

#include <string.h>

#include "state/command/render_pass.h"

/* The hazard for which barriers are judged. `place` is NULL if the barrier is known to apply to
 * it. */
struct judge {
    const struct sync_hazard *hazard; /* the hazard as it was found */
    const struct sync_access *access; /* the later access */
    const struct sync_place *place;
};

/* True if the usage's stage is among `stages`; transitions and presents have no stage. */
static bool has_stage(sync_stage_mask stages, uint16_t usage)
{
    return (sync_usage_info[usage].stage_mask & stages) != 0;
}

/* Returns the fault of a barrier that applies to both accesses' memory; FAULT_NOTHING_THERE: it
 * orders the two. */
static enum barrier_fault fault_of(const struct judge *judge, const struct sync_barrier *barrier)
{
    const struct sync_record *prior = &judge->hazard->prior;
    enum sync_usage earlier = (enum sync_usage)prior->usage,
                    later = (enum sync_usage)judge->access->usage;
    bool chained = (prior->stages & barrier->src.stages) != 0, memory = usage_writes(earlier);
    /* The faults are checked in the order in which a barrier works: first scope, availability,
     * second scope, visibility. */
    if (!chained && !has_stage(barrier->src.stages, prior->usage) && !barrier->everything)
        return FAULT_NOT_IN_FIRST_SCOPE;
    if (memory && !chained && !usage_mask_has(&barrier->src.accesses, earlier) &&
        sync_usage_info[earlier].stage_mask)
        return FAULT_NOT_AVAILABLE;
    if (!sync_usage_info[later].stage_mask) /* a transition, which belongs to no stage */
        return FAULT_NOTHING_THERE;
    if (!has_stage(barrier->dst.stages, judge->access->usage))
        return FAULT_NOT_IN_SECOND_SCOPE;
    return memory && !usage_mask_has(&barrier->dst.accesses, later) ? FAULT_NOT_VISIBLE
                                                                    : FAULT_NOTHING_THERE;
}

/* True if the two places share addresses in one space. */
static bool between_overlaps(const struct sync_place *a, const struct sync_place *b)
{
    return a->space == b->space && a->begin < b->end && b->begin < a->end;
}

/* Returns the id of the buffer or image that a barrier is for; 0: it was destroyed. `first` is the
 * id of the command's first resource, which is kept whole. Other barriers only keep the slot: an
 * object of the other type in the slot is a later one. */
static uint64_t between_resource(const struct sync_range_barrier *range, uint64_t first)
{
    if (object_index(first) == range->resource)
        return first;
    bool image = range->alias || object_id_type(range->place.space) == HANDLE_IMAGE;
    uint64_t id = atomic_load_explicit(&object_slots[range->resource].id, memory_order_acquire);
    return object_id_type(id) == (image ? HANDLE_IMAGE : HANDLE_BUFFER) ? id : 0;
}

/* True if the barrier is nearer to ordering the accesses than the best one so far. A resource's
 * barrier is also an execution dependency between all commands, which does not name the resource.
 * The range barrier itself may be as near, and names it. */
static bool is_nearer(const struct report_between *best, enum barrier_fault fault,
                      const struct sync_range_barrier *range)
{
    bool names =
        range && best->fault != FAULT_NOTHING_THERE && !best->all_memory && !best->resource_id;
    return fault > best->fault || (names && fault == best->fault);
}

/* Keeps a barrier if it is nearer than the best one so far. `range` is NULL if it is for all of
 * memory. */
static void between_consider(struct report_between *best, enum barrier_fault fault,
                             const struct sync_barrier *barrier,
                             const struct sync_range_barrier *range, uint64_t first)
{
    if (!is_nearer(best, fault, range))
        return;
    best->fault = fault;
    best->barrier = *barrier;
    best->all_memory = !range && !barrier->of_resource;
    best->resource_id = range ? between_resource(range, first) : 0;
}

/* Names the resource of the best barrier if that is an execution dependency: it came from the first
 * range barrier with its stages. */
static void name_execution(struct report_between *best, const struct sync_barriers *barriers,
                           uint64_t first)
{
    for (uint32_t i = 0; i < barriers->range_count && !best->resource_id; i++) {
        const struct sync_barrier *barrier = &barriers->barriers[barriers->ranges[i].barrier];
        if (barrier->src.stages == best->barrier.src.stages &&
            barrier->dst.stages == best->barrier.dst.stages)
            best->resource_id = between_resource(&barriers->ranges[i], first);
    }
}

/* Returns how many barriers the program gave the command. Each barrier of a resource has scopes of
 * its own, after the global ones. The execution dependencies that come from these are not
 * counted. */
static uint32_t count_barriers(const struct sync_barriers *barriers)
{
    uint32_t count = barriers->barrier_count - barriers->global_count;
    for (uint32_t i = 0; i < barriers->global_count; i++)
        count += !barriers->barriers[i].of_resource;
    return count;
}

/* Finds the command's best barrier. `first` is the id of the command's first resource. */
static struct report_between judge_command(const struct judge *judge,
                                           const struct stream_item *item, uint64_t first)
{
    struct report_between best = {0};
    const struct sync_barriers *barriers = item->barriers;
    for (uint32_t i = 0; i < barriers->global_count; i++) {
        enum barrier_fault fault = fault_of(judge, &barriers->barriers[i]);
        /* Barriers of resources order execution for all other resources, too, but make no memory of
         * others available or visible. */
        if (barriers->barriers[i].of_resource &&
            usage_writes((enum sync_usage)judge->hazard->prior.usage) &&
            fault != FAULT_NOTHING_THERE)
            fault = FAULT_ELSEWHERE;
        if (item->kind == STREAM_WAIT_EVENTS && fault == FAULT_NOTHING_THERE)
            fault = FAULT_EVENT;
        between_consider(&best, fault, &barriers->barriers[i], NULL, first);
    }
    for (uint32_t i = 0; i < barriers->range_count; i++) {
        const struct sync_range_barrier *range = &barriers->ranges[i];
        const struct sync_barrier *barrier = &barriers->barriers[range->barrier];
        bool here = between_overlaps(&range->place, judge->place);
        enum barrier_fault fault = here ? fault_of(judge, barrier) : FAULT_ELSEWHERE;
        if (item->kind == STREAM_WAIT_EVENTS && fault == FAULT_NOTHING_THERE)
            fault = FAULT_EVENT;
        /* Buffers are excluded, as they share the space of their memory. */
        best.other_parts |= !here && range->place.space == judge->place->space &&
                            object_id_type(range->place.space) == HANDLE_IMAGE;
        between_consider(&best, fault, barrier, range, first);
    }
    if (best.fault != FAULT_NOTHING_THERE && !best.all_memory && !best.resource_id)
        name_execution(&best, barriers, first);
    return best;
}

/* Judges the dependencies from one subpass to another, and keeps the one that comes nearest to
 * ordering the accesses. */
static void judge_dependencies(struct report_between *between, const struct judge *judge,
                               const struct sync_graph *graph, uint32_t src, uint32_t dst)
{
    for (uint32_t i = 0; i < graph->dependency_count; i++) {
        const struct sync_dependency *dependency = &graph->dependencies[i];
        if (dependency->src != src || dependency->dst != dst)
            continue;
        enum barrier_fault fault = fault_of(judge, &dependency->barrier);
        if (fault < between->fault || fault == FAULT_NOTHING_THERE)
            continue;
        between->fault = fault;
        between->barrier = dependency->barrier;
        between->dependency = true;
        between->src_subpass = src;
        between->dst_subpass = dst;
    }
}

/* Keeps a barrier that reports show. The latest BARRIERS_SHOWN are kept. */
static void between_show(struct report_between *between, const struct access_entry *entry,
                         const struct report_between *command, uint32_t count)
{
    if (between->shown_count == BARRIERS_SHOWN) {
        between->shown_count--;
        memmove(&between->shown[0], &between->shown[1],
                sizeof(between->shown[0]) * (BARRIERS_SHOWN - 1));
    }
    between->shown[between->shown_count++] = (struct report_barrier){
        .command = entry->command,
        .command_index = entry->command_index,
        .count = count,
        .fault = command->fault,
        .barrier = command->barrier,
        .all_memory = command->all_memory,
        .resource_id = command->resource_id,
        .called_by = entry->caller,
    };
}

/* Judges a command with barriers. Layout transitions of attachments are not a command of their own,
 * and are ignored if they are for other images. */
static void judge_item(struct report_between *between, const struct judge *judge,
                       const struct stream_item *item, const struct command_log *log)
{
    uint64_t tag = item->barriers->tag;
    struct access_origin origin;
    if (tag <= judge->hazard->prior.tag || tag >= judge->access->tag ||
        !command_log_find(log, tag, &origin))
        return;
    struct report_between command = judge_command(judge, item, origin.entry->resource);
    if (origin.entry->source.role == ROLE_ATTACHMENT_TRANSITION && command.fault <= FAULT_ELSEWHERE)
        return;
    between->barrier_commands++;
    between_show(between, origin.entry, &command, count_barriers(item->barriers));
    if (command.fault < between->fault || command.fault == FAULT_NOTHING_THERE ||
        (command.fault == FAULT_ELSEWHERE && between->other_parts && !command.other_parts))
        return;
    between->fault = command.fault;
    between->barrier = command.barrier;
    between->other_parts = command.other_parts;
    between->dependency = false;
    between->command = origin.entry->command;
    between->command_index = origin.entry->command_index;
}

/* Judges all barriers and dependencies between the two accesses of a hazard. */
static void judge_stream(struct report_between *between, const struct judge *judge,
                         const struct sync_context *context, const struct command_log *log)
{
    const struct sync_graph *graph = NULL;
    /* the subpass that the walk is in, and the one that made the earlier access */
    uint32_t subpass = 0, earlier = SYNC_EXTERNAL;
    uint64_t prior = judge->hazard->prior.tag;
    for (uint32_t i = 0; i < context->stream_count; i++) {
        const struct stream_item *item = &context->stream[i];
        bool follows = item->kind == STREAM_SUBPASS || item->kind == STREAM_END_RENDER_PASS;
        if (follows && earlier == SYNC_EXTERNAL && item->tag > prior)
            earlier = subpass;
        if (item->kind == STREAM_BARRIERS || item->kind == STREAM_WAIT_EVENTS) {
            judge_item(between, judge, item, log);
        } else if (item->kind == STREAM_RENDER_PASS) {
            graph = item->graph;
            subpass = 0;
            if (item->tag > prior)
                graph = NULL;
        } else if (item->kind == STREAM_SUBPASS) {
            subpass++;
        } else if (item->kind == STREAM_END_RENDER_PASS) {
            if (graph && earlier != SYNC_EXTERNAL)
                judge_dependencies(between, judge, graph, earlier, SYNC_EXTERNAL);
            graph = NULL;
        }
    }
}

void report_judge_own_barrier(struct report_between *between, const struct sync_barrier *barrier,
                              const struct sync_access *access, const struct sync_hazard *hazard)
{
    const struct judge judge = {hazard, access, NULL};
    enum barrier_fault fault = fault_of(&judge, barrier);
    if (fault < between->fault || fault == FAULT_NOTHING_THERE)
        return;
    between->fault = fault;
    between->barrier = *barrier;
    between->own = true;
}

/* --- masks as the program wrote them --- */

/* True if both scopes are equal: masks with equal scopes mean the same. */
static bool scopes_equal(const struct sync_scope *a, const struct sync_scope *b)
{
    return a->stages == b->stages && usage_mask_equals(&a->accesses, &b->accesses);
}

/* Returns the masks as the program wrote them. */
static struct report_masks masks_of_known(const struct known_scopes *known)
{
    return (struct report_masks){.known = true,
                                 .src_stages = known->src_stages,
                                 .dst_stages = known->dst_stages,
                                 .src_accesses = known->src_accesses,
                                 .dst_accesses = known->dst_accesses};
}

/* Finds the masks among the barriers that were recorded lately. If two masks have the same scopes,
 * they mean the same. */
static struct report_masks find_masks(const struct sync_command_buffer *sync,
                                      const struct sync_barrier *barrier)
{
    const struct known_scopes(*scopes)[2] = plain_load_acquire(&sync->scopes);
    for (uint32_t i = 0; scopes && i < SCOPES_KNOWN; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            const struct known_scopes *known = &scopes[i][k];
            if ((known->src_stages | known->dst_stages) &&
                scopes_equal(&known->barrier.src, &barrier->src) &&
                scopes_equal(&known->barrier.dst, &barrier->dst))
                return masks_of_known(known);
        }
    }
    return (struct report_masks){0};
}

/* Finds the barrier that made the layout transition with this tag at the place. NULL: it is not in
 * this context. */
static const struct sync_barrier *barrier_of_transition(const struct sync_context *context,
                                                        uint64_t tag,
                                                        const struct sync_place *place)
{
    for (uint32_t i = 0; i < context->stream_count; i++) {
        const struct stream_item *item = &context->stream[i];
        if (item->kind != STREAM_BARRIERS || item->barriers->tag != tag)
            continue;
        for (uint32_t k = 0; k < item->barriers->range_count; k++) {
            const struct sync_range_barrier *range = &item->barriers->ranges[k];
            if (range->transition && between_overlaps(&range->place, place))
                return &item->barriers->barriers[range->barrier];
        }
    }
    return NULL;
}

/* Finds the masks that the program gave a dependency, by its scopes. The result's `known` is false
 * if there is none. */
static struct report_masks find_dependency(const struct report_between *between,
                                           const struct sync_queue *queue,
                                           const struct render_pass *pass)
{
    for (uint32_t i = 0; pass && i < pass->dependency_count; i++) {
        const struct dependency_masks *masks = &pass->dependency_masks[i];
        const struct sync_scope src = sync_scope_source(masks->src_stages, masks->src_accesses,
                                                        queue),
                                dst = sync_scope_destination(masks->dst_stages, masks->dst_accesses,
                                                             queue);
        if (pass->dependencies[i].srcSubpass == between->src_subpass &&
            pass->dependencies[i].dstSubpass == between->dst_subpass &&
            scopes_equal(&src, &between->barrier.src) && scopes_equal(&dst, &between->barrier.dst))
            return (struct report_masks){.known = true,
                                         .version2 = masks->of_barrier,
                                         .src_stages = masks->src_stages,
                                         .dst_stages = masks->dst_stages,
                                         .src_accesses = masks->src_accesses,
                                         .dst_accesses = masks->dst_accesses};
    }
    return (struct report_masks){0};
}

void report_find_written(struct report_between *between, const struct sync_command_buffer *sync,
                         const struct render_pass *pass, const struct sync_place *place,
                         const struct sync_access *access, const struct sync_hazard *hazard)
{
    const struct sync_barrier *transition =
        hazard->prior.usage == SYNC_IMAGE_LAYOUT_TRANSITION
            ? barrier_of_transition(&sync->context, hazard->prior.tag, place)
            : NULL;
    between->in_scope =
        transition && usage_mask_has(&transition->dst.accesses, (enum sync_usage)access->usage);
    if (between->dependency)
        between->written = find_dependency(between, &sync->queue, pass);
    else if (between->fault != FAULT_NOTHING_THERE)
        between->written = find_masks(sync, &between->barrier);
    else if (transition)
        between->written = find_masks(sync, transition);
}

/* True if the tag was recorded in an instance of a render pass object. */
static bool is_in_pass(const struct sync_context *context, uint64_t tag)
{
    bool inside = false;
    for (uint32_t i = 0; i < context->stream_count; i++) {
        const struct stream_item *item = &context->stream[i];
        if (item->kind == STREAM_RENDER_PASS && item->tag <= tag)
            inside = true;
        else if (item->kind == STREAM_END_RENDER_PASS && item->tag <= tag)
            inside = false;
    }
    return inside;
}

uint32_t report_subpass_of(const struct sync_context *context, uint64_t tag)
{
    uint32_t subpass = SYNC_EXTERNAL;
    for (uint32_t i = 0;
         context->graph && i <= context->subpass && context->subpasses[i].first_tag <= tag; i++)
        subpass = i;
    return subpass;
}

void report_find_between(struct report_between *between, const struct sync_context *context,
                         const struct command_log *log, const struct sync_place *place,
                         const struct sync_access *access, const struct sync_hazard *hazard)
{
    const struct judge judge = {hazard, access, place};
    uint32_t src = report_subpass_of(context, hazard->prior.tag);
    bool subpasses = context->graph && src != context->subpass;
    between->looked = true;
    between->beyond_subpass = hazard->prior.usage == SYNC_IMAGE_LAYOUT_TRANSITION &&
                              is_in_pass(context, hazard->prior.tag) &&
                              (!context->graph || subpasses);
    if (!subpasses || src == SYNC_EXTERNAL)
        judge_stream(between, &judge, context, log);
    if (subpasses)
        judge_dependencies(between, &judge, context->graph, src, context->subpass);
}
