/* Checks which accesses are a hazard. These are cases of the specification's rules, one by one (7.1
 * "Execution and Memory Dependencies"); tests/oracle tries random ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "sync/access/access_context.h"
#include "sync/access/usage_mask.h"

#define COPY     VK_PIPELINE_STAGE_2_COPY_BIT
#define VERTEX   VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT
#define FRAGMENT VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT
#define COLOR    VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT
#define COMPUTE  VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT
#define ALL      VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT

#define COPY_READ     VK_ACCESS_2_TRANSFER_READ_BIT
#define COPY_WRITE    VK_ACCESS_2_TRANSFER_WRITE_BIT
#define SAMPLED       VK_ACCESS_2_SHADER_SAMPLED_READ_BIT
#define STORAGE_READ  VK_ACCESS_2_SHADER_STORAGE_READ_BIT
#define STORAGE_WRITE VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT
#define COLOR_READ    VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT
#define COLOR_WRITE   VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT

static struct sync_context context;
static struct sync_queue queue;
static uint64_t tag;
static struct sync_hazard told;

static void hear_hazard(const struct sync_sink *sink, const struct sync_place *place,
                        const struct sync_access *access, const struct sync_barrier *barrier,
                        const struct sync_hazard *hazard)
{
    (void)sink;
    (void)place;
    (void)access;
    (void)barrier;
    told = *hazard;
}

static const struct sync_sink sink = {hear_hazard};

static int begin_context(void **state)
{
    (void)state;
    queue = sync_queue_of(0);
    tag = 0;
    sync_context_init(&context, false);
    context.sink = &sink;
    return 0;
}

static int end_context(void **state)
{
    (void)state;
    sync_context_free(&context);
    return 0;
}

/* Bytes [0, 16) of a resource, unless said otherwise. HAZARD_NONE, or which one. */
static enum hazard access_range(uint64_t from, uint64_t to, enum sync_usage usage,
                                enum sync_ordering ordering)
{
    const struct sync_place place = {1, from, to};
    const struct sync_access access = {
        .tag = ++tag, .usage = (uint16_t)usage, .ordering = (uint8_t)ordering};
    told = (struct sync_hazard){0};
    bool clean = sync_context_access(&context, &place, &access);
    assert_int_equal(clean, told.kind == HAZARD_NONE);
    return told.kind;
}

static enum hazard access_first_range(enum sync_usage usage)
{
    return access_range(0, 16, usage, SYNC_UNORDERED);
}

static enum hazard ordered_access(enum sync_usage usage, enum sync_ordering ordering)
{
    return access_range(0, 16, usage, ordering);
}

static struct sync_barrier barrier_of_scopes(VkPipelineStageFlags2 src, VkAccessFlags2 src_accesses,
                                             VkPipelineStageFlags2 dst, VkAccessFlags2 dst_accesses)
{
    return (struct sync_barrier){.src = sync_scope_source(src, src_accesses, &queue),
                                 .dst = sync_scope_destination(dst, dst_accesses, &queue),
                                 .everything = src == ALL};
}

static void apply_barrier(VkPipelineStageFlags2 src, VkAccessFlags2 src_accesses,
                          VkPipelineStageFlags2 dst, VkAccessFlags2 dst_accesses)
{
    const struct sync_barrier one = barrier_of_scopes(src, src_accesses, dst, dst_accesses);
    sync_context_barriers(&context, &(struct sync_barriers){.tag = ++tag,
                                                            .global_count = 1,
                                                            .barrier_count = 1,
                                                            .barriers = &one});
}

/* A layout transition of bytes [0, 16). HAZARD_NONE, or which one. */
static enum hazard apply_transition(VkPipelineStageFlags2 src, VkAccessFlags2 src_accesses,
                                    VkPipelineStageFlags2 dst, VkAccessFlags2 dst_accesses)
{
    const struct sync_barrier one = barrier_of_scopes(src, src_accesses, dst, dst_accesses);
    const struct sync_range_barrier range = {.place = {1, 0, 16}, .transition = true};
    told = (struct sync_hazard){0};
    sync_context_barriers(&context, &(struct sync_barriers){.tag = ++tag,
                                                            .barrier_count = 1,
                                                            .range_count = 1,
                                                            .barriers = &one,
                                                            .ranges = &range});
    return told.kind;
}

