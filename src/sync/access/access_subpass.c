/* Finds the accesses that a subpass is ordered after, and hands on its own when the render pass
 * instance ends (8.1, VkSubpassDependency).
 *
 * Submission order does not order subpasses. Only accesses that pipeline barriers before the
 * instance, or dependencies, order are ordered before a subpass. So a subpass begins without
 * states, and takes over those of a place when it first accesses it. States from before the
 * instance get the dependencies from SYNC_EXTERNAL added to what was ordered already. States of
 * each subpass that it depends on get those dependencies only. */
#include "sync/access/access_subpass.h"

#include <string.h>

/* The most dependencies between two subpasses that are looked at; no program needs more than a
 * few. */
#define DEPENDENCIES 16

/* The dependencies from one subpass to another; returns how many there are, DEPENDENCIES at
 * most. */
static uint32_t dependencies_between(const struct sync_graph *graph, uint32_t src, uint32_t dst,
                                     struct sync_barrier barriers[DEPENDENCIES])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->dependency_count && count < DEPENDENCIES; i++) {
        if (graph->dependencies[i].src == src && graph->dependencies[i].dst == dst)
            barriers[count++] = graph->dependencies[i].barrier;
    }
    return count;
}

/* Merges a state into a range of a view. `without_log`: the merged states are from before the
 * view's barriers, and catch up with all of them later. */
static void merge_into(struct sync_context *context, struct sync_view *view,
                       struct sync_space *space, uint64_t begin, uint64_t end,
                       const struct sync_state *state, bool without_log)
{
    struct sync_view no_log = {.log.arena = view->log.arena};
    struct sync_walk walk;
    sync_walk_start(&walk, context, without_log ? &no_log : view, space, begin, end, true);
    while (sync_walk_next(&walk))
        sync_state_merge(walk.state, state, &context->arena);
}

/* Takes over the states from before the instance in [begin, end), where subpass `dst` has none
 * yet. */
static void fill_from_outside(struct sync_context *context, uint32_t dst, struct sync_space *space,
                              uint64_t begin, uint64_t end)
{
    struct sync_space *from = sync_view_find(&context->root, space->id);
    if (!from)
        return;
    struct sync_barrier barriers[DEPENDENCIES];
    uint32_t count = dependencies_between(context->graph, SYNC_EXTERNAL, dst, barriers);
    struct sync_walk walk;
    sync_walk_start(&walk, context, &context->root, from, begin, end, false);
    while (sync_walk_next(&walk)) {
        struct sync_state copy;
        if (!sync_state_copy(&copy, walk.state, &context->arena))
            return sync_give_up(context);
        if (count)
            sync_state_apply(&copy, barriers, count, &context->arena);
        sync_state_enter(&copy);
        merge_into(context, &context->subpasses[dst], space, walk.piece_begin, walk.piece_end,
                   &copy, true);
    }
}

/* Takes over states of an earlier subpass that this subpass depends on. */
static void fill_from_subpass(struct sync_context *context, uint32_t src, uint32_t dst,
                              struct sync_space *space, uint64_t begin, uint64_t end)
{
    struct sync_barrier barriers[DEPENDENCIES];
    uint32_t count = dependencies_between(context->graph, src, dst, barriers);
    if (!count)
        return;
    const struct sync_place place = {space->id, begin, end};
    /* The source subpass may not have accessed the range: then it takes it over first,
     * recursively. */
    sync_subpass_fill(context, src, &place);
    struct sync_view *view = &context->subpasses[src];
    struct sync_space *from = sync_view_find(view, space->id);
    if (!from)
        return;
    struct sync_walk walk;
    sync_walk_start(&walk, context, view, from, begin, end, false);
    while (sync_walk_next(&walk)) {
        struct sync_state copy;
        if (!sync_state_copy(&copy, walk.state, &context->arena) ||
            !sync_state_carry(&copy, barriers, count, view->first_tag, view->end_tag, false,
                              context->queue, &context->arena))
            return sync_give_up(context);
        merge_into(context, &context->subpasses[dst], space, walk.piece_begin, walk.piece_end,
                   &copy, true);
    }
}

/* Takes over states into a range that a subpass accesses for the first time. */
static void fill_gap(struct sync_context *context, uint32_t subpass, struct sync_space *space,
                     uint64_t begin, uint64_t end)
{
    fill_from_outside(context, subpass, space, begin, end);
    for (uint32_t src = 0; src < subpass && !context->broken; src++)
        fill_from_subpass(context, src, subpass, space, begin, end);
}

