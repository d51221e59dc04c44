/* Settings by what they do: limits, filters, severities, actions, where findings are written and
 * how they look there, which checks run. */
#include "scenario.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <yyjson.h>

#define MISTAKE       "VUID-VkFenceCreateInfo-flags-parameter"
#define OTHER         "VUID-VkEventCreateInfo-sType-sType"
#define WARNING       "VALIDATION-SETTINGS"
#define FLAGS_UNKNOWN 0x100

static VkResult make_fence_mistake(struct baseline *b)
{
    VkFenceCreateInfo info = fence_info();
    VkFence fence = VK_NULL_HANDLE;
    info.flags = FLAGS_UNKNOWN;
    VkResult result = vkCreateFence(b->device, &info, NULL, &fence);
    if (result == VK_SUCCESS)
        vkDestroyFence(b->device, fence, NULL);
    return result;
}

static void make_other_mistake(struct baseline *b)
{
    VkEventCreateInfo info = event_info();
    info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
    create_event(b, &info);
}

/* The whole of a file of the scenario's directory. */
static char *file_contents(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 20);
    ENSURE(text);
    if (file) {
        text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
        fclose(file);
    }
    return text;
}

/* The text that the process has printed so far: its standard output is a file in memory. */
static char *printed_text(void)
{
    char *text = calloc(1, 1 << 20);
    ENSURE(text && pread(STDOUT_FILENO, text, (1 << 20) - 1, 0) >= 0);
    return text;
}

static unsigned occurrences_in(const char *text, const char *part)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

/* How often a message was begun in the log; the harness prints what the messenger got, too, but not
 * at the start of a line. */
static unsigned logged_errors(const char *text)
{
    return occurrences_in(text, "\nAssay error ") + (strncmp(text, "Assay error ", 12) == 0);
}

/* Limits. */

SCENARIO(limit_by_default, .expect = {MISTAKE})
{
    for (int i = 0; i < 50; i++)
        make_fence_mistake(b);
    EXPECT_EQUAL(seen_count(b, MISTAKE), 10);
}

SCENARIO(limit_of_two, .settings = {"duplicate_message_limit=2"}, .expect = {MISTAKE})
{
    for (int i = 0; i < 5; i++)
        make_fence_mistake(b);
    EXPECT_EQUAL(seen_count(b, MISTAKE), 2);
}

SCENARIO(limit_is_told, .settings = {"duplicate_message_limit=2"}, .expect = {MISTAKE},
         .ours_only = true,
         .text = {
             "reported 2 times, which is the setting duplicate_message_limit: not reported again"})
{
    make_fence_mistake(b);
    expect_no_text(b, "not reported again");
    make_fence_mistake(b);
}

SCENARIO(limit_is_per_id, .settings = {"duplicate_message_limit=1"}, .expect = {MISTAKE, OTHER})
{
    for (int i = 0; i < 3; i++) {
        make_fence_mistake(b);
        make_other_mistake(b);
    }
    EXPECT_EQUAL(seen_count(b, MISTAKE), 1);
    EXPECT_EQUAL(seen_count(b, OTHER), 1);
}

SCENARIO(limit_switched_off,
         .settings = {"enable_message_limit=false", "duplicate_message_limit=2"},
         .expect = {MISTAKE})
{
    for (int i = 0; i < 50; i++)
        make_fence_mistake(b);
    EXPECT_EQUAL(seen_count(b, MISTAKE), 50);
}

/* A finding that is not reported would still skip the call: but only a callback skips, and it was
 * not asked. */
SCENARIO(limit_lets_calls_through, .settings = {"duplicate_message_limit=1"}, .expect = {MISTAKE})
{
    EXPECT_EQUAL(make_fence_mistake(b), VK_ERROR_VALIDATION_FAILED_EXT);
    EXPECT_EQUAL(make_fence_mistake(b), VK_SUCCESS);
}

