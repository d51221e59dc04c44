/* Gives a program to the contexts under test. It does so as the hooks of commands do. */
#include "model.h"

#include <string.h>

#include "oracle.h"
#include "sync/access/access_context.h"
#include "sync/record/events.h"

static struct sync_queue everything;
static uint16_t sync_usage_of[USAGES + 1];

/* Contexts of command buffers are kept until the program is done: others execute them. */
static struct sync_context contexts[LISTS];
static bool is_ready;

static struct {
    struct sync_sink sink;
    struct model_hazard first;
    int op;
} listener;

static void hear_model_hazard(const struct sync_sink *sink, const struct sync_place *place,
                              const struct sync_access *access, const struct sync_barrier *barrier,
                              const struct sync_hazard *hazard)
{
    (void)sink;
    (void)barrier;
    if (listener.first.op >= 0)
        return;
    listener.first = (struct model_hazard){
        .op = listener.op,
        .earlier = hazard->prior.tag,
        .later = access->tag,
        .place = {(uint8_t)(place->space - 1), (uint8_t)place->begin, (uint8_t)place->end},
    };
}

static void get_ready(void)
{
    if (is_ready)
        return;
    is_ready = true;
    everything = sync_queue_of(0);
    listener.sink.hazard = hear_model_hazard;
    sync_usage_of[TRANSITION] = SYNC_IMAGE_LAYOUT_TRANSITION;
    for (unsigned i = 0; i < USAGES; i++) {
        for (uint16_t usage = SYNC_USAGE_FIRST_PAIR; usage < SYNC_USAGE_COUNT; usage++) {
            if (sync_usage_info[usage].stage_bit == usages[i].stage_flag &&
                sync_usage_info[usage].access == usages[i].access)
                sync_usage_of[i] = usage;
        }
        assert(sync_usage_of[i] && sync_usage_info[sync_usage_of[i]].is_write == usages[i].write);
    }
    for (unsigned i = 0; i < LISTS; i++)
        sync_context_init(&contexts[i], i != TOP_LIST);
}

static struct sync_barrier barrier_of_model(const struct scopes *scopes, uint8_t queue)
{
    return (struct sync_barrier){
        .src = sync_scope_source(scopes->src_stages, scopes->src_accesses, &everything),
        .dst = sync_scope_destination(scopes->dst_stages, scopes->dst_accesses, &everything),
        .everything = scopes->src_stages & (VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT |
                                            VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT),
        .queue = queue,
    };
}

static struct sync_place place_of(struct place place)
{
    return (struct sync_place){place.space + 1u, place.begin, place.end};
}

static void do_barriers(struct sync_context *context, const struct op *op, uint64_t tag)
{
    struct sync_barrier barriers[BARRIERS];
    struct sync_range_barrier ranges[RANGES] = {0};
    for (unsigned i = 0; i < op->barrier_count; i++)
        barriers[i] = barrier_of_model(&op->barriers[i], 0);
    for (unsigned i = 0; op->kind == OP_WAIT_EVENTS && i < op->barrier_count; i++)
        barriers[i].event = op->event_of[i];
    for (unsigned i = 0; i < op->range_count; i++) {
        ranges[i] = (struct sync_range_barrier){.place = place_of(op->ranges[i].place),
                                                .barrier = op->ranges[i].barrier,
                                                .transition = op->ranges[i].transition};
    }
    const struct sync_barriers all = {.tag = tag,
                                      .global_count = op->global_count,
                                      .barrier_count = op->barrier_count,
                                      .range_count = op->range_count,
                                      .barriers = barriers,
                                      .ranges = ranges};
    uint64_t events[EVENTS];
    for (unsigned i = 0; i < op->event_count; i++)
        events[i] = op->events[i] + 1u;
    if (op->kind == OP_WAIT_EVENTS)
        sync_context_wait_events(context, events, op->event_count, &all);
    else
        sync_context_barriers(context, &all);
    /* Two blocks of the lowest level, or of the one above. */
    const unsigned repeats = op->barrier_count > 1 ? 2 * LOG_BLOCK : 2 * LOG_BLOCK * LOG_BLOCK;
    for (unsigned i = 1; op->repeated && i < repeats; i++)
        sync_context_barriers(context, &all);
}

/* Through the code that reads vkCmdSetEvent2's parameters. */
static void do_set_event(struct sync_context *context, const struct op *op, uint64_t tag)
{
    VkMemoryBarrier2 app[BARRIERS];
    struct sync_barrier scopes[BARRIERS];
    for (unsigned i = 0; i < op->barrier_count; i++)
        app[i] = (VkMemoryBarrier2){.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                    .srcStageMask = op->barriers[i].src_stages,
                                    .srcAccessMask = op->barriers[i].src_accesses,
                                    .dstStageMask = op->barriers[i].dst_stages,
                                    .dstAccessMask = op->barriers[i].dst_accesses};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = op->barrier_count,
                                   .pMemoryBarriers = app};
    uint32_t count = sync_event_scopes(&info, &everything, scopes, BARRIERS);
    sync_context_set_event(context, op->events[0] + 1u, scopes, count, tag);
}

