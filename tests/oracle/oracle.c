/* Decides by the graph of all dependencies which access comes too early.
 *
 * - Nodes are accesses and dependencies. A dependency is one barrier of a command, one dependency
 *   of a render pass object, or one semaphore wait. Or it is a "signal" (an event that is set, a
 *   semaphore that is signaled), which is the first half of the waits for it.
 * - An access is in a dependency's first or second scope by its place in submission order (struct
 *   region) and by its stage. Two dependencies form a chain where an operation could be in the
 *   second scope of the one and the first scope of the other. That is asked of their scopes, not of
 *   the program's accesses.
 * - A read is ordered before a write by any chain. A write is ordered before another access by a
 *   chain whose first dependency has the write in its first access scope (it is made available).
 *   The last one must have the later access in its second scope, and a read in its second access
 *   scope, too (it is made visible): "X is a write and Y is a write, and X->AV->DOM->Y".
 * - Take an access, another one and a third, each in conflict with the next one and ordered before
 *   it. Then the first is ordered before the third. So a write after a read that has properly seen
 *   a write is ordered after that write. A load operation happens before what it is ordered with,
 *   reads as well. What it has properly read, input attachments have. */
#include "oracle.h"

#include <string.h>

/* For enum sync_ordering, which programs are written in, and no more. */
#include "sync/access/access_state.h"

#define ACCESSES 128
#define NODES    128 /* dependencies */

typedef struct {
    uint64_t half[2];
} node_set;

static void set_add(node_set *set, unsigned node)
{
    set->half[node / 64] |= 1ull << (node % 64);
}

static bool set_has(const node_set *set, unsigned node)
{
    return set->half[node / 64] >> (node % 64) & 1;
}

static bool sets_meet(const node_set *a, const node_set *b)
{
    return ((a->half[0] & b->half[0]) | (a->half[1] & b->half[1])) != 0;
}

static node_set set_and(node_set a, const node_set *b)
{
    a.half[0] &= b->half[0];
    a.half[1] &= b->half[1];
    return a;
}

/* Where commands stand: all before or after a number on a queue, or those of one subpass. */
enum region_kind { NOWHERE, BEFORE, BEHIND, IN_SUBPASS_BEFORE, IN_SUBPASS_BEHIND };
struct region {
    enum region_kind kind;
    int number;
    unsigned queue, pass, subpass;
};

struct access {
    int op, number;
    uint64_t tag;
    struct place place;
    unsigned usage, stage_bit, ordering, instance, queue;
    unsigned pass, subpass; /* pass 0: outside of render pass objects */
    int transition_of;      /* dependency that it is a part of, or -1 */
    int forgotten;          /* the command that did it, or 0 */
    node_set first, available, second, visible;
};

struct dependency_node {
    int command; /* barriers of one command do not form a chain */
    struct region first, second;
    unsigned src_stages, dst_stages;
    uint32_t src_usages, dst_usages;
    bool everything; /* the first scope is all commands, of whatever stage */
    bool limited;    /* to: */
    struct place place;
    bool signal, is_wait;
    bool transitions; /* the second scope has what is in no stage, too */
    node_set signals; /* of a wait: its first scope */
    node_set next;    /* chains */
};

struct pass {
    int begin, end;
    unsigned queue;
};

struct oracle {
    const struct program *program;
    bool too_large;
    int number; /* of the last command */
    unsigned queue, pass, subpass, instance, instance_count, pass_count, depth;
    const struct graph *graph;
    int op;
    uint64_t base;
    unsigned access_count, node_count;
    int event_signal[EVENTS][BARRIERS], semaphore_signal[SEMAPHORES]; /* -1: none */
    VkPipelineStageFlags2 event_stages[EVENTS][BARRIERS];
    struct pass passes[64];
    struct access accesses[ACCESSES];
    struct dependency_node nodes[NODES];
    unsigned order_count; /* of the byte that was looked at last */
    unsigned order[ACCESSES];
    node_set ordered[ACCESSES]; /* before the access order[i]: which of order[] */
};