/* --- pairs --- */

static void two_accesses_of_which_one_writes_race(void **state)
{
    (void)state;
    assert_int_equal(access_first_range(SYNC_COPY_TRANSFER_READ), HAZARD_NONE);
    assert_int_equal(access_first_range(SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ), HAZARD_NONE);
    assert_int_equal(access_first_range(SYNC_COPY_TRANSFER_WRITE), HAZARD_WRITE_AFTER_READ);
    assert_int_equal(access_first_range(SYNC_COPY_TRANSFER_READ), HAZARD_READ_AFTER_WRITE);
    assert_int_equal(access_range(8, 9, SYNC_COPY_TRANSFER_WRITE, SYNC_UNORDERED),
                     HAZARD_WRITE_AFTER_READ);
    assert_int_equal(access_range(8, 9, SYNC_COPY_TRANSFER_WRITE, SYNC_UNORDERED),
                     HAZARD_WRITE_AFTER_WRITE);
    assert_int_equal(told.prior.tag, tag - 1);
    assert_int_equal(access_range(16, 32, SYNC_COPY_TRANSFER_WRITE, SYNC_UNORDERED), HAZARD_NONE);
}

/* "Write-after-read hazards can be solved with just an execution dependency" */
static void an_execution_dependency_is_enough_for_a_write_after_a_read(void **state)
{
    (void)state;
    access_first_range(SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ);
    apply_barrier(FRAGMENT, 0, COPY, 0);
    assert_int_equal(access_first_range(SYNC_COPY_TRANSFER_WRITE), HAZARD_NONE);
}

/* "read-after-write and write-after-write hazards need appropriate memory dependencies" */
static void an_execution_dependency_is_not_enough_for_accesses_after_a_write(void **state)
{
    (void)state;
    access_first_range(SYNC_COPY_TRANSFER_WRITE);
    apply_barrier(COPY, 0, COPY | FRAGMENT, COPY_WRITE | SAMPLED);
    assert_int_equal(access_first_range(SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ),
                     HAZARD_READ_AFTER_WRITE);
    assert_int_equal(told.ordered, 0); /* of writes only what makes them available is noted */
    assert_int_equal(access_range(0, 8, SYNC_COPY_TRANSFER_WRITE, SYNC_UNORDERED),
                     HAZARD_WRITE_AFTER_READ);
}

static void a_write_is_visible_to_the_accesses_that_the_barrier_names(void **state)
{
    (void)state;
    access_first_range(SYNC_COPY_TRANSFER_WRITE);
    apply_barrier(COPY, COPY_WRITE, FRAGMENT, SAMPLED);
    assert_int_equal(access_first_range(SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ), HAZARD_NONE);
    assert_int_equal(access_first_range(SYNC_FRAGMENT_SHADER_SHADER_STORAGE_READ),
                     HAZARD_READ_AFTER_WRITE);
    /* "only the stages the application specifies are considered part of each access scope" */
    assert_int_equal(access_first_range(SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_READ),
                     HAZARD_READ_AFTER_WRITE);
}

static void logically_earlier_and_later_stages_are_in_execution_scopes(void **state)
{
    (void)state;
    access_first_range(SYNC_VERTEX_ATTRIBUTE_INPUT_VERTEX_ATTRIBUTE_READ);
    apply_barrier(FRAGMENT, 0, FRAGMENT, 0);
    assert_int_equal(access_range(0, 4, SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE,
                                  SYNC_UNORDERED),
                     HAZARD_NONE);
    assert_int_equal(access_range(4, 8, SYNC_VERTEX_SHADER_SHADER_STORAGE_WRITE, SYNC_UNORDERED),
                     HAZARD_WRITE_AFTER_READ);
    assert_int_equal(access_range(8, 12, SYNC_COPY_TRANSFER_WRITE, SYNC_UNORDERED),
                     HAZARD_WRITE_AFTER_READ);
}

