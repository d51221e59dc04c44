/* Settings by their sources: the file, the environment in three spellings, VK_EXT_layer_settings,
 * the two older extensions. The scenarios check which one wins, and what a user reads when a key or
 * a value is wrong. */
#include "scenario.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MISTAKE "VUID-VkFenceCreateInfo-flags-parameter"
#define WARNING "VALIDATION-SETTINGS"
#define OFF     "khronos_validation.stateless_param = false\n"
#define ON      "khronos_validation.stateless_param = true\n"

/* One that the null driver and lavapipe both survive. */
static void make_mistake(struct baseline *b)
{
    VkFenceCreateInfo info = fence_info();
    info.flags = 0x100;
    create_fence(b, &info);
}

/* The settings file. */

SCENARIO(file_switches_off, .settings_file = OFF)
{
    make_mistake(b);
}

SCENARIO(file_leaves_on, .settings_file = ON, .expect = {MISTAKE})
{
    make_mistake(b);
}

SCENARIO(file_own_spelling, .settings_file = "assay.stateless_param = false\n", .ours_only = true)
{
    make_mistake(b);
}

SCENARIO(file_own_spelling_wins, .settings_file = "assay.stateless_param = true\n" OFF,
         .expect = {MISTAKE}, .ours_only = true)
{
    make_mistake(b);
}

SCENARIO(file_own_spelling_wins_from_below, .settings_file = ON "assay.stateless_param = false\n",
         .ours_only = true)
{
    make_mistake(b);
}

/* A configurator makes this of the layer's name. */
SCENARIO(file_long_spelling, .settings_file = ON "assay_validation.stateless_param = false\n",
         .ours_only = true)
{
    make_mistake(b);
}

SCENARIO(file_last_line_wins, .settings_file = OFF ON, .expect = {WARNING, MISTAKE},
         .text = {"was given in line 1 before; this line counts"})
{
    make_mistake(b);
}

SCENARIO(file_with_comments,
         .settings_file = "# khronos_validation.stateless_param = true\n\n   "
                          "khronos_validation.stateless_param=false   # for now\n")
{
    make_mistake(b);
}

SCENARIO(file_with_carriage_returns,
         .settings_file = "khronos_validation.stateless_param = false\r\n\r\n", .ours_only = true)
{
    make_mistake(b);
}

SCENARIO(file_without_last_newline, .settings_file = "khronos_validation.stateless_param = false")
{
    make_mistake(b);
}

SCENARIO(file_of_other_layers,
         .settings_file = "lunarg_api_dump.no_such_thing = 7\nlunarg_screenshot.dir = /tmp\n",
         .expect = {MISTAKE})
{
    make_mistake(b);
}

SCENARIO(file_of_garbage,
         .settings_file = "\x01\x02=\xff\xfe\n====\nassay.\n=assay.\nassay.=\n\"\"\"\n",
         .expect = {WARNING, MISTAKE}, .text = {"vk_layer_settings.txt:5: unknown setting assay."},
         .ours_only = true)
{
    make_mistake(b);
}

SCENARIO(file_at_path, .expect = {}, .start = START_NOTHING)
{
    FILE *file = fopen("elsewhere.txt", "w");
    ENSURE(file && fputs(OFF, file) >= 0 && fclose(file) == 0);
    setenv("VK_LAYER_SETTINGS_PATH", "elsewhere.txt", 1);
    world_start(b, NULL);
    make_mistake(b);
}

SCENARIO(file_in_directory_at_path, .start = START_NOTHING)
{
    ENSURE(mkdir("settings", 0700) == 0);
    FILE *file = fopen("settings/vk_layer_settings.txt", "w");
    ENSURE(file && fputs(OFF, file) >= 0 && fclose(file) == 0);
    setenv("VK_LAYER_SETTINGS_PATH", "settings", 1);
    world_start(b, NULL);
    make_mistake(b);
}

/* A path that is given replaces the working directory's file. */
SCENARIO(file_at_path_wins, .start = START_NOTHING, .settings_file = OFF, .expect = {MISTAKE})
{
    FILE *file = fopen("elsewhere.txt", "w");
    ENSURE(file && fputs(ON, file) >= 0 && fclose(file) == 0);
    setenv("VK_LAYER_SETTINGS_PATH", "elsewhere.txt", 1);
    world_start(b, NULL);
    make_mistake(b);
}