/* --- scopes of masks --- */

#define BIT(stage)  (1u << (stage))
#define GRAPHICS    (BIT(COLOR + 1) - 1)
#define ALL_STAGES  (BIT(STAGES) - 1)
#define TRANSITIONS (1u << TRANSITION)

/* Stages that a mask names. */
static unsigned named_stages(VkPipelineStageFlags2 flags)
{
    unsigned stages = 0;
    for (unsigned i = 0; i < USAGES; i++) {
        if (flags & usages[i].stage_flag)
            stages |= BIT(usages[i].stage);
    }
    if (flags & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)
        stages |= ALL_STAGES;
    if (flags & VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT)
        stages |= GRAPHICS;
    if (flags & VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT)
        stages |= BIT(COPY) | BIT(CLEAR);
    if (flags & VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT)
        stages |= BIT(VERTEX);
    if (flags & VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT)
        stages |= BIT(VERTEX_INPUT);
    return stages;
}

static unsigned with_earlier(unsigned stages)
{
    for (unsigned stage = COLOR; stage > DRAW_INDIRECT; stage--) {
        if (stages & BIT(stage))
            stages |= BIT(stage - 1);
    }
    return stages & BIT(COMPUTE) ? stages | BIT(DRAW_INDIRECT) : stages;
}

static unsigned with_later(unsigned stages)
{
    if (stages & BIT(DRAW_INDIRECT))
        stages |= BIT(COMPUTE);
    for (unsigned stage = DRAW_INDIRECT; stage < COLOR; stage++) {
        if (stages & BIT(stage))
            stages |= BIT(stage + 1);
    }
    return stages;
}

static uint32_t usages_of(unsigned stages, VkAccessFlags2 accesses)
{
    uint32_t set = 0;
    if (accesses & VK_ACCESS_2_SHADER_READ_BIT)
        accesses |= VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
    if (accesses & VK_ACCESS_2_SHADER_WRITE_BIT)
        accesses |= VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    for (unsigned i = 0; i < USAGES; i++) {
        bool group = accesses &
                     (usages[i].write ? VK_ACCESS_2_MEMORY_WRITE_BIT : VK_ACCESS_2_MEMORY_READ_BIT);
        if (stages & BIT(usages[i].stage) && (group || accesses & usages[i].access))
            set |= 1u << i;
    }
    return set;
}

static void set_scopes(struct dependency_node *node, const struct scopes *scopes)
{
    unsigned src = named_stages(scopes->src_stages), dst = named_stages(scopes->dst_stages);
    node->everything = scopes->src_stages & (VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT |
                                             VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT);
    node->src_stages = node->everything ? ALL_STAGES : with_earlier(src);
    node->dst_stages =
        scopes->dst_stages & VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT ? ALL_STAGES : with_later(dst);
    node->src_usages = usages_of(src, scopes->src_accesses);
    node->dst_usages = usages_of(dst, scopes->dst_accesses);
}

/* --- regions --- */

static bool in_region(const struct access *access, const struct region *region)
{
    bool before = access->number < region->number;
    switch (region->kind) {
    case BEFORE:
        return access->queue == region->queue && before;
    case BEHIND:
        return access->queue == region->queue && access->number > region->number;
    case IN_SUBPASS_BEFORE:
        return access->pass == region->pass && access->subpass == region->subpass && before;
    case IN_SUBPASS_BEHIND:
        return access->pass == region->pass && access->subpass == region->subpass &&
               access->number > region->number;
    default:
        return false;
    }
}