/* A messenger gets each report whole; the log, which people read, says it in full once. */
SCENARIO(limit_of_messengers_and_log, .settings = {"log_filename=log.txt"}, .expect = {MISTAKE},
         .ours_only = true)
{
    for (int i = 0; i < 50; i++)
        make_fence_mistake(b);
    EXPECT_EQUAL(seen_count(b, MISTAKE), 10);
    EXPECT_EQUAL(logged_errors(file_contents("log.txt")), 1);
    EXPECT_EQUAL(occurrences_in(file_contents("log.txt"),
                                "Assay repeated " MISTAKE ", 10 times so far"),
                 1);
}

SCENARIO(log_without_limit, .settings = {"enable_message_limit=false", "log_filename=log.txt"},
         .expect = {MISTAKE}, .ours_only = true)
{
    for (int i = 0; i < 15; i++)
        make_fence_mistake(b);
    EXPECT_EQUAL(seen_count(b, MISTAKE), 15);
    EXPECT_EQUAL(logged_errors(file_contents("log.txt")), 15);
}

/* Filters. */

SCENARIO(filter_by_name, .settings = {"message_id_filter=" MISTAKE}, .expect = {OTHER})
{
    make_fence_mistake(b);
    make_other_mistake(b);
}

SCENARIO(filter_by_decimal_number, .settings = {"message_id_filter=0,17"}, .expect = {MISTAKE})
{
    make_fence_mistake(b);
}

/* A user takes the number from a message and mutes it. */
SCENARIO(filter_by_number_of_message, .start = START_NOTHING, .expect = {MISTAKE})
{
    char number[32];
    VkInstance first = make_instance(b, NULL);
    b->instance = first;
    b->device = make_device_of(b, first_physical_device(first));
    VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(b);
    VK(INSTANCE_PROC(b, vkCreateDebugUtilsMessengerEXT)(first, &info, NULL, &b->messenger));
    make_fence_mistake(b);
    snprintf(number, sizeof(number), "0x%x", (unsigned)seen_find(b, MISTAKE)->number);
    vkDestroyDevice(b->device, NULL);
    INSTANCE_PROC(b, vkDestroyDebugUtilsMessengerEXT)(first, b->messenger, NULL);
    vkDestroyInstance(first, NULL);
    setenv(b->ours ? "VK_ASSAY_MESSAGE_ID_FILTER" : "VK_VALIDATION_MESSAGE_ID_FILTER", number, 1);
    world_start(b, NULL);
    make_fence_mistake(b);
    EXPECT_EQUAL(seen_count(b, MISTAKE), 1);
}

SCENARIO(filter_list, .settings = {"message_id_filter=" MISTAKE "," OTHER})
{
    make_fence_mistake(b);
    make_other_mistake(b);
}

SCENARIO(filter_of_another, .settings = {"message_id_filter=VUID-VkFenceCreateInfo-sType-sType"},
         .expect = {MISTAKE})
{
    make_fence_mistake(b);
}

/* A muted finding does not stop the call. */
SCENARIO(filter_lets_calls_through, .settings = {"message_id_filter=" MISTAKE})
{
    EXPECT_EQUAL(make_fence_mistake(b), VK_SUCCESS);
}

SCENARIO(filter_mutes_settings_warnings, .settings = {"message_id_filter=" WARNING},
         .settings_file = "assay.no_such_thing = 1\n", .ours_only = true)
{
}

/* Actions. */

SCENARIO(action_fail, .settings = {"debug_action=FAIL"}, .expect = {MISTAKE}, .proceed = true,
         .ours_only = true)
{
    EXPECT_EQUAL(make_fence_mistake(b), VK_ERROR_VALIDATION_FAILED_EXT);
}

/* A repeated mistake fails every time, reported or not. */
SCENARIO(action_fail_past_the_limit, .settings = {"debug_action=FAIL", "duplicate_message_limit=1"},
         .expect = {MISTAKE}, .proceed = true, .ours_only = true)
{
    for (int i = 0; i < 5; i++)
        EXPECT_EQUAL(make_fence_mistake(b), VK_ERROR_VALIDATION_FAILED_EXT);
    EXPECT_EQUAL(seen_count(b, MISTAKE), 1);
}

SCENARIO(action_fail_leaves_good_calls, .settings = {"debug_action=FAIL"}, .proceed = true,
         .ours_only = true)
{
    make_any_framebuffer(b);
    make_any_compute_pipeline(b);
}

