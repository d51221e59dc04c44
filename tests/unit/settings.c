/* Checks that each source of settings is read as its users expect, and that what they write wrong
 * is explained to them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "settings/settings.h"

struct fixture {
    struct settings settings;
    struct settings_diagnostics diagnostics;
};

static int setup_settings(void **state)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    settings_defaults(&fixture->settings);
    *state = fixture;
    return 0;
}

static int teardown_settings(void **state)
{
    struct fixture *fixture = *state;
    settings_free(&fixture->settings);
    settings_diagnostics_free(&fixture->diagnostics);
    free(fixture);
    return 0;
}

static void read_text(struct fixture *fixture, const char *text)
{
    settings_read_text(&fixture->settings, text, strlen(text), "vk_layer_settings.txt",
                       &fixture->diagnostics);
}

static void read_info(struct fixture *fixture, const void *chain)
{
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = chain};
    settings_read_create_info(&fixture->settings, &info, &fixture->diagnostics);
}

/* All diagnostics, a line each, are exactly these. */
static void assert_diagnostics(const struct fixture *fixture, const char *expected)
{
    char text[8192] = "";
    for (uint32_t i = 0; i < fixture->diagnostics.count; i++) {
        strncat(text, fixture->diagnostics.texts[i], sizeof(text) - strlen(text) - 1);
        strncat(text, "\n", sizeof(text) - strlen(text) - 1);
    }
    assert_string_equal(text, expected);
}

static void defaults_are_those_that_users_know(void **state)
{
    const struct settings *settings = &((struct fixture *)*state)->settings;
    assert_true(settings->validate_core && settings->check_command_buffer &&
                settings->unique_handles);
    assert_true(settings->object_lifetime && settings->stateless_param && settings->thread_safety);
    assert_int_equal(settings->debug_action, DEBUG_ACTION_LOG_MSG);
    assert_string_equal(settings->log_filename, "stdout");
    assert_int_equal(settings->report_flags, REPORT_FLAGS_ERROR | REPORT_FLAGS_WARN);
    assert_true(settings->enable_message_limit);
    assert_int_equal(settings->duplicate_message_limit, 10);
    assert_int_equal(settings->message_id_filter.count, 0);
    for (int i = 0; i < SETTING_COUNT; i++)
        assert_false(settings->given[i]);
}

static void file_sets_every_type(void **state)
{
    struct fixture *fixture = *state;
    read_text(fixture, "# a comment\n"
                       "khronos_validation.thread_safety = FALSE\r\n"
                       "  assay.duplicate_message_limit=0x20   # another\n"
                       "khronos_validation.debug_action = "
                       "VK_DBG_LAYER_ACTION_LOG_MSG,VK_DBG_LAYER_ACTION_BREAK\n"
                       "khronos_validation.report_flags = error,warn,perf,info\n"
                       "khronos_validation.log_filename = \"/tmp/a b#c.txt\"\n"
                       "assay.message_id_filter = VUID-a , 0x7c54445e,,VUID-c\n"
                       "assay.log_color = never\n"
                       "lunarg_api_dump.file = TRUE\n"
                       "no equals sign\n");
    const struct settings *settings = &fixture->settings;
    assert_false(settings->thread_safety);
    assert_int_equal(settings->duplicate_message_limit, 32);
    assert_int_equal(settings->debug_action, DEBUG_ACTION_LOG_MSG | DEBUG_ACTION_BREAK);
    assert_int_equal(settings->report_flags, REPORT_FLAGS_ERROR | REPORT_FLAGS_WARN |
                                                 REPORT_FLAGS_PERF | REPORT_FLAGS_INFO);
    assert_string_equal(settings->log_filename, "/tmp/a b#c.txt");
    assert_int_equal(settings->message_id_filter.count, 3);
    assert_string_equal(settings->message_id_filter.items[0], "VUID-a");
    assert_string_equal(settings->message_id_filter.items[1], "0x7c54445e");
    assert_string_equal(settings->message_id_filter.items[2], "VUID-c");
    assert_int_equal(settings->log_color, LOG_COLOR_NEVER);
    assert_true(settings->given[SETTING_THREAD_SAFETY]);
    assert_false(settings->given[SETTING_VALIDATE_CORE]);
    assert_diagnostics(fixture, "");
}