void sync_subpass_fill(struct sync_context *context, uint32_t subpass,
                       const struct sync_place *place)
{
    assert(context->graph && subpass < context->graph->subpass_count);
    struct sync_space *space = sync_view_space(&context->subpasses[subpass], place->space);
    if (!space)
        return sync_give_up(context);
    for (uint64_t at = place->begin; at < place->end && !context->broken;) {
        const struct range_entry *entry =
            range_map_at(&space->map, range_map_seek(&space->map, at));
        /* An earlier access has taken this part over already. */
        if (entry && entry->begin <= at) {
            at = entry->end;
            continue;
        }
        uint64_t end = entry && entry->begin < place->end ? entry->begin : place->end;
        fill_gap(context, subpass, space, at, end);
        at = end;
    }
}

/* --- races --- */

/* True for a store operation that writes. One that writes nothing (VK_ATTACHMENT_STORE_OP_NONE)
 * only reads. */
static bool is_store(const struct sync_access *access)
{
    return access->ordering == SYNC_ORDER_STORE && sync_usage_info[access->usage].is_write;
}

/* True if the access is to an attachment, which the order of an instance puts after the load
 * operation. */
static bool is_after_load(const struct sync_access *access)
{
    return access->ordering == SYNC_ORDER_COLOR || access->ordering == SYNC_ORDER_DEPTH_STENCIL ||
           access->ordering == SYNC_ORDER_INPUT || access->ordering == SYNC_ORDER_RESOLVE;
}

/* True if an access races with a record of a subpass that no dependency orders it with. Then
 * `hazard` is filled in. */
static bool record_races_in_subpass(const struct sync_record *prior, const struct sync_view *view,
                                    const struct sync_access *access, enum pass_order order,
                                    enum hazard kind, struct sync_hazard *hazard)
{
    /* A subpass that was filled from earlier ones has their records, too. */
    if (prior->usage == SYNC_NONE || prior->tag < view->first_tag || prior->tag >= view->end_tag)
        return false;
    if (access->ordering == SYNC_ORDER_ALIAS && sync_record_is_of_alias(prior, access->instance))
        return false;
    if (access->ordering == SYNC_ORDER_ATOMIC && prior->ordering == SYNC_ORDER_ATOMIC)
        return false;
    /* "happens-after any recorded command which accesses the sample via that attachment", in every
     * subpass */
    if ((is_store(access) || order == PASS_AFTER_STORES) &&
        (prior->ordering != SYNC_UNORDERED || prior->usage == SYNC_IMAGE_LAYOUT_TRANSITION))
        return false;
    /* "The load operation for each sample [...] happens-before any recorded command which accesses
     * the sample in that render pass instance via that attachment" */
    if ((order == PASS_AFTER_LOADS || is_after_load(access)) && prior->ordering == SYNC_ORDER_LOAD)
        return false;
    *hazard = (struct sync_hazard){.kind = kind, .prior = *prior};
    return true;
}

/* True if the attachment's reads of the subpass order the access after the state's write. A store
 * operation happens after all of those reads, and other writes after the load operation's. */
static bool was_read_by_attachment(const struct sync_state *state, const struct sync_view *view,
                                   const struct sync_access *access)
{
    bool store = is_store(access);
    bool looks = store || (is_after_load(access) && sync_usage_info[access->usage].is_write);
    for (uint32_t i = 0; looks && i < state->read_count; i++) {
        const struct sync_record *read = sync_state_read(state, i);
        if ((store ? read->ordering != SYNC_UNORDERED : read->ordering == SYNC_ORDER_LOAD) &&
            read->tag >= view->first_tag && read->tag < view->end_tag)
            return true;
    }
    return false;
}

/* True if an access races with one of the records that a subpass left in the state. */
static bool state_races(const struct sync_state *state, const struct sync_view *view,
                        const struct sync_access *access, enum pass_order order,
                        struct sync_hazard *hazard)
{
    bool write = sync_usage_info[access->usage].is_write;
    if (!was_read_by_attachment(state, view, access) &&
        record_races_in_subpass(&state->write, view, access, order,
                                write ? HAZARD_WRITE_RACING_WRITE : HAZARD_READ_RACING_WRITE,
                                hazard))
        return true;
    for (uint32_t i = 0; write && i < state->read_count; i++) {
        if (record_races_in_subpass(sync_state_read(state, i), view, access, order,
                                    HAZARD_WRITE_RACING_READ, hazard))
            return true;
    }
    return false;
}

/* Says which accesses of other subpasses the record happens after, and so does a later access
 * without a hazard. */
