/* Changes the state of a range at accesses and barriers, and finds accesses that come too early. */
#include "sync/access/access_state.h"

#include <string.h>

#include "sync/access/access_context.h"
#include "sync/access/usage_mask.h"

/* --- queues' knowledge of a record --- */

/* Finds what a queue knows of a record that another queue made; NULL: nothing. The list is short:
 * it has the queues that have waited for the access. */
static struct sync_foreign *find_foreign(const struct sync_record *record, uint8_t queue)
{
    struct sync_foreign *foreign = record->foreign;
    while (foreign && foreign->queue != queue)
        foreign = foreign->next;
    return foreign;
}

/* Returns the stages of the queue whose later operations happen after the record. */
static inline sync_stage_mask reached_stages(const struct sync_record *record, uint8_t queue)
{
    if (likely(record->queue == queue))
        return record->stages;
    const struct sync_foreign *foreign = find_foreign(record, queue);
    return foreign ? foreign->stages : 0;
}

/* Returns the queue's stages that form a dependency chain with the record when they are in a source
 * scope. These are stages that the record has reached, and stages of subpasses that have ended. */
static inline sync_stage_mask chained_stages(const struct sync_record *record, uint8_t queue)
{
    if (likely(record->queue == queue))
        return record->stages | record->passed;
    const struct sync_foreign *foreign = find_foreign(record, queue);
    return foreign ? foreign->stages | foreign->passed : 0;
}

/* Returns the usages of the queue to which the state's write is visible. */
static inline struct usage_mask visible_to(const struct sync_state *state, uint8_t queue)
{
    if (likely(state->write.queue == queue))
        return state->visible;
    const struct sync_foreign *foreign = find_foreign(&state->write, queue);
    return foreign ? foreign->visible : (struct usage_mask){0};
}

static inline sync_stage_mask usage_stage(uint16_t usage)
{
    return sync_usage_info[usage].stage_mask;
}

/* The presentation engine only reads, but nothing may access the image until it has been acquired
 * again. So a present counts as a write, both for later and for earlier accesses. */
static inline bool acts_as_write(uint16_t usage)
{
    return sync_usage_info[usage].is_write || usage == SYNC_PRESENT_ENGINE_READ;
}

/* --- checks --- */

/* True if rasterization order, or load and store operations, order the two accesses for each
 * sample, whatever barriers there are. */
static bool is_ordered(const struct sync_record *prior, const struct sync_access *access)
{
    if (unlikely(access->ordering == SYNC_ORDER_ATOMIC || prior->ordering == SYNC_ORDER_ATOMIC))
        return access->ordering == prior->ordering;
    if (!access->instance || prior->instance != access->instance)
        return false;
    if (access->ordering == SYNC_ORDER_ALIAS)
        /* aliases.c compares an image's accesses with each other */
        return prior->ordering == SYNC_ORDER_ALIAS;
    if (prior->queue != access->queue)
        return false;
    if (access->ordering == SYNC_UNORDERED || prior->ordering == SYNC_UNORDERED)
        return false;
    if (access->ordering == SYNC_ORDER_STORE || prior->ordering == SYNC_ORDER_LOAD)
        return true;
    if (access->ordering == SYNC_ORDER_RESOLVE)
        return prior->ordering !=
               SYNC_ORDER_INPUT; /* "happens-after any recorded command which writes a pixel" */
    return prior->ordering == access->ordering && access->ordering != SYNC_ORDER_INPUT;
}

/* Returns the kind of hazard between two accesses that are not ordered. Hazards with presents and
 * acquires have kinds of their own. */
static enum hazard hazard_kind(const struct sync_record *prior, uint16_t usage, uint8_t queue)
{
    bool write = acts_as_write(usage), after_write = acts_as_write(prior->usage);
    if (usage == SYNC_PRESENT_ENGINE_READ)
        return after_write ? HAZARD_PRESENT_AFTER_WRITE : HAZARD_PRESENT_AFTER_READ;
    if (prior->usage == SYNC_PRESENT_ENGINE_READ || prior->usage == SYNC_PRESENT_ENGINE_ACQUIRE)
        return write ? HAZARD_WRITE_AFTER_PRESENT : HAZARD_READ_AFTER_PRESENT;
    bool racing = prior->queue != queue && !reached_stages(prior, queue);
    if (!write)
        return racing ? HAZARD_READ_RACING_WRITE : HAZARD_READ_AFTER_WRITE;
    if (after_write)
        return racing ? HAZARD_WRITE_RACING_WRITE : HAZARD_WRITE_AFTER_WRITE;
    return racing ? HAZARD_WRITE_RACING_READ : HAZARD_WRITE_AFTER_READ;
}

