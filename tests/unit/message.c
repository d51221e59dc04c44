/* Checks that a finding reads well. It compares every byte that a user sees with the files in
 * tests/golden. ASSAY_WRITE_GOLDEN=1 writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/names/plural.h"
#include "report/report.h"
#include "report/names/vuid_text.h"

static bool memory_is_out;

void *__real_mem_alloc(size_t size);
void *__wrap_mem_alloc(size_t size);
void *__real_mem_resize(void *memory, size_t size);
void *__wrap_mem_resize(void *memory, size_t size);

void *__wrap_mem_alloc(size_t size)
{
    return memory_is_out ? NULL : __real_mem_alloc(size);
}

void *__wrap_mem_resize(void *memory, size_t size)
{
    return memory_is_out ? NULL : __real_mem_resize(memory, size);
}

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

static VkDebugUtilsLabelEXT labels[] = {{.pLabelName = "frame 12"}, {.pLabelName = "shadow pass"}};

static const uint8_t build_id[] = {0x3a, 0x5b, 0x00, 0xff};

static const struct report full = {
    .severity = SEVERITY_ERROR,
    .number = 0x7c54445e,
    .id = "VUID-VkBufferCreateInfo-size-00912",
    .spec_text = "size must be greater than 0",
    .spec_page = "chapters/resources.html",
    .command = "vkCreateBuffer",
    .location = "pCreateInfo->size",
    .text = "is 0",
    .object_count = 2,
    .objects = {{HANDLE_DEVICE, 0x55d0c81f2a30, "main device"}, {HANDLE_BUFFER, 0x100000107, NULL}},
    .queue_labels = {1, labels},
    .command_buffer_labels = {2, labels},
    .caller = {"/usr/bin/cube", 0x8f3a, "prepare_buffers", 0x2c, build_id, sizeof(build_id)},
    .process = 4700,
    .thread = 4711,
    .thread_name = "render 2",
    .time = 1795487323123456,
    .application = "cube",
};

static void check_message(const char *name, const struct report *report, bool color,
                          bool application)
{
    char buffer[64];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    message_write(&text, report, color, application);
    assert_golden(name, text.text);
    string_builder_end(&text);
}

static void full_message(void **state)
{
    check_message("message_full.txt", &full, false, true);
}

/* The fix comes before the specification's sentence, in lines of the same width. */
static void message_with_a_fix(void **state)
{
    struct report report = full;
    char buffer[64];
    struct string_builder text;
    report.fix = "create VkBuffer 0x100000107 \"vertices\" (created by /usr/bin/cube+0x8e10) with "
                 "VK_BUFFER_USAGE_TRANSFER_SRC_BIT in VkBufferCreateInfo::usage";
    check_message("message_fix.txt", &report, false, false);
    string_builder_begin(&text, buffer, sizeof(buffer));
    message_write_json_line(&text, &report);
    assert_golden("message_fix.jsonl", text.text);
    string_builder_end(&text);
    string_builder_begin(&text, buffer, sizeof(buffer));
    message_write_json(&text, &report);
    assert_golden("message_fix.json", text.text);
    string_builder_end(&text);
}

static void check_json_line(const char *name, const struct report *report)
{
    char buffer[64];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    message_write_json_line(&text, report);
    assert_golden(name, text.text);
    string_builder_end(&text);
}

/* A finding of a shader: people and tools have the sentence and rows, a messenger the text that
 * says all. */
static void message_in_rows(void **state)
{
    const struct finding_details details = {
        .sentence = "Index of 6 used to index descriptor array of length 6",
        .row_count = 3,
        .section_count = 5,
        .sections = {{"shader", "a.comp:9 compute invocation (6, 0, 0)\n9: x = things[i];"},
                     {"reads", "set 0, binding 2 \"things\", element 6"},
                     {"descriptor", "nothing, in VkDescriptorSet 0x12"},
                     {"labels", "frame 12"},
                     {"again", "3 more invocations of this command do the same"}},
        .json_key = "shader",
        .json = "{\"line\":9,\"repeated\":3}"};
    struct report report = full;
    report.details = &details;
    report.location = "";
    report.command = "vkCmdDispatch";
    report.text = "Index of 6 used to index descriptor array of length 6 (set 0, binding 2 "
                  "\"things\"). Shader Instruction Index = 57. Stage = Compute.";
    check_message("message_rows.txt", &report, false, false);
    check_json_line("message_rows.jsonl", &report);
    report.is_messengers = true;
    check_message("message_rows_heard.txt", &report, false, false);
}

/* Another id's statement is what people read; tools have both. */
static void message_that_quotes(void **state)
{
    struct report report = full;
    const struct vuid_text id = {.name = "VUID-vkCmdClearColorImage-imageLayout-00004",
                                 .text = "imageLayout must specify the layout of the image",
                                 .page = "chapters/clears.html"};
    report.quoted = &id;
    check_message("message_quoted.txt", &report, false, false);
    check_json_line("message_quoted.jsonl", &report);
}

static void message_in_color(void **state)
{
    check_message("message_color.txt", &full, true, false);
}

