/* Finds the narrowest scopes that are enough for a barrier, given the commands before and after
 * it. */
#include "sync/advice/advice.h"

#include "sync/access/access_subpass.h"

/* --- one barrier and another --- */

/* True if the scope `part` has no stage and no access that `whole` lacks. */
static bool scope_in(const struct sync_scope *part, const struct sync_scope *whole)
{
    const struct usage_mask beyond = usage_mask_andnot(part->accesses, whole->accesses);
    return !(part->stages & ~whole->stages) && usage_mask_is_empty(&beyond);
}

/* True if `whole` orders all that `part` orders, at the same place. */
static bool barrier_in(const struct sync_barrier *part, const struct sync_barrier *whole)
{
    return scope_in(&part->src, &whole->src) && scope_in(&part->dst, &whole->dst) &&
           (!part->everything || whole->everything);
}

/* True if `part` lies in `whole`, in the same space. */
static bool place_in(const struct sync_place *part, const struct sync_place *whole)
{
    return part->space == whole->space && part->begin >= whole->begin && part->end <= whole->end;
}

/* True if a global barrier of the command orders as much as this barrier. */
static bool has_global(const struct advised *advised, const struct sync_barrier *barrier)
{
    for (uint32_t i = 0; i < advised->global_count; i++) {
        if (barrier_in(barrier, &advised->scopes[i]))
            return true;
    }
    return false;
}

/* True if a range barrier of the command orders as much at this place. */
static bool has_range(const struct advised *advised, const struct sync_barrier *barrier,
                      const struct sync_place *place)
{
    for (uint32_t i = 0; i < advised->range_count; i++) {
        if (place_in(place, &advised->ranges[i].place) &&
            barrier_in(barrier, &advised->scopes[advised->ranges[i].barrier]))
            return true;
    }
    return false;
}

bool advised_covers(const struct advised *one, const struct advised *other)
{
    for (uint32_t i = 0; i < other->global_count; i++) {
        if (!has_global(one, &other->scopes[i]))
            return false;
    }
    for (uint32_t i = 0; i < other->range_count; i++) {
        const struct sync_barrier *barrier = &other->scopes[other->ranges[i].barrier];
        if (!has_global(one, barrier) && !has_range(one, barrier, &other->ranges[i].place))
            return false;
    }
    return true;
}

/* True if the barrier carries a memory dependency, and not only an execution dependency. */
static bool has_accesses(const struct sync_barrier *barrier)
{
    return !usage_mask_is_empty(&barrier->src.accesses) ||
           !usage_mask_is_empty(&barrier->dst.accesses);
}

bool advised_ends_alike(const struct advised *advised)
{
    const struct sync_barrier *first = advised->scopes, *memory = NULL;
    for (uint32_t i = 0; i < advised->scope_count; i++) {
        const struct sync_barrier *barrier = &advised->scopes[i];
        if (barrier->src.stages != first->src.stages || barrier->dst.stages != first->dst.stages ||
            barrier->everything != first->everything)
            return false;
        if (!has_accesses(barrier))
            continue;
        if (memory && !(usage_mask_equals(&memory->src.accesses, &barrier->src.accesses) &&
                        usage_mask_equals(&memory->dst.accesses, &barrier->dst.accesses)))
            return false;
        memory = barrier;
    }
    return true;
}

sync_stage_mask advised_first_scope(const struct advised *advised)
{
    sync_stage_mask stages = 0;
    for (uint32_t i = 0; i < advised->scope_count; i++)
        stages |= advised->scopes[i].src.stages;
    return stages;
}

sync_stage_mask advised_second_scope(const struct advised *advised)
{
    sync_stage_mask stages = 0;
    for (uint32_t i = 0; i < advised->scope_count; i++)
        stages |= advised->scopes[i].dst.stages;
    return stages;
}

/* --- bounds by the commands around a barrier --- */

struct enough enough_of_stages(VkPipelineStageFlags2 app_stages, VkAccessFlags2 app_accesses,
                               sync_stage_mask stages)
{
    const VkAccessFlags2 any = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    struct enough enough = {.accesses = app_accesses & any};
    if (!(app_stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) || !stages ||
        /* Three stages are as hard to read as ALL_COMMANDS, so that no advice is given. */
        __builtin_popcountll(stages) > 2)
        return (struct enough){0};
    for (VkAccessFlags2 left = app_accesses & ~any; left; left &= left - 1) {
        struct usage_mask usages = sync_access_scope(stages, left & -left);
        if (!usage_mask_is_empty(&usages))
            enough.accesses |= left & -left;
    }
    enough.stages = sync_stage_flags(stages) | (app_stages & VK_PIPELINE_STAGE_2_HOST_BIT);
    if (app_stages & VK_PIPELINE_STAGE_2_HOST_BIT)
        enough.accesses |= app_accesses & (VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_HOST_WRITE_BIT);
    return enough;
}

