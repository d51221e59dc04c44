/* Checks that masks of stages and accesses cover what the specification says (7.1.2 "Pipeline
 * Stages", 7.1.3 "Access Types"). */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "report/names/names_of_values.h"
#include "sync/access/scope.h"

struct legal_pair {
    VkPipelineStageFlags2 stage;
    VkAccessFlags2 access;
};
#include "sync_legal_pairs.h"

#define STAGE(name) (1ull << SYNC_STAGE_##name)
#define SHADER_READS                                                               \
    (VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT |   \
     VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR | VK_ACCESS_2_SHADER_READ_BIT | \
     VK_ACCESS_2_SHADER_TILE_ATTACHMENT_READ_BIT_QCOM)
#define SHADER_WRITES \
    (VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_SHADER_TILE_ATTACHMENT_WRITE_BIT_QCOM)
#define MEMORY_ALL (VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT)

static const VkQueueFlags universal_flags =
    VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;

static struct usage_mask mask_of(uint32_t count, const enum sync_usage *usages)
{
    struct usage_mask mask = {0};
    for (uint32_t i = 0; i < count; i++)
        mask = usage_mask_or(mask, usage_mask_of(usages[i]));
    return mask;
}

#define MASK(...)                                                               \
    mask_of(sizeof((enum sync_usage[]){__VA_ARGS__}) / sizeof(enum sync_usage), \
            (enum sync_usage[]){__VA_ARGS__})

/* Names both sets where they differ. */
static void assert_usages(struct usage_mask found, struct usage_mask expected)
{
    for (unsigned u = 0; u < SYNC_USAGE_COUNT; u++) {
        bool has = usage_mask_has(&found, (enum sync_usage)u),
             should = usage_mask_has(&expected, (enum sync_usage)u);
        if (has != should)
            fail_msg("%s is %s", sync_usage_name((enum sync_usage)u), has ? "there" : "missing");
    }
    assert_true(usage_mask_equals(&found, &expected));
}

static void assert_stages(sync_stage_mask found, sync_stage_mask expected)
{
    struct value_text text =
        value_text(VALUES_VkPipelineStageFlags2, sync_stage_flags(found ^ expected));
    if (found != expected)
        fail_msg("differs by %s (%#llx)", text.text, (unsigned long long)(found ^ expected));
}

/* All usages of a basic stage. */
static struct usage_mask of_stage(sync_stage_mask stage)
{
    struct usage_mask mask = {0};
    for (unsigned u = SYNC_USAGE_FIRST_PAIR; u < SYNC_USAGE_COUNT; u++) {
        if (sync_usage_info[u].stage_mask == stage)
            mask = usage_mask_or(mask, usage_mask_of((enum sync_usage)u));
    }
    return mask;
}

/* Exactly the pairs of the XML, and the reads of geometry and micromap input, which the XML lists
 * under the group SHADER_READ. */
static void usages_are_the_legal_pairs(void **state)
{
    (void)state;
    assert_int_equal(SYNC_STAGE_BASIC_COUNT, BASIC_STAGES_IN_XML);
    assert_int_equal(SYNC_USAGE_COUNT - SYNC_USAGE_FIRST_PAIR, ARRAY_LENGTH(legal_pairs) + 2);
    const struct sync_queue any = sync_queue_of(0);
    struct usage_mask all =
        MASK(SYNC_ACCELERATION_STRUCTURE_BUILD_SHADER_READ, SYNC_MICROMAP_BUILD_SHADER_READ);
    for (size_t i = 0; i < ARRAY_LENGTH(legal_pairs); i++) {
        const struct legal_pair *pair = &legal_pairs[i];
        enum sync_usage usage = SYNC_NONE;
        for (unsigned u = SYNC_USAGE_FIRST_PAIR; u < SYNC_USAGE_COUNT; u++) {
            if (sync_usage_info[u].stage_bit == pair->stage &&
                sync_usage_info[u].access == pair->access)
                usage = (enum sync_usage)u;
        }
        assert_int_not_equal(usage, SYNC_NONE);
        sync_stage_mask stage = sync_usage_info[usage].stage_mask;
        assert_usages(usage_mask_and(sync_access_scope(stage, pair->access), of_stage(stage)),
                      usage_mask_of(usage));
        all = usage_mask_or(all, usage_mask_of(usage));
    }
    assert_usages(sync_access_scope(any.stages, MEMORY_ALL), all);
    assert_usages(any.usages, all);
    assert_usages(sync_access_scope(any.stages, ~0ull), all);
}