SCENARIO(file_missing_at_path, .start = START_NOTHING, .expect = {WARNING, MISTAKE},
         .text = {"VK_LAYER_SETTINGS_PATH is \"nowhere.txt\", where no settings file can be read"},
         .ours_only = true)
{
    setenv("VK_LAYER_SETTINGS_PATH", "nowhere.txt", 1);
    world_start(b, NULL);
    make_mistake(b);
}

SCENARIO(file_of_the_user, .start = START_NOTHING)
{
    ENSURE(mkdir("vulkan", 0700) == 0 &&
           mkdir("vulkan/settings.d", 0700) == 0); /* XDG_DATA_HOME is the scenario's directory */
    FILE *file = fopen("vulkan/settings.d/vk_layer_settings.txt", "w");
    ENSURE(file && fputs(OFF, file) >= 0 && fclose(file) == 0);
    world_start(b, NULL);
    make_mistake(b);
}

/* A user reads this when something in the file is wrong. */

SCENARIO(unknown_key, .settings_file = "# mine\nkhronos_validation.statless_param = false\n",
         .expect = {WARNING, MISTAKE},
         .text = {"vk_layer_settings.txt:2: unknown setting khronos_validation.statless_param; the "
                  "nearest known one is khronos_validation.stateless_param"},
         .ours_only = true)
{
    make_mistake(b);
}

SCENARIO(unknown_key_far_from_all, .settings_file = "assay.zzzzzzzzzzzz = 1\n", .expect = {WARNING},
         .text = {"vk_layer_settings.txt:1: unknown setting assay.zzzzzzzzzzzz"}, .ours_only = true)
{
    expect_no_text(b, "nearest");
}

SCENARIO(bool_is_no_bool, .settings_file = "assay.object_lifetime = perhaps\n", .expect = {WARNING},
         .text = {"vk_layer_settings.txt:1: assay.object_lifetime is \"perhaps\", which is neither "
                  "true nor false; it stays true"},
         .ours_only = true)
{
    EXPECT_EQUAL(seen_find(b, WARNING)->severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT);
}

SCENARIO(number_is_no_number, .settings_file = "assay.duplicate_message_limit = many\n",
         .expect = {WARNING},
         .text = {"vk_layer_settings.txt:1: assay.duplicate_message_limit is \"many\", which is "
                  "not a number; it stays 10"},
         .ours_only = true)
{
}

SCENARIO(number_out_of_range, .settings_file = "assay.duplicate_message_limit = 0\n",
         .expect = {WARNING},
         .text = {"vk_layer_settings.txt:1: assay.duplicate_message_limit is 0, which is not "
                  "between 1 and 4294967295; it stays 10"},
         .ours_only = true)
{
}

SCENARIO(number_overflows,
         .settings_file = "assay.duplicate_message_limit = 99999999999999999999\n",
         .expect = {WARNING}, .text = {"which is not between 1 and 4294967295"}, .ours_only = true)
{
}

SCENARIO(flag_unknown, .settings_file = "assay.report_flags = error,loud\n", .expect = {WARNING},
         .text = {"vk_layer_settings.txt:1: assay.report_flags has no value \"loud\"; it takes any "
                  "of error, warn, perf, info, debug"},
         .ours_only = true)
{
}

SCENARIO(file_without_prefix, .settings_file = "stateless_param = false\n",
         .expect = {WARNING, MISTAKE},
         .text = {"vk_layer_settings.txt:1: stateless_param has no prefix and does nothing: write "
                  "assay.stateless_param"},
         .ours_only = true)
{
    make_mistake(b);
}

SCENARIO(file_that_cannot_be_read, .start = START_NOTHING, .expect = {WARNING, MISTAKE},
         .text = {"vk_layer_settings.txt is not read: it is not a file of at most 1 MiB"},
         .ours_only = true)
{
    ENSURE(mkdir("vk_layer_settings.txt", 0700) == 0);
    world_start(b, NULL);
    make_mistake(b);
}