/* --- chains --- */

static void dependencies_whose_scopes_meet_form_a_chain(void **state)
{
    (void)state;
    access_first_range(SYNC_COPY_TRANSFER_WRITE);
    apply_barrier(COPY, COPY_WRITE, COMPUTE, 0);
    apply_barrier(COMPUTE, 0, FRAGMENT, SAMPLED);
    assert_int_equal(access_first_range(SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ), HAZARD_NONE);
}

static void dependencies_whose_scopes_do_not_meet_form_none(void **state)
{
    (void)state;
    access_first_range(SYNC_COPY_TRANSFER_WRITE);
    apply_barrier(COPY, COPY_WRITE, COLOR, 0);
    apply_barrier(COMPUTE | VERTEX, 0, FRAGMENT, SAMPLED);
    assert_int_equal(access_first_range(SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ),
                     HAZARD_READ_AFTER_WRITE);
}

/* The first access scope of a chain is that of its first command. */
static void a_chain_that_begins_without_availability_carries_no_write(void **state)
{
    (void)state;
    access_first_range(SYNC_COPY_TRANSFER_WRITE);
    apply_barrier(COPY, 0, COMPUTE, 0);
    apply_barrier(COMPUTE, COPY_WRITE, FRAGMENT, SAMPLED);
    assert_int_equal(access_first_range(SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ),
                     HAZARD_READ_AFTER_WRITE);
}

static void barriers_of_one_command_form_no_chain(void **state)
{
    (void)state;
    access_first_range(SYNC_COPY_TRANSFER_WRITE);
    const struct sync_barrier two[] = {barrier_of_scopes(COPY, COPY_WRITE, COMPUTE, 0),
                                       barrier_of_scopes(COMPUTE, 0, FRAGMENT, SAMPLED)};
    sync_context_barriers(&context, &(struct sync_barriers){.tag = ++tag,
                                                            .global_count = 2,
                                                            .barrier_count = 2,
                                                            .barriers = two});
    assert_int_equal(access_first_range(SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ),
                     HAZARD_READ_AFTER_WRITE);
}

/* --- most recent accesses --- */

/* W, M (guards R0), R0, R1, E (from R1's stage to R2's), R2, R3 (in no scope of E). */
static void reads_are_each_compared_with_the_write(void **state)
{
    (void)state;
    access_first_range(SYNC_COPY_TRANSFER_WRITE);
    apply_barrier(COPY, COPY_WRITE, VERTEX, VK_ACCESS_2_UNIFORM_READ_BIT);
    assert_int_equal(access_first_range(SYNC_VERTEX_SHADER_UNIFORM_READ), HAZARD_NONE);
    assert_int_equal(access_first_range(SYNC_COMPUTE_SHADER_UNIFORM_READ), HAZARD_READ_AFTER_WRITE);
    apply_barrier(COMPUTE, 0, FRAGMENT, SAMPLED);
    assert_int_equal(access_first_range(SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ),
                     HAZARD_READ_AFTER_WRITE);
    assert_int_equal(access_first_range(SYNC_COPY_TRANSFER_READ), HAZARD_READ_AFTER_WRITE);
}

/* W0, M (guards R), R, E (guards W1), W1: "the correctness of R, E, W1 depends solely on those
 * operations". */
static void a_write_behind_a_read_that_saw_a_write_is_behind_that_write(void **state)
{
    (void)state;
    access_first_range(SYNC_COPY_TRANSFER_WRITE);
    apply_barrier(COPY, COPY_WRITE, FRAGMENT, SAMPLED);
    assert_int_equal(access_first_range(SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ), HAZARD_NONE);
    apply_barrier(FRAGMENT, 0, COMPUTE, 0);
    assert_int_equal(access_first_range(SYNC_COMPUTE_SHADER_SHADER_STORAGE_WRITE), HAZARD_NONE);
}