/* True if a command could stand in both. Between any two commands there is room for one. */
static bool regions_meet(const struct oracle *oracle, const struct region *second,
                         const struct region *first)
{
    if (second->kind == NOWHERE || first->kind == NOWHERE || second->queue != first->queue)
        return false;
    bool second_inside = second->kind == IN_SUBPASS_BEHIND,
         first_inside = first->kind == IN_SUBPASS_BEFORE;
    if (second_inside && first_inside)
        return second->pass == first->pass && second->subpass == first->subpass &&
               second->number < first->number;
    if (second_inside)
        return first->number > oracle->passes[second->pass].end;
    if (first_inside)
        return second->number < oracle->passes[first->pass].begin;
    return second->number < first->number;
}

/* --- the graph --- */

static struct region earlier_commands(const struct oracle *oracle)
{
    return (struct region){oracle->pass ? IN_SUBPASS_BEFORE : BEFORE, oracle->number, oracle->queue,
                           oracle->pass, oracle->subpass};
}

static struct region later_commands(const struct oracle *oracle)
{
    return (struct region){oracle->pass ? IN_SUBPASS_BEHIND : BEHIND, oracle->number, oracle->queue,
                           oracle->pass, oracle->subpass};
}

static struct dependency_node *add_node(struct oracle *oracle)
{
    if (oracle->node_count == NODES) {
        oracle->too_large = true;
        return &oracle->nodes[NODES - 1];
    }
    struct dependency_node *node = &oracle->nodes[oracle->node_count++];
    *node = (struct dependency_node){.command = oracle->number};
    node->first = earlier_commands(oracle);
    node->second = later_commands(oracle);
    return node;
}

static struct access *add_access(struct oracle *oracle, unsigned usage, struct place place,
                                 uint64_t tag)
{
    if (oracle->access_count == ACCESSES) {
        oracle->too_large = true;
        return &oracle->accesses[ACCESSES - 1];
    }
    struct access *access = &oracle->accesses[oracle->access_count++];
    *access = (struct access){.op = oracle->op,
                              .number = oracle->number,
                              .tag = oracle->base + tag,
                              .place = place,
                              .usage = usage,
                              .stage_bit = usage == TRANSITION ? 0 : BIT(usages[usage].stage),
                              .queue = oracle->queue,
                              .pass = oracle->pass,
                              .subpass = oracle->subpass,
                              .transition_of = -1};
    return access;
}

/* Finds the signals that a wait for events waits for: the first scope of its dependency. A
 * dependency of one event has the first scope that was given for the same stages when it was set.
 */
static node_set signals_of(const struct oracle *oracle, const struct op *op, unsigned barrier)
{
    node_set signals = {0};
    unsigned of = op->event_of[barrier];
    for (unsigned i = 0; i < op->event_count; i++) {
        unsigned event = op->events[i];
        for (unsigned k = 0; k < BARRIERS && (!of || of == i + 1); k++) {
            bool same = !of || oracle->event_stages[event][k] == op->barriers[barrier].src_stages;
            if (oracle->event_signal[event][k] >= 0 && same)
                set_add(&signals, (unsigned)oracle->event_signal[event][k]);
        }
    }
    return signals;
}

static void add_barriers(struct oracle *oracle, const struct op *op, uint64_t tag)
{
    for (unsigned i = 0; i < op->global_count + (unsigned)op->range_count; i++) {
        const struct range *range = i < op->global_count ? NULL : &op->ranges[i - op->global_count];
        struct dependency_node *node = add_node(oracle);
        set_scopes(node, &op->barriers[range ? range->barrier : i]);
        if (op->kind == OP_WAIT_EVENTS) {
            node->is_wait = true;
            node->signals = signals_of(oracle, op, range ? range->barrier : i);
            node->first.kind = NOWHERE;
        }
        if (!range)
            continue;
        node->limited = true;
        node->place = range->place;
        if (range->transition)
            add_access(oracle, TRANSITION, range->place, tag)->transition_of =
                (int)(node - oracle->nodes);
    }
}

static void add_signal(struct oracle *oracle, const struct scopes *scopes, int *signal)
{
    struct dependency_node *node = add_node(oracle);
    set_scopes(node, scopes);
    node->signal = true;
    node->second.kind = NOWHERE;
    *signal = (int)(node - oracle->nodes);
}

