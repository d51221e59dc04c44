/* Finds the origins of the two accesses of a hazard. At least one of them is a shader's access by a
 * descriptor that the shader chose itself. */
#include "sync/touched/touched.h"

/* Returns the execution that the tag belongs to, searched from the newest on. NULL: it was
 * forgotten. */
static const struct touched_played *find_played(const struct touched_queue *queue, uint64_t tag)
{
    for (uint32_t i = queue->played_count; i > 0; i--) {
        if (queue->played[i - 1].number == tag >> 32)
            return &queue->played[i - 1];
    }
    return NULL;
}

/* Returns the access that a shader reported, with this tag and usage, at the place. NULL: there is
 * none. */
static const struct touched_access *find_access(const struct touched_played *played, uint64_t tag,
                                                uint16_t usage, const struct sync_place *place)
{
    for (uint32_t i = 0; i < played->count; i++) {
        const struct touched_access *access = &played->accesses[i];
        if (access->tag == tag && access->usage == usage && access->place.space == place->space &&
            access->place.begin < place->end && place->begin < access->place.end)
            return access;
    }
    return NULL;
}

/* Finds one side of a hazard, without holding its log. `*touched` is set if a shader reported the
 * access. Returns false if the command that made it is unknown. */
static bool touched_report_find_side(const struct touched_queue *queue, uint64_t tag,
                                     uint16_t usage, const struct sync_place *place,
                                     struct touched_side *side, struct access_origin *origin,
                                     bool *touched)
{
    const struct touched_played *played = find_played(queue, tag);
    if (!played || !command_log_find(played->log, tag & UINT32_MAX, origin))
        return false;
    const struct touched_access *access = find_access(played, tag, usage, place);
    *side = (struct touched_side){
        .log = played->log, .tag = tag, .sequence = played->sequence, .entry = *origin->entry};
    *touched |= access != NULL;
    if (access) {
        side->entry.resource = access->resource;
        side->entry.source = access->source;
    }
    return true;
}

/* True if one command made both accesses: accesses of a command are not compared with each
 * other. */
static bool touched_is_own(uint64_t tag, const struct access_origin *self, uint64_t prior,
                           const struct access_origin *earlier)
{
    return tag >> 32 == prior >> 32 && self->log == earlier->log && self->span == earlier->span &&
           self->entry->command_index == earlier->entry->command_index;
}

/* --- both accesses in one recording --- */

/* True if the item is an access or barrier with this tag. */
static bool is_of(const struct stream_item *item, uint64_t tag)
{
    switch (item->kind) {
    case STREAM_EVERY:
        return item->access.tag == tag;
    case STREAM_BARRIERS:
        return item->barriers->tag == tag;
    case STREAM_TOUCHED:
        return item->tag == tag;
    default:
        return false;
    }
}

/* Finds in which render pass instances and subpasses the two accesses are. */
static struct report_mend mend_of(const struct sync_context *recorded, uint64_t earlier,
                                  uint64_t self)
{
    struct report_mend mend = {.kind = MEND_BARRIER, .src_subpass = SYNC_EXTERNAL};
    bool inside = false, object = false, earlier_inside = false;
    uint32_t subpass = 0, earlier_subpass = SYNC_EXTERNAL;
    for (uint32_t i = 0; i < recorded->stream_count; i++) {
        const struct stream_item *item = &recorded->stream[i];
        if (item->kind == STREAM_RENDER_PASS || item->kind == STREAM_INSTANCE) {
            inside = true;
            object = item->kind == STREAM_RENDER_PASS;
            subpass = 0;
        } else if (item->kind == STREAM_SUBPASS) {
            subpass++;
        } else if (item->kind == STREAM_END_RENDER_PASS || item->kind == STREAM_END_INSTANCE) {
            inside = earlier_inside = false;
        } else if (is_of(item, self)) {
            break;
        } else if (is_of(item, earlier)) {
            earlier_inside = inside;
            earlier_subpass = subpass;
        }
    }
    if (!inside)
        return mend;
    mend.kind = !earlier_inside ? MEND_BARRIER_BEFORE
                : object        ? MEND_DEPENDENCY
                                : MEND_SPLIT_RENDERING;
    mend.src_subpass = earlier_subpass;
    mend.dst_subpass = subpass;
    return mend;
}

/* Finds the barriers between the two accesses, if one recording has both. */
static void look_between(const struct touched_device *device, struct touched_found *found)
{
    struct sync_access access = found->access;
    struct sync_hazard hazard = found->hazard;
    if (!device->playing || found->self.tag >> 32 != device->base >> 32 ||
        found->earlier.tag >> 32 != device->base >> 32)
        return;
    const struct sync_context *recorded = &device->playing->context;
    access.tag -= device->base;
    hazard.prior.tag -= device->base;
    access.queue = hazard.prior.queue = 0;
    found->between.ordered = hazard.ordered;
    found->between.visible = hazard.visible;
    report_find_between(&found->between, recorded, found->self.log, &found->group.place, &access,
                        &hazard);
    found->mend = mend_of(recorded, hazard.prior.tag, access.tag);
    found->has_between = true;
}