static void own_spelling_wins_wherever_it_stands(void **state)
{
    struct fixture *fixture = *state;
    read_text(fixture, "assay.validate_core = false\nkhronos_validation.validate_core = true\n");
    assert_false(fixture->settings.validate_core);
}

static void mistakes_are_explained_with_their_line(void **state)
{
    struct fixture *fixture = *state;
    read_text(fixture, "assay.validate_cor = true\n"
                       "\n"
                       "assay.validate_core = perhaps\n"
                       "assay.duplicate_message_limit = ten\n"
                       "assay.duplicate_message_limit = 0\n"
                       "assay.duplicate_message_limit = 99999999999\n"
                       "assay.report_flags = error,wran\n"
                       "assay.log_color = blue\n"
                       "assay.xyzzy = 1\n");
    assert_diagnostics(fixture,
                       "vk_layer_settings.txt:1: unknown setting assay.validate_cor; the nearest "
                       "known one is assay.validate_core\n"
                       "vk_layer_settings.txt:3: assay.validate_core is \"perhaps\", which is "
                       "neither true nor false; it stays true\n"
                       "vk_layer_settings.txt:4: assay.duplicate_message_limit is \"ten\", which "
                       "is not a number; it stays 10\n"
                       "vk_layer_settings.txt:5: assay.duplicate_message_limit was given in line 4 "
                       "before; this line counts\n"
                       "vk_layer_settings.txt:5: assay.duplicate_message_limit is 0, which is not "
                       "between 1 and 4294967295; it stays 10\n"
                       "vk_layer_settings.txt:6: assay.duplicate_message_limit was given in line 5 "
                       "before; this line counts\n"
                       "vk_layer_settings.txt:6: assay.duplicate_message_limit is 99999999999, "
                       "which is not between 1 and 4294967295; it stays 10\n"
                       "vk_layer_settings.txt:7: assay.report_flags has no value \"wran\", the "
                       "nearest is warn; it takes any of error, warn, perf, info, debug\n"
                       "vk_layer_settings.txt:8: assay.log_color has no value \"blue\"; it takes "
                       "one of auto, always, never; it stays auto\n"
                       "vk_layer_settings.txt:9: unknown setting assay.xyzzy\n");
    assert_int_equal(fixture->settings.report_flags, REPORT_FLAGS_ERROR);
}

static void what_is_not_implemented_is_said_only_where_it_is_asked_for(void **state)
{
    struct fixture *fixture = *state;
    read_text(fixture, "khronos_validation.gpu_dump_to_stdout = false\n"
                       "khronos_validation.fine_grained_locking = true\n"
                       "khronos_validation.gpuav_debug_test_lower_limits = true\n");
    assert_diagnostics(fixture, "vk_layer_settings.txt:3: "
                                "khronos_validation.gpuav_debug_test_lower_limits is known, and "
                                "does nothing here: it is there for the Khronos layer's own "
                                "tests\n");
}

/* A user that silences everything by a slip of the pen would never learn of it. */
static void report_flags_are_never_empty(void **state)
{
    struct fixture *fixture = *state;
    read_text(fixture, "assay.report_flags =\n");
    read_text(fixture,
              "khronos_validation.report_flags = warnings\nkhronos_validation.debug_action =\n");
    assert_int_equal(fixture->settings.report_flags, REPORT_FLAGS_ERROR | REPORT_FLAGS_WARN);
    assert_false(fixture->settings.given[SETTING_REPORT_FLAGS]);
    assert_true(fixture->settings.given[SETTING_DEBUG_ACTION]);
    assert_int_equal(fixture->settings.debug_action, 0);
    assert_diagnostics(fixture, "vk_layer_settings.txt:1: assay.report_flags is empty, which would "
                                "silence everything; it stays error, warn\n"
                                "vk_layer_settings.txt:1: khronos_validation.report_flags has no "
                                "value \"warnings\", the nearest is warn; it takes any of error, "
                                "warn, perf, info, debug; it stays error, warn\n");
}