/* --- bounds by the uses of a barrier's resource --- */

/* Returns the scope that is enough for a write of this kind; 0 stages: it is not known. Only
 * commands count that certainly write their whole place: all other uses of the place are known to
 * be ordered then. Shaders may write only part. Attachments are in layouts in which nothing else
 * may access them meanwhile. `later` adds the reads of the kind, since load operations and tests
 * come before the recorded write. */
static struct enough enough_of_usage(enum sync_usage usage, VkImageLayout layout, bool later)
{
    switch ((int)usage) {
    case SYNC_COPY_TRANSFER_WRITE:
    case SYNC_BLIT_TRANSFER_WRITE:
    case SYNC_RESOLVE_TRANSFER_WRITE:
    case SYNC_CLEAR_TRANSFER_WRITE:
        return (struct enough){sync_usage_info[usage].stage_bit, VK_ACCESS_2_TRANSFER_WRITE_BIT};
    case SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE:
        if (layout != VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL &&
            layout != VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL)
            break;
        return (struct enough){VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                               VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT |
                                   (later ? VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT : 0)};
    case SYNC_EARLY_FRAGMENT_TESTS_DEPTH_STENCIL_ATTACHMENT_WRITE:
    case SYNC_LATE_FRAGMENT_TESTS_DEPTH_STENCIL_ATTACHMENT_WRITE:
        if (layout != VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL &&
            layout != VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL &&
            layout != VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL &&
            layout != VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL)
            break;
        return (struct enough){VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
                                   VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
                               VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT |
                                   (later ? VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT : 0)};
    }
    return (struct enough){0};
}

/* True if no access followed the write: any other would have been ordered after it. Reads of the
 * same attachment may follow, as the render pass orders them. */
static bool is_last(const struct sync_state *state, struct enough enough)
{
    for (uint32_t i = 0; i < state->read_count; i++) {
        if (sync_usage_info[sync_state_read(state, i)->usage].stage_bit & ~enough.stages)
            return false;
    }
    return !state->write.stages && !state->write.passed && !state->write.foreign &&
           usage_mask_is_empty(&state->visible);
}

/* Adds the scopes of the writes in all pieces of a place to *enough. Returns false if the scope of
 * a piece's write is not known. */
static bool add_writes(struct enough *enough, struct sync_context *context,
                       const struct sync_place *place, const struct advised *advised,
                       VkImageLayout layout, bool later)
{
    struct sync_walk walk;
    uint64_t at = place->begin;
    if (context->broken || context->graph || !sync_walk_place(&walk, context, place, false))
        return false;
    while (sync_walk_next(&walk)) {
        const struct sync_state *state = walk.state;
        struct enough part = enough_of_usage((enum sync_usage)state->write.usage, layout, later);
        bool fits = later ? state->write.tag >= advised->tag : is_last(state, part);
        if (walk.piece_begin != at || !part.stages || !fits)
            return false;
        enough->stages |= part.stages;
        enough->accesses |= part.accesses;
        at = walk.piece_end;
    }
    return at == place->end;
}

/* Returns the stages and accesses that are enough in the place of ALL_COMMANDS, by the writes in
 * the barrier's ranges. `later` selects the second scope. 0 stages: not known, or more than two. */
static struct enough enough_by_writes(struct sync_context *context, const struct advised *advised,
                                      const struct advised_barrier *barrier, bool later)
{
    struct enough enough = {0};
    VkPipelineStageFlags2 app_stages = later ? barrier->dst_stages : barrier->src_stages;
    VkImageLayout layout = later ? barrier->new_layout : barrier->old_layout;
    if (!(app_stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) ||
        app_stages & VK_PIPELINE_STAGE_2_HOST_BIT || !barrier->range_count)
        return enough;
    for (uint32_t i = 0; i < barrier->range_count; i++) {
        const struct sync_place *place = &advised->ranges[barrier->first_range + i].place;
        if (!add_writes(&enough, context, place, advised, layout, later))
            return (struct enough){0};
    }
    enough.accesses &= sync_expand_accesses(later ? barrier->dst_accesses : barrier->src_accesses);
    return __builtin_popcountll(enough.stages) > 2 ? (struct enough){0} : enough;
}

struct enough enough_after_write(struct sync_context *context, const struct advised *advised,
                                 const struct advised_barrier *barrier)
{
    return enough_by_writes(context, advised, barrier, false);
}

struct enough enough_before_write(struct sync_context *context, const struct advised *advised,
                                  const struct advised_barrier *barrier)
{
    return enough_by_writes(context, advised, barrier, true);
}