/* A pair that is not in the XML is in no scope. */
static void pairs_that_are_not_legal_are_in_no_scope(void **state)
{
    (void)state;
    uint32_t found = 0;
    for (unsigned stage = 0; stage < SYNC_STAGE_BASIC_COUNT; stage++) {
        for (unsigned access = 0; access < 64; access++) {
            struct usage_mask scope =
                usage_mask_and(sync_access_scope(1ull << stage, 1ull << access),
                               of_stage(1ull << stage));
            if (sync_expand_accesses(1ull << access) != 1ull << access)
                continue; /* a group, or no access at all */
            found += !usage_mask_is_empty(&scope);
        }
    }
    assert_int_equal(found, ARRAY_LENGTH(legal_pairs));
}

static void each_usage_says_what_it_is(void **state)
{
    (void)state;
    const struct sync_usage_info *copy = &sync_usage_info[SYNC_COPY_TRANSFER_WRITE];
    assert_string_equal(sync_usage_name(SYNC_COPY_TRANSFER_WRITE), "SYNC_COPY_TRANSFER_WRITE");
    assert_string_equal(sync_usage_name(SYNC_IMAGE_LAYOUT_TRANSITION),
                        "SYNC_IMAGE_LAYOUT_TRANSITION");
    assert_string_equal(value_text(VALUES_VkPipelineStageFlags2, copy->stage_bit).text,
                        "VK_PIPELINE_STAGE_2_COPY_BIT");
    assert_string_equal(value_text(VALUES_VkAccessFlags2, copy->access).text,
                        "VK_ACCESS_2_TRANSFER_WRITE_BIT");
    assert_int_equal(copy->stage, SYNC_STAGE_COPY);
    assert_true(copy->is_write);

    for (unsigned u = 0; u < SYNC_USAGE_COUNT; u++) {
        const struct sync_usage_info *info = &sync_usage_info[u];
        const char *name = sync_usage_name((enum sync_usage)u);
        assert_true(strncmp(name, "SYNC_", 5) == 0);
        assert_true(info->stage_mask == (info->stage == SYNC_STAGE_NONE ? 0 : 1ull << info->stage));
        assert_int_equal(usage_mask_has(&sync_writes, (enum sync_usage)u), info->is_write);
        assert_int_equal(usage_mask_has(&sync_reads, (enum sync_usage)u),
                         u != SYNC_NONE && !info->is_write);
        if (u < SYNC_USAGE_FIRST_PAIR) {
            assert_true(!info->stage_bit && !info->access);
            continue;
        }
        assert_true(info->stage < SYNC_STAGE_BASIC_COUNT &&
                    sync_stage_bit[info->stage] == info->stage_bit);
        assert_int_equal(info->is_write, strstr(name, "_WRITE") != NULL);
        assert_true(u == SYNC_USAGE_FIRST_PAIR || info[-1].stage <= info->stage);
    }
}