SCENARIO(enum_unknown, .settings_file = "assay.log_color = pink\n", .expect = {WARNING},
         .text = {"vk_layer_settings.txt:1: assay.log_color has no value \"pink\"; it takes one of "
                  "auto, always, never; it stays auto"},
         .ours_only = true)
{
}

SCENARIO(several_mistakes,
         .settings_file = "assay.a = 1\nassay.log_color = pink\nassay.thread_safety = maybe\n",
         .expect = {WARNING}, .text = {":1:", ":2:", ":3:"}, .ours_only = true)
{
    EXPECT_EQUAL(seen_count(b, WARNING), 3);
}

/* Settings of the Khronos layer that this version has no use for yet: silence where the user asks
 * for nothing. */

SCENARIO(planned_setting_asked_for,
         .settings_file = "khronos_validation.descriptor_hashing = true\n", .expect = {WARNING},
         .text =
             {"vk_layer_settings.txt:1: khronos_validation.descriptor_hashing is known, and does "
              "nothing here: this version does not follow what lies in descriptor buffers"},
         .ours_only = true)
{
}

SCENARIO(planned_setting_at_its_default,
         .settings_file = "khronos_validation.gpu_dump_to_stdout = "
                          "false\nkhronos_validation.printf_buffer_size = 1024\n"
                          "khronos_validation.check_shaders = "
                          "true\nkhronos_validation.gpuav_shaders_to_instrument =\n")
{
}

SCENARIO(planned_setting_in_the_environment, .settings = {"descriptor_hashing=true"},
         .expect = {WARNING},
         .text = {"environment: VK_ASSAY_DESCRIPTOR_HASHING is known, and does nothing here: this "
                  "version does not follow what lies in descriptor buffers"},
         .ours_only = true)
{
}

/* The environment. */

static void start_with(struct baseline *b, const char *variable, const char *value)
{
    setenv(variable, value, 1);
    world_start(b, NULL);
    make_mistake(b);
}

SCENARIO(environment_own_spelling, .start = START_NOTHING, .ours_only = true)
{
    start_with(b, "VK_ASSAY_STATELESS_PARAM", "false");
}

SCENARIO(environment_khronos_spelling, .start = START_NOTHING)
{
    start_with(b, "VK_VALIDATION_STATELESS_PARAM", "false");
}

SCENARIO(environment_older_spelling, .start = START_NOTHING)
{
    start_with(b, "VK_LAYER_STATELESS_PARAM", "false");
}

SCENARIO(environment_value_is_no_bool, .start = START_NOTHING, .expect = {WARNING, MISTAKE},
         .text = {"environment: VK_ASSAY_STATELESS_PARAM is \"nope\", which is neither true nor "
                  "false; it stays true"},
         .ours_only = true)
{
    start_with(b, "VK_ASSAY_STATELESS_PARAM", "nope");
}

SCENARIO(environment_numbers_are_bools, .start = START_NOTHING)
{
    start_with(b, "VK_VALIDATION_STATELESS_PARAM", "0");
}

SCENARIO(environment_own_spelling_wins, .start = START_NOTHING, .expect = {MISTAKE},
         .ours_only = true)
{
    setenv("VK_LAYER_STATELESS_PARAM", "false", 1);
    setenv("VK_VALIDATION_STATELESS_PARAM", "false", 1);
    start_with(b, "VK_ASSAY_STATELESS_PARAM", "true");
}

/* The order of the Khronos layer's own spellings, weakest first. */
SCENARIO(environment_bare_spelling, .start = START_NOTHING)
{
    start_with(b, "VK_STATELESS_PARAM", "false");
}

SCENARIO(environment_long_spelling, .start = START_NOTHING)
{
    start_with(b, "VK_KHRONOS_VALIDATION_STATELESS_PARAM", "false");
}

SCENARIO(environment_khronos_spelling_beats_bare, .start = START_NOTHING, .expect = {MISTAKE})
{
    setenv("VK_STATELESS_PARAM", "false", 1);
    start_with(b, "VK_VALIDATION_STATELESS_PARAM", "true");
}

SCENARIO(environment_long_spelling_beats_khronos, .start = START_NOTHING, .expect = {MISTAKE})
{
    setenv("VK_VALIDATION_STATELESS_PARAM", "false", 1);
    start_with(b, "VK_KHRONOS_VALIDATION_STATELESS_PARAM", "true");
}

