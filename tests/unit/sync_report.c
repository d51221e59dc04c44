/* Checks that a report of a hazard reads well. It compares every byte that a user sees with the
 * files in tests/golden. ASSAY_WRITE_GOLDEN=1 writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sync/report/report_facts.h"
#include "sync/access/usage_mask.h"

static void assert_golden(const char *name, const char *text)
{
    char path[512], expected[16384];
    (void)snprintf(path, sizeof(path), "%s/%s", GOLDEN_DIR, name);
    if (getenv("ASSAY_WRITE_GOLDEN")) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_true(fprintf(file, "%s\n", text) > 0);
        assert_int_equal(fclose(file), 0);
    }
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(expected, 1, sizeof(expected) - 1, file);
    assert_int_equal(fclose(file), 0);
    assert_true(length > 0 && expected[length - 1] == '\n');
    expected[length - 1] = '\0';
    assert_string_equal(text, expected);
}

enum form { FORM_TEXT, FORM_LINE, FORM_OBJECT };

static void check_report(const char *name, const struct report_facts *facts, enum form form,
                         bool properties)
{
    char buffer[64], id[64];
    struct string_builder text;
    struct hazard_texts texts;
    hazard_texts_write(&texts, facts, properties);
    texts.details.tells_objects = facts->self.command == facts->called;
    (void)snprintf(id, sizeof(id), "SYNC-HAZARD-%s", hazard_name(facts->kind));
    for (char *c = id; *c; c++)
        *c = *c == '_' ? '-' : *c;
    const struct report report = {
        .severity = SEVERITY_ERROR,
        .id = id,
        .spec_text = "",
        .spec_page = "",
        .command = command_name[facts->called],
        .location = "",
        .text = texts.sentence,
        .object_count = 1,
        .objects = {facts->self.resource},
        .caller = {"./cube", 0x9000, NULL, 0},
        .details = &texts.details,
    };
    string_builder_begin(&text, buffer, sizeof(buffer));
    if (form == FORM_TEXT)
        message_write(&text, &report, false, false);
    else if (form == FORM_LINE)
        message_write_json_line(&text, &report);
    else
        message_write_json(&text, &report);
    assert_golden(name, text.text);
    string_builder_end(&text);
    hazard_texts_end(&texts);
}

/* --- what the reports are about --- */

static char frame_name[] = "frame", vertices_name[] = "vertices", shadow_name[] = "shadow map",
            second_name[] = "second";

#define FRAME    {HANDLE_COMMAND_BUFFER, 0x55d0c81f2a30, frame_name}
#define VERTICES {HANDLE_BUFFER, 0x100000107, vertices_name}
#define SHADOW   {HANDLE_IMAGE, 0x20000010a, shadow_name}
#define BYTES    {.kind = EXTENT_BYTES, .offset = 0, .size = 256}

static struct report_facts read_after_write(void)
{
    return (struct report_facts){
        .kind = HAZARD_READ_AFTER_WRITE,
        .called = COMMAND_CmdCopyBuffer,
        .self = {.known = true,
                 .command = COMMAND_CmdCopyBuffer,
                 .command_index = 5,
                 .command_buffer = FRAME,
                 .usage = SYNC_COPY_TRANSFER_READ,
                 .resource = VERTICES,
                 .extent = BYTES,
                 .label_count = 2,
                 .labels = {"frame 12", "upload"},
                 .caller = {"./cube", 0x8f3a, "upload", 0x2c}},
        .earlier = {.known = true,
                    .command = COMMAND_CmdFillBuffer,
                    .command_index = 3,
                    .command_buffer = FRAME,
                    .usage = SYNC_CLEAR_TRANSFER_WRITE,
                    .resource = VERTICES,
                    .extent = BYTES,
                    .label_count = 1,
                    .labels = {"frame 12"},
                    .caller = {"./cube", 0x8e10, NULL, 0}},
        .same_command_buffer = true,
        .between = {.looked = true},
        .mend = {.synchronization2 = true, .layout = VK_IMAGE_LAYOUT_MAX_ENUM},
    };
}