/* --- hazards --- */

/* Returns the certain part of the access: that of a descriptor which a shader reported, made in
 * `room`, or else the part that the log has. */
static const struct access_part *touched_part(const struct touched_queue *queue, uint64_t tag,
                                              uint16_t usage, const struct sync_place *place,
                                              const struct access_origin *origin,
                                              struct access_part *room)
{
    const struct touched_played *played = find_played(queue, tag);
    const struct touched_access *access = find_access(played, tag, usage, place);
    if (!access)
        return access_origin_part(origin);
    *room = (struct access_part){
        .space = place->space, .some_end = UINT64_MAX, .coherent = true /* perhaps */};
    for (uint32_t i = 0; i < played->count; i++) {
        const struct touched_access *other = &played->accesses[i];
        if (other->tag == tag && other->usage == usage && other->place.space == place->space &&
            other->resource == access->resource && other->source.set == access->source.set &&
            other->source.binding == access->source.binding &&
            other->source.index == access->source.index)
            room->some_size += other->place.end - other->place.begin;
    }
    return room;
}

/* Keeps a hazard for the report. In `found` both sides are filled in, and the hazard is certain at
 * the place. */
static void touched_note_found(struct touched_queue *queue, struct touched_found *found,
                               const struct sync_place *place, const struct access_origin *self)
{
    struct touched_device *device = queue->device;
    const struct access_origin told = {
        .log = self->log, .entry = &found->self.entry, .span = self->span};
    bool muted = found->group.muted;
    found->group = hazard_group_of(&told, place, &found->access, &found->hazard);
    found->group.muted = muted;
    for (uint32_t i = 0; i < device->found_count; i++) {
        if (device->found[i].self.tag >> 32 == found->self.tag >> 32 &&
            hazard_group_join(&device->found[i].group, &found->group))
            return;
    }
    if (device->found_count == FOUND_LIMIT)
        return;
    look_between(device, found);
    command_log_hold(found->self.log);
    command_log_hold(found->earlier.log);
    device->found[device->found_count++] = *found;
}

void touched_note_hazard(struct touched_queue *queue, const struct sync_place *place,
                         const struct sync_access *access, const struct sync_barrier *barrier,
                         const struct sync_hazard *hazard)
{
    struct touched_device *device = queue->device;
    const struct sync_record *prior = &hazard->prior;
    struct access_origin self, earlier;
    struct access_part rooms[2];
    struct touched_found found = {
        .access = *access, .hazard = *hazard, .has_barrier = barrier != NULL};
    bool touched = false;
    if (!hazard_is_asked_for(device->settings, access, prior) ||
        !touched_report_find_side(queue, access->tag, access->usage, place, &found.self, &self,
                                  &touched) ||
        !touched_report_find_side(queue, prior->tag, prior->usage, place, &found.earlier, &earlier,
                                  &touched) ||
        !touched || touched_is_own(access->tag, &self, prior->tag, &earlier))
        return;
    const struct doubt *certain =
        doubts_judge(&device->doubts,
                     touched_part(queue, access->tag, access->usage, place, &self, &rooms[0]),
                     touched_part(queue, prior->tag, prior->usage, place, &earlier, &rooms[1]),
                     place, access, prior->tag);
    found.group.muted = access_origin_is_muted(&self) || access_origin_is_muted(&earlier);
    found.hazard.prior.foreign = NULL;
    found.queue = object_state_id(&queue->queue->base);
    if (barrier)
        found.barrier = *barrier;
    for (uint32_t i = 0; certain && i < certain->place_count; i++)
        touched_note_found(queue, &found, &certain->places[i], &self);
}

/* Finds the origins of the two tags of one hazard. `resolver` is first, as its address is cast to
 * the whole structure. */
struct touched_resolver {
    struct sync_resolver resolver;     /* first */
    const struct touched_found *found; /* with both tags */
};

/* Finds a side of the hazard. Its entry may be the shader's own, with the descriptor that the
 * shader chose. */
static bool find_told(const struct sync_resolver *resolver, uint64_t tag,
                      struct sync_submitted *submitted)
{
    const struct touched_found *found = ((const struct touched_resolver *)resolver)->found;
    const struct touched_side *side = tag == found->self.tag ? &found->self : &found->earlier;
    *submitted = (struct sync_submitted){0};
    if (!command_log_find(side->log, tag & UINT32_MAX, &submitted->origin))
        return false;
    submitted->origin.entry = &side->entry;
    submitted->submitted = side->log;
    submitted->queue = found->queue;
    submitted->submission = side->sequence;
    return true;
}

void touched_tell(const struct call *call, struct touched_found *found)
{
    const struct touched_resolver resolver = {.resolver.find = find_told, .found = found};
    sync_report_submitted_hazard(call, &resolver.resolver, &found->group, &found->access,
                                 found->has_barrier ? &found->barrier : NULL, &found->hazard,
                                 found->has_between ? &found->between : NULL,
                                 found->has_between ? &found->mend : NULL);
    command_log_release(found->self.log);
    command_log_release(found->earlier.log);
}