/* Fills in the hazard, and copies what a report needs from the state: the state changes when the
 * access is recorded. */
COLD static enum hazard found(const struct sync_state *state, const struct sync_record *prior,
                              uint16_t usage, uint8_t queue, struct sync_hazard *hazard)
{
    *hazard = (struct sync_hazard){
        .kind = hazard_kind(prior, usage, queue),
        .prior = *prior,
        .ordered = reached_stages(prior, queue),
    };
    if (prior == &state->write)
        hazard->visible = visible_to(state, queue);
    return hazard->kind;
}

/* True if an access by `queue` with this usage may follow the state's write. A read has to see it.
 * For a write it is enough that the earlier one was made available before: "X is a write and Y is a
 * write, and X->AV(A,R,D,L)->DOM(D,D)->Y" ("Location-Ordered", appendix "Memory Model"). A write
 * reaches stages only once it is available. */
static inline bool may_follow(const struct sync_state *state, uint16_t usage, uint8_t queue)
{
    struct usage_mask visible = visible_to(state, queue);
    return usage_mask_has(&visible, usage) ||
           (sync_usage_info[usage].is_write &&
            reached_stages(&state->write, queue) & usage_stage(usage));
}

/* True if a load operation of the access's instance has read the range. "The previous contents of
 * the image within the render area will be preserved as the initial values" (8.2 "Load
 * Operations"). It "happens-before any recorded command which accesses the sample", so that input
 * attachments find these values. */
static bool was_loaded(const struct sync_state *state, const struct sync_access *access)
{
    bool loaded = false;
    for (uint32_t i = 0; access->instance && i < state->read_count; i++) {
        const struct sync_record *read = sync_state_read(state, i);
        loaded |= read->loaded && read->instance == access->instance;
    }
    return loaded;
}

enum hazard sync_state_check(const struct sync_state *state, const struct sync_access *access,
                             struct sync_hazard *hazard)
{
    assert(access->usage != SYNC_NONE && access->usage < SYNC_USAGE_COUNT);
    /* A write that happens after a read of the earlier write, which was visible to that read,
     * happens after that write. */
    bool after_saw_write = false;
    if (acts_as_write(access->usage)) {
        for (uint32_t i = 0; i < state->read_count; i++) {
            const struct sync_record *read = sync_state_read(state, i);
            bool ordered = is_ordered(read, access);
            if (!ordered && !(reached_stages(read, access->queue) & usage_stage(access->usage)))
                return found(state, read, access->usage, access->queue, hazard);
            /* a hazard of an ordered read has been reported */
            after_saw_write |= ordered || read->saw_write;
        }
    }
    const struct sync_record *write = &state->write;
    if (write->usage == SYNC_NONE || after_saw_write || is_ordered(write, access))
        return HAZARD_NONE;
    if (likely(may_follow(state, access->usage, access->queue)) ||
        (access->usage == SYNC_FRAGMENT_SHADER_INPUT_ATTACHMENT_READ && was_loaded(state, access)))
        return HAZARD_NONE;
    return found(state, write, access->usage, access->queue, hazard);
}

/* True if the record is in the first scope of a wait, by the bits that the record got when the
 * event was set or the semaphore signaled. */
static bool in_snapshots(const struct sync_record *record, const struct sync_barrier *barrier)
{
    if (record->in_scopes & barrier->snapshots)
        return true;
    return barrier->snapshots & SYNC_SNAPSHOT_ANY &&
           (record->queue == barrier->from_queue || chained_stages(record, barrier->from_queue));
}

/* True if the record is in the barrier's first scope. */
static inline bool in_first_scope(const struct sync_record *record,
                                  const struct sync_barrier *barrier)
{
    if (unlikely(barrier->snapshots))
        return in_snapshots(record, barrier);
    if (record->queue == barrier->queue && record->tag >= barrier->first_tag &&
        (barrier->everything || usage_stage(record->usage) & barrier->src.stages))
        return true;
    return (chained_stages(record, barrier->queue) & barrier->src.stages) != 0;
}

/* True if the barrier's availability operation happens after the write, and so makes it
 * available. */