SCENARIO(action_break, .settings = {"debug_action=BREAK"}, .signal = SIGTRAP, .ours_only = true,
         .expect = {MISTAKE})
{
    make_fence_mistake(b);
    EXPECT(!"a debugger stops here");
}

SCENARIO(log_silent_beside_a_messenger, .expect = {MISTAKE}, .ours_only = true)
{
    make_fence_mistake(b);
    EXPECT_EQUAL(logged_errors(printed_text()), 0);
}

SCENARIO(log_when_asked_for, .settings = {"debug_action=LOG_MSG"}, .expect = {MISTAKE},
         .ours_only = true)
{
    make_fence_mistake(b);
    EXPECT_EQUAL(logged_errors(printed_text()), 1);
}

SCENARIO(log_prefixed_action, .settings = {"debug_action=VK_DBG_LAYER_ACTION_LOG_MSG"},
         .expect = {MISTAKE}, .ours_only = true)
{
    make_fence_mistake(b);
    EXPECT_EQUAL(logged_errors(printed_text()), 1);
}

SCENARIO(log_action_callback_only, .settings = {"debug_action=VK_DBG_LAYER_ACTION_CALLBACK"},
         .expect = {MISTAKE}, .ours_only = true)
{
    make_fence_mistake(b);
    EXPECT_EQUAL(logged_errors(printed_text()), 0);
}

SCENARIO(log_action_default, .settings = {"debug_action=VK_DBG_LAYER_ACTION_DEFAULT"},
         .expect = {MISTAKE}, .ours_only = true)
{
    make_fence_mistake(b);
    EXPECT_EQUAL(logged_errors(printed_text()), 1);
}

/* A program that installs no messenger finds its mistakes on standard output. */
static VkDevice start_without_messenger(struct baseline *b)
{
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .enabledLayerCount = 1,
                                 .ppEnabledLayerNames = &b->layer};
    VK(vkCreateInstance(&info, NULL, &b->instance));
    b->device = make_device_of(b, first_physical_device(b->instance));
    return b->device;
}

SCENARIO(log_without_messenger, .start = START_NOTHING, .ours_only = true)
{
    start_without_messenger(b);
    EXPECT_EQUAL(make_fence_mistake(b), VK_SUCCESS);
    char *text = printed_text();
    EXPECT_EQUAL(logged_errors(text), 1);
    EXPECT(strstr(text, "Assay error " MISTAKE
                        "\n  vkCreateFence(): pCreateInfo->flags is 0x100, of which 0x100 is not a "
                        "bit of VkFenceCreateFlagBits\n") != NULL);
    EXPECT(strstr(text, "\n    object  VkDevice 0x") != NULL);
    EXPECT(strstr(text, "\n    caller  ") != NULL);
    EXPECT(strstr(text,
                  "\n    spec    If flags is not 0, flags must be a valid combination of "
                  "VkFenceCreateFlagBits values\n"
                  "            "
                  "https://docs.vulkan.org/spec/latest/chapters/synchronization.html#" MISTAKE) !=
           NULL);
}

SCENARIO(log_without_messenger_switched_off, .start = START_NOTHING, .settings = {"debug_action="},
         .ours_only = true)
{
    start_without_messenger(b);
    make_fence_mistake(b);
    EXPECT_EQUAL(logged_errors(printed_text()), 0);
}

SCENARIO(log_in_a_file, .settings = {"log_filename=log.txt"}, .expect = {MISTAKE},
         .ours_only = true)
{
    make_fence_mistake(b);
    EXPECT_EQUAL(logged_errors(file_contents("log.txt")), 1);
    EXPECT_EQUAL(logged_errors(printed_text()), 0);
    EXPECT(strstr(file_contents("log.txt"), "\033") == NULL);
}

SCENARIO(log_file_of_two_instances, .settings = {"log_filename=log.txt"},
         .expect = {MISTAKE, OTHER}, .ours_only = true)
{
    make_fence_mistake(b);
    VkInstance second = make_instance(b, NULL);
    make_other_mistake(b);
    vkDestroyInstance(second, NULL);
    EXPECT_EQUAL(logged_errors(file_contents("log.txt")), 2);
}