/* A copy into an image that a shader of an earlier draw samples. */
static struct report_facts image_facts(void)
{
    struct report_facts facts = read_after_write();
    facts.kind = HAZARD_WRITE_AFTER_READ;
    facts.called = facts.self.command = COMMAND_CmdCopyBufferToImage2;
    facts.earlier.command = COMMAND_CmdDrawIndexed;
    facts.self.usage = SYNC_COPY_TRANSFER_WRITE;
    facts.earlier.usage = SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ;
    facts.self.resource = facts.earlier.resource = (struct report_object)SHADOW;
    facts.self.extent = facts.earlier.extent = (struct report_extent){
        .kind = EXTENT_SUBRESOURCES, .range = {VK_IMAGE_ASPECT_DEPTH_BIT, 1, 1, 0, 6}};
    facts.earlier.source =
        (struct access_source){.role = ROLE_DESCRIPTOR, .set = 1, .binding = 3, .index = 2};
    return facts;
}

/* --- no barrier --- */

static void a_read_that_nothing_orders(void **state)
{
    struct report_facts facts = read_after_write();
    check_report("sync_read_after_write.txt", &facts, FORM_TEXT, false);
    check_report("sync_read_after_write.jsonl", &facts, FORM_LINE, false);
    check_report("sync_read_after_write.json", &facts, FORM_OBJECT, false);
}

static void with_properties_for_tools(void **state)
{
    struct report_facts facts = read_after_write();
    check_report("sync_properties.txt", &facts, FORM_TEXT, true);
}

/* Names and commands of version 1 only. */
static void a_program_without_synchronization2(void **state)
{
    struct report_facts facts = read_after_write();
    facts.mend.synchronization2 = false;
    check_report("sync_version1.txt", &facts, FORM_TEXT, false);
}

static void a_write_that_must_wait(void **state)
{
    struct report_facts facts = image_facts();
    check_report("sync_write_after_read.txt", &facts, FORM_TEXT, false);
    facts.mend.synchronization2 = false;
    check_report("sync_write_after_read_version1.txt", &facts, FORM_TEXT, false);
}

static void an_image_in_a_known_layout(void **state)
{
    struct report_facts facts = image_facts();
    facts.kind = HAZARD_WRITE_AFTER_WRITE;
    facts.earlier.usage = SYNC_BLIT_TRANSFER_WRITE;
    facts.earlier.command = COMMAND_CmdBlitImage;
    facts.earlier.source = (struct access_source){0};
    facts.self.extent.range.layerCount = facts.earlier.extent.range.layerCount = 1;
    facts.self.extent.texels.first_row = facts.earlier.extent.texels.first_row = 16;
    facts.self.extent.texels.row_count = facts.earlier.extent.texels.row_count = 8;
    facts.mend.layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    check_report("sync_write_after_write.txt", &facts, FORM_TEXT, false);
    check_report("sync_write_after_write.jsonl", &facts, FORM_LINE, false);
}

/* --- barriers that are not enough --- */

static void barrier_at_fault(const char *name, enum barrier_fault fault,
                             const struct sync_barrier *barrier)
{
    struct report_facts facts = read_after_write();
    facts.between.barrier_commands = 1;
    facts.between.command = COMMAND_CmdPipelineBarrier2;
    facts.between.command_index = 4;
    facts.between.fault = fault;
    facts.between.barrier = *barrier;
    char buffer[64];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    write_hazard_between(&text, &facts);
    assert_string_equal(text.text, name);
    string_builder_end(&text);
}