static void groups_of_accesses(void **state)
{
    (void)state;
    assert_true(sync_expand_accesses(VK_ACCESS_2_SHADER_READ_BIT) == SHADER_READS);
    assert_true(sync_expand_accesses(VK_ACCESS_2_SHADER_WRITE_BIT) == SHADER_WRITES);
    assert_true(sync_expand_accesses(VK_ACCESS_2_UNIFORM_READ_BIT) == VK_ACCESS_2_UNIFORM_READ_BIT);
    assert_true(sync_expand_accesses(VK_ACCESS_2_NONE) == 0);
    VkAccessFlags2 reads = sync_expand_accesses(VK_ACCESS_2_MEMORY_READ_BIT);
    VkAccessFlags2 writes = sync_expand_accesses(VK_ACCESS_2_MEMORY_WRITE_BIT);
    assert_true((reads & writes) == 0);
    assert_true((reads & SHADER_READS) == SHADER_READS &&
                (writes & SHADER_WRITES) == SHADER_WRITES);
    assert_true(reads & VK_ACCESS_2_HOST_READ_BIT && writes & VK_ACCESS_2_HOST_WRITE_BIT);

    assert_usages(sync_access_scope(STAGE(COMPUTE_SHADER), VK_ACCESS_2_SHADER_READ_BIT),
                  MASK(SYNC_COMPUTE_SHADER_SHADER_SAMPLED_READ,
                       SYNC_COMPUTE_SHADER_SHADER_STORAGE_READ,
                       SYNC_COMPUTE_SHADER_SHADER_BINDING_TABLE_READ,
                       SYNC_COMPUTE_SHADER_SHADER_TILE_ATTACHMENT_READ));
    /* "... must be synchronized with ... ACCELERATION_STRUCTURE_BUILD ... and an access type of
     * VK_ACCESS_SHADER_READ_BIT". */
    assert_usages(sync_access_scope(STAGE(ACCELERATION_STRUCTURE_BUILD),
                                    VK_ACCESS_2_SHADER_READ_BIT),
                  MASK(SYNC_ACCELERATION_STRUCTURE_BUILD_SHADER_READ));
    assert_usages(sync_access_scope(STAGE(ACCELERATION_STRUCTURE_BUILD),
                                    VK_ACCESS_2_SHADER_STORAGE_READ_BIT),
                  MASK(SYNC_NONE));
    assert_usages(sync_access_scope(STAGE(CLEAR) | STAGE(BLIT), MEMORY_ALL),
                  MASK(SYNC_CLEAR_TRANSFER_WRITE, SYNC_BLIT_TRANSFER_READ,
                       SYNC_BLIT_TRANSFER_WRITE));
}

/* "... specifies the execution of acceleration structure commands or acceleration structure copy
 * commands." */
static void copies_of_structures_have_two_stages(void **state)
{
    (void)state;
    const struct sync_queue universal = sync_queue_of(universal_flags);
    const struct sync_scope
        build = sync_scope_source(VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
                                  VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR, &universal),
        copy = sync_scope_source(VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR,
                                 VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR, &universal);
    assert_usages(build.accesses,
                  MASK(SYNC_ACCELERATION_STRUCTURE_BUILD_ACCELERATION_STRUCTURE_WRITE,
                       SYNC_ACCELERATION_STRUCTURE_COPY_ACCELERATION_STRUCTURE_WRITE));
    assert_usages(copy.accesses,
                  MASK(SYNC_ACCELERATION_STRUCTURE_COPY_ACCELERATION_STRUCTURE_WRITE));
    assert_stages(build.stages & copy.stages, copy.stages);
    assert_stages(copy.stages & STAGE(ACCELERATION_STRUCTURE_BUILD), 0);
    assert_stages(sync_expand_stages(VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
                                     &universal),
                  STAGE(ACCELERATION_STRUCTURE_BUILD) | STAGE(ACCELERATION_STRUCTURE_COPY));
}

static void groups_of_stages(void **state)
{
    (void)state;
    const struct sync_queue universal = sync_queue_of(universal_flags);
    const sync_stage_mask copies = STAGE(COPY) | STAGE(BLIT) | STAGE(RESOLVE) | STAGE(CLEAR) |
                                   STAGE(ACCELERATION_STRUCTURE_COPY);
    assert_stages(sync_expand_stages(VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, &universal), copies);
    assert_stages(sync_expand_stages(VK_PIPELINE_STAGE_TRANSFER_BIT, &universal), copies);
    assert_stages(sync_expand_stages(VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, &universal),
                  STAGE(INDEX_INPUT) | STAGE(VERTEX_ATTRIBUTE_INPUT));
    assert_stages(sync_expand_stages(VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT, &universal),
                  STAGE(VERTEX_SHADER) | STAGE(TESSELLATION_CONTROL_SHADER) |
                      STAGE(TESSELLATION_EVALUATION_SHADER) | STAGE(GEOMETRY_SHADER) |
                      STAGE(TASK_SHADER) | STAGE(MESH_SHADER) | STAGE(CLUSTER_CULLING_SHADER));
    assert_stages(sync_expand_stages(VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_HOST_BIT,
                                     &universal),
                  STAGE(COPY) | STAGE(HOST));
    assert_stages(sync_expand_stages(VK_PIPELINE_STAGE_2_NONE, &universal), 0);
    assert_stages(sync_expand_stages(VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT |
                                         VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT,
                                     &universal),
                  0);

    sync_stage_mask graphics = sync_expand_stages(VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT, &universal);
    const sync_stage_mask some = STAGE(DRAW_INDIRECT) | STAGE(INDEX_INPUT) |
                                 STAGE(VERTEX_ATTRIBUTE_INPUT) | STAGE(MESH_SHADER) |
                                 STAGE(FRAGMENT_SHADER) | STAGE(COLOR_ATTACHMENT_OUTPUT) |
                                 STAGE(CONDITIONAL_RENDERING);
    assert_true((graphics & some) == some);
    assert_true(!(graphics &
                  (copies | STAGE(COMPUTE_SHADER) | STAGE(RAY_TRACING_SHADER) | STAGE(HOST))));

    sync_stage_mask all = sync_expand_stages(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, &universal);
    const sync_stage_mask others = STAGE(HOST) | STAGE(VIDEO_DECODE) | STAGE(VIDEO_ENCODE) |
                                   STAGE(OPTICAL_FLOW) | STAGE(DATA_GRAPH);
    assert_stages(all, ((1ull << SYNC_STAGE_BASIC_COUNT) - 1) & ~others);
}