static inline bool made_available(const struct sync_record *write,
                                  const struct sync_barrier *barrier)
{
    if (unlikely(barrier->snapshots)) {
        return in_snapshots(write, barrier) &&
               (usage_mask_has(&barrier->src.accesses, (enum sync_usage)write->usage) ||
                write->available_in & barrier->snapshots ||
                (barrier->snapshots & SYNC_SNAPSHOT_ANY &&
                 chained_stages(write, barrier->from_queue)));
    }
    if (write->queue == barrier->queue && write->tag >= barrier->first_tag &&
        (usage_mask_has(&barrier->src.accesses, (enum sync_usage)write->usage) ||
         /* a transition makes its own writes available */
         (barrier->everything && !usage_stage(write->usage))))
        return true;
    return (chained_stages(write, barrier->queue) & barrier->src.stages) != 0;
}

/* True if the batch that makes the transition has waited for the access with all its commands, by
 * semaphores (sync_scope_wait()). */
static bool waits_for_all(const struct sync_record *record, const struct sync_barrier *barrier)
{
    return (reached_stages(record, barrier->queue) & SYNC_TRANSITIONS) != 0;
}

enum hazard sync_state_check_transition(const struct sync_state *state,
                                        const struct sync_barrier *barrier, uint32_t alias,
                                        struct sync_hazard *hazard)
{
    bool after_saw_write = false;
    for (uint32_t i = 0; i < state->read_count; i++) {
        const struct sync_record *read = sync_state_read(state, i);
        if (!in_first_scope(read, barrier) && !waits_for_all(read, barrier) &&
            !sync_record_is_of_alias(read, alias))
            return found(state, read, SYNC_IMAGE_LAYOUT_TRANSITION, barrier->queue, hazard);
        after_saw_write |= read->saw_write;
    }
    const struct sync_record *write = &state->write;
    if (write->usage == SYNC_NONE || after_saw_write || made_available(write, barrier) ||
        waits_for_all(write, barrier))
        return HAZARD_NONE;
    /* "Layout transitions [...] execute in their entirety in submission order, relative to other
     * image layout transitions submitted to the same queue." */
    if (write->usage == SYNC_IMAGE_LAYOUT_TRANSITION && write->queue == barrier->queue)
        return HAZARD_NONE;
    if (sync_record_is_of_alias(write, alias))
        return HAZARD_NONE;
    return found(state, write, SYNC_IMAGE_LAYOUT_TRANSITION, barrier->queue, hazard);
}

/* --- changes --- */

/* Removes one read, and keeps the order of the other reads. */
static void remove_read(struct sync_state *state, uint32_t i)
{
    assert(i < state->read_count);
    for (state->read_count--; i < state->read_count; i++)
        *sync_state_read(state, i) = *sync_state_read(state, i + 1);
}

/* Removes the oldest read, as a state has SYNC_READS at most. A later write that should have waited
 * for that read is missed; there is never a wrong finding. */
static void forget_oldest_read(struct sync_state *state)
{
    assert(state->read_count);
    uint32_t oldest = 0;
    for (uint32_t i = 1; i < state->read_count; i++) {
        if (sync_state_read(state, i)->tag < sync_state_read(state, oldest)->tag)
            oldest = i;
    }
    remove_read(state, oldest);
}

/* Makes room for one more read; beyond SYNC_READS the oldest one is forgotten. Returns NULL if
 * memory is out. */
static struct sync_record *append_read(struct sync_state *state, struct arena *arena)
{
    if (state->read_count == SYNC_READS)
        forget_oldest_read(state);
    if (state->read_count >= SYNC_INLINE_READS + state->read_capacity) {
        uint16_t capacity = (uint16_t)(state->read_capacity ? state->read_capacity * 2 : 4);
        struct sync_record *more = arena_take(arena, capacity * sizeof *more);
        if (!more)
            return NULL;
        if (state->read_capacity)
            memcpy(more, state->more_reads, state->read_capacity * sizeof *more);
        state->more_reads = more;
        state->read_capacity = capacity;
    }
    return sync_state_read(state, state->read_count++);
}

/* Returns the record of a new access, which nothing is ordered after yet. */
static inline struct sync_record record_of(const struct sync_access *access)
{
    return (struct sync_record){.tag = access->tag,
                                .instance = access->instance,
                                .usage = access->usage,
                                .queue = access->queue,
                                .ordering = access->ordering};
}

/* True if the older read need not be kept, because any write that comes too early for it also comes
 * too early for the newer one. Reads in the same stage are in the same first scopes, but for those
 * of a subpass (`first_tag`). A newer read that is ordered per sample within its subpass does not
 * stand in for a read that is not. For the load operation, which happens before it, the newer read
 * stands in with any stage. */
