/* Checks that a report of a hazard says the truth: which part of a resource it was, and what stood
 * between the two accesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sync/access/ranges.h"
#include "sync/report/report_facts.h"
#include "sync/access/usage_mask.h"

/* --- parts of resources --- */

#define MEMORY 0x700000101

static struct object *create_reported(enum handle_type type, void *state)
{
    const struct object_create_info info = {
        .type = type, .driver = 0x1234, .owner = 7, .wrapped = true};
    struct object *object = object_create(&info);
    assert_non_null(object);
    ((struct object_state *)state)->object = object;
    object_state_publish(object, state);
    return object;
}

static void destroy_reported(struct object *object)
{
    object->state = NULL;
    assert_true(object_retire(object));
    object_release(object);
}

static void bytes_of_a_buffer(void **state)
{
    struct buffer buffer = {.size = 1000, .binding = {.memory = MEMORY, .offset = 4096}};
    struct object *object = create_reported(HANDLE_BUFFER, &buffer);
    struct sync_place place;
    struct report_extent extent;
    assert_true(sync_buffer_place(&place, &buffer, 100, 50));
    report_find_extent(&extent, &place, object_handle(object));
    assert_int_equal(extent.kind, EXTENT_BYTES);
    assert_int_equal(extent.offset, 100);
    assert_int_equal(extent.size, 50);
    assert_false(extent.whole);
    assert_true(sync_buffer_place(&place, &buffer, 0, VK_WHOLE_SIZE));
    report_find_extent(&extent, &place, object_handle(object));
    assert_true(extent.whole);
    buffer.binding.memory = 0; /* sparse ones, say */
    assert_true(sync_buffer_place(&place, &buffer, 8, 4));
    report_find_extent(&extent, &place, object_handle(object));
    assert_int_equal(extent.offset, 8);
    uint64_t id = object_handle(object);
    destroy_reported(object);
    report_find_extent(&extent, &place, id);
    assert_int_equal(extent.kind, EXTENT_UNKNOWN);
}

/* Compares the name of the first place of a part of the image. */
static void assert_part(struct image *image, struct image_places places, const char *expected)
{
    char buffer[256];
    struct string_builder text;
    struct report_side side = {.resource = {HANDLE_IMAGE, 1, NULL}};
    assert_true(image_places_next(&places));
    report_find_extent(&side.extent, &places.place, object_state_id(&image->base));
    string_builder_begin(&text, buffer, sizeof(buffer));
    write_resource(&text, &side);
    assert_string_equal(text.text, expected);
    string_builder_end(&text);
}

static void assert_range(struct image *image, VkImageAspectFlags aspects, uint32_t level,
                         uint32_t levels, uint32_t layer, uint32_t layers, const char *expected)
{
    const VkImageSubresourceRange range = {aspects, level, levels, layer, layers};
    struct image_places places;
    image_places_of_range(&places, image, &range);
    assert_part(image, places, expected);
}

static void assert_region(struct image *image, VkImageAspectFlags aspects, uint32_t level,
                          uint32_t layer, int32_t y, uint32_t height, const char *expected)
{
    const VkImageSubresourceLayers subresource = {aspects, level, layer, 1};
    struct image_places places;
    image_places_of_region(&places, image, &subresource, (VkOffset3D){0, y, 0},
                           (VkExtent3D){64, height, 1});
    assert_part(image, places, expected);
}

static struct image image_of_format(VkFormat format, VkImageAspectFlags aspects)
{
    return (struct image){.type = VK_IMAGE_TYPE_2D,
                          .format = format,
                          .extent = {64, 64, 1},
                          .mip_levels = 4,
                          .array_layers = 6,
                          .samples = VK_SAMPLE_COUNT_1_BIT,
                          .aspects = aspects,
                          .plane_count = 1};
}

