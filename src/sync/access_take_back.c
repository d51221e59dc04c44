/* What was in a command buffer's context before a command whose hazards made a callback refuse it? Hazards are rare, and
 * refused commands rarer: states are kept where there is a hazard, and all else is looked for in the whole context. */
#include "sync/access_take_back.h"

#include "sync/access_subpass.h"

/* Threads: the context's. In its arena. */
struct saved_state {
    struct saved_state *next;
    struct sync_place place;
    uint64_t tag; /* of the access with the hazard */
    struct sync_state state;
};

void sync_save_state(struct sync_context *context, const struct sync_place *piece, const struct sync_state *state,
                     uint64_t tag)
{
    if (!context->keeps_stream || !context->sink || context->replays)
        return;
    struct saved_state *saved = arena_take(&context->arena, sizeof *saved);
    if (!saved)
        return;
    *saved = (struct saved_state){.next = context->saved, .place = *piece, .tag = tag};
    if (sync_state_copy(&saved->state, state, &context->arena))
        context->saved = saved;
}

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

static void forget_in_view(const struct sync_view *view, uint64_t first_tag)
{
    for (uint32_t i = 0; i < view->space_capacity; i++) {
        struct sync_space *space = view->spaces[i];
        if (!space)
            continue;
        struct range_cursor cursor = range_map_seek(&space->map, 0);
        for (struct range_entry *entry; (entry = range_map_at(&space->map, cursor));
             range_map_next(&space->map, &cursor))
            forget_records(entry->value, first_tag);
    }
}

static void restore(struct sync_context *context, const struct saved_state *saved)
{
    struct sync_walk walk;
    if (!sync_walk_place(&walk, context, &saved->place, false))
        return;
    while (sync_walk_next(&walk))
        (void)!sync_state_copy(walk.state, &saved->state, &context->arena);
}

static bool is_of_command(const struct stream_item *item, uint64_t first_tag)
{
    return (item->kind == STREAM_ACCESS || item->kind == STREAM_EVERY) && item->access.tag >= first_tag;
}

void sync_context_take_back(struct sync_context *context, uint64_t first_tag)
{
    forget_in_view(&context->root, first_tag);
    if (context->current != &context->root)
        forget_in_view(context->current, first_tag);
    /* the last one first: of two for one piece the older one has the state as it was */
    for (const struct saved_state *saved = context->saved; saved && saved->tag >= first_tag; saved = saved->next)
        restore(context, saved);
    sync_context_forget_saved(context);
    while (context->stream_count && is_of_command(&context->stream[context->stream_count - 1], first_tag))
        context->stream_count--;
}