static void values_have_their_nearest(void **state)
{
    struct fixture *fixture = *state;
    read_text(fixture, "khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOGMSG\n"
                       "assay.log_color = alway\n"
                       "assay.shader_abort = emulated\n");
    assert_int_equal(fixture->settings.debug_action, DEBUG_ACTION_LOG_MSG);
    assert_diagnostics(fixture,
                       "vk_layer_settings.txt:1: khronos_validation.debug_action has no value "
                       "\"VK_DBG_LAYER_ACTION_LOGMSG\", the nearest is LOG_MSG; it takes any of "
                       "LOG_MSG, CALLBACK, DEBUG_OUTPUT, BREAK, FAIL; it stays LOG_MSG\n"
                       "vk_layer_settings.txt:2: assay.log_color has no value \"alway\", the "
                       "nearest is always; it takes one of auto, always, never; it stays auto\n"
                       "vk_layer_settings.txt:3: assay.shader_abort has no value \"emulated\", the "
                       "nearest is emulate; it takes one of auto, emulate, off; it stays auto\n");
}

static void lines_that_no_layer_reads_are_told(void **state)
{
    struct fixture *fixture = *state;
    read_text(fixture, "\xef\xbb\xbf"
                       "assay.validate_sync = true\n"
                       "validate_sync = true\n"
                       "kronos_validation.validate_sync = true\n"
                       "VK_LAYER_KHRONOS_validation.validate_sync = true\n"
                       "assay.validate_sync true   # no equals sign\n"
                       "lunarg_api_dump.log_filename = a\n"
                       "log_file = b\n");
    assert_true(fixture->settings.validate_sync);
    read_text(fixture, "\xff\xfe"
                       "a");
    assert_diagnostics(fixture, "vk_layer_settings.txt:2: validate_sync has no prefix and does "
                                "nothing: write assay.validate_sync\n"
                                "vk_layer_settings.txt:3: no layer reads \"kronos_validation.\": "
                                "write assay.validate_sync\n"
                                "vk_layer_settings.txt:4: no layer reads "
                                "\"VK_LAYER_KHRONOS_validation.\": write assay.validate_sync\n"
                                "vk_layer_settings.txt:5: \"assay.validate_sync true\" is not "
                                "\"key = value\": the line does nothing\n"
                                "vk_layer_settings.txt is UTF-16, and nothing of it is read: save "
                                "it as UTF-8\n");
}

static void mistakes_are_told_from_the_first_line_on(void **state)
{
    struct fixture *fixture = *state;
    read_text(fixture, "assay.aaaaaaaaaaaaaaaa = 1\n"
                       "khronos_validation.bbbbbbbbbbbbbbbb = 1\n"
                       "validate_sync = true\n"
                       "lunarg_core_validation.cccc = 1\n"
                       "assay_validation.dddddddddddddddd = 1\n");
    assert_int_equal(fixture->diagnostics.count, 5);
    for (uint32_t i = 0; i < fixture->diagnostics.count; i++) {
        char place[40];
        snprintf(place, sizeof(place), "vk_layer_settings.txt:%u: ", i + 1);
        assert_ptr_equal(strstr(fixture->diagnostics.texts[i], place),
                         fixture->diagnostics.texts[i]);
    }
}

static void new_spelling_of_submitted_work_wins(void **state)
{
    struct fixture *fixture = *state;
    read_text(fixture, "khronos_validation.syncval_submit_time_validation = false\n");
    settings_conclude(&fixture->settings);
    assert_false(fixture->settings.syncval_full_validation);
    read_text(fixture, "khronos_validation.syncval_full_validation = true\n");
    settings_conclude(&fixture->settings);
    assert_true(fixture->settings.syncval_full_validation);
    assert_diagnostics(fixture, "");
}

/* Configurators of two versions have left both: nothing of what was asked for goes. */
static void old_spelling_of_submitted_work_is_enough(void **state)
{
    struct fixture *fixture = *state;
    read_text(fixture, "khronos_validation.syncval_submit_time_validation = true\n"
                       "khronos_validation.syncval_full_validation = false\n");
    settings_conclude(&fixture->settings);
    assert_true(fixture->settings.syncval_full_validation);
    assert_diagnostics(fixture, "");
}