static void message_with_little_to_say(void **state)
{
    const struct report report = {.severity = SEVERITY_WARNING,
                                  .id = "VALIDATION-SETTINGS",
                                  .spec_text = "",
                                  .spec_page = "",
                                  .location = "",
                                  .text = "vk_layer_settings.txt:3: unknown setting assay.x"};
    check_message("message_short.txt", &report, false, true);
}

/* Names are the app's: neither lines nor escape sequences in them may spoil the terminal. A
 * validator's lines are indented. */
static void message_with_lines_and_control_characters(void **state)
{
    struct report report = full;
    report.object_count = 1;
    report.objects[0].name = "two\nlines \033[31mred\x7f";
    report.text = "has 2 faults:\nthe first\nthe second";
    report.queue_labels.count = report.command_buffer_labels.count = 0;
    report.caller = (struct caller){.offset = 0x1234};
    report.last_of = 10;
    check_message("message_lines.txt", &report, false, false);
}

static void message_with_parameters(void **state)
{
    struct report report = full;
    report.queue_labels.count = report.command_buffer_labels.count = 0;
    report.parameters =
        "device = 0x55d0c81f2a30\npCreateInfo = VkBufferCreateInfo\n  flags = 0\n  size = 0";
    check_message("message_parameters.txt", &report, false, false);
}

/* The caller, five of those outside of it, and how many more there are; none of those inside of it.
 */
static void message_with_a_stack(void **state)
{
    struct report report = full;
    struct caller stack[9];
    for (uint32_t i = 0; i < ARRAY_LENGTH(stack); i++)
        stack[i] = (struct caller){.module = "/usr/bin/cube", .offset = 0x1000 + i};
    stack[1] = report.caller;
    stack[3] = (struct caller){.offset = 0x7f0000001234};
    report.object_count = report.queue_labels.count = report.command_buffer_labels.count = 0;
    report.stack = stack;
    report.stack_count = ARRAY_LENGTH(stack);
    report.stack_first = 1;
    check_message("message_stack.txt", &report, false, false);
    report.stack_count = 3;
    check_message("message_stack_of_two.txt", &report, false, false);
    report.stack_count = 2;
    check_message("message_stack_of_one.txt", &report, false, false);
}

static void long_sentence_of_the_specification(void **state)
{
    struct vuid_text id;
    vuid_text_open(&id, VUID_VkDeviceCreateInfo_pNext_pNext);
    struct report report = full;
    report.id = id.name;
    report.spec_text = id.text;
    report.spec_page = id.page;
    report.queue_labels.count = report.command_buffer_labels.count = report.object_count = 0;
    char buffer[64];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    message_write(&text, &report, false, false);
    /* The sentence changes with the registry; its shape does not. */
    size_t longest = 0;
    for (const char *line = text.text; line;
         line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        size_t length = strcspn(line, "\n");
        if (!strstr(line, "https://") || strstr(line, "https://") > line + length)
            longest = length > longest ? length : longest;
    }
    assert_uint_in_range(longest, 80, 112);
    assert_non_null(strstr(text.text,
                           " ...\n            https://docs.vulkan.org/spec/latest/chapters/"));
    assert_uint_in_range(text.length, 600, 1300);
    string_builder_end(&text);
    vuid_text_close(&id);
}

static void json_line(void **state)
{
    char buffer[64];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    message_write_json_line(&text, &full);
    assert_null(strchr(text.text, '\n'));
    assert_golden("message.jsonl", text.text);
    string_builder_end(&text);
}