static bool stands_in(const struct sync_record *older, const struct sync_access *newer,
                      uint64_t first_tag)
{
    if (older->queue != newer->queue || older->tag < first_tag)
        return false;
    bool in_order = newer->ordering != SYNC_UNORDERED && newer->instance;
    if (in_order && older->instance == newer->instance && older->ordering == SYNC_ORDER_LOAD)
        return true;
    return usage_stage(older->usage) == usage_stage(newer->usage) &&
           (!in_order ||
            (older->instance == newer->instance && older->ordering == newer->ordering));
}

/* A subpass's new read replaces no read outside of it, and no unordered one. Of those with its
 * stage and queue, from `first_tag` on, only the newest is kept. */
static void forget_outside(struct sync_state *state, const struct sync_access *access,
                           uint64_t first_tag)
{
    uint32_t newest = UINT32_MAX;
    for (uint32_t i = 0; i < state->read_count; i++) {
        const struct sync_record *read = sync_state_read(state, i);
        if (usage_stage(read->usage) != usage_stage(access->usage) ||
            read->queue != access->queue || read->tag < first_tag ||
            (read->instance == access->instance && read->ordering != SYNC_UNORDERED))
            continue;
        if (newest != UINT32_MAX) {
            uint32_t older = sync_state_read(state, newest)->tag < read->tag ? newest : i;
            newest = older == i ? newest : i - 1;
            remove_read(state, older);
            i--;
        } else {
            newest = i;
        }
    }
}

/* Records a read, in the place of reads that it stands in for. Returns false if memory is out. */
static bool add_read(struct sync_state *state, const struct sync_access *access, uint64_t first_tag,
                     struct arena *arena)
{
    struct sync_record record = record_of(access);
    struct usage_mask visible = visible_to(state, access->queue);
    record.saw_write = usage_mask_has(&visible, (enum sync_usage)access->usage) ||
                       is_ordered(&state->write, access);
    if (unlikely(access->instance)) {
        bool input = access->usage == SYNC_FRAGMENT_SHADER_INPUT_ATTACHMENT_READ;
        record.loaded = access->ordering == SYNC_ORDER_LOAD ? record.saw_write
                        : input || access->ordering == SYNC_ORDER_COLOR ||
                                access->ordering == SYNC_ORDER_DEPTH_STENCIL
                            ? was_loaded(state, access)
                            : false;
        record.saw_write |= input && record.loaded;
        forget_outside(state, access, first_tag);
    }
    struct sync_record *place = NULL;
    for (uint32_t i = 0; i < state->read_count; i++) {
        struct sync_record *read = sync_state_read(state, i);
        if (!stands_in(read, access, first_tag))
            continue;
        /* The older read is in every first scope that has the new one. */
        if (!place)
            place = read;
        else
            remove_read(state, i--);
    }
    if (!place)
        place = append_read(state, arena);
    if (!place)
        return false;
    *place = record;
    return true;
}

bool sync_state_add(struct sync_state *state, const struct sync_access *access, uint64_t first_tag,
                    struct arena *arena)
{
    assert(access->usage != SYNC_NONE && access->ordering <= SYNC_ORDER_ALIAS);
    if (!acts_as_write(access->usage))
        return add_read(state, access, first_tag, arena);
    state->read_count = 0;
    state->write = record_of(access);
    state->visible = (struct usage_mask){0};
    return true;
}

void sync_state_add_transition(struct sync_state *state, const struct sync_barrier *barrier,
                               uint32_t alias, uint64_t tag, bool discards)
{
    uint8_t discarded = discards ? SYNC_DISCARDED_BY_TRANSITION : state->write.discarded;
    state->read_count = 0;
    state->write = (struct sync_record){
        .tag = tag,
        .stages = barrier->dst.stages,
        .instance = alias,
        .usage = SYNC_IMAGE_LAYOUT_TRANSITION,
        .queue = barrier->queue,
        .ordering = alias ? SYNC_ORDER_ALIAS : SYNC_UNORDERED,
        .discarded = discarded,
    };
    state->visible = barrier->dst.accesses;
}

/* Finds or adds the list element with what another queue knows of the record. Returns NULL if
 * memory is out. */
static struct sync_foreign *foreign_of(struct sync_record *record, uint8_t queue,
                                       struct arena *arena)
{
    struct sync_foreign *foreign = find_foreign(record, queue);
    if (foreign)
        return foreign;
    foreign = arena_take(arena, sizeof *foreign);
    if (!foreign)
        return NULL;
    *foreign = (struct sync_foreign){.next = record->foreign, .queue = queue};
    return record->foreign = foreign;
}

/* Adds to the stages and accesses of a queue that are ordered after the record. `own_visible` is
 * the visibility of a write on its own queue; NULL for a read. Returns false if memory is out. */