/* "all operations performed by all commands supported on the queue it is used with". */
static void queues_have_their_own_stages(void **state)
{
    (void)state;
    const struct sync_queue transfer =
        sync_queue_of(VK_QUEUE_TRANSFER_BIT | VK_QUEUE_SPARSE_BINDING_BIT);
    const sync_stage_mask copies = STAGE(COPY) | STAGE(BLIT) | STAGE(RESOLVE) | STAGE(CLEAR) |
                                   STAGE(ACCELERATION_STRUCTURE_COPY) | STAGE(COPY_INDIRECT) |
                                   STAGE(CONVERT_COOPERATIVE_VECTOR_MATRIX);
    assert_stages(sync_expand_stages(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, &transfer), copies);
    assert_stages(sync_expand_stages(VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT, &transfer), 0);
    struct sync_scope scope = sync_scope_source(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                                VK_ACCESS_2_MEMORY_WRITE_BIT, &transfer);
    assert_stages(scope.stages, copies);
    assert_usages(scope.accesses,
                  MASK(SYNC_COPY_TRANSFER_WRITE, SYNC_BLIT_TRANSFER_WRITE,
                       SYNC_RESOLVE_TRANSFER_WRITE, SYNC_CLEAR_TRANSFER_WRITE,
                       SYNC_ACCELERATION_STRUCTURE_COPY_TRANSFER_WRITE,
                       SYNC_ACCELERATION_STRUCTURE_COPY_ACCELERATION_STRUCTURE_WRITE,
                       SYNC_CONVERT_COOPERATIVE_VECTOR_MATRIX_TRANSFER_WRITE));

    /* Transfers need not be asked for where there is compute. */
    const struct sync_queue compute = sync_queue_of(VK_QUEUE_COMPUTE_BIT);
    const sync_stage_mask dispatch = STAGE(DRAW_INDIRECT) | STAGE(COMPUTE_SHADER) |
                                     STAGE(RAY_TRACING_SHADER) |
                                     STAGE(ACCELERATION_STRUCTURE_BUILD);
    assert_true((compute.stages & (copies | dispatch)) == (copies | dispatch));
    assert_true(!(compute.stages & (STAGE(FRAGMENT_SHADER) | STAGE(VIDEO_DECODE))));
    const struct sync_queue video = sync_queue_of(VK_QUEUE_VIDEO_DECODE_BIT_KHR);
    assert_stages(video.stages, STAGE(VIDEO_DECODE) | STAGE(HOST));
    assert_usages(video.usages,
                  MASK(SYNC_VIDEO_DECODE_VIDEO_DECODE_READ, SYNC_VIDEO_DECODE_VIDEO_DECODE_WRITE,
                       SYNC_HOST_HOST_READ, SYNC_HOST_HOST_WRITE));
    assert_stages(sync_queue_of(VK_QUEUE_PROTECTED_BIT | 1u << 31).stages, STAGE(HOST));
    assert_stages(sync_queue_of(0).stages, (1ull << SYNC_STAGE_BASIC_COUNT) - 1);
}