static void subresources_and_rows_of_an_image(void **state)
{
    struct image image = image_of_format(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_ASPECT_COLOR_BIT);
    struct object *object = create_reported(HANDLE_IMAGE, &image);
    const VkImageAspectFlags color = VK_IMAGE_ASPECT_COLOR_BIT;
    assert_range(&image, color, 0, 4, 0, 6, "VkImage 0x1");
    assert_range(&image, color, 1, 2, 0, 6,
                 "VkImage 0x1 (color, mip levels 1 to 2, layers 0 to 5)");
    assert_range(&image, color, 2, 1, 1, 3, "VkImage 0x1 (color, mip level 2, layers 1 to 3)");
    assert_region(&image, color, 0, 5, 0, 64, "VkImage 0x1 (color, mip level 0, layer 5)");
    assert_region(&image, color, 0, 5, 16, 8,
                  "VkImage 0x1 (color, mip level 0, layer 5, rows 16 to 23)");
    assert_region(&image, color, 3, 2, 7, 1, "VkImage 0x1 (color, mip level 3, layer 2, row 7)");
    destroy_reported(object);
}

static void aspects_and_blocks_of_images(void **state)
{
    struct image both = image_of_format(VK_FORMAT_D24_UNORM_S8_UINT,
                                        VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
    struct object *object = create_reported(HANDLE_IMAGE, &both);
    assert_range(&both, both.aspects, 0, 4, 0, 6, "VkImage 0x1");
    assert_range(&both, VK_IMAGE_ASPECT_STENCIL_BIT, 0, 4, 0, 6,
                 "VkImage 0x1 (stencil, mip levels 0 to 3, layers 0 to 5)");
    assert_range(&both, VK_IMAGE_ASPECT_DEPTH_BIT, 3, 1, 0, 1,
                 "VkImage 0x1 (depth, mip level 3, layer 0)");
    destroy_reported(object);
    struct image blocks = image_of_format(VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_IMAGE_ASPECT_COLOR_BIT);
    object = create_reported(HANDLE_IMAGE, &blocks);
    assert_region(&blocks, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 8, 4,
                  "VkImage 0x1 (color, mip level 0, layer 0, rows 8 to 11)");
    destroy_reported(object);
}

/* --- what stood between --- */

struct program {
    struct sync_sink sink;
    struct sync_context context;
    struct command_log *log;
    struct sync_queue queue;
    uint64_t next_tag;
    struct report_between between;
    uint32_t hazards;
};

static void note_hazard(const struct sync_sink *sink, const struct sync_place *place,
                        const struct sync_access *access, const struct sync_barrier *barrier,
                        const struct sync_hazard *hazard)
{
    struct program *program = (struct program *)(uintptr_t)sink;
    program->hazards++;
    program->between =
        (struct report_between){.ordered = hazard->ordered, .visible = hazard->visible};
    report_find_between(&program->between, &program->context, program->log, place, access, hazard);
    if (barrier)
        report_judge_own_barrier(&program->between, barrier, access, hazard);
}

static uint64_t tag_of(struct program *program, enum command command)
{
    const struct access_entry entry = {.command_index = (uint32_t)program->next_tag,
                                       .command = command};
    assert_true(command_log_add(program->log, &entry));
    return program->next_tag++;
}

static void access_bytes(struct program *program, enum sync_usage usage)
{
    const struct sync_access access = {.tag = tag_of(program, COMMAND_CmdCopyBuffer),
                                       .usage = (uint16_t)usage};
    const struct sync_place place = {MEMORY, 0, 256};
    sync_context_access(&program->context, &place, &access);
}

static struct sync_barrier barrier_of_program(const struct program *program,
                                              VkPipelineStageFlags2 src, VkAccessFlags2 src_access,
                                              VkPipelineStageFlags2 dst, VkAccessFlags2 dst_access)
{
    return (struct sync_barrier){.src = sync_scope_source(src, src_access, &program->queue),
                                 .dst = sync_scope_destination(dst, dst_access, &program->queue)};
}

static void add_barrier(struct program *program, VkPipelineStageFlags2 src,
                        VkAccessFlags2 src_access, VkPipelineStageFlags2 dst,
                        VkAccessFlags2 dst_access)
{
    const struct sync_barrier barrier =
        barrier_of_program(program, src, src_access, dst, dst_access);
    const struct sync_barriers barriers = {.tag = tag_of(program, COMMAND_CmdPipelineBarrier2),
                                           .global_count = 1,
                                           .barrier_count = 1,
                                           .barriers = &barrier};
    sync_context_barriers(&program->context, &barriers);
}

static void add_range_barrier(struct program *program, uint64_t space, bool transition,
                              VkPipelineStageFlags2 src)
{
    const struct sync_barrier barrier =
        barrier_of_program(program, src, VK_ACCESS_2_MEMORY_WRITE_BIT,
                           VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                           VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT);
    const struct sync_range_barrier range = {.place = {space, 0, 256}, .transition = transition};
    const struct sync_barriers barriers = {.tag = tag_of(program, COMMAND_CmdPipelineBarrier2),
                                           .barrier_count = 1,
                                           .range_count = 1,
                                           .barriers = &barrier,
                                           .ranges = &range};
    sync_context_barriers(&program->context, &barriers);
}

/* A copy has written. */
static void begin_facts(struct program *program)
{
    *program = (struct program){
        .sink = {note_hazard}, .log = command_log_take(), .next_tag = 1, .queue = sync_queue_of(0)};
    assert_non_null(program->log);
    sync_context_init(&program->context, true);
    program->context.sink = &program->sink;
    access_bytes(program, SYNC_COPY_TRANSFER_WRITE);
}

/* A copy reads: one hazard, and of the commands between the one with this number was the nearest.
 */
static void end_facts(struct program *program, enum barrier_fault fault, uint32_t command_index,
                      uint32_t commands)
{
    access_bytes(program, SYNC_COPY_TRANSFER_READ);
    assert_int_equal(program->hazards, 1);
    assert_true(program->between.looked);
    assert_int_equal(program->between.fault, fault);
    assert_int_equal(program->between.command_index, command_index);
    assert_int_equal(program->between.barrier_commands, commands);
    sync_context_free(&program->context);
    command_log_release(program->log);
}

static void no_barrier_at_all(void **state)
{
    struct program program;
    begin_facts(&program);
    end_facts(&program, FAULT_NOTHING_THERE, 0, 0);
}

static void each_fault_of_a_barrier(void **state)
{
    struct program program;
    begin_facts(&program);
    add_range_barrier(&program, MEMORY + 1, false, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    end_facts(&program, FAULT_ELSEWHERE, 2, 1);
    begin_facts(&program);
    add_barrier(&program, VK_PIPELINE_STAGE_2_BLIT_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT);
    end_facts(&program, FAULT_NOT_IN_FIRST_SCOPE, 2, 1);
    begin_facts(&program);
    add_barrier(&program, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT,
                VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT);
    end_facts(&program, FAULT_NOT_AVAILABLE, 2, 1);
    begin_facts(&program);
    add_barrier(&program, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT, VK_ACCESS_2_INDEX_READ_BIT);
    end_facts(&program, FAULT_NOT_IN_SECOND_SCOPE, 2, 1);
    begin_facts(&program);
    add_barrier(&program, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    end_facts(&program, FAULT_NOT_VISIBLE, 2, 1);
}

static void the_nearest_barrier_is_named(void **state)
{
    struct program program;
    begin_facts(&program);
    add_barrier(&program, VK_PIPELINE_STAGE_2_BLIT_BIT, 0, VK_PIPELINE_STAGE_2_COPY_BIT, 0);
    add_barrier(&program, VK_PIPELINE_STAGE_2_COPY_BIT, 0, VK_PIPELINE_STAGE_2_COPY_BIT, 0);
    add_range_barrier(&program, MEMORY + 1, false, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    end_facts(&program, FAULT_NOT_AVAILABLE, 3, 3);
}

/* Barriers before the earlier access do not stand between the two. */
static void barriers_in_front_do_not_count(void **state)
{
    struct program program;
    begin_facts(&program);
    add_barrier(&program, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    access_bytes(&program, SYNC_COPY_TRANSFER_WRITE);
    end_facts(&program, FAULT_NOTHING_THERE, 0, 0);
}

static void an_event_that_was_set_too_early(void **state)
{
    struct program program;
    *(&program) = (struct program){
        .sink = {note_hazard}, .log = command_log_take(), .next_tag = 1, .queue = sync_queue_of(0)};
    sync_context_init(&program.context, true);
    program.context.sink = &program.sink;
    const struct sync_barrier barrier =
        barrier_of_program(&program, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                           VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT);
    sync_context_set_event(&program.context, 5, &barrier, 1,
                           tag_of(&program, COMMAND_CmdSetEvent2));
    access_bytes(&program, SYNC_COPY_TRANSFER_WRITE);
    const struct sync_barriers barriers = {.tag = tag_of(&program, COMMAND_CmdWaitEvents2),
                                           .global_count = 1,
                                           .barrier_count = 1,
                                           .barriers = &barrier};
    sync_context_wait_events(&program.context, &(uint64_t){5}, 1, &barriers);
    end_facts(&program, FAULT_EVENT, 3, 1);
}

static void a_transition_is_judged_by_its_own_barrier(void **state)
{
    struct program program;
    begin_facts(&program);
    add_range_barrier(&program, MEMORY, true, VK_PIPELINE_STAGE_2_BLIT_BIT);
    assert_int_equal(program.hazards, 1);
    assert_true(program.between.own);
    assert_int_equal(program.between.fault, FAULT_NOT_IN_FIRST_SCOPE);
    sync_context_free(&program.context);
    command_log_release(program.log);
}

static void dependencies_between_subpasses(void **state)
{
    struct program program;
    begin_facts(&program);
    const struct sync_dependency dependencies[] = {
        {0, 1,
         barrier_of_program(&program, VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                            VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
                            VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT,
                            VK_ACCESS_2_SHADER_SAMPLED_READ_BIT)}};
    const struct sync_graph graph = {
        .subpass_count = 2, .dependency_count = 1, .dependencies = dependencies};
    sync_context_reset(&program.context);
    sync_context_begin_render_pass(&program.context, &graph,
                                   tag_of(&program, COMMAND_CmdBeginRenderPass));
    uint64_t first = program.next_tag;
    access_bytes(&program, SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE);
    sync_context_next_subpass(&program.context, tag_of(&program, COMMAND_CmdNextSubpass));
    access_bytes(&program, SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ);
    assert_int_equal(program.hazards, 1);
    assert_true(program.between.dependency);
    assert_int_equal(program.between.fault,
                     FAULT_NOT_VISIBLE); /* later stages wait, but only the vertex shader sees it */
    assert_int_equal(report_subpass_of(&program.context, first), 0);
    assert_int_equal(report_subpass_of(&program.context, program.next_tag - 1), 1);
    assert_int_equal(report_subpass_of(&program.context, 1), SYNC_EXTERNAL);
    sync_context_free(&program.context);
    command_log_release(program.log);
}

static int set_up_facts(void **state)
{
    return object_table_init() ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest facts[] = {
        cmocka_unit_test(bytes_of_a_buffer),
        cmocka_unit_test(subresources_and_rows_of_an_image),
        cmocka_unit_test(aspects_and_blocks_of_images),
        cmocka_unit_test(no_barrier_at_all),
        cmocka_unit_test(each_fault_of_a_barrier),
        cmocka_unit_test(the_nearest_barrier_is_named),
        cmocka_unit_test(barriers_in_front_do_not_count),
        cmocka_unit_test(an_event_that_was_set_too_early),
        cmocka_unit_test(a_transition_is_judged_by_its_own_barrier),
        cmocka_unit_test(dependencies_between_subpasses),
    };
    return cmocka_run_group_tests(facts, set_up_facts, NULL);
}
