/* Checks which listeners get a finding, how often, and what is in the structure that messengers
 * get. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/string_builder.h"
#include "report/finding/rule.h"
#include "report/finding/finding.h"
#include "report/names/object_text.h"
#include "report/finding/parameters.h"
#include "report/finding/reporter.h"
#include "report/names/vuid_text.h"

/* The last message that a messenger heard, in one string. */
struct ear {
    unsigned count;
    char heard[1024];
    char message[4096];
    VkBool32 answer;
    void (*inside)(void); /* what the callback does */
};

static VkBool32 VKAPI_PTR hear_report(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                      VkDebugUtilsMessageTypeFlagsEXT types,
                                      const VkDebugUtilsMessengerCallbackDataEXT *data,
                                      void *user_data)
{
    struct ear *ear = user_data;
    struct string_builder text;
    ear->count++;
    string_builder_begin(&text, ear->heard, sizeof(ear->heard));
    string_builder_format(&text, "%x/%x %s %d", severity, types, data->pMessageIdName,
                          data->messageIdNumber);
    for (uint32_t i = 0; i < data->objectCount; i++)
        string_builder_format(&text, " %d:%llx:%s", data->pObjects[i].objectType,
                              (unsigned long long)data->pObjects[i].objectHandle,
                              data->pObjects[i].pObjectName ? data->pObjects[i].pObjectName : "-");
    for (uint32_t i = 0; i < data->queueLabelCount; i++)
        string_builder_format(&text, " q=%s", data->pQueueLabels[i].pLabelName);
    for (uint32_t i = 0; i < data->cmdBufLabelCount; i++)
        string_builder_format(&text, " c=%s/%g", data->pCmdBufLabels[i].pLabelName,
                              (double)data->pCmdBufLabels[i].color[0]);
    (void)snprintf(ear->message, sizeof(ear->message), "%s", data->pMessage);
    if (ear->inside)
        ear->inside();
    return ear->answer;
}

static VkBool32 VKAPI_PTR hear_old(VkDebugReportFlagsEXT flags, VkDebugReportObjectTypeEXT type,
                                   uint64_t object, size_t location, int32_t code,
                                   const char *prefix, const char *message, void *user_data)
{
    struct ear *ear = user_data;
    ear->count++;
    (void)snprintf(ear->heard, sizeof(ear->heard), "%x %d:%llx %d %s", flags, type,
                   (unsigned long long)object, code, prefix);
    (void)snprintf(ear->message, sizeof(ear->message), "%s", message);
    return ear->answer;
}

static struct settings settings;
static struct instance instance;
static struct ear ear;
static char log_path[] = "/tmp/assay-log-XXXXXX";

static VkDebugUtilsMessengerCreateInfoEXT
info_of_messenger(VkDebugUtilsMessageSeverityFlagsEXT severities)
{
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = severities,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = hear_report,
        .pUserData = &ear};
}

/* Settings from the text of a settings file; the log goes to a file. */
static void begin_reporter(const char *text, const void *chain)
{
    struct settings_diagnostics diagnostics = {0};
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "unit test"};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = chain,
                                       .pApplicationInfo = &application};
    settings_defaults(&settings);
    settings_read_text(&settings, text, strlen(text), "test", &diagnostics);
    assert_int_equal(diagnostics.count, 0);
    mem_free(settings.log_filename);
    settings.log_filename = mem_copy_string(log_path);
    ear = (struct ear){0};
    instance = (struct instance){.wrap_handles = true};
    instance.reporter = reporter_create(&settings, &info);
    assert_non_null(instance.reporter);
}

static void end_reporter(void)
{
    reporter_destroy(instance.reporter);
    settings_free(&settings);
    assert_int_equal(truncate(log_path, 0), 0);
}

static size_t log_length(void)
{
    FILE *file = fopen(log_path, "r");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    fclose(file);
    return (size_t)length;
}

static bool report_size(enum severity severity)
{
    const struct call call = {.command = COMMAND_CreateBuffer, .instance = &instance};
    const struct location info = LOCATION_POINTER(NULL, "pCreateInfo");
    return finding_with_severity(&call, severity, VUID_VkBufferCreateInfo_size_00912,
                                 &LOCATION(&info, "size"), NULL, "is %d", 0);
}