SCENARIO(environment_older_spelling_beats_long, .start = START_NOTHING, .expect = {MISTAKE})
{
    setenv("VK_KHRONOS_VALIDATION_STATELESS_PARAM", "false", 1);
    setenv("VK_VALIDATION_STATELESS_PARAM", "false", 1);
    start_with(b, "VK_LAYER_STATELESS_PARAM", "true");
}

SCENARIO(environment_own_long_spelling, .start = START_NOTHING, .ours_only = true)
{
    setenv("VK_LAYER_STATELESS_PARAM", "true", 1);
    start_with(b, "VK_ASSAY_VALIDATION_STATELESS_PARAM", "false");
}

SCENARIO(environment_beats_file, .start = START_NOTHING, .settings_file = OFF, .expect = {MISTAKE})
{
    start_with(b, "VK_VALIDATION_STATELESS_PARAM", "true");
}

SCENARIO(environment_unknown, .start = START_NOTHING, .expect = {WARNING, MISTAKE},
         .text = {"environment: unknown setting VK_ASSAY_OBJECT_LIFETIMES; the nearest known one "
                  "is VK_ASSAY_OBJECT_LIFETIME"},
         .ours_only = true)
{
    start_with(b, "VK_ASSAY_OBJECT_LIFETIMES", "false");
}

/* VK_LAYER_ is the loader's prefix as well. */
SCENARIO(environment_unknown_of_the_loader, .start = START_NOTHING, .expect = {MISTAKE})
{
    start_with(b, "VK_LAYER_NO_SUCH_SETTING", "1");
}

/* VK_EXT_layer_settings. */

static VkLayerSettingEXT bool_setting(const char *layer, const char *name, const VkBool32 *value)
{
    return (VkLayerSettingEXT){.pLayerName = layer,
                               .pSettingName = name,
                               .type = VK_LAYER_SETTING_TYPE_BOOL32_EXT,
                               .valueCount = 1,
                               .pValues = value};
}

static void start_with_settings(struct baseline *b, const VkLayerSettingEXT *settings,
                                uint32_t count)
{
    VkLayerSettingsCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
                                         .settingCount = count,
                                         .pSettings = settings};
    world_start(b, &info);
    make_mistake(b);
}

static const VkBool32 no = VK_FALSE, yes = VK_TRUE;
#define KHRONOS "VK_LAYER_KHRONOS_validation"

SCENARIO(api_under_own_name, .start = START_NOTHING,
         .instance_extensions = {VK_EXT_LAYER_SETTINGS_EXTENSION_NAME})
{
    VkLayerSettingEXT setting = bool_setting(b->layer, "stateless_param", &no);
    start_with_settings(b, &setting, 1);
}

SCENARIO(api_under_khronos_name, .start = START_NOTHING,
         .instance_extensions = {VK_EXT_LAYER_SETTINGS_EXTENSION_NAME})
{
    VkLayerSettingEXT setting = bool_setting(KHRONOS, "stateless_param", &no);
    start_with_settings(b, &setting, 1);
}

SCENARIO(api_own_name_wins, .start = START_NOTHING, .expect = {MISTAKE}, .ours_only = true,
         .instance_extensions = {VK_EXT_LAYER_SETTINGS_EXTENSION_NAME})
{
    VkLayerSettingEXT settings[] = {bool_setting(b->layer, "stateless_param", &yes),
                                    bool_setting(KHRONOS, "stateless_param", &no)};
    start_with_settings(b, settings, 2);
}

SCENARIO(api_for_another_layer, .start = START_NOTHING, .expect = {MISTAKE},
         .instance_extensions = {VK_EXT_LAYER_SETTINGS_EXTENSION_NAME})
{
    VkLayerSettingEXT settings[] = {bool_setting("VK_LAYER_OTHER_one", "stateless_param", &no),
                                    bool_setting("VK_LAYER_OTHER_one", "no_such_setting", &no)};
    start_with_settings(b, settings, 2);
}

