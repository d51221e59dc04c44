/* Makes the programs that are tried. Most of their barriers are made for the accesses around them,
 * so that they get far before the first hazard. */
#include "program.h"

#include <string.h>

#include "sync/access/access_state.h"

#define PAIR(stage, name, access, write) \
    {#stage " " #name, stage, VK_PIPELINE_STAGE_2_##name, VK_ACCESS_2_##access, write}

const struct usage usages[USAGES + 1] = {
    PAIR(DRAW_INDIRECT, DRAW_INDIRECT_BIT, INDIRECT_COMMAND_READ_BIT, false),
    PAIR(VERTEX_INPUT, VERTEX_ATTRIBUTE_INPUT_BIT, VERTEX_ATTRIBUTE_READ_BIT, false),
    PAIR(VERTEX, VERTEX_SHADER_BIT, UNIFORM_READ_BIT, false),
    PAIR(VERTEX, VERTEX_SHADER_BIT, SHADER_STORAGE_WRITE_BIT, true),
    PAIR(EARLY, EARLY_FRAGMENT_TESTS_BIT, DEPTH_STENCIL_ATTACHMENT_READ_BIT, false),
    PAIR(EARLY, EARLY_FRAGMENT_TESTS_BIT, DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, true),
    PAIR(FRAGMENT, FRAGMENT_SHADER_BIT, SHADER_SAMPLED_READ_BIT, false),
    PAIR(FRAGMENT, FRAGMENT_SHADER_BIT, SHADER_STORAGE_WRITE_BIT, true),
    PAIR(FRAGMENT, FRAGMENT_SHADER_BIT, INPUT_ATTACHMENT_READ_BIT, false),
    PAIR(LATE, LATE_FRAGMENT_TESTS_BIT, DEPTH_STENCIL_ATTACHMENT_READ_BIT, false),
    PAIR(LATE, LATE_FRAGMENT_TESTS_BIT, DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, true),
    PAIR(COLOR, COLOR_ATTACHMENT_OUTPUT_BIT, COLOR_ATTACHMENT_READ_BIT, false),
    PAIR(COLOR, COLOR_ATTACHMENT_OUTPUT_BIT, COLOR_ATTACHMENT_WRITE_BIT, true),
    PAIR(COMPUTE, COMPUTE_SHADER_BIT, SHADER_STORAGE_READ_BIT, false),
    PAIR(COMPUTE, COMPUTE_SHADER_BIT, SHADER_STORAGE_WRITE_BIT, true),
    PAIR(COPY, COPY_BIT, TRANSFER_READ_BIT, false),
    PAIR(COPY, COPY_BIT, TRANSFER_WRITE_BIT, true),
    PAIR(CLEAR, CLEAR_BIT, TRANSFER_WRITE_BIT, true),
    {"layout transition", STAGES, 0, 0, true},
};

/* --- chance --- */

struct maker {
    uint64_t random;
    unsigned features;
    struct program *program;
    uint8_t recent[4]; /* usages */
    unsigned recent_count;
    uint8_t busy_space;
};

static uint64_t maker_random(struct maker *maker)
{
    maker->random += 0x9e3779b97f4a7c15ull;
    uint64_t z = maker->random;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

static unsigned maker_below(struct maker *maker, unsigned limit)
{
    return (unsigned)(maker_random(maker) >> 33) % limit;
}

static bool maker_chance(struct maker *maker, unsigned percent)
{
    return maker_below(maker, 100) < percent;
}

static bool feature_is_allowed(const struct maker *maker, unsigned feature)
{
    return (maker->features & feature) != 0;
}

/* --- pieces --- */

static struct place any_place(struct maker *maker)
{
    struct place place = {.space = maker_chance(maker, 70) ? maker->busy_space
                                                           : (uint8_t)maker_below(maker, SPACES)};
    if (maker_chance(maker, 40)) {
        place.end = BYTES;
    } else {
        place.begin = (uint8_t)maker_below(maker, BYTES);
        place.end =
            (uint8_t)(place.begin + 1 + maker_below(maker, (unsigned)(BYTES - place.begin)));
    }
    return place;
}

static void note_usage(struct maker *maker, uint8_t usage)
{
    maker->recent[maker->recent_count++ % 4] = usage;
}

static uint8_t any_usage(struct maker *maker)
{
    static const uint8_t frequent[] = {6, 12, 14, 15, 16};
    return maker_chance(maker, 50) ? frequent[maker_below(maker, sizeof frequent)]
                                   : (uint8_t)maker_below(maker, USAGES);
}

static VkPipelineStageFlags2 any_group(struct maker *maker, bool source)
{
    static const VkPipelineStageFlags2 groups[] = {
        VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,   VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT,
        VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,   VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT,
        VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT, VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT,
        VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT,   0};
    (void)source;
    return groups[maker_below(maker, 8)];
}

static VkAccessFlags2 any_access_group(struct maker *maker)
{
    static const VkAccessFlags2 groups[] = {VK_ACCESS_2_MEMORY_READ_BIT,
                                            VK_ACCESS_2_MEMORY_WRITE_BIT,
                                            VK_ACCESS_2_MEMORY_READ_BIT |
                                                VK_ACCESS_2_MEMORY_WRITE_BIT,
                                            VK_ACCESS_2_SHADER_READ_BIT,
                                            VK_ACCESS_2_SHADER_WRITE_BIT,
                                            0};
    return groups[maker_below(maker, 6)];
}

/* One side of a barrier: for one or two usages, the recent ones if `recent`. */
static void any_side(struct maker *maker, bool recent, bool source, VkPipelineStageFlags2 *stages,
                     VkAccessFlags2 *accesses)
{
    *stages = 0;
    *accesses = 0;
    for (unsigned count = 1 + maker_below(maker, 3); count; count--) {
        uint8_t usage =
            recent && maker->recent_count && maker_chance(maker, 80)
                ? maker->recent[maker_below(maker,
                                            maker->recent_count < 4 ? maker->recent_count : 4)]
                : any_usage(maker);
        *stages |= usages[usage].stage_flag;
        if (maker_chance(maker, 85))
            *accesses |= usages[usage].access;
    }
    if (maker_chance(maker, 12))
        *stages |= any_group(maker, source);
    if (maker_chance(maker, 5))
        *stages = any_group(maker, source);
    if (maker_chance(maker, 12))
        *accesses |= any_access_group(maker);
}

static struct scopes any_scopes(struct maker *maker)
{
    struct scopes scopes;
    any_side(maker, true, true, &scopes.src_stages, &scopes.src_accesses);
    any_side(maker, false, false, &scopes.dst_stages, &scopes.dst_accesses);
    if (maker_chance(maker, 8)) { /* all of it */
        scopes.src_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        scopes.src_accesses = VK_ACCESS_2_MEMORY_WRITE_BIT;
    }
    return scopes;
}

static void aim_scopes(struct scopes *scopes, uint8_t usage)
{
    scopes->dst_stages |= usages[usage].stage_flag;
    scopes->dst_accesses |= usages[usage].access;
}

static uint8_t any_ordering(struct maker *maker, uint8_t usage)
{
    if (!feature_is_allowed(maker, FEATURE_ORDER | FEATURE_PASSES) || maker_chance(maker, 15))
        return SYNC_UNORDERED;
    switch (usages[usage].stage) {
    case COLOR:
        switch (maker_below(maker, 8)) {
        case 0:
            return SYNC_ORDER_LOAD;
        case 1:
            return SYNC_ORDER_STORE;
        case 2:
            return SYNC_ORDER_RESOLVE;
        default:
            return SYNC_ORDER_COLOR;
        }
    case EARLY:
        return maker_chance(maker, 20) ? SYNC_ORDER_LOAD : SYNC_ORDER_DEPTH_STENCIL;
    case LATE:
        return maker_chance(maker, 20) ? SYNC_ORDER_STORE : SYNC_ORDER_DEPTH_STENCIL;
    case FRAGMENT:
        return usages[usage].access == VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT ? SYNC_ORDER_INPUT
                                                                             : SYNC_UNORDERED;
    default:
        return SYNC_UNORDERED;
    }
}

static struct op any_access(struct maker *maker, uint8_t usage)
{
    struct op op = {.kind = OP_ACCESS, .place = any_place(maker), .usage = usage};
    op.ordering = any_ordering(maker, usage);
    return op;
}

static struct op any_barriers(struct maker *maker, uint8_t usage)
{
    struct op op = {.kind = OP_BARRIERS};
    op.barrier_count = (uint8_t)(feature_is_allowed(maker, FEATURE_MANY) && maker_chance(maker, 30)
                                     ? 2 + maker_below(maker, BARRIERS - 1)
                                     : 1);
    for (unsigned i = 0; i < op.barrier_count; i++)
        op.barriers[i] = any_scopes(maker);
    if (maker_chance(maker, 80))
        aim_scopes(&op.barriers[0], usage);
    op.global_count = op.barrier_count;
    op.repeated = maker_chance(maker, 15);
    if (!feature_is_allowed(maker, FEATURE_RANGES | FEATURE_TRANSITIONS) || maker_chance(maker, 50))
        return op;
    op.global_count = (uint8_t)maker_below(maker, op.barrier_count + 1u);
    op.range_count =
        (uint8_t)(1 + (feature_is_allowed(maker, FEATURE_MANY) ? maker_below(maker, RANGES) : 0));
    for (unsigned i = 0; i < op.range_count; i++) {
        op.ranges[i] = (struct range){.place = any_place(maker),
                                      .barrier = (uint8_t)maker_below(maker, op.barrier_count)};
        op.ranges[i].transition =
            feature_is_allowed(maker, FEATURE_TRANSITIONS) &&
            (!feature_is_allowed(maker, FEATURE_RANGES) || maker_chance(maker, 50));
    }
    return op;
}

static struct op any_event(struct maker *maker, uint8_t usage)
{
    struct op op = {.kind = maker_chance(maker, 50) ? OP_SET_EVENT : OP_WAIT_EVENTS};
    if (op.kind == OP_WAIT_EVENTS) {
        op = any_barriers(maker, usage);
        op.kind = OP_WAIT_EVENTS;
        op.event_count = (uint8_t)(1 + maker_below(maker, EVENTS));
        for (unsigned i = 0; i < op.event_count; i++)
            op.events[i] = (uint8_t)(op.event_count == EVENTS ? i : maker_below(maker, EVENTS));
        op.version2 = maker_chance(maker, 60);
    } else {
        op.barrier_count =
            (uint8_t)(maker_chance(maker, 50) ? 1 : 1 + maker_below(maker, BARRIERS));
        for (unsigned i = 0; i < op.barrier_count; i++)
            op.barriers[i] = any_scopes(maker);
        if (maker_chance(maker, 80))
            aim_scopes(&op.barriers[maker_below(maker, op.barrier_count)], any_usage(maker));
        op.event_count = 1;
        op.events[0] = (uint8_t)maker_below(maker, EVENTS);
    }
    return op;
}

/* --- lists --- */

static void append_op(struct list *list, struct op op)
{
    if (list->op_count < OPS)
        list->ops[list->op_count++] = op;
}

static void any_structure(struct maker *maker, struct list *list, unsigned number, uint8_t usage)
{
    switch (maker_below(maker, 4)) {
    case 0:
        if (feature_is_allowed(maker, FEATURE_EVENTS))
            append_op(list, any_event(maker, usage));
        break;
    case 1:
        if (feature_is_allowed(maker, FEATURE_ORDER))
            append_op(list, (struct op){.kind = maker_chance(maker, 60) ? OP_BEGIN_INSTANCE
                                                                        : OP_END_INSTANCE,
                                        .resumed = maker_chance(maker, 30)});
        break;
    case 2:
        if (feature_is_allowed(maker, FEATURE_PASSES))
            append_op(list, (struct op){.kind = maker_chance(maker, 40)   ? OP_BEGIN_PASS
                                                : maker_chance(maker, 70) ? OP_NEXT_SUBPASS
                                                                          : OP_END_PASS,
                                        .graph = (uint8_t)maker_below(maker, GRAPHS)});
        break;
    default:
        if (number)
            append_op(list,
                      (struct op){.kind = OP_EXECUTE, .list = (uint8_t)maker_below(maker, number)});
        break;
    }
}

static void append_event(struct maker *maker, struct list *list, enum op_kind kind)
{
    struct op op;
    do
        op = any_event(maker, any_usage(maker));
    while (op.kind != kind);
    append_op(list, op);
}

static void fill_list(struct maker *maker, unsigned number, unsigned secondaries, unsigned length)
{
    struct list *list = &maker->program->lists[number];
    bool events_between = !list->secondary && feature_is_allowed(maker, FEATURE_EVENTS) &&
                          feature_is_allowed(maker, FEATURE_QUEUES);
    if (events_between && maker_chance(maker, 30))
        append_event(maker, list, OP_WAIT_EVENTS);
    while (list->op_count < length) {
        uint8_t usage = any_usage(maker);
        if (maker_chance(maker, 25))
            any_structure(maker, list, list->secondary ? 0 : secondaries, usage);
        if (maker_chance(maker, 70))
            append_op(list, any_barriers(maker, usage));
        append_op(list, any_access(maker, usage));
        if (maker_chance(maker, 15))
            append_op(list, list->ops[list->op_count - 1]);
        note_usage(maker, usage);
    }
    if (events_between && maker_chance(maker, 30))
        append_event(maker, list, OP_SET_EVENT);
}

static struct op any_queue_op(struct maker *maker)
{
    struct op op = {.queue = (uint8_t)maker_below(maker, QUEUES),
                    .semaphore = (uint8_t)maker_below(maker, SEMAPHORES)};
    unsigned kind = maker_below(maker, 10);
    op.kind = kind < 5 ? OP_SIGNAL : OP_WAIT;
    if (feature_is_allowed(maker, FEATURE_SWEEPS) && maker_chance(maker, 10))
        op.kind = maker_chance(maker, 50) ? OP_SWEEP : OP_FORGET;
    op.place.space = (uint8_t)maker_below(maker, SPACES);
    op.barrier_count = 1;
    op.barriers[0] = any_scopes(maker);
    if (!feature_is_allowed(maker, FEATURE_SIGNAL_SCOPES) || maker_chance(maker, 60))
        op.barriers[0].src_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    if (maker_chance(maker, 60))
        op.barriers[0].dst_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    return op;
}

static void fill_top(struct maker *maker, unsigned first, unsigned count)
{
    struct list *list = &maker->program->lists[TOP_LIST];
    unsigned queue = maker_below(maker, QUEUES);
    for (unsigned submits = 2 + maker_below(maker, 3); submits; submits--) {
        append_op(list, (struct op){.kind = OP_SUBMIT,
                                    .list = (uint8_t)(first + maker_below(maker, count)),
                                    .queue = (uint8_t)queue});
        if (maker_chance(maker, 75)) { /* this queue signals, and the next one waits */
            struct op op = any_queue_op(maker);
            op.kind = OP_SIGNAL;
            op.queue = (uint8_t)queue;
            append_op(list, op);
            if (feature_is_allowed(maker, FEATURE_SWEEPS) && maker_chance(maker, 30))
                append_op(list, (struct op){.kind = OP_SWEEP});
            queue = maker_below(maker, QUEUES);
            struct op wait = any_queue_op(maker);
            wait.kind = OP_WAIT;
            wait.queue = (uint8_t)queue;
            wait.semaphore = op.semaphore;
            append_op(list, wait);
        }
        if (maker_chance(maker, 30))
            append_op(list, any_queue_op(maker));
    }
}

static void any_graph(struct maker *maker, struct graph *graph)
{
    graph->subpass_count = (uint8_t)(1 + maker_below(maker, SUBPASSES));
    graph->dependency_count = 0;
    for (unsigned dst = 0; dst <= graph->subpass_count; dst++) { /* by growing dst, EXTERNAL last */
        for (int src = -1; src < (int)dst; src++) {
            if (graph->dependency_count == DEPENDENCIES || !maker_chance(maker, 60) ||
                (dst == graph->subpass_count && src < 0))
                continue;
            struct dependency *dependency = &graph->dependencies[graph->dependency_count++];
            dependency->src = src < 0 ? EXTERNAL : (uint8_t)src;
            dependency->dst = dst == graph->subpass_count ? EXTERNAL : (uint8_t)dst;
            dependency->scopes = any_scopes(maker);
        }
    }
}

void program_generate(struct program *program, uint64_t seed, unsigned features)
{
    memset(program, 0, sizeof *program);
    struct maker maker = {
        .random = seed * 0x2545f4914f6cdd1dull + 1, .features = features, .program = program};
    /* Programs of a few features only are shorter, and get further. */
    for (unsigned bit = 1; bit < FEATURES_ALL; bit *= 2) {
        if (maker_chance(&maker, 40))
            maker.features &= ~bit;
    }
    maker.busy_space = (uint8_t)maker_below(&maker, SPACES);
    for (unsigned i = 0; i < GRAPHS; i++) {
        for (unsigned k = 0; k < 4; k++)
            note_usage(&maker, any_usage(&maker));
        any_graph(&maker, &program->graphs[i]);
    }
    maker.recent_count = 0;
    unsigned secondaries =
        feature_is_allowed(&maker, FEATURE_SECONDARIES) ? 1 + maker_below(&maker, 2) : 0;
    unsigned primaries =
        feature_is_allowed(&maker, FEATURE_QUEUES) ? 1 + maker_below(&maker, 3) : 1;
    for (unsigned i = 0; i < secondaries; i++) {
        program->lists[i].secondary = true;
        program->lists[i].continues =
            feature_is_allowed(&maker, FEATURE_ORDER | FEATURE_PASSES) && maker_chance(&maker, 50);
        fill_list(&maker, i, 0, 1 + maker_below(&maker, 6));
    }
    for (unsigned i = secondaries; i < secondaries + primaries; i++)
        fill_list(&maker, i, secondaries,
                  (primaries == 1 ? 4 : 1) + maker_below(&maker, primaries == 1 ? 20 : 8));
    if (feature_is_allowed(&maker, FEATURE_QUEUES))
        fill_top(&maker, secondaries, primaries);
    program_repair(program);
}

/* --- mending --- */

static void drop_op(struct list *list, unsigned at)
{
    memmove(&list->ops[at], &list->ops[at + 1], (list->op_count - at - 1u) * sizeof *list->ops);
    list->op_count--;
    list->ops[list->op_count] = (struct op){0};
}

static void insert_op(struct list *list, unsigned at, struct op op)
{
    if (list->op_count == OPS)
        drop_op(list, list->op_count - 1u);
    memmove(&list->ops[at + 1], &list->ops[at], (list->op_count - at) * sizeof *list->ops);
    list->ops[at] = op;
    list->op_count++;
}

static void mend_queues(struct maker *maker, struct list *list, unsigned at)
{
    struct op signal = {.kind = OP_SIGNAL,
                        .queue = list->ops[maker_below(maker, at + 1)].queue,
                        .barrier_count = 1};
    signal.semaphore = (uint8_t)maker_below(maker, SEMAPHORES);
    signal.barriers[0].src_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    if (feature_is_allowed(maker, FEATURE_SIGNAL_SCOPES) && maker_chance(maker, 30))
        signal.barriers[0] = any_scopes(maker);
    struct op wait = {.kind = OP_WAIT,
                      .queue = list->ops[at].queue,
                      .semaphore = signal.semaphore,
                      .barrier_count = 1};
    wait.barriers[0].dst_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    if (maker_chance(maker, 30))
        wait.barriers[0] = any_scopes(maker);
    insert_op(list, at, signal);
    if (at + 1 < OPS)
        insert_op(list, at + 1, wait);
}

void program_mend(struct program *program, unsigned number, unsigned at, uint64_t random)
{
    struct maker maker = {.random = random, .features = FEATURES_ALL, .program = program};
    struct list *list = &program->lists[number];
    const struct op *op = &list->ops[at];
    for (unsigned i = 0; i <= at; i++) {
        if (list->ops[i].kind == OP_ACCESS && i < at)
            note_usage(&maker, list->ops[i].usage);
    }
    if (maker_chance(&maker, 25)) {
        drop_op(list, at);
    } else if (number == TOP_LIST) {
        mend_queues(&maker, list, at);
    } else {
        struct op mend = {.kind = OP_BARRIERS, .barrier_count = 1, .global_count = 1};
        mend.barriers[0] = any_scopes(&maker);
        if (maker_chance(&maker, 60)) {
            mend.barriers[0].src_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
            mend.barriers[0].src_accesses = VK_ACCESS_2_MEMORY_WRITE_BIT;
        }
        if (op->kind == OP_ACCESS) {
            mend.barriers[0].dst_stages = usages[op->usage].stage_flag;
            mend.barriers[0].dst_accesses = usages[op->usage].access;
        } else if (maker_chance(&maker, 70)) {
            mend.barriers[0].dst_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
            mend.barriers[0].dst_accesses =
                VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
        }
        insert_op(list, at, mend);
    }
    program_repair(program);
}

/* --- repair --- */

struct place_in_list {
    bool in_pass, in_instance;
    unsigned subpass;
    const struct graph *graph;
    bool may_resume;
};

static bool has_barriers(const struct list *list)
{
    for (unsigned i = 0; i < list->op_count; i++) {
        if (list->ops[i].kind != OP_ACCESS)
            return true;
    }
    return false;
}

static bool places_overlap(struct place a, struct place b)
{
    return a.space == b.space && a.begin < b.end && b.begin < a.end;
}

/* Two barriers of a command of which one makes a transition must not overlap: nothing says which
 * happens first. */
static void repair_ranges(struct op *op)
{
    for (unsigned i = 1; i < op->range_count; i++) {
        for (unsigned k = 0; k < i; k++) {
            if (places_overlap(op->ranges[i].place, op->ranges[k].place))
                op->ranges[i].transition = op->ranges[k].transition = false;
        }
    }
}

static bool repair_op(const struct program *program, const struct list *list, struct op *op,
                      struct place_in_list *at)
{
    bool inside = at->in_pass || at->in_instance;
    switch (op->kind) {
    case OP_ACCESS:
        if (!inside && !list->continues)
            op->ordering = SYNC_UNORDERED;
        return true;
    case OP_BARRIERS:
        repair_ranges(op);
        op->repeated &= !op->range_count;
        for (unsigned i = 0; (inside || list->continues) && i < op->range_count; i++)
            /* of an attachment, and then only by a subpass dependency */
            op->ranges[i].transition = false;
        return !at->in_instance;
    case OP_SET_EVENT:
    case OP_WAIT_EVENTS:
        repair_ranges(op);
        op->repeated = false;
        return !inside && !list->secondary;
    case OP_BEGIN_PASS:
        if (inside || list->secondary)
            return false;
        *at = (struct place_in_list){.in_pass = true, .graph = &program->graphs[op->graph]};
        return true;
    case OP_NEXT_SUBPASS:
        if (!at->in_pass || at->subpass + 1 >= at->graph->subpass_count)
            return false;
        at->subpass++;
        return true;
    case OP_END_PASS: /* only after the last subpass */
        if (!at->in_pass || at->subpass + 1 < at->graph->subpass_count)
            return false;
        at->in_pass = false;
        return true;
    case OP_BEGIN_INSTANCE:
        if (inside || list->secondary)
            return false;
        op->resumed &= at->may_resume;
        *at = (struct place_in_list){.in_instance = true};
        return true;
    case OP_END_INSTANCE:
        if (!at->in_instance)
            return false;
        at->in_instance = false;
        return true;
    case OP_EXECUTE:
        return op->list < LISTS && &program->lists[op->list] < list &&
               program->lists[op->list].secondary && program->lists[op->list].op_count &&
               program->lists[op->list].continues == inside &&
               !(at->in_instance && has_barriers(&program->lists[op->list]));
    default:
        return list == &program->lists[TOP_LIST];
    }
}

/* A wait of version 2 has the dependencies that its events were set with, which has to be known
 * from the same list. Else it is one of version 1. `sets`: where each event was set last, or NULL.
 */
static void repair_wait(struct op *op, const struct op *const sets[EVENTS])
{
    unsigned count = 0;
    memset(op->event_of, 0, sizeof op->event_of);
    for (unsigned i = 0; op->version2 && i < op->event_count; i++) {
        const struct op *set = sets[op->events[i]];
        op->version2 = set && count + set->barrier_count <= BARRIERS;
        count += set ? set->barrier_count : 0;
    }
    if (!op->version2)
        return;
    unsigned globals = op->global_count, at = 0;
    memset(op->barriers, 0, sizeof op->barriers);
    for (unsigned i = 0; i < op->event_count; i++) {
        const struct op *set = sets[op->events[i]];
        for (unsigned k = 0; k < set->barrier_count; k++, at++) {
            op->barriers[at] = set->barriers[k];
            op->event_of[at] = (uint8_t)(i + 1);
        }
    }
    op->barrier_count = (uint8_t)count;
    op->global_count = (uint8_t)(globals < count ? globals : count);
    for (unsigned i = 0; i < op->range_count; i++)
        op->ranges[i].barrier = (uint8_t)(op->ranges[i].barrier % count);
}

/* Events are waited for on the queue that they are set on: all lists with events go to the same
 * one. */
static bool repair_submit(const struct program *program, struct op *op)
{
    const struct list *list = &program->lists[op->list];
    for (unsigned i = 0; i < list->op_count; i++) {
        if (list->ops[i].kind == OP_SET_EVENT || list->ops[i].kind == OP_WAIT_EVENTS)
            op->queue = 0;
    }
    return list->op_count && !list->secondary;
}

static void repair_list(const struct program *program, struct list *list)
{
    struct place_in_list at = {0};
    const struct op *sets[EVENTS] = {0};
    unsigned kept = 0;
    bool top = list == &program->lists[TOP_LIST];
    for (unsigned i = 0; i < list->op_count; i++) {
        struct op op = list->ops[i];
        if (op.kind == OP_SUBMIT && !repair_submit(program, &op))
            continue;
        if (top ? op.kind < OP_SUBMIT : !repair_op(program, list, &op, &at))
            continue;
        at.may_resume = op.kind == OP_END_INSTANCE;
        if (op.kind == OP_WAIT_EVENTS)
            repair_wait(&op, sets);
        if (op.kind == OP_SET_EVENT)
            sets[op.events[0]] = &list->ops[kept];
        list->ops[kept++] = op;
    }
    /* room for the ends is made, if need be, by what was before them */
    while (at.in_pass || at.in_instance) {
        struct op op = {.kind = at.in_instance                              ? OP_END_INSTANCE
                                : at.subpass + 1u < at.graph->subpass_count ? OP_NEXT_SUBPASS
                                                                            : OP_END_PASS};
        if (op.kind == OP_NEXT_SUBPASS)
            at.subpass++;
        else
            at.in_pass = at.in_instance = false;
        if (kept == OPS) { /* too long: nothing of it */
            kept = 0;
            break;
        }
        list->ops[kept++] = op;
    }
    list->op_count = (uint8_t)kept;
}

void program_repair(struct program *program)
{
    for (unsigned i = 0; i < LISTS; i++)
        repair_list(program, &program->lists[i]);
}

/* --- text --- */

static void print_flags(FILE *file, VkPipelineStageFlags2 stages, VkAccessFlags2 accesses)
{
    static const struct {
        uint64_t flag;
        const char *name;
    } groups[] = {{VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, "ALL_COMMANDS"},
                  {VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT, "ALL_GRAPHICS"},
                  {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, "ALL_TRANSFER"},
                  {VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, "TOP_OF_PIPE"},
                  {VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT, "BOTTOM_OF_PIPE"},
                  {VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT, "PRE_RASTERIZATION"},
                  {VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, "VERTEX_INPUT"}},
      access_groups[] = {{VK_ACCESS_2_MEMORY_READ_BIT, "MEMORY_READ"},
                         {VK_ACCESS_2_MEMORY_WRITE_BIT, "MEMORY_WRITE"},
                         {VK_ACCESS_2_SHADER_READ_BIT, "SHADER_READ"},
                         {VK_ACCESS_2_SHADER_WRITE_BIT, "SHADER_WRITE"}};
    uint64_t left = stages, left_accesses = accesses;
    (void)fprintf(file, "(");
    for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (stages & groups[i].flag)
            (void)fprintf(file, "%s ", groups[i].name);
    }
    for (unsigned i = 0; i < USAGES; i++) {
        if (left & usages[i].stage_flag)
            (void)fprintf(file, "%s ", strchr(usages[i].name, ' ') + 1);
        left &= ~usages[i].stage_flag;
    }
    (void)fprintf(file, "/");
    for (unsigned i = 0; i < sizeof access_groups / sizeof *access_groups; i++) {
        if (accesses & access_groups[i].flag)
            (void)fprintf(file, " %s", access_groups[i].name);
    }
    static const struct {
        uint64_t flag;
        const char *name;
    } names[] = {{VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, "INDIRECT_READ"},
                 {VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT, "ATTRIBUTE_READ"},
                 {VK_ACCESS_2_UNIFORM_READ_BIT, "UNIFORM_READ"},
                 {VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, "STORAGE_WRITE"},
                 {VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT, "DEPTH_READ"},
                 {VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, "DEPTH_WRITE"},
                 {VK_ACCESS_2_SHADER_SAMPLED_READ_BIT, "SAMPLED_READ"},
                 {VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT, "INPUT_READ"},
                 {VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT, "COLOR_READ"},
                 {VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT, "COLOR_WRITE"},
                 {VK_ACCESS_2_SHADER_STORAGE_READ_BIT, "STORAGE_READ"},
                 {VK_ACCESS_2_TRANSFER_READ_BIT, "TRANSFER_READ"},
                 {VK_ACCESS_2_TRANSFER_WRITE_BIT, "TRANSFER_WRITE"}};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (left_accesses & names[i].flag)
            (void)fprintf(file, " %s", names[i].name);
    }
    (void)fprintf(file, ")");
}