/* The file of the last run is not this run's. */
SCENARIO(log_file_is_emptied, .start = START_NOTHING, .settings = {"log_filename=log.txt"},
         .expect = {MISTAKE}, .ours_only = true)
{
    FILE *file = fopen("log.txt", "w");
    ENSURE(file && fputs("yesterday\n", file) >= 0 && fclose(file) == 0);
    world_start(b, NULL);
    make_fence_mistake(b);
    EXPECT(strstr(file_contents("log.txt"), "yesterday") == NULL);
}

SCENARIO(log_on_standard_error, .settings = {"log_filename=stderr"}, .expect = {MISTAKE},
         .ours_only = true)
{
    make_fence_mistake(b);
    EXPECT_EQUAL(logged_errors(printed_text()), 1); /* both are the same file here */
}

SCENARIO(log_file_that_cannot_be, .settings = {"log_filename=no/such/directory/log.txt"},
         .expect = {WARNING, MISTAKE}, .ours_only = true,
         .text = {"log_filename is \"no/such/directory/log.txt\", which cannot be opened: No such "
                  "file or directory; the log "
                  "goes to standard output"})
{
    make_fence_mistake(b);
    EXPECT(logged_errors(printed_text()) > 0);
}

SCENARIO(log_in_colour, .settings = {"log_filename=log.txt", "log_color=always"},
         .expect = {MISTAKE}, .ours_only = true)
{
    make_fence_mistake(b);
    EXPECT(strstr(file_contents("log.txt"),
                  "Assay \033[1;31merror\033[0m \033[1m" MISTAKE "\033[0m") != NULL ||
           strstr(file_contents("log.txt"), "\033[1;31m") != NULL);
    expect_no_text(b, "\033");
}

SCENARIO(log_without_colour, .settings = {"log_filename=log.txt", "log_color=never"},
         .expect = {MISTAKE}, .ours_only = true)
{
    make_fence_mistake(b);
    EXPECT(strstr(file_contents("log.txt"), "\033") == NULL);
}

/* Severities: of the log and the JSON lines; a messenger says for itself. */
SCENARIO(report_flags_without_errors, .settings = {"report_flags=warn", "log_filename=log.txt"},
         .settings_file = "assay.no_such = 1\n", .expect = {MISTAKE, WARNING}, .ours_only = true)
{
    make_fence_mistake(b);
    EXPECT_EQUAL(logged_errors(file_contents("log.txt")), 0);
    EXPECT_EQUAL(occurrences_in(file_contents("log.txt"), "Assay warning " WARNING), 1);
}

/* A mistake in the settings is reported whatever severities are wanted. */
SCENARIO(report_flags_without_warnings, .settings = {"report_flags=error", "log_filename=log.txt"},
         .settings_file = "assay.no_such = 1\n", .expect = {MISTAKE, WARNING}, .ours_only = true)
{
    make_fence_mistake(b);
    EXPECT_EQUAL(logged_errors(file_contents("log.txt")), 1);
    EXPECT_EQUAL(occurrences_in(file_contents("log.txt"), "Assay warning"), 1);
    EXPECT_EQUAL(occurrences_in(file_contents("log.txt"), "unknown setting assay.no_such"), 1);
}

SCENARIO(report_flags_empty, .settings = {"report_flags=", "log_filename=log.txt"},
         .expect = {WARNING, MISTAKE}, .ours_only = true,
         .text = {"environment: VK_ASSAY_REPORT_FLAGS is empty, which would silence everything; it "
                  "stays error, warn"})
{
    make_fence_mistake(b);
    EXPECT_EQUAL(logged_errors(file_contents("log.txt")), 1);
    EXPECT_EQUAL(occurrences_in(file_contents("log.txt"), "VK_ASSAY_REPORT_FLAGS is empty"), 1);
}