static void all_reads_since_the_write_must_be_ordered_before_the_next_one(void **state)
{
    (void)state;
    access_first_range(SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ);
    access_first_range(SYNC_COPY_TRANSFER_READ);
    access_first_range(SYNC_VERTEX_SHADER_UNIFORM_READ);
    apply_barrier(FRAGMENT, 0, COMPUTE,
                  0); /* the vertex shader is logically earlier; the copy is not */
    assert_int_equal(access_first_range(SYNC_COMPUTE_SHADER_SHADER_STORAGE_WRITE),
                     HAZARD_WRITE_AFTER_READ);
    assert_int_equal(told.prior.usage, SYNC_COPY_TRANSFER_READ);
}

/* --- layout transitions --- */

static void a_transition_needs_available_writes_and_reads_that_are_done(void **state)
{
    (void)state;
    access_first_range(SYNC_COPY_TRANSFER_WRITE);
    assert_int_equal(apply_transition(COPY, 0, FRAGMENT, SAMPLED), HAZARD_WRITE_AFTER_WRITE);
    access_first_range(SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ);
    assert_int_equal(apply_transition(COPY, COPY_WRITE, FRAGMENT, SAMPLED),
                     HAZARD_WRITE_AFTER_READ);
    access_first_range(SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ);
    assert_int_equal(apply_transition(FRAGMENT, 0, COPY, COPY_WRITE), HAZARD_NONE);
}

static void what_follows_a_transition_must_be_in_its_second_scope(void **state)
{
    (void)state;
    access_first_range(SYNC_COPY_TRANSFER_WRITE);
    assert_int_equal(apply_transition(COPY, COPY_WRITE, FRAGMENT, SAMPLED), HAZARD_NONE);
    assert_int_equal(access_range(0, 4, SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ, SYNC_UNORDERED),
                     HAZARD_NONE);
    assert_int_equal(access_range(4, 8, SYNC_COPY_TRANSFER_READ, SYNC_UNORDERED),
                     HAZARD_READ_AFTER_WRITE);
    assert_int_equal(told.prior.usage, SYNC_IMAGE_LAYOUT_TRANSITION);
    apply_barrier(FRAGMENT, 0, COPY,
                  /* a chain from the transition's second scope; its writes are available of
                     themselves */
                  COPY_READ);
    assert_int_equal(access_range(8, 12, SYNC_COPY_TRANSFER_READ, SYNC_UNORDERED), HAZARD_NONE);
}

/* "Layout transitions [...] execute in their entirety in submission order" */
static void transitions_of_one_queue_are_in_order(void **state)
{
    (void)state;
    assert_int_equal(apply_transition(0, 0, COPY, COPY_WRITE), HAZARD_NONE);
    assert_int_equal(apply_transition(0, 0, FRAGMENT, SAMPLED), HAZARD_NONE);
    assert_int_equal(access_first_range(SYNC_COPY_TRANSFER_WRITE), HAZARD_WRITE_AFTER_WRITE);
}

static void all_commands_include_transitions(void **state)
{
    (void)state;
    apply_transition(0, 0, 0, 0);
    apply_barrier(ALL, 0, COPY, COPY_WRITE);
    assert_int_equal(access_first_range(SYNC_COPY_TRANSFER_WRITE), HAZARD_NONE);
}

/* --- order without barriers --- */

static void attachments_are_in_rasterization_order_within_an_instance(void **state)
{
    (void)state;
    sync_context_begin_instance(&context, false);
    assert_int_equal(ordered_access(SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE,
                                    SYNC_ORDER_COLOR),
                     HAZARD_NONE);
    assert_int_equal(ordered_access(SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_READ,
                                    SYNC_ORDER_COLOR),
                     HAZARD_NONE);
    assert_int_equal(ordered_access(SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE,
                                    SYNC_ORDER_COLOR),
                     HAZARD_NONE);
    assert_int_equal(access_first_range(SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ),
                     HAZARD_READ_AFTER_WRITE);
    sync_context_end_instance(&context);
}

