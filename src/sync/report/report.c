/* Gathers the facts of a hazard, and has them reported. */
#include "sync/report/report.h"

#include "report/sink/callers.h"
#include "report/sink/deliver.h"
#include "report/finding/finding.h"
#include "state/memory/image_layout.h"
#include "state/command/rendering.h"
#include "sync/access/aliases.h"
#include "sync/report/report_facts.h"

enum vuid sync_hazard_id(enum hazard kind)
{
    static const enum vuid ids[] = {
        /* never reported */
        [HAZARD_NONE] = VUID_COUNT,
        [HAZARD_READ_AFTER_WRITE] = SYNC_HAZARD_READ_AFTER_WRITE,
        [HAZARD_WRITE_AFTER_READ] = SYNC_HAZARD_WRITE_AFTER_READ,
        [HAZARD_WRITE_AFTER_WRITE] = SYNC_HAZARD_WRITE_AFTER_WRITE,
        [HAZARD_READ_RACING_WRITE] = SYNC_HAZARD_READ_RACING_WRITE,
        [HAZARD_WRITE_RACING_READ] = SYNC_HAZARD_WRITE_RACING_READ,
        [HAZARD_WRITE_RACING_WRITE] = SYNC_HAZARD_WRITE_RACING_WRITE,
        [HAZARD_READ_AFTER_PRESENT] = SYNC_HAZARD_READ_AFTER_PRESENT,
        [HAZARD_WRITE_AFTER_PRESENT] = SYNC_HAZARD_WRITE_AFTER_PRESENT,
        [HAZARD_PRESENT_AFTER_READ] = SYNC_HAZARD_PRESENT_AFTER_READ,
        [HAZARD_PRESENT_AFTER_WRITE] = SYNC_HAZARD_PRESENT_AFTER_WRITE,
    };
    return ids[kind];
}

/* --- objects --- */

struct report_object report_look_up(const struct call *call, uint64_t id)
{
    enum handle_type type = object_id_type(id);
    struct reporter *reporter = call->instance ? call->instance->reporter : NULL;
    struct object *object = id ? object_find_id(id, type) : NULL;
    if (object)
        return (struct report_object){type, object_handle(object),
                                      reporter_copy_name(reporter, object), NULL, NULL};
    /* If the layer does not wrap handles, the handle may belong to a later object by now. */
    if (!id || !call->wraps || handle_type_is_dispatchable(type))
        return (struct report_object){0};
    struct retired_object retired = {0};
    (void)!reporter_find_retired(reporter, id, type, &retired);
    return (struct report_object){type, id, retired.name, NULL, NULL};
}

void report_free_side(struct report_side *side)
{
    mem_free(side->command_buffer.name);
    mem_free(side->executed_by.name);
    mem_free(side->queue.name);
    mem_free(side->resource.name);
    mem_free(side->path);
}

void report_describe_barriers(const struct call *call, struct report_between *between)
{
    for (uint32_t i = 0; i < between->shown_count; i++) {
        struct report_barrier *barrier = &between->shown[i];
        barrier->resource = report_look_up(call, barrier->resource_id);
        barrier->caller = caller_describe(callers_first_of_kept(call, barrier->called_by));
        barrier->path = caller_path_of_kept(call, barrier->called_by);
    }
}

void report_free_between(struct report_between *between)
{
    for (uint32_t i = 0; i < between->shown_count; i++) {
        mem_free(between->shown[i].resource.name);
        mem_free(between->shown[i].path);
    }
}

/* --- sides --- */

void report_find_labels(struct report_side *side, const struct command_log *log, uint32_t label)
{
    uint32_t count = 0;
    for (uint32_t i = label; i && side->label_count + count < SIDE_LABELS;
         i = log->labels[i - 1].parent)
        count++;
    for (uint32_t i = side->label_count; count && i--;)
        side->labels[i + count] = side->labels[i];
    side->label_count += count;
    for (uint32_t i = label; count; i = log->labels[i - 1].parent)
        side->labels[--count] = log->labels[i - 1].name;
}

/* Finds the labels of the command, and those that were open where its command buffer was
 * executed. */
static void find_label_path(struct report_side *side, const struct access_origin *origin)
{
    report_find_labels(side, origin->log, origin->entry->label);
    for (uint32_t i = origin->level_count; i--;)
        report_find_labels(side, origin->levels[i].log, origin->levels[i].span->label);
}