static void json_times(void **state)
{
    static const struct {
        uint64_t seconds;
        const char *text;
    } times[] = {
        {1, "1970-01-01T00:00:01.000007Z"},          {951782399, "2000-02-28T23:59:59.000007Z"},
        {951782400, "2000-02-29T00:00:00.000007Z"},  {951868800, "2000-03-01T00:00:00.000007Z"},
        {1767225599, "2025-12-31T23:59:59.000007Z"}, {1767225600, "2026-01-01T00:00:00.000007Z"},
        {4107542400, "2100-03-01T00:00:00.000007Z"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(times); i++) {
        char buffer[64], end[64];
        struct report report = full;
        struct string_builder text;
        report.time = times[i].seconds * 1000000 + 7;
        string_builder_begin(&text, buffer, sizeof(buffer));
        message_write_json_line(&text, &report);
        (void)snprintf(end, sizeof(end), ",\"time\":\"%s\"}", times[i].text);
        assert_string_equal(text.text + text.length - strlen(end), end);
        string_builder_end(&text);
    }
}

static void json_as_users_of_the_field_parse_it(void **state)
{
    char buffer[64];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    message_write_json(&text, &full);
    assert_golden("message.json", text.text);
    string_builder_end(&text);
}

static void assert_location(const struct location *location, const char *expected)
{
    char buffer[16];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    location_write(&text, location);
    assert_string_equal(text.text, expected);
    string_builder_end(&text);
}

static void locations_as_text(void **state)
{
    const struct location info = LOCATION_POINTER(NULL, "pCreateInfo");
    const struct location chained = LOCATION_CHAINED(&info, "VkImageFormatListCreateInfo");
    const struct location stage = LOCATION_INDEX(&info, "pStages", 1);
    assert_location(NULL, "");
    assert_location(&LOCATION(NULL, "offset"), "offset");
    assert_location(&LOCATION_INDEX(NULL, "pRegions", 3), "pRegions[3]");
    assert_location(&LOCATION_INDEX(&chained, "pViewFormats", 2),
                    "pCreateInfo->pNext<VkImageFormatListCreateInfo>.pViewFormats[2]");
    assert_location(&LOCATION(&stage, "module"), "pCreateInfo->pStages[1].module");
}

static void texts_of_ids(void **state)
{
    static const struct {
        enum vuid vuid;
        const char *name, *text, *page;
    } expected[] = {
        {VUID_VkBufferCreateInfo_size_00912, "VUID-VkBufferCreateInfo-size-00912",
         "size must be greater than 0", "chapters/resources.html"},
        {ASSAY_Internal, "ASSAY-Internal",
         "Something inside the layer went wrong; the app's call went on.", ""},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(expected); i++) {
        struct vuid_text id;
        vuid_text_open(&id, expected[i].vuid);
        assert_string_equal(id.name, expected[i].name);
        assert_string_equal(id.text, expected[i].text);
        assert_string_equal(id.page, expected[i].page);
        vuid_text_close(&id);
    }
}

/* The enum, the table of numbers and the compressed names are three lists in the same order. The
 * numbers are those that users of the Khronos layer have in their filters. */
static void one_is_no_plural(void **state)
{
    static const char *const texts[][2] = {
        {"is 1 bytes, which has 1 queries", "is 1 byte, which has 1 query"},
        {"of 1 addresses, 1 vertices, at least 1 subpasses",
         "of 1 address, 1 vertices, at least 1 subpass"},
        {"has 1 vertices and 1 dispatches in 1 copies", "has 1 vertex and 1 dispatch in 1 copy"},
        {"only 1 attachments", "only 1 attachment"},
        {"1 levels", "1 level"},
        {"has 11 bytes of 21 bytes", "has 11 bytes of 21 bytes"},
        {"binding 1 descriptors 0 to 3, set 1 uses", "binding 1 descriptors 0 to 3, set 1 uses"},
        {"element 1 has no bytes", "element 1 has no bytes"},
        {"VkBuffer \"the 1 bytes\" has 1 bytes", "VkBuffer \"the 1 bytes\" has 1 byte"},
        {"has 1 ", "has 1 "},
        {"has 1", "has 1"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        char text[128];
        (void)snprintf(text, sizeof(text), "%s", texts[i][0]);
        plural_mend(text);
        assert_string_equal(text, texts[i][1]);
    }
}

static void every_id_has_its_name_and_number(void **state)
{
    for (int i = 0; i < VUID_COUNT; i++) {
        struct vuid_text id;
        vuid_text_open(&id, (enum vuid)i);
        assert_int_equal(message_number(id.name), vuid_number[i]);
        vuid_text_close(&id);
    }
    /* Without memory there are the names alone. */
    memory_is_out = true;
    for (int i = 0; i < VUID_COUNT; i += 61) {
        struct vuid_text id;
        vuid_text_open(&id, (enum vuid)i);
        assert_int_equal(message_number(id.name), vuid_number[i]);
        assert_string_equal(id.text, "");
        assert_string_equal(id.page, "");
        assert_string_equal(id.fix, "");
        vuid_text_close(&id);
    }
    memory_is_out = false;
    assert_int_equal(vuid_number[VUID_VkBufferCreateInfo_size_00912], 0x7c54445e);
    assert_int_equal(vuid_number[VUID_vkDestroyDevice_device_05137], 0x4872eaa0);
    assert_int_equal(vuid_number[VUID_vkCmdDraw_renderpass], 0xf58328d8);
    assert_int_equal(vuid_number[VUID_vkCmdDraw_None_08606], 0x3430a94e);
}

int main(void)
{
    const struct CMUnitTest message[] = {
        cmocka_unit_test(full_message),
        cmocka_unit_test(message_with_a_fix),
        cmocka_unit_test(message_in_rows),
        cmocka_unit_test(message_that_quotes),
        cmocka_unit_test(message_in_color),
        cmocka_unit_test(message_with_little_to_say),
        cmocka_unit_test(message_with_lines_and_control_characters),
        cmocka_unit_test(message_with_parameters),
        cmocka_unit_test(message_with_a_stack),
        cmocka_unit_test(long_sentence_of_the_specification),
        cmocka_unit_test(json_line),
        cmocka_unit_test(json_times),
        cmocka_unit_test(json_as_users_of_the_field_parse_it),
        cmocka_unit_test(locations_as_text),
        cmocka_unit_test(texts_of_ids),
        cmocka_unit_test(one_is_no_plural),
        cmocka_unit_test(every_id_has_its_name_and_number),
    };
    return cmocka_run_group_tests(message, NULL, NULL);
}