static void print_scopes(FILE *file, const struct scopes *scopes)
{
    print_flags(file, scopes->src_stages, scopes->src_accesses);
    (void)fprintf(file, " -> ");
    print_flags(file, scopes->dst_stages, scopes->dst_accesses);
}

static void print_place(FILE *file, struct place place)
{
    (void)fprintf(file, "%c[%u,%u)", 'A' + place.space, place.begin, place.end);
}

static void print_barriers(FILE *file, const struct op *op)
{
    for (unsigned i = 0; i < op->barrier_count; i++) {
        (void)fprintf(file, "\n         %s %u ", i < op->global_count ? "global" : "scopes", i);
        print_scopes(file, &op->barriers[i]);
    }
    for (unsigned i = 0; i < op->range_count; i++) {
        (void)fprintf(file, "\n         %s ", op->ranges[i].transition ? "transition" : "range");
        print_place(file, op->ranges[i].place);
        (void)fprintf(file, " by scopes %u", op->ranges[i].barrier);
    }
}

static void print_op(FILE *file, const struct op *op)
{
    static const char *const orderings[] = {[SYNC_UNORDERED] = "",
                                            [SYNC_ORDER_COLOR] = " in color order",
                                            [SYNC_ORDER_INPUT] = " as input",
                                            [SYNC_ORDER_DEPTH_STENCIL] = " in depth/stencil order",
                                            [SYNC_ORDER_FEEDBACK] = "",
                                            [SYNC_ORDER_LOAD] = " as load",
                                            [SYNC_ORDER_STORE] = " as store",
                                            [SYNC_ORDER_RESOLVE] = " as resolve"};
    switch (op->kind) {
    case OP_ACCESS:
        print_place(file, op->place);
        (void)fprintf(file, " %s ", usages[op->usage].write ? "write by" : "read by");
        print_flags(file, usages[op->usage].stage_flag, usages[op->usage].access);
        (void)fprintf(file, "%s", orderings[op->ordering]);
        break;
    case OP_BARRIERS:
        (void)fprintf(file, op->repeated ? "barriers, repeated" : "barriers");
        print_barriers(file, op);
        break;
    case OP_SET_EVENT:
        (void)fprintf(file, "set event %u after ", op->events[0]);
        for (unsigned i = 0; i < op->barrier_count; i++)
            print_flags(file, op->barriers[i].src_stages, 0);
        break;
    case OP_WAIT_EVENTS:
        (void)fprintf(file, "wait for event");
        for (unsigned i = 0; i < op->event_count; i++)
            (void)fprintf(file, " %u", op->events[i]);
        (void)fprintf(file, op->version2 ? ", each with its own dependency" : "");
        print_barriers(file, op);
        break;
    case OP_BEGIN_PASS:
        (void)fprintf(file, "begin render pass %u", op->graph);
        break;
    case OP_NEXT_SUBPASS:
        (void)fprintf(file, "next subpass");
        break;
    case OP_END_PASS:
        (void)fprintf(file, "end render pass");
        break;
    case OP_BEGIN_INSTANCE:
        (void)fprintf(file, op->resumed ? "resume rendering" : "begin rendering");
        break;
    case OP_END_INSTANCE:
        (void)fprintf(file, "end rendering");
        break;
    case OP_EXECUTE:
        (void)fprintf(file, "execute list %u", op->list);
        break;
    case OP_SUBMIT:
        (void)fprintf(file, "submit list %u to queue %u", op->list, op->queue);
        break;
    case OP_SIGNAL:
        (void)fprintf(file, "queue %u signals semaphore %u after ", op->queue, op->semaphore);
        print_flags(file, op->barriers[0].src_stages, 0);
        break;
    case OP_WAIT:
        (void)fprintf(file, "queue %u waits for semaphore %u before ", op->queue, op->semaphore);
        print_flags(file, op->barriers[0].dst_stages, 0);
        break;
    case OP_SWEEP:
        (void)fprintf(file, "sweep");
        break;
    case OP_FORGET:
        (void)fprintf(file, "forget %c", 'A' + op->place.space);
        break;
    }
    (void)fprintf(file, "\n");
}