static void environment_knows_three_spellings(void **state)
{
    struct fixture *fixture = *state;
    char *const environment[] = {"VK_ASSAY_VALIDATE_CORE=0",
                                 "VK_VALIDATION_VALIDATE_CORE=1",
                                 "VK_LAYER_THREAD_SAFETY=off",
                                 "VK_LAYER_PATH=/somewhere",
                                 "VK_VALIDATION_THREAD_SAFTY=1",
                                 "VALIDATE_CORE=1",
                                 "NONSENSE",
                                 NULL};
    settings_read_environment(&fixture->settings, environment, &fixture->diagnostics);
    assert_false(fixture->settings.validate_core);
    assert_false(fixture->settings.thread_safety);
    assert_diagnostics(fixture, "environment: unknown setting VK_VALIDATION_THREAD_SAFTY; the "
                                "nearest known one is VK_VALIDATION_THREAD_SAFETY\n");
}

static void layer_settings_of_every_type_are_read(void **state)
{
    struct fixture *fixture = *state;
    const VkBool32 no = VK_FALSE;
    const uint32_t limit32 = 7;
    const int64_t limit64 = -1;
    const double limit_double = 2.5;
    const char *const actions[] = {"VK_DBG_LAYER_ACTION_LOG_MSG", "VK_DBG_LAYER_ACTION_BREAK"};
    const char *const filter[] = {"VUID-a", "VUID-b"};
    const char *layer = SETTINGS_KHRONOS_LAYER_NAME;
    const VkLayerSettingEXT list[] = {
        {layer, "thread_safety", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &no},
        {layer, "duplicate_message_limit", VK_LAYER_SETTING_TYPE_UINT32_EXT, 1, &limit32},
        {layer, "duplicate_message_limit", VK_LAYER_SETTING_TYPE_INT64_EXT, 1, &limit64},
        {layer, "duplicate_message_limit", VK_LAYER_SETTING_TYPE_FLOAT64_EXT, 1, &limit_double},
        {SETTINGS_LAYER_NAME, "debug_action", VK_LAYER_SETTING_TYPE_STRING_EXT, 2, actions},
        {layer, "message_id_filter", VK_LAYER_SETTING_TYPE_STRING_EXT, 2, filter},
        {"VK_LAYER_other", "validate_core", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &no},
        {layer, "validate_cores", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &no},
        {layer, "validate_core", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, NULL},
        {NULL, NULL, VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &no},
    };
    read_info(fixture, &(VkLayerSettingsCreateInfoEXT){
                           .sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
                           .settingCount = sizeof(list) / sizeof(list[0]),
                           .pSettings = list});
    assert_false(fixture->settings.thread_safety);
    assert_true(fixture->settings.validate_core);
    assert_int_equal(fixture->settings.duplicate_message_limit, 7);
    assert_int_equal(fixture->settings.debug_action, DEBUG_ACTION_LOG_MSG | DEBUG_ACTION_BREAK);
    assert_int_equal(fixture->settings.message_id_filter.count, 2);
    assert_diagnostics(fixture, "VkLayerSettingsCreateInfoEXT: duplicate_message_limit is -1, "
                                "which is not between 1 and 4294967295; it stays 7\n"
                                "VkLayerSettingsCreateInfoEXT: duplicate_message_limit is \"2.5\", "
                                "which is not a number; it stays 7\n"
                                "VkLayerSettingsCreateInfoEXT: unknown setting validate_cores; the "
                                "nearest known one is validate_core\n");
}

static void old_extensions_switch_off_what_nothing_else_sets(void **state)
{
    struct fixture *fixture = *state;
    const VkValidationFeatureDisableEXT disables[] = {VK_VALIDATION_FEATURE_DISABLE_ALL_EXT};
    const VkValidationFeatureEnableEXT enables[] = {
        VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT,
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,
        VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT,
        VK_VALIDATION_FEATURE_ENABLE_DEBUG_PRINTF_EXT};
    read_info(fixture,
              &(VkValidationFeaturesEXT){.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                         .disabledValidationFeatureCount = 1,
                                         .pDisabledValidationFeatures = disables,
                                         .enabledValidationFeatureCount = 4,
                                         .pEnabledValidationFeatures = enables});
    read_text(fixture, "assay.stateless_param = true\n");
    settings_conclude(&fixture->settings);
    assert_false(fixture->settings.validate_core || fixture->settings.thread_safety ||
                 fixture->settings.object_lifetime);
    assert_true(fixture->settings.stateless_param);
    assert_true(fixture->settings.validate_sync && fixture->settings.validate_best_practices);
    assert_true(fixture->settings.gpuav_enable && fixture->settings.printf_enable);
    assert_diagnostics(fixture, "");
}