static void set_oracle_event(struct oracle *oracle, const struct op *op)
{
    unsigned event = op->events[0];
    for (unsigned i = 0; i < BARRIERS; i++) {
        oracle->event_signal[event][i] = -1;
        if (i >= op->barrier_count)
            continue;
        oracle->event_stages[event][i] = op->barriers[i].src_stages;
        add_signal(oracle, &op->barriers[i], &oracle->event_signal[event][i]);
    }
}

static void wait_for_semaphore(struct oracle *oracle, const struct op *op)
{
    int signal = oracle->semaphore_signal[op->semaphore];
    if (signal < 0)
        return;
    struct dependency_node *node = add_node(oracle);
    set_scopes(node, &op->barriers[0]);
    node->is_wait = true;
    set_add(&node->signals, (unsigned)signal);
    node->first.kind = NOWHERE;
    node->src_usages = UINT32_MAX; /* "all memory access performed by the device" */
    node->dst_usages =
        usages_of(node->dst_stages, VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT);
    /* "The second synchronization scope includes every command submitted in the same batch" */
    node->transitions = (op->barriers[0].dst_stages & (VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT |
                                                       VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT)) != 0;
}

static void begin_subpass(struct oracle *oracle, unsigned subpass)
{
    oracle->subpass = subpass;
    oracle->instance = ++oracle->instance_count;
}

static void begin_oracle_pass(struct oracle *oracle, const struct graph *graph)
{
    oracle->graph = graph;
    oracle->pass = ++oracle->pass_count;
    oracle->passes[oracle->pass] = (struct pass){.begin = oracle->number, .queue = oracle->queue};
    begin_subpass(oracle, 0);
}

static void end_pass(struct oracle *oracle)
{
    unsigned pass = oracle->pass;
    int begin = oracle->passes[pass].begin, end = oracle->number;
    oracle->passes[pass].end = end;
    for (unsigned i = 0; i < oracle->graph->dependency_count; i++) {
        const struct dependency *dependency = &oracle->graph->dependencies[i];
        struct dependency_node *node = add_node(oracle);
        set_scopes(node, &dependency->scopes);
        node->command = -1 - (int)oracle->node_count; /* they may form chains with each other */
        node->first =
            dependency->src == EXTERNAL
                ? (struct region){BEFORE, begin, oracle->queue, 0, 0}
                : (struct region){IN_SUBPASS_BEFORE, end, oracle->queue, pass, dependency->src};
        node->second =
            dependency->dst == EXTERNAL
                ? (struct region){BEHIND, end, oracle->queue, 0, 0}
                : (struct region){IN_SUBPASS_BEHIND, begin, oracle->queue, pass, dependency->dst};
    }
    oracle->pass = oracle->subpass = oracle->instance = 0;
    oracle->graph = NULL;
}

static void forget_space(struct oracle *oracle, unsigned space)
{
    for (unsigned i = 0; i < oracle->access_count; i++) {
        if (oracle->accesses[i].place.space == space && !oracle->accesses[i].forgotten)
            oracle->accesses[i].forgotten = oracle->number;
    }
}

static void add_list(struct oracle *oracle, unsigned number);

static void execute_op(struct oracle *oracle, const struct op *op, uint64_t base)
{
    uint64_t before = oracle->base;
    oracle->base += base;
    oracle->depth++;
    add_list(oracle, op->list);
    oracle->depth--;
    oracle->base = before;
}