/* True if the access is made by a barrier, and not by a command with a stage. */
static bool is_transition(enum sync_usage usage)
{
    return usage == SYNC_IMAGE_LAYOUT_TRANSITION || usage == SYNC_QUEUE_FAMILY_OWNERSHIP_TRANSFER;
}

/* Returns the number of the image in an access that was noted for all of its memory
 * (sync/access/aliases.h); 0 for other accesses. */
static uint32_t alias_of(uint8_t ordering, uint32_t instance)
{
    return ordering == SYNC_ORDER_ALIAS ? instance : 0;
}

/* Returns the id of the resource that an access is reported with. All transitions of one command
 * have one tag, and so one entry, which names the first of their images. `alias` is the image's
 * number for an access in shared memory, else 0. */
static uint64_t report_resource(const struct access_entry *entry, enum sync_usage usage,
                                const struct sync_place *place, uint32_t alias)
{
    const struct image *image =
        object_id_type(entry->resource) == HANDLE_IMAGE ? image_by_id(entry->resource) : NULL;
    bool in_image = object_id_type(place->space) == HANDLE_IMAGE;
    if (!is_transition(usage) || (!alias && !in_image))
        return entry->resource;
    if (image && (alias ? image_alias_number(image) == alias : image_space(image) == place->space))
        return entry->resource;
    return alias ? atomic_load_explicit(&object_slots[alias].id, memory_order_relaxed)
                 : place->space;
}

/* Fills in one side of a report. `outer` is the log of the command buffer that is being recorded or
 * was submitted. */
static void report_find_side(struct report_side *side, const struct call *call,
                             const struct access_origin *origin, const struct command_log *outer,
                             uint64_t resource)
{
    const struct access_entry *entry = origin->entry;
    side->known = true;
    side->command = entry->command;
    side->command_index = entry->command_index;
    side->source = entry->source;
    side->caller = caller_describe(callers_first_of_kept(call, entry->caller));
    side->path = caller_path_of_kept(call, entry->caller);
    side->resource = report_look_up(call, resource);
    if (!origin->log)
        return;
    find_label_path(side, origin);
    side->command_buffer = report_look_up(call, origin->log->command_buffer);
    side->executed = origin->span != NULL;
    if (!origin->span)
        return;
    side->executed_index = origin->span->command_index;
    if (outer)
        side->executed_by = report_look_up(call, outer->command_buffer);
}

/* --- mends --- */

/* True if the current dynamic render pass instance began after the earlier access. Loads and clears
 * leave log entries. */
static bool began_since(const struct command_log *log, const struct sync_hazard *hazard,
                        const struct sync_access *access)
{
    struct access_origin origin;
    for (uint64_t tag = access->tag;
         --tag > hazard->prior.tag && command_log_find(log, tag, &origin);) {
        if (command_root[origin.entry->command] == COMMAND_CmdBeginRendering)
            return true;
    }
    return false;
}

/* Decides how a hazard within a render pass instance is mended: by a dependency, or by a barrier
 * before it. */
static void mend_in_render_pass(struct report_facts *facts, const struct recording *recording,
                                const struct sync_access *access, const struct sync_hazard *hazard)
{
    const struct sync_context *context = &recording->sync->context;
    struct report_mend *mend = &facts->mend;
    if (!context->graph) {
        bool before = command_root[recording->call->command] == COMMAND_CmdBeginRendering ||
                      began_since(recording->sync->log, hazard, access);
        mend->kind = before ? MEND_BARRIER_BEFORE : MEND_SPLIT_RENDERING;
        return;
    }
    mend->src_subpass = report_subpass_of(context, hazard->prior.tag);
    mend->dst_subpass = context->subpass;
    bool outside = mend->src_subpass == SYNC_EXTERNAL && !usage_is_transition(facts->self.usage);
    mend->kind = outside ? MEND_BARRIER_BEFORE : MEND_DEPENDENCY;
}

/* Finds which part of its resource the group concerns. `earlier` is the id of the earlier access's
 * resource; 0: not known. */
static void find_extents(struct report_facts *facts, const struct hazard_group *group,
                         uint64_t earlier)
{
    report_find_extent(&facts->self.extent, &group->place, group->resource);
    report_find_extent(&facts->earlier.extent, &group->place, earlier);
    facts->self.more_ranges = group->more;
}

/* Finds the image's current layout, for the barrier that is shown. VK_IMAGE_LAYOUT_MAX_ENUM: not
 * known. */