static void attachments_of_two_instances_are_in_no_order(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        sync_context_begin_instance(&context, false);
        assert_int_equal(ordered_access(SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE,
                                        SYNC_ORDER_COLOR),
                         i ? HAZARD_WRITE_AFTER_WRITE : HAZARD_NONE);
        sync_context_end_instance(&context);
    }
    sync_context_begin_instance(&context, true);
    assert_int_equal(ordered_access(SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE,
                                    SYNC_ORDER_COLOR),
                     HAZARD_NONE);
}

static void a_read_in_order_does_not_hide_one_that_is_not(void **state)
{
    (void)state;
    access_first_range(SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_READ);
    sync_context_begin_instance(&context, false);
    assert_int_equal(ordered_access(SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_READ,
                                    SYNC_ORDER_COLOR),
                     HAZARD_NONE);
    assert_int_equal(ordered_access(SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE,
                                    SYNC_ORDER_COLOR),
                     HAZARD_WRITE_AFTER_READ);
    assert_int_equal(told.prior.tag, 1);
}

/* An input attachment is what the load operation has read, if that was in order. */
static void inputs_are_what_was_loaded(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        access_first_range(SYNC_COPY_TRANSFER_WRITE);
        if (i)
            apply_barrier(COPY, COPY_WRITE, COLOR, COLOR_READ);
        sync_context_begin_instance(&context, false);
        assert_int_equal(ordered_access(SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_READ,
                                        SYNC_ORDER_LOAD),
                         i ? HAZARD_NONE : HAZARD_READ_AFTER_WRITE);
        assert_int_equal(ordered_access(SYNC_FRAGMENT_SHADER_INPUT_ATTACHMENT_READ,
                                        SYNC_ORDER_INPUT),
                         i ? HAZARD_NONE : HAZARD_READ_AFTER_WRITE);
        sync_context_end_instance(&context);
    }
}

/* The barrier only had the load operation in mind, which reads: what is drawn comes after it. */
static void load_and_store_operations_are_the_first_and_the_last(void **state)
{
    (void)state;
    access_first_range(SYNC_COPY_TRANSFER_WRITE);
    apply_barrier(COPY, COPY_WRITE, COLOR, COLOR_READ);
    sync_context_begin_instance(&context, false);
    assert_int_equal(ordered_access(SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_READ,
                                    SYNC_ORDER_LOAD),
                     HAZARD_NONE);
    assert_int_equal(ordered_access(SYNC_FRAGMENT_SHADER_INPUT_ATTACHMENT_READ, SYNC_ORDER_INPUT),
                     HAZARD_NONE);
    assert_int_equal(ordered_access(SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE,
                                    SYNC_ORDER_COLOR),
                     HAZARD_WRITE_AFTER_READ);
    assert_int_equal(told.prior.usage, SYNC_FRAGMENT_SHADER_INPUT_ATTACHMENT_READ);
    assert_int_equal(ordered_access(SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE,
                                    SYNC_ORDER_STORE),
                     HAZARD_NONE);
    sync_context_end_instance(&context);
}

static void what_is_drawn_behind_a_load_operation_needs_no_barrier_of_its_own(void **state)
{
    (void)state;
    access_first_range(SYNC_COPY_TRANSFER_WRITE);
    apply_barrier(COPY, COPY_WRITE, COLOR, COLOR_READ);
    sync_context_begin_instance(&context, false);
    assert_int_equal(ordered_access(SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_READ,
                                    SYNC_ORDER_LOAD),
                     HAZARD_NONE);
    assert_int_equal(ordered_access(SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE,
                                    SYNC_ORDER_COLOR),
                     HAZARD_NONE);
}

/* --- events --- */

static void wait_for_event(VkPipelineStageFlags2 src, VkAccessFlags2 src_accesses,
                           VkPipelineStageFlags2 dst, VkAccessFlags2 dst_accesses)
{
    const uint64_t event = 7;
    const struct sync_barrier one = barrier_of_scopes(src, src_accesses, dst, dst_accesses);
    sync_context_wait_events(&context, &event, 1,
                             &(struct sync_barriers){.tag = ++tag,
                                                     .global_count = 1,
                                                     .barrier_count = 1,
                                                     .barriers = &one});
}