static void add_op(struct oracle *oracle, const struct op *op, uint64_t tag, unsigned number)
{
    switch (op->kind) {
    case OP_ACCESS: {
        struct access *access = add_access(oracle, op->usage, op->place, tag);
        access->ordering = op->ordering;
        access->instance = op->ordering ? oracle->instance : 0;
        break;
    }
    case OP_BARRIERS:
        add_barriers(oracle, op, tag);
        /* no chain of them is longer */
        for (unsigned i = 1; op->repeated && i < op->global_count; i++) {
            oracle->number++;
            add_barriers(oracle, op, tag);
        }
        break;
    case OP_SET_EVENT:
        set_oracle_event(oracle, op);
        break;
    case OP_WAIT_EVENTS:
        add_barriers(oracle, op, tag);
        break;
    case OP_BEGIN_PASS:
        begin_oracle_pass(oracle, &oracle->program->graphs[op->graph]);
        break;
    case OP_NEXT_SUBPASS:
        begin_subpass(oracle, oracle->subpass + 1);
        break;
    case OP_END_PASS:
        end_pass(oracle);
        break;
    case OP_BEGIN_INSTANCE:
        oracle->instance = op->resumed ? oracle->instance_count : ++oracle->instance_count;
        break;
    case OP_END_INSTANCE:
        oracle->instance = 0;
        break;
    case OP_EXECUTE:
        execute_op(oracle, op, tag);
        break;
    case OP_SUBMIT:
        oracle->queue = op->queue;
        execute_op(oracle, op, BASE_OF_SUBMIT(number));
        break;
    case OP_SIGNAL:
        oracle->queue = op->queue;
        add_signal(oracle, &op->barriers[0], &oracle->semaphore_signal[op->semaphore]);
        break;
    case OP_WAIT:
        oracle->queue = op->queue;
        wait_for_semaphore(oracle, op);
        break;
    case OP_SWEEP:
        break;
    case OP_FORGET:
        forget_space(oracle, op->place.space);
        break;
    }
}

static void add_list(struct oracle *oracle, unsigned number)
{
    const struct list *list = &oracle->program->lists[number];
    if (list->continues && !oracle->depth) /* recorded by itself */
        oracle->instance = ++oracle->instance_count;
    for (unsigned i = 0; i < list->op_count; i++) {
        if (!oracle->depth)
            oracle->op = (int)i;
        oracle->number++;
        add_op(oracle, &list->ops[i], list->secondary ? TAG_IN_SECONDARY(i) : TAG_IN_LIST(i), i);
    }
}

/* --- edges --- */

static bool is_chain(const struct oracle *oracle, unsigned from, unsigned to)
{
    const struct dependency_node *a = &oracle->nodes[from], *b = &oracle->nodes[to];
    if (a->signal)
        return set_has(&b->signals, from);
    return !b->is_wait && a->command != b->command && a->dst_stages & b->src_stages &&
           regions_meet(oracle, &a->second, &b->first);
}

static bool in_first_scope(const struct access *access, const struct dependency_node *node)
{
    return in_region(access, &node->first) &&
           (access->usage == TRANSITION ? node->everything
                                        : (access->stage_bit & node->src_stages) != 0);
}

static void find_scopes(const struct oracle *oracle, struct access *access)
{
    for (unsigned i = 0; i < oracle->node_count; i++) {
        const struct dependency_node *node = &oracle->nodes[i];
        bool own = access->transition_of == (int)i, first = own || in_first_scope(access, node);
        bool in_stages = access->usage == TRANSITION ? node->transitions
                                                     : (access->stage_bit & node->dst_stages) != 0;
        bool second = own || (in_stages && in_region(access, &node->second));
        if (first)
            set_add(&access->first, i);
        if (second)
            set_add(&access->second, i);
        if (own ||
            (second && (access->usage == TRANSITION || node->dst_usages >> access->usage & 1)))
            set_add(&access->visible, i);
        /* "Writes performed by a layout transition are automatically made available." */
        bool in_access_scope = access->usage == TRANSITION || node->src_usages >> access->usage & 1;
        if (first && in_access_scope && (!node->signal || access->usage == TRANSITION))
            set_add(&access->available, i);
        if (node->is_wait && sets_meet(&access->first, &node->signals) && in_access_scope)
            set_add(&access->available, i);
    }
}