static void user_switches_off_what_the_program_switches_on(void **state)
{
    struct fixture *fixture = *state;
    const VkValidationFeatureEnableEXT enables[] = {
        VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT,
        VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT};
    read_info(fixture,
              &(VkValidationFeaturesEXT){.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                         .enabledValidationFeatureCount = 2,
                                         .pEnabledValidationFeatures = enables});
    assert_true(fixture->settings.gpuav_enable);
    assert_int_equal(fixture->settings.enables, ENABLES_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT);
    read_text(fixture, "khronos_validation.gpuav_enable = false\n");
    settings_conclude(&fixture->settings);
    assert_false(fixture->settings.gpuav_enable);
}

static void old_enables_switch_on_what_nothing_else_sets(void **state)
{
    struct fixture *fixture = *state;
    read_text(fixture, "khronos_validation.enables = "
                       "VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT,VK_VALIDATION_FEATURE_ENABLE_"
                       "DEBUG_PRINTF_EXT,ENABLE_SYNCHRONIZATION_VALIDATION\n"
                       "khronos_validation.printf_enable = false\n");
    settings_conclude(&fixture->settings);
    assert_true(fixture->settings.gpuav_enable && fixture->settings.validate_sync);
    assert_false(fixture->settings.printf_enable || fixture->settings.validate_best_practices);
    assert_diagnostics(fixture, "");
}

static void printf_only_is_printf_and_nothing_else(void **state)
{
    struct fixture *fixture = *state;
    read_text(fixture, "khronos_validation.printf_only_preset = true\n"
                       "khronos_validation.validate_sync = true\n"
                       "khronos_validation.printf_to_stdout = false\n"
                       "khronos_validation.gpuav_enable = true\n");
    settings_conclude(&fixture->settings);
    const struct settings *settings = &fixture->settings;
    assert_true(settings->printf_enable);
    assert_false(settings->printf_to_stdout || settings->gpuav_enable || settings->validate_sync);
    assert_false(settings->validate_core || settings->object_lifetime ||
                 settings->stateless_param || settings->thread_safety || settings->unique_handles);
}

static void gpu_settings_have_the_ranges_that_users_know(void **state)
{
    struct fixture *fixture = *state;
    read_text(fixture, "khronos_validation.printf_buffer_size = 127\n"
                       "khronos_validation.gpuav_max_indices_count = 65535\n"
                       "khronos_validation.gpuav_shaders_to_instrument = ^main$,shadow.*\n"
                       "khronos_validation.gpuav_debug_max_instrumentations_count = 3\n");
    assert_int_equal(fixture->settings.printf_buffer_size, 1024);
    assert_int_equal(fixture->settings.gpuav_max_indices_count, 8192);
    assert_int_equal(fixture->settings.gpuav_debug_max_instrumentations_count, 3);
    assert_int_equal(fixture->settings.gpuav_shaders_to_instrument.count, 2);
    assert_string_equal(fixture->settings.gpuav_shaders_to_instrument.items[1], "shadow.*");
    assert_diagnostics(fixture,
                       "vk_layer_settings.txt:1: khronos_validation.printf_buffer_size is 127, "
                       "which is not between 128 and 1048576; it stays 1024\n"
                       "vk_layer_settings.txt:2: khronos_validation.gpuav_max_indices_count is "
                       "65535, which is not between 0 and 65534; it stays 8192\n");
}