static void set_state_event(VkPipelineStageFlags2 src)
{
    const struct sync_barrier scope = barrier_of_scopes(src, 0, 0, 0);
    sync_context_set_event(&context, 7, &scope, 1, ++tag);
}

static void an_event_has_what_came_before_it_was_set(void **state)
{
    (void)state;
    access_range(0, 8, SYNC_COPY_TRANSFER_WRITE, SYNC_UNORDERED);
    set_state_event(COPY);
    access_range(8, 16, SYNC_COPY_TRANSFER_WRITE, SYNC_UNORDERED);
    wait_for_event(COPY, COPY_WRITE, FRAGMENT, SAMPLED);
    assert_int_equal(access_range(0, 8, SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ, SYNC_UNORDERED),
                     HAZARD_NONE);
    assert_int_equal(access_range(8, 16, SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ, SYNC_UNORDERED),
                     HAZARD_READ_AFTER_WRITE);
}

static void what_was_made_available_after_an_event_was_set_is_not_by_it(void **state)
{
    (void)state;
    access_first_range(SYNC_COPY_TRANSFER_WRITE);
    set_state_event(COPY);
    apply_barrier(COPY, COPY_WRITE, COMPUTE, 0);
    wait_for_event(COPY, 0, FRAGMENT, SAMPLED);
    assert_int_equal(access_first_range(SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ),
                     HAZARD_READ_AFTER_WRITE);
}

static void an_event_that_was_never_set_orders_nothing(void **state)
{
    (void)state;
    access_first_range(SYNC_COPY_TRANSFER_READ);
    wait_for_event(COPY, COPY_WRITE, FRAGMENT, STORAGE_WRITE);
    assert_int_equal(access_first_range(SYNC_FRAGMENT_SHADER_SHADER_STORAGE_WRITE),
                     HAZARD_WRITE_AFTER_READ);
}

/* --- render pass objects --- */

static void begin_state_pass(uint32_t subpasses, uint32_t count,
                             const struct sync_dependency *dependencies)
{
    sync_context_begin_render_pass(&context, &(struct sync_graph){subpasses, count, dependencies},
                                   ++tag);
}

static void subpasses_race_where_no_dependency_is(void **state)
{
    (void)state;
    begin_state_pass(2, 0, NULL);
    access_first_range(SYNC_FRAGMENT_SHADER_SHADER_STORAGE_WRITE);
    sync_context_next_subpass(&context, ++tag);
    assert_int_equal(access_first_range(SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ),
                     HAZARD_READ_RACING_WRITE);
    sync_context_end_render_pass(&context, ++tag);
}

static void a_dependency_orders_subpasses_and_what_came_before(void **state)
{
    (void)state;
    const struct sync_dependency dependencies[] = {
        {SYNC_EXTERNAL, 0, barrier_of_scopes(COPY, COPY_WRITE, COMPUTE | FRAGMENT, STORAGE_WRITE)},
        {0, 1, barrier_of_scopes(FRAGMENT, STORAGE_WRITE, FRAGMENT, SAMPLED)},
    };
    access_first_range(SYNC_COPY_TRANSFER_WRITE);
    begin_state_pass(2, 2, dependencies);
    assert_int_equal(access_range(0, 8, SYNC_FRAGMENT_SHADER_SHADER_STORAGE_WRITE, SYNC_UNORDERED),
                     HAZARD_NONE);
    sync_context_next_subpass(&context, ++tag);
    /* [8, 16) by the chain */
    assert_int_equal(access_first_range(SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ), HAZARD_NONE);
    sync_context_end_render_pass(&context, ++tag);
    assert_int_equal(access_range(0, 8, SYNC_COPY_TRANSFER_READ, SYNC_UNORDERED),
                     HAZARD_READ_AFTER_WRITE);
}