static void barriers_that_are_not_enough(void **state)
{
    struct sync_barrier barrier = {0};
    barrier_at_fault("vkCmdPipelineBarrier2 (command 4), which is for other resources, or for "
                     "other parts of this one",
                     FAULT_ELSEWHERE, &barrier);
    barrier_at_fault("vkCmdPipelineBarrier2 (command 4), which waits for nothing: its source "
                     "stages are none, so that it forms no chain with what comes before it",
                     FAULT_NOT_IN_FIRST_SCOPE, &barrier);
    barrier.src.stages = sync_usage_info[SYNC_COMPUTE_SHADER_UNIFORM_READ].stage_mask;
    barrier_at_fault("vkCmdPipelineBarrier2 (command 4), which does not wait for the earlier "
                     "access: VK_PIPELINE_STAGE_2_CLEAR_BIT is not among its source stages",
                     FAULT_NOT_IN_FIRST_SCOPE, &barrier);
    barrier_at_fault("vkCmdPipelineBarrier2 (command 4), which orders execution only: "
                     "VK_ACCESS_2_TRANSFER_WRITE_BIT of the earlier access is not among its source "
                     "accesses, so that the write is not made available",
                     FAULT_NOT_AVAILABLE, &barrier);
    barrier_at_fault("vkCmdPipelineBarrier2 (command 4), which makes no later command wait: its "
                     "destination stages are none, so that no later barrier forms a chain with it",
                     FAULT_NOT_IN_SECOND_SCOPE, &barrier);
    barrier_at_fault("vkCmdPipelineBarrier2 (command 4), which makes the write visible to no "
                     "access at all",
                     FAULT_NOT_VISIBLE, &barrier);
    barrier.dst.stages = sync_usage_info[SYNC_INDEX_INPUT_INDEX_READ].stage_mask;
    barrier.dst.accesses = usage_mask_of(SYNC_INDEX_INPUT_INDEX_READ);
    barrier_at_fault("vkCmdPipelineBarrier2 (command 4), which makes only "
                     "VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT wait, not VK_PIPELINE_STAGE_2_COPY_BIT",
                     FAULT_NOT_IN_SECOND_SCOPE, &barrier);
    barrier_at_fault("vkCmdPipelineBarrier2 (command 4), which makes the write visible only to "
                     "VK_ACCESS_2_INDEX_READ_BIT in VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT, not to "
                     "VK_ACCESS_2_TRANSFER_READ_BIT in VK_PIPELINE_STAGE_2_COPY_BIT",
                     FAULT_NOT_VISIBLE, &barrier);
    barrier.dst.accesses =
        sync_access_scope(sync_usage_info[SYNC_COMPUTE_SHADER_SHADER_SAMPLED_READ].stage_mask,
                          VK_ACCESS_2_SHADER_READ_BIT);
    barrier_at_fault("vkCmdPipelineBarrier2 (command 4), which makes the write visible only to "
                     "VK_ACCESS_2_SHADER_READ_BIT in VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, not "
                     "to VK_ACCESS_2_TRANSFER_READ_BIT in VK_PIPELINE_STAGE_2_COPY_BIT",
                     FAULT_NOT_VISIBLE, &barrier);
    barrier_at_fault("vkCmdPipelineBarrier2 (command 4), which waits for events that were not set "
                     "after the earlier access",
                     FAULT_EVENT, &barrier);
}

static void a_wait_for_an_event_that_was_set_before(void **state)
{
    struct report_facts facts = read_after_write();
    facts.between.barrier_commands = 1;
    facts.between.command = COMMAND_CmdWaitEvents2;
    facts.between.command_index = 4;
    facts.between.fault = FAULT_EVENT;
    check_report("sync_event.txt", &facts, FORM_TEXT, false);
}

static void the_nearest_of_several(void **state)
{
    struct report_facts facts = read_after_write();
    facts.between.barrier_commands = 3;
    facts.between.command = COMMAND_CmdPipelineBarrier;
    facts.between.command_index = 4;
    facts.between.fault = FAULT_NOT_AVAILABLE;
    check_report("sync_not_available.txt", &facts, FORM_TEXT, false);
}

static void assert_between(const struct report_facts *facts, const char *expected)
{
    char buffer[64];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    write_hazard_between(&text, facts);
    assert_string_equal(text.text, expected);
    string_builder_end(&text);
}

static void what_a_barrier_elsewhere_is_for(void **state)
{
    struct report_facts facts = image_facts();
    facts.between = (struct report_between){.looked = true,
                                            .barrier_commands = 1,
                                            .fault = FAULT_ELSEWHERE,
                                            .other_parts = true,
                                            .command = COMMAND_CmdPipelineBarrier,
                                            .command_index = 4};
    assert_between(&facts,
                   "vkCmdPipelineBarrier (command 4), which is for other parts of this resource");
}

