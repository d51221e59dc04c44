/* Reads the settings that the program gives with VkInstanceCreateInfo: VK_EXT_validation_flags,
 * VK_EXT_validation_features, VK_EXT_layer_settings. The pNext chain is not validated yet. */
#include "settings/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/string_builder.h"
#include "vk/chain.h"

/* Adds one value to the setting `disables`, which keeps its other values. */
static void setting_disable(struct settings *settings, const char *value,
                            struct settings_diagnostics *diagnostics)
{
    uint32_t before = settings->disables;
    setting_assign(settings, SETTING_DISABLES, span_of(value), "VkInstanceCreateInfo",
                   span_of("disables"), diagnostics);
    settings->disables |= before;
}

/* Reads a VkValidationFlagsEXT. The checks that it disables are added to the setting `disables`. */
static void read_validation_flags(struct settings *settings, const VkValidationFlagsEXT *flags,
                                  struct settings_diagnostics *diagnostics)
{
    for (uint32_t i = 0;
         flags->pDisabledValidationChecks && i < flags->disabledValidationCheckCount; i++) {
        if (flags->pDisabledValidationChecks[i] == VK_VALIDATION_CHECK_ALL_EXT)
            setting_disable(settings, "ALL_EXT", diagnostics);
        else if (flags->pDisabledValidationChecks[i] == VK_VALIDATION_CHECK_SHADERS_EXT)
            setting_disable(settings, "SHADERS_EXT", diagnostics);
    }
}

/* Reads a VkValidationFeaturesEXT into the settings that have the same meaning. */
static void read_validation_features(struct settings *settings,
                                     const VkValidationFeaturesEXT *features,
                                     struct settings_diagnostics *diagnostics)
{
    static const char *const disables[] = {
        [VK_VALIDATION_FEATURE_DISABLE_ALL_EXT] = "ALL_EXT",
        [VK_VALIDATION_FEATURE_DISABLE_SHADERS_EXT] = "SHADERS_EXT",
        [VK_VALIDATION_FEATURE_DISABLE_THREAD_SAFETY_EXT] = "THREAD_SAFETY_EXT",
        [VK_VALIDATION_FEATURE_DISABLE_API_PARAMETERS_EXT] = "API_PARAMETERS_EXT",
        [VK_VALIDATION_FEATURE_DISABLE_OBJECT_LIFETIMES_EXT] = "OBJECT_LIFETIMES_EXT",
        [VK_VALIDATION_FEATURE_DISABLE_CORE_CHECKS_EXT] = "CORE_CHECKS_EXT",
        [VK_VALIDATION_FEATURE_DISABLE_UNIQUE_HANDLES_EXT] = "UNIQUE_HANDLES_EXT",
        [VK_VALIDATION_FEATURE_DISABLE_SHADER_VALIDATION_CACHE_EXT] = "SHADER_VALIDATION_CACHE_EXT",
    };
    for (uint32_t i = 0;
         features->pDisabledValidationFeatures && i < features->disabledValidationFeatureCount;
         i++) {
        VkValidationFeatureDisableEXT value = features->pDisabledValidationFeatures[i];
        /* The room stateless/ reports values that are not in the table. */
        if ((uint32_t)value < ARRAY_LENGTH(disables))
            setting_disable(settings, disables[value], diagnostics);
    }
    static const enum setting enables[] = {
        [VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT] = SETTING_GPUAV_ENABLE,
        [VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT] = SETTING_COUNT,
        [VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT] = SETTING_VALIDATE_BEST_PRACTICES,
        [VK_VALIDATION_FEATURE_ENABLE_DEBUG_PRINTF_EXT] = SETTING_PRINTF_ENABLE,
        [VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT] = SETTING_VALIDATE_SYNC,
    };
    for (uint32_t i = 0;
         features->pEnabledValidationFeatures && i < features->enabledValidationFeatureCount; i++) {
        VkValidationFeatureEnableEXT value = features->pEnabledValidationFeatures[i];
        if (value == VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT)
            settings->enables |= ENABLES_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT;
        else if ((uint32_t)value < ARRAY_LENGTH(enables))
            setting_assign(settings, enables[value], span_of("true"), "VkInstanceCreateInfo",
                           span_of(setting_info[enables[value]].name), diagnostics);
    }
}

/* Writes one value of a VkLayerSettingEXT as the text that a settings file would have. */
static void setting_add_value(struct string_builder *text, const VkLayerSettingEXT *setting,
                              uint32_t index)
{
    const void *values = setting->pValues;
    switch (setting->type) {
    case VK_LAYER_SETTING_TYPE_BOOL32_EXT:
        string_builder_add(text, ((const VkBool32 *)values)[index] ? "true" : "false");
        break;
    case VK_LAYER_SETTING_TYPE_INT32_EXT:
        string_builder_format(text, "%" PRId32, ((const int32_t *)values)[index]);
        break;
    case VK_LAYER_SETTING_TYPE_INT64_EXT:
        string_builder_format(text, "%" PRId64, ((const int64_t *)values)[index]);
        break;
    case VK_LAYER_SETTING_TYPE_UINT32_EXT:
        string_builder_format(text, "%" PRIu32, ((const uint32_t *)values)[index]);
        break;
    case VK_LAYER_SETTING_TYPE_UINT64_EXT:
        string_builder_format(text, "%" PRIu64, ((const uint64_t *)values)[index]);
        break;
    case VK_LAYER_SETTING_TYPE_FLOAT32_EXT:
        /* Nine digits are enough to distinguish all floats, and seventeen all doubles. */
        string_builder_format(text, "%.9g", (double)((const float *)values)[index]);
        break;
    case VK_LAYER_SETTING_TYPE_FLOAT64_EXT:
        string_builder_format(text, "%.17g", ((const double *)values)[index]);
        break;
    case VK_LAYER_SETTING_TYPE_STRING_EXT: {
        const char *string = ((const char *const *)values)[index];
        string_builder_add(text, string ? string : "");
        break;
    }
    default:
        break;
    }
}