static void find_layout(struct report_facts *facts, const struct recording *recording,
                        uint64_t resource)
{
    const struct image *image =
        object_id_type(resource) == HANDLE_IMAGE ? image_by_id(resource) : NULL;
    if (!image || facts->mend.kind != MEND_BARRIER ||
        facts->self.extent.kind != EXTENT_SUBRESOURCES)
        return;
    VkImageLayout layout =
        command_buffer_layout(recording->command_buffer, image, &facts->self.extent.range);
    facts->mend.layout = layout == LAYOUT_UNTOUCHED ? VK_IMAGE_LAYOUT_MAX_ENUM : layout;
}

/* True if the command is in a render pass instance. When the instance's begin command is checked,
 * the state tracker has not seen it yet; it has already seen the end command. */
static bool is_in_instance(const struct recording *recording)
{
    enum command command = command_root[recording->call->command];
    return active_rendering(recording->command_buffer) || recording->sync->context.graph ||
           command == COMMAND_CmdBeginRendering || command == COMMAND_CmdEndRendering ||
           command == COMMAND_CmdEndRendering2KHR;
}

/* Decides how the hazard is mended. `recording` is NULL for submitted work. */
static void find_mend(struct report_facts *facts, const struct recording *recording,
                      const struct sync_access *access, const struct sync_barrier *barrier,
                      const struct sync_hazard *hazard)
{
    struct report_mend *mend = &facts->mend;
    mend->layout = VK_IMAGE_LAYOUT_MAX_ENUM;
    bool in_instance = recording && is_in_instance(recording);
    /* The order of these matters: each one assumes that those before it are not the case. */
    if (facts->kind == HAZARD_PRESENT_AFTER_READ || facts->kind == HAZARD_PRESENT_AFTER_WRITE)
        mend->kind = MEND_PRESENT;
    else if (facts->kind == HAZARD_READ_AFTER_PRESENT || facts->kind == HAZARD_WRITE_AFTER_PRESENT)
        mend->kind = MEND_ACQUIRE;
    else if (facts->self.source.role == ROLE_HOST)
        mend->kind = MEND_HOST;
    /* A barrier orders only one queue. */
    else if (access->queue != hazard->prior.queue)
        mend->kind = MEND_SEMAPHORE;
    else if (barrier && barrier->first_tag == SYNC_CHAINED_ONLY)
        mend->kind = MEND_BARRIER_BEFORE;
    else if (barrier &&
             (facts->self.source.role == ROLE_BARRIER || facts->between.fault > FAULT_EVENT))
        mend->kind = MEND_WIDEN_SOURCE;
    else if (usage_is_transition(facts->earlier.usage) && !usage_is_transition(facts->self.usage))
        mend->kind = facts->between.beyond_subpass && facts->earlier.source.role == ROLE_BARRIER
                         ? MEND_MOVE_BARRIER
                         : MEND_WIDEN_DESTINATION;
    else if (recording && recording->sync->build_tag && hazard->prior.tag >= recording->first_tag)
        mend->kind = MEND_SPLIT_BUILDS;
    else if (in_instance)
        mend_in_render_pass(facts, recording, access, hazard);
    else
        mend->kind = barrier ? MEND_WIDEN_SOURCE : MEND_BARRIER;
}

/* --- reports --- */

/* Adds an object to the objects of the finding, if it is known and there is room. */
static void report_add_object(struct finding_objects *objects, const struct report_object *object)
{
    if (object->type != HANDLE_NONE && objects->count < ARRAY_LENGTH(objects->list))
        objects->list[objects->count++] = (struct finding_object){object->type, object->handle};
}

/* Delivers the finding of one hazard. With `tells_objects`, the access is the call's own, and the
 * finding has the call's labels and caller. Returns true if the call is to be skipped. */
static bool tell_hazard(const struct call *call, const struct report_facts *facts,
                        bool tells_objects)
{
    struct hazard_texts texts;
    struct finding_objects objects = {0};
    hazard_texts_write(&texts, facts, call->instance->settings.syncval_message_extra_properties);
    texts.details.tells_objects = tells_objects;
    report_add_object(&objects, &facts->self.command_buffer);
    report_add_object(&objects, &facts->self.resource);
    report_add_object(&objects, &facts->earlier.command_buffer);
    report_add_object(&objects, &facts->earlier.queue);
    bool skip = finding_with_details(call, SEVERITY_ERROR, sync_hazard_id(facts->kind), &objects,
                                     &texts.details, texts.sentence);
    hazard_texts_end(&texts);
    return skip;
}