SCENARIO(api_unknown_setting, .start = START_NOTHING, .expect = {WARNING, MISTAKE},
         .text = {"VkLayerSettingsCreateInfoEXT: unknown setting stateless_params; the nearest "
                  "known one is stateless_param"},
         .ours_only = true, .instance_extensions = {VK_EXT_LAYER_SETTINGS_EXTENSION_NAME})
{
    VkLayerSettingEXT setting = bool_setting(b->layer, "stateless_params", &no);
    start_with_settings(b, &setting, 1);
}

SCENARIO(api_wrong_type, .start = START_NOTHING, .expect = {WARNING, MISTAKE},
         .text = {"VkLayerSettingsCreateInfoEXT: stateless_param is \"17\", which is neither true "
                  "nor false; it stays true"},
         .ours_only = true, .instance_extensions = {VK_EXT_LAYER_SETTINGS_EXTENSION_NAME})
{
    int32_t number = 17;
    VkLayerSettingEXT setting = {.pLayerName = b->layer,
                                 .pSettingName = "stateless_param",
                                 .type = VK_LAYER_SETTING_TYPE_INT32_EXT,
                                 .valueCount = 1,
                                 .pValues = &number};
    start_with_settings(b, &setting, 1);
}

SCENARIO(api_string_list, .start = START_NOTHING,
         .instance_extensions = {VK_EXT_LAYER_SETTINGS_EXTENSION_NAME})
{
    const char *filters[] = {"VUID-VkBufferCreateInfo-size-00912", MISTAKE};
    VkLayerSettingEXT setting = {.pLayerName = b->layer,
                                 .pSettingName = "message_id_filter",
                                 .type = VK_LAYER_SETTING_TYPE_STRING_EXT,
                                 .valueCount = 2,
                                 .pValues = filters};
    start_with_settings(b, &setting, 1);
}

SCENARIO(api_number, .start = START_NOTHING, .expect = {MISTAKE},
         .instance_extensions = {VK_EXT_LAYER_SETTINGS_EXTENSION_NAME})
{
    uint32_t limit = 2;
    VkLayerSettingEXT setting = {.pLayerName = b->layer,
                                 .pSettingName = "duplicate_message_limit",
                                 .type = VK_LAYER_SETTING_TYPE_UINT32_EXT,
                                 .valueCount = 1,
                                 .pValues = &limit};
    start_with_settings(b, &setting, 1);
    make_mistake(b);
    make_mistake(b);
    EXPECT_EQUAL(seen_count(b, MISTAKE), 2);
}

SCENARIO(file_beats_api, .start = START_NOTHING, .expect = {MISTAKE}, .settings_file = ON,
         .instance_extensions = {VK_EXT_LAYER_SETTINGS_EXTENSION_NAME})
{
    VkLayerSettingEXT setting = bool_setting(b->layer, "stateless_param", &no);
    start_with_settings(b, &setting, 1);
}

SCENARIO(environment_beats_api, .start = START_NOTHING, .expect = {MISTAKE},
         .instance_extensions = {VK_EXT_LAYER_SETTINGS_EXTENSION_NAME})
{
    VkLayerSettingEXT setting = bool_setting(b->layer, "stateless_param", &no);
    setenv("VK_VALIDATION_STATELESS_PARAM", "true", 1);
    start_with_settings(b, &setting, 1);
}

SCENARIO(api_setting_without_values, .start = START_NOTHING,
         .expect = {"VUID-VkLayerSettingEXT-valueCount-10070", MISTAKE}, .proceed = true,
         .ours_only = true /* the peer's settings library follows the pointer */,
         .instance_extensions = {VK_EXT_LAYER_SETTINGS_EXTENSION_NAME})
{
    VkLayerSettingEXT setting = bool_setting("VK_LAYER_OTHER_one", "stateless_param", NULL);
    start_with_settings(b, &setting, 1);
}

/* VK_EXT_validation_features and VK_EXT_validation_flags. */

static void start_without(struct baseline *b, VkValidationFeatureDisableEXT feature)
{
    VkValidationFeaturesEXT info = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                    .disabledValidationFeatureCount = 1,
                                    .pDisabledValidationFeatures = &feature};
    world_start(b, &info);
    make_mistake(b);
}

SCENARIO(features_without_parameters, .start = START_NOTHING,
         .instance_extensions = {VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME})
{
    start_without(b, VK_VALIDATION_FEATURE_DISABLE_API_PARAMETERS_EXT);
}