static void messenger_gets_all_of_it(void **state)
{
    begin_reporter("", NULL);
    const VkDebugUtilsMessengerCreateInfoEXT info =
        info_of_messenger(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
    reporter_add_messenger(instance.reporter, 1, &info);
    assert_false(report_size(SEVERITY_ERROR));
    assert_int_equal(ear.count, 1);
    assert_string_equal(ear.heard, "1000/2 VUID-VkBufferCreateInfo-size-00912 2085897310");
    assert_string_equal(ear.message, "Assay error VUID-VkBufferCreateInfo-size-00912\n"
                                     "  vkCreateBuffer(): pCreateInfo->size is 0\n"
                                     "    spec    size must be greater than 0\n"
                                     "            "
                                     "https://docs.vulkan.org/spec/latest/chapters/"
                                     "resources.html#VUID-VkBufferCreateInfo-size-00912");
    assert_false(report_size(SEVERITY_WARNING));
    assert_int_equal(ear.count, 1); /* it did not ask for warnings */
    reporter_remove_messenger(instance.reporter, 1);
    report_size(SEVERITY_ERROR);
    assert_int_equal(ear.count, 1);
    end_reporter();
}

static void objects_names_and_labels(void **state)
{
    assert_true(object_table_init());
    begin_reporter("", NULL);
    const VkDebugUtilsMessengerCreateInfoEXT info =
        info_of_messenger(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
    reporter_add_messenger(instance.reporter, 1, &info);
    struct object *commands = object_create(&(struct object_create_info){
        .type = HANDLE_COMMAND_BUFFER, .driver = 0x1000});
    struct object *queue =
        object_create(&(struct object_create_info){.type = HANDLE_QUEUE, .driver = 0x2000});
    struct object *image = object_create(&(struct object_create_info){
        .type = HANDLE_IMAGE, .driver = 0x3000, .wrapped = true});
    assert_true(commands && queue && image);
    const float red[4] = {1, 0, 0, 1};
    reporter_set_name(instance.reporter, image, "albedo");
    reporter_begin_label(instance.reporter, commands, "frame", red);
    reporter_begin_label(instance.reporter, commands, "shadows", NULL);
    reporter_insert_label(instance.reporter, commands, "here", NULL);
    reporter_begin_label(instance.reporter, queue, "upload", red);
    const struct call call = {
        .command = COMMAND_CmdDraw, .instance = &instance, .object = commands};
    finding(&call, VUID_vkCmdDraw_None_08606, NULL,
            OBJECT2(HANDLE_IMAGE, object_handle(image), HANDLE_QUEUE, object_handle(queue)),
            "has no pipeline");
    char expected[256];
    (void)snprintf(expected, sizeof(expected),
                   "1000/2 VUID-vkCmdDraw-None-08606 875604302 6:1000:- 10:%llx:albedo 4:2000:- "
                   "q=upload c=frame/1 c=shadows/0 c=here/0",
                   (unsigned long long)object_handle(image));
    assert_string_equal(ear.heard, expected);

    assert_int_equal(reporter_open_labels(instance.reporter, commands), 2);
    reporter_end_label(instance.reporter, commands);
    reporter_set_name(instance.reporter, image, "");
    finding(&call, VUID_vkCmdDraw_None_08606, NULL, OBJECT(HANDLE_IMAGE, object_handle(image)),
            "has no pipeline");
    (void)snprintf(expected, sizeof(expected),
                   "1000/2 VUID-vkCmdDraw-None-08606 875604302 6:1000:- 10:%llx:- c=frame/1",
                   (unsigned long long)object_handle(image));
    assert_string_equal(ear.heard, expected);

    reporter_clear_labels(instance.reporter, commands);
    reporter_end_label(instance.reporter, commands); /* one too many */
    finding(&call, VUID_vkCmdDraw_None_08606, NULL, NULL, "has no pipeline");
    assert_string_equal(ear.heard, "1000/2 VUID-vkCmdDraw-None-08606 875604302 6:1000:-");
    reporter_forget(instance.reporter, commands);
    assert_int_equal(reporter_open_labels(instance.reporter, commands), 0);
    end_reporter();
}

/* The names of objects that are gone: the last RETIRED_LIMIT that had one. */
static void names_of_retired_objects(void **state)
{
    assert_true(object_table_init());
    begin_reporter("", NULL);
    const VkDebugUtilsMessengerCreateInfoEXT info =
        info_of_messenger(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
    reporter_add_messenger(instance.reporter, 1, &info);
    uint64_t first = 0, last = 0;
    struct retired_object found;
    for (unsigned i = 0; i <= RETIRED_LIMIT; i++) {
        char name[32];
        struct object *image = object_create(&(struct object_create_info){
            .type = HANDLE_IMAGE, .driver = 0x3000 + i, .wrapped = true});
        assert_non_null(image);
        last = object_handle(image);
        first = i == 0 ? last : first;
        (void)snprintf(name, sizeof(name), "image %u", i);
        reporter_set_name(instance.reporter, image, name);
        assert_true(object_retire_by(image, (const void *)0x4444));
        reporter_forget(instance.reporter, image);
        object_release(image);
        if (i == RETIRED_LIMIT - 1) {
            assert_true(reporter_find_retired(instance.reporter, first, HANDLE_IMAGE, &found));
            assert_string_equal(found.name, "image 0");
            assert_ptr_equal(found.destroyer, (const void *)0x4444);
            mem_free(found.name);
        }
    }
    assert_false(reporter_find_retired(instance.reporter, first, HANDLE_IMAGE, &found));
    assert_false(reporter_find_retired(instance.reporter, last, HANDLE_BUFFER, &found));
    const struct call call = {.command = COMMAND_CmdDraw, .instance = &instance, .wraps = true};
    finding(&call, VUID_vkCmdDraw_None_08606, NULL, OBJECT(HANDLE_IMAGE, last), "has no pipeline");
    char expected[128];
    (void)snprintf(expected, sizeof(expected),
                   "1000/2 VUID-vkCmdDraw-None-08606 875604302 10:%llx:image %u",
                   (unsigned long long)last, RETIRED_LIMIT);
    assert_string_equal(ear.heard, expected);
    end_reporter();
}

/* Another thread has destroyed it since the caller found it: it has no type any more. */
static void object_that_another_thread_destroys(void **state)
{
    assert_true(object_table_init());
    begin_reporter("", NULL);
    const VkDebugUtilsMessengerCreateInfoEXT info =
        info_of_messenger(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
    reporter_add_messenger(instance.reporter, 1, &info);
    for (unsigned wraps = 0; wraps < 2; wraps++) {
        struct object *image = object_create(&(struct object_create_info){
            .type = HANDLE_IMAGE, .driver = 0x7000 + wraps, .wrapped = wraps});
        assert_non_null(image);
        reporter_set_name(instance.reporter, image, "gone");
        assert_true(object_retire_by(image, NULL));
        const struct call call = {
            .command = COMMAND_CmdDraw, .instance = &instance, .wraps = wraps};
        const uint64_t handle = object_handle(image);
        instance.wrap_handles = wraps;
        assert_null(told_object(&call, object_type(image), handle));
        assert_null(told_object_name(&call, object_type(image), handle));
        finding(&call, VUID_vkCmdDraw_None_08606, NULL, OBJECT(object_type(image), handle),
                "is of %s", NAMED(&call, object_type(image), handle));
        assert_string_equal(ear.heard, "1000/2 VUID-vkCmdDraw-None-08606 875604302");
        assert_non_null(strstr(ear.message, "is of a destroyed object 0x"));
        reporter_forget(instance.reporter, image);
        object_release(image);
    }
    end_reporter();
}

/* A call that is not reported is not stopped either. */
static void rule_that_the_command_does_not_have(void **state)
{
    begin_reporter("", NULL);
    const VkDebugUtilsMessengerCreateInfoEXT info =
        info_of_messenger(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
    reporter_add_messenger(instance.reporter, 1, &info);
    struct call call = {.command = COMMAND_CmdDispatchIndirect2KHR, .instance = &instance};
    struct subject s = {.call = &call};
    BROKEN(&s, STOPS(RULE_10743), "commandBuffer", "has nothing bound");
    assert_int_equal(ear.count, 0);
    assert_false(s.skip);
    assert_false(call.dead_handle);
    assert_true(s.wrong);
    call.command = COMMAND_CmdDispatch;
    BROKEN(&s, STOPS(RULE_10743), "commandBuffer", "has nothing bound");
    assert_int_equal(ear.count, 1);
    assert_true(s.skip);
    assert_true(call.dead_handle);
    end_reporter();
}

/* Where the setting asks for it; of the call that the finding is about, not of another one in the
 * same thread. */
static void parameters_of_the_call(void **state)
{
    begin_reporter("", NULL);
    const VkDebugUtilsMessengerCreateInfoEXT info =
        info_of_messenger(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
    reporter_add_messenger(instance.reporter, 1, &info);
    const VkBufferCreateInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 0, .usage = 1};
    const uint64_t values[] = {0x1000, (uintptr_t)&buffer, 0, 0x7000};
    const struct call call = {.command = COMMAND_CreateBuffer, .instance = &instance};
    const struct call other = call;
    parameters_note(&call, values, 4);
    finding(&call, VUID_VkBufferCreateInfo_size_00912, NULL, NULL, "is 0");
    assert_null(strstr(ear.message, "params"));
    instance.settings.message_print_parameters = true;
    finding(&call, VUID_VkBufferCreateInfo_size_00912, NULL, NULL, "is 0");
    assert_non_null(strstr(ear.message,
                           "\n    params  device = 0x1000\n"
                           "            pCreateInfo = VkBufferCreateInfo\n"
                           "              flags = 0\n"
                           "              size = 0\n"
                           "              usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT\n"));
    assert_non_null(strstr(ear.message,
                           "\n            pAllocator = NULL\n            pBuffer = 0x7000\n"));
    finding(&other, VUID_VkBufferCreateInfo_size_00912, NULL, NULL, "is 0");
    assert_null(strstr(ear.message, "params"));
    end_reporter();
}

static void old_callback_hears_too(void **state)
{
    begin_reporter("", NULL);
    const VkDebugReportCallbackCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT,
        .flags = VK_DEBUG_REPORT_ERROR_BIT_EXT | VK_DEBUG_REPORT_PERFORMANCE_WARNING_BIT_EXT,
        .pfnCallback = hear_old,
        .pUserData = &ear};
    reporter_add_report_callback(instance.reporter, 7, &info);
    const struct call call = {.command = COMMAND_CreateBuffer, .instance = &instance};
    finding(&call, VUID_VkBufferCreateInfo_size_00912, NULL, OBJECT(HANDLE_BUFFER, 0xabc),
            "is wrong");
    assert_string_equal(ear.heard, "8 9:abc 2085897310 Validation");
    report_size(SEVERITY_WARNING);
    assert_int_equal(ear.count, 1);
    report_size(SEVERITY_PERFORMANCE);
    assert_string_equal(ear.heard, "4 0:0 2085897310 Validation");
    reporter_remove_messenger(instance.reporter, 7); /* another kind of handle */
    report_size(SEVERITY_ERROR);
    assert_int_equal(ear.count, 3);
    reporter_remove_report_callback(instance.reporter, 7);
    report_size(SEVERITY_ERROR);
    assert_int_equal(ear.count, 3);
    end_reporter();
}

static void creation_messenger_hears_creation_and_destruction_only(void **state)
{
    const VkDebugUtilsMessengerCreateInfoEXT info =
        info_of_messenger(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
    begin_reporter("", &info);
    report_size(SEVERITY_ERROR);
    assert_int_equal(ear.count, 1);
    reporter_creation_ends(instance.reporter);
    report_size(SEVERITY_ERROR);
    assert_int_equal(ear.count, 1);
    reporter_destruction_begins(instance.reporter);
    report_size(SEVERITY_ERROR);
    assert_int_equal(ear.count, 2);
    end_reporter();
}

static void log_is_silent_beside_a_messenger_unless_asked_for(void **state)
{
    const VkDebugUtilsMessengerCreateInfoEXT info =
        info_of_messenger(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
    begin_reporter("", NULL);
    report_size(SEVERITY_ERROR);
    size_t one = log_length();
    assert_true(one > 0);
    reporter_add_messenger(instance.reporter, 1, &info);
    report_size(SEVERITY_ERROR);
    assert_int_equal(log_length(), one);
    end_reporter();
    begin_reporter("assay.debug_action = LOG_MSG", NULL);
    reporter_add_messenger(instance.reporter, 1, &info);
    report_size(SEVERITY_ERROR);
    assert_int_equal(log_length(), one);
    assert_int_equal(ear.count, 1);
    report_size(SEVERITY_INFO); /* report_flags do not have it */
    assert_int_equal(log_length(), one);
    end_reporter();
}

static void an_id_is_told_so_often_and_no_more(void **state)
{
    begin_reporter("assay.duplicate_message_limit = 3", NULL);
    const VkDebugUtilsMessengerCreateInfoEXT info =
        info_of_messenger(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
    reporter_add_messenger(instance.reporter, 1, &info);
    report_size(SEVERITY_ERROR);
    report_size(SEVERITY_ERROR);
    assert_null(strstr(ear.message, "not reported again"));
    report_size(SEVERITY_ERROR);
    assert_non_null(strstr(ear.message, "    note    reported 3 times, which is the setting "
                                        "duplicate_message_limit: not reported again"));
    report_size(SEVERITY_ERROR);
    assert_int_equal(ear.count, 3);
    end_reporter();
    begin_reporter("assay.enable_message_limit = false", NULL);
    reporter_add_messenger(instance.reporter, 1, &info);
    for (int i = 0; i < 100; i++)
        report_size(SEVERITY_ERROR);
    assert_int_equal(ear.count, 100);
    end_reporter();
}

/* The n-th place: its caller, and a section that names both sides, as a hazard's does. */
static void report_from(uintptr_t caller, const char *section)
{
    const struct call call = {
        .command = COMMAND_CreateBuffer, .instance = &instance, .caller = (const void *)caller};
    const struct finding_details details = {.section_count = 1, .sections = {{"between", section}}};
    finding_with_details(&call, SEVERITY_ERROR, VUID_VkBufferCreateInfo_size_00912, NULL, &details,
                         "is 0");
}

static void an_id_is_told_so_often_from_each_place(void **state)
{
    const VkDebugUtilsMessengerCreateInfoEXT info =
        info_of_messenger(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
    begin_reporter("assay.duplicate_message_limit = 2", NULL);
    reporter_add_messenger(instance.reporter, 1, &info);
    for (int i = 0; i < 5; i++) {
        report_from(0x1000, "vkCmdDraw");
        report_from(0x2000, "vkCmdDraw");
        report_from(0x2000, "vkCmdDispatch");
    }
    assert_int_equal(ear.count, 6);
    /* numbers and handles make no other place: a frame's would never end */
    report_from(0x2000, "vkCmdDispatch");
    const unsigned before = (unsigned)ear.count;
    report_from(0x3000, "frame 17 of 0x1f00ab");
    report_from(0x3000, "frame 18 of 0xffee");
    report_from(0x3000, "frame 19 of 0x0");
    assert_int_equal(ear.count, before + 2);
    end_reporter();
    /* places that do not end: 32 of them */
    begin_reporter("assay.duplicate_message_limit = 1", NULL);
    reporter_add_messenger(instance.reporter, 1, &info);
    for (uintptr_t i = 1; i < 1000; i++)
        report_from(i, "vkCmdDraw");
    assert_int_equal(ear.count, 32);
    end_reporter();
}

/* The whole log, and then the end. */
static const char *log_at_the_end(void)
{
    static char text[8192];
    reporter_destroy(instance.reporter);
    FILE *file = fopen(log_path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    settings_free(&settings);
    assert_int_equal(truncate(log_path, 0), 0);
    return text;
}

#define SIZE_ID "VUID-VkBufferCreateInfo-size-00912"
#define SIZE_SPEC                               \
    "    spec    size must be greater than 0\n" \
    "            https://docs.vulkan.org/spec/latest/chapters/resources.html#" SIZE_ID "\n"
#define SIZE_SAID "Assay error " SIZE_ID "\n  vkCreateBuffer(): pCreateInfo->size is 0\n"
#define SIZE_REPEATED(times_) \
    "Assay repeated " SIZE_ID ", " times_ ": vkCreateBuffer() pCreateInfo->size\n"

static void the_log_says_it_once(void **state)
{
    begin_reporter("", NULL);
    reporter_creation_ends(instance.reporter);
    for (int i = 0; i < 200; i++)
        report_size(SEVERITY_ERROR);
    assert_string_equal(log_at_the_end(), SIZE_SAID SIZE_SPEC
                        "\n" SIZE_REPEATED("10 times so far, and from now on it is only counted "
                                           "(duplicate_message_limit)") "\n" SIZE_REPEATED("200 "
                                                                                           "times "
                                                                                           "in "
                                                                                           "all"));
    /* Fewer times than the limit. */
    begin_reporter("", NULL);
    reporter_creation_ends(instance.reporter);
    for (int i = 0; i < 7; i++)
        report_size(SEVERITY_ERROR);
    assert_string_equal(log_at_the_end(), SIZE_SAID SIZE_SPEC "\n" SIZE_REPEATED("7 times in all"));
    /* It was reported as often as the last line says. */
    begin_reporter("assay.duplicate_message_limit = 20", NULL);
    reporter_creation_ends(instance.reporter);
    for (int i = 0; i < 10; i++)
        report_size(SEVERITY_ERROR);
    assert_string_equal(log_at_the_end(),
                        SIZE_SAID SIZE_SPEC "\n" SIZE_REPEATED("10 times so far") "\n");
    /* Without a limit, as often as it comes. */
    begin_reporter("assay.enable_message_limit = false", NULL);
    reporter_creation_ends(instance.reporter);
    for (int i = 0; i < 3; i++)
        report_size(SEVERITY_ERROR);
    assert_string_equal(log_at_the_end(),
                        SIZE_SAID SIZE_SPEC "\n" SIZE_SAID SIZE_SPEC "\n" SIZE_SAID SIZE_SPEC "\n");
}

static void report_mistake(uint64_t mistake, const char *text)
{
    const struct call call = {.command = COMMAND_CreateBuffer, .instance = &instance};
    const struct finding_details details = {.mistake = mistake};
    (void)finding_with_details(&call, SEVERITY_ERROR, VUID_VkBufferCreateInfo_size_00912, NULL,
                               &details, text);
}

/* The numbers are handles and indices mostly; in a shader they are the place. */
static void the_log_tells_mistakes_apart(void **state)
{
    begin_reporter("", NULL);
    reporter_creation_ends(instance.reporter);
    report_mistake(1, "line 9 is wrong");
    report_mistake(1, "line 9 is wrong");
    report_mistake(2, "line 12 is wrong");
    const char *log = log_at_the_end();
    assert_non_null(strstr(log, "line 9 is wrong"));
    assert_null(strstr(strstr(log, "line 9 is wrong") + 1, "line 9 is wrong"));
    assert_non_null(strstr(log, "line 12 is wrong"));
}

static void filters_take_names_and_numbers(void **state)
{
    static const char *const filters[] = {"VUID-VkBufferCreateInfo-size-00912", "0x7c54445e",
                                          "0X7C54445E", "2085897310", "VUID-other,2085897310,7"};
    const VkDebugUtilsMessengerCreateInfoEXT info =
        info_of_messenger(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
    for (size_t i = 0; i < ARRAY_LENGTH(filters); i++) {
        char text[128];
        (void)snprintf(text, sizeof(text),
                       "assay.message_id_filter = %s\nassay.debug_action = FAIL", filters[i]);
        begin_reporter(text, NULL);
        reporter_add_messenger(instance.reporter, 1, &info);
        /* a muted finding does not fail the call either */
        assert_false(report_size(SEVERITY_ERROR));
        assert_int_equal(ear.count, 0);
        const struct call call = {.command = COMMAND_CmdDraw, .instance = &instance};
        assert_true(finding(&call, VUID_vkCmdDraw_renderpass, NULL, NULL, "is outside"));
        assert_int_equal(ear.count, 1);
        end_reporter();
    }
    /* As messengers print it: the number is signed there. 0xf58328d8 is -175953704. */
    begin_reporter("assay.message_id_filter = -175953704", NULL);
    reporter_add_messenger(instance.reporter, 1, &info);
    const struct call call = {.command = COMMAND_CmdDraw, .instance = &instance};
    finding(&call, VUID_vkCmdDraw_renderpass, NULL, NULL, "is outside");
    assert_int_equal(ear.count, 0);
    end_reporter();
}

static void call_fails_where_the_setting_or_the_callback_says_so(void **state)
{
    begin_reporter("assay.debug_action = FAIL", NULL);
    assert_true(report_size(SEVERITY_ERROR));
    assert_false(report_size(SEVERITY_WARNING));
    for (int i = 0; i < 20; i++)
        assert_true(report_size(SEVERITY_ERROR)); /* also when it is not reported any more */
    end_reporter();
    begin_reporter("", NULL);
    const VkDebugUtilsMessengerCreateInfoEXT info =
        info_of_messenger(VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT);
    reporter_add_messenger(instance.reporter, 1, &info);
    ear.answer = VK_TRUE;
    assert_true(report_size(SEVERITY_WARNING));
    assert_false(report_size(SEVERITY_ERROR));
    end_reporter();
}

static volatile sig_atomic_t traps;

static void on_trap(int signal_number)
{
    traps++;
}

static void debugger_is_stopped(void **state)
{
    begin_reporter("assay.debug_action = BREAK", NULL);
    signal(SIGTRAP, on_trap);
    report_size(SEVERITY_ERROR);
    signal(SIGTRAP, SIG_DFL);
    assert_int_equal(traps, 1);
    assert_int_equal(log_length(), 0);
    end_reporter();
}

static void json_lines_are_appended(void **state)
{
    char path[] = "/tmp/assay-json-XXXXXX", text[128], line[4096];
    close(mkstemp(path));
    (void)snprintf(text, sizeof(text), "assay.json_filename = %s", path);
    for (int i = 0; i < 2; i++) {
        begin_reporter(text, NULL);
        report_size(SEVERITY_ERROR);
        end_reporter();
    }
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int i = 0; i < 2; i++) {
        assert_non_null(fgets(line, sizeof(line), file));
        assert_ptr_equal(strstr(line, "{\"vuid\":\"VUID-VkBufferCreateInfo-size-00912\",\"number\":"
                                      "2085897310,"),
                         line);
        assert_non_null(strstr(line, "\"message\":\"vkCreateBuffer(): pCreateInfo->size is 0\""));
        assert_non_null(strstr(line, "\"application\":\"unit test\""));
        assert_string_equal(line + strlen(line) - 2, "}\n");
    }
    assert_null(fgets(line, sizeof(line), file));
    fclose(file);
    unlink(path);
}

static void file_that_cannot_be_opened_is_explained(void **state)
{
    const VkDebugUtilsMessengerCreateInfoEXT info =
        info_of_messenger(VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT);
    begin_reporter("assay.json_filename = /nonexistent/findings.jsonl", &info);
    assert_int_equal(ear.count, 1);
    assert_string_equal(ear.message, "Assay warning VALIDATION-SETTINGS\n"
                                     "  json_filename is \"/nonexistent/findings.jsonl\", which "
                                     "cannot be opened: No such file or directory; nothing is "
                                     "written there");
    end_reporter();
}

static void diagnostics_of_settings_are_told(void **state)
{
    const VkDebugUtilsMessengerCreateInfoEXT info =
        info_of_messenger(VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT);
    struct settings_diagnostics diagnostics = {0};
    struct settings other;
    settings_defaults(&other);
    settings_read_text(&other, "assay.nonsense = 1", 18, "my.txt", &diagnostics);
    begin_reporter("", &info);
    reporter_emit_diagnostics(instance.reporter, &diagnostics);
    assert_string_equal(ear.heard, "100/2 VALIDATION-SETTINGS 2132353751");
    assert_string_equal(ear.message, "Assay warning VALIDATION-SETTINGS\n  my.txt:1: unknown "
                                     "setting assay.nonsense");
    end_reporter();
    settings_diagnostics_free(&diagnostics);
    settings_free(&other);
}

static void remove_itself(void)
{
    ear.inside = NULL;
    report_size(SEVERITY_ERROR); /* a finding inside a callback */
    reporter_remove_messenger(instance.reporter, 1);
}

static void callback_may_do_anything(void **state)
{
    begin_reporter("", NULL);
    const VkDebugUtilsMessengerCreateInfoEXT info =
        info_of_messenger(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
    reporter_add_messenger(instance.reporter, 1, &info);
    ear.inside = remove_itself;
    report_size(SEVERITY_ERROR);
    assert_int_equal(ear.count, 2);
    report_size(SEVERITY_ERROR);
    assert_int_equal(ear.count, 2);
    end_reporter();
}

static void without_reporter_nothing_crashes(void **state)
{
    const struct call call = {.command = COMMAND_CreateInstance};
    fflush(stderr);
    assert_false(finding(&call, VUID_VkInstanceCreateInfo_sType_sType, NULL,
                         OBJECT(HANDLE_BUFFER, 1), "is told on standard error"));
    reporter_set_name(NULL, NULL, "x");
    reporter_end_label(NULL, NULL);
    reporter_destroy(NULL);
}

static void *label_in_a_thread(void *argument)
{
    struct object *object = argument;
    for (int i = 0; i < 2000; i++) {
        reporter_begin_label(instance.reporter, object, "a label", NULL);
        reporter_set_name(instance.reporter, object, i & 1 ? "odd" : "even");
        report_size(SEVERITY_ERROR);
        mem_free(reporter_copy_name(instance.reporter, object));
        reporter_end_label(instance.reporter, object);
        reporter_forget(instance.reporter, object);
    }
    return NULL;
}

static void threads_do_not_disturb_each_other(void **state)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    begin_reporter("", NULL);
    for (int i = 0; i < THREADS; i++) {
        struct object *object = object_create(&(struct object_create_info){
            .type = HANDLE_COMMAND_BUFFER, .driver = 0x9000u + i});
        assert_int_equal(pthread_create(&threads[i], NULL, label_in_a_thread, object), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    /* However the threads met, the id was reported ten times, and was said in full once. */
    char line[512];
    unsigned told = 0, counts = 0;
    FILE *file = fopen(log_path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file)) {
        told += !strcmp(line, "Assay error VUID-VkBufferCreateInfo-size-00912\n");
        counts += !strncmp(line, "Assay repeated VUID-VkBufferCreateInfo-size-00912, 10 times", 59);
    }
    fclose(file);
    assert_int_equal(told, 1);
    assert_int_equal(counts, 1);
    end_reporter();
}

int main(void)
{
    close(mkstemp(log_path));
    const struct CMUnitTest reporter[] = {
        cmocka_unit_test(messenger_gets_all_of_it),
        cmocka_unit_test(objects_names_and_labels),
        cmocka_unit_test(names_of_retired_objects),
        cmocka_unit_test(object_that_another_thread_destroys),
        cmocka_unit_test(rule_that_the_command_does_not_have),
        cmocka_unit_test(parameters_of_the_call),
        cmocka_unit_test(old_callback_hears_too),
        cmocka_unit_test(creation_messenger_hears_creation_and_destruction_only),
        cmocka_unit_test(log_is_silent_beside_a_messenger_unless_asked_for),
        cmocka_unit_test(an_id_is_told_so_often_and_no_more),
        cmocka_unit_test(an_id_is_told_so_often_from_each_place),
        cmocka_unit_test(the_log_says_it_once),
        cmocka_unit_test(the_log_tells_mistakes_apart),
        cmocka_unit_test(filters_take_names_and_numbers),
        cmocka_unit_test(call_fails_where_the_setting_or_the_callback_says_so),
        cmocka_unit_test(debugger_is_stopped),
        cmocka_unit_test(json_lines_are_appended),
        cmocka_unit_test(file_that_cannot_be_opened_is_explained),
        cmocka_unit_test(diagnostics_of_settings_are_told),
        cmocka_unit_test(callback_may_do_anything),
        cmocka_unit_test(without_reporter_nothing_crashes),
        cmocka_unit_test(threads_do_not_disturb_each_other),
    };
    int failed = cmocka_run_group_tests(reporter, NULL, NULL);
    unlink(log_path);
    return failed;
}