/* "logically earlier" and "logically later", by the pipelines. */
static void stages_are_ordered_by_their_pipelines(void **state)
{
    (void)state;
    const sync_stage_mask vertex = STAGE(DRAW_INDIRECT) | STAGE(INDEX_INPUT) |
                                   STAGE(VERTEX_ATTRIBUTE_INPUT) | STAGE(VERTEX_SHADER);
    assert_stages(sync_earlier_stages(STAGE(VERTEX_SHADER)), vertex);
    assert_stages(sync_later_stages(STAGE(EARLY_FRAGMENT_TESTS)),
                  STAGE(EARLY_FRAGMENT_TESTS) | STAGE(FRAGMENT_SHADER) |
                      STAGE(LATE_FRAGMENT_TESTS) | STAGE(COLOR_ATTACHMENT_OUTPUT));
    const sync_stage_mask before_raster =
        vertex | STAGE(TESSELLATION_CONTROL_SHADER) | STAGE(TESSELLATION_EVALUATION_SHADER) |
        STAGE(GEOMETRY_SHADER) | STAGE(TRANSFORM_FEEDBACK) | STAGE(TASK_SHADER) |
        STAGE(MESH_SHADER) | STAGE(FRAGMENT_SHADING_RATE_ATTACHMENT);
    assert_stages(sync_earlier_stages(STAGE(FRAGMENT_SHADING_RATE_ATTACHMENT)), before_raster);
    assert_stages(sync_earlier_stages(STAGE(COLOR_ATTACHMENT_OUTPUT)),
                  before_raster | STAGE(FRAGMENT_DENSITY_PROCESS) |
                      sync_later_stages(STAGE(EARLY_FRAGMENT_TESTS)));
    /* "no particular order relative to the other stages, except that it is logically earlier than"
     * early fragment tests. */
    assert_stages(sync_earlier_stages(STAGE(FRAGMENT_DENSITY_PROCESS)),
                  STAGE(FRAGMENT_DENSITY_PROCESS));
    assert_stages(sync_later_stages(STAGE(FRAGMENT_DENSITY_PROCESS)),
                  STAGE(FRAGMENT_DENSITY_PROCESS) | sync_later_stages(STAGE(EARLY_FRAGMENT_TESTS)));
    assert_stages(sync_earlier_stages(STAGE(CONDITIONAL_RENDERING)), STAGE(CONDITIONAL_RENDERING));
    assert_stages(sync_later_stages(STAGE(CONDITIONAL_RENDERING)), STAGE(CONDITIONAL_RENDERING));
    /* The mesh pipeline has no vertices, the primitive pipeline no meshes. */
    assert_stages(sync_earlier_stages(STAGE(MESH_SHADER)),
                  STAGE(DRAW_INDIRECT) | STAGE(TASK_SHADER) | STAGE(MESH_SHADER));
    assert_true(!(sync_later_stages(STAGE(VERTEX_SHADER)) &
                  (STAGE(TASK_SHADER) | STAGE(MESH_SHADER))));

    assert_stages(sync_earlier_stages(STAGE(COMPUTE_SHADER)),
                  STAGE(DRAW_INDIRECT) | STAGE(COMPUTE_SHADER));
    assert_stages(sync_earlier_stages(STAGE(RAY_TRACING_SHADER)),
                  STAGE(DRAW_INDIRECT) | STAGE(RAY_TRACING_SHADER));
    assert_stages(sync_earlier_stages(STAGE(COPY)), STAGE(COPY_INDIRECT) | STAGE(COPY));
    assert_stages(sync_later_stages(STAGE(COPY)), STAGE(COPY));
    assert_stages(sync_later_stages(STAGE(HOST)), STAGE(HOST));
    assert_stages(sync_earlier_stages(STAGE(HOST) | STAGE(COLOR_ATTACHMENT_OUTPUT)) & STAGE(HOST),
                  STAGE(HOST));
    assert_stages(sync_earlier_stages(1ull << SYNC_STAGE_PRESENT_ENGINE),
                  1ull << SYNC_STAGE_PRESENT_ENGINE);

    /* A stage is later than another exactly if that is earlier than it. Stages that cover the
     * commands of others are left out. */
    for (unsigned i = 0; i < SYNC_STAGE_BASIC_COUNT; i++) {
        for (unsigned j = 0; j < SYNC_STAGE_BASIC_COUNT; j++)
            if (1ull << i != STAGE(ACCELERATION_STRUCTURE_BUILD) &&
                1ull << j != STAGE(ACCELERATION_STRUCTURE_BUILD))
                assert_int_equal(sync_later_stages(1ull << i) >> j & 1,
                                 sync_earlier_stages(1ull << j) >> i & 1);
    }
}