SCENARIO(report_flags_wrong, .settings = {"report_flags=eror", "log_filename=log.txt"},
         .expect = {WARNING, MISTAKE}, .ours_only = true,
         .text = {"VK_ASSAY_REPORT_FLAGS has no value \"eror\", the nearest is error; it takes any "
                  "of error, warn, perf, info, debug; it stays error, warn"})
{
    make_fence_mistake(b);
    EXPECT_EQUAL(logged_errors(file_contents("log.txt")), 1);
    EXPECT_EQUAL(occurrences_in(file_contents("log.txt"), "VK_ASSAY_REPORT_FLAGS has no value"), 1);
}

/* JSON. */

static yyjson_doc *parse_json(char *text)
{
    yyjson_doc *document = yyjson_read(text, strlen(text), 0);
    if (!document)
        scenario_fail(__FILE__, __LINE__, "is no JSON: %s", text);
    return document;
}

static const char *json_member(yyjson_doc *document, const char *key)
{
    const char *value =
        document ? yyjson_get_str(yyjson_obj_get(yyjson_doc_get_root(document), key)) : NULL;
    return value ? value : "";
}

SCENARIO(json_lines, .settings = {"json_filename=findings.jsonl"}, .expect = {MISTAKE, OTHER},
         .ours_only = true)
{
    VkDebugUtilsObjectNameInfoEXT name =
        name_info(VK_OBJECT_TYPE_DEVICE, HANDLE(b->device), "quoted \"device\"\n\x01");
    VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &name));
    make_fence_mistake(b);
    make_other_mistake(b);
    char *text = file_contents("findings.jsonl"), *rest = NULL;
    EXPECT_EQUAL(occurrences_in(text, "\n"), 2);
    yyjson_doc *first = parse_json(strtok_r(text, "\n", &rest)),
               *second = parse_json(strtok_r(NULL, "\n", &rest));
    EXPECT(strcmp(json_member(first, "vuid"), MISTAKE) == 0);
    EXPECT(strcmp(json_member(second, "vuid"), OTHER) == 0);
    EXPECT(strcmp(json_member(first, "severity"), "error") == 0);
    EXPECT(strcmp(json_member(first, "command"), "vkCreateFence") == 0);
    EXPECT(strcmp(json_member(first, "location"), "pCreateInfo->flags") == 0);
    EXPECT(strstr(json_member(first, "message"), "vkCreateFence(): pCreateInfo->flags is 0x100") !=
           NULL);
    EXPECT(strcmp(json_member(first, "application"), "json_lines") == 0);
    EXPECT(strstr(json_member(first, "url"), "#" MISTAKE) != NULL);
    yyjson_val *objects = yyjson_obj_get(yyjson_doc_get_root(first), "objects");
    EXPECT_EQUAL(yyjson_arr_size(objects), 1);
    const char *device_name = yyjson_get_str(yyjson_obj_get(yyjson_arr_get_first(objects), "name"));
    EXPECT(device_name && strcmp(device_name, "quoted \"device\"\n\x01") == 0);
}

SCENARIO(json_lines_are_appended, .start = START_NOTHING,
         .settings = {"json_filename=findings.jsonl"}, .expect = {MISTAKE}, .ours_only = true)
{
    FILE *file = fopen("findings.jsonl", "w");
    ENSURE(file && fputs("{\"another\":\"process\"}\n", file) >= 0 && fclose(file) == 0);
    world_start(b, NULL);
    make_fence_mistake(b);
    EXPECT(strncmp(file_contents("findings.jsonl"), "{\"another\":\"process\"}\n{\"vuid\":", 30) ==
           0);
}

SCENARIO(json_lines_by_severity, .settings = {"json_filename=findings.jsonl", "report_flags=error"},
         .settings_file = "assay.no_such = 1\n", .expect = {MISTAKE, WARNING}, .ours_only = true)
{
    make_fence_mistake(b);
    EXPECT_EQUAL(occurrences_in(file_contents("findings.jsonl"), "\n"), 2);
    EXPECT_EQUAL(occurrences_in(file_contents("findings.jsonl"), "unknown setting assay.no_such"),
                 1);
}

SCENARIO(json_file_that_cannot_be, .settings = {"json_filename=/no/such/findings.jsonl"},
         .expect = {WARNING}, .ours_only = true,
         .text = {"json_filename is \"/no/such/findings.jsonl\", which cannot be opened: No such "
                  "file or directory; nothing "
                  "is written there"})
{
}