/* Returns the facts that follow from the access and the hazard alone. */
static struct report_facts begin_facts(const struct call *call, const struct sync_access *access,
                                       const struct sync_hazard *hazard)
{
    return (struct report_facts){
        .kind = hazard->kind,
        .called = call->command,
        .self.usage = (enum sync_usage)access->usage,
        .earlier.usage = (enum sync_usage)hazard->prior.usage,
        .between.ordered = hazard->ordered & ~SYNC_TRANSITIONS,
        .between.visible = hazard->visible,
        .mend.synchronization2 =
            call->device && device_has_feature(call->device, FEATURE_synchronization2),
        .mend.structure_copies =
            call->device && device_has_feature(call->device, FEATURE_rayTracingMaintenance1),
    };
}

/* --- hazards of one command --- */

struct hazard_group hazard_group_of(const struct access_origin *origin,
                                    const struct sync_place *place,
                                    const struct sync_access *access,
                                    const struct sync_hazard *hazard)
{
    return (struct hazard_group){.log = origin->log,
                                 .command_index = origin->entry->command_index,
                                 .usage = access->usage,
                                 .kind = hazard->kind,
                                 .resource =
                                     report_resource(origin->entry, access->usage, place,
                                                     alias_of(access->ordering, access->instance)),
                                 .place = *place,
                                 .prior_tag = hazard->prior.tag};
}

bool hazard_group_join(struct hazard_group *group, const struct hazard_group *found)
{
    struct sync_place *place = &group->place;
    if (group->log != found->log || group->command_index != found->command_index ||
        group->usage != found->usage || group->kind != found->kind ||
        group->resource != found->resource || group->muted != found->muted)
        return false;
    bool same = place->space == found->place.space && group->prior_tag == found->prior_tag;
    if (same && place->end == found->place.begin && !group->more)
        place->end = found->place.end;
    else if (!same || found->place.begin < place->begin || found->place.end > place->end)
        group->more++;
    return true;
}

/* A hazard of the command that is being recorded. It is kept until the command ends and reports
 * it. */
struct noted_hazard {
    struct noted_hazard *next;
    struct hazard_group group; /* hazards of a group are one finding */
    uint64_t earlier;          /* id of the earlier access's resource; 0: not known */
    /* the call itself made the access; it does not come from a recording that the call executes */
    bool own;
    struct report_facts facts; /* for the report */
};

/* The most resources that are noted for one command; hardly any command has more. */
#define NOTED_MOST 64

/* Returns the end of the list, where the next note goes. NULL: the hazard belongs to a group that
 * was noted, or there are NOTED_MOST. */
static struct noted_hazard **place_of_note(struct recording *recording,
                                           const struct hazard_group *group)
{
    struct noted_hazard **place = &recording->hazards;
    for (uint32_t count = 0; *place; place = &(*place)->next) {
        if (hazard_group_join(&(*place)->group, group) || ++count == NOTED_MOST)
            return NULL;
    }
    return place;
}

void sync_note_hazard(struct recording *recording, const struct sync_place *place,
                      const struct sync_access *access, const struct sync_barrier *barrier,
                      const struct sync_hazard *hazard)
{
    const struct call *call = recording->call;
    const struct command_log *log = recording->sync->log;
    struct access_origin origin, earlier;
    if (!finding_is_heard(call, SEVERITY_ERROR, sync_hazard_id(hazard->kind)) ||
        !command_log_find(log, access->tag, &origin))
        return;
    bool known = command_log_find(log, hazard->prior.tag, &earlier);
    if (access_origin_is_muted(&origin) || (known && access_origin_is_muted(&earlier))) {
        reporter_count_muted_by_label(call->instance->reporter);
        return;
    }
    struct hazard_group group = hazard_group_of(&origin, place, access, hazard);
    struct noted_hazard **note = place_of_note(recording, &group),
                        *noted = note ? mem_alloc(sizeof(*noted)) : NULL;
    if (!noted)
        return;
    *noted = (struct noted_hazard){
        .group = group, .own = !origin.span, .facts = begin_facts(call, access, hazard)};
    struct report_facts *facts = &noted->facts;
    report_find_side(&facts->self, call, &origin, log, group.resource);
    if (known) {
        noted->earlier = report_resource(earlier.entry, hazard->prior.usage, place,
                                         alias_of(hazard->prior.ordering, hazard->prior.instance));
        report_find_side(&facts->earlier, call, &earlier, log, noted->earlier);
        facts->same_command_buffer = earlier.log == origin.log;
    }
    /* A command reads its source, in the first layout, and writes its destination, in the
     * second. */
    facts->mend.wanted = recording->wanted[usage_writes(facts->self.usage)];
    report_find_between(&facts->between, &recording->sync->context, log, place, access, hazard);
    if (barrier)
        report_judge_own_barrier(&facts->between, barrier, access, hazard);
    report_find_written(&facts->between, recording->sync,
                        active_render_pass(recording->command_buffer), place, access, hazard);
    find_mend(facts, recording, access, barrier, hazard);
    *note = noted;
}