static void chain_that_is_a_circle_ends(void **state)
{
    struct fixture *fixture = *state;
    VkValidationFlagsEXT flags = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FLAGS_EXT,
                                  .disabledValidationCheckCount = 1,
                                  .pDisabledValidationChecks =
                                      (VkValidationCheckEXT[]){VK_VALIDATION_CHECK_ALL_EXT}};
    flags.pNext = &flags;
    read_info(fixture, &flags);
    settings_conclude(&fixture->settings);
    assert_false(fixture->settings.validate_core);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void sources_win_in_their_order(void **state)
{
    struct settings settings;
    struct settings_diagnostics diagnostics;
    const VkBool32 no = VK_FALSE;
    const VkLayerSettingEXT list[] = {
        {SETTINGS_LAYER_NAME, "validate_core", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &no},
        {SETTINGS_LAYER_NAME, "thread_safety", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &no},
        {SETTINGS_LAYER_NAME, "object_lifetime", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &no},
    };
    const VkLayerSettingsCreateInfoEXT layer_settings = {
        .sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
        .settingCount = 3,
        .pSettings = list};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = &layer_settings};
    char directory[] = "/tmp/assay-settings-XXXXXX", path[64];
    assert_non_null(mkdtemp(directory));
    (void)snprintf(path, sizeof(path), "%s/vk_layer_settings.txt", directory);
    write_file(path, "assay.thread_safety = true\nassay.object_lifetime = true\n");
    setenv("VK_LAYER_SETTINGS_PATH", directory, 1);
    setenv("VK_ASSAY_OBJECT_LIFETIME", "false", 1);
    settings_load(&settings, &info, &diagnostics);
    assert_false(settings.validate_core);   /* the app's; nothing else sets it */
    assert_true(settings.thread_safety);    /* the file's, over the app's */
    assert_false(settings.object_lifetime); /* the environment's, over the file's */
    assert_int_equal(diagnostics.count, 0);
    settings_free(&settings);

    setenv("VK_LAYER_SETTINGS_PATH", path, 1); /* the file itself */
    settings_load(&settings, NULL, &diagnostics);
    assert_true(settings.given[SETTING_THREAD_SAFETY]);
    settings_free(&settings);

    unlink(path);
    settings_load(&settings, NULL, &diagnostics);
    assert_int_equal(diagnostics.count, 1);
    assert_non_null(strstr(diagnostics.texts[0], "where no settings file can be read"));
    settings_free(&settings);
    settings_diagnostics_free(&diagnostics);
    unsetenv("VK_LAYER_SETTINGS_PATH");
    unsetenv("VK_ASSAY_OBJECT_LIFETIME");
    rmdir(directory);
}

/* A fuzzer would try these first; under ASan they find overruns. */
static void any_bytes_are_read_without_harm(void **state)
{
    struct fixture *fixture = *state;
    static const char *const seeds[] = {"assay.validate_core",
                                        "assay.=",
                                        "=",
                                        "assay.message_id_filter=,,,,",
                                        "khronos_validation.log_filename=\"",
                                        "assay.log_filename=\"\"",
                                        "#",
                                        "assay.report_flags=,"};
    unsigned random = 1;
    for (unsigned round = 0; round < 20000; round++) {
        char bytes[160];
        size_t length = 0;
        while (length < 64) {
            random = random * 1103515245 + 12345;
            const char *seed = seeds[random / 65536 % (sizeof(seeds) / sizeof(seeds[0]))];
            size_t part = (random / 8) % (strlen(seed) + 1);
            memcpy(bytes + length, seed, part);
            length += part;
            bytes[length++] = (char)(random / 1024);
        }
        char *exact = malloc(length); /* so that a byte past the end is seen */
        memcpy(exact, bytes, length);
        settings_read_text(&fixture->settings, exact, length, "fuzz", &fixture->diagnostics);
        free(exact);
    }
    assert_true(fixture->diagnostics.count > 0 && fixture->diagnostics.dropped > 0);
}

static void seed_000s_line(void **state)
{
    struct fixture *fixture = *state;
    read_text(fixture, "lunarg_core_validation.gpu_validation = all,reserve_binding_slot\n"
                       "lunarg_core_validation.report_flags = error\n");
    settings_conclude(&fixture->settings);
    assert_true(fixture->settings.gpuav_enable);
    assert_true(fixture->settings.enables & ENABLES_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT);
    assert_diagnostics(fixture, "vk_layer_settings.txt:2: lunarg_core_validation.report_flags is a "
                                "setting of an older layer; settings of this one begin with "
                                "khronos_validation. or assay.\n");
}