SCENARIO(json_lines_of_invalid_utf8, .settings = {"json_filename=findings.jsonl"},
         .expect = {"VUID-VkDebugUtilsLabelEXT-pLabelName-parameter"}, .ours_only = true)
{
    VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                  .pLabelName = "caf\xe9"};
    INSTANCE_PROC(b, vkQueueBeginDebugUtilsLabelEXT)(b->queue, &label);
    char *text = file_contents("findings.jsonl");
    text[strcspn(text, "\n")] = '\0';
    EXPECT(strcmp(json_member(parse_json(text), "command"), "vkQueueBeginDebugUtilsLabelEXT") == 0);
}

SCENARIO(message_format_json, .settings = {"message_format_json=true", "log_filename=log.txt"},
         .expect = {MISTAKE}, .ours_only = true)
{
    make_fence_mistake(b);
    yyjson_doc *message = parse_json(seen_find(b, MISTAKE)->text),
               *log = parse_json(file_contents("log.txt"));
    EXPECT(strcmp(json_member(message, "VUID"), MISTAKE) == 0);
    EXPECT(strcmp(json_member(log, "VUID"), MISTAKE) == 0);
    EXPECT(strcmp(json_member(log, "Severity"), "Error") == 0);
    EXPECT(strcmp(json_member(log, "Function"), "vkCreateFence") == 0);
    EXPECT(strcmp(json_member(log, "Location"), "pCreateInfo->flags") == 0);
}

SCENARIO(application_name, .settings = {"message_format_display_application_name=true"},
         .expect = {MISTAKE}, .ours_only = true, .text = {"    program application_name"})
{
    make_fence_mistake(b);
}

SCENARIO(application_name_not_asked_for, .expect = {MISTAKE}, .ours_only = true)
{
    make_fence_mistake(b);
    expect_no_text(b, "program ");
}

/* These settings choose which checks run. */

static void leak_a_fence(struct baseline *b)
{
    VkFence fence = make_fence(b);
    FORGET(b, fence);
}

static void record_too_early(struct baseline *b)
{
    vkCmdSetLineWidth(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY), 1.0f);
}

#define LEAK      "VUID-vkDestroyDevice-device-05137"
#define TOO_EARLY "VUID-vkCmdSetLineWidth-commandBuffer-recording"

SCENARIO(all_checks_by_default, .expect = {MISTAKE, LEAK, TOO_EARLY})
{
    make_fence_mistake(b);
    leak_a_fence(b);
    record_too_early(b);
}

SCENARIO(without_parameters, .settings = {"stateless_param=false"}, .expect = {LEAK, TOO_EARLY})
{
    make_fence_mistake(b);
    leak_a_fence(b);
    record_too_early(b);
}

SCENARIO(without_lifetimes, .settings = {"object_lifetime=false"}, .expect = {MISTAKE, TOO_EARLY})
{
    make_fence_mistake(b);
    leak_a_fence(b);
    record_too_early(b);
}

SCENARIO(without_core, .settings = {"validate_core=false"}, .expect = {MISTAKE, LEAK},
         .drivers = NULL_DRIVER)
{
    make_fence_mistake(b);
    leak_a_fence(b);
    record_too_early(b);
}

/* A row that asks what an object was created with is a rule of core, also where sync has the state
 * kept. */
static void mark_where_it_may_not(struct baseline *b)
{
    DEVICE_PROC(b, vkCmdWriteBufferMarkerAMD)(make_recording(b), VK_PIPELINE_STAGE_TRANSFER_BIT,
                                              make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT),
                                              0, 1);
}

#define OF_MARKERS .drivers = NULL_DRIVER, .extensions = {VK_AMD_BUFFER_MARKER_EXTENSION_NAME}

SCENARIO(row_of_state, OF_MARKERS, .settings = {"validate_sync=true"},
         .expect = {"VUID-vkCmdWriteBufferMarkerAMD-dstBuffer-01799"})
{
    mark_where_it_may_not(b);
}

SCENARIO(row_of_state_without_core, OF_MARKERS,
         .settings = {"validate_sync=true", "validate_core=false"})
{
    mark_where_it_may_not(b);
}