bool sync_report_noted(struct recording *recording)
{
    struct noted_hazard *next;
    bool skip = false;
    for (struct noted_hazard *noted = recording->hazards; noted; noted = next) {
        struct report_facts *facts = &noted->facts;
        next = noted->next;
        find_extents(facts, &noted->group, noted->earlier);
        find_layout(facts, recording, noted->group.resource);
        report_describe_barriers(recording->call, &facts->between);
        skip |= tell_hazard(recording->call, facts, noted->own);
        report_free_between(&facts->between);
        report_free_side(&facts->self);
        report_free_side(&facts->earlier);
        mem_free(noted);
    }
    recording->hazards = NULL;
    return skip;
}

/* --- hazards of submitted work --- */

/* Finds one side of a hazard between submissions, and its resource by id. Returns false if its
 * command is not known any more. */
static bool find_submitted(struct report_side *side, const struct call *call,
                           const struct sync_resolver *resolver, uint64_t tag,
                           const struct sync_place *place, uint32_t alias,
                           struct sync_submitted *submitted, uint64_t *resource)
{
    if (!resolver->find(resolver, tag, submitted))
        return false;
    *resource = report_resource(submitted->origin.entry, side->usage, place, alias);
    report_find_side(side, call, &submitted->origin, submitted->submitted, *resource);
    side->queue = report_look_up(call, submitted->queue);
    side->submission = submitted->submission;
    return true;
}

void sync_report_submitted_hazard(const struct call *call, const struct sync_resolver *resolver,
                                  const struct hazard_group *group,
                                  const struct sync_access *access,
                                  const struct sync_barrier *barrier,
                                  const struct sync_hazard *hazard,
                                  const struct report_between *between,
                                  const struct report_mend *mend)
{
    struct sync_submitted self, earlier;
    if (!finding_is_heard(call, SEVERITY_ERROR, sync_hazard_id(hazard->kind)))
        return;
    if (group->muted) {
        reporter_count_muted_by_label(call->instance->reporter);
        return;
    }
    struct report_facts facts = begin_facts(call, access, hazard);
    uint64_t resource, earlier_resource = 0;
    bool known = find_submitted(&facts.self, call, resolver, access->tag, &group->place,
                                alias_of(access->ordering, access->instance), &self, &resource);
    bool known_earlier =
        find_submitted(&facts.earlier, call, resolver, hazard->prior.tag, &group->place,
                       alias_of(hazard->prior.ordering, hazard->prior.instance), &earlier,
                       &earlier_resource);
    facts.same_command_buffer =
        known && known_earlier && self.origin.log && self.origin.log == earlier.origin.log &&
        self.submission == earlier.submission && self.queue == earlier.queue;
    find_extents(&facts, group, earlier_resource);
    facts.semaphore_count = resolver->operation_count;
    for (uint32_t i = 0; i < facts.semaphore_count; i++)
        facts.semaphores[i] = (struct report_semaphore){
            .semaphore = report_look_up(call, resolver->operations[i].semaphore),
            .queue = report_look_up(call, resolver->operations[i].queue),
            .operation = resolver->operations[i]};
    if (between)
        facts.between = *between;
    if (barrier)
        report_judge_own_barrier(&facts.between, barrier, access, hazard);
    find_mend(&facts, NULL, access, barrier, hazard);
    /* Both accesses are in one recording, whose mend is more exact. */
    if (mend && facts.mend.kind == MEND_BARRIER) {
        facts.mend.kind = mend->kind;
        facts.mend.src_subpass = mend->src_subpass;
        facts.mend.dst_subpass = mend->dst_subpass;
    }
    report_describe_barriers(call, &facts.between);
    if (known)
        (void)!tell_hazard(call, &facts, false);
    report_free_between(&facts.between);
    report_free_side(&facts.self);
    report_free_side(&facts.earlier);
    for (uint32_t i = 0; i < facts.semaphore_count; i++) {
        mem_free(facts.semaphores[i].semaphore.name);
        mem_free(facts.semaphores[i].queue.name);
    }
}