static void a_dependency_that_is_not_enough(void **state)
{
    struct report_facts facts = image_facts();
    facts.between = (struct report_between){.looked = true,
                                            .fault = FAULT_NOT_IN_SECOND_SCOPE,
                                            .dependency = true,
                                            .src_subpass = 1,
                                            .dst_subpass = VK_SUBPASS_EXTERNAL};
    assert_between(&facts,
                   "the dependency of the render pass from subpass 1 to VK_SUBPASS_EXTERNAL, which "
                   "makes no later command wait: its destination stages are none, so that no later "
                   "barrier forms a chain with it");
    facts.between.barrier.dst.stages = sync_usage_info[SYNC_COMPUTE_SHADER_UNIFORM_READ].stage_mask;
    assert_between(&facts,
                   "the dependency of the render pass from subpass 1 to VK_SUBPASS_EXTERNAL, which "
                   "makes only VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT wait, not "
                   "VK_PIPELINE_STAGE_TRANSFER_BIT");
}

/* --- transitions, render passes --- */

static void a_transition_that_does_not_wait(void **state)
{
    struct report_facts facts = image_facts();
    facts.called = facts.self.command = COMMAND_CmdPipelineBarrier2;
    facts.self.usage = SYNC_IMAGE_LAYOUT_TRANSITION;
    facts.self.extent.whole = true;
    facts.self.source = (struct access_source){.role = ROLE_BARRIER, .index = 1};
    facts.between =
        (struct report_between){.looked = true, .own = true, .fault = FAULT_NOT_IN_FIRST_SCOPE};
    facts.between.barrier.src.stages = sync_usage_info[SYNC_COMPUTE_SHADER_UNIFORM_READ].stage_mask;
    facts.mend.kind = MEND_WIDEN_SOURCE;
    check_report("sync_transition_after_read.txt", &facts, FORM_TEXT, false);
}

static void a_read_before_its_transition(void **state)
{
    struct report_facts facts = image_facts();
    facts.kind = HAZARD_READ_AFTER_WRITE;
    facts.called = facts.self.command = COMMAND_CmdDispatch;
    facts.self.usage = SYNC_COMPUTE_SHADER_SHADER_SAMPLED_READ;
    facts.self.source = facts.earlier.source;
    facts.earlier.usage = SYNC_IMAGE_LAYOUT_TRANSITION;
    facts.earlier.command = COMMAND_CmdPipelineBarrier2;
    facts.earlier.source = (struct access_source){.role = ROLE_BARRIER};
    facts.between.looked = false;
    facts.between.ordered = sync_usage_info[SYNC_FRAGMENT_SHADER_SHADER_SAMPLED_READ].stage_mask;
    facts.mend.kind = MEND_WIDEN_DESTINATION;
    check_report("sync_read_after_transition.txt", &facts, FORM_TEXT, false);
}

static void a_render_pass_without_the_dependency(void **state)
{
    struct report_facts facts = image_facts();
    facts.kind = HAZARD_READ_AFTER_WRITE;
    facts.called = facts.self.command = COMMAND_CmdDraw;
    facts.self.usage = SYNC_FRAGMENT_SHADER_INPUT_ATTACHMENT_READ;
    facts.self.source = (struct access_source){.role = ROLE_INPUT_ATTACHMENT, .index = 1};
    facts.earlier.usage = SYNC_LATE_FRAGMENT_TESTS_DEPTH_STENCIL_ATTACHMENT_WRITE;
    facts.earlier.source = (struct access_source){.role = ROLE_DEPTH_STENCIL_ATTACHMENT};
    facts.mend.kind = MEND_DEPENDENCY;
    facts.mend.src_subpass = 0;
    facts.mend.dst_subpass = 1;
    check_report("sync_subpass.txt", &facts, FORM_TEXT, false);
}

/* --- queues, presentation --- */