static void find_edges(struct oracle *oracle)
{
    for (unsigned i = 0; i < oracle->node_count; i++) {
        for (unsigned k = 0; k < oracle->node_count; k++) {
            if (i != k && is_chain(oracle, i, k))
                set_add(&oracle->nodes[i].next, k);
        }
    }
    for (unsigned i = 0; i < oracle->access_count; i++)
        find_scopes(oracle, &oracle->accesses[i]);
}

/* --- verdicts --- */

static node_set closure_of(const struct oracle *oracle, node_set start, const node_set *applicable)
{
    node_set reached = set_and(start, applicable), left = reached;
    while (left.half[0] | left.half[1]) {
        unsigned half = left.half[0] ? 0 : 1,
                 node = half * 64 + (unsigned)__builtin_ctzll(left.half[half]);
        left.half[half] &= left.half[half] - 1;
        node_set next = set_and(oracle->nodes[node].next, applicable);
        for (unsigned i = 0; i < 2; i++) {
            left.half[i] |= next.half[i] & ~reached.half[i];
            reached.half[i] |= next.half[i];
        }
    }
    return reached;
}

/* True if the specification orders two accesses in one subpass for each sample, without barriers.
 */
static bool ordered_by_themselves(const struct access *a, const struct access *b)
{
    /* "Layout transitions that are performed via image memory barriers execute in their entirety in
     * submission order, relative to other image layout transitions submitted to the same queue"
     * (7.1.1) */
    if (a->usage == TRANSITION && b->usage == TRANSITION && a->queue == b->queue)
        return true;
    /* "The store operation for each sample in an attachment happens-after any recorded command
     * which accesses the sample via that attachment": of all subpasses. It is in the last one that
     * uses it, after the transition into that. */
    if (b->ordering == SYNC_ORDER_STORE && usages[b->usage].write && a->pass &&
        a->pass == b->pass && (a->ordering || a->usage == TRANSITION))
        return true;
    /* "The load operation for each sample in an attachment happens-before any recorded command
     * which accesses the sample in that render pass instance via that attachment": in whatever
     * subpass. */
    if (a->ordering == SYNC_ORDER_LOAD && a->pass && a->pass == b->pass &&
        (b->ordering == SYNC_ORDER_COLOR || b->ordering == SYNC_ORDER_DEPTH_STENCIL ||
         b->ordering == SYNC_ORDER_INPUT || b->ordering == SYNC_ORDER_RESOLVE))
        return true;
    if (!a->instance || a->instance != b->instance)
        return false;
    switch (b->ordering) {
    case SYNC_ORDER_STORE: /* "happens-after any recorded command which accesses the sample via that
                              attachment" */
        return true;
    case SYNC_ORDER_RESOLVE: /* "happens-after any recorded command which writes a pixel via the
                                multisample attachment" */
        return a->ordering != SYNC_ORDER_INPUT;
    default: /* a load operation "happens-before any recorded command which accesses the sample" */
        return a->ordering == SYNC_ORDER_LOAD ||
               (a->ordering == b->ordering &&
                (a->ordering == SYNC_ORDER_COLOR || a->ordering == SYNC_ORDER_DEPTH_STENCIL));
    }
}

static bool accesses_conflict(const struct access *a, const struct access *b)
{
    return usages[a->usage].write || usages[b->usage].write;
}

static bool place_covers(const struct place *place, unsigned space, unsigned byte)
{
    return place->space == space && place->begin <= byte && byte < place->end;
}

/* Finds which accesses of a byte are ordered before which, and returns the first operation with a
 * hazard, or -1. */