static enum pass_order order_after(const struct sync_context *context,
                                   const struct sync_record *record)
{
    if (record->usage == SYNC_NONE || record->tag < context->current->first_tag)
        return PASS_NOT_ORDERED;
    switch ((enum sync_ordering)record->ordering) {
    case SYNC_ORDER_COLOR:
    case SYNC_ORDER_DEPTH_STENCIL:
    case SYNC_ORDER_INPUT:
    case SYNC_ORDER_RESOLVE:
        return PASS_AFTER_LOADS;
    case SYNC_ORDER_STORE:
        return sync_usage_info[record->usage].is_write ? PASS_AFTER_STORES : PASS_NOT_ORDERED;
    default:
        return PASS_NOT_ORDERED;
    }
}

enum pass_order sync_subpass_order(const struct sync_context *context,
                                   const struct sync_state *state, const struct sync_access *access)
{
    enum pass_order order = order_after(context, &state->write);
    for (uint32_t i = 0; i < state->read_count && !order && sync_usage_info[access->usage].is_write;
         i++)
        order = order_after(context, sync_state_read(state, i));
    return order;
}

bool sync_subpass_check_races(struct sync_context *context, const struct sync_place *place,
                              const struct sync_access *access, enum pass_order order)
{
    assert(context->graph);
    for (uint32_t i = 0; i < context->subpass; i++) {
        /* If a dependency leads here from that subpass, its scopes show what is not ordered. */
        if (context->subpasses[context->subpass].ancestors >> i & 1)
            continue;
        struct sync_view *view = &context->subpasses[i];
        struct sync_space *space = sync_view_find(view, place->space);
        if (!space)
            continue;
        struct sync_walk walk;
        struct sync_hazard hazard;
        sync_walk_start(&walk, context, view, space, place->begin, place->end, false);
        while (sync_walk_next(&walk)) {
            if (state_races(walk.state, view, access, order, &hazard)) {
                sync_tell(context, place->space, walk.piece_begin, walk.piece_end, access, NULL,
                          &hazard);
                return false;
            }
        }
    }
    return true;
}

/* --- begin, next, end --- */

/* Copies a graph of subpasses into the context's memory, and sets its barriers' queue to the
 * context's. Returns NULL if memory is out. */
static const struct sync_graph *copy_graph(struct sync_context *context,
                                           const struct sync_graph *graph)
{
    struct sync_graph *copy = arena_take(&context->arena, sizeof *copy);
    struct sync_dependency *dependencies =
        arena_take(&context->arena, graph->dependency_count * sizeof *dependencies);
    if (!copy || !dependencies)
        return NULL;
    for (uint32_t i = 0; i < graph->dependency_count; i++) {
        dependencies[i] = graph->dependencies[i];
        dependencies[i].barrier.queue = context->queue;
    }
    *copy = *graph;
    copy->dependencies = dependencies;
    return copy;
}

/* Makes a view for the subpass the current one. `tag`: the tag of the subpass' first command. */
static void begin_subpass(struct sync_context *context, uint32_t subpass, uint64_t tag)
{
    assert(context->graph && subpass < context->graph->subpass_count);
    struct sync_view *view = &context->subpasses[subpass];
    sync_view_init(view, &context->arena);
    view->first_tag = tag;
    view->end_tag = UINT64_MAX;
    for (uint32_t i = 0; i < context->graph->dependency_count; i++) {
        const struct sync_dependency *dependency = &context->graph->dependencies[i];
        if (dependency->dst == subpass && dependency->src != SYNC_EXTERNAL)
            /* Dependencies lead from lower to higher numbers, so the ancestors of `src` are
             * complete. */
            view->ancestors |=
                (uint64_t)1 << dependency->src | context->subpasses[dependency->src].ancestors;
    }
    context->subpass = subpass;
    context->current = view;
    /* Each subpass gets an instance number of its own, since rasterization order holds within one
     * subpass. */
    context->instance = ++context->instance_count;
}

void sync_context_begin_render_pass(struct sync_context *context, const struct sync_graph *graph,
                                    uint64_t tag)
{
    if (context->broken)
        return;
    if (context->graph) /* core reports this error; the active instance is ended */
        sync_context_end_render_pass(context, tag);
    context->graph = copy_graph(context, graph);
    context->subpasses =
        arena_take(&context->arena, graph->subpass_count * sizeof *context->subpasses);
    if (!context->graph || !context->subpasses || !graph->subpass_count ||
        graph->subpass_count > SYNC_SUBPASSES) {
        context->graph = NULL;
        return sync_give_up(context);
    }
    if (context->keeps_stream) {
        struct stream_item *item = sync_context_stream(context, STREAM_RENDER_PASS);
        if (item) {
            item->tag = tag;
            item->graph = context->graph;
        }
    }
    begin_subpass(context, 0, tag);
}

