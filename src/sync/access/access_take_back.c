/* Restores a command buffer's context after a callback has refused a command because of a hazard.
 * Hazards are rare, and refused commands rarer. So only states with a hazard are saved, and other
 * traces are searched for in the whole context. */
#include "sync/access/access_take_back.h"

#include "sync/access/access_subpass.h"

/* A state as it was before an access with a hazard. It lies in the context's arena. Threads: the
 * context's. */
struct saved_state {
    struct saved_state *next;
    struct sync_view *view;
    struct sync_place place;
    uint64_t tag; /* tag of the access with the hazard */
    struct sync_state state;
};

void sync_save_state(struct sync_context *context, const struct sync_place *piece,
                     const struct sync_state *state, uint64_t tag)
{
    assert(piece->begin < piece->end);
    if (!context->keeps_stream || !context->sink)
        return;
    struct saved_state *saved = arena_take(&context->arena, sizeof *saved);
    if (!saved)
        return;
    *saved = (struct saved_state){
        .next = context->saved, .view = context->current, .place = *piece, .tag = tag};
    if (sync_state_copy(&saved->state, state, &context->arena))
        context->saved = saved;
}

/* Forgets records with tags from `first_tag` on. Records that a write has replaced do not come
 * back. */
static void forget_records(struct sync_state *state, uint64_t first_tag)
{
    uint16_t kept = 0;
    for (uint32_t i = 0; i < state->read_count; i++) {
        const struct sync_record *read = sync_state_read(state, i);
        if (read->tag < first_tag)
            *sync_state_read(state, kept++) = *read;
    }
    state->read_count = kept;
    if (state->write.usage != SYNC_NONE && state->write.tag >= first_tag) {
        state->write = (struct sync_record){0};
        state->visible = (struct usage_mask){0};
    }
}

/* Forgets the records with tags from `first_tag` on, in all spaces of the view. */
static void forget_in_view(const struct sync_view *view, uint64_t first_tag)
{
    for (uint32_t i = 0; i < view->space_capacity; i++) {
        struct sync_space *space = view->spaces[i];
        if (!space)
            continue;
        struct range_cursor cursor = range_map_seek(&space->map, 0);
        for (struct range_entry *entry; (entry = range_map_at(&space->map, cursor));
             range_map_next(&space->map, &cursor)) {
            struct sync_state *state = entry->value;
            forget_records(state, first_tag);
            if (state->caught_up > view->log.count)
                state->caught_up = view->log.count;
        }
    }
}

/* Puts a saved state back. The state is not ahead of the log, so barriers that are appended later
 * still apply to it. */
static void context_restore(struct sync_context *context, const struct saved_state *saved)
{
    struct sync_space *space = sync_view_find(saved->view, saved->place.space);
    struct sync_walk walk;
    if (!space)
        return;
    sync_walk_start(&walk, context, saved->view, space, saved->place.begin, saved->place.end,
                    false);
    while (sync_walk_next(&walk))
        (void)!sync_state_copy(walk.state, &saved->state, &context->arena);
}

void sync_context_checkpoint(const struct sync_context *context, struct sync_checkpoint *before)
{
    *before = (struct sync_checkpoint){.graph = context->graph,
                                       .subpasses = context->subpasses,
                                       .current = context->current,
                                       .subpass = context->subpass,
                                       .instance = context->instance,
                                       .stream_count = context->stream_count,
                                       .log_count = context->current->log.count,
                                       .root_log_count = context->root.log.count,
                                       .entangled = context->entangled};
}

void sync_context_look_back(const struct sync_context *context, uint64_t first_tag,
                            struct sync_checkpoint *before)
{
    uint32_t global = 0;
    sync_context_checkpoint(context, before);
    while (before->stream_count) {
        const struct stream_item *item = &context->stream[before->stream_count - 1];
        bool access = item->kind == STREAM_ACCESS || item->kind == STREAM_EVERY;
        bool orders = item->kind == STREAM_BARRIERS || item->kind == STREAM_WAIT_EVENTS;
        if ((!access || item->access.tag < first_tag) &&
            (!orders || item->barriers->tag < first_tag))
            break;
        global += orders ? item->barriers->global_count : 0;
        /* counted for the advice, which counts commands */
        before->barrier_commands += orders;
        before->stream_count--;
    }
    before->log_count -= global;
    if (context->current == &context->root)
        before->root_log_count -= global;
}

void sync_context_take_back(struct sync_context *context, uint64_t first_tag,
                            const struct sync_checkpoint *before)
{
    assert(context->keeps_stream);
    uint64_t instance_tag = before->graph ? before->subpasses[0].first_tag : first_tag;
    if (context->broken)
        return;
    context->graph = before->graph;
    context->subpasses = before->subpasses;
    context->subpass = before->subpass;
    context->current = before->current;
    context->instance = before->instance;
    context->stream_count = before->stream_count;
    context->entangled = before->entangled;
    context->root.log.count = before->root_log_count;
    before->current->log.count = before->log_count;
    if (before->graph)
        before->current->end_tag = UINT64_MAX;
    /* The newest saved state is restored first: if a piece was saved twice, the older state ends up
     * in it. */
    for (; context->saved && context->saved->tag >= first_tag;
         context->saved = context->saved->next)
        context_restore(context, context->saved);
    /* while an instance of a render pass object lasts, its accesses are only in its subpasses'
     * views */
    forget_in_view(&context->root, instance_tag);
    if (before->graph)
        forget_in_view(before->current, first_tag);
}