static void a_source_has_the_execution_of_earlier_stages_but_not_their_accesses(void **state)
{
    (void)state;
    const struct sync_queue universal = sync_queue_of(universal_flags);
    struct sync_scope scope =
        sync_scope_source(VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT,
                          VK_ACCESS_2_MEMORY_WRITE_BIT | VK_ACCESS_2_INDEX_READ_BIT, &universal);
    assert_stages(scope.stages, STAGE(DRAW_INDIRECT) | STAGE(INDEX_INPUT) |
                                    STAGE(VERTEX_ATTRIBUTE_INPUT) | STAGE(VERTEX_SHADER));
    assert_usages(scope.accesses, MASK(SYNC_VERTEX_SHADER_SHADER_STORAGE_WRITE));

    scope =
        sync_scope_source(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, &universal);
    assert_true(usage_mask_has(&scope.accesses, SYNC_COPY_TRANSFER_WRITE));
    assert_true(usage_mask_has(&scope.accesses, SYNC_CLEAR_TRANSFER_WRITE));
    assert_false(usage_mask_has(&scope.accesses, SYNC_COPY_TRANSFER_READ));
}

static void a_destination_has_the_execution_of_later_stages_but_not_their_accesses(void **state)
{
    (void)state;
    const struct sync_queue universal = sync_queue_of(universal_flags);
    struct sync_scope scope =
        sync_scope_destination(VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT, MEMORY_ALL, &universal);
    assert_stages(scope.stages, STAGE(LATE_FRAGMENT_TESTS) | STAGE(COLOR_ATTACHMENT_OUTPUT));
    assert_usages(scope.accesses, MASK(SYNC_LATE_FRAGMENT_TESTS_DEPTH_STENCIL_ATTACHMENT_READ,
                                       SYNC_LATE_FRAGMENT_TESTS_DEPTH_STENCIL_ATTACHMENT_WRITE));

    scope = sync_scope_destination(VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, VK_ACCESS_2_INDEX_READ_BIT,
                                   &universal);
    assert_usages(scope.accesses, MASK(SYNC_INDEX_INPUT_INDEX_READ));
    assert_true(scope.stages & STAGE(VERTEX_SHADER) &&
                scope.stages & STAGE(COLOR_ATTACHMENT_OUTPUT));
    assert_false(scope.stages & STAGE(DRAW_INDIRECT));
}

/* "equivalent to ALL_COMMANDS with VkAccessFlags2 set to 0 when specified in the second
 * synchronization scope, but equivalent to NONE in the first". */
static void the_ends_of_the_pipe(void **state)
{
    (void)state;
    const struct sync_queue universal = sync_queue_of(universal_flags);
    const sync_stage_mask all =
        sync_expand_stages(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, &universal);
    const struct usage_mask none = {0};

    struct sync_scope scope =
        sync_scope_source(VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, MEMORY_ALL, &universal);
    assert_stages(scope.stages, 0);
    assert_usages(scope.accesses, none);
    scope = sync_scope_destination(VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, MEMORY_ALL, &universal);
    assert_stages(scope.stages, all);
    assert_usages(scope.accesses, none);
    scope = sync_scope_destination(VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, MEMORY_ALL, &universal);
    assert_stages(scope.stages, 0);
    assert_usages(scope.accesses, none);
    /* Beside another stage it adds execution, not accesses. */
    scope =
        sync_scope_source(VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT,
                          MEMORY_ALL, &universal);
    assert_stages(scope.stages, all);
    assert_usages(scope.accesses, MASK(SYNC_CLEAR_TRANSFER_WRITE));
}