void sync_context_next_subpass(struct sync_context *context, uint64_t tag)
{
    if (context->broken || !context->graph || context->subpass + 1 >= context->graph->subpass_count)
        return;
    if (context->keeps_stream) {
        struct stream_item *item = sync_context_stream(context, STREAM_SUBPASS);
        if (item)
            item->tag = tag;
    }
    context->current->end_tag = tag;
    begin_subpass(context, context->subpass + 1, tag);
}

/* Takes over states that earlier subpasses have and this one does not: on its way out of the
 * instance, such a state goes through this subpass as well. */
static void fill_from_ancestors(struct sync_context *context, uint32_t subpass)
{
    for (uint64_t left = context->subpasses[subpass].ancestors; left && !context->broken;
         left &= left - 1) {
        const struct sync_view *view = &context->subpasses[__builtin_ctzll(left)];
        for (uint32_t i = 0; i < view->space_capacity; i++) {
            const struct sync_space *space = view->spaces[i];
            for (uint32_t leaf = 0; space && leaf < space->map.leaf_count; leaf++) {
                for (uint32_t k = 0; k < space->map.leaves[leaf].count; k++) {
                    const struct range_entry *entry = &space->map.leaves[leaf].entries[k];
                    const struct sync_place place = {space->id, entry->begin, entry->end};
                    sync_subpass_fill(context, subpass, &place);
                }
            }
        }
    }
}

/* Ends a subpass: the accesses that it leaves are handed to the view after the instance. */
static void end_subpass(struct sync_context *context, uint32_t subpass)
{
    assert(subpass < context->graph->subpass_count);
    struct sync_view *view = &context->subpasses[subpass];
    struct sync_barrier barriers[DEPENDENCIES];
    uint32_t count = dependencies_between(context->graph, subpass, SYNC_EXTERNAL, barriers);
    for (uint32_t i = 0; i < view->space_capacity && !context->broken; i++) {
        struct sync_space *from = view->spaces[i];
        struct sync_space *to = from ? sync_view_space(&context->root, from->id) : NULL;
        if (!to)
            continue;
        struct sync_walk walk;
        sync_walk_start(&walk, context, view, from, 0, UINT64_MAX, false);
        while (sync_walk_next(&walk)) {
            if (sync_state_is_empty(walk.state))
                continue;
            struct sync_state copy;
            if (!sync_state_copy(&copy, walk.state, &context->arena) ||
                !sync_state_carry(&copy, barriers, count, view->first_tag, view->end_tag, true,
                                  context->queue, &context->arena))
                return sync_give_up(context);
            merge_into(context, &context->root, to, walk.piece_begin, walk.piece_end, &copy, false);
        }
    }
}

/* In the states from before the instance, forgets reads that the view's accesses stand in for. */
static void forget_covered(struct sync_context *context, const struct sync_view *view)
{
    for (uint32_t i = 0; i < view->space_capacity && !context->broken; i++) {
        struct sync_space *space =
            view->spaces[i] ? sync_view_find(&context->root, view->spaces[i]->id) : NULL;
        for (uint32_t leaf = 0; space && leaf < view->spaces[i]->map.leaf_count; leaf++) {
            for (uint32_t k = 0; k < view->spaces[i]->map.leaves[leaf].count; k++) {
                const struct range_entry *entry = &view->spaces[i]->map.leaves[leaf].entries[k];
                struct sync_walk walk;
                sync_walk_start(&walk, context, &context->root, space, entry->begin, entry->end,
                                false);
                while (sync_walk_next(&walk))
                    sync_state_forget_covered(walk.state);
            }
        }
    }
}

void sync_context_end_render_pass(struct sync_context *context, uint64_t tag)
{
    if (context->broken || !context->graph)
        return;
    if (context->keeps_stream) {
        struct stream_item *item = sync_context_stream(context, STREAM_END_RENDER_PASS);
        if (item)
            item->tag = tag;
    }
    context->current->end_tag = tag;
    for (uint32_t i = 1; i <= context->subpass; i++)
        fill_from_ancestors(context, i);
    const struct log_entry entry = {.barrier.queue = context->queue,
                                    .graph = context->graph,
                                    .subpasses = context->subpasses,
                                    .kind = LOG_RENDER_PASS,
                                    .number = (uint8_t)(context->subpass + 1),
                                    .last_of_command = true};
    /* The log entry keeps the graph and the subpasses, as states pass through them later. */
    if (!access_log_append(&context->root.log, &entry))
        sync_give_up(context);
    for (uint32_t i = 0; i <= context->subpass; i++)
        end_subpass(context, i);
    for (uint32_t i = 0; i <= context->subpass; i++)
        /* This is done after all subpasses have ended: reads of a later subpass may stand in for
         * those of an earlier one. */
        forget_covered(context, &context->subpasses[i]);
    context->graph = NULL;
    context->subpasses = NULL;
    context->current = &context->root;
    context->instance = 0;
}