static bool record_extend(struct sync_record *record, uint8_t queue, sync_stage_mask stages,
                          const struct usage_mask *accesses, struct usage_mask *own_visible,
                          struct arena *arena)
{
    if (likely(record->queue == queue)) {
        record->stages |= stages;
        if (own_visible)
            *own_visible = usage_mask_or(*own_visible, *accesses);
        return true;
    }
    struct sync_foreign *foreign = foreign_of(record, queue, arena);
    if (!foreign)
        return false;
    foreign->stages |= stages;
    if (own_visible)
        foreign->visible = usage_mask_or(foreign->visible, *accesses);
    return true;
}

/* Adds stages of ended subpasses, which form chains on that queue. Returns false if memory is
 * out. */
static bool add_passed(struct sync_record *record, uint8_t queue, sync_stage_mask passed,
                       struct arena *arena)
{
    if (!passed)
        return true;
    if (record->queue == queue) {
        record->passed |= passed;
        return true;
    }
    struct sync_foreign *foreign = foreign_of(record, queue, arena);
    if (foreign)
        foreign->passed |= passed;
    return foreign != NULL;
}

/* Adds the barriers' second scopes to each read that is in their first scopes. All barriers are of
 * one queue. Returns false if memory is out. */
static bool apply_to_reads(struct sync_state *state, const struct sync_barrier *barriers,
                           uint32_t count, struct arena *arena)
{
    for (uint32_t i = 0; i < state->read_count; i++) {
        struct sync_record *read = sync_state_read(state, i);
        sync_stage_mask stages = 0;
        for (uint32_t k = 0; k < count; k++)
            stages |= in_first_scope(read, &barriers[k]) ? barriers[k].dst.stages : 0;
        if (stages && !record_extend(read, barriers->queue, stages, NULL, NULL, arena))
            return false;
    }
    return true;
}

/* Adds the barriers' second scopes to the write, with the accesses that they make it visible to.
 * Returns false if memory is out. */
static bool apply_to_write(struct sync_state *state, const struct sync_barrier *barriers,
                           uint32_t count, struct arena *arena)
{
    sync_stage_mask stages = 0;
    struct usage_mask accesses = {0};
    for (uint32_t k = 0; k < count; k++) {
        if (made_available(&state->write, &barriers[k])) {
            stages |= barriers[k].dst.stages;
            accesses = usage_mask_or(accesses, barriers[k].dst.accesses);
        }
    }
    return !stages ||
           record_extend(&state->write, barriers->queue, stages, &accesses, &state->visible, arena);
}

/* Empties a state because memory is out. Without records no hazard is found here, and none is
 * wrong. */
static void state_empty(struct sync_state *state)
{
    state->read_count = 0;
    state->write = (struct sync_record){0};
}

void sync_state_apply(struct sync_state *state, const struct sync_barrier *barriers, uint32_t count,
                      struct arena *arena)
{
    if (!apply_to_reads(state, barriers, count, arena) ||
        (state->write.usage != SYNC_NONE && !apply_to_write(state, barriers, count, arena)))
        state_empty(state);
}

/* --- render pass objects --- */

/* Called when a new subpass begins: dependency chains of the previous one lead no further. */
static void forget_passed(struct sync_record *record)
{
    record->passed = 0;
    for (struct sync_foreign *foreign = record->foreign; foreign; foreign = foreign->next)
        foreign->passed = 0;
}

/* Replaces the stages that a record is ordered before by those that the barriers carry on.
 * `visible` is the visibility of a write; NULL for a read. Returns false if memory is out. */
static bool record_carry(struct sync_record *record, struct usage_mask *visible,
                         const struct sync_barrier *barriers, uint32_t count, bool made_here,
                         bool ends, uint8_t queue, struct arena *arena)
{
    sync_stage_mask stages = 0, known = reached_stages(record, queue);
    struct usage_mask accesses = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct sync_barrier *barrier = &barriers[i];
        /* A write has to be made available, so its access counts; of a read, its stage is
         * enough. */
        bool direct =
            made_here &&
            (visible ? usage_mask_has(&barrier->src.accesses, (enum sync_usage)record->usage) ||
                           (barrier->everything && !usage_stage(record->usage))
                     : (usage_stage(record->usage) & barrier->src.stages) != 0);
        if (direct || known & barrier->src.stages) {
            stages |= barrier->dst.stages;
            accesses = usage_mask_or(accesses, barrier->dst.accesses);
        }
    }
    record->stages = record->passed = 0;
    record->foreign = NULL;
    if (visible)
        *visible = (struct usage_mask){0};
    if (ends && !add_passed(record, queue, known, arena))
        return false;
    return !stages || record_extend(record, queue, stages, &accesses, visible, arena);
}