SCENARIO(features_without_anything, .start = START_NOTHING,
         .instance_extensions = {VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME})
{
    start_without(b, VK_VALIDATION_FEATURE_DISABLE_ALL_EXT);
    vkCmdSetLineWidth(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY), 1.0f);
}

SCENARIO(features_without_core, .start = START_NOTHING, .expect = {MISTAKE}, .drivers = NULL_DRIVER,
         .instance_extensions = {VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME})
{
    start_without(b, VK_VALIDATION_FEATURE_DISABLE_CORE_CHECKS_EXT);
    vkCmdSetLineWidth(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY), 1.0f);
}

SCENARIO(features_without_lifetimes, .start = START_NOTHING, .expect = {MISTAKE},
         .drivers = NULL_DRIVER, .instance_extensions = {VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME})
{
    start_without(b, VK_VALIDATION_FEATURE_DISABLE_OBJECT_LIFETIMES_EXT);
    VkFence fence = make_fence(b);
    FORGET(b, fence); /* leaked, and not reported */
}

SCENARIO(features_without_shaders, .start = START_NOTHING, .expect = {MISTAKE},
         .instance_extensions = {VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME})
{
    start_without(b, VK_VALIDATION_FEATURE_DISABLE_SHADERS_EXT);
}

SCENARIO(features_without_ids, .start = START_NOTHING, .expect = {MISTAKE},
         .instance_extensions = {VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME})
{
    start_without(b, VK_VALIDATION_FEATURE_DISABLE_UNIQUE_HANDLES_EXT);
    make_any_framebuffer(b);
}

SCENARIO(features_unknown_value, .start = START_NOTHING,
         .expect = {"VUID-VkValidationFeaturesEXT-pDisabledValidationFeatures-parameter", MISTAKE},
         .proceed = true, .instance_extensions = {VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME})
{
    start_without(b, (VkValidationFeatureDisableEXT)0x7ffffff);
}

/* The file is the user's, and the user has the last word over the program. */
SCENARIO(file_beats_features, .start = START_NOTHING, .settings_file = ON, .expect = {MISTAKE},
         .ours_only = true, .instance_extensions = {VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME})
{
    start_without(b, VK_VALIDATION_FEATURE_DISABLE_API_PARAMETERS_EXT);
}

static void start_with_flags(struct baseline *b, VkValidationCheckEXT check)
{
    VkValidationFlagsEXT info = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FLAGS_EXT,
                                 .disabledValidationCheckCount = 1,
                                 .pDisabledValidationChecks = &check};
    world_start(b, &info);
    make_mistake(b);
}

SCENARIO(flags_without_anything, .start = START_NOTHING, .ours_only = true,
         .instance_extensions = {VK_EXT_VALIDATION_FLAGS_EXTENSION_NAME})
{
    start_with_flags(b, VK_VALIDATION_CHECK_ALL_EXT);
}

SCENARIO(flags_without_shaders, .start = START_NOTHING, .expect = {MISTAKE}, .ours_only = true,
         .instance_extensions = {VK_EXT_VALIDATION_FLAGS_EXTENSION_NAME})
{
    start_with_flags(b, VK_VALIDATION_CHECK_SHADERS_EXT);
}

/* (Under the peer it changes from run to run whether VkValidationFlagsEXT has an effect.) */

/* The old spelling `disables`. */

SCENARIO(disables_parameters,
         .settings_file =
             "khronos_validation.disables = VK_VALIDATION_FEATURE_DISABLE_API_PARAMETERS_EXT\n")
{
    make_mistake(b);
}

SCENARIO(disables_loses_to_the_setting,
         .settings_file = "assay.disables = API_PARAMETERS_EXT\nassay.stateless_param = true\n",
         .expect = {MISTAKE}, .ours_only = true)
{
    make_mistake(b);
}

SCENARIO(disables_unknown, .settings_file = "assay.disables = EVERYTHING\n",
         .expect = {WARNING, MISTAKE},
         .text = {"vk_layer_settings.txt:1: assay.disables has no value \"EVERYTHING\""},
         .ours_only = true)
{
    make_mistake(b);
}

SCENARIO(enables_nothing, .settings_file = "khronos_validation.enables =\n")
{
}