static void a_key_given_twice(void **state)
{
    struct fixture *fixture = *state;
    read_text(fixture, "khronos_validation.validate_sync = true\n"
                       "khronos_validation.validate_sync = false\n"
                       "assay.validate_core = false\n");
    assert_false(fixture->settings.validate_sync);
    assert_diagnostics(fixture, "vk_layer_settings.txt:2: khronos_validation.validate_sync was "
                                "given in line 1 before; this line counts\n");
}

static void what_the_khronos_layer_has_beside(void **state)
{
    struct fixture *fixture = *state;
    read_text(fixture, "khronos_validation.syncval_full_validation = true\n"
                       "khronos_validation.descriptor_hashing = true\n"
                       "khronos_validation.gpuav_debug_disable_dontinline = false\n");
    assert_diagnostics(fixture, "vk_layer_settings.txt:2: khronos_validation.descriptor_hashing is "
                                "known, and does nothing here: this version does not follow what "
                                "lies in descriptor buffers and heaps\n");
}

static void a_wrong_type_through_the_api(void **state)
{
    struct fixture *fixture = *state;
    const VkBool32 yes = VK_TRUE;
    const VkLayerSettingEXT setting = {SETTINGS_LAYER_NAME, "log_filename",
                                       VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &yes};
    const VkLayerSettingsCreateInfoEXT info = {.sType =
                                                   VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
                                               .settingCount = 1,
                                               .pSettings = &setting};
    read_info(fixture, &info);
    assert_string_equal(fixture->settings.log_filename, "stdout");
    assert_diagnostics(fixture, "VkLayerSettingsCreateInfoEXT: log_filename is given as "
                                "VK_LAYER_SETTING_TYPE_BOOL32_EXT, which cannot hold its value; it "
                                "stays as it is\n");
}

/* Without the frames outside of it, a wrapper's cannot be passed over. */
static void callers_to_pass_over_need_stacks(void **state)
{
    struct fixture *fixture = *state;
    settings_conclude(&fixture->settings);
    assert_false(fixture->settings.record_stacks);
    read_text(fixture, "assay.caller_ignore = librhi.so*\n");
    settings_conclude(&fixture->settings);
    assert_true(fixture->settings.record_stacks);
    read_text(fixture, "assay.record_stacks = false\n");
    settings_conclude(&fixture->settings);
    assert_false(fixture->settings.record_stacks);
    assert_diagnostics(fixture, "");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_settings, teardown_settings)
    const struct CMUnitTest settings[] = {
        TEST(defaults_are_those_that_users_know),
        TEST(file_sets_every_type),
        TEST(own_spelling_wins_wherever_it_stands),
        TEST(mistakes_are_explained_with_their_line),
        TEST(what_is_not_implemented_is_said_only_where_it_is_asked_for),
        TEST(report_flags_are_never_empty),
        TEST(values_have_their_nearest),
        TEST(lines_that_no_layer_reads_are_told),
        TEST(mistakes_are_told_from_the_first_line_on),
        TEST(new_spelling_of_submitted_work_wins),
        TEST(old_spelling_of_submitted_work_is_enough),
        TEST(callers_to_pass_over_need_stacks),
        TEST(environment_knows_three_spellings),
        TEST(layer_settings_of_every_type_are_read),
        TEST(old_extensions_switch_off_what_nothing_else_sets),
        TEST(user_switches_off_what_the_program_switches_on),
        TEST(old_enables_switch_on_what_nothing_else_sets),
        TEST(printf_only_is_printf_and_nothing_else),
        TEST(gpu_settings_have_the_ranges_that_users_know),
        TEST(chain_that_is_a_circle_ends),
        TEST(sources_win_in_their_order),
        TEST(any_bytes_are_read_without_harm),
        TEST(seed_000s_line),
        TEST(a_key_given_twice),
        TEST(what_the_khronos_layer_has_beside),
        TEST(a_wrong_type_through_the_api),
    };
    return cmocka_run_group_tests(settings, NULL, NULL);
}