void sync_state_enter(struct sync_state *state)
{
    for (uint32_t i = 0; i < state->read_count; i++)
        forget_passed(sync_state_read(state, i));
    forget_passed(&state->write);
}

/* True if the record was made in the subpass that has these tags. */
static bool made_within(const struct sync_record *record, uint64_t first_tag, uint64_t end_tag)
{
    return record->tag >= first_tag && record->tag < end_tag;
}

bool sync_state_carry(struct sync_state *state, const struct sync_barrier *barriers, uint32_t count,
                      uint64_t first_tag, uint64_t end_tag, bool ends, uint8_t queue,
                      struct arena *arena)
{
    bool done = true;
    for (uint32_t i = 0; i < state->read_count; i++) {
        struct sync_record *read = sync_state_read(state, i);
        done &= record_carry(read, NULL, barriers, count, made_within(read, first_tag, end_tag),
                             ends, queue, arena);
    }
    if (state->write.usage != SYNC_NONE)
        done &= record_carry(&state->write, &state->visible, barriers, count,
                             made_within(&state->write, first_tag, end_tag), ends, queue, arena);
    if (!done)
        state_empty(state);
    return done;
}

/* Returns the stages that are ordered after a record when a subpass has ended: `stages`, which were
 * so when it began, and those that its barriers add. */
static sync_stage_mask pass_barriers(const struct access_log *log, sync_stage_mask stages)
{
    sync_stage_mask added = 0;
    for (uint32_t i = 0; i < log->count; i++) {
        const struct log_entry *entry = &log->entries[i];
        if (entry->kind == LOG_BARRIER && stages & entry->barrier.src.stages)
            added |= entry->barrier.dst.stages;
        /* Barriers of one command are not in each other's first scopes. */
        if (entry->last_of_command)
            stages |= added;
    }
    return stages | added;
}

/* Passes a record from before the instance through the dependencies of subpasses, and adds the
 * stages that come after it. */
static bool record_pass(struct sync_record *record, struct usage_mask *visible,
                        const struct sync_graph *graph, const struct sync_view *subpasses,
                        uint32_t begun, uint8_t queue, struct arena *arena)
{
    sync_stage_mask before = reached_stages(record, queue), within[SYNC_SUBPASSES], passed = 0,
                    after = 0;
    struct usage_mask accesses = {0};
    uint32_t next = 0;
    for (uint32_t subpass = 0; subpass <= begun; subpass++) {
        /* The last round is for dependencies that lead out of the instance. */
        uint32_t dst = subpass < begun ? subpass : SYNC_EXTERNAL;
        sync_stage_mask stages = before;
        /* Sorted by `dst`: each dependency is looked at once. */
        for (; next < graph->dependency_count && graph->dependencies[next].dst <= dst; next++) {
            const struct sync_dependency *dependency = &graph->dependencies[next];
            if (dependency->dst != dst ||
                (dependency->src != SYNC_EXTERNAL && dependency->src >= begun))
                continue;
            struct sync_barrier barrier = dependency->barrier;
            barrier.queue = queue;
            bool covered = dependency->src == SYNC_EXTERNAL
                               ? (visible ? made_available(record, &barrier)
                                          : in_first_scope(record, &barrier))
                               : (within[dependency->src] & barrier.src.stages) != 0;
            if (!covered)
                continue;
            stages |= barrier.dst.stages;
            if (dst == SYNC_EXTERNAL) {
                after |= barrier.dst.stages;
                accesses = usage_mask_or(accesses, barrier.dst.accesses);
            }
        }
        if (dst == SYNC_EXTERNAL)
            break;
        /* Barriers inside of the subpass carry the stages on. */
        within[subpass] = pass_barriers(&subpasses[subpass].log, stages);
        passed |= within[subpass];
    }
    /* Stages that the record reached only inside count for chains that begin there. */
    if (!add_passed(record, queue, passed & ~before, arena))
        return false;
    return !after || record_extend(record, queue, after, &accesses, visible, arena);
}

void sync_state_pass(struct sync_state *state, const struct sync_graph *graph,
                     const struct sync_view *subpasses, uint32_t begun, uint8_t queue,
                     struct arena *arena)
{
    bool done = true;
    for (uint32_t i = 0; i < state->read_count; i++)
        done &= record_pass(sync_state_read(state, i), NULL, graph, subpasses, begun, queue, arena);
    if (state->write.usage != SYNC_NONE)
        done &= record_pass(&state->write, &state->visible, graph, subpasses, begun, queue, arena);
    if (!done)
        state_empty(state);
}