static void barriers_in_a_subpass_are_about_the_subpass(void **state)
{
    (void)state;
    access_range(0, 8, SYNC_FRAGMENT_SHADER_SHADER_STORAGE_WRITE, SYNC_UNORDERED);
    begin_state_pass(1, 0, NULL);
    access_range(8, 16, SYNC_FRAGMENT_SHADER_SHADER_STORAGE_WRITE, SYNC_UNORDERED);
    apply_barrier(FRAGMENT, STORAGE_WRITE, FRAGMENT, SAMPLED);
    assert_int_equal(access_range(0, 8, SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ, SYNC_UNORDERED),
                     HAZARD_READ_AFTER_WRITE);
    assert_int_equal(access_range(8, 16, SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ, SYNC_UNORDERED),
                     HAZARD_NONE);
    sync_context_end_render_pass(&context, ++tag);
    apply_barrier(FRAGMENT, 0, COPY,
                  COPY_READ); /* its first scope has the subpass' commands: a chain */
    assert_int_equal(access_range(8, 16, SYNC_COPY_TRANSFER_READ, SYNC_UNORDERED), HAZARD_NONE);
}

/* --- queues --- */

static void queues_are_ordered_by_semaphores_only(void **state)
{
    (void)state;
    struct sync_access write = {.tag = ++tag, .usage = SYNC_COPY_TRANSFER_WRITE},
                       read = {.usage = SYNC_COPY_TRANSFER_READ, .queue = 1};
    const struct sync_place place = {1, 0, 16};
    assert_true(sync_context_access(&context, &place, &write));
    read.tag = ++tag;
    assert_false(sync_context_access(&context, &place, &read));
    assert_int_equal(told.kind, HAZARD_READ_RACING_WRITE);

    write.tag = ++tag;
    sync_context_forget(&context, 1);
    assert_true(sync_context_access(&context, &place, &write));
    const struct sync_barrier signal = barrier_of_scopes(ALL, 0, 0, 0);
    uint8_t snapshot = sync_context_signal(&context, &signal);
    const struct sync_scope all =
        sync_scope_destination(ALL, VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
                               &queue);
    sync_context_wait(&context, snapshot, 0, 1, &all);
    sync_context_release(&context, snapshot);
    read.tag = ++tag;
    assert_true(sync_context_access(&context, &place, &read));
    read.queue = 2;
    assert_false(sync_context_access(&context, &place, &read));
}

/* --- a log that a state catches up with late --- */

/* Barriers of a frame: some chain, some do not, some are over everything. */
static struct sync_barrier any_barrier(uint32_t random)
{
    static const VkPipelineStageFlags2 stages[] = {COPY,    VERTEX,         FRAGMENT, COLOR,
                                                   COMPUTE, COPY | COMPUTE, ALL};
    static const VkAccessFlags2 accesses[] = {
        COPY_READ,           SAMPLED, SAMPLED, COLOR_READ | COLOR_WRITE, STORAGE_WRITE, COPY_WRITE,
        COPY_WRITE | SAMPLED};
    const uint32_t src = random % 7, dst = random / 7 % 7;
    return barrier_of_scopes(stages[src], accesses[src], stages[dst], accesses[dst]);
}

static struct sync_state any_state(uint32_t random, struct arena *arena)
{
    static const enum sync_usage usages[] = {SYNC_COPY_TRANSFER_WRITE, SYNC_COPY_TRANSFER_READ,
                                             SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ,
                                             SYNC_IMAGE_LAYOUT_TRANSITION};
    struct sync_state state = {0};
    for (uint32_t i = 0; i <= random % 3; i++) {
        const struct sync_access access = {.tag = ++tag,
                                           .usage = (uint16_t)usages[(random / 3 + i) % 4]};
        assert_true(sync_state_add(&state, &access, 0, arena));
    }
    return state;
}