static void a_race_of_two_queues(void **state)
{
    static char graphics_name[] = "graphics", transfer_name[] = "transfer";
    struct report_facts facts = read_after_write();
    facts.kind = HAZARD_READ_RACING_WRITE;
    facts.called = COMMAND_QueueSubmit2;
    facts.same_command_buffer = false;
    facts.earlier.command_buffer =
        (struct report_object){HANDLE_COMMAND_BUFFER, 0x55d0c81f3f10, second_name};
    facts.self.queue = (struct report_object){HANDLE_QUEUE, 0x55d0c8100010, graphics_name};
    facts.self.submission = 7;
    facts.self.executed = true;
    facts.self.executed_index = 1;
    facts.earlier.queue = (struct report_object){HANDLE_QUEUE, 0x55d0c8100020, transfer_name};
    facts.earlier.submission = 3;
    facts.between.looked = false;
    facts.mend.kind = MEND_SEMAPHORE;
    check_report("sync_racing.txt", &facts, FORM_TEXT, false);
    check_report("sync_racing.jsonl", &facts, FORM_LINE, false);
}

static void a_present_that_does_not_wait(void **state)
{
    struct report_facts facts = image_facts();
    facts.kind = HAZARD_PRESENT_AFTER_WRITE;
    facts.called = facts.self.command = COMMAND_QueuePresentKHR;
    facts.same_command_buffer = false;
    facts.self.usage = SYNC_PRESENT_ENGINE_READ;
    facts.self.command_buffer = (struct report_object){0};
    facts.self.extent.whole = facts.earlier.extent.whole = true;
    facts.self.label_count = 0;
    facts.self.source = (struct access_source){.role = ROLE_PRESENT};
    facts.earlier.usage = SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE;
    facts.earlier.source = (struct access_source){.role = ROLE_COLOR_ATTACHMENT};
    facts.earlier.queue = (struct report_object){HANDLE_QUEUE, 0x55d0c8100010, NULL};
    facts.earlier.submission = 9;
    facts.between.looked = false;
    facts.mend.kind = MEND_PRESENT;
    check_report("sync_present_after_write.txt", &facts, FORM_TEXT, false);
}

static void a_write_before_the_image_was_acquired(void **state)
{
    struct report_facts facts = image_facts();
    facts.kind = HAZARD_WRITE_AFTER_PRESENT;
    facts.called = COMMAND_QueueSubmit;
    facts.same_command_buffer = false;
    facts.earlier = (struct report_side){.known = true,
                                         .command = COMMAND_AcquireNextImageKHR,
                                         .usage = SYNC_PRESENT_ENGINE_ACQUIRE,
                                         .resource = SHADOW};
    facts.between.looked = false;
    facts.mend.kind = MEND_ACQUIRE;
    facts.mend.synchronization2 = false;
    check_report("sync_write_after_acquire.txt", &facts, FORM_TEXT, false);
}

/* Half of it is no longer known: it is left out. */
static void a_report_of_which_little_is_known(void **state)
{
    struct report_facts facts = read_after_write();
    facts.earlier = (struct report_side){.usage = SYNC_CLEAR_TRANSFER_WRITE};
    facts.same_command_buffer = false;
    facts.self.caller = (struct caller){0};
    facts.self.label_count = 0;
    facts.self.extent = (struct report_extent){0};
    check_report("sync_little_known.txt", &facts, FORM_TEXT, false);
}

int main(void)
{
    const struct CMUnitTest reports[] = {
        cmocka_unit_test(a_read_that_nothing_orders),
        cmocka_unit_test(with_properties_for_tools),
        cmocka_unit_test(a_program_without_synchronization2),
        cmocka_unit_test(a_write_that_must_wait),
        cmocka_unit_test(an_image_in_a_known_layout),
        cmocka_unit_test(what_a_barrier_elsewhere_is_for),
        cmocka_unit_test(a_dependency_that_is_not_enough),
        cmocka_unit_test(barriers_that_are_not_enough),
        cmocka_unit_test(a_wait_for_an_event_that_was_set_before),
        cmocka_unit_test(the_nearest_of_several),
        cmocka_unit_test(a_transition_that_does_not_wait),
        cmocka_unit_test(a_read_before_its_transition),
        cmocka_unit_test(a_render_pass_without_the_dependency),
        cmocka_unit_test(a_race_of_two_queues),
        cmocka_unit_test(a_present_that_does_not_wait),
        cmocka_unit_test(a_write_before_the_image_was_acquired),
        cmocka_unit_test(a_report_of_which_little_is_known),
    };
    return cmocka_run_group_tests(reports, NULL, NULL);
}