static int look_at_byte(struct oracle *oracle, unsigned space, unsigned byte)
{
    node_set applicable = {0}, executed[ACCESSES], available[ACCESSES];
    for (unsigned i = 0; i < oracle->node_count; i++) {
        if (!oracle->nodes[i].limited || place_covers(&oracle->nodes[i].place, space, byte))
            set_add(&applicable, i);
    }
    int hazard = -1;
    oracle->order_count = 0;
    for (unsigned i = 0; i < oracle->access_count; i++) {
        const struct access *later = &oracle->accesses[i];
        if (!place_covers(&later->place, space, byte))
            continue;
        unsigned at = oracle->order_count++;
        oracle->order[at] = i;
        executed[at] = closure_of(oracle, later->first, &applicable);
        available[at] = closure_of(oracle, later->available, &applicable);
        node_set *ordered = &oracle->ordered[at];
        *ordered = (node_set){0};
        for (unsigned k = at; k-- > 0;) {
            const struct access *earlier = &oracle->accesses[oracle->order[k]];
            bool before =
                (earlier->forgotten && earlier->forgotten < later->number) ||
                ordered_by_themselves(earlier, later) ||
                (usages[earlier->usage].write
                     ? sets_meet(&available[k],
                                 usages[later->usage].write ? &later->second : &later->visible)
                     : sets_meet(&executed[k], &later->second));
            for (unsigned between = k + 1;
                 between < at && !before && accesses_conflict(earlier, later); between++) {
                const struct access *middle = &oracle->accesses[oracle->order[between]];
                bool loaded =
                    earlier->ordering == SYNC_ORDER_LOAD && ordered_by_themselves(earlier, middle);
                bool handed_on = middle->ordering == SYNC_ORDER_LOAD &&
                                 later->ordering == SYNC_ORDER_INPUT &&
                                 ordered_by_themselves(middle, later);
                before = (accesses_conflict(earlier, middle) || loaded) &&
                         (accesses_conflict(middle, later) || handed_on) &&
                         set_has(ordered, between) && set_has(&oracle->ordered[between], k);
            }
            if (before)
                set_add(ordered, k);
            else if (hazard < 0 && accesses_conflict(earlier, later))
                hazard = later->op;
        }
    }
    return hazard;
}

const struct oracle *oracle_of(const struct program *program, unsigned list)
{
    static struct oracle oracle;
    oracle.program = program;
    oracle.too_large = false;
    oracle.number = 0;
    oracle.queue = oracle.pass = oracle.subpass = oracle.instance = oracle.instance_count =
        oracle.pass_count = oracle.depth = 0;
    oracle.base = 0;
    oracle.access_count = oracle.node_count = 0;
    for (unsigned i = 0; i < EVENTS; i++)
        for (unsigned k = 0; k < BARRIERS; k++)
            oracle.event_signal[i][k] = -1;
    for (unsigned i = 0; i < SEMAPHORES; i++)
        oracle.semaphore_signal[i] = -1;
    add_list(&oracle, list);
    if (oracle.too_large)
        return NULL;
    find_edges(&oracle);
    return &oracle;
}

int oracle_first_hazard(const struct oracle *oracle)
{
    int first = -1;
    for (unsigned space = 0; space < SPACES; space++) {
        for (unsigned byte = 0; byte < BYTES; byte++) {
            int hazard = look_at_byte((struct oracle *)oracle, space, byte);
            if (hazard >= 0 && (first < 0 || hazard < first))
                first = hazard;
        }
    }
    return first;
}

bool oracle_finds_unordered(const struct oracle *oracle, uint64_t earlier, uint64_t later,
                            struct place place)
{
    for (unsigned byte = place.begin; byte < place.end; byte++) {
        look_at_byte((struct oracle *)oracle, place.space, byte);
        bool unordered = false;
        for (unsigned i = 0; i < oracle->order_count; i++) {
            for (unsigned k = 0; k < i; k++) {
                unordered |= oracle->accesses[oracle->order[k]].tag == earlier &&
                             oracle->accesses[oracle->order[i]].tag == later &&
                             !set_has(&oracle->ordered[i], k);
            }
        }
        if (!unordered)
            return false;
    }
    return true;
}
