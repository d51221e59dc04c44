/* Checks what is known of a command of a process that is gone, from records of every kind. Some are
 * whole. Others are such as a process leaves that dies in the midst of something, or that has
 * recorded more than there is room for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json_object.h>

#include "assay/aftermath/aftermath_commands.h"
#include "base/aftermath.h"
#include "assay/store/json.h"

/* The numbers of two recordings of one command buffer, and of one of another. */
#define RECORDING (1u << AFTERMATH_RECORDING_SLOTS | 7u)
#define LATER     (2u << AFTERMATH_RECORDING_SLOTS | 7u)
#define PRIMARY   (1u << AFTERMATH_RECORDING_SLOTS | 8u)
#define CALLER    0x5555555555u

static struct aftermath record;
static struct aftermath_commands commands;

static struct aftermath_command *put_command(uint32_t recording, uint32_t number, uint32_t label)
{
    struct aftermath_command *entry =
        &commands.commands[aftermath_place(recording, number) % AFTERMATH_COMMAND_PLACES];
    *entry = (struct aftermath_command){.recording = recording,
                                        .number = number,
                                        .name = 3,
                                        .label = label,
                                        .caller = {(uint32_t)CALLER, CALLER >> 32}};
    entry->check = aftermath_check(entry, AFTERMATH_CHECKED(*entry));
    return entry;
}

static struct aftermath_label *put_label(uint32_t recording, uint32_t number, uint32_t parent,
                                         const char *name)
{
    struct aftermath_label *label =
        &commands.labels[aftermath_place(recording, number) % AFTERMATH_LABEL_PLACES];
    *label = (struct aftermath_label){.recording = recording, .number = number, .parent = parent};
    memcpy(label->name, name, strlen(name));
    label->check = aftermath_check(label, AFTERMATH_CHECKED(*label));
    return label;
}

static struct aftermath_caller *put_caller(void)
{
    struct aftermath_caller *caller =
        &commands.callers[aftermath_caller_place(CALLER) % AFTERMATH_CALLER_PLACES];
    *caller = (struct aftermath_caller){
        .key = CALLER, .whole = 1, .json = "\"caller\":{\"module\":\"./game\"}"};
    return caller;
}

/* Command 5 of the recording: vkCmdDraw, under "outer > inner". */
static int begin_dead_commands(void **state)
{
    (void)state;
    memset(&record, 0, sizeof(record));
    memset(&commands, 0, sizeof(commands));
    commands.layout = AFTERMATH_LAYOUT;
    strcpy(commands.names[3], "vkCmdDraw");
    record.objects[0] =
        (struct aftermath_object){.handle = 0x70, .recording = RECORDING, .name = "frame"};
    record.objects[1] = (struct aftermath_object){.handle = 0x80, .recording = PRIMARY};
    put_label(RECORDING, 1, 0, "outer");
    put_label(RECORDING, 2, 1, "inner");
    put_command(RECORDING, 5, 2);
    put_caller();
    return 0;
}

static struct dead_command find_dead_command(void)
{
    return dead_command_find(&record, &commands, RECORDING, 5);
}

static void expect_said(const struct dead_command *command, const char *text)
{
    char said[512];
    FILE *to = fmemopen(said, sizeof(said), "w");
    assert_non_null(to);
    dead_command_write(command, to);
    assert_int_equal(fputc(0, to), 0);
    fclose(to);
    assert_string_equal(said, text);
}

static void expect_json(const struct dead_command *command, const char *text)
{
    struct json_object *object = json_object_new_object();
    dead_command_describe(command, object);
    dead_command_add_caller(command, object);
    assert_string_equal(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN), text);
    json_object_put(object);
}

static void whole_command(void **state)
{
    const struct dead_command command = find_dead_command();
    assert_string_equal(command.name, "vkCmdDraw");
    expect_said(&command, " Command buffer (frame)(0x70), command 5: vkCmdDraw.");
    expect_json(&command, "{\"command\":5,\"commandBuffer\":{\"type\":\"VkCommandBuffer\","
                          "\"handle\":\"0x70\",\"name\":\"frame\"},\"labels\":[\"outer\",\"inner\"]"
                          ",\"caller\":{\"module\":\".\\/game\"}}");
    assert_true(dead_commands_are_whole(&commands, sizeof(commands)));
    assert_false(dead_commands_are_whole(&commands, sizeof(commands) - 1));
    commands.layout++;
    assert_false(dead_commands_are_whole(&commands, sizeof(commands)));
}

/* The command buffer is known, and nothing of the command. */
static void expect_unknown(void)
{
    const struct dead_command command = find_dead_command();
    assert_null(command.name);
    expect_said(&command, " Command buffer (frame)(0x70), command 5.");
    expect_json(&command, "{\"command\":5,\"commandBuffer\":{\"type\":\"VkCommandBuffer\","
                          "\"handle\":\"0x70\",\"name\":\"frame\"}}");
}

static void overwritten_command(void **state)
{
    put_command(RECORDING, 5 + AFTERMATH_COMMAND_PLACES, 0);
    expect_unknown();
}

static void written_by_two_threads(void **state)
{
    put_command(RECORDING, 5, 2)->caller[0]++;
    expect_unknown();
}