static void do_begin_pass(struct sync_context *context, const struct graph *graph, uint64_t tag)
{
    struct sync_dependency dependencies[DEPENDENCIES];
    for (unsigned i = 0; i < graph->dependency_count; i++) {
        const struct dependency *dependency = &graph->dependencies[i];
        dependencies[i] = (struct sync_dependency){
            .src = dependency->src == EXTERNAL ? SYNC_EXTERNAL : dependency->src,
            .dst = dependency->dst == EXTERNAL ? SYNC_EXTERNAL : dependency->dst,
            .barrier = barrier_of_model(&dependency->scopes, 0),
        };
    }
    const struct sync_graph made = {graph->subpass_count, graph->dependency_count, dependencies};
    sync_context_begin_render_pass(context, &made, tag);
}

static void do_op(struct sync_context *context, const struct op *op, uint64_t tag)
{
    switch (op->kind) {
    case OP_ACCESS: {
        const struct sync_place place = place_of(op->place);
        const struct sync_access access = {
            .tag = tag, .usage = sync_usage_of[op->usage], .ordering = op->ordering};
        sync_context_access(context, &place, &access);
        break;
    }
    case OP_BARRIERS:
    case OP_WAIT_EVENTS:
        do_barriers(context, op, tag);
        break;
    case OP_SET_EVENT:
        do_set_event(context, op, tag);
        break;
    case OP_NEXT_SUBPASS:
        sync_context_next_subpass(context, tag);
        break;
    case OP_END_PASS:
        sync_context_end_render_pass(context, tag);
        break;
    case OP_BEGIN_INSTANCE:
        sync_context_begin_instance(context, op->resumed);
        break;
    case OP_END_INSTANCE:
        sync_context_end_instance(context);
        break;
    case OP_EXECUTE:
        sync_context_replay(context, &contexts[op->list], 0, tag);
        break;
    default:
        break;
    }
}

struct semaphore {
    bool signaled;
    uint8_t snapshot, queue;
};

static void do_signal(struct sync_context *context, const struct op *op,
                      struct semaphore *semaphore)
{
    if (semaphore->signaled)
        sync_context_release(context, semaphore->snapshot);
    struct sync_barrier scope = barrier_of_model(&op->barriers[0], op->queue);
    scope.src.accesses = usage_mask_or(sync_reads, sync_writes);
    *semaphore = (struct semaphore){true, sync_context_signal(context, &scope), op->queue};
}

static void do_wait(struct sync_context *context, const struct op *op,
                    const struct semaphore *semaphore)
{
    struct sync_scope dst = sync_scope_wait(op->barriers[0].dst_stages, &everything);
    if (semaphore->signaled)
        sync_context_wait(context, semaphore->snapshot, semaphore->queue, op->queue, &dst);
}

static void do_queue_op(struct sync_context *context, const struct op *op, unsigned number,
                        struct semaphore semaphores[SEMAPHORES])
{
    switch (op->kind) {
    case OP_SUBMIT:
        sync_context_replay(context, &contexts[op->list], op->queue, BASE_OF_SUBMIT(number));
        break;
    case OP_SIGNAL:
        do_signal(context, op, &semaphores[op->semaphore]);
        break;
    case OP_WAIT:
        do_wait(context, op, &semaphores[op->semaphore]);
        break;
    case OP_SWEEP:
        sync_context_sweep(context);
        break;
    case OP_FORGET:
        sync_context_forget(context, op->place.space + 1u);
        break;
    default:
        break;
    }
}

struct model_hazard model_of(const struct program *program, unsigned number)
{
    get_ready();
    struct sync_context *context = &contexts[number];
    const struct list *list = &program->lists[number];
    struct semaphore semaphores[SEMAPHORES] = {0};
    listener.first.op = -1;
    sync_context_reset(context);
    context->sink = &listener.sink;
    context->inherits_instance = list->continues;
    context->instance = context->instance_count = list->continues;
    for (unsigned i = 0; i < list->op_count && listener.first.op < 0; i++) {
        listener.op = (int)i;
        if (number == TOP_LIST)
            do_queue_op(context, &list->ops[i], i, semaphores);
        else if (list->ops[i].kind == OP_BEGIN_PASS)
            do_begin_pass(context, &program->graphs[list->ops[i].graph], TAG_IN_LIST(i));
        else
            do_op(context, &list->ops[i], list->secondary ? TAG_IN_SECONDARY(i) : TAG_IN_LIST(i));
    }
    sync_context_finish(context);
    assert(!context->broken);
    return listener.first;
}

void model_free(void)
{
    for (unsigned i = 0; is_ready && i < LISTS; i++)
        sync_context_free(&contexts[i]);
    is_ready = false;
}