void program_print(const struct program *program, FILE *file)
{
    for (unsigned i = 0; i < GRAPHS; i++) {
        const struct graph *graph = &program->graphs[i];
        bool used = false;
        for (unsigned k = 0; k < LISTS; k++) {
            for (unsigned o = 0; o < program->lists[k].op_count; o++)
                used |= program->lists[k].ops[o].kind == OP_BEGIN_PASS &&
                        program->lists[k].ops[o].graph == i;
        }
        if (!used)
            continue;
        (void)fprintf(file, "render pass %u: %u subpasses\n", i, graph->subpass_count);
        for (unsigned k = 0; k < graph->dependency_count; k++) {
            const struct dependency *dependency = &graph->dependencies[k];
            (void)fprintf(file, "  %2d to %2d ", dependency->src == EXTERNAL ? -1 : dependency->src,
                          dependency->dst == EXTERNAL ? -1 : dependency->dst);
            print_scopes(file, &dependency->scopes);
            (void)fprintf(file, "\n");
        }
    }
    for (unsigned i = 0; i < LISTS; i++) {
        const struct list *list = &program->lists[i];
        if (!list->op_count)
            continue;
        (void)fprintf(file, i == TOP_LIST ? "queues:\n" : "list %u%s%s:\n", i,
                      list->secondary ? ", secondary" : "",
                      list->continues ? ", in a render pass" : "");
        for (unsigned o = 0; o < list->op_count; o++) {
            (void)fprintf(file, "  %2u  ", o);
            print_op(file, &list->ops[o]);
        }
    }
}