/* The two ways to a scope agree, for every bit and for masks of many. */
static void scopes_are_their_parts(void **state)
{
    (void)state;
    const VkQueueFlags queues[] = {0, universal_flags, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_TRANSFER_BIT,
                                   VK_QUEUE_VIDEO_ENCODE_BIT_KHR};
    uint64_t random = 0x9e3779b97f4a7c15ull;
    for (uint32_t i = 0; i < 20000; i++) {
        uint64_t masks[2];
        for (uint32_t j = 0; j < 2; j++) {
            masks[j] = ~0ull;
            for (uint32_t k = 0; k <= (i + j) % 4; k++) {
                random ^= random << 13, random ^= random >> 7, random ^= random << 17;
                masks[j] &= random;
            }
        }
        if (i < 64 * 64) {
            masks[0] = 1ull << i % 64;
            masks[1] = 1ull << i / 64;
        }
        const struct sync_queue queue = sync_queue_of(queues[i % ARRAY_LENGTH(queues)]);
        const VkPipelineStageFlags2 ends =
            VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT | VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT;
        sync_stage_mask expanded = sync_expand_stages(masks[0], &queue);
        struct sync_scope source = sync_scope_source(masks[0] & ~ends, masks[1], &queue);
        struct sync_scope destination = sync_scope_destination(masks[0] & ~ends, masks[1], &queue);
        assert_stages(expanded & ~(source.stages & destination.stages), 0);
        if (sync_expand_stages(masks[0], &(struct sync_queue){~0ull, queue.usages}) == expanded) {
            assert_stages(source.stages, sync_earlier_stages(expanded) & queue.stages);
            assert_stages(destination.stages, sync_later_stages(expanded) & queue.stages);
        }
        assert_usages(source.accesses, sync_access_scope(expanded, masks[1]));
        assert_usages(destination.accesses, source.accesses);
        assert_usages(sync_access_scope(expanded, sync_expand_accesses(masks[1])), source.accesses);
        assert_true((usage_mask_stage_flags(&source.accesses) & ~sync_stage_flags(expanded)) == 0);
        assert_true((usage_mask_access_flags(&source.accesses) & ~sync_expand_accesses(masks[1])) ==
                    0);
        assert_stages(sync_expand_stages(sync_stage_flags(expanded), &queue), expanded);
    }
}

static void sets_of_usages(void **state)
{
    (void)state;
    const struct usage_mask a = MASK(SYNC_IMAGE_LAYOUT_TRANSITION, SYNC_COPY_TRANSFER_READ,
                                     SYNC_DATA_GRAPH_DATA_GRAPH_WRITE);
    const struct usage_mask b = MASK(SYNC_COPY_TRANSFER_READ, SYNC_HOST_HOST_READ);
    assert_usages(usage_mask_and(a, b), MASK(SYNC_COPY_TRANSFER_READ));
    assert_usages(usage_mask_andnot(a, b),
                  MASK(SYNC_IMAGE_LAYOUT_TRANSITION, SYNC_DATA_GRAPH_DATA_GRAPH_WRITE));
    assert_usages(usage_mask_or(a, b), MASK(SYNC_IMAGE_LAYOUT_TRANSITION, SYNC_COPY_TRANSFER_READ,
                                            SYNC_DATA_GRAPH_DATA_GRAPH_WRITE, SYNC_HOST_HOST_READ));
    assert_true(usage_mask_intersects(&a, &b));
    const struct usage_mask rest = usage_mask_andnot(a, b), none = usage_mask_of(SYNC_NONE);
    assert_false(usage_mask_intersects(&rest, &b));
    assert_false(usage_mask_is_empty(&rest));
    assert_true(usage_mask_is_empty(&none));
    assert_false(usage_mask_equals(&a, &b));
    assert_true(usage_mask_stage_flags(&b) ==
                (VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_HOST_BIT));
    assert_true(usage_mask_access_flags(&b) ==
                (VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_HOST_READ_BIT));
    for (unsigned u = 1; u < SYNC_USAGE_COUNT; u++) {
        struct usage_mask one = usage_mask_of((enum sync_usage)u);
        for (unsigned other = 0; other < SYNC_USAGE_COUNT; other++)
            assert_int_equal(usage_mask_has(&one, (enum sync_usage)other), u == other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usages_are_the_legal_pairs),
        cmocka_unit_test(pairs_that_are_not_legal_are_in_no_scope),
        cmocka_unit_test(each_usage_says_what_it_is),
        cmocka_unit_test(groups_of_accesses),
        cmocka_unit_test(groups_of_stages),
        cmocka_unit_test(copies_of_structures_have_two_stages),
        cmocka_unit_test(queues_have_their_own_stages),
        cmocka_unit_test(stages_are_ordered_by_their_pipelines),
        cmocka_unit_test(a_source_has_the_execution_of_earlier_stages_but_not_their_accesses),
        cmocka_unit_test(a_destination_has_the_execution_of_later_stages_but_not_their_accesses),
        cmocka_unit_test(the_ends_of_the_pipe),
        cmocka_unit_test(scopes_are_their_parts),
        cmocka_unit_test(sets_of_usages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