SCENARIO(without_command_buffer_state, .settings = {"check_command_buffer=false"},
         .expect = {MISTAKE, LEAK}, .drivers = NULL_DRIVER)
{
    make_fence_mistake(b);
    leak_a_fence(b);
    record_too_early(b);
}

SCENARIO(without_any_check,
         .settings = {"stateless_param=false", "object_lifetime=false", "validate_core=false",
                      "thread_safety=false"},
         .drivers = NULL_DRIVER)
{
    make_fence_mistake(b);
    leak_a_fence(b);
    record_too_early(b);
}

/* Ids have the object's type in their low byte and never look like an address; the driver's own
 * handles go out as they are. */
SCENARIO(handles_of_the_driver, .settings = {"unique_handles=false"},
         .expect = {"VUID-vkDestroyFence-fence-parameter"}, .ours_only = true,
         .drivers = NULL_DRIVER)
{
    VkFence fence = make_fence(b);
    EXPECT(vkGetFenceStatus(b->device, fence) >= 0);
    FORGET(b, fence);
    vkDestroyFence(b->device, fence, NULL);
    vkDestroyFence(b->device, fence, NULL);
}

SCENARIO(handles_are_ids, .settings = {"unique_handles=true"},
         .expect = {"VUID-vkDestroyFence-fence-parameter"})
{
    VkFence fence = make_fence(b), other = make_fence(b);
    EXPECT(fence != other);
    FORGET(b, fence);
    vkDestroyFence(b->device, fence, NULL);
    vkDestroyFence(b->device, fence, NULL);
    EXPECT(make_fence(b) != fence);
}

/* Structure types that this driver knows and the registry does not. */

struct private_structure {
    VkStructureType type;
    const void *next;
    uint64_t value;
};

SCENARIO(private_structure_unknown, .expect = {"VUID-VkFenceCreateInfo-pNext-pNext"})
{
    struct private_structure private = {.type = (VkStructureType)1000900000};
    VkFenceCreateInfo info = fence_info();
    info.pNext = &private;
    create_fence(b, &info);
}

SCENARIO(private_structure_listed, .settings = {"custom_stype_list=1000900000,24,0x3ba98b41,16"})
{
    struct private_structure other = {.type = (VkStructureType)0x3ba98b41};
    struct private_structure private = {.type = (VkStructureType)1000900000, .next = &other};
    VkFenceCreateInfo info = fence_info();
    info.pNext = &private;
    EXPECT(create_fence(b, &info) != VK_NULL_HANDLE);
}

/* A handle that comes after a private structure in the chain still reaches the driver as its own.
 */
SCENARIO(private_structure_before_a_handle, .settings = {"custom_stype_list=1000900000,24"},
         .drivers = NULL_DRIVER, .null_driver = "{\"checkHandles\": true}")
{
    VkBuffer buffer = make_unbound_buffer(b);
    VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .buffer = buffer};
    struct private_structure private = {.type = (VkStructureType)1000900000, .next = &dedicated};
    VkMemoryAllocateInfo info = memory_info(65536, 0);
    info.pNext = &private;
    EXPECT(create_memory(b, &info) != VK_NULL_HANDLE);
}

/* check_image_layout, and the disable that means it. */

static void clear_in_the_wrong_layout(struct baseline *b)
{
    VkImage image = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer command_buffer = make_recording(b);
    const VkClearColorValue color = {0};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdClearColorImage(command_buffer, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1,
                         &range);
    vkCmdClearColorImage(command_buffer, image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
}

SCENARIO(image_layouts_checked, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkCmdClearColorImage-imageLayout-00004"})
{
    clear_in_the_wrong_layout(b);
}

SCENARIO(image_layouts_unchecked, .drivers = NULL_DRIVER, .settings = {"check_image_layout=false"})
{
    clear_in_the_wrong_layout(b);
}

SCENARIO(image_layouts_disabled, .drivers = NULL_DRIVER,
         .settings = {"disables=IMAGE_LAYOUT_VALIDATION"})
{
    clear_in_the_wrong_layout(b);
}