/* True if the type can hold the setting's value. A setting that is a number accepts any type of
 * number. Every setting that a file can have also accepts a string. */
static bool type_fits(enum setting setting, VkLayerSettingTypeEXT type)
{
    assert((unsigned)setting < SETTING_COUNT);
    bool boolean = type == VK_LAYER_SETTING_TYPE_BOOL32_EXT,
         string = type == VK_LAYER_SETTING_TYPE_STRING_EXT;
    switch (setting_info[setting].type) {
    case SETTING_TYPE_BOOL:
        return type != VK_LAYER_SETTING_TYPE_FLOAT32_EXT &&
               type != VK_LAYER_SETTING_TYPE_FLOAT64_EXT;
    case SETTING_TYPE_INT:
    case SETTING_TYPE_LIST:
        return !boolean;
    default:
        return string;
    }
}

/* Returns the name of the type, for diagnostics. */
static const char *setting_type_name(VkLayerSettingTypeEXT type)
{
    static const char *const names[] = {
        "VK_LAYER_SETTING_TYPE_BOOL32_EXT",  "VK_LAYER_SETTING_TYPE_INT32_EXT",
        "VK_LAYER_SETTING_TYPE_INT64_EXT",   "VK_LAYER_SETTING_TYPE_UINT32_EXT",
        "VK_LAYER_SETTING_TYPE_UINT64_EXT",  "VK_LAYER_SETTING_TYPE_FLOAT32_EXT",
        "VK_LAYER_SETTING_TYPE_FLOAT64_EXT", "VK_LAYER_SETTING_TYPE_STRING_EXT"};
    return (uint32_t)type < ARRAY_LENGTH(names) ? names[type] : "an unknown type";
}

/* Reads one VkLayerSettingEXT. An unknown setting, or a type that does not fit, gives a
 * diagnostic. */
static void read_layer_setting(struct settings *settings, const VkLayerSettingEXT *setting,
                               struct settings_diagnostics *diagnostics)
{
    char buffer[256];
    struct string_builder text;
    struct span name = span_of(setting->pSettingName);
    if (setting->valueCount && !setting->pValues)
        return; /* VUID-VkLayerSettingEXT-valueCount-10070, which the stateless validator reports */
    string_builder_begin(&text, buffer, sizeof(buffer));
    for (uint32_t i = 0; i < setting->valueCount && !text.truncated; i++) {
        string_builder_add(&text, i ? "," : "");
        setting_add_value(&text, setting, i);
    }
    enum setting known = setting_by_name(name);
    if (known != SETTING_COUNT && !type_fits(known, setting->type))
        diagnostics_add(diagnostics,
                        "VkLayerSettingsCreateInfoEXT: %s is given as %s, which cannot hold its "
                        "value; it stays as it is",
                        setting_info[known].name, setting_type_name(setting->type));
    else if (known != SETTING_COUNT)
        setting_assign(settings, known, span_of(text.text), "VkLayerSettingsCreateInfoEXT", name,
                       diagnostics);
    else
        setting_unknown(name, span_of(text.text), "VkLayerSettingsCreateInfoEXT", "", diagnostics);
    string_builder_end(&text);
}

/* Reads the settings that name this layer; others belong to other layers. */
static void read_layer_settings(struct settings *settings, const VkLayerSettingsCreateInfoEXT *info,
                                const char *layer, struct settings_diagnostics *diagnostics)
{
    for (uint32_t i = 0; info->pSettings && i < info->settingCount; i++) {
        const VkLayerSettingEXT *setting = &info->pSettings[i];
        if (setting->pLayerName && setting->pSettingName && !strcmp(setting->pLayerName, layer))
            read_layer_setting(settings, setting, diagnostics);
    }
}

/* The passes over the chain. A setting of a later pass replaces that of an earlier one. */
enum pass { PASS_OLD_EXTENSIONS, PASS_KHRONOS_NAME, PASS_OWN_NAME, PASS_COUNT };

/* Reads a structure of the chain, if this pass is for its kind. */
static void read_structure(struct settings *settings, const VkBaseInStructure *structure,
                           enum pass pass, struct settings_diagnostics *diagnostics)
{
    if (pass == PASS_OLD_EXTENSIONS && structure->sType == VK_STRUCTURE_TYPE_VALIDATION_FLAGS_EXT)
        read_validation_flags(settings, (const void *)structure, diagnostics);
    else if (pass == PASS_OLD_EXTENSIONS &&
             structure->sType == VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT)
        read_validation_features(settings, (const void *)structure, diagnostics);
    else if (pass != PASS_OLD_EXTENSIONS &&
             structure->sType == VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT)
        read_layer_settings(settings, (const void *)structure,
                            pass == PASS_OWN_NAME ? SETTINGS_LAYER_NAME
                                                  : SETTINGS_KHRONOS_LAYER_NAME,
                            diagnostics);
}

void settings_read_create_info(struct settings *settings, const VkInstanceCreateInfo *info,
                               struct settings_diagnostics *diagnostics)
{
    /* Later passes win, wherever their structures stand in the chain. */
    for (enum pass pass = PASS_OLD_EXTENSIONS; pass < PASS_COUNT; pass++) {
        for (struct chain_walk walk = chain_begin(info->pNext); walk.at; chain_step(&walk))
            read_structure(settings, walk.at, pass, diagnostics);
    }
}