/* Notes in the record whether it is in the scope. Old bits are cleared first, as numbers are used
 * again. */
static void take_snapshot(struct sync_record *record, const struct sync_barrier *scope,
                          uint64_t bits)
{
    sync_stage_mask reached = chained_stages(record, scope->queue);
    /* a transition makes its own writes available */
    bool transition = record->usage == SYNC_IMAGE_LAYOUT_TRANSITION;
    record->in_scopes &= ~bits;
    record->available_in &= ~bits;
    if (in_first_scope(record, scope) || (scope->everything && reached))
        record->in_scopes |= bits;
    if (reached & scope->src.stages ||
        (scope->everything && (reached || (transition && record->queue == scope->queue))))
        record->available_in |= bits;
}

void sync_state_snapshot(struct sync_state *state, const struct sync_barrier *scope, uint64_t bits)
{
    assert(bits);
    for (uint32_t i = 0; i < state->read_count; i++)
        take_snapshot(sync_state_read(state, i), scope, bits);
    if (state->write.usage != SYNC_NONE)
        take_snapshot(&state->write, scope, bits);
}

/* --- comparisons --- */

/* Compares two records. Records that other queues know of never count as equal, as their lists
 * would have to be compared. */
static bool records_are_equal(const struct sync_record *a, const struct sync_record *b)
{
    return a->tag == b->tag && a->in_scopes == b->in_scopes && a->available_in == b->available_in &&
           a->stages == b->stages && a->passed == b->passed && !a->foreign && !b->foreign &&
           a->instance == b->instance && a->usage == b->usage && a->queue == b->queue &&
           a->ordering == b->ordering && a->saw_write == b->saw_write && a->loaded == b->loaded &&
           a->discarded == b->discarded;
}

bool sync_states_are_equal(const struct sync_state *a, const struct sync_state *b)
{
    if (a->caught_up != b->caught_up || a->read_count != b->read_count ||
        a->write.usage != b->write.usage)
        return false;
    for (uint32_t i = 0; i < a->read_count; i++) {
        if (!records_are_equal(sync_state_read(a, i), sync_state_read(b, i)))
            return false;
    }
    return a->write.usage == SYNC_NONE || (records_are_equal(&a->write, &b->write) &&
                                           !memcmp(&a->visible, &b->visible, sizeof(a->visible)));
}

/* --- copies --- */

/* Replaces the record's list by a copy in the arena. Returns false if memory is out; the list is
 * cut then. */
static bool copy_foreign(struct sync_record *record, struct arena *arena)
{
    const struct sync_foreign *from = record->foreign;
    for (struct sync_foreign **to = &record->foreign; from; from = from->next, to = &(*to)->next) {
        *to = arena_take(arena, sizeof **to);
        if (!*to)
            return false;
        **to = *from;
    }
    return true;
}

bool sync_state_copy(struct sync_state *to, const struct sync_state *from, struct arena *arena)
{
    assert(to != from);
    *to = *from;
    bool copied = copy_foreign(&to->write, arena);
    if (from->read_count > SYNC_INLINE_READS) {
        to->more_reads = arena_take(arena, from->read_capacity * sizeof *to->more_reads);
        copied &= to->more_reads != NULL;
        if (to->more_reads)
            memcpy(to->more_reads, from->more_reads,
                   (from->read_count - SYNC_INLINE_READS) * sizeof *to->more_reads);
    } else {
        to->read_capacity = 0;
    }
    for (uint32_t i = 0; copied && i < to->read_count; i++)
        copied = copy_foreign(sync_state_read(to, i), arena);
    if (!copied)
        *to = (struct sync_state){.caught_up = from->caught_up};
    return copied;
}

/* True if two records are of one access, which may have left them in several pieces, or in two
 * contexts. */
static bool same_access(const struct sync_record *a, const struct sync_record *b)
{
    return a->tag == b->tag && a->usage == b->usage && a->queue == b->queue;
}

/* Adds to a record what another copy of it knows. */
static bool record_unite(struct sync_record *record, const struct sync_record *other,
                         struct usage_mask *visible, const struct usage_mask *other_visible,
                         struct arena *arena)
{
    record->in_scopes |= other->in_scopes;
    record->available_in |= other->available_in;
    record->passed |= other->passed;
    bool done = record_extend(record, record->queue, other->stages, other_visible, visible, arena);
    for (const struct sync_foreign *foreign = other->foreign; done && foreign;
         foreign = foreign->next) {
        done = record_extend(record, foreign->queue, foreign->stages, &foreign->visible, visible,
                             arena) &&
               add_passed(record, foreign->queue, foreign->passed, arena);
    }
    return done;
}