static void assert_same_records(const struct sync_state *a, const struct sync_state *b)
{
    assert_int_equal(a->read_count, b->read_count);
    assert_int_equal(a->write.tag, b->write.tag);
    assert_int_equal(a->write.stages, b->write.stages);
    assert_true(usage_mask_equals(&a->visible, &b->visible));
    for (uint32_t i = 0; i < a->read_count; i++) {
        assert_int_equal(sync_state_read(a, i)->tag, sync_state_read(b, i)->tag);
        assert_int_equal(sync_state_read(a, i)->stages, sync_state_read(b, i)->stages);
    }
}

/* Blocks of all levels are passed by only where they add nothing. There are 5,000 barriers in runs
 * of one kind, and states that come in anywhere. They are looked at after each barrier or only at
 * the end. */
static void a_state_that_catches_up_late_is_as_one_that_did_each_time(void **state)
{
    (void)state;
    enum { BARRIERS = 5000, STATES = 60 };
    struct arena arena = {0};
    struct access_log log = {.arena = &arena, .notes_repeats = true};
    struct sync_state early[STATES], late[STATES];
    uint32_t random = 1, made = 0, kind = 0;
    for (uint32_t i = 0; i < BARRIERS; i++) {
        random = random * 1664525u + 1013904223u;
        if (i % 97 == 0 && made < STATES) {
            early[made] = late[made] = any_state(random >> 8, &arena);
            early[made].caught_up = late[made].caught_up = log.count;
            made++;
        }
        if ((random >> 24) % (i % 1500 < 700 ? 2 : 300) == 0)
            kind = random >> 8;
        const struct sync_barrier one = any_barrier(kind);
        assert_true(access_log_append_barrier(&log, &one, true));
        for (uint32_t k = 0; k < made; k++)
            access_log_catch_up(&log, &early[k], &arena);
    }
    assert_int_equal(made, BARRIERS / 97 + 1);
    for (uint32_t k = 0; k < made; k++) {
        access_log_catch_up(&log, &late[k], &arena);
        assert_same_records(&early[k], &late[k]);
    }
    arena_free(&arena, false);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_context, end_context)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(two_accesses_of_which_one_writes_race),
        TEST(an_execution_dependency_is_enough_for_a_write_after_a_read),
        TEST(an_execution_dependency_is_not_enough_for_accesses_after_a_write),
        TEST(a_write_is_visible_to_the_accesses_that_the_barrier_names),
        TEST(logically_earlier_and_later_stages_are_in_execution_scopes),
        TEST(dependencies_whose_scopes_meet_form_a_chain),
        TEST(dependencies_whose_scopes_do_not_meet_form_none),
        TEST(a_chain_that_begins_without_availability_carries_no_write),
        TEST(barriers_of_one_command_form_no_chain),
        TEST(reads_are_each_compared_with_the_write),
        TEST(a_write_behind_a_read_that_saw_a_write_is_behind_that_write),
        TEST(all_reads_since_the_write_must_be_ordered_before_the_next_one),
        TEST(a_transition_needs_available_writes_and_reads_that_are_done),
        TEST(what_follows_a_transition_must_be_in_its_second_scope),
        TEST(transitions_of_one_queue_are_in_order),
        TEST(all_commands_include_transitions),
        TEST(attachments_are_in_rasterization_order_within_an_instance),
        TEST(attachments_of_two_instances_are_in_no_order),
        TEST(a_read_in_order_does_not_hide_one_that_is_not),
        TEST(inputs_are_what_was_loaded),
        TEST(load_and_store_operations_are_the_first_and_the_last),
        TEST(what_is_drawn_behind_a_load_operation_needs_no_barrier_of_its_own),
        TEST(an_event_has_what_came_before_it_was_set),
        TEST(what_was_made_available_after_an_event_was_set_is_not_by_it),
        TEST(an_event_that_was_never_set_orders_nothing),
        TEST(subpasses_race_where_no_dependency_is),
        TEST(a_dependency_orders_subpasses_and_what_came_before),
        TEST(barriers_in_a_subpass_are_about_the_subpass),
        TEST(queues_are_ordered_by_semaphores_only),
        TEST(a_state_that_catches_up_late_is_as_one_that_did_each_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