static void of_no_command(void **state)
{
    commands.names[3][0] = 0;
    expect_unknown();
    memset(commands.names[3], 'x', sizeof(commands.names[3]));
    expect_unknown();
    struct aftermath_command *entry = put_command(RECORDING, 5, 2);
    entry->name = AFTERMATH_COMMAND_NAMES;
    entry->check = aftermath_check(entry, AFTERMATH_CHECKED(*entry));
    expect_unknown();
}

/* A command buffer that was recorded again has its commands in the same places. */
static void recorded_anew(void **state)
{
    put_command(LATER, 5, 2);
    expect_unknown();
    record.objects[0].recording = LATER;
    expect_said(&(struct dead_command){0}, "");
    assert_null(dead_command_find(&record, &commands, RECORDING, 5).recorded);
    /* its place has another one */
    assert_int_equal(dead_command_find(&record, &commands, LATER, 5).label_count, 1);
    assert_string_equal(dead_command_find(&record, &commands, LATER, 5).labels[0], "?");
}

static void labels_that_lead_nowhere(void **state)
{
    put_label(RECORDING, 1, 2, "outer"); /* the one within it */
    assert_int_equal(find_dead_command().label_count, 2);
    put_label(RECORDING, 1, 0, "outer")->check++;
    assert_string_equal(find_dead_command().labels[0], "?");
    assert_string_equal(find_dead_command().labels[1], "inner");
    struct aftermath_label *label = put_label(RECORDING, 2, 0, "inner");
    memset(label->name, 'x', sizeof(label->name));
    label->check = aftermath_check(label, AFTERMATH_CHECKED(*label));
    assert_int_equal(find_dead_command().label_count, 1);
    assert_string_equal(find_dead_command().labels[0], "?");
}

static void labels_too_deep(void **state)
{
    for (uint32_t i = 1; i <= DEAD_LABELS + 4; i++)
        put_label(RECORDING, i, i - 1, i == DEAD_LABELS + 4 ? "innermost" : "around");
    put_command(RECORDING, 5, DEAD_LABELS + 4);
    assert_int_equal(find_dead_command().label_count, DEAD_LABELS);
    assert_string_equal(find_dead_command().labels[DEAD_LABELS - 1], "innermost");
}

static void callers_that_are_not_whole(void **state)
{
    put_caller()->whole = 0;
    assert_null(find_dead_command().caller);
    memset(put_caller()->json, 'x', sizeof(commands.callers[0].json));
    assert_null(find_dead_command().caller);
    put_caller()->key++;
    assert_null(find_dead_command().caller);
    strcpy(put_caller()->json, "\"caller\":{");
    const struct dead_command command = find_dead_command();
    struct json_object *object = json_object_new_object();
    dead_command_add_caller(&command, object);
    assert_int_equal(json_object_object_length(object), 0);
    json_object_put(object);
}

static void put_execution(uint32_t count)
{
    struct aftermath_execution *execution =
        &commands.executions[aftermath_place(RECORDING, 0) % AFTERMATH_EXECUTION_PLACES];
    *execution = (struct aftermath_execution){
        .recording = RECORDING, .count = count, .primary = PRIMARY, .number = 2};
    execution->check = aftermath_check(execution, AFTERMATH_CHECKED(*execution));
}

static void executed_command(void **state)
{
    put_command(PRIMARY, 2, 0);
    put_execution(1);
    struct dead_command command = find_dead_command();
    expect_said(&command, " Command buffer (frame)(0x70), command 5: vkCmdDraw. Executed by "
                          "command 2 of command buffer (0x80).");
    command.label_count = 0;
    command.caller = NULL;
    expect_json(&command, "{\"command\":5,\"commandBuffer\":{\"type\":\"VkCommandBuffer\","
                          "\"handle\":\"0x70\",\"name\":\"frame\"},\"executions\":1,\"executedBy\":"
                          "[{\"command\":2,\"commandBuffer\":{\"type\":\"VkCommandBuffer\","
                          "\"handle\":\"0x80\"},\"caller\":{\"module\":\".\\/game\"}}]}");
    put_execution(3);
    expect_said(&command, " Command buffer (frame)(0x70), command 5: vkCmdDraw. Executed 3 times, "
                          "and which of them it was is not known.");
    /* The primary is another recording now. */
    put_execution(1);
    record.objects[1].recording++;
    expect_said(&command, " Command buffer (frame)(0x70), command 5: vkCmdDraw.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(whole_command, begin_dead_commands),
        cmocka_unit_test_setup(overwritten_command, begin_dead_commands),
        cmocka_unit_test_setup(written_by_two_threads, begin_dead_commands),
        cmocka_unit_test_setup(of_no_command, begin_dead_commands),
        cmocka_unit_test_setup(recorded_anew, begin_dead_commands),
        cmocka_unit_test_setup(labels_that_lead_nowhere, begin_dead_commands),
        cmocka_unit_test_setup(labels_too_deep, begin_dead_commands),
        cmocka_unit_test_setup(callers_that_are_not_whole, begin_dead_commands),
        cmocka_unit_test_setup(executed_command, begin_dead_commands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