/* True if the older read is in every first scope that the newer one, of the same stage and queue,
 * is in. */
static bool record_covers(const struct sync_record *newer, const struct sync_record *older)
{
    return newer->queue == older->queue && usage_stage(newer->usage) == usage_stage(older->usage) &&
           newer->instance == older->instance && newer->ordering == older->ordering &&
           newer->tag >= older->tag && !(newer->stages & ~older->stages) &&
           !(newer->passed & ~older->passed) && !newer->foreign && !older->foreign &&
           !(newer->in_scopes & ~older->in_scopes);
}

/* Adds a copy of a read, with its list of other queues. False: memory is out. */
static bool append_copy(struct sync_state *state, const struct sync_record *read,
                        struct arena *arena)
{
    struct sync_record *place = append_read(state, arena);
    if (!place)
        return false;
    *place = *read;
    return copy_foreign(place, arena);
}

/* Adds a read, or unites it with an earlier record of the same access. No read is dropped here:
 * knowledge of one record may come from several pieces. */
static bool merge_read(struct sync_state *state, const struct sync_record *other,
                       struct arena *arena)
{
    for (uint32_t i = 0; i < state->read_count; i++) {
        struct sync_record *read = sync_state_read(state, i);
        if (same_access(read, other)) {
            read->saw_write |= other->saw_write;
            return record_unite(read, other, NULL, NULL, arena);
        }
    }
    return append_copy(state, other, arena);
}

void sync_state_forget_covered(struct sync_state *state)
{
    for (uint32_t i = 0; i < state->read_count; i++) {
        for (uint32_t k = 0; k < state->read_count; k++) {
            if (k == i || !record_covers(sync_state_read(state, k), sync_state_read(state, i)))
                continue;
            remove_read(state, i--);
            break;
        }
    }
}

void sync_state_merge(struct sync_state *state, const struct sync_state *other, struct arena *arena)
{
    assert(state != other);
    bool merged = true;
    if (same_access(&state->write, &other->write)) {
        if (state->write.usage != SYNC_NONE)
            merged =
                record_unite(&state->write, &other->write, &state->visible, &other->visible, arena);
        for (uint32_t i = 0; merged && i < other->read_count; i++)
            merged = merge_read(state, sync_state_read(other, i), arena);
        /* The other state's write is newer, and so are all reads after it. */
    } else if (other->write.usage != SYNC_NONE &&
               (state->write.usage == SYNC_NONE || state->write.tag < other->write.tag)) {
        uint32_t caught_up = state->caught_up;
        merged = sync_state_copy(state, other, arena);
        state->caught_up = caught_up;
    }
    if (!merged)
        state_empty(state);
}

/* Adds a read of another state, or unites it with this state's record of the same access. False:
 * memory is out. */
static bool take_over_read(struct sync_state *state, const struct sync_record *from,
                           uint64_t first_tag, struct arena *arena)
{
    struct usage_mask visible = visible_to(state, from->queue);
    bool saw_write = from->saw_write || usage_mask_has(&visible, (enum sync_usage)from->usage);
    for (uint32_t i = 0; i < state->read_count; i++) {
        struct sync_record *read = sync_state_read(state, i);
        if (same_access(read, from))
            return record_unite(read, from, NULL, NULL, arena);
        if (read->usage == from->usage && read->queue == from->queue)
            saw_write |=
                /* the first such read of the command buffer, replayed where barriers of a subpass
                 * applied */
                read->saw_write;
        if ((read->tag < first_tag) != (from->tag < first_tag))
            continue; /* only one of the two reads is in the subpass' first scopes */
        if (record_covers(read, from))
            return true;
        if (record_covers(from, read))
            remove_read(state, i--);
    }
    if (!append_copy(state, from, arena))
        return false;
    sync_state_read(state, state->read_count - 1u)->saw_write = saw_write;
    return true;
}

void sync_state_take_over(struct sync_state *state, const struct sync_state *from,
                          uint64_t first_tag, struct arena *arena)
{
    bool done = true;
    if (from->write.usage != SYNC_NONE) {
        /* The copied position is one in the other log, which means nothing here. */
        uint32_t caught_up = state->caught_up;
        done = sync_state_copy(state, from, arena);
        state->caught_up = caught_up;
    }
    for (uint32_t i = 0; done && from->write.usage == SYNC_NONE && i < from->read_count; i++)
        done = take_over_read(state, sync_state_read(from, i), first_tag, arena);
    if (!done)
        state_empty(state);
}
